"""`referee luck`: was that luck?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from referee.chances.luck import Account, Luck, account_of
from referee.chances.throws import throws_in
from referee.cli.answer import Answer, Shown, Text
from referee.engine.text import count_of

if TYPE_CHECKING:
    from referee.cli.look import Look

Log = Annotated[str | None, Argument(metavar="[LOG]", help="A log; the current game unless named.")]
WIDTH = 40
"""Columns of the line of luck."""
RARE = 0.05
"""From here on a throw is worth telling."""


def luck(ctx: typer.Context, log: Log = None) -> Answer:
    """Was that luck? Hits against what had to be expected, by player and by what was thrown for.

    \b
      referee luck                  referee luck friday.jsonl
    """
    if log is not None:
        ctx.obj.log = log
    look: Look = ctx.obj.look()
    account = account_of(throw for throw in throws_in(look.session) if throw.roll.to in (None, look.eyes))
    return Answer(list(_told(look, account)), lambda: _facts(account))


def _told(look: Look, account: Account) -> Iterator[Shown]:
    yield look.heading
    if not account.aimed:
        yield Text("No dice were aimed at anything: they are only read in this game.", indent=2)
        return
    for seat, luck in account.by_seat.items():
        yield Text(f"{look.player(seat) if seat in look.names else seat}: {_in_words(luck)}", indent=2)
        for (whose, kind), part in account.by_kind.items():
            if whose == seat:
                yield Text(f"{kind}: {_in_words(part)}", indent=4)
    rarest = account.rarest
    if rarest and rarest[1] < RARE:
        throw, chance = rarest
        faces = " ".join(map(str, throw.roll.faces))
        yield Text(f"Rarest: entry {throw.n}, {throw.roll.purpose}: {faces} ({100 * float(chance):.2g} %).", indent=2)
    yield from _line(account)
    yield Text(_left_out(account), indent=2)


def _in_words(luck: Luck) -> str:
    hits = f"{count_of(luck.hits, 'hit')} of {luck.dice}, {float(luck.expected):.1f} expected"
    return f"{hits}, {float(luck.luck):+.1f} (z {luck.z:+.1f})"


def _line(account: Account) -> Iterator[Shown]:
    """The luck of each player through the game, in characters."""
    points = list(account.line())
    most = max((abs(point.luck) for point in points), default=0)
    if len(points) < 2 or not most:
        return
    marks = "▁▂▃▄▅▆▇█"
    for seat in account.by_seat:
        own = [point.luck for point in points if point.seat == seat]
        step = max(1, len(own) / WIDTH)
        some = [own[int(at * step)] for at in range(int(len(own) / step))]
        drawn = "".join(marks[round((value / most + 1) / 2 * (len(marks) - 1))] for value in some)
        yield Text(f"{seat} {drawn} {own[-1]:+.1f}", indent=2)


def _left_out(account: Account) -> str:
    read = count_of(account.only_read, "throw")
    return f"Not counted: {read} only read, {account.taken_back} taken back or corrected."


def _facts(account: Account) -> dict[str, Any]:
    rarest = account.rarest
    return {
        "seats": {seat: _luck_facts(luck) for seat, luck in account.by_seat.items()},
        "kinds": [{"seat": seat, "kind": kind, **_luck_facts(luck)} for (seat, kind), luck in account.by_kind.items()],
        "rarest": {"entry": rarest[0].n, "roll": rarest[0].roll, "chance": float(rarest[1])} if rarest else None,
        "line": list(account.line()),
        "only_read": account.only_read,
        "taken_back": account.taken_back,
    }


def _luck_facts(luck: Luck) -> dict[str, Any]:
    return {
        "dice": luck.dice,
        "hits": luck.hits,
        "expected": str(luck.expected),
        "luck": float(luck.luck),
        "z": luck.z,
    }
