"""Verbs: the kinds of action that players can take.

A `Verb` holds everything about one kind of action; `Verbs` holds all verbs of a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar, Union

from msgspec import Struct

from referee.engine.action_fields import check_field_types, format_fields, parse_action
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import ChoiceSource, LegalActions, expand_choices
from referee.engine.old_names import warn_renamed
from referee.engine.rulebook import Refusal
from referee.engine.text import NotUnderstoodError, PhraseReader, match_word
from referee.engine.turn_order import Obligation, Order

S = TypeVar("S")
A = TypeVar("A", bound=Action)


def resolve_without_effect(_state: Any, _seat: Seat, _action: Any, _dice: Dice) -> Script[Any]:
    """Returns an empty script, for actions that are never legal and can only be asked about."""
    yield from ()


def make_union_type(types: Iterable[type[Any]]) -> Any:
    """Returns the union of types that are only known at run time."""
    return Union[tuple(types)]  # noqa: UP007


class Verb(Struct, Generic[S, A], frozen=True):
    """One kind of action: when it may be taken, what it offers, what forbids it, and what follows.

    The order of play decides first whose turn it is and which phase is due. `offers`, `check` and `resolve` are only
    called when the action fits both.

    >>> from referee.engine import Action, Verb
    >>> class Pass(Action, frozen=True, tag="pass"):
    ...     says = "pass"
    >>> verb = Verb(Pass, ("move", "build"))
    >>> verb.word, verb.phases
    ('pass', ('move', 'build'))
    """

    action: type[A]
    """The type of the actions that it makes."""
    phases: tuple[str, ...]
    """The phases in which the action may be legal; empty if it is never legal."""
    offers: Callable[[S, Seat], Iterator[ChoiceSource]] | None = None
    """Yields the choices of a seat in this view, in one of the verb's phases.

    If None, the action has no fields, and is offered if `check` does not refuse it.
    """
    check: Callable[[S, Seat, A], Iterator[Refusal]] | None = None
    """Yields a refusal for every rule that the action breaks in one of the verb's phases.

    None if no rule can forbid it. If there is a `rule`, `check` is only called for actions that are not offered.
    """
    resolve: Callable[[S, Seat, A, Dice], Script[S]] = resolve_without_effect
    """Yields the events that follow from a legal action."""
    words: tuple[str, ...] = ()
    """The words that a phrase with this verb may begin with. If empty, it is the first word of `action.says`."""
    read: Callable[[Any], Any] | None = None
    """Reads the words after the first one, given the game's reader, and returns the action.

    If None, the words are read as `action.says` shows. Verbs that begin with the same word share one function, which
    decides by the following words which action is meant.
    """
    carries: bool = False
    """True if players usually repeat this verb, so that the next phrase may leave out its word."""
    rule: str = ""
    """A rule by which exactly the offered actions are legal.

    The refusal of any other action cites this rule, unless `check` names another one. If empty, exactly the actions
    that `check` does not refuse are legal.
    """
    allows: Callable[[S, Seat, A], bool] | None = None
    """True if `offers` includes this action: a faster test than going through the list.

    If None, the list is searched.
    """
    late: Callable[[S, Seat, A], Iterator[Refusal]] | None = None
    """Yields a refusal for each rule that forbids the action outside its phases.

    If None, the refusal cites only the rule by which something else is due. `late` is not called while a seat is asked
    for something that only it knows. Then the refusal cites only that question.
    """
    may: Callable[[S, Seat], bool] | None = None
    """True if this seat may use the verb in its phases. If None, only the seat that has to act may."""
    theirs: Callable[[S], Iterator[Refusal]] | None = None
    """Yields a refusal for each rule that keeps other seats from using the verb.

    If None, the refusal cites the rule by which another seat has to act.
    """
    gives_up: bool = False
    """True if the seat loses the game by this action, or proposes to end the game.

    The action is then never suggested as something to do instead.
    """
    closes: Callable[[S], object] | None = None
    """Returns the part of the turn that the action ends, if ending it is all that the action does.

    If None, the action does more. A player may type an action that only ends a part of the turn although that part has
    just ended by itself. The action is then superfluous, and is not refused.
    """

    @property
    def form(self) -> str:
        """The words of the action as the help shows them, with its fields in capitals: "smash DOOR UNITS"."""
        return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), self.action.says)

    @property
    def word(self) -> str:
        """The word with which players usually begin a phrase with this verb."""
        return self.first_words[0]

    @property
    def first_words(self) -> tuple[str, ...]:
        """The words that a phrase with this verb may begin with."""
        return self.words or (self.action.says.split()[0],)


class ParsedPhrase(Struct, frozen=True):
    """The meaning of a phrase."""

    action: Any
    """The first action in the phrase."""
    verb: str = ""
    """The word that the phrase begins with, in full."""
    rest: str = ""
    """The words after the first action, as one or more phrases of their own."""
    remarks: tuple[str, ...] = ()
    """Sentences that tell the player what was understood although it was not typed."""
    faces: tuple[int, ...] = ()
    """Dice results that the phrase itself contains."""
    insists: bool = False
    """True if the phrase ends with "!": the player means it, and is not asked about things they may have overlooked."""
    again: bool = False
    """True if the phrase is to be repeated after the action, for as long as it is possible."""
    doubt: str = ""
    """The meaning that an ambiguous phrase was given, as a clause.

    The player is asked about it before anything is done.
    """
    is_bare: bool = False
    """True if the phrase is one word and the action says more: its fields were filled in, or the word was shortened."""


def make_plain_reader(text: str, _view: Any, seat: Seat) -> PhraseReader:
    """Returns a reader for games whose words mean the same in every position."""
    return PhraseReader(text, seat)


class Verbs(Generic[S, A]):
    """All verbs of a game, in the order in which they are listed."""

    def __init__(
        self,
        verbs: tuple[Verb[S, Any], ...],
        order: Order[S],
        reader: Callable[[str, S, Seat], PhraseReader] = make_plain_reader,
        begins: str = "",
    ) -> None:
        """Combines the verbs of a game.

        `order` tells what is due. `reader` makes the reader of a phrase. `begins` describes the beginnings of phrases
        for errors: "a number, throw or done". If `begins` is empty, errors name a few verbs.
        """
        self.all = verbs
        self._order, self._reader, self._begins = order, reader, begins
        self._by_action: Mapping[type[Any], Verb[S, Any]] = {verb.action: verb for verb in verbs}
        phases = dict.fromkeys(phase for verb in verbs for phase in verb.phases)
        self._by_phase = {phase: tuple(verb for verb in verbs if phase in verb.phases) for phase in phases}
        self._latest: tuple[object, Seat, LegalActions] = (self, "", LegalActions())  # `self` is never a view

    @cached_property
    def action_types(self) -> Any:
        """The union of the action types."""
        return make_union_type(self._by_action)

    @cached_property
    def verbs_by_word(self) -> Mapping[str, Verb[S, Any]]:
        """The verb for each first word."""
        return {word: verb for verb in self.all for word in verb.first_words}

    def rules_of(self, view: S, action: Any) -> tuple[str, ...]:
        """Returns the rules on which an action is based: its verb's rule, and the rule by which it was due."""
        verb, due = self._by_action.get(type(action)), self._order.due(view)
        rules = verb.rule if verb else "", due.rule if due else ""
        return tuple(dict.fromkeys(rule for rule in rules if rule))

    def rests_on(self, view: S, action: Any) -> tuple[str, ...]:
        """Returns the result of `rules_of`. Version 2.0 drops this old name."""
        warn_renamed("Verbs.rests_on", "rules_of")
        return self.rules_of(view, action)

    def find_verb(self, kind: type[A]) -> Verb[S, A]:
        """Returns the verb that makes actions of this kind."""
        return self._by_action[kind]

    def legal(self, view: S, seat: Seat) -> LegalActions:
        """Returns every action that the seat may take now. The latest list is kept."""
        latest, whose, legal = self._latest
        if latest is not view or whose != seat:
            legal = LegalActions(self._list_offers(view, seat))
            self._latest = view, seat, legal
        return legal

    def without_resigning(self, legal: LegalActions) -> LegalActions:
        """Returns the legal actions without those that give the game up."""
        return LegalActions(choice for choice in legal.choices if not self._by_action[choice.kind].gives_up)

    def _list_offers(self, view: S, seat: Seat) -> list[ChoiceSource]:
        due = self._order.due(view)
        if due is None:
            return []
        is_mine, found = seat == due.seat, list[ChoiceSource]()
        for verb in self._by_phase.get(due.phase, ()):
            if verb.may(view, seat) if verb.may else is_mine:
                found += verb.offers(view, seat) if verb.offers else _make_bare_choice(verb, view, seat)
        return found

    def check(self, view: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Yields a refusal for every rule that the action breaks. Equal refusals are given once.

        If the action is not due, or another seat has to act, yields only the reasons for that.
        """
        verb = self._by_action[type(action)]
        return iter(
            dict.fromkeys(self._check_time(verb, view, seat, action) or self._check_rules(verb, view, seat, action))
        )

    def _check_rules(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> Iterable[Refusal]:
        """Returns a refusal for every rule that an action breaks, apart from rules about phase and turn."""
        if not verb.rule:
            return verb.check(view, seat, action) if verb.check else ()
        if verb.allows(view, seat, action) if verb.allows else self._is_offered(verb, view, seat, action):
            return ()
        refusals = tuple(verb.check(view, seat, action)) if verb.check else ()
        return refusals or (
            Refusal(
                verb.rule, _describe_alternative(tuple(islice(expand_choices(_offer_choices(verb, view, seat)), 2)))
            ),
        )

    def _is_offered(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> bool:
        """True if the list of legal actions for this view contains the action. The test does not make that list."""
        latest, whose, legal = self._latest
        if latest is view and whose == seat:
            return action in legal
        return any(action in choice for choice in expand_choices(_offer_choices(verb, view, seat)))

    def _check_time(self, verb: Verb[S, Any], view: S, seat: Seat, action: A) -> tuple[Refusal, ...]:
        """Returns refusals if the action is not due now, or if another seat has to act.

        These reasons are checked before all other rules.
        """
        order = self._order
        barred = tuple(order.barred(view, seat))
        if barred:
            return barred
        due = order.due(view)
        if due is None or due.phase not in verb.phases:
            late = tuple(verb.late(view, seat, action)) if verb.late and not order.awaits_answer(view) else ()
            return late or tuple(order.refuse_not_due(view))
        if _may_use_verb(verb, view, seat, due):
            return ()
        return tuple(verb.theirs(view) if verb.theirs else order.refuse_other_seats(view))

    def resolve(self, view: S, seat: Seat, action: A, dice: Dice) -> Script[S]:
        """Yields the events that follow from a legal action."""
        return self._by_action[type(action)].resolve(view, seat, action, dice)

    def parse(self, text: str, view: S, seat: Seat) -> A:
        """Returns the only action that a phrase means.

        Raises NotUnderstoodError if a word cannot be read, or if the phrase means more than one action. The error shows
        the words that are wrong.
        """
        reading = self.read(text, view, seat)
        if reading.rest:
            at = max(0, text.rfind(reading.rest))  # `rest` may be no part of the text: one word can mean many actions
            raise NotUnderstoodError(text, at, min(len(reading.rest), len(text) - at), "one action only")
        action: A = reading.action
        return action

    def read(self, text: str, view: S, seat: Seat, after: str = "") -> ParsedPhrase:
        """Returns the meaning of a phrase. Raises NotUnderstoodError if the phrase has none.

        `after` is the verb of the phrase before. If this phrase may leave that verb out, it is read with the verb or
        without it. The reading with the verb is tried first if the verb can be used now. Words after the first action
        are left as phrases of their own.
        """
        before = self.verbs_by_word.get(after)
        if before is None or not before.carries or _find_first_word(text) in self.verbs_by_word:
            return self._read_as(text, text, view, seat)
        carried, own = f"{after} {text}", text
        goes_first = self._is_time_for(after, view)
        try:
            return self._read_as(carried if goes_first else own, text, view, seat)
        except NotUnderstoodError as error:
            return self._read_second_way(own if goes_first else carried, text, view, seat, error)

    def _read_second_way(self, words: str, text: str, view: S, seat: Seat, first: NotUnderstoodError) -> ParsedPhrase:
        """Reads a phrase in the second possible way, after the first way has failed, and returns its meaning.

        If the second reading fails, too, raises the likelier error.
        """
        try:
            return self._read_as(words, text, view, seat)
        except NotUnderstoodError as error:
            is_verb = match_word(_find_first_word(text), tuple(self.verbs_by_word)) is not None
            raise (error if is_verb == (words == text) else first) from None

    def _read_as(self, words: str, typed: str, view: S, seat: Seat) -> ParsedPhrase:
        reader = self._reader(words.replace("!", " "), view, seat)
        return self._read(reader, view, seat, insists="!" in typed)

    def _is_time_for(self, word: str, view: S) -> bool:
        """True if the word begins a verb that may be used in the present phase."""
        due = self._order.due(view)
        return due is not None and any(due.phase in verb.phases for verb in self.all if word in verb.first_words)

    def continues_phrase(self, text: str, view: S, seat: Seat) -> bool:
        """True if a phrase only continues the one before it, such as units after a comma."""
        try:
            return self._reader(text, view, seat).continues_phrase()
        except NotUnderstoodError:
            return False

    def goes_on(self, text: str, view: S, seat: Seat) -> bool:
        """Returns the result of `continues_phrase`. Version 2.0 drops this old name."""
        warn_renamed("Verbs.goes_on", "continues_phrase")
        return self.continues_phrase(text, view, seat)

    def _read(self, reader: PhraseReader, view: S, seat: Seat, *, insists: bool) -> ParsedPhrase:
        reader.verbs = self.verbs_by_word.keys()
        word = self._find_verb(reader, view, seat)
        verb = self.verbs_by_word[word]
        action = verb.read(reader) if verb.read else parse_action(verb.action, reader)
        check_field_types(action, reader)
        rest, remarks, faces = self._find_rest(reader, word), tuple(reader.remarks), tuple(reader.faces)
        is_bare = _is_bare(reader.text.strip().lower(), word, verb)
        return ParsedPhrase(action, word, rest, remarks, faces, insists, reader.again, reader.doubt, is_bare)

    def _find_verb(self, reader: PhraseReader, view: S, seat: Seat) -> str:
        """Returns the word of the verb that the first word means.

        That is the first word itself, or the only verb that begins with it. If several verbs begin with it, it is the
        only one of them that can be used now.
        """
        first = reader.next(self._expected)
        if first.text in self.verbs_by_word:
            return first.text
        begun = [word for word in self.verbs_by_word if word.startswith(first.text)]
        named = begun if len(begun) == 1 else [word for word in begun if self._is_due(word, view, seat)]
        if len(named) != 1:
            raise reader.make_word_error(first, self._expected, tuple(self.verbs_by_word))
        return named[0]

    def _is_due(self, word: str, view: S, seat: Seat) -> bool:
        verb = self.verbs_by_word[word]
        due = self._order.due(view)
        if due is None or due.phase not in verb.phases or not _may_use_verb(verb, view, seat, due):
            return False
        return next(expand_choices(_offer_choices(verb, view, seat)), None) is not None

    def _find_rest(self, reader: PhraseReader, word: str) -> str:
        """Returns the words that are left, as a phrase of their own.

        If they have no verb, the same verb is put before them. Raises NotUnderstoodError if that verb must be typed.
        """
        if not reader.words:
            return reader.rest
        left = reader.words[0]
        if left.text in self.verbs_by_word or reader.can_begin_with(left):
            return reader.text[left.at :]
        if not self.verbs_by_word[word].carries:
            reader.check_finished()
        return f"{word} {reader.text[left.at :]}"

    @property
    def _expected(self) -> str:
        return self._begins or f"a verb such as {', '.join(list(self.verbs_by_word)[:4])}"

    def format(self, action: A) -> str:
        """Returns the canonical words of an action; `parse` reads them back."""
        return format_fields(type(action), {name: getattr(action, name) for name in action.__struct_fields__})

    def format_choice(self, choice: Choice) -> str:
        """Returns the words of a choice, with all values of each field."""
        return _describe_choice(choice)


def _find_first_word(text: str) -> str:
    """Returns the first word of a phrase, in lower case."""
    return next(iter(text.replace("!", " ").lower().split()), "")


def _is_bare(phrase: str, word: str, verb: Verb[Any, Any]) -> bool:
    """True if a phrase is only the beginning of a verb, or the whole verb of an action that needs more words."""
    return word.startswith(phrase) and (phrase != word or bool(verb.action.__struct_fields__))


def _may_use_verb(verb: Verb[S, Any], view: S, seat: Seat, due: Obligation) -> bool:
    """True if this seat may use the verb for the obligation that is due."""
    return verb.may(view, seat) if verb.may else seat == due.seat


def _offer_choices(verb: Verb[S, Any], view: S, seat: Seat) -> Iterable[ChoiceSource]:
    """Returns the choices that a verb offers a seat in one of its phases."""
    return verb.offers(view, seat) if verb.offers else _make_bare_choice(verb, view, seat)


def _make_bare_choice(verb: Verb[S, Any], view: S, seat: Seat) -> Iterable[ChoiceSource]:
    """Returns the only choice of a verb without fields; nothing if a rule forbids it."""
    refused = verb.check and next(verb.check(view, seat, verb.action()), None)
    return () if refused else (Choice(verb.action),)


def _describe_alternative(offered: tuple[Choice, ...]) -> str:
    """Returns a clause with the only offered choice. If there are several or none, the clause says "not possible"."""
    return (
        f"the only choice here is: {_describe_choice(offered[0])}" if len(offered) == 1 else "this is not possible here"
    )


def _describe_choice(choice: Choice) -> str:
    bound = "".join(f" ({bound})" for bound in choice.bounds)
    return format_fields(choice.kind, choice.slots) + bound
