"""An attack that hangs on what the other has to tell first travels with the question: one wait, not two."""

from __future__ import annotations

import pytest

from referee.record.log.entry import AnswerEntry, DeclareEntry, PlayEntry, SealEntry
from referee.record.table.opening_logs import open_log

POSITION = """
phase = "human-combat"
turn = 3
points = 0
defense = 6
monster = "H08"
due = [{ due = "noting" }]

[units]
H09 = "t1 i1"
H07 = "t2"
Y10 = "c8"
"""


@pytest.fixture
def luck():
    """With this an attack that hits comes to no choice."""
    return "luck 0"


@pytest.fixture
def attacked(people, request):
    """Anna attacks out of two boxes a monster of which Bo alone knows whether it has radiation."""
    anna, bo = people("anna"), people("bo")
    (anna.folder / "position.toml").write_text(POSITION)
    anna.does("new sheboygan --mail human --seats Anna,Bo --from position.toml")
    assert bo.gets(anna.mails()).code == 0
    bo.does("join monster", f"sheet att=9 des=5 mov=4 {request.param}")
    assert anna.gets(bo.mails()).code == 0
    said = anna.does("attack t1 t2")
    assert "Declared: attack m with t1 t2." in said.shown
    assert "human has declared attack m with t1 t2; monster" in " ".join(anna("mail").shown.split())
    return anna, bo


def news(person, first):
    """Who has written what since an entry, but for signatures."""
    new = list(open_log(person.log).entries)[first:]
    return [(entry.by, type(entry)) for entry in new if not isinstance(entry, SealEntry)]


@pytest.mark.parametrize(("attacked", "thrown"), [("jumping", True), ("radiation", False)], indirect=["attacked"])
def test_question_and_attack_go_in_one_mail(attacked, thrown):
    anna, bo = attacked
    first = len(open_log(anna.log).entries) - 1
    mail = anna.mails()
    assert b"declares: attack m with t1 t2\n" in mail
    assert bo.gets(mail).code == 0
    attack = [("human", PlayEntry)] if thrown else []
    asked = [("human", DeclareEntry), ("monster", AnswerEntry), ("human", PlayEntry), ("monster", PlayEntry)]
    assert news(bo, first) == [*asked, *attack]
    if thrown:
        assert "t1 t2 attack the monster: 2-1" in bo("status").shown
    assert anna.gets(bo.mails("--to human")).code == 0  # the die may leave a choice to Bo
    assert anna.log.read_bytes() == bo.log.read_bytes()
    rolls = [entry.rolls for entry in open_log(anna.log).entries if isinstance(entry, PlayEntry) and entry.rolls]
    assert len(rolls) == thrown
    for person in (anna, bo):
        assert person("audit").code == 0
        assert "human declares: attack m with t1 t2\n" in person("log").out


@pytest.mark.parametrize("attacked", ["radiation"], indirect=True)
def test_dice_of_an_attack_that_radiation_forbids_serve_no_other(attacked):
    """Anna knows the throw that was declared; another attack has another."""
    anna, bo = attacked
    assert bo.gets(anna.mails()).code == 0
    assert anna.gets(bo.mails()).code == 0
    assert "Declared: attack m with t1." in anna.does("attack t1").shown
    declared = [entry.cast for entry in open_log(anna.log).entries if isinstance(entry, DeclareEntry)]
    assert declared == [0, 1]
