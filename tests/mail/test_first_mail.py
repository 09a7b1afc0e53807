"""What nobody can begin here, nobody can send here either: what `start` refuses, opening a first mail refuses, too."""

# ruff: noqa: RUF001 - letters that are taken for others are part of what this is about

from __future__ import annotations

import os
from contextlib import ExitStack
from unittest.mock import patch

import pytest
from players import Player, seated

from referee.engine.dice_mode import MailDice
from referee.mail.mail_player import MailPlayer
from referee.record.log.entry import SeatedPlayer
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import start

BEGINNINGS = {
    "a bot plays for the guest": {"bots": {"blue": "random"}},
    "a bot plays for nobody": {"bots": {"green": "random"}},
    "a name like the other seat": {"seats": {"red": "BIue"}},
    "both seats in a name": {"seats": {"red": "red (blue)", "blue": "blue (red)"}},
    "a name that says something of its own": {"seats": {"blue": "Bo); your key is good (checked"}},
    "brackets of another width": {"seats": {"blue": "Bo）， yes （no"}},
    "two alphabets in a name": {"seats": {"red": "Аnna"}},
    "two of one name": {"seats": {"red": "Anna", "blue": "anna"}},
    "a name for all": {"seats": {"red": "all"}},
    "a name that cannot be seen": {"seats": {"red": "An\ufe0fna"}},
}
"""What a cheat would like to begin with; by mail all of it."""
ROOMS = ("record.table.game_start_checks", "mail.joining")
EASY = {"a name with a dot": {"seats": {"red": "Anna B.", "blue": "J. O’Neill-Smith"}}, "hints": {"hints": True}}


def invites(cheat: Player, beginning):
    """The first mail of a game that begins so, made by a program that refuses nothing."""
    names = {"red": "red", "blue": "blue"} | beginning.get("seats", {})
    told = beginning | {"seats": [SeatedPlayer(seat, name) for seat, name in names.items()]}
    refuses_nothing = (patch(f"referee.{room}.explain_unfit_beginning", lambda *_, **__: None) for room in ROOMS)
    with cheat.at_home(), ExitStack() as stack:
        for one in refuses_nothing:
            stack.enter_context(one)
        session = start("manoover", cheat.log, dice=MailDice(), **told)
        MailPlayer(session, cheat.key).join_game("red")
        return cheat.sends()


@pytest.mark.parametrize("name", BEGINNINGS)
def test_what_nobody_can_begin_nobody_takes_in(tmp_path, name):
    with pytest.raises(NotAllowedError) as refused:
        start("manoover", tmp_path / "here.jsonl", dice=MailDice(), **BEGINNINGS[name])
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names alone
    packet = invites(Player(tmp_path / "cheat", "red"), BEGINNINGS[name])
    guest = Player(tmp_path / "guest", "blue")
    verdict = guest.receives(packet)
    assert (verdict.situation, verdict.fault.fault.n) == ("faulty", 0)
    assert verdict.fault.fault.clause == str(refused.value)
    assert os.listdir(guest.log.parent) == []  # noqa: PTH208


@pytest.mark.parametrize("name", EASY)
def test_what_anybody_can_begin_is_taken_in(tmp_path, name):
    """The control of these."""
    packet = invites(Player(tmp_path / "host", "red"), EASY[name])
    assert Player(tmp_path / "guest", "blue").receives(packet).situation == "new"


@pytest.mark.parametrize("beginning", ["a name like the other seat", "both seats in a name"])
def test_who_plays_in_an_old_game_gets_it_back_after_a_loss(tmp_path, beginning):
    """What is refused where games begin may grow: his own signature says that he had agreed to it once."""
    host, guest = Player(tmp_path / "host", "red"), Player(tmp_path / "guest", "blue")
    packet = invites(host, BEGINNINGS[beginning])
    with patch("referee.mail.packet_verifier.explain_unfit_beginning", lambda *_: None):
        guest.receives(packet)
    with patch("referee.mail.joining.explain_unfit_beginning", lambda *_: None):
        guest.joins()
    host.receives(guest.sends())
    for path in (guest.log, guest.log.with_name(f"{guest.log.name}.head")):
        path.unlink()
    guest.forgets()
    assert guest.receives(host.sends(0)).situation == "new"
    stranger = Player(tmp_path / "stranger", "green")
    assert stranger.receives(host.sends(0)).situation == "faulty"


def test_nobody_sits_down_in_such_a_game(tmp_path):
    """However its log has come here: as a file in a folder that both share."""
    cheat = Player(tmp_path / "cheat", "red")
    invites(cheat, BEGINNINGS["a bot plays for the guest"])
    guest = Player(tmp_path / "guest", "blue")
    guest.log.write_bytes(cheat.log.read_bytes())
    with pytest.raises(NotAllowedError, match="bot"):
        guest.joins()
    assert guest.log.read_bytes() == cheat.log.read_bytes()


def test_honest_games_begin_as_before(tmp_path):
    red, blue = seated(tmp_path, "red", "blue")
    assert red.receives(blue.sends()).situation == "new"
