"""Results of combat: what a die on the Combat Results Table comes to for both sides (6.3)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from referee.engine.dice import Aim, Need
from referee.games.sheboygan.state import (
    AnyDue,
    Cause,
    Damage,
    Losses,
    Retreats,
    State,
    Suicides,
    Withdrawal,
)
from referee.games.sheboygan.tables import Side


class Result(Struct, frozen=True):
    """A cell of the table, as it is read in this game."""

    column: str
    cell: str
    """As it is printed: left of the slash the attacker's part, right of it the defender's (6.31b)."""
    attacker: Side
    defender: Side


def column_of(state: State, attack: int, defense: int) -> str:
    """The column of the table for so many points against so many (6.0b, 6.4a, 6.4b)."""
    table = state.board.tables.combat
    return table.column(attack, defense) or table.columns[0]


def named(units: tuple[str, ...]) -> str:
    """Units in the name of a throw, which is short."""
    return " ".join(units) if len(units) <= MANY else f"{' '.join(units[:MANY])} and others"


MANY = 8
"""Units that are named in full."""


def need_of(state: State, attack: str, column: str) -> Need:
    """The die of an attack, with the odds and what each side has to fear (6.0c)."""
    table = state.board.tables.combat
    results = {die: table.result(column, die) for die in range(1, 7)}
    hits = [die for die, result in results.items() if result.defender.loss or result.defender.retreats]
    costs = [die for die, result in results.items() if result.attacker.loss or result.attacker.retreats]
    aims = [Aim(min(hits), max(hits), "tells on the defender")] if hits else []
    aims += [Aim(min(costs), max(costs), "tells on the attacker")] if costs else []
    return Need(f"{attack} at {column}", 1, 6, aims=tuple(aims), rule="6.0c")


def result_of(state: State, column: str, die: int) -> Result:
    """The result of an attack at these odds (6.0c, 6.0d)."""
    option = state.options["retreat-result"]
    found = state.board.tables.combat.result(column, die)
    attacker = _read(found.attacker, option == "retreat-only")
    return Result(column, found.text, attacker, _read(found.defender, option != "loss-and-retreat"))


def _read(side: Side, no_loss: bool) -> Side:
    """A retreat with or without a loss, as the group has it (C2)."""
    return Side(0, True) if side.retreats and no_loss else side


def dues_of_strike(state: State, units: tuple[str, ...], result: Result, box: str) -> Iterator[AnyDue]:
    """What follows when the monster has attacked units: first the defender's part (6.31c).

    Only who was attacked suffers (6.23d). Beyond the adjacent boxes nothing befalls the monster (6.32e, 13.13b, C13).
    """
    monster = state.monster or ""
    yield from _of_units(units, result.defender, "attack", monster)
    if box == monster or box in state.board.beside[monster]:
        yield from _of_monster(result.attacker)


def dues_of_assault(state: State, units: tuple[str, ...], result: Result) -> Iterator[AnyDue]:
    """What follows when units have attacked the monster; who was not adjacent is spared (6.32b, 6.33b, C14)."""
    yield from _of_monster(result.defender)
    spared = state.options["mixed-attack"] == "adjacent-suffer" or not _near(state, units)
    yield from _of_units(_near(state, units) if spared else units, result.attacker, "repulse", state.monster or "")
    yield from _suicides(state, units)


def _suicides(state: State, units: tuple[str, ...]) -> Iterator[AnyDue]:
    """Who made a suicide assault dies when all else is done (9.0c, C63)."""
    found = tuple(unit for unit in units if unit in state.assaulting)
    if found:
        yield Suicides(found)


def dues_of_treason(state: State, units: tuple[str, ...], targets: tuple[str, ...], result: Result) -> Iterator[AnyDue]:
    """What follows when a unit under control attacks others, or they attack it (13.27c, C60)."""
    control = state.control or ""
    here = state.at[control]
    if control in units:
        yield from _of_units(targets, result.defender, "treason", here)
        if _near(state, targets, here):
            yield from _of_units(units, result.attacker, "repulse", state.at[targets[0]])
    else:
        yield from _of_units(targets, result.defender, "treason", state.at[units[0]])
        yield from _of_units(_near(state, units, here), result.attacker, "repulse", here)
        yield from _suicides(state, units)


def _near(state: State, units: tuple[str, ...], box: str | None = None) -> tuple[str, ...]:
    """Those of them in this box or beside it; the monster's, if none is named."""
    centre = box or state.monster or ""
    return tuple(unit for unit in units if state.at[unit] == centre or state.at[unit] in state.board.beside[centre])


def _of_monster(side: Side) -> Iterator[AnyDue]:
    if side.loss:
        yield Damage(side.loss)
    if side.retreats:
        yield Withdrawal()


def _of_units(units: tuple[str, ...], side: Side, cause: Cause, away: str) -> Iterator[AnyDue]:
    if units and side.loss:
        yield Losses(units, side.loss, cause)
    if units and side.retreats:
        yield Retreats(units, away)
