"""The state of the game in one line, and the names of its phases."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.action_fields import format_value
from referee.engine.text import count_of, listing
from referee.games.manoover.state import Phase, State, skips_automatic_phase
from referee.games.manoover.victory import describe_tie_break

PHASE_NAMES: Mapping[Phase, str] = {
    **dict.fromkeys(("throw", "rethrow", "control"), "control phase"),
    "auto": "automatic phase",
}
"""The name of each phase of a turn."""


def describe_status(view: State) -> str:
    """Returns one line: what the game waits for, and the score."""
    score = ", ".join(f"{seat} {count}" for seat, count in view.count_robots_in_goals())
    return f"{_describe_waiting(view)}; in the goals: {score}"


def _describe_waiting(state: State) -> str:
    if state.outcome:
        way = describe_tie_break(state)
        return f"{state.outcome.because.partition(':')[0]}{f' ({way})' if way else ''}"
    if state.phase == "throw-off":
        return f"{listing(state.contenders)} roll for the first turn"
    spared = " (a first turn: no automatic phase)" if skips_automatic_phase(state) else ""
    return f"{_describe_due(state)}{spared}"


def _describe_due(state: State) -> str:
    match state.phase:
        case "throw":
            return f"roll {count_of(state.board.file.dice, 'die', 'dice')}"
        case "rethrow":
            others = f", on the table: {format_value(state.dice)}" if state.dice else ""
            return f"roll {count_of(state.dead, 'die', 'dice')} again{others}"
        case "control":
            return f"dice {format_value(state.dice)}"
        case _:
            return PHASE_NAMES.get(state.phase, state.phase)
