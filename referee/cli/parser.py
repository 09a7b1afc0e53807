"""The command line as it is typed: arguments made ready for the parser, and the command that they lead to."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

from referee.cli.answer import Answer
from referee.cli.catalogue import ALIASES, COMMANDS, MANUAL, SPOKEN, load
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.screen import Screen
from referee.cli.typed import PLAIN

COMMAND_MARK = ":"
"""Before a word it says that the command is meant, whatever the game at hand makes of the word."""
MOMENTS = ("--at", "--from", "--to")
"""Options that name a moment of a game."""
COMPLETING = "_REFEREE_COMPLETE"
"""Set by a shell that asks what can come next."""
INSTALLING = frozenset(("--install-completion", "--show-completion"))

HELP = """Referee for board games: verdicts with the rule, dice and logs anyone can check.

\b
referee games          what is there?
referee new GAME       start a game
referee roll 2 2 6     dice you threw
referee legal          what may I do?
referee ACTION         say what you do
referee why ACTION     may I?
referee audit x.jsonl  was it so?
referee help typing    how to type
referee --install-completion   TAB
"""


class LazyGroup(TyperGroup):
    """Imports a command's file only when that command runs."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """All commands, for suggestions."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """The command of this name or alias."""
        name = ALIASES.get(cmd_name, cmd_name)
        return load(name) if name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """What the game at hand can read is something to do, and so is what begins with no command; but what begins
        like a command may be a slip.
        """
        first = args[0]
        if first.startswith(COMMAND_MARK):
            return super().resolve_command(ctx, [first.removeprefix(COMMAND_MARK), *args[1:]])
        if first in SPOKEN and _is_the_games(ctx, args, first):
            ctx.obj.also = first
            return "do", load("do"), args
        if first.startswith("-") or not is_action(args):
            return super().resolve_command(ctx, args)
        begun = [name for name in COMMANDS if first and name.startswith(first.lower())]
        if begun and not _is_the_games(ctx, args, begun[0]):
            if first.lower() in COMMANDS:  # a telephone writes it with a capital letter
                return super().resolve_command(ctx, [first.lower(), *args[1:]])
            if _begins_in_game(ctx, first):
                return "do", load("do"), args
            raise MisuseError(
                f"there is no command {first!r}; did you mean {begun[0]!r}? "
                f"To say what you do: referee do {' '.join(args)}"
            )
        return "do", load("do"), args

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands by panels, without importing any."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in COMMANDS.items():
            shown = f"{name}, {command.alias}" if command.alias else name
            panels.setdefault(command.panel, []).append((shown, command.meaning))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


def _is_the_games(ctx: Any, words: list[str], name: str) -> bool:
    from referee.cli.spoken import is_read_by_game  # few lines could be meant both ways

    context: Context = ctx.obj
    context.log = ctx.params.get("game")
    return ctx.params.get("at") is None and is_read_by_game(context, words, name)


def _begins_in_game(ctx: Any, word: str) -> bool:
    from referee.cli.spoken import begins_in_game

    return ctx.params.get("at") is None and begins_in_game(ctx.obj, word)


def is_action(words: list[str]) -> bool:
    """Whether a line begins with something to do, since it begins with no command or option."""
    is_marked = bool(words) and words[0].startswith(("-", COMMAND_MARK))
    return bool(words) and not is_marked and words[0] not in COMMANDS and words[0] not in ALIASES


def wants_help(words: list[str]) -> bool:
    """Whether a line asks for help, which the parser prints by itself."""
    said = words[: words.index("--")] if "--" in words else words
    return bool({"-h", "--help"} & {*said})


app = typer.Typer(cls=LazyGroup, help=HELP, **PLAIN)


@cache
def command_line() -> Any:
    """The whole command line; a session uses one for all its lines."""
    return typer.main.get_command(app)


@app.callback(invoke_without_command=True)
def main(
    ctx: typer.Context,
    game: Annotated[str | None, Option("-g", "--game", metavar="LOG", help="The log; - reads stdin.")] = None,
    json: Annotated[bool, Option("--json", help="Answer in JSON.")] = False,
    at: Annotated[str | None, Option(metavar="WHEN", help="Entry 9, turn 7, or 7.blue.")] = None,
    ascii_only: Annotated[bool, Option("--ascii", help="Draw in ASCII.")] = False,
    color: Annotated[str, Option(metavar="WHEN", help="auto, always or never.")] = "auto",
    width: Annotated[int, Option(metavar="N", help="Columns to write in.")] = 0,
    by_hand: Annotated[bool, Option("--by-hand", help="Do nothing by itself that can only be one thing.")] = False,
    version: Annotated[bool, Option("-V", "--version", help="Say which version this is.")] = False,
) -> Answer | None:
    """Set up what every command works with; without a command, tell where the game stands."""
    if color not in ("auto", "always", "never"):
        raise MisuseError(f"--color is auto, always or never, not {color!r}")
    context: Context = ctx.obj
    context.log, context.by_hand = game, by_hand
    if at is not None:
        from referee.cli.when import parse_when

        context.when = parse_when(at)
    height = context.screen.height
    context.screen = Screen(json=json, ascii_only=ascii_only, colour=color, width=width, height=height)
    if ctx.invoked_subcommand is not None:
        return None
    if version:
        from referee import __version__

        return Answer([f"referee {__version__}"], lambda: {"version": __version__})
    from referee.cli.status import status

    return status(context, ctx.get_help)


def hoist(arguments: list[str], options: Iterable[Any]) -> tuple[list[str], list[str]]:
    """The global options among the arguments, which may stand anywhere, and all else: `referee show --json`."""
    takes_value = {name: not option.is_flag for option in options for name in option.opts}
    front, rest = [], []
    waiting = iter(faces_joined(joined(straightened(arguments))))
    for word in waiting:
        if word == "--":
            rest += [word, *waiting]
        elif word in takes_value:
            front.append(word)
            if takes_value[word]:
                value = next(waiting, None)
                if value is None:  # it is the last word, and must not take another one for its value
                    return front, []
                front.append(value)
        elif word.startswith("--") and takes_value.get(word.partition("=")[0]):
            front.append(word)
        else:
            rest.append(word)
    return front, _helped(rest)


def _helped(words: list[str]) -> list[str]:
    """A line that asks for help on commands as one that has the option; on other words, and on commands that the manual
    has a chapter about, there is a command.
    """
    if words[:1] != ["help"]:
        return words
    is_command = words[1:2] and words[1] not in SPOKEN and (words[1] in COMMANDS or words[1] in ALIASES)
    if is_command and (MANUAL / f"{words[1]}.md").is_file():
        return words
    return [*words[1:], "--help"] if is_command or len(words) == 1 else words


LONG = "\u2013\u2014\u2212"
"""What telephones and letters make of two dashes: one long one, before the name of an option."""
QUOTES = "\u201c\u201d\u201e\u00ab\u00bb"
"""Quotation marks that no shell takes for any: they come along with what is pasted."""


def straightened(words: list[str]) -> list[str]:
    """Words as they are typed, whatever a telephone or a letter made of their dashes and quotes. A remark is as it is
    written.
    """
    if "note" in words:
        return words
    return [_straightened(word) for word in words]


def _straightened(word: str) -> str:
    option = re.match(f"[{LONG}][-{LONG}]?(?=[a-z])", word) if word[:1] in LONG else None
    return f"--{word[option.end() :]}" if option else word.strip(QUOTES)


def faces_joined(arguments: list[str]) -> list[str]:
    """Arguments with faces that were typed apart made one: `--dice 4 4`, up to the next option or the end. Where words
    follow that are none, the numbers are theirs: `--dice 4 2 go`.
    """
    if "--dice" not in arguments[:-1]:
        return arguments
    at = end = arguments.index("--dice") + 1
    while end < len(arguments) and arguments[end].replace(",", "").isdigit():
        end += 1
    if end <= at or (end < len(arguments) and not arguments[end].startswith("-")):
        return arguments
    return [*arguments[:at], ",".join(arguments[at:end]), *arguments[end:]]


def joined(arguments: list[str]) -> list[str]:
    """Arguments with a turn that an option names made one: `--at turn 7`."""
    words: list[str] = []
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for at, word in enumerate(arguments):
        is_named = at <= end and len(words) > 1 and words[-2] in MOMENTS and words[-1].lower() == "turn"
        if is_named and word[:1].isdigit():
            words[-1] = f"turn {word}"
        else:
            words.append(word)
    return words
