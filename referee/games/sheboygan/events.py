"""What happens in Sheboygan. Events carry results, so that applying one needs no rule.

Here are those of the set-up, of turns and of the end, and the union of all.
"""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Seat
from referee.engine.secret import Secret
from referee.games.sheboygan.combat_events import (
    Answered,
    Asked,
    Assailed,
    Cornered,
    Done,
    Eliminated,
    Fell,
    Grew,
    Grown,
    Hurt,
    Retreated,
    Struck,
    StruckOff,
    Toppled,
    Volunteered,
    Withdrew,
)
from referee.games.sheboygan.counters import UnitIds, in_order
from referee.games.sheboygan.flames import FireEvent
from referee.games.sheboygan.monster_events import (
    Attempted,
    Controlled,
    Entered,
    Feared,
    Flashed,
    Jumped,
    Landed,
    Overran,
    Prowled,
    Scorched,
    TookOff,
    Webbed,
    Withstood,
    Wrecked,
)
from referee.games.sheboygan.options import CREATURE
from referee.games.sheboygan.scenarios import Ability
from referee.games.sheboygan.state import (
    BoxName,
    Edge,
    Few,
    Phase,
    Sheet,
    State,
)
from referee.games.sheboygan.unit_events import Forded, Moved, Passed, Recalled, Towed, Worked

# Setting up


class AbilitiesTaken(Event, frozen=True, tag="abilities-taken"):
    """Seen by its player alone: the monster's abilities (13.0a)."""

    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]

    def apply(self, state: State) -> State:
        """Note them."""
        return replace(state, sheet=Secret(CREATURE, Sheet(abilities=self.abilities)))


class AbilitiesNoted(Event, frozen=True, tag="abilities-noted"):
    """What everybody sees of that."""

    def apply(self, state: State) -> State:
        """There is a record sheet now."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), phase="record")


class StrengthsTaken(Event, frozen=True, tag="strengths-taken"):
    """Seen by its player alone: the monster's strengths besides defense (12.0a)."""

    attack: Few
    destruction: Few
    movement: Few

    def apply(self, state: State) -> State:
        """Note them beside the abilities."""
        abilities = state.sheet.value.abilities if state.sheet else ()
        sheet = Sheet(self.attack, self.destruction, self.movement, abilities)
        return replace(state, sheet=Secret(CREATURE, sheet))


class Recorded(Event, frozen=True, tag="recorded"):
    """What everybody sees of that: the defense strength (12.0h)."""

    defense: Few

    def apply(self, state: State) -> State:
        """The record is written."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), defense=self.defense, phase="edge")


class EdgeTaken(Event, frozen=True, tag="edge-taken"):
    """Seen by its player alone: the edge at which the monster will enter (3.2a)."""

    edge: Edge

    def apply(self, state: State) -> State:
        """Note it."""
        return replace(state, edge=Secret(CREATURE, self.edge))


class EdgeNoted(Event, frozen=True, tag="edge-noted"):
    """What everybody sees of that."""

    def apply(self, state: State) -> State:
        """The human player buys."""
        return replace(state, edge=state.edge or Secret(CREATURE), phase="buy")


class Bought(Event, frozen=True, tag="bought"):
    """Units were bought."""

    units: UnitIds
    cost: Few

    def apply(self, state: State) -> State:
        """They are in the hand."""
        return replace(state, hand=in_order(state.hand + self.units), budget=state.budget - self.cost)


class Placed(Event, frozen=True, tag="placed"):
    """Units were put on the map."""

    units: UnitIds
    box: BoxName

    def apply(self, state: State) -> State:
        """Put them there."""
        hand = tuple(unit for unit in state.hand if unit not in self.units)
        at = {**state.at, **dict.fromkeys(self.units, self.box)}
        return replace(state, hand=hand, at={unit: at[unit] for unit in in_order(at)})


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """Another phase begins (4.0b)."""

    phase: Phase

    def apply(self, state: State) -> State:
        """Whatever holds for one phase only is over."""
        return replace(state, **_OVER[self.phase], phase=self.phase)


_MOVING: dict[str, Any] = {"moved": {}, "spent": {}, "carried": {}}
_OVER: dict[Phase, dict[str, Any]] = {
    "abilities": {},
    "record": {},
    "edge": {},
    "buy": {},
    "place": {},
    "monster-move": _MOVING,
    "monster-combat": _MOVING | {"scorched": frozenset()},
    "arrival": {"attacked": frozenset(), "fled": False, "fought": frozenset()},
    "human-move": _MOVING | {"attacked": frozenset(), "fled": False, "fought": frozenset()},
    "human-combat": _MOVING | {"feared": ()},
    "fire": {"fought": frozenset(), "assaulting": frozenset()},
}


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A Game-Turn begins with the Monster Movement Phase (4.0a)."""

    turn: Annotated[int, Meta(ge=1, le=10_000)]

    def apply(self, state: State) -> State:
        """Its strengths are whole again, as far as they were not reduced (C68)."""
        return replace(
            state,
            turn=self.turn,
            phase="monster-move",
            walked=0,
            struck=0,
            smashed=0,
            attempts=0,
            ignitions=0,
            landed="no",
            flashed=False,
            blown=False,
            scorched=frozenset(),
            fought=frozenset(),
            assaulting=frozenset(),
            doused=frozenset(),
            moved={},
            spent={},
            carried={},
        )


# The end


class Resigned(Event, frozen=True, tag="resigned"):
    """A player gives the game up (C81)."""

    seat: Seat

    def apply(self, state: State) -> State:
        """The result follows."""
        return state


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Nothing is due any more."""
        return replace(state, outcome=self.outcome, due=())


SheboyganEvent = (
    AbilitiesTaken | AbilitiesNoted | StrengthsTaken | Recorded | EdgeTaken | EdgeNoted
    | Bought | Placed | PhaseBegun | TurnBegun
    | Entered | Prowled | Jumped | TookOff | Landed | Overran | Scorched | Withstood | Attempted | Wrecked
    | Webbed | Flashed | Feared | Controlled
    | Moved | Towed | Forded | Recalled | Passed | Worked
    | Struck | Assailed | Volunteered | Done | StruckOff | Hurt | Cornered | Withdrew | Retreated | Eliminated
    | Grown | Grew | Asked | Answered | Toppled | Fell | Resigned | Ended
    | FireEvent
)  # fmt: skip
