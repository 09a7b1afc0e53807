"""Audit: names the first entry that differs, the rule, and both versions; lists what was settled by agreement."""

from __future__ import annotations

import json

import msgspec
import pytest
from logfiles import beside
from long_log import AT, write_long_log
from make_corrupt import DONE, LAST, TURN, chain, entries
from support import ROOT

from referee.engine.component import read_toml
from referee.record.archive.audit import audit, audit_stream
from referee.record.log.line_format import BODY_OFFSET, format_entry_line
from referee.record.table.deeds.amend import amend_position
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note
from referee.record.table.reducer import NOT_PREDICTED
from referee.record.table.undo_redo import undo
from referee.record.table.verifier import Verifier

BOTH = ["red", "blue"]


def log_of(documents, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(chain(documents)))
    return path


def test_a_clean_log(control):
    control.do("2 turn ne")
    record_note(control, "good move")
    undo(control)
    report = audit(control.path)
    assert report.fault is None
    assert (report.game, report.entries, report.plays, report.draws, report.takebacks) == ("manoover", 6, 3, 2, 1)
    assert (report.head, report.outcome, report.amendments) == (control.head.hash, None, ())
    first = control.path.read_bytes().splitlines()[0]
    assert report.id == json.loads(first)["hash"] == control.entries[1].prev


def test_the_outcome_is_told(finished):
    assert audit(finished.path).outcome == finished.moment().outcome
    assert finished.moment().outcome.because


def test_both_versions_of_events_that_differ(tmp_path):
    documents = entries()
    documents[TURN]["events"][0]["toward"] = "SE"
    documents[LAST]["events"] = []
    fault = audit(log_of(documents, tmp_path)).fault
    assert (fault.code, fault.n) == ("wrong-events", TURN)
    assert fault.recorded == ("Turn R4 to face SE.",)
    assert fault.expected == ("Turn R4 to face NW.",)
    assert "4 turn NW" in fault.cause


def test_the_rule_of_an_illegal_action_is_cited(tmp_path):
    documents = entries()
    documents[TURN]["by"] = "blue"
    fault = audit(log_of(documents, tmp_path)).fault
    assert (fault.code, fault.n, fault.rule) == ("illegal-action", TURN, "turn.2")
    assert str(fault).endswith("[turn.2]")


def test_an_abandoned_play_is_judged_too(tmp_path):
    """What was taken back is part of the record like everything else."""
    documents = entries()
    documents[TURN]["action"]["robot"] = "1"
    assert documents[TURN + 2]["to"] == TURN - 1
    assert audit(log_of(documents, tmp_path)).fault.n == TURN


def test_the_counts_are_of_the_good_part(tmp_path):
    documents = entries()
    documents[DONE]["events"] = []
    report = audit(log_of(documents, tmp_path))
    assert (report.entries, report.plays, report.draws, report.takebacks) == (DONE, 3, 2, 1)
    assert report.head == documents[DONE]["prev"]


def test_forged_dice_are_compared_with_the_seed(tmp_path):
    documents = entries()
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    fault = audit(log_of(documents, tmp_path)).fault
    assert fault.code == "bad-dice"
    assert "draw 2 of this seed shows 6 3 4, but 6 6 6 is recorded" in fault.cause


def test_another_seed_makes_other_dice(tmp_path):
    documents = entries()
    documents[0]["dice"]["seed"] = "00" * 32
    assert audit(log_of(documents, tmp_path)).fault.code == "bad-dice"


def test_amendments_are_listed_and_gone_on_from(control):
    for turns, why in enumerate(("R1 was knocked over", "and again"), 1):
        position = msgspec.to_builtins(control.game.position_from(control.moment().state))
        amend_position(control, position | {"taken": {"red": turns, "blue": turns}}, why, BOTH)
    control.do("2 turn ne")
    report = audit(control.path)
    assert [(amended.n, amended.why, amended.agreed, amended.changes) for amended in report.amendments] == [
        (3, "R1 was knocked over", ("red", "blue"), ("taken.red and taken.blue: from 0 to 1",)),
        (4, "and again", ("red", "blue"), ("taken.red and taken.blue: from 1 to 2",)),
    ]
    assert (report.fault, report.plays) == (None, 3)


def test_the_command_line_lists_amendments(control, cli):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    amend_position(control, position | {"taken": {"red": 1, "blue": 1}}, "R1 was knocked over", BOTH)
    answer = cli("audit", control.path)
    assert answer.code == 0
    assert b"Entry 3 amends the position by agreement: R1 was knocked over" in answer.out


def test_a_takeback_needs_its_agreement_even_after_another_takeback(tmp_path):
    """Alone back to before a turn, then alone back over the throw: only the first is allowed."""
    documents = entries()
    documents[DONE:] = [documents[TURN + 2] | {"to": 1}]
    fault = audit(log_of(documents, tmp_path)).fault
    assert (fault.code, fault.n) == ("bad-agreement", DONE)
    assert "dice were rolled in entry 2" in fault.cause


@pytest.mark.parametrize("agreed", [[], ["red"], ["referee"]])
def test_everybody_has_to_agree_to_taking_dice_back(agreed, tmp_path):
    documents = entries()
    documents[TURN + 2] |= {"to": 1, "agreed": agreed}
    assert audit(log_of(documents, tmp_path)).fault.code == "bad-agreement"


def test_events_nested_too_deep(control):
    """They are no play's, and are found out though an audit looks at what they are only where they are not as due."""
    control.do("2 turn ne")
    *lines, last = control.path.read_bytes().splitlines(keepends=True)
    body = last[BODY_OFFSET:-2]
    begin, end = body.index(b'"events":[') + len(b'"events":['), body.index(b'],"n":')
    control.path.write_bytes(
        b"".join(lines) + format_entry_line(body[:begin] + b"[" * 1_900 + b"]" * 1_900 + body[end:])
    )
    beside(control.path, ".head").unlink()
    fault = audit(control.path).fault
    assert (fault.code, fault.n) == ("too-deep", len(lines))


def test_plays_are_proved_without_being_read(finished, monkeypatch):
    """Otherwise audits would be right all the same, and slow."""
    read = []
    monkeypatch.setattr(Verifier, "judge_play", lambda _judge, _reducer, entry: read.append(entry))
    report = audit(finished.path)
    assert (report.fault, report.plays, read) == (None, len(finished.entries) - 1, [])


def test_sealed_plays_are_proved_as_well(tmp_path, monkeypatch):
    log, read = write_long_log(tmp_path / "log.jsonl", 60, "mutants", options={"hidden-movement": "yes"}), []
    monkeypatch.setattr(Verifier, "judge_play", lambda _judge, _reducer, entry: read.append(entry))
    report = audit(log)
    assert (report.fault, report.plays >= 60, read) == (None, True, [])


def test_what_is_proved_is_what_judging_says(monkeypatch):
    """A fault is told in the same words, whether its play was to be proved first or not."""
    logs = sorted((ROOT / "fixtures" / "corrupt").glob("*.jsonl"))
    told = [audit(log) for log in logs]
    monkeypatch.setattr(Verifier, "predict_entry", lambda *_: NOT_PREDICTED)
    assert [audit(log) for log in logs] == told


def test_agreement_makes_it_good(tmp_path):
    documents = entries()[: TURN + 3]
    documents[TURN + 2] |= {"to": 1, "agreed": ["blue"]}
    assert audit(log_of(documents, tmp_path)).fault is None


def test_progress_is_told(tmp_path):
    session, seen = start("manoover", tmp_path / "notes.jsonl"), []
    documents = [msgspec.json.decode(msgspec.json.encode(session.entries[0]))]
    documents += [{"type": "note", "by": "referee", "at": AT, "text": f"note {number}"} for number in range(4_100)]
    audit(log_of(documents, tmp_path), seen.append)
    assert seen == [0, 2_000, 4_000]


def test_a_stream_is_audited_like_a_file(control):
    with control.path.open("rb") as file:
        assert audit_stream(file) == audit(control.path)


def test_an_audit_does_not_write(control):
    before = {path.name: path.read_bytes() for path in control.path.parent.iterdir()}
    audit(control.path)
    assert {path.name: path.read_bytes() for path in control.path.parent.iterdir()} == before


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        audit(tmp_path / "nowhere.jsonl")


def test_a_game_on_the_players_own_board_from_their_own_position(control, tmp_path):
    (component,) = control.game.components
    board = read_toml(component.shipped(control.reducer.header.options))
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    own = start("manoover", tmp_path / "own.jsonl", own={"board": board}, position=position)
    assert own.moment().state.cells == control.moment().state.cells
    own.do("2 turn ne")
    assert audit(own.path).fault is None
    assert open_log(own.path).moment().state == own.moment().state


@pytest.mark.parametrize("rulings", [[], ["r.decline"], ["made.up"]])
def test_the_rulings_in_force_are_those_of_the_rules(rulings, tmp_path):
    documents = entries()
    documents[0]["rulings"] = rulings
    fault = audit(log_of(documents, tmp_path)).fault
    assert (fault.code, fault.n) == ("bad-options", 0)
