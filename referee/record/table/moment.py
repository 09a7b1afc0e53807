"""The game after an entry, as far as it is known here: who acts, what is forced, what is awaited. Touches no file.

The fold makes it, commands look through eyes at it (`sight`), and the session keeps it until the log grows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Awaiting, Played, Refused, Verdict, adjudicate, answer_to
from referee.engine.blame import GameError
from referee.engine.dice import DiceError, Need, Source, Typed
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.mode import DiceMode, Sources, TableDice
from referee.engine.once import latest
from referee.engine.ruling import Refusal
from referee.engine.secret import UnknownError
from referee.engine.source import CastSource, TypedSource
from referee.engine.verb import Reading
from referee.record.log.faults import NotAllowedError
from referee.record.table.agreement import Step
from referee.record.table.facts import Facts
from referee.record.table.known import Known
from referee.record.table.remedy import without_giving_up

if TYPE_CHECKING:
    from referee.record.log.entry import GameEntry
    from referee.record.table.cast import Cast


FEW = 3
"""Legal actions that are told to somebody whose words were not read."""
WORDS = 8
"""Words of his that they are looked for with, at most."""


class Said(Struct, frozen=True, dict=True):
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

    @property
    def awaits(self) -> Need | None:
        """The dice that have to fall before there is a verdict."""
        return self.verdict.need if isinstance(self.verdict, Awaiting) else None

    @property
    def throws(self) -> bool:
        """Whether dice have fallen for it, or have to."""
        return self.awaits is not None or (isinstance(self.verdict, Played) and bool(self.verdict.rolls))

    @property
    def is_typed(self) -> bool:
        """Whether somebody has typed dice for it, which have fallen on a real table."""
        return isinstance(self.verdict, Played) and any(roll.is_typed for roll in self.verdict.rolls)

    @property
    def is_answer(self) -> bool:
        """Whether it answers what only its seat knows."""
        return self.before.is_asked

    @property
    def closes(self) -> Callable[[Moment], object] | None:
        """Names the part of the turn that it closes and does nothing else, at a moment; None: it does more."""
        part = self.before.game.verbs.of(type(self.action)).closes
        return part and (lambda moment: (moment.facts.turn, part(moment.state)))

    def remarked(self, remark: str) -> Said:
        """Returns the same with one more remark; what was worked out of it stays."""
        said = replace(self, remarks=(*self.remarks, remark))
        said.__dict__.update(self.__dict__)
        return said

    @property
    def passes(self) -> bool:
        """Whether somebody else is to act after it who may know other things."""
        then = self.then
        return then.to_act is not None and self.before.facts.differs(self.seat, then.to_act)

    @cached_property
    def then(self) -> Moment:
        """The moment after it was played."""
        return self.before.after(self)


class Moment(Struct, frozen=True, dict=True):
    """A game after an entry. Every method that takes a `seat` looks with its eyes."""

    game: AnyGame
    header: GameEntry
    """What is played, by whom, under which options."""
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    n: int
    """Number of the entry; of the last one recorded, where what was said since is not recorded yet."""
    known: Known
    line: Step | None
    """The line of play to it; None where nobody will ask for it."""
    here: frozenset[Seat]
    """The seats whose vaults are here: what they are asked is answered at once."""
    draws: Mapping[str | None, int]
    seeds: Mapping[str | None, str]
    cast: Cast | None = None
    """By mail, the throw that is being made or still gives dice."""
    awaits_dice: bool = False
    """Whether all dice are awaited, wherever they come from in this game."""
    draws_lots: bool = True
    """Whether lots are drawn where dice are typed in; else they are awaited, too."""
    lots: bytes | None = None
    """The seed of the lots that are drawn next, where it is known; None: a fresh one."""

    def supposed(self) -> Moment:
        """The same for who only asks what would be: no dice fall, and nobody answers."""
        return replace(self, here=frozenset(), awaits_dice=True, draws_lots=False)

    def resumed(self, now: Moment) -> Moment:
        """The same for who plays on from here: dice that have fallen since, up to now, stay used."""
        return replace(self, draws=now.draws, seeds=now.seeds, here=now.here)

    def recorded(self, n: int, line: Step | None) -> Moment:
        """The same once the entry is written to which it has come: what was worked out of it stays."""
        moment = replace(self, n=n, line=line)
        moment.__dict__.update(self.__dict__)
        return moment

    @property
    def dice(self) -> DiceMode:
        """Where dice come from."""
        return TableDice() if self.awaits_dice else self.header.dice

    @cached_property
    def state(self) -> Any:
        """The truth, or as much as spectators see. What is the same in every view can be asked of it."""
        return self.known.public

    @cached_property
    def to_act(self) -> Seat | None:
        """Who is to act; None when the game is over."""
        return None if self.known.ended else self.game.to_act(self.state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.known.outcome(self.game)

    @cached_property
    def facts(self) -> Facts:
        """What everybody may know of it."""
        asked = self.to_act if self.is_asked else None
        return Facts(
            game=self.game,
            header=self.header,
            seats=self.seats,
            keepers=self.keepers,
            here=self.here,
            names=self.game.names(self.state, self.header.names),
            dice=self.dice,
            to_act=self.to_act,
            asked=asked,
            turn=self.game.turn_of(self.state),
            outcome=self.outcome,
            ended=self.known.ended,
            is_partly_known=self.known.views is not None,
        )

    def view(self, seat: Seat | None) -> Any:
        """What a seat may know; None: a spectator. Worked out once. UnknownError: its secrets are not known here."""
        if seat not in self._views:
            self._views[seat] = self.known.seen_by(self.game, seat)
        return self._views[seat]

    @cached_property
    def _views(self) -> dict[Seat | None, Any]:
        return {}

    def legal(self, seat: Seat | None = None) -> Legal:
        """Everything a seat may do; who is to act when none is named. Worked out once. UnknownError as above."""
        seat = None if self.known.ended else seat or self.to_act
        if seat is None:
            return Legal()
        if seat not in self._legal:
            self._legal[seat] = self.game.legal(self.view(seat), seat)
        return self._legal[seat]

    @cached_property
    def _legal(self) -> dict[Seat, Legal]:
        return {}

    @cached_property
    def is_asked(self) -> bool:
        """Whether who is to act owes an answer that only he knows."""
        return not self.known.ended and self.game.asks(self.state)

    @property
    def knows_mover(self) -> bool:
        """Whether what the seat sees that is to act is known here."""
        return self.to_act is not None and self.known.knows(self.to_act)

    def speaker(self, by: Seat | None) -> Seat:
        """Who speaks: who is named, else who is to act; after the end the first seat."""
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
        """What a seat may do that has to do with as many of these words as can be: first the pieces, then the last ones
        before the others, for they say where to. Empty where that is much.
        """
        seat = self.speaker(by)
        near, view = without_giving_up(self.game, self.legal(seat)), self.view(seat)
        pieces = {piece.lower() for piece in self.game.pieces(view)}
        words = list(reversed(re.findall(r"\w+", phrase)[-WORDS:]))
        for word in sorted(words, key=lambda word: word.lower() not in pieces):
            near = self.game.filter(near, [word], view) or near
        found = tuple(map(self.game.format, islice(near, FEW + 1)))
        return found if len(found) <= FEW else ()

    def check(self, action: Action, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Every rule that an action breaks, without any of its consequences."""
        seat = self.speaker(by)
        return tuple(self.game.check(self.view(seat), seat, action))

    def source(self, faces: list[Typed], seat: Seat | None = None, action: Action | None = None) -> Source:
        """Where dice come from for an action; DiceError when faces are typed and none can be."""
        if faces and not self.dice.is_typed:
            raise DiceError(self.dice.why_untyped)
        together = partial(self._together, seat, action)
        return self.dice.source(Sources(self.draws, self.seeds, partial(self._typed, faces), together))

    def _typed(self, faces: list[Typed]) -> Source:
        """What is typed now; lots come from a seed, where they are drawn."""
        return TypedSource(faces, self.draws, self._fresh if self.draws_lots else None)

    def _together(self, seat: Seat | None, action: Action | None) -> Source:
        """The throw that is being made, if it is for this action; else dice are missing."""
        if self.cast is not None and seat is not None and self.throws(seat, action):
            return self.cast.source(self.draws)
        return CastSource({}, {}, self.draws)

    def _fresh(self, count: int) -> bytes:
        """The seed of the lots."""
        return os.urandom(count) if self.lots is None else self.lots

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
        """The throw that is all who is to act can do, and before which nobody else may speak."""
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

    def done_for(self, seat: Seat | None) -> Said | None:
        """All that another than `seat` can do, done for him: it takes no dice, and shows nothing that is secret.
        None when there is a choice, or it is this seat's own.
        """
        if self.known.ended or self.to_act in (None, seat):
            return None
        return self._sole() if self.keepers else self.forced()

    def _sole(self) -> Said | None:
        """What everybody knows to be all that can be done, done; None where it throws dice or shows a secret."""
        public = self.known.seen_by(self.game, None)
        action = self.game.sole(public)
        if action is None or self.game.hides(public, action):
            return None
        by = self.speaker(None)
        if self.known.knows(by):
            said = replace(self, awaits_dice=True).say(action, by)[0]
            return replace(said, before=self, forced=True) if isinstance(said.verdict, Played) else None
        verdict = adjudicate(self.game, public, by, action, CastSource({}, {}, self.draws))
        return Said(by, action, verdict, self, forced=True) if isinstance(verdict, Played) else None

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

        Nothing is done by itself where somebody else may speak as well, and in games with secrets only what everybody
        knows to be all there is: that there was nothing else to do would tell something.
        """
        seat = self.to_act
        if seat is None or self.is_asked or self.game.may_act(self.state):
            return None
        if self.keepers:
            return self._sole()
        action = self.legal(seat).forced()
        said = replace(self, awaits_dice=True).say(action, seat)[0] if action is not None else None
        if said is None or not isinstance(said.verdict, Played):
            return None
        remarks = self.read(self.game.format(said.action), seat).remarks
        return replace(said, before=self, forced=True, remarks=remarks)


@latest
def only_throw(game: AnyGame, known: Known) -> Action | None:
    """The throw that is all the seat can do that is to act, as everybody can see; None: there is a choice, or only the
    seat knows. By mail it is asked when the throw is opened, and again when it is played.
    """
    state = known.seen_by(game, None)
    seat = game.to_act(state)
    if seat is None or game.asks(state) or game.may_act(state):
        return None
    sole: Action | None = game.sole(state)
    if sole is not None and game.hides(state, sole):  # of its dice everybody knows but how many there are
        return sole
    try:
        legal = game.legal(state, seat)
        only: Action | None = legal.only() if legal.throw is not None else None
    except UnknownError:  # what there is to do hangs on what only this seat knows
        return None
    return only
