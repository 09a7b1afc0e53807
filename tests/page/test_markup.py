"""Only a few files write HTML and SVG, and each value in it is escaped, a number, or markup of their own."""

from __future__ import annotations

import ast
import re

import pytest
from support import PACKAGE

TAG = re.compile(r"<!doctype html>|(?<!\?P)</?[a-z][a-z0-9]*[\s>/]")
"""A tag. In regular expressions, a group has a name that looks like one."""
READERS = {
    "cli/html_page.py": "it compares the lines of two pages",
    "page/page_parsing.py": "the marks at which a page is taken apart, and its settings, escaped",
    "record/log/file_kinds.py": "the beginning of a page",
}
"""The files that know tags and write no page."""
ESCAPERS = {"escape_html", "escape_xml", "escape_paragraphs"}
MADE = "markup made by these files, of escaped parts"
NUMBER = "a number"
OWN = "words of our own, or of the rules of SVG"
KNOWN = {
    "page/document.py": {
        "LOG_BEGINS": OWN,
        "LOG_ENDS": OWN,
        "board": NUMBER,
        "box": NUMBER,
        "compact_svg(defined)": MADE,
        "count_of(len(rolls), 'roll')": NUMBER,
        "count_of(len(steps), 'entry', 'entries')": NUMBER,
        "escape(story.log, quote=False)": "the log as it is: the audit takes it out again byte for byte",
        "events": MADE,
        "f'<p>{escape_html(name)}</p>' if name else ''": MADE,
        "label": MADE,
        "make_security_policy((proving, stepping), styles)": OWN,
        "proving": OWN,
        "rules": MADE,
        "shown": MADE,
        "step.n": NUMBER,
        "styles": OWN,
        "text": MADE,
    },
    "page/qr_text.py": {
        "''.join(_draw_runs(matrix, y + CAPTION_HEIGHT + BORDER))": NUMBER,
        "BORDER": NUMBER,
        "size": NUMBER,
        "width": NUMBER,
        "y": NUMBER,
        "y + CAPTION_HEIGHT - 1": NUMBER,
    },
    "page/sparklines.py": {
        "', '.join(links)": MADE,
        "INKS[colours.get(seat, 'grey')].paint": OWN,
        "_render_costly_plays(steps, judged)": MADE,
        "box": NUMBER,
        "label": OWN,
        "last": NUMBER,
        "name": OWN,
        "one.cost": NUMBER,
        "one.n": NUMBER,
        "path": NUMBER,
    },
    "page/svg_compaction.py": {"inside": MADE, "part.tag": OWN, "style": MADE, "written": MADE},
    "show/element.py": {"attributes": MADE, "inside": MADE, "self.tag": OWN},
    "serve/live_page.py": {
        "' open' if last.is_over else ''": OWN,
        "heading": MADE,
        "last.progress": NUMBER,
        "make_live_script(may_act=may_act)": OWN,
        "make_live_style()": OWN,
        "status": MADE,
        "words": MADE,
    },
}
"""The values in markup that are not escaped where they stand, each with the reason."""
WRITERS = {*KNOWN, "page/compression.py"}


def markup_in(source):
    """Yields the texts with tags in a module, outside docstrings: constants and f-strings."""
    tree = ast.parse(source)
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    said = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if id(node) in said or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [one.value for one in parts if isinstance(one, ast.Constant)]
            if any(map(TAG.search, texts)) or (any(one.endswith("</") for one in texts) and len(texts) > 1):
                yield node


def unescaped(source):
    """The values in markup that are not escaped where they stand, as they are spelt."""
    found = set()
    for text in markup_in(source):
        for part in getattr(text, "values", ()):
            if isinstance(part, ast.FormattedValue) and not is_escaped(part.value):
                found.add(ast.unparse(part.value))
    return found


def is_escaped(value):
    """True for a call of an escaping function. Plain `escape` needs `make_printable` for invisible characters."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name)):
        return False
    if value.func.id == "escape":
        (first, *_) = value.args
        return isinstance(first, ast.Call) and getattr(first.func, "id", "") == "make_printable"
    return value.func.id in ESCAPERS


def sources():
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")


def test_only_these_files_write_markup():
    assert {name for name, source in sources() if any(markup_in(source))} == {*WRITERS, *READERS}


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_each_value_in_markup_is_escaped_or_named_here(name):
    assert unescaped((PACKAGE / name).read_text("utf-8")) == set(KNOWN.get(name, ()))


@pytest.mark.parametrize(
    "source",
    [
        'f"<p>{words}</p>"',
        'f"<p>{escape(words)}</p>"',
        "f'<svg viewBox=\"{box}\">'",
        'f"{escape_html(one)}<b>{other}"',
        'f"</li>{str(words)}"',
    ],
)
def test_a_bare_value_is_found(source):
    assert unescaped(source)


@pytest.mark.parametrize(
    "source",
    ['f"<p>{escape_html(words)}</p>"', 'f"<p>{escape(make_printable(words))}"', '"<p>"', 'f"{a} < {b} and {c} > d"'],
)
def test_an_escaped_value_is_left_alone(source):
    assert not unescaped(source)
