"""Legal lists, on a made-up game of two actions."""

from itertools import islice

import msgspec
import pytest

from referee.engine.dice import Need
from referee.engine.legal import Action, Between, Choice, Legal, OneOf, Subset


class Go(Action, frozen=True, tag="go"):
    robot: str
    toward: str


class Smash(Action, frozen=True, tag="smash"):
    door: str
    units: tuple[str, ...]
    strength: int


class Pass(Action, frozen=True, tag="pass"):
    pass


class PassOne(Action, frozen=True, tag="pass-one"):
    robot: str


GO = Choice(Go, robot="2", toward=OneOf(("N", "NE", "S")))
SMASH = Choice(Smash, door="D4", units=Subset(("r1", "r2", "r3"), 1, 2), strength=Between(2, 4))
LEGAL = Legal([GO, SMASH])
PHRASES = {Go: "{robot} go {toward}", Smash: "smash {door} with {units} at {strength}"}


def test_a_choice_expands_to_every_combination():
    assert list(GO) == [Go("2", "N"), Go("2", "NE"), Go("2", "S")]
    assert len(list(SMASH)) == len(SMASH) == (3 + 3) * 3


def test_counting_does_not_expand():
    wide = Legal([Choice(Smash, door="D4", units=Subset(tuple(map(str, range(60))), 0, 60), strength=1)])
    assert sum(map(len, LEGAL.choices)) == len(LEGAL) == 21
    assert wide.choices[0].slots["units"].__len__() == 2**60


def test_the_first_actions_of_a_huge_choice_come_without_the_others():
    units = tuple(f"n{number}" for number in range(60))
    wide = Choice(Smash, door=OneOf(("D4", "D5")), units=Subset(units, 1, 30), strength=Between(1, 2))
    assert list(islice(wide, 3)) == [Smash("D4", ("n0",), 1), Smash("D4", ("n0",), 2), Smash("D4", ("n1",), 1)]


@pytest.mark.parametrize(
    ("action", "inside"),
    [
        (Go("2", "NE"), True),
        (Go("3", "NE"), False),
        (Go("2", "E"), False),
        (Smash("D4", ("r1", "r3"), 2), True),
        (Smash("D4", ("r3", "r1"), 2), False),
        (Smash("D4", (), 2), False),
        (Smash("D4", ("r1", "r1"), 2), False),
        (Smash("D4", ("r1",), 5), False),
        (Pass(), False),
    ],
)
def test_membership_agrees_with_the_expanded_list(action, inside):
    assert (action in LEGAL) is inside
    assert (action in list(LEGAL)) is inside


def test_truth():
    assert LEGAL
    assert not Legal()


@pytest.mark.parametrize(
    ("words", "count"),
    [([], 21), (["go"], 3), (["ne"], 1), (["2"], 3 + 6), (["smash", "r1"], 18), (["fly"], 0), (["D4", "3"], 6)],
)
def test_filtering_narrows_slots(words, count):
    assert len(LEGAL.filtered([{word.lower()} for word in words], PHRASES)) == count


def test_what_goes_without_saying():
    assert Legal([Choice(Pass)]).only() == Pass()
    assert Legal([Choice(Pass), Choice(PassOne, robot="1")]).only() == Pass()
    assert Legal([Choice(Pass), GO]).only() is None
    assert GO.slots["toward"]
    assert LEGAL.only() is None


def test_the_throw_the_game_waits_for():
    throw = Choice(Pass, Need("first", 2, 6))
    assert Legal([GO, throw]).throw is throw
    assert LEGAL.throw is None


def test_json_says_everything():
    told = msgspec.json.decode(msgspec.json.encode([choice.to_json() for choice in LEGAL.choices]))
    assert told[0] == {
        "type": "go",
        "slots": {
            "robot": {"type": "one-of", "values": ["2"]},
            "toward": {"type": "one-of", "values": ["N", "NE", "S"]},
        },
        "count": 3,
        "throws": None,
    }
    assert told[1]["slots"]["units"] == {"type": "subset", "values": ["r1", "r2", "r3"], "least": 1, "most": 2}
    assert told[1]["slots"]["strength"] == {"type": "between", "low": 2, "high": 4}
