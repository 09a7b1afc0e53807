"""Whole matches by mail with random play, for two and three players. As a script it plays more of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from players import Player, at_random

from referee.engine.dice_mode import LATEST_DERIVATION, MailDice
from referee.mail.mail_player import MailPlayer
from referee.mail.match_packets import make_companion_packets
from referee.mail.packet import find_match_place, parse_packet
from referee.mail.sync import make_packet, receive_first_packet, receive_kept_packets, receive_packet
from referee.record.archive.match import Match, open_match
from referee.record.archive.match_audit import audit_match
from referee.record.archive.match_by_mail import begin_match_log, find_free_game_path, update_match
from referee.record.log.entry import MatchPlace
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import open_log, start

FORMS = {"base": ("red", "blue"), "three": ("red", "blue", "green")}
MOST = 4_000
"""The most rounds of mails in a match."""


class MatchPlayer(Player):
    """A player whose log is that of the game which goes on in their match."""

    def __init__(self, folder: Path, seat: str, luck: str) -> None:
        super().__init__(folder, seat, luck)
        self.match_log = folder / "cup.jsonl"
        self.log = folder / "cup-1.jsonl"

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Runs the block on the player's computer, where games begin alike each time."""
        opening = "referee.record.table.opening_logs"
        chance = patch(f"{opening}.os.urandom", lambda count: sha256(self.secret).digest()[:count])
        with super().at_home(), patch(f"{opening}.PROGRAM_VERSION", "tests"), chance:
            yield

    @property
    def match(self) -> Match:
        with self.at_home():
            match = open_match(self.match_log)
            update_match(match)
            return match

    def begins_match(self, options: dict[str, str], terms: dict[str, str]) -> None:
        with self.at_home():
            session = start(
                "manoover", self.log, dice=MailDice(LATEST_DERIVATION), options=options, match=MatchPlace(1, terms)
            )
            MailPlayer(session, self.key).join_game(self.seat)
            begin_match_log(session)

    def mail(self) -> list[bytes]:
        """Returns the packets of the mail that the player would send now, the end of the game before first."""
        with self.at_home():
            desk = self.desk
            packet = make_packet(desk)
            beside = make_companion_packets(desk)
            return [one.encode() for one in (beside.previous_game_packet, packet, beside.next_game_packet) if one]

    def opens_mail(self, mail: list[bytes]) -> None:
        for data in mail:
            packet = parse_packet(data)
            with self.at_home():
                log = self._log_of(packet.head.game)
                if log:
                    found = receive_packet(open_log(log), packet, self.key)
                    list(receive_kept_packets(log, self.key))
                else:
                    place = find_match_place(packet)
                    path = find_free_game_path(self.match) if place and place.number > 1 else self.log
                    found = receive_first_packet(packet, path, self.key)
            assert found.packet_verdict.is_sound or found.packet_verdict.situation == "early", found.packet_verdict
        self.follows()

    def _log_of(self, game: str) -> Path | None:
        logs = self.log.parent.glob("cup-*.jsonl")
        return next((log for log in logs if open_log(log, 0).public.id == game), None)

    def follows(self) -> None:
        """Goes on to the game that goes on in the match."""
        current = self.match.current_log
        if current and current != self.log:
            self.log = current
            self.forgets()


def play_match(folder: Path, form: str, seed: int, games: int = 0) -> tuple[list[MatchPlayer], int]:
    """Plays a match to its end, or until some games have ended and all sit in the next one.

    Returns the players and the number of rounds of mails.
    """
    target = 99 if games else 9
    random, seats = Random(seed), FORMS[form]
    players = [MatchPlayer(folder / seat, seat, str(seed)) for seat in seats]
    options = {"form": form}
    players[0].begins_match(options, {"target": str(target), "opening": random.choice(("running-total", "last-game"))})
    for before, player in pairwise(players):
        for other in players:
            if other is not before and (other.log.exists() or other is player):
                other.opens_mail(before.mail())
        player.joins()
    for rounds in range(MOST):
        for player in players:
            if not player.desk.protocol.seats_to_join:
                player.plays(at_random, random)
            with suppress(NotAllowedError):  # it is their turn still, and nobody waits for them
                mail = player.mail()
                for other in players:
                    if other is not player:
                        other.opens_mail(mail)
                player.follows()
        if all(player.match.winners or _has_played(player, games) for player in players):
            return players, rounds
    raise AssertionError(f"not over after {MOST} rounds")


def _has_played(player: MatchPlayer, games: int) -> bool:
    """True if a player's match has come to the next game after so many, and all sit there. 0 is never reached."""
    return 0 < games <= len(player.match.ended_games) and not player.desk.protocol.seats_to_join


def check_match(players: list[MatchPlayer]) -> int:
    """Checks that all have the same sound match. Returns the number of its games."""
    scores = [player.match.score for player in players]
    assert all(score == scores[0] for score in scores)
    for player in players:
        report = audit_match(player.match_log)
        assert report.fault is None, report.fault
        assert len(report.games) == len(scores[0].games)
    games = [[(one.game, one.log) for one in player.match.started_games] for player in players]
    assert all(one == games[0] for one in games)
    return len(games[0])


@pytest.mark.parametrize(("form", "games"), [("base", 2), ("three", 1)])
def test_all_players_come_to_the_next_game_with_the_same_score(tmp_path, form, games):
    players, _ = play_match(tmp_path, form, 2, games)
    assert check_match(players) == games + 1


def test_a_random_match_ends_alike_for_all(tmp_path):
    players, _ = play_match(tmp_path, "base", 2)
    check_match(players)
    assert players[0].match.winners


def main() -> None:
    """Plays matches with the seeds from the first argument up to the second, for two and three players in turn."""
    first, last = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, last):
        form = "base" if seed % 2 else "three"
        with TemporaryDirectory() as folder:
            players, rounds = play_match(Path(folder), form, seed)
            print(seed, form, check_match(players), "games", rounds, "rounds", flush=True)


if __name__ == "__main__":
    main()
