"""Play by mail, as far as a log shows it: who takes part with which key and chain, which dice all throw together, who
has the pen, what is offered.

`Pact` stands beside the game in the fold and says what may follow what. It runs no rules of the game, and verifies no
signature: that is for who judges again.
"""

from __future__ import annotations

from copy import copy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.chain import chain_of, is_next
from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.chair import Chair, OnRecovery
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
    SealEntry,
)
from referee.record.table.cast import Cast, DroppedThrow
from referee.record.table.deed import JudgedDeed
from referee.record.table.offered import Standing, is_offered

if TYPE_CHECKING:
    from referee.record.table.folded import Folded


REMARKS = frozenset({NoteEntry, SealEntry, OfferEntry, AgreeEntry, RefuseEntry})
"""Entries after which the game stands as before."""
DEEDS = (PlayEntry, DeclareEntry)
"""What a seat does, or says that it will do."""
APART = (OfferEntry, AnswerEntry)
"""What may be signed by itself, beside the log."""


class Hand(Struct, frozen=True, gc=False):
    """How a seat takes part, since it joined last."""

    chair: Chair
    first: int
    """The throw that its chain begins with."""
    last: str
    """The value that it gave last; its tip, before the first."""

    def left(self, cast: int) -> int:
        """How many throws its chain is still good for, the one with this number included."""
        return self.first + self.chair.length - cast


class Heir(Struct, frozen=True):
    """A seat at which another key plays than the one that joined there."""

    n: int
    """The entry since which it does."""
    word: tuple[Seat, ...]
    """On whose word."""


class Pact:
    """What a log says of play by mail, up to an entry."""

    def __init__(self, game_id: str, seats: tuple[Seat, ...], keepers: tuple[Seat, ...]) -> None:
        self.game_id = game_id
        self.record_id = game_id
        """What seals are for: the game, or the branch that this log is, by the hash of its `branch` entry."""
        self.seats = seats
        self._keepers = keepers
        self.hands: dict[Seat, Hand] = {}
        """How each seat takes part that has joined."""
        self.owners: dict[Seat, Chair] = {}
        """The chair with which each seat joined first, or was taken again with a recovery key."""
        self.heirs: dict[Seat, Heir] = {}
        """The seats at which another key plays, on the word of others."""
        self.casts = 0
        """Throws made together so far, those taken back included."""
        self.cast: Cast | None = None
        """The throw that is being made, or still gives dice."""
        self.pen: Seat | None = None
        """Who alone adds to the log; None: nobody has handed it over yet."""
        self.sealed: dict[Seat, int] = {}
        """The last entry that each seat has signed, with all before it."""
        self.offers: dict[int, Standing] = {}
        """Offers that stand, by their entry."""
        self.fixed = -1
        """The last entry by which something was sent or declared: nobody goes back over it alone."""
        self.dropped: tuple[DroppedThrow, ...] = ()
        """Throws that were begun in this log and never made."""
        self._given_up: Cast | None = None
        """The throw that waited when somebody resigned."""
        self._moved = 0
        """The last entry after which the game stands otherwise than before, or dice do."""
        self._asked: frozenset[str] = frozenset()
        """Signatures of offers made without the pen: each stands in the log once."""
        self._branched = False
        self._unseen: dict[Seat, tuple[str, ...]] = {}

    @property
    def to_join(self) -> tuple[Seat, ...]:
        """The seats that have not joined yet."""
        return tuple(seat for seat in self.seats if seat not in self.hands)

    @property
    def throw(self) -> DroppedThrow | None:
        """The throw that is being made, or still gives dice, as it would be dropped now; None: there is none."""
        return _as_dropped(self.cast) if self.cast else None

    @property
    def is_pending(self) -> bool:
        """Whether a throw was begun that has given no dice yet."""
        return self.cast is not None and self.cast.is_pending

    # What may follow what

    def begin(self, fold: Folded, entry: AnyEntry) -> None:
        """Look at the next entry before it is judged; FaultError when it may not stand here, or not by this seat."""
        if self.cast is not None and not self.cast.opener:
            self.cast = replace(self.cast, opener=entry.prev)
        if self._branched:
            self.record_id, self._branched = entry.prev, False
        owing = () if self.cast is None or self.cast.is_complete else self.cast.owing
        if owing and isinstance(entry, DEEDS):
            have = "has" if len(owing) == 1 else "have"
            fold.fail("bad-cast", f"{listing(owing)} {have} to answer first: dice are being thrown")
        if owing and isinstance(entry, OfferEntry) and entry.offer.new_chair is None:
            self._check_offering(fold, entry, owing)
        if self.cast is not None and self.cast.waits and not owing:
            self._check_waiting(fold, self.cast, entry)
        if not (isinstance(entry, PlayEntry) or self._may_write(entry)):
            fold.fail("bad-seal", f"{entry.by} adds to the log, but {self.pen} has the pen")

    def _check_offering(self, fold: Folded, entry: OfferEntry[Any], owing: tuple[Seat, ...]) -> None:
        """Who may know a throw already offers nothing in its place: who owes the last part of it, and of more than two
        anybody, for parts go about beside the log.
        """
        if owing == (entry.by,):
            fold.fail("bad-cast", f"{entry.by} owes the last part of throw {self.casts - 1}, and offers something")
        if len(self.seats) > 2:
            fold.fail("bad-cast", f"{entry.by} offers something, but throw {self.casts - 1} is being made")

    def _check_waiting(self, fold: Folded, cast: Cast, entry: AnyEntry) -> None:
        """The dice of what was declared are there, so it is what comes next: who declared it may know them already.

        Nobody has played since, so what was legal then is legal still: this needs no rules, and waits for no secret.
        """
        match entry:
            case PlayEntry():
                fits = cast.allows(entry)
            case JudgedDeed():
                fits = not entry.waits_for_declared or entry.by != cast.by or self._is_agreed(entry)
            case OfferEntry():
                fits = entry.by != cast.by or entry.offer.new_chair is not None
            case _:
                fits = not isinstance(entry, DeclareEntry | AnswerEntry)
        if not fits:
            fold.fail("bad-cast", f"{cast.by} has declared something, which comes first: its dice are there")

    def _may_write(self, entry: AnyEntry) -> bool:
        """Whether an entry is by who has the pen, or follows from what its seat has signed; plays are judged."""
        if self.pen is None or entry.by in (REFEREE, self.pen):
            return True
        return (isinstance(entry, APART) and entry.signature is not None) or self._is_agreed(entry)

    def _is_agreed(self, entry: AnyEntry) -> bool:
        return self.consents(entry).issuperset(self.seats)

    def check(self, fold: Folded, entry: AnyEntry) -> None:
        """FaultError when an entry that is no play may not stand here; nothing is taken in."""
        trial = copy(self)
        trial.hands, trial.sealed, trial.offers = {**self.hands}, {**self.sealed}, {**self.offers}
        trial.owners, trial.heirs = {**self.owners}, {**self.heirs}
        trial.begin(fold, entry)
        trial.add(fold, entry)

    def why_fixed(self, to: int) -> str:
        """Why nobody goes back to an entry, or away from this moment, alone, as a clause; "": he may.

        Dice of a throw that is still being made may be known already to who would take it back.
        """
        if self.cast is not None:
            return f"throw {self.cast.number} was begun in entry {self.cast.n}"
        return f"entry {self.fixed} was declared or sent" if self.fixed > to else ""

    def cast_at(self, head: str) -> Cast | None:
        """The throw that is being made, where the log ends with this hash."""
        return self.cast if self.cast is None or self.cast.opener else replace(self.cast, opener=head)

    def add(self, fold: Folded, entry: AnyEntry) -> None:
        """Take in an entry; FaultError when it may not stand here."""
        if type(entry) not in REMARKS:
            self._moved = entry.n
        match entry:
            case PlayEntry():
                self._play(fold, entry)
            case JoinEntry():
                self._join(fold, entry)
            case DeclareEntry():
                self._open(fold, entry, entry.said)
            case AnswerEntry():
                self._answer(fold, entry)
            case SealEntry():
                self._seal(fold, entry)
            case OfferEntry():
                self._offer(fold, entry)
            case AgreeEntry() | RefuseEntry():
                self._reply(fold, entry)
            case BranchEntry():
                self._branch(entry)
            case JudgedDeed(throw="given up"):
                self._given_up, self.cast, self.offers = self.cast, None, {}
            case JudgedDeed(throw="dropped"):
                self._carry_out(entry, "by agreement")

    def is_rejoin(self, entry: JoinEntry) -> bool:
        """Whether a seat that has joined comes with another key."""
        hand = self.hands.get(entry.by)
        return hand is not None and entry.chair is not None and hand.chair.key != entry.chair.key

    def _join(self, fold: Folded, entry: JoinEntry) -> None:
        chair = entry.chair
        if chair is None or entry.by not in self.seats:
            fold.fail("bad-secret", f"{entry.by} joins without a key" if chair is None else f"no seat {entry.by}")
        if (chair.unseen is None) == (entry.by in self._keepers):
            fold.fail("bad-secret", "a chain of secret dice belongs to seats that keep secrets, and to no others")
        cast, again = self.cast, self.is_rejoin(entry)
        if cast is not None and entry.by in cast.owing and not again:
            fold.fail("bad-cast", f"{entry.by} joins, but owes an answer to throw {cast.number}")
        if cast is not None and again and {*cast.owing} - {entry.by}:  # they may have given it beside the log
            fold.fail("bad-cast", f"{entry.by} joins with another key, but throw {cast.number} is being made")
        if cast is not None and not cast.is_complete and again and isinstance(entry.warrant, OnRecovery):
            fold.fail("bad-cast", "nobody joins with another key while dice are being thrown")
        if self.is_rejoin(entry):
            self._change_key(fold, entry, chair)
        else:
            self._check_fresh(fold, entry, chair)
            self.owners.setdefault(entry.by, chair)
            if entry.warrant is not None:
                fold.fail("bad-agreement", f"{entry.by} comes with no other key, and needs nobody's word")
        self.pen = self.pen or entry.by
        self.hands[entry.by] = Hand(chair, self.casts, chair.tip)
        self._unseen.pop(entry.by, None)

    def _change_key(self, fold: Folded, entry: JoinEntry, chair: Chair) -> None:
        """Another key plays on for a seat. Nobody refuses dice with a recovery key; who needs the others' word gets new
        ones, and they know it.
        """
        seat, warrant = entry.by, entry.warrant
        if isinstance(warrant, OnRecovery):
            self._check_fresh(fold, entry, chair)
            if sha256(warrant.key.encode()).hexdigest() != self.owners[seat].recovery:
                fold.fail("bad-agreement", f"this is not the recovery key of who joined at {seat}")
            self.owners[seat] = chair
            self.heirs.pop(seat, None)
            return
        if warrant is not None and self.sealed.get(seat, -1) > warrant.on:
            fold.fail("bad-agreement", f"the key that had joined at {seat} has signed since another was asked for")
        self._carry_out(entry, f"{seat} sat down with another key")
        word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
        self.heirs[seat] = Heir(entry.n, word)
        if self.owners[seat].key == chair.key:
            del self.heirs[seat]

    @staticmethod
    def _check_fresh(fold: Folded, entry: JoinEntry | OfferEntry[Any], chair: Chair) -> None:
        """Chains are made for one place in one log, so that no value serves twice."""
        if chair.after != entry.prev:
            fold.fail("bad-cast", f"the chains of {entry.by} were made for another place than this")

    def _open(self, fold: Folded, entry: DeclareEntry[Any] | AnswerEntry, actions: tuple[Any, ...] | None) -> None:
        """A throw begins, with what one seat gives to it."""
        if self.to_join:
            fold.fail("bad-cast", f"{listing(self.to_join)} has not joined, and no dice can be thrown")
        if entry.cast != self.casts:
            fold.fail("bad-cast", f"this is throw {self.casts} of the game, not {entry.cast}; each is used once")
        if isinstance(entry, DeclareEntry) and not entry.actions and entry.secret is None:
            fold.fail("bad-cast", "nothing is declared")
        self.casts += 1
        self.offers = {}
        self.fixed = entry.n
        unseen = {seat: chain[-1] for seat in self._keepers if (chain := self._chain(fold, seat, entry.cast))}
        declared = isinstance(entry, DeclareEntry)
        sealed = isinstance(entry, DeclareEntry) and entry.secret is not None
        self.cast = Cast(
            entry.cast,
            entry.n,
            entry.by,
            self.seats,
            actions=actions,
            waits=declared,
            sealed=sealed,
            unseen=unseen,
            is_ahead=not declared,
        )
        self._give(fold, self.cast, entry.by, entry.value)

    def _chain(self, fold: Folded, seat: Seat, cast: int) -> tuple[str, ...]:
        """The values of a seat's secret chain up to the one for this throw; none where it is not known here."""
        seed, hand = fold.seeds.get(seat), self.hands[seat]
        if seed is None or hand.left(cast) < 1:
            return ()
        if seat not in self._unseen:
            values = chain_of(self.game_id, seat, bytes.fromhex(seed), hand.chair.length)
            if values[0].hex() != hand.chair.unseen:
                fold.fail("bad-cast", f"the chain of secret dice that {seat} sealed is not the one with its tip")
            self._unseen[seat] = tuple(value.hex() for value in values)
        return self._unseen[seat][: cast - hand.first + 2]

    def _answer(self, fold: Folded, entry: AnswerEntry) -> None:
        if entry.signature is None and (self.cast is None or self.cast.is_complete):
            self._open(fold, entry, ())
        elif self.cast is None or entry.cast != self.cast.number or entry.by not in self.cast.owing:
            fold.fail("bad-cast", f"{entry.by} owes no answer to throw {entry.cast}")
        else:
            self.fixed = entry.n
            self._give(fold, self.cast, entry.by, entry.value)

    def _give(self, fold: Folded, cast: Cast, seat: Seat, value: str) -> None:
        """What a seat gives must be the next value of its chain, so that it could not be chosen."""
        hand = self.hands.get(seat)
        if hand is None or hand.left(cast.number) < 1:
            fold.fail("bad-cast", f"the chain of {seat} has come to its end")
        if not is_next(self.game_id, seat, bytes.fromhex(value), bytes.fromhex(hand.last)):
            fold.fail("bad-cast", f"what {seat} gives to the throw is not what its chain had fixed")
        self.hands[seat] = replace(hand, last=value)
        self.cast = replace(cast, values={**cast.values, seat: value})

    def _seal(self, fold: Folded, entry: SealEntry) -> None:
        hand = self.key_of(entry.by)
        if hand is None:
            fold.fail("bad-seal", f"{entry.by} signs, but has not joined")
        if entry.to not in self.seats or (entry.to == entry.by and not self.may_gather(entry.by)):
            fold.fail("bad-seal", f"{entry.by} hands the pen to {entry.to}")
        if self._rejoining(entry.by) and not self._offered_alone(entry):
            fold.fail("bad-seal", f"a key that nobody has agreed to yet signs more than that {entry.by} asks for it")
        self.pen = entry.to
        self.sealed[entry.by] = self.fixed = entry.n

    def may_gather(self, seat: Seat) -> bool:
        """Whether a seat may sign and keep the pen: others owe parts of a throw, and more than two play."""
        owing = {*self.cast.owing} if self.cast else set()
        return len(self.seats) > 2 and bool(owing - {seat})

    def _branch(self, entry: BranchEntry) -> None:
        """A branch throws no dice of its parent's, and nobody has signed it: all join anew."""
        self._drop(entry, f"branch {entry.name} left it")
        self.hands, self.cast, self.offers, self.pen, self.sealed = {}, None, {}, None, {}
        self.owners, self.heirs = {}, {}
        self._branched = True

    def key_of(self, seat: Seat) -> str | None:
        """The key that signs for a seat: the one that it joined with, or asks to play on with."""
        asked = self._rejoining(seat)
        if asked:
            return asked.key
        return self.hands[seat].chair.key if seat in self.hands else None

    def _rejoining(self, seat: Seat) -> Chair | None:
        """With what key a seat asks to play on, if it does."""
        chairs = (standing.offer.new_chair for standing in self.offers.values() if standing.by == seat)
        return next((chair for chair in chairs if chair), None)

    def _offered_alone(self, entry: SealEntry) -> bool:
        """Whether nothing stands between the last seal and this one but what its seat offers."""
        return entry.n - 1 in self.offers and max(self.sealed.values(), default=-1) == entry.n - 2

    def _play(self, fold: Folded, entry: AnyPlay) -> None:
        """Take the dice of a play out of the throw; the game is as it was before it."""
        self.offers = {}
        if self.cast is not None:
            answered = fold.game.asks(fold.known.public)
            self.cast = self.cast.after(entry.by, entry.done, entry.all_rolls, answered=answered)

    # Agreement

    def _offer(self, fold: Folded, entry: OfferEntry[Any]) -> None:
        if entry.by not in self.seats:
            fold.fail("bad-seat", f"nobody who plays sits at {entry.by!r}")
        if entry.on >= entry.n or (entry.signature is not None and entry.on < self._moved):
            fold.fail("bad-offer", f"somebody has played since {entry.by} made this offer")
        if entry.offer.new_chair is not None:
            self._check_fresh(fold, entry, entry.offer.new_chair)
        if entry.signature in self._asked:
            fold.fail("bad-offer", f"this offer of {entry.by} was on the record before")
        self._asked |= {entry.signature} if entry.signature else set()
        self.offers = {n: one for n, one in self.offers.items() if one.by != entry.by}
        self.offers[entry.n] = Standing(entry.n, entry.by, entry.offer, ())

    def _reply(self, fold: Folded, entry: AgreeEntry | RefuseEntry) -> None:
        standing = self.offers.pop(entry.to, None)
        if standing is None or entry.by == standing.by or entry.by not in self.seats or entry.by in standing.agreed:
            fold.fail("bad-offer", f"entry {entry.to} offers nothing that {entry.by} can reply to")
        if isinstance(entry, AgreeEntry):
            self.offers[entry.to] = standing._replace(agreed=(*standing.agreed, entry.by))

    def _carry_out(self, entry: AnyEntry, because: str) -> None:
        """What was agreed on is done; nothing else that was offered stands any longer, and no dice are being thrown."""
        self._drop(entry, because)
        self.offers, self.cast = {}, None

    def _drop(self, entry: AnyEntry, because: str) -> None:
        """A throw that was begun is not made. Where somebody has resigned it is dropped once that is taken back."""
        pending = [cast for cast in (self._given_up, self.cast) if cast and cast.is_pending]
        self.dropped += tuple(replace(_as_dropped(cast), because=because, at=entry.n) for cast in pending)
        self._given_up = None

    def consents(self, entry: AnyEntry) -> frozenset[Seat]:
        """The seats that have said in the log that they agree to an entry, who offered it among them."""
        fitting = (standing for standing in self.offers.values() if is_offered(standing, entry))
        return frozenset(seat for standing in fitting for seat in (standing.by, *standing.agreed))


def _as_dropped(cast: Cast) -> DroppedThrow:
    return DroppedThrow(cast.number, cast.by, cast.n, cast.known)
