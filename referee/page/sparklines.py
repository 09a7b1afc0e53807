"""Small charts of a whole game: each player's luck, and each player's chance to win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from referee.engine.palette import INKS, Colour
from referee.engine.text import make_printable
from referee.page.page_model import PlayEvaluation, StoryStep
from referee.show.element import format_length

HEADROOM = 1.1
"""The greatest value that a chart has room for, as a multiple of the greatest value in it."""
COSTLY_PLAY_COUNT = 5
"""The number of plays that are named as the most costly ones."""
SeatPoints = list[tuple[int, float]]
"""The value of a seat at each step."""


def draw_luck_sparkline(steps: Sequence[StoryStep]) -> Iterator[str]:
    """Yields a small chart of luck as HTML, with a mark that a script moves; nothing if no dice had a target number."""
    lines = dict(_sum_luck(steps))
    if not lines:
        return
    colours = steps[-1].scene.seats
    last = len(steps) - 1
    high = max(abs(value) for line in lines.values() for _, value in line)
    paths = {seat: _draw_stairs(line, last) for seat, line in lines.items()}
    yield from _draw_sparkline("luck", "Luck through the game", paths, high, last, colours)
    totals = ", ".join(f"{_render_seat(seat, colours)} {line[-1][1]:+.1f}" for seat, line in lines.items())
    yield f"<p>{escape(make_printable(f'Luck, hits above what had to be expected: {totals}.'))}</p></div>"


def draw_chances_sparkline(steps: Sequence[StoryStep], judged: Sequence[PlayEvaluation]) -> Iterator[str]:
    """Yields a small chart of chances to win as HTML, with 50 % in the middle; nothing if nobody judged the plays."""
    if not judged:
        return
    colours = steps[-1].scene.seats
    lines: dict[str, SeatPoints] = {}
    for one in judged:
        lines.setdefault(one.seat, []).append((one.n, one.chance - 50))
    paths = {seat: _draw_straight_lines(line) for seat, line in lines.items()}
    yield from _draw_sparkline("chances", "Chances to win through the game", paths, 50, len(steps) - 1, colours)
    chances = ", ".join(f"{_render_seat(seat, colours)} {line[-1][1] + 50:.0f} %" for seat, line in lines.items())
    words = (
        f"Chances to win as each played, a half in the middle, as who made this page has worked them out: {chances}."
    )
    yield f"<p>{escape(make_printable(words))}</p>{_render_costly_plays(steps, judged)}</div>"


def _render_costly_plays(steps: Sequence[StoryStep], judged: Sequence[PlayEvaluation]) -> str:
    """Returns a paragraph with the most costly plays, each with a link; "" if no play cost anything."""
    found = sorted((one for one in judged if one.cost), key=lambda one: -one.cost)[:COSTLY_PLAY_COUNT]
    links = [
        f'<a href="#n={one.n}">{escape(make_printable(steps[one.n].entry_text))}</a> ({one.cost} %)' for one in found
    ]
    return f"<p>Plays that cost most: {', '.join(links)}.</p>" if links else ""


def _draw_sparkline(
    name: str, label: str, paths: Mapping[str, str], high: float, last: int, colours: Mapping[str, Colour]
) -> Iterator[str]:
    high = HEADROOM * high or 1.0
    box = " ".join(map(format_length, (0, -high, last, 2 * high)))
    yield f'<div id="{name}" class="through">'
    yield f'<svg viewBox="{box}" preserveAspectRatio="none" role="img" aria-label="{label}">'
    yield f"<path class=zero d=M0,0H{last} />"
    for seat, path in paths.items():
        yield f'<path stroke={INKS[colours.get(seat, "grey")].paint} d="{path}"/>'
    yield '<path class="now" d=""/></svg>'


def _sum_luck(steps: Sequence[StoryStep]) -> Iterator[tuple[str, SeatPoints]]:
    """Yields each seat with its luck so far after each step that changed it."""
    for seat in dict.fromkeys(seat for step in steps for seat, _ in step.luck):
        line, so_far = list[tuple[int, float]](), 0.0
        for at, step in enumerate(steps):
            for whose, luck in step.luck:
                if whose == seat:
                    so_far += luck
                    line.append((at, so_far))
        yield seat, line


def _draw_stairs(line: SeatPoints, last: int) -> str:
    """Returns a line as an SVG path of stairs: level until the next roll. More luck is higher."""
    return "M0,0" + "".join(f"H{at}V{format_length(-value)}" for at, value in line) + f"H{last}"


def _draw_straight_lines(line: SeatPoints) -> str:
    return "M" + "L".join(f"{at},{format_length(-value)}" for at, value in line)


def _render_seat(seat: str, colours: Mapping[str, Colour]) -> str:
    colour = colours.get(seat, "grey")
    return f"{seat}{'' if colour == seat else f' ({colour})'}"
