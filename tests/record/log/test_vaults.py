"""Vaults in the record: lost, mangled, somebody else's, or on a disk that will not have them."""

from __future__ import annotations

import os
import shutil

import pytest
from logfiles import beside, files_of

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.log.log_errors import FaultError, NotAllowedError, NotRecordedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import open_log, start

pytestmark = pytest.mark.usefixtures("ambush")

SEED = "6b" * 32
SEATS = ("red", "blue")
HIDDEN = 5
"""Entries once both have hidden their chests."""


def secrets_of(session, seat):
    """What the vault of a seat holds."""
    return session.reducer.opener.vaults[seat].values


# Vaults that are lost, mangled or somebody else's


def test_a_vault_cut_short_loses_only_its_last_secret(hidden):
    vault = find_vault_path(hidden.path, "red")
    vault.write_bytes(vault.read_bytes()[:-20])
    again = open_log(hidden.path)
    assert again.reducer.seeds["red"] == hidden.reducer.seeds["red"]
    assert not again.moment().known.can_open_view_of("red")
    assert again.moment().view("blue") == hidden.moment().view("blue")


@pytest.mark.parametrize(
    "line",
    [
        b'{"leaf":"%b","value":%b%b}\n' % (b"0" * 64, b"[" * 30_000, b"]" * 30_000),
        b"\xff\xfe\n",
        b"nonsense\n",
        b'{"leaf":"12"',
    ],
    ids=["brackets", "bytes", "nonsense", "cut-short"],
)
def test_a_line_that_is_none_is_passed_over(laptop, line):
    with find_vault_path(laptop.path, "red").open("ab") as file:
        file.write(line)
    session = open_log(laptop.path)
    session.do("hide cave")
    assert open_log(laptop.path).moment().state.chests["red"].value == "cave"
    assert audit(laptop.path).fault is None


@pytest.mark.parametrize("data", [b"", b"{}\n", b"\xff\xfe\n", b'{"format":3}\n', b"[" * 100_000])
def test_what_is_no_vault_is_named(hidden, data):
    find_vault_path(hidden.path, "red").write_bytes(data)
    with pytest.raises(FaultError, match=r"bad-vault: game\.jsonl\.red\.vault is not a vault"):
        open_log(hidden.path)
    assert audit(hidden.path).fault.code == "bad-vault"


def test_another_games_vault_is_refused(hidden, tmp_path):
    other = start("ambush", tmp_path / "other.jsonl", dice=OpenDice(SEED))
    shutil.copy(find_vault_path(other.path, "red"), find_vault_path(hidden.path, "red"))
    with pytest.raises(FaultError, match="secrets of another game"):
        open_log(hidden.path)


def test_another_seats_vault_is_refused(hidden):
    shutil.copy(find_vault_path(hidden.path, "blue"), find_vault_path(hidden.path, "red"))
    with pytest.raises(FaultError, match="secrets of another seat"):
        open_log(hidden.path)


def test_a_vault_that_lies_shows_nothing(hidden):
    """A vault may claim anything under a leaf; only what the leaf binds is believed."""
    vault = find_vault_path(hidden.path, "red")
    data = vault.read_bytes()
    assert data.count(b'"cave"') == 2
    vault.write_bytes(data.replace(b'"cave"', b'"reef"'))
    again = open_log(hidden.path)
    assert not again.moment().known.can_open_view_of("red")
    with pytest.raises(NotAllowedError, match=r"holds no secret|no secret is left"):
        reveal_secrets(again, [3], agreed=SEATS)
    assert audit(hidden.path).fault is None


def test_nothing_is_recorded_when_the_vault_cannot_be_written(laptop, monkeypatch):
    before = laptop.path.read_bytes()

    def full(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(NotRecordedError, match="vault cannot be written"):
            laptop.do("hide cave")
    assert laptop.path.read_bytes() == before
    again = open_log(laptop.path)
    again.do("hide cave")
    assert audit(laptop.path).fault is None


def test_a_vault_is_written_before_its_log(laptop, monkeypatch):
    """A leaf whose secret is nowhere could never be revealed."""
    order, real = [], os.write

    def watch(descriptor, data):
        order.append("vault" if b'"value":' in data else "log")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", watch)
    laptop.do("hide cave")
    assert order == ["vault", "log", "log"]  # and what remembers its last entry


def test_a_log_is_never_started_over_another(hidden):
    before = files_of(hidden.path)
    with pytest.raises(FileExistsError):
        start("ambush", hidden.path)
    assert files_of(hidden.path) == before


def test_a_log_is_never_started_over_a_vault(tmp_path):
    path = tmp_path / "new.jsonl"
    beside(path, ".blue.vault").write_text("precious")
    with pytest.raises(FileExistsError):
        start("ambush", path)
    assert beside(path, ".blue.vault").read_text() == "precious"
    assert not path.exists()


def test_a_log_that_could_not_be_started_leaves_no_vault(path, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(NotRecordedError):
            start("ambush", path)
    assert not list(path.parent.glob("*.vault"))
    assert start("ambush", path).reducer.opener.vaults.keys() == {"red", "blue"}


def test_a_log_looks_the_same_live_and_reopened(over):
    """Leaves too: they are what is seen of others' secrets."""
    again = open_log(over.path)
    for n in range(HIDDEN, len(over.entries)):
        for seat in (*SEATS, None):
            assert again.moment(n).view(seat) == over.moment(n).view(seat)
