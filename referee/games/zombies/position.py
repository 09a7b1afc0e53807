"""The position that a person can type: figures, cards, tokens and tiles, and the state of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from referee.engine.deck import Deck
from referee.engine.options import Options
from referee.engine.text import listing
from referee.games.zombies.board import Board, LevelLetter, RoomMark, Square, SquareOrEmpty
from referee.games.zombies.components import DECK_SIZES, CardId, CardIds, DeckName, HeroId
from referee.games.zombies.options import list_seats
from referee.games.zombies.player import Player, SmallCount
from referee.games.zombies.state import ActionsDone, Loot, Phase, StarCards, State
from referee.games.zombies.tasks import AnyTask

SeatName = Literal["red", "blue", "green", "orange"]
NameList = Annotated[str, Meta(max_length=1000)]
"""Cards or squares as typed, in any case: "pistol rope", "Sd7 Sd8"."""


def _capitalize_squares(names: str) -> str:
    """Returns names of squares with the right capitals: Sd7 for sD7."""
    return " ".join(map(str.capitalize, names.split()))


class PlayerPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's part of a position, as a person types it."""

    at: SquareOrEmpty = ""
    seat: SeatName | None = None
    """The player's seat; None for the next free one, in the order of the hero cards."""
    health: SmallCount | None = None
    """The health left; None for full health."""
    zombie: bool = False
    ability: str = ""
    supplies: NameList = ""
    survivors: NameList = ""
    burdens: NameList = ""
    """Infected survivors and horde cards that must be rolled for."""
    shots: dict[CardId, SmallCount] = {}
    """Shots fired with ranged weapons."""
    spent: NameList = ""
    """Survivors whose item was used."""
    tiles: Annotated[int, Meta(ge=0, le=3)] = 0
    stealth: Annotated[int, Meta(ge=0, le=20)] = 0
    """The player's own turns for which stealth still lasts, this one included."""
    horde: NameList = ""
    """The squares of the horde."""

    def __post_init__(self) -> None:
        """Puts names of cards and squares into the right capitals."""
        for hand in NAME_LIST_FIELDS:
            force_setattr(self, hand, getattr(self, hand).lower())
        force_setattr(self, "horde", _capitalize_squares(self.horde))


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a person types it."""

    phase: Phase = "start"
    turn: SeatName | None = None
    """The seat whose turn it is; None for the first one."""
    turns: Annotated[int, Meta(ge=0, le=100_000)] = 1
    """Turns begun so far, of all players together."""
    order: tuple[SeatName, ...] = ()
    """Seats in playing order; empty for red, blue, green, orange."""
    players: dict[HeroId, PlayerPosition] = {}
    zombies: dict[Literal["l1", "l2", "l3"], NameList] = {}
    """Squares of the zombies of each level."""
    tiles: NameList = ""
    """Squares with a blocking tile."""
    used: dict[Square, Literal["blank", "red-x"]] = {}
    """Used tokens, each with its action tile."""
    opened: tuple[RoomMark, ...] = ()
    """Locked rooms that were opened."""
    ropes: NameList = ""
    """Symbols of ropes that are in place."""
    mutations: dict[CardId, LevelLetter] = {}
    """Mutations in force, each with its level."""
    stars: dict[Square, StarCards] = {}
    """Bonus stars that were reached."""
    loose: dict[Square, SmallCount] = {}
    """The number of loose blocking tiles on each square."""
    loot: Annotated[tuple[Loot, ...], Meta(max_length=10)] = ()
    """Cards of killed zombie heroes."""
    discards: dict[DeckName, NameList] = {}
    """Cards in the discard piles. Cards that are named nowhere are in the decks."""
    acts: ActionsDone = ActionsDone()
    """The actions that the hero whose turn it is has done."""
    tested: CardIds = ()
    """Cards that were rolled for in this turn and stayed."""
    recent: tuple[HeroId, ...] = ()
    """Heroes by their last action, the latest first."""
    agenda: Annotated[tuple[AnyTask, ...], Meta(max_length=40)] = ()
    """The tasks before the turn goes on, the first one first."""

    def __post_init__(self) -> None:
        """Puts names of cards and squares into the right capitals."""
        for field in ("tiles", "ropes"):
            force_setattr(self, field, _capitalize_squares(getattr(self, field)))
        force_setattr(self, "zombies", {level: _capitalize_squares(names) for level, names in self.zombies.items()})
        force_setattr(self, "discards", {deck: names.lower() for deck, names in self.discards.items()})


FIELDS_SHARED_WITH_STATE = ("phase", "tested", "recent", "agenda", "acts", "loot")
"""Fields that a position and a state have in common, with the same values."""
MAPPING_FIELDS = ("used", "mutations", "stars", "loose")
"""Fields that are mappings both in a position and in a state."""
SHARED_PLAYER_FIELDS = ("at", "ability", "tiles", "stealth")
"""Fields that a typed player and a player of a state have in common, with the same values."""
NAME_LIST_FIELDS = ("supplies", "survivors", "burdens", "spent", "horde")
"""Fields that hold several names in one text."""


def position_from(state: State) -> Position:
    """Returns the position of a state. `state_from` turns it back into an equal state, unless the game is over."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in FIELDS_SHARED_WITH_STATE}
    fields |= {name: dict(getattr(state, name)) for name in MAPPING_FIELDS}
    levels = {level: [square for square, each in state.zombies.items() if each == level] for level in (1, 2, 3)}
    return Position(
        turn=state.mover,  # type: ignore[arg-type]  # one of the four seats
        turns=state.turn,
        order=state.order,  # type: ignore[arg-type]  # some of the four seats
        players={hero: _make_player_position(player) for hero, player in state.players.items()},
        zombies={f"l{level}": " ".join(state.board.sort_squares(each)) for level, each in levels.items() if each},  # type: ignore[misc]
        tiles=" ".join(state.tiles),
        opened=state.opened,
        ropes=" ".join(state.ropes),
        discards={deck: " ".join(cards.discards) for deck, cards in state.decks.items() if cards.discards},
        **fields,
    )


def _make_player_position(player: Player) -> PlayerPosition:
    fields: dict[str, Any] = {name: getattr(player, name) for name in SHARED_PLAYER_FIELDS}
    fields |= {name: " ".join(getattr(player, name)) for name in NAME_LIST_FIELDS}
    return PlayerPosition(
        seat=player.seat, health=player.health, zombie=player.is_zombie, shots=dict(player.shots), **fields
    )


def state_from(position: Position, options: Options, board: Board) -> State:
    """Returns the state of a checked position."""
    order = position.order or list_seats(options)
    players = dict(_make_players(position, list_seats(options), board))
    fields: dict[str, Any] = {name: getattr(position, name) for name in (*FIELDS_SHARED_WITH_STATE, *MAPPING_FIELDS)}
    held = {player.ability for player in players.values()}
    tiles = list(board.components.action_tiles)
    for tile in position.used.values():
        tiles.remove(tile)
    return State(
        board=board,
        options=options,
        decks=_make_decks(position, players.values(), board),
        tile_deck=Deck(tuple(tiles)),
        mover=position.turn or order[0],
        turn=position.turns,
        order=order,
        players=players,
        zombies={square: int(level[1]) for level, names in position.zombies.items() for square in names.split()},
        abilities=tuple(ability for ability in sorted(board.components.abilities) if ability not in held),
        tiles=board.sort_squares(position.tiles.split()),
        opened=tuple(sorted(position.opened)),
        ropes=board.sort_squares(position.ropes.split()),
        **fields,
    )


def _make_players(position: Position, chairs: tuple[str, ...], board: Board) -> Iterable[tuple[str, Player]]:
    taken = {seated.seat for seated in position.players.values()}
    free = iter([chair for chair in chairs if chair not in taken])
    for hero in filter(position.players.__contains__, board.components.heroes):
        seated = position.players[hero]
        card = board.components.heroes[hero]
        fields: dict[str, Any] = {name: getattr(seated, name) for name in SHARED_PLAYER_FIELDS}
        fields |= {name: tuple(sorted(getattr(seated, name).split())) for name in NAME_LIST_FIELDS}
        fields["horde"] = board.sort_squares(fields["horde"])
        full = card.zombie_health if seated.zombie else card.health
        health = full if seated.health is None else seated.health
        seat: Any = seated.seat or next(free)
        yield hero, Player(hero, seat, health, is_zombie=seated.zombie, shots=dict(seated.shots), **fields)


def describe_added_facts(position: Position) -> tuple[str, ...]:
    """Returns sentences about facts that `state_from` adds to a position, because they were not typed."""
    players = position.players
    seatless = listing([hero for hero in players if players[hero].seat is None])
    unhurt = listing([hero for hero in players if players[hero].health is None])
    told = {
        f"A free seat was given to {seatless}.": bool(seatless),
        f"Full health was given to {unhurt} (setup.17).": bool(unhurt),
        "The first player in the order is to move.": position.turn is None,
    }
    return tuple(sentence for sentence, is_so in told.items() if is_so)


def list_cards_outside_decks(position: Position, players: Iterable[Player]) -> list[str]:
    """Returns every card that a position names outside the decks, as often as it is named."""
    hands = [card for player in players for card in (*player.supplies, *player.survivors, *player.burdens)]
    stars = [card for star in position.stars.values() for card in star.cards]
    loot = [card for heap in position.loot for card in heap.cards]
    discards = [card for names in position.discards.values() for card in names.split()]
    return [*hands, *stars, *loot, *position.mutations, *discards]


def _make_decks(position: Position, players: Iterable[Player], board: Board) -> Mapping[DeckName, Deck]:
    gone = list_cards_outside_decks(position, players)
    decks: dict[DeckName, Deck] = {}
    for deck in DECK_SIZES:
        left = list(board.components.decks[deck])
        for card in gone:
            if card in left:
                left.remove(card)
        decks[deck] = Deck(tuple(left), tuple(sorted(position.discards.get(deck, "").split())))
    return decks


def set_up_game(options: Options, board: Board) -> State:
    """Returns the state in which a game begins: all decks whole, tokens unused, the start areas to be filled (setup.1,
    setup.5).
    """
    return state_from(Position(phase="fill", turns=0), options, board)
