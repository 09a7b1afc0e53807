"""Audits: every play is judged again from its action and dice, under today's rules, and compared with the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Outcome, Seat
from referee.engine.registry import find_game, find_game_by_rules
from referee.engine.rulebook import Refusal
from referee.record.log.log_ends import LogEnds
from referee.record.log.log_errors import CODES_OF_UNKNOWN_LOGS, Fault
from referee.record.log.log_outline import LogOutline, read_log_outline
from referee.record.log.mail_damage import RecoveredLog
from referee.record.log.recovery import recover_log
from referee.record.log.replaced_logs import explain_replacement
from referee.record.log.safe_files import AnyPath, open_user_file, parse_path, resolve_link
from referee.record.log.store import (
    explain_unreadable_head_file,
    make_lost_tail_fault,
    make_torn_tail_fault,
    read_head_file,
)
from referee.record.table.deed import Amendment
from referee.record.table.log_walker import LogWalker
from referee.record.table.reducer import Reducer
from referee.record.table.seating import OptionChange, SeatChange
from referee.record.table.unusual_settings import UnusualSettings, find_unusual_settings
from referee.record.table.verifier import MAX_DIFFERENCES, RuleDifference, Verifier

if TYPE_CHECKING:
    from referee.record.table.joint_roll import DroppedRoll
    from referee.record.table.mail_protocol import MailProtocol
    from referee.record.table.mail_state import DirectorRuling, ReplacementKey

ENTRIES_PER_PROGRESS_CALL = 2_000
"""The number of entries between two calls of the progress function."""


class AuditReport(Struct, frozen=True):
    """The result of an audit."""

    game: str | None
    """The name of the game; None if the first entry is bad."""
    names: dict[Seat, str]
    """The players by seat, in playing order."""
    turn: int
    """The number of the turn after the good entries; 0 if there are none."""
    to_act: Seat | None
    """The seat to act after the good entries; None when the game is over."""
    id: str | None
    """The id of the game: the hash of the first line. None if that line is bad."""
    head: str
    """The hash of the last good line."""
    entries: int
    """The number of good entries, from the beginning."""
    plays: int
    """The number of plays that were judged again."""
    unjudged: dict[Seat, int]
    """The number of plays of each seat that nobody can judge before its secrets are revealed. Their hashes and open
    dice are checked.
    """
    secrets: int
    """The number of secrets that no entry has revealed yet."""
    draws: int
    """The number of rolls that were checked. Secret rolls count only when all secrets are revealed, since their number
    tells something.
    """
    takebacks: int
    amendments: tuple[Amendment, ...]
    outcome: Outcome | None
    """The end of the game, if the good entries reach it; None otherwise."""
    fault: Fault | None
    """The first fault; None if everything is right."""
    withheld: dict[Seat, int] = {}
    """The number of secrets of each seat that are neither revealed nor known here."""
    signed: dict[Seat, int] = {}
    """By mail, the last entry that each seat has signed with everything before it; -1 for none."""
    throws: int = 0
    """By mail, the number of joint rolls that were made."""
    heirs: dict[Seat, ReplacementKey] = {}
    """By mail, the seats that play with another key: since which entry, and who agreed."""
    rulings: tuple[DirectorRuling, ...] = ()
    """By mail, the times that the director agreed in place of a player."""
    rules: tuple[int, int] = (0, 0)
    """The version of the rules that the game was last played under, and today's. Both are 0 if nothing was read."""
    under: int | None = None
    """The older version of the rules that the game was judged by; None if it was judged by today's."""
    differing: int = 0
    """The number of plays and positions that today's rules judge otherwise than the rules that they were played under.
    They are no faults.
    """
    differences: tuple[RuleDifference, ...] = ()
    """The first plays and positions that today's rules judge otherwise, at most `MAX_DIFFERENCES`."""
    dropped: tuple[DroppedRoll, ...] = ()
    """By mail, the joint rolls that were begun and never made. If this log is a branch, the rolls that it left behind
    in a log beside it are included.
    """
    parent: str = ""
    """By mail, the name of the log that this log left as a branch, if the other log is missing; "" otherwise."""
    special: UnusualSettings | None = None
    """The unusual settings of the game; None if its first entry could not be read."""
    outline: LogOutline | None = None
    """The outline of a log from another version of the program, or of a game that is not installed; None otherwise."""
    undone: tuple[str, ...] = ()
    """The changes of mail programs that were undone before the audit; empty for a log as it was written."""
    forgotten: str | None = None
    """A clause about a doubtful end: the reason that nobody can tell whether entries are missing, or the place where a
    missing entry is now. None if there is no doubt.
    """
    option_changes: tuple[OptionChange, ...] = ()
    """The options that got another value in mid-game, in the order of their entries. Changes by a takeback are
    included.
    """
    seat_changes: tuple[SeatChange, ...] = ()
    """The seats that got another player in mid-game, in the order of their entries. Changes by a takeback are included.
    """
    ends: tuple[AuditReport, ...] = ()
    """The reports on the ends of a log that has several, each from its first entry on; empty otherwise."""

    @property
    def has_claimed_outcome(self) -> bool:
        """True if the outcome is only claimed, because some plays before it could not be judged."""
        return self.outcome is not None and bool(self.unjudged)

    @property
    def exceptions(self) -> tuple[str, ...]:
        """The findings of a game by mail that are no faults, but leave the players something to settle, the worst
        first.
        """
        found = {
            "a key": self.heirs,
            "a ruling": self.rulings,
            "a roll": self.dropped,
            "its beginning": self.signed and self.special and self.special.refused,
        }
        return tuple(name for name, holds in found.items() if holds)

    @property
    def is_complete(self) -> bool:
        """True if nothing is wrong, and everything could be judged under today's rules."""
        return self.fault is None and not self.unjudged and not self.differing


def audit(path: AnyPath, progress: Callable[[int], None] | None = None) -> AuditReport:
    """Audits the log in a file. Raises OSError if the file cannot be read.

    >>> audit("friday.jsonl").fault is None
    True
    """
    path = resolve_link(parse_path(path))
    last = read_head_file(path)  # before the log, which another writer may lengthen meanwhile
    with open_user_file(path) as file:
        report = audit_stream(file, progress, last, path)
        why = explain_replacement(path, last) if last and report.fault and report.fault.code == "lost-tail" else None
        if why:
            file.seek(0)
            return replace(audit_stream(file, progress, None, path), forgotten=why)
    return replace(report, forgotten=explain_unreadable_head_file(path))


def audit_stream(
    file: BinaryIO,
    progress: Callable[[int], None] | None = None,
    last: tuple[int, str] | None = None,
    log: Path | None = None,
) -> AuditReport:
    """Audits a log, entry by entry, in constant memory. `file` is read twice, so it must be able to seek.

    `last` is the number of entries that were once acknowledged here, with the hash of the last one. It is None if that
    is not remembered. `log` is the path of the file, so that its vaults are found.
    """
    begin = file.tell()
    report = _audit_once(file, progress, last, log)
    found = recover_log(file, report.fault)
    if isinstance(found, RecoveredLog):
        return replace(audit_stream(BytesIO(found.log), progress, last, log), undone=found.undone)
    if isinstance(found, LogEnds):
        return _report_ends(found, progress, log)
    if report.differing and _keeps_rules(report):
        file.seek(begin)
        kept = _audit_once(file, progress, last, log, today=False)
        return replace(kept, under=report.rules[0])
    if report.fault and report.fault.code in CODES_OF_UNKNOWN_LOGS:
        file.seek(begin)
        return replace(report, outline=read_log_outline(file))
    return replace(report, fault=found or report.fault)


def _add_refused_positions(report: AuditReport, refused: Mapping[int, Refusal]) -> AuditReport:
    """Returns the report with more differences: the positions that today's rules refuse."""
    positions = [RuleDifference(n, refusal.because, refusal.rule) for n, refusal in refused.items()]
    found = sorted((*positions, *report.differences), key=lambda one: one.n)
    return replace(report, differing=report.differing + len(positions), differences=tuple(found[:MAX_DIFFERENCES]))


def _report_ends(ends: LogEnds, progress: Callable[[int], None] | None, log: Path | None) -> AuditReport:
    """Returns the report on what the ends of a log have in common, with a report on each end."""
    sides = [audit_stream(BytesIO(ends.get_lines_of_end(at)), progress, None, log) for at in range(len(ends.tails))]
    cause = f"the log has {len(sides)} ends after entry {ends.common_entry_count - 1}"
    fault = Fault("several-ends", ends.common_entry_count, len(ends.common), cause)
    return replace(_audit_once(BytesIO(ends.common), None, None, log), fault=fault, ends=tuple(sides))


def _keeps_rules(report: AuditReport) -> bool:
    """True if the game keeps the older rules that the log was played under."""
    return report.game is not None and find_game_by_rules(find_game(report.game), report.rules[0]) is not None


def _audit_once(
    file: BinaryIO,
    progress: Callable[[int], None] | None,
    last: tuple[int, str] | None,
    log: Path | None,
    *,
    today: bool = True,
) -> AuditReport:
    judge = Verifier(today=today)
    walk = LogWalker(file, judge, log=log, strict=True)
    lost = False
    game_id: str | None = None
    for entry in walk:
        game_id = game_id or walk.reader.hash
        if last and entry.n == last[0] - 1 and walk.reader.hash != last[1]:
            lost = True
            break
        if progress and entry.n % ENTRIES_PER_PROGRESS_CALL == 0:
            progress(entry.n)
    return _make_report(walk, judge, game_id, _find_fault(walk, last, lost=lost), log)


def _find_fault(walk: LogWalker, last: tuple[int, str] | None, *, lost: bool) -> Fault | None:
    """Returns the first fault of the log, within it or at its end; None if there is none."""
    reader = walk.reader
    if walk.fault:
        return walk.fault
    if last and (lost or reader.n < last[0]) and not reader.torn:
        return make_lost_tail_fault(*last, n=reader.n, offset=reader.offset)
    return make_torn_tail_fault(reader) if reader.torn else None


def _make_report(
    walk: LogWalker, judge: Verifier, game_id: str | None, fault: Fault | None, log: Path | None
) -> AuditReport:
    report = AuditReport(
        game=None,
        names={},
        turn=0,
        to_act=None,
        id=game_id,
        head=walk.reader.head,
        entries=walk.reader.n,
        plays=judge.plays,
        unjudged=judge.unjudged,
        secrets=0,
        draws=0,
        takebacks=judge.takebacks,
        amendments=tuple(judge.amendments),
        outcome=None,
        fault=fault,
        differing=judge.differing,
        differences=tuple(judge.differences),
    )
    reducer = walk.reducer if walk.reducer and walk.reducer.n >= 0 else None
    if reducer and reducer.refused_positions:
        report = _add_refused_positions(report, reducer.refused_positions)
    return _add_game(report, reducer, walk.reader.game_today.rules_version, log) if reducer else report


def _add_game(report: AuditReport, reducer: Reducer, today: int, log: Path | None) -> AuditReport:
    """Returns the report with the game after the good entries; `today` is the version of today's rules."""
    outcome: Any = reducer.known.find_outcome(reducer.game)
    names = reducer.seating.map_seats_to_names(reducer.game, reducer.known.public)
    report = replace(
        report,
        game=reducer.game.name,
        names={seat: name or seat for seat, name in names.items()},
        turn=reducer.game.get_turn_number(reducer.known.public),
        to_act=reducer.game.to_act(reducer.known.public),
        secrets=len(reducer.sealed),
        draws=_count_draws(reducer),
        outcome=outcome,
        rules=(reducer.rules, today),
        special=find_unusual_settings(reducer.game, reducer.header, log),
        option_changes=tuple(reducer.option_changes),
        seat_changes=tuple(reducer.seat_changes),
        withheld=dict(Counter(found.owner for _, found in reducer.sealed.values() if not found.known)),
    )
    return _add_mail(report, reducer, reducer.protocol, log) if reducer.protocol else report


def _add_mail(report: AuditReport, reducer: Reducer, protocol: MailProtocol, log: Path | None) -> AuditReport:
    """Returns the report with the facts that only a game by mail has."""
    from referee.record.archive.roll_account import make_roll_account

    left = make_roll_account(protocol, reducer.branched, log)
    return replace(
        report,
        signed={seat: protocol.signed_up_to.get(seat, 0) - 1 for seat in reducer.seats},
        throws=left.made,
        dropped=left.dropped,
        parent=left.parent,
        heirs=dict(protocol.replacements),
        rulings=protocol.rulings,
    )


def _count_draws(reducer: Reducer) -> int:
    return reducer.draws.get(None, 0) if reducer.sealed else sum(reducer.draws.values())
