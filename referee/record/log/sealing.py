"""Sealing and opening: how secrets get into a log as leaves, and back out for those who know them.

The *item* of a secret names its place: the hash of the line before its entry, and its number among the secrets of that
entry. A leaf opens in this one place of this one game only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.engine.leaf import leaf_of
from referee.engine.secret import Secret
from referee.record.log.entry import encode
from referee.record.log.faults import Fault, FaultError, NotAllowedError
from referee.record.log.fields import Hash
from referee.record.log.limits import check_recordable, is_plain, problem_in
from referee.record.log.upcasts import Lifter
from referee.record.log.vault import Vault


class Spelt(Struct, frozen=True, forbid_unknown_fields=True):
    """A secret as a log spells it."""

    leaf: Hash
    """A hash of the value, its salt and its place, so that nobody can put another value there."""
    of: SeatName
    """The seat that keeps it."""


class Opening(Struct, frozen=True, gc=False):
    """What a reveal opens a leaf with."""

    salt: bytes
    """32 bytes."""
    value: bytes
    """The secret in the one spelling."""


class Found(Struct, frozen=True, gc=False):
    """A secret met in an entry."""

    leaf: str
    owner: Seat
    item: str
    known: bool


class Sealed(Struct, frozen=True, gc=False):
    """A secret that can be opened here, and that nobody has decoded."""

    found: Found
    value: bytes


class Opener:
    """Opens the leaves of a log as its entries are decoded, with vaults and with what the log itself reveals."""

    def __init__(self, vaults: dict[Seat, Vault], revealed: Mapping[str, Opening], game_id: str) -> None:
        self.vaults = vaults
        self.game_id = game_id
        self._revealed = revealed
        self._prev = ""
        self._read: set[str] = set()
        self._kind: Any = None
        self._decoder: msgspec.json.Decoder[Any]
        self.lifter: Lifter | None = None
        """Lifts what was sealed in the entry at hand to today's form; None: it has that."""
        self.found: list[Found] = []
        """The secrets of the entry that was decoded last."""

    def begin(self, prev: str) -> None:
        """The entry that follows the line with this hash is decoded next."""
        self._prev = prev
        self.found = []

    def open(self, kind: Any, document: Any) -> Secret[Any]:
        """The hook of a decoder. ValueError for what is no secret, FaultError for one that holds what it must not."""
        spelt = msgspec.convert(document, Spelt)
        item = f"{self._prev}.{len(self.found)}"
        value = self._value(spelt.leaf, spelt.of, item)
        self.found.append(Found(spelt.leaf, spelt.of, item, value is not None))
        if value is None:
            return Secret(spelt.of, leaf=spelt.leaf)
        if self.lifter:
            value = lifted_value(value, self.lifter)
        if kind is not self._kind:  # mostly it is: they are the secrets of plays
            self._kind, self._decoder = kind, _decoder(get_args(kind)[0])
        return Secret(spelt.of, decode_value(value, self._decoder), spelt.leaf)

    def sole(self, leaf: str, owner: Seat, prev: str) -> Sealed | None:
        """The only secret of the entry that follows the line with this hash; None where it cannot be opened here, or
        where its bytes are not plain.
        """
        item = f"{prev}.0"
        value = self._value(leaf, owner, item)
        if value is None or not is_plain(value):
            return None
        lifted = self.lifter.lift(value) if self.lifter else value
        return Sealed(Found(leaf, owner, item, known=True), lifted)

    def _value(self, leaf: str, owner: Seat, item: str) -> bytes | None:
        """What was sealed, if it can be opened here; nothing else is believed."""
        shown = self._revealed.get(leaf)
        if shown and leaf_of(self.game_id, owner, item, shown.salt, shown.value) == leaf:
            self._read.add(leaf)
            return shown.value
        vault = self.vaults.get(owner)
        kept = vault.values.get(leaf) if vault else None
        if vault is None or kept is None:
            return None
        return kept if leaf_of(self.game_id, owner, item, vault.salt(item, kept), kept) == leaf else None

    def has_read(self, leaf: str, opening: Opening) -> bool:
        """Whether a leaf was opened with this before, and found to hold a secret of its type, spelt in the one way."""
        return self.opened(leaf) == opening

    def opened(self, leaf: str) -> Opening | None:
        """What the log reveals of a leaf, if that has opened it before; None: it has not."""
        return self._revealed[leaf] if leaf in self._read else None

    def opens(self, found: Found, opening: Opening) -> bool:
        """Whether this opens a leaf that was found."""
        if found.known and self.has_read(found.leaf, opening):
            return True
        return leaf_of(self.game_id, found.owner, found.item, opening.salt, opening.value) == found.leaf


def lifted_value(value: bytes, lifter: Lifter) -> bytes:
    """What was sealed, in today's form. What is wrong with its bytes is told of those that were sealed."""
    if problem := problem_in(value):
        raise _fault(f"what is sealed may not stand in a log: {problem[1]}")
    return lifter.lift(value)


def decode_value(value: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """A secret from its bytes, which no reader has looked at yet: they are bounded like a line of a log."""
    try:
        secret = decoder.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = problem_in(value)
        raise _fault(f"what is sealed is nothing that belongs there: {problem[1] if problem else error}") from None
    spelt = encode(secret) == value
    problem = None if spelt and is_plain(value) else problem_in(value)
    if problem or not spelt:
        raise _fault(
            f"what is sealed may not stand in a log: {problem[1] if problem else 'it holds more than belongs'}"
        )
    return secret


@lru_cache(maxsize=64)
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _fault(cause: str) -> FaultError:
    return FaultError(Fault("bad-secret", 0, 0, cause))


class Sealer:
    """Spells entries, and seals the secrets in them: each becomes a leaf, its value goes to its owner's vault."""

    def __init__(self, vaults: Mapping[Seat, Vault], game_id: str, lower: Callable[[bytes], bytes] = bytes) -> None:
        """`lower` gives what is sealed the form in which the log is written."""
        self._lower = lower
        self._vaults = vaults
        self._game_id = game_id
        self._prev = ""
        self._count = 0
        self._encoder = msgspec.json.Encoder(order="sorted", enc_hook=self._seal)
        for vault in vaults.values():
            vault.drop()

    def spell(self, entry: Any) -> bytes:
        """The bytes of an entry; NotAllowedError when a secret in it cannot be kept here. No vault is written yet."""
        self._prev, self._count = entry.prev, 0
        return self._encoder.encode(entry)

    def keep(self) -> None:
        """Have the vaults keep what was sealed; NotRecordedError."""
        for vault in self._vaults.values():
            vault.keep()

    def _seal(self, secret: Any) -> dict[str, str]:
        if not isinstance(secret, Secret):
            raise NotImplementedError(f"no spelling for {type(secret).__name__}")
        vault = self._vaults.get(secret.owner)
        if vault is None:
            raise NotAllowedError(f"a secret of {secret.owner} cannot be kept here: its vault is elsewhere")
        value, item = self._lower(encode(secret.value)), f"{self._prev}.{self._count}"
        self._count += 1
        check_recordable(value)
        leaf = leaf_of(self._game_id, secret.owner, item, vault.salt(item, value), value)
        vault.put(leaf, value)
        return {"leaf": leaf, "of": secret.owner}


def opening_of(reveal: Any) -> Opening:
    """What an entry opens its leaf with."""
    return Opening(bytes.fromhex(reveal.salt), bytes(reveal.value))
