"""What became of a packet, in a sentence or two with the next step; worded without blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.errors import sentence
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.mail.arrival import Arrival
    from referee.mail.packet import PacketHead

SAME = "Nothing was changed."


def verdict_on(arrival: Arrival, head: PacketHead, *, here: bool, dry_run: bool = False) -> str:
    """The verdict on a packet; `here`: its game is on this computer; `dry_run`: it was only looked at."""
    first, last = arrival.first, arrival.last
    new = f"{count_of(last - first + 1, 'new entry', 'new entries')} from {arrival.seat}"
    match arrival.situation:
        case "new":
            return f"{new} would follow; nothing was recorded." if dry_run else f"{new} ({span(first, last)})"
        case "known":
            return "Nothing new: all that is in this mail is here."
        case "ahead":
            return f"Nothing new: this mail ends with entry {first - 1}, and you have all up to {last}."
        case "early":
            return _too_early(arrival, head, here=here, dry_run=dry_run)
        case "parted":
            return _parted(arrival)
        case "retold":
            return f"From entry {first} on it says what is here, written down at another time. Nothing was recorded."
        case "forked":
            return f"{arrival.seat} has signed two different entries {first}. {SAME} {_settled(arrival)}"
        case "changed":
            signed = f"{arrival.seat} has signed your entry {first}, and this mail holds another entry {first}."
            return f"{signed} {SAME} {_settled(arrival)}"
        case "claimed":
            return (
                f"Refused: by this mail another key plays in your place since entry {first}, which your key has not "
                f"signed. {SAME} Ask the others on the telephone who agreed to it; if you have changed your key "
                "yourself: referee open --theirs MAIL"
            )
        case "unsigned":
            return f"Refused: nobody has signed its last entry. {SAME}"
        case "faulty":
            return _faulty(arrival)
        case "other-game":
            return f"Refused: this mail is of another game. {SAME}"
        case "other-rules":
            return f"Refused: it was made with version {head.rules} of the rules; a newer referee is needed. {SAME}"


def span(first: int, last: int) -> str:
    """Entries by their numbers."""
    return str(first) if first >= last else f"{first} to {last}"


def _too_early(arrival: Arrival, head: PacketHead, *, here: bool, dry_run: bool) -> str:
    if not here:
        return (
            f"This mail goes on with a game that is not here, from entry {head.base}. "
            "Ask who sent it for all of it: referee pack --from 0"
        )
    first, last = arrival.first, arrival.last
    missing = f"entry {first} is" if first >= last else f"entries {span(first, last)} are"
    waits = "it is kept until they come" if arrival.kept else "nobody known here has signed it, and it is not kept"
    kept = "nothing was recorded" if dry_run else waits
    return f"Too early: {missing} missing here; {kept}. Ask who sent it for: referee pack --from {first}"


def _parted(arrival: Arrival) -> str:
    mine, theirs = (count_of(many, "entry", "entries") for many in (arrival.mine, arrival.theirs))
    return (
        f"Your copies agree up to entry {arrival.first - 1}. You have {mine} not sent yet, this mail has {theirs} that "
        f"you lack. {SAME} To take the other copy and set yours aside: referee open --theirs MAIL. "
        "To say yours again on top of it as well: --again"
    )


def _settled(arrival: Arrival) -> str:
    """How two who agree on it go on all the same."""
    compare = "Where they differ: referee diff MAIL."
    if arrival.bound:
        last = arrival.first - 1
        return (
            f"{compare} Your key has signed yours, and signs no other. To play on from entry {last}, which both have: "
            f"referee branch again --at {last}, then referee pack; all sit down anew in it"
        )
    return f"{compare} To take the other copy and set yours aside: referee open --theirs MAIL"


def _faulty(arrival: Arrival) -> str:
    fault = arrival.fault.fault if arrival.fault else None
    rule = f" ({fault.rule})" if fault and fault.rule else ""
    because = f" {sentence(fault.words + rule)}" if fault else ""
    return f"Refused: entry {arrival.first} of this mail may not be.{because} {SAME}"
