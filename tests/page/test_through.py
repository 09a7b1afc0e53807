"""The lines through a game on a page: luck, no more than its viewer may know, and chances to win."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from shipped_pages import GAMES, story, written
from support import FIXTURES

from referee.chances.luck import make_luck_account
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.page.document import render_page
from referee.page.page_model import PlayEvaluation
from referee.record.table.opening_logs import open_log


@pytest.mark.parametrize("game", ["manoover", "mutants", "zombies"])
def test_the_line_ends_where_luck_does(game):
    totals = {}
    for step in story(game).steps:
        for seat, luck in step.luck:
            totals[seat] = totals.get(seat, 0) + luck
    account = make_luck_account(list_recorded_rolls(open_log(FIXTURES / GAMES[game])))
    assert totals == pytest.approx({seat: float(one.hits_above_expected) for seat, one in account.luck_by_seat.items()})
    told = re.search(r"Luck, hits above what had to be expected: (.*?)\.</p>", written(game))
    assert bool(told) == bool(totals)
    for seat, luck in totals.items():
        assert re.search(rf"{seat}(?: \(\w+\))? {re.escape(f'{luck:+.1f}')}", told[1])


def test_no_throw_in_secret_is_counted():
    for step in story("sheboygan").steps:
        assert not step.luck or step.chances


def test_a_mark_stands_at_the_step_that_is_shown(visit):
    tab = visit(written("zombies"), "#n=5")
    at = lambda: tab.get_attribute("#luck .now", "d")  # noqa: E731
    assert at().startswith("M5-")
    tab.keyboard.press("ArrowRight")
    assert at().startswith("M6-")
    assert tab.locator("#luck").is_visible()


def test_chances_to_win_of_who_looked_back(visit):
    told = replace(
        story("manoover"), evaluations=[PlayEvaluation(11, "red", 43, 14), PlayEvaluation(15, "blue", 58, 0)]
    )
    tab = visit(render_page(told), "#n=5")
    assert tab.get_attribute("#chances .now", "d").startswith("M5-")
    assert "red 43 %, blue 58 %" in tab.inner_text("#chances")
    assert "Plays that cost most: red: 5 turn NE (14 %)" in tab.inner_text("#chances")
    tab.click("#chances a")
    tab.locator("#chances .now[d^='M11-']").wait_for(state="attached")
    assert tab.said == []
