"""Lines beside a picture of the game: the Combat Display in words, everybody by name, and what counters do not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap as wrap_text

from referee.games.mutants.board import Side, compact
from referee.games.mutants.state import ENGAGED, Combat, State

SIDES: tuple[Side, ...] = ("human", "mutant")
OUT = "hit"
"""In place of a unit that was eliminated or taken captive."""


def combat_lines(state: State) -> Iterator[str]:
    """The Combat Display in words: the Engaged boxes and the Reserves of both sides (INTRO.IV.B-c)."""
    combat = state.combat
    if combat is None:
        return
    yield f"Combat in {combat.room}, Round {combat.round}"
    if combat.paired:
        engaged = zip(*boxes(state, combat), combat.paired, strict=False)
        pairs = [(one or OUT, other or OUT) for one, other, _ in engaged]
    else:
        pairs = [(unit, "nobody yet") for unit in combat.laid]
    yield from (f"box {number}: {one} - {other}" for number, (one, other) in enumerate(pairs, 1))
    yield from reserves(state, combat)


def boxes(state: State, combat: Combat) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who lies in the five Engaged boxes, of the Human side and of the Mutants; "" for nobody, and for who was hit in a
    pair before the one that is due (V.C-b).
    """
    human, mutant = (_boxes(state, combat.due, units) for units in combat.boxes())
    return human, mutant


def _boxes(state: State, due: int, units: tuple[str, ...]) -> tuple[str, ...]:
    through = [unit if unit in state.at and not state.is_captive(unit) else "" for unit in units[:due]]
    return (*through, *units[due:], *[""] * (ENGAGED - len(units)))


def reserves(state: State, combat: Combat) -> Iterator[str]:
    """Who is not in a box: by name, a line for each side."""
    engaged = (*combat.laid, *combat.paired)
    for side in SIDES:
        reserve = tuple(unit for unit in state.fighters(side, combat.room) if unit not in engaged)
        if reserve:
            yield f"{side.capitalize()} {'Reserve' if combat.laid else 'side'}: {compact(reserve)}"


def conditions(state: State) -> Iterator[str]:
    """What the counters alone do not show."""
    if state.failed:
        yield f"Upside down: {compact(state.board.sorted(state.failed & state.at.keys()))}"
    if state.captive and "penny" in state.at:
        yield f"Penny is a captive in {state.at['penny']}"
    if state.pool:
        yield f"Not arrived: {len(state.pool)} Mutants"


def everybody(state: State, width: int) -> Iterator[str]:
    """Everybody by name, place by place."""
    places = [place for place in state.board.places if place in state.standing]
    yield from wrap([f"{place} {compact(state.standing[place])}" for place in places], width)


def wrap(items: Iterable[str], width: int) -> Iterator[str]:
    """Items in lines of at most so many characters; one that is longer itself goes on in further lines."""
    line = ""
    for item in items:
        if line and len(line) + len(" / ") + len(item) <= width:
            line += f" / {item}"
            continue
        if line:
            yield line
        *full, line = wrap_text(item, width, subsequent_indent="  ", break_on_hyphens=False)
        yield from full
    if line:
        yield line
