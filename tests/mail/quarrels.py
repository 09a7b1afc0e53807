"""Games by mail in which one player lies to each side, and others have their key on two computers.

Each seat is honest, has its key on two computers, or lies. Whoever lies plays two histories and tells each side another
one, and sends forged dice now and then. In the end all others have one head, or a proof names a seat that has signed
twice.

`tests/scripts/simulate_mail.py --quarrels` plays many; one seed a game.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from forger import Forger
from players import Player
from simulation import CHAIN, HARMLESS, Simulation

from referee.engine.secret import UnknownError
from referee.mail import mail_player
from referee.mail.packet import Packet, make_packet_from_log, parse_packet
from referee.mail.packet_fate import has_own_seat_gone_on_elsewhere
from referee.mail.packet_verdict import PacketVerdict
from referee.record.archive.audit import audit
from referee.record.log.log_errors import KeyProblemError, NotAllowedError

HONEST, TWO_COMPUTERS, LIAR = "honest", "two computers", "liar"
SETTLED = {"parted", "retold", "forked", "changed"}
"""The situations in which two players agree on the phone whose copy they take."""
REFUSED = (NotAllowedError, KeyProblemError, UnknownError)
"""The errors with which a computer refuses to act: the key has signed something else, or lacks its secrets there."""
ENOUGH = 12
"""The rounds of mail to everybody after which a proof settles a game that still has no one head."""
FACES = b'"faces":['
PLAY = b'"type":"play"}}\n'


def cast_roles(seats: list[str], seed: int) -> dict[str, str]:
    """Returns a role for each seat. In three seeds in a row each seat has each role once; one at most lies."""
    order = (HONEST, TWO_COMPUTERS, LIAR)
    return {seat: order[(seed + number) % 3] for number, seat in enumerate(seats)}


class Quarrel(Simulation):
    """One game over bad mail among honest players, a liar, and people with two computers."""

    def __init__(self, seed: int, place: Path, kind: str = "two") -> None:
        super().__init__(seed, place, kind, derivation=2)
        self.roles = cast_roles([player.seat for player in self.players], seed)
        self.computers = {
            player.seat: [player]
            if self.roles[player.seat] == HONEST
            else [player, player.twin(place / f"other {player.seat}")]
            for player in self.players
        }
        self.warned: set[int] = set()
        """The computers whose owner knows that their key goes on elsewhere, by `id`."""
        self.proofs: Counter[str] = Counter()
        """The seats that signed twice, as honest players were told."""
        self.is_settling = False

    def lies(self, player: Player) -> bool:
        return self.roles[player.seat] == LIAR

    # Mail

    def sends(self, player: Player, packet: Packet) -> None:
        """Sends a mail to the computers of the others. A liar's two computers each write to one side only."""
        data = packet.encode()
        for other in self._readers(player):
            self.post += [(other, data)] * self.random.choice((0, 1, 1, 1, 2))

    def _readers(self, player: Player) -> list[Player]:
        """Returns the computers that a mail of this computer goes to."""
        seats = [seat for seat in self.computers if seat != player.seat]
        side = self.computers[player.seat].index(player)
        if self.lies(player) and len(seats) > 1:
            seats = seats[side::2]
        found = [self.random.choice(self.computers[seat]) for seat in seats]
        if self.roles[player.seat] == TWO_COMPUTERS and self.random.random() < 0.3:  # a copy to oneself
            found += [one for one in self.computers[player.seat] if one is not player]
        return found

    def takes(self, player: Player, packet: Packet) -> None:
        """Lets a player open a mail at one computer. Nobody innocent may be accused."""
        if self.lies(player):
            with suppress(*REFUSED):
                player.receives(packet)
            return
        found = player.receives(packet)
        self.told[found.situation] += 1
        self._judges(player, packet, found)
        if found.has_own_key_signed_elsewhere:
            self.warned.add(id(player))
        if found.situation in SETTLED and self._yields(player, packet, found):
            player.receives(packet, give_way=True)
        with player.at_home():
            if (
                not has_own_seat_gone_on_elsewhere(player.session, player.key.public)
                and not found.has_own_key_signed_elsewhere
            ):
                self.warned.discard(id(player))
        if found.situation == "early" and self.random.random() < 0.5:
            sender = self.random.choice(self.computers.get(packet.head.by, [player]))
            self.again(sender, found.first)

    def _judges(self, player: Player, packet: Packet, found: PacketVerdict) -> None:
        """Checks that a verdict accuses only a seat that has signed twice, and nobody of a wrong entry but the
        liar.
        """
        says = f"{player.seat} about {packet.head.by}: {found}, {self.roles}"
        if found.equivocation:
            assert self.roles[found.equivocation.seat] != HONEST, says
            self.proofs[found.equivocation.seat] += 1
        elif found.situation not in HARMLESS | SETTLED:
            assert found.situation == "faulty", says
            assert self.roles[packet.head.by] == LIAR, says

    def _yields(self, player: Player, packet: Packet, found: PacketVerdict) -> bool:
        """True if a player takes the copy in a mail: their own unsent one gives way to that of another seat.

        Once everybody has read a proof, all take the copy of the first honest seat.
        """
        if packet.head.by == player.seat or found.is_own_key_bound:
            return False
        if found.situation in ("parted", "retold"):  # nobody can tell yet who lies
            return True
        order = list(self.computers)
        first = order.index(packet.head.by) < order.index(player.seat)
        return self.roles[packet.head.by] != LIAR and (
            found.has_own_key_signed_elsewhere or (self.is_settling and first)
        )

    def again(self, player: Player, base: int) -> None:
        """Lets a player send again what they have sent, as `referee mail pack --from` does."""
        with player.at_home(), suppress(NotAllowedError):
            at = player.desk
            if at.protocol.signed_up_to:
                known = min(at.protocol.signed_up_to.get(seat, -1) for seat in at.protocol.seats if seat != player.seat)
                self.sends(player, make_packet_from_log(at.session, player.seat, max(0, min(base, known + 1))))

    # Players

    def _step(self) -> None:
        """Does one thing at one computer, or delivers a mail."""
        step = self.random.random()
        player = self.random.choice(self.random.choice(list(self.computers.values())))
        if step < 0.5 and self.post:
            self.delivers()
        elif step < 0.55:
            self.again(player, self.random.choice((0, 3, 10)))
        elif self.lies(player) and step < 0.65:
            self._forges(player)
        elif id(player) not in self.warned:
            self._acts_safely(player)

    def _acts_safely(self, player: Player) -> None:
        """Lets a player act, unless their computer refuses."""
        with suppress(*REFUSED):
            self.acts(player)

    def _forges(self, player: Player) -> None:
        """Sends a log in which the liar has changed the last die, and has signed that."""
        lines = player.log.read_bytes().splitlines(keepends=True)
        place = next((n for n in range(len(lines) - 1, 0, -1) if FACES in lines[n] and lines[n].endswith(PLAY)), None)
        if place is None:
            return
        before, _, after = lines[place].partition(FACES)
        other = b"1" if after[:1] != b"1" else b"2"
        forged = Forger(player, place).copy([before + FACES + other + after[1:]])
        others = [seat for seat in self.computers if seat != player.seat]
        packet = forged.seal(self.random.choice(others)).packet(self.random.randint(0, place))
        self.told["forged"] += 1
        self.sends(player, packet)

    # The end

    def ends(self) -> None:
        """Delivers all mails again, until all who do not lie have one head and go on, or one of them has a proof."""
        honest = [one for seat, found in self.computers.items() if self.roles[seat] != LIAR for one in found]
        goal = 2 + max(one.desk.protocol.roll_count for one in honest)
        self.is_settling = True
        for round_ in range(100):
            if self.proofs and round_ >= ENOUGH:
                break
            for player in (one for found in self.computers.values() for one in found):
                self._goes_on_if_allowed(player)
                self._tells_everybody(player)
            last = honest[0].session
            ended = last.moment().outcome is not None or last.reducer.protocol.roll_count >= goal
            if ended and len({one.log.read_bytes() for one in honest}) == 1:
                self.told["one head"] += 1
                return
        assert self.proofs, f"no one head, no proof: {self.roles}, {self.told}"
        self.told["proof"] += 1

    def _goes_on_if_allowed(self, player: Player) -> None:
        if id(player) not in self.warned:
            with suppress(*REFUSED):
                self._goes_on(player)

    def _tells_everybody(self, player: Player) -> None:
        """Sends the whole log of one computer to all others. A liar writes to one side only."""
        with suppress(*REFUSED):
            data = parse_packet(player.sends(0).encode())
            sides = {one.seat for one in self._readers(player)}
            for seat, found in self.computers.items():
                for other in found:
                    if other is not player and (seat in sides or (seat == player.seat and not self.lies(player))):
                        self.takes(other, data)


def quarrelled(seed: int, place: Path, kind: str = "two", most: int = 120) -> Counter[str]:
    """Plays one game and counts what happened.

    Raises AssertionError if somebody innocent is accused, if a forged entry was taken, or if the game is stuck.
    """
    quarrel = Quarrel(seed, place, kind)
    with patch.object(mail_player, "CHAIN_LENGTH", CHAIN):
        quarrel.runs(most)
    for seat, computers in quarrel.computers.items():
        for player in computers if quarrel.roles[seat] != LIAR else ():
            report = audit(player.log)
            assert report.fault is None, (seat, report.fault)
    return quarrel.told + Counter(
        entries=len(quarrel.players[0].hashes), **{f"role {quarrel.roles[s]}": 1 for s in quarrel.roles}
    )
