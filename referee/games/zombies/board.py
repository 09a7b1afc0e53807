"""The city: four levels of squares and everything on them, from a TOML file that `building` checks.

A square is named by its level, column and row: `Sd7` is column d, row 7 of the Street. The squares of all levels are
numbered in one sequence. A set of squares is a whole number with one bit for each of its squares.
`Board.square_bits` has the set of each single square; `Board.list_squares` reads a set back. A `Ground` knows which
squares touch, since that depends on the open rooms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from referee.games.zombies.components import Components

SQUARE_PATTERN = "^[SAWH][a-z][1-9][0-9]?$"
LEVEL_NAMES = {"S": "Street", "A": "Asylum", "W": "Warehouse", "H": "Hospital"}
"""The four levels: the board itself is the Street, with three buildings on it (comp.board, comp.buildings)."""
START_BUILDINGS = ("A", "W")
"""The levels on which heroes start: two opposite buildings (setup.11, setup.15)."""
ROOM_MARKS = ("w", "x", "y")
"""Marks of the three locked rooms (comp.locked-rooms)."""
OPEN_TERRAIN_SIGNS = ".~T"
"""Signs of terrain that is open from the start."""
MAX_COLUMNS_OR_ROWS = 26
"""The most columns or rows of a level."""

Square = Annotated[str, Meta(pattern=SQUARE_PATTERN)]
Squares = Annotated[tuple[Square, ...], Meta(max_length=100)]
SquarePairs = Annotated[tuple[tuple[Square, Square], ...], Meta(max_length=100)]
"""Pairs of squares of zombies that move: usually the old square, then the new one."""
SquareOrEmpty = Annotated[str, Meta(pattern="^([SAWH][a-z][1-9][0-9]?)?$")]
"""The square of a figure; empty if the figure is off the board."""
LevelLetter = Literal["S", "A", "W", "H"]
RoomMark = Literal["w", "x", "y"]
TokenKind = Literal["action", "supply", "survivor", "star"]
TOKEN_KINDS_BY_SIGN: Mapping[str, TokenKind] = {"A": "action", "S": "supply", "V": "survivor", "*": "star"}
"""Kinds of token by their letter on the map (token.1)."""
FEATURE_SIGNS = ".ASV*hZHp"
MapText = Annotated[str, Meta(max_length=2000)]


class BoardLevel(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A level in a board file: its maps of terrain and features, and its thin walls."""

    id: LevelLetter
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    terrain: MapText
    features: MapText
    thin_walls: Annotated[tuple[tuple[Square, Square], ...], Meta(max_length=200)] = ()


class Stair(Struct, frozen=True, forbid_unknown_fields=True):
    """A stair between two levels (ruling.level-links)."""

    ends: tuple[Square, Square]


class Rope(Struct, frozen=True, forbid_unknown_fields=True):
    """A rope symbol, and the square to which its rope leads (rope.1)."""

    symbol: Square
    landing: Square


class Room(Struct, frozen=True, forbid_unknown_fields=True):
    """A locked room: its mark on the map, and its key symbol (key.2)."""

    mark: RoomMark
    key: Square


class StartArea(Struct, frozen=True, forbid_unknown_fields=True):
    """A start area of zombies: their level, the number of dice, the squares in filling order (setup.6 to setup.9)."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,30}$")]
    zombies: Annotated[int, Meta(ge=1, le=3)]
    dice: Annotated[int, Meta(ge=1, le=2)]
    squares: Annotated[str, Meta(max_length=200)]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a board file."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    level: Annotated[tuple[BoardLevel, ...], Meta(max_length=4)]
    stair: Annotated[tuple[Stair, ...], Meta(max_length=50)]
    rope: Annotated[tuple[Rope, ...], Meta(max_length=50)]
    room: Annotated[tuple[Room, ...], Meta(max_length=3)]
    area: Annotated[tuple[StartArea, ...], Meta(max_length=50)]
    reconstruction: Annotated[str, Meta(max_length=200)] | None = None
    """The parts that no source shows; None for a board of your own."""


ColumnAndRow = tuple[int, int]
"""Column and row of a square on its level, from 0."""


@lru_cache(maxsize=2**12)
def find_column_and_row(square: str) -> ColumnAndRow:
    """Returns the column and row of a square on its level."""
    return ord(square[1]) - ord("a"), int(square[2:]) - 1


def split_rows(map_text: str) -> list[str]:
    """Returns the rows of a drawn map, from top to bottom."""
    return map_text.strip("\n").split("\n")


@lru_cache(maxsize=2**16)
def measure_kings_moves(one: str, other: str) -> int:
    """Returns the distance between two squares of a level in king's moves (ruling.horde-distance).

    A diagonal counts 1; walls and figures are ignored.
    """
    (x, y), (x2, y2) = find_column_and_row(one), find_column_and_row(other)
    return max(abs(x - x2), abs(y - y2))


@lru_cache(maxsize=2**16)
def measure_manhattan_distance(one: str, other: str) -> int:
    """Returns the distance between two squares of a level: column difference plus row difference
    (ruling.zombie-distance).
    """
    (x, y), (x2, y2) = find_column_and_row(one), find_column_and_row(other)
    return abs(x - x2) + abs(y - y2)


class Board(Struct, frozen=True, dict=True):
    """A city that can be played in, with its components."""

    file: BoardFile
    components: Components

    def __repr__(self) -> str:
        return f"<Board {self.name}>"

    @property
    def name(self) -> str:
        """The short name of the board."""
        return self.file.name

    @property
    def reconstruction(self) -> str | None:
        """A note on the parts of the board and of the cards that no source shows; None if there are none."""
        parts = filter(None, (self.file.reconstruction, self.components.reconstruction))
        told = "; ".join(part.removeprefix("reconstruction: ") for part in parts)
        return f"reconstruction: {told}" if told else None

    # Squares as bits

    @cached_property
    def map_signs(self) -> Mapping[str, tuple[str, str]]:
        """The signs for terrain and feature of every square of the maps."""
        return {
            f"{level.id}{chr(ord('a') + x)}{y + 1}": (terrain, feature)
            for level in self.file.level
            for y, lines in enumerate(zip(split_rows(level.terrain), split_rows(level.features), strict=True))
            for x, (terrain, feature) in enumerate(zip(*lines, strict=True))
        }

    @cached_property
    def row_stride(self) -> int:
        """The difference between the number of a square and the number of the square south of it."""
        return 1 + max(len(split_rows(level.terrain)[0]) for level in self.file.level)

    @cached_property
    def square_numbers(self) -> Mapping[str, int]:
        """The number of every square. The levels lie one below the other, with an empty row between."""
        first: dict[str, int] = {}
        row = 0
        for level in self.file.level:
            first[level.id] = row
            row += len(split_rows(level.terrain)) + 1
        spots = ((square, first[square[0]], find_column_and_row(square)) for square in self.map_signs)
        return {square: (top + y) * self.row_stride + x for square, top, (x, y) in spots}

    @cached_property
    def square_bits(self) -> Mapping[str, int]:
        """For every square, the set that holds only this square."""
        return {square: 1 << number for square, number in self.square_numbers.items()}

    @cached_property
    def square_by_bit(self) -> Mapping[int, str]:
        """For every set of a single square, that square."""
        return {bit: square for square, bit in self.square_bits.items()}

    @cached_property
    def _last_of(self) -> Mapping[int, tuple[str, int]]:
        """For every length of a set in bits, the square of its highest bit, and the set of only that square."""
        return {bit.bit_length(): (square, bit) for square, bit in self.square_bits.items()}

    def list_squares(self, squares: int) -> tuple[str, ...]:
        """Returns the squares of a set, in reading order. They are found from the end, since the lowest bit takes
        longer to find.
        """
        if not squares:
            return ()
        found, last_of = [], self._last_of
        while squares:
            square, bit = last_of[squares.bit_length()]
            found.append(square)
            squares ^= bit
        return tuple(reversed(found))

    def make_set(self, squares: Iterable[str]) -> int:
        """Returns the set that holds these squares."""
        return reduce(or_, map(self.square_bits.__getitem__, squares), 0)

    def sort_squares(self, squares: Iterable[str]) -> tuple[str, ...]:
        """Returns squares in reading order, level by level."""
        return tuple(sorted(squares, key=self.square_numbers.__getitem__))

    # Squares by their signs on the maps

    def _find_terrain_squares(self, kinds: str) -> int:
        return self.make_set(square for square, (terrain, _) in self.map_signs.items() if terrain in kinds)

    def _list_feature_squares(self, kinds: str) -> tuple[str, ...]:
        return tuple(square for square, (_, feature) in self.map_signs.items() if feature in kinds)

    @cached_property
    def squares_by_level(self) -> Mapping[str, int]:
        """All squares of each level."""
        return {
            level: self.make_set(square for square in self.map_signs if square[0] == level) for level in LEVEL_NAMES
        }

    @cached_property
    def initially_open_squares(self) -> int:
        """Squares that are open from the start."""
        return self._find_terrain_squares(OPEN_TERRAIN_SIGNS)

    @cached_property
    def squares_by_room(self) -> Mapping[str, int]:
        """The squares of each locked room, by the mark of the room."""
        return {mark: self._find_terrain_squares(mark) for mark in ROOM_MARKS}

    @cached_property
    def key_symbols(self) -> Mapping[str, str]:
        """The key symbol of each locked room, by the mark of the room."""
        return {room.mark: room.key for room in self.file.room}

    @cached_property
    def tanker_squares(self) -> int:
        """The squares on top of the tanker, reached by rope only (comp.tanker, setup.3)."""
        return self._find_terrain_squares("T")

    @cached_property
    def tokens(self) -> Mapping[str, TokenKind]:
        """The kind of token on each square that has one. Stars are a kind of token."""
        return {square: TOKEN_KINDS_BY_SIGN[self.map_signs[square][1]] for square in self._list_feature_squares("ASV*")}

    @cached_property
    def token_squares_by_kind(self) -> Mapping[TokenKind, int]:
        """The squares of the tokens of each kind."""
        return {
            kind: self.make_set(square for square, each in self.tokens.items() if each == kind)
            for kind in TOKEN_KINDS_BY_SIGN.values()
        }

    @cached_property
    def supply_squares_in_solo(self) -> int:
        """Squares whose supply tokens stay supply tokens in solo: locked rooms and the tanker (mode.solo.3)."""
        return self.tanker_squares | sum(self.squares_by_room.values())

    @cached_property
    def hero_starts(self) -> Mapping[str, tuple[str, ...]]:
        """Start squares of heroes in each of the two buildings (setup.15)."""
        squares = self._list_feature_squares("h")
        return {level: tuple(square for square in squares if square[0] == level) for level in START_BUILDINGS}

    @cached_property
    def zombie_hero_starts(self) -> tuple[str, ...]:
        """Start squares of players who begin as zombie heroes (ruling.zhero-start)."""
        return self._list_feature_squares("Z")

    @cached_property
    def helipad_squares_by_option(self) -> Mapping[str, int]:
        """The squares of the helipad under each value of the option `helipad` (comp.helipad, setup.16)."""
        return {"hospital-roof": self._find_feature_squares("H"), "street": self._find_feature_squares("p")}

    def _find_feature_squares(self, kind: str) -> int:
        return self.make_set(self._list_feature_squares(kind))

    @cached_property
    def stairs(self) -> Mapping[str, str]:
        """The other end of the stair at each square that has one."""
        ends = [stair.ends for stair in self.file.stair]
        return {one: other for pair in ends for one, other in (pair, pair[::-1])}

    @cached_property
    def stair_bits(self) -> Mapping[int, int]:
        """The same as `stairs`, with both ends as sets of a single square."""
        return {self.square_bits[one]: self.square_bits[other] for one, other in self.stairs.items()}

    @cached_property
    def stair_squares(self) -> int:
        """Squares that have a stair."""
        return self.make_set(self.stairs)

    def find_other_stair_ends(self, squares: int) -> int:
        """Returns the other ends of all stairs that have an end on these squares."""
        found, ends = 0, squares & self.stair_squares
        while ends:
            end = ends & -ends
            found |= self.stair_bits[end]
            ends ^= end
        return found

    @cached_property
    def _rings(self) -> dict[str, tuple[int, ...]]:
        return {}

    def find_rings(self, square: str) -> tuple[int, ...]:
        """Returns the squares of the level at 0, 1, 2 and so on king's moves from a square (ruling.horde-distance)."""
        found = self._rings.get(square)
        if found is None:
            found = self._rings[square] = tuple(self._list_boxes(square))
        return found

    @cached_property
    def _diamonds(self) -> dict[str, tuple[int, ...]]:
        return {}

    def find_squares_within_steps(self, square: str) -> tuple[int, ...]:
        """Returns sets of squares of the level: those within 0, 1, 2 and so on steps of a square. The sets grow.

        The steps to a square are column difference plus row difference (ruling.zombie-distance).
        """
        found = self._diamonds.get(square)
        if found is None:
            found = self._diamonds[square] = tuple(
                self._grow_squares(self.square_bits[square], self.squares_by_level[square[0]])
            )
        return found

    def _grow_squares(self, squares: int, level: int) -> Iterator[int]:
        """Yields a set of squares, then again and again with its side neighbours added, until it is the whole level."""
        yield squares
        while squares != level:
            squares |= (squares << 1 | squares >> 1 | squares << self.row_stride | squares >> self.row_stride) & level
            yield squares

    def _list_boxes(self, square: str) -> Iterator[int]:
        """Yields rings round a square: growing boxes, each without the box before it."""
        columns, rows = self._lines[square[0]]
        (x, y), wide, high, inner = find_column_and_row(square), 0, 0, 0
        for away in range(max(x, y, len(columns) - x - 1, len(rows) - y - 1) + 1):
            for at in {x - away, x + away}:
                wide |= columns[at] if 0 <= at < len(columns) else 0
            for at in {y - away, y + away}:
                high |= rows[at] if 0 <= at < len(rows) else 0
            yield wide & high & ~inner
            inner = wide & high

    @cached_property
    def _lines(self) -> Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """The columns and the rows of each level, as sets of squares."""
        lines: dict[str, tuple[list[int], list[int]]] = {}
        for level in self.file.level:
            drawn = split_rows(level.terrain)
            lines[level.id] = [0] * len(drawn[0]), [0] * len(drawn)
        for square, bit in self.square_bits.items():
            x, y = find_column_and_row(square)
            lines[square[0]][0][x] |= bit
            lines[square[0]][1][y] |= bit
        return {level: (tuple(columns), tuple(rows)) for level, (columns, rows) in lines.items()}

    def find_first_connected_part(self, squares: int) -> int:
        """Returns the squares of a set that are connected with its first square by shared sides. Walls are ignored."""
        found = fresh = squares & -squares
        while fresh:
            beside = (fresh << 1) | (fresh >> 1) | (fresh << self.row_stride) | (fresh >> self.row_stride)
            fresh = beside & squares & ~found
            found |= fresh
        return found

    @cached_property
    def rope_landings(self) -> Mapping[str, str]:
        """The landing square of each rope, by its symbol."""
        return {rope.symbol: rope.landing for rope in self.file.rope}

    @cached_property
    def start_areas(self) -> tuple[tuple[StartArea, tuple[str, ...]], ...]:
        """The start areas of zombies, each with its squares in filling order (ruling.fill-order)."""
        return tuple((area, tuple(area.squares.split())) for area in self.file.area)

    # Grounds

    @cached_property
    def ground_cache(self) -> dict[tuple[str, ...], Any]:
        """The ground for each choice of open rooms, kept by `ground.find_ground`."""
        return {}
