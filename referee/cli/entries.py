"""Entries in words, as certain eyes see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from referee.cli.answer import Text
from referee.cli.errors import sentence
from referee.engine.event import REFEREE
from referee.engine.text import count_of, listing
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    AnyEntry,
    BranchEntry,
    DeclareEntry,
    GameEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    SealEntry,
)
from referee.record.table.proposal import ToldDeed, proposal_of, proposed_by
from referee.record.table.telling import bracketed, said_in

if TYPE_CHECKING:
    from referee.record.table.proposal import Proposal
    from referee.record.table.sitting import Sitting


SHOWN = 12
"""Entries that are told one by one."""


def describe(look: Sitting, entry: AnyEntry) -> str:
    """An entry in one line, as these eyes may read it."""
    entry = look.log.seen(entry)
    match entry:
        case GameEntry():
            return f"{look.facts.game.title}: {', '.join(map(look.facts.player, look.facts.seats))}"
        case JoinEntry():
            return _joined(look, entry)
        case DeclareEntry() | AnswerEntry() | SealEntry() | OfferEntry() | AgreeEntry() | RefuseEntry():
            from referee.cli.mail.mailed import described  # games by mail alone have them

            return described(look, entry)
        case PlayEntry():
            return f"{entry.by}: {said_in(look, entry)}"
        case ToldDeed():
            return entry.words(look)
        case NoteEntry():
            return f"note {_noted_by(look, entry)}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"
    raise AssertionError("every deed is told")


def _joined(look: Sitting, entry: JoinEntry) -> str:
    if entry.chair is None:
        return f"{entry.by} keeps secrets from here on"
    from referee.cli.mail.mailed import sits_down

    return sits_down(look, entry)


def _noted_by(look: Sitting, entry: NoteEntry) -> str:
    """Who says so. By mail the referee says nothing: who has signed it has."""
    if look.pact is None or entry.by != REFEREE:
        return f"by {entry.by}"
    from referee.cli.mail.mailed import signer_of

    signer = signer_of(look, entry.n)
    return f"signed by {signer}" if signer else "that nobody has signed"


def told(look: Sitting, entry: AnyEntry) -> list[str]:
    """What happened in an entry, as things to do with the pieces."""
    entry = look.log.seen(entry)
    match entry:
        case PlayEntry():
            return [look.facts.game.tell(event) for event in entry.all_events]
        case ToldDeed():
            return entry.told(look, partial(_as_proposed, look, entry))
        case OfferEntry():
            then = look.then(entry.n - 1)  # as a receiver's computer works it out from the entry
            return [text.text for text in done_by(then, proposal_of(then, entry.offer, entry.by))]
    return []


def _as_proposed(look: Sitting, deed: ToldDeed) -> list[str]:
    return [text.text for text in done_by(look.then(deed.n - 1), proposed_by(look, deed))]


def is_shut(entry: AnyEntry) -> bool:
    """Whether the very deed is a secret that these eyes do not see."""
    return isinstance(entry, PlayEntry) and entry.done is None


def done_by(look: Sitting, proposal: Proposal) -> Iterator[Text]:
    """What a proposal does, line by line, as these eyes see it: alike before it is agreed to and ever after."""
    if proposal.cannot:
        yield Text(f"It cannot be done: {proposal.cannot}.", "refused", indent=2)
    yield from _said_again(look, proposal)
    for n in proposal.gone[:SHOWN]:
        thrown = "; its dice are thrown anew" if n in proposal.thrown else ""
        yield Text(f"no longer counts:  {n}  {describe(look, look.log.entries[n])}{thrown}", indent=2, hanging=4)
    if proposal.because:
        yield Text(sentence(proposal.because), indent=4)
    for n in proposal.again[:SHOWN]:
        yield Text(f"counts again:  {n}  {describe(look, look.log.entries[n])}", indent=2, hanging=4)
    more = len(proposal.gone[SHOWN:]) + len(proposal.again[SHOWN:])
    if more:
        yield Text(f"and {count_of(more, 'entry', 'entries')} more", indent=2)
    for throw in proposal.drops:
        told = f"throw {throw.number}, which waits; {listing(throw.known)} may know its dice already"
        yield Text(f"never made:  {told}", indent=2, hanging=4)
    for change in proposal.hands:
        yield Text(
            f"on the board:  {change.back if proposal.gone and not proposal.mended else change}", indent=2, hanging=4
        )
    for seat, count in proposal.opens:
        what = f"{count_of(count, 'secret')} of {seat}" if count else f"every secret of {seat} that it holds"
        yield Text(f"open to everybody from then on:  {what}", indent=2, hanging=4)
    if proposal.rules:
        number, differ = proposal.rules
        which = f", which differ in {listing(differ)}" if differ else "; nothing that is judged differs"
        yield Text(f"from then on the game is played under rules {number} of {look.facts.game.name}{which}", indent=2)
    if proposal.outcome:
        yield Text(f"from then on the game is over: {proposal.outcome.because}", indent=2, hanging=4)
        if look.log.sealed:
            yield Text("secrets stay sealed until somebody says: referee reveal", indent=2, hanging=4)
    if proposal.offer.new_chair:
        yield Text(f"{proposal.by} is whoever has the new key from then on", indent=2)


def _said_again(look: Sitting, proposal: Proposal) -> Iterator[Text]:
    """Tells how dice would be typed otherwise, and what would be said again with them."""
    if proposal.mended:
        n, faces = proposal.mended.n, proposal.mended.faces
        if faces:
            yield Text(
                f"the dice:  {n}  {describe(look, look.log.entries[n])}, in truth {' '.join(faces)}",
                indent=2,
                hanging=4,
            )
        else:
            yield Text("the dice:  what they show stays sealed", indent=2)
    for said in proposal.said[:SHOWN]:
        thrown = bracketed(look.sight.rolls_of(said))
        yield Text(f"said again:  {said.seat}: {look.facts.game.format(said.action)}{thrown}", indent=2, hanging=4)
    if len(proposal.said) > SHOWN:
        yield Text(f"and {count_of(len(proposal.said[SHOWN:]), 'play')} more said again", indent=2)
