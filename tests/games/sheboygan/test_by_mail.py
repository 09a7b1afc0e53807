"""A whole game of each scenario on two computers: the monster's player keeps the record, the other never has it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from habits import chosen

from referee.engine.dice import OpenDice
from referee.games.sheboygan.scenarios import SCENARIOS
from referee.record.audit import audit
from referee.record.session import Session
from referee.record.start import join, open_log, start


class Computer:
    """Where one player sits."""

    def __init__(self, path: Path, seat: str) -> None:
        path.mkdir()
        self.log, self.seat = path / "game.jsonl", seat

    @property
    def session(self) -> Session:
        return open_log(self.log)

    def send_to(self, other: Computer) -> None:
        other.log.write_bytes(self.log.read_bytes())

    def play_on(self, random: Random) -> None:
        """Play while it is this player's turn; what is asked is answered at once."""
        session = self.session
        session.settle()
        while session.to_act == self.seat and not _is_asked(session, self.seat):
            view = session.moment().view(self.seat)
            session.play(chosen(view, session.legal(), random))

    def vaults(self) -> list[str]:
        return sorted(path.name for path in self.log.parent.glob("*.vault"))


def _is_asked(session: Session, seat: str) -> bool:
    """Whether this player owes an answer that goes without saying."""
    return seat == "human" and session.game.asks(session.state)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_is_played_by_mail(tmp_path, scenario):
    random = Random(f"mail {scenario}")
    human, monster = players = Computer(tmp_path / "human", "human"), Computer(tmp_path / "monster", "monster")
    dice = OpenDice(f"{random.getrandbits(256):064x}")
    start("sheboygan", human.log, options={"scenario": scenario}, dice=dice, sitting=())
    human.send_to(monster)
    join(monster.session, "monster")
    monster.send_to(human)
    while seat := human.session.to_act:
        own, other = players if seat == "human" else players[::-1]
        own.play_on(random)
        own.send_to(other)
        assert (human.vaults(), monster.vaults()) == ([], ["game.jsonl.monster.vault"])
    assert {*audit(human.log).unjudged} == {"monster"}
    assert audit(monster.log).unjudged == {}
    assert not human.session.moment().known.knows("monster")
    assert human.session.outcome == monster.session.outcome
    monster.session.reveal(by="monster")
    monster.send_to(human)
    assert human.log.read_bytes() == monster.log.read_bytes()
    for player in players:
        report = audit(player.log)
        assert (report.fault, report.unjudged) == (None, {})
        assert report.outcome is not None
