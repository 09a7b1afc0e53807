"""The page of a link in a real browser: live, asleep, withdrawn, in every dress."""

from __future__ import annotations

from browsers import find_faults_in_views
from rooms import add, last

from referee.record.archive.witness import WitnessedEntries, compare_with_witness, find_hashes_in_words
from referee.record.table.opening_logs import open_log
from referee.record.table.undo_redo import undo
from referee.serve import app


def drawn(tab):
    """The parts of the boards as they stand there."""
    script = """() => [...document.querySelectorAll("svg.page [data-layer]")].map((layer) =>
      [...layer.children].map((part) => part.outerHTML.replace(/ data-key="[^"]*"/, "")).sort())"""
    return tab.evaluate(script)


def test_an_entry_appears_and_the_board_is_that_of_a_page_made_later(table, tab_at, game):
    here = table(game)
    tab = tab_at(here.url())
    assert len(tab.asked) == 2
    for line in here.later:
        add(here.log, line)
        tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")
    fresh = tab_at(here.url())
    assert drawn(tab) == drawn(fresh)
    for part in ("#heading", "#status", "#said", "#beside", "#record", "#witness"):
        assert " ".join(tab.inner_text(part).split()) == " ".join(fresh.inner_text(part).split())
    assert tab.locator("svg.page").first.get_attribute("viewBox") == fresh.locator("svg.page").first.get_attribute(
        "viewBox"
    )
    assert tab.said == fresh.said == []


def test_every_screen_is_a_witness_of_the_log(table, tab_at):
    """What was written down from it stands in the log, and not in one that was written anew."""
    here = table()
    tab = tab_at(here.url("red"))
    add(here.log, here.later[0])
    tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")
    seen = tab.inner_text("#witness")
    hashes = [open_log(here.log).hash_at(n) for n in range(last(here) + 1)]
    assert compare_with_witness("a phone", hashes, WitnessedEntries("note", find_hashes_in_words(seen, hashes))).agrees
    forged = [*hashes[:-1], "0" * 64]
    assert compare_with_witness(
        "a phone", forged, WitnessedEntries("note", find_hashes_in_words(seen, forged))
    ).apart == last(here)


def test_who_looks_at_something_earlier_is_not_torn_away(table, tab_at):
    here = table()
    tab = tab_at(here.url())
    tab.keyboard.press("Home")
    shown = tab.get_attribute("li.shown", "id")
    add(here.log, *here.later[:2])
    tab.locator(f"#n{last(here)}").wait_for(state="attached")
    assert tab.get_attribute("li.shown", "id") == shown
    tab.click("#news")
    assert tab.get_attribute("li.shown", "id") == f"n{last(here)}"
    assert not tab.locator("#news").is_visible()


def test_a_viewer_whose_line_was_cut_sees_the_same_board(table, tab_at):
    here = table()
    tab = tab_at(here.url())
    here.cut_lines()
    add(here.log, *here.later)
    tab.locator("#line.off").wait_for()
    tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")
    assert drawn(tab) == drawn(tab_at(here.url()))


def test_a_viewer_that_slept_asks_again(table, tab_at, monkeypatch):
    """His line may be long dead, and nobody has told him: he has heard no beat."""
    monkeypatch.setattr(app, "BEAT_SECONDS", 1000)
    here = table()
    tab = tab_at(here.url(), clock=True)
    lines = lambda: sum("/events" in url for url in tab.asked)  # noqa: E731
    tab.clock.fast_forward(20_000)
    assert lines() == 1
    with tab.expect_request(lambda request: "/events" in request.url):
        tab.clock.fast_forward(40_000)
    add(here.log, *here.later)
    tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")


def test_a_takeback_is_struck_out(table, tab_at):
    here = table(later=0)
    tab = tab_at(here.url())
    session = open_log(here.log)
    undo(session, 1, agreed=session.reducer.seats)
    tab.locator("li.taken").first.wait_for(state="attached")
    assert tab.locator("li.taken").count() >= 1


def test_a_rewritten_log_is_loaded_again(table, tab_at):
    here = table()
    before = here.log.read_bytes()
    add(here.log, *here.later)
    tab = tab_at(here.url())
    gone = last(here)
    here.log.write_bytes(before)
    tab.locator(f"#n{gone}").wait_for(state="detached")
    tab.locator("#line.on").wait_for()
    assert tab.get_attribute("li.shown", "id") == f"n{last(here)}"


def test_a_broken_log_is_told_and_goes_on_once_it_is_mended(table, tab_at):
    here = table()
    tab, whole = tab_at(here.url()), here.log.read_bytes()
    here.log.write_bytes(whole[:-40] + b"x" * 39 + b"\n")
    tab.locator("#notice:not([hidden])").wait_for()
    assert "cannot be read" in tab.inner_text("#notice")
    here.log.write_bytes(whole)
    tab.locator("#notice").wait_for(state="hidden")
    add(here.log, here.later[0])
    tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")


def test_a_withdrawn_link_says_so(table, tab_at):
    here = table()
    tab, other = tab_at(here.url("red")), tab_at(here.url("blue"))
    here.renew("red")
    tab.locator("#line.off").wait_for()
    assert "withdrawn" in tab.inner_text("#line")
    assert other.inner_text("#line") == "Live"


def test_a_phone_speaks_for_its_seat(table, tab_at):
    here = table(play=True)
    session = open_log(here.log)
    tab = tab_at(here.url(session.moment().to_act), viewport={"width": 360, "height": 640}, has_touch=True)
    assert tab.locator("#phone").is_visible()
    assert tab_at(here.url()).locator("#phone").count() == 0


def test_without_script_the_game_can_be_read(table, tab_at, game):
    here = table(game)
    tab = tab_at(here.url(), java_script_enabled=False)
    assert f"{last(here)}" in tab.inner_text("#record")
    assert tab.locator("svg.page").count() >= 1
    assert "without script" in tab.inner_text("#line")


def test_everybody_can_use_it(table, tab_at, game):
    here = table(game)
    tab = tab_at(here.url())
    add(here.log, here.later[0][:30])
    tab.locator("#notice:not([hidden])").wait_for()
    assert not list(find_faults_in_views(tab))
