"""Partial actions: a choice that a player fills in step by step.

Each step keeps only what can still lead to a legal action. Slots are filled one at a time. Their bounds on each other
are counted, never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_fields import format_value
from referee.engine.choice import Action, Choice, SumConstraint, find_action_tag
from referee.engine.slots import OneOf, Ordered, Slot, Subset

MAX_VALUES_OFFERED_WHOLE = 24
"""The most values of several words that a slot offers whole. A longer list is offered word by word."""
FormatWord = Callable[[Any], str]
"""A function that turns a value into a word, such as its lower-case form."""
Amounts = frozenset[int]
"""The amounts that a slot can have (`SumConstraint`)."""


def format_in_lower_case(value: Any) -> str:
    """Returns a value as a lower-case word."""
    return str(value).lower()


class PartialAction(Struct, frozen=True):
    """A choice, together with the values that were picked for its slots so far."""

    choice: Choice
    """The choice. A slot whose value is settled has only that value."""
    picked: Mapping[str, tuple[Any, ...]] = {}
    """The values picked for slots that take several, in the order in which they were named."""

    @property
    def tag(self) -> str:
        """The name of this kind of action in logs."""
        return find_action_tag(self.choice.kind)

    # Filling in

    def narrow_by_word(self, word: str, same: FormatWord = str) -> PartialAction | None:
        """Returns the partial action narrowed to the actions that have to do with a word; None if there are none.

        The word may belong to the phrase of the action, or name a value of the first open slot that takes it. If it
        names the only value of a slot, nothing changes. `same` turns values into words for the comparison.
        """
        names = sorted(self.choice.slots, key=lambda name: self.choice.kind.says.find(f"{{{name}}}"))
        if word in self.choice.kind.says.split():
            return self
        filled = (self.fill_slot(name, word, same) for name in names if self.find_only_value(name) is None)
        found = next((one for one in filled if one is not None), None)
        if found is None and any(word in _list_words(self.find_only_value(name), same) for name in names):
            return self
        return found

    def fill_slot(self, name: str, word: str, same: FormatWord = str) -> PartialAction | None:
        """Returns the partial action after a word has named a value of a slot; None if no action fits the word.

        A slot that takes several values gets one more. Any other slot is narrowed to the values that the word may mean.
        """
        slot = self.choice.slots.get(name)
        if isinstance(slot, Subset | Ordered):
            taken = self.picked.get(name, ())
            value = next(
                (candidate for candidate in slot.values if same(candidate) == word and candidate not in taken), None
            )
            draft = None if value is None else replace(self, picked={**self.picked, name: (*taken, value)})
        else:
            left = () if slot is None else _find_values(slot, word, same)
            draft = self._narrow_slot(name, OneOf(left)) if left else None
        return draft if draft is not None and draft.can_be_completed else None

    def close_slot(self, name: str) -> PartialAction | None:
        """Returns the partial action after closing a slot, which then takes nothing more; None if something is still
        missing.
        """
        value = self.find_default_value(name)
        if value is None:
            return None
        draft = replace(
            self._narrow_slot(name, OneOf((value,))), picked={k: v for k, v in self.picked.items() if k != name}
        )
        return draft if draft.can_be_completed else None

    def _narrow_slot(self, name: str, slot: Slot) -> PartialAction:
        choice = self.choice
        slots: dict[str, Any] = {**choice.slots, name: slot}
        narrow = Choice(choice.kind, choice.need, choice.bounds, minor=choice.minor, aside=choice.aside, **slots)
        return replace(self, choice=narrow)

    def narrow_to_action(self, action: Action) -> PartialAction:
        """Returns the partial action narrowed to one action."""
        choice = self.choice
        slots: dict[str, Any] = {name: OneOf((getattr(action, name),)) for name in choice.slots}
        return PartialAction(Choice(choice.kind, choice.need, minor=choice.minor, aside=choice.aside, **slots))

    # The result so far

    def find_only_value(self, name: str) -> Any | None:
        """Returns the only value that a slot can still have; None if there are several."""
        slot = self.choice.slots[name]
        if isinstance(slot, Subset | Ordered):
            taken = self._sort_picked(name)
            is_full = taken in slot and not any(True for _ in self._list_more_values(name))
            return taken if is_full else _find_only_value_in(slot) if slot.count == 1 else None
        return _find_only_value_in(slot)

    def describe_slot(self, name: str) -> str:
        """Returns the words of a slot so far, with "..." at the end if it is open."""
        value = self.find_only_value(name)
        if value is not None:
            return format_value(value)
        return " ".join([*map(str, self.picked.get(name, ())), "..."])

    def make_action(self) -> Action | None:
        """Returns the action that results if the player adds nothing more; None if something is missing."""
        fields = {name: self.find_default_value(name) for name in self.choice.slots}
        if any(value is None for value in fields.values()):
            return None
        action = self.choice.kind(**fields)
        return action if action in self.choice else None

    def has_default_value(self, name: str) -> bool:
        """True if the player need not add anything more to a slot."""
        return self.find_default_value(name) is not None

    def find_default_value(self, name: str) -> Any | None:
        """Returns the value of a slot if the player adds nothing more; None if something is missing."""
        slot = self.choice.slots[name]
        if not isinstance(slot, Subset | Ordered):
            return _find_only_value_in(slot)
        taken = self._sort_picked(name)
        return taken if taken in slot else _find_only_value_in(slot) if slot.count == 1 else None

    def list_actions(self, most: int) -> Iterator[Action]:
        """Yields the actions that are still possible, among the first `most` actions of the choice."""
        return (action for action in islice(self.choice, most) if self._has_picked(action))

    def _has_picked(self, action: Action) -> bool:
        return all(
            set(taken) <= set(getattr(action, name))
            if isinstance(self.choice.slots[name], Subset)
            else getattr(action, name)[: len(taken)] == taken
            for name, taken in self.picked.items()
        )

    def _sort_picked(self, name: str) -> tuple[Any, ...]:
        """Returns the values picked for a slot.

        Those of a `Subset` are in the order of the slot, others in the order in which they were picked.
        """
        slot, taken = self.choice.slots[name], self.picked.get(name, ())
        if isinstance(slot, Subset):
            return tuple(value for value in slot.values if value in taken)
        return taken

    # Possible additions

    def list_next_words(self, name: str) -> Iterator[str]:
        """Yields the words that can be added to a slot. Each of them can lead to an action."""
        slot = self.choice.slots[name]
        if isinstance(slot, Subset | Ordered):
            yield from map(str, self._list_more_values(name))
            return
        values: list[Any] = [value for value in slot if self._may_be(name, value)]
        if len(values) > MAX_VALUES_OFFERED_WHOLE and any(
            isinstance(value, tuple) and len(value) > 1 for value in values
        ):
            shared = set[Any].intersection(*(set(value) for value in values))
            yield from dict.fromkeys(str(item) for value in values for item in value if item not in shared)
            values = [value for value in values if len(value) == len(shared)]
        yield from map(format_value, values)

    def _list_more_values(self, name: str) -> Iterator[Any]:
        """Yields the values that can still be picked for a slot that takes several."""
        taken = self.picked.get(name, ())
        for value in self._list_values(name):
            more = replace(self, picked={**self.picked, name: (*taken, value)})
            if value not in taken and more.can_be_completed:
                yield value

    def _list_values(self, name: str) -> tuple[Any, ...]:
        slot = self.choice.slots[name]
        return slot.values if isinstance(slot, Subset | Ordered) else ()

    def _may_be(self, name: str, value: Any) -> bool:
        bounded = any(name in bound.slots for bound in self.choice.bounds)
        return not bounded or self._narrow_slot(name, OneOf((value,))).can_be_completed

    # Tests for a possible end

    @property
    def can_be_completed(self) -> bool:
        """True if some action contains everything that was picked."""
        slots = self.choice.slots
        some = (self._list_sums(name, None) for name in slots if isinstance(slots[name], Subset | Ordered))
        return all(some) and all(self._can_satisfy(bound) for bound in self.choice.bounds)

    def _can_satisfy(self, bound: SumConstraint) -> bool:
        sums: Iterable[int] = (0,)
        for name in bound.slots:
            own = self._list_sums(name, bound)
            sums = {before + more for before in sums for more in own}
        return any(bound.least <= total <= bound.most for total in sums)

    def _list_sums(self, name: str, bound: SumConstraint | None) -> Amounts:
        """Returns the amounts that a slot can have, given the values picked so far. `bound` gives the weight of each
        value.

        Without a bound, the amount is the number of values.
        """
        slot, taken = self.choice.slots[name], self.picked.get(name, ())
        weigh = bound or SumConstraint((name,), 0, 0)
        if isinstance(slot, Subset):
            return _sum_subsets(slot, taken, weigh.weights)
        if isinstance(slot, Ordered):
            return _sum_selections(slot, taken, slot.values, weigh.weights)
        return frozenset(weigh.count_amount(name, value) for value in slot)


def _sum_subsets(slot: Subset, taken: tuple[Any, ...], weights: Mapping[Any, int]) -> Amounts:
    """Returns the possible total weights of a subset that includes the values of `taken`.

    If a taken value needs a leader that is not taken yet, one more value is needed. Which leader it is stays open here.
    """
    unled = {slot.needs[value] for value in taken if value in slot.needs}
    unled = {leaders for leaders in unled if set(leaders).isdisjoint(taken)}
    if not slot.covered:
        return _sum_selections(slot, taken, slot.values, weights, len(unled))
    is_covered = not set(taken).isdisjoint(slot.covered)
    bare = tuple(value for value in slot.values if value not in slot.covered)
    without = frozenset[int]() if is_covered else _sum_selections(slot, taken, bare, weights)
    return without | _sum_selections(slot, tuple({*taken, *slot.cover}), slot.values, weights)


def _sum_selections(
    slot: Subset | Ordered,
    taken: tuple[Any, ...],
    values: tuple[Any, ...],
    weights: Mapping[Any, int],
    missing: int = 0,
) -> Amounts:
    """Returns the set of total weights that selections can have if they include `taken` and at least `missing`
    more values.
    """
    least = max(slot.least, len(taken) + missing)
    if not weights:
        return frozenset(range(least, min(slot.most, len({*values, *taken})) + 1))
    found = {(len(taken), sum(weights.get(value, 1) for value in taken))}
    for value in values:
        if value not in taken:
            found |= {(size + 1, total + weights.get(value, 1)) for size, total in found if size < slot.most}
    return frozenset(total for size, total in found if least <= size <= slot.most)


def _find_values(slot: Slot, word: str, same: FormatWord) -> tuple[Any, ...]:
    """Returns the values of a slot that a word names: exact matches, else tuples that contain the word."""
    whole = tuple(value for value in slot if same(format_value(value)) == word)
    return whole or tuple(value for value in slot if isinstance(value, tuple) and word in _list_words(value, same))


def _list_words(value: Any, same: FormatWord) -> set[str]:
    """Returns the words of a value, as `same` writes them."""
    items = value if isinstance(value, tuple) else (value,)
    return set() if value is None else set(map(same, items))


def _find_only_value_in(slot: Slot) -> Any | None:
    """Returns the only value of a slot; None if it has several."""
    return next(iter(slot)) if slot.count == 1 else None
