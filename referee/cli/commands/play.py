"""A session at the table: on a terminal with a prompt, as plain lines, or as JSON for programs."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any

import msgspec
import typer
from typer import Argument, Option

from referee.cli.answer import NOT_UNDERSTOOD
from referee.cli.catalogue import load
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.screen import Screen, as_json
from referee.cli.session.conversation import Conversation
from referee.cli.session.pasted import lines_of
from referee.cli.session.printed import leaving_no_secrets, show
from referee.cli.session.prompt import prompt_of

USUAL = ("show", "do", "roll", "legal", "why", "undo", "log")
"""Commands that are loaded at once, with the lock, so that the first line is answered as fast as all others."""
MAX_TYPED = 64 * 1024
"""Characters of a line, at most."""


def play(
    ctx: typer.Context,
    log: Annotated[str | None, Argument(metavar="[LOG]", help="The log of the game; the current one.")] = None,
    plain: Annotated[bool, Option("--plain", help="Lines only, as screen readers like them.")] = False,
) -> int:
    """Play at the table: say one line after another, and leave "referee" out. Every command works here.

    \b
      referee play                  referee play --plain

    Bare digits are the dice that are waited for; Enter alone shows the board; TAB tells what can come next; Ctrl-C
    forgets a line, Ctrl-D leaves: everything said is recorded by then. With --json a program says one line after
    another, as it is or as {"id": 1, "say": "legal"}, and gets one answer a line.
    """
    context: Context = ctx.obj
    if context.when is not None:
        raise MisuseError("a session plays on from where the game stands; branch at that entry, then play there")
    if context.log == "-" or log == "-":
        raise MisuseError("a game that is piped in cannot be played on")
    context.log = log or context.log
    gc.enable()  # a session lives longer than a command
    session = context.session()
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    screen = partial(_screen, context.screen, follows=at_terminal)
    talk = partial(Conversation, session, screen, always=["--by-hand"] if context.by_hand else [])
    notes, context.notes = context.notes, []
    for name in USUAL:
        load(name)
    import_module("referee.record.log.lock")
    if context.screen.json:
        _speak(talk(screened=False))
    elif plain or not at_terminal or os.environ.get("TERM") == "dumb":
        conversation = talk(board="show --as words" if plain else "show")
        if at_terminal:
            _ask(conversation, notes)
        else:
            _read(conversation)
    else:
        _sit_down(talk, notes)
    return 0


def _screen(screen: Screen, *, follows: bool) -> Screen:
    """The screen as it was set up; it `follows` the width of the terminal."""
    return screen.narrowed(get_terminal_size().columns) if follows else screen


def _sit_down(talk: Callable[..., Conversation], notes: list[str]) -> None:
    """On a terminal: below the board where it is tall enough, else line by line."""
    from referee.cli.session.pinned import Pinned
    from referee.cli.session.pinned import converse as converse_below
    from referee.cli.session.terminal import converse

    pinned = Pinned(talk(board=""))
    if pinned.fits:
        with leaving_no_secrets(pinned.conversation):
            converse_below(pinned, notes)
        return
    conversation = talk()
    with leaving_no_secrets(conversation):
        converse(conversation, notes)


# Lines only


def _ask(conversation: Conversation, notes: list[str]) -> None:
    """Ask for line after line on a terminal, and answer, until somebody leaves."""
    with leaving_no_secrets(conversation):
        show(conversation.begin(), notes)
        while not conversation.over:
            try:
                show(conversation.say(input(prompt_of(conversation, get_terminal_size().columns))))
            except KeyboardInterrupt:
                conversation.cancel()
                sys.stdout.write("\n")
            except EOFError:
                sys.stdout.write("\n")
                show(conversation.farewell())


def _read(conversation: Conversation) -> None:
    """Answer the lines that a program or a file says."""
    for line in _piped_lines():
        show(conversation.too_long(MAX_TYPED) if line is None else conversation.say(line))
        if conversation.over:
            return


def _piped_lines() -> Iterator[str | None]:
    """What a program says, line by line; None for a line that is longer than any that is said."""
    while line := sys.stdin.readline(MAX_TYPED):
        too_long = len(line) == MAX_TYPED and not line.endswith("\n")
        while too_long and (rest := sys.stdin.readline(MAX_TYPED)) and not rest.endswith("\n"):
            pass
        yield None if too_long else line.rstrip("\r\n")


# For programs


def _speak(conversation: Conversation) -> None:
    """One request and one answer a line."""
    for line in _piped_lines():
        sys.stdout.write(as_json(_answered(conversation, line)) + "\n")
        sys.stdout.flush()
        if conversation.over:
            return


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A line that a program says."""

    say: str
    id: int | str | None = None
    """Comes back with the answer."""


def _answered(conversation: Conversation, line: str | None) -> dict[str, Any]:
    request = Request(line or "")
    if line is not None and line.startswith("{"):
        try:
            request = msgspec.json.decode(line, type=Request)
        except msgspec.DecodeError as error:
            message = f'a request is what one would type, or {{"id": 1, "say": "legal"}}: {error}'
            facts = {"error": "MisuseError", "message": message, "exit": NOT_UNDERSTOOD}
            return {"id": None, "exit": NOT_UNDERSTOOD, "notes": [], "answer": facts}
    if line is None:
        reply = conversation.too_long(MAX_TYPED)
    elif len(lines_of(request.say)) > 1:
        reply = conversation.misused("a request says one line; say each in a request of its own; nothing was read")
    else:
        reply = conversation.say(request.say)
    ((answer, *_), _, code) = reply.rendered()
    return {"id": request.id, "exit": code, "notes": reply.notes, "answer": msgspec.Raw(answer.encode())}
