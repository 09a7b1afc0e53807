"""Bots at the table: they speak when it is their turn, as long as it is, and agree to whatever is taken back."""

from __future__ import annotations

from itertools import takewhile
from random import Random

from referee.bots.bot import Seen, chosen, find_bot
from referee.cli.look import Look
from referee.engine.legal import Action
from referee.record.archive.workers import cores, workers
from referee.record.table.moment import Said

MOST = 2_000
"""Plays of bots in a row: no game is played to its end by bots alone because somebody has said one thing."""


def bots_speak(look: Look) -> list[Said]:
    """Play the bots whose turn it is, on the game as it stands, until a person is to act; what they have said.

    BotError when one has broken; what was recorded before stays.
    """
    done: list[Said] = []
    while look.to_act in look.header.bots and look.outcome is None and len(done) < MOST:
        assert look.to_act is not None, "it is somebody's turn"
        own = look.through(look.to_act)
        line = own.line([_choice(own, look.to_act)])
        own.record(line.said)
        done += line.said
        look = look.now()
    return done


def _choice(own: Look, seat: str) -> Action:
    """What the bot of a seat says, seeing what its seat sees. Its dice for choosing come from its own lots."""
    name = own.header.bots[seat]
    with workers(cores()) as executor:
        seen = Seen(own.game, own.view, seat, Random(own.lots), executor=executor)
        return chosen(name, find_bot(name), seen)


def plays_of_bots(look: Look) -> int:
    """How many plays in force bots have said since a person did."""
    by_bots = takewhile(lambda n: look.entries[n].by in look.header.bots, look.session.said())
    return sum(1 for _ in by_bots)
