"""A director: a third person gets the mails of a game, looks on, and may end it if it is stuck."""

from __future__ import annotations

import json
from functools import partial
from shutil import copytree

import pytest
from penfriends import key_of, read_words, rested, seat_with_director, sent_to

from referee.mail.key import read_own_key
from referee.mail.spool import read_waiting_offers
from referee.record.archive.audit import audit
from referee.record.log.entry import RulingEntry, encode_for_log
from referee.record.log.log_errors import LogError
from referee.record.table.deeds.resign import ResignOffer
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.signed_texts import make_ruling_text


def test_the_director_is_told_before_the_yes(pair, dee):
    anna, bo = pair
    anna(f"new manoover --mail red --seats Anna,Bo --director 'Dee={key_of(dee)}'")
    mail = anna.mails()
    assert b"Dee, who directs the game, gets this mail, too." in mail
    opened = bo.gets(mail)
    for answer in (opened, bo("mail"), bo("join Bo"), bo("audit")):
        assert "Dee directs this game, with the key" in read_words(answer)
        assert "Dee decides nothing." in read_words(answer)


def test_the_copy_of_the_director_says_who_they_are_and_what_it_waits_for(pair, dee):
    anna, bo = pair
    seat_with_director(anna, bo, dee)
    shown = read_words(dee("mail"))
    assert "You direct this game; red has the pen." in shown
    assert "The game has waited for red (Anna) since" in shown
    assert "wait for the mail of red; you direct this game" in read_words(dee("status"))
    facts = dee("--json mail").facts
    assert (facts["directs"], facts["seat"]) == (True, None)
    assert dee.log.read_bytes() == anna.log.read_bytes()[: len(dee.log.read_bytes())]


@pytest.mark.parametrize("words", ["1 go", "join red", "resign", "undo", "finish draw", "mail pack", "mail agree"])
def test_the_director_only_reads(pair, dee, words):
    anna, bo = pair
    seat_with_director(anna, bo, dee)
    before = dee.log.read_bytes()
    assert dee(words).code != 0
    assert dee.log.read_bytes() == before


def test_the_director_cannot_take_over_a_seat(pair, dee):
    anna, bo = pair
    seat_with_director(anna, bo, dee)
    assert dee("join blue --as Dee").code != 0
    assert dee("join blue --lost-key").code != 0


def test_a_director_who_is_known_needs_no_key(pair, dee):
    anna, bo = pair
    seat_with_director(anna, bo, dee)
    words = json.loads(bo("--json key").out)["words"]
    for number, named in enumerate(("Bo", f"Bob={words}")):
        answer = anna(f"new manoover --mail red --director {named} -o second-{number}.jsonl --seats Anna,Carla")
        assert answer.code == 0, answer.shown
        director = open_log(anna.folder / f"second-{number}.jsonl").public.header.director
        assert (director.name, director.key) == (named.partition("=")[0], key_of(bo))


def test_words_of_a_key_that_nobody_here_has_met_are_no_key(pair, dee):
    anna, _ = pair
    words = json.loads(dee("--json key").out)["words"]
    answer = anna(f"new manoover --mail red --director Dee={words} -o x.jsonl")
    assert answer.code == 2
    assert f"Nobody whom you know has the name {words}, or a key with these words" in " ".join(answer.err.split())


@pytest.mark.parametrize(
    "words",
    [
        "new manoover --director Dee -o x.jsonl",
        "new manoover --mail red --director Nobody -o x.jsonl",
        "new manoover --mail red --director Dee=key -o x.jsonl",
        "new manoover --mail red --may-settle -o x.jsonl",
        "match new manoover --director Dee -o x.jsonl",
    ],
)
def test_directors_that_cannot_be(pair, words):
    anna, _ = pair
    assert anna(words).code != 0
    assert not list(anna.folder.glob("x*.jsonl"))


def test_a_game_with_secrets_shows_the_director_none(people, dee):
    """The director's mails hold commitments alone, as those of any spectator."""
    human, mutant = people("human"), people("mutant")
    rested(human, mutant, "--option hidden-movement=yes")
    first = human("mail pack --from 0").out.encode()
    assert dee.gets(first).code == 0
    assert dee("--json log").code == 0
    assert not list(dee.folder.glob("logs/*.vault"))
    assert open_log(dee.log).public.vault_seats == frozenset()


def test_the_director_has_the_proof_if_a_player_signs_two_entries(pair, people, dee):
    """Anna tells Bo one thing, and Dee another, from a copy of her computer."""
    anna, bo = pair
    seat_with_director(anna, bo, dee, "--option first=red")
    twin = people("twin")
    for mine, copied in ((anna.folder, twin.folder), (anna.home, twin.home)):
        copytree(mine, copied, dirs_exist_ok=True)
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "done")
    sent_to(anna, bo, dee)
    twin.does(f"{die} turn se", "done")
    answer = dee.gets(twin.mails())
    assert answer.code == 1
    assert "red has signed two different versions of entry" in read_words(answer)
    (proof,) = dee.folder.glob("logs/*.fork-*")
    for words in ("mail", "audit"):
        told = read_words(dee(words))
        assert "Beside the log is a proof that red signed two versions of entry" in told
        assert f"referee audit {proof.relative_to(dee.folder)}" in told
    assert dee("--json audit").facts["proofs"] == [str(proof.relative_to(dee.folder))]
    proof.write_bytes(proof.read_bytes().replace(b'"red"', b'"blue"'))
    assert "Beside the log is a file that proves nothing about this game" in read_words(dee("audit"))


# What is stuck


@pytest.fixture
def stuck_game(pair, dee):
    """A game at a pace that Dee may settle. Bo has the pen, and Anna has offered an end as the winner."""
    anna, bo = pair
    seat_with_director(anna, bo, dee, "--option first=red --pace 14 --may-settle")
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "done")
    sent_to(anna, bo, dee)
    assert anna("--json mail").facts["pen"] == "blue"
    return anna, bo, dee


def offer_end(anna, *others):
    anna.does("finish red")
    return sent_to(anna, *others)


def settle(anna, dee):
    """Dee agrees in place of Bo, and Anna opens that."""
    dee.does("mail agree")
    return sent_to(dee, anna)


def test_what_the_director_may_do_is_told_before_the_yes(pair, dee):
    anna, bo = pair
    anna(f"new manoover --mail red --seats Anna,Bo --pace 14 --may-settle --director 'Dee={key_of(dee)}'")
    words = read_words(bo.gets(anna.mails()))
    assert "Dee may agree in place of the late player" in words
    assert "and may do nothing else." in words


def test_a_director_ends_a_stuck_game(stuck_game, later):
    anna, bo, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    assert "To agree in place of blue (Bo): referee mail agree" in read_words(dee("mail"))
    assert "an end: referee finish" in read_words(anna("mail"))
    settle(anna, dee)
    assert "The game waits for" not in read_words(anna("mail")), "it has ended"
    (game,) = anna("--json mail logs").facts["games"]
    assert (game["waits_for"], game["wait"], game["to_sign"]) == (None, None, True)
    assert "to sign its end: referee -g" in read_words(anna("mail logs"))
    mail = sent_to(anna, dee)
    (game,) = dee("--json mail logs").facts["games"]
    assert (game["waits_for"], game["to_sign"]) == (None, False)
    assert "open --theirs" in read_words(bo.gets(mail)), "Bo's computer has made the throw, which nobody else has"
    assert bo.gets(mail, "--theirs").code == 0
    assert b"Dee, who directs the game, agrees in place of blue" in mail.replace(b"\n    ", b" ")
    for person in (anna, bo, dee):
        session = open_log(person.log)
        ruling = next(entry for entry in session.entries if isinstance(entry, RulingEntry))
        assert (ruling.by, ruling.seat) == ("red", "blue")
        assert session.moment().outcome.winners == ("red",)
        report = audit(person.log)
        assert (report.fault, len(report.rulings)) == (None, 1)
        assert person("audit").out.startswith("CLEAN EXCEPT FOR A RULING")
        for shown in (person("audit"), person("mail")):
            assert "the director agreed to what red (Anna) offered, in place of blue (Bo)" in read_words(shown)
        assert "Dee, who directs the game, agrees in place of blue" in read_words(person("log"))
    anna.does("log -o game.html")
    assert "the director agreed to what red (Anna) offered" in (anna.folder / "game.html").read_text("utf-8")


def test_nothing_is_settled_before_the_pace_is_over(stuck_game, later):
    anna, _, dee = stuck_game
    offer_end(anna, dee)
    later(13)
    assert "You may not settle this: nothing is stuck: the game waits for blue (Bo): 13 days of 14" in read_words(
        dee("mail")
    )
    assert dee("mail agree").code == 1
    assert dee("mail pack").code == 1


def test_an_answer_that_has_come_is_not_stuck(stuck_game, later):
    """Bo has written to all; Anna offers an end at the older head, as if that mail had not come."""
    anna, bo, dee = stuck_game
    anna.does("finish red")
    offered = anna.mails()
    bo.does("done!")
    sent_to(bo, dee)
    later(15)
    dee.gets(offered)
    answer = dee("mail agree")
    assert answer.code == 1
    assert not any(isinstance(entry, RulingEntry) for entry in open_log(dee.log).entries)


def test_only_an_end_is_settled(stuck_game, later):
    anna, _, dee = stuck_game
    anna.does("pause 2026-12-24")
    sent_to(anna, dee)
    later(15)
    answer = dee("mail agree")
    assert answer.code == 1
    assert "a director may only end the game" in read_words(answer)


def test_a_director_who_only_looks_on_settles_nothing(pair, dee, later):
    anna, bo = pair
    seat_with_director(anna, bo, dee, "--option first=red --pace 14")
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "done")
    sent_to(anna, bo, dee)
    offer_end(anna, dee)
    later(15)
    assert "nobody may settle anything in this game" in read_words(dee("mail agree"))


def test_the_director_may_refuse(stuck_game, later):
    anna, _, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    dee.does("mail refuse")
    assert "no offer waits for you" in read_words(dee("mail agree"))


def test_an_answer_that_crosses_the_ruling_keeps_the_game_going(stuck_game, later):
    """Bo's mail came to Anna before the ruling did: the ruling fits nowhere any more."""
    anna, bo, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    dee.does("mail agree")
    ruling = dee.mails()
    bo.does("done!")
    sent_to(bo, anna)
    anna.gets(ruling)
    session = open_log(anna.log)
    assert session.moment().outcome is None
    assert not any(isinstance(entry, RulingEntry) for entry in session.entries)
    assert audit(anna.log).fault is None


def test_own_moves_that_were_not_sent_do_not_vanish_silently(stuck_game, later):
    anna, bo, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    before = bo.log.read_bytes()
    bo.does("done!")
    settle(anna, dee)
    mail = anna.mails()
    answer = bo.gets(mail)
    assert bo.log.read_bytes().startswith(before)
    assert answer.code == 1
    assert "open --theirs" in read_words(answer)
    assert bo.gets(mail, "--theirs").code == 0
    assert open_log(bo.log).moment().outcome is not None


def test_an_offer_that_stands_in_the_log_can_be_settled(pair, dee, later):
    """Anna had the pen when she offered an end, and Bo never replies."""
    anna, bo = pair
    seat_with_director(anna, bo, dee, "--option first=red --pace 14 --may-settle")
    offer_end(anna, bo, dee)
    later(15)
    offer_end(anna, dee)
    settle(anna, dee)
    sent_to(anna, bo, dee)
    for person in (anna, bo, dee):
        assert open_log(person.log).moment().outcome
        assert person("audit").out.startswith("CLEAN EXCEPT FOR A RULING")


def test_a_late_answer_that_was_sent_gives_way_to_the_ruling(stuck_game, later):
    """Anna has recorded the ruling when the mail comes in which Bo has signed his move."""
    anna, bo, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    settle(anna, dee)
    end = sent_to(anna, dee)
    bo.does("done!")
    late = bo.mails()
    for person in (anna, dee):
        assert "The director ended the game at entry" in read_words(person.gets(late))
    assert "The director has ended the game at entry" in read_words(bo.gets(end))
    assert bo.gets(end, "--theirs").code == 0
    sent_to(bo, anna, dee)
    assert len({open_log(person.log).head.hash for person in (anna, bo, dee)}) == 1
    assert not list(anna.folder.rglob("*proof*"))


# Forged rulings


def forge_ruling(anna, signer, monkeypatch, **fields):
    """Lets Anna record a ruling with these fields, signed with the key of `signer`. Returns why it is refused."""
    session = open_log(anna.log)
    told = {"by": "red", "offer": AgreedEndOffer(("red",)), "seat": "blue"} | fields
    n, record = len(session.entries) - 1, session.public.protocol.record_id
    with monkeypatch.context() as there:
        there.setenv("XDG_CONFIG_HOME", str(signer.home))
        key = read_own_key()
    text = make_ruling_text(record, n, session.head.hash, told["by"], told["seat"], encode_for_log(told["offer"]))
    with pytest.raises(LogError) as refused:
        session.append([(partial(RulingEntry, **told, signature=key.sign(text)), None)])
    return str(refused.value)


def test_an_impostor_settles_nothing(stuck_game, monkeypatch):
    anna, bo, _ = stuck_game
    for somebody in (anna, bo):
        assert "not signed with the key of the director" in forge_ruling(anna, somebody, monkeypatch)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"seat": "red"}, "only between players"),
        ({"by": "blue", "seat": "red"}, "does not wait for red"),
        ({"offer": ResignOffer()}, "may only end the game"),
        ({"seat": "green"}, "only between players"),
    ],
)
def test_a_director_who_takes_sides_reaches_no_further_than_the_treaty(stuck_game, monkeypatch, fields, why):
    anna, _, dee = stuck_game
    assert why in forge_ruling(anna, dee, monkeypatch, **fields)


def test_a_ruling_is_valid_at_its_place_alone(stuck_game, later):
    """A ruling that was signed for one head is recorded at a later one by a cheat."""
    anna, bo, dee = stuck_game
    offer_end(anna, dee)
    later(15)
    dee.does("mail agree")
    (ask,) = read_waiting_offers(dee.log)
    bo.does("done!")
    sent_to(bo, anna)
    session = open_log(anna.log)
    with pytest.raises(LogError):
        session.append(
            [(partial(RulingEntry, by="red", offer=ask.offer, seat="blue", signature=ask.ruled.signature), None)]
        )
