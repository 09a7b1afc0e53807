"""Who sits down at another's seat with a key of his own, and with no right to: nothing of it is taken."""

from __future__ import annotations

import pytest
from cheating import Cheat, refused
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forger import Forger
from msgspec.structs import replace

from referee.mail.key import Key, derive_recovery_key
from referee.mail.mail_player import MailPlayer
from referee.record.log.enrolment import Consent, ConsentWarrant, Enrolment, RecoveryWarrant
from referee.record.log.entry import JoinEntry, OfferEntry, encode_for_log
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.signed_texts import make_consent_text, make_recovery_text

HEIR = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), bytes(32))


def heir_chair(c: Cheat) -> Enrolment:
    """A place for another key at the cheat's seat."""
    return MailPlayer(c.desk.session, HEIR).make_enrolment(c.me)


def sits(c: Cheat, warrant, chair: Enrolment | None = None, *, answered: bool = False) -> Forger:
    """Another key sits down at the cheat's seat."""
    forged = c.answered() if answered else c.forged
    chair = replace(chair or heir_chair(c), after=forged.head)
    return forged.add(JoinEntry, by=c.me, seed=None, chair=chair, warrant=warrant(c, chair) if warrant else None)


def word(c: Cheat, chair: Enrolment) -> ConsentWarrant:
    """The other's word, which the cheat has signed himself."""
    text = make_consent_text(c.forged.record_id, c.me, c.sent - 1, encode_for_log(RejoinOffer(chair)))
    return ConsentWarrant(c.sent - 1, (Consent(c.other, c.desk.key.sign(text)),))


def recovery(owner: Key | None, about: str = ""):
    """A warrant by the recovery key of somebody; the cheat's own, if it is nobody's."""

    def made(c: Cheat, chair: Enrolment) -> RecoveryWarrant:
        key = derive_recovery_key((owner or c.desk.key).secret)
        return RecoveryWarrant(
            key.public, key.sign(make_recovery_text(c.forged.record_id, about or c.me, encode_for_log(chair)))
        )

    return made


KEYS = {
    "another key on nobody's word": (lambda c: sits(c, None), "bad-agreement"),
    "another key on a word that is missing": (
        lambda c: sits(c, lambda _c, _chair: ConsentWarrant(0, ())),
        "bad-agreement",
    ),
    "another key on a word that he signed himself": (lambda c: sits(c, word), "bad-seal"),
    "somebody else's recovery key": (lambda c: sits(c, recovery(HEIR), answered=True), "bad-agreement"),
    "a recovery key for another seat": (lambda c: sits(c, recovery(None, c.other), answered=True), "bad-seal"),
    "dice refused by a recovery key": (lambda c: sits(c, recovery(None)), "bad-cast"),
    "a word for his own key": (
        lambda c: sits(c, lambda _c, _chair: ConsentWarrant(0, ()), c.chair(c.forged.head), answered=True),
        "bad-agreement",
    ),
    "another key asked for in the log": (
        lambda c: c.forged.add(OfferEntry, by=c.me, offer=RejoinOffer(heir_chair(c)), on=c.sent - 1, signature=None),
        "bad-offer",
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_another_key_without_a_warrant_is_named(both, name):
    change, code = KEYS[name]
    cheat = Cheat(*both)
    forged = change(cheat).seal(cheat.other, key=HEIR)
    assert refused(both, forged.packet(cheat.sent), "faulty").fault.fault.code == code


def test_a_recovery_key_needs_nobodys_word(both):
    """The control of these."""
    cheat = Cheat(*both)
    forged = sits(cheat, recovery(None), answered=True).seal(cheat.other, key=HEIR)
    verdict = both[1].receives(forged.packet(cheat.sent))
    assert verdict.situation == "new", verdict.fault
    assert both[1].desk.protocol.replacements == {}
    assert both[1].desk.protocol.find_signing_key(cheat.me) == HEIR.public
