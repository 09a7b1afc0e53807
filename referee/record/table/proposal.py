"""What others have to agree to: what a deed would do, worked out from all that it would record, by whoever looks at it.

An agreement is to what these facts say, never to what its author says of it. It holds for that deed only, and lapses
as soon as anybody plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import DiceError, Roll
from referee.engine.event import Outcome, Seat, ranked
from referee.engine.pieces import Change, changes, everything, moves
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.engine.versions import changed_rules
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import FaultError, NotAllowedError
from referee.record.log.fields import FORMAT
from referee.record.log.offer import (
    AmendOffer,
    AmendPiecesOffer,
    RejoinOffer,
    ResignOffer,
    RevealOffer,
    SettleOffer,
    TakebackOffer,
    UpgradeOffer,
)
from referee.record.table.mending import corrected
from referee.record.table.moment import Said
from referee.record.table.sight import Sight
from referee.record.table.terms import CorrectDice, Terms

if TYPE_CHECKING:
    from referee.record.table.cast import DroppedThrow
    from referee.record.table.sitting import Sitting


class Mended(Struct, frozen=True):
    """A throw that would be typed otherwise."""

    n: int
    """Its entry."""
    faces: tuple[str, ...]
    """How it would stand in the record; empty: these eyes do not see that throw."""


class Proposal(Struct, frozen=True):
    """What an offer would do, as certain eyes see it."""

    by: Seat
    """Who proposes it; the referee: who sits at the table."""
    offer: Terms
    gone: tuple[int, ...] = ()
    """Entries that would no longer count, and are not said again; the last one first."""
    again: tuple[int, ...] = ()
    """Entries that would count again, in order."""
    thrown: tuple[int, ...] = ()
    """Those of the entries gone in which dice fell: whoever plays there again throws anew."""
    mended: Mended | None = None
    """The throw that would be typed otherwise."""
    said: tuple[Said, ...] = ()
    """Plays that would be said again and recorded with it, in order."""
    because: str = ""
    """Why the first of the entries gone no longer holds, as a clause."""
    is_shut: bool = False
    """Whether what follows from it is not worked out before all agree, since that would tell secrets."""
    hands: tuple[Change, ...] = ()
    """Pieces that would stand otherwise."""
    opens: tuple[tuple[Seat, int], ...] = ()
    """Secrets that everybody could read from then on: whose, and how many; 0: all that the position holds."""
    outcome: Outcome | None = None
    """How the game would end."""
    rules: tuple[int, tuple[str, ...]] | None = None
    """The version of the rules by which the game would go on, and the rules that differ from those until then."""
    drops: tuple[DroppedThrow, ...] = ()
    """Throws that wait, and would never be made."""
    why: str = ""
    """What its author says of it."""
    cannot: str = ""
    """Why it cannot be done at all, as a clause."""


def proposal_of(sitting: Sitting, offer: Terms, by: Seat) -> Proposal:
    """Works out what an offer would do to the game at this moment."""
    found, pact = _worked_out(sitting, offer, by), sitting.pact
    waits = pact is not None and sitting.at is None and pact.is_pending and pact.throw
    return replace(found, drops=(waits,)) if waits and not isinstance(offer, RevealOffer) else found


def _worked_out(sitting: Sitting, offer: Terms, by: Seat) -> Proposal:
    match offer:
        case CorrectDice():
            return _correction(sitting, offer, by)
        case TakebackOffer():
            return _takeback(sitting, offer, by)
        case AmendOffer():
            return _amendment(sitting, offer, by)
        case AmendPiecesOffer():
            return _in_pieces(sitting, offer, by)
        case RevealOffer():
            owners = Counter(sitting.log.owner_of(n) for n in offer.of if sitting.log.owner_of(n))
            opens = tuple((seat, count) for seat, count in owners.items() if seat)
            return Proposal(by, offer, opens=opens, cannot="" if opens else "no secret is left there to be revealed")
        case ResignOffer():
            winners = tuple(seat for seat in sitting.facts.seats if seat != by)
            return _end(sitting, offer, by, winners, f"{by} has resigned")
        case SettleOffer():
            has = "has won" if len(offer.winners) == 1 else "have tied"
            result = f"{listing(offer.winners)} {has}" if offer.winners else "nobody has won"
            return _end(sitting, offer, by, offer.winners, f"ended by agreement: {result}")
        case RejoinOffer():
            return Proposal(by, offer)
        case UpgradeOffer():
            return _upgrade(sitting, offer, by)


def _upgrade(sitting: Sitting, offer: UpgradeOffer, by: Seat) -> Proposal:
    fold, today = sitting.session.fold, find_game(sitting.facts.game.name)
    cannot = ""
    if (offer.rules, offer.format) == (fold.rules, fold.form):
        cannot = f"the game is played under rules {fold.rules} already"
    elif offer.rules > today.rules_version or offer.format > FORMAT:
        cannot = f"rules {offer.rules} of {today.name} are not known here: update the referee first"
    elif offer.rules < today.rules_version or offer.format < FORMAT:
        cannot = f"rules {today.rules_version} of {today.name} are played by now, not rules {offer.rules}"
    return Proposal(by, offer, rules=(offer.rules, changed_rules(today.versions, fold.rules)), cannot=cannot)


def _takeback(sitting: Sitting, offer: TakebackOffer, by: Seat) -> Proposal:
    if offer.to >= len(sitting.log.entries):
        return Proposal(by, offer, cannot=f"there is no entry {offer.to}")
    then = sitting.then(offer.to)
    before, after = sitting.log.in_force, then.log.in_force
    gone = tuple(n for n in reversed(before) if n not in after)
    again = tuple(n for n in after if n not in before)
    thrown = tuple(n for n in gone if _throws(sitting, n))
    cannot = "" if gone or again else "that is how the game stands already"
    return Proposal(by, offer, gone, again, thrown, hands=_hands(sitting, then), cannot=cannot)


def _correction(sitting: Sitting, offer: CorrectDice, by: Seat) -> Proposal:
    """Works out a correction. In a game with secrets it tells the dice alone, of a throw that these eyes see."""
    if sitting.facts.keepers:
        faces = tuple(map(str, offer.faces)) if _throws(sitting, offer.n) else ()
        return Proposal(by, offer, mended=Mended(offer.n, faces), is_shut=True)
    try:
        found = corrected(sitting.session, offer.n, offer.faces)
    except (NotAllowedError, DiceError) as error:
        return Proposal(by, offer, cannot=str(error))
    then = Sight(found.said[-1].then, sitting.eyes)
    stays = {offer.n, *found.held}
    gone = tuple(n for n in reversed(sitting.log.in_force) if n > found.to and n not in stays)
    thrown = tuple(n for n in gone if _throws(sitting, n))
    throw, *again = found.said
    mended = Mended(offer.n, spell_faces(sitting.sight.rolls_of(throw)))
    hands = moves(sitting.sight.counters, then.counters)
    return Proposal(by, offer, gone, (), thrown, mended, tuple(again), found.because, hands=hands)


def spell_faces(rolls: Sequence[Roll]) -> tuple[str, ...]:
    """Returns the dice of several rolls as people read them."""
    return tuple(str(face) for roll in rolls for face in roll.names or roll.faces)


def _throws(sitting: Sitting, n: int) -> bool:
    entry = sitting.log.entries[n] if 0 <= n < len(sitting.log.entries) else None
    return isinstance(entry, PlayEntry) and bool(entry.all_rolls)


def _hands(before: Sitting, after: Sitting) -> tuple[Change, ...]:
    return moves(before.sight.counters, after.sight.counters)


def _amendment(sitting: Sitting, offer: AmendOffer, by: Seat) -> Proposal:
    """A position stands in the log for everybody to read, secrets and all."""
    opens = tuple((seat, 0) for seat in sitting.facts.keepers)
    try:
        after = sitting.session.fold.placed(offer.position)
    except FaultError as error:
        return Proposal(by, offer, opens=opens, why=offer.why, cannot=error.fault.cause)
    return Proposal(by, offer, hands=sitting.sight.amended_to(after), opens=opens, why=offer.why)


def _in_pieces(sitting: Sitting, offer: AmendPiecesOffer, by: Seat) -> Proposal:
    """Every secret stays sealed; what is changed is changed in the view of whoever looks."""
    from referee.record.table.amending import with_changes  # few games are amended

    try:
        after = with_changes(sitting.session.fold, sitting.sight.view, offer.changes)
    except FaultError as error:
        return Proposal(by, offer, why=offer.why, cannot=error.fault.cause)
    return Proposal(
        by, offer, hands=changes(sitting.sight.pieces, everything(sitting.facts.game, after)), why=offer.why
    )


def _end(sitting: Sitting, offer: Terms, by: Seat, winners: tuple[Seat, ...], because: str) -> Proposal:
    strangers = [seat for seat in winners if seat not in sitting.facts.seats]
    if strangers:
        return Proposal(by, offer, cannot=f"nobody sits at {strangers[0]}")
    if sitting.facts.outcome:
        return Proposal(by, offer, cannot="the game is over already")
    return Proposal(by, offer, outcome=Outcome(ranked(winners, sitting.facts.seats), (), because))
