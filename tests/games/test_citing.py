"""Claims about refusals: a false reason is found, and what was checked is counted."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from race import GAME as RACE
from race import MoveRunner, Race
from referee.engine.rulebook import Refusal
from referee.games.manoover import control_phase
from referee.testing import Claim, claims, laws, make_untimely_condition, obey
from referee.testing.cite import main

FILE = str(Path(__file__).parent / "manoover" / "manoover_claims.py")
EMPTY = Claim(
    "run", lambda view, seat, action: action.square not in view.list_runners(seat), (MoveRunner,), "no runner"
)
"""No runner of the seat stands on the square."""


class Blaming(Race):
    """Every reason is said to be an empty square."""

    def check(self, view, seat, action):
        return (Refusal("run", "red has no runner there") for _ in super().check(view, seat, action))


class Vague(Race):
    """The general rule is cited where a special one applies."""

    def check(self, view, seat, action):
        return (Refusal("turn", refusal.because) for refusal in super().check(view, seat, action))


def told(game, *cites):
    """The sentence about the first breach of the claims."""
    (law,) = [law for law in laws(game, cites=cites) if str(law) == "a refusal cites a rule that applies"]
    with pytest.raises(AssertionError) as breach:
        law()
    return str(breach.value)


def test_a_reason_that_is_false_is_found():
    assert "(red has no runner there), which does not apply" in told(Blaming(), EMPTY)


def test_a_claim_that_forbids_what_is_legal_is_found():
    assert "is legal, and run forbids it" in told(RACE, Claim("run", lambda *_: True))


def test_a_rule_is_not_cited_where_a_more_special_one_applies():
    general = Claim("turn", lambda *_: True, forbids=False, unless=("run",))
    assert "and run is more special" in told(Vague(), general, EMPTY)


def test_a_condition_that_cannot_be_asked_does_not_hold():
    assert not Claim("run", lambda view, *_: view.nothing).holds(None, "red", None)


def test_a_claim_about_a_rule_that_does_not_exist_is_told():
    with pytest.raises(AssertionError, match=r"there is no rule 99\.1"):
        obey(RACE, cites=(Claim("99.1", make_untimely_condition(RACE)),))


def test_a_false_reason_of_manoover_is_found_and_counted(capsys, monkeypatch):
    assert main(["manoover", FILE]) == 0
    assert "cited rules are checked, 100.0 %" in capsys.readouterr().out
    right = control_phase._refuse_spent_die
    monkeypatch.setattr(control_phase, "_refuse_spent_die", lambda *given: Refusal("control.8", right(*given).because))
    assert main(["manoover", FILE]) == 1
    assert "is refused by control.8 (" in capsys.readouterr().out


def test_examples_in_docstrings_run():
    assert doctest.testmod(claims).failed == 0
