"""A player's seat at a log: what they see of the game and its record, and the actions that they say.

Commands get this and nothing else, so they cannot reach what their speaker may not know.

>>> seat = SeatView(session, "red")
>>> seat.facts.to_act, seat.sight.legal, seat.log.entries, seat.judge_line(["6 go"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.record.table.player_view import PlayerView
from referee.record.table.visible_log import VisibleLog

if TYPE_CHECKING:
    from referee.engine.action_grammar import ParsedPhrase
    from referee.engine.choice import Action
    from referee.engine.dice import TypedDie
    from referee.record.table.action_batch import ActionBatch
    from referee.record.table.mail_protocol import MailProtocol
    from referee.record.table.moment import JudgedAction, Moment
    from referee.record.table.session import Session


class SeatView:
    """A session through certain eyes, now or after an earlier entry."""

    def __init__(
        self, session: Session, eyes: Seat | None = None, at: int | None = None, moment: Moment | None = None
    ) -> None:
        """Looks through `eyes` at `moment`. By default, the moment is the one after entry `at`, or the present one.

        `eyes` is a seat, None for everybody, or `REFEREE` for all that is known here.
        """
        self._moment = moment or session.moment(at)
        self.session = session
        """The session that was read. Commands hand it on, but do not ask it."""
        self.eyes = eyes
        """The seat whose eyes these are; None for everybody's, `REFEREE` for all that is known here."""
        self.at = at
        """The number of the entry that is looked at; None for the latest one."""
        self.protocol: MailProtocol | None = session.reducer.protocol
        """The state of play by mail; None if the game is not played by mail."""
        self.facts = self._moment.facts
        """The public facts."""
        self.sight = PlayerView(self._moment, eyes)
        """The game as these eyes see it."""
        self.log = VisibleLog(session, eyes, at)
        """The log as these eyes may read it."""

    # Other eyes, other moments

    def with_eyes(self, eyes: Seat | None) -> SeatView:
        """Returns the same moment through other eyes."""
        return self if eyes == self.eyes else SeatView(self.session, eyes, self.at, self._moment)

    def at_entry(self, at: int) -> SeatView:
        """Returns the game as it stood after entry `at`."""
        return SeatView(self.session, self.eyes, at)

    def at_present(self) -> SeatView:
        """Returns the game as it stands now, after something was recorded."""
        return SeatView(self.session, self.eyes)

    def before_action(self, said: JudgedAction) -> SeatView:
        """Returns the game at the moment in which an action was said."""
        return SeatView(self.session, self.eyes, self.at, said.before)

    def after_line(self, line: ActionBatch) -> SeatView:
        """Returns the game at the end of an unrecorded line, through the same eyes.

        If these eyes are everybody's, looks through the eyes of the seat to act at that point.
        """
        eyes = self.eyes if self.eyes is not None else line.to_act
        return SeatView(self.session, eyes, self.at, line.moment)

    # Seats and their secrets

    @property
    def seats_to_join(self) -> tuple[Seat, ...]:
        """The seats that still have to join, by mail or because they keep secrets."""
        if self.protocol:
            return self.protocol.seats_to_join
        return tuple(seat for seat in self.facts.keepers if seat not in self.session.reducer.joined)

    @property
    def lot_seed(self) -> str:
        """The seed from which these eyes draw lots. It stays the same until the log grows.

        With a vault, the seed is as secret as the seat's hidden dice. Otherwise, it is as public as the seed of all
        dice.
        """
        if not self.eyes:
            return self.log.head_hash
        vault, head = self.session.reducer.opener.vaults.get(self.eyes), f"{self.log.head_hash} {self.eyes}"
        return vault.compute_salt("lots", head.encode()).hex() if vault else head

    def can_open_view_of(self, seat: Seat) -> bool:
        """True if everything that this seat sees is known here: all its secrets can be opened on this computer."""
        return self._moment.known.can_open_view_of(seat)

    # Speaking

    def judge_line(
        self,
        phrases: Iterable[str | Action],
        faces: Iterable[TypedDie] = (),
        *,
        after: ActionBatch | None = None,
        supposed: bool = False,
        find_doubt: Callable[[JudgedAction], str | None] | None = None,
        **manners: bool,
    ) -> ActionBatch:
        """Judges a line of actions that the speaker says now, or `after` a line that is not recorded yet.

        `supposed` is True for a hypothetical question; `find_doubt` and `manners` are passed on to `ActionBatch`.
        """
        from referee.record.table.action_batch import ActionBatch  # most commands only look

        moment = after.moment if after else self._moment.make_hypothetical() if supposed else self._moment
        return ActionBatch(
            moment, phrases, None if self.eyes == REFEREE else self.eyes, faces, find_doubt=find_doubt, **manners
        )

    def parse_phrase(self, phrase: str) -> ParsedPhrase:
        """Reads a phrase of the speaker. Raises NotUnderstoodError, or UnknownError if secrets are not known here."""
        return self._moment.read(phrase, None if self.eyes == REFEREE else self.eyes)
