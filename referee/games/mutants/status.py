"""The state of the game in one line, and the names of its Phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.text import count_of, listing
from referee.games.mutants.board import Side
from referee.games.mutants.phases import COMBAT_PHASES, PHASES_BEFORE_PLAY
from referee.games.mutants.state import State
from referee.games.mutants.victory import find_victory_level

PHASE_NAMES: Mapping[str, str] = {
    "sides": "the roll for sides",
    "choose": "the choice of sides",
    "setup-human": "the Human set-up",
    "setup-mutant": "the Mutant set-up",
    "arrival": "the arrival of Mutants",
    "smash": "the Door-Smashing Step",
    "open": "the Door-Opening Step",
    "move": "the Mutants' Movement Step",
    "mutant-combat": "the Mutant Combat Phase",
    "human-move": "the Human Movement Phase",
    "human-combat": "the Human Combat Phase",
    "glow": "the Glow and Go Phase",
    "record": "the Turn Record Phase",
    "over": "the end of the game",
}
"""The names of the Phases and Steps, as the rulebook has them."""

UNIT_WORD_BY_SIDE: Mapping[Side, str] = {"human": "Human-side unit", "mutant": "Mutant"}


def describe_phase(state: State) -> str:
    """Returns the current Phase as a clause: "this is the Door-Smashing Step"."""
    return f"this is {PHASE_NAMES[state.phase]}"


def describe_ways_through_door(ways: tuple[tuple[str, str], ...]) -> str:
    """Returns the ways through a held-open door in words: "from C2 to C3"."""
    return listing([f"from {origin} to {to}" for origin, to in ways])


def describe_status(view: State) -> str:
    """Returns one line: what the game waits for, the units left, and the level of victory if the game ended now.

    The level is left out during the set-up and in a view that hides something. After the end, the line only says why
    the game ended.
    """
    if view.outcome:
        return view.outcome.because
    if view.is_partial_view:
        return "; ".join([_describe_waiting(view), *_describe_known(view)])
    human, mutants = view.count_fighters("human"), view.count_fighters("mutant")
    left = f"{count_of(human, 'Human-side unit')} and {count_of(mutants, 'Mutant')} on the board"
    if view.phase in PHASES_BEFORE_PLAY:
        return f"{_describe_waiting(view)}; {_describe_walls(view)}{left}"
    return f"{_describe_waiting(view)}; {left}; as things stand: {find_victory_level(view)}"


def _describe_walls(state: State) -> str:
    """Returns the number of Walls placed, and of all Walls, during the Human set-up; "" later."""
    placed = len(state.walls)
    return (
        f"{placed} of {count_of(placed + state.wall_count_in_hand, 'Wall')}, " if state.phase == "setup-human" else ""
    )


def _describe_known(state: State) -> Iterator[str]:
    """Yields clauses for a view that hides something.

    They give the number of units of each side about which the view knows everything, and the facts told to both.
    """
    for side, name in UNIT_WORD_BY_SIDE.items():
        units = state.board.units
        if not any(units[unit].side == side for unit in state.unknown or ()):
            walls = _describe_walls(state) if side == "human" else ""
            yield f"{walls}{count_of(state.count_fighters(side), name)} on the board"
    if state.told.sighted:
        yield f"somebody of the Human side in {', '.join(state.told.sighted)}"
    if state.phase not in PHASES_BEFORE_PLAY:
        yield f"Mutants in {', '.join(state.told.rooms)}" if state.told.rooms else "no Mutants in the building"


def _describe_waiting(state: State) -> str:
    if state.asked:
        return f"the {state.asked.of} player tells {state.asked.about}"
    if state.phase in COMBAT_PHASES:
        return _describe_combat(state)
    held = {door: state.list_ways_held_open(door) for door, _ in sorted(state.opened)}
    opened = [f"{door} {describe_ways_through_door(ways)}" for door, ways in held.items() if ways]
    return f"{PHASE_NAMES[state.phase][4:]}{', open: ' if opened else ''}{listing(opened)}"


def _describe_combat(state: State) -> str:
    combat = state.combat
    if combat is None:
        return f"Combat to come in {listing(state.list_contested_rooms())}"
    pair = " against ".join(combat.pair_due or ())
    what = {"lay": "laying out", "pair": "pairing off", "resolve": f"dice for {pair}", "pursue": "pursuit"}
    return (
        f"Combat in {combat.room}, Round {combat.round}: {what[combat.stage]} by the {state.next_side_in_combat} player"
    )
