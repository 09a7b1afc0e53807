"""One program at a time holds a lock, ours or that of `filelock`, and nobody waits for ever."""

import errno
import os

import pytest
from filelock import FileLock, Timeout

from referee.record.log import lock
from referee.record.log.lock import hold_lock, lock_descriptor


@pytest.fixture
def place(tmp_path):
    return tmp_path / "game.jsonl.lock"


def without_locks(descriptor, how):
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))


def test_one_holds_it_at_a_time_and_the_file_stays(place):
    with hold_lock(place, 0), pytest.raises(TimeoutError), hold_lock(place, 0):
        pass
    assert place.read_bytes() == b""
    with hold_lock(place, 0):
        pass


def test_it_keeps_out_who_uses_filelock_and_is_kept_out(place):
    with hold_lock(place, 0), pytest.raises(Timeout):
        FileLock(place, timeout=0).acquire()
    with FileLock(place), pytest.raises(TimeoutError), hold_lock(place, 0):
        pass


def test_a_failure_inside_lets_go(place):
    with pytest.raises(KeyError), hold_lock(place, 0):
        raise KeyError
    with hold_lock(place, 0):
        pass


def test_a_lock_on_a_file_that_is_gone_is_none(place, monkeypatch):
    """It is taken away between opening and locking: what is locked then guards no name."""
    taken = []

    def losing(descriptor, seconds):
        if not taken:
            taken.append(place.unlink())
        lock_descriptor(descriptor, seconds)

    monkeypatch.setattr(lock, "lock_descriptor", losing)
    with hold_lock(place, 0):
        assert place.exists()
    assert taken


@pytest.mark.filterwarnings("ignore:flock not supported")
@pytest.mark.parametrize("gone", [True, False])
def test_where_there_are_no_such_locks_filelock_finds_another_way(place, monkeypatch, gone):
    if gone:
        monkeypatch.setattr(lock, "fcntl", None)
    else:
        monkeypatch.setattr(lock.fcntl, "flock", without_locks)
    with hold_lock(place, 0):
        assert place.exists()


def test_an_open_file_is_locked_until_it_is_closed(place):
    first, second = (os.open(place, os.O_RDWR | os.O_CREAT) for _ in range(2))
    lock_descriptor(first, 0)
    with pytest.raises(TimeoutError):
        lock_descriptor(second, 0.01)
    os.close(first)
    lock_descriptor(second, 0)
    os.close(second)
