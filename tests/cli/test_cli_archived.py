"""What lies in the archive beside logs is opened, judged and gone on with: pages, matches, positions and sheets."""

from __future__ import annotations

import shutil

import pytest
from support import FIXTURES, load_toml

from referee.record.table.deeds.resign import resign
from referee.record.table.opening_logs import open_log

ARCHIVE = FIXTURES / "archive"


def files(kind):
    found = sorted(path for path in ARCHIVE.glob(f"*/{kind}/*") if path.is_file())
    assert found
    return [pytest.param(path, id=f"{path.parents[1].name}-{path.name}") for path in found]


def index_of(path):
    (item,) = (
        item for item in load_toml(path.parents[1] / "index.toml")["file"] if item["file"].endswith(f"/{path.name}")
    )
    return item


@pytest.mark.parametrize("path", files("pages"))
def test_a_page_gives_its_log_back_and_is_not_accused(cli, place, path):
    audited = cli(f"audit {path}").out
    assert not audited.startswith(("FAULT", "UNREADABLE")), audited
    assert cli(f"use {path} -o again.jsonl").code == 0
    assert cli("audit again.jsonl").out.startswith("CLEAN")
    assert cli("log -o again.html").code == 0


@pytest.mark.parametrize("path", [param for param in files("matches") if param.values[0].stem.endswith("-cup")])
def test_a_match_is_audited_and_goes_on(cli, place, path):
    for file in path.parent.glob(f"{path.stem}*"):
        shutil.copyfile(file, place / file.name)
    assert cli(f"match audit {path.name}").out.startswith("CLEAN")
    assert cli(f"match show {path.name}").code == 0
    last = sorted(place.glob(f"{path.stem}-*.jsonl"))[-1]
    game = open_log(last)
    game.play(next(iter(game.legal())))
    resign(game, game.reducer.seats[0], game.reducer.seats)
    answer = cli(f"match next --match {path.name}")
    assert answer.code == 0, answer.shown


OPTIONS = {"street": "--option players=3", "sample-third": "--option goal-cells=third"}
"""What a position has to be played under, by a part of its name."""


@pytest.mark.parametrize("path", files("positions"))
def test_a_position_is_begun_from(cli, place, path):
    more = " ".join(option for name, option in OPTIONS.items() if name in path.name)
    answer = cli(f"new {index_of(path)['game']} --from {path} {more} -o game.jsonl")
    assert answer.code == 0, answer.shown
    assert cli("audit game.jsonl").out.startswith("CLEAN")


@pytest.mark.parametrize("path", files("sheets"))
def test_a_sheet_of_words_makes_its_log_again(cli, place, path):
    answer = cli(f"new --from {path} -o game.jsonl")
    assert answer.code == 0, answer.shown
    assert cli("audit game.jsonl").out.startswith("CLEAN")
    log = path.parents[1] / "logs" / f"{path.stem}.jsonl"
    assert len(open_log(place / "game.jsonl").entries) == log.read_bytes().count(b"\n")


LOGS = [
    pytest.param(folder / item["file"], item, id=f"{folder.name}-{item['file']}")
    for folder in sorted(path.parent for path in ARCHIVE.glob("*/index.toml"))
    for item in load_toml(folder / "index.toml")["file"]
    if item["file"].startswith("logs/") and item["file"].endswith(".jsonl")
]
GONE_ON = [param for param in LOGS if param.values[1]["wanted"] in ("clean", "differs")]
"""All that is read; of these every ninth one is gone on with. `outlive.py` reads them all."""


@pytest.mark.parametrize(("path", "item"), GONE_ON[::9])
def test_a_log_of_any_time_is_shown_replayed_and_made_a_page(cli, place, path, item):
    for file in path.parent.glob(f"{path.name}*"):
        (shutil.copytree if file.is_dir() else shutil.copyfile)(file, place / file.name)
    for words in ("show", "log", "log --full", "log -o page.html", "audit page.html"):
        answer = cli(f"-g {path.name} {words}" if "page.html" not in words or "-o" in words else words)
        assert answer.code in (0, 1 if item["wanted"] == "differs" else 0), answer.shown
        assert not answer.out.startswith("FAULT"), answer.out[:500]
    assert (place / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("path", "item"), [param for param in LOGS if param.values[1]["wanted"] == "older"])
def test_a_log_that_is_older_than_any_promise_is_not_accused(cli, place, path, item):
    answer = cli(f"audit {path}")
    assert answer.out.startswith("UNREADABLE")
    assert "changed" not in answer.out
