"""The law over every command: two games that somebody cannot tell apart answer him alike, whatever he types."""

from __future__ import annotations

import pytest
from third_party import installed
from twins import CLOCK, Twins, begun, copied, masked, twins
from typed_twins import HIDDEN, differences, in_the_shell

from referee.engine.registry import find_game
from referee.record.table.deeds.amend_pieces import amend_pieces
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

SOME = 20
"""Lines that are typed for each viewer of each pair; the script `twin_games.py` types them all, on many pairs."""


@pytest.fixture(autouse=True)
def ambush_is_installed():
    with installed():
        yield


@pytest.mark.parametrize(("name", "options", "seed"), HIDDEN)
def test_no_command_tells_twins_apart(cli, place, tmp_path, monkeypatch, name, options, seed):
    pair = next(filter(None, (twins(name, options, tmp_path / f"{seed + n}", seed + n) for n in range(0, 100, 10))))
    assert pair.viewers
    found = differences(cli, pair, find_game(name), monkeypatch, SOME)
    assert next(found, None) is None


@pytest.mark.parametrize(("name", "options", "seed"), HIDDEN)
def test_facts_are_alike_for_all_who_cannot_tell_twins_apart(tmp_path, name, options, seed):
    """They are handed on to anybody: nothing may stand in them that hangs on a secret of others."""
    told = 0
    for pair in filter(None, (twins(name, options, tmp_path / str(n), seed + n) for n in range(0, 100, 10))):
        one, other = (open_log(folder / "g.jsonl") for folder in (pair.one, pair.other))
        for n in range(len(one.entries)):
            assert _told(one, n) == _told(other, n), (pair, n)
            told += 1
    assert told


def _told(session, n):
    """All facts after an entry, but for the game, which is the same object for both."""
    facts = SeatView(session, at=n).facts
    return {name: getattr(facts, name) for name in facts.__struct_fields__ if name != "game"}


def test_an_amendment_that_stays_sealed_tells_twins_nothing_apart(cli, place, tmp_path, monkeypatch):
    """Two monsters, one of which comes from the west by now, and one from the south."""
    monkeypatch.setattr("referee.record.table.entry_encoder.get_current_time", lambda: CLOCK)
    monkeypatch.setattr("referee.record.table.opening_logs.get_current_time", lambda: CLOCK)
    pair = Twins(tmp_path / "pair" / "one", tmp_path / "pair" / "other", ("human", None))
    for folder, edge in ((pair.one, "W"), (pair.other, "S")):
        session = begun("sheboygan", {}, folder)
        for line in ("abilities great-height", "record att=5 def=5 des=1 mov=2", "edge N"):
            session.do(line)
        amend_pieces(session, [f"edge {edge}"], "misread", ["human"], "monster")
    found = differences(cli, pair, find_game("sheboygan"), monkeypatch, SOME)
    assert next(found, None) is None
    assert "misread" in cli("-g g.jsonl log").out


def test_figures_of_logs_tell_nothing_of_throws_in_secret(cli, tmp_path, monkeypatch):
    pair = twins("mutants", {"hidden-movement": "yes"}, tmp_path / "pair", 90)
    for line in ("--json stats .", "--json dice", "--json luck"):
        told = []
        for folder in (pair.one, pair.other):
            monkeypatch.chdir(copied(folder, folder.name))
            told.append(masked(in_the_shell(cli, line)))
        assert told[0] == told[1], line
