"""Games that their players end: who has won, who must agree, and that nothing is played after it."""

from __future__ import annotations

import pytest
from logfiles import forge

from referee.engine.dice_mode import TableDice
from referee.record.archive.audit import audit
from referee.record.archive.match import open_match, start_match
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.resign import resign
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo

BOTH = ["red", "blue"]


def test_who_resigns_has_lost(control):
    resign(control, "red")
    assert (control.moment().to_act, list(control.legal())) == (None, [])
    assert control.moment().outcome.winners == ("blue",)
    assert control.moment().outcome.ranks == (("blue",), ("red",))
    assert control.moment().outcome.because == "red has resigned"
    assert open_log(control.path).moment().outcome == audit(control.path).outcome == control.moment().outcome


@pytest.mark.parametrize(
    ("winners", "because"), [(["blue"], "blue has won"), (BOTH, "red and blue have tied"), ([], "nobody has won")]
)
def test_an_end_by_agreement(control, winners, because):
    with pytest.raises(NotAgreedError, match="needs blue to agree"):
        end_by_agreement(control, winners, ["red"])
    end_by_agreement(control, winners, BOTH)
    assert control.moment().outcome.winners == tuple(winners)
    assert control.moment().outcome.because == f"ended by agreement: {because}"
    assert audit(control.path).fault is None


def test_nothing_is_played_after_the_end(control):
    resign(control, "red")
    before = control.path.read_bytes()
    position = {"turn": "red", "robots": []}
    for late in (
        lambda: control.do("2 go"),
        lambda: control.do("2 go", by="blue"),
        lambda: resign(control, "blue"),
        lambda: end_by_agreement(control, BOTH, BOTH),
        lambda: amend_position(control, position, "because", BOTH),
    ):
        with pytest.raises(NotAllowedError):
            late()
    assert control.path.read_bytes() == before
    record_note(control, "a good game")
    assert audit(control.path).fault is None


def test_an_end_is_taken_back_by_agreement(control):
    before = control.moment().state
    resign(control, "red")
    with pytest.raises(NotAgreedError, match="entry 3 ended the game"):
        undo(control)
    undo(control, agreed=BOTH)
    assert (control.moment().outcome, control.moment().to_act, control.moment().state) == (None, "red", before)
    control.do("2 go")
    assert audit(control.path).fault is None
    undo(control)
    assert open_log(control.path).moment().to_act == "red"


def test_where_three_play_the_others_must_agree_that_it_ends(path):
    session = start("manoover", path, options={"form": "three", "first": "red"}, dice=TableDice())
    with pytest.raises(NotAgreedError, match="needs blue and green to agree"):
        resign(session, "red")
    resign(session, "red", ["blue", "green"])
    assert session.moment().outcome.ranks == (("blue", "green"), ("red",))
    assert audit(path).fault is None


def test_nobody_else_resigns(control):
    for by in ("referee", "green"):
        with pytest.raises(NotAllowedError):
            resign(control, by)
    assert len(control.entries) == 3


def test_a_finished_game_is_not_ended_again(finished):
    with pytest.raises(NotAllowedError, match="over already"):
        resign(finished, "red")


def test_a_log_in_which_a_finished_game_is_given_up_is_found(finished):
    end = {"agreed": [], "at": "2026-01-01T00:00:00Z", "by": "red", "type": "resign"}
    forge(finished.path, lambda entries: entries.append(end))
    fault = audit(finished.path).fault
    assert (fault.code, fault.cause) == ("bad-order", "the game is over already")


def test_after_resigning_secrets_are_opened_freely(hidden):
    resign(hidden, "red")
    assert hidden.moment().outcome.winners == ("blue",)
    reveal_secrets(hidden)
    report = audit(hidden.path)
    assert (report.fault, report.secrets, report.outcome) == (None, 0, hidden.moment().outcome)


def test_a_game_of_a_match_is_given_up(tmp_path):
    match = start_match("manoover", tmp_path / "match.jsonl")
    game = match.start_next(TableDice())
    game.do("throwoff", faces=[6, 1])
    resign(game, "red")
    assert match.end_game().result.winners == ("blue",)
    assert open_match(match.path).score.totals == {"red": 0, "blue": 4}
