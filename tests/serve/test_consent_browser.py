"""Consent on phones in a real browser: one phone asks, the card on the other says all, and its two taps record it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from phone_games import Table as Begun
from tapping_players import PHONE, tap

from referee.engine.dice_mode import TableDice
from referee.record.archive.audit import audit
from referee.record.log.entry import DeedEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.record.table.undo_redo import undo

WAYS = "#deeds"


class Asked(NamedTuple):
    """A deed that waits for the consent of another phone."""

    begun: Begun
    before: int
    """The number of entries before."""
    tabs: list[Any]
    asking: Any
    """The phone that has asked."""
    other: Any
    """The phone that is asked."""
    told: list[str]
    """What the card has to say."""


@pytest.fixture
def two_phones(rooms, tab_at, tmp_path):
    """Serves a game, and opens a phone for each of its two seats."""

    def opened(begun):
        here = rooms(begun.log, play=True)
        tabs = [tab_at(here.url(seat), **PHONE) for seat in begun.session.reducer.seats]
        for tab in tabs:
            tab.locator("#deeds button").first.wait_for(state="attached")
        return here, *tabs

    return opened


def with_dice(folder):
    """A game of Manoover in which Red has thrown two robots' dice and used one."""
    begun = Begun(folder, "manoover", TableDice())
    begun.session.do("throwoff red blue", faces=[6, 1])
    begun.session.do("throw", faces=[2, 2, 6])
    begun.session.do("2 turn ne")
    return begun


def taken_back(folder):
    """The same game, in which Red's last move is taken back."""
    begun = with_dice(folder)
    undo(begun.session, by="red")
    return begun


def with_secrets(folder):
    """A game of Sheboygan in which the monster has chosen its abilities in secret."""
    begun = Begun(folder, "sheboygan")
    begun.session.do("abilities jumping flying")
    return begun


def fill(tab, label, words):
    tab.locator(WAYS).get_by_label(label, exact=True).fill(words)


def choose(tab, label, begins):
    """Chooses the option of a list that begins with some words."""
    choice = tab.locator(f"{WAYS} label").filter(has_text=label).locator("select")
    option = choice.locator("option").filter(has_text=begins).first
    choice.select_option(option.get_attribute("value"))


def ask_undo(tab):
    tap(tab, "Take back")


def ask_redo(tab):
    tap(tab, "Bring back")


def ask_die(tab):
    choose(tab, "Throw", "2:")
    fill(tab, "As they fell", "2 3 6")
    tap(tab, "Ask: dice were typed wrong")


def ask_move(tab):
    choose(tab, "Move", "3:")
    fill(tab, "What it was", "2 turn nw")
    tap(tab, "Ask: a move was typed wrong")


def ask_amend(tab):
    fill(tab, "A piece and how it stands", "R1 off")
    tap(tab, "Ask: the real board was different")


def ask_finish(tab):
    choose(tab, "Who has won", "blue")
    tap(tab, "Ask: end the game by agreement")
    tap(tab, "Yes, end the game")


def ask_reveal(tab):
    tap(tab, "Reveal all secrets")
    tap(tab, "Yes, reveal all secrets")


def ask_leave(tab):
    tap(tab, "Ask: leave the game")
    tap(tab, "Yes, leave")


DEEDS = {
    "undo of another's move": (with_dice, "blue", ask_undo, ["2 turn NE"]),
    "redo of another's move": (taken_back, "blue", ask_redo, ["2 turn NE"]),
    "a die of another": (with_dice, "blue", ask_die, ["2 2 6", "2 3 6"]),
    "a move of another": (with_dice, "blue", ask_move, ["2 turn NE", "2 turn NW"]),
    "the board": (with_dice, "red", ask_amend, ["R1"]),
    "the end": (with_dice, "red", ask_finish, ["blue"]),
    "all secrets": (with_secrets, "human", ask_reveal, ["secret"]),
    "a player who leaves": (with_dice, "red", ask_leave, ["red"]),
}


@pytest.fixture(params=DEEDS)
def asked(request, two_phones, tmp_path):
    """A deed for which one phone has asked the other, whose card has come."""
    begin, asker, ask, told = DEEDS[request.param]
    begun = begin(tmp_path)
    before, seats = begun.entries, list(begun.session.reducer.seats)
    _, *tabs = two_phones(begun)
    asking, other = tabs[seats.index(asker)], tabs[1 - seats.index(asker)]
    asking.locator("#deeds summary").first.tap()
    ask(asking)
    other.locator(".asked").wait_for()
    assert begun.entries == before, "nothing is recorded before the other agrees"
    return Asked(begun, before, tabs, asking, other, told)


def test_what_one_phone_asks_is_recorded_when_the_other_agrees(asked):
    card = asked.other.locator(".asked").inner_text()
    for words in asked.told:
        assert words in card
    tap(asked.other, "I agree")
    tap(asked.other, "Yes, I agree")
    for tab in asked.tabs:
        tab.locator(f"#n{asked.before}").wait_for(state="attached")
        assert tab.said == []
    entry = open_log(asked.begun.log).entries[asked.before]
    assert isinstance(entry, DeedEntry)
    seats = asked.begun.session.reducer.seats
    assert set(entry.agreed) | {entry.by} >= set(seats), "it names the seats that agreed"
    assert audit(asked.begun.log).fault is None


def test_nothing_is_recorded_when_the_other_refuses(asked):
    tap(asked.other, "No")
    asked.asking.locator("#told", has_text="No").wait_for()
    asked.other.locator(".asked").wait_for(state="detached")
    assert asked.begun.entries == asked.before
    assert SeatView(open_log(asked.begun.log), None).facts.to_act is not None
