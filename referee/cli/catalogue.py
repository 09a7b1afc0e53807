"""The table of commands: purpose, panel, alias and file.

A command's file is imported only when the command runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct

from referee.cli.arguments import COMMAND_LINE_SETTINGS
from referee.cli.help_format import NarrowHelpCommand, NarrowHelpGroup
from referee.engine.text import begin_sentence


class Command(Struct, frozen=True):
    """One command, or a group of commands with the same first word."""

    panel: str
    meaning: str
    alias: str = ""
    file: str = ""
    """The name of its file in `commands`; "" if it is the command's name."""
    function: str = ""
    """The name of its function in the file, or of an app with commands of its own; "" if it is the file's name."""
    parts: Mapping[str, Command] = {}
    """The commands of a group, by their second word. The first of them runs if no second word is typed."""


COMMANDS = {
    "demo": Command("Start", "watch a sample game: moves, a refusal, an audit, a branch"),
    "games": Command("Start", "list the installed games, their options and boards"),
    "new": Command("Start", "start a game"),
    "join": Command("Start", "sit down at this computer in a game with secrets"),
    "use": Command("Start", "choose the current game, or list your games"),
    "play": Command("At the table", "play at a prompt; TAB shows what can come next"),
    "do": Command("At the table", "make a move; you can leave out the word do", "d"),
    "legal": Command("At the table", "list what you may do now", "l"),
    "why": Command("At the table", "check a move and show its rules; records nothing", "w"),
    "roll": Command("At the table", "roll the dice, or type what your own dice show", "r"),
    "status": Command("At the table", "show what happened last, whose turn it is, and what comes next"),
    "where": Command("At the table", "find a piece, or see what is on a place"),
    "answer": Command("At the table", "answer a question that only your seat can answer"),
    "show": Command("At the table", "show the board", "s"),
    "serve": Command("At the table", "show the board live in browsers, for all or for a seat"),
    "undo": Command("At the table", "take back the last move; the record keeps it"),
    "redo": Command("At the table", "bring back what you took back"),
    "correct": Command("At the table", "correct a die or a move that was typed wrongly"),
    "note": Command("At the table", "add a remark to the record"),
    "fix": Command("At the table", "compare your real board with the record, and correct the position"),
    "resign": Command("At the table", "give up the game"),
    "leaves": Command("At the table", "let a player leave; the others play on, alone or with a bot"),
    "sits": Command("At the table", "let somebody else play a seat that was left"),
    "finish": Command("At the table", "end the game, if everyone agrees"),
    "switch": Command("At the table", "change an option from here on, if everyone agrees"),
    "upgrade": Command("At the table", "play on under newer rules, if everyone agrees"),
    "pause": Command("By mail", "stop counting days until a date, if everyone agrees"),
    "mail": Command(
        "By mail",
        "play by mail",
        parts={
            "status": Command("By mail", "show who waits for whom, and what is signed", file="mail"),
            "pack": Command("By mail", "sign your moves and write the mail to send"),
            "open": Command("By mail", "open a mail: check, show and record it", function="open_mail"),
            "orders": Command("By mail", "prepare moves for when you are away"),
            "agree": Command("By mail", "agree to an offer"),
            "refuse": Command("By mail", "refuse an offer"),
        },
    ),
    "log": Command("The record", "list or retell the entries; write a page, a sheet or a QR code"),
    "reveal": Command("The record", "open the secrets of a game so that all can check them"),
    "vault": Command("The record", "show, move, save or load your secrets of a game"),
    "audit": Command("The record", "check every move and every die again"),
    "diff": Command("The record", "find where two logs differ, and which one is right"),
    "branch": Command("The record", "play on from an earlier entry in a new log"),
    "merge": Command("The record", "choose which moves count if two people both played on"),
    "git": Command("The record", "make Git understand logs", function="app"),
    "match": Command("The record", "play several games for points", function="app"),
    "key": Command("By mail", "make, show or back up your key; list the players you know"),
    "odds": Command("Chances", "show what a move can lead to, and how likely"),
    "hint": Command("Chances", "show what a bot would do here, and why"),
    "stats": Command(
        "Chances",
        "count games, luck and dice",
        parts={
            "games": Command("Chances", "write one row per game, as CSV or JSON lines", file="stats"),
            "rolls": Command("Chances", "write one row per roll, as CSV or JSON lines", file="stats", function="rolls"),
            "luck": Command("Chances", "compare your hits with the expected number"),
            "dice": Command("Chances", "test if your dice are fair, over all logs of a folder"),
        },
    ),
    "bots": Command(
        "Chances",
        "list bots, or let them play each other",
        parts={
            "list": Command("Chances", "list the bots that can play a seat", file="bots", function="list_bots"),
            "rank": Command("Chances", "compare how strong bots are, on the same dice"),
        },
    ),
    "rules": Command("Reference", "look up a rule, a ruling, a card, a weapon or a place"),
    "help": Command("Reference", "explain a command, a word or a chapter", function="help_on"),
    "web": Command("Reference", "make a folder that checks logs in a browser, without Python"),
    "schema": Command("Reference", "print JSON Schema of entries, actions, events, positions"),
}
OLD_COMMANDS = {
    "last": ("status",),
    "who": ("status",),
    "need": ("status",),
    "pack": ("mail", "pack"),
    "open": ("mail", "open"),
    "agree": ("mail", "agree"),
    "refuse": ("mail", "refuse"),
    "amend": ("fix",),
    "check-table": ("fix",),
    "replay": ("log", "--full"),
    "luck": ("stats", "luck"),
    "dice": ("stats", "dice"),
    "rank": ("bots", "rank"),
}
"""Commands of the previous version, each with the words that replace it. They still work, but are not listed."""
COMMAND_FOLDER = Path(__file__).parent / "commands"
"""The folder of the commands' files."""


def _list_command_files(commands: Mapping[str, Command]) -> Iterator[str]:
    """Yields the files of commands and of their parts."""
    for name, command in commands.items():
        yield from _list_command_files(command.parts) if command.parts else [_name_file(name, command)]


def _name_file(name: str, command: Command) -> str:
    return command.file or name.replace("-", "_")


def _list_unlisted_commands() -> Iterator[tuple[str, Command]]:
    """Yields the commands in the folder that the table does not list.

    Their purpose is the first line of their file.
    """
    listed = {*_list_command_files(COMMANDS), "__init__"}
    for file in sorted({file.stem: file for file in COMMAND_FOLDER.glob("*.py")}.keys() - listed):
        first = (COMMAND_FOLDER / f"{file}.py").read_text("utf-8").partition("\n")[0].strip('"')
        yield file.replace("_", "-"), Command("At the table", first.partition(": ")[2].rstrip("."))


COMMANDS |= dict(_list_unlisted_commands())
AMBIGUOUS_COMMANDS = frozenset(
    (
        *("open", "join", "key", "agree", "refuse", "answer", "resign", "leaves", "sits", "switch", "finish"),
        *("reveal", "use", "match", "web"),
    )
)
"""Commands whose names may also be words of a game.

A line that begins with such a word is a move if the current game can read it.
"""
MANUAL_FOLDER = Path(__file__).parent.parent / "manual"
"""The folder of the manual's chapters."""
ALIASES = {command.alias: name for name, command in COMMANDS.items() if command.alias}


def replace_old_command(words: Sequence[str]) -> list[str]:
    """Returns the words of a line, with an alias or an old command at its start replaced by today's command."""
    first, *others = words
    return [*OLD_COMMANDS.get(first, (ALIASES.get(first, first),)), *others]


def list_command_names() -> list[str]:
    """Returns the names of all commands in the table, groups and their parts included: "mail", "mail pack"."""
    parts = (f"{name} {part}" for name, command in COMMANDS.items() for part in command.parts)
    return [*COMMANDS, *parts]


def is_command_word(word: str) -> bool:
    """True if a word is the name of a command, the name of an old command, or an alias."""
    return word in COMMANDS or word in ALIASES or word in OLD_COMMANDS


@cache
def load_command(name: str) -> Any:
    """Returns the command of this name, such as "show" or "mail pack", and imports its file.

    A group is returned without importing the files of its parts.
    """
    first, _, part = name.partition(" ")
    return load_command(first).commands[part] if part else _load_from_file(first, COMMANDS[first])


def _load_from_file(name: str, command: Command) -> Any:
    if command.parts:
        return DefaultCommandGroup(name, command)
    file = _name_file(name, command)
    found = getattr(import_module(f"referee.cli.commands.{file}"), command.function or file)
    if isinstance(found, typer.Typer):
        found.info.cls = NarrowHelpGroup
        for part in found.registered_commands:
            part.cls = NarrowHelpCommand
        return typer.main.get_command(found)
    single = typer.Typer(**COMMAND_LINE_SETTINGS)
    single.command(name, cls=NarrowHelpCommand, context_settings=COMMAND_LINE_SETTINGS["context_settings"])(found)
    return typer.main.get_command(single)


class _LazyParts(dict[str, Any]):
    """The commands of a group, each imported when it is needed."""

    def __init__(self, parts: Mapping[str, Command]) -> None:
        super().__init__(dict.fromkeys(parts))
        self._parts = parts

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return self.get(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the command, or `default` if there is none of this name."""
        if name in self and super().get(name) is None:
            self[name] = _load_from_file(name, self._parts[name])
        return super().get(name, default)

    def items(self) -> Any:
        """Returns all names and commands."""
        return [(name, self.get(name)) for name in self]

    def values(self) -> Any:
        """Returns all commands."""
        return [self.get(name) for name in self]


class DefaultCommandGroup(NarrowHelpGroup):
    """A group whose first command runs if the line names none of its commands."""

    def __init__(self, name: str, command: Command) -> None:
        first = next(iter(command.parts))
        text = f"{begin_sentence(command.meaning)}. The word {name} alone means {name} {first}."
        settings = COMMAND_LINE_SETTINGS["context_settings"]
        super().__init__(
            name=name, help=text, context_settings=settings, rich_markup_mode=COMMAND_LINE_SETTINGS["rich_markup_mode"]
        )
        self.parts = command.parts
        self.commands = _LazyParts(command.parts)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Writes the commands of the group with their meanings. Imports none of their files."""
        with formatter.section("Commands"):
            formatter.write_dl([(part, f"{begin_sentence(one.meaning)}.") for part, one in self.parts.items()])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Returns the words of the command that a line names, or of the first command."""
        named = bool(args) and (args[0] in self.commands or args[0] in ("-h", "--help"))
        parsed: list[str] = super().parse_args(ctx, args if named else [next(iter(self.commands)), *args])
        return parsed
