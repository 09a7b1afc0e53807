"""The laws of Attack of the Mutants, on random games under random options."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import BOARD, GAME, play_on, positions, random_action, random_options

from referee.engine.game import look
from referee.games.mutants.board import is_square
from referee.games.mutants.events import Fought, Glowed, Moved, Pursued, Retreated, Withstood

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=5, deadline=None)


@FEW
@given(SEEDS)
def test_an_action_is_legal_exactly_when_no_rule_forbids_it(seed):
    random = Random(seed)
    for state, played, _ in positions(seed):
        views = {seat: look(GAME, state, seat) for seat in ("human", "mutant", "zoe")}
        legal = {seat: GAME.legal(view, seat) for seat, view in views.items()}
        mover = GAME.to_act(state)
        assert played in legal[mover]
        for _ in range(20):
            action, by = random_action(random, state, legal[mover]), random.choice((mover, mover, *legal))
            refusals = tuple(GAME.check(views[by], by, action))
            assert (action in legal[by]) == (not refusals), (state.phase, by, action, refusals)


@FEW
@given(SEEDS)
def test_every_member_of_a_choice_is_legal(seed):
    random = Random(seed)
    for state, _, _ in positions(seed):
        seat = GAME.to_act(state)
        view = look(GAME, state, seat)
        legal = GAME.legal(view, seat)
        assert legal and all(len(choice) for choice in legal.choices)
        for choice in legal.choices:
            assert not list(GAME.check(view, seat, choice.pick(random))), choice


@FEW
@given(SEEDS)
def test_what_is_written_is_read_back(seed):
    for state, action, _ in positions(seed):
        seat = GAME.to_act(state)
        assert GAME.parse(GAME.format(action), look(GAME, state, seat), seat) == action


@FEW
@given(SEEDS)
def test_a_position_is_the_state(seed):
    options = random_options(Random(seed))
    for state, _, _ in positions(seed, options):
        position = GAME.position_of(state)
        assert not list(GAME.check_position(position, options, BOARD))
        read = msgspec.json.decode(msgspec.json.encode(position), type=GAME.position)
        assert GAME.place(read, options, BOARD) == state


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
            if isinstance(event, Moved):
                steps = [(origin, event.to) for _, origin in event.units]
            elif isinstance(event, Retreated | Pursued):
                steps = [(event.origin, event.to)]
            for origin, to in steps:
                assert state.are_beside(origin, to)
                assert state.door(origin, to) not in state.walls


@FEW
@given(SEEDS)
def test_nothing_moves_after_a_failed_smash(seed):
    failed: dict[int, set[str]] = {}
    for state, _, played in positions(seed):
        for event in played.events:
            if isinstance(event, Withstood):
                failed.setdefault(state.turn, set()).update(event.units)
            elif isinstance(event, Moved):
                assert failed.get(state.turn, set()).isdisjoint(unit for unit, _ in event.units)


@FEW
@given(SEEDS)
def test_the_human_side_keeps_to_its_rooms(seed):
    for _, _, played in positions(seed):
        state = played.state
        for unit, place in state.at.items():
            kind = BOARD.units[unit].kind
            assert kind != "janibot" or place != BOARD.tech
            if BOARD.side_of(unit) == "human" and unit != "penny":
                assert not is_square(place)


@FEW
@given(SEEDS)
def test_every_event_is_told_and_every_state_drawn(seed):
    for state, _, played in positions(seed):
        assert all(GAME.tell(event).endswith((".", "!")) for event in played.events)
        for page in GAME.draw(played.state).pages:
            for layout in page.layouts:
                taken = [(glyph.row, column) for glyph in layout.glyphs for column in _columns(glyph)]
                assert len(taken) == len(set(taken)), "two glyphs overlap"
        assert len(GAME.standing(state)) < 300


def _columns(glyph):
    return range(glyph.column, glyph.column + len(glyph.text))


@FEW
@given(SEEDS)
def test_the_dead_are_those_that_were_hit(seed):
    for state, _, played in positions(seed):
        lost = {unit for event in played.events if isinstance(event, Fought) for unit in event.eliminated}
        lost |= {unit for event in played.events if isinstance(event, Glowed) for unit, _ in event.eliminated}
        assert played.state.gone - state.gone == lost


@FEW
@given(SEEDS)
def test_whatever_position_is_accepted_can_be_played_on(seed):
    random = Random(seed)
    options = random_options(random)
    seen = [msgspec.to_builtins(GAME.position_of(state)) for state, _, _ in positions(seed, options)]
    for document in random.sample(seen, 40):
        other = random.choice(seen)
        for name in random.sample(sorted(document), random.randint(1, 4)):
            document[name] = other[name]
        position = msgspec.convert(document, GAME.position)
        if not list(GAME.check_position(position, options, BOARD)):
            state = GAME.place(position, options, BOARD)
            mover = GAME.to_act(state)
            assert GAME.legal(look(GAME, state, mover), mover), document
            assert len(list(play_on(state, seed))) > 0
