"""How units move: events of Sheboygan."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.sheboygan.counters import UnitId, UnitIds
from referee.games.sheboygan.state import (
    BoxName,
    Die,
    Dues,
    Few,
    State,
)


class Moved(Event, frozen=True, tag="moved"):
    """Units have moved together: one alone, a tank with its gun, police with populace."""

    units: UnitIds
    box: BoxName
    cost: Few
    """Movement Points that the first of them has spent on it."""

    def apply(self, state: State) -> State:
        """Put them there, and remember where they began and what they have spent."""
        leader = self.units[0]
        start = state.at[leader]
        moved = {unit: state.moved.get(unit, state.at[unit]) for unit in self.units}
        spent = {**state.spent, leader: state.spent.get(leader, 0) + self.cost}
        return replace(
            state,
            at={**state.at, **dict.fromkeys(self.units, self.box)},
            moved={**state.moved, **moved},
            spent=spent,
            carried=self._carried(state, leader, start) if leader[0] == "p" else state.carried,
        )

    def _carried(self, state: State, police: str, start: str) -> dict[str, str]:
        """Who rides along; who rode along before and is left behind was dropped (10.0c)."""
        left = {unit: "-" if by == police and state.at.get(unit) == start else by for unit, by in state.carried.items()}
        return {**left, **dict.fromkeys(self.units[1:], police)}


class Towed(Event, frozen=True, tag="towed"):
    """A tank has towed a gun (5.0j)."""

    tank: UnitId
    gun: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Put both there; neither moves otherwise in this phase."""
        pair = (self.tank, self.gun)
        units = state.board.tables.units
        return replace(
            state,
            at={**state.at, **dict.fromkeys(pair, self.box)},
            moved={**state.moved, **{unit: state.at[unit] for unit in pair}},
            spent={**state.spent, **{unit: units[unit[0]].movement for unit in pair}},
            carried={**state.carried, self.tank: self.gun, self.gun: self.tank},
        )


class Forded(Event, frozen=True, tag="forded"):
    """Infantry has gone into the river, or come out of it (9.1a, 9.1b)."""

    unit: UnitId
    box: BoxName
    bank: str
    """The bank that it came from, "-" if that was a bridge; empty: it is out."""

    def apply(self, state: State) -> State:
        """Put it there; its allowance is spent."""
        fording = {unit: bank for unit, bank in state.fording.items() if unit != self.unit}
        movement = state.board.tables.units["i"].movement
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            fording={**fording, self.unit: self.bank} if self.bank else fording,
            moved={**state.moved, self.unit: state.at[self.unit]},
            spent={**state.spent, self.unit: movement},
            carried={**state.carried, self.unit: "-"},
        )


class Recalled(Event, frozen=True, tag="recalled"):
    """A unit goes back to where it began the phase, with all its Movement Points (5.22a)."""

    unit: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Its move has not been made."""
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            moved={unit: box for unit, box in state.moved.items() if unit != self.unit},
            spent={unit: cost for unit, cost in state.spent.items() if unit != self.unit},
        )


class Passed(Event, frozen=True, tag="passed"):
    """A helicopter has passed through the monster's box (8.0d)."""

    unit: UnitId
    die: Die
    due: Dues = ()

    def apply(self, state: State) -> State:
        """The monster has grabbed at it."""
        return replace(state, due=self.due + state.due)


class Worked(Event, frozen=True, tag="worked"):
    """Units in webs have spent another Human Movement Phase cutting their way out (13.22c)."""

    caught: Annotated[dict[UnitId, Few], Meta(max_length=100)]
    """Who has still to stay, and for how long."""

    def apply(self, state: State) -> State:
        """Count it."""
        return replace(state, caught=self.caught)
