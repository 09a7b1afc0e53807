"""Special abilities that are used by a word of their own: webs, fear, blinding light, mind control (13.22 to 13.27)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf, Subset
from referee.engine.ruling import Refusal
from referee.games.sheboygan.counters import Piece, Pieces
from referee.games.sheboygan.monster_events import Controlled, Feared, Flashed, Webbed
from referee.games.sheboygan.notation import Box
from referee.games.sheboygan.prowling import arrive
from referee.games.sheboygan.state import State
from referee.games.sheboygan.timing import timed
from referee.games.sheboygan.turns import begin_human_turn

WEBS = 2
"""Boxes that are webbed in one phase (13.22a)."""
VICTIMS, DREAD = 2, 3
"""Units that fear immobilizes in a turn, and within how many boxes (13.23a)."""
FLASHES = 2
"""Flashes in a game (13.24a)."""


def stay_in_flames(state: State) -> Script[State]:
    """Who does not leave a burning box is hurt when the movement ends (C57, 11.41d)."""
    return (yield from arrive(state))


def is_seen(state: State, unit: str) -> bool:
    """Whether the monster has a line of sight to a unit; helicopters it always sees (C59)."""
    here = state.monster
    return here is not None and (unit[0] == "h" or state.board.sees(here, state.at[unit], state.rubble))


# Webs


class Web(Action, frozen=True, tag="web"):
    """Spin webs over one or two adjacent boxes, after a phase without a move, which is over then (13.22a)."""

    says = "web {boxes}"
    boxes: Annotated[tuple[Box, ...], Meta(min_length=1, max_length=8)]


def _webbable(state: State) -> tuple[str, ...]:
    if state.monster is None or state.walked or not state.has("web-spinning"):
        return ()
    return tuple(sorted(box for box in state.board.neighbours[state.monster] if box not in state.webs))


def web_offers(state: State) -> Iterator[Choice]:
    """Adjacent boxes, when the monster has stayed in its own."""
    boxes = _webbable(state)
    if boxes:
        yield Choice(Web, boxes=Subset(boxes, 1, min(WEBS, len(boxes))))


def check_web(state: State, action: Web) -> Iterator[Refusal]:
    """Attempts do not count as movement (C58)."""
    if not state.has("web-spinning"):
        yield Refusal("13.22a", "the monster spins no webs")
    elif state.monster is None or state.walked:
        yield Refusal("13.22a", "only a monster that stays in its box for the whole phase spins webs")
    elif len(action.boxes) > WEBS:
        yield Refusal("13.22a", f"{WEBS} boxes are webbed at the most")
    elif not set(action.boxes) <= set(_webbable(state)):
        yield Refusal("13.22a", "webs are spun over adjacent boxes that have none yet")


def web(state: State, action: Web) -> Script[State]:
    """Human units in there are caught (13.22c); how many webs there are nobody knows (C31)."""
    units = tuple(unit for box in action.boxes for unit in state.humans_in(box))
    return (yield Webbed(action.boxes, units))


# Fear


class Fear(Action, frozen=True, tag="fear"):
    """End the monster's attacks, and immobilize one or two units when the Human Movement Phase begins (13.23a)."""

    says = "fear {units}"
    units: Pieces


def _scared(state: State) -> tuple[str, ...]:
    """Units within three boxes and in sight (13.23c)."""
    if state.monster is None or not state.has("fear-immobilization"):
        return ()
    board, here = state.board, state.monster
    return tuple(unit for unit in state.humans if board.range(here, state.at[unit]) <= DREAD and is_seen(state, unit))


def _fear_offers(state: State) -> Iterator[Choice]:
    units = _scared(state)
    if units:
        yield Choice(Fear, units=Subset(units, 1, min(VICTIMS, len(units))))


def _check_fear(state: State, action: Fear) -> Iterator[Refusal]:
    if not state.has("fear-immobilization"):
        yield Refusal("13.23a", "the monster spreads no fear")
    elif len(action.units) > VICTIMS or not action.units:
        yield Refusal("13.23a", f"fear takes one or {VICTIMS} units")
    else:
        yield from (refusal for unit in action.units for refusal in _why_fearless(state, unit))


def _why_fearless(state: State, unit: str) -> Iterator[Refusal]:
    if unit not in state.humans:
        yield Refusal("2.0b", f"{unit} is no unit of the human player on the map")
    elif state.board.range(state.monster or "", state.at[unit]) > DREAD:
        yield Refusal("13.23a", f"{unit} is not within {DREAD} boxes")
    elif not is_seen(state, unit):
        yield Refusal("13.23c", f"buildings block every line of sight to {unit} in {state.at[unit]}")


def _fear(state: State, action: Fear, _dice: Dice) -> Script[State]:
    """They may attack all the same (13.23d)."""
    state = yield Feared(action.units)
    yield from begin_human_turn(state)


# Blinding light


class Flash(Action, frozen=True, tag="flash"):
    """Flash with blinding light: in this Game-Turn no unit attacks the monster (13.24a, 13.24b, C32)."""

    says = "flash"


def _check_flash(state: State, _action: Flash) -> Iterator[Refusal]:
    if not state.has("blinding-light"):
        yield Refusal("13.24a", "the monster has no blinding light")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map")
    elif state.flashes >= FLASHES:
        yield Refusal("13.24a", f"it has flashed {FLASHES} times in this game")
    elif state.flashed:
        yield Refusal("C32", "it has flashed in this Game-Turn")


def _flash(_state: State, _action: Flash, _dice: Dice) -> Script[State]:
    yield Flashed()


# Mind control


class Control(Action, frozen=True, tag="control"):
    """Take over a human unit in sight, once in the game (13.27a)."""

    says = "control {unit}"
    unit: Piece


def _minds(state: State) -> tuple[str, ...]:
    """Units that can be taken over: those in sight (13.27b)."""
    if state.monster is None or state.controlled or not state.has("mind-control"):
        return ()
    return tuple(unit for unit in state.at if is_seen(state, unit))


def _control_offers(state: State) -> Iterator[Choice]:
    units = _minds(state)
    if units:
        yield Choice(Control, unit=OneOf(units))


def _check_control(state: State, action: Control) -> Iterator[Refusal]:
    if not state.has("mind-control"):
        yield Refusal("13.27a", "the monster controls no minds")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map")
    elif state.controlled:
        rule = "13.27a" if state.control else "13.27f"
        yield Refusal(rule, "it has taken over a unit in this game")
    elif action.unit not in state.at:
        yield Refusal("2.0b", f"{action.unit} is not on the map")
    elif action.unit not in _minds(state):
        yield Refusal("13.27b", f"buildings block every line of sight to {action.unit} in {state.at[action.unit]}")


def _control(_state: State, action: Control, _dice: Dice) -> Script[State]:
    """It stays so out of sight, whatever else becomes of the monster, until the unit is lost (13.27d, 13.27e)."""
    yield Controlled(action.unit)


VERBS = (
    timed(
        Control,
        ("monster-move",),
        _control,
        offers=_control_offers,
        check=_check_control,
        read=lambda reader: Control(reader.unit()),
    ),
    timed(
        Fear,
        ("monster-combat",),
        _fear,
        offers=_fear_offers,
        check=_check_fear,
        late={"human-move": "13.23a"},
        read=lambda reader: Fear(reader.units()),
    ),
    timed(Flash, ("monster-move", "monster-combat"), _flash, check=_check_flash, late="C32"),
)
