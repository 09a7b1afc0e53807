"""The state of a game of Attack of the Mutants.

Where a unit is stands in `at` alone; a unit that is in neither `at`, `gone` nor `pool` is not set up yet. So a view
keeps the place of a unit from a seat by leaving it out of `at`, and a Wall by leaving it out of `walls`; which units it
says nothing about stands in `unknown` (see view.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.event import Outcome, Seat
from referee.engine.once import cached, latest
from referee.engine.options import Options
from referee.engine.order import Task
from referee.engine.text import listing
from referee.games.mutants.board import OFF, Beside, Board, DoorName, Doors, Passages, Place, Side, Ways, is_square

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
IN_PLAY: tuple[Phase, ...] = get_args(Phase)[len(SETTING_UP) : -1]
"""One Turn (III-b, III-c); arrivals come first in the Alternate Scenario (OPT.VI.B-b)."""
MUTANT_MOVEMENT = ("smash", "open", "move")
COMBATS = ("mutant-combat", "human-combat")
ASKED = "asked"
"""In place of a Phase: while a player has to tell something, nothing else may be said."""

ENGAGED = 5
"""Boxes of a side on the Combat Display (V.B.2-a)."""
BASIC_TURNS, ALTERNATE_TURNS = 10, 15
"""Turns of the Basic Game, and of the Alternate Scenario (VII.B-a, VII.B-b, OPT.VI.E)."""
CONFINED_UNTIL = 4
"""Last Turn on which Techs stay in the Tech Room (IV.C.1-a)."""

UnitId = Annotated[str, Meta(pattern="^[a-z]{1,8}[0-9]{0,2}$")]
UnitIds = Annotated[tuple[UnitId, ...], Meta(max_length=100)]
Places = Annotated[tuple[Place, ...], Meta(max_length=100)]


def other_side(side: Seat) -> Side:
    """The enemy."""
    return "human" if side == "mutant" else "mutant"


def side_of(seat: Seat) -> Side:
    """The side of one of the two players."""
    return "human" if seat == "human" else "mutant"


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
    due: Annotated[int, Meta(ge=0, le=ENGAGED)] = 0
    """In stage "resolve": the pair that rolls next, from 0; those before it are through."""
    refuge: Place | None = None
    """In stage "pursue": the room that the others fled to."""
    fled: Annotated[int, Meta(ge=0, le=100)] = 0
    """In stage "pursue": how many units fled."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Human-side unit and Mutant of each pair, in box order."""
        return tuple(zip(*self.boxes(), strict=False))

    @property
    def pair_due(self) -> tuple[str, str] | None:
        """Human-side unit and Mutant that roll next; None once all pairs are through."""
        return next(iter(self.pairs()[self.due :]), None)

    def boxes(self) -> tuple[UnitIds, UnitIds]:
        """Units in the Engaged boxes, from box 1: of the Human side, of the Mutants."""
        return (self.laid, self.paired) if self.first == "human" else (self.paired, self.laid)


class Told(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What both players have been told in a game with Hidden Movement (OPT.V.C, OPT.V.D). All of it is in order."""

    humans: UnitIds = ()
    """Human-side units that stand on the gameboard for all to see, the captive Penny among them."""
    mutants: UnitIds = ()
    """Mutants that are shown, because they share a room with Human-side units (OPT.V.D-c)."""
    walls: Doors = ()
    """Doors whose Walls were shown."""
    clear: Doors = ()
    """Doors that were tried and have no Wall, where that is told on contact only (M23)."""
    rooms: Places = ()
    """Rooms that hold Mutants, squares never."""
    sighted: Places = ()
    """Rooms of which it is known only that somebody of the Human side is in there; until the Human player moves."""

    def without(self, units: UnitIds) -> Told:
        """Units are shown no longer."""
        humans, mutants = (tuple(unit for unit in shown if unit not in units) for shown in (self.humans, self.mutants))
        return replace(self, humans=humans, mutants=mutants)

    def sighting(self, rooms: Places) -> Told:
        """Somebody of the Human side is in these rooms. Where Mutants are, nothing is left to be told (OPT.V.C-d)."""
        known = {*self.sighted, *rooms}
        return replace(self, sighted=tuple(sorted(known.difference(self.rooms)))) if known else self


class Question(Task[Any], frozen=True, forbid_unknown_fields=True, rename="kebab", tag=False):
    """What one player has to tell before the game goes on: it follows from what only he knows. Nobody has a choice."""

    asks: ClassVar[bool] = True
    phase: ClassVar[str] = ASKED

    of: Side
    """Who has to answer."""
    rooms: Places = ()
    """Rooms in which he shows who is there (OPT.V.C-d, OPT.V.D-c); the Human player their Walls too (OPT.V.C-a)."""
    doors: Doors = ()
    """A door that was tried: the Human player tells whether it has a Wall (M23), the Mutant what came of it."""
    behind: Places = ()
    """A room of which the Human player tells whether somebody is in there (OPT.V.C-b, OPT.IV.A.6)."""
    fleeing: UnitIds = ()
    """Who flees into the room `behind` unless somebody is in there."""
    ending: bool = False
    """Whether the game ends once he has laid his notes open too."""

    @property
    def about(self) -> str:
        """What it is about, as a clause that follows "tell"."""
        if self.ending:
            return "where all his units are"
        if self.doors:
            what = "whether a Wall is in" if self.of == "human" else "what came of the attempt at"
            return f"{what} {listing(self.doors)}"
        if self.behind:
            return f"whether somebody is in {listing(self.behind)}"
        return f"who is in {listing(self.rooms)}"

    def seat(self, state: Any) -> Seat:  # noqa: ARG002 - it is the same in every state
        """Who has to answer."""
        return self.of

    def words(self, state: Any) -> str:  # noqa: ARG002
        """What has to be told."""
        return f"the {self.of} player tells {self.about} first"

    @property
    def rule(self) -> str:
        """The rule by which it has to be answered."""
        if self.ending:
            return "VIII-a"
        if self.doors:
            return "OPT.V.C-a"
        if self.behind:
            return "OPT.IV.A.6" if self.fleeing else "OPT.V.C-b"
        return "OPT.V.C-d" if self.of == "human" else "OPT.V.D-c"


NONE_OPEN: frozenset[tuple[str, str]] = frozenset()
NOBODY_LEFT: Mapping[Seat, tuple[str, ...]] = {"human": (), "mutant": ()}


class Attempt(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What Mutants try at a door whose Wall they cannot know (M23)."""

    door: DoorName
    units: UnitIds
    die: Annotated[int, Meta(ge=1, le=6)] | None = None
    """What was thrown to smash it; None: they open it."""


class State(Struct, frozen=True, dict=True):
    """Everything about a game at one moment."""

    board: Board
    options: Options
    """The values in force; what each means stands in options.py."""
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
    swapped: bool = False
    """Whether the players have changed chairs, and so their names (II.A-e)."""
    stop: Side | None = None
    """Who would end the game here, if the other agrees (M25)."""
    outcome: Outcome | None = None
    told: Told = Told()
    """What both players have been told; empty without Hidden Movement."""
    faded: frozenset[str] = frozenset()
    """Mutants that were eliminated out of the Human player's sight; they are in `gone` too."""
    asked: Question | None = None
    """What has to be told before anything else happens; everybody knows what is asked."""
    pending: Attempt | None = None
    """What waits for the answer; only the Mutant player knows."""
    unknown: frozenset[str] | None = None
    """In a view that keeps something secret: units that it tells nothing about. None in the state itself."""

    # Who is where

    def where(self, units: Iterable[str]) -> frozenset[str | None]:
        """The places of these units; None for who is not on the board."""
        return frozenset(map(self.at.get, units))

    @cached
    def crowds(self) -> Mapping[str, tuple[str, ...]]:
        """Units of each place that has any, in the order of the counters."""
        found = defaultdict[str, list[str]](list)
        for unit, place in self.at.items():
            found[place].append(unit)
        return {place: tuple(units) for place, units in found.items()}

    def fighters(self, side: Seat, place: str) -> tuple[str, ...]:
        """Units of a side in a place. A captive Penny is none of either side (OPT.VI.C-b, M49)."""
        return tuple(filter(self._fighters[side].__contains__, self.crowds.get(place, ())))

    def all_fighters(self, side: Seat, places: Container[str]) -> tuple[str, ...]:
        """Units of a side in any of these places, in the order of the counters; the captive Penny not among them."""
        fighters = self._fighters[side]
        return tuple([unit for unit, place in self.at.items() if place in places and unit in fighters])

    @property
    def _fighters(self) -> Mapping[Seat, frozenset[str]]:
        return self.board.without_penny if self.captive else self.board.of_side

    def strength(self, side: Seat) -> int:
        """Units of a side on the board, as far as this view knows them; a captive is not counted (M49)."""
        return len(self._fighters[side] & self.at.keys())

    def is_captive(self, unit: str) -> bool:
        """Whether a unit is Penny, held by Mutants."""
        return self.captive and unit == "penny"

    def is_janibot(self, unit: str) -> bool:
        """Whether a unit is a Janibot."""
        return self.board.units[unit].kind == "janibot"

    def needs_company(self, unit: str) -> bool:
        """Whether a unit goes only along with others: a Janibot (IV.C.2-a), captive Penny (OPT.VI.C-d)."""
        return self.is_janibot(unit) or self.is_captive(unit)

    @property
    def inert(self) -> frozenset[str]:
        """Mutants that have left the building and so are out of play (M57)."""
        return self.exited if self.options["exited-mutants"] == "inert" else frozenset()

    def contested(self) -> tuple[str, ...]:
        """Rooms with units of both sides (V.A-a); no Combat is fought in a Set Up square (M61)."""
        return self._contested

    @cached
    def _contested(self) -> tuple[str, ...]:
        both = (
            self.held_by_mutants.intersection(map(self.at.get, self._fighters["human"])) if self.held_by_mutants else ()
        )
        return tuple(place for place in dict.fromkeys(self.at.values()) if place in both) if both else ()

    @cached
    def held_by_mutants(self) -> frozenset[str]:
        """Rooms in which Mutants are."""
        return _held_by_mutants(self.board, self.at)

    def unplaced(self, side: Seat) -> tuple[str, ...]:
        """Units of a side that are not set up yet."""
        return self._unplaced[side]

    @cached
    def _unplaced(self) -> Mapping[Seat, tuple[str, ...]]:
        left = self.board.everybody.difference(self.at, self.gone, self.pool, self.unknown or ())
        if not left:
            return NOBODY_LEFT
        ours = {side: left & units for side, units in self.board.of_side.items()}
        return {side: tuple(filter(units.__contains__, self.board.units)) for side, units in ours.items()}

    def count(self, place: str, *kinds: str) -> int:
        """How many units of these kinds stand in a place; a captive is not counted."""
        units = self.crowds.get(place, ())
        return sum(self.board.units[unit].kind in kinds and not self.is_captive(unit) for unit in units)

    # What is kept secret

    @cached
    def views(self) -> dict[Seat | None, State]:
        """What seats may know of this state, once that was asked for."""
        return {}

    @property
    def is_hidden(self) -> bool:
        """Whether Hidden Movement is played (OPT.V.A)."""
        return self.options["hidden-movement"] == "yes"  # asked more often than all other options together

    def is_only_told(self, side: Seat, place: str) -> bool:
        """Whether this view knows no more of a side in a place than that somebody is there (OPT.V.C-c, OPT.V.D-c)."""
        told = self.told.rooms if side == "mutant" else self.told.sighted
        return self.is_partial and place in told and not self.fighters(side, place)

    @property
    def in_plain_view(self) -> frozenset[str]:
        """Units that everybody sees in a game with Hidden Movement; Mutants in a square are never shown (OPT.V.D-a)."""
        return frozenset((*self.told.humans, *self.told.mutants, *(["penny"] if self.captive else [])))

    @property
    def can_hide(self) -> tuple[str, ...]:
        """Human-side units that may be taken off the gameboard: nobody of the Mutants is with them (OPT.V.C-e)."""
        if not self.told.humans or self.asked or self.outcome or self.phase in SETTING_UP:
            return ()
        shown = (unit for unit in self.told.humans if not self.is_captive(unit))
        return tuple(unit for unit in shown if self.is_unwatched(self.at[unit]))

    def is_unwatched(self, place: str) -> bool:
        """Whether a place is a room without Mutants and without a Combat, as all know."""
        in_combat = self.combat is not None and self.combat.room == place
        return not (is_square(place) or place in self.told.rooms or in_combat)

    def may_hold_mutants(self, place: str) -> bool:
        """Whether Mutants are in a place, or may be there as far as this view knows."""
        if self.fighters("mutant", place):
            return True
        unseen = self.unknown is not None and not self.unknown.isdisjoint(self.board.of_side["mutant"])
        return unseen and (is_square(place) or place in self.told.rooms)

    @property
    def is_partial(self) -> bool:
        """Whether this is a view that keeps something secret."""
        return self.unknown is not None

    def knows_enemies(self, side: Seat, place: str) -> bool:
        """Whether the player of a side knows of enemies in a place: he sees them, or has been told of them.

        Rooms with Mutants are always told (OPT.V.D-b), rooms with Human-side units sometimes (OPT.V.C-b, OPT.IV.A.6).
        """
        told = self.told.rooms if side == "human" else self.told.sighted
        return place in told or bool(self.fighters(other_side(side), place))

    # Whose choice it is

    @property
    def next_in_combat(self) -> Side:
        """The player whom the rules of Combat name for the next choice (V.B-a, V.B.3-a, V.B.3-d)."""
        if self.combat is None or self.combat.stage == "resolve":
            return self.last_mover
        return self.combat.first if self.combat.stage == "lay" else other_side(self.combat.first)

    @property
    def last_mover(self) -> Side:
        """Who has just completed his Movement Phase; the Mutant player on Turn 1 of the Alternate Scenario (M48)."""
        return "human" if self.phase == "human-combat" else "mutant"

    @property
    def the_combat(self) -> Combat:
        """The Combat that is being fought; ValueError if none is."""
        if self.combat is None:
            raise ValueError("no Combat is being fought")
        return self.combat

    @property
    def chooser(self) -> Side:
        """The chair with the higher roll, which chooses its side (II.A-c)."""
        human, mutant = self.rolled or (0, 0)
        return "human" if human > mutant else "mutant"

    # What the rules ask

    def plays(self, option: str) -> bool:
        """Whether an Optional Rule is played: an option that is yes or no."""
        return self.options[option] == "yes"

    @property
    def alternate(self) -> bool:
        """Whether the Alternate Scenario is played."""
        return self.options["scenario"] == "alternate"

    @property
    def last_turn(self) -> int:
        """Turn 10, or 15 in the Alternate Scenario (VII.B-a, VII.B-b, OPT.VI.E)."""
        return ALTERNATE_TURNS if self.alternate else BASIC_TURNS

    @property
    def walls_in_hand(self) -> int:
        """Walls not yet placed: of twelve (II.B.1.a-a), or of fifteen with the aid (OPT.II.A)."""
        more = self.board.file.more_walls if self.plays("help-humans") else 0
        return self.board.file.walls + more - len(self.walls)

    def beside(self, place: str) -> Beside:
        """Places next to a place (IV.A.2-c), each with the door that leads there."""
        return self._passages.beside[place]

    @cached
    def _passages(self) -> Passages:
        closed = self.plays("corner-squares")
        return self.board.passages_round_corners if closed else self.board.passages

    def ways(self, side: Seat) -> Ways:
        """Where units of a side can go from every place, as far as doors and Walls let them (IV-a, IV.A.2-c)."""
        return self._of_humans if side == "human" else self._of_mutants

    @cached
    def _of_humans(self) -> Ways:
        return self._passages.of_humans(self.walls)

    @cached
    def _of_mutants(self) -> Ways:
        return self._passages.of_mutants(self.walls, self.smashed, self._held_open)

    @property
    def _held_open(self) -> frozenset[tuple[str, str]]:
        if not self.opened:
            return NONE_OPEN
        return frozenset(way for door, _ in self.opened for way in self.ways_held_open(door))

    def are_beside(self, one: str, other: str) -> bool:
        """Whether two places share a side."""
        return other != OFF and other in self.beside(one)

    def door(self, one: str, other: str) -> str | None:
        """The door between two places; None between Set Up squares (IV.B.4-c)."""
        return self.board.doors.get((one, other))

    def _is_held_open(self, door: str, origin: str, to: str) -> bool:
        """Whether a door is held open for all who come from `origin` (M30), until the Step ends (M31)."""
        far, near = (door, to) in self.opened, (door, origin) in self.opened
        return {"far": far, "either": far or near, "both": far and near}[self.options["opener-side"]]

    def ways_held_open(self, door: str) -> tuple[tuple[str, str], ...]:
        """From where to where Mutants may pass a door while it is held open."""
        one, other = self.board.ends[door]
        return tuple(way for way in ((one, other), (other, one)) if self._is_held_open(door, *way))

    # What events change

    def put(self, units: Iterable[str], place: str) -> dict[str, str]:
        """Where everybody is once these units are put in a place."""
        return self.board.put(self.at, dict.fromkeys(units, place))

    def take_off(self, units: Iterable[str]) -> dict[str, str]:
        """Where the others are once these units are off the board."""
        left = dict(self.at)
        for unit in units:
            left.pop(unit, None)
        return left

    def eliminate(self, units: UnitIds) -> State:
        """The state once these units are eliminated."""
        if not units:
            return self
        told = self.told.without(units) if self.is_hidden else self.told
        return replace(self, at=self.take_off(units), gone=self.gone.union(units), told=told)

    def fight(self, **changes: object) -> State:
        """The state once the Combat that is being fought has changed so."""
        return replace(self, combat=replace(self.the_combat, **changes))


@latest
def _held_by_mutants(board: Board, at: Mapping[str, str]) -> frozenset[str]:
    """Rooms in which Mutants are: the same in all states in which everybody stands where he stood."""
    return board.all_rooms.intersection(map(at.get, board.of_side["mutant"]))
