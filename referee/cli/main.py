"""The entry point: runs a command line, renders its answer, leaves with its exit code."""

import os
import sys
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import typer
from msgspec.structs import replace

from referee.cli.answer import NO, OK, STOPPED, UNREADABLE, Answer, Text
from referee.cli.catalogue import COMMANDS
from referee.cli.context import Context
from referee.cli.errors import MisuseError, unknown_word
from referee.cli.parser import COMMAND_MARK, COMPLETING, INSTALLING, command_line, hoist, is_action, wants_help
from referee.cli.screen import Rendered, columns, hush, waiting, wipe
from referee.engine.component import watch


def _write_anything() -> None:
    """Have the streams take characters that they cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", **({"encoding": "utf-8"} if os.name == "nt" else {}))


def _written(said: Answer | int, context: Context) -> int:
    """Write an answer and the notes beside it; the exit code. OSError."""
    out, err, code = rendered(said, context)
    wipe()
    sys.stdout.writelines(f"{line}\n" for line in out)
    sys.stdout.flush()
    beside = [*context.notes, *err]
    told = context.screen.wrapped(beside) if sys.stderr.isatty() and not context.screen.json else beside
    sys.stderr.writelines(f"{line}\n" for line in told)
    return code


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    watch(waiting)
    _open_streams()
    _write_anything()
    words = sys.argv[1:] if arguments is None else arguments
    if COMPLETING in os.environ or INSTALLING.intersection(words):
        from referee.cli.shells import serve

        serve()
    context = Context()
    try:
        said = answer_to(words, context)
        if said == STOPPED:  # what the parser makes of Ctrl-C
            raise KeyboardInterrupt
        code = _written(said, context)
    except BrokenPipeError:
        hush()
        code = OK
    except OSError as error:  # a full disk, where answers go to a file
        hush()
        cause = error.strerror or error
        with suppress(OSError):
            sys.stderr.write(f"The answer could not be written: {cause}. What was done stands in: referee log\n")
        code = UNREADABLE
    except KeyboardInterrupt:
        wipe()
        if sys.stderr.isatty():  # below what stands in the line in which it was pressed
            sys.stderr.write("\n")
        code = STOPPED
    sys.exit(code)


def _open_streams() -> None:
    """Where a stream is closed, nothing is read and nothing is shown: a file that is opened must not take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we run


def answer_to(arguments: list[str], context: Context) -> Answer | int:
    """What a command line comes to; an exit code where nothing is left to be said, as after help, which prints."""
    command = command_line()
    front, rest = hoist(arguments, command.params)
    context.screen.json = "--json" in front  # before anything can go wrong that is to be told so
    extra: dict[str, Any] = {"prog_name": "referee", "standalone_mode": False, "terminal_width": min(80, columns())}
    try:
        if context.screen.json and wants_help(rest):
            with redirect_stdout(StringIO()) as told:
                command.main([*front, *rest], obj=context, **extra)
            return Answer((), lambda: {"help": told.getvalue()})
        answer = command.main([*front, *rest], obj=context, **extra)
        return _with_command(answer, context.also) if isinstance(answer, Answer) else int(answer or OK)
    except typer.Abort:  # Ctrl-D at a question
        return NO
    except Exception as error:
        return context.explained(_plain(error, rest))


def whole_answer_to(arguments: list[str], context: Context) -> Answer:
    """The same for who goes on after it: its lines are worked out; where nothing is left to be said, there are none."""
    said = answer_to(arguments, context)
    answer = Answer((), lambda: None, said) if isinstance(said, int) else said
    try:
        return replace(answer, lines=list(answer.lines))
    except Exception as error:
        return context.explained(error)


def _plain(error: Exception, words: list[str]) -> Exception:
    """What is wrong with a line, in our own words where the parser found it."""
    if hasattr(error, "format_message"):  # the parser's own, whose class is not public
        from referee.cli.misuse import told

        return MisuseError(told(error, words))
    return unknown_word(error, words, list(COMMANDS)) if is_action(words) else error


def _with_command(answer: Answer, name: str) -> Answer:
    """The answer to something to do that was refused, with how to say the command of the same name."""
    if not name or answer.code != NO:
        return answer
    said = Text(f"If the command is meant: referee {COMMAND_MARK}{name}", indent=2)
    return replace(answer, lines=[*answer.lines, said])


def rendered(answer: Answer | int, context: Context) -> Rendered:
    """How an answer looks; or why it cannot be shown."""
    if isinstance(answer, int):
        return [], [], answer
    try:
        return context.screen.render(_noted(answer, context) if context.screen.json else answer)
    except Exception as error:  # lines are worked out when they are shown
        return context.screen.render(context.explained(error))


def _noted(answer: Answer, context: Context) -> Answer:
    """The answer for a program, with what people are told beside it; a list has no room for that."""
    facts = answer.facts()
    if not context.notes or not isinstance(facts, dict):
        return replace(answer, facts=lambda: facts)
    notes, context.notes = context.notes, []
    return replace(answer, facts=lambda: {**facts, "notes": notes})
