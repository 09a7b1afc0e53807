"""Measure refusals, and write the table in README.md.

    python tests/bench/refusals.py                    print all rows, which takes two minutes
    python tests/bench/refusals.py --row zombies      those whose words begin so
    python tests/bench/refusals.py --write            and write them

Illegal actions are drawn by seed: actions of before that are legal no more, and legal ones with one field changed.
A reason is true if no legal action contradicts it: none of the same kind with everything that the reason names. Who
names the place of a piece names the piece. Reasons with "that", "there" and their like cannot be judged so. A piece is
kept if the advice names it. This is asked only of pieces that can act at once. The first thing advised works if it is
legal. A line works if one of 300 tries comes out as told, whatever others do between its actions.
"""

from __future__ import annotations

import re
import sys
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "cli")]

import rows

import referee
from referee.chances.in_memory_game import Table
from referee.engine.choice import Action
from referee.engine.rulebook import Refusal
from referee.record.table.advice import Advice, find_advice
from referee.record.table.way_to_action import WayToAction
from referee.record.table.wish import find_wish, list_action_words

HEAD = ("500 refusals of", "reason true", "piece kept", "first remedy works", "way found", "ms (95 of 100)", "bar")
DRAWN = 500
RECENT, SELDOM, LONGEST = 60, 0.04, 600
THROWS = 300
"""The number of rolls that are tried until a line comes out as predicted."""
VAGUE = re.compile(r"\b(that|there|it|these|both)\b")
"""Words of a reason that stand for names given before."""
OTHER_NAMES = {"m": "monster"}
"""Other words for pieces in sentences."""
FORMS: Mapping[str, tuple[str, dict[str, str]]] = {
    "manoover": ("manoover", {}),
    "mutants": ("mutants", {}),
    "mutants, hidden": ("mutants", {"hidden-movement": "yes"}),
    "sheboygan": ("sheboygan", {}),
    "sheboygan, advanced-a": ("sheboygan", {"scenario": "advanced-a"}),
    "zombies": ("zombies", {}),
}


class Drawn(Struct, frozen=True):
    """An illegal action in a position, with the reasons and the advice that the referee gives."""

    table: Table
    action: Action
    refusals: tuple[Refusal, ...]
    advice: Advice
    seconds: float


def draw_refusals(name: str, options: Mapping[str, str], count: int, seed: str = "1") -> Iterator[Drawn]:
    """Yields `count` refused actions from random games."""
    random, found = Random(f"{name} {options} {seed}"), 0
    while found < count:
        table = referee.table(name, options, seed=f"{random.getrandbits(256):064x}")
        before, values = deque[Action](maxlen=RECENT), defaultdict[str, list[Any]](list)
        for _ in range(LONGEST):
            if table.result or found == count:
                break
            legal = table.legal()
            action = legal.pick(random)
            wrong = _make_wrong(action, before, values, random) if random.random() < SELDOM else None
            refusals = table.why(wrong) if wrong is not None else ()
            if wrong is not None and refusals:
                found += 1
                yield _advised(table.copy(), wrong, refusals)
            before.append(action)
            for field in action.__struct_fields__:
                values[field].append(getattr(action, field))
            table.do(action)


def _make_wrong(
    action: Action, before: deque[Action], values: Mapping[str, list[Any]], random: Random
) -> Action | None:
    """Returns an action that may be illegal: an earlier one, or one with a field of another. None if there is none."""
    if before and random.random() < 0.5:
        return random.choice(before)
    fields = [field for field in action.__struct_fields__ if values.get(field)]
    if not fields:
        return random.choice(before) if before else None
    field = random.choice(fields)
    return replace(action, **{field: random.choice(values[field])})


def _advised(table: Table, action: Action, refusals: tuple[Refusal, ...]) -> Drawn:
    seat, secrets = table.find_speaker(), bool(table.game.list_secret_keepers(table.options))
    view, legal = table.view(seat), table.legal()
    began = time.process_time()
    advice = find_advice(table.game, view, seat, legal, action, secrets=secrets)
    return Drawn(table, action, refusals, advice, time.process_time() - began)


def is_true(one: Drawn) -> bool | None:
    """True if no legal action contradicts the first reason. None if a vague word hides the names in it."""
    because = one.refusals[0].because
    if VAGUE.search(because):
        return None
    said = set(re.findall(r"\w[\w-]*", because.lower()))
    places = one.table.game.pieces(one.table.view(one.table.find_speaker()))
    stands = {piece.lower(): where.lower().split()[:1] for piece, where in places.items()}
    named = {
        word for word in list_action_words(one.action) if {word, *stands.get(word, ()), OTHER_NAMES.get(word)} & said
    }
    same = (choice for choice in one.table.legal().choices if choice.kind is type(one.action))
    return not any(named.issubset(list_action_words(action)) for choice in same for action in islice(choice, 2_000))


def names_piece(one: Drawn) -> bool | None:
    """True if the advice names a piece of the action that can act now. None if no such piece can."""
    game, view = one.table.game, one.table.view(one.table.find_speaker())
    pieces = find_wish(game, view, one.action).pieces
    able = [piece for piece in pieces if any(choice.narrow([piece]) for choice in one.table.legal().choices)]
    if not able:
        return None
    way = (one.advice.way.then.action,) if one.advice.way else ()
    first = (*one.advice.instead[:1], *way)
    return any(piece in list_action_words(action) for action in first for piece in able)


def works(one: Drawn) -> bool:
    """True if the first suggestion is legal, and the line to the action comes out as predicted."""
    first, way = one.advice.instead[:1], one.advice.way
    is_legal = all(not one.table.why(action) for action in first)
    return is_legal and bool(first or way) and (way is None or _comes_out(one, way))


def _comes_out(one: Drawn, way: WayToAction) -> bool:
    random = Random(str(way))
    return any(_played(one.table.copy(f"{random.getrandbits(256):064x}"), way, random) for _ in range(THROWS))


def _played(table: Table, way: WayToAction, random: Random) -> bool:
    own = table.find_speaker()
    for step in (*way.after, way.then):
        if step.by == own or step is way.then:
            _let_others_act(table, step.by, random)
            if table.to_act != step.by or table.why(step.action, step.by):
                return False
        if step.by == own and step is not way.then:
            table.do(step.action)
    return True


def _let_others_act(table: Table, seat: str, random: Random) -> None:
    """Lets other seats act at random until this seat is to act."""
    for _ in range(THROWS):
        if table.result or table.to_act == seat:
            return
        table.do(table.legal().pick(random))


class Row(Struct, frozen=True):
    """The figures of one game."""

    words: str

    def cells(self, count: int = DRAWN) -> tuple[str, ...]:
        """Returns the cells of the row."""
        name, options = FORMS[self.words]
        found = list(draw_refusals(name, options, count))
        took = sorted(one.seconds for one in found)[len(found) * 95 // 100]
        ways = _share([one.advice.way is not None for one in found])
        shares = (*(_share(list(map(judge, found))) for judge in (is_true, names_piece, works)), ways)
        return (self.words, *shares, f"{1000 * took:.0f}", "95 % each, 50 ms")


def _share(judged: list[bool | None]) -> str:
    """Returns the share of True among the judged cases, and the number of judged cases."""
    found = [one for one in judged if one is not None]
    return f"{100 * sum(found) / len(found):.1f} % of {len(found)}" if found else ""


ROWS = tuple(map(Row, FORMS))


def main() -> None:
    """Measures, prints the table, and writes it with `--write`."""
    asked = rows.parser(__doc__).parse_args()
    rows.measure(HEAD, ROWS, lambda row: row.cells(), begin=asked.row, write=asked.write)


if __name__ == "__main__":
    main()
