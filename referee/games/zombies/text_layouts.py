"""The levels of the city in characters: one, two or three for each square, as there is room.

Thin walls have lines and columns of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout
from referee.games.zombies.board import BoardLevel, TokenKind, find_column_and_row, split_rows
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.victory import find_helipad_squares

LEFT_MARGIN = 3
"""The columns on the left, with the numbers of the rows."""
PHONE_WIDTH, PAGE_WIDTH = 40, 80
"""The most characters of a line on a phone and on a page."""
ZOMBIE_COLOURS: Mapping[int, Colour] = {1: "green", 2: "blue", 3: "red"}
"""The colours of zombies by level, which are those of their start areas (setup.8)."""
SEAT_COLOURS: Mapping[Seat, Colour] = {"red": "red", "blue": "blue", "green": "green", "orange": "orange"}
TOKEN_COLOURS: Mapping[TokenKind, Colour] = {"action": "red", "supply": "blue", "survivor": "green", "star": "yellow"}
TOKEN_LETTERS: Mapping[TokenKind, str] = {"action": "A", "supply": "S", "survivor": "V", "star": "*"}
MAP_LEGEND = (
    "1 2 3 zombies, of a horde behind the first letter of its seat: r2; A S V action, supply, survivor tokens; "
    "* bonus star; # solid; X blocking tile; $ to be taken; > stair; r rope; k key of the locked room w, x or y; "
    "H helipad; T top of the tanker; | - thin wall; @ a hero, & a zombie hero"
)


def find_horde_owner(state: State, square: str) -> Player | None:
    """Returns the player to whose horde the zombie on a square belongs; None if it is free."""
    return next((player for player in state.zombie_heroes if square in player.horde), None)


def find_square_mark(state: State, square: str) -> tuple[str, Colour | None]:
    """Returns the letter and the colour for what lies on a square, figures aside; an empty letter if nothing does."""
    kind = state.board.tokens.get(square)
    if square in state.tiles:
        return "X", "grey"
    if square in state.loose or any(heap.at == square for heap in state.loot):
        return "$", None
    if kind == "star":
        return TOKEN_LETTERS[kind], TOKEN_COLOURS[kind]
    if kind and square not in state.used:
        return TOKEN_LETTERS[kind], TOKEN_COLOURS[kind]
    if square in state.board.stairs:
        return ">", None
    if square in state.board.rope_landings:
        return "r", "orange" if square in state.ropes else None
    if square in state.board.key_symbols.values():
        return "k", None
    return "", None


def make_level_layouts(state: State, level: BoardLevel) -> tuple[Layout, ...]:
    """Returns the level as wide as a phone allows, and as wide as a page allows; only once if both are alike."""
    plans = [
        next(plan for plan in _make_plans(level) if plan.pitch == 1 or plan.width <= most)
        for most in (PHONE_WIDTH, PAGE_WIDTH)
    ]
    return tuple(plan.layout(state) for plan in {plan.pitch: plan for plan in plans}.values())


def _make_plans(level: BoardLevel) -> Iterator[_Plan]:
    return (_Plan(level, pitch) for pitch in (3, 2, 1))


class _Plan:
    """A level in characters, with `pitch` of them for each square."""

    def __init__(self, level: BoardLevel, pitch: int) -> None:
        self.level, self.pitch, self.rows = level, pitch, split_rows(level.terrain)
        walls = [(find_column_and_row(one), find_column_and_row(other)) for one, other in level.thin_walls]
        self.walls = [(min(pair), max(pair)) for pair in walls]
        """The squares on both sides of each thin wall, the western or northern one first."""

    @cached_property
    def columns(self) -> list[int]:
        """The place of the first character of each column, and the end of the last one."""
        after = {one[0] for one, other in self.walls if one[0] != other[0]}
        return _find_places(LEFT_MARGIN, self.pitch, len(self.rows[0]), after)

    @cached_property
    def lines(self) -> list[int]:
        """The line of each row, and the line after the last one."""
        return _find_places(1, 1, len(self.rows), {one[1] for one, other in self.walls if one[1] != other[1]})

    @property
    def width(self) -> int:
        """The number of characters of a line."""
        return self.columns[-1]

    def layout(self, state: State) -> Layout:
        """Returns the level in characters."""
        glyphs = (*self._head(), *self._squares(state), *self._thin_walls())
        return Layout(self.width, glyphs, legend=(MAP_LEGEND,), cell=(self.pitch, 1))

    def _head(self) -> Iterator[Glyph]:
        for x, column in enumerate(self.columns[:-1]):
            yield Glyph(column, 0, chr(ord("a") + x), faint=True)
        for y, line in enumerate(self.lines[:-1]):
            yield Glyph(0, line, str(y + 1), faint=True)

    def _squares(self, state: State) -> Iterator[Glyph]:
        for y, line in enumerate(self.lines[:-1]):
            for x, column in enumerate(self.columns[:-1]):
                square = f"{self.level.id}{chr(ord('a') + x)}{y + 1}"
                text, colour, faint = _make_glyph(state, square, self.pitch)
                yield Glyph(column, line, text, colour, faint, place=square)

    def _thin_walls(self) -> Iterator[Glyph]:
        for (x, y), (x2, _) in self.walls:
            if x == x2:
                yield Glyph(self.columns[int(x)], self.lines[int(y)] + 1, "─" * self.pitch, ascii="-" * self.pitch)
            else:
                yield Glyph(self.columns[int(x)] + self.pitch, self.lines[int(y)], "│", ascii="|")


def _find_places(first: int, pitch: int, count: int, walled: Collection[float]) -> list[int]:
    """Returns the place of the first character of each of `count` columns or rows, and the end of the last one.

    A thin wall after a column or row in `walled` takes one more character.
    """
    places = [first]
    for n in range(count):
        places.append(places[-1] + pitch + (n in walled))
    return places


def _make_glyph(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    """Returns the text of a square, its colour, and True if the text is faint.

    The text shows the figure, else what lies there, else the ground.
    """
    player = state.figures.get(square)
    if player:
        kind = "&" if player.is_zombie else "@"
        names = kind, player.hero[0] + player.hero[-1].lower(), player.hero
        return names[pitch - 1], SEAT_COLOURS[player.seat], False
    if square in state.zombies:
        return _make_zombie_glyph(state, square, pitch)
    letter, colour = find_square_mark(state, square)
    if letter:
        return f"({letter})" if pitch == 3 and square in state.board.tokens else letter, colour, colour is None
    return _find_ground_character(state, square, pitch), None, True


def _make_zombie_glyph(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    """Returns the level of a zombie. In a horde it has the letter and the colour of its owner."""
    level, owner = state.zombies[square], find_horde_owner(state, square)
    if owner is None:
        return str(level), ZOMBIE_COLOURS[level], False
    return f"{owner.seat[0] if pitch > 1 else ''}{level}", SEAT_COLOURS[owner.seat], False


def _find_ground_character(state: State, square: str, pitch: int) -> str:
    bit = state.board.square_bits[square]
    if not bit & state.ground.open_squares:
        room = next((mark for mark, squares in state.board.squares_by_room.items() if squares & bit), "")
        return room or "#" * pitch
    if bit & find_helipad_squares(state):
        return "H"
    return "T" if bit & state.board.tanker_squares else "."
