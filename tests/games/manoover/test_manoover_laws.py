"""What holds in this game always, on positions made at random and for everything that can be said in it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.position import decode_position
from referee.engine.registry import find_game
from referee.engine.text import NotUnderstoodError
from referee.games.manoover.automatic_phase import CompleteAutomaticPhase, MakeAutomaticMove, SkipRobot
from referee.games.manoover.board import HEADINGS
from referee.games.manoover.control_phase import EndControlPhase, MoveRobot, TurnRobot
from referee.games.manoover.state import find_opening_phase
from referee.games.manoover.throwing import RerollDice, RollDice, RollForFirstTurn

BENCH = Bench(find_game("manoover"))
GAME = BENCH.game
FORMS = [
    {},
    {"goal_cells": "third", "ties": "last-to-play"},
    {"order": "alternate", "decline_die": "forbidden"},
    {"edition": "crash"},
    {"edition": "kadon", "null_rotation": "refused"},
    {"form": "plus", "order": "auto-control", "rotation": "one-step"},
    {"form": "three"},
    {"form": "three", "order": "alternate", "eliminated_goal": "void", "three_result": "match-points"},
]
STARTS = [BENCH.start(**form) for form in FORMS]
COMPASS = (*HEADINGS, "E", "W")
ROBOTS = [*map(str, range(1, 10)), "R1", "B2", "G3", "B8", "Z1"]
EVERYTHING = (
    [RollDice(), RerollDice(), EndControlPhase(), CompleteAutomaticPhase()]
    + [
        kind(robot, toward)
        for kind in (TurnRobot, MoveRobot, MakeAutomaticMove)
        for robot in ROBOTS
        for toward in COMPASS
    ]
    + [SkipRobot(robot) for robot in ROBOTS]
    + [
        RollForFirstTurn(seats)
        for seats in ((), ("red",), ("red", "blue"), ("blue", "green"), ("red", "blue", "green"))
    ]
)
SEATS = ("red", "blue", "green", "nobody")


@st.composite
def documents(draw, wild=False):
    """A position in any form and phase, with its options: one that may come about, or, if `wild`, anything."""
    start = draw(st.sampled_from(STARTS))
    board, options = start.board, BENCH.options(**FORMS[STARTS.index(start)])
    robots = draw(st.lists(st.sampled_from(board.robots), min_size=2, unique=True))
    placed = draw(st.permutations(sorted(board.cells - set(start.goals))))
    turn = draw(st.sampled_from(board.seats))
    taken = {seat: draw(st.integers(0, 2)) for seat in board.seats}
    alive = [int(robot[1:]) for robot in robots if robot[0] == turn[0].upper()]
    phase = draw(st.sampled_from(["throw", "rethrow", "control", "auto"]))
    table = draw(on_table(board.file, None if wild else alive, phase))
    if not wild and phase == find_opening_phase(options, taken[turn]):
        table = {}
    document = {
        "turn": turn,
        "robots": [
            f"{robot} {cell} {draw(st.sampled_from(HEADINGS))}" for robot, cell in zip(robots, placed, strict=False)
        ],
        "off": "rest",
        "phase": phase,
        "moved": draw(st.integers(0, board.file.sides)) if phase == "auto" or wild else 0,
        "taken": taken,
        **table,
    }
    return document, options, board


@st.composite
def on_table(draw, file, alive, phase):
    """Dice on the table: those of a phase, or anything where nobody is said to be alive."""
    count = st.integers(0, file.dice)
    numbers = st.sampled_from(alive) if alive else st.integers(1, file.sides)
    dice = draw(st.lists(numbers, max_size=file.dice)) if alive is None or (alive and phase != "throw") else []
    uses = st.tuples(st.sampled_from(["go", "turn"]), st.integers(1, file.sides))
    spent = draw(st.lists(uses, max_size=max(0, file.dice - len(dice))))
    if alive is None:
        return {"dice": dice, "spent": spent, "dead": draw(count), "rethrown": draw(st.booleans())}
    if phase == "rethrow":
        return {"dice": dice[:-1], "dead": file.dice - len(dice[:-1])}
    return {"dice": dice, "spent": spent, "rethrown": draw(st.booleans())} if phase != "throw" else {}


@st.composite
def positions(draw, wild=False):
    """The state of any position that the rules allow."""
    document, options, board = draw(documents(wild))
    position = decode_position(GAME, document)
    if list(GAME.check_position(position, options, board)):
        return draw(st.sampled_from(STARTS))
    return GAME.state_from(position, options, board)


@settings(max_examples=60, deadline=None)
@given(positions() | positions(wild=True), st.sampled_from(SEATS))
def test_an_action_is_legal_exactly_when_no_rule_forbids_it(state, seat):
    legal = GAME.legal(state, seat)
    for action in EVERYTHING:
        assert (action in legal) == (not list(GAME.check(state, seat, action))), action


@settings(max_examples=40, deadline=None)
@given(positions(), st.sampled_from(["lower", "upper", "spaced"]))
def test_what_is_written_is_read_back(state, style):
    for action in [*GAME.legal(state, state.turn), *EVERYTHING]:
        try:
            text = GAME.format(action)
            text = {"lower": text.lower(), "upper": text.upper(), "spaced": "  " + text.replace(" ", "   ")}[style]
            read = GAME.parse(text, state, state.turn)
        except NotUnderstoodError:
            raise AssertionError(text) from None
        assert read == own(action, state)


def own(action, state):
    """The action with one's own robots named by number alone, and an empty throw-off naming everybody."""
    if isinstance(action, RollForFirstTurn):
        return action if action.seats else RollForFirstTurn(state.contenders)
    robot = getattr(action, "robot", None)
    if robot and robot[0] == state.turn[0].upper():
        return replace(action, robot=robot[1:])
    return action


@settings(max_examples=150, deadline=None)
@given(positions() | positions(wild=True), st.integers(0, 2**32 - 2))
def test_everything_legal_can_be_played_and_leaves_a_sound_state(state, draw):
    for action in GAME.legal(state, state.turn):
        played = adjudicate(GAME, state, state.turn, action, SeededSource({None: "11" * 32}, {None: draw}))
        assert isinstance(played, LegalVerdict)
        assert not isinstance(action, MoveRobot | MakeAutomaticMove) or len(state.cells) - len(played.state.cells) in (
            0,
            1,
        )
        check_sound(played.state)


def test_positions_are_drawn_from_every_phase_and_order():
    found = set()

    @settings(max_examples=400, deadline=None, database=None, derandomize=True)
    @given(positions())
    def draw(state):
        found.add((state.options["order"], state.phase))

    draw()
    orders = ("control-auto", "alternate", "auto-control")
    assert found >= {(order, phase) for order in orders for phase in ("throw", "rethrow", "control", "auto")}


def check_sound(state):
    """No robot twice, none lost, no two on a cell, none on a goal, dice that name living robots only."""
    everywhere = [*state.cells, *state.off, *(robot for robots in state.captured.values() for robot in robots)]
    assert sorted(everywhere) == sorted(state.board.robots)
    assert len(set(state.cells.values())) == len(state.cells)
    assert not set(state.cells.values()) & set(state.goals)
    assert set(state.arrows) == set(state.cells)
    assert (
        state.phase != "control" or state.outcome or all(state.name_own_robot(die) in state.cells for die in state.dice)
    )
    assert state.outcome or GAME.legal(state, state.turn)
    assert (state.outcome is None) == (GAME.to_act(state) is not None)
