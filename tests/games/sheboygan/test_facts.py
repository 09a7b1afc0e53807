"""What is so on the map that comes along and in its tables: facts.txt, checked one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from maps import DEFAULTS, shipped
from msgspec.structs import replace

from referee.games.sheboygan.position import set_up_game
from referee.games.sheboygan.wind import find_threatened_boxes

LINES = Path(__file__).with_name("facts.txt").read_text("utf-8").splitlines()
FACTS = [line for line in LINES if line and not line.startswith("#")]
BOARD = shipped()
TABLES = BOARD.tables


def los(one, other, seen, *more):
    fallen = frozenset(box for word in more if word.startswith("rubble=") for box in word[7:].split(","))
    return BOARD.is_in_sight(one, other, fallen, lightning="lightning" in more) == (seen == "yes")


def fire(burning, die, *needs):
    """The boxes that are threatened, and what each needs: those that are named, of all there are."""
    state = replace(set_up_game(DEFAULTS, BOARD), flames=dict.fromkeys(burning.split(","), 1))
    found = find_threatened_boxes(state, TABLES.wind[int(die)])
    return all(found[box] == int(need) for box, need in (word.split("=") for word in needs))


CHECKS = {
    "adj": lambda one, other: other in BOARD.neighbour_sets[one] and one in BOARD.neighbour_sets[other],
    "notadj": lambda one, other: other not in BOARD.neighbour_sets[one],
    "neigh": lambda box, count: len(BOARD.neighbours[box]) == int(count),
    "terrain": lambda box, terrain: BOARD.boxes[box].terrain == terrain,
    "range": lambda one, other, steps: BOARD.measure_range(one, other) == BOARD.measure_range(other, one) == int(steps),
    "edge": lambda box, edge: box in BOARD.edge_boxes[edge],
    "noedge": lambda box: not BOARD.boxes[box].edges,
    "pop": lambda box: box in BOARD.populace_boxes,
    "bank": lambda box, bank: BOARD.boxes[box].bank == bank,
    "side": lambda box, side, other: other in BOARD.neighbours_by_side[side][box],
    "across": lambda box, side, other: other in BOARD.boxes[box].list_boxes_across(side),
    "cost": lambda box, cost: TABLES.terrain[BOARD.boxes[box].terrain].mp == int(cost),
    "los": los,
    "fire": fire,
    "odds": lambda attack, defense, column: TABLES.combat.find_column(int(attack), int(defense)) == column,
    "crt": lambda attack, defense, die, result: (
        TABLES.combat.find_cell(TABLES.combat.find_column(int(attack), int(defense)), int(die)).text == result
    ),
    "nocrt": lambda attack, defense: TABLES.combat.find_column(int(attack), int(defense)) is None,
    "bodds": lambda points, strength, column: TABLES.destruction.find_column(int(points), int(strength)) == column,
    "bdt": lambda points, strength, die, result: (
        TABLES.destruction.destroys(TABLES.destruction.find_column(int(points), int(strength)), int(die))
        == (result == "D")
    ),
    "nobdt": lambda points, strength: TABLES.destruction.find_column(int(points), int(strength)) is None,
    "wind": lambda die, wind: TABLES.wind[int(die)] == wind,
}


@pytest.mark.parametrize("fact", FACTS)
def test_fact(fact):
    kind, *words = fact.split()
    assert CHECKS[kind](*words)
