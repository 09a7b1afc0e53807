"""How long pages are. The bench measures those of all shipped games; here are the ones that need most."""

import pytest
from support import FIXTURES

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

MOST, TIMES = 600_000, 3
"""Bytes that a page may have, and how many times as long as its log it may be."""
TIGHT = ("manoover/games/05-survivor-ties.jsonl", "zombies/games/solo.jsonl", "mutants/games/all-options.jsonl")


@pytest.mark.parametrize("log", TIGHT)
def test_a_page_is_not_much_longer_than_its_log(log):
    page = render_page(make_story(SeatView(open_log(FIXTURES / log)))).encode()
    assert len(page) <= min(MOST, TIMES * (FIXTURES / log).stat().st_size)
