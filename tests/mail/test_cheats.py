"""One cheat of each kind, by somebody with a program of his own: each is named, and nothing of it is taken."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forger import Forger
from msgspec.structs import replace
from players import Player, at_random, seated

from referee.engine.chain import chain_of
from referee.engine.secret import Secret
from referee.mail import exchange
from referee.mail.box import box_of
from referee.mail.desk import Desk
from referee.mail.key import Key, recovery_key
from referee.mail.packet import PacketError, parse_packet
from referee.record.archive.forks import parse_fork, problem_of, spell_fork
from referee.record.log.chair import Chair, Consent, OnRecovery, OnWord
from referee.record.log.entry import (
    AgreeEntry,
    AmendEntry,
    AnswerEntry,
    BranchEntry,
    DeclareEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    ResignEntry,
    SettledEntry,
    TakebackEntry,
    encode,
)
from referee.record.log.frame import BODY_AT
from referee.record.log.offer import RejoinOffer, SettleOffer, TakebackOffer
from referee.record.table.signing import consent_text, offer_text, recovery_text


def played(place, *seats, turns, **told) -> tuple[Player, Player]:
    """A game after some turns: who has the pen now, his throw having just fallen, and the other, who waits."""
    players = seated(place, *seats, **told)
    players[0].receives(players[1].sends())
    random = Random(1)
    for _ in range(turns):
        for player in players:
            player.plays(at_random, random)
        writer, other = sorted(players, key=lambda player: not player.desk.has_pen)
        other.receives(writer.sends())
    return tuple(sorted(players, key=lambda player: not player.desk.has_pen))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return played(tmp_path_factory.mktemp("table"), "red", "blue", turns=4)


@pytest.fixture
def both(table, tmp_path):
    """Who cheats, who has the pen, and whom he cheats."""
    cheat, honest = (player.twin(tmp_path / player.seat) for player in table)
    return cheat, honest


class Cheat:
    """What a cheat sends in place of what he should."""

    def __init__(self, cheat: Player, honest: Player) -> None:
        self.me, self.other = cheat.seat, honest.seat
        self.sent = len(honest.hashes)
        self.forged = Forger(cheat, self.sent)
        self.due = cheat.log.read_bytes().splitlines(keepends=True)[self.sent :]
        """What he should send: his part of the throw, and what he threw."""
        self.answer, self.throw = cheat.session.entries[self.sent : self.sent + 2]
        self.desk = cheat.desk

    def value(self, number: int) -> str:
        """A value of his chain."""
        chair = self.desk.pact.hands[self.me].chair
        return self.desk._chain(self.me, "open", chair.after, chair.length)[number].hex()

    def chair(self, after: str) -> Chair:
        """A place for the same key with chains of his own making."""
        tip = chain_of(self.forged.game_id, self.me, bytes(32), 30)[0].hex()
        return Chair(self.desk.key.public, tip, None, 30, after)

    def honestly(self) -> Forger:
        self.forged.lines += self.due
        return self.forged

    def answered(self) -> Forger:
        """His part of the throw is given: from here on he knows his dice."""
        self.forged.lines += self.due[:1]
        return self.forged


def takes_back(to):
    return lambda c: c.forged.add(TakebackEntry, by=c.me, to=to(len(c.forged.lines)), agreed=())


def goes_back_from_known_dice(c):
    forged = c.answered()
    return forged.add(TakebackEntry, by=c.me, to=len(forged.lines) - 1, agreed=())


def offers(c):
    """He offers something when he has thrown, and owes nothing any more."""
    on = len(c.honestly().lines) - 1
    return c.forged.add(OfferEntry, by=c.me, offer=SettleOffer((c.me,)), on=on, signature=None)


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
            re.sub(rb'"faces":\[(\d),', lambda die: b'"faces":[%d,' % (int(die[1]) % 6 + 1), c.due[1][BODY_AT:-2])
        ),
        "bad-dice",
    ),
    "dice thrown again: declared": (
        lambda c: c.answered().add(
            DeclareEntry,
            by=c.me,
            cast=c.answer.cast + 1,
            value=c.value(c.answer.cast + 2),
            actions=(c.throw.action,),
            secret=None,
        ),
        "bad-cast",
    ),
    "dice thrown again: answered": (
        lambda c: c.answered().add(AnswerEntry, by=c.me, cast=c.answer.cast + 1, value=c.value(c.answer.cast + 2)),
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
        lambda c: c.honestly().add(
            DeclareEntry, by=c.me, cast=c.answer.cast + 1, value=c.value(c.answer.cast + 2), actions=(), secret=None
        ),
        "bad-cast",
    ),
    "what is illegal declared": (
        lambda c: c.honestly().add(
            DeclareEntry,
            by=c.me,
            cast=c.answer.cast + 1,
            value=c.value(c.answer.cast + 2),
            actions=(c.throw.action,),
            secret=None,
        ),
        "illegal-action",
    ),
    "an answer where there is a choice": (
        lambda c: c.honestly().add(AnswerEntry, by=c.me, cast=c.answer.cast + 1, value=c.value(c.answer.cast + 2)),
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
            offer=SettleOffer((c.me,)),
            on=c.sent - 1,
            signature=c.desk.key.sign(offer_text(c.forged.record_id, c.sent - 1, encode(SettleOffer((c.me,))))),
        ),
        "bad-seal",
    ),
    "an offer in place of an answer": (
        lambda c: c.forged.add(OfferEntry, by=c.me, offer=SettleOffer(()), on=c.sent - 1, signature=None),
        "bad-cast",
    ),
    "agreement in another's name": (lambda c: offers(c).add(AgreeEntry, by=c.other, to=last(c)), "bad-seal"),
    "agreement with oneself": (lambda c: offers(c).add(AgreeEntry, by=c.me, to=last(c)), "bad-offer"),
    "a refusal of nothing": (lambda c: c.forged.add(RefuseEntry, by=c.me, to=1), "bad-offer"),
    "agreement that nobody gave": (
        lambda c: offers(c).add(SettledEntry, by="referee", winners=(c.me,), agreed=(c.me, c.other)),
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


HEIR = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), bytes(32))


def heir_chair(c: Cheat) -> Chair:
    """A place for another key at the cheat's seat."""
    return Desk(c.desk.session, HEIR).chair(c.me)


def sits(c: Cheat, warrant, chair: Chair | None = None, *, answered: bool = False) -> Forger:
    """Another key sits down at the cheat's seat."""
    forged = c.answered() if answered else c.forged
    chair = replace(chair or heir_chair(c), after=forged.head)
    return forged.add(JoinEntry, by=c.me, seed=None, chair=chair, warrant=warrant(c, chair) if warrant else None)


def word(c: Cheat, chair: Chair) -> OnWord:
    """The other's word, which the cheat has signed himself."""
    text = consent_text(c.forged.record_id, c.me, c.sent - 1, encode(RejoinOffer(chair)))
    return OnWord(c.sent - 1, (Consent(c.other, c.desk.key.sign(text)),))


def recovery(owner: Key | None, about: str = ""):
    """A warrant by the recovery key of somebody; the cheat's own, if it is nobody's."""

    def made(c: Cheat, chair: Chair) -> OnRecovery:
        key = recovery_key((owner or c.desk.key).secret)
        return OnRecovery(key.public, key.sign(recovery_text(c.forged.record_id, about or c.me, encode(chair))))

    return made


KEYS = {
    "another key on nobody's word": (lambda c: sits(c, None), "bad-agreement"),
    "another key on a word that is missing": (lambda c: sits(c, lambda _c, _chair: OnWord(0, ())), "bad-agreement"),
    "another key on a word that he signed himself": (lambda c: sits(c, word), "bad-seal"),
    "somebody else's recovery key": (lambda c: sits(c, recovery(HEIR), answered=True), "bad-agreement"),
    "a recovery key for another seat": (lambda c: sits(c, recovery(None, c.other), answered=True), "bad-seal"),
    "dice refused by a recovery key": (lambda c: sits(c, recovery(None)), "bad-cast"),
    "a word for his own key": (
        lambda c: sits(c, lambda _c, _chair: OnWord(0, ()), c.chair(c.forged.head), answered=True),
        "bad-agreement",
    ),
    "another key asked for in the log": (
        lambda c: c.forged.add(OfferEntry, by=c.me, offer=RejoinOffer(heir_chair(c)), on=c.sent - 1, signature=None),
        "bad-offer",
    ),
}


def refused(both, packet, situation):
    """What the honest player is told; and nothing has changed at his place."""
    _, honest = both
    before = {path: path.read_bytes() for path in honest.log.parent.rglob("*") if path.is_file()}
    arrival = honest.receives(packet)
    assert arrival.situation == situation, arrival
    assert {path: path.read_bytes() for path in honest.log.parent.rglob("*") if path.is_file()} == before
    return arrival


@pytest.mark.parametrize("name", ENTRIES)
def test_what_may_not_stand_there_is_named(both, name):
    change, code = ENTRIES[name]
    cheat = Cheat(*both)
    forged = change(cheat)
    arrival = refused(both, forged.seal(cheat.other).packet(cheat.sent), "faulty")
    assert (arrival.seat, arrival.fault.fault.code) == (cheat.me, code)


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
    arrival = both[1].receives(forged.packet(cheat.sent))
    assert arrival.situation == "new", arrival.fault
    assert both[1].desk.pact.heirs == {}
    assert both[1].desk.pact.key_of(cheat.me) == HEIR.public


@pytest.mark.parametrize("name", SEALS)
def test_a_false_seal_is_named(both, name, tmp_path):
    change, code = SEALS[name]
    cheat = Cheat(*both)
    cheat.stranger = Player(tmp_path / "stranger", "stranger").key
    arrival = refused(both, change(cheat).packet(cheat.sent), "faulty")
    assert arrival.fault.fault.code == code


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


# Histories


def test_what_was_acknowledged_cannot_be_changed(both):
    cheat = Cheat(*both)
    forged = Forger(both[0], cheat.sent - 2)
    forged.add(NoteEntry, by=cheat.other, text="I did something else.").seal(cheat.me, by=cheat.other)
    forged.add(NoteEntry, by=cheat.me, text="So did I.").seal(cheat.other)
    assert refused(both, forged.packet(cheat.sent - 3), "changed").first == cheat.sent - 2


def test_the_time_of_a_seal_is_no_proof_against_its_seat(both):
    """No seal signs itself: who alters its time sends what nobody takes, and proves nothing."""
    cheat, honest = both
    sent = len(honest.hashes)
    forged = Forger(cheat, sent)
    forged.add_bytes(forged.lines.pop()[BODY_AT:-2].replace(b"2026-01-02", b"2026-01-03"))
    forged.add(NoteEntry, by=cheat.seat, text="So.").seal(honest.seat)
    assert refused(both, forged.packet(sent - 1), "faulty").fork is None
    third = honest.twin(honest.log.parent.with_name("third"))
    third.log.write_bytes(b"".join(forged.lines))
    third.log.with_name(f"{third.log.name}.head").unlink()
    for player, other in ((cheat, honest), (honest, cheat)):
        player.plays(at_random, Random(2))
        packet = player.sends(0)
        other.receives(packet)
    arrival = third.receives(packet)
    assert (arrival.situation, arrival.seat) == ("forked", cheat.seat)  # who has altered it, and signed both


def two_histories(both):
    """Two packets with different entries under one number, each signed by the cheat."""
    cheat = Cheat(*both)
    one = Forger(both[0], cheat.sent).add(NoteEntry, by=cheat.me, text="This.").seal(cheat.other)
    other = Forger(both[0], cheat.sent).add(NoteEntry, by=cheat.me, text="That.").seal(cheat.other)
    return cheat, one.packet(cheat.sent), other.packet(cheat.sent)


def test_two_entries_with_one_number_are_proven(both):
    cheat, one, other = two_histories(both)
    assert both[1].receives(one).situation == "new"
    arrival = refused(both, other, "forked")
    assert (arrival.seat, arrival.first) == (cheat.me, cheat.sent)
    proof = parse_fork(spell_fork(arrival.fork))
    assert problem_of(proof) is None


def _other_digit(found):
    return found[1] + (b"1" if found[2] == b"0" else b"0")


DOCTORED = {
    "another game": lambda proof: re.sub(rb'("game": ")(.)', _other_digit, proof, count=1),
    "another seat": lambda proof: re.sub(rb'"seat": "\w+"', b'"seat": "green"', proof, count=1),
    "other words": lambda proof: proof.replace(b"That.", b"Thus."),
    "the same twice": lambda proof: proof.replace(b"That.", b"This."),
    "another number": lambda proof: re.sub(rb'"n": (\d+)', lambda m: b'"n": %d' % (int(m[1]) + 1), proof, count=1),
    "cut short": lambda proof: proof[: len(proof) // 2],
    "nothing": lambda proof: b"{}",
}


@pytest.mark.parametrize("how", DOCTORED)
def test_a_doctored_proof_proves_nothing(both, how):
    _, one, other = two_histories(both)
    both[1].receives(one)
    proof = spell_fork(both[1].receives(other).fork)
    doctored = DOCTORED[how](proof)
    assert doctored != proof
    found = parse_fork(doctored)
    assert found is None or problem_of(found) is not None


def test_two_pens_from_one_number_are_proven(tmp_path):
    """Three play: the same is signed twice, with the pen for another each time."""
    players = seated(tmp_path, "red", "blue", "green", options={"form": "three"})
    for player in players[:2]:
        player.receives(players[2].sends())
    cheat, *others = sorted(players, key=lambda player: not player.desk.has_pen)
    sent = len(others[0].hashes)
    packets = [
        Forger(cheat, sent).add(NoteEntry, by=cheat.seat, text="To you.").seal(to.seat).packet(sent) for to in others
    ]
    assert others[0].receives(packets[0]).situation == "new"
    arrival = others[0].receives(packets[1])
    assert (arrival.situation, arrival.seat) == ("forked", cheat.seat)


# Secrets


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
    arrival = refused(hidden, forged.seal(honest.seat).packet(sent), "faulty")
    assert (arrival.seat, arrival.fault.fault.code) == (cheat.seat, "bad-seal")


# Packets


def test_old_and_strange_packets(both, tmp_path):
    cheat = Cheat(*both)
    refused(both, Forger(both[0], 10).packet(0), "ahead")
    strange = seated(tmp_path / "others", "red", "blue", luck="strange")
    refused(both, strange[1].sends(), "other-game")
    refused(both, cheat.honestly().seal(cheat.other).packet(cheat.sent, rules=99), "other-rules")


EVIL = {
    "a line of 10 MB": lambda head, lines: head + b'{"hash":"' + b"0" * 10_000_000 + b"\n",
    "a deep line": lambda head, lines: head + lines[0][:BODY_AT] + b'{"prev":' + b"[" * 60_000 + b"\n",
    "a deep head": lambda head, lines: b'{"format":' + b"[" * 1_000_000 + b"\n",
    "control characters": lambda head, lines: head + lines[0].replace(b"T", b"\x1b]52;c;\x07", 1),
    "NUL": lambda head, lines: b"\0" * 5000,
    "a name with ways": lambda head, lines: re.sub(rb'"module":"[^"]*"', b'"module":"../../x"', head) + b"".join(lines),
    "a seat with ways": lambda head, lines: re.sub(rb'"by":"[^"]*"', b'"by":"../x"', head) + b"".join(lines),
    "a huge number": lambda head, lines: re.sub(rb'"base":\d+', b'"base":' + b"9" * 5000, head),
    "a doubled key": lambda head, lines: head.replace(b'{"', b'{"surprise":1,"', 1) + b"".join(lines),
    "a BOM": lambda head, lines: b"\xef\xbb\xbf" + head + b"".join(lines),
    "a lone surrogate": lambda head, lines: head.replace(b'"module":"', b'"module":"\xed\xa0\x80', 1),
    "a newer form": lambda head, lines: re.sub(rb'"format":\d+', b'"format":7', head) + b"".join(lines),
    "lines that do not follow": lambda head, lines: head + b"".join(reversed(lines)),
    "a line left out": lambda head, lines: head + b"".join(lines[1:]),
    "the last line left out": lambda head, lines: head + b"".join(lines[:-1]),
    "nothing": lambda head, lines: b"",
}


@pytest.mark.parametrize("name", EVIL)
def test_what_is_no_packet_is_refused_in_a_sentence(both, name):
    cheat = Cheat(*both)
    spelt = cheat.honestly().seal(cheat.other).packet(cheat.sent).spelt()
    head, *lines = spelt.splitlines(keepends=True)
    with pytest.raises(PacketError) as error:
        parse_packet(EVIL[name](head, lines))
    assert len(str(error.value)) < 400
    assert str(error.value).isprintable()


# A full disk


def test_a_stranger_fills_no_box(both):
    """Ten kilobytes become megabytes of blanks. What nobody who plays has signed is not kept."""
    cheat, honest = both
    sent = len(honest.hashes)
    for number in range(5):
        forged = Forger(cheat, sent)
        for _ in range(40):
            forged.add(NoteEntry, by=cheat.seat, text=str(number) + " " * 4000)
        forged.seal(honest.seat, key=Player(honest.log.parent / f"stranger {number}", "stranger").key)
        arrival = honest.receives(forged.packet(sent + 2))
        assert (arrival.situation, arrival.kept) == ("early", False)
    assert not box_of(honest.log).exists()


def test_what_a_player_signs_is_kept_as_far_as_there_is_room(both, monkeypatch):
    cheat, honest = both
    sent = len(honest.hashes)
    monkeypatch.setattr(exchange, "MOST_DATA", 10_000)
    for number in range(5):
        forged = Forger(cheat, sent)
        for _ in range(4):
            forged.add(NoteEntry, by=cheat.seat, text=str(number) + " " * 1000)
        assert honest.receives(forged.seal(honest.seat).packet(sent + 1)).kept == (number < 2)
    assert sum(path.stat().st_size for path in box_of(honest.log).iterdir()) < 10_000


def test_a_file_that_the_game_does_not_name_is_refused(both):
    cheat, _ = both
    packet = cheat.sends(0)
    data = b"anything"
    extra = {sha256(data).hexdigest(): b64encode(data).decode()}
    forged = replace(packet, head=replace(packet.head, files=extra))
    with pytest.raises(PacketError, match="a file that its game does not name"):
        parse_packet(forged.spelt())
