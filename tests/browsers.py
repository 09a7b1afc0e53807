"""A real browser: Chromium as it comes with the system."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
HOW = "no browser for the tests of pages: apt-get install chromium-headless-shell"


@contextmanager
def chromium() -> Iterator[object]:
    """Yields Chromium without a window, driven by Playwright. Raises LookupError that says how to install it."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise LookupError(HOW)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


WIDTHS = {"a phone": (360, 640), "a laptop": (1100, 800)}
COLOURS = ["color-contrast"]
"""The rules of axe about colours."""


def find_faults_in_views(tab: Any, *but: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the accessibility faults of a page at several sizes, in light and dark colours.

    Each is the view, the rule and the elements. Content that is wider than the view is a fault, too. `but` selects
    elements to leave out.
    """
    for name, (width, height) in WIDTHS.items():
        tab.set_viewport_size({"width": width, "height": height})
        for scheme, rules in (("light", None), ("dark", COLOURS)):
            tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = tab.evaluate("document.documentElement.scrollWidth")
            if found > width:
                yield f"{scheme} on {name}", "over its edge", [f"{found} px"]
            yield from ((f"{scheme} on {name}", *fault) for fault in find_faults(tab, *but, rules=rules))


def find_faults(tab: Any, *but: str, rules: list[str] | None = None) -> list[tuple[str, list[str]]]:
    """Returns the accessibility faults that axe finds in a page as it stands: each rule with its elements.

    `but` selects elements to leave out. Axe lists only faults, since listing the rest takes longer than the check.
    """
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = Axe().run(tab, {"exclude": list(but)} if but else None, options)
    return [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found.response["violations"]]
