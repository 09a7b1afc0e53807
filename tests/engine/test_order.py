"""The order of play: what follows from what is due."""

from __future__ import annotations

from support import Bench

from ambush import GAME
from referee.engine.turn_order import Obligation, Order

BENCH = Bench(GAME)


def test_what_is_due_is_worked_out_once_for_each_state():
    asked = []

    def due(state):
        asked.append(state)
        return Obligation("red", "throw", "dice.1", "red has to throw first")

    order, state = Order(due), BENCH.start()
    assert order.to_act(state) == "red"
    assert order.phase(state) == "throw"
    assert not order.awaits_answer(state)
    assert asked == [state]
    order.to_act(BENCH.place({"night": 1}))
    assert len(asked) == 2


def test_others_are_told_what_is_due_and_by_which_rule():
    order = Order(lambda _: Obligation("red", "throw", "dice.1", "red has to throw first"))
    (refusal,) = order.refuse_other_seats(None)
    assert (refusal.rule, refusal.because) == ("dice.1", "red has to act now: red has to throw first")


def test_nothing_is_due_when_the_game_is_over():
    order = Order(lambda _: None)
    assert (order.to_act(1), order.phase(1), order.awaits_answer(1)) == (None, None, False)
    assert not [*order.refuse_not_due(1), *order.refuse_other_seats(1)]
