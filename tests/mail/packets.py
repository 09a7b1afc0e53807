"""Data for packets, and their way into envelopes and out of them."""

from __future__ import annotations

import random

import pytest

from referee.mail.ascii_armor import WORDS, Damage, EnvelopeError, armour_data, read_mailed_packets

ENTRIES = "".join(f'{{"hash":"{n:064x}","entry":{{"n":{n},"type":"note"}}}}\n' for n in range(20)).encode()
NOISE = random.Random(1).randbytes(1500)
PACKET = ENTRIES + NOISE
"""Data of which some can be compressed and some cannot. Its envelope has about thirty lines."""
OLDER = random.Random(2).randbytes(700)
TEXT = armour_data(PACKET)
LONGER = [PACKET + NOISE[:n] for n in range(12)]
ENDINGS = {armour_data(data).count("="): data for data in LONGER}
"""Data whose base64 ends in none, one and two of the sign =, which mail programs write in another way."""


def damage_in(mail: str | bytes) -> Damage:
    """Returns the reason that a mail gives no packet."""
    with pytest.raises(EnvelopeError) as caught:
        read_mailed_packets(mail if isinstance(mail, bytes) else mail.encode())
    assert str(caught.value) == WORDS[caught.value.damage]
    return caught.value.damage


def taken(mail: bytes) -> tuple[bytes, ...]:
    """Returns the data of all packets in a mail; nothing if the mail is refused."""
    try:
        return read_mailed_packets(mail).whole
    except EnvelopeError:
        return ()
