"""What entries hold: their fields, and the game that the first one names."""

from __future__ import annotations

from corrupt.book import LAST, NOTE, TURN, Make, again, drop, good, line, put
from referee.record.log.line_format import format_entry_line

SMALL: dict[str, Make] = {
    "form-that-no-version-wrote": good(put(0, "format", 1), put(3, "weather", "fine")),
    "newer-format": good(put(0, "format", 3), put(0, "weather", "fine")),
    "unknown-game": good(put(0, "game", "chess")),
    "game-that-is-a-path": good(put(0, "game", "../../etc/passwd")),
    "unknown-field": good(put(TURN, "mood", "cheerful")),
    "unknown-entry-type": good(put(NOTE, "type", "gossip")),
    "missing-field": good(drop(TURN, "rolls")),
    "entry-that-is-a-list": line(TURN, lambda _: format_entry_line(b"[]")),
    "second-game-entry": good(again(0, TURN)),
    # Times that no clock shows
    "time-that-is-none": good(put(TURN, "at", "2026-02-30T25:61:00Z")),
    "time-in-no-leap-year": good(put(NOTE, "at", "2100-02-29T12:00:00Z")),
    "time-of-year-0": good(put(0, "at", "0000-01-01T00:00:00Z")),
    "time-of-a-25th-hour": good(put(LAST, "at", "2026-01-02T24:00:00Z")),
    # The game entry
    "option-unknown": good(put(0, "options.weather", "fine")),
    "option-missing": good(drop(0, "options.ties")),
    "option-value-unknown": good(put(0, "options.ties", "sometimes")),
    "seats-wrong": good(put(0, "seats.1", {"seat": "green", "name": "Cleo"})),
    "seats-in-another-order": good(put(0, "seats", lambda seats: seats[::-1])),
    "seat-twice": good(put(0, "seats.1.seat", "red")),
    "nonce-missing": good(drop(0, "nonce")),
    "shipped-board-with-wrong-hash": good(put(0, "files.board.sha256", "0" * 64)),
    "own-board-that-is-none": good(put(0, "files.board", {"from": "own", "document": {"name": "nothing"}})),
    "board-beside-that-is-not-there": good(put(0, "files.board", {"from": "beside", "sha256": "0" * 64})),
    "board-left-out": good(put(0, "files", {})),
    "component-unknown": good(put(0, "files.weather", {"from": "own", "document": {}})),
    "position-that-is-none": good(put(0, "position", {"turn": "red"})),
}
