"""`referee play` on a real terminal: what somebody sees who types."""

import re

import pytest

from referee.record.table.opening_logs import open_log

terminal = pytest.importorskip("terminal", reason="needs pseudo-terminals", exc_type=ImportError)

SIZES = [(80, 24), (40, 24), (40, 15)]


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_a_turn(cli, evening, columns, lines):
    with terminal.Terminal("play", columns=columns, lines=lines) as table:
        table.wait("red (Anna)")
        table.say("52", "Red goes first.")
        table.say("2 2 6", "legal lists 15")
        table.say("2ne 2go 6go", "Now turn 2, blue")
        table.say("5 go", "REFUSED")
        table.say("", "Off the board: none")
        assert max(map(len, table.lines)) <= columns
        table.type("\x04")
        assert table.left() == 0
    assert [type(entry.action).__name__ for entry in open_log(evening).entries[3:]] == [
        "TurnRobot",
        "MoveRobot",
        "MoveRobot",
        "CompleteAutomaticPhase",
    ]


def test_the_prompt_tells_who_and_what(cli, evening):
    with terminal.Terminal("play") as table:
        table.wait("red (Anna), 2d6")
        assert table.lines[-2].startswith("friday, turn 1, red (Anna): red and blue roll")
        assert table.lines[-1].endswith("red 0, blue 0")
        table.say("52", "red (Anna), 3d6")
        table.say("226", "red (Anna), dice 2 2 6> ")
        assert table.lines[-1] == "friday, turn 1, red (Anna): dice 2 2 6; in the goals: red 0, blue 0"


def test_a_narrow_prompt_asks_for_no_die_where_something_is_drawn(cli):
    cli("new mutants --option scenario=alternate --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal("play", columns=40) as table:
        table.wait("Anna: Human set-up> ")
        table.say("rest", "Anna: Human set-up> ")
        table.say("ready", "Bo: 1d6> ")
        table.say("2", "Bo draws> ")


def test_tab_completes_slot_by_slot(cli, control):
    with terminal.Terminal("play") as table:
        table.wait("dice 2 2 6> ")
        table.type("2 t\t")
        table.wait("> 2 turn")
        table.type(" \t")
        for word in ("NE", "SE", "SW", "NW"):
            table.wait(word)
        table.type("NE\r")
        table.wait("Turn R2 to face NE.")


def test_ctrl_c_forgets_the_line(cli, control):
    before = control.read_bytes()
    with terminal.Terminal("play") as table:
        table.wait("> ")
        table.type("6 go\x03")
        table.type("why 6 go\r")
        table.wait("LEGAL")
        table.type("\x04")
        assert table.left() == 0
    assert control.read_bytes() == before


def test_up_brings_back_what_was_said(cli, control):
    with terminal.Terminal("play") as table:
        table.wait("> ")
        table.say("why 6 go", "LEGAL")
        table.type("\x1b[A")
        table.wait("> why 6 go")


def test_quit(cli, control):
    with terminal.Terminal("play") as table:
        table.wait("> ")
        table.type("quit\r")
        assert table.left() == 0
        assert "Good-bye" in table.text


def test_no_terminal_worth_the_name(cli, control):
    with terminal.Terminal("play", env={"TERM": "dumb"}) as table:
        table.wait("> ")
        table.say("6 go", "Move N: R6 to g2.")
        table.type("\x04")
        assert table.left() == 0
    assert not re.search(rb"\x1b\[[0-9;?]*[A-Hf-lJK]", table.shown), "the cursor goes nowhere"


# The board in its place


def test_on_a_tall_terminal_the_board_stays_at_the_top(cli, control):
    with terminal.Terminal("play", lines=45) as table:
        table.wait("dice 2 2 6> ")
        assert table.lines[0].strip() == "d7"
        assert "R2↑" in table.lines[10]
        table.say("2ne 2go 6go", "blue (Bo), 3d6")
        assert table.lines[0].strip() == "d7"
        assert "R2↗" in table.text.partition("PageUp")[0]
        table.say("log", "2 turn NE")
        table.say("rules", "PageUp: ")
        table.type("\x1b[5~")
        table.wait("PageUp: ")
        table.type("\x04")
        assert table.left() == 0
        assert table.text.endswith("Everything is recorded. Good-bye.")
        assert "(R)" not in table.text, "the board goes with the session"


def test_tab_on_a_tall_terminal(cli, control):
    with terminal.Terminal("play", lines=45) as table:
        table.wait("dice 2 2 6> ")
        table.type("2 t\t")
        table.wait("> 2 turn")
        table.type(" n\t")
        table.wait("NW")
        table.type("\t\r")
        table.wait("Turn R2 to face N")
        table.type("6 g\x03quit\r")
        assert table.left() == 0


def test_a_line_wider_than_a_tall_terminal_leaves_the_prompt(cli, control):
    with terminal.Terminal("play", lines=45) as table:
        table.wait("dice 2 2 6> ")
        table.type(f"why {'x' * 100}")
        table.wait("x" * 70)
        table.say("", "expected")
        table.type("6 go")
        table.wait("dice 2 2 6> 6 go")


# Secrets


@pytest.mark.parametrize("lines", [24, 70])
def test_nothing_secret_stays_on_the_screen(cli, lines):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal("play", lines=lines) as table:
        table.wait("human (Anna) takes the screen: Enter> ")
        table.say("", "human (Anna), Human set-up> ")
        table.say("wall D2-D3, put buck b1 in D1, rest", "b24 in D7.")
        table.say("legal", "human (Anna), Human set-up> ")
        table.say("ready", "mutant (Bo) takes the screen: Enter> ")
        seen = table.text + table.scrolled_away
        assert "buck" not in seen
        assert "D2-D3" not in seen
        table.say("", "mutant (Bo), Mutant set-up> ")
        table.type("\x1b[A")
        table.type("\x1b[A\x03")
        table.wait("Mutant set-up> ")
        assert "wall" not in table.text
        table.say("rest", "n4 in xW7.")
        table.type("\x04")
        assert table.left() == 0
        assert "xW7" not in table.text + table.scrolled_away


BRINGS_BACK = {
    "yank": "\x19",
    "undo": "\x1f",
    "history": "\x1b[A",
    "the oldest": "\x1b<",
    "search": "\x12wall\x07",
    "search again": "\x12\x12\r",
    "last word": "\x1b.",
    "macro": "\x18e",
}
"""Keys with which a line editor brings back what was typed, cut or looked for."""
SECRET_DOORS = ("C2-D2", "D2-D3", "E5-E6", "F2-F3", "B2-B3")


@pytest.mark.parametrize("lines", [24, 70])
def test_nothing_of_the_other_seat_is_in_the_line_editor(cli, lines):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal("play", lines=lines) as table:
        table.wait("human (Anna) takes the screen: Enter> ")
        table.type("wall C2-D2\x15")
        table.say("", "human (Anna), Human set-up> ")
        table.say("wall D2-D3, rest", "b24")
        table.type("\x18(wall E5-E6\x18)\x15")
        table.type("\x12wall\x07")
        table.type("wall F2-F3\x15why wall B2-B3\r")
        table.wait("human (Anna), Human set-up> ")
        for line, end in (
            ("ready", "mutant (Bo) takes the screen: Enter> "),
            ("", "mutant (Bo), Mutant set-up> "),
        ):
            table.say(line, end)
            for name, keys in BRINGS_BACK.items():
                since = len(table.shown)
                table.type(keys if lines == 24 else keys.rstrip("\r"))  # below a board Enter ends no search
                table.wait(end, since=since - 1)
                seen = table.text + table.scrolled_away
                assert not [door for door in SECRET_DOORS if door in seen], (end, name)
                table.type("\x07\x03")
                table.wait(end, since=since - 1)


def test_the_own_history_comes_back_with_its_player(cli):
    cli("new sheboygan --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal("play") as table:
        table.wait("monster (Bo) takes the screen: Enter> ")
        table.say("", "monster (Bo), ")
        table.say("why end", "monster (Bo), ")
        table.type("\x1b[A")
        table.wait("> why end")


@pytest.mark.parametrize("words", [("play", "--plain"), ("play",)])
def test_plain_lines_bring_nothing_back_and_scroll_away(cli, words):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal(*words, env={"TERM": "dumb"}) as table:
        table.wait("human (Anna) takes the screen: Enter> ")
        table.say("", "human (Anna), Human set-up> ")
        table.say("wall D2-D3, rest, ready", "mutant (Bo) takes the screen: Enter> ")
        table.say("", "when nobody else looks, press Enter.")
        assert "D2-D3" not in table.text
        for keys in ("\x1b[A", "\x10", "\x19"):
            table.type(keys + "\x15")
        table.wait("Enter> ")
        assert "D2-D3" not in table.text


@pytest.mark.parametrize(("words", "lines"), [(("--plain",), 24), ((), 24), ((), 70)])
def test_what_is_typed_when_nobody_looks_leaves_with_the_next_key(cli, words, lines):
    """Somebody types on after their turn has passed by itself."""
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    with terminal.Terminal("play", *words, lines=lines) as table:
        table.wait("human (Anna) takes the screen: Enter> ")
        table.say("", "human (Anna), Human set-up> ")
        table.say("rest", "human (Anna), Human set-up> ")
        table.say("ready", "mutant (Bo) takes the screen: Enter> ")
        table.say("wall D2-D3", "has to sit down first")
        assert "D2-D3" not in table.text + table.scrolled_away
        table.type("wall D4-D5")
        table.comes(lambda: table.up_to_cursor.endswith("D4-D5"), "D4-D5")
        table.type("\x03")
        table.comes(lambda: table.up_to_cursor.endswith("Enter> "), "Enter> ")
        table.say("", "mutant (Bo), Mutant set-up> ")
        assert "wall" not in table.text + table.scrolled_away
