"""Data for packets, and their way into envelopes and out of them."""

from __future__ import annotations

import random

import pytest

from referee.mail.ascii_armor import DAMAGE_TEXTS, EnvelopeError, PacketDamage, encode_ascii_armor, read_mailed_packets

ENTRIES = "".join(f'{{"hash":"{n:064x}","entry":{{"n":{n},"type":"note"}}}}\n' for n in range(20)).encode()
NOISE = random.Random(1).randbytes(1500)
PACKET = ENTRIES + NOISE
"""Data of which some can be compressed and some cannot. Its envelope has about thirty lines."""
OLDER = random.Random(2).randbytes(700)
TEXT = encode_ascii_armor(PACKET)
LONGER = [PACKET + NOISE[:n] for n in range(12)]
ENDINGS = {encode_ascii_armor(data).count("="): data for data in LONGER}
"""Data whose base64 ends in none, one and two of the sign =, which mail programs write in another way."""


def damage_in(mail: str | bytes) -> PacketDamage:
    """Returns the reason that a mail gives no packet."""
    with pytest.raises(EnvelopeError) as caught:
        read_mailed_packets(mail if isinstance(mail, bytes) else mail.encode())
    assert str(caught.value) == DAMAGE_TEXTS[caught.value.damage]
    return caught.value.damage


def taken(mail: bytes) -> tuple[bytes, ...]:
    """Returns the data of all packets in a mail; nothing if the mail is refused."""
    try:
        return read_mailed_packets(mail).whole
    except EnvelopeError:
        return ()
