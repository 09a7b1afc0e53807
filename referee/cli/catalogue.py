"""The table of commands: purpose, panel, alias and file.

A command's file is imported only when the command runs.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct

from referee.cli.arguments import PLAIN
from referee.cli.help_format import HelpedCommand, HelpedGroup


class Command(Struct, frozen=True):
    """One command. Its file in `commands` has the name that people type."""

    panel: str
    meaning: str
    alias: str = ""
    function: str = ""
    """The name of its function in the file, or of an app with commands of its own; "" if it is the command's name."""


COMMANDS = {
    "demo": Command("Start", "watch a sample game: moves, a refusal, an audit, a branch"),
    "games": Command("Start", "list the installed games, their options and boards"),
    "new": Command("Start", "start a game"),
    "join": Command("Start", "sit down at this computer in a game with secrets"),
    "use": Command("Start", "choose the current game; alone: list your games"),
    "play": Command("At the table", "play a session: a prompt with TAB and bare dice"),
    "do": Command("At the table", "make a move; you can leave out the word do", "d"),
    "legal": Command("At the table", "list what you may do now", "l"),
    "why": Command("At the table", "check a move and show its rules; records nothing", "w"),
    "roll": Command("At the table", "roll the dice, or type what your own dice show", "r"),
    "last": Command("At the table", "show what happened last"),
    "where": Command("At the table", "find a piece, or see what is on a place"),
    "who": Command("At the table", "show whose turn it is and what to do next"),
    "need": Command("At the table", "show which dice are due, the numbers needed, the chances"),
    "answer": Command("At the table", "answer a question that only your seat can answer"),
    "show": Command("At the table", "show the board", "s"),
    "serve": Command("At the table", "show the board live in browsers, for all or for a seat"),
    "undo": Command("At the table", "take back the last move; the record keeps it"),
    "redo": Command("At the table", "bring back what you took back"),
    "correct": Command("At the table", "correct a die that was typed wrongly"),
    "note": Command("At the table", "add a remark to the record"),
    "amend": Command("At the table", "correct the position, if everyone agrees"),
    "check-table": Command("At the table", "compare your real board with the record"),
    "resign": Command("At the table", "give up the game"),
    "finish": Command("At the table", "end the game, if everyone agrees"),
    "upgrade": Command("At the table", "play on under newer rules, if everyone agrees"),
    "pack": Command("By mail", "sign your moves and write the mail to send"),
    "open": Command("By mail", "open a mail: check, show and record it", function="open_mail"),
    "mail": Command("By mail", "show who waits for whom, and what is signed"),
    "agree": Command("By mail", "agree to an offer"),
    "refuse": Command("By mail", "refuse an offer"),
    "log": Command("The record", "list the entries of the record"),
    "replay": Command("The record", "retell the game from its log"),
    "reveal": Command("The record", "open the secrets of a game so that all can check them"),
    "vault": Command("The record", "show, move, save or load your secrets of a game"),
    "audit": Command("The record", "check every move and every die again"),
    "diff": Command("The record", "find where two logs differ, and which one is right"),
    "branch": Command("The record", "play on from an earlier entry in a new log"),
    "merge": Command("The record", "settle a log in which two people played on"),
    "git": Command("The record", "make Git understand logs", function="app"),
    "match": Command("The record", "play several games for points", function="app"),
    "key": Command("By mail", "make, show, back up or restore your key"),
    "odds": Command("Chances", "show what a move can lead to, and how likely"),
    "hint": Command("Chances", "show what a bot would do here, and why"),
    "rank": Command("Chances", "compare how strong bots are, on the same dice"),
    "luck": Command("Chances", "compare your hits with the expected number"),
    "dice": Command("Chances", "test if your dice are fair, over all logs of a folder"),
    "stats": Command("Chances", "write one row per game, as CSV or JSON lines"),
    "rules": Command("Reference", "look up a rule, a ruling, a card, a weapon or a place"),
    "help": Command("Reference", "explain a command, a word or a chapter", function="help_on"),
    "web": Command("Reference", "make a folder that checks logs in a browser, no Python"),
    "schema": Command("Reference", "print JSON Schema of entries, actions, events, positions"),
}
FOLDER = Path(__file__).parent / "commands"
"""The folder of the commands' files."""


def _unlisted() -> Iterator[tuple[str, Command]]:
    """Yields the commands in the folder that the table does not list.

    Their purpose is the first line of their file.
    """
    listed = {name.replace("-", "_") for name in COMMANDS} | {"__init__"}
    for file in sorted({file.stem: file for file in FOLDER.glob("*.py")}.keys() - listed):
        first = (FOLDER / f"{file}.py").read_text("utf-8").partition("\n")[0].strip('"')
        yield file.replace("_", "-"), Command("At the table", first.partition(": ")[2].rstrip("."))


COMMANDS |= dict(_unlisted())
SPOKEN = frozenset(
    ("open", "join", "key", "agree", "refuse", "answer", "resign", "finish", "reveal", "use", "match", "web")
)
"""Commands whose names may also be words of a game.

A line that begins with such a word is a move if the current game can read it.
"""
MANUAL = Path(__file__).parent.parent / "manual"
"""The folder of the manual's chapters."""
ALIASES = {command.alias: name for name, command in COMMANDS.items() if command.alias}


@cache
def load_command(name: str) -> Any:
    """Imports a command's file and returns the command."""
    file = name.replace("-", "_")
    found = getattr(import_module(f"referee.cli.commands.{file}"), COMMANDS[name].function or file)
    if isinstance(found, typer.Typer):
        found.info.cls = HelpedGroup
        for part in found.registered_commands:
            part.cls = HelpedCommand
        return typer.main.get_command(found)
    single = typer.Typer(**PLAIN)
    single.command(name, cls=HelpedCommand, context_settings=PLAIN["context_settings"])(found)
    return typer.main.get_command(single)
