"""A real browser, and pages of shipped games."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pytest
from support import FIXTURES

from referee.cli.look import Look
from referee.cli.paged import story_of
from referee.page.document import page_of
from referee.record.table.start import open_log

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
HOW = "no browser for the tests of pages: apt-get install chromium-headless-shell"
GAMES = {
    "manoover": "manoover/games/01-base.jsonl",
    "mail": "manoover/games/15-by-mail.jsonl",
    "mutants": "mutants/games/basic.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/solo.jsonl",
}
VIEWS = {
    f"{width}-{scheme}": {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    for width, height in ((360, 640), (1100, 800))
    for scheme in ("light", "dark")
}


@cache
def story(game):
    """A shipped game as everybody sees it."""
    return story_of(Look(open_log(FIXTURES / GAMES[game])))


@cache
def written(game):
    """Its page."""
    return page_of(story(game))


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


@pytest.fixture(scope="session")
def browser():
    """Chromium, without a window. Where it must not be missing, as in `.ci/run`, that fails."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


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
        return tab

    yield open_page
    for context in contexts:
        context.close()
