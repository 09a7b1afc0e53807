"""The command line as it is typed: preparing the arguments for the parser, and finding the command."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

from referee.cli.answer import Answer
from referee.cli.arguments import COMMAND_LINE_SETTINGS
from referee.cli.catalogue import (
    AMBIGUOUS_COMMANDS,
    COMMANDS,
    MANUAL_FOLDER,
    is_command_word,
    load_command,
    replace_old_command,
)
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.help_format import UniqueOptionsMixin
from referee.cli.screen import Screen
from referee.engine.text import normalize_typing

COMMAND_MARK = ":"
"""The sign before a word that always means the command, even if the game at hand has the same word."""
MOMENT_OPTIONS = ("--at", "--from", "--to")
"""The options that name a moment of a game."""
COMPLETION_VARIABLE = "_REFEREE_COMPLETE"
"""The variable that a shell sets to ask for completions."""
COMPLETION_OPTIONS = frozenset(("--install-completion", "--show-completion"))

HELP_TEXT = "A referee for board games. Anyone can check its verdicts, dice and logs."
NINE_WORDS = ("new", "play", "legal", "why", "show", "undo", "correct", "audit", "help")
"""The commands that an evening needs. The short help shows nothing else."""
SHORT_OPTIONS = ("game", "help")
"""The options in the short help."""
HELP_HINTS = (
    ("referee games", "list the games"),
    ("referee 6 go", "make a move; it needs no command"),
    ("referee help commands", "list all commands; for play by mail: referee help mail"),
)
"""Lines below the nine words, each with its meaning."""


class LazyCommandGroup(UniqueOptionsMixin, TyperGroup):
    """A group of commands that imports a command's file only when the command runs."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Returns the names of all commands, for suggestions."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Returns the command of this name; None for any other word. Aliases have been replaced by names before."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Returns the command that a line runs.

        A line that the game can read, or that begins with no command, is an action. Raises MisuseError if the line
        begins with a part of a command's name that begins no action.
        """
        args = _split_quoted(args)
        first = args[0]
        if first.startswith(COMMAND_MARK):
            return super().resolve_command(ctx, replace_old_command([first.removeprefix(COMMAND_MARK), *args[1:]]))
        if first in AMBIGUOUS_COMMANDS and _is_game_line(ctx, args, first):
            ctx.obj.same_named_command = first
            return "do", load_command("do"), args
        if first.startswith("-") or not can_be_action(args):
            return super().resolve_command(ctx, replace_old_command(args))
        begun = [name for name in COMMANDS if first and name.startswith(first.lower())]
        if begun and not _is_game_line(ctx, args, begun[0]):
            if is_command_word(first.lower()):  # a phone starts the line with a capital letter
                return super().resolve_command(ctx, replace_old_command([first.lower(), *args[1:]]))
            if _can_begin_action(ctx, first):
                return "do", load_command("do"), args
            raise MisuseError(
                f"there is no command {first!r}; did you mean {begun[0]!r}? To make a move: referee do {' '.join(args)}"
            )
        return "do", load_command("do"), args

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Writes the nine commands that people need for an evening, and how to find the other commands."""
        with formatter.section("Nine words are enough"):
            formatter.write_dl([(_format_name_with_alias(name), COMMANDS[name].meaning) for name in NINE_WORDS])
        with formatter.section("More"):
            formatter.write_dl(HELP_HINTS)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the commands, then the options that people need most."""
        self.format_commands(ctx, formatter)
        _write_options(ctx, formatter, [param for param in self.get_params(ctx) if param.name in SHORT_OPTIONS])

    def format_full_help(self, ctx: Any) -> str:
        """Returns the list of all options and commands, grouped by panels. Imports no file of a command."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        _write_options(ctx, formatter, self.get_params(ctx))
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in COMMANDS.items():
            row = panels.setdefault(command.panel, [])
            if not command.parts:
                row.append((_format_name_with_alias(name), command.meaning))
            row += ((f"{name} {part}", one.meaning) for part, one in command.parts.items())
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)
        return str(formatter.getvalue()).rstrip("\n")


def _split_quoted(args: list[str]) -> list[str]:
    """Returns the words of a line. If the first word holds a command with its first arguments, splits that word.

    Such a word was quoted, or pasted with spaces that no shell knows.
    """
    words = args[0].split()
    return [*words, *args[1:]] if len(words) > 1 and is_command_word(words[0].lower()) else args


def _format_name_with_alias(name: str) -> str:
    alias = COMMANDS[name].alias
    return f"{name}, {alias}" if alias else name


def _write_options(ctx: Any, formatter: Any, params: Iterable[Any]) -> None:
    rows = [row for param in params if (row := param.get_help_record(ctx)) is not None]
    with formatter.section("Options"):
        formatter.write_dl(rows)


def _is_game_line(ctx: Any, words: list[str], name: str) -> bool:
    from referee.cli.command_or_action import is_read_by_game  # few lines could be meant both ways

    context: Context = ctx.obj
    context.log = ctx.params.get("game")
    return ctx.params.get("at") is None and is_read_by_game(context, words, name)


def _can_begin_action(ctx: Any, word: str) -> bool:
    from referee.cli.command_or_action import can_begin_action

    return ctx.params.get("at") is None and can_begin_action(ctx.obj, word)


def can_be_action(words: list[str]) -> bool:
    """True if a line is not empty and begins with neither a command nor an option."""
    is_marked = bool(words) and words[0].startswith(("-", COMMAND_MARK))
    return bool(words) and not is_marked and not is_command_word(words[0])


def wants_help(words: list[str]) -> bool:
    """True if a line asks for help, which the parser prints by itself."""
    said = words[: words.index("--")] if "--" in words else words
    return bool({"-h", "--help"} & {*said})


app = typer.Typer(cls=LazyCommandGroup, help=HELP_TEXT, **COMMAND_LINE_SETTINGS)


@cache
def get_root_command() -> Any:
    """Returns the command that holds all other commands. A session uses the same one for all its lines."""
    return typer.main.get_command(app)


@app.callback(invoke_without_command=True)
def main(
    ctx: typer.Context,
    game: Annotated[str | None, Option("-g", "--game", metavar="LOG", help="The log to use; - reads stdin.")] = None,
    json: Annotated[bool, Option("--json", help="Answer in JSON.")] = False,
    at: Annotated[str | None, Option(metavar="WHEN", help="Look at entry 9, turn 7, or blue's part: 7.blue.")] = None,
    ascii_only: Annotated[bool, Option("--ascii", help="Draw in ASCII.")] = False,
    color: Annotated[str, Option(metavar="WHEN", help="Use colours: auto, always, never.")] = "auto",
    width: Annotated[int, Option(metavar="N", help="Write in N columns.")] = 0,
    by_hand: Annotated[bool, Option("--by-hand", help="Make no forced move by itself.")] = False,
    version: Annotated[bool, Option("-V", "--version", help="Show the version.")] = False,
) -> Answer | None:
    """Sets up the context of a command. Without a command, shows the state of the game."""
    if color not in ("auto", "always", "never"):
        raise MisuseError(f"--color is auto, always or never, not {color!r}")
    context: Context = ctx.obj
    context.log, context.by_hand = game, by_hand
    if at is not None:
        from referee.cli.entry_reference import parse_entry_reference

        context.when = parse_entry_reference(at)
    height = context.screen.height
    context.screen = Screen(json=json, ascii_only=ascii_only, colour=color, width=width, height=height)
    if ctx.invoked_subcommand is not None:
        return None
    if version:
        from referee import __version__

        return Answer([f"referee {__version__}"], lambda: {"version": __version__})
    from referee.cli.status_answer import answer_status

    return answer_status(context, ctx.get_help)


def split_off_global_options(arguments: list[str], options: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Splits arguments into the global options with their values, and the rest.

    Global options may come anywhere, as in `referee show --json`. After `--` there are none.
    """
    takes_value = {name: not option.is_flag for option in options for name in option.opts}
    front, rest = [], []
    waiting = iter(join_faces(join_turn_words(normalize_typography(arguments))))
    for word in waiting:
        if word == "--":
            rest += [word, *waiting]
        elif word in takes_value:
            front.append(word)
            if takes_value[word]:
                value = next(waiting, None)
                if value is None:  # an option at the end must not take another word as its value
                    return front, []
                front.append(value)
        elif word.startswith("--") and takes_value.get(word.partition("=")[0]):
            front.append(word)
        else:
            rest.append(word)
    return front, _rewrite_help(rest)


def _rewrite_help(words: list[str]) -> list[str]:
    """Turns `help COMMAND` into `COMMAND --help`.

    Other words, and single words with a chapter of the manual, go to the `help` command.
    """
    if words[:1] != ["help"]:
        return words
    is_command = words[1:2] and words[1] not in AMBIGUOUS_COMMANDS and is_command_word(words[1])
    if is_command and len(words) == 2 and (MANUAL_FOLDER / f"{words[1]}.md").is_file():
        return words
    return [*words[1:], "--help"] if is_command or len(words) == 1 else words


LONG_DASHES = "\u2013\u2014\u2212"
"""The long dashes into which phones and mail programs turn the two hyphens before an option."""
QUOTES = "\u201c\u201d\u201e\u00ab\u00bb"
"""The quotation marks of pasted text, which no shell removes."""


def normalize_typography(words: list[str]) -> list[str]:
    """Restores the dashes of options, removes quotation marks around words, and makes the digits of other keyboards
    plain.

    A line with the word "note" stays as it is, since it may hold a remark.
    """
    if "note" in words:
        return words
    return [_normalize_word(word) for word in words]


def _normalize_word(word: str) -> str:
    option = re.match(f"[{LONG_DASHES}][-{LONG_DASHES}]?(?=[a-z])", word) if word[:1] in LONG_DASHES else None
    return normalize_typing(f"--{word[option.end() :]}" if option else word.strip(QUOTES))


def join_faces(arguments: list[str]) -> list[str]:
    """Joins faces that follow `--dice` as separate words, up to the next option or the end: `--dice 4 4`.

    If an action follows, all numbers after the first may belong to it, so nothing changes: `--dice 4 2 go`.
    """
    if "--dice" not in arguments[:-1]:
        return arguments
    at = end = arguments.index("--dice") + 1
    while end < len(arguments) and arguments[end].replace(",", "").isdigit():
        end += 1
    if end <= at or (end < len(arguments) and not arguments[end].startswith("-")):
        return arguments
    return [*arguments[:at], ",".join(arguments[at:end]), *arguments[end:]]


def join_turn_words(arguments: list[str]) -> list[str]:
    """Joins the two words of a turn after an option that names a moment: `--at turn 7`."""
    words: list[str] = []
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for at, word in enumerate(arguments):
        is_named = at <= end and len(words) > 1 and words[-2] in MOMENT_OPTIONS and words[-1].lower() == "turn"
        if is_named and word[:1].isdigit():
            words[-1] = f"turn {word}"
        else:
            words.append(word)
    return words
