"""`referee luck`, `dice`, `stats`: was that luck, are these dice fair, a row a log."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from shutil import copy

import pytest
from support import FIXTURES

from referee.chances.stats import Unread, each_log, row_of

ZOMBIES = FIXTURES / "zombies" / "games" / "solo.jsonl"
TABLE = FIXTURES / "mutants" / "games" / "all-options.jsonl"


@pytest.fixture
def evenings(tmp_path):
    folder = tmp_path / "evenings"
    folder.mkdir()
    for log in (ZOMBIES, TABLE):
        copy(log, folder)
    return folder


def test_luck(cli, snapshot):
    assert cli("luck", str(ZOMBIES)).shown.replace(str(FIXTURES), "") == snapshot


def test_luck_for_programs(cli):
    facts = cli("luck", str(ZOMBIES), "--json").facts
    for seat, told in facts["seats"].items():
        assert told["luck"] == pytest.approx(sum(kind["luck"] for kind in facts["kinds"] if kind["seat"] == seat))
        assert [one["luck"] for one in facts["line"] if one["seat"] == seat][-1] == pytest.approx(told["luck"])
    assert set(facts["seats"]) == {"red", "zombies"}


def test_dice_that_are_only_read(cli):
    assert "only read" in cli("luck", str(next(FIXTURES.glob("manoover/games/*.jsonl")))).out


def test_dice(cli, evenings):
    told = cli("dice", str(evenings))
    assert "Dice with 6 sides, all together" in told.out
    assert "e-value" in told.out
    assert told.code == 0


def test_a_folder_without_table_dice(cli, tmp_path):
    folder = tmp_path / "open"
    folder.mkdir()
    copy(ZOMBIES, folder)
    assert "No table dice in 1 log" in cli("dice", str(folder)).out


def test_a_row_a_log(cli, evenings):
    rows = list(csv.DictReader(StringIO(cli("stats", str(evenings)).out)))
    assert {row["game"] for row in rows} == {"zombies", "mutants"}
    assert all(row["clean"] == "yes" for row in rows)


def test_rows_as_json_lines(cli, evenings):
    rows = [json.loads(line) for line in cli("stats", str(evenings), "--as", "jsonl").out.splitlines()]
    assert [row["ended"] for row in rows] == [True, True]
    assert cli("stats", str(evenings), "--as", "xml").code == 2


def test_what_cannot_be_read_is_named_and_stops_nothing(cli, evenings):
    (evenings / "broken.jsonl").write_text("no log\n")
    told = cli("stats", str(evenings), "--jobs", "1")
    assert told.code == 0
    assert "broken.jsonl" in told.err


def test_an_executor_gives_the_same_rows(evenings):
    with ThreadPoolExecutor(2) as executor:
        assert list(each_log([evenings], row_of, executor)) == list(each_log([evenings], row_of))
    assert isinstance(next(each_log([evenings / "none.jsonl"], row_of)), Unread)


def test_luck_of_a_log_that_is_piped_in(cli):
    piped = cli("-g", "-", "luck", "--json", stdin=ZOMBIES.read_bytes())
    assert piped.code == 0, piped.err
    assert piped.facts == cli("luck", str(ZOMBIES), "--json").facts
