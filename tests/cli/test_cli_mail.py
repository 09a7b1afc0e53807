"""Playing by mail at the command line, as both see it."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from random import Random

import msgspec
import players
import pytest
from dresses import longest
from manglings import LOSSES, MANGLINGS
from penfriends import Person, packet_in, seated

from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.sync import make_packet
from referee.record.archive.audit import audit
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, format_entry_line, hash_entry
from referee.record.table import history
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import open_log


@pytest.fixture
def table(pair, told):
    """A game of Manoover in which both sit; red is to move."""
    seated(*pair)
    told.clear()
    return pair


def same(*people):
    """Whether their logs are the same, and sound."""
    logs = {person.log.read_bytes() for person in people}
    return len(logs) == 1 and all(audit(person.log).fault is None for person in people)


# The story


def test_a_game_begins(pair, told, snapshot):
    anna, bo = pair
    anna("new manoover --mail red --seats Anna,Bo")
    for words in ("mail", "join blue", "1 go", "undo"):
        anna(words)
    mail = anna.mails()
    bo.gets(mail, "-n")
    bo.gets(mail)
    for words in ("mail", "1 go", "join green", "join red", "join blue", "join blue", "mail"):
        bo(words)
    back = bo.mails()
    anna.gets(back)
    anna.gets(back)
    assert anna("--json mail").facts["pen"] == "red"
    assert told == snapshot


def test_turns_go_to_and_fro(table, told, snapshot):
    anna, bo = table
    for words in ("1 turn ne", "mail", "pack", "done!", "mail"):
        anna(words)
    for words in ("1 turn ne", "mail", ""):
        bo(words)
    assert bo.gets(anna.mails()).code == 0
    anna("")
    bo.does("done!")
    assert anna.gets(bo.mails()).code == 0
    anna("log 6..")
    anna("audit")
    assert told == snapshot
    assert not same(anna, bo)  # anna has her dice, bo has not heard of them
    anna.does("done!")
    bo.gets(anna.mails())
    assert bo.log.read_bytes().startswith(anna.log.read_bytes())


def test_offers(table, told, snapshot):
    anna, bo = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    bo.does("undo", "mail")
    anna.gets(bo.mails())
    for words in ("", "1 go", "refuse", "agree"):
        anna(words)
    bo.gets(anna.mails())
    bo.does("undo")
    anna.gets(bo.mails())
    anna.does("mail", "agree", "mail")
    bo.gets(anna.mails())
    assert told == snapshot
    assert bo.log.read_bytes().startswith(anna.log.read_bytes())


def test_who_has_not_got_the_pen_offers_beside_the_log(pair, told, snapshot):
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo")
    bo.gets(anna.mails())
    bo.does("join blue")
    bo.mails()  # a mail that is lost
    told.clear()
    before = bo.log.read_bytes()
    bo("undo")
    bo.does("resign", "mail")
    mail = bo.mails()
    assert bo.log.read_bytes() == before
    anna.gets(mail)
    anna("1 go")
    anna("mail", "agree")
    assert bo.gets(anna.mails()).code == 0
    anna.gets(bo.mails())
    for person in (anna, bo):
        person("mail")
        person("")
    assert anna("mail", "pack").code == 1
    assert anna("mail pack --from 0").code == 0
    assert told == snapshot
    assert same(anna, bo)
    assert anna("--json").facts["outcome"]["ranks"][0] == ["red"]


def test_an_offer_that_came_too_late(table):
    anna, bo = table
    bo.does("resign")
    mail = bo.mails()
    anna.does("1 turn ne")
    words = " ".join(anna.gets(mail).out.split())
    assert "blue had offered to resign; that has lapsed: red went on in entry 6." in words
    assert words.endswith("legal lists 15 actions")


# What may come


@pytest.fixture
def turns(table, told):
    """Three turns, and their mails; Bo's copy as it was before them lies in Carla's folder."""
    anna, bo = table
    before = anna.mails("--from 0")
    mails = []
    for person, other in ((anna, bo), (bo, anna), (anna, bo)):
        person.does("done!")
        mails.append(person.mails())
        other.gets(mails[-1])
    told.clear()
    return anna, bo, before, mails


@pytest.fixture
def carla(turns, told, cli, tmp_path, monkeypatch):
    """Somebody who looks on; she has the beginning of the game."""
    person = Person("carla", tmp_path, cli, monkeypatch, told)
    assert person.gets(turns[2]).code == 0
    told.clear()
    return person


def test_mails_twice_too_early_and_late(turns, carla, told, snapshot):
    anna, bo, before, mails = turns
    carla.gets(mails[2], "-n")
    carla.gets(mails[2])
    assert carla.gets(mails[1]).code == 1
    assert list(carla.log.parent.glob("*.mail/*"))
    assert carla.gets(mails[0]).code == 0
    assert not list(carla.log.parent.glob("*.mail"))
    carla.gets(mails[1])
    carla.gets(before + b"".join(mails))
    carla("1 go")
    carla("mail")
    assert told == snapshot
    assert same(carla, anna)
    assert bo.log.read_bytes().startswith(anna.log.read_bytes())


def shared(packet):
    return encode_ascii_armor(packet.encode()).encode()


def cut_off(packet):
    """A packet without its last entry."""
    head = msgspec.structs.replace(packet.head, head=packet.hash_at(packet.end - 2))
    return msgspec.structs.replace(packet, head=head, lines=packet.lines[:-1])


def of_other(packet, **change):
    return msgspec.structs.replace(packet, head=msgspec.structs.replace(packet.head, **change))


def with_other_move(packet):
    """A packet in which somebody has put other words for a move, and made all hashes right."""
    lines, prev = [], packet.head.after
    for line in packet.lines:
        body = json.loads(line[BODY_OFFSET:-2]) | {"prev": prev}
        if body.get("action", {}).get("type") == "done":
            body["action"] = {"type": "auto"}
        spelt = encode_for_log(body)
        prev = hash_entry(spelt)
        lines.append(format_entry_line(spelt))
    return msgspec.structs.replace(of_other(packet, head=prev), lines=tuple(lines))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (cut_off, 1),
        (with_other_move, 1),
        (partial(of_other, rules=99), 1),
        (partial(of_other, format=9), 3),
        (partial(of_other, after="0" * 64), 3),
        (partial(of_other, base=999), 1),
    ],
)
def test_packets_that_somebody_changed(turns, carla, told, change, code, snapshot):
    before = carla.log.read_bytes()
    mail = shared(change(packet_in(turns[3][0])))
    assert carla.gets(mail).code == code
    assert carla.log.read_bytes() == before
    assert carla.gets(mail, "--theirs").code == code
    assert carla.log.read_bytes() == before
    assert told == snapshot


def test_a_mail_of_another_game(turns, pair, told, cli, tmp_path, monkeypatch, snapshot):
    _, bo, _, mails = turns
    dora = Person("dora", tmp_path, cli, monkeypatch, told, "luck 2")
    dora.does("new manoover --mail red")
    other, log = dora.mails(), bo.log
    told.clear()
    bo.gets(other, f"-g {log.relative_to(bo.folder)}")
    dora.gets(mails[0])
    here = bo.log.read_bytes()
    bo.gets(other)
    bo("mail")
    bo.gets(other, "-o again.jsonl")
    assert told == snapshot
    assert log.read_bytes() == here


@pytest.mark.parametrize("name", sorted(LOSSES))
def test_what_was_lost_on_the_way_is_refused(table, name):
    anna, bo = table
    anna.does("done!")
    mail, before = anna.mails(), bo.log.read_bytes()
    answer = bo.gets(LOSSES[name](mail))
    assert answer.code == 3
    assert answer.err
    assert bo.log.read_bytes() == before


@pytest.mark.parametrize("name", sorted(MANGLINGS)[::8])
def test_what_mail_programs_do_is_undone(table, name):
    anna, bo = table
    anna.does("done!")
    assert bo.gets(MANGLINGS[name](anna.mails())).code == 0
    assert bo("--json").facts["turn"] == 2


# Copies that have parted


@pytest.fixture
def laptop(table, cli, tmp_path, monkeypatch, told):
    """Anna's other computer: a copy of her folder and home. What it says is as unsent as what the first one says."""
    anna, bo = table
    person = Person("laptop", tmp_path, cli, monkeypatch, told)
    for mine, other in ((anna.folder, person.folder), (anna.home, person.home)):
        shutil.copytree(mine, other, dirs_exist_ok=True)
    person.does("1 turn nw")
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    bo.does("done!")
    told.clear()
    return person


def test_copies_that_have_parted(laptop, table, told, snapshot):
    anna, bo = table
    mail = bo.mails()
    laptop.gets(mail)
    whole = bo.mails("--from 3")
    before = laptop.log.read_bytes()
    laptop.gets(whole, "-n")
    laptop.gets(whole)
    assert laptop.log.read_bytes() == before
    laptop.gets(whole, "--theirs")
    (aside,) = laptop.log.parent.glob("*.aside-*")
    assert aside.read_bytes() == before
    anna.gets(mail)
    assert same(laptop, anna)
    assert told == snapshot


def test_saying_again_what_the_copy_had_that_was_set_aside(laptop, table, told, snapshot):
    _, bo = table
    laptop.gets(bo.mails("--from 3"), "--again")
    assert told[1:] == snapshot
    assert audit(laptop.log).fault is None


def test_what_is_said_again_is_ones_own_of_a_log_of_any_length(laptop, table, monkeypatch):
    """Where the log is too long for all of it to be kept in mind, others' entries stand in the places of one's own."""
    monkeypatch.setattr(history, "MAX_KEPT", 1)
    assert "Repeated: 1 turn NW." in laptop.gets(table[1].mails("--from 3"), "--again").out


def test_who_signs_two_entries_with_one_number_leaves_proof(laptop, table, told, snapshot):
    _, bo = table
    laptop.does("done!")
    behind = laptop("mail", "pack")
    assert behind.code == 0, "this computer does not know what the other has signed"
    before = bo.log.read_bytes()
    bo.gets(behind.out.encode())
    bo.gets(behind.out.encode())
    (proof,) = (path.relative_to(bo.folder) for path in bo.log.parent.glob("*.fork-red-*.json"))
    assert bo.log.read_bytes() == before
    assert told == snapshot
    entry = proof.stem.rpartition("-")[2]
    for words in ("mail", "audit"):
        said = " ".join(bo(words).out.split())
        proven = f"a proof that red signed two versions of entry {entry}"
        assert f"Beside the log is {proven}; to check it: referee audit {proof}" in said
    assert bo("--json mail").facts["proofs"] == [str(proof)]
    assert bo(f"audit {proof}").out.startswith("PROVEN  ")
    assert "proof" not in laptop("mail").out


def test_an_old_copy_of_the_log_signs_nothing(table, told, snapshot):
    anna, _ = table
    old = anna.log.read_bytes()
    anna.does("done!")
    anna.mails()
    anna.log.write_bytes(old)
    anna.log.with_name(f"{anna.log.name}.head").unlink(missing_ok=True)
    anna.does("1 turn ne, done")
    told.clear()
    assert anna("mail", "pack").code == 1
    assert told == snapshot


def test_who_chooses_an_older_copy_of_a_game_by_mail_is_told_of_the_longer_one(table):
    anna, _ = table
    (anna.folder / "copy.jsonl").write_bytes(anna.log.read_bytes())
    assert anna("use copy.jsonl").err == ""
    assert anna(f"use {anna.log.name.removesuffix('.jsonl')}").code == 0
    anna.does("1 turn nw")
    log = anna.log.relative_to(anna.folder)
    assert f"Note: {log} is a longer copy of this game; to play in that one" in anna("use copy.jsonl").err
    assert anna(f"use {log}").err == ""


# A folder that both see; another key


def test_who_sits_alone_is_told_how_to_see_what_he_knows(cli, tmp_path, monkeypatch):
    anna = Person("anna", tmp_path, cli, monkeypatch, [], "luck 0")
    anna.does("new mutants --option hidden-movement=yes --mail human")
    assert anna("show").out.endswith("  Your own view: referee show --by human\n")
    for bare in ("", "who"):
        assert "  Your own view: referee status --by human\n" in anna(bare).out
    for command in ("show", "who"):
        assert "As you see it" not in anna(f"{command} --by human").out
    assert "0 of 12 Walls" in anna("status --by human").out


def test_who_plays_against_bots_is_told_so_too_and_nobody_at_a_shared_screen(cli, place):
    for options, told in (("--bots steady", "  Your own view: referee show --by human\n"), ("", "")):
        cli(f"new mutants --option hidden-movement=yes {options} -o {bool(told)}.jsonl")
        assert "".join(re.findall("  Your own view: .*\n", cli("show").out)) == told
    cli("new sheboygan -o shared.jsonl")
    assert "As you see it" not in cli("show").out + cli("status").out


def test_who_waits_by_mail_is_told_whose_turn_it_is(cli, tmp_path, monkeypatch):
    anna, bo = (Person(name, tmp_path, cli, monkeypatch, [], "luck 0") for name in ("anna", "bo"))
    seated(anna, bo, "human mutant", "mutants", "--option hidden-movement=yes")
    told = bo("legal")
    assert (told.code, anna("legal wall").code) == (1, 0)
    assert told.out.startswith("Not done: it is the turn of human (Anna), and only they know their legal moves;")


def test_what_pack_refuses_is_no_mail(table):
    """Whoever pipes it to a mail program sends nothing, and nothing is signed for a file that cannot be written."""
    anna, _ = table
    told = anna("mail", "pack")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("Not done: it is still your turn")
    anna.does("done!")
    before = anna.log.read_bytes()
    for words in ("pack -o turn.mail", "pack --eml nowhere/turn.eml"):
        assert anna(words).code == 2
    assert anna.log.read_bytes() == before


def test_a_folder_that_both_see(table, told, snapshot):
    anna, bo = table
    shared = anna.folder.parent / "shared"
    shared.mkdir()
    for person, other in ((anna, bo), (bo, anna), (anna, bo)):
        person.does("done!", "pack -o ../shared")
        files = {path.name: path.read_bytes() for path in shared.iterdir()}
        person.does("mail pack -o ../shared")
        assert {path.name: path.read_bytes() for path in shared.iterdir()} == files, "made once, never changed"
        other("mail open ../shared")
    anna("mail open ../shared")
    anna("mail open -n ../shared")
    anna("mail pack -o ../shared/nowhere")
    assert told == snapshot
    assert bo.log.read_bytes().startswith(anna.log.read_bytes())


def test_a_key_that_was_lost(table, told, snapshot):
    anna, bo = table
    anna.does("done!")
    mail = anna.mails()
    shutil.rmtree(bo.home)
    told.clear()
    bo.gets(mail)
    for words in ("mail", "join blue", "join blue --lost-key", "1 go"):
        bo(words)
    anna.gets(bo.mails())
    anna.does("mail", "agree")
    assert bo.gets(anna.mails()).code == 0
    bo.does("mail", "roll")
    assert anna.gets(bo.mails()).code == 0
    assert bo.gets(anna.mails()).code == 0
    bo.does("done!")
    assert anna.gets(bo.mails()).code == 0
    assert told == snapshot
    assert audit(anna.log).fault is None


# Other ways to say it


def test_programs_are_told_as_much(table, told):
    anna, bo = table
    anna.does("--json done!")
    mail = anna("--json pack").facts["text"].encode()
    (bo.folder / "mail.txt").write_bytes(mail)
    opened = bo("--json open mail.txt").facts
    assert [packet["situation"] for packet in opened["packets"]] == ["new"]
    bo("--json undo")
    (anna.folder / "mail.txt").write_bytes(bo("--json pack").facts["text"].encode())
    asked = anna("--json open mail.txt").facts
    assert asked["after"]["to_act"] == "blue"
    assert anna("--json mail").facts["offers"][0]["by"] == "blue"
    refused = anna("--json refuse").facts
    assert [entry["type"] for entry in refused["recorded"]] == ["refuse"]
    assert anna("--json pack --to red").facts["exit"] == 1
    assert all(isinstance(json.loads(answer.splitlines()[1]), dict) for answer in told if "--json" in answer)


def test_in_forty_columns(table):
    anna, bo = table
    anna.does("done!")
    (bo.folder / "mail.txt").write_bytes(anna.mails())
    for words in ("open mail.txt", "mail", "undo", "mail", "open mail.txt"):
        assert longest(bo(words, width=40)) <= 40


def test_an_evening_of_play_by_mail(table, told, snapshot):
    anna, bo = table
    answer = anna("play --plain", stdin=b"1 turn ne\ndone\nmail\nundo\ndone\n3 go\nquit\n")
    (bo.folder / "mail.txt").write_bytes(anna.mails())
    bo("play --plain", stdin=b"open mail.txt\nundo\nagree\npack\nquit\n")
    assert answer.code == 0
    assert [told[0], told[-1]] == snapshot


# Dice that have to be declared


def test_a_list_of_smashes_is_declared_and_costs_one_mail(pair, told, snapshot):
    human, mutant = pair
    seated(human, mutant, "human mutant", "mutants")
    told.clear()
    human.does("rest", "ready")
    mutant.gets(human.mails())
    mutant.does("rest", "ready")
    told.clear()
    mutant.does("smash xN1-A1 r1, smash xN2-B1 r2, smash xW4-A4 n1")
    for words in ("", "mail", "smash xW5-A5 n2"):
        mutant(words)
    assert human.gets(mutant.mails()).code == 0
    human("smash xW5-A5 n2")
    assert mutant.gets(human.mails()).code == 0
    assert told == snapshot
    assert [roll.origin for entry in open_log(mutant.log).entries for roll in getattr(entry, "rolls", ())] == [
        "pact"
    ] * 3
    assert mutant.log.read_bytes().startswith(human.log.read_bytes())


def test_secrets_that_come_open_are_to_be_audited(cli, ambush, tmp_path):
    """Nobody else could judge them before; a packet with them is taken in, and what they tell is for an audit."""
    red, blue = players.seated(tmp_path, "red", "blue", game="ambush", options={"nights": "6"})
    players.played_out([red, blue], Random(1))
    writer, other = (red, blue) if red.desk.has_pen else (blue, red)
    with writer.at_home():
        reveal_secrets(writer.session, by=writer.seat)
        (tmp_path / "mail.txt").write_text(
            encode_ascii_armor(make_packet(writer.desk, to=other.seat).encode()), "utf-8"
        )
    answer = cli(f"-g {other.log} open {tmp_path / 'mail.txt'}")
    assert answer.code == 0
    assert "To check all that was secret: referee" in answer.out


def test_what_is_no_packet_is_told_without_types_and_paths(cli, tmp_path):
    (tmp_path / "mail.txt").write_text(encode_ascii_armor(b'{"format":1,"module":7}\n'), "utf-8")
    answer = cli(f"mail open {tmp_path / 'mail.txt'}")
    assert (answer.code, "This is not a packet" in answer.shown, "$" in answer.err + answer.out) == (3, True, False)
