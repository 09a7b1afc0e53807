"""What a path is: told by what it holds, and by its name only where that leaves it open."""

from __future__ import annotations

import pytest
from support import ROOT

from referee.record.log import file_kinds
from referee.record.log.file_kinds import FILE_KINDS, find_content_kind, find_path_kind

LOG = next(iter(sorted((ROOT / "fixtures/archive").rglob("*.jsonl")))).read_bytes()
SAMPLES = {
    "match": b'{"hash":"%s","entry":{"name":"\\"type\\":\\"game\\"","type":"match"}}\n' % (b"0" * 64),
    "log": LOG,
    "page": b'<!DOCTYPE html>\n<meta name="referee">',
    "another page": b"\n<html>\n<p>Dear Bo,",
    "picture": b'<svg xmlns="http://www.w3.org/2000/svg">',
    "key": b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "mail": b"From: Anna\nSubject: our game\n",
    "sheet": b"\xef\xbb\xbfREFEREE WORDS 1/2 ABC.\n",
    "position": b"turn = 3\n",
    "binary": b"\x89PNG",
    "packed file": b"PK\x03\x04",
    "proof": b'{\n  "one": ["' + b"x" * 100_000 + b'"],\n  "referee": "fork/1"\n}\n',
    "back-up": b'{\n  "key": "ABC",\n  "referee": "backup/1"\n}\n',
    "other": b'{"turn": 3}\n',
}


def test_a_text_with_a_packet_in_it_is_a_mail():
    """As `referee mail pack` prints it, whatever stands above it."""
    assert (
        find_content_kind(b"race friday, turn 3\n" * 1_000 + b"> -----BEGIN REFEREE PACKET-----\n") == file_kinds.MAIL
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_told_by_what_it_holds(tmp_path, name):
    path = tmp_path / ("game.HTM" if name == "page" else "something")
    path.write_bytes(SAMPLES[name])
    assert find_path_kind(path).name == name
    assert name == "page" or find_content_kind(SAMPLES[name]) == find_path_kind(path)


def test_there_is_a_sample_of_every_kind():
    assert {kind.name for kind in (*FILE_KINDS, file_kinds.OTHER)} == {*SAMPLES}


def test_a_match_is_one_however_long_its_first_entry_is(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_bytes(SAMPLES["match"].replace(b"game", b"x" * 10_000) + LOG)
    assert find_path_kind(path) == file_kinds.MATCH


def test_what_is_no_file_is_a_folder_or_nothing(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    assert find_path_kind(tmp_path) == file_kinds.FOLDER
    assert find_path_kind(tmp_path / "none") == find_path_kind(tmp_path / "loop") == file_kinds.NO_FILE
