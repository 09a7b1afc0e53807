"""Games that somebody else has written: found by their entry points, played from the command line and by mail, checked
by types.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from calling import called
from players import played_out, seated
from support import PACKAGE, load_toml
from third_party import EXAMPLES, installed

from referee.engine.registry import find_game
from referee.record.archive.audit import audit
from referee.record.table.sitting import Sitting
from referee.record.table.start import start
from referee.testing import obey

LINES = {"race": 130, "ambush": 190}
"""So many lines of code are enough for each."""
FAULTY = {
    "broken": "import nothing_of_this_name\n",
    "misnamed": "from ambush import Ambush\n\nclass Other(Ambush):\n    name = 'other'\n\nGAME = Other()\n",
    "lawless": (
        "from ambush import Ambush\nfrom referee.engine import Refusal\n\n"
        "class Lawless(Ambush):\n    name = 'lawless'\n\n"
        "    def check(self, view, seat, action):\n"
        "        return (Refusal('7.7', found.because) for found in super().check(view, seat, action))\n\n"
        "GAME = Lawless()\n"
    ),
    "crashing": (
        "from ambush import Ambush\n\n"
        "class Crashing(Ambush):\n    name = 'crashing'\n\n"
        "    def tell(self, event):\n        return event.weather\n\n"
        "GAME = Crashing()\n"
    ),
    "nothing": "GAME = None\n",
    "leaving": "raise SystemExit(0)\n",
    "interrupting": "raise KeyboardInterrupt\n",
    "bare": "from referee.engine import Game\n\nclass Bare(Game):\n    name = 'bare'\n\nGAME = Bare()\n",
}
WRONGLY = {
    "legal": ("return None", "it returns None, not Legal"),
    "status": ("return 3", "it returns int, not str"),
    "check": ("yield 'no'", "it yields str, not a Refusal"),
    "resolve": ("yield 'oh'", "it yields str, not an Event"),
    "tell": ("return None", "it returns None, not str"),
    "to_act": ("return 7", "it returns int, not str or NoneType"),
    "view": ("raise RuntimeError('no view')", "RuntimeError: no view"),
    "setup": ("raise RuntimeError('no board')", "RuntimeError: no board"),
    "draw": ("return 1 / 0", "ZeroDivisionError: division by zero"),
}
"""What each method does wrongly, and what is told of it."""


def install(folder: Path, *games: str) -> Path:
    """A folder that declares games in the way in which pip leaves it."""
    about = folder / "others-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    points = "".join(f"{name} = {name}:GAME\n" for name in games)
    (about / "entry_points.txt").write_text(f"[referee.games]\n{points}")
    return folder


class Done(NamedTuple):
    """What a command has said, and with which code it ended."""

    told: str
    code: int


class Table:
    """The command line in a folder, with games that others have installed."""

    def __init__(self, folder: Path, site: Path) -> None:
        self.folder = folder
        self.site = site
        self.path = [*map(str, EXAMPLES.values()), str(site)]
        self.environment = os.environ | {"PYTHONPATH": os.pathsep.join(self.path), "NO_COLOR": "1"}

    def run(self, *arguments: str, code: int = 0) -> str:
        """What is told here and now."""
        done = self.tried(*arguments)
        assert done.code == code, (arguments, done)
        return done.told

    def tried(self, *arguments: str) -> Done:
        with self._installed():
            done = called(arguments)
        return Done(" ".join((done.out + b" " + done.err).decode().split()), done.code)

    @contextmanager
    def _installed(self) -> Iterator[None]:
        """Games are found, and let go again: the next command reads their code anew, as in a process of its own."""
        importlib.invalidate_caches()
        with (
            contextlib.chdir(self.folder),
            patch.object(sys, "path", [*self.path, *sys.path]),
            patch.dict(os.environ, self.environment),
        ):
            try:
                yield
            finally:
                for name in [*FAULTY, "wrong", "mine"]:
                    sys.modules.pop(name, None)

    def run_apart(self, *arguments: str, code: int = 0) -> str:
        """What is told in a process of its own."""
        command = [sys.executable, "-B", "-m", "referee", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, (arguments, done)
        return " ".join(f"{done.stdout} {done.stderr}".split())


@pytest.fixture
def table(tmp_path):
    site = install(tmp_path / "site", *EXAMPLES, *FAULTY, "wrong")
    for name, code in FAULTY.items():
        (site / f"{name}.py").write_text(code)
    return Table(tmp_path, site)


@pytest.fixture(params=EXAMPLES)
def example(request):
    """The name of a game."""
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
        view = Sitting(session, None).sight.view
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
    assert "hide reef/cave/wreck/palms/lagoon/adrift" in table.run("legal")
    assert "where it drifts" in table.run("do", "hide", "adrift", code=2)
    assert "What only red may know of it: referee log --by red" in table.run("do", "hide", "adrift", "--dice", "reef")
    assert "red: hide adrift [reef] (a secret)" in table.run("log", "--by", "red")
    table.run("do", "hide cave")
    assert "raid Only this can be said: raid reef/cave/wreck/palms/lagoon 1/2/3" in table.run(
        "why", "raid", "reef", "9", code=1
    )
    assert "blue: answer yes Is the chest there? yes. Guards: 3." in table.run("do", "raid", "cave", "2")
    assert "blue is beaten" in table.run("do", "fight", "--dice", "6,2,3,4,5")
    assert "lose gold/pirates" in table.run("legal")
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
    assert "nothing is faulty at nothing:GAME: that is no Game but NoneType" in told
    assert all(f" {name} " in f" {told} " for name in ("ambush", "manoover", "mutants", "lawless"))
    assert "The game broken is faulty at broken.py:1" in table.run("new", "broken", code=3)


def test_a_fault_met_in_play_is_told_with_its_place(table):
    table.run("new", "lawless", "-o", "lawless.jsonl")
    assert "The game lawless is faulty at rules.toml: no rule or ruling is called '7.7'" in table.run(
        "why", "fight", code=3
    )
    table.run("new", "crashing", "-o", "crashing.jsonl")
    told = table.run("do", "hide", "reef", code=3)
    assert "The game crashing is faulty at crashing.py:7: AttributeError: 'Buried' object has no attribute" in told


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
    """Lines that hold code: blank lines, comments and docstrings are none; an import is one, however many names."""
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in empty]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
        if isinstance(node, ast.ImportFrom):
            lines -= set(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    return len(lines)


# Whatever a game raises or returns wrongly


def wrong(table, method, does):
    """A game that is installed and does this in one method."""
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
                    "new wrong -o other.jsonl", "audit wrong.jsonl wrong.jsonl.", "show --json", "replay"):  # fmt: skip
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
    told = table.run("rank", "wrong", "random", "steady", "--pairs", "1", code=3)
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
    assert done.stdout == "wrong wrong.legal it returns None, not Legal\n"


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
    events = race.GAME.events | Listed
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
"""Ways to end that are no answer, and how each is told."""
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
"""Where each may be done, and a command that comes there."""
MODULE = """
from race import Race
import race

def ends():
    {end}

class Thrown(race.Thrown, frozen=True, tag="thrown"):
    def apply(self, state):
        {apply}
        return super().apply(state)

class Wrong(Race):
    name = "wrong"
    events = Thrown | race.Ran | race.Caught | race.Passed
    def resolve(self, view, seat, action, dice):
        for event in super().resolve(view, seat, action, dice):
            yield Thrown(event.seat, event.squares) if isinstance(event, race.Thrown) else event

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
    assert "mine against random" in table.run("rank", "race", "mine", "random", "--pairs", "1", "--jobs", "1")
    assert table.run("new", "race", "-o", "race.jsonl", "--bots", "blue=mine")


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("raise type('Base', (BaseException,), {})", "The bot mine has broken at mine.py:3 (Base)."),
        ("import os; os._exit(0)", "The bot mine has broken at mine.py:3 (SystemExit: 0)."),
        (KILLED, "Mine against random at race cannot be played: the process that played it has died (signal 9)."),
    ],
)
def test_a_bot_that_ends_its_process_while_it_is_ranked_is_told(table, end, told):
    about = table.site / "others-1.0.dist-info" / "entry_points.txt"
    about.write_text(about.read_text() + "[referee.bots]\nmine = mine:Mine\n")
    (table.site / "mine.py").write_text(f"class Mine:\n    def choose(self, seen):\n        {end}\n")
    assert told in table.run("rank", "race", "mine", "random", "--pairs", "1", code=1)


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
