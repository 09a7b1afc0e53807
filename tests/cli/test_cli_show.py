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
    monkeypatch.setattr("referee.cli.context.terminal_rows", lambda: rows)
    told = cli(f"new {game}").out
    assert told.startswith("New game in ")
    assert ("reconstruction" in told) == is_shown
    assert ("The board is too tall for this window. To see it: referee show" in told) != is_shown
    assert len(told.splitlines()) < rows
