"""What players type."""

from __future__ import annotations

import pytest
from playing import BOARD, GAME
from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.option_resolution import fill_options
from referee.engine.text import NotUnderstoodError
from referee.games.mutants.board import compact_names, expand_name_ranges
from referee.games.mutants.bugging_out import Retreat
from referee.games.mutants.combat import Fight
from referee.games.mutants.doors import OpenDoor, SmashDoor
from referee.games.mutants.engaging import LayOutUnits, PairOffUnits
from referee.games.mutants.moving import MoveUnits
from referee.games.mutants.position import Position, state_from
from referee.games.mutants.resolving import ResolvePair
from referee.games.mutants.sequence import EndStep
from referee.games.mutants.set_up_completion import PutRestByPlan, Ready
from referee.games.mutants.setting_up import LiftPieces, Put

STATE = state_from(
    Position(units={"C4": "buck b1 b2", "xN4": "n1..n4"}, phase="move", turn=6), fill_options(GAME, {}), BOARD
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("smash d1-xn4 n2 N1", SmashDoor("xN4-D1", ("n1", "n2"))),
        ("smash n4-d1 n1", SmashDoor("xN4-D1", ("n1",))),
        ("smash n4d1 n1", SmashDoor("xN4-D1", ("n1",))),
        ("sm xN4-D1 n1..n3", SmashDoor("xN4-D1", ("n1", "n2", "n3"))),
        ("open c3-c2 n4", OpenDoor("C2-C3", ("n4",))),
        ("m move n1+n2 > xn5", MoveUnits(("n1", "n2"), "xN5")),
        ("H move b2 buck b1 to c5", MoveUnits(("buck", "b1", "b2"), "C5")),
        ("move buck with b1 to E1", MoveUnits(("buck", "b1"), "E1")),
        ("move n4 to xn4", MoveUnits(("n4",), "xN4")),
        ("move b1 to b1", MoveUnits(("b1",), "B1")),
        ("put buck b4 C3", Put(("buck", "b4"), "C3")),
        ("place l1 n1..n3 xN4", Put(("l1", "n1", "n2", "n3"), "xN4")),
        ("lift e6-e5 buck", LiftPieces(("E5-E6",), ("buck",))),
        ("lift n4", LiftPieces((), ("n4",))),
        ("place rest", PutRestByPlan()),
        ("rest", PutRestByPlan()),
        ("put prof penny in d4", Put(("prof", "penny"), "D4")),
        ("retreat buck b1 to B4", Retreat(("buck", "b1"), "B4")),
        ("lay b2 buck", LayOutUnits(("b2", "buck"))),
        ("pair n3 l1", PairOffUnits(("n3", "l1"))),
        ("fight E1", Fight("E1")),
    ],
)
def test_what_is_understood(text, action):
    assert GAME.parse(text, STATE, "mutant") == action


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("", 1, "a verb"),
        ("jump n1 D3", 0, "a verb"),
        ("smash D1 n1", 6, "a door"),
        ("move n1 to Z9", 11, "a room"),
        ("move n1 99 to D3", 8, "a unit"),
        ("move n1 to n4", 11, "a room"),
        ("smash n4-99 n1", 6, "a door"),
        ("put D4 in C4", 4, "a unit; "),
        ("lift xN4", 5, "a unit; "),
        ("end now", 4, "no more words"),
        ("choose purple", 7, "human or mutant"),
    ],
)
def test_what_is_not_understood(text, at, expected):
    with pytest.raises(NotUnderstoodError) as caught:
        GAME.parse(text, STATE, "mutant")
    assert caught.value.at == at
    assert caught.value.expected.startswith(expected)


def fighting(units, *said):
    """A Combat in C4 after this was said by whoever it was due."""
    state = Bench(GAME).place({"units": {"C4": units}, "phase": "mutant-combat", "turn": 6})
    for text in ("fight C4", *said):
        seat = GAME.to_act(state)
        verdict = adjudicate(GAME, state, seat, GAME.read(text, state, seat).action, SeededSource({None: "0" * 64}))
        assert isinstance(verdict, LegalVerdict)
        state = verdict.state
    return state


@pytest.mark.parametrize("text", ["lay auto", "lay a", "l auto", "auto", "au"])
def test_the_quick_form_lays_out_who_is_worth_least_first(text):
    state = fighting("l1 n1..n6 r1 b9 b1 buck")
    reading = GAME.read(text, state, "human")
    assert reading.action == LayOutUnits(("b1", "b9", "buck"))
    assert reading.rest == ""


def test_the_quick_form_keeps_leaders_in_reserve():
    assert GAME.parse("auto", fighting("l1 n1..n6 r1 b9 b1 buck", "auto"), "mutant") == PairOffUnits(("r1", "n1", "n2"))
    state = fighting("l1 n1 prof b1")
    assert GAME.parse("lay auto", state, "human") == LayOutUnits(("b1", "prof"))
    assert GAME.parse("pair auto", fighting("l1 n1 prof b1", "auto"), "mutant") == PairOffUnits(("n1", "l1"))


def test_units_in_boxes_are_counted_off_too():
    state = fighting("l1 n1..n6 r1 b9 b1 buck", "auto")
    assert GAME.parse("pair 2n r", state, "mutant") == PairOffUnits(("n1", "n2", "r1"))
    assert GAME.parse("pair r1 2n", state, "mutant") == PairOffUnits(("r1", "n1", "n2"))


def test_auto_may_follow_without_a_comma():
    state = Bench(GAME).place({"units": {"C4": "n1 n2 b1 b2"}, "phase": "mutant-combat", "turn": 6})
    assert GAME.read("fight c4 auto", state, "mutant").rest == "mutant auto"


def test_all_combats_are_fought_as_far_as_their_player_has_to_say_it():
    state = Bench(GAME).place({"units": {"C4": "n1 b1", "D2": "n2 b2"}, "phase": "mutant-combat", "turn": 6})
    reading = GAME.read("fight all auto", state, "mutant")
    assert (reading.action, reading.again) == (Fight("C4"), True)
    laid = fighting("l1 n1..n6 r1 b9 b1 buck")
    assert GAME.read("fight all auto", laid, "human").action == LayOutUnits(("b1", "b9", "buck"))
    assert GAME.read("fight all auto", fighting("n1 b1", "auto", "auto"), "mutant").action == ResolvePair()
    with pytest.raises(NotUnderstoodError, match="there is no Combat left to fight"):
        GAME.read("fight all auto", Bench(GAME).place({"units": {"D2": "r1"}, "phase": "glow"}), "mutant")


def test_auto_fills_the_boxes_of_who_says_it_alone():
    state = fighting("l1 n1..n6 r1 b9 b1 buck")
    assert GAME.read("human auto", state, "human").action == LayOutUnits(("b1", "b9", "buck"))
    refused = adjudicate(GAME, state, "human", GAME.read("mutant auto", state, "human").action, SeededSource({}))
    assert [refusal.rule for refusal in refused.refusals] == ["V.B.3-d"]
    both = fighting("l1 n1..n6 r1 b9 b1 buck", "human auto", "mutant auto").combat
    assert (both.laid, both.paired) == (("b1", "b9", "buck"), ("r1", "n1", "n2"))


def test_the_end_of_a_step_may_name_it():
    reading = GAME.read("end move", STATE, "mutant")
    assert (reading.action, reading.remarks) == (EndStep(), ("This ends the Mutants' Movement Step.",))
    assert GAME.read("end", STATE, "mutant").remarks == reading.remarks
    with pytest.raises(NotUnderstoodError, match="the end of the current Step or Phase, the Mutants' Movement Step"):
        GAME.read("end smash", STATE, "mutant")


def test_who_glows_out_may_be_named():
    state = Bench(GAME).place({"units": {"C4": "r1 r7 n2", "xN2": "r13"}, "phase": "glow", "turn": 6})
    reading = GAME.read("glow r7 r13", state, "mutant")
    assert (reading.faces, reading.remarks) == ((1, 6, 6), ("6 for r7 r13; the other dice are recorded as 1.",))
    assert GAME.read("glow", state, "mutant").faces == ()
    with pytest.raises(NotUnderstoodError, match="n2 is not one"):
        GAME.read("glow r7 n2", state, "mutant")


def test_a_movement_that_nobody_has_used_is_asked_about():
    assert (
        GAME.caution(STATE, "mutant", EndStep())
        == "you have moved nobody in the Mutants' Movement Step, though you could"
    )
    moved = adjudicate(GAME, STATE, "mutant", MoveUnits(("n1",), "xN5"), SeededSource({}))
    assert GAME.caution(moved.state, "mutant", EndStep()) is None
    assert GAME.caution(STATE, "mutant", MoveUnits(("n1",), "xN5")) is None


def test_doors_and_walls_that_are_left_where_most_are_done_are_asked_about():
    outside = {"xN1": "n1", "xN2": "n2", "xN3": "n3", "C4": "b1"}
    tried = ["xN1-A1", "xN2-B1"]
    asked = Bench(GAME).place({"phase": "smash", "units": outside, "attempted": tried, "used": "n1 n2"})
    assert GAME.caution(asked, "mutant", EndStep()) == "you have not attacked xN3-C1 from outside"
    few = Bench(GAME).place({"phase": "smash", "units": outside, "attempted": tried[:1], "used": "n1"})
    assert GAME.caution(few, "mutant", EndStep()) is None, "who leaves most has meant to"
    none = Bench(GAME).place({"phase": "smash", "units": {"xN1": "n1", "xN2": "n2", "C4": "b1"}})
    assert (
        GAME.caution(none, "mutant", EndStep())
        == "you have attacked no door, though you could attack xN1-A1 and xN2-B1"
    )
    nobody = Bench(GAME).place({"phase": "smash", "units": {"xN1": "l1", "C4": "b1"}})
    assert GAME.caution(nobody, "mutant", EndStep()) is None, "Leaders smash no doors"
    walls = ["A1-B1", "C1-D1", "E1-F1", "B3-C3", "D2-E2", "F3-G3", "A4-B4", "F5-G5", "A6-B6", "C6-D6"]
    nearly = Bench(GAME).place({"phase": "setup-human", "walls": walls})
    assert GAME.caution(nearly, "human", Ready()) == "2 Walls are not placed, and you cannot place them later"
    assert GAME.caution(Bench(GAME).place({"phase": "setup-human", "walls": walls[:5]}), "human", Ready()) is None


def test_who_stays_before_a_door_of_this_turn_is_asked_about():
    units = {"xN1": "n1", "xN2": "n2", "C4": "b1"}
    doors = ["xN1-A1", "xN2-B1"]
    now = {"phase": "move", "units": units, "attempted": doors, "smashed": doors, "used": "n1 n2"}
    moved = adjudicate(GAME, Bench(GAME).place(now), "mutant", MoveUnits(("n1",), "A1"), SeededSource({}))
    asked = GAME.caution(moved.state, "mutant", EndStep())
    assert asked == "these units could still go through the doors of this Turn: n2 to B1"


def test_groups_of_names():
    assert expand_name_ranges("l1 n1..n4 r2..3") == ["l1", "n1", "n2", "n3", "n4", "r2", "r3"]
    assert compact_names(("l1", "n1", "n2", "n3", "n4", "n6")) == "l1 n1..n4 n6"
    assert tuple(expand_name_ranges(compact_names(tuple(BOARD.units)))) == tuple(BOARD.units)


def test_the_examples_are_understood():
    for line in GAME.examples:
        for phrase in line.split(","):
            GAME.read(phrase.strip(), STATE, "mutant")


def test_a_place_stands_for_those_in_it_and_its_doors():
    assert set(GAME.expand_word(STATE, "c4")) == {"buck", "b1", "b2", "b4-c4", "c4-d4", "c3-c4", "c4-c5"}
    assert GAME.expand_word(STATE, "n1") == ("xn1", "xn1-a1")
    assert GAME.expand_word(STATE, "n12") == ()


def test_a_pair_is_told_with_what_it_needs():
    combat = {"room": "C4", "stage": "resolve", "round": 1, "first": "human", "laid": ["buck"], "paired": ["n1"]}
    state = Bench(GAME).place({"units": {"C4": "buck n1"}, "phase": "mutant-combat", "turn": 6, "combat": combat})
    need = GAME.legal(state, "mutant").awaited_roll.need
    assert (need.count, need.sides, need.each) == (2, 6, ("buck", "n1"))
    assert need.purpose == "buck against n1, who need 5 and 3 or less"
