"""Secrets that are made to do harm: too large, too deep, with characters that control a terminal, oddly spelled.

Nobody sees such a secret before it is revealed, and a reader looks ahead to the reveal.
"""

from __future__ import annotations

import msgspec

from corrupt.book import Document, large, small
from corrupt.hidden import GLOW, MOVED, REVEAL, hidden, written
from referee.record.entry import BODY_AT, MAX_LINE, encode, frame


def _sealed_as(value: bytes, n: int = MOVED) -> bytes:
    """The game in which just these bytes were sealed, and are revealed."""
    documents = hidden()
    documents[n]["secret"] = msgspec.Raw(value)
    return written(documents)


def _revealed_as(value: bytes) -> bytes:
    """The game in which these bytes are revealed instead of what was sealed."""
    documents = hidden()
    documents[REVEAL]["secret"] = msgspec.Raw(value)
    return written(documents)


def _respelt(old: bytes, new: bytes, n: int = MOVED) -> bytes:
    """A secret with other bytes in it."""
    value = encode(hidden()[n]["secret"])
    assert old in value, (old, value)
    return value.replace(old, new, 1)


def _ending(more: bytes) -> bytes:
    """A move that ends the game, with more in its outcome than belongs there: only spelling tells."""
    outcome = b'{"because":"over","more":%b,"scores":[],"winners":[]}' % more
    return _respelt(b'"events":[', b'"events":[{"outcome":%b,"type":"ended"},' % outcome)


def _glowing(purpose: bytes) -> bytes:
    """Dice thrown for something that nobody would want on his terminal."""
    return _respelt(b'"purpose":"Glow', b'"purpose":"%b' % purpose, GLOW)


# Size


def _of_size(size: int) -> bytes:
    """The game with a secret that makes its reveal a line of just this size."""
    documents = hidden()
    secret: Document = documents[MOVED]["secret"]
    idle: Document = {"type": "held"}
    padding: Document = {"type": "placed", "place": "E6", "units": [_name(1), _name(1)]}
    secret["events"].append(padding)
    spare = size - len(written(documents).splitlines(keepends=True)[REVEAL])
    idles, rest = divmod(spare, len(encode(idle)) + 1)
    secret["events"] += [idle] * idles
    padding["units"] = [_name(1 + min(rest, 9)), _name(1 + max(0, rest - 9))]
    log = written(documents)
    assert len(log.splitlines(keepends=True)[REVEAL]) == size
    return log


def _name(size: int) -> str:
    return "a" * min(size, 8) + "1" * (size - 8)


@large
def secret_as_large_as_a_line() -> bytes:
    return _of_size(MAX_LINE + 1)  # with its line feed


@large
def secret_larger_than_a_line() -> bytes:
    return _of_size(MAX_LINE + 2)


@large
def secret_of_10_megabytes() -> bytes:
    return _sealed_as(_respelt(b"n1", b"n" * 10_000_000))


@small
def string_of_5000_letters_in_a_secret() -> bytes:
    return _sealed_as(_ending(b'"%b"' % (b"x" * 5_000)))


# Depth


@small
def brackets_30_deep_in_a_secret() -> bytes:
    return _sealed_as(_ending(b"[" * 30 + b"]" * 30))


@small
def brackets_30_deep_in_a_reveal() -> bytes:
    return _revealed_as(_ending(b"[" * 30 + b"]" * 30))


@large
def brackets_1000_deep_in_a_secret() -> bytes:
    return _sealed_as(_ending(b"[" * 1_000 + b"]" * 1_000))


@large
def brackets_30000_deep_in_a_secret() -> bytes:
    return _sealed_as(_ending(b"[" * 30_000 + b"]" * 30_000))


@large
def brackets_60000_never_closed_in_a_reveal() -> bytes:
    return _revealed_as(b"[" * 60_000)


# Characters and spelling


@small
def terminal_escape_in_a_secret() -> bytes:
    return _sealed_as(_ending(b'"\\u001b[2J"'))


@small
def bidi_override_in_a_secret() -> bytes:
    return _sealed_as(_glowing("\u202eglow".encode()), GLOW)


@small
def c1_control_character_in_a_secret() -> bytes:
    return _sealed_as(_glowing(b"\xc2\x9b31m"), GLOW)


@small
def control_character_in_a_reveal() -> bytes:
    return _revealed_as(_glowing(b"\xc2\x9b31m"))


@small
def lone_surrogate_in_a_secret() -> bytes:
    return _sealed_as(_glowing(b"\\ud83d"), GLOW)


@small
def invalid_utf_8_in_a_secret() -> bytes:
    return _sealed_as(_glowing(b"\xff\xfe"), GLOW)


@small
def extra_space_in_a_secret() -> bytes:
    return _sealed_as(_respelt(b'"to":"E6"', b'"to": "E6"'))


@small
def extra_space_in_a_reveal() -> bytes:
    return _revealed_as(_respelt(b'"to":"E6"', b'"to": "E6"'))


@small
def extra_space_under_the_leaf() -> bytes:
    """Sealed with a space, revealed without it."""
    documents = hidden()
    documents[REVEAL]["secret"] = documents[MOVED]["secret"]
    documents[MOVED]["secret"] = msgspec.Raw(_respelt(b'"to":"E6"', b'"to": "E6"'))
    return written(documents)


@small
def duplicate_key_in_a_secret() -> bytes:
    return _sealed_as(_respelt(b'"to":"E6"', b'"to":"D4","to":"E6"'))


@small
def unsorted_keys_in_a_secret() -> bytes:
    return _sealed_as(_respelt(b'"rolls":[],"type":"play"', b'"type":"play","rolls":[]'))


@small
def unknown_field_in_a_secret() -> bytes:
    return _sealed_as(_respelt(b'"type":"play"', b'"type":"play","why":"nobody looks"'))


@small
def unknown_field_in_a_result() -> bytes:
    return _sealed_as(_ending(b'"nobody looks"'))


@small
def float_in_a_secret() -> bytes:
    return _sealed_as(_ending(b"0.5"))


@small
def number_of_5000_digits_in_a_secret() -> bytes:
    return _sealed_as(_ending(b"7" * 5_000))


@small
def number_of_5000_digits_in_a_reveal() -> bytes:
    kept = written(hidden()).splitlines(keepends=True)
    body = kept[REVEAL][BODY_AT:-2].replace(b'"of":1,', b'"of":%b,' % (b"1" * 5_000))
    return b"".join([*kept[:REVEAL], frame(body)])


@small
def salt_too_short() -> bytes:
    documents = hidden()
    documents[REVEAL]["salt"] = "00"
    return written(documents)
