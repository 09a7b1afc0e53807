"""Versions of a game: the changes that each version of its rules made, and functions that read older documents today.

A game lists its versions and its upcasts. An upcast turns one kind of document, decoded from JSON, from one version's
form into the next one's. No other code of a game knows an old form. An upcast leaves a document that has the new form
already as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

PROGRAM_VERSION = "0.1.0"
"""The version of this program, which the first entry of each log names."""

Document = dict[str, Any]
"""A decoded JSON object."""

DocumentKind = Literal["entry", "options", "position", "action", "event"]
"""The kinds of documents that upcasts handle. Entries belong to the record, all others to games."""


class RulesVersion(Struct, frozen=True):
    """A version of a game's rules, and what it changed."""

    number: int
    """The number of the version, from 1."""
    change: str
    """The change, as a clause for players."""
    rules: tuple[str, ...] = ()
    """The ids of rules by which the same actions and dice may now lead to something else.

    It is empty if only an option, a board or a form of document was added. Games of the version before are then judged
    as they were.
    """


class Upcast(Struct, frozen=True):
    """A function that turns documents of one kind into the form of a certain version."""

    kind: DocumentKind
    """The kind of document."""
    to: int
    """The version with the new form: a version of the rules or, for entries, of the log format.

    The version before it has the old form.
    """
    why: str
    """The change, in one line."""
    lift: Callable[[Document], Document]
    """Returns the document in the new form. A document that has it already is returned as it is."""
    tag: str = ""
    """The `type` of the entry, action or event that it handles; "" for options and positions."""
    lower: Callable[[Document], Document] | None = None
    """The function for the opposite direction; None if there is none.

    With this function, games of the version before can be played on, and their players need not agree to a new version.
    """


def list_changed_rules(versions: tuple[RulesVersion, ...], since: int) -> tuple[str, ...]:
    """Returns the ids of the rules that changed after the version `since`, in the order of the changes."""
    return tuple(dict.fromkeys(rule for version in versions if version.number > since for rule in version.rules))
