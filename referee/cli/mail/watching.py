"""Opening mail as it comes into a folder or a Maildir. Nothing is answered that is a choice, and nothing agreed to."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from referee.cli.answer import Answer, Text
from referee.cli.commands.open import opened_from
from referee.cli.commands.pack import posted
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.mail.mails import MAX_MAIL
from referee.cli.mail.next import desk_of
from referee.cli.mail.opening import Opening
from referee.mail.arrival import OLD
from referee.mail.envelope import EnvelopeError, letters_in
from referee.mail.parts import owes_beside
from referee.mail.seats import pact_of, seat_here
from referee.record.log.disk import open_named
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

PAUSE = 0.5
"""Seconds between two looks into the folder."""
MAILDIR = ("new", "cur")
"""Where mails lie in a Maildir that have come whole."""


class Stamp(NamedTuple):
    """What tells whether a file is still being written."""

    size: int
    changed: int


def watched(context: Context, folder: Path, onto: Path | None) -> Answer:
    """Open what lies in a folder and what comes, until somebody ends it with Ctrl-C. Mails that go back without a
    choice are written into the folder `onto`. MisuseError.
    """
    if onto is not None and not onto.is_dir():
        raise MisuseError(f"there is no folder {onto} to write into")
    if not folder.is_dir():
        raise MisuseError(f"there is no folder {folder} to watch")
    if context.resident:
        raise MisuseError("watching takes a terminal of its own; leave the session first")
    context.tell(Answer([f"Watching {folder}; Ctrl-C ends it."], lambda: {"watching": str(folder)}))
    gc.enable()  # off in commands, whose life is short
    opened = 0
    try:
        for path in _coming(folder):
            answer = _opened(context, path)
            if answer and not _is_old(answer):
                context.tell(answer)
                opened += 1
            for sent in _sent(context, answer, onto) if answer and onto else ():
                context.tell(sent)
    except KeyboardInterrupt:
        pass
    return Answer([f"No longer watching {folder}."], lambda: {"watched": str(folder), "opened": opened})


def _coming(folder: Path) -> Iterator[Path]:
    """Each mail once it lies there whole: in a Maildir at once, else when it has not changed between two looks."""
    done: dict[str, Stamp] = {}
    before: Mapping[Path, Stamp] = {}
    while True:
        found = _mails_in(folder)
        for path, stamp in found.items():
            name = path.name.partition(":2,")[0]  # in a Maildir what follows says whether it was read
            if done.get(name) != stamp and (path.parent != folder or before.get(path) == stamp):
                done[name] = stamp
                yield path
        before = found
        time.sleep(PAUSE)


def _mails_in(folder: Path) -> dict[Path, Stamp]:
    """The files there are, the oldest first."""
    subfolders = [folder / name for name in MAILDIR if (folder / name).is_dir()]
    found = []
    for place in subfolders or [folder]:
        try:
            found += [(path, path.stat()) for path in place.iterdir() if path.is_file() and path.name[0] != "."]
        except OSError:  # it went away while it was looked at; the next look tells
            continue
    found.sort(key=lambda pair: (pair[1].st_mtime_ns, pair[0].name))
    return {path: Stamp(stat.st_size, stat.st_mtime_ns) for path, stat in found}


def _opened(context: Context, path: Path) -> Answer | None:
    """What became of a file; None: it is no mail of a game. What is wrong with one is told, and ends nothing."""
    try:
        if not _has_packet(path):
            return None
        answer = opened_from(context, [str(path)], Opening())
        facts = answer.facts()
        return Answer(list(answer.lines), lambda: facts, answer.code)
    except Exception as error:  # whatever a stranger has sent, the next mail is opened
        return _trouble(context, path.name, error)


def _trouble(context: Context, what: str, error: Exception) -> Answer:
    """What is wrong with a mail, in a line."""
    answer = context.explained(error)
    told = answer.complaint or " ".join(line.text for line in answer.lines if isinstance(line, Text))
    return Answer([Text(f"{what}: {told}", "refused")], lambda: {"mail": what, **answer.facts()})


def _is_old(answer: Answer) -> bool:
    """Whether a mail held nothing new."""
    facts = answer.facts()
    return "packets" in facts and _situations(facts) <= OLD and not facts["trouble"]


def _situations(facts: Mapping[str, Any]) -> set[str]:
    return {packet["situation"] for packet in facts.get("packets", ())}


def _sent(context: Context, answer: Answer, onto: Path) -> Iterator[Answer]:
    """The mails that go back after one was opened, for in them is nothing that this player has to decide."""
    packets = answer.facts().get("packets", ())
    for log in dict.fromkeys(packet["log"] for packet in packets if packet["log"]):
        new = any(packet["situation"] == "new" for packet in packets if packet["log"] == log)
        try:
            look = Sitting(open_log(Path(log)))
            if goes_back(look, new=new):
                yield posted(onto, look)
        except Exception as error:  # such as a full disk: what comes next is opened all the same
            yield _trouble(context, log, error)


def goes_back(look: Sitting, *, new: bool) -> bool:
    """Whether a mail goes back by itself: a part of a throw is owed; or the pen has come just now (`new`), everything
    was done that nobody decides, and it is somebody else who goes on.
    """
    seat = seat_here(pact_of(look.session))
    if seat is None or owes_beside(look.session, seat):
        return seat is not None
    desk = desk_of(look.session)
    waits = desk.waits_for()
    settled = desk.asked is None and not desk.pact.to_join and not look.facts.outcome
    return new and desk.has_pen and desk.unsigned and settled and waits not in (None, seat)


def _has_packet(path: Path) -> bool:
    """Whether anything in a file claims to be a packet; OSError."""
    with open_named(path) as file:
        data = file.read(MAX_MAIL + 1)
    try:
        return bool(letters_in(data).whole)
    except EnvelopeError as error:
        if error.damage == "none":
            return False
        raise
