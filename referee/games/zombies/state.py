"""The state of a game of Zombie Mutation.

Zombies are named by their squares: there is never more than one figure on a square (move.7). Players are named by their
heroes, and keep the name when they turn into zombies. Collections without an order of their own are kept sorted, so
that equal situations are equal states.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.caching import cache_latest, cached
from referee.engine.deck import Deck
from referee.engine.event import Outcome, Seat
from referee.engine.options import Options
from referee.engine.turn_order import Obligation
from referee.engine.turn_order import Task as EngineTask
from referee.games.zombies.board import Board, LevelLetter, RoomMark, Square, Squares
from referee.games.zombies.components import (
    Ability,
    Card,
    CardId,
    CardIds,
    DeckName,
    HeroId,
    HeroIdOrEmpty,
    MutationKind,
    ZombieLevel,
)
from referee.games.zombies.derived_facts import (
    FactsOfPlayers,
    SquareSets,
    find_squares_with_used_tokens,
    make_square_sets,
)
from referee.games.zombies.ground import Ground
from referee.games.zombies.options import SEATS, list_seats
from referee.games.zombies.player import Player, SmallCount

T = TypeVar("T", bound="Task")

Phase = Literal["fill", "first", "pick", "put", "start", "action", "zombies", "horde", "over"]
"""The phase while no task is due.

A game begins by filling the start areas, the roll for the first turn, and choosing and placing heroes. Then a hero has
three phases a turn (turn.1), and a zombie hero one action (zhero.5).
"""
NO_CARDS: frozenset[str] = frozenset()
SET_UP_PHASES = ("fill", "first", "pick", "put")
"""The phases of the set-up, in order."""
PHASE_DESCRIPTIONS: Mapping[str, str] = {
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
"""The phases in words."""
MAX_HORDE_SIZE = 12
"""The most zombies of a horde (zhero.horde.6)."""

EventNumber = Annotated[int, Meta(ge=-20, le=40)]
"""A number in an event: squares, health, or the total of a roll with its bonuses."""
Face = Annotated[int, Meta(ge=1, le=6)]
TwoFaces = tuple[Face, Face]
"""The faces of two dice."""


class StarCards(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus star that was reached: the cards left there, and the heroes who have taken one."""

    cards: CardIds
    takers: tuple[HeroId, ...] = ()


class Loot(Struct, frozen=True, forbid_unknown_fields=True):
    """Supply cards of a killed zombie hero, on the square of the kill (zhero.4)."""

    at: Square
    cards: CardIds
    killer: HeroIdOrEmpty = ""
    """The hero who killed the zombie hero; empty if no hero did."""


class ActionsDone(Struct, frozen=True, forbid_unknown_fields=True):
    """The actions that the hero whose turn it is has done (turn.action.1)."""

    moved: Literal["no", "move", "break"] = "no"
    """The movement with which the sequence began; "no" if it began without."""
    attacks: SmallCount = 0
    """Attacks made, grenades included."""
    works: SmallCount = 0
    """Rescue rolls and attempts to break a blocking tile (ruling.rescue-action, ruling.smash-action)."""
    extra: SmallCount = 0
    """Extra attacks that zombie cards gave (move.5)."""

    laid: bool = False
    """True if a blocking tile was laid at the start of the turn (tile.3)."""

    @property
    def has_moved(self) -> bool:
        """True if a die was rolled for movement."""
        return self.moved != "no"

    @property
    def attacks_in_sequence(self) -> int:
        """The number of ATTACKs in the sequence: one after a MOVE, none after a BREAK AWAY, else two (turn.action.2,
        turn.action.3, turn.action.4).
        """
        return {"no": 2, "move": 1, "break": 0}[self.moved]

    @property
    def has_attack_left(self) -> bool:
        """True if another attack is left (turn.action.1, ruling.extra-attack-kind, ruling.break-away-extra-attack)."""
        return self.attacks + self.works < self.attacks_in_sequence + self.extra

    @property
    def has_rescue_or_smash_left(self) -> bool:
        """True if a rescue roll, or an attempt to break a tile, is left. Extra attacks cannot be used for these."""
        return self.has_attack_left and self.works < self.attacks_in_sequence

    @property
    def is_empty(self) -> bool:
        """True if no action was done yet."""
        return not (self.has_moved or self.attacks or self.works)


class Task(EngineTask[Any], frozen=True, kw_only=True):
    """Something that has to be done before the turn goes on. While it is the first task, its tag is the phase."""

    by: HeroId
    """The hero whose player has to do it."""
    asks_to: ClassVar[str] = ""
    """The task, as a clause that follows "has to". If the clause depends on the fields, `todo` is overridden."""

    @property
    def todo(self) -> str:
        """The task, as a clause that follows "has to", with its details."""
        return self.asks_to

    def seat(self, state: "State") -> Seat:
        """Returns the seat of the player who has to do the task."""
        return state.players[self.by].seat

    def describe(self, state: "State") -> str:  # noqa: ARG002 - the fields of a task say it all
        """Returns why nothing else can be done now, as a clause."""
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
    """The seat whose turn it is."""
    turn: int = 0
    """Turns begun so far, of all players together."""
    order: tuple[Seat, ...] = ()
    """The seats clockwise from the first player (ruling.turn-order). During the roll for the first turn, the seats that
    take part in it.
    """
    players: Mapping[HeroId, Player] = {}
    zombies: Mapping[Square, ZombieLevel] = {}
    agenda: tuple[Task, ...] = ()
    """The tasks that are due before the turn goes on, the first one first."""
    acts: ActionsDone = ActionsDone()
    tested: CardIds = ()
    """Cards that were rolled for in this turn and stayed (ruling.pass-solo)."""
    recent: tuple[HeroId, ...] = ()
    """Heroes by their last action, the latest first (ruling.last-actor)."""
    abilities: CardIds = ()
    """Special abilities that nobody has drawn."""
    mutations: Mapping[CardId, LevelLetter] = {}
    """Mutations in force, each with its level (mutation.2)."""
    used: Mapping[Square, Literal["blank", "red-x"]] = {}
    """Used tokens and the tiles on them (token.4)."""
    stars: Mapping[Square, StarCards] = {}
    """Bonus stars that were reached."""
    tiles: Squares = ()
    """Blocking tiles on the board."""
    loose: Mapping[Square, SmallCount] = {}
    """The number of loose blocking tiles on each square, which players may take (zhero.token.5)."""
    loot: tuple[Loot, ...] = ()
    opened: tuple[RoomMark, ...] = ()
    """Rooms that were opened (key.3)."""
    ropes: Squares = ()
    """The symbols of placed ropes (rope.4)."""
    outcome: Outcome | None = None

    # Who is who

    @property
    def components(self) -> Any:
        """Cards and figures."""
        return self.board.components

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise."""
        return list_seats(self.options)

    @cached
    def square_sets(self) -> SquareSets:
        """The squares, as sets, by what stands or lies on them."""
        return make_square_sets(self.board, self.players, self.order, self.opened, self.zombies, self.tiles)

    @property
    def player_facts(self) -> FactsOfPlayers:
        """Facts that follow from the players alone."""
        return self.square_sets.player_facts

    @cached
    def players_by_seat(self) -> Mapping[Seat, Player]:
        """The player in each seat that has a hero."""
        return self.square_sets.player_facts.players_by_seat

    @property
    def seated_players(self) -> tuple[Player, ...]:
        """All players who have a hero, in turn order."""
        return self.square_sets.player_facts.seated_players

    @property
    def current_player(self) -> Player:
        """The player whose turn it is."""
        return self.players_by_seat[self.mover]

    @property
    def task(self) -> Task | None:
        """The first task, which has to be done now; None if there is none."""
        return self.agenda[0] if self.agenda else None

    def get_first_task(self, kind: type[T]) -> T:
        """Returns the first task, which must be of this kind."""
        task = self.agenda[0]
        assert type(task) is kind
        return task

    @cached
    def due(self) -> Obligation | None:
        """The obligation now: the first task, else the actions of the phase; None when the game is over."""
        if self.outcome:
            return None
        if self.agenda:
            return self.agenda[0].make_obligation(self)
        rule = "setup.15" if self.phase in SET_UP_PHASES else "zhero.6" if self.phase == "horde" else "turn.1"
        return Obligation(
            self.mover, self.phase, rule, f"this part of the game is for: {PHASE_DESCRIPTIONS[self.phase]}"
        )

    @property
    def heroes(self) -> tuple[Player, ...]:
        """Living heroes on the board, in turn order."""
        return self.square_sets.player_facts.heroes

    @property
    def zombie_heroes(self) -> tuple[Player, ...]:
        """Zombie heroes on the board, in turn order."""
        return self.square_sets.player_facts.zombie_heroes

    @property
    def figures(self) -> Mapping[Square, Player]:
        """The player whose figure stands on each square."""
        return self.square_sets.player_facts.players_by_square

    def list_players_left_of(self, hero: str) -> Iterator[Player]:
        """Yields the other players in clockwise order, beginning on the left (ruling.turn-order)."""
        at = SEATS.index(self.players[hero].seat)
        ring = [seat for seat in (*SEATS[at + 1 :], *SEATS[:at]) if seat in self.players_by_seat]
        return (self.players_by_seat[seat] for seat in ring)

    def find_hero_on_left(self, hero: str) -> Player | None:
        """Returns the next hero on the left, who gets cards that are passed on (ruling.horde-card-holder).

        Returns None if there is no other hero.
        """
        return next((player for player in self.list_players_left_of(hero) if player.is_hero_on_board), None)

    @property
    def is_solo(self) -> bool:
        """True if one player plays alone."""
        return self.options["mode"] == "solo"

    def list_team(self, player: Player) -> tuple[Player, ...]:
        """Returns the player and their team mates, who have every other seat (ruling.teams-shape)."""
        if self.options["mode"] != "teams":
            return (player,)
        side = SEATS.index(player.seat) % 2
        return tuple(mate for mate in self.seated_players if SEATS.index(mate.seat) % 2 == side)

    def find_ability(self, player: Player) -> Ability:
        """Returns the special ability of a player. For a zombie hero it adds nothing (ability.1, ability.2)."""
        found: Ability | None = self.components.abilities.get(player.ability)
        return found if found and not player.is_zombie else Ability("none")

    def get_card(self, card: str) -> Card:
        """Returns the card of this name."""
        found: Card = self.components.cards[card]
        return found

    def list_usable_cards(self, player: Player, use: str) -> tuple[str, ...]:
        """Returns the cards in hand for a use, such as "key": supply cards, and survivors whose item is not used yet.

        Zombie heroes can use none (zhero.3).
        """
        fit = self.components.cards_by_use.get(use, NO_CARDS)
        if player.is_zombie or (fit.isdisjoint(player.supplies) and fit.isdisjoint(player.survivors)):
            return ()
        items = [card for card in player.survivors if card in fit and card not in player.spent]
        return (*[card for card in player.supplies if card in fit], *items)

    # Who stands where, as sets of squares

    @property
    def ground(self) -> Ground:
        """Contact and sight between squares now."""
        return self.square_sets.ground

    @property
    def tile_squares(self) -> int:
        """Squares with a blocking tile: nobody enters them (tile.10)."""
        return self.square_sets.tile_squares

    @property
    def zombie_squares(self) -> int:
        """Squares with a zombie, free or of a horde."""
        return self.square_sets.zombie_squares

    @property
    def hero_squares(self) -> int:
        """Squares with a hero."""
        return self.square_sets.player_facts.hero_squares

    @property
    def zombie_hero_squares(self) -> int:
        """Squares with a zombie hero."""
        return self.square_sets.player_facts.zombie_hero_squares

    @cached
    def used_token_squares(self) -> int:
        """Squares with a used token (token.4)."""
        return find_squares_with_used_tokens(self.board, self.used)

    @property
    def empty_squares(self) -> int:
        """Squares where a figure could be put: open, without figure and blocking tile (move.7)."""
        return self.square_sets.empty_squares

    @property
    def unit_squares_by_hero(self) -> Mapping[HeroId, int]:
        """For each zombie hero on the board, the squares of their figure and of their horde."""
        return self.square_sets.player_facts.unit_squares_by_hero

    def find_horde_squares(self, player: Player) -> int:
        """Returns the squares of the horde of a zombie hero on the board."""
        return self.unit_squares_by_hero[player.hero] & ~self.board.square_bits[player.at]

    @property
    def free_zombie_squares(self) -> int:
        """Squares with a free zombie, which belongs to no horde and obeys the tokens (zombie.scope.1)."""
        return self.square_sets.free_zombie_squares

    @property
    def threat_squares(self) -> int:
        """Squares with a zombie or a zombie hero, who counts as one (ruling.zhero-engage)."""
        return self.square_sets.threat_squares

    def find_threats_near(self, square: str) -> int:
        """Returns the squares of zombies and zombie heroes that touch a square."""
        return self.ground.find_squares_adjacent_to(square) & self.threat_squares

    def is_engaged(self, player: Player) -> bool:
        """True if a hero is in combat: next to a zombie, and not undetected (attack.1, ruling.stealth-attack)."""
        return bool(self.find_threats_near(player.at)) and not self.is_stealthed(player)

    def find_level_squares(self, square: str) -> int:
        """Returns all squares of the level of a square."""
        return self.board.squares_by_level[square[0]]

    def has_line_of_sight(self, one: str, other: str) -> bool:
        """True if there is a line of sight between two squares (zombie.los.1, tile.9)."""
        return bool(self.find_squares_in_sight(one, self.board.square_bits[other]))

    def find_squares_in_sight(self, square: str, among: int) -> int:
        """Returns the squares of the set `among` that are in line of sight of a square."""
        return self.ground.find_squares_in_sight(
            square, among, self.tile_squares & self.find_level_squares(square) if self.tiles else 0
        )

    # Cards in force

    def list_mutations(self, level: str, mutation: MutationKind) -> tuple[Card, ...]:
        """Returns mutations of this kind in force on a level; equal ones add up (mutation.4, ruling.mutation-stack)."""
        return (
            _find_mutations_in_force(self.components, self.mutations).get((level, mutation), ())
            if self.mutations
            else ()
        )

    def sum_added_defense(self, level: str) -> int:
        """Returns the number that mutations add to the defense of zombies and zombie heroes on a level (mutation.2)."""
        return sum(card.amount for card in self.list_mutations(level, "defense"))

    def is_stealthed(self, player: Player) -> bool:
        """True if a hero is undetected: under stealth, and no card makes stealth useless (stealth.1, stealth.5,
        ruling.noisy).
        """
        return bool(player.stealth) and not self.find_card_against_stealth(player)

    def find_card_against_stealth(self, player: Player) -> str:
        """Returns the card that makes stealth useless for a hero on their square; empty if none does (mutation.7,
        survivor.12).
        """
        noisy = next((card for card in player.survivors if self.get_card(card).kind == "noisy"), "")
        keen = self.list_mutations(player.at[0], "no-stealth") if player.at else ()
        return noisy or (keen[0].id if keen else "")

    @property
    def spare_tile_count(self) -> int:
        """Blocking tiles that nobody holds and that are not on the board (comp.blocking-tiles)."""
        held = sum(player.tiles for player in self.players.values())
        total: int = self.components.blocking_tiles
        return total - held - len(self.tiles) - sum(self.loose.values())

    def count_spare_zombies(self, level: int) -> int:
        """Returns the number of figures of a level that are not on the board (comp.zombies-1, comp.zombies-2,
        comp.zombies-3).
        """
        total: int = self.components.figures_by_level[level]
        return total - [*self.zombies.values()].count(level)

    # Changed states

    def change_player(self, hero: str, **changes: Any) -> "State":
        """Returns the state with these fields of a player changed."""
        return replace(self, players={**self.players, hero: replace(self.players[hero], **changes)})

    def change_first_task(self, **changes: Any) -> "State":
        """Returns the state with these fields of the first task changed."""
        return replace(self, agenda=(replace(self.agenda[0], **changes), *self.agenda[1:]))

    def remove_first_task(self) -> "State":
        """Returns the state without the first task."""
        return replace(self, agenda=self.agenda[1:])

    def record_action(self, hero: str, **acts: Any) -> "State":
        """Returns the state after an action of a player, with these fields of `acts` changed.

        A hero becomes the one who acted last, and the time for free actions is over (ruling.last-actor).
        """
        acted = replace(self, acts=replace(self.acts, **acts))
        if self.players[hero].is_zombie:
            return acted
        recent = (hero, *(other for other in self.recent if other != hero))
        return replace(acted, recent=recent, phase="action" if self.phase == "start" else self.phase)

    def use_card(self, hero: str, card: str) -> "State":
        """Returns the state after a card was used: a supply card is discarded, a survivor stays without its item
        (supply.2).
        """
        player = self.players[hero]
        if card in player.supplies:
            return self.change_player(hero, supplies=remove_cards(player.supplies, card)).add_discards(card)
        return self.change_player(hero, spent=add_cards(player.spent, card))

    def add_discards(self, *cards: str) -> "State":
        """Returns the state with these cards on the discard piles of their decks (supply.2)."""
        decks = dict(self.decks)
        for card in cards:
            deck = self.get_card(card).deck
            decks[deck] = Deck(decks[deck].left, add_cards(decks[deck].discards, card))
        return replace(self, decks=decks)


@cache_latest
def _find_mutations_in_force(
    components: Any, mutations: Mapping[str, str]
) -> Mapping[tuple[str, str], tuple[Card, ...]]:
    """Returns the mutations in force, by level and kind."""
    found: dict[tuple[str, str], tuple[Card, ...]] = {}
    for card, level in mutations.items():
        one = components.cards[card]
        found[level, one.mutation] = (*found.get((level, one.mutation), ()), one)
    return found


def add_cards(cards: Iterable[str], *more: str) -> tuple[str, ...]:
    """Returns a hand with more cards, sorted."""
    return tuple(sorted((*cards, *more)))


def remove_cards(cards: Iterable[str], *gone: str) -> tuple[str, ...]:
    """Returns a hand without some cards; each is taken off once. Raises ValueError if one is not in the hand."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def remove_key(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Returns a mapping without one of its keys."""
    return {name: value for name, value in mapping.items() if name != key}
