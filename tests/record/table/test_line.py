"""A line of actions: what is understood of it, what goes by itself, and where it stops."""

from __future__ import annotations

import pytest

from referee.engine.text import NotUnderstoodError, split_phrases
from referee.record.table.action_batch import ActionBatch


def line(session, text, **manners):
    """What a line comes to; nothing is recorded."""
    return ActionBatch(session.moment(), split_phrases(text), **manners)


def told(judged):
    """The actions of a line in words, those in brackets that went by themselves."""
    words = [(said.before.game.format(said.action), said.forced) for said in judged.said]
    return [f"({text})" if forced else text for text, forced in words]


@pytest.mark.parametrize("text", ["2 go, 6 turn ne", "2 go 6 turn ne", "2go 6ne", "2GO;6 NE", "2 go,,6 ne,"])
def test_separators_may_be_forgotten(control, text):
    assert told(line(control, text)) == ["2 go N", "6 turn NE"]


def test_a_comma_too_many_is_overlooked(control):
    assert told(line(control, "6 turn, ne, 2, go")) == ["6 turn NE", "2 go N"]


def test_what_is_no_action_is_shown_where_it_stands(control):
    with pytest.raises(NotUnderstoodError) as caught:
        line(control, "6 turn, sideways")
    assert (caught.value.text, caught.value.expected[:11]) == ("6 turn", "a direction")


def test_what_can_only_be_one_thing_is_done_at_the_end(control):
    judged = line(control, "6 go, 2 go, 2 go", make_forced=True)
    judged.add_forced_actions()
    assert told(judged) == ["6 go N", "2 go N", "2 go N", "(auto)"]
    assert judged.moment.legal().awaited_roll, "a throw is never made by itself"


def test_nothing_is_done_by_itself_unless_it_is_asked_for(control):
    judged = line(control, "6 go, 2 go, 2 go")
    judged.add_forced_actions()
    assert told(judged) == ["6 go N", "2 go N", "2 go N"]


def test_what_can_only_be_one_thing_may_be_left_out_in_the_middle(control):
    judged = line(control, "done, throw", make_forced=True, faces=[1, 2, 3])
    assert told(judged) == ["done", "(auto)", "throw"]


def test_what_can_only_be_one_thing_may_be_said(control):
    judged = line(control, "done, auto 1, auto 2, auto", make_forced=True)
    assert told(judged) == ["done", "auto 1 N", "auto 2 N", "auto"]


def test_what_is_refused_anyhow_is_refused_where_it_was_said(control):
    judged = line(control, "done, 5 go", make_forced=True)
    assert told(judged) == ["done", "5 go N"]
    assert [refusal.rule for refusal in judged.said[-1].refusals] == ["control.1"], "not that it is blue's turn by then"


def test_a_choice_is_nobodys_but_the_players(control):
    assert control.moment().find_forced_action() is None
    assert line(control, "done").moment.find_forced_action().action == next(iter(line(control, "done").moment.legal()))


def test_nothing_goes_by_itself_once_the_game_is_over(finished):
    assert finished.moment().find_forced_action() is None


def test_recorded_steps_are_told_apart_from_decisions(control):
    judged = line(control, "6 go, 2 go, 2 go", make_forced=True)
    judged.add_forced_actions()
    control.record(judged.said)
    plays = control.in_force()[1:]
    forced = [control.moment(n - 1).find_forced_action() for n in plays]
    assert [bool(said and said.action == control.entries[n].action) for n, said in zip(plays, forced, strict=True)] == [
        False,
        False,
        False,
        False,
        False,
        True,
    ]
