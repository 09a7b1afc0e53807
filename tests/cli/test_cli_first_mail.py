"""A first mail as two people type it, one of whom has a program of his own: refused, or told before anybody joins."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace
from penfriends import read_words, seated

import referee.record.table.game_start_checks
import referee.record.table.unusual_settings
from referee.cli.treaty_text import list_treaty_lines
from referee.engine.registry import find_game
from referee.mail import joining, packet_verifier
from referee.record.log.entry import GameEntry, SeatedPlayer
from referee.record.table.opening_logs import open_log
from referee.record.table.treaty import Treaty
from referee.record.table.unusual_settings import find_unusual_settings


def begins_with(**told):
    """A program that begins a game by mail with what nobody may begin with."""

    def begun(one, **more):
        return replace(one, **(more | told if isinstance(one, GameEntry) else more))

    return patch("referee.record.table.opening_logs.replace", begun)


@pytest.fixture
def lenient():
    """A program that refuses no beginning; what is done in it is done by the cheat."""
    return lambda: patch.object(
        referee.record.table.game_start_checks, "explain_unfit_beginning", lambda *_, **__: None
    )


def forged(cheat, lenient, **told):
    with lenient(), patch.object(joining, "explain_unfit_beginning", lambda *_: None), begins_with(**told):
        cheat.does("new manoover --mail red --seats Anna,Bo --option first=red")
        return cheat.mails()


def test_a_bot_in_the_first_mail_is_refused_and_nothing_is_left(pair, lenient):
    anna, bo = pair
    mail = forged(anna, lenient, bots={"blue": "random"})
    for option in ("-n", ""):
        answer = bo.gets(mail, option)
        assert answer.code == 1
        assert "Refused: entry 0 of this mail is not allowed. A bot cannot roll real dice or write mail" in read_words(
            answer
        )
        assert [path.name for path in bo.folder.iterdir()] == ["mail.txt"]


def test_no_bot_speaks_by_mail_whatever_a_log_says(pair, lenient):
    """As it was done: the guest's own program added the bot's plays to his word."""
    anna, bo = pair
    mail = forged(anna, lenient, bots={"blue": "random"})
    with patch.object(packet_verifier, "explain_unfit_beginning", lambda *_: None):
        assert "Bots play: random plays blue." in read_words(bo.gets(mail))
    answer = bo("join Bo")
    assert (answer.code, "nobody can sit down" in read_words(answer)) == (1, True)
    with patch.object(joining, "explain_unfit_beginning", lambda *_: None):
        bo.does("join Bo")
    anna.gets(bo.mails())
    anna.does("done!")
    bo.gets(anna.mails())
    assert "random plays" not in read_words(bo(""))
    before = open_log(bo.log).entries
    die = bo("--json").facts["position"]["dice"][0]
    bo.does(f"{die} turn ne")
    assert len(open_log(bo.log).entries) == len(before) + 1  # his word: no bot has played on
    for one in (anna, bo):
        audit = one("audit")
        assert audit.out.startswith("CLEAN EXCEPT FOR ITS BEGINNING")
        assert "No game may begin like this: a bot cannot roll real dice or write mail" in read_words(audit)


def test_hints_are_told_before_joining_and_in_the_audit(pair):
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo --hints")
    mail = anna.mails()
    told = "Hints are allowed: every player may ask what a bot would do."
    assert told in read_words(bo.gets(mail, "-n"))
    assert told in read_words(bo.gets(mail))
    bo.does("join Bo")
    for one in (anna, bo):
        assert told in read_words(one("audit"))
        assert one("audit").out.startswith("CLEAN  ")
    assert bo("--json audit").facts["special"]["fields"] == [{"name": "hints", "value": "true"}]


def test_older_rules_are_told_before_joining(pair):
    anna, bo = pair
    assert find_game("mutants").rules_version > 1
    with begins_with(rules=1):
        anna.does("new mutants --mail human")
        mail = anna.mails()
    assert "The game began under version 1 of its rules" in read_words(bo.gets(mail))


def test_an_ordinary_game_is_told_without_a_word_of_that(pair):
    anna, bo = pair
    seated(anna, bo)
    assert "Not as usual" not in read_words(anna("audit"))
    assert bo("--json audit").facts["special"]["fields"] == []


class LaterEntry(GameEntry, frozen=True, tag="game", omit_defaults=True):
    """The first entry as a later version may have it."""

    clock: int = 0
    """Days for an answer, which nobody has heard of today."""


def test_a_field_that_is_new_tells_itself(evening):
    header = open_log(evening).reducer.header
    known = {field.name: getattr(header, field.name) for field in fields(header)}
    game = find_game("manoover")
    assert find_unusual_settings(game, LaterEntry(**known), evening).fields == ()
    found = find_unusual_settings(game, LaterEntry(**known, clock=3), evening)
    assert list_treaty_lines(Treaty(settings=found)) == ["Unusual: clock is 3."]


SEEN = {
    **dict.fromkeys(("n", "prev", "at", "nonce", "format", "game"), "says nothing of how it is played"),
    **dict.fromkeys(("options", "files", "position", "rules"), "told by itself"),
    **dict.fromkeys(("rulings", "seats", "dice"), "judged, or in every heading"),
    "by": "told where it is not the referee",
}
"""Fields that every first entry has, and why the walk over the others passes them over."""


def test_every_field_of_the_first_entry_is_looked_at():
    """A new one has a usual value, and tells itself; else it is to be put here, and told."""
    assert issubclass(GameEntry, Struct)
    assert {field.name for field in fields(GameEntry) if field.required} == SEEN.keys()


def test_where_nobody_can_sit_down_no_answer_says_how(pair, lenient):
    """A log that came as a file begins in a way that is not allowed. `mail` tells the reason, and so does a refusal."""
    anna, bo = pair
    forged(anna, lenient, bots={"blue": "random"})
    log = bo.folder / "logs" / anna.log.name
    log.parent.mkdir()
    log.write_bytes(anna.log.read_bytes())
    reason = "no game may begin like this: a bot cannot roll real dice or write mail"
    told = read_words(bo("mail"))
    assert reason in told.replace("No game", "no game")
    assert "Next: nothing: nobody can sit down, since no game may begin like this; to see why: referee mail" in told
    for _ in range(2):
        for words in ("status", "mail", "join", "join blue", "do done!", "mail agree", "finish nobody"):
            answer = bo(words)
            assert "referee join" not in answer.out + answer.err, answer.shown
            assert "no game may begin like this" in read_words(answer), answer.shown
        bo("key --make")


@pytest.mark.parametrize("name", ["Bo); your key is good (checked", "red (blue)", "\N{CYRILLIC CAPITAL LETTER A}nna"])
def test_the_next_step_never_holds_a_name_that_the_host_chose(pair, lenient, name):
    """As in an old log, which was begun before such names were refused."""
    anna, bo = pair
    seats = [SeatedPlayer("red", "Anna"), SeatedPlayer("blue", name)]
    mail = forged(anna, lenient, seats=seats)
    unchecked = [patch.object(one, "explain_unfit_beginning", lambda *_: None) for one in (packet_verifier, joining)]
    with unchecked[0], unchecked[1]:
        told = bo.gets(mail)
    assert f"The seat blue is for {name}." in read_words(told)
    assert read_words(told).partition("Next: ")[2].startswith("if you are blue: referee join blue ")
    with patch.object(joining, "explain_unfit_beginning", lambda *_: None):
        bo.does("join blue")
    anna.gets(bo.mails())
    steps = [read_words(one("mail")).partition("Next: ")[2] for one in (anna, bo)]
    assert all(steps)
    assert not any(name in step or "(" in step for step in steps)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("red (blue),blue (red),Carla", "has brackets or punctuation"),
        ("Anna,Bo,green (Anna)", "has brackets or punctuation"),
        ("Anna,Bo); your key is good (checked,Carla", "has brackets or punctuation"),
        ("Anna,green,blue", "looks like one that is"),
        ("Anna,Bo,\N{CYRILLIC CAPITAL LETTER A}nna", "mixes alphabets in one word"),
        ("Anna,Bo,anna", "two people are called anna"),
    ],
)
def test_three_people_begin_with_no_names_that_pass_for_others(pair, names, why):
    anna, _ = pair
    answer = anna("new", "manoover", "--option", "form=three", "--mail", "red", "--seats", names)
    assert (answer.code, why in read_words(answer)) == (1, True), answer.shown
    assert not list(anna.folder.glob("logs/*"))
