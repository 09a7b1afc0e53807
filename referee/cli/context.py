"""What a command works with: the global options, and which game they choose."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec.structs import replace

from referee.cli.answer import BUG, Answer, Pending, Shown
from referee.cli.errors import MisuseError, NoGameError, blamed_on, exit_code_of, explain
from referee.cli.logs import begins_as_log, log_named, logs_here, point_at, pointed_at
from referee.cli.screen import Screen, terminal_rows, wipe
from referee.cli.typed import confirm, piped, seat_of
from referee.engine.blame import GameError
from referee.engine.event import REFEREE
from referee.engine.text import count_of, listing
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.session.resident import Resident
    from referee.cli.throws import Ask
    from referee.cli.when import When
    from referee.engine.event import Seat
    from referee.record.table.session import Session


class Context:
    """The global options of one command, and what came up while it ran."""

    def __init__(self, resident: Resident | None = None, screen: Screen | None = None) -> None:
        """`resident`: the log that a session at the table keeps read between its lines."""
        self.screen = screen or Screen(height=terminal_rows())
        self.resident = resident
        self.log: str | None = None
        """The log that `-g` names."""
        self.when: When | None = None
        """The moment that `--at` names."""
        self.at: int | None = None
        """The entry after which that is, once the log is read; None: as the game stands."""
        self.by_hand = False
        """Whether nothing is done by itself that can only be one thing."""
        self.pending: Pending | None = None
        """What was said before and waits for dice, in a session at the table."""
        self.also = ""
        """The command that begins with the same word as what was said to the game."""
        self.eyes: set[Seat] = set()
        """The seats through whose eyes the answer looks at the game."""
        self.notes: list[str] = []
        """Remarks beside the answer, for stderr."""
        self._session: Session | None = None
        self._entries = 0
        """How many entries it had when it was read."""
        self._unspent: Session | None = None
        """The same session as it was read from its file, until it is handed out once more."""
        self._reopen: Callable[[], BinaryIO] | None = None

    def session(self) -> Session:
        """The chosen game, read and folded."""
        from referee.record.log.disk import is_open_to_others, open_named
        from referee.record.log.vault import vault_path
        from referee.record.table.start import open_good, open_log, open_stream

        if self.log == "-":
            data = piped("a log")
            self._reopen = lambda: BytesIO(data)
            self.at = self.when.entry(lambda: open_stream(BytesIO(data))) if self.when else None
            session = self._read(open_stream(BytesIO(data), self.at))
            self._note_letter(session, "what was piped in")
            return session
        path = self.path()
        self._reopen = lambda: open_named(path)
        if self.when is None and self.resident and self.resident.holds(path):
            return self._read(self.resident.session)
        self.at = self.when.entry(lambda: open_good(path)[0]) if self.when else None
        session = self._read(self.opened(path) if self.at is None else open_log(path, self.at))
        self._unspent = session if self.at is None else None
        if session.forgotten:
            self.notes.append(f"Note: {session.forgotten}.")
        for vault in (vault_path(path, seat) for seat in sorted(session.vaults)):
            if is_open_to_others(vault):
                self.notes.append(f"Note: others can look into {vault}; close it with: chmod 600 {vault}")
        self._note_letter(session, str(path))
        if session.head.torn:
            self.notes.append(
                f"Note: {path} ends with {count_of(len(session.head.torn), 'byte')} of an entry that was cut short. "
                "It is no part of the game, and is moved to a .torn file when something is recorded."
            )
        return session

    def opened(self, path: Path) -> Session:
        """A log as it stands: the one that was read already to see what a line means, if it still ends there. It is
        handed out once: who takes in entries from elsewhere, which may be wrong, changes it. FaultError, OSError.
        """
        from referee.record.log.store import is_as_long
        from referee.record.table.start import open_log

        read, self._unspent = self._read_at(path), None
        return read if read and is_as_long(path, read.head) else open_log(path)

    def is_of(self, path: Path, game_id: str) -> bool:
        """Whether a log is of this game; how it begins is looked at only where nothing has read it yet."""
        read = self._read_at(path)
        return read.id == game_id if read else begins_as_log(path, game_id)

    def _read_at(self, path: Path) -> Session | None:
        """The log in this file that was read, and handed to nobody yet."""
        from referee.record.log.disk import real

        return self._unspent if self._unspent and self._unspent.path == real(path) else None

    def _read(self, session: Session) -> Session:
        self._session, self._entries = session, len(session.entries)
        return session

    def _note_letter(self, session: Session, name: str) -> None:
        if session.letter:
            from referee.cli.ends import end_told

            end = end_told(session.path, session.id, len(session.entries), session.head.hash)
            self.notes.append(
                f"Note: mail has changed {name} ({listing(session.letter.undone)}); every hash of the log in it fits, "
                f"and {end}. To play on, take it out: referee use FILE -o LOG"
            )

    def choose(self, log: Path) -> bool:
        """Make a log that was just made the current game; False, and a note, where this folder cannot remember it."""
        from referee.record.log.faults import NotRecordedError

        try:
            point_at(log)
        except NotRecordedError as error:
            self.notes.append(f"Note: {error}.")
            return False
        return True

    def path(self) -> Path:
        """The chosen log: `-g`, then $REFEREE_GAME, then the pointer file, then the only log here."""
        named = self.log if self.log is not None else os.environ.get("REFEREE_GAME") or None
        if named is None:
            return pointed_at() or _only_log()
        return log_named(named)

    def look(self, eyes: str | None = None, *, speaks: bool = False) -> Sitting:
        """The chosen game at the chosen moment, as a seat sees it that is named as people do. Who `speaks` has a seat;
        else the referee may look, too.
        """
        session = self.session()
        last = len(session.entries) - 1
        if self.at is not None and not 0 <= self.at <= last:
            raise MisuseError(f"there is no entry {self.at}; the log has entries 0 to {last}")
        look = Sitting(session, at=self.at)
        if eyes is not None:
            look = look.through(REFEREE if eyes == REFEREE and not speaks else seat_of(eyes, look.facts.names))
        elif self.resident and self.resident.session is session:
            look = look.through(self.resident.speaker() if speaks else self.resident.eyes)
        if look.eyes is not None:
            self.eyes.add(look.eyes)
        if look.eyes == REFEREE and look.facts.is_partly_known:
            self.notes.append("Note: not all secrets of this game are known here; some are not shown.")
        return look

    def recording(self, command: str, by: str | None = None, *, offers: bool = False) -> Sitting:
        """The chosen game for a command that records something; it can only be added to as it stands now. `offers`: by
        mail somebody without the pen may say it, too, and offers it.
        """
        if self.when is not None:
            raise MisuseError(f"--at looks at the past, where nothing can be recorded; branch there, then {command}")
        if self.resident:
            self.resident.check_unmoved()
        look = self.look(by, speaks=True)
        if look.pact is None:
            return look
        from referee.cli.mail.desk import at_desk

        return at_desk(look, command, offers=offers)

    @property
    def ask(self) -> Ask | None:
        """Asks for dice, where somebody sits at the keyboard."""
        if self.resident or self.screen.json or not sys.stdin.isatty():
            return None
        from referee.cli.throws import ask

        return ask

    def tell(self, answer: Answer) -> None:
        """Show a part of an answer at once, before the rest of it is known."""
        rows = self.screen.render(answer)[0]
        wipe()
        sys.stdout.writelines(f"{row}\n" for row in rows)
        sys.stdout.flush()

    def pause(self, lines: Iterable[Shown]) -> bool:
        """Show something at once and wait for Enter; False when somebody leaves, with q or at the end of all typing."""
        if self.resident:
            raise MisuseError("in a session Enter shows the board; to step from board to board, leave it first")
        self.tell(Answer(lines, dict))
        sys.stderr.write("Enter: on; q and Enter: leave ")
        sys.stderr.flush()
        typed = sys.stdin.readline()
        return bool(typed) and not typed.strip().lower().startswith("q")

    @property
    def confirm(self) -> Callable[[str], bool] | None:
        """Asks whether somebody means what he said, where he sits at the keyboard."""
        return None if self.ask is None else confirm

    @property
    def question(self) -> Callable[[str], str] | None:
        """Asks for a line, where somebody sits at the keyboard."""
        return None if self.ask is None else input

    def explained(self, error: Exception) -> Answer:
        """The answer to a command that failed. Our own bug is raised where somebody wants to see it.

        Replaying a log runs no rules, so forged events can lead anywhere: what fails on a log is the log's fault if an
        audit finds one, else that of the game where its own code failed.
        """
        session = self._session
        if exit_code_of(error) == BUG:
            error = self._fault() or blamed_on(error, session.game if session else None) or error
        if exit_code_of(error) == BUG and os.environ.get("REFEREE_DEBUG"):
            raise error
        answer = explain(error, session.path if session else None)
        broken = answer.code == BUG or isinstance(error, OSError | GameError)
        if broken and session and len(session.entries) > self._entries:
            told = f"What was said was recorded, but cannot be shown: {answer.complaint}"
            return replace(answer, complaint=told)
        return answer

    def _fault(self) -> Exception | None:
        from referee.record.archive.audit import audit_stream
        from referee.record.log.faults import FaultError

        if self._reopen is None:
            return None
        try:
            with self._reopen() as file:
                fault = audit_stream(file).fault
        except Exception:  # what fails in judging is told by the error at hand
            return None
        return FaultError(fault) if fault else None


def match_of(path: Path) -> Path | None:
    """The log of the match that a game's log belongs to by its name; None when there is none."""
    stem, dash, number = path.stem.rpartition("-")
    if not (dash and number.isdigit()):
        return None
    match = path.with_name(f"{stem}.jsonl")
    return match if match.is_file() else None


def _only_log() -> Path:
    logs = logs_here()
    if len(logs) == 1:
        return logs[0]
    if not logs:
        raise NoGameError("no game is chosen; start one with: referee new GAME")
    names = listing([log.name for log in logs])
    raise NoGameError(f"several games could be meant; choose with: referee use LOG ({names})")
