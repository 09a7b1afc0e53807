"""Phases of a game with secrets in which everybody can see that nothing is left to do: they pass by themselves, and a
word said by habit does not end what comes after them.
"""

from __future__ import annotations

import pytest

BY_ITSELF = "human: end   (by itself: no other move was possible)"
LEARNING = "new sheboygan --option scenario=learning --dice table"
LAST_STEP = """
phase = "human-move"
turn = 3
defense = 6
monster = "H08"
sheet = { attack = 9 }
units = { X12 = "i1" }
spent = { i1 = 2 }
"""
"""One unit with one Movement Point left; who attacks nobody cannot fight."""
BOTH_MOVE = LAST_STEP.replace("attack = 9", "attack = 9, movement = 6")


@pytest.fixture
def town(cli):
    """The monster has written its record; the human is to buy."""
    for said in (f"{LEARNING} -o s.jsonl", "record att=5 def=1 des=4 mov=3", "edge s"):
        assert cli(said).code == 0
    return cli


def test_a_purchase_without_points_is_over(town):
    assert BY_ITSELF in town("buy 4 infantry, 2 artillery, 3 police").out
    before = len(town("--json log").facts)
    again = town("end")
    assert again.code == 0
    told = "end: not needed, because this part of the turn has already ended by itself. Nothing was recorded."
    assert told in " ".join(again.out.split())
    assert town("--json end").facts["verdict"] == "needless"
    assert len(town("--json log").facts) == before
    town("place i1 X13")
    refused = town("end")
    assert refused.code == 1
    assert "p1, p2, p3, i2, i3, i4, g1 and g2 must be placed first" in " ".join(refused.out.split())


def test_so_is_the_placement_of_the_last_unit(town):
    town("buy 3 infantry!, end!")
    placed = town("place i1 X13, place i2 X12, place i3 X11")
    assert BY_ITSELF in placed.out
    assert "Now turn 1, monster: Monster Movement Phase" in " ".join(placed.out.split())


def test_an_end_said_with_the_last_of_it_is_the_end_of_that(town):
    assert town("buy 4 infantry, 2 artillery, 3 police, end").code == 0
    assert town("place i1 X13, place i2 X12, place i3 X11, place p1..p4 g1 W09").code == 1
    assert "next placement" not in town("status").out


@pytest.fixture
def moved(cli, place):
    """The last unit has moved as far as it can."""
    (place / "p.toml").write_text(BOTH_MOVE)
    assert cli(f"{LEARNING} --from p.toml -o s.jsonl").code == 0
    told = cli("i1 x13")
    assert BY_ITSELF in told.out
    assert "Now turn 4, monster" in told.out
    return cli


def test_the_end_said_by_habit_does_not_fall_on_the_monster(moved):
    asked = moved("end")
    assert asked.code == 1
    told = " ".join(asked.out.split())
    assert "The turn of human is already over, and now monster would do this." in told
    assert moved("--json log").facts[-1]["text"] == "human: end"
    assert "monster: end" in moved("end!").out


def test_who_is_named_speaks_for_himself(moved):
    assert "the turn of human is over" not in moved("end --by monster").out.lower()


def test_it_tells_nothing_that_only_the_monster_knows(moved, place):
    with_vault = moved("end").out
    next(place.glob("*.vault")).unlink()
    assert moved("end").out == with_vault


def test_a_movement_that_nobody_has_used_is_asked_about(cli, place):
    (place / "p.toml").write_text(LAST_STEP.replace("spent", "# spent"))
    cli(f"{LEARNING} --from p.toml -o s.jsonl")
    assert "Nobody has moved in this phase, though i1 could." in cli("end").out
    assert cli("end!").code == 0
