"""What holds in Attack of the Mutants beyond the laws of every game, on random games under random options."""

from __future__ import annotations

from itertools import islice
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import BOARD, GAME, play_on, positions, random_action, random_options

from referee.engine.game import view_for
from referee.games.mutants.board import is_square
from referee.games.mutants.bugging_out import PursuersMoved, UnitsRetreated
from referee.games.mutants.doors import DoorWithstood
from referee.games.mutants.moving import UnitsMoved
from referee.games.mutants.resolving import PairFought
from referee.games.mutants.sequence import RadioactiveMutantsChecked

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=5, deadline=None)
FURTHER = 60
"""Actions that are played on from a position."""


@FEW
@given(SEEDS)
def test_an_action_is_legal_exactly_when_no_rule_forbids_it(seed):
    random = Random(seed)
    for state, played, _ in positions(seed):
        views = {seat: view_for(GAME, state, seat) for seat in ("human", "mutant", "zoe")}
        legal = {seat: GAME.legal(view, seat) for seat, view in views.items()}
        mover = GAME.to_act(state)
        assert played in legal[mover]
        for _ in range(20):
            action, by = random_action(random, state, legal[mover]), random.choice((mover, mover, *legal))
            refusals = tuple(GAME.check(views[by], by, action))
            assert (action in legal[by]) == (not refusals), (state.phase, by, action, refusals)


@FEW
@given(SEEDS)
def test_units_only_ever_vanish_and_each_is_in_one_place(seed):
    for state, _, played in positions(seed):
        assert state.gone <= played.state.gone
        assert not played.state.gone & played.state.at.keys()
        assert not set(played.state.pool) & played.state.at.keys()
        assert played.state.walls >= state.walls or state.phase == "setup-human"
        assert played.state.smashed >= state.smashed


@FEW
@given(SEEDS)
def test_nobody_passes_a_wall_or_goes_further_than_one_place(seed):
    for state, _, played in positions(seed):
        for event in played.events:
            steps = []
            if isinstance(event, UnitsMoved):
                steps = [(origin, event.to) for _, origin in event.units]
            elif isinstance(event, UnitsRetreated | PursuersMoved):
                steps = [(event.origin, event.known_refuge if isinstance(event, UnitsRetreated) else event.to)]
            for origin, to in steps:
                assert state.are_neighbours(origin, to)
                assert state.find_door_between(origin, to) not in state.walls


@FEW
@given(SEEDS)
def test_nothing_moves_after_a_failed_smash(seed):
    failed: dict[int, set[str]] = {}
    for state, _, played in positions(seed):
        for event in played.events:
            if isinstance(event, DoorWithstood):
                failed.setdefault(state.turn, set()).update(event.units)
            elif isinstance(event, UnitsMoved):
                assert failed.get(state.turn, set()).isdisjoint(unit for unit, _ in event.units)


@FEW
@given(SEEDS)
def test_the_human_side_keeps_to_its_rooms(seed):
    for _, _, played in positions(seed):
        state = played.state
        for unit, place in state.at.items():
            kind = BOARD.units[unit].kind
            assert kind != "janibot" or place != BOARD.tech_room
            if BOARD.find_side(unit) == "human" and unit != "penny":
                assert not is_square(place)


@FEW
@given(SEEDS)
def test_every_event_is_told_in_a_sentence_and_every_state_in_a_line(seed):
    for state, _, played in positions(seed):
        assert all(GAME.tell(event).endswith((".", "!")) for event in played.events)
        assert len(GAME.status(state)) < 300


@FEW
@given(SEEDS)
def test_the_dead_are_those_that_were_hit(seed):
    for state, _, played in positions(seed):
        lost = {unit for event in played.events if isinstance(event, PairFought) for unit in event.eliminated}
        lost |= {
            unit
            for event in played.events
            if isinstance(event, RadioactiveMutantsChecked)
            for unit, _ in event.eliminated
        }
        assert played.state.gone - state.gone == lost


@FEW
@given(SEEDS)
def test_whatever_position_is_accepted_can_be_played_on(seed):
    random = Random(seed)
    options = random_options(random)
    seen = [msgspec.to_builtins(GAME.position_from(state)) for state, _, _ in positions(seed, options)]
    for document in random.sample(seen, min(20, len(seen))):
        other = random.choice(seen)
        for name in random.sample(sorted(document), random.randint(1, 4)):
            document[name] = other[name]
        position = msgspec.convert(document, GAME.position)
        if not list(GAME.check_position(position, options, BOARD)):
            state = GAME.state_from(position, options, BOARD)
            mover = GAME.to_act(state)
            assert GAME.legal(view_for(GAME, state, mover), mover), document
            assert len(list(islice(play_on(state, seed), FURTHER))) > 0
