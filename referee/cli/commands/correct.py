"""`referee correct`: corrects dice or a move that was typed wrongly."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.action_text import describe_action, describe_refusal
from referee.cli.answer import NO, Answer, AnswerLine, Text
from referee.cli.arguments import AgreedByOption, DryRunOption, parse_faces, split_dice
from referee.cli.consent import ask_for_unanimity, list_consenting_seats, record_with_consent
from referee.cli.context import Context
from referee.cli.entry_text import describe_entry, has_hidden_action
from referee.cli.errors import format_sentence
from referee.cli.game_view import (
    collect_summary_facts,
    describe_present_state,
    make_heading,
    open_views_before_and_after,
)
from referee.cli.undo_hints import carry_out_or_suggest, list_correctable_entries
from referee.engine.event import Seat
from referee.engine.position_diff import list_manual_changes
from referee.engine.text import count_of, listing
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds import correct as deed
from referee.record.table.deeds.correct import (
    CorrectDiceOffer,
    Correction,
    CorrectPlayOffer,
)
from referee.record.table.proposal import format_faces
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.table.mail_protocol import MailProtocol

EntryNumberArgument = Annotated[int, Argument(metavar="N", help="The entry of the roll or the move.")]
CorrectingSeatOption = Annotated[
    str | None, Option("--by", metavar="SEAT", help="Who corrects; default: the player of entry N.")
]
CorrectionArgument = Annotated[
    list[str], Argument(metavar="FACES|ACTION", help="All dice of the entry as they really fell, or the right move.")
]


def correct(
    ctx: typer.Context,
    n: EntryNumberArgument,
    words: CorrectionArgument,
    by: CorrectingSeatOption = None,
    agreed: AgreedByOption = None,
    dry_run: DryRunOption = False,
) -> Answer:
    """Correct dice, or a move, that was typed wrongly in an earlier entry. Later moves are checked again, and the legal
    ones are kept.

    The referee names the first move that is no longer legal. It records one takeback, then the moves again, which get
    new numbers. To find N: referee log. By mail you correct your own moves. If they were sent, you offer the takeback.

    \b
      referee correct 12 2 3 6 --agreed-by all
      referee correct 12 2 go N -n
    """
    look: SeatView = ctx.obj.open_view_to_record("correct", by, offers=True)
    speaker, consent = look.eyes or _find_player(look, n), list_consenting_seats(look, agreed)
    request = _read_request(look, n, words)
    return carry_out_or_suggest(
        look,
        lambda: _make_correction(ctx.obj, look, request, speaker, consent, dry_run=dry_run),
        list_correctable_entries,
    )


def _find_player(look: SeatView, n: int) -> Seat:
    """Returns the seat that made the move in entry `n`; if the entry is not a move, the seat that played last."""
    entry = look.log.entries[n] if 0 < n < len(look.log.entries) else None
    return entry.by if isinstance(entry, PlayEntry) else look.log.last_player


class CorrectionRequest(NamedTuple):
    """A wish to correct an entry."""

    terms: CorrectDiceOffer | CorrectPlayOffer
    typed: str
    """The command, without "referee"."""
    what: str
    """The effect, as a clause after "this"."""


def _read_request(look: SeatView, n: int, words: Sequence[str]) -> CorrectionRequest:
    """Returns the wanted correction: of dice if all words are faces of the entry's roll, otherwise of the move."""
    text = " ".join(words)
    if not _are_faces(look, n, words):
        return CorrectionRequest(
            CorrectPlayOffer(n, text), f"correct {n} {text}", "changes a move that others have seen"
        )
    faces = parse_faces(text)
    typed = f"correct {n} {' '.join(map(str, faces))}"
    return CorrectionRequest(CorrectDiceOffer(n, tuple(faces)), typed, "changes dice that others have seen")


def _are_faces(look: SeatView, n: int, words: Sequence[str]) -> bool:
    """True if the words are dice: numbers only, or names for an entry that draws names.

    If the entry draws names, the words count as names unless they begin with a verb of the game.
    """
    said = split_dice(" ".join(words))
    if all(word.isdigit() for word in said):
        return True
    entry = look.log.entries[n] if 0 < n < len(look.log.entries) else None
    draws = isinstance(entry, PlayEntry) and any(roll.names for roll in entry.known_rolls)
    return draws and said[0].lower() not in look.facts.game.verbs.verbs_by_word


def _make_correction(
    context: Context,
    look: SeatView,
    wanted: CorrectionRequest,
    speaker: Seat,
    consent: Sequence[Seat],
    *,
    dry_run: bool,
) -> Answer:
    """Returns the answer about a corrected entry and the moves after it."""
    stopped = ask_for_unanimity(context, look, speaker, consent, wanted.typed, wanted.what, offer=wanted.terms)
    if stopped:
        return stopped
    if look.protocol:
        _check_own(look, look.protocol, _find_player(look, wanted.terms.n))
    judged = wanted.terms.judge_correction(look.session)
    if judged.is_refused:
        return Answer(
            list(describe_refusal(look, judged.said[-1], whole=True)),
            lambda: _collect_facts(judged, wanted.terms.n),
            NO,
        )
    if dry_run:
        return _answer_dry_run(
            look, judged, wanted.terms.n, *_describe_consent(look, judged, speaker), "Nothing was recorded."
        )

    def record() -> None:
        deed.record_correction(look.session, judged, speaker, consent)

    stopped = record_with_consent(context, look, speaker, consent, wanted.typed, record, wanted.terms)
    if stopped and look.protocol and isinstance(wanted.terms, CorrectPlayOffer):
        later = Text(f"Once all agree, make the right move: referee {wanted.terms.words}", indent=2, hanging=4)
        return replace(stopped, lines=[*stopped.lines, later])
    if stopped:
        foreseen = _answer_dry_run(look, judged, wanted.terms.n)
        return replace(stopped, facts=lambda: foreseen.facts() | stopped.facts())
    look, now = open_views_before_and_after(look)
    hands = [str(one) for one in list_manual_changes(look.sight.movable_pieces, now.sight.movable_pieces)]
    board: list[AnswerLine] = ["On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])]
    answer = _answer_correction(
        look, now, judged, wanted.terms.n, RECORDED_WORDING, *board, *describe_present_state(now)
    )
    return replace(answer, facts=lambda: answer.facts() | {"hands": hands, "after": collect_summary_facts(now)})


def _check_own(look: SeatView, protocol: "MailProtocol", player: Seat) -> None:
    """Raises NotAllowedError if the player of a move by mail is not the one at this computer."""
    from referee.mail.seats import find_own_seat

    if player != find_own_seat(protocol):
        who = look.facts.format_seat(player)
        raise NotAllowedError(f"by mail only {who} can correct this move; to offer to undo it: referee undo")


def _describe_consent(look: SeatView, found: Correction, speaker: Seat) -> Iterator[str]:
    """Yields a sentence about those who must agree before the correction can be recorded, if anybody must."""
    because = deed.explain_needed_agreement(look.session, found, speaker)
    if because:
        others = listing([seat for seat in look.facts.occupied_seats if seat != speaker])
        yield f"Before the correction is recorded, {others} must agree: {because}."


class CorrectionWording(NamedTuple):
    """The words about a correction, in the tense for a recorded one or for one that is only tried."""

    heading: str
    holding: str
    illegal: str
    is_recorded: bool


RECORDED_WORDING = CorrectionWording("Corrected", "still hold{s}", "Entry {n} is no longer legal", is_recorded=True)
DRY_RUN_WORDING = CorrectionWording(
    "This would be corrected", "would still hold", "Entry {n} would no longer be legal", is_recorded=False
)


def _answer_dry_run(look: SeatView, found: Correction, n: int, *more: AnswerLine) -> Answer:
    """Returns the result of a correction that is not recorded."""
    return _answer_correction(look, look, found, n, DRY_RUN_WORDING, *more)


def _answer_correction(
    look: SeatView, now: SeatView, found: Correction, n: int, tense: CorrectionWording, *more: AnswerLine
) -> Answer:
    """Returns the answer about a corrected entry, with the later moves that hold and the first that is lost.

    `look` is the game before the correction, and `now` the game as it stands.
    """
    entries, new = look.log.entries, now.log.entry_number - len(found.said) + 1
    where = f" (now entry {new})" if tense.is_recorded else ""
    lines: list[AnswerLine] = [
        make_heading(now),
        f"{tense.heading}: {describe_entry(look, entries[n])}, in truth {_describe_right_play(look, n, found)}{where}.",
    ]
    if found.held:
        many = len(found.held)
        held = tense.holding.format(s="s" if many == 1 else "")
        follow = f"; {'it is' if many == 1 else 'they are'} repeated after entry {new}" if tense.is_recorded else ""
        lines.append(f"{count_of(many, 'later move')} {held}, up to entry {found.held[-1]}{follow}.")
    if found.lost is not None:
        lost = tense.illegal.format(n=found.lost)
        lines.append(Text(f"{lost}: {describe_entry(look, entries[found.lost])}", "refused"))
        if not has_hidden_action(entries[found.lost]):
            lines.append(Text(format_sentence(found.because), indent=2))
    facts = _collect_facts(found, n) | {
        "rolls": look.sight.list_visible_rolls(found.said[0]),
        "recorded": tense.is_recorded,
    }
    return Answer([*lines, *more], lambda: facts)


def _describe_right_play(look: SeatView, n: int, found: Correction) -> str:
    """Returns the right dice, or the right play with its dice, in words."""
    first, entry = found.said[0], look.session.entries[n]
    is_same = isinstance(entry, PlayEntry) and entry.known_action == first.action
    faces = " ".join(format_faces(look.sight.list_visible_rolls(first)))
    return " ".join(filter(None, ["" if is_same and faces else describe_action(look, first), faces]))


def _collect_facts(found: Correction, n: int) -> dict[str, Any]:
    return {"corrected": n, "held": found.held, "lost": found.lost, "because": found.because}
