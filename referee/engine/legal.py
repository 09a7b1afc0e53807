"""Legal actions: every action a seat may take now, complete and with arguments, in a stable order.

    >>> legal = game.legal(state, "red")
    >>> bool(legal), len(legal), action in legal, list(legal)

A `Legal` is made of choices; a `Choice` is one kind of action whose fields are slots, so that a family of actions
(turn to any of six directions, smash with any two to five units) is one line and not a thousand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from math import comb, perm, prod
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.dice import Need
from referee.engine.text import in_runs

if TYPE_CHECKING:
    from random import Random


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Something a player decides or announces; the smallest such thing. Every game's actions derive from it."""


class OneOf(Struct, frozen=True, tag="one-of"):
    """A slot that takes one of these values."""

    values: tuple[Any, ...]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return "/".join(map(str, self.values))

    def pick(self, random: Random) -> Any:
        """One of the values, at random."""
        return random.choice(self.values)


class Subset(Struct, frozen=True, tag="subset"):
    """A slot that takes `least` to `most` of these values, kept in this order."""

    values: tuple[Any, ...]
    least: int
    most: int

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        sizes = range(self.least, self.most + 1)
        return chain.from_iterable(combinations(self.values, size) for size in sizes)

    def __len__(self) -> int:
        return sum(comb(len(self.values), size) for size in range(self.least, self.most + 1))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        left = iter(self.values)
        return all(item in left for item in value)

    def __str__(self) -> str:
        if self.least == len(self.values):
            return " ".join(map(str, self.values))
        return f"{_how_many(self.least, self.most)} of {_any_of(self.values)}"

    def pick(self, random: Random) -> tuple[Any, ...]:
        """So many of the values at random; every number of them is equally likely."""
        size = random.randint(self.least, self.most)
        return tuple(self.values[at] for at in sorted(random.sample(range(len(self.values)), size)))


class Ordered(Struct, frozen=True, tag="ordered"):
    """A slot that takes `least` to `most` different values in any order: who stands in box 1, who in box 2."""

    values: tuple[Any, ...]
    least: int
    most: int

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        sizes = range(self.least, self.most + 1)
        return chain.from_iterable(permutations(self.values, size) for size in sizes)

    def __len__(self) -> int:
        return sum(perm(len(self.values), size) for size in range(self.least, self.most + 1))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        return len(set(value)) == len(value) and all(item in self.values for item in value)

    def __str__(self) -> str:
        if self.most == len(self.values) == 1:
            return str(self.values[0])
        return f"{_how_many(self.least, self.most)} of {_any_of(self.values)} in any order"

    def pick(self, random: Random) -> tuple[Any, ...]:
        """So many of the values at random, in random order."""
        return tuple(random.sample(self.values, random.randint(self.least, self.most)))


class Between(Struct, frozen=True, tag="between"):
    """A slot that takes a whole number from `low` to `high`."""

    low: int
    high: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return self.high - self.low + 1

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    def pick(self, random: Random) -> int:
        """One of the numbers, at random."""
        return random.randint(self.low, self.high)


SHORT = 8
"""Values of a slot that still fit on a line; more are spaced, so that the line can be broken."""


def _any_of(values: tuple[Any, ...]) -> str:
    """Values to choose several of: "r1..r24/n3", or spaced where there are many."""
    words = in_runs(map(str, values))
    return (" / " if len(words) > SHORT else "/").join(words)


def _how_many(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}..{most}"


Slot = OneOf | Subset | Ordered | Between
_SLOTS = frozenset((OneOf, Subset, Ordered, Between))


class Choice:
    """One kind of action and what each of its fields may be.

    `Choice(Turn, robot="2", toward=OneOf(("N", "NE")))`; a bare value is a slot with that value only.
    `need` is set when the action does nothing but throw these dice, or these to begin with.
    """

    __slots__ = ("kind", "need", "slots")

    def __init__(self, kind: type[Action], need: Need | None = None, **slots: Any) -> None:
        self.kind = kind
        self.need = need
        self.slots: Mapping[str, Slot] = {
            name: slot if slot.__class__ in _SLOTS else OneOf((slot,)) for name, slot in slots.items()
        }

    def __iter__(self) -> Iterator[Action]:
        for values in _combined(tuple(self.slots.values())):
            yield self.kind(**dict(zip(self.slots, values, strict=True)))

    def __len__(self) -> int:
        return prod(len(slot) for slot in self.slots.values())

    def __contains__(self, action: object) -> bool:
        return type(action) is self.kind and all(getattr(action, name) in slot for name, slot in self.slots.items())

    def __repr__(self) -> str:
        slots = ", ".join(f"{name}={slot}" for name, slot in self.slots.items())
        return f"{self.kind.__name__}({slots})"

    def narrowed(self, words: Collection[str], phrase: str) -> Choice | None:
        """This choice as far as its phrase or the values of its slots have to do with any of these words, in small
        letters; None: not at all.
        """
        if not set(words).isdisjoint(phrase.lower().split()):
            return self
        for name, slot in self.slots.items():
            if isinstance(slot, Between):
                values = tuple(word for word in words if word.isdigit() and int(word) in slot)
                narrow: Any = OneOf(tuple(map(int, values)))
            else:
                values = tuple(value for value in slot.values if not _names_in(value).isdisjoint(words))
                narrow = slot if isinstance(slot, Subset | Ordered) else OneOf(values)
            if values:
                return Choice(self.kind, self.need, **{**self.slots, name: narrow})
        return None

    def pick(self, random: Random) -> Action:
        """One of these actions at random, without listing them all."""
        return self.kind(**{name: slot.pick(random) for name, slot in self.slots.items()})

    def to_json(self) -> dict[str, Any]:
        """The choice as plain JSON: the action's type, its slots, how many actions it stands for, dice it throws."""
        return {
            "type": self.kind.__struct_config__.tag,
            "slots": self.slots,
            "count": len(self),
            "throws": self.need,
        }


def _combined(slots: tuple[Slot, ...]) -> Iterator[tuple[Any, ...]]:
    """Every value of the first slot with every one of the others, the last changing fastest. One at a time: a slot may
    stand for more values than fit in memory, of which `itertools.product` would make a list first.
    """
    if not slots:
        yield ()
    elif len(slots) == 1:
        for value in slots[0]:
            yield (value,)
    else:
        for value in slots[0]:
            for others in _combined(slots[1:]):
                yield (value, *others)


def _names_in(value: Any) -> set[str]:
    """The words by which a value is found: itself, the items of a tuple, both ends of what is joined by a hyphen."""
    items = value if isinstance(value, tuple) else (value,)
    words = [str(item).lower() for item in items]
    return {*words, *(end for word in words if "-" in word for end in word.split("-"))}


class Legal:
    """All that a seat may do now. Truthy when there is anything, countable without expanding, `in`-able, iterable."""

    __slots__ = ("choices",)

    def __init__(self, choices: Sequence[Choice] = ()) -> None:
        self.choices = tuple(choices)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.choices)

    def __len__(self) -> int:
        return sum(map(len, self.choices))

    def __contains__(self, action: object) -> bool:
        return any(action in choice for choice in self.choices)

    def __repr__(self) -> str:
        return f"Legal({', '.join(map(repr, self.choices))})"

    def pick(self, random: Random) -> Any:
        """An action at random, every choice being equally likely; IndexError when there is none."""
        return random.choice(self.choices).pick(random)

    def filtered(self, words: Iterable[Collection[str]], phrases: Mapping[type[Action], str]) -> Legal:
        """Only what has to do with each of these: a word in small letters, and others that it stands for."""
        choices: Sequence[Choice] = self.choices
        for alike in words:
            narrowed = [choice.narrowed(alike, phrases[choice.kind]) for choice in choices]
            choices = [choice for choice in narrowed if choice is not None]
        return Legal(choices)

    @property
    def throw(self) -> Choice | None:
        """The choice that only throws the dice the game is waiting for, if it waits for any."""
        return next((choice for choice in self.choices if choice.need), None)

    def only(self) -> Any | None:
        """The action that goes without saying: the only one, or the plain form where all are forms of one kind."""
        if len(self) == 1:
            return next(iter(self))
        bare = [choice for choice in self.choices if not choice.slots]
        return next(iter(bare[0])) if len(bare) == 1 and self._one_verb() else None

    def _one_verb(self) -> bool:
        return len({str(choice.kind.__struct_config__.tag).split("-")[0] for choice in self.choices}) == 1
