"""Opening mail: what came is checked, told, and recorded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec import Struct
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.logs import is_current, kin_of, logs_here
from referee.cli.look import come_to, facts_told
from referee.cli.mail.opened import FINE, Opened, facts_on, passed_over, told_of
from referee.cli.mail.proving import proof_path
from referee.cli.typed import Output, new_log, piped
from referee.engine.text import listing
from referee.mail.arrival import Arrival, Situation, begun, compare, is_aside
from referee.mail.desk import Desk
from referee.mail.envelope import WORDS, EnvelopeError, letters_in
from referee.mail.exchange import Received, received, received_first, received_late
from referee.mail.key import Key, own_key
from referee.mail.packet import Packet, PacketError, parse_packet
from referee.mail.seats import pact_of, seat_here
from referee.record.archive.forks import is_retold, spell_fork
from referee.record.log.disk import create_file, open_named
from referee.record.log.entry import BranchEntry
from referee.record.log.faults import FaultError
from referee.record.log.frame import OPENER
from referee.record.log.vault import copy_vaults, vault_path
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session

Mails = Annotated[list[str], Argument(metavar="MAIL...", help="A mail as it came, a folder of them, or - for stdin.")]
Looking = Annotated[bool, Option("-n", "--dry-run", help="Only look; record nothing.")]
Theirs = Annotated[bool, Option("--theirs", help="Where copies have parted: take theirs, set mine aside.")]
Again = Annotated[bool, Option("--again", help="The same, and say again on top what I had said.")]

NAMED = 3
"""Mails that are named of those that could not be read for the same cause."""
IS_A_LOG = "it is a log, and no mail: referee use FILE plays on in it, referee diff FILE compares it with yours."
MAX_MAIL = 16 * 2**20
OLD: frozenset[Situation] = frozenset({"known", "ahead"})
"""Of many packets, as in a shared folder, those that held nothing new are only counted."""


class Opening(Struct, frozen=True):
    """How mail is to be opened."""

    output: Path | None = None
    """Where the log of a new game is to be."""
    dry_run: bool = False
    theirs: bool = False
    """Whether one's own entries give way where copies have parted."""
    again: bool = False
    """Whether what one had said is then said again."""
    key: Key | None = None
    """The key of who opens it."""
    room: Path = Path()
    """Where a game that is not here is laid out while it is only looked at."""


def open_mail(
    ctx: typer.Context,
    mails: Mails,
    dry_run: Looking = False,
    theirs: Theirs = False,
    again: Again = False,
    output: Output = None,
) -> Answer:
    """Open a mail as it came: every packet in it is checked, judged by the rules, told, and added to the log.

    What you owe, your part of a throw or an answer only you know, is given at once: referee pack sends it.

    \b
      referee open mail.txt         referee open ../shared
      referee open -n mail.txt
    """
    return opened_from(ctx.obj, mails, Opening(output, dry_run=dry_run, theirs=theirs or again, again=again))


def opened_from(context: Context, mails: Sequence[str], how: Opening) -> Answer:
    """Open these mails; PacketError where none of them holds a packet."""
    with TemporaryDirectory() if how.dry_run else nullcontext("") as room:
        return _answer(context, mails, replace(how, key=own_key(), room=Path(room)))


def _answer(context: Context, mails: Sequence[str], how: Opening) -> Answer:
    packets, trouble = _packets(mails)
    dry_run = how.dry_run
    opened = [_opened(context, packet, how) for packet in packets]
    opened += [] if dry_run else _waiting(opened, how)
    if context.resident and not dry_run:
        context.resident.catch_up()
    if not opened:
        raise PacketError("\n".join(_in_groups(trouble)) or WORDS["none"])
    old = [one for one in opened if len(opened) > 1 and one.arrival.situation in OLD and not one.done]
    lines = [line for one in opened if one not in old for line in told_of(one, dry_run=dry_run)]
    lines += [*passed_over(old, alone=not lines), *map(Text, _in_groups(trouble))]
    if not dry_run:
        lines += _chosen(context, opened)
        lines += _since(context, opened)
    last = next((one.look for one in reversed(opened) if one.look and one.is_here), None)
    code = OK if all(one.arrival.situation in FINE for one in opened) else NO
    facts = {
        "packets": [facts_on(one) for one in opened],
        "trouble": list(map(str, trouble)),
        "after": facts_told(last) if last else None,
    }
    return Answer([*lines, *(come_to(last) if last and not dry_run else ())], lambda: facts, code)


def _since(context: Context, opened: Sequence[Opened]) -> Iterator[Shown]:
    """Of each game that has gone on, what is new since who opens the mail has played in it."""
    from referee.cli.since import told_since

    begins: dict[Path | None, Opened] = {}
    for one in opened:
        if one.look and one.look.eyes and one.arrival.situation == "new":
            begins.setdefault(one.look.log.path, one)
    for path, one in begins.items():
        look = next(other.look for other in reversed(opened) if other.look and other.look.log.path == path)
        yield from told_since(look, one.arrival.first, width=context.screen.width, ascii_only=context.screen.ascii)


def _chosen(context: Context, opened: Sequence[Opened]) -> Iterator[Shown]:
    """Who plays a game whose mail he opens goes on with that; the game of strangers is never the current one."""
    fine = [one.look for one in opened if one.look and one.arrival.situation in FINE]
    games = [look for look in fine if seat_here(pact_of(look.session))]
    played = [look.log.path for look in games if look.log.path]
    if played and not context.resident and not any(map(is_current, played)) and context.choose(played[-1]):
        yield Text(f"{played[-1]} is the current game now.", indent=2)


# Finding packets


class Trouble(NamedTuple):
    """A mail that could not be read, by its name, and why, as a sentence or two."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name!r}: {self.why}"


def _in_groups(trouble: Iterable[Trouble]) -> Iterator[str]:
    """What could not be read, a line for each cause: in a folder that others share lie other things, too."""
    names: dict[str, list[str]] = {}
    for one in trouble:
        names.setdefault(one.why, []).append(repr(one.name))
    for why, each in names.items():
        more = [f"{len(each) - NAMED} more"] if len(each) > NAMED else []
        yield f"{listing([*each[:NAMED], *more])}: {why}"


def _packets(names: Iterable[str]) -> tuple[list[Packet], list[Trouble]]:
    """Every packet in these mails, the earlier entries first, each once; and what could not be read."""
    found: dict[bytes, Packet] = {}
    trouble: list[Trouble] = []
    for name, data in _mails(names, trouble):
        try:
            letters = letters_in(data)
        except EnvelopeError as error:
            trouble.append(Trouble(name, IS_A_LOG if data.startswith(OPENER) else str(error)))
            continue
        trouble += [Trouble(name, WORDS[damage]) for damage in letters.damaged]
        for letter in letters.whole:
            try:
                found.setdefault(letter, parse_packet(letter))
            except PacketError as error:
                trouble.append(Trouble(name, str(error)))
    return sorted(found.values(), key=lambda packet: (packet.head.base, packet.end)), trouble


def _mails(names: Iterable[str], trouble: list[Trouble]) -> Iterator[tuple[str, bytes]]:
    """Each mail by its name; of a folder that others share, what cannot be read is trouble, and nothing more."""
    for name in names:
        if name == "-":
            yield "what was piped in", piped("a mail")[: MAX_MAIL + 1]
            continue
        path = Path(name)
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            if path.is_dir() and not file.is_file():
                continue
            try:
                with open_named(file) as opened:
                    data = opened.read(MAX_MAIL + 1)
            except OSError as error:
                if file == path:
                    raise
                trouble.append(Trouble(file.name, f"{error.strerror or error}."))
                continue
            yield file.name, data


# What becomes of one


def _opened(context: Context, packet: Packet, how: Opening) -> Opened:
    session = _game_of(context, packet)
    if how.dry_run:
        if session is None:
            return _laid_out(packet, how)
        return Opened(packet, compare(session, packet, how.key.public if how.key else None), Sitting(session))
    if session is None:
        return _begun(packet, how)
    found = received(session, packet, how.key, yielding=how.theirs)
    more = [f"Your own entries lie in {found.aside}."] if found.aside else []
    if found.arrival.fork and session.path:
        proof = quote(str(_proof(session.path, found.arrival)))
        more.append(f"The proof is a file, which anybody can check: referee audit {proof}")
    if how.again and found.aside and found.session:
        more += _said_again(found.session, session, found.arrival.first, how.key)
    return _opened_as(packet, found, more)


def _opened_as(packet: Packet, found: Received, more: Sequence[str] = ()) -> Opened:
    look = _look(found.session) if found.session else None
    return Opened(packet, found.arrival, look, found.done, more, found.lapsed, found.gave, found.heard)


def _look(session: Session) -> Sitting:
    """The game as who opens the mail sees it; as everybody does, where he has lost what he keeps secret."""
    seat = seat_here(pact_of(session))
    look = Sitting(session)
    return look.through(seat) if seat and look.knows(seat) else look


def _game_of(context: Context, packet: Packet) -> Session | None:
    """The log of the game that a packet is of: the current one, or another that lies here."""
    chosen: list[Path] = []
    try:
        chosen = [context.path()]
    except (NoGameError, FileNotFoundError):
        if context.log is not None:
            raise
    trouble: FaultError | None = None
    for path in kin_of(packet.head.game, _candidates(chosen, alone=context.log is not None)):
        try:
            session = context.opened(path)
        except FaultError as error:
            trouble = trouble or error
            continue
        if session.pact and session.pact.record_id == packet.head.record:
            return session
    if trouble:
        raise trouble
    if context.log is not None:
        raise MisuseError(f"this packet is of another game than {context.log}")
    return None


def _candidates(chosen: Iterable[Path], *, alone: bool) -> Iterator[Path]:
    """The logs that may be meant: the current one first, and others that lie here only if need be."""
    yield from chosen
    if not alone:
        yield from logs_here()


def _begun(packet: Packet, how: Opening) -> Opened:
    if packet.head.base:
        return Opened(packet, Arrival("early", 0, packet.head.base - 1, packet.head.by))
    with new_log(how.output, packet.head.module) as path:
        known = _is_known(packet.head.game)
        found = received_first(packet, path, how.key, yielding=how.theirs, is_known=known)
    if found.session is None:
        return Opened(packet, found.arrival)
    unlike = list(_unlike_ours(found.session))
    if found.session.branched and not unlike:
        _bring_vaults(packet.head.game, path, Sitting(found.session, None).facts.keepers)
    return _opened_as(packet, found, [f"The game is in {path}.", *unlike])


def _is_known(game_id: str) -> bool:
    """Whether a log of this game lies here, of which this may be a branch: its beginning was taken in once."""
    return any(kin_of(game_id, logs_here()))


def _unlike_ours(session: Session, *, is_kept: bool = True) -> Iterator[str]:
    """Where a branch begins with another history of its game than the log that is here: nobody has signed a branch, so
    who sends one may have written its beginning anew. `is_kept`: as it will be told.
    """
    from referee.record.table.start import open_log

    left = next((entry.n for entry in session.entries if isinstance(entry, BranchEntry)), 0)
    logs = [log for log in logs_here() if not is_aside(log)] if left else []
    for log in kin_of(session.id, logs):
        with suppress(FaultError):
            apart = _apart(open_log(log), session, left)
            if apart is not None:
                compare = f"referee diff {log} {session.path}" if is_kept else "Once it is opened, compare both."
                yield (
                    f"Before you join: this branch begins with another history than {log}, from entry {apart} on. "
                    f"{compare}"
                )


def _apart(ours: Session, theirs: Session, left: int) -> int | None:
    """The first entry before `left` that differs in more than its time; None: none, or there ours is a branch, too."""
    mine, others = ours.lines()[:left], theirs.lines()[:left]
    apart = next((n for n, pair in enumerate(zip(mine, others, strict=False)) if pair[0] != pair[1]), None)
    if apart is None or isinstance(ours.entries[apart], BranchEntry) or is_retold(mine[apart:], others[apart:]):
        return None
    return apart


def _bring_vaults(game_id: str, branch: Path, keepers: Sequence[Seat]) -> None:
    """What one keeps secret in a game is known in its branches, too."""
    for log in kin_of(game_id, logs_here()):
        held = [seat for seat in keepers if vault_path(log, seat).exists() and not vault_path(branch, seat).exists()]
        if log != branch and held:
            copy_vaults(log, branch, held)


def _laid_out(packet: Packet, how: Opening) -> Opened:
    """A game that is not here, judged and looked at without keeping it."""
    own, known = how.key.public if how.key else None, _is_known(packet.head.game)
    session, arrival = begun(packet, how.room / f"{packet.head.record}.jsonl", own, is_known=known)
    if session is None:
        return Opened(packet, arrival, is_kept=False)
    return Opened(packet, arrival, Sitting(session), more=list(_unlike_ours(session, is_kept=False)), is_kept=False)


def _proof(log: Path, arrival: Arrival) -> Path:
    assert arrival.fork is not None, "asked where there is one"
    path = proof_path(log, str(arrival.seat), arrival.first)
    data = spell_fork(arrival.fork)
    if not os.path.lexists(path):
        create_file(path, data)
    return path


def _said_again(session: Session, before: Session, apart: int, key: Key | None) -> list[str]:
    """What the player had said on the copy that was set aside, judged and recorded again on the one in force."""
    from referee.record.log.entry import PlayEntry

    desk = Desk(session, key) if key else None
    if desk is None or desk.seat is None or not desk.has_pen:
        return ["Nothing of what you had said can be said now: somebody else has the pen."]
    mine = [one for one in before.entries[apart:] if isinstance(one, PlayEntry) and one.by == desk.seat]
    told: list[str] = []
    for action in filter(None, (entry.done for entry in mine)):
        line = Sitting(session, desk.seat).line([action])
        words = session.game.format(action)
        if line.refused or line.awaiting:
            return [*told, f"No longer possible: {words}."]
        session.record(line.said)
        told.append(f"Said again: {words}.")
    return told


def _waiting(opened: Sequence[Opened], how: Opening) -> list[Opened]:
    """Packets that had come too early, and now follow."""
    logs = {one.look.log.path for one in opened if one.look and one.look.log.path}
    late = [one for log in logs for one in received_late(log, how.key)]
    return [_opened_as(packet, found) for packet, found in late if found.arrival.situation not in OLD]
