"""When a refusal of Attack of the Mutants may cite a rule about units, doors and places, from the rule alone."""

from __future__ import annotations

from mutants_definitions import door_between, is_captive, is_human, is_mutant, is_room, kind, pairs_due, there

from referee.games.mutants.answers import AnswerQuestion, HideUnits
from referee.games.mutants.bugging_out import Pursue, Retreat
from referee.games.mutants.combat import Fight
from referee.games.mutants.doors import OpenDoor, SmashDoor
from referee.games.mutants.engaging import LayOutUnits, PairOffUnits
from referee.games.mutants.moving import MoveUnits
from referee.games.mutants.set_up_completion import PutRestAtRandom, PutRestByPlan, Ready
from referee.games.mutants.setting_up import LiftPieces, Put
from referee.games.mutants.walls import PlaceWall
from referee.testing import Claim


def any_unit(test):
    """True if a unit that is named fits: `test` takes the state and the unit."""
    return lambda state, _, action: any(test(state, unit) for unit in action.units)


def is_gone(state, unit):
    """A unit that has not arrived, or has been eliminated, is nowhere (OPT.VI.B-a)."""
    return unit not in state.at


def left_to_place(state, seat):
    """The units of a player that are not set up (M27)."""
    sides = {"human": ("tech", "guard", "janibot"), "mutant": ("leader", "radioactive", "normal")}
    return [unit for unit in state.board.units if kind(state, unit) in sides[seat] and unit not in state.at]


def has_no_smasher(state, square):
    """No Radioactive or Normal Mutant stands in a square (II.B.2.b-a)."""
    return not any(at == square and kind(state, unit) in ("radioactive", "normal") for unit, at in state.at.items())


def is_led_alone(state, square):
    """A Leader stands in a square without the Mutant that each square needs (II.B.2.b-b)."""
    led = any(at == square and kind(state, unit) == "leader" for unit, at in state.at.items())
    return led and has_no_smasher(state, square)


def needs_more_smashers(state, *_):
    """Fewer Mutants are left than squares are empty (II.B.2.b-a)."""
    left = [unit for unit in left_to_place(state, "mutant") if kind(state, unit) != "leader"]
    return len(left) < sum(has_no_smasher(state, square) for square in state.board.squares)


def touches_at_corner(state, seat, action):
    """The two places share a corner and no side (IV.A.2-d)."""
    for place in {state.at[unit] for unit in action.units}:
        (x, y), (x2, y2) = ((ord(room[0]), int(room[1:])) for room in (place, action.to))
        if abs(x - x2) == abs(y - y2) == 1:
            return True
    return False


def is_closed(state, seat, action):
    """A door to the goal is neither smashed nor held open (IV.B.1, IV.B.3-a)."""
    found = [door_between(state, state.at[unit], action.to) for unit in action.units]
    return any(door and door not in state.smashed for door in found)


def is_walled(state, seat, action):
    return any(door_between(state, state.at[unit], action.to) in state.walls for unit in action.units)


def doubles(kind_):
    """Two units of this kind would share a room (II.B.1.c-b, II.B.1.d-b)."""

    def applies(state, _, action):
        named = [unit for unit in action.units if kind(state, unit) == kind_]
        standing = [unit for unit, at in state.at.items() if at == action.place and kind(state, unit) == kind_]
        return len(named) > 1 or (bool(named) and bool(standing))

    return applies


def is_led_side(state, _, action):
    """Another Leader stands on that side, or two would (II.B.2.a)."""
    leaders = [unit for unit in action.units if kind(state, unit) == "leader"]
    others = [unit for unit in state.at if kind(state, unit) == "leader" and unit not in action.units]
    return len(leaders) > 1 or any(state.at[unit][:2] == action.place[:2] for unit in others)


def is_mixed(state, _, action):
    """More than Techs together, or a Guard with a Janibot (II.B.1.d-c)."""
    kinds = [kind(state, unit) for unit in action.units]
    return set(kinds) != {"tech"} and kinds not in (["guard"], ["janibot"], ["guard", "janibot"])


def is_for(kind_):
    """A unit of this kind is to stand in the Tech Room (II.B.1.c-a, II.B.1.d-a)."""
    return lambda state, _, action: (
        action.place == state.board.file.tech_room and any(kind(state, unit) == kind_ for unit in action.units)
    )


def leaves_early(state, _, action):
    """A Tech leaves the Tech Room before Turn 5 (IV.C.1-a)."""
    tech_room = state.board.file.tech_room
    return state.turn < 5 and any(kind(state, u) == "tech" and state.at[u] == tech_room for u in action.units)


def is_unled(state, _, action):
    """A Janibot goes without a Human unit from its own place (IV.C.2-a, IV.C.2-b)."""
    leaders = {state.at[unit] for unit in action.units if is_human(state, unit)}
    return any(kind(state, unit) == "janibot" and state.at[unit] not in leaders for unit in action.units)


def captive_alone(state, _, action):
    """The captive goes without a Mutant from her own place (OPT.VI.C-d)."""
    leaders = {state.at[unit] for unit in action.units if is_mutant(state, unit)}
    return any(is_captive(state, unit) and state.at[unit] not in leaders for unit in action.units)


def other_size(state, _, action):
    """Another number of units than boxes to be filled (V.B.3-c, M37)."""
    return len(action.units) != pairs_due(state)


def holds_enemies(state, seat, action):
    """Enemies are in the room to which units retreat, or somebody was told to be there (OPT.IV.A.6)."""
    told = state.told.rooms if seat == "human" else state.told.sighted
    return action.to in told or bool(there(state, "mutant" if seat == "human" else "human", action.to))


def opens_for_nobody(state, _, action):
    """No Mutant stands on the other side of the door (IV.B.3-a)."""
    ends = set(action.door.split("-"))
    others = [ends - {state.at.get(unit)} for unit in action.units]
    return any(not there(state, "mutant", place) for places in others for place in places)


PIECES = (
    # Units
    *(
        Claim("INTRO.III-a", lambda state, seat, action: is_foreign(state, seat, action.units), (kind_,), "belong")
        for kind_ in (Put, LiftPieces)
    ),
    Claim(
        "OPT.VI.B-a",
        any_unit(is_gone),
        (MoveUnits, SmashDoor, OpenDoor, LayOutUnits, PairOffUnits, Retreat, Pursue),
        "has not arrived$",
    ),
    Claim("OPT.VI.C-b", any_unit(is_captive), (LayOutUnits, PairOffUnits, Pursue), "cannot fight$"),
    Claim(
        "OPT.VI.C-c",
        lambda state, seat, action: seat == "human" and any(is_captive(state, unit) for unit in action.units),
        (MoveUnits, HideUnits, LayOutUnits, PairOffUnits, Retreat, Pursue),
    ),
    Claim("OPT.VI.C-d", captive_alone, (MoveUnits, Retreat)),
    Claim(
        "IV.B.2.a-a",
        lambda state, _, action: not action.units or not all(is_mutant(state, unit) for unit in action.units),
        (SmashDoor,),
    ),
    Claim(
        "OPT.V.C-e",
        lambda state, _, action: any(u not in state.told.humans for u in action.units),
        (HideUnits,),
        "hidden$",
    ),
    Claim(
        "OPT.V.C-e",
        lambda state, _, action: any(state.at[unit] in state.told.rooms for unit in action.units),
        (HideUnits,),
        "^Mutants are in",
    ),
    Claim(
        "OPT.V.C-e",
        lambda state, _, action: any(state.combat.room == state.at[unit] for unit in action.units),
        (HideUnits,),
        "is not over$",
    ),
    # Moves
    Claim(
        "IV.A.2-a",
        lambda state, _, action: any(unit in state.moved for unit in action.units),
        (MoveUnits,),
        "already moved",
    ),
    Claim("IV.A.2-d", touches_at_corner, (MoveUnits,)),
    Claim("IV.A.3", is_walled, (MoveUnits,)),
    Claim("IV.B.1", is_closed, (MoveUnits,), forbids=False),
    Claim("IV.B.2.d", lambda state, _, action: any(unit in state.failed for unit in action.units), (MoveUnits,)),
    Claim("IV.C.1-a", leaves_early, (MoveUnits,), forbids=False),
    Claim("IV.C.2-a", is_unled, (MoveUnits,)),
    Claim("IV.C.2-b", is_unled, (MoveUnits,)),
    Claim("IV.C.3", lambda state, _, action: action.to == state.board.file.tech_room, (MoveUnits,), forbids=False),
    Claim("IV.C.4", lambda state, seat, action: seat == "human" and not is_room(action.to), (MoveUnits,)),
    Claim(
        "M52",
        lambda state, seat, action: seat == "human" and "penny" in {*action.units, *state.moved},
        (MoveUnits,),
        "",
        False,
    ),
    # Doors
    Claim("M4", lambda state, _, action: action.door in state.walls, (SmashDoor, OpenDoor)),
    Claim("IV.B.3.b", lambda state, _, action: any(unit in state.used for unit in action.units), (OpenDoor,)),
    Claim("IV.B.2.a-a", any_unit(is_captive), (OpenDoor,)),
    Claim("IV.B.3-a", opens_for_nobody, (OpenDoor,), "on the other side"),
    # Combats
    Claim("M61", lambda _, __, action: not is_room(action.room), (Fight,)),
    Claim("OPT.IV.A.1-b", lambda state, _, action: len(action.units) > state.combat.fled, (Pursue,)),
    Claim("OPT.IV.A.1-d", lambda state, _, action: len(action.units) > state.combat.fled, (Pursue,)),
    Claim("OPT.IV.A.3", is_unled, (Retreat,)),
    Claim("OPT.IV.A.1-e", is_unled, (Pursue,)),
    Claim(
        "OPT.IV.A.4",
        lambda state, seat, action: (
            seat == "mutant" and door_between(state, state.combat.room, action.to) not in state.smashed
        ),
        (Retreat,),
    ),
    Claim("OPT.IV.A.6", holds_enemies, (Retreat,), "holds enemies"),
    Claim(
        "V.B.1-a", lambda state, seat, action: set(action.units) - {*there(state, seat, state.combat.room)}, (Pursue,)
    ),
    Claim("V.B.2-a", lambda _, __, action: len(action.units) > 5, (LayOutUnits, PairOffUnits)),
    Claim("V.B.3-c", other_size, (LayOutUnits,), "must be filled"),
    Claim(
        "V.B.3-d",
        lambda state, _, action: len(action.units) != len(state.combat.laid),
        (PairOffUnits,),
        "must be filled",
    ),
    Claim(
        "OPT.IV.A-a",
        lambda state, *_: state.combat is None or state.combat.stage != "lay" or not state.combat.may_retreat,
        (Retreat,),
        "^units retreat only",
    ),
    Claim(
        "OPT.IV.A-a",
        lambda state, seat, _: state.combat.odds in (None, seat),
        (Retreat,),
        "is not outnumbered",
    ),
    # Setting up
    Claim("III-a", lambda state, seat, _: bool(left_to_place(state, seat)), (Ready,), "not set up yet"),
    Claim(
        "III-a",
        lambda state, seat, _: not left_to_place(state, seat),
        (PutRestByPlan, PutRestAtRandom),
        "already set up",
    ),
    Claim("INTRO.IV.B-a", any_unit(is_gone), (LiftPieces,)),
    Claim(
        "INTRO.IV.B-a", lambda state, _, action: any(unit in state.at for unit in action.units), (Put,), forbids=False
    ),
    Claim("II.B.1.a-b", lambda state, _, action: any(door not in state.walls for door in action.doors), (LiftPieces,)),
    Claim("M28", lambda state, _, action: action.door in state.walls, (PlaceWall,)),
    Claim("II.B.1.a-d", lambda state, _, action: state.board.file.tech_room in action.door.split("-"), (PlaceWall,)),
    Claim("IV.A.6", lambda state, seat, action: seat == "mutant" and bool(action.doors), (LiftPieces,)),
    Claim("II.B.1.b", lambda state, _, action: action.place != state.board.file.tech_room, (Put,), forbids=False),
    Claim("II.B.1.c-a", is_for("guard"), (Put,)),
    Claim("II.B.1.d-a", is_for("janibot"), (Put,)),
    Claim("II.B.1.c-b", doubles("guard"), (Put,)),
    Claim("II.B.1.d-b", doubles("janibot"), (Put,)),
    Claim("II.B.1.d-c", lambda state, seat, action: seat == "human" and is_mixed(state, seat, action), (Put,)),
    Claim("IV.C.4", lambda state, seat, action: seat == "human" and not is_room(action.place), (Put,)),
    Claim("II.B.2-b", lambda state, seat, action: seat == "mutant" and is_room(action.place), (Put,)),
    Claim("II.B.2.a", is_led_side, (Put,), forbids=False),
    Claim("II.B.2.b-a", needs_more_smashers, (PutRestByPlan, PutRestAtRandom), "empty square"),
    Claim(
        "II.B.2.b-b",
        lambda state, seat, _: seat == "mutant" and any(is_led_alone(state, square) for square in state.board.squares),
        (Ready,),
    ),
    # Answers
    *(
        Claim(
            rule,
            lambda state, seat, _: state.asked is not None and state.asked.of == seat,
            (AnswerQuestion,),
            "truthfully",
            False,
        )
        for rule in ("VIII-a", "OPT.V.C-b", "OPT.V.C-d", "OPT.V.D-c", "OPT.IV.A.6", "OPT.V.C-a")
    ),
)


def is_foreign(state, seat, units):
    """A unit is the other player's (INTRO.III-a)."""
    return any(is_mutant(state, unit) != (seat == "mutant") for unit in units)
