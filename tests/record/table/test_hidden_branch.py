"""Branches of games with secrets: nobody previews in one what the other will bring."""

from __future__ import annotations

import pytest

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.log.entry import JoinEntry
from referee.record.log.log_errors import NotAgreedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.undo_redo import undo

pytestmark = pytest.mark.usefixtures("ambush")

SEATS = ("red", "blue")


def test_a_branch_needs_all_to_agree_while_the_game_goes_on(hidden):
    for agreed in ((), ("red",)):
        with pytest.raises(NotAgreedError, match="to agree"):
            branch(hidden, "what-if", agreed=agreed)
    assert not hidden.path.with_name("game-what-if.jsonl").exists()
    assert branch(hidden, "what-if", agreed=SEATS).path.exists()


def test_where_no_secret_is_kept_a_branch_shows_none(hidden):
    for seat in SEATS:
        find_vault_path(hidden.path, seat).unlink()
    assert branch(open_log(hidden.path), "what-if").reducer.opener.vaults.keys() == frozenset()


def test_after_the_end_anybody_may_branch(over):
    assert len(branch(over, "again").entries) == len(over.entries) + 1


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_secret_dice_of_a_branch_are_others(tmp_path, at):
    """A chest that drifts ashore: had it been tried in a branch, it would be known where it comes."""
    shores = set()
    for number in range(12):
        session = start("ambush", tmp_path / f"{number}.jsonl", dice=OpenDice(f"{number:064x}"))
        session.do("hide cave")
        other = branch(session, "other", at, agreed=SEATS)
        assert other.reducer.seeds["red"] != session.reducer.seeds["red"]
        assert other.reducer.seeds["blue"] != session.reducer.seeds["blue"]
        assert [entry.by for entry in other.entries[-2:] if isinstance(entry, JoinEntry)] == list(SEATS)
        both = [open_log(session.path), open_log(other.path)]
        if at < 3:
            both[1].do("hide cave")
        for played in both:
            played.do("hide adrift")
            assert audit(played.path).fault is None
        shores.add(tuple(played.moment().state.chests["blue"].value for played in both))
    assert any(one != other for one, other in shores)


def test_a_branch_is_judged_to_its_end(hidden):
    other = branch(hidden, "other", agreed=SEATS)
    undo(other, by="blue", agreed=["red"])
    other.do("hide adrift")
    while other.moment().to_act:
        other.play(next(iter(other.legal())))
    reveal_secrets(other)
    for seat in SEATS:
        find_vault_path(other.path, seat).unlink()
    report = audit(other.path)
    assert (report.fault, report.unjudged) == (None, {})
