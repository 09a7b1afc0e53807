"""What players of Sheboygan type: few keys, nothing guessed; and what they are asked about before it counts."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.registry import find_game
from referee.engine.text import NotUnderstoodError, split_phrases

BENCH = Bench(find_game("sheboygan"))
GAME = BENCH.game
HAND = {
    "phase": "place",
    "turn": 0,
    "defense": 6,
    "sheet": {},
    "edge": "W",
    "hand": ["p1", "i1", "t1", "t2", "t3", "g2"],
}
FIELD = {
    "phase": "human-combat",
    "defense": 6,
    "monster": "H08",
    "sheet": {"attack": 5},
    "units": {"H09": "t1 t2", "H11": "g1", "A02": "i1", "Y10": "c8"},
}

SETTING_UP = {"turn": 0, "monster": None, "edge": "W"}


def said(text, state, seat="human"):
    """All that a line says, in canonical words."""
    words, verb, left = [], "", split_phrases(text)
    while left:
        reading = GAME.read(left.pop(0), state, seat, verb)
        words.append(GAME.format(reading.action))
        left[:0], verb = split_phrases(reading.rest), reading.verb
    return words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("place g2 i1 H08", ["place i1 H08", "place g2 H08"]),
        ("put t1 t2 h8", ["place t1 t2 H08"]),
        ("put rest h8", ["place p1 i1 H08", "place t1 t2 t3 g2 H08"]),
        ("put 2 tanks h8", ["place t1 t2 H08"]),
        ("put tank 2 t1 h8", None),
        ("put 2 tanks t1 h8", ["place t1 t2 t3 H08"]),
        ("put tank h8", None),
        ("put all tanks h8", ["place t1 t2 t3 H08"]),
        ("put gun h8", ["place g2 H08"]),
    ],
)
def test_units_are_put_down_by_name_and_by_number(text, words):
    state = BENCH.place(HAND)
    if words is None:
        with pytest.raises(NotUnderstoodError):
            said(text, state)
    else:
        assert said(text, state) == words


def test_a_count_that_cannot_be_met_is_refused():
    with pytest.raises(NotUnderstoodError, match="no more than 2 of them"):
        said("put 3 tanks t1 h8", BENCH.place(HAND))


def test_several_kinds_are_bought_in_one_line():
    state = BENCH.place({"phase": "buy", "turn": 0, "defense": 6, "budget": 32, "sheet": {}, "edge": "W"})
    assert said("buy 3 tanks, 2 guns, police", state) == ["buy tank 3", "buy artillery 2", "buy police 1"]


@pytest.mark.parametrize("count", [0, 100])
def test_a_number_that_cannot_be_bought_at_all_is_not_understood(count):
    state = BENCH.place({"phase": "buy", "turn": 0, "defense": 6, "budget": 32, "sheet": {}, "edge": "W"})
    with pytest.raises(NotUnderstoodError, match="a count: a whole number from 1 to 99"):
        said(f"buy tank {count}", state)


def test_units_that_go_to_one_box_are_named_together():
    state = BENCH.place({**FIELD, "phase": "human-move"})
    assert said("t1 t2 c9, i1 a4", state) == ["t1 C09", "t2 C09", "i1 A04"]


@pytest.mark.parametrize(
    "text", ["attack m with all", "attack all", "a all", "attack all on m", "attack m with t1 t2 g1"]
)
def test_all_attack_who_can(text):
    assert said(text, BENCH.place(FIELD)) == ["attack m with t1 t2 g1"]


@pytest.mark.parametrize(
    ("phase", "text", "words"),
    [
        (
            {**SETTING_UP, "phase": "place", "hand": ["i2", "i3"]},
            "place i2 H08, i3 C05",
            ["place i2 H08", "place i3 C05"],
        ),
        ({**SETTING_UP, "phase": "place", "hand": ["i2", "i3"]}, "put i2 i3 h8, end", ["place i2 i3 H08", "end"]),
        ({"phase": "human-move"}, "place i1 H08, i2 C05", ["place i1 H08", "i2 C05"]),
        ({}, "attack m with t1, t2", ["attack m with t1", "attack m with t2"]),
        ({}, "suicide h1, h2", ["suicide h1", "suicide h2"]),
        ({"phase": "fire", "flames": {"I09": 1}}, "douse f1 I09, f2 I09", ["douse f1 I09", "douse f2 I09"]),
    ],
)
def test_a_verb_carries_over_to_the_next_part(phase, text, words):
    assert said(text, BENCH.place({**FIELD, **phase}, scenario="advanced-a")) == words


def test_the_monster_wrecks_in_a_row():
    state = BENCH.place({**FIELD, "phase": "monster-move"})
    assert said("wreck h9 3, g8 2, m h9", state, "monster") == ["wreck H09 3", "wreck G08 2", "m H09"]


def test_nobody_attacks_along_with_the_monster():
    with pytest.raises(NotUnderstoodError, match="the monster alone"):
        said("attack m t1", BENCH.place(FIELD))


@pytest.mark.parametrize("text", ["attack t1 with all", "attack t1 all"])
def test_the_monster_attacks_with_all_its_points(text):
    assert said(text, BENCH.place({**FIELD, "phase": "monster-combat"}), "monster") == ["attack t1 with 5"]


@pytest.mark.parametrize(
    ("position", "seat", "text", "told"),
    [
        ({**SETTING_UP, "phase": "buy", "budget": 2}, "human", "end", "2 points would be lost"),
        ({}, "human", "end", "t1 t2 g1 could still attack"),
        ({"phase": "monster-combat"}, "monster", "end", "t1 t2 could still be attacked"),
        ({"phase": "monster-combat", "attacked": ["t1", "t2"]}, "monster", "end", None),
        (
            {"phase": "human-move", "units": {"I12": "i1"}, "flames": {"I12": 1}},
            "human",
            "end",
            "i1 would be lost in flames",
        ),
        ({"phase": "monster-move", "sheet": {"movement": 3}}, "monster", "end", "the monster has done nothing"),
        ({"phase": "monster-move", "sheet": {"movement": 3}, "walked": 1}, "monster", "end", None),
        (
            {"phase": "fire", "units": {"I09": "f1"}, "flames": {"I09": 1}},
            "human",
            "wind",
            "f1 could still put out a fire",
        ),
    ],
)
def test_what_may_have_been_overlooked_is_asked_about(position, seat, text, told):
    state = BENCH.place({**FIELD, **position}, scenario="advanced-a")
    found = GAME.caution(state, seat, GAME.parse(text, state, seat))
    assert (found or "").startswith(told) if told else found is None


def test_points_that_would_be_lost_are_asked_about():
    state = BENCH.place({"phase": "record", "turn": 0, "sheet": {"abilities": ["jumping"]}})
    action = GAME.parse("record att=1 def=5 mov=2", state, "monster")
    assert "7 points would be lost" in GAME.caution(state, "monster", action)


@pytest.mark.parametrize(
    ("text", "goes_on"), [("web-spinning", True), ("rad", True), ("flying, end", False), ("m h9", False), ("", False)]
)
def test_abilities_may_be_listed_with_commas_while_they_are_chosen(text, goes_on):
    choosing, placing = BENCH.place({"phase": "abilities", "turn": 0}), BENCH.place(HAND)
    assert GAME.continues_phrase(text, choosing, "monster") is goes_on
    assert not GAME.continues_phrase(text, placing, "human")
