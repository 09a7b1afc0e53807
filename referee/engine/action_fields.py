"""The fields of an action in words: how each kind is read and written, and whether it keeps to the bounds of its type.

A field may be a word, a number, one of some words (`Literal`), a tuple of such, or a `Secret` of any of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from referee.engine.legal import SHORT, Action, OneOf
from referee.engine.secret import Secret
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing, words_of

A = TypeVar("A", bound=Action)


# Writing


def worded(kind: type[Action], fields: Mapping[str, Any]) -> str:
    """The words of an action with these fields, or with the values of these slots."""
    words = {name: spoken(value) for name, value in fields.items()}
    return " ".join(kind.says.format(**words).split())


def spoken(value: Any) -> str:
    """A field, or all values of a slot, as a person types them."""
    if isinstance(value, OneOf):
        return (" / " if len(value) > SHORT else "/").join(map(spoken, value))
    if isinstance(value, Secret) and value.known:
        return spoken(value.value)
    return " ".join(map(spoken, value)) if isinstance(value, tuple) else str(value)


# Reading


def read_as_said(kind: type[A], reader: PhraseReader) -> A:
    """An action read word by word as its `says` has it: words that must be there, and fields by their types.

    A field that is a `Secret` is a secret of who says it. A tuple takes all words up to the next one that must be
    there, or up to a verb, but leaves enough for the fields behind it.
    """
    types, fields = types_of(kind), {}
    parts = kind.says.split()[1:]
    for at, part in enumerate(parts, 1):
        name = part.strip("{}")
        if name == part:
            _read_fixed(reader, part)
        else:
            fields[name] = _read_field(reader, name, types[name], _words_left(reader, parts[at:], types))
    return kind(**fields)


@cache
def types_of(kind: type[Action]) -> dict[str, Any]:
    """The types of its fields, which are worked out from text: once for each kind of action."""
    return get_type_hints(kind, include_extras=True)


def _read_fixed(reader: PhraseReader, part: str) -> None:
    word = reader.next(repr(part))
    if word.text != part:
        raise reader.misread(word, repr(part), (part,))


def _words_left(reader: PhraseReader, after: Sequence[str], types: Mapping[str, Any]) -> int:
    """How many words a field may take that is followed by these parts."""
    fixed = next((part for part in after if not part.startswith("{")), None)
    ends = (at for at, word in enumerate(reader.words) if word.text == fixed or word.text in reader.verbs)
    behind = after[: after.index(fixed)] if fixed else after
    least = sum(_least_words(types[part.strip("{}")]) for part in behind)
    return max(0, next(ends, len(reader.words)) - least)


def _read_field(reader: PhraseReader, name: str, type_: Any, most: int) -> Any:
    """A field of a type, which takes so many words at the most if it is a tuple."""
    bare = _bare(type_)
    if get_origin(bare) is Secret:
        return Secret(reader.seat, _read_field(reader, name, get_args(bare)[0], most))
    if get_origin(bare) is tuple:
        items = [(item, _least_words(item)) for item in _items(bare, most // _words_of_item(bare))]
        return tuple(_read_field(reader, name, item, words) for item, words in items)
    word = reader.next(_expected(name, type_))
    try:
        return _converted(word.text, type_)
    except msgspec.ValidationError:
        raise _misread(reader, word, name, type_) from None


def _converted(text: str, type_: Any) -> Any:
    try:
        return msgspec.convert(text, type_, strict=False)
    except msgspec.ValidationError:
        from referee.engine.fields import respelt  # hardly any field has capitals

        return msgspec.convert(respelt(type_, text), type_, strict=False)


def _bare(type_: Any) -> Any:
    """A type without what is only said about it."""
    return get_args(type_)[0] if get_origin(type_) is Annotated else type_


def _items(bare: Any, count: int) -> Sequence[Any]:
    """The type of each item of a tuple; there are so many, if its type leaves open how many."""
    items = get_args(bare)
    return [items[0]] * count if items[1:] == (...,) else items


def _words_of_item(bare: Any) -> int:
    """How many words an item of a tuple takes at the least, which are all alike; 1 or more."""
    return max(1, _least_words(get_args(bare)[0]))


def _least_words(type_: Any) -> int:
    """How many words a field of a type takes at the least."""
    bare = _bare(type_)
    if get_origin(bare) is Secret:
        return _least_words(get_args(bare)[0])
    return sum(map(_least_words, _items(bare, 0))) if get_origin(bare) is tuple else 1


def _expected(name: str, type_: Any) -> str:
    """What has to stand where a field is read."""
    bare = _bare(type_)
    if get_origin(bare) is Literal:
        return f"a {name}: {listing(list(map(str, get_args(bare))), 'or')}"
    if bare is int:
        from referee.engine.fields import described, type_of  # nobody was misunderstood so far

        return f"a {name}: {described(type_of(type_))}"
    return f"a {name}"


def _misread(reader: PhraseReader, word: Word, name: str, type_: Any) -> NotUnderstoodError:
    """The error about a word that no field of this type can be."""
    bare = _bare(type_)
    choices = tuple(map(str, get_args(bare))) if get_origin(bare) is Literal else ()
    return reader.misread(word, _expected(name, type_), choices)


# Bounds


def check_bounds(action: Action, reader: PhraseReader) -> None:
    """NotUnderstoodError where a field of an action that was read is not what its type says: a number out of bounds."""
    unfit = misfit_of(action)
    if unfit:
        name, type_, value = unfit
        said = spoken(value).lower().split()
        word = next((word for word in words_of(reader.text) if word.text in said), Word("", 0))
        raise _misread(reader, word, name, type_)


def misfit_of(action: Action) -> tuple[str, Any, Any] | None:
    """The first part of an action that is not what the type of its field says: the name of the field, the type of the
    part, and its value; None: all are. A secret that is not known here may be anything.
    """
    for name, type_ in types_of(type(action)).items():
        if name in action.__struct_fields__ and not _fits(getattr(action, name), type_):
            return name, *_unfit_part(getattr(action, name), type_)
    return None


def _fits(value: Any, type_: Any) -> bool:
    """Whether a value is what a type says. Secrets are opened on the way, and put back as they are."""
    secrets = deque[Secret[Any]]()

    def opened(secret: Any) -> Any:
        if not isinstance(secret, Secret):
            raise TypeError(type(secret).__name__)
        secrets.append(secret)
        return msgspec.to_builtins(secret.value, enc_hook=opened) if secret.known else None

    def put_back(kind: Any, plain: Any) -> Any:
        if not secrets:
            raise TypeError(f"{plain!r} is no secret")
        secret = secrets.popleft()
        if get_origin(kind) is Secret and secret.known:
            msgspec.convert(plain, get_args(kind)[0], dec_hook=put_back)
        return secret

    try:
        plain = msgspec.to_builtins(value, enc_hook=opened)
        return bool(msgspec.convert(plain, type_, dec_hook=put_back) == value)
    except (msgspec.ValidationError, TypeError):
        return False


def _unfit_part(value: Any, type_: Any) -> tuple[Any, Any]:
    """The part of a value that does not fit, within secrets and tuples, with its type."""
    bare = _bare(type_)
    if get_origin(bare) is Secret and isinstance(value, Secret):
        return _unfit_part(value.value, get_args(bare)[0])
    if get_origin(bare) is tuple and isinstance(value, tuple):
        unfit = ((item, kind) for item, kind in zip(value, _items(bare, len(value)), strict=False))
        for item, kind in unfit:
            if not _fits(item, kind):
                return _unfit_part(item, kind)
    return type_, value
