"""The movement of units: each by itself, from box to box (5.0 to 5.2, 8.0), as many as their player likes (5.0h)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import OneOf
from referee.engine.target_number import Target
from referee.engine.text import count_of
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import MONSTER, PieceId, UnitId, UnitIds, format_units
from referee.games.sheboygan.duties import Duties, QuestionDuty, eliminate_units
from referee.games.sheboygan.monster_movement import check_monster_move, find_monster_destinations, move_monster
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.options import MONSTER_SEAT
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import BoxName, Die, SmallNumber, State
from referee.games.sheboygan.terrain import UNLIMITED_POINTS, explain_impassable, find_unaffordable_cost

MOVEMENT_PHASES = ("monster-move", "human-move")
LEAST_GRAB_FACE, LEAST_LONG_GRAB_FACE = 6, 4
"""The least die with which the monster grabs a helicopter: as a rule (8.0d), and if it has great height (13.21c)."""


class UnitsMoved(Event, frozen=True, tag="moved"):
    """A unit has moved alone, or police together with populace."""

    units: UnitIds
    box: BoxName
    cost: SmallNumber
    """Movement Points that the first unit has spent on the move."""

    def tell(self) -> str:
        """Tells which units move, where to, and what it costs."""
        return f"Move {format_units(self.units)} to {self.box} ({count_of(self.cost, 'Movement Point')})."

    def apply(self, state: State) -> State:
        """Puts the units into the box.

        Records where each unit began the phase, and the Movement Points that the first unit has spent.
        """
        leader = self.units[0]
        start = state.at[leader]
        moved = {unit: state.moved.get(unit, state.at[unit]) for unit in self.units}
        spent = {**state.spent, leader: state.spent.get(leader, 0) + self.cost}
        return replace(
            state,
            at={**state.at, **dict.fromkeys(self.units, self.box)},
            moved={**state.moved, **moved},
            spent=spent,
            carried=self._find_carried_units(state, leader, start) if leader[0] == "p" else state.carried,
        )

    def _find_carried_units(self, state: State, police: str, start: str) -> dict[str, str]:
        """Returns the police unit that each carried unit rides with.

        Populace that this police unit has left behind is dropped, and has "-" (10.0c).
        """
        left = {unit: "-" if by == police and state.at.get(unit) == start else by for unit, by in state.carried.items()}
        return {**left, **dict.fromkeys(self.units[1:], police)}


class Move(Action, frozen=True, tag="move"):
    """Move a unit, or the monster, to a box that it can reach; again while it has Movement Points left (4.0f, 5.0g).

    Other units do not bar its way (5.22b), and the monster slows nobody down (C67).
    """

    says = "{unit} {box}"
    unit: PieceId
    box: TypedBox


# The units that may move, and their boxes


def refuse_move(state: State, unit: str) -> Refusal | None:
    """Returns the refusal if the player whose phase it is cannot move a unit at all; None if they can."""
    if unit == MONSTER:
        return Refusal("4.0b", f"{unit} is the monster, which moves by itself in its own phase")
    if unit not in state.at:
        return Refusal("2.0b", f"{unit} is not on the map")
    if (state.get_owner(unit) == MONSTER_SEAT) != (state.phase == "monster-move"):
        rule = "13.27c" if unit == state.control else "4.0b"
        return Refusal(rule, f"{unit} is moved by its own player, in their phase")
    if unit in state.feared:
        return Refusal("13.23b", f"{unit} is immobilized with fear")
    if unit in state.caught:
        return Refusal("13.22c", f"{unit} cuts its way out of a web, for {count_of(state.caught[unit], 'phase')} more")
    if unit in state.carried:
        rule = {"c": "C19", "i": "9.1a"}.get(unit[0], "5.0j")
        return Refusal(rule, f"{unit} has moved in this phase and does not move again")
    return None


def count_movement_points_left(state: State, unit: str) -> int:
    """Returns the Movement Points that a unit has left in this phase. Points of earlier phases are lost (5.0i)."""
    return state.get_unit_type(unit).movement - state.spent.get(unit, 0)


def find_closed_boxes(state: State, unit: str) -> frozenset[str]:
    """Returns the boxes that are closed to a unit.

    For the unit under control, boxes with webs or other units are closed (C60).
    """
    if unit == state.control:
        return state.webs | frozenset(box for other, box in state.at.items() if other != unit)
    return state.pathfinder.get_closed_boxes(unit[0] == "h")


def find_destinations(state: State, unit: str) -> Mapping[str, int]:
    """Returns the boxes to which a unit can move, each with its cost; empty if there are none."""
    if unit in state.fording:
        return {}
    mode, here, left, fresh = (
        state.get_movement_mode(unit),
        state.at[unit],
        count_movement_points_left(state, unit),
        unit not in state.moved,
    )
    if unit != state.control:
        return state.pathfinder.find_destinations(mode, here, left, fresh)
    shut = find_closed_boxes(state, unit)
    found = state.find_reach(unit, here, left, shut)
    return {**found, **state.pathfinder.find_too_costly_boxes(mode, here, left, shut)} if fresh else found


def _must_pass_monster(state: State, unit: str, box: str) -> bool:
    """True if a helicopter can get to `box` only through the monster's box (8.0b)."""
    if unit[0] != "h" or unit == state.control or not state.pathfinder.grounded_monster_boxes:
        return False
    return box not in state.pathfinder.find_reach_avoiding_monster(
        state.at[unit], count_movement_points_left(state, unit)
    )


# The verb


def _offer_move(state: State) -> Iterator[Choice]:
    return _offer_monster_move(state) if state.phase == "monster-move" else _offer_human_moves(state)


def _offer_monster_move(state: State) -> Iterator[Choice]:
    boxes = tuple(find_monster_destinations(state))
    if boxes:
        yield Choice(Move, unit=MONSTER, box=OneOf(boxes))
    if state.control and not refuse_move(state, state.control):
        boxes = tuple(find_destinations(state, state.control))
        if boxes:
            yield Choice(Move, unit=state.control, box=OneOf(boxes))


def _offer_human_moves(state: State) -> Iterator[Choice]:
    """Yields a choice for each unit that can move. The choice is cached as long as unit and obstacles stay the same."""
    idle, known = {*state.feared, *state.caught, *state.carried, *state.fording, state.control}, state.pathfinder_cache
    choices: list[Choice] = []
    moved, spent = state.moved, state.spent
    for unit, box in state.at.items():
        if unit in idle:
            continue
        key = (unit, box, unit in moved, spent.get(unit))
        found = known.get(key)
        if found is None:
            found = known[key] = tuple(_make_choices(state, unit))
        choices += found
    return iter(choices)


def _make_choices(state: State, unit: str) -> Iterator[Choice]:
    boxes = make_destination_lister(state, unit)
    if boxes:
        yield Choice(Move, unit=unit, box=boxes)


def make_destination_lister(state: State, unit: str) -> Callable[[], OneOf] | None:
    """Returns a function that lists the boxes to which a human unit can move; None if there are none.

    The boxes are computed only when somebody looks at them.
    """
    way = (
        state.get_movement_mode(unit),
        state.at[unit],
        count_movement_points_left(state, unit),
        unit not in state.moved,
    )
    return partial(state.pathfinder.make_destination_choice, *way) if state.pathfinder.can_leave(*way) else None


def _check_move(state: State, action: Move) -> Iterator[Refusal]:
    if action.unit == MONSTER:
        if state.phase == "human-move":
            yield Refusal("4.0b", "the monster moves in the Monster Movement Phase")
        else:
            yield from check_monster_move(state, action.box)
        return
    barred = refuse_move(state, action.unit)
    if barred:
        yield barred
    elif action.box not in find_destinations(state, action.unit):
        yield from refuse_destination(state, action.unit, action.box)


def refuse_destination(state: State, unit: str, box: str) -> Iterator[Refusal]:
    """Yields the refusals of a move to a box that a unit cannot reach, although it may move."""
    shut = _refuse_shut_box(state, unit, box)
    if shut:
        yield shut
    elif unit in state.fording:
        yield Refusal("9.1b", f"{unit} is in the river and must ford out of it: ford")
    elif box == state.at[unit]:
        yield Refusal("5.0b", f"{unit} is in {box} already")
    else:
        yield from _refuse_far_box(state, unit, box)


def _refuse_far_box(state: State, unit: str, box: str) -> Iterator[Refusal]:
    left, here, price = count_movement_points_left(state, unit), state.at[unit], state.get_entry_costs(unit)[box]
    if state.board.do_boxes_meet_in_point(here, box):
        yield Refusal("5.0d", f"{box} and {here} meet only in a point")
    elif price <= left and box not in state.board.neighbour_sets[here]:
        yield Refusal(
            "5.0b", f"{box} is not adjacent, and no way there takes {count_of(left, 'Movement Point')} or fewer"
        )
    rule = "8.0f" if unit[0] == "h" else "10.0a" if unit[0] == "c" else "5.0g"
    cost = find_unaffordable_cost(
        state.find_reach(unit, here, UNLIMITED_POINTS, find_closed_boxes(state, unit)), box, left
    )
    if cost is None:
        yield Refusal(rule, f"no way that is open to {unit} leads to {box}")
    else:
        yield refuse_price(rule, Price(cost, left, "Movement Point", unit), f"{box} is too far")
    if unit in state.moved and price > left and box in state.board.neighbour_sets[here]:
        reason = (
            f"only a unit that has not moved yet may enter a box that costs more than its points; {box} costs {price}"
        )
        yield Refusal("5.15a", reason)


def _refuse_shut_box(state: State, unit: str, box: str) -> Refusal | None:
    """Returns the refusal if a unit cannot end its move in a box, wherever it comes from; None if it can."""
    if box not in state.board.boxes:
        return Refusal("2.0b", f"the map has no box {box}")
    if box not in state.get_entry_costs(unit):
        return Refusal(*explain_impassable(unit, box, state.get_terrain(box), gone=box in state.ruins))
    if box in state.webs:
        return Refusal("13.22b", f"{box} is webbed")
    if box == state.monster and unit != state.control:
        if unit[0] == "h":
            return Refusal("13.28h" if state.aloft else "8.0c", f"the monster is in {box}")
        if not state.aloft:
            rule = "5.23e" if "flying" in state.known else "5.22c"
            return Refusal(rule, f"the monster is in {box}")
    if unit == state.control and state.list_humans_in(box):
        return Refusal("C60", f"human units are in {box}: {' '.join(state.list_humans_in(box))}")
    if state.control and unit != state.control and state.at[state.control] == box:
        return Refusal("C60", f"{state.control} in {box} is under the monster's control")
    return None


def _move_unit(state: State, action: Move, dice: Dice) -> Script[State]:
    if action.unit == MONSTER:
        yield from move_monster(state, action.box)
        return
    passes = _must_pass_monster(state, action.unit, action.box)
    state = yield UnitsMoved((action.unit,), action.box, find_destinations(state, action.unit)[action.box])
    if passes:
        yield from _pass_monster(state, action.unit, dice)


def _read_move(reader: Reader) -> Move:
    """Reads one or more units and a box: `t1 t2 C09`. Each unit moves by itself, one after another."""
    if len(reader.words) < 2:
        return Move(reader.read_unit(), reader.read_box())
    box = reader.read_last_box()
    first, *others = reader.read_units()
    reader.rest = ", ".join(f"move {unit} {box}" for unit in others)
    return Move(first, box)


class HelicopterPassedMonster(Event, frozen=True, tag="passed"):
    """A helicopter has passed through the monster's box (8.0d)."""

    told = "{unit} passes through the monster's box: die {die}."
    unit: UnitId
    die: Die
    due: Duties = ()

    def apply(self, state: State) -> State:
        """Makes the question about great height due, if there is one."""
        return replace(state, due=self.due + state.due)


def _pass_monster(state: State, unit: str, dice: Dice) -> Script[State]:
    """Rolls for a helicopter that passes through the monster's box, each time (8.0d, C73).

    On some faces only a monster with great height grabs it (13.21c). If that is not known, the monster's player must
    tell.
    """
    least = LEAST_LONG_GRAB_FACE if "great-height" in state.known else LEAST_GRAB_FACE
    aims = (Target(least=least, does=f"eats {unit}"),)
    (die,) = dice.throw(Need(f"whether the monster grabs {unit}", 1, 6, aims=aims, rule="8.0d"))
    asks = LEAST_LONG_GRAB_FACE <= die < LEAST_GRAB_FACE and not state.is_ability_public("great-height")
    state = yield HelicopterPassedMonster(unit, die, (QuestionDuty("great-height", unit),) if asks else ())
    if die >= least:
        state = yield eliminate_units(state, (unit,), "grabbed")
    yield from settle_duties(state)


# Taking a move back


class UnitRecalled(Event, frozen=True, tag="recalled"):
    """A unit goes back to where it began the phase, with all its Movement Points (5.22a)."""

    told = "Put {unit} back in {box}."
    unit: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Puts the unit back, as if it had not moved in this phase."""
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            moved={unit: box for unit, box in state.moved.items() if unit != self.unit},
            spent={unit: cost for unit, cost in state.spent.items() if unit != self.unit},
            carried={unit: by for unit, by in state.carried.items() if unit != self.unit},
        )


class Recall(Action, frozen=True, tag="recall"):
    """Put a unit back where it began the phase, because its box is too full (5.22a)."""

    says = "recall {unit}"
    unit: PieceId


def _list_recallable_units(state: State) -> Iterator[str]:
    """Yields the moved units that can go back, because their box is too full for the end of the phase.

    Units that forded cannot (9.1a).
    """
    for unit in state.moved if state.crowded_boxes else ():
        if (
            state.at[unit] in state.crowded_boxes
            and state.carried.get(unit) != "-"
            and state.get_unit_type(unit).stacks
        ):
            yield unit


def _offer_recall(state: State) -> Iterator[Choice]:
    units = tuple(_list_recallable_units(state))
    if units:
        yield Choice(Recall, unit=OneOf(units))


def _check_recall(state: State, action: Recall) -> Iterator[Refusal]:
    if action.unit not in _list_recallable_units(state):
        who = "only units that moved into a box that is too full must"
        yield Refusal("5.22a", f"{action.unit} does not have to go back: {who}")


def _recall_unit(state: State, action: Recall, _dice: Dice) -> Script[State]:
    """Puts back a unit and those that moved along: a tank and its gun, police and the populace with it (C83)."""
    here = state.units_by_box[state.at[action.unit]]
    along = [unit for unit, by in state.carried.items() if by == action.unit and unit in here]
    for unit in (action.unit, *along):
        yield UnitRecalled(unit, state.moved[unit])


VERBS = (
    make_verb(
        Move,
        MOVEMENT_PHASES,
        _move_unit,
        offers=_offer_move,
        check=_check_move,
        words=("move",),
        read=_read_move,
    ),
    make_verb(
        Recall,
        ("human-move",),
        _recall_unit,
        offers=_offer_recall,
        check=_check_recall,
        read=make_reader(Recall, Reader.read_unit),
    ),
)
