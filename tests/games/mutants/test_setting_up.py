"""Setting up without typing 86 lines."""

from __future__ import annotations

import pytest
from playing import BOARD, GAME

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.option_resolution import fill_options


def play(state, *lines, seed=1):
    source = SeededSource({None: f"{seed:064x}"})
    for line in lines:
        seat = GAME.to_act(state)
        verdict = adjudicate(GAME, state, seat, GAME.parse(line, state, seat), source)
        assert isinstance(verdict, LegalVerdict), (line, verdict)
        state = verdict.state
    return state


@pytest.mark.parametrize("how", ["rest", "random", "place rest"])
@pytest.mark.parametrize("adjacent", ["chain", "line", "same-room"])
@pytest.mark.parametrize("count", ["up-to", "exactly"])
def test_everybody_is_set_up_within_the_rules(how, adjacent, count):
    options = fill_options(GAME, {"wall-adjacent": adjacent, "wall-count": count, "help-humans": "yes"})
    human = ("random",) if count == "exactly" else (how,)
    state = play(GAME.setup(options, BOARD), *human, "ready", how, "ready")
    assert (state.phase, len(state.at)) == ("smash", 86)
    again = {**options, "bugging-out": "yes"}
    before = GAME.position_from(state)
    assert not list(GAME.check_position(before, again, BOARD))
    for square in BOARD.squares:
        assert state.count_units(square, "radioactive", "normal") >= 1
    assert sorted(place[1] for unit, place in state.at.items() if BOARD.units[unit].kind == "leader") == list("ENSW")


def test_random_set_ups_differ_and_their_dice_are_recorded():
    state = GAME.setup(fill_options(GAME, {}), BOARD)
    one = adjudicate(GAME, state, "human", GAME.parse("random", state, "human"), SeededSource({None: "1" * 64}))
    other = adjudicate(GAME, state, "human", GAME.parse("random", state, "human"), SeededSource({None: "2" * 64}))
    assert isinstance(one, LegalVerdict) and isinstance(other, LegalVerdict)
    assert one.state.at != other.state.at
    assert len(one.rolls) == 12 + 6 + 24
    assert len(one.state.walls) == 12


def test_a_whole_set_up_in_a_few_lines():
    options = fill_options(GAME, {})
    walls = ("wall C3-D3", "wall D3-E3", "wall C5-D5")
    human = ("put prof penny in D4", "put buck b9 in D3", "put mack b10 in C4", "rest", "ready")
    mutant = ("put l1 n1..n5 in xN4", "put r1..r6 in xS4", "put rest", "ready")
    state = play(GAME.setup(options, BOARD), *walls, *human, *mutant)
    assert state.units_by_place["D3"] == ("buck", "b9")
    assert state.units_by_place["xN4"][:6] == ("l1", "n1", "n2", "n3", "n4", "n5")
    assert state.phase == "smash"
