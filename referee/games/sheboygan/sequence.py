"""The Sequence of Play: from phase to phase and turn to turn (4.0a, 4.0b)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.sheboygan import fire
from referee.games.sheboygan.assault import able
from referee.games.sheboygan.counters import STACKED
from referee.games.sheboygan.events import PhaseBegun
from referee.games.sheboygan.powers import Web, check_web, stay_in_flames, web, web_offers
from referee.games.sheboygan.settling import settle
from referee.games.sheboygan.state import State
from referee.games.sheboygan.timing import timed
from referee.games.sheboygan.turns import begin_human_turn, next_turn
from referee.games.sheboygan.unit_events import Worked


class End(Action, frozen=True, tag="end"):
    """The phase is over (4.0b)."""

    says = "end"


def _check(state: State, _action: End) -> Iterator[Refusal]:
    if state.phase == "place" and state.hand:
        yield Refusal("3.2b", f"{listing(state.hand)} must be placed first")
    elif state.phase == "monster-move":
        yield from _check_monster(state)
    elif state.phase == "human-move":
        yield from _check_stacks(state)


def _check_monster(state: State) -> Iterator[Refusal]:
    """It has come onto the map (3.2g), and says whether it stays in flight (5.23c)."""
    if state.monster is None:
        yield Refusal("3.2g", "the monster has to enter the map in its first Player-Turn")
    elif state.aloft:
        yield Refusal("5.23c", "the monster is in flight: land, or stay aloft")


def _check_stacks(state: State) -> Iterator[Refusal]:
    """The stacking limit holds when movement ends (5.21b, 5.21d, 5.22a), in river boxes too (C21)."""
    for box in sorted(filter(state.is_crowded, state.stacks)):
        yield Refusal("5.21b", f"{box} holds more than {STACKED} units that count")
        yield Refusal("5.22a", f"at the end of movement no more than {STACKED} units that count stay in {box}")


def end_monster_movement(state: State) -> Script[State]:
    """Flames hurt who stays in them, then the monster fights (C57, 11.41b)."""
    state = yield from stay_in_flames(state)
    state = yield from fire.end_of_movement(state)
    state = yield PhaseBegun("monster-combat")
    return (yield from settle(state))


def _end_human_movement(state: State) -> Script[State]:
    """Flames take units that stay in them (11.41b), webs hold others for another phase (13.22c)."""
    state = yield from fire.end_of_movement(state)
    if state.caught:
        state = yield Worked({unit: left - 1 for unit, left in state.caught.items() if left > 1})
    state = yield PhaseBegun("human-combat")
    state = yield from settle(state)
    if not state.outcome and not able(state):
        state = yield from _end_human_combat(state)
    return state


def _end_human_combat(state: State) -> Script[State]:
    """The Fire Phase, if anything burns (C82); else the next Game-Turn."""
    if not state.flames:
        return (yield from next_turn(state))
    return (yield PhaseBegun("fire"))


def _end_buying(_state: State) -> Script[State]:
    return (yield PhaseBegun("place"))


_ENDS: Mapping[str, Callable[[State], Script[State]]] = {
    "buy": _end_buying,
    "place": next_turn,
    "monster-move": end_monster_movement,
    "monster-combat": begin_human_turn,
    "human-move": _end_human_movement,
    "human-combat": _end_human_combat,
}


def _end(state: State, _action: End, _dice: Dice) -> Script[State]:
    yield from _ENDS[state.phase](state)


# What ends the monster's movement in another way


class Aloft(Action, frozen=True, tag="aloft"):
    """The monster stays in flight, and its movement is over (5.23c)."""

    says = "aloft"


def _check_aloft(state: State, _action: Aloft) -> Iterator[Refusal]:
    if not state.aloft:
        yield Refusal("5.23c", "the monster is not in flight")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has to enter the map in its first Player-Turn")


def _stay_aloft(state: State, _action: Aloft, _dice: Dice) -> Script[State]:
    yield from end_monster_movement(state)


def _spin(state: State, action: Web, _dice: Dice) -> Script[State]:
    state = yield from web(state, action)
    yield from end_monster_movement(state)


VERBS = (
    timed(Aloft, ("monster-move",), _stay_aloft, check=_check_aloft),
    timed(
        Web,
        ("monster-move",),
        _spin,
        offers=web_offers,
        check=check_web,
        read=lambda reader: Web(reader.boxes()),
    ),
    timed(End, tuple(_ENDS), _end, check=_check),
)
