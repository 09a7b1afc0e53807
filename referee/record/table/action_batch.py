"""A line of typed actions, judged one after another, together with the actions that follow automatically."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_grammar import ParsedPhrase
from referee.engine.adjudication import LegalVerdict, PendingVerdict
from referee.engine.choice import Action, Choice
from referee.engine.dice import DiceError, TypedDie
from referee.engine.event import Seat
from referee.engine.legal import LegalActions
from referee.engine.text import NotUnderstoodError, count_of, split_phrases
from referee.record.table.moment import JudgedAction, Moment

MAX_FORCED_ACTIONS = 100
"""The most automatic actions after one line. The limit ends games in which nobody ever has a choice."""


class _Judged(Struct, frozen=True):
    """The next action of the typed line, with what the rules say about it."""

    ahead: tuple[JudgedAction, ...]
    """The forced actions before this action."""
    said: JudgedAction
    """The action with its verdict."""
    reading: ParsedPhrase
    """The phrase as it was read."""
    faces: list[TypedDie]
    """The faces that the action did not use."""


class ActionBatch:
    """A line of actions that are judged one after another, with the actions that follow automatically. It records
    nothing.

    The line stops at a refusal, at missing dice or at a doubt; `continue_with` continues it.
    """

    moment: Moment
    """The moment that the line has reached."""
    said: list[JudgedAction]
    """The judged actions, forced ones included. The last one may be refused."""
    refused: bool
    """True if the line ends with a refused action."""
    left: list[str | Action]
    """The actions and phrases that are not judged yet."""
    phrases: tuple[str | Action, ...]
    """The whole line as it was said."""
    faces: list[TypedDie]
    """The faces that are not used yet."""
    _last: JudgedAction | None
    """The action that was said last in this line, recorded or not."""
    awaiting: PendingVerdict | None
    """The dice or the answer that the line is waiting for; None if it is not waiting."""
    pending: Action | None
    """The action that is waiting for dice or is in doubt."""
    doubt: str | None
    """The doubt about the next action, as a clause; None if there is none."""
    ends_early: bool
    """True if the pending action must be the last one of its line and is not."""

    def __init__(
        self,
        moment: Moment,
        actions: Iterable[str | Action],
        by: Seat | None = None,
        faces: Iterable[TypedDie] = (),
        *,
        use_spare_faces: bool = False,
        make_forced: bool = False,
        doubt_slips: bool = False,
        stop_before_news: bool = False,
        find_doubt: Callable[[JudgedAction], str | None] | None = None,
    ) -> None:
        """Judges a line of actions and phrases, said by the seat `by`, or by the seat to act.

        `use_spare_faces`: use spare faces for the rolls that come next. `make_forced`: make forced actions where an
        action is possible only after them. `doubt_slips`: stop where the speaker may have overlooked something.
        `stop_before_news`: stop before an action that tells its speaker something new, if more of the line follows.
        `find_doubt`: returns a doubt about the first action, as a clause.

        Raises NotUnderstoodError, DiceError or UnknownError.
        """
        self.moment = moment
        self.said = []
        self.refused = False
        self.left = list(actions)
        self.phrases = tuple(self.left)
        self._by = by
        self.faces = list(faces)
        self._verb = ""
        self._last = None
        self._begun = False
        self._kept: ParsedPhrase | None = None
        self.use_spare_faces, self._make_forced = use_spare_faces, make_forced
        self._doubt_slips, self._stop_before_news = doubt_slips, stop_before_news
        self._find_doubt = find_doubt
        self.awaiting = self.pending = self.doubt = None
        self.ends_early = False
        self._give_answers()
        self.continue_with()

    def read_remaining_actions(self) -> list[Action]:
        """Reads the rest of the line in the present moment and returns its actions. Raises NotUnderstoodError."""
        left, verb, actions = list(self.left), self._verb, []
        while left:
            part = left.pop(0)
            if isinstance(part, str):
                reading = self.moment.read(part, self._by, verb)
                left[:0], verb, part = split_phrases(reading.rest), reading.verb, reading.action
            actions.append(part)
        return actions

    @property
    def to_act(self) -> Seat | None:
        """The seat to act after the actions that this batch has judged so far."""
        return self.moment.to_act

    @property
    def is_answer_due(self) -> bool:
        """True if, at the end of the line, a seat owes an answer that this computer cannot give."""
        return self.moment.is_answer_due

    @property
    def legal(self) -> LegalActions:
        """Everything that the speaker may do at the end of the line."""
        return self.moment.legal(self._by)

    @property
    def awaited_roll(self) -> Choice | None:
        """The roll that the game waits for at the end of the line, if it is all that the speaker can do; otherwise
        None.
        """
        return self.legal.awaited_roll

    def continue_with(self, faces: Iterable[TypedDie] = (), *, sure: bool = False) -> None:
        """Judges the rest of the line, with more faces. `sure` is True if the speaker confirms the doubtful action.

        Raises NotUnderstoodError, DiceError or UnknownError.
        """
        self.faces += faces
        self.awaiting = self.doubt = None
        while self.left and not self.refused and not self.ends_early:
            if self.moment.is_answer_due:
                self.awaiting = PendingVerdict(answer=self.moment.to_act)
                return
            judged = self._judge_next()
            if self._is_needless(judged):
                self._skip_needless_word(judged)
                continue
            verdict, self.pending = judged.said.verdict, judged.said.action
            self.ends_early = self._has_news_before_end(judged)
            if self.ends_early:
                return
            self.doubt = None if sure else self._look_for_doubt(judged)
            self.awaiting = verdict if isinstance(verdict, PendingVerdict) and not self.doubt else None
            if self.awaiting or self.doubt:
                self._keep_reading(judged.reading)
                return
            self._accept_action(judged)
            sure = False
        if not self.left and self.faces and not self.refused:
            raise self.make_unused_faces_error(self.faces)

    def make_unused_faces_error(self, faces: list[TypedDie]) -> DiceError:
        """Builds the error about faces that no roll needs. Raises DiceError itself if the game takes no typed faces at
        all.
        """
        self.moment.make_dice_source(faces)  # raises DiceError if no faces can be typed at all
        last = self.said[-1] if self.said else None
        throw = last.before.legal(last.seat).awaited_roll if last else None
        need = throw.need if throw else None
        cited = f" ({need.rule})" if need and need.rule else ""
        takes = f"{need.purpose} takes {count_of(need.count, 'die', 'dice')}{cited}, and " if need else ""
        many, shown = count_of(len(faces), "die", "dice"), " ".join(map(str, faces))
        if last and self._is_other_seat_to_roll(last.seat):
            return DiceError(f"{many} too many: {takes}{shown} does not count for {self.to_act}, who rolls next")
        return DiceError(f"{many} too many: {takes}nothing asks for {shown}")

    def _is_other_seat_to_roll(self, before: Seat) -> bool:
        """True if another seat than `before` has to roll now."""
        moment = self.moment
        return moment.knows_acting_seat_secrets and moment.to_act != before and moment.legal().awaited_roll is not None

    # Typed actions

    def _judge_next(self) -> _Judged:
        """Judges the next action now. If it is illegal, judges it again after each forced action that may be made.

        If it stays illegal, returns the refusal that it has now.
        """
        first = judged = self._judge_at(self.moment, ())
        while judged.said.refusals and self._make_forced and len(judged.ahead) < MAX_FORCED_ACTIONS:
            moment = judged.said.before
            step = moment.find_forced_action()
            if step is None:
                return first
            judged = self._judge_at(step.next_moment, (*judged.ahead, step))
        return first if judged.said.refusals else judged

    def _judge_at(self, moment: Moment, ahead: tuple[JudgedAction, ...]) -> _Judged:
        """Judges the next action in the moment after the forced actions `ahead`."""
        action = self.left[0]
        reading = self._read_phrase(moment, action) if isinstance(action, str) else self._kept or ParsedPhrase(action)
        said, left = moment.judge(reading.action, self._by, [*reading.faces, *self.faces])
        return _Judged(ahead, replace(said, remarks=reading.remarks), reading, left)

    def _read_phrase(self, moment: Moment, phrase: str) -> ParsedPhrase:
        """Reads a phrase. Since a comma may stand inside an action, the phrase may be joined with the next one.

        The two are joined if the second is not an action of its own, or if the first ends too early.
        """
        while self._is_continued(moment):
            phrase = self._join_next_two()
            self.left[:2] = [phrase]
        try:
            return moment.read(phrase, self._by, self._verb)
        except NotUnderstoodError as error:
            reading = self._read_with_next(moment) if error.at > len(error.text) else None
            if reading is None:
                error.form = _find_verb_forms(moment, phrase)
                if not self.said:  # otherwise, the suggestions would need the unrecorded actions before them
                    error.instead = moment.suggest_actions(phrase, self._by)
                raise
            return reading

    def _read_with_next(self, moment: Moment) -> ParsedPhrase | None:
        """Reads a phrase together with the next one. None if there is no next phrase, or if the two mean no action
        together.
        """
        whole = self._join_next_two()
        if not whole:
            return None
        try:
            reading = moment.read(whole, self._by, self._verb)
        except NotUnderstoodError:
            return None
        self.left[:2] = [whole]
        return reading

    def _is_continued(self, moment: Moment) -> bool:
        following, seat = self.left[1] if len(self.left) > 1 else None, moment.find_speaker(self._by)
        return isinstance(following, str) and moment.game.continues_phrase(following, moment.view(seat), seat)

    def _join_next_two(self) -> str:
        """Returns the next two phrases as one; "" if there are not two."""
        two = self.left[:2]
        return " ".join(map(str, two)) if len(two) == 2 and isinstance(two[1], str) else ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that say which words the parser added to the pending action."""
        return self._kept.remarks if self._kept else ()

    def _keep_reading(self, reading: ParsedPhrase) -> None:
        """Keeps the next action as it was read, to be used when the line continues. A phrase that repeats stays in the
        line and is read again.
        """
        if not reading.again:
            self.left[:1] = [reading.action, *split_phrases(reading.rest)]
        self._kept = replace(reading, rest="", doubt="")

    def _is_needless(self, judged: _Judged) -> bool:
        """True if the next word only closes a part of the turn that the actions before it have closed already."""
        said, last = judged.said, self._last
        closes = said.turn_part_identifier
        if last is None or closes is None or last.action == said.action:
            return False
        if judged.reading.insists and not said.refusals:
            return False
        is_closed = closes(last.before) != closes(self.moment)
        return is_closed and not last.before.check(said.action, last.seat)

    def _skip_needless_word(self, judged: _Judged) -> None:
        """Skips a needless word. Adds a remark about that to the action before it."""
        self.left[:1], self._kept, self._verb = split_phrases(judged.reading.rest), None, judged.reading.verb
        if self.said:
            words = self.moment.game.format(judged.said.action)
            self.said[-1] = self.said[-1].with_remark(
                f"{words}: not needed, because this part of the turn has already ended by itself."
            )

    def _has_news_before_end(self, judged: _Judged) -> bool:
        """True if the line goes on after an action that tells its speaker something new: a roll, an answer or another
        speaker.

        If the rest were refused, the speaker would know something that nobody recorded. By mail, dice are declared for
        the whole line, so rolls do not count.
        """
        more = len(self.left) > 1 or judged.reading.rest
        if not (self._stop_before_news and more):
            return False
        verdict, by_mail = judged.said.verdict, self.moment.dice.is_joint
        if isinstance(verdict, LegalVerdict):
            tells = any(roll.to or not by_mail for roll in verdict.rolls)
            return tells or judged.said.next_moment.is_answer_due or (self._by is None and judged.said.may_change_view)
        return isinstance(verdict, PendingVerdict) and verdict.need is not None and not by_mail

    def _look_for_doubt(self, judged: _Judged) -> str | None:
        """Returns the doubt about an action, as a clause. None if there is none, or if the speaker insists."""
        said = judged.said
        if said.refusals or judged.reading.insists:
            return None
        if self._find_doubt and not self.said and not self._begun:
            doubt = self._find_doubt(said)
            if doubt:
                return doubt
        if not self._doubt_slips:
            return None
        if judged.reading.doubt:
            return judged.reading.doubt
        if judged.reading.is_bare and self._would_change_unnamed_pieces(judged):
            parts = [self.moment.game.format(said.action), *split_phrases(judged.reading.rest)]
            return f"'{self.left[0]}' names no piece. It would do this: {', '.join(parts)}"
        if not isinstance(said.verdict, LegalVerdict):
            return None
        return self.moment.game.caution(said.before.view(said.seat), said.seat, said.action)

    def _would_change_unnamed_pieces(self, judged: _Judged) -> bool:
        """True if a single word would change pieces that it does not name: pieces that the parser filled in, or several
        pieces at once.

        The only legal action raises no doubt.
        """
        said = judged.said
        if said.before.legal(said.seat).only_action() == said.action and not judged.reading.rest:
            return False
        if said.action.__struct_fields__:
            return True
        game, before, after = self.moment.game, said.before.view(None), said.next_moment.view(None)
        pieces, moved = game.pieces(before), game.pieces(after)
        return sum(pieces.get(name) != moved.get(name) for name in {**pieces, **moved}) > 1

    def _accept_action(self, judged: _Judged) -> None:
        """Accepts a judged action, and everything that follows from it."""
        reading, said = judged.reading, judged.said
        phrase = self.left[0]
        self.left[:1] = split_phrases(reading.rest)
        self._kept, self._verb, self.faces, self._begun = None, reading.verb, judged.faces, True
        self.said += [*judged.ahead, said]
        self._last = said
        self.refused = bool(said.refusals)
        if not self.refused:
            self.moment = said.next_moment
            self._give_answers()
            if reading.again and isinstance(phrase, str):
                self._put_back_repeating_phrase(phrase, said.seat)
            self._roll_with_spare_faces()

    def _put_back_repeating_phrase(self, phrase: str, seat: Seat) -> None:
        """Makes forced actions until the seat is to move again, and puts its repeating phrase back into the line.

        Does nothing if the seat does not move again, if the phrase is not legal then, or if the batch stops before
        news.

        Forced actions tell no secret, see `Moment.find_forced_action`.
        """
        moment, steps = self.moment, list[JudgedAction]()
        while moment.to_act != seat:
            step = moment.find_forced_action() if self._make_forced and len(steps) < MAX_FORCED_ACTIONS else None
            if step is None:
                return
            steps.append(step)
            moment = step.next_moment
        if not self._stop_before_news and self._is_legal_phrase(moment, phrase):
            for step in steps:
                self._add_action(step)
            self.left.insert(0, phrase)

    def _is_legal_phrase(self, moment: Moment, phrase: str) -> bool:
        try:
            action = moment.read(phrase, self._by, self._verb).action
        except NotUnderstoodError:
            return False
        return not moment.check(action, self._by)

    # Automatic actions

    def pop_recorded_actions(self) -> list[JudgedAction]:
        """Removes the judged actions from the line, because they are recorded, and returns them."""
        said, self.said, self.refused = self.said, [], False
        return said

    def _give_answers(self) -> None:
        """Gives the answers that are due, if the secrets of their seats are known here."""
        while answer := self.moment.find_forced_answer():
            self._add_action(answer)

    def add_forced_actions(self) -> None:
        """Makes the forced actions after the line. Does nothing if the batch was made without `make_forced`."""
        for _ in range(MAX_FORCED_ACTIONS if self._make_forced else 0):
            step = self.moment.find_forced_action()
            if step is None:
                break
            self._add_action(step)

    def add_faces_for_roll(self, faces: Iterable[TypedDie]) -> None:
        """Adds faces, and uses all spare faces for the next roll of the game."""
        self.use_spare_faces = True
        self.faces += faces
        self._roll_with_spare_faces()

    def _roll_with_spare_faces(self) -> None:
        """If spare faces may be used and the line is at its end, adds the roll that the game waits for to the line.

        Forced actions before that roll are made first. Faces never count for another player.
        """
        if self.use_spare_faces and self.faces and not self.left:
            thrower = next((said.seat for said in reversed(self.said) if not said.is_answer), self.moment.to_act)
            self.add_forced_actions()
            is_theirs = self.moment.knows_acting_seat_secrets and self.moment.to_act == thrower
            throw = self.moment.legal().awaited_roll if is_theirs else None
            self.left += [next(iter(throw))] if throw else []

    def _add_action(self, said: JudgedAction) -> None:
        self.said.append(said)
        self.moment = said.next_moment


def _find_verb_forms(moment: Moment, phrase: str) -> str:
    """Returns the forms of the verbs that begin with the first word of a phrase; "" if no verb does."""
    word = phrase.partition(" ")[0].lower()
    return " or ".join(verb.form for verb in moment.game.verbs.all if word in verb.first_words)
