"""`referee log --judge`: a review of a finished game, based only on what the players could know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from referee.bots.bot import Observation
from referee.bots.play_evaluation import EvaluatedPlay, evaluate_play
from referee.chances.luck import make_luck_account
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.cli.answer import OK, STOPPED, Answer, AnswerLine, DrawnRow, Text
from referee.cli.errors import MisuseError
from referee.cli.game_view import make_heading
from referee.cli.screen import make_work_progress
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.secret import UnknownError
from referee.engine.text import count_of
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAllowedError
from referee.show.chart import ChartLine, draw_line_chart, draw_sparkline

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView

MAX_COSTLY_MOVES = 5
"""The number of moves that are shown as the most costly ones."""
MIN_SHOWN_LOSS = 0.005
"""The smallest loss of winning chance that is shown, from 0 to 1."""
PAGE_SUFFIXES = (".html", ".htm")


class ReviewedMove(NamedTuple):
    """A move with its review."""

    n: int
    seat: Seat
    player: str
    """The seat with the name of the player who sat there then."""
    action: Action
    evaluation: EvaluatedPlay


def review_game(look: SeatView, seconds: float, output: Path | None, *, force: bool) -> Answer:
    """Returns each player's winning chances through a finished game, and the moves that cost most.

    `seconds` is the time to review one move. With `output`, also writes a picture or a page. Raises NotAllowedError
    while the game goes on, MisuseError for a bad file name, and FileExistsError.
    """
    if look.facts.outcome is None:
        raise NotAllowedError("the game is not over, and a review now would be advice; review it when it is over")
    if output:
        _check_output(output, force=force)
    points, stopped = list[ReviewedMove](), False
    try:
        for point in _review_moves(look, seconds):
            points.append(point)
    except KeyboardInterrupt:
        stopped = True
    lines = list(_describe_review(look, points, seconds))
    if stopped:
        lines.append("Stopped before all moves were reviewed. These are the results so far.")
    if output:
        from referee.cli.log_paths import write_output

        write_output(output, (_render_page if _is_page(output) else _draw_picture)(look, points), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: {**_collect_facts(look, points), "stopped": stopped}, STOPPED if stopped else OK)


def _check_output(output: Path, *, force: bool) -> None:
    """Checks the output file before the long work.

    Raises MisuseError for a name that is neither of a picture nor of a page, and the errors of `check_output_path`.
    """
    from referee.cli.log_paths import check_output_path

    if output.suffix.lower() not in (".svg", *PAGE_SUFFIXES):
        raise MisuseError("a review is written to a .svg file (a picture) or a .html file (a page)")
    check_output_path(output, force=force)


def _is_page(output: Path) -> bool:
    return output.suffix.lower() in PAGE_SUFFIXES


def _review_moves(look: SeatView, seconds: float) -> Iterator[ReviewedMove]:
    """Yields a review of each move in force for which there was a choice.

    In a game with secrets, reviews only the moves of the viewing seat. Leaves out rolls, moves that today's rules
    refuse, and moves that depend on secrets unknown here.
    """
    plays, tell = (
        [n for n in look.log.entries_in_force if isinstance(look.log.entries[n], PlayEntry)],
        make_work_progress("Reviewing"),
    )
    for at, n in enumerate(plays):
        tell(at / len(plays))
        entry = look.log.entries[n]
        if (
            not isinstance(entry, PlayEntry)
            or entry.known_action is None
            or (look.facts.keepers and entry.by != look.eyes)
        ):
            continue
        before = look.at_entry(n - 1)
        seen = Observation(look.facts.game, before.sight.view, entry.by, Random(f"{look.log.head_hash} {n}"), seconds)
        try:
            if seen.legal.only_action() is None and entry.known_action in seen.legal and not seen.legal.awaited_roll:
                who = before.facts.format_seat(entry.by)
                yield ReviewedMove(n, entry.by, who, entry.known_action, evaluate_play(seen, entry.known_action))
        except UnknownError:
            continue


def _describe_review(look: SeatView, points: list[ReviewedMove], seconds: float) -> Iterator[AnswerLine]:
    yield make_heading(look)
    if not points:
        mine = "; in a game with secrets, name your seat: --by SEAT" if look.facts.keepers and not look.eyes else ""
        yield Text(f"No move had a choice that the referee can review{mine}.", indent=2)
        return
    yield Text("Chance to win after each move:", indent=2)
    by_player = _group_by_player(points)
    room = max(map(len, by_player))
    for player, own in by_player.items():
        chances = [point.evaluation.chance for point in own]
        yield DrawnRow(
            f"{player:<{room}}", partial(draw_sparkline, chances), f"{_format_percent(chances[-1]):>4}", indent=4
        )
    costly = _list_costliest(points)
    yield Text("The moves that cost most:" if costly else "No move was clearly a mistake.", indent=2)
    for point in costly:
        found, better = point.evaluation, look.facts.game.format(point.evaluation.best)
        cost = f"{100 * found.cost:.1f} % ± {100 * found.cost_error:.1f}"
        yield Text(
            f"{point.n}  {point.seat}: {look.facts.game.format(point.action)}: {cost}; better: {better}", indent=4
        )
    yield from (Text(line, indent=2) for line in _describe_luck(look))
    playouts = sum(point.evaluation.playouts for point in points)
    yield (
        f"Method: {playouts:,} trial runs of {count_of(len(points), 'move')}, {seconds:g} s a move, "
        "and a rule of thumb."
    )


def _describe_luck(look: SeatView) -> Iterator[str]:
    """Yields the luck of each seat: hits above the expected number."""
    account = make_luck_account(
        throw for throw in list_recorded_rolls(look.session) if throw.roll.to in (None, look.eyes)
    )
    for seat, luck in account.luck_by_seat.items():
        yield f"Luck of {seat}: {float(luck.hits_above_expected):+.1f} hits (z {luck.z_score:+.1f})"


def _group_by_player(points: list[ReviewedMove]) -> dict[str, list[ReviewedMove]]:
    found: dict[str, list[ReviewedMove]] = {}
    for point in points:
        found.setdefault(point.player, []).append(point)
    return found


def _list_costliest(points: list[ReviewedMove]) -> list[ReviewedMove]:
    sure = [point for point in points if point.evaluation.is_significant and point.evaluation.cost >= MIN_SHOWN_LOSS]
    return sorted(sure, key=lambda point: -point.evaluation.cost)[:MAX_COSTLY_MOVES]


def _format_percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _draw_picture(look: SeatView, points: list[ReviewedMove]) -> str:
    """Returns the winning chances as an SVG chart. The middle line is one half."""
    colours, last = look.facts.game.colours(tuple(look.facts.seats)), max((point.n for point in points), default=1)
    lines = [
        ChartLine(player, colours[own[0].seat], [(one.n / last, 100 * one.evaluation.chance - 50) for one in own])
        for player, own in _group_by_player(points).items()
    ]
    unit = "Chance to win after each move, from the first entry to the last"
    return draw_line_chart(lines, f"Chances in {make_heading(look)}", unit, 50, lambda value: f"{50 + value:.0f} %")


def _render_page(look: SeatView, points: list[ReviewedMove]) -> str:
    """Returns the game as a page, with the winning chances below its steps."""
    from referee.cli.html_page import make_story
    from referee.page.document import render_page
    from referee.page.page_model import PlayEvaluation

    judged = [
        PlayEvaluation(
            one.n,
            one.seat,
            _round_to_percent(one.evaluation.chance),
            _round_to_percent(one.evaluation.cost) if one.evaluation.is_significant else 0,
        )
        for one in points
    ]
    return render_page(replace(make_story(look), evaluations=judged))


def _round_to_percent(part: float) -> int:
    """Returns a number from 0 to 1 as whole per cent, from 0 to 100."""
    return min(100, max(0, round(100 * part)))


def _collect_facts(look: SeatView, points: list[ReviewedMove]) -> dict[str, Any]:
    rows = [
        {
            "entry": point.n,
            "seat": point.seat,
            "chance": point.evaluation.chance,
            "error": point.evaluation.error,
            "cost": point.evaluation.cost,
            "cost_error": point.evaluation.cost_error,
            "text": look.facts.game.format(point.action),
            "best": look.facts.game.format(point.evaluation.best),
        }
        for point in points
    ]
    return {"line": rows, "costly": [point.n for point in _list_costliest(points)]}
