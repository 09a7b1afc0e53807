"""One look at a game: at which moment, through whose eyes, and what there is to say about where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.cli.answer import Answer, Shown, Text
from referee.engine.dice import DiceMode, OpenDice, PactDice, TableDice
from referee.engine.event import REFEREE, Seat
from referee.engine.secret import blinded
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.engine.game import AnyGame
    from referee.engine.legal import Legal
    from referee.record.table.moment import Moment
    from referee.record.table.session import Session

MANY = 1_000_000
MODES: Mapping[type[DiceMode], str] = {TableDice: "table dice", OpenDice: "open dice", PactDice: "by mail"}
"""Where dice come from, in the heading of every answer."""


class Look(Struct, frozen=True, dict=True):
    """A session, a moment of it, and whose eyes look at it."""

    session: Session
    moment: Moment
    at: int | None = None
    """The entry after which it is; None: as it stands."""
    eyes: Seat | None = None
    """None: a spectator's; `REFEREE`: all that is known here is seen."""

    @property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self.moment.game

    @property
    def entry(self) -> int:
        """Number of the last entry looked at."""
        return len(self.session.entries) - 1 if self.at is None else self.at

    @cached_property
    def view(self) -> Any:
        """What these eyes see; UnknownError."""
        return self.moment.view(self.eyes)

    def through(self, eyes: Seat | None) -> Look:
        """The same moment through other eyes."""
        return replace(self, eyes=eyes)

    def now(self) -> Look:
        """The game as it stands after something was recorded."""
        return Look(self.session, self.session.moment(), eyes=self.eyes)

    def sees(self, owner: Seat) -> bool:
        """Whether a secret of this seat is one's own here."""
        return self.eyes in (owner, REFEREE)

    def blinded(self, value: Any) -> Any:
        """A value without the secrets that these eyes do not see."""
        return blinded(value, self.eyes) if self.moment.keepers and self.eyes != REFEREE else value

    @cached_property
    def asked(self) -> Seat | None:
        """Who owes an answer that only this seat knows; None: nobody."""
        return self.moment.to_act if self.moment.is_asked else None

    @property
    def owing(self) -> Seat | None:
        """Who owes an answer that cannot be given here; None: nobody."""
        return None if self.asked in self.moment.here else self.asked

    @cached_property
    def names(self) -> Mapping[Seat, str]:
        """Who sits at each seat at this moment."""
        return self.game.names(self.moment.state, self.session.header.names)

    # In words

    def player(self, seat: Seat) -> str:
        """A seat with the name of who sits there."""
        name = self.names[seat]
        return seat if name == seat else f"{seat} ({name})"

    @property
    def when(self) -> str:
        """The turn being played and whose it is."""
        seat = self.moment.to_act
        return "game over" if seat is None else f"turn {self.moment.turn}, {self.player(seat)}"

    @property
    def heading(self) -> str:
        """The line that every answer begins with: game, log, turn, mover, dice mode."""
        name = self.session.path.stem if self.session.path else "standard input"
        at = "" if self.at is None else f", at entry {self.at}"
        return f"{self.game.name} {name}{at}, {self.when} ({MODES[type(self.session.header.dice)]})"

    @property
    def situation(self) -> str:
        """What the game waits for and the score, or how its players have ended it, in one line."""
        ended = self.moment.known.ended
        if ended is None:
            return self.game.status(self.view)
        scores = ", ".join(f"{seat} {score}" for seat, score in ended.scores)
        return f"{ended.because}{f'; {scores}' if scores else ''}"

    def standing(self) -> list[Shown]:
        """The heading, and below it what the game waits for and the score."""
        eyes = f", as {self.eyes or 'a spectator'} sees it" if self.moment.keepers else ""
        return [self.heading + eyes, Text(self.situation, indent=2)]

    def come_to(self) -> list[Shown]:
        """Where the game has come to after something was recorded, and what to type next."""
        return [f"Now {self.when}: {self.situation}", *self.next()]

    def next(self) -> list[Shown]:
        """What to type next. What another may do is no secret only if the game keeps none."""
        mover, pact = self.moment.to_act, self.session.fold.pact
        if pact is not None and self.at is None:
            from referee.cli.post import next_by_mail

            waiting = next_by_mail(self, pact)
            if waiting:
                return [Text(f"Next: {waiting}", indent=2)]
        if mover is None:
            return []
        if self.asked:
            what = self.answer_due(mover)
        elif self.moment.keepers and not self.sees(mover):
            what = f"{self.player(mover)}, with referee legal"
        else:
            what = self._hint(self.moment.legal(mover))
        return [Text(f"Next: {what}", indent=2)]

    def answer_due(self, seat: Seat) -> str:
        """Who has to answer what only he knows, and how, in a clause."""
        how = ", with referee answer" if seat in self.moment.here else ": copy the log there; then referee answer"
        return f"{self.player(seat)} has to answer{how}"

    def _hint(self, legal: Legal) -> str:
        throw = legal.throw
        if throw:
            typed = isinstance(self.moment.dice, TableDice)
            return f"referee roll   ({throw.need})" if not typed else f"throw {throw.need}, then: referee roll FACES"
        only = legal.only()
        return f"referee legal lists {how_many(len(legal))}" if only is None else f"referee do {self.game.format(only)}"

    def answer(self, *first: Shown) -> Answer:
        """Where the game stands and what to type next, below what comes first."""
        return Answer([*first, *self.standing(), *self.next()], self.facts)

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        session, moment, game = self.session, self.moment, self.game
        return {
            "game": game.name,
            "log": str(session.path) if session.path else "-",
            "entry": self.entry,
            "head": session.head.hash,
            "turn": moment.turn,
            "to_act": moment.to_act,
            "answer_due": self.asked,
            "seen_by": self.eyes,
            "dice": session.header.dice,
            "standing": self.situation,
            "outcome": moment.outcome,
            "options": session.header.options,
            "position": game.position_of(self.view),
        }


def how_many(actions: int) -> str:
    """A number of actions as a person would say it."""
    return count_of(actions, "action") if actions < MANY else "more actions than anybody will count"
