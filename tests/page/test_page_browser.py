"""Pages in a real browser: read, stepped through, checked, printed, by everybody."""

from __future__ import annotations

import random
import re
from html import escape, unescape
from itertools import groupby

import pytest
from browsers import find_faults, find_faults_in_views
from drawn_boards import LISTED, as_listed, leaves, spelt
from msgspec.structs import replace
from shipped_pages import story, written

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.page.frames import draw_steps
from referee.page.page_assets import load_script
from referee.page.page_parsing import FILE_BEGINS, LOG_BEGINS, LOG_ENDS
from referee.record.log.game_files import MAX_INLINE_BYTES
from referee.record.table.opening_logs import open_log, start
from referee.record.table.seat_view import SeatView
from referee.show.drawing import group_by_layer as layers_of

MOST, TIMES = 600_000, 3
"""Bytes that a page may have, and how many times as long as its log it may be."""


SHOWN = 30
"""Entries that axe looks at."""


def test_a_page_asks_for_nothing_and_complains_of_nothing(visit, game):
    tab = visit(written(game))
    assert (len(tab.asked), tab.said) == (1, [])
    assert len(written(game).encode()) <= min(MOST, TIMES * len(story(game).log))


def test_everything_in_it_is_checked(visit, game):
    tab = visit(written(game))
    assert tab.get_attribute("#verdict", "class") == "good"
    assert f"{len(story(game).steps)} hashes" in tab.inner_text("#checked")
    thrown = sum(line.count('"origin":') for line in story(game).log.splitlines())
    told = " ".join(tab.locator("#proved").text_content().split())
    assert sum(map(int, re.findall(r"(\d+) rolls?\b", told))) + told.count("lots") >= bool(thrown)
    if game == "mail":
        assert "18 signatures" in tab.inner_text("#checked")
    if game == "mutants":
        assert "of real dice cannot be" in tab.inner_text("#checked")


def test_everybody_can_use_it(visit, game):
    """In all sizes and colours. A board is one picture with a name, and so axe is not led into it; and entry is like
    entry, and so it is shown the last ones.
    """
    last = replace(story(game), steps=story(game).steps[-SHOWN:], is_whole=False)
    tab = visit(render_page(last), reduced_motion="reduce")
    tab.keyboard.press("ArrowLeft")
    assert not list(find_faults_in_views(tab, "svg.page > g", "#log"))


def test_everybody_can_use_it_after_every_press(visit, game):
    """The big board scrolls by keys, and all that opens lies in a landmark."""
    last = replace(story(game), steps=story(game).steps[-SHOWN:], is_whole=False)
    tab = visit(render_page(last), reduced_motion="reduce")
    tab.locator("#bigger").click()
    tab.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert not find_faults(tab, "svg.page > g", "#log")


def test_without_script_every_entry_and_the_last_board_can_be_read(visit, game):
    tab = visit(written(game), java_script_enabled=False)
    words = " ".join(tab.locator("#record").text_content().split())
    for step in story(game).steps:
        assert " ".join(step.entry_text.split()) in words
        assert all(" ".join(line.split()) in words for line in step.event_texts)
    assert tab.locator("svg.page").count() == len(story(game).steps[-1].scene.pages)
    assert not tab.locator("#controls").is_visible()


@pytest.mark.parametrize("reduced", ["reduce", "no-preference"])
def test_each_board_is_the_one_that_was_drawn(visit, game, reduced):
    """The browser exchanges parts, and has what Python draws, whichever way somebody goes."""
    tab, steps = visit(written(game), reduced_motion=reduced), list(draw_steps(story(game).steps))
    ways = [len(steps) - 1, 0, 1, len(steps) // 2, len(steps) // 3, *random.Random(3).sample(range(len(steps)), 4)]
    for index in ways:
        step, drawn = steps[index]
        tab.evaluate(f"location.hash = '#n={step.n}'")
        tab.locator(f"#n{step.n}.shown").wait_for(state="attached")
        layers = [[leaf for part in layer for leaf in leaves(part)] for layer in tab.evaluate(LISTED) if layer]
        expected = []
        for board in drawn.boards:
            boards = (layer.inside for layer in layers_of(board) if layer.inside)
            expected += [[leaf for part in inside for leaf in leaves(as_listed(part))] for inside in boards]
        assert sorted(map(spelt, layers)) == sorted(map(spelt, expected)), f"entry {step.n}"
        assert tab.inner_text("#heading") == step.scene.heading
        if reduced == "reduce":
            assert not tab.evaluate("document.getAnimations().length")


def test_keys_buttons_fingers_and_links(visit):
    tab = visit(written("manoover"), "#n=5", has_touch=True, viewport={"width": 360, "height": 640})
    shown = lambda: tab.get_attribute("li.shown", "id")  # noqa: E731
    assert shown() == "n5"
    for key, entry in (("ArrowRight", "n6"), ("ArrowLeft", "n5"), ("Home", "n0"), ("ArrowLeft", "n0")):
        tab.keyboard.press(key)
        assert shown() == entry
    tab.keyboard.press("PageDown")
    assert tab.evaluate("location.hash") == f"#n={shown()[1:]}"
    assert tab.evaluate("document.querySelector('li.shown').closest('.part').querySelector('li').id") == shown()
    tab.keyboard.press("End")
    assert shown() == f"n{story('manoover').steps[-1].n}"
    assert tab.locator("#last").is_disabled()
    tab.click("#first")
    tab.click("#entry-on")
    assert shown() == "n1"
    tab.click("#n7 a")
    tab.locator("#n7.shown").wait_for(state="attached")
    swipe = """(across) => {
      const target = document.getElementById("board");
      const touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 100 });
      target.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(200)], changedTouches: [touch(200)] }));
      target.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(200 + across)] }));
    }"""
    tab.evaluate(swipe, -120)
    assert shown() == "n8"
    tab.evaluate(swipe, 120)
    assert shown() == "n7"
    tab.fill("#slider", "3")
    assert shown() == "n3"
    assert story("manoover").steps[3].entry_text.split("  ")[0] in tab.inner_text("#said")


def test_pieces_glide_and_playing_stops_at_the_end(visit):
    tab = visit(written("manoover"), "#n=0")
    glided = False
    for _ in range(12):
        tab.keyboard.press("ArrowRight")
        glided = glided or tab.evaluate("document.getAnimations().length > 0")
    assert glided
    tab.keyboard.press("End")
    tab.click("#play")
    tab.locator("#play", has_text="Play").wait_for()


def test_on_paper_a_turn_has_its_board_of_its_own(visit, game):
    """A long game has that of every second or third turn, and fills at most twenty sheets."""
    tab = visit(written(game))
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    parts = len(list(groupby(step.headline for step in story(game).steps)))
    boards = tab.locator("figure.printed").count()
    assert boards == parts or (parts > 16 and 8 <= boards <= 16)
    assert tab.locator("#record .part").last.locator("figure.printed").count() == 1
    assert not tab.locator("#table").is_visible()
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not tab.locator("figure.printed").count()
    assert 2 <= len(re.findall(rb"/Type /Page\b", tab.pdf(format="A4"))) <= 20


def with_log(game, log):
    """A page that carries another log than its own."""
    before, rest = written(game).split(LOG_BEGINS)
    return before + LOG_BEGINS + escape(log, quote=False) + LOG_ENDS + rest.partition(LOG_ENDS)[2]


def test_a_changed_byte_is_named_with_its_entry(visit):
    lines = story("manoover").log.splitlines(keepends=True)
    lines[9] = lines[9].replace('"by":"red"', '"by":"Red"').replace('"by":"blue"', '"by":"Blue"')
    tab = visit(with_log("manoover", "".join(lines)))
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert "Entry 9 was changed" in tab.inner_text("#checked")
    assert "bad" in tab.get_attribute("#n9", "class")


def test_a_page_whose_log_was_cut_short_says_that_text_and_log_differ_in_length(visit, game):
    lines = story(game).log.splitlines(keepends=True)
    tab = visit(with_log(game, "".join(lines[:-2])))
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert f"the page tells {len(lines)} entries, its log has {len(lines) - 2}." in tab.inner_text("#checked")


def test_files_of_the_players_are_checked_with_the_log(visit, ambush, tmp_path):
    island = {"name": "x" * MAX_INLINE_BYTES, "coves": ["bay", "rock"], "reconstruction": None}
    start("ambush", tmp_path / "own.jsonl", own={"board": island})
    page = render_page(make_story(SeatView(open_log(tmp_path / "own.jsonl"))))
    assert visit(page).get_attribute("#verdict", "class") == "good"
    before, rest = page.split(FILE_BEGINS)
    changed = visit(before + FILE_BEGINS + rest.replace("xx", "xy", 1))
    assert changed.get_attribute("#verdict", "class") == "bad"
    assert "Entry 0 was changed or is no entry: a file of the players" in changed.inner_text("#checked")


def test_every_bit_that_is_flipped_is_named(visit, game):
    """One bit of every entry, or of as many as a minute allows, wherever it falls."""
    rng, log = random.Random(11), story(game).log
    lines = log.splitlines(keepends=True)
    flipped = []
    for n in rng.sample(range(len(lines)), min(12, len(lines))):
        at = rng.randrange(len(lines[n]) - 1)
        other = chr(ord(lines[n][at]) ^ (1 << rng.randrange(7)))
        flipped.append((n, "".join([*lines[:n], lines[n][:at] + other + lines[n][at + 1 :], *lines[n + 1 :]])))
    tab = visit(written("manoover"))
    check = load_script("check.js").replace("})();", "return Promise.all(logs.map((log) => proof(log))); })();")
    proofs = tab.evaluate(f"(logs) => {{ return {check} }}", [log for _, log in flipped])
    for (n, _), proof in zip(flipped, proofs, strict=True):
        assert proof["fault"] is not None
        assert proof["fault"]["n"] in (n, n + 1)


def next_face(found):
    return f"{found[1]}{1 + int(found[2]) % 6}"


def test_a_throw_that_never_was_is_named_though_every_hash_fits(visit, game):
    """Somebody who writes the log anew from a throw on needs other dice than the seed or all together give."""
    from hashlib import sha256

    if game == "mutants":
        pytest.skip("real dice prove nothing")
    lines, prev, changed = [], "", None
    for line in story(game).log.splitlines():
        body = line[line.index('"entry":') + len('"entry":') : -1]
        if prev:
            body = re.sub(r'"prev":"[0-9a-f]{64}"', f'"prev":"{prev}"', body)
        if changed is None:
            other = re.sub(r'("rolls":\[\{[^]]*\],"faces":\[)(\d+)', next_face, body, count=1)
            changed = len(lines) if other != body and '"secret":null' in body else None
            body = other if changed is not None else body
        prev = sha256(b"referee/1\n" + body.encode()).hexdigest()
        lines.append(f'{{"hash":"{prev}","entry":{body}}}\n')
    tab = visit(with_log(game, "".join(lines)))
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert int(re.search(r"Entry (\d+)", tab.inner_text("#checked"))[1]) <= changed + 0 or game == "mail"


NASTY = """</script><img src=x onerror="document.title='owned'"><pre id="log">"""


def test_markup_in_names_and_notes_is_text(visit):
    told = story("manoover")
    steps = tuple(replace(step, entry_text=NASTY, event_texts=(NASTY,), headline=NASTY) for step in told.steps[:3])
    last = replace(steps[-1], scene=replace(steps[-1].scene, heading=NASTY, title=NASTY, beside=(NASTY,)))
    tab = visit(render_page(replace(told, title=NASTY, players=(NASTY,), steps=(*steps[:-1], last))))
    assert tab.locator("img").count() == 0
    assert tab.locator("pre").count() == 1
    assert tab.locator("h1").text_content() == NASTY
    assert tab.inner_text("#heading") == NASTY
    tab.keyboard.press("Home")
    assert tab.locator("img").count() == 0
    assert unescape(escape(NASTY)) in tab.inner_text("#said")


def test_a_browser_without_webcrypto_says_so(browser, tmp_path):
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(crypto, 'subtle', {value: undefined})")
    tab = context.new_page()
    (tmp_path / "game.html").write_text(written("manoover"), "utf-8")
    tab.goto(f"file://{tmp_path}/game.html")
    tab.locator("#verdict[class]").wait_for()
    assert "no WebCrypto" in tab.inner_text("#checked")
    context.close()
