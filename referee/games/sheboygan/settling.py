"""What has to be done after an action: results are carried out as far as nobody has a choice (6.0e, 6.31c)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.event import Script
from referee.games.sheboygan.combat_events import Asked, Cornered, Done, Eliminated, Retreated, Withdrew
from referee.games.sheboygan.counters import in_order
from referee.games.sheboygan.events import Ended, SheboyganEvent
from referee.games.sheboygan.ground import retreats_of, withdrawals_of
from referee.games.sheboygan.monster_events import Scorched
from referee.games.sheboygan.state import (
    AnyDue,
    Cause,
    Damage,
    Growth,
    Losses,
    Question,
    Retreats,
    State,
    Suicides,
    Withdrawal,
)
from referee.games.sheboygan.turns import next_turn
from referee.games.sheboygan.victory import ending, worth


def eliminated(state: State, units: Iterable[str], cause: Cause) -> Eliminated:
    """Units are eliminated: what that scores, and what the monster may grow by (14.25c, C5)."""
    gone = in_order(units)
    grows = 0
    if state.scenario.grows and cause in ("attack", "overrun"):
        grows = len(gone) if state.options["growth"] == "per-unit" else 1
    return Eliminated(gone, cause, worth(state, gone, cause), grows)


def settle(state: State) -> Script[State]:
    """Carry out what is due until somebody has to choose, or the game is over; the state after it.

    The victory level is looked at after every step (14.1c, C8); effects come before the next attack (6.14b), and before
    the next Game-Turn.
    """
    while not state.outcome:
        end = ending(state)
        if end:
            return (yield Ended(end))
        event = _forced(state, state.due[0]) if state.due else None
        if event is None:
            over = state.blown and not state.due
            return (yield from next_turn(state)) if over else state
        state = yield event
        if isinstance(event, Withdrew):
            state = yield from scorch(state)
    return state


def _forced(state: State, due: AnyDue) -> SheboyganEvent | None:
    """What happens next without anybody choosing; None: somebody has to."""
    match due:
        case Damage(0) | Growth(0) | Losses((), _, _) | Losses(_, 0, _) | Retreats(()) | Suicides(()):
            return Done()
        case Losses(units, count, cause) if count >= len(units):
            return eliminated(state, units, cause)  # 6.32c: and nothing more
        case Suicides(units):
            return eliminated(state, units, "suicide")
        case Retreats(units, away):
            return _retreat(state, units, away)
        case Withdrawal():
            return _withdrawal(state)
        case _:
            return None


def _retreat(state: State, units: tuple[str, ...], away: str) -> SheboyganEvent | None:
    """A unit with no box to retreat to is destroyed (6.33g); the last one with one box only goes there."""
    exits = {unit: retreats_of(state, unit, away) for unit in units}
    lost = [unit for unit in units if not exits[unit]]
    if lost:
        return eliminated(state, lost, "no-retreat")
    only = exits[units[0]]
    return Retreated(units[0], only[0]) if len(units) == len(only) == 1 else None


def _withdrawal(state: State) -> SheboyganEvent | None:
    """A monster with nowhere to go takes a point of damage (6.33k); where only one box is open it goes there.

    Both end its attacks in its own Combat Phase (6.24a, C62).
    """
    exits, fled = withdrawals_of(state), state.phase == "monster-combat"
    if not exits:
        return Cornered(fled)
    return Withdrew(exits[0], fled) if len(exits) == 1 else None


def is_safe(state: State) -> bool:
    """Whether flames cannot hurt the monster where it is: there are none, it flies, or they have done so (C25, C57)."""
    box = state.monster
    return not box or box not in state.flames or state.aloft or box in state.scorched


def scorch(state: State) -> Script[State]:
    """Flames in its box hurt a monster that is not immune (11.41c); if nobody else knows, its player has to tell."""
    if is_safe(state) or "flame-immunity" in state.known:
        return state
    if state.is_open("flame-immunity"):
        return (yield Scorched(state.monster or ""))
    return (yield Asked(Question("flame-immunity")))
