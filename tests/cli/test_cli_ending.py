"""Giving a game up, and ending it by agreement."""

from __future__ import annotations


def test_resigning(cli, control, snapshot):
    lines = ("resign --by bo", "resign --by bo --yes", "do 2 go", "why 2 go", "", "log", "audit", "undo")
    assert [cli(words).shown for words in lines] == snapshot


def test_an_end_by_agreement(cli, control, snapshot):
    lines = (
        "finish draw",
        "finish anna,anna --agreed-by all",
        "finish draw --agreed-by all",
        "log",
        "show --as words",
        "roll",
    )
    assert [cli(words).shown for words in lines] == snapshot


def test_the_end_in_data(cli, control):
    facts = cli("--json finish anna --agreed-by all").facts
    assert facts["recorded"]["winners"] == ["red"]
    assert (facts["after"]["to_act"], facts["after"]["outcome"]["because"]) == (None, "ended by agreement: red has won")


def test_who_is_on_turn_resigns_if_nobody_is_named(cli, control):
    assert "red (Anna) resigns" in cli("resign --yes").out


def test_nobody_is_asked_to_agree_to_what_cannot_be(cli, control):
    cli("resign --yes")
    assert "the game is over: red has resigned" in cli("resign").out
    told = cli("finish anna")
    assert told.out.startswith("Not recorded: the game is over already.")
    assert (told.code, "agree" in told.out) == (1, False)
    assert cli("--json finish anna").facts["type"] is None


def test_where_others_have_to_agree_nothing_else_is_asked(cli, place):
    cli("new zombies --option players=3 --seats Ann,Bo,Cem --seed " + "0" * 64 + " -o z.jsonl")
    told = cli("resign --by ann").out
    assert "Once all agree, type: referee resign --by red --agreed-by blue,green" in told
    assert "red (Ann) resigns" in cli("resign --by red --agreed-by blue,green").out


def test_who_plays_bots_alone_is_asked(cli, place):
    cli("new manoover --bots blue=random --seed " + "0" * 64 + " -o m.jsonl")
    asked = cli("-g m.jsonl resign --by red")
    assert (asked.code, asked.out.splitlines()[-1]) == (
        1,
        "  If you mean it, type: referee -g m.jsonl resign --by red --yes",
    )
    facts = cli("--json resign --by red").facts
    assert (facts["verdict"], facts["recorded"]) == ("doubted", False)
