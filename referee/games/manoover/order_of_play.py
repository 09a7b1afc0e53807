"""The order of play: whose turn it is, the order of its phases, and how the turn passes on."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.text import count_of, listing
from referee.engine.turn_order import Obligation, Order
from referee.games.manoover.state import Phase, State, skips_automatic_phase
from referee.games.manoover.status import PHASE_NAMES


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The mover goes on to the other phase of the turn."""

    announces = True
    phase: Phase

    def apply(self, state: State) -> State:
        """Sets the phase."""
        return replace(state, phase=self.phase, moved=0)

    def tell(self) -> str:
        """Tells the players which phase begins."""
        return f"Now the {PHASE_NAMES.get(self.phase, self.phase)}."


class TurnPassed(Event, frozen=True, tag="turn-passed"):
    """The turn is over, and another player's turn begins."""

    announces = True
    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Counts the finished turn, clears the dice and opens the next turn.

        Raises ValueError if the seat does not exist.
        """
        if self.seat not in state.board.seats:
            raise ValueError(f"nobody sits at {self.seat}")
        taken = {**state.taken, state.turn: state.taken[state.turn] + 1}
        table = {"dice": (), "spent": (), "dead": 0, "rethrown": False, "moved": 0}
        return replace(state, taken=taken, turn=self.seat, phase=self.phase, **table)

    def tell(self) -> str:
        """Tells the players whose turn begins."""
        return f"Turn over. {self.seat.capitalize()}'s turn."


# What is due


def _find_obligation(state: State) -> Obligation | None:
    """Returns the obligation to act now; None after the end.

    One player acts for the whole turn (turn.2, three.6). In the throw-off, one player rolls for all.
    """
    match state.phase:
        case "throw-off":
            question = listing(state.contenders)
            words = f"nobody has the first turn yet: {question} roll one die each"
            return Obligation(state.turn, state.phase, find_first_turn_rule(state), words)
        case "throw":
            return Obligation(state.turn, state.phase, state.board.dice_rule, f"{state.turn} must roll the dice first")
        case "rethrow":
            dice = count_of(state.dead, "die", "dice")
            return Obligation(
                state.turn, state.phase, "dice.5", f"{state.turn} must roll {dice} again before any action"
            )
        case "over":
            return None
        case _:
            return _make_obligation(state.turn, state.phase, find_phase_order_rule(state))


@lru_cache(maxsize=64)
def _make_obligation(seat: Seat, phase: Phase, rule: str) -> Obligation:
    return Obligation(seat, phase, rule, f"this is the {PHASE_NAMES[phase]} of {seat}'s turn")


def describe_phase(state: State) -> str:
    """Returns a clause that names the current phase and its player."""
    return _make_obligation(state.turn, state.phase, find_phase_order_rule(state)).words


def find_first_turn_rule(state: State) -> str:
    """Returns the rule that decides who goes first."""
    if state.board.has_three_seats:
        return "three.5" if state.tied else "three.4"
    return "setup.6" if state.tied else "setup.5"


def find_phase_order_rule(state: State) -> str:
    """Returns the rule that fixes the order of phases in this turn."""
    if state.options["order"] == "auto-control":
        return "variant.crash.1"
    if state.options["order"] == "alternate":
        return "variant.alt.2" if state.taken[state.turn] else "variant.alt.1"
    return "three.8" if state.board.has_three_seats else "turn.1"


# Players who cannot act at all


def _refuse_player(state: State, seat: Seat) -> Iterator[Refusal]:
    """Yields a refusal if the game is over or it is another player's turn."""
    if state.outcome:
        yield Refusal("end.5", "the game is over")
    elif seat != state.turn and state.phase != "throw-off":
        yield _refuse_other_seat(state, seat)


def _refuse_other_seat(state: State, seat: Seat) -> Refusal:
    if seat not in state.board.seats:
        return refuse_unknown_seat(state, seat)
    if state.board.has_three_seats and not state.is_in_game(seat):
        return Refusal("three.12", f"{seat} has no robots left and takes no more turns; it is {state.turn}'s turn")
    return Refusal("three.6" if state.board.has_three_seats else "turn.2", f"it is {state.turn}'s turn, not {seat}'s")


def refuse_unknown_seat(state: State, name: str) -> Refusal:
    """Returns the refusal for a name that belongs to no seat."""
    return Refusal("three.2" if state.board.has_three_seats else "setup.1", f"nobody is called {name!r} in this game")


ORDER = Order(_find_obligation, _refuse_player)


# How the turn goes on


def end_phase(state: State) -> Script[State]:
    """Begins the other phase of the turn, or passes the turn (turn.1, three.8, variant.alt.1-variant.alt.3,
    variant.crash.1).

    With the automatic phase first, dice are rolled after it (r.alt-throw). The alternate order leaves out each player's
    first automatic phase, in every game (r.alt-first). A player without robots has no other phase (r.eliminated-mover).
    """
    closing: Phase = "auto" if state.find_opening_phase(state.turn) == "throw" else "throw"
    action = "auto" if state.phase == "auto" else "throw"
    if not skips_automatic_phase(state) and action != closing and state.is_in_game(state.turn):
        yield PhaseBegun(closing)
    else:
        yield from _pass_turn(state)


def _pass_turn(state: State) -> Script[State]:
    """Passes the turn to the next player clockwise who has robots (turn.2, three.6, three.12, r.table-order)."""
    seats = state.board.seats
    index = seats.index(state.turn)
    following = seats[index + 1 :] + seats[: index + 1]
    seat = next(seat for seat in following if state.is_in_game(seat))
    yield TurnPassed(seat, state.find_opening_phase(seat))
