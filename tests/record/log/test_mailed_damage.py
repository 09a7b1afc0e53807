"""Bad logs that came by mail as well: every damage by every change that mail makes, in text, as data and in a folder.

None of them is a bug in the referee, none is passed over in silence, and none keeps others from being judged.
"""

from __future__ import annotations

import json
import quopri

import make_corrupt
import pytest
from third_party import installed

from referee.cli import reports

GOOD = "zoe/good.jsonl"
BREAK = 76


def each(change):
    return lambda data: b"\n".join(map(change, data.split(b"\n")))


def wrapped(data):
    lines = data.split(b"\n")
    return b"\n".join(line[at : at + BREAK] for line in lines for at in range(0, max(1, len(line)), BREAK))


MAIL = {
    "line ends of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "quoted": each(lambda line: b"> " + line),
    "a greeting": lambda data: b"Dear Bo,\n\nhere it is > all of it.\n\n" + data,
    "a signature": lambda data: data + b"\n-- \nAnna\n",
    "blank lines": lambda data: data.replace(b"\n", b"\n\n"),
    "answered, in Windows": lambda data: b"\xef\xbb\xbfThanks!\r\n" + each(lambda line: b"> " + line + b"\r")(data),
    "wrapped": wrapped,
    "quoted-printable": quopri.encodestring,
    "other quotation marks": lambda data: data.replace(b'"', "\u201c".encode()),
    "hard blanks": lambda data: data.replace(b" ", "\u00a0".encode()),
}


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
    """All bad logs as they came by mail, each in a folder of its own, for many are of one game; and a good one last."""
    folder = tmp_path / "mailbox"
    for kept in make_corrupt.FOLDER.glob("*.jsonl"):
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
    for name in ("unknown-game", "newer-format", "option-unknown", "flipped-bit-in-game-entry"):
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

    monkeypatch.setattr(reports, "_end_told", failing)
    answer = cli("--json", "audit", tmp_path)
    *rows, last = map(json.loads, answer.out.splitlines())
    assert [row["clean"] for row in rows] == [True, False, True]
    assert "nobody has thought of this" in rows[1]["message"]
    assert (answer.code, last["summary"]["logs"], last["summary"]["bugs"]) == (70, 3, 1)
