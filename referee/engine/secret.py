"""Secrets: values that one seat knows and a log never holds.

    >>> card = Secret("red", 7)
    >>> card.value, card.known
    (7, True)
    >>> blinded(card, "blue").value
    Traceback: UnknownError: only red knows this

A field of an action, an event or a state may be a `Secret[T]`. In a log it is `{"leaf":"<64 hex>","of":"<seat>"}`; who
can open the leaf gets it back with its value, decoded as a `T`, and who cannot gets it without.
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
_UNKNOWN: Any = object()
_PLAIN = frozenset((str, int, bool, type(None)))
"""Values of these types hold no others."""
_CONTAINERS = frozenset((tuple, frozenset, list, dict, Mapping, Union, UnionType))
"""What holds values of the types that are named with it."""


class UnknownError(LookupError):
    """Somebody asked for a secret that is not known here; `owner` knows it."""

    def __init__(self, owner: Seat) -> None:
        super().__init__(owner)
        self.owner = owner

    def __str__(self) -> str:
        return f"only {self.owner} knows this"


class Secret(Generic[T]):
    """A value that belongs to one seat. Two are equal if they have the same owner and value, or leaf if unknown."""

    __slots__ = ("_value", "leaf", "owner")

    def __init__(self, owner: Seat, value: T = _UNKNOWN, leaf: str = "") -> None:
        self.owner = owner
        self.leaf = leaf
        """Its leaf, 64 hex digits, once it stands in a log."""
        self._value = value

    @property
    def known(self) -> bool:
        """Whether the value is known here."""
        return self._value is not _UNKNOWN

    @property
    def value(self) -> T:
        """The value; UnknownError where it is not known."""
        if self._value is _UNKNOWN:
            raise UnknownError(self.owner)
        return self._value

    def shut(self) -> Secret[T]:
        """The same secret for those who do not know it."""
        return Secret(self.owner, leaf=self.leaf) if self.known else self

    def guessed(self, value: T) -> Secret[T]:
        """The same secret as somebody may believe it to be who does not know it; itself where it is known."""
        return self if self.known else Secret(self.owner, value, self.leaf)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret) or (self.owner, self.known) != (other.owner, other.known):
            return False
        return bool(self._value == other._value if self.known else self.leaf == other.leaf)

    def __hash__(self) -> int:
        return hash((Secret, self.owner, self._value if self.known else self.leaf))

    def __str__(self) -> str:
        """The value as words, for those who know it."""
        return str(self._value) if self.known else "hidden"

    def __repr__(self) -> str:
        return f"Secret({self.owner!r}, {self._value!r})" if self.known else f"Secret({self.owner!r})"


def blinded(value: Any, seat: Seat | None) -> Any:
    """A value as a seat may see it: the secrets of all others are shut, at any depth. The very value if there are none.

    None is a spectator, who owns nothing.
    """
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, Secret):
        return value if value.owner == seat else value.shut()
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in may_hold(value.__class__)}
        changed = _changed(fields, seat)
        return replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        changed = _changed(value, seat)
        return {**value, **changed} if changed else value
    if isinstance(value, tuple | list | frozenset):
        items = [blinded(item, seat) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    return value


@lru_cache(maxsize=1024)
def may_hold(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a struct that may hold secrets: all but those of plain values, and of nothing but such."""
    try:
        return tuple(field.name for field in fields(kind) if not _is_plain(field.type))
    except NameError:  # types that are known to type checkers only
        return kind.__struct_fields__


def _is_plain(kind: Any) -> bool:
    """Whether everything of a type is plain. What only says of what kind it is may be of a kind that holds more."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _is_plain(args[0])
    if origin in _CONTAINERS:
        return all(_is_plain(arg) for arg in args if arg is not ...)
    return origin is Literal or kind in _PLAIN


def _changed(values: Mapping[Any, Any], seat: Seat | None) -> dict[Any, Any]:
    seen = {key: blinded(value, seat) for key, value in values.items()}
    return {key: new for key, new in seen.items() if new is not values[key]}
