"""Old forms of what stands in logs, lifted to today's form before anything else looks at it.

A line is hashed as it stands; then its entry is lifted, from bytes to bytes, step by step; then it is read. So nothing
but upcasts knows an old form, and a log of today's versions pays nothing. Where every step has a way back, a log can be
played on in the form that it was begun in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from referee.engine.blame import fault_of, is_foreign
from referee.engine.game import AnyGame
from referee.engine.versions import Document, Kind, Upcast
from referee.record.log.entry import encode
from referee.record.log.faults import Fault, FaultError, NotAllowedError
from referee.record.log.fields import FORMAT
from referee.record.log.older import FIRST_FORM

UPCASTS: tuple[Upcast, ...] = (*FIRST_FORM,)
"""How entries of older log formats are lifted."""

_PLACES: dict[str, tuple[tuple[str, Kind], ...]] = {
    "play": (("action", "action"), ("events", "event")),
    "declare": (("actions", "action"),),
    "amend": (("position", "position"),),
    "game": (("options", "options"), ("position", "position")),
    "match": (("options", "options"),),
}
"""Where documents of a game stand in entries."""
_CANNOT = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What an upcast may raise on a document that no version has written."""


class Lifter:
    """Lifts what was written under older versions of the log format and of a game's rules."""

    def __init__(self, game: AnyGame, steps: Sequence[Upcast]) -> None:
        """`steps` are in rising order of their versions, those of the record before those of the game."""
        self._game, self._steps = game, steps
        tags = {step.tag for step in steps} - {""} | {"game", "match", "amend"}
        self._concerns = re.compile(b'"type":"(?:%b)"' % "|".join(map(re.escape, sorted(tags))).encode()).search

    def lift(self, body: bytes) -> bytes:
        """The bytes of an entry, or of what a secret holds, in today's form. FaultError: its form was never one."""
        return self._changed(body, self._lifted) if self._concerns(body) else body

    def lower(self, body: bytes) -> bytes:
        """The bytes of the same of today in the form of the log. NotAllowedError where there is no way back."""
        return self._changed(body, self._lowered) if self._concerns(body) else body

    def _changed(self, body: bytes, step: Callable[[Kind, Any], Any]) -> bytes:
        document = msgspec.json.decode(body)
        try:
            changed = _everywhere(document, step)
        except _CANNOT as error:
            if is_foreign(self._game):
                raise fault_of(self._game, error) from error
            raise _unreadable(f"{type(error).__name__}: {error}") from None
        return body if changed == document else encode(changed)

    def _lifted(self, kind: Kind, document: Any) -> Any:
        for step in self._steps:
            if step.kind == kind and _is_of(step, document):
                document = step.lift(dict(document))
                if not isinstance(document, dict):
                    raise TypeError(f"the upcast of {kind} {step.tag} to version {step.to} returns no object")
        return document

    def _lowered(self, kind: Kind, document: Any) -> Any:
        for step in reversed(self._steps):
            if step.kind == kind and _is_of(step, document):
                if step.lower is None:
                    raise NotAllowedError(
                        f"this game is written in an older form, which has no room for this ({step.why}): "
                        "agree on today's rules first: referee upgrade"
                    )
                document = step.lower(dict(document))
        return document


def _is_of(step: Upcast, document: Any) -> bool:
    return isinstance(document, dict) and (not step.tag or document.get("type") == step.tag)


def _everywhere(document: Any, step: Callable[[Kind, Any], Any]) -> Any:
    """An entry, or what a secret holds, with each document in it that has versions changed by a step."""
    if isinstance(document, list):
        return [_everywhere(one, step) for one in document]
    if not isinstance(document, dict):
        return document
    if "prev" in document:
        return _in_places(step("entry", document), _PLACES.get(document.get("type", ""), ()), step)
    if "rolls" in document:
        events = [[place, step("event", event)] for place, event in document["events"]]
        action = document["action"]
        return {**document, "action": action and step("action", action), "events": events}
    return step("event", step("action", document))


def _in_places(entry: Document, places: Sequence[tuple[str, Kind]], step: Callable[[Kind, Any], Any]) -> Document:
    found = {name: _each(entry[name], kind, step) for name, kind in places if entry.get(name) is not None}
    return {**entry, **found}


def _each(value: Any, kind: Kind, step: Callable[[Kind, Any], Any]) -> Any:
    return [step(kind, one) for one in value] if isinstance(value, list) else step(kind, value)


@lru_cache(maxsize=32)
def lifter_of(game: AnyGame, form: int, rules: int) -> Lifter | None:
    """What lifts a log of a game that was written in this log format and under these rules; None where nothing has
    changed its form since.
    """
    steps = sorted((step for step in UPCASTS if step.to > form), key=_version)
    steps += sorted((step for step in game.upcasts if step.to > rules), key=_version)
    return Lifter(game, steps) if steps else None


def _version(step: Upcast) -> int:
    return step.to


def is_old(game: AnyGame, form: int, rules: int) -> bool:
    """Returns True if a log was written under an older version of the log format or of the rules."""
    return form < FORMAT or rules < game.rules_version


def _unreadable(cause: str) -> FaultError:
    return FaultError(Fault("old-form", 0, 0, cause))
