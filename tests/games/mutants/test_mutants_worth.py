"""The rule of thumb for bots: what it looks at."""

import pytest
from msgspec.structs import replace

import referee


@pytest.fixture
def begun():
    """Turn 5: Techs and four Guards in the Tech Room D4, ten Mutants two rooms east of it, nobody else about."""
    game = referee.table("mutants", seed="4" * 64)
    for words in ("rest", "ready", "rest", "ready"):
        assert game.do(words)
    state = game.state
    humans = dict.fromkeys(("prof", "penny", "buck", "mack", "otis", "joey"), "D4")
    mutants = dict.fromkeys((f"n{number}" for number in range(1, 11)), "F4")
    gone = state.board.unit_set.difference(humans, mutants)
    return replace(state, phase="move", turn=5, at={**humans, **mutants}, gone=gone)


def worth(state, seat="human"):
    game = referee.table("mutants").game
    return game.worth(game.view(state, seat), seat)


def put(state, place, *units):
    at = state.board.find_places_after_move(state.at, dict.fromkeys(units, place))
    return replace(state, at=at, gone=state.gone.difference(units))


def test_mutants_are_worth_more_near_the_tech_room(begun):
    assert worth(put(begun, "E4", "n1"), "mutant") > worth(begun, "mutant") > worth(put(begun, "G4", "n1"), "mutant")


def test_a_smashed_door_on_the_way_counts_and_one_that_leads_nowhere_does_not(begun):
    assert worth(replace(begun, smashed=frozenset(["E4-F4"]))) < worth(begun)
    assert worth(replace(begun, smashed=frozenset(["A1-B1"]))) == worth(begun)


def test_a_wall_that_makes_them_go_round_is_worth_much(begun):
    assert worth(replace(begun, walls=frozenset(["E4-F4"]))) > worth(begun)


def test_who_comes_too_late_counts_far_less(begun):
    far, dead = put(begun, "xW4", "n1"), replace(begun, gone=begun.gone | {"n1"})
    dead = replace(dead, at={unit: place for unit, place in begun.at.items() if unit != "n1"})

    def counts(turn):
        return worth(replace(far, turn=turn), "mutant") - worth(replace(dead, turn=turn), "mutant")

    assert counts(5) > 0.01
    assert counts(5) > 5 * counts(10)


def test_radioactive_mutants_count_less_the_longer_they_take(begun):
    assert worth(put(begun, "A1", "r1")) > worth(put(begun, "A1", "n11"))


def test_a_janibot_counts_near_the_tech_room_and_hardly_far_from_it(begun):
    near, far = (worth(put(begun, room, "b1")) - worth(begun) for room in ("E4", "A1"))
    assert near > 5 * far >= 0


def test_a_combat_counts_as_fought(begun):
    one_against_ten = put(begun, "F4", "buck")
    assert worth(one_against_ten) < worth(replace(begun, at={**begun.at, "buck": "E4"}))


def test_humans_spare_those_on_whom_the_end_depends(begun):
    """Janibots fight before the Guard that has come with them, so that he lives."""
    pack = put(begun, "F4", "buck", *(f"b{number}" for number in range(1, 9)))
    alone = put(begun, "F4", "buck")
    assert worth(pack) > worth(alone)
