"""Dice modes answer for themselves: nobody else asks which one it is, and one more is a class in one file."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import partial
from shutil import copytree, ignore_patterns
from typing import get_args

import pytest
from house import find_questions
from logfiles import forge
from support import PACKAGE

from referee.engine.dice_mode import DICE_MODES, BaseDiceMode, DiceMode

HERE = PACKAGE / "engine" / "dice_mode.py"
KINDS = {kind.__name__ for kind in DICE_MODES.values()}


# Nobody else asks which one it is


def found_in(source: str) -> list[str]:
    """Where code does anything else with a mode than to make one, or to ask it something."""
    if not any(
        word in source for word in (*KINDS, *(quoted for name in DICE_MODES for quoted in (f'"{name}"', f"'{name}'")))
    ):
        return []
    compared = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Compare) and is_of_a_mode(node))
    return [*find_questions(source, KINDS), *map(ast.unparse, compared)]


def is_of_a_mode(node: ast.Compare) -> bool:
    """Whether something that is called dice or mode is held against the name of one."""
    names = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return bool(names & {*DICE_MODES}) and re.search(r"dice|mode", ast.unparse(node)) is not None


def test_nobody_asks_which_mode_it_is():
    found = {
        f"{path.relative_to(PACKAGE)}: {where}"
        for path in PACKAGE.rglob("*.py")
        if path != HERE
        for where in found_in(path.read_text("utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(header.dice, OpenDice)",
        "isinstance(dice, (TableDice, mode.MailDice))",
        "type(dice) is MailDice",
        "WORDS = {TableDice: 'table dice'}",
        "match dice:\n    case OpenDice(seed=seed):\n        pass",
        "from referee.engine.dice_mode import OpenDice as Seeded",
        "header.dice.name == 'open'",
        "header.dice.name in ('open', 'pact')",
        "dice not in (None, 'open')",
    ],
)
def test_whoever_asks_is_seen(code):
    assert found_in(code)


@pytest.mark.parametrize(
    "code", ["MailDice()", "OpenDice.from_seed(None, os.urandom)", "mode.OpenDice(seed)", "header.dice.is_typed"]
)
def test_a_mode_may_be_made_and_asked(code):
    assert not found_in(code)


# Nothing is answered for it


def test_a_mode_that_keeps_silent_is_none():
    with pytest.raises(TypeError, match=r"Silent lacks: .*why_untyped.*is_joint.*source"):

        class Silent(BaseDiceMode, frozen=True, tag="silent"):
            heading_text = "silence"


def test_what_logs_may_say_is_listed():
    assert {*DICE_MODES.values()} == {*get_args(DiceMode)}
    assert all(kind.__struct_config__.tag == name for name, kind in DICE_MODES.items())


# One more

BOOK = '''
class BookSource(SeededSource):
    """Throws out of the book."""

    def draw(self, need: Need) -> Roll:
        """The next throw on the page."""
        return replace(super().draw(need), origin="book")


class BookDice(BaseDiceMode, frozen=True, tag="book"):
    """Dice that were thrown long ago, and are read off a page of a book that all players have."""

    page: Annotated[int, Meta(ge=1, le=999)]
    """The page that the game begins with."""

    heading_text: ClassVar[str] = "dice out of a book"
    why_untyped: ClassVar[str] = "these dice stand in the book; none can be typed in"
    is_foreseeable: ClassVar[bool] = True
    is_joint: ClassVar[bool] = False
    seals_seeds: ClassVar[bool] = False
    seeds: ClassVar[Mapping[str | None, str]] = {}
    draw_error_suffix: ClassVar[str] = " in the book"
    sheet_form: ClassVar[str] = "book with the number of a page"

    def make_dice_source(self, sources: DiceSources) -> Source:
        """The page, and for what a seat throws in secret one of its own."""
        pages = {seat: sha256(f"{self.page} {seat}".encode()).hexdigest() for seat in (None, *SEATS)}
        return BookSource(pages, sources.draws)

    def make_next_mode(self, random: MakeRandomBytes) -> Self:
        """The page after it."""
        return replace(self, page=self.page + 1)

    @classmethod
    def from_seed(cls, seed: str | None, random: MakeRandomBytes) -> Self:
        """The page that was opened."""
        return cls(int(seed or 1))

    @property
    def sheet_lines(self) -> tuple[str, ...]:
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
    "engine/dice_mode.py": [
        ("\nfrom msgspec import Meta, Struct\n", f"{IMPORTS}from msgspec import Meta, Struct\n"),
        (
            "\nDiceMode = TableDice | OpenDice | MailDice\n",
            f"{BOOK}\n\nDiceMode = TableDice | OpenDice | MailDice | BookDice\n",
        ),
        (
            "    find_mode_name(MailDice): MailDice,\n",
            "    find_mode_name(MailDice): MailDice,\n    find_mode_name(BookDice): BookDice,\n",
        ),
    ],
    "engine/dice.py": [('Origin = Literal["table", ', 'Origin = Literal["book", "table", ')],
}
"""What is changed in which file for it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("more")


@pytest.fixture(scope="module")
def changed(folder):
    """Python where the program has one mode more; tells what it has printed."""
    copytree(PACKAGE, folder / "tree" / "referee", ignore=ignore_patterns("manual"))
    for name, changes in ADDED.items():
        file = folder / "tree" / "referee" / name
        source = file.read_text("utf-8")
        for old, new in changes:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        file.write_text(source, "utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder / "tree"), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def referee(changed):
    """The command of that program."""
    return partial(changed, "-m", "referee")


def test_one_more_mode_plays_and_audits_clean(referee):
    begun = referee("new", "manoover", "--dice", "book", "--seed", "17", "-o", "game.jsonl")
    assert "(dice out of a book)" in begun
    referee("do", "throwoff, throw")
    assert referee("audit", "game.jsonl").startswith("CLEAN")


def test_a_bot_plays_with_one_more_mode(referee):
    referee("new", "manoover", "--dice", "book", "--seed", "5", "--bots", "red=steady,blue=steady", "-o", "bots.jsonl")
    assert referee("audit", "bots.jsonl").startswith("CLEAN")


def test_one_more_mode_goes_through_a_sheet(referee):
    referee("new", "manoover", "--dice", "book", "--seed", "17", "-o", "first.jsonl")
    referee("do", "throwoff, throw")
    referee("replay", "--as", "words", "-o", "game.txt")
    referee("new", "--from", "game.txt", "-o", "again.jsonl")
    assert referee("audit", "again.jsonl").startswith("CLEAN")
    first, again = (json.loads(referee("-g", log, "who", "--json")) for log in ("first.jsonl", "again.jsonl"))
    assert first["dice"] == again["dice"] == {"mode": "book", "page": 17}
    assert first["position"] == again["position"]


SECRET = """
from random import Random
from referee.engine.dice_mode import BookDice
from referee.record.archive.audit import audit
from referee.record.table.action_batch import ActionBatch
from referee.record.table.opening_logs import start

session = start("mutants", "hidden.jsonl", options={"hidden-movement": "yes"}, dice=BookDice(3))
random = Random(2)
for _ in range(120):
    session.record(ActionBatch(session.moment(), [session.legal().pick(random)]).said)
rolls = [roll for entry in session.entries for roll in getattr(entry, "known_rolls", ())]
assert {roll.origin for roll in rolls} == {"book"}
assert {roll.to for roll in rolls} > {None}
assert audit("hidden.jsonl").fault is None
"""
"""A game in which a seat throws in secret, played at random."""


def test_one_more_mode_throws_in_secret(changed):
    changed("-c", SECRET)


FOUND = """
from referee.record.archive.audit import audit

print(audit("forged.jsonl").fault.cause)
"""


def test_other_dice_in_a_log_of_one_more_mode_are_found(folder, changed, referee):
    referee("new", "manoover", "--dice", "book", "--seed", "17", "-o", "forged.jsonl")
    referee("do", "throwoff, throw")
    forge(folder / "forged.jsonl", luckier)
    assert re.fullmatch(r"draw 1 in the book shows [1-6] [1-6] [1-6], but 6 6 6 is recorded\n", changed("-c", FOUND))


def luckier(entries):
    entries[2]["rolls"][0]["faces"] = [6, 6, 6]
