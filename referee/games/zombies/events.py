"""What happens in Zombie Mutation: set-up, turns, free actions and actions. Events carry results; applying runs no
rule.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Seat
from referee.games.zombies.board import Level, Mark, Square
from referee.games.zombies.components import CardId, HeroId, Somebody, ZombieLevel
from referee.games.zombies.state import Acts, Loot, Phase, Player, State, with_card, without_card
from referee.games.zombies.tasks import AnyTask, Cards, Go, Lob, Squares

Die = Annotated[int, Meta(ge=1, le=6)]
Two = tuple[Die, Die]
Number = Annotated[int, Meta(ge=-20, le=40)]
Kind = Annotated[str, Meta(max_length=40)]
"""A target in words: "level 2 zombie", or a hero."""


# Setting up


class AreaFilled(Event, frozen=True, tag="area-filled"):
    """Zombies stand in a start area (setup.6, setup.7, setup.9)."""

    area: str
    level: ZombieLevel
    faces: tuple[Die, ...]
    squares: Squares

    def apply(self, state: State) -> State:
        """Put them there."""
        return replace(state, zombies={**state.zombies, **dict.fromkeys(self.squares, self.level)})


class ThrewOff(Event, frozen=True, tag="threw-off"):
    """Everybody rolled for the first turn (setup.12)."""

    faces: tuple[tuple[Seat, Die], ...]
    highest: tuple[Seat, ...]
    """Who rolled highest; several roll again."""

    def apply(self, state: State) -> State:
        """Those who tie go on rolling."""
        return replace(state, order=self.highest, pen=self.highest[0])


class OrderSettled(Event, frozen=True, tag="order-settled"):
    """It is known who goes first, and the others follow clockwise."""

    order: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Heroes are chosen in this order."""
        return replace(state, order=self.order, pen=self.order[0], phase="pick")


class Picked(Event, frozen=True, tag="picked"):
    """A player has a hero, with full health (setup.13, setup.14, setup.17)."""

    seat: Seat
    hero: HeroId
    health: Number
    is_zombie: bool = False
    ability: str = ""

    def apply(self, state: State) -> State:
        """The hero is on nobody else's side; the ability is no longer in the deck."""
        player = Player(self.hero, self.seat, self.health, "", self.is_zombie, self.ability)  # type: ignore[arg-type]  # a seat is one of four
        left = tuple(ability for ability in state.abilities if ability != self.ability)
        return replace(state, players={**state.players, self.hero: player}, abilities=left)


class PutDown(Event, frozen=True, tag="put-down"):
    """A figure stands on its start square (setup.15)."""

    hero: HeroId
    at: Square

    def apply(self, state: State) -> State:
        """Put it there."""
        return state.with_player(self.hero, at=self.at)


class PenPassed(Event, frozen=True, tag="pen-passed"):
    """During the set-up it is another player's part."""

    phase: Phase
    seat: Seat

    def apply(self, state: State) -> State:
        """Go on with that."""
        return replace(state, phase=self.phase, pen=self.seat)


# Turns


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A player's turn begins (turn.1, zhero.5)."""

    hero: HeroId
    seat: Seat
    phase: Literal["start", "horde"]

    def apply(self, state: State) -> State:
        """Nothing was done yet in it."""
        return replace(state, turn=state.turn + 1, pen=self.seat, phase=self.phase, acts=Acts(), tested=())


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The turn goes on to another phase (turn.1)."""

    hero: HeroId
    phase: Phase

    def apply(self, state: State) -> State:
        """Go on with that."""
        return replace(state, phase=self.phase)


class Due(Event, frozen=True, tag="due"):
    """Things have to be done before the turn goes on."""

    tasks: tuple[AnyTask, ...]

    def apply(self, state: State) -> State:
        """They come first."""
        return replace(state, agenda=(*self.tasks, *state.agenda))


class WalkedOn(Event, frozen=True, tag="walked-on"):
    """A stealthed hero leaves a token alone (move.8)."""

    hero: HeroId

    def apply(self, state: State) -> State:
        """Nothing is drawn."""
        return state.done()


class StealthWore(Event, frozen=True, tag="stealth-wore"):
    """One more turn of stealth is over (stealth.4)."""

    hero: HeroId
    left: Number
    """Own turns that it still lasts, the one that begins included."""

    def apply(self, state: State) -> State:
        """Count it."""
        return state.with_player(self.hero, stealth=self.left)


class TurnedZombie(Event, frozen=True, tag="turned-zombie"):
    """A hero on the red heart has become a zombie hero (supply.health.5, ruling.zhero-turn)."""

    hero: HeroId
    health: Number
    survivors: Cards
    """They are discarded."""
    tiles: Number
    """Blocking tiles left loose on the square."""

    def apply(self, state: State) -> State:
        """Turn the card over and exchange the figure (comp.hero-figures); supply cards stay (zhero.2)."""
        at = state.players[self.hero].at
        loose = {**state.loose, at: state.loose.get(at, 0) + self.tiles} if self.tiles else state.loose
        state = discarded(replace(state, loose=loose), *self.survivors)
        gone = {"survivors": (), "spent": (), "tiles": 0, "stealth": 0}
        return state.with_player(self.hero, is_zombie=True, health=self.health, **gone)


class Ended(Event, frozen=True, tag="ended"):
    """The game is over (win.1)."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Nothing more is played."""
        return replace(state, phase="over", outcome=self.outcome, agenda=())


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
