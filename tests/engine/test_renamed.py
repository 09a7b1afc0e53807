"""Games from outside that use old names go on working, and are told the names of today."""

from __future__ import annotations

from typing import Any

import pytest
from third_party import installed

import referee
import referee.engine
from referee.engine.action_grammar import Verb, Verbs
from referee.engine.old_names import OLD_HOOKS, OLD_NAMES
from referee.engine.turn_order import Obligation, Order


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_an_old_name_of_the_front_is_that_of_today(old, new):
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
        assert getattr(referee.engine, old) is getattr(referee.engine, new)
    assert old not in referee.engine.__all__


@pytest.mark.parametrize(("old", "new"), [("Report", "AuditReport"), ("Audited", "AuditedLog")])
def test_so_is_one_of_the_python_interface(old, new):
    with pytest.warns(DeprecationWarning, match=f"referee.{old} is called {new} now"):
        assert getattr(referee, old) is getattr(referee, new)


def test_every_old_hook_has_a_hook_of_today():
    assert [new for new in OLD_HOOKS.values() if not hasattr(referee.engine.Game, new)] == []
    assert [old for old in OLD_HOOKS if hasattr(referee.engine.Game, old)] == []


def test_a_game_with_an_old_hook_plays_on():
    with installed("race") as race:

        def place(self: Any, position: Any, options: Any, board: Any) -> Any:
            return race.Race.state_from(self, position, options, board)

        with pytest.warns(DeprecationWarning, match=r"Old\.place is called state_from now"):
            old = type("Old", (race.Race,), {"place": place})
        assert old.state_from is place


def test_a_new_hook_beside_an_old_one_is_kept():
    with installed("race") as race:
        new = type("New", (race.Race,), {"place": None, "state_from": race.Race.state_from})
        assert new.state_from is race.Race.state_from


def test_verbs_answer_to_their_old_names():
    with installed("race") as race:
        verbs = Verbs(
            (Verb(race.ThrowDie, ("throw",)),), Order(lambda _: Obligation("red", "throw", "dice.1", "throw"))
        )
        with pytest.warns(DeprecationWarning, match=r"Verbs\.rests_on is called rules_of now"):
            assert verbs.rests_on(None, race.ThrowDie()) == verbs.rules_of(None, race.ThrowDie()) == ("dice.1",)
        with pytest.warns(DeprecationWarning, match=r"Verbs\.goes_on is called continues_phrase now"):
            assert verbs.goes_on("throw", None, "red") is False
