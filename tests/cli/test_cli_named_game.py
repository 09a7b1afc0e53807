"""A law over all commands: what an answer proposes to type acts on the game that the answer speaks of.

Each command is typed about one game while another one is current. Whatever it then proposes names the first game, or
is a command that acts on no game; and when it is typed as it stands, the other game is neither told nor changed.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from twins import lines_for

from referee.cli.log_option import COMMANDS_WITHOUT_GAME
from referee.engine.registry import find_game
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

BEFORE = r"(?:Next|[Tt]o [a-z ]+|type|The rule|To choose): (?:if you are [^:]+: )?"
PROPOSED = re.compile(BEFORE + r"referee (.+?)(?=   |; |,? or |, which|\.?$)")
"""A command that an answer proposes."""
WIDE = 1000
"""Columns in which no proposal is wrapped."""
FILLED = {"FACES": "1", "LOG": "meant.jsonl", "N": "1", "FILE": "out.txt", "NAME": "x", "SEAT": "red"}
"""What is typed for a word that stands for others."""


@pytest.fixture
def folder(cli, place):
    """A folder in which a game of Zombies is current, and another game, Manoover, which is not."""
    assert cli("new zombies --option players=2 --dice table --seats Zed,Zoe -o current.jsonl").code == 0
    assert cli("new manoover --dice table --seats Anna,Bo -o meant.jsonl").code == 0
    for line in ("roll 5 2", "roll 2 2 6"):
        assert cli("-g", "meant.jsonl", *line.split()).code == 0
    assert cli("use current.jsonl").code == 0
    return place


def proposals(answer):
    """The commands that an answer proposes, as they are to be typed."""
    for row in f"{answer.out}\n{answer.err}".splitlines():
        yield from PROPOSED.findall(row)


def is_about(command, log):
    """True if a command names this log, or acts on no game that is current."""
    words = shlex.split(command)
    return str(log) in words or words[0] in {*COMMANDS_WITHOUT_GAME, "help"}


def test_what_is_proposed_about_a_game_that_is_not_current_names_it(cli, folder):
    log = Path("meant.jsonl")
    found, kept = {}, {path: path.read_bytes() for path in (log, Path("current.jsonl"))}
    look = SeatView(open_log(log), "red")
    for line in lines_for(find_game("manoover"), look, "red"):
        if "--json" in line or line.startswith(("use", "branch")):  # these make another game current
            continue
        words = line.replace("g.jsonl", str(log))
        for command in proposals(cli(f"-g {log} {words}", width=WIDE)):
            found.setdefault(command, words)
        for path, data in kept.items():
            path.write_bytes(data)
            path.with_name(f"{path.name}.head").unlink(missing_ok=True)
        cli("use current.jsonl")
    assert len(found) > 20
    assert {command: words for command, words in found.items() if not is_about(command, log)} == {}


def test_what_is_proposed_about_a_game_that_is_named_otherwise_names_it(cli, folder):
    log = Path("meant.jsonl")
    shutil.copy(log, "meant (1).jsonl")
    said = ("use", "diff meant.jsonl current.jsonl", "audit meant.jsonl", "branch again", "mail meant.jsonl", "stats .")
    found = [command for words in said for command in proposals(cli(words, width=WIDE))]
    assert [command for command in found if "meant" in command and not is_about(command, log)] == []


def test_a_new_game_below_a_current_one_is_the_one_that_is_proposed(cli, folder, monkeypatch):
    below = folder / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    told = cli("new manoover --dice table --seats Anna,Bo -o other.jsonl", width=WIDE)
    commands = [*proposals(told)]
    assert commands
    for command in commands:
        filled = " ".join(FILLED.get(word, word) for word in shlex.split(command))
        assert "zombies" not in cli(*filled.split()).out.lower()


def test_a_game_that_comes_by_mail_is_the_one_that_is_proposed(pair):
    anna, bo = pair
    bo.does("new zombies --option players=2 --dice table --seats Zed,Zoe -o current.jsonl")
    anna.does("new manoover --mail red --seats Anna,Bo")
    below = bo.folder / "below"
    below.mkdir()
    bo.folder = below
    told = bo.gets(anna.mails())
    (command,) = {command for command in proposals(told) if "join" in command}
    joined = bo(*shlex.split(command.replace("SEAT", "blue")))
    assert joined.code == 0, joined.shown
    assert "zombies" not in joined.out.lower()
