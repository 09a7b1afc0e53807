"""What happens in Attack of the Mutants. Events carry results, so that applying one needs no rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.game import Event, Outcome
from referee.games.mutants.board import DoorName, Doors, Place, Side
from referee.games.mutants.state import Combat, Phase, State, Told, UnitId, UnitIds

Die = Annotated[int, Meta(ge=1, le=6)]
Rolls = Annotated[tuple[tuple[Die, Die], ...], Meta(max_length=2000)]
Count = Annotated[int, Meta(ge=0, le=100)]


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
        """Sides are settled, and the Human player sets up."""
        return replace(state, phase="setup-human")


class Walled(Event, frozen=True, tag="walled"):
    """Walls were put in doors."""

    doors: Annotated[tuple[DoorName, ...], Meta(max_length=300)]

    def apply(self, state: State) -> State:
        """Block the doors."""
        return replace(state, walls=state.walls.union(self.doors))


class Placed(Event, frozen=True, tag="placed"):
    """Units were set up in a place."""

    units: UnitIds
    place: Place

    def apply(self, state: State) -> State:
        """Put them there."""
        return replace(state, at=_add(state, self.units, self.place))


class Arrived(Event, frozen=True, tag="arrived"):
    """Mutants were drawn and have come into the Tech Room."""

    die: Die
    units: UnitIds
    place: Place

    def apply(self, state: State) -> State:
        """Take them out of the pool and put them into the room."""
        pool = tuple(unit for unit in state.pool if unit not in self.units)
        at = _add(state, self.units, self.place)
        return replace(state, pool=pool, at=at, arrived=frozenset(self.units))


class Smashed(Event, frozen=True, tag="smashed"):
    """An attempt succeeded: the door is smashed for the rest of the game."""

    door: DoorName
    units: UnitIds
    die: Die
    needed: Die

    def apply(self, state: State) -> State:
        """Mark the door, and note who has been used."""
        return replace(
            state,
            smashed=state.smashed | {self.door},
            attempted=state.attempted | {self.door},
            used=state.used.union(self.units),
        )


class Withstood(Event, frozen=True, tag="withstood"):
    """An attempt failed: the door holds."""

    door: DoorName
    units: UnitIds
    die: Die
    needed: Die

    def apply(self, state: State) -> State:
        """Turn the attackers upside down."""
        return replace(
            state,
            attempted=state.attempted | {self.door},
            used=state.used.union(self.units),
            failed=state.failed.union(self.units),
        )


class Opened(Event, frozen=True, tag="opened"):
    """Mutants hold a door open until the Movement Step ends."""

    door: DoorName
    units: UnitIds
    places: tuple[Place, ...]
    """Where the openers stand."""

    def apply(self, state: State) -> State:
        """Note the open door."""
        return replace(state, opened=state.opened.union((self.door, place) for place in self.places))


class Moved(Event, frozen=True, tag="moved"):
    """Units have moved one room or square."""

    units: tuple[tuple[UnitId, Place], ...]
    """Who, each with where it came from."""
    to: Place

    def apply(self, state: State) -> State:
        """Put them there."""
        moved = {**state.moved, **dict(self.units)}
        return replace(state, at=_put(state, [unit for unit, _ in self.units], self.to), moved=moved)


class Escaped(Event, frozen=True, tag="escaped"):
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

    combat: Combat

    def apply(self, state: State) -> State:
        """Clear the boxes."""
        return replace(state, combat=self.combat)


class LaidOut(Event, frozen=True, tag="laid-out"):
    """The first player has filled his Engaged boxes."""

    side: Side
    units: UnitIds
    reserve: UnitIds

    def apply(self, state: State) -> State:
        """Fill the boxes; whoever lays out stands."""
        return _fight(state, laid=self.units, stage="pair", may_retreat=False)


class PairedOff(Event, frozen=True, tag="paired-off"):
    """The other player has filled the opposite boxes."""

    side: Side
    units: UnitIds
    reserve: UnitIds

    def apply(self, state: State) -> State:
        """Fill the boxes."""
        return _fight(state, paired=self.units, stage="resolve")


class Fought(Event, frozen=True, tag="fought"):
    """A pair has rolled until at least one of the two was hit."""

    human: UnitId
    mutant: UnitId
    rolls: Rolls
    """Human die and Mutant die of each roll; only the last one hits."""
    eliminated: UnitIds
    captured: bool = False
    """Whether the Human-side unit is Penny and was taken captive."""

    def apply(self, state: State) -> State:
        """Take the eliminated off the board."""
        return replace(_without(state, self.eliminated), captive=state.captive or self.captured)


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The Combat is over: survivors go back to the room."""

    room: Place
    survivors: UnitIds

    def apply(self, state: State) -> State:
        """Clear the Combat Display."""
        return replace(state, combat=None)


class Retreated(Event, frozen=True, tag="retreated"):
    """Units have bugged out of a Combat."""

    side: Side
    units: UnitIds
    origin: Place
    to: Place | None
    """None, as others see it: a square, which is never shown (OPT.V.D-a)."""
    complete: bool
    """Whether nobody was left behind, so that they may be pursued."""

    def apply(self, state: State) -> State:
        """Put them into the refuge, or out of sight."""
        there = _put(state, self.units, self.to) if self.to else _drop(state, self.units)
        state = replace(state, at=there)
        if not self.complete:
            return _fight(state, may_retreat=False)
        fled = sum(not state.is_captive(unit) for unit in self.units)
        return _fight(state, stage="pursue", may_retreat=False, refuge=self.to, fled=fled, first=self.side)


class Pursued(Event, frozen=True, tag="pursued"):
    """Units have followed those who fled."""

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


class Glowed(Event, frozen=True, tag="glowed"):
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
        nobody: frozenset[str] = frozenset()
        return replace(state, turn=self.turn, attempted=nobody, used=nobody, failed=nobody, arrived=nobody, moved={})


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Close the game; nothing more is played."""
        return replace(state, phase="over", outcome=self.outcome, combat=None)


class Blocked(Event, frozen=True, tag="blocked"):
    """Mutants tried to open a door and found a Wall that had not been shown."""

    door: DoorName
    units: UnitIds

    def apply(self, state: State) -> State:
        """The door has been tried, and stays shut."""
        return replace(state, attempted=state.attempted | {self.door})


class Barred(Event, frozen=True, tag="barred"):
    """A retreat was not made: somebody of the other side is in that room."""

    tells = True
    room: Place

    def apply(self, state: State) -> State:
        """Everybody has been told of it."""
        return replace(state, told=sight(state.told, (self.room,)))


class Concealed(Event, frozen=True, tag="concealed"):
    """Human-side units were taken off the gameboard, to be noted in secret again."""

    units: UnitIds

    def apply(self, state: State) -> State:
        """They stay where they are, and are no longer shown."""
        return replace(state, told=_untold(state.told, self.units))


class Announced(Event, frozen=True, tag="announced"):
    """What both players are told in a game with Hidden Movement."""

    tells = True
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)] = ()
    """Who is to be put on the gameboard, or has moved there in plain sight, and where."""
    lost: UnitIds = ()
    """Who was in plain sight and has gone out of it by a move that nobody saw."""
    walls: Doors = ()
    """Walls that are shown from now on."""
    smashed: Doors = ()
    rooms: Annotated[tuple[Place, ...], Meta(max_length=100)] | None = None
    """All rooms that hold Mutants; None: the same as before."""
    behind: Annotated[tuple[tuple[Place, bool], ...], Meta(max_length=100)] = ()
    """Rooms behind smashed doors, and whether somebody of the Human side is in there."""

    def apply(self, state: State) -> State:
        """Remember what was told; a view learns from it what the state itself holds already."""
        state = replace(state, told=self._told(state))
        if not state.is_partial:
            return state
        at = {**state.at, **dict(self.units)}
        return replace(
            state,
            at={unit: at[unit] for unit in state.board.sorted(at) if unit not in self.lost},
            walls=state.walls.union(self.walls),
            smashed=state.smashed.union(self.smashed),
        )

    def _told(self, state: State) -> Told:
        humans = {unit for unit, _ in self.units if state.board.side_of(unit) == "human"}
        told = replace(
            state.told,
            humans=state.board.sorted(humans.union(state.told.humans)),
            walls=tuple(sorted({*state.told.walls, *self.walls})),
            rooms=state.told.rooms if self.rooms is None else self.rooms,
        )
        return sight(told, tuple(room for room, somebody in self.behind if somebody))


class SetUpDone(Event, frozen=True, tag="set-up-done"):
    """A player has completed his set-up."""

    side: Side

    def apply(self, state: State) -> State:
        """Nothing moves; in the Alternate Scenario all Mutants are mixed now."""
        if self.side == "human" and state.alternate:
            return replace(state, pool=state.unplaced("mutant"))
        return state


MutantsEvent = (
    SidesRolled
    | SideChosen
    | Walled
    | Placed
    | SetUpDone
    | Arrived
    | Smashed
    | Withstood
    | Opened
    | Moved
    | Escaped
    | CombatBegun
    | RoundBegun
    | LaidOut
    | PairedOff
    | Fought
    | CombatEnded
    | Retreated
    | Pursued
    | Held
    | PennyFreed
    | Glowed
    | PhaseBegun
    | TurnBegun
    | Ended
    | Blocked
    | Barred
    | Concealed
    | Announced
)


def _put(state: State, units: list[str] | tuple[str, ...], place: str) -> dict[str, str]:
    return {**state.at, **dict.fromkeys(units, place)}


def _add(state: State, units: tuple[str, ...], place: str) -> dict[str, str]:
    at = _put(state, units, place)
    return {unit: at[unit] for unit in state.board.sorted(at)}


def _drop(state: State, units: tuple[str, ...]) -> dict[str, str]:
    return {unit: place for unit, place in state.at.items() if unit not in units}


def _without(state: State, units: tuple[str, ...]) -> State:
    if not units:
        return state
    told = _untold(state.told, units) if state.told.humans else state.told
    return replace(state, at=_drop(state, units), gone=state.gone.union(units), told=told)


def _untold(told: Told, units: tuple[str, ...]) -> Told:
    return replace(told, humans=tuple(unit for unit in told.humans if unit not in units))


def sight(told: Told, rooms: tuple[str, ...]) -> Told:
    """Somebody of the Human side is in these rooms. Where Mutants are, nothing is left to be told (OPT.V.C-d)."""
    return replace(told, sighted=tuple(sorted({*told.sighted, *rooms}.difference(told.rooms))))


def _fight(state: State, **changes: object) -> State:
    if state.combat is None:
        raise ValueError("no Combat is being fought")
    return replace(state, combat=replace(state.combat, **changes))
