"""Playing by mail: who has the pen, what is declared, what is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.consent import done_by, offered
from referee.cli.context import Context
from referee.cli.entries import describe
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.screen import Screen
from referee.cli.typed import check_folder, seat_of
from referee.cli.verdicts import span
from referee.engine.text import count_of, listing
from referee.mail.box import asks_in, keep_asks
from referee.mail.desk import Desk, pact_of, seat_here
from referee.mail.exchange import sent
from referee.mail.key import make_key, own_key, words_of
from referee.mail.packet import Ask
from referee.record.log.entry import SealEntry, encode
from referee.record.log.faults import NotAllowedError
from referee.record.log.vault import vault_path
from referee.record.table.pact import Pact, offer_of, offer_text

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.line import Line
    from referee.record.table.session import Session

OFFERED = frozenset({"undo", "redo", "amend", "check-table", "resign", "finish", "reveal"})
"""Commands that somebody without the pen may say: they become offers."""
COLUMNS = 60
"""Columns of the board in a mail."""

Onto = Annotated[Path | None, Option("-o", "--output", metavar="FOLDER", help="Write the packet there, as a file.")]
Since = Annotated[int | None, Option("--from", metavar="N", help="Send again from entry N on.")]
Heir = Annotated[str | None, Option("--to", metavar="SEAT", help="Who gets the pen, if not who the game waits for.")]


def desk_of(session: Session) -> Desk:
    """The desk of who plays here; NotAllowedError when he has no key."""
    key = own_key()
    if key is None:
        raise NotAllowedError("there is no key on this computer; make one: referee key --make, or bring yours back")
    return Desk(session, key)


def at_desk(look: Look, command: str) -> Look:
    """The game by mail as who plays here sees it, with everything done that nobody decides. NotAllowedError when he may
    not say this now.
    """
    if command == "join":
        return look
    desk = desk_of(look.session)
    if desk.seat is not None and look.eyes not in (None, desk.seat):
        raise MisuseError(f"by mail everybody speaks for himself, and here sits {desk.seat}")
    if not (command in OFFERED and desk.seat is not None):
        desk.mine()
    desk.settle()
    now = look.now().through(desk.seat)
    if desk.asked and command not in ("agree", "refuse"):
        raise NotAllowedError(f"{next_by_mail(now, desk.pact)}; before that nothing else is done")
    return now


def next_by_mail(look: Look, pact: Pact) -> str | None:
    """What comes next that has to do with mail, as a clause; None: it is simply one's turn."""
    seat = seat_here(pact)
    if seat is None:
        free = [free for free in pact.to_join if pact.pen in (None, free)]
        return f"referee join {free[0]}" if free else f"wait for the mail of {pact.pen}"
    if look.outcome and not pact.offers and desk_of(look.session).waits_for() is None:
        return "nothing; all have signed the end of the game"
    if pact.pen not in (None, seat):
        return f"referee open, once the mail of {look.player(str(pact.pen))} has come; referee pack writes yours again"
    for standing in pact.offers.values():
        if seat not in (standing.by, *standing.agreed):
            return f"{standing.by} offers {offered(look, standing.offer)}: referee agree, or referee refuse"
    owing = [other for other in pact.cast.owing if other != seat] if pact.cast else []
    if owing:
        return f"the dice fall once {listing(owing)} has answered: referee pack"
    waits = look.to_act if not (pact.to_join or pact.offers) else None
    return None if waits == seat else "referee pack, which signs and hands over"


def offers_to(look: Look, pact: Pact) -> Iterator[Text]:
    """What each offer would do that waits for who plays here, worked out here."""
    seat = seat_here(pact)
    for one in pact.offers.values():
        if seat not in (one.by, *one.agreed):
            yield from done_by(look, look.proposal(one.offer, one.by))


# Sitting down


def sat_down(session: Session, seat: Seat, *, lost_key: bool = False) -> list[Shown]:
    """Sit down with one's key, which is made if there is none; and what there is to say about it."""
    told: list[Shown] = []
    key = own_key()
    if key is None:
        key = make_key()
        told.append(Text("A key was made for you. Keep a copy of it: referee key --backup", indent=2))
    desk = Desk(session, key)
    if lost_key:
        desk.rejoin(seat)
        told.append("All others have to agree that you play on with another key.")
    else:
        desk.join(seat)
    told.append(Text(f"Your key: {key.words}. The others may ask you for these words once.", indent=2))
    if seat in session.fold.keepers and session.path:
        vault = vault_path(session.path, seat)
        told.append(Text(f"Your secrets are kept in {vault}: nobody else may have it.", indent=2))
    sits = "You ask to play on at" if lost_key else "You sit at"
    return [f"{sits} {seat}.", *told]


def joined(look: Look, seat: Seat, *, lost_key: bool) -> Answer:
    """Sit down in a game by mail that somebody else began."""
    told = sat_down(look.session, seat, lost_key=lost_key)
    desk_of(look.session).settle()
    now = look.now().through(seat)
    return Answer([now.heading, *told, *now.next()], now.facts)


# Declaring


def declared(look: Look, line: Line) -> Answer:
    """What is to be done next is declared, for its dice need all others; what can be settled at once is."""
    actions = line.actions_left()
    desk = desk_of(look.session)
    done = desk.declare(actions)
    now = look.now()
    words = ", ".join(look.game.format(look.blinded(action)) for action in actions)
    owing = desk.pact.cast.owing if desk.pact.cast else ()
    then = f"Its dice fall once {listing(owing)} has answered." if owing else ""
    from referee.cli.saying import played, said_facts

    told = [*(played(look, done) if done else [now.heading]), Text(f"Declared: {words}. {then}".strip(), "bold")]
    facts = {**(said_facts(look, done) if done else {}), "declared": list(actions), "owing": owing, "recorded": True}
    return Answer([*told, *now.next()], lambda: {**facts, "after": now.facts()})


# Agreement


def asked(look: Look, error: NotAllowedError) -> Answer:
    """Ask the others to agree to what may not be recorded without them: on the record, or beside it where somebody
    else has the pen. What nobody can agree to is raised again.
    """
    offer = offer_of(error.entry)
    if offer is None:
        raise error
    desk = desk_of(look.session)
    seat, path = desk.seat, look.path
    assert seat is not None and path is not None, "checked at the desk"
    others = listing([other for other in look.seats if other != seat])
    told = f"{others} has to agree; nothing is in force before."
    if desk.has_pen:
        desk.offer(offer)
    else:
        told += " It lapses if somebody has thrown or moved by the time it comes."
        on, game_id = len(look.entries) - 1, desk.pact.record_id
        ask = Ask(seat, offer, on, desk.key.sign(offer_text(game_id, on, encode(offer))))
        keep_asks(path, (*(one for one in asks_in(path) if one.by != seat), ask))
    now = look.now()
    does = done_by(now, now.proposal(offer, seat))
    lines: list[Shown] = [now.heading, f"You offer {offered(now, offer)}. {told}", *does]
    return Answer(
        [*lines, Text("Next: referee pack, which sends it", indent=2)], lambda: {"offered": offer, "after": now.facts()}
    )


def agree(ctx: typer.Context) -> Answer:
    """Agree to what another player offers by mail.

    \b
      referee agree
    """
    return _replied(ctx.obj, agree=True)


def refuse(ctx: typer.Context) -> Answer:
    """Refuse what another player offers by mail; the game goes on.

    \b
      referee refuse
    """
    return _replied(ctx.obj, agree=False)


def _replied(context: Context, *, agree: bool) -> Answer:
    look = context.recording("agree" if agree else "refuse")
    desk = desk_of(look.session)
    standing = desk.asked
    if standing is None:
        raise NotAllowedError("nothing is offered to you")
    before = len(look.entries)
    desk.reply(standing, agree=agree)
    now = look.now()
    new = look.entries[before:]
    lines = [Text(f"{entry.n:>4}  {describe(now, entry)}", hanging=6) for entry in new]
    return Answer([now.heading, *lines, *now.come_to()], lambda: {"recorded": list(new), "after": now.facts()})


# Sending


def pack(ctx: typer.Context, onto: Onto = None, base: Since = None, to: Heir = None) -> Answer:
    """Sign, hand the pen over, and write what is new as a text to paste into a mail: what happened, the board, and a
    packet that no mail program can break.

    \b
      referee pack | mail -s "my turn" blue@example.org
      referee pack -o ../shared     referee pack --from 0
    """
    look: Look = ctx.obj.look()
    desk = desk_of(look.session)
    packet = sent(desk, base, seat_of(to, look.names))
    from referee.mail.envelope import wrapped

    now, asks = look.now(), packet.head.asks
    text = wrapped(packet.spelt())
    mail = [*_summary(now, desk, packet.head.base, packet.end, asks), *_board(now), *text.splitlines()]
    facts = {"to": desk.pact.pen, "from": packet.head.base, "until": packet.end - 1, "text": "\n".join(mail) + "\n"}
    if onto is None:
        return Answer([Rows(mail)], lambda: facts)
    file = _posted(
        onto, f"{packet.head.game[:8]}-{packet.head.base}-{packet.end - 1}-{desk.seat}", "\n".join(mail) + "\n"
    )
    return Answer(
        [now.heading, f"Written to {file}. {_what(packet.head.base, packet.end)} for {desk.pact.pen}."],
        lambda: facts | {"written": str(file)},
    )


def _posted(folder: Path, name: str, text: str) -> Path:
    """Write a packet into a folder that players share: made whole, under a name of its own, and never changed."""
    from referee.mail.box import post

    if not folder.is_dir():
        check_folder(folder / "x")
    return post(folder, name, text.encode())


def _what(base: int, end: int) -> str:
    return f"{count_of(end - base, 'entry', 'entries')} ({span(base, end - 1)})" if end > base else "No new entry"


def _summary(look: Look, desk: Desk, base: int, end: int, asks: Sequence[Ask]) -> list[str]:
    """What happened, for people, in lines that fit a mail; secrets as everybody sees them."""
    seen = look.through(None)
    told: list[Shown] = [seen.heading]
    told += [f"{desk.seat} offers {offered(look, ask.offer)}." for ask in asks]
    lines = [entry for entry in look.entries[base:end] if not isinstance(entry, SealEntry)]
    told += [Text(describe(seen, entry), indent=2) for entry in lines[-SHOWN:]]
    if len(lines) > SHOWN:
        told.insert(1, Text(f"{len(lines) - SHOWN} entries before these", indent=2))
    told.append(f"Now {seen.when}: {seen.status}")
    told.append(f"{desk.pact.pen} has the pen. Save this mail and type: referee open FILE")
    return [*Screen(colour="never", width=COLUMNS).render(Answer(told, dict))[0], ""]


SHOWN = 30
"""Entries that a mail tells in words."""


def _board(look: Look) -> list[str]:
    scene = look.game.draw(look.through(None).view)
    return [*Screen(colour="never", width=COLUMNS).render(Answer([scene], dict))[0], ""]


# Where it stands


def mail(ctx: typer.Context) -> Answer:
    """Who has the pen, who waits for whom, what is not sent yet, and what each seat has signed.

    \b
      referee mail
    """
    look: Look = ctx.obj.look()
    pact, last = pact_of(look.session), len(look.entries) - 1
    here = seat_here(pact)
    seats = {seat: _seat_facts(pact, seat) for seat in pact.seats}
    unsent = (
        list(range(max(pact.sealed.values(), default=-1) + 1, last + 1)) if here and pact.pen in (None, here) else []
    )
    lines: list[Shown] = [look.heading, f"You sit at {here or 'no seat yet'}; {pact.pen or 'nobody'} has the pen."]
    lines += [Text(f"{look.player(seat)}: {_told_seat(seats[seat], last)}", indent=2) for seat in pact.seats]
    if unsent:
        lines.append(f"Not sent yet: {_what(unsent[0], unsent[-1] + 1)}.")
    for one in pact.offers.values():
        lines += [f"{one.by} offers {offered(look, one.offer)}.", *done_by(look, look.proposal(one.offer, one.by))]
    lines += [
        f"{ask.by} offers {offered(look, ask.offer)}; it goes with the next mail."
        for ask in (asks_in(look.path) if look.path else ())
    ]
    offers = [{"n": one.n, "by": one.by, "offer": one.offer, "agreed": one.agreed} for one in pact.offers.values()]
    facts = {"seat": here, "pen": pact.pen, "seats": seats, "unsent": unsent, "offers": offers}
    return Answer([*lines, *look.next()], lambda: facts | {"after": look.facts()})


def _seat_facts(pact: Pact, seat: Seat) -> dict[str, Any]:
    hand = pact.hands.get(seat)
    key = hand.chair.key if hand else None
    return {
        "key": key,
        "words": words_of(key) if key else None,
        "signed": pact.sealed.get(seat),
        "throws_left": hand.left(pact.casts) if hand else None,
    }


def _told_seat(facts: dict[str, Any], last: int) -> str:
    if facts["key"] is None:
        return "has not joined yet"
    signed = facts["signed"]
    if signed is None:
        return f"nothing signed yet; key {facts['words']}"
    return f"signed {'all' if signed >= last else f'up to entry {signed}'}; key {facts['words']}"
