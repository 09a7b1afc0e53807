"""Repeating a play of a log at another moment of its game."""

from __future__ import annotations

from typing import Any

from referee.engine.dice import DiceError
from referee.engine.secret import UnknownError
from referee.record.table.action_batch import ActionBatch
from referee.record.table.moment import Moment


def judge_play_again(moment: Moment, entry: Any) -> tuple[ActionBatch | None, str]:
    """Judges a play again with its own typed dice. Returns the judged play and "".

    If the play no longer holds, returns None and the reason as a clause.
    """
    if entry.known_action is None:
        return None, "it is a secret that is not known here"
    typed = [face for roll in entry.known_rolls if roll.is_typed for face in roll.names or roll.faces]
    try:
        line = ActionBatch(moment, [entry.known_action], entry.by, typed)
    except DiceError as error:
        return None, str(error)
    except UnknownError:
        return None, "it depends on a secret that is not known here"
    if line.refused:
        return None, describe_refusal_reasons(line)
    if line.awaiting:
        need = line.awaiting.need
        return None, f"it needs other dice: {need}" if need else f"{line.awaiting.answer} has to answer first"
    return line, ""


def describe_refusal_reasons(line: ActionBatch) -> str:
    """Returns the reasons and rules for which the last action of a line is refused, as a clause."""
    return "; ".join(f"{one.because} ({one.rule})" for one in line.said[-1].refusals)
