"""The options of Sheboygan: scenarios (14.2), abilities of a monster (13.0a), and rulings on which groups differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.options import Option, Options

GAME_FOLDER = Path(__file__).parent
SHIPPED_FOLDER = GAME_FOLDER / "shipped"
"""The folder of all files that were ever shipped."""
HASHES_FILE = SHIPPED_FOLDER / "hashes.toml"
"""The hashes by which logs name the shipped files."""
HUMAN_SEAT: Seat = "human"
MONSTER_SEAT: Seat = "monster"
SEATS: tuple[Seat, ...] = (HUMAN_SEAT, MONSTER_SEAT)

Ability = Literal[
    "flame-immunity",
    "fire-breathing",
    "lightning-throwing",
    "great-height",
    "web-spinning",
    "fear-immobilization",
    "blinding-light",
    "jumping",
    "radiation",
    "mind-control",
    "flying",
]
ABILITIES: tuple[Ability, ...] = get_args(Ability)
ABILITY_COSTS: Mapping[Ability, int] = dict(zip(ABILITIES, (2, 8, 6, 5, 5, 4, 4, 3, 7, 6, 8), strict=True))
"""The cost of each ability in Initial Strength Points (3.1j, 13.11a to 13.28a)."""
FIRE_ABILITIES: tuple[Ability, ...] = ABILITIES[:3]
"""The abilities of 13.1, which are for advanced scenarios."""
MAX_INITIAL_DEFENSE = 15
"""The most points on defense at the start (3.1i). The film monsters with more cannot be bought (C4)."""


LEAST_STRENGTH_POINTS = 2
"""The least points on all strengths together: defense and movement cannot be zero (C50)."""

GROWTH_PER_BOX = 2
"""The points by which a monster may grow for a box that it destroys, in a scenario where it grows (14.25b)."""


class Scenario(Struct, frozen=True):
    """The numbers that a scenario fixes."""

    human_points: int
    """Initial Strength Points of the human player."""
    monster_points: int
    """Initial Strength Points of the monster player."""
    victory_level: int
    """The monster victory level, which the monster's Victory Points must exceed."""
    abilities: tuple[Ability, ...] = ABILITIES
    helicopters: bool = True
    monster_grows: bool = False
    """True if the monster grows by destroying boxes and units (14.25b)."""

    @property
    def least_ability_points(self) -> int:
        """The least points that must go on abilities: a quarter, rounded up (3.1k, C3); 0 if there are none."""
        return -(-self.monster_points // 4) if self.abilities else 0


SCENARIOS: Mapping[str, Scenario] = {
    "basic": Scenario(32, 18, 32, ABILITIES[3:], helicopters=False),  # 14.22a, 14.22b
    "learning": Scenario(25, 13, 25, (), helicopters=False),  # 14.21a, 14.21b
    "advanced-a": Scenario(44, 30, 40),  # 14.23a
    "advanced-b": Scenario(60, 40, 55),  # 14.24a
    "city-eating": Scenario(60, 25, 55, monster_grows=True),  # 14.25a
}


def sum_ability_costs(abilities: tuple[Ability, ...]) -> int:
    """Returns the cost of abilities together, in Initial Strength Points."""
    return sum(ABILITY_COSTS[ability] for ability in abilities)


OPTIONS = (
    Option("scenario", tuple(SCENARIOS), "points, victory level, abilities, helicopters, growth", "14.22a"),
    Option(
        "retreat-result",
        ("loss-and-retreat", "retreat-only", "attacker-loses"),
        "an r with a number: a loss and a retreat; a retreat only; a loss for attackers alone",
        "C2",
        is_switchable=True,
    ),
    Option(
        "growth",
        ("per-unit", "per-attack"),
        "City Eating: a point for each unit destroyed, or each attack",
        "C5",
        is_switchable=True,
    ),
    Option(
        "losses-score",
        ("all", "no-suicide", "by-monster"),
        "units that score: all that are lost; all but suicides; those that the monster destroys itself",
        "C6",
        is_switchable=True,
    ),
    Option(
        "dead-monster",
        ("compared", "loses"),
        "a monster that dies: points are compared, or it loses",
        "C8",
        is_switchable=True,
    ),
    Option(
        "mixed-attack",
        ("adjacent-suffer", "all-suffer"),
        "an attack by units near and far: only those that are adjacent suffer losses, or all of them",
        "C14",
        is_switchable=True,
    ),
    Option(
        "ford-exit",
        ("other-bank", "either-bank", "any-land"),
        "where infantry comes out of a river",
        "C20",
        is_switchable=True,
    ),
    Option(
        "monster-in-tunnel", ("yes", "no"), "whether a monster may walk through the tunnel", "C22", is_switchable=True
    ),
    Option(
        "doubtful-links",
        ("not-adjacent", "adjacent"),
        "whether nine pairs of boxes that hardly touch are adjacent",
        "C39",
    ),
    Option(
        "retreat-under-flier",
        ("destroyed", "neighbour"),
        "a unit that must retreat from below a flying monster: it is destroyed, or goes to any box next to the monster",
        "C46",
        is_switchable=True,
    ),
    Option(
        "helicopter-in-flames",
        ("lost", "safe"),
        "whether a helicopter that ends its move above flames is lost",
        "C56",
        is_switchable=True,
    ),
    Option(
        "countermix",
        ("reported", "unknown"),
        "the largest numbers of units reported can be bought, or there is no limit",
        "C71",
        before="unknown",
    ),
)


def list_seats(options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:  # noqa: ARG001 - always these two
    """Returns the seats of the human and the monster player."""
    return SEATS


def list_secret_keepers(options: Options) -> tuple[Seat, ...]:  # noqa: ARG001 - in all scenarios
    """Returns the seat of the monster's player, who keeps a record sheet (12.0a)."""
    return (MONSTER_SEAT,)


def find_shipped_board(options: Options) -> Path:  # noqa: ARG001 - there is one map
    """Returns the map file."""
    return SHIPPED_FOLDER / "sheboygan.toml"


def find_shipped_tables(options: Options) -> Path:  # noqa: ARG001 - there is one set
    """Returns the file of charts and tables."""
    return SHIPPED_FOLDER / "tables.toml"
