"""A whole game of each scenario on two computers: the monster's player keeps the record, the other never has it."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from folders import Folder
from habits import chosen

from referee.engine.dice_mode import OpenDice
from referee.engine.registry import find_game
from referee.games.sheboygan.options import SCENARIOS
from referee.record.archive.audit import audit
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import join, start

GAME = find_game("sheboygan")


def habit(seat, random, view):
    return chosen(view, GAME.legal(view, seat), random)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_is_played_by_mail(tmp_path, scenario):
    random = Random(f"mail {scenario}")
    human, monster = folders = Folder(tmp_path / "human", "human"), Folder(tmp_path / "monster", "monster")
    dice = OpenDice(f"{random.getrandbits(256):064x}")
    start("sheboygan", human.log, options={"scenario": scenario}, dice=dice, sitting=())
    human.copy_to(monster)
    join(monster.session, "monster")
    monster.copy_to(human)
    seat = human.session.moment().to_act
    while seat:
        own, other = folders if seat == "human" else folders[::-1]
        seat = own.play_on(partial(habit, own.seat, random))
        own.send_to(other)
        assert (human.vaults(), monster.vaults()) == ([], ["game.jsonl.monster.vault"])
    assert {*audit(human.log).unjudged} == {"monster"}
    assert audit(monster.log).unjudged == {}
    assert not human.session.moment().known.can_open_view_of("monster")
    assert human.session.moment().outcome == monster.session.moment().outcome
    reveal_secrets(monster.session, by="monster")
    monster.copy_to(human)
    assert human.log.read_bytes() == monster.log.read_bytes()
    for folder in folders:
        report = audit(folder.log)
        assert (report.fault, report.unjudged) == (None, {})
        assert report.outcome is not None
