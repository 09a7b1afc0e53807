"""Legal actions: every action a seat may take now, complete and with arguments, in a stable order.

    >>> legal = game.legal(state, "red")
    >>> bool(legal), len(legal), action in legal, list(legal)

A `Legal` is made of choices; a `Choice` is one kind of action whose fields are slots, so that a family of actions
(turn to any of six directions, smash with any two to five units) is one line and not a thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from math import comb, perm, prod
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import Need
from referee.engine.once import cached
from referee.engine.text import in_runs

if TYPE_CHECKING:
    from random import Random


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Something a player decides or announces; the smallest such thing. Every game's actions derive from it."""

    says: ClassVar[str]
    """Its canonical words, with its fields in braces: "smash {door} {units}"."""


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


class Subset(Struct, frozen=True, tag="subset", omit_defaults=True):
    """A slot that takes `least` to `most` of these values, kept in this order."""

    values: tuple[Any, ...]
    least: int
    most: int
    needs: Mapping[Any, tuple[Any, ...]] = {}
    """Values that are taken only along with one of these others, which need nobody: who is led, and by whom. Those who
    are led by one are led by the same.
    """

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        sizes = range(self.least, self.most + 1)
        return filter(self._is_led, chain.from_iterable(combinations(self.values, size) for size in sizes))

    def __len__(self) -> int:
        return sum(self.ways()[self.least : self.most + 1])

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        left = iter(self.values)
        return all(item in left for item in value) and self._is_led(value)

    def __str__(self) -> str:
        if self.least == len(self.values):
            return " ".join(map(str, self.values))
        led = "".join(f" ({_any_of(followers)} with {_any_of(leaders)})" for leaders, followers in self._parties())
        return f"{_how_many(self.least, self.most)} of {_any_of(self.values)}{led}"

    def pick(self, random: Random) -> tuple[Any, ...]:
        """So many of the values at random; every number of them is equally likely."""
        while True:
            size = random.randint(self.least, self.most)
            taken = tuple(self.values[at] for at in sorted(random.sample(range(len(self.values)), size)))
            if self._is_led(taken):
                return taken

    def ways(self) -> list[int]:
        """In how many ways it can take none, one, two and so on: those who are free, times each party."""
        parties = [(len(leaders), len(followers)) for leaders, followers in self._parties()]
        free = len(self.values) - sum(map(sum, parties))
        counts = [comb(free, taken) for taken in range(free + 1)]
        for lead, led in parties:
            party = [comb(lead + led, taken) - comb(led, taken) + (taken == 0) for taken in range(lead + led + 1)]
            counts = [
                sum(
                    counts[n - taken] * party[taken]
                    for taken in range(max(0, n - len(counts) + 1), min(n, lead + led) + 1)
                )
                for n in range(len(counts) + lead + led)
            ]
        return counts

    def _parties(self) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Leaders, and those who go with one of them only."""
        for leaders in dict.fromkeys(self.needs.values()):
            yield leaders, tuple(value for value, by in self.needs.items() if by == leaders)

    def _is_led(self, taken: tuple[Any, ...]) -> bool:
        needs = self.needs
        return not needs or all(any(one in taken for one in needs[value]) for value in taken if value in needs)


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


SELDOM = 200
"""How many times as likely as a minor choice any other is picked."""
_TRIES = 50
"""Values that are tried at random before all that fit are listed."""
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


class Total(Struct, frozen=True, tag="total", omit_defaults=True):
    """A bound that slots set one another: what they take together is `least` to `most`.

    A slot of several values counts how many it takes, a number counts itself; or what they weigh.
    """

    slots: tuple[str, ...]
    least: int
    most: int
    weights: Mapping[str, int] = {}
    """What a value counts for, or each 1 of the number in a slot of this name, where that is not 1."""
    told: str = ""
    """The bound in words, where its numbers would not tell."""

    def allows(self, fields: Mapping[str, Any]) -> bool:
        """Whether these fields of an action keep to it."""
        return self.least <= sum(self.amount(name, fields[name]) for name in self.slots) <= self.most

    def amount(self, name: str, value: Any) -> int:
        """What the slot of this name counts for when it takes this."""
        if isinstance(value, int):
            return value * self.weights.get(name, 1)
        return sum(self.weights.get(item, 1) for item in value) if self.weights else len(value)

    def __str__(self) -> str:
        return self.told or f"{' and '.join(self.slots)} together {_how_many(self.least, self.most)}"


class Choice:
    """One kind of action and what each of its fields may be.

    `Choice(Turn, piece="2", toward=OneOf(("N", "NE")))`; a bare value is a slot with that value only. A function makes
    the slot when somebody looks at it, where there are many choices and working out a slot takes long.
    """

    def __init__(
        self,
        kind: type[Action],
        need: Need | None = None,
        bounds: tuple[Total, ...] = (),
        *,
        minor: bool = False,
        aside: bool = False,
        **slots: Any,
    ) -> None:
        self.kind = kind
        self.need = need
        """Set when the action does nothing but throw these dice, or these to begin with."""
        self.bounds = bounds
        """What slots allow one another. No slot is bounded twice."""
        self.minor = minor or aside
        """Whether it does a part of what another choice does, or does not go on with the game: never meant when nothing
        is said, and seldom picked at random.
        """
        self.aside = aside
        """Whether it is minor and nobody loses anything if the game goes on without it: it does a part of what another
        choice does, or can be said later as well.
        """
        self._given = slots

    @cached
    def slots(self) -> Mapping[str, Slot]:
        """What each field of the action may be."""
        return {name: _slot_of(given) for name, given in self._given.items()}

    def __iter__(self) -> Iterator[Action]:
        for values in _combined(tuple(self.slots.values())):
            fields = dict(zip(self.slots, values, strict=True))
            if all(bound.allows(fields) for bound in self.bounds):
                yield self.kind(**fields)

    def __len__(self) -> int:
        bounded = {name for bound in self.bounds for name in bound.slots}
        free = prod(len(slot) for name, slot in self.slots.items() if name not in bounded)
        return free * prod(map(self._ways, self.bounds))

    def _ways(self, bound: Total) -> int:
        """In how many ways the slots of a bound can share it."""
        ways = {0: 1}
        for name in bound.slots:
            together: dict[int, int] = {}
            for size, more in _sizes(self.slots[name], name, bound).items():
                for taken, count in ways.items():
                    together[taken + size] = together.get(taken + size, 0) + count * more
            ways = together
        return sum(count for taken, count in ways.items() if bound.least <= taken <= bound.most)

    def _shares(self, bound: Total) -> list[tuple[int, ...]]:
        """How the slots of a bound can share it: what each takes."""
        sizes = [tuple(_sizes(self.slots[name], name, bound)) for name in bound.slots]
        shares: list[tuple[tuple[int, ...], int]] = [((), 0)]
        for at, own in enumerate(sizes):
            room = bound.most - sum(map(min, sizes[at + 1 :]))
            shares = [((*taken, size), sum_ + size) for taken, sum_ in shares for size in own if sum_ + size <= room]
        return [taken for taken, sum_ in shares if bound.least <= sum_]

    def __contains__(self, action: object) -> bool:
        if type(action) is not self.kind:
            return False
        fields = {name: getattr(action, name) for name in self.slots}
        return all(fields[name] in slot for name, slot in self.slots.items()) and all(
            bound.allows(fields) for bound in self.bounds
        )

    def __repr__(self) -> str:
        slots = ", ".join(f"{name}={slot}" for name, slot in self.slots.items())
        return f"{self.kind.__name__}({slots})"

    def narrowed(self, words: Collection[str]) -> Choice | None:
        """This choice as far as its words or the values of its slots have to do with any of these, in small letters;
        None: not at all.
        """
        if not set(words).isdisjoint(self.kind.says.lower().split()):
            return self
        for name, slot in self.slots.items():
            narrow = _narrowed(slot, words)
            if narrow is not None:
                slots: dict[str, Any] = {**self.slots, name: narrow}
                return Choice(self.kind, self.need, self.bounds, minor=self.minor, aside=self.aside, **slots)
        return None

    def pick(self, random: Random) -> Action:
        """One of these actions at random, without listing them all."""
        fields = {name: slot.pick(random) for name, slot in self.slots.items()}
        for bound in self.bounds:
            fields |= self._pick_weighed(bound, random) if bound.weights else self._pick_shared(bound, random)
        return self.kind(**fields)

    def _pick_shared(self, bound: Total, random: Random) -> dict[str, Any]:
        """What the slots of a bound take: first how much each, then what."""
        taken = random.choice(self._shares(bound))
        return {
            name: _of_size(self.slots[name], name, bound, size).pick(random)
            for name, size in zip(bound.slots, taken, strict=True)
        }

    def _pick_weighed(self, bound: Total, random: Random) -> dict[str, Any]:
        """The same by trying, and where little fits, by listing: many values may weigh the same."""
        for _ in range(_TRIES):
            fields = {name: self.slots[name].pick(random) for name in bound.slots}
            if bound.allows(fields):
                return fields
        combined = _combined(tuple(self.slots[name] for name in bound.slots))
        found = (dict(zip(bound.slots, values, strict=True)) for values in combined)
        return random.choice(list(filter(bound.allows, found)))

    def to_json(self) -> dict[str, Any]:
        """The choice as plain JSON: the action's type, its slots, how many actions it stands for, dice it throws."""
        return {
            "type": self.kind.__struct_config__.tag,
            "slots": self.slots,
            "bounds": self.bounds,
            "count": len(self),
            "throws": self.need,
        }


def _slot_of(given: Any) -> Slot:
    """The slot that was given to a choice: itself, a function that makes it, or the only value that it takes."""
    slot = given() if callable(given) else given
    return slot if slot.__class__ in _SLOTS else OneOf((slot,))


def _sizes(slot: Slot, name: str, bound: Total) -> dict[int, int]:
    """What a slot can count for in a bound, and in how many ways."""
    if isinstance(slot, Subset) and not bound.weights:
        return dict(enumerate(slot.ways()[slot.least : slot.most + 1], slot.least))
    if isinstance(slot, Subset) and not slot.needs:
        return _weighed(slot, bound)
    if isinstance(slot, Ordered) and not bound.weights:
        return {size: perm(len(slot.values), size) for size in range(slot.least, slot.most + 1)}
    return dict(Counter(bound.amount(name, value) for value in slot))


def _weighed(slot: Subset, bound: Total) -> dict[int, int]:
    """What so many of the values can weigh together, and in how many ways."""
    ways = {(0, 0): 1}
    for value in slot.values:
        weight = bound.weights.get(value, 1)
        for (size, taken), count in list(ways.items()):
            if size < slot.most:
                key = (size + 1, taken + weight)
                ways[key] = ways.get(key, 0) + count
    totals: dict[int, int] = {}
    for (size, taken), count in ways.items():
        if size >= slot.least:
            totals[taken] = totals.get(taken, 0) + count
    return totals


def _of_size(slot: Slot, name: str, bound: Total, size: int) -> Slot:
    """A slot, as far as it counts for so much."""
    if isinstance(slot, Subset | Ordered):
        return replace(slot, least=size, most=size)
    return OneOf(tuple(value for value in slot if bound.amount(name, value) == size))


def _narrowed(slot: Slot, words: Collection[str]) -> Slot | None:
    """A slot as far as its values have to do with any of these words; None: not at all."""
    if isinstance(slot, Between):
        numbers = tuple(number for number in slot if str(number) in words)
        return OneOf(numbers) if numbers else None
    values = tuple(value for value in slot.values if not _names_in(value).isdisjoint(words))
    if not values:
        return None
    return slot if isinstance(slot, Subset | Ordered) else OneOf(values)


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
    """The words by which a value is found: itself, or the items of a tuple."""
    items = value if isinstance(value, tuple) else (value,)
    return {str(item).lower() for item in items}


class Legal:
    """All that a seat may do now. Truthy when there is anything, countable without expanding, `in`-able, iterable."""

    __slots__ = ("choices",)

    def __init__(self, choices: Sequence[Choice] = ()) -> None:
        self.choices = tuple(choices)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.choices)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __len__(self) -> int:
        return sum(map(len, self.choices))

    def __contains__(self, action: object) -> bool:
        return any(action in choice for choice in self.choices)

    def __repr__(self) -> str:
        return f"Legal({', '.join(map(repr, self.choices))})"

    def pick(self, random: Random) -> Any:
        """An action at random, every choice being equally likely, minor ones seldom; IndexError when there is none."""
        weights = [1 if choice.minor else SELDOM for choice in self.choices]
        return random.choices(self.choices, weights)[0].pick(random)

    def filtered(self, words: Iterable[Collection[str]]) -> Legal:
        """Only what has to do with each of these: a word in small letters, and others that it stands for."""
        choices: Sequence[Choice] = self.choices
        for alike in words:
            narrowed = [choice.narrowed(alike) for choice in choices]
            choices = [choice for choice in narrowed if choice is not None]
        return Legal(choices)

    @property
    def throw(self) -> Choice | None:
        """The choice that throws the dice the game is waiting for; None: it waits for none, or for a choice, too, of
        which a throw is one.
        """
        whole = self._whole
        return whole[0] if len(whole) == 1 and whole[0].need else None

    @property
    def throws(self) -> list[Choice]:
        """The choices that begin with a throw, each with what it needs."""
        return [choice for choice in self.choices if choice.need]

    def only(self) -> Any | None:
        """The action that goes without saying: the only one there is, those aside that do a part of it."""
        whole = self._whole
        return next(iter(whole[0])) if len(whole) == 1 and len(whole[0]) == 1 else None

    @property
    def _whole(self) -> list[Choice]:
        return [choice for choice in self.choices if not choice.minor]

    def forced(self) -> Any | None:
        """The action that needs no deciding: the only one, no throw, and by which nothing else is lost; None: none."""
        if any(choice.need or (choice.minor and not choice.aside) for choice in self.choices):
            return None
        return self.only()
