"""The city as a scene: a page for each level, with figures, tokens and tiles, and the cards of each player.

Also the squares that a player can ask to have marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.engine.palette import Colour
from referee.engine.scene import LegendItem, NoPlaceError, Overlay, Piece, Polygon, Scene, ScenePage, Shape
from referee.engine.text import begin_sentence, count_of, listing
from referee.games.zombies import horde_movement
from referee.games.zombies.attacking import count_shots_left
from referee.games.zombies.board import LEVEL_NAMES, BoardLevel, TokenKind, find_column_and_row, split_rows
from referee.games.zombies.marching import find_squares_one_zombie_step_from
from referee.games.zombies.moving import compute_move_range, find_hero_goals
from referee.games.zombies.player import Player
from referee.games.zombies.state import SET_UP_PHASES, State
from referee.games.zombies.status import describe_status
from referee.games.zombies.tasks import GoTask
from referee.games.zombies.text_layouts import (
    SEAT_COLOURS,
    TOKEN_COLOURS,
    TOKEN_LETTERS,
    ZOMBIE_COLOURS,
    find_horde_owner,
    find_square_mark,
    make_level_layouts,
)
from referee.games.zombies.victory import find_helipad_squares

WALL_COLOUR: Colour = "grey"
TANKER_COLOUR: Colour = "yellow"
"""The colour of the top of the tanker, which only ropes lead to."""
HELIPAD_COLOUR: Colour = "purple"
SQUARE_NAME_SIZE = 0.36
"""The size of a square's name: as big as the longest leaves room for."""
HALF_WALL_THICKNESS = 0.08
"""Half the thickness of a thin wall."""
ZOMBIE_SHAPES: Mapping[int, Shape] = {1: "diamond", 2: "triangle", 3: "hexagon"}
"""The shapes of zombies, by level. Heroes are round and zombie heroes square."""
TOKEN_NAMES: Mapping[TokenKind, str] = {
    "action": "action token",
    "supply": "supply token",
    "survivor": "survivor token",
    "star": "bonus star",
}
THING_NAMES: Mapping[str, str] = {"$": "to be taken", ">": "stair", "r": "end of a rope", "k": "key of a locked room"}

MAX_CACHED_DRAWINGS = 4_000
"""The number of drawn squares, marks and walls that are kept: more than a city has."""
HIGHEST_DIE_FACE = 6
"""The highest face of the movement die."""


def draw_scene(state: State) -> Scene:
    """Returns a view as a scene."""
    reconstruction = state.board.reconstruction
    return Scene(
        title=begin_sentence(describe_status(state)),
        pages=tuple(_draw_page(state, level) for level in state.board.file.level),
        beside=(*map(_describe_player, _list_players(state)), *_describe_things_in_force(state)),
        words=tuple(_describe_levels(state)),
        notes=(f"Board and cards: {reconstruction}.",) if reconstruction else (),
        board=state.board.file.title,
        legend=tuple(_list_legend_samples(state)),
        seats=SEAT_COLOURS,
        focus=_find_focus(state),
    )


def _find_focus(state: State) -> str:
    """Returns the level of the player who has to act; empty during the set-up, or if that player has no figure on the
    board.
    """
    if state.phase in SET_UP_PHASES:
        return ""
    player = state.players.get(state.task.by) if state.task else state.current_player
    return LEVEL_NAMES[player.at[0]] if player and player.at else ""


def _list_legend_samples(state: State) -> Iterator[LegendItem]:
    for level, colour in ZOMBIE_COLOURS.items():
        yield LegendItem(f"zombie of level {level}", colour, label=str(level), shape=ZOMBIE_SHAPES[level])
    for player in state.zombie_heroes:
        yield LegendItem(f"of the horde of {player.hero}", "grey", shape="round", ring=SEAT_COLOURS[player.seat])
    for player in _list_players(state):
        shape: Shape = "square" if player.is_zombie else "round"
        kind = "zombie hero" if player.is_zombie else "hero"
        yield LegendItem(f"{kind} of {player.seat}", SEAT_COLOURS[player.seat], label=player.hero, shape=shape)
    for token, name in TOKEN_NAMES.items():
        yield LegendItem(name, TOKEN_COLOURS[token], label=TOKEN_LETTERS[token], solid=True)
    for letter, what in THING_NAMES.items():
        yield LegendItem(what, None, label=letter, solid=True)
    yield LegendItem("rope in place", "orange", label="r", solid=True)
    yield LegendItem("blocking tile", "grey", label="X", solid=True)
    yield LegendItem("wall, thin or solid", WALL_COLOUR, solid=True)
    yield LegendItem("top of the tanker", TANKER_COLOUR)
    yield LegendItem("helipad", HELIPAD_COLOUR)


def _list_players(state: State) -> tuple[Player, ...]:
    return tuple(state.players_by_seat[seat] for seat in state.seats if seat in state.players_by_seat)


# The drawing


def _draw_page(state: State, level: BoardLevel) -> ScenePage:
    return ScenePage(
        level.name,
        tuple(_draw_shapes(state, level)),
        tuple(_draw_pieces(state, level.id)),
        make_level_layouts(state, level),
    )


def _draw_shapes(state: State, level: BoardLevel) -> Iterator[Polygon]:
    columns, rows = len(split_rows(level.terrain)[0]), len(split_rows(level.terrain))
    for y in range(rows):
        for x in range(columns):
            yield from _draw_square(state, f"{level.id}{chr(ord('a') + x)}{y + 1}")
    yield from (_draw_thin_wall(one, other) for one, other in level.thin_walls)


def _draw_square(state: State, square: str) -> Iterator[Polygon]:
    x, y = find_column_and_row(square)
    fill, bit = None, state.board.square_bits[square]
    if not bit & state.ground.open_squares:
        fill = WALL_COLOUR
    elif bit & state.board.tanker_squares:
        fill = TANKER_COLOUR
    elif bit & find_helipad_squares(state):
        fill = HELIPAD_COLOUR
    room = next((mark for mark, squares in state.board.squares_by_room.items() if bit & squares and fill), "")
    is_wall = fill == WALL_COLOUR
    label = room or ("" if is_wall else square[1:])
    yield _draw_ground(square, x, y, fill, label, is_wall=is_wall)
    label, colour = find_square_mark(state, square)
    if label:
        yield _draw_mark(square, x, y, colour, label)


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_ground(square: str, x: float, y: float, fill: Colour | None, label: str, *, is_wall: bool) -> Polygon:
    """Returns the drawing of a square without anything on it. The drawing is kept for the next view."""
    return Polygon(_find_box_corners(x, y, 0.5), fill, label, place=square, solid=is_wall, label_size=SQUARE_NAME_SIZE)


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_mark(square: str, x: float, y: float, colour: Colour | None, label: str) -> Polygon:
    """Returns the drawing of the mark for something that lies on a square."""
    return Polygon(_find_box_corners(x, y - 0.16, 0.28), colour, label, solid=True, key=f"{square} lies")


def _find_box_corners(x: float, y: float, half: float) -> tuple[tuple[float, float], ...]:
    left, right, top, bottom = (round(value, 3) for value in (x - half, x + half, y - half, y + half))
    return (left, top), (right, top), (right, bottom), (left, bottom)


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_thin_wall(one: str, other: str) -> Polygon:
    """Returns a bar along the side that two squares share."""
    (x1, y1), (x2, y2) = find_column_and_row(one), find_column_and_row(other)
    across, down = (0.5, HALF_WALL_THICKNESS) if x1 == x2 else (HALF_WALL_THICKNESS, 0.5)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    left, right, top, bottom = (round(value, 3) for value in (x - across, x + across, y - down, y + down))
    return Polygon(
        ((left, top), (right, top), (right, bottom), (left, bottom)), WALL_COLOUR, solid=True, key=f"{one}|{other}"
    )


def _draw_pieces(state: State, level: str) -> Iterator[Piece]:
    """Yields the figures on a level. Zombies have no names, so they are told apart by their squares."""
    for square, kind in state.zombies.items():
        if square[0] == level:
            yield _draw_zombie(state, square, kind)
    for player in _list_players(state):
        if player.at and player.at[0] == level:
            yield _draw_hero(player)


def _draw_zombie(state: State, square: str, kind: int) -> Piece:
    x, y = find_column_and_row(square)
    owner, name = find_horde_owner(state, square), begin_sentence(_describe_zombie(state, square))
    ring = SEAT_COLOURS[owner.seat] if owner else None
    key = f"zombie {square}"
    return Piece(
        x,
        y,
        ZOMBIE_COLOURS[kind],
        str(kind),
        None,
        name,
        ZOMBIE_SHAPES[kind],
        key=key,
        place=square,
        size=0.8,
        ring=ring,
    )


def _draw_hero(player: Player) -> Piece:
    x, y = find_column_and_row(player.at)
    shape: Shape = "square" if player.is_zombie else "round"
    colour, name = SEAT_COLOURS[player.seat], _describe_figure(player)
    return Piece(x, y, colour, player.hero, None, name, shape, key=player.hero, place=player.at)


def _describe_figure(player: Player) -> str:
    return f"{player.hero}{', a zombie hero,' if player.is_zombie else ''} on {player.at}"


def _describe_zombie(state: State, square: str) -> str:
    owner = find_horde_owner(state, square)
    return f"level {state.zombies[square]} zombie{f' of the horde of {owner.hero}' if owner else ''} on {square}"


# What lies before the players, and what holds for all


def _describe_player(player: Player) -> str:
    if player.is_out_of_game:
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


def _describe_things_in_force(state: State) -> Iterator[str]:
    for card, level in state.mutations.items():
        yield f"Mutation {card} in force: {LEVEL_NAMES[level]}"
    for square, star in state.stars.items():
        if star.cards:
            yield f"At the star on {square}: {', '.join(star.cards)}"
    for heap in state.loot:
        yield f"On {heap.at}: {', '.join(heap.cards)} of a killed zombie hero"
    for square, tiles in state.loose.items():
        yield f"On {square}: {count_of(tiles, 'loose blocking tile')}"


# In words


def _describe_levels(state: State) -> Iterator[str]:
    yield f"{begin_sentence(describe_status(state))}."
    for player in _list_players(state):
        shots = (f"{count_shots_left(state, player, card)} shots in {card}" for card in player.shots)
        yield f"{'; '.join((_describe_player(player), *shots))}."
    for level, name in LEVEL_NAMES.items():
        crowds = tuple(_describe_crowds(state, level))
        if crowds:
            yield f"{name}: {'; '.join(crowds)}."
    for kind, what in TOKEN_NAMES.items():
        left = [square for square, token in state.board.tokens.items() if token == kind and square not in state.used]
        unopened = [square for square in left if square not in state.stars]
        if unopened:
            yield f"{begin_sentence(what)}: {listing(unopened)}."
    if state.tiles:
        yield f"Blocking tiles: {listing(state.tiles)}."
    closed = [
        f"{mark} (key {state.board.key_symbols[mark]})"
        for mark in state.board.squares_by_room
        if mark not in state.opened
    ]
    if closed:
        yield f"Locked rooms: {listing(closed)}."
    yield f"The helipad: {listing(state.board.list_squares(find_helipad_squares(state)))}."
    yield from (f"{line}." for line in _describe_things_in_force(state))


def _describe_crowds(state: State, level: str) -> Iterator[str]:
    """Yields clauses about the zombies of a level: free zombies, and those of each horde."""
    for kind in ZOMBIE_COLOURS:
        squares = [square for square, each in state.zombies.items() if each == kind and square[0] == level]
        for owner in (None, *state.zombie_heroes):
            held = [square for square in state.board.sort_squares(squares) if find_horde_owner(state, square) == owner]
            if held:
                yield f"level {kind} zombies{f' of the horde of {owner.hero}' if owner else ''} on {listing(held)}"


# What is marked


def list_overlay_squares(state: State, name: Overlay, of: str) -> tuple[str, ...]:
    """Returns the squares in sight of a square or figure, or within reach of a figure, as `name` says.

    `of` is a square or a hero, in any case of letters. Raises NoPlaceError if there is no such square, or no figure on
    it whose reach could be shown.
    """
    player = state.players.get(of.upper())
    square = (
        player.at if player else next((each for each in state.board.square_numbers if each.lower() == of.lower()), "")
    )
    if not square:
        raise NoPlaceError(f"there is no square {of}, and nobody of this name stands on the board")
    if name == "sight":
        return _list_squares_in_sight(state, square)
    return _list_squares_in_reach(state, state.figures.get(square), square)


def _list_squares_in_sight(state: State, square: str) -> tuple[str, ...]:
    """Returns the open squares of the level in line of sight of a square (zombie.los.1)."""
    level = state.board.list_squares(state.find_level_squares(square) & state.ground.open_squares)
    return tuple(other for other in level if other != square and state.has_line_of_sight(square, other))


def _list_squares_in_reach(state: State, player: Player | None, square: str) -> tuple[str, ...]:
    """Returns the squares where the figure on a square can end its move (move.1, zhero.move.1).

    The reach is that of the die rolled for the move, or of a 6 if none was rolled. A zombie goes one step
    (zombie.move.3). Raises NoPlaceError if no figure stands on the square.
    """
    if player is None:
        if square not in state.zombies:
            raise NoPlaceError(f"no figure stands on {square}")
        return state.board.list_squares(
            find_squares_one_zombie_step_from(state, state.board.square_bits[square]) & state.empty_squares
        )
    task = state.task if isinstance(state.task, GoTask) and state.task.by == player.hero else None
    task = task or GoTask(by=player.hero, steps=compute_move_range(state, player, HIGHEST_DIE_FACE))
    found = (
        horde_movement.find_zombie_hero_goals(state, player, task.steps)
        if player.is_zombie
        else find_hero_goals(state, player, task)
    )
    return state.board.list_squares(found & ~state.board.square_bits[square])
