"""Counts of action sequences, against numbers worked out by two independent counters (fixtures/manoover/perft.toml).

- sequences[depth]: the mover throws exactly the given dice; ordered lists of exactly `depth` controlling actions.
  Turning to the direction it already has counts; equal dice are not told apart; ending the phase is no action; a list
  that cannot go on counts at its own length.
- positions[depth]: different positions so reached, by all robots' cells and arrows and the number in each goal.
- turns[n]: each player in turn throws the same dice and spends every usable one, then the automatic phase runs;
  different lists of actions over that many whole turns, a game that ends earlier counting once. Where the option
  order puts the automatic phase first, it comes first.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support import FIXTURES, load_toml

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import TypedSource
from referee.games.manoover.automatic_phase import CompleteAutomaticPhase
from referee.games.manoover.control_phase import EndControlPhase
from referee.games.manoover.throwing import RerollDice

POSITIONS = [
    position
    for name in ("perft", "perft-forms")
    for position in load_toml(FIXTURES / "manoover" / f"{name}.toml")["position"]
]
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
        self.layers = {}
        """Lists that were made, by where they begin and how long they are: longer ones go on with them."""

    def after(self, state, action, faces=()):
        played = adjudicate(self.game, state, state.turn, action, TypedSource(faces))
        assert isinstance(played, LegalVerdict), played
        return played.state

    def thrown(self, state):
        """The state with exactly the given dice on the table: no second throw."""
        usable = tuple(sorted(die for die in self.dice if state.name_own_robot(die) in state.cells))
        return replace(state, phase="control", dice=usable)

    def choices(self, state):
        if state.outcome or state.phase != "control" or not state.dice:
            return []
        return [choice for choice in self.game.legal(state, state.turn).choices if choice.kind is not EndControlPhase]

    def actions(self, state):
        return [action for choice in self.choices(state) for action in choice]

    def offered(self, state):
        return sum(map(len, self.choices(state)))

    def lists(self, state, depth):
        """The states at the end of all lists of at most `depth` actions, each with how many lists end there."""
        key = state.turn, key_of(state), tuple(state.taken.values()), depth
        if key not in self.layers:
            self.layers[key] = self.one_more(self.lists(state, depth - 1)) if depth else [(state, 1)]
        return self.layers[key]

    def one_more(self, layer):
        """The states one action after these."""
        following = {}
        for before, count in layer:
            for after in [self.after(before, action) for action in self.actions(before)] or [before]:
                key = key_of(after), after.dice
                following[key] = after, count + following.get(key, (after, 0))[1]
        return list(following.values())

    def turns(self, state, turns):
        """How many lists of actions fill that many whole turns; counted once for each position and mover."""
        if state.outcome or not turns:
            return 1
        key = turns, state.turn, key_of(state), tuple(min(1, taken) for taken in state.taken.values())
        if key not in self.known:
            self.known[key] = self.count_turns(state, turns)
        return self.known[key]

    def count_turns(self, state, turns):
        mover = state.turn
        if state.phase == "auto":  # the automatic phase comes first
            state = self.after(state, CompleteAutomaticPhase())
            if state.outcome or state.turn != mover:
                return self.turns(state, turns - 1)
        thrown, depth = self.thrown(state), len(self.dice)
        if turns == 1:  # what is said last in the last turn need not be played: it is counted
            return sum(count * max(1, self.offered(end)) for end, count in self.lists(thrown, depth - 1))
        ends = self.lists(thrown, depth)
        return sum(count * self.turns(self.end_of_turn(end, mover), turns - 1) for end, count in ends)

    def end_of_turn(self, state, mover):
        if state.outcome or state.turn != mover:
            return state
        if state.phase == "control":  # no usable die at all: what a second throw without any would lead to
            state = self.after(replace(state, phase="rethrow", dead=1), RerollDice(), [self.unusable(state)])
            return self.end_of_turn(state, mover)
        return self.after(state, CompleteAutomaticPhase())

    def unusable(self, state):
        """A face that names no robot of the mover in the game."""
        faces = range(1, state.board.file.sides + 1)
        return next(face for face in faces if state.name_own_robot(face) not in state.cells)


def key_of(state):
    """A position: robots with cell and arrow, and the number in each goal."""
    return frozenset(state.cells.items()), frozenset(state.arrows.items()), state.count_robots_in_goals()


@pytest.mark.parametrize(("position", "run"), RUNS)
def test_counts(manoover, position, run):
    placed = {key: position[key] for key in ("turn", "robots", "captured", "off", "taken") if key in position}
    counter = Counter(manoover, run["dice"])
    start = manoover.place(placed, **position.get("options", {}))
    thrown = counter.thrown(start)
    ends = [counter.lists(thrown, depth) for depth in range(1, len(run["sequences"]) + 1)]
    assert [sum(count for _, count in states) for states in ends] == run["sequences"]
    assert [len({key_of(state) for state, _ in states}) for states in ends] == run["positions"]
    assert [counter.turns(start, turns) for turns in range(1, len(run["turns"]) + 1)] == run["turns"]
