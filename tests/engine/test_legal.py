"""Legal lists, on a made-up game of a few actions."""

from itertools import islice
from math import comb
from random import Random

import msgspec
import pytest

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Need
from referee.engine.legal import Choices, LegalActions
from referee.engine.slots import Between, OneOf, Ordered, Subset
from referee.engine.target_number import ONLY_READ


class Go(Action, frozen=True, tag="go"):
    says = "{robot} go {toward}"
    robot: str
    toward: str


class Smash(Action, frozen=True, tag="smash"):
    says = "smash {door} with {units} at {strength}"
    door: str
    units: tuple[str, ...]
    strength: int


class Pass(Action, frozen=True, tag="pass"):
    says = "pass"


class PassOne(Action, frozen=True, tag="pass-one"):
    says = "pass {robot}"
    robot: str


GO = Choice(Go, robot="2", toward=OneOf(("N", "NE", "S")))
SMASH = Choice(Smash, door="D4", units=Subset(("r1", "r2", "r3"), 1, 2), strength=Between(2, 4))
LEGAL = LegalActions([GO, SMASH])


def test_a_choice_expands_to_every_combination():
    assert list(GO) == [Go("2", "N"), Go("2", "NE"), Go("2", "S")]
    assert len(list(SMASH)) == len(SMASH) == (3 + 3) * 3


def test_counting_does_not_expand():
    wide = LegalActions([Choice(Smash, door="D4", units=Subset(tuple(map(str, range(60))), 0, 60), strength=1)])
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


# Bounds


class Attack(Action, frozen=True, tag="attack"):
    """Units of two kinds against some targets, and points spent on it."""

    says = "attack {targets} with {units} and {tanks} for {points}"
    targets: tuple[str, ...]
    units: tuple[str, ...]
    tanks: tuple[str, ...]
    points: int


def attack(*bounds):
    return Choice(
        Attack,
        bounds=bounds,
        targets=Ordered(("a", "b"), 1, 2),
        units=Subset(("u", "v", "w"), 0, 3),
        tanks=Subset(("t",), 0, 1),
        points=Between(0, 4),
    )


BOUNDED = [
    attack(SumConstraint(("units", "tanks"), 1, 2)),
    attack(SumConstraint(("targets", "points"), 2, 3)),
    attack(SumConstraint(("units", "tanks"), 2, 2), SumConstraint(("targets", "points"), 3, 4)),
    attack(SumConstraint(("units", "tanks", "targets", "points"), 3, 3)),
    attack(SumConstraint(("points",), 2, 3)),
    attack(SumConstraint(("units", "tanks"), 9, 9)),
]


def in_bounds(action, choice):
    def amount(value):
        return value if isinstance(value, int) else len(value)

    return all(
        bound.least <= sum(amount(getattr(action, slot)) for slot in bound.slots) <= bound.most
        for bound in choice.bounds
    )


@pytest.mark.parametrize("choice", BOUNDED, ids=lambda choice: " ".join(map(str, choice.bounds)))
def test_a_bounded_choice_is_what_lies_within_its_bounds(choice):
    everything = list(attack())
    within = [action for action in everything if in_bounds(action, choice)]
    assert list(choice) == within
    assert len(choice) == len(within), "counted without expanding"
    assert [action in choice for action in everything] == [in_bounds(action, choice) for action in everything]


@pytest.mark.parametrize("choice", BOUNDED[:-1], ids=lambda choice: " ".join(map(str, choice.bounds)))
def test_picking_keeps_to_the_bounds_and_reaches_everything(choice):
    picked = [choice.pick(Random(seed)) for seed in range(1_500)]
    assert all(action in choice for action in picked)
    reached = {choice.bounds[0].allows({slot: getattr(action, slot) for slot in choice.slots}) for action in picked}
    assert reached == {True}
    if len(choice) < 100:
        assert set(picked) == set(choice)


def test_bounds_of_large_slots_are_counted_without_expanding():
    units = tuple(f"n{number}" for number in range(50))
    wide = Choice(
        Attack,
        bounds=(SumConstraint(("units", "points"), 25, 25),),
        targets=("a",),
        units=Subset(units, 0, 50),
        tanks=(),
        points=Between(0, 25),
    )
    assert len(wide) == sum(comb(50, size) for size in range(26))
    assert wide.pick(Random(1)) in wide


def test_narrowing_keeps_the_bounds():
    bounded = attack(SumConstraint(("points",), 2, 3))
    narrowed = bounded.narrow({"b"})
    assert narrowed.bounds == bounded.bounds
    assert all(action in bounded for action in narrowed)
    assert [action.points for action in attack(SumConstraint(("points",), 2, 3)).narrow({"3"})][:1] == [3]
    assert not list(bounded.narrow({"4"})), "4 is out of bounds"


def test_a_minor_choice_stays_minor_when_narrowed():
    legal = LegalActions([Choice(Pass), Choice(PassOne, minor=True, robot=OneOf(("1", "2")))])
    assert legal.filter([{"1"}]).choices[0].minor
    assert legal.filter([{"1"}]).only_action() is None


@pytest.mark.parametrize("minor", [False, True])
def test_choices_of_many_values_are_picked_like_choices_one_by_one(minor):
    made: list[str] = []

    def go(robot: str) -> Choice:
        made.append(robot)
        return Choice(Go, robot=robot, toward=OneOf(("N", "NE")), minor=minor)

    rest = (Choice(Pass, minor=True), SMASH)
    one_by_one = LegalActions([*map(go, "123"), *rest])
    together = LegalActions([Choices("123", go, minor=minor), *rest])
    for seed in range(1_000 if minor else 200):
        made.clear()
        assert together.pick(Random(seed)) == one_by_one.pick(Random(seed))
        assert len(made) <= 1, "others are not made"
    assert repr(together) == repr(one_by_one)
    assert list(together) == list(one_by_one)
    with pytest.raises(IndexError):
        LegalActions().pick(Random(1))


@pytest.mark.parametrize("before", [True, False])
def test_choices_that_nobody_has_counted_are_picked_like_others(before):
    counted: list[str] = []

    def those(values: str):
        for value in values:
            counted.append(value)
            yield value

    def go(robot: str) -> Choice:
        return Choice(Go, robot=robot, toward="N", minor=True)

    def legal(values: str, most: int | None = None) -> LegalActions:
        many = Choices(those(values), go, minor=True, most=most)
        return LegalActions([many, Choice(Pass), SMASH] if before else [Choice(Pass), SMASH, many])

    for values in ("", "13", "1234567"):
        together, unheeded = legal(values), 0
        for seed in range(3_000):
            uncounted = legal(values, most=9)
            counted.clear()
            assert uncounted.pick(Random(seed)) == together.pick(Random(seed))
            unheeded += not counted
        assert unheeded > 2_500, "mostly it does not matter how many they are"
        assert list(legal(values, most=9)) == list(together)


def test_bounds_are_told():
    assert str(SumConstraint(("units", "tanks"), 1, 2)) == "units and tanks together 1..2"
    assert str(SumConstraint(("units",), 2, 2)) == "units together 2"
    told = msgspec.json.decode(msgspec.json.encode(BOUNDED[0].to_json()))
    assert told["bounds"] == [{"type": "total", "slots": ["units", "tanks"], "least": 1, "most": 2}]
    assert told["count"] == len(BOUNDED[0])


def test_truth():
    assert LEGAL
    assert not LegalActions()


@pytest.mark.parametrize(
    ("words", "count"),
    [([], 21), (["go"], 3), (["ne"], 1), (["2"], 3 + 6), (["smash", "r1"], 18), (["fly"], 0), (["D4", "3"], 6)],
)
def test_filtering_narrows_slots(words, count):
    assert len(LEGAL.filter([{word.lower()} for word in words])) == count


def test_what_goes_without_saying():
    assert LegalActions([Choice(Pass)]).only_action() == Pass()
    assert LegalActions([Choice(Pass), Choice(PassOne, minor=True, robot="1")]).only_action() == Pass()
    assert LegalActions([Choice(Pass), Choice(PassOne, robot="1")]).only_action() is None
    assert LegalActions([Choice(Pass), GO]).only_action() is None
    assert GO.slots["toward"]
    assert LEGAL.only_action() is None


def test_the_throw_the_game_waits_for():
    throw = Choice(Pass, Need("first", 2, 6, aims=ONLY_READ))
    assert LegalActions([throw]).awaited_roll is throw
    assert LegalActions([Choice(Pass, minor=True), throw]).awaited_roll is throw
    assert LegalActions([GO, throw]).awaited_roll is None, "it is one thing of several"
    assert LegalActions([GO, throw]).choices_with_roll == [throw]
    assert LEGAL.awaited_roll is None


def test_json_says_everything():
    told = msgspec.json.decode(msgspec.json.encode([choice.to_json() for choice in LEGAL.choices]))
    assert told[0] == {
        "type": "go",
        "slots": {
            "robot": {"type": "one-of", "values": ["2"]},
            "toward": {"type": "one-of", "values": ["N", "NE", "S"]},
        },
        "bounds": [],
        "count": 3,
        "throws": None,
    }
    assert told[1]["slots"]["units"] == {"type": "subset", "values": ["r1", "r2", "r3"], "least": 1, "most": 2}
    assert told[1]["slots"]["strength"] == {"type": "between", "low": 2, "high": 4}


def test_what_can_only_be_one_thing():
    assert LegalActions([Choice(Pass)]).forced_action() == Pass()
    assert LegalActions([Choice(Pass), Choice(PassOne, aside=True, robot="1")]).forced_action() == Pass()
    assert LegalActions([Choice(Pass), Choice(PassOne, minor=True, robot="1")]).forced_action() is None, (
        "that would be lost"
    )
    assert LegalActions([Choice(Pass), GO]).forced_action() is None
    assert LegalActions([Choice(Pass, Need("a die", 1, 6, aims=ONLY_READ))]).forced_action() is None, (
        "throwing is for people"
    )
    assert LegalActions([]).forced_action() is None
    assert Choice(PassOne, aside=True, robot="1").minor, "what is aside is minor"


def test_a_slot_that_is_made_when_looked_at_is_not_made_for_others():
    made = []

    def ways():
        made.append("ways")
        return OneOf(("N", "S"))

    choice = Choice(Go, robot="1", toward=ways)
    assert Go("2", "N") not in choice
    assert not made
    assert Go("1", "N") in choice
    assert Go("1", "E") not in choice
    assert made == ["ways"]
