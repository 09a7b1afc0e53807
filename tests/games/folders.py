"""Games by mail: each player has a folder of his own, with the vault of his seat if it keeps secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from players import is_at

from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_forced_answers
from referee.record.table.reducer import TRUSTING_JUDGE
from referee.record.table.session import Session


class Folder:
    """The computer of one player."""

    def __init__(self, path: Path, seat: str) -> None:
        path.mkdir()
        self.log, self.seat = path / "game.jsonl", seat
        self._open: Session | None = None

    @property
    def session(self) -> Session:
        """The game, read anew where the file is not what was last read or written here."""
        if self._open is None or not is_at(self._open, self.log.read_bytes()):
            self._open = open_log(self.log)
        return self._open

    def copy_to(self, other: Folder) -> None:
        """The other has the whole log from here, which he reads from its beginning."""
        other.log.write_bytes(self.log.read_bytes())

    def send_to(self, other: Folder) -> None:
        """The other has what is new here, and goes on by that."""
        session = other.session
        session.append_foreign(self.session.entries.read_raw_lines()[len(session.entries) :], TRUSTING_JUDGE)

    def play_on(self, choose: Callable[[Any], Any]) -> str | None:
        """Play while it is this player's turn what is chosen on his view; what he is asked is answered at once. Returns
        whose turn it is then.
        """
        session = self.session
        record_forced_answers(session)
        while session.moment().to_act == self.seat and not session.moment().is_answer_due:
            session.play(choose(session.moment().view(self.seat)))
        return session.moment().to_act

    def vaults(self) -> list[str]:
        return sorted(path.name for path in self.log.parent.glob("*.vault"))
