"""A line of actions being judged, one after another, with what follows from them by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Awaiting, Played
from referee.engine.dice import DiceError, Typed
from referee.engine.event import Seat
from referee.engine.legal import Action, Choice, Legal
from referee.engine.text import NotUnderstoodError, count_of, phrases_of
from referee.engine.verb import Reading
from referee.record.table.moment import Moment, Said

MOST_FORCED = 100
"""Steps that go by themselves after one line: a game in which nothing is ever decided is not played to its end."""


class _Judged(Struct, frozen=True):
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
        whole: bool = False,
        wary: Callable[[Said], str | None] | None = None,
    ) -> None:
        """Actions may be phrases still to be read. `throwing`: go on throwing what the game waits for while faces are
        left; `forcing`: do what can only be one thing before what could not be said without it;
        `careful`: stop where something may have been overlooked; `whole`: say nothing after an action of which only
        its record tells what comes of it; `wary`: tells what else may have been overlooked by who says the first of
        them, as a clause. Raises NotUnderstoodError, DiceError, UnknownError.
        """
        self.moment = moment
        """The moment that the line has come to."""
        self.said: list[Said] = []
        """What was judged, forced steps included; the last one may be refused."""
        self.refused = False
        """Whether the line ends with something that may not be done."""
        self.left: list[str | Action] = list(actions)
        """What is still to be judged."""
        self.phrases = tuple(self.left)
        """All of it, as it was said."""
        self._by = by
        self.faces = list(faces)
        """Faces that are left."""
        self._verb = ""
        self._last: Said | None = None
        """What was said last in it, recorded or not."""
        self._begun = False
        self._kept: Reading | None = None
        self.throwing, self._forcing, self._careful, self._whole = throwing, forcing, careful, whole
        self._wary = wary
        self.awaiting: Awaiting | None = None
        """What has to come before the line can go on."""
        self.pending: Action | None = None
        """The action that awaits it, or is doubted."""
        self.doubt: str | None = None
        """What may have been overlooked by who says what comes next, as a clause."""
        self.ends_early = False
        """Whether what is pending has to be the last action of its line, and is not."""
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
    def to_act(self) -> Seat | None:
        """Who is to act where the line has come to."""
        return self.moment.to_act

    @property
    def is_asked(self) -> bool:
        """Whether an answer is owed there that cannot be given here."""
        return self.moment.is_asked

    @property
    def legal(self) -> Legal:
        """What its speaker may do there."""
        return self.moment.legal(self._by)

    @property
    def throw(self) -> Choice | None:
        """What he throws there, if the game waits for nothing else."""
        return self.legal.throw

    def go_on(self, faces: Iterable[Typed] = (), *, sure: bool = False) -> None:
        """Judge what is left, with more faces; `sure`: what was doubted is meant."""
        self.faces += faces
        self.awaiting = self.doubt = None
        while self.left and not self.refused and not self.ends_early:
            if self.moment.is_asked:
                self.awaiting = Awaiting(answer=self.moment.to_act)
                return
            judged = self._judged()
            if self._is_needless(judged):
                self._pass_over(judged)
                continue
            verdict, self.pending = judged.said.verdict, judged.said.action
            self.ends_early = self._tells_before_the_end(judged)
            if self.ends_early:
                return
            self.doubt = None if sure else self._doubt(judged)
            self.awaiting = verdict if isinstance(verdict, Awaiting) and not self.doubt else None
            if self.awaiting or self.doubt:
                self._keep(judged.reading)
                return
            self._take(judged)
            sure = False
        if not self.left and self.faces and not self.refused:
            raise self.too_many(self.faces)

    def too_many(self, faces: list[Typed]) -> DiceError:
        """The error about faces that nothing asks for, after a throw that took all it takes. DiceError, too, where none
        can be typed in at all.
        """
        self.moment.source(faces)  # whether any can be typed at all
        last = self.said[-1] if self.said else None
        throw = last.before.legal(last.seat).throw if last else None
        need = throw.need if throw else None
        cited = f" ({need.rule})" if need and need.rule else ""
        takes = f"{need.purpose} takes {count_of(need.count, 'die', 'dice')}{cited}, and " if need else ""
        many, shown = count_of(len(faces), "die", "dice"), " ".join(map(str, faces))
        if last and self._throws_next(last.seat):
            return DiceError(f"{many} too many: {takes}{shown} is not taken for the next throw, by {self.to_act}")
        return DiceError(f"{many} too many: {takes}nothing asks for {shown}")

    def _throws_next(self, before: Seat) -> bool:
        """Whether another seat than the one before throws next."""
        moment = self.moment
        return moment.knows_mover and moment.to_act != before and moment.legal().throw is not None

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
            judged = self._judged_at(step.then, (*judged.ahead, step))
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
                error.form = _form_of(moment, phrase)
                if not self.said:  # else it could be done only after what was said before it and is not recorded
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

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was understood of what is awaited that was not said in full, each as a sentence."""
        return self._kept.remarks if self._kept else ()

    def _keep(self, reading: Reading) -> None:
        """What is next has been read, and need not be read again once the line goes on, unless it stays said."""
        if not reading.again:
            self.left[:1] = [reading.action, *phrases_of(reading.rest)]
        self._kept = replace(reading, rest="", doubt="")

    def _is_needless(self, judged: _Judged) -> bool:
        """Returns whether the next word only closes what was closed by what the line said before it."""
        said, last = judged.said, self._last
        closes = said.closes
        if last is None or closes is None or last.action == said.action:
            return False
        if judged.reading.insists and not said.refusals:
            return False
        is_closed = closes(last.before) != closes(self.moment)
        return is_closed and not last.before.check(said.action, last.seat)

    def _pass_over(self, judged: _Judged) -> None:
        """Goes on after a needless word; it is told with what was said before it."""
        self.left[:1], self._kept, self._verb = phrases_of(judged.reading.rest), None, judged.reading.verb
        if self.said:
            words = self.moment.game.format(judged.said.action)
            self.said[-1] = self.said[-1].remarked(f"{words}: not needed, that has ended by itself.")

    def _tells_before_the_end(self, judged: _Judged) -> bool:
        """Whether more is said after an action that lets its speaker know more: dice fall, or another seat answers or
        is to speak.

        Were a line refused after that, he would know what nobody has recorded. By mail dice are declared for all of it.
        """
        more = len(self.left) > 1 or judged.reading.rest
        if not (self._whole and more):
            return False
        verdict, by_mail = judged.said.verdict, self.moment.dice.is_joint
        if isinstance(verdict, Played):
            tells = any(roll.to or not by_mail for roll in verdict.rolls)
            return tells or judged.said.then.is_asked or (self._by is None and judged.said.passes)
        return isinstance(verdict, Awaiting) and verdict.need is not None and not by_mail

    def _doubt(self, judged: _Judged) -> str | None:
        """What may have been overlooked by who says this and does not insist on it."""
        said = judged.said
        if said.refusals or judged.reading.insists:
            return None
        if self._wary and not self.said and not self._begun:
            doubt = self._wary(said)
            if doubt:
                return doubt
        if not self._careful:
            return None
        if judged.reading.doubt:
            return judged.reading.doubt
        if judged.reading.is_bare and self._names_pieces(judged):
            parts = [self.moment.game.format(said.action), *phrases_of(judged.reading.rest)]
            return f"'{self.left[0]}' names no piece, and would do this: {', '.join(parts)}"
        if not isinstance(said.verdict, Played):
            return None
        return self.moment.game.caution(said.before.view(said.seat), said.seat, said.action)

    def _names_pieces(self, judged: _Judged) -> bool:
        """Returns whether a single word would do something to pieces that it does not name: to those that the reader
        filled in, or to several at once. What is the only thing to do goes without saying.
        """
        said = judged.said
        if said.before.legal(said.seat).only() == said.action and not judged.reading.rest:
            return False
        if said.action.__struct_fields__:
            return True
        game, before, after = self.moment.game, said.before.view(None), said.then.view(None)
        pieces, moved = game.pieces(before), game.pieces(after)
        return sum(pieces.get(name) != moved.get(name) for name in {**pieces, **moved}) > 1

    def _take(self, judged: _Judged) -> None:
        """Go on after an action and what follows from it."""
        reading, said = judged.reading, judged.said
        phrase = self.left[0]
        self.left[:1] = phrases_of(reading.rest)
        self._kept, self._verb, self.faces, self._begun = None, reading.verb, judged.faces, True
        self.said += [*judged.ahead, said]
        self._last = said
        self.refused = bool(said.refusals)
        if not self.refused:
            self.moment = said.then
            self._answer()
            if reading.again and isinstance(phrase, str):
                self._say_again(phrase, said.seat)
            self._throw_on()

    def _say_again(self, phrase: str, seat: Seat) -> None:
        """What stays said is said again, after what can only be one thing, if its seat can say it then. In a game with
        secrets nothing follows unseen from what was said.
        """
        moment, steps = self.moment, list[Said]()
        while moment.to_act != seat:
            step = moment.forced() if self._forcing and len(steps) < MOST_FORCED else None
            if step is None:
                return
            steps.append(step)
            moment = step.then
        if not self._whole and self._is_sayable(moment, phrase):
            for step in steps:
                self._add(step)
            self.left.insert(0, phrase)

    def _is_sayable(self, moment: Moment, phrase: str) -> bool:
        try:
            action = moment.read(phrase, self._by, self._verb).action
        except NotUnderstoodError:
            return False
        return not moment.check(action, self._by)

    # What goes by itself

    def recorded(self) -> list[Said]:
        """What was judged, once it is recorded: it is no longer part of the line."""
        said, self.said, self.refused = self.said, [], False
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

    def throw_on(self, faces: Iterable[Typed]) -> None:
        """Go on with faces that nothing has asked for yet: throw what the game waits for next."""
        self.throwing = True
        self.faces += faces
        self._throw_on()

    def _throw_on(self) -> None:
        """Throw what the game waits for next, perhaps after what can only be one thing, while faces are left. They are
        never taken for the throw of somebody else.
        """
        if self.throwing and self.faces and not self.left:
            thrower = next((said.seat for said in reversed(self.said) if not said.is_answer), self.moment.to_act)
            self.finish()
            is_theirs = self.moment.knows_mover and self.moment.to_act == thrower
            throw = self.moment.legal().throw if is_theirs else None
            self.left += [next(iter(throw))] if throw else []

    def _add(self, said: Said) -> None:
        self.said.append(said)
        self.moment = said.then


def _form_of(moment: Moment, phrase: str) -> str:
    """How the verbs are said that a phrase begins with; empty where it begins with none."""
    word = phrase.partition(" ")[0].lower()
    return " or ".join(verb.form for verb in moment.game.verbs.all if word in verb.first_words)
