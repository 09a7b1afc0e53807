"""A choice that is being filled in: what is settled, what was picked, what can still be picked so that it comes to an
end. Slots are worked with one at a time; what they allow one another is counted, never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_fields import spoken
from referee.engine.legal import Action, Choice, Total
from referee.engine.slots import OneOf, Ordered, Slot, Subset

WHOLE = 24
"""Groups of words that a slot may take, up to which they are offered as they are; of more word by word."""
Same = Callable[[Any], str]
"""A value as a word: as it is written, or in small letters."""
Sums = frozenset[int]
"""What something can count for in a bound."""


def small(value: Any) -> str:
    """A value as a word in small letters."""
    return str(value).lower()


class Draft(Struct, frozen=True):
    """A choice with what was picked of its slots so far."""

    choice: Choice
    picked: Mapping[str, tuple[Any, ...]] = {}
    """Of slots that take several values: those that were named, in the order in which they were."""

    @property
    def tag(self) -> str:
        """How its kind of action is called in logs."""
        return str(self.choice.kind.__struct_config__.tag)

    # Filling in

    def about(self, word: str, same: Same = str) -> Draft | None:
        """As far as it has to do with a word: with a word of its own, with the first open slot that takes it, or with
        one that is settled so; None: not at all. `same`: as what a value and the word are compared.
        """
        names = sorted(self.choice.slots, key=lambda name: self.choice.kind.says.find(f"{{{name}}}"))
        if word in self.choice.kind.says.split():
            return self
        filled = (self.filled(name, word, same) for name in names if self.settled(name) is None)
        found = next((one for one in filled if one is not None), None)
        if found is None and any(word in _words(self.settled(name), same) for name in names):
            return self
        return found

    def filled(self, name: str, word: str, same: Same = str) -> Draft | None:
        """The same with a slot narrowed to what this word names; None: it cannot be."""
        slot = self.choice.slots.get(name)
        if isinstance(slot, Subset | Ordered):
            taken = self.picked.get(name, ())
            value = next((it for it in slot.values if same(it) == word and it not in taken), None)
            draft = None if value is None else replace(self, picked={**self.picked, name: (*taken, value)})
        else:
            left = () if slot is None else _named(slot, word, same)
            draft = self._narrowed(name, OneOf(left)) if left else None
        return draft if draft is not None and draft.comes_to_an_end else None

    def closed(self, name: str) -> Draft | None:
        """The same with nothing added to a slot; None: something is missing then."""
        value = self.as_it_is(name)
        if value is None:
            return None
        draft = replace(
            self._narrowed(name, OneOf((value,))), picked={k: v for k, v in self.picked.items() if k != name}
        )
        return draft if draft.comes_to_an_end else None

    def _narrowed(self, name: str, slot: Slot) -> Draft:
        choice = self.choice
        slots: dict[str, Any] = {**choice.slots, name: slot}
        narrow = Choice(choice.kind, choice.need, choice.bounds, minor=choice.minor, aside=choice.aside, **slots)
        return replace(self, choice=narrow)

    def just(self, action: Action) -> Draft:
        """As far as it is this action."""
        choice = self.choice
        slots: dict[str, Any] = {name: OneOf((getattr(action, name),)) for name in choice.slots}
        return Draft(Choice(choice.kind, choice.need, minor=choice.minor, aside=choice.aside, **slots))

    # What it comes to

    def settled(self, name: str) -> Any | None:
        """The only value that a slot can have, beside all that was picked of it; None: it is open."""
        slot = self.choice.slots[name]
        if isinstance(slot, Subset | Ordered):
            taken = self._in_order(name)
            is_full = taken in slot and not any(True for _ in self._more(name))
            return taken if is_full else _only(slot) if slot.count == 1 else None
        return _only(slot)

    def told(self, name: str) -> str:
        """What is said of a slot so far, with a gap where it is open."""
        value = self.settled(name)
        if value is not None:
            return spoken(value)
        return " ".join([*map(str, self.picked.get(name, ())), "..."])

    def action(self) -> Action | None:
        """What is said if nothing is added; None: something is missing."""
        fields = {name: self.as_it_is(name) for name in self.choice.slots}
        if any(value is None for value in fields.values()):
            return None
        action = self.choice.kind(**fields)
        return action if action in self.choice else None

    def may_stay(self, name: str) -> bool:
        """Whether nothing more has to be said of a slot."""
        return self.as_it_is(name) is not None

    def as_it_is(self, name: str) -> Any | None:
        """The value of a slot of which nothing more is said; None: something is missing."""
        slot = self.choice.slots[name]
        if not isinstance(slot, Subset | Ordered):
            return _only(slot)
        taken = self._in_order(name)
        return taken if taken in slot else _only(slot) if slot.count == 1 else None

    def actions(self, most: int) -> Iterator[Action]:
        """What it can become, looked for among so many."""
        return (action for action in islice(self.choice, most) if self._has_picked(action))

    def _has_picked(self, action: Action) -> bool:
        return all(
            set(taken) <= set(getattr(action, name))
            if isinstance(self.choice.slots[name], Subset)
            else getattr(action, name)[: len(taken)] == taken
            for name, taken in self.picked.items()
        )

    def _in_order(self, name: str) -> tuple[Any, ...]:
        """What was picked, as the slot has it."""
        slot, taken = self.choice.slots[name], self.picked.get(name, ())
        if isinstance(slot, Subset):
            return tuple(value for value in slot.values if value in taken)
        return taken

    # What can be added

    def next_words(self, name: str) -> Iterator[str]:
        """The words that can be added to a slot, each of which leads to an end."""
        slot = self.choice.slots[name]
        if isinstance(slot, Subset | Ordered):
            yield from map(str, self._more(name))
            return
        values: list[Any] = [value for value in slot if self._may_be(name, value)]
        if len(values) > WHOLE and any(isinstance(value, tuple) and len(value) > 1 for value in values):
            shared = set[Any].intersection(*(set(value) for value in values))
            yield from dict.fromkeys(str(item) for value in values for item in value if item not in shared)
            values = [value for value in values if len(value) == len(shared)]
        yield from map(spoken, values)

    def _more(self, name: str) -> Iterator[Any]:
        """The values that can be picked besides."""
        taken = self.picked.get(name, ())
        for value in self._values(name):
            more = replace(self, picked={**self.picked, name: (*taken, value)})
            if value not in taken and more.comes_to_an_end:
                yield value

    def _values(self, name: str) -> tuple[Any, ...]:
        slot = self.choice.slots[name]
        return slot.values if isinstance(slot, Subset | Ordered) else ()

    def _may_be(self, name: str, value: Any) -> bool:
        bounded = any(name in bound.slots for bound in self.choice.bounds)
        return not bounded or self._narrowed(name, OneOf((value,))).comes_to_an_end

    # Whether there is a way to the end

    @property
    def comes_to_an_end(self) -> bool:
        """Whether anything that can be said has all that was picked."""
        slots = self.choice.slots
        some = (self._sums(name, None) for name in slots if isinstance(slots[name], Subset | Ordered))
        return all(some) and all(self._is_kept(bound) for bound in self.choice.bounds)

    def _is_kept(self, bound: Total) -> bool:
        sums: Iterable[int] = (0,)
        for name in bound.slots:
            own = self._sums(name, bound)
            sums = {before + more for before in sums for more in own}
        return any(bound.least <= total <= bound.most for total in sums)

    def _sums(self, name: str, bound: Total | None) -> Sums:
        """What a slot can count for in a bound, with all that was picked of it; None: how many values it takes."""
        slot, taken = self.choice.slots[name], self.picked.get(name, ())
        weigh = bound or Total((name,), 0, 0)
        if isinstance(slot, Subset):
            return _sums_of(slot, taken, weigh.weights)
        if isinstance(slot, Ordered):
            return _weighed(slot, taken, slot.values, weigh.weights)
        return frozenset(weigh.amount(name, value) for value in slot)


def _sums_of(slot: Subset, taken: tuple[Any, ...], weights: Mapping[Any, int]) -> Sums:
    """What a subset can weigh that has these. Where some are led by others, it is what their number allows."""
    unled = {slot.needs[value] for value in taken if value in slot.needs}
    unled = {leaders for leaders in unled if set(leaders).isdisjoint(taken)}
    if not slot.covered:
        return _weighed(slot, taken, slot.values, weights, len(unled))
    is_covered = not set(taken).isdisjoint(slot.covered)
    bare = tuple(value for value in slot.values if value not in slot.covered)
    without = frozenset[int]() if is_covered else _weighed(slot, taken, bare, weights)
    return without | _weighed(slot, tuple({*taken, *slot.cover}), slot.values, weights)


def _weighed(
    slot: Subset | Ordered,
    taken: tuple[Any, ...],
    values: tuple[Any, ...],
    weights: Mapping[Any, int],
    missing: int = 0,
) -> Sums:
    """What so many of the values can weigh that these are among; `missing`: how many more are needed at least."""
    least = max(slot.least, len(taken) + missing)
    if not weights:
        return frozenset(range(least, min(slot.most, len({*values, *taken})) + 1))
    found = {(len(taken), sum(weights.get(value, 1) for value in taken))}
    for value in values:
        if value not in taken:
            found |= {(size + 1, total + weights.get(value, 1)) for size, total in found if size < slot.most}
    return frozenset(total for size, total in found if least <= size <= slot.most)


def _named(slot: Slot, word: str, same: Same) -> tuple[Any, ...]:
    """The values of a slot that a word names: one that is said so, else those that it is a part of."""
    whole = tuple(value for value in slot if same(spoken(value)) == word)
    return whole or tuple(value for value in slot if isinstance(value, tuple) and word in _words(value, same))


def _words(value: Any, same: Same) -> set[str]:
    """The words of a value."""
    items = value if isinstance(value, tuple) else (value,)
    return set() if value is None else set(map(same, items))


def _only(slot: Slot) -> Any | None:
    """The one value of a slot; None: it has several."""
    return next(iter(slot)) if slot.count == 1 else None
