"""Slips at the table, from the words typed to the board put right."""

from __future__ import annotations

import tomllib

import pytest

from referee.cli.context import Context
from referee.record.table.deeds.correct import CorrectPlayOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.proposal import make_proposal_of_offer
from referee.record.table.seat_view import SeatView


def told(cli, *lines):
    """Exchanges that must all go well, as a reader of a snapshot wants them."""
    answers = [cli(words) for words in lines]
    assert [answer.code for answer in answers] == [0] * len(lines), [answer.out + answer.err for answer in answers]
    return [answer.shown for answer in answers]


def test_undo_says_what_goes_and_how_the_counters_go_back(cli, control, snapshot):
    cli("do 2 turn ne, 2 go, 6 go, auto")
    assert told(cli, "undo 2", "redo", "undo --agreed-by all", "log", "audit") == snapshot


def test_undo_that_needs_agreement_prints_the_line_to_type(cli, control):
    cli("do 2 go, done, auto")
    answer = cli(f"-g {control} undo 4")
    line = f"referee -g {control} undo 4 --agreed-by blue"
    assert answer.code == 1
    assert "needs blue to agree: dice were rolled in entry 2" in answer.out
    assert line in " ".join(answer.out.split())
    facts = cli(f"--json -g {control} undo 4").facts
    assert (facts["by"], facts["needs"], facts["type"]) == ("red", ["blue"], line)
    assert "Anna) takes back" in cli(line.removeprefix("referee ")).out, "who played last, though it is Bo's turn"


def test_redo_without_undo(cli, control):
    answer = cli("redo")
    assert (answer.code, answer.out) == (1, "Not recorded: nothing was taken back since the last play.\n")


def test_undo_in_data(cli, control):
    cli("do 2 go")
    facts = cli("--json undo").facts
    assert (facts["entries"], facts["hands"]) == ([3], ["R2: back to b1 N, from b2 N"])


def test_a_secret_is_taken_back_for_who_says_who_he_is(cli, place):
    cli("new mutants --option hidden-movement=yes --seats Ann,Bo -o g.jsonl --dice table")
    cli("do wall C3-C4")
    seen = cli("undo --agreed-by mutant").out
    assert "C3-C4" not in seen
    assert "nothing moves" in seen
    cli("redo --agreed-by all")
    assert "C3-C4: back to none, from wall" in cli("undo --by human --agreed-by all").out


# Dice


def test_a_die_that_was_typed_wrongly(cli, control, snapshot):
    cli("do 2 go, 6 go, 2 turn ne")
    lines = (
        "correct 2 2 6 6 -n",
        "correct 2 2 6 6",
        "correct 2 2 6 6 --agreed-by all",
        "log",
        "audit",
        "correct 2 1 1 1",
    )
    assert [cli(words).shown for words in lines] == snapshot


def test_a_correction_in_data(cli, control):
    cli("do 2 go")
    facts = cli("--json correct 2 2 6 6 --agreed-by all").facts
    assert (facts["held"], facts["lost"], facts["hands"]) == ([3], None, [])
    assert cli("--json correct 5 7 7 7 --agreed-by all").code == 2


def test_a_move_that_was_typed_wrongly(cli, control, snapshot):
    cli("do 2 go, 6 turn ne, 2 go")
    lines = (
        "correct 3 2 turn NE -n",
        "correct 3 5 go --agreed-by all",
        "correct 3 wurst",
        "correct 3 2 turn NE",
        "correct 3 2 turn NE --agreed-by all",
        "log",
        "audit",
        "correct 99 2 go",
    )
    assert [cli(words).shown for words in lines] == snapshot


def test_in_a_hidden_game_a_wrong_move_is_worked_out_only_when_all_have_agreed(cli, place):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    cli("do --by human wall D2-D3")
    number = max(entry["entry"]["n"] for entry in cli("--json log").facts)
    asked = cli(f"correct --by human {number} wall E5-E6")
    assert asked.code == 1
    assert "in truth wall E5-E6" in asked.out, "to whoever has typed it"
    for eyes, words in (("human", "wall E5-E6"), ("mutant", ""), (None, "")):
        proposal = make_proposal_of_offer(
            SeatView(open_log(place / "g.jsonl"), eyes), CorrectPlayOffer(number, "wall E5-E6"), "human"
        )
        assert (proposal.is_hidden, proposal.corrected.words) == (True, words)
    assert cli(f"correct --by human {number} wall E5-E6 --agreed-by mutant").code == 0
    assert "E5-E6" in cli("log --by human").out
    assert "E5-E6" not in cli("log").out
    assert cli("audit").code == 0


# The position


def test_a_counter_that_stands_elsewhere(cli, control, snapshot):
    lines = (
        "fix B4 c5, r2 b2 ne --why 'the cat' --agreed-by all",
        "log",
        "log --to 3",
        "audit",
        "undo --agreed-by all",
    )
    assert told(cli, *lines) == snapshot
    assert cli("--json redo --agreed-by all").facts["hands"] == ["B4: from c6 S to c5 S", "R2: from b1 N to b2 NE"]


WRONG = {
    "B4 c6": (1, "nothing would change"),
    "B4 c5": (1, "needs red and blue to agree"),
    "B4 d9": (1, "the board has no such cell"),
    "B4": (2, "its new place (its place now: c6 S)"),
    "wurst 3": (2, "a piece, or a field of the position file"),
    "dice 9": (2, "dice, number 1 cannot be 9; it must be a whole number from 1 to 8"),
    "dice.9 3": (2, "a number from 1 to 3 after the dot"),
    "turn.x 3": (2, "a field of the position file, as in: referee fix"),
    "taken.red.x 3": (2, "a field of the position file"),
    "taken.red many": (2, "taken, red cannot be 'many'; it must be a whole number from 0 to 10000"),
    "taken.green 1": (1, "nobody is called 'green' here"),
    "phase noon": (2, "phase cannot be 'noon'; it must be auto, control"),
}


def test_amendments_that_cannot_be(cli, control):
    before = control.read_bytes()
    for words, (code, why) in WRONG.items():
        answer = cli(f"fix {words}")
        assert answer.code == code, words
        assert why in " ".join((answer.out + answer.err).lower().split()) or why in " ".join(
            (answer.out + answer.err).split()
        )
    assert (
        "Once all agree, type: referee fix B4 c5 --why 'the cat' --agreed-by red,blue"
        in cli("fix B4 c5 --why 'the cat'").out
    )
    assert control.read_bytes() == before


ODD = {
    "R1 gone": ("gone", "a cell, an arrow, or both, such as c4 S; or off, goal red or goal blue."),
    "R1 blue": ("blue", "or off, goal red or goal blue. Did you mean 'goal blue'?"),
    "R1 goal green": ("goal", "or off, goal red or goal blue."),
    "R1 d5 q": ("q", "a cell, an arrow, or both"),
    "R1 d5 e5": ("e5", "one cell only, not d5 and e5"),
    "R1 d5 n ne": ("ne", "one arrow only, not n and ne"),
}


def test_odd_amendments_name_what_is_wrong_and_what_may_be_said(cli, control):
    for words, (wrong, what) in ODD.items():
        answer = cli(f"fix {words}")
        line, below = answer.err.splitlines()[1:3]
        assert answer.code == 2
        assert line[below.index("^") : below.rindex("^") + 1] == wrong
        assert what in below


def test_before_the_first_turn_it_is_said_whose_it_is(cli):
    cli("new manoover --dice table -o m.jsonl")
    refused = " ".join(cli("fix R1 c5").out.split())
    assert "a position needs a seat to move; for a first turn write turn red, phase throw" in refused.lower()
    assert cli("fix R1 c5, turn red, phase throw --agreed-by all").code == 0


def test_several_pieces_and_fields_at_once(cli, place):
    cli("new mutants -o g.jsonl --dice table")
    (place / "now.toml").write_text('phase = "smash"\nturn = 3\nunits = { B4 = "buck b3", C4 = "n1", D4 = "n4..n8" }\n')
    assert cli("new mutants --from now.toml -o h.jsonl --dice table").code == 0
    facts = cli("--json amend n4..n6 D5, C3-C4 smashed, b3 gone, turn 4 --agreed-by all").facts
    assert [(change["pieces"], change["was"], change["now"]) for change in facts["changes"]] == [
        (["b3"], "B4", "gone"),
        (["n4", "n5", "n6"], "D4", "D5"),
        (["C3-C4"], "none", "smashed"),
        (["turn"], "3", "4"),
    ]


def test_a_piece_stands_in_one_way(cli, control):
    answer = cli("fix B4 c5 ne, B4 c6 --agreed-by all")
    assert answer.code != 0
    assert "'B4 c5 ne' names B4, too" in " ".join((answer.out + answer.err).split())


def test_the_table_is_compared_piece_by_piece(cli, control, monkeypatch):
    typed = iter(["", "c5 S", "b3 z9", "B3 e5", *[""] * 40])
    monkeypatch.setattr(Context, "line_prompt", property(lambda self: lambda prompt: next(typed)))
    answer = cli("fix --agreed-by all --why 'the cat'")
    assert answer.code == 0
    assert "B2: from f5 S to c5 S" in answer.out
    assert "B3: from e6 S to e5 S" in answer.out


def test_yes_is_no_change_and_no_asks_how_it_stands(cli, control, monkeypatch):
    typed, asked = iter(["y", "no", "c5 S", "YES", "q"]), []
    monkeypatch.setattr(
        Context, "line_prompt", property(lambda self: lambda prompt: asked.append(prompt) or next(typed))
    )
    answer = cli("fix --agreed-by all")
    assert "Press Enter if a line is right." in answer.out
    assert "  B2: from f5 S to c5 S\n" in answer.out
    assert asked == ["B1: g4 S? ", "B2: f5 S? ", "Where is it? ", "B3: e6 S? ", "B4: c6 S? "]


def test_what_was_said_of_a_table_is_not_lost_where_it_cannot_be(cli, control, monkeypatch):
    typed = iter(["", "c5 S", "z9", "q"])
    monkeypatch.setattr(Context, "line_prompt", property(lambda self: lambda prompt: next(typed)))
    answer = cli("fix --agreed-by all")
    assert answer.code == 1
    assert "to edit and repeat them: referee fix B2 c5 S, B3 z9" in answer.err


def test_a_table_that_stands_as_it_should(cli, control, monkeypatch):
    before = control.read_bytes()
    monkeypatch.setattr(
        Context, "line_prompt", property(lambda self: lambda prompt: "q" if "Anything" in prompt else "")
    )
    assert "The board matches the record." in cli("fix").out
    assert control.read_bytes() == before


def test_a_list_to_tick_off_where_nobody_can_be_asked(cli, control):
    out = cli("fix").out
    assert "  R1: a1 N\n" in out
    assert "dice: 2 2 6" in out
    assert cli("--json check-table").facts["pieces"]["B4"] == "c6 S"


# Files


@pytest.mark.parametrize("game", ["manoover", "mutants"])
def test_a_template_starts_a_game_as_it_is(cli, place, game):
    assert cli(f"new {game} --template -o middle.toml").code == 0
    assert cli(f"new {game} --from middle.toml -o g.jsonl").code == 0
    shown = cli("show --as toml").out
    (place / "again.toml").write_text(shown)
    assert cli(f"new {game} --from again.toml -o h.jsonl").code == 0
    assert cli("show --as toml").out == shown
    assert cli("fix --from again.toml --agreed-by all").out.startswith(
        "Not recorded: the game stands like that already"
    )


def test_the_template(cli, place, snapshot):
    assert cli("new manoover --template --option order=auto-control").shown == snapshot
    assert not list(place.iterdir()), "nothing was started"


def test_the_position_as_toml_holds_options_that_are_not_the_usual_ones(cli, control):
    cli("new manoover --option ties=survivor --option first=blue -o other.jsonl")
    assert tomllib.loads(cli("show --as toml").out)["options"] == {"ties": "survivor", "first": "blue"}
    assert "options" not in tomllib.loads(cli(f"-g {control} show --as toml").out)
