"""Whom free zombies go for (zombie.attack.2, zombie.move.6)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.zombies.state import Player, State


def is_prey(state: State, player: Player) -> bool:
    """Whether free zombies notice a hero: not under stealth (stealth.1, ruling.stealth-attack)."""
    return player.is_hero and not state.is_stealthed(player)


def preferred(state: State, heroes: Iterable[Player]) -> Player:
    """Of several heroes the one who moved or attacked last (zombie.attack.2, zombie.move.6, ruling.last-actor); of
    those who have not acted yet the first in turn order.
    """
    return min(
        heroes, key=lambda hero: state.recent.index(hero.hero) if hero.hero in state.recent else len(state.recent)
    )
