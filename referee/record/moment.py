"""A game at one moment, to be asked: who acts, what is legal, what a line of actions comes to. Touches no file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Awaiting, Played, Refused, Verdict, adjudicate, answer_to
from referee.engine.dice import DiceError, DiceMode, OpenDice, OpenSource, Source, Typed, TypedSource
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.registry import GameError
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.record.known import Known


class Said(Struct, frozen=True):
    """One action as said, and the verdict on it."""

    seat: Seat
    action: Action
    verdict: Verdict
    before: Moment
    """The moment in which it was judged."""
    forced: bool = False
    """Whether it answers what only this seat knows: nobody had to say it."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Every rule the action breaks; empty when it is legal."""
        return self.verdict.refusals if isinstance(self.verdict, Refused) else ()


class Moment(Struct, frozen=True, dict=True):
    """A game as far as it is known here. Every method that takes a `seat` looks with its eyes."""

    game: AnyGame
    known: Known
    dice: DiceMode
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    here: frozenset[Seat]
    """The seats whose vaults are here: what they are asked is answered at once."""
    draws: Mapping[str | None, int]
    seeds: Mapping[str | None, str]

    @cached_property
    def state(self) -> Any:
        """The truth, or as much as spectators see. What is the same in every view can be asked of it."""
        return self.known.public

    @cached_property
    def to_act(self) -> Seat | None:
        """Who holds the pen; None when the game is over."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome(self.state)

    @cached_property
    def turn(self) -> int:
        """Number of the turn being played."""
        return self.game.turn_of(self.state)

    def view(self, seat: Seat | None) -> Any:
        """What a seat may know; None: a spectator. UnknownError when its secrets are not known here."""
        return self.known.seen_by(self.game, seat)

    def legal(self, seat: Seat | None = None) -> Legal:
        """Everything a seat may do; who holds the pen when none is named. UnknownError as above."""
        seat = seat or self.to_act
        return self.game.legal(self.view(seat), seat) if seat else Legal()

    @property
    def is_asked(self) -> bool:
        """Whether who holds the pen owes an answer that only he knows."""
        return self.game.asks(self.state)

    @property
    def knows_pen(self) -> bool:
        """Whether what the seat sees that holds the pen is known here."""
        return self.to_act is not None and self.known.knows(self.to_act)

    def speaker(self, by: Seat | None) -> Seat:
        """Who speaks: who is named, else who holds the pen; after the end the first seat."""
        return by or self.to_act or self.seats[0]

    def parse(self, phrase: str, by: Seat | None = None) -> Action:
        """The action that a phrase means; NotUnderstoodError."""
        seat = self.speaker(by)
        action: Action = self.game.parse(phrase, self.view(seat), seat)
        return action

    def check(self, action: Action, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Every rule that an action breaks, without any of its consequences."""
        seat = self.speaker(by)
        return tuple(self.game.check(self.view(seat), seat, action))

    def source(self, faces: list[Typed]) -> Source:
        """Where dice come from; DiceError when faces are typed and none can be."""
        if not isinstance(self.dice, OpenDice):
            return TypedSource(faces, self.draws)
        if faces:
            raise DiceError("this game's dice come from the seed in its log; none can be typed in")
        return OpenSource(self.seeds, self.draws)

    def say(self, action: Action, by: Seat | None = None, faces: Iterable[Typed] = ()) -> tuple[Said, list[Typed]]:
        """The verdict on an action, and the faces that it left over. DiceError, UnknownError."""
        seat, typed = self.speaker(by), list(faces)
        source = self.source(typed)
        state = self.known.truth if self.known.views is None else self.view(seat)
        verdict = adjudicate(self.game, state, seat, action, source)
        left = list(source.left_over) if isinstance(source, TypedSource) else []
        return Said(seat, action, verdict, self), left if isinstance(verdict, Played) else typed

    def after(self, said: Said) -> Moment:
        """The moment after an action was played."""
        verdict = said.verdict
        if not isinstance(verdict, Played):
            return self
        if self.known.views is None:
            known = Known(verdict.state)
        else:
            known = self.known.after(self.game, said.seat, verdict.events, verdict.open_events)
        draws = dict(self.draws)
        for roll in verdict.rolls:
            draws[roll.to] = draws.get(roll.to, 0) + 1
        return replace(self, known=known, draws=draws)

    def answer(self) -> Said | None:
        """What is asked of a seat whose secrets are here, answered; None when nothing is, or by somebody elsewhere.

        GameError when the answer cannot be had at once: it throws no dice, and is legal.
        """
        seat = self.to_act
        if seat is None or seat not in self.here or not self.is_asked:
            return None
        said, _ = self.say(answer_to(self.game, self.view(seat), seat), seat)
        if not isinstance(said.verdict, Played):
            raise GameError(self.game.name, "asks", f"{seat} is asked something that is not answered at once")
        return replace(said, forced=True)


class Line:
    """A line of actions being judged, one after another, with the answers that follow from them. Records nothing.

    It stops where something is refused or awaited; when dice were missing, `go_on` takes them and goes on from there.
    """

    def __init__(
        self,
        moment: Moment,
        actions: Iterable[str | Action],
        by: Seat | None = None,
        faces: Iterable[Typed] = (),
        *,
        throwing: bool = False,
    ) -> None:
        """Actions may be phrases still to be read; `throwing`: go on throwing what the game waits for while faces are
        left. Raises NotUnderstoodError, DiceError, UnknownError.
        """
        self.moment = moment
        """The moment that the line has come to."""
        self.said: list[Said] = []
        """What was judged, forced answers included; the last one may be refused."""
        self.left: list[str | Action] = list(actions)
        """What is still to be judged."""
        self.faces = list(faces)
        """Faces that nothing has taken yet."""
        self.throwing = throwing
        """Whether it goes on throwing while faces are left."""
        self._by = by
        self.awaiting: Awaiting | None = None
        """What has to come before the line can go on."""
        self._answer()
        self.go_on()

    @property
    def refused(self) -> bool:
        """Whether the line ends with something that may not be done."""
        return bool(self.said and self.said[-1].refusals)

    def go_on(self, faces: Iterable[Typed] = ()) -> None:
        """Judge what is left, with more faces."""
        self.faces += faces
        self.awaiting = None
        while self.left and not self.refused:
            if self.moment.is_asked:
                self.awaiting = Awaiting(answer=self.moment.to_act)
                return
            said, left = self._next()
            if isinstance(said.verdict, Awaiting):
                self.awaiting = said.verdict
                return
            del self.left[0]
            self.faces = left
            self._take(said)
            self._throw_on()
        if self.faces and not self.refused:
            typed = " ".join(map(str, self.faces))
            raise DiceError(f"{count_of(len(self.faces), 'die', 'dice')} too many: nothing asks for {typed}")

    def _throw_on(self) -> None:
        if self.throwing and self.faces and not self.refused and self.moment.knows_pen:
            throw = self.moment.legal().throw
            self.left += [next(iter(throw))] if throw else []

    def _next(self) -> tuple[Said, list[Typed]]:
        action = self.left[0]
        action = self.moment.parse(action, self._by) if isinstance(action, str) else action
        return self.moment.say(action, self._by, self.faces)

    def _take(self, said: Said) -> None:
        """Go on after an action and the answers that follow from it."""
        self.said.append(said)
        if not said.refusals:
            self.moment = self.moment.after(said)
            self._answer()

    def _answer(self) -> None:
        """Give the answers that seats owe whose secrets are here."""
        while answer := self.moment.answer():
            self.said.append(answer)
            self.moment = self.moment.after(answer)
