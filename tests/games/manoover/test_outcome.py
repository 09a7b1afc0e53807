"""How a game ends: the order in which the seats come in."""

import pytest
from support import Bench

from referee.engine.adjudication import adjudicate
from referee.engine.dice_source import TypedSource
from referee.engine.registry import find_game

BENCH = Bench(find_game("manoover"))


def ended(captured, **options):
    """The state once red's last robot has gone over the edge; of three players blue is out already."""
    robots = ["R1 e9 N", "G1 a1 N"] if options.get("form") == "three" else ["R1 d7 N", "B1 a1 N"]
    state = BENCH.place(
        {"turn": "red", "robots": robots, "captured": captured, "off": "rest", "phase": "auto"}, **options
    )
    action = BENCH.game.parse("auto", state, "red")
    return adjudicate(BENCH.game, state, "red", action, TypedSource(())).state


@pytest.mark.parametrize(
    ("captured", "options", "ranks"),
    [
        ({"red": ["B2", "B3"], "blue": ["R2"]}, {}, (("red",), ("blue",))),
        ({"red": ["B2"], "blue": ["R2"]}, {}, (("red", "blue"),)),
        ({"red": ["B2"], "blue": ["R2"]}, {"ties": "last-to-play"}, (("red",), ("blue",))),
        ({"red": ["B2"], "blue": ["R2"]}, {"ties": "survivor"}, (("blue",), ("red",))),
    ],
)
def test_two_players(captured, options, ranks):
    outcome = BENCH.game.outcome(ended(captured, **options))
    assert outcome.ranks == ranks
    assert outcome.winners == ranks[0]


@pytest.mark.parametrize(
    ("captured", "options", "ranks"),
    [
        ({"red": ["B1", "B2"], "green": ["B3"]}, {}, (("red",), ("green",), ("blue",))),
        ({"green": ["B1"]}, {}, (("green",), ("red", "blue"))),
        ({"red": ["B1"], "green": ["B2"]}, {}, (("red", "green"), ("blue",))),
        ({"red": ["B1"], "green": ["B2"]}, {"ties": "survivor"}, (("green",), ("red",), ("blue",))),
        ({"red": ["B1"], "green": ["B2"]}, {"three_result": "match-points"}, (("blue",), ("red", "green"))),
        ({}, {}, (("red", "blue", "green"),)),
    ],
)
def test_three_players(captured, options, ranks):
    assert BENCH.game.outcome(ended(captured, form="three", **options)).ranks == ranks


@pytest.mark.parametrize(
    ("captured", "options", "by"),
    [
        ({"red": ["B2"], "blue": ["R2"]}, {}, "a tie of red and blue"),
        ({"red": ["B2", "B3"], "blue": ["R2"]}, {"ties": "survivor"}, "red wins"),
        (
            {"red": ["B2"], "blue": ["R2"]},
            {"ties": "last-to-play"},
            "red wins (the player who was last to play wins the tie)",
        ),
        (
            {"red": ["B2"], "blue": ["R2"]},
            {"ties": "survivor"},
            "blue wins (the player who still has robots wins the tie)",
        ),
        (
            {"red": ["B1"], "green": ["B2"]},
            {"form": "three", "three_result": "match-points"},
            "blue wins (by match points)",
        ),
    ],
)
def test_what_decided_is_told(captured, options, by):
    state = ended(captured, **options)
    assert BENCH.game.status(state).startswith(f"{by}; in the goals: ")
