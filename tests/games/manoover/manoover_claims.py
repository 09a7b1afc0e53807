"""When a refusal of Manoover may cite a rule, from the rule alone.

`referee.testing` holds every refusal of random games to it: `python -m referee.testing.cite manoover FILE`.
"""

from __future__ import annotations

from referee.engine.registry import find_game
from referee.games.manoover.automatic_phase import CompleteAutomaticPhase, MakeAutomaticMove, SkipRobot
from referee.games.manoover.control_phase import EndControlPhase, MoveRobot, TurnRobot
from referee.games.manoover.throwing import RerollDice, RollDice, RollForFirstTurn
from referee.testing import Claim, make_untimely_condition

GAME = find_game("manoover")
UNTIMELY = make_untimely_condition(GAME)
AROUND = ("N", "NE", "SE", "S", "SW", "NW")


def own(state, action):
    return f"{state.turn[0].upper()}{action.robot}"


def spent(state, action):
    """The number of dice of this robot that were used in this turn."""
    return sum(str(die) == action.robot for _, die in state.spent)


def no_die(state, seat, action):
    """No die on the table shows the robot (control.1)."""
    return action.robot not in map(str, state.dice)


def by_one_edge(state, seat, action):
    """One die turns a robot by one edge at the most, where the players agreed on it (variant.crash.3)."""
    now, to = AROUND.index(state.arrows[own(state, action)]), AROUND.index(action.toward)
    return (to - now) % 6 not in (0, 1, 5)


def is_on_board(state, action):
    return own(state, action) in state.cells


def has_passed(state):
    """True if the control phase of this turn is over."""
    return state.phase == "auto"


CITES = (
    *(Claim(rule, UNTIMELY) for rule in ("turn.1", "three.8", "variant.crash.1", "variant.alt.2", "dice.1", "plus.3")),
    Claim("turn.2", lambda state, seat, _: seat != state.turn and state.phase != "throw-off"),
    Claim(
        "three.6",
        lambda state, seat, _: seat != state.turn and len(state.board.seats) == 3 and state.phase != "throw-off",
        unless=("three.12",),
    ),
    Claim(
        "three.12",
        lambda state, seat, _: (
            seat != state.turn
            and len(state.board.seats) == 3
            and not any(robot[0] == seat[0].upper() for robot in state.cells)
            and state.phase != "throw-off"
        ),
    ),
    Claim("setup.5", UNTIMELY),
    Claim("setup.6", UNTIMELY),
    Claim("three.4", UNTIMELY),
    Claim(
        "dice.5",
        lambda state, *_: state.phase == "rethrow",
        (MoveRobot, TurnRobot, EndControlPhase, RollDice, CompleteAutomaticPhase, MakeAutomaticMove, SkipRobot),
    ),
    Claim("dice.6", lambda state, *_: state.phase in ("rethrow", "control"), (RollDice,)),
    Claim("dice.6", lambda state, *_: state.phase == "control" and state.rethrown, (RerollDice,)),
    Claim(
        "dice.3", lambda state, *_: state.phase == "control" and not state.rethrown, (RerollDice,), unless=("dice.6",)
    ),
    Claim("dice.9", lambda state, *_: has_passed(state) and state.rethrown and not state.spent, (MoveRobot, TurnRobot)),
    Claim("control.1", no_die, (MoveRobot, TurnRobot), told="^(no die shows|robot .* is out)"),
    Claim(
        "control.1",
        lambda state, seat, action: no_die(state, seat, action) and spent(state, action) == 1,
        (MoveRobot, TurnRobot),
        told="^the one die",
    ),
    Claim(
        "control.7",
        lambda state, seat, action: no_die(state, seat, action) and spent(state, action) == 1,
        (MoveRobot, TurnRobot),
    ),
    Claim(
        "control.8",
        lambda state, seat, action: no_die(state, seat, action) and spent(state, action) == 2,
        (MoveRobot, TurnRobot),
    ),
    Claim(
        "control.9",
        lambda state, seat, action: no_die(state, seat, action) and spent(state, action) == 3,
        (MoveRobot, TurnRobot),
    ),
    Claim("control.1", lambda state, *_: state.options["decline-die"] == "forbidden", (EndControlPhase,)),
    Claim(
        "control.5",
        lambda state, _, action: is_on_board(state, action) and state.arrows[own(state, action)] != action.toward,
        (MoveRobot,),
    ),
    Claim(
        "control.2",
        lambda state, _, action: (
            state.options["null-rotation"] != "allowed" and state.arrows.get(own(state, action)) == action.toward
        ),
        (TurnRobot,),
    ),
    Claim(
        "variant.crash.3",
        lambda state, _, action: (
            state.options["rotation"] != "any" and is_on_board(state, action) and by_one_edge(state, _, action)
        ),
        (TurnRobot,),
    ),
    Claim("auto.2", lambda *_: True, (SkipRobot,)),
    Claim("auto.2", lambda state, *_: has_passed(state), (MoveRobot, TurnRobot)),
    Claim("auto.1", lambda state, _, action: int(action.robot) <= state.moved, (MakeAutomaticMove,)),
    Claim("auto.4", lambda state, _, action: not is_on_board(state, action), (MakeAutomaticMove,)),
    Claim(
        "auto.3",
        lambda state, _, action: any(
            f"{state.turn[0].upper()}{number}" in state.cells for number in range(state.moved + 1, int(action.robot))
        ),
        (MakeAutomaticMove,),
        unless=("auto.4",),
    ),
    Claim(
        "auto.5",
        lambda state, _, action: is_on_board(state, action) and state.arrows[own(state, action)] != action.toward,
        (MakeAutomaticMove,),
        unless=("auto.3",),
    ),
    Claim(
        "variant.alt.1",
        lambda state, *_: state.options["order"] == "alternate" and not state.taken[state.turn],
        (CompleteAutomaticPhase, MakeAutomaticMove, SkipRobot),
    ),
    Claim("setup.5", lambda state, *_: state.phase != "throw-off", (RollForFirstTurn,)),
)
