"""The map that comes along, for tests."""

from __future__ import annotations

from functools import cache

from referee.engine.component import read_toml
from referee.games.sheboygan.board import Board
from referee.games.sheboygan.board_building import build_board
from referee.games.sheboygan.options import OPTIONS, find_shipped_board, find_shipped_tables

DEFAULTS = {option.name: option.default for option in OPTIONS}


@cache
def shipped(**given):
    """The board that comes along under these options."""
    return built({}, **given)


def built(changed, **given) -> Board:
    """A board from the files that come along, but for these parts of the map."""
    options = {**DEFAULTS, **{name.replace("_", "-"): value for name, value in given.items()}}
    board = read_toml(find_shipped_board(options)) | changed
    return build_board({"board": board, "tables": read_toml(find_shipped_tables(options))}, options)
