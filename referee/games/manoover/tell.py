"""Events and positions in words that a person at the table can act on."""

from __future__ import annotations

from referee.engine.event import Outcome
from referee.engine.text import count_of, listing
from referee.games.manoover import events
from referee.games.manoover.board import OFF
from referee.games.manoover.state import State, is_spared
from referee.games.manoover.victory import decided_by

PHASES = {"auto": "automatic phase", "throw": "control phase"}


def tell(event: events.ManooverEvent) -> str:
    """One line that says what to do with the pieces on the board."""
    match event:
        case events.ThrewOff(faces):
            return f"Throw for the first turn: {listing([f'{seat} {face}' for seat, face in faces])}."
        case events.Tied(seats):
            return f"{listing(seats).capitalize()} threw the same and throw again."
        case events.FirstChosen(seat):
            return f"{seat.capitalize()} goes first."
        case events.Thrown(kept, picked_up):
            return f"Thrown: {_fallen(kept, picked_up)}{_pick_up(picked_up)}"
        case events.Rethrown(kept, aside):
            gone = f" Put aside {_dice(aside)}: no such robot in the game." if aside else ""
            return f"Thrown again: {_fallen(kept, aside)}{gone}"
        case events.Turned(robot, toward):
            return f"Turn {robot} to face {toward}."
        case events.Advanced(toward, chain) | events.Stepped(toward, chain):
            return _push(toward, chain)
        case events.Captured(robot, goal):
            return f"Take {robot} off the board and put it in front of {goal}: it is in {goal}'s goal."
        case events.Lost(robot):
            return f"Take {robot} off the board and lay it aside: it counts for nobody."
        case events.Eliminated(seat):
            return f"{seat.capitalize()} has no robots left."
        case events.Lapsed(dice):
            return f"Put aside {_dice(dice)}: the robot is gone."
        case events.Declined(dice):
            return f"Control phase ended, unused: {_dice(dice)}."
        case events.PhaseBegun(phase):
            return f"Now the {PHASES.get(phase, phase)}."
        case events.TurnPassed(seat):
            return f"Turn over. {seat.capitalize()}'s turn."
        case events.Ended(outcome):
            broken = "; the tie is broken" if _is_broken(outcome) else ""
            return f"Game over: {outcome.because}{broken}."


def _is_broken(outcome: Outcome) -> bool:
    """Whether somebody has won alone though another has as many robots in his goal."""
    scores = dict(outcome.scores)
    return len(outcome.winners) == 1 and list(scores.values()).count(scores[outcome.winners[0]]) > 1


def _push(toward: str, chain: tuple[tuple[str, str], ...]) -> str:
    mover, *pushed = [f"{robot} {_onto(cell)}" for robot, cell in chain]
    return f"Move {toward}: {mover}{', pushing ' if pushed else ''}{listing(pushed)}."


def _onto(cell: str) -> str:
    return "over the edge" if cell == OFF else f"to {cell}"


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice)) or "nothing"


def _fallen(kept: tuple[int, ...], gone: tuple[int, ...]) -> str:
    """Dice as they fell: those that are kept apart where others are not, since nobody knows in which order they lay."""
    return f"{_dice(kept)} on the table." if kept and gone else f"{_dice(kept or gone)}."


def _pick_up(dice: tuple[int, ...]) -> str:
    if not dice:
        return ""
    return f" Pick up {_dice(dice)} and throw {'it' if len(dice) == 1 else 'them'} again: no such robot in the game."


def status(state: State) -> str:
    """The state in one line: what is waited for, the score."""
    score = ", ".join(f"{seat} {count}" for seat, count in state.scores())
    return f"{_waiting(state)}; in the goals: {score}"


def _waiting(state: State) -> str:
    if state.outcome:
        by = decided_by(state)
        return f"{state.outcome.because.partition(':')[0]}{f' ({by})' if by else ''}"
    if state.phase == "throw-off":
        return f"{listing(state.contenders)} throw for the first turn"
    spared = " (a first turn: no automatic phase)" if is_spared(state) else ""
    return f"{_phase(state)}{spared}"


def _phase(state: State) -> str:
    match state.phase:
        case "throw":
            return f"throw {count_of(state.board.file.dice, 'die', 'dice')}"
        case "rethrow":
            kept = f", on the table: {_dice(state.dice)}" if state.dice else ""
            return f"throw {count_of(state.dead, 'die', 'dice')} again{kept}"
        case "control":
            return f"dice {_dice(state.dice)}"
        case _:
            return "automatic phase"
