"""`correct N ACTION` by mail: one's own moves, at once or after a takeback on which the others agree."""

import pytest

from referee.record.archive.audit import audit
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import open_log


@pytest.fixture
def table(people):
    """Anna and Bo play Manoover by mail; Anna, at red, has thrown and moved two robots, and not sent it."""
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --option first=red --seats Anna,Bo")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    dice = sorted({str(face) for face in plays_of(anna)[0].rolls[0].faces})
    anna("do", f"{dice[0]} turn ne")
    anna("do", f"{dice[-1]} turn nw")
    return anna, bo, dice


def plays_of(person):
    """The plays of a log."""
    return [entry for entry in open_log(person.log).entries if isinstance(entry, PlayEntry)]


def first_move(person):
    """The number of the first of the two moves."""
    return plays_of(person)[1].n


def test_what_was_not_sent_is_corrected_at_once(table):
    anna, bo, dice = table
    told = anna(f"correct {first_move(anna)} {dice[0]} turn se")
    assert (told.code, "1 later move still holds" in told.out) == (0, True)
    assert audit(anna.log).fault is None
    bo.gets(anna.mails("--to blue"))
    assert audit(bo.log).fault is None


def test_of_what_was_sent_a_takeback_is_offered(table):
    anna, bo, dice = table
    n = first_move(anna)
    bo.gets(anna.mails("--to blue"))
    told = anna(f"correct {n} {dice[0]} turn se")
    assert f"You offer to take back to entry {n - 1}" in told.out
    assert f"Once all agree, make the right move: referee {dice[0]} turn se" in " ".join(told.out.split())
    bo.gets(anna.mails())
    bo.does("mail agree")
    anna.gets(bo.mails())
    anna.does(f"do {dice[0]} turn se")
    assert (audit(anna.log).fault, audit(anna.log).takebacks) == (None, 1)


def test_moves_of_others_are_theirs(table):
    anna, bo, dice = table
    n = first_move(anna)
    bo.gets(anna.mails("--to blue"))
    told = bo(f"correct {n} {dice[0]} turn se")
    assert (told.code, "by mail only red (Anna) can correct this move" in " ".join(told.out.split())) == (1, True)


def test_dice_of_all_seats_are_not_corrected(table):
    anna, _, _ = table
    told = anna(f"correct {first_move(anna) - 1} 1 2 3")
    assert (told.code, "nobody typed them" in " ".join(told.out.split())) == (1, True)


def test_a_sealed_move_is_taken_back(people):
    cem, dee = people("cem"), people("dee")
    cem.does("new mutants --mail human --seats Cem,Dee --option hidden-movement=yes")
    dee.gets(cem.mails())
    dee.does("join mutant")
    cem.gets(dee.mails())
    cem.does("do wall D2-D3")
    sealed = next(play.n for play in plays_of(cem) if play.secret)
    told = cem(f"correct {sealed} wall D2-N3")
    assert (told.code, f"entry {sealed} is sealed; take it back, then move again" in told.out) == (1, True)
