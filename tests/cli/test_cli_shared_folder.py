"""A folder of packets that several people share, in which anybody may put anything under any name."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path

import pytest

from referee.cli.arguments import LOG_FOLDER

SHARED = Path("shared")


@pytest.fixture
def packet(cli):
    """A game has been begun and its packet put into the folder; here nothing of it is left but the key."""
    SHARED.mkdir()
    cli("new manoover --mail red --seats Anna,Bo")
    assert cli("mail pack -o shared").code == 0
    shutil.rmtree(LOG_FOLDER)
    Path(".referee").unlink()
    (found,) = SHARED.iterdir()
    return found


def test_what_lies_beside_packets_is_told_in_a_line(cli, packet):
    for name in ("a.png", "b.png", "c.png", "d.png", "e.png"):
        (SHARED / name).write_bytes(b"a picture")
    told = cli("--json open -n shared").facts
    assert told["trouble"][0] == "'a.png': This text holds no packet."
    line = "'a.png', 'b.png', 'c.png' and 2 more: This text holds no packet.\n"
    assert line in cli("mail open shared").out
    packet.unlink()
    assert (cli("mail open shared").code, cli("mail open shared").err) == (3, line)


NAMES = [
    b"..\\x",
    b"\x1b[2J\x1b]0;x\x07.txt",
    b"a\nb.txt",
    b"\xff\xfe.txt",
    "\u202etxt.exe".encode(),
    b"-n",
    b"--theirs",
    b" ",
]
NAMES += [b"x" * 255, b"~", b"$HOME", b".hidden", b"%s", b"\xed\xa0\x80", b"con", b"a\rb", "\u0661".encode()]


@pytest.mark.parametrize("name", NAMES, ids=repr)
@pytest.mark.parametrize("words", ["open shared", "--json open shared", "open -n shared"])
def test_names_of_any_bytes(cli, packet, name, words):
    """The packet is opened, and the terminal obeys no name."""
    Path(os.fsdecode(bytes(SHARED) + b"/" + name)).write_bytes(b"nothing")
    answer = cli(words)
    assert answer.code == 0, answer.shown
    assert "This text holds no packet" in answer.out
    assert all(char.isprintable() or char == "\n" for char in answer.out + answer.err)
    assert Path("logs").exists() == ("-n" not in words)
    if "--json" in words:
        assert json.loads(answer.out)["trouble"]


def fifo(path):
    os.mkfifo(path)


def listening(path):
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(path))


def cannot_be_read(path):
    path.write_bytes(b"x")
    path.chmod(0)


THINGS = {
    "a fifo": fifo,
    "a socket": listening,
    "a folder": Path.mkdir,
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a folder": lambda path: path.symlink_to("/"),
    "a link to a fifo": lambda path: (fifo(SHARED.parent / "pipe"), path.symlink_to(Path("pipe").absolute())),
    "a file that may not be read": cannot_be_read,
    "an empty file": Path.touch,
    "a long file": lambda path: path.write_bytes(b"\0" * (17 * 2**20)),
}


@pytest.mark.skipif(os.name == "nt", reason="there are no such things")
@pytest.mark.parametrize("thing", THINGS)
def test_what_is_no_mail_keeps_nobody_from_the_others(cli, packet, thing):
    THINGS[thing](SHARED / "0 first.txt")
    assert cli("mail open shared").code == 0
    assert len(list(LOG_FOLDER.glob("*.jsonl"))) == 1
    assert cli("audit").code == 0


@pytest.mark.parametrize("thing", ["a fifo", "a socket", "a link to nowhere", "a link to itself", "a link to a device"])
def test_what_is_named_and_no_file_is_told(cli, packet, thing):
    THINGS[thing](SHARED / "it")
    answer = cli("mail open shared/it")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.count("\n") == 1


def test_a_file_that_goes_away_meanwhile(cli, packet, monkeypatch):
    """Somebody tidies the folder up while it is being read."""
    (SHARED / "0 first.txt").write_bytes(b"nothing")
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda self: [*listed(self), SHARED / "gone.txt"])
    monkeypatch.setattr(Path, "is_file", lambda self: True)
    answer = cli("mail open shared")
    assert (answer.code, answer.err) == (0, "")
    assert "'gone.txt': No such file or directory." in answer.out


def test_what_is_written_goes_through_no_link(cli, packet):
    """Who knows how a packet will be called puts a link there first."""
    assert cli("mail open shared").code == 0
    victim, name = Path("victim.txt"), packet.name
    victim.write_bytes(b"precious")
    packet.unlink()
    (SHARED / name).symlink_to(victim.absolute())
    assert cli("mail pack -o shared").code == 0
    assert victim.read_bytes() == b"precious"
    assert (SHARED / f"{packet.stem}-2.txt").is_file()
    assert (SHARED / name).is_symlink()


@pytest.mark.parametrize("onto", ["nowhere/there", "victim.txt", "/dev/null"])
def test_a_packet_needs_a_folder(cli, packet, onto):
    cli("mail open shared")
    Path("victim.txt").write_bytes(b"precious")
    answer = cli(f"mail pack -o {onto}")
    assert answer.code in (2, 3)
    assert (answer.out, answer.err.count("\n")) == ("", 1)
    assert Path("victim.txt").read_bytes() == b"precious"
