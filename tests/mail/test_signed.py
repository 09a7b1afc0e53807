"""What a key has signed last: it never goes down, and never names two entries with one number."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from referee.mail import settings_folder
from referee.mail.signing_journal import read_last_signed_entry, remember_signed_entry
from referee.record.log.log_errors import KeyProblemError, NotAllowedError

GAME, OTHER = "1" * 64, "2" * 64
A, B = "a" * 64, "b" * 64


def test_nothing_is_signed_at_first(home):
    assert read_last_signed_entry(GAME) is None
    assert not home.exists()


def test_the_last_is_remembered_game_by_game():
    remember_signed_entry(GAME, 0, A)
    remember_signed_entry(GAME, 41, B)
    remember_signed_entry(OTHER, 3, A)
    assert (read_last_signed_entry(GAME), read_last_signed_entry(OTHER)) == ((41, B), (3, A))


def test_the_same_again_is_no_harm():
    remember_signed_entry(GAME, 5, A)
    remember_signed_entry(GAME, 5, A)
    assert read_last_signed_entry(GAME) == (5, A)


@pytest.mark.parametrize(
    ("n", "hash", "why"),
    [(5, B, "another entry 5"), (4, A, "already signed entry 5"), (0, A, "already signed entry 5")],
)
def test_neither_another_nor_an_earlier_is_signed(n, hash, why):
    remember_signed_entry(GAME, 5, A)
    with pytest.raises(NotAllowedError, match=why):
        remember_signed_entry(GAME, n, hash)
    assert read_last_signed_entry(GAME) == (5, A)


@pytest.mark.parametrize("game", ["", "a", "../key", "A" * 64, "g" * 64, "1" * 63 + "\n", "/" * 64, "1" * 65])
def test_a_name_that_is_no_game_names_no_file(game):
    for ask in (lambda: read_last_signed_entry(game), lambda: remember_signed_entry(game, 1, A)):
        with pytest.raises(ValueError, match="no game"):
            ask()


@pytest.mark.parametrize(("n", "hash"), [(-1, A), (1, ""), (1, "A" * 64), (1, A + "\n")])
def test_what_is_no_entry_is_not_remembered(n, hash):
    with pytest.raises(ValueError, match="no entry"):
        remember_signed_entry(GAME, n, hash)
    assert read_last_signed_entry(GAME) is None


@pytest.mark.parametrize(
    "damage", [b"", b"5", f"5 {A}".encode(), f"-5 {A}\n".encode(), f"5 {A[1:]}\n".encode(), b"\xff" * 67, b"x" * 70_000]
)
def test_a_damaged_memory_stops_signing_rather_than_forgetting(damage):
    remember_signed_entry(GAME, 5, A)
    (settings_folder.find_settings_folder() / "signed" / GAME).write_bytes(damage)
    for ask in (lambda: read_last_signed_entry(GAME), lambda: remember_signed_entry(GAME, 6, A)):
        with pytest.raises(KeyProblemError):
            ask()


def test_what_a_killed_program_has_left_is_no_memory():
    remember_signed_entry(GAME, 5, A)
    (settings_folder.find_settings_folder() / "signed" / f"{GAME}.new").write_bytes(b"99 ")
    assert read_last_signed_entry(GAME) == (5, A)
    remember_signed_entry(GAME, 6, B)
    assert read_last_signed_entry(GAME) == (6, B)


SIGNING = """
import sys
from referee.mail.signing_journal import remember_signed_entry
from referee.record.log.log_errors import NotAllowedError
mine = sys.argv[1] * 64
for n in range(60):
    try:
        remember_signed_entry("1" * 64, n, mine)
        print(n)
    except NotAllowedError:
        pass
"""


def test_two_programs_never_sign_the_same_number_for_two_entries():
    running = [subprocess.Popen([sys.executable, "-c", SIGNING, who], stdout=subprocess.PIPE) for who in "ab"]
    signed = [[int(n) for n in one.communicate()[0].split()] for one in running]
    assert [one.returncode for one in running] == [0, 0]
    assert not {*signed[0]} & {*signed[1]}
    assert sorted(signed[0] + signed[1]) == list(range(60))
    assert read_last_signed_entry(GAME)[0] == 59


KILLED = """
import itertools
from referee.mail.signing_journal import remember_signed_entry
for n in itertools.count():
    remember_signed_entry("1" * 64, n, format(n, "064x"))
    print(n, flush=True)
"""


def test_what_was_said_to_be_remembered_is_there_after_a_kill():
    luck, last = random.Random(3), -1
    for _ in range(5):
        code = KILLED.replace("count()", f"count({last + 1})")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as running:
            for _ in range(luck.randrange(1, 40)):
                said = int(running.stdout.readline())
            running.kill()
            said = int((running.stdout.read().split() or [said])[-1])
        last, hash = read_last_signed_entry(GAME)
        assert last in (said, said + 1)
        assert hash == format(last, "064x")
