"""What people do without Python: two homes and a shell, a signature and ssh-keygen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from players import Player, at_random, exchanged, seated
from post_office import PostOffice

import referee
from referee.mail.ascii_armor import encode_ascii_armor, read_mailed_packets
from referee.mail.packet import parse_packet
from referee.record.archive.audit import audit
from referee.record.log.entry import AnswerEntry, PlayEntry, SealEntry
from referee.record.table.opening_logs import open_log

SCRIPTS = Path(__file__).parents[1] / "scripts"
BY_MAIL = Path(__file__).parents[2] / "fixtures" / "manoover" / "games" / "15-by-mail.jsonl"
CHAPTER = Path(referee.__file__).parent / "manual" / "dice.md"
needs_ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed here")


def shell(script, *words, **env):
    """Run one of the scripts."""
    line = ["sh", str(SCRIPTS / script), *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, env={**os.environ, **env}, check=False)


def test_two_homes_and_a_shell(tmp_path):
    program = Path(sys.executable).with_name("referee")
    done = shell("by_mail.sh", tmp_path, 4, REFEREE=str(program), PYTHON=sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("4 turns by mail; bo has what anna has\n")
    assert done.stdout.count("CLEAN") == 2


def seals():
    return [entry for entry in open_log(BY_MAIL).entries if isinstance(entry, SealEntry)]


@needs_ssh_keygen
@pytest.mark.parametrize("at", [0, 1, -1])
def test_ssh_keygen_finds_a_signature_good(at):
    seal = seals()[at]
    done = shell("check_seal.sh", BY_MAIL, seal.n)
    assert (done.returncode, done.stderr) == (0, "")
    assert f'Good "referee" signature for {seal.by}' in done.stdout


@needs_ssh_keygen
@pytest.mark.parametrize(("old", "new"), [('"to":"blue"', '"to":"red"'), ('"by":"red"', '"by":"blue"')])
def test_ssh_keygen_finds_a_changed_entry(tmp_path, old, new):
    seal = next(seal for seal in seals() if (seal.by, seal.to) == ("red", "blue") and seal.n > 10)
    lines = BY_MAIL.read_text("utf-8").splitlines(keepends=True)
    assert old in lines[seal.n]
    lines[seal.n] = lines[seal.n].replace(old, new)
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(lines), "utf-8", newline="\n")
    assert shell("check_seal.sh", changed, seal.n).returncode != 0


def throws(log):
    """The entries in which open dice were thrown by all together."""
    entries = open_log(log).entries
    return [entry for entry in entries if isinstance(entry, PlayEntry) and any(roll.to is None for roll in entry.rolls)]


@pytest.mark.parametrize("at", [0, 1, 2, -1])
def test_openssl_works_out_the_same_dice(at):
    """The second and the third are made of what is left of the first throw."""
    throw = throws(BY_MAIL)[at]
    done = shell("check_dice.sh", BY_MAIL, throw.n)
    assert (done.returncode, done.stderr) == (0, "")
    faces = ",".join(map(str, throw.rolls[0].faces))
    assert done.stdout.endswith(f"d6 {faces} in the log: {faces}\n")


@pytest.mark.parametrize(
    ("game", "seats", "options", "derivation"),
    [
        ("zombies", ("red", "blue", "green"), {"players": "3"}, 1),
        ("zombies", ("red", "blue", "green"), {"players": "3"}, 2),
        ("mutants", ("human", "mutant"), {}, 2),
        ("sheboygan", ("human", "monster"), {}, 1),
    ],
)
def test_openssl_works_out_other_dice_and_those_of_more_seats(tmp_path, game, seats, options, derivation):
    table, random = seated(tmp_path, *seats, game=game, options=options, derivation=derivation), Random(7)
    while len(throws(table[0].log)) < 6:
        exchanged(table, random)
    for throw in throws(table[0].log)[-3:]:
        done = shell("check_dice.sh", table[0].log, throw.n)
        assert (done.returncode, done.stderr) == (0, "")


CHANGES = {
    "a face": lambda line: re.sub(rb'"faces":\[(\d)', lambda m: b'"faces":[%d' % (int(m[1]) % 6 + 1), line),
    "what a seat gave": lambda line: re.sub(rb'"value":"..', b'"value":"00', line),
    "when it was given": lambda line: line.replace(b"2026", b"2025"),
}


@pytest.mark.parametrize(
    ("name", "kind"), [("a face", PlayEntry), ("what a seat gave", AnswerEntry), ("when it was given", AnswerEntry)]
)
def test_openssl_finds_other_dice(tmp_path, name, kind):
    throw = throws(BY_MAIL)[0]
    lines = BY_MAIL.read_bytes().splitlines(keepends=True)
    at = throw.n if name == "a face" else next(e.n for e in open_log(BY_MAIL).entries if isinstance(e, AnswerEntry))
    lines[at] = CHANGES[name](lines[at])
    (tmp_path / "changed.jsonl").write_bytes(b"".join(lines))
    assert shell("check_dice.sh", tmp_path / "changed.jsonl", throw.n).returncode == 1


def told(text):
    """A text without what hangs on keys: hashes, words of keys, faces."""
    return re.sub(r"[0-9a-f]{64}|SHA256:\S+|[0-9]+(,[0-9]+)+", "...", text).split()


@needs_ssh_keygen
def test_the_chapter_on_dice_says_what_happens(tmp_path):
    for script in ("check_dice.sh", "check_seal.sh"):
        shutil.copy(SCRIPTS / script, tmp_path)
    shutil.copy(BY_MAIL, tmp_path / "game.jsonl")
    blocks = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", CHAPTER.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    for typed, shown in blocks:
        done = subprocess.run(typed, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert told(done.stdout) == told(shown)


def test_through_a_real_mail_server(tmp_path):
    red, blue = seated(tmp_path, "red", "blue", luck="red goes first 1")
    office = tmp_path / "office"
    office.mkdir()
    with PostOffice(office) as post:
        for turn in range(5):
            writer, other = (blue, red) if turn % 2 == 0 else (red, blue)
            if turn:
                writer.plays(at_random, Random(turn))
            posted(post, writer, other)
    assert len(post.mails_of("red")) == 3
    assert red.session.moment().facts.turn > 3
    assert audit(red.log).fault is None
    assert red.log.read_bytes().startswith(blue.log.read_bytes())


def posted(post: PostOffice, writer: Player, other: Player) -> None:
    """Send what is new as a mail, and open it as it lies in the other's Maildir."""
    post.send(writer.seat, other.seat, f"Your turn!\n\n{encode_ascii_armor(writer.sends().encode())}")
    (letter,) = read_mailed_packets(post.mails_of(other.seat)[-1]).whole
    assert other.receives(parse_packet(letter)).situation == "new"
