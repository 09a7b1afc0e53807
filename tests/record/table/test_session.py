"""A game in progress: what may be put on record, and what may not."""

from __future__ import annotations

import io

import msgspec
import pytest

from referee.engine.component import BoardError
from referee.engine.dice import DiceError
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.options import OptionError
from referee.engine.registry import UnknownGameError
from referee.engine.text import NotUnderstoodError
from referee.record.archive.audit import audit
from referee.record.log.field_types import MAX_LINE_BYTES, MAX_STRING
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.deeds.amend import amend_position
from referee.record.table.opening_logs import branch, open_log, open_stream, start
from referee.record.table.recording import record_note

BOTH = ["red", "blue"]

# Starting

UNREADABLE_NAMES = {
    "empty": "",
    "spaces": "   ",
    "too long": "A" * 61,
    "escape": "\x1b[31mAnna",
    "newline": "Anna\nBo",
    "delete": "Anna\x7f",
    "bidi override": "\u202eannA",
    "zero width space": "An\u200bna",
    "zero width joiner": "An\u200dna",
    "soft hyphen": "An\u00adna",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Braille blank": "\u2800",
    "Hangul initial filler": "\u115f",
    "lone surrogate": "\ud83d",
    "private use": "\ue000",
    "line separator": "Anna\u2028Bo",
}


@pytest.mark.parametrize("name", UNREADABLE_NAMES.values(), ids=list(UNREADABLE_NAMES))
def test_names_that_nobody_could_read_are_refused(name, tmp_path):
    with pytest.raises(NotAllowedError, match="a name"):
        start("manoover", tmp_path / "new.jsonl", seats={"red": name})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["Anna", "Зоя", "龍", "Ann-Marie O'Neill", "é", "A" * 60, "👍"])
def test_names_of_all_scripts_are_kept(name, tmp_path):
    session = start("manoover", tmp_path / "new.jsonl", seats={"red": name})
    assert open_log(session.path).reducer.header.names == {"red": name, "blue": "blue"}
    assert audit(session.path).fault is None


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (UnknownGameError, {"game": "chess"}),
        (UnknownGameError, {"game": "../manoover"}),
        (OptionError, {"options": {"weather": "fine"}}),
        (OptionError, {"options": {"ties": "sometimes"}}),
        (NotAllowedError, {"seats": {"green": "Cleo"}}),
        (NotAllowedError, {"position": {"turn": "red", "robots": []}}),
        (NotAllowedError, {"position": {"weather": "fine"}}),
        ((NotAllowedError, BoardError), {"own": {"board": {"title": "none"}}}),
        (BoardError, {"own": {"weather": {}}}),
        (NotAllowedError, {"seats": ["Anna", "Bo", "Cleo"]}),
    ],
)
def test_what_cannot_be_started_leaves_no_file(error, wrong, tmp_path):
    with pytest.raises(error):
        start(**({"game": "manoover", "path": tmp_path / "new.jsonl"} | wrong))
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_seed_is_drawn_when_none_is_given(tmp_path):
    seeds = {start("manoover", tmp_path / f"{n}.jsonl").reducer.header.dice.seed for n in range(5)}
    assert len(seeds) == 5


def test_the_game_entry_says_all_that_is_in_force(control):
    header = open_log(control.path).reducer.header
    assert set(header.options) == {option.name for option in control.game.options}
    assert header.rulings == tuple(sorted(header.rulings))
    assert header.rulings
    assert header.dice == TableDice()
    assert (header.n, header.prev, header.position) == (0, "0" * 64, None)


# Judging


def test_judging_records_nothing_and_changes_nothing(control):
    before, state = control.path.read_bytes(), control.moment().state
    line = control.judge("2 turn ne, 2 turn n")
    assert [item.refusals for item in line.said] == [(), ()]
    assert line.moment.state != state
    assert (control.path.read_bytes(), control.moment().state) == (before, state)


def test_a_line_is_judged_up_to_the_first_refusal(control):
    line = control.do("2 turn ne, 1 go, dance")
    assert line.refused
    assert [bool(item.refusals) for item in line.said] == [False, True]
    assert len(control.entries) == 3


def test_each_action_of_a_line_sees_the_one_before(control):
    line = control.do("6 turn ne, 6 go")
    assert [bool(item.refusals) for item in line.said] == [False, True], "the only 6 is spent"


def test_what_is_recorded_is_what_was_judged(control):
    line = control.judge("2 turn ne, 2 turn n")
    control.record(line.said)
    for entry, item in zip(control.entries[3:], line.said, strict=True):
        assert (entry.by, entry.action, entry.events) == (item.seat, item.action, item.verdict.events)
    assert control.moment().state == line.moment.state == open_log(control.path).moment().state


def test_dice_are_not_typed_in_where_a_seed_gives_them(solo):
    with pytest.raises(DiceError, match="come from the seed"):
        solo.do("throwoff", faces=[6, 1])
    assert len(solo.entries) == 1


@pytest.mark.parametrize("faces", [[6, 1, 1], [7, 1], [0, 1], [-1, 1]])
def test_dice_that_cannot_be_are_refused(faces, table):
    with pytest.raises(DiceError):
        table.do("throwoff", faces=faces)
    assert len(table.entries) == 1


def test_the_pen_and_the_legal_list(control):
    assert control.moment().to_act == "red"
    assert not control.legal("blue")
    assert {item.action for item in control.judge("2 go").said} <= set(control.legal())


def test_nothing_is_legal_when_the_game_is_over(finished):
    assert not finished.legal()
    assert finished.do("throw").refused
    assert open_log(finished.path).moment().outcome == finished.moment().outcome


# Notes


@pytest.mark.parametrize("text", ["x", "é ü 龍 👍", "tabs are no\u00a0problem" * 3, "x" * MAX_STRING])
def test_notes_are_kept_as_written(text, control):
    record_note(control, text, by="blue")
    entry = open_log(control.path).entries[-1]
    assert (entry.text, entry.by) == (text, "blue")
    assert audit(control.path).fault is None


UNFIT = ["", "  ", "x" * (MAX_STRING + 1), "bell \x07", "\x1b[2J", "two\nlines", "tab\t", "\x7f", "\x9b31m", "\x85"]
UNFIT += ["\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\ud83d"]


@pytest.mark.parametrize("text", UNFIT, ids=ascii)
def test_notes_that_would_garble_a_terminal_are_refused(text, control):
    before = control.path.read_bytes()
    with pytest.raises(NotAllowedError):
        record_note(control, text)
    assert control.path.read_bytes() == before


def test_a_note_that_fills_a_line_can_be_read_back(control):
    record_note(control, "\U0001f600" * MAX_STRING)
    assert max(map(len, control.path.read_bytes().splitlines())) < MAX_LINE_BYTES
    assert audit(control.path).fault is None
    assert open_log(control.path).entries[-1].text == "\U0001f600" * MAX_STRING


def test_a_position_too_large_for_a_line_is_refused(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    before = control.path.read_bytes()
    with pytest.raises(NotAllowedError):
        amend_position(control, position | {"captured": {"x" * 4000 + str(n): [] for n in range(20)}}, "large", BOTH)
    assert control.path.read_bytes() == before


@pytest.mark.parametrize("why", ["", "\x1b[2J", "x" * (MAX_STRING + 1)])
def test_the_reason_of_an_amendment_is_text_like_any_other(why, control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    with pytest.raises(NotAllowedError):
        amend_position(control, position, why, BOTH)
    assert len(control.entries) == 3


@pytest.mark.parametrize("agreed", [[], ["red"], ["red", "red"], ["red", "green"], ["referee"]])
def test_an_amendment_needs_every_seat(agreed, control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    with pytest.raises(NotAllowedError):
        amend_position(control, position, "because", agreed)
    assert len(control.entries) == 3


def test_an_amendment_must_be_a_position_of_the_game(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state))
    goal = next(iter(control.moment().state.goals))
    robot, *_ = position["robots"][0].split()
    position["robots"] = [f"{robot} {goal} N", *position["robots"][1:]]
    with pytest.raises(NotAllowedError, match=r"goal.*\(goal\.3\)"):
        amend_position(control, position, "because", BOTH)


# Branches and streams


@pytest.mark.parametrize("name", ["../b", "a/b", "", ".b", "b\n", "x" * 65, "b c", "\x1b"])
def test_names_of_branches_are_plain(name, control, tmp_path):
    with pytest.raises(NotAllowedError):
        branch(control, name)
    assert [path.name for path in tmp_path.rglob("*.jsonl")] == ["game.jsonl"]


@pytest.mark.parametrize("at", [-1, 3, 100])
def test_branches_leave_from_an_entry_that_is_there(at, control):
    with pytest.raises(NotAllowedError, match="entries 0 to 2"):
        branch(control, "b", at)


def test_a_branch_goes_its_own_way(control):
    other = branch(control, "b", 2)
    control.do("2 turn ne")
    other.do("6 turn ne")
    assert other.moment().state != control.moment().state
    for session in (control, other):
        assert open_log(session.path).moment().state == session.moment().state
        assert audit(session.path).fault is None


def test_a_branch_of_a_branch(control):
    second = branch(branch(control, "one", 1), "two")
    assert [entry.name for entry in second.entries[2:]] == ["one", "two"]
    assert second.entries[3].parent == "game-one"
    assert audit(second.path).fault is None


def test_dice_of_a_branch_go_on_where_its_parents_were(solo):
    solo.do("throwoff")
    other = branch(solo, "b")
    solo.do("throw")
    other.do("throw")
    assert other.entries[-1].rolls == solo.entries[-1].rolls


def test_a_piped_log_can_be_looked_at_but_not_added_to(control):
    session = open_stream(io.BytesIO(control.path.read_bytes()))
    assert (session.moment().state, session.path) == (control.moment().state, None)
    for record in (lambda: record_note(session, "x"), lambda: session.do("2 turn ne"), lambda: branch(session, "b")):
        with pytest.raises(NotAllowedError, match="piped in"):
            record()


@pytest.mark.parametrize("cut", [1, 20])
def test_a_piped_log_that_is_cut_short(cut, control):
    session = open_stream(io.BytesIO(control.path.read_bytes()[:-cut]))
    assert len(session.entries) == (3 if cut == 1 else 2)


def test_a_moment_that_is_not_there(control):
    assert len(open_log(control.path, upto=99).entries) == 3
    with pytest.raises(LookupError):
        control.moment(99)


def test_the_log_says_who_and_what(control):
    control.do("2 turn ne")
    entry = open_log(control.path).entries[-1]
    assert (entry.n, entry.by, control.game.format(entry.action)) == (3, "red", "2 turn NE")
    assert entry.rolls == ()


def test_faults_are_values_that_can_be_sent(control):
    control.path.write_bytes(b"nonsense")
    with pytest.raises(FaultError) as stopped:
        open_log(control.path)
    sent = msgspec.json.decode(msgspec.json.encode(stopped.value.fault))
    assert (sent["code"], sent["n"], sent["offset"]) == ("not-a-log", 0, 0)


@pytest.mark.parametrize("text", ["dance", "2", "2 turn", "2 turn up", "2 go, , dance"])
def test_words_that_are_no_action(text, control):
    with pytest.raises(NotUnderstoodError):
        control.do(text)
    assert len(control.entries) == 3


def test_an_open_game_is_the_same_for_everybody_with_its_seed(tmp_path):
    games = [start("manoover", tmp_path / f"{n}.jsonl", dice=OpenDice("77" * 32)) for n in range(2)]
    for game in games:
        for _ in range(30):
            game.play(next(iter(game.legal())))
    assert games[0].moment().state == games[1].moment().state
