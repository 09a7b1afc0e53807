"""The board first: what a phone and a wall show without scrolling, and how a board grows under fingers."""

from __future__ import annotations

import pytest
from phone_games import Table as Begun
from phone_players import played_on
from stage_boxes import height, is_inside, least_side, measure

from referee.engine.dice_mode import OpenDice
from referee.record.table.opening_logs import open_log

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
PHONES = ((360, 640), (412, 915))
WALLS = ((1280, 800), (1920, 1080))
LINE, PANEL, TARGET, LETTER, ON_THE_WALL = 40, 146, 24, 11, 7
"""In pixels: the most for a line of text and for the panel; the least side of a target, and height of a letter."""


@pytest.fixture
def seen(rooms, tab_at, tmp_path):
    """A game in which some entries are played, and a page of it: of the seat to move, or the table's."""

    def begun(game, size, *, played=12, table=False):
        made = Begun(tmp_path, game, OpenDice("7" * 64))
        played_on(made, played, seed=4)
        here = rooms(made.log, play=True)
        seat = None if table else open_log(here.log).moment().to_act
        touch = {} if table else {"has_touch": True, "is_mobile": True}
        tab = tab_at(here.url(seat), viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **touch)
        if not table:
            tab.locator("#phone.yours").wait_for()
            tab.locator("#phone:not(:has([data-fresh]))").wait_for()
        tab.here, tab.seat = here, seat
        return tab

    return begun


def tap_at(tab, box):
    tab.touchscreen.tap((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def entries(tab):
    return len(open_log(tab.here.log).entries)


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("game", GAMES)
def test_a_phone_shows_a_line_then_the_whole_board_then_the_panel(seen, game, size):
    tab = seen(game, size)
    found = measure(tab)
    assert found.across <= size[0]
    assert height(found.bar) <= LINE
    assert height(found.phone) <= PANEL + 1
    assert found.bar[3] <= found.window[1] + 1
    assert found.window[3] <= found.said[1] + 1
    assert found.said[3] <= found.phone[1] + 1
    assert found.phone[3] <= size[1] + 1
    assert len(found.boards) == 1
    assert is_inside(found.boards[0], found.window)
    assert height(found.window) > size[1] / 2
    assert all(letter >= LETTER for letter in found.labels)
    assert tab.said == []


@pytest.mark.parametrize("size", WALLS)
@pytest.mark.parametrize("game", GAMES)
def test_a_wall_shows_all_boards_whole(seen, game, size):
    tab = seen(game, size, table=True)
    found = measure(tab)
    assert len(found.boards) == (4 if game == "zombies" else 1)
    assert all(is_inside(board, (0, 0, *size)) for board in found.boards)
    assert found.across <= size[0]
    assert all(letter >= ON_THE_WALL for letter in found.labels)
    assert found.labels
    assert tab.locator("#record li.shown").is_visible()


@pytest.mark.parametrize("game", GAMES)
def test_every_target_is_big_enough_after_one_zoom(seen, game):
    """A tap on a small one makes the board grow there, and says nothing; the next one can be meant."""
    tab = seen(game, PHONES[0], played=20)
    if not measure(tab).targets:
        tab.locator("#live .chips button").first.tap()
        tab.locator("#board .tap").first.wait_for(state="attached")
    before = tab.locator("#live").inner_html()
    nodes = tab.locator("#board .tap")
    small = sorted(range(nodes.count()), key=lambda at: least_side(box_of(nodes.nth(at))))[:4]
    assert least_side(box_of(nodes.nth(small[0]))) < TARGET or game in ("manoover", "zombies")
    for at in small:
        if least_side(box_of(nodes.nth(at))) >= TARGET:
            continue
        tap_at(tab, box_of(nodes.nth(at)))
        assert least_side(box_of(nodes.nth(at))) >= TARGET
        assert is_inside(middle(box_of(nodes.nth(at))), measure(tab).window)
        assert tab.locator("#live").inner_html() == before
        tab.get_by_role("button", name="Whole board").tap()
        tab.wait_for_timeout(400)  # longer than two taps may be apart
    assert entries(tab) == len(tab.locator("#record li").all())


def box_of(node):
    found = node.bounding_box()
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def middle(box):
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x, y, x, y


def test_a_board_that_has_grown_stays_where_it_is_while_the_game_goes_on(seen):
    tab = seen("sheboygan", PHONES[0])
    tab.get_by_role("button", name="Bigger").tap()
    tab.evaluate("document.getElementById('window').scrollTo(120, 80)")
    before = entries(tab)
    tab.locator("#typing summary").tap()
    tab.get_by_label("A move in words").fill("end")
    tab.locator("#phone:not(:has([data-fresh]))").wait_for()
    tab.get_by_role("button", name="Say it").tap()
    tab.locator("#sure button.sure:not([data-fresh])").tap()
    tab.locator(f"#n{before}.shown").wait_for(state="attached")
    assert tab.locator("#window").evaluate("one => [one.scrollLeft, one.scrollTop]") == [120, 80]
    assert height(measure(tab).boards[0]) > 1.9 * height(measure(tab).window)


def test_two_fingers_make_it_grow_and_two_taps_too(seen):
    tab = seen("manoover", PHONES[0])
    window = measure(tab).window
    x, y = (window[0] + window[2]) / 2, (window[1] + window[3]) / 2
    fingers = tab.context.new_cdp_session(tab)

    def touch(kind, *apart):
        points = [{"x": x - one, "y": y, "id": number} for number, one in enumerate(apart)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40, -40)
    touch("touchMove", 60, -60)
    touch("touchMove", 100, -100)
    touch("touchEnd")
    assert height(measure(tab).boards[0]) > 2.2 * height(window)
    tab.get_by_role("button", name="Whole board").tap()
    assert height(measure(tab).boards[0]) <= height(window) + 1
    corner = window[0] + 5, window[3] - 5
    tab.touchscreen.tap(*corner)
    tab.touchscreen.tap(*corner)
    assert height(measure(tab).boards[0]) > 2.5 * height(window)


def test_a_phone_chooses_the_board_on_which_something_can_be_tapped(seen):
    tab = seen("zombies", PHONES[0], played=24)
    shown = tab.locator(".board:not([hidden])")
    assert shown.count() == 1
    if tab.locator("#board .tap").count():
        assert shown.locator(".tap").count()
    tab.locator("#boards button", has_text="Hospital").tap()
    assert tab.locator(".board:not([hidden]) svg").get_attribute("aria-label") == "Hospital"


def test_the_panel_can_be_hidden_and_opened_wide(seen):
    tab = seen("mutants", PHONES[0])
    whole = height(measure(tab).window)
    tab.get_by_role("button", name="Hide").tap()
    assert height(measure(tab).window) > whole + 60
    tab.locator("#phone:not(:has([data-fresh]))").wait_for()
    tab.get_by_role("button", name="Show").tap()
    assert height(measure(tab).window) == whole


def test_what_may_end_the_game_stands_apart(seen):
    """Neither first nor beside another word."""
    tab = seen("sheboygan", PHONES[0])
    resign = tab.locator("#live button", has_text="resign")
    end = tab.locator("#live button", has_text="end")
    assert resign.count() == 1
    assert box_of(resign.first)[1] >= box_of(end.first)[3]
