"""Work out the lines of sight on the map that comes along, and write them beside it.

    python tests/games/sheboygan/make_sight.py

Run this when the map changes, or the way in which they are worked out; it takes a minute or two. Players have not to
wait for it then, and need nothing of what it is made with.
"""

from __future__ import annotations

from referee.engine.component import read_toml, set_report_maker
from referee.games.sheboygan.board import SHIPPED_SIGHT, make_sight_layout
from referee.games.sheboygan.board_building import build_board
from referee.games.sheboygan.options import OPTIONS, find_shipped_board, find_shipped_tables
from referee.games.sheboygan.sight import make_sight_data


def main() -> None:
    """Write the file."""
    options = {option.name: option.default for option in OPTIONS}
    set_report_maker(lambda what: lambda done: print(f"{what}: {done:.0%}", flush=True))
    parts = {"board": read_toml(find_shipped_board(options)), "tables": read_toml(find_shipped_tables(options))}
    work = make_sight_data(make_sight_layout(build_board(parts, options)), SHIPPED_SIGHT)
    SHIPPED_SIGHT.write_bytes(work.make_file_header() + work.get())


if __name__ == "__main__":
    main()
