"""Where those can go who bug out of a Combat (OPT.IV.A)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.engine.ruling import Refusal
from referee.games.mutants.board import OFF, Side, is_square
from referee.games.mutants.moving import is_confined
from referee.games.mutants.state import Combat, State, other_side


class Refuge(NamedTuple):
    """A place to flee to, and who can."""

    to: str
    able: tuple[str, ...]
    """Units that can go by themselves, one at the least."""
    along: tuple[str, ...]
    """Units that can go along with them."""


def refuges(state: State, combat: Combat) -> Iterator[Refuge]:
    """Every place that the outnumbered side can flee to: only the odds count, not their modifier (OPT.IV.A-a, M21)."""
    if combat.odds is None:
        return
    side = other_side(combat.odds)
    able = walkers(state, side, combat.room)
    for to in state.beside(combat.room) if able else ():
        if next(check_refuge(state, side, combat.room, to), None) is None:
            yield Refuge(to, able, companions(state, side, combat.room, to))


def walkers(state: State, side: Side, room: str) -> tuple[str, ...]:
    """Who of a side can leave a room by himself."""
    here = state.fighters(side, room)
    return tuple(unit for unit in here if not state.needs_company(unit) and not is_confined(state, unit))


def companions(state: State, side: Side, room: str, to: str) -> tuple[str, ...]:
    """Who may come along: Janibots, but not into the Tech Room (OPT.IV.A.7-a); captive Penny with Mutants (M51)."""
    if side == "mutant":
        return ("penny",) if state.captive and state.at["penny"] == room else ()
    if to == state.board.tech:
        return ()
    return tuple(unit for unit in state.fighters("human", room) if state.is_janibot(unit))


def check_refuge(state: State, side: Side, room: str, to: str) -> Iterator[Refusal]:
    """Each side flees through its own doors (M22); those who failed at a door this Turn may too (M46)."""
    if to == OFF or not state.are_beside(room, to):
        yield Refusal("OPT.IV.A-a", f"{to} is not next to {room}")
        return
    door = state.door(room, to)
    if door in state.walls:
        yield Refusal("OPT.I-b", f"a Wall blocks {door} for those who flee too (IV.A.3)")
    elif side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif side == "mutant" and door not in state.smashed:
        yield Refusal("OPT.IV.A.4", f"{door} is not smashed")
    if state.knows_enemies(side, to):
        yield Refusal("OPT.IV.A.6", f"{to} holds enemies")
