"""A player's own key from the command line: made, shown, taken from ssh-keygen, backed up, brought back."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from referee.mail.key import format_backup_line, read_own_key
from referee.mail.settings_folder import find_settings_folder

needs_ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed here")
VARIABLES = ("HOME", "XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")


@pytest.fixture
def made(cli):
    """A key that was made just now."""
    answer = cli("key --make")
    assert answer.code == 0, answer.err
    return read_own_key()


@pytest.fixture
def elsewhere(home, monkeypatch):
    """Go to another computer."""

    def go():
        for name in VARIABLES:
            monkeypatch.setenv(name, str(home.with_name(f"{home.name}-elsewhere")))

    return go


def test_who_has_no_key_is_told_how_to_make_one(cli, home):
    for words in ("key", "key --backup"):
        answer = cli(words)
        assert (answer.code, answer.err) == (1, "")
        assert answer.out.startswith("Not done: you have no key")
        assert "referee key --make" in answer.out
        assert cli(f"--json {words}").facts["exit"] == 1
    assert not home.exists()


def test_a_key_is_made_and_shown(cli, made):
    answer = cli("key")
    assert (answer.code, answer.err) == (0, "")
    rows = answer.out.splitlines()
    assert (rows[1], rows[3]) == (f"  {made.fingerprint_words}", made.public)
    assert str(find_settings_folder()) in "".join(answer.out.split())
    assert made.secret.hex() not in answer.out


def test_programs_are_told_all_that_people_are(cli, made):
    assert cli("--json key").facts == {
        "public": made.public,
        "words": made.fingerprint_words,
        "fingerprint": made.fingerprint,
        "folder": str(find_settings_folder()),
    }


def test_a_second_key_is_not_made(cli, made):
    answer = cli("key --make")
    assert answer.code == 1
    assert answer.out.startswith("Not done: there is a key already")
    assert made.fingerprint_words in " ".join(answer.out.split())
    assert read_own_key().public == made.public


@pytest.mark.parametrize("width", [30, 40, 80])
def test_on_a_narrow_screen_only_what_is_copied_is_wide(cli, made, width):
    rows = cli("key", width=width).out.splitlines()
    copied = {f"  {made.fingerprint_words}", made.public}
    assert copied < {*rows}
    assert all(len(row) <= width for row in rows if row not in copied)


def test_a_backup_is_one_line_that_brings_the_key_back(cli, made, elsewhere):
    answer = cli("key --backup", width=40)
    assert answer.out == f"{format_backup_line(made)}\n"
    assert "keep this line secret" in answer.err
    elsewhere()
    back = cli("key --restore", stdin=answer.out.encode())
    assert back.code == 0, back.err
    assert back.out.startswith("Your key is back.")
    assert "play only on one of them" in " ".join(back.out.split())
    assert (read_own_key().public, read_own_key().secret) == (made.public, made.secret)
    assert cli("key --restore", stdin=answer.out.encode()).code == 0


def test_a_backup_for_programs(cli, made):
    facts = cli("--json key --backup").facts
    assert facts["backup"] == format_backup_line(made)
    assert "keep this line secret" in facts["notes"][0]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (b"", "This is not a back-up of a key"),
        (b"hello", "This is not a back-up of a key"),
        (b"referee-key-1 abc", "has a typing mistake"),
        (b"\xff\xfe", "not plain text (UTF-8)"),
        (b"referee-key-1 " + b"a" * 100_000, "has a typing mistake"),
    ],
)
def test_what_is_no_backup_is_told_and_changes_nothing(cli, home, typed, why):
    answer = cli("key --restore", stdin=typed)
    assert (answer.code, answer.out) == (3, "")
    assert why in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not home.exists()


def test_a_backup_of_another_key_changes_nothing(cli, made, elsewhere):
    line = format_backup_line(made).encode()
    elsewhere()
    cli("key --make")
    other = read_own_key().public
    answer = cli("key --restore", stdin=line)
    assert answer.code == 1
    assert "move the folder" in " ".join(answer.out.split())
    assert read_own_key().public == other


@needs_ssh_keygen
def test_a_key_that_somebody_has_is_taken(cli, place):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "id"], cwd=place, check=True)
    answer = cli("key --use id")
    assert answer.code == 0, answer.err
    assert read_own_key().public in answer.out.splitlines()
    assert (place / "id.pub").read_text("ascii").startswith(read_own_key().public)


@needs_ssh_keygen
def test_a_key_that_cannot_be_used_is_told_in_one_sentence(cli, place):
    (place / "junk").write_text("junk")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "sesame", "-f", "locked"], cwd=place, check=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", "other"], cwd=place, check=True)
    for name, why in (("locked", "passphrase"), ("locked.pub", "without .pub"), ("other", "ed25519"), ("junk", "junk")):
        answer = cli(f"key --use {name}")
        assert (answer.code, answer.out) == (3, "")
        assert why in answer.err
        assert len(answer.err.splitlines()) == 1
    assert cli("key --use nowhere").code == 3
    assert cli("key", "--use", "").code == 2
    assert read_own_key() is None


def test_one_thing_at_a_time(cli):
    answer = cli("key --make --backup")
    assert answer.code == 2
    assert "--make or --backup" in answer.err


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_a_key_that_others_can_read_is_told(cli, made):
    (find_settings_folder() / "secret").chmod(0o644)
    answer = cli("key")
    assert answer.code == 0
    assert f"chmod 600 {find_settings_folder() / 'secret'}" in answer.err
    assert "chmod" in cli("--json key").facts["notes"][0]


def test_nothing_secret_is_shown_but_by_backup(cli, made):
    told = cli("key").out + cli("--json key").out + cli("key --make").out + cli("key --help").out
    assert made.secret.hex() not in told
    assert not {*format_backup_line(made).split()[1:]} & {*told.split()}
