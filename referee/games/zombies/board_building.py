"""The function that makes a city from its decoded files, with checks that it can be played in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from referee.engine.component import BoardError
from referee.engine.options import Options
from referee.engine.text import listing
from referee.games.zombies import components
from referee.games.zombies.board import (
    FEATURE_SIGNS,
    LEVEL_NAMES,
    MAX_COLUMNS_OR_ROWS,
    ROOM_MARKS,
    Board,
    BoardFile,
    StartArea,
    split_rows,
)
from referee.games.zombies.components import ACTION_TILE_COUNT, Components
from referee.games.zombies.ground import find_ground

TERRAIN_SIGNS = "#.~Twxy"
COMPONENT_RULES = {"locked": "locked-rooms", "tanker": "tanker", "helipad": "helipad"}
AREA_COLOURS = {1: "green", 2: "blue", 3: "red"}
"""The colour of a start area, by the level of its zombies (setup.8)."""


def build_board(parts: Mapping[str, Any], options: Options) -> Board:  # noqa: ARG001 - all options are played in one city
    """Returns the city from its two decoded files. Raises BoardError if anything is wrong with them."""
    cards = _convert_document(parts["components"], Components)
    board = Board(_convert_document(parts["board"], BoardFile), cards)
    problem = next(components.list_component_problems(cards), None) or next(_list_problems(board), None)
    if problem:
        raise BoardError(problem)
    return board


def _convert_document(document: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise BoardError(str(error)) from error


def _list_problems(board: Board) -> Iterator[str]:
    """Yields everything that is wrong with the maps. If they cannot be read, nothing else is checked."""
    shapes = tuple(_list_shape_problems(board.file))
    yield from shapes
    if shapes:
        return
    named = tuple(_list_name_problems(board))
    yield from named
    if not named:
        yield from _list_tile_problems(board)
        yield from _list_start_problems(board)
        yield from _list_way_problems(board)


def _list_shape_problems(file: BoardFile) -> Iterator[str]:
    levels = [level.id for level in file.level]
    missing = [LEVEL_NAMES[level] for level in LEVEL_NAMES if level not in levels]
    if missing:
        yield f"the {listing(missing)} is missing (comp.buildings)"
    if len(levels) != len(set(levels)):
        yield "a level is drawn twice (comp.buildings)"
    for level in file.level:
        terrain, features = split_rows(level.terrain), split_rows(level.features)
        if len({len(row) for row in (*terrain, *features)}) != 1 or len(terrain) != len(features):
            yield f"the rows of the {level.name} must all be of one length, and its two maps of one height"
        elif not (0 < len(terrain) <= MAX_COLUMNS_OR_ROWS and 0 < len(terrain[0]) <= MAX_COLUMNS_OR_ROWS):
            yield f"the {level.name} must have 1 to {MAX_COLUMNS_OR_ROWS} columns and rows"
        strange = (set("".join(terrain)) - set(TERRAIN_SIGNS)) | (set("".join(features)) - set(FEATURE_SIGNS))
        if strange:
            yield f"{sorted(strange)[0]!r} means nothing on the map of the {level.name}"


def _list_name_problems(board: Board) -> Iterator[str]:
    file = board.file
    walls = [square for level in file.level for pair in level.thin_walls for square in pair]
    ends = [end for stair in file.stair for end in stair.ends]
    ropes = [square for rope in file.rope for square in (rope.symbol, rope.landing)]
    areas = [square for area in file.area for square in area.squares.split()]
    for square in (*walls, *ends, *ropes, *(room.key for room in file.room), *areas):
        if square not in board.map_signs:
            yield f"{square} is not a square of the maps"
        elif square not in walls and board.map_signs[square][0] not in ".~T":
            yield f"{square} is solid; nothing can stand there"
    yield from _list_wall_problems(board)
    if len(ends) != len(set(ends)):
        yield "a square has two stairs"
    if len(board.rope_landings) != len(file.rope):
        yield "a square has two rope symbols"


def _list_wall_problems(board: Board) -> Iterator[str]:
    """Yields a problem for each thin wall between squares that share no side."""
    for level in board.file.level:
        for one, other in level.thin_walls:
            if abs(board.square_numbers.get(one, 0) - board.square_numbers.get(other, 0)) not in (1, board.row_stride):
                yield f"a thin wall cannot lie between {one} and {other}, which share no side"


def _list_tile_problems(board: Board) -> Iterator[str]:
    """Yields the problems of tiles and tokens that are on the board from the start (setup.3, setup.4)."""
    for mark in ROOM_MARKS:
        if not board.squares_by_room[mark] or mark not in board.key_symbols:
            yield f"locked room {mark} is missing, or has no key symbol (comp.locked-rooms)"
        elif board.squares_by_room[mark] & ~board.squares_by_level["S"]:
            yield f"locked room {mark} lies off the Street (setup.4)"
    if not board.tanker_squares:
        yield "the tanker is missing (comp.tanker)"
    elif board.tanker_squares & ~board.squares_by_level["S"]:
        yield "the tanker lies off the Street (setup.3)"
    tiles = {f"locked room {mark}": squares for mark, squares in board.squares_by_room.items()} | {
        "tanker": board.tanker_squares
    }
    tiles |= {f"helipad ({option})": squares for option, squares in board.helipad_squares_by_option.items()}
    for tile, squares in tiles.items():
        if board.find_first_connected_part(squares) != squares:
            yield f"the {tile} lies in two places (comp.{COMPONENT_RULES[tile.split()[0]]})"
    counted = sum(kind != "star" for kind in board.tokens.values())
    if counted > ACTION_TILE_COUNT:
        yield f"there are {counted} tokens, and 54 action tiles to lay on them (comp.action-tiles)"
    for square in (
        *board.tokens,
        *board.zombie_hero_starts,
        *(each for side in board.hero_starts.values() for each in side),
    ):
        if board.map_signs[square][0] == "#":
            yield f"{square} is solid; nothing can lie there"


def _list_start_problems(board: Board) -> Iterator[str]:
    needed: Counter[int] = Counter()
    for area, squares in board.start_areas:
        needed[area.zombies] += 6 * area.dice
        yield from _list_area_problems(area, squares)
    reds = [squares for area, squares in board.start_areas if area.zombies == 3]
    if len(reds) != 1 or reds[0][0][0] != "H":
        yield "there must be one red area, on the Hospital (setup.9)"
    every = [square for _, squares in board.start_areas for square in squares]
    if len(every) != len(set(every)):
        yield "a square lies in two start areas (setup.6)"
    for each, count in needed.items():
        figures = board.components.figures_by_level[each]
        if count > figures:
            yield f"the {AREA_COLOURS[each]} areas may need {count} zombies, and there are {figures}"
    for level, starts in board.hero_starts.items():
        if len(starts) < 4:
            yield f"the {LEVEL_NAMES[level]} has fewer than 4 start squares for heroes (setup.15)"
    if len(board.zombie_hero_starts) < 3:
        yield "there are fewer than 3 start squares for zombie heroes (ruling.zhero-start)"


def _list_area_problems(area: StartArea, squares: tuple[str, ...]) -> Iterator[str]:
    if area.dice != (2 if area.zombies == 3 else 1):
        yield f"{area.id} is {AREA_COLOURS[area.zombies]}: one die for green and blue, two for red (setup.9)"
    if len(squares) < 6 * area.dice:
        yield f"{area.id} has fewer squares than its dice can show (setup.6)"


def _list_way_problems(board: Board) -> Iterator[str]:
    """Yields the problems of the helipads, which heroes must be able to reach without a key or a rope."""
    for option, squares in board.helipad_squares_by_option.items():
        if squares.bit_count() < 4:
            yield f"the helipad ({option}) has fewer than 4 squares (comp.helipad)"
    if (
        board.helipad_squares_by_option["hospital-roof"] & ~board.squares_by_level["H"]
        or board.helipad_squares_by_option["street"] & ~board.squares_by_level["S"]
    ):
        yield "the helipad lies on the Hospital, or in the short game on the Street (setup.16)"
    for starts in board.hero_starts.values():
        reached = _find_squares_on_foot(board, board.make_set(starts))
        if any(not helipad & reached for helipad in board.helipad_squares_by_option.values()):
            yield f"nobody who starts on {starts[0]} can walk to the helipad (object.2)"


def _find_squares_on_foot(board: Board, start: int) -> int:
    ground, found, fresh = find_ground(board, ()), start, start
    while fresh:
        fresh = ground.find_adjacent_squares(fresh)
        fresh |= board.make_set(board.stairs[end] for end in board.list_squares(fresh) if end in board.stairs)
        fresh &= ~found
        found |= fresh
    return found
