"""The game in one line, and the names of its Phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.text import count_of, listing
from referee.games.mutants.board import Side
from referee.games.mutants.state import COMBATS, SETTING_UP, State
from referee.games.mutants.victory import level_of

PHASES: Mapping[str, str] = {
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
"""The Phases and Steps as the rulebook calls them."""

SIDE_NAMES: Mapping[Side, str] = {"human": "Human-side unit", "mutant": "Mutant"}


def now(state: State) -> str:
    """The Phase, as a clause."""
    return f"this is {PHASES[state.phase]}"


def passing(ways: tuple[tuple[str, str], ...]) -> str:
    """From where to where a door that is held open can be passed."""
    return listing([f"from {origin} to {to}" for origin, to in ways])


def status(view: State) -> str:
    """The state in one line: what is waited for, who is left, and what the victory check would say now."""
    if view.outcome:
        return view.outcome.because
    if view.is_partial:
        return "; ".join([_waiting(view), *_known(view)])
    human, mutants = view.strength("human"), view.strength("mutant")
    left = f"{count_of(human, 'Human-side unit')} and {count_of(mutants, 'Mutant')} on the board"
    if view.phase in SETTING_UP:
        return f"{_waiting(view)}; {_walls(view)}{left}"
    return f"{_waiting(view)}; {left}; as things stand: {level_of(view)}"


def _walls(state: State) -> str:
    """While the Human player sets up: the Walls placed, and how many there are."""
    placed = len(state.walls)
    return f"{placed} of {count_of(placed + state.walls_in_hand, 'Wall')}, " if state.phase == "setup-human" else ""


def _known(state: State) -> Iterator[str]:
    """Of a view: how many units are left of a side that it knows all about, and what is told of the others."""
    for side, name in SIDE_NAMES.items():
        units = state.board.units
        if not any(units[unit].side == side for unit in state.unknown or ()):
            walls = _walls(state) if side == "human" else ""
            yield f"{walls}{count_of(state.strength(side), name)} on the board"
    if state.told.sighted:
        yield f"somebody of the Human side in {', '.join(state.told.sighted)}"
    if state.phase not in SETTING_UP:
        yield f"Mutants in {', '.join(state.told.rooms)}" if state.told.rooms else "no Mutants in the building"


def _waiting(state: State) -> str:
    if state.asked:
        return f"the {state.asked.of} player tells {state.asked.about}"
    if state.phase in COMBATS:
        return _waiting_in_combat(state)
    held = {door: state.ways_held_open(door) for door, _ in sorted(state.opened)}
    opened = [f"{door} {passing(ways)}" for door, ways in held.items() if ways]
    return f"{PHASES[state.phase][4:]}{', open: ' if opened else ''}{listing(opened)}"


def _waiting_in_combat(state: State) -> str:
    combat = state.combat
    if combat is None:
        return f"Combat to come in {listing(state.contested())}"
    pair = " against ".join(combat.pair_due or ())
    what = {"lay": "laying out", "pair": "pairing off", "resolve": f"dice for {pair}", "pursue": "pursuit"}
    return f"Combat in {combat.room}, Round {combat.round}: {what[combat.stage]} by the {state.next_in_combat} player"
