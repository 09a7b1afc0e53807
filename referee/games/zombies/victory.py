"""The end of the game: somebody is rescued, or no hero is left (object.2, win.1)."""

from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Script, rank_seats
from referee.engine.text import listing
from referee.games.zombies.player import Player
from referee.games.zombies.state import State


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over (win.1)."""

    outcome: Outcome

    def tell(self) -> str:
        """Tells how it has ended."""
        return f"The game is over: {self.outcome.because}."

    def apply(self, state: State) -> State:
        """Ends the game. No task is due any more."""
        return replace(state, phase="over", outcome=self.outcome, agenda=())


def find_helipad_squares(state: State) -> int:
    """Returns the squares of the helipad (rescue.1, setup.16)."""
    return state.board.helipad_squares_by_option[state.options["helipad"]]


def win_by_rescue(state: State, player: Player) -> Script[State]:
    """Ends the game after a successful rescue roll, which wins for the player or their team.

    The first rescue decides the game (win.1, ruling.win-criterion, mode.versus.5). A team mate who has turned into a
    zombie hero does not win with the team (ruling.team-zhero).
    """
    saved = [mate for mate in state.list_team(player) if mate.is_hero_on_board]
    winners = tuple(mate.seat for mate in saved)
    names = listing([mate.hero for mate in saved])
    because = f"{names} {'is' if len(saved) == 1 else 'are'} rescued from the City of Mayhem"
    return (yield GameEnded(Outcome(rank_seats(winners, state.seats), _count_scores(state), because)))


def end_game_if_no_hero_is_left(state: State) -> Script[State]:
    """Ends the game if no hero is left. Nobody can be rescued, so the city wins (ruling.nobody-left)."""
    if state.heroes or state.outcome:
        return state
    return (
        yield GameEnded(Outcome(rank_seats((), state.seats), _count_scores(state), "no hero is left: the city wins"))
    )


def _count_scores(state: State) -> tuple[tuple[str, int], ...]:
    """Returns the number of survivors that each seat has."""
    held: dict[str, int] = {player.seat: len(player.survivors) for player in state.players.values()}
    return tuple((seat, held.get(seat, 0)) for seat in state.seats)
