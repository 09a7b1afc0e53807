"""`referee luck --worth`: what throws were worth whose dice are only read."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from referee.bots.judge import ThrowWorth, throw_worth
from referee.chances.throws import Throw, throws_in
from referee.cli.screen import waiting
from referee.engine.aim import ONLY_READ
from referee.engine.event import Seat
from referee.engine.secret import UnknownError
from referee.engine.text import count_of
from referee.record.log.entry import PlayEntry

if TYPE_CHECKING:
    from referee.record.table.sitting import Sitting


def throw_worths(look: Sitting) -> tuple[dict[Seat, ThrowWorth], bool]:
    """What the throws of each seat were worth together that stand and are only read, and whether all were looked at:
    Ctrl-C stops it. With secrets only those of who looks.
    """
    found: dict[Seat, ThrowWorth] = {}
    throws, tell = [throw for throw in throws_in(look.session) if _is_read(look, throw)], waiting("Throws")
    try:
        for at, throw in enumerate(throws):
            tell(at / len(throws))
            one = _worth_of(look, throw)
            if one:
                found[throw.seat] = found[throw.seat] + one if throw.seat in found else one
    except KeyboardInterrupt:
        return found, False
    return found, True


def _is_read(look: Sitting, throw: Throw) -> bool:
    need = throw.need
    is_dice = need.aims == ONLY_READ and not need.names and not need.lots
    return throw.stands and is_dice and (not look.facts.keepers or throw.seat == look.eyes)


def _worth_of(look: Sitting, throw: Throw) -> ThrowWorth | None:
    entry, before, after = look.log.entries[throw.n], look.then(throw.n - 1), look.then(throw.n)
    if not isinstance(entry, PlayEntry) or entry.done is None:
        return None
    random = Random(f"{look.log.head} {throw.n}")
    try:
        return throw_worth(look.facts.game, before.sight.view, throw.seat, entry.done, after.sight.view, random)
    except UnknownError:
        return None


def in_words(worth: ThrowWorth) -> str:
    """What throws were worth, with its error; no figure where that is not clear."""
    throws = count_of(worth.throws, "throw")
    if not worth.is_sure:
        return f"{throws}, worth neither more nor less than others as far as can be told"
    return f"{throws}, worth {worth.luck:+.2f} ± {worth.error:.2f} beside others (a won game is 1)"
