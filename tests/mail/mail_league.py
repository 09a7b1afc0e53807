"""A league by mail: games over bad mail whose people leave, come, correct moves, switch options and give orders.

`tests/scripts/play_mail_league.py` plays many; one seed a game.
"""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path

from hand_counts import check_statistics
from players import Player, at_random
from simulation import GAMES, Simulation, played

from referee.engine.dice import DiceError
from referee.engine.text import NotUnderstoodError
from referee.mail.key_replacement import discard_requests, list_requests_to_answer
from referee.mail.key_replacement_flow import give_consent_to_request, request_seat
from referee.mail.order_conditions import OrdersError
from referee.mail.order_flow import carry_out_orders
from referee.mail.order_lifecycle import give_orders, withdraw_orders
from referee.mail.packet import Packet
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.correct import correct_play
from referee.record.table.deeds.leaves import leave_seat
from referee.record.table.deeds.sits import sit_down
from referee.record.table.pending_offers import find_required_offer

CONDITIONS = ("1", "5 or 6", "not 6", "sum 7+", "sum 3-", "any")
NOT_FIT = (NotAllowedError, NotUnderstoodError, DiceError, OrdersError)


class MailLeague(Simulation):
    """One game of the league."""

    def __init__(self, seed: int, place: Path, kind: str = "two") -> None:
        super().__init__(seed, place, kind)
        self._place, self._seed = place, seed
        self._leaving: Player | None = None
        """The player who no longer writes, since somebody else takes over."""
        self._newcomer: Player | None = None
        """The player who has asked for the seat of the one who leaves."""

    @property
    def receivers(self) -> list[Player]:
        """Everybody who gets mail: the players, and the one who wants to be one."""
        return [*self.players, *([self._newcomer] if self._newcomer else [])]

    def takes(self, player: Player, packet: Packet) -> None:
        """Lets a player open a mail, carry out their orders, and reply to requests. Who has left opens none."""
        if player not in self.receivers or player is self._leaving:
            return
        super().takes(player, packet)
        if not player.log.exists():
            return
        with player.at_home():
            self._carries_out(player)
            replies = self._replies_to_requests(player)
        if replies:
            with suppress(NotAllowedError):  # their turn goes on; the consent goes with its end
                self._writes(player)
        if player is self._newcomer and player.desk.seat:
            self._takes_over(player)

    def acts(self, player: Player) -> None:
        """Lets a player correct a move, play or give orders. Who has left does nothing."""
        if player is self._leaving:
            return
        with player.at_home():
            if self.random.random() < 0.25:
                player.plays(at_random, self.random, 2)
                self._corrects(player)
            if self.random.random() < 0.02:
                self._leaves_by_itself(player)
        super().acts(player)
        with player.at_home():
            if self.random.random() < 0.4:
                self._gives_orders(player)

    def _step(self) -> None:
        if self._leaving and self.random.random() < 0.01:
            self._stays()
        elif not self._leaving and self.random.random() < 0.06:
            self._goes()
        elif self._newcomer and self.random.random() < 0.3:
            self._asks(self._newcomer)
        elif self._newcomer and self.random.random() < 0.3:
            with suppress(NotAllowedError):
                self._writes(self.random.choice([one for one in self.players if one is not self._leaving]))
        super()._step()

    def ends(self) -> None:
        """Ends the game as its players stand: who wanted to leave stays."""
        self._stays()
        super().ends()

    def _writes(self, player: Player) -> None:
        """Sends what a player has, and hands it to the newcomer at once if there is one."""
        packet = player.sends()
        self.sends(player, packet)
        if self._newcomer and self._newcomer is not player:
            self.takes(self._newcomer, packet)

    # Orders

    def _gives_orders(self, player: Player) -> None:
        desk = player.desk
        if self.random.random() < 0.1:
            self.told["orders withdrawn"] += withdraw_orders(desk)
            return
        try:
            give_orders(desk, self._some_orders(player))
            self.told["orders given"] += 1
        except NOT_FIT:
            self.told["orders refused"] += 1

    def _some_orders(self, player: Player) -> str:
        """Returns orders of moves that this seat could make at some time in this game."""
        one, other, third = (self._some_move(player) for _ in range(3))
        condition = self.random.choice((*CONDITIONS, f"can {one}"))
        return self.random.choice(
            (
                one,
                f"if {condition}: {one}",
                f"if {condition}: {one} else {other}",
                f"if can {one}: {one} else if can {other}: {other} else {third}",
                f"repeat if can {one}: {one} then repeat if can {other}: {other} then {third}",
                f"if {condition}: {one} then {other}",
                f"repeat if can {one}: {one} then {other}",
                f"{one}, {other}",
            )
        )

    def _some_move(self, player: Player) -> str:
        """Returns a move: a legal one of now or of a late turn, or one that was made."""
        session = player.session
        for n in self.random.sample(session.in_force()[-20:], min(20, len(session.in_force()))):
            moment = session.moment(n)
            if moment.to_act == player.seat and moment.knows_acting_seat_secrets and not moment.is_answer_due:
                legal = moment.legal()
                if legal:
                    return str(session.game.format(legal.pick(self.random)))
        return "done"

    def _carries_out(self, player: Player) -> None:
        before = player.log.read_bytes()
        result = carry_out_orders(player.desk)
        assert result.recorded_actions or result.declared_actions or player.log.read_bytes() == before, "half done"
        self.told["orders carried out"] += bool(result.recorded_actions or result.declared_actions)
        self.told["orders stopped"] += "stopped" in result.end_reason
        self.told["orders lapsed"] += "withdrawn" in result.end_reason

    # Corrections and people

    def _corrects(self, player: Player) -> None:
        """Corrects a late move with another one that was legal then, or offers a takeback of it."""
        session, desk = player.session, player.desk
        line = session.in_force()
        plays = [session.entries[n] for n in line[-8:] if isinstance(session.entries[n], PlayEntry)]
        mine = [
            play.n for play in plays if play.by == player.seat and (self.random.random() < 0.1 or not play.known_rolls)
        ]
        if not mine or not desk.has_pen or desk.pending_offer:
            return
        n = self.random.choice(mine)
        before = session.moment(line[line.index(n) - 1])
        try:
            words = session.game.format(before.legal(player.seat).pick(self.random))
            correct_play(session, n, words, player.seat)
            self.told["corrected"] += 1
        except NotAgreedError as error:
            offer = find_required_offer(error.entry)
            if offer and player.seat not in {one.by for one in desk.protocol.offers.values()}:
                with suppress(NotAllowedError):  # a roll has to be made first
                    desk.record_offer(offer)
                    self.told["correction offered"] += 1
        except (*NOT_FIT, IndexError):
            self.told["correction refused"] += 1

    def _leaves_by_itself(self, player: Player) -> None:
        """Leaves a seat, or seats a friend, as at a table. By mail that is refused, and nothing is half done."""
        before = player.log.read_bytes()
        for deed in (
            lambda: leave_seat(player.session, player.seat),
            lambda: sit_down(player.session, player.seat, "Kim"),
        ):
            try:
                deed()
            except NotAllowedError:
                self.told["leaving refused"] += 1
        assert player.log.read_bytes() == before

    def _goes(self) -> None:
        """Lets a player stop. They send all that they have, and a friend gets the game and asks for the seat."""
        player = self.random.choice(self.players)
        if player.desk.protocol.seats_to_join or player.desk.protocol.offers:
            return
        try:
            packet = player.sends(0)
        except NotAllowedError:
            return
        for other in self.players:
            if other is not player:
                self.takes(other, packet)
        self.told["left"] += 1
        number = self.told["left"]
        friend = Player(self._place / f"friend {number}", player.seat, f"friend {number} {self._seed}")
        self._leaving, self._newcomer = player, friend
        friend.receives(packet)
        with friend.at_home():
            vault = find_vault_path(player.log, player.seat)
            if vault.exists():
                shutil.copy(vault, find_vault_path(friend.log, player.seat))
                friend.forgets()
            try:
                request_seat(friend.desk, player.seat, name=f"Friend {number}")
            except NotAllowedError:  # what they have sent is older than the time when they sat down
                self._stays()
                return
        self._asks(friend)

    def _asks(self, friend: Player) -> None:
        try:
            self.sends(friend, friend.sends())
        except NotAllowedError:
            self.told["not asked"] += 1

    def _replies_to_requests(self, player: Player) -> bool:
        """Agrees to requests of friends, or refuses them. Returns True if there is something to send."""
        given = self.told["consents"]
        for ask in list_requests_to_answer(player.session):
            if player.seat == ask.by or player is self._newcomer or player.seat in {one.by for one in ask.consents}:
                continue
            if self.random.random() < 0.1:
                discard_requests(player.session, [ask])
                continue
            try:
                give_consent_to_request(player.desk, ask)
                self.told["consents"] += 1
            except NotAllowedError:
                self.told["consent too early"] += 1
        return self.told["consents"] > given

    def _takes_over(self, friend: Player) -> None:
        """Lets the friend play from now on in the place of the one who left."""
        self.players = [friend if one is self._leaving else one for one in self.players]
        self._leaving = self._newcomer = None
        self.told["came"] += 1
        self.told[f"came in {len(self.players)} homes"] += 1

    def _stays(self) -> None:
        """Ends the wish of the newcomer; who wanted to leave plays on."""
        self._leaving = self._newcomer = None


def play_mail_league_game(seed: int, place: Path, kind: str, most: int = 120) -> Counter[str]:
    """Plays one game of the league and counts what happened, as `simulated` does.

    Raises AssertionError, too, if `stats` over the copies of all who have played differs from a count by hand. Left out
    are copies with moves of their own, which their players had not sent when a friend took over.
    """
    league = MailLeague(seed, place, kind)
    told = played(league, most)
    log = league.players[0].log
    copies = [copy for copy in sorted(place.rglob("game.jsonl")) if log.read_bytes().startswith(copy.read_bytes())]
    counted = check_statistics(log, copies)
    return told + Counter({"rolls counted by hand": counted})


KINDS = tuple(GAMES)
