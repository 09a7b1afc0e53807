"""Whether units may be named in an action at all: that they exist, stand on the board, and obey the player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.mutants.state import State

PlaceSaid = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9]|off)$")]
"""A room or square as said. Beyond the board is `off`: going there is refused, not misread."""


def check_names(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Every counter exists once, and a group is written in the order of the counters (INTRO.IV.A)."""
    unknown = [unit for unit in units if unit not in state.board.units]
    for unit in unknown:
        wall = unit[0] == "w" and unit[1:].isdigit()
        what = f"{unit} is a Wall and never moves" if wall else f"there is no unit {unit}"
        yield Refusal("INTRO.IV.A.1-a", what)
    if not unknown and units != state.board.sorted(set(units)):
        yield Refusal("INTRO.IV.A", f"write each unit once: {' '.join(state.board.sorted(set(units)))}")


def check_owned(state: State, seat: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """A player gives orders to his own units only (INTRO.III-a), and only to such as are on the board."""
    yield from check_side(state, seat, units)
    for unit in units:
        if state.is_captive(unit):
            if seat == "human":
                yield Refusal("OPT.VI.C-c", "penny is a captive, and the Mutant player moves her")
        elif state.board.side_of(unit) != seat:
            continue
        if unit in state.pool:
            yield Refusal("OPT.VI.B-a", f"{unit} has not arrived")
        elif unit not in state.at:
            yield Refusal("IV.A.5-b", f"{unit} is not on the board")


def check_side(state: State, side: Seat, units: Iterable[str]) -> Iterator[Refusal]:
    """Units of the other player, all in one sentence; a captive is judged elsewhere."""
    wrong = [unit for unit in units if state.board.side_of(unit) != side and not state.is_captive(unit)]
    if wrong:
        belong = "belongs" if len(wrong) == 1 else "belong"
        owner = state.board.side_of(wrong[0])
        yield Refusal("INTRO.III-a", f"{listing(wrong)} {belong} to the {owner} player")


def stands_for(view: State, word: str) -> tuple[str, ...]:
    """Who stands in the place that a word names, and its doors, so that `legal D2` lists what can be done there."""
    units = next((units for place, units in view.standing.items() if place.lower() == word), ())
    doors = (door.lower() for door in view.board.ends)
    return (*units, *(door for door in doors if word in door.split("-")))
