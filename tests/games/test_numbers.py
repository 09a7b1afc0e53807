"""Numbers that a refusal tells come from where the rules have them: else one day the two differ."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import PACKAGE

from referee.engine.text import NUMBER_WORDS, spell_number

FILES = sorted((PACKAGE / "games").rglob("*.py"))
NUMBER = re.compile(rf"(?<![\w.])((?!1\b)\d+|{'|'.join(NUMBER_WORDS[2:])})(?![\w.]|-[a-z])", re.IGNORECASE)
"""A number, in digits or as a word, that is no part of a name such as H09 or M45. One is seldom a figure."""


def numbers_told(source: str) -> Iterator[str]:
    """The words of refusals in which a number stands that nothing has worked out."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "Refusal":
            yield from (text for part in words_of(call) for text in literals(part) if NUMBER.search(text))


def words_of(call: ast.Call) -> list[ast.expr]:
    """What a refusal is given but for its rule."""
    return [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg != "rule")]


def literals(node: ast.AST) -> Iterator[str]:
    """What is written in an expression as it will be read; numbers that are only reckoned with are none."""
    if isinstance(node, ast.Subscript):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Constant):
        yield str(node.value.value)
    else:
        yield from (text for part in ast.iter_child_nodes(node) for text in literals(part))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE / "games")))
def test_no_refusal_has_a_number_of_its_own(path: Path):
    assert list(numbers_told(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "told",
    [
        '"there are two players"',
        'f"{unit} stays until Turn 5"',
        'because="Two figures stand there"',
        "f\"there {'are 4' if many else 'is none'}\"",
        'f"6-{WORST} takes more"',
        'f"{3} are needed"',
        '"one" if alone else "boxes 11 to 15 are others"',
    ],
)
def test_a_number_is_seen(told):
    assert list(numbers_told(f'Refusal("1.2", {told})'))


@pytest.mark.parametrize(
    "told",
    [
        'f"there are {spelled(len(SEATS))} players"',
        'f"{1 + OTHERS} of one level"',
        'f"{unit} follows its leader (M35)"',
        '"say it as monster = H09"',
        "words[2]",
        '"units retreat one box"',
        '"the three-player board has its goals in one place"',
    ],
)
def test_what_is_worked_out_or_a_name_is_none(told):
    assert not list(numbers_told(f'Refusal("II.2", {told})'))


def test_small_numbers_are_words():
    assert [spell_number(number) for number in (0, 1, 2, 12, 13, 184)] == ["zero", "one", "two", "twelve", "13", "184"]
