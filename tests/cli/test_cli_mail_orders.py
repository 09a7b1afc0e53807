"""Orders for when a player is away: given, shown, withdrawn, and carried out by the player's own computer."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from penfriends import Person, seated

import referee
from referee.mail import order_flow
from referee.record.archive.audit import audit
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import open_log

EACH_TURN = "if 5: 5 go; else: done"


@pytest.fixture
def people(cli, tmp_path, monkeypatch, told):
    """People who play a game of the first derivation, with the dice that the orders are about."""
    return lambda name: Person(name, tmp_path, cli, monkeypatch, told, "luck 26", derivation=1)


@pytest.fixture
def table(pair):
    """Anna and Bo play Manoover. It is red's first turn, with the dice 6 5 1; on turn 3 red rolls 2 1 6."""
    seated(*pair)
    return pair


def played_a_turn(anna, bo):
    """Plays the turn of Bo, and sends it to Anna. Returns her answer."""
    assert bo.gets(anna.mails()).code == 0
    bo.does("done!")
    return anna.gets(bo.mails())


def actions(person, by):
    return [
        entry.known_action for entry in open_log(person.log).entries if isinstance(entry, PlayEntry) and entry.by == by
    ]


def words_of(person, by):
    game = open_log(person.log).game
    return [game.format(action) for action in actions(person, by)]


def order_file(person):
    (path,) = (person.home / "referee" / "orders").iterdir()
    return path


# Carried out


def test_a_turn_is_made_by_orders(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'")
    told = played_a_turn(anna, bo).out
    assert "By your orders:\nred: done\n" in told
    assert "All your orders are carried out." in told
    assert words_of(anna, "red")[-2:] == ["done", "auto"]
    assert "Your orders" not in anna("mail").out
    assert bo.gets(anna.mails()).code == 0
    assert words_of(bo, "red")[-2:] == ["done", "auto"]
    assert audit(bo.log).fault is None


@pytest.mark.parametrize(
    ("orders", "made"),
    [
        ("if 2 and not 5: 2 go; else: done!", ["2 go N"]),
        ("if 2: if 1: 1 go else 2 go else done!", ["1 go N"]),
        ("if 5: 5 go then if 2 6: 2 go, 6 go then if sum 9: done!", ["2 go N", "6 go N", "done", "auto"]),
        ("if can 5 go: 5 go else if can 6 go: 6 go", ["6 go N"]),
        ("repeat if can 2 go: 2 go then 1 go", ["2 go N", "1 go N"]),
        ("6 go, if can 1 go: 1 go, done!", ["6 go N", "1 go N", "done", "auto"]),
    ],
)
def test_conditions_ask_about_the_dice_and_about_what_is_legal(table, orders, made):
    anna, bo = table
    anna.does("done!", f"mail orders '{orders}'")
    before = len(words_of(anna, "red")) + 1  # the roll
    answer = played_a_turn(anna, bo)
    assert answer.code == 0
    assert words_of(anna, "red")[before:] == made
    assert "All your orders are carried out." in answer.out


def test_orders_wait_until_all_of_them_are_carried_out(table):
    anna, bo = table
    anna.does("done!", "mail orders 'done then done'")
    assert "All your orders" not in played_a_turn(anna, bo).out
    assert "Your orders: done\n" in anna("mail orders").out
    assert "All your orders are carried out." in played_a_turn(anna, bo).out
    assert audit(anna.log).fault is None


def test_a_mail_that_is_only_looked_at_carries_out_nothing(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'")
    bo.gets(anna.mails())
    bo.does("done!")
    mail = bo.mails()
    before = anna.log.read_bytes()
    assert "By your orders" not in anna.gets(mail, "-n").out
    assert anna.log.read_bytes() == before
    assert "By your orders" in anna.gets(mail).out
    after = anna.log.read_bytes()
    assert "By your orders" not in anna.gets(mail).out
    assert anna.log.read_bytes() == after


def test_in_a_session_the_game_goes_on_after_them(table):
    anna, bo = table
    anna.does("done!", "mail orders 'if 2: 2 go'")
    bo.gets(anna.mails())
    bo.does("done!")
    (anna.folder / "mail.txt").write_bytes(bo.mails())
    told = anna("play", stdin=b"mail open mail.txt\n1 go, done!\n")
    assert "By your orders" in told.out
    assert words_of(anna, "red")[-4:] == ["2 go N", "1 go N", "done", "auto"]


def test_for_programs(table):
    anna, bo = table
    anna.does("done!")
    given = anna(f"--json mail orders '{EACH_TURN}'").facts["orders"]
    assert given == {"text": "if 5: 5 go else done", "seat": "red", "carried_out": 0, "withdrawn": None}
    assert anna("--json mail").facts["orders"] == given
    bo.gets(anna.mails())
    bo.does("done!")
    (anna.folder / "mail.txt").write_bytes(bo.mails())
    (carried,) = anna("--json mail open mail.txt").facts["orders"]
    assert carried | {"log": ""} == {"log": "", "made": ["done", "auto"], "declared": [], "ended": carried["ended"]}
    assert anna("--json mail orders").facts["orders"] is None


def test_they_may_be_typed_without_quotes(table):
    anna, _ = table
    anna.does("done!", "mail orders if 5 5: 5 go else if sum 8+: 6 go else done")
    assert "Your orders: if 5 5: 5 go else if sum 8+: 6 go else done\n" in anna("mail orders").out


def test_the_manual_and_the_help_show_orders_that_can_be_given(table):
    anna, _ = table
    anna.does("done!")
    chapter = (Path(referee.__file__).parent / "manual" / "mail.md").read_text("utf-8")
    section = chapter.partition("## Orders for when you are away")[2].partition("\n## ")[0]
    shown = re.findall(r"^    referee mail orders \"(.*)\"", section, re.MULTILINE)
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    shown += [orders for row in rows for orders in re.findall(r"`([^`]*)`", row)]
    shown += re.findall(r"mail orders \"(.*)\"", anna("mail orders --help").out)
    assert len(shown) > 8
    for orders in shown:
        written = re.sub(r"^[.]{3} then", "done then", orders).replace("...", "done")
        assert anna("mail", "orders", written).code == 0, orders


# Stopped


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ("if any: 5 go", "5 go N is not legal now: "),
        ("2 go, 5 go", "5 go N is not legal now: "),
        ("if 5: 5 go", "none of their conditions holds."),
        ("if can 5 go: 5 go then if sum 20+: done!", "none of their conditions holds."),
    ],
)
def test_orders_that_do_not_fit_stop_and_nothing_is_half_done(table, orders, why):
    anna, bo = table
    anna.does("done!", f"mail orders '{orders}'")
    answer = played_a_turn(anna, bo)
    assert answer.code == 0
    assert f"Your orders have stopped: {why}" in " ".join(answer.out.split())
    assert "The game waits for you." in " ".join(answer.out.split())
    assert words_of(anna, "red")[-1] == "throw"
    assert "Your orders" not in anna("mail").out
    anna.does("2 go, done!")


def test_orders_that_would_go_on_too_long_stop(table, monkeypatch):
    monkeypatch.setattr(order_flow, "MAX_TIMES_CARRIED_OUT", 1)
    anna, bo = table
    anna.does("done!", "mail orders 'done then done'")
    played_a_turn(anna, bo)
    assert "they were carried out 1 times already" in played_a_turn(anna, bo).out


# Withdrawn


def test_any_other_word_withdraws_them(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'", "undo", "1 go, done!")
    assert "Your orders are withdrawn: you gave them after entry 10, which was taken back." in anna("mail").out
    played_a_turn(anna, bo)
    assert words_of(anna, "red")[-1] == "throw"
    assert "Your orders" not in anna("mail").out


def test_an_offer_withdraws_them(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'")
    bo.gets(anna.mails())
    assert "Your orders are withdrawn." in anna("undo").out  # offered beside the log
    assert "Your orders" not in anna("mail").out
    bo.does("done!")
    assert "By your orders" not in anna.gets(bo.mails()).out


def test_a_reply_to_an_offer_withdraws_them(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'")
    bo.gets(anna.mails())
    bo.does("undo 2")
    told = anna.gets(bo.mails()).out
    assert "By your orders" not in told
    assert "Your orders: if 5" in anna("mail").out
    anna.does("mail refuse")
    assert "Your orders are withdrawn: you have decided something else since, in entry" in anna("mail").out


def test_other_orders_replace_them_and_a_word_forgets_them(table):
    anna, _ = table
    anna.does("done!", f"mail orders '{EACH_TURN}'", "mail orders if any: done!")
    assert anna("mail orders").out.count("Your orders: ") == 1
    assert "Your orders: if any: done!" in anna("mail orders").out
    assert "Your orders are withdrawn." in anna("mail orders --withdraw").out
    assert "You have given no orders." in anna("mail orders --withdraw").out
    assert "You have given no orders." in anna("mail orders").out


def test_a_remark_withdraws_nothing(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'", "note good luck")
    assert bo.gets(anna.mails("-m hello")).code == 0
    bo.does("done!")
    assert "By your orders" in anna.gets(bo.mails()).out


def test_orders_that_a_crash_left_behind_are_not_carried_out_twice(table, monkeypatch):
    """The computer dies after a move was recorded, before it was crossed out of the orders."""
    anna, bo = table
    anna.does("done!", "mail orders 'if any: 2 go then if any: 1 go'")
    with monkeypatch.context() as patch:
        patch.setattr(order_flow, "store_orders", dies)
        assert played_a_turn(anna, bo).code == 70
    assert words_of(anna, "red")[-1] == "2 go N"
    told = anna.gets((anna.folder / "mail.txt").read_bytes()).out
    assert "Your orders are withdrawn: you have decided something else since, in entry 21." in " ".join(told.split())
    assert words_of(anna, "red")[-1] == "2 go N"


def dies(*_):
    raise RuntimeError("the computer dies")


# Bad input


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ("'if 5 5 go'", 2, "A colon is missing after 'if 5 5 go', as in: if 5: MOVES"),
        ("'if blue: done'", 2, "'blue' is not a condition; type faces such as 5 or 5 5, sum 8+, can MOVE, or any"),
        ("'repeat done'", 2, "Repeat needs a condition, or it would never end: repeat if CONDITION: MOVES"),
        ("'if 5: fly away'", 2, "Cannot read this:\n  fly away\n"),
        ("'if can fly: done'", 2, "Cannot read this:\n  fly\n"),
        ("done --withdraw", 2, "Use only one of ORDERS and --withdraw."),
    ],
)
def test_bad_orders_are_refused_in_one_sentence(table, words, code, why):
    anna, _ = table
    anna.does("done!")
    answer = anna(f"mail orders {words}")
    assert answer.code == code
    assert why in answer.shown
    assert "You have given no orders." in anna("mail orders").out


def test_orders_are_not_for_now_and_not_for_other_games(table):
    anna, _ = table
    assert "it is your move now, so make it; orders are for what comes after it" in anna("mail orders done").out
    anna.does("new manoover --dice open --seats A,B -o open.jsonl", "use open.jsonl")
    assert "this game is not played by mail" in anna("mail orders done").out


def test_damaged_orders_are_told_and_can_be_forgotten(table):
    anna, bo = table
    anna.does("done!", f"mail orders '{EACH_TURN}'")
    order_file(anna).write_bytes(b"{")
    damaged = "are damaged; forget them: referee mail orders --withdraw"
    assert damaged in " ".join(anna("mail").out.split())
    assert damaged in anna("--json mail").facts["orders"]["damaged"]
    bo.gets(anna.mails())
    bo.does("done!")
    answer = anna.gets(bo.mails())
    assert answer.code == 0
    assert damaged in " ".join(answer.out.split())
    assert words_of(anna, "red")[-1] == "throw"
    assert "Your orders are withdrawn." in anna("mail orders --withdraw").out
    assert "damaged" not in anna("mail").out


# Secret


def test_nobody_else_reads_them(table):
    anna, bo = table
    anna.does("done!")
    plain = anna.log.read_bytes()
    anna.does("mail orders 'if 5: 5 go else 3 turn SW'")
    assert stat.S_IMODE(order_file(anna).stat().st_mode) == 0o600
    assert anna.log.read_bytes() == plain
    mail = anna.mails()
    assert b"3 turn SW" not in mail
    assert not [path for path in anna.folder.rglob("*") if path.is_file() and b"3 turn SW" in path.read_bytes()]
    bo.gets(mail)
    assert "orders" not in bo("mail").out
    assert bo("--json mail").facts["orders"] is None
