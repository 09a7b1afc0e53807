"""What a value works out about itself once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


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


def latest(work: Callable[P, T]) -> Callable[P, T]:
    """A function of up to six things that keeps what it came to last, for when it is given the same objects again.

    For what follows from parts of a state: most states share most of their parts with the one before. Asked several
    times of every state, so that one comparison after another is worth being written out.
    """
    many = work.__code__.co_argcount
    kept: tuple[Any, ...] = (object(), None, None, None, None, None, None)

    def known(one: Any, two: Any = None, three: Any = None, four: Any = None, five: Any = None, six: Any = None) -> Any:
        nonlocal kept
        a, b, c, d, e, f, found = kept
        if a is one and b is two and c is three and d is four and e is five and f is six:
            return found
        found = work(*(one, two, three, four, five, six)[:many])  # type: ignore[call-arg]
        kept = (one, two, three, four, five, six, found)
        return found

    known.__doc__ = work.__doc__
    return known  # type: ignore[return-value]
