"""The entry point: finds the command, imports only its file, renders its answer, leaves with its exit code."""

import os
import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace
from typer import Option
from typer.core import TyperGroup

from referee.cli.answer import NO, OK, UNREADABLE, Answer, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, unknown_word
from referee.cli.screen import NARROW, Rendered, Screen, hush, waiting
from referee.cli.typed import PLAIN
from referee.engine.component import watch


class Command(Struct, frozen=True):
    """One command: in which panel of the help it stands, what it is for, what else it is called. It stands in the file
    of `commands` that is named as it is typed.
    """

    panel: str
    meaning: str
    alias: str = ""
    function: str = ""
    """Its function there, or an app with commands of its own; empty: named as it is typed."""


COMMANDS = {
    "demo": Command("Start", "play, refuse, audit and branch a sample game"),
    "games": Command("Start", "the games installed, their options and boards"),
    "new": Command("Start", "start a game"),
    "join": Command("Start", "sit down at this computer in a game with secrets"),
    "use": Command("Start", "choose the current game; bare: list them"),
    "play": Command("At the table", "a session: prompt, TAB, bare dice"),
    "do": Command("At the table", "say what you do; do itself may be left out", "d"),
    "legal": Command("At the table", "what may be done now", "l"),
    "why": Command("At the table", "may I? the verdict and its rules; records nothing", "w"),
    "roll": Command("At the table", "throw the dice the game waits for, or type them in", "r"),
    "last": Command("At the table", "what happened last"),
    "where": Command("At the table", "where something is, and what is somewhere"),
    "who": Command("At the table", "whose turn it is, and what is due"),
    "need": Command("At the table", "the dice that are waited for, the numbers needed, and the chances"),
    "answer": Command("At the table", "answer what only those who sit here know"),
    "show": Command("At the table", "the board", "s"),
    "serve": Command("At the table", "the board in browsers, live: for the table and for each seat"),
    "undo": Command("At the table", "take back, with the fact kept in the record"),
    "redo": Command("At the table", "bring back what was taken back"),
    "correct": Command("At the table", "an earlier die was typed wrongly"),
    "note": Command("At the table", "put a remark in the record"),
    "amend": Command("At the table", "correct the position by agreement"),
    "check-table": Command("At the table", "compare the board with the record, piece by piece"),
    "resign": Command("At the table", "give the game up"),
    "finish": Command("At the table", "end the game by agreement"),
    "pack": Command("By mail", "sign, hand over, and write the mail"),
    "open": Command("By mail", "a mail as it came: checked, told, recorded", function="open_mail"),
    "mail": Command("By mail", "who waits for whom, and what is signed"),
    "agree": Command("By mail", "agree to what is offered"),
    "refuse": Command("By mail", "refuse what is offered"),
    "log": Command("The record", "the entries, numbered"),
    "replay": Command("The record", "tell the game again from its log"),
    "reveal": Command("The record", "open the secrets of a game for all to check"),
    "audit": Command("The record", "judge every play again: is this what happened?"),
    "diff": Command("The record", "where two logs part, and who is right"),
    "branch": Command("The record", "play on from an earlier entry in a new log"),
    "match": Command("The record", "several games with points: new, next, show, undo, audit", function="app"),
    "key": Command("By mail", "your own key: make it, show it, back it up, bring it back"),
    "odds": Command("Chances", "what an action may come to, and how likely each of it is"),
    "hint": Command("Chances", "what a bot would do here, and why not something else"),
    "rank": Command("Chances", "how strong bots are: each against each, on the same dice"),
    "luck": Command("Chances", "was that luck? hits against what had to be expected"),
    "dice": Command("Chances", "are our dice fair? the faces that fell, in all logs of a folder"),
    "stats": Command("Chances", "a row a log, as CSV or JSON lines"),
    "rules": Command("Reference", "look up a rule, a ruling, or what a card, a weapon or a place does"),
    "help": Command("Reference", "a command, a word of the game, or a chapter", function="help_on"),
    "web": Command("Reference", "a folder that judges logs in a browser tab, without Python"),
    "schema": Command("Reference", "JSON Schema of entries, actions, events, positions"),
}
SPOKEN = frozenset(
    ("open", "join", "key", "agree", "refuse", "answer", "resign", "finish", "reveal", "use", "match", "web")
)
"""Commands that are words of games, too, or may be: what the game at hand can read is the game's."""
MANUAL = Path(__file__).parent.parent / "manual"
"""Where its chapters lie."""
COMMAND_MARK = ":"
"""Before a word it says that the command is meant, whatever the game at hand makes of the word."""
MOMENTS = ("--at", "--from", "--to")
"""Options that name a moment of a game."""
ALIASES = {command.alias: name for name, command in COMMANDS.items() if command.alias}

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


def is_action(words: list[str]) -> bool:
    """Whether a line begins with something to do, since it begins with no command or option."""
    is_marked = bool(words) and words[0].startswith(("-", COMMAND_MARK))
    return bool(words) and not is_marked and words[0] not in COMMANDS and words[0] not in ALIASES


def wants_help(words: list[str]) -> bool:
    """Whether a line asks for help, which the parser prints by itself."""
    said = words[: words.index("--")] if "--" in words else words
    return bool({"-h", "--help"} & {*said})


@cache
def load(name: str) -> Any:
    """The command of this name, with its file imported."""
    file = name.replace("-", "_")
    found = getattr(import_module(f"referee.cli.commands.{file}"), COMMANDS[name].function or file)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    single = typer.Typer(**PLAIN)
    single.command(name, context_settings=PLAIN["context_settings"])(found)
    return typer.main.get_command(single)


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
            value = next(waiting, None) if takes_value[word] else ""
            if value is None:  # it is the last word, and must not take another one for its value
                return front, []
            front += [value] if takes_value[word] else []
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


DASHES = re.compile("[\u2013\u2014\u2212][-\u2013\u2014\u2212]?(?=[a-z])")
"""What telephones and letters make of two dashes: one long one, before the name of an option."""
QUOTES = "\u201c\u201d\u201e\u00ab\u00bb"
"""Quotation marks that no shell takes for any: they come along with what is pasted."""


def straightened(words: list[str]) -> list[str]:
    """Words as they are typed, whatever a telephone or a letter made of their dashes and quotes. A remark is as it is
    written.
    """
    if "note" in words:
        return words
    return [DASHES.sub("--", word, count=1) if DASHES.match(word) else word.strip(QUOTES) for word in words]


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
        named = at <= end and {*words[-2:-1]} & {*MOMENTS} and words[-1].lower() == "turn"
        if named and word[:1].isdigit():
            words[-1] = f"turn {word}"
        else:
            words.append(word)
    return words


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    watch(waiting)
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", **({"encoding": "utf-8"} if os.name == "nt" else {}))
    words = sys.argv[1:] if arguments is None else arguments
    if COMPLETING in os.environ or INSTALLING.intersection(words):
        from referee.cli.shells import serve

        serve()
    context = Context()
    try:
        said = answer_to(words, context)
        out, err, code = rendered(said, context)
        sys.stdout.writelines(f"{line}\n" for line in out)
        sys.stdout.flush()
        sys.stderr.writelines(f"{line}\n" for line in [*context.notes, *err])
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
        code = 130
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
    width = min(80, max(NARROW, get_terminal_size().columns))
    extra: dict[str, Any] = {"prog_name": "referee", "standalone_mode": False, "terminal_width": width}
    try:
        if context.screen.json and wants_help(rest):
            with redirect_stdout(StringIO()) as told:
                command.main([*front, *rest], obj=context, **extra)
            return Answer((), lambda: {"help": told.getvalue()})
        answer = command.main([*front, *rest], obj=context, **extra)
        return _with_command(answer, context.also) if isinstance(answer, Answer) else int(answer or OK)
    except typer.Abort:  # Ctrl-D at a question
        return 1
    except Exception as error:
        return context.explained(_plain(error, rest))


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
