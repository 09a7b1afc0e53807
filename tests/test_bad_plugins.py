"""Modules of games and bots of others that leave, die, print or cannot spell their error: each becomes a sentence."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys

import pytest
from calling import called
from third_party import EXAMPLES

from referee.bots import foreign_bot
from referee.bots.bot_messages import ChosenAction, encode_action, frame_message

GOOD = {
    "games": "from race import Race\nclass Mine(Race):\n    name = 'mine'\nGAME = Mine()\n",
    "bots": "class Mine:\n    def choose(self, seen):\n        {does}\n        return next(iter(seen.legal))\n",
}
POINT = {"games": "GAME", "bots": "Mine"}
LINES = {
    "games": (["games"], ["new", "mine", "-o", "m.jsonl"]),
    "bots": (
        ["new", "manoover", "--bots", "blue=mine", "--option", "first=blue", "-o", "m.jsonl"],
        ["rank", "manoover", "mine", "random", "--pairs", "1", "--jobs", "1"],
    ),
}
"""The commands that load the module. The first of those for games lists all other games, too."""
ENDS = {
    "leaves": ("import sys; sys.exit(0)", "SystemExit: 0"),
    "ends its process": ("import os; os._exit(0)", "SystemExit: 0"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "goes": ("raise GeneratorExit", "GeneratorExit"),
    "stops": ("raise StopIteration", "StopIteration"),
    "breaks": ("raise RuntimeError('out of ideas')", "RuntimeError: out of ideas"),
    "is no kind of Exception": ("raise type('Base', (BaseException,), {})", "Base"),
    "has no memory": ("raise MemoryError", "MemoryError"),
    "has no file": ("raise OSError(2, 'gone', '/none')", "FileNotFoundError: [Errno 2] gone: '/none'"),
    "never comes back": ("f = lambda: f(); f()", "RecursionError: "),
    "fails in many ways": ("raise ExceptionGroup('many', [ValueError(1)])", "ExceptionGroup: many (1 sub-exception)"),
    "cannot spell its error": ("raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})", "E"),
    "leaves while it spells it": (
        "raise type('E', (Exception,), {'__str__': lambda self: __import__('sys').exit(0)})",
        "E",
    ),
    "spells it as a number": ("raise type('E', (Exception,), {'__str__': lambda self: 3})", "E"),
    "has an error of two lines": ("raise ValueError('a\\nCLEAN  b')", "ValueError: a CLEAN b"),
    "has a class of two lines": ("raise type('A\\nB', (Exception,), {})", "A B"),
    "has colours": ("raise ValueError('\\x1b[31mred')", "ValueError: \\u{1b}[31mred"),
    "has an error that is no text": ("raise ValueError('\\udcff')", "ValueError: \\u{dcff}"),
}
"""Ways in which a module ends while it is loaded, each with the referee's message."""
WRITTEN = {
    "is no Python": (b"def f(:\n", "SyntaxError"),
    "is no text": (b"x = '\xff'\n", "SyntaxError"),
    "has no such name": (b"x = 1\n", "AttributeError: module 'mine' has no attribute"),
    "leaves when it is asked for a name": (b"def __getattr__(name):\n    raise SystemExit(0)\n", "SystemExit: 0"),
    "lacks another": (b"import nothing_of_this_name\n", "ModuleNotFoundError"),
}
NOISE = {
    "prints": "print('chatter')",
    "prints to the first stream": "import sys; sys.__stdout__.write('chatter')",
    "writes below Python": "import os; os.write(1, b'chatter')",
    "calls a program that prints": "import subprocess; subprocess.run(['echo', 'chatter'])",
    "closes the streams": "import sys; sys.stdout.close(); sys.stderr.close()",
    "takes the streams away": "import sys; sys.stdout = sys.stderr = sys.__stdout__ = None",
    "closes the first file": "import os; os.close(1)",
    "changes the folder": "import os; os.chdir('/')",
    "hears Ctrl-C": "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)",
}
"""Things that a module does before the rest of its code."""
PIPES = """import os, contextlib
        for pipe in range(3, 64):
            with contextlib.suppress(OSError): os.write(pipe, {data!r})"""
FORGED = frame_message(ChosenAction(encode_action({"type": "go", "robot": "seven"}), None))
ROUGH = {
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "at mine:Mine (its process has ended: signal 9)"),
    "stops itself": ("import os; os.kill(os.getpid(), 19)", "at mine:Mine (it has not answered for 1"),
    "sets an alarm": ("import signal, time; signal.alarm(1); time.sleep(60)", "(its process has ended: signal 14)"),
    "leaves below Python": ("import ctypes; ctypes.CDLL(None)._exit(7)", "(its process has ended: exit 7)"),
    "reads where nothing is": ("import ctypes; ctypes.string_at(0)", "(its process has ended: signal 11)"),
    "sleeps for ever": ("import time; time.sleep(1e6)", "at mine:Mine (it has not answered for 1"),
    "works for ever": ("while True: pass", "at mine:Mine (it has not answered for 1"),
    "waits for its input": ("raise ValueError(repr(open(0).read()))", "at mine.py:3 (ValueError: '')"),
    "takes four gigabytes": ("x = bytearray(4 << 30)", "at mine.py:3 (MemoryError)"),
    "takes all memory": ("x = []\n        while True: x.append(bytearray(1 << 20))", "has failed at "),
    "prints a gigabyte": (
        "while True: print('chatter' * 1000)",
        "at mine:Mine (it has written more than 1,000,000 bytes)",
    ),
    "writes a gigabyte below Python": (
        "import os\n        while True: os.write(1, bytes(1 << 16))",
        "at mine:Mine (it has written more than 1,000,000 bytes)",
    ),
    "closes its pipes": ("import os, time; os.closerange(0, 256); time.sleep(60)", "at mine:Mine (it"),
    "closes its pipes and goes on": ("import os; os.closerange(0, 256)", "at mine:Mine (it"),
    "answers with noise": (PIPES.format(data=b"\0\0\0\4\xff\xff\xff\xff"), "(its answer cannot be read)"),
    "answers at great length": (PIPES.format(data=b"\xff" * 9), "(its answer cannot be read)"),
    "answers with part of an action": (PIPES.format(data=FORGED), "(its answer cannot be read)"),
    "chooses an action of another game": (
        "from race import ThrowDie; return ThrowDie()",
        "has chosen something that is not an action: ThrowDie()",
    ),
    "chooses ten million things": (
        "return list(range(10_000_000))",
        "has chosen something that is not an action: [0, 1, 2, 3, 4, 5, ...]",
    ),
    "chooses something of its own": (
        "kind = type(seen.game.parse('done', seen.view, seen.seat)); return type('Own', (kind,), {}, tag='own')()",
        "has chosen something that is not an action: Own()",
    ),
}
"""Things that a bot does when it chooses, each with the referee's message.

No guard in the same process could stop them.
"""
both = pytest.mark.parametrize("kind", GOOD)


@pytest.fixture
def tell(tmp_path, monkeypatch):
    """Runs the program where this module is declared as a game or a bot: `tell("bots", b"...", *words)`."""
    about = tmp_path / "site" / "o-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: o\nVersion: 1.0\n")
    monkeypatch.setattr(sys, "path", [str(about.parent), str(EXAMPLES["race"]), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")

    def call(kind, source, *words):
        (about / "entry_points.txt").write_text(f"[referee.{kind}]\nmine = mine:{POINT[kind]}\n")
        (about.parent / "mine.py").write_bytes(source)
        sys.modules.pop("mine", None)
        importlib.invalidate_caches()
        for left in tmp_path.glob("m.jsonl*"):
            left.unlink()
        return called(words)

    yield call
    sys.modules.pop("mine", None)


def check_told(tell, kind, source, told, place="mine.py:"):
    """Checks that each line says in one sentence which plug-in is faulty, where, and how."""
    for words in LINES[kind]:
        answer, data = tell(kind, source, *words), tell(kind, source, "--json", *words)
        said = " ".join((answer.out + answer.err).decode().split())
        listed = words == ["games"]
        assert answer.code == data.code == (0 if listed else 3 if kind == "games" else 1), answer
        assert "mine" in said
        assert place in said
        assert told in said
        assert "bug in the referee" not in said
        assert json.loads(data.out)
        assert not listed or "manoover" in said


@both
@pytest.mark.parametrize("end", ENDS)
def test_a_module_that_ends_as_it_is_imported_is_told(tell, kind, end):
    code, told = ENDS[end]
    check_told(tell, kind, f"x = 1\n{code}\n".encode(), told, "mine.py:2")


@both
@pytest.mark.parametrize("what", WRITTEN)
def test_a_module_that_cannot_be_imported_is_told(tell, kind, what):
    source, told = WRITTEN[what]
    check_told(tell, kind, source, told, "mine")


@pytest.mark.parametrize("end", ENDS)
def test_a_bot_that_ends_while_it_chooses_is_told(tell, end):
    code, told = ENDS[end]
    source = GOOD["bots"].format(does=code).encode()
    answer = tell("bots", source, *LINES["bots"][0])
    said = " ".join((answer.out + answer.err).decode().split())
    assert answer.code == 0
    assert f"The bot mine from o 1.0 has failed at mine.py:3 ({told}" in said
    answer = tell("bots", source, *LINES["bots"][1])
    assert answer.code == 1
    assert f"the bot mine from o 1.0 has failed at mine.py:3 ({told}" in " ".join(answer.out.decode().split())


@pytest.mark.skipif(os.name != "posix", reason="limits and signals")
@pytest.mark.parametrize("end", ROUGH)
def test_a_bot_that_does_its_worst_is_told_in_one_sentence(tell, monkeypatch, end):
    monkeypatch.setattr(foreign_bot, "EXTRA_SECONDS", 1.0 if "not answered" in ROUGH[end][1] else 30.0)
    monkeypatch.setattr("referee.cli.bot_turns.DEFAULT_SECONDS", 0.1)
    monkeypatch.setattr(foreign_bot, "MAX_MEMORY_BYTES", 1 << 29)
    code, told = ROUGH[end]
    source = GOOD["bots"].format(does=code).encode()
    begun, ranked = LINES["bots"]
    for words in (begun, ["--json", *begun], ranked, ["--json", *ranked]):
        answer = tell("bots", source, *words)
        said = " ".join(answer.out.decode().split())
        assert answer.code == (0 if "new" in words else 1), answer
        assert len(re.findall(r"[Tt]he bot mine from o 1\.0 has ", said)) == 1
        assert told in said
        assert "bug in the referee" not in said
        assert "--json" not in words or json.loads(answer.out)


THREAD = "import threading, time; threading.Thread(target=time.sleep, args=(1000,)).start()"


def test_a_bot_with_a_thread_that_does_not_end_stops_nobody(tell):
    for words in LINES["bots"]:
        assert tell("bots", GOOD["bots"].format(does=THREAD).encode(), *words).code == 0


@both
@pytest.mark.parametrize("noise", NOISE)
def test_what_a_module_does_beside_its_duty_is_no_part_of_an_answer(tell, tmp_path, capfd, kind, noise):
    source = (NOISE[noise] + "\n" + GOOD[kind].format(does="pass")).encode()
    for words in LINES[kind]:
        answer = tell(kind, source, "--json", *words)
        assert answer.code == 0, answer
        assert json.loads(answer.out)
        assert "m.jsonl" not in words or (tmp_path / "m.jsonl").exists()
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("noise", NOISE)
def test_what_a_bot_does_beside_choosing_is_no_part_of_an_answer(tell, capfd, noise):
    source = GOOD["bots"].format(does=NOISE[noise]).encode()
    for words in LINES["bots"]:
        answer = tell("bots", source, "--json", *words)
        assert answer.code == 0, answer
        assert json.loads(answer.out)
    assert capfd.readouterr().out == ""
