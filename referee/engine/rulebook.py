"""Rules and rulings: the index of a game's rules, and the refusals that cite it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from referee.engine.component import read_toml
from referee.engine.text import count_of, find_similar_choices
from referee.gate import convert_value

S = TypeVar("S")


class NoRuleError(LookupError):
    """Raised when a game cites a rule or ruling that its index does not have. `file` is the name of the index."""

    def __init__(self, id_: str, file: str) -> None:
        super().__init__(id_, file)
        self.id, self.file = id_, file

    def __str__(self) -> str:
        return f"no rule or ruling is called {self.id!r}"


class Price(Struct, frozen=True):
    """The points, steps or room that an action takes, compared with the amount that is available.

    >>> str(Price(12, 11, "point"))
    '12 points are needed, you have 11'
    """

    needed: int
    has: int
    of: str
    """The unit, in the singular: "Movement Point"."""
    who: str = "you"
    """The player or piece that has too little: "i1", "the monster"."""

    def __str__(self) -> str:
        needed = f"{count_of(self.needed, self.of)} {'is' if self.needed == 1 else 'are'} needed"
        return f"{needed}, {self.who} {'have' if self.who == 'you' else 'has'} {self.has}"


class Refusal(Struct, frozen=True, omit_defaults=True):
    """A reason why something may not be done. It is a value, and is never raised."""

    rule: str
    """The id of the rule that would be broken, as in the game's `rules.toml`."""
    because: str
    """The obstacle in this position: a clause without capital letter or full stop."""
    price: Price | None = None
    """The price that is too high, if the rule is about a cost or a capacity. `because` tells it, too."""


def refuse_price(rule: str, price: Price, because: str = "") -> Refusal:
    """Returns the refusal of an action whose price is too high. `because` is a clause to be put before the price."""
    return Refusal(rule, f"{because}: {price}" if because else str(price), price)


Invariant = Callable[[S], Iterator[Refusal]]
"""A fact that holds in every state from which play goes on: yields a refusal, with its rule, for each breach of it."""


class SeatRemoval(NamedTuple):
    """The removal of a seat's pieces, after which the rulebook lets the others play on without that seat's player."""

    rule: str
    """The id of the rule, as in the game's `rules.toml`."""
    changes: tuple[str, ...]
    """The pieces with their new places, as players type them: "B1 off"."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a game, in our own words."""

    id: str
    """The number or short name by which the rule is cited."""
    says: str
    """The rule itself, as one or more sentences."""
    source: str
    """The origin of the rule: sentences of the rulebook, or a paragraph of the component facts."""
    basis: str
    """The kind of evidence: "text" (stated), "derived" (follows from what is stated) or "facts" (known from elsewhere).
    """
    forbids: bool = False
    """True if an action can be refused under it."""
    option: str | None = None
    """The option settings under which it holds, as `name=value`; None means always."""


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision about something that the rulebook does not say, or says unclearly, with the reason for it."""

    id: str
    """The short name by which the ruling is cited."""
    rule: str
    """The id of the rule that leaves the question open."""
    question: str
    """The question that the rulebook leaves open."""
    ruling: str
    """The answer that holds in our games."""
    because: str
    """The reason for that answer."""
    confidence: float
    """The probability, 0 to 1, that the game's author meant the rule this way."""
    also: tuple[str, ...] = ()
    """The ids of other rules that the ruling concerns."""
    alternatives: tuple[str, ...] = ()
    """Other answers that groups use."""
    option: str | None = None
    """The name of the option by which a group can decide otherwise; None if there is no such option."""
    shorthand: bool = False
    """True if the ruling only explains a short form of typing. It changes no game, and no log names it."""


class _RuleFile(Struct, forbid_unknown_fields=True):
    source: str
    rule: tuple[Rule, ...]
    ruling: tuple[Ruling, ...] = ()


class RuleBook:
    """A game's rule index, read from its `rules.toml` when first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _file(self) -> _RuleFile:
        return convert_value(read_toml(self._path), _RuleFile)

    @property
    def source(self) -> str:
        """The rulebook and edition that the ids refer to."""
        return self._file.source

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """All rules by id, in the rulebook's order."""
        return {rule.id: rule for rule in self._file.rule}

    @cached_property
    def rulings(self) -> Mapping[str, Ruling]:
        """All rulings by id."""
        return {ruling.id: ruling for ruling in self._file.ruling}

    @property
    def fixed_rulings(self) -> tuple[str, ...]:
        """The ids of the rulings that no option switches, sorted.

        They hold in every game of this rules version. Rulings that only explain a short form of typing are left out.
        """
        rulings = self.rulings.values()
        return tuple(sorted(ruling.id for ruling in rulings if ruling.option is None and not ruling.shorthand))

    def look_up(self, word: str) -> list[Rule | Ruling]:
        """Returns the rules and rulings that a person means by a word.

        The word is an id, or the beginning of several ids (`dice` for `dice.1`, `6.12` for `6.12a`). If it is neither,
        returns every rule and ruling whose text contains the word.
        """
        everything: dict[str, Any] = {**self.rules, **self.rulings}
        if word in everything:
            return [everything[word]]
        below = [item for id_, item in everything.items() if _is_below(id_, word)]
        if below:
            return below
        return [item for item in everything.values() if word.lower() in _join_texts(item).lower()]

    def find_cited_ids(self, text: str) -> tuple[str, ...]:
        """Returns the ids of rules and rulings that a text, such as the docstring of an action, names in brackets."""
        words = (word for part in re.findall(r"\(([^()]*)\)", text) for word in re.split(r"[,; ]+", part))
        return tuple(dict.fromkeys(word for word in words if word in self.rules or word in self.rulings))

    def find_cited(self, texts: Iterable[str]) -> list[Rule | Ruling]:
        """Returns the rules and rulings that texts name in brackets, each once.

        The beginning of several ids stands for all of them, as `6.12` stands for `6.12a` and `6.12b`.
        """
        named = (
            word for text in texts for part in re.findall(r"\(([^()]*)\)", text) for word in re.split("[,; ]+", part)
        )
        everything: dict[str, Any] = {**self.rules, **self.rulings}
        found = (item for word in named for id_, item in everything.items() if id_ == word or _is_below(id_, word))
        return list({item.id: item for item in found}.values())

    def suggest_ids(self, word: str) -> list[str]:
        """Returns up to three ids that look like this word."""
        return find_similar_choices(word, [*self.rules, *self.rulings], at_most=3)

    def find_text(self, id_: str) -> str:
        """Returns the text of a rule or ruling, for a refusal. Raises NoRuleError if the index does not have it."""
        if id_ in self.rules:
            return self.rules[id_].says
        if id_ in self.rulings:
            return self.rulings[id_].ruling
        raise NoRuleError(id_, self._path.name)


def _is_below(id_: str, word: str) -> bool:
    """True if an id stands below `word`, as `6.12a` and `6.12.1` stand below `6.12`. `6.123` does not."""
    rest = id_.removeprefix(word)
    return id_ != rest and (rest[:1] == "." or (word[-1:].isdigit() and not rest[:1].isdigit()))


def _join_texts(item: Rule | Ruling) -> str:
    return item.says if isinstance(item, Rule) else f"{item.question} {item.ruling}"
