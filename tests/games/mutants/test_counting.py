"""Units that are counted off where the rules do not tell them apart, and places that are filled alike."""

from __future__ import annotations

import pytest
from playing import GAME
from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import TypedSource
from referee.engine.text import NotUnderstoodError

BENCH = Bench(GAME)
SOURCE = TypedSource(())
SQUARES = {"xN1": "n1..n4 r1", "xN2": "n5 n6 l1", "C4": "buck b1 b2 b9", "C3": "b3 mack"}


def state(phase, units=SQUARES, **more):
    return BENCH.place({"units": units, "phase": phase, "turn": 6, **more})


def mutants_set_up(*said):
    """A game in which the Mutant player sets up, and has said this."""
    where = BENCH.start()
    for text in ("rest", "ready", *said):
        verdict = adjudicate(GAME, where, GAME.to_act(where), GAME.parse(text, where, GAME.to_act(where)), SOURCE)
        assert isinstance(verdict, LegalVerdict)
        where = verdict.state
    return where


def read(text, where, after=""):
    """What a phrase means: the action in canonical words, what is left to be said, and what was understood."""
    reading = GAME.read(text, where, GAME.to_act(where), after)
    return GAME.format(reading.action), reading.rest, " ".join(reading.remarks)


@pytest.mark.parametrize(
    ("text", "action", "remark"),
    [
        ("smash n1-a1 2n", "smash xN1-A1 n1 n2", "2n: n1 n2, the lowest numbers."),
        ("smash n1-a1 n", "smash xN1-A1 n1", "n: n1, the lowest numbers."),
        ("smash n1-a1 2 normals", "smash xN1-A1 n1 n2", "2: n1 n2, the lowest numbers."),
        ("smash n1-a1 4n r", "smash xN1-A1 r1 n1 n2 n3 n4", "4n: n1..n4. r: r1."),
        ("smash n1-a1 normals", "smash xN1-A1 n1 n2 n3 n4", "normals: n1..n4."),
        ("smash n1-a1 n3 n", "smash xN1-A1 n1 n3", "n: n1, the lowest numbers."),
        ("smash n1-a1 n4 2n", "smash xN1-A1 n1 n2 n4", "2n: n1 n2, the lowest numbers."),
        ("smash n1-a1 all", "smash xN1-A1 r1 n1 n2 n3 n4", "all: r1 n1..n4."),
        ("smash n2-b1 all", "smash xN2-B1 n5 n6", "all: n5 n6."),
    ],
)
def test_so_many_of_a_kind_are_those_with_the_lowest_numbers(text, action, remark):
    assert read(text, state("smash")) == (action, "", remark)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("move n1 n2 n to B1", "move n1 n2 n3 to B1"),
        ("move n n1 n2 to B1", "move n1 n2 n3 to B1"),
        ("move 2n n1 to B1", "move n1 n2 n3 to B1"),
        ("move n2 all to B1", "move r1 n1 n2 n3 n4 to B1"),
    ],
)
def test_who_is_named_is_not_counted_off_too(text, action):
    where = state("move", {"A1": "n1..n4 r1", "D4": "prof"}, smashed=["A1-B1"])
    assert read(text, where)[0] == action


@pytest.mark.parametrize("text", ["move n1 n2 n to B1", "move n n1 n2 to B1", "move n1 2n to B1"])
def test_a_count_that_is_left_with_too_few_is_refused(text):
    where = state("move", {"A1": "n1 n2", "D4": "prof"}, smashed=["A1-B1"])
    with pytest.raises(NotUnderstoodError, match=r"expected (other units|at most 1)"):
        read(text, where)


SIEGE = {"xN1": "n1 n2", "xN2": "r1 l1", "B4": "n5", "D4": "prof penny"}


def test_everybody_who_has_one_door_attacks_it():
    where = state("smash", SIEGE)
    action, rest, remarks = read("smash all", where)
    assert (action, rest, remarks) == ("smash xN1-A1 n1 n2", "smash xN2-B1 r1", "")


def test_where_nobody_has_one_door_only_it_is_named():
    with pytest.raises(NotUnderstoodError, match="no Mutant has exactly one door"):
        read("smash all", state("smash", {"B4": "n5", "D4": "prof"}))


@pytest.mark.parametrize("text", ["move", "move all"])
def test_all_go_through_the_doors_of_this_turn(text):
    new, old = ["xN1-A1", "xN2-B1"], ["B4-B5"]
    where = state("move", SIEGE, smashed=[*new, *old], attempted=new, used="n1 n2 r1")
    assert read(text, where)[:2] == ("move n1 n2 to A1", "move l1 r1 to B1")


def test_without_such_a_door_it_is_named():
    with pytest.raises(NotUnderstoodError, match="no Mutant stands at a door that was smashed"):
        read("move", state("move", {"A1": "n1", "D4": "prof"}, smashed=["A1-B1"]))


@pytest.mark.parametrize(
    ("text", "doubt"),
    [("glow", ""), ("glow all", "all: one die for each of r1 r2, and each Mutant that rolls a 6 dies")],
)
def test_all_throw_to_glow(text, doubt):
    reading = GAME.read(text, state("glow", {"A1": "r1 r2", "D4": "prof"}), "mutant")
    assert (GAME.format(reading.action), reading.faces, reading.doubt) == ("glow", (), doubt)


def test_who_stands_there_already_is_left_out():
    where = BENCH.place({"units": {"C1": "buck"}, "phase": "setup-human"})
    assert read("put buck b1 in C1", where) == ("put b1 in C1", "", "buck stands in C1 already.")


def test_who_can_no_longer_is_not_counted_off():
    assert read("smash n1-a1 2n", state("smash", used="n1 n3"))[0] == "smash xN1-A1 n2 n4"


def test_where_too_few_can_the_rule_tells_why():
    where = state("smash", used="n1..n3", failed="n1..n3")
    action, _, _ = read("smash n1-a1 2n", where)
    assert action == "smash xN1-A1 n1 n4"
    refusals = list(GAME.check(where, "mutant", GAME.parse(action, where, "mutant")))
    assert [refusal.rule for refusal in refusals] == ["IV.B.2.e-a"]


@pytest.mark.parametrize(
    ("text", "phase", "expected"),
    [
        ("smash n1-a1 9n", "smash", "at most 4 of them: n1..n4"),
        ("smash n2-b1 2l", "smash", "at most 1 of them: l1"),
        ("smash n3-c1 n", "smash", "other units, because none of these is there"),
        ("smash n3-c1 all", "smash", "somebody who can"),
        ("move buck 2b to c5", "human-move", "unit names, because b1 b2 b9 are not all alike"),
        ("move n to xn3", "move", ""),
        ("smash n1-a1 2q", "smash", "a unit"),
    ],
)
def test_what_cannot_be_counted_off(text, phase, expected):
    if not expected:
        assert read(text, state(phase))[0] == "move n5 to xN3"
        return
    with pytest.raises(NotUnderstoodError) as caught:
        read(text, state(phase))
    assert caught.value.expected.startswith(expected)


def test_who_stands_elsewhere_is_somebody_else():
    units = {"xN1": "n1 n2", "xN3": "n3 n4"}
    with pytest.raises(NotUnderstoodError, match="where they come from: they stand in xN1 and xN3"):
        read("move 2n to xn2", state("move", units))
    assert read("move 2n from xn3 to xn2", state("move", units))[0] == "move n3 n4 to xN2"
    assert read("move 4n to xn2", state("move", units))[0] == "move n1 n2 n3 n4 to xN2"
    assert read("move all from xn1 to xn2", state("move", units))[0] == "move n1 n2 to xN2"


def test_several_doors_take_a_wall_each():
    where = BENCH.place({"units": {}, "phase": "setup-human"})
    assert read("wall c3-c4 d2-d3 e5e6", where) == ("wall C3-C4", "wall d2-d3 e5e6", "")
    assert read("d2-d3", where, after="wall") == ("wall D2-D3", "", "")


@pytest.mark.parametrize(
    ("text", "action", "rest"),
    [
        ("put janibot c3", "put b1 in C3", ""),
        ("put guard and janibot in c3", "put buck b1 in C3", ""),
        ("put techs d4", "put prof penny in D4", ""),
        ("put b a1..c1", "put b1 in A1", "put b in B1 C1"),
        ("put b a1..a3 f1", "put b1 in A1", "put b in A2 A3 f1"),
        ("put guard c3 c4 ready", "put buck in C3", "put guard in c4, ready"),
        ("put b in b1..3", "put b1 in B1", "put b in B2 B3"),
        ("put buck b7 c3", "put buck b7 in C3", ""),
    ],
)
def test_units_are_put_from_the_hand(text, action, rest):
    where = BENCH.place({"units": {}, "phase": "setup-human"})
    found = read(text, where)
    assert (found[0], found[1].replace("C4", "c4").replace("F1", "f1")) == (action, rest)


def test_squares_are_filled_alike():
    where = mutants_set_up()
    assert read("put 2n r in xn1..7", where)[:2] == ("put r1 n1 n2 in xN1", "put 2n r in xN2 xN3 xN4 xN5 xN6 xN7")
    assert read("put n1..n10 in xN1", where)[0] == f"put {' '.join(f'n{number}' for number in range(1, 11))} in xN1"
    with pytest.raises(NotUnderstoodError, match="a number of units such as 2n"):
        read("put n1 in xn1 xn2", where)
    with pytest.raises(NotUnderstoodError, match="places in a line"):
        read("put n in xn1..xe2", where)


def test_what_was_put_already_is_not_counted_off():
    where = mutants_set_up("put n1 n2 in xN1")
    assert read("put n xn2", where)[0] == "put n3 in xN2"


def test_a_verb_that_goes_on_may_be_left_out():
    assert read("n2-b1 2n", state("smash"), after="smash")[0] == "smash xN2-B1 n5 n6"
    assert read("n5 to xn3", state("move"), after="move")[0] == "move n5 to xN3"
    assert read("end", state("smash"), after="smash")[0] == "end"


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("n2", True),
        ("2n r", True),
        ("all", True),
        ("n2 to xn3", False),
        ("n2-b1 n", False),
        ("end", False),
        ("", False),
    ],
)
def test_units_alone_go_on_with_what_was_said_before(text, goes_on):
    assert GAME.continues_phrase(text, state("smash"), "mutant") is goes_on


def test_missing_commas():
    assert read("smash n1-a1 2n n2-b1 n", state("smash"))[:2] == ("smash xN1-A1 n1 n2", "smash n2-b1 n")
    assert read("move n1 to xn2 move n2 to xn2", state("move"))[:2] == ("move n1 to xN2", "move n2 to xn2")
    assert read("smash n1-a1 n1 end", state("smash"))[:2] == ("smash xN1-A1 n1", "end")
