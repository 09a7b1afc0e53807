"""The live page in Firefox, where it is installed: a phone plays a move, the table follows, and a card is agreed to."""

from __future__ import annotations

import pytest
from firefox import firefox
from phone_games import Table as Begun
from rooms import SHIPPED, add

from referee.engine.dice_mode import TableDice
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.opening_logs import open_log

PRESS = """
const button = [...document.querySelectorAll("#phone button:not([data-fresh])")].find((one) => %s);
if (button) button.click();
return Boolean(button);
"""


@pytest.fixture(scope="module")
def window():
    try:
        with firefox() as one:
            yield one
    except LookupError as error:
        pytest.skip(str(error))


def press(window, chosen):
    """Presses the first button of the phone that fits, as soon as it takes taps."""
    window.wait(f"(() => {{ {PRESS % chosen} }})()")


@pytest.mark.parametrize("game", SHIPPED)
def test_a_phone_plays_a_move(window, rooms, tmp_path, game):
    begun = Begun(tmp_path, game)
    here = rooms(begun.log, play=True)
    window.go(here.url(begun.mover))
    before = begun.entries
    while begun.entries == before:
        if window.run("return Boolean(document.querySelector('#sure:not([hidden])'))"):
            press(window, "one.matches('#sure .sure')")
        else:
            press(window, "one.matches('button.say, fieldset:not(.aside) button')")
            window.wait("!document.querySelector('#phone.sent')")
    window.wait(f"document.querySelector('#n{before}')")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_table_follows_the_game(window, table, game):
    here = table(game)
    window.go(here.url())
    window.wait("document.querySelector('#line.on')")
    add(here.log, here.later[0])
    window.wait(f"document.querySelector('#n{len(open_log(here.log).entries) - 1}')")
    assert window.run("return document.querySelectorAll('#board svg.page').length")


def test_a_card_is_agreed_to(window, rooms, tmp_path):
    begun = Begun(tmp_path, "manoover", TableDice())
    begun.session.do("throwoff red blue", faces=[6, 1])
    begun.session.do("throw", faces=[2, 2, 6])
    here, before = rooms(begun.log, play=True), begun.entries
    window.go(here.url("blue"))
    window.wait("document.querySelector('#deeds button')")
    window.run("document.querySelector('#deeds').open = true")
    press(window, "one.textContent === 'Take back'")
    window.wait("document.querySelector('.asked')")
    window.go(here.url("red"))
    window.wait("document.querySelector('.asked')")
    press(window, "one.textContent === 'I agree'")
    press(window, "one.textContent === 'Yes, I agree'")
    window.wait(f"document.querySelector('#n{before}')")
    assert isinstance(open_log(begun.log).entries[before], TakebackEntry)
