"""What is no file though it has a name: pipes without end, devices, sockets, folders, links; and files far too big.

None of it is waited for, and nothing is written where it leads.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from calling import tell

posix = pytest.mark.skipif(os.name != "posix", reason="there are none of these elsewhere")
pytestmark = posix
GIGABYTE = 1 << 30


@pytest.fixture(autouse=True)
def soon():
    """Whatever waits, is ended."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def make_fifo(path):
    os.mkfifo(path)


def make_socket(path):
    there = Path.cwd()
    os.chdir(path.parent)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(there)


def make_device(path):
    path.symlink_to("/dev/zero")


def make_folder(path):
    path.mkdir()


def make_dangling(path):
    path.symlink_to("nowhere")


KINDS = {"fifo": make_fifo, "socket": make_socket, "device": make_device, "folder": make_folder}
kinds = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
READERS = [
    "audit {}",
    "-g {} show",
    "-g {} note hello",
    "diff {} {log}",
    "diff {log} {}",
    "use {}",
    "use {} -o out.jsonl",
    "play {}",
    "match show {}",
    "match audit {}",
    "match next --match {}",
    "new manoover --from {} -o out.jsonl",
    "new manoover --board {} -o out.jsonl",
    "match new manoover --own board={} -o out.jsonl",
    "do -f {}",
    "fix --from {} --why slip --agreed-by all",
]


@kinds
@pytest.mark.parametrize("words", READERS)
def test_what_is_no_file_is_refused_at_once(cli, control, place, make, words):
    if make is make_folder and words == "audit {}":
        pytest.skip("a folder is an archive of logs")
    make(place / "strange.jsonl")
    before = control.read_bytes()
    answer = cli(words.format("strange.jsonl", log=control))
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (3, "", 1), answer.shown
    assert ": this is not a file but a " in answer.err
    assert control.read_bytes() == before
    assert not (place / "out.jsonl").exists()
    assert (place / ".referee").read_text() == f"{control}\n"


@kinds
@pytest.mark.parametrize("words", ["show", "show --as svg", "branch x", "new manoover", "match new manoover"])
def test_nothing_is_written_to_what_is_no_file(cli, control, place, make, words):
    make(place / "strange.jsonl")
    for force in ("", " --force") if "show" in words else ("",):
        answer = cli(f"{words} -o strange.jsonl{force}")
        assert answer.code in (1, 2), answer.shown
        assert len((answer.out + answer.err).splitlines()) <= 2


BESIDE = [".head", ".head.new", ".torn", ".lock"]


@pytest.mark.parametrize("ending", BESIDE)
@pytest.mark.parametrize("make", [*KINDS.values(), make_dangling], ids=[*KINDS, "dangling"])
def test_what_lies_beside_a_log_and_is_no_file(cli, control, make, ending):
    with control.open("ab") as file:
        file.write(b"torn")
    beside = control.with_name(control.name + ending)
    beside.unlink(missing_ok=True)
    make(beside)
    before = control.read_bytes()
    assert cli("show").code == 0
    assert cli("audit").code == 3  # torn
    answer = cli("note hello")
    if ending in (".torn", ".lock"):
        assert (answer.code, answer.out, control.read_bytes()) == (3, "", before)
        assert "Nothing was recorded" in answer.err
    else:
        assert answer.code == 0
        assert b"hello" in control.read_bytes()
    assert not (control.parent / "nowhere").exists()


@pytest.mark.parametrize("ending", [*BESIDE, ".red.vault"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_nothing_is_written_through_a_link_beside_a_log(cli, place, ending, link):
    """Such as ~/.profile, where what was torn would be run."""
    tell(cli, "new manoover --dice table -o g.jsonl")
    precious = place / "precious"
    precious.write_bytes(b"keep me\n")
    beside = place / f"g.jsonl{ending}"
    beside.unlink(missing_ok=True)
    link(precious, beside)
    with (place / "g.jsonl").open("ab") as file:
        file.write(b"echo gotcha\n")
    for words in ("note hello", "show", "roll 1 2", "branch x", "use g.jsonl"):
        cli(words)
    assert precious.read_bytes() == b"keep me\n"


def test_a_pointer_that_is_a_link_is_not_followed(cli, control, place):
    precious = place / "precious"
    precious.write_text(f"{control}\n")
    (place / ".referee").unlink()
    (place / ".referee").symlink_to(precious)
    assert (cli("show").code, "names no log" in cli("show").err) == (4, True)
    assert cli("new manoover -o other.jsonl").code == cli(f"use {control}").code == 3
    assert (precious.read_text(), (place / "other.jsonl").exists()) == (f"{control}\n", False)


@kinds
def test_a_pointer_that_is_no_file(cli, control, place, make):
    (place / ".referee").unlink()
    make(place / ".referee")
    answer = cli("show")
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (4, "", 1)
    answer = cli("new manoover -o other.jsonl")
    assert (answer.code, (place / "other.jsonl").exists()) == (3, False), answer.shown


@kinds
def test_a_vault_that_is_no_file(cli, place, make):
    tell(cli, "new mutants --option hidden-movement=yes -o g.jsonl")
    (place / "g.jsonl.human.vault").unlink()
    make(place / "g.jsonl.human.vault")
    for words in ("show", "audit", "do done!", "-g g.jsonl reveal", "branch x"):
        answer = cli(words)
        assert answer.code == 3
        assert "a vault beside this log cannot be used" in (answer.err + answer.out).lower()


def test_nothing_is_written_through_a_link_in_place_of_a_vault(cli, place):
    tell(cli, "new mutants --option hidden-movement=yes --sitting mutant -o g.jsonl")
    (place / "g.jsonl.human.vault").symlink_to(place / "precious")
    assert cli("join human").code == 3
    assert not (place / "precious").exists()


# Two names


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_log_of_two_names_loses_nothing(cli, control, place, link):
    link(control.resolve(), place / "other.jsonl")
    said = []
    for n in range(6):
        name = "other.jsonl" if n % 2 else control
        tell(cli, f"-g {name} note remark-{n}")
        said.append(f"remark-{n}")
    log = control.read_text("utf-8")
    assert [remark for remark in said if remark not in log] == []
    assert cli(f"audit {control}").code == cli("audit other.jsonl").code == 0


def test_beside_a_link_to_a_log_nothing_is_kept(cli, control, place):
    (place / "other.jsonl").symlink_to(control)
    tell(cli, "-g other.jsonl note hello")
    assert sorted(path.name for path in place.iterdir()) == [".referee", "logs", "other.jsonl"]
    control.write_bytes(b"".join(control.read_bytes().splitlines(keepends=True)[:-1]))
    assert cli("audit other.jsonl").code == cli(f"audit {control}").code == 3


# Without end, or nearly


@pytest.fixture
def huge(place):
    """A gigabyte of nothing, which takes no room."""
    path = place / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(GIGABYTE)
    return path


@pytest.mark.parametrize("words", [words for words in READERS if "play" not in words])
def test_a_gigabyte_that_is_no_log_is_not_read(cli, control, huge, words):
    cli("show")
    tracemalloc.start()
    answer = cli(words.format(huge.name, log=control))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.code == 3, answer.shown
    assert most < 17 * 2**20


def test_a_gigabyte_after_the_first_entry(cli, control, huge):
    with huge.open("r+b") as file:
        file.write(control.read_bytes().splitlines(keepends=True)[0])
    tracemalloc.start()
    assert (cli("audit huge.jsonl").code, cli("-g huge.jsonl show").code) == (1, 3)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 17 * 2**20


@pytest.mark.parametrize("there", ["logs/friday.jsonl.head", ".referee"])
def test_a_gigabyte_that_remembers_something(cli, control, huge, there):
    shutil.move(huge, there)
    tracemalloc.start()
    assert cli("show").code == (0 if "head" in there else 4)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 17 * 2**20


@pytest.mark.parametrize("words", ["play --plain", "play --json", "play"])
def test_a_line_without_end_is_given_up(cli, control, words):
    """What was said before it is done, and so is what is said after it."""
    answer = cli(words, stdin=b"note hello\n" + b"x" * 200_000 + b"\nnote after it\n")
    assert answer.code == 0, answer.shown
    assert b"after it" in control.read_bytes()
    assert "a line cannot have 65536 characters" in (answer.out + answer.err).lower()
    assert b"hello" in control.read_bytes()


@pytest.mark.parametrize("words", ["audit -", "audit /dev/stdin", "-g - show", "-g /dev/stdin show"])
def test_a_stream_without_end_is_given_up(place, words):
    with Path("/dev/zero").open("rb") as endless:
        done = referee(words.split(), stdin=endless)
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr


def referee(words, **more):
    program = "from referee.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, check=False, timeout=50, **more)


@pytest.mark.parametrize("words", ["audit -", "audit /dev/stdin", "-g /dev/stdin show", "-g /dev/stdin note hello"])
@pytest.mark.parametrize("way", ["pipe", "file"])
def test_what_a_shell_hands_over_is_read(control, way, words):
    if way == "pipe":
        done = referee(words.split(), input=control.read_bytes())
    else:
        with control.open("rb") as file:
            done = referee(words.split(), stdin=file)
    assert done.returncode == (1 if "note" in words else 0), done.stderr
    assert b"a log that was piped in" in done.stdout or "note" not in words


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_process_substitution(control):
    quoted = f"'{sys.executable}' -c 'from referee.cli.main import run; run()'"
    done = subprocess.run(
        ["bash", "-c", f"{quoted} audit <(cat {control}) && {quoted} diff <(cat {control}) {control}"],
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Both are valid" in done.stdout
