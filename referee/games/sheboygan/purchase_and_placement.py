"""Buying units and putting them on the map; also placing firemen when they come (3.1, 3.2, 11.31c, 11.31d)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import Between, OneOf, Subset
from referee.engine.text import count_of, listing
from referee.games.sheboygan.counters import (
    KIND_LETTERS,
    STACKING_LIMIT,
    PieceIds,
    UnitIds,
    format_units,
    make_unit_names,
    sort_units,
)
from referee.games.sheboygan.notation import Reader, TypedBox
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.state import BoxName, SmallNumber, State
from referee.games.sheboygan.status import PHASE_NAMES
from referee.games.sheboygan.turns import PhaseBegun

# Buying units


class UnitsBought(Event, frozen=True, tag="bought"):
    """Units were bought."""

    units: UnitIds
    cost: SmallNumber

    def tell(self) -> str:
        """Tells which counters to take, and their cost."""
        return f"Take {format_units(self.units)} for {count_of(self.cost, 'point')}."

    def apply(self, state: State) -> State:
        """Puts the units into the hand, and spends the points."""
        return replace(state, hand=sort_units(state.hand + self.units), budget=state.budget - self.cost)


class BuyUnits(Action, frozen=True, tag="buy"):
    """Buy a number of units of one kind; each costs its combat strength (3.1d)."""

    says = "buy {counter} {count}"
    counter: Annotated[str, Meta(pattern="^[a-z]{1,20}$")]
    count: Annotated[int, Meta(ge=1, le=99)]


def _count_most_to_buy(state: State, letter: str) -> int:
    """Returns the most units of a kind that can be bought in all: the countermix, as far as it is known (3.1e, C71)."""
    kind = state.board.tables.units[letter]
    return kind.limit or (kind.reported if state.options["countermix"] == "reported" else UNLIMITED_UNITS)


KINDS_PLACED_TOGETHER = ("pi", "tg", "h", "f", "b")
"""The letters of kinds that may stand in the same boxes: on foot, tanks and guns, and so on."""
UNLIMITED_UNITS = 99
"""More units than anybody can pay for, in place of a limit."""


def _count_owned(state: State, letter: str) -> int:
    return sum(unit[0] == letter for unit in (*state.hand, *state.at))


def list_kinds_for_sale(state: State) -> Iterator[tuple[str, int]]:
    """Yields the letters of kinds that can be bought, and how many of each."""
    for letter, kind in state.board.tables.units.items():
        allowed = kind.combat and (letter != "h" or state.scenario.helicopters)
        most = min(_count_most_to_buy(state, letter) - _count_owned(state, letter), state.budget // max(1, kind.cost))
        if allowed and most > 0:
            yield letter, most


def _offer_buy(state: State) -> Iterator[Choice]:
    for letter, most in list_kinds_for_sale(state):
        yield Choice(BuyUnits, counter=state.board.tables.units[letter].type, count=Between(1, most))


def _check_buy(state: State, action: BuyUnits) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a purchase breaks: of kind, points or counters (3.1a, 3.1b)."""
    letter = KIND_LETTERS.get(action.counter)
    if letter is None:
        kinds = listing(tuple(KIND_LETTERS))
        yield Refusal("2.0a", f"there is no counter called {action.counter!r}; the counters are {kinds}")
        return
    kind, cost = state.board.tables.units[letter], state.board.tables.units[letter].cost * action.count
    if letter == "c":
        yield Refusal("3.1c", "you cannot buy populace: all of it is on the map already")
    elif not kind.combat:
        yield Refusal("3.1f", f"you cannot buy {action.counter}: it comes when the monster breathes fire")
    elif letter == "h" and not state.scenario.helicopters:
        rule = "14.21b" if state.options["scenario"] == "learning" else "14.22b"
        yield Refusal(rule, f"there are no helicopters in the scenario {state.options['scenario']}")
    elif cost > state.budget:
        yield refuse_price("3.1a", Price(cost, state.budget, "point"))
        yield Refusal("3.1d", f"{action.counter} costs {kind.cost} each")
    elif _count_owned(state, letter) + action.count > _count_most_to_buy(state, letter):
        yield Refusal("3.1e", f"there are only {_count_most_to_buy(state, letter)} counters of {action.counter}")


def _buy_units(state: State, action: BuyUnits, _dice: Dice) -> Script[State]:
    letter = KIND_LETTERS[action.counter]
    units = make_unit_names(letter, _count_owned(state, letter) + 1, action.count)
    yield UnitsBought(units, state.board.tables.units[letter].cost * action.count)


def _read_buy(reader: Reader) -> BuyUnits:
    """Reads a kind and a number in either order: `tank 3`, `3 tanks`. Without a number, one unit is meant."""
    if reader.words and reader.words[0].text.isdecimal():
        count = reader.read_number()
        return BuyUnits(reader.read_unit_kind(), count)
    kind = reader.read_unit_kind()
    return BuyUnits(kind, reader.read_number() if reader.words else 1)


# Putting units on the map


class UnitsPlaced(Event, frozen=True, tag="placed"):
    """Units were put on the map."""

    units: UnitIds
    box: BoxName

    def tell(self) -> str:
        """Tells which units to put where."""
        return f"Put {format_units(self.units)} in {self.box}."

    def apply(self, state: State) -> State:
        """Puts the units from the hand into the box."""
        hand = tuple(unit for unit in state.hand if unit not in self.units)
        at = {**state.at, **dict.fromkeys(self.units, self.box)}
        return replace(state, hand=hand, at={unit: at[unit] for unit in sort_units(at)})


class PlaceUnits(Action, frozen=True, tag="place"):
    """Put units in a box (3.2c)."""

    says = "place {units} {box}"
    units: PieceIds
    box: TypedBox


def _list_groups(state: State) -> Iterator[tuple[str, ...]]:
    """Yields groups of units in the hand that can be put in the same boxes: tanks and guns, helicopters, and so on."""
    for letters in KINDS_PLACED_TOGETHER:
        units = sort_units(unit for unit in state.hand if unit[0] in letters)
        if units:
            yield units


def _can_stand(state: State, unit: str, box: str) -> bool:
    """True if a unit may be put in a box, apart from stacking.

    Its kind must be able to stand there (C51), and there must be no web. At the start, boxes at a map edge are
    forbidden (3.2d). Firemen may arrive in burning boxes and at edges, but not in the monster's box (11.31c, C52).
    """
    if box not in state.get_entry_costs(unit) or box in state.webs:
        return False
    return box != state.monster if state.phase == "arrival" else not state.board.boxes[box].edges


def _count_room(state: State, unit: str, box: str) -> int:
    """Returns the number of units of this unit's kind that a box can still take (5.21b, 5.21c)."""
    return STACKING_LIMIT - state.count_stacking_units(box) if state.get_unit_type(unit).stacks else len(state.hand)


def _offer_place(state: State) -> Iterator[Choice]:
    for units in _list_groups(state):
        boxes, free = _list_boxes_for(state, units[0]), min(len(units), _count_room(state, units[0], ""))
        rooms = {box: min(len(units), _count_room(state, units[0], box)) for box in state.units_by_box}
        for room in sorted({free, *rooms.values()}, reverse=True):
            if room > 0 and any(rooms.get(box, free) == room for box in boxes):
                slot = partial(_list_boxes_with_room, boxes, rooms, free, room)
                yield Choice(PlaceUnits, units=Subset(units, 1, room), box=slot)


def _list_boxes_for(state: State, unit: str) -> tuple[str, ...]:
    """Returns all boxes where units of this kind may be put, apart from stacking."""
    key, memo = (_can_stand, state.phase, state.get_movement_mode(unit)), state.pathfinder_cache
    if key not in memo:
        memo[key] = tuple(box for box in state.get_entry_costs(unit) if _can_stand(state, unit, box))
    found: tuple[str, ...] = memo[key]
    return found


def _list_boxes_with_room(boxes: tuple[str, ...], rooms: Mapping[str, int], free: int, room: int) -> OneOf:
    """Returns the boxes that can take exactly `room` more units.

    `rooms` tells how many more units each box with units can take. A box without units can take `free` units.
    """
    return OneOf(tuple(box for box in boxes if rooms.get(box, free) == room))


def _check_place(state: State, action: PlaceUnits) -> Iterator[Refusal]:
    strangers = [unit for unit in action.units if unit not in state.hand]
    if strangers or not action.units:
        yield from _refuse_strangers(state, strangers)
    elif action.box not in state.board.boxes:
        yield Refusal("2.0b", f"the map has no box {action.box}")
    elif not any(set(action.units) <= set(group) for group in _list_groups(state)):
        yield Refusal("3.2c", "you can place together only units that may stand in the same boxes")
    elif not _can_stand(state, action.units[0], action.box):
        yield _make_box_refusal(state, action.units[0], action.box)
    elif len(action.units) > _count_room(state, action.units[0], action.box):
        yield Refusal("5.21b", f"{action.box} takes no more than {STACKING_LIMIT} units that count")
        yield Refusal("3.2c", f"{action.box} would be too full")


def _refuse_strangers(state: State, strangers: Iterable[str]) -> Iterator[Refusal]:
    populace = [unit for unit in strangers if unit[0] == "c"]
    if populace:
        yield Refusal("3.2e", f"populace stands where its symbols are, at {listing(state.board.populace_boxes)}")
    else:
        yield Refusal("3.2b", f"{listing(tuple(strangers)) or 'nobody'} is not in the hand")


def _make_box_refusal(state: State, unit: str, box: str) -> Refusal:
    if state.phase == "arrival" and box == state.monster:
        return Refusal("11.31c", f"the monster is in {box}")
    if box in state.webs:
        return Refusal("13.22b", f"{box} is webbed")
    if box not in state.get_entry_costs(unit):
        rule = "11.31d" if unit[0] == "b" else "C51"
        terrain = state.get_terrain(box)
        return Refusal(rule, f"{state.get_unit_type(unit).type} cannot stand in {box}: it is {terrain}")
    return Refusal("3.2d", f"{box} is at a map edge")


def _place_units(state: State, action: PlaceUnits, _dice: Dice) -> Script[State]:
    state = yield UnitsPlaced(action.units, action.box)
    if state.phase == "arrival" and not state.hand:
        yield PhaseBegun("human-move")


def _read_place(reader: Reader) -> PlaceUnits:
    """Reads units and then a box; "rest" means all units in the hand.

    Kinds that cannot be placed together are placed one after another.
    """
    box = reader.read_last_box()
    units = reader.read_units(reader.state.hand)
    parts = [tuple(unit for unit in units if unit[0] in letters) for letters in (*KINDS_PLACED_TOGETHER, "cm")]
    first, *others = [part for part in parts if part]
    reader.rest = ", ".join(f"place {' '.join(part)} {box}" for part in others)
    return PlaceUnits(first, box)


VERBS = (
    make_verb(BuyUnits, ("buy",), _buy_units, offers=_offer_buy, check=_check_buy, read=_read_buy, carries=True),
    make_verb(
        PlaceUnits,
        ("place", "arrival"),
        _place_units,
        offers=_offer_place,
        check=_check_place,
        late=make_late_check("3.2f", PHASE_NAMES),
        words=("place", "put"),
        read=_read_place,
        carries=True,
    ),
)
