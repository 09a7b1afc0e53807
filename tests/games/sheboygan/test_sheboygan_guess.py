"""What the human player may believe of the monster: truths that fit what he knows."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from support import Bench

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.game import view_for
from referee.engine.registry import find_game
from referee.games.sheboygan.options import SCENARIOS, sum_ability_costs

GAME = find_game("sheboygan")
LONGEST = 20_000
SPOTS = 40
"""Moments of a game at which a truth is guessed."""


def played(state, random):
    """The moments of a random game from here on."""
    source = SeededSource({None: f"{random.getrandbits(256):064x}", "monster": "00" * 32, "human": "00" * 32})
    for _ in range(LONGEST):
        yield state
        seat = GAME.to_act(state)
        if seat is None:
            return
        view = view_for(GAME, state, seat)
        verdict = adjudicate(GAME, state, seat, GAME.legal(view, seat).pick(random), source)
        assert isinstance(verdict, LegalVerdict), verdict
        state = verdict.state
    raise AssertionError("it does not end")


def spots(scenario):
    """Some moments of two games of a scenario, those of the set-up among them."""
    random = Random(scenario)
    for _ in range(2):
        moments = list(played(Bench(GAME).start(scenario=scenario), random))
        yield from moments[:8]
        yield from random.sample(moments[8:], min(len(moments) - 8, SPOTS))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_guess_is_a_truth_that_looks_the_same(scenario):
    random = Random(7)
    for state in spots(scenario):
        for seat in ("human", None):
            view = view_for(GAME, state, seat)
            guess = GAME.guess(view, seat, random)
            assert view_for(GAME, guess, seat) == view
            assert not list(GAME.check_position(GAME.position_from(guess), state.options, state.board)) or state.outcome
            assert guess.sheet is None or fits(guess)


def fits(state):
    """Whether a record can be the one that was written, as far as everybody knows."""
    abilities = {*state.sheet.value.abilities}
    assert {*state.known} <= abilities <= {*state.scenario.abilities} - {*state.lacking}
    assert (
        state.scenario.least_ability_points <= sum_ability_costs(tuple(abilities)) <= state.scenario.monster_points - 2
    )
    sheet = state.sheet.value
    assert sheet.attack >= state.struck
    assert sheet.destruction >= state.smashed
    assert sheet.movement >= state.walked
    points = sheet.attack + state.defense + sheet.destruction + sheet.movement + sum_ability_costs(tuple(abilities))
    return state.scenario.monster_grows or points <= state.scenario.monster_points


def test_the_monster_player_knows_the_truth():
    for state in spots("advanced-a"):
        assert GAME.guess(state, "monster", Random(1)) == state


def test_guesses_differ():
    state = next(state for state in spots("advanced-b") if state.turn == 2)
    guesses = [GAME.guess(view_for(GAME, state, "human"), "human", Random(seed)) for seed in range(30)]
    assert len({guess.sheet for guess in guesses}) > 20
    assert len({guess.edge for guess in guesses}) == 4
    assert len({*chain.from_iterable(guess.sheet.value.abilities for guess in guesses)}) > 8


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_guess_is_played_to_its_end(scenario):
    random = Random(3)
    for state in list(spots(scenario))[::9]:
        *_, last = played(GAME.guess(view_for(GAME, state, None), None, random), random)
        assert GAME.outcome(last) is not None
