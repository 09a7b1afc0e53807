"""What happens when players act: free actions and actions. Events carry results; applying runs no rule."""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.zombies.board import Level, Mark, Square
from referee.games.zombies.components import CardId, HeroId, Somebody, ZombieLevel
from referee.games.zombies.state import Loot, Player, State, with_card, without_card
from referee.games.zombies.tasks import Cards, Go, Lob

Die = Annotated[int, Meta(ge=1, le=6)]
Two = tuple[Die, Die]
Number = Annotated[int, Meta(ge=-20, le=40)]
Kind = Annotated[str, Meta(max_length=40)]
"""A target in words: "level 2 zombie", or a hero."""


# Free actions


class Traded(Event, frozen=True, tag="traded"):
    """Two heroes have traded (turn.free.4)."""

    hero: HeroId
    """Who offered it."""
    partner: HeroId
    give: Cards
    take: Cards
    tiles: Number
    """Blocking tiles from hero to partner; fewer than none: the other way."""

    def apply(self, state: State) -> State:
        """Cards and tiles change hands; shots fired and items used go with their cards."""
        one, other = state.players[self.hero], state.players[self.partner]
        state = state.done()
        state = _hand_over(state, one.hero, other.hero, self.give, self.tiles)
        return _hand_over(state, other.hero, one.hero, self.take, -self.tiles)


def _hand_over(state: State, giver: str, taker: str, cards: Cards, tiles: int) -> State:
    for card in cards:
        one, other = state.players[giver], state.players[taker]
        where = "supplies" if state.card(card).deck == "supply" else "survivors"
        spent = with_card(other.spent, card) if card in one.spent else other.spent
        shots = {**other.shots, card: one.shots[card]} if card in one.shots else other.shots
        state = state.with_player(giver, **{where: without_card(getattr(one, where), card)}, **_unmarked(one, card))
        state = state.with_player(taker, **{where: with_card(getattr(other, where), card)}, spent=spent, shots=shots)
    if tiles > 0:
        state = state.with_player(giver, tiles=state.players[giver].tiles - tiles)
        state = state.with_player(taker, tiles=state.players[taker].tiles + tiles)
    return state


class Declined(Event, frozen=True, tag="declined"):
    """A trade does not come about (mode.versus.3)."""

    hero: HeroId
    partner: HeroId

    def apply(self, state: State) -> State:
        """Everybody keeps what he has."""
        return state.done()


class TilePlaced(Event, frozen=True, tag="tile-placed"):
    """A blocking tile bars a square (tile.1)."""

    hero: HeroId
    at: Square
    left: Number

    def apply(self, state: State) -> State:
        """Lay it there."""
        tiles = state.board.in_order((*state.tiles, self.at))
        acts = replace(state.acts, laid=True)
        return replace(state.with_player(self.hero, tiles=self.left), tiles=tiles, acts=acts)


class RoomOpened(Event, frozen=True, tag="room-opened"):
    """A locked room is open for good (key.1, key.3)."""

    hero: HeroId
    card: CardId
    room: Mark
    symbol: Square

    def apply(self, state: State) -> State:
        """Take the tile off; the key is used (key.5)."""
        return used(replace(state, opened=(*sorted((*state.opened, self.room)),)), self.hero, self.card)


class RopePlaced(Event, frozen=True, tag="rope-placed"):
    """A rope is in place for good (rope.1, rope.4)."""

    hero: HeroId
    card: CardId
    symbol: Square
    landing: Square

    def apply(self, state: State) -> State:
        """Lay it there; the card is used (rope.6)."""
        ropes = state.board.in_order((*state.ropes, self.symbol))
        return used(replace(state, ropes=ropes), self.hero, self.card)


class StealthBegun(Event, frozen=True, tag="stealth-begun"):
    """A hero goes undetected (stealth.1)."""

    hero: HeroId
    card: CardId
    turns: Number

    def apply(self, state: State) -> State:
        """The card is used."""
        return used(state.with_player(self.hero, stealth=self.turns), self.hero, self.card)


class ThingsTaken(Event, frozen=True, tag="things-taken"):
    """A hero has taken what lies on a square (turn.free.9)."""

    hero: HeroId
    at: Square
    tiles: Number
    cards: Cards

    def apply(self, state: State) -> State:
        """Tiles and cards are his."""
        player = state.players[self.hero]
        left = state.loose.get(self.at, 0) - self.tiles
        loose = {**state.loose, self.at: left} if left else other_than(state.loose, self.at)
        loot = tuple(heap for heap in state.loot if not (heap.at == self.at and set(heap.cards) <= set(self.cards)))
        supplies = with_card(player.supplies, *self.cards)
        state = replace(state, loose=loose, loot=loot)
        return state.with_player(self.hero, tiles=player.tiles + self.tiles, supplies=supplies)


class Healed(Event, frozen=True, tag="healed"):
    """A health card was used (supply.health.1)."""

    hero: HeroId
    card: CardId
    health: Number
    """Health after it."""

    def apply(self, state: State) -> State:
        """Move the counter; the card is used."""
        return used(state.with_player(self.hero, health=self.health), self.hero, self.card)


# Actions


class MoveRolled(Event, frozen=True, tag="move-rolled"):
    """A die was thrown for movement (move.1, breakaway.2, zhero.move.1)."""

    hero: HeroId
    die: Die
    steps: Number
    fleeing: bool = False

    def apply(self, state: State) -> State:
        """Now it is to be said where to."""
        state = _acted(state, self.hero, moved="break" if self.fleeing else "move")
        return replace(state, agenda=(Go(by=self.hero, steps=self.steps, fleeing=self.fleeing), *state.agenda))


class Moved(Event, frozen=True, tag="moved"):
    """A figure has moved."""

    hero: HeroId
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Put it there."""
        return state.done().with_player(self.hero, at=self.to)


class Attacked(Event, frozen=True, tag="attacked"):
    """A hero has rolled an attack (attack.4)."""

    hero: HeroId
    at: Square
    target: Kind
    weapon: str
    faces: Two
    total: Number
    needed: Number
    hit: bool

    def apply(self, state: State) -> State:
        """It was one of his attacks."""
        return _acted(state, self.hero, attacks=state.acts.attacks + 1)


class ShotFired(Event, frozen=True, tag="shot-fired"):
    """A ranged weapon has less ammunition (supply.ranged.2)."""

    hero: HeroId
    card: CardId
    left: Number

    def apply(self, state: State) -> State:
        """Move its counter; without ammunition it is discarded (supply.ranged.3)."""
        player = state.players[self.hero]
        if not self.left:
            return used(state.with_player(self.hero, shots=other_than(player.shots, self.card)), self.hero, self.card)
        fired = state.card(self.card).ammunition - self.left
        return state.with_player(self.hero, shots={**player.shots, self.card: fired})


class ZombieKilled(Event, frozen=True, tag="zombie-killed"):
    """A zombie is off the board (attack.6)."""

    at: Square
    level: ZombieLevel

    def apply(self, state: State) -> State:
        """Take it off, out of every horde too."""
        state = replace(state, zombies=other_than(state.zombies, self.at))
        owner = next((player for player in state.players.values() if self.at in player.horde), None)
        if owner is None:
            return state
        return state.with_player(owner.hero, horde=tuple(square for square in owner.horde if square != self.at))


class Hurt(Event, frozen=True, tag="hurt"):
    """A player has lost health (supply.health.3)."""

    hero: HeroId
    damage: Number
    left: Number

    def apply(self, state: State) -> State:
        """Move the counter."""
        return state.with_player(self.hero, health=self.left)


class ZombieHeroKilled(Event, frozen=True, tag="zombie-hero-killed"):
    """A zombie hero is off the board, and his player out (ruling.zhero-killed)."""

    hero: HeroId
    at: Square
    cards: Cards
    """They stay on the square."""
    killer: Somebody

    def apply(self, state: State) -> State:
        """His horde is free; his cards lie there for the killer (zhero.4)."""
        loot = (*state.loot, Loot(self.at, self.cards, self.killer)) if self.cards else state.loot
        gone = {"at": "", "horde": (), "supplies": (), "shots": {}}
        return replace(state, loot=loot).with_player(self.hero, **gone)


class GrenadeThrown(Event, frozen=True, tag="grenade-thrown"):
    """The die for a grenade was thrown (grenade.2)."""

    hero: HeroId
    card: CardId
    reach: Die

    def apply(self, state: State) -> State:
        """Now it is to be said where it falls; the card is used (grenade.6)."""
        state = _acted(used(state, self.hero, self.card), self.hero, attacks=state.acts.attacks + 1)
        return replace(state, agenda=(Lob(by=self.hero, card=self.card, reach=self.reach), *state.agenda))


class Exploded(Event, frozen=True, tag="exploded"):
    """A grenade has gone off (grenade.3)."""

    at: Square

    def apply(self, state: State) -> State:
        """Who is hit is told apart."""
        return state.done()


class Smashed(Event, frozen=True, tag="smashed"):
    """A player has tried to break a blocking tile (tile.6)."""

    hero: HeroId
    at: Square
    faces: Two
    broken: bool

    def apply(self, state: State) -> State:
        """A broken tile goes back to the supply (ruling.tile-returned)."""
        tiles = tuple(square for square in state.tiles if not (self.broken and square == self.at))
        return _acted(replace(state, tiles=tiles), self.hero, works=state.acts.works + 1)


class RescueRolled(Event, frozen=True, tag="rescue-rolled"):
    """A hero has rolled for rescue (rescue.3)."""

    hero: HeroId
    faces: Two
    total: Number
    needed: Number
    survivors: Number

    def apply(self, state: State) -> State:
        """It was one of his actions."""
        return _acted(state, self.hero, works=state.acts.works + 1)


class ExtraAttack(Event, frozen=True, tag="extra-attack"):
    """A zombie card gives one more attack (card.zombie.1)."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """Count it."""
        return replace(state, acts=replace(state.acts, extra=state.acts.extra + 1))


class MutationEnded(Event, frozen=True, tag="mutation-ended"):
    """A mutation is no longer in effect (mutation.3)."""

    card: CardId
    level: Level

    def apply(self, state: State) -> State:
        """Discard it."""
        return discarded(replace(state, mutations=other_than(state.mutations, self.card)), self.card)


# What several events do


def other_than(mapping: Any, key: str) -> Any:
    """A mapping without one of its keys."""
    return {name: value for name, value in mapping.items() if name != key}


def _unmarked(player: Player, card: str) -> dict[str, Any]:
    return {"shots": other_than(player.shots, card), "spent": tuple(each for each in player.spent if each != card)}


def _acted(state: State, hero: str, **acts: Any) -> State:
    """The state after an action: it was this hero who acted last (ruling.last-actor)."""
    acted = replace(state, acts=replace(state.acts, **acts))
    if state.players[hero].is_zombie:
        return acted
    recent = (hero, *(other for other in state.recent if other != hero))
    return replace(acted, recent=recent, phase="action" if state.phase == "start" else state.phase)


def discarded(state: State, *cards: str) -> State:
    """The state with these cards on the discards of their decks (supply.2)."""
    decks = dict(state.decks)
    for card in cards:
        deck = state.card(card).deck
        decks[deck] = type(decks[deck])(decks[deck].left, with_card(decks[deck].discards, card))
    return replace(state, decks=decks)


def used(state: State, hero: str, card: str) -> State:
    """The state after a card was used: a supply card is discarded, a survivor stays without its item (supply.2)."""
    player = state.players[hero]
    if card in player.supplies:
        return discarded(state.with_player(hero, supplies=without_card(player.supplies, card)), card)
    return state.with_player(hero, spent=with_card(player.spent, card))
