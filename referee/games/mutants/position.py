"""The position that people can type: the places of units, the state of doors, and the marks of the Turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.games.mutants.announcements import complete_told_facts
from referee.games.mutants.board import Board, DoorNames, Place, Side, compact_names, expand_name_ranges
from referee.games.mutants.phases import PHASES_BEFORE_PLAY, Phase
from referee.games.mutants.state import ALTERNATE_TURNS, Attempt, Combat, Question, State, ToldFacts

TypedUnits = Annotated[str, Meta(max_length=600)]
"""Units as typed: "buck b3 n1..n4"."""
TypedOpenDoor = Annotated[str, Meta(pattern="^[A-Ix][A-Za-z0-9]{1,2}-[A-I][1-9] [A-Ix][A-Za-z0-9]{1,2}$")]
"""A door held open, and the place of the openers: "C2-C3 C2"."""


class Position(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A position as people type it."""

    units: dict[Place, TypedUnits] = {}
    """The units in each room or square: `C4 = "buck b3"`."""
    phase: Phase = "smash"
    turn: Annotated[int, Meta(ge=1, le=ALTERNATE_TURNS)] = 1
    walls: DoorNames = ()
    smashed: DoorNames = ()
    gone: TypedUnits = "rest"
    """Units that are out of the game; "rest" means all units named nowhere else, once the set-up is over."""
    pool: TypedUnits = ""
    """Mutants of the Alternate Scenario that have not arrived; "rest" means all Mutants named nowhere else."""
    attempted: DoorNames = ()
    """Doors attacked this Turn."""
    used: TypedUnits = ""
    """Mutants that took part in an attempt this Turn."""
    failed: TypedUnits = ""
    """Mutants that failed in an attempt this Turn and lie upside down."""
    opened: Annotated[tuple[TypedOpenDoor, ...], Meta(max_length=300)] = ()
    moved: dict[str, Place] = {}
    """Units that have moved this Turn, each with the place it came from."""
    arrived: TypedUnits = ""
    """Mutants that arrived this Turn."""
    captive: bool = False
    exited: TypedUnits = ""
    escape: Literal["none", "mutant", "penny"] = "none"
    told: ToldFacts = ToldFacts()
    """With Hidden Movement: the facts that both players have been told.

    Facts that they must have been told are added.
    """
    faded: TypedUnits = ""
    """With Hidden Movement: Mutants that died out of the Human player's sight."""
    asked: Question | None = None
    """With Hidden Movement: the question that a player must answer next."""
    pending: Attempt | None = None
    """With Hidden Movement: an attempt of Mutants that waits for the answer."""
    combat: Combat | None = None
    rolled: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]] | None = None
    swapped: bool = False
    """True if the players changed chairs after the roll for sides."""
    stop: Side | None = None
    """The side that has proposed to end the game here."""


SECRET_FIELDS = ("told", "asked", "pending")
UNCHANGED_FIELDS = (
    "phase",
    "turn",
    "moved",
    "captive",
    "escape",
    "combat",
    "rolled",
    "swapped",
    "stop",
    *SECRET_FIELDS,
)
DOOR_FIELDS = ("walls", "smashed", "attempted")
UNIT_FIELDS = ("used", "failed", "arrived", "exited", "faded")
"""The fields of the four tuples are in a position and in a state. Those in UNCHANGED_FIELDS have equal values in both.

A position has the fields in DOOR_FIELDS as lists in order, and those in UNIT_FIELDS as text.
"""


def position_from(state: State) -> Position:
    """Returns the position of a state. `state_from` turns it back into an equal state, unless the game is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in UNCHANGED_FIELDS}
    fields |= {name: tuple(sorted(getattr(state, name))) for name in DOOR_FIELDS}
    fields |= {
        name: compact_names(state.board.sort_units(getattr(state, name))) for name in (*UNIT_FIELDS, "gone", "pool")
    }
    return Position(
        units={
            place: compact_names(state.units_by_place[place])
            for place in state.board.places
            if place in state.units_by_place
        },
        opened=tuple(f"{door} {place}" for door, place in sorted(state.opened)),
        **fields,
    )


def set_up_game(options: Options, board: Board) -> State:
    """Returns the state at the start: an empty board, Turn 1 (II.B.1.e). Sides are settled, or rolled for (II.A-d)."""
    phase: Phase = "sides" if options["sides"] == "roll" else "setup-human"
    return state_from(Position(phase=phase), options, board)


def state_from(position: Position, options: Options, board: Board) -> State:
    """Returns the state of a position. Call `check_position` first: the position must be legal."""
    at = {unit: room for room, units in position.units.items() for unit in expand_name_ranges(units)}
    unnamed = [unit for unit in board.units if unit not in at]
    gone = expand_name_ranges(position.gone)
    mutants = [unit for unit in unnamed if board.find_side(unit) == "mutant"]
    pool = _expand_names_or_rest(position.pool, [unit for unit in mutants if unit not in gone])
    rest = [] if position.phase in PHASES_BEFORE_PLAY else [unit for unit in unnamed if unit not in pool]
    fields: dict[str, Any] = {name: getattr(position, name) for name in UNCHANGED_FIELDS}
    fields |= {name: frozenset(getattr(position, name)) for name in DOOR_FIELDS}
    fields |= {name: frozenset(expand_name_ranges(getattr(position, name))) for name in UNIT_FIELDS}
    state = State(
        board=board,
        options=options,
        at=board.sort_places_by_unit(at),
        gone=frozenset(_expand_names_or_rest(position.gone, rest)),
        pool=board.sort_units(pool),
        opened=frozenset((door, beside) for door, _, beside in (text.partition(" ") for text in position.opened)),
        **fields,
    )
    return replace(state, told=complete_told_facts(state)) if state.has_hidden_movement else state


def describe_added_facts(position: Position) -> tuple[str, ...]:
    """Returns a sentence if units that the position does not name are out of the game; empty otherwise."""
    is_rest = position.gone == "rest" and position.phase not in PHASES_BEFORE_PLAY
    return ("Units that you named nowhere are out of the game.",) if is_rest else ()


def _expand_names_or_rest(text: str, rest: list[str]) -> list[str]:
    return rest if text.strip() == "rest" else expand_name_ranges(text)


def check_position_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal for unknown units, places and doors, for units in two places, and for a game that is over.

    If all this is right, also yields refusals about the facts that both players were told, where they do not fit the
    position.
    """
    from referee.games.mutants.invariants import check_told_facts  # only positions need it

    wrong = (*_check_named(position, board), *_check_doors(position, board))
    yield from wrong
    if position.phase == "over":
        yield Refusal("III.F-b", "a game that is over cannot be played on")
    elif not wrong:
        yield from check_told_facts(state_from(position, options, board), position.told)


def _check_named(position: Position, board: Board) -> Iterator[Refusal]:
    """Yields refusals about units that do not exist (INTRO.IV.A) or are in two places (INTRO.IV.B-a).

    Also yields refusals about places that the board does not have (IV.A.5-a).
    """
    placed = [unit for units in position.units.values() for unit in expand_name_ranges(units)]
    lists = [position.gone, position.pool]
    placed += [unit for text in lists if text.strip() != "rest" for unit in expand_name_ranges(text)]
    marked = [position.used, position.failed, position.arrived, position.exited, position.faded]
    told = (*position.told.humans, *position.told.mutants)
    combat = (*position.combat.laid, *position.combat.paired) if position.combat else ()
    for unit in (
        *placed,
        *(unit for text in marked for unit in expand_name_ranges(text)),
        *position.moved,
        *combat,
        *told,
    ):
        if unit not in board.units:
            yield Refusal("INTRO.IV.A", f"there is no unit {unit}")
    for unit in sorted({unit for unit in placed if placed.count(unit) > 1}):
        yield Refusal("INTRO.IV.B-a", f"{unit} is in more than one place")
    rooms = [*position.units, *position.moved.values(), *position.told.rooms, *position.told.sighted]
    rooms += position.told.due
    for room in rooms + ([position.combat.room] if position.combat else []):
        if room not in board.places:
            yield Refusal("IV.A.5-a", f"the board has no {room}")


def _check_doors(position: Position, board: Board) -> Iterator[Refusal]:
    for door in (*position.walls, *position.smashed, *position.attempted, *position.told.walls, *position.told.clear):
        if door not in board.door_ends:
            one, _, other = door.partition("-")
            written = board.doors_by_ends.get((other, one))
            hint = f"; write {written}" if written else ""
            yield Refusal("IV.A.2-b", f"there is no door {door}{hint}")
    for text in position.opened:
        door, _, beside = text.partition(" ")
        if beside not in board.door_ends.get(door, ()):
            yield Refusal("IV.B.3-a", f"{beside} does not have a door {door}")
