"""Whom free zombies notice, and whom a group of them goes for (stealth.1, zombie.move.1, zombie.move.2, zombie.move.5,
zombie.move.6).
"""

from collections.abc import Iterable

from referee.games.zombies.player import Player
from referee.games.zombies.state import State


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


def target_of(state: State, group: int) -> Player | None:
    """The hero that a group goes for: the nearest to any member that sees him, and of several the one who acted last
    (zombie.move.5, zombie.move.6, ruling.group-move, ruling.group-sight, ruling.zombie-distance).
    """
    prey = (hero for hero in state.heroes if is_prey(state, hero))
    away = [(hero, steps) for hero in prey if (steps := _away(state, group, hero)) is not None]
    least = min((steps for _, steps in away), default=0)
    nearest = [hero for hero, steps in away if steps == least]
    return preferred(state, nearest) if nearest else None


def _away(state: State, group: int, hero: Player) -> int | None:
    """Steps from the nearest member that sees a hero; None: nobody does, such as on another level."""
    there = group & state.level_of(hero.at)
    seen = there and state.seen_from(hero.at, there)
    if not seen:
        return None
    return next(steps for steps, within in enumerate(state.board.diamonds(hero.at)) if seen & within)


def walkers(state: State, group: int) -> int:
    """Members that are not next to a hero, whom they attack, or to a zombie hero (zombie.move.2,
    ruling.group-adjacent-zhero).
    """
    prey = state.board.set_of(hero.at for hero in state.heroes if is_prey(state, hero))
    return group & ~state.ground.touching(prey | state.turned)
