"""Descriptions of cards, abilities, heroes and squares, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.position_form import describe_nondefault_fields
from referee.engine.text import begin_sentence
from referee.games.zombies.board import LEVEL_NAMES
from referee.games.zombies.components import MutationKind
from referee.games.zombies.pieces import ZOMBIE_PREFIX
from referee.games.zombies.state import State

MIN_NAME_LETTERS = 3
"""The fewest letters that may stand for a whole name. No other name may begin with them."""
FIELDS_TOLD_APART = ("deck", "id", "kind", "name", "mutation")
"""Fields of a card that are not told in the list of its numbers."""
CARD_KIND_RULES: Mapping[str, str] = {
    "close": "supply.close.1",
    "ranged": "supply.ranged.1",
    "health": "supply.health.1",
    "key": "key.1",
    "rope": "rope.1",
    "grenade": "grenade.1",
    "stealth": "stealth.1",
    "infected": "survivor.2",
    "zombie": "card.zombie.1",
    "horde": "horde.1",
    "survivor": "survivor.1",
    "mutation": "mutation.2",
}
"""The first rule about the cards of each kind."""
MUTATION_EFFECTS: Mapping[MutationKind, str] = {
    "diagonal": "zombies and zombie heroes of the level step diagonally, too (zhero.move.5)",
    "no-stealth": "stealth has no effect on the level (mutation.7)",
    "defense": "the defense of all zombies of the level is higher (mutation.2)",
    "speed": "zombies of the level move farther (mutation.2)",
}
"""The effect of each mutation."""
THING_DESCRIPTIONS: Mapping[str, str] = {
    "tile": "An action tile is drawn at a token and laid on it; a red X gives a blocking tile (token.4, token.5).",
    "red-x": "A red X on an action tile gives a blocking tile to the player who drew it (token.5).",
    "blocking": "A player lays a blocking tile at the start of a turn; it stops movement and sight (tile.1, tile.10).",
    "token": "A token stops a hero, who draws an action tile and a card there; it is used up then (token.1, token.2).",
    "rope": "A rope leads onto a roof: a player places it with a card at its symbol, and it stays (rope.1, rope.2).",
    "star": "A bonus star stops movement like a token, and gives each hero a supply card (bonus.1, bonus.4).",
}
"""Sentences about the things on the board besides figures, by name."""


TERRAIN_MEANINGS: Mapping[str, str] = {
    "#": "solid",
    ".": "floor",
    "~": "the floor of a roof",
    "T": "on top of the tanker, reached by rope only (setup.3)",
}
"""The meaning of each sign on the map."""
LOCKED_ROOM_MEANING = "in the locked room {mark}, solid until its key is used (key.1)"
START_MEANINGS: Mapping[str, str] = {
    "h": "a start of heroes (setup.15)",
    "Z": "a start of zombie heroes (ruling.zhero-start)",
}


def describe_thing(view: State, word: str) -> tuple[str, ...]:
    """Returns sentences about the card, ability, hero, square or other thing with this lower-case name.

    For a card, an ability or a hero, the beginning of the name is enough if only one name begins like this. The result
    is empty if nothing has the name.
    """
    cards = view.board.components
    told = _describe_named_thing(view, word)
    if told:
        return told
    names = {thing.id.lower() for things in (cards.card, cards.ability, cards.hero) for thing in things}
    begun = [name for name in names if len(word) >= MIN_NAME_LETTERS and name.startswith(word)]
    return _describe_named_thing(view, begun[0]) if len(begun) == 1 else ()


def _describe_named_thing(view: State, word: str) -> tuple[str, ...]:
    cards = view.board.components
    thing = THING_DESCRIPTIONS.get(word) or THING_DESCRIPTIONS.get(word.removesuffix("s"))
    told = [
        *([thing] if thing else []),
        *_describe_card(view, word),
        *_describe_square(view, word),
        *_describe_place(view, word),
    ]
    for kind, things in (("A special ability", cards.ability), ("A hero", cards.hero)):
        told += [
            f"{kind}, {thing.id}: {describe_nondefault_fields(thing, FIELDS_TOLD_APART)}."
            for thing in things
            if word in (thing.id.lower(), getattr(thing, "name", "").lower())
        ]
    told += [
        f"A zombie of level {kind.level}, {ZOMBIE_PREFIX}{kind.level}: defense {kind.defense} (comp.defense)."
        for kind in cards.zombie
        if word == f"{ZOMBIE_PREFIX}{kind.level}"
    ]
    return tuple(told)


def _describe_card(view: State, word: str) -> Iterator[str]:
    for card in view.board.components.card:
        if card.id != word:
            continue
        rule = f" ({CARD_KIND_RULES[card.kind]})" if card.kind in CARD_KIND_RULES else ""
        numbers = describe_nondefault_fields(card, FIELDS_TOLD_APART)
        yield f"A card of the {card.deck} deck, {card.kind}{rule}{f': {numbers}' if numbers else ''}."
        if card.mutation:
            yield begin_sentence(f"{MUTATION_EFFECTS[card.mutation]}.")


def _describe_square(view: State, word: str) -> Iterator[str]:
    """Yields a sentence about a square and everything on it; nothing if the word is not a square."""
    square = word[:1].upper() + word[1:]
    board = view.board
    if square not in board.map_signs:
        return
    terrain, feature = board.map_signs[square]
    told = [
        TERRAIN_MEANINGS.get(terrain)
        or ("floor of a room that was opened" if terrain in view.opened else LOCKED_ROOM_MEANING.format(mark=terrain))
    ]
    if square in board.tokens:
        kind = board.tokens[square]
        told.append(f"{'a star' if kind == 'star' else f'a token, {kind}'}{', used up' if square in view.used else ''}")
    told += [START_MEANINGS[feature]] if feature in START_MEANINGS else []
    told += (
        ["the helipad (comp.helipad)"]
        if board.square_bits[square] & board.helipad_squares_by_option[view.options["helipad"]]
        else []
    )
    told += _describe_things_on_square(view, square)
    yield f"A square, {square}, of the {LEVEL_NAMES[square[0]]}: {'; '.join(told)}."


def _describe_things_on_square(view: State, square: str) -> Iterator[str]:
    """Yields the figures on a square, and its blocking tile."""
    yield from (hero for hero, player in view.players.items() if player.at == square)
    if square in view.zombies:
        yield f"{ZOMBIE_PREFIX}{view.zombies[square]}"
    if square in view.tiles:
        yield "a blocking tile (tile.10)"


def _describe_place(view: State, word: str) -> Iterator[str]:
    """Yields where the stair or rope at a square leads, and which room a key symbol opens.

    The word "stairs" yields all stairs.
    """
    board = view.board
    for one, other in board.stairs.items():
        if word == one.lower() or (word in ("stair", "stairs") and one < other):
            yield f"A stair joins {one} and {other} (ruling.level-links)."
    for rope in board.file.rope:
        if word in (rope.symbol.lower(), rope.landing.lower()):
            yield f"A rope leads from {rope.symbol} to {rope.landing} (rope.1)."
    for room in board.file.room:
        if word == room.key.lower():
            yield f"The key symbol of the locked room {room.mark} is on {room.key} (key.2)."
