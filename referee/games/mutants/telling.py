"""Who knows, tells: what both players are told in a game with Hidden Movement (OPT.V.C, OPT.V.D), and what is asked.

Each play is judged on what its own side knows, so a side tells what it knows, and is asked for what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.event import Event, Script, Unseen
from referee.engine.legal import Action
from referee.engine.secret import blinded
from referee.games.mutants import events
from referee.games.mutants.board import Side, is_square
from referee.games.mutants.state import Question, State, Told
from referee.games.mutants.told import Announced, Asked, Noted, Unnoticed
from referee.games.mutants.view import view


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
            public = view(before, None)
            news = _news(blinded(event, None).apply(public) if is_seen else public, before, state, side)
            state = (yield news) if news else state
            question = None if state.asked else _question(before, state, event)
            state = (yield Asked(question)) if question else state
        try:
            happened = script.send(state)
        except StopIteration:
            return


def _may_tell(before: State, after: State) -> bool:
    """Whether anything has changed of which something may have to be told."""
    if after.outcome:
        return False
    rooms = [state.combat.room if state.combat else None for state in (before, after)]
    fields = ("at", "smashed", "captive", "told")
    return rooms[0] != rooms[1] or any(getattr(before, name) is not getattr(after, name) for name in fields)


# What a side tells


def _news(public: State, before: State, after: State, side: Side) -> Announced | None:
    """What is to be told after an event: by how much the public view is behind what all may know now."""
    told = _told_by(before, after, side)
    shown = {*told.humans, *told.mutants}
    moved = [unit for unit, place in after.at.items() if unit in shown and public.at.get(unit) != place]
    news = Announced(
        units=tuple((unit, after.at[unit]) for unit in moved),
        lost=tuple(unit for unit in after.told.mutants if unit not in told.mutants),
        smashed=tuple(sorted(after.smashed - public.smashed)),
        rooms=told.rooms if told.rooms != after.told.rooms else None,
    )
    return news if news != Announced() else None


def _told_by(before: State, after: State, side: Side) -> Told:
    """Whom both see now, and which rooms hold Mutants, as far as a side knows."""
    rooms = {*after.held_by_mutants} if side == "mutant" else _held(before, after)
    shared = {*after.contested(), *([after.combat.room] if after.combat else [])}
    met = _of_side(after, "human", rooms) if side == "human" else ()
    return replace(
        after.told,
        humans=(*after.told.humans, *met),
        mutants=after.board.sorted(_of_side(after, "mutant", shared)),
        rooms=tuple(sorted(rooms)),
    )


def _held(before: State, after: State) -> set[str]:
    """Rooms that hold Mutants, as everybody knows: where any is shown all are, so it shows too when they leave."""
    in_sight = {before.at[unit] for unit in before.told.mutants}
    return {*after.told.rooms}.difference(in_sight).union(after.held_by_mutants)


# What it asks


def _question(before: State, after: State, event: Event) -> Question | None:
    """What has to be told next by who knows it. It depends on nothing but what everybody sees."""
    if isinstance(event, events.Smashed):
        behind = tuple(room for room in after.board.ends[event.door] if room not in after.told.rooms)
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
    humans = {*told.humans, *_of_side(state, "human", shared if asked.of == "mutant" else shown)}
    mutants = {*told.mutants, *_of_side(state, "mutant", shown)}
    walls, clear = _found(state, rooms.difference(asked.rooms))
    return Told(
        humans=state.board.sorted(humans.union(["penny"] if state.captive else []) & state.at.keys()),
        mutants=state.board.sorted(unit for unit in mutants if state.at.get(unit) in shared),
        walls=tuple(sorted(walls.union(told.walls))),
        clear=tuple(sorted(clear.union(told.clear))),
        rooms=tuple(sorted(rooms)),
        sighted=tuple(sorted(set(told.sighted) - rooms)),
    )


def _of_side(state: State, side: Side, places: set[str]) -> Iterator[str]:
    """Units of a side in these places, the captive Penny not among them."""
    return (unit for place in places for unit in state.fighters(side, place))


def _found(state: State, rooms: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Walls that Mutants have found: around these rooms, or where they tried a door (OPT.V.C-a, M23); and of the doors
    that they tried those without.
    """
    if state.options["wall-reveal"] == "on-contact":
        tried = state.attempted.intersection(state.board.wallable)
        return tried & state.walls, tried - state.walls
    return frozenset(wall for wall in state.walls if not rooms.isdisjoint(state.board.ends[wall])), frozenset()
