"""`referee hint`: shows the moves that a bot would make. Records nothing."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from referee.bots.bot import DEFAULT_SECONDS, Observation
from referee.bots.strong_bot import SearchedAction, search_actions
from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import ActingSeatOption, check_seconds
from referee.cli.errors import NOT_DONE
from referee.cli.game_view import describe_summary
from referee.cli.play_flow import report_missing_answer
from referee.cli.screen import make_work_progress
from referee.engine.text import count_of
from referee.record.archive.process_pool import count_cores, start_workers
from referee.record.log.log_errors import NotAllowedError

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView

SHOWN_ACTIONS = 3
"""The number of actions shown."""
MAX_SECONDS = 3_600
"""The longest thinking time, in seconds."""
MIN_STANDARD_ERRORS = 2.0
"""The number of standard errors by which an action must be behind the best one to be called worse."""
SecondsOption = Annotated[float, Option("--seconds", metavar="S", help="Time to think, in seconds.")]


def hint(ctx: typer.Context, by: ActingSeatOption = None, seconds: SecondsOption = DEFAULT_SECONDS) -> Answer:
    """Show what a bot would do here: its three best moves, each with the chance to win and its error.

    It thinks on all cores. After Ctrl-C it shows what it has found so far.

    \b
      referee hint                  referee hint --seconds 10
    """
    check_seconds(seconds, MAX_SECONDS)
    look: SeatView = ctx.obj.open_view(by, speaks=True)
    if look.protocol is not None and not look.facts.header.hints:
        raise NotAllowedError("this game by mail was started without --hints, so nobody may ask for a hint")
    ctx.obj.check_view_named(look, "hint")
    if look.facts.asked_seat:
        return report_missing_answer(look, look.facts.asked_seat, NOT_DONE)
    own = look.with_eyes(look.sight.speaker)
    if not own.sight.legal:
        idle = f"{own.facts.format_seat(own.sight.speaker)} cannot do anything now"
        raise NotAllowedError("the game is over" if own.facts.to_act is None else idle)
    random = Random(f"{own.facts.header.nonce} {own.log.entry_number} hint")
    with start_workers(count_cores()) as executor:
        seen = Observation(
            own.facts.game,
            own.sight.view,
            own.sight.speaker,
            random,
            seconds,
            executor=executor,
            tell=make_work_progress("Thinking"),
            hurries=True,
        )
        found = search_actions(seen).searched
    return Answer(_describe_hint(own, found), lambda: _collect_facts(own, found))


def _describe_hint(look: SeatView, found: list[SearchedAction]) -> list[AnswerLine]:
    best, *others = found[:SHOWN_ACTIONS]
    if not others:
        return [
            *describe_summary(look),
            Text(f"{_explain_single_move(look)}: {look.facts.game.format(best.action)}.", indent=2),
        ]
    lines: list[AnswerLine] = [
        *describe_summary(look),
        Text(f"{look.facts.game.format(best.action)}   {_describe_chance(best)}", "good", indent=2),
    ]
    for one in others:
        sure = "" if one.is_behind(best, MIN_STANDARD_ERRORS) else ", perhaps as good"
        lines.append(Text(f"{look.facts.game.format(one.action)}   {_describe_chance(one)}{sure}", indent=2))
    lines.append(f"This is your chance to win with each move; draws count half. Method: {_describe_method(found)}.")
    return lines


def _describe_method(found: list[SearchedAction]) -> str:
    """Returns the method by which the chances of the actions `found` were computed, in words."""
    playouts = sum(one.playout_count for one in found)
    if not playouts:
        return "a rule of thumb alone; for more time, add --seconds"
    return f"{count_of(playouts, 'trial run')} of {count_of(len(found), 'move')} and a rule of thumb"


def _explain_single_move(look: SeatView) -> str:
    """Returns the reason why the bot has weighed only one action, in words."""
    if look.sight.legal.count == 1:
        return "The only legal move"
    if look.facts.game.recommend_opening(look.sight.view, look.sight.speaker) is not None:
        return "A good opening"
    goes_on = sum(len(choice) for choice in look.sight.legal.choices if not choice.minor)
    return "The only move that bots consider here" if goes_on <= 1 else "Bots choose this at random"


def _describe_chance(one: SearchedAction) -> str:
    """Returns the value of an action, from -1 to 1, as a chance to win in per cent."""
    chance = f"{50 * (1 + one.worth):.1f} %"
    return f"{chance} ± {50 * one.standard_error:.1f}" if one.playout_count > 1 else chance


def _collect_facts(look: SeatView, found: list[SearchedAction]) -> dict[str, Any]:
    rows = [
        {
            "action": one.action,
            "text": look.facts.game.format(one.action),
            "worth": one.worth,
            "error": one.standard_error,
            "playouts": one.playout_count,
        }
        for one in found[:SHOWN_ACTIONS]
    ]
    return {"seat": look.sight.speaker, "best": rows}
