"""Luck, dice and figures over folders: pictures, all cores, a cluster, and being stopped."""

import json
from shutil import copy
from xml.etree import ElementTree

import msgspec
import pytest
from support import FIXTURES

from referee.chances import stats
from referee.chances.stats import UnreadableLog, list_player_lucks_of_log, list_typed_faces, make_stats_row, map_logs
from referee.cli import log_batch
from referee.record.archive.bounded_map import MAX_TASKS_AHEAD
from referee.record.archive.process_pool import start_workers
from referee.record.log.line_format import format_entry_line

TABLE = FIXTURES / "mutants" / "games" / "all-options.jsonl"
LOGS = (TABLE, FIXTURES / "zombies" / "games" / "solo.jsonl")


@pytest.fixture
def evenings(tmp_path):
    folder = tmp_path / "evenings"
    folder.mkdir()
    for log in LOGS:
        copy(log, folder)
    return folder


def words_in(picture):
    return [one.text for one in ElementTree.parse(picture).iter() if one.text]


def test_the_faces_of_a_group_as_a_picture(cli, evenings, tmp_path):
    picture = tmp_path / "dice.svg"
    assert "Written to" in cli("stats", "dice", str(evenings), "-o", str(picture)).out
    told = words_in(picture)
    assert any("Dice with 6 sides, all together" in line for line in told)
    assert cli("stats", "dice", str(evenings), "-o", str(picture)).code != 0, "nothing is written over"


def test_the_line_of_luck_as_a_picture(cli, tmp_path):
    picture = tmp_path / "luck.svg"
    cli("stats", "luck", str(TABLE), "-o", str(picture))
    assert any(line.startswith("human") for line in words_in(picture))


def test_luck_over_many_games_is_told_by_player(cli, evenings):
    told = cli("stats", "luck", str(evenings), "--json").facts
    assert told["logs"] == 2
    assert {"red", "zombies"} <= set(told["players"])
    assert "Luck in 2 games" in cli("stats", "luck", str(evenings)).out


@pytest.mark.parametrize("option", [("--worth",), ("-o", "luck.svg")])
def test_what_is_for_one_game_only(cli, evenings, option):
    told = cli("stats", "luck", str(evenings), *option)
    assert (told.code, "a single game" in told.err) == (2, True)


@pytest.mark.parametrize("command", ["luck", "dice", "stats"])
def test_what_cannot_be_read_stops_nothing(cli, evenings, command):
    (evenings / "broken.jsonl").write_text("no log\n")
    told = cli(command, str(evenings), "-j", "1")
    assert told.code == 0
    assert "broken.jsonl" in told.out + told.err


@pytest.mark.parametrize("command", ["luck", "dice", "stats"])
def test_a_match_is_read_by_its_games(cli, place, command):
    cli("match new manoover -o cup.jsonl")
    cli("roll")
    told = cli(command)
    assert (told.code, "Not read" in told.out + told.err) == (0, False)
    named = cli(f"{command} cup.jsonl {'.' if command == 'luck' else ''}")
    assert "Not read: cup.jsonl: this is the log of a match; to see it: referee match show\n" in named.out + named.err


@pytest.fixture
def newer(cli, tmp_path):
    """The current game, by rules that nobody here knows yet."""
    log = tmp_path / "newer.jsonl"
    cli("new", "manoover", "-o", str(log))
    header = json.loads(log.read_bytes().splitlines()[0])["entry"]
    log.write_bytes(format_entry_line(msgspec.json.encode(header | {"rules": 99}, order="sorted")))
    log.with_name("newer.jsonl.head").unlink(missing_ok=True)
    return log


@pytest.mark.parametrize("words", [("odds",), ("odds", "throw"), ("luck",), ("hint",), ("stats", "."), ("dice", ".")])
def test_a_game_by_newer_rules_is_one_sentence(cli, newer, words):
    told = cli(*(str(newer) if word == "." else word for word in words))
    assert told.code == 3
    assert " ".join((told.out + told.err).split()).count("which does not know rules 99 of") == 1
    assert "update the referee here" in " ".join((told.out + told.err).split())


@pytest.mark.parametrize("command", ["luck", "dice", "stats"])
def test_a_folder_without_logs_is_one_sentence(cli, tmp_path, command):
    (tmp_path / "empty").mkdir()
    told = cli(command, str(tmp_path / "empty"))
    assert told.code == 3
    assert (told.out + told.err).count("There are no logs in") == 1
    assert "0 " not in told.out


@pytest.mark.parametrize("command", ["luck", "dice", "stats"])
def test_stopped_it_tells_what_was_found(cli, evenings, command, monkeypatch):
    def stopping(*args, **wanted):
        yield from list(map_logs(*args, **wanted))[:1]
        raise KeyboardInterrupt

    monkeypatch.setattr(log_batch, "map_logs", stopping)
    told = cli(command, str(evenings))
    assert told.code == 130
    assert "Stopped after 1 log" in (told.out + told.err).replace("\n", " ")


@pytest.mark.parametrize("work", [list_player_lucks_of_log, list_typed_faces, make_stats_row])
def test_processes_find_the_same(evenings, work):
    with start_workers(2) as executor:
        assert list(map_logs([evenings], work, executor)) == list(map_logs([evenings], work))


def test_a_cluster_finds_the_same(evenings):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert list(map_logs([evenings], list_player_lucks_of_log, executor)) == list(
            map_logs([evenings], list_player_lucks_of_log)
        )


def test_few_logs_are_handed_out_at_a_time(evenings, monkeypatch):
    """Memory does not grow with their number."""
    out = set()

    class Counting:
        def submit(self, work, *args):
            from concurrent.futures import Future

            future = Future()
            future.set_result(work(*args))
            out.add(id(future))
            return future

    monkeypatch.setattr(stats, "find_logs", lambda _paths: (f"none-{n}.jsonl" for n in range(500)))
    found = map_logs([], list_typed_faces, Counting())
    assert isinstance(next(found), UnreadableLog)
    assert len(out) == MAX_TASKS_AHEAD


def test_rows_for_programs_come_one_by_one(cli, evenings):
    """A row a line, the summary last."""
    *rows, summary = map(json.loads, cli("stats", str(evenings), "--json").out.splitlines())
    assert [row["game"] for row in rows] == ["mutants", "zombies"]
    once = {"logs": 0, "throws": 0, "named": []}
    assert summary == {"logs": len(rows), "counted_once": once, "unread": [], "further": 0, "stopped": False}


@pytest.fixture
def copied(evenings):
    """The same evenings with eight copies of one log."""
    (evenings / "copies").mkdir()
    for number in range(8):
        copy(TABLE, evenings / "copies" / f"{number}.jsonl")
    return evenings


@pytest.mark.parametrize("command", ["luck", "dice", "stats"])
def test_copies_change_nothing_but_one_line_that_says_so(cli, evenings, command):
    before = cli(command, str(evenings))
    facts = cli(command, str(evenings), "--json").facts
    (evenings / "zz").mkdir()
    for number in range(8):
        copy(TABLE, evenings / "zz" / f"{number}.jsonl")
    after = cli(command, str(evenings), width=400)
    told = [line for line in (after.out + after.err).splitlines() if line.startswith(("Counted once: ", "Left out: "))]
    assert len(told) == 1
    assert "8 logs repeat parts of other logs here: " in told[0]
    assert "and 5 more" in told[0]
    assert after.code == before.code
    facts_after = cli(command, str(evenings), "--json").facts
    *rows, summary = facts if command == "stats" else [facts]
    *rows_after, summary_after = facts_after if command == "stats" else [facts_after]
    assert rows_after == rows
    once = summary_after.pop("counted_once")
    assert (summary.pop("counted_once")["logs"], once["logs"], len(once["named"])) == (0, 8, 8)
    assert summary_after == summary


def test_no_evening_accuses_anybody_because_it_was_copied(cli, copied):
    """Of one evening the faces say little; of eight copies of it they must not say more."""
    alone = cli("stats", "dice", str(TABLE), "--json").facts["dice"]
    told = cli("stats", "dice", str(copied), "--json").facts["dice"]
    assert told == alone
    assert not any(row["unfair"] for row in told)


def test_a_log_that_is_named_twice_is_read_once(cli, evenings):
    told = cli("stats", "dice", str(evenings), str(evenings / TABLE.name), "--json").facts
    assert (told["logs"], told["counted_once"]["logs"]) == (2, 0)
