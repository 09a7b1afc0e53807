"""The rules of play by mail, as far as a log shows them: keys, chains of dice, joint rolls, the pen and offers.

`MailProtocol` stands beside the game in the reducer and decides which entry may follow. It knows no rules of the game
and verifies no signature; the verifier does both. The state that it changes is in `mail_state`. Its part about seats
that sit down, with a first key or another one, is in `seat_keys`.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from referee.engine.event import REFEREE, Seat
from referee.engine.hash_chain import derive_chain, hash_roll_opening, is_next_value
from referee.engine.text import listing
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
from referee.record.log.roll_opening import strip_time_and_place
from referee.record.table.deed import JudgedDeed
from referee.record.table.joint_roll import JointRoll, describe_leaving_branch
from referee.record.table.mail_state import DirectorRuling, MailState
from referee.record.table.pending_offers import PendingOffer, withdraws_offer
from referee.record.table.seat_keys import check_fresh_chains, sit_down_with_key

if TYPE_CHECKING:
    from referee.record.table.reducer_state import ReducerState


REMARK_TYPES = frozenset({NoteEntry, SealEntry, OfferEntry, AgreeEntry, RefuseEntry, RulingEntry})
"""The types of entries that change nothing in the game."""
ACTING_TYPES = (PlayEntry, DeclareEntry)
"""The types of entries in which a seat acts, or declares its actions."""
SEPARATELY_SIGNED_TYPES = (OfferEntry, AnswerEntry)
"""The types of entries that may carry a signature of their own, made beside the log."""


class MailProtocol(MailState):
    """The state of play by mail, and the entries that may follow in it."""

    # The order of entries

    def admit_next_entry(self, reducer: ReducerState, entry: AnyEntry) -> None:
        """Checks the next entry before it is judged, and notes the hash of the line before it. Raises FaultError if the
        entry may not stand here, or not by this seat.
        """
        if self.joint_roll is not None and not self.joint_roll.opener:
            self.joint_roll = replace(self.joint_roll, opener=entry.prev)
        if self.has_just_branched:
            self.record_id, self.has_just_branched = entry.prev, False
        owing = () if self.joint_roll is None or self.joint_roll.is_complete else self.joint_roll.owing_seats
        if owing and isinstance(entry, ACTING_TYPES):
            have = "has" if len(owing) == 1 else "have"
            reducer.raise_fault("bad-cast", f"{listing(owing)} {have} to answer first: dice are being rolled")
        if owing and isinstance(entry, OfferEntry) and entry.offer.new_enrolment is None:
            self._check_offering(reducer, entry, owing)
        if self.joint_roll is not None and self.joint_roll.waits and not owing:
            self._check_waiting(reducer, self.joint_roll, entry)
        if self.joint_roll is not None and self.joint_roll.batch_left and isinstance(entry, ACTING_TYPES):
            self._check_batch(reducer, self.joint_roll, entry)
        if not (isinstance(entry, PlayEntry) or self._may_write(entry)):
            reducer.raise_fault("bad-seal", f"{entry.by} adds to the log, but {self.pen} has the pen")

    def _check_offering(self, reducer: ReducerState, entry: OfferEntry[Any], owing: tuple[Seat, ...]) -> None:
        """Raises FaultError if a seat that may know the dice already makes an offer while they are being rolled.

        If two play, that is the seat that owes the last share. If more play, it is any seat, since shares travel beside
        the log.
        """
        if owing == (entry.by,):
            reducer.raise_fault(
                "bad-cast", f"{entry.by} makes an offer, but still owes the last share of roll {self.roll_count - 1}"
            )
        if len(self.seats) > 2:
            reducer.raise_fault("bad-cast", f"{entry.by} makes an offer, but roll {self.roll_count - 1} is being made")

    def _check_waiting(self, reducer: ReducerState, cast: JointRoll, entry: AnyEntry) -> None:
        """Checks that the declared action comes next, because the seat that declared it may know its dice.

        Nobody has played since, so an action that was legal is still legal. The check needs no rules and no secrets.
        """
        match entry:
            case PlayEntry():
                fits = cast.allows(entry)
            case JudgedDeed():
                fits = not entry.waits_for_declared_action or entry.by != cast.by or self._have_all_agreed(entry)
            case OfferEntry():
                fits = entry.by != cast.by or entry.offer.new_enrolment is not None
            case _:
                fits = not isinstance(entry, DeclareEntry | AnswerEntry)
        if not fits:
            reducer.raise_fault(
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
            reducer.raise_fault("bad-cast", f"{cast.by} has declared secret actions, and the rest of them come first")

    def _may_write(self, entry: AnyEntry) -> bool:
        """True if an entry may stand here: its seat has the pen or nobody has, the seat signed it, or all agreed.

        The referee and the rulings of a director need no pen.
        """
        if self.pen is None or entry.by in (REFEREE, self.pen):
            return True
        return isinstance(entry, RulingEntry) or (
            (isinstance(entry, SEPARATELY_SIGNED_TYPES) and entry.signature is not None) or self._have_all_agreed(entry)
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
        trial.admit_next_entry(reducer, entry)
        trial.add(reducer, entry)

    def add(self, reducer: ReducerState, entry: AnyEntry) -> None:
        """Changes this state as an entry demands. Raises FaultError if the entry may not stand here."""
        if type(entry) not in REMARK_TYPES:
            self._moved = entry.n
        match entry:
            case PlayEntry():
                self._apply_play(reducer, entry)
            case JoinEntry():
                sit_down_with_key(self, reducer, entry)
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
                self.end_offers_and_roll(entry, "an accepted offer ended it")

    # Joint rolls

    def _open_joint_roll(
        self, reducer: ReducerState, entry: DeclareEntry[Any] | AnswerEntry, actions: tuple[Any, ...] | None
    ) -> None:
        """Opens a joint roll with the share of one seat. Raises FaultError if no roll may begin here, or if the entry
        is wrong.
        """
        if self.seats_to_join:
            reducer.raise_fault(
                "bad-cast", f"before any dice can be rolled, these seats must join: {listing(self.seats_to_join)}"
            )
        if entry.cast != self.roll_count:
            reducer.raise_fault(
                "bad-cast",
                f"the next roll of the game is number {self.roll_count}, not {entry.cast}; each number is used once",
            )
        if isinstance(entry, DeclareEntry) and not entry.actions and entry.secret is None:
            reducer.raise_fault("bad-cast", "nothing is declared")
        if isinstance(entry, DeclareEntry) and entry.count != self._count_secrets(entry):
            reducer.raise_fault("bad-cast", f"{entry.by} declares another number of secret actions than {entry.count}")
        self.roll_count += 1
        self.offers = {}
        self.fixed_up_to = entry.n
        unseen = {
            seat: chain[-1] for seat in self.keepers if (chain := self._list_chain_values(reducer, seat, entry.cast))
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
        """Returns the number that the field `count` of a declaration must hold.

        This is the number of its secret actions; 1 if its action is open. If the actions are not known here, the
        declared number is returned.
        """
        actions = entry.known_actions
        return entry.count if actions is None else len(actions) if entry.secret is not None else 1

    def _hash_opening(self, reducer: ReducerState) -> str:
        """Returns the hash of the content of the entry that opens a joint roll. Returns "" if the dice come from the
        hash of the entry's line, which is known only later.
        """
        if not (self.is_timeless and reducer.raw_entry):
            return ""
        return hash_roll_opening(self.record_id, strip_time_and_place(reducer.raw_entry))

    def _list_chain_values(self, reducer: ReducerState, seat: Seat, cast: int) -> tuple[str, ...]:
        """Returns the values of a seat's secret chain up to roll `cast`; empty if the chain is not known here."""
        seed, hand = reducer.seeds.get(seat), self.chain_positions[seat]
        if seed is None or hand.count_rolls_left(cast) < 1:
            return ()
        if seat not in self.secret_chains:
            values = derive_chain(self.game_id, seat, bytes.fromhex(seed), hand.enrolment.length)
            if values[0].hex() != hand.enrolment.unseen:
                reducer.raise_fault(
                    "bad-cast",
                    f"the chain of secret dice that {seat} sealed is not the one that {seat} joined with",
                )
            self.secret_chains[seat] = tuple(value.hex() for value in values)
        return self.secret_chains[seat][: cast - hand.first + 2]

    def _apply_answer(self, reducer: ReducerState, entry: AnswerEntry) -> None:
        if entry.signature is None and (self.joint_roll is None or self.joint_roll.is_complete):
            self._open_joint_roll(reducer, entry, ())
        elif (
            self.joint_roll is None
            or entry.cast != self.joint_roll.number
            or entry.by not in self.joint_roll.owing_seats
        ):
            reducer.raise_fault("bad-cast", f"{entry.by} owes no answer to roll {entry.cast}")
        else:
            self.fixed_up_to = entry.n
            self._record_share(reducer, self.joint_roll, entry.by, entry.value)

    def _record_share(self, reducer: ReducerState, cast: JointRoll, seat: Seat, value: str) -> None:
        """Records the share that a seat gives to a roll. It must be the next value of its chain, so nobody could choose
        it.
        """
        hand = self.chain_positions.get(seat)
        if hand is None or hand.count_rolls_left(cast.number) < 1:
            reducer.raise_fault("bad-cast", f"the chain of {seat} has come to its end")
        if not is_next_value(self.game_id, seat, bytes.fromhex(value), bytes.fromhex(hand.last)):
            reducer.raise_fault("bad-cast", f"the value that {seat} gives to the roll is not the next one of its chain")
        self.chain_positions[seat] = replace(hand, last=value)
        self.joint_roll = replace(cast, values={**cast.values, seat: value})

    # The pen

    def _apply_seal(self, reducer: ReducerState, entry: SealEntry) -> None:
        hand = self.find_signing_key(entry.by)
        if hand is None:
            reducer.raise_fault("bad-seal", f"{entry.by} signs, but has not joined")
        if entry.to not in self.seats or (entry.to == entry.by and not self.may_keep_pen(entry.by)):
            reducer.raise_fault("bad-seal", f"{entry.by} cannot hand the pen to {entry.to}")
        if self._find_requested_enrolment(entry.by) and not self._seals_only_offer(entry):
            reducer.raise_fault(
                "bad-seal",
                f"nobody has agreed to the new key of {entry.by} yet, so it may sign only the request for it",
            )
        self.pen = entry.to
        self.signed_up_to[entry.by] = self.fixed_up_to = entry.n
        if self.joint_roll is not None:
            self.joint_roll = replace(self.joint_roll, signed_seats=tuple(self.joint_roll.values))

    def _seals_only_offer(self, entry: SealEntry) -> bool:
        """True if only an offer of the seat stands between the last signature entry (seal) and this one."""
        return entry.n - 1 in self.offers and max(self.signed_up_to.values(), default=-1) == entry.n - 2

    def _apply_branch(self, entry: BranchEntry) -> None:
        """Forgets keys and joint rolls, since a branch uses no dice of its parent and nobody has signed it. All seats
        join again, and only `keys_before_branch` tells who sat where.
        """
        self._drop_joint_roll(entry, describe_leaving_branch(entry.name))
        sat = {seat: position.enrolment.key for seat, position in self.chain_positions.items()}
        self.keys_before_branch = {**self.keys_before_branch, **sat}
        self.chain_positions, self.joint_roll, self.offers, self.pen, self.signed_up_to = {}, None, {}, None, {}
        self.enrolments, self.replacements = {}, {}
        self.has_just_branched = True

    def _apply_play(self, reducer: ReducerState, entry: AnyPlay) -> None:
        """Takes the dice of a play out of the joint roll. The reducer still holds the game before the play."""
        self.offers = {}
        if self.joint_roll is not None:
            answered = reducer.game.awaits_answer(reducer.known.public)
            self.joint_roll = self.joint_roll.advance_past_play(
                entry.by, entry.known_action, entry.known_rolls, answered=answered, hidden=entry.action is None
            )

    # Agreement

    def _apply_offer(self, reducer: ReducerState, entry: OfferEntry[Any]) -> None:
        if entry.by not in self.seats:
            reducer.raise_fault("bad-seat", f"there is no seat {entry.by!r}")
        if entry.on >= entry.n or (entry.signature is not None and entry.on < self._moved):
            reducer.raise_fault("bad-offer", f"somebody has played since {entry.by} made this offer")
        if entry.offer.new_enrolment is not None:
            check_fresh_chains(reducer, entry, entry.offer.new_enrolment)
        if entry.signature in self._asked:
            reducer.raise_fault("bad-offer", f"{entry.by} has made this offer before")
        self._asked |= {entry.signature} if entry.signature else set()
        if entry.offer.withdrawn_hash and not any(withdraws_offer(one, entry) for one in self.offers.values()):
            reducer.raise_fault("bad-offer", f"{entry.by} takes back an offer that is no longer open")
        self.offers = {n: one for n, one in self.offers.items() if one.by != entry.by}
        if not entry.offer.withdrawn_hash:
            self.offers[entry.n] = PendingOffer(entry.n, entry.by, entry.offer, ())

    def _apply_reply(self, reducer: ReducerState, entry: AgreeEntry | RefuseEntry) -> None:
        standing = self.offers.pop(entry.to, None)
        if standing is None or entry.by == standing.by or entry.by not in self.seats or entry.by in standing.agreed:
            reducer.raise_fault("bad-offer", f"entry {entry.to} offers nothing that {entry.by} can reply to")
        if isinstance(entry, AgreeEntry):
            self.offers[entry.to] = standing._replace(agreed=(*standing.agreed, entry.by))

    def _apply_ruling(self, reducer: ReducerState, entry: RulingEntry[Any]) -> None:
        """Adds an offer to which all have agreed, since the director agrees in place of a seat. Gives the pen to the
        offering seat. `MailVerifier` checks the signatures.
        """
        problem = self.explain_barred_ruling(entry.by, entry.seat, entry.offer, entry.n)
        if problem:
            reducer.raise_fault("bad-offer", problem)
        needed = self.list_seats_to_consent(entry.by, entry.seat, entry.offer)
        if sorted(consent.by for consent in entry.consents) != sorted(needed):
            reducer.raise_fault("bad-agreement", f"this ruling needs the consent of {listing(needed) or 'nobody else'}")
        others = tuple(seat for seat in self.seats if seat != entry.by)
        self.offers = {entry.n: PendingOffer(entry.n, entry.by, entry.offer, others)}
        self.pen = entry.by
        self.rulings += (DirectorRuling(entry.n, entry.by, entry.seat),)
