"""The good log that most bad ones are made from, and what every chapter takes to spoil it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import msgspec

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import DiceMode, OpenDice, TableDice
from referee.engine.game import REFEREE, find_game, settle_options
from referee.record.cup import Cup
from referee.record.entry import (
    BODY_AT,
    FORMAT,
    NO_PARENT,
    AmendEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    ShippedBoard,
    TakebackEntry,
    encode,
    frame,
    hash_of,
)
from referee.record.timeline import History

AT = "2026-01-01T00:00:00Z"
SEED = sha256(b"referee corrupt").hexdigest()
NAMES = ("Anna", "Bo")

Document = dict[str, Any]
Make = Callable[[], bytes]

SMALL: dict[str, Make] = {}
"""What is kept in the folder, by file name without its ending."""
LARGE: dict[str, Make] = {}
"""What is made when it is tested."""


class Book:
    """A log in the making: entries as plain data, numbered and chained when they are written."""

    def __init__(
        self,
        dice: DiceMode,
        game: str = "manoover",
        options: Mapping[str, str] = MappingProxyType({}),
        position: Document | None = None,
    ) -> None:
        self.game = find_game(game)
        self.history = History(self.game)
        self.documents: list[Document] = []
        options = settle_options(self.game, options)
        board = self.game.board_file(options)
        self.add(
            GameEntry,
            by=REFEREE,
            format=FORMAT,
            game=self.game.name,
            rules=self.game.rules_version,
            options=options,
            rulings=tuple(sorted(r.id for r in self.game.rulebook.rulings.values() if r.option is None)),
            seats=dict(zip(self.game.seats(options), NAMES, strict=True)),
            dice=dice,
            board=ShippedBoard(board.stem, sha256(board.read_bytes()).hexdigest()),
            position=position,
        )

    def add(self, kind: type, **fields: Any) -> None:
        entry = kind(n=len(self.documents), prev=NO_PARENT, at=AT, **fields)
        self.history.add(entry)
        self.documents.append(msgspec.json.decode(encode(entry)))

    def play(self, text: str, *faces: int) -> None:
        state = self.history.state()
        seat = self.game.to_act(state)
        action = self.game.parse(text, state, seat)
        source = Cup(self.history.header.dice, list(faces), self.history.timeline).source(secret=False)
        verdict = adjudicate(self.game, state, seat, action, source)
        assert isinstance(verdict, Played), verdict
        self.add(PlayEntry, by=seat, action=action, rolls=verdict.rolls, events=verdict.events)

    def position(self) -> Document:
        return msgspec.to_builtins(self.game.position_of(self.history.state()))


# Entries of the good log
THROW_OFF, THROW, TURN, NOTE, TAKEBACK, DONE, AUTO, AMEND, LAST = range(1, 10)


def good(dice: DiceMode | None = None) -> list[Document]:
    """A small log with one entry of every kind, nothing wrong in it."""
    book = Book(dice or OpenDice(SEED))
    typed = isinstance(dice, TableDice)
    book.play("throwoff", *([6, 1] if typed else []))
    book.play("throw", *([1, 2, 3] if typed else []))
    die = book.history.state().dice[0]
    book.play(f"{die} turn NW")
    book.add(NoteEntry, by="blue", text="Bo wonders about é, ü and 龍")
    book.add(TakebackEntry, by="red", to=THROW, agreed=())
    book.play("done")
    book.play("auto")
    book.add(AmendEntry, by=REFEREE, position=book.position(), why="a robot was knocked over", agreed=("red", "blue"))
    book.play("throw", *([4, 5, 6] if typed else []))
    return book.documents


def chain(documents: list[Document], start: int = 0) -> list[bytes]:
    """Lines of these entries, each continuing the one before; those before `start` keep their `n` and `prev`."""
    lines = []
    prev = NO_PARENT
    for n, document in enumerate(documents):
        if n >= start:
            document |= {"n": n, "prev": prev}
        lines.append(frame(encode(document)))
        prev = hash_of(lines[-1][BODY_AT:-2])
    return lines


def lines() -> list[bytes]:
    return chain(good())


def changed(n: int, **fields: Any) -> bytes:
    """The good log with fields of an entry changed, and everything hashed again."""
    documents = good()
    documents[n] |= fields
    return b"".join(chain(documents))


def respelled(n: int, old: bytes, new: bytes, *, last: bool = False) -> bytes:
    """The good log with bytes of an entry changed in place and hashed again; later entries continue it."""
    kept = lines()
    body = kept[n][BODY_AT:-2]
    assert old in body, (old, body)
    respelt = body.replace(old, new, 1)
    kept[n] = frame(respelt)
    if last:
        return b"".join(kept[: n + 1])
    prev = hash_of(respelt)
    for later in range(n + 1, len(kept)):
        document = json.loads(kept[later][BODY_AT:-2]) | {"prev": prev}
        kept[later] = frame(encode(document))
        prev = hash_of(kept[later][BODY_AT:-2])
    return b"".join(kept)


def small(make: Make) -> Make:
    SMALL[make.__name__.replace("_", "-")] = make
    return make


def large(make: Make) -> Make:
    LARGE[make.__name__.replace("_", "-")] = make
    return make
