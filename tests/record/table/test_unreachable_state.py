"""A log under older rules whose forged moves lead where today's rules never lead: a fault of the log, no bug."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

from calling import called
from logfiles import forge

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import start


def test_a_move_after_a_state_that_no_rules_lead_to_is_a_fault(tmp_path):
    log = tmp_path / "g.jsonl"
    game = start("zombies", log, dice=OpenDice("07" * 32))
    for number in range(5):
        game.do(game.game.format(game.legal().pick(Random(number))))

    def take_out_the_pick_of_red(entries):
        entries[0]["rules"] = 2
        del entries[3]

    forge(log, take_out_the_pick_of_red)
    fault = audit(log).fault
    assert (fault.n, fault.code) == (4, "bad-event")


def test_a_hint_where_no_rules_lead_names_the_move_and_no_bug(tmp_path, monkeypatch):
    """Blue agrees to a trade that nobody has offered, under older rules, and gives what nobody has."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(Path(__file__).with_name("forged_trade.jsonl"), "g.jsonl")
    answer = called(["-g", "g.jsonl", "hint", "--seconds", "0.01"])
    assert answer.code == 1
    assert "today's rules judge entry 1 differently" in answer.out.decode()


def test_a_position_that_today_refuses_is_told_and_is_no_bug(cli):
    """Rules 2 are older than the check of hordes: the horde of this position has zombies that are nowhere."""
    log = Path(__file__).with_name("forged_position.jsonl")
    audited = cli("audit", log)
    assert audited.code == 0
    assert b"DIFFERS FROM TODAY" in audited.out
    assert b"Entry 0: zhero.horde.1" in audited.out
    undone = cli("-g", log, "undo")
    assert undone.code == 1
    assert b"today's rules judge entry 0 differently" in undone.out
