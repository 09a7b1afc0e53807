"""Setting up: who takes which side, then Walls and Human-side units, then Mutants (II.A, II.B)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.dice import Dice, Need
from referee.engine.game import Script
from referee.engine.legal import Choice, OneOf, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.games.mutants.actions import (
    ChooseSide,
    PlaceWall,
    Put,
    PutBoth,
    PutRandom,
    PutRest,
    Ready,
    RollSides,
)
from referee.games.mutants.board import SMASHERS, Board, Side, compact, grid, is_square
from referee.games.mutants.events import Placed, SideChosen, SidesRolled, Walled
from referee.games.mutants.naming import check_names, check_side
from referee.games.mutants.state import State

SIDES_PURPOSE = "sides: human chair, mutant chair"
MOST_ADJACENT = 2
"""Walls that may be adjacent to one another (II.B.1.a-f)."""

# Who takes which side


def choices_of_sides(state: State) -> Iterator[Choice]:
    """A roll for sides, or the choice that the higher roll gives (II.A-a, II.A-c)."""
    if state.phase == "sides":
        yield Choice(RollSides, Need(SIDES_PURPOSE, 2, 6))
    else:
        yield Choice(ChooseSide, side=OneOf(("human", "mutant")))


def chooser(state: State) -> Side:
    """The chair with the higher roll."""
    human, mutant = state.rolled or (0, 0)
    return "human" if human > mutant else "mutant"


def roll_sides(dice: Dice) -> Script:
    """One die each; a tie is rolled again (II.A-a, II.A-b)."""
    yield SidesRolled(*dice.roll(2, 6, SIDES_PURPOSE))


# Walls


def wall_doors(state: State) -> tuple[str, ...]:
    """Doors that can still take a Wall (II.B.1.a-e)."""
    if state.walls_in_hand < 1:
        return ()
    return tuple(door for door in state.board.wallable if door not in state.walls and not too_adjacent(state, door))


def too_adjacent(state: State, door: str) -> tuple[str, ...]:
    """Walls that would make a forbidden group with a Wall in this door; none if it may go there (M5)."""
    walls = state.walls | {door}
    match state.options.wall_adjacent:
        case "chain":
            group = _linked(state.board, door, walls)
        case "line":
            group = _in_line(state.board, door, walls)
        case _:
            group = _of_one_room(state.board, door, walls)
    return group if len(group) > MOST_ADJACENT else ()


def _linked(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """The Walls joined to this one through shared ends."""
    found, waiting = {door}, [door]
    while waiting:
        ends = board.corners[waiting.pop()]
        near = [wall for wall in walls if wall not in found and board.corners[wall] & ends]
        found.update(near)
        waiting += near
    return tuple(sorted(found))


def _in_line(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """The Walls that continue this one without a gap or bend."""
    (x1, y1), (x2, y2) = sorted(board.corners[door])
    dx, dy = x2 - x1, y2 - y1
    by_ends = {board.corners[wall]: wall for wall in walls}
    run = [door]
    for step in (1, -1):
        x, y = x1 + step * dx, y1 + step * dy
        while wall := by_ends.get(frozenset({(x, y), (x + dx, y + dy)})):
            run.append(wall)
            x, y = x + step * dx, y + step * dy
    return tuple(sorted(run))


def _of_one_room(board: Board, door: str, walls: frozenset[str]) -> tuple[str, ...]:
    """The Walls around one of the two rooms, whichever has more."""
    around = [tuple(sorted(wall for wall in walls if room in board.ends[wall])) for room in board.ends[door]]
    return max(around, key=len)


def check_wall(state: State, door: str) -> Iterator[Refusal]:
    """Every rule that a Wall in this door breaks (II.B.1.a)."""
    board = state.board
    if door not in board.ends:
        yield Refusal("II.B.1.a-b", f"there is no door {door}")
        return
    if any(map(is_square, board.ends[door])):
        yield Refusal("II.B.1.a-c", f"{door} leads to a Mutant Set Up square")
    if board.tech in board.ends[door]:
        yield Refusal("II.B.1.a-d", f"{door} is a door of the Tech Room")
    if door in state.walls:
        yield Refusal("M28", f"{door} has a Wall already")
    elif state.walls_in_hand < 1:
        rule = "OPT.II.A" if state.options.help_humans == "yes" else "II.B.1.a-a"
        yield Refusal(rule, f"all {len(state.walls)} Walls are placed")
    elif door in board.wallable and (group := too_adjacent(state, door)):
        yield Refusal("II.B.1.a-f", f"{listing(group)} would be adjacent, and at most two Walls may be")


# What may be set up


def choices(state: State) -> Iterator[Choice]:
    """Everything that the player who sets up may do now."""
    side: Side = "human" if state.phase == "setup-human" else "mutant"
    left = state.unplaced(side)
    if side == "human":
        yield from _human_choices(state, left)
    else:
        yield from _mutant_choices(state, left)
    if left:
        yield Choice(PutRest)
        yield Choice(PutRandom)
    elif next(check_ready(state, side), None) is None:
        yield Choice(Ready)


def _human_choices(state: State, left: tuple[str, ...]) -> Iterator[Choice]:
    doors = wall_doors(state)
    if doors:
        yield Choice(PlaceWall, door=OneOf(doors))
    techs, guards, janibots = (_of(state, left, kind) for kind in ("tech", "guard", "janibot"))
    if techs:
        yield Choice(Put, units=Subset(techs, 1, len(techs)), place=state.board.tech)
    if guards:
        yield Choice(Put, units=_one(guards), place=OneOf(_free(state, "guard")))
    if janibots:
        yield Choice(Put, units=_one(janibots), place=OneOf(_free(state, "janibot")))
    both = tuple(room for room in _free(state, "guard") if not state.count(room, "janibot"))
    if guards and janibots and both:
        yield Choice(PutBoth, chief=OneOf(guards), units=_one(janibots), place=OneOf(both))


def _mutant_choices(state: State, left: tuple[str, ...]) -> Iterator[Choice]:
    leaders, others = _of(state, left, "leader"), _of(state, left, *SMASHERS)
    led = _led_sides(state)
    leaderless = tuple(square for square in state.board.squares if square[1] not in led)
    if leaders:
        yield Choice(Put, units=_one(leaders), place=OneOf(leaderless))
    for squares, most in _room_for_others(state, len(others)):
        group = Subset(others, 1, most)
        yield Choice(Put, units=group, place=OneOf(squares))
        led_by = tuple(square for square in squares if square in leaderless)
        if leaders and led_by:
            yield Choice(PutBoth, chief=OneOf(leaders), units=group, place=OneOf(led_by))


def _room_for_others(state: State, left: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Squares with how many Mutants may go there, so that one is left for each square still empty (II.B.2.b-a).

    The others go wherever the player likes (II.B.2.c-a), any number to a square (II.B.2.c-b).
    """
    empty = _empty_squares(state)
    filled = tuple(square for square in state.board.squares if square not in empty)
    spare = left - len(empty)
    if empty and left:
        yield empty, spare + 1
    if filled and spare > 0:
        yield filled, spare


def _empty_squares(state: State) -> tuple[str, ...]:
    """Squares without a Radioactive or Normal Mutant; a Leader does not count (II.B.2.b-b)."""
    return tuple(square for square in state.board.squares if not state.count(square, *SMASHERS))


def _led_sides(state: State) -> dict[str, str]:
    """The Leader of each side of the building that has one, by the side's letter (II.B.2.a)."""
    return {place[1]: unit for unit, place in state.at.items() if state.board.units[unit].kind == "leader"}


def _of(state: State, units: Iterable[str], *kinds: str) -> tuple[str, ...]:
    return tuple(unit for unit in units if state.board.units[unit].kind in kinds)


def _one(units: tuple[str, ...]) -> OneOf:
    return OneOf(tuple((unit,) for unit in units))


def _free(state: State, kind: str) -> tuple[str, ...]:
    """Rooms other than the Tech Room that have none of this kind (II.B.1.c-a to II.B.1.d-b)."""
    return tuple(room for room in state.board.rooms if room != state.board.tech and not state.count(room, kind))


def check_put(state: State, side: Side, units: tuple[str, ...], place: str) -> Iterator[Refusal]:
    """Every rule that setting up these units in this place breaks."""
    unknown = list(check_names(state, units))
    if unknown or not units:
        yield from unknown or [Refusal("III-a", "say which units are set up there")]
        return
    foreign = list(check_side(state, side, units))
    if foreign:
        yield from foreign
        return
    for unit in units:
        if unit in state.at:
            yield Refusal("INTRO.IV.B-a", f"{unit} stands in {state.at[unit]} already")
        elif unit in state.gone:
            yield Refusal("IV.A.5-b", f"{unit} is out of this game")
        elif side == "human":
            yield from _check_human_place(state, unit, place)
        else:
            yield from _check_mutant_place(state, unit, place)
    if side == "human":
        yield from _check_human_group(state, units)
    else:
        yield from _check_mutant_group(state, units, place)


def _check_human_place(state: State, unit: str, place: str) -> Iterator[Refusal]:
    kind, tech = state.board.units[unit].kind, state.board.tech
    if kind == "tech":
        if place != tech:
            yield Refusal("II.B.1.b", f"{unit} starts in the Tech Room {tech}, not in {place}")
    elif place not in state.board.rooms:
        yield Refusal("IV.C.4", f"{place} is no room, and no Human-side unit stands outside")
    elif place == tech:
        yield Refusal("II.B.1.c-a" if kind == "guard" else "II.B.1.d-a", f"{place} is the Tech Room")
    elif state.count(place, kind):
        rule = "II.B.1.c-b" if kind == "guard" else "II.B.1.d-b"
        yield Refusal(rule, f"{place} has a {kind.capitalize()} already")


def _check_human_group(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    kinds = [state.board.units[unit].kind for unit in units]
    if len(set(kinds)) > 1:
        yield Refusal("II.B.1.d-c", "together with another unit only one Guard and one Janibot are set up")
    elif len(kinds) > 1 and kinds[0] != "tech":
        rule = "II.B.1.c-b" if kinds[0] == "guard" else "II.B.1.d-b"
        yield Refusal(rule, f"no room may hold more than one {kinds[0].capitalize()} at set-up")


def _check_mutant_place(state: State, unit: str, place: str) -> Iterator[Refusal]:
    if place not in state.board.squares:
        yield Refusal("II.B.2-b", f"{place} is no Mutant Set Up square")
    elif state.board.units[unit].kind == "leader":
        there = _led_sides(state).get(place[1])
        if there:
            yield Refusal("II.B.2.a", f"{there} stands on that side already: one Leader a side")


def _check_mutant_group(state: State, units: tuple[str, ...], place: str) -> Iterator[Refusal]:
    """One Leader at a time, named as such; and enough others must be left for the empty squares."""
    leaders = _of(state, units, "leader")
    if leaders and len(units) > 1:
        yield Refusal("II.B.2.a", "one Leader a side, with or without others")
    elif not leaders and place in state.board.squares:
        yield from check_spread(state, units, place)


def check_spread(state: State, units: tuple[str, ...], place: str) -> Iterator[Refusal]:
    """Every square still needs a Mutant that is no Leader (II.B.2.b-a)."""
    left = [unit for unit in _of(state, state.unplaced("mutant"), *SMASHERS) if unit not in units]
    empty = [square for square in _empty_squares(state) if square != place]
    if len(left) < len(empty):
        yield Refusal("II.B.2.b-a", f"only {len(left)} would be left for {count_of(len(empty), 'empty square')}")


def check_put_both(state: State, side: Side, action: PutBoth) -> Iterator[Refusal]:
    """A Guard with one Janibot (II.B.1.d-c), or a Leader with other Mutants."""
    yield from check_put(state, side, (action.chief,), action.place)
    yield from check_put(state, side, action.units, action.place)
    if any(unit not in state.board.units for unit in (action.chief, *action.units)):
        return
    chief, kinds = state.board.units[action.chief].kind, {state.board.units[unit].kind for unit in action.units}
    if side == "human" and (chief != "guard" or kinds != {"janibot"}):
        yield Refusal("II.B.1.d-c", "a Guard and a Janibot may share a room at set-up, nobody else")
    elif side == "mutant" and (chief != "leader" or not kinds <= set(SMASHERS)):
        yield Refusal("II.B.2.a", "a Leader comes first, and one a side")


def check_ready(state: State, side: Side) -> Iterator[Refusal]:
    """What is missing before a set-up is complete: everything must be on the board (M27)."""
    left = state.unplaced(side)
    if left:
        yield Refusal("III-a", f"{count_of(len(left), 'unit')} not set up yet: {compact(left)}")
    if side == "mutant":
        empty = _empty_squares(state)
        led = tuple(square for square in empty if state.count(square, "leader"))
        nobody = tuple(square for square in empty if square not in led)
        for rule, squares, who in (("II.B.2.b-b", led, "only a Leader"), ("II.B.2.b-a", nobody, "nobody")):
            if squares:
                need = "it needs" if len(squares) == 1 else "each needs"
                yield Refusal(rule, f"{who} in {compact(squares)}: {need} a Radioactive or Normal Mutant")
    elif state.options.wall_count == "exactly" and wall_doors(state):
        yield Refusal("M6", f"{count_of(state.walls_in_hand, 'Wall')} must still be placed")


# What follows


def put_rest(state: State, side: Side) -> Script:
    """Set up what is left by a fixed policy.

    Techs in the Tech Room; Guards, then Janibots, in the free rooms nearest to it. A Leader in the middle of each
    side; one Mutant in each empty square, and the rest one by one around the building.
    """
    plan = _human_plan(state) if side == "human" else _mutant_plan(state)
    places: dict[str, list[str]] = {}
    for unit, place in plan:
        places.setdefault(place, []).append(unit)
    for place, units in places.items():
        yield Placed(state.board.sorted(units), place)


def _human_plan(state: State) -> Iterator[tuple[str, str]]:
    left, tech = state.unplaced("human"), state.board.tech
    yield from ((unit, tech) for unit in _of(state, left, "tech"))
    for kind in ("guard", "janibot"):
        rooms = sorted(_free(state, kind), key=lambda room: _distance(room, tech))
        yield from zip(_of(state, left, kind), rooms, strict=False)


def _distance(room: str, other: str) -> int:
    (x1, y1), (x2, y2) = grid(room), grid(other)
    return abs(x1 - x2) + abs(y1 - y2)


def _mutant_plan(state: State) -> Iterator[tuple[str, str]]:
    left, squares = state.unplaced("mutant"), state.board.squares
    led = _led_sides(state)
    sides = [side for side in dict.fromkeys(square[1] for square in squares) if side not in led]
    for leader, side in zip(_of(state, left, "leader"), sides, strict=False):
        row = [square for square in squares if square[1] == side]
        yield leader, row[len(row) // 2]
    others = _of(state, left, *SMASHERS)
    empty = _empty_squares(state)
    yield from zip(others, empty, strict=False)
    for number, unit in enumerate(others[len(empty) :]):
        yield unit, squares[number % len(squares)]


def put_random(state: State, side: Side, dice: Dice) -> Script:
    """Set up what is left at random: every Wall, unit and place by a die with as many faces as there are cases."""
    if side == "human":
        while doors := wall_doors(state):
            state = yield Walled((_drawn(dice, doors, "a door for a Wall"),))
        state = yield from _put_techs(state)
        for kind in ("guard", "janibot"):
            for unit in _of(state, state.unplaced("human"), kind):
                state = yield Placed((unit,), _drawn(dice, _free(state, kind), f"a room for {unit}"))
    else:
        yield from _random_mutants(state, dice)


def _put_techs(state: State) -> Script:
    techs = _of(state, state.unplaced("human"), "tech")
    if techs:
        state = yield Placed(techs, state.board.tech)
    return state


def _random_mutants(state: State, dice: Dice) -> Script:
    squares = state.board.squares
    led = _led_sides(state)
    sides = [side for side in dict.fromkeys(square[1] for square in squares) if side not in led]
    for side in sides:
        row = tuple(square for square in squares if square[1] == side)
        leader = _drawn(dice, _of(state, state.unplaced("mutant"), "leader"), f"a Leader for side {side}")
        state = yield Placed((leader,), _drawn(dice, row, f"a square for {leader}"))
    for square in _empty_squares(state):
        others = _of(state, state.unplaced("mutant"), *SMASHERS)
        state = yield Placed((_drawn(dice, others, f"a Mutant for {square}"),), square)
    others = _of(state, state.unplaced("mutant"), *SMASHERS)
    if others:
        faces = dice.roll(len(others), len(squares), "squares for the other Mutants")
        for square in squares:
            units = tuple(unit for unit, face in zip(others, faces, strict=True) if squares[face - 1] == square)
            if units:
                yield Placed(units, square)


def _drawn(dice: Dice, values: tuple[str, ...], purpose: str) -> str:
    """One of these, by a die; where there is only one, without."""
    return values[dice.roll(1, len(values), purpose)[0] - 1] if len(values) > 1 else values[0]


def choose_side(state: State, side: Side) -> Script:
    """The higher roll chooses; who wants the other side changes chairs (II.A-c, II.A-e)."""
    yield SideChosen(chooser(state), side)
