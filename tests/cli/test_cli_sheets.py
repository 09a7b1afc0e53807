"""A game on paper: `replay --as words` and `--as qr`, and `new --from` that reads both back."""

from __future__ import annotations

import json
import shutil

import pytest
from decoder import read_off
from support import ROOT

from referee.record.log.line_format import BODY_OFFSET

ENTRY = slice(BODY_OFFSET, -2)
SAMPLES = {path.stem: path for path in sorted(ROOT.glob("fixtures/manoover/games/*.jsonl"))}


def bodies(path):
    """What the entries of a log hold, but for times, hashes and the id of the game."""
    entries = [json.loads(line[ENTRY]) for line in path.read_bytes().splitlines(keepends=True)]
    return [{key: value for key, value in one.items() if key not in ("at", "prev", "nonce")} for one in entries]


def test_words_are_read_back_from_a_file_and_from_a_pipe(cli, control, place):
    cli("do 2 turn ne, 2 go")
    cli("undo")
    cli("note well played")
    words = cli("log --as words")
    assert words.code == 0
    assert words.out.splitlines()[-4:] == ["3. 2 turn NE", "4. 2 go NE", "5. *back 3", "6. referee: *note: well played"]
    assert cli("--json replay --as words").facts["words"] == words.out
    assert "To read it back: referee new --from game.txt" in cli("log -o game.txt").out
    assert (place / "game.txt").read_text("utf-8") == words.out
    answer = cli("new --from game.txt -o again.jsonl")
    assert answer.code == 0, answer.shown
    assert "Read 6 lines into again.jsonl; it is the current game." in answer.out
    assert bodies(place / "again.jsonl") == bodies(control)
    piped = cli("--json new manoover --from - -o piped.jsonl", stdin=words.out.encode())
    assert piped.code == 0 and piped.facts["read"] == 6
    assert bodies(place / "piped.jsonl") == bodies(control)
    assert cli("audit again.jsonl").code == 0


def test_a_game_up_to_a_moment(cli, control):
    assert cli("log --as words --to 1").out.splitlines()[-1].startswith("1. red: throwoff")


@pytest.mark.parametrize("name", SAMPLES)
def test_every_game_of_manoover_is_one_code(name, cli, place):
    shutil.copy(SAMPLES[name], place / "game.jsonl")
    answer = cli("-g game.jsonl replay -o game.svg")
    assert answer.code == 0 and "one QR code" in answer.out, answer.shown
    (read,) = read_off((place / "game.svg").read_text("utf-8"))
    assert read == cli("-g game.jsonl replay --as words").out
    assert cli("new --from - -o again.jsonl", stdin=read.encode()).code == 0


def test_a_longer_game_is_compressed_and_read_back(cli, place):
    source = ROOT / "fixtures/zombies/games/teams.jsonl"
    shutil.copy(source, place / "game.jsonl")
    answer = cli("-g game.jsonl replay --as qr -o game.svg")
    assert "a code holds 2,953" in answer.out.replace("\n  ", " ")
    (place / "game.txt").write_text("\n".join(read_off((place / "game.svg").read_text("utf-8"))), "utf-8")
    answer = cli("new --from game.txt -o again.jsonl")
    assert answer.code == 0, answer.shown
    assert bodies(place / "again.jsonl") == bodies(source)


WRONG = {
    "an illegal play": ("2 turn NE", "4 turn NE", 1, "line 9 of the sheet: red: 4 turn NE is not legal"),
    "a word": ("2 turn NE", "2 trun NE", 3, "Line 9 of the sheet: '2 trun NE' cannot be read"),
    "an impossible die": ("[2 2 6]", "[2 2 7]", 1, "line 8 of the sheet: a die with 6 sides cannot show 7"),
    "a missing die": ("[2 2 6]", "[2 2]", 1, "line 8 of the sheet: dice are missing"),
    "a missing line": ("2. throw [2 2 6]\n", "", 3, "line 2 of the game comes next, but this one is numbered 3"),
    "a game that is none": ("game manoover", "game maneuver", 2, "maneuver"),
    "the first line": ("referee words 1", "referee words 2", 3, "a sheet begins with the line: referee words 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_its_line_and_leaves_nothing(name, cli, control, place):
    cli("do 2 turn ne")
    text = cli("log --as words").out
    old, new, code, why = WRONG[name]
    assert text.count(old) == 1
    (place / "game.txt").write_text(text.replace(old, new), "utf-8")
    before = sorted(place.rglob("*"))
    answer = cli("new --from game.txt")
    assert answer.code == code, answer.shown
    assert why in (answer.out + answer.err).replace("\n  ", " ")
    assert sorted(place.rglob("*")) == before
    assert cli("show").out.startswith("manoover friday")


def test_what_does_not_go_together_is_said(cli, control, place):
    cli("log -o game.txt")
    for more in ("sheboygan", "--dice table", "--option goal-cells=third", "--seats A,B", "--mail red", "--template"):
        answer = cli(f"new {more} --from game.txt")
        assert answer.code == 2 and "This is a game of manoover" in answer.err, answer.shown
    assert cli("new").code == 2
    assert cli("log --as words --from 2").code == 2
    assert cli("log --as qr").code == 2
    assert cli("log --as words -o game.svg").code == 2
    assert cli("new --from -", stdin=b"").code == 2
    assert cli("log -o game.txt").code != 0


def test_a_game_is_not_written_down_while_it_keeps_a_secret(cli, place):
    cli("new mutants --option hidden-movement=yes")
    assert cli("do random").code == 0
    answer = cli("log --as words")
    assert answer.code == 1 and "referee reveal" in answer.out
    assert cli("log -o game.svg").code == 1
    assert not (place / "game.svg").exists()


def test_other_rules_are_told(cli, control, place):
    text = cli("log --as words").out.replace("manoover, rules 1", "manoover, rules 9")
    (place / "game.txt").write_text(text, "utf-8")
    assert "written under rules 9 of manoover" in cli("new --from game.txt").out


def test_markup_in_names_is_text_in_the_drawing(cli, place):
    cli("new manoover --seats <b>Anna,Bo --dice table")
    assert cli("log -o game.svg").code == 0
    assert "<b>" not in (place / "game.svg").read_text("utf-8")


def test_it_is_told_within_60_columns(cli, control):
    for said in ("log -o game.txt", "log -o game.svg", "new --from game.txt", "log --full --help", "new --help"):
        answer = cli(*said.split(), width=60)
        assert max(map(len, answer.out.splitlines())) <= 60, answer.shown
