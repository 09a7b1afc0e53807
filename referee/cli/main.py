"""The entry point: runs a command line, prints its answer and exits with its code."""

import os
import sys
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import typer
from msgspec.structs import replace

from referee.cli.answer import NO, OK, STOPPED, UNREADABLE, Answer, Text
from referee.cli.catalogue import list_command_names
from referee.cli.context import Context
from referee.cli.errors import MisuseError, make_unknown_word_error
from referee.cli.output import write_messages, write_rows
from referee.cli.parser import (
    COMMAND_MARK,
    COMPLETION_OPTIONS,
    COMPLETION_VARIABLE,
    can_be_action,
    get_root_command,
    split_off_global_options,
    wants_help,
)
from referee.cli.screen import RenderedAnswer, count_terminal_columns, make_work_progress, silence_stdout, wipe_progress
from referee.engine.component import set_report_maker
from referee.engine.text import make_printable
from referee.gate import read_environment_variable


def _escape_unshowable() -> None:
    """Makes stdout and stderr escape characters that they cannot show, in place of an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", **({"encoding": "utf-8"} if os.name == "nt" else {}))


def _print_answer(said: Answer | int, context: Context) -> int:
    """Prints an answer and its notes, and returns the exit code. Raises OSError."""
    out, err, code = render_answer(said, context)
    wipe_progress()
    write_rows(out)
    beside = [*map(make_printable, context.notes), *err]
    write_messages(context.screen.wrap_messages(beside) if sys.stderr.isatty() and not context.screen.json else beside)
    return code


def run(arguments: list[str] | None = None) -> None:
    """Runs a command line and exits with its code; `arguments` is None for those of the process."""
    set_report_maker(make_work_progress)
    _open_streams()
    _escape_unshowable()
    words = sys.argv[1:] if arguments is None else arguments
    if read_environment_variable(COMPLETION_VARIABLE) or COMPLETION_OPTIONS.intersection(words):
        from referee.cli.shell_completion import run_completion

        run_completion()
    context = Context()
    try:
        said = answer_command_line(words, context)
        if said == STOPPED:  # the parser turns Ctrl-C into this code
            raise KeyboardInterrupt
        code = _print_answer(said, context)
    except BrokenPipeError:
        silence_stdout()
        code = OK
    except OSError as error:  # a full disk, where answers go to a file
        silence_stdout()
        cause = error.strerror or error
        with suppress(OSError):
            write_messages(
                [make_printable(f"The output could not be written: {cause}. To see what was recorded: referee log")]
            )
        code = UNREADABLE
    except KeyboardInterrupt:
        wipe_progress()
        if sys.stderr.isatty():  # so that nothing follows on the line where Ctrl-C was pressed
            write_messages([make_printable("")])
        code = STOPPED
    sys.exit(code)


def _open_streams() -> None:
    """Opens closed streams on the null device, so that no other file takes their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we run


def answer_command_line(arguments: list[str], context: Context) -> Answer | int:
    """Returns the answer to a command line.

    Returns only an exit code if nothing is left to print, for example after the parser has printed help.
    """
    command = get_root_command()
    front, rest = split_off_global_options(arguments, command.params)
    context.screen.json = "--json" in front  # set first, so that every error is reported as JSON
    extra: dict[str, Any] = {
        "prog_name": "referee",
        "standalone_mode": False,
        "terminal_width": min(80, count_terminal_columns()),
    }
    try:
        if context.screen.json and wants_help(rest):
            with redirect_stdout(StringIO()) as told:
                command.main([*front, *rest], obj=context, **extra)
            return Answer((), lambda: {"help": told.getvalue()})
        answer = command.main([*front, *rest], obj=context, **extra)
        return _add_command(answer, context.same_named_command) if isinstance(answer, Answer) else int(answer or OK)
    except typer.Abort:  # Ctrl-D at a question
        return NO
    except Exception as error:
        return context.explain_error(_translate_error(error, rest))


def answer_command_line_eagerly(arguments: list[str], context: Context) -> Answer:
    """Returns the answer to a command line, with all its lines worked out. So an error in a line becomes the answer."""
    said = answer_command_line(arguments, context)
    answer = Answer((), lambda: None, said) if isinstance(said, int) else said
    try:
        return replace(answer, lines=list(answer.lines))
    except Exception as error:
        return context.explain_error(error)


def _translate_error(error: Exception, words: list[str]) -> Exception:
    """Returns the error in our own words if the parser found it or the line begins with no known word."""
    if hasattr(error, "format_message"):  # the parser's own, whose class is not public
        from referee.cli.usage_errors import explain_misuse

        return MisuseError(explain_misuse(error, words))
    return make_unknown_word_error(error, words, list_command_names()) if can_be_action(words) else error


def _add_command(answer: Answer, name: str) -> Answer:
    """Adds to the answer about a refused action how to type the command `name`; adds nothing if `name` is ""."""
    if not name or answer.code != NO:
        return answer
    said = Text(f"If you mean the command, type: referee {COMMAND_MARK}{name}", indent=2)
    return replace(answer, lines=[*answer.lines, said])


def render_answer(answer: Answer | int, context: Context) -> RenderedAnswer:
    """Renders an answer, or an error if the answer cannot be shown. An exit code alone has no lines."""
    if isinstance(answer, int):
        return [], [], answer
    try:
        if context.screen.json:
            return context.screen.render(_add_notes(answer, context))
        if other := context.path_for_log_option:
            from referee.cli.log_option import add_log_option  # most answers speak of the current game

            answer = add_log_option(answer, other)
        return context.screen.render(answer)
    except Exception as error:  # lines are worked out while they are shown
        return context.screen.render(context.explain_error(error))


def _add_notes(answer: Answer, context: Context) -> Answer:
    """Returns the answer with the notes among its facts, for a program. Facts that are a list stay as they are."""
    facts = answer.facts()
    if not context.notes or not isinstance(facts, dict):
        return replace(answer, facts=lambda: facts)
    notes, context.notes = context.notes, []
    return replace(answer, facts=lambda: {**facts, "notes": notes})
