"""Giving a game up, and ending it by agreement."""

from __future__ import annotations


def test_resigning(cli, control, snapshot):
    assert [
        cli(words).shown for words in ("resign --by bo", "do 2 go", "why 2 go", "", "log", "audit", "undo")
    ] == snapshot


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
    assert "red (Anna) resigns" in cli("resign").out


def test_nobody_is_asked_to_agree_to_what_cannot_be(cli, control):
    cli("resign")
    told = cli("finish anna")
    assert "It cannot be done: the game is over already." in told.out
    assert (told.code, "Once agreed" in told.out) == (1, False)
    assert cli("--json finish anna").facts["type"] is None
