"""Every exit code, what goes to which stream, and that a no writes nothing."""

import re

import pytest
from support import PACKAGE

from referee.cli.audit_report import CLEAN, FAULT, RULES_DIFFER, SO_FAR, UNDER_OLD_RULES, UNREAD, UNSETTLED_STATUSES
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.session import Session

NO = {
    "dice-none-due": "roll 3",
    "refused": "do 3 go",
    "refused-later": "do 6 go, 5 go",
    "not-your-turn": "do --by blue 2 go",
    "why-refused": "why 3 go",
    "no-such-rule": "rules xyzzy",
    "audit-fault": "audit tampered.jsonl",
    "differ": "diff logs/friday.jsonl shorter.jsonl",
}
NOT_ALLOWED = {
    "undo-not-agreed": "undo",
    "undo-too-many": "undo 9 --agreed-by blue",
    "amend-not-agreed": "fix --from now.json --why slip --agreed-by red",
    "amend-impossible": "fix --from bad.toml --why slip --agreed-by red,blue",
    "log-exists": "new manoover -o logs/friday.jsonl",
    "too-many-seats": "new manoover --seats a,b,c -o logs/x.jsonl",
    "no-such-seat": "new manoover --seats pink=Anna -o logs/x.jsonl",
    "bad-name": "new manoover --seats '\u3164,Bo' -o logs/x.jsonl",
    "branch-exists": "branch again -o logs/friday.jsonl",
    "branch-name": "branch 'what if'",
    "empty-note": "note ''",
    "piped-note": "-g - note hello",
}
NOT_UNDERSTOOD = {
    "command": "frobnicate",
    "option": "show --loud",
    "missing": "why",
    "extra": "show it",
    "misread": "do 2 trun ne",
    "misread-why": "why 2 trun ne",
    "nothing-said": "do",
    "no-number": "--at soon show",
    "no-entry": "--at 99 show",
    "past": "--at 1 do 6 go",
    "color": "--color pink show",
    "form": "show --as pdf",
    "span": "log a..b",
    "seat": "do --by pink 2 go",
    "dice-no-face": "do 6 go --dice x",
    "dice-too-many": "do 6 go --dice 3,6",
    "schema": "schema dragon",
    "game": "new chess",
    "game-option": "new manoover --option colour=pink",
    "game-option-value": "new manoover --option ties=pink",
    "game-options-together": "new manoover --option start=garage",
    "dice-mode": "new manoover --dice loaded",
    "seed": "new manoover --seed 12",
    "seed-at-table": f"new manoover --dice table --seed {'0' * 64}",
    "position-toml": "new manoover --from letter.toml",
}
UNREADABLE = {
    "no-file": "-g nowhere.jsonl show",
    "folder": "-g logs show",
    "letter": "-g letter.toml show",
    "empty": "-g empty.jsonl show",
    "newer": "-g newer.jsonl show",
    "tampered": "-g tampered.jsonl show",
    "lost-tail": "-g lost.jsonl show",
    "audit-no-file": "audit nowhere.jsonl",
    "diff-no-file": "diff logs/friday.jsonl nowhere.jsonl",
    "position-no-file": "new manoover --from nowhere.toml",
    "board-no-file": "new manoover --board nowhere.toml",
    "stdin-empty": "-g - show",
}


@pytest.fixture
def files(cli, control, place, forge):
    """Files that commands of the tables above stumble over; the log they must leave alone."""
    cli("show --as position -o now.json")
    (place / "bad.toml").write_text('turn = "red"\nrobots = ["R1 z9 N", "B1 a1 S"]\noff = "rest"\n')
    (place / "letter.toml").write_text("Dear Bo, it is your turn.\n")
    (place / "empty.jsonl").write_bytes(b"")
    data = control.read_bytes()
    (place / "tampered.jsonl").write_bytes(data.replace(b'"faces":[2,2,6]', b'"faces":[6,2,6]'))
    lines = data.splitlines(keepends=True)
    (place / "shorter.jsonl").write_bytes(b"".join(lines[:2]))
    (place / "lost.jsonl").write_bytes(b"".join(lines[:2]))
    (place / "lost.jsonl.head").write_bytes(control.with_name("friday.jsonl.head").read_bytes())
    forge(control, place / "newer.jsonl", 0, lambda entry: entry.update(format=9))
    return control


def of(table):
    return pytest.mark.parametrize("words", table.values(), ids=table.keys())


def check_left_alone(cli, files, words, code, stdin=b""):
    """Run, and make sure that the log is as it was and nothing looks like a crash."""
    before = files.read_bytes()
    answer = cli(words, stdin=stdin)
    assert answer.code == code, answer.shown
    assert files.read_bytes() == before
    assert not list(files.parent.glob("manoover-*")), "no half-started game"
    assert "Traceback" not in answer.out + answer.err
    assert "bug" not in answer.err
    return answer


@pytest.mark.parametrize(
    "words", ["", "show", "legal", "why 6 go", "do 6 go", "do -n 6 go", "log", "audit", "use", "note hello"]
)
def test_0_done_legal_clean(cli, control, words):
    answer = cli(words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out


@of(NO)
def test_1_the_answer_is_no_on_stdout(cli, files, words):
    answer = check_left_alone(cli, files, words, 1)
    assert answer.out
    assert answer.err == ""


@of(NOT_ALLOWED)
def test_1_not_allowed_in_one_sentence(cli, files, words):
    answer = check_left_alone(cli, files, words, 1, files.read_bytes())
    assert answer.err == ""
    assert answer.out.startswith("Not ")


@of(NOT_UNDERSTOOD)
def test_2_not_understood(cli, files, words):
    answer = check_left_alone(cli, files, words, 2)
    assert answer.out == ""
    assert answer.err


@of(UNREADABLE)
def test_3_unreadable(cli, files, words):
    answer = check_left_alone(cli, files, words, 3)
    assert answer.out == ""
    assert len(answer.err.splitlines()) == 1


def test_3_audit_of_an_unreadable_log_is_a_verdict(cli, files):
    answer = check_left_alone(cli, files, "audit empty.jsonl", 3)
    assert answer.out.startswith("UNREADABLE")
    assert answer.err == ""


def test_3_audit_tells_the_worst_of_several(cli, files):
    answer = check_left_alone(cli, files, "audit logs/friday.jsonl tampered.jsonl empty.jsonl", 3)
    assert [line.split()[0] for line in answer.out.splitlines() if line[:1].isalpha()] == [
        "CLEAN",
        "FAULT",
        "UNREADABLE",
    ]


@pytest.mark.parametrize("words", ["show", "legal", "do 6 go", "roll", "log", "audit", "branch x", "--json"])
def test_4_no_game(cli, place, words):
    answer = cli(words)
    assert answer.code == 4
    told = answer.out if words == "--json" else answer.err
    assert "referee new GAME" in told
    assert told == answer.out + answer.err
    assert not list(place.iterdir())


def test_4_several_games(cli, control, place):
    cli("new manoover -o logs/second.jsonl")
    (place / ".referee").unlink()
    answer = cli("show")
    assert (answer.code, answer.out) == (4, "")
    assert "friday.jsonl" in answer.err
    assert "second.jsonl" in answer.err


@pytest.mark.parametrize("words", ["do 6 go", "note hello", "undo --agreed-by blue", "do 6 go, 2 go"])
def test_5_the_log_moved_on_underneath(cli, control, monkeypatch, words):
    append = Session.append

    def late(session, drafts):
        monkeypatch.setattr(Session, "append", append)
        record_note(open_log(control), "Bo was faster")
        append(session, drafts)

    monkeypatch.setattr(Session, "append", late)
    answer = cli(words)
    assert (answer.code, answer.out) == (5, "")
    assert len(answer.err.splitlines()) == 1
    assert [entry.by for entry in open_log(control).entries][3:] == ["referee"], "only what the other one wrote"


def test_70_a_bug(cli, control, monkeypatch):
    def broken(session, at=None):
        raise ZeroDivisionError("division by\x1b[31m zero")

    monkeypatch.setattr(Session, "moment", broken)
    before = control.read_bytes()
    answer = cli("show")
    assert (answer.code, answer.out) == (70, "")
    assert "ZeroDivisionError" in answer.err
    assert "REFEREE_DEBUG" in answer.err
    assert "Traceback" not in answer.err
    assert control.read_bytes() == before


def test_70_a_bug_shown_whole(cli, control, monkeypatch):
    monkeypatch.setattr(Session, "moment", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        cli("show", env={"REFEREE_DEBUG": "1"})


@pytest.mark.parametrize(
    ("words", "code"), [("do 2 trun ne", 2), ("-g nowhere.jsonl show", 3), ("undo", 1), ("--at 99 show", 2)]
)
def test_errors_as_json(cli, control, words, code):
    answer = cli(f"--json {words}")
    assert (answer.code, answer.err) == (code, "")
    assert answer.facts["exit"] == code
    assert answer.facts["message"]


def test_the_manual_explains_every_verdict():
    chapter = (PACKAGE / "manual" / "record.md").read_text("utf-8")
    verdicts = {FAULT, UNREAD, CLEAN, SO_FAR, *UNSETTLED_STATUSES, UNDER_OLD_RULES, RULES_DIFFER}
    rows = [row for verdict in verdicts for row in chapter.splitlines() if re.match(rf"\| {verdict}( 1)? \|", row)]
    assert len(rows) == len(verdicts)
