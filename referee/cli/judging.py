"""`referee replay --judge`: a game looked back on, as far as who looks may know what the players knew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from referee.bots.bot import Seen
from referee.bots.judge import Judged, judged
from referee.chances.luck import account_of
from referee.chances.throws import throws_in
from referee.cli.answer import OK, STOPPED, Answer, Drawn, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.look import heading
from referee.cli.screen import waiting
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import UnknownError
from referee.engine.text import count_of
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import NotAllowedError
from referee.show.chart import Line, lines_svg, sparkline

if TYPE_CHECKING:
    from referee.record.table.sitting import Sitting

COSTLY = 5
"""Plays that are told, those that cost most."""
LEAST = 0.005
"""A play that has cost less of the chance to win is not worth telling."""
PAGES = (".html", ".htm")


class Point(NamedTuple):
    """A play, looked back on."""

    n: int
    seat: Seat
    action: Action
    found: Judged


def judge_game(look: Sitting, seconds: float, output: Path | None, *, force: bool) -> Answer:
    """The line of winning chances through a finished game, and the plays that cost most. NotAllowedError while it goes
    on; MisuseError, FileExistsError.
    """
    if look.facts.outcome is None:
        raise NotAllowedError("only a finished game is judged: in one that goes on this would be advice")
    if output:
        _check(output, force=force)
    points, stopped = list[Point](), False
    try:
        for point in _points(look, seconds):
            points.append(point)
    except KeyboardInterrupt:
        stopped = True
    lines = list(_told(look, points, seconds))
    if stopped:
        lines.append("Stopped before all plays were judged: this is what was found so far.")
    if output:
        from referee.cli.logs import write_out

        write_out(output, (_page if _is_page(output) else _picture)(look, points), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: {**_facts(look, points), "stopped": stopped}, STOPPED if stopped else OK)


def _check(output: Path, *, force: bool) -> None:
    """What can be wrong with the file is said before the work, not after it. MisuseError, FileExistsError."""
    from referee.cli.logs import is_there

    if output.suffix.lower() not in (".svg", *PAGES):
        raise MisuseError("a game that was judged is written as .svg, a picture, or as .html, a page")
    is_there(output, force=force)


def _is_page(output: Path) -> bool:
    return output.suffix.lower() in PAGES


def _points(look: Sitting, seconds: float) -> Iterator[Point]:
    """The plays that stand and had a choice, in order; with secrets only those of who looks."""
    plays, tell = [n for n in look.log.in_force if isinstance(look.log.entries[n], PlayEntry)], waiting("Judging")
    for at, n in enumerate(plays):
        tell(at / len(plays))
        entry = look.log.entries[n]
        if not isinstance(entry, PlayEntry) or entry.done is None or (look.facts.keepers and entry.by != look.eyes):
            continue
        seen = Seen(look.facts.game, look.then(n - 1).sight.view, entry.by, Random(f"{look.log.head} {n}"), seconds)
        try:
            if seen.legal.only() is None and entry.done in seen.legal and not seen.legal.throw:
                yield Point(n, entry.by, entry.done, judged(seen, entry.done))
        except UnknownError:
            continue


def _told(look: Sitting, points: list[Point], seconds: float) -> Iterator[Shown]:
    yield heading(look)
    if not points:
        mine = "; in a game with secrets say whose plays: --by SEAT" if look.facts.keepers and not look.eyes else ""
        yield Text(f"No play had a choice that could be judged{mine}.", indent=2)
        return
    yield Text("How likely each was to win, as he played:", indent=2)
    by_seat = {look.facts.player(seat): own for seat, own in _by_seat(points).items()}
    room = max(map(len, by_seat))
    for player, own in by_seat.items():
        chances = [point.found.chance for point in own]
        yield Drawn(f"{player:<{room}}", partial(sparkline, chances), f"{_percent(chances[-1]):>4}", indent=4)
    costly = _costly(points)
    yield Text("The plays that cost most:" if costly else "No play has clearly cost anything.", indent=2)
    for point in costly:
        found, better = point.found, look.facts.game.format(point.found.best)
        cost = f"{100 * found.cost:.1f} % ± {100 * found.cost_error:.1f}"
        yield Text(
            f"{point.n}  {point.seat}: {look.facts.game.format(point.action)}: {cost}; better: {better}", indent=4
        )
    yield from (Text(line, indent=2) for line in _luck(look))
    playouts = sum(point.found.playouts for point in points)
    yield f"By {playouts:,} playouts of {count_of(len(points), 'play')}, {seconds:g} s each, and a rule of thumb."


def _luck(look: Sitting) -> Iterator[str]:
    """Luck stands beside it: hits above what had to be expected."""
    account = account_of(throw for throw in throws_in(look.session) if throw.roll.to in (None, look.eyes))
    for seat, luck in account.by_seat.items():
        yield f"Luck of {seat}: {float(luck.luck):+.1f} hits (z {luck.z:+.1f})"


def _by_seat(points: list[Point]) -> dict[Seat, list[Point]]:
    found: dict[Seat, list[Point]] = {}
    for point in points:
        found.setdefault(point.seat, []).append(point)
    return found


def _costly(points: list[Point]) -> list[Point]:
    sure = [point for point in points if point.found.is_sure and point.found.cost >= LEAST]
    return sorted(sure, key=lambda point: -point.found.cost)[:COSTLY]


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _picture(look: Sitting, points: list[Point]) -> str:
    """The line of winning chances, as SVG: above the middle more than half."""
    colours, last = look.facts.game.colours(tuple(look.facts.seats)), max((point.n for point in points), default=1)
    lines = [
        Line(look.facts.player(seat), colours[seat], [(one.n / last, 100 * one.found.chance - 50) for one in own])
        for seat, own in _by_seat(points).items()
    ]
    unit = "Chance to win as each played, from the first entry to the last"
    return lines_svg(lines, f"Chances in {heading(look)}", unit, 50, lambda value: f"{50 + value:.0f} %")


def _page(look: Sitting, points: list[Point]) -> str:
    """The game as a page, with the line of winning chances under its steps."""
    from referee.cli.paged import story_of
    from referee.page.document import page_of
    from referee.page.story import Judgement

    judged = [
        Judgement(one.n, one.seat, _whole(one.found.chance), _whole(one.found.cost) if one.found.is_sure else 0)
        for one in points
    ]
    return page_of(replace(story_of(look), judged=judged))


def _whole(part: float) -> int:
    """A part as whole per cent; nobody was likelier to win than surely."""
    return min(100, max(0, round(100 * part)))


def _facts(look: Sitting, points: list[Point]) -> dict[str, Any]:
    rows = [
        {
            "entry": point.n,
            "seat": point.seat,
            "chance": point.found.chance,
            "error": point.found.error,
            "cost": point.found.cost,
            "cost_error": point.found.cost_error,
            "text": look.facts.game.format(point.action),
            "best": look.facts.game.format(point.found.best),
        }
        for point in points
    ]
    return {"line": rows, "costly": [point.n for point in _costly(points)]}
