"""Setting up: zombies in their start areas, the roll for the first turn, heroes and their places (setup.6 to
setup.15).
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import ONLY_READ
from referee.engine.text import listing
from referee.games.zombies.board import LEVEL_NAMES, START_BUILDINGS, Square, Squares
from referee.games.zombies.components import HeroId, ZombieLevel
from referee.games.zombies.notation import Reader
from referee.games.zombies.options import SEATS
from referee.games.zombies.player import Player
from referee.games.zombies.state import PHASE_DESCRIPTIONS, SET_UP_PHASES, EventNumber, Face, Phase, State
from referee.games.zombies.turns import begin_turn

A = TypeVar("A", bound=Action)

# What happens


class AreaFilled(Event, frozen=True, tag="area-filled"):
    """Zombies stand in a start area (setup.6, setup.7, setup.9)."""

    area: str
    level: ZombieLevel
    faces: tuple[Face, ...]
    squares: Squares

    def tell(self) -> str:
        """Tells the dice, and where the zombies stand."""
        thrown = " ".join(map(str, self.faces))
        return f"{self.area}, {thrown}: put level {self.level} zombies on {' '.join(self.squares)}."

    def apply(self, state: State) -> State:
        """Puts the zombies on their squares."""
        return replace(state, zombies={**state.zombies, **dict.fromkeys(self.squares, self.level)})


class FirstTurnDiceRolled(Event, frozen=True, tag="threw-off"):
    """Everybody rolled for the first turn (setup.12)."""

    faces: tuple[tuple[Seat, Face], ...]
    highest: tuple[Seat, ...]
    """The seats that rolled highest. If there are several, they roll again."""

    def tell(self) -> str:
        """Tells what everybody rolled, and who rolls again."""
        thrown = listing([f"{seat} {face}" for seat, face in self.faces])
        again = f" {listing(self.highest)} roll again." if len(self.highest) > 1 else ""
        return f"Rolled for the first turn: {thrown}.{again}"

    def apply(self, state: State) -> State:
        """Leaves only the seats that rolled highest in the order."""
        return replace(state, order=self.highest, mover=self.highest[0])


class TurnOrderSettled(Event, frozen=True, tag="order-settled"):
    """The first player is known, and the others follow clockwise."""

    order: tuple[Seat, ...]

    def tell(self) -> str:
        """Tells the order of the turns."""
        return f"Turns go: {', '.join(self.order)}." if len(self.order) > 1 else "One player, alone against the city."

    def apply(self, state: State) -> State:
        """Sets the order, in which heroes are chosen next."""
        return replace(state, order=self.order, mover=self.order[0], phase="pick")


class HeroPicked(Event, frozen=True, tag="picked"):
    """A player has chosen a hero, who has full health (setup.13, setup.14, setup.17)."""

    seat: Seat
    hero: HeroId
    health: EventNumber
    is_zombie: bool = False
    ability: str = ""

    def tell(self) -> str:
        """Tells the hero of the player, with ability and health."""
        kind = "as a zombie hero" if self.is_zombie else f"with {self.ability}"
        return f"{self.seat} plays {self.hero} {kind}, health {self.health}."

    def apply(self, state: State) -> State:
        """Gives the hero to the player, and takes the ability out of those that are left."""
        player = Player(self.hero, self.seat, self.health, "", self.is_zombie, self.ability)  # type: ignore[arg-type]  # a seat is one of four
        left = tuple(ability for ability in state.abilities if ability != self.ability)
        return replace(state, players={**state.players, self.hero: player}, abilities=left)


class FigurePutDown(Event, frozen=True, tag="put-down"):
    """A figure stands on its start square (setup.15)."""

    told = "Put {hero} on {at}."
    hero: HeroId
    at: Square

    def apply(self, state: State) -> State:
        """Puts the figure on the square."""
        return state.change_player(self.hero, at=self.at)


class SetUpAdvanced(Event, frozen=True, tag="pen-passed"):
    """The set-up goes on to its next part, or to the next player."""

    phase: Phase
    seat: Seat

    def tell(self) -> str:
        """Tells whose part it is, and what for."""
        return f"Now {self.seat}: {PHASE_DESCRIPTIONS[self.phase]}."

    def apply(self, state: State) -> State:
        """Sets the phase and the seat to move."""
        return replace(state, phase=self.phase, mover=self.seat)


# The words


def make_set_up_verb(
    action: type[A],
    phase: str,
    offers: Callable[[State, Seat], Iterator[Choice]],
    resolve: Callable[[State, Seat, A, Dice], Script[State]],
    rule: str,
    check: Callable[[State, Seat, A], Iterator[Refusal]] | None = None,
    read: Callable[[Reader], Any] | None = None,
) -> Verb[State, A]:
    """Returns a verb for one phase of the set-up."""

    def late(state: State, _seat: Seat, _said: A) -> Iterator[Refusal]:
        early = state.phase in SET_UP_PHASES and SET_UP_PHASES.index(state.phase) < SET_UP_PHASES.index(phase)
        yield Refusal(rule, f"{'not yet' if early else 'too late'}: {PHASE_DESCRIPTIONS[state.phase]}")

    read = read or (lambda reader: reader.read_action(action))
    return Verb(action, (phase,), offers, check, resolve, read=read, rule=rule, late=late)


# Zombies


class FillStartAreas(Action, frozen=True, tag="fill"):
    """Roll for all start areas and put the zombies there (setup.6, setup.7, setup.8, setup.9)."""

    says = "fill"


def _make_fill_need(state: State) -> Need:
    dice = tuple(area.id for area, _ in state.board.start_areas for _ in range(area.dice))
    return Need("zombies in the start areas", len(dice), 6, each=dice, aims=ONLY_READ, rule="setup.6")


def _offer_fill(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(FillStartAreas, _make_fill_need(state))


def _fill_areas(state: State, _seat: Seat, _action: FillStartAreas, dice: Dice) -> Script[State]:
    """Rolls for all areas. Each area gets as many zombies as its dice show.

    The zombies fill the squares in the order of the board file (ruling.fill-order).
    """
    faces = iter(dice.throw(_make_fill_need(state)))
    for area, squares in state.board.start_areas:
        thrown = tuple(next(faces) for _ in range(area.dice))
        state = yield AreaFilled(area.id, area.zombies, thrown, squares[: sum(thrown)])
    if len(state.seats) > 1:
        yield SetUpAdvanced("first", state.seats[0])
    else:
        yield TurnOrderSettled(state.seats)


# Who goes first


class RollForFirstTurn(Action, frozen=True, tag="first"):
    """Everybody, or everybody who ties, rolls one die for the first turn (setup.12)."""

    says = "first"


def _make_first_need(state: State) -> Need:
    return Need("who goes first", len(state.order), 6, each=state.order, aims=ONLY_READ, rule="setup.12")


def _offer_first(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(RollForFirstTurn, _make_first_need(state))


def _roll_for_first_turn(state: State, _seat: Seat, _action: RollForFirstTurn, dice: Dice) -> Script[State]:
    """Rolls for the first turn, and sets the order of the turns once one player has the highest die.

    That player goes first, and the others follow clockwise (ruling.turn-order). Players who tie for the highest die
    roll again (ruling.first-tie).
    """
    faces = dice.throw(_make_first_need(state))
    thrown = tuple(zip(state.order, faces, strict=True))
    highest = tuple(seat for seat, face in thrown if face == max(faces))
    state = yield FirstTurnDiceRolled(thrown, highest)
    if len(highest) == 1:
        at = state.seats.index(highest[0])
        yield TurnOrderSettled((*state.seats[at:], *state.seats[:at]))


# Heroes


class PickHero(Action, frozen=True, tag="pick"):
    """Select a hero, and draw a special ability for them (setup.13, setup.14)."""

    says = "pick {hero}"
    hero: HeroId


class PickZombieHero(Action, frozen=True, tag="pick-zombie"):
    """Select a hero and begin as a zombie hero (zhero.1)."""

    says = "pick {hero} zombie"
    hero: HeroId


def _read_pick(reader: Reader) -> PickHero | PickZombieHero:
    hero = reader.read_hero()
    return PickZombieHero(hero) if reader.read_word_if_last("zombie") else PickHero(hero)


def _list_heroes_left(state: State) -> OneOf:
    return OneOf(tuple(hero for hero in state.components.heroes if hero not in state.players))


def _offer_pick(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(PickHero, hero=_list_heroes_left(state))


def _offer_zombie_hero(state: State, _seat: Seat) -> Iterator[Choice]:
    """Offers to begin as a zombie hero, unless that would leave no player to be a hero (ruling.zhero-start)."""
    if any(not player.is_zombie for player in state.players.values()) or len(state.players) + 1 < len(state.seats):
        yield Choice(PickZombieHero, hero=_list_heroes_left(state))


def _check_pick(state: State, _seat: Seat, action: PickHero | PickZombieHero) -> Iterator[Refusal]:
    if action.hero in state.players:
        yield Refusal("object.1", f"{action.hero} is {state.players[action.hero].seat}'s hero")
    elif action.hero in state.components.heroes:
        yield Refusal("zhero.1", "at least one player has to be a hero")


def _pick_hero(state: State, seat: Seat, action: PickHero, dice: Dice) -> Script[State]:
    """Gives the hero to the player, with full health (setup.17) and an ability that is drawn at random (setup.14)."""
    ability = dice.draw(state.abilities, f"special ability of {action.hero.lower()}")
    health = state.components.heroes[action.hero].health
    state = yield HeroPicked(seat, action.hero, health, ability=ability)
    yield from _go_to_next_seat(state, seat, "put")


def _pick_zombie_hero(state: State, seat: Seat, action: PickZombieHero, _dice: Dice) -> Script[State]:
    """Begins as a zombie hero, with no ability, and no horde yet (ruling.zhero-start)."""
    state = yield HeroPicked(seat, action.hero, state.components.heroes[action.hero].zombie_health, is_zombie=True)
    yield from _go_to_next_seat(state, seat, "put")


def _go_to_next_seat(state: State, seat: Seat, then: str) -> Script[State]:
    """Goes on to the next player, or after the last one to the next part of the game.

    That part is placing the heroes if `then` is "put", otherwise the first turn.
    """
    at = state.order.index(seat) + 1
    if at < len(state.order):
        return (yield SetUpAdvanced(state.phase, state.order[at]))
    if then == "put":
        return (yield SetUpAdvanced("put", state.order[0]))
    return (yield from begin_turn(state, state.players_by_seat[state.order[0]]))


# Their places


class PutFigureDown(Action, frozen=True, tag="put"):
    """Put your figure on a start square (setup.15)."""

    says = "put {square}"
    square: Square


def _list_buildings(state: State, seat: Seat) -> tuple[str, ...]:
    """Returns the buildings in which a hero may start.

    The first player to place a hero may choose. By the option `start`, the other heroes start in the same building, or
    in the two buildings in turn (setup.11, mode.versus.1). In teams every team has a building of its own (mode.teams.1,
    ruling.teams-shape).
    """
    set_down = [player for player in state.seated_players if player.at and not player.is_zombie]
    if not set_down:
        return START_BUILDINGS
    first = set_down[0].at[0]
    if state.options["mode"] == "teams":
        mate = (SEATS.index(seat) - SEATS.index(set_down[0].seat)) % 2 == 0
    else:
        mate = state.options["start"] == "same" or len(set_down) % 2 == 0
    return tuple(level for level in START_BUILDINGS if (level == first) == mate)


def _list_start_squares(state: State, seat: Seat) -> tuple[str, ...]:
    if state.players_by_seat[seat].is_zombie:
        squares = state.board.zombie_hero_starts
    else:
        squares = tuple(square for level in _list_buildings(state, seat) for square in state.board.hero_starts[level])
    return tuple(square for square in squares if state.board.square_bits[square] & state.empty_squares)


def _offer_put(state: State, seat: Seat) -> Iterator[Choice]:
    yield Choice(PutFigureDown, square=OneOf(_list_start_squares(state, seat)))


def _check_put(state: State, seat: Seat, action: PutFigureDown) -> Iterator[Refusal]:
    player = state.players_by_seat[seat]
    starts = [square for level in START_BUILDINGS for square in state.board.hero_starts[level]]
    if action.square in state.figures:
        yield Refusal("move.7", f"{state.figures[action.square].hero} stands on {action.square}")
    elif player.is_zombie:
        yield Refusal("zhero.1", f"zombie heroes start on {listing(state.board.zombie_hero_starts, 'or')}")
    elif action.square not in starts:
        yield Refusal("setup.15", f"{action.square} is not a start square of a building")
    else:
        where = listing([LEVEL_NAMES[level] for level in _list_buildings(state, seat)], "or")
        yield Refusal(
            "mode.teams.1" if state.options["mode"] == "teams" else "setup.11", f"{player.hero} starts in the {where}"
        )


def _put_figure_down(state: State, seat: Seat, action: PutFigureDown, _dice: Dice) -> Script[State]:
    state = yield FigurePutDown(state.players_by_seat[seat].hero, action.square)
    yield from _go_to_next_seat(state, seat, "turn")


VERBS = (
    make_set_up_verb(FillStartAreas, "fill", _offer_fill, _fill_areas, "setup.6"),
    make_set_up_verb(RollForFirstTurn, "first", _offer_first, _roll_for_first_turn, "setup.12"),
    make_set_up_verb(PickHero, "pick", _offer_pick, _pick_hero, "setup.13", _check_pick, _read_pick),
    make_set_up_verb(PickZombieHero, "pick", _offer_zombie_hero, _pick_zombie_hero, "zhero.1", _check_pick, _read_pick),
    make_set_up_verb(PutFigureDown, "put", _offer_put, _put_figure_down, "setup.15", _check_put),
)
