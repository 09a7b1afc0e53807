"""Charts as SVG: bars, and lines through a game. A line through a game can also be drawn with characters.

Lengths are in cell sides, as in pictures of boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.engine.palette import INKS, Colour
from referee.show.drawing import DARK_COLOUR, EDGE_COLOUR, SMALL_TEXT_COLOUR, make_text_element
from referee.show.element import Element, make_element
from referee.show.svg import PIXELS_PER_CELL, make_svg_element

CHART_WIDTH, CHART_HEIGHT = 16.0, 5.0
"""The width and height of the bars or lines of a chart."""
SPACE_LEFT, SPACE_ABOVE, SPACE_BELOW = 1.8, 1.2, 1.2
"""The space to the left, above and below for words."""
BAR_COLOUR = "#1f4e9c"
"""The colour of bars."""
SPARKLINE_BLOCKS, MAX_SPARKLINE_COLUMNS = "▁▂▃▄▅▆▇█", 40
"""The characters from which `draw_sparkline` draws a line, from low to high, and the most of them in its row."""
MAX_LINE_POINTS = 400
"""Roughly the most points of a line that are drawn. In a longer line, points are left out at regular intervals."""


class BarChart(NamedTuple):
    """A chart of bars: one bar for each of several counts."""

    title: str
    """The heading of the chart."""
    counts: Mapping[str, int]
    """The counts, by the text below the bar."""
    expected: float
    """The expected value of every count, drawn as a dashed line."""
    note: str = ""
    """A line of text below the chart."""


class ChartLine(NamedTuple):
    """A value that changes through a game, from left to right."""

    name: str
    """The name in the legend."""
    colour: Colour
    """The colour of the line."""
    points: Sequence[tuple[float, float]]
    """The points: the distance from the left edge, from 0 to 1, and the value there."""


def draw_bar_charts(charts: Sequence[BarChart], title: str) -> str:
    """Returns charts of bars, one below the other, as an SVG document."""
    drawn = [
        make_element("g", _draw_bar_chart(one), transform=f"translate(0 {at * _measure_chart()})")
        for at, one in enumerate(charts)
    ]
    return _render_document(drawn, _measure_chart() * max(1, len(charts)), title)


def draw_sparkline(parts: Sequence[float], columns: int = MAX_SPARKLINE_COLUMNS) -> str:
    """Returns a line through values in one row of characters: at most `columns`, and never more than 40.

    A value below 0 is drawn as 0, and a value above 1 as 1. If there are too many values, some are left out at regular
    steps.
    """
    step, top = max(1.0, len(parts) / min(columns, MAX_SPARKLINE_COLUMNS)), len(SPARKLINE_BLOCKS) - 1
    some = (parts[int(at * step)] for at in range(int(len(parts) / step)))
    return "".join(SPARKLINE_BLOCKS[min(top, max(0, round(part * top)))] for part in some)


def format_signed(value: float) -> str:
    """Returns a value with its sign and one digit after the point; "0" for zero."""
    return f"{value:+.1f}" if value else "0"


def draw_line_chart(
    lines: Sequence[ChartLine], title: str, unit: str, most: float = 0.0, tell: Callable[[float], str] = format_signed
) -> str:
    """Returns lines through a game as an SVG document, with 0 in the middle.

    `unit` is a line of text below the chart. `most` is the value at the upper edge; 0 stands for the greatest distance
    of any value from 0. `tell` puts a value into words.
    """
    most = most or max((abs(value) for line in lines for _, value in line.points), default=0.0) or 1.0
    middle = SPACE_ABOVE + CHART_HEIGHT / 2
    drawn = [
        make_text_element(SPACE_LEFT, 0.7, 0.45, DARK_COLOUR, title, font_weight="bold"),
        _draw_level_line(middle, EDGE_COLOUR),
    ]
    drawn += [_label_level(middle - sign * CHART_HEIGHT / 2, tell(sign * most)) for sign in (1, 0, -1)]
    drawn += [make_text_element(SPACE_LEFT, SPACE_ABOVE + CHART_HEIGHT + 0.5, 0.32, SMALL_TEXT_COLOUR, unit)]
    for at, line in enumerate(lines):
        last = f" {tell(line.points[-1][1])}" if line.points else ""
        drawn += _draw_chart_line(
            line, middle, CHART_HEIGHT / 2 / most, SPACE_ABOVE + CHART_HEIGHT + 1.1 + 0.6 * at, f"{line.name}{last}"
        )
    return _render_document(drawn, _measure_chart() + 0.6 * len(lines), title)


def _measure_chart() -> float:
    return SPACE_ABOVE + CHART_HEIGHT + SPACE_BELOW


def _render_document(drawn: Sequence[Element], height: float, title: str) -> str:
    inside = [
        make_element("title", title),
        make_element("rect", width=SPACE_LEFT + CHART_WIDTH + 1, height=height, fill="#fff"),
        *drawn,
    ]
    return (
        make_svg_element(
            0, 0, SPACE_LEFT + CHART_WIDTH + 1, height, inside, scale=PIXELS_PER_CELL, role="img"
        ).render_xml()
        + "\n"
    )


def _draw_bar_chart(chart: BarChart) -> Iterator[Element]:
    most = max(*chart.counts.values(), chart.expected, 1)
    step, floor = CHART_WIDTH / len(chart.counts), SPACE_ABOVE + CHART_HEIGHT
    yield make_text_element(SPACE_LEFT, 0.7, 0.45, DARK_COLOUR, chart.title, font_weight="bold")
    for at, (name, count) in enumerate(chart.counts.items()):
        x, height = SPACE_LEFT + at * step, (CHART_HEIGHT - 0.5) * count / most
        middle = x + step / 2
        yield make_element(
            "rect", x=x + 0.15 * step, y=floor - height, width=0.7 * step, height=height, fill=BAR_COLOUR
        )
        yield make_text_element(middle, floor - 0.15, 0.36, "#fff", f"{count:,}" if count else "", text_anchor="middle")
        yield make_text_element(middle, floor + 0.45, 0.36, DARK_COLOUR, name, text_anchor="middle")
    yield _draw_level_line(floor, DARK_COLOUR)
    yield _draw_level_line(floor - (CHART_HEIGHT - 0.5) * chart.expected / most, "#b3261e", stroke_dasharray="0.2 0.15")
    yield make_text_element(SPACE_LEFT, floor + 0.95, 0.32, SMALL_TEXT_COLOUR, chart.note)


def _draw_level_line(y: float, stroke: str, **more: str) -> Element:
    return make_element(
        "line", x1=SPACE_LEFT, y1=y, x2=SPACE_LEFT + CHART_WIDTH, y2=y, stroke=stroke, stroke_width=0.04, **more
    )


def _label_level(y: float, words: str) -> Element:
    return make_text_element(SPACE_LEFT - 0.2, y + 0.12, 0.34, SMALL_TEXT_COLOUR, words, text_anchor="end")


def _draw_chart_line(line: ChartLine, middle: float, scale: float, legend: float, words: str) -> Iterator[Element]:
    ink = INKS[line.colour]
    points = line.points[:: max(1, len(line.points) // MAX_LINE_POINTS)]
    where = " ".join(f"{SPACE_LEFT + CHART_WIDTH * x:.2f},{middle - scale * value:.2f}" for x, value in points)
    dashes = None if ink.dashes == "none" else ink.dashes
    key = f"{SPACE_LEFT},{legend - 0.12:.2f} {SPACE_LEFT + 1.2},{legend - 0.12:.2f}"
    for shown in (where, key):
        drawn = {"stroke": ink.paint, "stroke_dasharray": dashes, "fill": "none"}
        yield make_element("polyline", (), points=shown, stroke_width=0.08, **drawn)
    yield make_text_element(SPACE_LEFT + 1.4, legend, 0.36, DARK_COLOUR, words)
