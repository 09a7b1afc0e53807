"""Files that a game is played with are parsed once."""

from __future__ import annotations

import os

import pytest

from referee.engine.component import DerivedData, load_cached, read_toml, set_report_maker


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "board.toml"
    path.write_text('name = "small"\ncells = [1, 2]\n', "utf-8")
    return path


@pytest.fixture
def counted():
    """Parses, and remembers how often."""

    def parse(data):
        parse.times += 1
        return {"length": len(data), "cells": (1, 2)}

    parse.times = 0
    return parse


def kept(source):
    return list((source.parent / "__pycache__").glob("*"))


def test_a_file_is_parsed_once(source, counted):
    first = load_cached(source, counted)
    assert load_cached(source, counted) == first == {"length": source.stat().st_size, "cells": [1, 2]}
    assert counted.times == 1


def test_a_file_that_changed_is_parsed_again(source, counted):
    load_cached(source, counted)
    source.write_text("name = 'other'\n", "utf-8")
    assert load_cached(source, counted)["length"] == source.stat().st_size
    assert counted.times == 2


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"nonsense"])
def test_a_cache_that_was_damaged_is_done_without(source, counted, damage):
    first = load_cached(source, counted)
    (cache,) = kept(source)
    cache.write_bytes(damage)
    assert load_cached(source, counted) == first
    assert load_cached(source, counted) == first
    assert counted.times == 2, "it is mended at once"


def test_a_folder_that_cannot_be_written_is_done_without(source, counted):
    (source.parent / "__pycache__").write_text("in the way")
    first = load_cached(source, counted)
    assert load_cached(source, counted) == first
    assert counted.times == 2


def test_a_cache_that_was_cut_short_never_lies_there(source, counted, monkeypatch):
    """It is written under another name first."""
    monkeypatch.setattr(os, "replace", None)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    load_cached(source, counted)
    assert [path.suffix for path in kept(source)] == [".new"]


def test_what_cannot_be_parsed_is_not_kept(source):
    source.write_text("name =\n", "utf-8")
    with pytest.raises(ValueError, match="Invalid value"):
        read_toml(source)
    assert kept(source) == []


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_toml(tmp_path / "nowhere.toml")


def test_toml_comes_back_as_plain_data(source):
    assert read_toml(source) == read_toml(source) == {"name": "small", "cells": [1, 2]}


@pytest.fixture
def worked(tmp_path):
    """Something that takes long to work out of a source, and how often it was."""

    def work(source):
        def make(report):
            report(0.5)
            times.append(source)
            return b"made of " + source

        return DerivedData("it", source, make, tmp_path / "a.bin")

    times: list[bytes] = []
    work.times = times
    return work


def test_what_takes_long_is_worked_out_once_for_each_source(worked):
    for source in (b"one", b"two", b"one", b"two"):
        assert worked(source).get() == b"made of " + source
    assert worked.times == [b"one", b"two"]


def test_what_comes_along_is_taken_if_it_was_made_of_the_same(worked, tmp_path):
    work = worked(b"one")
    assert not work.is_cached()
    (tmp_path / "a.bin").write_bytes(work.make_file_header() + b"came along")
    assert work.is_cached()
    assert work.get() == b"came along"
    assert not worked(b"two").is_cached()
    assert worked(b"two").get() == b"made of two"
    assert worked.times == [b"two"]


def test_what_cannot_be_kept_is_worked_out_all_the_same(worked, tmp_path):
    (tmp_path / "__pycache__").write_text("in the way")
    assert worked(b"one").get() == worked(b"one").get() == b"made of one"
    assert worked.times == [b"one", b"one"]


def test_long_work_is_watched(worked, monkeypatch):
    monkeypatch.setattr("referee.engine.component._report_makers", [])
    told = []
    worked(b"nobody watches").get()
    set_report_maker(lambda what: lambda done: told.append((what, done)))
    worked(b"one").get()
    worked(b"one").get()
    assert told == [("it", 0.5)]
