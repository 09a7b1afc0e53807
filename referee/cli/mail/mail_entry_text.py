"""The entries of games by mail, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.mail.ledger_text import describe_knowing_seats
from referee.engine.text import listing
from referee.record.log.enrolment import RecoveryWarrant
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    DeclareEntry,
    JoinEntry,
    OfferEntry,
    RefuseEntry,
    RulingEntry,
    SealEntry,
)
from referee.record.table.proposal import get_described_offer, make_proposal_of_offer

if TYPE_CHECKING:
    from referee.engine.choice import Action
    from referee.engine.event import Seat
    from referee.mail.packet import RollShare
    from referee.record.log.enrolment import Consent
    from referee.record.log.offer import Offer
    from referee.record.table.joint_roll import DroppedRoll
    from referee.record.table.mail_state import DirectorRuling, ReplacementKey
    from referee.record.table.seat_view import SeatView

MailEntry = DeclareEntry[Any] | AnswerEntry | SealEntry | OfferEntry[Any] | AgreeEntry | RefuseEntry | RulingEntry[Any]


def describe_mail_entry(look: SeatView, entry: MailEntry) -> str:
    """Returns an entry of a game by mail in one line."""
    match entry:
        case DeclareEntry():
            said = entry.known_actions
            if said is None:
                return f"{entry.by} declares: {describe_secret_action_count(entry.count)}"
            return f"{entry.by} declares: {describe_declared_actions(look.at_entry(entry.n - 1), said)}"
        case AnswerEntry():
            return f"{entry.by} answers roll {entry.cast}"
        case SealEntry():
            return f"{entry.by} signs all before, and hands the pen to {entry.to}"
        case OfferEntry():
            return f"{describe_offer_of_seat(look, entry.by, entry.offer)}{_describe_amendment(look, entry)}"
        case AgreeEntry():
            return f"{entry.by} agrees {_describe_reply_target(look, entry.to)}"
        case RefuseEntry():
            return f"{entry.by} does not agree {_describe_reply_target(look, entry.to)}"
        case RulingEntry():
            told = describe_offer_of_seat(look, entry.by, entry.offer)
            others = f"{describe_consents(entry.consents)}; " if entry.consents else ""
            return f"{told}; {others}{find_director_name(look)}, who directs the game, agrees in place of {entry.seat}"


def describe_consents(consents: Sequence[Consent]) -> str:
    """Returns a clause about the seats that agreed, beside the log, to an offer that the director may settle."""
    return f"{listing([one.by for one in consents])} {'agrees' if len(consents) == 1 else 'agree'}"


def find_director_name(look: SeatView) -> str:
    """Returns the name of the director; "nobody" if the game has none."""
    director = look.facts.header.director
    return director.name if director else "nobody"


def describe_secret_action_count(count: int) -> str:
    """Returns words for secret actions of which only the number is known."""
    return "a secret" if count < 2 else f"{count} secrets, whose dice fall at once"


def describe_declared_actions(look: SeatView, actions: Sequence[Action]) -> str:
    """Returns declared actions as they were typed.

    An action whose first effect is a question is declared twice. This text names it once.
    """
    game, view = look.facts.game, look.sight.view
    pairs = zip((None, *actions), actions, strict=False)
    told = [action for before, action in pairs if action != before or not game.is_question(view, action)]
    return ", ".join(game.format(look.sight.hide_secrets(action)) for action in told)


def _describe_amendment(look: SeatView, entry: OfferEntry[Any]) -> str:
    """Returns the changes that an offered amendment would make, worked out here, in brackets; "" for other offers."""
    if not get_described_offer(entry.offer).tells_changes:
        return ""
    changed = "; ".join(
        map(str, make_proposal_of_offer(look.at_entry(entry.n - 1), entry.offer, entry.by).piece_changes)
    )
    return f" ({changed or 'which changes nothing'})"


def _describe_reply_target(look: SeatView, n: int) -> str:
    entry = look.log.entries[n]
    if not isinstance(entry, OfferEntry):
        return f"to entry {n}"
    return f"to what {entry.by} offers, {describe_offer(look, entry.offer)}"


def find_first_signer(look: SeatView, n: int) -> Seat | None:
    """Returns the first seat that signed entry `n`; None if nobody has signed it."""
    after = (look.log.entries[at] for at in range(n + 1, len(look.log.entries)))
    return next((entry.by for entry in after if isinstance(entry, SealEntry)), None)


def describe_joining(look: SeatView, entry: JoinEntry) -> str:
    """Returns a clause about a player who sits down, with the seats that agreed to another key."""
    then = look if look.facts.names == look.facts.first_names else look.at_entry(entry.n)
    who = f"{entry.by} ({entry.name})" if entry.name else then.facts.format_seat(entry.by)
    warrant = entry.warrant
    if isinstance(warrant, RecoveryWarrant):
        return f"{who} sits down again, with their recovery key"
    word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
    another = "" if entry.name else " with another key"
    return f"{who} sits down{f'{another}, agreed by {listing(word)}' if word else ''}"


def describe_replaced_keys(heirs: Mapping[Seat, ReplacementKey], player: Callable[[Seat], str]) -> Iterator[str]:
    """Yields a clause about each seat that plays with another key than it joined with, and who agreed to that."""
    for seat, heir in heirs.items():
        yield f"{player(seat)} has had another key since entry {heir.n}, agreed by {listing(heir.word)}"


def describe_rulings(rulings: Iterable[DirectorRuling], player: Callable[[Seat], str]) -> Iterator[str]:
    """Yields a clause about each time that the director agreed in place of a player."""
    for one in rulings:
        yield f"in entry {one.n} the director agreed to what {player(one.by)} offered, in place of {player(one.seat)}"


def describe_share(share: RollShare) -> str:
    """Returns a sentence about a share of a joint roll that travels beside the log."""
    return f"{share.by} gives a share of roll {share.cast}."


def describe_dropped_rolls(dropped: Iterable[DroppedRoll], player: Callable[[Seat], str]) -> Iterator[str]:
    """Yields a clause about each joint roll that was begun and never made, with the players who may know its dice."""
    for roll in dropped:
        where = f" of {roll.log}" if roll.log else ""
        begun = f"roll {roll.number}{where}, which {roll.by} began in entry {roll.n}"
        known = describe_knowing_seats(roll.known, player)
        yield f"{begun}, was dropped in entry {roll.at}: {roll.because}; {known}"


def describe_missing_parent_log(name: str) -> str:
    """Returns a clause that says that the parent of a branch is not here, so nobody knows which rolls it dropped."""
    return f"it is a branch of {name}, which is not here, so nobody can tell which rolls were dropped there"


def describe_offer(look: SeatView, offer: Offer) -> str:
    """Returns an offer in words that begin with "to", such as "to resign"."""
    words = get_described_offer(offer).describe(look)
    if offer.new_enrolment is None:
        return words
    from referee.mail.key import spell_fingerprint

    return f"{words}, {spell_fingerprint(offer.new_enrolment.key)}"


def describe_offer_of_seat(look: SeatView, by: Seat, offer: Offer) -> str:
    """Returns a clause about a seat that makes an offer, or that takes its offer back."""
    words = describe_offer(look, offer)
    return f"{by} takes{words.removeprefix('to take')}" if offer.withdrawn_hash else f"{by} offers {words}"
