"""One spelling for each entry, no characters that control a terminal, no brackets without end."""

from __future__ import annotations

from corrupt.book import AMEND, NOTE, TAKEBACK, THROW, TURN, changed, good, large, lines, respelled, small

# Spelling


@small
def duplicate_key_in_play() -> bytes:
    return respelled(THROW, b'"by":"red",', b'"by":"red","by":"red",')


@small
def duplicate_key_in_note() -> bytes:
    return respelled(NOTE, b'"by":"blue",', b'"by":"red","by":"blue",')


@small
def unsorted_keys() -> bytes:
    return respelled(TURN, b'{"robot":"4","toward":"NW",', b'{"toward":"NW","robot":"4",')


@small
def extra_space_in_play() -> bytes:
    return respelled(THROW, b'"by":"red"', b'"by": "red"')


@small
def extra_space_in_note() -> bytes:
    return respelled(NOTE, b'"by":"blue"', b'"by": "blue"')


@small
def needless_escape() -> bytes:
    return respelled(NOTE, b"wonders", b"\\u0077onders")


@small
def escaped_slash() -> bytes:
    return respelled(AMEND, b"a robot was", b"a\\/robot was")


@small
def float_number() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":0.5')


@small
def float_that_is_whole() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":0.0')


@small
def float_in_play() -> bytes:
    return respelled(THROW, b'"n":2', b'"n":2.0')


@small
def exponent() -> bytes:
    return respelled(TAKEBACK, b'"to":2', b'"to":2e0')


@small
def minus_zero() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":-0')


@small
def not_a_number() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":NaN')


@small
def infinity() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":Infinity')


@small
def number_of_5000_digits() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":' + b"7" * 5000)


@small
def entry_number_of_5000_digits() -> bytes:
    return respelled(THROW, b'"n":2', b'"n":' + b"2" * 5000)


@small
def number_above_2_to_the_53() -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":9007199254740993')


@small
def not_json() -> bytes:
    return respelled(THROW, b'"by":"red"', b'"by":red')


# Characters


@small
def nul_byte_in_text() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\0wonders")


@small
def lone_surrogate() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \\ud83d wonders")


@small
def control_character_escape() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\\u0007wonders")


@small
def c1_control_character() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xc2\x9b31m wonders")


@small
def delete_character_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\x7fwonders")


@small
def delete_character_in_play() -> bytes:
    return respelled(THROW, b"red's throw", b"red's\x7fthrow")


@small
def bidi_override_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xe2\x80\xae wonders")


@small
def line_separator_in_note() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo\xe2\x80\xa8wonders")


@small
def terminal_escape_in_name() -> bytes:
    return changed(0, seats={"red": "\x1b[2JAnna", "blue": "Bo"})


@small
def bidi_override_in_name() -> bytes:
    return changed(0, seats={"red": "\u202eannA", "blue": "Bo"})


@small
def invisible_name() -> bytes:
    return changed(0, seats={"red": "\u3164\u3164", "blue": "Bo"})


@small
def terminal_escape_in_option() -> bytes:
    return changed(0, options=good()[0]["options"] | {"ties": "\x1b]0;owned\x07"})


@small
def invalid_utf_8() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders")


@small
def invalid_utf_8_in_the_last_line() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders", last=True)


@small
def invalid_utf_8_without_newline() -> bytes:
    return respelled(NOTE, b"Bo wonders", b"Bo \xff\xfe wonders", last=True)[:-1]


@small
def invalid_utf_8_in_game_entry() -> bytes:
    return respelled(0, b"Anna", b"Ann\xff")


@small
def text_of_5000_letters() -> bytes:
    return changed(NOTE, text="x" * 5000)


# Brackets


def _amended(value: bytes, *, last: bool = False) -> bytes:
    return respelled(AMEND, b'"moved":0', b'"moved":' + value, last=last)


@small
def brackets_30_deep() -> bytes:
    return _amended(b"[" * 30 + b"]" * 30)


@large
def brackets_30000_deep() -> bytes:
    return _amended(b"[" * 30_000 + b"]" * 30_000)


@large
def brackets_30000_deep_without_newline() -> bytes:
    return _amended(b"[" * 30_000 + b"]" * 30_000, last=True)[:-1]


@large
def brackets_60000_never_closed() -> bytes:
    return _amended(b"[" * 60_000)


@large
def brackets_100000_deep() -> bytes:
    return _amended(b"[" * 100_000 + b"]" * 100_000)


@large
def brackets_100000_bare() -> bytes:
    return b"[" * 100_000


@large
def line_of_10_megabytes() -> bytes:
    return changed(NOTE, text="x" * 10_000_000)


@large
def line_of_10_megabytes_at_the_end() -> bytes:
    return b"".join(lines()) + b"x" * 10_000_000


@large
def first_line_of_10_megabytes() -> bytes:
    return changed(0, seats={"red": "A" * 10_000_000, "blue": "Bo"})
