"""Upcasts: old forms of entries are lifted to today's form before anything else sees them.

A line is hashed as it stands. Then its entry is lifted step by step, from bytes to bytes, and decoded. So only upcasts
know old forms, and logs of today's versions lose no time. If every step has a way back, a log can be continued in its
own form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from referee.engine.game import AnyGame
from referee.engine.plugin_errors import is_foreign_game, make_game_error
from referee.engine.versions import Document, DocumentKind, Upcast
from referee.gate import read_json
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import LOG_FORMAT
from referee.record.log.log_errors import Fault, FaultError, NotAllowedError
from referee.record.log.oldest_entry_forms import FIRST_FORM_UPCASTS

ENTRY_UPCASTS: tuple[Upcast, ...] = (*FIRST_FORM_UPCASTS,)
"""The steps that lift entries of older log formats."""

_DOCUMENT_FIELDS: dict[str, tuple[tuple[str, DocumentKind], ...]] = {
    "play": (("action", "action"), ("events", "event")),
    "declare": (("actions", "action"),),
    "amend": (("position", "position"),),
    "game": (("options", "options"), ("position", "position")),
    "match": (("options", "options"),),
}
"""The fields of entries that hold documents of a game."""
_UPCAST_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that an upcast may raise on a document that no version has written."""


class Lifter:
    """Lifts entries from older log formats and older rules to today's form."""

    def __init__(self, game: AnyGame, steps: Sequence[Upcast]) -> None:
        """Takes the steps by rising version: first the steps of the record, then the steps of the game."""
        self._game, self._steps = game, steps
        tags = {step.tag for step in steps} - {""} | {"game", "match", "amend"}
        self._concerns = re.compile(b'"type":"(?:%b)"' % "|".join(map(re.escape, sorted(tags))).encode()).search

    def lift(self, body: bytes) -> bytes:
        """Returns the bytes of an entry, or of a secret's value, in today's form. Raises FaultError if no older version
        can have written these bytes.
        """
        return self._transform(body, self._lift_document) if self._concerns(body) else body

    def lower(self, body: bytes) -> bytes:
        """Returns the bytes of a new entry, or of a secret's value, in the log's form.

        Raises NotAllowedError if there is no way back.
        """
        return self._transform(body, self._lower_document) if self._concerns(body) else body

    def _transform(self, body: bytes, step: Callable[[DocumentKind, Any], Any]) -> bytes:
        document = read_json(body)
        try:
            changed = _apply_to_documents(document, step)
        except _UPCAST_ERRORS as error:
            if is_foreign_game(self._game):
                raise make_game_error(self._game, error) from error
            raise _make_unreadable_fault(f"{type(error).__name__}: {error}") from None
        return body if changed == document else encode_for_log(changed)

    def _lift_document(self, kind: DocumentKind, document: Any) -> Any:
        for step in self._steps:
            if step.kind == kind and _does_concern_document(step, document):
                document = step.lift(dict(document))
                if not isinstance(document, dict):
                    raise TypeError(f"the upcast of {kind} {step.tag} to version {step.to} returns no object")
        return document

    def _lower_document(self, kind: DocumentKind, document: Any) -> Any:
        for step in reversed(self._steps):
            if step.kind == kind and _does_concern_document(step, document):
                if step.lower is None:
                    raise NotAllowedError(
                        f"this game is written in an older form that cannot hold this ({step.why}): "
                        "agree on today's rules first: referee upgrade"
                    )
                document = step.lower(dict(document))
        return document


def _does_concern_document(step: Upcast, document: Any) -> bool:
    return isinstance(document, dict) and (not step.tag or document.get("type") == step.tag)


def _apply_to_documents(document: Any, step: Callable[[DocumentKind, Any], Any]) -> Any:
    """Returns an entry, or a secret's value, after applying a step to each document in it that has versions."""
    if isinstance(document, list):
        return [_apply_to_documents(one, step) for one in document]
    if not isinstance(document, dict):
        return document
    if "prev" in document:
        return _apply_to_fields(step("entry", document), _DOCUMENT_FIELDS.get(document.get("type", ""), ()), step)
    if "rolls" in document:
        events = [[place, step("event", event)] for place, event in document["events"]]
        action = document["action"]
        return {**document, "action": action and step("action", action), "events": events}
    return step("event", step("action", document))


def _apply_to_fields(
    entry: Document, places: Sequence[tuple[str, DocumentKind]], step: Callable[[DocumentKind, Any], Any]
) -> Document:
    found = {name: _apply_to_each(entry[name], kind, step) for name, kind in places if entry.get(name) is not None}
    return {**entry, **found}


def _apply_to_each(value: Any, kind: DocumentKind, step: Callable[[DocumentKind, Any], Any]) -> Any:
    return [step(kind, one) for one in value] if isinstance(value, list) else step(kind, value)


@lru_cache(maxsize=32)
def make_lifter(game: AnyGame, form: int, rules: int) -> Lifter | None:
    """Returns the lifter for logs of this format and these rules. None if no form has changed since."""
    steps = sorted((step for step in ENTRY_UPCASTS if step.to > form), key=_get_version)
    steps += sorted((step for step in game.upcasts if step.to > rules), key=_get_version)
    return Lifter(game, steps) if steps else None


def _get_version(step: Upcast) -> int:
    return step.to


def is_older_version(game: AnyGame, form: int, rules: int) -> bool:
    """True if a log was written under an older log format or older rules."""
    return form < LOG_FORMAT or rules < game.rules_version


def _make_unreadable_fault(cause: str) -> FaultError:
    return FaultError(Fault("old-form", 0, 0, cause))
