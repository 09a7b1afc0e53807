"""The movement of the monster: entry, walking and flying, jumps and overruns (3.2g, 5.2, 5.3, 13.25, 13.28)."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from referee.engine.caching import cache_latest
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.secret import Secret
from referee.engine.slots import Between, OneOf
from referee.engine.text import count_of
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.board import MapEdge
from referee.games.sheboygan.counters import MONSTER, UnitIds, format_units
from referee.games.sheboygan.duties import MonsterScorched, eliminate_units, is_monster_safe_from_flames
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.possible_attacks import sum_defense
from referee.games.sheboygan.setting_up import EDGE_NAMES
from referee.games.sheboygan.state import BoxName, SmallNumber, State
from referee.games.sheboygan.strengths import Strength
from referee.games.sheboygan.terrain import NO_BOXES, UNLIMITED_POINTS, explain_impassable, find_unaffordable_cost
from referee.games.sheboygan.view import assume_strongest_monster

MONSTER_MOVEMENT = ("monster-move",)
OVERRUN_ODDS = 6
"""The attack points that an overrun needs for each point of defense (5.31a)."""
JUMP_RANGE = 2
"""The range of a jump, in boxes (13.25a)."""


def count_monster_movement_left(state: State) -> int:
    """Returns the Movement Points that the monster has left (4.0c). Damage in the turn lowers them (C68)."""
    return max(0, state.record_sheet.movement - state.walked)


def count_attack_points_left(state: State) -> int:
    """Returns the attack points that the monster has left in this Player-Turn (5.33a, C68)."""
    return max(0, state.record_sheet.attack - state.struck)


# By land and in flight


class MonsterMoved(Event, frozen=True, tag="prowled"):
    """The monster has moved, by land or in flight."""

    box: BoxName
    cost: SmallNumber

    def tell(self) -> str:
        """Tells where the monster goes, and what it costs."""
        return f"Move the monster to {self.box} ({count_of(self.cost, 'Movement Point')})."

    def apply(self, state: State) -> State:
        """Puts the monster into the box, and spends its Movement Points."""
        return replace(state, monster=self.box, walked=state.walked + self.cost)


class FlamesWithstood(Event, frozen=True, tag="withstood"):
    """The monster walks through flames unhurt (13.11a)."""

    told = "The monster walks through the flames in {box} unhurt."
    box: BoxName

    def apply(self, state: State) -> State:
        """Makes the monster's flame immunity known."""
        return replace(state, known=state.list_known_abilities_with("flame-immunity"))


def find_boxes_closed_to_monster(state: State) -> frozenset[str]:
    """Returns boxes closed to the monster: those with human units (5.22d).

    In flight only boxes with helicopters are closed (5.23a, 5.23b, 13.28g).
    """
    return _find_closed_boxes(state.at, state.control, state.aloft)


@cache_latest
def _find_closed_boxes(at: Mapping[str, str], control: str | None, aloft: bool) -> frozenset[str]:
    return frozenset(box for unit, box in at.items() if unit != control and (unit[0] == "h" or not aloft))


def find_monster_destinations(state: State) -> Mapping[str, int]:
    """Returns the boxes to which the monster can go, each with its least cost.

    A walk ends in a burning box, because flames hurt. An immune monster goes through flames freely (13.11a), as does
    one in flight. The one-box minimum is only for human units (C10).
    """
    return _find_walking_destinations(state, _find_flames_that_stop(state), count_monster_movement_left(state))


def _find_flames_that_stop(state: State) -> frozenset[str]:
    return NO_BOXES if state.aloft or state.has_ability("flame-immunity") else frozenset(state.flames)


def _find_walking_destinations(state: State, last: frozenset[str], points: int) -> Mapping[str, int]:
    """Returns the boxes to which the monster can walk with at most `points` Movement Points, each with its cost.

    The monster may enter the boxes `last`, but does not go on from them.
    """
    if state.monster is None or state.landed == "late":
        return {}
    return state.find_reach(MONSTER, state.monster, points, find_boxes_closed_to_monster(state), last)


def _make_price(state: State, cost: int) -> Price:
    return Price(cost, count_monster_movement_left(state), "Movement Point", "the monster")


def check_monster_move(state: State, box: str) -> Iterator[Refusal]:
    """Yields the refusals if the monster cannot go to a box."""
    if state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map: enter a box of its edge")
    elif state.landed == "late":
        yield Refusal("5.23c", "the monster has landed at the end of its movement")
    elif box not in find_monster_destinations(state):
        yield from _refuse_destination(state, box)


def _refuse_destination(state: State, box: str) -> Iterator[Refusal]:
    shut = _refuse_shut_box(state, box)
    if shut:
        yield shut
        return
    left, price = count_monster_movement_left(state), state.get_entry_costs(MONSTER)[box]
    if box == state.monster:
        yield Refusal("5.0b", f"the monster is in {box} already")
        return
    if state.board.do_boxes_meet_in_point(state.monster or "", box):
        yield Refusal("5.0d", f"{box} meets the monster's box only in a point")
    elif price <= left and box not in state.board.neighbour_sets[state.monster or ""]:
        yield Refusal(
            "5.0b", f"{box} is not adjacent, and no way there takes {count_of(left, 'Movement Point')} or fewer"
        )
    cost = find_unaffordable_cost(
        _find_walking_destinations(state, _find_flames_that_stop(state), UNLIMITED_POINTS), box, left
    )
    if cost is None:
        yield Refusal("4.0c", f"no way that is open to the monster leads to {box}")
    else:
        yield refuse_price("4.0c", _make_price(state, cost), f"{box} is too far")


def _refuse_shut_box(state: State, box: str) -> Refusal | None:
    """Returns the refusal if the monster cannot stand in a box, wherever it comes from; None if it can."""
    if box not in state.board.boxes:
        return Refusal("2.0b", f"the map has no box {box}")
    if box not in state.get_entry_costs(MONSTER):
        return Refusal(*explain_impassable(MONSTER, box, state.get_terrain(box), gone=box in state.ruins))
    if box in find_boxes_closed_to_monster(state):
        units = " ".join(state.list_humans_in(box))
        if state.aloft:
            return Refusal("5.23b", f"a helicopter is in {box}: {units}")
        return Refusal("5.22d", f"human units are in {box}: {units}")
    return None


def move_monster(state: State, box: str) -> Script[State]:
    """Moves the monster to a box on the cheapest way.

    If this way leads through flames, everybody then knows that the monster is immune (C84).
    """
    cost, burning = _find_way(state, box)
    if burning:
        state = yield FlamesWithstood(burning)
    state = yield MonsterMoved(box, cost)
    return (yield from resolve_monster_arrival(state))


def _find_way(state: State, box: str) -> tuple[int, str | None]:
    """Returns the cost of the way to a box, and a burning box on this way that shows the monster's immunity.

    Without such a burning box, the second value is None. Everybody can tell the cost, because a monster with more
    points goes the same way. Raises UnknownError if only the monster's player knows whether the way leads through
    flames.
    """
    walker = state if state.sheet is None or state.sheet.known else assume_strongest_monster(state)
    left = count_monster_movement_left(walker)
    cheapest = _find_walking_destinations(walker, NO_BOXES, left)[box]
    around = _find_walking_destinations(walker, frozenset(state.flames), left)
    if state.aloft or "flame-immunity" in state.known or around.get(box) == cheapest:
        return cheapest, None
    if not state.has_ability("flame-immunity"):
        return around[box], None
    return cheapest, _find_first_fire(walker, box, cheapest, around)


def _find_first_fire(walker: State, box: str, cheapest: int, around: Mapping[str, int]) -> str | None:
    """Returns the first burning box on a way of cost `cheapest`; None if there is none.

    `around` holds the cost of each box that can be reached without going on from flames.
    """
    shut, left = find_boxes_closed_to_monster(walker), count_monster_movement_left(walker)
    for fire in walker.flames:
        spent = around.get(fire, left)
        if walker.find_reach(MONSTER, fire, left - spent, shut).get(box) == cheapest - spent:
            return fire
    return None


def resolve_monster_arrival(state: State) -> Script[State]:
    """Lets flames hurt the monster at once, unless it is immune (11.41c, 13.11a). Then carries out duties."""
    if not is_monster_safe_from_flames(state) and "flame-immunity" not in state.known:
        box = state.monster or ""
        state = yield FlamesWithstood(box) if state.has_ability("flame-immunity") else MonsterScorched(box)
    return (yield from settle_duties(state))


# Onto the map


class MonsterEntered(Event, frozen=True, tag="entered"):
    """The monster has come onto the map, and its edge is shown (3.2g, C76)."""

    box: BoxName
    edge: MapEdge
    cost: SmallNumber

    def tell(self) -> str:
        """Tells at which edge the monster enters, and where to put it."""
        return f"The monster enters at the {EDGE_NAMES[self.edge]} edge: put it in {self.box}."

    def apply(self, state: State) -> State:
        """Puts the monster into the box."""
        return replace(state, monster=self.box, walked=state.walked + self.cost)


class EnterMap(Action, frozen=True, tag="enter"):
    """Bring the monster onto the map at its edge (3.2g)."""

    says = "enter {box}"
    box: TypedBox


def _list_entries(state: State) -> Iterator[str]:
    """Yields the boxes of the noted edge that the monster can enter and pay for (3.2h, C36)."""
    entry, shut, left = (
        state.get_entry_costs(MONSTER),
        find_boxes_closed_to_monster(state),
        count_monster_movement_left(state),
    )
    for box in _list_edge_boxes(state):
        if entry.get(box, left + 1) <= left and box not in shut:
            yield box


def _list_edge_boxes(state: State) -> tuple[str, ...]:
    """Returns the boxes of the noted edge; none if the monster is on the map already or no edge is noted (3.2g)."""
    return state.board.edge_boxes[state.edge.value] if state.monster is None and state.edge else ()


def _offer_enter(state: State) -> Iterator[Choice]:
    boxes = tuple(_list_entries(state))
    if boxes:
        yield Choice(EnterMap, box=OneOf(boxes))


def _check_enter(state: State, action: EnterMap) -> Iterator[Refusal]:
    if state.monster:
        yield Refusal("3.2g", "the monster is on the map already")
    elif action.box not in _list_edge_boxes(state):
        yield _refuse_edge(state, action.box)
    elif action.box not in _list_entries(state):
        price = _make_price(state, state.get_entry_costs(MONSTER).get(action.box, 0))
        yield _refuse_shut_box(state, action.box) or refuse_price("3.2h", price, f"{action.box} costs too much")


def _refuse_edge(state: State, box: str) -> Refusal:
    edge = state.edge.value if state.edge else "no edge"
    return Refusal("3.2g", f"{box} is not at the edge that was noted: {edge}")


def _enter_map(state: State, action: EnterMap, _dice: Dice) -> Script[State]:
    state = yield from _come_onto_map(state, action.box)
    yield from resolve_monster_arrival(state)


def _come_onto_map(state: State, box: str) -> Script[State]:
    """Puts the monster into this box on its edge of the map, unless it has entered already. From then on,
    everybody knows the edge.
    """
    if state.edge:
        state = yield MonsterEntered(box, _find_edge(state.edge, state, box), state.get_entry_costs(MONSTER)[box])
    return state


def _find_edge(noted: Secret[MapEdge], state: State, box: str) -> MapEdge:
    """Returns the edge at which the monster enters. If the box lies at one edge only, it is that edge.

    Raises UnknownError for any other box if the view does not know the noted edge.
    """
    edges = [edge for edge in EDGE_NAMES if box in state.board.edge_boxes[edge]]
    return edges[0] if len(edges) == 1 else noted.value


# Jumping


class MonsterJumped(Event, frozen=True, tag="jumped"):
    """The monster has jumped (13.25a)."""

    box: BoxName
    cost: SmallNumber

    def tell(self) -> str:
        """Tells where the monster jumps, and what it costs."""
        return f"The monster jumps: put it in {self.box} ({count_of(self.cost, 'Movement Point')})."

    def apply(self, state: State) -> State:
        """Puts the monster into the box."""
        known = state.list_known_abilities_with("jumping")
        return replace(state, monster=self.box, walked=state.walked + self.cost, known=known)


class Jump(Action, frozen=True, tag="jump"):
    """Jump to a box within two boxes (13.25a)."""

    says = "jump {box}"
    box: TypedBox


def _find_jump_destinations(state: State) -> Mapping[str, int]:
    """Returns the boxes to which the monster can jump, each with its cost: twice the usual (13.25c).

    It may jump as often as its points last (C34), but not in flight (C69).
    """
    if state.monster is None or state.aloft or state.landed == "late" or not state.has_ability("jumping"):
        return {}
    entry, shut, left = (
        state.get_entry_costs(MONSTER),
        find_boxes_closed_to_monster(state),
        count_monster_movement_left(state),
    )
    near = sorted(state.board.find_boxes_within(state.monster, JUMP_RANGE), key=state.board.box_sort_order.__getitem__)
    return {box: 2 * entry[box] for box in near if box in entry and box not in shut and 2 * entry[box] <= left}


def _offer_jump(state: State) -> Iterator[Choice]:
    boxes = tuple(_find_jump_destinations(state))
    if boxes:
        yield Choice(Jump, box=OneOf(boxes))


def _check_jump(state: State, action: Jump) -> Iterator[Refusal]:
    if not state.has_ability("jumping"):
        yield Refusal("13.25a", "the monster cannot jump")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map")
    elif state.aloft or state.landed == "late":
        yield Refusal("C69", "a flying monster cannot jump")
    elif action.box not in _find_jump_destinations(state):
        yield _make_leap_refusal(state, action.box)


def _make_leap_refusal(state: State, box: str) -> Refusal:
    shut = _refuse_shut_box(state, box)
    if shut:
        return Refusal("13.25b", shut.because)
    if box not in state.board.find_boxes_within(state.monster or "", JUMP_RANGE):
        return Refusal("13.25a", f"{box} is not within {JUMP_RANGE} boxes")
    return refuse_price(
        "13.25c", _make_price(state, 2 * state.get_entry_costs(MONSTER)[box]), f"{box} is too far for a jump"
    )


def _jump_to_box(state: State, action: Jump, _dice: Dice) -> Script[State]:
    state = yield MonsterJumped(action.box, 2 * state.get_entry_costs(MONSTER)[action.box])
    yield from resolve_monster_arrival(state)


# Over people


class MonsterOverran(Event, frozen=True, tag="overran"):
    """The monster has overrun non-combat units (5.31a). Their elimination follows."""

    box: BoxName
    units: UnitIds
    strength: SmallNumber
    cost: SmallNumber

    def tell(self) -> str:
        """Tells which units are overrun, and where to put the monster."""
        return f"The monster overruns {format_units(self.units)} with {self.strength}: put it in {self.box}."

    def apply(self, state: State) -> State:
        """Puts the monster into the box, and spends its points."""
        return replace(state, monster=self.box, walked=state.walked + self.cost, struck=state.struck + self.strength)


class Overrun(Action, frozen=True, tag="overrun"):
    """Go over non-combat units, spending attack points (5.31a). The monster may also enter the map like this (C36)."""

    says = "overrun {box} {points}"
    box: TypedBox
    points: Strength


def _list_overrun_boxes(state: State) -> Iterator[tuple[str, int]]:
    """Yields the boxes that can be overrun now, each with the attack points that it takes."""
    if state.aloft or state.landed == "late":
        return
    entry = state.get_entry_costs(MONSTER)
    for box in _list_next_boxes(state):
        units = state.list_humans_in(box)
        if units and entry.get(box, count_monster_movement_left(state) + 1) <= count_monster_movement_left(state):
            needed = OVERRUN_ODDS * sum_defense(state, units)
            if not _list_fighters(state, units) and needed <= count_attack_points_left(state):
                yield box, needed


def _list_next_boxes(state: State) -> tuple[str, ...]:
    """Returns the boxes beside the monster; those of its edge if it has not entered yet (C36)."""
    return state.board.neighbours[state.monster] if state.monster else _list_edge_boxes(state)


def _list_fighters(state: State, units: tuple[str, ...]) -> list[str]:
    """Returns the combat units among these units (5.31c); all others are bracketed (C9)."""
    return [unit for unit in units if state.get_unit_type(unit).combat]


def _offer_overrun(state: State) -> Iterator[Choice]:
    for box, needed in _list_overrun_boxes(state):
        yield Choice(Overrun, box=box, points=Between(needed, count_attack_points_left(state)))


def _check_overrun(state: State, action: Overrun) -> Iterator[Refusal]:
    box, units = action.box, state.list_humans_in(action.box)
    if state.landed == "late":
        yield from check_monster_move(state, box)
    elif state.aloft or box not in state.get_entry_costs(MONSTER):
        yield Refusal("5.31d", "only a monster on the ground overruns units, in a box that is passable for it")
    elif box not in _list_next_boxes(state):
        yield Refusal("5.31a", f"{box} is not adjacent") if state.monster else _refuse_edge(state, box)
    elif not units:
        yield Refusal("5.31a", f"there are no human units in {box}")
    elif _list_fighters(state, units):
        yield Refusal("5.31c", f"combat units are in {box}: {' '.join(_list_fighters(state, units))}")
    elif state.get_entry_costs(MONSTER)[box] > count_monster_movement_left(state):
        yield refuse_price("4.0c", _make_price(state, state.get_entry_costs(MONSTER)[box]), f"{box} costs too much")
    elif action.points > count_attack_points_left(state):
        yield refuse_price(
            "5.32a", Price(action.points, count_attack_points_left(state), "attack point", "the monster")
        )
    elif action.points < OVERRUN_ODDS * sum_defense(state, units):
        rule = "5.31b" if len(units) > 1 else "5.31a"
        yield Refusal(rule, f"{OVERRUN_ODDS}-1 takes {OVERRUN_ODDS * sum_defense(state, units)} attack points")


def _overrun_box(state: State, action: Overrun, _dice: Dice) -> Script[State]:
    """Destroys the units in a box without a die. The monster may then go on (5.32a, 5.32b).

    A monster that enters the map like this pays for the box as it enters (C36).
    """
    units, cost = state.list_humans_in(action.box), state.get_entry_costs(MONSTER)[action.box]
    if state.monster is None:
        state, cost = (yield from _come_onto_map(state, action.box)), 0
    state = yield MonsterOverran(action.box, units, action.points, cost)
    state = yield eliminate_units(state, units, "overrun")
    yield from resolve_monster_arrival(state)


def _read_overrun(reader: Reader) -> Overrun:
    box = reader.read_box()
    return Overrun(box, reader.read_number("attack points"))


VERBS = (
    make_verb(
        EnterMap,
        MONSTER_MOVEMENT,
        _enter_map,
        offers=_offer_enter,
        check=_check_enter,
        read=make_reader(EnterMap, Reader.read_box),
    ),
    make_verb(
        Jump,
        MONSTER_MOVEMENT,
        _jump_to_box,
        offers=_offer_jump,
        check=_check_jump,
        read=make_reader(Jump, Reader.read_box),
        carries=True,
    ),
    make_verb(Overrun, MONSTER_MOVEMENT, _overrun_box, offers=_offer_overrun, check=_check_overrun, read=_read_overrun),
)
