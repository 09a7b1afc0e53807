"""Random games of every kind, under random options: they end, and their logs audit clean."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from long_log import Writer

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import OpenDice, OpenSource
from referee.engine.game import find_game, settle_options
from referee.record.audit import audit_stream
from referee.record.entry import PlayEntry
from referee.record.session import start

GAMES = {"manoover": 200, "mutants": 200}
TOGETHER = 10
LONGEST = 5_000
RUNS = [(game, first) for game, count in GAMES.items() for first in range(0, count, TOGETHER)]


def random_options(game, rng):
    """Options that go together, every one of them as likely as another."""
    while True:
        given = {option.name: rng.choice(option.values) for option in game.options if rng.random() < 0.4}
        given.pop("hidden-movement", None)  # every play is written in the open here
        if not list(game.check_options(settle_options(game, given))):
            return given


def played_out(name, seed, path):
    """A whole log, in memory."""
    game, rng = find_game(name), Random(seed)
    dice = f"{rng.getrandbits(256):064x}"
    session = start(name, path, options=random_options(game, rng), dice=OpenDice(dice))
    writer, state, draws = Writer(session), session.state, 0
    for _ in range(LONGEST):
        seat = game.to_act(state)
        if seat is None:
            return b"".join(writer.lines)
        action = rng.choice(game.legal(state, seat).choices).pick(rng)
        played = adjudicate(game, state, seat, action, OpenSource(dice, draws))
        assert isinstance(played, Played), (seat, action, played)
        writer.add(PlayEntry, by=seat, action=action, rolls=played.rolls, events=played.events)
        state, draws = played.state, draws + len(played.rolls)
    raise AssertionError(f"game {seed} goes on after {LONGEST} actions")


@pytest.mark.parametrize(("name", "first"), RUNS)
def test_random_games_end_and_audit_clean(name, first, tmp_path):
    for seed in range(first, first + TOGETHER):
        data = played_out(name, seed, tmp_path / f"{seed}.jsonl")
        report = audit_stream(BytesIO(data))
        assert report.fault is None, (seed, report.fault)
        assert report.outcome is not None
        assert len(data) < 400 * 1024
