"""`referee check-table`: compare the board with the record."""

import sys
from collections.abc import Callable, Mapping, Sequence

import msgspec
import typer

from referee.cli.answer import Answer, Text
from referee.cli.commands.amend import (
    AS_IT_STANDS,
    IN_SECRET,
    Why,
    all_of,
    amended_to,
    changed_by,
    kept_sealed,
    typed_as,
)
from referee.cli.consent import agreed_by, needs_all
from referee.cli.errors import MisuseError, explain
from referee.cli.look import facts_told, heading
from referee.cli.screen import while_typing
from referee.cli.typed import AS_NO, AS_YES, LEAVING, Agreed, By
from referee.engine.event import REFEREE
from referee.engine.pieces import NOTHING
from referee.engine.text import NotUnderstoodError, in_runs, phrases_of
from referee.record.log.faults import NotAllowedError
from referee.record.table.sitting import Sitting

HOW = "Enter: it is so. Else type how it stands instead, as it is written here, or PIECE WHERE. q: that was all."


def check_table(ctx: typer.Context, why: Why = AS_IT_STANDS, by: By = None, agreed: Agreed = None) -> Answer:
    """Compare the board with the record, piece by piece; what stands otherwise becomes an amendment.

    At a keyboard each place is asked about: Enter says that it is so, a piece and where it stands says what is not.

    \b
      referee check-table           referee check-table --agreed-by all
    """
    look: Sitting = ctx.obj.recording("check-table", by, offers=True)
    if ctx.obj.question is None:
        return _checklist(look)
    told = _asked_about(look, ctx.obj.question)
    if not told:
        return Answer([heading(look), "Everything stands as the record has it."], lambda: {"changes": []})
    typed = typed_as(", ".join(told), why)
    stopped = needs_all(ctx.obj, look, REFEREE, agreed_by(look, agreed), typed, IN_SECRET, kept_sealed(typed))
    if stopped:
        return stopped
    document = msgspec.to_builtins(changed_by(all_of(look), *([one] for one in told)))
    try:
        return amended_to(ctx.obj, look, document, typed, why, agreed)
    except NotAllowedError:
        ctx.obj.notes.append(f"Note: this is what was said, to be said again otherwise: referee {typed}")
        raise


def _checklist(look: Sitting) -> Answer:
    """The position as a list to be ticked off, as far as who asks may know it."""
    pieces = look.sight.pieces
    lines = [Text(f"{names}: {where}", indent=2) for where, names in _by_place(pieces).items()]
    then = "What stands otherwise: referee amend PIECE WHERE, PIECE WHERE --agreed-by all"
    return Answer([heading(look), *lines, Text(then, indent=2)], lambda: {**facts_told(look), "pieces": pieces})


def _by_place(pieces: Mapping[str, str]) -> dict[str, str]:
    """What stands in each way, in runs; what lies nowhere is left out."""
    found: dict[str, list[str]] = {}
    for name, where in pieces.items():
        if where != NOTHING:
            found.setdefault(where, []).append(name)
    return {where: " ".join(in_runs(names)) for where, names in found.items()}


def _asked_about(look: Sitting, ask: Callable[[str], str]) -> list[str]:
    """What people say stands otherwise, as changes; they may leave with q, and what they said holds."""
    told: list[str] = []
    sys.stdout.write(while_typing(HOW) + "\n")
    for names, where in [
        *((names, f": {where}") for where, names in _by_place(look.sight.pieces).items()),
        ("Anything else", ""),
    ]:
        answer = _answered(look, told, names, f"{while_typing(names + where)}? ", ask)
        if answer is None:
            return told
        told += answer
    return told


def _answered(
    look: Sitting, told: Sequence[str], names: str, prompt: str, ask: Callable[[str], str]
) -> list[str] | None:
    """The changes that somebody types; asked again until they can be; None: he leaves."""
    while True:
        typed = ask(prompt).strip()
        if typed.lower() in LEAVING:
            return None
        for phrases in (phrases_of(typed), [f"{names} {typed}"]):  # where it stands is enough, where one piece is meant
            try:
                changed_by(look, *([one] for one in told), phrases)
            except (NotUnderstoodError, MisuseError) as error:
                wrong = explain(error)
            else:
                return phrases
        if typed.lower() in AS_YES:  # where it is no way to stand, as it is for a zombie hero
            return []
        if typed.lower() in AS_NO:
            prompt = "How does it stand? "
            continue
        sys.stderr.writelines(f"{while_typing(line)}\n" for line in wrong.complaint.splitlines())
