"""Hidden Movement (OPT.V): what each player may know, what both are told, and what of a secret play all may see.

The referee keeps the secret notes of both players in place of the photocopies (OPT.V.A, M59): the state is the truth,
and a view is as much of it as one seat may know. What a player may do is judged on his view, so that neither a refusal
nor a list of what is legal gives anything away; what follows is judged on the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.engine.game import REFEREE, Event, Script, Seat
from referee.engine.legal import Action
from referee.games.mutants.actions import (
    Arrive,
    Glow,
    Move,
    OpenDoor,
    PlaceWall,
    Put,
    PutBoth,
    PutRandom,
    PutRest,
    Retreat,
    Smash,
)
from referee.games.mutants.board import Side, is_square
from referee.games.mutants.events import (
    Announced,
    Arrived,
    Blocked,
    Escaped,
    Glowed,
    Moved,
    Opened,
    Placed,
    Retreated,
    Smashed,
    Walled,
    Withstood,
)
from referee.games.mutants.state import State, Told

SECRET_ACTIONS = frozenset({PlaceWall, Put, PutBoth, PutRest, PutRandom, Arrive, Smash, OpenDoor, Move, Glow})
"""What is noted in secret: both set-ups (OPT.V.B-a, OPT.V.B-b, OPT.V.B-c), and what units do out of sight."""

SECRET_EVENTS = frozenset({Walled, Placed, Arrived, Smashed, Withstood, Opened, Blocked, Moved, Escaped, Glowed})
"""What comes of it that the other player does not see: he is told of its effects only (`Announced`)."""

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
}
"""What only the Mutant player knows, as all others see it: nothing is told of attempts that fail (M58)."""

# What a seat may know


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator; `REFEREE`: everything.

    Without Hidden Movement, and when the game is over, everything is in plain view (INTRO.IV.E, IV.A.7-b).
    """
    if not state.is_hidden or seat == REFEREE or (state.outcome and not state.is_partial):
        return state
    side: Side | None = "human" if seat == "human" else "mutant" if seat == "mutant" else None
    if side not in state.views:
        partial = state.views[side] = _partial(state, side)
        partial.views[side] = partial  # whoever looks at his view again sees the same
    return state.views[side]


def _partial(state: State, own: Side | None) -> State:
    mine: frozenset[str] = state.board.of_side[own] if own else frozenset()
    moved_by_me = mine ^ {"penny"} if own and state.captive else mine  # the captive Penny goes with the Mutants
    visible = mine | state.in_plain_view
    at = {unit: place for unit, place in state.at.items() if unit in visible}
    gone = state.gone if own == "mutant" else state.gone - state.faded
    missing = state.board.units.keys() - at.keys() - gone
    return replace(
        state,
        at=at,
        gone=gone,
        walls=state.walls if own == "human" else state.walls.intersection(state.told.walls),
        moved={unit: place for unit, place in state.moved.items() if unit in moved_by_me},
        unknown=frozenset((missing - mine) | (missing & (state.unknown or frozenset()))),
        **({} if own == "mutant" else OF_MUTANTS),
    )


# What both are told


def told_of(state: State) -> Told:
    """What both players have been told at the latest when a play has led to this state.

    Human-side units are shown when Mutants share their room (OPT.V.C-d), not before (OPT.V.C-c). The rooms that hold
    Mutants are always told, so both learn too when they leave one (OPT.V.D-b, M58).
    """
    board, told = state.board, state.told
    rooms = state.held_by_mutants
    return Told(
        humans=board.sorted(state.in_plain_view & board.of_side["human"] & state.at.keys()),
        walls=tuple(sorted(wall for wall in state.walls if wall in told.walls or state.is_found(wall))),
        rooms=tuple(sorted(rooms)),
        sighted=tuple(sorted(set(told.sighted) - rooms)),
    )


def announcing(state: State, action: Action, script: Script) -> Script:
    """A script that tells both players, after each of its events, what they get to know by it.

    Whatever a spectator should see and does not see yet is told, so that his view can always be had from what was told
    alone.
    """
    event = next(script, None)
    while event is not None:
        before, state = state, (yield event)
        told = told_of(state) if _may_tell(before, state) else None
        if told and not _is_known(before, state, told, event):
            public = view(before, None)
            seen = _in_the_open(action, event)
            news = _news(seen.apply(public) if seen else public, state, told, event)
            state = (yield news) if news else state
        try:
            event = script.send(state)
        except StopIteration:
            return


def _may_tell(before: State, after: State) -> bool:
    """Whether anything has changed of which something may have to be told."""
    rooms = [state.combat.room if state.combat else None for state in (before, after)]
    fields = ("at", "gone", "walls", "smashed", "attempted", "captive", "told")
    changed = rooms[0] != rooms[1] or any(getattr(before, name) is not getattr(after, name) for name in fields)
    return changed and not after.outcome


def _is_known(before: State, after: State, told: Told, event: Event) -> bool:
    """Whether everybody sees the same units in the same places as before, and there is nothing else to tell."""
    shown = after.in_plain_view
    if isinstance(event, Smashed) or told != after.told or shown != before.in_plain_view:
        return False
    return all(before.at.get(unit) == after.at.get(unit) for unit in shown)


def _news(public: State, state: State, told: Told, event: Event) -> Announced | None:
    """What is to be told after an event: by how much the public view is behind what all may know now."""
    known, wanted = view(public, None), view(state if told == state.told else replace(state, told=told), None)
    news = Announced(
        units=tuple((unit, place) for unit, place in wanted.at.items() if known.at.get(unit) != place),
        walls=tuple(sorted(wanted.walls - known.walls)),
        smashed=tuple(sorted(wanted.smashed - known.smashed)),
        rooms=told.rooms if told.rooms != known.told.rooms else None,
        behind=_report(state, event),
    )
    if known.at.keys() - wanted.at.keys():  # mostly they are out of sight by what was just told, and that is all
        lost = view(news.apply(public), None).at.keys() - wanted.at.keys()
        news = replace(news, lost=state.board.sorted(lost))
    return news if news != Announced() else None


def _report(state: State, event: Event) -> tuple[tuple[str, bool], ...]:
    """Whether Human-side units are in the room behind a smashed door, as the attackers see it (OPT.V.C-b).

    Opening a door tells nothing (M58), and nothing is left to be told of a room with Mutants on its other side.
    """
    if not isinstance(event, Smashed):
        return ()
    behind = [
        room for room in state.board.ends[event.door] if not is_square(room) and not state.fighters("mutant", room)
    ]
    return tuple((room, bool(state.fighters("human", room))) for room in behind)


# What of a secret play everybody may see


def disclose(state: State, action: Action, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
    """The events of a secret play that everybody may see; None: all of them, the play is none."""
    if not state.is_hidden or not _is_secret(action):
        return None
    return tuple(seen for event in events if (seen := _in_the_open(action, event)))


def _is_secret(action: Action) -> bool:
    """A retreat into a square is one too: nobody is shown in which (OPT.V.D-a)."""
    return type(action) in SECRET_ACTIONS or (isinstance(action, Retreat) and is_square(action.to))


def _in_the_open(action: Action, event: Event) -> Event | None:
    """What everybody may see of an event; None: nothing."""
    if not _is_secret(action):
        return event
    if isinstance(event, Retreated):
        return replace(event, to=None)
    return None if type(event) in SECRET_EVENTS else event
