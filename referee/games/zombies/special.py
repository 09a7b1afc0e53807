"""Free actions at the start of a turn: keys, ropes, stealth, blocking tiles, and what lies about (turn.free.1 to
turn.free.9).
"""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import sequence
from referee.games.zombies.acting import not_in_hand
from referee.games.zombies.board import Square
from referee.games.zombies.components import CardId
from referee.games.zombies.events import RoomOpened, RopePlaced, StealthBegun, ThingsTaken, TilePlaced
from referee.games.zombies.notation import Reader
from referee.games.zombies.state import MOST_TILES, Player, State
from referee.games.zombies.timing import phase_of, verb


def too_late(rule: str) -> Any:
    """Free actions belong to the start of one's own turn (turn.free.1); they use up no action (turn.free.2)."""

    def late(state: State) -> Iterator[Refusal]:
        if phase_of(state) == "action":
            yield Refusal(rule, "free actions come before the first action of the turn")
            yield Refusal("turn.free.1", "free actions come before the first action of the turn")
        elif phase_of(state) == "horde":
            yield Refusal("zhero.3", "a zombie hero has no free actions and uses no cards")

    return late


# Keys


class Key(Action, frozen=True, tag="key"):
    """Open the locked room whose key symbol is near (key.1, key.2, ruling.key-which)."""

    says = "key {card} {symbol}"
    card: CardId
    symbol: Square


def near_or_on(state: State, player: Player, squares: Any) -> tuple[str, ...]:
    """Of some squares those that a player stands on or touches (ruling.key-adjacent)."""
    near = state.ground.near(player.at) | state.board.bit[player.at]
    return tuple(square for square in squares if state.board.bit[square] & near)


def _locked(state: State) -> dict[str, str]:
    """Key symbols of rooms that are closed, with the room's mark."""
    return {symbol: mark for mark, symbol in state.board.keys.items() if mark not in state.opened}


def _key_offers(state: State, player: Player) -> Iterator[Choice]:
    cards = state.usable(player, "key")
    symbols = near_or_on(state, player, _locked(state)) if cards else ()
    if symbols:
        yield Choice(Key, card=OneOf(cards), symbol=OneOf(symbols))


def _key_reasons(state: State, player: Player, action: Key) -> Iterator[Refusal]:
    yield from not_in_hand(state, player, action.card, "key", "key.5")
    if action.symbol not in state.board.keys.values():
        yield Refusal("key.2", f"there is no key symbol on {action.symbol}")
    elif action.symbol not in _locked(state):
        yield Refusal("key.3", f"the room of {action.symbol} is open already")
    elif not near_or_on(state, player, (action.symbol,)):
        yield Refusal("key.2", f"{player.hero} is not next to {action.symbol}")


def _key(state: State, player: Player, action: Key, _dice: Dice) -> Script[State]:
    """Everybody may enter from now on, zombies too (key.4); using the card is a free action (turn.free.5)."""
    state = yield RoomOpened(player.hero, action.card, _locked(state)[action.symbol], action.symbol)  # type: ignore[arg-type]
    yield from sequence.go_on(state)


# Ropes


class LayRope(Action, frozen=True, tag="rope"):
    """Put a rope in place at a symbol that is near (rope.1, rope.2, ruling.rope-effect)."""

    says = "rope {card} {symbol}"
    card: CardId
    symbol: Square


def _bare(state: State) -> tuple[str, ...]:
    return tuple(symbol for symbol in state.board.ropes if symbol not in state.ropes)


def _rope_offers(state: State, player: Player) -> Iterator[Choice]:
    cards = state.usable(player, "rope")
    symbols = near_or_on(state, player, _bare(state)) if cards else ()
    if symbols:
        yield Choice(LayRope, card=OneOf(cards), symbol=OneOf(symbols))


def _rope_reasons(state: State, player: Player, action: LayRope) -> Iterator[Refusal]:
    yield from not_in_hand(state, player, action.card, "rope", "rope.6")
    if action.symbol not in state.board.ropes:
        yield Refusal("rope.2", f"there is no rope symbol on {action.symbol}")
    elif action.symbol in state.ropes:
        yield Refusal("rope.4", f"a rope is in place on {action.symbol} already")
    elif not near_or_on(state, player, (action.symbol,)):
        yield Refusal("rope.2", f"{player.hero} is not next to {action.symbol}")


def _rope(state: State, player: Player, action: LayRope, _dice: Dice) -> Script[State]:
    state = yield RopePlaced(player.hero, action.card, action.symbol, state.board.ropes[action.symbol])
    yield from sequence.go_on(state)


# Stealth


class Stealth(Action, frozen=True, tag="stealth"):
    """Go undetected (stealth.1, stealth.2)."""

    says = "stealth {card}"
    card: CardId


def _check_stealth(state: State, player: Player) -> Iterator[Refusal]:
    """Not next to a zombie, and not where it would be useless (stealth.3, stealth.5)."""
    if state.enemies_near(player.at):
        yield Refusal("stealth.3", f"a zombie is next to {player.hero}")
    foil = state.foils_stealth(player)
    if foil:
        yield Refusal("stealth.5", f"{foil} makes stealth useless here")


def _stealth_offers(state: State, player: Player) -> Iterator[Choice]:
    cards = state.usable(player, "stealth")
    if cards and not any(_check_stealth(state, player)):
        yield Choice(Stealth, card=OneOf(cards))


def _stealth_reasons(state: State, player: Player, action: Stealth) -> Iterator[Refusal]:
    yield from not_in_hand(state, player, action.card, "stealth", "supply.2")
    yield from _check_stealth(state, player)


def _stealth(state: State, player: Player, action: Stealth, _dice: Dice) -> Script[State]:
    """This turn is the first of those for which it lasts (stealth.4, ruling.stealth-turns, turn.free.6)."""
    state = yield StealthBegun(player.hero, action.card, state.card(action.card).turns)
    yield from sequence.go_on(state)


# Blocking tiles


class LayTile(Action, frozen=True, tag="tile"):
    """Lay one blocking tile next to the hero (turn.free.8), or next to one laid before (tile.3)."""

    says = "tile {square}"
    square: Square


def _tile_squares(state: State, player: Player) -> int:
    """The first next to the hero; more of them next to any blocking tile (tile.2, tile.3, ruling.tile-squares)."""
    near = state.ground.near(player.at)
    if state.acts.laid:
        near |= state.ground.touching(state.barred)
    return near & state.free


def _tile_offers(state: State, player: Player) -> Iterator[Choice]:
    squares = _tile_squares(state, player) if player.tiles else 0
    if squares:
        yield Choice(LayTile, square=OneOf(state.board.names(squares)))


def _tile_reasons(state: State, player: Player, action: LayTile) -> Iterator[Refusal]:
    square = action.square
    if not player.tiles:
        yield Refusal("tile.4", f"{player.hero} carries no blocking tile")
    elif square not in state.board.index or not state.board.bit[square] & state.ground.floor:
        yield Refusal("tile.1", f"{square} is no open square")
    elif not state.board.bit[square] & state.free:
        yield Refusal("tile.1", f"{square} is not free")
    elif state.acts.laid:
        yield Refusal("tile.3", f"{square} touches neither {player.hero} nor a blocking tile")
    else:
        yield Refusal("tile.2", f"{square} is not next to {player.hero}")
        yield Refusal("turn.free.8", f"{square} is not next to {player.hero}")


def _tile(state: State, player: Player, action: LayTile, _dice: Dice) -> Script[State]:
    state = yield TilePlaced(player.hero, action.square, player.tiles - 1)
    yield from sequence.go_on(state)


# What lies about


class Take(Action, frozen=True, tag="take"):
    """Take what lies on a square: loose blocking tiles, cards of a killed zombie hero (turn.free.9)."""

    says = "take {square}"
    square: Square


def _loot(state: State, player: Player, square: str) -> tuple[str, ...]:
    """Cards that he may take: those of zombie heroes whom he killed (zhero.4, ruling.zhero-loot)."""
    anybody = state.options["zhero-loot"] == "any-hero"
    heaps = (heap for heap in state.loot if heap.at == square and (anybody or heap.killer == player.hero))
    return tuple(sorted(card for heap in heaps for card in heap.cards))


def _tiles(state: State, player: Player, square: str) -> int:
    return min(state.loose.get(square, 0), MOST_TILES - player.tiles)


def _takeable(state: State, player: Player) -> tuple[str, ...]:
    lying = state.board.in_order({*state.loose, *(heap.at for heap in state.loot)})
    near = near_or_on(state, player, lying)
    return tuple(at for at in near if _tiles(state, player, at) or _loot(state, player, at))


def _take_offers(state: State, player: Player) -> Iterator[Choice]:
    squares = _takeable(state, player) if state.loose or state.loot else ()
    if squares:
        yield Choice(Take, square=OneOf(squares))


def _take_reasons(state: State, player: Player, action: Take) -> Iterator[Refusal]:
    square = action.square
    if square not in state.loose and not any(heap.at == square for heap in state.loot):
        yield Refusal("turn.free.9", f"nothing lies on {square} to be taken")
    elif not near_or_on(state, player, (square,)):
        yield Refusal("turn.free.9", f"{player.hero} is not next to {square}")
    elif square in state.loose:
        yield Refusal("tile.4", f"{player.hero} carries three blocking tiles already")
    else:
        yield Refusal("zhero.4", f"the cards on {square} are for the hero who killed the zombie hero")


def _take(state: State, player: Player, action: Take, _dice: Dice) -> Script[State]:
    tiles, cards = _tiles(state, player, action.square), _loot(state, player, action.square)
    state = yield ThingsTaken(player.hero, action.square, tiles, cards)
    yield from sequence.go_on(state)


def _with_symbol(kind: type[Key] | type[LayRope], use: str) -> Any:
    """Reads card and symbol; the card may be left out, and the symbol where only one is near."""

    def read(reader: Reader) -> Key | LayRope:
        state, player = reader.state, reader.speaker
        cards = state.usable(player, use) if player else ()
        symbols = _locked(state) if kind is Key else _bare(state)
        near = near_or_on(state, player, symbols) if player and player.at else ()
        is_card = bool(reader.words) and (not cards or reader.words[0].text[0] not in "sawh" or len(reader.words) > 1)
        card = reader.card() if is_card else (cards[0] if cards else reader.card())
        return kind(card, reader.square() if reader.words or len(near) != 1 else near[0])

    return read


VERBS: tuple[Verb[State, Any], ...] = (
    verb(
        Key,
        ("start",),
        _key_offers,
        _key,
        rule="key.2",
        reasons=_key_reasons,
        late=too_late("key.1"),
        read=_with_symbol(Key, "key"),
    ),
    verb(
        LayRope,
        ("start",),
        _rope_offers,
        _rope,
        rule="rope.2",
        reasons=_rope_reasons,
        late=too_late("rope.2"),
        read=_with_symbol(LayRope, "rope"),
    ),
    verb(
        Stealth,
        ("start",),
        _stealth_offers,
        _stealth,
        rule="stealth.2",
        reasons=_stealth_reasons,
        late=too_late("stealth.2"),
    ),
    verb(
        LayTile,
        ("start",),
        _tile_offers,
        _tile,
        rule="tile.1",
        reasons=_tile_reasons,
        late=too_late("tile.1"),
        carries=True,
    ),
    verb(
        Take, ("start",), _take_offers, _take, rule="turn.free.9", reasons=_take_reasons, late=too_late("turn.free.9")
    ),
)
