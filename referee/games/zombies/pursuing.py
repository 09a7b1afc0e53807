"""The heroes that free zombies notice, and the one that a group goes for (stealth.1, zombie.move.1, zombie.move.2,
zombie.move.5, zombie.move.6).
"""

from collections.abc import Iterable

from referee.games.zombies.player import Player
from referee.games.zombies.state import State


def is_noticed_by_zombies(state: State, player: Player) -> bool:
    """True if free zombies notice a player: a hero without stealth (stealth.1, ruling.stealth-attack)."""
    return player.is_hero_on_board and not state.is_stealthed(player)


def find_hero_who_acted_last(state: State, heroes: Iterable[Player]) -> Player:
    """Returns the one of several heroes who moved or attacked last (zombie.attack.2, zombie.move.6, ruling.last-actor).

    If none of these heroes has acted yet, returns the first one in `heroes`.
    """
    return min(
        heroes, key=lambda hero: state.recent.index(hero.hero) if hero.hero in state.recent else len(state.recent)
    )


def find_group_target(state: State, group: int) -> Player | None:
    """Returns the hero towards whom a group goes; None if no member sees one.

    That is the hero nearest to a member that sees them, and of several the one who acted last (zombie.move.5,
    zombie.move.6, ruling.group-move, ruling.group-sight, ruling.zombie-distance).
    """
    prey = (hero for hero in state.heroes if is_noticed_by_zombies(state, hero))
    away = [(hero, steps) for hero in prey if (steps := _count_steps(state, group, hero)) is not None]
    least = min((steps for _, steps in away), default=0)
    nearest = [hero for hero, steps in away if steps == least]
    return find_hero_who_acted_last(state, nearest) if nearest else None


def _count_steps(state: State, group: int, hero: Player) -> int | None:
    """Returns the steps to a hero from the nearest member that sees them; None if no member does."""
    there = group & state.find_level_squares(hero.at)
    seen = there and state.find_squares_in_sight(hero.at, there)
    if not seen:
        return None
    return next(steps for steps, within in enumerate(state.board.find_squares_within_steps(hero.at)) if seen & within)


def find_members_to_move(state: State, group: int) -> int:
    """Returns the members of a group that are next to neither a hero, whom they attack, nor a zombie hero
    (zombie.move.2, ruling.group-adjacent-zhero).
    """
    prey = state.board.make_set(hero.at for hero in state.heroes if is_noticed_by_zombies(state, hero))
    return group & ~state.ground.find_adjacent_squares(prey | state.zombie_hero_squares)
