"""How long pages are. The bench measures those of all shipped games; here are the ones that need most."""

import pytest
from support import FIXTURES

from referee.cli.paged import story_of
from referee.page.document import page_of
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

MOST, TIMES = 600_000, 3
"""Bytes that a page may have, and how many times as long as its log it may be."""
TIGHT = ("manoover/games/05-survivor-ties.jsonl", "zombies/games/solo.jsonl", "mutants/games/all-options.jsonl")


@pytest.mark.parametrize("log", TIGHT)
def test_a_page_is_not_much_longer_than_its_log(log):
    page = page_of(story_of(Sitting(open_log(FIXTURES / log)))).encode()
    assert len(page) <= min(MOST, TIMES * (FIXTURES / log).stat().st_size)
