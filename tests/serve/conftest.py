"""Games on real sockets."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from rooms import SHIPPED, cut, served
from support import FIXTURES


@pytest.fixture(params=SHIPPED)
def game(request):
    return request.param


@pytest.fixture
def rooms():
    """Serves logs until the end of the test."""
    with ExitStack() as stack:
        yield lambda log, **how: stack.enter_context(served(log, **how))


@pytest.fixture
def table(rooms, tmp_path):
    """Serves a shipped game of which two thirds are played. `later` holds some of the entries that follow."""

    def begun(game="manoover", later=6, **how):
        shipped = FIXTURES / SHIPPED[game]
        count = len(shipped.read_bytes().splitlines())
        rest = cut(shipped, count * 2 // 3, tmp_path / "g.jsonl")
        here = rooms(tmp_path / "g.jsonl", **how)
        here.later = rest[:later]
        return here

    return begun


@pytest.fixture
def tab_at(browser):
    """Opens a link. The list `said` holds the complaints of the browser."""
    contexts = []

    def opened(url, *, clock=False, **context):
        contexts.append(browser.new_context(**context))
        tab = contexts[-1].new_page()
        if clock:
            tab.clock.install()
        tab.said, tab.asked = [], []
        tab.on("console", lambda message: tab.said.append(message.text))
        tab.on("pageerror", lambda error: tab.said.append(str(error)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(url)
        if context.get("java_script_enabled", True):
            tab.locator("#line.on").wait_for()
        return tab

    yield opened
    for context in contexts:
        context.close()
