"""Forms that entries of logs had before today's, and how they are lifted to it: what `upcasts` applies.

The first form of all calls itself format 1, as the one after it does; it is told by its first entry, and counts as 0.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.engine.versions import Document, Upcast
from referee.record.log.entry import GameEntry

NO_NONCE = "0" * 32
"""What stands for the nonce of games that had none: their id comes of the bytes that were written, and so do leaves."""


def _with_files(entry: Document) -> Document:
    """The board, which was all that a game was played with, becomes a file among others; seats become a list."""
    if "board" not in entry:
        return entry
    board, seats = entry.pop("board"), entry["seats"]
    named = [{"name": name, "seat": seat} for seat, name in seats.items()]
    return {**entry, "files": {"board": board}, "nonce": NO_NONCE, "seats": named}


def _with_secret(play: Document) -> Document:
    """A play may have a secret, and its rolls name dice one by one, or who alone sees them."""
    rolls = [{"each": [], "names": [], "to": None, **roll} for roll in play["rolls"]]
    return {"secret": None, **play, "rolls": rolls}


def _sealed(_entry: Document) -> Document:
    """Games with secrets in the first form were never promised to be read."""
    raise ValueError("a play was sealed as a whole, in a game with secrets of the first form")


def seated_in(entry: GameEntry, order: tuple[str, ...]) -> GameEntry:
    """Returns a first entry with its seats in playing order, which the first form did not tell."""
    places = {seat: place for place, seat in enumerate(order)}
    seats = sorted(entry.seats, key=lambda seated: places.get(seated.seat, len(order)))
    return replace(entry, seats=tuple(seats))


FIRST_FORM = (
    Upcast("entry", 1, "a board alone, and seats by name", _with_files, "game"),
    Upcast("entry", 1, "no secrets in plays, and no names of dice", _with_secret, "play"),
    Upcast("entry", 1, "plays sealed as a whole", _sealed, "sealed"),
)
