"""The comparison of the real board with the record, place by place."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from referee.cli.answer import Answer, Text
from referee.cli.arguments import NO_WORDS, QUIT_WORDS, YES_WORDS
from referee.cli.errors import MisuseError, explain_error
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.cli.output import write_messages, write_rows
from referee.cli.screen import format_prompt
from referee.engine.position_diff import NOTHING, amend_position
from referee.engine.text import NotUnderstoodError, Printable, format_runs, make_printable, split_phrases
from referee.record.table.seat_view import SeatView

HOW_TO_CHECK = "Press Enter if a line is right. If not, type where the piece is, or PIECE WHERE. To stop, type q."


def make_checklist(look: SeatView) -> Answer:
    """Returns the position as a checklist, as far as the viewer may know it."""
    pieces = look.sight.pieces
    lines = [Text(f"{names}: {where}", indent=2) for where, names in _group_by_place(pieces).items()]
    then = "If something differs: referee fix PIECE WHERE, PIECE WHERE --agreed-by all"
    return Answer(
        [make_heading(look), *lines, Text(then, indent=2)], lambda: {**collect_summary_facts(look), "pieces": pieces}
    )


def _group_by_place(pieces: Mapping[str, str]) -> dict[str, str]:
    """Returns the names of the pieces in each place, with ranges. Pieces that are nowhere are left out."""
    found: dict[str, list[str]] = {}
    for name, where in pieces.items():
        if where != NOTHING:
            found.setdefault(where, []).append(name)
    return {where: " ".join(format_runs(names)) for where, names in found.items()}


def ask_about_pieces(look: SeatView, ask: Callable[[Printable], str]) -> list[str]:
    """Asks whether the pieces stand in their places, and returns the changes that were typed.

    If somebody stops with q, the changes so far are returned.
    """
    told: list[str] = []
    write_rows([format_prompt(HOW_TO_CHECK)])
    for names, where in [
        *((names, f": {where}") for where, names in _group_by_place(look.sight.pieces).items()),
        ("Anything else", ""),
    ]:
        answer = _ask_until_possible(look, told, names, format_prompt(names + where, end="? "), ask)
        if answer is None:
            return told
        told += answer
    return told


def _ask_until_possible(
    look: SeatView, told: Sequence[str], names: str, prompt: Printable, ask: Callable[[Printable], str]
) -> list[str] | None:
    """Asks until the typed changes are possible, and returns them.

    Returns an empty list if everything is right, and None if somebody stops. `told` are the changes typed before.
    `names` are the pieces that the question is about.
    """
    while True:
        typed = ask(prompt).strip()
        if typed.lower() in QUIT_WORDS:
            return None
        for phrases in (split_phrases(typed), [f"{names} {typed}"]):  # the place alone is enough for a single piece
            try:
                apply_typed_changes(look, *([one] for one in told), phrases)
            except (NotUnderstoodError, MisuseError) as error:
                wrong = explain_error(error)
            else:
                return phrases
        if typed.lower() in YES_WORDS:  # tried last, since "yes" may also be the value of a piece
            return []
        if typed.lower() in NO_WORDS:
            prompt = make_printable("Where is it? ")
            continue
        write_messages(map(format_prompt, wrong.complaint))


def apply_typed_changes(look: SeatView, *lines: Sequence[str]) -> Any:
    """Returns the position with typed changes. A later line may correct an earlier one.

    Raises NotUnderstoodError or MisuseError if a change makes no sense.
    """
    position, known = look.sight.position, look.sight.pieces
    try:
        for phrases in lines:
            position = amend_position(look.facts.game, position, known, phrases)
    except msgspec.ValidationError as error:
        raise MisuseError(str(error)) from error
    return position
