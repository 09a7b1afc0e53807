"""The verdict on a packet in a few sentences, with the next step. It blames nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.answer import Text
from referee.cli.errors import format_sentence
from referee.engine.text import count_of
from referee.mail.key import read_own_public_key, spell_fingerprint
from referee.mail.packet_fate import has_own_seat_gone_on_elsewhere
from referee.mail.seat_disputes import list_disputes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.engine.event import Seat
    from referee.mail.packet import PacketHead
    from referee.mail.packet_verdict import PacketVerdict
    from referee.record.table.seat_view import SeatView

NOTHING_CHANGED = "Nothing was changed."
SIGNED_ELSEWHERE = (
    "This mail shows that your key has signed entries that are missing here. "
    "So somebody has played your seat on another computer. "
    "If that was you, play nothing here before the missing entries arrive."
)
"""A warning for a computer that lacks what its own seat has written."""


def describe_packet_verdict(
    verdict: PacketVerdict, head: PacketHead, *, here: bool, dry_run: bool = False, has_news: bool = False
) -> str:
    """Returns the verdict on a packet.

    `here` is True if its game is on this computer, `dry_run` if the packet was only looked at, and `has_news` if it
    tells something else.
    """
    first, last = verdict.first, verdict.last
    new = f"{count_of(last - first + 1, 'new entry', 'new entries')} from {verdict.seat}"
    match verdict.situation:
        case "new":
            if dry_run:
                return f"This mail would add {new}; nothing was recorded."
            return f"{new} ({format_entry_span(first, last)})"
        case "known" | "ahead" | "retold":
            return _describe_known(verdict, has_news=has_news)
        case "early":
            return _describe_too_early(verdict, head, here=here, dry_run=dry_run)
        case "parted":
            return _describe_parted(verdict)
        case "forked" if verdict.has_own_key_signed_elsewhere:
            return _describe_own_fork(verdict)
        case "forked":
            signed = f"{verdict.seat} has signed two different versions of entry {first}."
            return f"{signed} {NOTHING_CHANGED} {_suggest_settlement(verdict)}"
        case "changed":
            signed = f"{verdict.seat} has signed your entry {first}, and this mail holds another entry {first}."
            return f"{signed} {NOTHING_CHANGED} {_suggest_settlement(verdict)}"
        case "seated":
            return _describe_two_people(verdict.seat, verdict.first, verdict.keys, NOTHING_CHANGED)
        case "claimed" | "ruled" | "overruled":
            return _describe_other_claim(verdict)
        case "unsigned":
            return f"Refused: nobody has signed the last entry of this mail. {NOTHING_CHANGED}"
        case "faulty":
            return _describe_faulty(verdict)
        case "other-game":
            return f"Refused: this mail is of another game. {NOTHING_CHANGED}"
        case "other-rules":
            why = f"this mail needs version {head.rules} of the rules; update the referee first"
            return f"Refused: {why}. {NOTHING_CHANGED}"


def format_entry_span(first: int, last: int) -> str:
    """Returns a range of entries in words: "5" or "5 to 9"."""
    return str(first) if first >= last else f"{first} to {last}"


def _describe_known(verdict: PacketVerdict, *, has_news: bool) -> str:
    """Returns the verdict on a packet whose entries are all here, or are here with other times."""
    match verdict.situation:
        case "retold":
            since = f"from entry {verdict.first} on"
            return f"Nothing new: {since}, this mail has the same moves as your log, only at other times."
        case _ if has_news:
            return "This mail has no new entries."
        case "ahead":
            return f"Nothing new: this mail ends with entry {verdict.first - 1}, and you have all up to {verdict.last}."
        case _:
            return "Nothing new: everything in this mail is here already."


def _describe_other_claim(verdict: PacketVerdict) -> str:
    """Returns the verdict on a packet that crosses the player's own entries: another key plays, or a director ruled."""
    first = verdict.first
    match verdict.situation:
        case "claimed":
            return (
                f"Refused: in this mail another key plays your seat from entry {first} on. Your key has not signed "
                f"that entry. {NOTHING_CHANGED} Ask the others on the phone who agreed to the other key. "
                "If you changed your key yourself: referee mail open --theirs MAIL"
            )
        case "ruled":
            return (
                f"The director has ended the game at entry {first}, and you went on from there without knowing it. "
                f"{NOTHING_CHANGED} To take the end and set your entries aside: referee mail open --theirs MAIL"
            )
        case _:
            return (
                f"The director ended the game at entry {first}, and this mail was written before its writer knew that. "
                f"{NOTHING_CHANGED} To send the end: referee mail pack --from {first}"
            )


def _describe_too_early(verdict: PacketVerdict, head: PacketHead, *, here: bool, dry_run: bool) -> str:
    if not here:
        return (
            f"This mail goes on from entry {head.base} of a game that is not here. "
            "Ask the sender to type: referee mail pack --from 0"
        )
    first, last = verdict.first, verdict.last
    missing = f"entry {first} is" if first >= last else f"entries {format_entry_span(first, last)} are"
    waits = "the referee keeps this mail for later"
    if not verdict.is_kept:
        waits = "no player known here has signed this mail, so the referee does not keep it"
    kept = "nothing was recorded" if dry_run else waits
    yours = f" {SIGNED_ELSEWHERE}" if verdict.has_own_key_signed_elsewhere else ""
    ask = f"Ask the sender to type: referee mail pack --from {first}"
    return f"Too early: {missing} missing here; {kept}.{yours} {ask}"


def warn_of_second_computer(look: SeatView) -> Iterator[Text]:
    """Yields a warning if a waiting mail shows that this player's seat has gone on at another computer."""
    if has_own_seat_gone_on_elsewhere(look.session, read_own_public_key()):
        yield Text(f"A mail waits. {SIGNED_ELSEWHERE}", "refused")


def warn_of_other_time(first: int) -> str:
    """Returns sentences for a player whose key has signed the same entries at two times, from entry `first` on.

    A copy of the log that was put back also leads to this.
    """
    return (
        f"Your key has signed entry {first} with another time than the one here, so it is in use on two computers or "
        "on two copies of the log. The game and its dice stay as they are. Play on at only one computer."
    )


def _describe_own_fork(verdict: PacketVerdict) -> str:
    """Returns sentences for a player whose key has signed on two computers."""
    return (
        f"Your key has signed two different versions of entry {verdict.first}, so it is in use on two computers. "
        f"{NOTHING_CHANGED} To see where they differ: referee diff MAIL. "
        "Play on at only one computer: the one whose copy the others "
        "took. "
        "If they took the copy in this mail: referee mail open --theirs MAIL"
    )


def _describe_parted(verdict: PacketVerdict) -> str:
    mine, theirs = (
        count_of(many, "entry", "entries") for many in (verdict.count_only_here, verdict.count_only_in_packet)
    )
    return (
        f"Your copy and this mail agree up to entry {verdict.first - 1}. You have {mine} that you haven't sent yet. "
        f"This mail has {theirs} that you lack. {NOTHING_CHANGED} "
        "To take the other copy and set yours aside: referee mail open --theirs MAIL. "
        "To repeat your own moves after it, add: --again"
    )


def describe_disputes(look: SeatView) -> Iterator[Text]:
    """Yields sentences about each seat at which two people sit, for as long as that is so."""
    for one in list_disputes(look.session):
        yield Text(_describe_two_people(one.seat, one.n, one.keys), "refused")


def _describe_two_people(seat: Seat, n: int, keys: Sequence[str], result: str = "") -> str:
    """Returns sentences about two people who sat down at one seat in entry `n`. Everybody in the game reads the same.

    `result` is a sentence about the mail that shows it.
    """
    last, words = n - 1, " and ".join(map(spell_fingerprint, keys))
    return (
        f"Two people sit at {seat}, with the keys {words}. {f'{result} ' if result else ''}"
        "Ask on the phone whose seat it is. "
        "If only one of them plays, open that player's mail: referee mail open --theirs MAIL. If both play, "
        f"one of you types: referee branch again --at {last}, then referee mail pack. Then everybody joins the branch."
    )


def _suggest_settlement(verdict: PacketVerdict) -> str:
    """Returns sentences about how two players whose copies differ can settle it."""
    compare = "To see where they differ: referee diff MAIL."
    if verdict.is_own_key_bound:
        last = verdict.first - 1
        return (
            f"{compare} Your key has signed your entries, so it cannot sign others in their place. "
            f"To play on from entry {last}, which both copies have: referee branch again --at {last}, "
            "then referee mail pack. Then everybody joins the branch."
        )
    return f"{compare} To take the other copy and set yours aside: referee mail open --theirs MAIL"


def _describe_faulty(verdict: PacketVerdict) -> str:
    fault = verdict.fault.fault if verdict.fault else None
    rule = f" ({fault.rule})" if fault and fault.rule else ""
    because = f" {format_sentence(fault.clause + rule)}" if fault else ""
    return f"Refused: entry {verdict.first} of this mail is not allowed.{because} {NOTHING_CHANGED}"
