"""The players' own files: in the header if they are small, beside the log under their SHA-256 if they are big."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256

import pytest

from referee.engine.component import BoardError, hash_toml_content
from referee.record.archive.audit import audit
from referee.record.log.entry import FileBeside, OwnFile, ShippedFile, encode_for_log
from referee.record.log.game_files import MAX_FILE_BYTES, MAX_INLINE_BYTES, find_own_files_folder
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.opening_logs import branch, open_log, open_stream, start


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@pytest.fixture(autouse=True)
def installed(ambush):
    """Ambush takes islands with names of any length."""


@pytest.fixture
def small():
    """An island of the players' own."""
    return {"name": "ours", "coves": ["bay", "rock"], "reconstruction": None}


@pytest.fixture
def big(small):
    """The same, too big for a line."""
    return small | {"name": "x" * (MAX_INLINE_BYTES + 1)}


@pytest.fixture
def beside(path, big):
    """A game on that."""
    return start("ambush", path, own={"board": big})


def file_of(session):
    (file,) = find_own_files_folder(session.path).iterdir()
    return file


def test_a_shipped_file_is_named_by_its_hash(path):
    session = start("ambush", path)
    (component,) = session.game.components
    shipped = component.shipped(session.reducer.header.options)
    digest = hash_toml_content(shipped)
    assert session.reducer.header.files == {"board": ShippedFile(shipped.stem, digest)}
    assert not find_own_files_folder(path).exists()


def test_a_small_file_stands_in_the_header(path, small):
    session = start("ambush", path, own={"board": small})
    assert session.reducer.header.files == {"board": OwnFile(small)}
    assert not find_own_files_folder(path).exists()
    assert open_log(path).moment().state == session.moment().state
    assert audit(path).fault is None


def test_a_big_file_lies_beside_the_log(beside, big):
    file = file_of(beside)
    digest = sha256(file.read_bytes()).hexdigest()
    assert file.read_bytes() == encode_for_log(big)
    assert file.name == f"{digest}.json"
    assert beside.reducer.header.files == {"board": FileBeside(digest)}
    assert open_log(beside.path).moment().state == beside.moment().state
    beside.do("hide bay")
    assert audit(beside.path).fault is None


def test_files_of_all_sizes_round_the_limit(tmp_path, small, monkeypatch):
    base, limit = len(encode_for_log(small | {"name": ""})), 1_000
    monkeypatch.setattr("referee.record.log.game_files.MAX_INLINE_BYTES", limit)
    for size in (limit - 1, limit, limit + 1):
        session = start("ambush", tmp_path / f"{size}.jsonl", own={"board": small | {"name": "x" * (size - base)}})
        assert isinstance(session.reducer.header.files["board"], FileBeside if size > limit else OwnFile)
        assert audit(session.path).fault is None


def test_a_file_that_is_much_too_big(path, small):
    with pytest.raises(BoardError, match="more than 4 MiB"):
        start("ambush", path, own={"board": small | {"name": "x" * MAX_FILE_BYTES}})
    assert not list(path.parent.iterdir())


@pytest.mark.parametrize("own", [{"weather": {}}, {"board": {}, "cards": {}}, {"Board": {}}])
def test_files_that_the_game_is_not_played_with(path, own):
    with pytest.raises(BoardError, match="ambush has no component"):
        start("ambush", path, own=own)
    assert not list(path.parent.iterdir())


@pytest.mark.parametrize("document", [{}, {"name": "x" * (MAX_INLINE_BYTES + 1)}], ids=["small", "big"])
def test_a_file_that_nobody_can_play_with_leaves_no_log(path, document):
    with pytest.raises(NotAllowedError):
        start("ambush", path, own={"board": document})
    assert not path.exists()


def test_a_branch_takes_its_files_along(beside, tmp_path):
    (tmp_path / "far").mkdir()
    other = branch(beside, "b", path=tmp_path / "far" / "b.jsonl", agreed=("red", "blue"))
    assert file_of(other).read_bytes() == file_of(beside).read_bytes()
    assert other.moment().state == beside.moment().state
    shutil.rmtree(find_own_files_folder(beside.path))
    assert audit(other.path).fault is None


def test_a_second_log_with_the_same_file(beside, big):
    """Two games in one folder have a folder of files each."""
    other = start("ambush", beside.path.with_name("other.jsonl"), own={"board": big})
    assert file_of(other).name == file_of(beside).name
    assert audit(other.path).fault is None


def changed(file):
    data = file.read_bytes()
    file.write_bytes(data.replace(b"x", b"y", 1))


def linked(file):
    aside = file.with_name("elsewhere")
    file.rename(aside)
    file.symlink_to(aside)


def grown(file):
    with file.open("ab") as end:
        end.truncate(MAX_FILE_BYTES + 1)


DAMAGE = {
    "changed": (changed, "was changed"),
    "cut short": (lambda file: os.truncate(file, 100), "was changed"),
    "gone": (lambda file: file.unlink(), "is not here"),
    "all gone": (lambda file: shutil.rmtree(file.parent), "is not here"),
    "a link": (linked, "is not here"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "is not here"),
    "huge": (grown, "is not here"),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_file_that_is_not_what_was_played_with(beside, how):
    damage, words = DAMAGE[how]
    damage(file_of(beside))
    before = beside.path.read_bytes()
    with pytest.raises(FaultError, match=words) as stopped:
        open_log(beside.path)
    assert (stopped.value.fault.code, stopped.value.fault.n) == ("bad-file", 0)
    assert audit(beside.path).fault.code == "bad-file"
    assert beside.path.read_bytes() == before


def test_a_file_must_hold_what_can_be_read(path, beside):
    """Bytes that fit their hash and are no document."""
    for data in (b"nonsense", b"\xff\xfe", b"[" * 100_000):
        digest = sha256(data).hexdigest()
        (find_own_files_folder(path) / f"{digest}.json").write_bytes(data)
        header = json.loads(path.read_bytes().splitlines()[0])["entry"]
        header["files"]["board"]["sha256"] = digest
        forged(path, header)
        assert audit(path).fault.code == "bad-file"


def forged(path, header):
    from referee.record.log.line_format import format_entry_line

    path.write_bytes(format_entry_line(encode_for_log(header)))
    for other in (".head", ".red.vault", ".blue.vault"):
        path.with_name(path.name + other).unlink(missing_ok=True)


@pytest.mark.parametrize("digest", ["../../etc/passwd", "0" * 63, "A" * 64, "0" * 64 + "/x"])
def test_a_name_that_is_no_hash_is_not_even_looked_for(path, beside, digest):
    header = json.loads(path.read_bytes().splitlines()[0])["entry"]
    header["files"]["board"]["sha256"] = digest
    forged(path, header)
    assert audit(path).fault.code == "not-an-entry"


def test_a_log_that_is_piped_in_has_no_files_beside_it(beside):
    with beside.path.open("rb") as file, pytest.raises(FaultError, match="is not here"):
        open_stream(file)


def test_looking_writes_nothing(beside):
    before = sorted(beside.path.parent.rglob("*"))
    open_log(beside.path)
    audit(beside.path)
    assert sorted(beside.path.parent.rglob("*")) == before
