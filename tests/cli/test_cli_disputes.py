"""Disputes settled: logs that mail has changed, what is wrong told to players, which of two logs holds."""

import json

import pytest
from calling import tell

GREETING = b"Dear Bo,\r\n\r\nyour turn. Here is our game:\r\n\r\n"


def mailed(log):
    """A log as some mail programs send it."""
    return (
        GREETING + b"".join(b"> " + line + b"\r\n" for line in log.read_bytes().splitlines()) + b"\r\n-- \r\nAnna\r\n"
    )


@pytest.fixture
def letter(control, place):
    path = place / "mail.txt"
    path.write_bytes(mailed(control))
    return path


@pytest.fixture
def parted(cli, control, place):
    """Anna and Bo have each gone on; Bo has thrown other dice, and then moved what no die shows."""
    theirs = place / "theirs" / "friday.jsonl"
    theirs.parent.mkdir()
    tell(cli, "do 2 go, 2 turn ne, 6 go, auto")
    theirs.write_bytes(control.read_bytes())
    tell(cli, "roll 4 6 1", "note Bo had no light", "do 4 go", f"-g {theirs} roll 4 6 2", f"-g {theirs} do 4 go, 2 go")
    return control, theirs


def test_a_letter_is_read_and_not_written(cli, letter, snapshot):
    before = letter.read_bytes()
    words = ["audit mail.txt", "-g mail.txt legal 6", "-g mail.txt do 6 go", "use mail.txt -o logs/friday.jsonl"]
    assert [cli(one).shown for one in words] == snapshot
    assert cli("--json audit mail.txt").facts["undone"] == ["text before it", "text after it", *WINDOWS_QUOTED]
    assert cli("audit -", stdin=before).out.splitlines()[0] == "CLEAN  -"
    assert cli("-g - show", stdin=before).code == 0
    assert letter.read_bytes() == before


WINDOWS_QUOTED = ["Windows line ends", "lines quoted with >"]


def test_a_log_is_taken_out_of_a_letter_and_played_on(cli, letter, control):
    tell(cli, "use mail.txt -o logs/mailed.jsonl")
    assert (control.parent / "mailed.jsonl").read_bytes() == control.read_bytes()
    tell(cli, "do 6 go")
    assert cli("--json").facts["log"] == "logs/mailed.jsonl"
    assert cli("use mail.txt -o logs/mailed.jsonl").code == 1
    assert cli("use logs/mailed.jsonl -o logs/again.jsonl").code == 1
    assert cli("use -o logs/again.jsonl").code == 2


def test_what_mail_has_broken_is_said(cli, letter, snapshot):
    letter.write_bytes(letter.read_bytes().replace(b',"entry"', b',\r\n> "entry"'))
    assert [cli(words).shown for words in ("audit mail.txt", "-g mail.txt show")] == snapshot


def test_which_of_two_holds(cli, parted, forge, snapshot):
    """Both do, until somebody changes what was thrown."""
    mine, theirs = parted
    assert cli("diff", str(mine), str(theirs)).shown == snapshot(name="both")
    forge(theirs, theirs, 8, lambda entry: entry["action"].update(robot="5"))
    answer = cli("diff", str(mine), str(theirs))
    assert answer.code == 1
    assert answer.shown == snapshot(name="one")
    assert cli("--width", "40", "diff", str(mine), str(theirs)).shown == snapshot(name="phone")
    facts = cli("--json", "diff", str(mine), str(theirs)).facts
    assert (facts["what"], facts["common"]) == ("dice", 7)
    assert [side["log"] for side in facts["sides"]] == ["logs/friday.jsonl", "theirs/friday.jsonl"]
    assert [side["dice"] for side in facts["sides"]] == [[[4, 6, 1]], [[4, 6, 2]]]
    assert [side["sound"] for side in facts["sides"]] == [True, False]
    assert facts["sides"][1]["fault"]["rule"] == "control.1"
    assert facts["verdict"] == "logs/friday.jsonl is valid; theirs/friday.jsonl is not."


def cut(letter, entries):
    """The letter without its last entries."""
    lines = letter.read_bytes().splitlines(keepends=True)
    whole = [at for at, line in enumerate(lines) if b'"hash"' in line]
    letter.write_bytes(b"".join(line for at, line in enumerate(lines) if at not in whole[-entries:]))


def told(answer):
    return " ".join((answer.out + answer.err).split())


def test_a_letter_that_lacks_the_end_of_its_log_is_told_where_it_can_be_known(cli, letter, control):
    cut(letter, 1)
    for words in ("-g mail.txt show", "audit mail.txt"):
        assert f"the end of this log is missing: {control} here has 1 entry more" in told(cli(words))
    assert (
        cli("--json audit mail.txt").facts["end"] == f"the end of this log is missing: {control} here has 1 entry more"
    )


def test_whether_a_letter_lacks_its_end_is_said_to_be_known_only_where_it_is(cli, letter, control):
    for words in ("-g mail.txt show", "audit mail.txt"):
        assert f"this log ends where {control} ends" in told(cli(words))
    control.unlink()
    for words in ("-g mail.txt show", "audit mail.txt", "audit -"):
        answer = told(cli(words, stdin=letter.read_bytes()))
        assert "nobody can tell from this file if entries are missing at its end" in answer
        assert "nothing of the log is lost" not in answer
    control.with_name(f"{control.name}.head").rename("mail.txt.head")
    assert "nothing of the log is lost" in told(cli("audit mail.txt"))
    cut(letter, 1)
    assert cli("audit mail.txt").code == 3
    assert "was recorded here, but the log no longer holds it" in told(cli("audit mail.txt"))


def test_what_ones_own_key_has_signed_is_missing_in_a_letter(cli, letter, control, monkeypatch):
    control.unlink()
    monkeypatch.setattr("referee.mail.signing_journal.read_last_signed_entry", lambda _id: (9, "0" * 64))
    assert "the end of this log is missing: your key has signed the log up to entry 9" in told(cli("audit mail.txt"))


def test_a_letter_can_be_compared(cli, letter, control):
    answer = cli("diff mail.txt logs/friday.jsonl")
    assert answer.code == 0
    assert "Mail had changed this log, and the referee reads it as it was: " in answer.out
    assert answer.out.endswith("VERDICT  Both are valid.\n")


def test_faults_in_words_first_and_bytes_last(cli, control, place):
    bad = place / "bad.jsonl"
    bad.write_bytes(control.read_bytes().replace(b'"faces":[2,2,6]', b'"faces":[6,2,6]'))
    lines = cli("audit bad.jsonl").out.splitlines()
    assert lines[:2] == ["FAULT  bad.jsonl, entry 2", "  This entry was changed after it was written."]
    assert [number for number, line in enumerate(lines) if "byte" in line or "bad-hash" in line] == [len(lines) - 2]
    told = cli("-g bad.jsonl show").err
    assert told.index("was changed") < told.index("byte")
    assert "hash" in json.dumps(cli("--json audit bad.jsonl").facts["fault"])
