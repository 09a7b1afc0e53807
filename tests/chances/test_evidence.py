"""Evidence has an identity: what is there already, added once more in whatever form, changes no number."""

from __future__ import annotations

import os
from collections import Counter
from itertools import count, islice, permutations
from pathlib import Path
from random import Random
from shutil import copy
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from support import FIXTURES

from referee.chances.luck import NO_LUCK
from referee.chances.stats import (
    UnreadableLog,
    list_player_lucks_of_log,
    list_roll_rows,
    list_typed_faces,
    make_stats_row,
    map_logs,
)
from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.archive.log_contributions import compute_contributions
from referee.record.archive.trace import trace_log
from referee.record.log.entry import PlayEntry
from referee.record.table.deeds.correct import correct_dice
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView
from referee.record.table.sheet import format_sheet, parse_sheet
from referee.record.table.sheet_import import start_from_sheet
from referee.record.table.undo_redo import undo

TESTS = Path(__file__).parents[1]
NAMES = ("Anna", "Bo")
SHIPPED = {
    "by-mail": FIXTURES / "manoover" / "games" / "15-by-mail.jsonl",
    "survivor": FIXTURES / "manoover" / "games" / "05-survivor-ties.jsonl",
    "zombies": FIXTURES / "zombies" / "games" / "solo.jsonl",
    "revealed": FIXTURES / "sheboygan" / "games" / "learning.jsonl",
}


def numbers_of(folder):
    """All that is counted in a folder: faces by who typed them, luck by name, a row a game, and a row a roll."""
    faces, luck = Counter(), {}
    for taken in found(folder, list_typed_faces):
        faces.update(taken)
    for taken in found(folder, list_player_lucks_of_log):
        for name, one in taken:
            luck[name] = luck.get(name, NO_LUCK) + one
    rows = found(folder, make_stats_row, games=True)
    told = sorted((row.game, row.plays, row.takebacks, sorted(row.names.values()), row.luck) for row in rows)
    rolls = Counter((row.player, row.purpose, row.faces) for rows in found(folder, list_roll_rows) for row in rows)
    return faces, {name: one for name, one in luck.items() if one.dice}, told, rolls


def found(folder, work, **wanted):
    taken = list(map_logs([folder], work, **wanted))
    assert not [one for one in taken if isinstance(one, UnreadableLog)]
    return [one.found for one in taken if one.found is not None]


def play(session, rng, plays):
    """Play some at random, with dice as a table types them."""
    for _ in range(plays):
        if session.moment().to_act is None:
            return
        action = rng.choice(list(rng.choice(session.legal().choices)))
        line = session.play(action)
        if line.awaiting:
            faces = [rng.randint(1, line.awaiting.need.sides) for _ in range(line.awaiting.need.count)]
            session.play(action, faces=faces)


@pytest.fixture
def evening(request, tmp_path):
    """A folder with one log: a table's with slips, a seed's with slips, or one that was played elsewhere."""
    folder = tmp_path / "evening"
    folder.mkdir()
    if request.param in SHIPPED:
        copy(SHIPPED[request.param], folder / "friday.jsonl")
        return folder
    dice = OpenDice("7c" * 32) if request.param == "seed" else TableDice()
    session = start("manoover", folder / "friday.jsonl", seats=NAMES, dice=dice)
    rng = Random(7)
    play(session, rng, 8)
    undo(session, 2, agreed=NAMES and session.reducer.seats)
    play(session, rng, 3)
    throw = max(n for n in session.in_force() if isinstance(entry := session.entries[n], PlayEntry) and entry.rolls)
    if request.param == "table":
        faces = session.entries[throw].rolls[0].faces
        correct_dice(session, throw, [face % 6 + 1 for face in faces], agreed=session.reducer.seats)
    undo(session, 1, agreed=session.reducer.seats)
    play(session, rng, 6)
    return folder


every_evening = pytest.mark.parametrize("evening", ["table", "seed", *SHIPPED], indirect=True)


def some(session, count=12):
    """Some of the entries of a log."""
    last = len(session.entries) - 1
    return sorted({*range(0, last, max(1, last // count)), last - 1, last})


def lines_to(log, n):
    return b"".join(log.read_bytes().splitlines(keepends=True)[: n + 1])


@every_evening
def test_a_copy_changes_no_number(evening):
    before = numbers_of(evening)
    (evening / "copies").mkdir()
    for number in range(3):
        copy(evening / "friday.jsonl", evening / "copies" / f"{number}.jsonl")
    (evening / "mailed.jsonl").write_bytes((evening / "friday.jsonl").read_bytes().replace(b"\n", b"\r\n"))
    assert numbers_of(evening) == before


@every_evening
def test_an_older_copy_changes_no_number(evening):
    before, log = numbers_of(evening), evening / "friday.jsonl"
    for n in some(open_log(log)):
        (evening / "older.jsonl").write_bytes(lines_to(log, n))
        assert numbers_of(evening) == before, n


@every_evening
def test_a_branch_changes_no_number(evening):
    before, session = numbers_of(evening), open_log(evening / "friday.jsonl")
    for n in some(session):
        branched = branch(session, f"at-{n}", n, agreed=session.reducer.seats)
        record_note(branched, "what if?", session.reducer.seats[0])
        assert numbers_of(evening) == before, n
        if n % 3:
            branched.path.unlink()


@pytest.mark.parametrize("evening", ["table", "seed", "survivor", "zombies"], indirect=True)
def test_a_conflict_copy_changes_no_number(evening):
    """Two computers went on from one log; what this one has more are remarks and takebacks."""
    before, log = numbers_of(evening), evening / "friday.jsonl"
    session = open_log(log)
    for n in some(session)[1:-3]:
        path = evening / "friday (conflict).jsonl"
        path.write_bytes(lines_to(log, n))
        other = open_log(path)
        record_note(other, "on the other laptop", "red")
        if SeatView(other).log.last_spoken_entry is not None:
            undo(other, agreed=other.reducer.seats)
        assert numbers_of(evening) == before, n
        for left in evening.glob("friday (*"):
            left.unlink()


@every_evening
def test_a_game_that_is_read_back_from_words_changes_no_number(evening):
    before, session = numbers_of(evening), open_log(evening / "friday.jsonl")
    last = len(session.entries) - 1
    for n in some(session, 6) if not session.reducer.keepers else [last]:  # all secrets are revealed at the end
        sheet = parse_sheet(format_sheet(session.game, session.entries[: n + 1]))
        if not any(isinstance(entry, PlayEntry) and entry.rolls for entry in session.entries[: n + 1]):
            continue  # a game in which nothing was thrown is like any other
        start_from_sheet(sheet, evening / f"words-{n}.jsonl")
        assert numbers_of(evening) == before, n


@every_evening
def test_all_of_it_together_in_any_order_changes_no_number(evening, tmp_path):
    before, session = numbers_of(evening), open_log(evening / "friday.jsonl")
    half = len(session.entries) // 2
    branch(session, "half", half, agreed=session.reducer.seats)
    start_from_sheet(parse_sheet(format_sheet(session.game, session.entries)), evening / "words.jsonl")
    (evening / "older.jsonl").write_bytes(lines_to(session.path, half))
    for seed in range(4):
        names = [path.name for path in evening.glob("*.jsonl")]
        shelf = tmp_path / f"shelf-{seed}"
        for name, other in zip(sorted(names), Random(seed).sample(sorted(names), len(names)), strict=True):
            shelf.mkdir(exist_ok=True)
            copy(evening / name, shelf / other)
        assert numbers_of(shelf) == before


def test_words_of_a_log_that_a_branch_has_overtaken_change_no_number(tmp_path):
    """The branch stands for the game, and the words are those of the log that it left."""
    session = start("manoover", tmp_path / "friday.jsonl", seats=NAMES, dice=TableDice())
    session.do("throwoff", faces=[6, 1])
    session.do("throw", faces=[1, 2, 3])
    branch(session, "again", 1).do("throw", faces=[4, 5, 6])
    before = numbers_of(tmp_path)
    assert (before[0].total(), len(before[2])) == (8, 1)
    start_from_sheet(parse_sheet(format_sheet(session.game, session.entries)), tmp_path / "words.jsonl")
    assert numbers_of(tmp_path) == before

    logs = [trace_log(str(path)) for path in sorted(tmp_path.glob("*.jsonl"))]
    for order in permutations("123"):
        dated = [replace(trace, began=time) for trace, time in zip(logs, order, strict=True)]
        assert sum(share.leads for share in compute_contributions(dated)) == 1, "whichever was begun first"


# What is new is counted


@pytest.mark.parametrize("evening", ["table"], indirect=True)
def test_what_a_branch_throws_itself_is_counted(evening):
    (before, _, rows, _), session = numbers_of(evening), open_log(evening / "friday.jsonl")
    branched = branch(session, "again", 2)
    start_of = sum(len(roll.faces) for roll in _rolls(branched))
    play(branched, Random(11), 5)
    more = sum(len(roll.faces) for roll in _rolls(branched)) - start_of
    after, _, rows_after, _ = numbers_of(evening)
    assert more > 0
    assert after.total() == before.total() + more
    assert rows_after == rows


@pytest.mark.parametrize("evening", ["table"], indirect=True)
def test_so_is_what_is_thrown_after_a_game_was_read_back(evening):
    (before, _, rows, _), session = numbers_of(evening), open_log(evening / "friday.jsonl")
    again = start_from_sheet(parse_sheet(format_sheet(session.game, session.entries)), evening / "words.jsonl")
    had = sum(len(roll.faces) for roll in _rolls(again))
    play(again, Random(12), 30)
    more = sum(len(roll.faces) for roll in _rolls(again)) - had
    after, _, rows_after, _ = numbers_of(evening)
    assert more > 0
    assert after.total() == before.total() + more
    assert len(rows_after) == len(rows) == 1


def test_games_that_begin_alike_are_counted_each(tmp_path):
    """The same players, the same first throw: by chance, once in 36 evenings."""
    for name in ("monday", "friday"):
        session = start("manoover", tmp_path / f"{name}.jsonl", seats=NAMES, dice=TableDice())
        session.do("throwoff", faces=[6, 1])
        session.do("throw", faces=[1, 2, 3] if name == "monday" else [4, 5, 6])
    faces, _, rows, _ = numbers_of(tmp_path)
    assert (faces.total(), len(rows)) == (10, 2)


def test_a_copy_without_its_vaults_hides_nothing(tmp_path):
    """The copy that can open what was played unseen tells of it, wherever the other one lies."""
    here = tmp_path / "here"
    hidden_game(here / "hidden.jsonl")
    before = numbers_of(here)
    assert before[1], "somebody has had luck"
    for name in ("a", "z"):
        bare = here / f"{name}.jsonl"
        copy(here / "hidden.jsonl", bare)
    assert numbers_of(here) == before


def hidden_game(log):
    """A game whose throws are aimed at, and whose plays are secrets of a seat. Its secret dice are always the same."""
    log.parent.mkdir()
    numbers = count(1)
    with patch.object(os, "urandom", lambda size: next(numbers).to_bytes(size)):
        session = start("mutants", log, options={"hidden-movement": "yes"}, dice=OpenDice("3d" * 32))
        rng = Random(3)
        for _ in range(150):
            if session.moment().to_act is None:
                break
            choice = rng.choice(list(session.legal().choices))
            session.play(rng.choice(list(islice(choice, 20))))


def _rolls(session):
    entries = (session.entries[n] for n in session.in_force())
    return [roll for entry in entries if isinstance(entry, PlayEntry) for roll in entry.rolls]


@pytest.mark.parametrize("cut", range(4, 15))
def test_the_copy_that_knows_a_newcomer_by_mail_stands_for_the_game(tmp_path, cut):
    """Dee joins in entry 14, after which nobody has played yet."""
    lines = (TESTS / "mail" / "succeeded.jsonl").read_bytes().splitlines(keepends=True)
    for name, count_of_lines in (("older", cut), ("newer", 15)):
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(lines[:count_of_lines]))
    (row,) = found(tmp_path, make_stats_row, games=True)
    assert row.names["blue"] == "Bo, then Dee"
