"""A throw that all seats make together: what each gives to it, the dice that come of it, and what was declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.chain import cast_key
from referee.engine.dice import Roll
from referee.engine.once import latest
from referee.engine.secret import Secret
from referee.engine.source import CastSource, Draws

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.log.entry import AnyPlay


class Cast(Struct, frozen=True):
    """A throw that all seats make together: it gives all dice while nobody has a choice."""

    number: int
    n: int
    """The entry that opened it."""
    by: Seat
    """Who opened it."""
    seats: tuple[Seat, ...]
    opener: str = ""
    """Hash of the entry that opened it; empty while that is the last one, and not known yet."""
    values: Mapping[Seat, str] = {}
    """What seats gave so far."""
    actions: tuple[Any, ...] | None = ()
    """What is declared and not played yet; None: it is a secret that is not known here."""
    thrown: Draws = {}
    """Dice taken so far: open ones under None, secret ones under their seat."""
    waits: bool = False
    """Whether the first action that was declared is still to be played: before it nobody does anything else."""
    sealed: bool = False
    """Whether what was declared is a secret."""
    unseen: Mapping[Seat, str] = {}
    """Values of secret chains that are known here."""
    is_ahead: bool = False
    """Whether an answer in advance opened it, for the next player can only throw."""

    @property
    def owing(self) -> tuple[Seat, ...]:
        """The seats that have given nothing yet, who is to throw last."""
        return tuple([seat for seat in self.seats if seat not in self.values])

    @property
    def is_complete(self) -> bool:
        """Whether all seats have given their values."""
        return len(self.values) == len(self.seats)

    @property
    def is_pending(self) -> bool:
        """Whether it has given no dice yet that it was opened for."""
        return bool(self.owing) or self.waits or (self.is_ahead and not self.thrown)

    @property
    def known(self) -> tuple[Seat, ...]:
        """The seats that may know its dice: of two, who owes the last part. Where more than two play, parts go about
        beside the log, and everybody may.
        """
        return self.owing if self.owing and len(self.seats) == 2 else self.seats

    @property
    def declared(self) -> Any | None:
        """The action that is declared and comes next; None: none, or it is not known here."""
        return self.actions[0] if self.actions else None

    def keys(self) -> dict[str | None, bytes]:
        """The keys of its dice: open ones under None, a seat's secret ones under its name; none while it is open."""
        return _keys(self.seats, self.values, self.unseen, self.opener) if self.is_complete and self.opener else {}

    def source(self, draws: Draws) -> CastSource:
        """Where its dice come from."""
        return CastSource(self.keys(), self.thrown, draws)

    def allows(self, entry: AnyPlay) -> bool:
        """Whether a play may be the one that was declared, as far as that is known here: what was said in the open is
        played in the open.
        """
        if entry.by != self.by or self.actions is None or (self.sealed and entry.done is None):
            return entry.by == self.by
        return entry.done is not None and is_alike(entry.done, self.declared)

    def after(self, by: Seat, action: Any, rolls: Iterable[Roll], *, answered: bool) -> Cast | None:
        """What is left of it after a play; None: it is over, for somebody has decided something.

        `answered`: the play only told what its seat was asked, so nothing was decided.
        """
        thrown = dict(self.thrown)
        for roll in rolls:
            thrown[roll.to] = thrown.get(roll.to, 0) + len(roll.faces)
        waits, open_ones = self.waits and answered, thrown.get(None, 0) != self.thrown.get(None, 0)
        if self.actions and by == self.by and action is not None and is_alike(action, self.actions[0]):
            left = self.actions[1:]
            if left or open_ones or not self.sealed:
                return replace(self, actions=left, thrown=thrown, waits=waits)
        # whether it goes on hangs on nothing that only one seat knows
        return replace(self, thrown=thrown, waits=waits) if answered or open_ones else None


@latest  # one throw gives the dice of several plays
def _keys(
    seats: tuple[Seat, ...], given: Mapping[Seat, str], unseen: Mapping[Seat, str], opener: str
) -> dict[str | None, bytes]:
    values = {seat: bytes.fromhex(given[seat]) for seat in seats}
    keys: dict[str | None, bytes] = {None: cast_key(values.values(), opener)}
    for seat, value in unseen.items():
        keys[seat] = cast_key((values | {seat: bytes.fromhex(value)}).values(), opener)
    return keys


def is_alike(one: Any, other: Any) -> bool:
    """Whether two actions are the same, as far as it is known here: a secret in them that is not known may be any."""
    if one == other:
        return True
    unknown: list[Secret[Any]] = []

    def shown(secret: Secret[Any]) -> str:
        unknown.extend(() if secret.known else (secret,))
        return secret.owner

    bare = [msgspec.to_builtins(action, enc_hook=shown) for action in (one, other)]
    return bool(unknown and type(one) is type(other) and bare[0] == bare[1])


class DroppedThrow(Struct, frozen=True):
    """A throw that no dice of a log come from."""

    number: int
    """Its number in the game, from 0."""
    by: Seat
    """Who began it."""
    n: int
    """The entry in which it began."""
    known: tuple[Seat, ...]
    """Who may know its dice: everybody who has, or may have got, the parts of all seats."""
    because: str = ""
    """How it was dropped, as a clause; "": it still waits."""
    at: int = 0
    """The entry by which it was dropped."""
    log: str = ""
    """The name of the log in which it was thrown, where that is another one, which this one has left."""
