"""Sealing and opening: secrets enter a log as leaves, and anyone who knows the secrets can open the leaves again.

The *item* of a secret names its place: the hash of the line before its entry, and its number among the secrets of the
entry. So a leaf opens only in this place of this game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from referee.engine.commitment import make_commitment
from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.engine.secret import Secret
from referee.gate import UnreadableError, convert_value, make_json_decoder
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import Hash
from referee.record.log.limits import check_recordable, find_entry_problem, is_short_plain_ascii
from referee.record.log.log_errors import Fault, FaultError, NotAllowedError
from referee.record.log.upcasts import Lifter
from referee.record.log.vault import Vault


class EncodedSecret(Struct, frozen=True, forbid_unknown_fields=True):
    """A secret as a log spells it."""

    leaf: Hash
    """A hash of the value, its salt and its place. Nobody can put another value there."""
    of: SeatName
    """The seat that keeps the secret."""


class SecretOpening(Struct, frozen=True, gc=False):
    """The salt and the value that open a leaf."""

    salt: bytes
    """The salt, 32 bytes."""
    value: bytes
    """The value, as the log would spell it."""


class FoundSecret(Struct, frozen=True, gc=False):
    """A secret found in an entry."""

    leaf: str
    owner: Seat
    item: str
    """The place of the secret: the hash of the line before its entry, a dot, and its number in the entry."""
    known: bool
    """True if its value is known here."""


class UndecodedSecret(Struct, frozen=True, gc=False):
    """A secret that can be opened here and is not decoded yet."""

    found: FoundSecret
    value: bytes


class SecretReader:
    """Opens the leaves of a log while its entries are decoded, with vaults and with the log's own reveals."""

    def __init__(self, vaults: dict[Seat, Vault], revealed: Mapping[str, SecretOpening], game_id: str) -> None:
        self.vaults = vaults
        self.game_id = game_id
        self._revealed = revealed
        self._prev = ""
        self._read: set[str] = set()
        self._kind: Any = None
        self._decoder: Callable[[bytes], Any]
        self.lifter: Lifter | None = None
        """Lifts sealed values to today's form; None if they have it."""
        self.found: list[FoundSecret] = []
        """The secrets of the entry that was decoded last."""

    def begin_entry(self, prev: str) -> None:
        """Prepares for the entry that follows the line with this hash."""
        self._prev = prev
        self.found = []

    def decode_secret(self, kind: Any, document: Any) -> Secret[Any]:
        """Decodes a secret, as the hook of a decoder. Raises ValueError if it is not a secret, and
        FaultError if its value is not allowed.
        """
        spelt = convert_value(document, EncodedSecret)
        item = f"{self._prev}.{len(self.found)}"
        value = self._value(spelt.leaf, spelt.of, item)
        self.found.append(FoundSecret(spelt.leaf, spelt.of, item, value is not None))
        if value is None:
            return Secret(spelt.of, leaf=spelt.leaf)
        if self.lifter:
            value = lift_secret_value(value, self.lifter)
        if kind is not self._kind:  # usually it is the same kind, the secret of a play
            self._kind, self._decoder = kind, _make_decoder(get_args(kind)[0])
        return Secret(spelt.of, decode_secret_value(value, self._decoder), spelt.leaf)

    def find_only_secret(self, leaf: str, owner: Seat, prev: str) -> UndecodedSecret | None:
        """Returns the only secret of the entry after the line with this hash. None if it cannot be opened here, or if
        its bytes are not plain.
        """
        item = f"{prev}.0"
        value = self._value(leaf, owner, item)
        if value is None or not is_short_plain_ascii(value):
            return None
        lifted = self.lifter.lift(value) if self.lifter else value
        return UndecodedSecret(FoundSecret(leaf, owner, item, known=True), lifted)

    def _value(self, leaf: str, owner: Seat, item: str) -> bytes | None:
        """Returns the sealed value if it can be opened here and fits its leaf; None otherwise."""
        shown = self._revealed.get(leaf)
        if shown and make_commitment(self.game_id, owner, item, shown.salt, shown.value) == leaf:
            self._read.add(leaf)
            return shown.value
        vault = self.vaults.get(owner)
        kept = vault.values.get(leaf) if vault else None
        if vault is None or kept is None:
            return None
        return (
            kept if make_commitment(self.game_id, owner, item, vault.compute_salt(item, kept), kept) == leaf else None
        )

    def was_opened_with(self, leaf: str, opening: SecretOpening) -> bool:
        """True if the leaf was opened before with exactly this opening."""
        return self.find_opening(leaf) == opening

    def find_opening(self, leaf: str) -> SecretOpening | None:
        """Returns the opening in the log that has opened a leaf before; None if none has."""
        return self._revealed[leaf] if leaf in self._read else None

    def verify_opening(self, found: FoundSecret, opening: SecretOpening) -> bool:
        """True if the opening fits a leaf that was found."""
        if found.known and self.was_opened_with(found.leaf, opening):
            return True
        return make_commitment(self.game_id, found.owner, found.item, opening.salt, opening.value) == found.leaf


def lift_secret_value(value: bytes, lifter: Lifter) -> bytes:
    """Returns a sealed value in today's form. Raises FaultError if the bytes that were sealed are not allowed."""
    if problem := find_entry_problem(value):
        raise _make_fault(f"a log may not hold this sealed value: {problem[1]}")
    return lifter.lift(value)


def decode_secret_value(value: bytes, decode: Callable[[bytes], Any]) -> Any:
    """Decodes the value of a secret. It is checked like a line of a log. Raises FaultError if it is not allowed."""
    try:
        secret = decode(value)
    except UnreadableError as error:
        problem = find_entry_problem(value)
        raise _make_fault(f"this sealed value does not fit its place: {problem[1] if problem else error}") from None
    spelt = encode_for_log(secret) == value
    problem = None if spelt and is_short_plain_ascii(value) else find_entry_problem(value)
    if problem or not spelt:
        raise _make_fault(f"a log may not hold this sealed value: {problem[1] if problem else 'it has extra fields'}")
    return secret


@lru_cache(maxsize=64)
def _make_decoder(kind: Any) -> Callable[[bytes], Any]:
    return make_json_decoder(kind)


def _make_fault(cause: str) -> FaultError:
    return FaultError(Fault("bad-secret", 0, 0, cause))


class SecretWriter:
    """Encodes entries and seals the secrets in them. The leaf goes into the entry, the value into the owner's vault."""

    def __init__(self, vaults: Mapping[Seat, Vault], game_id: str, lower: Callable[[bytes], bytes] = bytes) -> None:
        """Takes the vaults by seat, and discards values that they have not written yet.

        `lower` puts a sealed value into the form in which the log is written.
        """
        self._lower = lower
        self._vaults = vaults
        self._game_id = game_id
        self._prev = ""
        self._count = 0
        self._encoder = msgspec.json.Encoder(order="sorted", enc_hook=self._seal)
        for vault in vaults.values():
            vault.discard_added()

    def encode_entry(self, entry: Any) -> bytes:
        """Returns the bytes of an entry. No vault is written yet. Raises NotAllowedError if a secret's vault is not
        here.
        """
        self._prev, self._count = entry.prev, 0
        return self._encoder.encode(entry)

    def save(self) -> None:
        """Writes the sealed values to the vaults. Raises NotRecordedError if that fails."""
        for vault in self._vaults.values():
            vault.save()

    def _seal(self, secret: Any) -> dict[str, str]:
        if not isinstance(secret, Secret):
            raise NotImplementedError(f"no spelling for {type(secret).__name__}")
        vault = self._vaults.get(secret.owner)
        if vault is None:
            raise NotAllowedError(
                f"a secret of {secret.owner} cannot be kept here: the vault of {secret.owner} is elsewhere"
            )
        value, item = self._lower(encode_for_log(secret.value)), f"{self._prev}.{self._count}"
        self._count += 1
        check_recordable(value)
        leaf = make_commitment(self._game_id, secret.owner, item, vault.compute_salt(item, value), value)
        vault.add(leaf, value)
        return {"leaf": leaf, "of": secret.owner}


def get_opened_leaf(reveal: Any) -> str:
    """Returns the leaf that a reveal opens."""
    return str(reveal.leaf)


def get_opening(reveal: Any) -> SecretOpening:
    """Returns the opening in a reveal: its salt and its value."""
    return SecretOpening(bytes.fromhex(reveal.salt), bytes(reveal.value))
