"""`referee stats luck`, `dice`, `stats`: was that luck, are these dice fair, a row a game."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from shutil import copy

import pytest
from dresses import is_spelt_in_ascii
from support import FIXTURES

from referee.chances.stats import UnreadableLog, make_stats_row, map_logs
from referee.engine.dice_mode import TableDice
from referee.record.table.opening_logs import start

ZOMBIES = FIXTURES / "zombies" / "games" / "solo.jsonl"
ROBOTS = str(FIXTURES / "manoover" / "games" / "01-base.jsonl")
TABLE = FIXTURES / "mutants" / "games" / "all-options.jsonl"


@pytest.fixture
def evenings(tmp_path):
    folder = tmp_path / "evenings"
    folder.mkdir()
    for log in (ZOMBIES, TABLE):
        copy(log, folder)
    return folder


def test_luck(cli, snapshot):
    assert cli("stats", "luck", str(ZOMBIES)).shown.replace(str(FIXTURES), "") == snapshot


def test_luck_for_programs(cli):
    facts = cli("stats", "luck", str(ZOMBIES), "--json").facts
    for seat, told in facts["seats"].items():
        assert told["luck"] == pytest.approx(sum(kind["luck"] for kind in facts["kinds"] if kind["seat"] == seat))
        assert [one["luck"] for one in facts["line"] if one["seat"] == seat][-1] == pytest.approx(told["luck"])
    assert set(facts["seats"]) == {"red", "zombies"}


def test_pieces_that_could_act_after_dice_that_are_only_read(cli):
    told, facts = cli("stats", "luck", ROBOTS), cli("stats", "luck", ROBOTS, "--json").facts
    assert "red (Anna): 12 pieces could act after rolls without a target, 14.0 expected" in told.out
    assert [one["pieces"] for one in facts["results"]["able"]] == [12, 12]
    assert facts["results"]["left_out"] == 0


def test_rolls_with_too_many_results_are_not_followed_and_told(cli):
    told = cli("stats", "luck", str(FIXTURES / "manoover" / "games" / "11-plus.jsonl"))
    assert "Left out: 28 rolls with too many possible results." in told.out


def test_a_rare_result_of_rolls_that_had_to_follow_is_named(cli, monkeypatch):
    monkeypatch.setattr("referee.cli.commands.luck.RARE_CHANCE", 0.6)
    told = cli("stats", "luck", str(FIXTURES / "mutants" / "games" / "basic.jsonl"))
    assert "Rarest result, with the rolls that followed: entries 127 to 128 by " in told.out
    assert "resolve: b22: gone (50 %)" in " ".join(told.out.split())


def test_dice_that_are_only_read(cli):
    assert "No roll so far had a target" in cli("stats", "luck", ROBOTS).out


def test_what_is_not_there_is_not_drawn(cli, tmp_path):
    told = cli("stats", "luck", ROBOTS, "-o", "luck.svg")
    assert (told.code, Path("luck.svg").exists()) == (1, False)
    assert "No picture was written: no roll had a target number." in told.out
    copy(ROBOTS, "open.jsonl")
    told = cli("stats", "dice", "-o", "dice.svg")
    assert (told.code, Path("dice.svg").exists()) == (1, False)
    assert "No picture was written: nobody typed dice." in told.out
    (tmp_path / "none").mkdir()
    assert cli("stats", "dice", str(tmp_path / "none"), "-o", "dice.svg").code == 3
    assert not Path("dice.svg").exists()


@pytest.mark.parametrize("command", ["luck", "dice"])
def test_what_is_wrong_with_a_picture_is_said_before_the_work(cli, command, monkeypatch):
    copy(ZOMBIES, "z.jsonl")
    monkeypatch.setattr(
        f"referee.cli.commands.{command}.{'list_recorded_rolls' if command == 'luck' else 'LogResults'}", None
    )
    Path("there.svg").touch()
    for output, why in (("luck.png", "must end in .svg; 'luck.png' does not"), ("there.svg", "add --force")):
        told = cli("-g", "z.jsonl", command, "-o", output)
        assert (told.code, why in told.out + told.err) == (1 if why.startswith("add") else 2, True)


def test_worth_is_not_told_of_where_it_stands_below(cli):
    read = "No roll so far had a target number"
    assert f"{read}; to see what the rolls were worth, add --worth" in " ".join(
        cli("stats", "luck", ROBOTS).out.split()
    )
    assert f"{read}." in " ".join(cli("stats", "luck", ROBOTS, "--worth").out.split())


@pytest.mark.parametrize(
    "words", [("luck", str(ZOMBIES)), ("dice", str(TABLE.parent)), ("-g", ROBOTS, "luck", "--worth")]
)
def test_drawings_fit_on_a_phone(cli, words):
    assert max(map(len, cli(*words, width=40).out.splitlines())) <= 40


@pytest.mark.parametrize(
    "words", [("luck", str(ZOMBIES)), ("dice", str(TABLE.parent)), ("-g", ROBOTS, "luck", "--worth")]
)
def test_they_can_be_spelt_in_ascii(cli, words):
    assert is_spelt_in_ascii(cli("--ascii", *words), cli(*words))


def test_before_any_dice_have_fallen(cli):
    cli("new", "zombies", "--seed", "0" * 64)
    assert "Nobody has rolled dice yet." in cli("stats", "luck").out
    cli("roll")
    assert "No roll so far had a target" in cli("stats", "luck").out


def test_luck_that_is_unusual_is_called_so(cli):
    told = cli("stats", "luck", str(FIXTURES / "sheboygan" / "games" / "advanced-b.jsonl")).out
    assert "-9.8 (z -2.6, unusual)" in told
    assert "+2.8 (z +1.2)" in told


def test_what_was_thrown_for_is_told_in_the_words_that_are_typed(cli):
    facts = cli("stats", "luck", str(FIXTURES / "sheboygan" / "games" / "learning.jsonl"), "--json").facts
    assert {kind["kind"] for kind in facts["kinds"]} == {"attack", "wreck"}


def test_games_without_luck_say_so(cli, tmp_path):
    copy(ROBOTS, tmp_path)
    assert "No roll in these games had a target number." in cli("stats", "luck", str(tmp_path)).out


def test_dice(cli, evenings):
    told = cli("stats", "dice", str(evenings))
    assert "Dice with 6 sides, all together" in told.out
    assert "e-value" in told.out
    assert told.code == 0


def test_dice_that_fall_alike_evening_for_evening(cli, tmp_path):
    """Games that only begin alike are games of their own."""
    (tmp_path / "alike").mkdir()
    for number in range(100):
        log, seats = tmp_path / "alike" / f"{number}.jsonl", ("Anna", str(number))
        session = start("manoover", log, seats=seats, dice=TableDice())
        session.do("throwoff", faces=[6, 1])
        session.do("throw", faces=[6, 6, 6])
    told = cli("stats", "dice", str(tmp_path / "alike"))
    assert "(20 or more is suspicious)" in " ".join(told.out.split())
    assert (told.code, "Counted once" in told.out) == (1, False)


def test_a_folder_without_table_dice(cli, tmp_path):
    folder = tmp_path / "open"
    folder.mkdir()
    copy(ZOMBIES, folder)
    assert "There are no table dice in 1 log" in cli("stats", "dice", str(folder)).out


def test_a_row_a_log(cli, evenings):
    rows = list(csv.DictReader(StringIO(cli("stats", str(evenings)).out)))
    assert {row["game"] for row in rows} == {"zombies", "mutants"}
    assert all(row["clean"] == "yes" for row in rows)


def test_rows_as_json_lines(cli, evenings):
    rows = [json.loads(line) for line in cli("stats", str(evenings), "--as", "jsonl").out.splitlines()]
    assert [row["ended"] for row in rows] == [True, True]
    assert cli("stats", str(evenings), "--as", "xml").code == 2


def test_a_row_a_roll(cli, control):
    cli("do 2 go, done!")
    cli("roll 1 1 5")
    cli("undo --agreed-by red")
    cli("roll 3 3 4")
    rows = list(csv.DictReader(StringIO(cli("stats", "rolls", str(control)).out)))
    assert [(row["entry"], row["player"], row["faces"]) for row in rows] == [
        ("1", "Anna", "5; 2"),
        ("2", "Anna", "2; 2; 6"),
        ("8", "Bo", "3; 3; 4"),
    ]
    assert {row["origin"] for row in rows} == {"table"}
    lines = cli("stats", "rolls", str(control), "--as", "jsonl").out.splitlines()
    assert [json.loads(line)["faces"] for line in lines] == [["5", "2"], ["2", "2", "6"], ["3", "3", "4"]]
    assert cli("stats", "rolls", "--as", "xml").code == 2


def test_rows_of_another_form_are_misuse(cli):
    told = cli("stats", "--as", "xml")
    assert (told.code, told.err) == (2, "--as takes csv or jsonl, not 'xml'.\n")


def test_what_cannot_be_read_is_named_and_stops_nothing(cli, evenings):
    (evenings / "broken.jsonl").write_text("no log\n")
    told = cli("stats", str(evenings), "--jobs", "1")
    assert told.code == 0
    assert "broken.jsonl" in told.err


def test_an_executor_gives_the_same_rows(evenings):
    with ThreadPoolExecutor(2) as executor:
        assert list(map_logs([evenings], make_stats_row, executor)) == list(map_logs([evenings], make_stats_row))
    assert isinstance(next(map_logs([evenings / "none.jsonl"], make_stats_row)), UnreadableLog)


def test_luck_of_a_log_that_is_piped_in(cli):
    piped = cli("-g", "-", "luck", "--json", stdin=ZOMBIES.read_bytes())
    assert piped.code == 0, piped.err
    assert piped.facts == cli("stats", "luck", str(ZOMBIES), "--json").facts
