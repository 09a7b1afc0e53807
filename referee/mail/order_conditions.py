"""The conditions in a player's orders: faces of the last roll, its sum, and moves that are legal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

SUM = re.compile(r"sum\s*(?P<sign><=|>=|<|>|=|)\s*(?P<sum>\d{1,4})\s*(?P<open>[+-]?)")
FACES = re.compile(r"(?:has\s+)?(\d{1,4}(?:\s+\d{1,4})*)|has\s+(\S.*)")
CONDITION_FORMS = "faces such as 5 or 5 5, sum 8+, can MOVE, or any; with not, and, or"
"""The forms of a condition, in words."""


class OrdersError(ValueError):
    """Orders that cannot be read, or a condition that cannot be decided."""


class ConditionContext(Struct, frozen=True):
    """Everything that conditions ask about."""

    faces: tuple[str, ...] | None
    """The faces or names of the last own roll; None if there was none since the orders."""
    is_legal_move: Callable[[str], bool]
    """Returns True if a move in these words is legal now."""

    @property
    def roll(self) -> tuple[str, ...]:
        """The faces of the player's own last roll. Raises OrdersError if there was none since the orders were given."""
        if self.faces is None:
            raise OrdersError("you have rolled no dice since you gave them")
        return self.faces


Condition = Callable[[ConditionContext], bool]


def parse_condition(text: str) -> Condition:
    """Reads a condition. Raises OrdersError if it cannot be read."""
    for word, join in (("or", any), ("and", all)):
        parts = re.split(rf"\s{word}\s", text, flags=re.IGNORECASE)
        if len(parts) > 1:
            return partial(_hold_together, [parse_condition(part) for part in parts], join)
    words = text.strip()
    if words.lower().startswith("not "):
        return partial(_negate, parse_condition(words[4:]))
    return _read_simple(words)


def _hold_together(
    conditions: Sequence[Condition], join: Callable[[Iterator[bool]], bool], context: ConditionContext
) -> bool:
    return join(holds(context) for holds in conditions)


def _negate(condition: Condition, context: ConditionContext) -> bool:
    return not condition(context)


def _read_simple(words: str) -> Condition:
    lower = words.lower()
    if lower == "any":
        return lambda _situation: True
    if lower.startswith("can ") and words[4:].strip():
        return partial(_is_possible, words[4:].strip())
    if found := SUM.fullmatch(lower):
        return partial(_has_sum, *_read_sum_bounds(found))
    if found := FACES.fullmatch(lower):
        return partial(_has_faces, found[1].split() if found[1] else [found[2].strip()])
    raise OrdersError(f"{words!r} is not a condition; type {CONDITION_FORMS}")


def _read_sum_bounds(found: re.Match[str]) -> tuple[int, int]:
    """Returns the least and the greatest sum for which the condition holds.

    Raises OrdersError if the condition has both a sign, such as ">=", and an open end, such as "5+".
    """
    number, sign = int(found["sum"]), found["sign"]
    if sign and found["open"]:
        raise OrdersError(f"{found[0]!r} is not a condition; type {CONDITION_FORMS}")
    least = {">": number + 1, ">=": number, "<": 0, "<=": 0}.get(sign, number)
    most = {"<": number - 1, "<=": number, ">": 10**6, ">=": 10**6}.get(sign, number)
    if found["open"] == "+":
        return number, 10**6
    return (0, number) if found["open"] == "-" else (least, most)


def _is_possible(words: str, context: ConditionContext) -> bool:
    return context.is_legal_move(words)


def _has_sum(least: int, most: int, context: ConditionContext) -> bool:
    return least <= sum(int(face) for face in context.roll if face.isdigit()) <= most


def _has_faces(faces: Sequence[str], context: ConditionContext) -> bool:
    rolled = [face.lower() for face in context.roll]
    return all(rolled.count(face) >= faces.count(face) for face in faces)
