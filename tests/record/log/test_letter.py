"""Logs that came by mail: what mail does to text is undone where nothing is lost, and nothing altered is accepted."""

from __future__ import annotations

import random

import pytest
from make_corrupt import lines

from referee.record.archive.audit import audit
from referee.record.log.line_format import LINE_START
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.log.mail_damage import RecoveredLog
from referee.record.table.opening_logs import branch, extract_mailed_log, open_log
from referee.record.table.recording import record_note

GREETING = "Dear Bo,\r\n\r\nhere is our game. I hope > you < are well — Zoë\r\n\r\n".encode()
FOOTER = b"-- \nAnna\nSent from my telephone\n"
LOG = b"".join(lines())


def each(change):
    return b"".join(change(line) for line in lines())


LOSSLESS = {
    "windows": (LOG.replace(b"\n", b"\r\n"), ("Windows line ends",)),
    "windows in one line": (LOG.replace(b"\n", b"\r\n", 4).replace(b"\r\n", b"\n", 3), ("Windows line ends",)),
    "mark": (b"\xef\xbb\xbf" + LOG, ("an invisible mark at its beginning",)),
    "greeting": (GREETING + LOG, ("text before it", "Windows line ends")),
    "footer": (LOG + FOOTER, ("text after it",)),
    "both": (b"Bo,\n" + LOG + b"\n" + FOOTER, ("text before it", "text after it")),
    "quoted": (each(lambda line: b"> " + line), ("lines quoted with >",)),
    "quoted twice": (each(lambda line: b">> " + line), ("lines quoted with >",)),
    "quoted, then answered": (b"Fine!\n> Bo, \n>\n" + each(lambda line: b"> " + line), None),
    "indented": (each(lambda line: b"\t " + line), ("blanks around its lines",)),
    "trailing": (LOG.replace(b"\n", b" \t\n"), ("blanks around its lines",)),
    "double spaced": (LOG.replace(b"\n", b"\n\n"), ("empty lines",)),
    "one line feed more": (LOG + b"\n", ("empty lines",)),
    "no last line feed": (LOG.replace(b"\n", b"\r\n")[:-2], ("Windows line ends",)),
}
LOST = {
    "wrapped": LOG.replace(b",", b",\n"),
    "wrapped once": LOG.replace(b'"rolls"', b'\r\n"rolls"', 1),
    "wrapped at 76": b"".join(b"\n".join(line[at : at + 76] for at in range(0, len(line), 76)) for line in lines()),
    "wrapped and quoted": b"> " + LOG.replace(b"\n", b"\n> ").replace(b',"n"', b',\n> "n"'),
    "soft breaks": LOG.replace(b'"entry":', b'"en=\ntry":'),
    "quotation marks": LOG.decode().replace('"', "“").encode(),
}
DAMAGED = {
    "an entry cut off before the signature": LOG[:-40] + b"\n" + FOOTER,
    "the first byte of the last entry": LOG.replace(lines()[-1], b"x" + lines()[-1][1:]) + FOOTER,
    "the first byte of the first entry": GREETING + b"x" + LOG[1:],
    "the first ten bytes of the last entry": LOG.replace(lines()[-1], b"x" * 10 + lines()[-1][10:]) + FOOTER,
    "a remark between": b"".join([GREETING, *lines()[:4], b"here I was not sure\n", *lines()[4:]]),
    "two copies": LOG + b"\nAnna wrote:\n" + LOG,
    "a changed letter": GREETING + LOG.replace(b"note", b"mote"),
    "a changed face": LOG.replace(b"\n", b"\r\n").replace(b'"faces":[', b'"faces":[6,', 1),
    "an entry taken out": b"".join([GREETING, *lines()[:4], *lines()[5:]]),
    "blanks made hard": LOG.replace(b" ", "\u00a0".encode()).replace(b"\n", b"\r\n"),
    "zeros": LOG.replace(b"\n", b"\r\n") + bytes(100),
}


def put(tmp_path, data):
    path = tmp_path / "letter.txt"
    path.write_bytes(data)
    return path


def as_parameters(table):
    return pytest.mark.parametrize("name", table)


@as_parameters(LOSSLESS)
def test_what_can_be_undone_is_read_as_it_was(name, tmp_path):
    data, undone = LOSSLESS[name]
    path = put(tmp_path, data)
    report, session = audit(path), open_log(path)
    assert (report.fault, report.entries) == (None, 10)
    assert session.letter == RecoveredLog(LOG, report.undone)
    assert undone in (None, report.undone)
    assert report.undone
    assert path.read_bytes() == data


@as_parameters(LOST)
def test_what_cannot_be_undone_is_said(name, tmp_path):
    path = put(tmp_path, LOST[name])
    fault = audit(path).fault
    assert (fault.code, fault.is_unreadable) == ("mangled", True)
    assert "ask for the log as an attachment" in fault.cause
    with pytest.raises(FaultError, match="mangled"):
        open_log(path)


@as_parameters(DAMAGED)
def test_nothing_altered_is_accepted(name, tmp_path):
    path = put(tmp_path, DAMAGED[name])
    assert audit(path).fault
    with pytest.raises(FaultError):
        open_log(path)


@pytest.mark.parametrize("seed", range(40))
def test_damage_at_random_is_found_in_a_letter_too(seed, tmp_path):
    """Any byte within the log changed, or any run of bytes taken out: found, or the very same log is read."""
    rng = random.Random(seed)
    mailed = bytearray(each(lambda line: b"> " + line.replace(b"\n", b"\r\n")))
    at = rng.randrange(mailed.index(LINE_START), len(mailed))
    if seed % 2:
        mailed[at] ^= 1 << rng.randrange(8)
    else:
        del mailed[at : at + rng.randrange(1, 40)]
    path = put(tmp_path, GREETING + bytes(mailed) + FOOTER)
    if audit(path).fault is None:
        assert open_log(path).letter.log == LOG


def test_a_log_as_it_was_written_is_no_letter(tmp_path):
    session = open_log(put(tmp_path, LOG))
    assert session.letter is None
    with pytest.raises(NotAllowedError, match="did not come in a mail"):
        extract_mailed_log(session, tmp_path / "out.jsonl")


def test_nothing_is_added_to_a_letter(tmp_path):
    data = GREETING + LOG
    session = open_log(put(tmp_path, data))
    with pytest.raises(NotAllowedError, match="first take the log out: referee use FILE -o LOG"):
        record_note(session, "hello")
    assert session.path.read_bytes() == data


def test_a_log_taken_out_of_a_letter_is_the_one_that_was_sent(tmp_path):
    session = extract_mailed_log(open_log(put(tmp_path, GREETING + LOG + FOOTER)), tmp_path / "out.jsonl")
    assert session.path.read_bytes() == LOG
    record_note(session, "goes on")
    assert audit(session.path).fault is None
    with pytest.raises(FileExistsError):
        extract_mailed_log(open_log(tmp_path / "letter.txt"), tmp_path / "out.jsonl")


def test_a_letter_is_branched_from_its_log(tmp_path):
    session = branch(open_log(put(tmp_path, GREETING + LOG)), "b", at=3, path=tmp_path / "b.jsonl")
    assert session.path.read_bytes().startswith(b"".join(lines()[:4]))
    assert audit(session.path).fault is None


def test_a_letter_that_lacks_what_was_acknowledged_here_is_told_so(control, tmp_path):
    """The memory of a log is asked about what is taken out of a letter, too."""
    data = control.path.read_bytes()
    record_note(control, "one more")
    control.path.write_bytes(GREETING + data)
    assert audit(control.path).fault.code == "lost-tail"
    with pytest.raises(FaultError, match="lost-tail"):
        open_log(control.path)
