"""The pieces of a position in words: figures, cards and counters of every player, and everything on the squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.engine.text import NotUnderstoodError
from referee.games.zombies.player import Player
from referee.games.zombies.position import PlayerPosition, Position
from referee.games.zombies.state import State

OFF_BOARD_WORD, NOTHING_WORD, TILE_WORD = "off", "none", "tile"
USED_PREFIX, LOOSE_PREFIX, ZOMBIE_PREFIX = "used-", "loose-", "zombie-"
CARD_FIELDS = ("supplies", "survivors", "burdens", "spent")
NUMBER_FIELDS = ("health", "tiles", "stealth")


def list_pieces(view: State) -> dict[str, str]:
    """Returns every piece by its name, in words that `place_piece` reads.

    For example: {"LEE": "Sd7", "LEE.health": "9", "Sd8": "zombie-1"}.
    The pieces are the players' figures, their cards and counters, and the squares on which something lies.
    """
    told: dict[str, str] = {}
    for hero, player in view.players.items():
        told |= {hero: player.at or OFF_BOARD_WORD, **dict(_list_belongings(hero, player))}
    squares = {*view.zombies, *view.tiles, *view.used, *view.loose}
    return told | {
        square: " ".join(_list_things_on_square(view, square)) for square in view.board.sort_squares(squares)
    }


def _list_belongings(hero: str, player: Player) -> Iterator[tuple[str, str]]:
    for name in NUMBER_FIELDS:
        yield f"{hero}.{name}", str(getattr(player, name))
    for name in CARD_FIELDS:
        yield f"{hero}.{name}", " ".join(getattr(player, name)) or NOTHING_WORD
    yield f"{hero}.shots", " ".join(f"{card}:{shots}" for card, shots in player.shots.items()) or NOTHING_WORD
    yield f"{hero}.ability", player.ability or NOTHING_WORD
    yield f"{hero}.zombie", "yes" if player.is_zombie else "no"


def _list_things_on_square(state: State, square: str) -> Iterator[str]:
    if square in state.zombies:
        yield f"{ZOMBIE_PREFIX}{state.zombies[square]}"
        yield from (player.hero for player in state.zombie_heroes if square in player.horde)
    if square in state.tiles:
        yield TILE_WORD
    if square in state.used:
        yield f"{USED_PREFIX}{state.used[square]}"
    if square in state.loose:
        yield f"{LOOSE_PREFIX}{state.loose[square]}"


def place_piece(position: Position, piece: str, where: str) -> Position:
    """Returns the position with a figure elsewhere, other cards or counters, or something else on a square.

    Raises NotUnderstoodError if `where` cannot be read.
    """
    hero, _, name = piece.partition(".")
    if hero not in position.players:
        return _lay_things(position, piece, where)
    words = [] if where.lower() == NOTHING_WORD else where.split()
    match name:
        case "":
            return _change_player(position, hero, at="" if where.lower() == OFF_BOARD_WORD else where)
        case "shots":
            shots = (word.partition(":") for word in words)
            return _change_player(position, hero, shots={card: _parse_number(count) for card, _, count in shots})
        case "zombie":
            return _change_player(position, hero, zombie=_parse_yes(where))
        case "health" | "tiles" | "stealth":
            return _change_player(position, hero, **{name: _parse_number(where)})
    return _change_player(position, hero, **{name: " ".join(sorted(words))})


def _change_player(position: Position, hero: str, **fields: Any) -> Position:
    return replace(position, players={**position.players, hero: replace(position.players[hero], **fields)})


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise NotUnderstoodError(text, 0, len(text), "a number")
    return int(text)


def _parse_yes(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise NotUnderstoodError(text, 0, len(text), "yes or no")
    return text.lower() == "yes"


def _lay_things(position: Position, square: str, where: str) -> Position:
    """Returns the position with these things on a square, and nothing else on it.

    The words are `zombie-1` and the hero of its horde, `tile`, `used-blank`, `loose-1`, `none`.
    """
    position = _clear_square(position, square)
    for word in where.split():
        low = word.lower()
        if low == NOTHING_WORD:
            continue
        if low == TILE_WORD:
            position = replace(position, tiles=_add_square(position.tiles, square))
        elif low in (f"{USED_PREFIX}blank", f"{USED_PREFIX}red-x"):
            position = replace(position, used={**position.used, square: low.removeprefix(USED_PREFIX)})
        elif low.startswith(LOOSE_PREFIX):
            position = replace(
                position, loose={**position.loose, square: _parse_number(low.removeprefix(LOOSE_PREFIX))}
            )
        elif low in (f"{ZOMBIE_PREFIX}1", f"{ZOMBIE_PREFIX}2", f"{ZOMBIE_PREFIX}3"):
            level: Any = f"l{low[-1]}"
            zombies = {**position.zombies, level: _add_square(position.zombies.get(level, ""), square)}
            position = replace(position, zombies=zombies)
        elif word.upper() in position.players:
            hero = word.upper()
            position = _change_player(position, hero, horde=_add_square(position.players[hero].horde, square))
        else:
            at = where.index(word)
            raise NotUnderstoodError(where, at, len(word), "zombie-1 to zombie-3, tile, used-blank, used-red-x or none")
    return position


def _clear_square(position: Position, square: str) -> Position:
    zombies = {level: _remove_square(names, square) for level, names in position.zombies.items()}
    return replace(
        position,
        zombies={level: names for level, names in zombies.items() if names},
        tiles=_remove_square(position.tiles, square),
        used={at: tile for at, tile in position.used.items() if at != square},
        loose={at: tiles for at, tiles in position.loose.items() if at != square},
        players={hero: _dismiss_zombie(player, square) for hero, player in position.players.items()},
    )


def _dismiss_zombie(player: PlayerPosition, square: str) -> PlayerPosition:
    return replace(player, horde=_remove_square(player.horde, square))


def _add_square(names: str, square: str) -> str:
    return " ".join((*names.split(), square))


def _remove_square(names: str, square: str) -> str:
    return " ".join(name for name in names.split() if name != square)
