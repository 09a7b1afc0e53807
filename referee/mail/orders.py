"""Orders for when a player is away: moves with conditions, as the player writes them.

`if 5: 5 go, if can 6 go: 6 go else done then repeat if 1: 1 turn`. Only the player's own computer ever reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.mail.order_conditions import ConditionContext, OrdersError, parse_condition

MAX_ORDERS_LENGTH = 600
"""The most characters of all orders of one game."""
MAX_CONDITION_DEPTH = 4
"""The most conditions that may stand inside each other."""
KEYWORD = re.compile(r"(?:^|(?<=[\s,;:]))(if|else|otherwise|then|repeat)(?=[\s:]|$)", re.IGNORECASE)


class MoveLine(Struct, frozen=True):
    """A line of moves."""

    words: str

    def __str__(self) -> str:
        return self.words


class OrderCase(Struct, frozen=True):
    """Orders that count if a condition holds."""

    condition: str
    """The condition as typed; "" for the case that counts if no other does."""
    items: tuple[MoveLine | OrderCaseList, ...]

    def __str__(self) -> str:
        return f"{f'if {self.condition}: ' if self.condition else ''}{', '.join(map(str, self.items))}"

    def holds(self, context: ConditionContext) -> bool:
        """True if the condition holds. Raises OrdersError if that cannot be decided."""
        return not self.condition or parse_condition(self.condition)(context)


class OrderCaseList(Struct, frozen=True):
    """Several cases. The first one that holds counts."""

    cases: tuple[OrderCase, ...]

    def __str__(self) -> str:
        return " else ".join(map(str, self.cases))


class OrderStep(Struct, frozen=True):
    """One step of orders, which is done once or is repeated as long as a condition holds."""

    items: tuple[MoveLine | OrderCaseList, ...]
    repeats: bool = False

    def __str__(self) -> str:
        return f"{'repeat ' if self.repeats else ''}{', '.join(map(str, self.items))}"


Orders = tuple[OrderStep, ...]
OrderToken = tuple[str, str]
"""A keyword with "", or "" with the words between two keywords."""


def format_orders(orders: Orders) -> str:
    """Returns orders as a player would type them."""
    return " then ".join(map(str, orders))


def parse_orders(text: str) -> Orders:
    """Reads orders. Raises OrdersError if they cannot be read, or would never end."""
    if len(text) > MAX_ORDERS_LENGTH:
        raise OrdersError(f"orders have at most {MAX_ORDERS_LENGTH} characters")
    tokens = list(_split_into_tokens(text))
    steps = [_read_step(tokens)]
    while tokens:
        if tokens.pop(0)[0] != "then":
            raise OrdersError("an else needs an if before it")
        steps.append(_read_step(tokens))
    return tuple(steps)


def _split_into_tokens(text: str) -> Iterator[OrderToken]:
    """Yields keywords, and the words between them."""
    for place, part in enumerate(KEYWORD.split(" ".join(text.split()))):
        word = part.strip(" ,;")
        if place % 2:
            yield "else" if word.lower() == "otherwise" else word.lower(), ""
        elif word.strip(":"):
            yield "", word


def _peek_keyword(tokens: Sequence[OrderToken]) -> str | None:
    """Returns the next keyword, "" for words, or None at the end."""
    return tokens[0][0] if tokens else None


def _read_step(tokens: list[OrderToken]) -> OrderStep:
    repeats = _peek_keyword(tokens) == "repeat"
    if repeats:
        tokens.pop(0)
    step = OrderStep(_read_items(tokens, 0), repeats)
    if repeats:
        _check_ends(step)
    return step


def _check_ends(step: OrderStep) -> None:
    """Raises OrdersError unless a repeated step ends once its condition no longer holds."""
    first = step.items[0]
    if not isinstance(first, OrderCaseList):
        raise OrdersError("repeat needs a condition, or it would never end: repeat if CONDITION: MOVES")
    if not first.cases[-1].condition:
        raise OrdersError("repeat takes no else, or it would never end; for what comes after it, type: then MOVES")
    if any(case.condition.lower() == "any" for case in first.cases):
        raise OrdersError("'repeat if any' would never end; name another condition")


def _read_items(tokens: list[OrderToken], depth: int) -> tuple[MoveLine | OrderCaseList, ...]:
    """Reads moves, and a condition after them. A condition takes everything up to `else` or `then`."""
    items: list[MoveLine | OrderCaseList] = []
    if _peek_keyword(tokens) == "":
        items.append(MoveLine(tokens.pop(0)[1].strip(" ,;:")))
    if _peek_keyword(tokens) == "if":
        items.append(_read_choice(tokens, depth + 1))
    if _peek_keyword(tokens) == "repeat":
        raise OrdersError("'repeat' may stand only at the beginning, or after 'then'")
    if not items:
        raise OrdersError(f"moves are missing {f'before {_peek_keyword(tokens)!r}' if tokens else 'at the end'}")
    return tuple(items)


def _read_choice(tokens: list[OrderToken], depth: int) -> OrderCaseList:
    if depth > MAX_CONDITION_DEPTH:
        raise OrdersError(f"at most {MAX_CONDITION_DEPTH} conditions may stand inside each other")
    cases: list[OrderCase] = []
    while _peek_keyword(tokens) == "if":
        tokens.pop(0)
        condition = _read_head(tokens)
        cases.append(OrderCase(condition, _read_items(tokens, depth)))
        if _peek_keyword(tokens) != "else":
            return OrderCaseList(tuple(cases))
        tokens.pop(0)
    return OrderCaseList((*cases, OrderCase("", _read_items(tokens, depth))))


def _read_head(tokens: list[OrderToken]) -> str:
    """Takes the condition after `if`, and leaves the moves after its colon."""
    words = tokens.pop(0)[1] if _peek_keyword(tokens) == "" else ""
    condition, colon, rest = re.match(r"(.*?)(:(?=\s|$)|$)\s*(.*)", words).groups()  # type: ignore[union-attr]
    if not colon:
        raise OrdersError(f"a colon is missing after 'if {condition.strip()}', as in: if 5: MOVES")
    condition = condition.strip(" ,;")
    parse_condition(condition)
    if rest.strip(" ,;:"):
        tokens.insert(0, ("", rest))
    return condition


def list_move_lines(orders: Orders) -> Iterator[str]:
    """Yields the lines of moves in orders, and the moves that conditions name."""
    for step in orders:
        yield from _list_lines_of_items(step.items)


def _list_lines_of_items(items: Sequence[MoveLine | OrderCaseList]) -> Iterator[str]:
    for item in items:
        if isinstance(item, MoveLine):
            yield item.words
            continue
        for case in item.cases:
            yield from re.findall(r"\bcan (.+?)(?= and | or |$)", case.condition, re.IGNORECASE)
            yield from _list_lines_of_items(case.items)


def select_case_items(item: OrderCaseList, context: ConditionContext) -> tuple[MoveLine | OrderCaseList, ...]:
    """Returns the orders of the first case that holds; () if none does. Raises OrdersError if that is undecided."""
    return next((case.items for case in item.cases if case.holds(context)), ())
