"""What comes next in a game by mail: whose mail is waited for, which throw, and which offers."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from referee.cli.answer import Text
from referee.cli.entries import done_by
from referee.cli.logs import is_current, logs_here
from referee.cli.mail.mailed import in_words, offered
from referee.engine.text import listing
from referee.mail.desk import Desk
from referee.mail.heirs import own_request, waits_for
from referee.mail.key import own_key, own_public
from referee.mail.parts import owes_beside
from referee.mail.seats import seat_here
from referee.record.log.faults import NotAllowedError
from referee.record.table.pact import Pact
from referee.record.table.proposal import proposal_of
from referee.record.table.session import Session
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.event import Seat


def desk_of(session: Session) -> Desk:
    """The desk of who plays here; NotAllowedError when he has no key."""
    key = own_key()
    if key is None:
        raise NotAllowedError("there is no key on this computer; make one: referee key --make, or bring yours back")
    return Desk(session, key)


def next_by_mail(look: Sitting, pact: Pact) -> str | None:
    """What comes next that has to do with mail, as a clause; None: it is simply one's turn."""
    seat = seat_here(pact)
    if seat is None:
        return _without_seat(look, pact)
    return (
        _at_the_end(look, pact, seat)
        or _without_pen(look, pact, seat)
        or _to_answer(look, pact, seat)
        or _until_dice_fall(look, pact, seat)
        or _with_pen(look, pact, seat)
    )


def _without_seat(look: Sitting, pact: Pact) -> str:
    """What who sits nowhere may do."""
    asked_for = own_request(look.session, own_public())
    if asked_for and asked_for.recovery:
        first = "" if pact.pen == asked_for.by else "referee pack, which asks for the pen; once it is here "
        return f"{first}referee join {asked_for.by} --recover"
    if asked_for:
        missing = listing(waits_for(pact, asked_for))
        until = f"wait until {missing} has agreed" if missing else f"wait until the pen has come to {asked_for.by}"
        return f"referee pack, which sends what you ask; then {until}"
    return _to_join(look, pact) if pact.to_join else f"wait for the mail of {pact.pen}"


def _at_the_end(look: Sitting, pact: Pact, seat: Seat) -> str | None:
    """What is left to do once the game is over; None: it is not, or what is left is as ever."""
    if not look.facts.outcome or pact.offers:
        return None
    if look.log.shut.get(seat) and pact.pen in (None, seat):
        return "referee reveal, which opens what you keep secret for all to check; then referee pack"
    return "nothing; all have signed the end of the game" if desk_of(look.session).waits_for() is None else None


def _without_pen(look: Sitting, pact: Pact, seat: Seat) -> str | None:
    """What to do while another seat has the pen; None: none has."""
    if pact.pen in (None, seat):
        return None
    if pact.cast and owes_beside(look.session, seat):
        return f"referee pack, which sends your part of throw {pact.cast.number}"
    writer = look.facts.player(str(pact.pen))
    return f"referee open, once the mail of {writer} has come; referee pack writes yours again"


def _to_answer(look: Sitting, pact: Pact, seat: Seat) -> str | None:
    """How the first offer is answered that waits for a seat; None: none does."""
    waiting = (one for one in pact.offers.values() if seat not in (one.by, *one.agreed))
    first = next(waiting, None)
    return first and f"{first.by} offers {offered(look, first.offer)}: referee agree, or referee refuse"


def _until_dice_fall(look: Sitting, pact: Pact, seat: Seat) -> str | None:
    """What to do until others have given their parts of a throw; None: none is owed by them."""
    owing = [other for other in pact.cast.owing if other != seat] if pact.cast else []
    if not owing:
        return None
    desk = desk_of(look.session)
    sent = "referee open; referee pack writes yours again" if desk.gathers and not desk.unsigned else "referee pack"
    return f"the dice fall once {listing(owing)} {'has' if len(owing) == 1 else 'have'} answered: {sent}"


def _with_pen(look: Sitting, pact: Pact, seat: Seat) -> str | None:
    """What to do with the pen; None: it is one's turn."""
    waits = look.facts.to_act if not (pact.to_join or pact.offers) else None
    return None if waits == seat else "referee pack, which signs and hands over"


def _to_join(look: Sitting, pact: Pact) -> str:
    """Who sits down now, and who after him: seats are for the people that they were given to."""
    chosen = look.log.path is None or is_current(look.log.path) or logs_here() == [look.log.path]
    log = "" if chosen else f"-g {quote(str(look.log.path))} "
    each = []
    for seat in pact.to_join:
        first = pact.pen if pact.pen not in (None, seat) else None
        after = f", once the mail of {look.facts.player(first)} has come" if first else ""
        name = look.facts.names[seat]
        whose = f"{seat} is your seat" if name == seat else f"you are {name}"
        each.append(f"if {whose}: referee {log}join {quote(name)}{after}")
    return "; ".join(each)


def throw_that_waits(look: Sitting, pact: Pact) -> Iterator[Text]:
    """The throw that is being made or has still to be played, which nobody can turn away by offering something."""
    cast = pact.cast
    if cast is None or not (cast.owing or cast.waits):
        return
    shut = cast.actions is None or (cast.sealed and not look.sight.sees(cast.by))
    said = "a secret" if shut else in_words(look, cast.actions or ())
    what = f"{cast.by} has declared {said}" if cast.waits else f"{cast.by} has given a part"
    owes = "owes a part" if len(cast.owing) == 1 else "owe a part each"
    then = f"{listing(cast.owing)} {owes}" if cast.owing else f"all have given their parts; {cast.by} plays it next"
    yield Text(f"Throw {cast.number} waits: {what}; {then}.", indent=2)


def offers_to(look: Sitting, pact: Pact) -> Iterator[Text]:
    """What each offer would do that waits for who plays here, worked out here."""
    seat = seat_here(pact)
    for one in pact.offers.values():
        if seat not in (one.by, *one.agreed):
            yield from done_by(look, proposal_of(look, one.offer, one.by))
