"""What became of mail that was opened, as it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.cli.answer import Shown, Text
from referee.cli.entries import describe, done_by, told
from referee.cli.look import heading
from referee.cli.mail.desk import to_answer
from referee.cli.mail.mailed import offered
from referee.cli.mail.verdicts import verdict_on
from referee.cli.special import before_joining, special
from referee.cli.told import played
from referee.engine.text import count_of, listing
from referee.mail.arrival import Arrival
from referee.mail.heirs import chair_in, comes_back, is_true, requests, stands, waits_for
from referee.mail.key import own_public, words_of
from referee.mail.packet import Ask, Packet, Part
from referee.mail.seats import pact_of, seat_here
from referee.record.log.entry import AnyEntry, DeedEntry, JoinEntry, OfferEntry, SealEntry
from referee.record.table.moment import Said
from referee.record.table.proposal import proposal_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.event import Seat


class Opened(Struct, frozen=True):
    """What became of one packet."""

    packet: Packet
    arrival: Arrival
    look: Sitting | None = None
    """The game after it; None where there is none."""
    done: Sequence[Said] = ()
    """What followed by itself."""
    more: Sequence[str] = ()
    """Files that were written, and what else there is to say."""
    lapsed: Sequence[Ask] = ()
    """Requests of other keys that are void now."""
    gave: Sequence[Part] = ()
    """What others gave to the throw that is being made."""
    heard: int | None = None
    """Up to which entry one's key has signed that was brought back; None: that is known."""
    is_kept: bool = True
    """Whether the game lies here; else it was laid out to be looked at, and is gone by now."""

    @property
    def is_here(self) -> bool:
        """Whether the game is here."""
        return self.look is not None and self.is_kept


def told_of(one: Opened, *, dry_run: bool) -> Iterator[Shown]:
    """What became of one packet, for people; `dry_run`: it was only looked at."""
    arrival, look = one.arrival, one.look
    if look and one.is_here:
        yield heading(look)
    style = "good" if arrival.is_fine else "refused"
    yield Text(verdict_on(one.arrival, one.packet.head, here=one.is_here, dry_run=dry_run), style)
    if arrival.is_new and look:
        yield from _added(look, one, dry_run=dry_run)
    yield from (Text(f"{part.by} gives a part of throw {part.cast}.", indent=2) for part in one.gave)
    yield from (Text(line, indent=2) for line in one.more)
    if one.done and look:
        yield from played(look, one.done)[1:]
    if look:
        yield from _beside(look, one, dry_run=dry_run)


def _added(look: Sitting, one: Opened, *, dry_run: bool) -> Iterator[Shown]:
    """What a packet has brought to the log; of a game that begins with it, what is to be known before one joins."""
    if not dry_run:
        new = look.log.entries[one.arrival.first : one.arrival.last + 1]
        yield from _news(look, new)
        yield from _keys(look, new)
    if one.arrival.has_begun and not (dry_run and one.is_kept):
        yield from before_joining(look)
        if look.session.branched:
            from referee.cli.mail.left import told_left  # hardly any mail begins a branch

            yield from told_left(look)


def _beside(look: Sitting, one: Opened, *, dry_run: bool) -> Iterator[Shown]:
    """What a packet has brought beside the log."""
    for ask in one.packet.head.asks:
        yield from _asked(look, ask, dry_run=dry_run)
    yield from (Text(_lapsed(look, ask), indent=2) for ask in one.lapsed)
    yield from _heard(look, one)


def _heard(look: Sitting, one: Opened) -> Iterator[Shown]:
    """What a key that was brought back learns of itself, and what its owner has lost."""
    if one.heard is not None:
        upto = f"this game up to entry {one.heard}" if one.heard >= 0 else "nothing of this game"
        yield Text(
            f"Your key has signed {upto}, as this mail shows, and signs nothing earlier again.", "bold", indent=2
        )
        yield Text("If you remember more, ask the others for it before you go on.", indent=2)
    lost = look.log.out_of_reach(seat_here(pact_of(look.session))) if one.arrival.has_begun else 0
    if lost:
        yield Text(f"{count_of(lost, 'secret')} of yours cannot be opened here: no vault here holds it.", indent=2)


def _asked(look: Sitting, ask: Ask, *, dry_run: bool) -> Iterator[Shown]:
    """What came beside the log, with who has signed it."""
    if not is_true(pact_of(look.session), ask):
        yield Text(f"Unsigned, and so nothing: {ask.by} would offer {offered(look, ask.offer)}.", "refused", indent=2)
    elif chair_in(ask):
        yield from _another_key(look, ask)
    else:
        yield Text(_offer(look, ask, dry_run=dry_run), indent=2)
        yield from done_by(look, proposal_of(look, ask.offer, ask.by))


def _another_key(look: Sitting, ask: Ask) -> Iterator[Shown]:
    """A stranger asks for a seat: told in full as long as there is something to agree to."""
    pact, chair = pact_of(look.session), chair_in(ask)
    if ask.signature in {one.signature for one in requests(look.session)}:
        yield from to_answer(look, ask)
    elif chair and pact.key_of(ask.by) == chair.key == own_public():
        word = listing([one for one in pact.seats if one != ask.by])
        yield Text(f"You sit at {ask.by} now, with another key, on the word of {word}.", "good", indent=2)
    elif pact.key_of(ask.by) == own_public():
        who = f"Somebody asks {offered(look, ask.offer)} at {ask.by}, where you sit."
        yield Text(f"{who} If it is not you, tell the others: your next mail ends it.", "refused", indent=2)
    elif stands(pact, ask):
        yield from _of_another_seat(look, ask)


def _of_another_seat(look: Sitting, ask: Ask) -> Iterator[Shown]:
    """The same of a seat at which somebody else sits, where it is not this player's to agree to."""
    pact, chair = pact_of(look.session), chair_in(ask)
    if comes_back(pact, ask):
        yield Text(
            f"{look.facts.player(ask.by)} comes back with his recovery key, and sits down once he has the pen.",
            indent=2,
        )
    elif chair and chair.key != own_public() and look.eyes:
        yield Text("Somebody else asks to play on with another key, and is not kept: too many wait.", indent=2)
    elif waits_for(pact, ask):
        yield Text(f"{listing(waits_for(pact, ask))} has not agreed yet that another key plays on.", indent=2)


def _lapsed(look: Sitting, ask: Ask) -> str:
    pact, chair = pact_of(look.session), chair_in(ask)
    if chair and pact.key_of(ask.by) == chair.key:
        return f"{look.facts.player(ask.by)} plays on with another key."
    return f"What somebody asked for at {ask.by} has lapsed: the key that sits there has signed since."


def _offer(look: Sitting, ask: Ask, *, dry_run: bool) -> str:
    """What somebody without the pen offers, and whether there is still anything to reply to."""
    words = offered(look, ask.offer)
    pact = pact_of(look.session)
    stands = any(one.by == ask.by and one.offer == ask.offer for one in pact.offers.values())
    if look.eyes == pact.pen and not stands and not dry_run:
        return f"{ask.by} had offered {words}; that is settled, or the game has gone on since."
    return f"{ask.by} offers {words}."


def passed_over(old: Sequence[Opened], *, alone: bool) -> Iterator[Shown]:
    """How many packets held nothing new; `alone`: nothing else is told."""
    if alone and old and old[-1].look:
        yield heading(old[-1].look)
    if old:
        yield Text(f"Nothing new in {count_of(len(old), 'packet' if alone else 'other packet')}.", "good")


def _news(look: Sitting, new: Sequence[AnyEntry]) -> Iterator[Shown]:
    """What a packet has brought; signatures only where there is nothing else."""
    for entry in new:
        if not isinstance(entry, SealEntry) or len(new) == 1:
            yield Text(f"{entry.n:>4}  {describe(look, entry)}", hanging=6)
            shown = () if isinstance(entry, OfferEntry) else told(look, entry)  # what it would do stands below all
            yield from (Text(line, indent=8) for line in shown)
    if any(isinstance(entry, DeedEntry) and entry.opens for entry in new):
        yield Text("Whether all that was secret was as it should be: referee audit", indent=2)


def _keys(look: Sitting, new: Sequence[AnyEntry]) -> Iterator[Shown]:
    """Whose keys have come into the game: to be read out on the telephone once."""
    for seat in dict.fromkeys(entry.by for entry in new if isinstance(entry, JoinEntry) and entry.by != look.eyes):
        key = pact_of(look.session).key_of(seat)
        if key and not _had(look, seat, key, new[0].n):
            yield Text(f"The key of {look.facts.player(seat)}: {words_of(key)}; ask him once whether it is", indent=2)


def _had(look: Sitting, seat: Seat, key: str, first: int) -> bool:
    """Whether a seat had a key before, and has but made new chains of dice."""
    entries = (entry for entry in look.log.entries[:first] if isinstance(entry, JoinEntry) and entry.by == seat)
    return any(entry.chair is not None and entry.chair.key == key for entry in entries)


def facts_on(one: Opened) -> dict[str, Any]:
    """The same for programs."""
    arrival, head = one.arrival, one.packet.head
    return {
        "situation": arrival.situation,
        "by": head.by,
        "signed_by": arrival.seat if arrival.is_new else None,
        "game": head.game,
        "log": str(one.look.log.path) if one.look and one.is_here else None,
        "first": arrival.first,
        "last": arrival.last,
        "seat": arrival.seat,
        "mine": arrival.mine,
        "theirs": arrival.theirs,
        "asks": list(head.asks),
        "gave": list(one.gave),
        "more": list(one.more),
        "fault": arrival.fault.fault if arrival.fault else None,
        "special": special(one.look) if one.look and arrival.has_begun else None,
    }
