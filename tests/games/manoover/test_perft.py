"""Counts of action sequences, against numbers worked out by two independent counters (fixtures/manoover/perft.toml).

- sequences[depth]: the mover throws exactly the given dice; ordered lists of exactly `depth` controlling actions.
  Turning to the direction it already has counts; equal dice are not told apart; ending the phase is no action; a list
  that cannot go on counts at its own length.
- positions[depth]: different positions so reached, by all robots' cells and arrows and the number in each goal.
- turns[n]: each player in turn throws the same dice and spends every usable one, then the automatic phase runs;
  different lists of actions over that many whole turns, a game that ends earlier counting once.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support import FIXTURES, load_toml

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import TypedSource
from referee.games.manoover.actions import Auto, Done

POSITIONS = load_toml(FIXTURES / "manoover" / "perft.toml")["position"]
RUNS = [
    pytest.param(position, run, id=f"{position['name']}-{'-'.join(map(str, run['dice']))}")
    for position in POSITIONS
    for run in position["runs"]
]


class Counter:
    """Counts from one position with one set of dice."""

    def __init__(self, bench, dice):
        self.game, self.dice = bench.game, tuple(dice)
        self.known = {}

    def after(self, state, action):
        played = adjudicate(self.game, state, state.turn, action, TypedSource([], 0))
        assert isinstance(played, Played), played
        return played.state

    def thrown(self, state):
        """The state with exactly the given dice on the table: no second throw."""
        usable = tuple(sorted(die for die in self.dice if state.own(die) in state.cells))
        return replace(state, phase="control", dice=usable)

    def actions(self, state):
        if state.outcome or state.phase != "control" or not state.dice:
            return []
        return [action for action in self.game.legal(state, state.turn) if not isinstance(action, Done)]

    def lists(self, state, depth):
        """The states at the end of every list of at most `depth` actions."""
        actions = self.actions(state) if depth else []
        if not actions:
            yield state
        for action in actions:
            yield from self.lists(self.after(state, action), depth - 1)

    def turns(self, state, turns):
        """How many lists of actions fill that many whole turns; counted once for each position and mover."""
        if state.outcome or not turns:
            return 1
        key = turns, state.turn, key_of(state)
        if key not in self.known:
            ends = self.lists(self.thrown(state), len(self.dice))
            self.known[key] = sum(self.turns(self.end_of_turn(end), turns - 1) for end in ends)
        return self.known[key]

    def end_of_turn(self, state):
        if state.outcome:
            return state
        if state.phase == "control":  # no usable die at all
            state = replace(state, phase="auto")
        return self.after(state, Auto())


def key_of(state):
    robots = tuple(sorted((robot, cell, state.arrows[robot]) for robot, cell in state.cells.items()))
    return robots, state.scores()


@pytest.mark.parametrize(("position", "run"), RUNS)
def test_counts(manoover, position, run):
    placed = {key: position[key] for key in ("turn", "robots", "captured", "off")}
    counter = Counter(manoover, run["dice"])
    start = manoover.place(placed)
    thrown = counter.thrown(start)
    ends = [list(counter.lists(thrown, depth)) for depth in (1, 2, 3)]
    assert [len(states) for states in ends] == run["sequences"]
    assert [len({key_of(state) for state in states}) for states in ends] == run["positions"]
    assert [counter.turns(start, turns) for turns in (1, 2)] == run["turns"]
