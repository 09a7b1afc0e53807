"""A long log for measuring: whole seeded games, one after another, each taken back to the beginning by agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from referee.engine.adjudication import LegalVerdict
from referee.engine.dice_mode import OpenDice
from referee.record.log.line_format import format_entry_line, hash_entry
from referee.record.log.sealing import SecretWriter
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.entry_draft import Draft, draft_play
from referee.record.table.moment import JudgedAction, Moment
from referee.record.table.opening_logs import open_log, start
from referee.record.table.session import Session

AT = "2026-01-01T00:00:00Z"
SEED = sha256(b"referee bench").hexdigest()


@contextmanager
def always_same(seed: int = 1) -> Iterator[None]:
    """Gives logs that are written in the block the same bytes each time.

    Time stands still, and random bytes come from a seed.
    """
    with ExitStack() as stack:
        for module in ("table.entry_encoder", "table.opening_logs", "archive.match"):
            stack.enter_context(patch(f"referee.record.{module}.get_current_time", lambda: AT))
        stack.enter_context(patch("referee.record.table.opening_logs.PROGRAM_VERSION", "tests"))
        stack.enter_context(patch("os.urandom", Random(seed).randbytes))
        yield


class Writer:
    """Plays on in memory. This is much faster than a file that is synchronised after each entry."""

    def __init__(self, session: Session) -> None:
        assert session.path is not None
        self.path = session.path
        self.seats = session.reducer.seats
        self.moment = session.moment()
        """The game as it stands."""
        self.begun = self.moment
        self.n = session.head.n
        self._lines = [session.path.read_bytes()]
        self._prev = session.head.hash
        self._sealer = SecretWriter(session.reducer.opener.vaults, session.reducer.opener.game_id)

    def add(self, draft: Draft) -> None:
        """Adds an entry."""
        body = self._sealer.encode_entry(draft(n=self.n, prev=self._prev, at=AT))
        self._lines.append(format_entry_line(body))
        self._prev = hash_entry(body)
        self.n += 1

    def play(self, action: Any) -> None:
        """Adds a play of the seat to act, and the answers that follow from it."""
        said, _ = self.moment.judge(action)
        self.take([said])
        while answer := self.moment.find_forced_answer():
            self.take([answer])

    def take(self, said: Iterable[JudgedAction]) -> None:
        """Adds judged actions."""
        for item in said:
            assert isinstance(item.verdict, LegalVerdict), item
            self.add(draft_play(item))
            self.moment = self.moment.apply_action(item)

    def take_back(self, to: int, by: str, moment: Moment, agreed: tuple[str, ...] = ()) -> None:
        """Adds a takeback to entry `to`. `moment` is the game after that entry."""
        self.add(partial(TakebackEntry, by=by, to=to, agreed=agreed))
        self.moment = replace(moment, draws=self.moment.draws)

    def begin_again(self) -> None:
        """Adds a takeback of all plays, by agreement of all seats."""
        self.take_back(0, self.seats[0], self.begun, self.seats)

    def write(self) -> None:
        """Writes all entries into the file."""
        self._sealer.save()
        self.path.write_bytes(b"".join(self._lines))
        self.path.with_name(self.path.name + ".head").unlink()


def write_long_log(
    path: Path, plays: int, game: str = "manoover", seed: int = 1, options: Mapping[str, str] | None = None
) -> Path:
    """Writes a log of at least `plays` plays. Each is drawn at random from the legal list. All secrets are revealed."""
    session = start(game, path, dice=OpenDice(SEED), options=options)
    writer, rng, done = Writer(session), Random(seed), 0
    while done < plays:
        while done < plays and writer.moment.to_act:
            before = writer.n
            writer.play(writer.moment.legal().pick(rng))
            done += writer.n - before
        if done < plays:
            writer.begin_again()
    writer.write()
    if session.reducer.keepers:
        reveal_secrets(open_log(path), agreed=session.reducer.seats)
    return path
