"""Small things that once went wrong when the program was used."""

import json
from pathlib import Path

import pytest

from referee.games import manoover
from referee.record.table.opening_logs import open_log


def board_with(title):
    shipped = (Path(manoover.__file__).parent / "shipped" / "base.toml").read_text("utf-8")
    return shipped.replace('title = "Standard board"', f"title = {json.dumps(title)}")


@pytest.mark.parametrize("title", ["a\x1b[31mb", "a\x7fb", "a\u202eb"])
def test_a_board_with_escapes_starts_no_log_that_cannot_be_read(cli, place, title):
    (place / "ours.toml").write_text(board_with(title), "utf-8")
    cli("new manoover --board ours.toml -o ours.jsonl")
    assert not (place / "ours.jsonl").exists() or cli("-g ours.jsonl show").code == 0


def test_a_board_too_long_for_a_line_starts_no_log(cli, place):
    status = "".join(f'"part {number}" = "{"x" * 4000}"\n' for number in range(30))
    (place / "ours.toml").write_text(board_with("Long") + status, "utf-8")
    cli("new manoover --board ours.toml -o ours.jsonl")
    assert not (place / "ours.jsonl").exists() or cli("-g ours.jsonl show").code == 0


def test_audit_of_a_torn_log_from_stdin(cli, control):
    assert cli("audit -", stdin=control.read_bytes()[:-9]).code == 3


def test_a_torn_write_is_reported(cli, control, place):
    (place / "torn.jsonl").write_bytes(control.read_bytes()[:-30])
    answer = cli("-g torn.jsonl note hello")
    assert (place / "torn.jsonl.torn").exists()
    assert "torn" in (answer.out + answer.err).replace("manoover torn", "")


@pytest.mark.parametrize(
    "words",
    [
        ["log", "\u00b2..3"],
        ["branch", "../x"],
        ["branch", "a/b"],
        ["branch", "x", "-o", ""],
        ["new", "manoover", "-o", ""],
        ["new", "manoover", "-o", "."],
        ["-g", "a\0b", "show"],
        ["do", "-f", "noise.bin"],
        ["audit", "a\0b"],
    ],
)
def test_absurd_arguments_are_no_bug(cli, control, place, words):
    (place / "noise.bin").write_bytes(bytes(range(128, 256)))
    assert cli(*words).code in (1, 2, 3)


@pytest.mark.parametrize("pointer", [b"a\0b", b"\xff\xfe"])
def test_a_mangled_pointer_is_no_bug(cli, control, place, pointer):
    (place / ".referee").write_bytes(pointer)
    assert cli("show").code in (3, 4)


def test_names_in_both_ways(cli):
    answer = cli("new manoover --seats Bo,red=Anna -o x.jsonl")
    assert answer.code == 2 or set(open_log("x.jsonl").reducer.header.seats.values()) == {"Anna", "Bo"}


def test_a_dry_run_of_several_lines(cli, place):
    (place / "turn.txt").write_text("throwoff\nthrow\n")
    cli(f"new manoover -o seeded.jsonl --seed {'0' * 64}")
    assert cli("do -n -f turn.txt").code == 0


def test_words_are_shown_harmlessly(cli, place):
    (place / "ours.toml").write_text(board_with("a\u200bb"), "utf-8")
    cli("new manoover --board ours.toml -o ours.jsonl")
    assert "\u200b" not in cli("show --as words").out


def test_everything_fits_a_phone(cli):
    answer = cli("new manoover --option form=three -o x.jsonl", width=40)
    assert max(map(len, answer.out.splitlines())) <= 40


def test_help_fits_a_phone(cli):
    assert max(map(len, cli("--help", width=40).out.splitlines())) <= 40


def test_a_refused_line_counts_what_is_legal_now(cli, control):
    assert f"all {cli('--json legal').facts['count']}" in cli("do 5 go").out
    assert "referee legal" not in cli("do 6 go, 5 go").out


def test_what_is_said_first_is_not_told_to_follow_anything(cli, control):
    refused, later = cli("why 5 go, 2 go"), cli("why 2 go, 5 go")
    assert ("Instead:" in refused.out, "earlier actions" in refused.out) == (True, False)
    assert ("Instead:" in later.out, "earlier actions" in later.out) == (False, True)


def test_why_takes_what_do_takes(cli, control):
    assert cli("why 6 go, 2 turn ne").code == 0


def test_usage_errors_as_json(cli, control):
    assert cli("--json show --loud").facts["exit"] == 2


@pytest.mark.parametrize("words", ["show --as words", "show --as svg", "show --as words -o x.txt"])
def test_json_is_json(cli, control, words):
    json.loads(cli(f"--json {words}").out)


def test_players_in_playing_order(cli, evening):
    assert cli("log").out.index("Anna") > 0
    assert cli("log").out.splitlines()[1].endswith("red (Anna), blue (Bo)")


def test_no_actions_at_all(cli, control):
    answer = cli("do -f -", stdin=b"")
    assert answer.out or answer.err


def test_a_refusal_among_more_actions_than_fit_in_memory(cli):
    cli("new mutants -o m.jsonl")
    cli("do rest, ready")
    answer = cli("do put n5 in A1")
    assert answer.code == 1
    assert "A1 is not a Mutant Set Up square." in answer.out
    assert "(all: referee legal)" in " ".join(answer.out.split())


def test_what_a_set_up_still_needs_fits_on_a_phone(cli):
    cli("new mutants -o m.jsonl")
    assert "Human set-up; 0 of 12 Walls, 0 Human-side units" in " ".join(cli("show").out.split())
    cli("do rest, ready")
    cli("do put l1 n1 in xN4")
    missing = cli("do ready", width=40)
    assert "52 units not set up yet: l2 l3 l4 r1..r24 n2..n26." in " ".join(missing.out.split())
    assert missing.out.count("II.B.2.b-a") == 1
    listed = cli("legal xN3", width=40).out
    assert "put 1..50 of r1..r24/n1..n26 in xN3" in " ".join(listed.split())


def test_units_of_the_other_player_are_refused_in_one_sentence(cli):
    cli("new mutants -o m.jsonl")
    refusals = cli("--json why put l1 l2 r1 in A1").facts["actions"][-1]["refusals"]
    assert [refusal["because"] for refusal in refusals] == ["l1, l2 and r1 belong to the mutant player"]


def test_a_seat_goes_by_the_name_of_who_sits_there(cli, control):
    assert cli("why --by bo throw").out.startswith("REFUSED")
    assert "blue (Bo)" in cli("why --by ned throw").err


@pytest.mark.parametrize("words", ["wall C3-C4", "put buck in C3", "rest"])
def test_an_action_without_do_is_not_taken_for_a_command(cli, words):
    assert cli(words).code == 4
    assert "no game is chosen" in cli(words).err
    cli("new mutants -o m.jsonl")
    assert cli(words).code == 0


def test_missing_dice_say_how_they_are_typed(cli):
    cli("new mutants --dice table -o m.jsonl")
    cli("do rest, ready, rest, ready")
    assert "referee do smash xN4-D1 n8 --dice FACES." in " ".join(cli("do smash xN4-D1 n8").err.split())
    cli("do end!, end!, end!")
    answer = " ".join(cli("roll 1 2").err.split())
    assert answer.startswith("24 dice with 6 sides needed, 2 faces typed:")
    assert answer.endswith("Type all of them: referee roll 1 2 FACES.")
    assert "Type them: referee roll FACES." in cli("roll").err


def test_a_name_of_a_place_keeps_its_small_letter(cli):
    cli("new mutants -o m.jsonl")
    assert "  II.B.1.a-c  xN1-A1 leads to" in cli("why wall A1-xN1").out


def test_pairs_that_nobody_hit_throw_again_with_the_faces_typed(cli, place):
    units = 'units = { D3 = "buck n1", D4 = "prof penny" }'
    (place / "p.toml").write_text(f'phase = "combat"\n{units}\n'.replace("combat", "mutant-combat"), "utf-8")
    assert cli("new mutants --dice table --from p.toml -o m.jsonl").code == 0
    cli("do fight D3, lay auto, pair auto")
    assert cli("roll 6").err.endswith("referee roll 6 FACES.\n")
    assert cli("do resolve --dice 6").err.endswith("referee do resolve --dice 6,FACES.\n")
    before = len(open_log("m.jsonl").entries)
    three = cli("roll 6 6 6 6 6")
    assert (three.code, three.err.endswith("referee roll 6 FACES.\n")) == (2, True)
    assert len(open_log("m.jsonl").entries) == before + 2
    assert cli("roll 6 6 6 6").code == 0
    assert len(open_log("m.jsonl").entries) == before + 4


def test_what_was_said_before_missing_dice_is_recorded(cli, control):
    answer = cli("do 6 go, 2 turn n, done, auto, throw")
    assert answer.code == 2
    assert "Turn over." in answer.out
    assert answer.err.endswith("referee do throw --dice FACES.\n")
    assert cli("--json do throw --dice 3,4").facts["error"] == "DiceNeededError"
    assert cli("do throw --dice 3,4,5").code == 0


def test_a_file_keeps_its_name(cli, place):
    (place / "bad.toml").write_text("turn = 11", "utf-8")
    assert cli("new mutants --from bad.toml").out.startswith("Not done: bad.toml: ")


def test_who_sets_up_in_secret_alone_is_told_how_many_walls_are_placed(cli):
    cli("new mutants --option hidden-movement=yes -o m.jsonl")
    assert "1 of 12 Walls, 0 Human-side units on the board" in " ".join(cli("do wall C3-C4").out.split())
    assert "1 of 12 Walls" in cli("show --by human").out
    assert "Wall" not in cli("").out
    assert "12 Walls" not in cli("show --by mutant").out


def test_a_refusal_that_names_everything_legal_counts_nothing(cli, evening):
    assert "Instead: throwoff red blue\n" in cli("do throw").out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('smashed = ["D1-xN4"]', "there is no door D1-xN4; write xN4-D1 (IV.A.2-b)."),
        ('walls = ["c3-9"]', "walls, number 1 cannot be"),
        ('unit = "x"', "a position has no field 'unit'; did you mean 'units'?"),
    ],
)
def test_mistakes_in_a_position_are_told_plainly(cli, place, line, told):
    (place / "bad.toml").write_text(line, "utf-8")
    answer = cli("new mutants --from bad.toml -o m.jsonl")
    assert answer.code == 1
    assert told in " ".join(answer.out.split())


def test_arrivals_drawn_at_the_table_are_typed_by_name(cli, place):
    cli("new mutants --dice table --option scenario=alternate -o g.jsonl")
    for step in ("do rest", "do ready"):
        assert cli(f"-g g.jsonl {step}").code == 0
    asked = cli("-g g.jsonl roll 2")
    assert (asked.code, "a name needed" in asked.err.lower(), "54" in asked.err) == (2, True, False)
    assert cli("-g g.jsonl roll 2 r7 r7").code == 2
    assert "put r7 n4" in cli("-g g.jsonl roll 2 N4 r7").out
    assert cli("audit g.jsonl").code == 0


@pytest.mark.parametrize("words", ["why throwoff", "why 3 go", "show", "legal"])
def test_every_answer_names_the_dice_of_the_game(cli, words):
    cli("new manoover --dice open")
    told = cli(words).out
    assert "(open dice)" in told
    assert "(table dice)" not in told


@pytest.mark.parametrize(("said", "instead"), [("2 trun ne", ["2 turn NE"]), ("jump", [])])
def test_what_was_not_read_is_told_with_what_may_be_done_instead(cli, control, said, instead):
    assert cli(f"--json why {said}").facts["instead"] == instead


@pytest.mark.parametrize("word", ["²", "9" * 5_000])
def test_a_list_is_looked_through_for_any_word(cli, control, word):
    assert cli(f"legal {word}").code == 0


def test_a_command_that_was_not_understood_names_its_own_help(cli):
    assert cli("match next --foo").err.strip().endswith("(help: referee match next -h).")
