"""A pupil that learns Manoover from the results of games: `python learn.py`. It beats `random` within a minute.

The pupil values a position by a weighted sum of eight numbers, with weights that it has to find. It plays games, and
notes the eight numbers at the end of each turn together with the result for the player of that turn. Then it takes the
weights that fit best. It plays by these weights, with some random actions, and learns again.
"""

import argparse
from collections.abc import Callable
from random import Random

import numpy as np

import referee

GAME = "manoover"
RANDOM_SHARE = 0.2
"""The share of random actions while it learns."""
Chooser = Callable[[referee.Table, Random], object]
"""A function that chooses an action."""


def compute_features(table: referee.Table, seat: str) -> np.ndarray:
    """Returns eight numbers about a seat's view, four for the seat and four for its enemy.

    The first two are the number of robots in the goal, and the nearness of the nearest robot to the goal. The others
    are the nearness of all robots added up, and the share of the player's robots that are left.
    """
    view = table.view(seat)
    at = view.board.axial
    found: list[float] = []
    for whose in sorted(table.seats, key=lambda one: one != seat):
        goal = next(at[cell] for cell, owner in view.goals.items() if owner == whose)
        near = [1 / max(1, count_steps(at[cell], goal)) for cell in view.cells.values() if cell in at]
        left = sum(robot.startswith(whose[0].upper()) for robot in view.cells)
        found += [len(view.captured[whose]), max(near, default=0), sum(near), left / 6]
    return np.array(found)


def count_steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Returns the number of steps from one hexagon to another."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def evaluate_result(table: referee.Table, seat: str) -> float:
    """Returns the worth of a finished game for a seat: 1 won, -1 lost, 0 tied."""
    winners = table.result.winners
    return 0.0 if len(winners) != 1 else 1.0 if seat in winners else -1.0


class Pupil:
    """A player that chooses by weights, and learns them."""

    def __init__(self) -> None:
        self.weights = np.zeros(8)

    def choose(self, table: referee.Table, random: Random) -> object:
        """Returns the action that leads to the best position; one at random if several do."""
        seat = table.to_act
        return max(
            table.legal(), key=lambda action: (self._value(copy_after_action(table, action), seat), random.random())
        )

    def _value(self, table: referee.Table, seat: str) -> float:
        return evaluate_result(table, seat) if table.result else float(self.weights @ compute_features(table, seat))

    def learn(self, games: int, random_share: float, random: Random) -> None:
        """Plays games against itself, and takes the weights that fit their results best."""
        noted: list[np.ndarray] = []
        ends: list[float] = []
        for _ in range(games):
            table, turns = referee.table(GAME, seed=random.randbytes(32).hex()), []
            while not table.result:
                seat = table.to_act
                table.do(
                    choose_at_random(table, random) if random.random() < random_share else self.choose(table, random)
                )
                if table.to_act != seat:
                    turns.append((seat, compute_features(table, seat)))
            noted += [numbers for _, numbers in turns]
            ends += [evaluate_result(table, seat) for seat, _ in turns]
        facts = np.array(noted)
        self.weights = np.linalg.solve(facts.T @ facts + np.eye(8), facts.T @ np.array(ends))


def copy_after_action(table: referee.Table, action: object) -> referee.Table:
    """Returns the game after an action and the end of the turn, if the turn can end. No dice are rolled."""
    seat, then = table.to_act, table.copy()
    for said in (action, "done", "auto"):
        if then.to_act == seat:
            then.do(said)
    return then


def choose_at_random(table: referee.Table, random: Random) -> object:
    """Returns a random legal action."""
    return table.legal().pick(random)


def measure_win_share(first: Chooser, second: Chooser, games: int, random: Random) -> float:
    """Returns the share of games that `first` wins. Ties count half; the seats are swapped after each game."""
    points = 0.0
    for number in range(games):
        table = referee.table(GAME, seed=random.randbytes(32).hex())
        mine = table.seats[number % 2]
        while not table.result:
            table.do((first if table.to_act == mine else second)(table, random))
        points += (evaluate_result(table, mine) + 1) / 2
    return points / games


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    asked.add_argument("--seed", type=int, default=1)
    dice, pupil = Random(asked.parse_args().seed), Pupil()
    for games, random_share in ((300, 1.0), (60, RANDOM_SHARE), (60, RANDOM_SHARE)):
        pupil.learn(games, random_share, dice)
        won = measure_win_share(pupil.choose, choose_at_random, 60, dice)
        print(
            f"after {games} games more it wins {won:.2f} against random",
            flush=True,
        )
