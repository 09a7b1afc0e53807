"""Checks of the names and cards in a typed position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import structs

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.games.zombies.board import Board
from referee.games.zombies.components import DECK_SIZES
from referee.games.zombies.options import list_seats
from referee.games.zombies.player import Player
from referee.games.zombies.position import Position, list_cards_outside_decks


def check_position_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields refusals of names and cards that the game does not have, and of a phase in which nobody can act."""
    yield from _check_names(position, options, board)
    yield from _check_cards(position, board)
    if position.phase in ("over", "zombies") and not (position.phase == "zombies" and position.agenda):
        yield Refusal("win.1", f"a position in phase {position.phase!r} leaves nobody anything to do")


def _check_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    chairs, players = list_seats(options), position.players
    for hero in players:
        if hero not in board.components.heroes:
            yield Refusal("comp.hero-figures", f"nobody is called {hero}")
    taken = [seated.seat for seated in players.values() if seated.seat]
    if len(players) > len(chairs):
        yield Refusal(
            "mode.solo.1" if len(chairs) == 1 else "setup.10", f"{len(players)} heroes for {len(chairs)} players"
        )
    for seat in (*taken, *position.order, *filter(None, (position.turn,))):
        if seat not in chairs:
            yield Refusal("setup.10", f"nobody sits at {seat}")
    if len(taken) > len(set(taken)) or len(position.order) > len(set(position.order)):
        yield Refusal("object.1", "a seat is named twice")
    for square in _list_named_squares(position):
        if square not in board.square_numbers:
            yield Refusal("move.2", f"there is no square {square}")
    if list(position.used.values()).count("red-x") > board.components.red_x_tiles:
        yield Refusal("comp.action-tiles", "the game has fewer action tiles with a red X")
    elif list(position.used.values()).count("blank") > board.components.blank_tiles:
        yield Refusal("comp.action-tiles", "the game has fewer blank action tiles")


def _list_named_squares(position: Position) -> Iterator[str]:
    for seated in position.players.values():
        yield from filter(None, (seated.at, *seated.horde.split()))
    for names in (*position.zombies.values(), position.tiles, position.ropes):
        yield from names.split()
    yield from (*position.used, *position.stars, *position.loose, *(heap.at for heap in position.loot))
    for task in position.agenda:
        for value in structs.asdict(task).values():
            yield from (word for word in _list_words(value) if _is_square(word))


def _list_words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _list_words(each)


def _is_square(word: str) -> bool:
    return word[:1] in "SAWH" and word[1:2].islower() and word[2:].isdigit()


def _check_cards(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that every card exists, is held only where its kind may be, and is not named more often than it exists."""
    yield from _check_hands(position, board)
    held = [seated.ability for seated in position.players.values() if seated.ability]
    if len(held) > len(set(held)):
        yield Refusal("comp.ability-cards", "a special ability was drawn twice")
    for card in position.mutations:
        if card not in board.components.cards or board.components.cards[card].kind != "mutation":
            yield Refusal("mutation.1", f"{card} is not a mutation")
    yield from _check_copies(position, board)


def _check_hands(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that each hand holds only cards of the kinds that belong there."""
    for hero, seated in position.players.items():
        for hand, kinds in CARD_KINDS_BY_HAND.items():
            for card in getattr(seated, hand).split():
                found = board.components.cards.get(card)
                if found is None or (found.deck, found.kind) not in kinds:
                    yield Refusal(HAND_RULES[hand], f"{hero} cannot hold {card} among {hand}")
        if seated.ability and seated.ability not in board.components.abilities:
            yield Refusal("comp.ability-cards", f"there is no special ability {seated.ability}")


def _check_copies(position: Position, board: Board) -> Iterator[Refusal]:
    """Checks that no card is named more often than it exists."""
    elsewhere = Counter(list_cards_outside_decks(position, _list_players_with_hands(position)))
    copies = Counter(card for deck in DECK_SIZES for card in board.components.decks[deck])
    for card, count in elsewhere.items():
        if count > copies[card]:
            deck = board.components.cards[card].deck if copies[card] else "action"
            yield Refusal(
                f"comp.{deck}-cards",
                f"{card} is named {count} times, and there {'is 1' if copies[card] == 1 else f'are {copies[card]}'}",
            )


CARD_KINDS_BY_HAND = {
    "supplies": {("supply", kind) for kind in ("close", "ranged", "health", "key", "rope", "grenade", "stealth")},
    "survivors": {("survivor", kind) for kind in ("plain", "item", "noisy")},
    "burdens": {("survivor", "infected"), ("action", "horde")},
    "spent": {("survivor", "item")},
}
"""The cards that each hand may hold, by deck and kind."""
HAND_RULES = {"supplies": "supply.1", "survivors": "survivor.1", "burdens": "turn.free.7", "spent": "survivor.11"}
"""The rule about the cards of each hand."""


def _list_players_with_hands(position: Position) -> tuple[Player, ...]:
    """Returns the players with only the cards in their hands.

    Their seats may still be wrong, so all get the seat "red" here.
    """
    return tuple(
        Player(
            hero,
            "red",
            supplies=tuple(seated.supplies.split()),
            survivors=tuple(seated.survivors.split()),
            burdens=tuple(seated.burdens.split()),
        )
        for hero, seated in position.players.items()
    )
