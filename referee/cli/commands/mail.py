"""`referee mail`: who waits for whom, and what is signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.commands.pack import entries_from
from referee.cli.context import Context
from referee.cli.entries import done_by
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.look import facts_told, heading, next_told
from referee.cli.mail.desk import requested, secrets_shut
from referee.cli.mail.left import told_left, told_throws
from referee.cli.mail.mailed import offered, told_heirs
from referee.cli.mail.next import throw_that_waits
from referee.cli.mail.proving import proofs_beside, told_proofs
from referee.cli.mail.waiting import all_waiting, logs_in, told_waiting
from referee.mail.box import asks_in
from referee.mail.key import words_of
from referee.mail.seats import pact_of, seat_here
from referee.record.table.pact import Pact
from referee.record.table.proposal import proposal_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.event import Seat


Folder = Annotated[Path | None, Argument(metavar="[FOLDER]", help="Of all games in it, whose move it is.")]


Watched = Annotated[Path | None, Option("--watch", metavar="FOLDER", help="Open what comes there, till Ctrl-C.")]


Onto = Annotated[
    Path | None, Option("-o", "--output", metavar="FOLDER", help="With --watch: write there what goes back by itself.")
]


def mail(ctx: typer.Context, folder: Folder = None, watch: Watched = None, onto: Onto = None) -> Answer:
    """Who has the pen, who waits for whom, what is not sent yet, and what each seat has signed. Then of all other games
    here, whose move it is and since when.

    \b
      referee mail                  referee mail ../shared
      referee mail --watch ~/Maildir
      referee mail --watch ../shared -o ../shared

    --watch opens mail as it comes, as open does, into a folder or a Maildir. It never answers for you where you have a
    choice, and agrees to nothing. With -o it writes the mails that hold no choice of yours: your part of a throw.
    """
    if onto is not None and watch is None:
        raise MisuseError("-o says where --watch writes what goes back")
    if folder is not None and watch is not None:
        raise MisuseError("one at a time: FOLDER or --watch")
    context: Context = ctx.obj
    if watch is not None:
        from referee.cli.mail.watching import watched

        return watched(context, watch, onto)
    look = _current(context) if folder is None else None
    if look is None or look.pact is None:
        return _all_games(folder)
    answer = _of_game(look)
    others = all_waiting(path for path in logs_in(None) if not _same(path, look.log.path))
    if not others:
        return answer
    more = [Text("Other games here:", "bold"), *told_waiting(others)]
    facts = answer.facts()
    return Answer([*answer.lines, *more], lambda: facts | {"others": others})


def _current(context: Context) -> Sitting | None:
    """The game that is chosen; None: none is, and none was named."""
    try:
        return context.look()
    except NoGameError:
        return None


def _same(path: Path, other: Path | None) -> bool:
    return other is not None and path.resolve() == other.resolve()


def _all_games(folder: Path | None) -> Answer:
    """Whose move it is in every game of a folder; NoGameError where there is none."""
    games = all_waiting(logs_in(folder))
    if not games:
        raise NoGameError(f"there is no game in {folder or 'this folder'}")
    return Answer(told_waiting(games), lambda: {"games": games})


def _of_game(look: Sitting) -> Answer:
    """One game by mail in detail."""
    pact = pact_of(look.session)
    here, last = seat_here(pact), len(look.log.entries) - 1
    seats = {seat: _seat_facts(pact, seat) for seat in pact.seats}
    unsent = _unsent(pact, here, last)
    proofs = proofs_beside(look.log.path)
    does = {one.n: list(done_by(look, proposal_of(look, one.offer, one.by))) for one in pact.offers.values()}
    lines: list[Shown] = [heading(look), f"You sit at {here or 'no seat yet'}; {pact.pen or 'nobody'} has the pen."]
    lines += [Text(f"{look.facts.player(seat)}: {_told_seat(seats[seat], last)}", indent=2) for seat in pact.seats]
    lines += [Text(f"{one}.", "refused") for one in told_heirs(pact.heirs, look.facts.player)]
    lines += told_left(look) if look.session.branched and here is None else told_throws(look)
    lines += requested(look)
    if unsent:
        lines.append(f"Not sent yet: {entries_from(unsent[0], unsent[-1] + 1)}.")
    lines += [*secrets_shut(look), *told_proofs(proofs), *_told_offers(look, pact, here, does), *_told_asks(look, here)]
    waits = [text.text for text in throw_that_waits(look, pact)]
    facts: dict[str, Any] = {"seat": here, "pen": pact.pen, "seats": seats, "unsent": unsent}
    facts |= {"offers": _offers_facts(pact, does), "other_keys": dict(pact.heirs)}
    facts |= {"throw_waits": waits[0] if waits else None, "shut": look.log.shut}
    facts["proofs"] = [str(path) for path in proofs]
    return Answer([*lines, *next_told(look)], lambda: facts | {"after": facts_told(look)})


def _unsent(pact: Pact, here: Seat | None, last: int) -> list[int]:
    """The entries that whoever sits here has not sent yet, and may."""
    may = here and pact.pen in (None, here)
    return list(range(max(pact.sealed.values(), default=-1) + 1, last + 1)) if may else []


def _told_offers(look: Sitting, pact: Pact, here: Seat | None, does: Mapping[int, Sequence[Text]]) -> Iterator[Shown]:
    """What is offered on the record, and what each offer would do."""
    for one in pact.offers.values():
        yield f"{one.by} offers {offered(look, one.offer)}."
        if here in (one.by, *one.agreed):  # else it is told below, with what to type
            yield from does[one.n]


def _told_asks(look: Sitting, here: Seat | None) -> Iterator[Shown]:
    """What is offered beside the record."""
    for ask in asks_in(look.log.path) if look.log.path else ():
        back = "; to take it back: referee refuse" if ask.by == here else ""
        yield f"{ask.by} offers {offered(look, ask.offer)}; it goes with the next mail{back}."


def _offers_facts(pact: Pact, does: Mapping[int, Sequence[Text]]) -> list[dict[str, Any]]:
    return [
        {
            "n": one.n,
            "by": one.by,
            "offer": one.offer,
            "agreed": one.agreed,
            "does": [text.text for text in does[one.n]],
        }
        for one in pact.offers.values()
    ]


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
