"""QR codes of a game, read back by a decoder that is not ours."""

from __future__ import annotations

from random import Random

import pytest
from decoder import read_off

from referee.page.codes import MOST_BYTES, CodeError, codes_of, from_base45, parts_of, text_in, to_base45

LONG = "".join(Random(1).choices("throw auto blue red 123456789\n", k=20_000))
MANY = 10**6


@pytest.mark.parametrize("text", ["throw\n", "Ünï © 机器人\n", "x" * MOST_BYTES], ids=["short", "letters", "full"])
def test_what_fits_is_one_code_that_holds_the_text_itself(text):
    assert parts_of(text) == [text]
    assert read_off(codes_of([text], "A game")) == [text]


def test_what_does_not_fit_is_compressed():
    text = "red: throw\nblue: auto\n" * 400
    parts = parts_of(text)
    assert len(parts) == 1 and len(parts[0]) < MOST_BYTES
    assert text_in(parts[0], MANY) == text
    assert read_off(codes_of(parts, "A game")) == parts


def test_what_is_long_is_numbered_parts_in_any_order():
    parts = parts_of(LONG)
    assert len(parts) > 2
    off = read_off(codes_of(parts, "A <game> & more"))
    assert off == parts
    assert text_in("\r\n".join([*reversed(off), off[0]]), MANY) == LONG


@pytest.mark.parametrize("missing", [0, 1])
def test_a_part_that_is_missing_is_named(missing):
    parts = parts_of(LONG)
    with pytest.raises(CodeError, match=f"no part {missing + 1}"):
        text_in("\n".join(parts[:missing] + parts[missing + 1 :]), MANY)


def test_parts_of_two_games_are_told_apart():
    one, other = parts_of(LONG), parts_of(LONG[::-1])
    with pytest.raises(CodeError, match="different games"):
        text_in("\n".join([*one, other[0]]), MANY)
    with pytest.raises(CodeError, match=r"different games|base45"):
        text_in("\n".join([other[0], *one[1:]]), MANY)


def test_what_was_changed_or_is_too_long_is_refused():
    (part,) = parts_of("red: throw\n" * 400)
    for bad in (part[:-1], part[:-2] + ".", part.replace("1/1", "2/1"), part.replace("1/1", "0/0"), part.lower()):
        with pytest.raises(CodeError):
            text_in(bad, MANY)
    with pytest.raises(CodeError, match="too long"):
        text_in(part, 1_000)


def test_base45_is_that_of_its_standard():
    assert to_base45(b"Hello!!") == "%69 VD92EX0"
    assert to_base45(b"base-45") == "UJCLQE7W581"
    assert from_base45("QED8WEX0") == b"ietf!"
    for bad in ("GGW", ":::", "A"):
        with pytest.raises(CodeError):
            from_base45(bad)
    data = Random(2).randbytes(999)
    assert from_base45(to_base45(data)) == data
