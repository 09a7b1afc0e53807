"""`referee stats luck`: compares hits with the expected number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.chances.luck import NO_LUCK, LuckAccount, LuckOwner, LuckPoint, RollLuck, make_luck_account
from referee.chances.recorded_rolls import count_plays_left_out, list_recorded_rolls
from referee.chances.stats import list_player_lucks_of_log
from referee.cli.answer import NO, Answer, AnswerLine, DrawnRow, Text
from referee.cli.arguments import ForceOption, OutputOption
from referee.cli.errors import MisuseError
from referee.cli.game_view import make_heading
from referee.cli.log_batch import JobsOption, LogResults, describe_similar_names
from referee.cli.log_paths import check_picture_path, names_many_logs, write_output
from referee.cli.roll_results import (
    RollSequences,
    collect_result_facts,
    find_rarest_result,
    list_roll_sequences,
    sum_able_pieces,
)
from referee.engine.text import count_of, format_number
from referee.show.chart import ChartLine, draw_line_chart, draw_sparkline

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView

LogsArgument = Annotated[
    list[str] | None, Argument(metavar="[LOG|FOLDER...]", help="One log or many; default: the current game.")
]
WorthOption = Annotated[bool, Option("--worth", help="Also show what rolls without a target were worth.")]
Z_EXPLANATION = "z shows how unusual the luck is. From -2 to 2 is normal; only one player in twenty is outside."
RARE_CHANCE = 0.05
"""The chance below which a roll is rare enough to be shown."""


def luck(
    ctx: typer.Context,
    logs: LogsArgument = None,
    jobs: JobsOption = None,
    worth: WorthOption = False,
    output: OutputOption = None,
    force: ForceOption = False,
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
        return _answer_on_players(logs, jobs)
    if logs:
        ctx.obj.log = logs[0]
    look: SeatView = ctx.obj.open_view()
    if output:
        check_picture_path(output, force=force)
    return _answer_on_game(look, output, worth=worth, force=force)


def _answer_on_game(look: SeatView, output: Path | None, *, worth: bool, force: bool) -> Answer:
    """Returns the luck of one game, from the rolls that the viewer may know."""
    throws = list(list_recorded_rolls(look.session))
    account = make_luck_account(throw for throw in throws if throw.roll.to in (None, look.eyes))
    untold = count_plays_left_out(look.session, throws)
    found = list_roll_sequences(look, throws)
    lines = list(_describe_account(look, account, found, worth=worth))
    facts = _collect_facts(account) | {"results": collect_result_facts(found), "untold": untold}
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
        lines.append("No picture was written: no roll had a target number.")
        return Answer(lines, lambda: facts, NO)
    if output:
        write_output(output, _draw_picture(look, account), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: facts)


def _add_worth(look: SeatView, lines: list[AnswerLine]) -> dict[str, Any]:
    from referee.cli.roll_worth import compute_roll_worths, describe_worth

    found, is_complete = compute_roll_worths(look)
    lines += [Text(f"{owner}: {describe_worth(one)}", indent=2) for owner, one in found.items()]
    if not is_complete:
        lines.append("Stopped before all rolls were counted. These are the results so far.")
    names = _shorten_names(found)
    rows = {
        names[owner]: {"throws": one.roll_count, "luck": one.significant_luck, "error": one.error}
        for owner, one in found.items()
    }
    return {"seats": rows, "stopped": not is_complete}


def _answer_on_players(folders: list[str], jobs: int | None) -> Answer:
    """Returns the luck of players over many games, by their names."""
    logs, players = LogResults(folders, list_player_lucks_of_log, jobs), dict[str, RollLuck]()
    for found in logs:
        for name, one in found:
            players[name] = players.get(name, NO_LUCK) + one
    told = [Text(f"{name}: {_describe_luck(one)}", indent=2) for name, one in sorted(players.items())]
    facts = {name: _collect_luck_facts(one) for name, one in players.items()}
    heading = [f"Luck in {count_of(logs.logs, 'game')}"] if logs.logs else []
    alike = [Text(line, indent=2) for line in describe_similar_names(players)]
    legend = [Z_EXPLANATION if told else "No roll in these games had a target number."] if logs.logs else []
    lines: list[AnswerLine] = [
        *heading,
        *told,
        *alike,
        *(Text(line, indent=2) for line in legend),
        *logs.format_complaints(),
    ]
    return Answer(lines, lambda: {"players": facts, **logs.collect_facts()}, logs.exit_code)


def _draw_picture(look: SeatView, account: LuckAccount) -> str:
    """Returns the luck of each player through the game as an SVG chart."""
    points, colours = list(account.list_luck_points()), look.facts.game.colours(tuple(look.facts.seats))
    lines = []
    for owner in account.luck_by_player:
        mine = [(at / len(points), point.luck) for at, point in enumerate(points, 1) if owner == _get_owner(point)]
        lines.append(ChartLine(str(owner), colours.get(owner.seat, "grey"), [(0.0, 0.0), *mine]))
    unit = "Hits above the expected number, from the first roll to the last"
    return draw_line_chart(lines, f"Luck in {make_heading(look)}", unit)


def _describe_account(
    look: SeatView, account: LuckAccount, found: RollSequences, *, worth: bool
) -> Iterator[AnswerLine]:
    yield make_heading(look)
    if not account.targeted_rolls:
        yield from _describe_results(found)
        more = "" if worth else "; to see what the rolls were worth, add --worth"
        read = f"No roll so far had a target number{more}."
        yield Text(read if account.throws else "Nobody has rolled dice yet.", indent=2)
        yield from [Text(Z_EXPLANATION, indent=2)] if sum_able_pieces(found.sequences) else ()
        return
    for owner, luck in account.luck_by_player.items():
        yield Text(f"{owner}: {_describe_luck(luck)}", indent=2)
        for (whose, kind), part in account.luck_by_action_kind.items():
            if whose == owner:
                yield Text(f"{kind}: {_describe_luck(part)}", indent=4)
    rarest = account.rarest
    if rarest and rarest[1] < RARE_CHANCE:
        throw, chance = rarest
        faces, percent = " ".join(map(str, throw.roll.faces)), format_number(100 * float(chance), 2)
        yield Text(f"Rarest: entry {throw.n} by {throw.seat}, {throw.roll.purpose}: {faces} ({percent} %).", indent=2)
    yield from _describe_results(found)
    yield from _draw_chart(account)
    yield Text(Z_EXPLANATION, indent=2)
    yield Text(_describe_not_counted(account), indent=2)


def _describe_results(found: RollSequences) -> Iterator[Text]:
    """Yields the number of pieces that could act after rolls without a target, for each player, and the rarest result.

    The rarest result is looked for only among rolls after which further rolls were forced.
    """
    sums = sum_able_pieces(found.sequences)
    for owner, one in sums.items():
        able = f"{count_of(one.hits, 'piece')} could act after rolls without a target"
        yield Text(f"{owner}: {able}, {float(one.expected):.1f} expected, {_describe_difference(one)}", indent=2)
    if sums and found.left_out:
        yield Text(f"Left out: {count_of(found.left_out, 'roll')} with too many possible results.", indent=2)
    rarest = find_rarest_result(found.sequences)
    if rarest and rarest[1].chance < RARE_CHANCE:
        sequence, result = rarest
        percent = format_number(100 * float(result.chance), 2)
        roll = sequence.first_roll
        told = f"{sequence.entries_text} by {roll.seat}, {roll.kind}: {result.told} ({percent} %)"
        yield Text(f"Rarest result, with the rolls that followed: {told}.", indent=2)


def _describe_luck(luck: RollLuck) -> str:
    hits = f"{count_of(luck.hits, 'hit')} of {luck.dice}, {float(luck.expected):.1f} expected"
    return f"{hits}, {_describe_difference(luck)}"


def _describe_difference(luck: RollLuck) -> str:
    unusual = ", unusual" if abs(luck.z_score) > 2 else ""
    return f"{float(luck.hits_above_expected):+.1f} (z {luck.z_score:+.1f}{unusual})"


def _draw_chart(account: LuckAccount) -> Iterator[AnswerLine]:
    """Yields the luck of each player through the game as a row of bars."""
    points = list(account.list_luck_points())
    most = max((abs(point.luck) for point in points), default=0)
    if len(points) < 2 or not most:
        return
    yield Text("Luck from the first roll to the last; a bar of half height means as many hits as expected:", indent=2)
    labels = _shorten_names(account.luck_by_player)
    room = max(map(len, labels.values()))
    for owner, label in labels.items():
        own = [point.luck for point in points if owner == _get_owner(point)]
        draw = partial(draw_sparkline, [(luck / most + 1) / 2 for luck in own])
        yield DrawnRow(f"{label:<{room}}", draw, f"{own[-1]:+4.1f}", indent=4)


def _get_owner(point: LuckPoint) -> LuckOwner:
    return LuckOwner(point.seat, point.player)


def _shorten_names(owners: Collection[LuckOwner]) -> dict[LuckOwner, str]:
    """Returns a label for each player: the seat alone if nobody else has sat there."""
    seats = Counter(owner.seat for owner in owners)
    return {owner: owner.seat if seats[owner.seat] == 1 else str(owner) for owner in owners}


def _describe_not_counted(account: LuckAccount) -> str:
    read = count_of(account.untargeted_count, "roll")
    return f"Not counted: {read} without a target, {account.taken_back} taken back or corrected."


def _collect_facts(account: LuckAccount) -> dict[str, Any]:
    rarest = account.rarest
    return {
        "seats": {seat: _collect_luck_facts(luck) for seat, luck in account.luck_by_seat.items()},
        "players": [{**owner._asdict(), **_collect_luck_facts(luck)} for owner, luck in account.luck_by_player.items()],
        "kinds": [
            {**owner._asdict(), "kind": kind, **_collect_luck_facts(luck)}
            for (owner, kind), luck in account.luck_by_action_kind.items()
        ],
        "rarest": {"entry": rarest[0].n, "roll": rarest[0].roll, "chance": float(rarest[1])} if rarest else None,
        "line": list(account.list_luck_points()),
        "only_read": account.untargeted_count,
        "taken_back": account.taken_back,
    }


def _collect_luck_facts(luck: RollLuck) -> dict[str, Any]:
    return {
        "dice": luck.dice,
        "hits": luck.hits,
        "expected": str(luck.expected),
        "luck": float(luck.hits_above_expected),
        "z": luck.z_score,
    }
