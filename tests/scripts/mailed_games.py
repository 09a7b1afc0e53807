"""Sample games by mail, played anew: their dice follow from all that was said before, so nothing is typed in again."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from referee.record.table.deeds.takeback import TakebackOffer

sys.path.insert(0, str(Path(__file__).parents[1] / "mail"))

from players import Player, played_out, seated

from referee.record.log.offer import Offer


def played_by_mail(folder: Path, name: str) -> bytes:
    """The log of a game of Manoover between two people: red may take a turn back once, the second time blue does not
    agree; then they play at random to the end.
    """
    red, blue = players = seated(folder, "red", "blue", luck=name, derivation=1)
    red.receives(blue.sends())
    random = Random(1)
    for agree in (True, False):
        writer = next(player for player in players if player.desk.has_pen)
        other = blue if writer is red else red
        writer.plays(lambda moment, chance: moment.legal().pick(chance), random, most=1)
        _offers(writer, TakebackOffer(writer.session.in_force()[-3]))
        other.receives(writer.sends())
        _replies(other, agree=agree)
        if other.desk.find_next_writer() == writer.seat:
            writer.receives(other.sends())
    played_out(players, random)
    return red.log.read_bytes()


def _offers(player: Player, offer: Offer) -> None:
    with player.at_home():
        player.desk.record_offer(offer)


def _replies(player: Player, *, agree: bool) -> None:
    with player.at_home():
        desk = player.desk
        standing = desk.pending_offer
        assert standing is not None, "it has just come"
        desk.reply_to_offer(standing, agree=agree)
