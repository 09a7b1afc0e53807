"""Games by mail: every packet in the order in which they went, and each player's copy of the log, key and vault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from players import Player, at_random

from referee.mail.ascii_armor import encode_ascii_armor
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.offer import Offer
from referee.record.table.deeds.amend import AmendOffer
from referee.record.table.deeds.amend_pieces import AmendPiecesOffer
from referee.record.table.deeds.reveal import RevealOffer
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.seat_view import SeatView


class Post(NamedTuple):
    """What went to and fro in a game."""

    name: str
    players: list[Player]
    packets: list[tuple[str, bytes]]
    """Each as it stands in a mail, with the seat that sent it."""


GAMES = {
    "manoover": ("manoover", ("red", "blue"), {}),
    "manoover-three": ("manoover", ("red", "blue", "green"), {"form": "three"}),
    "mutants-hidden": ("mutants", ("human", "mutant"), {"hidden-movement": "yes"}),
    "sheboygan": ("sheboygan", ("human", "monster"), {}),
    "zombies": ("zombies", ("red", "blue"), {}),
}
"""Game, seats and options of each; `referee/mail` knows none of them."""


def posts(folder: Path) -> Iterator[Post]:
    """The games, each some mails long and still going on."""
    for name, (game, seats, options) in GAMES.items():
        post = Post(name, [Player(folder / name / seat, seat, name) for seat in seats], [])
        _sit_down(post, game, dict(options))
        _go_on(post, 4)
        _offer(post)
        _go_on(post, 2)
        yield post


def _sit_down(post: Post, game: str, options: dict[str, str]) -> None:
    """The first begins, and invites the next, who joins and hands it on."""
    post.players[0].begins(game, options)
    for before, player in pairwise(post.players):
        packet = before.sends()
        post.packets.append((before.seat, encode_ascii_armor(packet.encode()).encode()))
        player.receives(packet)
        player.joins()


def _go_on(post: Post, rounds: int) -> None:
    """Everybody plays what he may, and everybody's mail comes to all others."""
    random = Random(len(post.packets))
    for _ in range(rounds):
        for player in post.players:
            player.plays(at_random, random, most=6)
            _send(post, player)


def _send(post: Post, writer: Player) -> None:
    with suppress(NotAllowedError):  # it is his turn still, and nobody waits for him
        packet = writer.sends()
        mail = writer.seat, encode_ascii_armor(packet.encode()).encode()
        if mail not in post.packets:
            post.packets.append(mail)
        for player in post.players:
            if player is not writer:
                player.receives(packet)


def _offer(post: Post) -> None:
    """What can be offered, agreed to and refused by turns, where two play."""
    if len(post.players) > 2:
        return
    for number, offered in enumerate((_takeback, _draw, _amended, _revealed)):
        writer = next(player for player in post.players if player.has_pen)
        (other,) = (player for player in post.players if player is not writer)
        if offer := offered(writer, other):
            with writer.at_home():
                writer.desk.record_offer(offer)
            _send(post, writer)
            _reply(other, agree=number % 2 == 0)
            _go_on(post, 1)


def _reply(player: Player, *, agree: bool) -> None:
    with player.at_home():
        standing = player.desk.pending_offer
        assert standing is not None
        player.desk.reply_to_offer(standing, agree=agree)


def _takeback(writer: Player, _other: Player) -> Offer:
    return TakebackOffer(writer.session.in_force()[-3])


def _draw(_writer: Player, _other: Player) -> Offer:
    return AgreedEndOffer(())


def _amended(writer: Player, other: Player) -> Offer | None:
    """The position of some entries ago; where secrets are kept, a door that gets smashed, if all know one without a
    Wall.
    """
    session = writer.session
    if session.reducer.keepers:
        shown = [SeatView(player.session, player.seat).sight.pieces for player in (writer, other)]
        doors = (name for name in shown[0] if "-" in name and all(pieces[name] == "none" for pieces in shown))
        door = next(doors, "")
        return AmendPiecesOffer((f"{door} smashed",), "the cat") if door else None
    earlier = session.moment(session.in_force()[-4]).known.truth
    return AmendOffer(msgspec.to_builtins(session.game.position_from(earlier)), "the cat")


def _revealed(writer: Player, _other: Player) -> Offer | None:
    """A secret of one's own, where there is one."""
    mine = tuple(n for n, found in writer.session.reducer.sealed.values() if found.owner == writer.seat)
    return RevealOffer(mine[:1]) if mine else None


def kept(post: Post) -> Iterator[tuple[str, bytes]]:
    """What is to be kept of it, by name: the mails, the last one the whole game again; logs and vaults as they were."""
    again = post.players[0].sends(base=0)
    for number, (seat, mail) in enumerate([*post.packets, ("all", encode_ascii_armor(again.encode()).encode())], 1):
        yield f"{post.name}/{number:02}-{seat}.txt", mail
    for player in post.players:
        for path in sorted(player.log.parent.glob("game.jsonl*")):
            if path.is_file() and path.suffix not in {".lock", ".head"}:
                yield f"{post.name}/{player.seat}/{path.name}", path.read_bytes()
