"""Games that somebody else has written: found by their entry points, played from the command line and by mail, checked
by types.
"""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
import tokenize
from random import Random

import pytest
from players import played_out, seated
from support import PACKAGE, load_toml
from table_of_others import table_in
from third_party import EXAMPLES, installed

from referee.record.archive.audit import audit
from referee.record.table.opening_logs import start
from referee.record.table.seat_view import SeatView

LINES = {"race": 130, "ambush": 190}
"""The most lines of code that each game may need."""


@pytest.fixture
def table(tmp_path):
    return table_in(tmp_path)


@pytest.fixture(params=EXAMPLES)
def example(request):
    """The name of an example game."""
    return request.param


def test_its_entry_point_is_the_one_that_it_declares(example):
    points = load_toml(EXAMPLES[example] / "pyproject.toml")["project"]["entry-points"]["referee.games"]
    assert points == {example: f"{example}:GAME"}


def test_a_first_game_is_played_from_the_command_line(table):
    assert "race Race" in table.run_apart("games")
    table.run("new", "race", "-o", "race.jsonl", "--dice", "table")
    assert "red may run 3. " in table.run("do", "throw", "--dice", "3")  # and only one square to run from
    assert "Blue has to throw now" in table.run("why", "run 0", code=1)
    table.run("do", "throw", "--dice", "1")
    table.run("do", "throw", "--dice", "2")
    assert "run 0/3" in table.run("legal")
    assert "Red has no runner on 4" in table.run("do", "run 4", code=1)
    assert "Move red's runner from 3 to 5." in table.run("do", "run 3")
    assert "red 2....1..... blue 21........." in table.run("show")
    assert "CLEAN" in table.run("audit")


def test_a_game_in_plain_view_that_is_installed_is_guessed_as_it_is_seen(tmp_path):
    with installed("race"):
        session = start("race", tmp_path / "race.jsonl")
        view = SeatView(session, None).sight.view
        assert session.game.guess(view, "red", Random(1)) is view


def test_it_goes_by_mail(example, tmp_path):
    with installed(example):
        players = seated(tmp_path, "red", "blue", game=example)
        played_out(players, Random(1))
        assert players[0].hashes == players[1].hashes
        report = audit(players[0].log)
    assert (report.fault, report.outcome is not None) == (None, True)


def test_a_game_with_secrets_is_played_from_the_command_line(table):
    assert "ambush Ambush" in table.run_apart("games")
    assert "ambush.jsonl.red.vault" in table.run(
        "new", "ambush", "-o", "ambush.jsonl", "--dice", "table", "--option", "nights=6"
    )
    assert "hide reef/cave/wreck/palms/lagoon/adrift" in table.run("legal", "--by", "red")
    assert "where it drifts" in table.run("do", "hide", "adrift", code=2)
    assert "Only red may see all that happened: referee log --by red" in table.run(
        "do", "hide", "adrift", "--dice", "reef"
    )
    assert "red: hide adrift [reef] (a secret)" in table.run("log", "--by", "red")
    table.run("do", "hide cave")
    assert "raid The only choice here is: raid reef/cave/wreck/palms/lagoon 1/2/3" in table.run(
        "why", "raid", "reef", "9", code=1
    )
    assert "blue: answer yes Is the chest there? yes. Guards: 3." in table.run("do", "raid", "cave", "2")
    assert "blue is beaten" in table.run("do", "fight", "--dice", "6,2,3,4,5")
    assert "lose gold/pirates" in table.run("legal", "--by", "blue")
    assert "Take away one of blue's gold." in table.run("do", "lose gold")
    assert "gold 3 : 2" in table.run("show")
    assert "reef red" in table.run("show", "--by", "red")
    assert "red" not in table.run("show").partition("3 : 3")[2]
    assert "gold: back to 3 3, from 3 2" in table.run("undo")
    assert "gold 3 : 3" in table.run("show", "--as", "words")
    assert "CLEAN" in table.run("audit")


def test_without_the_other_vault_one_still_plays(table):
    table.run("new", "ambush", "-o", "ambush.jsonl")
    table.run("do", "hide reef")
    (table.folder / "ambush.jsonl.red.vault").rename(table.folder / "elsewhere")
    table.run("do", "hide cave")
    assert "red is to raid" in table.run("show")
    assert "red" in table.run("audit")


def test_a_faulty_game_is_told_as_its_own_fault(table):
    told = table.run("games")
    assert "broken is faulty at broken.py:1: ModuleNotFoundError: No module named 'nothing_of_this_name'" in told
    assert "misnamed is faulty at misnamed:GAME: its entry point and its name differ: it calls itself 'other'" in told
    assert "nothing is faulty at nothing:GAME: it is of type NoneType, not a Game" in told
    assert all(f" {name} " in f" {told} " for name in ("ambush", "manoover", "mutants", "lawless"))
    assert "The game broken is faulty at broken.py:1" in table.run("new", "broken", code=3)


def test_a_fault_met_in_play_is_told_with_its_place(table):
    table.run("new", "lawless", "-o", "lawless.jsonl")
    assert "The game lawless is faulty at rules.toml: no rule or ruling is called '7.7'" in table.run(
        "why", "fight", code=3
    )
    table.run("new", "crashing", "-o", "crashing.jsonl")
    told = table.run("do", "hide", "reef", code=3)
    assert "The game crashing is faulty at crashing.py:7: AttributeError: 'ChestHidden' object has no attribute" in told


def test_a_faulty_game_keeps_nobody_from_playing_others(table):
    table.run("new", "manoover", "-o", "friday.jsonl")
    assert "did you mean 'ambush'" in table.run("new", "ambus", code=2)
    assert json.loads(table.run("--json", "games"))


def test_it_is_checked_by_types_from_outside(example, tmp_path):
    """As pip leaves them: packages in a folder of site-packages, whose types count only with a `py.typed`."""
    assert (PACKAGE / "py.typed").read_bytes() == b""
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        "mypy.ini",
        "--cache-dir",
        "cache",
        str(EXAMPLES[example] / example),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_is_short(example):
    files = (EXAMPLES[example] / example).glob("*.py")
    assert sum(lines_of(path.read_text("utf-8")) for path in files) <= LINES[example]


def lines_of(source: str) -> int:
    """Returns the number of lines with code.

    Blank lines, comments and docstrings do not count, and an import counts as one.
    """
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in empty]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.ImportFrom):
            lines -= set(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    return len(lines)
