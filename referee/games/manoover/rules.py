"""The rules of play: what is legal, and what follows from an action.

One set of rules for all forms: what differs between them is in the board, the options and the number of seats
(plus.7, three.7).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice, Need
from referee.engine.game import Script, Seat
from referee.engine.legal import Choice, Legal, OneOf
from referee.games.manoover.actions import (
    Auto,
    AutoOne,
    Done,
    Go,
    ManooverAction,
    Rethrow,
    Throw,
    ThrowOff,
    Turn,
)
from referee.games.manoover.board import HEADINGS, OFF
from referee.games.manoover.events import (
    Advanced,
    Captured,
    Declined,
    Eliminated,
    Ended,
    FirstChosen,
    Lapsed,
    Lost,
    PhaseBegun,
    Rethrown,
    Stepped,
    ThrewOff,
    Thrown,
    Tied,
    Turned,
    TurnPassed,
)
from referee.games.manoover.scoring import outcome_of
from referee.games.manoover.state import Phase, State, opening_phase, to_act

# What may be done


def legal(state: State, seat: Seat) -> Legal:
    """Everything the seat may do now."""
    if to_act(state) != seat:
        return Legal()
    match state.phase:
        case "throw-off":
            need = Need(_throw_off_purpose(state.contenders), len(state.contenders), state.board.file.sides)
            return Legal([Choice(ThrowOff, need, seats=state.contenders)])
        case "throw":
            return Legal([Choice(Throw, Need(_throw_purpose(state), state.board.file.dice, state.board.file.sides))])
        case "rethrow":
            return Legal([Choice(Rethrow, Need(_rethrow_purpose(state), state.dead, state.board.file.sides))])
        case "control":
            return Legal(list(_controlling(state)))
        case _:
            return Legal(list(_automatic(state)))


def _controlling(state: State) -> Iterator[Choice]:
    """Every usable die buys a step or a turn of its robot (control.1, control.2), in any order (control.3)."""
    for die in sorted(set(state.dice)):
        robot = state.own(die)
        yield Choice(Go, robot=str(die), toward=state.arrows[robot])
        yield Choice(Turn, robot=str(die), toward=OneOf(turnings(state, robot)))
    if state.options.decline_die == "allowed":
        yield Choice(Done)


def _automatic(state: State) -> Iterator[Choice]:
    """The rest of the phase at once, or only the next robot of it (auto.3)."""
    yield Choice(Auto)
    robot = next_robot(state)
    if robot:
        yield Choice(AutoOne, robot=robot[1:], toward=state.arrows[robot])


def turnings(state: State, robot: str) -> tuple[str, ...]:
    """Directions to which one die may turn a robot's arrow (control.4, r.null-rotation, r.crash-rotation)."""
    now = state.arrows[robot]
    return tuple(
        heading
        for heading in HEADINGS
        if (heading != now or state.options.null_rotation == "allowed")
        and (edges_between(now, heading) <= 1 or state.options.rotation == "any")
    )


def edges_between(one: str, other: str) -> int:
    """Hexagon edges between two directions, 0 to 3."""
    apart = abs(HEADINGS.index(one) - HEADINGS.index(other))
    return min(apart, len(HEADINGS) - apart)


def next_robot(state: State) -> str | None:
    """The mover's robot whose automatic move comes next: the lowest number left (auto.3, auto.4, auto.11)."""
    for number in range(state.moved + 1, state.board.file.sides + 1):
        robot = state.own(number)
        if robot in state.cells:
            return robot
    return None


def _throw_off_purpose(seats: tuple[Seat, ...]) -> str:
    return f"who goes first: {', '.join(seats)}"


def _throw_purpose(state: State) -> str:
    return f"{state.turn}'s throw"


def _rethrow_purpose(state: State) -> str:
    return f"{state.turn}'s second throw"


# What follows


def resolve(state: State, action: ManooverAction, dice: Dice) -> Script:
    """What follows from a legal action."""
    match action:
        case ThrowOff():
            yield from _throw_off(state, dice)
        case Throw():
            yield from _throw(state, dice)
        case Rethrow():
            yield from _rethrow(state, dice)
        case Turn(robot, toward):
            state = yield Turned(state.own(robot), _heading(toward))
            yield from _after_control(state)
        case Go(robot):
            state = yield from _push(state, state.own(robot), Advanced)
            yield from _after_control(state)
        case Done():
            state = yield Declined(state.dice)
            yield from _end_phase(state)
        case Auto():
            yield from _auto(state)
        case AutoOne(robot):
            state = yield from _push(state, state.own(robot), Stepped)
            yield from _after_step(state)


def _throw_off(state: State, dice: Dice) -> Script:
    """One die each; the highest goes first, and those who tie throw again (setup.5, setup.6, three.4, three.5).

    It is one of the game's own dice (r.throwoff-die).
    """
    seats = state.contenders
    faces = dice.roll(len(seats), state.board.file.sides, _throw_off_purpose(seats))
    yield ThrewOff(tuple(zip(seats, faces, strict=True)))
    highest = tuple(seat for seat, face in zip(seats, faces, strict=True) if face == max(faces))
    if len(highest) > 1:
        yield Tied(highest)
    else:
        yield FirstChosen(highest[0], _opening(state, highest[0]))


def _throw(state: State, dice: Dice) -> Script:
    """All dice are thrown; those that name lost robots are picked up (dice.1, dice.2, dice.3, dice.4, plus.3)."""
    faces = dice.roll(state.board.file.dice, state.board.file.sides, _throw_purpose(state))
    kept, picked_up = _sort_out(state, faces)
    yield Thrown(kept, picked_up)


def _rethrow(state: State, dice: Dice) -> Script:
    """The dice picked up are thrown once more, and then never again (dice.5, dice.6, dice.7, dice.8, dice.11).

    No action comes between the two throws, and the second is not optional (r.throws-first).
    """
    faces = dice.roll(state.dead, state.board.file.sides, _rethrow_purpose(state))
    kept, aside = _sort_out(state, faces)
    state = yield Rethrown(kept, aside)
    if not state.dice:  # dice.9
        yield from _end_phase(state)


def _sort_out(state: State, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dice that name a robot in the game, and dice that do not (dice.10, goal.8)."""
    kept = tuple(face for face in faces if state.own(face) in state.cells)
    return kept, tuple(face for face in faces if state.own(face) not in state.cells)


def _push(state: State, robot: str, moved: type[Advanced] | type[Stepped]) -> Script:
    """A robot goes one cell along its arrow and pushes what stands there (auto.5, control.5, control.6).

    The pusher's direction governs the whole chain (bump.2), which is of any length (bump.3, bump.9), ends at an empty
    cell (bump.4), blocks nobody (bump.12) and turns no arrow (bump.8). Only its front robot can leave the game
    (bump.11): over the edge (auto.6, bump.5) or into a goal (auto.7, bump.6), beyond which nothing is touched
    (bump.10, r.goal-wall). Own and enemy robots are pushed alike (auto.8, bump.1, bump.7), and a player may drive out
    his own (control.10, r.own-loss). A garage is no cell: nothing is pushed in it or into it (r.garage).
    """
    toward = state.arrows[robot]
    steps, occupants = state.board.steps, state.occupants()
    chain = []
    pushed: str | None = robot
    while pushed is not None:
        onto = steps[state.cells[pushed], toward]
        chain.append((pushed, onto))
        pushed = occupants.get(onto)
    state = yield moved(_heading(toward), tuple(chain))
    front, onto = chain[-1]
    if onto == OFF:  # goal.5, goal.6
        state = yield Lost(front)
    elif onto in state.goals:  # goal.2, goal.3, goal.4, goal.7, three.9
        owner = state.goals[onto]
        void = state.options.eliminated_goal == "void" and not state.in_game(owner)  # r.eliminated-goal
        state = yield Lost(front) if void else Captured(front, owner)
    else:
        return state
    return (yield from _after_removal(state, state.board.owner_of(front)))


def _after_removal(state: State, seat: Seat) -> Script:
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


def _after_control(state: State) -> Script:
    """Dice whose robot is gone lapse (r.lapse); when no die is left the phase is over (control.7-control.9, plus.8)."""
    if state.outcome:  # end.5
        return
    lapsed = tuple(die for die in state.dice if state.own(die) not in state.cells)
    if lapsed:
        state = yield Lapsed(lapsed)
    if not state.in_game(state.turn):  # r.eliminated-mover
        yield from _pass_turn(state)
    elif not state.dice:
        yield from _end_phase(state)


def _auto(state: State) -> Script:
    """The mover's robots go by rising number, one step each, from wherever they stand by then.

    One that was pushed before its own move still makes it (auto.9), one pushed after it does not move again
    (auto.10), one that has left the game does not (auto.11), and other players' robots never do (auto.1, auto.12,
    variant.crash.4).
    """
    robot = next_robot(state)
    while robot and not state.outcome:
        state = yield from _push(state, robot, Stepped)
        robot = next_robot(state)
    yield from _after_step(state)


def _after_step(state: State) -> Script:
    if state.outcome or next_robot(state):
        return
    if state.in_game(state.turn):
        yield from _end_phase(state)
    else:
        yield from _pass_turn(state)


def _end_phase(state: State) -> Script:
    """Go on to the other phase, or to the next player (turn.1, three.8, variant.alt.1-variant.alt.3, variant.crash.1).

    With the automatic phase first the dice are thrown after it (r.alt-throw), and the alternate order spares each
    player his own first automatic phase, in every game (r.alt-first).
    """
    closing: Phase = "auto" if _opening(state, state.turn) == "throw" else "throw"
    both = state.options.order != "alternate" or state.taken[state.turn] > 0
    now = "auto" if state.phase == "auto" else "throw"
    if both and now != closing:
        yield PhaseBegun(closing)
    else:
        yield from _pass_turn(state)


def _pass_turn(state: State) -> Script:
    """The next player clockwise who has robots takes his turn (turn.2, three.6, three.12, r.table-order)."""
    seats = state.board.seats
    at = seats.index(state.turn)
    following = seats[at + 1 :] + seats[: at + 1]
    seat = next(seat for seat in following if state.in_game(seat))
    yield TurnPassed(seat, _opening(state, seat))


def _opening(state: State, seat: Seat) -> Phase:
    return opening_phase(state.options.order, state.taken[seat])


def _heading(toward: str) -> Any:
    return toward
