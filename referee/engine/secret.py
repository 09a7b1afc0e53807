"""Secrets: values that one seat knows and a log never holds.

    >>> card = Secret("red", 7)
    >>> card.value, card.known
    (7, True)
    >>> hide_secrets_from(card, "blue").value
    Traceback (most recent call last):
    referee.engine.secret.UnknownError: only red knows this

A field of an action, an event or a state may be a `Secret[T]`. A log holds it as `{"leaf":"<64 hex>","of":"<seat>"}`. A
reader who can open that leaf gets the secret with its value, decoded as a `T`. All others get it without a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from referee.engine.event import Seat

T = TypeVar("T")


class _Unknown:
    """A stand-in for a value that is not known.

    The class itself is used, never an object of it. So it stays the same in copies and in other processes.
    """


_UNKNOWN: Any = _Unknown
_PLAIN = frozenset((str, int, bool, type(None)))
"""Types whose values contain no other values."""
_CONTAINERS = frozenset((tuple, frozenset, list, dict, Mapping, Union, UnionType))
"""Types that contain values of the types named in their brackets."""


class UnknownError(LookupError):
    """Raised when code asks for a secret that is not known here. `owner` is the seat that knows it."""

    def __init__(self, owner: Seat) -> None:
        super().__init__(owner)
        self.owner = owner

    def __str__(self) -> str:
        return f"only {self.owner} knows this"


class Secret(Generic[T]):
    """A value that belongs to one seat.

    Two known secrets are equal if their owners and their values are equal. Two unknown secrets are equal if their
    owners and their commitments are equal.
    """

    __slots__ = ("_value", "leaf", "owner")

    def __init__(self, owner: Seat, value: T = _UNKNOWN, leaf: str = "") -> None:
        self.owner = owner
        self.leaf = leaf
        """The commitment that stands for the value in a log, as 64 hex digits.

        It is "" until the secret is recorded.
        """
        self._value = value

    @property
    def known(self) -> bool:
        """True if the value is known here."""
        return self._value is not _UNKNOWN

    @property
    def value(self) -> T:
        """The value. Raises UnknownError if it is not known here."""
        if self._value is _UNKNOWN:
            raise UnknownError(self.owner)
        return self._value

    def without_value(self) -> Secret[T]:
        """Returns the same secret without its value."""
        return Secret(self.owner, leaf=self.leaf) if self.known else self

    def with_guess(self, value: T) -> Secret[T]:
        """Returns the secret with a guess in place of an unknown value. A known secret is returned unchanged."""
        return self if self.known else Secret(self.owner, value, self.leaf)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret) or (self.owner, self.known) != (other.owner, other.known):
            return False
        return bool(self._value == other._value if self.known else self.leaf == other.leaf)

    def __hash__(self) -> int:
        return hash((Secret, self.owner, self._value if self.known else self.leaf))

    def __str__(self) -> str:
        """Returns the value in words, or "hidden" if it is not known."""
        return str(self._value) if self.known else "hidden"

    def __repr__(self) -> str:
        return f"Secret({self.owner!r}, {self._value!r})" if self.known else f"Secret({self.owner!r})"


def hide_secrets_from(value: Any, seat: Seat | None) -> Any:
    """Returns a value as a seat may see it: all secrets of other seats lose their value, at any depth.

    None stands for a spectator, who owns nothing. Returns the same object if there is nothing to hide.
    """
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, Secret):
        return value if value.owner == seat else value.without_value()
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in list_secret_fields(value.__class__)}
        changed = _blind_values(fields, seat)
        return replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        changed = _blind_values(value, seat)
        return {**value, **changed} if changed else value
    if isinstance(value, tuple | list | frozenset):
        items = [hide_secrets_from(item, seat) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    return value


@lru_cache(maxsize=1024)
def list_secret_fields(kind: type[Struct]) -> tuple[str, ...]:
    """Returns the names of the fields that may hold secrets. Fields of plain values are left out."""
    try:
        return tuple(field.name for field in fields(kind) if not _is_plain(field.type))
    except NameError:  # the field's type exists for type checkers only
        return kind.__struct_fields__


def _is_plain(kind: Any) -> bool:
    """True if a type can hold only plain values. Notes attached to an annotated type are ignored."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _is_plain(args[0])
    if origin in _CONTAINERS:
        return all(_is_plain(arg) for arg in args if arg is not ...)
    return origin is Literal or kind in _PLAIN


def _blind_values(values: Mapping[Any, Any], seat: Seat | None) -> dict[Any, Any]:
    seen = {key: hide_secrets_from(value, seat) for key, value in values.items()}
    return {key: new for key, new in seen.items() if new is not values[key]}
