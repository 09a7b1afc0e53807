"""A real browser, and pages of shipped games."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped_pages import GAMES


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


@pytest.fixture
def visit(browser, tmp_path):
    """Opens a page; what it asked for and complained of is on the list `said`."""
    contexts = []

    def open_page(text, link="", **context):
        path = Path(tmp_path) / f"game-{len(contexts)}.html"
        path.write_text(text, "utf-8")
        contexts.append(browser.new_context(**context))
        tab = contexts[-1].new_page()
        tab.said, tab.asked = [], []
        tab.on("console", lambda message: tab.said.append(message.text))
        tab.on("pageerror", lambda error: tab.said.append(str(error)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(f"file://{path}{link}")
        if context.get("java_script_enabled", True):
            tab.locator("#verdict[class]").wait_for()
            tab.locator("#slider").wait_for(state="attached")
        return tab

    yield open_page
    for context in contexts:
        context.close()
