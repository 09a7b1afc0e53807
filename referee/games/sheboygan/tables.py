"""The printed tables: combat results (6.4), destruction (7.2), terrain (5.4), wind (11.21) and counters (2.0a).

The sheet numbers the terrain chart 5.3 and the destruction table 7.4; they are the same (C1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.engine.component import BoardError
from referee.games.sheboygan.counters import KIND_NAMES

Direction = Literal["north", "east", "south", "west"]
DIRECTIONS: tuple[Direction, ...] = ("north", "east", "south", "west")
WindDirection = Literal["north", "east", "south", "west", "calm"]
"""The direction to which the wind blows."""
SmallNumber = Annotated[int, Meta(ge=0, le=99)]
OddsColumn = Annotated[str, Meta(pattern="^[1-9]-[1-9]$")]
"""Odds as a heading has them: "1-2", "3-1"."""
DIE_SIDES = 6
"""The number of sides of a die (2.0c)."""


class EffectOnSide(Struct, frozen=True):
    """The effect of a combat result on one side (6.31a)."""

    loss: int
    """The number of units that are lost, or of points of damage to the monster (6.32a)."""
    retreats: bool
    """True if the rest of the side retreats one box (6.33a, C2)."""


class CombatCell(Struct, frozen=True):
    """A cell of the Combat Results Table (6.31b)."""

    text: str
    """The cell as printed: "1r/-"."""
    attacker: EffectOnSide
    defender: EffectOnSide


class CombatTable(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The Combat Results Table (6.4a): a row for each face of the die."""

    columns: Annotated[tuple[OddsColumn, ...], Meta(min_length=1, max_length=20)]
    rows: Annotated[
        tuple[tuple[Annotated[str, Meta(pattern=r"^(-|[1-3]r?|r)/(-|[1-3]r?|r)$")], ...], ...],
        Meta(min_length=DIE_SIDES, max_length=DIE_SIDES),
    ]

    def find_column(self, attack: int, defense: int) -> str | None:
        """Returns the column for these odds, rounded down for the defender (6.0b); None if they are too low (6.4c).

        The last column stands for higher odds too (6.4b).
        """
        return find_odds_column(self.columns, attack, defense)

    def find_cell(self, column: str, die: int) -> CombatCell:
        """Returns the result in a column for a face of the die (6.0d)."""
        return _parse_result(self.rows[die - 1][self.columns.index(column)])


class DestructionTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The Building Destruction Results Table (7.2a): a row for each face of the die."""

    columns: Annotated[tuple[OddsColumn, ...], Meta(min_length=1, max_length=20)]
    rows: Annotated[tuple[tuple[Literal["-", "D"], ...], ...], Meta(min_length=DIE_SIDES, max_length=DIE_SIDES)]

    def find_column(self, points: int, strength: int) -> str | None:
        """Returns the column for these odds, rounded down for the box (7.0g); None if they are too low (7.2c).

        The last column stands for higher odds too (7.2b).
        """
        return find_odds_column(self.columns, points, strength)

    def destroys(self, column: str, die: int) -> bool:
        """True if the box is destroyed in this column for a face of the die (7.0h)."""
        return self.rows[die - 1][self.columns.index(column)] == "D"

    def list_destroying_faces(self, column: str) -> tuple[int, ...]:
        """Returns the faces of the die that destroy the box in this column."""
        return tuple(die for die in range(1, DIE_SIDES + 1) if self.destroys(column, die))


class TerrainEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the Terrain Effects Chart (5.4a)."""

    mp: Annotated[int, Meta(ge=1, le=9)]
    """Movement Points to enter."""
    factor: Annotated[int, Meta(ge=1, le=9)]
    """The factor for the defense of units in the box (5.4k)."""
    strength: SmallNumber
    """The destruction strength of the box; 0 if it cannot be destroyed."""
    vp: SmallNumber
    """Victory Points for the destruction of the box."""
    monster: bool
    """True if a monster on the ground may enter."""
    armour: bool
    """True if tanks and artillery may enter."""
    ground: bool
    """True if police, infantry, firemen and populace may enter."""
    helicopter: bool
    fireboat: bool


Terrain = Literal["street", "park", "low", "high", "bridge", "tunnel", "river"]
"""The printed terrain of a box."""


class TerrainChart(Struct, frozen=True, forbid_unknown_fields=True):
    """The Terrain Effects Chart, with a row for rubble (7.11a)."""

    street: TerrainEffect
    park: TerrainEffect
    low: TerrainEffect
    high: TerrainEffect
    bridge: TerrainEffect
    tunnel: TerrainEffect
    river: TerrainEffect
    rubble: TerrainEffect


class WindRose(Struct, frozen=True, forbid_unknown_fields=True):
    """The direction of the wind for each face of the die (11.21b, 11.21c)."""

    directions: Annotated[tuple[WindDirection, ...], Meta(min_length=DIE_SIDES, max_length=DIE_SIDES)]


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers printed on a counter, and the number of such counters."""

    type: str
    strength: SmallNumber
    """Its combat strength, and its Victory Points."""
    range: SmallNumber
    """The distance in boxes at which it can attack or put out fires."""
    movement: SmallNumber
    cost: SmallNumber
    """The cost in Initial Strength Points; 0 if units of this kind are not bought (3.1c, 3.1f)."""
    combat: bool
    """True if it may attack: its strength is not in brackets (6.11c)."""
    stacks: bool
    """True if it counts for stacking (5.21c)."""
    limit: SmallNumber
    """The number of counters; 0 if nobody knows (C71)."""
    reported: SmallNumber
    """The most counters of this kind that any force is known to have had."""


class TablesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file of tables."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    combat: CombatTable
    destruction: DestructionTable
    terrain: TerrainChart
    wind: WindRose
    units: dict[str, UnitType]
    reconstruction: Annotated[str, Meta(max_length=200)] = ""
    """The part that no source shows; empty if all is known."""


class Tables(Struct, frozen=True):
    """The tables in which a game of Sheboygan looks results up: combat, destruction and the others."""

    combat: CombatTable
    destruction: DestructionTable
    terrain: Mapping[str, TerrainEffect]
    wind: Mapping[int, WindDirection]
    units: Mapping[str, UnitType]
    reconstruction: str


def make_tables(file: TablesFile) -> Tables:
    """Returns the tables of a file. Raises BoardError if they are not complete and consistent."""
    problem = next(_list_problems(file), None)
    if problem:
        raise BoardError(problem)
    terrain = {name: getattr(file.terrain, name) for name in TerrainChart.__struct_fields__}
    wind = dict(enumerate(file.wind.directions, 1))
    units = {letter: file.units[letter] for letter in KIND_NAMES}
    return Tables(file.combat, file.destruction, terrain, wind, units, file.reconstruction)


def _list_problems(file: TablesFile) -> Iterator[str]:
    for name, table in (("combat", file.combat), ("destruction", file.destruction)):
        values = [_find_odds_value(column) for column in table.columns]
        if values != sorted(set(values)):
            yield f"the columns of the {name} table are not in order"
        if any(len(row) != len(table.columns) for row in table.rows):
            yield f"a row of the {name} table has more or fewer cells than there are columns"
    for letter, name in KIND_NAMES.items():
        if letter not in file.units:
            yield f"the counters lack {letter} ({name})"
        elif file.units[letter].type != name:
            yield f"{letter} is {name}, not {file.units[letter].type}"
    for letter in file.units.keys() - KIND_NAMES.keys():
        yield f"there are no units {letter}"


@lru_cache(maxsize=1024)
def find_odds_column(columns: tuple[str, ...], strength: int, against: int) -> str | None:
    """Returns the highest column that a strength reaches against another; None if it does not reach the first."""
    reached = [column for column in columns if strength * _parse_part(column, 2) >= against * _parse_part(column, 0)]
    return reached[-1] if reached and strength else None


def _parse_part(column: str, at: int) -> int:
    return int(column[at])


def _find_odds_value(column: str) -> float:
    return _parse_part(column, 0) / _parse_part(column, 2)


@cache
def _parse_result(cell: str) -> CombatCell:
    attacker, _, defender = cell.partition("/")
    return CombatCell(cell, _parse_side(attacker), _parse_side(defender))


def _parse_side(cell: str) -> EffectOnSide:
    return EffectOnSide(int(cell[0]) if cell[0].isdecimal() else 0, cell.endswith("r"))
