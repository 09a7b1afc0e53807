"""Pushing: how a robot moves by one cell, what it moves before it, and who leaves the game by it.

One set of rules for all forms: what differs between them is in the board, the options and the number of seats
(plus.7, three.7).
"""

from __future__ import annotations

from referee.engine.event import Script, Seat
from referee.games.manoover.board import OFF
from referee.games.manoover.events import Advanced, Captured, Eliminated, Ended, Lost, Stepped
from referee.games.manoover.state import State
from referee.games.manoover.victory import outcome_of


def push(state: State, robot: str, moved: type[Advanced] | type[Stepped]) -> Script[State]:
    """A robot goes one cell along its arrow and pushes what stands there (auto.5, control.5, control.6).

    The pusher's direction governs the whole chain (bump.2), which is of any length (bump.3, bump.9), ends at an empty
    cell (bump.4), blocks nobody (bump.12) and turns no arrow (bump.8). Own and enemy robots are pushed alike (auto.8,
    bump.1, bump.7), and a player may drive out his own (control.10, r.own-loss). A garage is no cell: nothing is pushed
    in it or into it (r.garage).
    """
    toward = state.arrows[robot]
    steps = state.board.steps
    chain = []
    pushed: str | None = robot
    while pushed is not None:
        onto = steps[state.cells[pushed], toward]
        chain.append((pushed, onto))
        pushed = state.occupant(onto)
    state = yield moved(toward, tuple(chain))
    return (yield from _after_push(state, *chain[-1]))


def _after_push(state: State, front: str, onto: str) -> Script[State]:
    """Only the front robot of a chain can leave the game (bump.11): over the edge (auto.6, bump.5, goal.5, goal.6), or
    into a goal (auto.7, bump.6, goal.2, goal.3, goal.4, goal.7, three.9), beyond which nothing is touched (bump.10,
    r.goal-wall).
    """
    if onto == OFF:
        state = yield Lost(front)
    elif onto in state.goals:
        owner = state.goals[onto]
        void = state.options["eliminated-goal"] == "void" and not state.in_game(owner)  # r.eliminated-goal
        state = yield Lost(front) if void else Captured(front, owner)
    else:
        return state
    return (yield from _after_removal(state, state.board.owner_of(front)))


def _after_removal(state: State, seat: Seat) -> Script[State]:
    """A player is out with his last robot; the game ends when only one is left in it, at once.

    That is the moment the first of two, or the second of three, is out (end.1, three.10, three.11), in the middle of
    whatever phase it happens (end.6, r.control-end).
    """
    if state.in_game(seat):
        return state
    state = yield Eliminated(seat)
    if sum(state.in_game(seat) for seat in state.board.seats) < 2:
        state = yield Ended(outcome_of(state))
    return state
