"""The city as a scene: a page for each level, figures and tokens on it, and what lies before each player; the levels in
characters too, one, two or three of them a square, as there is room; and what is marked when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout, NoPlaceError, Overlay, Page, Piece, Polygon, Scene, Shape
from referee.engine.text import begin_sentence, count_of, listing
from referee.games.zombies import herding
from referee.games.zombies.attacking import ammunition
from referee.games.zombies.board import LEVELS, LevelFile, TokenKind, rows_of, spot_of
from referee.games.zombies.marching import steps_from
from referee.games.zombies.moving import goals, steps_with
from referee.games.zombies.state import Player, State
from referee.games.zombies.status import status
from referee.games.zombies.tasks import Go
from referee.games.zombies.victory import helipad

SOLID: Colour = "grey"
ROOF: Colour = "yellow"
"""The top of the tanker, which only ropes lead to."""
PAD: Colour = "purple"
THIN = 0.08
"""Half the thickness of a thin wall."""
SHAPES: Mapping[int, Shape] = {1: "diamond", 2: "triangle", 3: "hexagon"}
"""Zombies by level; heroes are round and zombie heroes square."""
TOKEN_NAMES: Mapping[TokenKind, str] = {
    "action": "action token",
    "supply": "supply token",
    "survivor": "survivor token",
    "star": "bonus star",
}

MARGIN = 3
"""Columns for the numbers of the rows."""
PHONE, PAGE = 40, 80
LEVEL_COLOURS: Mapping[int, Colour] = {1: "green", 2: "blue", 3: "red"}
"""Zombies have the colours of their start areas (setup.8)."""
SEAT_COLOURS: Mapping[Seat, Colour] = {"red": "red", "blue": "blue", "green": "green", "orange": "orange"}
TOKEN_COLOURS: Mapping[TokenKind, Colour] = {"action": "red", "supply": "blue", "survivor": "green", "star": "yellow"}
LETTERS: Mapping[TokenKind, str] = {"action": "A", "supply": "S", "survivor": "V", "star": "*"}
KEY = (
    "1 2 3 zombies, of a horde behind h; A S V action, supply, survivor tokens; * bonus star; # solid; "
    "X blocking tile; $ to be taken; > stair; r rope; k key of the locked room w, x or y; H helipad; "
    "T top of the tanker; @ a hero, & a zombie hero"
)

HIGHEST = 6
"""What the die shows at most."""


def draw(state: State) -> Scene:
    """A view as a scene."""
    reconstruction = state.board.reconstruction
    return Scene(
        title=f"{state.board.file.title}, turn {state.turn}: {status(state)}",
        pages=tuple(_page(state, level) for level in state.board.file.level),
        beside=(*map(_player, _players(state)), *_in_force(state), KEY),
        words=tuple(_words(state)),
        notes=(f"Board and cards: {reconstruction}.",) if reconstruction else (),
    )


def _players(state: State) -> tuple[Player, ...]:
    return tuple(state.by_seat[seat] for seat in state.seats if seat in state.by_seat)


# The drawing


def _page(state: State, level: LevelFile) -> Page:
    return Page(level.name, tuple(_shapes(state, level)), tuple(_pieces(state, level.id)), _layouts(state, level))


def _shapes(state: State, level: LevelFile) -> Iterator[Polygon]:
    columns, rows = len(rows_of(level.terrain)[0]), len(rows_of(level.terrain))
    for y in range(rows):
        for x in range(columns):
            yield from _square(state, f"{level.id}{chr(ord('a') + x)}{y + 1}")
    yield from (_thin_wall(one, other) for one, other in level.thin_walls)


def _square(state: State, square: str) -> Iterator[Polygon]:
    x, y = spot_of(square)
    fill, bit = None, state.board.bit[square]
    if not bit & state.ground.floor:
        fill = SOLID
    elif bit & state.board.tanker:
        fill = ROOF
    elif bit & helipad(state):
        fill = PAD
    room = next((mark for mark, squares in state.board.rooms.items() if bit & squares and fill), "")
    yield Polygon(_box(x, y, 0.5), fill, room or square[1:], place=square)
    label, colour = _mark_of(state, square)
    if label:
        yield Polygon(_box(x, y - 0.1, 0.28), colour, label, solid=True)


def _box(x: float, y: float, half: float) -> tuple[tuple[float, float], ...]:
    left, right, top, bottom = (round(value, 3) for value in (x - half, x + half, y - half, y + half))
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _thin_wall(one: str, other: str) -> Polygon:
    """A bar along the side that two squares share."""
    (x1, y1), (x2, y2) = spot_of(one), spot_of(other)
    across, down = (0.5, THIN) if x1 == x2 else (THIN, 0.5)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    left, right, top, bottom = (round(value, 3) for value in (x - across, x + across, y - down, y + down))
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), SOLID, solid=True)


def _pieces(state: State, level: str) -> Iterator[Piece]:
    for square, kind in state.zombies.items():
        if square[0] == level:
            x, y = spot_of(square)
            name = begin_sentence(_zombie(state, square))
            yield Piece(x, y, LEVEL_COLOURS[kind], str(kind), name=name, shape=SHAPES[kind])
    for player in _players(state):
        if player.at and player.at[0] == level:
            x, y = spot_of(player.at)
            shape: Shape = "square" if player.is_zombie else "round"
            yield Piece(x, y, SEAT_COLOURS[player.seat], player.hero, name=_figure(player), shape=shape)


def _figure(player: Player) -> str:
    return f"{player.hero}{', a zombie hero,' if player.is_zombie else ''} on {player.at}"


def _zombie(state: State, square: str) -> str:
    owner = _owner(state, square)
    return f"level {state.zombies[square]} zombie{f' of the horde of {owner}' if owner else ''} on {square}"


def _owner(state: State, square: str) -> str:
    """Whose horde a zombie belongs to; empty: it is free."""
    return next((player.hero for player in state.zombie_heroes if square in player.horde), "")


def _mark_of(state: State, square: str) -> tuple[str, Colour | None]:
    """The letter of what lies on a square, figures aside, and its colour; empty: nothing does."""
    kind = state.board.tokens.get(square)
    if square in state.tiles:
        return "X", "grey"
    if square in state.loose or any(heap.at == square for heap in state.loot):
        return "$", None
    if kind == "star":
        return LETTERS[kind], TOKEN_COLOURS[kind]
    if kind and square not in state.used:
        return LETTERS[kind], TOKEN_COLOURS[kind]
    if square in state.board.stairs:
        return ">", None
    if square in state.board.ropes:
        return "r", "orange" if square in state.ropes else None
    if square in state.board.keys.values():
        return "k", None
    return "", None


# In characters


def _layouts(state: State, level: LevelFile) -> tuple[Layout, ...]:
    """As wide as a phone allows, and as a page does."""
    columns = len(rows_of(level.terrain)[0])
    pitches = [
        max(pitch for pitch in (1, 2, 3) if pitch == 1 or MARGIN + pitch * columns <= most) for most in (PHONE, PAGE)
    ]
    return tuple(_layout(state, level, pitch) for pitch in dict.fromkeys(pitches))


def _layout(state: State, level: LevelFile, pitch: int) -> Layout:
    rows = rows_of(level.terrain)
    width = MARGIN + pitch * len(rows[0])
    glyphs = (*_head(len(rows[0]), len(rows), pitch), *_squares(state, level, pitch))
    return Layout(width, glyphs, cell=(pitch, 1))


def _head(columns: int, rows: int, pitch: int) -> Iterator[Glyph]:
    for x in range(columns):
        yield Glyph(MARGIN + pitch * x, 0, chr(ord("a") + x), faint=True)
    for y in range(rows):
        yield Glyph(0, y + 1, str(y + 1), faint=True)


def _squares(state: State, level: LevelFile, pitch: int) -> Iterator[Glyph]:
    for y, row in enumerate(rows_of(level.terrain)):
        for x in range(len(row)):
            square = f"{level.id}{chr(ord('a') + x)}{y + 1}"
            text, colour, faint = _glyph(state, square, pitch)
            yield Glyph(MARGIN + pitch * x, y + 1, text, colour, faint, place=square)


def _glyph(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    """What stands there, else what lies there, else the ground."""
    player = state.figures.get(square)
    if player:
        kind = "&" if player.is_zombie else "@"
        return (
            (kind, player.hero[0] + player.hero[-1].lower(), player.hero)[pitch - 1],
            SEAT_COLOURS[player.seat],
            False,
        )
    if square in state.zombies:
        return _zombie_glyph(state, square, pitch)
    letter, colour = _mark_of(state, square)
    if letter:
        return f"({letter})" if pitch == 3 and square in state.board.tokens else letter, colour, colour is None
    return _ground(state, square, pitch), None, True


def _zombie_glyph(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    level = state.zombies[square]
    in_horde = not state.wild & state.board.bit[square]
    return f"{'h' if in_horde and pitch > 1 else ''}{level}", LEVEL_COLOURS[level], False


def _ground(state: State, square: str, pitch: int) -> str:
    bit = state.board.bit[square]
    if not bit & state.ground.floor:
        room = next((mark for mark, squares in state.board.rooms.items() if squares & bit), "")
        return room or "#" * pitch
    if bit & helipad(state):
        return "H"
    return "T" if bit & state.board.tanker else "."


# What lies before the players, and what holds for all


def _player(player: Player) -> str:
    if player.is_out:
        return f"{player.hero} ({player.seat}): out of the game"
    parts = [f"health {player.health}", *([player.ability] if player.ability and not player.is_zombie else [])]
    if player.survivors:
        parts.append(f"{count_of(len(player.survivors), 'survivor')} ({', '.join(player.survivors)})")
    if player.supplies:
        parts.append(", ".join(player.supplies))
    if player.burdens:
        parts.append(f"to be rolled for: {', '.join(player.burdens)}")
    if player.tiles:
        parts.append(count_of(player.tiles, "blocking tile"))
    if player.stealth:
        parts.append(f"stealth for {count_of(player.stealth, 'turn')}")
    if player.horde:
        parts.append(f"a horde of {len(player.horde)}")
    kind = ", zombie hero" if player.is_zombie else ""
    where = f" on {player.at}" if player.at else ""
    return f"{player.hero} ({player.seat}{kind}){where}: {'; '.join(parts)}"


def _in_force(state: State) -> Iterator[str]:
    for card, level in state.mutations.items():
        yield f"Mutation {card} in force: {LEVELS[level]}"
    for square, star in state.stars.items():
        if star.cards:
            yield f"At the star on {square}: {', '.join(star.cards)}"
    for heap in state.loot:
        yield f"On {heap.at}: {', '.join(heap.cards)} of a killed zombie hero"
    for square, tiles in state.loose.items():
        yield f"On {square}: {count_of(tiles, 'loose blocking tile')}"


# In words


def _words(state: State) -> Iterator[str]:
    yield f"{begin_sentence(status(state))}."
    for player in _players(state):
        shots = (f"{ammunition(state, player, card)} shots in {card}" for card in player.shots)
        yield f"{'; '.join((_player(player), *shots))}."
    for level, name in LEVELS.items():
        crowds = tuple(_crowds(state, level))
        if crowds:
            yield f"{name}: {'; '.join(crowds)}."
    for kind, what in TOKEN_NAMES.items():
        left = [square for square, token in state.board.tokens.items() if token == kind and square not in state.used]
        unopened = [square for square in left if square not in state.stars]
        if unopened:
            yield f"{begin_sentence(what)}: {listing(unopened)}."
    if state.tiles:
        yield f"Blocking tiles: {listing(state.tiles)}."
    closed = [f"{mark} (key {state.board.keys[mark]})" for mark in state.board.rooms if mark not in state.opened]
    if closed:
        yield f"Locked rooms: {listing(closed)}."
    yield f"The helipad: {listing(state.board.names(helipad(state)))}."
    yield from (f"{line}." for line in _in_force(state))


def _crowds(state: State, level: str) -> Iterator[str]:
    """The zombies of a level, free ones and those of each horde apart."""
    for kind in LEVEL_COLOURS:
        squares = [square for square, each in state.zombies.items() if each == kind and square[0] == level]
        for owner in ("", *(player.hero for player in state.zombie_heroes)):
            held = [square for square in state.board.in_order(squares) if _owner(state, square) == owner]
            if held:
                yield f"level {kind} zombies{f' of the horde of {owner}' if owner else ''} on {listing(held)}"


# What is marked


def overlay(state: State, name: Overlay, of: str) -> tuple[str, ...]:
    """Squares in sight of a square or a player's figure, or in its reach; NoPlaceError where there is none."""
    player = state.players.get(of.upper())
    square = player.at if player else next((each for each in state.board.index if each.lower() == of.lower()), "")
    if not square:
        raise NoPlaceError(f"there is no square {of}, and nobody called so stands on the board")
    if name == "sight":
        return _seen(state, square)
    return _reached(state, state.figures.get(square), square)


def _seen(state: State, square: str) -> tuple[str, ...]:
    """Open squares of the level in line of sight (zombie.los.1)."""
    level = state.board.names(state.level_of(square) & state.ground.floor)
    return tuple(other for other in level if other != square and state.sees(square, other))


def _reached(state: State, player: Player | None, square: str) -> tuple[str, ...]:
    """Where a figure can end its move: with the die that was thrown, else with the highest (move.1, zhero.move.1). A
    free zombie goes one step (zombie.move.3).
    """
    if player is None:
        if square not in state.zombies:
            raise NoPlaceError(f"no figure stands on {square}")
        return state.board.names(steps_from(state, state.board.bit[square]) & state.free)
    task = state.task if isinstance(state.task, Go) and state.task.by == player.hero else None
    task = task or Go(by=player.hero, steps=steps_with(state, player, HIGHEST))
    found = herding.goals(state, player, task.steps) if player.is_zombie else goals(state, player, task)
    return state.board.names(found & ~state.board.bit[square])
