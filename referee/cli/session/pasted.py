"""A block of lines that somebody pastes: said one after another, as if each had been typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.session.prompt import prompt_of
from referee.cli.session.reading import faces_in
from referee.cli.session.reply import Reply
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.cli.session.conversation import Conversation


def say_lines(conversation: Conversation, text: str, width: int, show: Callable[[str, Reply], None]) -> None:
    """Says each line of a text until one is refused, and tells which were not said. `show` gets a line behind its
    prompt, and its reply. Empty lines of a block are left out: nobody pastes an Enter that hands over the screen.
    """
    lines = lines_of(text)
    for at, line in enumerate(lines, 1):
        said, reply = f"{prompt_of(conversation, width)}{line}", conversation.say(line)
        show(said, reply)
        if lines[at:] and not _goes_on(conversation, reply, lines[at]):
            show("", conversation.tell(_unsaid(lines[at:], are_secret=reply.clear)))
            return


def lines_of(text: str) -> list[str]:
    """Returns the lines of what was typed or pasted, without empty ones; an empty line where there is nothing else."""
    return [line for line in re.split(r"[\r\n]+", text) if line.strip()] or [""]


def _goes_on(conversation: Conversation, reply: Reply, following: str) -> bool:
    """True if the next line may be said: nothing was refused, no dice are missing that it is not, and the same player
    looks at the screen.
    """
    pending = reply.answer.pending
    is_done = reply.answer.code == OK or (pending is not None and faces_in(following, pending.need) is not None)
    return is_done and not reply.clear and not conversation.over


def _unsaid(lines: Sequence[str], *, are_secret: bool) -> Answer:
    """Which lines were not said. Those of a player who has left the screen are not shown to the next."""
    told: list[Shown] = [Text(f"Not said: {count_of(len(lines), 'more line')} of what was pasted.", "refused")]
    named = () if are_secret else (Text(line, indent=2, whole=True) for line in lines)
    return Answer([*told, *named], lambda: {"unsaid": len(lines)}, NO)
