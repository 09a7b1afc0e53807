"""Words from other programs for our commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.engine.text import find_similar_choices

FOREIGN_NAMES: Mapping[str, str] = {
    "show": "board display map picture",
    "legal": "actions moves next possible",
    "status": "info player players score state",
    "log": "entries history",
    "new": "begin create restart start",
    "use": "choose continue list load logs ls resume select",
    "undo": "back cancel revert rewind takeback",
    "why": "allowed can is may",
    "audit": "validate verify",
    "mail pack": "post send",
    "mail open": "import receive",
    "--version": "version",
}
"""Our commands, each with the words that newcomers use for it."""
COMMANDS_BY_FOREIGN_NAME: Mapping[str, str] = {
    word: command for command, words in FOREIGN_NAMES.items() for word in words.split()
}
NEEDLESS_COMMANDS: Mapping[str, str] = {
    "save": "the referee records every move at once, so you need not save",
    **dict.fromkeys(("exit", "quit"), "every command ends by itself, so you need not leave"),
}
"""Words for things that nobody has to do here, each with the reason as a clause."""


def find_meant_command(word: str, known: Iterable[str]) -> str | None:
    """Returns the command meant by an unknown word, or else the most similar known word; None if none is similar.

    The second word of a command also means it: "orders" means "mail orders".
    """
    names = list(known)
    whole = next((name for name in names if name.partition(" ")[2] == word), None)
    return COMMANDS_BY_FOREIGN_NAME.get(word) or whole or next(iter(find_similar_choices(word, names)), None)
