"""The entry point: finds the command, imports only its file, and turns errors into exit codes."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from referee.cli.context import Context
from referee.cli.screen import NARROW, ReaderGoneError, Screen

COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("demo", "Start", "play, refuse, audit and branch a sample game"),
    "games": ("starting", "Start", "the games installed, their options and boards"),
    "new": ("starting", "Start", "start a game"),
    "use": ("starting", "Start", "choose the current game; bare: list them"),
    "do": ("table", "At the table", "say what you do: referee do 2 turn ne"),
    "legal": ("table", "At the table", "what may be done now"),
    "why": ("table", "At the table", "may I? the verdict and its rules; records nothing"),
    "roll": ("table", "At the table", "throw the dice the game waits for, or type them in"),
    "show": ("looking", "At the table", "the board"),
    "undo": ("table", "At the table", "take back, with the fact kept in the record"),
    "note": ("table", "At the table", "put a remark in the record"),
    "amend": ("table", "At the table", "correct the position by agreement"),
    "log": ("records", "The record", "the entries, numbered"),
    "replay": ("records", "The record", "tell the game again from its log"),
    "reveal": ("records", "The record", "open the secrets of a game for all to check"),
    "audit": ("records", "The record", "judge every play again: is this what happened?"),
    "diff": ("records", "The record", "where two logs part, and who is right"),
    "branch": ("records", "The record", "play on from an earlier entry in a new log"),
    "match": ("match", "The record", "several games with points and totals: new, next, show, audit"),
    "rules": ("reference", "Reference", "look up a rule or a ruling"),
    "schema": ("reference", "Reference", "JSON Schema of entries, actions, events, positions"),
}
"""Each command: its file, its panel, what it is for."""

ALIASES = {"d": "do", "l": "legal", "w": "why", "r": "roll", "s": "show"}

FLAGS = {"--json", "--ascii"}
VALUED = {"-g", "--game", "--at", "--color", "--width"}

HELP = """Referee for board games: verdicts with the rule, dice and logs anyone can check.

\b
referee new manoover   start a game
referee roll 2 2 6     dice you threw
referee legal          what may I do?
referee 2 turn ne      say what you do
referee why 6 go       may I?
referee audit x.jsonl  was it so?
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
        """What begins with a digit is an action: `referee 6 go`."""
        if args[0][:1] in set("0123456789"):
            return "do", load("do"), args
        if args[0] in COMMANDS or args[0] in ALIASES or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        from referee.cli.errors import MisuseError, unknown_command

        raise MisuseError(unknown_command(args, list(COMMANDS)))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands by panels, without importing any."""
        short = {name: alias for alias, name in ALIASES.items()}
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, (_, panel, meaning) in COMMANDS.items():
            shown = f"{name}, {short[name]}" if name in short else name
            panels.setdefault(panel, []).append((shown, meaning))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


def load(name: str) -> Any:
    """The command of this name, with its file imported."""
    module = import_module(f"referee.cli.{COMMANDS[name][0]}")
    if hasattr(module, f"{name}_app"):  # a command with commands of its own
        return typer.main.get_command(getattr(module, f"{name}_app"))
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(name, context_settings=SETTINGS)(getattr(module, f"{name}_command"))
    return typer.main.get_command(single)


SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    cls=LazyGroup,
    help=HELP,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


@app.callback(invoke_without_command=True)
def main(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Option("-g", "--game", metavar="LOG", help="The log; - reads stdin.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
    at: Annotated[int | None, typer.Option(metavar="N", help="Look at the game after entry N.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw in ASCII.")] = False,
    color: Annotated[str, typer.Option(metavar="WHEN", help="auto, always or never.")] = "auto",
    width: Annotated[int, typer.Option(metavar="N", help="Columns to write in.")] = 0,
    version: Annotated[bool, typer.Option("-V", "--version", help="Say which version this is.")] = False,
) -> None:
    """Set up what every command works with; without a command, tell where the game stands."""
    if version:
        from referee import __version__

        typer.echo(f"referee {__version__}")
        raise typer.Exit
    if color not in ("auto", "always", "never"):
        raise typer.BadParameter("color is auto, always or never")
    ctx.obj = Context(game, at, Screen(json=json, ascii_only=ascii_only, colour=color, width=width))
    if ctx.invoked_subcommand is None:
        from referee.cli.looking import tell_status

        tell_status(ctx)


def hoist(arguments: list[str]) -> list[str]:
    """Move the global options to the front, so that they may stand anywhere: `referee show --json`."""
    front, rest = [], []
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    waiting = iter(arguments)
    for word in waiting:
        if word == "--":
            rest += [word, *waiting]
        elif word in FLAGS or any(word.startswith(f"{name}=") for name in VALUED if name.startswith("--")):
            front.append(word)
        elif word in VALUED:
            front += [word, *([value] if (value := next(waiting, None)) is not None else [])]
        else:
            rest.append(word)
    return front + rest


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", **({"encoding": "utf-8"} if os.name == "nt" else {}))
    words = hoist(sys.argv[1:] if arguments is None else arguments)
    try:
        width = min(80, max(NARROW, get_terminal_size().columns))
        code = app(words, prog_name="referee", standalone_mode=False, terminal_width=width)
    except SystemExit as leaving:
        code = leaving.code
    except ReaderGoneError:
        code = 0
    except typer.Abort:  # Ctrl-D at a question
        code = 1
    except Exception as error:
        code = _report(error, "--json" in words)
    _leave(code or 0)


def _report(error: Exception, json: bool) -> int:
    from referee.cli.errors import BUG, NO, as_json, exit_code_of, explain

    error = _fault_behind(error) or error
    code = exit_code_of(error)
    if code == BUG:
        if os.environ.get("REFEREE_DEBUG"):
            raise error
        sys.stderr.write(
            f"This is a bug in the referee: {type(error).__name__}: {error}\n"
            "Nothing was recorded that it had not said. Please report it with the log and this command;\n"
            "REFEREE_DEBUG=1 shows where it happened.\n"
        )
    elif json:
        import msgspec

        sys.stderr.write(msgspec.json.encode(as_json(error)).decode() + "\n")
    elif code == NO:
        Screen().say(f"NO  {explain(error)}", "refused")
    else:
        Screen().complain(explain(error))
    return code


def _fault_behind(error: Exception) -> Exception | None:
    """Replaying a log runs no rules, so forged events can lead anywhere. What fails on a log is the log's fault if an
    audit finds one.
    """
    from referee.cli.errors import BUG, exit_code_of
    from referee.record.audit import audit_stream
    from referee.record.faults import FaultError

    if exit_code_of(error) != BUG or Context.looked_at is None:
        return None
    with Context.looked_at() as file:
        fault = audit_stream(file).fault
    return FaultError(fault) if fault else None


def _leave(code: Any) -> None:
    """Flush and go; a reader that has left the pipe is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
