"""A long log for measuring: whole seeded games, one after another, each taken back to the beginning by agreement."""

from __future__ import annotations

import random
from functools import partial
from hashlib import sha256
from pathlib import Path

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import OpenDice, OpenSource
from referee.engine.sealed import derive_salt, leaf_of
from referee.record.entry import (
    AnyEntry,
    PlayEntry,
    RevealEntry,
    SealedEntry,
    SealedPlay,
    TakebackEntry,
    encode,
    frame,
    hash_of,
)
from referee.record.session import Session, open_log, start

AT = "2026-01-01T00:00:00Z"
SEED = sha256(b"referee bench").hexdigest()
MASTER = bytes(32)


class Writer:
    """Plays on in memory, much faster than into a file that is synchronised after each entry."""

    def __init__(self, session: Session) -> None:
        assert session.path is not None
        assert isinstance(session.header.dice, OpenDice)
        self.game = session.game
        self.lines = [session.path.read_bytes()]
        self.n = session.head.n
        self.prev = session.head.hash
        self._id = session.history.timeline.game_id
        self._seeds = {False: session.header.dice.seed, True: session.history.timeline.secret_seed}
        self._draws = {False: 0, True: 0}
        self._seats = tuple(session.seats)
        self._secrets = [session._reveal_of(n, "referee", ()) for n in session.history.timeline.sealed]

    def add(self, kind: type, **fields: object) -> AnyEntry:
        """Add an entry of this kind."""
        entry: AnyEntry = kind(n=self.n, prev=self.prev, at=AT, **fields)
        body = encode(entry)
        self.lines.append(frame(body))
        self.prev = hash_of(body)
        self.n += 1
        return entry

    def play(self, state: object, seat: str, action: object) -> object:
        """Add a play, sealed if it is a secret; return the state after it."""
        secret = self.game.disclose(state, action, ()) is not None
        source = OpenSource(self._seeds[secret], self._draws[secret], "sealed" if secret else "open")
        played = adjudicate(self.game, state, seat, action, source)
        assert isinstance(played, Played), (seat, action, played)
        self._draws[secret] += len(played.rolls)
        disclosed = self.game.disclose(state, action, played.events)
        if disclosed is None:
            self.add(PlayEntry, by=seat, action=action, rolls=played.rolls, events=played.events)
        else:
            self._seal(seat, SealedPlay(action, played.rolls, played.events), disclosed)
        return played.state

    def _seal(self, seat: str, secret: SealedPlay, events: tuple) -> None:
        salt = derive_salt(MASTER, self._id, self.prev)
        leaf = leaf_of(self._id, seat, self.prev, salt, encode(secret))
        self._secrets.append(partial(RevealEntry, by="referee", of=self.n, salt=salt.hex(), secret=secret))
        self.add(SealedEntry, by=seat, leaf=leaf, events=events)

    def reveal(self) -> None:
        """Add what opens every secret, all seats agreeing."""
        for draft in self._secrets:
            self.add(draft, agreed=self._seats)
        self._secrets = []


def write_long_log(
    path: Path, plays: int, game: str = "manoover", seed: int = 1, options: dict[str, str] | None = None
) -> Session:
    """Write a log of at least so many plays, every choice made at random from the legal list; secrets are revealed."""
    session = start(game, path, dice=OpenDice(SEED), options=options)
    writer, module, rng = Writer(session), session.game, random.Random(seed)
    done = 0
    while done < plays:
        state = session.state
        while done < plays and (seat := module.to_act(state)):
            state = writer.play(state, seat, module.legal(state, seat).pick(rng))
            done += 1
        if done < plays:
            writer.add(TakebackEntry, by=next(iter(session.header.seats)), to=0, agreed=tuple(session.header.seats))
    writer.reveal()
    path.write_bytes(b"".join(writer.lines))
    path.with_name(path.name + ".head").unlink()
    return open_log(path)
