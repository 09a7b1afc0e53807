"""The page among the sample logs: what this program writes of the log beside it."""

import os

from support import ROOT

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

SAMPLE = ROOT / "logs/sample-robot-attack.jsonl"


def test_the_sample_page_is_what_its_log_gives():
    """`WRITE_SAMPLES=1 pytest tests/page/test_sample_page.py` writes it anew."""
    page, path = render_page(make_story(SeatView(open_log(SAMPLE)))), SAMPLE.with_suffix(".html")
    if os.environ.get("WRITE_SAMPLES"):
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8") == page, "written by another version; write it anew"
