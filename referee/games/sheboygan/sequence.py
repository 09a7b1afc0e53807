"""The Sequence of Play, from phase to phase and turn to turn (4.0a, 4.0b); also webs, which end a movement (13.22)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import Subset
from referee.engine.text import format_runs, listing
from referee.games.sheboygan import fire
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import STACKING_LIMIT, UnitId, UnitIds, format_units
from referee.games.sheboygan.monster_movement import resolve_monster_arrival
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import BoxName, SmallNumber, State
from referee.games.sheboygan.turns import PhaseBegun, begin_fire_phase_or_turn, begin_human_turn, begin_next_turn
from referee.games.sheboygan.unit_movement import find_destinations, refuse_move

MAX_WEBS = 2
"""The most boxes that are webbed in one phase (13.22a)."""


class EndPhase(Action, frozen=True, tag="end"):
    """End the phase (4.0b)."""

    says = "end"


def _check_end(state: State, _action: EndPhase) -> Iterator[Refusal]:
    if state.phase == "place" and state.hand:
        yield Refusal("3.2b", f"{listing(format_runs(state.hand))} must be placed first")
    elif state.phase == "monster-move":
        yield from _check_monster(state)
    elif state.phase == "human-move":
        yield from _check_stacks(state)


def _check_monster(state: State) -> Iterator[Refusal]:
    """Yields a refusal if the monster is not on the map (3.2g), or is in flight: it must land or stay aloft (5.23c)."""
    if state.monster is None:
        yield Refusal("3.2g", "the monster has to enter the map in its first Player-Turn")
    elif state.aloft:
        yield Refusal("5.23c", "the monster is in flight: land, or stay aloft")


def _check_stacks(state: State) -> Iterator[Refusal]:
    """Yields refusals for boxes that are too full when movement ends (5.21b, 5.21d, 5.22a), also river boxes (C21)."""
    for box in sorted(state.crowded_boxes):
        yield Refusal("5.21b", f"{box} holds more than {STACKING_LIMIT} units that count")
        yield Refusal("5.22a", f"at the end of movement no more than {STACKING_LIMIT} units that count stay in {box}")


def _end_monster_movement(state: State) -> Script[State]:
    """Ends the Monster Movement Phase and begins the Monster Combat Phase.

    Flames hurt a monster that stays in them (C57, 11.41d), and eliminate a unit under its control (11.41b).
    """
    state = yield from resolve_monster_arrival(state)
    state = yield from fire.eliminate_units_in_flames(state)
    state = yield PhaseBegun("monster-combat")
    return (yield from settle_duties(state))


class UnitsCutWebs(Event, frozen=True, tag="worked"):
    """Units in webs have spent another Human Movement Phase cutting their way out (13.22c)."""

    caught: Annotated[dict[UnitId, SmallNumber], Meta(max_length=100)]
    """The units that still have to stay, each with the number of Human Movement Phases."""
    freed: UnitIds = ()
    """The units that are out of the web."""

    def tell(self) -> str:
        """Tells which units are free now, and which are still caught."""
        free = f"; free from now on: {format_units(self.freed)}" if self.freed else ""
        left = f"; still caught: {format_units(self.caught)}" if self.caught else ""
        return f"Units in webs have worked for a phase{free}{left}."

    def apply(self, state: State) -> State:
        """Records the units that are still caught, each with its remaining phases."""
        return replace(state, caught=self.caught)


def _end_human_movement(state: State) -> Script[State]:
    """Ends the Human Movement Phase and begins the Human Combat Phase.

    Flames eliminate units that stay in them (11.41b), and units in webs have spent another phase there (13.22c).
    """
    state = yield from fire.eliminate_units_in_flames(state)
    if state.caught:
        left = {unit: phases - 1 for unit, phases in state.caught.items() if phases > 1}
        state = yield UnitsCutWebs(left, tuple(unit for unit in state.caught if unit not in left))
    state = yield PhaseBegun("human-combat")
    return (yield from settle_duties(state))


def _end_buying(_state: State) -> Script[State]:
    return (yield PhaseBegun("place"))


def can_units_be_placed_or_moved(state: State) -> bool:
    """True if a unit can still be placed or moved in this phase. This is faster than a list of all actions."""
    if state.phase == "place":
        return bool(state.hand)
    return state.phase == "human-move" and any(
        not refuse_move(state, unit) and find_destinations(state, unit) for unit in state.at
    )


_ENDS: Mapping[str, Callable[[State], Script[State]]] = {
    "buy": _end_buying,
    "place": begin_next_turn,
    "monster-move": _end_monster_movement,
    "monster-combat": begin_human_turn,
    "human-move": _end_human_movement,
    "human-combat": begin_fire_phase_or_turn,
}


def _end_phase(state: State, _action: EndPhase, _dice: Dice) -> Script[State]:
    yield from _ENDS[state.phase](state)


# Other ways to end the monster's movement


class StayAloft(Action, frozen=True, tag="aloft"):
    """End the movement of the monster and stay in flight (5.23c)."""

    says = "aloft"


def _check_aloft(state: State, _action: StayAloft) -> Iterator[Refusal]:
    if not state.aloft:
        yield Refusal("5.23c", "the monster is not in flight")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has to enter the map in its first Player-Turn")


def _stay_aloft(state: State, _action: StayAloft, _dice: Dice) -> Script[State]:
    yield from _end_monster_movement(state)


class WebsSpun(Event, frozen=True, tag="webbed"):
    """Webs were spun (13.22a)."""

    boxes: Annotated[tuple[BoxName, ...], Meta(min_length=1, max_length=2)]
    units: UnitIds
    """Units that are caught."""

    def tell(self) -> str:
        """Tells where to put webs, and which units they catch."""
        caught = f" {format_units(self.units)} must stay there for two Human Movement Phases." if self.units else ""
        return f"Put a web marker in {listing(self.boxes)}.{caught}"

    def apply(self, state: State) -> State:
        """Puts webs in the boxes. The units there stay for two full Human Movement Phases (13.22c)."""
        return replace(
            state,
            webs=state.webs.union(self.boxes),
            caught={**state.caught, **dict.fromkeys(self.units, 2)},
            known=state.list_known_abilities_with("web-spinning"),
        )


class WebBoxes(Action, frozen=True, tag="web"):
    """Spin webs over one or two adjacent boxes, after a phase without a move. This ends the phase (13.22a)."""

    says = "web {boxes}"
    boxes: Annotated[tuple[TypedBox, ...], Meta(min_length=1, max_length=8)]


def _list_boxes_for_webs(state: State) -> tuple[str, ...]:
    if state.monster is None or state.walked or not state.has_ability("web-spinning"):
        return ()
    return tuple(sorted(box for box in state.board.neighbours[state.monster] if box not in state.webs))


def _offer_web(state: State) -> Iterator[Choice]:
    """Offers the adjacent boxes without webs, if the monster has stayed in its own box."""
    boxes = _list_boxes_for_webs(state)
    if boxes:
        yield Choice(WebBoxes, boxes=Subset(boxes, 1, min(MAX_WEBS, len(boxes))))


def _check_web(state: State, action: WebBoxes) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a web breaks. Attempts do not count as movement (C58)."""
    if not state.has_ability("web-spinning"):
        yield Refusal("13.22a", "the monster spins no webs")
    elif state.monster is None or state.walked:
        yield Refusal("13.22a", "only a monster that stays in its box for the whole phase spins webs")
    elif len(action.boxes) > MAX_WEBS:
        yield Refusal("13.22a", f"at most {MAX_WEBS} boxes are webbed")
    elif not set(action.boxes) <= set(_list_boxes_for_webs(state)):
        yield Refusal("13.22a", "webs are spun over adjacent boxes that have none yet")


def _spin_webs(state: State, action: WebBoxes, _dice: Dice) -> Script[State]:
    """Spins webs, which catch human units in their boxes (13.22c), and ends the movement. Webs have no limit (C31)."""
    units = tuple(unit for box in action.boxes for unit in state.list_humans_in(box))
    state = yield WebsSpun(action.boxes, units)
    yield from _end_monster_movement(state)


VERBS = (
    make_verb(StayAloft, ("monster-move",), _stay_aloft, check=_check_aloft),
    make_verb(
        WebBoxes,
        ("monster-move",),
        _spin_webs,
        offers=_offer_web,
        check=_check_web,
        read=make_reader(WebBoxes, Reader.read_boxes),
    ),
    make_verb(
        EndPhase, tuple(_ENDS), _end_phase, check=_check_end, words=("end", "done"), closes=lambda state: state.phase
    ),
)
