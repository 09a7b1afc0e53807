"""Boards of other sizes than the shipped one, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playing import GAME
from support import load_toml

from referee.engine.option_resolution import fill_options
from referee.games.mutants.board import Board

DOCUMENT = load_toml(GAME.components[0].shipped({}))
TECHS, GUARDS, WEAK, STRONG, LEADERS, *MUTANTS = DOCUMENT["counter"]


def built(document: dict[str, Any]) -> Board:
    """The board that a file holds; BoardError."""
    return GAME.build_board({"board": document}, fill_options(GAME, {}))


def own_board(columns: int, rows: int, squares: Mapping[str, int] | None = None) -> dict[str, Any]:
    """A building with all doors, so many squares a side (by default one for each outer room), and what fits in it."""
    squares = squares or {"N": columns, "E": rows, "S": columns, "W": rows}
    rooms = {(x, y): f"{chr(ord('A') + x)}{y + 1}" for x in range(columns) for y in range(rows)}
    inner = [f"{room}-{rooms[to]}" for (x, y), room in rooms.items() for to in ((x + 1, y), (x, y + 1)) if to in rooms]
    outer = [
        f"x{side}{number + 1}-{rooms[_facing(side, number / many, columns, rows)]}"
        for side, many in squares.items()
        for number in range(many)
    ]
    links = [f"x{side}{number}-x{side}{number + 1}" for side, many in squares.items() for number in range(1, many)]
    free = len(rooms) - 1
    few = [GUARDS | {"units": " ".join(GUARDS["units"].split()[:free])}, WEAK | {"units": f"b1..b{min(8, free)}"}]
    counters = [TECHS, *few, *([STRONG] if free >= 24 else ()), LEADERS, *MUTANTS]
    return DOCUMENT | {
        **{"columns": columns, "rows": rows, "tech-room": rooms[columns // 2, rows // 2], "inner-doors": inner},
        **{"outer-doors": outer, "links": links, "corner-links": [], "counter": counters},
    }


def _facing(side: str, part: float, columns: int, rows: int) -> tuple[int, int]:
    """The outer room that lies so far along a side."""
    x, y = int(part * columns), int(part * rows)
    return {"N": (x, 0), "E": (columns - 1, y), "S": (x, rows - 1), "W": (0, y)}[side]
