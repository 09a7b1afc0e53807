"""Games with secrets that are played by mail, to the end and beyond it."""

from __future__ import annotations

from random import Random
from typing import Any

from players import Player

from referee.engine.choice import find_action_tag
from referee.mail.sync import make_packet
from referee.record.table.deeds.reveal import reveal_secrets


def quickly(turns: int, moment: Any, random: Random) -> Any:
    """Something legal, by which the game soon ends."""
    legal = moment.legal()
    kinds = {find_action_tag(choice.kind): choice.kind for choice in legal.choices}
    if moment.facts.turn > turns and "stop" in kinds:
        return kinds["stop"]()
    if "random" in kinds:
        return kinds["random"]()
    end = kinds.get("end")
    return end() if end and random.random() < 0.2 else legal.pick(random)


def played(players: list[Player], choose: Any, random: Random, most: int = 300) -> list[bytes]:
    """Play to the end; every packet as it travelled."""
    packets = []
    for _ in range(most):
        for player in players:
            player.plays(choose, random)
        writer = next(player for player in players if player.has_pen)
        if all(player.session.moment().outcome for player in players):
            return packets
        packet = writer.sends()
        packets.append(packet.encode())
        for player in players:
            if player is not writer:
                assert player.receives(packet).situation == "new"
            assert {path.name for path in player.log.parent.rglob("*.vault")} <= {f"game.jsonl.{player.seat}.vault"}
    raise AssertionError("not over")


def revealed(player: Player, *others: Player) -> None:
    """After the end a player opens all his secrets, and hands the pen on."""
    with player.at_home():
        reveal_secrets(player.session, by=player.seat)
        packet = make_packet(player.desk, to=others[0].seat)
    for other in others:
        assert other.receives(packet).situation == "new"


def handed_over(player: Player, players: list[Player]) -> None:
    """Who has the pen gives it to a player, though the game is over."""
    writer = next(one for one in players if one.desk.has_pen)
    with writer.at_home():
        packet = make_packet(writer.desk, to=player.seat)
    player.receives(packet)
