"""Whole games: the samples that come along, and random ones through the record."""

from __future__ import annotations

import tomllib
from random import Random

import pytest
from own_boards import DOCUMENT
from playing import random_options
from sample_games import GAMES, SAMPLES

from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.archive.audit import audit
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import open_log, start
from referee.record.table.undo_redo import undo

LARGEST = 400_000
"""Bytes that a full game's log may have, played in plain view."""
LARGEST_HIDDEN = 1_200_000
"""The same where almost every play is a secret, and each is revealed in an entry of its own."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_game_is_finished_and_clean(name):
    report = audit(GAMES / f"{name}.jsonl")
    assert report.fault is None
    assert report.outcome is not None
    is_hidden = SAMPLES[name].get("hidden-movement") == "yes"
    assert (GAMES / f"{name}.jsonl").stat().st_size < (LARGEST_HIDDEN if is_hidden else LARGEST)


@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_ends_and_is_clean(seed, tmp_path):
    random = Random(seed)
    options = random_options(random)
    session = start("mutants", tmp_path / "game.jsonl", options=options, dice=OpenDice(f"{seed:064x}"))
    while session.moment().to_act:
        session.play(picked(session.legal(), random))
    if session.reducer.keepers:
        reveal_secrets(session)
    report = audit(tmp_path / "game.jsonl")
    assert report.fault is None
    assert report.outcome == session.moment().outcome
    assert (tmp_path / "game.jsonl").stat().st_size < (LARGEST_HIDDEN if session.reducer.keepers else LARGEST)


def picked(legal, random):
    """Anything that a player would choose as a rule."""
    return random.choice([choice for choice in legal.choices if not choice.minor] or legal.choices).pick(random)


@pytest.mark.parametrize("path", sorted((GAMES.parent / "positions").glob("*.toml")), ids=lambda path: path.stem)
def test_a_game_begins_from_a_file(path, tmp_path):
    document = tomllib.loads(path.read_text("utf-8"))
    options = document.pop("options", {})
    session = start("mutants", tmp_path / "game.jsonl", position=document, options=options)
    session.do("move r2 to C5, end")
    assert session.moment().state.phase == "human-move"


def test_a_game_begins_from_a_position_and_goes_on_after_a_takeback(tmp_path):
    position = {"units": {"C4": "buck b3", "B4": "n1..n3"}, "smashed": ["B4-C4"], "phase": "move", "turn": 6}
    session = start("mutants", tmp_path / "game.jsonl", position=position)
    session.do("move n1 n2 to C4")
    undo(session, agreed=["human"])
    session.do("move n1..n3 to C4, end, fight C4, lay auto, pair auto, resolve")
    assert open_log(tmp_path / "game.jsonl").moment().state == session.moment().state
    assert audit(tmp_path / "game.jsonl").fault is None


def test_a_group_plays_on_its_own_board(tmp_path):
    board = DOCUMENT | {"name": "ours", "smashed-door-table": [1, 3, 5, 6]}
    position = {"units": {"xN4": "n1"}}
    session = start("mutants", tmp_path / "game.jsonl", position=position, own={"board": board}, dice=TableDice())
    session.do("smash xN4-D1 n1", faces=[2])
    assert session.moment().state.smashed == frozenset()
    assert audit(tmp_path / "game.jsonl").fault is None


def test_the_legal_list_stays_short(tmp_path):
    session = start("mutants", tmp_path / "game.jsonl", dice=OpenDice("7" * 64))
    session.do("random, ready, random, ready")
    longest = 0
    random = Random(7)
    while session.moment().to_act and session.moment().state.turn < 3:
        legal = session.legal()
        longest = max(longest, len(legal.choices))
        session.play(picked(legal, random))
    assert longest < 90
    filtered = session.game.filter(session.legal(), ["end"], session.moment().state)
    assert len(filtered) <= 1


def test_a_room_stands_for_those_who_are_in_it(tmp_path):
    position = {"units": {"C4": "n1 n2", "D2": "r1", "xN4": "n3"}, "smashed": ["C4-D4"], "phase": "smash"}
    session = start("mutants", tmp_path / "game.jsonl", position=position)
    game, legal = session.game, session.legal()
    assert {
        choice.slots["door"].values[0] for choice in game.filter(legal, ["D2"], session.moment().state).choices
    } == {
        "D1-D2",
        "C2-D2",
        "D2-E2",
        "D2-D3",
    }
    assert all(
        "n3" in choice.slots["units"].values for choice in game.filter(legal, ["XN4"], session.moment().state).choices
    )
    session.do("end")
    assert len(game.filter(session.legal(), ["c4", "d4"], session.moment().state)) == 3
    assert len(game.filter(session.legal(), ["d4"], session.moment().state)) == 3
