"""Mail programs do to a packet what they do to every text; it comes out as it was."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from manglings import LOSSES, MANGLINGS, NBSP, TEXTS, after, ended_by, on_text, quoted, wrapped_at
from packets import ENDINGS, OLDER, PACKET, TEXT, damage_in, taken

from referee.mail.ascii_armor import MailedPackets, encode_ascii_armor, read_mailed_packets

LEVELS, WIDTHS, ENDS = (0, 1, 2, 3), (60, 72, 76, 998), ("\n", "\r\n", "\r")
IN_UTF_8 = {name: mangling for name, mangling in TEXTS.items() if not name.startswith(("UTF", "code", "bytes"))}


@pytest.mark.parametrize("name", MANGLINGS)
def test_nothing_is_lost(name):
    assert set(ENDINGS) == {0, 1, 2}
    for data in ENDINGS.values():
        mail = f"turn 7, blue to move\n\n d4 R2 .. <- here\n\n{encode_ascii_armor(data)}\n".encode()
        assert read_mailed_packets(MANGLINGS[name](mail)) == MailedPackets((data,), ())


@pytest.mark.parametrize("name", MANGLINGS)
def test_two_packets_stay_apart(name):
    both = MANGLINGS[name](f"{TEXT}\nand before:\n{encode_ascii_armor(OLDER)}".encode())
    assert read_mailed_packets(both) == MailedPackets((PACKET, OLDER), ())


@pytest.mark.parametrize("name", LOSSES)
def test_what_is_lost_is_refused(name):
    assert damage_in(LOSSES[name](TEXT.encode())) in ("none", "cut-short", "changed")


@pytest.mark.parametrize(("level", "width"), list(product(LEVELS, WIDTHS)))
def test_quoting_wrapping_line_ends_and_blanks_together(level, width):
    for mark, end, nbsp, marked in product(("> ", ">", "| "), ENDS, (False, True), (False, True)):
        quoting = quoted(mark, level)
        wrapping = wrapped_at(width, mark * level if marked else "")
        blanks = on_text(lambda text: text.replace(" ", NBSP)) if nbsp else bytes
        mail = TEXT.encode()
        assert taken(after(quoting, wrapping, blanks, ended_by(end))(mail)) == (PACKET,)
        assert taken(after(wrapping, quoting, blanks, ended_by(end))(mail)) == (PACKET,)


@given(st.lists(st.sampled_from(sorted(IN_UTF_8)), max_size=4), st.sampled_from(sorted(MANGLINGS)))
def test_one_mangling_after_another_alters_nothing(texts, last):
    steps = [IN_UTF_8[name] for name in texts]
    assert set(taken(after(*steps, MANGLINGS[last])(TEXT.encode()))) <= {PACKET}


def test_most_pairs_of_manglings_lose_nothing():
    pairs = random.Random(4).sample(list(product(IN_UTF_8.values(), MANGLINGS.values())), 1000)
    intact = sum(taken(after(first, second)(TEXT.encode())) == (PACKET,) for first, second in pairs)
    assert intact >= 900
