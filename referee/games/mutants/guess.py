"""Draws at random a state that fits all that a seat knows of a game with Hidden Movement (OPT.V).

Unknown facts may be anything that the rules allow: places of unseen enemies, hidden Walls, and the marks that this Turn
has left on units. Facts that the seat would have been told, if they were true, are never assumed.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from random import Random

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.games.mutants.announcements import list_rooms_asked_about
from referee.games.mutants.board import SMASHER_KINDS, is_square
from referee.games.mutants.phases import MUTANT_MOVEMENT_STEPS, PHASES_BEFORE_PLAY, TURN_PHASES
from referee.games.mutants.state import LAST_CONFINED_TURN, Attempt, State
from referee.games.mutants.view import list_disclosed_sides
from referee.games.mutants.walls import iterate_doors_free_for_walls

POOL, DEAD = "pool", "dead"
"""Words in place of a room or square, for Mutants that are not on the board."""
SURVIVAL_CHANCE = 5 / 6
"""The chance that a Radioactive Mutant survives one Glow and Go Phase (VI-b)."""
PHASES_BEFORE_HUMANS_MOVE = TURN_PHASES[: TURN_PHASES.index("human-move")]


def guess_state(view: State, seat: Seat | None, random: Random) -> State:
    """Returns a random complete state that fits this view of a seat. `seat` is None for a spectator."""
    if view.unknown is None:
        return view
    units = random.sample(view.board.sort_units(view.unknown), len(view.unknown))
    known = (seat, *list_disclosed_sides(view))
    state = replace(view, unknown=None)
    if "mutant" not in known:
        mutants = [unit for unit in units if state.board.find_side(unit) == "mutant"]
        state = _guess_attempt(_place_mutants(state, mutants, random), random)
    if "human" not in known:
        humans = [unit for unit in units if state.board.find_side(unit) == "human"]
        state = _guess_walls(_place_humans(state, humans, random), random)
    return _guess_marks(state, known, random)


# Mutants


def _place_mutants(state: State, units: list[str], random: Random) -> State:
    """Returns the state with unseen Mutants placed: in rooms known to hold some, in squares, in the pool, or dead."""
    if state.phase in PHASES_BEFORE_PLAY:
        at = dict(_guess_set_up(state, units, random)) if state.phase == "setup-mutant" else {}
        return replace(state, at=state.board.find_places_after_move(state.at, at))
    held = [room for room in state.told.rooms if not state.list_fighters("mutant", room)]
    guards = dict(_place_guards(state, held, units))
    others = {unit: _pick_place(state, unit, held, random) for unit in units if unit not in guards}
    placed = {unit: place for unit, place in others.items() if place not in (POOL, DEAD)}
    dead = frozenset(unit for unit in others if others[unit] == DEAD)
    exited = frozenset(unit for unit in placed if state.is_alternate_scenario and is_square(placed[unit]))
    return replace(
        state,
        at=state.board.find_places_after_move(state.at, {**guards, **placed}),
        pool=state.board.sort_units(unit for unit in others if others[unit] == POOL),
        gone=state.gone | dead,
        faded=dead,
        exited=exited,
        escape="mutant" if exited else "none",
    )


def _guess_set_up(state: State, units: list[str], random: Random) -> Iterator[tuple[str, str]]:
    """Yields places for a random part of the Mutant set-up: one Leader a side (II.B.2.a), others in any square."""
    squares = state.board.squares
    sides = sorted({square[1] for square in squares})
    for unit in (unit for unit in units if random.random() < 0.5):
        if state.board.units[unit].kind == "leader":
            side = sides.pop(random.randrange(len(sides)))
            yield unit, random.choice([square for square in squares if square[1] == side])
        else:
            yield unit, random.choice(squares)


def _place_guards(state: State, held: list[str], units: list[str]) -> Iterator[tuple[str, str]]:
    """Yields a Mutant for each place that must hold one, with that place.

    Such a place is a room in which Mutants were announced, or the square of the captive Penny. If a door of the place
    is under attack, the Mutant is of a kind that smashes doors (IV.B.2.a-b).
    """
    free = list(units)
    attacked = _find_rooms_of_attempt(state) if state.phase == "smash" else ()
    outside = [state.at["penny"]] if state.captive and is_square(state.at["penny"]) else []
    for place in sorted((*held, *outside), key=lambda place: place not in attacked):
        guard = next((unit for unit in free if place not in attacked or unit in state.board.smasher_set), None)
        if guard:
            free.remove(guard)
            yield guard, place


def _pick_place(state: State, unit: str, held: list[str], random: Random) -> str:
    """Returns a random place for a Mutant of which nothing is known: a room, a square, the pool, or among the dead."""
    glows = state.turn - 1 + (state.phase == "record")
    if state.board.units[unit].kind == "radioactive" and random.random() > SURVIVAL_CHANCE**glows:
        return DEAD
    squares = state.board.squares
    if not state.is_alternate_scenario:
        return random.choice([*held, *squares])
    outside = [random.choice(squares)] if state.turn > 1 else []
    return random.choice([POOL, *held, *outside])


def _find_rooms_of_attempt(state: State) -> tuple[str, ...]:
    """Returns the rooms beside the tried door from which Mutants can have tried it."""
    doors = state.asked.doors if state.asked else ()
    return tuple(end for door in doors for end in state.board.door_ends[door] if end in state.told.rooms)


def _guess_attempt(state: State, random: Random) -> State:
    """Returns the state with an attempt that waits for an answer, if only the Mutant player knows it (M23)."""
    if state.asked is None or not state.asked.doors:
        return state
    here = state.list_fighters_in_places("mutant", _find_rooms_of_attempt(state)[:1])
    if state.phase == "open":
        return replace(state, pending=Attempt(state.asked.doors[0], here))
    smashers = tuple(unit for unit in here if state.board.units[unit].kind in SMASHER_KINDS)
    return replace(state, pending=Attempt(state.asked.doors[0], smashers, random.randint(1, 6)))


# The Human side


def _place_humans(state: State, units: list[str], random: Random) -> State:
    """Returns the state with unseen Human-side units placed: in unseen rooms, or where somebody was reported."""
    if state.phase in ("sides", "choose"):
        return state
    sighted = [room for room in state.told.sighted if not state.list_fighters("human", room)]
    for room in sighted:
        unit = next(unit for unit in units if unit not in state.at and room in _list_possible_rooms(state, unit))
        state = replace(state, at=state.find_places_after_putting((unit,), room))
    for unit in units[: random.randint(0, len(units))] if state.phase == "setup-human" else units:
        if unit not in state.at:
            state = replace(
                state, at=state.find_places_after_putting((unit,), random.choice(_list_possible_rooms(state, unit)))
            )
    return state


def _list_possible_rooms(state: State, unit: str) -> list[str]:
    """Returns the rooms where an unseen unit may be.

    These are rooms without Mutants, and rooms about which a question is open.
    """
    tech, kind = state.board.tech_room, state.board.units[unit].kind
    asked = list_rooms_asked_about(state) if state.asked is None or state.asked.of == "human" else ()
    watched = {*state.told.rooms, *([state.combat.room] if state.combat else [])}.difference(asked)
    rooms = [room for room in state.board.rooms if room not in watched]
    if kind == "janibot":
        rooms = [room for room in rooms if room != tech]
    return _list_set_up_rooms(state, kind, rooms) or rooms


def _list_set_up_rooms(state: State, kind: str, rooms: list[str]) -> list[str]:
    """Returns the rooms among `rooms` where a unit of this kind may have been set up (II.B.1).

    Empty if units of this kind may have moved since.
    """
    early = state.phase in PHASES_BEFORE_PLAY or (state.turn == 1 and state.phase in PHASES_BEFORE_HUMANS_MOVE)
    if kind == "tech" and (early or (state.turn <= LAST_CONFINED_TURN and not state.is_alternate_scenario)):
        return [room for room in rooms if room == state.board.tech_room]
    return [room for room in rooms if early and room != state.board.tech_room and not state.count_units(room, kind)]


def _guess_walls(state: State, random: Random) -> State:
    """Returns the state with random hidden Walls, in doors where nobody would have seen them."""
    if state.phase in ("sides", "choose"):
        return state
    all_used = state.options["wall-count"] == "exactly" and state.phase != "setup-human"  # M6
    unseen = _list_unseen_doors(state)
    for _ in range(state.wall_count_in_hand if all_used else random.randint(0, state.wall_count_in_hand)):
        doors = list(iterate_doors_free_for_walls(state, unseen))
        if doors:
            state = replace(state, walls=state.walls | {random.choice(doors)})
    return state


def _list_unseen_doors(state: State) -> list[str]:
    """Returns doors that may have a Wall that Mutants have not found (OPT.V.C-a, M23)."""
    found = state.smashed | state.attempted | {*state.told.clear, *(opened for opened, _ in state.opened)}
    asked = list_rooms_asked_about(state)
    seen = {*state.told.rooms}.difference(asked) if state.options["wall-reveal"] == "either-room" else ()
    board = state.board
    return [
        door
        for door in board.doors_for_walls
        if door not in found and not any(end in seen for end in board.door_ends[door])
    ]


# The marks that this Turn has left on units


def _guess_marks(state: State, known: Container[Seat | None], random: Random) -> State:
    """Returns the state with arrival and move marks for unseen units that stand with enemies before a Combat."""
    side = "human" if state.phase == "human-move" else "mutant"
    if side in known or state.phase not in ("arrival", *MUTANT_MOVEMENT_STEPS, "human-move"):
        return state
    came = state.list_fighters_in_places(side, state.list_contested_rooms())
    arrivals = (
        state.list_fighters("mutant", state.board.tech_room) if state.is_alternate_scenario and side == "mutant" else ()
    )
    arrived = state.arrived.union(unit for unit in came if unit in arrivals)
    moved = {unit: random.choice(list(state.find_neighbours(state.at[unit]))) for unit in came if unit not in arrived}
    return replace(state, arrived=arrived, moved={**state.moved, **moved})
