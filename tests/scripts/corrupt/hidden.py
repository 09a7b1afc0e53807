"""A short game with secrets, from which the bad logs of secrets are made: the end of a game of Hidden Movement.

Leaves bind the line before them, so they are made when the log is written: in the documents here a sealed entry holds
its `secret` instead, and a reveal only whose secret it opens, unless it is to hold something else.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from corrupt.book import AT, SEED, Book, Document
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import DiceMode, OpenDice, OpenSource, Source, TableDice, TypedSource
from referee.engine.game import REFEREE
from referee.engine.sealed import derive_salt, leaf_of
from referee.record.entry import BODY_AT, NO_PARENT, PlayEntry, encode, frame, hash_of

MASTER = sha256(b"referee corrupt salts").digest()
SECRET_SEED = sha256(b"referee corrupt secrets").hexdigest()
BOTH = ["human", "mutant"]
POSITION = {
    "units": {"D4": "prof", "E6": "buck", "E7": "n1 n2", "xN4": "r1"},
    "phase": "move",
    "turn": 10,
    "smashed": ["E6-E7"],
}

# Entries of the game with typed dice; with a seed, each comes one later
MOVED, BACK, MOVED_AGAIN, END, FIGHT, LAY, PAIR, RESOLVE, REST, GLOW, OVER, REVEAL = range(1, 13)
SECRETS = (MOVED, MOVED_AGAIN, GLOW)


class HiddenBook(Book):
    """A log in the making, with everything secret in plain view."""

    def __init__(self, dice: DiceMode) -> None:
        super().__init__(dice, "mutants", {"hidden-movement": "yes"}, POSITION)
        self.state = self.history.state()
        self._dice = dice
        self._draws = {False: 0, True: 0}
        if isinstance(dice, OpenDice):
            self.put("sealed", REFEREE, secret={"type": "dice", "seed": SECRET_SEED}, events=[])

    def put(self, kind: str, by: str, **fields: Any) -> None:
        self.documents.append({"type": kind, "by": by, "at": AT, **fields})

    def play(self, text: str, *faces: int) -> None:
        """Play on, in secret where the game says so. `faces` fall if the dice are typed."""
        seat = self.game.to_act(self.state)
        action = self.game.parse(text, self.game.view(self.state, seat), seat)
        secret = self.game.disclose(self.state, action, ()) is not None
        verdict = adjudicate(self.game, self.state, seat, action, self._source(secret, faces))
        assert isinstance(verdict, Played), verdict
        self._draws[secret] += len(verdict.rolls)
        public = self.game.disclose(self.state, action, verdict.events)
        play = plain(PlayEntry(0, NO_PARENT, seat, AT, action, verdict.rolls, verdict.events))
        told = {name: play[name] for name in ("type", "action", "rolls", "events")}
        if public is None:
            self.put("play", seat, **{name: value for name, value in told.items() if name != "type"})
        else:
            self.put("sealed", seat, secret=told, events=plain(public))
        self.state = verdict.state

    def _source(self, secret: bool, faces: tuple[int, ...]) -> Source:
        if not isinstance(self._dice, OpenDice):
            return TypedSource(faces, self._draws[secret])
        if secret:
            return OpenSource(SECRET_SEED, self._draws[True], "sealed")
        return OpenSource(self._dice.seed, self._draws[False])


def hidden(dice: DiceMode | None = None, *, reveal: bool = True) -> list[Document]:
    """A move in secret, taken back for another one; a Combat; what glows dies or not; the game is over.

    Then every secret is revealed, or none.
    """
    book = HiddenBook(dice or TableDice())
    here = len(book.documents) - 1
    before = book.state
    book.play("move n1 to E6")
    book.put("takeback", "mutant", to=here, agreed=["human"])
    book.state = before
    book.play("move n2 to E6")
    for text in ("end", "fight E6", "lay auto", "pair auto"):
        book.play(text)
    book.play("resolve", 5, 1)
    book.play("end")
    book.play("glow", 4)
    book.play("record")
    assert book.game.outcome(book.state)
    if reveal:
        for n, document in enumerate(book.documents):
            if document["type"] == "sealed":
                book.put("reveal", REFEREE, of=n, agreed=[])
    return book.documents


def seeded(*, reveal: bool = True) -> list[Document]:
    """The same with dice from a seed, and secret ones from a sealed seed."""
    return hidden(OpenDice(SEED), reveal=reveal)


def written(documents: list[Document]) -> bytes:
    """The log of these entries: secrets sealed, reveals filled in, everything hashed."""
    lines: list[bytes] = []
    game_id = prev = NO_PARENT
    opened: dict[int, tuple[str, bytes]] = {}
    for n, document in enumerate(documents):
        entry = document | {"n": n, "prev": prev}
        if entry["type"] == "sealed":
            value, salt = encode(entry.pop("secret", None)), derive_salt(MASTER, game_id, prev)
            opened[n] = (salt.hex(), value)
            entry.setdefault("leaf", leaf_of(game_id, entry["by"], prev, salt, value))
        elif entry["type"] == "reveal":
            salt_hex, value = opened.get(entry["of"], ("00" * 32, b"null"))
            entry = {"salt": salt_hex, "secret": msgspec.Raw(value)} | entry
        lines.append(frame(encode(entry)))
        prev = hash_of(lines[-1][BODY_AT:-2])
        game_id = prev if n == 0 else game_id
    return b"".join(lines)


def plain(value: Any) -> Any:
    """A value as the JSON of a log has it."""
    return msgspec.json.decode(encode(value))


# Ways to spoil it


def unopened(n: int, **fields: Any) -> bytes:
    """The game of which no secret is revealed, with fields of an entry changed."""
    return with_fields(hidden(reveal=False), n, fields)


def with_fields(documents: list[Document], n: int, fields: Document) -> bytes:
    documents[n] |= fields
    return written(documents)


def with_secret(change: Callable[[Document], object], n: int = MOVED_AGAIN) -> bytes:
    """The game in which something else was honestly sealed."""
    documents = hidden()
    change(documents[n]["secret"])
    return written(documents)


def inserted(documents: list[Document], n: int, kind: str, by: str, **fields: Any) -> bytes:
    """With one more entry; reveals go on opening what they did."""
    for document in documents:
        if document["type"] == "reveal" and document["of"] >= n:
            document["of"] += 1
    documents.insert(n, {"type": kind, "by": by, "at": documents[0]["at"], **fields})
    return written(documents)
