"""Verbs: what can be said in a game. A verb has one room, and the lists of verbs are put together from there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar, Union

from msgspec import Struct

from referee.engine.action_fields import check_bounds, read_as_said, worded
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, Legal, Offer, each_of
from referee.engine.order import Due, Order
from referee.engine.ruling import Refusal
from referee.engine.text import NotUnderstoodError, PhraseReader, match_word

S = TypeVar("S")
A = TypeVar("A", bound=Action)


def nothing(_state: Any, _seat: Seat, _action: Any, _dice: Dice) -> Script[Any]:
    """What follows from something that is never legal, and is only asked about."""
    yield from ()


def union(types: Iterable[type[Any]]) -> Any:
    """The union of types that are known at run time only."""
    return Union[tuple(types)]  # noqa: UP007


class Verb(Struct, Generic[S, A], frozen=True):
    """One kind of action, and all that is to be known of it.

    Whether it is its time, and the part of who says it, is the order of play's to judge; what stands here is asked only
    then.
    """

    action: type[A]
    phases: tuple[str, ...]
    """When it may be legal; never, where there are none."""
    offers: Callable[[S, Seat], Iterator[Offer]] | None = None
    """What of it this seat may do in this view, in one of its phases; None: the action, which has no fields, where
    nothing forbids it.
    """
    check: Callable[[S, Seat, A], Iterator[Refusal]] | None = None
    """Every rule that it breaks in one of its phases; None: none. With a `rule` it is asked only about what is not
    offered.
    """
    resolve: Callable[[S, Seat, A, Dice], Script[S]] = nothing
    """What follows from it when it is legal."""
    words: tuple[str, ...] = ()
    """The words that it begins with; none: the first word of `action.says`."""
    read: Callable[[Any], Any] | None = None
    """Reads what follows its first word from the reader of the game; None: as `action.says` has it.

    Verbs that begin with the same word read alike: what follows tells which of their actions it is.
    """
    carries: bool = False
    """Whether it is mostly said several times in a row, so that the next phrase may leave out its word."""
    rule: str = ""
    """Where there is one, just what is offered is legal, and this rule is cited where `check` tells no other. Empty:
    just what `check` does not refuse.
    """
    allows: Callable[[S, Seat, A], bool] | None = None
    """Whether it is among what is offered, where that is known sooner than the whole list; None: by looking there."""
    late: Callable[[S, Seat, A], Iterator[Refusal]] | None = None
    """The rules that keep it out of other phases, where there are more than the one by which something else is due.
    While a seat is asked for what only it knows, that one alone is told.
    """
    may: Callable[[S, Seat], bool] | None = None
    """Who may say it in its phases; None: who has to do what is due."""
    theirs: Callable[[S], Iterator[Refusal]] | None = None
    """The rules that keep others from saying it, where there are other ones than for all that is due."""
    gives_up: bool = False
    """Whether its seat loses the game by it: never told as what could be done instead."""
    closes: Callable[[S], object] | None = None
    """Names the part of the turn that it closes and does nothing else: said where that part has closed by itself, it is
    needless and not refused. None: it does more.
    """

    @property
    def form(self) -> str:
        """How it is said: its fields in capitals, as in the help of a command."""
        return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), self.action.says)

    @property
    def word(self) -> str:
        """The word that it is mostly said with."""
        return self.first_words[0]

    @property
    def first_words(self) -> tuple[str, ...]:
        """The words that it may begin with, as they are typed."""
        return self.words or (self.action.says.split()[0],)


class Reading(Struct, frozen=True):
    """What a phrase means."""

    action: Any
    """The first action in it."""
    verb: str = ""
    """The word in full that it begins with."""
    rest: str = ""
    """What is left to be said after the action, as one or more phrases of their own."""
    remarks: tuple[str, ...] = ()
    """What was understood that was not said word for word, each as a sentence."""
    faces: tuple[int, ...] = ()
    """Faces of its dice that it tells itself."""
    insists: bool = False
    """Whether it ends with "!": who says it means it, and need not be asked whether he has overlooked something."""
    again: bool = False
    """Whether the phrase stays said: its seat says it again after the action, as long as that can be done."""
    doubt: str = ""
    """What it was taken for, as a clause, where it could mean something else: asked about before it is done."""
    is_bare: bool = False
    """Whether the phrase is one word and the action says more: its fields are filled in, or the word was shortened."""


def read_plainly(text: str, _view: Any, seat: Seat) -> PhraseReader:
    """The reader of a game whose words mean the same in every position."""
    return PhraseReader(text, seat)


class Verbs(Generic[S, A]):
    """All verbs of a game, in the order in which they are listed."""

    def __init__(
        self,
        verbs: tuple[Verb[S, Any], ...],
        order: Order[S],
        reader: Callable[[str, S, Seat], PhraseReader] = read_plainly,
        begins: str = "",
    ) -> None:
        """`order` tells what is due, `reader` makes the reader of a phrase that a seat says, `begins` what a phrase
        begins with, for who was not understood: "a number, throw or done"; not given: some verbs.
        """
        self.all = verbs
        self._order, self._reader, self._begins = order, reader, begins
        self._by_action: Mapping[type[Any], Verb[S, Any]] = {verb.action: verb for verb in verbs}
        phases = dict.fromkeys(phase for verb in verbs for phase in verb.phases)
        self._by_phase = {phase: tuple(verb for verb in verbs if phase in verb.phases) for phase in phases}
        self._latest: tuple[object, Seat, Legal] = (self, "", Legal())  # which is no view

    @cached_property
    def actions(self) -> Any:
        """Union of the action types."""
        return union(self._by_action)

    @cached_property
    def by_word(self) -> Mapping[str, Verb[S, Any]]:
        """The verb that each first word means."""
        return {word: verb for verb in self.all for word in verb.first_words}

    def rests_on(self, view: S, action: Any) -> tuple[str, ...]:
        """The rules that an action rests on which was said in this view: that of its verb, and the one by which what
        it does was due.
        """
        verb, due = self._by_action.get(type(action)), self._order.due(view)
        rules = verb.rule if verb else "", due.rule if due else ""
        return tuple(dict.fromkeys(rule for rule in rules if rule))

    def of(self, kind: type[A]) -> Verb[S, A]:
        """The verb by which an action of this kind is said."""
        return self._by_action[kind]

    def legal(self, view: S, seat: Seat) -> Legal:
        """Everything the seat may do now; it is kept until another list is asked for."""
        latest, whose, legal = self._latest
        if latest is not view or whose != seat:
            legal = Legal(self._offers(view, seat))
            self._latest = view, seat, legal
        return legal

    def _offers(self, view: S, seat: Seat) -> list[Offer]:
        due = self._order.due(view)
        if due is None:
            return []
        is_mine, found = seat == due.seat, list[Offer]()
        for verb in self._by_phase.get(due.phase, ()):
            if verb.may(view, seat) if verb.may else is_mine:
                found += verb.offers(view, seat) if verb.offers else _bare(verb, view, seat)
        return found

    def check(self, view: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Every rule the action breaks; rules broken in the same way more than once are named once."""
        verb = self._by_action[type(action)]
        return iter(dict.fromkeys(self._untimely(verb, view, seat, action) or self._judged(verb, view, seat, action)))

    def _judged(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> Iterable[Refusal]:
        """Every rule that an action breaks whose time it is."""
        if not verb.rule:
            return verb.check(view, seat, action) if verb.check else ()
        if verb.allows(view, seat, action) if verb.allows else self._is_offered(verb, view, seat, action):
            return ()
        told = tuple(verb.check(view, seat, action)) if verb.check else ()
        return told or (Refusal(verb.rule, _instead(tuple(islice(each_of(_offered(verb, view, seat)), 2)))),)

    def _is_offered(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> bool:
        """Whether it stands in the list of this view, or would stand there."""
        latest, whose, legal = self._latest
        if latest is view and whose == seat:
            return action in legal
        return any(action in choice for choice in each_of(_offered(verb, view, seat)))

    def _untimely(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> tuple[Refusal, ...]:
        """Why it is not the time for it, or not for this seat: judged before anything else that could be wrong."""
        order = self._order
        barred = tuple(order.barred(view, seat))
        if barred:
            return barred
        due = order.due(view)
        if due is None or due.phase not in verb.phases:
            late = tuple(verb.late(view, seat, action)) if verb.late and not order.asks(view) else ()
            return late or tuple(order.not_now(view))
        if _may_say(verb, view, seat, due):
            return ()
        return tuple(verb.theirs(view) if verb.theirs else order.theirs(view))

    def resolve(self, view: S, seat: Seat, action: A, dice: Dice) -> Script[S]:
        """What follows from a legal action."""
        return self._by_action[type(action)].resolve(view, seat, action, dice)

    def parse(self, text: str, view: S, seat: Seat) -> A:
        """The one action that a phrase means here; NotUnderstoodError shows the word that cannot be read."""
        reading = self.read(text, view, seat)
        if reading.rest:
            raise NotUnderstoodError(text, max(0, text.rfind(reading.rest)), len(reading.rest), "one action only")
        action: A = reading.action
        return action

    def read(self, text: str, view: S, seat: Seat, after: str = "") -> Reading:
        """Reads a phrase that follows one with the verb `after`; NotUnderstoodError as above.

        Where that verb carries on and can still be said, the phrase goes on with it before it is read otherwise. What
        follows with another verb is left as a phrase of its own.
        """
        before = self.by_word.get(after)
        if before is None or not before.carries or _first_word(text) in self.by_word:
            return self._read_as(text, text, view, seat)
        carried, own = f"{after} {text}", text
        goes_first = self._is_time_for(after, view)
        try:
            return self._read_as(carried if goes_first else own, text, view, seat)
        except NotUnderstoodError as error:
            return self._read_otherwise(own if goes_first else carried, text, view, seat, error)

    def _read_otherwise(self, words: str, text: str, view: S, seat: Seat, first: NotUnderstoodError) -> Reading:
        """Reads a phrase in the other one of two ways; where that fails as well, the error of the likelier one."""
        try:
            return self._read_as(words, text, view, seat)
        except NotUnderstoodError as error:
            is_verb = match_word(_first_word(text), tuple(self.by_word)) is not None
            raise (error if is_verb == (words == text) else first) from None

    def _read_as(self, words: str, said: str, view: S, seat: Seat) -> Reading:
        reader = self._reader(words.replace("!", " "), view, seat)
        return self._read(reader, view, seat, insists="!" in said)

    def _is_time_for(self, word: str, view: S) -> bool:
        """Returns whether what is due is of a kind for which this word is said."""
        due = self._order.due(view)
        return due is not None and any(due.phase in verb.phases for verb in self.all if word in verb.first_words)

    def goes_on(self, text: str, view: S, seat: Seat) -> bool:
        """Whether a phrase only goes on with the one before it: units after a comma that parts no actions."""
        try:
            return self._reader(text, view, seat).goes_on()
        except NotUnderstoodError:
            return False

    def _read(self, reader: PhraseReader, view: S, seat: Seat, *, insists: bool) -> Reading:
        reader.verbs = self.by_word.keys()
        word = self._verb_named(reader, view, seat)
        verb = self.by_word[word]
        action = verb.read(reader) if verb.read else read_as_said(verb.action, reader)
        check_bounds(action, reader)
        rest, remarks, faces = self._rest(reader, word), tuple(reader.remarks), tuple(reader.faces)
        is_bare = _is_bare(reader.text.strip().lower(), word, verb)
        return Reading(action, word, rest, remarks, faces, insists, reader.again, reader.doubt, is_bare)

    def _verb_named(self, reader: PhraseReader, view: S, seat: Seat) -> str:
        """The word that the first one means: itself, the only one it begins, or of several the only one due."""
        first = reader.next(self._expected)
        if first.text in self.by_word:
            return first.text
        begun = [word for word in self.by_word if word.startswith(first.text)]
        named = begun if len(begun) == 1 else [word for word in begun if self._is_due(word, view, seat)]
        if len(named) != 1:
            raise reader.misread(first, self._expected, tuple(self.by_word))
        return named[0]

    def _is_due(self, word: str, view: S, seat: Seat) -> bool:
        verb = self.by_word[word]
        due = self._order.due(view)
        if due is None or due.phase not in verb.phases or not _may_say(verb, view, seat, due):
            return False
        return next(each_of(_offered(verb, view, seat)), None) is not None

    def _rest(self, reader: PhraseReader, word: str) -> str:
        """What is left to be said, if it is something that can be said; else NotUnderstoodError."""
        if not reader.words:
            return reader.rest
        left = reader.words[0]
        if left.text in self.by_word or reader.begins(left):
            return reader.text[left.at :]
        if not self.by_word[word].carries:
            reader.check_finished()
        return f"{word} {reader.text[left.at :]}"

    @property
    def _expected(self) -> str:
        return self._begins or f"a verb such as {', '.join(list(self.by_word)[:4])}"

    def format(self, action: A) -> str:
        """The canonical words of an action: what `parse` reads back."""
        return worded(type(action), {name: getattr(action, name) for name in action.__struct_fields__})

    def format_choice(self, choice: Choice) -> str:
        """The words of a choice, each slot with all its values."""
        bound = "".join(f" ({bound})" for bound in choice.bounds)
        return worded(choice.kind, choice.slots) + bound


def _first_word(text: str) -> str:
    """Returns the word that a phrase begins with, in small letters."""
    return next(iter(text.replace("!", " ").lower().split()), "")


def _is_bare(said: str, word: str, verb: Verb[Any, Any]) -> bool:
    """Returns whether a phrase is a verb or its beginning alone, and its action says more than that."""
    return word.startswith(said) and (said != word or bool(verb.action.__struct_fields__))


def _may_say(verb: Verb[S, Any], view: S, seat: Seat, due: Due) -> bool:
    """Whether what is due can be said by this seat with this verb."""
    return verb.may(view, seat) if verb.may else seat == due.seat


def _offered(verb: Verb[S, Any], view: S, seat: Seat) -> Iterable[Offer]:
    """What of a verb a seat may do whose time it is."""
    return verb.offers(view, seat) if verb.offers else _bare(verb, view, seat)


def _bare(verb: Verb[S, Any], view: S, seat: Seat) -> Iterable[Offer]:
    """The action of a verb without fields, where nothing forbids it."""
    refused = verb.check and next(verb.check(view, seat, verb.action()), None)
    return () if refused else (Choice(verb.action),)


def _instead(offered: tuple[Choice, ...]) -> str:
    """What can be said, where that is one choice."""
    return f"only this can be said: {_said_of(offered[0])}" if len(offered) == 1 else "that cannot be done here"


def _said_of(choice: Choice) -> str:
    bound = "".join(f" ({bound})" for bound in choice.bounds)
    return worded(choice.kind, choice.slots) + bound
