"""`referee roll`: rolls the dice that the game waits for."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.arguments import ActingSeatOption, parse_faces, split_dice
from referee.cli.dice_text import split_faces
from referee.cli.errors import make_negative_answer
from referee.cli.game_view import collect_summary_facts, format_legal_command
from referee.cli.play_flow import (
    add_recorded_part,
    answer_with_result,
    give_owed_answers,
    judge_line,
    record_judged_line,
    record_line,
    report_missing_answer,
)
from referee.engine.text import listing
from referee.record.table.moment import JudgedAction
from referee.record.table.seat_view import SeatView

MAX_LISTED_ACTIONS = 4
"""The most actions with a roll that are listed."""

FacesArgument = Annotated[list[str] | None, Argument(metavar="FACES...", help="What your dice show: 2 2 6.")]


def roll(ctx: typer.Context, faces: FacesArgument = None, by: ActingSeatOption = None) -> Answer:
    """Roll the dice that the game waits for. With table dice, type what they show, for several rolls if you like.

    \b
      referee roll 2 2 6            referee roll
    """
    look: SeatView = ctx.obj.open_view_to_record("roll", by)
    done, now = give_owed_answers(look)
    if now.facts.absent_owing_seat:
        return report_missing_answer(now, now.facts.absent_owing_seat)
    ahead = judge_line(ctx.obj, now, ())
    ahead.add_forced_actions()
    throw = ahead.awaited_roll
    if throw is None:
        return _answer_no_roll(now, done)
    words = split_dice(" ".join(faces or []))
    typed = parse_faces(" ".join(split_faces(words, throw.need) if throw.need else words))
    line = judge_line(ctx.obj, now, [next(iter(throw))], typed, use_spare_faces=True)
    return record_line(ctx.obj, look, done, line, []) or answer_with_result(look, done)


def _answer_no_roll(look: SeatView, done: list[JudgedAction]) -> Answer:
    """Returns the answer if no roll is due.

    If the game has an action of its own for rolling, the answer says why that action is not possible. Otherwise it says
    what to type instead.
    """
    if look.facts.game.throw:
        stop = record_judged_line(look, done, look.judge_line([look.facts.game.throw]))
        if stop:
            return stop
    throws = look.sight.legal.choices_with_roll
    if throws:
        ways = listing(
            [f"{look.facts.game.format_choice(one)} ({one.need})" for one in throws[:MAX_LISTED_ACTIONS]], "or"
        )
        told = f"a roll is not the only possible move; type your move, such as {ways}"
        told += f"; to list all: {format_legal_command(look)}"
        return add_recorded_part(look, done, make_negative_answer(told, lambda: collect_summary_facts(look)))
    waiting = look.with_eyes(None).sight.status.partition(";")[0]
    told = f"no roll is due now ({waiting}); type your move, and the referee asks for dice if it needs any"
    return add_recorded_part(look, done, make_negative_answer(told, lambda: collect_summary_facts(look)))
