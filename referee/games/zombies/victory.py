"""How the game ends: somebody is rescued, or no hero is left (object.2, win.1)."""

from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Script, ranked
from referee.engine.text import listing
from referee.games.zombies.player import Player
from referee.games.zombies.state import State


class Ended(Event, frozen=True, tag="ended"):
    """The game is over (win.1)."""

    outcome: Outcome

    def tell(self) -> str:
        """How it has ended."""
        return f"The game is over: {self.outcome.because}."

    def apply(self, state: State) -> State:
        """Nothing more is played."""
        return replace(state, phase="over", outcome=self.outcome, agenda=())


def helipad(state: State) -> int:
    """The squares of the helipad (rescue.1, setup.16)."""
    return state.board.helipads[state.options["helipad"]]


def rescued(state: State, player: Player) -> Script[State]:
    """The first successful roll wins, for himself or for his team (win.1, ruling.win-criterion, mode.versus.5).

    A team mate who has turned into a zombie hero is no longer of the team (ruling.team-zhero).
    """
    saved = [mate for mate in state.team_of(player) if mate.is_hero]
    winners = tuple(mate.seat for mate in saved)
    names = listing([mate.hero for mate in saved])
    because = f"{names} {'is' if len(saved) == 1 else 'are'} rescued from the City of Mayhem"
    return (yield Ended(Outcome(ranked(winners, state.seats), _scores(state), because)))


def end_if_nobody_is_left(state: State) -> Script[State]:
    """Without a hero nobody can be rescued: the city wins (ruling.nobody-left)."""
    if state.heroes or state.outcome:
        return state
    return (yield Ended(Outcome(ranked((), state.seats), _scores(state), "no hero is left: the city wins")))


def _scores(state: State) -> tuple[tuple[str, int], ...]:
    """Survivors that each player has collected."""
    held: dict[str, int] = {player.seat: len(player.survivors) for player in state.players.values()}
    return tuple((seat, held.get(seat, 0)) for seat in state.seats)
