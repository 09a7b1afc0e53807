"""All that a phone hears in one of two games that differ only in what its player may not know."""

from __future__ import annotations

import msgspec
from twins import HEX

from referee.cli.session.phones import PhoneRequestHandler
from referee.record.table.opening_logs import open_log

HIDDEN = (("mutants", {"hidden-movement": "yes"}), ("sheboygan", {}), ("ambush", {}))


def answers(folder, viewer):
    """All that a phone hears of a game: whatever it asks, and what it is asked by others."""
    log = folder / "g.jsonl"
    phones = PhoneRequestHandler(open_log(log))

    def ask(seat, **request):
        found = msgspec.json.encode(phones(seat, request)).decode()
        return HEX.sub("#", found.replace(str(folder), "")) if seat == viewer else msgspec.json.decode(found)

    yield ask(viewer)
    now = msgspec.json.decode(msgspec.json.encode(phones(viewer, {})))
    on = now["on"]
    chips = [chip[:2] for group in now["groups"] for chip in group["chips"]]
    yield from (ask(viewer, taps=[chip]) for chip in chips[:8])
    yield from (ask(viewer, at=mark) for mark in now["marks"][:6])
    yield from (ask(viewer, do="why", words=words, on=on) for words in ("end", "m h9", "move r1 to d4", "resign"))
    yield from (ask(viewer, do="words", words=words, on=on) for words in ("nonsense", "put r1 in d4"))
    others = [seat for seat in open_log(log).reducer.seats if seat != viewer]
    reveals = (
        [{"do": "reveal"}] if open_log(log).moment().to_act else []
    )  # once it is over, secrets are opened at one word
    for request in ({"do": "undo"}, {"do": "correct", "number": 2, "faces": ["1"]}, *reveals):
        for other in others:
            asked = ask(other, on=on, **request)
            yield ask(viewer)
            for one in asked["asks"]:
                yield ask(viewer, do="refuse", number=one["number"])
    for request in ({"do": "leaves"}, {"do": "leaves", "words": "steady"}, {"do": "sits", "words": "Dee"}):
        for seat in (viewer, *others):
            yield ask(viewer, on=on, place=seat, **request)
            ask(others[0], do="refuse", number=1)
    for change in now["switches"][:2]:
        yield ask(viewer, do="switch", words=change, on=on)
        ask(viewer, do="refuse", number=1)
    asked = ask(others[0], do="undo", on=on)
    for one in asked["asks"]:
        yield ask(viewer, do="agree", number=one["number"])
        yield ask(viewer)
