"""When a refusal of Zombies may cite a rule about figures, squares and cards, from the rule alone."""

from __future__ import annotations

from msgspec.structs import replace
from slow_deeds import away, heroes, tradable
from slow_table import Table, is_stealthed
from zombies_definitions import follow, go, mutate, place

from referee.games.zombies.acting import LobTo, RollForRescue
from referee.games.zombies.attacking import HitInCloseCombat, Shoot
from referee.games.zombies.biting import RaiseShield
from referee.games.zombies.free_actions import LayRope, LayTile, StartStealth
from referee.games.zombies.healing import HealWithCard
from referee.games.zombies.horde_turn import AttackWithHorde, ChangeFollowerSquare, LetZombieJoin, SwapPlaces
from referee.games.zombies.marching import SelectGroup, StepTo
from referee.games.zombies.moving import GoTo
from referee.games.zombies.mutating import MutateZombies
from referee.games.zombies.spawning import PlaceZombie
from referee.games.zombies.tokens import DrawForToken, LeaveToken, TakeStarCard
from referee.games.zombies.trading import Trade
from referee.testing import Claim


def player(state, seat):
    (one,) = [one for one in state.players.values() if one.seat == seat]
    return one


def unlisted(lists):
    """True if the slow definition does not list the action. It needs a task, and not a large horde."""
    return lambda state, seat, action: action not in set(lists(state, seat))


def is_no_goal(state, seat, action):
    """The figure cannot end its move there; large hordes are too slow to be looked at."""
    if len(player(state, seat).horde) > 4:
        return True
    return action not in set(go(state, seat))


def has_no_prey(state, seat, _):
    """Nobody of the horde stands next to a hero who can be hurt (zhero.attack.1)."""
    one, table = player(state, seat), Table(state)
    prey = [hero.at for hero in heroes(state) if hero.health and not is_spared(state, hero)]
    return not any(square in table.touching(at) for at in prey for square in (one.at, *one.horde))


def is_spared(state, hero):
    """Stealth protects from zombie heroes, if the players want it (ruling.stealth-zhero)."""
    return state.options["stealth-vs-zombie-hero"] == "protects" and is_stealthed(state, hero)


def is_off_helipad(state, seat, _):
    """The hero is not on the helipad, which lies on the roof or in the street (setup.16)."""
    sign = {"hospital-roof": "H", "street": "p"}[state.options["helipad"]]
    return Table(state).city.signs.get(player(state, seat).at, ("", ""))[1] != sign


def is_attacked(state, seat, _):
    """An attack on the hero is due (ruling.heal-window)."""
    hero = player(state, seat).hero
    tasks = [task for task in state.agenda if task.__struct_config__.tag in ("bite", "shield")]
    return any(hero in {name for _, name in getattr(task, "attacks", ())} or task.by == hero for task in tasks)


def is_no_partner(state, seat, action):
    """The other is no hero in play, or the same (ruling.trade-partners)."""
    other = state.players.get(action.hero)
    return other is None or other.seat == seat or other.is_zombie or not other.at


def is_apart(state, seat, action):
    return state.players[action.hero].at not in Table(state).touching(player(state, seat).at)


def lacks_cards(state, seat, action):
    """A card is not held by who gives it, or is never traded (turn.free.4, ruling.trade-burdens)."""
    mine, theirs = tradable(state, player(state, seat)), tradable(state, state.players[action.hero])
    return any(action.give.count(card) > mine[card] for card in action.give) or any(
        action.take.count(card) > theirs[card] for card in action.take
    )


def changes_nothing(_, __, action):
    return not (action.give or action.take or action.tiles or action.wanted)


def is_off_level(state, seat, action):
    return action.square[0] != player(state, seat).at[0]


def is_beyond(state, seat, action):
    """Farther than the task allows, or out of its sight (horde.4)."""
    task = state.task
    seen = not task.in_sight or Table(state).city.sees(task.at, action.square, state.tiles)
    return action.square[0] != task.at[0] or away(action.square, task.at) > task.distance or not seen


def stops_before(state, seat, action):
    """A token lies where the figure would pass (move.4, breakaway.5, zhero.token.1)."""
    kinds = "AV" if player(state, seat).is_zombie else "ASV*"
    return bool(Table(state).tokens(kinds)) and is_no_goal(state, seat, action)


def is_not_movable(state, seat, action):
    """No group with a zombie on this square is due (zombie.group.2)."""
    return state.task.movers or not any(action.square in group for group in state.task.groups)


def is_foiled(state, seat, _):
    """A noisy survivor or a mutation of the level makes stealth useless (stealth.5, mutation.7)."""
    one = player(state, seat)
    return not is_stealthed(state, replace(one, stealth=1))


PIECES = (
    # Moves
    *(
        Claim(rule, is_no_goal, (GoTo,), "too far|no way leads|has to stop", False)
        for rule in ("zhero.move.1", "breakaway.2", "move.1", "move.2")
    ),
    *(
        Claim(rule, stops_before, (GoTo,), "stop next to a token", False)
        for rule in ("move.4", "breakaway.5", "zhero.token.1")
    ),
    Claim("zhero.move.1", unlisted(follow), (ChangeFollowerSquare,), "too far from"),
    Claim(
        "zhero.horde.3",
        lambda state, _, action: action.origin not in {at for at, _ in state.task.origins},
        (ChangeFollowerSquare,),
        "^no zombie on",
    ),
    Claim(
        "zhero.move.2", lambda state, _, action: action.square not in state.players[state.task.by].horde, (SwapPlaces,)
    ),
    Claim("zombie.group.2", is_not_movable, (SelectGroup,), "^no zombie on"),
    Claim("zombie.group.2", lambda state, *_: not state.task.movers, (StepTo,), "^say first"),
    Claim("zombie.move.9", lambda state, _, action: action.to not in Table(state).free, (StepTo,)),
    Claim(
        "zhero.horde.6",
        lambda state, _, action: action.square not in state.task.zombies,
        (LetZombieJoin,),
        "",
        False,
    ),
    # Attacks
    Claim("zhero.attack.1", has_no_prey, (AttackWithHorde,)),
    Claim(
        "supply.ranged.4",
        lambda state, seat, action: (
            is_off_level(state, seat, action)
            or not Table(state).city.sees(player(state, seat).at, action.square, state.tiles)
        ),
        (Shoot,),
    ),
    Claim(
        "supply.ranged.5",
        lambda state, seat, action: (
            is_off_level(state, seat, action)
            or away(player(state, seat).at, action.square) > state.board.components.cards[action.weapon].range
        ),
        (Shoot,),
    ),
    Claim(
        "supply.close.2",
        lambda state, seat, action: action.square not in Table(state).touching(player(state, seat).at),
        (HitInCloseCombat,),
    ),
    Claim("supply.health.1", is_attacked, (HealWithCard,), "is being attacked"),
    Claim(
        "survivor.6",
        lambda state, seat, action: action.card not in {*player(state, seat).survivors},
        (RaiseShield,),
        "is not a survivor",
        False,
    ),
    Claim("grenade.2", is_off_level, (LobTo,), "is not on the level"),
    Claim(
        "grenade.2",
        lambda state, seat, action: away(player(state, seat).at, action.square) > state.task.reach,
        (LobTo,),
        "away|too far",
    ),
    Claim("rescue.1", is_off_helipad, (RollForRescue,)),
    # New zombies
    *(
        Claim(rule, unlisted(place), (PlaceZombie,))
        for rule in ("card.zombie.3", "card.zombie.4", "card.zombie.6", "horde.5", "survivor.3")
    ),
    Claim("horde.4", is_beyond, (PlaceZombie,)),
    *(
        Claim(rule, unlisted(mutate), (MutateZombies,))
        for rule in ("mutate.2", "mutate.3", "mutate.4", "mutate.5", "mutate.6")
    ),
    # Cards and trades
    Claim(
        "token.1", lambda state, _, action: action.square not in Table(state).tokens("ASV"), (DrawForToken,), "no token"
    ),
    Claim("bonus.2", lambda state, _, action: action.card not in state.stars[state.task.at].cards, (TakeStarCard,)),
    Claim("move.4", lambda state, seat, _: not state.task.free, (LeaveToken,)),
    Claim("stealth.5", is_foiled, (StartStealth,)),
    Claim(
        "survivor.11",
        lambda state, seat, action: action.card in player(state, seat).spent,
        (LayRope,),
        "already used up",
    ),
    Claim("tile.1", lambda state, _, action: action.square not in Table(state).free, (LayTile,), "is not free"),
    Claim("turn.free.4", is_no_partner, (Trade,), "is not another hero"),
    Claim("turn.free.4", lacks_cards, (Trade,), "can be traded"),
    Claim("turn.free.4", changes_nothing, (Trade,), "^nothing would"),
    *(Claim(rule, is_apart, (Trade,), "is not next to") for rule in ("turn.free.3", "mode.versus.2", "supply.3")),
)
