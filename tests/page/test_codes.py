"""QR codes of a game, read back by a decoder that is not ours."""

from __future__ import annotations

from random import Random

import pytest
from decoder import read_off

from referee.page.qr_text import (
    MAX_CODE_BYTES,
    CodeError,
    decode_base45,
    draw_qr_codes,
    encode_base45,
    join_qr_parts,
    split_for_qr_codes,
)

LONG = "".join(Random(1).choices("throw auto blue red 123456789\n", k=20_000))
MANY = 10**6


@pytest.mark.parametrize("text", ["throw\n", "Ünï © 机器人\n", "x" * MAX_CODE_BYTES], ids=["short", "letters", "full"])
def test_what_fits_is_one_code_that_holds_the_text_itself(text):
    assert split_for_qr_codes(text) == [text]
    assert read_off(draw_qr_codes([text], "A game")) == [text]


def test_what_does_not_fit_is_compressed():
    text = "red: throw\nblue: auto\n" * 400
    parts = split_for_qr_codes(text)
    assert len(parts) == 1 and len(parts[0]) < MAX_CODE_BYTES
    assert join_qr_parts(parts[0], MANY) == text
    assert read_off(draw_qr_codes(parts, "A game")) == parts


def test_what_is_long_is_numbered_parts_in_any_order():
    parts = split_for_qr_codes(LONG)
    assert len(parts) > 2
    off = read_off(draw_qr_codes(parts, "A <game> & more"))
    assert off == parts
    assert join_qr_parts("\r\n".join([*reversed(off), off[0]]), MANY) == LONG


@pytest.mark.parametrize("missing", [0, 1])
def test_a_part_that_is_missing_is_named(missing):
    parts = split_for_qr_codes(LONG)
    with pytest.raises(CodeError, match=f"part {missing + 1} is missing"):
        join_qr_parts("\n".join(parts[:missing] + parts[missing + 1 :]), MANY)


def test_parts_of_two_games_are_told_apart():
    one, other = split_for_qr_codes(LONG), split_for_qr_codes(LONG[::-1])
    with pytest.raises(CodeError, match="different games"):
        join_qr_parts("\n".join([*one, other[0]]), MANY)
    with pytest.raises(CodeError, match=r"different games|letters of these codes were changed"):
        join_qr_parts("\n".join([other[0], *one[1:]]), MANY)


def test_what_was_changed_or_is_too_long_is_refused():
    (part,) = split_for_qr_codes("red: throw\n" * 400)
    for bad in (part[:-1], part[:-2] + ".", part.replace("1/1", "2/1"), part.replace("1/1", "0/0"), part.lower()):
        with pytest.raises(CodeError):
            join_qr_parts(bad, MANY)
    with pytest.raises(CodeError, match="hold too much for a game"):
        join_qr_parts(part, 1_000)


def test_base45_is_that_of_its_standard():
    assert encode_base45(b"Hello!!") == "%69 VD92EX0"
    assert encode_base45(b"base-45") == "UJCLQE7W581"
    assert decode_base45("QED8WEX0") == b"ietf!"
    for bad in ("GGW", ":::", "A"):
        with pytest.raises(CodeError):
            decode_base45(bad)
    data = Random(2).randbytes(999)
    assert decode_base45(encode_base45(data)) == data
