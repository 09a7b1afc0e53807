"""Phones in a real browser: a turn by taps, dice, consent on the phone of who gives it, two taps at one moment."""

from __future__ import annotations

import pytest
from browsers import find_faults, find_faults_in_views
from phone_games import Table as Begun
from phone_players import played_on
from slipping_taps import SPACINGS, check_taps, spread, tapped_twice
from tapping_players import PHONE, tap

from referee.cli.answer import MOVED_ON
from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView
from referee.serve.http_refusals import REFUSAL_SENTENCES


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


def entry(tab, n):
    """Wait until a phone shows an entry."""
    tab.locator(f"#n{n}.shown").wait_for(state="attached")


def test_a_turn_of_manoover_takes_eight_taps(phones):
    """The referee throws; then each die is a tap on its robot and one on what it does, and the rest goes by itself."""
    here = phones("manoover")
    tab = {seat: phones.phone(here, seat) for seat in ("red", "blue")}
    tap(tab["red"], "throwoff red blue")
    entry(tab["blue"], 1)
    mover, turn, taps = now(here).moment().to_act, SeatView(now(here), None).facts.turn, 0
    mine = tab[mover]
    phrase = mine.locator("#phone button.say").first
    while (look := SeatView(now(here), None)).facts.to_act == mover and look.facts.turn == turn:
        mine.locator(f'#phone[data-on="{len(look.log.entries) - 1}"]').wait_for(state="attached")
        if not phrase.is_visible():
            mine.locator("#board g.tap").first.tap()
            phrase.wait_for()
            taps += 1
        mine.locator("#phone button.say:not([data-fresh])").first.tap()
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
    assert not find_faults(human)
    assert monster.locator(".asked").get_by_role("button", name="I agree").count() == 0
    assert not table.locator("#phone").count()
    tap(human, "I agree")
    tap(human, "Yes, I agree")
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


# Taps that slip


@pytest.mark.parametrize(("game", "part"), [("manoover", 4), ("mutants", 9), ("sheboygan", 9), ("zombies", 9)])
def test_a_button_that_is_tapped_twice_does_one_thing(phones, game, part):
    """Each fourth or ninth button with one of the spacings; `double_taps.py` tries all with all.

    Those that end a game have all spacings in the next test.
    """
    here = phones(game, played=3, dice=TableDice())
    seat = now(here).moment().to_act
    tab = phones.phone(here, seat)
    words = spread(tab)
    assert {"Resign", "Take back"} < set(words)
    check_taps(here, seat, tab, [(number, SPACINGS[number % len(SPACINGS)]) for number in range(0, len(words), part)])


@pytest.mark.parametrize(("game", "grave"), [("manoover", {"Resign"}), ("sheboygan", {"Resign", "Reveal all secrets"})])
def test_two_taps_reveal_nothing_and_end_nothing(phones, game, grave):
    here = phones(game, played=6)
    seat = now(here).moment().to_act
    tab = phones.phone(here, seat)
    words = spread(tab)
    assert grave <= set(words)
    check_taps(here, seat, tab, [(words.index(one), spacing) for one in sorted(grave) for spacing in SPACINGS])


def test_two_taps_agree_to_nothing(phones):
    here = phones("manoover", played=2)
    mover, other = sorted(("red", "blue"), key=lambda seat: seat != now(here).moment().to_act)
    asking, asked = phones.phone(here, mover), phones.phone(here, other)
    spread(asking)
    tap(asking, "Take back")
    asked.locator(".asked").wait_for()
    before = len(now(here).entries)
    for spacing in SPACINGS:
        tapped_twice(asked, spread(asked).index("I agree"), spacing)
        assert len(now(here).entries) == before
        tap(asked, "No, go back")
    tap(asked, "I agree")
    tap(asked, "Yes, I agree")
    entry(asked, before)


@pytest.mark.parametrize("words", ["Resign", "Ask: end the game by agreement"])
def test_what_ends_a_game_is_confirmed_in_the_other_half_of_the_screen(phones, words):
    here = phones("manoover", played=2)
    tab = phones.phone(here, now(here).moment().to_act)
    spread(tab)
    button = tab.get_by_role("button", name=words, exact=True)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    tap(tab, words)
    sure = tab.locator("#sure").bounding_box()
    assert sure["y"] >= box["y"] + box["height"] or sure["y"] + sure["height"] <= box["y"]
    assert tab.evaluate("document.activeElement.textContent") == "No, go back"
    assert not find_faults(tab)
    tap(tab, "No, go back")
    assert tab.locator("#sure").is_hidden()
    tap(tab, words)
    tap(tab, "Yes, resign" if words == "Resign" else "Yes, end the game")
    tab.locator("#phone:not(.sent)").wait_for()
    assert (now(here).moment().outcome is not None) == (words == "Resign")


def test_what_is_doubted_is_said_once_it_is_meant(phones):
    here = phones("manoover", played=2)
    tab = phones.phone(here, now(here).moment().to_act)
    before = len(now(here).entries)
    tab.locator("#typing summary").tap()
    tab.locator("#typed input").fill("done")
    for _ in range(2):  # the same button again asks again
        tap(tab, "Say it")
        tab.locator("#sure", has_text="I mean it: done").wait_for()
        assert len(now(here).entries) == before
    assert not find_faults(tab)
    tap(tab, "I mean it: done")
    tab.locator(f"#n{before}").wait_for(state="attached")


def test_a_card_that_comes_under_a_finger_takes_no_tap(phones):
    here = phones("manoover", played=2)
    mover, other = sorted(("red", "blue"), key=lambda seat: seat != now(here).moment().to_act)
    asking, asked = phones.phone(here, mover), phones.phone(here, other)
    spread(asking)
    tap(asking, "Take back")
    asked.locator(".asked").wait_for()
    fresh = asked.locator(".asked button[data-fresh]").first
    assert fresh.evaluate("(it) => (it.click(), document.getElementById('sure').hidden)")


def test_a_tap_that_comes_before_the_answer_to_another_is_not_lost(phones):
    here = phones("sheboygan")
    tab = phones.phone(here, "monster")
    spread(tab)
    held = []
    tab.route("**/say", lambda route: held.append(route) if route.request.post_data_json["do"] == "look" else None)
    tap(tab, "flying")
    tab.locator("#phone.sent").wait_for()
    tap(tab, "jumping")
    while not held:
        tab.wait_for_timeout(10)
    first, kept = held[0], len(held)
    first.continue_()
    while len(held) == kept:
        tab.wait_for_timeout(10)
    held[-1].continue_()
    for ability in ("flying", "jumping"):
        tab.get_by_role("button", name=f"Take back: {ability}").wait_for()


# When somebody else has said something


def test_dice_and_words_half_typed_stay_when_anybody_notes_something(phones):
    here = phones("manoover", dice=TableDice(), played=2)
    seat = now(here).moment().to_act
    tab = phones.phone(here, seat)
    spread(tab)
    tab.get_by_label("As they fell").fill("1 2")
    before = len(now(here).entries)
    record_note(now(here), "pizza", "blue")
    tab.locator(f'#phone[data-on="{before}"]').wait_for(state="attached")
    assert tab.get_by_label("As they fell").input_value() == "1 2"


def test_dice_that_fell_are_kept_when_anybody_notes_something(phones):
    here = phones("manoover", dice=TableDice())
    tab = phones.phone(here, "red")
    tap(tab, "5")
    record_note(now(here), "pizza", "blue")
    tab.locator('#phone[data-on="1"]').wait_for(state="attached")
    assert "Fallen: red 5." in tab.inner_text(".dice")
    tap(tab, "2")
    tap(tab, "Send 5 2")
    entry(tab, 2)


def test_a_phone_whose_link_is_gone_says_how_to_get_the_new_one_and_asks_no_more(phones):
    here = phones("manoover")
    tab = phones.phone(here, "red", clock=True, **PHONE)
    old = here.links.by_eyes["red"]
    here.links.renew("red")
    old.is_withdrawn = False  # as where another server has come, which never knew it
    here.cut_lines()
    tab.locator("#line.off", has_text=REFUSAL_SENTENCES[404]).wait_for()
    asked = len(tab.asked)
    tab.clock.run_for(30_000)
    assert len(tab.asked) == asked


# Dice


def test_dice_typed_wrong_are_cleared_before_they_are_sent(phones):
    here = phones("manoover", dice=TableDice())
    tab = phones.phone(here, "red")
    assert tab.locator("button.die").all_inner_texts() == [str(face) for face in range(1, 7)]
    for face in ("6", "6", "Clear", "5", "2"):
        tap(tab, face)
    assert "Fallen: red 5, blue 2" in tab.inner_text(".dice")
    assert not find_faults(tab)
    tap(tab, "Send 5 2")
    entry(tab, 1)
    assert now(here).moment().to_act == "red"


def test_a_refusal_shows_its_rule(phones):
    here = phones("manoover", played=2)
    tab = phones.phone(here, now(here).moment().to_act)
    tab.click("#typing summary")
    tab.locator("#typed input").fill("9 go N")
    tap(tab, "Say it")
    tab.locator("#told", has_text="dice.2").wait_for()
    assert "A die names" in tab.inner_text("#told")


def test_a_phone_is_played_by_keys_alone(phones):
    here = phones("manoover")
    tab = phones.phone(here, "red")
    tab.locator("#phone:not(:has([data-fresh]))").wait_for()
    tab.locator("#phone h2").focus()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    entry(tab, 1)


@pytest.mark.parametrize("game", ["manoover", "mutants", "sheboygan", "zombies"])
def test_nobody_stumbles_over_a_phone(phones, game):
    here = phones(game, played=12)
    tab = phones.phone(here, now(here).moment().to_act)
    for details in tab.locator("#phone details").all():
        details.evaluate("one => one.open = true")
    assert not list(find_faults_in_views(tab))
    tab.get_by_role("button", name="Bigger").click()
    assert not find_faults(tab)
    assert tab.said == []


def test_a_bot_that_was_stopped_goes_on_at_one_tap(phones):
    here = phones("manoover", bots={"blue": "steady"}, first="blue")
    assert list(here.links.by_eyes) == [None, "red"]
    tab, table = phones.phone(here, "red"), phones.phone(here, None)
    assert "steady plays blue, and has stopped." in tab.inner_text("#phone")
    assert tab.inner_text("#phone h2") == "A bot has stopped"
    assert not find_faults(tab)
    tap(tab, "Let it go on")
    tab.locator("#phone h2", has_text="Your move").wait_for()
    assert now(here).moment().to_act == "red"
    assert not tab.get_by_role("button", name="Let it go on").count()
    entry(table, len(now(here).entries) - 1)
    assert tab.said == table.said == []
