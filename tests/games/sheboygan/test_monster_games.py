"""Whole games: the samples that come along, random ones of every scenario, and what holds in all of them."""

from __future__ import annotations

import gc
from random import Random

import pytest
from habits import chosen
from sample_monsters import MONSTERS, SAMPLES
from support import Bench

import referee
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_mode import OpenDice
from referee.engine.dice_source import SeededSource
from referee.engine.game import view_for
from referee.engine.registry import find_game
from referee.games.sheboygan.duties import UnitsEliminated
from referee.games.sheboygan.monster_record import MonsterFell
from referee.games.sheboygan.options import SCENARIOS, sum_ability_costs
from referee.games.sheboygan.terrain import MAX_CACHED_PATHFINDERS, Pathfinder
from referee.games.sheboygan.wind import FiresAged
from referee.games.sheboygan.wrecking import BoxDestroyed
from referee.record.archive.audit import audit
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.opening_logs import start

GAME = find_game("sheboygan")
LARGEST = 600_000
"""Bytes that a full game's log may have."""
LONGEST = 3_000


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_game_is_finished_and_clean(name):
    report = audit(MONSTERS / f"{name}.jsonl")
    assert (report.fault, report.unjudged) == (None, {})
    assert report.outcome is not None
    assert (MONSTERS / f"{name}.jsonl").stat().st_size < LARGEST


def test_ways_that_nobody_needs_any_more_are_gone_though_nothing_looks_for_garbage():
    begun = referee.table("sheboygan", {"scenario": "city-eating"})
    gc.collect()
    gc.disable()
    try:
        before = _alive(Pathfinder)
        for seed in range(4):
            random, game = Random(seed), begun.copy(f"{seed:064x}")
            while game.to_act:
                game.do(game.legal().pick(random))
        assert _alive(Pathfinder) <= before + MAX_CACHED_PATHFINDERS + 1
    finally:
        gc.enable()


def _alive(kind):
    return sum(type(one) is kind for one in gc.get_objects())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_of_each_scenario_ends_and_is_clean(scenario, tmp_path):
    random = Random(scenario)
    path = tmp_path / "game.jsonl"
    session = start("sheboygan", path, options={"scenario": scenario}, dice=OpenDice(f"{random.getrandbits(256):064x}"))
    while session.moment().to_act:
        session.play(chosen(session.moment().view(session.moment().to_act), session.legal(), random))
    reveal_secrets(session)
    report = audit(path)
    assert (report.fault, report.unjudged, report.outcome) == (None, {}, session.moment().outcome)
    assert path.stat().st_size < LARGEST


def moments(scenario, seed):
    """A game: each state, and what was done in it."""
    random = Random(seed)
    state = Bench(GAME).start(scenario=scenario)
    source = SeededSource({None: f"{random.getrandbits(256):064x}"})
    for _ in range(LONGEST):
        seat = GAME.to_act(state)
        if seat is None:
            return
        view = view_for(GAME, state, seat)
        legal = GAME.legal(view, seat)
        action = chosen(view, legal, random) if random.random() < 0.8 else legal.pick(random)
        verdict = adjudicate(GAME, state, seat, action, source)
        assert isinstance(verdict, LegalVerdict), verdict
        yield state, verdict
        state = verdict.state


@pytest.fixture(scope="module", params=SCENARIOS)
def played(request):
    return [pair for seed in range(3) for pair in moments(request.param, f"{request.param} {seed}")]


def test_no_more_strength_is_spent_than_there_is(played):
    for before, verdict in played:
        state = verdict.state
        if state.sheet and state.turn:
            was, now = before.sheet.value, state.sheet.value
            assert state.walked <= max(before.walked, was.movement), state.walked
            assert state.struck <= max(before.struck, was.attack)
            assert state.smashed <= max(before.smashed, was.destruction)
            assert min(now.attack, now.destruction, now.movement) >= 0


def test_what_was_bought_was_paid_for(played):
    for before, verdict in played:
        state = verdict.state
        if before.phase == "edge":
            sheet, scenario = state.sheet.value, state.scenario
            points = (
                sheet.attack + state.defense + sheet.destruction + sheet.movement + sum_ability_costs(sheet.abilities)
            )
            assert points <= scenario.monster_points
            assert scenario.least_ability_points <= sum_ability_costs(sheet.abilities)
        if before.phase == "buy":
            spent = sum(state.get_unit_type(unit).cost for unit in state.hand)
            assert spent + state.budget == state.scenario.human_points


def test_victory_points_are_the_sum_of_what_scored(played):
    for before, verdict in played:
        scored = sum(
            event.points
            for event in verdict.events
            if isinstance(event, UnitsEliminated | BoxDestroyed | MonsterFell | FiresAged)
        )
        assert verdict.state.points == before.points + scored


def test_units_vanish_for_good_and_are_nowhere_else(played):
    for before, verdict in played:
        state = verdict.state
        assert {*before.lost} <= {*state.lost}
        assert not {*state.lost} & {*state.at, *state.hand}


def test_nobody_stands_where_he_may_not(played):
    for _, verdict in played:
        state = verdict.state
        for unit, box in state.at.items():
            assert box in state.get_entry_costs(unit) or unit in state.fording, (unit, box)
        if state.monster and not state.outcome:
            assert state.monster in state.get_entry_costs("m")
            assert state.aloft or not state.list_humans_in(state.monster)
        if state.phase in ("human-combat", "monster-move", "monster-combat"):
            assert not state.crowded_boxes


def test_who_looks_on_never_sees_the_record(played):
    for _, verdict in played[::7]:
        state = verdict.state
        for viewer in ("human", None):
            view = view_for(GAME, state, viewer)
            assert view.sheet is None or not view.sheet.known
            assert view.edge is None or not view.edge.known
