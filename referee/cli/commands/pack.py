"""`referee mail pack`: signs, hands over the pen and writes the mail."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import check_options_exclude_each_other, parse_seat
from referee.cli.commands.key import warn_of_exposed_folders
from referee.cli.context import Context
from referee.cli.entry_text import describe_entry
from referee.cli.errors import MisuseError
from referee.cli.game_view import describe_turn, make_heading
from referee.cli.mail.mail_entry_text import describe_offer, describe_offer_of_seat, describe_share, find_director_name
from referee.cli.mail.next_step import make_mail_player
from referee.cli.mail.packet_text import format_entry_span, warn_of_second_computer
from referee.cli.screen import Screen
from referee.engine.event import REFEREE
from referee.engine.text import Printable, count_of, make_printable
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import Packet, SignedOffer
from referee.mail.sync import make_packet
from referee.record.log.entry import SealEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import make_name_part
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.mail.match_packets import CompanionPackets

BOARD_COLUMNS = 60
"""The width of the board in a mail, in columns."""


OutputFolderOption = Annotated[
    Path | None, Option("-o", "--output", metavar="FOLDER", help="Write the packet there as a file.")
]


FirstEntryOption = Annotated[int | None, Option("--from", metavar="N", help="Send everything again from entry N on.")]


RecipientOption = Annotated[
    str | None, Option("--to", metavar="SEAT", help="Who gets the pen; default: the seat the game waits for.")
]


EmlOption = Annotated[
    Path | None, Option("--eml", metavar="FILE", help="Write the mail itself, with a page of the news.")
]


MessageOption = Annotated[
    str | None, Option("-m", "--message", metavar="TEXT", help="Add a message; it is a remark in the record.")
]


def pack(
    ctx: typer.Context,
    onto: OutputFolderOption = None,
    base: FirstEntryOption = None,
    to: RecipientOption = None,
    eml: EmlOption = None,
    word: MessageOption = None,
) -> Answer:
    """Sign your moves, hand over the pen, and write the mail: the news, the board, and a packet.

    Paste the text into a mail. No mail program can break the packet.

    \b
      referee mail pack | mail -s "my turn" blue@example.org
      referee mail pack -o ../shared     referee mail pack --from 0
      referee mail pack --eml turn.eml -m "well played"
    """
    check_options_exclude_each_other(output=onto is not None, eml=eml is not None)
    _check_writable(onto, eml)
    try:
        return _sign_and_write(ctx.obj, onto, base, to, eml, word)
    except NotAllowedError as error:
        if onto or eml:
            raise
        return _move_to_stderr(ctx.obj.explain_error(error))


def _move_to_stderr(answer: Answer) -> Answer:
    """Moves all lines of an answer to stderr, since a pipe sends stdout as a mail, whatever the exit code is."""
    said = [line.text for line in answer.lines if isinstance(line, Text)]
    return replace(answer, lines=(), complaint=(*said, *answer.complaint))


def _sign_and_write(
    context: Context, onto: Path | None, base: int | None, to: str | None, eml: Path | None, word: str | None
) -> Answer:
    """Signs and writes the mail, and returns the answer."""
    look = context.open_view()
    desk = make_mail_player(look.session)
    if word is not None:
        if desk.is_director:
            raise NotAllowedError("you direct this game, and add nothing to its record; write your words in the mail")
        if to is None and desk.find_next_writer() == desk.seat and not desk.gathers_shares:
            raise NotAllowedError("it is still your turn; add a message when you hand over the pen")
        record_note(look.session, word, desk.seat or REFEREE)
        look = look.at_present()
    warn_of_exposed_folders(context)
    context.notes += [f"Note: {line.text}" for line in warn_of_second_computer(look)]
    packet = make_packet(desk, base, parse_seat(to, look.facts.names))
    now = look.at_present()
    beside = _find_packets_beside(desk)
    _tell_match(context, beside)
    mail = _compose_mail(now, desk, packet, beside)
    facts = _collect_facts(desk, packet, mail)
    if eml is not None:
        _write_eml(eml, now, packet, mail)
        new = describe_unsent_entries(packet.head.base, packet.end)
        told = f"Written to {eml}. {new} for {desk.protocol.pen}. Open the file and send it."
        return Answer([make_heading(now), told], lambda: facts | {"written": str(eml)})
    if onto is None:
        return Answer([FixedRows(mail)], lambda: facts)
    return _write_to_folder(onto, now, desk, packet, mail)


def _check_writable(onto: Path | None, eml: Path | None) -> None:
    """Checks that the mail can be written, before anything is signed.

    Raises MisuseError if a folder is missing or a name is bad, and FileExistsError if the file exists already.
    """
    from referee.cli.log_paths import check_output_path

    if onto is not None and not onto.is_dir():
        how = f"referee mail pack > {onto}, or --eml FILE"
        raise MisuseError(f"there is no folder {onto}; to write the mail to a file: {how}")
    if eml is not None:
        check_output_path(eml)


def pack_into_folder(onto: Path, look: SeatView) -> Answer:
    """Signs, hands over the pen, and writes the mail into a folder. Asks nothing."""
    desk = make_mail_player(look.session)
    packet = make_packet(desk)
    now = look.at_present()
    return _write_to_folder(onto, now, desk, packet, _compose_mail(now, desk, packet, _find_packets_beside(desk)))


def _find_packets_beside(desk: MailPlayer) -> CompanionPackets | None:
    """Returns the packets that go along from other games of the same match; None if the game belongs to no match."""
    if desk.session.public.header.match is None:
        return None
    from referee.mail.match_packets import make_companion_packets  # few games belong to a match by mail

    return make_companion_packets(desk)


def _tell_match(context: Context, beside: CompanionPackets | None) -> None:
    """Tells on stderr that the next game begins or that the match is over, and makes a new game the current one."""
    if beside is None:
        return
    from referee.cli.mail.match_text import describe_match_progress

    told = describe_match_progress(beside)
    context.notes += [told] if told else []
    if beside.next_game_packet and beside.next_game and beside.next_game.path and not context.live_log:
        context.set_current_log(beside.next_game.path)


def _compose_mail(look: SeatView, desk: MailPlayer, packet: Packet, beside: CompanionPackets | None) -> list[Printable]:
    """Returns the lines of a mail: the news, the board and the packets."""
    from referee.mail.ascii_armor import encode_ascii_armor

    packets = [beside.previous_game_packet, packet, beside.next_game_packet] if beside else [packet]
    envelopes = [line for one in packets if one for line in encode_ascii_armor(one.encode()).splitlines()]
    return [*_summarize_news(look, desk, packet), *_draw_board(look), *map(make_printable, envelopes)]


def _collect_facts(desk: MailPlayer, packet: Packet, mail: Sequence[Printable]) -> dict[str, Any]:
    """Returns the mail with its receiver and its range of entries, for programs."""
    text = "\n".join(mail) + "\n"
    director = desk.protocol.director
    copy = {"copy_to": director.name} if director else {}
    return copy | {"to": desk.protocol.pen, "from": packet.head.base, "until": packet.end - 1, "text": text}


def _write_eml(file: Path, look: SeatView, packet: Packet, mail: Sequence[Printable]) -> None:
    """Writes the mail as a file for mail programs, with a page of the news in the public view."""
    from referee.cli.html_page import make_story
    from referee.cli.log_paths import write_output
    from referee.mail.mail_message import make_mail_message
    from referee.page.document import render_page

    seen, base, end = look.with_eyes(None), packet.head.base, packet.end
    page = render_page(make_story(seen, base)) if end > base else None
    subject = make_printable(f"{look.facts.game.title}: {format_entry_span(base, end - 1)}")
    write_output(
        file, make_mail_message(packet.head.game, base, end, subject, mail, look.log.entries[end - 1].at, page).decode()
    )


def _write_to_folder(
    folder: Path, look: SeatView, desk: MailPlayer, packet: Packet, mail: Sequence[Printable]
) -> Answer:
    """Writes a mail into a shared folder under a name that no other mail has. Nobody sees the file half written."""
    from referee.mail.spool import write_packet_to_folder

    facts, head = _collect_facts(desk, packet, mail), packet.head
    file = write_packet_to_folder(
        folder, make_name_part(f"{head.game[:8]}-{head.base}-{packet.end - 1}-{head.by}"), facts["text"].encode()
    )
    told = f"Written to {file}. {describe_unsent_entries(head.base, packet.end)} for {desk.protocol.pen}."
    return Answer([make_heading(look), told], lambda: facts | {"written": str(file)})


def describe_unsent_entries(base: int, end: int) -> str:
    """Returns the number and the range of the entries from `base` to `end` - 1, in words."""
    if end <= base:
        return "No new entry"
    return f"{count_of(end - base, 'entry', 'entries')} ({format_entry_span(base, end - 1)})"


def _summarize_news(look: SeatView, desk: MailPlayer, packet: Packet) -> list[Printable]:
    """Returns the news of a mail for people, in lines of at most `BOARD_COLUMNS` and in the public view."""
    seen, base, end = look.with_eyes(None), packet.head.base, packet.end
    told: list[AnswerLine] = [make_heading(seen)]
    told += [_describe_ask(look, desk, ask) for ask in packet.head.asks]
    told += map(describe_share, packet.head.parts)
    lines = [entry for entry in look.log.entries[base:end] if not isinstance(entry, SealEntry)]
    told += [Text(describe_entry(seen, entry), indent=2) for entry in lines[-MAX_SHOWN_ENTRIES:]]
    if len(lines) > MAX_SHOWN_ENTRIES:
        told.insert(1, Text(f"{len(lines) - MAX_SHOWN_ENTRIES} earlier entries", indent=2))
    told += [f"{look.facts.names[seat]} is invited to sit at {seat}." for seat in desk.protocol.seats_to_join]
    if desk.protocol.director:
        told.append(f"{desk.protocol.director.name}, who directs the game, gets this mail, too.")
    told.append(f"Now {describe_turn(seen.facts)}: {seen.sight.status}")
    told.append(f"{desk.protocol.pen} has the pen. Save this mail to a file, then type:")
    told.append(Text("referee mail open FILE", indent=2))
    return [*Screen(colour="never", width=BOARD_COLUMNS).render(Answer(told, dict))[0], make_printable("")]


MAX_SHOWN_ENTRIES = 30
"""The number of entries that a mail shows in words."""


def _describe_ask(look: SeatView, desk: MailPlayer, ask: SignedOffer) -> str:
    """Returns a sentence about an offer or a request that the mail carries, or about this seat's consent to it."""
    what = describe_offer(look, ask.offer)
    if ask.ruled and desk.is_director:
        return f"{find_director_name(look)} agrees in place of {ask.ruled.seat}: {ask.by} offers {what}."
    if any(one.by == desk.seat for one in ask.consents):
        return f"{desk.seat} agrees that {ask.by} is {what}."
    if desk.seat:
        return f"{describe_offer_of_seat(look, desk.seat, ask.offer)}."
    if ask.recovery:
        return f"The sender returns to seat {ask.by} with the recovery key, and asks for the pen."
    return f"The sender has no seat. For {ask.by}, they ask {what}."


def _draw_board(look: SeatView) -> list[Printable]:
    scene = look.facts.game.draw(look.with_eyes(None).sight.view)
    return [*Screen(colour="never", width=BOARD_COLUMNS).render(Answer([scene], dict))[0], make_printable("")]
