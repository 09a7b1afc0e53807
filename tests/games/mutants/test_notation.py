"""What players type."""

from __future__ import annotations

import pytest
from playing import BOARD, GAME
from support import Bench

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import OpenSource
from referee.engine.options import settle_options
from referee.engine.text import NotUnderstoodError
from referee.games.mutants.board import compact, expand
from referee.games.mutants.bugging_out import Retreat
from referee.games.mutants.combat import Fight, Lay, Pair
from referee.games.mutants.doors import OpenDoor, Smash
from referee.games.mutants.filling import PutRest
from referee.games.mutants.moving import Move
from referee.games.mutants.position import Position, place
from referee.games.mutants.setting_up import Lift, Put

STATE = place(
    Position(units={"C4": "buck b1 b2", "xN4": "n1..n4"}, phase="move", turn=6), settle_options(GAME, {}), BOARD
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("smash d1-xn4 n2 N1", Smash("xN4-D1", ("n1", "n2"))),
        ("sm xN4-D1 n1..n3", Smash("xN4-D1", ("n1", "n2", "n3"))),
        ("open c3-c2 n4", OpenDoor("C2-C3", ("n4",))),
        ("m move n1+n2 > xn5", Move(("n1", "n2"), "xN5")),
        ("H move b2 buck b1 to c5", Move(("buck", "b1", "b2"), "C5")),
        ("move buck with b1 to E1", Move(("buck", "b1"), "E1")),
        ("move n4 to xn4", Move(("n4",), "xN4")),
        ("move b1 to b1", Move(("b1",), "B1")),
        ("put buck b4 C3", Put(("buck", "b4"), "C3")),
        ("place l1 n1..n3 xN4", Put(("l1", "n1", "n2", "n3"), "xN4")),
        ("lift e6-e5 buck", Lift(("E5-E6",), ("buck",))),
        ("lift n4", Lift((), ("n4",))),
        ("place rest", PutRest()),
        ("rest", PutRest()),
        ("put prof penny in d4", Put(("prof", "penny"), "D4")),
        ("retreat buck b1 to B4", Retreat(("buck", "b1"), "B4")),
        ("lay b2 buck", Lay(("b2", "buck"))),
        ("pair n3 l1", Pair(("n3", "l1"))),
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
        ("smash n4-D1 n1", 6, "a door"),
        ("put D4 in C4", 4, "a unit, not a place"),
        ("lift xN4", 5, "a unit, not a place"),
        ("end now", 4, "nothing more"),
        ("choose purple", 7, "human or mutant"),
    ],
)
def test_what_is_not_understood(text, at, expected):
    with pytest.raises(NotUnderstoodError) as caught:
        GAME.parse(text, STATE, "mutant")
    assert caught.value.at == at
    assert caught.value.expected.startswith(expected)


def test_the_quick_form_names_the_strongest_first():
    units = {"C4": "l1 n1..n6 b1 b2 buck"}
    state = place(Position(units=units, phase="mutant-combat", turn=6), settle_options(GAME, {}), BOARD)
    fought = adjudicate(GAME, state, "mutant", Fight("C4"), OpenSource({None: "0" * 64}))
    assert isinstance(fought, Played)
    assert GAME.parse("lay auto", fought.state, "human") == Lay(("buck", "b1", "b2"))


def test_groups_of_names():
    assert expand("l1 n1..n4 r2..3") == ["l1", "n1", "n2", "n3", "n4", "r2", "r3"]
    assert compact(("l1", "n1", "n2", "n3", "n4", "n6")) == "l1 n1..n4 n6"
    assert tuple(expand(compact(tuple(BOARD.units)))) == tuple(BOARD.units)


def test_the_examples_are_understood():
    for line in GAME.examples:
        for phrase in line.split(","):
            GAME.parse(phrase.strip(), STATE, "mutant")


def test_a_place_stands_for_those_in_it_and_its_doors():
    assert set(GAME.stands_for(STATE, "c4")) == {"buck", "b1", "b2", "b4-c4", "c4-d4", "c3-c4", "c4-c5"}
    assert GAME.stands_for(STATE, "n1") == ()


def test_a_pair_is_told_with_what_it_needs():
    combat = {"room": "C4", "stage": "resolve", "round": 1, "first": "human", "laid": ["buck"], "paired": ["n1"]}
    state = Bench(GAME).place({"units": {"C4": "buck n1"}, "phase": "mutant-combat", "turn": 6, "combat": combat})
    need = GAME.legal(state, "mutant").throw.need
    assert (need.count, need.sides, need.each) == (2, 6, ("buck", "n1"))
    assert need.purpose == "buck against n1, who need 5 and 3 or less"
