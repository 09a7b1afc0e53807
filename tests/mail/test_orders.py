"""The language of orders: what is read, what is refused, and when a condition holds."""

from __future__ import annotations

from random import Random

import pytest

from referee.mail.order_conditions import ConditionContext, OrdersError, parse_condition
from referee.mail.orders import (
    MAX_CONDITION_DEPTH,
    format_orders,
    list_move_lines,
    parse_orders,
    select_case_items,
)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("done", "done"),
        ("if 5: 5 go; else: done", "if 5: 5 go else done"),
        ("IF 5: 5 go, Otherwise done", "if 5: 5 go else done"),
        ("if 5: 5 go, done else if 6 6: 6 go", "if 5: 5 go, done else if 6 6: 6 go"),
        ("1 go, if can 6 go and not 3: 6 go else: done", "1 go, if can 6 go and not 3: 6 go else done"),
        ("repeat if can 1 go: 1 go then done", "repeat if can 1 go: 1 go then done"),
        ("if 5: if 6: 6 go else 5 go", "if 5: if 6: 6 go else 5 go"),
        ("if any: then_not_a_word", "if any: then_not_a_word"),
    ],
)
def test_orders_are_read_and_written_again(typed, written):
    orders = parse_orders(typed)
    assert format_orders(orders) == written
    assert parse_orders(written) == orders


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "moves are missing at the end"),
        ("if 5 go", "a colon is missing after 'if 5 go', as in: if 5: MOVES"),
        ("if 5:", "moves are missing at the end"),
        ("if 5: then go", "moves are missing before 'then'"),
        ("go then", "moves are missing at the end"),
        ("else done", "moves are missing before 'else'"),
        ("if 5: go else x else y", "an else needs an if before it"),
        (
            "if x: go",
            "'x' is not a condition; type faces such as 5 or 5 5, sum 8+, can MOVE, or any; with not, and, or",
        ),
        ("repeat done", "repeat needs a condition, or it would never end: repeat if CONDITION: MOVES"),
        ("repeat if any: go", "'repeat if any' would never end; name another condition"),
        (
            "repeat if 5: x else y",
            "repeat takes no else, or it would never end; for what comes after it, type: then MOVES",
        ),
        ("if 5: go repeat if 5: go", "'repeat' may stand only at the beginning, or after 'then'"),
        ("if 5: " * (MAX_CONDITION_DEPTH + 1) + "go", "at most 4 conditions may stand inside each other"),
        ("x" * 601, "orders have at most 600 characters"),
    ],
)
def test_bad_orders_are_refused_in_one_clause(typed, why):
    with pytest.raises(OrdersError) as error:
        parse_orders(typed)
    assert str(error.value) == why


@pytest.mark.parametrize("seed", range(200))
def test_any_heap_of_words_is_read_or_refused(seed):
    random = Random(seed)
    words = ["if", "else", "then", "repeat", "5:", "any:", "sum", "8+:", "not", "and", "or", "can", "go", ",", ";", ":"]
    typed = " ".join(random.choice(words) for _ in range(random.randrange(14)))
    try:
        orders = parse_orders(typed)
    except OrdersError:
        return
    assert parse_orders(format_orders(orders)) == orders


@pytest.mark.parametrize(
    ("condition", "rolled", "holds"),
    [
        ("5", "2 5 6", True),
        ("5 5", "2 5 6", False),
        ("has 5 5", "5 2 5", True),
        ("not 5", "2 5 6", False),
        ("5 and 6", "2 5 6", True),
        ("1 OR 2 and 3", "1", True),
        ("1 or 2 and 3", "2", False),
        ("sum 8+", "4 4", True),
        ("sum 8+", "4 3", False),
        ("sum 8-", "4 4", True),
        ("sum >= 9", "4 4", False),
        ("sum<9", "4 4", True),
        ("sum 8", "4 4", True),
        ("sum = 8", "4 5", False),
        ("has Shotgun", "shotgun", True),
        ("any", "1", True),
        ("can 5 go", "1", True),
        ("can 6 go", "1", False),
        ("not can 6 go", "1", True),
    ],
)
def test_conditions(condition, rolled, holds):
    situation = ConditionContext(tuple(rolled.split()), lambda words: words == "5 go")
    assert parse_condition(condition)(situation) is holds


def test_the_first_case_that_holds_counts():
    (step,) = parse_orders("if 6: a else if 5: b else c")
    for rolled, chosen in (("5 6", "a"), ("5", "b"), ("1", "c")):
        (item,) = select_case_items(step.items[0], ConditionContext((*rolled.split(),), bool))
        assert item.words == chosen


def test_without_dice_a_condition_about_them_is_not_decided():
    with pytest.raises(OrdersError, match="you have rolled no dice since you gave them"):
        parse_condition("5")(ConditionContext(None, bool))
    assert parse_condition("any")(ConditionContext(None, bool))


def test_all_moves_in_orders_are_found():
    orders = parse_orders("1 go, if can 2 go and not can 3 go: 4 go else 5 go then 6 go")
    assert list(list_move_lines(orders)) == ["1 go", "2 go", "3 go", "4 go", "5 go", "6 go"]
