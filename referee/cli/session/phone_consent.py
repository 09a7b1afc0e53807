"""A proposal from a phone that others must agree to: its command, its effect, and the seats that have agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.cli.answer import NO, Answer
from referee.cli.mail.mail_entry_text import describe_offer
from referee.cli.treaty_text import list_treaty_lines
from referee.engine.event import Seat
from referee.engine.text import begin_sentence, listing
from referee.record.log.offer import Offer
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import Treaty, make_treaty_of_offer


class PhoneCommand(Struct, frozen=True):
    """A command that others may have to agree to."""

    name: str
    words: tuple[str, ...] = ()
    by: Seat | None = None
    """The seat that speaks; None for the whole table."""
    faces: tuple[str, ...] = ()
    """The faces of its dice."""
    sure: bool = False
    """True if the player has already confirmed it."""
    bot: str = ""
    """The bot that plays on at a seat; "" for none."""

    def list_arguments(self, agreed: Sequence[Seat] = ()) -> list[str]:
        """Returns the command as it is typed, with the seats that agree. The phone's own words come after `--`."""
        dice = ("--dice", ",".join(self.faces)) if self.faces else ()
        options = [
            *dice,
            *(("--by", self.by) if self.by else ()),
            *(("--yes",) if self.sure else ()),
            *(("--bot", self.bot) if self.bot else ()),
            *(("--agreed-by", ",".join(agreed)) if agreed else ()),
        ]
        return [self.name, *options, *(("--", *self.words) if self.words else ())]

    @property
    def redacted_text(self) -> str:
        """The command in words for the other players, without `words`, which may tell a secret."""
        return f"{self.name} the position"


class PhoneProposal(Struct, frozen=True):
    """A command that waits for others to agree."""

    number: int
    """The number that a phone sends to agree, so that nobody agrees to a later proposal by mistake."""
    seat: Seat
    """The seat whose phone asks."""
    command: PhoneCommand
    head: str
    """The log's last hash when the proposal was made. The proposal lapses when the log changes."""
    needs: tuple[Seat, ...]
    """The other seats that have to agree."""
    offer: Offer | None = None
    """The offer that describes the command; None if nothing is worked out before all have agreed."""
    hash: str = ""
    """The hash of everything that will be recorded once all have agreed; "" if nothing is worked out before."""
    agreed: tuple[Seat, ...] = ()

    @property
    def seats_yet_to_agree(self) -> tuple[Seat, ...]:
        """The seats that have not agreed yet."""
        return tuple(seat for seat in self.needs if seat not in self.agreed)

    def describe_for(self, look: SeatView) -> dict[str, Any]:
        """Returns the proposal as the phone of the viewing seat shows it."""
        what = describe_offer(look, self.offer) if self.offer else f"to {self.command.redacted_text}"
        treaty = make_treaty_of_offer(look, self.offer, self.command.by or self.seat) if self.offer else Treaty()
        sealed = ["The referee works out the rest only after all agree; otherwise it would tell secrets."]
        sealed = sealed if treaty.effects is None or treaty.effects.proposal.is_hidden else []
        return {
            "number": self.number,
            "words": begin_sentence(f"{look.facts.format_seat(self.seat)} asks {what}."),
            "does": [
                *(line.replace("says: referee reveal", "reveals them") for line in list_treaty_lines(treaty)),
                *sealed,
            ],
            "mine": self.seat == look.eyes,
            "waits": look.eyes in self.seats_yet_to_agree,
            "missing": listing([look.facts.format_seat(seat) for seat in self.seats_yet_to_agree]),
        }


class OpenPhoneProposal:
    """The proposal that is open on the phones of a game. There is at most one."""

    def __init__(self) -> None:
        self.open_proposal: PhoneProposal | None = None
        self._count = 0

    def propose(self, seat: Seat, command: PhoneCommand, head: str, answer: Answer) -> bool:
        """Opens a proposal if the answer to a command says that others must agree. Returns True if it opened one.

        The new proposal replaces an open proposal of the same seat. While a proposal of another seat is open, opens
        none.
        """
        facts = answer.facts() if answer.code == NO else None
        needs = facts.get("needs") if isinstance(facts, dict) else None
        if not isinstance(facts, dict) or not needs or (self.open_proposal and self.open_proposal.seat != seat):
            return False
        self._count += 1
        others = tuple(one for one in needs if one != seat)
        self.open_proposal = PhoneProposal(
            self._count, seat, command, head, others, facts.get("offer"), facts.get("deed") or ""
        )
        return True

    def drop_if_outdated(self, head: str) -> None:
        """Drops the proposal if it was made when the log had another last hash than `head`."""
        if self.open_proposal and self.open_proposal.head != head:
            self.open_proposal = None

    def agree(self, seat: Seat, number: int) -> PhoneProposal | None:
        """Notes that a seat agrees, and returns the proposal; None if it is not open or does not need this seat."""
        proposal = self.open_proposal
        if proposal is None or proposal.number != number or seat not in proposal.seats_yet_to_agree:
            return None
        self.open_proposal = replace(proposal, agreed=(*proposal.agreed, seat))
        return self.open_proposal

    def drop(self, seat: Seat, number: int) -> PhoneProposal | None:
        """Drops the proposal that a seat refuses or withdraws, and returns it; None if the seat cannot do that."""
        proposal = self.open_proposal
        if proposal is None or proposal.number != number or seat not in (proposal.seat, *proposal.seats_yet_to_agree):
            return None
        self.open_proposal = None
        return proposal

    def list_proposals(self, look: SeatView) -> Iterator[dict[str, Any]]:
        """Yields the open proposal for the phone of the viewing seat, if it made the proposal or has to agree."""
        if self.open_proposal and look.eyes in (self.open_proposal.seat, *self.open_proposal.needs):
            yield self.open_proposal.describe_for(look)
