"""What only shows in a process of its own: pipes, terminals, loaded modules."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from referee.engine.registry import game_names
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note

FORBIDDEN = {"prompt_toolkit", "rich", "pydantic", "asyncio", "jsonschema", "importlib.metadata", "unittest", "http"}
FORBIDDEN |= {"cryptography", "_cffi_backend", "platformdirs"}  # play by mail alone needs them
FORBIDDEN |= {"starlette", "uvicorn", "segno", "anyio", "h11"}  # and these `serve` alone
MODULES = 247
"""Modules loaded beyond those of a bare interpreter; about a twentieth above what it is."""
MODULES_WRITING = 259

COUNTING = """
import sys
bare = set(sys.modules)
from referee.cli.main import run
try:
    run()
finally:
    print("\\n".join(sorted(set(sys.modules) - bare)), file=sys.stderr)
"""

ANNOTATIONS = 60
"""Annotations left as text that are worked out to read a log: each costs as long as reading several entries."""

WORKING_OUT = """
import sys
from msgspec import _utils, json
from referee.engine.registry import find_game
from referee.record.log.entry import make_entry_types
types, count, work_out = make_entry_types(find_game(sys.argv[1])), 0, _utils._forward_ref
def counting(text):
    global count
    count += 1
    return work_out(text)
_utils._forward_ref = counting
json.Decoder(types)
print(count)
"""

LOOKING = ["", "show", "show --as words", "legal", "why 6 go", "log", "rules control.4", "audit"]
WRITING = ["do 6 go", "note hello", "undo --agreed-by blue", "new manoover -o another.jsonl"]


def loaded(answer):
    assert answer.code == 0, answer.err
    return set(answer.err.splitlines())


@pytest.mark.parametrize("words", LOOKING)
def test_looking_loads_little(process, control, words):
    modules = loaded(process(words, code=COUNTING))
    assert not {name for name in modules if name in FORBIDDEN or name.split(".")[0] in FORBIDDEN | {"filelock"}}
    assert len(modules) <= MODULES


@pytest.mark.parametrize("words", WRITING)
def test_writing_loads_a_lock_and_little_else(process, control, words):
    modules = loaded(process(words, code=COUNTING))
    assert not {name for name in modules if name in FORBIDDEN or name.split(".")[0] in FORBIDDEN | {"filelock"}}
    assert "referee.record.log.lock" in modules
    assert len(modules) <= MODULES_WRITING


@pytest.mark.parametrize("game", game_names())
def test_types_are_worked_out_before_a_log_is_read(process, game):
    answer = process(game, code=WORKING_OUT)
    assert (answer.code, answer.err) == (0, "")
    assert int(answer.out) <= ANNOTATIONS


def test_only_the_file_of_the_command_is_loaded(process, control):
    ours = {
        name.removeprefix("referee.cli.") for name in loaded(process("show", code=COUNTING)) if "referee.cli." in name
    }
    assert not ours & {"demo", "records", "reference", "starting", "saying"}


@pytest.mark.parametrize("words", ["log", "log", "--help", "rules", "schema", "--json log", "audit"])
def test_a_reader_that_leaves_is_no_error(place, control, words):
    for number in range(40):
        record_note(open_log(control), f"remark {number} " + "and so on " * 200)
    command = [sys.executable, "-c", "from referee.cli.main import run; run()", *words.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout.read(1)
        running.stdout.close()
        assert running.stderr.read() == b""


def test_piped_into_head(place, control):
    program = f"{sys.executable} -c 'from referee.cli.main import run; run()'"
    done = subprocess.run(f"{program} rules | head -1", shell=True, capture_output=True, check=False)
    assert done.stdout.startswith(b"setup.1")
    assert done.stderr == b""


def test_the_same_in_a_process_as_here(process, cli, control):
    for words in ("show", "legal", "why 3 go", "--json log", "do 3 go", "frobnicate"):
        here, there = cli(words), process(words)
        assert (here.out, here.err, here.code) == (there.out, there.err, there.code)


@pytest.mark.parametrize("form", ["show", "log", "--json", "replay"])
def test_a_log_that_is_piped_in(process, control, place, form):
    (place / ".referee").unlink()
    data = control.read_bytes()
    answer = process(f"-g - {form}", stdin=data)
    assert (answer.code, answer.err) == (0, "")
    assert sorted(path.name for path in place.iterdir()) == ["logs"]


def test_audit_of_a_log_that_is_piped_in(process, control):
    data = control.read_bytes()
    assert process("audit -", stdin=data).out.startswith("CLEAN")
    assert process("audit -", stdin=b"").code == 3


def test_nothing_is_added_to_what_was_piped_in(process, control):
    for words in ("-g - do 6 go", "-g - undo --agreed-by blue", "-g - branch x"):
        answer = process(words, stdin=control.read_bytes())
        assert answer.code == 1
        assert answer.out.startswith("Not ")


def test_actions_that_are_piped_in(process, control):
    said = b"# Anna's turn\n6 go\n\n2 turn ne, 2 go\n"
    assert process("do -f -", stdin=said).code == 0
    texts = [entry.action for entry in open_log(control).entries[3:]]
    assert [type(action).__name__ for action in texts] == [
        "MoveRobot",
        "TurnRobot",
        "MoveRobot",
        "CompleteAutomaticPhase",
    ]


def test_actions_from_a_file_stop_at_the_first_no(process, control, place):
    (place / "turn.txt").write_text("6 go\n5 go\n2 go\n")
    answer = process("do -f turn.txt")
    assert answer.code == 1
    assert "REFUSED" in answer.out
    assert answer.out.endswith("  Stopped in line 2 of turn.txt.\n")
    assert len(open_log(control).entries) == 4


def test_the_line_is_named_that_cannot_be_read_or_waits_for_dice(process, control, place):
    (place / "turn.txt").write_text("# Anna's turn\n\n6 goo\n")
    answer = process("do -f turn.txt")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("Stopped in line 3 of turn.txt.\n")
    said = b"6 go\n2 turn ne, 2 go\nthrow\n"
    assert process("do -f -", stdin=said).err.endswith("Stopped in line 3 of the piped input.\n")
    answer = process("--json do -f turn.txt")
    assert answer.facts["stopped_in"] == "line 3 of turn.txt"


def test_no_question_without_a_terminal(process, evening):
    answer = process("roll")
    assert (answer.code, answer.out) == (2, "")
    assert "2 dice" in answer.err


AT_A_TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from referee.cli.main import run
from referee.record.table.recording import record_note
run()
"""


def keyboard(answers, *words):
    """Run the program on a terminal of its own, type an answer to each question; what it showed, its exit code."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", AT_A_TERMINAL, *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as running:
        os.close(theirs)
        shown = converse(ours, answers)
        os.close(ours)
    return shown, running.returncode


def converse(terminal, answers):
    """Answer until the program leaves. Somebody who sees nothing happen presses the key again, a few times."""
    shown, typed, patience = b"", b"", 10
    while patience:
        if not select.select([terminal], [], [], 1.0)[0]:
            patience -= 1
            os.write(terminal, typed)
            continue
        chunk = read(terminal)
        shown += chunk
        if not chunk:
            break
        if shown.endswith(b": ") and answers:
            typed = answers.pop(0)
            os.write(terminal, typed)
    return shown.decode()


def read(terminal):
    """What the program wrote; nothing once it has left."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_who_resigns_at_a_terminal_is_asked(cli, control):
    shown, code = keyboard([b"\n"], "resign")
    assert "red (Anna) gives up" in shown.replace("Red", "red")
    assert (code, len(open_log(control).entries)) == (1, 3)
    shown, code = keyboard([b"y\n"], "resign")
    assert (code, open_log(control).moment().outcome.because) == (0, "red has resigned")


def test_dice_typed_at_a_terminal(cli, evening):
    shown, code = keyboard([b"5 2\n"], "roll")
    assert code == 0, shown
    assert "who goes first" in shown
    assert open_log(evening).entries[1].rolls[0].faces == (5, 2)


def test_dice_typed_in_two_goes(cli, evening):
    _, code = keyboard([b"5\n", b"2\n"], "do", "throwoff")
    assert code == 0
    assert open_log(evening).entries[1].rolls[0].faces == (5, 2)


@pytest.mark.parametrize(("key", "code"), [(b"\x03", 130), (b"\x04", 2)])
def test_leaving_at_the_question(cli, evening, key, code):
    before = evening.read_bytes()
    shown, left_with = keyboard([key], "roll")
    assert left_with == code
    assert "Traceback" not in shown
    assert evening.read_bytes() == before


def test_a_pair_is_asked_for_by_name_and_told_at_once(cli, place):
    units = 'units = { D3 = "buck n1", D4 = "prof penny" }'
    (place / "p.toml").write_text(f'phase = "mutant-combat"\n{units}\n', "utf-8")
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    cli("do fight D3, lay auto, pair auto")
    shown, code = keyboard([b"6\n", b"9\n", b"4 2\n", b"1 6\n"], "do", "resolve,", "resolve")
    assert code == 0, shown
    said = " ".join(shown.split())
    assert "buck (5 or less), n1 (3 or less): 6 buck 6: misses (5 or less) n1 (3 or less): 9" in said
    assert "cannot show 9" in said
    assert "n1 (3 or less): 4 2 n1 4: misses (3 or less) 2 is one face too many" in said
    assert "buck 1: hits n1" in said
    assert [entry.rolls[0].faces for entry in open_log("m.jsonl").entries[-2:]] == [(6, 4), (1, 6)]


def test_what_fell_before_somebody_left_is_recorded(cli, place):
    units = 'units = { D3 = "buck n1", D4 = "prof penny" }'
    (place / "p.toml").write_text(f'phase = "mutant-combat"\n{units}\n', "utf-8")
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    cli("do fight D3, lay auto, pair auto")
    shown, code = keyboard([b"6 6\n", b"5\n", b"\x04"], "do", "resolve,", "resolve")
    assert code == 2, shown
    assert "Roll, then type: referee do resolve --dice 5,FACES." in " ".join(shown.split())
    assert open_log("m.jsonl").entries[-1].rolls[0].faces == (6, 6)


def test_a_terminal_gets_colour(cli, control):
    assert "\x1b[" in keyboard([], "show")[0]
    assert "\x1b[" not in keyboard([], "show", "--color", "never")[0]


def test_json_never_asks(cli, evening):
    shown, code = keyboard([], "--json", "roll")
    assert code == 2
    assert json.loads(shown)["error"] == "DiceNeededError"


def test_two_at_once_leave_a_good_log(place, control):
    command = [sys.executable, "-c", "from referee.cli.main import run; run()"]
    both = [
        subprocess.Popen([*command, "note", name], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) for name in "ab"
    ]
    for running in both:
        running.communicate()
    codes = sorted(running.returncode for running in both)
    assert codes in ([0, 0], [0, 5])
    assert len(open_log(control).entries) == 3 + codes.count(0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
@pytest.mark.parametrize("words", ["show", "--json show", "why 3 go", "do 6 go", "audit", "--json frobnicate"])
def test_an_answer_that_cannot_be_written_is_told_in_a_sentence(control, words):
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-c", "from referee.cli.main import run; run()", *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr.splitlines() == [
        b"The output could not be written: No space left on device. To see what was recorded: referee log"
    ]
    assert len(open_log(control).entries) == (3 if words != "do 6 go" else 4)
