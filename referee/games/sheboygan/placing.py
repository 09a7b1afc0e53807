"""Putting units on the map: at the start (3.2), and the firemen when they come (11.31c, 11.31d)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.sheboygan.counters import STACKED, Pieces
from referee.games.sheboygan.events import PhaseBegun, Placed
from referee.games.sheboygan.ground import costs, gait_of
from referee.games.sheboygan.notation import Box, Reader
from referee.games.sheboygan.state import State
from referee.games.sheboygan.timing import timed


class Place(Action, frozen=True, tag="place"):
    """Put units in a box."""

    says = "place {units} {box}"
    units: Pieces
    box: Box


def _groups(state: State) -> Iterator[tuple[str, ...]]:
    """Units of the hand that are put in the same boxes: those on foot, tanks and guns, helicopters, and so on."""
    for letters in ("pi", "tg", "h", "f", "b"):
        units = tuple(unit for unit in state.hand if unit[0] in letters)
        if units:
            yield units


def _may_stand(state: State, unit: str, box: str) -> bool:
    """Whether a unit may be put there, as far as stacking is left aside.

    At the start nowhere at a map edge (3.2d), where its kind may stand (C51); firemen anywhere but in the monster's
    box, burning boxes and edges included (11.31c, C52).
    """
    if box not in costs(state, unit) or box in state.webs:
        return False
    return box != state.monster if state.phase == "arrival" else not state.board.boxes[box].edges


def _room(state: State, unit: str, box: str) -> int:
    """How many more of such units a box takes (5.21b, 5.21c)."""
    return STACKED - state.counting(box) if state.kind(unit).stacks else len(state.hand)


def _offers(state: State) -> Iterator[Choice]:
    for units in _groups(state):
        boxes, free = _standing(state, units[0]), min(len(units), _room(state, units[0], ""))
        rooms = {box: min(len(units), _room(state, units[0], box)) for box in state.stacks}
        for room in sorted({free, *rooms.values()}, reverse=True):
            if room > 0 and any(rooms.get(box, free) == room for box in boxes):
                slot = partial(_with_room, boxes, rooms, free, room)
                yield Choice(Place, units=Subset(units, 1, room), box=slot)


def _standing(state: State, unit: str) -> tuple[str, ...]:
    """All boxes where such units may be put, stacking left aside."""
    key, memo = (_may_stand, state.phase, gait_of(state, unit)), state.lie.memo
    if key not in memo:
        memo[key] = tuple(box for box in costs(state, unit) if _may_stand(state, unit, box))
    found: tuple[str, ...] = memo[key]
    return found


def _with_room(boxes: tuple[str, ...], rooms: Mapping[str, int], free: int, room: int) -> OneOf:
    """Those of them that take so many more, where empty boxes take `free`."""
    return OneOf(tuple(box for box in boxes if rooms.get(box, free) == room))


def _check(state: State, action: Place) -> Iterator[Refusal]:
    strangers = [unit for unit in action.units if unit not in state.hand]
    if strangers or not action.units:
        yield from _why_not_in_hand(state, strangers)
    elif action.box not in state.board.boxes:
        yield Refusal("2.0b", f"the map has no box {action.box}")
    elif not any(set(action.units) <= set(group) for group in _groups(state)):
        yield Refusal("3.2c", "only units that may stand in the same boxes are placed together")
    elif not _may_stand(state, action.units[0], action.box):
        yield _why_not_there(state, action.units[0], action.box)
    elif len(action.units) > _room(state, action.units[0], action.box):
        yield Refusal("5.21b", f"{action.box} takes no more than {STACKED} units that count")
        yield Refusal("3.2c", f"{action.box} would be too full")


def _why_not_in_hand(state: State, strangers: Iterable[str]) -> Iterator[Refusal]:
    populace = [unit for unit in strangers if unit[0] == "c"]
    if populace:
        yield Refusal("3.2e", f"populace stands where its symbols are, at {listing(state.board.populace)}")
    else:
        yield Refusal("3.2b", f"{listing(tuple(strangers)) or 'nobody'} is not in the hand")


def _why_not_there(state: State, unit: str, box: str) -> Refusal:
    if state.phase == "arrival" and box == state.monster:
        return Refusal("11.31c", f"the monster is in {box}")
    if box in state.webs:
        return Refusal("13.22b", f"{box} is webbed")
    if box not in costs(state, unit):
        rule = "11.31d" if unit[0] == "b" else "C51"
        terrain = state.terrain(box)
        return Refusal(rule, f"{state.kind(unit).type} cannot stand in {box}: it is {terrain}")
    return Refusal("3.2d", f"{box} is at a map edge")


def _place(state: State, action: Place, _dice: Dice) -> Script[State]:
    state = yield Placed(action.units, action.box)
    if state.phase == "arrival" and not state.hand:
        yield PhaseBegun("human-move")


def _read(reader: Reader) -> Place:
    """Units and then a box; "rest" is all of the hand."""
    box = reader.box_at_the_end()
    return Place(reader.units(), box)


VERBS = (timed(Place, ("place", "arrival"), _place, offers=_offers, check=_check, late="3.2f", read=_read),)
