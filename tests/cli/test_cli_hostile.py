"""Words from people who mean no good, and from people who type anything."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cli.catalogue import ALIASES, COMMANDS
from referee.engine.dice_mode import OpenDice
from referee.record.table.opening_logs import start

ESCAPES = {
    "colour": "\x1b[31mred",
    "title": "\x1b]0;gotcha\x07",
    "clipboard": "\x1b]52;c;Z290Y2hh\x07",
    "c1": "\x9b31m",
    "bell": "ding\x07",
    "return": "over\rwritten",
    "newline": "two\nlines",
    "delete": "x\x7f",
    "bidi": "\u202egnirts",
    "isolate": "\u2066x\u2069",
    "line-separator": "a\u2028b",
}
SHOWN_ESCAPED = {"zero-width": "a\u200bb", "soft-hyphen": "a\u00adb", "private": "a\ue000b", "bom": "a\ufeffb"}
READERS = ["", "show", "show --as words", "legal", "log", "log --full", "use", "audit", "why 6 go", "do 3 go"]


def values(table):
    return pytest.mark.parametrize("text", table.values(), ids=table.keys())


def harmless(*texts):
    """Whether nothing that a terminal could obey is in these texts."""
    return all(char.isprintable() or char == "\n" for text in texts for char in text)


@values(ESCAPES)
def test_names_that_are_refused(cli, place, text):
    answer = cli("new", "manoover", "--seats", f"{text},Bo", "-o", "x.jsonl")
    assert answer.code == 1
    assert harmless(answer.err)
    assert not (place / "x.jsonl").exists()


@pytest.mark.parametrize("name", ["\u3164", "\u115f", "\u2800", "\u200b", "x" * 61])
def test_names_that_cannot_be_read_are_refused(cli, place, name):
    assert cli("new", "manoover", "--seats", f"{name},Bo", "-o", "x.jsonl").code == 1
    assert not (place / "x.jsonl").exists()


@pytest.mark.parametrize("name", ["Zoë", "Ян", "美咲", "אבי", "O'Neill", "x" * 60])
def test_names_of_people_are_kept(cli, name):
    assert cli("new", "manoover", "--seats", f"{name},Bo", "-o", "x.jsonl").code == 0
    assert name in cli("log --width 200").out


ALIKE = {"cyrillic": "Аnna", "digits": "A1", "other-seat": "blue"}  # noqa: RUF001


@pytest.mark.parametrize("name", ALIKE.values(), ids=ALIKE)
def test_names_in_a_log_from_elsewhere_that_look_alike_are_told_apart(cli, control, place, forge, name):
    def rename(entry):
        entry["seats"] = [{"seat": "red", "name": name}, {"seat": "blue", "name": {"A1": "Al"}.get(name, "Anna")}]

    other = forge(control, place / "other.jsonl", 0, rename)
    answer = cli(f"use {other}")
    assert "easy to confuse; use their seats instead" in " ".join(answer.err.split())
    assert f"red ({name})" in cli("show").out
    assert cli("legal", "--by", "red").code == 0
    if name != "blue":
        answer = cli("undo", "--agreed-by", name)
        assert answer.code == 2
        assert "looks like another player's name; name the seat: red or blue" in " ".join(answer.err.split())


@values(ESCAPES)
def test_remarks_that_are_refused(cli, control, text):
    before = control.read_bytes()
    answer = cli("note", text)
    assert answer.code == 1
    assert harmless(answer.err)
    assert control.read_bytes() == before


@values({**ESCAPES, **SHOWN_ESCAPED, "surrogate": "\udcff", "tag": "\U000e0041", "astral": "\U000f0000"})
@pytest.mark.parametrize("command", ["do", "why", "log", "use", "audit", "x", "note"])
def test_programs_are_told_harmlessly_what_was_typed(cli, control, command, text):
    """And get back what was typed, if it is text."""
    answer = cli("--json", command, text)
    assert answer.code != 70
    assert harmless(answer.out, answer.err)
    answer.facts  # noqa: B018 - it can be read
    if command == "note" and answer.code == 0:
        assert answer.facts["recorded"]["text"] == text
    remarks = cli("--json", "log")
    assert harmless(remarks.out)


@values(ESCAPES)
@pytest.mark.parametrize("command", ["do", "why", "legal", "rules", "roll", "log", "use", "audit", "branch", "x"])
def test_what_was_typed_is_shown_harmlessly(cli, control, command, text):
    before = control.read_bytes()
    answer = cli(command, text)
    assert harmless(answer.out, answer.err)
    assert control.read_bytes() == before


@values(ESCAPES)
def test_a_log_with_escapes_is_named_and_not_shown(cli, control, place, forge, text):
    cli("note hello")
    forge(control, place / "evil.jsonl", 3, lambda entry: entry.update(text=text))
    for words in READERS:
        answer = cli(f"-g evil.jsonl {words}" if words != "audit" else "audit evil.jsonl")
        assert harmless(answer.out, answer.err), words
        assert answer.code in (0, 1, 3)
    assert cli("audit evil.jsonl").code == 1


@values(ESCAPES)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: lambda entry: entry.update(game=text),
        lambda text: lambda entry: entry["seats"][0].update(name=text),
        lambda text: lambda entry: entry["options"].update({text: text}),
        lambda text: lambda entry: entry.update({text: 1}),
        lambda text: lambda entry: entry["files"]["board"].update(name=text),
    ],
    ids=["game", "seat", "option", "field", "board"],
)
def test_a_first_entry_with_escapes(cli, control, place, forge, text, change):
    forge(control, place / "evil.jsonl", 0, change(text))
    for words in (
        "-g evil.jsonl show",
        "audit evil.jsonl",
        "--json audit evil.jsonl",
        "diff evil.jsonl logs/friday.jsonl",
    ):
        answer = cli(words)
        assert harmless(answer.out, answer.err), words
        assert answer.code in (1, 3)


@values(SHOWN_ESCAPED)
def test_invisible_marks_in_remarks_are_shown(cli, control, text):
    assert cli("note", text).code == 0
    assert harmless(cli("log").out)
    assert f"\\u{{{ord(text[1]):x}}}" in cli("log").out


def test_a_file_name_with_escapes_is_shown_harmlessly(cli, control, place):
    (place / "\x1b[31mx.jsonl").write_bytes(control.read_bytes())
    for words in ("show", "audit", "use \x1b[31mx.jsonl", "diff \x1b[31mx.jsonl nowhere"):
        answer = cli("-g", "\x1b[31mx.jsonl", *words.split())
        assert harmless(answer.out, answer.err)


ABSURD = {
    "empty": [""],
    "spaces": ["   "],
    "commas": [",", ",", ","],
    "huge-number": ["9" * 5000],
    "huge-robot": ["9" * 400, "go"],
    "negative": ["--", "-1", "go"],
    "emoji": ["\U0001f3b2\U0001f916"],
    "superscript": ["\u00b2", "go"],
    "arabic-digit": ["\u0663", "go"],
    "many-words": ["go"] * 10_000,
    "long-word": ["g" * 100_000],
    "nul": ["\0"],
    "surrogate": ["\udcff"],
    "percent": ["%s%n{0}{x}"],
    "dots": ["../../../etc/passwd"],
}


@values(ABSURD)
@pytest.mark.parametrize("command", ["do", "why"])
def test_absurd_actions(cli, control, command, text):
    before = control.read_bytes()
    answer = cli(command, *text)
    assert answer.code in (1, 2)
    assert answer.out == "" or answer.code == 1
    assert "Traceback" not in answer.err
    assert control.read_bytes() == before


NUMBERS = {
    "at": ["--at", "9" * 300, "show"],
    "undo": ["undo", "9" * 300],
    "undo-minus": ["undo", "--", "-7"],
    "replay": ["replay", "--to", "9" * 300],
    "roll": ["roll", "9" * 300, "1", "1"],
    "dice": ["do", "throw", "--dice", ",".join("1" * 999)],
}


@values(NUMBERS)
def test_absurd_numbers(cli, control, text):
    before = control.read_bytes()
    answer = cli(*text)
    assert answer.code in (1, 2)
    assert control.read_bytes() == before


@pytest.mark.parametrize("width", ["0", "-7", "1", "39", "9999999999"])
def test_absurd_widths(cli, control, width):
    for words in ("show", "legal", "why 3 go", "log"):
        assert cli(f"--width={width} {words}").code in (0, 1)


FREE = st.text(st.characters(exclude_categories=["Cs", "No"], exclude_characters="\0/."), min_size=1, max_size=12)
"""Anything but what test_cli_known_faults.py is about: NUL, paths, nothing, digits that are none."""
WORDS = st.sampled_from(
    [
        *(name for name in COMMANDS if name not in ("demo", "serve", "web")),
        *ALIASES,
        *("--json", "--ascii", "--at", "--at=1", "--width=20", "--color", "never", "-g", "logs/friday.jsonl", "--help"),
        *("-n", "--by", "red", "blue", "--dice", "3,6", "2,2,6", "-f", "-", "--", "--count", "--as", "svg", "words"),
        *(
            "6",
            "2",
            "go",
            "turn",
            "ne",
            "e",
            "throw",
            "auto",
            "done",
            ",",
            "2 turn ne",
            "6 go, 2 go",
            "all",
            "..",
            "1..2",
        ),
        *(
            "manoover",
            "--seats",
            "Anna,Bo",
            "--option",
            "ties=draw",
            "form=three",
            "--from",
            "now.json",
            "--why",
            "slip",
        ),
        *(
            "--agreed-by",
            "red,blue",
            "--rulings",
            "control.4",
            "entry",
            "--of",
            "-o",
            "out.jsonl",
            "0",
            "-1",
            "1e9",
            "007",
        ),
    ]
)
DESIGNED = {0, 1, 2, 3, 4, 5}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A folder with a game in its control phase, to be copied."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "logs").mkdir()
    session = start("manoover", folder / "logs" / "friday.jsonl", dice=OpenDice("0" * 64))
    session.do("throwoff")
    session.do("throw")
    (folder / ".referee").write_text("logs/friday.jsonl\n")
    return folder


@given(words=st.lists(st.one_of(WORDS, WORDS, WORDS, FREE), max_size=7), stdin=st.binary(max_size=40))
@settings(max_examples=400)
def test_anything_typed_leads_to_a_designed_answer(cli_anywhere, begun, words, stdin):
    log = Path("logs/friday.jsonl")
    shutil.rmtree("logs", ignore_errors=True)
    shutil.copytree(begun, ".", dirs_exist_ok=True)
    before = log.read_bytes()
    answer = cli_anywhere("--width=60", *words, stdin=stdin)
    assert answer.code in DESIGNED, answer.shown
    assert "Traceback" not in answer.err
    assert harmless(answer.err) or answer.err.startswith(("Usage:", "{")), "JSON and usage repeat what was typed"
    if answer.code:
        assert log.read_bytes() == before or "-f" in words


def test_events_that_lead_nowhere_are_the_logs_fault(cli, control, place, forge):
    """Forged so that it folds, but leaves a robot where no cell is: found by judging the log, not by failing on it."""
    cli("do 6 turn se, 2 go, 2 go, auto")
    forge(control, place / "forged.jsonl", -1, drop_losses)
    answer = cli("-g forged.jsonl show")
    assert answer.code == 3
    assert "wrong-events" in answer.err
    assert len(answer.err.splitlines()) == 1


def drop_losses(entry):
    entry["events"] = [event for event in entry["events"] if event["type"] != "lost"]
