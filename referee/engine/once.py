"""What a value works out about itself once."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class cached(Generic[T]):  # noqa: N801 - a decorator
    """A property that is worked out when first asked for and then kept beside the fields.

    For what is made by the thousand, as states are: `functools.cached_property` of Python 3.11 takes a lock each time,
    which costs more than many of these properties themselves.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        found = instance.__dict__[self._name] = self._work(instance)
        return found


class latest(Generic[T]):  # noqa: N801 - a decorator
    """A function that keeps what it came to last, for when it is given the very same objects again.

    For what follows from parts of a state: most states share most of their parts with the one before.
    """

    def __init__(self, work: Callable[..., T]) -> None:
        self._work = work
        self._kept: tuple[tuple[Any, ...], T] | None = None
        self.__doc__ = work.__doc__

    def __call__(self, *given: Any) -> T:
        """What the function makes of these."""
        kept = self._kept
        if kept is not None and all(map(is_, kept[0], given)):
            return kept[1]
        found = self._work(*given)
        self._kept = given, found
        return found
