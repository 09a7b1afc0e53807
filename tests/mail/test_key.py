"""A player's own key: made, taken from ssh-keygen, backed up, brought back; and its files."""

from __future__ import annotations

import errno
import os
import random
import shutil
import stat
import subprocess
import sys
from base64 import b64decode

import pytest

from referee.mail import settings_folder
from referee.mail.key import format_backup_line, import_ssh_key, make_key, read_own_key, restore_key, spell_fingerprint
from referee.record.log.hash_words import spell_bytes
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.log.signature import format_public_key, verify_signature

needs_ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed here")
posix = pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")


def ssh_keygen(*words):
    done = subprocess.run(["ssh-keygen", *map(str, words)], capture_output=True, check=True)
    return done.stdout.decode()


@pytest.fixture
def place(home):
    """Where the key lies."""
    assert home in settings_folder.find_settings_folder().parents
    return settings_folder.find_settings_folder()


def names(place):
    return sorted(path.name for path in place.iterdir() if path.name != "lock")


def test_who_has_none_has_none_and_nothing_is_made_by_looking(home):
    assert read_own_key() is None
    assert not home.exists()


def test_a_key_is_made_once_and_kept(place):
    made = make_key()
    kept = read_own_key()
    assert (kept.public, kept.secret, kept.private_key_bytes) == (made.public, made.secret, made.private_key_bytes)
    assert len({made.secret, made.private_key_bytes, bytes(32)}) == 3
    assert names(place) == ["key", "key.pub", "secret"]
    assert (place / "key.pub").read_text("ascii") == f"{made.public}\n"
    assert verify_signature(kept.public, b"message", made.sign(b"message"))


def test_a_key_is_never_written_over(place):
    made = make_key()
    files = {name: (place / name).read_bytes() for name in names(place)}
    with pytest.raises(NotAllowedError, match=made.fingerprint_words) as refused:
        make_key()
    assert str(place) in str(refused.value)
    assert {name: (place / name).read_bytes() for name in names(place)} == files


@posix
def test_files_are_for_their_owner_alone_whatever_the_umask(place):
    before = os.umask(0)
    try:
        make_key()
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()} == {0o600}


@posix
def test_a_folder_that_was_open_is_closed(place):
    place.mkdir(parents=True)
    place.chmod(0o755)
    make_key()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


@needs_ssh_keygen
def test_ssh_keygen_reads_what_we_write(place):
    made = make_key()
    assert ssh_keygen("-y", "-f", place / "key").strip() == made.public
    assert ssh_keygen("-l", "-f", place / "key.pub").split()[1] == made.fingerprint


@needs_ssh_keygen
def test_a_key_that_somebody_has_is_copied(tmp_path, place):
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "anna at home", "-f", tmp_path / "id")
    before = (tmp_path / "id").read_bytes()
    used = import_ssh_key(tmp_path / "id")
    assert (tmp_path / "id.pub").read_text("ascii") == f"{used.public} anna at home\n"
    assert read_own_key().public == used.public
    assert (tmp_path / "id").read_bytes() == before
    with pytest.raises(NotAllowedError):
        import_ssh_key(tmp_path / "id")


def kinds_of_files(tmp_path):
    ssh_keygen("-q", "-t", "ed25519", "-N", "sesame", "-f", tmp_path / "locked")
    ssh_keygen("-q", "-t", "ecdsa", "-N", "", "-f", tmp_path / "ecdsa")
    (tmp_path / "junk").write_bytes(b"\0\xff" * 50)
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "huge").write_bytes(b"-" * 100_000)
    whole = (tmp_path / "locked").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    os.mkfifo(tmp_path / "pipe")


@needs_ssh_keygen
@posix
def test_what_cannot_be_used_is_told_in_a_sentence(tmp_path, home):
    kinds_of_files(tmp_path)
    reasons = {
        "locked": "locked with a passphrase",
        "locked.pub": "without .pub",
        "ecdsa": "the wrong kind",
        "junk": "does not hold a private key",
        "empty": "does not hold a private key",
        "half": "does not hold a private key",
        "huge": "more than 65536 bytes",
        "folder": "not a file but a folder",
        "pipe": "not a file but",
        "nowhere": "no file",
    }
    for name, reason in reasons.items():
        with pytest.raises(KeyProblemError, match=reason) as refused:
            import_ssh_key(tmp_path / name)
        assert str(tmp_path / name) in str(refused.value)
    assert read_own_key() is None


def test_words_are_proquints():
    """The examples that the proposal gives for addresses of the net; a word has sixteen bits."""
    for address, words in {
        "127.0.0.1": "lusab-babad",
        "63.84.220.193": "gutih-tugad",
        "140.98.193.141": "mudof-sakat",
        "255.255.255.255": "zuzuz-zuzuz",
    }.items():
        parts = bytes(map(int, address.split(".")))
        assert spell_bytes(parts) == words


def test_words_tell_keys_apart_and_say_the_same_each_time():
    assert spell_fingerprint(format_public_key(bytes(range(32)))) == "kinab-fufih-kogaj-mojad-tuhin-zuzik"
    many = {spell_fingerprint(format_public_key(number.to_bytes(32))) for number in range(1000)}
    assert len(many) == 1000
    assert {len(words) for words in many} == {35}


def test_words_are_the_fingerprint_that_ssh_keygen_shows_as_far_as_they_go():
    made = make_key()
    shown = b64decode(made.fingerprint.removeprefix("SHA256:")[:16])
    assert spell_bytes(shown[:12]) == made.fingerprint_words


def elsewhere(monkeypatch, home, name="elsewhere"):
    """Another computer."""
    for variable in ("HOME", "XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(variable, str(home.with_name(f"{home.name}-{name}")))


def test_a_backup_brings_everything_back(home, monkeypatch):
    made = make_key()
    line = format_backup_line(made)
    assert "\n" not in line
    elsewhere(monkeypatch, home)
    back = restore_key(line)
    assert (back.public, back.secret) == (made.public, made.secret)
    assert (read_own_key().public, read_own_key().secret) == (made.public, made.secret)
    assert restore_key(line).public == made.public


@pytest.mark.parametrize(
    "copied",
    [
        lambda line: line.upper(),
        lambda line: f"\n  {line}\n\n",
        lambda line: line.replace(" ", "\n"),
        lambda line: line.replace(" ", "\t  "),
        lambda line: line.replace("o", "0").replace("l", "1"),
        lambda line: "\r\n".join(line[at : at + 33] for at in range(0, len(line), 33)),
    ],
)
def test_a_backup_may_be_broken_and_copied_by_hand(home, monkeypatch, copied):
    made = make_key()
    elsewhere(monkeypatch, home)
    assert restore_key(copied(format_backup_line(made))).secret == made.secret


def test_each_slip_in_a_backup_is_found(home, monkeypatch):
    """Each letter in turn is another, is missing, stands twice, or has changed places with its neighbour."""
    line, luck = format_backup_line(make_key()), random.Random(7)
    elsewhere(monkeypatch, home)
    for at, was in enumerate(line):
        other = luck.choice([letter for letter in "abcdefghijklmnopqrstuvwxyz234567" if letter != was])
        slips = [line[:at] + other + line[at + 1 :], line[:at] + line[at + 1 :], line[:at] + was + line[at:]]
        slips.append(line[:at] + line[at : at + 2][::-1] + line[at + 2 :])
        for slip in slips:
            if "".join(slip.split()[1:]) + slip.split()[0] == "".join(line.split()[1:]) + line.split()[0]:
                continue  # spaces say nothing
            with pytest.raises(KeyProblemError):
                restore_key(slip)
    for other in ("", "referee-key-1", "referee-key-2" + line[13:], "\ud800", "é" * 112, line * 2, line + " aaaaaaaa"):
        with pytest.raises(KeyProblemError):
            restore_key(other)
    assert read_own_key() is None


def test_a_backup_does_not_fall_on_another_key(home, monkeypatch):
    line = format_backup_line(make_key())
    elsewhere(monkeypatch, home)
    other = make_key()
    with pytest.raises(NotAllowedError, match=other.fingerprint_words):
        restore_key(line)
    assert read_own_key().public == other.public


def test_nothing_that_is_secret_shows_by_accident():
    made = make_key()
    shown = repr(made) + str(vars(made).keys())
    assert made.secret.hex() not in shown
    assert repr(made.secret) not in shown


def test_a_program_that_was_killed_in_the_middle_is_gone_on_from(place, monkeypatch):
    """Stopped before each step that changes a file; then a key is made all the same, with the secret that is there."""
    steps, happened = ("unlink", "replace"), []
    for stop in range(12):
        shutil.rmtree(place, ignore_errors=True)
        with monkeypatch.context() as patch:
            left = stop_at(patch, stop, steps)
            if not left():
                break
        happened.append(names(place))
        secret = (place / "secret").read_text("ascii") if (place / "secret").exists() else None
        assert read_own_key() is None
        made = make_key()
        assert secret in (None, f"{made.secret.hex()}\n")
        assert names(place) == ["key", "key.pub", "secret"]
        assert read_own_key().public == made.public
    assert ["key.pub", "secret"] in [[name for name in found if name[-4:] != ".new"] for found in happened]
    assert stop > 4


def stop_at(patch, stop, steps):
    """Make a key, and stop before a step; whether it was stopped."""
    taken = [0]

    def tried(real):
        def step(*words, **more):
            taken[0] += 1
            if taken[0] > stop:
                raise KeyboardInterrupt
            return real(*words, **more)

        return step

    for name in steps:
        patch.setattr(settings_folder.Path, name, tried(getattr(settings_folder.Path, name)))

    def run():
        try:
            make_key()
        except KeyboardInterrupt:
            return True
        return False

    return run


def test_a_secret_that_was_left_is_not_written_over(home, place, monkeypatch):
    line = format_backup_line(make_key())
    elsewhere(monkeypatch, home)
    make_key()
    (settings_folder.find_settings_folder() / "key").unlink()
    left = (settings_folder.find_settings_folder() / "secret").read_bytes()
    with pytest.raises(NotAllowedError, match="secret"):
        restore_key(line)
    assert (settings_folder.find_settings_folder() / "secret").read_bytes() == left


@pytest.mark.parametrize("damage", [None, b"", b"zz" * 32, b"ab" * 31, b"ab" * 33, b"\xff" * 64, "é".encode() * 32])
def test_a_key_whose_secret_is_not_there_is_not_used(place, damage):
    make_key()
    (place / "secret").unlink()
    if damage is not None:
        (place / "secret").write_bytes(damage)
    with pytest.raises(KeyProblemError, match="secret"):
        read_own_key()


def test_a_damaged_key_is_told(place):
    make_key()
    (place / "key").write_bytes(b"nonsense")
    with pytest.raises(KeyProblemError, match="does not hold a private key"):
        read_own_key()
    with pytest.raises(KeyProblemError, match="does not hold a private key"):
        make_key()


@posix
def test_nothing_is_written_through_a_link(place, tmp_path):
    place.mkdir(parents=True)
    for name in ("key", "key.new", "secret.new", "key.pub", "key.pub.new"):
        target = tmp_path / name
        target.write_bytes(b"mine")
        (place / name).symlink_to(target)
    with pytest.raises(KeyProblemError):
        make_key()
    (place / "key").unlink()
    made = make_key()
    assert {path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == {b"mine"}
    assert read_own_key().public == made.public


@pytest.mark.parametrize("call", ["open", "fsync"])
def test_a_disk_that_will_not_have_it_is_told(place, monkeypatch, call):
    """Each call of the system in turn fails: then there is a whole key or none, and one can be made afterwards."""
    for failing in range(40):
        shutil.rmtree(place, ignore_errors=True)
        with monkeypatch.context() as patch:
            calls = fail_at(patch, call, failing)
            try:
                make_key()
            except KeyProblemError as error:
                assert "No space left on device" in str(error)
        if calls[0] <= failing:
            break
        kept = read_own_key()
        made = kept or make_key()
        assert names(place) == ["key", "key.pub", "secret"]
        assert read_own_key().public == made.public
    assert failing >= 6


def fail_at(patch, call, failing):
    """Let a call of the system fail once, after so many; how often it was called."""
    real, calls = getattr(os, call), [0]

    def tried(*words, **more):
        calls[0] += 1
        if calls[0] == failing + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*words, **more)

    patch.setattr(os, call, tried)
    return calls


def test_a_folder_that_is_a_file(home):
    home.write_bytes(b"")
    with pytest.raises(KeyProblemError, match=str(home)):
        make_key()
    with pytest.raises(KeyProblemError, match=str(home)):
        read_own_key()


def test_of_several_who_make_a_key_at_once_one_does(place):
    code = "from referee.mail.key import make_key; print(make_key().public)"
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)
    ]
    said = [one.communicate() for one in running]
    assert sorted(one.returncode for one in running) == [0, 1, 1, 1]
    made = [out.decode().strip() for out, _ in said if out]
    assert made == [read_own_key().public]
    assert all(b"NotAllowedError" in err for out, err in said if not out)
