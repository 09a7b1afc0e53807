"""Correcting dice or a play that was typed wrongly: a takeback, then the later plays again.

The deed has no entry of its own.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import DiceError, TypedDie
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.event import Seat
from referee.engine.position_diff import list_manual_changes
from referee.engine.text import NotUnderstoodError, split_phrases
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.agreement import explain_need_for_consent
from referee.record.table.deeds.takeback import draft_takeback
from referee.record.table.entry_draft import draft_play
from referee.record.table.proposal import CorrectedEntry, DescribedOffer, Proposal, format_faces, has_visible_dice
from referee.record.table.visible_log import find_last_player, list_spoken_with_previous

if TYPE_CHECKING:
    from referee.record.table.action_batch import ActionBatch
    from referee.record.table.moment import JudgedAction
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 9


def correct_dice(
    session: "Session", n: int, faces: Iterable[TypedDie], by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> "Correction":
    """Corrects the dice of entry `n`: records one takeback, then the plays that still hold.

    It needs the same agreement as a takeback. Raises NotAllowedError or DiceError, as `judge_corrected_dice` does.
    """
    return record_correction(session, judge_corrected_dice(session, n, faces), by, agreed)


def correct_play(
    session: "Session", n: int, words: str, by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> "Correction":
    """Corrects the play of entry `n`: records one takeback, then the right play and the plays that still hold.

    It needs the same agreement as a takeback. Raises NotAllowedError, NotUnderstoodError or DiceError, as
    `judge_corrected_play` does, and NotAllowedError if the right play is illegal.
    """
    return record_correction(session, judge_corrected_play(session, n, words), by, agreed)


def record_correction(
    session: "Session", found: "Correction", by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> "Correction":
    """Records a correction as it was judged. Raises NotAllowedError if the right play is illegal, or if others must
    agree first.
    """
    if found.is_refused:
        raise NotAllowedError(found.because)
    session.append(
        [
            (draft_takeback(found.to, by or find_last_player(session), agreed), None),
            *((draft_play(item), item.next_moment.known) for item in found.said),
        ]
    )
    return found


def explain_needed_agreement(session: "Session", found: "Correction", by: Seat) -> str | None:
    """Returns, as a clause, the reason that others must agree to a correction by this seat; None if none need to."""
    return explain_need_for_consent(session.moment().line, session.moment(found.to).line, by)


class CorrectDiceOffer(DescribedOffer, frozen=True, tag="correct"):
    """An offer to correct the dice of an entry: a takeback, then the later plays again.

    It is never made by mail, where no dice are typed.
    """

    by_mail = False

    n: int
    faces: tuple[TypedDie, ...]

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the correction that all have agreed on."""
        record_correction(session, self.judge_correction(session), by, agreed)

    def judge_correction(self, session: "Session") -> "Correction":
        """Works out the effects on a game, as `judge_corrected_dice` does."""
        return judge_corrected_dice(session, self.n, self.faces)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to correct the dice of entry {self.n}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out the effects of a correction. In a game with secrets, the proposal holds only the corrected dice,
        and only if these eyes see the roll.
        """

        faces = tuple(map(str, self.faces)) if has_visible_dice(sitting, self.n) else ()
        hidden = CorrectedEntry(self.n, faces)
        return _propose(self, sitting, by, hidden)


class CorrectPlayOffer(DescribedOffer, frozen=True, tag="correct-play"):
    """An offer to correct the play of an entry: a takeback, then the right play and the later plays again.

    It is never made by mail: there a takeback is offered, and its author then makes the right play.
    """

    by_mail = False

    n: int
    words: str

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the correction that all have agreed on."""
        record_correction(session, self.judge_correction(session), by, agreed)

    def judge_correction(self, session: "Session") -> "Correction":
        """Works out the effects on a game, as `judge_corrected_play` does."""
        return judge_corrected_play(session, self.n, self.words)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to correct the move of entry {self.n}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out the effects of a correction. In a game with secrets, the proposal holds only the right words, and
        only if these eyes see the play.
        """
        entry = sitting.log.entries[self.n] if 0 <= self.n < len(sitting.log.entries) else None
        is_seen = isinstance(entry, PlayEntry) and entry.known_action is not None
        hidden = CorrectedEntry(self.n, (), self.words if is_seen else "")
        return _propose(self, sitting, by, hidden)


def _propose(
    offer: CorrectDiceOffer | CorrectPlayOffer, sitting: "SeatView", by: Seat, hidden: CorrectedEntry
) -> Proposal:
    """Returns the proposal of a correction with its effects. In a game with secrets it holds `hidden` alone."""
    from referee.record.table.player_view import PlayerView

    if sitting.facts.keepers:
        return Proposal(by, offer, corrected=hidden, is_hidden=True)
    try:
        found = offer.judge_correction(sitting.session)
    except (NotAllowedError, NotUnderstoodError, DiceError) as error:
        return Proposal(by, offer, cannot=str(error))
    if found.is_refused:
        return Proposal(by, offer, cannot=found.because)
    then = PlayerView(found.said[-1].next_moment, sitting.eyes)
    stays = {hidden.n, *found.held}
    gone = tuple(n for n in reversed(sitting.log.entries_in_force) if n > found.to and n not in stays)
    thrown = tuple(n for n in gone if has_visible_dice(sitting, n))
    first, *again = found.said
    faces = format_faces(sitting.sight.list_visible_rolls(first))
    mended = replace(
        hidden,
        faces=faces,
        words=sitting.facts.game.format(first.action) if isinstance(offer, CorrectPlayOffer) else "",
    )
    hands = list_manual_changes(sitting.sight.movable_pieces, then.movable_pieces)
    return Proposal(by, offer, gone, (), thrown, mended, tuple(again), found.because, piece_changes=hands)


class Correction(Struct, frozen=True):
    """The effects of a corrected entry on the game."""

    to: int
    """The entry before the corrected one, to which the takeback goes back."""
    said: tuple["JudgedAction", ...]
    """The corrected play, then all plays that still hold after it. A corrected play that is illegal comes last."""
    held: tuple[int, ...]
    """The entries after the corrected one that still hold and are played again."""
    lost: int | None
    """The first entry that no longer holds; None if all of them hold."""
    because: str
    """The reason that the entry `lost` no longer holds, or that the right play is illegal, as a clause; "" if neither.
    """
    is_refused: bool = False
    """True if the right play is illegal, so that nothing can be corrected."""


def judge_corrected_dice(session: "Session", n: int, faces: Iterable[TypedDie]) -> Correction:
    """Judges entry `n` again with these faces, and then the plays after it with their own dice.

    Raises NotAllowedError if the entry holds no typed roll in force, or if it holds these dice already. Raises it, too,
    if a later entry in force is no move. Raises DiceError if the dice cannot have fallen like this.
    """
    from referee.record.table.action_batch import ActionBatch  # few games are corrected

    line = session.in_force()
    throw = _find_roll(session, n, line)
    to, action = line[line.index(n) - 1], throw.known_action
    assert action is not None, "the action of a corrected roll is known"
    first = ActionBatch(session.moment(to).with_dice_used_until(session.moment()), [action], throw.by, faces)
    if first.awaiting or first.refused:
        need = first.awaiting.need if first.awaiting else None
        raise DiceError(
            f"entry {n} takes more dice: {need}" if need else f"the dice of entry {n} cannot have fallen like that"
        )
    _check_changes(throw, first)
    return _judge_later(session, line, n, first)


def judge_corrected_play(session: "Session", n: int, words: str) -> Correction:
    """Judges these words in place of the play of entry `n`, and then the plays after it with their own dice.

    Dice that were typed for entry `n` are kept if the right play needs dice. If the right play is illegal, the returned
    correction says so in `is_refused`.

    Raises NotAllowedError if the entry holds no play in force that can be corrected, or if it says the same already.
    Raises NotUnderstoodError if the words mean no action there, and DiceError if they need other dice.
    """
    from referee.record.table.action_batch import ActionBatch
    from referee.record.table.play_repetition import describe_refusal_reasons

    line = session.in_force()
    play = _find_play(session, n, line)
    to = line[line.index(n) - 1]
    faces = [face for roll in play.known_rolls for face in roll.names or roll.faces]
    before = session.moment(to).with_dice_used_until(session.moment())
    first = ActionBatch(before, split_phrases(words), play.by, faces)
    if first.refused:
        return Correction(to, tuple(first.said), (), None, describe_refusal_reasons(first), is_refused=True)
    if first.awaiting:
        need = first.awaiting.need
        raise DiceError(
            f"the right move needs other dice: {need}" if need else f"{first.awaiting.answer} has to answer first"
        )
    _check_changes(play, first)
    return _judge_later(session, line, n, first)


def _check_changes(entry: AnyPlay, first: "ActionBatch") -> None:
    """Raises NotAllowedError if the entry holds this play with these dice already."""
    dice = [(roll.faces, roll.names) for said in first.said for roll in getattr(said.verdict, "rolls", ())]
    same_dice = dice == [(roll.faces, roll.names) for roll in entry.known_rolls]
    if len(first.said) == 1 and first.said[0].action == entry.known_action and same_dice:
        raise NotAllowedError(f"entry {entry.n} says that already")


def _judge_later(session: "Session", line: list[int], n: int, first: "ActionBatch") -> Correction:
    """Judges the plays after entry `n` again, after the corrected play `first`.

    Stops at the first play that no longer holds, or whose dice the referee would have to roll again.
    """
    from referee.record.table.play_repetition import judge_play_again

    said, moment, to = [*first.said], first.moment, line[line.index(n) - 1]
    held: list[int] = []
    for before, at in pairwise(line[line.index(n) :]):
        if session.moment(before).is_answer_due:
            continue  # answers are given automatically
        entry = session.entries[at]
        if _is_rolled(entry):
            return Correction(to, tuple(said), tuple(held), at, "its dice would be rolled again")
        again, because = judge_play_again(moment, entry)
        if again is None:
            return Correction(to, tuple(said), tuple(held), at, because)
        said, moment, held = [*said, *again.said], again.moment, [*held, at]
    return Correction(to, tuple(said), tuple(held), None, "")


def _is_rolled(entry: Any) -> bool:
    """True if an entry holds dice that the referee rolled. Draws of lots do not count."""
    return any(not roll.is_typed and roll.purpose != LOT_SEED_PURPOSE for roll in entry.known_rolls)


def _find_play(session: "Session", n: int, line: list[int]) -> AnyPlay:
    """Returns the play that is to be corrected. Raises NotAllowedError if it cannot be corrected."""
    entry = session.entries[n] if 0 < n < len(session.entries) else None
    if n not in line or not isinstance(entry, PlayEntry) or entry.known_action is None:
        raise NotAllowedError(f"entry {n} holds no move in force; to find one: referee log")
    if _is_rolled(entry):
        raise NotAllowedError(f"the referee rolled the dice of entry {n}, so it can only be taken back: referee undo")
    _check_only_moves_since(session, n, line)
    if session.reducer.protocol:
        _check_alone(session, entry, line)
    return entry


def _check_alone(session: "Session", play: AnyPlay, line: list[int]) -> None:
    """Raises NotAllowedError if a play by mail is sealed, or if another seat has moved since."""
    if play.secret is not None:
        raise NotAllowedError(f"entry {play.n} is sealed; take it back, then move again: referee undo")
    later = next((at for at in line[line.index(play.n) :] if session.entries[at].by != play.by), None)
    if later is not None:
        raise NotAllowedError(
            f"entry {later} is {session.entries[later].by}'s, and by mail everyone makes their own moves; "
            "take back, then move again: referee undo"
        )


def _find_roll(session: "Session", n: int, line: list[int]) -> AnyPlay:
    """Returns the play whose roll is to be corrected. Raises NotAllowedError if it cannot be corrected."""
    if not session.reducer.header.dice.is_typed:
        raise NotAllowedError("the dice of this game are worked out from its log; nobody typed them")
    entry = session.entries[n] if 0 < n < len(session.entries) else None
    if n not in line or not isinstance(entry, PlayEntry) or not (entry.known_action and entry.known_rolls):
        raise NotAllowedError(f"entry {n} holds no roll in force; to find one: referee log")
    _check_only_moves_since(session, n, line)
    return entry


def _check_only_moves_since(session: "Session", n: int, line: list[int]) -> None:
    """Raises NotAllowedError if something else than a move came after entry `n`, such as a resignation."""
    other = next((at for at in line[line.index(n) :] if not isinstance(session.entries[at], PlayEntry)), None)
    if other is not None:
        count = 1 + sum(1 for _ in takewhile(lambda step: step[0] >= n, list_spoken_with_previous(session)))
        raise NotAllowedError(
            f"entry {other} came later, and the referee can repeat only moves. To go back to before entry "
            f"{n}: referee undo {count}. Then make the right move, and repeat entry {other}"
        )
