"""A block of lines that is pasted into a session: each is said, until one is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.screen import Screen
from referee.cli.session.pasted_lines import run_pasted_lines, split_lines
from referee.cli.session.repl import Repl
from referee.record.table.opening_logs import open_log

terminal = pytest.importorskip("terminal", reason="needs pseudo-terminals", exc_type=ImportError)


class Table:
    """A conversation into which blocks are pasted, and all that is shown."""

    def __init__(self, log):
        self.talk = Repl(open_log(log), lambda: Screen(colour="never", width=80))

    def paste(self, text):
        self.said, self.screen = [], ""
        run_pasted_lines(self.talk, text, 80, self._show)
        return self.screen

    def _show(self, said, reply):
        self.said += [said.rpartition("> ")[2]] if said else []
        self.screen = "\n".join([*([] if reply.clears_screen else [self.screen, said]), *reply.render_rows()])


def played(log):
    return [type(entry.action).__name__ for entry in open_log(log).entries[1:]]


def test_lines_of_a_block():
    assert split_lines("2 go\r\n\n 6 go\r auto\n\n") == ["2 go", " 6 go", " auto"]
    assert split_lines("") == split_lines("\n \n") == [""]


def test_each_line_is_said(control):
    table = Table(control)
    table.paste("2 go\n2 turn ne\n\n6 go\nauto\n")
    assert table.said == ["2 go", "2 turn ne", "6 go", "auto"]
    assert played(control)[2:] == ["MoveRobot", "TurnRobot", "MoveRobot", "CompleteAutomaticPhase"]


def test_it_stops_at_the_first_that_is_refused(control):
    table = Table(control)
    told = table.paste("2 go\n5 go\n6 go\nauto")
    assert table.said == ["2 go", "5 go"]
    assert played(control)[2:] == ["MoveRobot"]
    assert told.endswith("Skipped: 2 more lines of the pasted text.\n  6 go\n  auto")


def test_dice_that_a_line_waits_for_may_follow_it(evening):
    table = Table(evening)
    table.paste("throwoff\n5 2\nthrow\n226\n6 go")
    assert played(evening) == ["RollForFirstTurn", "RollDice", "MoveRobot"]
    assert "Not said" not in table.screen


def test_dice_that_do_not_follow_are_asked_for(cli):
    cli("new mutants --dice table --seats Ann,Bo -o raid.jsonl")
    cli("do rest, ready, rest, ready")
    table = Table("raid.jsonl")
    told = table.paste("smash xN4-D1 n8\nsmash xS4-D7 n22")
    assert table.said == ["smash xN4-D1 n8"]
    assert told.endswith("Skipped: 1 more line of the pasted text.\n  smash xS4-D7 n22")


def test_a_block_hands_no_screen_over_and_shows_the_next_player_nothing(cli):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    table = Table("g.jsonl")
    table.talk.run_line("")
    told = table.paste("wall D2-D3, put prof penny in D4, put buck b1 in D1, rest\nready\n\n\nwall E5-E6\n")
    assert (table.talk.live_log.eyes, table.said[-1]) == (None, "ready")
    assert told.endswith("Skipped: 1 more line of the pasted text.")
    assert "E5-E6" not in told


def test_who_leaves_says_no_more(control):
    table = Table(control)
    assert table.paste("quit\n6 go").endswith("Skipped: 1 more line of the pasted text.\n  6 go")
    assert played(control)[2:] == []


def test_a_request_of_a_program_is_one_line(cli, control):
    request = json.dumps({"id": 1, "say": "2 go\n6 go"})
    answer = cli("--json play", stdin=request.encode() + b"\n").facts
    assert (answer["exit"], answer["answer"]["error"]) == (2, "MisuseError")
    assert played(control)[2:] == []


@pytest.mark.parametrize("lines", [24, 70])
def test_a_block_on_a_terminal(cli, control, lines):
    with terminal.Terminal("play", lines=lines) as table:
        table.wait("dice 2 2 6> ")
        table.paste("2 go\n5 go\n6 go")
        table.type("\r")
        table.wait("Skipped: 1 more line of the pasted text.")
        seen = table.text + table.scrolled_away
        assert "dice 2 2 6> 2 go" in seen
        assert "dice 2 6> 5 go" in seen
        table.type("\x04")
        assert table.left() == 0
    assert played(Path(control))[2:] == ["MoveRobot"]
