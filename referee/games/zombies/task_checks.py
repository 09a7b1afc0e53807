"""Checks of the tasks in a typed position: whether each of them could be due there."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.zombies import tasks
from referee.games.zombies.biting import list_bite_rollers, list_shield_cards
from referee.games.zombies.horde_turn import list_attackable_heroes
from referee.games.zombies.marching import MarchTask
from referee.games.zombies.spawning import PlaceZombiesTask, can_place_zombie
from referee.games.zombies.state import State, Task
from referee.games.zombies.tokens import list_tokens_in_reach


def can_be_due(state: State, task: Task) -> bool:
    """True if a task of somebody who is in play could be due in this state."""
    check = TASK_CHECKS.get(type(task))
    return check is None or check(state, task)


def _can_go(state: State, task: tasks.GoTask) -> bool:
    return task is state.agenda[0] and task.by == state.current_player.hero and state.acts.has_moved


def _can_draw(state: State, task: tasks.DrawForTokenTask) -> bool:
    return bool(list_tokens_in_reach(state, state.players[task.by]))


def _can_star(state: State, task: tasks.DrawForStarTask) -> bool:
    return (
        state.board.tokens.get(task.at) == "star"
        and task.at not in state.stars
        and state.players[task.by].is_hero_on_board
    )


def _can_keep(state: State, task: tasks.TakeStarCardTask) -> bool:
    return task.at in state.stars and bool(state.stars[task.at].cards) and state.players[task.by].is_hero_on_board


def _can_test(state: State, task: tasks.TestCardTask) -> bool:
    return task.card in state.players[task.by].burdens


def _can_place(state: State, task: PlaceZombiesTask) -> bool:
    return bool(task.count) and can_place_zombie(state, task)


def _can_bite(state: State, task: tasks.BiteTask) -> bool:
    heroes = [hero for _, hero in task.attacks]
    squares = [square for square, _ in task.attacks]
    attackers = {*state.zombies, *(player.at for player in state.zombie_heroes)}
    known = all(hero in state.players and state.players[hero].is_hero_on_board for hero in heroes)
    known = known and all(state.players[hero].health for hero in heroes)
    if not heroes or not known or len(squares) > len(set(squares)) or not set(squares) <= attackers:
        return False
    if not task.token:
        return _has_figures_on(state, task, squares)
    return len(set(heroes)) == 1 and state.players[task.by].seat in list_bite_rollers(state, task)


def _can_shield(state: State, task: tasks.ShieldTask) -> bool:
    return bool(list_shield_cards(state, state.players[task.by]))


def _can_deal(state: State, task: tasks.TradeTask) -> bool:
    one, other = state.players.get(task.partner), state.players[task.by]
    if (
        one is None
        or one.hero != state.current_player.hero
        or one is other
        or not (one.is_hero_on_board and other.is_hero_on_board)
    ):
        return False
    mine, theirs = {*one.supplies, *one.survivors}, {*other.supplies, *other.survivors}
    fits = -other.tiles <= task.tiles <= one.tiles and other.tiles + task.tiles <= 3 and one.tiles - task.tiles <= 3
    return set(task.give) <= mine and set(task.take) <= theirs and fits


def _can_lob(state: State, task: tasks.LobTask) -> bool:
    card = state.components.cards.get(task.card)
    return card is not None and card.usable_as == "grenade" and task.by == state.current_player.hero


def _can_follow(state: State, task: tasks.ChangeFollowersTask) -> bool:
    squares = [square for square, _ in task.origins]
    return _has_figures_on(state, task, squares) and all(_is_open(state, origin) for _, origin in task.origins)


def _can_aim(state: State, task: tasks.ChooseTargetTask) -> bool:
    attackers = [*task.attackers, *(square for square, _ in task.aimed)]
    return _has_figures_on(state, task, attackers) and all(
        list_attackable_heroes(state, square) for square in task.attackers
    )


def _can_join(state: State, task: tasks.ChooseJoiningZombiesTask) -> bool:
    return state.players[task.by].is_zombie


def _can_march(state: State, task: MarchTask) -> bool:
    """True if the zombies that step are free, and go for a hero on their level."""
    if not task.target:
        return not task.movers
    hero, whole = state.players.get(task.target), state.board.make_set(task.whole)
    if (
        hero is None
        or not hero.is_hero_on_board
        or whole & ~(state.free_zombie_squares & state.find_level_squares(hero.at))
    ):
        return False
    return set(task.movers) <= set(task.whole) and len(task.movers) == len(set(task.movers))


def _has_figures_on(state: State, task: Task, squares: list[str]) -> bool:
    """True if a zombie hero has the task, and some figures of their own stand on these squares, one on each."""
    player = state.players[task.by]
    own = {player.at, *player.horde}
    return player.is_zombie and 0 < len(squares) == len(set(squares)) and set(squares) <= own


def _is_open(state: State, square: str) -> bool:
    return bool(state.board.square_bits[square] & state.ground.open_squares)


TASK_CHECKS: dict[type[Task], Callable[[State, Task], bool]] = {
    tasks.GoTask: _can_go,  # type: ignore[dict-item]  # each for its own task
    tasks.DrawForTokenTask: _can_draw,  # type: ignore[dict-item]
    tasks.DrawForStarTask: _can_star,  # type: ignore[dict-item]
    tasks.TakeStarCardTask: _can_keep,  # type: ignore[dict-item]
    tasks.TestCardTask: _can_test,  # type: ignore[dict-item]
    PlaceZombiesTask: _can_place,  # type: ignore[dict-item]
    tasks.BiteTask: _can_bite,  # type: ignore[dict-item]
    tasks.ShieldTask: _can_shield,  # type: ignore[dict-item]
    tasks.TradeTask: _can_deal,  # type: ignore[dict-item]
    tasks.LobTask: _can_lob,  # type: ignore[dict-item]
    tasks.ChangeFollowersTask: _can_follow,  # type: ignore[dict-item]
    tasks.ChooseTargetTask: _can_aim,  # type: ignore[dict-item]
    tasks.ChooseJoiningZombiesTask: _can_join,  # type: ignore[dict-item]
    MarchTask: _can_march,  # type: ignore[dict-item]
}
"""The checks of tasks, by kind: True if the task can be done in this state. Other tasks can be done in any state."""
