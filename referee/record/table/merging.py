"""Settling a log with several ends: one end is kept, and each other end becomes a log of its own beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from pathlib import Path

from msgspec import Struct

from referee.engine.event import Seat
from referee.record.log import store
from referee.record.log.entry import AnyEntry, NoteEntry, PlayEntry
from referee.record.log.log_ends import LogEnds, find_log_ends
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.recovery import find_only_end_to_keep
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES, find_companion_path, make_name_part, read_user_file
from referee.record.table.action_batch import ActionBatch
from referee.record.table.entry_draft import draft_play
from referee.record.table.moment import JudgedAction, Moment
from referee.record.table.opening_logs import branch, open_bytes, open_log
from referee.record.table.play_repetition import judge_play_again
from referee.record.table.session import Session

OTHER_BRANCH_NAME = "other"
"""The name of the branch that holds an end which was not kept."""


class RepeatedPlays(Struct, frozen=True):
    """The plays of other ends that are repeated after the end that is kept."""

    said: tuple[JudgedAction, ...] = ()
    """The plays that hold after the kept end, with the answers that follow from them."""
    lost: int | None = None
    """The first entry of the other end that no longer holds; None if all of them hold."""
    because: str = ""
    """The reason that the entry `lost` does not hold, as a clause; "" if all of them hold."""


class MergeResult(Struct, frozen=True):
    """The result of keeping one end of a log and moving the other ends aside."""

    session: Session
    """The log with the end that was kept."""
    aside: tuple[Path, ...]
    """The logs with the other ends."""
    removed: tuple[Path, ...]
    """The copies that were removed, because all their entries stand in the log or in a log of `aside`."""
    again: RepeatedPlays


def find_ends_of_files(log: Path, copies: Sequence[Path] = ()) -> LogEnds | None:
    """Returns the ends of a log together with those of copies; None if the files are not of one game.

    Raises OSError.
    """
    return find_log_ends(b"\n".join(_read_content(path) for path in (log, *copies)))


def keep_end(
    log: Path, ends: LogEnds, keep: int, by: Seat, *, copies: Sequence[Path] = (), again: bool = False
) -> MergeResult:
    """Keeps one end of a log and writes each other end to a log beside it. A note records who chose.

    If the ends hold the same entries at other times, nobody has to choose: the other end is not written, and no note is
    recorded. With `again`, the plays of the other ends are repeated after the kept one, as far as they hold. `copies`
    are files with some of the ends. Raises NotAllowedError, FaultError or OSError; then every end still stands in a
    file.
    """
    before = _read_content(log)
    kept = open_bytes(ends.get_lines_of_end(keep), log)
    if kept.reducer.protocol:
        raise NotAllowedError("in a game by mail the players settle this by mail: referee mail open --theirs MAIL")
    others = [open_bytes(ends.get_lines_of_end(at), log) for at in range(len(ends.tails)) if at != keep]
    found = judge_repeated_plays(kept, others, ends.common_entry_count) if again else RepeatedPlays()
    chosen = find_only_end_to_keep(ends) is None
    aside = tuple(_write_end_aside(other) for other in others) if chosen else ()
    if before != ends.get_lines_of_end(keep):
        store.replace_log(log, before, ends.get_lines_of_end(keep))
    session = open_log(log)
    if not chosen:
        return MergeResult(session, (), tuple(_remove_known(copies, ends)), found)
    last = f"entry {len(session.entries) - 1}, {session.head.hash[:8]}"
    text = f"chose the end up to {last}; kept beside it: {', '.join(path.name for path in aside)}"
    plays = [(draft_play(item), item.next_moment.known) for item in found.said]
    session.append([(partial(NoteEntry, by=by, text=text), None), *plays])
    return MergeResult(session, aside, tuple(_remove_known(copies, ends)), found)


def restore_original_log(session: Session) -> Session:
    """Restores a log in which a checkout or an editor changed only line ends, blanks or a byte order mark, and opens
    it.

    Any other session is returned as it is. Raises NotRecordedError, MovedOnError or OSError.
    """
    letter, path = session.letter, session.path
    if letter is None or path is None or not letter.keeps_all_lines:
        return session
    store.replace_log(path, _read_content(path), letter.log)
    return open_log(path)


def judge_repeated_plays(kept: Session, others: Iterable[Session], common: int) -> RepeatedPlays:
    """Judges the plays that other ends have in force after the common entries, as if they followed the kept log.

    It stops at the first entry that no longer holds. `common` is the number of common entries.
    """
    moment, said = kept.moment(), list[JudgedAction]()
    for other in others:
        line, shared = other.in_force(), other.in_force(common - 1)
        if line[: len(shared)] != shared:
            return RepeatedPlays(tuple(said), line[-1], "that end takes back entries that both ends share")
        for before, at in pairwise(line[len(shared) - 1 :]):
            if other.moment(before).is_answer_due:
                continue  # answers are given automatically
            batch, because = _judge_entry_again(moment, other.entries[at])
            if batch is None:
                return RepeatedPlays(tuple(said), at, because)
            said += batch.said
            moment = batch.moment
    return RepeatedPlays(tuple(said))


def _judge_entry_again(moment: Moment, entry: AnyEntry) -> tuple[ActionBatch | None, str]:
    return judge_play_again(moment, entry) if isinstance(entry, PlayEntry) else (None, "only moves are repeated")


def _write_end_aside(other: Session) -> Path:
    """Writes one end of a log as a separate log in the same folder. Returns the path of the new log."""
    for number in count(1):
        name = OTHER_BRANCH_NAME if number == 1 else f"{OTHER_BRANCH_NAME}-{number}"
        path = other.file_path.with_name(f"{other.file_path.stem}-{make_name_part(name)}.jsonl")
        if not os.path.lexists(path):
            return branch(other, name, path=path, agreed=other.reducer.seats).path or path
    raise AssertionError("numbers do not end")


def _remove_known(copies: Iterable[Path], ends: LogEnds) -> Iterator[Path]:
    """Removes each copy that is the beginning of any of the ends, and yields its path. All ends are in logs by now."""
    wholes = [ends.get_lines_of_end(at) for at in range(len(ends.tails))]
    for path in copies:
        content = _read_content(path)
        if any(whole.startswith(content) for whole in wholes):
            path.unlink()
            for ending in (".head", ".lock"):
                find_companion_path(path, ending).unlink(missing_ok=True)
            yield path


def _read_content(path: Path) -> bytes:
    return read_user_file(path, MAX_SEARCHED_FILE_BYTES)
