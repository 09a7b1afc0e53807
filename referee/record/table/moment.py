"""A game at one moment, to be asked: who acts, what is legal, what a line of actions comes to. Touches no file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Awaiting, Played, Refused, Verdict, adjudicate, answer_to
from referee.engine.dice import (
    CastSource,
    DiceError,
    DiceMode,
    OpenDice,
    OpenSource,
    PactDice,
    Source,
    TableDice,
    Typed,
    TypedSource,
)
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.registry import GameError
from referee.engine.ruling import Refusal
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, count_of, phrases_of
from referee.engine.verb import Reading
from referee.record.log.faults import NotAllowedError
from referee.record.table.known import Known

if TYPE_CHECKING:
    from referee.record.table.pact import Cast


FEW = 3
"""Legal actions that are told to somebody whose words were not read."""
WORDS = 8
"""Words of his that they are looked for with, at most."""


class Said(Struct, frozen=True):
    """One action as said, and the verdict on it."""

    seat: Seat
    action: Action
    verdict: Verdict
    before: Moment
    """The moment in which it was judged."""
    forced: bool = False
    """Whether nobody had to say it: it answers what only this seat knows, or nothing else could be done."""
    remarks: tuple[str, ...] = ()
    """What was understood of its words that was not said in full, each as a sentence."""

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
    cast: Cast | None = None
    """By mail, the throw that is being made or still gives dice."""
    draws_lots: bool = True
    """Whether lots are drawn where dice are typed in; else they are awaited, as for who only asks."""

    @cached_property
    def state(self) -> Any:
        """The truth, or as much as spectators see. What is the same in every view can be asked of it."""
        return self.known.public

    @cached_property
    def to_act(self) -> Seat | None:
        """Who holds the pen; None when the game is over."""
        return None if self.known.ended else self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.known.outcome(self.game)

    @cached_property
    def turn(self) -> int:
        """Number of the turn being played."""
        return self.game.turn_of(self.state)

    def view(self, seat: Seat | None) -> Any:
        """What a seat may know; None: a spectator. UnknownError when its secrets are not known here."""
        return self.known.seen_by(self.game, seat)

    def legal(self, seat: Seat | None = None) -> Legal:
        """Everything a seat may do; who holds the pen when none is named. UnknownError as above."""
        seat = None if self.known.ended else seat or self.to_act
        return self.game.legal(self.view(seat), seat) if seat else Legal()

    @property
    def is_asked(self) -> bool:
        """Whether who holds the pen owes an answer that only he knows."""
        return not self.known.ended and self.game.asks(self.state)

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

    def read(self, phrase: str, by: Seat | None = None, after: str = "") -> Reading:
        """What a phrase means that follows one with the verb `after`; NotUnderstoodError."""
        seat = self.speaker(by)
        return self.game.read(phrase, self.view(seat), seat, after)

    def instead_of(self, phrase: str, by: Seat | None = None) -> tuple[str, ...]:
        """What a seat may do that has to do with as many of these words as can be, the last ones before the others:
        they say where to. Empty where that is much.
        """
        seat = self.speaker(by)
        near, view = self.legal(seat), self.view(seat)
        for word in reversed(re.findall(r"\w+", phrase)[-WORDS:]):
            near = self.game.filter(near, [word], view) or near
        found = tuple(map(self.game.format, islice(near, FEW + 1)))
        return found if len(found) <= FEW else ()

    def check(self, action: Action, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Every rule that an action breaks, without any of its consequences."""
        seat = self.speaker(by)
        return tuple(self.game.check(self.view(seat), seat, action))

    def source(self, faces: list[Typed], seat: Seat | None = None, action: Action | None = None) -> Source:
        """Where dice come from for an action; DiceError when faces are typed and none can be."""
        if isinstance(self.dice, TableDice):
            return TypedSource(faces, self.draws, os.urandom if self.draws_lots else None)
        if faces and isinstance(self.dice, PactDice):
            raise DiceError("in this game all throw the dice together; none can be typed in")
        if faces:
            raise DiceError("this game's dice come from the seed in its log; none can be typed in")
        if isinstance(self.dice, OpenDice):
            return OpenSource(self.seeds, self.draws)
        if self.cast is not None and seat is not None and self.throws(seat, action):
            return self.cast.source(self.draws)
        return CastSource({}, {}, self.draws)

    def throws(self, seat: Seat, action: Action | None) -> bool:
        """Whether the dice of the throw that is being made by mail are those of this action: it is declared, or the
        only thing that can be done.
        """
        cast = self.cast
        if cast is None or not cast.is_complete:
            return False
        return action is not None and ((seat == cast.by and action == cast.declared) or action == self.only_throw)

    @cached_property
    def only_throw(self) -> Action | None:
        """The throw that is all who holds the pen of the game can do, and before which nobody else may speak."""
        return None if self.known.ended else only_throw(self.game, self.known)

    def due(self) -> Said | None:
        """What is thrown now by mail, nobody deciding anything: the only thing to do, or what was declared. None when
        dice are missing, somebody has to choose, or what the seat sees is not known here.
        """
        cast, seat = self.cast, self.to_act
        if cast is None or not cast.is_complete or seat is None or not self.known.knows(seat) or self.is_asked:
            return None
        action = self.only_throw or (cast.declared if cast.by == seat else None)
        if action is not None and action == self.only_throw and self.keepers and self.legal(seat).only() != action:
            return None  # who sees more has a choice
        said = self.say(action, seat)[0] if action is not None else None
        return said if said and isinstance(said.verdict, Played) else None

    def say(self, action: Action, by: Seat | None = None, faces: Iterable[Typed] = ()) -> tuple[Said, list[Typed]]:
        """The verdict on an action, and the faces left over. DiceError, UnknownError, NotAllowedError after an end."""
        if self.known.ended:
            raise NotAllowedError(f"the game is over: {self.known.ended.because}; referee undo takes that back")
        seat, typed = self.speaker(by), list(faces)
        source = self.source(typed, seat, action)
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
        cast = self.cast and self.cast.after(said.seat, said.action, verdict.rolls, answered=self.is_asked)
        return replace(self, known=known, draws=draws, cast=cast)

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

    def forced(self) -> Said | None:
        """What can only be one thing, done; None when somebody has to decide or to throw.

        Nothing is done by itself where somebody else may speak as well, and in games with secrets nothing at all: that
        there was nothing else to do would tell something.
        """
        seat = self.to_act
        if seat is None or self.keepers or self.is_asked or self.game.may_act(self.state):
            return None
        action = self.legal(seat).forced()
        said = replace(self, dice=TableDice()).say(action, seat)[0] if action is not None else None
        if said is None or not isinstance(said.verdict, Played):
            return None
        remarks = self.read(self.game.format(said.action), seat).remarks
        return replace(said, before=self, forced=True, remarks=remarks)


def only_throw(game: AnyGame, known: Known) -> Action | None:
    """The throw that is all the seat can do that is to act, as everybody can see; None: there is a choice, or only the
    seat knows.
    """
    state = known.seen_by(game, None)
    seat = game.to_act(state)
    if seat is None or game.asks(state) or game.may_act(state):
        return None
    try:
        legal = game.legal(state, seat)
        throw = legal.throw
        only = legal.only() if throw else None
    except UnknownError:  # what there is to do hangs on what only this seat knows
        return None
    return only if throw and only in throw else None


MOST_FORCED = 100
"""Steps that go by themselves after one line: a game in which nothing is ever decided is not played to its end."""


class _Judged(NamedTuple):
    """The next action of a line, judged."""

    ahead: tuple[Said, ...]
    """What goes by itself before it."""
    said: Said
    reading: Reading
    faces: list[Typed]
    """Faces that it left over."""


class Line:
    """A line of actions being judged, one after another, with what follows from them by itself. Records nothing.

    It stops where something is refused, awaited or doubted; `go_on` goes on from there.
    """

    def __init__(
        self,
        moment: Moment,
        actions: Iterable[str | Action],
        by: Seat | None = None,
        faces: Iterable[Typed] = (),
        *,
        throwing: bool = False,
        forcing: bool = False,
        careful: bool = False,
        single: bool = False,
    ) -> None:
        """Actions may be phrases still to be read. `throwing`: go on throwing what the game waits for while faces are
        left; `forcing`: do what can only be one thing before what could not be said without it;
        `careful`: stop where something may have been overlooked; `single`: stop after each action, which is recorded
        before the next one is judged. Raises NotUnderstoodError, DiceError, UnknownError.
        """
        self.moment = moment
        """The moment that the line has come to."""
        self.said: list[Said] = []
        """What was judged, forced steps included; the last one may be refused."""
        self.left: list[str | Action] = list(actions)
        """What is still to be judged."""
        self._by = by
        self.faces = list(faces)
        """Faces that are left."""
        self._verb = ""
        self._kept: Reading | None = None
        self.throwing, self._forcing, self._careful, self._single = throwing, forcing, careful, single
        self.awaiting: Awaiting | None = None
        """What has to come before the line can go on."""
        self.pending: Action | None = None
        """The action that awaits it, or is doubted."""
        self.doubt: str | None = None
        """What may have been overlooked by who says what comes next, as a clause."""
        self._answer()
        self.go_on()

    def actions_left(self) -> list[Action]:
        """What is still to be judged, as it is read on the game as it stands; NotUnderstoodError."""
        left, verb, actions = list(self.left), self._verb, []
        while left:
            part = left.pop(0)
            if isinstance(part, str):
                reading = self.moment.read(part, self._by, verb)
                left[:0], verb, part = phrases_of(reading.rest), reading.verb, reading.action
            actions.append(part)
        return actions

    @property
    def refused(self) -> bool:
        """Whether the line ends with something that may not be done."""
        return bool(self.said and self.said[-1].refusals)

    def go_on(self, faces: Iterable[Typed] = (), *, sure: bool = False) -> None:
        """Judge what is left, with more faces; `sure`: what was doubted is meant."""
        self.faces += faces
        self.awaiting = self.doubt = None
        while self.left and not self.refused:
            if self.moment.is_asked:
                self.awaiting = Awaiting(answer=self.moment.to_act)
                return
            judged = self._judged()
            verdict, self.pending = judged.said.verdict, judged.said.action
            self.awaiting = verdict if isinstance(verdict, Awaiting) else None
            self.doubt = None if sure else self._doubt(judged)
            if self.awaiting or self.doubt:
                self._keep(judged.reading)
                return
            self._take(judged)
            sure = False
            if self._single:
                break
        if not self.left and self.faces and not self.refused:
            raise self.too_many(self.faces)

    def too_many(self, faces: list[Typed]) -> DiceError:
        """The error about faces that nothing asks for, after a throw that took all it takes."""
        last = self.said[-1] if self.said else None
        throw = last.before.legal(last.seat).throw if last else None
        need = throw.need if throw else None
        cited = f" ({need.rule})" if need and need.rule else ""
        takes = f"{need.purpose} takes {count_of(need.count, 'die', 'dice')}{cited}, and " if need else ""
        many = count_of(len(faces), "die", "dice")
        return DiceError(f"{many} too many: {takes}nothing asks for {' '.join(map(str, faces))}")

    # What is said

    def _judged(self) -> _Judged:
        """The next action as it is judged here; where it may not be said, after what can only be one thing before it.

        What is refused all the same is refused where it was said.
        """
        first = judged = self._judged_at(self.moment, ())
        while judged.said.refusals and self._forcing and len(judged.ahead) < MOST_FORCED:
            moment = judged.said.before
            step = moment.forced()
            if step is None:
                return first
            judged = self._judged_at(moment.after(step), (*judged.ahead, step))
        return first if judged.said.refusals else judged

    def _judged_at(self, moment: Moment, ahead: tuple[Said, ...]) -> _Judged:
        action = self.left[0]
        reading = self._reading(moment, action) if isinstance(action, str) else self._kept or Reading(action)
        said, left = moment.say(reading.action, self._by, [*reading.faces, *self.faces])
        return _Judged(ahead, replace(said, remarks=reading.remarks), reading, left)

    def _reading(self, moment: Moment, phrase: str) -> Reading:
        """What a phrase means. Where a comma stands that parts no actions, it goes on with the next one: what follows
        is no action of its own, or it ends too early.
        """
        while self._is_continued(moment):
            phrase = self._joined()
            self.left[:2] = [phrase]
        try:
            return moment.read(phrase, self._by, self._verb)
        except NotUnderstoodError as error:
            reading = self._read_on(moment) if error.at > len(error.text) else None
            if reading is None:
                error.instead = moment.instead_of(phrase, self._by)
                raise
            return reading

    def _read_on(self, moment: Moment) -> Reading | None:
        """What a phrase means together with the next one; None: nothing."""
        whole = self._joined()
        if not whole:
            return None
        try:
            reading = moment.read(whole, self._by, self._verb)
        except NotUnderstoodError:
            return None
        self.left[:2] = [whole]
        return reading

    def _is_continued(self, moment: Moment) -> bool:
        following, seat = self.left[1] if len(self.left) > 1 else None, moment.speaker(self._by)
        return isinstance(following, str) and moment.game.goes_on(following, moment.view(seat), seat)

    def _joined(self) -> str:
        """The next two phrases as one; empty, if there are none."""
        two = self.left[:2]
        return " ".join(map(str, two)) if len(two) == 2 and isinstance(two[1], str) else ""

    def _keep(self, reading: Reading) -> None:
        """What is next has been read, and need not be read again once the line goes on."""
        self.left[:1] = [reading.action, *phrases_of(reading.rest)]
        self._kept = replace(reading, rest="")

    def _doubt(self, judged: _Judged) -> str | None:
        """What may have been overlooked by who says this and does not insist on it."""
        said = judged.said
        if not (self._careful and isinstance(said.verdict, Played)) or judged.reading.insists:
            return None
        return self.moment.game.caution(said.before.view(said.seat), said.seat, said.action)

    def _take(self, judged: _Judged) -> None:
        """Go on after an action and what follows from it."""
        reading, said = judged.reading, judged.said
        self.left[:1] = phrases_of(reading.rest)
        self._kept, self._verb, self.faces = None, reading.verb, judged.faces
        self.said += [*judged.ahead, said]
        if not said.refusals:
            self.moment = said.before.after(said)
            self._answer()
            self._throw_on()

    # What goes by itself

    def recorded(self) -> list[Said]:
        """What was judged, once it is recorded: it is no longer part of the line."""
        said, self.said = self.said, []
        return said

    def _answer(self) -> None:
        """Give the answers that seats owe whose secrets are here."""
        while answer := self.moment.answer():
            self._add(answer)

    def finish(self) -> None:
        """Do what can only be one thing after what was said."""
        for _ in range(MOST_FORCED if self._forcing else 0):
            step = self.moment.forced()
            if step is None:
                break
            self._add(step)

    def _throw_on(self) -> None:
        """Throw what the game waits for next, perhaps after what can only be one thing, while faces are left."""
        if self.throwing and self.faces and not self.left:
            self.finish()
            throw = self.moment.legal().throw if self.moment.knows_pen else None
            self.left += [next(iter(throw))] if throw else []

    def _add(self, said: Said) -> None:
        self.said.append(said)
        self.moment = self.moment.after(said)
