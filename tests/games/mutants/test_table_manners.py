"""What holds at the table besides the rules of play: touch-move, chairs, an end that both agree on."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.dice_mode import TableDice
from referee.engine.registry import find_game
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.opening_logs import start
from referee.record.table.undo_redo import undo


@pytest.mark.parametrize("move", ["move n1 n2 to C4", "move n1 to C4, move n2 to C4"])
def test_a_move_is_not_taken_back_alone(move, tmp_path):
    position = {"units": {"C4": "buck b3", "B4": "n1..n3"}, "smashed": ["B4-C4"], "phase": "move", "turn": 6}
    session = start("mutants", tmp_path / "game.jsonl", position=position)
    session.do(move)
    with pytest.raises(NotAllowedError, match="needs human to agree"):
        undo(session, by="mutant")
    undo(session, by="mutant", agreed=["human"])
    assert "n2" in session.moment().state.units_by_place["B4"]


def test_what_is_set_up_is_taken_back_alone(tmp_path):
    session = start("mutants", tmp_path / "game.jsonl")
    session.do("wall E5-E6, put otis in F5, lift E5-E6")
    undo(session, by="human")
    assert session.moment().state.walls == {"E5-E6"}


@pytest.mark.parametrize(("side", "human"), [("mutant", "Bo"), ("human", "Ann")])
def test_names_go_with_those_who_change_chairs(side, human, tmp_path):
    names = {"human": "Ann", "mutant": "Bo"}
    session = start("mutants", tmp_path / "game.jsonl", options={"sides": "roll"}, seats=names, dice=TableDice())
    session.do("sides", faces=[6, 3])
    session.do(f"choose {side}")
    assert session.game.find_current_names(session.moment().state, session.reducer.header.names)["human"] == human


def test_both_agree_to_end_the_game(tmp_path):
    position = {"units": {"D4": "prof penny", "xN1": "n1"}, "phase": "human-move", "turn": 6}
    session = start("mutants", tmp_path / "game.jsonl", position=position)
    session.do("stop")
    assert session.moment().to_act == "human" and len(session.legal("mutant")) == 1
    session.do("stop", by="mutant")
    assert session.moment().outcome.winners == ("human",)
    assert session.moment().to_act is None and not session.legal("mutant")
    with pytest.raises(NotAgreedError, match=r"by the rules, entry \d+ is final"):
        undo(session, by="mutant")
    undo(session, by="mutant", agreed=["human"])
    assert session.moment().outcome is None


def test_who_has_played_on_has_let_the_proposal_lapse(tmp_path):
    """What the end would have been may have turned since."""
    position = {"units": {"D4": "prof penny", "xN1": "n1"}, "phase": "human-move", "turn": 6}
    session = start("mutants", tmp_path / "game.jsonl", position=position)
    session.do("stop")
    session.do("move penny to D3")
    assert session.moment().state.stop is None
    assert not session.legal("mutant")
    session.do("stop")
    assert session.moment().state.stop == "human", "it can be proposed anew"


def test_a_captive_counts_for_neither_side():
    position = {"units": {"D4": "penny n7", "A1": "otis"}, "captive": True, "phase": "human-move", "turn": 6}
    state = Bench(find_game("mutants")).place(position, scenario="alternate")
    assert "1 Human-side unit and 1 Mutant on the board" in find_game("mutants").status(state)
    assert state.list_fighters("human", "D4") == () and state.list_contested_rooms() == ()


def test_the_seats_have_the_colours_of_their_counters():
    assert find_game("mutants").colours(("human", "mutant")) == {"human": "blue", "mutant": "green"}
