"""Logs that somebody has packed: they are taken out, and what holds none is refused in one sentence."""

import gzip
import zipfile

import pytest


@pytest.fixture
def packed(control, place):
    """The log as a gzip, and in a ZIP beside a picture."""
    (place / "friday.jsonl.gz").write_bytes(gzip.compress(control.read_bytes()))
    with zipfile.ZipFile(place / "evening.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(control, "evening/friday.jsonl")
        archive.writestr("evening/board.svg", "<svg/>")
    return place


@pytest.mark.parametrize("name", ["friday.jsonl.gz", "evening.zip"])
def test_the_log_is_taken_out_and_is_the_current_game(cli, packed, control, name):
    told = cli(f"use {name} -o again.jsonl")
    assert (told.code, told.err) == (0, "")
    assert (packed / "again.jsonl").read_bytes() == control.read_bytes()
    assert cli("do 2 go").code == 0
    assert cli("audit again.jsonl").out.startswith("CLEAN")


@pytest.mark.parametrize("name", ["friday.jsonl.gz", "evening.zip"])
@pytest.mark.parametrize(
    "words",
    [
        *("-g {} show", "-g {} status", "-g {} --at 1 show", "-g {} log", "-g {} stats luck", "stats games {}"),
        *("audit {}", "audit {} {}", "diff {} friday.jsonl", "stats dice {}", "-g {} log --full", "--json audit {}"),
    ],
)
def test_the_log_in_it_is_read_as_it_is(cli, packed, control, name, words):
    (packed / "friday.jsonl").write_bytes(control.read_bytes())
    told = cli(words.replace("{}", name))
    plain = cli(words.replace("{}", "friday.jsonl"))
    assert (told.code, told.err) == (plain.code, plain.err)
    assert told.out.count("\n") == plain.out.count("\n") or "stats" in words


@pytest.mark.parametrize("name", ["friday.jsonl.gz", "evening.zip"])
def test_nobody_plays_on_in_it(cli, packed, name):
    before = (packed / name).read_bytes()
    told = cli(f"-g {name} note hello")
    assert (told.code, "or packed; save it to a file first" in " ".join((told.out + told.err).split())) == (1, True)
    told = cli(f"use {name}")
    assert (told.code, "referee use FILE -o LOG" in told.err) == (2, True)
    assert (packed / name).read_bytes() == before


def zipped(place, **files):
    with zipfile.ZipFile(place / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return "x.zip"


def test_a_zip_with_several_logs_or_none(cli, packed):
    log = (packed / "friday.jsonl.gz").read_bytes()
    for files, count in (({"a_jsonl": log, "b_jsonl": log}, "2 logs"), ({"a_txt": b"x"}, "no logs")):
        told = cli(f"use {zipped(packed, **files)} -o new.jsonl")
        assert (told.code, told.err) == (3, f"x.zip: this ZIP file holds {count}, and has to hold exactly one.\n")
    assert not (packed / "new.jsonl").exists()


@pytest.mark.parametrize("name", ["friday.jsonl.gz", "evening.zip"])
def test_one_that_is_damaged(cli, packed, name):
    path = packed / name
    whole = path.read_bytes()
    for keep in (3, 20, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:keep])
        told = cli(f"use {name} -o new.jsonl")
        assert told.code in (2, 3), keep
        assert told.err.count("\n") == 1
    path.write_bytes(whole[:40] + bytes([whole[40] ^ 0xFF]) + whole[41:])
    assert cli(f"use {name} -o new.jsonl").code in (2, 3)
    assert not (packed / "new.jsonl").exists()


def test_one_that_unpacks_to_very_much(cli, packed, monkeypatch):
    monkeypatch.setattr("referee.record.log.safe_files.MAX_PIPED_BYTES", 1000)
    told = cli("use friday.jsonl.gz -o new.jsonl")
    assert (told.code, "more than 0 MiB are packed in it; unpack it yourself" in told.err) == (3, True)


def test_what_is_in_it_is_read_like_any_log(cli, packed):
    with gzip.open(packed / "bad.gz", "wb") as file:
        file.write(b"no log\n")
    told = cli("use bad.gz -o new.jsonl")
    assert (told.code, told.err.count("\n")) == (3, 1)
    assert not (packed / "new.jsonl").exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_one_is_an_unreadable_file(cli, place, control, method):
    with zipfile.ZipFile(place / "x.zip", "w", method) as archive:
        archive.writestr("friday.jsonl", control.read_bytes())
    whole = (place / "x.zip").read_bytes()
    begins = whole.index(b"friday.jsonl") + len("friday.jsonl")
    ends = whole.rindex(b"PK\x05\x06") + 16  # where the list of files is said to begin
    for at in (begins + 9, begins + 20, ends, ends + 1):
        (place / "x.zip").write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        for words in ("audit x.zip", "-g x.zip show"):
            told = cli(words)
            assert told.code in (1, 3), (at, told.err)
            assert told.out + told.err
            assert "The file:" not in told.err, "it has a name"
