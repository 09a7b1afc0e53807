"""`referee fix`: compares the real board with the record, and corrects the position by agreement."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import AgreedByOption, read_document
from referee.cli.consent import ask_for_unanimity, list_consenting_seats, record_with_consent
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.game_view import make_heading
from referee.cli.record_answer import answer_with_recorded_entry
from referee.cli.table_check import apply_typed_changes, ask_about_pieces, make_checklist
from referee.engine.event import REFEREE, Seat
from referee.engine.position import describe_added_facts
from referee.engine.position_diff import list_changes
from referee.engine.text import split_phrases
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds import amend as whole
from referee.record.table.deeds import amend_pieces as pieces
from referee.record.table.seat_view import SeatView

ChangesArgument = Annotated[
    list[str] | None, Argument(metavar="[CHANGE...]", help="A piece and how it stands; commas separate changes.")
]
PositionFileOption = Annotated[Path | None, Option("--from", metavar="FILE", help="The right position: TOML or JSON.")]
WhyOption = Annotated[str, Option("--why", metavar="TEXT", help="What went wrong.")]
SealedOption = Annotated[bool, Option("--sealed", help="Record only the changes; secrets stay sealed.")]
OwnerOption = Annotated[
    str | None, Option("--by", metavar="SEAT", help="The only seat that sees the pieces; the changes are sealed.")
]
DEFAULT_REASON = "the real board was different"
"""The reason for an amendment if nobody gives one."""
HOW_TO_FIX = "type the changes, or name a file with --from; to compare the whole board: referee fix"


def fix(
    ctx: typer.Context,
    words: ChangesArgument = None,
    source: PositionFileOption = None,
    why: WhyOption = DEFAULT_REASON,
    agreed: AgreedByOption = None,
    sealed: SealedOption = False,
    owner: OwnerOption = None,
) -> Answer:
    """Compare your real board with the record, and correct the position, if everyone agrees.

    Without changes, the referee asks about each place: press Enter if it is right, or type the piece and where it
    stands. The record keeps the changes and the reason.

    \b
      referee fix
      referee fix PIECE WHERE, PIECE WHERE --why "the cat" --agreed-by all
      referee fix --from now.toml --why "the cat" --agreed-by all

    In a game with secrets, the log then shows the whole position to everyone. With --sealed the log shows only the
    changes. Use it for pieces that everyone sees. With --by SEAT the log hides the changes, too. Use it for pieces that
    only this seat sees.
    """
    look: SeatView = ctx.obj.open_view_to_record("fix", owner, offers=True)
    if words and source:
        raise MisuseError(HOW_TO_FIX)
    if not (words or source):
        if sealed:
            raise MisuseError(HOW_TO_FIX)
        return _check_table(ctx.obj, look, why, agreed)
    if source and (sealed or owner):
        raise MisuseError("a file holds the whole position; to keep secrets sealed, type the changes")
    phrases = split_phrases(" ".join(words or ()))
    if sealed or owner:
        return _amend_sealed(
            ctx.obj, look if owner else look.with_eyes(None), phrases, why, list_consenting_seats(look, agreed)
        )
    typed = format_fix_command(f"--from {source}" if source else ", ".join(phrases), why)
    return _amend_openly(
        ctx.obj,
        look,
        lambda: (
            _read_position_file(source)
            if source
            else msgspec.to_builtins(apply_typed_changes(get_referee_view(look), phrases))
        ),
        typed,
        why,
        agreed,
    )


def _check_table(context: Context, look: SeatView, why: str, agreed: str | None) -> Answer:
    """With somebody at the keyboard, asks about each place on the board and records the differences.

    Otherwise returns a list to compare with the board.
    """
    if context.line_prompt is None:
        return make_checklist(look)
    told = ask_about_pieces(look, context.line_prompt)
    if not told:
        return Answer([make_heading(look), "The board matches the record."], lambda: {"changes": []})
    typed = format_fix_command(", ".join(told), why)
    try:
        return _amend_openly(
            context,
            look,
            lambda: msgspec.to_builtins(apply_typed_changes(get_referee_view(look), *([one] for one in told))),
            typed,
            why,
            agreed,
        )
    except NotAllowedError:
        context.notes.append(f"Note: these were your changes; to edit and repeat them: referee {typed}")
        raise


def _amend_openly(
    context: Context,
    look: SeatView,
    document: Callable[[], dict[str, Any]],
    typed: str,
    why: str,
    agreed: str | None,
) -> Answer:
    """Amends the position, secrets included, if all agree. `document` returns the new position."""
    consent, split = list_consenting_seats(look, agreed), describe_alternatives_to_revealing(typed)
    stopped = ask_for_unanimity(context, look, REFEREE, consent, typed, REVEALS_SECRETS, split)
    return stopped or _amend_to_document(context, look, document(), typed, why, agreed)


def _amend_to_document(
    context: Context, look: SeatView, document: Mapping[str, Any], typed: str, why: str, agreed: str | None
) -> Answer:
    """Amends the position if all agree, and returns the answer with the exact changes.

    `document` is the whole new position. `typed` is the command, and `agreed` the value of `--agreed-by`.
    """
    consent = list_consenting_seats(look, agreed)
    stopped = record_with_consent(
        context,
        look,
        REFEREE,
        consent,
        typed,
        lambda: whole.amend_position(look.session, document, why, consent),
        whole.AmendOffer(dict(document), why),
    )
    if stopped:
        return stopped
    found = list_changes(look.sight.pieces, look.at_present().sight.pieces)
    open_now = " The log now shows it to everyone." if look.facts.keepers else ""
    lines = [Text(str(one), indent=2) for one in (*found, *describe_added_facts(look.facts.game, document))]
    answer = answer_with_recorded_entry(look, f"Position amended by agreement.{open_now}", *lines)
    return replace(answer, facts=lambda: answer.facts() | {"changes": found})


def _amend_sealed(context: Context, look: SeatView, phrases: Sequence[str], why: str, agreed: Sequence[Seat]) -> Answer:
    """Amends pieces without opening a secret, if those who must agree do.

    In the public view, these are pieces that everybody sees. In the view of a seat, they are pieces that only this seat
    sees.
    """
    owner = look.eyes
    if owner and look.protocol:
        raise NotAllowedError(
            "by mail nobody can agree to changes that they cannot see; to take moves back: referee undo N"
        )
    typed = format_fix_command(", ".join(phrases), why) + (f" --by {owner}" if owner else " --sealed")
    stopped = owner and ask_for_unanimity(context, look, owner, agreed, typed, f"changes pieces that only {owner} sees")
    if stopped:
        return stopped
    offer = pieces.AmendPiecesOffer(tuple(phrases), why)
    record = partial(pieces.amend_pieces, look.session, phrases, why, agreed, owner)
    stopped = record_with_consent(context, look, owner or REFEREE, agreed, typed, record, offer)
    if stopped:
        return stopped
    found = list_changes(look.sight.pieces, look.at_present().sight.pieces)
    lines = [Text(str(one), indent=2) for one in found]
    answer = answer_with_recorded_entry(look, "Position amended by agreement. All secrets stay sealed.", *lines)
    return replace(answer, facts=lambda: answer.facts() | {"changes": found})


REVEALS_SECRETS = "puts every secret of the position into the log for everyone to read"
GOING_BACK = (
    "Or go back: referee undo N takes back moves, and referee correct N FACES changes dice. You can then make the "
    "later moves again."
)


def describe_alternatives_to_revealing(typed: str) -> tuple[str, str]:
    """Returns two sentences about other ways to correct the position, which open no secret."""
    same = "referee fix PIECE WHERE" if typed.startswith("fix --from") else f"referee {typed}"
    return f"To keep the secrets sealed: {same} --sealed, or --by SEAT if only one seat sees the pieces.", GOING_BACK


def format_fix_command(what: str, why: str) -> str:
    """Returns the command, without "referee", that makes the changes `what` for the reason `why`."""
    return f"fix {what}{'' if why == DEFAULT_REASON else f' --why {shlex.quote(why)}'}"


def _read_position_file(source: Path) -> dict[str, Any]:
    document = read_document(source)
    document.pop("options", None)
    return document


def get_referee_view(look: SeatView) -> SeatView:
    """Returns the game in the view of the referee. Raises NotAllowedError if some secrets are not known here."""
    if look.facts.is_partly_known:
        raise NotAllowedError(
            "some secrets are not known here, so nobody knows the whole position; to amend pieces that everybody sees: "
            "referee fix PIECE WHERE --sealed"
        )
    return look.with_eyes(REFEREE)
