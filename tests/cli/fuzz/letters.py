"""Games by mail that were spoilt by chance, and then hashed again, and signed again with the players' own keys."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import msgspec
from corrupt import mailed
from spoilt import Base, change, places, pool_of

from referee.mail.packet import PACKET_FORMAT
from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line, hash_entry
from referee.record.table.signed_texts import make_seal_text

Document = dict[str, Any]


@cache
def base() -> Base:
    """A whole game by mail with offers, answers and agreements; what nobody has said in it stands in the pool alone."""
    documents = list(mailed.good_documents())
    more: list[Document] = [
        {"type": "declare", "cast": 2, "value": "0" * 64, "actions": [], "secret": None},
        {"type": "refuse", "to": 12},
        {"type": "offer", "offer": {"type": "resign"}, "on": 9, "signature": None},
        {"type": "offer", "offer": {"type": "reveal", "of": [3]}, "on": 9, "signature": "U1NIU0lH" + "A" * 200},
    ]
    return Base("manoover", documents, mailed.SEATS, pool_of([*documents, *more]))


def spoilt(rng: Random) -> list[Document]:
    """The entries of the game with one to three of them changed, moved, doubled, left out, or put in from elsewhere."""
    good = base()
    documents = deepcopy(good.documents)
    for _ in range(rng.randrange(1, 4)):
        at, to = (rng.randrange(1, len(documents)) for _ in range(2))
        match rng.choice(["change", "change", "change", "out", "twice", "elsewhere", "more", "end"]):
            case "change":
                change(rng, *rng.choice(list(places(documents[rng.choice([at, at, 0])]))), good.pool)
            case "out":
                del documents[at]
            case "twice":
                documents.insert(to, deepcopy(documents[at]))
            case "elsewhere":
                documents.insert(to, documents.pop(at))
            case "more":
                entries = [one for one in good.pool[""] if isinstance(one, dict)]
                usual = {"by": rng.choice([*good.seats, "referee"]), "at": documents[0]["at"]}
                documents.insert(at, usual | deepcopy(rng.choice(entries)))
            case _:
                del documents[at + 1 :]
        if len(documents) < 2:
            break
    return documents


def lines_of(documents: Sequence[Document]) -> list[bytes]:
    """The log of these entries, hashed again, and signed again by whose key is known; none, where they have no form."""
    lines: list[bytes] = []
    prev = record = NO_PREVIOUS_HASH
    try:
        for n, document in enumerate(documents):
            entry = {**document, "n": n, "prev": prev}
            if entry.get("type") == "seal" and entry.get("by") in mailed.SEATS and "signature" in entry:
                text = make_seal_text(record, n - 1, prev, entry["to"], entry["at"])
                entry["signature"] = mailed.key_of(entry["by"]).sign(text)
            lines.append(format_entry_line(encode_for_log(entry)))
            prev = hash_entry(lines[-1][BODY_OFFSET:-2])
            record = prev if n == 0 or entry.get("type") == "branch" else record
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError):
        return []
    return lines


def head_of(lines: Sequence[bytes], first: int) -> Document:
    """The head of a packet with those lines from `first` on."""
    hashes = [NO_PREVIOUS_HASH, *(line[9:73].decode() for line in lines)]
    header = msgspec.json.decode(lines[0][BODY_OFFSET:-2])
    ids = {"game": hashes[1], "record": hashes[1], "module": header.get("game"), "rules": header.get("rules")}
    return ids | {
        "format": PACKET_FORMAT,
        "by": "red",
        "base": first,
        "after": hashes[first],
        "head": hashes[-1],
        "files": {},
        "asks": [],
    }


ASK = {"by": "blue", "offer": {"type": "resign"}, "on": 5, "signature": "U1NIU0lH" + "A" * 200}


def packet(rng: Random, lines: Sequence[bytes], first: int) -> bytes:
    """A packet with those lines; its head may be spoilt, too."""
    head = head_of(lines, first)
    if rng.randrange(4) == 0:
        head["asks"] = [deepcopy(ASK) for _ in range(rng.randrange(1, 18))]
    if rng.randrange(3) == 0:
        change(rng, *rng.choice(list(places(head))), base().pool)
    try:
        return encode_for_log(head) + b"\n" + b"".join(lines[first:])
    except (ValueError, TypeError, OverflowError):
        return b"{}\n"
