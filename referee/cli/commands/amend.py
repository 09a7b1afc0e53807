"""`referee amend`: correct the position by agreement."""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.consent import agreed_by, needs_all, unless_agreed
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed, read_document
from referee.engine.event import REFEREE, Seat
from referee.engine.pieces import amended, changes
from referee.engine.position import filled_in
from referee.engine.text import phrases_of
from referee.record.log.faults import NotAllowedError
from referee.record.table.deeds import amend as whole
from referee.record.table.deeds import amend_pieces as pieces
from referee.record.table.sitting import Sitting

Changed = Annotated[
    list[str] | None, Argument(metavar="[CHANGE...]", help="A piece and how it stands; commas part them.")
]


Mended = Annotated[Path | None, Option("--from", metavar="FILE", help="The position as it should be: TOML or JSON.")]


Why = Annotated[str, Option("--why", metavar="TEXT", help="What went wrong.")]
Sealed = Annotated[bool, Option("--sealed", help="Write the changes alone: all secrets stay sealed.")]


Owner = Annotated[
    str | None, Option("--by", metavar="SEAT", help="Who alone sees these pieces: the changes are sealed, too.")
]


AS_IT_STANDS = "the board stood otherwise"
"""Why a position is amended, where nobody says."""


def amend(
    ctx: typer.Context,
    words: Changed = None,
    source: Mended = None,
    why: Why = AS_IT_STANDS,
    agreed: Agreed = None,
    sealed: Sealed = False,
    owner: Owner = None,
) -> Answer:
    """Correct the position by agreement of everybody. The record says for ever what was changed, and why.

    A change names a piece or a field of a position, and how it stands. referee check-table lists them all.

    \b
      referee amend PIECE WHERE, PIECE WHERE --why "the cat" --agreed-by all
      referee amend --from now.toml --why "the cat" --agreed-by all

    In a game with secrets the log then shows the whole position to everybody. With --sealed it has the changes alone,
    of pieces that everybody sees; with --by SEAT not even those, where that seat alone sees the pieces.
    """
    look: Sitting = ctx.obj.recording("amend", owner, offers=True)
    if bool(words) == bool(source):
        raise MisuseError("say what changes, or name a file with --from; referee check-table lists all pieces")
    if source and (sealed or owner):
        raise MisuseError("a file holds the whole position; to keep secrets sealed say what changes")
    phrases = phrases_of(" ".join(words or ()))
    if sealed or owner:
        return _sealed(ctx.obj, look if owner else look.through(None), phrases, why, agreed_by(look, agreed))
    typed = typed_as(f"--from {source}" if source else ", ".join(phrases), why)
    stopped = needs_all(ctx.obj, look, REFEREE, agreed_by(look, agreed), typed, IN_SECRET, kept_sealed(typed))
    if stopped:
        return stopped
    document = _from_file(source) if source else msgspec.to_builtins(changed_by(all_of(look), phrases))
    return amended_to(ctx.obj, look, document, typed, why, agreed)


def amended_to(
    context: Context, look: Sitting, document: Mapping[str, Any], typed: str, why: str, agreed: str | None
) -> Answer:
    """Amend the position, and say exactly what has changed."""
    consent = agreed_by(look, agreed)
    stopped = unless_agreed(
        context,
        look,
        REFEREE,
        consent,
        typed,
        lambda: whole.amend(look.session, document, why, consent),
        whole.AmendOffer(dict(document), why),
    )
    if stopped:
        return stopped
    found = changes(look.sight.pieces, look.now().sight.pieces)
    open_now = " It stands in the log for everybody to read." if look.facts.keepers else ""
    lines = [Text(str(one), indent=2) for one in (*found, *filled_in(look.facts.game, document))]
    answer = recorded(look, f"Position amended by agreement.{open_now}", *lines)
    return replace(answer, facts=lambda: answer.facts() | {"changes": found})


def _sealed(context: Context, look: Sitting, phrases: Sequence[str], why: str, agreed: Sequence[Seat]) -> Answer:
    """Amend pieces that everybody sees, or those that the eyes alone see that look, and open no secret."""
    owner = look.eyes
    if owner and look.pact:
        raise NotAllowedError("by mail nobody agrees to what he cannot see; to take plays back: referee undo N")
    typed = typed_as(", ".join(phrases), why) + (f" --by {owner}" if owner else " --sealed")
    stopped = owner and needs_all(context, look, owner, agreed, typed, f"to amend what {owner} alone sees")
    if stopped:
        return stopped
    offer = pieces.AmendPiecesOffer(tuple(phrases), why)
    record = partial(pieces.amend_sealed, look.session, phrases, why, agreed, owner)
    stopped = unless_agreed(context, look, owner or REFEREE, agreed, typed, record, offer)
    if stopped:
        return stopped
    found = changes(look.sight.pieces, look.now().sight.pieces)
    lines = [Text(str(one), indent=2) for one in found]
    answer = recorded(look, "Position amended by agreement. All secrets stay sealed.", *lines)
    return replace(answer, facts=lambda: answer.facts() | {"changes": found})


IN_SECRET = "to amend the position, which puts every secret of it into the log for everybody to read,"
GOING_BACK = (
    "Or go back: referee undo N takes back plays, referee correct N FACES types dice otherwise, and what comes after "
    "them is said again."
)


def kept_sealed(typed: str) -> tuple[str, str]:
    """What mends a position and opens nothing."""
    same = "referee amend PIECE WHERE" if typed.startswith("amend --from") else f"referee {typed}"
    return f"To keep them sealed: {same} --sealed, or --by SEAT where one seat alone sees it.", GOING_BACK


def typed_as(what: str, why: str) -> str:
    """The command as it was typed."""
    return f"amend {what}{'' if why == AS_IT_STANDS else f' --why {shlex.quote(why)}'}"


def _from_file(source: Path) -> dict[str, Any]:
    document = read_document(source)
    document.pop("options", None)
    return document


def all_of(look: Sitting) -> Sitting:
    """The game with all that is known here; NotAllowedError where some of its secrets are not."""
    if look.facts.is_partly_known:
        raise NotAllowedError(
            "not all secrets are known here, and so no whole position; to amend pieces that everybody sees: "
            "referee amend PIECE WHERE --sealed"
        )
    return look.through(REFEREE)


def changed_by(look: Sitting, *lines: Sequence[str]) -> Any:
    """The position with these changes, as they are typed; a later line may correct an earlier one."""
    position, known = look.sight.position, look.sight.pieces
    try:
        for phrases in lines:
            position = amended(look.facts.game, position, known, phrases)
    except msgspec.ValidationError as error:
        raise MisuseError(str(error)) from error
    return position
