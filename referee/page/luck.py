"""The line of luck through a game: how far the hits of each seat lie above what had to be expected, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from referee.engine.palette import INKS, Colour
from referee.engine.text import printable
from referee.page.story import Step
from referee.show.element import number

ROOM = 1.1
"""How much higher than the greatest luck the picture is."""


def line_of_luck(steps: Sequence[Step]) -> Iterator[str]:
    """A small picture as wide as there are steps, with a mark that a script moves; nothing where no dice had an aim."""
    lines = dict(_lines(steps))
    if not lines:
        return
    high = ROOM * max(abs(value) for line in lines.values() for _, value in line) or 1.0
    colours: Mapping[str, Colour] = steps[-1].scene.seats
    told = f"Luck, hits above what had to be expected: {', '.join(_told(lines, colours))}."
    box = " ".join(map(number, (0, -high, len(steps) - 1, 2 * high)))
    yield '<div id="luck">'
    yield f'<svg viewBox="{box}" preserveAspectRatio="none" role="img" aria-label="Luck through the game">'
    yield f"<path class=zero d=M0,0H{len(steps) - 1} />"
    for seat, line in lines.items():
        yield f'<path stroke={INKS[colours.get(seat, "grey")].paint} d="{_path(line, len(steps) - 1)}"/>'
    yield '<path class="now" d=""/></svg>'
    yield f"<p>{escape(printable(told))}</p></div>"


def _lines(steps: Sequence[Step]) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    """For each seat at which step its luck came to how much."""
    for seat in dict.fromkeys(seat for step in steps for seat, _ in step.luck):
        line, so_far = list[tuple[int, float]](), 0.0
        for at, step in enumerate(steps):
            for whose, luck in step.luck:
                if whose == seat:
                    so_far += luck
                    line.append((at, so_far))
        yield seat, line


def _path(line: list[tuple[int, float]], last: int) -> str:
    """Level until the next throw; luck goes up."""
    return "M0,0" + "".join(f"H{at}V{number(-value)}" for at, value in line) + f"H{last}"


def _told(lines: Mapping[str, list[tuple[int, float]]], colours: Mapping[str, Colour]) -> Iterator[str]:
    for seat, line in lines.items():
        colour = colours.get(seat, "grey")
        yield f"{seat}{'' if colour == seat else f' ({colour})'} {line[-1][1]:+.1f}"
