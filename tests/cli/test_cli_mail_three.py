"""Three players by mail: parts of a throw are given side by side, in any order, and nobody cheats with them."""

from __future__ import annotations

import shutil
from functools import partial

import pytest
from msgspec.structs import replace
from penfriends import Person, packet_in, read_words, seated_three, sent_to

from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.key import derive_recovery_key
from referee.mail.packet import PACKET_FORMAT, Packet, PacketHead, read_line_hash
from referee.record.log.enrolment import RecoveryWarrant
from referee.record.log.entry import (
    AnswerEntry,
    DeclareEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    SealEntry,
    encode_for_log,
)
from referee.record.log.line_format import format_entry_line
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.signed_texts import make_seal_text

AT = "2026-01-02T03:04:05Z"


@pytest.fixture
def luck():
    """With this Bo begins."""
    return "luck 8"


@pytest.fixture
def people(cli, tmp_path, monkeypatch, told, luck):
    """The same people in an older game, whose joint rolls depend on the time of an entry."""
    return lambda name: Person(name, tmp_path, cli, monkeypatch, told, luck, derivation=1)


@pytest.fixture
def seated(people):
    """Zombies for three: all sit, and red's first throw, which all owe parts of, has not fallen."""
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    seated_three(anna, bo, carla)
    return anna, bo, carla


@pytest.fixture
def declared(seated):
    """Bo, who begins, has declared what he does, and both others have it: Anna and Carla owe a share of roll 1."""
    anna, bo, carla = seated
    sent_to(anna, bo, carla)
    sent_to(bo, anna)
    sent_to(anna, bo, carla)
    assert "Declared: pick LUI." in bo.does("pick LUI").shown
    sent_to(bo, anna, carla)
    return bo, anna, carla


def entries(person):
    return list(open_log(person.log).entries)


def thrown(person):
    return [roll.faces for entry in entries(person) if isinstance(entry, PlayEntry) for roll in entry.rolls]


def test_who_throws_waits_once_however_many_owe_parts(seated):
    anna, bo, carla = seated
    assert "the dice fall once blue has answered: referee mail pack" in read_words(
        anna("mail")
    )  # Carla gave hers as she sat down
    sent_to(anna, bo, carla)
    assert "blue has answered: referee mail open; referee mail pack writes your own mail again" in read_words(
        anna("mail")
    )
    assert "Next: referee mail pack, which sends your share of roll 0" in read_words(bo("mail"))
    assert "waits for you (blue)" in read_words(bo(f"mail {bo.folder}"))
    mail = bo.mails()
    assert b"blue gives a share of roll 0." in mail
    assert "once the mail of red has come; referee mail pack writes your own mail again" in read_words(bo("mail"))
    assert "waits for red" in read_words(bo(f"mail {bo.folder}"))
    assert bo.mails() == mail  # it may go lost, and is sent again
    assert "blue gives a share of roll 0." in read_words(anna.gets(mail))
    assert thrown(anna)


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_two_who_answer_at_once_come_to_one_head_in_either_order(declared, order):
    """Both write without having seen what the other writes; whoever's mail comes first, the dice are the same."""
    bo = declared[0]
    before = len(thrown(bo))
    mails = {at: declared[at].mails() for at in (1, 2)}
    for at in order:
        owing = read_words(bo("mail"))
        assert "the dice fall once" in owing
        assert bo.gets(mails[at]).code == 0
        assert bo.gets(mails[at]).code == 0  # twice does no harm
    assert len(thrown(bo)) > before
    for other in (1, 2):  # and theirs reach each other, which changes nothing
        assert declared[other].gets(mails[3 - other]).code == 0
    sent_to(bo, *declared[1:])
    assert len({person.log.read_bytes() for person in declared}) == 1
    assert all(person("audit").out.startswith("CLEAN") for person in declared)
    faces = thrown(bo)[before:]
    known = FACES.setdefault("faces", faces)
    assert faces == known


FACES: dict[str, list[tuple[int, ...]]] = {}
"""What fell, whichever order was tried first."""


# Cheats


class Liar:
    """Bo, with a program of his own: he writes what he likes, and signs it."""

    def __init__(self, person):
        self.person, self.session = person, open_log(person.log)
        self.lines = person.log.read_bytes().splitlines(keepends=True)
        with person._patch.context() as patch:
            patch.setenv("XDG_CONFIG_HOME", str(person.home))
            patch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(person.home))
            from referee.mail.key import read_own_key

            self.key = read_own_key()

    @property
    def protocol(self):
        return self.session.reducer.protocol

    def adds(self, kind, **fields):
        entry = partial(kind, **fields)(n=len(self.lines), prev=read_line_hash(self.lines[-1]), at=AT)
        self.lines.append(format_entry_line(encode_for_log(entry)))
        return self

    def signs(self, to, seat="blue"):
        n, head = len(self.lines) - 1, read_line_hash(self.lines[-1])
        signature = self.key.sign(make_seal_text(self.protocol.record_id, n, head, to, AT))
        return self.adds(SealEntry, by=seat, to=to, signature=signature)

    def mail(self, base=0, parts=()):
        header, ids = self.session.reducer.header, (self.protocol.game_id, self.protocol.record_id)
        after = read_line_hash(self.lines[base - 1]) if base else "0" * 64
        about = (
            PACKET_FORMAT,
            *ids,
            header.game,
            header.rules,
            "blue",
            base,
            after,
            read_line_hash(self.lines[-1]),
            {},
            (),
            parts,
        )
        return encode_ascii_armor(Packet(PacketHead(*about), tuple(self.lines[base:])).encode()).encode()


def refused(person, mail, words):
    """Nothing of it is taken in, and why is told."""
    before = person.log.read_bytes()
    answer = person.gets(mail)
    assert answer.code == 1, answer.shown
    assert words in read_words(answer)
    assert person.log.read_bytes() == before


def parts_of(declared):
    return {at: packet_in(declared[at].mails()).head.parts[0] for at in (1, 2)}


def answer_with(part, **changed):
    fields = {"by": part.by, "cast": part.cast, "value": part.value, "signature": part.signature}
    return fields | changed


LIES = {
    "another value": (lambda parts: {"value": "ab" * 32}, "not signed with the key of red"),
    "another throw": (lambda parts: {"cast": 0}, "not signed with the key of red"),
    "a throw to come": (lambda parts: {"cast": 2}, "not signed with the key of red"),
    "another seat": (lambda parts: {"by": "green"}, "not signed with the key of green"),
    "no signature": (lambda parts: {"signature": None}, "adds to the log, but blue has the pen"),
    "another's signature": (lambda parts: {"signature": parts[2].signature}, "not signed with the key of red"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_part_that_its_seat_has_not_given_so_is_refused(declared, lie):
    _, anna, _ = declared
    parts = parts_of(declared)
    changed, why = LIES[lie]
    forged = Liar(declared[0]).adds(AnswerEntry, **answer_with(parts[1], **changed(parts))).signs("blue")
    refused(anna, forged.mail(), why)


def test_a_part_is_put_on_the_record_once(declared):
    part = parts_of(declared)[1]
    forged = Liar(declared[0])
    for _ in range(2):
        forged.adds(AnswerEntry, **answer_with(part))
    refused(declared[1], forged.signs("blue").mail(), "owes no answer to roll 1")


def test_who_knows_the_dice_declares_nothing_else(declared):
    """Bo has both parts, does not like what falls, and declares something else with the same throw: she has signed
    two, and neither part is signed for the second.
    """
    bo, anna, _ = declared
    parts = parts_of(declared)
    forged = Liar(bo)
    at = next(entry.n for entry in reversed(entries(bo)) if isinstance(entry, DeclareEntry))
    first = entries(bo)[at]
    forged.lines = forged.lines[:at]
    fields = {"by": "blue", "cast": first.cast, "value": first.value, "actions": first.actions, "secret": None}
    forged.adds(NoteEntry, by="blue", text="again").adds(DeclareEntry, **fields)
    for part in parts.values():
        forged.adds(AnswerEntry, **answer_with(part))
    forged.signs("blue")
    before = anna.log.read_bytes()
    answer = anna.gets(forged.mail())
    assert answer.code == 1
    assert anna.log.read_bytes() == before
    assert "two" in read_words(answer)
    # and where it comes to somebody who has not had the first one
    fresh = anna.folder / "logs" / "aside"
    fresh.mkdir()
    shutil.move(anna.log, fresh / "old.jsonl")
    answer = anna.gets(forged.mail())
    assert answer.code == 1
    assert "not signed with the key of red" in read_words(answer)


def test_a_part_that_was_given_serves_no_second_declaration(declared):
    """Anna has given hers; Bo's other history, which he takes in place of the first, gets none."""
    bo, anna, _ = declared
    anna.mails()
    forged = Liar(bo)
    at = next(entry.n for entry in reversed(entries(bo)) if isinstance(entry, DeclareEntry))
    first = entries(bo)[at]
    forged.lines = forged.lines[:at]
    fields = {"by": "blue", "cast": first.cast, "value": first.value, "actions": first.actions, "secret": None}
    forged.adds(NoteEntry, by="blue", text="again").adds(DeclareEntry, **fields).signs("blue")
    before = anna.log.read_bytes()
    for how in ("", "--theirs"):
        assert anna.gets(forged.mail(), how).code == 1
        assert anna.log.read_bytes() == before
    shutil.rmtree(anna.log.parent)  # nor where his own copy is gone
    assert anna.gets(forged.mail()).code == 0
    answer = anna("mail", "pack")
    assert answer.code == 1
    assert "share of roll 1 to another action that blue" in read_words(answer)


def test_who_may_know_the_dice_offers_nothing_in_their_place(declared):
    bo, anna, _ = declared
    for person in (bo, anna):
        answer = person("finish nobody" if person is bo else "finish nobody --why no")
        assert answer.code in (1, 2), answer.shown
    assert "make your offer after it" in read_words(bo("finish nobody"))
    on = len(entries(bo)) - 1
    forged = Liar(bo).adds(OfferEntry, by="blue", offer=AgreedEndOffer(()), on=on, signature=None).signs("blue")
    refused(anna, forged.mail(), "Blue makes an offer, but roll 1 is being made")


def test_nothing_else_is_done_before_the_dice_have_fallen(declared):
    bo, anna, _ = declared
    answer = bo("pick AUG")
    assert answer.code == 1
    assert "red and green have to answer first" in read_words(answer)
    fields = {"cast": 2, "value": "ab" * 32, "actions": (), "secret": None}
    refused(anna, Liar(bo).adds(DeclareEntry, by="blue", **fields).signs("blue").mail(), "answer first")


def test_the_pen_is_kept_only_while_others_owe_parts(declared):
    bo, anna, carla = declared
    sent_to(anna, bo)
    sent_to(carla, bo)  # the throw has fallen
    sent_to(bo, anna, carla)
    forged = Liar(bo)
    assert forged.protocol.pen != "blue"
    forged.lines.pop()
    refused(anna, forged.signs("blue").mail(), "two")


def test_parts_that_nobody_signed_are_nothing(declared):
    bo, anna, _ = declared
    part = parts_of(declared)[1]
    packet = packet_in(anna.mails())
    for forged in (replace(part, value="ab" * 32), replace(part, cast=0), replace(part, by="green")):
        mail = encode_ascii_armor(Packet(replace(packet.head, parts=(forged,)), packet.lines).encode()).encode()
        before = bo.log.read_bytes()
        assert bo.gets(mail).code == 0
        assert bo.log.read_bytes() == before


# A key is lost


def test_who_comes_back_with_his_recovery_key_gets_the_pen_by_itself(declared):
    """Red's part of blue's throw is owed by a disk that is gone: nobody has to name her to hand over the pen."""
    bo, anna, carla = declared
    line = anna("--json key --backup").facts["backup"].encode()
    shutil.rmtree(anna.home)
    anna.does("key --make")
    sent_to(carla, bo)
    back = anna("join red --recover", stdin=line)
    assert "blue has the pen and will hand it over after your mail. Then type this command again" in read_words(back)
    assert (
        "Next: referee mail pack, which asks for the pen; once you have the pen: referee join red --recover"
        in read_words(back)
    )
    mail = anna.mails()
    assert "returns to seat red with the recovery key, and asks for the pen" in " ".join(mail.decode().split())
    assert "red (Anna) comes back with their recovery key, and sits down once they have the pen" in read_words(
        bo.gets(mail)
    )
    assert "somebody asks" not in read_words(bo("mail"))
    assert "Next: referee join red --recover" in read_words(anna.gets(bo.mails()))
    assert "Your recovery key has signed" in read_words(anna("join red --recover", stdin=line))
    assert thrown(anna)
    sent_to(anna, bo, carla)
    assert all(person("audit").out.startswith("CLEAN  ") for person in declared)


def test_a_recovery_key_of_somebody_else_asks_for_a_seat_like_any_stranger(declared, people):
    bo, anna, _ = declared
    thief = people("thief")
    thief.gets(anna.mails("--from 0"))
    thief.does("key --make", "join red --lost-key")
    packet = packet_in(thief.mails())
    (ask,) = packet.head.asks
    key = derive_recovery_key(bytes(32))
    ask = replace(ask, recovery=RecoveryWarrant(key.public, key.sign(ask.make_text_to_sign(packet.head.record))))
    forged = Packet(replace(packet.head, asks=(ask,)), packet.lines)
    told = read_words(bo.gets(encode_ascii_armor(forged.encode()).encode()))
    assert "comes back" not in told
    assert "The sender has no key of red's" in told


def test_all_three_agree_to_an_end(seated):
    """Whoever has no pen asks beside the log; each in turn is told what it would do before he agrees."""
    anna, bo, carla = seated
    sent_to(anna, bo, carla)
    sent_to(bo, anna)
    sent_to(anna, bo, carla)
    assert "red and blue have to agree before the offer counts" in read_words(carla.does("finish nobody"))
    asked = "from then on the game is over: ended by agreement: nobody has won"
    mail = carla.mails()
    assert asked in read_words(anna.gets(mail))
    assert asked in read_words(bo.gets(mail))
    bo.does("mail", "agree")
    assert asked in read_words(anna.gets(bo.mails()))
    assert "game over" in anna.does("mail", "agree").out
    sent_to(anna, bo, carla)
    sent_to(bo, anna, carla)
    sent_to(carla, anna, bo)
    assert len({person.log.read_bytes() for person in seated}) == 1
    assert "Ended by agreement: nobody has won" in read_words(bo("audit"))


def test_orders_are_declared_sent_and_thrown_while_their_owner_is_away(seated, tmp_path, monkeypatch):
    anna, bo, carla = seated
    sent_to(anna, bo, carla)
    bo.does("mail orders 'if can pick LUI: pick LUI'")
    sent_to(bo, anna)
    drop = tmp_path / "drop"
    drop.mkdir()
    anna.does(f"mail pack -o {drop}")
    told = read_words(watched(bo, drop, monkeypatch))
    assert "By your orders: Declared: pick LUI." in told
    assert "Written to" in told
    for other in (carla, anna):
        other.does(f"mail open {drop}", f"mail pack -o {drop}")
    bo.does(f"mail open {drop}")
    assert [entry.by for entry in entries(bo) if isinstance(entry, DeclareEntry)] == ["blue"]
    assert len(thrown(bo)) > 1
    assert bo("audit").out.startswith("CLEAN")


def watched(person, folder, monkeypatch):
    """Watches a folder for two looks, and sends what needs no choice. Returns the answer."""
    looks = iter((None, None))

    def sleep(_):
        if next(looks, KeyboardInterrupt) is KeyboardInterrupt:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("referee.cli.mail.folder_watch.time.sleep", sleep)
        return person(f"mail --watch {folder} -o {folder}")
