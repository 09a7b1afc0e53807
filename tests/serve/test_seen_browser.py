"""Phones and walls as witnesses: what a browser saw of a log tells later if the log was cut or written anew."""

from __future__ import annotations

import numpy
import pytest
import zxingcpp
from calling import called
from forging import rewrite
from rooms import add, last

from referee.record.archive.witness import PHONE_FILE_START
from referee.record.table.opening_logs import open_log
from referee.record.table.undo_redo import undo

PIXELS = """() => {
  const code = document.getElementById("code"), box = code.getBoundingClientRect();
  const [width, height] = [Math.round(box.width), Math.round(box.height)];
  const canvas = Object.assign(document.createElement("canvas"), { width, height }), pen = canvas.getContext("2d");
  pen.drawImage(code, 0, 0, width, height);
  return [width, height, [...pen.getImageData(0, 0, width, height).data].filter((_, at) => at % 4 === 0)];
}"""
"""The code as big as it is on the screen: width, height and the red of its pixels."""


def scanned(tab):
    """The text of the code on a screen, read by a decoder that is not ours."""
    tab.wait_for_function("() => document.getElementById('code').naturalWidth")
    width, height, grey = tab.evaluate(PIXELS)
    picture = numpy.array(grey, dtype=numpy.uint8).reshape(height, width)
    (found,) = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


def saved(tab, path):
    """The file that a phone hands over."""
    tab.evaluate("() => { document.getElementById('keep').open = true; }")
    with tab.expect_download() as download:
        tab.click("#save")
    download.value.save_as(path)
    return path


def audit(log, *witnesses):
    given = [word for one in witnesses for word in ("--witness", str(one))]
    answer = called(["audit", str(log), *given])
    return answer.code, " ".join(answer.out.decode().split())


def see(here, *tabs):
    for line in here.later:
        add(here.log, line)
    for tab in tabs:
        tab.locator(f"#n{last(here)}.shown").wait_for(state="attached")


def forged(log, n, change):
    return rewrite(log, log.with_name("anew.jsonl"), n, change)


def test_a_wall_is_photographed(table, tab_at):
    here = table()
    tab = tab_at(here.url())
    see(here, tab)
    assert not any("/code" in url for url in tab.asked), "nobody has asked for it"
    tab.click("#keep summary")
    words = tab.inner_text("#witness").split(" ")[0]
    tab.wait_for_function("n => document.getElementById('code').src.endsWith(`after=${n}`)", arg=words)
    code, told = audit(here.log, scanned(tab))
    assert code == 0
    assert f"saw the whole of this log, up to entry {last(here)}." in told
    assert tab.said == []


def test_at_the_end_of_an_evening_the_wall_shows_the_code(table, tab_at):
    here = table(later=None)
    tab = tab_at(here.url())
    assert not tab.locator("#code").is_visible()
    see(here, tab)
    tab.locator("#code").wait_for()
    assert audit(here.log, scanned(tab))[0] == 0
    assert tab_at(here.url()).locator("#code").is_visible(), "whoever comes later sees it, too"


def test_three_phones_saw_the_log_and_nobody_what_follows(table, tab_at, tmp_path):
    here = table()
    wall, *phones = [tab_at(here.url(eyes)) for eyes in (None, "red", "blue")]
    upto = last(here) + 3
    rest, here.later = here.later[3:], here.later[:3]
    see(here, wall, *phones)
    files = [saved(tab, tmp_path / f"{n}.txt") for n, tab in enumerate((wall, *phones))]
    assert files[0].read_text("utf-8").startswith(PHONE_FILE_START)
    add(here.log, *rest)
    code, told = audit(here.log, *files)
    assert code == 0
    assert f"This is the log that 3 phones saw, up to entry {upto}." in told
    assert f"No witness has seen what follows entry {upto}: {len(rest)} entries." in told


CHEATS = {
    "other names": (0, lambda entry: entry["seats"][0].update(name="Zoe")),
    "another option": (0, lambda entry: entry["options"].update({"goal-cells": "third"})),
    "another time": (-1, lambda entry: entry.update(at="2020-01-01T00:00:00Z")),
    "an agreement": (-1, lambda entry: entry.update(agreed=["red"])),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_log_that_was_written_anew_is_told_by_one_phone(table, tab_at, tmp_path, cheat):
    here = table()
    tab = tab_at(here.url("red"))
    see(here, tab)
    undo(open_log(here.log), 1, agreed=("red", "blue"))
    tab.wait_for_function("words => document.getElementById('witness').textContent.startsWith(words)", arg=last(here))
    file = saved(tab, tmp_path / "phone.txt")
    back, change = CHEATS[cheat]
    n = back % (last(here) + 1)
    code, told = audit(forged(here.log, n, change), file)
    assert code
    first = n if n == 0 else max(n, int(file.read_text("utf-8").split("\n")[3]) - 1)
    assert f"saw another log: entry {first} is not the one that it saw." in told


@pytest.mark.parametrize("left_out", [1, 4])
def test_a_log_that_was_cut_is_told_by_one_phone(table, tab_at, tmp_path, left_out):
    here = table()
    tab = tab_at(here.url("red"))
    see(here, tab)
    file = saved(tab, tmp_path / "phone.txt")
    seen = last(here)
    here.log.write_bytes(b"".join(here.log.read_bytes().splitlines(keepends=True)[:-left_out]))
    code, told = audit(here.log, file)
    assert code
    assert f"saw entry {seen}, but this log ends with entry {seen - left_out}: its end is missing." in told


def test_a_phone_says_at_once_that_the_log_was_written_anew(table, tab_at, tmp_path):
    here = table()
    tab = tab_at(here.url("red"))
    see(here, tab)
    n = last(here) - 1
    here.log.write_bytes(forged(here.log, n, lambda entry: entry.update(at="2020-01-01T00:00:00Z")).read_bytes())
    tab.locator("#other").wait_for()
    assert f"entry {n} was another one" in tab.inner_text("#other")
    code, told = audit(here.log, saved(tab, tmp_path / "phone.txt"))
    assert code
    assert f"but also another one: it saw two versions of entry {n}" in told


def test_a_phone_says_at_once_that_the_end_is_missing(table, tab_at):
    here = table()
    tab = tab_at(here.url("red"))
    see(here, tab)
    seen = last(here)
    here.log.write_bytes(b"".join(here.log.read_bytes().splitlines(keepends=True)[:-2]))
    tab.locator("#other").wait_for()
    assert f"This phone saw entry {seen}, but the log ends with entry {seen - 2}." in tab.inner_text("#other")


def test_where_nothing_can_be_stored_the_open_page_remembers(table, tab_at, browser, tmp_path):
    here = table()
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })")
    tab = context.new_page()
    tab.goto(here.url("red"))
    tab.locator("#line.on").wait_for()
    see(here, tab)
    assert audit(here.log, saved(tab, tmp_path / "phone.txt"))[0] == 0
    context.close()
