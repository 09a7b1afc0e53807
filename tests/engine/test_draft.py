"""What can be added to an action that is half said: compared with the list of all that it can become."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.partial_action import PartialAction
from referee.engine.slots import Between, OneOf, Ordered, Subset

NAMES = ("a", "b", "c", "d", "e")


class Lift(Action):
    who: tuple[str, ...]
    count: int
    where: tuple[str, ...]
    says = "lift {who} {count} at={where}"


def some(random):
    """A slot of several values at random, whatever bounds it has of its own."""
    least = random.randint(0, 2)
    most = random.randint(max(1, least), len(NAMES))
    match random.choice(("plain", "led", "covered", "ordered")):
        case "led":
            return Subset(NAMES, least, most, needs={"d": ("a", "b"), "e": ("a", "b")})
        case "covered":
            return Subset(NAMES, least, most, covered=("d", "e"), cover=("a", "b"))
        case "ordered":
            return Ordered(NAMES[:4], least, min(most, 4))
        case _:
            return Subset(NAMES, least, most)


def choice_at_random(random):
    slot = some(random)
    bounds = random.choice(((), (SumConstraint(("who", "count"), random.randint(0, 4), random.randint(4, 9)),)))
    if bounds and isinstance(slot, Subset) and not slot.needs and random.random() < 0.5:
        (bound,) = bounds
        bounds = (SumConstraint(bound.slots, bound.least, bound.most, weights={"a": 3, "d": 2, "count": 2}),)
    places = OneOf((("x",), ("y",), ("x", "y")))
    return Choice(Lift, bounds=bounds, who=slot, count=Between(0, random.randint(0, 3)), where=places)


def picks(action, draft):
    """Whether an action has all that was picked so far."""
    taken = draft.picked.get("who", ())
    if isinstance(draft.choice.slots["who"], Ordered):
        return action.who[: len(taken)] == taken
    return set(taken) <= set(action.who)


def addable(draft):
    """The words that can be added to "who", by looking through all actions."""
    taken, left = draft.picked.get("who", ()), [one for one in draft.choice if picks(one, draft)]
    if isinstance(draft.choice.slots["who"], Ordered):
        return {one.who[len(taken)] for one in left if len(one.who) > len(taken)}
    return {name for one in left for name in one.who} - set(taken)


@pytest.mark.parametrize("seed", range(300))
def test_just_what_leads_to_something_that_can_be_said_is_offered(seed):
    random = Random(seed)
    draft = PartialAction(choice_at_random(random))
    if not list(draft.choice):
        assert not draft.can_be_completed
        return
    for _ in range(6):
        assert draft.can_be_completed
        assert set(draft.list_next_words("who")) == addable(draft)
        assert set(draft.list_next_words("count")) == {str(one.count) for one in draft.choice if picks(one, draft)}
        said = draft.make_action()
        assert said is None or (said in draft.choice and picks(said, draft))
        name = random.choice(("who", "who", "count", "where"))
        words = sorted(draft.list_next_words(name))
        after = draft.fill_slot(name, random.choice(words)) if words else draft
        assert after is not None
        draft = after


def test_nothing_that_cannot_be_said_is_filled_in():
    draft = PartialAction(Choice(Lift, who=Subset(NAMES, 1, 1), count=Between(1, 2), where=("x",)))
    assert draft.fill_slot("count", "3") is None
    assert draft.fill_slot("who", "f") is None
    one = draft.fill_slot("who", "b")
    assert one is not None
    assert one.fill_slot("who", "c") is None
    assert one.find_only_value("who") == ("b",)


def test_a_word_means_the_first_open_slot_that_takes_it():
    draft = PartialAction(Choice(Lift, who=Subset(NAMES, 1, 2), count=Between(1, 2), where=OneOf((("x",), ("b",)))))
    first = draft.narrow_by_word("b")
    assert first is not None and first.picked == {"who": ("b",)}
    second = first.narrow_by_word("b")
    assert second is not None and second.find_only_value("where") == ("b",)
    assert second.narrow_by_word("lift") == second
    assert second.narrow_by_word("nobody") is None


def test_gaps_are_told():
    draft = PartialAction(Choice(Lift, who=Subset(NAMES, 1, 3), count=Between(1, 2), where=("x",)), {"who": ("c", "a")})
    assert draft.describe_slot("who") == "c a ..."
    assert draft.describe_slot("count") == "..."
    assert draft.describe_slot("where") == "x"
