"""One cheat of each kind, by somebody with a program of his own: each is named, and nothing of it is taken."""

from __future__ import annotations

import re

import pytest
from cheating import Cheat, played, refused
from forger import Forger
from players import Player

from referee.engine.secret import Secret
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    BranchEntry,
    DeclareEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    encode_for_log,
)
from referee.record.log.line_format import BODY_OFFSET
from referee.record.table.deeds.amend import AmendEntry
from referee.record.table.deeds.resign import ResignEntry
from referee.record.table.deeds.settle import AgreedEndEntry, AgreedEndOffer
from referee.record.table.deeds.takeback import TakebackEntry, TakebackOffer
from referee.record.table.signed_texts import make_offer_text


def takes_back(to):
    return lambda c: c.forged.add(TakebackEntry, by=c.me, to=to(len(c.forged.lines)), agreed=())


def goes_back_from_known_dice(c):
    forged = c.answered()
    return forged.add(TakebackEntry, by=c.me, to=len(forged.lines) - 1, agreed=())


def declares(c, forged, *actions):
    """He declares for the next throw what he has no right to declare."""
    number = c.answer.cast + 1
    return forged.add(DeclareEntry, by=c.me, cast=number, value=c.value(number + 1), actions=actions, secret=None)


def answers(c, forged):
    """He answers the next throw, which nobody has opened."""
    number = c.answer.cast + 1
    return forged.add(AnswerEntry, by=c.me, cast=number, value=c.value(number + 1))


def offers(c):
    """He offers something when he has thrown, and owes nothing any more."""
    on = len(c.honestly().lines) - 1
    return c.forged.add(OfferEntry, by=c.me, offer=AgreedEndOffer((c.me,)), on=on, signature=None)


def last(c):
    return len(c.forged.lines) - 1


ENTRIES = {
    "a wrong value": (lambda c: c.forged.add(AnswerEntry, by=c.me, cast=c.answer.cast, value="ab" * 32), "bad-cast"),
    "a value used twice": (
        lambda c: c.forged.add(AnswerEntry, by=c.me, cast=c.answer.cast, value=c.value(c.answer.cast)),
        "bad-cast",
    ),
    "a value out of turn": (
        lambda c: c.forged.add(AnswerEntry, by=c.me, cast=c.answer.cast, value=c.value(c.answer.cast + 2)),
        "bad-cast",
    ),
    "another throw's number": (
        lambda c: c.forged.add(AnswerEntry, by=c.me, cast=c.answer.cast - 1, value=c.answer.value),
        "bad-cast",
    ),
    "dice before all have thrown": (lambda c: c.forged.copy(c.due[1:]), "bad-cast"),
    "other dice": (
        lambda c: c.answered().add_bytes(
            re.sub(rb'"faces":\[(\d),', lambda die: b'"faces":[%d,' % (int(die[1]) % 6 + 1), c.due[1][BODY_OFFSET:-2])
        ),
        "bad-dice",
    ),
    "dice thrown again: declared": (
        lambda c: declares(c, c.answered(), c.throw.action),
        "bad-cast",
    ),
    "dice thrown again: answered": (
        lambda c: answers(c, c.answered()),
        "bad-cast",
    ),
    "dice thrown again: taken back to where it stands": (goes_back_from_known_dice, "bad-agreement"),
    "a throw refused: taken back to where it stands": (takes_back(lambda n: n - 1), "bad-agreement"),
    "a throw refused: taken back": (takes_back(lambda n: n - 3), "bad-agreement"),
    "dice thrown again: on a branch": (
        lambda c: c.answered().add(BranchEntry, by="referee", name="b", parent="game"),
        "bad-order",
    ),
    "dice thrown again: chains changed": (
        lambda c: c.forged.add(JoinEntry, by=c.me, seed=None, chair=c.chair(c.forged.head)),
        "bad-cast",
    ),
    "chains made for another place": (
        lambda c: c.honestly().add(JoinEntry, by=c.me, seed=None, chair=c.chair("0" * 64)),
        "bad-cast",
    ),
    "nothing declared": (
        lambda c: declares(c, c.honestly()),
        "bad-cast",
    ),
    "what is illegal declared": (
        lambda c: declares(c, c.honestly(), c.throw.action),
        "illegal-action",
    ),
    "an answer where there is a choice": (
        lambda c: answers(c, c.honestly()),
        "bad-cast",
    ),
    "an illegal play": (lambda c: c.honestly().copy(c.due[1:2]), "illegal-action"),
    "a remark in another's name": (lambda c: c.forged.add(NoteEntry, by=c.other, text="I give up."), "bad-seal"),
    "resigned for another": (lambda c: c.forged.add(ResignEntry, by=c.other, agreed=()), "bad-seal"),
    "resigned for another, who is said to agree": (
        lambda c: c.forged.add(ResignEntry, by=c.other, agreed=(c.me,)),
        "bad-seal",
    ),
    "an answer in another's name": (
        lambda c: c.forged.add(AnswerEntry, by=c.other, cast=c.answer.cast, value="ab" * 32),
        "bad-seal",
    ),
    "an offer in another's name": (
        lambda c: c.forged.add(OfferEntry, by=c.other, offer=TakebackOffer(0), on=0, signature=None),
        "bad-seal",
    ),
    "an offer signed with the wrong key": (
        lambda c: c.forged.add(
            OfferEntry,
            by=c.other,
            offer=AgreedEndOffer((c.me,)),
            on=c.sent - 1,
            signature=c.desk.key.sign(
                make_offer_text(c.forged.record_id, c.sent - 1, encode_for_log(AgreedEndOffer((c.me,))))
            ),
        ),
        "bad-seal",
    ),
    "an offer in place of an answer": (
        lambda c: c.forged.add(OfferEntry, by=c.me, offer=AgreedEndOffer(()), on=c.sent - 1, signature=None),
        "bad-cast",
    ),
    "agreement in another's name": (lambda c: offers(c).add(AgreeEntry, by=c.other, to=last(c)), "bad-seal"),
    "agreement with oneself": (lambda c: offers(c).add(AgreeEntry, by=c.me, to=last(c)), "bad-offer"),
    "a refusal of nothing": (lambda c: c.forged.add(RefuseEntry, by=c.me, to=1), "bad-offer"),
    "agreement that nobody gave": (
        lambda c: offers(c).add(AgreedEndEntry, by="referee", winners=(c.me,), agreed=(c.me, c.other)),
        "bad-agreement",
    ),
    "a position that nobody agreed on": (
        lambda c: c.forged.add(AmendEntry, by="referee", position={}, why="so", agreed=(c.me, c.other)),
        "bad-agreement",
    ),
    "a game that begins again": (lambda c: c.forged.copy(c.forged.lines[:1]), "bad-order"),
}


SEALS = {
    "another key": (lambda c: c.honestly().seal(c.other, key=c.stranger), "bad-seal"),
    "another's seal": (lambda c: c.honestly().seal(c.me, by=c.other), "bad-seal"),
    "handed to oneself": (lambda c: c.honestly().seal(c.me), "bad-seal"),
    "handed to nobody": (lambda c: c.honestly().seal("green"), "bad-seal"),
    "a pen that was taken": (
        lambda c: c.honestly().seal(c.other).add(NoteEntry, by=c.me, text="More.").seal(c.other),
        "bad-seal",
    ),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_what_may_not_stand_there_is_named(both, name):
    change, code = ENTRIES[name]
    cheat = Cheat(*both)
    forged = change(cheat)
    verdict = refused(both, forged.seal(cheat.other).packet(cheat.sent), "faulty")
    assert (verdict.seat, verdict.fault.fault.code) == (cheat.me, code)


@pytest.mark.parametrize("name", SEALS)
def test_a_false_seal_is_named(both, name, tmp_path):
    change, code = SEALS[name]
    cheat = Cheat(*both)
    cheat.stranger = Player(tmp_path / "stranger", "stranger").key
    verdict = refused(both, change(cheat).packet(cheat.sent), "faulty")
    assert verdict.fault.fault.code == code


def test_without_a_seal_nothing_is_taken(both):
    cheat = Cheat(*both)
    assert refused(both, cheat.honestly().packet(cheat.sent), "unsigned").seat == cheat.me


def test_what_is_honest_is_taken(both):
    """The control of all of these."""
    cheat = Cheat(*both)
    assert both[1].receives(cheat.honestly().seal(cheat.other).packet(cheat.sent)).situation == "new"


def test_chains_may_be_changed_and_the_dice_stay(both):
    cheat = Cheat(*both)
    forged = cheat.answered()
    forged.add(JoinEntry, by=cheat.me, seed=None, chair=cheat.chair(forged.head)).copy(cheat.due[1:2])
    assert both[1].receives(forged.seal(cheat.other).packet(cheat.sent)).situation == "new"


@pytest.fixture(scope="module")
def hidden_table(tmp_path_factory):
    place = tmp_path_factory.mktemp("hidden")
    return played(place, "human", "mutant", turns=3, game="mutants", options={"hidden-movement": "yes"})


@pytest.fixture
def hidden(hidden_table, tmp_path):
    """The same two with secrets, on a board where nobody sees who goes where."""
    return tuple(player.twin(tmp_path / player.seat) for player in hidden_table)


def test_a_secret_play_in_anothers_name(hidden):
    """Nobody else can judge it: who has the pen cannot say that the other has played something in secret."""
    cheat, honest = hidden
    sent = len(honest.hashes)
    made_up = Secret(honest.seat, leaf="ab" * 32)
    forged = Forger(cheat, sent).add(PlayEntry, by=honest.seat, action=None, rolls=(), events=(), secret=made_up)
    verdict = refused(hidden, forged.seal(honest.seat).packet(sent), "faulty")
    assert (verdict.seat, verdict.fault.fault.code) == (cheat.seat, "bad-seal")
