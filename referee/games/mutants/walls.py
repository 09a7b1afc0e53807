"""Walls: where the Human player may place them before the game (II.B.1.a-f)."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.text import listing, spell_number
from referee.games.mutants.board import Board, DoorName, is_square
from referee.games.mutants.notation import make_reader
from referee.games.mutants.sides import check_set_up_seat
from referee.games.mutants.state import State
from referee.games.mutants.view import SecretlyNotedAction, UnnoticedEvent

MAX_ADJACENT_WALLS = 2
"""The most Walls that may be adjacent to one another (II.B.1.a-f)."""


class WallsPlaced(UnnoticedEvent, frozen=True, tag="walled"):
    """Walls were put in doors."""

    told = "Put a Wall in {doors}."
    doors: Annotated[tuple[DoorName, ...], Meta(max_length=300)]

    def apply(self, state: State) -> State:
        """Blocks the doors."""
        return replace(state, walls=state.walls.union(self.doors))


class PlaceWall(SecretlyNotedAction, frozen=True, tag="wall"):
    """Put a Wall in a door (II.B.1.a-b)."""

    says = "wall {door}"
    door: DoorName


def list_doors_free_for_walls(state: State) -> tuple[str, ...]:
    """Returns the doors that can still take a Wall (II.B.1.a-e)."""
    return tuple(iterate_doors_free_for_walls(state))


def iterate_doors_free_for_walls(state: State, among: Iterable[str] | None = None) -> Iterator[str]:
    """Yields the doors that can still take a Wall, among all doors or those given."""
    doors = (state.board.doors_for_walls if among is None else among) if state.wall_count_in_hand > 0 else ()
    return (door for door in doors if door not in state.walls and not find_forbidden_wall_group(state, door))


def find_forbidden_wall_group(state: State, door: str) -> tuple[str, ...]:
    """Returns the Walls that would form a forbidden group with a Wall in this door; empty if it may go there (M5)."""
    rule = state.options["wall-adjacent"]
    if rule != "same-room" and state.walls.isdisjoint(state.board.adjoining_doors[door]):
        return ()
    walls = state.walls | {door}
    match rule:
        case "chain":
            group = find_linked_walls(state.board, door, walls)
        case "line":
            group = _find_walls_in_line(state.board, door, walls)
        case _:
            group = _find_walls_of_one_room(state.board, door, walls)
    return group if len(group) > MAX_ADJACENT_WALLS else ()


def find_linked_walls(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """Returns the Walls joined to this door through shared ends, and the door itself."""
    found, waiting = {door}, [door]
    while waiting:
        near = walls & board.adjoining_doors[waiting.pop()] - found
        found |= near
        waiting += near
    return tuple(sorted(found))


def _find_walls_in_line(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """Returns the Wall in this door and the Walls that continue it without a gap or bend."""
    (x1, y1), (x2, y2) = sorted(board.wall_ends[door])
    dx, dy = x2 - x1, y2 - y1
    by_ends = {board.wall_ends[wall]: wall for wall in walls}
    run = [door]
    for step in (1, -1):
        x, y = x1 + step * dx, y1 + step * dy
        while wall := by_ends.get(frozenset({(x, y), (x + dx, y + dy)})):
            run.append(wall)
            x, y = x + step * dx, y + step * dy
    return tuple(sorted(run))


def _find_walls_of_one_room(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """Returns the Walls around one of the door's two rooms: the room with more Walls."""
    around = [tuple(sorted(wall for wall in walls if room in board.door_ends[wall])) for room in board.door_ends[door]]
    return max(around, key=len)


def check_wall_placement(state: State, door: str) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a Wall in this door breaks (II.B.1.a)."""
    board = state.board
    if door not in board.door_ends:
        yield Refusal("II.B.1.a-b", f"there is no door {door}")
        return
    if any(map(is_square, board.door_ends[door])):
        yield Refusal("II.B.1.a-c", f"{door} leads to a Mutant Set Up square")
    if board.tech_room in board.door_ends[door]:
        yield Refusal("II.B.1.a-d", f"{door} is a door of the Tech Room")
    if door in state.walls:
        yield Refusal("M28", f"{door} already has a Wall")
    elif state.wall_count_in_hand < 1:
        rule = "OPT.II.A" if state.is_option_played("help-humans") else "II.B.1.a-a"
        yield Refusal(rule, f"all {len(state.walls)} Walls are already placed")
    elif door in board.doors_for_walls and (group := find_forbidden_wall_group(state, door)):
        yield Refusal(
            "II.B.1.a-f",
            f"{listing(group)} would be adjacent, and at most {spell_number(MAX_ADJACENT_WALLS)} Walls may be",
        )


def _check_wall(state: State, _seat: Seat, action: PlaceWall) -> Iterator[Refusal]:
    return check_wall_placement(state, action.door)


def _place_wall(_state: State, _seat: Seat, action: PlaceWall, _dice: Dice) -> Script[State]:
    yield WallsPlaced((action.door,))


def _offer_wall(state: State, _seat: Seat) -> Iterator[Choice]:
    if next(iterate_doors_free_for_walls(state), None):
        yield Choice(PlaceWall, door=lambda: OneOf(list_doors_free_for_walls(state)))


def _refuse_late_walls(state: State, seat: Seat, _action: Action) -> Iterator[Refusal]:
    yield from check_set_up_seat(state, seat) or (
        Refusal("INTRO.IV.A.2", "Walls are placed during the Human set-up only"),
        Refusal("IV.A.6", "Walls stay where they are"),
    )


VERBS = (
    Verb(
        PlaceWall,
        ("setup-human",),
        _offer_wall,
        _check_wall,
        _place_wall,
        read=make_reader(PlaceWall),
        carries=True,
        late=_refuse_late_walls,
    ),
)
