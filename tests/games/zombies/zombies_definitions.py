"""What the rulebook's sentences say about the moves and shots of heroes, hordes and zombies, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from slow_city import DIAGONALS, SIDEWAYS, city_of, is_unit, moved, other_ends, spot
from slow_deeds import (
    after_bite,
    after_done,
    after_lead,
    after_lob,
    bite,
    grenade,
    lead,
    lob,
    may_trade,
    place,
    try_trades,
)
from slow_table import Table, attacks_left, figures_left, is_stealthed, owes_roll, spread
from zombie_play import BOARD, CITY

from referee.games.zombies.acting import EndActions, Grenade, LobTo
from referee.games.zombies.attacking import HitInCloseCombat, Shoot
from referee.games.zombies.biting import RollBite
from referee.games.zombies.horde_turn import ChangeFollowerSquare, SwapPlaces
from referee.games.zombies.marching import StepTo
from referee.games.zombies.moving import GoTo
from referee.games.zombies.mutating import MutateZombies
from referee.games.zombies.spawning import PlaceZombie
from referee.games.zombies.trading import Trade
from referee.testing import Definition

TOGETHER = 7
"""The most zombies for which every plan is looked at."""


# Hordes


def follow(state, seat):
    """Each zombie may be put elsewhere, no farther than its zombie hero went; the horde is one unit afterwards."""
    table, task = Table(state), state.task
    player = state.players[task.by]
    unit = {player.at, *player.horde}
    for at, origin in task.origins:
        for to in spread(table.steps_from(origin), origin, task.steps, table.free | unit):
            if to in table.free and is_unit(table.city.joined, unit - {at} | {to}):
                yield ChangeFollowerSquare(at, to)


def go(state, seat):
    """The squares where a figure's move may end."""
    player = state.players[state.task.by]
    squares = horde_goals(state, player) if player.is_zombie else hero_goals(state, player)
    return map(GoTo, sorted(squares))


def horde_goals(state, player):
    """A zombie hero stops at tokens; the horde goes as a block or each zombie by itself, and is one unit afterwards."""
    table, steps = Table(state), state.task.steps
    unit = {player.at, *player.horde}
    halts = table.near(table.tokens("AV"))
    alone = spread(table.steps_from(player.at), player.at, steps, table.free | unit, halts)
    found = {player.at, *(blocks(table, player, steps, halts) if player.horde else alone)}
    return found | {to for to, away in alone.items() if to not in found and can_follow(table, player, to, away)}


def blocks(table, player, steps, halts):
    """Where a zombie hero gets to when all of the horde take each step with them (ruling.horde-move).

    Each square comes with those of the horde then.
    """
    start = (player.at, *player.horde)
    ways = (*SIDEWAYS, *DIAGONALS) if all(table.is_diagonal(square[0]) for square in start) else SIDEWAYS
    found, fresh = {start}, {start}
    for _ in range(steps):
        going = {unit for unit in fresh if unit == start or unit[0] not in halts}
        shifted = {unit: tuple(tuple(moved(square, way) for square in unit) for way in ways) for unit in going}
        fresh = {to for unit in going for to in shifted[unit] if can_shift(table, start, unit, to)} - found
        found |= fresh
    return {unit[0]: unit[1:] for unit in found if is_unit(table.city.joined, unit)}


def after_go(state, seat, action, faces):
    """A horde that can go as a block does so."""
    table, player = Table(state), state.players[state.task.by]
    if not player.horde or action.square == player.at:
        return {}
    found = blocks(table, player, state.task.steps, table.near(table.tokens("AV"))).get(action.square)
    to = dict(zip(player.horde, found or (), strict=False))
    return {"zombies": {to.get(square, square): level for square, level in state.zombies.items()}} if found else {}


def can_shift(table, start, unit, to):
    entered = table.free | set(start)
    return all(there in table.touching(here) and there in entered for here, there in zip(unit, to, strict=True))


def can_follow(table, player, goal, away):
    """True if the zombies can stand so that the horde is one unit round its zombie hero, none having gone farther."""
    entered = table.free | {player.at, *player.horde}
    reach = {zombie: set(spread(table.steps_from(zombie), zombie, away, entered)) - {goal} for zombie in player.horde}
    plans = {(frozenset(player.horde), frozenset({goal}))}
    for _ in player.horde:
        plans = {
            (left - {zombie}, unit | {to})
            for left, unit in plans
            for zombie in left
            for to in reach[zombie] - unit
            if any(one in table.city.joined(to) for one in unit)
        }
    return bool(plans)


# Heroes


def hero_goals(state, player):
    """A hero steps in eight directions, over stairs and placed ropes, and stops where something stops them."""
    table, steps = Table(state), state.task.steps
    entered, occupied = table.floor - set(state.tiles), table.floor - table.free
    halts = hero_halts(state, table, player)
    fresh, found = {player.at}, {player.at}
    for _ in range(steps):
        past = {to for one in fresh for to in climbs(state, one)} & occupied  # ruling.stair-past
        reached = {to for one in fresh for to in table.touching(one) | climbs(state, one)} & entered - found
        fresh = {to for to in reached if to in past or not (to in halts and to in occupied)}
        found |= fresh
        fresh = {to for to in fresh if to in past or to not in halts}
    return {player.at} | found & table.free


def climbs(state, square):
    """The other ends of stairs and of placed ropes (rope.5, ruling.level-links)."""
    city = city_of(state.board, state.opened)
    return other_ends([*city.stairs, *(rope for rope in city.ropes if rope[0] in state.ropes)], square)


def hero_halts(state, table, player):
    """Squares next to tokens, stars and zombies that stop a hero (move.4, move.8 to move.11)."""
    stealthed = is_stealthed(state, player)
    signs = table.city.signs.items()
    stars = {square for square, (_, sign) in signs if sign == "*" and stops(state, player, square)}
    return table.near(stars | (set() if stealthed else table.tokens("ASV") | stopping_zombies(state, table, player)))


def stops(state, player, star):
    """True if a bonus star has something for a hero (bonus.3, ruling.bonus-stop)."""
    left = state.stars.get(star)
    return left is None or bool(left.cards and player.hero not in left.takers)


def stopping_zombies(state, table, player):
    """Zombies that stop a hero: those they were not next to at first, as the options say (ruling.stop-at-zombie)."""
    enemies = table.zombies | {at for at, other in table.figures.items() if other.is_zombie}
    option = state.options["break-away-stop"] if state.task.fleeing else "new-only"
    if state.options["stop-at-zombie"] == "no" or option == "none":
        return set()
    return enemies if option == "all" else enemies - table.touching(player.at)


def shoot(state, seat):
    """A shot needs a target within the weapon's range, in line of sight (supply.ranged.4, supply.ranged.5)."""
    player, table = next(each for each in state.players.values() if each.seat == seat), Table(state)
    cards = state.board.components.cards
    guns = {card for card in player.supplies if cards[card].kind == "ranged"}
    for gun, square in product(sorted(guns), targets(state, table, player)):
        (x, y), (x2, y2) = spot(player.at), spot(square)
        within = square[0] == player.at[0] and max(abs(x - x2), abs(y - y2)) <= cards[gun].range
        if within and table.city.sees(player.at, square, state.tiles):
            yield Shoot(square, gun)


def hit(state, seat):
    """A close attack needs an adjacent target (attack.12), and one weapon or fists (ruling.one-weapon)."""
    player, table = next(each for each in state.players.values() if each.seat == seat), Table(state)
    weapons = {card for card in player.supplies if state.board.components.cards[card].kind == "close"}
    for square, weapon in product(targets(state, table, player), sorted({"fists", *weapons})):
        if square in table.touching(player.at):
            yield HitInCloseCombat(square, weapon)


def targets(state, table, player):
    """Zombies, zombie heroes, and in versus other heroes, if the players want it (ruling.hero-attacks-hero)."""
    if attacks_left(state) < 1 or owes_roll(state, player):
        return []
    rivals = state.options["mode"] == "versus" and state.options["hero-attacks-hero"] == "versus-only"
    others = {at for at, other in table.figures.items() if other is not player and (other.is_zombie or rivals)}
    return sorted(table.zombies | others)


# Free zombies


def step(state, seat):
    """A zombie steps nearer to its hero; as many of the group step as can, and it is whole (ruling.group-move)."""
    table, task = Table(state), state.task
    if not task.movers:
        return
    mover, hero = task.movers[0], state.players[task.target].at
    whole = frozenset(task.whole)
    most = {
        to: most_steps(table, hero, task.movers[1:], whole - {mover} | {to}, task)
        for to in nearer(table, hero, mover) & table.free
    }
    stay = most_steps(table, hero, task.movers[1:], whole, task)
    best = max((1 + count for count in most.values() if count is not None), default=-1)
    squares = [to for to, count in most.items() if count is not None and 1 + count == best]
    if stay is not None and stay > best:
        squares = []
    nearest = min((apart(to, hero) for to in squares), default=0)
    yield from map(StepTo, chosen(state, mover, hero, sorted(to for to in squares if apart(to, hero) == nearest)))


def most_steps(table, hero, movers, whole, task):
    """The most of these zombies that can step so that the group is whole afterwards; None if it cannot be."""
    others = table.floor - table.free - set(task.whole)
    plans = {whole: 0}
    for zombie in movers:
        later = dict(plans)
        for plan, count in plans.items():
            for to in nearer(table, hero, zombie) - plan - others - set(table.state.tiles):
                after = plan - {zombie} | {to}
                later[after] = max(later.get(after, 0), count + 1)
        plans = later
    return max((count for plan, count in plans.items() if is_unit(table.touching, plan)), default=None)


def nearer(table, hero, zombie):
    """Squares one step from a zombie that are nearer to a hero (zombie.move.3 to zombie.move.5, mutation.2)."""
    diagonal = table.is_diagonal(table.state.current_player.at[0])
    near = table.touching(zombie) if diagonal else table.beside(zombie)
    return {to for to in near if apart(to, hero) < apart(zombie, hero)}


def apart(one, other):
    """Column difference plus row difference (ruling.zombie-distance)."""
    (x, y), (x2, y2) = spot(one), spot(other)
    return abs(x - x2) + abs(y - y2)


def chosen(state, mover, hero, squares):
    """The squares that the option leaves (ruling.zombie-step-choice)."""
    option = state.options["zombie-step-choice"]
    if option == "token-owner" or not squares:
        return squares
    if option == "compass":
        order = [moved(mover, way) for way in (*SIDEWAYS, *DIAGONALS)]
        return [min(squares, key=order.index)]
    (x, y), (x2, y2) = spot(mover), spot(hero)
    upright = abs(y2 - y) >= abs(x2 - x)
    along = [to for to in squares if (to[1] == mover[1]) == upright]
    return (along or squares)[:1]


# Exchanges


def mutate(state, seat):
    """Three alike become one, or one becomes three, and the horde is one unit of at most twelve (mutate.2 to 6)."""
    player = state.players[state.current_player.hero]
    if state.agenda or not state.acts.is_empty:
        return
    table, horde = Table(state), player.horde
    unit, levels = {player.at, *horde}, {square: state.zombies[square] for square in horde}
    near = sorted(square for square in table.free if table.touching(square) & unit)
    for square, level in levels.items():
        alike = [other for other in horde if levels[other] == level and other != square]
        if level < 3 and figures_left(state, level + 1) >= 1:
            for pair in combinations(alike, 2):
                if is_unit(table.city.joined, unit - set(pair)):
                    yield MutateZombies(square, state.board.sort_squares(pair))
        if level > 1 and figures_left(state, level - 1) >= 3 and len(horde) + 2 <= 12:
            yield from (MutateZombies(square, state.board.sort_squares(pair)) for pair in combinations(near, 2))


MEANS = (
    Definition(ChangeFollowerSquare, "zhero.horde.4", follow),
    Definition(
        GoTo,
        "ruling.horde-move",
        go,
        leads_to=after_go,
        fits=lambda state, seat: len(state.players_by_seat[seat].horde) < 5,
    ),
    Definition(StepTo, "ruling.group-move", step, fits=lambda state, seat: len(state.task.movers) <= TOGETHER),
    Definition(MutateZombies, "mutate.6", mutate),
    Definition(Shoot, "supply.ranged.4", shoot),
    Definition(HitInCloseCombat, "attack.12", hit),
    Definition(EndActions, "zombie.attack.2", leads_to=after_done),
    Definition(RollBite, "zombie.attack.4", bite, leads_to=after_bite),
    Definition(SwapPlaces, "zhero.move.2", lead, leads_to=after_lead),
    Definition(PlaceZombie, "card.zombie.6", place),
    Definition(Grenade, "grenade.1", grenade),
    Definition(LobTo, "grenade.2", lob, leads_to=after_lob),
    Definition(Trade, "turn.free.4", allows=may_trade, tries=try_trades),
)


def thin_walled(seed):
    """The city with thin walls between many squares that are open."""
    random, city, shipped = (
        Random(seed),
        {**CITY, "level": [dict(level) for level in CITY["level"]]},
        city_of(BOARD, ()),
    )
    for level in city["level"]:
        squares = sorted(square for square in shipped.floor if square[0] == level["id"] and square != "Sc7")
        pairs = [[one, two] for one in squares for two in sorted(shipped.beside(one)) if one < two]
        level["thin-walls"] = random.sample(pairs, len(pairs) // 8)
    return city


OWN = ({"board": thin_walled(1)}, {"board": thin_walled(2)})
