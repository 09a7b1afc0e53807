"""`open` ends with what is new since one's own last play, with the board then and now."""

from __future__ import annotations

import pytest
from penfriends import seated
from support import FIXTURES

from referee.cli.answer import FixedRows
from referee.cli.changes_since import describe_changes_since
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView


def exchange(anna, bo):
    """Anna has played a turn, and Bo has it; then Bo plays his."""
    seated(anna, bo)
    anna.does("done!")
    assert bo.gets(anna.mails()).code == 0
    bo.does("done!")


def test_the_board_then_and_now(pair):
    anna, bo = pair
    exchange(anna, bo)
    told = anna.gets(bo.mails()).out
    since = told[told.index("Since you played last") :]
    assert "Then:" in since and "Now:" in since
    assert since.index("Now:") < since.index("Next:")
    head = next(row for row in since.splitlines() if row.startswith("Then:"))
    assert "Now:" in head, "side by side"
    assert anna("mail open mail.txt").out.count("Since you played last") == 0


def test_it_fits_sixty_columns_and_ascii(pair):
    anna, bo = pair
    exchange(anna, bo)
    (anna.folder / "mail.txt").write_bytes(bo.mails())
    told = anna("--ascii open mail.txt", width=60).out
    assert "Since you played last" in told
    assert max(map(len, told.splitlines())) <= 60
    assert told.isascii()


def test_who_has_not_played_yet_is_told_no_more(pair):
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo")
    assert "Since you" not in bo.gets(anna.mails()).out


@pytest.mark.parametrize("game", ["mutants/games/alternate", "sheboygan/games/learning", "zombies/games/versus"])
def test_of_a_big_board_only_what_has_changed(game):
    look = SeatView(open_log(FIXTURES / f"{game}.jsonl"))
    told = 0
    for n in range(60, look.log.entry_number, 25):
        then = look.with_eyes(look.facts.seats[0]).at_entry(n)
        lines = list(describe_changes_since(then, n - 5, width=60, ascii_only=False))
        boards = [row for line in lines if isinstance(line, FixedRows) for row in line.rows]
        told += bool(boards)
        assert len(boards) <= 50 and max(map(len, boards), default=0) <= 60
    assert told
