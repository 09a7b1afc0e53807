"""When a refusal of Zombies may cite a rule, from the rule alone.

`referee.testing` holds every refusal of random games to it: `python -m referee.testing.cite zombies FILE`.
"""

from __future__ import annotations

from zombies_definitions import Table
from zombies_piece_claims import PIECES

from referee.engine.registry import find_game
from referee.games.zombies.acting import EndActions, Grenade, RollForRescue, SmashTile
from referee.games.zombies.attacking import HitInCloseCombat, Shoot
from referee.games.zombies.biting import RaiseShield, RollBite, TakeDamage
from referee.games.zombies.burdens import TestCard
from referee.games.zombies.free_actions import Key, LayRope, LayTile, StartStealth, TakeThings
from referee.games.zombies.healing import HealWithCard
from referee.games.zombies.horde_turn import AttackWithHorde
from referee.games.zombies.marching import StepTo
from referee.games.zombies.moving import BreakAway, GoTo, Move
from referee.games.zombies.mutating import MutateZombies
from referee.games.zombies.setting_up import FillStartAreas, PickHero
from referee.games.zombies.spawning import PlaceRest, PlaceZombie
from referee.games.zombies.tokens import DrawForToken, TakeStarCard
from referee.testing import Claim, make_untimely_condition

UNTIMELY = make_untimely_condition(find_game("zombies"))
FREE = (Key, LayRope, LayTile, TakeThings)


def untimely(*rules, kinds=(), told=""):
    return tuple(Claim(rule, UNTIMELY, kinds, told) for rule in rules)


def player(state, seat):
    (one,) = [one for one in state.players.values() if one.seat == seat]
    return one


def foes(state):
    """Squares of zombies and zombie heroes."""
    return {*state.zombies, *(one.at for one in state.players.values() if one.is_zombie and one.at)}


def is_beset(state, seat):
    """A zombie stands next to the hero (attack.1)."""
    return bool(Table(state).touching(player(state, seat).at) & foes(state))


def has_burden(state, seat):
    """The hero holds a card for which nobody has rolled in this turn (turn.free.7)."""
    return state.phase == "start" and bool(set(player(state, seat).burdens) - set(state.tested))


def is_near(state, seat, square):
    at = player(state, seat).at
    return square == at or square in Table(state).touching(at)


def not_near(state, seat, action):
    return not is_near(state, seat, getattr(action, "square", None) or action.symbol)


def holds_no(state, seat, card):
    """The card is neither a supply card nor a survivor of the hero. A zombie hero uses none (zhero.3)."""
    one = player(state, seat)
    return one.is_zombie or card not in {*one.supplies, *one.survivors}


def full(state, seat):
    one = player(state, seat)
    return one.health >= state.board.components.heroes[one.hero].health


def spent(state):
    """Attacks and works that were done in this turn."""
    return state.acts.attacks + state.acts.works


def slots(state):
    """ATTACKs of the sequence: two, one after a MOVE, none after a BREAK AWAY (turn.action.2 to turn.action.4)."""
    return {"no": 2, "move": 1, "break": 0}[state.acts.moved]


def nothing_left(state, *_):
    """All attacks are made, with those that cards have added (move.5)."""
    return state.phase != "horde" and spent(state) >= slots(state) + state.acts.extra


def no_work_left(state, *_):
    """Added attacks cannot be used to smash or to call for rescue (ruling.rescue-action)."""
    return state.phase != "horde" and (state.acts.works >= slots(state) or nothing_left(state))


def is_detected(state, seat):
    """The hero has no stealth, or something undoes it (stealth.5)."""
    one = player(state, seat)
    cards = state.components.cards
    keen = any(cards[card].mutation == "no-stealth" for card, at in state.mutations.items() if at == one.at[0])
    return not one.stealth or keen or any(cards[card].kind == "noisy" for card in one.survivors)


def not_for(*uses):
    """The card is not held, or it is for something else."""

    def holds_none(state, seat, action):
        name = getattr(action, "card", None) or action.weapon
        useful = any(name in state.components.cards_by_use.get(use, ()) for use in uses)
        return not useful or holds_no(state, seat, name)

    return holds_none


CITES = (
    # Not now, and not theirs
    *untimely(
        "turn.1",
        "setup.15",
        "zhero.horde.3",
        "zhero.6",
        "zombie.attack.1",
        "zombie.move.5",
        "setup.12",
        "zhero.1",
        "horde.3",
        "bonus.2",
        "bonus.1",
        "horde.1",
        "survivor.6",
        "zhero.horde.6",
        "token.2",
        "grenade.2",
        told="first$|^it is|^this part|^this is|^not yet|moves, attacks",
    ),
    *untimely("setup.12", "zhero.1", "setup.13", "setup.15", told="^too late"),
    *untimely("card.zombie.2", told="first$"),
    *untimely("zhero.6", told="does not break away$|attacks with: attack$"),
    *untimely("supply.3", "turn.free.1", "turn.free.9", "rope.2", told="^free actions come before"),
    *untimely("move.1", told="has to go up to"),
    *untimely("setup.6", kinds=(FillStartAreas,), told="too late"),
    *untimely("setup.13", kinds=(PickHero,), told="^not yet"),
    *untimely("card.zombie.2", kinds=(PlaceZombie, PlaceRest)),
    *untimely("survivor.2", "survivor.9", "supply.3", told="first$|^a shield|not a shield"),
    *untimely("mutate.1", kinds=(MutateZombies,)),
    *untimely("survivor.8", kinds=(RaiseShield, TakeDamage)),
    *untimely("zombie.move.7", kinds=(RollBite,)),
    Claim(
        "zombie.attack.5",
        lambda state, seat, _: (
            state.task is not None and getattr(state.task, "hero", player(state, seat).hero) == player(state, seat).hero
        ),
        (RollBite,),
        "is attacked;",
        forbids=False,
    ),
    Claim(
        "zhero.attack.1",
        lambda state, seat, _: not state.task.token and state.players[state.task.by].seat != seat,
        (RollBite,),
    ),
    *untimely("bonus.3", kinds=(TakeStarCard,)),
    Claim("turn.free.1", lambda state, *_: state.phase == "action", (*FREE, StartStealth)),
    *(
        Claim(rule, lambda state, *_: state.phase == "action", (kind,), "^free actions come before")
        for rule, kind in (("key.1", Key), ("tile.1", LayTile), ("stealth.2", StartStealth), ("rope.1", LayRope))
    ),
    Claim(
        "zhero.3",
        lambda state, seat, _: player(state, seat).is_zombie or not player(state, seat).at,
        (HealWithCard, *FREE),
        "and cannot use cards",
    ),
    *untimely("zhero.3", told="has no free actions"),
    Claim("zhero.5", UNTIMELY, (AttackWithHorde, MutateZombies)),
    # One turn
    Claim("turn.action.1", lambda state, *_: state.acts.moved != "no", (Move, BreakAway), "has moved already"),
    Claim("turn.action.1", nothing_left, (HitInCloseCombat, Shoot, Grenade), "left"),
    Claim("turn.action.1", no_work_left, (SmashTile, RollForRescue), "left"),
    *untimely("turn.action.1", "turn.action.5", "attack.2", kinds=(GoTo,)),
    Claim("turn.action.5", lambda state, *_: state.acts.attacks + state.acts.works > 0, (Move,)),
    Claim("turn.action.4", lambda state, *_: state.acts.moved == "break", (HitInCloseCombat, Shoot, Grenade)),
    Claim("breakaway.3", lambda state, *_: state.acts.attacks + state.acts.works > 0, (BreakAway,)),
    Claim("breakaway.4", lambda state, *_: state.acts.moved == "break", (BreakAway,)),
    Claim(
        "breakaway.1", lambda state, seat, _: not is_beset(state, seat) or player(state, seat).stealth > 0, (BreakAway,)
    ),
    Claim(
        "attack.2",
        lambda state, seat, _: not player(state, seat).is_zombie and is_beset(state, seat) and is_detected(state, seat),
        (Move,),
        "next to a zombie",
    ),
    Claim(
        "turn.free.7",
        lambda state, seat, _: has_burden(state, seat),
        (Move, BreakAway, HitInCloseCombat, Shoot, Grenade, SmashTile, RollForRescue),
    ),
    Claim("turn.free.7", lambda state, *_: has_burden(state, state.mover), (GoTo, EndActions)),
    Claim(
        "turn.free.7",
        lambda state, seat, action: action.card not in player(state, seat).burdens,
        (TestCard,),
        "does not hold",
    ),
    *untimely("breakaway.2", kinds=(GoTo,), told="^roll to break"),
    *untimely("zhero.move.1", "move.1", kinds=(GoTo,), told="^roll for your move"),
    # Things and symbols
    Claim("key.5", not_for("key"), (Key,), "holds no"),
    Claim("rope.6", not_for("rope"), (LayRope,), "holds no"),
    Claim("supply.2", not_for("health"), (HealWithCard,), "holds no"),
    Claim("supply.2", not_for("stealth"), (StartStealth,), "holds no"),
    Claim("grenade.6", not_for("grenade"), (Grenade,), "holds no"),
    Claim("supply.health.1", lambda state, seat, _: full(state, seat), (HealWithCard,), "full health"),
    Claim("supply.health.4", lambda state, seat, _: not player(state, seat).health, (HealWithCard,)),
    Claim(
        "key.2", lambda state, _, action: action.symbol not in state.board.key_symbols.values(), (Key,), "^there is no"
    ),
    Claim("key.2", not_near, (Key,), "is not next to"),
    Claim(
        "rope.2",
        lambda state, _, action: action.symbol not in {one for one, _ in Table(state).city.ropes},
        (LayRope,),
        "^there is no",
    ),
    Claim("rope.2", not_near, (LayRope,), "is not next to"),
    Claim(
        "turn.free.9",
        lambda state, _, action: (
            action.square not in state.loose and all(heap.at != action.square for heap in state.loot)
        ),
        (TakeThings,),
        "^nothing lies",
    ),
    Claim("turn.free.9", not_near, (TakeThings,), "is not next to"),
    Claim("tile.4", lambda state, seat, _: not player(state, seat).tiles, (LayTile,), "carries no"),
    Claim("tile.2", not_near, (LayTile,), "is not next to"),
    Claim("turn.free.8", not_near, (LayTile,), "is not next to"),
    Claim("tile.5", lambda state, _, action: action.square not in state.tiles, (SmashTile,), "^no blocking"),
    Claim("zhero.break.1", lambda state, _, action: action.square not in state.tiles, (SmashTile,), "^no blocking"),
    Claim("tile.5", not_near, (SmashTile,), "is not next to"),
    Claim("stealth.3", lambda state, seat, _: is_beset(state, seat), (StartStealth,)),
    Claim(
        "rescue.5",
        lambda state, *_: any(
            Table(state).touching(one.at) & foes(state)
            for one in state.players.values()
            if not one.is_zombie and one.at
        ),
        (RollForRescue,),
    ),
    Claim("token.4", lambda state, _, action: action.square in state.used, (DrawForToken,)),
    Claim("token.1", UNTIMELY, (DrawForToken,), "when a token is reached$"),
    Claim("bonus.4", UNTIMELY, (DrawForToken,), "when a token is reached$"),
    # Attacks and squares
    Claim(
        "attack.12",
        lambda state, seat, action: action.square not in Table(state).touching(player(state, seat).at),
        (HitInCloseCombat,),
        "is not next to",
    ),
    Claim(
        "attack.7",
        lambda state, _, action: (
            action.square not in {*foes(state)}
            and state.options["players"] != "versus"
            and action.square not in Table(state).figures
        ),
        (HitInCloseCombat, Shoot),
        "^nobody stands",
    ),
    Claim(
        "attack.3",
        lambda state, seat, action: action.weapon != "fists" and not_for("close")(state, seat, action),
        (HitInCloseCombat,),
        "has no close",
    ),
    Claim("attack.3", not_for("ranged"), (Shoot,), "has no ranged"),
    *untimely("attack.3", kinds=(AttackWithHorde,)),
    Claim("move.7", lambda state, _, action: action.square not in Table(state).free, (GoTo,), forbids=False),
    Claim("move.7", lambda state, _, action: action.square not in Table(state).free, (PlaceZombie,)),
    Claim("move.12", lambda state, _, action: action.square not in Table(state).floor, (GoTo,), "is solid"),
    Claim(
        "zombie.move.3",
        lambda state, _, action: action.to not in Table(state).touching(state.task.movers[0]),
        (StepTo,),
    ),
    *PIECES,
)
