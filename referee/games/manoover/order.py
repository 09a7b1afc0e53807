"""The order of play: whose turn it is, the order of its phases, and how it passes to the next player."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from referee.engine.event import Event, Script, Seat
from referee.engine.order import Due, Order
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.games.manoover.state import Phase, State, is_spared
from referee.games.manoover.status import PHASES


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The mover goes on to the other phase of the turn."""

    phase: Phase

    def apply(self, state: State) -> State:
        """Set the phase."""
        return replace(state, phase=self.phase, moved=0)

    def tell(self) -> str:
        """Which phase it is now."""
        return f"Now the {PHASES.get(self.phase, self.phase)}."


class TurnPassed(Event, frozen=True, tag="turn-passed"):
    """The turn is over and another player's begins."""

    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Count the turn, clear the table of dice, and open the next turn."""
        if self.seat not in state.board.seats:
            raise ValueError(f"nobody sits at {self.seat}")
        taken = {**state.taken, state.turn: state.taken[state.turn] + 1}
        table = {"dice": (), "spent": (), "dead": 0, "rethrown": False, "moved": 0}
        return replace(state, taken=taken, turn=self.seat, phase=self.phase, **table)

    def tell(self) -> str:
        """Whose turn it is now."""
        return f"Turn over. {self.seat.capitalize()}'s turn."


# What is due


def _due(state: State) -> Due | None:
    """The player on turn acts all turn long (turn.2, three.6); one player throws for all who throw for the first."""
    match state.phase:
        case "throw-off":
            who = listing(state.contenders)
            words = f"nobody has the first turn yet: {who} throw one die each"
            return Due(state.turn, state.phase, throw_off_rule(state), words)
        case "throw":
            return Due(state.turn, state.phase, state.board.dice_rule, "the dice have to be thrown first")
        case "rethrow":
            dice = count_of(state.dead, "die", "dice")
            return Due(state.turn, state.phase, "dice.5", f"{dice} picked up must be thrown again before any action")
        case "over":
            return None
        case _:
            return _acting(state.turn, state.phase, order_rule(state))


@lru_cache(maxsize=64)
def _acting(seat: Seat, phase: Phase, rule: str) -> Due:
    return Due(seat, phase, rule, f"this is the {PHASES[phase]} of {seat}'s turn")


def phase_now(state: State) -> str:
    """Whose phase it is, as a clause."""
    return _acting(state.turn, state.phase, order_rule(state)).words


def throw_off_rule(state: State) -> str:
    """The rule by which it is settled who goes first."""
    if state.board.three:
        return "three.5" if state.tied else "three.4"
    return "setup.6" if state.tied else "setup.5"


def order_rule(state: State) -> str:
    """The rule that fixes the order of the phases in this turn."""
    if state.options["order"] == "auto-control":
        return "variant.crash.1"
    if state.options["order"] == "alternate":
        return "variant.alt.2" if state.taken[state.turn] else "variant.alt.1"
    return "three.8" if state.board.three else "turn.1"


# Who can say nothing at all


def _barred(state: State, seat: Seat) -> Iterator[Refusal]:
    """Anybody when the game has ended, and once the first turn has begun everybody but the player on turn."""
    if state.outcome:
        yield Refusal("end.5", "the game is over: nothing more is played")
    elif seat != state.turn and state.phase != "throw-off":
        yield _not_on_turn(state, seat)


def _not_on_turn(state: State, seat: Seat) -> Refusal:
    if seat not in state.board.seats:
        return unknown(state, seat)
    if state.board.three and not state.in_game(seat):
        return Refusal("three.12", f"{seat} has no robots left and takes no more turns; it is {state.turn}'s turn")
    return Refusal("three.6" if state.board.three else "turn.2", f"it is {state.turn}'s turn, not {seat}'s")


def unknown(state: State, name: str) -> Refusal:
    """Why this name means nobody."""
    return Refusal("three.2" if state.board.three else "setup.1", f"nobody is called {name!r} in this game")


ORDER = Order(_due, _barred)


# How it goes on


def end_phase(state: State) -> Script[State]:
    """Go on to the other phase, or to the next player (turn.1, three.8, variant.alt.1-variant.alt.3, variant.crash.1).

    With the automatic phase first the dice are thrown after it (r.alt-throw), and the alternate order spares each
    player his own first automatic phase, in every game (r.alt-first). Who has lost his last robot has no other phase
    (r.eliminated-mover).
    """
    closing: Phase = "auto" if state.opening(state.turn) == "throw" else "throw"
    now = "auto" if state.phase == "auto" else "throw"
    if not is_spared(state) and now != closing and state.in_game(state.turn):
        yield PhaseBegun(closing)
    else:
        yield from _pass_turn(state)


def _pass_turn(state: State) -> Script[State]:
    """The next player clockwise who has robots takes his turn (turn.2, three.6, three.12, r.table-order)."""
    seats = state.board.seats
    at = seats.index(state.turn)
    following = seats[at + 1 :] + seats[: at + 1]
    seat = next(seat for seat in following if state.in_game(seat))
    yield TurnPassed(seat, state.opening(seat))
