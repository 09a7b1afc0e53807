"""The state of a game of Attack of the Mutants.

Only `at` holds a unit's place; a unit in none of `at`, `gone` and `pool` is not set up yet. A view hides a unit's place
by leaving it out of `at`, and a Wall by leaving it out of `walls`. It lists such units in `unknown` (see view.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.caching import cache_latest, cached
from referee.engine.event import Outcome, Seat
from referee.engine.options import Options
from referee.engine.text import listing
from referee.engine.turn_order import Task
from referee.games.mutants.board import (
    OFF_BOARD,
    Board,
    Destinations,
    DoorName,
    DoorNames,
    Neighbours,
    Passages,
    Place,
    Side,
    is_square,
)
from referee.games.mutants.phases import PHASES_BEFORE_PLAY, QUESTION_PHASE, Phase

ENGAGED_BOX_COUNT = 5
"""The number of Engaged boxes of a side on the Combat Display (V.B.2-a)."""
BASIC_TURNS, ALTERNATE_TURNS = 10, 15
"""The number of Turns of the Basic Game, and of the Alternate Scenario (VII.B-a, VII.B-b, OPT.VI.E)."""
LAST_CONFINED_TURN = 4
"""The last Turn on which Techs stay in the Tech Room (IV.C.1-a)."""

UnitId = Annotated[str, Meta(pattern="^[a-z]{1,8}[0-9]{0,2}$")]
UnitIds = Annotated[tuple[UnitId, ...], Meta(max_length=100)]
Places = Annotated[tuple[Place, ...], Meta(max_length=100)]


def find_other_side(side: Seat) -> Side:
    """Returns the enemy of a side."""
    return "human" if side == "mutant" else "mutant"


def find_side(seat: Seat) -> Side:
    """Returns the side that a seat plays."""
    return "human" if seat == "human" else "mutant"


class Combat(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The Combat on the Combat Display."""

    room: Place
    """The room with the Combat Location unit (INTRO.IV.A.5)."""
    stage: Literal["lay", "pair", "resolve", "pursue"]
    """The step that the Combat waits for: the first lay-out, the other player's pairs, the dice, or the pursuit."""
    round: Annotated[int, Meta(ge=1, le=10_000)]
    first: Side
    """The side that lays out first in this Round (V.B.3-a, V.B.3-b); in stage "pursue", the side that fled."""
    odds: Side | None = None
    """The side that outnumbered the other three or two to one at the start of the Round; None for no side."""
    may_retreat: bool = False
    """True if the outnumbered side may still retreat in this Round."""
    laid: UnitIds = ()
    """Engaged units of the side that lays out first, by box."""
    paired: UnitIds = ()
    """Engaged units of the other side, opposite them."""
    due: Annotated[int, Meta(ge=0, le=ENGAGED_BOX_COUNT)] = 0
    """In stage "resolve": the pair that rolls next, from 0; the pairs before it are done."""
    refuge: Place | None = None
    """In stage "pursue": the place that the other side fled to."""
    fled: Annotated[int, Meta(ge=0, le=100)] = 0
    """In stage "pursue": the number of units that fled."""

    def list_pairs(self) -> tuple[tuple[str, str], ...]:
        """Returns the Human-side unit and the Mutant of each pair, in box order."""
        return tuple(zip(*self.list_units_in_boxes(), strict=False))

    @property
    def pair_due(self) -> tuple[str, str] | None:
        """The Human-side unit and the Mutant that roll next; None when all pairs are done."""
        return next(iter(self.list_pairs()[self.due :]), None)

    def list_units_in_boxes(self) -> tuple[UnitIds, UnitIds]:
        """Returns the units in the Engaged boxes, from box 1: of the Human side, then of the Mutants."""
        return (self.laid, self.paired) if self.first == "human" else (self.paired, self.laid)


class ToldFacts(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The facts that both players know in a game with Hidden Movement (OPT.V.C, OPT.V.D), each list in order."""

    humans: UnitIds = ()
    """Human-side units that stand on the gameboard for all to see, including a captive Penny."""
    mutants: UnitIds = ()
    """Mutants that are shown because they share a room with Human-side units (OPT.V.D-c)."""
    walls: DoorNames = ()
    """Doors whose Walls were shown."""
    clear: DoorNames = ()
    """Doors that were tried and have no Wall, if that is told on contact only (M23)."""
    rooms: Places = ()
    """Rooms that hold Mutants; squares are never told."""
    sighted: Places = ()
    """Rooms known to hold some Human-side unit, but not which, until the Human player moves."""
    due: Places = ()
    """Rooms that the Human player tells about when the Mutants end their Step (M68)."""

    def without_units(self, units: UnitIds) -> ToldFacts:
        """Returns these facts with some units no longer shown."""
        humans, mutants = (tuple(unit for unit in shown if unit not in units) for shown in (self.humans, self.mutants))
        return replace(self, humans=humans, mutants=mutants)

    def with_sighted_rooms(self, rooms: Places) -> ToldFacts:
        """Returns these facts with Human-side units reported in these rooms; not in rooms with Mutants (OPT.V.C-d)."""
        known = {*self.sighted, *rooms}
        return replace(self, sighted=tuple(sorted(known.difference(self.rooms)))) if known else self


class Question(Task[Any], frozen=True, forbid_unknown_fields=True, rename="kebab", tag=False):
    """A question that a player must answer from secret notes before the game goes on. There is no choice in it."""

    asks: ClassVar[bool] = True
    phase: ClassVar[str] = QUESTION_PHASE

    of: Side
    """The side that must answer."""
    rooms: Places = ()
    """Rooms whose units are asked for (OPT.V.C-d, OPT.V.D-c); the Human player tells their Walls too (OPT.V.C-a)."""
    doors: DoorNames = ()
    """A door that was tried. The Human player tells whether it has a Wall (M23), the Mutant player what happened."""
    behind: Places = ()
    """A room; the Human player tells whether somebody is in it (OPT.V.C-b, OPT.IV.A.6)."""
    fleeing: UnitIds = ()
    """Units that flee into the room `behind`, unless somebody is in it."""
    ending: bool = False
    """True if the game ends after this side has laid its notes open."""

    @property
    def about(self) -> str:
        """The subject of the question, as a clause that follows "tell"."""
        if self.ending:
            return "where all their own units are"
        if self.doors:
            what = "whether a Wall is in" if self.of == "human" else "the result of the attempt at"
            return f"{what} {listing(self.doors)}"
        if self.behind:
            return f"whether somebody is in {listing(self.behind)}"
        return f"who is in {listing(self.rooms)}"

    def seat(self, state: Any) -> Seat:  # noqa: ARG002 - it is the same in every state
        """Returns the seat that must answer."""
        return self.of

    def describe(self, state: Any) -> str:  # noqa: ARG002
        """Returns the clause that says who must tell what."""
        return f"the {self.of} player tells {self.about} first"

    @property
    def rule(self) -> str:
        """The rule that demands the answer."""
        if self.ending:
            return "VIII-a"
        if self.doors:
            return "OPT.V.C-a"
        if self.behind:
            return "OPT.IV.A.6" if self.fleeing else "OPT.V.C-b"
        return "OPT.V.C-d" if self.of == "human" else "OPT.V.D-c"


NO_OPEN_WAYS: frozenset[tuple[str, str]] = frozenset()
NO_UNITS_IN_HAND: Mapping[Seat, tuple[str, ...]] = {"human": (), "mutant": ()}


class Attempt(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """An attempt of Mutants at a door that may have a hidden Wall (M23)."""

    door: DoorName
    units: UnitIds
    die: Annotated[int, Meta(ge=1, le=6)] | None = None
    """The die rolled to smash the door; None if they open it."""


class State(Struct, frozen=True, dict=True):
    """Everything about a game at one moment."""

    board: Board
    options: Options
    """The values of the options; options.py says what each means."""
    phase: Phase
    turn: int
    """The box of the Game Turn unit (INTRO.IV.A.3)."""
    at: Mapping[str, str]
    """The room or square of every unit on the board, in the order of the counters."""
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
    """Mutants that failed in an attempt this Turn and lie upside down."""
    opened: frozenset[tuple[str, str]] = frozenset()
    """Doors opened this Turn, each with the place of the openers."""
    moved: Mapping[str, str] = {}
    """Units that have moved this Turn, each with the place it came from."""
    arrived: frozenset[str] = frozenset()
    """Mutants that arrived in the Tech Room this Turn."""
    captive: bool = False
    """True if Penny is a captive (OPT.VI.C-a)."""
    exited: frozenset[str] = frozenset()
    """Mutants that have left the building."""
    escape: Literal["none", "mutant", "penny"] = "none"
    """The best escape from the building so far: no unit, a Mutant, or a Mutant with Penny. It is never lost (M54)."""
    combat: Combat | None = None
    rolled: tuple[int, int] | None = None
    """The dice for sides: of the human chair, of the mutant chair."""
    swapped: bool = False
    """True if the players have changed chairs, and so their names (II.A-e)."""
    stop: Side | None = None
    """The side that has proposed to end the game here (M25)."""
    outcome: Outcome | None = None
    told: ToldFacts = ToldFacts()
    """The facts that both players have been told; empty without Hidden Movement."""
    faded: frozenset[str] = frozenset()
    """Mutants that were eliminated out of the Human player's sight; they are in `gone` too."""
    asked: Question | None = None
    """The question that must be answered first; everybody knows the question."""
    pending: Attempt | None = None
    """The attempt that waits for the answer; only the Mutant player knows it."""
    unknown: frozenset[str] | None = None
    """In a view that hides something: the units that it says nothing about. None in the state itself."""

    # The places of units

    def find_places_of(self, units: Iterable[str]) -> frozenset[str | None]:
        """Returns the places of these units; None stands for units that are not on the board."""
        return frozenset(map(self.at.get, units))

    @cached
    def units_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """The units of each place that has any, in the order of the counters."""
        found = defaultdict[str, list[str]](list)
        for unit, place in self.at.items():
            found[place].append(unit)
        return {place: tuple(units) for place, units in found.items()}

    def list_fighters(self, side: Seat, place: str) -> tuple[str, ...]:
        """Returns the units of a side in a place. A captive Penny is on neither side (OPT.VI.C-b, M49)."""
        return tuple(filter(self._fighters[side].__contains__, self.units_by_place.get(place, ())))

    def list_fighters_in_places(self, side: Seat, places: Container[str]) -> tuple[str, ...]:
        """Returns the units of a side in any of these places, in the order of the counters, without a captive Penny."""
        fighters = self._fighters[side]
        return tuple([unit for unit, place in self.at.items() if place in places and unit in fighters])

    @property
    def _fighters(self) -> Mapping[Seat, frozenset[str]]:
        return self.board.units_by_side_without_penny if self.captive else self.board.units_by_side

    def count_fighters(self, side: Seat) -> int:
        """Returns the number of a side's units on the board in this view. A captive does not count (M49)."""
        return len(self._fighters[side] & self.at.keys())

    def is_captive(self, unit: str) -> bool:
        """True if a unit is Penny, held by Mutants."""
        return self.captive and unit == "penny"

    def is_janibot(self, unit: str) -> bool:
        """True if a unit is a Janibot."""
        return self.board.units[unit].kind == "janibot"

    def needs_company(self, unit: str) -> bool:
        """True if a unit moves only with others: a Janibot (IV.C.2-a), or captive Penny (OPT.VI.C-d)."""
        return self.is_janibot(unit) or self.is_captive(unit)

    @property
    def mutants_out_of_play(self) -> frozenset[str]:
        """Mutants that have left the building and so are out of play (M57)."""
        return self.exited if self.options["exited-mutants"] == "inert" else frozenset()

    def list_contested_rooms(self) -> tuple[str, ...]:
        """Returns the rooms with units of both sides (V.A-a). No Combat is fought in a Set Up square (M61)."""
        return self._contested

    @cached
    def _contested(self) -> tuple[str, ...]:
        both = (
            self.rooms_with_mutants.intersection(map(self.at.get, self._fighters["human"]))
            if self.rooms_with_mutants
            else ()
        )
        return tuple(place for place in dict.fromkeys(self.at.values()) if place in both) if both else ()

    @cached
    def rooms_with_mutants(self) -> frozenset[str]:
        """The rooms that hold Mutants."""
        return _find_rooms_held_by_mutants(self.board, self.at)

    def list_units_in_hand(self, side: Seat) -> tuple[str, ...]:
        """Returns the units of a side that are not set up yet."""
        return self._unplaced[side]

    @cached
    def _unplaced(self) -> Mapping[Seat, tuple[str, ...]]:
        left = self.board.unit_set.difference(self.at, self.gone, self.pool, self.unknown or ())
        if not left:
            return NO_UNITS_IN_HAND
        ours = {side: left & units for side, units in self.board.units_by_side.items()}
        return {side: tuple(filter(units.__contains__, self.board.units)) for side, units in ours.items()}

    def count_units(self, place: str, *kinds: str) -> int:
        """Returns the number of units of these kinds in a place. A captive does not count."""
        units = self.units_by_place.get(place, ())
        return sum(self.board.units[unit].kind in kinds and not self.is_captive(unit) for unit in units)

    # Secrets

    @cached
    def views(self) -> dict[Seat | None, State]:
        """The views of this state by seat. Each is added when somebody first asks for it."""
        return {}

    @property
    def has_hidden_movement(self) -> bool:
        """True if Hidden Movement is played (OPT.V.A)."""
        return self.options["hidden-movement"] == "yes"  # asked more often than all other options together

    def knows_only_presence(self, side: Seat, place: str) -> bool:
        """True if this view knows only that some unit of a side is in a place, but not which (OPT.V.C-c, OPT.V.D-c)."""
        told = self.told.rooms if side == "mutant" else self.told.sighted
        return self.is_partial_view and place in told and not self.list_fighters(side, place)

    @property
    def units_in_plain_view(self) -> frozenset[str]:
        """Units that everybody sees in a game with Hidden Movement. Mutants in a square are never shown (OPT.V.D-a)."""
        return frozenset((*self.told.humans, *self.told.mutants, *(["penny"] if self.captive else [])))

    @property
    def hideable_units(self) -> tuple[str, ...]:
        """Human-side units that may be hidden again: those in rooms without Mutants and without a Combat (OPT.V.C-e).

        A captive Penny is left out.
        """
        if not self.told.humans or self.asked or self.outcome or self.phase in PHASES_BEFORE_PLAY:
            return ()
        shown = (unit for unit in self.told.humans if not self.is_captive(unit))
        return tuple(unit for unit in shown if self.can_hide_units_in(self.at[unit]))

    def can_hide_units_in(self, place: str) -> bool:
        """True if a place is a room without Mutants and without a Combat, by public knowledge."""
        in_combat = self.combat is not None and self.combat.room == place
        return not (is_square(place) or place in self.told.rooms or in_combat)

    def may_hold_mutants(self, place: str) -> bool:
        """True if Mutants are in a place, or may be there as far as this view knows."""
        if self.list_fighters("mutant", place):
            return True
        unseen = self.unknown is not None and not self.unknown.isdisjoint(self.board.units_by_side["mutant"])
        return unseen and (is_square(place) or place in self.told.rooms)

    @property
    def is_partial_view(self) -> bool:
        """True if this is a view that hides something."""
        return self.unknown is not None

    def knows_enemies(self, side: Seat, place: str) -> bool:
        """True if a player sees enemies in a place or was told of them (OPT.V.D-b; OPT.V.C-b, OPT.IV.A.6)."""
        told = self.told.rooms if side == "human" else self.told.sighted
        return place in told or bool(self.list_fighters(find_other_side(side), place))

    # Whose choice it is

    @property
    def next_side_in_combat(self) -> Side:
        """The side that makes the next choice in a Combat (V.B-a, V.B.3-a, V.B.3-d)."""
        if self.combat is None or self.combat.stage == "resolve":
            return self.last_mover
        return self.combat.first if self.combat.stage == "lay" else find_other_side(self.combat.first)

    @property
    def last_mover(self) -> Side:
        """The side that has just ended its Movement Phase; Mutants on Turn 1 of the Alternate Scenario (M48)."""
        return "human" if self.phase == "human-combat" else "mutant"

    @property
    def current_combat(self) -> Combat:
        """The current Combat. Raises ValueError if there is none."""
        if self.combat is None:
            raise ValueError("no Combat is being fought")
        return self.combat

    @property
    def side_chooser(self) -> Side:
        """The chair with the higher roll, which chooses its side (II.A-c)."""
        human, mutant = self.rolled or (0, 0)
        return "human" if human > mutant else "mutant"

    # Questions that the rules ask

    def is_option_played(self, option: str) -> bool:
        """True if an Optional Rule, an option with yes or no, is played."""
        return self.options[option] == "yes"

    @property
    def is_alternate_scenario(self) -> bool:
        """True if the Alternate Scenario is played."""
        return self.options["scenario"] == "alternate"

    @property
    def final_turn(self) -> int:
        """Turn 10, or 15 in the Alternate Scenario (VII.B-a, VII.B-b, OPT.VI.E)."""
        return ALTERNATE_TURNS if self.is_alternate_scenario else BASIC_TURNS

    @property
    def wall_count_in_hand(self) -> int:
        """The number of Walls not yet placed: of twelve (II.B.1.a-a), or of fifteen with the aid (OPT.II.A)."""
        more = self.board.file.more_walls if self.is_option_played("help-humans") else 0
        return self.board.file.walls + more - len(self.walls)

    def find_neighbours(self, place: str) -> Neighbours:
        """Returns the places next to a place (IV.A.2-c), each with the door that leads there."""
        return self._choose_passages.neighbours[place]

    @cached
    def _choose_passages(self) -> Passages:
        round_corners = self.is_option_played("corner-squares")
        return self.board.passages_round_corners if round_corners else self.board.passages

    def map_destinations(self, side: Seat) -> Destinations:
        """Returns, for each place, where units of a side can go from it, given doors and Walls (IV-a, IV.A.2-c)."""
        return self._human_destinations if side == "human" else self._mutant_destinations

    @cached
    def _human_destinations(self) -> Destinations:
        return self._choose_passages.map_human_destinations(self.walls)

    @cached
    def _mutant_destinations(self) -> Destinations:
        return self._choose_passages.map_mutant_destinations(self.walls, self.smashed, self._held_open)

    @property
    def _held_open(self) -> frozenset[tuple[str, str]]:
        if not self.opened:
            return NO_OPEN_WAYS
        return frozenset(way for door, _ in self.opened for way in self.list_ways_held_open(door))

    def are_neighbours(self, one: str, other: str) -> bool:
        """True if two places are next to each other."""
        return other != OFF_BOARD and other in self.find_neighbours(one)

    def find_door_between(self, one: str, other: str) -> str | None:
        """Returns the door between two places; None between Set Up squares (IV.B.4-c), and if no door joins them."""
        return self.board.doors_by_ends.get((one, other))

    def _is_held_open(self, door: str, origin: str, to: str) -> bool:
        """True if a door is held open for all units that come from `origin` (M30), until the Step ends (M31)."""
        far, near = (door, to) in self.opened, (door, origin) in self.opened
        return {"far": far, "either": far or near, "both": far and near}[self.options["opener-side"]]

    def list_ways_held_open(self, door: str) -> tuple[tuple[str, str], ...]:
        """Returns the ways, as (from, to), by which Mutants may pass a door while it is held open."""
        one, other = self.board.door_ends[door]
        return tuple(way for way in ((one, other), (other, one)) if self._is_held_open(door, *way))

    # Changes by events

    def find_places_after_putting(self, units: Iterable[str], place: str) -> dict[str, str]:
        """Returns the places of all units after these units were put in a place."""
        return self.board.find_places_after_move(self.at, dict.fromkeys(units, place))

    def find_places_after_removing(self, units: Iterable[str]) -> dict[str, str]:
        """Returns the places of the other units after these units were taken off the board."""
        left = dict(self.at)
        for unit in units:
            left.pop(unit, None)
        return left

    def eliminate_units(self, units: UnitIds) -> State:
        """Returns the state after these units were eliminated."""
        if not units:
            return self
        told = self.told.without_units(units) if self.has_hidden_movement else self.told
        return replace(self, at=self.find_places_after_removing(units), gone=self.gone.union(units), told=told)

    def change_combat(self, **changes: object) -> State:
        """Returns the state with these changes to the current Combat. Raises ValueError if there is none."""
        return replace(self, combat=replace(self.current_combat, **changes))


@cache_latest
def _find_rooms_held_by_mutants(board: Board, at: Mapping[str, str]) -> frozenset[str]:
    """Returns the rooms that hold Mutants. The last result is used again as long as no unit moves."""
    return board.room_set.intersection(map(at.get, board.units_by_side["mutant"]))
