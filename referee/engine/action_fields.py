"""The fields of an action as words: reading, writing, and checking that each keeps to its type.

A field may be a word, a number, one of certain words (`Literal`), a tuple of these, or a `Secret` of any of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from referee.engine.choice import Action
from referee.engine.secret import Secret
from referee.engine.slots import MAX_VALUES_ON_LINE, OneOf
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing, split_words

A = TypeVar("A", bound=Action)


# Writing


def format_fields(kind: type[Action], fields: Mapping[str, Any]) -> str:
    """Returns the words of an action of this kind. A field may be a slot, which is written as all its values."""
    words = {name: format_value(value) for name, value in fields.items()}
    return " ".join(kind.says.format(**words).split())


def format_value(value: Any) -> str:
    """Returns a field, or all values of a slot, as a person types them."""
    if isinstance(value, OneOf):
        return (" / " if len(value) > MAX_VALUES_ON_LINE else "/").join(map(format_value, value))
    if isinstance(value, Secret) and value.known:
        return format_value(value.value)
    return " ".join(map(format_value, value)) if isinstance(value, tuple) else str(value)


# Reading


def parse_action(kind: type[A], reader: PhraseReader) -> A:
    """Reads an action word by word as its `says` shows: fixed words must match, and fields are read by their types.

    A field that is a `Secret` becomes a secret of the player who types it. A tuple takes all words up to the next fixed
    word or verb, but leaves enough for the fields after it. Raises NotUnderstoodError if a word does not fit.
    """
    types, fields = resolve_field_types(kind), {}
    parts = kind.says.split()[1:]
    for at, part in enumerate(parts, 1):
        name = part.strip("{}")
        if name == part:
            _read_fixed(reader, part)
        else:
            fields[name] = _read_field(reader, name, types[name], _count_words_left(reader, parts[at:], types))
    return kind(**fields)


@cache
def resolve_field_types(kind: type[Action]) -> dict[str, Any]:
    """Returns the types of an action's fields. Annotations are text, so they are evaluated once per kind of action."""
    return get_type_hints(kind, include_extras=True)


def _read_fixed(reader: PhraseReader, part: str) -> None:
    word = reader.next(repr(part))
    if word.text != part:
        raise reader.make_word_error(word, repr(part), (part,))


def _count_words_left(reader: PhraseReader, after: Sequence[str], types: Mapping[str, Any]) -> int:
    """Returns how many of the unread words a field may take, if these parts of the action's `says` follow it."""
    fixed = next((part for part in after if not part.startswith("{")), None)
    ends = (at for at, word in enumerate(reader.words) if word.text == fixed or word.text in reader.verbs)
    behind = after[: after.index(fixed)] if fixed else after
    least = sum(_count_least_words(types[part.strip("{}")]) for part in behind)
    return max(0, next(ends, len(reader.words)) - least)


def _read_field(reader: PhraseReader, name: str, type_: Any, most: int) -> Any:
    """Reads a field of this type. A field that is a tuple takes at most `most` words."""
    bare = _strip_notes(type_)
    if get_origin(bare) is Secret:
        return Secret(reader.seat, _read_field(reader, name, get_args(bare)[0], most))
    if get_origin(bare) is tuple:
        items = [(item, _count_least_words(item)) for item in _list_item_types(bare, most // _count_item_words(bare))]
        return tuple(_read_field(reader, name, item, words) for item, words in items)
    word = reader.next(_describe_expected(name, type_))
    try:
        return _convert_word(word.text, type_)
    except msgspec.ValidationError:
        raise _make_misread_error(reader, word, name, type_) from None


def _convert_word(text: str, type_: Any) -> Any:
    try:
        return msgspec.convert(text, type_, strict=False)
    except msgspec.ValidationError:
        from referee.engine.position_form import normalize_names  # few fields have capitals

        return msgspec.convert(normalize_names(type_, text), type_, strict=False)


def _strip_notes(type_: Any) -> Any:
    """Returns a type without the notes that annotate it."""
    return get_args(type_)[0] if get_origin(type_) is Annotated else type_


def _list_item_types(bare: Any, count: int) -> Sequence[Any]:
    """Returns the type of each item of a tuple. If the tuple's length is open, there are `count` items."""
    items = get_args(bare)
    return [items[0]] * count if items[1:] == (...,) else items


def _count_item_words(bare: Any) -> int:
    """Returns the least number of words that one item of an open-ended tuple takes; at least 1."""
    return max(1, _count_least_words(get_args(bare)[0]))


def _count_least_words(type_: Any) -> int:
    """Returns the least number of words that a field of this type takes."""
    bare = _strip_notes(type_)
    if get_origin(bare) is Secret:
        return _count_least_words(get_args(bare)[0])
    return sum(map(_count_least_words, _list_item_types(bare, 0))) if get_origin(bare) is tuple else 1


def _describe_expected(name: str, type_: Any) -> str:
    """Returns a description of the word that belongs in a field."""
    bare = _strip_notes(type_)
    if get_origin(bare) is Literal:
        return f"a {name}: {listing(list(map(str, get_args(bare))), 'or')}"
    if bare is int:
        from referee.engine.position_form import describe_type, inspect_type  # only errors need it

        return f"a {name}: {describe_type(inspect_type(type_))}"
    return f"a {name}"


def _make_misread_error(reader: PhraseReader, word: Word, name: str, type_: Any) -> NotUnderstoodError:
    """Returns the error about a word that does not fit a field of this type."""
    bare = _strip_notes(type_)
    choices = tuple(map(str, get_args(bare))) if get_origin(bare) is Literal else ()
    return reader.make_word_error(word, _describe_expected(name, type_), choices)


# Bounds


def check_field_types(action: Action, reader: PhraseReader) -> None:
    """Raises NotUnderstoodError if a field of an action does not keep to its type, such as a number out of bounds."""
    unfit = find_ill_typed_part(action)
    if unfit:
        name, type_, value = unfit
        typed = format_value(value).lower().split()
        word = next((word for word in split_words(reader.text) if word.text in typed), Word("", 0))
        raise _make_misread_error(reader, word, name, type_)


def find_ill_typed_part(action: Action) -> tuple[str, Any, Any] | None:
    """Returns the first part of an action that does not keep to its type; None if all parts do.

    The result is the name of the field, the type of the part, and its value. A secret that is not known here fits any
    type.
    """
    for name, type_ in resolve_field_types(type(action)).items():
        if name in action.__struct_fields__ and not _fits(getattr(action, name), type_):
            return name, *_find_unfit_part(getattr(action, name), type_)
    return None


def _fits(value: Any, type_: Any) -> bool:
    """True if a value keeps to a type. Secrets are opened for the test and put back afterwards."""
    secrets = deque[Secret[Any]]()

    def open_secret(secret: Any) -> Any:
        if not isinstance(secret, Secret):
            raise TypeError(type(secret).__name__)
        secrets.append(secret)
        return msgspec.to_builtins(secret.value, enc_hook=open_secret) if secret.known else None

    def put_back(kind: Any, plain: Any) -> Any:
        if not secrets:
            raise TypeError(f"{plain!r} is no secret")
        secret = secrets.popleft()
        if get_origin(kind) is Secret and secret.known:
            msgspec.convert(plain, get_args(kind)[0], dec_hook=put_back)
        return secret

    try:
        plain = msgspec.to_builtins(value, enc_hook=open_secret)
        return bool(msgspec.convert(plain, type_, dec_hook=put_back) == value)
    except (msgspec.ValidationError, TypeError):
        return False


def _find_unfit_part(value: Any, type_: Any) -> tuple[Any, Any]:
    """Returns the type and the value of the part that does not fit. Looks for it inside secrets and tuples."""
    bare = _strip_notes(type_)
    if get_origin(bare) is Secret and isinstance(value, Secret):
        return _find_unfit_part(value.value, get_args(bare)[0])
    if get_origin(bare) is tuple and isinstance(value, tuple):
        unfit = ((item, kind) for item, kind in zip(value, _list_item_types(bare, len(value)), strict=False))
        for item, kind in unfit:
            if not _fits(item, kind):
                return _find_unfit_part(item, kind)
    return type_, value
