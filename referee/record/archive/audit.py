"""Audit: every play judged again from its action and dice under today's rules, and compared with what is recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Outcome, Seat
from referee.engine.registry import find_game, game_under
from referee.engine.text import count_of
from referee.record.log.disk import AnyPath, open_named, path_from, real
from referee.record.log.faults import OF_OTHERS, Fault
from referee.record.log.letter import Letter, letter_in
from referee.record.log.outline import Outline, outline_of
from referee.record.log.store import lost_tail, remembered, why_forgotten
from referee.record.table.deed import Amendment
from referee.record.table.fold import Fold
from referee.record.table.judge import Difference, JudgeAgain
from referee.record.table.special import Special, special_of
from referee.record.table.walk import Walk

if TYPE_CHECKING:
    from referee.record.table.cast import DroppedThrow
    from referee.record.table.pact import Heir, Pact

PROGRESS_EVERY = 2_000
"""Entries between two calls of the progress function."""


class Report(Struct, frozen=True):
    """What an audit found."""

    game: str | None
    """Name of the game; None: there is no game yet, for the first entry is not good."""
    names: dict[Seat, str]
    """Who sits where, in playing order."""
    turn: int
    """The turn to which the good entries have come; 0 when there are none."""
    to_act: Seat | None
    """Who holds the pen there; None when the game is over."""
    id: str | None
    """The game's id: hash of the first line; None: there is no game yet."""
    head: str
    """Hash of the last good line."""
    entries: int
    """Good entries, from the beginning."""
    plays: int
    """Plays judged again."""
    unjudged: dict[Seat, int]
    """Plays that nobody can judge before their seat's secrets are revealed; their hashes and open dice are checked."""
    secrets: int
    """Secrets that no entry has revealed yet."""
    draws: int
    """Draws of dice that were checked; those of secrets are counted once all are revealed, for they tell something."""
    takebacks: int
    amendments: tuple[Amendment, ...]
    outcome: Outcome | None
    """How the game ended, if the good part of the log reaches its end."""
    fault: Fault | None
    """The first fault; None: everything is as it should be."""
    withheld: dict[Seat, int] = {}
    """Secrets that are neither revealed nor known here, by the seat that keeps them."""
    signed: dict[Seat, int] = {}
    """By mail, the last entry that each seat has signed, with all before it; -1: none."""
    throws: int = 0
    """By mail, throws that all seats have made together."""
    heirs: dict[Seat, Heir] = {}
    """By mail, the seats at which another key plays than the one that joined there, since when and on whose word."""
    rules: tuple[int, int] = (0, 0)
    """The version of the rules under which the game was last played, and today's; 0 both where nothing was read."""
    under: int | None = None
    """The older version of the rules by which it was judged, for the game keeps them; None: by today's."""
    differing: int = 0
    """Plays to which today's rules say something else than those that they were played under: that is no fault."""
    differences: tuple[Difference, ...] = ()
    """The first of them."""
    dropped: tuple[DroppedThrow, ...] = ()
    """By mail, throws that were begun and never made, those of a log beside it among them that it has left."""
    parent: str = ""
    """By mail, the name of the log that it has left as a branch, where that is not beside it; "": it is."""
    special: Special | None = None
    """Options, files and a beginning other than the usual ones; None: its first entry could not be read."""
    outline: Outline | None = None
    """What can be told of a log that another version, or a game that is not here, has written."""
    undone: tuple[str, ...] = ()
    """What mail had done to the log and was undone before it was judged; empty for a log as it was written."""
    forgotten: str | None = None
    """Why nobody can tell whether the log has lost its end, as a clause; None: it is known, or nothing was recorded."""

    @property
    def claimed(self) -> bool:
        """Whether the outcome is only what the log says: plays that led to it could not be judged."""
        return self.outcome is not None and bool(self.unjudged)

    @property
    def settled(self) -> bool:
        """Whether nothing is wrong, and nothing is left that could not be judged."""
        return self.fault is None and not self.unjudged and not self.differing


def audit(path: AnyPath, progress: Callable[[int], None] | None = None) -> Report:
    """Judge the log in a file again; OSError when the file cannot be read."""
    path = real(path_from(path))
    last = remembered(path)  # before the log, which another writer may lengthen meanwhile
    with open_named(path) as file:
        report = audit_stream(file, progress, last, path)
    return replace(report, forgotten=why_forgotten(path))


def audit_stream(
    file: BinaryIO,
    progress: Callable[[int], None] | None = None,
    last: tuple[int, str] | None = None,
    log: Path | None = None,
) -> Report:
    """Judge a log again, entry by entry, in constant memory. `file` is read twice, so it must be able to seek.

    `last` is the number of entries once acknowledged here and the hash of the last of them, if that is remembered;
    `log` says where the file is, so that its vaults are found.
    """
    begin = file.tell()
    report = _audited(file, progress, last, log)
    letter = letter_in(file, report.fault)
    if isinstance(letter, Letter):
        return replace(audit_stream(BytesIO(letter.log), progress, last, log), undone=letter.undone)
    if report.differing and _keeps(report):
        file.seek(begin)
        kept = _audited(file, progress, last, log, today=False)
        return replace(kept, under=report.rules[0])
    if report.fault and report.fault.code in OF_OTHERS:
        file.seek(begin)
        return replace(report, outline=outline_of(file))
    return replace(report, fault=letter or report.fault)


def _keeps(report: Report) -> bool:
    """True if the game keeps the older rules under which a log was played."""
    return report.game is not None and game_under(find_game(report.game), report.rules[0]) is not None


def _audited(
    file: BinaryIO,
    progress: Callable[[int], None] | None,
    last: tuple[int, str] | None,
    log: Path | None,
    *,
    today: bool = True,
) -> Report:
    judge = JudgeAgain(today=today)
    walk = Walk(file, judge, log=log, strict=True)
    lost = False
    game_id: str | None = None
    for entry in walk:
        game_id = game_id or walk.reader.hash
        if last and entry.n == last[0] - 1 and walk.reader.hash != last[1]:
            lost = True
            break
        if progress and entry.n % PROGRESS_EVERY == 0:
            progress(entry.n)
    return _report(walk, judge, game_id, _fault_of(walk, last, lost=lost), log)


def _fault_of(walk: Walk, last: tuple[int, str] | None, *, lost: bool) -> Fault | None:
    """The first fault: within the log, or at its end."""
    reader = walk.reader
    if walk.fault:
        return walk.fault
    if last and (lost or reader.n < last[0]) and not reader.torn:
        return lost_tail(*last, n=reader.n, offset=reader.offset)
    if reader.torn:
        cut = count_of(len(reader.torn), "byte")
        return Fault("torn-tail", reader.n, reader.offset, f"{cut} of an entry cut short")
    return None


def _report(walk: Walk, judge: JudgeAgain, game_id: str | None, fault: Fault | None, log: Path | None) -> Report:
    report = Report(
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
    fold = walk.fold if walk.fold and walk.fold.n >= 0 else None
    return _with_game(report, fold, walk.reader.game_today.rules_version, log) if fold else report


def _with_game(report: Report, fold: Fold, today: int, log: Path | None) -> Report:
    """A report with what the good entries have come to; `today`: the version of today's rules."""
    outcome: Any = fold.known.outcome(fold.game)
    report = replace(
        report,
        game=fold.game.name,
        names=dict(fold.game.names(fold.known.public, fold.header.names)),
        turn=fold.game.turn_of(fold.known.public),
        to_act=fold.game.to_act(fold.known.public),
        secrets=len(fold.sealed),
        draws=_draws_in(fold),
        outcome=outcome,
        rules=(fold.rules, today),
        special=special_of(fold.game, fold.header, log),
        withheld=dict(Counter(found.owner for _, found in fold.sealed.values() if not found.known)),
    )
    return _with_mail(report, fold, fold.pact, log) if fold.pact else report


def _with_mail(report: Report, fold: Fold, pact: Pact, log: Path | None) -> Report:
    """The same with what is told of a game by mail alone."""
    from referee.record.archive.throws import account_of

    left = account_of(pact, fold.branched, log)
    return replace(
        report,
        signed={seat: pact.sealed.get(seat, 0) - 1 for seat in fold.seats},
        throws=left.made,
        dropped=left.dropped,
        parent=left.parent,
        heirs=dict(pact.heirs),
    )


def _draws_in(fold: Fold) -> int:
    return fold.draws.get(None, 0) if fold.sealed else sum(fold.draws.values())
