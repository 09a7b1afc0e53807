"""The Sequence of Play: from Step to Step, Phase to Phase and Turn to Turn (III, VI, VII, OPT.VI.B)."""

from __future__ import annotations

from referee.engine.dice import Dice
from referee.engine.game import Script
from referee.games.mutants import doors, moving
from referee.games.mutants.events import Arrived, Ended, Glowed, PennyFreed, PhaseBegun, TurnBegun
from referee.games.mutants.state import MUTANT_MOVEMENT, Phase, State
from referee.games.mutants.victory import outcome_of

ORDER: tuple[Phase, ...] = (
    "arrival",
    "smash",
    "open",
    "move",
    "mutant-combat",
    "human-move",
    "human-combat",
    "glow",
    "record",
)
"""One Turn (III-b, III-c); arrivals come first in the Alternate Scenario (OPT.VI.B-b)."""

SECRET = ("arrival", *MUTANT_MOVEMENT, "human-move", "glow")
"""Phases and Steps of which the other player does not see what can be done in them."""

ARRIVAL_PURPOSE = "how many Mutants arrive"
GLOW_PURPOSE = "Glow and Go, Radioactive Mutants in the order of their numbers"


def radioactive(state: State) -> tuple[str, ...]:
    """Radioactive Mutants to be checked: all on the board, also in squares (VI-a, M16), none in the pool."""
    return tuple(
        unit for unit in state.board.units if unit in state.at and state.board.units[unit].kind == "radioactive"
    )


def _has_work(state: State, phase: Phase) -> bool:
    """Whether anything can be done in a Phase or Step; else it is passed over (III-d).

    With Hidden Movement passing over one would tell the other player what nobody can do: only Combat is in plain view.
    """
    if state.is_hidden and phase in SECRET:
        return phase != "arrival" or state.alternate
    match phase:
        case "arrival":
            return bool(state.pool)
        case "smash":
            return next(doors.smash_choices(state), None) is not None
        case "open":
            return next(doors.open_choices(state), None) is not None
        case "move":
            return next(moving.choices(state, "mutant"), None) is not None
        case "human-move":
            rested = PhaseBegun(phase, (), _rested(state)).apply(state)
            return next(moving.choices(rested, "human"), None) is not None
        case "mutant-combat" | "human-combat":
            return bool(state.contested())
        case "glow":
            return bool(radioactive(state))
        case _:
            return True


def go_on(state: State) -> Script:
    """The Phase is over: to the next one in which something can be done."""
    return (yield from _enter(state, ORDER[ORDER.index(state.phase) + 1 :]))


def _enter(state: State, phases: tuple[Phase, ...]) -> Script:
    phase = next(phase for phase in phases if _has_work(state, phase))
    passed = phases[: phases.index(phase)]
    return (yield PhaseBegun(phase, passed, _rested(state) if phase == "human-move" else ()))


def _rested(state: State) -> tuple[str, ...]:
    """Penny, when free, if the Human player may move her after her captors have (M52)."""
    return ("penny",) if state.options.captive_move_cost == "separate" and not state.captive else ()


def begin_turn(state: State) -> Script:
    """The first Phase of a Turn (III.A.1)."""
    return (yield from _enter(state, ORDER if state.alternate else ORDER[1:]))


def arrive(state: State, dice: Dice) -> Script:
    """So many Mutants, drawn blindly, or all that are left (M62).

    Turn 1 goes on with Combat (OPT.VI.A-d, OPT.VI.A-e).
    """
    (die,) = dice.roll(1, 6, ARRIVAL_PURPOSE)
    pool, drawn = list(state.pool), []
    for number in range(min(die, len(pool))):
        purpose = f"arrival {number + 1}: which Mutant of those left"
        face = dice.roll(1, len(pool), purpose, tuple(pool))[0] if len(pool) > 1 else 1
        drawn.append(pool.pop(face - 1))
    state = yield Arrived(die, state.board.sorted(drawn), state.board.tech)
    rest = ORDER[ORDER.index("mutant-combat") :] if state.turn == 1 else ORDER[1:]
    return (yield from _enter(state, rest))


def end_step(state: State) -> Script:
    """A player ends a Step or Phase of movement.

    After the Movement Step opened doors close (IV.B.3.c-a), and a captive left alone is free (M51).
    """
    if state.phase == "move":
        state = yield from free_penny(state)
    return (yield from go_on(state))


def free_penny(state: State) -> Script:
    """Without a Mutant beside her Penny is free, an ordinary Human unit again (OPT.VI.C-e, OPT.VI.C-f, M50)."""
    if state.captive and not state.fighters("mutant", state.at["penny"]):
        state = yield PennyFreed(state.at["penny"])
    return state


def glow(state: State, dice: Dice) -> Script:
    """One die for each Radioactive Mutant; on a 6 it dies (III.E, VI-b, OPT.VI.D). Without any, no die is thrown."""
    units = radioactive(state)
    faces = dice.roll(len(units), 6, GLOW_PURPOSE) if units else ()
    rolled = tuple(zip(units, faces, strict=True))
    deadly = state.board.file.glow_and_go
    state = yield Glowed(rolled, tuple((unit, state.at[unit]) for unit, face in rolled if face in deadly))
    state = yield from free_penny(state)
    return (yield from go_on(state))


def record(state: State) -> Script:
    """The Game Turn unit is advanced, or the game ends (VII.A-a, III-e, III.F-b, M25)."""
    if state.turn >= state.last_turn:
        return (yield Ended(outcome_of(state)))
    upturned = () if state.is_hidden else state.board.sorted(state.failed & state.at.keys())
    state = yield TurnBegun(state.turn + 1, upturned)
    return (yield from begin_turn(state))


def end_if_decided(state: State) -> Script:
    """A Mutant that has left with Penny has won for good, so the game ends at once (OPT.VI.E.1, M25, M54)."""
    if state.escape == "penny":
        state = yield Ended(outcome_of(state))
    return state
