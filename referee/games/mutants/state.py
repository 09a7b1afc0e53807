"""The state of a game of Attack of the Mutants.

Where a unit is stands in `at` alone; a unit that is in neither `at`, `gone` nor `pool` is not set up yet. So a view
keeps the place of a unit from a seat by leaving it out of `at`, and a Wall by leaving it out of `walls`; which units it
says nothing about stands in `unknown` (see hidden.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.engine.game import Outcome
from referee.games.mutants.board import OFF, Board, Doors, Place, Side

Phase = Literal[
    "sides",
    "choose",
    "setup-human",
    "setup-mutant",
    "arrival",
    "smash",
    "open",
    "move",
    "mutant-combat",
    "human-move",
    "human-combat",
    "glow",
    "record",
    "over",
]
"""What the game waits for. Of a Turn: the three Steps of the Mutant Movement Phase and five Phases (III-b, III-c).

The Door-Opening Phase that one sentence speaks of is the Step "open" (M60).
"""

SETTING_UP = ("sides", "choose", "setup-human", "setup-mutant")
MUTANT_MOVEMENT = ("smash", "open", "move")
COMBATS = ("mutant-combat", "human-combat")

ENGAGED = 5
"""Boxes of a side on the Combat Display (V.B.2-a)."""
CONFINED_UNTIL = 4
"""Last Turn on which Techs stay in the Tech Room (IV.C.1-a)."""

UnitId = Annotated[str, Meta(pattern="^[a-z]{1,8}[0-9]{0,2}$")]
UnitIds = Annotated[tuple[UnitId, ...], Meta(max_length=100)]


def other_side(side: Side) -> Side:
    """The enemy."""
    return "human" if side == "mutant" else "mutant"


class Options(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The options in force; what each means stands in `options.py`."""

    scenario: str
    help_humans: str
    help_mutants: str
    overwhelming_odds: str
    bugging_out: str
    hidden_movement: str
    sides: str
    corner_squares: str
    wall_adjacent: str
    wall_count: str
    wall_reveal: str
    smash_table: str
    opener_side: str
    smash_sides: str
    odds_floor: str
    captive_move_cost: str
    retreat_exit: str
    exited_mutants: str


class Combat(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The Combat on the Combat Display."""

    room: Place
    """Where the Combat Location unit lies (INTRO.IV.A.5)."""
    stage: Literal["lay", "pair", "resolve", "pursue"]
    """What it waits for: the first lay-out, the other player's pairs, the dice, the pursuit."""
    round: Annotated[int, Meta(ge=1, le=10_000)]
    first: Side
    """Who lays out first in this Round (V.B.3-a, V.B.3-b); in stage "pursue": who has fled."""
    odds: Side | None = None
    """Who outnumbers the other three or two to one since the start of the Round."""
    may_retreat: bool = False
    """Whether the outnumbered side may still bug out in this Round."""
    laid: UnitIds = ()
    """Engaged units of the side that lays out first, by box."""
    paired: UnitIds = ()
    """Engaged units of the other side, opposite them."""
    refuge: Place | None = None
    """In stage "pursue": the room that the others fled to."""
    fled: Annotated[int, Meta(ge=0, le=100)] = 0
    """In stage "pursue": how many units fled."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Human-side unit and Mutant of each pair, in box order."""
        return tuple(zip(*self.boxes(), strict=False))

    def boxes(self) -> tuple[UnitIds, UnitIds]:
        """Units in the Engaged boxes, from box 1: of the Human side, of the Mutants."""
        return (self.laid, self.paired) if self.first == "human" else (self.paired, self.laid)


class Told(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What both players have been told in a game with Hidden Movement (OPT.V.C, OPT.V.D). All of it is in order."""

    humans: UnitIds = ()
    """Human-side units that stand on the gameboard for all to see."""
    walls: Doors = ()
    """Doors whose Walls were shown."""
    rooms: Annotated[tuple[Place, ...], Meta(max_length=100)] = ()
    """Rooms that hold Mutants, squares never."""
    sighted: Annotated[tuple[Place, ...], Meta(max_length=100)] = ()
    """Rooms of which it is known only that somebody of the Human side is in there; until the Human player moves."""


class State(Struct, frozen=True, dict=True):
    """Everything about a game at one moment."""

    board: Board
    options: Options
    phase: Phase
    turn: int
    """Box of the Game Turn unit (INTRO.IV.A.3)."""
    at: Mapping[str, str]
    """Room or square of every unit on the board, in the order of the counters."""
    gone: frozenset[str] = frozenset()
    """Units that were eliminated."""
    pool: tuple[str, ...] = ()
    """Mutants of the Alternate Scenario that have not arrived (OPT.VI.A-b)."""
    walls: frozenset[str] = frozenset()
    """Doors blocked by Walls."""
    smashed: frozenset[str] = frozenset()
    """Doors with a Smashed Door unit (INTRO.IV.A.4)."""
    attempted: frozenset[str] = frozenset()
    """Doors attacked this Turn."""
    used: frozenset[str] = frozenset()
    """Mutants that took part in an attempt this Turn."""
    failed: frozenset[str] = frozenset()
    """Those of them that failed and lie upside down."""
    opened: frozenset[tuple[str, str]] = frozenset()
    """Doors opened this Turn, each with the place of the openers."""
    moved: Mapping[str, str] = {}
    """Units that have moved this Turn, with the place they came from."""
    arrived: frozenset[str] = frozenset()
    """Mutants that arrived in the Tech Room this Turn."""
    captive: bool = False
    """Whether Penny is a captive (OPT.VI.C-a)."""
    exited: frozenset[str] = frozenset()
    """Mutants that have left the building."""
    escape: Literal["none", "mutant", "penny"] = "none"
    """The best that the Mutant player has got out of the building, for good (M54)."""
    combat: Combat | None = None
    rolled: tuple[int, int] | None = None
    """Dice for sides: of the human chair, of the mutant chair."""
    outcome: Outcome | None = None
    told: Told = Told()
    """What both players have been told; empty without Hidden Movement."""
    faded: frozenset[str] = frozenset()
    """Mutants that were eliminated out of the Human player's sight; they are in `gone` too."""
    unknown: frozenset[str] | None = None
    """In a view that keeps something secret: units that it tells nothing about. None in the state itself."""

    # Who is where

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, ...]]:
        """Units of each place that has any, in the order of the counters."""
        found: dict[str, list[str]] = {}
        for unit, place in self.at.items():
            found.setdefault(place, []).append(unit)
        return {place: tuple(units) for place, units in found.items()}

    def fighters(self, side: Side, place: str) -> tuple[str, ...]:
        """Units of a side in a place. A captive Penny is none of either side (OPT.VI.C-b, M49)."""
        units = self.board.units
        return tuple(
            unit for unit in self.standing.get(place, ()) if units[unit].side == side and not self.is_captive(unit)
        )

    def is_captive(self, unit: str) -> bool:
        """Whether a unit is Penny, held by Mutants."""
        return self.captive and unit == "penny"

    def contested(self) -> tuple[str, ...]:
        """Rooms with units of both sides (V.A-a); no Combat is fought in a Set Up square (M61)."""
        return self._contested

    @cached_property
    def _contested(self) -> tuple[str, ...]:
        mutants, captive = self.board.of_side["mutant"], "penny" if self.captive else None
        ours = {place for unit, place in self.at.items() if unit not in mutants and unit != captive}
        both = ours & self.held_by_mutants
        return tuple(place for place in dict.fromkeys(self.at.values()) if place in both) if both else ()

    @cached_property
    def held_by_mutants(self) -> frozenset[str]:
        """Rooms in which Mutants are."""
        mutants = self.board.of_side["mutant"]
        return self.board.all_rooms.intersection([place for unit, place in self.at.items() if unit in mutants])

    def unplaced(self, side: Side) -> tuple[str, ...]:
        """Units of a side that are not set up yet."""
        units = self.board.units.values()
        elsewhere = self.gone.union(self.pool, self.unknown or ())
        return tuple(
            unit.id for unit in units if unit.side == side and unit.id not in self.at and unit.id not in elsewhere
        )

    def count(self, place: str, *kinds: str) -> int:
        """How many units of these kinds stand in a place; a captive is not counted."""
        units = self.standing.get(place, ())
        return sum(self.board.units[unit].kind in kinds and not self.is_captive(unit) for unit in units)

    # What is kept secret

    @property
    def is_hidden(self) -> bool:
        """Whether Hidden Movement is played (OPT.V.A)."""
        return self.options.hidden_movement == "yes"

    def is_only_told(self, side: Side, place: str) -> bool:
        """Whether this view knows no more of a side in a place than that somebody is there (OPT.V.C-c, OPT.V.D-c)."""
        told = self.told.rooms if side == "mutant" else self.told.sighted
        return self.is_partial and place in told and not self.fighters(side, place)

    def is_found(self, door: str) -> bool:
        """Whether Mutants see what is in a door: they stand in one of its rooms, or have tried it (OPT.V.C-a, M23)."""
        if self.options.wall_reveal == "on-contact":
            return door in self.attempted
        return not self.held_by_mutants.isdisjoint(self.board.ends[door])

    @cached_property
    def in_plain_view(self) -> frozenset[str]:
        """Units that everybody sees in a game with Hidden Movement.

        Human-side units on the gameboard, Penny in captivity, and both sides where they share a room (OPT.V.D-c) or lie
        on the Combat Display. Mutants in a Set Up square are never shown (OPT.V.D-a).
        """
        rooms = {*self.contested(), *([self.combat.room] if self.combat else [])}
        shown = [unit for unit, place in self.at.items() if place in rooms] if rooms else []
        return frozenset((*shown, *self.told.humans, *(["penny"] if self.captive else [])))

    @cached_property
    def views(self) -> dict[str | None, State]:
        """Views of this state that were worked out already, by seat; see hidden.py."""
        return {}

    @property
    def is_partial(self) -> bool:
        """Whether this is a view that keeps something secret."""
        return self.unknown is not None

    def knows_enemies(self, side: Side, place: str) -> bool:
        """Whether the player of a side knows of enemies in a place: he sees them, or has been told of them.

        Rooms with Mutants are always told (OPT.V.D-b), rooms with Human-side units sometimes (OPT.V.C-b, OPT.IV.A.6).
        """
        told = self.told.rooms if side == "human" else self.told.sighted
        return place in told or bool(self.fighters(other_side(side), place))

    # What the rules ask

    @property
    def alternate(self) -> bool:
        """Whether the Alternate Scenario is played."""
        return self.options.scenario == "alternate"

    @property
    def last_turn(self) -> int:
        """Turn 10, or 15 in the Alternate Scenario (VII.B-a, VII.B-b, OPT.VI.E)."""
        return 15 if self.alternate else 10

    @property
    def walls_in_hand(self) -> int:
        """Walls not yet placed: of twelve (II.B.1.a-a), or of fifteen with the aid (OPT.II.A)."""
        more = self.board.file.more_walls if self.options.help_humans == "yes" else 0
        return self.board.file.walls + more - len(self.walls)

    @property
    def mover(self) -> Side:
        """Who has just completed his Movement Phase; the Mutant player on Turn 1 of the Alternate Scenario (M48)."""
        return "human" if self.phase == "human-combat" else "mutant"

    def beside(self, place: str) -> tuple[str, ...]:
        """Places next to a place (IV.A.2-c)."""
        closed = self.options.corner_squares == "yes"
        return (self.board.beside_round_corners if closed else self.board.beside)[place]

    def are_beside(self, one: str, other: str) -> bool:
        """Whether two places share a side."""
        return other != OFF and other in self.beside(one)

    def door(self, one: str, other: str) -> str | None:
        """The door between two places; None between Set Up squares (IV.B.4-c)."""
        return self.board.doors.get((one, other))

    def hit_number(self, unit: str, enemy: str) -> int:
        """What a unit must not exceed with its die (V.D.1-a, V.D.2-a, V.D.2-b, V.D.2-c, OPT.II.B, M64)."""
        mine, foe = self.board.units[unit], self.board.units[enemy]
        if mine.kind == "janibot" and self.options.help_mutants == "yes":
            return min(mine.hit, 2)
        return mine.hit_j if foe.kind == "janibot" else mine.hit

    def smash_number(self, attackers: int) -> int:
        """Hit Number of the Smashed Door Table for so many Mutants, the last row for more (M10, M26)."""
        file = self.board.file
        other = file.other_smashed_door_tables.get(self.options.smash_table)
        table = other or file.smashed_door_table
        return table[min(attackers, len(table)) - 1]
