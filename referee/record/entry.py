"""Entries of a log and the frame they stand in.

Every line is `{"hash":"<64 hex>","entry":{...}}` and a line feed. The hash is SHA-256 over `referee/1`, a line feed
and the exact bytes of the entry, which are JSON with sorted keys and no floats: one spelling for each entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from referee.engine.dice import DiceMode, Roll, SeedHex
from referee.engine.game import Game
from referee.engine.series import Points, Result, SeatName, Terms

FORMAT = 1
"""Number of this log format; logs with a higher one are refused."""

SALT = b"referee/1\n"
NO_PARENT = "0" * 64
OPENER = b'{"hash":"'
MIDDLE = b'","entry":'
CLOSER = b"}\n"
BODY_AT = len(OPENER) + 64 + len(MIDDLE)
"""Where the entry begins in its line."""

MAX_LINE = 64 * 1024
MAX_DEPTH = 16
MAX_STRING = 4096
MAX_NUMBER = 2**53 - 1

BRANCH_NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_STRING)]
Time = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
Agreed = Annotated[tuple[SeatName, ...], Meta(max_length=16)]


class Entry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """One line of a log: what every entry holds."""

    n: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """Number of the entry, from 0."""
    prev: Hash
    """Hash of the line before; 64 zeros for the first."""
    by: SeatName
    """The seat that made the entry, or `referee`."""
    at: Time
    """When, in UTC. Information only; nothing depends on it."""


class ShippedBoard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="shipped"):
    """A board that comes along, by name and SHA-256 of its file."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    sha256: Hash


class OwnBoard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="from", tag="own"):
    """The players' own board, whole."""

    document: dict[str, Any]


class GameEntry(Entry, frozen=True, tag="game"):
    """The first entry: what is played, by whom, under which options. Its hash is the game's id."""

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    game: Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{0,31}$")]
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    """Version of the rule module."""
    options: dict[str, str]
    """All options in force."""
    rulings: tuple[str, ...]
    """Ids of the rulings in force that no option switches."""
    seats: dict[SeatName, Annotated[str, Meta(max_length=60)]]
    """The seats and the names of who sits there."""
    dice: DiceMode
    board: ShippedBoard | OwnBoard
    position: dict[str, Any] | None
    """The position from which the game starts; None: from its beginning."""


A = TypeVar("A")
E = TypeVar("E")


class PlayEntry(Entry, Generic[A, E], frozen=True, tag="play"):
    """An action, the dice it took, and what happened."""

    action: A
    rolls: tuple[Roll, ...]
    events: tuple[E, ...]


class SealedPlay(Struct, Generic[A, E], frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """What a sealed entry keeps secret: a play, with all its events."""

    action: A
    rolls: tuple[Roll, ...]
    events: tuple[E, ...]


class SealedDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="dice"):
    """What the referee seals before a game with open dice: the seed of all dice thrown in secret.

    From the seed in the log anybody could work out what was thrown, and so what was done.
    """

    seed: SeedHex


class SealedEntry(Entry, Generic[E], frozen=True, tag="sealed"):
    """A secret: its leaf, and what everybody may see of it."""

    leaf: Hash
    """`engine.sealed.leaf_of` the secret in the one spelling; its item is `prev`, which no other entry has."""
    events: tuple[E, ...]
    """The events that everybody may see; nothing else happened but what is sealed."""


class RevealEntry(Entry, Generic[A, E], frozen=True, tag="reveal"):
    """A secret is opened for everybody to check."""

    of: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The sealed entry."""
    salt: Hash
    secret: SealedPlay[A, E] | SealedDice
    agreed: Agreed
    """Seats that agreed; needed of all while the game goes on."""


class TakebackEntry(Entry, frozen=True, tag="takeback"):
    """The game goes on from an earlier entry. Nothing is deleted."""

    to: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The entry gone back to: the state after it is in force again."""
    agreed: Agreed
    """Other seats that agreed."""


class AmendEntry(Entry, frozen=True, tag="amend"):
    """A position corrected by agreement of everybody: people at a table make mistakes and settle them."""

    position: dict[str, Any]
    why: Text
    agreed: Agreed


class NoteEntry(Entry, frozen=True, tag="note"):
    """A remark."""

    text: Text


class BranchEntry(Entry, frozen=True, tag="branch"):
    """From here on this log is a branch: the entries before are its parent's, byte for byte."""

    name: Annotated[str, Meta(pattern=f"^{BRANCH_NAME}$")]
    parent: Annotated[str, Meta(max_length=120)]
    """Name of the log that it left. Where it left it, `n` and `prev` tell."""


class MatchEntry(Entry, frozen=True, tag="match"):
    """The first entry of a match: a record of its own that names the logs of its games."""

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    game: Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{0,31}$")]
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    options: dict[str, str]
    """The options of every game in the match."""
    terms: Terms
    seats: dict[SeatName, Annotated[str, Meta(max_length=60)]]


class GameStartedEntry(Entry, frozen=True, tag="game-started"):
    """The next game of the match began; from here on no other log can be put in its place."""

    log: Annotated[str, Meta(pattern=r"^[^/\\.][^/\\]{0,190}\.jsonl$")]
    """File name of its log, which lies beside the match's."""
    game: Hash
    """Its id: hash of the first line of its log."""


class GameEndedEntry(Entry, frozen=True, tag="game-ended"):
    """The game ended: its result, and what it does to the match."""

    head: Hash
    """Hash of the last line of its log."""
    result: Result
    bonus: dict[SeatName, Points]
    totals: dict[SeatName, Points]
    opener: SeatName | None
    """Who opens the next game; None when there is none."""
    winner: SeatName | None
    """Who has won the match; None while it goes on."""


MatchLine = MatchEntry | GameStartedEntry | GameEndedEntry | NoteEntry
"""What a match's log holds."""

AnyEntry = (
    GameEntry
    | PlayEntry[Any, Any]
    | SealedEntry[Any]
    | RevealEntry[Any, Any]
    | TakebackEntry
    | AmendEntry
    | NoteEntry
    | BranchEntry
)
Secret = SealedPlay[Any, Any] | SealedDice
"""What a sealed entry can hold."""

_encoder = msgspec.json.Encoder(order="sorted")


def encode(value: Any) -> bytes:
    """The one spelling of a value in a log."""
    return _encoder.encode(value)


def entry_types(game: Game) -> Any:
    """The union of this game's entry types, for a decoder or a schema."""
    play: Any = PlayEntry[game.actions, game.events]  # type: ignore[name-defined]  # the types are known at run time
    sealed: Any = SealedEntry[game.events]  # type: ignore[name-defined]
    reveal: Any = RevealEntry[game.actions, game.events]  # type: ignore[name-defined]
    return GameEntry | play | sealed | reveal | TakebackEntry | AmendEntry | NoteEntry | BranchEntry


def secret_types(game: Game) -> Any:
    """The union of what this game's sealed entries can hold, for a decoder."""
    play: Any = SealedPlay[game.actions, game.events]  # type: ignore[name-defined]
    return play | SealedDice


def hash_of(body: bytes) -> str:
    """Hash of an entry's bytes."""
    return sha256(SALT + body).hexdigest()


def frame(body: bytes) -> bytes:
    """The line of a log that holds an entry."""
    return OPENER + hash_of(body).encode() + MIDDLE + body + CLOSER


def lines_of(entries: Iterable[Entry]) -> bytes:
    """Several entries as lines."""
    return b"".join(frame(encode(entry)) for entry in entries)


def now() -> str:
    """The time as entries hold it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
