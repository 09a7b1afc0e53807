"""A program of the user's own that is run when another player has to move: what it gets, and what it may do wrong."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from referee.cli.errors import MisuseError
from referee.cli.turn_hook import TurnHook
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

KEEPS = "import sys; open('rung.txt', 'a').write(sys.stdin.read() + chr(10))"


def program(code):
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def rung():
    path = Path("rung.txt")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


@pytest.fixture
def trouble():
    return []


def test_it_runs_once_for_each_player_who_has_to_move(cli, control, trouble):
    hook = TurnHook(program(KEEPS), trouble.append)
    hook.note_turn(SeatView(open_log(control)))
    for words in ("do 2 go", "do done!", "note hello"):
        assert cli(words).code == 0
        hook.run_if_turn_changed(SeatView(open_log(control)), own="blue")
        hook.wait_for_programs()
    assert [(told["to_act"], told["player"], told["yours"], told["turn"]) for told in rung()] == [
        ("blue", "Bo", True, 2),
    ]
    assert trouble == []


def test_a_mail_that_changes_no_turn_is_told_as_a_mail(control, trouble):
    hook, look = TurnHook(program(KEEPS), trouble.append), SeatView(open_log(control))
    for has_mail in (True, False, True):
        hook.run_if_turn_changed(look, has_mail=has_mail)
        hook.wait_for_programs()
    assert [told["because"] for told in rung()] == ["turn", "mail"]


def test_it_gets_what_everybody_may_know(cli, place, trouble):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    cli("do --by human wall D2-D3, rest, ready")
    hook = TurnHook(program(KEEPS), trouble.append)
    hook.run_if_turn_changed(SeatView(open_log(place / "g.jsonl"), "human"))
    hook.wait_for_programs()
    told = Path("rung.txt").read_text("utf-8")
    assert '"to_act":"mutant"' in told
    assert "D2" not in told


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import time; time.sleep(60)", "took longer than 0.5 seconds and was stopped."),
        ("raise SystemExit(3)", "failed: it ended with 3."),
        ("print('a secret' * 100000)", None),
        ("import sys; sys.stdin.close(); sys.stdout.close()", None),
    ],
)
def test_a_program_that_hangs_breaks_or_prints(control, trouble, capfd, code, said):
    hook = TurnHook(program(code), trouble.append, limit=0.5 if said and "stopped" in said else 60)
    hook.run_if_turn_changed(SeatView(open_log(control)))
    hook.wait_for_programs()
    assert [one.endswith(said) for one in trouble] == [True] * (said is not None)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "needs a program"),
        ("no-such-program x", "no program 'no-such-program'"),
        ("'a", "quote that is not closed"),
    ],
)
def test_a_program_that_cannot_be_run(cli, control, trouble, command, why):
    with pytest.raises(MisuseError, match=why):
        TurnHook(command, trouble.append)
    answer = cli("serve", "--run", command)
    assert (answer.code, answer.out) == (2, "")
    assert why in answer.err


def test_mail_runs_it_only_where_mail_is_watched(cli, control):
    answer = cli("mail", "--run", "true")
    assert (answer.code, "--run needs --watch" in answer.err) == (2, True)
