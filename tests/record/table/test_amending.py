"""Amendments that keep all secrets sealed: who sees what of them, what an audit finds, and what nobody can slip in."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import partial
from random import Random

import pytest

from referee.engine.adjudication import LegalVerdict
from referee.engine.dice_mode import OpenDice
from referee.engine.event import REFEREE
from referee.engine.secret import Secret
from referee.record.archive.audit import audit
from referee.record.log.log_errors import FaultError, NotAgreedError, NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.amend_pieces import AmendPiecesEntry, amend_pieces
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.seat_view import SeatView
from referee.record.table.undo_redo import redo, undo
from referee.record.table.verifier import Verifier

SEED = "3c" * 32
HIDDEN = {"hidden-movement": "yes"}
BOTH = ("human", "mutant")


@pytest.fixture
def notes(tmp_path):
    """Both sides of Hidden Movement have set up: entries 0 to 8."""
    session = start("mutants", tmp_path / "game.jsonl", options=HIDDEN, dice=OpenDice(SEED))
    for line in ("wall D2-D3, put prof in D4, rest", "ready", "rest", "ready"):
        session.do(line)
    return session


def shut_from(session, *seats):
    """The same log where the vaults of these seats alone are."""
    folder = session.path.parent / "".join(("only", *seats))
    folder.mkdir()
    copy = shutil.copy(session.path, folder / "game.jsonl")
    for seat in seats:
        shutil.copy(find_vault_path(session.path, seat), find_vault_path(copy, seat))
    return open_log(copy)


def pieces(session, eyes):
    return SeatView(session, eyes).sight.pieces


# Who sees what


def test_what_everybody_sees_is_changed_for_everybody_and_opens_nothing(notes):
    amend_pieces(notes, ["D1-D2 smashed"], "the cat", BOTH)
    assert b"D2-D3" not in notes.path.read_bytes()
    for seats in ((), ("human",), ("mutant",), BOTH):
        session = shut_from(notes, *seats)
        for eyes in (None, *seats):
            assert pieces(session, eyes)["D1-D2"] == "smashed"
            assert SeatView(session, eyes).sight.view == SeatView(notes, eyes).sight.view
        assert audit(session.path).fault is None
    assert pieces(notes, "human")["D2-D3"] == "wall"
    assert audit(notes.path).amendments[0].changes == ("D1-D2: from none to smashed",)


def test_what_one_seat_sees_is_changed_for_it_alone(notes):
    before = {eyes: SeatView(notes, eyes).sight.view for eyes in ("mutant", None)}
    unjudged = audit(shut_from(notes).path).unjudged["human"]
    amend_pieces(notes, ["D2-D3 none"], "mistaken", ["mutant"], "human")
    assert b"D2-D3" not in notes.path.read_bytes()
    assert pieces(notes, "human")["D2-D3"] == "none"
    assert {eyes: SeatView(notes, eyes).sight.view for eyes in before} == before
    other = shut_from(notes, "mutant")
    assert SeatView(other, "mutant").sight.view == before["mutant"]
    report = audit(other.path)
    assert (report.fault, report.unjudged["human"]) == (None, unjudged + 1)
    assert report.amendments[0].changes == ("something that human alone sees, sealed",)
    assert SeatView(shut_from(notes, "human"), "human").sight.view == SeatView(notes, "human").sight.view


def test_once_revealed_anybody_can_judge_it(notes):
    amend_pieces(notes, ["D2-D3 none"], "mistaken", ["mutant"], "human")
    reveal_secrets(notes, agreed=BOTH)
    session = shut_from(notes)
    assert session.moment().known.truth == notes.moment().known.truth
    report = audit(session.path)
    assert (report.fault, report.unjudged, report.secrets) == (None, {}, 0)


# What goes on from there


def test_it_is_replayed_taken_back_brought_again_and_branched_off(notes):
    amend_pieces(notes, ["D2-D3 none"], "mistaken", ["mutant"], "human")
    assert open_log(notes.path).moment().state == notes.moment().state
    off = branch(notes, "what-if", agreed=BOTH)
    assert pieces(off, "human")["D2-D3"] == "none"
    assert audit(off.path).fault is None
    with pytest.raises(NotAgreedError, match="all agreed on the position in entry 9"):
        undo(notes, by="human")
    undo(notes, by="human", agreed=BOTH)
    assert pieces(notes, "human")["D2-D3"] == "wall"
    redo(notes, agreed=BOTH)
    assert pieces(notes, "human")["D2-D3"] == "none"
    assert audit(notes.path).fault is None


# What may not be


REFUSED = {
    "the game stands like that already": ("D1-D2 none", None),
    "a piece, or a field of the position file is expected here": ("n1 xW5", None),
    "this depends on a secret": ("D2-D3 smashed", None),
    "others see this, too": ("D1-D2 smashed", "human"),
    "cannot have left the Tech Room": ("prof D5", "human"),
}


@pytest.mark.parametrize("cause", REFUSED)
def test_what_cannot_be_amended_so(notes, cause):
    said, owner = REFUSED[cause]
    before = notes.path.read_bytes()
    with pytest.raises(NotAllowedError, match=cause):
        amend_pieces(notes, [said], "why", BOTH, owner)
    assert notes.path.read_bytes() == before


def test_nothing_is_compared_before_all_have_agreed(notes):
    for said in ("prof D4", "prof D5", "D2-D3 wall", "nonsense"):
        with pytest.raises(NotAgreedError, match="an amended position needs mutant to agree"):
            amend_pieces(notes, [said], "why", [], "human")


def test_a_game_without_secrets_amends_its_whole_position(control):
    with pytest.raises(NotAllowedError, match="this game has no secrets"):
        amend_pieces(control, ["B4 c4"], "why", ("red", "blue"))


# Cheats


def slipped_in(session, monkeypatch, **fields):
    """An entry that a changed program has written: nothing of it was judged."""
    fields = {"by": REFEREE, "changes": (), "secret": None, "why": "the cat", "agreed": BOTH, **fields}
    with monkeypatch.context() as patch, suppress(FaultError):
        patch.setattr(Verifier, "check_non_play_entry", lambda *_: None)
        session.append([(partial(AmendPiecesEntry, **fields), None)])


def test_one_that_is_illegal_is_found_once_it_is_revealed(notes, monkeypatch):
    """The Professor cannot have left his room yet; until the reveal nobody else can know."""
    slipped_in(notes, monkeypatch, by="human", secret=Secret("human", ("prof D5",)), agreed=("mutant",))
    assert audit(shut_from(notes, "mutant").path).fault is None
    reveal_secrets(notes, agreed=BOTH)
    fault = audit(shut_from(notes).path).fault
    assert (fault.code, fault.n, fault.rule) == ("bad-position", 9, "IV.C.1-a")


CHEATS = {
    "needs human and mutant to agree": {"changes": ("D1-D2 smashed",), "agreed": ()},
    "needs mutant to agree": {"by": "human", "secret": Secret("human", ("D2-D3 none",)), "agreed": ()},
    "mutant may seal changes only of secrets of mutant": {"by": "mutant", "secret": Secret("human", ("D2-D3 none",))},
    "with no open changes beside them": {
        "by": "human",
        "secret": Secret("human", ("D2-D3 none",)),
        "changes": ("D1-D2 smashed",),
    },
    "depends on a secret": {"changes": ("D2-D3 smashed",)},
    "others see this, too": {"by": "human", "secret": Secret("human", ("D1-D2 smashed",))},
}


@pytest.mark.parametrize("cause", CHEATS)
def test_an_audit_finds_what_no_referee_records(notes, monkeypatch, cause):
    slipped_in(notes, monkeypatch, **CHEATS[cause])
    fault = audit(notes.path).fault
    assert fault.n == 9
    assert cause in fault.cause


# At random


def is_amended(session, random):
    """Whether a piece can stand as another one does."""
    owner = random.choice((None, *session.reducer.keepers))
    known = pieces(session, owner)
    change = f"{random.choice([*known])} {random.choice([*known.values()])}"
    try:
        amend_pieces(session, [change], "the cat", session.reducer.seats, owner)
    except NotAllowedError:
        return False
    return True


@pytest.mark.parametrize(("game", "options"), [("mutants", HIDDEN), ("sheboygan", {}), ("ambush", {})])
def test_whoever_reads_it_comes_to_what_he_may_see(tmp_path, ambush, game, options):
    """Pieces are amended at random between plays; with any vault alone, with none, and once all is revealed, each
    reader comes to the view of the truth that is his, and finds no fault.
    """
    random, done = Random(game), 0
    session = start(game, tmp_path / "game.jsonl", options=options, dice=OpenDice(SEED))
    for _ in range(60):
        if session.moment().to_act is None:
            break
        line = ActionBatch(session.moment(), [session.legal().pick(random)])
        if line.said and isinstance(line.said[-1].verdict, LegalVerdict):
            session.record(line.said)
        done += sum(is_amended(session, random) for _ in range(4))
    assert done
    for seats in ((), *((seat,) for seat in session.reducer.keepers)):
        other = shut_from(session, *seats)
        for eyes in (None, *seats):
            assert SeatView(other, eyes).sight.view == SeatView(session, eyes).sight.view
        assert audit(other.path).fault is None
    reveal_secrets(session, agreed=session.reducer.seats)
    shutil.rmtree(session.path.parent / "only")
    assert audit(shut_from(session).path).is_complete
