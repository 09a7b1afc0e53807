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
    """Chromium, without a window, for Playwright; LookupError says how to have one."""
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
"""The rules of axe that look at colours."""


def stumbled_in_views(tab: Any, *but: str) -> Iterator[tuple[str, str, list[str]]]:
    """What somebody stumbles over in a page, in any size and colour: in which view, over what, and where. What is wider
    than the view is over its edge.
    """
    for name, (width, height) in WIDTHS.items():
        tab.set_viewport_size({"width": width, "height": height})
        for scheme, rules in (("light", None), ("dark", COLOURS)):
            tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = tab.evaluate("document.documentElement.scrollWidth")
            if found > width:
                yield f"{scheme} on {name}", "over its edge", [f"{found} px"]
            yield from ((f"{scheme} on {name}", *fault) for fault in stumbled(tab, *but, rules=rules))


def stumbled(tab: Any, *but: str, rules: list[str] | None = None) -> list[tuple[str, list[str]]]:
    """What axe finds wrong with a page as it stands, `but` in what these select: what, and where. It need not list what
    is right, which takes it longer than to look.
    """
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = Axe().run(tab, {"exclude": list(but)} if but else None, options)
    return [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found.response["violations"]]
