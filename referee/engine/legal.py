"""Legal actions: every action that a seat may take now, complete with its fields, in a stable order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from referee.engine.caching import cached
from referee.engine.choice import NORMAL_WEIGHT, NOT_COUNTED_YET, Choice
from referee.engine.slots import cap_at_maxsize

if TYPE_CHECKING:
    from random import Random


class Choices:
    """Many choices that differ in one value, such as the place to go to. Each choice is made only when it is looked at.

    Usually a player takes only one of them, so most are never made. All choices are minor (see `Choice.minor`), or none
    is.
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
        """Stores the values, and the function that makes a choice from a value.

        `most` is an upper limit for the number of values. If it is given, the values are computed only when somebody
        looks at them.
        """
        self._values, self._make = values, make
        self.each = 1 if minor else NORMAL_WEIGHT
        """The weight of each choice in a random pick."""
        self.most = self.each * (most or 0)
        """The greatest possible weight of all choices together."""
        self.weight = NOT_COUNTED_YET
        """The weight of all choices together; `NOT_COUNTED_YET` until the values are computed."""
        if most is None:
            self.list_values()

    def list_values(self) -> tuple[Any, ...]:
        """Returns the values, and computes them if necessary."""
        if self.weight == NOT_COUNTED_YET:
            self._values = tuple(self._values)
            self.weight = self.most = self.each * len(self._values)
        return self._values  # type: ignore[return-value]  # a tuple by now

    def __iter__(self) -> Iterator[Choice]:
        return map(self._make, self.list_values())

    def __len__(self) -> int:
        return len(self.list_values())

    def __getitem__(self, at: int) -> Choice:
        return self._make(self.list_values()[at])


ChoiceSource = Choice | Choices
"""One choice, or many that are made on demand. A verb offers either."""


def expand_choices(offers: Iterable[ChoiceSource]) -> Iterator[Choice]:
    """Yields the offered choices one by one."""
    return chain.from_iterable(offer if isinstance(offer, Choices) else (offer,) for offer in offers)


class LegalActions:
    """All actions that a seat may take now. It can be iterated, tested with `in`, and counted without listing it.

    >>> from random import Random
    >>> import referee
    >>> legal = referee.table(referee.game_names()[0]).legal()
    >>> bool(legal), legal.pick(Random(1)) in legal
    (True, True)
    """

    def __init__(self, offers: Iterable[ChoiceSource] = ()) -> None:
        self._offers = tuple(offers)

    @cached
    def choices(self) -> tuple[Choice, ...]:
        """All choices as single objects. Those that nobody has looked at yet are made now."""
        return tuple(expand_choices(self._offers))

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.choices)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def count(self) -> int:
        """The number of actions.

        It may exceed what `len` can return, for example when a player has bought many units.
        """
        return sum(choice.count for choice in self.choices)

    def __len__(self) -> int:
        return cap_at_maxsize(self.count)

    def __contains__(self, action: object) -> bool:
        return any(action in choice for choice in expand_choices(self._offers))

    def __repr__(self) -> str:
        return f"Legal({', '.join(map(repr, self.choices))})"

    def pick(self, random: Random) -> Any:
        """Returns a random action.

        All choices are equally likely, except that a minor choice (see `Choice.minor`) is rare. Raises IndexError if
        there is no action.
        """
        offers, share = self._offers, random.random()
        weights = [offer.weight for offer in offers]
        if NOT_COUNTED_YET in weights:
            if clear := self._find_choice(share):
                return clear.pick(random)
            weights = [len(offer) * offer.each if isinstance(offer, Choices) else offer.weight for offer in offers]
        at = int(share * sum(weights))
        for offer, weight in zip(offers, weights, strict=True):
            if at < weight:
                choice = offer[at // offer.each] if isinstance(offer, Choices) else offer
                return choice.pick(random)
            at -= weight
        raise IndexError("there is nothing to pick from")

    def _find_choice(self, share: float) -> Choice | None:
        """Returns the choice at this share of the total weight, from 0 to 1.

        Returns None if the choices that are not counted yet could change the answer.
        """
        least = [max(0, offer.weight) for offer in self._offers]
        most = [offer.weight if isinstance(offer, Choice) else offer.most for offer in self._offers]
        low, high = int(share * sum(least)), int(share * sum(most))
        for offer, fewest, all_ in zip(self._offers, least, most, strict=True):
            if low >= 0 and high < fewest and isinstance(offer, Choice):
                return offer
            low, high = low - all_, high - fewest
        return None

    def filter(self, words: Iterable[Collection[str]]) -> LegalActions:
        """Returns the actions that have to do with every item of `words`.

        An item is a lower-case word together with the words that it stands for.
        """
        choices: Sequence[Choice] = self.choices
        for alike in words:
            narrowed = [choice.narrow(alike) for choice in choices]
            choices = [choice for choice in narrowed if choice is not None]
        return LegalActions(choices)

    @property
    def awaited_roll(self) -> Choice | None:
        """The choice that rolls the dice for which the game is waiting.

        None if the game waits for no dice, or if there are other choices that are not minor.
        """
        whole = self._major_choices
        return whole[0] if len(whole) == 1 and whole[0].need else None

    @property
    def choices_with_roll(self) -> list[Choice]:
        """The choices that begin with a roll, each with the dice it needs."""
        return [choice for choice in self.choices if choice.need]

    def only_action(self) -> Any | None:
        """Returns the only action that a player can mean without naming it; None if there is none, or more than one.

        Minor choices do not count.
        """
        whole = self._major_choices
        return next(iter(whole[0])) if len(whole) == 1 and whole[0].count == 1 else None

    @property
    def _major_choices(self) -> list[Choice]:
        return [choice for choice in self.choices if not choice.minor]

    def forced_action(self) -> Any | None:
        """Returns the action that needs no decision; None if there is none.

        It is the only action, it rolls no dice, and nothing is lost by it.
        """
        if any(choice.need or (choice.minor and not choice.aside) for choice in self.choices):
            return None
        return self.only_action()
