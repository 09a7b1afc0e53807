"""Files and words that are hard to read: each gets its sentence, at once, and nothing is left behind."""

import os
import shutil
import subprocess
import sys
import time

import pytest

TOML = {
    "digits": b"turn = " + b"9" * 5_000,
    "dots": b"a" + b".a" * 60_000 + b" = 1",
    "dots-with-spaces": b"a" + b" . a" * 20_000 + b" = 1",
    "dots-in-quotes": b"'a'" + b'."a"' * 20_000 + b" = 1",
    "many-dotted": b"\n".join(b"a.b%d" % n + b".c" * 30 + b" = 1" for n in range(40_000)),
    "table": b"[a" + b".a" * 60_000 + b"]\nx = 1",
    "brackets": b"turn = " + b"[" * 100_000,
    "brackets-closed": b"turn = " + b"[" * 900 + b"]" * 900,
    "not-utf-8": b'turn = "\xff"',
    "not-a-number": b"turn = nan",
    "date": b"turn = 1979-05-27",
    "huge-number": b"turn = 99999999999999999999999",
    "escape": b'"\\u001b[2J" = 1',
}
MIB = 2**20
BIG = {
    "x-in-a-comment": b"#" + b"x" * (4 * MIB - 1),
    "quotes": b'"' * (4 * MIB),
    "open-texts": b'\\"""' * MIB,
    "words": b"a   " * MIB,
}
"""As much as is read: what takes the square of the time would take hours."""
JSON = {
    "digits": b'{"turn":%b}' % (b"9" * 5_000),
    "brackets": b'{"turn":%b' % (b"[" * 100_000),
    "number": b'{"turn":1e999}',
    "list": b"[]",
    "surrogate": b'{"turn":"\\ud83d"}',
    "nothing": b"",
}
FILES = {f"{name}.toml": data for name, data in (TOML | BIG).items()} | {
    f"{name}.json": data for name, data in JSON.items()
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("words", ["new manoover --from {} -o x.jsonl", "new manoover --board {} -o x.jsonl"])
def test_files_that_are_hard_to_read(cli, control, place, name, words):
    (place / name).write_bytes(FILES[name])
    pointer, began = (place / ".referee").read_bytes(), time.monotonic()
    answer = cli(words.format(name))
    assert time.monotonic() - began < 20, "it has gone quadratic"
    assert answer.code in (1, 2, 3), answer.shown
    assert len((answer.out + answer.err).splitlines()) <= 6
    assert all(char.isprintable() or char == "\n" for char in answer.out + answer.err)
    assert "Error" not in answer.err
    assert "recursion" not in answer.err
    assert ((place / ".referee").read_bytes(), (place / "x.jsonl").exists()) == (pointer, False)


def test_dots_in_comments_and_texts_are_no_keys(cli, place):
    dots = "1.2.3.4.5.6.7.8.9.10.11"
    told = f'# rule {dots}\nwhy = \'{dots}\'\nmore = """\n{dots} \\" {dots}"""\n'
    (place / "ours.toml").write_text(told + cli("new manoover --template").out)
    assert "has no field 'more'" in cli("new manoover --from ours.toml -o x.jsonl").out
    (place / "ours.toml").write_text(f"# rule {dots}\n" + cli("new manoover --template").out)
    assert cli("new manoover --from ours.toml -o x.jsonl").code == 0


@pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")
def test_names_that_are_no_text(cli, place):
    """A log may have such a name, and all goes on with it; a match may not, for its log names its games."""
    odd = "\udcff"
    for words in (("new", "manoover", "-o", f"{odd}.jsonl"), ("show",), ("branch", "what-if"), ("show",), ("audit",)):
        answer = cli(*words)
        assert answer.code == 0, answer.shown
    assert sorted(path.name for path in place.glob("*.jsonl")) == [f"{odd}-what-if.jsonl", f"{odd}.jsonl"]
    assert cli("--json", "show").facts["log"] == r"\u{dcff}-what-if.jsonl"
    pointer = (place / ".referee").read_bytes()
    before = sorted(place.iterdir())
    for name in (odd, "two\nlines", "\u202eback"):
        assert cli("match", "new", "manoover", "-o", f"{name}-m.jsonl").code == 1
    assert (sorted(place.iterdir()), (place / ".referee").read_bytes()) == (before, pointer)


@pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")
@pytest.mark.parametrize("name", [" lead", "trail ", "two\nlines", "x" * 240, "tab\there", "-dash", "a'quote"])
def test_names_with_odd_letters(cli, place, name):
    assert cli("new", "manoover", "-o", f"./{name}.jsonl").code == 0
    for words in (("note", "hello"), ("audit",)):
        assert cli(*words).code == 0
    assert cli("--json", "log").code == 0
    assert b"hello" in (place / f"{name}.jsonl").read_bytes()


def test_a_name_that_leaves_no_room_beside_it(cli, control, place):
    answer = cli("new", "manoover", "-o", f"{'x' * 244}.jsonl")
    assert (answer.code, "too long" in answer.out) == (1, True)
    assert sorted(path.name for path in place.iterdir()) == [".referee", "logs"]


def test_a_match_with_an_option_that_is_none(cli, control, forge, place):
    cli("match new manoover --seats A,B -o m.jsonl")
    forge(place / "m.jsonl", place / "forged.jsonl", 0, lambda entry: entry["options"].update(ties="sometimes"))
    for words in ("match show forged.jsonl", "match audit forged.jsonl", "match next --match forged.jsonl"):
        answer = cli(words)
        assert answer.code in (1, 3), answer.shown
        assert "bad-options" in answer.out + answer.err


# Folders and files that may not be written, for a superuser who has given that power away

powerless = pytest.mark.skipif(
    not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("setpriv")), reason="takes a superuser"
)
SETPRIV = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
MAIN = "from referee.cli.main import run; run()"


def without_power(place, *words):
    """The program where files are what their modes say."""
    done = subprocess.run([*SETPRIV, sys.executable, "-c", MAIN, *words], capture_output=True, cwd=place, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def whole(place):
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file() and path.suffix != ".lock"}


@powerless
@pytest.mark.parametrize(
    "words",
    [
        *(("note", "hello"), ("do", "6", "go"), ("branch", "x"), ("new", "manoover", "-o", "x.jsonl")),
        *(("show", "-o", "x.svg"), ("use", "logs/friday.jsonl"), ("match", "new", "manoover", "-o", "m.jsonl")),
    ],
    ids=" ".join,
)
def test_folders_that_may_not_be_written(control, place, words):
    control.with_name("friday.jsonl.lock").unlink()
    before = whole(place)
    for path in (control, control.parent, place):
        path.chmod(0o555)
    code, out, err = without_power(place, *words)
    assert (code, out, len(err.splitlines())) == (3, "", 1), (out, err)
    assert "ermission denied" in err
    assert whole(place) == before
    assert without_power(place, "show")[0] == without_power(place, "audit")[0] == 0


@powerless
def test_a_log_that_may_not_be_written(control, place):
    before = whole(place)
    control.chmod(0o444)
    code, out, err = without_power(place, "note", "hello")
    assert (code, out, len(err.splitlines())) == (3, "", 1), err
    assert whole(place) == before


@powerless
@pytest.mark.parametrize("words", ["show", "audit", "use logs/friday.jsonl", "diff logs/friday.jsonl x.jsonl"])
def test_a_log_that_may_not_be_read(control, place, words):
    control.chmod(0o000)
    code, out, err = without_power(place, *words.split())
    assert (code, out, len(err.splitlines())) == (3, "", 1), err
    assert "ermission denied" in err


def test_a_folder_that_vanishes(cli, control, place):
    shutil.rmtree(place / "logs")
    for words in ("show", "note hello", "audit", "do 6 go", "branch x", "match show"):
        answer = cli(words)
        assert answer.code in (3, 4), answer.shown
        assert len((answer.out + answer.err).splitlines()) == 1
    assert not (place / "logs").exists()


@pytest.mark.skipif(os.name != "posix" or not hasattr(os, "fork"), reason="no limits of this kind elsewhere")
@pytest.mark.parametrize("words", [("note", "x" * 3_000), ("branch", "b"), ("new", "manoover", "-o", "n.jsonl")])
def test_a_disk_on_which_nothing_fits_any_more(control, place, words):
    """A real limit, by which a file may not grow: part of a line fits."""
    before = whole(place)
    code = (
        "import resource, signal\nfrom referee.cli.main import run\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))\nrun()"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, cwd=place, check=False)
    told = done.stderr.decode()
    assert (done.returncode, done.stdout, len(told.splitlines())) == (3, b"", 1), told
    assert "othing was recorded" in told
    assert whole(place) == before
