"""`referee stats luck`: compares hits with the expected number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.chances.luck import NO_LUCK, LuckAccount, RollLuck, account_for_luck
from referee.chances.recorded_rolls import count_unseen_rolls, list_recorded_rolls
from referee.chances.stats import player_lucks
from referee.cli.answer import NO, Answer, DrawnRow, Shown, Text
from referee.cli.arguments import Force, Output
from referee.cli.errors import MisuseError
from referee.cli.game_view import heading
from referee.cli.log_batch import Jobs, LogBatch
from referee.cli.log_paths import check_picture, names_many_logs, write_output
from referee.engine.text import count_of, format_number
from referee.show.chart import ChartLine, draw_lines, sparkline

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.seat_view import SeatView

Logs = Annotated[
    list[str] | None, Argument(metavar="[LOG|FOLDER...]", help="One log or many; default: the current game.")
]
Worth = Annotated[bool, Option("--worth", help="Also show what rolls without a target were worth.")]
Z = "z shows how unusual this is: from -2 to 2 is normal; one player in twenty lies beyond."
RARE = 0.05
"""The chance below which a roll is rare enough to be shown."""


def luck(
    ctx: typer.Context,
    logs: Logs = None,
    jobs: Jobs = None,
    worth: Worth = False,
    output: Output = None,
    force: Force = False,
) -> Answer:
    """Compare your hits with the expected number, by player and by purpose of the roll.

    \b
      referee stats luck                  referee stats luck friday.jsonl -o luck.svg
      referee stats luck --worth          also value rolls without a target, as bots do
      referee stats luck evenings/        count many games, by player name
    """
    if logs and names_many_logs(logs):
        if output or worth:
            raise MisuseError("--worth and -o need a single game")
        return _luck_of_players(logs, jobs)
    if logs:
        ctx.obj.log = logs[0]
    look: SeatView = ctx.obj.look()
    if output:
        check_picture(output, force=force)
    return _luck_of_game(look, output, worth=worth, force=force)


def _luck_of_game(look: SeatView, output: Path | None, *, worth: bool, force: bool) -> Answer:
    """Returns the luck of one game, from the rolls that the viewer may know."""
    throws = list(list_recorded_rolls(look.session))
    account = account_for_luck(throw for throw in throws if throw.roll.to in (None, look.eyes))
    untold = count_unseen_rolls(look.session, throws)
    lines, facts = list(_luck_lines(look, account, worth=worth)), _facts(account) | {"untold": untold}
    if untold:
        lines.append(
            Text(
                f"Left out: the dice of {count_of(untold, 'move')} that today's rules or this view cannot explain.",
                indent=2,
            )
        )
    if worth:
        facts["worth"] = _add_worth(look, lines)
    if output and not account.targeted_rolls:
        lines.append("There is no luck to draw.")
        return Answer(lines, lambda: facts, NO)
    if output:
        write_output(output, _picture(look, account), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: facts)


def _add_worth(look: SeatView, lines: list[Shown]) -> dict[str, Any]:
    from referee.cli.roll_worth import throw_worths, worth_text

    found, is_all = throw_worths(look)
    lines += [Text(f"{_name(look, seat)}: {worth_text(one)}", indent=2) for seat, one in found.items()]
    if not is_all:
        lines.append("Stopped before all rolls were counted. These are the results so far.")
    rows = {seat: {"throws": one.throws, "luck": one.shown_value, "error": one.error} for seat, one in found.items()}
    return {"seats": rows, "stopped": not is_all}


def _luck_of_players(folders: list[str], jobs: int | None) -> Answer:
    """Returns the luck of players over many games, by their names."""
    logs, players = LogBatch(folders, player_lucks, jobs), dict[str, RollLuck]()
    for found in logs:
        for name, one in found:
            players[name] = players.get(name, NO_LUCK) + one
    told = [Text(f"{name}: {_in_words(one)}", indent=2) for name, one in sorted(players.items())]
    facts = {name: _luck_facts(one) for name, one in players.items()}
    heading = [f"Luck in {count_of(logs.logs, 'game')}"] if logs.logs else []
    legend = [Z if told else "No dice in them needed a number."] if logs.logs else []
    lines: list[Shown] = [*heading, *told, *(Text(line, indent=2) for line in legend), *logs.shown_complaints()]
    return Answer(lines, lambda: {"players": facts, **logs.facts()}, logs.code)


def _picture(look: SeatView, account: LuckAccount) -> str:
    """Returns the luck of each player through the game as an SVG chart."""
    points, colours = list(account.luck_so_far()), look.facts.game.colours(tuple(look.facts.seats))
    lines = []
    for seat in account.by_seat:
        own = [(at / len(points), point.luck) for at, point in enumerate(points, 1) if point.seat == seat]
        lines.append(ChartLine(_name(look, seat), colours.get(seat, "grey"), [(0.0, 0.0), *own]))
    unit = "Hits above the expected number, from the first roll to the last"
    return draw_lines(lines, f"Luck in {heading(look)}", unit)


def _name(look: SeatView, seat: Seat) -> str:
    return look.facts.seat_with_name(seat) if seat in look.facts.names else seat


def _luck_lines(look: SeatView, account: LuckAccount, *, worth: bool) -> Iterator[Shown]:
    yield heading(look)
    if not account.targeted_rolls:
        more = "" if worth else "; for their value, add --worth"
        read = f"No roll so far had a target, a number to reach{more}."
        yield Text(read if account.throws else "Nobody has rolled dice yet.", indent=2)
        return
    for seat, luck in account.by_seat.items():
        yield Text(f"{_name(look, seat)}: {_in_words(luck)}", indent=2)
        for (whose, kind), part in account.by_kind.items():
            if whose == seat:
                yield Text(f"{kind}: {_in_words(part)}", indent=4)
    rarest = account.rarest
    if rarest and rarest[1] < RARE:
        throw, chance = rarest
        faces, percent = " ".join(map(str, throw.roll.faces)), format_number(100 * float(chance), 2)
        yield Text(f"Rarest: entry {throw.n} by {throw.seat}, {throw.roll.purpose}: {faces} ({percent} %).", indent=2)
    yield from _line(account)
    yield Text(Z, indent=2)
    yield Text(_not_counted_text(account), indent=2)


def _in_words(luck: RollLuck) -> str:
    hits = f"{count_of(luck.hits, 'hit')} of {luck.dice}, {float(luck.expected):.1f} expected"
    unusual = ", unusual" if abs(luck.z_score) > 2 else ""
    return f"{hits}, {float(luck.hits_above_expected):+.1f} (z {luck.z_score:+.1f}{unusual})"


def _line(account: LuckAccount) -> Iterator[Shown]:
    """Yields the luck of each player through the game as a row of bars."""
    points = list(account.luck_so_far())
    most = max((abs(point.luck) for point in points), default=0)
    if len(points) < 2 or not most:
        return
    yield Text("From the first roll to the last; half the height is the expected number:", indent=2)
    room = max(map(len, account.by_seat))
    for seat in account.by_seat:
        own = [point.luck for point in points if point.seat == seat]
        draw = partial(sparkline, [(luck / most + 1) / 2 for luck in own])
        yield DrawnRow(f"{seat:<{room}}", draw, f"{own[-1]:+4.1f}", indent=4)


def _not_counted_text(account: LuckAccount) -> str:
    read = count_of(account.untargeted_count, "roll")
    return f"Not counted: {read} without a target, {account.taken_back} taken back or corrected."


def _facts(account: LuckAccount) -> dict[str, Any]:
    rarest = account.rarest
    return {
        "seats": {seat: _luck_facts(luck) for seat, luck in account.by_seat.items()},
        "kinds": [{"seat": seat, "kind": kind, **_luck_facts(luck)} for (seat, kind), luck in account.by_kind.items()],
        "rarest": {"entry": rarest[0].n, "roll": rarest[0].roll, "chance": float(rarest[1])} if rarest else None,
        "line": list(account.luck_so_far()),
        "only_read": account.untargeted_count,
        "taken_back": account.taken_back,
    }


def _luck_facts(luck: RollLuck) -> dict[str, Any]:
    return {
        "dice": luck.dice,
        "hits": luck.hits,
        "expected": str(luck.expected),
        "luck": float(luck.hits_above_expected),
        "z": luck.z_score,
    }
