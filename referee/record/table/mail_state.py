"""The state of play by mail after an entry of a log: keys, positions in chains, the joint roll, the pen and offers.

`mail_protocol` and `seat_keys` decide which entry may follow, and change the state as that entry demands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.record.log.enrolment import Enrolment
from referee.record.table.joint_roll import DroppedRoll, JointRoll
from referee.record.table.pending_offers import PendingOffer, carries_out_offer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.record.log.entry import AnyEntry, Director, JoinEntry
    from referee.record.log.offer import Offer


class ChainPosition(Struct, frozen=True, gc=False):
    """The position of a seat in its chain of dice, since it last joined."""

    enrolment: Enrolment
    first: int
    """The number of the joint roll that takes the first value of the seat's chain."""
    last: str
    """The value that the seat gave last. Until it gives its first value, the tip of the chain."""

    def count_rolls_left(self, cast: int) -> int:
        """Returns the number of joint rolls for which the seat's chain still lasts, including roll number `cast`."""
        return self.first + self.enrolment.length - cast


class ReplacementKey(Struct, frozen=True):
    """The change of a seat to another key than the one it joined with."""

    n: int
    """The number of the entry that brought the key."""
    word: tuple[Seat, ...]
    """The seats that agreed to the key."""


class DirectorRuling(Struct, frozen=True):
    """The agreement of a director to an offer, in place of a seat that did not answer."""

    n: int
    """The number of the entry."""
    by: Seat
    """The seat that made the offer."""
    seat: Seat
    """The seat in whose place the director agreed."""


class MailState:
    """The state of play by mail after an entry of a log."""

    record_id: str
    """The hash of the game entry, or of the `branch` entry if this log is a branch. Seals sign for it."""
    chain_positions: dict[Seat, ChainPosition]
    """The chain position of each seat that has joined."""
    enrolments: dict[Seat, Enrolment]
    """The enrolment with which each seat first joined. A later one takes its place if it came with the recovery key, or
    if another player took the seat.
    """
    replacements: dict[Seat, ReplacementKey]
    """The seats that play with another key, because the others agreed."""
    roll_count: int
    """The number of joint rolls so far, including those that were taken back."""
    joint_roll: JointRoll | None
    """The joint roll that is open or still gives dice; None if there is none."""
    pen: Seat | None
    """The only seat that may add to the log; None if nobody has handed the pen over yet."""
    signed_up_to: dict[Seat, int]
    """The entry of each seat's last seal, which signs everything before it."""
    offers: dict[int, PendingOffer]
    """The offers that are waiting for replies, by the number of their entry."""
    fixed_up_to: int
    """The last entry that declared an action, gave a share or sealed. No seat may go back over it alone."""
    dropped_rolls: tuple[DroppedRoll, ...]
    """The joint rolls that were begun in this log and never made."""
    has_just_branched: bool
    """True right after the `branch` entry: the entry that follows shows its hash, which becomes the `record_id`."""
    keys_before_branch: dict[Seat, str]
    """The key that each seat had in the log from which this one branched off. Empty if this log is not a branch."""
    secret_chains: dict[Seat, tuple[str, ...]]
    """The chains of secret dice that have been worked out from their seeds, in hex."""
    rulings: tuple[DirectorRuling, ...]
    """The times that the director agreed in place of a seat."""
    _given_up: JointRoll | None
    """The joint roll that was open when a player resigned."""
    _moved: int
    """The last entry that changed the game or its dice."""
    _asked: frozenset[str]
    """The signatures of offers that were made without the pen. Each stands in the log once."""

    keepers: tuple[Seat, ...]
    """The seats that keep secrets, each with a chain of secret dice."""
    is_timeless: bool
    """True if no joint roll depends on the time of an entry (`DiceMode.ignores_opening_time`)."""
    bound_keys: Mapping[Seat, str]
    """The key with which each seat sits down, in a later game of a match (`MatchPlace.keys`). Empty otherwise."""
    director: Director | None
    """The director of the game; None if it has none."""

    def __init__(
        self,
        game_id: str,
        seats: tuple[Seat, ...],
        keepers: tuple[Seat, ...],
        *,
        is_timeless: bool = False,
        bound_keys: Mapping[Seat, str] | None = None,
        director: Director | None = None,
    ) -> None:
        self.game_id = game_id
        self.record_id = game_id
        self.is_timeless = is_timeless
        self.bound_keys = bound_keys or {}
        self.director = director
        self.seats = seats
        self.keepers = keepers
        self.chain_positions = {}
        self.enrolments = {}
        self.replacements = {}
        self.roll_count = 0
        self.joint_roll = None
        self.pen = None
        self.signed_up_to = {}
        self.offers = {}
        self.fixed_up_to = -1
        self.dropped_rolls = ()
        self._given_up = None
        self._moved = 0
        self.rulings = ()
        self._asked = frozenset()
        self.has_just_branched = False
        self.keys_before_branch = {}
        self.secret_chains = {}

    @property
    def seats_to_join(self) -> tuple[Seat, ...]:
        """The seats that have not joined yet."""
        return tuple(seat for seat in self.seats if seat not in self.chain_positions)

    @property
    def droppable_roll(self) -> DroppedRoll | None:
        """The present joint roll, in the form in which it would be dropped now; None if there is none."""
        return _make_dropped_roll(self.joint_roll) if self.joint_roll else None

    @property
    def has_pending_roll(self) -> bool:
        """True if a joint roll was begun that has not yet given all the dice that it was opened for."""
        return self.joint_roll is not None and self.joint_roll.is_pending

    @property
    def has_given_up_roll(self) -> bool:
        """True if a player resigned before a joint roll had given all the dice that it was opened for."""
        return self._given_up is not None and self._given_up.is_pending

    def list_unsigned_seats(self, n: int) -> list[Seat]:
        """Returns the seats that have not signed entry `n` yet."""
        return [seat for seat in self.seats if self.signed_up_to.get(seat, -1) < n]

    def list_consenting_seats(self, entry: AnyEntry) -> frozenset[Seat]:
        """Returns the seats that agree to an entry: those that made the offer behind it, or agreed to that offer in the
        log.
        """
        fitting = (standing for standing in self.offers.values() if carries_out_offer(standing, entry))
        return frozenset(seat for standing in fitting for seat in (standing.by, *standing.agreed))

    def find_signing_key(self, seat: Seat) -> str | None:
        """Returns the key that signs for a seat; None if the seat has not joined.

        This is the key with which the seat joined or, if it asks to play on with another key, that other key.
        """
        asked = self._find_requested_enrolment(seat)
        if asked:
            return asked.key
        return self.chain_positions[seat].enrolment.key if seat in self.chain_positions else None

    def _find_requested_enrolment(self, seat: Seat) -> Enrolment | None:
        """Returns the enrolment with which a seat asks to play on; None if it asks for none."""
        chairs = (standing.offer.new_enrolment for standing in self.offers.values() if standing.by == seat)
        return next((chair for chair in chairs if chair), None)

    def is_rejoin(self, entry: JoinEntry) -> bool:
        """True if a seat that has joined comes with another key."""
        hand = self.chain_positions.get(entry.by)
        return hand is not None and entry.chair is not None and hand.enrolment.key != entry.chair.key

    def may_keep_pen(self, seat: Seat) -> bool:
        """True if a seat may sign and keep the pen: more than two play, and others owe shares of a joint roll."""
        owing = {*self.joint_roll.owing_seats} if self.joint_roll else set()
        return len(self.seats) > 2 and bool(owing - {seat})

    def find_present_joint_roll(self, head: str) -> JointRoll | None:
        """Returns the present joint roll in a log that ends with this hash; None if there is none."""
        return (
            self.joint_roll
            if self.joint_roll is None or self.joint_roll.opener
            else replace(self.joint_roll, opener=head)
        )

    def explain_barred_lone_takeback(self, to: int) -> str:
        """Returns, as a clause, why no seat may go back to entry `to` alone; "" if nothing here forbids it.

        No seat may take back an open joint roll alone, because it may know the dice already.
        """
        if self.joint_roll is not None:
            return f"roll {self.joint_roll.number} was begun in entry {self.joint_roll.n}"
        return f"entry {self.fixed_up_to} declared an action or was sent" if self.fixed_up_to > to else ""

    def explain_barred_ruling(self, by: Seat, seat: Seat, offer: Offer, n: int) -> str | None:
        """Returns why a director may not agree to an offer in entry `n`, as a clause; None if they may.

        The offer is by `by`, and the director would agree in place of `seat`. The time plays no part here.
        """
        if self.director is None or not self.director.settles:
            return "nobody may settle anything in this game"
        if not offer.may_be_ruled:
            return "a director may only end the game"
        if by == seat or not {by, seat} <= {*self.seats} or self.seats_to_join:
            return "a director settles only between players who sit in the game"
        if seat not in self.awaited_seats:
            return f"the game does not wait for {seat}, so nothing is stuck"
        return None if max(self.signed_up_to.values(), default=-1) == n - 1 else "there are entries that nobody signed"

    @property
    def awaited_seats(self) -> tuple[Seat, ...]:
        """The seats for which the game waits: those that owe a share of a joint roll, then the seat with the pen."""
        owing = self.joint_roll.owing_seats if self.joint_roll else ()
        return (*owing, self.pen) if self.pen else owing

    def list_seats_to_consent(self, by: Seat, seat: Seat, offer: Offer) -> tuple[Seat, ...]:
        """Returns the seats that must sign their consent before a director may agree to an offer in place of `seat`.

        These are all seats but `by`, `seat`, and those that have agreed to the same offer in the log.
        """
        same = [one for one in self.offers.values() if one.by == by and one.offer == offer]
        done = {by, seat, *(other for one in same for other in one.agreed)}
        return tuple(other for other in self.seats if other not in done)

    def end_offers_and_roll(self, entry: AnyEntry, because: str) -> None:
        """Ends all offers and drops the present joint roll. `because` is the reason, which the ledger shows for that
        roll.
        """
        self._drop_joint_roll(entry, because)
        self.offers, self.joint_roll = {}, None

    def _drop_joint_roll(self, entry: AnyEntry, because: str) -> None:
        """Adds the open joint roll, if any, to the dropped rolls.

        Adds a roll that was open when a player resigned, too, because such a roll is dropped when the resignation is
        taken back.
        """
        pending = [cast for cast in (self._given_up, self.joint_roll) if cast and cast.is_pending]
        self.dropped_rolls += tuple(replace(_make_dropped_roll(cast), because=because, at=entry.n) for cast in pending)
        self._given_up = None


def _make_dropped_roll(cast: JointRoll) -> DroppedRoll:
    return DroppedRoll(cast.number, cast.by, cast.n, cast.knowing_seats)
