"""Matches at the command line."""

import random

import pytest

from referee.cli.audit_report import answer_on_match_report
from referee.record.archive.audit import audit
from referee.record.archive.match_audit import MatchReport
from referee.record.table.opening_logs import open_log


def play_out(path, seed=1):
    game, rng = open_log(path), random.Random(seed)
    while game.moment().to_act:
        game.play(game.legal().pick(rng))


@pytest.fixture
def match(cli, place):
    assert cli("match new manoover --seats Anna,Bo --term target=5 -o cup.jsonl").code == 0
    return place / "cup.jsonl"


def test_a_match_from_its_first_game_to_its_winner(cli, match, place):
    for number in range(1, 30):
        game = place / f"cup-{number}.jsonl"
        play_out(game, number)
        assert cli("match next").code == 0
        standing = cli("--json match show cup.jsonl").facts["score"]
        if standing["winner"]:
            break
        assert open_log(place / f"cup-{number + 1}.jsonl").reducer.header.options["first"] == standing["opener"]
    shown = cli("match show cup.jsonl").out
    assert f"{standing['winner'].capitalize()} has won the match." in shown
    assert shown.count("Game ") >= number
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert cli("match next --match cup.jsonl").out.startswith("Not done: the match is over")


def test_a_game_that_is_not_over(cli, match):
    before = match.read_bytes()
    answer = cli("match next")
    assert answer.code == 1
    assert "not over yet" in answer.out
    assert match.read_bytes() == before


def test_a_changed_game_is_a_fault_of_the_match(cli, match, place):
    play_out(place / "cup-1.jsonl")
    cli("match next")
    game = place / "cup-1.jsonl"
    game.write_bytes(game.read_bytes().replace(b'"faces":[', b'"faces":[6,', 1))
    answer = cli("match audit cup.jsonl")
    assert answer.code == 1
    assert "bad-hash" in answer.out
    assert "cup-1.jsonl" in answer.out


def test_the_match_is_found_from_its_game(cli, match, snapshot):
    assert cli("match show").shown == snapshot
    assert cli("--json match audit").facts["clean"]


def test_a_match_is_no_game(cli, match, snapshot):
    assert cli("-g cup.jsonl show").shown == snapshot
    assert cli("match show cup-1.jsonl").code == 3


@pytest.mark.parametrize(
    "words",
    [
        "match new mutants -o x.jsonl",
        "match new manoover --term first=never -o x.jsonl",
        "match new manoover --term opening=never -o x.jsonl",
        "match new manoover --term target=0",
    ],
)
def test_terms_that_cannot_be(cli, place, words):
    assert cli(words).code == 2
    assert not list(place.glob("x*"))


def test_the_next_game_takes_over_the_dice(cli, place):
    cli("match new manoover --dice table --term target=50 -o cup.jsonl")
    play_typed(place / "cup-1.jsonl")
    assert "(table dice)" in cli("match next").out
    play_typed(place / "cup-2.jsonl")
    assert "(open dice)" in cli("match next --dice open").out
    play_out(place / "cup-3.jsonl")
    assert "(open dice)" in cli("match next").out
    seeds = {open_log(place / f"cup-{number}.jsonl").reducer.header.dice.seed for number in (3, 4)}
    assert len(seeds) == 2


def play_typed(path):
    """Play a game to its end with dice that fall at random."""
    game, rng = open_log(path), random.Random(3)
    while game.moment().to_act:
        action = game.legal().pick(rng)
        need = getattr(game.legal().awaited_roll, "need", None)
        game.play(action, faces=[rng.randint(1, 6) for _ in range(need.count)] if need else ())


def test_a_takeback_in_a_game_that_counts_is_told_at_once_and_mended(cli, place):
    cli("match new manoover --seats Anna,Bo --term target=90 -o cup.jsonl")
    play_out(place / "cup-1.jsonl", 3)
    cli("match next")
    undone = cli("-g cup-1.jsonl undo 1 --agreed-by red,blue")
    told = " ".join(undone.out.split())
    assert undone.code == 0
    assert "The match cup is no longer valid: game 1, in cup-1.jsonl, has changed since it was entered" in told
    assert "If all agree: referee match undo 2 --agreed-by red,blue" in told
    for words in ("match show cup.jsonl", "match next --match cup.jsonl"):
        answer = cli(words)
        assert (answer.code, "is no longer valid" in " ".join(answer.out.split())) == (1, True)
    changed = cli("--json match show cup.jsonl").facts["changed"]
    assert [(one["game"], one["steps"]) for one in changed] == [(1, 2)]
    assert cli("match audit cup.jsonl").code == 1
    assert cli("match undo 2 --agreed-by red --match cup.jsonl").code == 1
    mended = cli("match undo 2 --agreed-by red,blue --match cup.jsonl")
    assert "Game 1 goes on." in mended.out
    play_out(place / "cup-1.jsonl", 4)
    entered = cli("match next")
    assert "in cup-3.jsonl" in entered.out
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert cli("--json match show cup.jsonl").facts["games"][0]["head"] == open_log(place / "cup-1.jsonl").head.hash


def test_a_remark_after_the_end_changes_nothing(cli, match, place):
    play_out(place / "cup-1.jsonl")
    cli("match next")
    cli("-g cup-1.jsonl note well played")
    assert cli("match show cup.jsonl").code == 0
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")


def test_a_game_begun_wrongly_is_begun_again_by_agreement(cli, match, place):
    cli("do throwoff")
    missing = cli("match undo")
    assert (missing.code, "needs red and blue to agree" in missing.out) == (1, True)
    assert "Game 1 must start again." in cli("match undo --agreed-by Anna,Bo").out
    begun = cli("match next --dice table --match cup.jsonl")
    assert "Game 1 of match cup, in cup-2.jsonl" in " ".join(begun.out.split())
    assert "(table dice)" in begun.out
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert cli("match undo 5 --agreed-by Anna,Bo --match cup.jsonl").out.startswith(
        "Not done: games began and ended 1 times"
    )


def test_a_match_says_that_a_game_is_over_and_what_comes_next(cli, match, place):
    assert "Game 1 is in progress, in cup-1.jsonl: turn 1, red (Anna)." in " ".join(cli("match show").out.split())
    play_out(place / "cup-1.jsonl")
    shown = " ".join(cli("match show").out.split())
    assert "Game 1, in cup-1.jsonl, is over: " in shown
    assert "Next, to record the result: referee match next" in shown
    assert "red (Anna), blue (Bo)" in shown
    cli("match next")
    standing = cli("--json match show cup.jsonl").facts["score"]
    assert list(standing["totals"]) == list(standing["games"][0]["scores"]) == ["red", "blue"]


def test_who_opens_the_first_game_of_a_match_is_thrown_for(cli, place):
    answer = cli("match new manoover --option first=blue -o x.jsonl")
    assert answer.code == 2
    assert (
        "dice decide who opens the first game of a match, so leave out first=blue (match.7)"
        in " ".join(answer.err.split()).lower()
    )
    assert not list(place.glob("x*"))
    assert cli("match new manoover --option first=throw-off -o x.jsonl").code == 0


OWN = """
name = "ours"
title = "Ours"
radius = 2
dice = 3
sides = 3
seats = [{ name = "red", side = "S" }, { name = "blue", side = "N" }]
start = ["R1 a1 N", "R2 b1 N", "R3 d1 N", "B1 e3 S", "B2 d4 S", "B3 b4 S"]
goals = { red = "c4", blue = "c2" }
"""


def test_a_match_on_a_board_of_ones_own(cli, place):
    (place / "ours.toml").write_text(OWN, "utf-8")
    made = cli("match new manoover --board ours.toml --term target=90 -o cup.jsonl")
    assert made.code == 0, made.shown
    play_out(place / "cup-1.jsonl")
    assert cli("match next").code == 0
    for number in (1, 2):
        assert len(open_log(place / f"cup-{number}.jsonl").reducer.board.cells) == 19
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")


def test_a_board_that_nobody_can_play_on_leaves_no_match_behind(cli, place):
    (place / "ours.toml").write_text(OWN.replace('"c4"', '"z9"'), "utf-8")
    answer = cli("match new manoover --board ours.toml -o x.jsonl")
    assert answer.code == 3
    assert not list(place.glob("x*"))


def test_a_throw_off_that_was_taken_back_decides_nothing(cli, place):
    cli("match new manoover --dice table --term target=50 -o cup.jsonl")
    cli("roll 6 1")
    cli("undo --agreed-by red,blue")
    cli("roll 1 6")
    play_typed(place / "cup-1.jsonl")
    cli("match next")
    facts = cli("--json match show cup.jsonl").facts
    assert facts["score"]["games"][0]["opened_by"] == "blue"
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")


# What was changed, undone or lost


@pytest.fixture
def cup(cli, place):
    """A match of which two games count, and the third is being played."""
    cli("match new manoover --seats Anna,Bo --term target=900 -o cup.jsonl")
    for number in (1, 2):
        play_out(place / f"cup-{number}.jsonl", number)
        assert cli("match next").code == 0
    game = open_log(place / "cup-3.jsonl")
    game.play(game.legal().pick(random.Random(3)))
    return place / "cup.jsonl"


def told(answer):
    return " ".join((answer.out + answer.err).split())


def test_undo_and_redo_of_a_game_that_counts_leave_its_match_as_it_was(cli, cup, place):
    before = cup.read_bytes()
    assert "is no longer valid" in told(cli("-g cup-1.jsonl undo --agreed-by all"))
    redone = cli("-g cup-1.jsonl redo --agreed-by all")
    assert (redone.code, "is no longer valid" in told(redone)) == (0, False)
    assert cli("match show cup.jsonl").code == 0
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert cup.read_bytes() == before


def test_one_game_is_mended_and_the_later_ones_still_count(cli, cup, place):
    played = open_log(place / "cup-3.jsonl").head.hash
    cli("-g cup-1.jsonl undo --agreed-by all")
    assert "To count a later game again as it was played: referee match next --log LOG" in told(
        cli("match show cup.jsonl")
    )
    assert cli("match undo 4 --agreed-by all --match cup.jsonl").code == 0
    redone = cli("-g cup-1.jsonl redo --agreed-by all")
    assert redone.code == 0
    entered = told(cli("match next --match cup.jsonl"))
    assert "cup-2.jsonl was taken back; to let it count again: referee match next --log cup-2.jsonl" in entered
    assert not (place / "cup-4.jsonl").exists()
    assert "Game 2 counts again" in told(cli("match next --match cup.jsonl --log cup-2.jsonl"))
    assert cli("match next --match cup.jsonl --log cup-2.jsonl").code == 1
    assert "Game 3 is in progress, in cup-3.jsonl" in told(cli("match next --match cup.jsonl --log cup-3.jsonl"))
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert [one["entries"] for one in cli("--json match audit cup.jsonl").facts["report"]["games"]]
    assert open_log(place / "cup-3.jsonl").head.hash == played


def test_a_strange_game_is_not_taken_up(cli, cup, place):
    cli("match undo --agreed-by all --match cup.jsonl")
    cli("new manoover --seats Anna,Bo -o strange.jsonl")
    answer = cli("match next --match cup.jsonl --log strange.jsonl")
    assert (answer.code, "strange.jsonl cannot come next; it must be a game of this match" in told(answer)) == (1, True)


def test_a_game_whose_log_is_lost_is_begun_again(cli, cup, place):
    for path in place.glob("cup-3.jsonl*"):
        path.unlink()
    shown = cli("match show cup.jsonl")
    assert shown.code == 0
    assert "Restore the log. Or, if all agree, start the game again: referee match undo --agreed-by red,blue" in told(
        shown
    )
    answer = cli("match next --match cup.jsonl")
    assert (answer.code, "cup-3.jsonl, the log of game 3, is not here" in told(answer)) == (1, True)
    assert cli("match undo --agreed-by red,blue --match cup.jsonl").code == 0
    begun = cli("match next --match cup.jsonl")
    assert (begun.code, "Game 3 of match cup, in cup-4.jsonl" in told(begun)) == (0, True)
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")


def test_even_if_all_logs_are_lost(cli, match, place):
    for path in place.glob("cup-1.jsonl*"):
        path.unlink()
    assert cli("match undo --agreed-by all --match cup.jsonl").code == 0
    assert "Game 1 of match cup, in cup-2.jsonl" in told(cli("match next --match cup.jsonl"))


def test_what_was_recorded_is_not_answered_as_unreadable(cli, cup, place, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    play_out(place / "cup-3.jsonl", 3)
    before = len(cup.read_bytes().splitlines())
    monkeypatch.setattr("referee.record.archive.match.start", fail)
    answer = cli("match next --match cup.jsonl")
    assert (answer.code, "No space left on device" in told(answer)) == (1, True)
    assert "The result was recorded, but the next game could not start" in told(answer)
    assert len(cup.read_bytes().splitlines()) == before + 1


def test_an_edited_game_is_told_with_its_entry(cli, cup, place):
    game = place / "cup-1.jsonl"
    lines = game.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"faces":[' in line)
    lines[at] = lines[at].replace(b'"faces":[', b'"faces":[6,', 1)
    game.write_bytes(b"".join(lines))
    audit, shown = cli("match audit cup.jsonl"), cli("match show cup.jsonl")
    assert (audit.code, f"cup-1.jsonl, entry {at}: " in told(audit)) == (1, True)
    assert (shown.code, f"entry {at} of its log is wrong" in told(shown)) == (1, True)


def test_what_a_match_proposes_it_accepts(cli, cup, place):
    game = place / "cup-3.jsonl"
    play_out(game, 3)
    game.with_name(f"{game.name}.head").unlink()
    lines = game.read_bytes().splitlines(keepends=True)
    game.write_bytes(b"".join(lines[:-1]) + lines[-1].replace(b'"by":"', b'"by":"x', 1))
    shown = told(cli("match show cup.jsonl"))
    assert "Next, to record the result: referee match next" not in shown
    assert cli("match next --match cup.jsonl").code == 1


def test_a_match_with_plays_that_nobody_can_judge_is_clean_so_far(cli, place):
    for line in (
        "new sheboygan --dice open --option scenario=learning -o s.jsonl",
        "record att=5 def=1 des=4 mov=3",
        "edge s",
    ):
        assert cli(line).code == 0
    next(place.glob("*.vault")).unlink()
    game = audit(place / "s.jsonl")
    answer = answer_on_match_report("cup.jsonl", MatchReport(1, (game,), None, None))
    told = [line.text for line in answer.lines]
    assert (answer.code, told[0]) == (0, "CLEAN SO FAR  cup.jsonl")
    assert any(line.startswith("2 plays of monster cannot be judged before") for line in told)
    assert answer.facts()["judged"] is False
