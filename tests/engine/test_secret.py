"""Secrets: values that one seat knows."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Literal

import pytest
from msgspec import Struct

from referee.engine.event import SecretEvent
from referee.engine.secret import Secret, UnknownError, hide_secrets_from, list_secret_fields

RED, BLUE = Secret("red", 7), Secret("blue", 8, "ab" * 32)


class Pair(Struct, frozen=True):
    """Something with secrets deep in it."""

    name: str
    inside: object


class Part(Struct, frozen=True):
    """A type whose fields are plain."""

    name: str = "part"
    places: tuple[tuple[str, int | None], ...] = (("a", 1),)


class DarkPart(Part, frozen=True):
    """A kind of it that is not."""

    card: Annotated[Secret[int], "a card"] = RED


class Typed(Struct, frozen=True):
    """Something whose types tell where secrets may be."""

    part: Part = Part()
    hand: tuple[Secret[int], ...] = ()
    tables: Mapping[str, list[Secret[int] | None]] = {}
    side: Literal["red", "blue"] = "red"


class Untold(Struct, frozen=True):
    """Something whose types are known to type checkers only."""

    card: NeverImported  # noqa: F821


@pytest.fixture(autouse=True)
def nothing_kept():
    """What types may hold is worked out anew in each test."""
    list_secret_fields.cache_clear()


def test_a_secret_is_known_or_not():
    assert (RED.value, RED.known) == (7, True)
    shut = RED.without_value()
    assert (shut.owner, shut.known) == ("red", False)
    with pytest.raises(UnknownError, match="only red knows") as caught:
        _ = shut.value
    assert caught.value.owner == "red"


def test_nothing_is_no_value():
    assert Secret("red", None).known
    assert not Secret("red").known


def test_what_is_shut_stays_shut_and_keeps_its_leaf():
    assert BLUE.without_value().leaf == BLUE.leaf
    shut = BLUE.without_value()
    assert shut.without_value() is shut


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Secret("red", 7), Secret("red", 7, "ab"), True),
        (Secret("red", 7), Secret("red", 8), False),
        (Secret("red", 7), Secret("blue", 7), False),
        (Secret("red", leaf="ab"), Secret("red", leaf="ab"), True),
        (Secret("red", leaf="ab"), Secret("red", leaf="cd"), False),
        (Secret("red", 7), Secret("red"), False),
        (Secret("red", 7), 7, False),
    ],
)
def test_equality_is_by_owner_and_value_or_leaf(one, other, same):
    assert (one == other) is same
    if same:
        assert hash(one) == hash(other)


def test_a_secret_can_be_guessed_by_who_does_not_know_it():
    hidden = Secret("red", leaf="ab")
    assert (hidden.with_guess(7).value, hidden.with_guess(7).without_value()) == (7, hidden)
    assert Secret("red", 5).with_guess(7) == Secret("red", 5)


def test_what_is_printed_of_an_unknown_secret_tells_nothing():
    assert "7" in repr(RED)
    assert repr(RED.without_value()) == "Secret('red')"


DEPTHS = [
    lambda secret: secret,
    lambda secret: (1, secret),
    lambda secret: [secret],
    lambda secret: {"a": {"b": secret}},
    lambda secret: Pair("x", (Pair("y", {"z": secret}),)),
    lambda secret: frozenset([secret]),
    lambda secret: SecretEvent(Pair("x", secret)),
    lambda secret: Typed(part=DarkPart(card=secret)),
    lambda secret: Typed(hand=(Secret("blue", leaf="ab"), secret)),
    lambda secret: Typed(tables={"a": [None, secret]}),
    Untold,
]


@pytest.mark.parametrize("put", DEPTHS)
def test_secrets_are_shut_at_any_depth(put):
    value = put(RED)
    assert repr(hide_secrets_from(value, "blue")) == repr(put(RED.without_value()))
    assert repr(hide_secrets_from(value, None)) == repr(put(RED.without_value()))
    assert hide_secrets_from(value, "red") is value
    assert type(hide_secrets_from(value, "blue")) is type(value)


@pytest.mark.parametrize("put", DEPTHS)
def test_a_view_of_a_view_is_that_view(put):
    once = hide_secrets_from(put(RED), "blue")
    assert hide_secrets_from(once, "blue") is once
    assert hide_secrets_from(once, "red") is once, "what is shut opens to nobody"


@pytest.mark.parametrize("value", [1, 1.5, "text", b"x", None, (1, "a"), {"a": (1,)}, Pair("x", (1, 2)), Typed()])
def test_what_holds_no_secret_is_itself(value):
    assert hide_secrets_from(value, None) is value


def test_a_secret_has_no_leaf_before_it_stands_in_a_log_and_shows_as_hidden():
    assert Secret("red", 7).leaf == Secret("red").leaf == ""
    assert str(Secret("red", 7)) == "7"
    assert str(Secret("red")) == "hidden"


@pytest.mark.parametrize("copied", [deepcopy, lambda secret: pickle.loads(pickle.dumps(secret))])
def test_a_copy_of_a_secret_knows_no_more_and_no_less(copied):
    for secret in (RED, BLUE, BLUE.without_value()):
        again = copied(secret)
        assert again == secret
        assert (again.known, again.leaf) == (secret.known, secret.leaf)
