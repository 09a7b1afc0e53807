"""Actions and their results in words and as facts, refusals included."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from referee.cli.answer import AnswerLine, Echo, FilledInWords, RedundantLine, Text
from referee.cli.errors import format_sentence
from referee.cli.game_view import MANY_ACTIONS, format_legal_command, make_heading
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.rulebook import Refusal
from referee.record.table.advice import Advice
from referee.record.table.moment import JudgedAction
from referee.record.table.seat_view import SeatView
from referee.record.table.way_to_action import WayStep

MIN_JOINED_SENTENCES = 3
"""The fewest sentences with the same verb that are joined into one."""
MAX_SEPARATE_RESULTS = 4
"""The largest number of short results of an action that get a row each. More of them become one paragraph."""
MAX_AVERAGE_LENGTH = 45
"""The greatest average length, in characters, of results that become one paragraph."""
MAX_JOINED_LENGTH = 40
"""The longest sentence that is joined with others, in characters."""
NOTHING_OF_LINE_RECORDED = "The earlier actions of this line are legal, but nothing of the line was recorded."


def describe_action(look: SeatView, said: JudgedAction) -> str:
    """Returns an action in words, without secrets that this view may not see; "a secret" if all of it is one."""
    return "a secret" if look.sight.is_hidden(said) else look.facts.game.format(look.sight.hide_secrets(said.action))


def describe_played_actions(
    look: SeatView, said: Sequence[JudgedAction], typed: Collection[JudgedAction] = ()
) -> list[AnswerLine]:
    """Returns the heading of the game as it stood before the actions, then each action with its results.

    `typed` are the actions that somebody has just typed. The results are instructions for the real pieces.
    """
    lines: list[AnswerLine] = [make_heading(look)]
    first = next(filter(is_made_by_referee, said), None)
    for item in said:
        why = (
            f"   (by itself{': no other move was possible' if item is first else ''})"
            if is_made_by_referee(item)
            else ""
        )
        first_line = f"{item.seat}: {describe_action(look, item)}{why}"
        results = list(_describe_results(look, item))
        is_known = results and any(item is one for one in typed)
        lines.append(Echo(first_line, "bold") if is_known else Text(first_line, "bold"))
        lines += results
    return lines


def _describe_results(look: SeatView, said: JudgedAction) -> Iterator[AnswerLine]:
    """Yields the remarks on an action and its results."""
    yield from (FilledInWords(remark, indent=2) for remark in said.remarks)
    yield from _describe_lots(look, said)
    for announces, events in groupby(look.sight.list_visible_events(said), lambda event: event.announces):
        kind, told = (
            RedundantLine if announces else Text,
            list(join_similar_sentences(map(look.facts.game.tell, events))),
        )
        flows = len(told) > MAX_SEPARATE_RESULTS and sum(map(len, told)) <= MAX_AVERAGE_LENGTH * len(told)
        yield from (kind(line, indent=2) for line in ([" ".join(told)] if flows else told))


def join_similar_sentences(sentences: Iterable[str]) -> Iterator[str]:
    """Joins sentences that follow each other and begin alike, if there are `MIN_JOINED_SENTENCES` or more.

    So a set-up of thirty pieces takes a few rows.
    """
    for beginning, row in groupby(sentences, _find_beginning):
        alike = list(row)
        if len(alike) < MIN_JOINED_SENTENCES:
            yield from alike
        else:
            rest = (sentence[len(beginning) :].strip().removesuffix(".") for sentence in alike)
            yield f"{beginning} {'; '.join(rest)}."


def _find_beginning(sentence: str) -> str:
    """Returns the part of a short sentence up to its colon, or its first word if there is no colon.

    Returns the whole sentence if it cannot be joined with others.
    """
    if len(sentence) > MAX_JOINED_LENGTH or not sentence.endswith("."):
        return sentence
    beginning, colon, rest = sentence.partition(":")
    if not colon:
        beginning, _, rest = sentence.partition(" ")
    return sentence if set(rest[:-1]) & set(".;:") or not rest[:-1] else beginning + colon


def _describe_lots(look: SeatView, said: JudgedAction) -> Iterator[AnswerLine]:
    """Yields a line that says that lots were drawn, if lots were drawn and this view may know it."""
    if any(roll.purpose == LOT_SEED_PURPOSE for roll in look.sight.list_visible_rolls(said)):
        yield Text("The referee draws lots from a seed in the record.", indent=2)


def is_made_by_referee(said: JudgedAction) -> bool:
    """True if the referee made the action by itself because no other was possible. Forced answers do not count."""
    return said.forced and not said.is_answer


def describe_refusal(look: SeatView, said: JudgedAction, *, whole: bool) -> Iterator[AnswerLine]:
    """Yields every rule that an action breaks, and what can be done in its place.

    `whole` is False if earlier actions of the same typed line are not recorded because of the refusal. Then a line that
    says so stands in place of the advice.
    """
    then = look.before_action(said)
    yield Text(f"REFUSED  {look.facts.game.format(said.action)}   {make_heading(then)}", "refused")
    for because, rules in _group_by_reason(said.refusals).items():
        yield Text(f"{', '.join(rules)}  {format_sentence(because)}", indent=2)
        yield from describe_house_rules(look, rules)
    done = _find_automatic_entry(look, said)
    if done:
        yield Text(f"The referee has already made this move by itself: entry {done}.", indent=2)
    yield from _describe_advice(look, said) if whole else (Text(NOTHING_OF_LINE_RECORDED, indent=2),)
    yield Text(f"The rule: referee rules {said.refusals[0].rule}", indent=2)


def describe_house_rules(look: SeatView, rules: Iterable[str]) -> Iterator[Text]:
    """Yields a line for each of `rules` on which this table has a house rule."""
    for rule in rules:
        if ours := look.log.house_rules.get(rule):
            by = "" if ours.by == REFEREE else f" by {ours.by}"
            yield Text(f"House rule on {rule}: {ours.text} (entry {ours.n}{by})", indent=4)


def _group_by_reason(refusals: Sequence[Refusal]) -> dict[str, list[str]]:
    """Returns each reason with the ids of its rules, so that a reason that two rules share is shown once."""
    rules: dict[str, list[str]] = {}
    for refusal in refusals:
        rules.setdefault(refusal.because, []).append(refusal.rule)
    return rules


def _find_automatic_entry(look: SeatView, said: JudgedAction) -> int | None:
    """Returns the entry in which the referee took this action by itself after the last action of a person, or None."""
    entries = look.log.entries
    return next(
        (n for n in look.log.trailing_automatic_entries if getattr(entries[n], "action", None) == said.action), None
    )


def _describe_advice(look: SeatView, said: JudgedAction) -> Iterator[AnswerLine]:
    """Yields what can be done in place of a refused action, and when the action itself will be possible."""
    then, game = look.before_action(said), look.facts.game
    if instead := said.advice.instead:
        of = then.with_eyes(said.seat).sight.legal.count
        more = (
            f"     (all{f' {of}' if of < MANY_ACTIONS else ''}: {format_legal_command(then)})"
            if of > len(instead)
            else ""
        )
        by = "" if said.seat == then.facts.to_act else f" --by {said.seat}"
        yield Text(f"Instead: {',   '.join(f'{game.format(action)}{by}' for action in instead)}{more}", indent=2)
    if way := said.advice.way:
        by = "" if way.then.by == said.seat else f", by {way.then.by}"
        luck = "; if the dice allow it" if way.rolls else ""
        after = ", then ".join(_describe_steps(game, way.after, said.seat))
        yield Text(f"Later: {game.format(way.then.action)}{by}   (after {after}{luck})", indent=2)


def _describe_steps(game: AnyGame, steps: Sequence[WayStep], seat: Seat) -> Iterator[str]:
    """Yields the steps in words: each action of `seat`, and "the moves of blue" for all that blue does in a row."""
    for by, row in groupby(steps, lambda step: step.by):
        if by == seat:
            yield from (game.format(step.action) for step in row)
        else:
            yield f"the moves of {by}"


def _collect_advice_facts(game: AnyGame, advice: Advice) -> dict[str, Any]:
    """Returns the advice on a refused action, for programs. `later` is None if no
    moves were found after which the action would be legal."""
    way = advice.way
    later = way and {
        "action": game.format(way.then.action),
        "by": way.then.by,
        "after": [{"by": step.by, "text": game.format(step.action)} for step in way.after],
        "rolls": way.rolls,
    }
    return {"instead": [game.format(action) for action in advice.instead], "later": later}


def collect_line_facts(look: SeatView, said: Sequence[JudgedAction], *, told: bool = True) -> dict[str, Any]:
    """Returns the verdict on a typed line and on each of its actions, for programs.

    `told` adds the rolls and the events.
    """
    actions = [_collect_action_facts(look, item, told=told) for item in said]
    if said and said[-1].refusals:
        done = _find_automatic_entry(look, said[-1])
        already: dict[str, Any] = {"done_by_itself": done} if done else {}
        ours = [look.log.house_rules[one.rule] for one in said[-1].refusals if one.rule in look.log.house_rules]
        already |= {"house_rules": ours} if ours else {}
        advice = _collect_advice_facts(look.facts.game, said[-1].advice)
        return {"verdict": "refused", "actions": actions, **advice, **already}
    return {"verdict": "legal", "actions": actions}


def _collect_action_facts(look: SeatView, said: JudgedAction, *, told: bool) -> dict[str, Any]:
    facts = {
        "by": said.seat,
        "action": None if look.sight.is_hidden(said) else look.sight.hide_secrets(said.action),
        "text": describe_action(look, said),
        "verdict": "refused" if said.refusals else "legal",
        "refusals": said.refusals,
        "by_itself": is_made_by_referee(said),
        "remarks": said.remarks,
    }
    if told and not said.refusals:
        events = look.sight.list_visible_events(said)
        facts |= {
            "rolls": look.sight.list_visible_rolls(said),
            "events": events,
            "told": [look.facts.game.tell(event) for event in events],
        }
    return facts
