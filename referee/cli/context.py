"""What a command works with: which game, which moment of it, which way to show it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, ClassVar

import typer

from referee.cli.errors import MisuseError, NoGameError
from referee.cli.screen import Screen
from referee.engine.dice import Typed
from referee.engine.game import REFEREE, Seat
from referee.engine.text import listing

if TYPE_CHECKING:
    from referee.record.session import Session

Eyes = Annotated[
    str | None,
    typer.Option("--by", metavar="SEAT", help="As this seat may see it; referee: all of it; else as anybody may."),
]

POINTER = ".referee"
"""File that names the current game; looked for upward from here, like a `.git`."""
LOGS = Path("logs")


class Context:
    """The global options, and the game they choose."""

    looked_at: ClassVar[Callable[[], BinaryIO] | None] = None
    """Opens the log that this command looked at; None before it did."""

    def __init__(self, log: str | None, at: int | None, screen: Screen) -> None:
        self.screen = screen
        self.at = at
        self._log = log

    def session(self) -> Session:
        """The chosen game, read and folded."""
        from referee.record.session import open_log, open_stream

        if self._log == "-":
            data = sys.stdin.buffer.read()
            Context.looked_at = lambda: BytesIO(data)
            return open_stream(BytesIO(data), self.at)
        path = self.path()
        Context.looked_at = lambda: path.open("rb")
        session = open_log(path, self.at)
        vault = session.history.timeline.vault
        if vault and vault.is_open_to_others:
            self.screen.complain(f"Note: others can look into {vault.path}; close it with: chmod 600 {vault.path}")
        if session.head.torn:
            self.screen.complain(
                f"Note: {session.path} ends with {len(session.head.torn)} bytes of an entry that was cut short. "
                "It is no part of the game, and is moved to a .torn file when something is recorded."
            )
        return session

    def path(self) -> Path:
        """The chosen log: `-g`, then $REFEREE_GAME, then the pointer file, then the only log in `logs/`."""
        named = self._log if self._log is not None else os.environ.get("REFEREE_GAME") or None
        if named is not None:
            return path_of(named)
        return pointed_at() or _only_log()

    def state(self, session: Session) -> Any:
        """The state to look at: the one in force, or the one after entry `--at`."""
        if self.at is None:
            return session.state
        self.check_at(session)
        return session.history.state(self.at)

    def check_at(self, session: Session) -> int:
        """The entry that `--at` names; the last one when it is not given."""
        last = len(session.entries) - 1
        if self.at is not None and not 0 <= self.at <= last:
            raise MisuseError(f"there is no entry {self.at}; the log has entries 0 to {last}")
        return last if self.at is None else self.at

    def eyes(self, session: Session, text: str | None) -> Seat | None:
        """Whose eyes an option names: a seat's, or the referee's, which see everything; None: those of a spectator."""
        seat = REFEREE if text == REFEREE else seat_of(session, text)
        if seat and session.missing:
            self.screen.complain(f"Note: this game keeps secrets, and {session.missing}: some are not shown.")
        return seat

    def only_now(self, command: str) -> None:
        """Refuse `--at` where something would be recorded."""
        if self.at is not None:
            raise MisuseError(
                f"--at looks at the past, where nothing can be recorded; branch there instead of {command}"
            )

    def heading(self, session: Session, state: Any) -> str:
        """The line that every human answer begins with: game, log, turn, mover, dice mode."""
        name = session.path.stem if session.path else "standard input"
        at = "" if self.at is None else f", at entry {self.at}"
        mode = session.header.dice.__struct_config__.tag
        return f"{session.game.name} {name}{at}, {when(session, state)} ({mode} dice)"

    def tell_standing(self, session: Session, state: Any, seat: Seat | None = None) -> None:
        """The heading, and below it what the game waits for and the score, as far as `seat` may know."""
        eyes = f", as {seat or 'a spectator'} sees it" if session.keeps_secrets else ""
        self.screen.say(self.heading(session, state) + eyes)
        self.screen.say(session.game.standing(session.game.view(state, seat)), indent=2)


def path_of(text: str) -> Path:
    """A path as typed, or as read from a pointer file."""
    if not text.strip() or "\0" in text:
        raise MisuseError(f"{text!r} is no name of a file")
    return Path(text)


def when(session: Session, state: Any) -> str:
    """The turn being played and whose it is."""
    seat = session.game.to_act(state)
    return "game over" if seat is None else f"turn {session.game.turn_of(state)}, {player_of(session, seat)}"


def player_of(session: Session, seat: Seat) -> str:
    """A seat with the name of who sits there."""
    name = session.header.seats[seat]
    return seat if name == seat else f"{seat} ({name})"


def seat_of(session: Session, text: str | None) -> Seat | None:
    """The seat that an option names: its name, the beginning of it, or the name of who sits there."""
    if text is None:
        return None
    seats, names = session.seats, session.header.seats
    found = [seat for seat in seats if text and seat.startswith(text.lower())]
    if len(found) != 1:
        found = [seat for seat in seats if names.get(seat, seat).lower() == text.lower()]
    if len(found) != 1:
        raise MisuseError(f"nobody sits at {text!r}; the seats are {listing([player_of(session, s) for s in seats])}")
    return found[0]


def seats_of(session: Session, text: str | None) -> list[Seat]:
    """The seats that an option lists, parted by commas."""
    return [seat for word in (text or "").split(",") if (seat := seat_of(session, word.strip() or None))]


def faces_of(text: str | None) -> list[Typed]:
    """Faces as typed: "3,6" or "3 6"; where something is drawn, its name: "3 r7 n12 n4"."""
    words = (text or "").lower().replace(",", " ").split()
    wrong = [word for word in words if not (word.isascii() and word.isalnum() and len(word) < 12)]
    if wrong:
        raise MisuseError(f"{wrong[0]!r} is no face of a die; dice are typed like 3,6")
    return [int(word) if word.isdigit() else word for word in words]


def pointed_at(start: Path | None = None) -> Path | None:
    """The log that the nearest pointer file upward names."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        pointer = folder / POINTER
        if pointer.is_file():
            target = pointer.read_text("utf-8", errors="replace").strip()
            if not target or "\0" in target:
                raise NoGameError(f"{os.path.relpath(pointer)} names no log; choose one with: referee use LOG")
            return Path(os.path.relpath(folder / target))
    return None


def point_at(log: Path) -> None:
    """Make a log the current game of this folder."""
    target = os.path.relpath(log.resolve(), Path.cwd())
    Path(POINTER).write_text(f"{target}\n", "utf-8")


def _only_log() -> Path:
    logs = sorted(LOGS.glob("*.jsonl")) if LOGS.is_dir() else []
    if len(logs) == 1:
        return logs[0]
    if not logs:
        raise NoGameError("no game is chosen; start one with: referee new manoover")
    raise NoGameError(
        f"several games could be meant; choose with: referee use LOG ({listing([log.name for log in logs])})"
    )
