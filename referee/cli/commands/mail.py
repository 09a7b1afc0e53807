"""`referee mail`: shows who waits for whom, and what is signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import RunOption
from referee.cli.commands.pack import describe_unsent_entries
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.game_view import collect_summary_facts, describe_next_step, make_heading
from referee.cli.mail.awaited_seat import find_awaited_seat, find_start_of_wait
from referee.cli.mail.calendar_file import format_calendar
from referee.cli.mail.director_text import describe_offer_for_ruling, describe_step_for_offer
from referee.cli.mail.fork_proofs import describe_proofs, list_proofs_beside
from referee.cli.mail.local_time import describe_time_zone, format_local_time
from referee.cli.mail.mail_answers import describe_requests, describe_sealed_secrets
from referee.cli.mail.mail_entry_text import describe_offer, describe_offer_of_seat
from referee.cli.mail.match_text import collect_match_facts, describe_match
from referee.cli.mail.nearby_logs import list_nearby_logs
from referee.cli.mail.next_step import describe_waiting_roll
from referee.cli.mail.orders_text import collect_orders_facts, describe_orders
from referee.cli.mail.packet_text import describe_disputes, warn_of_second_computer
from referee.cli.mail.people_text import collect_recognition_facts, recognise_other_players, warn_of_similar_names
from referee.cli.mail.waiting_games import (
    WaitingGame,
    describe_waiting_games,
    list_games_by_urgency,
    list_logs_in_folder,
)
from referee.cli.treaty_text import describe_treaty, list_treaty_lines
from referee.mail.game_treaty import make_treaty_before_joining, make_treaty_so_far
from referee.mail.key import spell_fingerprint
from referee.mail.seats import find_own_seat, get_mail_protocol, is_own_key_director
from referee.mail.spool import read_waiting_offers
from referee.record.archive.match_by_mail import open_and_update_match
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import Treaty, make_treaty_of_offer

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.mail.people import KeyRecognition


FolderArgument = Annotated[
    Path | None, Argument(metavar="[FOLDER]", help="Show whose turn it is in all games of a folder.")
]


WatchedFolderOption = Annotated[
    Path | None, Option("--watch", metavar="FOLDER", help="Open mail that arrives there, until Ctrl-C.")
]


OutputFolderOption = Annotated[
    Path | None, Option("-o", "--output", metavar="FOLDER", help="With --watch: write automatic replies there.")
]


FormOption = Annotated[
    Literal["ics"] | None, Option("--as", metavar="FORM", help="ics: a calendar of whose turn it is, and until when.")
]


def mail(
    ctx: typer.Context,
    folder: FolderArgument = None,
    watch: WatchedFolderOption = None,
    onto: OutputFolderOption = None,
    run: RunOption = None,
    form: FormOption = None,
) -> Answer:
    """Show who has the pen, who waits for whom, what you have not sent, and what each seat has signed.

    Below that, show whose turn it is in all other games here, and since when.

    \b
      referee mail                  referee mail ../shared
      referee mail --watch ~/Maildir
      referee mail --as ics > turns.ics
      referee mail --watch ../shared -o ../shared
      referee mail --watch ~/Maildir --run "notify-send Referee"

    --watch opens mail as it arrives in a folder or a Maildir. It carries out your orders, chooses nothing else for you
    and agrees to nothing. With -o it writes the mails that need no choice: your share of a roll. With --run a program
    of yours is told on its stdin whose turn it is. It runs when that changes, when a mail brings something new, and
    when a pace is over. --as ics writes a calendar: one day for each game that was started with --pace.
    """
    if onto is not None and watch is None:
        raise MisuseError("-o names the folder for replies, so it can only be used with --watch")
    if folder is not None and watch is not None:
        raise MisuseError("use only one of FOLDER and --watch")
    if run is not None and watch is None:
        raise MisuseError("--run needs --watch: it runs when a mail has come")
    if form is not None and watch is not None:
        raise MisuseError("use only one of --as and --watch")
    context: Context = ctx.obj
    if form is not None:
        return _answer_with_calendar(folder)
    if watch is not None:
        from referee.cli.mail.folder_watch import watch_folder

        return watch_folder(context, watch, onto, run)
    look = _find_current(context) if folder is None else None
    if look is None or look.protocol is None:
        return _answer_on_all_games(folder)
    answer = _answer_on_game(look)
    others = list_games_by_urgency(path for path in list_logs_in_folder(None) if not _is_same_file(path, look.log.path))
    if not others:
        return answer
    more = [Text("Other games here:", "bold"), *describe_waiting_games(others)]
    facts = answer.facts()
    return Answer([*answer.lines, *more], lambda: facts | {"others": others})


def _find_current(context: Context) -> SeatView | None:
    """Returns the chosen game; None if no game is chosen or named."""
    try:
        return context.open_view()
    except NoGameError:
        return None


def _is_same_file(path: Path, other: Path | None) -> bool:
    return other is not None and path.resolve() == other.resolve()


def _answer_on_all_games(folder: Path | None) -> Answer:
    """Returns the games of a folder, each with the seat whose turn it is. Raises NoGameError if there is no game."""
    games = list_games_by_urgency(list_logs_in_folder(folder))
    if not games:
        raise NoGameError(f"there is no game in {folder or 'this folder'}")
    return Answer(describe_waiting_games(games), lambda: {"games": games})


def _answer_with_calendar(folder: Path | None) -> Answer:
    """Returns a calendar of all games of a folder that have a pace."""
    games = [one for one in list_games_by_urgency(list_logs_in_folder(folder)) if isinstance(one, WaitingGame)]
    return Answer([FixedRows(format_calendar(games), is_crlf=True)], lambda: {"games": games})


def _answer_on_game(look: SeatView) -> Answer:
    """Returns the answer about one game by mail in detail."""
    protocol = get_mail_protocol(look.session)
    here, last = find_own_seat(protocol), len(look.log.entries) - 1
    seats = {seat: _collect_seat_facts(protocol, seat) for seat in protocol.seats}
    known = recognise_other_players(look.session)
    unsent = _list_unsent(protocol, here, last)
    proofs = list_proofs_beside(look.log.path)
    does = {one.n: make_treaty_of_offer(look, one.offer, one.by) for one in protocol.offers.values()}
    sits = "You direct this game" if is_own_key_director(protocol) else f"You sit at {here or 'no seat yet'}"
    lines: list[AnswerLine] = [
        make_heading(look),
        f"{sits}; {protocol.pen or 'nobody'} has the pen.",
        *_describe_wait(look),
    ]
    lines += [
        Text(f"{look.facts.format_seat(seat)}: {_describe_seat(seats[seat], last, known.get(seat))}", indent=2)
        for seat in protocol.seats
    ]
    lines += [line for one in known.values() for line in warn_of_similar_names(look.facts.format_seat(one.seat), one)]
    logs = list_nearby_logs(look.log.path)
    lines += describe_treaty(make_treaty_so_far(look, logs) if here else make_treaty_before_joining(look, logs))
    match = open_and_update_match(look.session)
    lines += describe_match(look, match) if match else ()
    lines += describe_requests(look)
    lines += [*warn_of_second_computer(look), *describe_disputes(look)]
    if unsent:
        lines.append(f"Not sent yet: {describe_unsent_entries(unsent[0], unsent[-1] + 1)}.")
    lines += [
        *describe_sealed_secrets(look),
        *describe_proofs(look.session, proofs),
        *_describe_offers(look, protocol, here, does),
        *_describe_asks(look, here),
        *describe_orders(look),
    ]
    waits = [text.text for text in describe_waiting_roll(look, protocol)]
    facts: dict[str, Any] = {"seat": here, "pen": protocol.pen, "seats": seats, "unsent": unsent}
    facts |= {"directs": is_own_key_director(protocol)} if protocol.director else {}
    facts |= {"offers": _collect_offer_facts(protocol, does), "other_keys": dict(protocol.replacements)}
    facts |= {"throw_waits": waits[0] if waits else None, "shut": look.log.sealed_counts}
    facts["people"] = {seat: collect_recognition_facts(one) for seat, one in known.items()}
    facts["proofs"] = [str(path) for path in proofs]
    facts |= collect_orders_facts(look) | (collect_match_facts(look, match) if match else {})
    return Answer([*lines, *describe_next_step(look)], lambda: facts | {"after": collect_summary_facts(look)})


def _describe_wait(look: SeatView) -> Iterator[Text]:
    """Yields lines for the director: the seat that the game waits for, since when, and an offer that they may settle.

    Yields nothing for a player.
    """
    protocol, seat = get_mail_protocol(look.session), find_awaited_seat(look.session)
    if is_own_key_director(protocol) and seat is not None:
        since = format_local_time(find_start_of_wait(look.session))
        yield Text(
            f"The game has waited for {look.facts.format_seat(seat)} since {since} ({describe_time_zone()}).", indent=2
        )
        yield from describe_offer_for_ruling(look)


def _list_unsent(protocol: MailProtocol, here: Seat | None, last: int) -> list[int]:
    """Returns the entries that nobody has signed yet, if the player here may send them; otherwise []."""
    may = here and protocol.pen in (None, here)
    return list(range(max(protocol.signed_up_to.values(), default=-1) + 1, last + 1)) if may else []


def _describe_offers(
    look: SeatView, protocol: MailProtocol, here: Seat | None, does: Mapping[int, Treaty]
) -> Iterator[AnswerLine]:
    """Yields the offers in the record, with the effects of those that wait for others."""
    for one in protocol.offers.values():
        yield f"{one.by} offers {describe_offer(look, one.offer)}."
        if here in (one.by, *one.agreed):  # the others are shown below, with what to type
            yield from describe_treaty(does[one.n])


def _describe_asks(look: SeatView, here: Seat | None) -> Iterator[AnswerLine]:
    """Yields a line about each offer that is kept beside the log, with the step to take it back or to agree to it.

    Yields nothing for the director.
    """
    asks = (
        read_waiting_offers(look.log.path)
        if look.log.path and not is_own_key_director(get_mail_protocol(look.session))
        else ()
    )
    for ask in asks:
        is_offered = ask.by == here and not ask.offer.withdrawn_hash
        back = "; to take it back: referee mail refuse" if is_offered else ""
        step = describe_step_for_offer(look, ask) if here and ask.by != here else ""
        yield f"{describe_offer_of_seat(look, ask.by, ask.offer)}; {step or f'the next mail carries it{back}'}."


def _collect_offer_facts(protocol: MailProtocol, does: Mapping[int, Treaty]) -> list[dict[str, Any]]:
    return [
        {
            "n": one.n,
            "by": one.by,
            "offer": one.offer,
            "agreed": one.agreed,
            "does": list_treaty_lines(does[one.n]),
        }
        for one in protocol.offers.values()
    ]


def _collect_seat_facts(protocol: MailProtocol, seat: Seat) -> dict[str, Any]:
    hand = protocol.chain_positions.get(seat)
    key = hand.enrolment.key if hand else None
    return {
        "key": key,
        "words": spell_fingerprint(key) if key else None,
        "signed": protocol.signed_up_to.get(seat),
        "throws_left": hand.count_rolls_left(protocol.roll_count) if hand else None,
    }


def _describe_seat(facts: dict[str, Any], last: int, known: KeyRecognition | None) -> str:
    if facts["key"] is None:
        return "has not joined yet"
    signed = facts["signed"]
    key = f"key {facts['words']}{', which you have checked' if known and known.is_checked else ''}"
    if signed is None:
        return f"nothing signed yet; {key}"
    return f"signed {'all' if signed >= last else f'up to entry {signed}'}; {key}"
