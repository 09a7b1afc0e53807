"""Cards and figures, read from a TOML file: heroes, special abilities, zombies and four decks.

The kind of a card tells what it does. A card is named by the word that a person types when it is drawn. Supply and
survivor cards are held in hands, so each has its own name. Several action cards, or zombie cards, may share a name.
Cards that are in no file cannot be drawn (ruling.owner-cards).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

DeckName = Literal["action", "supply", "survivor", "zombie"]
CardKind = Literal[
    "close",
    "ranged",
    "health",
    "key",
    "rope",
    "grenade",
    "stealth",
    "plain",
    "item",
    "infected",
    "noisy",
    "spawn",
    "horde",
    "zombie",
    "supply",
    "survivor",
    "mutation",
]
CARD_KINDS_BY_DECK: Mapping[DeckName, tuple[CardKind, ...]] = {
    "action": ("zombie", "mutation", "horde", "survivor", "supply"),
    "supply": ("close", "ranged", "health", "key", "rope", "grenade", "stealth"),
    "survivor": ("plain", "item", "infected", "noisy"),
    "zombie": ("spawn", "horde"),
}
"""The kinds of cards in each deck (card.action.1, mutation.1, supply.1, card.zombie.7)."""
DECK_SIZES: Mapping[DeckName, int] = {"action": 30, "supply": 42, "survivor": 30, "zombie": 24}
"""The number of cards in each deck (comp.action-cards, comp.supply-cards, comp.survivor-cards, comp.zombie-cards)."""
DECK_SIZE_RULES: Mapping[DeckName, str] = {deck: f"comp.{deck}-cards" for deck in DECK_SIZES}
"""The rule about the size of each deck."""
HERO_COUNT = 6
"""The number of heroes. Each has two figures, a card with two sides and a zombie token (comp.hero-figures,
comp.zombie-tokens).
"""
ACTION_TILE_COUNT = 54
"""The number of action tiles, and so the most tokens that can be used up (comp.action-tiles)."""

CardId = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,23}$")]
CardIds = Annotated[tuple[CardId, ...], Meta(max_length=80)]
HeroId = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
HeroIdOrEmpty = Annotated[str, Meta(pattern="^([A-Z]{3})?$")]
"""A hero; empty for nobody."""
MutationKind = Literal["diagonal", "no-stealth", "defense", "speed"]
CardNumber = Annotated[int, Meta(ge=0, le=20)]
ZombieLevel = Annotated[int, Meta(ge=1, le=3)]


class Hero(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A hero, and the zombie hero on the other side of the card."""

    id: HeroId
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    trade: Annotated[str, Meta(max_length=40)]
    health: Annotated[int, Meta(ge=1, le=20)]
    defense: Annotated[int, Meta(ge=2, le=14)]
    zombie_health: Annotated[int, Meta(ge=1, le=20)]
    zombie_defense: Annotated[int, Meta(ge=2, le=14)]
    penalty: Annotated[int, Meta(ge=0, le=5)] = 0
    """The number taken off the movement die of the zombie hero (zhero.move.3)."""


class Ability(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A special ability card, with the numbers that it adds (comp.ability-cards, attack.8)."""

    id: CardId
    close: CardNumber = 0
    """The number added to close attack rolls."""
    ranged: CardNumber = 0
    """The number added to ranged attack rolls (supply.ranged.6)."""
    move: CardNumber = 0
    """The number added to the movement die of a MOVE."""
    break_away: CardNumber = 0
    """The number added to the movement die of a break away."""
    heal: CardNumber = 0
    """The number added to the health that a health card restores."""
    rescue: CardNumber = 0
    """The number added to rescue rolls."""


class ZombieKind(Struct, frozen=True, forbid_unknown_fields=True):
    """The zombies of one mutation level."""

    level: ZombieLevel
    figures: Annotated[int, Meta(ge=0, le=99)]
    defense: Annotated[int, Meta(ge=2, le=14)]


class Card(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A card, or several cards that are alike. Its kind decides which of the numbers it has."""

    deck: DeckName
    id: CardId
    kind: CardKind
    copies: Annotated[int, Meta(ge=1, le=60)] = 1
    bonus: CardNumber = 0
    """The bonus of a close combat weapon (supply.close.1)."""
    named: HeroId | None = None
    """The hero whose name is on a weapon."""
    named_bonus: CardNumber = 0
    """The bonus of the weapon in that hero's hands (supply.close.3)."""
    range: CardNumber = 0
    """The range of a ranged weapon, in king's moves (supply.ranged.1)."""
    ammunition: CardNumber = 0
    heal: CardNumber = 0
    """Health that a health card restores (ruling.heal-amount)."""
    damage: CardNumber = 0
    """The damage of a grenade (grenade.5)."""
    turns: CardNumber = 0
    """The number of a hero's own turns for which a stealth card lasts (stealth.4)."""
    item: Literal["key", "rope", "health", "grenade", "stealth"] | None = None
    """The item that a survivor carries (survivor.11)."""
    level: ZombieLevel | None = None
    """The level of the zombies that the card brings."""
    count: CardNumber = 0
    """The number of zombies that the card brings (card.zombie.2)."""
    distance: CardNumber = 0
    """The greatest distance at which a horde may be placed (horde.4)."""
    mutation: MutationKind | None = None
    amount: CardNumber = 0
    """The strength of a mutation: added to the defense, or the number of squares that a zombie moves."""

    @property
    def usable_as(self) -> str:
        """The use of the card: its kind, or the item that a survivor carries (survivor.11, ruling.item-survivor)."""
        return self.item or self.kind


class Components(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab", dict=True):
    """The content of a components file."""

    hero: Annotated[tuple[Hero, ...], Meta(max_length=6)]
    ability: Annotated[tuple[Ability, ...], Meta(max_length=6)]
    zombie: Annotated[tuple[ZombieKind, ...], Meta(max_length=3)]
    card: Annotated[tuple[Card, ...], Meta(max_length=200)]
    counters: Annotated[int, Meta(ge=0, le=99)] = 12
    """Counters for health and ammunition. The referee keeps count even if they run out (comp.counters, setup.2)."""
    blocking_tiles: Annotated[int, Meta(ge=0, le=99)] = 16
    blank_tiles: Annotated[int, Meta(ge=0, le=54)] = 38
    red_x_tiles: Annotated[int, Meta(ge=0, le=54)] = 16
    reconstruction: Annotated[str, Meta(max_length=200)] | None = None
    """The parts that no source shows; None for cards of your own."""

    @cached_property
    def heroes(self) -> Mapping[str, Hero]:
        """Every hero by id."""
        return {hero.id: hero for hero in self.hero}

    @cached_property
    def abilities(self) -> Mapping[str, Ability]:
        """Every special ability by id."""
        return {ability.id: ability for ability in self.ability}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every card by id."""
        return {card.id: card for card in self.card}

    @cached_property
    def cards_by_use(self) -> Mapping[str, frozenset[str]]:
        """The cards for each use: a kind, or an item that a survivor carries."""
        uses = {card.usable_as for card in self.card}
        return {use: frozenset(card.id for card in self.card if card.usable_as == use) for use in uses}

    @cached_property
    def decks(self) -> Mapping[str, tuple[str, ...]]:
        """The cards of each deck in alphabetical order (setup.1)."""
        return {
            deck: tuple(sorted(card.id for card in self.card if card.deck == deck for _ in range(card.copies)))
            for deck in DECK_SIZES
        }

    @cached_property
    def figures_by_level(self) -> Mapping[int, int]:
        """The number of zombie figures of each level."""
        return {kind.level: kind.figures for kind in self.zombie}

    @cached_property
    def defenses_by_level(self) -> Mapping[int, int]:
        """The defense of zombies of each level."""
        return {kind.level: kind.defense for kind in self.zombie}

    @cached_property
    def action_tiles(self) -> tuple[str, ...]:
        """All action tiles, which lie face down at first: blank ones, and ones with a red X (setup.5)."""
        return ("blank",) * self.blank_tiles + ("red-x",) * self.red_x_tiles


def list_component_problems(components: Components) -> Iterator[str]:
    """Yields everything that is wrong with the components, as clauses that name the rule."""
    if len(components.heroes) != HERO_COUNT or len(components.hero) != HERO_COUNT:
        yield f"there must be six heroes with six names (comp.hero-figures), not {len(components.heroes)}"
    if len(components.abilities) != HERO_COUNT or len(components.ability) != HERO_COUNT:
        yield f"there must be six special abilities (comp.ability-cards), not {len(components.abilities)}"
    if [kind.level for kind in components.zombie] != [1, 2, 3]:
        yield "the zombies must be of the levels 1, 2 and 3 (comp.defense)"
    elif not components.defenses_by_level[1] < components.defenses_by_level[2] < components.defenses_by_level[3]:
        yield "the defenses of zombies must rise with their level (comp.defense)"
    if len(components.action_tiles) != ACTION_TILE_COUNT:
        yield f"there must be 54 action tiles (comp.action-tiles), not {len(components.action_tiles)}"
    yield from _list_card_problems(components)


def _list_card_problems(components: Components) -> Iterator[str]:
    if len(components.cards) != len(components.card):
        yield "two cards have the same name; write how many copies there are"
    for card in components.card:
        if card.kind not in CARD_KINDS_BY_DECK[card.deck]:
            rule = "card.action.1" if card.deck == "action" else "supply.1" if card.deck == "supply" else "mutation.1"
            yield f"{card.id} is a {card.kind} card, and the {card.deck} deck has none ({rule})"
        if card.copies > 1 and (card.deck in ("supply", "survivor") or card.kind == "mutation"):
            each = "every supply, survivor and mutation card needs a name of its own"
            yield f"there are {card.copies} of {card.id}: {each}"
        if card.named and card.named not in components.heroes:
            yield f"{card.id} bears the name of {card.named}, who is not a hero"
        missing = _find_missing_field(card)
        if missing:
            yield f"{card.id} lacks its {missing}"
    for deck, size in DECK_SIZES.items():
        count = len(components.decks[deck])
        if count != size:
            yield f"the {deck} deck has {count} cards, not {size} ({DECK_SIZE_RULES[deck]})"


NEEDED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "ranged": ("range", "ammunition"),
    "health": ("heal",),
    "grenade": ("damage",),
    "stealth": ("turns",),
    "item": ("item",),
    "spawn": ("level", "count"),
    "horde": ("level", "distance"),
    "mutation": ("mutation",),
}
"""The fields that a card needs, by its kind or by its item."""


def _find_missing_field(card: Card) -> str | None:
    needed = (*NEEDED_FIELDS.get(card.kind, ()), *NEEDED_FIELDS.get(card.item or "", ()))
    return next((name for name in needed if not getattr(card, name)), None)
