"""`referee odds`: shows the chances of moves. Records nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any

import typer
from typer import Option

from referee.chances.forced_rolls import ResultChance, follow_forced_rolls, list_uncertain_results
from referee.chances.odds import (
    MAX_ACTIONS_LISTED_ALL,
    MAX_ENUMERATED_OUTCOMES,
    ChoiceOdds,
    Odds,
    OutcomeChance,
    compute_odds,
    list_choice_odds,
)
from referee.chances.outcome_enumeration import MAX_OUTCOMES, TooManyError
from referee.cli.answer import OK, STOPPED, Answer, AnswerLine, Text
from referee.cli.arguments import ActingSeatOption, ActionArgument, split_off_speaker
from referee.cli.commands.why import answer_without_recording
from referee.cli.dice_text import collect_roll_facts, describe_roll, describe_target
from referee.cli.errors import NOT_DONE, MisuseError
from referee.cli.game_view import describe_summary
from referee.cli.play_flow import report_missing_answer
from referee.cli.screen import make_count_progress
from referee.engine.adjudication import find_first_need
from referee.engine.choice import Action
from referee.engine.dice import Need
from referee.engine.target_number import Chance
from referee.engine.text import count_of, format_number, split_phrases
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView

MAX_LISTED_RESULTS = 12
"""The number of results listed; the others are added up."""
BRIEF, LIKELIEST = 6, 3
"""Limits for each of several actions: the most results that are all listed, and the number listed if there are more."""
MAX_COMPARED_ACTIONS = 30
"""The most actions whose chances are shown side by side."""
ExactOption = Annotated[bool, Option("--exact", help=f"Count up to {MAX_OUTCOMES:,} ways, however long it takes.")]


def odds(
    ctx: typer.Context, words: ActionArgument = None, by: ActingSeatOption = None, exact: ExactOption = False
) -> Answer:
    """Show what a move can lead to, and how likely each result is. Without words, show all moves that roll dice.

    \b
      referee odds                  referee odds ACTION
    """
    look, said = split_off_speaker(partial(ctx.obj.open_view, speaks=True), by, words)
    ctx.obj.check_view_named(look, "odds")
    if look.facts.asked_seat:
        return report_missing_answer(look, look.facts.asked_seat, NOT_DONE)
    return _answer_on_action(look, " ".join(said), exact) if said else _answer_on_all(look)


def _answer_on_action(look: SeatView, text: str, exact: bool) -> Answer:
    phrases = split_phrases(text) or [text]
    if len(phrases) > 1:
        raise MisuseError("ask for the chances of one move at a time")
    line = look.judge_line(phrases, supposed=True, make_forced=True)
    if line.refused:
        return answer_without_recording(look, text, [])
    waits = line.pending if line.awaiting else None
    here = look.after_line(line) if waits else look.before_action(line.said[-1])
    here, action = here.with_eyes(here.sight.speaker), waits or line.said[-1].action
    found, stopped = _compute_odds(here, action, MAX_OUTCOMES if exact else MAX_ENUMERATED_OUTCOMES)
    if found is None:
        raise NotAllowedError(f"nobody can know the results of {here.facts.game.format(action)}")
    lines = list(_describe_odds(here, found))
    if stopped:
        lines.append("Stopped before all ways were counted. These chances come from random rolls.")
    return Answer(
        lines,
        lambda: _collect_facts(here, found) | _collect_single_event_facts(here, found) | {"stopped": stopped},
        STOPPED if stopped else OK,
    )


def _compute_odds(look: SeatView, action: Action, most: int) -> tuple[Odds | None, bool]:
    """Returns the chances of an action, and True if they are sampled because Ctrl-C stopped the count.

    The chances are None if nobody can know them.
    """
    try:
        return compute_odds(
            look.facts.game, look.sight.view, look.sight.speaker, action, most=most, tell=make_count_progress("ways")
        ), False
    except KeyboardInterrupt:
        return compute_odds(look.facts.game, look.sight.view, look.sight.speaker, action, most=0), True


def _describe_odds(look: SeatView, found: Odds) -> Iterator[AnswerLine]:
    words = look.facts.game.format(found.action)
    yield Text(f"{words}   {_describe_method(found)}", "good")
    need = find_first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    yield from (Text(line, indent=2) for line in (describe_roll(need) if need else ()))
    if not need:
        yield Text("This move rolls no dice.", indent=2)
        return
    yield from (
        Text(line, indent=2)
        for line in (
            *_describe_numbers(need),
            *_describe_results(found, MAX_LISTED_RESULTS),
            *_describe_single_events(look, found),
        )
    )


def _describe_single_events(look: SeatView, found: Odds) -> Iterator[str]:
    """Yields the chance of each single event up to the next decision.

    Yields nothing if no roll follows and all results are listed, since the results already say the same.
    """
    rolls_again, things = _list_single_events(look, found)
    if not things or not (rolls_again or len(found.rows) > MAX_LISTED_RESULTS):
        return
    yield f"The chance of each result before the next decision{', later rolls included' if rolls_again else ''}:"
    yield from (
        f"{_format_percent(float(thing.chance))} ({thing.chance})  {thing.told}"
        for thing in things[:MAX_LISTED_RESULTS]
    )


def _list_single_events(look: SeatView, found: Odds) -> tuple[bool, list[ResultChance]]:
    """Returns True if further rolls follow, and the chance of each single event up to the next decision.

    Returns no events if they are unknown or too many.
    """
    game, view, seat = look.facts.game, look.sight.view, look.sight.speaker
    try:
        prospect = follow_forced_rolls(game, view, seat, found.action)
    except TooManyError:
        return False, []
    return (prospect.rolls_again, list_uncertain_results(game, view, seat, prospect)) if prospect else (False, [])


def _describe_numbers(need: Need) -> Iterator[str]:
    """Yields the chance that a chosen number shows on some die, if several dice have no target number."""
    if need.count > 1 and not (need.aims or need.names or need.lots or need.each or need.throwers):
        without = (need.sides - 1) ** need.count
        chance = Chance(need.sides**need.count - without, need.sides**need.count)
        yield f"At least one die shows a number of your choice: {chance}."


def _describe_results(found: Odds, most: int) -> Iterator[str]:
    """Yields the likeliest results, one line each, and the sum of the others.

    If almost every roll ends differently, yields only a line that says that there are too many results.
    """
    if found.has_mostly_distinct_outcomes:
        yield f"There are too many results to list: almost all {found.ways:,} rolls ended differently."
        return
    yield from map(_describe_row, found.rows[:most])
    others = found.rows[most:]
    if others:
        less = ", each less likely" if others[0].chance < found.rows[most - 1].chance else ", none more likely"
        yield f"{_format_percent(sum(row.chance for row in others))}  {count_of(len(others), 'other result')}{less}"


def _describe_row(row: OutcomeChance) -> str:
    exact = f" ({row.exact})" if row.exact is not None else f" ± {_format_percent(row.error)}"
    return f"{_format_percent(row.chance)}{exact}  {' '.join(row.told) or 'Nothing happens.'}"


def _describe_method(found: Odds) -> str:
    """Returns the method by which the chances were found, in words."""
    if found.guesses:
        return f"sampled over {found.guesses} guesses of the others' secrets, {found.ways:,} rolls"
    return f"exact, {count_of(found.ways, 'way')}" if found.is_exact else f"sampled, {found.ways:,} rolls"


def _format_percent(chance: float) -> str:
    return f"{format_number(100 * chance)} %"


def _answer_on_all(look: SeatView) -> Answer:
    """Returns the chances of all actions that roll dice now."""
    look = look.with_eyes(look.sight.speaker)
    found = list(
        islice(
            list_choice_odds(look.facts.game, look.sight.view, look.sight.speaker, look.sight.legal),
            MAX_COMPARED_ACTIONS,
        )
    )
    lines: list[AnswerLine] = list(describe_summary(look))
    only = found[0].odds[0] if len(found) == 1 and found[0].choice.count == 1 else None
    if only:
        whole, _ = _compute_odds(look, only.action, MAX_ENUMERATED_OUTCOMES)
        lines += _describe_odds(look, whole or only)
    for throw in () if only else found:
        lines += _describe_side_by_side(look, throw)
    if not found:
        lines.append(Text("No legal move rolls dice now.", indent=2))
    return Answer(lines, lambda: [_collect_facts(look, odds) for throw in found for odds in throw.odds])


def _describe_side_by_side(look: SeatView, throw: ChoiceOdds) -> Iterator[Text]:
    """Yields each action of a choice with its chances; of many actions only examples."""
    many = throw.choice.count > MAX_ACTIONS_LISTED_ALL
    if many:
        yield Text(look.facts.game.format_choice(throw.choice), indent=2)
    for found in throw.odds:
        words = look.facts.game.format(found.action)
        yield Text(f"for example {words}:", indent=4) if many else Text(words, indent=2)
        yield from (Text(line, indent=6 if many else 4) for line in _describe_briefly(look, found))


def _describe_briefly(look: SeatView, found: Odds) -> list[str]:
    """Returns the chances of the target numbers if the roll has some, otherwise the likeliest results."""
    need = find_first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    if need and need.aims:
        return [describe_target(need, aim) for aim in need.aims]
    return [
        *(_describe_numbers(need) if need else ()),
        *_describe_results(found, LIKELIEST if len(found.rows) > BRIEF else MAX_LISTED_RESULTS),
    ]


def _collect_facts(look: SeatView, found: Odds) -> dict[str, Any]:
    need = find_first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    how = {"exact": found.is_exact, "ways": found.ways, "guesses": found.guesses}
    rows = [_collect_row_facts(row) for row in found.rows]
    return {
        "action": found.action,
        "text": look.facts.game.format(found.action),
        **how,
        **collect_roll_facts(need),
        "outcomes": rows,
    }


def _collect_single_event_facts(look: SeatView, found: Odds) -> dict[str, Any]:
    rolls_again, things = _list_single_events(look, found)
    each = [{"told": one.told, "chance": float(one.chance), "exact": str(one.chance)} for one in things]
    return {"rolls_again": rolls_again, "until_decision": each}


def _collect_row_facts(row: OutcomeChance) -> dict[str, Any]:
    exact = str(row.exact) if row.exact is not None else None
    return {"told": row.told, "chance": row.chance, "exact": exact, "error": row.error}
