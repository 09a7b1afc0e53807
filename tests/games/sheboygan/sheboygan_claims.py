"""When a refusal of Sheboygan may cite a rule, from the rule alone.

`referee.testing` holds every refusal of random games to it: `python -m referee.testing.cite sheboygan FILE`.
"""

from __future__ import annotations

from sheboygan_definitions import Map
from sheboygan_piece_claims import PIECES

from referee.engine.registry import find_game
from referee.games.sheboygan.fire import Douse, Ignite
from referee.games.sheboygan.flying import LandMonster, TakeOff
from referee.games.sheboygan.monster_attacks import StrikeWithMonster
from referee.games.sheboygan.monster_movement import EnterMap, Jump, Overrun
from referee.games.sheboygan.monster_record import StrikeOffDamage
from referee.games.sheboygan.purchase_and_placement import BuyUnits, PlaceUnits
from referee.games.sheboygan.sequence import EndPhase, StayAloft, WebBoxes
from referee.games.sheboygan.special_abilities import ControlUnit, FillUnitsWithFear, FlashBlindingLight
from referee.games.sheboygan.towing_carrying_fording import Carry, Ford, Tow
from referee.games.sheboygan.unit_attacks import AttackWithUnits, StartSuicideAssault
from referee.games.sheboygan.unit_movement import Move, Recall
from referee.games.sheboygan.wind import RollForWind
from referee.games.sheboygan.wrecking import Wreck
from referee.testing import Claim, make_untimely_condition

UNTIMELY = make_untimely_condition(find_game("sheboygan"))
MONSTER = "m"


def lacks(ability):
    """The monster has not this ability. Its own player knows; others learn it when it is used (12.0g)."""
    return lambda state, *_: ability not in state.known and ability not in state.sheet.value.abilities


def with_ability(rule, ability, *kinds):
    return Claim(rule, lacks(ability), kinds, "cannot|does not")


def untimely(*rules, kinds=(), told=""):
    return tuple(Claim(rule, UNTIMELY, kinds, told) for rule in rules)


def is_of_monster(state, unit):
    """The monster moves itself and the unit under its control, all others are the human player's (13.27c)."""
    return unit in (MONSTER, state.control)


def moves_in_other_phase(state, seat, action):
    return any(
        is_of_monster(state, unit) != (state.phase == "monster-move")
        for unit in (*units_of(action), *getattr(action, "populace", ()))
    )


def units_of(action):
    return tuple(getattr(action, name) for name in ("unit", "tank", "gun", "police") if hasattr(action, name))


def all_of(action):
    """The units of an action, with those that a police unit takes along."""
    return (*units_of(action), *getattr(action, "populace", ()))


def is_away(state, seat, action):
    """A unit that is named is not on the map."""
    return any(
        unit not in state.at and (unit != MONSTER or state.monster is None)
        for unit in (*units_of(action), *getattr(action, "populace", ()))
    )


def is_apart(state, seat, action):
    """The box is not beside the piece's own."""
    at = state.monster if action.unit == MONSTER else state.at[action.unit]
    return action.box not in Map(state).beside(at)


def standing(state, box):
    """Buildings and bridges that are not wrecked: only they can be destroyed (5.4)."""
    return Map(state).terrain(box) in ("low", "high", "bridge") and box not in state.ruins


CITES = (
    # Not now, and not theirs
    *untimely(
        "4.0b",
        "13.0a",
        "3.1b",
        "6.0e",
        "3.2a",
        "4.0e",
        "3.2f",
        told="^this is|^the first turn has not begun|first$",
    ),
    *untimely("6.0e", told="must first be|has to .* first|have to .* first"),
    *untimely("C81", told="give up"),
    *untimely("13.23a", "4.0h", told="^this is"),
    *untimely("11.12d", "C81", "C32", "4.0g", "11.31a", told="^this is|first$"),
    Claim("4.0b", moves_in_other_phase, (Move, Tow, Carry, Ford), "^the monster moves in|in their phase"),
    Claim("4.0b", lambda state, _, action: MONSTER in units_of(action), (Tow, Carry, Ford), "is the monster"),
    *untimely("11.21a", kinds=(RollForWind,)),
    *untimely("12.0b", kinds=(StrikeOffDamage,), told="^this is"),
    Claim("12.0a", UNTIMELY, told="writing of the record"),
    # The monster
    with_ability("11.0a", "fire-breathing", Ignite),
    with_ability("13.24a", "blinding-light", FlashBlindingLight),
    with_ability("13.27a", "mind-control", ControlUnit),
    with_ability("13.23a", "fear-immobilization", FillUnitsWithFear),
    with_ability("13.25a", "jumping", Jump),
    with_ability("13.28a", "flying", TakeOff),
    Claim(
        "13.25a",
        lambda state, _, action: action.box not in Map(state).within(state.monster, 2),
        (Jump,),
        "is not within",
    ),
    Claim("3.2g", lambda state, *_: state.monster is None, (Jump, StayAloft)),
    Claim("3.2g", lambda state, _, action: state.monster is None and action.unit == MONSTER, (Move,)),
    Claim("3.2g", lambda state, *_: state.monster is None and state.phase == "monster-move", (EndPhase,)),
    Claim("3.2g", lambda state, *_: state.monster is not None, (EnterMap,), "on the map already"),
    Claim("C37", lambda state, *_: state.monster is None, (Wreck, Ignite)),
    Claim("5.23c", lambda state, *_: not state.aloft or state.monster is None, (LandMonster, StayAloft)),
    Claim("13.22a", lambda state, *_: state.walked > 0 or state.monster is None, (WebBoxes,), "stays in its box"),
    # Destruction
    Claim(
        "7.0a",
        lambda state, _, action: action.box not in {state.monster, *Map(state).beside(state.monster)},
        (Wreck,),
        "is not adjacent",
    ),
    Claim("7.0a", lambda state, *_: state.attempts >= 3, (Wreck,), "attempts have been made"),
    *(
        Claim(rule, lambda state, _, action: not standing(state, action.box), (Wreck,))
        for rule in ("5.4a", "5.4b", "5.4f", "5.4g", "5.4h", "7.12a")
    ),
    Claim("13.28f", lambda state, *_: state.aloft, (Wreck,)),
    Claim(
        "5.31a",
        lambda state, _, action: not any(at == action.box for unit, at in state.at.items() if unit != state.control),
        (Overrun,),
        unless=(),
    ),
    Claim(
        "5.31a",
        lambda state, _, action: state.monster is not None and action.box not in Map(state).beside(state.monster),
        (Overrun,),
    ),
    # Moves of units
    Claim("2.0b", is_away, (Move, Tow, Carry, Ford), "is not on the map"),
    Claim("13.27c", moves_in_other_phase, (Move, Tow, Carry, Ford), "in their phase"),
    Claim("13.23b", lambda state, _, action: any(unit in state.feared for unit in all_of(action)), (Move, Ford, Carry)),
    Claim("13.22c", lambda state, _, action: any(unit in state.caught for unit in all_of(action)), (Move, Ford, Carry)),
    Claim("13.22b", lambda state, _, action: action.box in state.webs and action.unit != MONSTER, (Move,)),
    Claim("5.0d", is_apart, (Move,), forbids=False),
    Claim("5.0b", is_apart, (Move,), "is not adjacent", forbids=False),
    Claim("9.1a", lambda state, _, action: action.unit[0] != "i", (Ford,), "only infantry"),
    Claim("9.1a", lambda state, _, action: action.unit in state.moved, (Ford,), "has spent"),
    Claim(
        "5.0j",
        lambda state, _, action: (
            (action.tank[0], action.gun[0]) != ("t", "g") or state.at.get(action.tank) != state.at.get(action.gun)
        ),
        (Tow,),
        "cannot tow",
    ),
    Claim("10.0b", lambda state, _, action: action.police[0] != "p", (Carry,), "is not a police"),
    Claim(
        "5.22a",
        lambda state, _, action: (
            action.unit not in state.moved or sum(at == state.at.get(action.unit) for at in state.at.values()) < 3
        ),
        (Recall,),
    ),
    # Attacks
    Claim(
        "6.21a",
        lambda state, _, action: any(
            state.at.get(unit) not in {state.monster, *Map(state).beside(state.monster)} for unit in action.units
        ),
        (StrikeWithMonster,),
        "is not adjacent",
    ),
    Claim(
        "6.23c", lambda state, _, action: len({state.at.get(unit) for unit in action.units}) > 1, (StrikeWithMonster,)
    ),
    Claim("C43", lambda state, _, action: len({state.at.get(unit) for unit in action.units}) > 1, (StrikeWithMonster,)),
    Claim(
        "C60",
        lambda state, _, action: state.phase == "monster-combat" and len(action.units) != 1,
        (AttackWithUnits,),
        "alone",
    ),
    Claim("9.0b", lambda state, _, action: action.unit[0] != "i", (StartSuicideAssault,), "is not infantry"),
    Claim("13.24b", lambda state, *_: state.flashed, (StartSuicideAssault,)),
    # Buying and placing
    Claim(
        "3.1a",
        lambda state, _, action: any(
            kind.cost * action.count > state.budget
            for kind in state.board.tables.units.values()
            if kind.type == action.counter
        ),
        (BuyUnits,),
    ),
    Claim(
        "3.1d",
        lambda state, _, action: any(
            kind.cost * action.count > state.budget
            for kind in state.board.tables.units.values()
            if kind.type == action.counter
        ),
        (BuyUnits,),
    ),
    Claim("3.2b", lambda state, _, action: any(unit not in state.hand for unit in action.units), (PlaceUnits,)),
    Claim("3.2b", lambda state, *_: state.phase == "place" and any(unit[0] != "c" for unit in state.hand), (EndPhase,)),
    Claim("13.27d", lambda state, _, action: action.unit == state.control, (Douse,)),
    Claim(
        "4.0h",
        lambda state, _, action: action.unit not in state.at or action.unit[0] not in "fb",
        (Douse,),
        "is not a firemen",
        unless=("13.27d",),
    ),
    *PIECES,
)
