"""Somebody at the table: what he sees of a game and its record, and what he says, which is recorded.

Commands get this and nothing else: what their speaker may not know is out of their reach.

>>> seat = Sitting(session, "red")
>>> seat.facts.to_act, seat.sight.legal, seat.log.entries, seat.line(["6 go"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.record.table.seen import SeenLog
from referee.record.table.sight import Sight

if TYPE_CHECKING:
    from referee.engine.dice import Typed
    from referee.engine.legal import Action
    from referee.engine.verb import Reading
    from referee.record.table.line import Line
    from referee.record.table.moment import Moment, Said
    from referee.record.table.pact import Pact
    from referee.record.table.session import Session


class Sitting:
    """A session through certain eyes, as it stands or stood after an entry: it has a view, and a record to read."""

    def __init__(
        self, session: Session, eyes: Seat | None = None, at: int | None = None, moment: Moment | None = None
    ) -> None:
        """`moment`: the one that is looked at, where it is not the one after entry `at`."""
        self._moment = moment or session.moment(at)
        self.session = session
        """The log that was read: to be handed on, not to be asked."""
        self.eyes = eyes
        """Whose they are: a seat's, everybody's (None), or those that see all that is known here (`REFEREE`)."""
        self.at = at
        """The entry after which it is; None: as it stands."""
        self.pact: Pact | None = session.fold.pact
        """What the log says of play by mail; None: the game is not played so."""
        self.facts = self._moment.facts
        """What everybody may know."""
        self.sight = Sight(self._moment, eyes)
        """What these eyes see."""
        self.log = SeenLog(session, eyes, at)
        """The record as they may read it."""

    # Other eyes, other moments

    def through(self, eyes: Seat | None) -> Sitting:
        """The same moment through other eyes."""
        return self if eyes == self.eyes else Sitting(self.session, eyes, self.at, self._moment)

    def then(self, at: int) -> Sitting:
        """The game as it stood after an entry."""
        return Sitting(self.session, self.eyes, at)

    def now(self) -> Sitting:
        """The game as it stands after something was recorded."""
        return Sitting(self.session, self.eyes)

    def before(self, said: Said) -> Sitting:
        """The game at the moment in which something was said."""
        return Sitting(self.session, self.eyes, self.at, said.before)

    def after(self, line: Line) -> Sitting:
        """The game where a line that is not recorded has come to, through the eyes of its speaker."""
        eyes = self.eyes if self.eyes is not None else line.to_act
        return Sitting(self.session, eyes, self.at, line.moment)

    # Who sits there

    @property
    def to_join(self) -> tuple[Seat, ...]:
        """The seats that nobody has sat down at, of those that are to be sat down at: by mail, or with secrets."""
        if self.pact:
            return self.pact.to_join
        return tuple(seat for seat in self.facts.keepers if seat not in self.session.fold.joined)

    @property
    def lots(self) -> str:
        """What these eyes may draw lots from at this point, the same as long as the log is: as secret as the dice that
        they throw unseen where they keep a vault, else as open as the seed of all dice.
        """
        if not self.eyes:
            return self.log.head
        vault, head = self.session.fold.opener.vaults.get(self.eyes), f"{self.log.head} {self.eyes}"
        return vault.salt("lots", head.encode()).hex() if vault else head

    def knows(self, seat: Seat) -> bool:
        """Whether all that this seat sees is known here: its vault is there, and holds what it has sealed."""
        return self._moment.known.knows(seat)

    # Saying

    def line(
        self,
        phrases: Iterable[str | Action],
        faces: Iterable[Typed] = (),
        *,
        after: Line | None = None,
        supposed: bool = False,
        wary: Callable[[Said], str | None] | None = None,
        **manners: bool,
    ) -> Line:
        """A line of actions of who speaks, judged: where the game stands, or `after` a line that is not recorded yet.
        `supposed`: for who only asks what would be; `wary` and `manners` are those of a `Line`.
        """
        from referee.record.table.line import Line  # most commands only look

        moment = after.moment if after else self._moment.supposed() if supposed else self._moment
        return Line(moment, phrases, None if self.eyes == REFEREE else self.eyes, faces, wary=wary, **manners)

    def read(self, phrase: str) -> Reading:
        """What a phrase of who speaks means; NotUnderstoodError, UnknownError."""
        return self._moment.read(phrase, None if self.eyes == REFEREE else self.eyes)
