"""What a phone shows of the game: whose move it is, what its seat may say, dice that are waited for, what it is asked.

As JSON, besides what an answer tells ("code", "lines", "doubt", "here"):

    {"on": 57, "turn": "turn 7, red", "stands": "...", "yours": true,
     "said": [["R2", "", "R2"], ...], "line": "2 go ...", "says": "2 go N" | null,
     "phrases": [["2 go N", true], ...], "groups": [{"asks": "what", "chips": [["go", "type", "go"], ...]}],
     "marks": [[0, "piece R2"], ...],
     "need": {"purpose", "count", "sides", "names", "each", "held", "words", "still", "told", "aims", "after"} | null,
     "bot": "steady plays blue" | null,
     "asks": [{"number", "words", "does", "mine", "waits", "missing"}],
     "deeds": ["undo", ...], "throws": [[12, "..."], ...], "winners": ["red", ..., "draw", "nobody"]}

"bot" is told while one is to act that somebody stopped, or that broke. A chip is what is sent back as a tap, and what
stands on it. "after" is the entry after which dice are waited for: those typed for it stand until it is another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.cli.answer import Pending
from referee.cli.entries import describe
from referee.cli.look import bot_to_act, picture_of, turn_told
from referee.cli.missing import asked as asked_for
from referee.cli.session.asking import Asking
from referee.cli.throws import throws_told
from referee.engine.dice import Need
from referee.engine.legal import Legal
from referee.engine.secret import UnknownError
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.mending import last_undoer
from referee.record.table.sitting import Sitting
from referee.serve.tapping import Tap, Tapping, tapped
from referee.serve.things import Thing, Things, leading, things_on

LATELY = 12
"""Entries in which a throw may be corrected from a phone."""
Shown = dict[str, Any]


def shown_to(look: Sitting, taps: Sequence[Tap], pending: Pending | None, asking: Asking) -> Shown:
    """All of it, for the seat that looks."""
    now = tapping_of(look, taps)
    return {
        "on": look.log.entry,
        "turn": turn_told(look.facts),
        "stands": look.sight.status,
        "yours": bool(legal_of(look)),
        **_tapping(look, now),
        "need": _need(look, pending),
        "bot": f"{bot_to_act(look)} plays {look.facts.to_act}" if bot_to_act(look) else None,
        "asks": list(asking.shown(look)),
        **_deeds(look),
    }


# What can be said


def legal_of(look: Sitting) -> Legal:
    """All that the seat which looks may say; nothing, where it must be told first what others know, or all is over."""
    if look.facts.to_act is None or look.eyes is None or (look.facts.asked and look.facts.asked != look.eyes):
        return Legal()
    try:
        return look.facts.game.legal(look.sight.view, look.eyes)
    except UnknownError:
        return Legal()


def tapping_of(look: Sitting, taps: Sequence[Tap]) -> Tapping:
    """What is left after some taps. Dice that are thrown at the table are asked for, and need no word before."""
    legal = legal_of(look)
    thrown = legal.throw if _is_typed(look, legal) else None
    left = Legal([choice for choice in legal.choices if choice is not thrown])
    return tapped(look.facts.game, look.sight.view, left, taps)


def taps_at(look: Sitting, taps: Sequence[Tap], thing: Thing) -> tuple[str, tuple[Tap, ...]]:
    """How a thing on the board is called, and what somebody may mean who touches it."""
    named = _things(look).get(thing)
    if named is None:
        return "that", ()
    return named.names[0] if named.names else named.place, tapping_of(look, taps).meant(named)


def _things(look: Sitting) -> Things:
    return things_on(picture_of(look))


def _tapping(look: Sitting, now: Tapping) -> Shown:
    groups = [{"asks": group.asks, "chips": [_chip(it.tap, it.words) for it in group.chips]} for group in now.groups]
    labels = zip(now.taps, now.said, strict=True)
    marks = list(leading(look.facts.game, look.sight.view, _things(look), now.ahead)) if now.ahead else []
    return {
        "said": [_chip(tap, words) for tap, words in labels],
        "line": now.line,
        "says": now.says if now.taps else None,
        "phrases": now.phrases,
        "groups": groups,
        "marks": marks,
    }


def _chip(tap: Tap, words: str) -> list[str]:
    return [tap.word, tap.of, words]


# Dice


def _is_typed(look: Sitting, legal: Legal) -> bool:
    """Whether the throw that the game waits for is made at the table."""
    throw = legal.throw
    return bool(throw and throw.need and not throw.need.lots) and look.facts.dice.is_typed


def _need(look: Sitting, pending: Pending | None) -> Shown | None:
    if pending:
        return _dice(look, pending.need, pending.held, pending.what)
    legal = legal_of(look)
    throw = legal.throw
    return _dice(look, throw.need, (), "") if throw and throw.need and _is_typed(look, legal) else None


def _dice(look: Sitting, need: Need, held: Sequence[str], what: str) -> Shown:
    return {
        "purpose": need.purpose,
        "count": need.count,
        "sides": need.sides,
        "names": list(dict.fromkeys(need.names)),
        "each": need.told_apart,
        "held": held,
        "words": what,
        "still": asked_for(need, len(held)),
        "told": f"{'Draw' if need.names else 'Throw'} {need}",
        "aims": list(throws_told(need))[1:],
        "after": look.log.in_force[-1],
    }


# What everybody may ask for


def _deeds(look: Sitting) -> Shown:
    over = look.facts.to_act is None
    deeds = ["undo"] if look.log.said_last is not None else []
    deeds += ["redo"] if _was_undone(look) else []
    deeds += ["correct"] if look.facts.dice.is_typed else []
    deeds += [] if over else ["amend", "finish", "resign"]
    deeds += ["reveal"] if look.log.sealed else []
    return {
        "deeds": deeds,
        "throws": list(_throws(look)) if "correct" in deeds else [],
        "winners": [] if over else [*look.facts.seats, "draw", "nobody"],
    }


def _was_undone(look: Sitting) -> bool:
    try:
        return bool(last_undoer(look.session))
    except NotAllowedError:
        return False


def _throws(look: Sitting) -> Iterator[tuple[int, str, int]]:
    """The last throws that count, each with its entry and how many dice it has."""
    for n in reversed(look.log.in_force[-LATELY:]):
        entry = look.log.entries[n]
        if isinstance(entry, PlayEntry) and entry.rolls:
            yield n, describe(look, entry), sum(len(roll.faces) for roll in entry.rolls)
