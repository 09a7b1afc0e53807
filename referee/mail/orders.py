"""Orders for when a player is away: moves with conditions, as the player writes them.

`if 5: 5 go, if can 6 go: 6 go else done then repeat if 1: 1 turn`. Only the player's own computer ever reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.mail.order_conditions import OrdersError, Situation, read_condition

MAX_TEXT = 600
"""The most characters of all orders of one game."""
MAX_DEPTH = 4
"""The most conditions that may stand inside each other."""
KEYWORD = re.compile(r"(?:^|(?<=[\s,;:]))(if|else|otherwise|then|repeat)(?=[\s:]|$)", re.IGNORECASE)


class Moves(Struct, frozen=True):
    """A line of moves."""

    words: str

    def __str__(self) -> str:
        return self.words


class Case(Struct, frozen=True):
    """Orders that count if a condition holds."""

    condition: str
    """The condition as typed; "" for the case that counts if no other does."""
    items: tuple[Moves | CaseList, ...]

    def __str__(self) -> str:
        return f"{f'if {self.condition}: ' if self.condition else ''}{', '.join(map(str, self.items))}"

    def holds(self, situation: Situation) -> bool:
        """True if the condition holds. Raises OrdersError if that cannot be decided."""
        return not self.condition or read_condition(self.condition)(situation)


class CaseList(Struct, frozen=True):
    """Several cases. The first one that holds counts."""

    cases: tuple[Case, ...]

    def __str__(self) -> str:
        return " else ".join(map(str, self.cases))


class Step(Struct, frozen=True):
    """One step of orders, which is done once or is repeated as long as a condition holds."""

    items: tuple[Moves | CaseList, ...]
    repeats: bool = False

    def __str__(self) -> str:
        return f"{'repeat ' if self.repeats else ''}{', '.join(map(str, self.items))}"


Orders = tuple[Step, ...]
Token = tuple[str, str]
"""A keyword with "", or "" with the words between two keywords."""


def format_orders(orders: Orders) -> str:
    """Returns orders as a player would type them."""
    return " then ".join(map(str, orders))


def parse_orders(text: str) -> Orders:
    """Reads orders. Raises OrdersError if they cannot be read, or would never end."""
    if len(text) > MAX_TEXT:
        raise OrdersError(f"orders have at most {MAX_TEXT} characters")
    tokens = list(_split_into_tokens(text))
    steps = [_read_step(tokens)]
    while tokens:
        if tokens.pop(0)[0] != "then":
            raise OrdersError("an else needs an if before it")
        steps.append(_read_step(tokens))
    return tuple(steps)


def _split_into_tokens(text: str) -> Iterator[Token]:
    """Yields keywords, and the words between them."""
    for place, part in enumerate(KEYWORD.split(" ".join(text.split()))):
        word = part.strip(" ,;")
        if place % 2:
            yield "else" if word.lower() == "otherwise" else word.lower(), ""
        elif word.strip(":"):
            yield "", word


def _peek_keyword(tokens: Sequence[Token]) -> str | None:
    """Returns the next keyword, "" for words, or None at the end."""
    return tokens[0][0] if tokens else None


def _read_step(tokens: list[Token]) -> Step:
    repeats = _peek_keyword(tokens) == "repeat"
    if repeats:
        tokens.pop(0)
    step = Step(_read_items(tokens, 0), repeats)
    if repeats:
        _check_ends(step)
    return step


def _check_ends(step: Step) -> None:
    """Raises OrdersError unless a repeated step ends once its condition no longer holds."""
    first = step.items[0]
    if not isinstance(first, CaseList):
        raise OrdersError("repeat needs a condition, or it would never end: repeat if CONDITION: MOVES")
    if not first.cases[-1].condition:
        raise OrdersError("repeat takes no else, or it would never end; for what comes after it, type: then MOVES")
    if any(case.condition.lower() == "any" for case in first.cases):
        raise OrdersError("'repeat if any' would never end; name another condition")


def _read_items(tokens: list[Token], depth: int) -> tuple[Moves | CaseList, ...]:
    """Reads moves, and a condition after them. A condition takes everything up to `else` or `then`."""
    items: list[Moves | CaseList] = []
    if _peek_keyword(tokens) == "":
        items.append(Moves(tokens.pop(0)[1].strip(" ,;:")))
    if _peek_keyword(tokens) == "if":
        items.append(_read_choice(tokens, depth + 1))
    if _peek_keyword(tokens) == "repeat":
        raise OrdersError("'repeat' may stand only at the beginning, or after 'then'")
    if not items:
        raise OrdersError(f"moves are missing {f'before {_peek_keyword(tokens)!r}' if tokens else 'at the end'}")
    return tuple(items)


def _read_choice(tokens: list[Token], depth: int) -> CaseList:
    if depth > MAX_DEPTH:
        raise OrdersError(f"at most {MAX_DEPTH} conditions may stand inside each other")
    cases: list[Case] = []
    while _peek_keyword(tokens) == "if":
        tokens.pop(0)
        condition = _read_head(tokens)
        cases.append(Case(condition, _read_items(tokens, depth)))
        if _peek_keyword(tokens) != "else":
            return CaseList(tuple(cases))
        tokens.pop(0)
    return CaseList((*cases, Case("", _read_items(tokens, depth))))


def _read_head(tokens: list[Token]) -> str:
    """Takes the condition after `if`, and leaves the moves after its colon."""
    words = tokens.pop(0)[1] if _peek_keyword(tokens) == "" else ""
    condition, colon, rest = re.match(r"(.*?)(:(?=\s|$)|$)\s*(.*)", words).groups()  # type: ignore[union-attr]
    if not colon:
        raise OrdersError(f"a colon is missing after 'if {condition.strip()}', as in: if 5: MOVES")
    condition = condition.strip(" ,;")
    read_condition(condition)
    if rest.strip(" ,;:"):
        tokens.insert(0, ("", rest))
    return condition


def list_move_lines(orders: Orders) -> Iterator[str]:
    """Yields the lines of moves in orders, and the moves that conditions name."""
    for step in orders:
        yield from _list_lines_of_items(step.items)


def _list_lines_of_items(items: Sequence[Moves | CaseList]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Moves):
            yield item.words
            continue
        for case in item.cases:
            yield from re.findall(r"\bcan (.+?)(?= and | or |$)", case.condition, re.IGNORECASE)
            yield from _list_lines_of_items(case.items)


def select_case_items(item: CaseList, situation: Situation) -> tuple[Moves | CaseList, ...]:
    """Returns the orders of the first case that holds; () if none does. Raises OrdersError if that is undecided."""
    return next((case.items for case in item.cases if case.holds(situation)), ())
