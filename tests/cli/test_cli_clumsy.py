"""Whoever slips, pastes, presses Ctrl-C or pulls the plug loses nothing and shows nobody a secret."""

from __future__ import annotations

import pytest

pytest.importorskip("terminal", reason="needs pseudo-terminals", exc_type=ImportError)

from clumsy import SLIP, Told
from clumsy_screen import unwrapped

OFTEN = 0.7
"""The share of steps with a slip in the suite. `clumsy.py` plays whole games, with fewer."""
GAMES = [
    ("manoover", {}, 8),
    ("mutants", {"hidden-movement": "yes"}, 16),
    ("mutants", {"scenario": "alternate"}, 6),
    ("sheboygan", {"scenario": "advanced-a"}, 8),
    ("zombies", {}, 8),
]
"""Games, their options, and how many steps of them are played."""


@pytest.mark.parametrize(("name", "options", "steps"), GAMES)
def test_a_clumsy_player_loses_nothing(place, name, options, steps):
    told = Told(name, options, f"{name}.suite", steps, OFTEN)
    assert not told.wrong, f"{told}\n{told.transcript}"
    assert told.player.steps == steps
    assert steps < len(SLIP) or not SLIP.keys() - told.player.slips.keys()


def test_a_suggestion_is_read_over_several_rows():
    rows = [
        "REFUSED  wall D2-D3",
        "  Instead: wall A1-B1,   wall A1-A2,",
        "    wall B1-C1     (all",
        "    8437: legal)",
    ]
    rows += ["  The rule: rules M28"]
    assert list(unwrapped(rows))[2:4] == [
        "  Instead: wall A1-B1,   wall A1-A2,   wall B1-C1     (all 8437: legal)",
        "  The rule: rules M28",
    ]
