"""People who play by mail. Each has a home with their key, and a folder with their copy of the log."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from hashlib import sha256
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.engine.dice_mode import LATEST_DERIVATION, MailDice
from referee.mail.key import Key
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import Packet, parse_packet
from referee.mail.packet_verdict import PacketVerdict
from referee.mail.sync import ReceivingResult, make_packet, receive_first_packet, receive_kept_packets, receive_packet
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import open_log, start
from referee.record.table.session import Session

AT = "2026-01-02T03:04:05Z"


class Player:
    """One player with their computer."""

    def __init__(self, folder: Path, seat: str, luck: str = "") -> None:
        """`luck` and the seat decide the key and the secret, so the dice are the same each time."""
        folder.mkdir(parents=True)
        self.home, self.log, self.seat = folder / "home", folder / "game.jsonl", seat
        private, self.secret = (sha256(f"{part} {seat} {luck}".encode()).digest() for part in ("key", "secret"))
        self.key = Key(Ed25519PrivateKey.from_private_bytes(private), self.secret)
        self._open: Session | None = None

    def twin(self, folder: Path) -> Player:
        """Returns the same player with copies of all their files."""
        other = copy(self)
        other._open = None
        copytree(self.log.parent, folder)
        other.home, other.log = folder / "home", folder / "game.jsonl"
        return other

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Runs the block on the player's computer, where time stands still."""
        with ExitStack() as home:
            home.enter_context(patch.dict(os.environ, {"XDG_CONFIG_HOME": str(self.home)}))
            for room in ("table.entry_encoder", "table.opening_logs"):
                home.enter_context(patch(f"referee.record.{room}.get_current_time", lambda: AT))
            yield

    @property
    def session(self) -> Session:
        """The player's game. It is kept in memory, and read again if the file has changed."""
        if self._open is None or not is_at(self._open, self.log.read_bytes()):
            self._open = open_log(self.log)
        return self._open

    def forgets(self) -> None:
        """Forgets the game in memory, as if the computer was switched off."""
        self._open = None

    @property
    def has_pen(self) -> bool:
        return MailPlayer(self.session, self.key).has_pen

    @property
    def desk(self) -> MailPlayer:
        return MailPlayer(self.session, self.key)

    def begins(
        self,
        game: str,
        options: dict[str, str] | None = None,
        position: dict[str, Any] | None = None,
        derivation: int = LATEST_DERIVATION,
        pace: int = 0,
    ) -> None:
        """Starts a game and sits down. `derivation` is that of its joint rolls."""
        with (
            self.at_home(),
            patch("referee.record.table.opening_logs.PROGRAM_VERSION", "tests"),
            patch("referee.record.table.opening_logs.os.urandom", lambda count: sha256(self.secret).digest()[:count]),
        ):
            session = start(game, self.log, dice=MailDice(derivation), options=options, position=position, pace=pace)
            MailPlayer(session, self.key).join_game(self.seat)

    def joins(self) -> None:
        with self.at_home():
            desk = self.desk
            desk.join_game(self.seat)
            desk.do_automatic_steps()

    def sends(self, base: int | None = None) -> Packet:
        """Returns the packet that the player would send now."""
        with self.at_home():
            return make_packet(self.desk, base)

    def receives(self, packet: Packet, *, give_way: bool = False) -> PacketVerdict:
        """Opens a mail and returns its verdict."""
        found = self.opens(packet, give_way=give_way)
        with self.at_home():
            if found.session:
                list(receive_kept_packets(self.log, self.key))
        return found.packet_verdict

    def opens(self, packet: Packet, *, give_way: bool = False) -> ReceivingResult:
        """Opens a mail and returns the full result."""
        packet = parse_packet(packet.encode())
        with self.at_home():
            if self.log.exists():
                return receive_packet(self.session, packet, self.key, give_way=give_way)
            return receive_first_packet(packet, self.log, self.key)

    def plays(self, choose: Callable[[Any, Random], Any], random: Random, most: int = 200, together: int = 1) -> None:
        """Plays while the player has the pen and it is their turn.

        Actions with joint rolls are declared, up to `together` of them in one line, and then the player waits.
        """
        with self.at_home():
            desk = self.desk
            desk.do_automatic_steps()
            for _ in range(most):
                session, cast = desk.session, desk.protocol.joint_roll
                if (
                    session.moment().to_act != self.seat
                    or not desk.has_pen
                    or (cast and (cast.owing_seats or cast.waits))  # what was declared waits for a word about an offer
                    or session.moment().outcome
                ):
                    return
                action = choose(session.moment(), random)
                line = session.judge(session.game.format(action))
                assert not line.refused, line.said
                if line.awaiting:
                    more = [choose(session.moment(), random) for _ in range(together - 1)]
                    desk.declare_actions([action, *more])
                    return
                session.record(line.said)
                desk.do_automatic_steps()  # what is all that the other can do

    @property
    def hashes(self) -> list[bytes]:
        return [line[9:73] for line in self.log.read_bytes().splitlines()]


def is_at(session: Session, log: bytes) -> bool:
    """True if a session has read exactly these bytes."""
    whole = len(session.entries) == session.head.n
    return whole and session.head.size == len(log) and log.splitlines()[-1][9:73] == session.head.hash.encode()


def at_random(moment: Any, random: Random) -> Any:
    """Returns a random legal action of the seat to act."""
    return moment.legal().pick(random)


def seated(
    tmp_path: Path,
    *seats: str,
    game: str = "manoover",
    options: dict[str, str] | None = None,
    position: dict[str, Any] | None = None,
    luck: str = "",
    derivation: int = LATEST_DERIVATION,
    pace: int = 0,
) -> list[Player]:
    """Returns players who have all joined a game. The last one has not sent their mail yet."""
    players = [Player(tmp_path / seat, seat, luck) for seat in seats]
    players[0].begins(game, options, position, derivation, pace)
    for before, player in pairwise(players):
        player.receives(before.sends())
        player.joins()
    return players


def exchanged(players: list[Player], random: Random, rounds: int = 1) -> None:
    """Lets each player play, and then sends their mail, with their share of a roll, to all others."""
    for _ in range(rounds):
        for player in players:
            player.plays(at_random, random)
        for writer, reader in permutations(players, 2):
            with suppress(NotAllowedError):  # it is his turn still, and nobody waits for him
                reader.receives(writer.sends())


def played_out(players: list[Player], random: Random, choose: Callable[..., Any] = at_random, most: int = 2000) -> int:
    """Plays by mail until the game is over and everybody has its end. Returns the number of mails."""
    mails = 0
    while mails < most:
        for player in players:
            player.plays(choose, random)
        writer = next((player for player in players if player.has_pen), players[0])
        if writer.session.moment().outcome and all(player.session.moment().outcome for player in players):
            return mails
        packet = writer.sends()
        mails += 1
        for player in players:
            if player is not writer:
                player.receives(packet)
    raise AssertionError(f"not over after {most} mails")
