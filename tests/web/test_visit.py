"""Visits to the tab: what somebody drops, and what he is told."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from browsers import find_faults
from support import FIXTURES, ROOT
from visits import serving, visiting

from referee.cli.browser_entry import run_command
from referee.web.web_folder import make_file_list_script

SAMPLE = ROOT / "logs" / "sample-robot-attack.jsonl"
BAD = FIXTURES / "corrupt" / "dice-of-a-throw-changed.jsonl"
PAGE = ROOT / "logs" / "sample-robot-attack.html"

DONE = re.compile(r"^Judged|at once\.$")

DROP = """(files) => {
    const carried = new DataTransfer();
    for (const [name, size] of files) carried.items.add(new File([new Uint8Array(size)], name));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true}));
}"""

FOLDER = """async () => {
    const {dropped} = await import("./drop.js");
    const file = (fullPath) => ({isDirectory: false, fullPath, file: (found) => found(new File([], "x"))});
    const batches = [[file("/game.jsonl.files/a")], [file("/game.jsonl.files/b")], []];
    const folder = {isDirectory: true, createReader: () => ({readEntries: (found) => found(batches.shift())})};
    const items = [file("/game.jsonl"), folder].map((entry) => ({webkitGetAsEntry: () => entry}));
    return (await dropped({items, files: []})).map(({name}) => name);
}"""

IS_KEPT = "async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)"
"""Whether the files of a folder that was made anew are all there, and wait."""


SECRETIVE = (
    "new sheboygan --dice open --option scenario=learning -o s.jsonl",
    "record att=5 def=1 des=4 mov=3",
    "edge s",
)
"""A game whose monster has written two secrets, which stand in a vault beside it."""


def drop(tab, *paths):
    """Choose files; what is told of them in the end, and the verdicts."""
    clear(tab)
    tab.set_input_files("#files", list(paths))
    return told(tab)


def clear(tab):
    tab.set_input_files("#files", [])
    tab.evaluate("document.getElementById('status').textContent = ''")


def told(tab):
    tab.locator("#status").filter(has_text=DONE).wait_for(timeout=60_000)
    return tab.inner_text("#status"), [" ".join(one.split()) for one in tab.locator("article").all_inner_texts()]


def test_it_asks_nobody_else_for_anything_and_complains_of_nothing(tab):
    assert all(url.startswith(tab.address) for url in tab.asked)
    assert tab.said == []


def test_a_log_is_judged_in_the_words_of_the_program(tab):
    status, (verdict,) = drop(tab, SAMPLE)
    assert status == "Judged: 1 of 1 is as it should be."
    assert "CLEAN sample-robot-attack.jsonl" in verdict
    assert "Red wins: robots in the goals, red 3 and blue 0." in verdict


def test_a_bad_log_is_told_with_its_entry(tab):
    status, (verdict,) = drop(tab, BAD)
    assert status == "Judged: 0 of 1 are as it should be."
    assert "FAULT" in verdict
    assert tab.locator("article.bad").count() == 1
    assert tab.get_by_role("button", name="Replay").count() == 0


def test_a_log_with_plays_that_nobody_can_judge_is_clean_so_far(tab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in SECRETIVE:
        assert run_command(line.split()).code == 0, line
    status, _ = drop(tab, SAMPLE, tmp_path / "s.jsonl")
    assert status == "Judged: 1 of 2 are as it should be. 1 is clean so far: 2 plays cannot be judged yet."
    assert tab.locator("article.so-far").count() == 1
    assert tab.locator("article.good", has_text="CLEAN SO FAR").count() == 0


def test_a_page_is_judged(tab):
    assert "The page shows exactly this log" in drop(tab, PAGE)[1][0]


def test_a_match_is_judged_with_its_games(tab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_command(["match", "new", "manoover", "--dice", "open"]).code == 0
    status, verdicts = drop(tab, *sorted((tmp_path / "logs").iterdir()))
    assert status == "Judged: 2 of 2 are as it should be."
    assert len([one for one in verdicts if "Replay" in one]) == 1


def test_two_logs_of_one_game_are_compared(tab, tmp_path):
    other = tmp_path / "theirs.jsonl"
    other.write_bytes(b"".join(SAMPLE.read_bytes().splitlines(keepends=True)[:40]))
    _, (compared, *_) = drop(tab, SAMPLE, other)
    assert "Then one of them ends." in compared
    assert "VERDICT Both are valid." in compared


def test_a_mail_is_compared_with_the_log_that_it_goes_on_with(tab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_command(["new", "manoover", "--mail", "red", "--seats", "Anna,Bo"]).code == 0
    mail = tmp_path / "mail.txt"
    mail.write_text(run_command(["pack"]).out)
    status, (compared, verdict) = drop(tab, mail, *tmp_path.glob("logs/*.jsonl"))
    assert status == "Judged: 1 of 1 is as it should be."
    assert "Both have the same moves up to entry 2." in compared
    assert "red (Anna) has signed all" in verdict


def test_a_folder_is_dropped_with_all_that_is_in_it(tab):
    names = tab.evaluate(FOLDER)
    assert sorted(names) == ["game.jsonl", "game.jsonl.files/a", "game.jsonl.files/b"]


def test_a_game_is_told_again_as_a_page(tab):
    drop(tab, SAMPLE)
    tab.get_by_role("button", name="Replay").click()
    with tab.context.expect_page() as opened:
        tab.get_by_role("link", name="Look at the game").click()
    opened.value.locator("#verdict.good").wait_for()
    assert "75 hashes" in opened.value.inner_text("#checked")
    opened.value.close()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Save the page").click()
    assert download.value.suggested_filename == "sample-robot-attack.html"
    assert download.value.path().read_bytes() == PAGE.read_bytes()


def test_the_verdict_can_be_had_as_data(tab):
    drop(tab, SAMPLE)
    tab.get_by_role("button", name="As data").click()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Save the data").click()
    assert json.loads(download.value.path().read_text("utf-8"))["clean"]


def test_a_rule_is_looked_up(tab):
    tab.locator("#rules summary").click()
    tab.locator("#game option").nth(3).wait_for(state="attached", timeout=30_000)
    tab.get_by_label("Its number, or words in it").fill("goal.3")
    tab.get_by_role("button", name="Look up").click()
    tab.locator("#told p").nth(1).wait_for(timeout=30_000)
    assert tab.inner_text("#told").startswith("goal.3")
    tab.locator("#rules summary").click()


@pytest.mark.parametrize(
    ("files", "status", "verdict"),
    [
        ([("photo.jpg", 9)], "Judged: 0 of 1 are as it should be.", "This is not a log: its first line is"),
        ([("film.mp4", 50_000_000)], "Judged: 0 of 1 are as it should be.", "This has 50 MB, and is not read"),
        ([(f"{n}.jsonl", 1) for n in range(1000)], "1000 files are more than the 200", None),
        ([("letter.txt", 9)], "Judged: nothing.", "This is a mail. Drop it together with the log"),
        ([("-x.jsonl", 9)], "Judged: 0 of 1 are as it should be.", "This is not a log"),
    ],
    ids=["no log", "too big", "too many", "a mail", "a name like an option"],
)
def test_what_cannot_be_judged_is_told_in_a_sentence(tab, files, status, verdict):
    clear(tab)
    tab.evaluate(DROP, files)
    found, verdicts = told(tab)
    assert found.startswith(status)
    assert len(verdicts) == (verdict is not None)
    assert verdict is None or verdict in verdicts[0]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everybody_can_use_it(tab, colours):
    tab.emulate_media(color_scheme=colours)
    drop(tab, SAMPLE, BAD)
    assert not find_faults(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    sizes = tab.evaluate("[...document.querySelectorAll('article button')].map((one) => one.offsetHeight)")
    assert min(sizes) >= 44


def test_after_the_first_visit_no_network_is_needed(browser, folder):
    with serving(folder) as (address, stop), visiting(browser, address) as tab:
        stop()
        tab.context.set_offline(True)
        tab.reload()
        tab.locator("body[data-ready]").wait_for(timeout=60_000)
        assert "CLEAN" in drop(tab, SAMPLE)[1][0]


def made_anew(place):
    """The folder as a later program makes it: another page, and a list that says so."""
    page = place / "index.html"
    page.write_text(re.sub("<title>.*?</title>", "<title>Made anew</title>", page.read_text("utf-8")), "utf-8")
    found = {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    (place / "files.js").write_bytes(
        make_file_list_script({name: data for name, data in found.items() if name != "files.js"})
    )


def test_a_folder_that_was_made_anew_comes_once_no_tab_has_the_old_one(browser, folder, tmp_path):
    place = shutil.copytree(folder, tmp_path / "tab")
    with serving(place) as (address, _), visiting(browser, address) as tab:
        made_anew(place)
        tab.reload()
        tab.wait_for_function(IS_KEPT, timeout=60_000)
        assert tab.title() != "Made anew"
        tab.reload()
        assert tab.title() != "Made anew"
        tab.goto("about:blank")
        for waited in range(20):  # the browser takes its time to see that nobody has it open
            tab.wait_for_timeout(500 * waited)
            tab.goto(address)
            if tab.title() == "Made anew":
                break
            tab.goto("about:blank")
        assert tab.title() == "Made anew"
        tab.locator("body[data-ready]").wait_for(timeout=60_000)
        assert "CLEAN" in drop(tab, SAMPLE)[1][0]


def test_without_a_network_before_that_it_says_so(browser, folder, tmp_path):
    place = shutil.copytree(folder, tmp_path / "tab")
    shutil.rmtree(place / "pyodide")
    with serving(place) as (address, _), visiting(browser, address) as tab:
        assert tab.inner_text("#status").startswith("The judge could not be fetched. It takes a network once")


def test_a_file_that_is_not_the_one_that_was_made_is_not_taken(browser, folder, tmp_path):
    place = shutil.copytree(folder, tmp_path / "tab")
    (ours,) = place.glob("wheels/referee-*")
    ours.write_bytes(ours.read_bytes() + b"\n")
    with serving(place) as (address, _), visiting(browser, address) as tab:
        assert tab.inner_text("#status").startswith("The judge could not be fetched.")
