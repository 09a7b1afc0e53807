"""`referee log --as html`, and what comes of a page: judged, taken out, changed by somebody."""

import json
import re
from base64 import b64encode
from zlib import compress

import pytest

from referee.page import page_parsing as page_file
from referee.page.compression import ELEMENT_BEGINS, ELEMENT_ENDS, pack_element, unpack_page


@pytest.fixture
def page(cli, control, place):
    """The page of a short game."""
    for said in ("do 2 turn ne, 2 go", "note <b>&amp; hello", "do 6 go"):
        assert cli(*said.split()).code == 0
    answer = cli("log --as html -o game.html")
    assert answer.code == 0, answer.shown
    assert "the public view" in answer.out
    return place / "game.html"


def test_a_page_is_judged_with_its_log(cli, page):
    answer = cli("audit game.html")
    assert answer.code == 0, answer.shown
    assert answer.out.startswith("CLEAN")
    assert "every word and every board" in answer.out
    assert json.loads(cli("--json audit game.html").out)["page"] is None


def test_a_page_depends_on_log_seat_and_version_alone(cli, page, control, place):
    (place / "other").mkdir()
    (place / "other/name.jsonl").write_bytes(control.read_bytes())
    cli("-g other/name.jsonl replay -o again.html")
    assert (place / "again.html").read_bytes() == page.read_bytes()


def test_a_page_is_played_on(cli, page, control, place):
    assert "take out its log" in cli("use game.html").err
    answer = cli("use game.html -o again.jsonl")
    assert answer.code == 0, answer.shown
    assert (place / "again.jsonl").read_bytes() == control.read_bytes()
    assert cli("legal").code == 0
    assert cli("use game.html -o again.jsonl").code == 1


CHANGES = {
    "a word": ("Turn R2 to face NE", "Turn R2 to face NW", 1, "The words of entry 3 "),
    "the last board": ('data-key="piece R2"', 'data-key="piece R9"', 1, "boards of the page"),
    "what stays still": (">c3<", ">c9<", 1, "boards of the page"),
    "the script": ("if (found.fault)", "if (false)", 1, "page does not match its log"),
    "the head": ("<h1>", "<h1>Fake ", 1, "page does not match its log"),
    "the end": ("</html>", "</html><p>more", 1, "page does not match its log"),
    "the form": (f"&quot;form&quot;:{page_file.PAGE_FORM}", "&quot;form&quot;:1", 1, "another form"),
    "the version": ("&quot;version&quot;:&quot;0.1.0", "&quot;version&quot;:&quot;0.0.9", 1, "made it"),
    "whose it is": ("&quot;eyes&quot;:null", "&quot;eyes&quot;:&quot;red&quot;", 1, ""),
    "where it begins": ("&quot;first&quot;:0", "&quot;first&quot;:99", 1, "cannot tell"),
    "a byte of the log": ('"by":"red"', '"by":"rod"', 1, "entry 1"),
    "markup in the log": (page_file.LOG_BEGINS, page_file.LOG_BEGINS + "<b>", 3, "markup in its log"),
    "two logs": ("<main>", "<main>" + page_file.LOG_BEGINS, 3, "more than one log"),
    "no log": (page_file.LOG_BEGINS, "", 3, "no log"),
    "no settings": (page_file.SETTINGS_BEGINS, "", 3, "no line about itself"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_page_that_was_changed_is_named(cli, page, change):
    old, new, code, words = change
    text = page.read_text("utf-8")
    assert old in text
    page.write_text(text.replace(old, new, 1), "utf-8")
    answer = cli("audit game.html")
    assert answer.code == code, answer.shown
    assert words in " ".join(answer.out.split())


def test_a_page_of_which_entries_were_cut_says_how_many_are_left(cli, page, control):
    text = page.read_text("utf-8")
    entries = len(control.read_bytes().splitlines())
    cut = text.rindex("\n<li id=n")
    page.write_text(text[:cut] + text[text.index("\n", cut + 1) :], "utf-8")
    answer = cli("audit game.html")
    assert answer.code == 1, answer.shown
    assert f"The page shows {entries - 1} entries, and its log has {entries}." in " ".join(answer.out.split())


def test_a_changed_board_is_named(cli, page):
    text = unpack_page(page.read_text("utf-8"))
    parts = re.split(f'{re.escape(ELEMENT_BEGINS)}[a-z]+">(.*?){ELEMENT_ENDS}\n', text, flags=re.DOTALL)
    before, frames, _, steps, after = parts

    def written(frames, steps):
        both = f"{pack_element('frames', frames)}\n{pack_element('steps', steps)}\n"
        page.write_text(before + both + after, "utf-8")
        return cli("audit game.html")

    assert written(frames, steps).code == 0
    for old, new, words in (
        ('"gone":', '"gore":', "(entry "),
        ('"n":5,', '"n":6,', "(entry 5)"),
        ("]}", "]} ", "the page"),
    ):
        answer = written(frames.replace(old, new), steps)
        assert answer.code == 1, answer.shown
        assert words in " ".join(answer.out.split())
    assert written(frames, steps.replace("const PAUSE = 1400", "const PAUSE = 1401")).code == 1
    whole = page.read_text("utf-8")
    page.write_text(whole.replace("</script>", "AAAA</script>", 1), "utf-8")
    assert cli("audit game.html").code == 1, "no browser unpacks that"
    letters = b64encode(compress(frames.encode(), 1)).decode()
    page.write_text(
        f'{before}{ELEMENT_BEGINS}frames">{letters}{ELEMENT_ENDS}\n{pack_element("steps", steps)}\n{after}', "utf-8"
    )
    assert cli("audit game.html").code == 0, "another program may have compressed it"


@pytest.mark.parametrize("at", [20, 400, 2_000, 20_000, -2_000, -9])
def test_a_page_that_breaks_off(cli, page, at):
    page.write_bytes(page.read_bytes()[:at])
    answer = cli("audit game.html")
    assert answer.code in (1, 3), answer.shown
    assert "bug" not in answer.shown


def test_hostile_pages_are_no_bug(cli, page):
    text = page.read_text("utf-8")
    settings = re.search(rf'{re.escape(page_file.SETTINGS_BEGINS)}(.*?)">', text)[1]
    for hostile in ("[" * 100_000, "&quot;" * 9, "{}", "\x00", "&#xd800;", "9" * 5_000):
        page.write_text(text.replace(settings, hostile), "utf-8", errors="surrogatepass")
        for command in ("audit game.html", "use game.html -o x.jsonl"):
            answer = cli(command)
            assert answer.code in (1, 2, 3), answer.shown
            assert "bug" not in answer.shown
    page.write_bytes(b"<!doctype html>" + b"\xff" * 100)
    assert cli("audit game.html").code == 3
    page.write_bytes(b"<!doctype html>" + b" " * (page_file.MAX_PAGE_BYTES + 10))
    assert "more than 64 MB" in " ".join(cli("audit game.html").out.split())


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("log --from 3 -o part.html", 3, 7),
        ("log --to 3 -o part.html", 0, 3),
        ("log --from 2 --to 3 -o part.html", 2, 3),
        ("log --from 1 --since-mine --by blue -o part.html", 1, 7),
    ],
)
def test_a_part_of_the_game(cli, page, place, words, first, last):
    answer = cli(words)
    assert answer.code == 0, answer.shown
    text = (place / "part.html").read_text("utf-8")
    assert [int(n) for n in re.findall(r"<li id=n(\d+)>", text)] == [*range(first, last + 1)]
    assert cli("audit part.html").code == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("log --as html", "-o game.html"),
        ("log --as pdf", "--as takes"),
        ("log -o game.png --as text", ".html"),
        ("log --as html -o game.json", "end in .html"),
        ("log --since-mine", "Name your seat"),
        ("log --since-mine --by red -o new.html", "Nothing has happened since"),
        ("log --step --as json", "--step works only with --as text"),
        ("log -o game.html", "there is a file"),
    ],
)
def test_what_cannot_be_meant(cli, page, words, why):
    answer = cli(words)
    assert answer.code in (1, 2)
    assert why in answer.shown or answer.code == 1


@pytest.fixture
def own_page(cli, ambush, place):
    """The page of a game on an island of the players' own, too big for a line of the log."""
    island = {"name": "x" * 17_000 + " <b>&", "coves": ["bay", "rock"], "reconstruction": None}
    (place / "ours.json").write_text(json.dumps(island))
    assert cli("new ambush --dice table --own board=ours.json -o own.jsonl").code == 0
    answer = cli("log -o game.html")
    assert answer.code == 0, answer.shown
    return place / "game.html"


def test_a_page_carries_the_files_beside_the_log(cli, own_page, place):
    answer = cli("audit game.html")
    assert answer.code == 0, answer.shown
    assert "every word and every board" in answer.out
    assert cli("use game.html -o again.jsonl").code == 0
    (file,) = (place / "own.jsonl.files").iterdir()
    assert (place / "again.jsonl.files" / file.name).read_bytes() == file.read_bytes()
    assert (place / "again.jsonl").read_bytes() == (place / "own.jsonl").read_bytes()
    assert cli("-g again.jsonl replay -o again.html").code == 0
    assert (place / "again.html").read_bytes() == own_page.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("xxx &lt;b&gt;&amp;", "xxy &lt;b&gt;&amp;", 1),
        (page_file.FILE_BEGINS, "<pre>", 1),
        (page_file.FILE_BEGINS, page_file.FILE_BEGINS + "<b>", 3),
        (page_file.FILE_BEGINS, f"{page_file.FILE_BEGINS}{{}}</pre>{page_file.FILE_BEGINS}", 1),
    ],
    ids=["changed", "gone", "markup", "another"],
)
def test_a_changed_file_in_a_page_is_named(cli, own_page, old, new, code):
    text = own_page.read_text("utf-8")
    assert text.count(old) == 1
    own_page.write_text(text.replace(old, new), "utf-8")
    answer = cli("audit game.html")
    assert answer.code == code, answer.shown
    assert answer.out.startswith("FAULT")


def test_frames_for_others_who_draw(cli, page, place):
    frames = json.loads(cli("log --as json").out)
    assert [frame["n"] for frame in frames["frames"]] == [*range(8)]
    first = frames["frames"][0]
    assert {key for _, key, _ in first["drawn"]} >= {"place b3", "name b3", "piece B1", "piece R1"}
    assert first["heading"] == "Turn 1: red (Anna) to move"
    assert all(len(part) == 3 for part in frames["shared"])
    assert cli("log -o frames.json").code == 0
    assert json.loads((place / "frames.json").read_text()) == frames
