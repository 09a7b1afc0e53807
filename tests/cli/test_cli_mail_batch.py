"""Secret actions in one line by mail: they are declared together, and both read that their dice fall at once."""

from __future__ import annotations

from penfriends import read_words, seated


def test_secret_actions_in_one_line_cost_one_exchange(pair):
    human, mutant = pair
    seated(human, mutant, "human mutant", "mutants", "--option hidden-movement=yes --option answers=by-step")
    human.does("rest", "ready")
    mutant.gets(human.mails())
    mutant.does("rest", "ready")
    said = read_words(mutant("smash xN1-A1 r1 n5, smash xN2-B1 r2 n6, smash xN3-C1 r3 n7"))
    assert "Declared: smash xN1-A1 r1 n5, smash xN2-B1 r2 n6, smash xN3-C1 r3 n7. One joint roll gives" in said
    opened = read_words(human.gets(mutant.mails()))
    assert "smash" not in opened
    assert "declares: 3 secrets, whose dice fall at once" in read_words(human("log"))
    assert "smash" not in read_words(human("mail"))
    assert mutant.gets(human.mails()).code == 0
    assert "3 of 3 secret actions have been made; made in entry" in read_words(mutant(f"audit {mutant.log} --rolls"))
    mutant.does("end")
    assert mutant("mail").code == 0
