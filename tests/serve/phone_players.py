"""Players who only use phones: they tap what is offered, and type dice that the game waits for."""

from __future__ import annotations

from random import Random
from typing import Any

from phone_games import Table

from referee.record.table.opening_logs import open_log

HOSTILE = (
    "",
    " ",
    "\0",
    "-",
    "--by",
    "#1",
    "{units}",
    "%s",
    "é",
    "\u202e",
    "a" * 300,
    "1",
    "B1-",
    "x" + "9" * 30,
    "!",
    ",",
)
"""Words that nobody means, as a phone may send them."""
MANY = 60
"""Taps after which something should have been said."""


def played_on(table: Table, most: int, seed: int) -> int:
    """Plays on at random by phone. Returns the number of recorded entries."""
    random, before = Random(seed), table.entries
    seats = open_log(table.log).reducer.seats
    for _ in range(most):
        able = [seat for seat in seats if (now := table.ask(seat))["yours"] or now["need"]]
        if not able:
            break
        _said(table, random.choice(able), random)
    return table.entries - before


def _said(table: Table, seat: str, random: Random) -> None:
    now, taps = table.ask(seat), list[Any]()
    on = now["on"]
    for _ in range(MANY):
        if now["need"]:
            answer = table.ask(seat, do="roll", faces=_fallen(now["need"], random), on=on)
        elif now["says"] and (not now["groups"] or random.random() < 0.5):
            answer = _sure(table, seat, now, taps)
        else:
            tap = _tapped(now, random)
            taps.append(tap)
            now = table.ask(seat, taps=taps, on=on)
            assert len(now["said"]) == len(taps), (tap, now)
            continue
        assert answer["code"] == 0, answer["lines"]
        if not answer["need"]:
            return
        now, on = answer, answer["on"]
    raise AssertionError(f"nothing could be said: {now}")


def _sure(table: Table, seat: str, now: dict[str, Any], taps: list[Any]) -> dict[str, Any]:
    answer = table.ask(seat, do="say", taps=taps, on=now["on"])
    if answer.get("doubt"):
        answer = table.ask(seat, do="say", taps=taps, on=now["on"], sure=True)
    return answer


def _tapped(now: dict[str, Any], random: Random) -> list[str]:
    sure = [[words, "says"] for words, goes in now["phrases"] if goes]
    chips = [chip[:2] for group in now["groups"] for chip in group["chips"]]
    chips = [chip for chip in chips if chip[0] not in ("resign", "stop")] or chips
    return random.choice(sure or chips or [[words, "says"] for words, _ in now["phrases"]])


def _fallen(need: dict[str, Any], random: Random) -> list[str]:
    missing = need["count"] - len(need["held"])
    names = need["names"] or [str(face) for face in range(1, need["sides"] + 1)]
    return [random.choice(names).split()[0] for _ in range(missing)]
