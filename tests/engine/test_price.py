"""A price that is too high, in words and as a fact."""

from __future__ import annotations

import msgspec

from referee.engine.rulebook import Price, Refusal, refuse_price


def test_a_price_reads_as_a_clause():
    assert str(Price(12, 11, "point")) == "12 points are needed, you have 11"
    assert str(Price(1, 0, "Movement Point", "i1")) == "1 Movement Point is needed, i1 has 0"


def test_a_refusal_tells_its_price_in_words_and_as_a_fact():
    price = Price(2, 1, "free place", "JAK")
    refusal = refuse_price("tile.4", price, "a player carries at most three")
    assert refusal == Refusal("tile.4", "a player carries at most three: 2 free places are needed, JAK has 1", price)
    assert msgspec.json.decode(msgspec.json.encode(refusal))["price"]["needed"] == 2


def test_a_refusal_without_a_price_is_written_as_before():
    assert msgspec.json.encode(Refusal("1.2", "no")) == b'{"rule":"1.2","because":"no"}'
