"""Opens mail as it comes into a folder or a Maildir. It makes no choice and agrees to nothing."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.commands.open import open_named_mails
from referee.cli.commands.pack import pack_into_folder
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.mail.mail_files import MAX_MAIL_BYTES, MAX_NAMED
from referee.cli.mail.next_step import make_mail_player
from referee.cli.mail.pace_watch import PaceWatch
from referee.cli.mail.packet_opening import OpenOptions
from referee.cli.turn_hook import TurnHook, make_turn_hook
from referee.engine.text import listing
from referee.mail.ascii_armor import EnvelopeError, read_mailed_packets
from referee.mail.roll_shares import owes_share_beside_log
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.log_errors import LogError
from referee.record.log.safe_files import open_user_file
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

PAUSE_SECONDS = 0.5
"""The seconds between two looks into the folder."""
MAILDIR_SUBFOLDERS = ("new", "cur")
"""The subfolders of a Maildir with complete mails."""


class FileStamp(NamedTuple):
    """The size and time that show whether a file is still being written."""

    size: int
    changed_at: int


def watch_folder(context: Context, folder: Path, onto: Path | None, run: str | None = None) -> Answer:
    """Opens the mails in a folder, now and as they come, until Ctrl-C.

    Writes replies that need no choice into the folder `onto`; None writes none. `run` is a program to run
    when another seat has to act, a mail brings something new, or a pace is over.

    Raises MisuseError if a folder or the program is missing, or in a session.
    """
    if onto is not None and not onto.is_dir():
        raise MisuseError(f"there is no folder {onto} to write into")
    if not folder.is_dir():
        raise MisuseError(f"there is no folder {folder} to watch")
    if context.live_log:
        raise MisuseError("watching takes a terminal of its own; leave the session first")
    hook = make_turn_hook(context, run)
    context.show_part(Answer([f"Watching {folder}; Ctrl-C ends it."], lambda: {"watching": str(folder)}))
    gc.enable()  # commands turn it off, since they end soon
    opened, waiting = 0, dict[str, None]()
    paces = PaceWatch(hook) if hook else None
    try:
        for path in _wait_for_mails(folder):
            if path is None:
                if paces:
                    paces.report_overdue_waits()
                continue
            answer = _open_mail(context, path)
            if answer and not _is_old(answer):
                context.show_part(answer)
                held = [one.mail for one in answer.facts().get("waiting", ())]
                opened += not held or bool(answer.facts()["packets"])
                waiting |= dict.fromkeys(held)
            for sent in _write_replies(context, answer, onto) if answer and onto else ():
                context.show_part(sent)
            if hook and answer:
                _tell_hook(hook, answer, has_mail=not _is_old(answer))
    except KeyboardInterrupt:
        pass
    return _make_farewell(folder, opened, list(waiting))


def _make_farewell(folder: Path, opened: int, waiting: Sequence[str]) -> Answer:
    """Returns the last answer, with the mails of strangers that have come."""
    told: list[AnswerLine] = [f"No longer watching {folder}."]
    if waiting:
        more = f", and {len(waiting) - MAX_NAMED} more" if len(waiting) > MAX_NAMED else ""
        told.append(f"Mails from people you do not know: {listing(list(map(quote, waiting[:MAX_NAMED])))}{more}.")
        told.append(Text("To open a mail: referee mail open MAIL", indent=2))
    return Answer(told, lambda: {"watched": str(folder), "opened": opened, "waiting": waiting})


def _wait_for_mails(folder: Path) -> Iterator[Path | None]:
    """Yields each mail once it is complete: in a Maildir at once, elsewhere when it has not changed for a while.

    That while is `PAUSE_SECONDS`. Yields None after each look into the folder.
    """
    done: dict[str, FileStamp] = {}
    before: Mapping[Path, FileStamp] = {}
    while True:
        found = _list_mails(folder)
        for path, stamp in found.items():
            name = path.name.partition(":2,")[0]  # in a Maildir, flags such as "read" follow these signs
            if done.get(name) != stamp and (path.parent != folder or before.get(path) == stamp):
                done[name] = stamp
                yield path
        before = found
        yield None
        time.sleep(PAUSE_SECONDS)


def _list_mails(folder: Path) -> dict[Path, FileStamp]:
    """Returns the files in a folder, the oldest first."""
    subfolders = [folder / name for name in MAILDIR_SUBFOLDERS if (folder / name).is_dir()]
    found = []
    for place in subfolders or [folder]:
        try:
            found += [(path, path.stat()) for path in place.iterdir() if path.is_file() and path.name[0] != "."]
        except OSError:  # a file vanished meanwhile; the next look finds the others
            continue
    found.sort(key=lambda pair: (pair[1].st_mtime_ns, pair[0].name))
    return {path: FileStamp(stat.st_size, stat.st_mtime_ns) for path, stat in found}


def _open_mail(context: Context, path: Path) -> Answer | None:
    """Opens a file and returns the result; None if it is not a mail of a game. An error becomes an answer, too."""
    try:
        if not _has_packet(path):
            return None
        answer = open_named_mails(context, [str(path)], OpenOptions(has_named_mails=False))
        facts = answer.facts()
        return Answer(list(answer.lines), lambda: facts, answer.code)
    except Exception as error:  # the next mail is opened, whatever a stranger has sent
        return _answer_trouble(context, path.name, error)


def _answer_trouble(context: Context, what: str, error: Exception) -> Answer:
    """Returns an answer of one line that says what is wrong with a mail or a log."""
    answer = context.explain_error(error)
    told = " ".join(answer.complaint) or " ".join(line.text for line in answer.lines if isinstance(line, Text))
    return Answer([Text(f"{what}: {told}", "refused")], lambda: {"mail": what, **answer.facts()})


def _is_old(answer: Answer) -> bool:
    """True if a mail held nothing new."""
    facts = answer.facts()
    holds_nothing_new = "packets" in facts and not any(packet["news"] for packet in facts["packets"])
    return holds_nothing_new and not (facts["trouble"] or facts["waiting"])


def _tell_hook(hook: TurnHook, answer: Answer, *, has_mail: bool) -> None:
    """Tells the hook who has to act now in each game of an opened mail, and whether the mail brought something new."""
    for log in _list_logs(answer):
        with suppress(LogError, OSError):  # what is wrong with the log was said when the mail was opened
            look = SeatView(open_log(Path(log)))
            hook.run_if_turn_changed(look, find_own_seat(get_mail_protocol(look.session)), has_mail=has_mail)


def _list_logs(answer: Answer) -> list[str]:
    """Returns the logs that an opened mail has something for."""
    return list(dict.fromkeys(packet["log"] for packet in answer.facts().get("packets", ()) if packet["log"]))


def _write_replies(context: Context, answer: Answer, onto: Path) -> Iterator[Answer]:
    """Writes replies to an opened mail that need no choice of this player, and yields an answer about each."""
    packets = answer.facts().get("packets", ())
    for log in _list_logs(answer):
        new = any(packet["situation"] == "new" for packet in packets if packet["log"] == log)
        try:
            look = SeatView(open_log(Path(log)))
            if can_reply_automatically(look, new=new):
                yield pack_into_folder(onto, look)
        except Exception as error:  # such as a full disk: later mails are opened all the same
            yield _answer_trouble(context, log, error)


def can_reply_automatically(look: SeatView, *, new: bool) -> bool:
    """True if a reply needs no choice of the player here. `new` is True if the mail brought new entries.

    This is so if this seat owes a share of a roll. It is also so if the pen has just come with new entries, there
    is nothing to decide here, and another seat goes on.
    """
    seat = find_own_seat(get_mail_protocol(look.session))
    if seat is None or owes_share_beside_log(look.session, seat):
        return seat is not None
    desk = make_mail_player(look.session)
    waits = desk.find_next_writer()
    settled = desk.pending_offer is None and not desk.protocol.seats_to_join and not look.facts.outcome
    goes_on = waits not in (None, seat) or desk.gathers_shares
    return new and desk.has_pen and desk.has_unsigned_entries and settled and goes_on


def _has_packet(path: Path) -> bool:
    """True if a file holds a packet. Raises EnvelopeError if none in it can be read, and OSError."""
    with open_user_file(path) as file:
        data = file.read(MAX_MAIL_BYTES + 1)
    try:
        return bool(read_mailed_packets(data).whole)
    except EnvelopeError as error:
        if error.damage == "none":
            return False
        raise
