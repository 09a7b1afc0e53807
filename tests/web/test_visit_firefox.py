"""The tab in Firefox, where it is installed: it judges a log that somebody chooses."""

from __future__ import annotations

import pytest
from firefox import firefox
from support import FIXTURES, ROOT
from visits import serving

CHOOSE = """
const [name, text] = arguments, carried = new DataTransfer(), input = document.getElementById("files");
carried.items.add(new File([text], name));
input.files = carried.files;
input.dispatchEvent(new Event("change", {bubbles: true}));
"""
TOLD = {
    ROOT / "logs" / "sample-robot-attack.jsonl": "CLEAN sample-robot-attack.jsonl",
    FIXTURES / "corrupt" / "dice-of-a-throw-changed.jsonl": "FAULT",
}


def test_a_log_is_judged_in_firefox(folder):
    try:
        with firefox() as window, serving(folder) as (address, _):
            window.go(address)
            window.wait("document.querySelector('body[data-ready]')")
            for log, told in TOLD.items():
                window.run("document.getElementById('status').textContent = ''")
                window.run(CHOOSE, log.name, log.read_text("utf-8"))
                window.wait("/^Judged|at once/.test(document.getElementById('status').textContent)")
                verdict = window.run("return document.querySelector('article').textContent")
                assert told in " ".join(verdict.split())
    except LookupError as error:
        pytest.skip(str(error))
