"""README and manual are executed: each `$` line of a console block is run, its output compared, and Python is run."""

from __future__ import annotations

import io
import re
import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

import pytest
from manual_blocks import CHAPTERS, GAMES, MANUAL, README, answer, settled, shown, steps_of
from support import PACKAGE, ROOT

from referee.engine.registry import find_game


def blocks_of(path: Path) -> list[tuple[str, str]]:
    """Returns the blocks of a page, each with its kind."""
    return re.findall(r"^```(\w+)\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


BLOCKS = [block for name in CHAPTERS for block in blocks_of(MANUAL / f"{name}.md")]
SEED = "5265616464652e6d64" + "00" * 23
"""The seed of every game that the README starts without a seed."""


@pytest.fixture
def here(tmp_path):
    with settled(tmp_path):
        yield tmp_path


def compared(blocks: list[tuple[str, str]]) -> None:
    for kind, block in blocks:
        if kind == "console":
            for command, said in steps_of(block):
                assert shown(answer(command), said) == said.rstrip("\n") + "\n" * bool(said.strip()), command


def test_the_readme_says_what_happens(here):
    compared(blocks_of(README))


def test_the_manual_says_what_happens(here):
    compared(BLOCKS)


@pytest.mark.parametrize("name", GAMES)
def test_the_chapter_of_a_game_says_what_happens(here, name):
    compared(blocks_of(MANUAL / f"{name}.md"))


@pytest.mark.parametrize("name", GAMES)
def test_the_chapter_of_a_game_says_what_the_game_says(name):
    sys.path.insert(0, str(ROOT / "tests" / "scripts"))
    from make_manual import with_tables

    text = (MANUAL / f"{name}.md").read_text("utf-8")
    assert with_tables(find_game(name), text) == text


@pytest.mark.parametrize("name", GAMES)
def test_the_chapter_of_a_game_tells_what_is_reconstructed(here, name):
    board = " ".join(answer(f"referee new {name} --dice table").split())
    parts = [
        part for note in re.findall(r": reconstruction: ([^.]+)\.", board) for part in re.split("[,;] (?:and )?", note)
    ]
    told = " ".join((MANUAL / f"{name}.md").read_text("utf-8").partition("## Reconstructed")[2].split())
    assert parts
    assert [part for part in parts if part.lower() not in told.lower()] == []


def test_python_of_the_manual(here):
    names, out = {}, io.StringIO()
    for code in (block for kind, block in BLOCKS if kind == "python"):
        assert len(code.strip().splitlines()) <= 10
        with redirect_stdout(out):
            exec(compile(code, "python.md", "exec"), names)
    assert "game.jsonl True None" in out.getvalue()
    assert "None\n" in out.getvalue()


def test_the_chain_is_checked_by_the_lines_that_stand_there(here):
    lines = (ROOT / "logs" / "sample-robot-attack.jsonl").read_bytes()
    ((_, code),) = [block for block in blocks_of(MANUAL / "format.md") if block[0] == "python"]
    for changed, whole in ((lines, True), (lines.replace(b'"n":7,', b'"n":8,', 1), False)):
        Path("game.jsonl").write_bytes(changed)
        with nullcontext() if whole else pytest.raises(AssertionError):
            exec(compile(code, "format.md", "exec"), {})


def test_what_is_shown_of_a_game_stands_in_the_example():
    race = (ROOT / "examples" / "race" / "race" / "__init__.py").read_text("utf-8")
    assert [code for kind, code in blocks_of(MANUAL / "writing.md") if kind == "python" and code not in race] == []


def test_what_is_typed_in_the_chapter_of_secrets_is_understood(here):
    for block in (block for kind, block in blocks_of(MANUAL / "secrets.md") if kind == "sh"):
        answers = [answer(line.partition("  #")[0]) for line in block.splitlines()]
        assert not any(re.search(r"\[exit (?!1\])", said) for said in answers)


def test_a_position_of_the_manual_can_be_played_on(here):
    ((_, position),) = [block for block in blocks_of(MANUAL / "table.md") if block[0] == "toml"]
    Path("middle.toml").write_text(position, "utf-8")
    assert "[exit" not in answer("referee new manoover --from middle.toml --dice table")


def test_all_that_a_shell_is_given_is_tried_somewhere():
    """The README by `.ci/run`, secrets above, mail in `test_cli_chapter_mail.py`, sharing in
    `test_cli_sharing.py`, dice in `test_by_hand.py`."""
    pages = [README, *MANUAL.glob("*.md")]
    found = {page.stem for page in pages if any(kind == "sh" for kind, _ in blocks_of(page))}
    assert found == {"README", "secrets", "mail", "dice", "sharing"}


def leads_somewhere(page: Path, link: str) -> bool:
    if page == README and link.startswith("referee/"):  # the package may lie elsewhere than the README
        return (PACKAGE.parent / link).exists()
    return (page.parent / link).exists()


def test_every_link_leads_somewhere():
    pages = [README, *MANUAL.glob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))]
    assert [f"{page.name}: {link}" for page, link in links if not leads_somewhere(page, link)] == []


def test_every_chapter_is_told_of_in_the_readme():
    assert [page.stem for page in MANUAL.glob("*.md") if f"manual/{page.name}" not in README.read_text("utf-8")] == []


def test_the_readme_is_a_page():
    assert len(README.read_text("utf-8").splitlines()) <= 115


def test_the_two_commands_are_the_ones_that_the_checks_run():
    commands = [block.strip() for kind, block in blocks_of(README) if kind == "sh"][:2]
    assert commands == [
        'python3 -m venv .venv && . .venv/bin/activate && pip install -q -e ".[test]" && referee demo',
        ".venv/bin/pytest",
    ]
    assert sys.version_info >= (3, 11)


def test_every_script_is_told_of():
    folder = ROOT / "tests" / "scripts"
    told = (folder / "README.md").read_text("utf-8")
    assert [path.name for path in sorted(folder.glob("*.py")) if f"`{path.name}`" not in told] == []


def test_the_picture_is_the_one_the_script_draws(tmp_path):
    sys.path.insert(0, str(ROOT / "tests" / "scripts"))
    from make_picture import draw

    draw(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text("utf-8") == (ROOT / "logs" / "board.svg").read_text("utf-8")


def test_the_dispute_at_the_beginning_is_told_in_the_words_of_the_referee():
    text = README.read_text("utf-8")
    dispute = re.findall(r"^\|.*?\|.*$", text.partition("![")[0], re.MULTILINE)
    quoted = [code for row in dispute for code in re.findall(r"`(.*?)`", row)]
    outputs = "".join(block for kind, block in blocks_of(README) if kind == "console")
    assert len(quoted) == 4
    assert [code for code in quoted if code not in outputs] == []
