"""Whole games: the samples that come along, random ones in every form through the record, and positions from files."""

from __future__ import annotations

import tomllib
from random import Random

import pytest
from zombie_play import FORMS, GAME
from zombie_samples import GAMES, SAMPLES

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log, start
from referee.record.table.undo_redo import undo

POSITIONS = sorted((GAMES.parent / "positions").glob("*.toml"))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_game_is_finished_and_clean(name):
    report = audit(GAMES / f"{name}.jsonl")
    assert report.fault is None
    assert report.outcome is not None
    options = open_log(GAMES / f"{name}.jsonl").reducer.header.options
    assert SAMPLES[name][0].items() <= options.items()


def test_the_samples_show_a_zombie_hero_and_a_team_that_is_rescued():
    versus, teams = (open_log(GAMES / f"{name}.jsonl") for name in ("versus", "teams"))
    assert any(player.is_zombie for player in versus.moment().state.players.values())
    assert "rescued" in (teams.moment().outcome.because if teams.moment().outcome else "")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()) or "versus")
def test_a_random_game_ends_and_is_clean(form, tmp_path):
    random = Random(5)
    session = start("zombies", tmp_path / "game.jsonl", options=form, dice=OpenDice("5" * 64))
    for _ in range(300):
        if session.moment().to_act:
            session.play(session.legal().pick(random))
    report = audit(tmp_path / "game.jsonl")
    assert report.fault is None
    assert report.outcome == session.moment().outcome


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_a_game_begins_from_a_file(path, tmp_path):
    document = tomllib.loads(path.read_text("utf-8"))
    options = document.pop("options", {})
    session = start("zombies", tmp_path / "game.jsonl", position=document, options=options)
    assert session.legal()
    assert audit(tmp_path / "game.jsonl").fault is None


def test_what_was_played_can_be_taken_back(tmp_path):
    document = tomllib.loads(POSITIONS[0].read_text("utf-8"))
    options = document.pop("options", {})
    session = start("zombies", tmp_path / "game.jsonl", position=document, options=options)
    before = session.moment().state
    session.do("tile d8")
    undo(session)
    assert session.moment().state == before
    assert GAME.position_from(session.moment().state) == GAME.position_from(
        open_log(tmp_path / "game.jsonl").moment().state
    )
