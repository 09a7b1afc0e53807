"""What is asked and told in a game with Hidden Movement (OPT.V)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.engine.legal import Action
from referee.games.mutants.board import DoorName, Doors, Place, Side
from referee.games.mutants.state import Attempt, Places, Question, State, Told, UnitId, UnitIds


class Noted(Action, frozen=True):
    """What is noted in secret: both set-ups (OPT.V.B-a, OPT.V.B-b, OPT.V.B-c), and what units do out of sight.

    How many such plays a player makes is in plain view (M65).
    """

    @property
    def is_noted(self) -> bool:
        """Whether this one is."""
        return True


class Unnoticed(Event, frozen=True):
    """What comes of it that the other player does not see: he is told of its effects only (`Announced`)."""


class Tried(Unnoticed, frozen=True, tag="tried"):
    """Mutants have tried a door whose Wall they cannot know; what comes of it waits for an answer (M23)."""

    attempt: Attempt

    def apply(self, state: State) -> State:
        """Keep it until then."""
        return replace(state, pending=self.attempt)


class AttemptSettled(Event, frozen=True, tag="attempt-settled"):
    """What came of the attempt at a door is settled; what that is shows if the door is smashed."""

    door: DoorName

    def apply(self, state: State) -> State:
        """Nothing waits any more."""
        return replace(state, asked=None, pending=None)


class Asked(Event, frozen=True, tag="asked"):
    """A player has to tell what only he knows."""

    tells = True
    question: Question

    def apply(self, state: State) -> State:
        """Nothing happens before he has."""
        return replace(state, asked=self.question)


class Barred(Event, frozen=True, tag="barred"):
    """A retreat was not made: somebody of the other side is in that room."""

    tells = True
    room: Place

    def apply(self, state: State) -> State:
        """Everybody has been told of it."""
        return replace(state, told=state.told.sighting((self.room,)), asked=None)


class Concealed(Event, frozen=True, tag="concealed"):
    """Human-side units were taken off the gameboard, to be noted in secret again."""

    units: UnitIds

    def apply(self, state: State) -> State:
        """They stay where they are, and are no longer shown."""
        return replace(state, told=state.told.without(self.units))


class Announced(Event, frozen=True, tag="announced"):
    """What both players are told in a game with Hidden Movement."""

    tells = True
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)] = ()
    """Who is to be put on the gameboard, or has moved there in plain sight, and where."""
    lost: UnitIds = ()
    """Mutants that were shown and are out of sight from now on."""
    walls: Doors = ()
    """Walls that are shown from now on."""
    clear: Doors = ()
    """Doors that were tried and have no Wall."""
    smashed: Doors = ()
    rooms: Places | None = None
    """All rooms that hold Mutants; None: the same as before."""
    behind: Annotated[tuple[tuple[Place, bool], ...], Meta(max_length=100)] = ()
    """Rooms, and whether somebody of the Human side is in there."""

    def apply(self, state: State) -> State:
        """Remember what was told, and learn from it; what was asked is answered by it."""
        at = {**state.at, **dict(self.units)}
        return replace(
            state,
            told=self._told(state),
            at={unit: at[unit] for unit in state.board.sorted(at)} if self.units else state.at,
            moved=self._moved(state),
            walls=state.walls.union(self.walls),
            smashed=state.smashed.union(self.smashed),
            asked=None,
        )

    def _told(self, state: State) -> Told:
        told, side_of = state.told, state.board.side_of
        humans = {unit for unit, _ in self.units if side_of(unit) == "human"}
        mutants = {unit for unit, _ in self.units if side_of(unit) == "mutant"}
        told = replace(
            told,
            humans=state.board.sorted(humans.union(told.humans)),
            mutants=state.board.sorted(mutants.union(told.mutants).difference(self.lost)),
            walls=tuple(sorted({*told.walls, *self.walls})),
            clear=tuple(sorted({*told.clear, *self.clear})),
            rooms=told.rooms if self.rooms is None else self.rooms,
        )
        return told.sighting(tuple(room for room, somebody in self.behind if somebody))

    def _moved(self, state: State) -> Mapping[str, str]:
        """Whom the Mutants lead along in their Movement Step has moved, for all to see (M52)."""
        led = state.captive and state.phase == "move" and dict(self.units).get("penny")
        return {**state.moved, "penny": state.at["penny"]} if led and led != state.at["penny"] else state.moved


class Disclosed(Event, frozen=True, tag="disclosed"):
    """At the end of a game with Hidden Movement a side lays its notes open."""

    tells = True
    side: Side
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)]
    """Where all its units are."""
    walls: Doors = ()
    """All Walls, from the Human player."""
    gone: UnitIds = ()
    """From the Mutant player: all that have died."""
    pool: UnitIds = ()
    exited: UnitIds = ()
    escape: Literal["none", "mutant", "penny"] = "none"

    def apply(self, state: State) -> State:
        """Everybody knows it now."""
        at = {**state.at, **dict(self.units)}
        state = replace(state, at={unit: at[unit] for unit in state.board.sorted(at)}, asked=None)
        if self.side == "human":
            return replace(state, walls=state.walls.union(self.walls))
        gone, exited = state.gone.union(self.gone), frozenset(self.exited)
        return replace(state, gone=gone, pool=self.pool, exited=exited, escape=self.escape)
