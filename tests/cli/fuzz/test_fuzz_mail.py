"""Mail from somebody who writes what he likes and signs it: told in a sentence, and what is refused changes no log."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import rmtree

import letters
import msgspec
import spoilt
from corrupt import mailed
from hypothesis import given
from hypothesis import strategies as st
from spoilt import FEWER, check_answer

from referee.mail import settings_folder
from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.key import format_backup_line, restore_key
from referee.record.archive.audit import audit, audit_stream
from referee.record.archive.equivocation import encode_equivocation, find_equivocation, parse_equivocation
from referee.record.log.log_errors import LogError
from referee.record.table.opening_logs import open_stream

RANDOM = st.randoms(use_true_random=False)
LOOKS = ("", "mail", "show", "log", "log --json", "legal", "replay", "audit", "--json audit", "pack", "pack --from 0")
LOOKS += (
    "undo",
    "join blue",
    "agree",
    "refuse",
    "done",
    "resign",
    "finish red",
    "note so",
    "diff good.jsonl",
    "reveal",
)
LOOKS += ("reveal", "branch x", "mail --json", "pack --to red", "join red --lost-key", "roll", "auto")
OPENINGS = tuple(f"open {option} mail.txt" for option in ("", "-n", "--theirs", "--again", "--json"))


def moved_in(rng):
    """An empty folder, and a home in which lies the key of one of the players, or none."""
    for path in Path().iterdir():
        rmtree(path) if path.is_dir() else path.unlink()
    rmtree(settings_folder.find_settings_folder(), ignore_errors=True)
    who = rng.choice(["red", "blue", "nobody"])
    if who != "nobody":
        restore_key(format_backup_line(mailed.key_of(who)))


def logs_here():
    return {path: path.read_bytes() for path in Path().rglob("*") if path.suffix in (".jsonl", ".vault")}


@FEWER
@given(rng=RANDOM)
def test_a_spoilt_game_by_mail_is_told_in_a_sentence(cli_anywhere, rng):
    moved_in(rng)
    log = b"".join(letters.lines_of(letters.spoilt(rng)))
    report = audit_stream(BytesIO(log))
    assert not report.fault or report.fault.clause
    try:
        open_stream(BytesIO(log))
    except LogError:
        assert report.fault, "what cannot be read does not audit clean"
    Path("spoilt.jsonl").write_bytes(log)
    Path("good.jsonl").write_bytes(b"".join(letters.lines_of(letters.base().documents)))
    answer = cli_anywhere(*f"-g spoilt.jsonl {rng.choice(LOOKS)}".split())
    check_answer(answer)
    if answer.code and not report.fault:
        now = Path("spoilt.jsonl").read_bytes()  # what nobody decides is recorded before anything else is looked at
        assert now == log or (now.startswith(log) and audit("spoilt.jsonl").fault is None), answer.shown


@FEWER
@given(rng=RANDOM)
def test_a_spoilt_packet_changes_nothing_or_is_sound(cli_anywhere, rng):
    """Whoever opens it has the first entries of the game, or none, or others."""
    moved_in(rng)
    good = letters.lines_of(letters.base().documents)
    mine = good[: rng.choice([0, 0, *range(2, len(good) + 1)])]
    if mine:
        Path("logs").mkdir()
        Path("logs/a.jsonl").write_bytes(b"".join(mine))
    lines = letters.lines_of(letters.spoilt(rng)) if rng.randrange(4) else good
    data = (
        letters.packet(rng, lines, rng.choice([0, min(len(mine), len(lines)), rng.randrange(len(lines) + 1)]))
        if lines
        else b""
    )
    if rng.randrange(3) == 0:
        data = spoilt.blurred(rng, data)
    text = encode_ascii_armor(data).encode()
    Path("mail.txt").write_bytes(spoilt.blurred(rng, text) if rng.randrange(3) == 0 else text)
    before = logs_here()
    answer = cli_anywhere(*rng.choice(OPENINGS).split())
    check_answer(answer)
    after = logs_here()
    if answer.code:
        assert after == before, answer.shown
    for log in after:
        if after[log] != before.get(log):
            assert audit(log).fault is None
            assert log.name.startswith("a.aside-") or "-n" not in answer.words


def proof():
    """Proof that red has signed two entries with one number."""
    opening, join, seal, *_ = letters.base().documents
    note = {"at": seal["at"], "by": "red", "type": "note", "text": "otherwise"}
    one, other = letters.lines_of([opening, join, seal]), letters.lines_of([opening, join, note, seal])
    found = find_equivocation(one[0][9:73].decode(), "red", mailed.key_of("red").public, 2, (one[2:], other[2:]))
    assert found, "both are signed"
    return found


@FEWER
@given(rng=RANDOM)
def test_a_spoilt_proof_proves_nothing_new(cli_anywhere, rng):
    """Nothing can be made of it that somebody else, another key or another game is blamed for."""
    good = proof()
    if rng.randrange(3) == 0:
        data = spoilt.blurred(rng, encode_equivocation(good))
    else:
        document = msgspec.to_builtins(good)
        pool = spoilt.pool_of([document, letters.base().documents])
        for _ in range(rng.randrange(1, 4)):
            spoilt.change(rng, *rng.choice(list(spoilt.places(document))), pool)
        data = spoilt.document_bytes(document)
    Path("proof.json").write_bytes(data)
    answer = cli_anywhere(rng.choice(["audit proof.json", "--json audit proof.json"]))
    check_answer(answer)
    if answer.code == 0:
        told = parse_equivocation(data)
        assert (told.seat, told.key, told.game) == (good.seat, good.key, good.game)


def test_the_proof_itself_is_one(cli_anywhere):
    Path("proof.json").write_bytes(encode_equivocation(proof()))
    assert "PROVEN" in cli_anywhere("audit proof.json").out
