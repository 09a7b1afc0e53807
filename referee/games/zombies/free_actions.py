"""Free actions at the start of a turn (turn.free.1 to turn.free.9).

They use keys, ropes, stealth cards and blocking tiles, and take things that lie on the board.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.text import count_of, listing, spell_number
from referee.games.zombies.board import RoomMark, Square
from referee.games.zombies.components import CardId, CardIds, HeroId
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import MAX_CARRIED_TILES, Player
from referee.games.zombies.state import EventNumber, State, add_cards, remove_key

# What happens


class RoomOpened(Event, frozen=True, tag="room-opened"):
    """A locked room is open for good (key.1, key.3)."""

    told = "{hero} uses {card} at {symbol}: take the locked room tile off."
    hero: HeroId
    card: CardId
    room: RoomMark
    symbol: Square

    def apply(self, state: State) -> State:
        """Opens the room and uses up the key (key.5)."""
        return replace(state, opened=tuple(sorted((*state.opened, self.room)))).use_card(self.hero, self.card)


class RopePlaced(Event, frozen=True, tag="rope-placed"):
    """A rope is in place for good (rope.1, rope.4)."""

    told = "{hero} uses {card}: a rope leads from {symbol} to {landing}."
    hero: HeroId
    card: CardId
    symbol: Square
    landing: Square

    def apply(self, state: State) -> State:
        """Puts the rope in place and uses up the card (rope.6)."""
        ropes = state.board.sort_squares((*state.ropes, self.symbol))
        return replace(state, ropes=ropes).use_card(self.hero, self.card)


class StealthBegun(Event, frozen=True, tag="stealth-begun"):
    """A hero goes undetected (stealth.1)."""

    hero: HeroId
    card: CardId
    turns: EventNumber

    def tell(self) -> str:
        """Tells for how many turns."""
        return f"{self.hero} uses {self.card}: undetected for {count_of(self.turns, 'turn')}, this one included."

    def apply(self, state: State) -> State:
        """Starts the turns of stealth and uses up the card."""
        return state.change_player(self.hero, stealth=self.turns).use_card(self.hero, self.card)


class BlockingTilePlaced(Event, frozen=True, tag="tile-placed"):
    """A blocking tile bars a square (tile.1)."""

    told = "{hero} lays a blocking tile on {at}; {left} left."
    hero: HeroId
    at: Square
    left: EventNumber

    def apply(self, state: State) -> State:
        """Lays the tile on the square, and notes that the hero has laid one in this turn."""
        tiles = state.board.sort_squares((*state.tiles, self.at))
        acts = replace(state.acts, laid=True)
        return replace(state.change_player(self.hero, tiles=self.left), tiles=tiles, acts=acts)


class ThingsTaken(Event, frozen=True, tag="things-taken"):
    """A hero has taken what lies on a square (turn.free.9)."""

    hero: HeroId
    at: Square
    tiles: EventNumber
    cards: CardIds

    def tell(self) -> str:
        """Tells cards and tiles that change hands."""
        what = [*self.cards, *([count_of(self.tiles, "blocking tile")] if self.tiles else [])]
        return f"{self.hero} takes {listing(what)} from {self.at}."

    def apply(self, state: State) -> State:
        """Takes the tiles and cards off the square and gives them to the hero."""
        player = state.players[self.hero]
        left = state.loose.get(self.at, 0) - self.tiles
        loose = {**state.loose, self.at: left} if left else remove_key(state.loose, self.at)
        loot = tuple(heap for heap in state.loot if not (heap.at == self.at and set(heap.cards) <= set(self.cards)))
        supplies = add_cards(player.supplies, *self.cards)
        state = replace(state, loose=loose, loot=loot)
        return state.change_player(self.hero, tiles=player.tiles + self.tiles, supplies=supplies)


# When, and with what in hand


def make_free_action_check(rule: str) -> Any:
    """Returns a check for the argument `late` of a verb. The check yields why a free action comes too late.

    Free actions belong to the start of one's own turn (turn.free.1); they use up no action (turn.free.2).
    """

    def late(state: State) -> Iterator[Refusal]:
        if state.task:
            return
        if state.phase == "action":
            yield Refusal(rule, "free actions come before the first action of the turn")
            yield Refusal("turn.free.1", "free actions come before the first action of the turn")
        elif state.phase == "horde":
            yield Refusal("zhero.3", "a zombie hero has no free actions and uses no cards")

    return late


def refuse_card_not_in_hand(state: State, player: Player, card: str, use: str, rule: str) -> Iterator[Refusal]:
    """Yields a refusal if a player cannot use this card as `use`, such as "key".

    The refusal names `rule`, or survivor.11 if the item of the card was used already.
    """
    if card in player.spent:
        yield Refusal("survivor.11", f"the item that {card} carried is already used up")
    elif card not in state.list_usable_cards(player, use):
        yield Refusal(rule, f"{player.hero} holds no {use} card {card}")


# Keys


class Key(Action, frozen=True, tag="key"):
    """Open the locked room whose key symbol is near (key.1, key.2, ruling.key-which)."""

    says = "key {card} {symbol}"
    card: CardId
    symbol: Square


def list_squares_near(state: State, player: Player, squares: Any) -> tuple[str, ...]:
    """Returns those of `squares` that a player stands on or touches, in the given order (ruling.key-adjacent)."""
    near = state.ground.find_squares_adjacent_to(player.at) | state.board.square_bits[player.at]
    return tuple(square for square in squares if state.board.square_bits[square] & near)


def _map_locked_rooms(state: State) -> dict[str, str]:
    """Returns the marks of closed rooms, by their key symbols."""
    return {symbol: mark for mark, symbol in state.board.key_symbols.items() if mark not in state.opened}


def _offer_key(state: State, player: Player) -> Iterator[Choice]:
    cards = state.list_usable_cards(player, "key")
    symbols = list_squares_near(state, player, _map_locked_rooms(state)) if cards else ()
    if symbols:
        yield Choice(Key, card=OneOf(cards), symbol=OneOf(symbols))


def _check_key(state: State, player: Player, action: Key) -> Iterator[Refusal]:
    yield from refuse_card_not_in_hand(state, player, action.card, "key", "key.5")
    if action.symbol not in state.board.key_symbols.values():
        yield Refusal("key.2", f"there is no key symbol on {action.symbol}")
    elif action.symbol not in _map_locked_rooms(state):
        yield Refusal("key.3", f"the room of {action.symbol} is open already")
    elif not list_squares_near(state, player, (action.symbol,)):
        yield Refusal("key.2", f"{player.hero} is not next to {action.symbol}")


def _open_room(state: State, player: Player, action: Key, _dice: Dice) -> Script[State]:
    """Opens the room for everybody, zombies too (key.4). Using the card is a free action (turn.free.5)."""
    room: Any = _map_locked_rooms(state)[action.symbol]  # one of the three marks
    return (yield RoomOpened(player.hero, action.card, room, action.symbol))


# Ropes


class LayRope(Action, frozen=True, tag="rope"):
    """Put a rope in place at a symbol that is near (rope.1, rope.2, ruling.rope-effect)."""

    says = "rope {card} {symbol}"
    card: CardId
    symbol: Square


def _list_symbols_without_rope(state: State) -> tuple[str, ...]:
    return tuple(symbol for symbol in state.board.rope_landings if symbol not in state.ropes)


def _offer_rope(state: State, player: Player) -> Iterator[Choice]:
    cards = state.list_usable_cards(player, "rope")
    symbols = list_squares_near(state, player, _list_symbols_without_rope(state)) if cards else ()
    if symbols:
        yield Choice(LayRope, card=OneOf(cards), symbol=OneOf(symbols))


def _check_rope(state: State, player: Player, action: LayRope) -> Iterator[Refusal]:
    yield from refuse_card_not_in_hand(state, player, action.card, "rope", "rope.6")
    if action.symbol not in state.board.rope_landings:
        yield Refusal("rope.2", f"there is no rope symbol on {action.symbol}")
    elif action.symbol in state.ropes:
        yield Refusal("rope.4", f"a rope is in place on {action.symbol} already")
    elif not list_squares_near(state, player, (action.symbol,)):
        yield Refusal("rope.2", f"{player.hero} is not next to {action.symbol}")


def _lay_rope(state: State, player: Player, action: LayRope, _dice: Dice) -> Script[State]:
    return (yield RopePlaced(player.hero, action.card, action.symbol, state.board.rope_landings[action.symbol]))


# Stealth


class StartStealth(Action, frozen=True, tag="stealth"):
    """Go undetected (stealth.1, stealth.2)."""

    says = "stealth {card}"
    card: CardId


def _check_stealth(state: State, player: Player) -> Iterator[Refusal]:
    """Yields why stealth cannot begin: a zombie is next to the player, or something makes stealth useless (stealth.3,
    stealth.5).
    """
    if state.find_threats_near(player.at):
        yield Refusal("stealth.3", f"a zombie is next to {player.hero}")
    foil = state.find_card_against_stealth(player)
    if foil:
        yield Refusal("stealth.5", f"{foil} makes stealth useless here")


def _offer_stealth(state: State, player: Player) -> Iterator[Choice]:
    cards = state.list_usable_cards(player, "stealth")
    if cards and not any(_check_stealth(state, player)):
        yield Choice(StartStealth, card=OneOf(cards))


def _check_stealth_card(state: State, player: Player, action: StartStealth) -> Iterator[Refusal]:
    yield from refuse_card_not_in_hand(state, player, action.card, "stealth", "supply.2")
    yield from _check_stealth(state, player)


def _begin_stealth(state: State, player: Player, action: StartStealth, _dice: Dice) -> Script[State]:
    """Begins stealth. This turn counts as its first turn (stealth.4, ruling.stealth-turns, turn.free.6)."""
    return (yield StealthBegun(player.hero, action.card, state.get_card(action.card).turns))


# Blocking tiles


class LayTile(Action, frozen=True, tag="tile"):
    """Lay one blocking tile next to the hero (turn.free.8), or next to one laid before (tile.3)."""

    says = "tile {square}"
    square: Square


def _find_tile_squares(state: State, player: Player) -> int:
    """Returns the squares for the next blocking tile (ruling.tile-squares).

    The first tile of a turn goes next to the hero (tile.2). Later ones may go next to any blocking tile too (tile.3).
    """
    near = state.ground.find_squares_adjacent_to(player.at)
    if state.acts.laid:
        near |= state.ground.find_adjacent_squares(state.tile_squares)
    return near & state.empty_squares


def _offer_tile(state: State, player: Player) -> Iterator[Choice]:
    squares = _find_tile_squares(state, player) if player.tiles else 0
    if squares:
        yield Choice(LayTile, square=OneOf(state.board.list_squares(squares)))


def _check_tile(state: State, player: Player, action: LayTile) -> Iterator[Refusal]:
    square = action.square
    if not player.tiles:
        yield Refusal("tile.4", f"{player.hero} carries no blocking tile")
    elif square not in state.board.square_numbers or not state.board.square_bits[square] & state.ground.open_squares:
        yield Refusal("tile.1", f"{square} is not an open square")
    elif not state.board.square_bits[square] & state.empty_squares:
        yield Refusal("tile.1", f"{square} is not free")
    elif state.acts.laid:
        yield Refusal("tile.3", f"{square} touches neither {player.hero} nor a blocking tile")
    else:
        yield Refusal("tile.2", f"{square} is not next to {player.hero}")
        yield Refusal("turn.free.8", f"{square} is not next to {player.hero}")


def _lay_tile(_state: State, player: Player, action: LayTile, _dice: Dice) -> Script[State]:
    return (yield BlockingTilePlaced(player.hero, action.square, player.tiles - 1))


# What lies about


class TakeThings(Action, frozen=True, tag="take"):
    """Take what lies on a square: loose blocking tiles, cards of a killed zombie hero (turn.free.9)."""

    says = "take {square}"
    square: Square


def _list_cards_to_take(state: State, player: Player, square: str) -> tuple[str, ...]:
    """Returns the cards on a square that the player may take.

    The cards belonged to zombie heroes whom this player killed. The option `zhero-loot` may also allow the cards of
    zombie heroes whom others killed (zhero.4, ruling.zhero-loot).
    """
    anybody = state.options["zhero-loot"] == "any-hero"
    heaps = (heap for heap in state.loot if heap.at == square and (anybody or heap.killer == player.hero))
    return tuple(sorted(card for heap in heaps for card in heap.cards))


def _count_tiles_to_take(state: State, player: Player, square: str) -> int:
    """Returns the number of loose blocking tiles on a square that the player can carry."""
    return min(state.loose.get(square, 0), MAX_CARRIED_TILES - player.tiles)


def _list_squares_to_take_from(state: State, player: Player) -> tuple[str, ...]:
    lying = state.board.sort_squares({*state.loose, *(heap.at for heap in state.loot)})
    near = list_squares_near(state, player, lying)
    return tuple(at for at in near if _count_tiles_to_take(state, player, at) or _list_cards_to_take(state, player, at))


def _offer_take(state: State, player: Player) -> Iterator[Choice]:
    squares = _list_squares_to_take_from(state, player) if state.loose or state.loot else ()
    if squares:
        yield Choice(TakeThings, square=OneOf(squares))


def _check_take(state: State, player: Player, action: TakeThings) -> Iterator[Refusal]:
    square = action.square
    if square not in state.loose and not any(heap.at == square for heap in state.loot):
        yield Refusal("turn.free.9", f"nothing lies on {square} to be taken")
    elif not list_squares_near(state, player, (square,)):
        yield Refusal("turn.free.9", f"{player.hero} is not next to {square}")
    elif square in state.loose:
        yield Refusal("tile.4", f"{player.hero} carries {spell_number(player.tiles)} blocking tiles already")
    else:
        yield Refusal("zhero.4", f"the cards on {square} are for the hero who killed the zombie hero")


def _take_things(state: State, player: Player, action: TakeThings, _dice: Dice) -> Script[State]:
    tiles, cards = _count_tiles_to_take(state, player, action.square), _list_cards_to_take(state, player, action.square)
    return (yield ThingsTaken(player.hero, action.square, tiles, cards))


def _make_symbol_reader(kind: type[Key] | type[LayRope], use: str) -> Any:
    """Returns a function that reads the card and the symbol for a key or a rope.

    The card may be left out, and the symbol too if only one is near.
    """

    def read(reader: Reader) -> Key | LayRope:
        state, player = reader.state, reader.speaker
        cards = state.list_usable_cards(player, use) if player else ()
        symbols = _map_locked_rooms(state) if kind is Key else _list_symbols_without_rope(state)
        near = list_squares_near(state, player, symbols) if player and player.at else ()
        is_card = bool(reader.words) and (not cards or reader.words[0].text[0] not in "sawh" or len(reader.words) > 1)
        card = reader.read_card() if is_card else (cards[0] if cards else reader.read_card())
        return kind(card, reader.read_square() if reader.words or len(near) != 1 else near[0])

    return read


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        Key,
        ("start",),
        _offer_key,
        _open_room,
        rule="key.2",
        check=_check_key,
        late=make_free_action_check("key.1"),
        read=_make_symbol_reader(Key, "key"),
    ),
    make_verb(
        LayRope,
        ("start",),
        _offer_rope,
        _lay_rope,
        rule="rope.2",
        check=_check_rope,
        late=make_free_action_check("rope.2"),
        read=_make_symbol_reader(LayRope, "rope"),
    ),
    make_verb(
        StartStealth,
        ("start",),
        _offer_stealth,
        _begin_stealth,
        rule="stealth.2",
        check=_check_stealth_card,
        late=make_free_action_check("stealth.2"),
    ),
    make_verb(
        LayTile,
        ("start",),
        _offer_tile,
        _lay_tile,
        rule="tile.1",
        check=_check_tile,
        late=make_free_action_check("tile.1"),
        carries=True,
    ),
    make_verb(
        TakeThings,
        ("start",),
        _offer_take,
        _take_things,
        rule="turn.free.9",
        check=_check_take,
        late=make_free_action_check("turn.free.9"),
    ),
)
