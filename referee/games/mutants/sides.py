"""Sides: who plays the Humans, who the Mutants, settled or rolled for (II.A)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.aim import ONLY_READ
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.mutants.board import Die, Side
from referee.games.mutants.notation import reading
from referee.games.mutants.options import SEATS
from referee.games.mutants.order import once_begun
from referee.games.mutants.state import Phase, State

SIDES = Need("sides", 2, 6, each=("human chair", "mutant chair"), aims=ONLY_READ, rule="II.A-a")


class SidesRolled(Event, frozen=True, tag="sides-rolled"):
    """Each chair rolled a die for the choice of sides."""

    human: Die
    mutant: Die

    def tell(self) -> str:
        """What fell, and whether to roll again."""
        again = " A tie: roll again." if self.human == self.mutant else ""
        return f"Rolled for sides: human chair {self.human}, mutant chair {self.mutant}.{again}"

    def apply(self, state: State) -> State:
        """Remember the dice; after a tie both roll again."""
        phase: Phase = "sides" if self.human == self.mutant else "choose"
        return replace(state, phase=phase, rolled=(self.human, self.mutant))


class SideChosen(Event, frozen=True, tag="side-chosen"):
    """The higher roll has chosen its side."""

    by: Side
    """The chair that chose."""
    side: Side

    def tell(self) -> str:
        """Who sits where now."""
        change = "Nobody changes chairs" if self.by == self.side else "Change chairs, and names go with the players"
        return f"The player with the higher roll takes the {self.side} side. {change}."

    def apply(self, state: State) -> State:
        """Sides are settled, and the Human player sets up; who wants the other side changes chairs (II.A-e)."""
        return replace(state, phase="setup-human", swapped=self.by != self.side)


class RollSides(Action, frozen=True, tag="sides"):
    """Roll one die for each chair; the higher may choose its side (II.A-a)."""

    says = "sides"


class ChooseSide(Action, frozen=True, tag="choose"):
    """The player with the higher roll takes a side (II.A-c)."""

    says = "choose {side}"
    side: Side


def _roll_offers(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(RollSides, SIDES)


def _roll(_state: State, _seat: Seat, _action: RollSides, dice: Dice) -> Script[State]:
    """One die each; a tie is rolled again (II.A-a, II.A-b)."""
    yield SidesRolled(*dice.throw(SIDES))


def _choose_offers(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(ChooseSide, side=OneOf(SEATS))


def _choose(state: State, _seat: Seat, action: ChooseSide, _dice: Dice) -> Script[State]:
    yield SideChosen(state.chooser, action.side)


def _loser(_state: State) -> Iterator[Refusal]:
    yield Refusal("II.A-c", "the higher roll chooses")


@once_begun
def _settled(_state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("II.A-c", "sides are settled")


def set_up_never(state: State, seat: Seat) -> tuple[Refusal, ...]:
    """Why this player sets up nothing, or not yet."""
    if state.phase in ("sides", "choose"):
        return (Refusal("II.A-a", "sides are not settled yet"),)
    if state.alternate and seat == "mutant":
        return (Refusal("OPT.VI.A-b", "Mutants come from the mixed pool only"),)
    return ()


VERBS = (
    Verb(RollSides, ("sides",), _roll_offers, resolve=_roll, late=_settled),
    Verb(
        ChooseSide, ("choose",), _choose_offers, resolve=_choose, read=reading(ChooseSide), late=_settled, theirs=_loser
    ),
)
