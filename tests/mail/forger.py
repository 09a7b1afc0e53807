"""A forger, who writes any entries with a program of their own. Nothing is checked before it is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from players import AT, Player

from referee.mail.key import Key
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import PACKET_FORMAT, Packet, PacketHead, read_line_hash
from referee.record.log.entry import AnyEntry, SealEntry, encode_for_log
from referee.record.log.line_format import NO_PREVIOUS_HASH, format_entry_line
from referee.record.table.signed_texts import make_seal_text


class Forger:
    """A log that a cheat writes. Nothing in it is checked."""

    def __init__(self, player: Player, upto: int | None = None) -> None:
        """Begins with the log of a player, or with its entries up to `upto`."""
        self.player, self.desk = player, MailPlayer(player.session, player.key)
        self.lines = player.log.read_bytes().splitlines(keepends=True)[:upto]
        self.game_id, self.record_id = self.desk.protocol.game_id, self.desk.protocol.record_id

    @property
    def head(self) -> str:
        return read_line_hash(self.lines[-1])

    def add(self, draft: Callable[..., AnyEntry], **fields: Any) -> Forger:
        """Adds an entry: a type with its fields, or a draft that lacks only number, hash and time."""
        entry = partial(draft, **fields)(n=len(self.lines), prev=self.head, at=AT)
        return self.add_bytes(encode_for_log(entry))

    def add_bytes(self, body: bytes) -> Forger:
        self.lines.append(format_entry_line(body))
        return self

    def copy(self, lines: Sequence[bytes]) -> Forger:
        """Adds entries that somebody else has made, in another place."""
        for line in lines:
            body = line[line.index(b'"entry":') + 8 : -2]
            start, _, rest = body.partition(b'"n":')
            number, _, after = rest.partition(b",")
            before, _, tail = after.partition(b'"prev":"')
            assert number.isdigit()
            body = b'%s"n":%d,%s"prev":"%s%s' % (start, len(self.lines), before, self.head.encode(), tail[64:])
            self.add_bytes(body)
        return self

    def seal(self, to: str, by: str = "", key: Key | None = None) -> Forger:
        """Signs all entries so far with the player's own key, or with `key`. `by` is the seat that the seal names."""
        seat, n = by or self.player.seat, len(self.lines) - 1
        signature = (key or self.player.key).sign(make_seal_text(self.record_id, n, self.head, to, AT))
        return self.add(SealEntry, by=seat, to=to, signature=signature)

    def packet(self, base: int = 0, **told: Any) -> Packet:
        """Returns the packet that the cheat sends."""
        about = self.desk.session.reducer.header
        after = read_line_hash(self.lines[base - 1]) if base else NO_PREVIOUS_HASH
        fields = {
            "record": self.record_id,
            "rules": about.rules,
            "by": self.player.seat,
            "after": after,
            "head": self.head,
            "files": {},
            "asks": (),
        }
        head = PacketHead(format=PACKET_FORMAT, game=self.game_id, module=about.game, base=base, **(fields | told))
        return Packet(head, tuple(self.lines[base:]))
