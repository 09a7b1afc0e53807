"""A long log for measuring: whole seeded games, one after another, each taken back to the beginning by agreement."""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import OpenDice, OpenSource
from referee.engine.game import Game
from referee.record.entry import AnyEntry, PlayEntry, TakebackEntry, encode, frame, hash_of
from referee.record.session import Session, open_log, start

AT = "2026-01-01T00:00:00Z"
SEED = sha256(b"referee bench").hexdigest()


class Writer:
    """Appends entries to memory, much faster than a file that is synchronised after each."""

    def __init__(self, session: Session) -> None:
        assert session.path is not None
        self.lines = [session.path.read_bytes()]
        self.n = session.head.n
        self.prev = session.head.hash

    def add(self, kind: type, **fields: object) -> AnyEntry:
        """Add an entry of this kind."""
        entry: AnyEntry = kind(n=self.n, prev=self.prev, at=AT, **fields)
        body = encode(entry)
        self.lines.append(frame(body))
        self.prev = hash_of(body)
        self.n += 1
        return entry


def write_long_log(path: Path, plays: int, game: str = "manoover", seed: int = 1) -> Session:
    """Write a log of at least so many plays, every choice made at random from the legal list."""
    session = start(game, path, dice=OpenDice(SEED))
    writer, module, rng = Writer(session), session.game, random.Random(seed)
    done = draws = 0
    while done < plays:
        state = session.state
        while done < plays and (seat := module.to_act(state)):
            played = _random_play(module, state, seat, rng, draws)
            writer.add(PlayEntry, by=seat, action=played[0], rolls=played[1].rolls, events=played[1].events)
            state = played[1].state
            draws += len(played[1].rolls)
            done += 1
        if done < plays:
            writer.add(TakebackEntry, by=next(iter(session.header.seats)), to=0, agreed=tuple(session.header.seats))
    path.write_bytes(b"".join(writer.lines))
    path.with_name(path.name + ".head").unlink()
    return open_log(path)


def _random_play(game: Game, state: object, seat: str, rng: random.Random, draws: int) -> tuple[object, Played]:
    action = game.legal(state, seat).pick(rng)
    played = adjudicate(game, state, seat, action, OpenSource(SEED, draws))
    assert isinstance(played, Played), played
    return action, played
