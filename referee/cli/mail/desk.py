"""Playing by mail: who has the pen, what is declared, what is offered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from referee.cli.answer import Answer, Shown, Text
from referee.cli.entries import done_by
from referee.cli.errors import MisuseError
from referee.cli.look import facts_told, heading, next_told
from referee.cli.mail.mailed import in_words, offered
from referee.cli.mail.next import desk_of, next_by_mail
from referee.engine.text import count_of, listing
from referee.mail.box import asks_in, keep_asks
from referee.mail.desk import Desk
from referee.mail.heirs import is_agreed_here, requests
from referee.mail.key import make_key, own_key, words_of
from referee.mail.packet import Ask
from referee.mail.taking_over import ask_for, recover
from referee.record.log.entry import encode
from referee.record.log.faults import NotAllowedError
from referee.record.log.vault import vault_path
from referee.record.table.offered import offer_of
from referee.record.table.pact import Pact
from referee.record.table.proposal import proposal_of
from referee.record.table.signing import offer_text
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.engine.legal import Action
    from referee.mail.key import Key
    from referee.record.log.offer import Offer
    from referee.record.table.moment import Said
    from referee.record.table.session import Session


def at_desk(look: Sitting, command: str, *, offers: bool = False) -> Sitting:
    """The game by mail as who plays here sees it, with everything done that nobody decides. NotAllowedError when he may
    not say this now.
    """
    if command == "join":
        return look
    desk = desk_of(look.session)
    if desk.seat is not None and look.eyes not in (None, desk.seat):
        raise MisuseError(f"by mail everybody speaks for himself, and here sits {desk.seat}")
    if not (offers and desk.seat is not None):
        desk.mine()
    desk.settle()
    now = look.now().through(desk.seat)
    if desk.asked and command not in ("agree", "refuse"):
        raise NotAllowedError(f"{next_by_mail(now, desk.pact)}; before that nothing else is done")
    return now


def check_person(look: Sitting, pact: Pact, seat: Seat, typed: str) -> None:
    """Where several may sit down, who does names himself, so that nobody takes another's seat by a slip."""
    name = look.facts.names[seat]
    if len(pact.to_join) > 1 and seat in pact.to_join and name.lower() not in (seat, typed.lower()):
        raise NotAllowedError(f"{seat} is the seat of {name}; if that is you: referee join {quote(name)}")


def secrets_shut(look: Sitting) -> Iterator[Text]:
    """Whose secrets nobody can check yet."""
    for seat, count in look.log.shut.items():
        many, keeper = count_of(count, "secret"), look.facts.player(seat)
        yield Text(f"{keeper} keeps {many} shut: whether all was right shows once revealed.", indent=2)


def sat_down(session: Session, seat: Seat, *, lost_key: bool = False, owner: Key | None = None) -> list[Shown]:
    """Sit down with one's key, which is made if there is none; and what there is to say about it. `owner`: the key that
    had sat there, from its back-up.
    """
    told: list[Shown] = []
    key = own_key()
    if key is None:
        key = make_key()
        told.append(Text("A key was made for you. Keep a copy of it: referee key --backup", indent=2))
    desk, sits = Desk(session, key), not lost_key
    if lost_key:
        ask_for(desk, seat)
        told.append(
            "All others have to agree that another key plays on. They will ask you on the telephone whether it is you. "
            "Who has his back-up line needs nobody's word: --recover"
        )
    elif owner:
        sits = recover(desk, seat, owner)
        told.append(
            "Your recovery key has signed that this key is yours."
            if sits
            else f"{desk.pact.pen} has the pen, and hands it over once he has your mail: then say this again."
        )
    else:
        desk.join(seat)
    told.append(Text(f"Your key: {key.words}. The others may ask you for these words once.", indent=2))
    for other, hand in desk.pact.hands.items():
        if other != seat:
            whose = f"{other} ({session.header.names[other]})"
            told.append(Text(f"The key of {whose}: {words_of(hand.chair.key)}; ask him once whether it is", indent=2))
    if seat in Sitting(session, None).facts.keepers and session.path and sits:
        vault = vault_path(session.path, seat)
        told.append(Text(f"Your secrets are kept in {vault}: nobody else may have it.", indent=2))
    return [f"{'You sit at' if sits else 'You ask to play on at'} {Sitting(session).facts.player(seat)}.", *told]


def joined(look: Sitting, seat: Seat, *, lost_key: bool, owner: Key | None = None) -> Answer:
    """Sit down in a game by mail that somebody else began."""
    told = sat_down(look.session, seat, lost_key=lost_key, owner=owner)
    desk = desk_of(look.session)
    if desk.seat is not None:
        desk.settle()
    now = look.now().through(seat)
    return Answer([heading(now), *told, *next_told(now)], lambda: facts_told(now))


def requested(look: Sitting) -> Iterator[Shown]:
    """What strangers ask for who have no key of the seat that they name."""
    for ask in requests(look.session):
        yield from to_answer(look, ask)


def to_answer(look: Sitting, ask: Ask) -> Iterator[Shown]:
    """One of these requests, and how it is answered."""
    if is_agreed_here(look.session, ask):
        yield Text(f"You have agreed to what somebody asks, {offered(look, ask.offer)} at {ask.by}.")
        yield Text("referee pack sends your word; referee refuse takes it back", indent=2)
    else:
        yield Text(told_request(look, ask), "bold")
        yield from done_by(look, proposal_of(look, ask.offer, ask.by))
        yield Text("To let this key play: referee agree; else: referee refuse", indent=2)


def told_request(look: Sitting, ask: Ask) -> str:
    """One of them, in words."""
    who = look.facts.player(ask.by)
    return (
        f"Somebody asks {offered(look, ask.offer)} at {who}. Whoever sent this has no key of {ask.by}'s: "
        f"ask {look.facts.names[ask.by]} on the telephone whether he has lost his, and for these words."
    )


def asks_first(look: Sitting, said: Said) -> bool:
    """Whether by mail an action would be waited for twice: another seat has to tell something, and then it is said
    again.
    """
    view = said.before.view(said.seat)
    return look.pact is not None and said.then.is_asked and look.facts.game.asks_first(view, said.action)


def declared(look: Sitting, typed: Sequence[Action]) -> Answer:
    """What is to be done next is declared, for its dice need all others; what can be settled at once is."""
    desk = desk_of(look.session)
    actions = desk.declarable(typed)
    rest = len(typed) - len(actions)
    later = f" Say the other {count_of(rest, 'action')} once its dice have fallen." if rest else ""
    done = desk.declare(actions)
    now = look.now()
    words = in_words(look, actions)
    owing = desk.pact.cast.owing if desk.pact.cast else ()
    from referee.cli.told import played, said_facts

    told = [*(played(look, done) if done else [heading(now)]), Text(f"Declared: {words}.{later}", "bold")]
    facts = {**(said_facts(look, done) if done else {}), "declared": list(actions), "owing": owing, "recorded": True}
    return Answer([*told, *next_told(now)], lambda: {**facts, "after": facts_told(now)})


def asked(look: Sitting, error: NotAllowedError) -> Answer:
    """Ask the others to agree to what may not be recorded without them: on the record, or beside it where somebody
    else has the pen. What nobody can agree to is raised again.
    """
    offer = offer_of(error.entry)
    if offer is None:
        raise error
    desk = desk_of(look.session)
    seat = desk.seat
    assert seat is not None, "checked at the desk"
    if proposal_of(look, offer, seat).cannot:
        raise error
    _check_may_offer(look, seat, offer)
    others = [other for other in look.facts.seats if other != seat]
    told = f"{listing(others)} {'has' if len(others) == 1 else 'have'} to agree; nothing is in force before."
    if desk.has_pen:
        desk.offer(offer)
    else:
        told += " It lapses if somebody has thrown or moved by the time it comes; to take it back: referee refuse."
        _offer_beside(look, desk, seat, offer)
    now = look.now()
    does = done_by(now, proposal_of(now, offer, seat))
    lines: list[Shown] = [heading(now), f"You offer {offered(now, offer)}. {told}", *does]
    return Answer(
        [*lines, Text("Next: referee pack, which sends it", indent=2)],
        lambda: {"offered": offer, "after": facts_told(now)},
    )


def _check_may_offer(look: Sitting, seat: Seat, offer: Offer) -> None:
    """NotAllowedError where this is offered already, or a throw comes first."""
    cast = look.pact.cast if look.pact else None
    if cast is not None and seat in cast.owing:
        raise NotAllowedError(f"you owe a part of throw {cast.number}, and offer nothing before it is given")
    if cast is not None and cast.owing and len(look.facts.seats) > 2:
        raise NotAllowedError(f"throw {cast.number} is being made, and nothing is offered before it has fallen")
    if look.pact and any(one.by == seat and one.offer == offer for one in look.pact.offers.values()):
        raise NotAllowedError("you have offered that already; referee pack sends it")


def _offer_beside(look: Sitting, desk: Desk, seat: Seat, offer: Offer) -> None:
    """Keep what a seat offers, signed, for who has the pen."""
    path, on = look.log.path, len(look.log.entries) - 1
    assert path is not None, "checked at the desk"
    ask = Ask(seat, offer, on, desk.key.sign(offer_text(desk.pact.record_id, on, encode(offer))))
    keep_asks(path, (*(one for one in asks_in(path) if one.by != seat), ask))
