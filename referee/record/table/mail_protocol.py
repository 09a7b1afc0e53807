"""The rules of play by mail, as far as a log shows them: keys, chains of dice, joint rolls, the pen and offers.

`MailProtocol` stands beside the game in the reducer and decides which entry may follow. It knows no rules of the game
and verifies no signature; the verifier does both.
"""

from __future__ import annotations

from copy import copy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import REFEREE, Seat
from referee.engine.hash_chain import derive_chain, hash_opening, is_next_value
from referee.engine.text import listing
from referee.record.log.enrolment import ConsentWarrant, Enrolment, RecoveryWarrant
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    AnyEntry,
    AnyPlay,
    BranchEntry,
    DeclareEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    RulingEntry,
    SealEntry,
)
from referee.record.log.opening_content import encode_opening_content
from referee.record.table.deed import JudgedDeed
from referee.record.table.joint_roll import DroppedRoll, JointRoll
from referee.record.table.pending_offers import PendingOffer, carries_out_offer, is_withdrawn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.record.log.entry import Director
    from referee.record.log.offer import Offer
    from referee.record.table.reducer_state import ReducerState


REMARKS = frozenset({NoteEntry, SealEntry, OfferEntry, AgreeEntry, RefuseEntry, RulingEntry})
"""The types of entries that change nothing in the game."""
DEEDS = (PlayEntry, DeclareEntry)
"""The types of entries in which a seat acts, or declares its actions."""
APART = (OfferEntry, AnswerEntry)
"""The types of entries that may carry a signature of their own, made beside the log."""


class ChainPosition(Struct, frozen=True, gc=False):
    """The position of a seat in its chain of dice, since it last joined."""

    enrolment: Enrolment
    first: int
    """The number of the first joint roll of its chain."""
    last: str
    """The value that the seat gave last; the tip of the chain before its first value."""

    def count_rolls_left(self, cast: int) -> int:
        """Returns the number of joint rolls for which its chain still lasts, including roll number `cast`."""
        return self.first + self.enrolment.length - cast


class ReplacementKey(Struct, frozen=True):
    """A seat that plays with another key than the one it joined with."""

    n: int
    """The number of the entry that brought the key."""
    word: tuple[Seat, ...]
    """The seats that agreed to the key."""


class Ruling(Struct, frozen=True):
    """A director has agreed to an offer in place of a seat that did not answer."""

    n: int
    """The number of the entry."""
    by: Seat
    """The seat that made the offer."""
    seat: Seat
    """The seat in whose place the director agreed."""


class MailProtocol:
    """The state of play by mail after an entry of a log."""

    record_id: str
    """The hash of the game entry, or of the `branch` entry if this log is a branch. Seals sign for it."""
    chain_positions: dict[Seat, ChainPosition]
    """The chain position of each seat that has joined."""
    enrolments: dict[Seat, Enrolment]
    """The enrolment that each seat first joined with, or with which its owner took it back by the recovery key."""
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
    rulings: tuple[Ruling, ...]
    """The times that the director agreed in place of a seat."""
    _given_up: JointRoll | None
    """The joint roll that was open when a player resigned."""
    _moved: int
    """The last entry that changed the game or its dice."""
    _asked: frozenset[str]
    """The signatures of offers that were made without the pen. Each stands in the log once."""

    is_timeless: bool
    """True if no joint roll depends on the time of an entry (`Mode.is_timeless`)."""
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
        self._keepers = keepers
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
        self._branched = False
        self._unseen: dict[Seat, tuple[str, ...]] = {}

    @property
    def to_join(self) -> tuple[Seat, ...]:
        """The seats that have not joined yet."""
        return tuple(seat for seat in self.seats if seat not in self.chain_positions)

    @property
    def roll_to_drop(self) -> DroppedRoll | None:
        """The present joint roll, in the form in which it would be dropped now; None if there is none."""
        return _make_dropped_roll(self.joint_roll) if self.joint_roll else None

    @property
    def is_pending(self) -> bool:
        """True if a joint roll was begun that has given no dice yet."""
        return self.joint_roll is not None and self.joint_roll.is_pending

    @property
    def is_given_up(self) -> bool:
        """True if a joint roll was begun, and a player resigned before it gave dice."""
        return self._given_up is not None and self._given_up.is_pending

    # The order of entries

    def check_before_judging(self, reducer: ReducerState, entry: AnyEntry) -> None:
        """Checks the next entry before it is judged. Raises FaultError if it may not stand here, or not by this
        seat.
        """
        if self.joint_roll is not None and not self.joint_roll.opener:
            self.joint_roll = replace(self.joint_roll, opener=entry.prev)
        if self._branched:
            self.record_id, self._branched = entry.prev, False
        owing = () if self.joint_roll is None or self.joint_roll.is_complete else self.joint_roll.owing_seats
        if owing and isinstance(entry, DEEDS):
            have = "has" if len(owing) == 1 else "have"
            reducer.fail("bad-cast", f"{listing(owing)} {have} to answer first: dice are being rolled")
        if owing and isinstance(entry, OfferEntry) and entry.offer.new_enrolment is None:
            self._check_offering(reducer, entry, owing)
        if self.joint_roll is not None and self.joint_roll.waits and not owing:
            self._check_waiting(reducer, self.joint_roll, entry)
        if self.joint_roll is not None and self.joint_roll.batch_left and isinstance(entry, DEEDS):
            self._check_batch(reducer, self.joint_roll, entry)
        if not (isinstance(entry, PlayEntry) or self._may_write(entry)):
            reducer.fail("bad-seal", f"{entry.by} adds to the log, but {self.pen} has the pen")

    def _check_offering(self, reducer: ReducerState, entry: OfferEntry[Any], owing: tuple[Seat, ...]) -> None:
        """Raises FaultError if a seat that may know the dice already makes an offer while they are being rolled.

        If two play, that is the seat that owes the last share. If more play, it is any seat, since shares travel beside
        the log.
        """
        if owing == (entry.by,):
            reducer.fail(
                "bad-cast", f"{entry.by} makes an offer, but still owes the last share of roll {self.roll_count - 1}"
            )
        if len(self.seats) > 2:
            reducer.fail("bad-cast", f"{entry.by} makes an offer, but roll {self.roll_count - 1} is being made")

    def _check_waiting(self, reducer: ReducerState, cast: JointRoll, entry: AnyEntry) -> None:
        """Checks that the declared action comes next, because the seat that declared it may know its dice.

        Nobody has played since, so an action that was legal is still legal. The check needs no rules and no secrets.
        """
        match entry:
            case PlayEntry():
                fits = cast.allows(entry)
            case JudgedDeed():
                fits = not entry.waits_for_declared or entry.by != cast.by or self._have_all_agreed(entry)
            case OfferEntry():
                fits = entry.by != cast.by or entry.offer.new_enrolment is not None
            case _:
                fits = not isinstance(entry, DeclareEntry | AnswerEntry)
        if not fits:
            reducer.fail(
                "bad-cast", f"{cast.by} has declared an action, and its dice are rolled, so it must come first"
            )

    @staticmethod
    def _check_batch(reducer: ReducerState, cast: JointRoll, entry: AnyEntry) -> None:
        """Checks that no other seat plays out of turn while a batch of secret actions goes on.

        Otherwise that seat could end the batch, and so refuse its dice.
        """
        game, public = reducer.game, reducer.known.public
        is_theirs = game.to_act(public) == cast.by and not game.awaits_answer(public)
        if is_theirs and entry.by != cast.by:
            reducer.fail("bad-cast", f"{cast.by} has declared secret actions, and the rest of them come first")

    def _may_write(self, entry: AnyEntry) -> bool:
        """True if the seat of an entry has the pen, or has signed the entry itself, or all have agreed to it."""
        if self.pen is None or entry.by in (REFEREE, self.pen):
            return True
        return isinstance(entry, RulingEntry) or (
            (isinstance(entry, APART) and entry.signature is not None) or self._have_all_agreed(entry)
        )

    def _have_all_agreed(self, entry: AnyEntry) -> bool:
        return self.list_consenting_seats(entry).issuperset(self.seats)

    def check(self, reducer: ReducerState, entry: AnyEntry) -> None:
        """Checks an entry that is not a play, without changing this state. Raises FaultError if it may not stand
        here.
        """
        trial = copy(self)
        trial.chain_positions, trial.signed_up_to, trial.offers = (
            {**self.chain_positions},
            {**self.signed_up_to},
            {**self.offers},
        )
        trial.enrolments, trial.replacements = {**self.enrolments}, {**self.replacements}
        trial.check_before_judging(reducer, entry)
        trial.add(reducer, entry)

    def explain_fixed_past(self, to: int) -> str:
        """Returns, as a clause, the reason that nobody may go back to entry `to` alone; "" if they may.

        Nobody may take back an open joint roll alone, because they may know its dice already.
        """
        if self.joint_roll is not None:
            return f"roll {self.joint_roll.number} was begun in entry {self.joint_roll.n}"
        return f"entry {self.fixed_up_to} declared an action or was sent" if self.fixed_up_to > to else ""

    def find_joint_roll_at(self, head: str) -> JointRoll | None:
        """Returns the present joint roll in a log that ends with this hash; None if there is none."""
        return (
            self.joint_roll
            if self.joint_roll is None or self.joint_roll.opener
            else replace(self.joint_roll, opener=head)
        )

    def add(self, reducer: ReducerState, entry: AnyEntry) -> None:
        """Changes this state as an entry demands. Raises FaultError if the entry may not stand here."""
        if type(entry) not in REMARKS:
            self._moved = entry.n
        match entry:
            case PlayEntry():
                self._apply_play(reducer, entry)
            case JoinEntry():
                self._apply_join(reducer, entry)
            case DeclareEntry():
                self._open_joint_roll(reducer, entry, entry.known_actions)
            case AnswerEntry():
                self._apply_answer(reducer, entry)
            case SealEntry():
                self._apply_seal(reducer, entry)
            case OfferEntry():
                self._apply_offer(reducer, entry)
            case AgreeEntry() | RefuseEntry():
                self._apply_reply(reducer, entry)
            case RulingEntry():
                self._apply_ruling(reducer, entry)
            case BranchEntry():
                self._apply_branch(entry)
            case JudgedDeed(joint_roll_fate="given up"):
                self._given_up, self.joint_roll, self.offers = self.joint_roll, None, {}
            case JudgedDeed(joint_roll_fate="dropped"):
                self._carry_out_offer(entry, "by agreement")

    def is_rejoin(self, entry: JoinEntry) -> bool:
        """True if a seat that has joined comes with another key."""
        hand = self.chain_positions.get(entry.by)
        return hand is not None and entry.chair is not None and hand.enrolment.key != entry.chair.key

    def _apply_join(self, reducer: ReducerState, entry: JoinEntry) -> None:
        chair = entry.chair
        if chair is None or entry.by not in self.seats:
            reducer.fail(
                "bad-secret", f"{entry.by} joins without a key" if chair is None else f"there is no seat {entry.by!r}"
            )
        if (chair.unseen is None) == (entry.by in self._keepers):
            reducer.fail("bad-secret", "only seats that keep secrets have a chain of secret dice")
        cast, again = self.joint_roll, self.is_rejoin(entry)
        if cast is not None and entry.by in cast.owing_seats and not again:
            reducer.fail("bad-cast", f"{entry.by} joins, but owes an answer to roll {cast.number}")
        if cast is not None and again and {*cast.owing_seats} - {entry.by}:  # they may have given shares beside the log
            reducer.fail("bad-cast", f"{entry.by} joins with another key, but roll {cast.number} is being made")
        if cast is not None and not cast.is_complete and again and isinstance(entry.warrant, RecoveryWarrant):
            reducer.fail("bad-cast", "nobody joins with another key while dice are being rolled")
        if self.is_rejoin(entry):
            self._change_key(reducer, entry, chair)
        else:
            self._check_fresh(reducer, entry, chair)
            self._check_bound(reducer, entry.by, chair)
            self.enrolments.setdefault(entry.by, chair)
            if entry.warrant is not None:
                reducer.fail("bad-agreement", f"{entry.by} has the same key as before and needs no agreement")
        if entry.name and not isinstance(entry.warrant, ConsentWarrant):
            reducer.fail("bad-agreement", f"{entry.name} takes {entry.by} without the signatures of the others")
        if self.director is not None and chair.key == self.director.key:
            reducer.fail("bad-seat", f"{entry.by} joins with the key of {self.director.name}, who directs the game")
        self.pen = self.pen or entry.by
        self.chain_positions[entry.by] = ChainPosition(chair, self.roll_count, chair.tip)
        self._unseen.pop(entry.by, None)

    def _check_bound(self, reducer: ReducerState, seat: Seat, chair: Enrolment) -> None:
        """Checks that the same people sit down in each game of a match. On a branch, seats may come with other keys."""
        has_sat = seat in self.chain_positions or self._branched
        if self.bound_keys and not has_sat and self.bound_keys.get(seat) != chair.key:
            reducer.fail("bad-seat", f"{seat} joins with another key than in the game before, in the same match")

    def _change_key(self, reducer: ReducerState, entry: JoinEntry, chair: Enrolment) -> None:
        """Gives a seat another key. With the recovery key, open joint rolls stay, so that the seat cannot avoid their
        dice.

        With the others' agreement, the seat gets new dice, and the others know that.
        """
        seat, warrant = entry.by, entry.warrant
        if isinstance(warrant, RecoveryWarrant):
            self._check_fresh(reducer, entry, chair)
            if sha256(warrant.key.encode()).hexdigest() != self.enrolments[seat].recovery:
                reducer.fail("bad-agreement", f"this is not the recovery key of the player who joined as {seat}")
            self.enrolments[seat] = chair
            self.replacements.pop(seat, None)
            return
        if warrant is not None and self.signed_up_to.get(seat, -1) > warrant.on:
            reducer.fail("bad-agreement", f"the old key of {seat} has signed after a new key was requested")
        self._carry_out_offer(entry, f"{seat} joined with another key")
        if entry.name:  # another player, whose own key this is
            self.enrolments[seat] = chair
            self.replacements.pop(seat, None)
            return
        word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
        self.replacements[seat] = ReplacementKey(entry.n, word)
        if self.enrolments[seat].key == chair.key:
            del self.replacements[seat]

    @staticmethod
    def _check_fresh(reducer: ReducerState, entry: JoinEntry | OfferEntry[Any], chair: Enrolment) -> None:
        """Checks that the chains of an enrolment were made for this place in this log, so that no value serves
        twice.
        """
        if chair.after != entry.prev:
            reducer.fail("bad-cast", f"the chains of {entry.by} were made for another place")

    def _open_joint_roll(
        self, reducer: ReducerState, entry: DeclareEntry[Any] | AnswerEntry, actions: tuple[Any, ...] | None
    ) -> None:
        """Opens a joint roll with the share of one seat."""
        if self.to_join:
            reducer.fail("bad-cast", f"{listing(self.to_join)} has not joined, and no dice can be rolled")
        if entry.cast != self.roll_count:
            reducer.fail(
                "bad-cast",
                f"the next roll of the game is number {self.roll_count}, not {entry.cast}; each number is used once",
            )
        if isinstance(entry, DeclareEntry) and not entry.actions and entry.secret is None:
            reducer.fail("bad-cast", "nothing is declared")
        if isinstance(entry, DeclareEntry) and entry.count != self._count_secrets(entry):
            reducer.fail("bad-cast", f"{entry.by} declares another number of secret actions than {entry.count}")
        self.roll_count += 1
        self.offers = {}
        self.fixed_up_to = entry.n
        unseen = {
            seat: chain[-1] for seat in self._keepers if (chain := self._list_chain_values(reducer, seat, entry.cast))
        }
        declared = isinstance(entry, DeclareEntry)
        sealed = isinstance(entry, DeclareEntry) and entry.secret is not None
        self.joint_roll = JointRoll(
            entry.cast,
            entry.n,
            entry.by,
            self.seats,
            self._hash_opening(reducer),
            actions=actions,
            waits=declared,
            sealed=sealed,
            unseen=unseen,
            is_ahead=not declared,
            batch_left=entry.count if isinstance(entry, DeclareEntry) and entry.count > 1 else 0,
        )
        self._record_share(reducer, self.joint_roll, entry.by, entry.value)

    @staticmethod
    def _count_secrets(entry: DeclareEntry[Any]) -> int:
        """Returns the right `count` of a declaration, as far as its actions are known here."""
        actions = entry.known_actions
        return entry.count if actions is None else len(actions) if entry.secret is not None else 1

    def _hash_opening(self, reducer: ReducerState) -> str:
        """Returns the hash of what opens a joint roll; "" where that is the hash of its line, which comes later."""
        if not (self.is_timeless and reducer.written):
            return ""
        return hash_opening(self.record_id, encode_opening_content(reducer.written))

    def _list_chain_values(self, reducer: ReducerState, seat: Seat, cast: int) -> tuple[str, ...]:
        """Returns the values of a seat's secret chain up to roll `cast`; empty if the chain is not known here."""
        seed, hand = reducer.seeds.get(seat), self.chain_positions[seat]
        if seed is None or hand.count_rolls_left(cast) < 1:
            return ()
        if seat not in self._unseen:
            values = derive_chain(self.game_id, seat, bytes.fromhex(seed), hand.enrolment.length)
            if values[0].hex() != hand.enrolment.unseen:
                reducer.fail("bad-cast", f"the chain of secret dice that {seat} sealed is not the one with its tip")
            self._unseen[seat] = tuple(value.hex() for value in values)
        return self._unseen[seat][: cast - hand.first + 2]

    def _apply_answer(self, reducer: ReducerState, entry: AnswerEntry) -> None:
        if entry.signature is None and (self.joint_roll is None or self.joint_roll.is_complete):
            self._open_joint_roll(reducer, entry, ())
        elif (
            self.joint_roll is None
            or entry.cast != self.joint_roll.number
            or entry.by not in self.joint_roll.owing_seats
        ):
            reducer.fail("bad-cast", f"{entry.by} owes no answer to roll {entry.cast}")
        else:
            self.fixed_up_to = entry.n
            self._record_share(reducer, self.joint_roll, entry.by, entry.value)

    def _record_share(self, reducer: ReducerState, cast: JointRoll, seat: Seat, value: str) -> None:
        """Records the share that a seat gives to a roll. It must be the next value of its chain, so nobody could choose
        it.
        """
        hand = self.chain_positions.get(seat)
        if hand is None or hand.count_rolls_left(cast.number) < 1:
            reducer.fail("bad-cast", f"the chain of {seat} has come to its end")
        if not is_next_value(self.game_id, seat, bytes.fromhex(value), bytes.fromhex(hand.last)):
            reducer.fail("bad-cast", f"the value that {seat} gives to the roll is not the next one of its chain")
        self.chain_positions[seat] = replace(hand, last=value)
        self.joint_roll = replace(cast, values={**cast.values, seat: value})

    def _apply_seal(self, reducer: ReducerState, entry: SealEntry) -> None:
        hand = self.find_signing_key(entry.by)
        if hand is None:
            reducer.fail("bad-seal", f"{entry.by} signs, but has not joined")
        if entry.to not in self.seats or (entry.to == entry.by and not self.may_keep_pen(entry.by)):
            reducer.fail("bad-seal", f"{entry.by} hands the pen to {entry.to}")
        if self._find_requested_enrolment(entry.by) and not self._seals_only_offer(entry):
            reducer.fail(
                "bad-seal", f"a key that nobody has agreed to yet may sign only the request of {entry.by} for it"
            )
        self.pen = entry.to
        self.signed_up_to[entry.by] = self.fixed_up_to = entry.n

    def may_keep_pen(self, seat: Seat) -> bool:
        """True if a seat may sign and keep the pen: more than two play, and others owe shares of a joint roll."""
        owing = {*self.joint_roll.owing_seats} if self.joint_roll else set()
        return len(self.seats) > 2 and bool(owing - {seat})

    def _apply_branch(self, entry: BranchEntry) -> None:
        """Forgets keys and joint rolls, since a branch uses no dice of its parent and nobody has signed it. All seats
        join again.
        """
        self._drop_joint_roll(entry, f"branch {entry.name} left it")
        self.chain_positions, self.joint_roll, self.offers, self.pen, self.signed_up_to = {}, None, {}, None, {}
        self.enrolments, self.replacements = {}, {}
        self._branched = True

    def find_signing_key(self, seat: Seat) -> str | None:
        """Returns the key that signs for a seat: the one that it joined with, or that it asks to play on with."""
        asked = self._find_requested_enrolment(seat)
        if asked:
            return asked.key
        return self.chain_positions[seat].enrolment.key if seat in self.chain_positions else None

    def _find_requested_enrolment(self, seat: Seat) -> Enrolment | None:
        """Returns the enrolment with which a seat asks to play on; None if it asks for none."""
        chairs = (standing.offer.new_enrolment for standing in self.offers.values() if standing.by == seat)
        return next((chair for chair in chairs if chair), None)

    def _seals_only_offer(self, entry: SealEntry) -> bool:
        """True if only an offer of the seat stands between the last seal and this one."""
        return entry.n - 1 in self.offers and max(self.signed_up_to.values(), default=-1) == entry.n - 2

    def _apply_play(self, reducer: ReducerState, entry: AnyPlay) -> None:
        """Takes the dice of a play out of the joint roll. The reducer still holds the game before the play."""
        self.offers = {}
        if self.joint_roll is not None:
            answered = reducer.game.awaits_answer(reducer.known.public)
            self.joint_roll = self.joint_roll.take_play(
                entry.by, entry.known_action, entry.all_rolls, answered=answered, hidden=entry.action is None
            )

    # Agreement

    def _apply_offer(self, reducer: ReducerState, entry: OfferEntry[Any]) -> None:
        if entry.by not in self.seats:
            reducer.fail("bad-seat", f"there is no seat {entry.by!r}")
        if entry.on >= entry.n or (entry.signature is not None and entry.on < self._moved):
            reducer.fail("bad-offer", f"somebody has played since {entry.by} made this offer")
        if entry.offer.new_enrolment is not None:
            self._check_fresh(reducer, entry, entry.offer.new_enrolment)
        if entry.signature in self._asked:
            reducer.fail("bad-offer", f"{entry.by} has made this offer before")
        self._asked |= {entry.signature} if entry.signature else set()
        if entry.offer.withdrawn_hash and not any(is_withdrawn(one, entry) for one in self.offers.values()):
            reducer.fail("bad-offer", f"{entry.by} takes back an offer that does not stand")
        self.offers = {n: one for n, one in self.offers.items() if one.by != entry.by}
        if not entry.offer.withdrawn_hash:
            self.offers[entry.n] = PendingOffer(entry.n, entry.by, entry.offer, ())

    def _apply_reply(self, reducer: ReducerState, entry: AgreeEntry | RefuseEntry) -> None:
        standing = self.offers.pop(entry.to, None)
        if standing is None or entry.by == standing.by or entry.by not in self.seats or entry.by in standing.agreed:
            reducer.fail("bad-offer", f"entry {entry.to} offers nothing that {entry.by} can reply to")
        if isinstance(entry, AgreeEntry):
            self.offers[entry.to] = standing._replace(agreed=(*standing.agreed, entry.by))

    def explain_barred_ruling(self, by: Seat, seat: Seat, offer: Offer, n: int) -> str | None:
        """Returns why a director may not agree to an offer in entry `n`, as a clause; None if they may.

        The offer is by `by`, and the director would agree in place of `seat`. No clock is asked.
        """
        if self.director is None or not self.director.settles:
            return "nobody may settle anything in this game"
        if not offer.may_be_ruled:
            return "a director may only end the game"
        if {by, seat} != {*self.seats} or self.to_join:
            return "a director settles only between two players who sit in the game"
        if self.pen != seat:
            return f"the game does not wait for {seat}, so nothing is stuck"
        return None if max(self.signed_up_to.values(), default=-1) == n - 1 else "there are entries that nobody signed"

    def _apply_ruling(self, reducer: ReducerState, entry: RulingEntry[Any]) -> None:
        """Makes an offer to which all have agreed, the director in place of a seat, and gives the offering seat the
        pen.
        """
        problem = self.explain_barred_ruling(entry.by, entry.seat, entry.offer, entry.n)
        if problem:
            reducer.fail("bad-offer", problem)
        self.offers = {entry.n: PendingOffer(entry.n, entry.by, entry.offer, (entry.seat,))}
        self.pen = entry.by
        self.rulings += (Ruling(entry.n, entry.by, entry.seat),)

    def _carry_out_offer(self, entry: AnyEntry, because: str) -> None:
        """Ends all offers and the present joint roll, because an agreed offer is carried out."""
        self._drop_joint_roll(entry, because)
        self.offers, self.joint_roll = {}, None

    def _drop_joint_roll(self, entry: AnyEntry, because: str) -> None:
        """Lists an open joint roll as dropped. The roll of a player who resigned is dropped once the resignation is
        taken back.
        """
        pending = [cast for cast in (self._given_up, self.joint_roll) if cast and cast.is_pending]
        self.dropped_rolls += tuple(replace(_make_dropped_roll(cast), because=because, at=entry.n) for cast in pending)
        self._given_up = None

    def list_consenting_seats(self, entry: AnyEntry) -> frozenset[Seat]:
        """Returns the seats that agree to an entry in the log, including the one that offered it."""
        fitting = (standing for standing in self.offers.values() if carries_out_offer(standing, entry))
        return frozenset(seat for standing in fitting for seat in (standing.by, *standing.agreed))


def _make_dropped_roll(cast: JointRoll) -> DroppedRoll:
    return DroppedRoll(cast.number, cast.by, cast.n, cast.knowing_seats)
