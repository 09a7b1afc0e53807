"""Games and bots of others that are wrong: each is told as its own fault, with its place, and stops nothing else."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from calling import called
from table_of_others import table_in
from third_party import EXAMPLES

from referee.engine.registry import find_game
from referee.testing import obey

WRONGLY = {
    "legal": ("return None", "it returns None, not LegalActions"),
    "status": ("return 3", "it returns int, not str"),
    "check": ("yield 'no'", "it yields str, not a Refusal"),
    "resolve": ("yield 'oh'", "it yields str, not an Event"),
    "tell": ("return None", "it returns None, not str"),
    "to_act": ("return 7", "it returns int, not str or NoneType"),
    "view": ("raise RuntimeError('no view')", "RuntimeError: no view"),
    "setup": ("raise RuntimeError('no board')", "RuntimeError: no board"),
    "draw": ("return 1 / 0", "ZeroDivisionError: division by zero"),
}
"""The mistakes of each method, with the referee's message."""


@pytest.fixture
def table(tmp_path):
    return table_in(tmp_path)


# Whatever a game raises or returns wrongly


def wrong(table, method, does):
    """Installs a game with this code in place of one of its methods."""
    yields = "self, *given" if "yield" in does else "self, *given, **named"
    code = (
        "from race import Race\n\n"
        f"class Wrong(Race):\n    name = 'wrong'\n\n    def {method}({yields}):\n        {does}\n\nGAME = Wrong()\n"
    )
    (table.site / "wrong.py").write_text(code)
    return table


@pytest.mark.parametrize("method", WRONGLY)
def test_what_a_game_does_wrongly_is_its_own_fault_in_every_command(table, method):
    """On a log that was begun while it still did all as it should."""
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl", "--seats", "Anna,Bo")
    table.run("do", "throw")
    does, told = WRONGLY[method]
    wrong(table, method, does)
    met = 0
    for command in ("show", "legal", "do throw", "why throw", "audit", "diff wrong.jsonl wrong.jsonl", "log", "games",
                    "new wrong -o other.jsonl", "audit wrong.jsonl wrong.jsonl.",
                    "show --json", "log --full"):  # fmt: skip
        done = table.tried(*command.split())
        assert "bug in the referee" not in done.told, (command, done)
        assert done.code != 70, (command, done)
        if "he game wrong is faulty at" in done.told:
            assert told in done.told, (command, done)
            met += 1
    assert met


@pytest.mark.parametrize("method", ["worth", "legal", "view", "outcome"])
def test_what_a_game_does_wrongly_where_bots_are_ranked_is_told_as_its_own(table, method):
    """Other processes play those games."""
    wrong(table, method, "raise RuntimeError('no idea')")
    told = table.run("bots", "rank", "wrong", "random", "steady", "--pairs", "1", code=3)
    assert told.startswith("The game wrong is faulty at wrong.py:7: RuntimeError: no idea")


def test_every_bot_plays_a_game_without_secrets_and_the_laws_hold_as_it_is_found(table):
    assert "strong against random" in table.run(
        "rank", "race", "random", "strong", "--pairs", "1", "--playouts", "8", "--jobs", "1"
    ).replace("random against strong", "strong against random")
    with table._installed():
        for name in EXAMPLES:
            obey(find_game(name))


def test_what_a_game_does_wrongly_is_told_from_python(table):
    wrong(table, "legal", "return None")
    script = (
        "import referee\n"
        "game = referee.start('wrong', 'python.jsonl')\n"
        "try:\n    game.legal()\nexcept referee.GameError as error:\n    print(error.name, error.place, error.what)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=table.folder,
        env=table.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "wrong wrong.legal it returns None, not LegalActions\n"


def test_one_bad_entry_point_stops_no_list_and_no_other_game(table):
    points = table.site / "others-1.0.dist-info" / "entry_points.txt"
    points.write_text(points.read_text() + "Bad Name = ambush:GAME\n../up = ambush:GAME\n")
    told = table.run_apart("games")
    assert told == table.run("games")
    for name in ("Bad Name", "../up", "leaving", "interrupting", "bare", "broken"):
        assert f"{name} is faulty at" in told
    assert "leaving is faulty at leaving.py:1: SystemExit: 0" in told
    assert all(f" {name} " in f" {told} " for name in ("ambush", "race", "manoover", "mutants"))
    assert "The game leaving is faulty at leaving.py:1" in table.run("new", "leaving", code=3)
    table.run("new", "race", "-o", "race.jsonl")


UNREADABLE = """
from race import Race, GAME as OLD
from referee.engine import Event
import race

class Listed(Event, frozen=True, tag="listed"):
    told = "Listed."
    what: tuple[str, ...]
    def apply(self, state):
        return state

class Wrong(Race):
    name = "wrong"
    event_types = race.GAME.event_types | Listed
    def resolve(self, view, seat, action, dice):
        yield Listed(["a", "list"])
        yield from super().resolve(view, seat, action, dice)

GAME = Wrong()
"""


def test_an_event_that_does_not_read_back_is_found_before_anything_is_recorded(table):
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl")
    (table.site / "wrong.py").write_text(UNREADABLE)
    before = (table.folder / "wrong.jsonl").read_bytes()
    told = table.run("do", "throw", code=3)
    assert "The game wrong is faulty at Listed: the event does not read back as it was written" in told
    assert (table.folder / "wrong.jsonl").read_bytes() == before


def test_what_cannot_be_told_is_not_recorded(table):
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl")
    wrong(table, "tell", "raise RuntimeError('no words')")
    before = (table.folder / "wrong.jsonl").read_bytes()
    told = table.run("do", "throw", code=3)
    assert told.startswith("The game wrong is faulty at wrong.py:7: RuntimeError: no words")
    assert (table.folder / "wrong.jsonl").read_bytes() == before


KILLED = "import os; os.kill(os.getpid(), 9)"
LEFT = {
    "import os; os._exit(0)": "SystemExit: 0",
    "raise SystemExit": "SystemExit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise GeneratorExit('gone')": "GeneratorExit: gone",
    "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})": "Mute",
    "raise type('Base', (BaseException,), {})('a line\\nand another')": "Base: a line and another",
}
"""Ways to end without an answer, each with the referee's message."""
PLACES = {
    "setup": "new wrong -o other.jsonl",
    "legal": "legal",
    "check": "why throw",
    "resolve": "do throw",
    "view": "show",
    "read": "do throw",
    "draw": "show",
    "options": "games wrong",
}
"""The methods in which that may happen, each with a command that calls them."""
MODULE = """
from race import Race
import race

def ends():
    {end}

class DieThrown(race.DieThrown, frozen=True, tag="thrown"):
    def apply(self, state):
        {apply}
        return super().apply(state)

class Wrong(Race):
    name = "wrong"
    event_types = DieThrown | race.RunnerMoved | race.RunnerCaught | race.TurnPassed
    def resolve(self, view, seat, action, dice):
        for event in super().resolve(view, seat, action, dice):
            yield DieThrown(event.seat, event.squares) if isinstance(event, race.DieThrown) else event

{module}
GAME = Wrong()
"""


@pytest.mark.parametrize("end", LEFT)
@pytest.mark.parametrize("method", PLACES)
def test_a_game_that_ends_otherwise_than_by_an_answer_is_told_with_its_place(table, method, end):
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl")
    wrong(table, method, end)
    if method == "options":
        source = table.site / "wrong.py"
        source.write_text(source.read_text().replace("    def options", "    @property\n    def options"))
    done = table.tried(*PLACES[method].split())
    assert done.code == 3, done
    assert re.search(rf"he game wrong is faulty at wrong.py:\d: {LEFT[end]}( |\.|$)", done.told), done


@pytest.mark.parametrize("end", LEFT)
def test_an_event_that_ends_otherwise_than_by_an_answer_is_told(table, end):
    source = table.site / "wrong.py"
    source.write_text(MODULE.format(end=end, apply="pass", module=""))
    table.run("new", "wrong", "-o", "wrong.jsonl")
    source.write_text(MODULE.format(end=end, apply="ends()", module=""))
    done = table.tried("do", "throw")
    assert done.code == 3, done
    assert f"he game wrong is faulty at wrong.py:6: {LEFT[end]}" in done.told


@pytest.mark.parametrize("end", LEFT)
def test_a_game_that_ends_as_it_is_imported_is_told(table, end):
    (table.site / "wrong.py").write_text(MODULE.format(end=end, apply="pass", module="ends()"))
    assert f"wrong is faulty at wrong.py:6: {LEFT[end]}" in table.run("games")
    assert f"The game wrong is faulty at wrong.py:6: {LEFT[end]}" in table.run("new", "wrong", code=3)


def test_what_a_game_prints_is_no_part_of_an_answer(table):
    source = MODULE.format(end="pass", apply="print('chatter')", module="print('chatter')")
    (table.site / "wrong.py").write_text(source.replace("in super().resolve", "in print('chatter') or super().resolve"))
    for command in ("games", "new wrong -o wrong.jsonl", "do throw", "legal", "audit"):
        with table._installed():
            done = called(("--json", *command.split()))
        assert json.loads(done.out), command
        assert b"chatter" in done.err


def test_metadata_that_cannot_be_read_hides_no_game_and_no_bot(table):
    bad = table.site / "bad-1.0.dist-info"
    bad.mkdir()
    (bad / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (bad / "entry_points.txt").write_bytes(b"[referee.games]\nx = \xff\xfe\n[[[")
    about = table.site / "others-1.0.dist-info" / "entry_points.txt"
    about.write_text(about.read_text() + "[referee.bots]\nmine = mine:Mine\n")
    (table.site / "mine.py").write_text(
        "print('hello')\nclass Mine:\n    def choose(self, seen):\n        return next(iter(seen.legal))\n"
    )
    assert "ambush Ambush" in table.run("games")
    assert "mine against random" in table.run("bots", "rank", "race", "mine", "random", "--pairs", "1", "--jobs", "1")
    assert table.run("new", "race", "-o", "race.jsonl", "--bots", "blue=mine")


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("raise type('Base', (BaseException,), {})", "the bot mine from others 1.0 has failed at mine.py:3 (Base)."),
        ("import os; os._exit(0)", "the bot mine from others 1.0 has failed at mine.py:3 (SystemExit: 0)."),
        (KILLED, "the bot mine from others 1.0 has failed at mine:Mine (its process has ended: signal 9)."),
    ],
)
def test_a_bot_that_ends_its_process_while_it_is_ranked_is_told(table, end, told):
    about = table.site / "others-1.0.dist-info" / "entry_points.txt"
    about.write_text(about.read_text() + "[referee.bots]\nmine = mine:Mine\n")
    (table.site / "mine.py").write_text(f"class Mine:\n    def choose(self, seen):\n        {end}\n")
    assert told in table.run("bots", "rank", "race", "mine", "random", "--pairs", "1", code=1)


@pytest.mark.parametrize("jobs", [[], ["-j", "1"]])
def test_a_log_that_kills_its_judge_is_told_and_stops_nothing(table, jobs):
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl")
    table.run("do", "throw")
    for name in ("a", "z"):
        table.run("new", "manoover", "-o", f"{name}.jsonl")
    wrong(table, "resolve", KILLED)
    told = table.run_apart("audit", *jobs, "a.jsonl", "wrong.jsonl", "z.jsonl", code=3)
    assert "UNREADABLE wrong.jsonl: the process that judged it has died" in told
    assert "3 logs: 2 clean, 1 that could not be read." in told


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("jobs", [[], ["-j", "1"]])
def test_ctrl_c_beside_a_log_that_never_ends_names_what_was_not_judged(table, jobs):
    wrong(table, "extra", "return None")
    table.run("new", "wrong", "-o", "wrong.jsonl")
    table.run("do", "throw")
    for name in ("a", "z"):
        table.run("new", "manoover", "-o", f"{name}.jsonl")
    wrong(table, "resolve", "while True: open('at it', 'w').close()")
    command = [sys.executable, "-B", "-m", "referee", "audit", *jobs, "wrong.jsonl", "z.jsonl", "a.jsonl"]
    with subprocess.Popen(
        command, cwd=table.folder, env=table.environment, stdout=subprocess.PIPE, text=True
    ) as running:
        while not (table.folder / "at it").exists():
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        told = " ".join(running.stdout.read().split())
    assert running.returncode == 130
    assert "STOPPED after 0 logs: 3 not judged yet." in told
    assert "Not judged yet: wrong.jsonl, z.jsonl and a.jsonl" in told
