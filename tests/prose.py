"""The words of a tree: docstrings, comments and printed strings of Python files, and paragraphs of Markdown files."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"\s*(```|~~~)")
TYPED = re.compile(r"\x08\n(?:.*\S.*(?:\n|$))*")
"""Lines that Typer prints as they stand: the examples of a command."""
CODE = re.compile(r"``.+?``|`[^`]+`", re.DOTALL)
"""Code inside a sentence. It counts as one word."""
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
BULLET = re.compile(r"^\s*([-*+]|\d+\.)\s+")
END = re.compile(r"(?:[.!?][\"')\]*_\u201d]*(?=\s|$)|:(?=\s*$)|\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s))")
"""The end of a sentence: a full stop, a blank line, or the start of an item of a list."""
SHORT = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|no|p|pp|ca|approx)\.(?=\s)", re.IGNORECASE)
"""Abbreviations. Their full stop ends no sentence."""
WORD = re.compile(r"[^\W_](?:[\w'\u2019./-]*\w)?")
DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
FIELDS = (ast.Assign, ast.AnnAssign)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Parts of a statement that hold statements."""


class Finding(NamedTuple):
    """One place that needs better words."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Text(NamedTuple):
    """A piece of text and the line on which it begins."""

    line: int
    text: str


@lru_cache(maxsize=4)
def parsed(source: str) -> ast.Module:
    """Returns the syntax tree of a Python file."""
    return ast.parse(source)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields a tree and all statements inside it. It leaves out expressions, which are many."""
    yield tree
    for block in BLOCKS:
        for inner in getattr(tree, block, []):
            yield from statements(inner)


def docstrings(tree: ast.AST) -> Iterator[Text]:
    """Yields the docstrings of modules, classes and functions, and the strings below fields and constants."""
    for node in docstring_nodes(tree):
        yield Text(node.lineno, str(node.value).replace("\n" + " " * node.col_offset, "\n"))


def docstring_nodes(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yields the nodes of all docstrings."""
    for node in statements(tree):
        if isinstance(node, DEFINITIONS) and node.body and (text := bare_string(node.body[0])):
            yield text
        if isinstance(node, ast.Module | ast.ClassDef):
            for above, below in pairwise(node.body):
                if isinstance(above, FIELDS) and (text := bare_string(below)):
                    yield text


def bare_string(statement: ast.stmt) -> ast.Constant | None:
    """Returns the string that a statement consists of; None for any other statement."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def literals(tree: ast.AST) -> Iterator[Text]:
    """Yields the strings of a file that are not docstrings. Placeholders of an f-string are written `{}`."""
    skipped = {id(node) for node in docstring_nodes(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}
            skipped -= {id(inner) for part in node.values for inner in inner_strings(part)}
            yield Text(node.lineno, "".join(map(part_of, node.values)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield Text(node.lineno, node.value)


def inner_strings(part: ast.expr) -> Iterator[ast.AST]:
    """Yields the nodes of the expression inside a placeholder."""
    if isinstance(part, ast.FormattedValue):
        yield from ast.walk(part.value)


def part_of(part: ast.expr) -> str:
    """Returns the text of one part of an f-string."""
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"


def comments(source: str) -> Iterator[Text]:
    """Yields the comments of a Python file."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(token.start[0], token.string.lstrip("#! "))


def paragraphs(markdown: str) -> Iterator[Text]:
    """Yields the paragraphs and list items of a Markdown file. Code, tables, headings and HTML are left out."""
    gathered: list[str] = []
    first, fenced = 0, False
    for number, line in enumerate([*markdown.splitlines(), ""], 1):
        fence = bool(FENCE.match(line))
        ends = fence or fenced or is_no_prose(line, bool(gathered))
        if gathered and (ends or BULLET.match(line)):
            yield Text(first, "\n".join(gathered))
            gathered = []
        if not ends:
            first = first if gathered else number
            gathered.append(BULLET.sub("", line, count=1).strip())
        fenced ^= fence


def is_no_prose(line: str, inside: bool) -> bool:
    """True for a blank line, a heading, a row of a table, HTML, a link's address or indented code."""
    stripped = line.strip()
    indented = line.startswith("    ") and not inside and not BULLET.match(line)
    return not stripped or stripped[0] in "#|<" or indented or bool(re.match(r"\[[^\]]+\]:", stripped))


def sentences(text: str) -> Iterator[Text]:
    """Yields the sentences of a text, numbered by the line on which they begin, from 0."""
    text = without_examples(text)
    masked = CODE.sub(lambda code: masked_like(code[0]), SHORT.sub(lambda short: masked_like(short[0]), text))
    start = 0
    for end in [*(found.end() for found in END.finditer(masked)), len(masked)]:
        sentence = text[start:end]
        if sentence.strip():
            before = text[:start] + sentence[: len(sentence) - len(sentence.lstrip())]
            yield Text(before.count("\n"), " ".join(sentence.split()))
        start = end


def without_examples(text: str) -> str:
    """Blanks the lines of a text that are code: indented, or a prompt of Python."""
    text = TYPED.sub(lambda typed: "\n" * typed[0].count("\n"), text)
    return "\n".join("" if is_code(line) else line for line in text.split("\n"))


def is_code(line: str) -> bool:
    """True for a line of an example or a table."""
    indented = line.startswith("    ") and not BULLET.match(line)
    return indented or line.lstrip().startswith((">>>", "... ", "|"))


def masked_like(text: str) -> str:
    """Returns a text of the same length in which nothing ends a sentence."""
    return "x" * len(text)


def plain(sentence: str) -> str:
    """Returns a sentence with code as one word, links as their text, and no emphasis."""
    return LINK.sub(r"\1", CODE.sub("code", sentence)).replace("*", "")


def words(sentence: str) -> list[str]:
    """Returns the words of a sentence."""
    return WORD.findall(plain(sentence))
