"""A session at the table, without a terminal: a line goes in, an answer comes out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conversation import Table

from referee.cli.session.line_parsing import parse_face_line, split_line
from referee.cli.session.live_log import ScreenHandover
from referee.engine.dice import Need
from referee.engine.target_number import ONLY_READ
from referee.record.table.opening_logs import open_log


@pytest.fixture
def table(evening):
    return Table(evening)


def test_a_turn_in_few_keys(table, evening):
    assert "Red goes first." in table.say("52")
    told = table.say("226")
    assert "Rolled: 2 2 6." in told
    assert told.endswith("Now: dice 2 2 6. Next: legal lists 15 actions"), "a list of more than six rows is not shown"
    assert "R2 to face NE" in table.say("2 turn ne")
    assert "Now turn 2, blue" in table.say("2 go, 6 go, auto")
    assert [entry.by for entry in open_log(evening).entries[1:]] == ["red"] * 6


@pytest.mark.parametrize(
    "typed",
    [
        "226",
        "2-2-6",
        "2 2/6",
        "2\u20132\u20136",
        "\uff12\uff12\uff16",
        "\uff12\u3000\uff12\u3000\uff16",
        "٢، ٢، ٦",
        "२ २ ६",
    ],
)
def test_dice_as_keyboards_have_them(table, typed):
    table.say("52")
    assert "Rolled: 2 2 6." in table.say(typed)


def test_every_command_without_referee(table):
    table.say("52")
    assert table.say("log") == table.say("referee log")
    assert "throwoff red blue  [5 2]" in table.say("log")
    assert "CLEAN" in table.say("audit")
    assert "control.1" in table.say("rules control.1")
    assert table.say("show -h").startswith("Usage: referee show")


def test_an_empty_line_shows_the_board(table):
    table.say("")
    assert table.say("") == table.say("show")
    assert "(R)" in table.say("")


def test_hints_leave_out_the_name(table):
    told = table.say("")
    assert "referee" not in told
    assert "All of them" not in told
    table.say("52")
    assert "then type: the faces" in table.say("note hello")


def test_what_is_refused_and_what_is_not_read(table):
    table.say("52")
    table.say("226")
    refused = table.say("5 go")
    assert (table.code, refused.split()[0]) == (1, "REFUSED")
    assert "(all 15: legal)" in refused
    table.say("5 fly")
    assert table.code == 2


def test_dice_can_be_typed_in_any_way(table):
    table.say("5, 2")
    assert "Rolled: 1 3 5." in table.say("13 5")


def test_a_face_that_no_die_has_is_asked_for_again(table):
    assert "cannot show 7" in table.say("7 2")
    assert table.code == 2
    assert "Red goes first." in table.say("52")


@pytest.fixture
def raid(cli):
    """Attack of the Mutants, everybody set up, before the first door is smashed."""
    cli("new mutants --dice table --seats Ann,Bo -o raid.jsonl")
    cli("do rest, ready, rest, ready")
    return Table("raid.jsonl")


def test_dice_in_the_middle_of_a_line(raid):
    told = raid.say("smash xN4-D1 n8, smash xS4-D7 r18 n22")
    assert raid.code == 2
    assert "Roll 1d6 (smash xN4-D1, 1 Mutant" in " ".join(told.split())
    assert raid.talk.need == raid.talk.pending.need
    assert "xN4" in raid.say("show xN4")
    assert raid.talk.pending, "looking does not forget what waits for dice"
    assert "cannot show 9" in raid.say("9")
    told = raid.say("6")
    assert "Rolled 6" in told
    assert "smash xS4-D7" in raid.talk.pending.need.purpose
    assert "Rolled 1" in raid.say("1")
    assert raid.talk.pending is None


def test_what_waits_for_dice_is_forgotten(raid):
    raid.say("smash xN4-D1 n8")
    raid.talk.drop_unfinished_action()
    assert raid.talk.pending is None
    raid.say("6")
    assert raid.code == 1
    raid.say("smash xN4-D1 n8")
    raid.say("smash xS4-D7 n22!")
    assert "xS4-D7" in raid.talk.pending.need.purpose


def test_leaving(table):
    assert not table.talk.over
    assert "Good-bye" in table.say("quit")
    assert table.talk.over


def test_playing_in_a_session_is_told(table):
    assert "You are in a session already" in table.say("play")


def test_somebody_else_plays_on(table, cli, evening):
    table.say("")
    cli("roll 5 2")
    told = table.say("roll 1 1 1")
    assert "Meanwhile somebody else recorded entry 1: red: throwoff red blue  [5 2]" in told
    assert (table.code, len(open_log(evening).entries)) == (5, 2)
    assert "Meanwhile" not in table.say("")
    table.say("111")
    assert table.code == 0


def test_looking_goes_on_when_somebody_else_plays(table, cli):
    cli("roll 5 2")
    told = table.say("log")
    assert told.count("throwoff") == 2
    assert table.code == 0


def test_the_session_follows_to_a_branch_and_to_another_game(table, evening):
    table.say("52")
    table.say("branch what-if --at 1")
    assert table.talk.look.session.path == Path("logs/friday-what-if.jsonl")
    table.say("111")
    assert len(open_log(evening).entries) == 2
    table.say("new manoover -o logs/other.jsonl")
    assert table.talk.look.session.path == Path("logs/other.jsonl")


def test_a_log_that_vanishes(table, evening):
    evening.rename("elsewhere.jsonl")
    assert "There is no file" in table.say("")
    assert table.code == 3
    Path("elsewhere.jsonl").rename(evening)
    assert "(R)" in table.say("")


def test_quotes_and_apostrophes(table, evening):
    table.say("note Anna's dog ate B4")
    table.say("note 'two  words'")
    notes = [entry.text for entry in open_log(evening).entries[1:]]
    assert notes == ["Anna's dog ate B4", "two  words"]


@pytest.mark.parametrize(
    ("line", "faces"),
    [
        ("226", ["2", "2", "6"]),
        ("2 2 6", ["2", "2", "6"]),
        ("2,26", ["2", "2", "6"]),
        ("2 go", None),
        ("", None),
        ("²", None),
    ],
)
def test_faces(line, faces):
    assert parse_face_line(line, Need("a throw", 3, 6, aims=ONLY_READ)) == faces


def test_faces_of_big_dice_and_names():
    assert parse_face_line("12", Need("a throw", 1, 20, aims=ONLY_READ)) == ["12"]
    assert parse_face_line("Ace", Need("a card", 1, 2, ("king", "ace"), aims=ONLY_READ)) == [
        "Ace"
    ]  # told as it was typed
    assert parse_face_line("queen", Need("a card", 1, 2, ("king", "ace"), aims=ONLY_READ)) is None


def test_words_of_a_line():
    assert split_line("note 'a b' c") == ["note", "a b", "c"]
    assert split_line("Anna's C:\\logs") == ["Anna's", "C:\\logs"]


def test_stepping_is_for_the_shell(table):
    table.say("52")
    assert "leave the session" in table.say("log --full --step")
    assert table.code == 2


# Plain lines, and programs


def test_piped_lines(cli, evening):
    answer = cli("play", stdin=b"52\n226\n6 go\n")
    assert answer.code == 0
    assert "R6 to g2" in answer.out
    assert "> " not in answer.out
    assert len(open_log(evening).entries) == 4


def test_a_line_does_not_read_the_next_ones(cli, control):
    answer = cli("play", stdin=b"do -f -\n6 go\n")
    assert "R6 to g2" in answer.out


def test_programs(cli, control):
    requests = [{"id": 1, "say": "legal"}, {"id": "b", "say": "6 go"}, {"say": "5 go"}, {"id": 4, "say": "show -h"}]
    answer = cli("--json play", stdin="\n".join(map(json.dumps, requests)).encode() + b"\nlog\n")
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert [one["id"] for one in answers] == [1, "b", None, 4, None]
    assert [one["exit"] for one in answers] == [0, 0, 1, 0, 0]
    assert answers[0]["answer"]["count"] == 15
    assert answers[1]["answer"]["recorded"] is True
    assert answers[2]["answer"]["verdict"] == "refused"
    assert [entry["text"] for entry in answers[4]["answer"]][-1] == "red: 6 go N"


@pytest.mark.parametrize("request_line", ["{", '{"say": 1}', '{"id": 1}', '{"say": "log", "more": 1}'])
def test_requests_that_are_none(cli, control, request_line):
    answer = cli("--json play", stdin=request_line.encode() + b"\n")
    assert (answer.facts["exit"], answer.facts["answer"]["error"]) == (2, "MisuseError")


def test_dice_that_are_missing_are_told_to_programs(cli, evening):
    answer = cli("--json play", stdin=b"throwoff\n52\n")
    first, second = (json.loads(line) for line in answer.out.splitlines())
    assert first["answer"]["needs"]["count"] == 2
    assert second["answer"]["recorded"] is True


@pytest.mark.parametrize("words", ["--at 1 play", "-g - play", "play -"])
def test_what_cannot_be_played_on(cli, control, words):
    assert cli(words).code == 2


# Secrets: one player at a time looks at the screen

SET_UP = ["wall D2-D3, wall E5-E6, put prof penny in D4, put buck b1 in D1, rest, ready"]


@pytest.fixture
def hidden(cli):
    cli("new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl")
    return Table("g.jsonl")


def test_nobody_speaks_before_he_sits_down(hidden):
    assert hidden.talk.live_log.pending_handover == ScreenHandover("human", has_secrets_to_hide=False)
    for line in ("wall D2-D3", "legal", "why wall D2-D3"):
        assert "has to sit down first" in hidden.say(line)
        assert hidden.code == 1
    assert "as a spectator sees it" in hidden.say("show")
    assert len(open_log("g.jsonl").entries) == 3


def test_the_screen_is_handed_over(hidden):
    hidden.say("")
    assert hidden.talk.live_log.eyes == "human"
    for line in SET_UP:
        told = hidden.say(line)
    assert hidden.talk.live_log.pending_handover == ScreenHandover("mutant", has_secrets_to_hide=True)
    assert "D2-D3" not in told
    reply = hidden.talk.run_line("")
    assert reply.clears_screen, "nothing that Anna saw stays"
    assert hidden.talk.live_log.eyes is None
    assert "D2-D3" not in "\n".join(reply.render_rows())
    told = hidden.say("")
    assert hidden.talk.live_log.eyes == "mutant"
    assert "as mutant sees it" in told
    assert "D2-D3" not in told + hidden.say("log") + hidden.say("show")
    assert hidden.say("show --by human") != hidden.say("show"), "who asks for another's eyes gets them, as in the shell"


def test_who_sits_down_is_told_what_happened_meanwhile(hidden):
    hidden.say("")
    for line in [*SET_UP, "", "", "rest", "ready", "smash xN4-D1 n8", "1", "end"]:
        told = hidden.say(line)
    while hidden.talk.look.facts.to_act == "mutant":
        hidden.say("end!")
    told = hidden.say("")
    told += "" if hidden.talk.live_log.eyes else hidden.say("")
    assert "mutant: a secret, sealed" in told
    assert "Both players are told: Somebody is in D1." in told


def test_out_of_turn_one_speaks_for_oneself(hidden):
    hidden.say("")
    for line in SET_UP:
        hidden.say(line)
    assert "the other player's part" in hidden.say("rest"), "Anna is not on turn"
    assert hidden.code == 1
    assert "32 Human-side units" in hidden.say("show")


def test_nothing_secret_is_remembered(hidden):
    hidden.say("")
    hidden.say(SET_UP[0])
    assert hidden.talk.list_recent_action_lines() == []


def test_who_has_said_nothing_secret_gets_up_by_himself_and_one_enter_is_enough(hidden):
    hidden.say("")
    hidden.say(SET_UP[0].removesuffix(", ready"))
    reply = hidden.talk.run_line("ready")
    assert (reply.clears_screen, hidden.talk.live_log.eyes) == (True, None), "nothing that Anna saw stays"
    told = "\n".join(reply.render_rows())
    assert "The human set-up is complete." in told
    assert "mutant (Bo) takes the screen; when nobody else looks, press Enter." in told
    assert "D2-D3" not in told
    assert "as mutant sees it" in hidden.say("")
    assert hidden.talk.live_log.eyes == "mutant"


def test_words_said_before_are_those_of_the_game(table):
    table.say("52")
    table.say("226")
    table.say("2ne")
    assert table.talk.list_recent_action_lines() == ["throwoff red blue", "throw", "2 turn NE"]


def test_programs_name_the_eyes_themselves(cli):
    cli("new mutants --option hidden-movement=yes --dice table -o g.jsonl")
    answer = cli("--json play", stdin=b"show\nshow --by human\nwall D2-D3\n")
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert [one["answer"].get("seen_by") for one in answers] == [None, "human", None]
    assert answers[2]["exit"] == 0


def test_where_one_player_sits_the_screen_is_his(cli):
    cli("new mutants --option hidden-movement=yes --dice table --sitting human -o g.jsonl")
    table = Table("g.jsonl")
    assert table.talk.live_log.eyes == "human"
    assert table.talk.live_log.pending_handover is None


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 131_072, 200_000])
def test_a_line_of_any_length_is_answered_and_the_session_goes_on(cli, control, length):
    lines = b"\n".join([b"{" + b"x" * (length - 2), b"x" * (length - 1), b'{"id": 7, "say": "legal"}', b""])
    answers = [json.loads(line) for line in cli("--json play", stdin=lines).out.splitlines()]
    assert [one["exit"] for one in answers] == [2, 2, 0]
    assert answers[2]["id"] == 7
    told = cli("play", stdin=b"x" * length + b"\nlegal\n")
    assert told.code == 0
    assert "6 go" in told.out


def test_a_last_line_that_is_too_long_and_does_not_end(cli, control):
    answer = cli("--json play", stdin=b"x" * 300_000)
    assert "a line cannot have" in answer.facts["answer"]["message"]


def test_many_digits_are_answered_at_once(table):
    for line in ("1" * 8_000, "1 " * 30_000, "roll " + "1 " * 8_000):
        assert "dice are too many at once" in table.say(line)
        assert table.code == 2
