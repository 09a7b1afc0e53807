"""Joint rolls: dice that all seats roll together by mail, and a short form of the rolls that were dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.caching import cache_latest
from referee.engine.dice import Roll
from referee.engine.dice_source import DrawCounts, JointRollSource
from referee.engine.hash_chain import derive_joint_key
from referee.engine.secret import Secret

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.log.entry import AnyPlay


class JointRoll(Struct, frozen=True):
    """One roll that all seats make together. It gives all dice until a seat makes a choice."""

    number: int
    """The number of the roll in the game, from 0."""
    n: int
    """The number of the entry that opened the roll."""
    by: Seat
    """The seat that opened the roll."""
    seats: tuple[Seat, ...]
    opener: str = ""
    """The hash from which the dice come, besides the values. It is that of the opening entry's content, or of its line
    if the dice are not timeless. "" as long as that line is the last one and its hash is not known here.
    """
    values: Mapping[Seat, str] = {}
    """The values that seats have given so far."""
    actions: tuple[Any, ...] | None = ()
    """The declared actions that are not played yet. None if they are a secret that is not known here."""
    thrown: DrawCounts = {}
    """The number of dice taken so far: open ones under None, secret ones under their seat."""
    waits: bool = False
    """True until the first declared action is played. Until then nobody may do anything else."""
    sealed: bool = False
    """True if the declared actions are a secret."""
    unseen: Mapping[Seat, str] = {}
    """The values of secret chains that are known here."""
    is_ahead: bool = False
    """True if an answer in advance opened the roll, because the next player can only roll."""
    batch_left: int = 0
    """The number of secret plays that are left of a batch. 0 if fewer than two secret actions were declared."""
    signed_seats: tuple[Seat, ...] = ()
    """The seats whose values a seal has signed, so that the other seats may have received them."""

    @property
    def owing_seats(self) -> tuple[Seat, ...]:
        """The seats that still owe their value, in playing order."""
        return tuple([seat for seat in self.seats if seat not in self.values])

    @property
    def is_complete(self) -> bool:
        """True if all seats have given their values."""
        return len(self.values) == len(self.seats)

    @property
    def is_in_use(self) -> bool:
        """True if all values are given and play has gone on with the roll. Its first declared action was played or, in
        a roll that was opened in advance, its first dice were taken.
        """
        return not (self.owing_seats or self.waits or (self.is_ahead and not self.thrown))

    @property
    def is_pending(self) -> bool:
        """True if the roll has not yet given all the dice that it was opened for, as far as everybody can tell."""
        return not self.is_in_use or self.batch_left > 0

    @property
    def serves_forced_rolls(self) -> bool:
        """True if the only possible action may take dice of this roll, even if nobody declared that action.

        During a batch, only the declared actions get dice, because the dice of the batch may be known already.
        """
        return self.batch_left == 0

    @property
    def is_secret(self) -> bool:
        """True if the roll has given no dice but secret ones: all dice of a secret action are secret."""
        return self.sealed and not self.thrown.get(None)

    @property
    def knowing_seats(self) -> tuple[Seat, ...]:
        """The seats that may know the dice of the roll already."""
        return list_knowing_seats(self.seats, self.by, self.signed_seats, is_secret=self.is_secret)

    @property
    def first_knowing_seats(self) -> tuple[Seat, ...]:
        """The seats that could know the dice of the roll before the others."""
        before = tuple(self.values)[:-1] if self.is_complete else self.signed_seats
        return list_knowing_seats(self.seats, self.by, before, is_secret=self.is_secret) or self.knowing_seats

    @property
    def declared_action(self) -> Any | None:
        """The declared action that comes next; None if there is none, or if it is not known here."""
        return self.actions[0] if self.actions else None

    def derive_dice_keys(self) -> dict[str | None, bytes]:
        """Returns the keys of the dice: open ones under None, secret ones under their seat. Empty while a value is
        missing.
        """
        return (
            _derive_keys(self.seats, self.values, self.unseen, self.opener) if self.is_complete and self.opener else {}
        )

    def make_dice_source(self, draws: DrawCounts) -> JointRollSource:
        """Returns a source of the dice of this roll; `draws` counts the rolls of the game so far."""
        return JointRollSource(self.derive_dice_keys(), self.thrown, draws)

    def allows(self, entry: AnyPlay) -> bool:
        """True if a play may be the declared action, as far as that is known here. An action declared openly is also
        played openly.
        """
        if entry.by != self.by or self.actions is None or (self.sealed and entry.known_action is None):
            return entry.by == self.by
        return entry.known_action is not None and may_be_same_action(entry.known_action, self.declared_action)

    def advance_past_play(
        self, by: Seat, action: Any, rolls: Iterable[Roll], *, answered: bool, hidden: bool
    ) -> JointRoll | None:
        """Returns the rest of the roll after a play; None if the roll is over because a seat decided something.

        `answered` is True if the play only answered a question, so that nothing was decided. `hidden` is True if the
        action itself is a secret.
        """
        thrown = dict(self.thrown)
        for roll in rolls:
            thrown[roll.to] = thrown.get(roll.to, 0) + len(roll.faces)
        if self.batch_left > 1 and not answered:
            return self._take_batch_play(action, thrown) if hidden and by == self.by else None
        waits, open_ones = self.waits and answered, thrown.get(None, 0) != self.thrown.get(None, 0)
        if self.actions and by == self.by and action is not None and may_be_same_action(action, self.actions[0]):
            left = self.actions[1:]
            if left or open_ones or not self.sealed:
                return replace(self, actions=left, thrown=thrown, waits=waits, batch_left=0)
        # A secret of one seat must not decide whether the roll goes on.
        kept = self.batch_left if answered else 0
        return replace(self, thrown=thrown, waits=waits, batch_left=kept) if answered or open_ones else None

    def _take_batch_play(self, action: Any, thrown: DrawCounts) -> JointRoll:
        """Returns the rest of a batch of secret actions after one of its plays.

        Every computer counts the plays, even if it does not know their actions. After a play that is not the next
        declared action, no declared action is left.
        """
        is_next = self.actions is None or (action is not None and may_be_same_action(action, self.declared_action))
        actions = self.actions and self.actions[1:] if is_next else ()
        return replace(self, actions=actions, thrown=thrown, waits=False, batch_left=self.batch_left - 1)


def list_knowing_seats(
    seats: tuple[Seat, ...], by: Seat, signed: Sequence[Seat], *, is_secret: bool
) -> tuple[Seat, ...]:
    """Returns the seats that may know the dice of a joint roll that `by` opened.

    A seat needs the values of all others. `signed` holds the seats whose values stand in a signed part of the log: no
    mail carries any other part. If more than two play, the other values travel beside the log once the opening is
    signed. So nobody can tell who has received them, and each seat may have. Secret dice need a value that the seat
    that rolls keeps to itself, so nobody else may know them.
    """
    sent = {*seats} if len(seats) > 2 and by in signed else {*signed}
    return tuple(seat for seat in seats if sent.issuperset({*seats} - {seat}) and (seat == by or not is_secret))


@cache_latest  # one roll gives the dice of several plays
def _derive_keys(
    seats: tuple[Seat, ...], given: Mapping[Seat, str], unseen: Mapping[Seat, str], opener: str
) -> dict[str | None, bytes]:
    values = {seat: bytes.fromhex(given[seat]) for seat in seats}
    keys: dict[str | None, bytes] = {None: derive_joint_key(values.values(), opener)}
    for seat, value in unseen.items():
        keys[seat] = derive_joint_key((values | {seat: bytes.fromhex(value)}).values(), opener)
    return keys


def may_be_same_action(one: Any, other: Any) -> bool:
    """True if two actions are the same as far as it is known here. An unknown secret in them may be anything."""
    if one == other:
        return True
    unknown: list[Secret[Any]] = []

    def encode_secret(secret: Secret[Any]) -> str:
        unknown.extend(() if secret.known else (secret,))
        return secret.owner

    bare = [msgspec.to_builtins(action, enc_hook=encode_secret) for action in (one, other)]
    return bool(unknown and type(one) is type(other) and bare[0] == bare[1])


def describe_leaving_branch(name: str) -> str:
    """Returns why a branch drops a roll, as a clause that follows the number of the entry with which it begins."""
    return f"that entry begins branch {name}, which leaves this roll out"


class DroppedRoll(Struct, frozen=True):
    """A joint roll that was begun and gives no dice to its log."""

    number: int
    """The number of the roll in the game, from 0."""
    by: Seat
    """The seat that began the roll."""
    n: int
    """The number of the entry that began the roll."""
    known: tuple[Seat, ...]
    """The seats that may know its dice: everybody who has, or may have received, the values of all seats."""
    because: str = ""
    """The reason that the roll was dropped, as a clause; "" while it is still waiting."""
    at: int = 0
    """The number of the entry that dropped the roll."""
    log: str = ""
    """If this log is a branch of the log that holds the roll, the name of that log; otherwise ""."""
