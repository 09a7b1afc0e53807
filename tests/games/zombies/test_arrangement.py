"""The search for places of a horde finds some exactly where there are some, on small boards drawn at random."""

from __future__ import annotations

from random import Random

from referee.games.zombies.arrangement import _Search, find_horde_arrangement
from referee.games.zombies.ground import split_squares

WIDE, HIGH = 6, 4
CASES = 400
MOST_TRIES = 200


def board(random):
    """Which squares touch which: a grid in which some squares are solid."""
    squares = [(x, y) for x in range(WIDE) for y in range(HIGH) if random.random() < 0.8]
    bit = {square: 1 << square[0] + WIDE * square[1] for square in squares}
    near = {
        bit[one]: sum(bit[x, y] for x, y in squares if 0 < max(abs(x - one[0]), abs(y - one[1])) < 2) for one in squares
    }

    def joined(unit):
        found = 0
        for square in split_squares(unit):
            found |= near[square]
        return found

    return list(near), joined


def is_possible(joined, goal, reach):
    """Every order in which zombies can join the unit is tried."""
    plans = {(frozenset(reach), goal)}
    for _ in reach:
        plans = {
            (left - {zombie}, unit | square)
            for left, unit in plans
            for zombie in left
            for square in split_squares(reach[zombie] & joined(unit) & ~unit)
        }
    return bool(plans)


def test_places_are_found_exactly_where_there_are_some():
    random, seen = Random(2), {True: 0, False: 0}
    for _ in range(CASES):
        squares, joined = board(random)
        goal, zombies = random.choice(squares), [1 << 30 + number for number in range(random.randint(1, 5))]
        reach = {zombie: sum(random.sample(squares, min(len(squares), random.randint(1, 4)))) for zombie in zombies}
        found = find_horde_arrangement(joined, goal, reach)
        assert (found is not None) == is_possible(joined, goal, reach)
        seen[found is not None] += 1
        if found:
            places = [goal, *found.values()]
            assert len(set(places)) == len(places) == len(reach) + 1
            assert all(square & reach[zombie] and not square & goal for zombie, square in found.items())
            assert is_possible(joined, goal, found)
    assert min(seen.values()) > CASES / 8


def test_a_whole_horde_takes_few_tries(monkeypatch):
    tries, place = [0], _Search.place

    def counted(search, unit, left):
        tries[-1] += 1
        return place(search, unit, left)

    monkeypatch.setattr(_Search, "place", counted)
    random = Random(3)
    for _ in range(40):
        squares, joined = board(random)
        some = min(len(squares), random.randint(4, 8))
        reach = {1 << 30 + number: sum(random.sample(squares, some)) for number in range(12)}
        find_horde_arrangement(joined, random.choice(squares), reach)
        tries.append(0)
    assert max(tries) < MOST_TRIES, max(tries)
