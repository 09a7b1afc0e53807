"""The state of a game of Sheboygan: everything that a rule may ask for, the map and the options included."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.caching import cached
from referee.engine.event import Outcome, Seat
from referee.engine.options import Options
from referee.engine.secret import Secret
from referee.engine.turn_order import Task
from referee.games.sheboygan.board import Board
from referee.games.sheboygan.counters import MONSTER, STACKING_LIMIT, UnitId
from referee.games.sheboygan.options import HUMAN_SEAT, MAX_INITIAL_DEFENSE, MONSTER_SEAT, SCENARIOS, Ability, Scenario
from referee.games.sheboygan.tables import UnitType
from referee.games.sheboygan.terrain import (
    MOVEMENT_MODES,
    NO_BOXES,
    MovementMode,
    Pathfinder,
    find_pathfinder,
    find_reach,
)

Phase = Literal[
    "abilities",
    "record",
    "edge",
    "buy",
    "place",
    "monster-move",
    "monster-combat",
    "arrival",
    "human-move",
    "human-combat",
    "fire",
]
"""The phases: those of the set-up, then those of a Game-Turn (4.0b)."""
SETUP_PHASES: frozenset[Phase] = frozenset(("abilities", "record", "edge", "buy", "place"))
"""The phases of the set-up. The monster is not on the map yet."""
MONSTER_PHASES: frozenset[Phase] = frozenset(("abilities", "record", "edge", "monster-move", "monster-combat"))
"""Phases in which the monster player is to move."""

BoxName = Annotated[
    str, Meta(pattern="^[A-Z][A-Z0-9]{2}$", description="a box such as H09, BRN or TUN", examples=["H09"])
]
BoxNames = Annotated[tuple[BoxName, ...], Meta(max_length=400)]
MapEdge = Literal["N", "E", "S", "W"]
SmallNumber = Annotated[int, Meta(ge=0, le=99)]
Die = Annotated[int, Meta(ge=1, le=6)]
Points = Annotated[int, Meta(ge=0, le=1_000)]
"""Victory Points for something."""
FlamesAge = Annotated[int, Meta(ge=1, le=4)]
"""The side of a flames marker that is turned south: 1, 2, 3, and 4 for R (11.11a)."""
BURNT_OUT_AGE: FlamesAge = 4
EliminationCause = Literal[
    "attack",
    "treason",
    "repulse",
    "no-retreat",
    "suicide",
    "overrun",
    "bridge",
    "grabbed",
    "flames",
    "crushed",
]
"""The cause of an elimination: an attack by the monster, by or on the unit under its control, and so on."""


class RecordSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """The monster's record sheet without defense, which is public (12.0a, 12.0h)."""

    attack: SmallNumber = 0
    destruction: SmallNumber = 0
    movement: SmallNumber = 0
    abilities: tuple[Ability, ...] = ()


class Duty(Task["State"], frozen=True, tag_field="due"):
    """A duty that must be done before anything else (6.0e). Its kinds are in `duties`."""

    rule = "6.0e"
    clause: ClassVar[str]
    """The duty as a clause: "units have to retreat first"."""
    outlives_monster: ClassVar[bool] = False
    """True if the duty remains although the monster is dead."""

    def seat(self, state: "State") -> Seat:  # noqa: ARG002 - mostly it is the monster's player
        """Returns the seat that has to do the duty."""
        return MONSTER_SEAT

    def describe(self, state: "State") -> str:  # noqa: ARG002 - always the same
        """Returns the duty as a clause."""
        return self.clause

    def describe_for_status(self) -> str:
        """Returns the duty as a clause, with its units or points, for the status line."""
        return self.clause

    def without_units(self, gone: frozenset[str]) -> "Duty":  # noqa: ARG002 - mostly it is no matter of units
        """Returns the duty that is left when these units are gone."""
        return self


D = TypeVar("D", bound=Duty)


class PublicFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The public fields of a state that a position has in the same form."""

    phase: Phase = "monster-move"
    turn: Annotated[int, Meta(ge=0, le=10_000)] = 1
    """The number of the Game-Turn; 0 during the set-up."""
    points: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """Victory Points of the monster."""
    defense: SmallNumber = 0
    """The monster's defense strength, which everybody may know (12.0h)."""
    damage: Points = 0
    """Points of damage that the monster has taken so far (12.0b). Only its player knows which strengths lost them."""
    monster: BoxName | None = None
    """The box of the one monster (5.21a); None if it has not entered the map."""
    aloft: bool = False
    """True if the monster is in flight."""
    budget: SmallNumber = 0
    """Points that the human player can still spend."""
    hand: tuple[UnitId, ...] = ()
    """Units that are to be placed."""
    lost: tuple[UnitId, ...] = ()
    """Units that were eliminated."""
    flames: Mapping[BoxName, FlamesAge] = {}
    """The flames markers."""
    fire: Literal["none", "due", "choosing", "came"] = "none"
    """The arrival of firemen (11.31a): "due" after the first use of fire breathing, "came" once they are chosen."""
    known: tuple[Ability, ...] = ()
    """Abilities that the monster has used, or that its player has admitted (12.0g)."""
    lacking: tuple[Ability, ...] = ()
    """Abilities that its player has said it does not have."""
    caught: Mapping[UnitId, SmallNumber] = {}
    """Units in webs, each with the number of Human Movement Phases that it has to stay there (13.22c)."""
    fording: Mapping[UnitId, str] = {}
    """Infantry in the river, each unit with the bank that it came from (9.1a)."""
    control: UnitId | None = None
    """The unit under the monster's control."""
    controlled: bool = False
    """True if the monster has taken over a unit in this game (13.27f)."""
    flashes: SmallNumber = 0
    """The number of flashes of blinding light so far."""
    flashed: bool = False
    """True if the monster has flashed in this Game-Turn."""
    blown: bool = False
    """True if the wind of this Fire Phase has blown. Then the Game-Turn ends when no duty is left."""
    # of the Monster Player-Turn
    walked: SmallNumber = 0
    """Movement Points that the monster has spent."""
    struck: SmallNumber = 0
    """Attack points that the monster has spent."""
    smashed: SmallNumber = 0
    """Destruction points that the monster has spent."""
    attempts: SmallNumber = 0
    """Destruction attempts that the monster has made."""
    ignitions: SmallNumber = 0
    """Fire attempts that the monster has made."""
    risen: bool = False
    """True if the monster has taken off in this phase, for the whole phase (C24)."""
    landed: Literal["no", "early", "late"] = "no"
    """The landing of the monster in this phase: "early" if it may still walk, "late" if its movement is over."""
    fled: bool = False
    """True if the monster had to retreat in its Combat Phase (6.24a)."""
    # of a movement phase
    moved: Mapping[UnitId, BoxName] = {}
    """Units that have moved, each with the box where it began the phase."""
    spent: Mapping[UnitId, SmallNumber] = {}
    """Movement Points that units have spent in this phase."""
    carried: Mapping[UnitId, str] = {}
    """The units that did not move by themselves: populace with its police unit, gun with its tank. "-" for a unit that
    was dropped or fords.
    """
    feared: tuple[UnitId, ...] = ()
    """Units that are immobilized with fear."""
    due: tuple[Duty, ...] = ()
    """The duties that must be done before anything else."""


SET_FIELDS = ("rubble", "ruins", "webs", "scorched", "attacked", "fought", "assaulting", "doused")
"""Fields that are sets in a state and lists in a position."""


class State(PublicFields, frozen=True, kw_only=True, dict=True, gc=True):
    """Everything about a game at one moment."""

    board: Board
    options: Options
    at: Mapping[str, str]
    """The box of every unit on the map, in the order of kinds and numbers.

    A unit at a bridge is either on the bridge or in the river box below it (5.14b).
    """
    sheet: Secret[RecordSheet] | None = None
    """The secret part of the monster's record; None if it is not written yet."""
    edge: Secret[MapEdge] | None = None
    """The map edge that was noted for the monster's entry; None if none was noted yet."""
    rubble: frozenset[str] = frozenset()
    """Boxes that are rubble, wrecked or burnt."""
    ruins: frozenset[str] = frozenset()
    """Bridges that exist no more (7.12a)."""
    webs: frozenset[str] = frozenset()
    scorched: frozenset[str] = frozenset()
    """Burning boxes that have hurt the monster in this phase (C57)."""
    attacked: frozenset[str] = frozenset()
    """Units that the monster has attacked in this Combat Phase (C45)."""
    fought: frozenset[str] = frozenset()
    """Units that have attacked in this Combat Phase (C44)."""
    assaulting: frozenset[str] = frozenset()
    """Infantry that makes a suicide assault."""
    doused: frozenset[str] = frozenset()
    """Firemen and fireboat that have put out fires in this phase."""
    outcome: Outcome | None = None

    @property
    def scenario(self) -> Scenario:
        """The numbers that the scenario fixes."""
        return SCENARIOS[self.options["scenario"]]

    @property
    def record_sheet(self) -> RecordSheet:
        """The monster's record sheet; empty before it exists. Raises UnknownError in a view that does not know it."""
        return self.sheet.value if self.sheet else RecordSheet()

    def get_unit_type(self, unit: str) -> UnitType:
        """Returns the kind of a unit, with the numbers on its counter."""
        return self.board.tables.units[unit[0]]

    def get_owner(self, unit: str) -> Seat:
        """Returns the seat that moves a unit and fights with it (13.27c)."""
        return MONSTER_SEAT if unit in (self.control, MONSTER) else HUMAN_SEAT

    def get_terrain(self, box: str) -> str:
        """Returns the terrain of a box as it is now (7.11a)."""
        return "rubble" if box in self.rubble else self.board.boxes[box].terrain

    def is_destructible(self, box: str) -> bool:
        """True if a box holds a building or a bridge that can be destroyed."""
        return self.board.tables.terrain[self.get_terrain(box)].strength > 0 and box not in self.ruins

    @cached
    def public_view(self) -> "State":
        """The state as everybody may know it."""
        return replace(
            self, sheet=self.sheet and self.sheet.without_value(), edge=self.edge and self.edge.without_value()
        )

    @cached
    def units_by_box(self) -> Mapping[str, tuple[str, ...]]:
        """The units in each box, the controlled one included."""
        stacks: dict[str, tuple[str, ...]] = {}
        for unit, box in self.at.items():
            stacks[box] = (*stacks[box], unit) if box in stacks else (unit,)
        return stacks

    @cached
    def unit_stacks(self) -> Sequence[tuple[str, ...]]:
        """The units of each box that holds two or more units. The unit under the monster's control counts too."""
        boxes = self.at.values()
        if len(set(boxes)) == len(boxes):
            return ()
        standing: dict[str, list[str]] = {}
        for unit, box in self.at.items():
            standing.setdefault(box, []).append(unit)
        return [tuple(units) for units in standing.values() if len(units) > 1]

    @cached
    def crowded_boxes(self) -> frozenset[str]:
        """Boxes that hold more units than they take at the end of movement (5.21b)."""
        full = [
            units
            for units in self.unit_stacks
            if len(units) > STACKING_LIMIT and self._count_units(units) > STACKING_LIMIT
        ]
        return frozenset([self.at[units[0]] for units in full]) if full else NO_BOXES

    @cached
    def _find_pathfinder_and_cache(self) -> tuple[Pathfinder, dict[Any, Any]]:
        control = self.at.get(self.control) if self.control else None
        return find_pathfinder(self.board, self.rubble, self.ruins, self.webs, self.monster, self.aloft, control)

    @cached
    def pathfinder(self) -> Pathfinder:
        """The pathfinder that knows which ways are open to human units."""
        return self._find_pathfinder_and_cache[0]

    @cached
    def pathfinder_cache(self) -> dict[Any, Any]:
        """A cache for results that rules compute with `pathfinder`. Each rule chooses its own keys."""
        return self._find_pathfinder_and_cache[1]

    def get_movement_mode(self, piece: str) -> MovementMode:
        """Returns the way in which a piece moves now."""
        if piece != MONSTER:
            return MOVEMENT_MODES.get(piece[0], "ground")
        if self.aloft:
            return "flier"
        return "monster" if self.options["monster-in-tunnel"] == "yes" else "digger"

    def get_entry_costs(self, piece: str) -> Mapping[str, int]:
        """Returns the boxes that are passable for a piece, each with its cost in Movement Points."""
        return self.pathfinder.get_entry_costs(self.get_movement_mode(piece))

    def find_reach(
        self, piece: str, start: str, points: int, closed: frozenset[str], last: frozenset[str] = NO_BOXES
    ) -> Mapping[str, int]:
        """Returns the boxes that a piece can reach with some Movement Points, each with its cost.

        The piece cannot enter `closed` boxes, and does not go on from `last` boxes.
        """
        mode = self.get_movement_mode(piece)
        return find_reach(self.board, self.rubble, self.ruins, closed, mode, start, points, last)

    def list_humans_in(self, box: str | None) -> tuple[str, ...]:
        """Returns the units of the human player in a box."""
        return tuple(unit for unit in self.units_by_box.get(box or "", ()) if unit != self.control)

    @property
    def human_units(self) -> Iterator[str]:
        """The units of the human player on the map (C60)."""
        return (unit for unit in self.at if unit != self.control)

    def count_stacking_units(self, box: str) -> int:
        """Returns the number of units in a box that count for stacking (5.21b). Some kinds do not (5.21c, 8.0a)."""
        return self._count_units(self.units_by_box.get(box, ()))

    def _count_units(self, units: Iterable[str]) -> int:
        kinds = self.board.tables.units
        return sum([kinds[unit[0]].stacks for unit in units])

    def can_have_ability(self, ability: Ability) -> bool:
        """True if a monster of this scenario can have an ability (14.21b, 14.22b)."""
        return ability in self.scenario.abilities

    def has_ability(self, ability: Ability) -> bool:
        """True if the monster has an ability. Raises UnknownError in a view that does not know."""
        return ability in self.known or (self.sheet is not None and ability in self.sheet.value.abilities)

    def is_ability_public(self, ability: Ability) -> bool:
        """True if everybody knows whether the monster has an ability."""
        return ability in self.known or ability in self.lacking or not self.can_have_ability(ability)

    def list_known_abilities_with(self, ability: Ability) -> tuple[Ability, ...]:
        """Returns the abilities that everybody knows of once this one was used (12.0g)."""
        return self.known if ability in self.known else (*self.known, ability)

    @property
    def seat_to_move(self) -> Seat:
        """The seat that has to act."""
        if self.due:
            return self.due[0].seat(self)
        return MONSTER_SEAT if self.phase in MONSTER_PHASES else HUMAN_SEAT

    def get_first_duty(self, kind: type[D]) -> D:
        """Returns the first duty, which must be of this kind."""
        first = self.due[0]
        assert isinstance(first, kind)
        return first

    def is_monster_flying_over(self, box: str) -> bool:
        """True if the monster is in flight above a box."""
        return self.aloft and self.monster == box

    def make_changed_sheet(self, **changes: int) -> Secret[RecordSheet] | None:
        """Returns the sheet with strengths changed by these numbers, but not below 0. An unknown sheet stays."""
        if self.sheet is None or not self.sheet.known:
            return self.sheet
        old = self.sheet.value
        new: Any = {name: max(0, getattr(old, name) + change) for name, change in changes.items()}
        return Secret(MONSTER_SEAT, replace(old, **new))

    def compute_fields_without_units(self, units: Iterable[str]) -> Mapping[str, Any]:
        """Returns the fields of the state that change when units leave the map, with their new values."""
        gone = frozenset(units)
        at = {unit: box for unit, box in self.at.items() if unit not in gone}
        changes: dict[str, Any] = {"at": at}
        for name in ("caught", "fording", "moved", "spent", "carried"):
            old: Mapping[str, Any] = getattr(self, name)
            if not gone.isdisjoint(old):
                changes[name] = {unit: value for unit, value in old.items() if unit not in gone}
        for set_ in ("attacked", "fought", "assaulting", "doused"):
            if not gone.isdisjoint(getattr(self, set_)):
                changes[set_] = getattr(self, set_) - gone
        if self.control in gone:
            changes["control"] = None
        if not gone.isdisjoint(self.feared):
            changes["feared"] = tuple(unit for unit in self.feared if unit not in gone)
        changes["due"] = tuple(due.without_units(gone) for due in self.due)
        return changes


def find_highest_initial_defense(state: State) -> int:
    """Returns the most points that can be put on defense at the start (3.1i)."""
    return min(MAX_INITIAL_DEFENSE, state.scenario.monster_points)
