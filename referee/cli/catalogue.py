"""All commands: what each is for, what else it is called, and where its file is, which is imported when it runs."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct

from referee.cli.helped import HelpedCommand, HelpedGroup
from referee.cli.typed import PLAIN


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
    "upgrade": Command("At the table", "go on under newer rules by agreement"),
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
    "stats": Command("Chances", "a row a game, as CSV or JSON lines"),
    "rules": Command("Reference", "look up a rule, a ruling, or what a card, a weapon or a place does"),
    "help": Command("Reference", "a command, a word of the game, or a chapter", function="help_on"),
    "web": Command("Reference", "a folder that judges logs in a browser tab, without Python"),
    "schema": Command("Reference", "JSON Schema of entries, actions, events, positions"),
}
FOLDER = Path(__file__).parent / "commands"
"""Where their files lie."""


def _unlisted() -> Iterator[tuple[str, Command]]:
    """Yields the commands whose files lie there and are not listed, in the words that each file begins with."""
    listed = {name.replace("-", "_") for name in COMMANDS} | {"__init__"}
    for file in sorted({file.stem: file for file in FOLDER.glob("*.py")}.keys() - listed):
        first = (FOLDER / f"{file}.py").read_text("utf-8").partition("\n")[0].strip('"')
        yield file.replace("_", "-"), Command("At the table", first.partition(": ")[2].rstrip("."))


COMMANDS |= dict(_unlisted())
SPOKEN = frozenset(
    ("open", "join", "key", "agree", "refuse", "answer", "resign", "finish", "reveal", "use", "match", "web")
)
"""Commands that are words of games, too, or may be: what the game at hand can read is the game's."""
MANUAL = Path(__file__).parent.parent / "manual"
"""Where its chapters lie."""
ALIASES = {command.alias: name for name, command in COMMANDS.items() if command.alias}


@cache
def load(name: str) -> Any:
    """The command of this name, with its file imported."""
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
