"""One look at a game: at which moment, through whose eyes, and what there is to say about where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

from referee.cli.answer import Answer, Shown, Text
from referee.engine.event import Seat
from referee.engine.text import begin_sentence, count_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.legal import Legal
    from referee.engine.scene import Scene

MANY = 1_000_000
LATELY = 8
"""Entries that are looked through for the last change of the board."""


class Look(Sitting):
    """A game as certain eyes see it, in words."""

    def handed_on(self) -> tuple[Self, Self]:
        """The game before something was recorded and as it stands now, as those may see both who read it: everybody,
        where the turn has passed to somebody else at this screen who may know other things.
        """
        now = self.now()
        passes = self.pact is None and now.to_act in now.players and self.differs(self.eyes, now.to_act)
        return (self.through(None), now.through(None)) if passes else (self, now)

    @property
    def when(self) -> str:
        """The turn being played and whose it is."""
        seat = self.to_act
        return "game over" if seat is None else f"turn {self.turn}, {self.player(seat)}"

    @property
    def heading(self) -> str:
        """The line that every answer begins with: game, log, turn, mover, dice mode."""
        name = self.path.stem if self.path else "standard input"
        at = "" if self.at is None else f", at entry {self.at}"
        return f"{self.game.name} {name}{at}, {self.when} ({self.header.dice.told})"

    @property
    def bots(self) -> Mapping[Seat, str]:
        """The seats that bots play, each with its bot. By mail there are none, whatever a log says: nobody's program
        speaks for anybody there.
        """
        return self.header.bots if self.pact is None else {}

    @property
    def bot_to_act(self) -> str | None:
        """The bot that plays whoever is to act; None: a person does, or the game is over."""
        return self.bots.get(self.to_act or "")

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people can play here."""
        return tuple(seat for seat in self.players if seat not in self.bots)

    def picture(self) -> Scene:
        """The board as a scene, with whose turn it is."""
        seat = self.to_act
        whose = "game over" if seat is None else f"turn {self.turn}: {self.player(seat)} to move"
        return replace(super().picture(), heading=begin_sentence(whose), to_move=seat)

    def picture_since(self) -> Scene:
        """The same with what was changed since what was said last that changed anything, if that is not long ago."""
        from referee.engine.trails import followed

        scene, unsaid = self.picture(), set(self.unsaid)
        said = [n for n in self.in_force if n not in unsaid]
        for n in said[-2 : -2 - LATELY : -1]:
            since = followed(self.then(n).picture(), scene)
            if any(page.trails for page in since.pages):
                return since
        return scene

    def summary(self) -> list[Shown]:
        """The heading, and below it what the game waits for and the score."""
        eyes = f", as {self.eyes or 'a spectator'} sees it" if self.keepers else ""
        return [self.heading + eyes, Text(self.status, indent=2)]

    def come_to(self) -> list[Shown]:
        """Where the game has come to after something was recorded, and what to type next."""
        return [f"Now {self.when}: {self.status}", *self.next()]

    def next(self) -> list[Shown]:
        """What to type next. What another may do is no secret only if the game keeps none."""
        mover, pact = self.to_act, self.pact
        if pact is not None and self.at is None:
            from referee.cli.mail.next import next_by_mail, offers_to, throw_that_waits

            waiting = next_by_mail(self, pact)
            if waiting:
                above = [*throw_that_waits(self, pact), *offers_to(self, pact)]
                return [*above, Text(f"Next: {waiting}", indent=2)]
        if mover is None:
            return []
        if self.bot_to_act:
            what = f"{self.bot_to_act} plays {mover}; to let it: referee do"
        elif self.asked:
            what = self.answer_due(mover)
        elif self.keepers and not self.sees(mover):
            what = f"{self.player(mover)}, with referee legal"
        else:
            what = self._hint(self.through(mover).legal)
        return [Text(f"Next: {what}", indent=2)]

    def answer_due(self, seat: Seat) -> str:
        """Who has to answer what only he knows, and how, in a clause; in the past nobody can any more."""
        if self.at is not None:
            return f"{self.player(seat)} had to answer first"
        how = ", with referee answer" if seat in self.here else ": copy the log there; then referee answer"
        return f"{self.player(seat)} has to answer{how}"

    def _hint(self, legal: Legal) -> str:
        throw = legal.throw
        if throw:
            typed = self.dice.is_typed
            return f"referee roll   ({throw.need})" if not typed else f"throw {throw.need}, then: referee roll FACES"
        only = legal.only()
        return f"referee legal lists {how_many(legal.count)}" if only is None else f"referee {self.game.format(only)}"

    def as_you_see_it(self, command: str) -> Iterator[Text]:
        """How a command shows who sits here alone what he knows, too: by mail, or where bots or people at other
        computers play against him. It is never shown to who does not ask: whose eyes are meant is said with `--by`
        everywhere, whatever vaults lie here.
        """
        own = [seat for seat in self.people if seat in self.here]
        if self.eyes is None and len(own) == 1 and (self.pact or len(self.people) == 1):
            yield Text(f"As you see it: referee {command} --by {own[0]}", indent=2, hanging=4)

    def answer(self, *first: Shown) -> Answer:
        """Where the game stands and what to type next, below what comes first."""
        return Answer([*first, *self.summary(), *self.as_you_see_it("who"), *self.next()], self.facts)

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        game, path = self.game, self.path
        return {
            "game": game.name,
            "log": str(path) if path else "-",
            "entry": self.entry,
            "head": self.head,
            "turn": self.turn,
            "to_act": self.to_act,
            "answer_due": self.asked,
            "seen_by": self.eyes,
            "dice": self.header.dice,
            "status": self.status,
            "outcome": self.outcome,
            "options": self.header.options,
            "position": self.position,
        }


def how_many(actions: int) -> str:
    """A number of actions as a person would say it."""
    return count_of(actions, "action") if actions < MANY else "more actions than anybody will count"
