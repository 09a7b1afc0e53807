"""Slips at the table, from the words typed to the board put right."""

from __future__ import annotations


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
    assert "needs blue to agree: dice were thrown in entry 2" in answer.out
    assert line in " ".join(answer.out.split())
    facts = cli(f"--json -g {control} undo 4").facts
    assert (facts["by"], facts["needs"], facts["type"]) == ("red", ["blue"], line)
    assert "Anna) takes back" in cli(line.removeprefix("referee ")).out, "who played last, though it is Bo's turn"


def test_redo_without_undo(cli, control):
    answer = cli("redo")
    assert (answer.code, answer.out) == (1, "NO  Nothing was taken back since the last play.\n")


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
