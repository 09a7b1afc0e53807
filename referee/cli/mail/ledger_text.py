"""The ledger of joint rolls in words: who began each, who gave shares, who may know its dice, and its fate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from referee.engine.text import listing

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.ledger import LedgerRoll


def describe_ledger(rolls: Iterable[LedgerRoll], player: Callable[[Seat], str]) -> list[str]:
    """Returns a sentence for each joint roll. The function `player` returns a seat with its player's name."""
    return [f"{_describe_beginning(roll)}; {_describe_shares(roll)}; {_describe_fate(roll, player)}." for roll in rolls]


def _describe_beginning(roll: LedgerRoll) -> str:
    where = f" of {roll.log}" if roll.log else ""
    return f"Roll {roll.number}{where}: {roll.by} began it in entry {roll.n}"


def _describe_shares(roll: LedgerRoll) -> str:
    shares = listing([f"{seat} in entry {n}" for seat, n in roll.shares.items()])
    owing = f", still owed by {listing(roll.owing)}" if roll.owing else ""
    return f"shares by {shares}{owing}"


def _describe_batch(roll: LedgerRoll) -> str:
    """Returns how many of the secret actions of a roll have been made, as a clause; "" for rolls without any."""
    return f"{roll.played} of {roll.declared} secret actions have been made; " if roll.declared else ""


def _describe_fate(roll: LedgerRoll, player: Callable[[Seat], str]) -> str:
    known = describe_knowing_seats(roll.known, player)
    match roll.fate:
        case "made":
            first = _describe_first_to_know(roll, player) if len(roll.known) < len(roll.seats) else ""
            return f"{_describe_batch(roll)}made in entry {roll.at}{first}"
        case "dropped":
            return f"dropped in entry {roll.at}, since {roll.because}; {known}"
        case "given up":
            return f"never made, since its player resigned in entry {roll.at}; {known}"
        case "waits":
            return f"{_describe_batch(roll)}it waits; {known}"


def _describe_first_to_know(roll: LedgerRoll, player: Callable[[Seat], str]) -> str:
    known = listing([player(seat) for seat in roll.known])
    return f"; only {known} could know its secret dice" if roll.is_secret else f"; {known} could know it first"


def describe_knowing_seats(seats: Iterable[Seat], player: Callable[[Seat], str]) -> str:
    """Returns a clause that says which seats may know the dice of a roll that was not made."""
    known = listing([player(seat) for seat in seats])
    return f"its dice may be known to {known}" if known else "nobody can know its dice"
