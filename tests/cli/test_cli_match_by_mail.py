"""Matches by mail: several games, one yes, one score."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from penfriends import sent_to

from referee.mail.ascii_armor import read_mailed_packets
from referee.record.archive import match_by_mail
from referee.record.archive.audit import audit
from referee.record.archive.match import open_match
from referee.record.archive.match_audit import audit_match
from referee.record.log.entry import MatchPlace
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line
from referee.record.table.opening_logs import open_log


def begin_match(anna, bo, options="--term target=9"):
    """Begins a match, in which both sit. Both keep it as cup.jsonl."""
    anna.does(f"match new manoover --mail red --seats Anna,Bo {options} -o cup.jsonl")
    assert bo.gets(anna.mails(), "-o cup.jsonl").code == 0
    bo.does("join Bo")
    sent_to(bo, anna)


def at_the_end(anna, bo):
    """Plays until somebody can resign, and lets them. Returns the writer of the mail that ends the game, its reader,
    and the writer's seat.
    """
    people = {"red": (anna, bo), "blue": (bo, anna)}
    for _ in range(8):
        seat = anna("--json mail").facts["pen"]
        writer, reader = people[seat]
        state = writer("--json status").facts
        if state["to_act"] == seat and not state["needs"]:
            writer.does("resign")
            return writer, reader, seat
        sent_to(writer, reader)
    raise AssertionError("nobody could resign")


def end_game(anna, bo):
    """Ends the present game. Returns the mail that ends it, its writer and its reader."""
    writer, reader, _ = at_the_end(anna, bo)
    mail = writer.mails()
    assert reader.gets(mail).code == 0
    return mail, writer, reader


def score(person):
    return person("--json match show cup.jsonl").facts["score"]


@pytest.fixture
def match(pair):
    """A match of which the first game has begun."""
    begin_match(*pair)
    return pair


# The story


def test_the_match_is_told_before_the_yes(pair):
    anna, bo = pair
    anna.does("match new manoover --mail red --seats Anna,Bo --term target=9 -o cup.jsonl")
    mail = anna.mails()
    for shown in (bo.gets(mail, "-n").shown, bo.gets(mail, "-o cup.jsonl").shown, bo("mail").shown):
        told = " ".join(shown.split())
        assert "the first game of a match with the terms opening running-total and target 9" in told
        assert "If you join it, you play the whole match" in told
    for words in ("join Bo", "audit", "mail"):
        told = " ".join(bo(words).shown.split())
        assert "If you join it" not in told, "they sit there already"
        if words != "mail":
            assert "first game of a match" in told
            assert "The same people play the whole match, at the same seats." in told


def test_the_next_game_begins_in_the_mail_that_ends_the_one_before(match):
    anna, bo = match
    mail, writer, reader = end_game(anna, bo)
    assert len(read_mailed_packets(mail).whole) == 2
    for person in match:
        facts = person("--json mail").facts
        assert facts["match"]["number"] == 2
        assert facts["seat"] == {"anna": "red", "bo": "blue"}[person.name]
        assert person("--json status").facts["match"]["score"] == score(person)
        (first,) = person("--json mail").facts["others"]
        assert (first["waits_for"], first["to_sign"]) == (None, False), "the match goes on in its next game"
    back = reader.mails()
    assert len(read_mailed_packets(back).whole) == 2, "the end of the game before is signed in the same mail"
    assert writer.gets(back).code == 0
    assert writer("--json -g cup-1.jsonl mail").facts["pen"] == writer("--json mail").facts["seat"]
    again = writer if writer("--json mail").facts["pen"] != writer("--json mail").facts["seat"] else reader
    assert len(read_mailed_packets(again.mails("--from 0")).whole) == 1, "all have signed that end"


def test_a_match_from_its_first_game_to_its_winner(match):
    anna, bo = match
    for _ in range(6):
        if score(anna)["winner"]:
            break
        _, writer, reader = end_game(anna, bo)
        assert score(anna) == score(bo)
        if not score(anna)["winner"]:
            sent_to(reader, writer)
    assert score(anna)["winner"]
    for person in match:
        report = audit_match(person.folder / "cup.jsonl")
        assert (report.fault, len(report.games)) == (None, len(score(anna)["games"]))
        assert person("match audit cup.jsonl").out.startswith("CLEAN")
        assert score(person) == score(anna)
        for log in person.folder.glob("cup-*.jsonl"):
            assert audit(log).fault is None
    logs = [sorted(path.name for path in person.folder.glob("cup-*.jsonl")) for person in match]
    assert logs[0] == logs[1]


def test_the_opener_of_the_next_game_follows_the_score(match):
    anna, bo = match
    end_game(anna, bo)
    header = open_log(anna.folder / "cup-2.jsonl").public.header
    assert header.options["first"] == score(anna)["opener"]
    assert header.match.terms == {"target": "9", "opening": "running-total"}


def test_a_lost_mail_is_sent_again_with_both_games(match):
    writer, reader, _ = at_the_end(*match)
    writer.mails()  # it never arrives
    again = writer.mails()
    assert len(read_mailed_packets(again).whole) == 2
    assert reader.gets(again).code == 0
    assert reader("--json mail").facts["match"]["number"] == 2


def test_what_is_for_the_table_only(match, snapshot):
    anna, _ = match
    assert anna("match next").shown == snapshot
    assert anna("match undo").shown == snapshot
    assert anna("match show").shown == snapshot


@pytest.mark.parametrize(
    "words",
    [
        "match new mutants --mail human -o x.jsonl",
        "match new manoover --mail red --term target=0 -o x.jsonl",
        "match new manoover --mail red --option first=red -o x.jsonl",
        "match new manoover --mail green -o x.jsonl",
        "match new manoover --pace 4 -o x.jsonl",
        "match new manoover --hints -o x.jsonl",
    ],
)
def test_matches_that_cannot_be(pair, words):
    anna, _ = pair
    assert anna(words).code == 2
    assert not list(anna.folder.glob("x*.jsonl"))


def test_pace_and_hints_hold_in_every_game(pair):
    anna, bo = pair
    begin_match(anna, bo, "--pace 14 --hints")
    end_game(anna, bo)
    header = open_log(bo.folder / "cup-2.jsonl").public.header
    assert (header.pace, header.hints) == (14, True)


def test_an_end_that_all_take_back_ends_the_games_after_it(match):
    anna, bo = match
    _, writer, reader = end_game(anna, bo)
    sent_to(reader, writer)
    end = open_log(writer.folder / "cup-1.jsonl").in_force()[-1]
    asked = writer("-g cup-1.jsonl undo")
    assert "nor does any later game" in " ".join(asked.shown.split())
    mail = writer("-g cup-1.jsonl mail pack").out.encode()
    assert "nor does any later game" in " ".join(reader.gets(mail).shown.split())
    reader.does("-g cup-1.jsonl mail agree")
    assert writer.gets(reader("-g cup-1.jsonl mail pack").out.encode()).code == 0
    for person in match:
        facts = person("--json match show cup.jsonl").facts
        assert facts["games"] == []
        assert facts["playing"].endswith("cup-1.jsonl")
        assert audit_match(person.folder / "cup.jsonl").fault is None
    assert end not in open_log(anna.folder / "cup-1.jsonl").in_force()


# Cheats


def forge_next_game(change):
    """Makes the games that begin in this block differ from the next one of their match."""
    honest = match_by_mail.make_next_game_header

    def make_next_game_header(one, stage=None):
        return change(honest(one, stage))

    return patch("referee.record.archive.match_by_mail.make_next_game_header", make_next_game_header)


def with_place(**fields):
    return lambda header, _: replace(header, match=replace(header.match, **fields))


def with_key_of_nobody(header, seat):
    """Gives the seat of the other player to somebody else."""
    keys = {one: key if one == seat else NOBODY for one, key in header.match.keys.items()}
    return replace(header, match=replace(header.match, keys=keys))


def with_other_names(header, _):
    return replace(header, seats=tuple(replace(one, name=f"{one.name}x") for one in header.seats))


def with_other_opener(header, _):
    first = "blue" if header.options["first"] == "red" else "red"
    return replace(header, options={**header.options, "first": first})


NOBODY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO0196Vm8pfBEAk06MGpUqyandT2BfArcRm9tHpM2wX9"
FORGED = {
    "it is game 3 of its match, and game 2 comes next": with_place(number=3),
    "the earlier games of this match are not here": with_place(first="1" * 64),
    "another end of the game before": with_place(after="1" * 64),
    "other terms": with_place(terms={"target": "5", "opening": "running-total"}),
    "other keys": with_key_of_nobody,
    "other players": with_other_names,
    "other options": with_other_opener,
    "other hints": lambda header, _: replace(header, hints=True),
    "other pace": lambda header, _: replace(header, pace=3),
}
"""The words that refuse each cheat, and the cheat: it changes the first entry of the next game."""


def test_every_field_of_a_place_is_forged():
    assert {"number", "first", "after", "terms", "keys"} == set(MatchPlace.__struct_fields__)


def test_the_games_of_a_match_differ_in_nothing_that_matters():
    assert {"n", "prev", "by", "at", "format", "nonce", "program"} == set(match_by_mail.FIELDS_OF_EACH_GAME)


@pytest.mark.parametrize("words", FORGED)
def test_a_game_that_is_not_the_next_one_is_refused(match, words):
    writer, reader, seat = at_the_end(*match)
    with forge_next_game(lambda header: FORGED[words](header, seat)):
        mail = writer.mails()
    assert len(read_mailed_packets(mail).whole) == 2
    answer = reader.gets(mail)
    told = " ".join(answer.shown.split())
    assert answer.code == 1
    assert "Refused: entry 0 of this mail is not allowed" in told
    assert words in told.replace("Game", "game").replace("It ", "it ").replace("The e", "the e"), told
    assert not [*reader.folder.glob("cup-2*.jsonl"), *reader.folder.glob("logs/*.jsonl")]
    assert score(reader)["games"], "the end of the game before counts all the same"
    assert audit_match(reader.folder / "cup.jsonl").fault is None


def test_a_game_is_not_replaced_by_another(match):
    anna, bo = match
    _, writer, reader = end_game(anna, bo)
    before = (reader.folder / "cup-2.jsonl").read_bytes()
    for name in ("cup-2.jsonl", "cup-2.jsonl.head", "cup.jsonl", "cup.jsonl.head"):
        (writer.folder / name).unlink()
    with patch("referee.record.archive.match_by_mail.find_match_log", lambda _: None):
        open_log(writer.folder / "cup-1.jsonl")
    match_by_mail.begin_match_log(open_log(writer.folder / "cup-1.jsonl"))
    answer = reader.gets(writer("-g cup-1.jsonl mail pack").out.encode())
    assert answer.code == 1
    assert "Another game 2 of this match has already begun here" in " ".join(answer.shown.split())
    assert (reader.folder / "cup-2.jsonl").read_bytes() == before


def test_the_next_game_is_begun_by_the_seat_that_signed_the_end(match):
    anna, bo = match
    writer, reader, seat = at_the_end(anna, bo)
    writer.mails()
    (writer.folder / "mail.txt").write_text("")
    with patch("referee.mail.match_packets.find_next_game_starter", lambda *_: "nobody"):
        end_only = writer("-g cup-1.jsonl mail pack --from 0").out.encode()
    letters = read_mailed_packets(end_only).whole
    assert reader.gets(end_only.split(b"-----BEGIN")[0] + b"-----BEGIN" + end_only.split(b"-----BEGIN")[1]).code == 0
    assert letters
    with patch("referee.mail.match_packets.find_next_game_starter", lambda *_: "blue" if seat == "red" else "red"):
        mail = reader("-g cup-1.jsonl mail pack").out.encode()
    (writer.folder / "cup-2.jsonl").unlink()
    (writer.folder / "cup-2.jsonl.head").unlink()
    (writer.folder / "cup.jsonl").unlink()
    (writer.folder / "cup.jsonl.head").unlink()
    match_by_mail.begin_match_log(open_log(writer.folder / "cup-1.jsonl"))
    answer = writer.gets(mail)
    assert answer.code == 1
    assert f"{seat} was the first to sign the end of the game before" in " ".join(answer.shown.split())


def test_nobody_else_sits_down_in_a_later_game(match, people):
    anna, bo = match
    writer, reader, seat = at_the_end(anna, bo)
    mail = writer.mails()
    carla, free = people("carla"), "blue" if seat == "red" else "red"
    carla.does("key --make")
    assert carla.gets(anna("-g cup-1.jsonl mail pack --from 0").out.encode(), "-o cup.jsonl").code == 0
    carla.gets(mail)
    answer = carla(f"-g cup-2.jsonl join {free}")
    assert answer.code == 1
    assert "joins with another key than in the game before" in " ".join(answer.shown.split())
    with patch("referee.record.table.seat_keys._check_bound"):
        carla.does(f"-g cup-2.jsonl join {free}")
        stolen = carla("-g cup-2.jsonl mail pack").out.encode()
    assert "joins with another key than in the game before" in " ".join(writer.gets(stolen).shown.split())
    assert reader


# The log of a match


def entries_of(log):
    return [json.loads(line[BODY_OFFSET:-2]) for line in log.read_bytes().splitlines(keepends=True)]


def rewrite(log, entries):
    """Writes other entries into the log of a match, with numbers and hashes that fit."""
    prev, lines = NO_PREVIOUS_HASH, []
    for n, entry in enumerate(entries):
        told = {**entry, "n": n, "prev": prev}
        lines.append(format_entry_line(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()))
        prev = lines[-1][9:73].decode()
    log.write_bytes(b"".join(lines))
    log.with_name(f"{log.name}.head").unlink()


@pytest.fixture
def two_games(match):
    """The log of a match after two games, while the third goes on."""
    anna, bo = match
    for _ in range(2):
        _, writer, reader = end_game(anna, bo)
        sent_to(reader, writer)
    log = anna.folder / "cup.jsonl"
    assert audit_match(log).fault is None
    assert [entry["type"] for entry in entries_of(log)] == [
        "match",
        *["game-started", "game-ended"] * 2,
        "game-started",
    ]
    return log


def test_another_score_is_a_fault(two_games):
    entries = entries_of(two_games)
    entries[2]["standing"]["totals"]["red"] += 1
    rewrite(two_games, entries)
    assert audit_match(two_games).fault.code == "wrong-score"


def test_a_game_that_is_left_out_is_a_fault(two_games):
    entries = entries_of(two_games)
    honest = open_match(two_games)
    score, told = honest.match_rules.make_initial_score(honest.header.options, honest.header.terms), []
    for entry in (honest.entries[3], honest.entries[4]):
        told.append(json.loads(two_games.read_bytes().splitlines(keepends=True)[entry.n][BODY_OFFSET:-2]))
    assert score
    rewrite(two_games, [entries[0], told[0]])
    fault = audit_match(two_games).fault
    assert fault.code == "wrong-game"


def test_games_in_another_order_are_a_fault(two_games):
    entries = entries_of(two_games)
    rewrite(two_games, [entries[0], entries[5]])
    assert audit_match(two_games).fault.code == "wrong-game"


def test_other_terms_are_a_fault(two_games):
    entries = entries_of(two_games)
    entries[0]["terms"]["target"] = 50
    rewrite(two_games, entries[:2])
    fault = audit_match(two_games).fault
    assert (fault.code, "other terms" in fault.cause) == ("wrong-game", True)


def test_other_seats_are_a_fault(two_games):
    entries = entries_of(two_games)
    entries[0]["seats"][0]["name"] = "Carla"
    rewrite(two_games, entries[:2])
    assert audit_match(two_games).fault.code == "wrong-game"


# With a director


def test_a_director_follows_the_whole_match(pair, people):
    anna, bo = pair
    dee = people("dee")
    dee.does("key --make")
    key = dee("--json key").facts["public"]
    anna.does(f"match new manoover --mail red --seats Anna,Bo --term target=9 --director 'Dee={key}' -o cup.jsonl")
    mail = anna.mails()
    assert bo.gets(mail, "-o cup.jsonl").code == 0
    assert dee.gets(mail, "-o cup.jsonl").code == 0
    bo.does("join Bo")
    sent_to(bo, anna, dee)
    writer, reader, _ = at_the_end(Copying(anna, dee), Copying(bo, dee))
    end = writer.mails()
    assert reader.gets(end).code == 0
    assert dee.gets(end).code == 0
    assert open_log(dee.folder / "cup-2.jsonl").public.header.director.name == "Dee"
    assert score(dee) == score(anna)
    facts = dee("--json mail").facts
    assert (facts["directs"], facts["match"]["number"]) == (True, 2)


class Copying:
    """A player who sends each mail to the director, too."""

    def __init__(self, person, director):
        self._person, self._director = person, director

    def __call__(self, *words, **more):
        return self._person(*words, **more)

    def __getattr__(self, name):
        return getattr(self._person, name)

    def mails(self, options=""):
        mail = self._person.mails(options)
        assert self._director.gets(mail).code == 0
        return mail


# Other people, other boards


def test_a_friend_who_takes_over_plays_the_later_games(match, people):
    anna, _ = match
    carla = people("carla")
    carla.does("key --make")
    assert carla.gets(anna("-g cup-1.jsonl mail pack --from 0").out.encode(), "-o cup.jsonl").code == 0
    carla.does("join blue --as Carla")
    assert anna.gets(carla.mails()).code == 0
    anna.does("mail agree")
    if anna("--json mail").facts["pen"] == "blue":
        agreed = anna.mails()
        assert carla.gets(agreed).code == 0
    else:
        sent_to(anna, carla)
    for _ in range(4):
        if carla("--json mail").facts["seat"] == "blue":
            break
        sent_to(*((anna, carla) if anna("--json mail").facts["pen"] == "red" else (carla, anna)))
    assert carla("--json mail").facts["seat"] == "blue"
    end_game(anna, carla)
    for person in (anna, carla):
        header = open_log(person.folder / "cup-2.jsonl").public.header
        assert (header.names["blue"], header.match.keys["blue"]) == ("Carla", carla("--json key").facts["public"])
        assert audit_match(person.folder / "cup.jsonl").fault is None
    assert score(anna) == score(carla)
