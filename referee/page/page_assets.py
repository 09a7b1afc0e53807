"""The style and the scripts of pages, in the form in which pages contain them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files

PROOF_SCRIPTS, REPLAY_SCRIPTS = ("common.js", "check.js", "prove.js"), ("common.js", "board.js", "replay.js")
"""The scripts of a page, in the order in which they need each other. The first proves the log and can be read in the
page; it unpacks and runs the second, which steps through the game.
"""
NEEDLESS_STYLE_CHARACTERS = re.compile(
    r"(?<=[{};:,]) | (?=[{}])|^ +|;(?= *\})|(?<=\})\n|(?<![\w.#])0(?=\.\d)", re.MULTILINE
)
"""The characters of a style that can be left out."""
SCRIPT_COMMENT = re.compile(r"(^| )// .*")
"""A comment in a script. No string in our scripts looks like a comment."""


@cache
def load_style() -> str:
    """Returns the style of a page."""
    return NEEDLESS_STYLE_CHARACTERS.sub("", _read_file("page.css"))


@cache
def load_script(*names: str) -> str:
    """Returns these scripts as one, without comments; it leaves no global name behind."""
    lines = "\n".join(map(_read_file, names)).splitlines()
    body = "\n".join(filter(None, (SCRIPT_COMMENT.sub("", line).strip() for line in lines)))
    return f'(async () => {{\n"use strict";\n{body}\n}})();'


def make_csp_hash(text: str) -> str:
    """Returns the hash by which a content security policy allows a script or style in the page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def make_security_policy(scripts: Iterable[str], styles: str) -> str:
    """Returns the content security policy: nothing is fetched or sent, and only these scripts and styles run."""
    return (
        f"default-src 'none'; script-src {' '.join(map(make_csp_hash, scripts))}; style-src {make_csp_hash(styles)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _read_file(name: str) -> str:
    return (files("referee.page") / name).read_text("utf-8")
