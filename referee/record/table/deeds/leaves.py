"""Leaving a seat: its player stops, and the game goes on. A bot plays on at once, or somebody sits down later."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.engine.text import listing
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import AgreedSeats, Identifier
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.agreement import describe_unknown_seat
from referee.record.table.deed import ConsentNeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, NewPlayer, Proposal

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 10


def leave_seat(session: "Session", by: Seat, bot: str | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Lets the player of a seat leave; all others must agree. The bot with this name plays on. If `bot` is None, nobody
    does.

    Raises NotAllowedError if nobody can leave this seat now, or if a bot cannot play it.
    """
    problem = explain_barred_leaving(session.reducer, by, bot) or explain_unfit_bot(session.reducer, by, bot)
    if problem:
        raise NotAllowedError(problem)
    session.append([(partial(LeavesEntry, by=by, bot=bot, agreed=tuple(one for one in agreed if one != by)), None)])


def explain_barred_leaving(reducer: "ReducerState", seat: Seat, bot: str | None) -> str:
    """Returns, as a clause, why the player of a seat cannot leave it to this bot, or to nobody; "" if they can."""
    if seat not in reducer.seats:
        return describe_unknown_seat(reducer.seats, [seat]) or f"{seat} has no seat"
    fixed = reducer.explain_fixed_seating()
    if fixed:
        return fixed
    if bot and reducer.seating.bots.get(seat) == bot:
        return f"{bot} plays {seat} already"
    return "" if bot or seat in reducer.occupied_seats else f"nobody sits at {seat}"


def explain_unfit_bot(reducer: "ReducerState", seat: Seat, bot: str | None) -> str:
    """Returns, as a clause, why this bot cannot play a seat from this computer; "" if it can, or if `bot` is None."""
    from referee.record.table.game_start_checks import OPEN_DICE_ONLY  # few seats are left

    if bot and reducer.header.dice.is_typed:
        return OPEN_DICE_ONLY
    if bot and seat in reducer.keepers and seat not in reducer.opener.vaults:
        return f"{bot} cannot see what {seat} sees, since the secrets of {seat} are on another computer"
    return ""


def can_bot_play(look: "SeatView", seat: Seat, bot: str) -> bool:
    """True if this bot can play a seat from this computer."""
    return not explain_unfit_bot(look.session.reducer, seat, bot)


class LeaveOffer(DescribedOffer, frozen=True, tag="leaves"):
    """An offer to leave a seat. It is never made by mail, where each seat signs with its player's key."""

    by_mail = False

    seat: SeatName
    bot: Identifier | None
    """The bot that would play on; null for nobody."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the leave that all have agreed on."""
        leave_seat(session, self.seat, self.bot, (by, *agreed))

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to let the bot {self.bot} play {self.seat}" if self.bot else f"to let the player of {self.seat} leave"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out who would play the seat from then on."""
        reducer, seat, bot = sitting.session.reducer, self.seat, self.bot
        cannot = explain_barred_leaving(reducer, seat, bot) or explain_unfit_bot(reducer, seat, bot)
        return Proposal(by, self, new_player=NewPlayer(seat, bot=bot), cannot=cannot)


class LeavesEntry(DescribedDeed, frozen=True, tag="leaves", omit_defaults=True):
    """The player of the seat `by` leaves. The seat keeps its pieces and its turns."""

    irreversible = "seated"
    sheet_word = "leaves"

    agreed: AgreedSeats
    """The other seats that agreed."""
    bot: Identifier | None = None
    """The bot that plays on; left out if nobody does."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["leaves", self.by, self.bot]

    @property
    def required_offer(self) -> LeaveOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return LeaveOffer(self.by, self.bot)

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if the player of this seat cannot leave."""
        problem = explain_barred_leaving(reducer, self.by, self.bot)
        if problem:
            reducer.raise_fault("bad-seat", problem)

    def apply(self, reducer: "ReducerState") -> None:
        """Takes the player away from the seat; the bot of this entry plays on, if the entry names one.

        Raises FaultError if the player cannot leave.
        """
        self.check(reducer)
        state = reducer.known.public
        reducer.change_seating(reducer.seating.with_player(reducer.game, state, self.by, "", self.bot))

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("leaving the game")

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        bot = f": {encode_for_log({'bot': self.bot}).decode()}" if self.bot else ""
        return f"leaves{self.sheet_consent}{bot}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":
        """Returns the draft of the entry that a line of a sheet describes. None if the line says too little."""
        bot = said.read_document().get("bot") if said.has_document else None
        if bot is not None and not isinstance(bot, str):
            return None
        return partial(cls, by=said.by, bot=bot, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:
        """Describes the leave in one line."""
        who = look.at_entry(self.n - 1).facts.format_seat(self.by)
        bot = f", and the bot {self.bot} plays on" if self.bot else ""
        return f"{who} leaves{bot}{f', agreed by {listing(self.agreed)}' if self.agreed else ''}"
