"""Versions of a game: what each version of its rules changed, and how what was written under older ones is read today.

A game lists its versions and its upcasts. An upcast lifts one kind of document, decoded from JSON, from the version
before to its own; nothing else in a game knows an old form. Upcasts leave what has the new form already as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

PROGRAM = "0.1.0"
"""The version of this referee, which first entries of logs name."""

Document = dict[str, Any]
"""An object of JSON, decoded."""

Kind = Literal["entry", "options", "position", "action", "event"]
"""What upcasts lift. Entries belong to the record; all others belong to games."""


class RulesVersion(Struct, frozen=True):
    """A version of a game's rules, from the second on, and what it changed."""

    number: int
    change: str
    """What changed, as a clause for players."""
    rules: tuple[str, ...] = ()
    """Ids of the rules by which the same actions and dice may now lead to something else. Empty where only an option, a
    board or the form of what is written came along: then a game of the version before is judged as it was then.
    """


class Upcast(Struct, frozen=True):
    """A step that lifts a document of one kind to a version."""

    kind: Kind
    to: int
    """The version that it lifts to, from the one before: of the rules, or for entries of the log format."""
    why: str
    """What changed, in one line."""
    lift: Callable[[Document], Document]
    """Returns the document in the new form; one that has it already comes back as it is."""
    tag: str = ""
    """The `type` of the entry, action or event that it lifts; empty for options and positions."""
    lower: Callable[[Document], Document] | None = None
    """The way back, so that games of the version before can be played on without agreeing to another version; None
    where there is none.
    """


def changed_rules(versions: tuple[RulesVersion, ...], since: int) -> tuple[str, ...]:
    """Ids of the rules that were judged otherwise under the version `since`, in the order in which they changed."""
    return tuple(dict.fromkeys(rule for version in versions if version.number > since for rule in version.rules))
