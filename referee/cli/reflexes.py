"""Words that other programs have for what is called otherwise here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.engine.text import nearest

CALLED: Mapping[str, str] = {
    "show": "board display map picture",
    "legal": "actions moves next possible",
    "who": "info player players score state status",
    "log": "entries history",
    "new": "begin create restart start",
    "use": "choose continue list load logs ls resume select switch",
    "undo": "back cancel revert rewind takeback",
    "why": "allowed can is may",
    "audit": "validate verify",
    "pack": "post send",
    "open": "import receive",
    "--version": "version",
}
"""Commands, and what people call them who come from elsewhere."""
MEANT: Mapping[str, str] = {word: command for command, words in CALLED.items() for word in words.split()}
NEEDLESS: Mapping[str, str] = {
    "save": "nothing needs saving: what is said is recorded at once",
    **dict.fromkeys(("exit", "quit"), "there is nothing to leave: every command ends by itself"),
}
"""What nobody has to do here, and why."""


def meant_by(word: str, known: Iterable[str]) -> str | None:
    """The command that somebody means by a word that is none, or what of all that is known is most like it."""
    return MEANT.get(word) or next(iter(nearest(word, known)), None)
