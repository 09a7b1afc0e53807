"""Correcting dice that were typed wrongly: a takeback, then the later plays again. The deed has no entry of its own."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.engine.dice import DiceError, Typed
from referee.engine.event import Seat
from referee.engine.position_diff import list_moves
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds.takeback import draft_takeback
from referee.record.table.entry_draft import draft_play
from referee.record.table.proposal import CorrectedRoll, Proposal, Terms, format_faces, has_visible_dice
from referee.record.table.visible_log import last_player

if TYPE_CHECKING:
    from referee.record.table.moment import JudgedAction
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

NUMBER = 9


def correct_dice(
    session: "Session", n: int, faces: Iterable[Typed], by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> "Correction":
    """Corrects the dice of entry `n`: records one takeback, then the plays that still hold.

    It needs the same agreement as a takeback. Raises NotAllowedError or DiceError, as `judge_correction` does.
    """
    by = by or last_player(session)
    found = judge_correction(session, n, faces)
    session.append(
        [
            (draft_takeback(found.to, by, agreed), None),
            *((draft_play(item), item.next_moment.known) for item in found.said),
        ]
    )
    return found


class CorrectDice(Terms, frozen=True, tag="correct"):
    """An offer to correct the dice of an entry: a takeback, then the later plays again.

    It is never made by mail, where no dice are typed.
    """

    by_mail = False

    n: int
    faces: tuple[Typed, ...]

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the correction that all have agreed on."""
        correct_dice(session, self.n, self.faces, by, agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to correct the dice of entry {self.n}"

    def proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out the effects of a correction. In a game with secrets, the proposal holds only the corrected dice,
        and only if these eyes see the roll.
        """
        from referee.record.table.player_view import PlayerView

        if sitting.facts.keepers:
            faces = tuple(map(str, self.faces)) if has_visible_dice(sitting, self.n) else ()
            return Proposal(by, self, corrected=CorrectedRoll(self.n, faces), is_hidden=True)
        try:
            found = judge_correction(sitting.session, self.n, self.faces)
        except (NotAllowedError, DiceError) as error:
            return Proposal(by, self, cannot=str(error))
        then = PlayerView(found.said[-1].next_moment, sitting.eyes)
        stays = {self.n, *found.held}
        gone = tuple(n for n in reversed(sitting.log.in_force) if n > found.to and n not in stays)
        thrown = tuple(n for n in gone if has_visible_dice(sitting, n))
        throw, *again = found.said
        mended = CorrectedRoll(self.n, format_faces(sitting.sight.visible_rolls(throw)))
        hands = list_moves(sitting.sight.counters, then.counters)
        return Proposal(by, self, gone, (), thrown, mended, tuple(again), found.because, piece_changes=hands)


class Correction(Struct, frozen=True):
    """The effects of a corrected roll on the game."""

    to: int
    """The entry before the roll, to which the takeback goes back."""
    said: tuple["JudgedAction", ...]
    """The corrected roll and all plays that still hold after it."""
    held: tuple[int, ...]
    """The entries after the roll that still hold and are played again."""
    lost: int | None
    """The first entry that no longer holds; None if all of them hold."""
    because: str
    """The reason that it no longer holds, as a clause."""


def judge_correction(session: "Session", n: int, faces: Iterable[Typed]) -> Correction:
    """Judges entry `n` again with these faces, and then the plays after it with their own dice.

    Raises NotAllowedError if the entry holds no typed roll in force. Raises DiceError if the dice cannot have fallen
    like this.
    """
    from referee.record.table.action_batch import ActionBatch  # few games are corrected
    from referee.record.table.plays_again import judge_again

    line = session.in_force()
    throw = _find_roll(session, n, line)
    to, action = line[line.index(n) - 1], throw.known_action
    assert action is not None, "a roll that is corrected is known"
    first = ActionBatch(session.moment(to).with_dice_used_until(session.moment()), [action], throw.by, faces)
    if first.awaiting or first.refused:
        need = first.awaiting.need if first.awaiting else None
        raise DiceError(
            f"entry {n} takes more dice: {need}" if need else f"the dice of entry {n} cannot have fallen like that"
        )
    said, moment = [*first.said], first.moment
    held: list[int] = []
    for before, at in pairwise(line[line.index(n) :]):
        if session.moment(before).is_asked:
            continue  # answers are given automatically
        again, because = judge_again(moment, session.entries[at])
        if again is None:
            return Correction(to, tuple(said), tuple(held), at, because)
        said, moment, held = [*said, *again.said], again.moment, [*held, at]
    return Correction(to, tuple(said), tuple(held), None, "")


def _find_roll(session: "Session", n: int, line: list[int]) -> AnyPlay:
    """Returns the play whose roll is to be corrected. Raises NotAllowedError if it cannot be corrected."""
    if not session.header.dice.is_typed:
        raise NotAllowedError("the dice of this game are worked out from its log; nobody typed them")
    entry = session.entries[n] if 0 < n < len(session.entries) else None
    if n not in line or not isinstance(entry, PlayEntry) or not (entry.known_action and entry.all_rolls):
        raise NotAllowedError(f"entry {n} holds no roll in force; to find one: referee log")
    amended = next((at for at in line[line.index(n) :] if not isinstance(session.entries[at], PlayEntry)), None)
    if amended is not None:
        raise NotAllowedError(f"all agreed on entry {amended} since; take that back first")
    return entry
