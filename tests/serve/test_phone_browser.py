"""Phones in a real browser: a turn by taps, dice, consent on the phone of who gives it, two taps at one moment."""

from __future__ import annotations

import pytest
from browsers import stumbled, stumbled_in_views
from phone_games import Table as Begun
from phone_players import played_on

from referee.cli.answer import MOVED_ON
from referee.engine.dice import OpenDice, TableDice
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def phones(rooms, tab_at, tmp_path):
    """A game begun by phones, served; and a phone for each seat that is asked for."""

    def begun(game, played=0, dice=None, seed=4, **options):
        here = Begun(tmp_path, game, dice or OpenDice("7" * 64), **options)
        played_on(here, played, seed)
        return rooms(here.log, play=True)

    def phone(here, seat, **context):
        tab = tab_at(here.url(seat), **(context or PHONE))
        if seat:
            tab.locator("#phone:not([hidden])").wait_for()
            tab.locator("#deeds button").first.wait_for(state="attached")
        return tab

    begun.phone = phone
    return begun


def now(here):
    return open_log(here.log)


def tap(tab, words):
    """Tap a button of the phone, once it is there."""
    tab.locator("#phone").get_by_role("button", name=words, exact=True).first.tap()


def entry(tab, n):
    """Wait until a phone shows an entry."""
    tab.locator(f"#n{n}.shown").wait_for(state="attached")


def test_a_turn_of_manoover_takes_eight_taps(phones):
    """The referee throws; then each die is a tap on its robot and one on what it does, and the rest goes by itself."""
    here = phones("manoover")
    tab = {seat: phones.phone(here, seat) for seat in ("red", "blue")}
    tap(tab["red"], "throwoff red blue")
    entry(tab["blue"], 1)
    mover, turn, taps = now(here).to_act, Sitting(now(here), None).facts.turn, 0
    mine = tab[mover]
    phrase = mine.locator("#phone button.say").first
    while (look := Sitting(now(here), None)).facts.to_act == mover and look.facts.turn == turn:
        mine.locator(f'#phone[data-on="{len(look.log.entries) - 1}"]').wait_for(state="attached")
        if not phrase.is_visible():
            mine.locator("#board g.tap").first.tap()
            phrase.wait_for()
            taps += 1
        phrase.tap()
        taps += 1
        mine.locator(f"#n{len(look.log.entries)}").wait_for(state="attached")
    assert 4 <= taps <= 8
    assert tab["red"].said == tab["blue"].said == []


def test_who_must_agree_does_so_on_his_own_phone_in_a_hidden_game(phones):
    here = phones("sheboygan")
    monster, human, table = (phones.phone(here, seat) for seat in ("monster", "human", None))
    before = len(now(here).entries)
    for ability in ("flying", "jumping"):
        tap(monster, ability)
        monster.get_by_role("button", name=f"Take back: {ability}").wait_for()
    tap(monster, "Say: abilities jumping flying")
    entry(human, before)
    monster.locator("#deeds summary").tap()
    tap(monster, "Take back")
    human.locator(".asked").wait_for()
    assert "Monster asks to take back to entry" in human.inner_text(".asked")
    assert not stumbled(human)
    assert monster.locator(".asked").get_by_role("button", name="I agree").count() == 0
    assert not table.locator("#phone").count()
    tap(human, "I agree")
    entry(table, before + 1)
    monster.locator("#told", has_text="All have agreed.").wait_for()
    for other in (human, table):
        for ability in ("flying", "jumping"):
            assert ability not in other.content()


def held_back(tab):
    """What a phone says is held on its way from now on. The list of what is held."""
    held = []

    def on_its_way(route):
        if route.request.post_data_json["do"] == "say":
            held.append(route)
        else:
            route.continue_()

    tab.route("**/say", on_its_way)
    return held


def test_of_two_taps_at_one_moment_one_is_a_play(phones):
    here = phones("manoover")
    tabs = phones.phone(here, "red"), phones.phone(here, "red")
    before = len(now(here).entries)
    held = [held_back(tab) for tab in tabs]
    for tab, route in zip(tabs, held, strict=True):
        tap(tab, "throwoff red blue")
        while not route:
            tab.wait_for_timeout(10)
    with tabs[0].expect_response("**/say") as one, tabs[1].expect_response("**/say") as other:
        for (route,) in held:
            route.continue_()
    late = [tab for tab, said in zip(tabs, (one, other), strict=True) if said.value.json()["code"] == MOVED_ON]
    assert len(late) == 1
    late[0].locator("#told", has_text="The game has moved on").wait_for()
    for tab in tabs:
        entry(tab, before)
    assert len(now(here).entries) == before + 1


def test_dice_typed_wrong_are_cleared_before_they_are_sent(phones):
    here = phones("manoover", dice=TableDice())
    tab = phones.phone(here, "red")
    assert tab.locator("button.die").all_inner_texts() == [str(face) for face in range(1, 7)]
    for face in ("6", "6", "Clear", "5", "2"):
        tap(tab, face)
    assert "Fallen: red 5, blue 2" in tab.inner_text(".dice")
    assert not stumbled(tab)
    tap(tab, "Send 5 2")
    entry(tab, 1)
    assert now(here).to_act == "red"


def test_a_refusal_shows_its_rule(phones):
    here = phones("manoover", played=2)
    tab = phones.phone(here, now(here).to_act)
    tab.click("#typing summary")
    tab.locator("#typed input").fill("9 go N")
    tap(tab, "Say it")
    tab.locator("#told", has_text="dice.2").wait_for()
    assert "A die names" in tab.inner_text("#told")


def test_a_phone_is_played_by_keys_alone(phones):
    here = phones("manoover")
    tab = phones.phone(here, "red")
    tab.locator("#phone h2").focus()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    entry(tab, 1)


@pytest.mark.parametrize("game", ["manoover", "mutants", "sheboygan", "zombies"])
def test_nobody_stumbles_over_a_phone(phones, game):
    here = phones(game, played=12)
    tab = phones.phone(here, now(here).to_act)
    for details in tab.locator("#phone details").all():
        details.evaluate("one => one.open = true")
    assert not list(stumbled_in_views(tab))
    assert tab.said == []


def test_a_bot_that_was_stopped_goes_on_at_one_tap(phones):
    here = phones("manoover", bots={"blue": "steady"}, first="blue")
    assert list(here.links.all) == [None, "red"]
    tab, table = phones.phone(here, "red"), phones.phone(here, None)
    assert "steady plays blue, and has stopped." in tab.inner_text("#phone")
    assert tab.inner_text("#phone h2") == "A bot has stopped"
    assert not stumbled(tab)
    tap(tab, "Let it go on")
    tab.locator("#phone h2", has_text="Your move").wait_for()
    assert now(here).to_act == "red"
    assert not tab.get_by_role("button", name="Let it go on").count()
    entry(table, len(now(here).entries) - 1)
    assert tab.said == table.said == []
