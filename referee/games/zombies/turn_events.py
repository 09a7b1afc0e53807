"""What happens while the game is set up, and as turns come and go. Events carry results; applying runs no rule."""

from typing import Literal

from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Seat
from referee.games.zombies.board import Square
from referee.games.zombies.components import HeroId, ZombieLevel
from referee.games.zombies.events import Die, Number, discarded
from referee.games.zombies.state import Acts, Phase, Player, State
from referee.games.zombies.tasks import AnyTask, Cards, Squares

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
