"""Verbs: everything about one kind of action in one place."""

from __future__ import annotations

from typing import Literal

import pytest

from referee.engine.action_fields import parse_action
from referee.engine.action_grammar import Verb, Verbs
from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.legal import Choices
from referee.engine.rulebook import Refusal
from referee.engine.slots import Between, OneOf, Subset
from referee.engine.text import NotUnderstoodError, PhraseReader
from referee.engine.turn_order import Obligation, Order


class Raid(Action, frozen=True, tag="raid"):
    says = "raid {cove} with {pirates}"
    cove: str
    pirates: int


class Lose(Action, frozen=True, tag="lose"):
    says = "lose {what}"
    what: Literal["gold", "pirates"]


class Rest(Action, frozen=True, tag="rest"):
    says = "rest"


class Load(Action, frozen=True, tag="load"):
    says = "load {chests} {where}"
    chests: tuple[str, ...]
    where: str


class Sail(Action, frozen=True, tag="sail"):
    says = "sail {cove}"
    cove: str


class Lie(Action, frozen=True, tag="lie"):
    says = "lie"


class Scout(Action, frozen=True, tag="scout"):
    says = "scout {cove}"
    cove: Literal["reef", "raid"]


def nothing(*_):
    return iter(())


def often(*_):
    yield from [Refusal("time", "too late")] * 3


def verb(action, phases=("night",), offers=nothing, check=nothing, **more):
    return Verb(action, phases, offers, check, nothing, **more)


def read_load(reader):
    words = [word.text for word in reader.words]
    reader.words.clear()
    return Load(tuple(words[:-1]), words[-1])


ORDER = Order(lambda state: Obligation("red", state, "time", f"this is the {state}"))
VERBS = Verbs(
    (
        verb(Raid, offers=lambda *_: iter([Choice(Raid, cove=OneOf(("reef", "cave")), pirates=Between(1, 3))])),
        verb(Lose, phases=("day",), offers=lambda *_: iter([Choice(Lose, what="gold")]), check=often),
        verb(Rest, phases=("day", "night"), words=("rest", "sleep"), offers=lambda *_: iter([Choice(Rest)])),
        verb(Load, read=read_load),
        verb(Sail, carries=True),
        verb(Scout, carries=True, words=("scout",)),
    ),
    order=ORDER,
)


@pytest.mark.parametrize(
    "action",
    [Raid("reef", 2), Lose("gold"), Rest(), Load(("c1", "c2"), "ship")],
    ids=lambda action: type(action).__name__,
)
def test_canonical_words_are_read_back(action):
    assert VERBS.parse(VERBS.format(action), "night", "red") == action


@pytest.mark.parametrize("text", ["raid reef with 2", "RAID Reef With 2", "ra reef with 2"])
def test_words_are_read_in_any_case_and_shortened(text):
    assert VERBS.parse(text, "night", "red") == Raid("reef", 2)


def test_a_word_is_one_verb_whatever_it_is_said_for():
    assert set(VERBS.verbs_by_word) == {"raid", "lose", "rest", "sleep", "load", "sail", "scout"}
    assert VERBS.parse("sleep", "night", "red") == Rest()
    assert VERBS.format(Rest()) == "rest"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("", 1, "a verb such as raid, lose, rest, sleep"),
        ("dance", 0, "a verb such as"),
        ("r", 0, "a verb such as"),
        ("raid", 5, "a cove"),
        ("raid reef by 2", 10, "'with'"),
        ("raid reef with many", 15, "a pirates"),
        ("raid reef with 2 now", 17, "no more words here"),
        ("lose heart", 5, "a what"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text, at, expected):
    with pytest.raises(NotUnderstoodError, match=expected) as caught:
        VERBS.parse(text, "night", "red")
    assert caught.value.at == at


def test_a_verb_of_which_nothing_is_offered_is_not_due():
    none_left = verb(Raid, offers=lambda *_: iter([Choices((), Choice)]))
    rest = verb(Rest, words=("rest", "rally"), offers=lambda *_: iter([Choice(Rest)]))
    assert Verbs((none_left, rest), order=ORDER).parse("ra", "night", "red") == Rest()


def test_a_beginning_of_several_verbs_means_the_one_that_is_due():
    assert VERBS.parse("r", "day", "red") == Rest()
    with pytest.raises(NotUnderstoodError):
        VERBS.parse("r", "night", "red")


def test_where_a_comma_is_missing_the_rest_is_left_to_be_said():
    assert VERBS.read("raid reef with 2 rest", "night", "red").rest == "rest"
    assert VERBS.read("raid reef with 2", "night", "red").rest == ""
    with pytest.raises(NotUnderstoodError, match="one action only") as caught:
        VERBS.parse("rest rest", "night", "red")
    assert caught.value.at == 5


def test_a_verb_that_carries_on_may_be_left_out():
    assert VERBS.read("sail reef cave", "night", "red").rest == "sail cave"
    assert VERBS.read("cave", "night", "red", after="sail").action == Sail("cave")
    assert VERBS.read("rest", "night", "red", after="sail").action == Rest()
    with pytest.raises(NotUnderstoodError):
        VERBS.read("cave", "night", "red", after="load")


def test_a_verb_carries_on_before_a_phrase_is_read_otherwise():
    assert VERBS.read("reef", "night", "red", after="scout").action == Scout("reef")
    with pytest.raises(NotUnderstoodError, match="expected a cove: reef or raid"):
        VERBS.read("bay", "night", "red", after="scout")
    assert VERBS.read("res", "night", "red", after="scout").action == Rest(), "what it cannot mean may be another verb"


def test_a_verb_carries_on_as_long_as_it_can_be_said():
    shortest = Verbs((*VERBS.all, verb(Lie, phases=("day",), words=("lie",))), order=ORDER)
    assert shortest.read("li", "night", "red", after="sail").action == Sail("li")
    assert shortest.read("li", "day", "red", after="sail").action == Lie()


def test_who_insists_ends_with_an_exclamation_mark():
    assert VERBS.read("rest!", "night", "red").insists
    assert not VERBS.read("rest", "night", "red").insists


def test_what_a_phrase_begins_with_can_be_told():
    told = Verbs(VERBS.all, order=ORDER, begins="an order")
    with pytest.raises(NotUnderstoodError, match="expected an order"):
        told.parse("dance", "night", "red")


def test_fields_are_read_by_their_types():
    assert parse_action(Raid, PhraseReader("reef with 3")) == Raid("reef", 3)


def test_only_verbs_whose_time_has_come_are_legal():
    assert [choice.kind for choice in VERBS.legal("night", "red").choices] == [Raid, Rest]
    assert [choice.kind for choice in VERBS.legal("day", "red").choices] == [Lose, Rest]
    assert not VERBS.legal("dawn", "red")


def test_a_rule_that_is_broken_in_the_same_way_is_named_once():
    assert list(VERBS.check("day", "red", Lose("gold"))) == [Refusal("time", "too late")]


def test_a_choice_is_worded_with_all_its_values():
    (choice,) = (choice for choice in VERBS.legal("night", "red").choices if choice.kind is Raid)
    assert VERBS.format_choice(choice) == "raid reef/cave with 1..3"
    bounded = Choice(
        Load, bounds=(SumConstraint(("chests",), 1, 2),), chests=Subset(("c1", "c2", "c3"), 0, 3), where="ship"
    )
    assert VERBS.format_choice(bounded) == "load 0..3 of c1/c2/c3 ship (chests together 1..2)"


def test_what_is_said_is_looked_for_in_the_list_that_was_made_last():
    asked = []

    def coves(state, _seat):
        asked.append(state)
        yield Choice(Sail, cove=OneOf(("east", "west")))

    verbs = Verbs((verb(Sail, offers=coves, check=None, rule="sea"),), ORDER)
    night, another = "night", "-night"[1:]
    assert verbs.legal(night, "red") is verbs.legal(night, "red")
    assert not list(verbs.check(night, "red", Sail("east")))
    assert asked == [night]
    assert not list(verbs.check(another, "red", Sail("west")))
    assert asked == [night, another]
    assert [refusal.rule for refusal in verbs.check(another, "red", Sail("north"))] == ["sea"]
