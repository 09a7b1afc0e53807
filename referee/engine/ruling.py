"""Rules and rulings: the index of a game's rules, and the refusals that cite it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from referee.engine.component import read_toml
from referee.engine.text import nearest


class NoRuleError(LookupError):
    """A game cites a rule or ruling that its rule index does not have; `file` is the index."""

    def __init__(self, id_: str, file: str) -> None:
        super().__init__(id_, file)
        self.id, self.file = id_, file

    def __str__(self) -> str:
        return f"no rule or ruling is called {self.id!r}"


class Refusal(Struct, frozen=True):
    """Why something may not be done. A value, never raised."""

    rule: str
    """Id of the rule it breaks, as in the game's `rules.toml`."""
    because: str
    """What stands in the way, in this position: a clause without capital or full stop."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a game, in our words."""

    id: str
    says: str
    source: str
    """Where it comes from: sentences of the rulebook, or a paragraph of the component facts."""
    basis: str
    """text (stated), derived (follows from what is stated) or facts (known from elsewhere)."""
    forbids: bool = False
    """Whether something can be refused under it."""
    option: str | None = None
    """The option settings under which it holds, as `name=value`; None: always."""


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """What we do where the rulebook is silent, garbled or lost, and why."""

    id: str
    rule: str
    question: str
    ruling: str
    because: str
    confidence: float
    """0 to 1: how sure we are that the author meant this."""
    also: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    option: str | None = None
    """Name of the option by which a group decides otherwise; None: fixed."""
    shorthand: bool = False
    """Whether it only tells what is meant by a short way of saying something: it changes no game, and no log names it.
    """


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
        return msgspec.convert(read_toml(self._path), _RuleFile)

    @property
    def source(self) -> str:
        """The rulebook and edition that the ids refer to."""
        return self._file.source

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by id, in the rulebook's order."""
        return {rule.id: rule for rule in self._file.rule}

    @cached_property
    def rulings(self) -> Mapping[str, Ruling]:
        """Every ruling by id."""
        return {ruling.id: ruling for ruling in self._file.ruling}

    def look_up(self, word: str) -> list[Rule | Ruling]:
        """What a person means by `word`: an id, all ids below it (`dice` for `dice.1`, `6.12` for `6.12a`), or words of
        the text.
        """
        everything: dict[str, Any] = {**self.rules, **self.rulings}
        if word in everything:
            return [everything[word]]
        below = [item for id_, item in everything.items() if _is_below(id_, word)]
        if below:
            return below
        return [item for item in everything.values() if word.lower() in _wording(item).lower()]

    def cited_in(self, text: str) -> tuple[str, ...]:
        """The ids of rules and rulings that a text names in brackets, as what describes an action does."""
        words = (word for part in re.findall(r"\(([^()]*)\)", text) for word in re.split(r"[,; ]+", part))
        return tuple(dict.fromkeys(word for word in words if word in self.rules or word in self.rulings))

    def meant_by(self, texts: Iterable[str]) -> list[Rule | Ruling]:
        """All that texts name in brackets, families of rules included, none twice."""
        named = (
            word for text in texts for part in re.findall(r"\(([^()]*)\)", text) for word in re.split("[,; ]+", part)
        )
        everything: dict[str, Any] = {**self.rules, **self.rulings}
        found = (item for word in named for id_, item in everything.items() if id_ == word or _is_below(id_, word))
        return list({item.id: item for item in found}.values())

    def suggest(self, word: str) -> list[str]:
        """Ids that look like `word`."""
        return nearest(word, [*self.rules, *self.rulings], at_most=3)

    def title(self, id_: str) -> str:
        """The sentence behind an id, for a refusal; NoRuleError."""
        if id_ in self.rules:
            return self.rules[id_].says
        if id_ in self.rulings:
            return self.rulings[id_].ruling
        raise NoRuleError(id_, self._path.name)


def _is_below(id_: str, word: str) -> bool:
    """Whether an id is one of a family: a part of what `word` numbers, not a number that only begins alike."""
    rest = id_.removeprefix(word)
    return id_ != rest and (rest[:1] == "." or (word[-1:].isdigit() and not rest[:1].isdigit()))


def _wording(item: Rule | Ruling) -> str:
    return item.says if isinstance(item, Rule) else f"{item.question} {item.ruling}"
