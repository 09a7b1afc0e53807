"""What happens in Attack of the Mutants. Events carry results, so that applying one needs no rule."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome
from referee.engine.secret import Secret
from referee.games.mutants.board import DoorName, Doors, Place, Side
from referee.games.mutants.state import Combat, Phase, State, UnitId, UnitIds
from referee.games.mutants.telling import (
    Announced,
    Asked,
    AttemptSettled,
    Barred,
    Concealed,
    Disclosed,
    Tried,
    Unnoticed,
)

Die = Annotated[int, Meta(ge=1, le=6)]


class SidesRolled(Event, frozen=True, tag="sides-rolled"):
    """Each chair rolled a die for the choice of sides."""

    human: Die
    mutant: Die

    def apply(self, state: State) -> State:
        """Remember the dice; after a tie both roll again."""
        phase: Phase = "sides" if self.human == self.mutant else "choose"
        return replace(state, phase=phase, rolled=(self.human, self.mutant))


class SideChosen(Event, frozen=True, tag="side-chosen"):
    """The higher roll has chosen its side."""

    by: Side
    """The chair that chose."""
    side: Side

    def apply(self, state: State) -> State:
        """Sides are settled, and the Human player sets up; who wants the other side changes chairs (II.A-e)."""
        return replace(state, phase="setup-human", swapped=self.by != self.side)


class Walled(Unnoticed, frozen=True, tag="walled"):
    """Walls were put in doors."""

    doors: Annotated[tuple[DoorName, ...], Meta(max_length=300)]

    def apply(self, state: State) -> State:
        """Block the doors."""
        return replace(state, walls=state.walls.union(self.doors))


class Placed(Unnoticed, frozen=True, tag="placed"):
    """Units were set up in a place, or shifted to it."""

    units: UnitIds
    place: Place

    def apply(self, state: State) -> State:
        """Put them there."""
        return replace(state, at=state.board.put(state.at, dict.fromkeys(self.units, self.place)))


class Lifted(Unnoticed, frozen=True, tag="lifted"):
    """Walls and units were taken back into the hand."""

    doors: Doors
    units: UnitIds

    def apply(self, state: State) -> State:
        """Take them off."""
        return replace(state, walls=state.walls.difference(self.doors), at=_drop(state, self.units))


class Arrived(Unnoticed, frozen=True, tag="arrived"):
    """Mutants were drawn and have come into the Tech Room."""

    die: Die
    units: UnitIds
    place: Place

    def apply(self, state: State) -> State:
        """Take them out of the pool and put them into the room."""
        pool = tuple(unit for unit in state.pool if unit not in self.units)
        at = state.board.put(state.at, dict.fromkeys(self.units, self.place))
        return replace(state, pool=pool, at=at, arrived=frozenset(self.units))


class Attacked(Unnoticed, frozen=True):
    """Mutants have attacked a door, which nobody may attack again this Turn."""

    door: DoorName
    units: UnitIds
    die: Die
    needed: Die

    def apply(self, state: State) -> State:
        """Note what and who has been used."""
        return replace(state, attempted=state.attempted | {self.door}, used=state.used.union(self.units))


class Smashed(Attacked, frozen=True, tag="smashed"):
    """An attempt succeeded: the door is smashed for the rest of the game."""

    def apply(self, state: State) -> State:
        """Mark the door."""
        return replace(super().apply(state), smashed=state.smashed | {self.door})


class Withstood(Attacked, frozen=True, tag="withstood"):
    """An attempt failed: the door holds."""

    def apply(self, state: State) -> State:
        """Turn the attackers upside down."""
        return replace(super().apply(state), failed=state.failed.union(self.units))


class Opened(Unnoticed, frozen=True, tag="opened"):
    """Mutants hold a door open until the Movement Step ends."""

    door: DoorName
    units: UnitIds
    places: tuple[Place, ...]
    """Where the openers stand."""
    ways: tuple[tuple[Place, Place], ...]
    """Who may pass the door now: from where to where (M30)."""

    def apply(self, state: State) -> State:
        """Note the open door."""
        return replace(state, opened=state.opened.union((self.door, place) for place in self.places))


class Moved(Unnoticed, frozen=True, tag="moved"):
    """Units have moved one room or square, and the hand is off them (IV.A-c, M36)."""

    settles = True
    units: tuple[tuple[UnitId, Place], ...]
    """Who, each with where it came from."""
    to: Place

    def apply(self, state: State) -> State:
        """Put them there."""
        moved = {**state.moved, **dict(self.units)}
        return replace(state, at=_put(state, [unit for unit, _ in self.units], self.to), moved=moved)


class Escaped(Unnoticed, frozen=True, tag="escaped"):
    """Mutants of the Alternate Scenario have left the building."""

    units: UnitIds
    penny: bool
    """Whether they took Penny with them."""

    def apply(self, state: State) -> State:
        """Note who is out, and the best that is out."""
        best: Literal["mutant", "penny"] = "penny" if self.penny or state.escape == "penny" else "mutant"
        return replace(state, exited=state.exited.union(self.units), escape=best)


class CombatBegun(Event, frozen=True, tag="combat-begun"):
    """A Combat starts: its units go to the Combat Display."""

    room: Place
    human: UnitIds
    mutant: UnitIds

    def apply(self, state: State) -> State:
        """Nothing moves on the board; the first Round follows."""
        return state


class RoundBegun(Event, frozen=True, tag="round-begun"):
    """A Round of the Combat starts."""

    evident = True

    combat: Combat
    modifier: bool
    """Whether each die of the side with many more units counts one less (OPT.III)."""

    def apply(self, state: State) -> State:
        """Clear the boxes."""
        return replace(state, combat=self.combat)


class Engaged(Event, frozen=True, tag="engaged"):
    """A player has filled his Engaged boxes: he lays out first, or pairs off."""

    evident = True

    side: Side
    units: UnitIds
    reserve: UnitIds

    def apply(self, state: State) -> State:
        """Fill the boxes; whoever lays out stands."""
        if state.combat and state.combat.first == self.side:
            return _fight(state, laid=self.units, stage="pair", may_retreat=False)
        return _fight(state, paired=self.units, stage="resolve")


class Fought(Event, frozen=True, tag="fought"):
    """A pair has rolled once, both at the same time."""

    evident = True

    human: UnitId
    mutant: UnitId
    human_die: Die
    mutant_die: Die
    eliminated: UnitIds
    captured: bool = False
    """Whether the Human-side unit is Penny and was taken captive."""

    def apply(self, state: State) -> State:
        """Take the eliminated off the board; once somebody was hit, the next pair is due."""
        if not (self.eliminated or self.captured):
            return state
        state = replace(_without(state, self.eliminated), captive=state.captive or self.captured)
        return _fight(state, due=state.combat.due + 1 if state.combat else 0)


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The Combat is over: survivors go back to the room."""

    room: Place
    survivors: UnitIds

    def apply(self, state: State) -> State:
        """Clear the Combat Display."""
        return replace(state, combat=None)


class Retreated(Event, frozen=True, tag="retreated"):
    """Units have bugged out of a Combat."""

    settles = True
    side: Side
    units: UnitIds
    origin: Place
    to: Place | None
    """None: a square that is a secret."""
    into: Secret[Place] | None
    """That square: with Hidden Movement it is never shown (OPT.V.D-a)."""
    complete: bool
    """Whether nobody was left behind, so that they may be pursued."""

    @property
    def refuge(self) -> str | None:
        """Where they are now; None: out of sight."""
        return self.into.value if self.into and self.into.known else self.to

    def apply(self, state: State) -> State:
        """Put them into the refuge, or out of sight."""
        there = _put(state, self.units, self.refuge) if self.refuge else _drop(state, self.units)
        shown = tuple(unit for unit in self.units if not state.is_captive(unit))
        state = replace(state, at=there, told=state.told.without(shown) if self.into else state.told, asked=None)
        if not self.complete:
            return _fight(state, may_retreat=False)
        fled = sum(not state.is_captive(unit) for unit in self.units)
        return _fight(state, stage="pursue", may_retreat=False, refuge=self.to, fled=fled, first=self.side)


class Pursued(Event, frozen=True, tag="pursued"):
    """Units have followed those who fled."""

    settles = True
    units: UnitIds
    origin: Place
    to: Place

    def apply(self, state: State) -> State:
        """Put them into the same room."""
        return replace(state, at=_put(state, self.units, self.to))


class Held(Event, frozen=True, tag="held"):
    """Nobody follows."""

    def apply(self, state: State) -> State:
        """Nothing changes."""
        return state


class PennyFreed(Event, frozen=True, tag="penny-freed"):
    """No Mutant is left with Penny: she is free."""

    place: Place

    def apply(self, state: State) -> State:
        """She is an ordinary Human unit again."""
        return replace(state, captive=False)


class Glowed(Unnoticed, frozen=True, tag="glowed"):
    """Every Radioactive Mutant was checked."""

    faces: tuple[tuple[UnitId, Die], ...]
    eliminated: tuple[tuple[UnitId, Place], ...]
    """Who died, and where."""

    def apply(self, state: State) -> State:
        """Take the eliminated off the board; with Hidden Movement nobody has seen them."""
        dead = tuple(unit for unit, _ in self.eliminated)
        faded = state.faded.union(dead) if state.is_hidden else state.faded
        return _without(replace(state, faded=faded), dead)


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The game goes on to another Phase or Step."""

    phase: Phase
    passed: tuple[Phase, ...] = ()
    """Phases and Steps passed over because nothing can be done in them."""
    rested: UnitIds = ()
    """Units that may move once more this Turn (M52)."""

    def apply(self, state: State) -> State:
        """Set the Phase. Opened doors close when the Movement Step is over.

        Once the Human player moves, nobody knows any more of rooms in which his units were reported.
        """
        opened = state.opened if self.phase in ("open", "move") else frozenset()
        moved = {unit: place for unit, place in state.moved.items() if unit not in self.rested}
        told = replace(state.told, sighted=()) if self.phase == "human-move" else state.told
        return replace(state, phase=self.phase, opened=opened, moved=moved, told=told)


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """The Game Turn unit is advanced by one box."""

    turn: Annotated[int, Meta(ge=1, le=15)]
    upturned: UnitIds = ()
    """Mutants that lay upside down."""

    def apply(self, state: State) -> State:
        """Nobody has moved or attacked a door yet in the new Turn."""
        new: dict[str, frozenset[str]] = dict.fromkeys(("attempted", "used", "failed", "arrived"), frozenset())
        return replace(state, turn=self.turn, moved={}, stop=None, **new)


class StopProposed(Event, frozen=True, tag="stop-proposed"):
    """A player would end the game here (M25)."""

    side: Side

    def apply(self, state: State) -> State:
        """It is for the other player to agree, until the Turn ends."""
        return replace(state, stop=self.side)


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Close the game; nothing more is played, and nothing is a secret any more (INTRO.IV.E, IV.A.7-b)."""
        if state.is_hidden:
            nobody: frozenset[str] = frozenset()
            state = replace(state, attempted=nobody, used=nobody, failed=nobody, opened=frozenset(), arrived=nobody)
            state = replace(state, moved={}, faded=nobody, asked=None, pending=None, unknown=None)
        return replace(state, phase="over", outcome=self.outcome, combat=None)


class Blocked(Unnoticed, frozen=True, tag="blocked"):
    """Mutants tried to open a door and found a Wall that had not been shown."""

    door: DoorName
    units: UnitIds

    def apply(self, state: State) -> State:
        """The door has been tried, and stays shut."""
        return replace(state, attempted=state.attempted | {self.door})


class SetUpDone(Event, frozen=True, tag="set-up-done"):
    """A player has completed his set-up."""

    side: Side

    def apply(self, state: State) -> State:
        """Nothing moves; in the Alternate Scenario all Mutants are mixed now."""
        if self.side == "human" and state.alternate:
            return replace(state, pool=state.unplaced("mutant"))
        return state


SetUpEvent = SidesRolled | SideChosen | Walled | Placed | Lifted | SetUpDone | Arrived
DoorEvent = Smashed | Withstood | Opened | Blocked | Tried | AttemptSettled
MovementEvent = Moved | Escaped | PennyFreed | Glowed
TellingEvent = Concealed | Asked | Announced | Disclosed
CombatEvent = CombatBegun | RoundBegun | Engaged | Fought | CombatEnded
FlightEvent = Retreated | Pursued | Barred | Held
TurnEvent = PhaseBegun | TurnBegun | StopProposed | Ended
MutantsEvent = SetUpEvent | DoorEvent | MovementEvent | TellingEvent | CombatEvent | FlightEvent | TurnEvent


def _put(state: State, units: list[str] | tuple[str, ...], place: str) -> dict[str, str]:
    return {**state.at, **dict.fromkeys(units, place)}


def _drop(state: State, units: tuple[str, ...]) -> dict[str, str]:
    return {unit: place for unit, place in state.at.items() if unit not in units}


def _without(state: State, units: tuple[str, ...]) -> State:
    if not units:
        return state
    told = state.told.without(units) if state.is_hidden else state.told
    return replace(state, at=_drop(state, units), gone=state.gone.union(units), told=told)


def _fight(state: State, **changes: object) -> State:
    if state.combat is None:
        raise ValueError("no Combat is being fought")
    return replace(state, combat=replace(state.combat, **changes))
