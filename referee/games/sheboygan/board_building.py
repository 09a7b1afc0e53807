"""Builds a playable map from the decoded files, and says in a sentence why a file cannot be used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from referee.engine.component import BoardError
from referee.engine.options import Options
from referee.games.sheboygan.board import (
    BUILDING_TERRAINS,
    CROSSING_TERRAINS,
    MAP_EDGES,
    MAX_CORNERS,
    OPPOSITE,
    SHIPPED_SIGHT,
    Board,
    Box,
    DoubtfulLink,
    MapFile,
    Seam,
    make_sight_layout,
)
from referee.games.sheboygan.sight import make_sight_data
from referee.games.sheboygan.tables import DIRECTIONS, TablesFile, make_tables


def build_board(parts: Mapping[str, Any], options: Options) -> Board:
    """Builds the board from the decoded files `board` and `tables`. Raises BoardError if one of them is wrong.

    Lines of sight on a map that was not played on before are computed here, which can take a minute.
    """
    try:
        file = msgspec.convert(parts["board"], MapFile)
        tables = make_tables(msgspec.convert(parts["tables"], TablesFile))
    except msgspec.ValidationError as error:
        raise BoardError(str(error)) from error
    links = file.doubtful if options["doubtful-links"] == "adjacent" else ()
    board = Board(file, links, tables)
    problem = next(_list_problems(board), None)
    if problem:
        raise BoardError(problem)
    if not make_sight_data(make_sight_layout(board), SHIPPED_SIGHT).is_cached():
        assert board.lines_of_sight
    return board


def _list_problems(board: Board) -> Iterator[str]:
    if len(board.boxes) < len(board.file.box):
        yield "two boxes have the same name"
    outlines = (*(box.polygon + box.wall for box in board.file.box), *(seam.polygon for seam in board.file.seam))
    if sum(map(len, outlines)) > MAX_CORNERS:
        yield f"the map has more than {MAX_CORNERS} corners"
    links: tuple[DoubtfulLink | Seam, ...] = (*board.file.doubtful, *board.file.seam)
    named = chain.from_iterable((link.a, link.b) for link in links)
    yield from (f"there is no box {box}" for box in named if box not in board.boxes)
    for box in board.file.box:
        yield from _list_box_problems(board, box)
    yield from _list_link_problems(board.file.box)
    if not board.populace_boxes:
        yield "no box has a populace symbol"
    yield from (f"no box borders the {edge} edge" for edge in MAP_EDGES if not board.edge_boxes[edge])


def _list_box_problems(board: Board, box: Box) -> Iterator[str]:
    river = board.boxes.get(box.river_box) if box.river_box else None
    if (box.terrain in CROSSING_TERRAINS) != (river is not None and river.terrain == "river"):
        yield f"{box.id}: a bridge lies over a river box, a tunnel under one, and nothing else does"
    if (box.terrain in BUILDING_TERRAINS) != (len(box.wall) > 2):
        yield f"{box.id}: buildings have a wall, other boxes none"


def _list_link_problems(boxes: tuple[Box, ...]) -> Iterator[str]:
    """Yields a problem if only one of two boxes names the other as a neighbour, and the problems of wrong sides."""
    links = {(box.id, other) for box in boxes for other in box.neighbours}
    for one, other in sorted(link for link in links if link[::-1] not in links or link[0] == link[1]):
        yield f"{other} is a neighbour of {one}, but {one} is not a neighbour of {other}"
    yield from _list_side_problems(boxes, links)


def _list_side_problems(boxes: tuple[Box, ...], links: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yields a problem if two boxes disagree on the sides where they lie.

    Also yields a problem for a box that lies on a side of another, but is not its neighbour.
    """
    beside = {(box.id, other, side) for box in boxes for side in DIRECTIONS for other in box.list_neighbours_on(side)}
    across = {(box.id, other, side) for box in boxes for side in DIRECTIONS for other in box.list_boxes_across(side)}
    for sides, how in ((beside, ""), (across, "across a street ")):
        alone = [(one, other, side) for one, other, side in sides if (other, one, OPPOSITE[side]) not in sides]
        for one, other, side in sorted(alone):
            yield f"{other} lies {how}{side} of {one}, but {one} not {OPPOSITE[side]} of {other}"
    for one, other, side in sorted(lies for lies in beside if lies[:2] not in links):
        yield f"{other} lies {side} of {one}, but is not its neighbour"
