"""The context of a command: the global options, the chosen game, and remarks made while the command runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import BUG, Answer, AnswerLine, PendingAction
from referee.cli.arguments import confirm_doubt, parse_seat, read_stdin
from referee.cli.errors import MisuseError, NoGameError, explain_error, find_exit_code, make_faulty_game_error
from referee.cli.log_paths import find_log, has_log_start, list_game_logs, read_pointer, write_pointer
from referee.cli.output import ask_line, write_prompt, write_rows
from referee.cli.screen import Screen, count_terminal_rows, wipe_progress
from referee.engine.event import REFEREE
from referee.engine.plugin_errors import GameError
from referee.engine.text import Printable, count_of, listing, make_printable
from referee.gate import read_environment_variable
from referee.record.log.safe_files import note_opened_log, open_user_file, watch_opened_logs
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.dice_text import DicePrompt
    from referee.cli.entry_reference import EntryReference
    from referee.cli.session.live_log import LiveLog
    from referee.engine.event import Seat
    from referee.record.table.session import Session


class Context:
    """The global options of one command, and the state of its run."""

    def __init__(self, live_log: LiveLog | None = None, screen: Screen | None = None) -> None:
        """`live_log` is the open log of a session at the table; None outside a session."""
        self.screen = screen or Screen(height=count_terminal_rows())
        self.live_log = live_log
        self.log: str | None = None
        """The log named by `-g`; None if none is named."""
        self.when: EntryReference | None = None
        """The moment of the game that `--at` names; None for now."""
        self.at: int | None = None
        """The number of the entry that `--at` means, once the log is read; None for now."""
        self.records = False
        """True once the command has asked for a game to record in."""
        self.by_hand = False
        """True if the referee makes no forced moves by itself."""
        self.pending: PendingAction | None = None
        """An earlier action that waits for dice, in a session at the table."""
        self.same_named_command = ""
        """The command that has the same name as the first word of the typed action; "" if there is none."""
        self.eyes: set[Seat] = set()
        """The seats whose view the answer shows."""
        self.notes: list[str] = []
        """Remarks beside the answer, for stderr."""
        self.answered_log: Path | None = None
        """The log of the game that the answer is about; None if the command has read and made no log."""
        self._session: Session | None = None
        self._entries = 0
        """The number of entries when the log was read."""
        self._unspent: Session | None = None
        """The session that was read last; None once `open_or_reuse_session` has handed it out."""
        self._opened = watch_opened_logs()
        """The logs that the command has opened, the last one last."""

    def open_session(self) -> Session:
        """Reads the chosen log up to `--at`, rebuilds its game and returns the session. Adds notes about problems.

        Raises the errors of `find_log_path`, FaultError and OSError.
        """
        from referee.record.table.opening_logs import open_good_part, open_log

        if self.log == "-":
            return self._open_piped_session()
        path = self.answered_log = self.find_log_path()
        if self.when is None and self.live_log and self.live_log.is_log_at(path):
            note_opened_log(partial(open_user_file, path))
            return self._remember(self.live_log.session)
        self.at = self.when.resolve(lambda: open_good_part(path)[0]) if self.when else None
        session = self._remember(
            self._repair_if_recording(self.open_or_reuse_session(path) if self.at is None else open_log(path, self.at))
        )
        self._unspent = session if self.at is None else None
        if session.forgotten:
            self.notes.append(f"Note: {session.forgotten}.")
        self._note_secrets(session, path)
        self._note_changes(session, str(path))
        self._note_torn_entry(session, path)
        return session

    def _open_piped_session(self) -> Session:
        """Reads the log that is piped in. Nothing can be added to it."""
        from referee.record.table.opening_logs import open_stream

        data = read_stdin("a log")
        self.at = self.when.resolve(lambda: open_stream(BytesIO(data))) if self.when else None
        session = self._remember(open_stream(BytesIO(data), self.at))
        self._note_changes(session, "the piped input")
        return session

    def _note_secrets(self, session: Session, path: Path) -> None:
        """Adds notes about vaults that others can read or get."""
        from referee.record.log.safe_files import is_open_to_others
        from referee.record.log.vault import find_vault_path

        for vault in (find_vault_path(path, seat) for seat in sorted(session.public.vault_seats)):
            if is_open_to_others(vault):
                self.notes.append(f"Note: others can read {vault}; to prevent that: chmod 600 {vault}")
        if session.public.vault_seats:
            from referee.cli.vault_text import make_vault_exposure_notes  # few games keep secrets

            self.notes += make_vault_exposure_notes(path)

    def _note_torn_entry(self, session: Session, path: Path) -> None:
        """Adds a note about an entry that was cut short."""
        if session.head.torn:
            self.notes.append(
                f"Note: {path} ends with {count_of(len(session.head.torn), 'byte')} of an entry that was cut short. "
                "They are not part of the game. When the next entry is recorded, they move to a .torn file."
            )

    def _repair_if_recording(self, session: Session) -> Session:
        """Repairs a changed log that still has all its lines, if the command records in it.

        Returns the session of the repaired log; any other session is returned as it is.
        """
        if not (self.records and session.letter):
            return session
        from referee.record.table.merging import restore_original_log  # hardly any log was changed

        right = restore_original_log(session)
        if right is not session:
            self.notes.append(
                f"Note: {right.path} had {listing(session.letter.undone)}; the referee has put that right."
            )
        return right

    def open_or_reuse_session(self, path: Path) -> Session:
        """Returns the session of a log.

        Reuses the session that this command has read already, if the file is unchanged. That session is handed out only
        once, since recording entries from elsewhere changes it. Raises FaultError and OSError.
        """
        from referee.record.log.store import has_same_length
        from referee.record.table.opening_logs import open_log

        read, self._unspent = self._find_read_session(path), None
        return read if read and has_same_length(path, read.head) else open_log(path)

    def is_log_of_game(self, path: Path, game_id: str) -> bool:
        """True if the log at `path` is of the game with this id. Reads the file only if no session of it is kept."""
        read = self._find_read_session(path)
        return read.public.id == game_id if read else has_log_start(path, game_id)

    def _find_read_session(self, path: Path) -> Session | None:
        """Returns the kept session of this file; None if the file was not read or its session was handed out."""
        from referee.record.log.safe_files import resolve_link

        return self._unspent if self._unspent and self._unspent.path == resolve_link(path) else None

    def _remember(self, session: Session) -> Session:
        self._session, self._entries = session, len(session.entries)
        return session

    def _note_changes(self, session: Session, name: str) -> None:
        """Adds notes on a log that mail or a merge has changed, and on copies beside it that hold other entries."""
        from referee.record.log.conflict_copies import find_conflict_copies

        copies = [] if session.public.protocol or not session.path else list(find_conflict_copies(session.path))
        if session.ends or copies:
            from referee.cli.ends_text import make_copies_notes, make_ends_notes  # hardly any log has several ends

            self.notes += [*make_ends_notes(session, name), *make_copies_notes(session, copies)]
        if session.letter and session.path and session.letter.keeps_all_lines:
            self.notes.append(f"Note: {name} has {listing(session.letter.undone)}; the next move puts that right.")
        elif session.letter:
            from referee.cli.truncation_check import describe_truncation

            end = describe_truncation(session.path, session.public.id, len(session.entries), session.head.hash)
            self.notes.append(
                f"Note: mail has changed {name} ({listing(session.letter.undone)}). Every hash of the log in it fits, "
                f"and {end}. To play on, extract the log: referee use FILE -o LOG"
            )

    def set_current_log(self, log: Path) -> bool:
        """Makes a new log the current game. Returns False, with a note, if this folder cannot remember it."""
        self.answered_log = log
        from referee.record.log.log_errors import NotRecordedError

        try:
            write_pointer(log)
        except NotRecordedError as error:
            self.notes.append(f"Note: {error}.")
            return False
        return True

    def find_log_path(self) -> Path:
        """Returns the chosen log's path: `-g`, then $REFEREE_GAME, then the pointer file, then the only log here.

        Raises NoGameError, MisuseError or OSError.
        """
        return _find_unnamed_log() if self.log is None else find_log(self.log)

    @property
    def path_for_log_option(self) -> Path | None:
        """The log of the answer's game, if a command without `-g` would act on another game; None otherwise."""
        if self.answered_log is None or self.live_log:
            return None
        try:
            return None if _find_unnamed_log().resolve() == self.answered_log.resolve() else self.answered_log
        except (LookupError, ValueError, OSError):  # no game, or no single one
            return None if self.log else self.answered_log  # after -g, they know how to name the game

    def open_view(self, eyes: str | None = None, *, speaks: bool = False) -> SeatView:
        """Returns the chosen game at the chosen moment, in the view that `eyes` names.

        `eyes` is a seat as typed, or "referee" for all that is known. With `speaks`, `eyes` must be a seat. Without
        `eyes`, the view is that of the player at the screen in a session, and public elsewhere. Raises MisuseError if
        there is no such entry or seat, and the errors of `open_session`.
        """
        session = self.open_session()
        last = len(session.entries) - 1
        if self.at is not None and not 0 <= self.at <= last:
            raise MisuseError(f"there is no entry {self.at}; the log has entries 0 to {last}")
        look = SeatView(session, at=self.at)
        if eyes is not None:
            look = look.with_eyes(REFEREE if eyes == REFEREE and not speaks else parse_seat(eyes, look.facts.names))
        elif self.live_log and self.live_log.session is session:
            look = look.with_eyes(self.live_log.find_speaker() if speaks else self.live_log.eyes)
        if look.eyes is not None:
            self.eyes.add(look.eyes)
        if look.eyes == REFEREE and look.facts.is_partly_known:
            self.notes.append("Note: not all secrets of this game are known here; some are not shown.")
        return look

    def check_view_named(self, look: SeatView, command: str) -> None:
        """Raises MisuseError if `command` would show secrets of the seat that has to act.

        Raises it only in the shell without `--by`, since others may look at the screen.
        """
        from referee.cli.game_view import needs_named_view

        if look.eyes is None and self.live_log is None and needs_named_view(look):
            seat = look.facts.to_act
            told = f"this would show what only {look.facts.format_seat(seat or '')} may see; if nobody else looks"
            raise MisuseError(f"{told}: referee {command} --by {seat}")

    def open_view_to_record(self, command: str, by: str | None = None, *, offers: bool = False) -> SeatView:
        """Returns the chosen game for a command that records something.

        With `offers`, a player by mail without the pen may use the command to make an offer. Raises MisuseError after
        `--at`, since nothing can be recorded in the past. Raises MovedOnError if somebody else has changed the log.
        """
        self.records = True
        if self.when is not None:
            raise MisuseError(
                f"--at shows the past, where nothing can be recorded; make a branch there, then {command}"
            )
        if self.live_log:
            self.live_log.check_up_to_date()
        look = self.open_view(by, speaks=True)
        if look.protocol is None:
            return look
        from referee.cli.mail.mail_answers import advance_mail_game

        return advance_mail_game(look, command, offers=offers)

    @property
    def dice_prompt(self) -> DicePrompt | None:
        """The function that asks for dice; None in a session, with `--json`, or if nobody sits at the keyboard."""
        if self.live_log or self.screen.json or not sys.stdin.isatty():
            return None
        from referee.cli.dice_text import ask_for_faces

        return ask_for_faces

    def show_part(self, answer: Answer) -> None:
        """Prints a part of an answer at once, before the rest is known."""
        rows = self.screen.render(answer)[0]
        wipe_progress()
        write_rows(rows)

    def show_problem(self, words: str) -> None:
        """Shows a sentence about a problem of a command that goes on."""
        self.show_part(Answer([words], lambda: {"trouble": words}))

    def wait_for_enter(self, lines: Iterable[AnswerLine]) -> bool:
        """Shows lines and waits for Enter. Returns False if somebody types q or input ends.

        Raises MisuseError in a session, where Enter shows the board.
        """
        if self.live_log:
            raise MisuseError("in a session Enter shows the board; to step through the game, leave the session first")
        self.show_part(Answer(lines, dict))
        write_prompt(make_printable("Enter: next; q and Enter: stop "))
        typed = sys.stdin.readline()
        return bool(typed) and not typed.strip().lower().startswith("q")

    @property
    def confirm_prompt(self) -> Callable[[str], bool] | None:
        """The function that asks if somebody is sure; None if `dice_prompt` is None."""
        return None if self.dice_prompt is None else confirm_doubt

    @property
    def line_prompt(self) -> Callable[[Printable], str] | None:
        """The function that asks for a line; None if `dice_prompt` is None."""
        return None if self.dice_prompt is None else ask_line

    def explain_error(self, error: Exception) -> Answer:
        """Returns the answer to a command that failed. With REFEREE_DEBUG set, raises the error again if it is a bug.

        Rebuilding a log runs no rules, so forged events can cause any error. The answer blames the log if an audit
        finds a fault in it or in another log that the command has opened. Otherwise it blames the third-party game
        whose code failed, if one did.
        """
        session = self._session
        if find_exit_code(error) == BUG:
            error = self._find_fault() or make_faulty_game_error(error, session.game if session else None) or error
        if find_exit_code(error) == BUG and read_environment_variable("REFEREE_DEBUG"):
            raise error
        answer = explain_error(error, session.path if session else None, records=self.records)
        broken = answer.code == BUG or isinstance(error, OSError | GameError)
        if broken and session and len(session.entries) > self._entries:
            first, *rest = answer.complaint or ("",)
            told = f"Your action was recorded, but it cannot be shown: {first}"
            return replace(answer, complaint=(told, *rest))
        return answer

    @contextmanager
    def attribute_errors_to_logs(self) -> Iterator[None]:
        """Raises the fault of an opened log in place of an unexpected error in the block, if such a log has a fault.

        Use it for temporary logs, which are gone after the block.
        """
        try:
            yield
        except Exception as error:
            fault = self._find_fault() if find_exit_code(error) == BUG else None
            if fault is None:
                raise
            raise fault from error

    def _find_fault(self) -> Exception | None:
        from referee.record.archive.log_boundary import find_fault_behind_error

        faults = (find_fault_behind_error(open_again) for open_again in reversed(self._opened))
        return next(filter(None, faults), None)


def _find_unnamed_log() -> Path:
    """Returns the log that a command without `-g` acts on. Raises NoGameError, MisuseError or OSError."""
    named = read_environment_variable("REFEREE_GAME")
    return find_log(named) if named else read_pointer() or _find_only_log()


def _find_only_log() -> Path:
    logs = list_game_logs()
    if len(logs) == 1:
        return logs[0]
    if not logs:
        raise NoGameError("no game is chosen; start one with: referee new GAME")
    names = listing([log.name for log in logs])
    raise NoGameError(f"there are several games here ({names}); choose one with: referee use LOG")
