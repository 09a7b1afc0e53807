"""What people do without Python: two homes and a shell, a signature and ssh-keygen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from players import Player, at_random, seated
from post_office import PostOffice

from referee.mail.envelope import letters_in, wrapped
from referee.mail.packet import parse_packet
from referee.record.archive.audit import audit
from referee.record.log.entry import SealEntry
from referee.record.table.start import open_log

SCRIPTS = Path(__file__).parents[1] / "scripts"
BY_MAIL = Path(__file__).parents[2] / "fixtures" / "manoover" / "games" / "15-by-mail.jsonl"
needs_ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed here")


def shell(script, *words, **env):
    """Run one of the scripts."""
    line = ["sh", str(SCRIPTS / script), *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, env={**os.environ, **env}, check=False)


def test_two_homes_and_a_shell(tmp_path):
    referee = Path(sys.executable).with_name("referee")
    done = shell("by_mail.sh", tmp_path, 4, REFEREE=str(referee), PYTHON=sys.executable)
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
    assert red.session.moment().turn > 3
    assert audit(red.log).fault is None
    assert red.log.read_bytes().startswith(blue.log.read_bytes())


def posted(post: PostOffice, writer: Player, other: Player) -> None:
    """Send what is new as a mail, and open it as it lies in the other's Maildir."""
    post.send(writer.seat, other.seat, f"Your turn!\n\n{wrapped(writer.sends().spelt())}")
    (letter,) = letters_in(post.mails_of(other.seat)[-1]).whole
    assert other.receives(parse_packet(letter)).situation == "new"
