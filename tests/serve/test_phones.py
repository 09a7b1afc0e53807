"""Phones that speak for their seats: words, dice and consent, each by its own link alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from phone_games import GAMES, Table, found
from phone_players import HOSTILE, played_on

from referee.bots.steady_bot import SteadyBot
from referee.cli.entry_text import describe_entry
from referee.cli.session.phone_consent import PhoneCommand
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.position_diff import list_manual_changes
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note
from referee.record.table.seat_view import SeatView
from referee.record.table.undo_redo import undo


@pytest.fixture
def robots(tmp_path):
    """Manoover, where somebody has thrown three dice."""
    table = Table(tmp_path, "manoover")
    table.say("red", "throwoff red blue")
    table.say(table.mover, "throw")
    return table


def other(seat):
    return {"red": "blue", "blue": "red"}[seat]


# Saying


def test_a_piece_and_what_it_does_are_two_taps(robots):
    mover = robots.mover
    begun = robots.ask(mover)
    board, key = next(mark for mark in begun["marks"] if mark[1].startswith("piece"))
    touched = robots.ask(mover, at=[board, key], on=begun["on"])
    assert touched["said"] and touched["phrases"]
    said = robots.say(mover, touched["phrases"][0][0])
    assert (said["code"], said["on"]) == (0, begun["on"] + 1)
    assert touched["phrases"][0][0] in said["lines"][0]


def test_taps_are_said_once_they_are_one_thing(robots):
    mover = robots.mover
    robot = robots.ask(mover)["marks"][0][1].split()[-1]
    half = robots.ask(mover, taps=[[robot, ""]])
    assert half["says"] is None
    assert robots.say(mover, [robot, ""])["code"] == 1
    assert robots.ask(mover)["on"] == half["on"]


def test_what_is_refused_tells_the_rule(robots):
    answer = robots.ask(robots.mover, do="words", words="9 go N", on=2)
    assert answer["code"] == 1
    assert answer["lines"][0] == "REFUSED  9 go N"
    assert answer["lines"][1].startswith("dice.2  ")
    assert answer["lines"][-1].startswith("dice.2: A die names")
    assert robots.entries == 3


def test_what_leads_nowhere_is_told(robots):
    mover = robots.mover
    theirs = f"piece {other(mover)[0].upper()}1"
    answer = robots.ask(mover, at=[0, theirs])
    assert answer["lines"] == [f"No legal move now has to do with {theirs.split()[1]}."]


def test_may_i_records_nothing(robots):
    phrase = robots.ask(robots.mover, taps=[["turn", "type"]])["groups"][0]["chips"][0][0]
    answer = robots.ask(robots.mover, do="why", words=f"{phrase} turn N", on=2)
    assert answer["lines"]
    assert robots.entries == 3


def test_of_two_taps_at_one_moment_one_is_a_play(robots):
    mover = robots.mover
    on = robots.ask(mover)["on"]
    first = robots.ask(mover, do="say", taps=[["done", "says"]], sure=True, on=on)
    second = robots.ask(mover, do="say", taps=[["done", "says"]], sure=True, on=on)
    assert (first["code"], second["code"]) == (0, 5)
    assert second["lines"] == ["The game has moved on; look at it, then try again."]
    assert second["on"] == first["on"]


def half_said(table, mover):
    """What a phone shows after one tap, on a robot that may be moved."""
    begun = table.ask(mover)
    board, key = next(mark for mark in begun["marks"] if mark[1].startswith("piece"))
    return table.ask(mover, at=[board, key], on=begun["on"])


def test_words_half_said_stay_when_anybody_notes_something(robots):
    mover = robots.mover
    half = half_said(robots, mover)
    record_note(open_log(robots.log), "pizza", other(mover))
    again = robots.ask(mover, taps=[chip[:2] for chip in half["said"]], on=half["on"])
    assert (again["on"], again["lines"]) == (half["on"] + 1, [])
    assert [again[part] for part in ("said", "line", "phrases")] == [half[part] for part in ("said", "line", "phrases")]


def test_words_half_said_stay_when_they_come_too_late_to_be_said(robots):
    mover = robots.mover
    half = half_said(robots, mover)
    taps = [[half["phrases"][0][0], "says"]]
    whole = robots.ask(mover, taps=[*[chip[:2] for chip in half["said"]], *taps], on=half["on"])
    assert whole["says"]
    record_note(open_log(robots.log), "pizza", other(mover))
    late = robots.ask(mover, do="say", taps=[chip[:2] for chip in half["said"]], on=half["on"])
    assert (late["code"], late["said"]) == (5, half["said"])
    assert robots.entries == half["on"] + 2


def test_what_no_longer_leads_on_is_dropped_and_named(robots):
    mover = robots.mover
    half = half_said(robots, mover)
    undo(open_log(robots.log), 1, mover, [other(mover)])
    again = robots.ask(mover, taps=[chip[:2] for chip in half["said"]], on=half["on"])
    assert again["said"] == []
    assert again["lines"] == [f"The game has moved on, and this is no longer possible: {half['said'][0][2]}."]
    assert robots.ask(mover)["lines"] == []


def test_words_that_were_said_are_not_half_said_any_more(robots):
    mover = robots.mover
    half = half_said(robots, mover)
    assert robots.say(mover, half["phrases"][0][0])["code"] == 0
    again = robots.ask(mover, taps=[chip[:2] for chip in half["said"]], on=half["on"])
    assert (again["said"], again["lines"]) == ([], [])


def test_what_another_program_records_is_seen(robots):
    mover = robots.mover
    before = robots.ask(mover)["on"]
    record_note(open_log(robots.log), "somebody else was here", mover)
    assert robots.ask(mover, do="say", taps=[["done", "says"]], sure=True, on=before)["code"] == 5
    assert robots.ask(mover)["on"] == before + 1


# Whose word it is


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "say", "taps": [["done", "says"]]},
        {"do": "words", "words": "done"},
        {"do": "words", "words": "--by {mover} done"},
        {"do": "words", "words": "{mover}: done"},
        {"do": "words", "words": "-- done --by {mover}"},
        {"do": "roll", "faces": ["--by", "{mover}"]},
        {"do": "roll", "faces": ["-g", "x"]},
        {"do": "undo", "by": "{mover}"},
        {"do": "correct", "number": 2, "faces": ["--agreed-by", "all"]},
        {"do": "correct", "number": 2, "words": "--agreed-by all done"},
        {"do": "amend", "words": "--agreed-by all R1 off"},
        {"do": "amend", "words": "R1 off --agreed-by=all"},
        {"do": "finish", "words": "draw --agreed-by all"},
        {"do": "finish", "words": "draw"},
        {"do": "agree", "number": 1},
    ],
    ids=str,
)
def test_no_phone_speaks_for_another_seat(robots, request_):
    mover = robots.mover
    filled = {
        name: value.format(mover=mover)
        if isinstance(value, str)
        else [it.format(mover=mover) if isinstance(it, str) else it for it in value]
        if isinstance(value, list)
        else value
        for name, value in request_.items()
    }
    robots.ask(other(mover), **filled, on=2)
    assert robots.entries == 3


def test_what_is_no_request_is_told(robots):
    for request in ({"do": "new"}, {"taps": "R2"}, {"on": "x"}, {"at": [1]}, {"more": 1}):
        assert robots.ask("red", **request)["code"] == 2


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_phone_sends_is_answered(tmp_path, name):
    with found(name):
        table = Table(tmp_path, name)
        played_on(table, 6, seed=1)
        on = table.entries - 1
        for seat in open_log(table.log).reducer.seats:
            for word in HOSTILE:
                assert "lines" in table.ask(
                    seat, taps=[[word, ""], [word, "units"], [word, "type"], [word, "says"]], on=on
                )
                assert "lines" in table.ask(seat, at=[0, f"piece {word}"], on=on)
                for do in ("words", "why", "amend", "finish"):
                    assert "lines" in table.ask(seat, do=do, words=word, on=on)
            assert "lines" in table.ask(seat, do="correct", number=99, faces=["1"], on=on)
            for word in HOSTILE:
                assert "lines" in table.ask(seat, do="correct", number=on, words=word, on=on)


# Bots


@pytest.fixture
def against_a_bot(tmp_path):
    """Manoover, where the bot of blue is to act and has not: somebody has stopped it."""
    return Table(tmp_path, "manoover", bots={"blue": "steady"}, first="blue")


def test_a_bot_that_was_stopped_goes_on_where_somebody_lets_it(against_a_bot):
    waits = against_a_bot.ask("red")
    assert (waits["bot"], waits["yours"]) == ("steady plays blue", False)
    let = against_a_bot.ask("red", do="bot", on=0)
    assert (let["code"], let["lines"], let["bot"], let["yours"]) == (0, [], None, True)
    assert against_a_bot.mover == "red"


def test_of_two_who_let_it_go_on_one_is_too_late(against_a_bot):
    against_a_bot.ask("red", do="bot", on=0)
    before = against_a_bot.entries
    assert against_a_bot.ask("red", do="bot", on=0)["code"] == 5
    assert against_a_bot.entries == before


def test_where_a_person_is_to_act_nothing_is_said_for_him(robots):
    told = robots.ask(other(robots.mover), do="bot", on=2)
    assert (told["code"], told["lines"], robots.entries) == (1, ["No bot is to move now."], 3)


def test_a_bot_that_breaks_again_says_why(against_a_bot, monkeypatch):
    monkeypatch.setattr(SteadyBot, "choose", lambda self, seen: seen.nothing)
    told = against_a_bot.ask("red", do="bot", on=0)
    assert told["code"] == 1
    assert "The bot steady has failed" in told["lines"][0]
    assert told["bot"] == "steady plays blue"


@pytest.mark.parametrize(
    "request_",
    [{"do": "undo"}, {"do": "amend", "words": "R6 f3 N, B1 off"}, {"do": "finish", "words": "draw"}],
    ids=lambda request: request["do"],
)
def test_a_bot_agrees_to_whatever_people_want(against_a_bot, request_):
    against_a_bot.ask("red", do="bot", on=0)
    against_a_bot.say("red", "throw")
    told = against_a_bot.ask("red", **request_, on=against_a_bot.entries - 1)
    assert (told["code"], told["asks"]) == (0, []), told["lines"]


# Consent


def test_what_somebody_asks_is_answered_before_another_asks(robots):
    mover, watcher = robots.mover, other(robots.mover)
    number = robots.ask(mover, do="undo", on=2)["asks"][0]["number"]
    assert robots.ask(watcher, do="finish", words=watcher, on=2)["code"] == 1
    assert robots.ask(watcher)["asks"][0]["number"] == number


def test_who_resigns_has_said_on_his_phone_that_he_means_it(robots):
    mover = robots.mover
    assert robots.ask(mover, do="resign", on=2)["code"] == 0
    assert open_log(robots.log).moment().outcome.because == f"{mover} has resigned"


def test_who_must_agree_is_asked_on_his_own_phone(robots):
    mover, watcher = robots.mover, other(robots.mover)
    asked = robots.ask(mover, do="undo", on=2)
    assert asked["wake"]
    (mine,), (theirs,) = asked["asks"], robots.ask(watcher)["asks"]
    assert (mine["mine"], mine["waits"]) == (True, False)
    assert (theirs["mine"], theirs["waits"]) == (False, True)
    assert theirs["words"] == f"{mover.capitalize()} asks to take back to entry 1, turn 1."
    assert "its dice are rolled again" in theirs["does"][0]
    assert robots.ask(mover, do="agree", number=theirs["number"])["code"] == 5
    assert robots.entries == 3
    agreed = robots.ask(watcher, do="agree", number=theirs["number"])
    assert (agreed["code"], agreed["asks"], robots.entries) == (0, [], 4)
    assert robots.ask(mover)["lines"] == ["All have agreed."]


def test_what_was_taken_back_is_brought_back_when_the_other_agrees(robots):
    mover, watcher = robots.mover, other(robots.mover)
    assert "redo" not in robots.ask(mover)["deeds"]
    number = robots.ask(mover, do="undo", on=2)["asks"][0]["number"]
    robots.ask(watcher, do="agree", number=number)
    assert "redo" in robots.ask(mover)["deeds"]
    asked = robots.ask(mover, do="redo", on=3)["asks"]
    if asked:
        robots.ask(watcher, do="agree", number=asked[0]["number"])
    assert "undo" in robots.ask(mover)["deeds"]
    assert robots.entries == 5


def test_who_refuses_ends_it(robots):
    mover, watcher = robots.mover, other(robots.mover)
    number = robots.ask(mover, do="undo", on=2)["asks"][0]["number"]
    assert robots.ask(watcher, do="refuse", number=number)["asks"] == []
    told = robots.ask(mover)
    assert (told["lines"], told["asks"]) == ([f"{watcher} does not agree."], [])
    assert robots.ask(watcher, do="agree", number=number)["code"] == 5
    assert robots.entries == 3


def test_an_offer_lapses_as_soon_as_anybody_plays(robots):
    mover, watcher = robots.mover, other(robots.mover)
    number = robots.ask(mover, do="undo", on=2)["asks"][0]["number"]
    robots.say(mover, "done", sure=True)
    assert robots.ask(watcher)["asks"] == []
    assert robots.ask(watcher, do="agree", number=number)["code"] == 5


def test_consent_is_to_what_was_shown_and_to_nothing_later(robots):
    mover, watcher = robots.mover, other(robots.mover)
    first = robots.ask(mover, do="undo", on=2)["asks"][0]["number"]
    second = robots.ask(mover, do="finish", words=mover, on=2)["asks"][0]["number"]
    assert first != second
    assert robots.ask(watcher, do="agree", number=first)["code"] == 5
    assert "has won" in robots.ask(watcher)["asks"][0]["words"]
    assert robots.ask(watcher, do="agree", number=second)["code"] == 0
    assert robots.ask(mover)["turn"] == "game over"


def test_the_position_is_amended_when_all_agree(robots):
    mover, watcher = robots.mover, other(robots.mover)
    asked = robots.ask(mover, do="amend", words="R1 off", on=2)
    assert asked["asks"][0]["does"] != []
    robots.ask(watcher, do="agree", number=asked["asks"][0]["number"])
    assert [0, "piece R1"] not in robots.ask("red")["marks"]
    assert robots.entries == 4


# Dice


@pytest.fixture
def dice(tmp_path):
    """Manoover, where dice are typed as they fall."""
    return Table(tmp_path, "manoover", TableDice())


def test_dice_are_typed_as_they_fall(dice):
    need = dice.ask("red")["need"]
    assert (need["count"], need["sides"], need["each"]) == (2, 6, ["red", "blue"])
    assert dice.ask("red")["phrases"] == []
    said = dice.ask("red", do="roll", faces=["6", "2"], on=0)
    assert (said["code"], dice.mover) == (0, "red")


def test_what_waits_for_dice_waits_on_when_anybody_notes_something(dice):
    waits = dice.ask("red", do="words", words="throwoff red blue", on=0)["need"]
    assert waits["words"] == "throwoff red blue"
    record_note(open_log(dice.log), "pizza", "blue")
    assert dice.ask("red")["need"] == waits
    assert dice.ask("red", do="roll", faces=["6", "2"], on=1)["code"] == 0


def test_what_waits_for_dice_no_more_is_named(dice):
    dice.ask("red", do="words", words="throwoff red blue", on=0)
    open_log(dice.log).do("throwoff red blue", faces=[5, 1])
    told = dice.ask("red")
    assert told["lines"] == ['The game has moved on, and "throwoff red blue" no longer waits for dice.']
    assert dice.ask("red")["lines"] == []


def test_dice_that_cannot_have_fallen_are_refused(dice):
    wrong = dice.ask("red", do="roll", faces=["6", "7"], on=0)
    assert wrong["code"] != 0
    assert "cannot show 7" in wrong["lines"][0]
    assert wrong["need"]["held"] == []


def test_a_die_is_corrected_when_the_other_agrees(dice):
    dice.ask("red", do="roll", faces=["6", "2"], on=0)
    dice.ask("red", do="roll", faces=["2", "2", "6"], on=1)
    asked = dice.ask("red", do="correct", number=2, faces=["1", "2", "6"], on=2)
    assert asked["asks"], asked
    dice.ask("blue", do="agree", number=asked["asks"][0]["number"])
    assert "1 2 6" in dice.ask("red")["stands"]


def test_the_own_move_is_corrected_at_once(typed_wrong):
    assert typed_wrong.ask("red")["moves"] == [[3, "red: 2 go N"]]
    answer = typed_wrong.ask("red", do="correct", number=3, words="6 turn NE", on=3)
    assert (answer["code"], answer["asks"]) == (0, [])
    assert typed_wrong.ask("red")["moves"] == [[5, "red: 6 turn NE"]]


def test_a_move_of_another_is_corrected_when_they_agree(typed_wrong):
    asked = typed_wrong.ask("blue", do="correct", number=3, words="6 go", on=3)
    (card,) = typed_wrong.ask("red")["asks"]
    assert card["words"] == "Blue asks to correct the move of entry 3."
    assert "the move:  3  red: 2 go N, in truth 6 go N" in "\n".join(card["does"])
    assert typed_wrong.entries == 4, asked
    assert typed_wrong.ask("red", do="agree", number=card["number"])["code"] == 0
    assert typed_wrong.ask("red")["moves"] == [[5, "red: 6 go N"]]


def test_a_right_move_that_is_illegal_is_refused(typed_wrong):
    answer = typed_wrong.ask("red", do="correct", number=3, words="5 go", on=3)
    assert (answer["code"], typed_wrong.entries) == (1, 4)
    assert "No die shows 5" in "\n".join(answer["lines"])


DICE_MENDED = [(["1", "2", "6"], "held"), (["2", "6", "6"], "held"), (["1", "1", "6"], "lost")]
"""The dice of a throw as they fell, and what becomes of the play after it."""


@pytest.fixture
def typed_wrong(dice):
    """Manoover, where red has thrown 2 2 6 and made a play with a 2."""
    dice.ask("red", do="roll", faces=["6", "2"], on=0)
    dice.ask("red", do="roll", faces=["2", "2", "6"], on=1)
    said = dice.ask("red", do="words", words="2 go N", on=2)
    assert said["code"] == 0, said["lines"]
    return dice


@pytest.mark.parametrize(("faces", "becomes"), DICE_MENDED)
def test_all_that_a_correction_records_stood_on_the_card(typed_wrong, faces, becomes):
    typed_wrong.ask("red", do="correct", number=2, faces=faces, on=3)
    (card,) = typed_wrong.ask("blue")["asks"]
    told = "\n".join(card["does"])
    assert card["words"] == "Red asks to correct the dice of entry 2."
    assert f"the dice:  2  red: throw  [2 2 6], in truth {' '.join(faces)}" in told
    assert ("no longer counts:  3  red: 2 go N" in told) == (becomes == "lost")
    assert "anew" not in told
    assert typed_wrong.ask("blue", do="agree", number=card["number"])["code"] == 0
    look = SeatView(open_log(typed_wrong.log), None)
    throw, *others = [entry for entry in look.log.entries[4:] if isinstance(entry, PlayEntry)]
    assert [" ".join(map(str, roll.faces)) for roll in throw.rolls] == [" ".join(faces)]
    assert len(others) == (becomes == "held")
    assert all(f"made again:  {describe_entry(look, entry)}" in told for entry in others)


def test_the_card_tells_how_the_board_would_stand(typed_wrong):
    asked = typed_wrong.ask("red", do="correct", number=2, faces=["1", "1", "6"], on=3)
    on_card = [words for words in asked["asks"][0]["does"] if words.startswith("on the board:")]
    before = SeatView(open_log(typed_wrong.log), None).sight.movable_pieces
    typed_wrong.ask("blue", do="agree", number=asked["asks"][0]["number"])
    after = SeatView(open_log(typed_wrong.log), None).sight.movable_pieces
    assert on_card == [f"on the board:  {change}" for change in list_manual_changes(before, after)] != []


def test_what_is_no_longer_what_was_agreed_to_is_not_recorded(typed_wrong):
    number = typed_wrong.ask("red", do="correct", number=2, faces=["1", "2", "6"], on=3)["asks"][0]["number"]
    asking = typed_wrong.phones._asking
    asking.open_proposal = replace(asking.open_proposal, command=PhoneCommand("correct", ("2", "6", "6", "6"), "red"))
    told = typed_wrong.ask("blue", do="agree", number=number)
    assert (told["code"], told["lines"]) == (1, ["All have agreed, but it cannot be done."])
    assert "Not recorded: the others agreed to something else; ask them again." in typed_wrong.ask("red")["lines"]
    assert typed_wrong.entries == 4


def test_in_a_game_with_secrets_the_card_tells_the_dice_and_no_more(tmp_path):
    with found("ambush"):
        table = Table(tmp_path, "ambush", TableDice())
        played_on(table, 90, seed=1)
        n, words, dice = table.ask("red")["throws"][0]
        asked = table.ask("red", do="correct", number=n, faces=["1"] * dice, on=table.entries - 1)
        (card,) = table.ask("blue")["asks"]
    assert asked["asks"][0]["does"] == card["does"]
    assert card["does"][0] == f"the dice:  {n}  {words}, in truth {' '.join('1' * dice)}"
    assert card["does"][1:] == ["The referee works out the rest only after all agree; otherwise it would tell secrets."]


# Whole games


@pytest.mark.parametrize("mode", [OpenDice("7" * 64), TableDice()], ids=["seed", "typed"])
@pytest.mark.parametrize("name", GAMES)
def test_phones_play_any_game(tmp_path, name, mode):
    """Each phone taps at random what it is offered, and types dice at random where they are waited for."""
    with found(name):
        table = Table(tmp_path, name, mode)
        assert played_on(table, 24, seed=4) >= 12
