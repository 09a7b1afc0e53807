"""A pasted block of lines. Each is answered in turn, as if it had been typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.session.line_parsing import parse_face_line
from referee.cli.session.prompt import make_prompt
from referee.cli.session.reply import Reply
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.cli.session.repl import Repl


def run_pasted_lines(conversation: Repl, text: str, width: int, show: Callable[[str, Reply], None]) -> None:
    """Says each line of a text until one is refused or the screen is cleared, then shows the lines not said.

    `show` receives the prompt with the line, and the reply. Empty lines of a block are skipped, so that no pasted Enter
    hands over the screen.
    """
    lines = split_lines(text)
    for at, line in enumerate(lines, 1):
        echo, reply = f"{make_prompt(conversation, width)}{line}", conversation.run_line(line)
        show(echo, reply)
        if lines[at:] and not _may_go_on(conversation, reply, lines[at]):
            show("", conversation.reply_with_notice(_answer_skipped(lines[at:], are_secret=reply.clears_screen)))
            return


def split_lines(text: str) -> list[str]:
    """Returns the lines of a text without empty ones; one empty line if there is nothing else."""
    return [line for line in re.split(r"[\r\n]+", text) if line.strip()] or [""]


def _may_go_on(conversation: Repl, reply: Reply, following: str) -> bool:
    """True if the line `following` may be said after this reply.

    The line before must be done or wait for the dice in `following`, and the same player must be at the screen.
    """
    pending = reply.answer.pending
    is_done = reply.answer.code == OK or (pending is not None and parse_face_line(following, pending.need) is not None)
    return is_done and not reply.clears_screen and not conversation.over


def _answer_skipped(lines: Sequence[str], *, are_secret: bool) -> Answer:
    """Returns an answer that lists the pasted lines that were not carried out. If `are_secret`, it gives only
    their number.
    """
    shown: list[AnswerLine] = [Text(f"Skipped: {count_of(len(lines), 'more line')} of the pasted text.", "refused")]
    named = () if are_secret else (Text(line, indent=2, is_unwrapped=True) for line in lines)
    return Answer([*shown, *named], lambda: {"unsaid": len(lines)}, NO)
