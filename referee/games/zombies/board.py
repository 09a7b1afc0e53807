"""The city: four levels of squares, and what lies on them, from a TOML file that `building` checks.

A square is named by its level, column and row: `Sd7` is column d, row 7 of the Street. All squares of all levels lie in
one row of bits, so that a set of squares is a whole number: `bit` tells the number of one, `names` reads a set back.
What squares touch depends on which rooms are open, and is told by a `Ground`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from referee.games.zombies.components import Components

SQUARE = "^[SAWH][a-z][1-9][0-9]?$"
LEVELS = {"S": "Street", "A": "Asylum", "W": "Warehouse", "H": "Hospital"}
"""Four levels: the board itself is the Street, with three buildings on it (comp.board, comp.buildings)."""
BUILDINGS = ("A", "W")
"""Where heroes start: two opposite buildings (setup.11, setup.15)."""
ROOMS = ("w", "x", "y")
"""Marks of the three locked rooms (comp.locked-rooms)."""
OPEN = ".~T"
MAX_SIDE = 26

Square = Annotated[str, Meta(pattern=SQUARE)]
Squares = Annotated[tuple[Square, ...], Meta(max_length=100)]
Steps = Annotated[tuple[tuple[Square, Square], ...], Meta(max_length=100)]
"""From where to where."""
Whereabouts = Annotated[str, Meta(pattern="^([SAWH][a-z][1-9][0-9]?)?$")]
"""A square, or nothing: off the board."""
Level = Literal["S", "A", "W", "H"]
Mark = Literal["w", "x", "y"]
TokenKind = Literal["action", "supply", "survivor", "star"]
TOKENS: Mapping[str, TokenKind] = {"A": "action", "S": "supply", "V": "survivor", "*": "star"}
"""Kinds of token by their letter (token.1)."""
FEATURES = ".ASV*hZHp"
Picture = Annotated[str, Meta(max_length=2000)]


class LevelFile(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A level as drawn."""

    id: Level
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    terrain: Picture
    features: Picture
    thin_walls: Annotated[tuple[tuple[Square, Square], ...], Meta(max_length=200)] = ()


class Stair(Struct, frozen=True, forbid_unknown_fields=True):
    """A stair between two levels (ruling.level-links)."""

    ends: tuple[Square, Square]


class Rope(Struct, frozen=True, forbid_unknown_fields=True):
    """A rope symbol, and where who climbs it lands (rope.1)."""

    symbol: Square
    landing: Square


class Room(Struct, frozen=True, forbid_unknown_fields=True):
    """A locked room: its mark on the map, and its key symbol (key.2)."""

    mark: Mark
    key: Square


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """Where zombies stand at the start: their level, so many dice, and squares in filling order (setup.6 to
    setup.9).
    """

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,30}$")]
    zombies: Annotated[int, Meta(ge=1, le=3)]
    dice: Annotated[int, Meta(ge=1, le=2)]
    squares: Annotated[str, Meta(max_length=200)]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board file holds."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    level: Annotated[tuple[LevelFile, ...], Meta(max_length=4)]
    stair: Annotated[tuple[Stair, ...], Meta(max_length=50)]
    rope: Annotated[tuple[Rope, ...], Meta(max_length=50)]
    room: Annotated[tuple[Room, ...], Meta(max_length=3)]
    area: Annotated[tuple[Area, ...], Meta(max_length=50)]
    reconstruction: Annotated[str, Meta(max_length=200)] | None = None
    """What of it no source shows; nothing on a board of your own."""


Spot = tuple[int, int]
"""Column and row of a square on its level, from 0."""


@lru_cache(maxsize=2**12)
def spot_of(square: str) -> Spot:
    """Where a square lies on its level."""
    return ord(square[1]) - ord("a"), int(square[2:]) - 1


def level_of(square: str) -> str:
    """The letter of a square's level."""
    return square[0]


def rows_of(picture: str) -> list[str]:
    """The lines of a drawn level."""
    return picture.strip("\n").split("\n")


@lru_cache(maxsize=2**16)
def kings_moves(one: str, other: str) -> int:
    """Squares between two squares of a level, a diagonal counting 1, walls and figures ignored
    (ruling.horde-distance).
    """
    (x, y), (x2, y2) = spot_of(one), spot_of(other)
    return max(abs(x - x2), abs(y - y2))


@lru_cache(maxsize=2**16)
def side_steps(one: str, other: str) -> int:
    """Column difference plus row difference (ruling.zombie-distance)."""
    (x, y), (x2, y2) = spot_of(one), spot_of(other)
    return abs(x - x2) + abs(y - y2)


class Board(Struct, frozen=True, dict=True):
    """A city that can be played in, with its components."""

    file: BoardFile
    components: Components

    def __repr__(self) -> str:
        return f"<Board {self.name}>"

    @property
    def name(self) -> str:
        """Short name of the board."""
        return self.file.name

    @property
    def reconstruction(self) -> str | None:
        """What no source shows, of the board and of the cards."""
        parts = filter(None, (self.file.reconstruction, self.components.reconstruction))
        told = "; ".join(part.removeprefix("reconstruction: ") for part in parts)
        return f"reconstruction: {told}" if told else None

    # Squares as bits

    @cached_property
    def drawn(self) -> Mapping[str, tuple[str, str]]:
        """Terrain and feature of every square of the maps."""
        return {
            f"{level.id}{chr(ord('a') + x)}{y + 1}": (terrain, feature)
            for level in self.file.level
            for y, lines in enumerate(zip(rows_of(level.terrain), rows_of(level.features), strict=True))
            for x, (terrain, feature) in enumerate(zip(*lines, strict=True))
        }

    @cached_property
    def width(self) -> int:
        """Bits from one square to the one south of it."""
        return 1 + max(len(rows_of(level.terrain)[0]) for level in self.file.level)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of every square, levels one below the other with an empty row between."""
        first: dict[str, int] = {}
        row = 0
        for level in self.file.level:
            first[level.id] = row
            row += len(rows_of(level.terrain)) + 1
        spots = ((square, first[square[0]], spot_of(square)) for square in self.drawn)
        return {square: (top + y) * self.width + x for square, top, (x, y) in spots}

    @cached_property
    def bit(self) -> Mapping[str, int]:
        """The set that holds one square, for every square."""
        return {square: 1 << number for square, number in self.index.items()}

    @cached_property
    def square_at(self) -> Mapping[int, str]:
        """The square of a set that holds one."""
        return {bit: square for square, bit in self.bit.items()}

    @cached_property
    def _last_of(self) -> Mapping[int, tuple[str, int]]:
        """The last square of each set of so many bits, and the set that holds it."""
        return {bit.bit_length(): (square, bit) for square, bit in self.bit.items()}

    def names(self, squares: int) -> tuple[str, ...]:
        """The squares of a set, in reading order. Taken off from the end, since the lowest bit takes longer to find."""
        if not squares:
            return ()
        found, last_of = [], self._last_of
        while squares:
            square, bit = last_of[squares.bit_length()]
            found.append(square)
            squares ^= bit
        return tuple(reversed(found))

    def set_of(self, squares: Iterable[str]) -> int:
        """The set that holds these squares."""
        return reduce(or_, map(self.bit.__getitem__, squares), 0)

    def in_order(self, squares: Iterable[str]) -> tuple[str, ...]:
        """Squares in reading order, level by level."""
        return tuple(sorted(squares, key=self.index.__getitem__))

    # What is drawn where

    def _of_terrain(self, kinds: str) -> int:
        return self.set_of(square for square, (terrain, _) in self.drawn.items() if terrain in kinds)

    def _of_feature(self, kinds: str) -> tuple[str, ...]:
        return tuple(square for square, (_, feature) in self.drawn.items() if feature in kinds)

    @cached_property
    def levels(self) -> Mapping[str, int]:
        """All squares of each level."""
        return {level: self.set_of(square for square in self.drawn if square[0] == level) for level in LEVELS}

    @cached_property
    def floor(self) -> int:
        """Squares that are open from the start."""
        return self._of_terrain(OPEN)

    @cached_property
    def rooms(self) -> Mapping[str, int]:
        """The squares of each locked room."""
        return {mark: self._of_terrain(mark) for mark in ROOMS}

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The key symbol of each locked room."""
        return {room.mark: room.key for room in self.file.room}

    @cached_property
    def tanker(self) -> int:
        """The squares on top of the tanker, reached by rope only (comp.tanker, setup.3)."""
        return self._of_terrain("T")

    @cached_property
    def tokens(self) -> Mapping[str, TokenKind]:
        """Action, supply and survivor tokens and stars, by square."""
        return {square: TOKENS[self.drawn[square][1]] for square in self._of_feature("ASV*")}

    @cached_property
    def token_sets(self) -> Mapping[TokenKind, int]:
        """The squares of the tokens of each kind."""
        return {
            kind: self.set_of(square for square, each in self.tokens.items() if each == kind)
            for kind in TOKENS.values()
        }

    @cached_property
    def stays_supply(self) -> int:
        """Squares whose supply tokens stay supply tokens in solo: locked rooms and the tanker (mode.solo.3)."""
        return self.tanker | sum(self.rooms.values())

    @cached_property
    def starts(self) -> Mapping[str, tuple[str, ...]]:
        """Start squares of heroes in each of the two buildings (setup.15)."""
        squares = self._of_feature("h")
        return {level: tuple(square for square in squares if square[0] == level) for level in BUILDINGS}

    @cached_property
    def zombie_starts(self) -> tuple[str, ...]:
        """Start squares of players who begin as zombie heroes (ruling.zhero-start)."""
        return self._of_feature("Z")

    @cached_property
    def helipads(self) -> Mapping[str, int]:
        """The one helipad's squares under each value of the option (comp.helipad, setup.16)."""
        return {"hospital-roof": self._of_feature_set("H"), "street": self._of_feature_set("p")}

    def _of_feature_set(self, kind: str) -> int:
        return self.set_of(self._of_feature(kind))

    @cached_property
    def stairs(self) -> Mapping[str, str]:
        """The other end of the stair at each square that has one."""
        ends = [stair.ends for stair in self.file.stair]
        return {one: other for pair in ends for one, other in (pair, pair[::-1])}

    @cached_property
    def stair_bits(self) -> Mapping[int, int]:
        """The same as sets of one square each."""
        return {self.bit[one]: self.bit[other] for one, other in self.stairs.items()}

    @cached_property
    def stair_ends(self) -> int:
        """Squares that have a stair."""
        return self.set_of(self.stairs)

    def over_stairs(self, squares: int) -> int:
        """Other ends of the stairs that end on one of these squares."""
        found, ends = 0, squares & self.stair_ends
        while ends:
            end = ends & -ends
            found |= self.stair_bits[end]
            ends ^= end
        return found

    @cached_property
    def _rings(self) -> dict[str, tuple[int, ...]]:
        return {}

    def rings(self, square: str) -> tuple[int, ...]:
        """The squares of its level at each distance from a square, the nearest first (ruling.horde-distance)."""
        found = self._rings.get(square)
        if found is None:
            found = self._rings[square] = tuple(self._boxes(square))
        return found

    @cached_property
    def _diamonds(self) -> dict[str, tuple[int, ...]]:
        return {}

    def diamonds(self, square: str) -> tuple[int, ...]:
        """The squares of its level up to 0, 1, 2 and so on steps from a square, column difference plus row difference
        (ruling.zombie-distance).
        """
        found = self._diamonds.get(square)
        if found is None:
            found = self._diamonds[square] = tuple(self._grown(self.bit[square], self.levels[square[0]]))
        return found

    def _grown(self, squares: int, level: int) -> Iterator[int]:
        """Squares, and again and again those beside them too, until they are the whole level."""
        yield squares
        while squares != level:
            squares |= (squares << 1 | squares >> 1 | squares << self.width | squares >> self.width) & level
            yield squares

    def _boxes(self, square: str) -> Iterator[int]:
        """Boxes round a square, each without the one before: columns and rows are added one by one."""
        columns, rows = self._lines[square[0]]
        (x, y), wide, high, inner = spot_of(square), 0, 0, 0
        for away in range(max(x, y, len(columns) - x - 1, len(rows) - y - 1) + 1):
            for at in {x - away, x + away}:
                wide |= columns[at] if 0 <= at < len(columns) else 0
            for at in {y - away, y + away}:
                high |= rows[at] if 0 <= at < len(rows) else 0
            yield wide & high & ~inner
            inner = wide & high

    @cached_property
    def _lines(self) -> Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """The columns and the rows of each level."""
        lines: dict[str, tuple[list[int], list[int]]] = {}
        for level in self.file.level:
            drawn = rows_of(level.terrain)
            lines[level.id] = [0] * len(drawn[0]), [0] * len(drawn)
        for square, bit in self.bit.items():
            x, y = spot_of(square)
            lines[square[0]][0][x] |= bit
            lines[square[0]][1][y] |= bit
        return {level: (tuple(columns), tuple(rows)) for level, (columns, rows) in lines.items()}

    def in_one_piece(self, squares: int) -> int:
        """Of some squares those that hang together with the first one by their sides, whatever lies between."""
        found = fresh = squares & -squares
        while fresh:
            beside = (fresh << 1) | (fresh >> 1) | (fresh << self.width) | (fresh >> self.width)
            fresh = beside & squares & ~found
            found |= fresh
        return found

    @cached_property
    def ropes(self) -> Mapping[str, str]:
        """The landing of each rope symbol."""
        return {rope.symbol: rope.landing for rope in self.file.rope}

    @cached_property
    def areas(self) -> tuple[tuple[Area, tuple[str, ...]], ...]:
        """Where zombies start, each with its squares in filling order (ruling.fill-order)."""
        return tuple((area, tuple(area.squares.split())) for area in self.file.area)

    # What touches what

    @cached_property
    def grounds(self) -> dict[tuple[str, ...], Any]:
        """What was worked out already for the rooms that are open (`ground.ground_of`)."""
        return {}
