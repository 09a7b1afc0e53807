"""Secrets that are shown, taken back, taken along in a branch, or set in an amended position."""

from __future__ import annotations

import shutil
import stat

import msgspec
import pytest
from logfiles import forge, mailed, play_out

from referee.record.archive.audit import audit
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.amend import amend_position
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.opening_logs import branch, open_log
from referee.record.table.undo_redo import undo

SEATS = ("red", "blue")

pytestmark = pytest.mark.usefixtures("ambush")


# Reveals


def test_after_the_reveal_anybody_can_audit_and_look(over, tmp_path):
    reveal_secrets(over)
    copy = mailed(over, tmp_path)
    report = audit(copy)
    assert (report.fault, report.unjudged, report.secrets) == (None, {}, 0)
    again = open_log(copy)
    assert again.moment().state == over.moment().state
    assert again.moment(4).state.chests["red"].value == "cave"
    assert again.entries[3] == over.entries[3]
    assert open_log(copy, upto=4).moment().state.chests["blue"].value == "reef"


def test_a_reveal_while_the_game_goes_on_needs_everybody(hidden):
    with pytest.raises(NotAllowedError, match="red and blue to agree"):
        reveal_secrets(hidden)
    with pytest.raises(NotAllowedError, match="blue to agree"):
        reveal_secrets(hidden, [3], by="red")
    assert reveal_secrets(hidden, [3], by="red", agreed=["blue"]) == [3]
    assert audit(hidden.path).fault is None


def test_one_secret_is_shown_and_no_other(hidden, tmp_path):
    reveal_secrets(hidden, [3], agreed=SEATS)
    blue = open_log(mailed(hidden, tmp_path, "blue"))
    assert blue.entries[3].known_play.action.cove == "cave"
    log = hidden.path.read_bytes()
    assert b"cave" in log
    assert b"reef" not in log


def test_what_a_rule_calls_for_is_shown_by_its_owner_alone(hidden, monkeypatch):
    game = type(hidden.game)
    n = next(n for n, found in hidden.reducer.sealed.values() if found.owner == "red" and n > 2)
    monkeypatch.setattr(game, "may_reveal", lambda self, state, seat: seat == "red")
    with pytest.raises(NotAllowedError, match="a reveal needs"):
        reveal_secrets(hidden, [n], by="blue")
    assert reveal_secrets(hidden, [n], by="red") == [n]
    assert audit(hidden.path).fault is None
    monkeypatch.undo()
    assert audit(hidden.path).fault.code == "bad-agreement"


def test_a_secret_is_revealed_once_and_only_a_secret(over):
    reveal_secrets(over)
    with pytest.raises(NotAllowedError, match="entry 3 holds no secret, or it has been revealed already"):
        reveal_secrets(over, [3])
    with pytest.raises(NotAllowedError, match="entry 0 holds no secret"):
        reveal_secrets(over, [0])
    with pytest.raises(NotAllowedError, match="no secret is left here to reveal"):
        reveal_secrets(over)


def test_nobody_reveals_what_he_does_not_know(over, tmp_path):
    red = open_log(mailed(over, tmp_path, "red"))
    theirs = [n for n, found in red.reducer.sealed.values() if found.owner == "blue"]
    with pytest.raises(NotAllowedError, match=r"some are kept by blue$"):
        reveal_secrets(red, theirs)
    reveal_secrets(red)
    assert {found.owner for _, found in red.reducer.sealed.values()} == {"blue"}


@pytest.mark.parametrize("here", [(), SEATS])
def test_a_reveal_must_open_its_leaf_whoever_knows_the_secret(hidden, tmp_path, here):
    """With the vault at hand the secret is known all the same; what the log reveals of it is another matter."""
    reveal_secrets(hidden, [3], agreed=SEATS)
    copy = mailed(hidden, tmp_path, *here)
    forge(copy, lambda entries: entries[-1].update(salt="00" * 32))
    assert audit(copy).fault.code == "bad-reveal"


def changed(entries, n, **fields):
    entries[n].update(fields)


WRONG = [
    ({"salt": "00" * 32}, "bad-reveal"),
    ({"of": 0}, "bad-reveal"),
    ({"value": None}, "bad-reveal"),
    ({"leaf": "00" * 32}, "bad-reveal"),
    ({"by": "green"}, "bad-seat"),
    ({"agreed": ["green"]}, "bad-seat"),
    ({"at": "yesterday"}, "not-an-entry"),
    ({"more": 1}, "not-an-entry"),
]
"""What may be wrong with a reveal, and the fault."""


@pytest.mark.parametrize(("fields", "code"), WRONG)
@pytest.mark.parametrize("n", [-3, -2, -1])
def test_a_reveal_among_others_is_looked_at_like_any(over, tmp_path, n, fields, code):
    """Those that follow one another are expected to say the same of all but what they open; others are read."""
    reveal_secrets(over)
    copy = mailed(over, tmp_path)
    forge(copy, lambda entries: changed(entries, n, **fields))
    fault = audit(copy).fault
    assert (fault.code, fault.n) == (code, len(over.entries) + n)


def test_reveals_in_another_order_open_the_same(over, tmp_path):
    reveal_secrets(over)
    copy = mailed(over, tmp_path)
    forge(copy, lambda entries: entries.__setitem__(slice(-3, None), entries[:-4:-1]))
    assert (audit(copy).fault, audit(copy).secrets) == (None, 0)


# Takebacks and branches


def test_a_secret_is_taken_back_by_agreement_only(hidden):
    with pytest.raises(NotAllowedError, match="needs red to agree: entry 4 is a secret"):
        undo(hidden)
    undo(hidden, agreed=["red"])
    assert hidden.moment().state.chests["blue"].value == ""
    assert audit(hidden.path).fault is None


def test_what_was_told_is_taken_back_by_agreement_only(hidden):
    hidden.do("raid palms 2")
    with pytest.raises(NotAllowedError, match="entry 6 told a secret"):
        undo(hidden, by="blue")


def test_a_takeback_after_a_reveal_needs_everybody(hidden):
    reveal_secrets(hidden, [3], agreed=SEATS)
    with pytest.raises(NotAllowedError, match="secrets were revealed since"):
        undo(hidden)
    undo(hidden, agreed=["red"])
    assert isinstance(hidden.entries[-1], TakebackEntry)
    assert audit(hidden.path).fault is None


def test_a_join_is_no_play_to_take_back(laptop):
    with pytest.raises(NotAllowedError, match="there is no play to take back"):
        undo(laptop)


def test_what_was_taken_back_in_secret_is_judged_in_the_end(hidden, tmp_path):
    undo(hidden, agreed=["red"])
    hidden.do("hide lagoon")
    play_out(hidden)
    reveal_secrets(hidden)
    report = audit(mailed(hidden, tmp_path))
    assert (report.fault, report.takebacks) == (None, 1)
    assert b"reef" in hidden.path.read_bytes()


def test_a_branch_takes_its_secrets_along(hidden):
    other = branch(hidden, "what-if", 3, agreed=SEATS)
    assert other.reducer.opener.vaults.keys() == {"red", "blue"}
    assert other.moment().state.chests["red"].value == "cave"
    assert stat.S_IMODE(find_vault_path(other.path, "red").stat().st_mode) == 0o600
    other.do("hide wreck")
    assert audit(other.path).fault is None
    assert hidden.moment().state.chests["blue"].value == "reef"


def test_an_amended_position_may_hold_secrets_known_here(hidden):
    position = msgspec.to_builtins(hidden.game.position_from(hidden.moment().state))
    amend_position(hidden, position | {"gold": [2, 3]}, "a coin was found under the table", SEATS)
    assert audit(hidden.path).fault is None


def test_who_has_the_vault_of_another_branch_has_not_its_seeds(hidden, tmp_path):
    """Each seat has sealed a new seed there, and that one stands in the vault of the branch alone."""
    other = branch(hidden, "what-if", agreed=SEATS)
    copy = mailed(other, tmp_path)
    shutil.copy(find_vault_path(hidden.path, "red"), find_vault_path(copy, "red"))
    assert "red" in open_log(hidden.path).reducer.seeds
    assert open_log(copy).reducer.seeds.keys() == {None}
