"""The state of a game of Zombie Mutation.

Figures are named by where they stand: there is never more than one on a square (move.7). Players are named by their
heroes, who stay who they are when they turn into zombies. Whatever has no order of its own is kept sorted, so that
equal situations are equal states.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.deck import Deck
from referee.engine.event import Outcome, Seat
from referee.engine.once import cached, latest
from referee.engine.options import Options
from referee.engine.order import Due
from referee.engine.order import Task as AnyTask
from referee.games.zombies.board import Board, Level, Mark, Square, Squares
from referee.games.zombies.components import (
    Ability,
    Card,
    CardId,
    Cards,
    DeckName,
    HeroId,
    Mutation,
    Somebody,
    ZombieLevel,
)
from referee.games.zombies.crowd import Crowd, Field, covered_on, field_of
from referee.games.zombies.ground import Ground
from referee.games.zombies.options import SEATS, seats
from referee.games.zombies.player import Player, Small

T = TypeVar("T", bound="Task")

Phase = Literal["fill", "first", "pick", "put", "start", "action", "zombies", "horde", "over"]
"""What the game waits for when nothing else has to be done first: filling the start areas, the roll for the first turn,
choosing and placing heroes; a hero's three phases (turn.1); a zombie hero's one action (zhero.5); the end.
"""
NO_CARDS: frozenset[str] = frozenset()
SETTING_UP = ("fill", "first", "pick", "put")
PHASES: Mapping[str, str] = {
    "fill": "filling of the start areas",
    "first": "the roll for the first turn",
    "pick": "choice of heroes",
    "put": "placing of heroes",
    "start": "free actions",
    "action": "actions",
    "zombies": "the zombies act",
    "horde": "the zombie hero's one action",
    "over": "the game is over",
}
MOST_IN_HORDE = 12
"""Zombies of a horde (zhero.horde.6)."""

Number = Annotated[int, Meta(ge=-20, le=40)]
"""A number that an event tells: squares, health, what was thrown with all that is added."""
Die = Annotated[int, Meta(ge=1, le=6)]
Two = tuple[Die, Die]


class StarCards(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus star that was reached: the cards that lie there, and who has taken one."""

    cards: Cards
    takers: tuple[HeroId, ...] = ()


class Loot(Struct, frozen=True, forbid_unknown_fields=True):
    """Supply cards of a killed zombie hero (zhero.4)."""

    at: Square
    cards: Cards
    killer: Somebody = ""


class Acts(Struct, frozen=True, forbid_unknown_fields=True):
    """What the hero on turn has done of his actions (turn.action.1)."""

    moved: Literal["no", "move", "break"] = "no"
    """The movement with which the sequence began, if it did."""
    attacks: Small = 0
    """Attacks made, grenades included."""
    works: Small = 0
    """Rescue rolls, and rolls to break a blocking tile (ruling.rescue-action, ruling.smash-action)."""
    extra: Small = 0
    """Extra attacks that zombie cards gave (move.5)."""

    laid: bool = False
    """Whether a blocking tile was laid at the start of the turn (tile.3)."""

    @property
    def has_moved(self) -> bool:
        """Whether a die was thrown for movement."""
        return self.moved != "no"

    @property
    def slots(self) -> int:
        """ATTACKs of the sequence: one after a MOVE, none after a BREAK AWAY, else two (turn.action.2,
        turn.action.3, turn.action.4).
        """
        return {"no": 2, "move": 1, "break": 0}[self.moved]

    @property
    def may_attack(self) -> bool:
        """Whether another attack is left (turn.action.1, ruling.extra-attack-kind, ruling.break-away-extra-attack)."""
        return self.attacks + self.works < self.slots + self.extra

    @property
    def may_work(self) -> bool:
        """Whether a rescue roll or a blow at a tile is left: extra attacks are for attacks only."""
        return self.may_attack and self.works < self.slots

    @property
    def none(self) -> bool:
        """Whether nothing was done yet."""
        return not (self.has_moved or self.attacks or self.works)


class Task(AnyTask[Any], frozen=True, kw_only=True):
    """Something that has to be done before the turn goes on; its tag names the phase while it stands first."""

    by: HeroId
    """Whose player has to do it."""
    asks_to: ClassVar[str] = ""
    """What has to be done, as a clause that follows "has to"; `todo` where it depends on more."""

    @property
    def todo(self) -> str:
        """The same, with what it is about."""
        return self.asks_to

    def seat(self, state: "State") -> Seat:
        """The chair of whose player has to do it."""
        return state.players[self.by].seat

    def words(self, state: "State") -> str:  # noqa: ARG002 - it knows all that has to be said
        """Why nothing else can be done now."""
        return f"{self.by} has to {self.todo} first"


class State(Struct, frozen=True, dict=True):
    """Everything about a game at one moment."""

    board: Board
    options: Options
    decks: Mapping[DeckName, Deck]
    tile_deck: Deck
    """Action tiles that lie face down (setup.5)."""
    phase: Phase = "fill"
    mover: Seat = "red"
    """Whose turn it is."""
    turn: int = 0
    """Turns begun so far, of all players together."""
    order: tuple[Seat, ...] = ()
    """The chairs clockwise from the first player (ruling.turn-order); those who roll for it, while they do."""
    players: Mapping[HeroId, Player] = {}
    zombies: Mapping[Square, ZombieLevel] = {}
    agenda: tuple[Task, ...] = ()
    """What has to be done before the turn goes on, the first thing first."""
    acts: Acts = Acts()
    tested: Cards = ()
    """Cards that had to be rolled for, were, and stayed (ruling.pass-solo)."""
    recent: tuple[HeroId, ...] = ()
    """Heroes by their last action, the latest first (ruling.last-actor)."""
    abilities: Cards = ()
    """Special abilities that nobody drew."""
    mutations: Mapping[CardId, Level] = {}
    """Mutations in force, each with its level (mutation.2)."""
    used: Mapping[Square, Literal["blank", "red-x"]] = {}
    """Used tokens and the tiles on them (token.4)."""
    stars: Mapping[Square, StarCards] = {}
    tiles: Squares = ()
    """Blocking tiles on the board."""
    loose: Mapping[Square, Small] = {}
    """Blocking tiles that lie about to be taken (zhero.token.5)."""
    loot: tuple[Loot, ...] = ()
    opened: tuple[Mark, ...] = ()
    """Rooms that were opened (key.3)."""
    ropes: Squares = ()
    """Symbols of ropes that are in place (rope.4)."""
    outcome: Outcome | None = None

    # Who is who

    @property
    def components(self) -> Any:
        """Cards and figures."""
        return self.board.components

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All chairs, clockwise."""
        return seats(self.options)

    @cached
    def field(self) -> Field:
        """Who and what stands on the squares."""
        return field_of(self.board, self.players, self.order, self.opened, self.zombies, self.tiles)

    @property
    def crowd(self) -> Crowd:
        """What follows from the players alone."""
        return self.field.crowd

    @cached
    def by_seat(self) -> Mapping[Seat, Player]:
        """The player on each chair, once he has a hero."""
        return self.field.crowd.by_seat

    @property
    def seated(self) -> tuple[Player, ...]:
        """All players who have a hero, in turn order."""
        return self.field.crowd.seated

    @property
    def on_turn(self) -> Player:
        """The player on turn."""
        return self.by_seat[self.mover]

    @property
    def task(self) -> Task | None:
        """What has to be done first, if anything."""
        return self.agenda[0] if self.agenda else None

    def first(self, kind: type[T]) -> T:
        """What has to be done first, where it is known to be of this kind."""
        task = self.agenda[0]
        assert type(task) is kind
        return task

    @cached
    def due(self) -> Due | None:
        """What has to be done now: a task, else what this part of the game is for; None when the game is over."""
        if self.outcome:
            return None
        if self.agenda:
            return self.agenda[0].due(self)
        rule = "setup.15" if self.phase in SETTING_UP else "zhero.6" if self.phase == "horde" else "turn.1"
        return Due(self.mover, self.phase, rule, f"this part of the game is for: {PHASES[self.phase]}")

    @property
    def heroes(self) -> tuple[Player, ...]:
        """Living heroes on the board, in turn order."""
        return self.field.crowd.heroes

    @property
    def zombie_heroes(self) -> tuple[Player, ...]:
        """Zombie heroes on the board, in turn order."""
        return self.field.crowd.zombie_heroes

    @property
    def figures(self) -> Mapping[Square, Player]:
        """Who stands on each square that holds a player's figure."""
        return self.field.crowd.figures

    def left_of(self, hero: str) -> Iterator[Player]:
        """The other players, beginning with the one on the left (ruling.turn-order)."""
        at = SEATS.index(self.players[hero].seat)
        ring = [seat for seat in (*SEATS[at + 1 :], *SEATS[:at]) if seat in self.by_seat]
        return (self.by_seat[seat] for seat in ring)

    def heir_of(self, hero: str) -> Player | None:
        """The next hero on the left, who gets cards that are passed on; None: there is no other
        (ruling.horde-card-holder).
        """
        return next((player for player in self.left_of(hero) if player.is_hero), None)

    @property
    def is_solo(self) -> bool:
        """Whether somebody plays alone."""
        return self.options["mode"] == "solo"

    def team_of(self, player: Player) -> tuple[Player, ...]:
        """He and his team mates: in teams every other chair (ruling.teams-shape)."""
        if self.options["mode"] != "teams":
            return (player,)
        side = SEATS.index(player.seat) % 2
        return tuple(mate for mate in self.seated if SEATS.index(mate.seat) % 2 == side)

    def ability_of(self, player: Player) -> Ability:
        """What his special ability adds; zombie heroes have none (ability.1, ability.2)."""
        found: Ability | None = self.components.abilities.get(player.ability)
        return found if found and not player.is_zombie else Ability("none")

    def card(self, card: str) -> Card:
        """What a card does."""
        found: Card = self.components.cards[card]
        return found

    def usable(self, player: Player, use: str) -> tuple[str, ...]:
        """Cards in hand that serve as this, survivors with an unused item too; zombie heroes use none (zhero.3)."""
        fit = self.components.by_use.get(use, NO_CARDS)
        if player.is_zombie or (fit.isdisjoint(player.supplies) and fit.isdisjoint(player.survivors)):
            return ()
        items = [card for card in player.survivors if card in fit and card not in player.spent]
        return (*[card for card in player.supplies if card in fit], *items)

    # Who stands where, as sets of squares

    @property
    def ground(self) -> Ground:
        """What touches what now."""
        return self.field.ground

    @property
    def barred(self) -> int:
        """Squares with a blocking tile: nobody enters them (tile.10)."""
        return self.field.barred

    @property
    def dead(self) -> int:
        """Squares with a zombie."""
        return self.field.dead

    @property
    def living(self) -> int:
        """Squares with a hero."""
        return self.field.crowd.living

    @property
    def turned(self) -> int:
        """Squares with a zombie hero."""
        return self.field.crowd.turned

    @cached
    def covered(self) -> int:
        """Squares with a used token (token.4)."""
        return covered_on(self.board, self.used)

    @property
    def free(self) -> int:
        """Squares where a figure could be put: open, without figure and blocking tile (move.7)."""
        return self.field.free

    @property
    def units(self) -> Mapping[HeroId, int]:
        """Squares of each zombie hero on the board, those of his horde included."""
        return self.field.crowd.units

    def horde_of(self, player: Player) -> int:
        """Squares of the horde of a zombie hero on the board."""
        return self.units[player.hero] & ~self.board.bit[player.at]

    @property
    def wild(self) -> int:
        """Squares with a free zombie, which obeys the tokens and belongs to no horde (zombie.scope.1)."""
        return self.field.wild

    @property
    def threats(self) -> int:
        """Squares with a zombie or a zombie hero, who counts as one (ruling.zhero-engage)."""
        return self.field.threats

    def enemies_near(self, square: str) -> int:
        """Zombies and zombie heroes that touch a square."""
        return self.ground.near(square) & self.threats

    def is_engaged(self, player: Player) -> bool:
        """Whether a hero is in combat: next to a zombie, and not undetected (attack.1, ruling.stealth-attack)."""
        return bool(self.enemies_near(player.at)) and not self.is_stealthed(player)

    def level_of(self, square: str) -> int:
        """All squares of the level of a square."""
        return self.board.levels[square[0]]

    def sees(self, one: str, other: str) -> bool:
        """Whether there is a line of sight between two squares (zombie.los.1, tile.9)."""
        return bool(self.seen_from(one, self.board.bit[other]))

    def seen_from(self, square: str, among: int) -> int:
        """Of some squares those between which and a square there is one."""
        return self.ground.seen_from(square, among, self.barred & self.level_of(square) if self.tiles else 0)

    # Cards in force

    def mutated(self, level: str, mutation: Mutation) -> tuple[Card, ...]:
        """Mutations of this kind in force on a level; equal ones add up (mutation.4, ruling.mutation-stack)."""
        return _in_force(self.components, self.mutations).get((level, mutation), ()) if self.mutations else ()

    def tougher(self, level: str) -> int:
        """What mutations add to the defense of zombies and zombie heroes on a level (mutation.2)."""
        return sum(card.amount for card in self.mutated(level, "defense"))

    def is_stealthed(self, player: Player) -> bool:
        """Whether a hero is undetected: mutations and noisy survivors undo it (stealth.1, stealth.5, ruling.noisy)."""
        return bool(player.stealth) and not self.foils_stealth(player)

    def foils_stealth(self, player: Player) -> str:
        """What makes stealth useless for a hero where he stands; empty: nothing (mutation.7, survivor.12)."""
        noisy = next((card for card in player.survivors if self.card(card).kind == "noisy"), "")
        keen = self.mutated(player.at[0], "no-stealth") if player.at else ()
        return noisy or (keen[0].id if keen else "")

    @property
    def spare_tiles(self) -> int:
        """Blocking tiles that nobody holds and that are not on the board (comp.blocking-tiles)."""
        held = sum(player.tiles for player in self.players.values())
        total: int = self.components.blocking_tiles
        return total - held - len(self.tiles) - sum(self.loose.values())

    def spare_zombies(self, level: int) -> int:
        """Figures left of a level (comp.zombies-1, comp.zombies-2, comp.zombies-3)."""
        total: int = self.components.figures[level]
        return total - [*self.zombies.values()].count(level)

    # Changing it

    def with_player(self, hero: str, **changes: Any) -> "State":
        """The state in which something about a player is different."""
        return replace(self, players={**self.players, hero: replace(self.players[hero], **changes)})

    def with_task(self, **changes: Any) -> "State":
        """The state in which something about the first task is different."""
        return replace(self, agenda=(replace(self.agenda[0], **changes), *self.agenda[1:]))

    def done(self) -> "State":
        """The state in which the first task is done."""
        return replace(self, agenda=self.agenda[1:])

    def acted(self, hero: str, **acts: Any) -> "State":
        """The state after an action: it was this hero who acted last (ruling.last-actor)."""
        acted = replace(self, acts=replace(self.acts, **acts))
        if self.players[hero].is_zombie:
            return acted
        recent = (hero, *(other for other in self.recent if other != hero))
        return replace(acted, recent=recent, phase="action" if self.phase == "start" else self.phase)

    def used_up(self, hero: str, card: str) -> "State":
        """The state after a card was used: a supply card is discarded, a survivor stays without its item (supply.2)."""
        player = self.players[hero]
        if card in player.supplies:
            return self.with_player(hero, supplies=without_card(player.supplies, card)).discarded(card)
        return self.with_player(hero, spent=with_card(player.spent, card))

    def discarded(self, *cards: str) -> "State":
        """The state with these cards on the discards of their decks (supply.2)."""
        decks = dict(self.decks)
        for card in cards:
            deck = self.card(card).deck
            decks[deck] = Deck(decks[deck].left, with_card(decks[deck].discards, card))
        return replace(self, decks=decks)


@latest
def _in_force(components: Any, mutations: Mapping[str, str]) -> Mapping[tuple[str, str], tuple[Card, ...]]:
    """The mutations of each kind on each level."""
    found: dict[tuple[str, str], tuple[Card, ...]] = {}
    for card, level in mutations.items():
        one = components.cards[card]
        found[level, one.mutation] = (*found.get((level, one.mutation), ()), one)
    return found


def with_card(cards: Iterable[str], *more: str) -> tuple[str, ...]:
    """A hand with more cards, sorted."""
    return tuple(sorted((*cards, *more)))


def without_card(cards: Iterable[str], *gone: str) -> tuple[str, ...]:
    """A hand without some cards; each is taken off once. ValueError when one is not in it."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def without_key(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A mapping without one of its keys."""
    return {name: value for name, value in mapping.items() if name != key}
