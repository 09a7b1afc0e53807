"""A real browser: Chromium as it comes with the system."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
HOW = "no browser for the tests of pages: apt-get install chromium-headless-shell"


@contextmanager
def chromium() -> Iterator[object]:
    """Chromium, without a window, for Playwright; LookupError says how to have one."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise LookupError(HOW)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
