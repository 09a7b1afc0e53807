"""The forms in a log: kinds of entries, actions, events and rolls, each with the fields that hold something."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
Form = tuple[str, ...]
"""What it is, its kind, and its fields that hold something."""


def forms_by_entry(log: bytes) -> list[set[Form]]:
    """The forms in each entry of a log."""
    return [set(_forms_of(json.loads(line)["entry"])) for line in log.splitlines()]


def _forms_of(entry: Document) -> Iterator[Form]:
    yield _form("entry", entry["type"], entry)
    match entry["type"]:
        case "game":
            yield from _forms_of_beginning(entry)
        case "play":
            yield from _forms_of_play(entry)
        case "declare":
            yield from (_form("action", action["type"], action) for action in entry["actions"])
        case "offer":
            yield _form("offer", entry["offer"]["what"], entry["offer"])
        case "reveal" if isinstance(entry["value"], dict):
            yield from _forms_of_deed(entry["value"])


def _forms_of_beginning(entry: Document) -> Iterator[Form]:
    yield ("dice", entry["dice"]["mode"])
    yield from (("file", part, file["from"]) for part, file in entry["files"].items())
    yield from (("option", name, value) for name, value in entry["options"].items())


def _forms_of_play(entry: Document) -> Iterator[Form]:
    if entry["action"]:
        yield _form("action", entry["action"]["type"], entry["action"])
    yield from (_form("event", event["type"], event) for event in entry["events"])
    yield from (_form("roll", roll["origin"], roll) for roll in entry["rolls"])


def _forms_of_deed(deed: Document) -> Iterator[Form]:
    """What a reveal opens of a play."""
    if "events" in deed:
        open_events = [event for _, event in deed["events"]]
        yield from (("sealed", *form) for form in _forms_of_play({**deed, "events": open_events}))


def _form(what: str, kind: str, document: Document) -> Form:
    return (what, kind, *sorted(name for name, value in document.items() if value not in (None, [], "", {}, False)))
