"""Log entries in words, in the view of a seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from referee.cli.answer import Text
from referee.cli.errors import as_sentence
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
from referee.record.table.play_description import describe_play, format_rolls
from referee.record.table.proposal import DescribedDeed, proposal_of_deed, propose

if TYPE_CHECKING:
    from referee.record.table.proposal import CorrectedEntry, NewPlayer, Proposal
    from referee.record.table.seat_view import SeatView


SHOWN = 12
"""The number of entries that are described one by one."""


def entry_lines(look: SeatView, entry: AnyEntry) -> Iterator[Text]:
    """Yields an entry with its number, then its events."""
    yield Text(f"{entry.n:>4}  {describe_entry(look, entry)}", "bold", hanging=6)
    yield from (Text(line, indent=6) for line in describe_events(look, entry))


def describe_entry(look: SeatView, entry: AnyEntry) -> str:
    """Returns an entry in one line, without the secrets that this view may not see."""
    entry = look.log.hide_secrets(entry)
    match entry:
        case GameEntry():
            names = look.facts.first_names
            players = (seat if names[seat] == seat else f"{seat} ({names[seat]})" for seat in look.facts.seats)
            return f"{look.facts.game.title}: {', '.join(players)}"
        case JoinEntry():
            return _joining_line(look, entry)
        case DeclareEntry() | AnswerEntry() | SealEntry() | OfferEntry() | AgreeEntry() | RefuseEntry():
            from referee.cli.mail.mail_entry_text import mail_entry_text  # games by mail alone have them

            return mail_entry_text(look, entry)
        case PlayEntry():
            return f"{entry.by}: {describe_play(look, entry)}"
        case DescribedDeed():
            return entry.describe(look)
        case NoteEntry():
            return f"note {_note_author(look, entry)}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"
    raise AssertionError("every kind of entry is described")


def _joining_line(look: SeatView, entry: JoinEntry) -> str:
    if entry.chair is None:
        return f"{entry.by} keeps secrets from now on"
    from referee.cli.mail.mail_entry_text import joining_text

    return joining_text(look, entry)


def _note_author(look: SeatView, entry: NoteEntry) -> str:
    """Returns the author of a note in words.

    By mail the referee writes nothing itself, so the author is the player who signed.
    """
    if look.protocol is None or entry.by != REFEREE:
        return f"by {entry.by}"
    from referee.cli.mail.mail_entry_text import find_signer

    signer = find_signer(look, entry.n)
    return f"signed by {signer}" if signer else "that nobody signed"


def describe_events(look: SeatView, entry: AnyEntry) -> list[str]:
    """Returns the effects of an entry, in this view, as instructions for the real pieces."""
    entry = look.log.hide_secrets(entry)
    match entry:
        case PlayEntry():
            return [look.facts.game.tell(event) for event in entry.all_events]
        case DescribedDeed():
            return entry.describe_changes(look, partial(_as_proposed, look, entry))
        case OfferEntry():
            then = look.at_entry(entry.n - 1)  # the offer names no effects, so they are worked out here
            return [text.text for text in describe_proposal(then, propose(then, entry.offer, entry.by))]
    return []


def _as_proposed(look: SeatView, deed: DescribedDeed) -> list[str]:
    return [text.text for text in describe_proposal(look.at_entry(deed.n - 1), proposal_of_deed(look, deed))]


def is_hidden(entry: AnyEntry) -> bool:
    """True if the entry is a play whose action is a hidden secret."""
    return isinstance(entry, PlayEntry) and entry.known_action is None


def describe_proposal(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields the effects of a proposal line by line, in this view.

    The lines are the same before and after everyone has agreed.
    """
    if proposal.cannot:
        yield Text(f"This is not possible: {proposal.cannot}.", "refused", indent=2)
    yield from _describe_corrections(look, proposal)
    yield from _describe_entries(look, proposal)
    yield from _describe_dropped_rolls(proposal)
    yield from _describe_board(proposal)
    yield from _describe_opened_secrets(proposal)
    yield from _describe_future(look, proposal)


def _describe_corrections(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields lines about corrected dice, and about the moves that would be made again with them."""
    if proposal.corrected:
        yield _describe_corrected(look, proposal.corrected)
    for said in proposal.said[:SHOWN]:
        thrown = format_rolls(look.sight.visible_rolls(said))
        yield Text(f"made again:  {said.seat}: {look.facts.game.format(said.action)}{thrown}", indent=2, hanging=4)
    if len(proposal.said) > SHOWN:
        yield Text(f"and {count_of(len(proposal.said[SHOWN:]), 'more move')} made again", indent=2)


def _describe_corrected(look: SeatView, corrected: CorrectedEntry) -> Text:
    """Returns the line about the corrected dice or the corrected play, as far as these eyes see them."""
    what = "the move" if corrected.words else "the dice"
    right = " ".join(filter(None, [corrected.words, *corrected.faces]))
    if not right:
        return Text("what is corrected stays sealed", indent=2)
    was = describe_entry(look, look.log.entries[corrected.n])
    return Text(f"{what}:  {corrected.n}  {was}, in truth {right}", indent=2, hanging=4)


def _describe_entries(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields the entries that no longer count or count again, with the reason."""
    for n in proposal.gone[:SHOWN]:
        thrown = "; its dice are rolled again" if n in proposal.thrown else ""
        yield Text(f"no longer counts:  {n}  {describe_entry(look, look.log.entries[n])}{thrown}", indent=2, hanging=4)
    if proposal.because:
        yield Text(as_sentence(proposal.because), indent=4)
    for n in proposal.again[:SHOWN]:
        yield Text(f"counts again:  {n}  {describe_entry(look, look.log.entries[n])}", indent=2, hanging=4)
    more = len(proposal.gone[SHOWN:]) + len(proposal.again[SHOWN:])
    if more:
        yield Text(f"and {count_of(more, 'more entry', 'more entries')}", indent=2)


def _describe_dropped_rolls(proposal: Proposal) -> Iterator[Text]:
    for throw in proposal.drops:
        told = f"roll {throw.number}, which waits; {listing(throw.known)} may already know its dice"
        yield Text(f"never made:  {told}", indent=2, hanging=4)


def _describe_board(proposal: Proposal) -> Iterator[Text]:
    """Yields the changes on the board as instructions for the pieces."""
    for change in proposal.piece_changes:
        told = change.reversed_text if proposal.gone and not proposal.corrected else change
        yield Text(f"on the board:  {told}", indent=2, hanging=4)


def _describe_opened_secrets(proposal: Proposal) -> Iterator[Text]:
    for seat, count in proposal.opens:
        what = f"{count_of(count, 'secret')} of {seat}" if count else f"every secret of {seat} in it"
        yield Text(f"open to everyone from then on:  {what}", indent=2, hanging=4)


def _describe_future(look: SeatView, proposal: Proposal) -> Iterator[Text]:
    """Yields the changes for the rest of the game: its rules, its end, and the player of a seat."""
    if proposal.rules:
        number, differ = proposal.rules
        which = f", which differ in {listing(differ)}" if differ else "; no move is judged otherwise"
        yield Text(f"from then on rules {number} of {look.facts.game.name} apply{which}", indent=2)
    for one in proposal.switched:
        yield Text(f"from then on {one.name} is {one.after} (it is {one.before})", indent=2)
    if proposal.new_player:
        yield Text(f"from then on {_player_text(proposal.new_player)}", indent=2)
    if proposal.outcome:
        yield Text(f"from then on the game is over: {proposal.outcome.because}", indent=2, hanging=4)
        if look.log.sealed_entries:
            yield Text("secrets stay sealed until somebody types: referee reveal", indent=2, hanging=4)
    if proposal.offer.new_enrolment and not proposal.new_player:
        yield Text(f"from then on the holder of the new key plays {proposal.by}", indent=2)


def _player_text(new: NewPlayer) -> str:
    who = f"the bot {new.bot} plays" if new.bot else f"{new.name or 'nobody'} plays"
    return f"{who} {new.seat}"
