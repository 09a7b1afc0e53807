"""The prompt and the toolbar of a session: the player to move, missing dice, and the state of the game."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from referee.cli.game_view import describe_turn
from referee.engine.text import Printable, make_printable

if TYPE_CHECKING:
    from referee.cli.session.repl import Repl

PROMPT_MARK = "> "
MAX_TOOLBAR_ROWS = 2
"""The most lines of the toolbar."""


def make_prompt(conversation: Repl, width: int) -> Printable:
    """Returns the prompt: the player to move and the missing dice, in at most three fifths of the width."""
    long, short = (make_printable(text) for text in _make_prompt_texts(conversation))
    most = max(10, width * 3 // 5) - len(PROMPT_MARK)
    text = long if len(long) <= most else short
    return make_printable((text if len(text) <= most else f"{text[: most - 2].rstrip()}..") + PROMPT_MARK)


def _make_prompt_texts(conversation: Repl) -> tuple[str, str]:
    """Returns the text of the prompt in full, and as short as possible."""
    look, need = conversation.look, conversation.need
    mover = look.facts.to_act
    if mover is None:
        return "game over", "game over"
    name = look.facts.names[mover]
    if conversation.live_log.pending_handover:
        return f"{look.facts.format_seat(mover)} takes the screen: Enter", f"{name}: Enter"
    if look.facts.asked_seat:
        return f"{look.facts.format_seat(mover)} has to answer", f"{name} answers"
    what = look.sight.status.partition(";")[0]
    whose = look.facts.format_seat(mover)
    if need and need.names:
        return f"{whose}, {need}", f"{name} draws"
    return f"{whose}, {need or what}", f"{name}: {f'{need.count}d{need.sides}' if need else what}"


def make_toolbar(conversation: Repl, width: int) -> list[str]:
    """Returns the log, the turn and the state of the game, in one or two lines of at most this width."""
    look = conversation.look
    eyes = f" (seen by {look.eyes or 'everybody'})" if look.facts.keepers else ""
    name = look.log.path.stem if look.log.path else ""
    lines = wrap(make_printable(f"{name}, {describe_turn(look.facts)}{eyes}: {look.sight.status}"), max(10, width))
    return (
        lines
        if len(lines) <= MAX_TOOLBAR_ROWS
        else [*lines[: MAX_TOOLBAR_ROWS - 1], f"{lines[MAX_TOOLBAR_ROWS - 1][: width - 3].rstrip()}..."]
    )
