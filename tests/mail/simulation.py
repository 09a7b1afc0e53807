"""Honest players over mail that loses, repeats, reorders and mangles, on computers that die in the middle of a write.

`tests/scripts/simulate_mail.py` plays many; one seed a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from manglings import MANGLINGS
from players import Player, at_random, seated

from referee.engine.option_resolution import list_possible_switches
from referee.mail import intake, mail_player, order_flow, roll_shares, settings_folder, signer, spool, sync
from referee.mail.ascii_armor import EnvelopeError, encode_ascii_armor, read_mailed_packets
from referee.mail.packet import Packet, SignedOffer, make_packet_from_log, parse_packet
from referee.record.archive.audit import audit
from referee.record.log import store
from referee.record.log.entry import encode_for_log
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.offer import Offer
from referee.record.table.deeds.pause import PauseOffer
from referee.record.table.deeds.switch import SwitchOffer
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.proposal import make_proposal_of_offer
from referee.record.table.seat_view import SeatView
from referee.record.table.signed_texts import make_offer_text

TWO = {"turn": "red", "robots": ["R1 d5 N", "R2 b4 NE", "B1 c3 S", "B2 f3 S"]}
TWO["off"] = [f"{side}{number}" for side in "RB" for number in (3, 4, 5, 6)]
THREE = {"turn": "red", "robots": ["R1 d1 N", "R2 f1 N", "B1 c7 SE", "B2 b6 SE", "G1 g7 SW", "G2 h6 SW"]}
THREE["off"] = [f"{side}{number}" for side in "RBG" for number in (3, 4, 5, 6)]
SECRETS = {"hidden-movement": "yes"}
LEARNING = {"scenario": "learning"}
GAMES: dict[str, tuple[str, tuple[str, ...], dict[str, str], dict[str, Any] | None]] = {
    "two": ("manoover", ("red", "blue"), {}, TWO),
    "three": ("manoover", ("red", "blue", "green"), {"form": "three"}, THREE),
    "dice": ("mutants", ("human", "mutant"), {}, None),
    "secrets": ("mutants", ("human", "mutant"), SECRETS, None),
    "by-step": ("mutants", ("human", "mutant"), {**SECRETS, "answers": "by-step"}, None),
    "sheboygan": ("sheboygan", ("human", "monster"), LEARNING, None),
    "zombies": ("zombies", ("red", "blue", "green"), {"players": "3"}, None),
}
HARMLESS = {"new", "known", "ahead", "early"}
"""The situations in which an honest packet may put an honest player."""
MAIL = [mangling for name, mangling in MANGLINGS.items()]
FAR = 300
"""The number of entries after which a game is surely not stuck."""
CHAIN = 26
"""The length of a chain that soon ends, so that one game needs several."""


class Killed(BaseException):
    """Raised when a computer dies."""


class Reaper:
    """Kills a program at one of its next steps that leave a trace on the disk: before the step, in it, or after it."""

    def __init__(self, random: Random) -> None:
        self._random, self._left = random, random.choice((0, 1, 1, 2, 3, 5, 8))

    def _strikes(self) -> bool:
        self._left -= 1
        return self._left == -1

    def around(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*args: Any, **kwargs: Any) -> Any:
            if not self._strikes():
                return step(*args, **kwargs)
            if self._random.random() < 0.5:
                raise Killed
            step(*args, **kwargs)
            raise Killed

        return stepping

    def writing(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a write of which only a part may reach the disk."""

        def stepping(descriptor: int, data: bytes, at: int) -> None:
            if not self._strikes():
                return step(descriptor, data, at)
            step(descriptor, data[: self._random.randint(0, len(data))], at)
            raise Killed

        return stepping


@contextmanager
def dying(random: Random) -> Iterator[None]:
    """Runs the block on a computer that may die at one of its next steps."""
    reaper = Reaper(random)
    with ExitStack() as stack:
        stack.enter_context(patch.object(store, "_write", reaper.writing(store._write)))
        for room, name in STEPS:
            stack.enter_context(patch.object(room, name, reaper.around(getattr(room, name))))
        with suppress(Killed):
            yield


STEPS = [
    (store, "_acknowledge"),
    (spool, "replace_file"),
    (signer, "remember_signed_entry"),
    (roll_shares, "remember_signed_entry"),
    (settings_folder, "write_private_file"),
    (sync, "make_packet_from_log"),
    (intake, "open_log"),
    (order_flow, "store_orders"),
]


class Simulation:
    """One game over bad mail."""

    def __init__(self, seed: int, place: Path, kind: str = "two", derivation: int = 0) -> None:
        """`derivation` is that of the joint rolls; 0 for the first or the second one, by the seed."""
        self.random, self._batches = Random(seed), Random(f"{seed} batches")
        game, seats, options, position = GAMES[kind]
        told = {
            "game": game,
            "options": options,
            "position": position,
            "derivation": derivation or 2 - seed % 2,
            "pace": 14 * (seed // 2 % 2),
        }
        with patch.object(mail_player, "CHAIN_LENGTH", CHAIN):
            self.players = seated(place, *seats, luck=str(seed), **told)
        self.post: list[tuple[Player, bytes]] = []
        self.told: Counter[str] = Counter()

    @property
    def receivers(self) -> list[Player]:
        """Everybody who gets mail."""
        return self.players

    # Mail

    def sends(self, player: Player, packet: Packet) -> None:
        """Sends a mail to each of the other players. A mail may be lost or come twice."""
        data = packet.encode()
        for other in self.receivers:
            if other is not player:
                self.post += [(other, data)] * self.random.choice((0, 1, 1, 1, 2))

    def delivers(self) -> None:
        """Delivers a random mail, as mail programs leave it."""
        player, data = self.post.pop(self.random.randrange(len(self.post)))
        if self.random.random() < 0.1:
            data = self._mailed(data)
        if data:
            self.takes(player, parse_packet(data))

    def _mailed(self, data: bytes) -> bytes:
        mail = self.random.choice(MAIL)(encode_ascii_armor(data).encode())
        try:
            (whole,) = read_mailed_packets(mail).whole
        except EnvelopeError:
            return b""
        assert whole == data, "mail has altered a packet"
        return whole

    def takes(self, player: Player, packet: Packet) -> None:
        """Lets a player open a mail. No honest player may be accused."""
        found = player.receives(packet)
        self.told[found.situation] += 1
        assert found.situation in HARMLESS, f"{player.seat} about {packet.head.by}: {found}"
        if found.situation == "early" and self.random.random() < 0.5:  # says what he lacks
            for author in [other for other in self.players if other.seat == packet.head.by][:1]:
                self.again(author, found.first)

    def again(self, player: Player, base: int) -> None:
        """Lets a player send again what they have sent."""
        with player.at_home():
            at = player.desk
            if at.protocol.signed_up_to:
                self.sends(
                    player,
                    make_packet_from_log(at.session, player.seat, min(base, max(at.protocol.signed_up_to.values()))),
                )

    # Players

    def acts(self, player: Player) -> None:
        """Lets a player reply, offer or play, then sign and hand over the pen."""
        with player.at_home():
            at = player.desk
            if at.has_pen:
                at.do_automatic_steps()
                self._replies(player)
            offers = self.random.random() < 0.05 and self._offers(player)
        if not offers:  # a play would let it lapse
            together = self._batches.choice((1, 1, 2, 5, 20))
            player.plays(at_random, self.random, self.random.choice((1, 3, 200)), together)
        with suppress(NotAllowedError):
            self.sends(player, player.sends(self.random.choice((None, None, 0, 5))))

    def _replies(self, player: Player) -> None:
        at = player.desk
        for standing in list(at.protocol.offers.values()):
            if at.has_pen and at.seat not in (standing.by, *standing.agreed) and standing.n in at.protocol.offers:
                possible = not make_proposal_of_offer(SeatView(at.session, at.seat), standing.offer, standing.by).cannot
                at.reply_to_offer(standing, agree=self.random.random() < 0.6 and possible)
                self.told["replied"] += 1

    def _offers(self, player: Player) -> bool:
        """Offers a takeback, another option or a pause. Returns False if that is not possible."""
        at = player.desk
        if at.session.moment().outcome:
            return False
        offer = self._wished(at.session)
        with suppress(NotAllowedError):
            if at.has_pen:
                at.record_offer(offer)
            else:
                on = len(at.session.entries) - 1
                ask = SignedOffer(
                    player.seat,
                    offer,
                    on,
                    at.key.sign(make_offer_text(at.protocol.record_id, on, encode_for_log(offer))),
                )
                spool.write_waiting_offers(
                    player.log, (*(one for one in spool.read_waiting_offers(player.log) if one.by != ask.by), ask)
                )
            self.told["offered"] += 1
            return True
        return False

    def _wished(self, session: Any) -> Offer:
        """Returns what a player offers: most often a takeback."""
        switches = list(list_possible_switches(session.game, session.moment().options))
        if switches and self.random.random() < 0.3:
            self.told["switches"] += 1
            return SwitchOffer(dict([self.random.choice(switches)]))
        if session.reducer.header.pace and self.random.random() < 0.1:
            return PauseOffer("2026-12-24")
        return TakebackOffer(self.random.choice(session.in_force()[-6:]))

    # A game

    def runs(self, most: int = 120) -> None:
        """Plays over bad mail, then delivers all mails. In the end all players must have the same last hash."""
        with patch.object(mail_player, "CHAIN_LENGTH", CHAIN):
            for _ in range(most):
                if all(player.session.moment().outcome for player in self.players):
                    break
                self._step()
            self.ends()

    def _step(self) -> None:
        step = self.random.random()
        player = self.random.choice(self.players)
        if step < 0.12:
            self._dies(player)
        elif step < 0.5 and self.post:
            self.delivers()
        elif step < 0.55:
            self.again(player, self.random.choice((0, 3, 10)))
        else:
            self.acts(player)

    def _dies(self, player: Player) -> None:
        post, told = list(self.post), Counter(self.told)
        with dying(self.random):
            mine = [mail for mail in self.post if mail[0] is player]
            if mine and self.random.random() < 0.5:
                self.takes(player, parse_packet(self.random.choice(mine)[1]))
            else:
                self.acts(player)
            return
        player.forgets()
        self.post, self.told = post, told + Counter(killed=1)  # what he was about to send was not sent

    def ends(self) -> None:
        """Delivers all mails again.

        The seat with the pen plays on until all have one last hash: two rolls or `FAR` entries later, or at the end of
        the game.
        """
        goal = 2 + max(player.desk.protocol.roll_count for player in self.players)
        far = FAR + max(len(player.hashes) for player in self.players)
        for _ in range(100):
            for player in self.players:
                self._goes_on(player)
                with suppress(NotAllowedError):
                    packet = player.sends(0)
                    for other in self.players:
                        if other is not player:
                            self.takes(other, packet)
            last = self.players[0].session
            ended = last.moment().outcome is not None or last.reducer.protocol.roll_count >= goal
            ended = ended or len(last.entries) >= far  # in some games hardly anything is rolled
            if ended and len({player.log.read_bytes() for player in self.players}) == 1:
                return
        raise AssertionError("no one head, or a game that is stuck")

    def _goes_on(self, player: Player) -> None:
        """Refuses an offer and plays on."""
        with player.at_home():
            at = player.desk
            for standing in list(at.protocol.offers.values()):
                if at.has_pen and at.seat not in (standing.by, *standing.agreed):
                    at.reply_to_offer(standing, agree=False)
        player.plays(at_random, self.random)

    def heads(self) -> set[bytes]:
        return {player.hashes[-1] for player in self.players}


def simulated(seed: int, place: Path, kind: str = "two", most: int = 120) -> Counter[str]:
    """Plays one game and counts what happened.

    Raises AssertionError if an honest player is accused, or if the last hashes differ.
    """
    return played(Simulation(seed, place, kind), most)


def played(simulation: Simulation, most: int) -> Counter[str]:
    """Plays a simulated game to its end and checks all copies of it, as `simulated` says."""
    simulation.runs(most)
    assert len(simulation.heads()) == 1
    assert all(player.session.moment().state == open_log(player.log).moment().state for player in simulation.players)
    report = audit(simulation.players[0].log)
    assert report.fault is None, report.fault
    assert not [path for player in simulation.players for path in player.log.parent.rglob("*fork*")]
    assert not [path for player in simulation.players for path in player.log.parent.glob("*aside*")]
    return simulation.told + Counter(entries=len(simulation.players[0].hashes))
