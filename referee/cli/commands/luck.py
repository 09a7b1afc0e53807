"""`referee luck`: was that luck?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.chances.luck import NONE, Account, Luck, account_of
from referee.chances.stats import lucks_of
from referee.chances.throws import throws_in, untold_in
from referee.cli.answer import NO, Answer, Drawn, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.logs import are_many, check_picture, write_out
from referee.cli.look import heading
from referee.cli.many import Jobs, Many
from referee.cli.typed import Force, Output
from referee.engine.text import count_of, figure
from referee.show.chart import Line, lines_svg, sparkline

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.sitting import Sitting

Logs = Annotated[
    list[str] | None, Argument(metavar="[LOG|FOLDER...]", help="A log, the current game unless named; or many.")
]
Worth = Annotated[bool, Option("--worth", help="Also what throws were worth whose dice are only read.")]
Z = "z tells how unusual that is: between -2 and 2 nothing is; beyond it comes one player in twenty."
RARE = 0.05
"""From here on a throw is worth telling."""


def luck(
    ctx: typer.Context,
    logs: Logs = None,
    jobs: Jobs = None,
    worth: Worth = False,
    output: Output = None,
    force: Force = False,
) -> Answer:
    """Was that luck? Hits against what had to be expected, by player and by what was thrown for.

    \b
      referee luck                  referee luck friday.jsonl -o luck.svg
      referee luck --worth          where dice are only read, by the rule of thumb of bots
      referee luck evenings/        the players of many games, by name
    """
    if logs and are_many(logs):
        if output or worth:
            raise MisuseError("--worth and a picture of luck are for one game")
        return _of_many(logs, jobs)
    if logs:
        ctx.obj.log = logs[0]
    look: Sitting = ctx.obj.look()
    if output:
        check_picture(output, force=force)
    return _of_one(look, output, worth=worth, force=force)


def _of_one(look: Sitting, output: Path | None, *, worth: bool, force: bool) -> Answer:
    """The luck of one game, as far as who looks may know of its throws."""
    throws = list(throws_in(look.session))
    account = account_of(throw for throw in throws if throw.roll.to in (None, look.eyes))
    untold = untold_in(look.session, throws)
    lines, facts = list(_told(look, account, worth=worth)), _facts(account) | {"untold": untold}
    if untold:
        lines.append(
            Text(f"Not told, by today's rules or to these eyes: the dice of {count_of(untold, 'play')}.", indent=2)
        )
    if worth:
        facts["worth"] = _add_worth(look, lines)
    if output and not account.aimed:
        lines.append("There is no line of luck to draw.")
        return Answer(lines, lambda: facts, NO)
    if output:
        write_out(output, _picture(look, account), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: facts)


def _add_worth(look: Sitting, lines: list[Shown]) -> dict[str, Any]:
    from referee.cli.worth import in_words, throw_worths

    found, is_all = throw_worths(look)
    lines += [Text(f"{_name(look, seat)}: {in_words(one)}", indent=2) for seat, one in found.items()]
    if not is_all:
        lines.append("Stopped before all throws were looked at: this is what was found so far.")
    rows = {seat: {"throws": one.throws, "luck": one.told, "error": one.error} for seat, one in found.items()}
    return {"seats": rows, "stopped": not is_all}


def _of_many(folders: list[str], jobs: int | None) -> Answer:
    """The luck of players over many games, by their names."""
    logs, players = Many(folders, lucks_of, jobs), dict[str, Luck]()
    for found in logs:
        for name, one in found:
            players[name] = players.get(name, NONE) + one
    told = [Text(f"{name}: {_in_words(one)}", indent=2) for name, one in sorted(players.items())]
    facts = {name: _luck_facts(one) for name, one in players.items()}
    heading = [f"Luck in {count_of(logs.logs, 'game')}"] if logs.logs else []
    legend = [Z if told else "No dice in them were aimed at anything."] if logs.logs else []
    lines: list[Shown] = [*heading, *told, *(Text(line, indent=2) for line in legend), *logs.shown_complaints()]
    return Answer(lines, lambda: {"players": facts, **logs.facts()}, logs.code)


def _picture(look: Sitting, account: Account) -> str:
    """The line of luck of each player through the game, as SVG."""
    points, colours = list(account.line()), look.facts.game.colours(tuple(look.facts.seats))
    lines = []
    for seat in account.by_seat:
        own = [(at / len(points), point.luck) for at, point in enumerate(points, 1) if point.seat == seat]
        lines.append(Line(_name(look, seat), colours.get(seat, "grey"), [(0.0, 0.0), *own]))
    unit = "Hits above what had to be expected, from the first throw to the last"
    return lines_svg(lines, f"Luck in {heading(look)}", unit)


def _name(look: Sitting, seat: Seat) -> str:
    return look.facts.player(seat) if seat in look.facts.names else seat


def _told(look: Sitting, account: Account, *, worth: bool) -> Iterator[Shown]:
    yield heading(look)
    if not account.aimed:
        more = "" if worth else "; --worth tells what they were worth"
        read = f"All dice so far were only read, not aimed at anything{more}."
        yield Text(read if account.throws else "No dice have been thrown so far.", indent=2)
        return
    for seat, luck in account.by_seat.items():
        yield Text(f"{_name(look, seat)}: {_in_words(luck)}", indent=2)
        for (whose, kind), part in account.by_kind.items():
            if whose == seat:
                yield Text(f"{kind}: {_in_words(part)}", indent=4)
    rarest = account.rarest
    if rarest and rarest[1] < RARE:
        throw, chance = rarest
        faces, percent = " ".join(map(str, throw.roll.faces)), figure(100 * float(chance), 2)
        yield Text(f"Rarest: entry {throw.n} by {throw.seat}, {throw.roll.purpose}: {faces} ({percent} %).", indent=2)
    yield from _line(account)
    yield Text(Z, indent=2)
    yield Text(_left_out(account), indent=2)


def _in_words(luck: Luck) -> str:
    hits = f"{count_of(luck.hits, 'hit')} of {luck.dice}, {float(luck.expected):.1f} expected"
    return f"{hits}, {float(luck.luck):+.1f} (z {luck.z:+.1f}{', unusual' if abs(luck.z) > 2 else ''})"


def _line(account: Account) -> Iterator[Shown]:
    """The luck of each player through the game, in characters."""
    points = list(account.line())
    most = max((abs(point.luck) for point in points), default=0)
    if len(points) < 2 or not most:
        return
    yield Text("From the first throw to the last; half the height is what had to be expected:", indent=2)
    room = max(map(len, account.by_seat))
    for seat in account.by_seat:
        own = [point.luck for point in points if point.seat == seat]
        draw = partial(sparkline, [(luck / most + 1) / 2 for luck in own])
        yield Drawn(f"{seat:<{room}}", draw, f"{own[-1]:+4.1f}", indent=4)


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
