"""A choice: one kind of action with a set of values for each field.

So a family of actions is one line instead of a thousand: turn to any of six directions, smash with any two to five
units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from math import perm, prod
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.caching import cached
from referee.engine.dice import Need
from referee.engine.slots import SLOTS, Between, OneOf, Ordered, Slot, Subset, cap_at_maxsize, format_range

if TYPE_CHECKING:
    from random import Random


class Action(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """One decision or announcement of a player, the smallest there is. Every game's actions derive from this class."""

    says: ClassVar[str]
    """The canonical words, with the fields in braces: "smash {door} {units}"."""


def find_action_tag(kind: type[Action]) -> str:
    """Returns the name of a kind of action in logs. It stays, whatever the class is called."""
    return str(kind.__struct_config__.tag)


NORMAL_WEIGHT = 200
"""The weight of a normal choice in a random pick. A minor choice has weight 1, so it is seldom picked."""
NOT_COUNTED_YET = -1
"""The weight of choices that have not been counted yet."""
_TRIES = 50
"""The number of random attempts, after which the values that fit a bound are computed."""


class SumConstraint(Struct, frozen=True, tag="total", omit_defaults=True):
    """A bound on several slots together: the sum of their amounts is from `least` to `most`.

    If a slot takes several values, its amount is how many it takes. If it takes a number, its amount is that number.
    `weights` changes amounts.
    """

    slots: tuple[str, ...]
    """The names of the slots."""
    least: int
    most: int
    weights: Mapping[str, int] = {}
    """The amount of a value, by its name, or the factor for the number in a slot, by the slot's name. The default is 1.
    """
    told: str = ""
    """The bound in words, if the numbers alone would not explain it."""

    def allows(self, fields: Mapping[str, Any]) -> bool:
        """True if these fields of an action keep to the bound."""
        return self.least <= sum(self.count_amount(name, fields[name]) for name in self.slots) <= self.most

    def count_amount(self, name: str, value: Any) -> int:
        """Returns the amount of a value in the slot of this name."""
        if isinstance(value, int):
            return value * self.weights.get(name, 1)
        return sum(self.weights.get(item, 1) for item in value) if self.weights else len(value)

    def find_span(self, name: str, slot: Slot) -> tuple[int, int]:
        """Returns the least and the greatest amount that the slot of this name can have."""
        if isinstance(slot, Subset):
            return slot.find_span(self.weights)
        if isinstance(slot, Between):
            ends = sorted(self.count_amount(name, end) for end in (slot.low, slot.high))
            return ends[0], ends[1]
        if isinstance(slot, Ordered) and not self.weights:
            return slot.least, slot.most
        amounts = [self.count_amount(name, value) for value in slot]
        return min(amounts), max(amounts)

    def list_values_within(self, name: str, slot: Slot, low: int, high: int) -> Iterator[Any]:
        """Yields the values of the slot whose amounts are from `low` to `high`, in the slot's order."""
        if isinstance(slot, Subset):
            return slot.list_by_weight(self.weights, low, high)
        return (value for value in slot if low <= self.count_amount(name, value) <= high)

    def __str__(self) -> str:
        return self.told or f"{' and '.join(self.slots)} together {format_range(self.least, self.most)}"


class Choice:
    """One kind of action, and the values that each of its fields may have.

    A field is given as a slot, as its only value, or as a function that makes the slot when it is first needed.

    >>> from referee.engine import Action, Choice, OneOf
    >>> class Turn(Action, frozen=True, tag="turn"):
    ...     says = "{piece} turn {toward}"
    ...     piece: str
    ...     toward: str
    >>> choice = Choice(Turn, piece="2", toward=OneOf(("N", "NE")))
    >>> choice.count, Turn("2", "NE") in choice
    (2, True)
    """

    def __init__(
        self,
        kind: type[Action],
        need: Need | None = None,
        bounds: tuple[SumConstraint, ...] = (),
        *,
        minor: bool = False,
        aside: bool = False,
        **slots: Any,
    ) -> None:
        self.kind = kind
        self.need = need
        """The dice that the action rolls, if it only rolls dice or begins by rolling these."""
        self.bounds = bounds
        """The bounds on several slots together. A slot is in at most one bound."""
        self.minor = minor or aside
        """True if the action does only a part of what another choice does, or does not advance the game.

        A minor choice is never taken for a player who says nothing, and is seldom picked at random.
        """
        self.aside = aside
        """True if the choice is minor, and nothing is lost if the game goes on without it.

        Either it does a part of what another choice does, or it can be taken later as well.
        """
        self.weight = 1 if self.minor else NORMAL_WEIGHT
        """The weight in a random pick."""
        self._given = slots

    @cached
    def slots(self) -> Mapping[str, Slot]:
        """The values that each field of the action may have."""
        return {name: _make_slot(given) for name, given in self._given.items()}

    def __iter__(self) -> Iterator[Action]:
        if self.bounds:
            return self._list_within_bounds({}, tuple(self.slots))
        combined = _combine_values(tuple(self.slots.values()))
        return (self.kind(**dict(zip(self.slots, values, strict=True))) for values in combined)

    def _list_within_bounds(self, fields: dict[str, Any], names: tuple[str, ...]) -> Iterator[Action]:
        """Yields the actions with these fields.

        Each remaining slot takes only values that leave enough for the slots after it.
        """
        if not names:
            yield self.kind(**fields)
            return
        for value in self._list_values_left(names[0], fields):
            yield from self._list_within_bounds({**fields, names[0]: value}, names[1:])

    def _list_values_left(self, name: str, fields: Mapping[str, Any]) -> Iterator[Any]:
        """Yields the values that the slot of this name can still take when the other fields have these values."""
        slot, bound = self.slots[name], next((bound for bound in self.bounds if name in bound.slots), None)
        if bound is None:
            return iter(slot)
        taken = sum(bound.count_amount(other, fields[other]) for other in bound.slots if other in fields)
        later = [other for other in bound.slots if other not in fields and other != name]
        spans = [bound.find_span(other, self.slots[other]) for other in later]
        low, high = sum(span[0] for span in spans), sum(span[1] for span in spans)
        return bound.list_values_within(name, slot, bound.least - taken - high, bound.most - taken - low)

    @property
    def count(self) -> int:
        """The number of actions in this choice."""
        if not self.bounds:
            return prod([slot.count for slot in self.slots.values()])
        bounded = {name for bound in self.bounds for name in bound.slots}
        free = prod(slot.count for name, slot in self.slots.items() if name not in bounded)
        return free * prod(map(self._count_ways, self.bounds))

    def __len__(self) -> int:
        return cap_at_maxsize(self.count)

    def _count_ways(self, bound: SumConstraint) -> int:
        """Returns the number of ways to fill the slots of a bound without breaking the bound."""
        ways = {0: 1}
        for name in bound.slots:
            together: dict[int, int] = {}
            for size, more in _count_by_amount(self.slots[name], name, bound).items():
                for taken, count in ways.items():
                    together[taken + size] = together.get(taken + size, 0) + count * more
            ways = together
        return sum(count for taken, count in ways.items() if bound.least <= taken <= bound.most)

    def _list_shares(self, bound: SumConstraint) -> list[tuple[int, ...]]:
        """Returns every combination of amounts that the bound allows, each in the order of the bound's slots."""
        sizes = [tuple(_count_by_amount(self.slots[name], name, bound)) for name in bound.slots]
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

    def narrow(self, words: Collection[str]) -> Choice | None:
        """Returns this choice, narrowed by these lower-case words; None if none of them fits.

        If a word stands in the phrase of the action, nothing is narrowed. Otherwise the first slot with a value that a
        word names is narrowed, unless this slot takes several values.
        """
        if not set(words).isdisjoint(self.kind.says.lower().split()):
            return self
        for name, slot in self.slots.items():
            narrow = _narrow_slot(slot, words)
            if narrow is not None:
                slots: dict[str, Any] = {**self.slots, name: narrow}
                return Choice(self.kind, self.need, self.bounds, minor=self.minor, aside=self.aside, **slots)
        return None

    def pick(self, random: Random) -> Action:
        """Returns a random action of this choice, without listing them all."""
        fields = {name: slot.pick(random) for name, slot in self.slots.items()}
        for bound in self.bounds:
            fields |= self._pick_weighted(bound, random) if bound.weights else self._pick_by_amounts(bound, random)
        return self.kind(**fields)

    def _pick_by_amounts(self, bound: SumConstraint, random: Random) -> dict[str, Any]:
        """Returns random values for the slots of a bound: first an amount for each, then values of that amount."""
        taken = random.choice(self._list_shares(bound))
        return {
            name: _limit_to_amount(self.slots[name], name, bound, size).pick(random)
            for name, size in zip(bound.slots, taken, strict=True)
        }

    def _pick_weighted(self, bound: SumConstraint, random: Random) -> dict[str, Any]:
        """Returns random values for the slots of a weighted bound.

        First tries values at random, then computes values that fit.
        """
        for _ in range(_TRIES):
            fields = {name: self.slots[name].pick(random) for name in bound.slots}
            if bound.allows(fields):
                return fields
        taken = zip(bound.slots, random.choice(self._list_shares(bound)), strict=True)
        return {name: _pick_of_amount(self.slots[name], name, bound, amount, random) for name, amount in taken}

    def to_json(self) -> dict[str, Any]:
        """Returns the choice as plain JSON: its type, slots and bounds, the number of actions, and the dice."""
        return {
            "type": find_action_tag(self.kind),
            "slots": self.slots,
            "bounds": self.bounds,
            "count": self.count,
            "throws": self.need,
        }


def _may_take(given: Any, value: Any) -> bool:
    """True if a slot may take a value, as far as that is known without computing the slot."""
    if given.__class__ in SLOTS:
        return value in given
    return callable(given) or bool(given == value)


def _make_slot(given: Any) -> Slot:
    """Returns the slot for a field that was given as a slot, as a function that makes a slot, or as its only value."""
    slot = given() if callable(given) else given
    return slot if slot.__class__ in SLOTS else OneOf((slot,))


def _count_by_amount(slot: Slot, name: str, bound: SumConstraint) -> dict[int, int]:
    """Returns the amounts that the slot of this name can have under a bound, each with the number of its values."""
    if isinstance(slot, Subset) and bound.weights:
        return slot.count_by_weight(bound.weights)
    if isinstance(slot, Subset):
        return dict(enumerate(slot.count_by_size()[slot.least : slot.most + 1], slot.least))
    if isinstance(slot, Ordered) and not bound.weights:
        return {size: perm(len(slot.values), size) for size in range(slot.least, slot.most + 1)}
    return dict(Counter(bound.count_amount(name, value) for value in slot))


def _pick_of_amount(slot: Slot, name: str, bound: SumConstraint, amount: int, random: Random) -> Any:
    """Returns a random value of a slot that has exactly this amount."""
    if isinstance(slot, Subset) and not slot.needs:
        return slot.pick_by_weight(bound.weights, amount, random)
    return random.choice(list(bound.list_values_within(name, slot, amount, amount)))


def _limit_to_amount(slot: Slot, name: str, bound: SumConstraint, size: int) -> Slot:
    """Returns the slot with only those values that have exactly this amount."""
    if isinstance(slot, Subset | Ordered):
        return replace(slot, least=size, most=size)
    return OneOf(tuple(value for value in slot if bound.count_amount(name, value) == size))


def _narrow_slot(slot: Slot, words: Collection[str]) -> Slot | None:
    """Returns the slot, narrowed to the values that any of these words names; None if no word names a value.

    A slot that takes several values is returned whole, since other values may be taken together with those named.
    """
    if isinstance(slot, Between):
        numbers = tuple(number for number in slot if str(number) in words)
        return OneOf(numbers) if numbers else None
    values = tuple(value for value in slot.values if not _list_names(value).isdisjoint(words))
    if not values:
        return None
    return slot if isinstance(slot, Subset | Ordered) else OneOf(values)


def _combine_values(slots: tuple[Slot, ...]) -> Iterator[tuple[Any, ...]]:
    """Yields every combination of values of the slots; the last slot changes fastest.

    `itertools.product` would first make a list of each slot, and a slot may have more values than fit in memory.
    """
    if not slots:
        yield ()
    elif len(slots) == 1:
        for value in slots[0]:
            yield (value,)
    else:
        for value in slots[0]:
            for others in _combine_values(slots[1:]):
                yield (value, *others)


def _list_names(value: Any) -> set[str]:
    """Returns the lower-case words by which a value is found: its own name, or the names of its items."""
    items = value if isinstance(value, tuple) else (value,)
    return {str(item).lower() for item in items}
