"""Caching: a property that a value computes once, and a function that remembers its latest result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class cached(Generic[T]):  # noqa: N801 - a decorator
    """A property that is computed on first use and then kept with the object.

    It is meant for values that exist by the thousand, as states do. `functools.cached_property` of Python 3.11 takes a
    lock each time, which costs more than computing many of these properties.

        >>> class Square:
        ...     def __init__(self, side):
        ...         self.side = side
        ...     @cached
        ...     def area(self):
        ...         return self.side**2
        >>> Square(3).area
        9
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        found = instance.__dict__[self._name] = self._work(instance)
        return found


def cache_latest(work: Callable[P, T]) -> Callable[P, T]:
    """Makes a function of up to six arguments remember its latest result, for a call with the same objects.

    It is meant for results that depend on parts of a state, because one state shares most of its parts with the next.
    The function is called several times for every state, so the comparisons are written out for speed.
    """
    many = work.__code__.co_argcount
    kept: tuple[Any, ...] = (object(), None, None, None, None, None, None)

    def recall(
        one: Any, two: Any = None, three: Any = None, four: Any = None, five: Any = None, six: Any = None
    ) -> Any:
        nonlocal kept
        a, b, c, d, e, f, found = kept
        if a is one and b is two and c is three and d is four and e is five and f is six:
            return found
        found = work(*(one, two, three, four, five, six)[:many])  # type: ignore[call-arg]
        kept = (one, two, three, four, five, six, found)
        return found

    recall.__doc__ = work.__doc__
    return recall  # type: ignore[return-value]
