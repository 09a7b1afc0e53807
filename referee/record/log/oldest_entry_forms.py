"""Older forms of entries, and the steps that lift them to today's form.

Logs of the oldest form call themselves format 1, as those of the next form do. They are recognised by their first
entry, and count as format 0.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.engine.versions import Document, Upcast
from referee.record.log.entry import GameEntry

NO_NONCE = "0" * 32
"""The nonce that is filled in for games without one. It changes no id of a game and no leaf, since these come from the
bytes as they were written.
"""


def _add_files(entry: Document) -> Document:
    """Turns the board, once the only file of a game, into one of several files. Turns the seats into a list."""
    if "board" not in entry:
        return entry
    board, seats = entry.pop("board"), entry["seats"]
    named = [{"name": name, "seat": seat} for seat, name in seats.items()]
    return {**entry, "files": {"board": board}, "nonce": NO_NONCE, "seats": named}


def _add_secret(play: Document) -> Document:
    """Adds the field `secret`, which is empty, to a play, and the new fields to its rolls."""
    rolls = [{"each": [], "names": [], "to": None, **roll} for roll in play["rolls"]]
    return {"secret": None, **play, "rolls": rolls}


def _refuse_sealed(_entry: Document) -> Document:
    """Raises ValueError, since games with secrets in the oldest form were never promised to be readable."""
    raise ValueError("a play was sealed as a whole, in a game with secrets of the first form")


def order_seats(entry: GameEntry, order: tuple[str, ...]) -> GameEntry:
    """Returns a first entry with its seats in playing order, which the oldest form did not record."""
    places = {seat: place for place, seat in enumerate(order)}
    seats = sorted(entry.seats, key=lambda seated: places.get(seated.seat, len(order)))
    return replace(entry, seats=tuple(seats))


FIRST_FORM_UPCASTS = (
    Upcast("entry", 1, "the board was the only file, and seats had no order", _add_files, "game"),
    Upcast("entry", 1, "no secrets in plays, and no names of dice", _add_secret, "play"),
    Upcast("entry", 1, "plays sealed as a whole", _refuse_sealed, "sealed"),
)
