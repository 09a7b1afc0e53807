"""`referee show`: pictures in files, levels alone, and what fits the terminal."""

import json

import pytest
from support import FIXTURES

terminal = pytest.importorskip("terminal", reason="needs pseudo-terminals", exc_type=ImportError)


@pytest.fixture
def versus(place):
    """The middle of a game on several levels."""
    log = place / "versus.jsonl"
    log.write_bytes(b"".join((FIXTURES / "zombies/games/versus.jsonl").read_bytes().splitlines(True)[:60]))
    return log


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("show -o board.svg", "<svg "),
        ("show -o board.SVG --as svg", "<svg "),
        ("show -o board.txt", "  "),
        ("show -o words.txt --as words", "Turn 1: red (Anna) to move.\nDice "),
        ("show -o now.json", '{\n  "beside"'),
        ("show -o now.json --as position", '{\n  "captured"'),
        ("show -o now.toml", 'turn = "red"'),
        ("show -o board --as svg", "<svg "),
    ],
)
def test_a_file_is_written_as_its_name_says(cli, control, place, words, begins):
    answer = cli(words)
    assert answer.code == 0, answer.shown
    assert (place / words.split()[2]).read_text("utf-8").startswith(begins)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("show -o board.png", "A board cannot be a .png file; use a name that ends in .txt, .svg, .json or .toml"),
        ("show -o board.html --as svg", "cannot be a .html file"),
        ("show -o board.txt --as svg", "A board as svg cannot be a .txt file; use a name that ends in .svg"),
        ("show -o board.svg --as words", "use a name that ends in .txt"),
    ],
)
def test_a_form_that_a_name_does_not_fit_is_refused(cli, control, place, words, why):
    answer = cli(words)
    assert answer.code == 2
    assert why in answer.err
    assert not (place / words.split()[2]).exists()


def test_a_drawing_says_whose_turn_it_is_and_what_was_moved_last(cli, control):
    before = cli("show --as svg").out
    assert ">Turn 1: red (Anna) to move<" in before
    assert cli("do 2 turn ne, 2 go").code == 0
    scene = json.loads(cli("show --as json").out)
    assert cli("--json show --as json").facts["scene"] == scene
    (page,) = scene["pages"]
    assert page["trails"] == [{"start": page["trails"][0]["start"], "end": page["trails"][0]["end"]}]
    assert page["trails"][0]["start"] != page["trails"][0]["end"]
    assert "#c2185b" in cli("show --as svg").out


def test_a_level_alone(cli, versus):
    for words in ("-g versus.jsonl show street", "-g versus.jsonl show --page street", "-g versus.jsonl show stre"):
        shown = cli(words).out
        assert "\nStreet\n" in shown
        assert "\nAsylum\n" not in shown
        assert "show asylum" in shown
    assert "\nAsylum\n" in cli("-g versus.jsonl show all").out
    assert cli("-g versus.jsonl show nowhere").code == 2


def test_in_a_session_the_level_where_something_happens(cli, versus):
    shown = cli("-g versus.jsonl play", stdin=b"show\n").out
    assert sum(f"\n{level}\n" in shown for level in ("Street", "Asylum", "Warehouse", "Hospital")) == 1


def test_the_small_drawing_where_the_big_one_is_too_high(cli, place):
    (place / "mutants.jsonl").write_bytes((FIXTURES / "mutants/games/basic.jsonl").read_bytes())
    for lines, wide in ((24, False), (60, True)):
        with terminal.Terminal("-g", "mutants.jsonl", "play", columns=80, lines=lines) as table:
            table.wait("game over")
            assert ("┼" in "\n".join(table.lines)) == wide
            table.type("\x04")
            table.left()


@pytest.mark.parametrize(
    ("game", "rows", "is_shown"), [("zombies", 24, False), ("zombies", 200, True), ("manoover", 24, True)]
)
def test_a_new_game_shows_its_board_where_there_is_room(cli, monkeypatch, game, rows, is_shown):
    """Else it would push away what stands above: which log was made, and whose move it is."""
    monkeypatch.setattr("referee.cli.context.count_terminal_rows", lambda: rows)
    told = cli(f"new {game}").out
    assert told.startswith("New game in ")
    assert ("reconstruction" in told) == is_shown
    assert ("The board is too tall for this window. To see it: referee show" in told) != is_shown
    assert len(told.splitlines()) < rows


MARCH = """
phase = "action"
turn = "red"
turns = 4
order = ["red"]
recent = ["LUI"]

[[agenda]]
task = "bite"
attacks = [["Wg2", "LUI"]]
token = true
by = "LUI"

[[agenda]]
task = "march"
groups = [["Wg2", "Wf3", "Wg3"]]
by = "LUI"

[players.LUI]
at = "Wh1"
seat = "red"
health = 7
ability = "signal-flares"

[zombies]
l1 = "Sb9 Sc9 Sd9 Sq9 Sr9 Ss9 Sb10 Sq10 Sr10 Ss10 Ad8 Wg2 Wf3 Wg3 Wd8 We8 Wd9 We9 Wf9"
l2 = "Sh4 Si4 Sj4 Sk4 Sl4 Hf5 Hf6 Hg6 Hf7 Hg7 Hf9 Hf10 Hg10 Hg11"
l3 = "Ha1 Hb1 Hk1 Hl1 Ha2 Hb2 Hk2"

[used]
Wg2 = "blank"

[options]
break-away-stop = "none"
heal-amount = "one"
helipad = "street"
hero-attacks-hero = "never"
infected-sides = "yes"
mode = "solo"
mutation-end = "last-hero-leaves"
players = "1"
start = "same"
stealth-rescue = "yes"
stealth-vs-zombie-hero = "no-effect"
stop-at-zombie = "no"
three-sides = "zombies-only"
zhero-loot = "any-hero"
zombie-horde-sight = "no"
zombie-step-choice = "long-axis"
"""
"""A position with a value that is missing inside a list: the target of the march."""


def test_a_position_with_something_missing_inside_a_list_is_a_file_that_begins_the_same(cli, place):
    (place / "march.toml").write_text(MARCH)
    assert cli("new zombies --from march.toml -o first.jsonl").code == 0
    shown = cli("-g first.jsonl show --as toml")
    assert (shown.code, shown.err) == (0, "")
    (place / "again.toml").write_text(shown.out)
    assert cli("new zombies --from again.toml -o second.jsonl").code == 0
    assert cli("-g second.jsonl show --as toml").out == shown.out
