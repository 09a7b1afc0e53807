"""The beginning of phases and Game-Turns (4.0a)."""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Script
from referee.games.sheboygan.state import Phase, State
from referee.games.sheboygan.status import PHASE_NAMES


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """Another phase begins (4.0b)."""

    announces = True
    phase: Phase

    def tell(self) -> str:
        """Tells which phase begins."""
        return f"Now {PHASE_NAMES[self.phase]}."

    def apply(self, state: State) -> State:
        """Begins the phase, and clears the fields that hold for another phase only."""
        return replace(state, **_RESETS[self.phase], phase=self.phase)


_MOVING: dict[str, Any] = {"moved": {}, "spent": {}, "carried": {}}
_RESETS: dict[Phase, dict[str, Any]] = {
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
"""For each phase, the fields that are cleared when it begins, with their empty values."""


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A Game-Turn begins with the Monster Movement Phase (4.0a)."""

    told = "Turn {turn}. Now the Monster Movement Phase."
    turn: Annotated[int, Meta(ge=1, le=10_000)]

    def apply(self, state: State) -> State:
        """Clears the marks of the last turn. The monster has all points of its current strengths again (C68)."""
        return replace(
            state,
            turn=self.turn,
            phase="monster-move",
            walked=0,
            struck=0,
            smashed=0,
            attempts=0,
            ignitions=0,
            risen=False,
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


def begin_next_turn(state: State) -> Script[State]:
    """Begins the next Game-Turn (3.2f, 4.0a)."""
    return (yield TurnBegun(state.turn + 1))


def begin_human_turn(state: State) -> Script[State]:
    """Begins the Human Movement Phase. If firemen are due, they come first (11.31a)."""
    return (yield PhaseBegun("arrival" if state.fire == "due" else "human-move"))


def begin_fire_phase_or_turn(state: State) -> Script[State]:
    """Begins the Fire Phase if anything burns (C82), else the next Game-Turn."""
    if not state.flames:
        return (yield from begin_next_turn(state))
    return (yield PhaseBegun("fire"))
