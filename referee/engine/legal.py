"""Legal actions: every action a seat may take now, complete and with arguments, in a stable order.

    >>> legal = game.legal(state, "red")
    >>> bool(legal), legal.count, action in legal, list(legal)

A `Legal` is made of choices; a `Choice` is one kind of action whose fields are slots, so that a family of actions
(turn to any of six directions, smash with any two to five units) is one line and not a thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import perm, prod
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import Need
from referee.engine.once import cached
from referee.engine.slots import SHORT, SLOTS, Between, OneOf, Ordered, Slot, Subset, how_many, length_of

if TYPE_CHECKING:
    from random import Random

__all__ = ["SHORT", "Action", "Between", "Choice", "Choices", "Legal", "OneOf", "Ordered", "Slot", "Subset", "Total"]


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Something a player decides or announces; the smallest such thing. Every game's actions derive from it."""

    says: ClassVar[str]
    """Its canonical words, with its fields in braces: "smash {door} {units}"."""


SELDOM = 200
"""How many times as likely as a minor choice any other is picked."""
UNCOUNTED = -1
"""The weight of choices of which nobody knows yet how many there are."""
_TRIES = 50
"""Values that are tried at random before it is worked out what fits."""


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

    def span(self, name: str, slot: Slot) -> tuple[int, int]:
        """The least and the most that the slot of this name can count for."""
        if isinstance(slot, Subset):
            return slot.span(self.weights)
        if isinstance(slot, Between):
            ends = sorted(self.amount(name, end) for end in (slot.low, slot.high))
            return ends[0], ends[1]
        if isinstance(slot, Ordered) and not self.weights:
            return slot.least, slot.most
        amounts = [self.amount(name, value) for value in slot]
        return min(amounts), max(amounts)

    def within(self, name: str, slot: Slot, low: int, high: int) -> Iterator[Any]:
        """What the slot of this name can take that counts for `low` to `high`, in its order."""
        if isinstance(slot, Subset):
            return slot.weighing(self.weights, low, high)
        return (value for value in slot if low <= self.amount(name, value) <= high)

    def __str__(self) -> str:
        return self.told or f"{' and '.join(self.slots)} together {how_many(self.least, self.most)}"


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
        self.weight = 1 if self.minor else SELDOM
        """How likely it is picked, beside others."""
        self._given = slots

    @cached
    def slots(self) -> Mapping[str, Slot]:
        """What each field of the action may be."""
        return {name: _slot_of(given) for name, given in self._given.items()}

    def __iter__(self) -> Iterator[Action]:
        if self.bounds:
            return self._within_bounds({}, tuple(self.slots))
        combined = _combined(tuple(self.slots.values()))
        return (self.kind(**dict(zip(self.slots, values, strict=True))) for values in combined)

    def _within_bounds(self, fields: dict[str, Any], names: tuple[str, ...]) -> Iterator[Action]:
        """The actions with these fields; of the others each takes only what leaves room for those after it."""
        if not names:
            yield self.kind(**fields)
            return
        for value in self._left_for(names[0], fields):
            yield from self._within_bounds({**fields, names[0]: value}, names[1:])

    def _left_for(self, name: str, fields: Mapping[str, Any]) -> Iterator[Any]:
        """What the slot of this name can take beside these fields."""
        slot, bound = self.slots[name], next((bound for bound in self.bounds if name in bound.slots), None)
        if bound is None:
            return iter(slot)
        taken = sum(bound.amount(other, fields[other]) for other in bound.slots if other in fields)
        later = [other for other in bound.slots if other not in fields and other != name]
        spans = [bound.span(other, self.slots[other]) for other in later]
        low, high = sum(span[0] for span in spans), sum(span[1] for span in spans)
        return bound.within(name, slot, bound.least - taken - high, bound.most - taken - low)

    @property
    def count(self) -> int:
        """How many actions it stands for."""
        if not self.bounds:
            return prod([slot.count for slot in self.slots.values()])
        bounded = {name for bound in self.bounds for name in bound.slots}
        free = prod(slot.count for name, slot in self.slots.items() if name not in bounded)
        return free * prod(map(self._ways, self.bounds))

    def __len__(self) -> int:
        return length_of(self.count)

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
        fields = {name: getattr(action, name) for name in self._given}
        if not all(map(_may_take, self._given.values(), fields.values())):
            return False
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
        """The same by trying, and where little fits, by working it out: many values may weigh the same."""
        for _ in range(_TRIES):
            fields = {name: self.slots[name].pick(random) for name in bound.slots}
            if bound.allows(fields):
                return fields
        taken = zip(bound.slots, random.choice(self._shares(bound)), strict=True)
        return {name: _weighing(self.slots[name], name, bound, amount, random) for name, amount in taken}

    def to_json(self) -> dict[str, Any]:
        """The choice as plain JSON: the action's type, its slots, how many actions it stands for, dice it throws."""
        return {
            "type": self.kind.__struct_config__.tag,
            "slots": self.slots,
            "bounds": self.bounds,
            "count": self.count,
            "throws": self.need,
        }


def _may_take(given: Any, value: Any) -> bool:
    """Whether what was given to a choice may take a value, as far as that is known without making a slot."""
    if given.__class__ in SLOTS:
        return value in given
    return callable(given) or bool(given == value)


class Choices:
    """A choice for each of some values, such as the places to go to, all of them minor or none: made when somebody
    looks at it. Of many that could be said one is, so that most are never made.
    """

    __slots__ = ("_make", "_values", "each", "most", "weight")

    def __init__(
        self,
        values: Iterable[Any],
        make: Callable[[Any], Choice],
        *,
        minor: bool = False,
        most: int | None = None,
    ) -> None:
        """`most`: how many values there are at the most; then they are worked out when somebody looks at them."""
        self._values, self._make = values, make
        self.each = 1 if minor else SELDOM
        """How likely each of them is picked, beside others."""
        self.most = self.each * (most or 0)
        """How likely one of them is picked at the most."""
        self.weight = UNCOUNTED
        """How likely one of them is picked, beside others; `UNCOUNTED` while it is not worked out how many they are."""
        if most is None:
            self.counted()

    def counted(self) -> tuple[Any, ...]:
        """The values, worked out."""
        if self.weight == UNCOUNTED:
            self._values = tuple(self._values)
            self.weight = self.most = self.each * len(self._values)
        return self._values  # type: ignore[return-value]  # a tuple by now

    def __iter__(self) -> Iterator[Choice]:
        return map(self._make, self.counted())

    def __len__(self) -> int:
        return len(self.counted())

    def __getitem__(self, at: int) -> Choice:
        return self._make(self.counted()[at])


Offer = Choice | Choices
"""What a verb offers."""


def each_of(offers: Iterable[Offer]) -> Iterator[Choice]:
    """The choices that are offered, one by one."""
    return chain.from_iterable(offer if isinstance(offer, Choices) else (offer,) for offer in offers)


def _slot_of(given: Any) -> Slot:
    """The slot that was given to a choice: itself, a function that makes it, or the only value that it takes."""
    slot = given() if callable(given) else given
    return slot if slot.__class__ in SLOTS else OneOf((slot,))


def _sizes(slot: Slot, name: str, bound: Total) -> dict[int, int]:
    """What a slot can count for in a bound, and in how many ways."""
    if isinstance(slot, Subset) and bound.weights:
        return slot.totals(bound.weights)
    if isinstance(slot, Subset):
        return dict(enumerate(slot.ways()[slot.least : slot.most + 1], slot.least))
    if isinstance(slot, Ordered) and not bound.weights:
        return {size: perm(len(slot.values), size) for size in range(slot.least, slot.most + 1)}
    return dict(Counter(bound.amount(name, value) for value in slot))


def _weighing(slot: Slot, name: str, bound: Total, amount: int, random: Random) -> Any:
    """Something at random that a slot can take and that counts for so much."""
    if isinstance(slot, Subset) and not slot.needs:
        return slot.pick_weighing(bound.weights, amount, random)
    return random.choice(list(bound.within(name, slot, amount, amount)))


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

    def __init__(self, offers: Iterable[Offer] = ()) -> None:
        self._offers = tuple(offers)

    @cached
    def choices(self) -> tuple[Choice, ...]:
        """The choices, one by one."""
        return tuple(each_of(self._offers))

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.choices)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def count(self) -> int:
        """How many actions there are: more than `len` can say, where a player has bought many units."""
        return sum(choice.count for choice in self.choices)

    def __len__(self) -> int:
        return length_of(self.count)

    def __contains__(self, action: object) -> bool:
        return any(action in choice for choice in each_of(self._offers))

    def __repr__(self) -> str:
        return f"Legal({', '.join(map(repr, self.choices))})"

    def pick(self, random: Random) -> Any:
        """An action at random, every choice being equally likely, minor ones seldom; IndexError when there is none."""
        offers, share = self._offers, random.random()
        weights = [offer.weight for offer in offers]
        if UNCOUNTED in weights:
            if clear := self._clearly(share):
                return clear.pick(random)
            weights = [len(offer) * offer.each if isinstance(offer, Choices) else offer.weight for offer in offers]
        at = int(share * sum(weights))
        for offer, weight in zip(offers, weights, strict=True):
            if at < weight:
                choice = offer[at // offer.each] if isinstance(offer, Choices) else offer
                return choice.pick(random)
            at -= weight
        raise IndexError("there is nothing to pick from")

    def _clearly(self, share: float) -> Choice | None:
        """The choice on which this share of all weight falls however many those are that nobody has counted; None: that
        matters.
        """
        least = [max(0, offer.weight) for offer in self._offers]
        most = [offer.weight if isinstance(offer, Choice) else offer.most for offer in self._offers]
        low, high = int(share * sum(least)), int(share * sum(most))
        for offer, fewest, all_ in zip(self._offers, least, most, strict=True):
            if low >= 0 and high < fewest and isinstance(offer, Choice):
                return offer
            low, high = low - all_, high - fewest
        return None

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
        return next(iter(whole[0])) if len(whole) == 1 and whole[0].count == 1 else None

    @property
    def _whole(self) -> list[Choice]:
        return [choice for choice in self.choices if not choice.minor]

    def forced(self) -> Any | None:
        """The action that needs no deciding: the only one, no throw, and by which nothing else is lost; None: none."""
        if any(choice.need or (choice.minor and not choice.aside) for choice in self.choices):
            return None
        return self.only()
