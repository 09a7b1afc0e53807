"""A game as a sheet of words, and the log that comes of it again."""

from __future__ import annotations

import tomllib
from random import Random

import msgspec
import pytest
from msgspec.structs import replace
from support import PACKAGE, ROOT

from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.options import OptionError
from referee.engine.registry import UnknownGameError
from referee.record.archive.audit import audit
from referee.record.archive.diff import NO_TIME
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import LogError, NotAllowedError
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.correct import correct_dice
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.settle import end_by_agreement
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView
from referee.record.table.sheet import SheetError, belongs_on_sheet, format_sheet, parse_sheet
from referee.record.table.sheet_import import start_from_sheet
from referee.record.table.undo_redo import redo, undo

ALL = sorted([*ROOT.glob("fixtures/*/games/*.jsonl"), *ROOT.glob("logs/sample-*.jsonl")])
GAMES = {f"{path.parent.parent.name}-{path.stem}": path for path in ALL}
OPEN = [name for name, path in GAMES.items() if not SeatView(open_log(path), None).facts.keepers]


def sheet(session):
    return format_sheet(session.game, session.entries)


def again(session, folder, **more):
    return start_from_sheet(parse_sheet(sheet(session)), folder / "again.jsonl", **more)


def recorded(session):
    """What entries hold, but for times, hashes, and the id of the game."""
    header, *rest = (replace(entry, at=NO_TIME, prev="") for entry in session.entries)
    return [replace(header, nonce=""), *rest]


def plays_of(session):
    """Actions, dice and events, where it does not matter who threw the dice and which entry holds them."""
    plays = [entry for entry in session.entries if isinstance(entry, PlayEntry)]
    return [(one.by, one.action, [roll.faces for roll in one.rolls], one.events) for one in plays]


def full_plays_of(session):
    """Plays with all their secrets."""
    plays = [entry for entry in session.entries if isinstance(entry, PlayEntry)]
    return [
        (one.by, one.known_action, [(roll.faces, roll.to) for roll in one.known_rolls], one.known_events)
        for one in plays
    ]


@pytest.mark.parametrize("name", sorted(GAMES.keys() - set(OPEN)))
def test_every_revealed_game_comes_again_with_its_secrets(name, tmp_path):
    old = open_log(GAMES[name])
    new = again(old, tmp_path)
    assert full_plays_of(new) == full_plays_of(old)
    assert sheet(new) == sheet(old)
    assert audit(tmp_path / "again.jsonl").fault is None
    assert not new.reducer.sealed


@pytest.mark.parametrize("name", OPEN)
def test_every_game_without_secrets_comes_again(name, tmp_path):
    old = open_log(GAMES[name])
    new = again(old, tmp_path)
    if old.reducer.protocol:
        assert plays_of(new) == plays_of(old)
        assert sum(belongs_on_sheet(entry) for entry in old.entries) == len(new.entries) - 1
    else:
        assert recorded(new) == recorded(old)
        assert sheet(new) == sheet(old)
    assert audit(tmp_path / "again.jsonl").fault is None


def test_takebacks_and_whatever_else_is_no_play_come_again(control, tmp_path):
    control.do("2 turn ne")
    undo(control, by="red")
    redo(control, by="red")
    record_note(control, "Anna: [7 7] a \N{GRINNING FACE} *back 1, agreed blue", "blue")
    correct_dice(control, 2, [2, 2, 5], agreed=["blue"])
    session = branch(control, "b", agreed=("red", "blue"))
    position = msgspec.to_builtins(session.game.position_from(session.moment().state))
    position["robots"] = [robot for robot in position["robots"] if not robot.startswith("R6")]
    amend_position(session, position | {"off": ["R6"]}, 'R6 "fell": it is off', agreed=("red", "blue"))
    end_by_agreement(session, ["blue"], ["red", "blue"])
    new = again(session, tmp_path)
    assert recorded(new) == recorded(session)
    assert new.moment().outcome.winners == ("blue",)


def test_a_line_says_as_little_as_it_can(control):
    control.do("2 turn ne", faces=[])
    undo(control, by="red")
    assert sheet(control).splitlines() == [
        "referee words 1",
        "game manoover, rules 1",
        "seat red=Anna",
        "seat blue=Bo",
        "dice table",
        "",
        "1. red: throwoff red blue [6 1]",
        "2. throw [2 2 6]",
        "3. 2 turn NE",
        "4. *back 2",
    ]


def test_lots_come_from_the_seed_that_is_said(tmp_path):
    game = start("mutants", tmp_path / "g.jsonl", dice=TableDice())
    for phrase in ("random", "ready", "random"):
        assert not game.do(phrase).awaiting
    assert sheet(game).count("[lots ") == 2
    new = again(game, tmp_path)
    assert recorded(new) == recorded(game)
    assert any(roll.purpose == LOT_SEED_PURPOSE for roll in new.entries[1].rolls)


def test_own_boards_have_to_be_there(tmp_path):
    board = tomllib.loads((PACKAGE / "games/manoover/shipped/base.toml").read_text("utf-8"))
    board["name"] = "ours"
    game = start("manoover", tmp_path / "g.jsonl", own={"board": board})
    before = sorted(tmp_path.iterdir())
    with pytest.raises(NotAllowedError, match="--own PART=FILE"):
        again(game, tmp_path)
    assert sorted(tmp_path.iterdir()) == before
    assert recorded(again(game, tmp_path, own={"board": board})) == recorded(game)


def test_positions_options_and_bots_come_again(tmp_path):
    options = {"goal-cells": "third"}
    first = start("manoover", tmp_path / "g.jsonl", options=options, dice=OpenDice("7" * 64))
    first.do("throwoff")
    position = msgspec.to_builtins(first.game.position_from(first.moment().state))
    game = start("manoover", tmp_path / "h.jsonl", options=options, position=position, bots={"blue": "steady"})
    assert "option goal-cells=third" in sheet(game)
    assert recorded(again(game, tmp_path)) == recorded(game)


def test_a_game_becomes_a_sheet_once_its_last_secret_is_revealed(tmp_path):
    game = start("mutants", tmp_path / "g.jsonl", options={"hidden-movement": "yes"})
    sheet(game)
    for phrase in ("random", "ready", "random"):
        assert not game.do(phrase).awaiting
    with pytest.raises(NotAllowedError, match="referee reveal"):
        sheet(game)
    reveal_secrets(game, agreed=game.reducer.seats)
    text = sheet(game)
    assert "secret rolls" in text
    new = again(game, tmp_path)
    assert full_plays_of(new) == full_plays_of(game)
    assert new.reducer.sealed  # the game goes on, so its secrets are sealed again


def test_an_answer_on_a_sheet_must_be_the_true_one(tmp_path):
    text = sheet(open_log(GAMES["mutants-all-options"]))
    assert "11. human: tell\n" in text
    with pytest.raises(
        NotAllowedError, match=r"line .* of the sheet: human: tell A1 is not the answer that is due: human: tell$"
    ):
        start_from_sheet(
            parse_sheet(text.replace("11. human: tell\n", "11. human: tell A1\n")), tmp_path / "false.jsonl"
        )
    assert not list(tmp_path.iterdir())


HEAD = "referee words 1\ngame manoover, rules 1\nseat red=Anna\nseat blue=Bo\ndice table\n"
GOOD = f"{HEAD}\nred: throwoff red blue [6 1]\nthrow [2 2 6]\n"
WRONG = {
    "a word that is none": ("2 trun ne\n", SheetError, "line 9 of the sheet: '2 trun ne' cannot be read"),
    "what is not legal": ("9. x\n", SheetError, "line 3 of the game comes next"),
    "an illegal play": ("6 go\n5 go\n", NotAllowedError, r"line 10 of the sheet: red: 5 go is not legal: .*\("),
    "dice that nobody wants": ("2 turn ne [3]\n", NotAllowedError, "line 9 of the sheet: 1 die too many"),
    "dice that are missing": (
        "done\nauto\nblue: throw [1 2]\n",
        NotAllowedError,
        "line 11 of the sheet: dice are missing",
    ),
    "dice that cannot fall": ("done\nauto\nblue: throw [1 2 7]\n", NotAllowedError, "line 11 .* cannot show 7"),
    "no dice": ("done\nauto\nblue: throw [1 2 1234567890]\n", SheetError, "line 11 .* no dice"),
    "two brackets": ("2 turn ne [] [\n", SheetError, "line 9"),
    "nobody's seat": ("pink: throw\n", SheetError, "line 9 .* no seat 'pink'"),
    "two actions": ("2 turn ne, 2 go\n", SheetError, "line 9"),
    "back to what is to come": ("*back 3\n", SheetError, "line 9 .* does not come before it"),
    "back without consent": ("*back 0\n", NotAllowedError, "line 9 .* blue"),
    "a star with nothing": ("*\n", SheetError, "line 9"),
    "an empty note": ("*note:\n", SheetError, "line 9"),
    "a note of spaces": ("*note:  \n", SheetError, "line 9"),
    "a position that is none": ('*amend: {"position":{"x":1},"why":"w"}\n', NotAllowedError, "line 9"),
    "JSON that is none": ("*amend: {\n", SheetError, "line 9 .* not a JSON object"),
    "brackets without end": (f"*amend: {'[' * 9_999}\n", SheetError, "line 9"),
    "a seed of lots that is none": ("2 turn ne [lots 5]\n", SheetError, "line 9 .* 64 hex digits"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_its_line_and_nothing_is_left(name, tmp_path):
    text, kind, why = WRONG[name]
    with pytest.raises(kind, match=why):
        start_from_sheet(parse_sheet(GOOD + text), tmp_path / "g.jsonl")
    assert list(tmp_path.iterdir()) == []


HEADS = {
    "nothing": ("", "line 1 .* begins with"),
    "something else": ("hello\n", "line 1 .* begins with"),
    "another version": ("referee words 2\n", "line 1"),
    "no game": ("referee words 1\ndice table\n", "which game"),
    "no dice": ("referee words 1\ngame manoover, rules 1\n", "where its dice come from"),
    "a seed that is none": ("referee words 1\ngame manoover, rules 1\ndice open 5\n", "line 3"),
    "a game that is none": ("referee words 1\ngame ../x, rules 1\n", "line 2"),
    "half a seat": (f"{HEAD}seat red\n", "line 6"),
    "who speaks": (f"{HEAD}throw\n", "line 6 .* name the speaker"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_sheet_says_what_is_missing(name):
    text, why = HEADS[name]
    with pytest.raises(SheetError, match=why):
        parse_sheet(text)


def test_what_was_typed_off_paper_may_lack_numbers_and_have_remarks(tmp_path):
    text = GOOD.replace("\n", "\r\n") + "# turn 1\r\n\r\n   2 TURN ne\r\n"
    session = start_from_sheet(parse_sheet("\ufeff" + text), tmp_path / "g.jsonl")
    assert len(session.entries) == 4
    assert not any(isinstance(entry, TakebackEntry) for entry in session.entries)


def test_whatever_becomes_of_a_sheet_is_told_and_leaves_nothing(tmp_path):
    chance = Random(4)
    text = GOOD + '*note: a\n*back 2\n2 turn ne\n*end, agreed red blue, won red\n*branch: ["a","b"]\n'
    for number in range(150):
        at, more = chance.randrange(len(text)), chance.choice(["", "[", ": ", "*", "9", "\x00", "\u2028", '"', "{"])
        changed = text[:at] + more + text[at + chance.randrange(4) :]
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            start_from_sheet(parse_sheet(changed), folder / "g.jsonl")
        except (LogError, OptionError, UnknownGameError):
            assert list(folder.iterdir()) == []
