"""The five scenarios (14.2), and the special abilities that a monster can be given (13.0a)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

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
COSTS: Mapping[Ability, int] = dict(zip(ABILITIES, (2, 8, 6, 5, 5, 4, 4, 3, 7, 6, 8), strict=True))
"""What each costs in Initial Strength Points (3.1j, 13.11a to 13.28a)."""
FIRE_ABILITIES: tuple[Ability, ...] = ABILITIES[:3]
"""Those of 13.1, which are for advanced scenarios."""
MOST_DEFENSE = 15
"""Points that defense takes at the start (3.1i). The film monsters with more are no purchases (C4)."""


class Scenario(Struct, frozen=True):
    """What is fixed by the choice of a scenario."""

    human: int
    """Initial Strength Points of the human player."""
    monster: int
    """And of the monster player."""
    level: int
    """The monster victory level: what its Victory Points must exceed."""
    abilities: tuple[Ability, ...] = ABILITIES
    helicopters: bool = True
    grows: bool = False
    """Whether the monster grows on what it destroys (14.25b)."""

    @property
    def quota(self) -> int:
        """Points that must go on abilities: a quarter at the least, fractions up (3.1k, C3)."""
        return -(-self.monster // 4) if self.abilities else 0


SCENARIOS: Mapping[str, Scenario] = {
    "basic": Scenario(32, 18, 32, ABILITIES[3:], helicopters=False),  # 14.22a, 14.22b
    "learning": Scenario(25, 13, 25, (), helicopters=False),  # 14.21a, 14.21b
    "advanced-a": Scenario(44, 30, 40),  # 14.23a
    "advanced-b": Scenario(60, 40, 55),  # 14.24a
    "city-eating": Scenario(60, 25, 55, grows=True),  # 14.25a
}


def cost_of(abilities: tuple[Ability, ...]) -> int:
    """What abilities cost together."""
    return sum(COSTS[ability] for ability in abilities)
