"""Units that take others along, and infantry in the river: towing (5.0j), populace (10.0), fording (9.1)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.games.sheboygan.counters import STACKING_LIMIT, TOWING_ALLOWANCE, PieceId, PieceIds, UnitId
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import BoxName, State
from referee.games.sheboygan.unit_movement import (
    UnitsMoved,
    find_closed_boxes,
    find_destinations,
    make_destination_lister,
    refuse_destination,
    refuse_move,
)

HUMAN_MOVEMENT = ("human-move",)


def _has_not_moved(state: State, unit: str) -> bool:
    """True if a unit may move, and has not moved in this phase."""
    return unit not in state.moved and refuse_move(state, unit) is None


# Towing


class GunTowed(Event, frozen=True, tag="towed"):
    """A tank has towed a gun (5.0j)."""

    told = "{tank} tows {gun}: put both in {box}."
    tank: UnitId
    gun: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Puts the tank and the gun into the box. Neither moves again in this phase."""
        pair = (self.tank, self.gun)
        units = state.board.tables.units
        return replace(
            state,
            at={**state.at, **dict.fromkeys(pair, self.box)},
            moved={**state.moved, **{unit: state.at[unit] for unit in pair}},
            spent={**state.spent, **{unit: units[unit[0]].movement for unit in pair}},
            carried={**state.carried, self.tank: self.gun, self.gun: self.tank},
        )


class Tow(Action, frozen=True, tag="tow"):
    """A tank tows a gun that began the phase in its box; both end in the same box (5.0j, C18)."""

    says = "tow {tank} {gun} {box}"
    tank: PieceId
    gun: PieceId
    box: TypedBox


def _list_boxes_to_tow_to(state: State, tank: str) -> tuple[str, ...]:
    """Returns the boxes that a tank and its gun can reach with their common allowance.

    Room is needed only at the end of movement (5.22a).
    """
    return tuple(state.pathfinder.find_destinations("armour", state.at[tank], TOWING_ALLOWANCE, fresh=False))


def _offer_tow(state: State) -> Iterator[Choice]:
    for units in state.unit_stacks:
        guns = tuple(unit for unit in units if unit[0] == "g" and _has_not_moved(state, unit))
        for tank in [unit for unit in units if unit[0] == "t" and _has_not_moved(state, unit)] if guns else ():
            boxes = _list_boxes_to_tow_to(state, tank)
            if boxes:
                yield Choice(Tow, tank=tank, gun=OneOf(guns), box=OneOf(boxes))


def _check_tow(state: State, action: Tow) -> Iterator[Refusal]:
    tank, gun = action.tank, action.gun
    barred = [refusal for refusal in (refuse_move(state, tank), refuse_move(state, gun)) if refusal]
    if barred:
        yield barred[0]
    elif (tank[0], gun[0]) != ("t", "g") or state.at[tank] != state.at[gun]:
        yield Refusal("5.0j", f"{tank} cannot tow {gun}: it takes a tank and a gun in one box")
    elif tank in state.moved or gun in state.moved:
        yield Refusal("5.0j", "both must have begun the phase in this box, and not have moved")
    elif action.box not in _list_boxes_to_tow_to(state, tank):
        yield Refusal("5.0j", f"a tank with a gun has {TOWING_ALLOWANCE} Movement Points")


def _tow_gun(_state: State, action: Tow, _dice: Dice) -> Script[State]:
    yield GunTowed(action.tank, action.gun, action.box)


# Populace with police


class Carry(Action, frozen=True, tag="carry"):
    """Police take along populace that began the phase with them. Populace not named again is dropped (10.0b, 10.0c)."""

    says = "carry {police} {populace} {box}"
    police: PieceId
    populace: PieceIds
    box: TypedBox


def _list_riders(state: State, police: str, stack: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the populace units in the box of a police unit that can ride on with it (10.0d).

    They began the phase with this police unit and have not left it since (C19).
    """
    start, fresh = state.moved.get(police, state.at[police]), police not in state.moved
    barred = {*state.feared, *state.caught, state.control}
    return tuple(
        unit
        for unit in stack
        if unit[0] == "c"
        and unit not in barred
        and state.moved.get(unit, state.at[unit]) == start
        and (unit not in state.moved if fresh else state.carried.get(unit) == police)
    )


def _offer_carry(state: State) -> Iterator[Choice]:
    pairs = [(unit, units) for units in state.unit_stacks for unit in units if unit[0] == "p"]
    for police, beside in pairs:
        riders = _list_riders(state, police, beside)
        if riders and not refuse_move(state, police):
            boxes = make_destination_lister(state, police)
            if boxes:
                yield Choice(Carry, police=police, populace=Subset(riders, 1, len(riders)), box=boxes)


def _check_carry(state: State, action: Carry) -> Iterator[Refusal]:
    police = action.police
    barred = refuse_move(state, police)
    if barred:
        yield barred
        return
    riders = _list_riders(state, police, state.units_by_box[state.at[police]])
    if police[0] != "p":
        yield Refusal("10.0b", f"{police} is not a police unit")
    elif not action.populace or not set(action.populace) <= set(riders):
        yield _make_rider_refusal(state, police, [one for one in action.populace if one not in riders])
    elif action.box not in find_destinations(state, police):
        yield from refuse_destination(state, police, action.box)


def _make_rider_refusal(state: State, police: str, strangers: list[str]) -> Refusal:
    """Returns the refusal for units that cannot ride along.

    The refusal says that one of these units cannot move at all, or else that they did not begin the phase with the
    police.
    """
    stuck = [unit for unit in strangers if unit in (*state.feared, *state.caught, state.control)]
    barred = refuse_move(state, stuck[0]) if stuck else None
    if barred:
        return barred
    rule = "10.0c" if any(state.carried.get(unit) == "-" for unit in strangers) else "10.0b"
    return Refusal(rule, f"{' '.join(strangers) or 'nobody'} did not come with {police} from where the phase began")


def _carry_populace(state: State, action: Carry, _dice: Dice) -> Script[State]:
    cost = find_destinations(state, action.police)[action.box]
    yield UnitsMoved((action.police, *action.populace), action.box, cost)


def _read_carry(reader: Reader) -> Carry:
    box = reader.read_last_box()
    police = reader.read_unit()
    return Carry(police, reader.read_units(), box)


# Fording


class InfantryForded(Event, frozen=True, tag="forded"):
    """Infantry has gone into the river, or come out of it (9.1a, 9.1b)."""

    told = "{unit} fords: put it in {box}."
    unit: UnitId
    box: BoxName
    bank: str
    """The bank that the unit came from, or "-" if that was a bridge; "" if it has come out of the river."""

    def apply(self, state: State) -> State:
        """Puts the unit into the box, and spends all its Movement Points."""
        fording = {unit: bank for unit, bank in state.fording.items() if unit != self.unit}
        movement = state.board.tables.units["i"].movement
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            fording={**fording, self.unit: self.bank} if self.bank else fording,
            moved={**state.moved, self.unit: state.at[self.unit]},
            spent={**state.spent, self.unit: movement},
            carried={**state.carried, self.unit: "-"},
        )


class Ford(Action, frozen=True, tag="ford"):
    """Infantry goes into the river, or to a bridge that is gone, and in a later phase comes out of it (9.1, C65)."""

    says = "ford {unit} {box}"
    unit: PieceId
    box: TypedBox


def needs_fording(state: State, box: str) -> bool:
    """True if infantry can enter a box only by fording: the river, or a bridge that is gone (5.14h)."""
    return state.get_terrain(box) == "river" or box in state.ruins


def _list_ford_exits(state: State, box: str, bank: str) -> Iterator[str]:
    """Yields the boxes where infantry from a bank gets out of the river: street boxes on another bank (9.1b, C20).

    The option ford-exit may allow others.
    """
    option = state.options["ford-exit"]
    for beside in state.board.neighbours[box]:
        place = state.board.boxes[beside]
        fits = place.terrain == "street" or (option == "any-land" and not needs_fording(state, beside))
        if fits and place.bank and (place.bank != bank or option == "either-bank"):
            yield beside


def _list_ford_destinations(state: State, unit: str) -> Iterator[str]:
    """Yields the boxes to which a unit can ford now. They must have room, because the unit goes no farther."""
    here, shut = state.at[unit], find_closed_boxes(state, unit)
    boxes = (
        _list_ford_exits(state, here, state.fording[unit]) if unit in state.fording else _list_ford_entries(state, here)
    )
    return (box for box in boxes if box not in shut and state.count_stacking_units(box) < STACKING_LIMIT)


def _list_ford_entries(state: State, here: str) -> tuple[str, ...]:
    """Returns the boxes where infantry can enter the river from a box: those with a way out on another bank."""
    key, memo = (_list_ford_entries, here, state.options["ford-exit"]), state.pathfinder_cache
    found: tuple[str, ...] | None = memo.get(key)
    if found is None:
        bank, beside = state.board.boxes[here].bank, state.board.neighbours[here]
        found = memo[key] = tuple(
            box for box in beside if needs_fording(state, box) and any(_list_ford_exits(state, box, bank))
        )
    return found


def _offer_ford(state: State) -> Iterator[Choice]:
    moved, fording, waterside = state.moved, state.fording, state.board.waterside_boxes
    fresh = [standing for standing in state.at.items() if standing[0][0] == "i" and standing[0] not in moved]
    for unit, box in fresh:
        able = unit in fording or (box in waterside and _list_ford_entries(state, box))
        if able and refuse_move(state, unit) is None:
            boxes = tuple(_list_ford_destinations(state, unit))
            if boxes:
                yield Choice(Ford, unit=unit, box=OneOf(boxes))


def _check_ford(state: State, action: Ford) -> Iterator[Refusal]:
    unit, box = action.unit, action.box
    barred = refuse_move(state, unit)
    if barred:
        yield barred
    elif unit[0] != "i":
        yield Refusal("5.14h" if box in state.ruins else "9.1a", f"only infantry fords, not {unit}")
    elif unit in state.moved:
        yield Refusal("9.1a", f"{unit} has spent Movement Points; fording takes all of them")
    elif box not in state.board.boxes:
        yield Refusal("2.0b", f"the map has no box {box}")
    elif box not in _list_ford_destinations(state, unit):
        yield from _refuse_ford(state, unit, box)


def _refuse_ford(state: State, unit: str, box: str) -> Iterator[Refusal]:
    here = state.at[unit]
    if box not in state.board.neighbour_sets[here]:
        yield Refusal("9.1a", f"{box} is not beside {here}")
    elif box in find_closed_boxes(state, unit):
        yield Refusal("9.1b", f"{box} is closed now")
    elif unit in state.fording:
        if box in _list_ford_exits(state, here, state.fording[unit]):
            yield Refusal("5.21b", f"{box} takes no more than {STACKING_LIMIT} units that count")
        yield Refusal("9.1b", f"{unit} comes out in a street box on the other bank")
    elif not needs_fording(state, box):
        yield Refusal("9.1a", f"{box} is not a river box")
    elif state.count_stacking_units(box) >= STACKING_LIMIT:
        yield Refusal("C21", f"{box} takes no more than {STACKING_LIMIT} units that count")
    else:
        yield Refusal("C20", f"nothing leads out of {box} on the other bank")


def _ford_river(state: State, action: Ford, _dice: Dice) -> Script[State]:
    bank = "" if action.unit in state.fording else state.board.boxes[state.at[action.unit]].bank or "-"
    yield InfantryForded(action.unit, action.box, bank)


VERBS = (
    make_verb(
        Tow,
        HUMAN_MOVEMENT,
        _tow_gun,
        offers=_offer_tow,
        check=_check_tow,
        read=make_reader(Tow, Reader.read_unit, Reader.read_unit, Reader.read_box),
    ),
    make_verb(Carry, HUMAN_MOVEMENT, _carry_populace, offers=_offer_carry, check=_check_carry, read=_read_carry),
    make_verb(
        Ford,
        HUMAN_MOVEMENT,
        _ford_river,
        offers=_offer_ford,
        check=_check_ford,
        read=make_reader(Ford, Reader.read_unit, Reader.read_box),
    ),
)
