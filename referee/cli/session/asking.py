"""What one phone asks the others to agree to: who asks, what it would do, and who has agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.cli.answer import NO, Answer
from referee.cli.entries import done_by
from referee.cli.mail.mailed import offered
from referee.engine.event import Seat
from referee.engine.text import begin_sentence, listing
from referee.record.log.offer import Offer
from referee.record.table.proposal import proposal_of
from referee.record.table.sitting import Sitting


class Deed(Struct, frozen=True):
    """A command that others may have to agree to."""

    name: str
    words: tuple[str, ...] = ()
    by: Seat | None = None
    """Who speaks; None: all round the table."""
    faces: tuple[str, ...] = ()
    """Dice that go with it."""
    sure: bool = False
    """Whether nobody is asked any more whether it is meant."""

    def arguments(self, agreed: Sequence[Seat] = ()) -> list[str]:
        """As it is typed, with those who agree. What a phone wrote stands behind the options."""
        dice = ("--dice", ",".join(self.faces)) if self.faces else ()
        options = [
            *dice,
            *(("--by", self.by) if self.by else ()),
            *(("--yes",) if self.sure else ()),
            *(("--agreed-by", ",".join(agreed)) if agreed else ()),
        ]
        return [self.name, *options, *(("--", *self.words) if self.words else ())]

    @property
    def named(self) -> str:
        """Without what may tell a secret of who asks."""
        return f"{self.name} the position"


class Asked(Struct, frozen=True):
    """Something that waits for others to agree."""

    number: int
    """By which phones name it: who agrees, agrees to this and to nothing that came later."""
    seat: Seat
    """Whose phone asks."""
    deed: Deed
    head: str
    """The hash of the log that it was asked on: it lapses as soon as anybody plays."""
    needs: tuple[Seat, ...]
    """Those who have to agree besides."""
    offer: Offer | None = None
    """None: it is not even worked out before all have agreed."""
    hash: str = ""
    """That of all that is recorded then, to which they agree; empty: it is not worked out before."""
    agreed: tuple[Seat, ...] = ()

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Who has not agreed yet."""
        return tuple(seat for seat in self.needs if seat not in self.agreed)

    def told_to(self, look: Sitting) -> dict[str, Any]:
        """What a phone shows of it, as its eyes see what it would do."""
        what = offered(look, self.offer) if self.offer else f"to {self.deed.named}"
        proposal = proposal_of(look, self.offer, self.deed.by or self.seat) if self.offer else None
        does = done_by(look, proposal) if proposal else ()
        sealed = ["Nothing more of it is worked out before all agree: that would tell secrets."]
        sealed = sealed if proposal is None or proposal.is_shut else []
        return {
            "number": self.number,
            "words": begin_sentence(f"{look.facts.player(self.seat)} asks {what}."),
            "does": [*(text.text.replace("says: referee reveal", "reveals them") for text in does), *sealed],
            "mine": self.seat == look.eyes,
            "waits": look.eyes in self.missing,
            "missing": listing([look.facts.player(seat) for seat in self.missing]),
        }


class Asking:
    """All that is asked at a time: one thing, and what became of those before."""

    def __init__(self) -> None:
        self.asked: Asked | None = None
        self._count = 0

    def put(self, seat: Seat, deed: Deed, head: str, answer: Answer) -> bool:
        """Ask the others, if the answer to a deed is that they must agree; whether it is so. What somebody else asks
        comes first.
        """
        facts = answer.facts() if answer.code == NO else None
        needs = facts.get("needs") if isinstance(facts, dict) else None
        if not isinstance(facts, dict) or not needs or (self.asked and self.asked.seat != seat):
            return False
        self._count += 1
        others = tuple(one for one in needs if one != seat)
        self.asked = Asked(self._count, seat, deed, head, others, facts.get("offer"), facts.get("deed") or "")
        return True

    def lapse(self, head: str) -> None:
        """What was asked on another log than this is asked no more."""
        if self.asked and self.asked.head != head:
            self.asked = None

    def agree(self, seat: Seat, number: int) -> Asked | None:
        """A seat agrees to what it was asked; None: it was not."""
        asked = self.asked
        if asked is None or asked.number != number or seat not in asked.missing:
            return None
        self.asked = replace(asked, agreed=(*asked.agreed, seat))
        return self.asked

    def drop(self, seat: Seat, number: int) -> Asked | None:
        """A seat refuses, or who asks takes it back; None: there is nothing of that."""
        asked = self.asked
        if asked is None or asked.number != number or seat not in (asked.seat, *asked.missing):
            return None
        self.asked = None
        return asked

    def shown(self, look: Sitting) -> Iterator[dict[str, Any]]:
        """What this phone is asked, or asks."""
        if self.asked and look.eyes in (self.asked.seat, *self.asked.needs):
            yield self.asked.told_to(look)
