"""The position that people can type: everything that changes from turn to turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.engine.secret import Secret
from referee.games.sheboygan.board import Board
from referee.games.sheboygan.counters import UnitId, make_unit_names, sort_units
from referee.games.sheboygan.duties import AnyDuty, NoteRecordDuty
from referee.games.sheboygan.notation import PIECE_PATTERN
from referee.games.sheboygan.options import MONSTER_SEAT
from referee.games.sheboygan.state import (
    BURNT_OUT_AGE,
    SET_FIELDS,
    BoxName,
    BoxNames,
    MapEdge,
    PublicFields,
    RecordSheet,
    State,
)

Stack = Annotated[
    str, Meta(pattern="^[a-z0-9. ]{2,400}$", description="units with spaces between them", examples=["t1 i1"])
]
"""Units as typed: "t1 i1 p1"."""


class Position(PublicFields, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A position as a player may type it: the public part, and the secrets that the player knows."""

    due: tuple[AnyDuty, ...] = ()
    """The duties that must be done before anything else."""
    units: Mapping[BoxName, Stack] = {}
    """The units in each box: `H09 = "t1 i1"`."""
    sheet: RecordSheet | None = None
    """The monster's strengths besides defense, and its abilities. If given, everybody can read them in the log.

    If it is left out, the monster's player notes them in secret before anything else.
    """
    edge: MapEdge | None = None
    """The map edge at which the monster enters, until it has."""
    rubble: BoxNames = ()
    """Boxes with rubble, wrecked or burnt."""
    ruins: BoxNames = ()
    """Bridges that exist no more."""
    webs: BoxNames = ()
    """Boxes with webs."""
    scorched: BoxNames = ()
    """Burning boxes that have hurt the monster in this phase."""
    attacked: tuple[UnitId, ...] = ()
    """Units that the monster has attacked in this Combat Phase."""
    fought: tuple[UnitId, ...] = ()
    """Units that have attacked in this Combat Phase."""
    assaulting: tuple[UnitId, ...] = ()
    """Infantry that makes a suicide assault."""
    doused: tuple[UnitId, ...] = ()
    """Firemen and fireboat that have put out fires in this phase."""


FIELDS_SHARED_WITH_STATE = tuple(PublicFields.__struct_fields__)
"""The fields that a position and a state share unchanged."""


def position_from(state: State) -> Position:
    """Returns the position of a state. `state_from` turns it back into an equal state, unless the game is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in FIELDS_SHARED_WITH_STATE}
    fields |= {name: tuple(sorted(getattr(state, name))) for name in SET_FIELDS}
    stacks = sorted(state.units_by_box, key=state.board.box_sort_order.__getitem__)
    return Position(
        units={box: " ".join(state.units_by_box[box]) for box in stacks},
        sheet=state.sheet.value if state.sheet and state.sheet.known else None,
        edge=state.edge.value if state.edge and state.edge.known else None,
        **fields,
    )


def state_from(position: Position, options: Options, board: Board) -> State:
    """Returns the state of a position. Call `check_position` first: the position must be legal."""
    fields: dict[str, Any] = {name: getattr(position, name) for name in FIELDS_SHARED_WITH_STATE if name != "due"}
    fields |= {name: frozenset(getattr(position, name)) for name in SET_FIELDS}
    fields["rubble"] |= find_burnt_down_boxes(position)
    at = {unit: box for box, units in position.units.items() for unit in units.split()}
    fields["moved"] = {
        **{unit: at[unit] for unit in list_unlisted_moved_units(position) if unit in at},
        **position.moved,
    }
    is_noted = position.phase not in ("abilities", *_WITHOUT_SHEET[options["scenario"]])
    return State(
        board=board,
        options=options,
        at={unit: at[unit] for unit in sort_units(at)},
        sheet=_seal_value(position.sheet, is_noted),
        due=_list_duties(position, is_noted=is_noted),
        edge=_seal_value(position.edge, position.phase not in PHASES_BEFORE_EDGE),
        **fields,
    )


def find_burnt_down_boxes(position: Position) -> frozenset[str]:
    """Returns the boxes that burn with R to the south: they are rubble, although only the flames lie there (11.12a)."""
    return frozenset(box for box, age in position.flames.items() if age == BURNT_OUT_AGE)


def list_unlisted_moved_units(position: Position) -> tuple[str, ...]:
    """Returns the units that must have moved (5.0g), although the position does not list them as moved.

    They have spent Movement Points or were taken along.
    """
    return tuple(unit for unit in (*position.spent, *position.carried) if unit not in position.moved)


def describe_added_facts(position: Position) -> tuple[str, ...]:
    """Returns sentences about facts that follow from a position but were not typed."""
    boxes = sorted(find_burnt_down_boxes(position).difference(position.rubble))
    burnt = [f"{box} burns at R: it is rubble (11.12a)." for box in boxes]
    return (*burnt, *(f"{unit} has moved in this phase (5.0g)." for unit in list_unlisted_moved_units(position)))


PHASES_BEFORE_EDGE = ("abilities", "record", "edge")
"""Phases in which no edge is noted yet."""
_WITHOUT_SHEET = {"learning": ("record",), "basic": (), "advanced-a": (), "advanced-b": (), "city-eating": ()}
"""Phases in which no sheet exists yet, besides the phase "abilities", by scenario.

The Learning Scenario has no abilities, so no sheet exists before the record is written.
"""


def _list_duties(position: Position, *, is_noted: bool) -> tuple[AnyDuty, ...]:
    """Returns the duties of a position. If it leaves out a sheet that exists, noting the sheet comes first."""
    is_told = position.sheet is not None or not is_noted
    missing = () if is_told or NoteRecordDuty() in position.due else (NoteRecordDuty(),)
    return (*missing, *position.due)


def _seal_value(value: Any, is_noted: bool) -> Secret[Any] | None:
    if value is not None:
        return Secret(MONSTER_SEAT, value)
    return Secret(MONSTER_SEAT) if is_noted else None


def set_up_game(options: Options, board: Board) -> State:
    """Returns the state in which a game begins: populace on its symbols, everything else to be chosen (3.1c, 3.2e,
    C40).
    """
    state = State(board=board, options=options, at={}, phase="abilities")
    scenario = state.scenario
    populace = make_unit_names("c", 1, len(board.populace_boxes))
    return State(
        board=board,
        options=options,
        at=dict(zip(populace, board.populace_boxes, strict=True)),
        phase="abilities" if scenario.abilities else "record",
        turn=0,
        budget=scenario.human_points,
    )


# What can be wrong with a position


def check_position_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:  # noqa: ARG001
    """Yields a refusal if a position names something that the game does not have.

    Also yields one if a unit is in two places, or is marked (as moved, caught and so on) without being on the map.
    """
    named = [unit for units in position.units.values() for unit in units.split()]
    strange = [unit for unit in named if not PIECE_PATTERN.fullmatch(unit) or unit == "m"]
    twice = [unit for unit in dict.fromkeys(named) if named.count(unit) > 1]
    boxes = [*position.units, *position.rubble, *position.ruins, *position.webs, *position.flames]
    unknown = [box for box in (*boxes, *([position.monster] if position.monster else ())) if box not in board.boxes]
    absent = sorted(_find_marked_units(position) - {*named})
    counters = [*named, *position.hand, *position.lost]
    copied = [unit for unit in dict.fromkeys((*position.hand, *position.lost)) if counters.count(unit) > 1]
    if strange:
        yield Refusal("2.0a", f"there is no unit {strange[0]!r}")
    elif twice:
        yield Refusal("5.0a", f"{twice[0]} is in more than one box")
    elif copied:
        yield Refusal("2.0a", f"there is one counter {copied[0]}: on the map, in the hand, or lost")
    elif absent:
        yield Refusal("5.0a", f"the position mentions {absent[0]}, but does not place it on the map")
    elif unknown:
        yield Refusal("2.0b", f"the map has no box {unknown[0]}")


def _find_marked_units(position: Position) -> set[str]:
    """Returns the units with marks that only units on the map can have, such as moved, caught or feared."""
    moving = (position.moved, position.spent, position.caught, position.fording, position.carried, position.feared)
    fighting = (position.attacked, position.fought, position.assaulting, position.doused)
    due = [getattr(due, "units", ()) for due in position.due]
    controlled = [position.control] if position.control else []
    return {unit for field in (*moving, *fighting, *due, controlled) for unit in field}
