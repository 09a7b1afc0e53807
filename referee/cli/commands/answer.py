"""`referee answer`: gives the forced answers of the seats at this computer."""

import typer

from referee.cli.answer import Answer
from referee.cli.errors import make_negative_answer
from referee.cli.game_view import collect_summary_facts
from referee.cli.play_flow import answer_with_result, give_owed_answers
from referee.record.table.seat_view import SeatView


def answer(ctx: typer.Context) -> Answer:
    """Answer a question that only your seat can answer. The referee knows the answer; you type nothing.

    \b
      referee answer                referee -g LOG answer
    """
    look: SeatView = ctx.obj.open_view_to_record("answer")
    done, _ = give_owed_answers(look)
    if done:
        return answer_with_result(look, done)
    return make_negative_answer(
        "no seat at this computer has to answer now", lambda: {"recorded": False, "after": collect_summary_facts(look)}
    )
