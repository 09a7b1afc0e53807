"""When a refusal of Attack of the Mutants may cite a rule, from the rule alone.

`referee.testing` holds every refusal of random games to it: `python -m referee.testing.cite mutants FILE`.
"""

from __future__ import annotations

from mutants_definitions import door_between, doors, is_mutant, is_room, kind, lie_open
from mutants_piece_claims import PIECES

from referee.engine.registry import find_game
from referee.games.mutants.agreed_end import Stop
from referee.games.mutants.answers import AnswerQuestion, HideUnits, RemoveUnits
from referee.games.mutants.bugging_out import DeclinePursuit, Pursue, Retreat
from referee.games.mutants.combat import Fight
from referee.games.mutants.doors import OpenDoor, SmashDoor
from referee.games.mutants.engaging import LayOutUnits, PairOffUnits
from referee.games.mutants.moving import MoveUnits
from referee.games.mutants.resolving import ResolvePair
from referee.games.mutants.sequence import Arrive, CheckRadioactiveMutants, EndStep, RecordTurn
from referee.games.mutants.set_up_completion import PutRestAtRandom, PutRestByPlan, Ready
from referee.games.mutants.setting_up import LiftPieces, Put
from referee.games.mutants.sides import ChooseSide, RollSides
from referee.games.mutants.walls import PlaceWall
from referee.testing import Claim, make_untimely_condition

GAME = find_game("mutants")
UNTIMELY = make_untimely_condition(GAME)
SETTING_UP = ("sides", "choose", "setup-human", "setup-mutant")
COMBATS = ("mutant-combat", "human-combat")


def named(action):
    """All units that an action names."""
    return action.units


def stands(state, units):
    return all(unit in state.at for unit in units)


def others(state, seat, units):
    """True if a unit belongs to the other player. A captive goes with the Mutants (OPT.VI.C-b)."""
    own = [is_mutant(state, unit) or (unit == "penny" and state.captive) for unit in units]
    return any(mine != (seat == "mutant") for mine in own)


def contested(state):
    """Rooms with units of both sides."""
    sides = {"human": set(), "mutant": set()}
    for unit, place in state.at.items():
        captive = unit == "penny" and state.captive
        if not captive and is_room(place):
            sides["mutant" if is_mutant(state, unit) else "human"].add(place)
    return sides["human"] & sides["mutant"]


def is_hidden(state):
    return state.options["hidden-movement"] == "yes"


def far(state, seat, action):
    """No door and no open side joins the two places of a move (IV.A.2)."""
    starts = {state.at[unit] for unit in action.units}
    return any(not (door_between(state, at, action.to) or lie_open(state, at, action.to)) for at in starts)


def near(state, place):
    """The places that a door joins with this one."""
    return {to for door in doors(state) if place in ends(door) for to in ends(door) - {place}}


def ends(door):
    """The two places that a door joins."""
    return set(door.split("-"))


def has_empty_square(state):
    return any(square not in state.at.values() for square in state.board.squares)


def untimely(*rules, kinds=(), told=""):
    return tuple(Claim(rule, UNTIMELY, kinds, told) for rule in rules)


CITES = (
    # Not now, and not theirs
    *untimely("III-b", "III-a", told="^this is|^the game has not started"),
    Claim("III-b", lambda state, seat, _: GAME.to_act(state) != seat, (Stop,), forbids=False),
    *untimely(
        "II.B.1",
        "II.B.2-a",
        "II.A-a",
        "VIII-a",
        "OPT.V.C-a",
        "OPT.V.C-b",
        "OPT.V.C-d",
        "OPT.V.D-c",
        "OPT.IV.A.6",
        "OPT.VI.B-a",
        "OPT.VI.A-c",
        told="first$|^this is|not settled yet$",
    ),
    *untimely(
        "II.B.2-a", kinds=(Put, LiftPieces, PutRestByPlan, PutRestAtRandom, Ready), told="^the set-up is complete"
    ),
    *untimely("II.A-a", told="^the game has not started"),
    *untimely("II.A-c", kinds=(ChooseSide,), told="^the player with the higher roll"),
    *untimely("VI-a", "VI-b", kinds=(CheckRadioactiveMutants,)),
    *untimely("OPT.VI.B-a", "OPT.VI.A-c", kinds=(Arrive,), told="rolls for arrivals$"),
    *untimely("OPT.VI.A-d", kinds=(SmashDoor, OpenDoor, MoveUnits)),
    *untimely("OPT.IV.A.1-a", kinds=(Pursue, DeclinePursuit), told="may follow"),
    *untimely("IV-b", "IV.A.7-a", "IV.B.3.a-b", kinds=(MoveUnits,)),
    *untimely("III-c", kinds=(MoveUnits, OpenDoor)),
    *untimely("III.A.2", kinds=(OpenDoor,)),
    *untimely("IV.B.2-c", kinds=(SmashDoor,)),
    *untimely("III.F-a", kinds=(SmashDoor, EndStep)),
    *untimely("VI-a", kinds=(EndStep,)),
    *untimely("VII.A-b", kinds=(RecordTurn,)),
    *untimely("V-a", kinds=(Fight,)),
    *untimely("V.C-a", kinds=(ResolvePair,)),
    *untimely("V.B-a", kinds=(Fight, LayOutUnits, PairOffUnits, ResolvePair, Retreat, Pursue, DeclinePursuit)),
    Claim(
        "II.A-c", lambda state, *_: state.phase not in ("sides", "choose"), (RollSides, ChooseSide), "already settled"
    ),
    Claim("INTRO.IV.A.2", lambda state, *_: state.phase != "setup-human", (PlaceWall,), "during the Human set-up"),
    Claim("IV.A.6", lambda state, *_: state.phase != "setup-human", (PlaceWall,), "stay where they are$"),
    Claim(
        "OPT.VI.A-b",
        lambda state, seat, _: state.options["scenario"] != "basic" and seat == "mutant",
        (PlaceWall, Put, LiftPieces, PutRestByPlan, PutRestAtRandom, Ready),
        "^you set up nothing",
    ),
    Claim("OPT.V.A", lambda state, seat, _: state.asked is None or state.asked.of != seat, (AnswerQuestion,)),
    Claim("M25", lambda state, seat, _: state.stop == seat, (Stop,)),
    # Hidden Movement
    Claim("INTRO.IV.E", lambda state, *_: not is_hidden(state), (HideUnits,)),
    Claim("OPT.V.C-e", lambda state, *_: state.phase in SETTING_UP, (HideUnits,), "^the game has not started"),
    Claim("OPT.V.C-e", lambda state, seat, _: seat != "human", (HideUnits,), "^only the Human"),
    # Units and places
    Claim(
        "INTRO.III-a",
        lambda state, seat, action: others(state, seat, named(action)),
        (MoveUnits, SmashDoor, OpenDoor, HideUnits, LayOutUnits, PairOffUnits, Retreat, Pursue),
        "belong",
    ),
    Claim("INTRO.III-a", lambda state, seat, _: seat != "mutant", (SmashDoor, OpenDoor)),
    Claim("IV.A.5-b", lambda *_: True, (RemoveUnits,)),
    Claim(
        "IV.A.5-b",
        lambda state, _, action: not stands(state, named(action)),
        (MoveUnits, SmashDoor, OpenDoor, HideUnits, LayOutUnits, PairOffUnits, Retreat, Pursue),
        "is not on the board$",
    ),
    # Moves
    Claim("IV.A.2-a", far, (MoveUnits,), "is more than one room"),
    Claim(
        "IV.A.2-b", lambda state, _, action: action.to in map(state.at.get, action.units), (MoveUnits,), "is already in"
    ),
    Claim("IV.A.4-a", lambda state, _, action: any(unit in state.moved for unit in action.units), (MoveUnits,)),
    # Doors
    Claim(
        "IV.B.2-a",
        lambda state, _, action: any(state.at.get(unit) not in ends(action.door) for unit in action.units),
        (SmashDoor,),
        "does not have the door",
    ),
    Claim(
        "IV.B.3-a",
        lambda state, _, action: any(state.at.get(unit) not in ends(action.door) for unit in action.units),
        (OpenDoor,),
        "does not have the door",
    ),
    Claim("IV.B.2.e-a", lambda state, _, action: any(unit in state.used for unit in action.units), (SmashDoor,)),
    Claim("IV.B.2.e-b", lambda state, _, action: action.door in state.attempted, (SmashDoor,)),
    Claim("IV.B.2.d", lambda state, _, action: any(unit in state.failed for unit in action.units), (SmashDoor,)),
    Claim("IV.B.2.f-b", lambda state, _, action: action.door in state.smashed, (SmashDoor, OpenDoor)),
    Claim(
        "IV.B.2.a-b", lambda state, _, action: any(kind(state, unit) == "leader" for unit in action.units), (SmashDoor,)
    ),
    Claim(
        "M33",
        lambda state, _, action: (
            state.options["smash-sides"] == "one-side" and len({state.at.get(unit) for unit in action.units}) > 1
        ),
        (SmashDoor,),
    ),
    Claim("IV.A-c", lambda state, _, action: any(unit in state.moved for unit in action.units), (MoveUnits,)),
    Claim("IV.A.4-b", far, (MoveUnits,)),
    Claim(
        "M2",
        lambda state, _, action: (
            state.options["corner-squares"] == "no"
            and any(
                ends(corner) == {state.at[unit], action.to}
                for unit in action.units
                for corner in state.board.file.corner_links
            )
        ),
        (MoveUnits,),
    ),
    Claim(
        "II.B.1.a-c",
        lambda state, _, action: any(place.startswith("x") for place in ends(action.door)),
        (PlaceWall,),
        forbids=False,
    ),
    # Combats
    Claim("V.A-b", lambda state, *_: bool(contested(state)) and state.phase in COMBATS, (EndStep,)),
    Claim("III.B", lambda state, *_: state.phase == "mutant-combat", (EndStep,)),
    Claim("III.D", lambda state, *_: state.phase == "human-combat", (EndStep,)),
    Claim("V.A-a", lambda state, _, action: action.room not in contested(state), (Fight,)),
    Claim("V.A-c", lambda state, *_: state.options["bugging-out"] == "no", (Retreat,)),
    Claim("V.B-b", lambda state, *_: state.combat is not None, (Fight,)),
    Claim(
        "V.B.1-a",
        lambda state, _, action: any(state.at.get(unit) != state.combat.room for unit in action.units),
        (LayOutUnits, PairOffUnits, Retreat),
        "is not in",
    ),
    Claim(
        "OPT.IV.A-a",
        lambda state, _, action: action.to not in near(state, state.combat.room),
        (Retreat,),
        "is not next to",
    ),
    Claim(
        "OPT.IV.A.1-a",
        lambda state, *_: state.combat is not None and state.combat.stage == "pursue",
        (EndStep, LayOutUnits, PairOffUnits),
    ),
    Claim(
        "OPT.IV.A.1-a",
        lambda state, *_: state.combat is None or state.combat.stage != "pursue",
        (Pursue, DeclinePursuit),
        "nobody has retreated",
    ),
    Claim(
        "OPT.IV.A.2", lambda state, *_: state.combat is None or state.combat.stage != "pursue", (Pursue, DeclinePursuit)
    ),
    Claim(
        "V.B.3-d", lambda state, *_: state.combat is None or state.combat.stage != "pair", (PairOffUnits,), "waits for"
    ),
    Claim("V.B.3-d", UNTIMELY, (PairOffUnits,), "pairs off"),
    Claim(
        "V.B.3-c", lambda state, *_: state.combat is None or state.combat.stage != "lay", (LayOutUnits,), "waits for"
    ),
    Claim("V.B.3-b", UNTIMELY, (LayOutUnits,), "lays out first"),
    Claim("V.B.3-a", UNTIMELY, (LayOutUnits,), "lays out first"),
    # Setting up
    Claim(
        "II.B.2.b-a", lambda state, *_: state.phase == "setup-mutant" and has_empty_square(state), (Ready,), "^nobody"
    ),
    Claim(
        "M6",
        lambda state, *_: (
            state.options["wall-count"] == "exactly" and state.phase == "setup-human" and len(state.walls) < 12
        ),
        (Ready,),
    ),
    Claim("II.B.1.a-a", lambda state, *_: len(state.walls) >= 12, (PlaceWall,)),
    *PIECES,
)
