"""The position that a person can type: who stands where, what is smashed, walled or open, and what the Turn holds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.games.mutants.board import Board, DoorName, Place, Side, compact, expand
from referee.games.mutants.state import SETTING_UP, Attempt, Combat, Phase, Question, State, Told
from referee.games.mutants.telling import told_of

Names = Annotated[str, Meta(max_length=600)]
"""Units as typed: "buck b3 n1..n4"."""
DoorNames = Annotated[tuple[DoorName, ...], Meta(max_length=300)]
Opened = Annotated[str, Meta(pattern="^[A-Ix][A-Za-z0-9]{1,2}-[A-I][1-9] [A-Ix][A-Za-z0-9]{1,2}$")]
"""A door held open, and where the openers stand: "C2-C3 C2"."""


class Position(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A position as a person types it."""

    units: dict[Place, Names] = {}
    """Who stands in each room or square: `C4 = "buck b3"`."""
    phase: Phase = "smash"
    turn: Annotated[int, Meta(ge=1, le=15)] = 1
    walls: DoorNames = ()
    smashed: DoorNames = ()
    gone: Names = "rest"
    """Units that are out of the game; "rest": all that are named nowhere, once the set-up is over."""
    pool: Names = ""
    """Mutants of the Alternate Scenario that have not arrived; "rest": all that are named nowhere."""
    attempted: DoorNames = ()
    """Doors attacked this Turn."""
    used: Names = ""
    """Mutants that took part in an attempt this Turn."""
    failed: Names = ""
    """Those of them that lie upside down."""
    opened: Annotated[tuple[Opened, ...], Meta(max_length=300)] = ()
    moved: dict[str, Place] = {}
    """Units that have moved this Turn, and where each came from."""
    arrived: Names = ""
    """Mutants that arrived this Turn."""
    captive: bool = False
    exited: Names = ""
    escape: Literal["none", "mutant", "penny"] = "none"
    told: Told = Told()
    """With Hidden Movement: what both players have been told; what must have been told is added."""
    faded: Names = ""
    """With Hidden Movement: Mutants that died out of the Human player's sight."""
    asked: Question | None = None
    """With Hidden Movement: what a player has to tell next."""
    pending: Attempt | None = None
    """With Hidden Movement: what Mutants have tried, as far as it waits for that."""
    combat: Combat | None = None
    rolled: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]] | None = None
    swapped: bool = False
    """Whether the players have changed chairs after the roll for sides."""
    stop: Side | None = None
    """Who would end the game here."""


SECRETS = ("told", "asked", "pending")
AS_IT_IS = ("phase", "turn", "moved", "captive", "escape", "combat", "rolled", "swapped", "stop", *SECRETS)
DOORS = ("walls", "smashed", "attempted")
GROUPS = ("used", "failed", "arrived", "exited", "faded")
"""Fields that a position has in common with a state: as they are there, doors in order, units as typed."""


def position_of(state: State) -> Position:
    """The position of a state; `place` of it is an equal state, but for a game that is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in AS_IT_IS}
    fields |= {name: tuple(sorted(getattr(state, name))) for name in DOORS}
    fields |= {name: compact(state.board.sorted(getattr(state, name))) for name in (*GROUPS, "gone", "pool")}
    return Position(
        units={place: compact(state.standing[place]) for place in state.board.places if place in state.standing},
        opened=tuple(f"{door} {place}" for door, place in sorted(state.opened)),
        **fields,
    )


def setup(options: Options, board: Board) -> State:
    """The state in which a game begins: an empty board, Turn 1 (II.B.1.e); sides are settled or rolled for (II.A-d)."""
    phase: Phase = "sides" if options["sides"] == "roll" else "setup-human"
    return place(Position(phase=phase), options, board)


def place(position: Position, options: Options, board: Board) -> State:
    """The state of a position that `check_position` found nothing wrong with."""
    at = {unit: room for room, units in position.units.items() for unit in expand(units)}
    unnamed = [unit for unit in board.units if unit not in at]
    mutants = [unit for unit in unnamed if board.side_of(unit) == "mutant"]
    pool = _named_or_rest(position.pool, [unit for unit in mutants if unit not in expand(position.gone)])
    rest = [] if position.phase in SETTING_UP else [unit for unit in unnamed if unit not in pool]
    fields: dict[str, Any] = {name: getattr(position, name) for name in AS_IT_IS}
    fields |= {name: frozenset(getattr(position, name)) for name in DOORS}
    fields |= {name: frozenset(expand(getattr(position, name))) for name in GROUPS}
    state = State(
        board=board,
        options=options,
        at=board.in_order(at),
        gone=frozenset(_named_or_rest(position.gone, rest)),
        pool=board.sorted(pool),
        opened=frozenset((door, beside) for door, _, beside in (text.partition(" ") for text in position.opened)),
        **fields,
    )
    return replace(state, told=told_of(state)) if state.is_hidden else state


def _named_or_rest(text: str, rest: list[str]) -> list[str]:
    return rest if text.strip() == "rest" else expand(text)
