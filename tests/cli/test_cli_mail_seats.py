"""Seats and keys by mail: nobody sits in another's seat unseen, whatever he writes and whoever agrees."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from penfriends import FIRST_TURN, ask_for_blue, packet_in, read_words

import referee
from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.key import Key
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import Packet, SignedOffer, read_line_hash
from referee.record.archive.audit import audit
from referee.record.archive.equivocation import encode_equivocation, find_equivocation
from referee.record.log.entry import NoteEntry, OfferEntry, SealEntry, encode_for_log
from referee.record.log.line_format import format_entry_line
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.deeds.resign import ResignOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.signed_texts import make_seal_text


@pytest.fixture
def table(people):
    """A game of Manoover in which Anna is red and Bo is blue; red is to move and has the pen."""
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --seats Anna,Bo")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    return anna, bo


def test_the_moves_of_the_other_are_listed_as_theirs(table):
    anna, bo = table
    assert "These are the moves of red (Anna); you sit at blue." in bo("legal").out
    assert "These are the moves" not in anna("legal").out


# A seat taken by "lost key"


def test_who_asks_for_a_seat_waits_beside_the_log_and_is_told_as_a_ask_for_blue(table, people):
    anna, bo = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    before = anna.log.read_bytes()
    said = read_words(anna.gets(thief.mails()))
    words = thief("--json key").facts["words"]
    assert f"For blue (Bo), somebody asks to play on with another key, {words}" in said
    assert "The sender has no key of blue's. Ask Bo on the phone" in said
    assert "referee mail agree; otherwise: referee mail refuse" in said
    assert words in read_words(anna("mail"))
    assert anna.log.read_bytes() == before
    anna.does(FIRST_TURN)  # it blocks nothing
    bo.gets(anna.mails())
    bo.does("done!")
    assert "has lapsed: the key that plays this seat has signed since" in read_words(anna.gets(bo.mails()))
    assert words not in read_words(anna("mail"))
    assert anna("mail", "agree").code == 1


def test_refusing_a_stranger_signs_nothing(table, people):
    anna, _ = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    anna.gets(thief.mails())
    before, key = anna.log.read_bytes(), {path: path.read_bytes() for path in anna.home.rglob("*") if path.is_file()}
    assert "Nothing is signed or sent" in read_words(anna.does("mail", "refuse"))
    assert anna.log.read_bytes() == before
    assert {path: path.read_bytes() for path in anna.home.rglob("*") if path.is_file()} == key
    assert "another key" not in read_words(anna("mail"))


def test_a_seat_taken_by_two_who_agree_is_never_clean_and_its_owner_takes_nothing_in(table, people):
    """The old cheat: Anna opens a second home for Bo's seat, agrees as all others, and resigns for him."""
    anna, bo = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    anna.does(FIRST_TURN)
    bo.gets(anna.mails())
    anna.gets(thief.mails())
    anna.does("mail", "agree")
    assert thief.gets(anna.mails()).code == 0
    thief.does("resign")
    stolen = thief.mails("--from 0")
    assert anna.gets(stolen).code == 0
    for verdict in (anna("audit"), thief("audit")):
        assert verdict.out.startswith("CLEAN EXCEPT FOR A KEY")
        assert "Blue (Bo) has had another key since entry" in verdict.shown
        assert "agreed by red" in read_words(verdict)
    assert "sits down with another key, agreed by red" in read_words(anna("log"))
    assert "has had another key since entry" in read_words(anna("mail"))
    archive = anna("audit logs")
    assert "CLEAN EXCEPT FOR A KEY" in archive.out
    assert "1 clean except for a key" in read_words(archive)
    before = bo.log.read_bytes()
    refused = bo.gets(stolen)
    assert refused.code == 1
    assert "in this mail another key plays your seat from entry" in read_words(refused)
    assert bo.log.read_bytes() == before
    assert audit(bo.log).heirs == {}
    shutil.rmtree(bo.folder / "logs")  # nor where he has to begin anew
    assert "in this mail another key plays your seat from entry" in read_words(bo.gets(stolen))
    assert not list(bo.folder.glob("logs/*.jsonl"))
    assert bo.gets(stolen, "--theirs").code == 0
    assert "has had another key since entry" in read_words(bo("mail"))


def test_the_word_of_all_lapses_once_the_old_key_has_signed(table, people):
    anna, bo = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    anna.gets(thief.mails())
    anna.does("mail", "agree", FIRST_TURN)
    given = anna.mails()
    bo.gets(given)
    bo.does("done!")
    bos = bo.mails()
    quick = people("quick thief")
    for file in (thief.folder, thief.home):
        shutil.copytree(file, str(file).replace("thief", "quick thief"), dirs_exist_ok=True)
    packet = packet_in(given)
    thief.gets(encode_ascii_armor(Packet(replace(packet.head, asks=()), packet.lines).encode()).encode())
    thief.gets(bos)
    thief.gets(given)  # the word of all reaches him after Bo's own mail
    assert "has had another key" not in read_words(thief("mail"))
    assert thief("1 go").code == 1
    assert "You sit at blue now, with another key, agreed by red." in read_words(quick.gets(given))
    anna.gets(bos)
    before = anna.log.read_bytes()
    quick.does("roll")
    assert anna.gets(quick.mails()).code == 1
    assert anna.log.read_bytes() == before


def test_who_has_lost_his_key_plays_on_with_the_word_of_all(table):
    anna, bo = table
    anna.does(FIRST_TURN)
    mail = anna.mails()
    shutil.rmtree(bo.home)
    bo.gets(mail)
    assert bo("join blue").code == 1
    bo.does("join blue --lost-key")
    assert "wait until red has agreed" in read_words(bo("mail"))
    anna.gets(bo.mails())
    anna.does("mail", "agree")
    assert "To send your consent: referee mail pack; to take it back: referee mail refuse" in read_words(anna("mail"))
    assert anna("mail", "agree").code == 1
    assert "You sit at blue now, with another key, agreed by red." in read_words(bo.gets(anna.mails()))
    bo.does("roll")
    anna.gets(bo.mails())
    bo.gets(anna.mails())
    bo.does("done!")
    assert "The key of blue (Bo)" not in read_words(anna.gets(bo.mails()))
    assert anna("audit").out.startswith("CLEAN EXCEPT FOR A KEY")


def test_the_true_owner_comes_back_with_his_back_up_line(table, people):
    anna, bo = table
    line = bo("--json key --backup").facts["backup"]
    anna.does(FIRST_TURN)
    mail = anna.mails()
    shutil.rmtree(bo.home)
    bo.gets(mail)
    bo.does("key --make")
    assert bo("join blue --recover", stdin=b"referee-key-1 nonsense").code == 3
    back = bo("join blue --recover", stdin=line.encode())
    assert back.code == 0, back.shown
    assert "Your recovery key has signed" in back.shown
    bo.does("done!")
    assert anna.gets(bo.mails()).code == 0
    assert "sits down again, with their recovery key" in read_words(anna("log"))
    assert anna("audit").out.startswith("CLEAN  ")
    assert bo.log.read_bytes().startswith(anna.log.read_bytes()[:2000])


def test_a_back_up_of_somebody_else_recovers_nothing(table, people):
    anna, _ = table
    other = people("other")
    other.does("key --make")
    line = other("--json key --backup").facts["backup"]
    anna.does(FIRST_TURN)
    mail = anna.mails()
    thief = people("thief")
    thief.gets(mail)
    thief.gets(anna.mails("--from 0"))
    before = thief.log.read_bytes()
    refused = thief("join blue --recover", stdin=line.encode())
    assert refused.code == 1
    assert "of another key than the one that joined at blue" in read_words(refused)
    assert thief.log.read_bytes() == before


# Forged offers and seals with throw-away keys


def forged_mail(anna, thief):
    """Two lines in Bo's name, by a key of the thief's own: another key is asked for in the log itself, and signed."""
    session, key = open_log(thief.log), _key_at(thief)
    protocol, head = session.reducer.protocol, session.head.hash
    chair = MailPlayer(session, key).make_enrolment("blue")
    n, lines = len(session.entries), []
    at = "2026-01-02T03:04:05Z"
    for draft in (
        lambda prev: OfferEntry(n, prev, "blue", at, RejoinOffer(chair), n - 1, None),
        lambda prev: SealEntry(
            n + 1, prev, "blue", at, "red", key.sign(make_seal_text(protocol.record_id, n, prev, "red", at))
        ),
    ):
        lines.append(format_entry_line(encode_for_log(draft(head))))
        head = read_line_hash(lines[-1])
    base = packet_in(anna.mails("--from 0")).head
    about = replace(base, by="blue", base=n, after=session.head.hash, head=head, files={}, asks=())
    return encode_ascii_armor(Packet(about, tuple(lines)).encode()).encode()


def _key_at(person) -> Key:
    """The key in somebody's home."""
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    (path,) = person.home.rglob("key")
    return Key(load_ssh_private_key(path.read_bytes(), None), bytes.fromhex((path.parent / "secret").read_text()))


def test_two_lines_by_a_throw_away_key_brick_nothing(table, people):
    anna, bo = table
    anna.does(FIRST_TURN)
    mail = anna.mails()
    bo.gets(mail)
    thief = people("thief")
    thief.gets(anna.mails("--from 0"))
    thief.does("key --make")
    forged = forged_mail(anna, thief)
    before = anna.log.read_bytes()
    refused = anna.gets(forged)
    assert refused.code == 1
    assert "travels beside the log" in read_words(refused)
    assert anna.log.read_bytes() == before
    bo.does("done!")
    assert anna.gets(bo.mails()).code == 0


def test_offers_that_nobody_signed_are_nothing_and_push_nothing_out(table, people):
    anna, bo = table
    bo.does("resign")
    true = packet_in(bo.mails())
    (ask,) = true.head.asks
    false = tuple(SignedOffer("blue", ResignOffer(), ask.on, f"AAAA{n:04}") for n in range(16))
    forged = Packet(replace(true.head, asks=false), true.lines)
    answer = read_words(anna.gets(encode_ascii_armor(forged.encode()).encode()))
    assert "An offer is not signed, so it does not count: blue would offer to resign." in answer
    assert "referee mail agree" not in answer
    assert not (anna.log.parent / f"{anna.log.name}.mail" / "asks.json").exists()


def test_strangers_who_ask_push_out_nobody(table, people):
    anna, bo = table
    whole = anna.mails("--from 0")
    first = ask_for_blue(people, whole, "thief 0")
    anna.gets(first.mails())
    for number in range(1, 12):
        said = read_words(anna.gets(ask_for_blue(people, whole, f"thief {number}").mails()))
    assert "Too many requests wait, so the referee drops this one" in said
    waiting = json.loads((anna.log.parent / f"{anna.log.name}.mail" / "requests.json").read_bytes())
    assert len(waiting) == 8
    assert first("--json key").facts["public"] in {one["offer"]["chair"]["key"] for one in waiting}
    assert "only one can be right" in read_words(anna("mail", "agree"))
    anna.does("mail", "refuse", FIRST_TURN)
    assert bo.gets(anna.mails()).code == 0


# What nobody signed


def proof_by(key, seat="blue", game=None):
    """A proof that a key of no matter whom has signed two entries with one number."""
    runs = [
        [
            format_entry_line(
                encode_for_log(
                    SealEntry(7, "0" * 64, seat, at, "red", key.sign(make_seal_text(game, 6, "0" * 64, "red", at)))
                )
            )
        ]
        for at in ("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z")
    ]
    note = [format_entry_line(encode_for_log(NoteEntry(7, "0" * 64, seat, "2026-01-02T03:04:05Z", "me")))]
    text = make_seal_text(game, 7, read_line_hash(note[0]), "red", "2026-01-02T03:04:05Z")
    note.append(
        format_entry_line(
            encode_for_log(SealEntry(8, read_line_hash(note[0]), seat, "2026-01-02T03:04:05Z", "red", key.sign(text)))
        )
    )
    fork = find_equivocation(game, seat, key.public, 7, (runs[0], note))
    assert fork is not None
    return encode_equivocation(fork)


def test_a_proof_is_compared_with_the_keys_of_the_game(table, people):
    anna, bo = table
    thief = people("thief")
    thief.does("key --make")
    game = open_log(anna.log).reducer.protocol.record_id
    (anna.folder / "forged.json").write_bytes(proof_by(_key_at(thief), game=game))
    (anna.folder / "true.json").write_bytes(proof_by(_key_at(bo), game=game))
    (anna.folder / "far.json").write_bytes(proof_by(_key_at(bo), game="ab" * 32))
    forged = anna("audit forged.json")
    assert (forged.code, forged.out.split("  ")[0]) == (1, "NO PROOF")
    assert "is not a key of blue in logs/" in read_words(forged)
    true = anna("audit true.json")
    assert (true.code, true.out.split("  ")[0]) == (0, "PROVEN")
    assert "with which blue plays in logs/" in read_words(true)
    far = anna("audit far.json")
    assert far.out.startswith("SIGNED TWICE")
    assert "so ask the players whose key that is" in read_words(far)


def test_a_note_of_nobody_is_told_with_who_signed_it(table):
    anna, bo = table
    session = open_log(anna.log)
    record_note(session, "Bo cheats")  # in nobody's name, by a program of hers
    assert "note that nobody signed: Bo cheats" in read_words(anna("log"))
    anna.does(FIRST_TURN)
    assert "note signed by red: Bo cheats" in read_words(bo.gets(anna.mails()))


def test_who_a_mail_says_it_is_from_is_not_told_as_said(table):
    anna, bo = table
    anna.does(FIRST_TURN)
    packet = packet_in(anna.mails())
    forged = encode_ascii_armor(Packet(replace(packet.head, by="blue"), packet.lines).encode()).encode()
    assert "new entries from red" in bo.gets(forged).out
    assert "blue" not in bo.gets(forged).out.splitlines()[1]


# Two games at once


def test_the_game_whose_mail_is_opened_is_the_current_one(table):
    anna, bo = table
    anna.does(FIRST_TURN)
    first = anna.mails()
    bo.does("new manoover --mail red -o logs/other.jsonl")
    said = read_words(bo.gets(first))
    assert "manoover-2026-01-02.jsonl is the current game now." in said
    bo.does("done!")
    assert b"blue has the pen" not in bo.mails()
    assert read_words(bo("use")).count("*") == 1
    assert "* manoover manoover-2026-01-02" in read_words(bo("use"))


def test_the_game_of_a_stranger_is_never_the_current_one(table, people):
    anna, bo = table
    anna.does(FIRST_TURN)
    mail = anna.mails()
    bo.gets(mail)
    stranger = people("stranger")
    stranger.does("new manoover --mail red --seats Zoe,Bo -o logs/trap.jsonl")
    said = read_words(bo.gets(stranger.mails()))
    assert "is the current one" not in said
    assert "if you are blue: referee -g logs/manoover-2026-01-02-2.jsonl join blue" in said
    bo.does("done!")
    assert anna.gets(bo.mails()).code == 0
    bo.does("-g logs/manoover-2026-01-02-2.jsonl join Bo")
    assert "* manoover manoover-2026-01-02-2" in read_words(bo("use"))


# A folder that others can write in


@pytest.mark.skipif(os.name != "posix", reason="who may write is told in bits there")
def test_a_key_folder_that_others_can_write_is_told(table):
    anna, _ = table
    assert "Note" not in anna("key").err
    (place,) = {path.parent for path in anna.home.rglob("key")}
    place.chmod(0o777)
    for words in ("key", "pack --from 0"):
        assert f"others can write in {place}" in anna(words).err.replace("\n", " ")
        place.chmod(0o777)


# What the manual says


def test_the_story_in_the_manual_runs(people):
    chapter = (Path(referee.__file__).parent / "manual" / "mail.md").read_text("utf-8")
    told = re.findall(r"^referee (.+?) +# (Anna|Bo)\b", chapter, re.MULTILINE)[:6]
    assert len(told) == 6
    everybody = {name: people(name.lower()) for name in ("Anna", "Bo")}
    for words, name in told:
        if words.startswith("mail pack > "):
            mail = everybody[name].mails()
            for person in everybody.values():
                (person.folder / words.rpartition(" ")[2]).write_bytes(mail)
        else:
            everybody[name].does(words)
    assert "Playing by mail" in everybody["Anna"]("help mail").out
    for command in re.findall(r"referee ([a-z]+(?: (?:status|pack|open|agree|refuse)\b)?)", chapter):
        assert everybody["Bo"](f"{command} -h").code == 0


# Three players, one of whom has lost his key


def test_of_three_both_others_give_their_word(people):
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    anna.does("new manoover --option form=three --mail red --seats Anna,Bo,Carla")
    invited = anna.mails()
    for person in (bo, carla):
        person.gets(invited)
    bo.does("join Bo")
    mail = bo.mails()
    carla.gets(mail)
    anna.gets(mail)
    carla.does("join Carla")
    mail = carla.mails()
    for person in (anna, bo):
        person.gets(mail)
    heir = people("heir")
    mail = anna.mails("--from 0")
    for person in (heir, bo):
        person.gets(mail)
    heir.does("join green --lost-key")
    asked = heir.mails()
    for person in (anna, bo):
        assert "Ask Carla on the phone" in read_words(person.gets(asked))
        person.does("mail agree")
    first = anna.mails("--from 0")
    assert "blue must still agree" in read_words(heir.gets(first))
    heir.gets(bo.mails("--from 0"))
    assert "wait until the pen has come to green" in read_words(heir("mail")) or "You sit at green" in read_words(
        heir("mail")
    )
    assert "If it is not you, tell the others" in read_words(carla.gets(asked))
