"""Who knows what in a game with Hidden Movement (OPT.V): what each player sees, is told and is asked.

The state is the truth, and a view is as much of it as one seat may know: the notes that each player keeps in secret in
place of the photocopies (OPT.V.A, M59), and what was told to both. Each play is judged on what its own side knows, so
a side tells what it knows, and is asked for what follows from it (OPT.V.C, OPT.V.D).
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Script, Seat, Unseen
from referee.engine.legal import Action
from referee.engine.secret import blinded
from referee.games.mutants.board import SEATS, DoorName, Doors, Place, Side, is_square
from referee.games.mutants.state import (
    MUTANT_MOVEMENT,
    SETTING_UP,
    Attempt,
    Places,
    Question,
    State,
    Told,
    UnitId,
    UnitIds,
    other_side,
    side_of,
)

NOBODY: frozenset[str] = frozenset()
OF_MUTANTS: Mapping[str, Any] = {
    "pool": (),
    "attempted": frozenset(),
    "used": frozenset(),
    "failed": frozenset(),
    "opened": frozenset(),
    "arrived": frozenset(),
    "exited": frozenset(),
    "escape": "none",
    "faded": frozenset(),
    "pending": None,
}
"""What only the Mutant player knows, as all others see it: nothing is told of attempts that fail (M58)."""
DISCLOSED = ("pool", "exited", "escape")
"""What of this the Mutant player tells when the game is about to end."""
UNDISCLOSED = {name: unseen for name, unseen in OF_MUTANTS.items() if name not in DISCLOSED}
"""What he does not tell even then."""


# What a seat sees


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator.

    Without Hidden Movement, and when the game is over, everything is in plain view (INTRO.IV.E, IV.A.7-b).
    """
    if not state.is_hidden or state.outcome:
        return state
    if seat not in state.views:
        state.views[seat] = _partial(state, side_of(seat) if seat in SEATS else None)
    return state.views[seat]


def _partial(state: State, own: Side | None) -> State:
    """The notes of a side, and those that the other has laid open when the game is about to end."""
    disclosed = _disclosed(state)
    known, of_side = (own, *disclosed), state.board.of_side
    visible = _visible(state, known)
    at = {unit: place for unit, place in state.at.items() if unit in visible}
    gone = state.gone if "mutant" in known else state.gone - state.faded
    secret = of_side[own] & state.unknown if own and state.unknown else NOBODY
    movers = _movers(state, own)
    return replace(
        state,
        at=at,
        gone=gone,
        walls=state.walls if "human" in known else state.walls.intersection(state.told.walls),
        moved={unit: place for unit, place in state.moved.items() if unit in movers},
        unknown=secret.union(*[of_side[side] for side in of_side if side not in known]).difference(at, gone),
        **({} if own == "mutant" else UNDISCLOSED if "mutant" in disclosed else OF_MUTANTS),
    )


def _disclosed(state: State) -> tuple[Side, ...]:
    """The side that has laid its notes open, because the game is about to end."""
    return (other_side(state.asked.of),) if state.asked and state.asked.ending else ()


def _visible(state: State, sides: Container[Side | None]) -> frozenset[str]:
    """The units of these sides, and those that everybody sees."""
    of_side = state.board.of_side
    return state.in_plain_view.union(*[of_side[side] for side in of_side if side in sides])


def _movers(state: State, own: Side | None) -> frozenset[str]:
    """Units of which a side knows whether they have moved: its own; while they move, their captive goes with Mutants.

    Everybody sees her go, so the Human player knows it too.
    """
    if own is None:
        return frozenset()
    led = own == "mutant" and state.captive and state.phase in MUTANT_MOVEMENT
    return state.board.of_side[own] | {"penny"} if led else state.board.of_side[own]


# What is noted, asked and told


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
        return replace(
            state,
            told=self._told(state),
            at=state.board.put(state.at, dict(self.units)) if self.units else state.at,
            moved=self._moved(state),
            walls=state.walls.union(self.walls),
            smashed=state.smashed.union(self.smashed),
            asked=None,
        )

    def _told(self, state: State) -> Told:
        told, board = state.told, state.board
        of_side: dict[Side, list[str]] = {"human": [], "mutant": []}
        for unit, _ in self.units:
            of_side[board.side_of(unit)].append(unit)
        mutants = _joined(told.mutants, of_side["mutant"], board.sorted)
        told = replace(
            told,
            humans=_joined(told.humans, of_side["human"], board.sorted),
            mutants=tuple(unit for unit in mutants if unit not in self.lost) if self.lost else mutants,
            walls=_joined(told.walls, self.walls, sorted),
            clear=_joined(told.clear, self.clear, sorted),
            rooms=told.rooms if self.rooms is None else self.rooms,
        )
        return told.sighting(tuple(room for room, somebody in self.behind if somebody))

    def _moved(self, state: State) -> Mapping[str, str]:
        """Whom the Mutants lead along in their Movement Step has moved, for all to see (M52)."""
        led = state.captive and state.phase == "move" and dict(self.units).get("penny")
        return {**state.moved, "penny": state.at["penny"]} if led and led != state.at["penny"] else state.moved


def _joined(known: tuple[str, ...], more: Iterable[str], order: Callable[[set[str]], Iterable[str]]) -> tuple[str, ...]:
    """What is known, in order, once there is more of it."""
    new = set(more).difference(known)
    return tuple(order(new.union(known))) if new else known


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
        state = replace(state, at=state.board.put(state.at, dict(self.units)), asked=None)
        if self.side == "human":
            return replace(state, walls=state.walls.union(self.walls))
        gone, exited = state.gone.union(self.gone), frozenset(self.exited)
        return replace(state, gone=gone, pool=self.pool, exited=exited, escape=self.escape)


NOTHING = Announced()
"""When there is nothing to be told."""


def is_secret(action: Action) -> bool:
    """Whether an action is noted in secret."""
    return isinstance(action, Noted) and action.is_noted


def announcing(state: State, side: Side, script: Script[State]) -> Script[State]:
    """A script that tells both players, after each of its events, what they get to know by it as far as this side
    knows, and asks for the rest. Once something is asked the script has to end; `answering` goes on from there.
    """
    happened = next(script, None)
    while happened is not None:
        event = happened.event if isinstance(happened, Unseen) else happened
        is_seen = not isinstance(event, Unnoticed)
        before, state = state, (yield event if is_seen else Unseen(event))
        if _may_tell(before, state):
            news = _news(_seen(before, event if is_seen else None), before, state, side)
            state = (yield news) if news else state
            question = None if state.asked else _question(before, state)
            state = (yield Asked(question)) if question else state
        try:
            happened = script.send(state)
        except StopIteration:
            return


def _may_tell(before: State, after: State) -> bool:
    """Whether anything has changed of which something may have to be told: nothing before all is set up."""
    if after.outcome or after.phase in SETTING_UP:
        return False
    return (
        before.at is not after.at
        or before.told is not after.told
        or before.smashed is not after.smashed
        or before.captive is not after.captive
        or (before.combat and before.combat.room) != (after.combat and after.combat.room)
    )


# What a side tells


def _seen(before: State, event: Event | None) -> Mapping[str, str]:
    """Where all have seen units after an event, or after one that nobody sees."""
    visible = _visible(before, _disclosed(before))
    at = {unit: before.at[unit] for unit in visible if unit in before.at}
    return blinded(event, None).apply(replace(before, at=at)).at if event else at


def _news(seen: Mapping[str, str], before: State, after: State, side: Side) -> Announced | None:
    """What is to be told after an event: how far what all have seen of it is behind what all may know now."""
    told, at = _told_by(before, after, side), after.at
    moved = {unit for unit in (*told.humans, *told.mutants) if unit in at and seen.get(unit) != at[unit]}
    news = Announced(
        units=tuple((unit, at[unit]) for unit in after.board.sorted(moved)) if moved else (),
        lost=tuple(unit for unit in after.told.mutants if unit not in told.mutants),
        smashed=tuple(sorted(after.smashed - before.smashed)),
        rooms=told.rooms if told.rooms != after.told.rooms else None,
    )
    return news if news != NOTHING else None


def _told_by(before: State, after: State, side: Side) -> Told:
    """Whom both see now, and which rooms hold Mutants, as far as a side knows."""
    rooms = {*after.held_by_mutants} if side == "mutant" else _held(before, after)
    shared = {*after.contested(), *([after.combat.room] if after.combat else [])}
    met = after.all_fighters("human", rooms) if side == "human" else ()
    return replace(
        after.told,
        humans=(*after.told.humans, *met),
        mutants=after.all_fighters("mutant", shared) if shared else (),
        rooms=tuple(sorted(rooms)),
    )


def _held(before: State, after: State) -> set[str]:
    """Rooms that hold Mutants, as everybody knows: where any is shown all are, so it shows too when they leave."""
    in_sight = {before.at[unit] for unit in before.told.mutants}
    return {*after.told.rooms}.difference(in_sight).union(after.held_by_mutants)


# What it asks


def _question(before: State, after: State) -> Question | None:
    """What has to be told next by who knows it. It depends on nothing but what everybody sees."""
    for door in after.smashed - before.smashed:
        behind = tuple(room for room in after.board.ends[door] if room not in after.told.rooms)
        rooms = tuple(room for room in behind if not is_square(room))
        return Question("human", behind=rooms) if rooms else None
    entered = tuple(room for room in after.told.rooms if room not in before.told.rooms)
    if entered:
        return Question("human", rooms=entered)
    met = rooms_met(after)
    return Question("mutant", rooms=met) if met else None


def rooms_met(state: State) -> tuple[str, ...]:
    """Rooms where units of the Human side are shown, and the Mutants with them are not yet (OPT.V.D-c)."""
    shown = {state.at[unit] for unit in state.told.humans if not state.is_captive(unit)}
    seen = {state.at[unit] for unit in state.told.mutants}
    return tuple(room for room in state.told.rooms if room in shown - seen)


# What must have been told in a position


def told_of(state: State) -> Told:
    """What both players have been told at the latest in this truth, but for what is just being asked.

    Human-side units are shown when Mutants share their room (OPT.V.C-d), not before (OPT.V.C-c), and the Mutants with
    them. The rooms that hold Mutants are always told, so both learn too when they leave one (OPT.V.D-b, M58).
    """
    told, asked = state.told, state.asked or Question("human")
    rooms = state.held_by_mutants
    shared = {*state.contested(), *([state.combat.room] if state.combat else [])}
    shown = shared.difference(asked.rooms)
    humans = {*told.humans, *state.all_fighters("human", shared if asked.of == "mutant" else shown)}
    mutants = {*told.mutants, *state.all_fighters("mutant", shown)}
    walls, clear = _found(state, rooms.difference(asked.rooms))
    return Told(
        humans=state.board.sorted(humans.union(["penny"] if state.captive else []) & state.at.keys()),
        mutants=state.board.sorted(unit for unit in mutants if state.at.get(unit) in shared),
        walls=tuple(sorted(walls.union(told.walls))),
        clear=tuple(sorted(clear.union(told.clear))),
        rooms=tuple(sorted(rooms)),
        sighted=tuple(sorted(set(told.sighted) - rooms)),
    )


def _found(state: State, rooms: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Walls that Mutants have found: around these rooms, or where they tried a door (OPT.V.C-a, M23); and of the doors
    that they tried those without.
    """
    if state.options["wall-reveal"] == "on-contact":
        tried = state.attempted.intersection(state.board.wallable)
        return tried & state.walls, tried - state.walls
    return frozenset(wall for wall in state.walls if not rooms.isdisjoint(state.board.ends[wall])), frozenset()
