"""Players who leave their seats and sit down at others by phone: who agrees, and which names a phone may send."""

from __future__ import annotations

import pytest
from phone_games import Table
from phone_players import HOSTILE

from referee.record.table.opening_logs import open_log


@pytest.fixture
def heroes(tmp_path):
    """Zombies for three."""
    return Table(tmp_path, "zombies", players="3")


def agreed_by(table, *seats):
    """What comes back to the last of those who agree to what is asked."""
    for seat in seats:
        card = table.ask(seat)["asks"][0]
        answer = table.ask(seat, do="agree", number=card["number"])
    return answer


def test_one_leaves_by_phone_and_the_others_agree_on_theirs(heroes):
    assert "leaves" in heroes.ask("blue")["deeds"]
    heroes.ask("blue", do="leaves", on=0)
    asked = heroes.ask("red")["asks"][0]
    assert asked["words"] == "Blue asks to let the player of blue leave."
    assert asked["does"] == ["from then on nobody plays blue"]
    agreed_by(heroes, "red", "green")
    assert open_log(heroes.log).moment().facts.empty_seats == ("blue",)
    assert heroes.ask("red")["free"] == ["blue"]


def test_those_who_stay_let_somebody_sit_down(heroes):
    heroes.ask("blue", do="leaves", on=0)
    agreed_by(heroes, "red", "green")
    heroes.ask("red", do="sits", place="blue", words="Dee B", on=1)
    card = heroes.ask("green")["asks"][0]
    assert (card["words"], card["does"]) == ("Red asks to let Dee B play blue.", ["from then on Dee B plays blue"])
    assert heroes.ask("blue")["asks"] == []
    agreed_by(heroes, "green")
    assert open_log(heroes.log).moment().facts.names["blue"] == "Dee B"
    assert heroes.ask("red")["free"] == []


def test_those_who_stay_let_a_bot_play(heroes):
    heroes.ask("blue", do="leaves", on=0)
    agreed_by(heroes, "red", "green")
    heroes.ask("red", do="leaves", place="blue", words="steady", on=1)
    assert heroes.ask("green")["asks"][0]["does"] == ["from then on the bot steady plays blue"]
    agreed_by(heroes, "green")
    assert open_log(heroes.log).moment().facts.bots == {"blue": "steady"}


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "leaves", "place": "red"},
        {"do": "leaves", "place": "red", "words": "steady"},
        {"do": "leaves", "words": "--by"},
        {"do": "leaves", "words": "steedy"},
        {"do": "leaves", "place": "--by"},
        {"do": "sits", "place": "red", "words": "Dee"},
        {"do": "sits", "words": "Dee"},
        {"do": "sits", "place": "green", "words": " "},
    ],
    ids=str,
)
def test_no_phone_sends_another_player_away(heroes, sent):
    heroes.ask("green", do="leaves", on=0)
    agreed_by(heroes, "red", "blue")
    answer = heroes.ask("blue", on=1, **sent)
    assert (answer["code"], answer["asks"], heroes.entries) == (1, [], 2)


@pytest.mark.parametrize("words", HOSTILE)
def test_whatever_name_a_phone_sends_it_is_only_a_name(heroes, words):
    heroes.ask("green", do="leaves", on=0)
    agreed_by(heroes, "red", "blue")
    heroes.ask("blue", do="sits", place="green", words=words, on=1)
    if heroes.ask("red")["asks"]:
        agreed_by(heroes, "red")
    names = open_log(heroes.log).moment().facts.names
    assert names["green"] in ("green", words.strip())
    assert (names["red"], names["blue"]) == ("red", "blue")
