"""The board is not as the record has it: correcting the position by agreement, and finding out where the two differ."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.consent import needs_all, unless_agreed
from referee.cli.context import Context
from referee.cli.errors import MisuseError, explain
from referee.cli.look import Look
from referee.cli.records import recorded
from referee.cli.typed import Agreed, By, read_document, seats_of
from referee.engine.event import REFEREE
from referee.engine.pieces import NOTHING, amended, changes
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, in_runs, phrases_of, printable
from referee.record.log.entry import AmendOffer

Changed = Annotated[
    list[str] | None, Argument(metavar="[CHANGE...]", help="A piece and how it stands; commas part them.")
]
Mended = Annotated[Path | None, Option("--from", metavar="FILE", help="The position as it should be: TOML or JSON.")]
Why = Annotated[str, Option("--why", metavar="TEXT", help="What went wrong.")]

AS_IT_STANDS = "the board stood otherwise"
"""Why a position is amended, where nobody says."""


def amend(
    ctx: typer.Context, words: Changed = None, source: Mended = None, why: Why = AS_IT_STANDS, agreed: Agreed = None
) -> Answer:
    """Correct the position by agreement of everybody. The record says for ever what was changed, and why.

    A change names a piece or a field of a position, and how it stands. referee check-table lists them all.

    \b
      referee amend PIECE WHERE, PIECE WHERE --why "the cat" --agreed-by all
      referee amend --from now.toml --why "the cat" --agreed-by all

    In a game with secrets write the file with: show --by referee. The log shows it to everybody.
    """
    look: Look = ctx.obj.recording("amend")
    if bool(words) == bool(source):
        raise MisuseError("say what changes, or name a file with --from; referee check-table lists all pieces")
    phrases = phrases_of(" ".join(words or ()))
    typed = _typed(f"--from {source}" if source else ", ".join(phrases), why)
    stopped = needs_all(ctx.obj, look, REFEREE, seats_of(agreed, look.names), typed, _IN_SECRET)
    if stopped:
        return stopped
    document = _from_file(source) if source else msgspec.to_builtins(_changed_by(_all_of(look), phrases))
    return _amended(ctx.obj, look, document, typed, why, agreed)


def _amended(
    context: Context, look: Look, document: Mapping[str, Any], typed: str, why: str, agreed: str | None
) -> Answer:
    """Amend the position, and say exactly what has changed."""
    consent = seats_of(agreed, look.names)
    stopped = unless_agreed(
        context,
        look,
        REFEREE,
        consent,
        typed,
        lambda: look.session.amend(document, why, consent),
        AmendOffer(dict(document), why),
    )
    if stopped:
        return stopped
    found = changes(look.pieces, look.now().pieces)
    open_now = " It stands in the log for everybody to read." if look.keepers else ""
    lines = [Text(str(one), indent=2) for one in found]
    answer = recorded(look, f"Position amended by agreement.{open_now}", *lines)
    return replace(answer, facts=lambda: answer.facts() | {"changes": found})


_IN_SECRET = "to amend the position, which puts every secret of it into the log for everybody to read,"


def _typed(what: str, why: str) -> str:
    """The command as it was typed."""
    return f"amend {what}{'' if why == AS_IT_STANDS else f' --why {shlex.quote(why)}'}"


def _from_file(source: Path) -> dict[str, Any]:
    document = read_document(source)
    document.pop("options", None)
    return document


def _all_of(look: Look) -> Look:
    """The game with all that is known here; UnknownError where some of its secrets are not."""
    if look.is_partly_known:
        raise UnknownError(next(seat for seat in look.keepers if seat not in look.here))
    return look.through(REFEREE)


def _changed_by(look: Look, phrases: Sequence[str]) -> Any:
    """The position with these changes, as they are typed."""
    position, known = look.position, look.pieces
    for phrase in phrases:
        try:
            position = amended(look.game, position, known, phrase)
        except msgspec.ValidationError as error:
            raise MisuseError(str(error)) from error
    return position


def check_table(ctx: typer.Context, why: Why = AS_IT_STANDS, by: By = None, agreed: Agreed = None) -> Answer:
    """Compare the board with the record, piece by piece; what stands otherwise becomes an amendment.

    At a keyboard each place is asked about: Enter says that it is so, a piece and where it stands says what is not.

    \b
      referee check-table --agreed-by all
    """
    look: Look = ctx.obj.recording("check-table", by)
    if ctx.obj.question is None:
        return _checklist(look)
    told = _asked_about(look, ctx.obj.question)
    if not told:
        return Answer([look.heading, "Everything stands as the record has it."], lambda: {"changes": []})
    typed = _typed(", ".join(told), why)
    stopped = needs_all(ctx.obj, look, REFEREE, seats_of(agreed, look.names), typed, _IN_SECRET)
    if stopped:
        return stopped
    document = msgspec.to_builtins(_changed_by(_all_of(look), told))
    return _amended(ctx.obj, look, document, typed, why, agreed)


def _checklist(look: Look) -> Answer:
    """The position as a list to be ticked off, as far as who asks may know it."""
    pieces = look.pieces
    lines = [Text(f"{names}: {where}", indent=2) for where, names in _by_place(pieces).items()]
    then = "What stands otherwise: referee amend PIECE WHERE, PIECE WHERE --agreed-by all"
    return Answer([look.heading, *lines, Text(then, indent=2)], lambda: {**look.facts(), "pieces": pieces})


def _by_place(pieces: Mapping[str, str]) -> dict[str, str]:
    """What stands in each way, in runs; what lies nowhere is left out."""
    found: dict[str, list[str]] = {}
    for name, where in pieces.items():
        if where != NOTHING:
            found.setdefault(where, []).append(name)
    return {where: " ".join(in_runs(names)) for where, names in found.items()}


def _asked_about(look: Look, ask: Callable[[str], str]) -> list[str]:
    """What people say stands otherwise, as changes; they may leave with q, and what they said holds."""
    told: list[str] = []
    for names, where in [
        *((names, f": {where}") for where, names in _by_place(look.pieces).items()),
        ("Anything else", ""),
    ]:
        answer = _answered(look, told, names, f"{printable(names + where)}? ", ask)
        if answer is None:
            return told
        told += answer
    return told


def _answered(look: Look, told: Sequence[str], names: str, prompt: str, ask: Callable[[str], str]) -> list[str] | None:
    """The changes that somebody types; asked again until they can be; None: he leaves."""
    while True:
        typed = ask(prompt).strip()
        if typed.lower() in ("q", "quit"):
            return None
        for phrases in (phrases_of(typed), [f"{names} {typed}"]):  # where it stands is enough, where one piece is meant
            try:
                _changed_by(look, [*told, *phrases])
            except (NotUnderstoodError, MisuseError) as error:
                wrong = explain(error)
            else:
                return phrases
        sys.stderr.writelines(f"{line}\n" for line in wrong.complaint.splitlines())
