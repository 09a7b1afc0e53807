"""Cheats by mail who use programs of their own, and the checks that honest players refuse them."""

from __future__ import annotations

from random import Random

from forger import Forger
from players import Player, at_random, seated

from referee.engine.hash_chain import derive_chain
from referee.record.log.enrolment import Enrolment


def played(place, *seats, turns, **told) -> tuple[Player, Player]:
    """Plays a game for some turns.

    Returns the player with the pen, whose dice have just been rolled, and the other one.
    """
    players = seated(place, *seats, **told)
    players[0].receives(players[1].sends())
    random = Random(1)
    for _ in range(turns):
        for player in players:
            player.plays(at_random, random)
        writer, other = sorted(players, key=lambda player: not player.desk.has_pen)
        other.receives(writer.sends())
    return tuple(sorted(players, key=lambda player: not player.desk.has_pen))


class Cheat:
    """Parts of a mail that a cheat sends in place of the right ones."""

    def __init__(self, cheat: Player, honest: Player) -> None:
        self.me, self.other = cheat.seat, honest.seat
        self.sent = len(honest.hashes)
        self.forged = Forger(cheat, self.sent)
        self.due = cheat.log.read_bytes().splitlines(keepends=True)[self.sent :]
        """What he should send: his part of the throw, and what he threw."""
        self.answer, self.throw = cheat.session.entries[self.sent : self.sent + 2]
        self.desk = cheat.desk

    def value(self, number: int) -> str:
        """Returns a value of the cheat's chain."""
        chair = self.desk.protocol.chain_positions[self.me].enrolment
        return self.desk._derive_chain(self.me, "open", chair.after, chair.length)[number].hex()

    def chair(self, after: str) -> Enrolment:
        """Returns an enrolment with the same key, but with chains of the cheat's own making."""
        tip = derive_chain(self.forged.game_id, self.me, bytes(32), 30)[0].hex()
        return Enrolment(self.desk.key.public, tip, None, 30, after)

    def honestly(self) -> Forger:
        self.forged.lines += self.due
        return self.forged

    def answered(self) -> Forger:
        """Returns a forged log in which the cheat has given their share of the roll, and so knows its dice."""
        self.forged.lines += self.due[:1]
        return self.forged


def refused(both, packet, situation):
    """Checks that the honest player refuses the packet in this situation, and that nothing has changed for them."""
    _, honest = both
    before = {path: path.read_bytes() for path in honest.log.parent.rglob("*") if path.is_file()}
    verdict = honest.receives(packet)
    assert verdict.situation == situation, verdict
    assert {path: path.read_bytes() for path in honest.log.parent.rglob("*") if path.is_file()} == before
    return verdict
