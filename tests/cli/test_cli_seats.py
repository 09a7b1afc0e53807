"""People come and go: `leaves`, `sits`, what `resign` says where three play, and names by who sat there when."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

SEED = "3" * 64
LOG = "z.jsonl"


@pytest.fixture
def three(cli, place):
    """Ann, Bo and Cem, who play Zombies."""
    cli(f"new zombies --option players=3 --seats Ann,Bo,Cem --seed {SEED} -o {LOG}")
    cli("roll")
    return cli


@pytest.fixture
def robots(cli, place):
    """Three who play Manoover, with Bo to move."""
    cli(f"new manoover --option form=three --option first=blue --seats Ann,Bo,Cem --seed {SEED} -o m.jsonl")
    return cli


# One glance


def test_where_three_play_resign_says_that_the_others_may_play_on(three, snapshot):
    assert three("resign --by bo").shown == snapshot


def test_how_it_goes_on_before_somebody_leaves_and_after(robots, snapshot):
    lines = ("leaves bo", "leaves bo --agreed-by all", "leaves blue", "status", "leaves cem --agreed-by red")
    assert [robots(words).shown for words in lines] == snapshot


def test_the_choices_in_data(robots):
    asked = robots("--json leaves ann").facts
    assert (asked["needs"], asked["type"]) == (["blue", "green"], "referee leaves red --agreed-by blue,green")
    robots("leaves ann --agreed-by all")
    typed = [choice["typed"] for choice in robots("--json leaves red").facts["choices"]]
    assert typed[:2] == ["sits red NAME", "leaves red --bot steady"]
    assert typed[2].startswith("fix 'R1 off, R2 off, ")


def test_what_is_offered_can_be_typed(robots):
    """By three.10 the others play on without the robots of a player who has left."""
    robots("leaves ann --agreed-by all")
    fix = robots("--json leaves red").facts["choices"][2]["typed"]
    assert robots(f"{fix} --agreed-by all").code == 0
    while robots("--json status").facts["to_act"] == "blue":
        assert robots("roll").code == 0 or robots("done!").code == 0
    assert robots("--json status").facts["to_act"] == "green"
    assert robots("audit").out.startswith("CLEAN")


def test_of_two_the_other_may_also_win(cli, place):
    cli(f"new sheboygan --seats Ann,Bo --seed {SEED} -o s.jsonl")
    out = cli("leaves ann --agreed-by all").out
    assert "(monster (Ann) wins)" not in out
    assert " (Bo) wins)" in out


# A friend takes over, a bot plays on


def test_a_friend_takes_over(three, snapshot):
    lines = ("sits bo Dee", "leaves bo --agreed-by all", "sits blue Dee D --agreed-by all", "log", "audit", "undo")
    assert [three(words).shown for words in lines] == snapshot


def test_a_bot_plays_on_by_itself(robots):
    assert (
        "Next: steady plays blue; to let the bot move: referee do"
        in robots("leaves bo --bot steady --agreed-by all").out
    )
    assert robots("do").code == 0
    facts = robots("--json log --full").facts["entries"]
    assert [entry["by"] for entry in facts[1:3]] == ["blue", "blue"]
    assert robots("undo --agreed-by all").code == 0
    assert "blue (Bo)" in robots("status").out
    assert robots("audit").out.startswith("CLEAN")


def test_in_a_session_the_same_words_do(robots):
    told = robots("play", stdin=b"leaves bo --agreed-by all\nsits blue Dee --agreed-by all\nstatus\n").out
    assert "Entry 1. blue (Bo) leaves." in told
    assert "Dee sits at blue from here on." in told
    assert "blue (Dee)" in told


# Who sat there when


def test_names_follow_who_sat_there_when(robots):
    """Bo and then Dee roll for blue; each roll, each turn and each table of figures has the right name."""
    robots("roll")
    robots("done!")
    robots("leaves bo --agreed-by all")
    robots("sits blue Dee --agreed-by all")
    while "turn 4" not in robots("status").out:
        if robots("roll").code:
            robots("done!")
    robots("roll")
    rows = list(csv.DictReader(StringIO(robots("stats rolls m.jsonl").out)))
    players = [(row["seat"], row["player"]) for row in rows]
    assert players[0] == ("blue", "Bo")
    assert players[-1] == ("blue", "Dee")
    assert ("red", "Ann") in players
    (game,) = csv.DictReader(StringIO(robots("stats games m.jsonl").out))
    assert game["names"] == "red=Ann; blue=Bo, then Dee; green=Cem"
    log = robots("log").out.partition("\n")[2]
    assert log.index("turn 1, blue (Bo)") < log.index("turn 4, blue (Dee)")
    assert "red (Ann), blue (Bo), green (Cem)" in log
    robots("log -o m.html")
    assert "blue (Bo, then Dee)" in Path("m.html").read_text("utf-8")
    assert robots("audit m.html").out.startswith("CLEAN")
    assert "From entry" in robots("audit").out


def test_luck_is_that_of_the_person(three):
    three("leaves bo --agreed-by all")
    three("sits blue Dee --agreed-by all")
    facts = three("--json stats luck").facts
    assert {row["player"] for row in facts["players"]} <= {"Ann", "Bo", "Dee", "Cem", "zombies"}


# What is refused


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ("sits bo Dee --agreed-by all", 1, "Bo sits at blue, and has to leave first: referee leaves blue."),
        ("sits yellow Dee --agreed-by all", 2, "Nobody sits at 'yellow'; the seats are red (Ann), blue (Bo)"),
        ("leaves yellow --agreed-by all", 2, "Nobody sits at 'yellow'"),
        ("leaves bo --bot steedy --agreed-by all", 2, "There is no bot 'steedy'; did you mean 'steady'?"),
        ("--at 1 leaves bo", 2, "--at shows the past"),
    ],
)
def test_one_sentence_and_nothing_half_done(three, place, words, code, why):
    before = (place / LOG).read_bytes()
    answer = three(words)
    told = " ".join((answer.out + answer.err).split())
    assert (answer.code, why in told) == (code, True), told
    assert (place / LOG).read_bytes() == before


@pytest.mark.parametrize("name", ["Ann", "ann", "Ánn", "bo", "Bó", "red", "nobody", "Dee (x)"])
def test_who_could_be_taken_for_another_is_asked_for_another_name(three, place, name):
    three("leaves bo --agreed-by all")
    before = (place / LOG).read_bytes()
    answer = three("sits", "blue", name, "--agreed-by", "all")
    assert (answer.code, answer.out.startswith("Not recorded: ")) == (1, True)
    assert (place / LOG).read_bytes() == before


def test_players_who_differ_in_accents_alone_do_not_begin_a_game(cli, place):
    answer = cli(f"new manoover --seats José,Jose --seed {SEED}")
    assert "the names José and Jose look alike" in answer.out + answer.err


def test_dice_that_people_roll_are_for_no_bot(cli, evening):
    answer = cli("leaves bo --bot steady --agreed-by all")
    assert (answer.code, "needs open dice" in " ".join(answer.out.split())) == (1, True)
    assert "--bot" not in cli("leaves bo").out


def test_by_mail_it_is_refused_in_one_sentence(cli, place):
    cli("new manoover --mail red --seats Ann,Bo -o mail.jsonl")
    send = "send a friend the game: referee mail pack --from 0; they open it and type: referee join"
    empty = "by mail every roll needs {0}, so {0} cannot be left empty"
    for words, why in {
        "leaves bo": f"{empty.format('blue')}; {send} blue --as NAME.",
        "leaves red": f"{empty.format('red')}; {send} red --as NAME; or give up: referee resign.",
        "leaves bo --bot steady": f"no bot plays by mail; {send} blue --as NAME.",
        "sits blue Dee Ray": "by mail, Dee Ray asks for blue with a key of their own; send them the game: "
        "referee mail pack --from 0; they open it and type: referee join blue --as 'Dee Ray'.",
    }.items():
        answer = cli(words)
        assert (answer.code, " ".join(answer.out.split())) == (1, f"Not recorded: {why}")


# Secrets


def test_who_takes_a_seat_with_secrets_is_told_where_they_are(cli, place, snapshot):
    cli(f"new mutants --option hidden-movement=yes --seats Ann,Bo --seed {SEED} -o h.jsonl")
    lines = ("leaves bo --agreed-by all", "sits mutant Dee --agreed-by all")
    assert [cli(words).shown for words in lines] == snapshot


def test_secrets_that_are_elsewhere_are_for_no_bot(cli, place):
    cli(f"new mutants --option hidden-movement=yes --sitting human --seats Ann,Bo --seed {SEED} -o h.jsonl")
    answer = cli("leaves bo --bot steady --agreed-by all")
    assert "steady cannot see what mutant sees" in " ".join(answer.out.split())
    cli("leaves bo --agreed-by all")
    told = " ".join(cli("sits mutant Dee --agreed-by all").out.split())
    assert "The secrets of mutant are on another computer, and Dee plays there." in told
