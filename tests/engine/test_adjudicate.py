"""Adjudication: played, refused, or something is awaited."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.adjudication import (
    IllegalVerdict,
    LegalVerdict,
    PendingVerdict,
    adjudicate,
    apply_events,
    find_forced_answer,
)
from referee.engine.dice import DiceError
from referee.engine.dice_source import SeededSource, TypedSource
from referee.engine.plugin_errors import GameError
from referee.engine.secret import Secret, UnknownError, hide_secrets_from

CHESTS = {"red": "cave", "blue": "reef"}


@pytest.fixture
def game(ambush):
    return ambush.GAME


@pytest.fixture
def bench(game):
    return Bench(game)


def say(game, state, phrase, *faces, seat=None):
    seat = seat or game.to_act(state)
    action = game.parse(phrase, game.view(state, seat), seat)
    return adjudicate(game, state, seat, action, TypedSource(list(faces)))


@pytest.fixture
def raided(game, bench):
    """Red has landed in a cove; blue is asked whether its chest is there."""
    state = bench.place({"phase": "raid", "night": 1, "chests": CHESTS})
    return say(game, state, "raid reef 2").state


def test_what_is_legal_is_played(game, bench):
    state = bench.place({"phase": "lose", "night": 1, "chests": CHESTS})
    verdict = say(game, state, "lose gold")
    assert isinstance(verdict, LegalVerdict)
    assert verdict.is_public
    assert verdict.open_events == verdict.events
    assert apply_events(state, verdict.events) == verdict.state != state


def test_what_is_illegal_is_refused_by_rule(game, bench):
    verdict = say(game, bench.start(), "fight")
    assert isinstance(verdict, IllegalVerdict)
    assert all(refusal.rule in game.rulebook.rules for refusal in verdict.refusals)


def test_dice_that_are_missing_are_awaited(manoover):
    game, state = manoover.game, manoover.start()
    verdict = adjudicate(game, state, "red", game.parse("throwoff", state, "red"), TypedSource([6]))
    assert isinstance(verdict, PendingVerdict)
    assert (verdict.need.count, verdict.need.sides, verdict.typed_count, verdict.answer) == (2, 6, 1, None)


def test_dice_that_cannot_be_are_an_error(manoover):
    game, state = manoover.game, manoover.start()
    with pytest.raises(DiceError, match="cannot show 7"):
        adjudicate(game, state, "red", game.parse("throwoff", state, "red"), TypedSource([7, 1]))


def test_nobody_acts_while_an_answer_is_owed(game, raided):
    verdict = say(game, raided, "raid cave 1", seat="red")
    assert (verdict.answer, verdict.need) == ("blue", None)


def test_an_answer_has_one_form_and_follows_from_the_seats_own_view(game, raided):
    view = game.view(raided, "blue")
    action = find_forced_answer(game, view, "blue")
    assert len(game.legal(view, "blue")) == 1
    assert isinstance(adjudicate(game, raided, "blue", action, TypedSource([])), LegalVerdict)
    with pytest.raises(UnknownError):
        find_forced_answer(game, game.view(raided, "red"), "blue")


def test_what_has_no_single_answer_is_a_fault_of_the_game(game, bench):
    with pytest.raises(GameError, match="no single answer"):
        find_forced_answer(game, bench.start(), "red")


def test_what_is_unseen_is_kept_from_the_others(game, bench):
    verdict = say(game, bench.start(), "hide reef")
    assert not verdict.is_public
    assert len(verdict.open_events) < len(verdict.events)
    assert "reef" in str(verdict.events)
    assert "reef" not in str(verdict.open_events)
    assert verdict.state.chests["red"].value == "reef"


def test_dice_of_a_hidden_deed_are_seen_by_its_seat_alone(game, bench):
    verdict = say(game, bench.start(), "hide adrift", 2)
    assert verdict.hidden
    assert [roll.to for roll in verdict.rolls] == ["red"]
    without = SeededSource({None: "00" * 32})
    hide = game.parse("hide adrift", bench.start(), "red")
    with pytest.raises(DiceError, match="red has sealed no seed"):
        adjudicate(game, bench.start(), "red", hide, without)


def test_the_rules_get_no_more_than_the_seat_knows(game, raided, monkeypatch):
    """Whatever is handed to them has the others' secrets shut."""
    seen = []

    def spy(name):
        real = getattr(game, name)

        def call(view, *rest):
            seen.append(view)
            return real(view, *rest)

        monkeypatch.setattr(game, name, call)

    for name in ("check", "resolve", "is_secret"):
        spy(name)
    say(game, raided, "answer yes")
    assert len(seen) == 3
    assert all(hide_secrets_from(view, "blue") is view for view in seen)


def test_the_same_is_played_whether_all_is_known_or_only_the_seats_view(game, raided):
    """Events are the same; the state is as much of the truth as went in."""
    truth = say(game, raided, "answer yes")
    view = say(game, game.view(raided, "blue"), "answer yes")
    assert truth.events == view.events
    assert truth.state.away["red"] == Secret("red", 2)
    assert not view.state.away["red"].known
    assert game.view(truth.state, "blue") == view.state
