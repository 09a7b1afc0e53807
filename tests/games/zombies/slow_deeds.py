"""What the rulebook's sentences say about bites, new zombies, grenades and trades, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from msgspec.structs import replace
from slow_city import SIDEWAYS, moved, spot
from slow_table import Table, attacks_left, figures_left, is_stealthed, owes_roll

from referee.games.zombies.acting import Grenade, LobTo
from referee.games.zombies.biting import RollBite
from referee.games.zombies.horde_turn import SwapPlaces
from referee.games.zombies.options import SEATS
from referee.games.zombies.spawning import PlaceZombie
from referee.games.zombies.tasks import BiteTask
from referee.games.zombies.trading import Trade


def player_in(state, seat):
    return next(player for player in state.players.values() if player.seat == seat)


def heroes(state):
    return [player for player in state.players.values() if player.at and not player.is_zombie]


def away(one, other):
    """Squares between two squares; a diagonal counts 1 (ruling.horde-distance)."""
    (x, y), (x2, y2) = spot(one), spot(other)
    return max(abs(x - x2), abs(y - y2))


# Zombies attack


def after_done(state, seat, action, faces):
    """Each free zombie of the level next to heroes attacks the one who acted last (zombie.attack.1, zombie.attack.2).

    The first task is told: the attacks on the first of these heroes in turn order. Nobody attacks a hero under stealth,
    or on the red heart (ruling.stealth-attack, ruling.red-heart-between).
    """
    player, table = player_in(state, seat), Table(state)
    if player.is_zombie or horde_grows_first(state, table):
        return {}
    hordes = {square for other in state.players.values() for square in other.horde}
    prey = [hero for hero in heroes(state) if hero.at[0] == player.at[0] and hero.health]
    prey = [hero for hero in prey if not is_stealthed(state, hero)]
    bitten = {}
    for zombie in sorted(table.zombies - hordes, key=lambda square: (square[0], spot(square)[1], spot(square)[0])):
        near = [hero.hero for hero in prey if zombie in table.touching(hero.at)]
        last = [hero for hero in state.recent if hero in near]
        if near:
            bitten.setdefault((last or near)[0], []).append(zombie)
    turns = sorted(bitten, key=lambda hero: state.order.index(state.players[hero].seat))
    if not turns:
        return {}
    return {"task": BiteTask(by=roller(state, turns[0]), attacks=tuple((at, turns[0]) for at in bitten[turns[0]]))}


def horde_grows_first(state, table):
    """True if a free zombie touches a horde that has room: it joins, or the zombie hero's player chooses first who does
    (zhero.horde.1, ruling.horde-limit-join). Only positions that were typed begin so.
    """
    taken = {square for player in state.players.values() for square in player.horde}
    units = [(player.at, *player.horde) for player in state.players.values() if player.is_zombie and player.at]
    return any(table.touching(square) & table.zombies - taken for unit in units if len(unit) <= 12 for square in unit)


def roller(state, hero):
    """The next player on the left of the attacked one; alone the player (ruling.zombie-roller)."""
    seats = [*SEATS, *SEATS][SEATS.index(state.players[hero].seat) + 1 :]
    by_seat = {player.seat: name for name, player in state.players.items()}
    return next(by_seat[seat] for seat in seats if seat in by_seat)


def bite(state, seat):
    """Anybody but the attacked rolls, who does so only if alone; for a horde its zombie hero (zombie.attack.5)."""
    task, attacked = state.task, state.players[state.task.attacks[0][1]]
    others = [other for other in state.players.values() if other is not attacked and (other.at or not other.is_zombie)]
    may = seat != attacked.seat or not others
    if may if task.token else seat == state.players[task.by].seat:
        yield RollBite()


def after_bite(state, seat, action, faces):
    """At the hero's defense or more they lose 1 health, unless a survivor can be their shield (zombie.attack.4).

    Nothing is told if no attack on a hero with health follows: what comes next may change the heroes, too.
    """
    task = state.task
    if len(task.attacks) == 1:
        return {}
    name = task.attacks[0][1]
    hero, cards = state.players[name], state.board.components.cards
    fits = sum(faces) >= state.board.components.heroes[name].defense
    infected = [card for card in hero.burdens if cards[card].kind == "infected"]
    shields = [*hero.survivors, *(infected if state.options["mode"] == "solo" else ())]
    hurt = fits and not shields
    if hero.health == hurt:
        return {}
    after = replace(hero, health=hero.health - hurt)
    return {"heroes": tuple(after if other is hero else other for other in state.heroes)}


# Zombies are placed


def place(state, seat):
    """Where the next zombie of a card may stand (card.zombie.3 to card.zombie.6, horde.4, survivor.3)."""
    table, task = Table(state), state.task
    if task.how == "spawn" and task.at in table.free and leaves_open(state, table, task.at):
        squares = {task.at}
    elif task.how == "horde":
        squares = {to for to in table.free if to[0] == task.at[0] and away(to, task.at) <= task.distance}
        squares = {to for to in squares if not task.in_sight or table.city.sees(task.at, to, state.tiles)}
    else:
        squares = table.touching(task.at)
    may_close = task.how == "turned" and state.options["infected-sides"] == "no"
    for square in squares & table.free if figures_left(state, task.level) else ():
        if may_close or leaves_open(state, table, square):
            yield PlaceZombie(square)


def leaves_open(state, table, square):
    """True if each hero of the level keeps a side open that had one (card.zombie.6, ruling.three-sides-whom)."""
    return all(open_sides(state, table, hero) != {square} for hero in heroes(state) if hero.at[0] == square[0])


def open_sides(state, table, hero):
    """The side neighbours that can be entered and are empty, or only without a zombie (ruling.three-sides)."""
    sides = table.beside(hero.at) if state.options["three-sides"] == "orthogonal" else around(hero.at)
    return sides & table.free if state.options["three-sides"] == "orthogonal" else sides - zombie_figures(state)


def around(square):
    return {moved(square, way) for way in SIDEWAYS}


def zombie_figures(state):
    return {*state.zombies, *(player.at for player in state.players.values() if player.is_zombie)}


# Zombie heroes


def lead(state, seat):
    """A zombie hero moves from the square of any zombie of their horde (zhero.move.2)."""
    player = state.players[state.task.by]
    if player.is_zombie and not state.task.led:
        yield from map(SwapPlaces, player.horde)


def after_lead(state, seat, action, faces):
    """The two change places (ruling.horde-origin)."""
    player, to = state.players[state.task.by], action.square
    left = {square: level for square, level in state.zombies.items() if square != to}
    return {"zombies": left | {player.at: state.zombies[to]}}


# Grenades


def grenade(state, seat):
    """A grenade is thrown as one action: a supply card, or the item of a survivor (grenade.1, ruling.item-survivor)."""
    player, cards = player_in(state, seat), state.board.components.cards
    if player.is_zombie or attacks_left(state) < 1 or owes_roll(state, player):
        return
    items = [card for card in player.survivors if cards[card].item == "grenade" and card not in player.spent]
    yield from map(Grenade, {*items, *(card for card in player.supplies if cards[card].kind == "grenade")})


def lob(state, seat):
    """To any square of the level within the die that is not solid (grenade.2, ruling.grenade-reach)."""
    here = state.players[state.task.by].at
    for square in Table(state).floor:
        if square[0] == here[0] and away(square, here) <= state.task.reach:
            yield LobTo(square)


def after_lob(state, seat, action, faces):
    """Zombies on the square and on adjacent ones die (grenade.3, grenade.4, ruling.grenade-walls)."""
    blast = {action.square, *Table(state).touching(action.square)}
    return {"zombies": {square: level for square, level in state.zombies.items() if square not in blast}}


# Trades


def tradable(state, player):
    """Supply cards and survivors, but none that must be rolled for (turn.free.4, ruling.trade-burdens)."""
    return Counter((*player.supplies, *player.survivors))


def may_trade(state, seat, action):
    """At the start of the turn, adjacent heroes exchange cards and tiles; one carries 3 tiles (turn.free.3, tile.4)."""
    player, partner = player_in(state, seat), state.players.get(action.hero)
    if state.phase != "start" or partner is None or partner is player or not partner.at:
        return False
    if player.is_zombie or partner.is_zombie or partner.at not in Table(state).touching(player.at):
        return False
    given, taken = Counter(action.give), Counter(action.take)
    if not given <= tradable(state, player) or not taken <= tradable(state, partner):
        return False
    in_order = action.give == tuple(sorted(action.give)) and action.take == tuple(sorted(action.take))
    if not in_order or min(action.tiles, action.wanted) < 0 or (action.tiles and action.wanted):
        return False
    more = action.wanted - action.tiles
    fits = 0 <= player.tiles + more <= 3 and 0 <= partner.tiles - more <= 3
    return fits and bool(action.give or action.take or action.tiles or action.wanted)


def try_trades(state, seat, random):
    """Some of the cards of both, sometimes with one that nobody may trade, and tiles either way."""
    player = player_in(state, seat)
    for partner, _ in product(state.players.values(), range(12)):
        hands = [
            [*one.supplies, *one.survivors, *(one.burdens if random.random() < 0.1 else ())]
            for one in (player, partner)
        ]
        give, take = (tuple(sorted(random.sample(hand, random.randint(0, min(3, len(hand)))))) for hand in hands)
        tiles, wanted = random.choice(((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1)))
        yield Trade(partner.hero, give, tiles, take, wanted)
