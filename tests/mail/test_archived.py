"""Games by mail from the archive: every mail that went is read, and each game goes on from where it stood."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from players import Player, exchanged
from support import FIXTURES

from referee.engine.registry import find_game, find_game_by_rules
from referee.mail.ascii_armor import read_mailed_packets
from referee.mail.packet import parse_packet
from referee.record.archive.audit import audit
from referee.record.log.field_types import LOG_FORMAT
from referee.record.table.deeds.upgrade import UpgradeOffer

GAMES = sorted(path for path in (FIXTURES / "archive").glob("*/packets/*") if path.is_dir())


def mails(game: Path) -> list[Path]:
    return sorted(game.glob("*.txt"))


def players_of(game: Path, folder: Path) -> list[Player]:
    """The players as they were, each with his copy of the log, key and vault; the first is the one who began."""
    order = list(dict.fromkeys(mail.stem.partition("-")[2] for mail in mails(game)))
    players = []
    for seat in order[:-1]:
        player = Player(folder / seat, seat, game.name)
        for file in (game / seat).iterdir():
            shutil.copyfile(file, folder / seat / file.name)
        players.append(player)
    return players


def agree_on_todays_rules(players: list[Player]) -> None:
    """Who has the pen asks, and the others agree: by rules that are kept no longer nobody plays on."""
    (asking,) = (player for player in players if player.has_pen)
    with asking.at_home():
        game = find_game(asking.session.game.name)
        asking.desk.record_offer(UpgradeOffer(LOG_FORMAT, game.rules_version))
    for player in players:
        if player is not asking:
            player.receives(asking.sends())
            with player.at_home():
                player.desk.reply_to_offer(player.desk.pending_offer, agree=True)
            asking.receives(player.sends())
    assert {player.session.reducer.rules for player in players} == {game.rules_version}


def test_there_are_some():
    assert {game.name for game in GAMES} >= {"manoover", "manoover-three", "mutants-hidden", "sheboygan", "zombies"}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.parents[1].name}-{game.name}")
def test_every_mail_is_read_and_what_it_brings_stands_in_the_log(game):
    log = max((path.read_bytes() for path in game.glob("*/game.jsonl")), key=len)
    for mail in mails(game):
        (letter,) = read_mailed_packets(mail.read_bytes()).whole
        packet = parse_packet(letter)
        assert packet.lines or packet.head.parts, mail
        assert set(packet.lines) <= set(log.splitlines(keepends=True)), mail


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.parents[1].name}-{game.name}")
def test_the_last_mail_begins_the_game_for_who_has_lost_the_log(game, tmp_path):
    whole = mails(game)[-1]
    player = players_of(game, tmp_path)[-1]
    before = player.log.read_bytes()
    player.log.unlink()
    (letter,) = read_mailed_packets(whole.read_bytes()).whole
    player.receives(parse_packet(letter))
    assert player.log.read_bytes().startswith(before[: len(before) // 2])
    assert audit(player.log).fault is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.parents[1].name}-{game.name}")
def test_the_game_goes_on(game, tmp_path):
    players = players_of(game, tmp_path)
    if find_game_by_rules(find_game(players[0].session.game.name), players[0].session.reducer.rules) is None:
        agree_on_todays_rules(players)
    before = max(player.log.stat().st_size for player in players)
    exchanged(players, Random(7), rounds=2)
    assert max(player.log.stat().st_size for player in players) > before
    logs = sorted((player.log.read_bytes() for player in players), key=len)
    assert all(logs[-1].startswith(log) for log in logs)
    assert all(audit(player.log).fault is None for player in players)
