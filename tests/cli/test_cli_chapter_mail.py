"""What the chapter on mail types: both blocks, line by line, by two people who have a home and a folder each."""

import re
import shutil
from pathlib import Path

import pytest
from penfriends import Person, seated

import referee

CHAPTER = Path(referee.__file__).parent / "manual" / "mail.md"
LUCK = "the chapter 28"
"""With this luck red goes first in Manoover, and throws what the chapter spends."""
BY_ANNA, BY_BO = range(2)
GAME = [*[BY_ANNA] * 2, *[BY_BO] * 3, *[BY_ANNA] * 5]
"""Who types the lines of the first block. What is packed is on its way to the other at once."""


def typed():
    """The lines of both blocks, without the words behind them."""
    blocks = re.findall(r"^```sh\n(.*?)^```", CHAPTER.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [[line.partition("  #")[0].strip().removeprefix("referee ") for line in b.splitlines()] for b in blocks]


@pytest.fixture
def anna_and_bo(cli, tmp_path, monkeypatch, told):
    return [Person(name, tmp_path, cli, monkeypatch, told, LUCK) for name in ("anna", "bo")]


def says(person, other, line):
    """Type a line at somebody's computer; what is written into a file lies on both at once. Returns the answer."""
    words, _, target = line.partition(" > ")
    answer = person(words)
    assert answer.code == 0, answer.shown
    if target:
        for somebody in (person, other):
            (somebody.folder / target).write_text(answer.out, "utf-8")
    return answer


def test_a_game_as_the_chapter_begins_it(anna_and_bo):
    lines = typed()[0]
    answers = {}
    for who, line in zip(GAME, lines, strict=True):
        answers[line] = says(anna_and_bo[who], anna_and_bo[1 - who], line)
    assert (anna_and_bo[BY_ANNA].folder / "turn.eml").read_bytes().startswith(b"Subject:")
    assert "blue owes a share" in answers["mail"].out
    assert "CLEAN" in answers["audit"].out


def test_a_key_as_the_chapter_keeps_it(anna_and_bo):
    anna, bo = anna_and_bo
    make, words, backup, restore, lost = typed()[1]
    bo.does(make)
    told = bo(words).out
    assert re.search(r"\b[a-z]{5}(-[a-z]{5}){5}\b", told)
    line = bo(backup).out
    shutil.rmtree(bo.home)
    assert bo(restore, stdin=line.encode()).code == 0
    assert bo(words).out == told
    seated(anna, bo)
    shutil.rmtree(bo.home)
    assert "You ask to play on at blue" in bo.does(lost).out
