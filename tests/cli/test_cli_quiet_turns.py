"""A game with Hidden Movement by mail, as two people type it: nobody waits for what everybody knows."""

from __future__ import annotations

import pytest
from penfriends import Person

from referee.record.archive.audit import audit


@pytest.fixture
def pair(cli, tmp_path, monkeypatch):
    """The human and the mutant, set up at random; the mutant is to smash doors."""
    human, mutant = (Person(name, tmp_path, cli, monkeypatch, [], "luck 0") for name in ("anna", "bo"))
    human.does("new mutants --mail human --seats Anna,Bo --option hidden-movement=yes")
    carry(human, mutant)
    mutant.does("join mutant")
    carry(mutant, human)
    for one, other in ((human, mutant), (mutant, human)):
        one.does("random")
        carry(one, other)
        carry(other, one)
        one.does("ready")
        if one is human:
            carry(human, mutant)
    return human, mutant


def carry(one, other):
    answer = other.gets(one.mails())
    assert answer.code == 0, answer.shown
    return " ".join(answer.out.split())


def test_a_quiet_turn_is_two_mails(pair):
    human, mutant = pair
    mutant.does("end!", "end!", "end!")
    carry(mutant, human)
    human.does("end!")
    shown = carry(human, mutant)
    assert "mutant: glow" in shown
    assert "human: record (by itself: no other move was possible)" in shown
    assert "Now turn 2, mutant (Bo): Door-Smashing Step" in shown
    mutant.does("end!", "end!", "end!")
    shown = carry(mutant, human)
    assert "Glow and Go:" not in shown  # what he rolled is his secret
    for person in pair:
        assert audit(person.log).fault is None
