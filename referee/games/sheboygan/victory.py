"""Victory Points, and the end of the game (14.1). The points for boxes are in the Terrain Effects Chart (14.1g)."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Outcome, Script, Seat, rank_seats
from referee.engine.rulebook import Refusal
from referee.engine.text import count_of
from referee.games.sheboygan.options import HUMAN_SEAT, MONSTER_SEAT, SEATS
from referee.games.sheboygan.order_of_play import PLAY_PHASES
from referee.games.sheboygan.state import EliminationCause, State

POPULACE_POINTS = 5
"""Victory Points for a populace unit (14.1e)."""
MONSTER_CAUSES: frozenset[EliminationCause] = frozenset(
    ("attack", "treason", "overrun", "bridge", "grabbed", "flames", "crushed")
)
"""The causes that count as the monster's own, with the option losses-score=by-monster (C6)."""


def count_victory_points(state: State, units: Iterable[str], cause: EliminationCause) -> int:
    """Returns the Victory Points for eliminated units (14.1e, 14.1f), once each (C7, C33).

    Units score, whatever the cause of their loss, unless the option losses-score leaves out this cause (C6).
    """
    option = state.options["losses-score"]
    if (option == "no-suicide" and cause == "suicide") or (option == "by-monster" and cause not in MONSTER_CAUSES):
        return 0
    return sum(POPULACE_POINTS if unit[0] == "c" else state.get_unit_type(unit).strength for unit in units)


def describe_victory_points(points: int) -> str:
    """Returns points as a sentence that follows another; "" if there are none."""
    return f" {count_of(points, 'Victory Point')}." if points else ""


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def tell(self) -> str:
        """Tells why the game is over."""
        return f"Game over: {self.outcome.because}."

    def apply(self, state: State) -> State:
        """Records the result, and drops all duties."""
        return replace(state, outcome=self.outcome, due=())


def find_outcome(state: State) -> Outcome | None:
    """Returns the result if the game ends now (14.1a to 14.1d, C8, C72); None otherwise."""
    if not state.turn:
        return None
    if not state.hand and not any(True for _ in state.human_units):
        return _make_win(state, MONSTER_SEAT, "no human unit is left")
    level = state.scenario.victory_level
    if state.points > level:
        return _make_win(state, MONSTER_SEAT, f"{state.points} Victory Points are more than {level}")
    if state.defense == 0 and not any(due.outlives_monster for due in state.due):
        return _decide_outcome_after_death(state, level)
    return None


def _decide_outcome_after_death(state: State, level: int) -> Outcome:
    """Returns the result after the monster's death: a draw if its points equal the level (14.1d), else its defeat."""
    if state.points == level and state.options["dead-monster"] == "compared":
        because = f"a draw: the monster is dead and has {level} Victory Points, the monster victory level"
        return Outcome((SEATS,), (), because)
    return _make_win(
        state, HUMAN_SEAT, f"the monster is dead, and {state.points} Victory Points are not more than {level}"
    )


def _make_win(state: State, seat: Seat, why: str) -> Outcome:
    scores = ((MONSTER_SEAT, state.points),)
    return Outcome(rank_seats((seat,), SEATS), scores, f"the {seat} player wins: {why}")


# Giving up


class PlayerResigned(Event, frozen=True, tag="resigned"):
    """A player gives the game up (C81)."""

    told = "The {seat} player gives the game up."
    seat: Seat

    def apply(self, state: State) -> State:
        """Changes nothing. The result follows."""
        return state


class Resign(Action, frozen=True, tag="resign"):
    """Give the game up (C81)."""

    says = "resign"


def _offer_resign(state: State, _seat: Seat) -> Iterator[Choice]:
    """Offers to resign.

    In the Monster Movement Phase, this offer keeps the referee from taking a forced action by itself. So no Game-Turn
    passes without an action of a player.
    """
    yield Choice(Resign, minor=True, aside=state.phase != "monster-move")


def _refuse_resign(*_: object) -> Iterator[Refusal]:
    yield Refusal("C81", "a player can give up only in one of their own phases, once the game has begun")


def _resign_game(state: State, seat: Seat, _action: Resign, _dice: Dice) -> Script[State]:
    yield PlayerResigned(seat)
    other = MONSTER_SEAT if seat == HUMAN_SEAT else HUMAN_SEAT
    yield GameEnded(_make_win(state, other, f"the {seat} player gives up"))


VERBS = (
    Verb(
        Resign,
        PLAY_PHASES,
        _offer_resign,
        resolve=_resign_game,
        late=_refuse_resign,
        theirs=_refuse_resign,
        gives_up=True,
    ),
)
