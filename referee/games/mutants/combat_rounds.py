"""The course of a Combat: it begins, Round follows Round (V.B, V.C), and it ends; with Overwhelming Odds (OPT.III)."""

from msgspec.structs import replace

from referee.engine.event import Event, Script
from referee.games.mutants import sequence
from referee.games.mutants.board import Place, Side, compact_names
from referee.games.mutants.moving import free_unguarded_penny, list_refuges
from referee.games.mutants.state import Combat, State, UnitIds, find_other_side
from referee.games.mutants.view import make_view

OVERWHELMING_RATIOS = {"mutant": 3, "human": 2}
"""The number of units that a side needs for each enemy to have Overwhelming Odds (OPT.III.A-a, OPT.III.B-a)."""


def find_overwhelming_side(humans: int, mutants: int) -> Side | None:
    """Returns the side with Overwhelming Odds, from the units of both sides; None if neither has them.

    Reserves and Janibots count (OPT.III.A-b, OPT.III.B-b, M15).
    """
    if mutants >= OVERWHELMING_RATIOS["mutant"] * humans:
        return "mutant"
    return "human" if humans >= OVERWHELMING_RATIOS["human"] * mutants else None


class CombatBegun(Event, frozen=True, tag="combat-begun"):
    """A Combat starts: its units go to the Combat Display."""

    room: Place
    human: UnitIds
    mutant: UnitIds

    def tell(self) -> str:
        """Tells the players which units go to the Combat Display."""
        units = f"{compact_names(self.human)} and {compact_names(self.mutant)}"
        return f"Put the Combat Location unit in {self.room} and move {units} to the Combat Display."

    def apply(self, state: State) -> State:
        """Changes nothing on the board; the first Round follows."""
        return state


class RoundBegun(Event, frozen=True, tag="round-begun"):
    """A Round of the Combat starts."""

    evident = True

    combat: Combat
    modifier: bool
    """True if the side with many more units subtracts one from each of its dice (OPT.III)."""

    def tell(self) -> str:
        """Tells the players who lays out first, and what the odds mean."""
        combat = self.combat
        return f"Round {combat.round} in {combat.room}: {combat.first} lays out first.{self._describe_odds()}"

    def _describe_odds(self) -> str:
        """Returns sentences about the odds, by the options of the game (OPT.III, OPT.IV.A-a); "" if they are even."""
        odds = self.combat.odds
        if odds is None:
            return ""
        many = f" The {odds} side has overwhelming numbers: each of its dice counts one less."
        less = many if self.modifier else ""
        return f"{less} The {find_other_side(odds)} side may retreat." if self.combat.may_retreat else less

    def apply(self, state: State) -> State:
        """Starts the Round, with empty boxes."""
        return replace(state, combat=self.combat)


def begin_combat(state: State, room: str) -> Script[State]:
    """Moves all Character units of a room to the Combat Display and begins Round 1 (V.B.1-a, INTRO.IV.B-c)."""
    humans, mutants = state.list_fighters("human", room), state.list_fighters("mutant", room)
    state = yield CombatBegun(room, humans, mutants)
    return (yield from begin_round(state, room, 1))


def begin_round(state: State, room: str, number: int) -> Script[State]:
    """Begins a Round. Units are counted anew for every Round (M13, OPT.III.A-c), in this Combat alone (M40).

    The smaller side lays out first; with equal numbers, the side that has not just moved. Both players hear whether a
    side may retreat, so this is judged on public knowledge.
    """
    humans, mutants = len(state.list_fighters("human", room)), len(state.list_fighters("mutant", room))
    first: Side = "human" if humans < mutants else "mutant" if mutants < humans else find_other_side(state.last_mover)
    odds = find_overwhelming_side(humans, mutants)
    combat = Combat(room, "lay", number, first, odds)
    may = state.is_option_played("bugging-out") and next(list_refuges(make_view(state, None), combat), None) is not None
    combat = Combat(room, "lay", number, first, odds, may)
    return (yield RoundBegun(combat, combat.odds is not None and state.is_option_played("overwhelming-odds")))


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The Combat is over: survivors go back to the room."""

    room: Place
    survivors: UnitIds

    def tell(self) -> str:
        """Tells the players which units go back."""
        room, survivors = self.room, compact_names(self.survivors)
        back = f"put {survivors} back in {room}" if survivors else f"nobody is left in {room}"
        return f"Combat over: {back}; take the Combat Location unit off."

    def apply(self, state: State) -> State:
        """Clears the Combat Display."""
        return replace(state, combat=None)


def put_survivors_back(state: State, room: str) -> Script[State]:
    """Puts survivors back into their room (V.B.1-b), and frees Penny if no Mutant is left with her."""
    survivors = tuple(unit for unit in state.units_by_place.get(room, ()) if not state.is_captive(unit))
    state = yield CombatEnded(room, survivors)
    return (yield from free_unguarded_penny(state))


def end_combat(state: State, room: str) -> Script[State]:
    """Ends a Combat. The next one follows until none is left (V.B-b), then the next Phase."""
    state = yield from put_survivors_back(state, room)
    if not state.list_contested_rooms():
        yield from sequence.go_to_next_phase(state)
