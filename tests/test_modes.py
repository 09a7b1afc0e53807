"""Dice modes answer for themselves: nobody else asks which one it is, and one more is a class in one file."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from shutil import copytree, ignore_patterns

import pytest
from support import PACKAGE

from referee.engine.mode import MODES, Mode

HERE = PACKAGE / "engine" / "mode.py"
KINDS = {kind.__name__ for kind in MODES.values()}


# Nobody else asks which one it is


def asked(source: str) -> Iterator[str]:
    """Where code does anything else with a mode than to make one, or to ask it something."""
    tree = ast.parse(source)
    makes = {id(root_of(node.func)) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in KINDS and id(node) not in makes:
                yield ast.unparse(node)
            case ast.alias(name=name, asname=str()) if name in KINDS:
                yield ast.unparse(node)
            case ast.Compare() if is_of_a_mode(node):
                yield ast.unparse(node)


def root_of(called: ast.expr) -> ast.expr:
    """What is called, or whose method is."""
    named = isinstance(called, ast.Attribute) and called.attr not in KINDS
    return root_of(called.value) if named else called


def is_of_a_mode(node: ast.Compare) -> bool:
    """Whether the name of a mode is held against something."""
    return any(text.endswith("dice.name") for text in map(ast.unparse, [node.left, *node.comparators]))


def test_nobody_asks_which_mode_it_is():
    found = {
        f"{path.relative_to(PACKAGE)}: {where}"
        for path in PACKAGE.rglob("*.py")
        if path != HERE
        for where in asked(path.read_text("utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(header.dice, OpenDice)",
        "isinstance(dice, (TableDice, mode.PactDice))",
        "type(dice) is PactDice",
        "WORDS = {TableDice: 'table dice'}",
        "match dice:\n    case OpenDice(seed=seed):\n        pass",
        "from referee.engine.mode import OpenDice as Seeded",
        "header.dice.name == 'open'",
        "header.dice.name in ('open', 'pact')",
    ],
)
def test_whoever_asks_is_seen(code):
    assert list(asked(code))


@pytest.mark.parametrize(
    "code", ["PactDice()", "OpenDice.begun(None, os.urandom)", "mode.OpenDice(seed)", "header.dice.is_typed"]
)
def test_a_mode_may_be_made_and_asked(code):
    assert not list(asked(code))


# Nothing is answered for it

QUESTIONS = {name for name, asks in vars(Mode).items() if getattr(asks, "__isabstractmethod__", False)}


@pytest.mark.parametrize("kind", MODES.values(), ids=MODES)
def test_a_mode_answers_all_that_is_asked(kind):
    assert len(QUESTIONS) > 10
    silent = {name for name in QUESTIONS if getattr(kind, name) is vars(Mode)[name]}
    assert silent == set()


# One more

BOOK = '''
class BookSource(OpenSource):
    """Throws out of the book."""

    def draw(self, need: Need) -> Roll:
        """The next throw on the page."""
        return replace(super().draw(need), origin="book")


class BookDice(Mode, frozen=True, tag="book"):
    """Dice that were thrown long ago, and are read off a page of a book that all players have."""

    page: Annotated[int, Meta(ge=1, le=999)]
    """The page that the game begins with."""

    told: ClassVar[str] = "dice out of a book"
    why_untyped: ClassVar[str] = "these dice stand in the book; none can be typed in"
    is_foreseeable: ClassVar[bool] = True
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = False
    seeds: ClassVar[Mapping[str | None, str]] = {}
    drawn: ClassVar[str] = " in the book"
    form: ClassVar[str] = "book with the number of a page"

    def source(self, sources: Sources) -> Source:
        """The page, and for what a seat throws in secret one of its own."""
        pages = {seat: sha256(f"{self.page} {seat}".encode()).hexdigest() for seat in (None, *SEATS)}
        return BookSource(pages, sources.draws)

    def next(self, random: Fresh) -> Self:
        """The page after it."""
        return replace(self, page=self.page + 1)

    @classmethod
    def begun(cls, seed: str | None, random: Fresh) -> Self:
        """The page that was opened."""
        return cls(int(seed or 1))

    @property
    def on_sheet(self) -> tuple[str, ...]:
        """The page."""
        return (f"book {self.page}",)

    @classmethod
    def parse(cls, words: str) -> Self | None:
        """Its name and a page."""
        name, _, page = words.partition(" ")
        return cls(int(page)) if name == "book" and page.isdecimal() else None


SEATS = ("mutant", "human")
'''
"""A mode as somebody adds it, with rolls of an origin of their own."""
IMPORTS = """
from hashlib import sha256
from typing import Annotated
from msgspec import Meta
from msgspec.structs import replace
from referee.engine.dice import Need, Roll
"""
ADDED = {
    "engine/mode.py": [
        ("\nfrom msgspec import Struct\n", f"{IMPORTS}from msgspec import Struct\n"),
        (
            "\nDiceMode = TableDice | OpenDice | PactDice\n",
            f"{BOOK}\n\nDiceMode = TableDice | OpenDice | PactDice | BookDice\n",
        ),
    ],
    "engine/dice.py": [('Origin = Literal["table", ', 'Origin = Literal["book", "table", ')],
}
"""What is changed in which file for it."""


@pytest.fixture(scope="module")
def referee(tmp_path_factory):
    """The program with one mode more, as a command that tells what it has done."""
    folder = tmp_path_factory.mktemp("more")
    copytree(PACKAGE, folder / "tree" / "referee", ignore=ignore_patterns("manual"))
    for name, changes in ADDED.items():
        file = folder / "tree" / "referee" / name
        source = file.read_text("utf-8")
        for old, new in changes:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        file.write_text(source, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder / "tree"), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}

    def say(*words: str) -> str:
        command = [sys.executable, "-m", "referee", *words]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return say


def test_one_more_mode_plays_and_audits_clean(referee):
    begun = referee("new", "manoover", "--dice", "book", "--seed", "17", "-o", "game.jsonl")
    assert "(dice out of a book)" in begun
    referee("do", "throwoff, throw")
    assert referee("audit", "game.jsonl").startswith("CLEAN")


def test_one_more_mode_goes_through_a_sheet(referee):
    referee("new", "manoover", "--dice", "book", "--seed", "17", "-o", "first.jsonl")
    referee("do", "throwoff, throw")
    referee("replay", "--as", "words", "-o", "game.txt")
    referee("new", "--from", "game.txt", "-o", "again.jsonl")
    assert referee("audit", "again.jsonl").startswith("CLEAN")
    first, again = (json.loads(referee("-g", log, "who", "--json")) for log in ("first.jsonl", "again.jsonl"))
    assert first["dice"] == again["dice"] == {"mode": "book", "page": 17}
    assert first["position"] == again["position"]


def test_one_more_mode_throws_in_secret(referee):
    referee("new", "mutants", "--option", "hidden-movement=yes", "--dice", "book", "--seed", "3", "-o", "hidden.jsonl")
    assert referee("audit", "hidden.jsonl").startswith("CLEAN")


def test_one_more_mode_has_dice_that_nobody_types(referee): ...
