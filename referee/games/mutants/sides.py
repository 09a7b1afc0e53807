"""Sides: who plays the Humans and who the Mutants, settled before the game or rolled for (II.A)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import ONLY_READ
from referee.games.mutants.board import Die, Side
from referee.games.mutants.notation import make_reader
from referee.games.mutants.options import SEATS
from referee.games.mutants.order_of_play import limit_check_to_turns
from referee.games.mutants.phases import Phase
from referee.games.mutants.state import State

SIDE_ROLL = Need("sides", 2, 6, each=("human chair", "mutant chair"), aims=ONLY_READ, rule="II.A-a")


class SidesRolled(Event, frozen=True, tag="sides-rolled"):
    """Each chair rolled a die for the choice of sides."""

    human: Die
    mutant: Die

    def tell(self) -> str:
        """Tells the dice, and whether to roll again."""
        again = " A tie: roll again." if self.human == self.mutant else ""
        return f"Rolled for sides: human chair {self.human}, mutant chair {self.mutant}.{again}"

    def apply(self, state: State) -> State:
        """Records the dice. After a tie both roll again."""
        phase: Phase = "sides" if self.human == self.mutant else "choose"
        return replace(state, phase=phase, rolled=(self.human, self.mutant))


class SideChosen(Event, frozen=True, tag="side-chosen"):
    """The player with the higher roll has chosen a side."""

    by: Side
    """The chair that chose."""
    side: Side

    def tell(self) -> str:
        """Tells which side the player with the higher roll takes, and whether to change chairs."""
        change = "Nobody changes chairs" if self.by == self.side else "Change chairs, and names go with the players"
        return f"The player with the higher roll takes the {self.side} side. {change}."

    def apply(self, state: State) -> State:
        """Settles the sides. If the chooser wants the other side, both change chairs (II.A-e)."""
        return replace(state, phase="setup-human", swapped=self.by != self.side)


class RollSides(Action, frozen=True, tag="sides"):
    """Roll one die for each chair; the higher roll chooses a side (II.A-a)."""

    says = "sides"


class ChooseSide(Action, frozen=True, tag="choose"):
    """Choose a side after the higher roll (II.A-c)."""

    says = "choose {side}"
    side: Side


def _offer_roll(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(RollSides, SIDE_ROLL)


def _roll_for_sides(_state: State, _seat: Seat, _action: RollSides, dice: Dice) -> Script[State]:
    """Rolls one die each; a tie is rolled again (II.A-a, II.A-b)."""
    yield SidesRolled(*dice.throw(SIDE_ROLL))


def _offer_sides(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(ChooseSide, side=OneOf(SEATS))


def _choose_side(state: State, _seat: Seat, action: ChooseSide, _dice: Dice) -> Script[State]:
    yield SideChosen(state.side_chooser, action.side)


def _refuse_loser(_state: State) -> Iterator[Refusal]:
    yield Refusal("II.A-c", "the player with the higher roll chooses")


@limit_check_to_turns
def _refuse_late_choice(_state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("II.A-c", "sides are already settled")


def check_set_up_seat(state: State, seat: Seat) -> tuple[Refusal, ...]:
    """Returns the refusal for a player who cannot set up yet, or sets up nothing at all; empty for others."""
    if state.phase in ("sides", "choose"):
        return (Refusal("II.A-a", "sides are not settled yet"),)
    if state.is_alternate_scenario and seat == "mutant":
        return (Refusal("OPT.VI.A-b", "you set up nothing: Mutants come only from the mixed pool"),)
    return ()


VERBS = (
    Verb(RollSides, ("sides",), _offer_roll, resolve=_roll_for_sides, late=_refuse_late_choice),
    Verb(
        ChooseSide,
        ("choose",),
        _offer_sides,
        resolve=_choose_side,
        read=make_reader(ChooseSide),
        late=_refuse_late_choice,
        theirs=_refuse_loser,
    ),
)
