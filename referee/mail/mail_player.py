"""The steps of one player in a game by mail: to join, declare, give shares of rolls, sign, and hand over the pen."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.hash_chain import derive_chain
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.mail.joining import describe_ways_to_join, explain_barred_joining
from referee.mail.key_replacement import find_requested_seats
from referee.mail.packet import RollShare
from referee.mail.roll_shares import (
    check_share_unused,
    is_roll_start_signed,
    list_unrecorded_shares,
    reserve_share_for_roll,
)
from referee.mail.seats import find_seat_of_key, get_mail_protocol
from referee.mail.signer import Signer
from referee.mail.signing_journal import mark_signatures_known
from referee.record.log.enrolment import Enrolment
from referee.record.log.entry import AgreeEntry, AnswerEntry, DeclareEntry, JoinEntry, OfferEntry, RefuseEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.offer import Offer
from referee.record.log.vault import create_vault
from referee.record.table.joint_roll import JointRoll
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.pending_offers import PendingOffer
from referee.record.table.proposal import get_described_offer, make_proposal_of_offer
from referee.record.table.recording import record_forced_answers
from referee.record.table.seat_view import SeatView
from referee.record.table.signed_texts import make_share_text

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.mail.packet import SignedOffer
    from referee.record.table.moment import JudgedAction
    from referee.record.table.session import Session

CHAIN_LENGTH = 1_000
"""The number of rolls for which a chain has values."""
MAX_DECLARED_ACTIONS = 64
"""The most actions that are declared together."""
MIN_ROLLS_LEFT = 20
"""The next chain is made when fewer rolls than this are left."""


class MailPlayer:
    """One player in a game by mail: their key, and their copy of the log."""

    def __init__(self, session: Session, key: Key) -> None:
        """Raises NotAllowedError if the game is not played by mail."""
        get_mail_protocol(session)
        self.session = session
        self.key = key
        self.signer = Signer(session, key)

    @property
    def protocol(self) -> MailProtocol:
        """The mail protocol's state in this log."""
        return get_mail_protocol(self.session)

    @property
    def seat(self) -> Seat | None:
        """The seat of the key's owner; None before they sit down."""
        return find_seat_of_key(self.protocol, self.key.public)

    @property
    def is_director(self) -> bool:
        """True if this player directs the game, and so plays no seat in it."""
        director = self.protocol.director
        return director is not None and director.key == self.key.public

    def check_may_join(self) -> None:
        """Raises NotAllowedError if this player directs the game."""
        if self.is_director:
            raise NotAllowedError("you direct this game, so you play no seat in it")

    @property
    def has_pen(self) -> bool:
        """True if this player may add to the log."""
        return self.protocol.pen in (None, self.seat)

    def require_pen(self) -> Seat:
        """Returns the player's seat. Raises NotAllowedError while another seat has the pen, or if the player has no
        seat.
        """
        seat = self.seat
        if seat is None:
            raise NotAllowedError(f"your key has no seat in this game{self._describe_free_seats()}")
        if not self.has_pen:
            raise NotAllowedError(f"{self.protocol.pen} has the pen; open the next mail from {self.protocol.pen} first")
        return seat

    def _describe_free_seats(self) -> str:
        """Returns the end of a sentence to somebody without a seat: how to sit down, or why nobody can."""
        if not self.protocol.seats_to_join:
            return ""
        barred = explain_barred_joining(self.session)
        return f", and {barred}" if barred else f"; {describe_ways_to_join(self.session)}"

    # Joining

    def join_game(self, seat: Seat) -> None:
        """Sits down: records the key and a chain for dice. A seat with secrets also gets a second chain and a vault.

        Raises NotAllowedError if the seat is taken, or if this key has another seat or directs the game. The same error
        is raised if another seat must write first, or if no game may begin like this.
        """
        protocol, session = self.protocol, self.session
        self.check_may_join()
        if self.seat is not None and self.seat != seat:
            raise NotAllowedError(f"your key plays {self.seat} already; a second seat needs a second key")
        if seat in protocol.chain_positions:
            if self.seat == seat:
                raise NotAllowedError(f"you sit at {seat} already")
            raise NotAllowedError(f"somebody sits at {seat} already; if you lost your key, play on with: --lost-key")
        if protocol.pen not in (None, seat):
            raise NotAllowedError(f"{protocol.pen} has to write first; then {seat} can join")
        barred = explain_barred_joining(session)
        if barred:
            raise NotAllowedError(barred)
        session.append([(self.make_join_entry(seat, self.make_enrolment(seat)), None)])
        mark_signatures_known(protocol.record_id)

    def make_enrolment(self, seat: Seat) -> Enrolment:
        """Returns an enrolment with fresh chains, which depend on the last entry of the log."""
        after, length = self.session.head.hash, CHAIN_LENGTH
        tips = [self._derive_chain(seat, kind, after, length)[0].hex() for kind in ("open", "unseen")]
        unseen = tips[1] if self._has_secrets(seat) else None
        return Enrolment(self.key.public, tips[0], unseen, length, after, self.key.recovery_hash)

    def make_join_entry(self, seat: Seat, chair: Enrolment) -> partial[JoinEntry]:
        """Returns the entry with which this player sits down. Makes the vault of a seat that keeps secrets."""
        self._make_vault(seat)
        end = self._derive_seed(seat, "unseen", chair.after).hex() if self._has_secrets(seat) else None
        return partial(JoinEntry, by=seat, seed=Secret(seat, end) if end else None, chair=chair)

    def _has_secrets(self, seat: Seat) -> bool:
        return seat in self.session.reducer.keepers

    def _make_vault(self, seat: Seat) -> None:
        session = self.session
        if not self._has_secrets(seat) or seat in session.reducer.opener.vaults or session.path is None:
            return
        game_id = self.protocol.game_id
        master = hmac.digest(self.key.secret, f"referee/1/salts\n{game_id}\n{seat}".encode(), "sha256")
        session.reducer.opener.vaults[seat] = create_vault(session.path, game_id, seat, master)

    def _derive_seed(self, seat: Seat, kind: str, after: str) -> bytes:
        """Returns the seed of a chain. A chain that is made after another entry has another seed."""
        text = f"referee/1/chain\n{self.protocol.game_id}\n{seat}\n{kind}\n{after}".encode()
        return hmac.digest(self.key.secret, text, "sha256")

    def _derive_chain(self, seat: Seat, kind: str, after: str, length: int) -> tuple[bytes, ...]:
        return derive_chain(self.protocol.game_id, seat, self._derive_seed(seat, kind, after), length)

    # Rolling together

    def declare_actions(self, actions: Sequence[Action]) -> list[JudgedAction]:
        """Declares actions before their dice are rolled, gives this player's share, and then does the automatic steps.

        Only the actions that `list_declarable_actions` returns are declared. Returns the actions that
        `do_automatic_steps` recorded. Raises NotAllowedError if the player may not write or roll.
        """
        seat, game = self.require_pen(), self.session.game
        self._renew_chain(seat)
        value = self.find_next_chain_value(seat)
        said = self.list_declarable_actions(actions)
        hidden = game.is_secret(self.session.moment().view(seat), said[0])
        secret = Secret(seat, said) if hidden else None
        shown, count = (() if hidden else said), (len(said) if hidden else 1)
        number = self.protocol.roll_count
        entry = partial(DeclareEntry, cast=number, value=value, actions=shown, secret=secret, count=count)
        self.session.append([(partial(entry, by=seat), None)])
        return self.do_automatic_steps()

    def list_declarable_actions(self, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Returns those actions from the beginning of `actions` that are declared together.

        There are at most MAX_DECLARED_ACTIONS of them, and either all are secret or all are open.
        """
        view, game = self.session.moment().view(self.require_pen()), self.session.game
        first = game.is_secret(view, actions[0])
        alike = takewhile(lambda action: game.is_secret(view, action) == first, actions[:MAX_DECLARED_ACTIONS])
        return tuple(alike)

    def do_automatic_steps(self) -> list[JudgedAction]:
        """Does everything that needs no decision, and returns the actions that it recorded.

        Gives owed answers, and carries out complete rolls, declared actions and agreed offers. Does nothing without the
        pen, or while an offer waits for this player's reply.
        """
        done: list[JudgedAction] = []
        while self.seat is not None and self.has_pen and self.pending_offer is None:
            if self._carry_out():
                continue
            self._answer_owed()
            if not self.session.moment().known.can_open_view_of(self.seat):
                break  # the secrets of this seat are on another computer
            answered = record_forced_answers(self.session)
            said = self.session.moment().find_due_roll() or self.session.moment().find_automatic_action_of_others(
                self.seat
            )
            if said:
                self.session.record([said])
            done += [*answered, *([said] if said else [])]
            if not (said or answered):
                break
        return done

    def _answer_owed(self) -> None:
        """Records the share that this seat owes, and the shares of others that came beside the log."""
        cast = self.protocol.joint_roll
        seat = self.require_pen()
        if cast is not None and seat in cast.owing_seats:
            check_share_unused(self.protocol.record_id, cast)
            self.session.append([(self._make_answer_entry(seat, cast), None)])
        self.record_received_shares()

    def record_received_shares(self) -> None:
        """Records the shares of others that came beside the log. Each is signed by its own seat."""
        for part in list_unrecorded_shares(self.session):
            given = partial(AnswerEntry, by=part.by, cast=part.cast, value=part.value, signature=part.signature)
            self.session.append([(given, None)])

    def _make_answer_entry(self, seat: Seat, cast: JointRoll | None) -> partial[AnswerEntry]:
        """Returns the entry with a seat's share of a joint roll. If `cast` is None, the share is for the next roll."""
        number = self.protocol.roll_count if cast is None else cast.number
        return partial(AnswerEntry, by=seat, cast=number, value=self.find_next_chain_value(seat))

    def find_next_chain_value(self, seat: Seat) -> str:
        """Returns the next value in the player's chain, in hex.

        Raises NotAllowedError if a seat has not joined yet, or if the chain belongs to another key.
        """
        hand = self.protocol.chain_positions.get(seat)
        if hand is None or self.protocol.seats_to_join:
            raise NotAllowedError(
                f"before any dice can be rolled, these seats must join: {listing(self.protocol.seats_to_join)}"
            )
        chain = self._derive_chain(seat, "open", hand.enrolment.after, hand.enrolment.length)
        values = [value.hex() for value in chain]
        if values[0] != hand.enrolment.tip or hand.last not in values[:-1]:
            raise NotAllowedError("your dice come from another key or secret than the one on this computer")
        return values[values.index(hand.last) + 1]

    def find_share_to_send(self) -> RollShare | None:
        """Returns this player's share of the open roll, to be sent beside the log. It is the same at every call.

        Returns None if the player owes no share or has the pen, or if the roll is not signed yet. Raises
        NotAllowedError if the chain belongs to another key, or if the share was given to another roll. The same error
        is raised if the key was restored and its signatures are unknown.
        """
        protocol, seat, cast = self.protocol, self.seat, self.protocol.joint_roll
        if (
            cast is None
            or seat is None
            or self.has_pen
            or seat not in cast.owing_seats
            or not is_roll_start_signed(self.session)
        ):
            return None
        self.signer.check_signatures_known()
        value = self.find_next_chain_value(seat)
        check_share_unused(protocol.record_id, cast)
        reserve_share_for_roll(protocol.record_id, cast)
        return RollShare(
            seat,
            cast.number,
            value,
            self.key.sign(make_share_text(protocol.record_id, cast.number, cast.opener, value)),
        )

    # Handing over

    def hand_over_pen(self, to: Seat | None = None) -> None:
        """Signs the whole log and hands the pen over: to `to`, or to the seat that the game waits for.

        If the next player can only roll, this seat's share goes along. A seat that gathers shares keeps the pen. Raises
        NotAllowedError if the game waits for this seat, or is over and signed by all.
        """
        seat = self.require_pen()
        self.do_automatic_steps()
        if to is None and self.gathers_shares:
            if self.has_unsigned_entries:
                self.signer.sign_and_hand_over_pen(seat, seat)
            return
        to = to or self.find_next_writer()
        if to is None:
            raise NotAllowedError(
                "the game is over, and all have signed its end. To send it again: referee mail pack --from N"
            )
        if to == seat:
            raise NotAllowedError(
                "it is still your turn, so play on. To hand over the pen all the same: referee mail pack --to SEAT. "
                "To send earlier entries again: referee mail pack --from N"
            )
        self.signer.sign_and_hand_over_pen(seat, self._contribute(seat) or to)

    def _contribute(self, seat: Seat) -> Seat | None:
        """Makes a new chain if the old one is about to end, and gives a share if the next player can only roll.

        Returns the seat that the game waits for after the share; None if no share was given.
        """
        self._renew_chain(seat)
        if not self._can_answer_ahead(seat):
            return None
        self.session.append([(self._make_answer_entry(seat, None), None)])
        return self.find_next_writer()

    def _renew_chain(self, seat: Seat) -> None:
        """Makes a seat's next chain before the old one ends, unless the seat still owes a share from the old one."""
        protocol = self.protocol
        owes = protocol.joint_roll is not None and seat in protocol.joint_roll.owing_seats
        if (
            seat in protocol.chain_positions
            and protocol.chain_positions[seat].count_rolls_left(protocol.roll_count) < MIN_ROLLS_LEFT
            and not owes
        ):
            self.session.append([(self.make_join_entry(seat, self.make_enrolment(seat)), None)])

    def _can_answer_ahead(self, seat: Seat) -> bool:
        """True if the next player can only roll. Then this seat's share may go along with the pen.

        While an offer waits, the share may not go along: with the share the game would go on, and the offer would
        lapse.
        """
        moment = self.session.moment()
        return (
            (self.protocol.joint_roll is None or not self.protocol.joint_roll.serves_forced_rolls)
            and not self.protocol.seats_to_join
            and not self.protocol.offers
            and moment.to_act != seat
            and bool(moment.only_roll)
        )

    @property
    def has_unsigned_entries(self) -> bool:
        """True if nobody signed the last entries of the log."""
        return max(self.protocol.signed_up_to.values(), default=-1) < len(self.session.entries) - 1

    @property
    def gathers_shares(self) -> bool:
        """True if this seat keeps the pen because the shares of others come to it beside the log."""
        seat = self.seat
        may_keep_pen = seat is not None and self.has_pen and self.protocol.may_keep_pen(seat)
        return may_keep_pen and self.find_next_writer() == seat

    def find_next_writer(self) -> Seat | None:
        """Returns the seat that has to write next; None if the game is over and every seat signed its end."""
        protocol, moment = self.protocol, self.session.moment()
        if protocol.seats_to_join:
            return next((seat for seat in protocol.seats_to_join if seat != self.seat), None)
        if protocol.offers:
            return self._find_next_to_reply(list(protocol.offers.values())[-1])
        if protocol.joint_roll is not None and protocol.joint_roll.owing_seats:
            return self._find_next_for_roll(protocol.joint_roll, moment.to_act)
        return moment.to_act or self._find_next_to_sign()

    def _find_next_for_roll(self, cast: JointRoll, thrower: Seat | None) -> Seat | None:
        """Returns the seat that gets the pen while shares are owed.

        With two players, the pen goes to the player who does not roll, and whose share completes the roll. With more,
        it goes to the seat that rolls, unless another seat must write because its chain ends or its key changes.
        """
        others = [seat for seat in cast.owing_seats if seat != thrower]
        if len(self.protocol.seats) == 2 or not others:
            return others[0] if others else thrower
        ending = [
            seat
            for seat in others
            if self.protocol.chain_positions[seat].count_rolls_left(cast.number) < MIN_ROLLS_LEFT
        ]
        heirs = [seat for seat in others if len(others) == 1 and seat in find_requested_seats(self.session)]
        return next(iter([*ending, *heirs]), thrower)

    def _find_next_to_reply(self, standing: PendingOffer) -> Seat:
        """Returns the next seat that has to agree or refuse. Once all have replied, returns the seat that offered."""
        said = (standing.by, *standing.agreed)
        return next((seat for seat in self.protocol.seats if seat not in said), standing.by)

    def _find_next_to_sign(self) -> Seat | None:
        """Returns the seat that still has to sign the end of the game, or entries after it such as reveals.

        None if every seat signed the end and nothing is unsent.
        """
        line = self.session.reducer.line
        unsigned = self.protocol.list_unsigned_seats(line.n) if line else []
        others = [seat for seat in self.protocol.seats if seat != self.seat]
        unsent = self.has_pen and self.has_unsigned_entries
        shut = [found.owner for _, found in self.session.reducer.sealed.values()]
        first = [*(seat for seat in others if seat in unsigned), *(seat for seat in others if seat in shut), *others]
        return first[0] if unsigned or unsent else None

    # Agreement

    def _offer(self, seat: Seat, offer: Offer) -> None:
        on = len(self.session.entries) - 1
        self.session.append([(partial(OfferEntry, by=seat, offer=offer, on=on, signature=None), None)])

    def record_offer(self, offer: Offer) -> None:
        """Records an offer to the others. It is carried out once all have agreed.

        Raises NotAllowedError without the pen, or if the offer cannot be carried out.
        """
        seat = self.require_pen()
        cannot = self._explain_impossible(offer, seat)
        if cannot:
            raise NotAllowedError(f"this is not possible: {cannot}")
        self._offer(seat, offer)

    def _explain_impossible(self, offer: Offer, by: Seat) -> str:
        """Returns, as a clause, why an offer cannot be carried out, as far as this computer knows; "" if it can.

        Ask this before an offer is recorded or agreed to: an offer that cannot be carried out would put a faulty deed
        into the log.
        """
        return make_proposal_of_offer(SeatView(self.session, self.seat), offer, by).cannot

    def record_signed_offers(self, asks: Sequence[SignedOffer]) -> None:
        """Records the signed offers of seats without the pen, each only once and only if it is still possible."""
        from referee.mail.packet import has_recorded_offer  # only showing a game needs no packets

        for ask in asks:
            entry = partial(OfferEntry, by=ask.by, offer=ask.offer, on=ask.on, signature=ask.signature)
            if ask.by != self.seat and not has_recorded_offer(self.session, ask):
                with suppress(NotAllowedError):
                    self.session.append([(entry, None)])

    def reply_to_offer(self, standing: PendingOffer, *, agree: bool) -> list[JudgedAction]:
        """Agrees to an offer of another seat, or refuses it, and then does the automatic steps.

        Returns the recorded actions. Raises NotAllowedError if the player may not write, or agrees to what cannot be
        carried out.
        """
        cannot = self._explain_impossible(standing.offer, standing.by) if agree else ""
        if cannot:
            raise NotAllowedError(f"this is no longer possible: {cannot}; to refuse it: referee mail refuse")
        kind = AgreeEntry if agree else RefuseEntry
        self.session.append([(partial(kind, by=self.require_pen(), to=standing.n), None)])
        return self.do_automatic_steps()

    @property
    def pending_offer(self) -> PendingOffer | None:
        """The offer of another seat that this player has not replied to; None if there is none."""
        seat = self.seat
        return next((one for one in self.protocol.offers.values() if seat not in (one.by, *one.agreed)), None)

    def _carry_out(self) -> bool:
        """Carries out one offer that all agreed to. Returns True if there was one that can be done here."""
        agreed = [one for one in self.protocol.offers.values() if {one.by, *one.agreed} >= {*self.protocol.seats}]
        for standing in agreed:
            if standing.by == self.seat or not get_described_offer(standing.offer).is_carried_out_by_author:
                with suppress(NotAllowedError):  # an offer that is no longer possible must not block the others
                    self._carry_out_offer(standing)
                    return True
        return False

    def _carry_out_offer(self, standing: PendingOffer) -> None:
        get_described_offer(standing.offer).carry_out(self.session, standing.by, standing.agreed)
