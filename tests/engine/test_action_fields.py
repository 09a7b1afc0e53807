"""How the fields of an action are read, written and held against their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from referee.engine.action_fields import find_ill_typed_part
from referee.engine.action_grammar import Verb, Verbs
from referee.engine.choice import Action
from referee.engine.secret import Secret
from referee.engine.text import NotUnderstoodError
from referee.engine.turn_order import Obligation, Order

Count = Annotated[int, Meta(ge=1, le=9)]
Square = Annotated[str, Meta(pattern="^[A-H][1-8]$")]


class Buy(Action, frozen=True, tag="buy"):
    says = "buy {what} {count}"
    what: Literal["tank", "Gun"]
    count: Count


class Bid(Action, frozen=True, tag="bid"):
    says = "bid {price}"
    price: Annotated[int, Meta(gt=0)]


class Show(Action, frozen=True, tag="show"):
    says = "show {cards} on {squares}"
    cards: tuple[Count, ...]
    squares: tuple[Square, Square]


class Hide(Action, frozen=True, tag="hide"):
    says = "hide {cards} {where}"
    cards: Annotated[Secret[tuple[Count, ...]], Meta(extra={"seen": "never"})]
    where: Square


class Name(Action, frozen=True, tag="name"):
    says = "name {pairs}"
    pairs: Annotated[tuple[tuple[str, Secret[Count]], ...], Meta(max_length=2)]


class Pass(Action, frozen=True, tag="pass"):
    says = "pass"


ALL = (Buy, Bid, Show, Hide, Name, Pass)
VERBS = Verbs(tuple(Verb(kind, ("now",)) for kind in ALL), Order(lambda state: Obligation("red", "now", "1", "now")))


def read(text):
    return VERBS.parse(text, "view", "red")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("buy tank 3", Buy("tank", 3)),
        ("buy gun 3", Buy("Gun", 3)),
        ("bid 1000", Bid(1000)),
        ("show 1 2 3 on a1 H8", Show((1, 2, 3), ("A1", "H8"))),
        ("show on a1 h8", Show((), ("A1", "H8"))),
        ("hide 1 2 a1", Hide(Secret("red", (1, 2)), "A1")),
        ("hide a1", Hide(Secret("red", ()), "A1")),
        ("name x 1 y 2", Name((("x", Secret("red", 1)), ("y", Secret("red", 2))))),
        ("name", Name(())),
    ],
)
def test_every_kind_of_field_is_read_as_it_is_written(text, action):
    assert read(text) == action
    assert VERBS.format(action).lower() == text.lower()
    assert find_ill_typed_part(action) is None


def test_a_tuple_ends_where_another_phrase_begins():
    assert VERBS.read("name x 1 pass", "view", "red").rest == "pass"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("buy tank 0", 9, "a count: a whole number from 1 to 9"),
        ("buy tank 10", 9, "a count: a whole number from 1 to 9"),
        ("buy tank many", 9, "a count: a whole number from 1 to 9"),
        ("buy boat 1", 4, "a what: tank or Gun"),
        ("bid 0", 4, "a price: a whole number, 1 or more"),
        ("show 1 0 on a1 a2", 7, "a cards: a whole number from 1 to 9"),
        ("show 1 on a1", 13, "a squares"),
        ("show 1 on a1 a9", 13, "a squares"),
        ("hide 10 a1", 5, "a cards: a whole number from 1 to 9"),
        ("name x 1 y 2 z 3", 5, "a pairs"),
        ("name x 0", 7, "a pairs: a whole number from 1 to 9"),
    ],
)
def test_what_does_not_fit_its_field_is_pointed_at_in_words(text, at, expected):
    with pytest.raises(NotUnderstoodError, match=f"expected {expected}") as caught:
        read(text)
    assert caught.value.at == at
    assert "$" not in str(caught.value)


def careless(reader):
    """Reads a number and looks at no bound."""
    reader.next("a what")
    return Buy("tank", int(reader.next("a count").text))


def test_bounds_hold_also_where_a_game_reads_by_itself():
    verbs = Verbs((Verb(Buy, ("now",), read=careless),), Order(lambda state: None))
    assert verbs.parse("buy tank 1", "view", "red") == Buy("tank", 1)
    with pytest.raises(NotUnderstoodError, match="expected a count: a whole number from 1 to 9") as caught:
        verbs.parse("buy tank 0", "view", "red")
    assert caught.value.at == 9


@pytest.mark.parametrize(
    ("action", "part"),
    [
        (Buy("tank", 0), ("count", 0)),
        (Buy("tank", 7.5), ("count", 7.5)),
        (Show([1], ("A1", "A2")), ("cards", [1])),
        (Show((1,), ("A1", object)), ("squares", object)),
        (Name((("x", Secret("red", 10)),)), ("pairs", 10)),
        (Name((("x", 1),)), ("pairs", 1)),
    ],
)
def test_the_part_that_does_not_fit_is_named(action, part):
    name, _, value = find_ill_typed_part(action)
    assert (name, value) == part


def test_a_secret_that_is_not_known_may_be_anything():
    assert find_ill_typed_part(Hide(Secret("blue"), "A1")) is None
