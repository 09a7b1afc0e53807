"""What players of a game with Hidden Movement are told, and asked, of what the other knows (OPT.V).

Each play is judged on what its own side knows, so a side tells what it knows, and is asked for what follows from it
(OPT.V.C, OPT.V.D).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Script, Unseen
from referee.engine.secret import blinded
from referee.games.mutants.board import Doors, Place, Side, between, compact, is_square
from referee.games.mutants.state import SETTING_UP, Places, Question, State, Told, UnitId, UnitIds
from referee.games.mutants.view import Unnoticed, disclosed_by, visible_to


class Asked(Event, frozen=True, tag="asked"):
    """A player has to tell what only he knows."""

    told = "The {question.of} player tells {question.about}."
    tells = True
    question: Question

    def apply(self, state: State) -> State:
        """Nothing happens before he has."""
        return replace(state, asked=self.question)


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

    def tell(self) -> str:
        """Everything that both get to know."""
        return f"Told to both: {' '.join(self._announcements())}"

    def _announcements(self) -> Iterator[str]:
        """What both players are told, one sentence after another."""
        if self.lost:
            yield f"Take {compact(self.lost)} off the gameboard: out of sight."
        for place in dict.fromkeys(place for _, place in self.units):
            units = compact(tuple(unit for unit, at in self.units if at == place))
            yield f"Put {units} in {place} for all to see."
        yield from (f"Put the Wall on {between(door)} for all to see." for door in self.walls)
        yield from (f"No Wall is on {between(door)}." for door in self.clear)
        yield from (f"Put a Smashed Door marker on {between(door)}." for door in self.smashed)
        yield from (f"{'Somebody' if there else 'Nobody'} is in {room}." for room, there in self.behind)
        if self.rooms is not None:
            yield f"Mutants are in {', '.join(self.rooms)}." if self.rooms else "No Mutants are in the building."

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


def _joined(
    known: tuple[str, ...], more: Collection[str], order: Callable[[set[str]], Iterable[str]]
) -> tuple[str, ...]:
    """What is known, in order, once there is more of it."""
    new = set(more).difference(known) if more else ()
    return tuple(order({*new, *known})) if new else known


NOTHING = Announced()
"""When there is nothing to be told."""


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
            news = _news(before, event if is_seen else None, state, side)
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
    visible = visible_to(before, disclosed_by(before))
    at = {unit: before.at[unit] for unit in visible if unit in before.at}
    return blinded(event, None).apply(replace(before, at=at)).at if event else at


def _news(before: State, event: Event | None, after: State, side: Side) -> Announced | None:
    """What is to be told after an event, or after one that nobody sees: how far what all have seen is behind what all
    may know now.
    """
    told, at = after.told, after.at
    rooms = tuple(sorted(after.held_by_mutants if side == "mutant" else _held(before, after)))
    met = after.all_fighters("human", rooms) if side == "human" and rooms else ()
    mutants = _mutants_met(after)
    shown = [unit for unit in (*told.humans, *met, *mutants) if unit in at]
    seen = _seen(before, event) if shown else at
    moved = {unit for unit in shown if seen.get(unit) != at[unit]}
    news = Announced(
        units=tuple((unit, at[unit]) for unit in after.board.sorted(moved)) if moved else (),
        lost=tuple([unit for unit in told.mutants if unit not in mutants]),
        smashed=tuple(sorted(after.smashed - before.smashed)) if after.smashed is not before.smashed else (),
        rooms=rooms if rooms != told.rooms else None,
    )
    return news if news != NOTHING else None


def _mutants_met(state: State) -> tuple[str, ...]:
    """Mutants that both see, as far as this view knows: those who share a room with Human-side units."""
    shared = {*state.contested(), *([state.combat.room] if state.combat else [])}
    return state.all_fighters("mutant", shared) if shared else ()


def _held(before: State, after: State) -> Set[str]:
    """Rooms that hold Mutants, as everybody knows: where any is shown all are, so it shows too when they leave."""
    in_sight = {before.at[unit] for unit in before.told.mutants}
    return after.held_by_mutants.union(room for room in after.told.rooms if room not in in_sight)


# What it asks


def _question(before: State, after: State) -> Question | None:
    """What has to be told next by who knows it. It depends on nothing but what everybody sees."""
    for door in after.smashed - before.smashed:
        behind = tuple(room for room in after.board.ends[door] if room not in after.told.rooms)
        rooms = tuple(room for room in behind if not is_square(room))
        return Question("human", behind=rooms) if rooms else None
    entered = tuple([room for room in after.told.rooms if room not in before.told.rooms])
    if entered:
        return Question("human", rooms=entered)
    met = rooms_met(after)
    return Question("mutant", rooms=met) if met else None


def rooms_met(state: State) -> tuple[str, ...]:
    """Rooms where units of the Human side are shown, and the Mutants with them are not yet (OPT.V.D-c)."""
    shown = {state.at[unit] for unit in state.told.humans if not state.is_captive(unit)}
    unmet = shown.difference([state.at[unit] for unit in state.told.mutants])
    return tuple([room for room in state.told.rooms if room in unmet]) if unmet else ()


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
