"""What comes along with pages: their style and scripts, as they are written into them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files

PROVING, STEPPING = ("common.js", "check.js", "prove.js"), ("common.js", "board.js", "replay.js")
"""The scripts of a page, each in the order in which they need one another: what proves the log, to be read by whoever
looks into the page, and what steps through the game, which the first one unpacks and runs.
"""
SPACE = re.compile(r"(?<=[{};:,]) | (?=[{}])|^ +", re.MULTILINE)
"""Room in a style that nobody needs."""


@cache
def style() -> str:
    """The style of a page."""
    return SPACE.sub("", _text("page.css"))


@cache
def script(*names: str) -> str:
    """These scripts as one, which leaves no name behind: their comments stay at home."""
    lines = "\n".join(map(_text, names)).splitlines()
    body = "\n".join(line.lstrip() for line in lines if line and not line.lstrip().startswith("//"))
    return f'(async () => {{\n"use strict";\n{body}\n}})();'


def allowed(text: str) -> str:
    """How a content security policy calls a text that stands in the page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(scripts: Iterable[str], styles: str) -> str:
    """Nothing is fetched, nothing runs but these, nothing is sent."""
    return (
        f"default-src 'none'; script-src {' '.join(map(allowed, scripts))}; style-src {allowed(styles)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _text(name: str) -> str:
    return (files("referee.page") / name).read_text("utf-8")
