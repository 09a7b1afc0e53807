"""Random changes to the bytes of packets, some of them with all hashes made again.

`python tests/mail/tampering.py 10000` makes so many, and tells which were accepted.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from random import Random

from players import Player, at_random, seated

from referee.mail.intake import add_packet_entries
from referee.mail.packet import Packet, PacketError, parse_packet, read_line_hash
from referee.mail.packet_fate import ContinuesLog, decide_packet_fate
from referee.record.log.line_format import BODY_OFFSET, format_entry_line


class Tampering:
    """Changes random bytes of packets on their way to one player."""

    def __init__(self, packets: list[Packet], player: Player) -> None:
        """The player has all packets before the second one."""
        self._player, self._session = player, player.session
        self._packets = packets[:2]

    def accepted(self, seeds: Iterable[int]) -> list[int]:
        """Returns the seeds of the changes that were accepted, or that the player did not notice."""
        return [seed for seed in seeds if self._is_accepted(seed)]

    def _is_accepted(self, seed: int) -> bool:
        random = Random(seed)
        packet = random.choice(self._packets)
        data = packet.encode()
        changed = again(packet, random) if random.random() < 0.4 else altered(data, random)
        if changed == data:
            return False
        try:
            found = parse_packet(changed)
        except PacketError:
            return False
        if found.lines == packet.lines:
            return False  # what its head says besides is for people
        before = self._player.log.read_bytes()
        fate = decide_packet_fate(self._session, found)
        if isinstance(fate, ContinuesLog):
            self._session, verdict = add_packet_entries(self._session, found, fate)
        else:
            verdict = fate.packet_verdict
        return verdict.situation in ("new", "known") or self._player.log.read_bytes() != before


def altered(data: bytes, random: Random) -> bytes:
    """Returns data after one change: a bit, a byte, or a piece that is left out, doubled, moved or replaced."""
    at, length = random.randrange(len(data)), random.choice((1, 1, 2, 8, 100))
    piece = data[at : at + length]
    to = random.randrange(len(data))
    changes = (
        lambda: data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :],
        lambda: data[:at] + random.randbytes(length) + data[at + length :],
        lambda: data[:at] + data[at + length :],
        lambda: data[:at] + piece + data[at:],
        lambda: data[:at] + data[to : to + length] + data[at + length :],
    )
    return random.choice(changes)()


def again(packet: Packet, random: Random) -> bytes:
    """Returns a packet with one entry changed. The entry is still JSON, and all hashes are made again."""
    bodies = [line[BODY_OFFSET:-2] for line in packet.lines]
    at = random.randrange(len(bodies))
    body = bytearray(bodies[at])
    place = random.choice([i for i, byte in enumerate(body) if chr(byte).isalnum()])
    body[place] = ord(random.choice("0123456789abcdef"))
    bodies[at] = bytes(body)
    lines: list[bytes] = []
    prev = packet.head.after
    for old, fresh in zip(packet.lines, bodies, strict=True):
        was = read_line_hash(lines[-1]) if lines else prev
        start = fresh.find(b'"prev":"') + 8
        lines.append(format_entry_line(fresh[:start] + was.encode() + fresh[start + 64 :]) if start > 7 else old)
    head = packet.encode().partition(b"\n")[0].replace(packet.head.head.encode(), read_line_hash(lines[-1]).encode())
    return head + b"\n" + b"".join(lines)


def main(count: int) -> None:
    """Makes this number of changes, and prints those that were accepted."""
    with tempfile.TemporaryDirectory() as place:
        red, blue = seated(Path(place), "red", "blue")
        first, third = blue.sends(0), Player(Path(place) / "third", "third")
        red.receives(first)
        third.opens(first)
        red.plays(at_random, Random(1))
        tampering = Tampering([first, red.sends()], third)
        print(f"{count} changes, accepted: {tampering.accepted(range(count))}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
