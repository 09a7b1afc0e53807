"""Slips are mended by entries of their own: what is brought back, and who must agree."""

from __future__ import annotations

import msgspec
import pytest

from referee.engine.dice import DiceError
from referee.engine.text import NotUnderstoodError
from referee.games.manoover.control_phase import TurnRobot
from referee.record.archive.audit import audit
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.correct import correct_dice, correct_play, judge_corrected_play
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import go_back, redo, undo
from referee.record.table.visible_log import find_last_player

BOTH = ["red", "blue"]

# Bringing back


def test_what_was_taken_back_alone_is_brought_back_alone(control):
    control.do("2 turn ne, 6 go")
    before = control.moment().state
    undo(control, 2)
    redo(control)
    assert control.moment().state == before
    assert control.in_force() == [0, 1, 2, 3, 4]
    assert audit(control.path).fault is None
    assert open_log(control.path).moment().state == before


def test_takebacks_are_brought_back_one_after_another(control):
    control.do("2 turn ne, 2 go, 6 go")
    undo(control)
    undo(control)
    record_note(control, "both were wrong")
    redo(control)
    assert control.in_force()[-1] == 4
    redo(control)
    assert control.in_force()[-1] == 5
    with pytest.raises(NotAllowedError, match="nothing was taken back"):
        redo(control)
    undo(control)
    redo(control)
    assert control.in_force()[-1] == 5
    assert audit(control.path).fault is None


def test_once_something_is_played_nothing_is_brought_back(control):
    control.do("2 turn ne")
    undo(control)
    control.do("6 go")
    with pytest.raises(NotAllowedError, match="nothing was taken back since the last play"):
        redo(control)


def test_dice_are_brought_back_by_agreement(control):
    before = control.moment().state
    undo(control, agreed=BOTH)
    with pytest.raises(NotAgreedError, match="needs blue to agree: dice were rolled in entry 2"):
        redo(control)
    redo(control, agreed=["blue"])
    assert control.moment().state == before
    control.do("2 go")
    assert audit(control.path).fault is None


def test_who_did_not_take_back_does_not_bring_back_alone(control):
    control.do("2 turn ne")
    undo(control)
    with pytest.raises(NotAgreedError, match="needs red to agree: entry 3 is red's"):
        redo(control, by="blue")


def test_a_takeback_that_jumps_aside_is_not_brought_back(control):
    control.do("2 turn ne")
    undo(control)
    control.do("6 go")
    go_back(control, 3, "red", BOTH)
    with pytest.raises(NotAllowedError, match="nothing was taken back"):
        redo(control)


def test_a_secret_is_brought_back_by_agreement(hidden):
    hidden.do("raid reef 2")
    before = hidden.moment().state
    undo(hidden, agreed=BOTH)
    with pytest.raises(NotAgreedError, match="needs blue to agree"):
        redo(hidden, by="red")
    redo(hidden, by="red", agreed=BOTH)
    assert hidden.moment().state == before
    assert audit(hidden.path).fault is None


# Dice that were typed wrongly


def test_what_still_holds_is_played_again(control):
    control.do("2 go, 6 go, 2 turn ne")
    found = correct_dice(control, 2, [2, 6, 6], agreed=BOTH)
    assert (found.to, found.held, found.lost) == (1, (3, 4), 5)
    assert "the one die that shows 2 was spent" in found.because
    assert [type(entry).__name__ for entry in control.entries[6:]] == ["TakebackEntry", *["PlayEntry"] * 3]
    assert control.in_force() == [0, 1, 7, 8, 9]
    assert control.moment().state.dice == (6,)
    assert control.entries[7].rolls[0].faces == (2, 6, 6)
    assert audit(control.path).fault is None
    assert open_log(control.path).moment().state == control.moment().state


def test_all_may_hold(control):
    control.do("2 go, 6 go")
    before = control.moment().state.cells
    found = correct_dice(control, 2, [1, 2, 6], agreed=BOTH)
    assert (found.held, found.lost, found.because) == ((3, 4), None, "")
    assert (control.moment().state.cells, control.moment().state.dice) == (before, (1,))


def test_later_throws_keep_the_dice_that_were_typed(control):
    control.do("2 go, done, auto")
    control.do("throw", faces=[1, 1, 5])
    found = correct_dice(control, 2, [2, 3, 6], agreed=BOTH)
    assert (found.held, found.lost) == ((3, 4, 5, 6), None)
    assert control.moment().state.dice == (1, 1, 5)
    assert [entry.rolls[0].draw for entry in control.entries if getattr(entry, "rolls", ())] == [0, 1, 2, 3, 4]
    assert audit(control.path).fault is None


def test_a_correction_is_agreed_as_a_takeback_is(control):
    before = control.path.read_bytes()
    with pytest.raises(NotAgreedError, match="needs blue to agree: dice were rolled in entry 2"):
        correct_dice(control, 2, [2, 3, 6])
    assert control.path.read_bytes() == before


def deed_of_correction(control, faces):
    """The hash of what has to be agreed to."""
    with pytest.raises(NotAgreedError) as refused:
        correct_dice(control, 2, faces, "red")
    return refused.value.deed


def test_what_was_agreed_to_is_recorded_and_nothing_else(control):
    control.do("2 go")
    agreed_to, before = deed_of_correction(control, [2, 2, 5]), control.path.read_bytes()
    for faces in ([2, 5, 5], [2, 2, 4]):
        with control.allow_only(agreed_to), pytest.raises(NotAllowedError, match="agreed to something else"):
            correct_dice(control, 2, faces, "red", ["blue"])
    assert control.path.read_bytes() == before
    with control.allow_only(agreed_to):
        correct_dice(control, 2, [2, 2, 5], "red", ["blue"])
        record_note(control, "what follows is free")
    assert audit(control.path).fault is None


@pytest.mark.parametrize(
    ("n", "faces"), [(2, [7, 1, 1]), (2, [1, 1]), (2, [1, 1, 1, 1]), (0, [1]), (3, [1]), (9, [1]), (-1, [1])]
)
def test_corrections_that_cannot_be(n, faces, control):
    control.do("2 go")
    before = control.path.read_bytes()
    with pytest.raises((NotAllowedError, DiceError)):
        correct_dice(control, n, faces, agreed=BOTH)
    assert control.path.read_bytes() == before


def test_dice_from_a_seed_were_not_typed(solo):
    solo.do("throwoff")
    with pytest.raises(NotAllowedError, match="nobody typed them"):
        correct_dice(solo, 1, [1, 2], agreed=BOTH)


def test_a_position_that_all_agreed_on_does_not_hang_on_dice(control):
    position = msgspec.to_builtins(control.game.position_from(control.moment().state)) | {
        "dice": [2, 6],
        "spent": [["go", 2]],
    }
    amend_position(control, position, "because", BOTH)
    with pytest.raises(NotAllowedError, match="entry 3 came later"):
        correct_dice(control, 2, [2, 3, 6], agreed=BOTH)


# Moves that were typed wrongly


def test_a_move_is_corrected_and_what_still_holds_is_played_again(control):
    control.do("2 go, 6 turn ne, done, auto")
    control.do("throw", faces=[1, 1, 5])
    control.do("5 go")
    found = correct_play(control, 3, "2 turn ne", agreed=BOTH)
    assert (found.to, found.held, found.lost) == (2, (4, 5, 6, 7, 8), None)
    assert control.in_force() == [0, 1, 2, 10, 11, 12, 13, 14, 15]
    assert control.entries[10].action == TurnRobot("2", "NE")
    assert control.entries[14].rolls[0].faces == (1, 1, 5)
    assert audit(control.path).fault is None
    assert open_log(control.path).moment().state == control.moment().state


def test_the_first_later_move_that_no_longer_holds_is_named(control):
    control.do("2 go, 6 go, 2 turn ne")
    found = correct_play(control, 3, "6 go", agreed=BOTH)
    assert (found.held, found.lost) == ((), 4)
    assert "the one die that shows 6 was spent" in found.because
    assert control.in_force() == [0, 1, 2, 7]
    assert audit(control.path).fault is None


def test_a_right_move_that_is_illegal_is_refused_by_its_rule(control):
    control.do("2 go")
    before = control.path.read_bytes()
    assert judge_corrected_play(control, 3, "5 go").is_refused
    with pytest.raises(NotAllowedError, match=r"no die shows 5.*control\.1"):
        correct_play(control, 3, "5 go", agreed=BOTH)
    with pytest.raises(NotUnderstoodError):
        correct_play(control, 3, "wurst", agreed=BOTH)
    assert control.path.read_bytes() == before


def test_a_corrected_move_is_agreed_as_a_takeback_is(control):
    control.do("2 go, done, auto")
    control.do("throw", faces=[1, 1, 5])
    before = control.path.read_bytes()
    with pytest.raises(NotAgreedError, match="dice were rolled in entry 6"):
        correct_play(control, 3, "6 go")
    assert control.path.read_bytes() == before
    with pytest.raises(NotAgreedError) as refused:
        correct_play(control, 3, "6 go", "red")
    with control.allow_only(refused.value.deed):
        with pytest.raises(NotAllowedError, match="agreed to something else"):
            correct_play(control, 3, "2 turn ne", "red", ["blue"])
        correct_play(control, 3, "6 go", "red", ["blue"])
    assert audit(control.path).fault is None


@pytest.mark.parametrize("n", [0, 9, -1])
def test_an_entry_that_holds_no_move_is_not_corrected(n, control):
    control.do("2 go")
    with pytest.raises(NotAllowedError, match="holds no move in force"):
        correct_play(control, n, "6 go", agreed=BOTH)


def test_after_a_corrected_move_dice_of_the_referee_are_rolled_again(solo):
    solo.do("throwoff")
    solo.do("throw")
    robot = solo.moment().state.dice[0]
    solo.do(f"{robot} go, done!, auto")
    last = len(solo.entries)
    solo.do("throw")
    found = judge_corrected_play(solo, 3, f"{robot} turn ne")
    assert (found.lost, found.because) == (last, "its dice would be rolled again")
    with pytest.raises(NotAllowedError, match="the referee rolled the dice of entry 2"):
        judge_corrected_play(solo, 2, "throw")


# Who takes back


def test_who_played_last_takes_back(control):
    assert find_last_player(control) == "red"
    control.do("2 go, done, auto")
    assert (control.moment().to_act, find_last_player(control)) == ("blue", "red")
    undo(control)
    assert control.entries[-1].by == "red"


def test_before_anybody_has_played_the_first_seat_speaks(table):
    assert find_last_player(table) == "red"
