"""Bad logs that came by mail as well: every damage by every change that mail makes, in text, as data and in a folder.

None of them is a bug in the referee, none is passed over in silence, and none keeps others from being judged.
"""

from __future__ import annotations

import json
import re

import make_corrupt
import pytest
from read_damaged import CHANGES, MAIL, NOT_TRIED, draw_cases, named_commands, try_case
from third_party import installed

from referee.chances import stats
from referee.cli import audit_report
from referee.cli.catalogue import COMMANDS
from referee.record.archive.log_contributions import LogContribution

GOOD = "zoe/good.jsonl"
EACH = 12
"""Each change of mail meets one bad log in so many; `read_damaged.py` tries them all."""
ALWAYS = ("unknown-game", "newer-format", "option-unknown", "flipped-bit-in-game-entry")
"""Bad logs that cannot be opened at their first entry. They meet every change."""


@pytest.fixture(scope="module", autouse=True)
def ambush_is_installed():
    """Secrets are those of a game that is installed beside ours."""
    with installed():
        yield


@pytest.fixture(autouse=True)
def somebody(tmp_path, monkeypatch):
    """Somebody who has no key, or at least none of ours."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


@pytest.fixture
def mailbox(request, tmp_path):
    """Bad logs as they came by mail, each in a folder of its own, for many are of one game; and a good one last."""
    folder, turn = tmp_path / "mailbox", [*MAIL].index(request.param) % EACH
    kept_logs = sorted(make_corrupt.FOLDER.glob("*.jsonl"))
    always = [kept for kept in kept_logs if kept.stem in ALWAYS]
    for kept in dict.fromkeys([*always, *kept_logs[turn::EACH]]):
        put(folder / kept.stem / kept.name, MAIL[request.param](kept.read_bytes()))
    put(folder / GOOD, b"".join(make_corrupt.lines()))
    return folder


def put(path, data):
    path.parent.mkdir(parents=True)
    path.write_bytes(data)


every_mail = pytest.mark.parametrize("mailbox", MAIL, indirect=True)


@every_mail
def test_each_alone_is_told_in_text_and_as_data(mailbox, cli):
    for path in mailbox.glob("*/*.jsonl"):
        text, data = cli("audit", path), cli("--json", "audit", path)
        facts = json.loads(data.out)
        assert (text.code, text.err, data.err) == (data.code, b"", b""), path.stem
        assert text.code in (0, 1, 3), (path.stem, text, data)
        assert text.out.strip(), path.stem
        assert facts["clean"] == (text.code == 0), path.stem


@every_mail
def test_a_folder_of_them_is_judged_whole(mailbox, cli):
    logs = len(list(mailbox.iterdir()))
    text, data = cli("audit", mailbox), cli("--json", "audit", mailbox)
    *rows, last = map(json.loads, data.out.splitlines())
    assert (text.code, data.code) == (3, 3)
    assert f"CLEAN  {mailbox / GOOD}" in text.out.decode()
    assert len({row["log"] for row in rows}) == last["summary"]["logs"] == logs
    assert last["summary"]["bugs"] == 0
    assert sum(line.split("  ")[0].isupper() for line in text.out.decode().splitlines()) >= logs


@every_mail
def test_two_that_are_named_are_both_told(mailbox, cli):
    """The other one is good: it is told after each of those that cannot be opened at all."""
    for name in ALWAYS:
        answer = cli("--json", "audit", mailbox / name / f"{name}.jsonl", mailbox / GOOD)
        bad, good, _ = map(json.loads, answer.out.splitlines())
        assert (bad["clean"], good["clean"]) == (False, True), name
        assert answer.code in (1, 3), name


def test_what_cannot_be_told_stops_no_other(tmp_path, cli, monkeypatch):
    """A bug in telling one row is told of that row; those after it are judged and told."""
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        (tmp_path / name).write_bytes(b"".join(make_corrupt.lines()))
    (tmp_path / "b.jsonl").write_bytes(b"Dear Bo,\n" + b"".join(make_corrupt.lines()))

    def failing(*_):
        raise KeyError("nobody has thought of this")

    monkeypatch.setattr(audit_report, "_describe_missing_end", failing)
    answer = cli("--json", "audit", tmp_path)
    *rows, last = map(json.loads, answer.out.splitlines())
    assert [row["clean"] for row in rows] == [True, False, True]
    assert "nobody has thought of this" in rows[1]["message"]
    assert (answer.code, last["summary"]["logs"], last["summary"]["bugs"]) == (70, 3, 1)


@pytest.mark.parametrize("words", ["stats", "luck", "dice"])
def test_a_log_on_which_work_fails_is_told_and_the_others_are_counted(tmp_path, cli, monkeypatch, words):
    """Forged events may cause any error. It is the log's fault if an audit finds one, and otherwise a bug."""
    for name in ("a.jsonl", "c.jsonl"):
        (tmp_path / name).write_bytes(b"".join(make_corrupt.lines()))
    (tmp_path / "b.jsonl").write_bytes((make_corrupt.FOLDER / "wrong-events.jsonl").read_bytes())
    real = stats.open_log

    def failing(path):
        if path.endswith(("b.jsonl", "c.jsonl")):
            raise KeyError("nobody has thought of this")
        return real(path)

    monkeypatch.setattr(stats, "open_log", failing)
    monkeypatch.setattr(stats, "compute_contributions", lambda traces: [LogContribution(trace.log) for trace in traces])
    answer = cli(words, tmp_path)
    told = (answer.out + answer.err).decode()
    assert f"Not read: {tmp_path / 'b.jsonl'}: " in told
    assert f"The referee failed on {tmp_path / 'c.jsonl'}: KeyError: 'nobody has thought of this'" in told
    assert answer.code == 70
    assert re.search("a.jsonl|Luck in 1 game|in 1 log", told)


def test_a_list_of_logs_holds_one_that_cannot_be_told(tmp_path, cli):
    """It is good as far as it is read, and yet its seat to move is nobody."""
    lines = (make_corrupt.FOLDER / "told-of-nobody.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(b"".join(lines[:-1]))
    (tmp_path / "good.jsonl").write_bytes(b"".join(make_corrupt.lines()))
    for words in (["use"], ["mail", tmp_path]):
        answer = cli(*words)
        assert answer.code == 0, answer
        assert b"good" in answer.out
        assert b"bad.jsonl" in answer.out


@pytest.mark.parametrize(
    ("log", "line", "code", "told"),
    [
        ("told-of-nobody", "use game.jsonl", 3, "from entry 9 on"),
        ("told-of-nobody", "diff game.jsonl game.jsonl", 3, "from entry 9 on"),
        ("pen-handed-to-oneself", "-g - sits red Dee --agreed-by all", 1, "piped in"),
    ],
)
def test_a_log_is_blamed_by_commands_that_open_it_for_themselves(tmp_path, cli, log, line, code, told):
    """It is whole but for its last line; what it says is forged."""
    lines = (make_corrupt.FOLDER / f"{log}.jsonl").read_bytes().splitlines(keepends=True)
    bad = b"".join(lines[:-1])
    (tmp_path / "game.jsonl").write_bytes(bad)
    answer = cli(*line.split(), stdin=bad)
    assert answer.code == code, answer
    assert told.encode() in answer.out + answer.err


DRAWN = 250
"""The number of cases that are drawn; `read_damaged.py` tries them all."""


def test_no_command_calls_itself_faulty_or_is_silent_whatever_log_it_reads(monkeypatch):
    for name in ("COLUMNS", "REFEREE_GAME", "REFEREE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    wrong = {case: told for case in draw_cases(DRAWN, seed=43) if (told := try_case(case))}
    assert wrong == {}


def test_every_command_that_reads_a_log_is_tried():
    assert named_commands() | NOT_TRIED.keys() == set(COMMANDS)
    assert not named_commands() & NOT_TRIED.keys()
    assert len(CHANGES) == len(MAIL) + 1
