"""Matches at the command line."""

import random

import pytest

from referee.record.start import open_log


def play_out(path, seed=1):
    game, rng = open_log(path), random.Random(seed)
    while game.to_act:
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
        standing = cli("--json match show cup.jsonl").facts["standing"]
        if standing["winner"]:
            break
        assert open_log(place / f"cup-{number + 1}.jsonl").header.options["first"] == standing["opener"]
    shown = cli("match show cup.jsonl").out
    assert f"{standing['winner'].capitalize()} has won the match." in shown
    assert shown.count("Game ") >= number
    assert cli("match audit cup.jsonl").out.startswith("CLEAN")
    assert cli("match next --match cup.jsonl").out.startswith("NO  The match is over")


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
