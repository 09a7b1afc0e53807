"""A pupil that learns Manoover from how games end: `python learn.py`. It beats `random` within a minute.

What a position is worth to a seat is a weighted sum of eight numbers, and nobody tells it the weights. It looks at
games that were played anyhow, notes the eight numbers at the end of each turn and how the game ended for whose turn it
was, and takes the weights that fit best. Then it plays by them, with some actions at random, and learns again.
"""

import argparse
from collections.abc import Callable
from random import Random

import numpy as np

import referee

GAME = "manoover"
EXPLORED = 0.2
"""How often it tries something at random while it learns."""
Chooser = Callable[[referee.Table, Random], object]


def seen(table: referee.Table, seat: str) -> np.ndarray:
    """Eight numbers of what a seat sees, those of its enemy with them."""
    view = table.view(seat)
    at = view.board.axial
    found: list[float] = []
    for whose in sorted(table.seats, key=lambda one: one != seat):
        goal = next(at[cell] for cell, owner in view.goals.items() if owner == whose)
        near = [1 / max(1, steps(at[cell], goal)) for cell in view.cells.values() if cell in at]
        left = sum(robot.startswith(whose[0].upper()) for robot in view.cells)
        found += [len(view.captured[whose]), max(near, default=0), sum(near), left / 6]
    return np.array(found)


def steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps from hex to hex."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def worth(table: referee.Table, seat: str) -> float:
    """What the end of a game is worth: 1 won, -1 lost, 0 tied."""
    winners = table.result.winners
    return 0.0 if len(winners) != 1 else 1.0 if seat in winners else -1.0


class Pupil:
    """Weights, and who plays by them."""

    def __init__(self) -> None:
        self.weights = np.zeros(8)

    def choose(self, table: referee.Table, random: Random) -> object:
        """What leads to the best position; of equals any."""
        seat = table.to_act
        return max(table.legal(), key=lambda action: (self._hopes(after(table, action), seat), random.random()))

    def _hopes(self, table: referee.Table, seat: str) -> float:
        return worth(table, seat) if table.result else float(self.weights @ seen(table, seat))

    def learn(self, games: int, explored: float, random: Random) -> None:
        """Look at games that it plays against itself, and take the weights that fit how they ended."""
        noted: list[np.ndarray] = []
        ends: list[float] = []
        for _ in range(games):
            table, turns = referee.table(GAME, seed=random.randbytes(32).hex()), []
            while not table.result:
                seat = table.to_act
                table.do(by_chance(table, random) if random.random() < explored else self.choose(table, random))
                if table.to_act != seat:
                    turns.append((seat, seen(table, seat)))
            noted += [numbers for _, numbers in turns]
            ends += [worth(table, seat) for seat, _ in turns]
        facts = np.array(noted)
        self.weights = np.linalg.solve(facts.T @ facts + np.eye(8), facts.T @ np.array(ends))


def after(table: referee.Table, action: object) -> referee.Table:
    """The game after an action if the turn ends with it; what is refused changes nothing. No dice fall meanwhile."""
    seat, then = table.to_act, table.copy()
    for said in (action, "done", "auto"):
        if then.to_act == seat:
            then.do(said)
    return then


def by_chance(table: referee.Table, random: Random) -> object:
    """Any legal action."""
    return table.legal().pick(random)


def score(first: Chooser, second: Chooser, games: int, random: Random) -> float:
    """The share of games that the first wins, ties as halves; seats are swapped after each game."""
    points = 0.0
    for number in range(games):
        table = referee.table(GAME, seed=random.randbytes(32).hex())
        mine = table.seats[number % 2]
        while not table.result:
            table.do((first if table.to_act == mine else second)(table, random))
        points += (worth(table, mine) + 1) / 2
    return points / games


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    asked.add_argument("--seed", type=int, default=1)
    dice, pupil = Random(asked.parse_args().seed), Pupil()
    for games, explored in ((300, 1.0), (60, EXPLORED), (60, EXPLORED)):
        pupil.learn(games, explored, dice)
        print(
            f"after {games} games more it wins {score(pupil.choose, by_chance, 60, dice):.2f} against random",
            flush=True,
        )
