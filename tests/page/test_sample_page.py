"""The page among the sample logs: what this program writes of the log beside it."""

import os

from support import ROOT

from referee.cli.paged import story_of
from referee.page.document import page_of
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

SAMPLE = ROOT / "logs/sample-robot-attack.jsonl"


def test_the_sample_page_is_what_its_log_gives():
    """`WRITE_SAMPLES=1 pytest tests/page/test_sample_page.py` writes it anew."""
    page, path = page_of(story_of(Sitting(open_log(SAMPLE)))), SAMPLE.with_suffix(".html")
    if os.environ.get("WRITE_SAMPLES"):
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8") == page, "written by another version; write it anew"
