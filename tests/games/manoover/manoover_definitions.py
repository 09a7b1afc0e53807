"""What the rulebook's sentences say about robots that go, turn and bump, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from referee.games.manoover.automatic_phase import CompleteAutomaticPhase, MakeAutomaticMove
from referee.games.manoover.control_phase import EndControlPhase, MoveRobot, TurnRobot
from referee.games.manoover.throwing import RerollDice, RollDice, RollForFirstTurn
from referee.testing import Definition

AROUND = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions, clockwise (setup.7)."""
NEXT = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
"""The axial position of the next cell in each direction, seen from a cell."""


class Table:
    """Robots on cells that a hand moves, one after another."""

    def __init__(self, state):
        self.state = state
        self.cells, self.arrows = dict(state.cells), dict(state.arrows)
        self.captured, self.off = {seat: [*taken] for seat, taken in state.captured.items()}, [*state.off]

    def own(self, number):
        return f"{self.state.turn[0].upper()}{number}"

    def is_in_game(self, seat):
        """True if a player has a robot left; one in a garage counts (r.garage)."""
        return any(robot[0] == seat[0].upper() for robot in self.cells)

    @property
    def is_over(self):
        """True if all but one are out of robots: with three players the game goes on with two (end.1, three.11)."""
        return sum(map(self.is_in_game, self.state.board.seats)) < 2

    def push(self, robot, toward):
        """Moves a robot one cell; first whoever stands there is bumped the same way (bump.1 to bump.3)."""
        board = self.state.board
        (q, r), (dq, dr) = board.axial[self.cells[robot]], NEXT[toward]
        there = next((cell for cell in board.cells if tuple(board.axial[cell]) == (q + dq, r + dr)), None)
        if there in self.state.goals:
            return self.enter(robot, self.state.goals[there])
        if there is None:  # over the edge (goal.5)
            return self.lose(robot)
        for other, cell in [*self.cells.items()]:
            if cell == there:
                self.push(other, toward)
        self.cells[robot] = there
        return None

    def enter(self, robot, owner):
        """Lays a robot in front of the owner of a goal (goal.3, goal.4), if that goal counts (r.eliminated-goal)."""
        if self.state.options["eliminated-goal"] == "void" and not self.is_in_game(owner):
            return self.lose(robot)
        del self.cells[robot], self.arrows[robot]
        return self.captured[owner].append(robot)

    def lose(self, robot):
        del self.cells[robot], self.arrows[robot]
        self.off.append(robot)

    def fields(self):
        captured = {seat: tuple(taken) for seat, taken in self.captured.items()}
        told = {"cells": self.cells, "arrows": self.arrows, "captured": captured, "off": tuple(self.off)}
        return told | ({"phase": "over"} if self.is_over else {})


def go(state, seat):
    """Each usable die moves its robot one cell, only where its arrow points (control.1, control.5)."""
    return {MoveRobot(str(die), state.arrows[Table(state).own(die)]) for die in state.dice}


def turn(state, seat):
    """Each usable die turns its robot to any direction (control.4), or as the players agreed."""
    for die in set(state.dice):
        now = AROUND.index(state.arrows[Table(state).own(die)])
        for by in range(6):
            is_near = state.options["rotation"] == "any" or by in (0, 1, 5)
            if is_near and (by or state.options["null-rotation"] == "allowed"):
                yield TurnRobot(str(die), AROUND[(now + by) % 6])


def after_die(state, table, die, left):
    """The dice that stay: those left, but for robots that are out (r.lapse). After the last die the phase is over."""
    left = tuple(each for each in left if table.own(each) in table.cells)
    return table.fields() | ({"dice": left} if left and not table.is_over else {})


def without(dice, die):
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def after_go(state, seat, action, faces):
    table, die = Table(state), int(action.robot)
    table.push(table.own(die), action.toward)
    return after_die(state, table, die, without(state.dice, die))


def after_turn(state, seat, action, faces):
    table, die = Table(state), int(action.robot)
    table.arrows[table.own(die)] = action.toward
    return after_die(state, table, die, without(state.dice, die))


def auto_one(state, seat):
    """The robots of the mover go by rising number; one that is out is passed over (auto.3, auto.4)."""
    left = [number for number in range(state.moved + 1, 10) if Table(state).own(number) in state.cells]
    return {MakeAutomaticMove(str(number), state.arrows[Table(state).own(number)]) for number in left[:1]}


def after_auto(state, seat, action, faces):
    """Each robot that is still there when its number comes makes one move (auto.1, auto.9 to auto.11, end.5)."""
    table = Table(state)
    for number in range(state.moved + 1, 10):
        if table.own(number) in table.cells and not table.is_over:
            table.push(table.own(number), table.arrows[table.own(number)])
    return table.fields()


def after_auto_one(state, seat, action, faces):
    table = Table(state)
    table.push(table.own(action.robot), action.toward)
    return table.fields()


def after_throw(state, seat, action, faces):
    """A die that names a robot in the game stays; all others are picked up (dice.3, dice.4)."""
    usable = sorted(face for face in faces if Table(state).own(face) in state.cells)
    phase = "control" if len(usable) == len(faces) else "rethrow"
    return {"dice": tuple(usable), "dead": len(faces) - len(usable), "phase": phase}


def after_rethrow(state, seat, action, faces):
    """After the second roll, too, a die that names a robot in the game stays (dice.7, dice.8, dice.11)."""
    usable = sorted([*state.dice, *(face for face in faces if Table(state).own(face) in state.cells)])
    return {"dice": tuple(usable), "dead": 0, "phase": "control"} if usable else {"dice": ()}


def throw_off(state, seat):
    """Each contender rolls one die (setup.5)."""
    yield RollForFirstTurn(state.contenders)


def after_throw_off(state, seat, action, faces):
    """The highest number goes first; if several rolled it, they alone roll again (setup.5)."""
    best = tuple(name for name, face in zip(state.contenders, faces, strict=True) if face == max(faces))
    phase = "auto" if state.options["order"] == "auto-control" else "throw"  # r.alt-first
    first = {"contenders": (), "turn": best[0], "phase": phase}
    return first if len(best) == 1 else {"contenders": best, "phase": "throw-off"}


def done(state, seat):
    """The player may end the phase with usable dice left, if the players agreed on it (r.decline)."""
    if state.options["decline-die"] == "allowed":
        yield EndControlPhase()


def after_done(state, seat, action, faces):
    """No robot moves; the automatic phase follows, or the next turn, as the order of phases is (turn.1)."""
    after = {"cells": state.cells, "arrows": state.arrows}
    if state.options["order"] == "control-auto":
        return after | {"turn": state.turn, "phase": "auto"}
    around = [*state.board.seats, *state.board.seats]
    others = around[around.index(state.turn) + 1 :]
    turn = next(other for other in others if Table(state).is_in_game(other))
    is_first = state.options["order"] == "alternate" and not state.taken[turn]
    return after | {"turn": turn, "phase": "throw" if is_first else "auto"}


MEANS = (
    Definition(RollForFirstTurn, "setup.5", throw_off, leads_to=after_throw_off),
    Definition(EndControlPhase, "r.decline", done, leads_to=after_done),
    Definition(MoveRobot, "control.5", go, leads_to=after_go),
    Definition(TurnRobot, "control.4", turn, leads_to=after_turn),
    Definition(MakeAutomaticMove, "auto.3", auto_one, leads_to=after_auto_one),
    Definition(CompleteAutomaticPhase, "auto.1", leads_to=after_auto),
    Definition(RollDice, "dice.3", leads_to=after_throw),
    Definition(RerollDice, "dice.7", leads_to=after_rethrow),
)
OWN = (
    {
        "board": {
            "name": "kitchen-table",
            "title": "Kitchen table",
            "cells": [[0, 0], [0, 1], [0, 2], [0, -1], [1, 0], [1, 1], [1, -1], [2, -1], [2, 0], [2, -2]],
            "dice": 2,
            "sides": 2,
            "seats": [{"name": "red", "side": "S"}, {"name": "blue", "side": "N"}],
            "start": ["R1 a1 N", "R2 c1 N", "B1 a4 S", "B2 c3 S"],
            "goals": {"red": "b3", "blue": "b1"},
        }
    },
)
