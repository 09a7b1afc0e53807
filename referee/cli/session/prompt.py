"""What stands before the cursor and below it: who is on turn, what is waited for, how the game stands."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from referee.cli.look import turn_told
from referee.engine.text import printable

if TYPE_CHECKING:
    from referee.cli.session.conversation import Conversation

MARK = "> "
TOOLBAR = 2
"""Lines of the toolbar at most."""


def prompt_of(conversation: Conversation, width: int) -> str:
    """Who is on turn and what is waited for, in at most three fifths of a line."""
    long, short = (printable(text) for text in _waiting(conversation))
    most = max(10, width * 3 // 5) - len(MARK)
    text = long if len(long) <= most else short
    return (text if len(text) <= most else f"{text[: most - 2].rstrip()}..") + MARK


def _waiting(conversation: Conversation) -> tuple[str, str]:
    """The same at length, and as short as can be."""
    look, need = conversation.look, conversation.need
    mover = look.facts.to_act
    if mover is None:
        return "game over", "game over"
    name = look.facts.names[mover]
    if conversation.resident.handover:
        return f"{look.facts.player(mover)} takes the screen: Enter", f"{name}: Enter"
    if look.facts.asked:
        return f"{look.facts.player(mover)} has to answer", f"{name} answers"
    what = look.sight.status.partition(";")[0]
    return f"{look.facts.player(mover)}, {need or what}", f"{name}: {f'{need.count}d{need.sides}' if need else what}"


def toolbar_of(conversation: Conversation, width: int) -> list[str]:
    """Turn, phase, dice and score, in one or two lines."""
    look = conversation.look
    eyes = f" (seen by {look.eyes or 'everybody'})" if look.facts.keepers else ""
    name = look.log.path.stem if look.log.path else ""
    lines = wrap(printable(f"{name}, {turn_told(look.facts)}{eyes}: {look.sight.status}"), max(10, width))
    return lines if len(lines) <= TOOLBAR else [*lines[: TOOLBAR - 1], f"{lines[TOOLBAR - 1][: width - 3].rstrip()}..."]
