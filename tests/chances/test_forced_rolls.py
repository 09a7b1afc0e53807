"""What forced rolls lead to, against full products over whole chains of rolls that are written here anew."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import referee
from referee.chances.forced_rolls import _eliminate, follow_rolls, list_results
from referee.chances.outcome_enumeration import TooManyError
from referee.engine.adjudicate import Awaiting, Played, adjudicate
from referee.engine.dice_source import TypedSource

DEEP = 6
"""Rolls of a chain after which the plain enumeration stops. What is then left of a circle is less than an eighth."""
MANY = 4_000
"""Ways that are still enumerated so."""


def plainly(game, state, seat, turn, action, chance=Fraction(1), depth=0, count=None):
    """Every last state with its chance, face by face, nothing merged and no circle solved; None: too many ways."""
    count = [0] if count is None else count
    waiting = [((), chance)]
    while waiting:
        faces, share = waiting.pop()
        verdict = adjudicate(game, state, seat, action, TypedSource(faces))
        if isinstance(verdict, Awaiting):
            need = verdict.need
            count[0] += need.sides**need.count
            if count[0] > MANY or need.names or need.lots:
                raise TooManyError
            ways = [(*faces, *more) for more in product(range(1, need.sides + 1), repeat=need.count)]
            waiting += [(thrown, share / len(ways)) for thrown in ways]
        elif isinstance(verdict, Played):
            after = verdict.state
            legal = game.legal(after, seat) if game.to_act(after) == seat and game.turn_of(after) == turn else None
            if legal is not None and legal.throw is not None and legal.throw.count == 1 and depth < DEEP:
                yield from plainly(game, after, seat, turn, next(iter(legal.throw)), share, depth + 1, count)
            else:
                yield share, after


def positions(name, options, wanted):
    random, found = Random(f"{name} forced"), 0
    while found < wanted:
        table = referee.table(name, options, seed=f"{random.getrandbits(256):064x}")
        while not table.result and found < wanted:
            action = table.legal().pick(random)
            rolls = table.copy().do(action).rolls
            if rolls and len(rolls) < 4 and random.random() < 0.3:
                found += 1
                yield table.copy(), action
            table.do(action)


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies"])
def test_chances_equal_full_products_over_whole_chains(name):
    compared = 0
    for table, action in positions(name, {}, 24):
        game, seat, view = table.game, table.to_act, table.view(table.to_act)
        told = defaultdict(Fraction)
        try:
            found = follow_rolls(game, view, seat, action)
            for chance, state in plainly(game, view, seat, table.turn, action):
                told[str(game.position_from(state))] += chance
        except (TooManyError, RecursionError):
            continue
        if found is None:
            continue
        mine = defaultdict(Fraction)
        for chance, state in found.endings:
            mine[str(game.position_from(state))] += chance
        assert sum(mine.values()) == 1
        left = 1 - sum(min(chance, mine[key]) for key, chance in told.items())
        assert left == 0 or (found.rolls_again and left < Fraction(1, 8)), table.text(action)
        compared += 1
    assert compared > 8


def test_the_second_roll_of_a_turn_is_followed():
    table = referee.table("manoover", {"first": "red"}, seed="1" * 64)
    table.state = table.game.state_from(_three_robots_gone(table), table.options, table.state.board)
    found = follow_rolls(table.game, table.view("red"), "red", table.read("throw"))
    assert found.rolls_again
    things = {thing.told: thing.chance for thing in list_results(table.game, table.view("red"), "red", found)}
    one = Fraction(1, 6)
    # each of the three dice shows 4 at once, or a gone robot (half of all faces) and then 4
    assert things["4 can act"] == 1 - (1 - (one + one / 2)) ** 3


def _three_robots_gone(table):
    position = table.game.position_from(table.state)
    for robot in ("R1", "R2", "R3"):
        position = table.game.place_piece(position, robot, "off")
    return position


def test_a_circle_is_solved_and_not_unrolled():
    half = Fraction(1, 2)
    rows = {
        b"": {b"a": Fraction(1)},
        b"a": {b"a": half, b"hit": half / 2, b"b": half / 2},
        b"b": {b"a": half, b"miss": half},
    }
    assert _eliminate(rows) == {b"hit": Fraction(2, 3), b"miss": Fraction(1, 3)}
