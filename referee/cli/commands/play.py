"""`referee play`: a session at the table: with a prompt on a terminal, as plain lines, or as JSON for programs."""

import gc
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
from referee.cli.catalogue import load_command
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.output import ask_line, write_rows
from referee.cli.screen import Screen, encode_json
from referee.cli.session.pasted_lines import split_lines
from referee.cli.session.plain_output import clear_secrets_on_failure, print_reply
from referee.cli.session.prompt import make_prompt
from referee.cli.session.repl import Repl
from referee.engine.text import make_printable
from referee.gate import UnreadableError, read_environment_variable, read_json

PRELOADED_COMMANDS = ("show", "do", "roll", "legal", "why", "undo", "log")
"""The commands that are loaded at the start, so that the first line is as fast as later ones."""
MAX_TYPED = 64 * 1024
"""The longest line, in characters."""


def play(
    ctx: typer.Context,
    log: Annotated[
        str | None, Argument(metavar="[LOG]", help="The log of the game; default: the current game.")
    ] = None,
    plain: Annotated[bool, Option("--plain", help="Print plain lines, for screen readers.")] = False,
) -> int:
    """Play a session at the table: type one line after another, without the word "referee". Every command works here.

    \b
      referee play                  referee play --plain

    Type bare digits for the dice that the game waits for. Enter alone shows the board. TAB shows what can come next.
    Ctrl-C
    drops the line. Ctrl-D leaves; everything is already recorded. With --json a program sends one request a line, as
    plain
    text or as {"id": 1, "say": "legal"}, and gets one answer a line.
    """
    context: Context = ctx.obj
    if context.when is not None:
        raise MisuseError("a session starts at the end of the game; make a branch at that entry, then play there")
    if context.log == "-" or log == "-":
        raise MisuseError("you cannot play on in a piped game; save it to a file first")
    context.log = log or context.log
    gc.enable()  # a session runs longer than a command
    context.records = True
    session = context.open_session()
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    screen = partial(_fit_screen, context.screen, follows=at_terminal)
    talk = partial(Repl, session, screen, always=["--by-hand"] if context.by_hand else [])
    notes, context.notes = context.notes, []
    for name in PRELOADED_COMMANDS:
        load_command(name)
    import_module("referee.record.log.lock")
    if context.screen.json:
        _answer_requests(talk(screened=False))
    elif plain or not at_terminal or read_environment_variable("TERM") == "dumb":
        conversation = talk(board="show --as words" if plain else "show")
        if at_terminal:
            _ask_for_lines(conversation, notes)
        else:
            _answer_piped_lines(conversation)
    else:
        _run_session(talk, notes)
    return 0


def _fit_screen(screen: Screen, *, follows: bool) -> Screen:
    """Returns the screen as set up; with `follows`, at most as wide as the terminal is now."""
    return screen.narrow_to(get_terminal_size().columns) if follows else screen


def _run_session(talk: Callable[..., Repl], notes: list[str]) -> None:
    """Runs a session on a terminal: below the board if the terminal is tall enough, otherwise line by line."""
    from referee.cli.session.full_screen import FullScreen
    from referee.cli.session.full_screen import run_full_screen as converse_below
    from referee.cli.session.terminal import run_repl

    pinned = FullScreen(talk(board=""))
    if pinned.has_room_for_board:
        with clear_secrets_on_failure(pinned.conversation):
            converse_below(pinned, notes)
        return
    conversation = talk()
    with clear_secrets_on_failure(conversation):
        run_repl(conversation, notes)


# Lines only


def _ask_for_lines(conversation: Repl, notes: list[str]) -> None:
    """Asks for line after line on a terminal, and answers, until somebody leaves."""
    with clear_secrets_on_failure(conversation):
        print_reply(conversation.make_opening_reply(), notes)
        while not conversation.over:
            try:
                print_reply(conversation.run_line(ask_line(make_prompt(conversation, get_terminal_size().columns))))
            except KeyboardInterrupt:
                conversation.drop_unfinished_action()
                write_rows([make_printable("")])
            except EOFError:
                write_rows([make_printable("")])
                print_reply(conversation.make_farewell_reply())


def _answer_piped_lines(conversation: Repl) -> None:
    """Answers the piped lines of a program or a file until they end or the session is over."""
    for line in _read_piped_lines():
        print_reply(conversation.refuse_overlong_line(MAX_TYPED) if line is None else conversation.run_line(line))
        if conversation.over:
            return


def _read_piped_lines() -> Iterator[str | None]:
    """Yields the lines of a program; None for a line that is too long."""
    while line := sys.stdin.readline(MAX_TYPED):
        too_long = len(line) == MAX_TYPED and not line.endswith("\n")
        while too_long and (rest := sys.stdin.readline(MAX_TYPED)) and not rest.endswith("\n"):
            pass
        yield None if too_long else line.rstrip("\r\n")


# For programs


def _answer_requests(conversation: Repl) -> None:
    """Answers one JSON request per line."""
    for line in _read_piped_lines():
        write_rows([encode_json(_answer_request(conversation, line))])
        if conversation.over:
            return


class ProgramRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A request of a program."""

    say: str
    id: int | str | None = None
    """An id that comes back with the answer."""


def _answer_request(conversation: Repl, line: str | None) -> dict[str, Any]:
    request = ProgramRequest(line or "")
    if line is not None and line.startswith("{"):
        try:
            request = read_json(line, ProgramRequest)
        except UnreadableError as error:
            message = f'a request is a line as you would type it, or {{"id": 1, "say": "legal"}}: {error}'
            facts = {"error": "MisuseError", "message": message, "exit": NOT_UNDERSTOOD}
            return {"id": None, "exit": NOT_UNDERSTOOD, "notes": [], "answer": facts}
    if line is None:
        reply = conversation.refuse_overlong_line(MAX_TYPED)
    elif len(split_lines(request.say)) > 1:
        reply = conversation.reply_to_misuse(
            "a request holds one line; send each line in its own request; nothing was recorded"
        )
    else:
        reply = conversation.run_line(request.say)
    ((answer, *_), _, code) = reply.render()
    return {"id": request.id, "exit": code, "notes": reply.notes, "answer": msgspec.Raw(answer.encode())}
