"""The desk of one player in a game by mail: it gives to throws what his seat owes, signs, and hands the pen over."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.chain import chain_of
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.mail.heirs import asked_seats
from referee.mail.packet import Part
from referee.mail.parts import check_not_given, is_sent, parts_here, remember_given
from referee.mail.seats import pact_of, seat_of_key
from referee.mail.signed import settle_doubt
from referee.mail.signer import Signer
from referee.record.log.chair import Chair
from referee.record.log.entry import AgreeEntry, AnswerEntry, DeclareEntry, JoinEntry, OfferEntry, RefuseEntry
from referee.record.log.faults import NotAllowedError
from referee.record.log.offer import Offer
from referee.record.log.vault import create_vault
from referee.record.table.beginning import why_not_begun
from referee.record.table.cast import Cast
from referee.record.table.offered import Standing
from referee.record.table.pact import Pact
from referee.record.table.proposal import terms_of
from referee.record.table.signing import part_text

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.mail.packet import Ask
    from referee.record.table.moment import Said
    from referee.record.table.session import Session

CHAIN = 1_000
"""Throws that a chain is good for."""
FEW_LEFT = 20
"""Throws left at which the next chain is made."""


class Desk:
    """One player's part in a game by mail, on a log that was read."""

    def __init__(self, session: Session, key: Key) -> None:
        """NotAllowedError when the game is not played by mail."""
        pact_of(session)
        self.session = session
        self.key = key
        self.signer = Signer(session, key)

    @property
    def pact(self) -> Pact:
        """What the log says of play by mail."""
        return pact_of(self.session)

    @property
    def seat(self) -> Seat | None:
        """Where the owner of the key sits; None: nowhere yet."""
        return seat_of_key(self.pact, self.key.public)

    @property
    def has_pen(self) -> bool:
        """Whether it is this player's to add to the log."""
        return self.pact.pen in (None, self.seat)

    def mine(self) -> Seat:
        """The player's seat; NotAllowedError while somebody else has the pen, or he has none."""
        seat = self.seat
        if seat is None:
            free = f"; sit down with: referee join {listing(self.pact.to_join, 'or')}" if self.pact.to_join else ""
            raise NotAllowedError(f"your key sits nowhere in this game{free}")
        if not self.has_pen:
            raise NotAllowedError(f"{self.pact.pen} has the pen; nothing can be recorded here before his mail comes")
        return seat

    # Joining

    def join(self, seat: Seat) -> None:
        """Sit down: the key and two chains of dice go into the record, and a seat with secrets gets its vault.

        NotAllowedError when somebody sits there, or it is another's turn to join.
        """
        pact, session = self.pact, self.session
        if self.seat is not None and self.seat != seat:
            raise NotAllowedError(f"your key sits at {self.seat} already; two seats need two keys")
        if seat in pact.hands:
            if self.seat == seat:
                raise NotAllowedError(f"you sit at {seat} already")
            raise NotAllowedError(f"somebody sits at {seat} already; who has lost his key plays on with: --lost-key")
        if pact.pen not in (None, seat):
            raise NotAllowedError(f"{pact.pen} is to write first; then {seat} can join")
        problem = None if session.branched else why_not_begun(session.header)
        if problem:
            raise NotAllowedError(f"no game may begin so, and nobody sits down in it: {problem}")
        session.append([(self.joining(seat, self.chair(seat)), None)])
        settle_doubt(pact.record_id)

    def chair(self, seat: Seat) -> Chair:
        """A place at the table with fresh chains, made after the last line of the log."""
        after, length = self.session.head.hash, CHAIN
        tips = [self._chain(seat, kind, after, length)[0].hex() for kind in ("open", "unseen")]
        unseen = tips[1] if self._keeps_secrets(seat) else None
        return Chair(self.key.public, tips[0], unseen, length, after, self.key.recovery)

    def joining(self, seat: Seat, chair: Chair) -> partial[JoinEntry]:
        """The entry with which this player sits down; where his seat keeps secrets, it gets its vault."""
        self._make_vault(seat)
        end = self._seed(seat, "unseen", chair.after).hex() if self._keeps_secrets(seat) else None
        return partial(JoinEntry, by=seat, seed=Secret(seat, end) if end else None, chair=chair)

    def _keeps_secrets(self, seat: Seat) -> bool:
        return seat in self.session.fold.keepers

    def _make_vault(self, seat: Seat) -> None:
        session = self.session
        if not self._keeps_secrets(seat) or seat in session.vaults or session.path is None:
            return
        game_id = self.pact.game_id
        master = hmac.digest(self.key.secret, f"referee/1/salts\n{game_id}\n{seat}".encode(), "sha256")
        session.fold.opener.vaults[seat] = create_vault(session.path, game_id, seat, master)

    def _seed(self, seat: Seat, kind: str, after: str) -> bytes:
        """The end of a chain, which is made for one place in one log."""
        text = f"referee/1/chain\n{self.pact.game_id}\n{seat}\n{kind}\n{after}".encode()
        return hmac.digest(self.key.secret, text, "sha256")

    def _chain(self, seat: Seat, kind: str, after: str, length: int) -> tuple[bytes, ...]:
        return chain_of(self.pact.game_id, seat, self._seed(seat, kind, after), length)

    # Throwing together

    def declare(self, actions: Sequence[Action]) -> list[Said]:
        """Fix actions before their dice are thrown, and throw one's own part. What can be settled here is."""
        seat, game = self.mine(), self.session.game
        self._renew(seat)
        value = self.value(seat)
        said = self.declarable(actions)
        hidden = game.hides(self.session.moment().view(seat), said[0])
        secret = Secret(seat, said) if hidden else None
        entry = partial(DeclareEntry, cast=self.pact.casts, value=value, actions=() if hidden else said, secret=secret)
        self.session.append([(partial(entry, by=seat), None)])
        return self.settle()

    def declarable(self, actions: Sequence[Action]) -> tuple[Action, ...]:
        """As much of a line as is declared at once: where something of it is a secret nobody else can tell its end,
        and only the first action is.
        """
        view = self.session.moment().view(self.mine())
        hidden = any(self.session.game.hides(view, action) for action in actions)
        return tuple(actions[:1] if hidden else actions)

    def settle(self) -> list[Said]:
        """Do what nobody has to decide, as far as it can be done here: answers owed, dice that all have thrown, what
        was declared, what all have agreed on.
        """
        done: list[Said] = []
        while self.seat is not None and self.has_pen and self.asked is None:
            if self._carry_out():
                continue
            self._answer_owed()
            answered = self.session.settle()
            said = self.session.moment().due() or self.session.moment().done_for(self.seat)
            if said:
                self.session.record([said])
            done += [*answered, *([said] if said else [])]
            if not (said or answered):
                break
        return done

    def _answer_owed(self) -> None:
        cast = self.pact.cast
        seat = self.mine()
        if cast is not None and seat in cast.owing:
            check_not_given(self.pact.record_id, cast)
            self.session.append([(self._answer(seat, cast), None)])
        for part in parts_here(self.session):
            given = partial(AnswerEntry, by=part.by, cast=part.cast, value=part.value, signature=part.signature)
            self.session.append([(given, None)])

    def _answer(self, seat: Seat, cast: Cast | None) -> partial[AnswerEntry]:
        """What a seat gives to a throw; to the next one, where none is being made."""
        number = self.pact.casts if cast is None else cast.number
        return partial(AnswerEntry, by=seat, cast=number, value=self.value(seat))

    def value(self, seat: Seat) -> str:
        """The value that comes next in the player's chain; NotAllowedError when the key is not the one of his chain."""
        hand = self.pact.hands.get(seat)
        if hand is None or self.pact.to_join:
            raise NotAllowedError(f"no dice can be thrown before {listing(self.pact.to_join)} has joined")
        chain = self._chain(seat, "open", hand.chair.after, hand.chair.length)
        values = [value.hex() for value in chain]
        if values[0] != hand.chair.tip or hand.last not in values[:-1]:
            raise NotAllowedError("your dice come from another key or secret than the one on this computer")
        return values[values.index(hand.last) + 1]

    def part_beside(self) -> Part | None:
        """What this player gives beside the log to the throw that is being made; None: he owes nothing to it, or has
        the pen. It is the same however often it is asked for. NotAllowedError where his key is not that of his chain.
        """
        pact, seat, cast = self.pact, self.seat, self.pact.cast
        if cast is None or seat is None or self.has_pen or seat not in cast.owing or not is_sent(self.session):
            return None
        self.signer.check_doubt()
        value = self.value(seat)
        check_not_given(pact.record_id, cast)
        remember_given(pact.record_id, cast)
        return Part(seat, cast.number, value, self.key.sign(part_text(pact.record_id, cast.number, cast.opener, value)))

    # Handing over

    def hand_over(self, to: Seat | None = None) -> None:
        """Sign all that stands in the log, and hand the pen over: to whom the game waits for, if nobody is named.

        Where he can only throw, this seat's part of the throw goes along. Who gathers parts of a throw keeps the pen.
        NotAllowedError when it waits for this seat.
        """
        seat = self.mine()
        self.settle()
        if to is None and self.gathers:
            if self.unsigned:
                self.signer.sign_over(seat, seat)
            return
        to = to or self.waits_for()
        if to is None:
            raise NotAllowedError(
                "the game is over, and all have signed its end. To send it again: referee pack --from N"
            )
        if to == seat:
            raise NotAllowedError(
                "it is still your turn; play on, or name who may write all the same: referee pack --to SEAT. "
                "To send again what you sent: referee pack --from N"
            )
        self.signer.sign_over(seat, self._contribute(seat) or to)

    def _contribute(self, seat: Seat) -> Seat | None:
        """Give what goes along with the pen: the next chain before this one ends, and a part of the throw that the next
        player can only make. Who is waited for then; None: nothing went along.
        """
        self._renew(seat)
        if not self._can_answer_ahead(seat):
            return None
        self.session.append([(self._answer(seat, None), None)])
        return self.waits_for()

    def _renew(self, seat: Seat) -> None:
        """Make the next chain before this one ends, unless the seat owes something to a throw from this one."""
        pact = self.pact
        owes = pact.cast is not None and seat in pact.cast.owing
        if seat in pact.hands and pact.hands[seat].left(pact.casts) < FEW_LEFT and not owes:
            self.session.append([(self.joining(seat, self.chair(seat)), None)])

    def _can_answer_ahead(self, seat: Seat) -> bool:
        """Whether the next player can only throw, so that this seat's part of the throw may go with the pen."""
        moment = self.session.moment()
        return self.pact.cast is None and not self.pact.to_join and moment.to_act != seat and bool(moment.only_throw)

    @property
    def unsigned(self) -> bool:
        """Whether the log ends with what nobody has signed."""
        return max(self.pact.sealed.values(), default=-1) < len(self.session.entries) - 1

    @property
    def gathers(self) -> bool:
        """Whether this seat has the pen and keeps it, for the parts of others come to it beside the log."""
        seat = self.seat
        return seat is not None and self.has_pen and self.pact.may_gather(seat) and self.waits_for() == seat

    def waits_for(self) -> Seat | None:
        """Who has to write next; None: the game is over, and all have signed its end."""
        pact, moment = self.pact, self.session.moment()
        if pact.to_join:
            return next((seat for seat in pact.to_join if seat != self.seat), None)
        if pact.offers:
            return self._to_reply(list(pact.offers.values())[-1])
        if pact.cast is not None and pact.cast.owing:
            return self._to_throw(pact.cast, moment.to_act)
        return moment.to_act or self._to_sign()

    def _to_throw(self, cast: Cast, thrower: Seat | None) -> Seat | None:
        """Who gets the pen while parts of a throw are owed: of two the other one, who settles it. Of more who throws,
        unless somebody has to write because his chain ends or he comes with another key.
        """
        others = [seat for seat in cast.owing if seat != thrower]
        if len(self.pact.seats) == 2 or not others:
            return others[0] if others else thrower
        ending = [seat for seat in others if self.pact.hands[seat].left(cast.number) < FEW_LEFT]
        heirs = [seat for seat in others if len(others) == 1 and seat in asked_seats(self.session)]
        return next(iter([*ending, *heirs]), thrower)

    def _to_reply(self, standing: Standing) -> Seat:
        """Who has to say next whether he agrees; once all do, who has offered."""
        said = (standing.by, *standing.agreed)
        return next((seat for seat in self.pact.seats if seat not in said), standing.by)

    def _to_sign(self) -> Seat | None:
        """Who gets the end of the game to sign it, or what was added to it since, as secrets that were revealed; None:
        all have signed the end, and nothing is unsent.
        """
        line, sealed = self.session.fold.line, self.pact.sealed
        unsigned = [seat for seat in self.pact.seats if line and sealed.get(seat, -1) < line.n]
        others = [seat for seat in self.pact.seats if seat != self.seat]
        unsent = self.has_pen and self.unsigned
        shut = [found.owner for _, found in self.session.fold.sealed.values()]
        first = [*(seat for seat in others if seat in unsigned), *(seat for seat in others if seat in shut), *others]
        return first[0] if unsigned or unsent else None

    # Agreement

    def _offer(self, seat: Seat, offer: Offer) -> None:
        on = len(self.session.entries) - 1
        self.session.append([(partial(OfferEntry, by=seat, offer=offer, on=on, signature=None), None)])

    def offer(self, offer: Offer) -> None:
        """Ask the others to agree to something; it is in force once all have."""
        self._offer(self.mine(), offer)

    def record_asks(self, asks: Sequence[Ask]) -> None:
        """Put on the record what seats without the pen ask for; what is not signed by them, or no use, is left out."""
        for ask in asks:
            entry = partial(OfferEntry, by=ask.by, offer=ask.offer, on=ask.on, signature=ask.signature)
            known = any(isinstance(one, OfferEntry) and one.signature == ask.signature for one in self.session.entries)
            if not known and ask.by != self.seat:
                with suppress(NotAllowedError):
                    self.session.append([(entry, None)])

    def reply(self, standing: Standing, *, agree: bool) -> list[Said]:
        """Agree to what another seat offers, or refuse it; once all agree, it is done."""
        kind = AgreeEntry if agree else RefuseEntry
        self.session.append([(partial(kind, by=self.mine(), to=standing.n), None)])
        return self.settle()

    @property
    def asked(self) -> Standing | None:
        """What another seat offers, and this player has not replied to; None: nothing."""
        seat = self.seat
        return next((one for one in self.pact.offers.values() if seat not in (one.by, *one.agreed)), None)

    def _carry_out(self) -> bool:
        """Do what all have agreed on; whether there was anything that can be done here."""
        agreed = [one for one in self.pact.offers.values() if {one.by, *one.agreed} >= {*self.pact.seats}]
        for standing in agreed:
            if standing.by == self.seat or not terms_of(standing.offer).is_own:
                with suppress(NotAllowedError):  # what cannot be done any more stands in nobody's way
                    self._done(standing)
                    return True
        return False

    def _done(self, standing: Standing) -> None:
        terms_of(standing.offer).carry_out(self.session, standing.by, standing.agreed)
