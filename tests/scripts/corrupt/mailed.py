"""What can be wrong with a game by mail: dice not thrown by all, signatures, who may write, what was agreed on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from long_log import always_same

from corrupt.book import Document, Edit, Make, add, again, chain, end, good, insert, put
from referee.engine.dice_mode import MailDice
from referee.mail.key import Key
from referee.mail.mail_player import MailPlayer
from referee.record.table.deeds.settle import AgreedEndOffer
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.opening_logs import start
from referee.record.table.session import Session

SEATS = ("red", "blue")
SEED = 7
"""With it the throw for the first turn is decided at once."""
JOIN, SEAL, OTHER_JOIN, ANSWER, _, OWN_ANSWER, THROW_OFF, THROW = range(1, 9)
"""Entries of the good log by mail; blue goes first, then red."""


def key_of(seat: str) -> Key:
    """A key that is the same every time."""
    private, secret = (sha256(f"corrupt {part} {seat}".encode()).digest() for part in ("key", "secret"))
    return Key(Ed25519PrivateKey.from_private_bytes(private), secret)


@contextmanager
def _away() -> Iterator[Path]:
    """A folder for the log, and none of the user's own settings."""
    with TemporaryDirectory() as folder, patch.dict(os.environ, {"XDG_CONFIG_HOME": folder}), always_same(SEED):
        yield Path(folder)


@cache
def good_documents() -> tuple[Document, ...]:
    """The entries of the good log by mail."""
    with _away() as folder:
        session = start("manoover", folder / "mail.jsonl", dice=MailDice())
        red, blue = (MailPlayer(session, key_of(seat)) for seat in SEATS)
        red.join_game("red")
        red.hand_over_pen()
        blue.join_game("blue")
        blue.hand_over_pen()
        red.do_automatic_steps()
        while session.moment().to_act != "red":
            _pass(session, {"red": red, "blue": blue})
        session.do("done")
        red.record_offer(TakebackOffer(session.in_force()[-2]))
        red.hand_over_pen()
        blue.reply_to_offer(next(iter(blue.protocol.offers.values())), agree=True)
        blue.hand_over_pen()
        red.record_offer(AgreedEndOffer(SEATS))
        red.hand_over_pen()
        assert session.path is not None
        return tuple(json.loads(line)["entry"] for line in session.path.read_bytes().splitlines())


def _pass(session: Session, desks: dict[str, MailPlayer]) -> None:
    """Who is to move does nothing, and hands the pen over."""
    seat = str(session.moment().to_act)
    if desks[seat].protocol.pen != seat:
        desks[str(desks[seat].protocol.pen)].hand_over_pen()
        desks[seat].do_automatic_steps()
    for words in ("done", "auto"):
        if session.moment().to_act == seat and not session.judge(words).refused:
            session.do(words)
    other = next(one for one in desks if one != seat)
    desks[seat].hand_over_pen()
    desks[other].do_automatic_steps()


def mailed(*edits: Edit) -> Make:
    """The good log by mail with these edits."""

    def make() -> bytes:
        documents = deepcopy(list(good_documents()))
        for edit in edits:
            edit(documents)
        return b"".join(chain(documents))

    return make


def at(kind: str, number: int = -1) -> int:
    """The entry of a kind, the last one if not told otherwise."""
    return [n for n, document in enumerate(good_documents()) if document["type"] == kind][number]


def _late(make: Callable[[], Make]) -> Make:
    """Made when it is asked for: the good log is not written before."""
    return lambda: make()()  # noqa: PLW0108 - two calls: what is made, and then its bytes


OTHER = sha256(b"another value").hexdigest()
SIGNED_OTHERWISE = "U1NIU0lH" + "A" * 200
MAIL_ENTRIES: dict[str, Make] = {
    "mail-entry-in-a-game-that-is-not-by-mail": good(add("answer", "red", cast=0, value=OTHER)),
    "seal-in-a-game-that-is-not-by-mail": good(add("seal", "red", to="blue", signature=SIGNED_OTHERWISE)),
}
SMALL: dict[str, Make] = MAIL_ENTRIES | {
    "chain-value-of-ones-own-choice": mailed(put(ANSWER, "value", OTHER)),
    "throw-with-another-number": mailed(put(ANSWER, "cast", 3)),
    "throw-answered-twice": mailed(again(ANSWER, ANSWER + 1), end(ANSWER + 2)),
    "play-before-all-have-thrown": mailed(lambda documents: documents.pop(OWN_ANSWER), end(OWN_ANSWER + 1)),
    "dice-of-a-throw-changed": mailed(put(THROW, "rolls.0.faces", [1, 1, 1]), end(THROW + 1)),
    "dice-that-nobody-threw-together": mailed(put(THROW_OFF, "rolls.0.origin", "open"), end(THROW_OFF + 1)),
    "answer-where-the-next-player-has-a-choice": _late(
        lambda: mailed(
            lambda documents: documents.insert(THROW + 1, deepcopy(documents[ANSWER]) | {"cast": 1, "by": "red"}),
            end(THROW + 2),
        )
    ),
    "throw-before-all-have-joined": mailed(again(ANSWER, JOIN + 1, by="red"), end(JOIN + 2)),
    "signed-with-another-key": mailed(put(SEAL, "signature", SIGNED_OTHERWISE), end(SEAL + 1)),
    "signed-for-another-entry": _late(
        lambda: mailed(put(SEAL, "signature", good_documents()[at("seal")]["signature"]), end(SEAL + 1))
    ),
    "pen-handed-to-oneself": mailed(put(SEAL, "to", "red"), end(SEAL + 1)),
    "pen-handed-to-nobody-who-plays": mailed(put(SEAL, "to", "green"), end(SEAL + 1)),
    "signed-without-the-pen": mailed(again(SEAL, SEAL + 1), end(SEAL + 2)),
    "writes-without-the-pen": mailed(insert(SEAL + 1, "note", "red", text="me again"), end(SEAL + 2)),
    "joins-without-a-key": mailed(lambda documents: documents[OTHER_JOIN].pop("chair"), end(OTHER_JOIN + 1)),
    "joins-in-anothers-name": mailed(put(OTHER_JOIN, "by", "red"), end(OTHER_JOIN + 1)),
    "agreed-by-who-said-nothing": _late(
        lambda: mailed(
            put(at("takeback"), "by", "blue"),
            put(at("takeback"), "agreed", ["red"]),
            lambda documents: documents.pop(at("agree")),
            end(at("takeback")),
        )
    ),
    "offer-agreed-to-by-who-made-it": _late(lambda: mailed(put(at("agree"), "by", "red"), end(at("agree") + 1))),
    "reply-to-no-offer": _late(lambda: mailed(put(at("agree"), "to", 2), end(at("agree") + 1))),
    "offer-about-what-comes-after-it": _late(lambda: mailed(put(at("offer"), "on", 9000), end(at("offer") + 1))),
    "offer-refused-without-the-pen": _late(
        lambda: mailed(insert(at("offer") + 1, "refuse", "blue", to=at("offer")), end(at("offer") + 2))
    ),
}
