"""`referee do`: makes a move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import (
    MAX_DOCUMENT_BYTES,
    ActingSeatOption,
    ActionArgument,
    DryRunOption,
    FacesOption,
    parse_faces,
    parse_path_argument,
    read_stdin,
    split_off_speaker,
)
from referee.cli.commands.why import answer_without_recording
from referee.cli.errors import MisuseError, explain_error
from referee.cli.game_view import format_legal_command, list_bot_seats
from referee.cli.play_flow import (
    add_recorded_part,
    answer_with_result,
    give_owed_answers,
    judge_line,
    record_line,
    report_missing_answer,
)
from referee.engine.dice import DiceError, TypedDie
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, split_phrases
from referee.gate import read_text
from referee.record.log.safe_files import read_user_file
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.context import Context
    from referee.record.table.moment import JudgedAction

ActionFileOption = Annotated[str | None, Option("-f", "--file", metavar="FILE", help="Read moves; - reads stdin.")]


def do(
    ctx: typer.Context,
    words: ActionArgument = None,
    dry_run: DryRunOption = False,
    by: ActingSeatOption = None,
    dice: FacesOption = None,
    file: ActionFileOption = None,
) -> Answer:
    """Make a move. The referee checks it and records it if it is legal.

    Without words, make the only legal move, or let the bot move.

    \b
      referee do ACTION, ACTION     referee do ACTION --dice 2,2,6
    """
    look, said = split_off_speaker(partial(ctx.obj.open_view_to_record, "do"), by, words)
    if look.facts.to_act in list_bot_seats(look) and not (said or file or dry_run):
        return answer_with_result(look, [])
    if dry_run:
        return answer_without_recording(
            look, ", ".join(line.text for line in _choose_lines(look, said, file)), parse_faces(dice)
        )
    done, now = give_owed_answers(look)
    if now.facts.absent_owing_seat:
        return report_missing_answer(now, now.facts.absent_owing_seat)
    lines = _choose_lines(now, said, file)
    left = parse_faces(dice)
    for line in lines:
        stop = _record_one(ctx.obj, look, done, line, left, last=line is lines[-1])
        if stop:
            return _add_place(line, stop)
    return answer_with_result(look, done)


class ActionLine(NamedTuple):
    """A typed line of actions and its place in a file."""

    text: str
    place: str = ""
    """The place in words, such as `line 3 of turn.txt`; "" if the line was typed."""


def _choose_lines(look: SeatView, said: Sequence[str], file: str | None) -> list[ActionLine]:
    if file is not None:
        return _read_lines(file)
    if said:
        return [ActionLine(" ".join(said))]
    only = look.sight.legal.only_action()
    if only is None:
        raise MisuseError(f"type your move; to list the legal moves: {format_legal_command(look)}")
    return [ActionLine(look.facts.game.format(only))]


def _read_lines(file: str) -> list[ActionLine]:
    """Returns the lines of a file without empty lines and comments."""
    data = (
        read_stdin("moves, one per line")
        if file == "-"
        else read_user_file(parse_path_argument(file), MAX_DOCUMENT_BYTES)
    )
    name = "the piped input" if file == "-" else file
    numbered = enumerate(read_text(data).splitlines(), 1)
    lines = [
        ActionLine(text, f"line {n} of {name}") for n, text in numbered if text.strip() and text.lstrip()[0] != "#"
    ]
    if not lines:
        raise MisuseError("the input holds no moves")
    return lines


def _record_one(
    context: Context, look: SeatView, done: list[JudgedAction], line: ActionLine, left: list[TypedDie], *, last: bool
) -> Answer | None:
    """Records a typed line after the actions in `done`.

    Returns None if the line went through, otherwise the answer that says why it stopped. Raises the error of a line
    that cannot be judged, if nothing was recorded before and the line is not from a file.
    """
    now = look.at_present() if done else look
    if now.facts.absent_owing_seat:
        return add_recorded_part(look, done, report_missing_answer(now, now.facts.absent_owing_seat))
    try:
        said = judge_line(context, now, split_phrases(line.text) or [line.text])
        return record_line(context, look, done, said, left, last=last)
    except (NotUnderstoodError, DiceError, UnknownError) as error:
        if not (done or line.place):
            raise
        return add_recorded_part(look, done, explain_error(error, look.log.path))


def _add_place(line: ActionLine, stop: Answer) -> Answer:
    """Adds to an answer the place in the file where it stopped."""
    if not line.place:
        return stop
    told, facts = f"Stopped in {line.place}.", stop.facts
    if stop.complaint:
        stop = replace(stop, complaint=(*stop.complaint, told))
    else:
        stop = replace(stop, lines=[*stop.lines, Text(told, indent=2)])
    return replace(stop, facts=lambda: {**facts(), "stopped_in": line.place})
