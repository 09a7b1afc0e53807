"""Free zombies that see a hero step towards him, group by group (zombie.move.1 to zombie.move.9, zombie.group.1 to
zombie.group.3). Movement trays carry them and change nothing (comp.trays).
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.engine.event import Script
from referee.games.zombies import hordes
from referee.games.zombies.board import side_steps, spot_of
from referee.games.zombies.prey import is_prey, preferred
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import March
from referee.games.zombies.zombie_events import GroupDone, GroupRoused, Stayed, Stepped, TakenBack

# Groups


def roused(state: State) -> March | None:
    """The march of a zombie phase: every group on the level of the hero on turn that has somebody to go for, and
    somebody who can go (zombie.scope.1, zombie.scope.2, zombie.move.1).
    """
    left = state.wild & state.level_of(state.mover.at)
    groups = []
    while left:
        group = state.ground.linked(left & -left, left)
        left ^= group
        members = state.board.names(group)
        if target_of(state, members) and _walkers(state, members):
            groups.append(members)
    return March(by=state.mover.hero, groups=tuple(groups)) if groups else None


def target_of(state: State, members: tuple[str, ...]) -> Player | None:
    """The hero that a group goes for: the nearest to any member that sees him, and of several the one who acted last
    (zombie.move.5, zombie.move.6, ruling.group-move, ruling.group-sight, ruling.zombie-distance).
    """
    prey = (hero for hero in state.heroes if is_prey(state, hero))
    away = [(hero, steps) for hero in prey if (steps := _away(state, members, hero)) is not None]
    least = min((steps for _, steps in away), default=0)
    nearest = [hero for hero, steps in away if steps == least]
    return preferred(state, nearest) if nearest else None


def _away(state: State, members: tuple[str, ...], hero: Player) -> int | None:
    """Steps from the nearest member that sees a hero; None: nobody does."""
    return min((side_steps(member, hero.at) for member in members if state.sees(member, hero.at)), default=None)


def _walkers(state: State, members: tuple[str, ...]) -> tuple[str, ...]:
    """Members that are not next to a hero, whom they attack, or to a zombie hero (zombie.move.2,
    ruling.group-adjacent-zhero).
    """
    prey = state.board.set_of(hero.at for hero in state.heroes if is_prey(state, hero))
    held = state.ground.touching(prey | state.turned)
    return tuple(member for member in members if not held & state.board.bit[member])


def _in_step(state: State, members: tuple[str, ...], hero: Player) -> tuple[str, ...]:
    """Who steps, the nearest to the hero first, ties in reading order (ruling.group-move)."""
    return tuple(sorted(_walkers(state, members), key=lambda member: side_steps(member, hero.at)))


def next_groups(state: State, task: March) -> tuple[tuple[str, ...], ...]:
    """Of which groups one moves next: the one that is in nobody's way, else any that is (ruling.zombie-order)."""
    groups = _still_free(state, task)
    reach = {group: _reach(state, group) for group in groups}
    for group in groups:
        near = state.ground.touching(reach[group]) | reach[group]
        if not any(near & reach[other] for other in groups if other is not group):
            return (group,)
    return groups


def _still_free(state: State, task: March) -> tuple[tuple[str, ...], ...]:
    """Groups that have not moved, without those who meanwhile belong to a horde (zhero.horde.1)."""
    wild = state.wild
    groups = (tuple(member for member in group if wild & state.board.bit[member]) for group in task.groups)
    return tuple(group for group in groups if group)


def _reach(state: State, group: tuple[str, ...]) -> int:
    """Where members of a group can be after its move."""
    found = state.board.set_of(group)
    for _ in range(1 + _extra_rounds(state)):
        found |= steps_from(state, found) & state.free
    return found


def steps_from(state: State, squares: int) -> int:
    """Squares one step away: sideways and up or down, under a movement mutation diagonally too (zombie.move.4,
    mutation.2). No stairs: they see nobody there (ruling.stairs-zombies); nor do they break blocking tiles (tile.7).
    """
    if state.mutated(state.mover.at[0], "diagonal"):
        return state.ground.touching(squares)
    return state.ground.beside(squares)


def _extra_rounds(state: State) -> int:
    """Further squares under a speed mutation (zombie.move.3, ruling.mutation-stack)."""
    return sum(card.amount - 1 for card in state.mutated(state.mover.at[0], "speed"))


# Steps


def steps_for(state: State, task: March) -> tuple[str, ...]:
    """The squares among which the next zombie may step: free ones that bring it nearest to the hero (zombie.move.5,
    zombie.move.9, ruling.zombie-toward); of several the option may choose one (ruling.zombie-step-choice).
    """
    zombie, hero = task.movers[0], state.players[task.target or ""].at
    free = state.board.names(steps_from(state, state.board.bit[zombie]) & state.free)
    nearer = {
        square: side_steps(square, hero) for square in free if side_steps(square, hero) < side_steps(zombie, hero)
    }
    best = [square for square in nearer if nearer[square] == min(nearer.values())]
    return tuple(best) if state.options["zombie-step-choice"] == "token-owner" else _chosen(state, zombie, hero, best)


def _chosen(state: State, zombie: str, hero: str, best: list[str]) -> tuple[str, ...]:
    """What the option makes of several squares: the first by compass, or along the longer axis, upright if equal."""
    if state.options["zombie-step-choice"] == "compass":
        return tuple(sorted(best, key=lambda square: _compass(zombie, square)))[:1]
    (x, y), (x2, y2) = spot_of(zombie), spot_of(hero)
    upright = abs(y2 - y) >= abs(x2 - x)
    return tuple(sorted(best, key=lambda square: (square[1] == zombie[1]) != upright))[:1]


def _compass(origin: str, to: str) -> int:
    """North, east, south, west, then the diagonals in the same sense."""
    (x, y), (x2, y2) = spot_of(origin), spot_of(to)
    return ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)).index((x2 - x, y2 - y))


def go_on(state: State, task: March) -> Script[State]:
    """Take the next step that needs no word from the player on turn; nothing where he has to choose."""
    if task.movers:
        state = yield from _next_step(state, task)
    elif task.target:
        state = yield from _end_round(state, task)
    elif len(groups := next_groups(state, task)) == 1:
        state = yield from rouse(state, task, groups[0])
    elif not groups:
        state = yield GroupDone(None)
    return state


def _next_step(state: State, task: March) -> Script[State]:
    squares = steps_for(state, task)
    if not squares:
        return (yield Stayed(task.movers[0]))
    return (yield Stepped(task.movers[0], squares[0])) if len(squares) == 1 else state


def rouse(state: State, task: March, group: tuple[str, ...]) -> Script[State]:
    """A group begins; what it hangs together with by now must not be parted either (zombie.group.1, zombie.group.2)."""
    hero = target_of(state, group)
    assert hero is not None, "only groups with a target march"
    whole = state.ground.linked(state.board.set_of(group), state.wild & state.level_of(group[0]))
    march = replace(
        task,
        groups=tuple(each for each in _still_free(state, task) if each != group),
        movers=_in_step(state, group, hero),
        made=(),
        whole=state.board.names(whole),
        target=hero.hero,
        again=_extra_rounds(state),
    )
    return (yield GroupRoused(hero.hero, march))


def _end_round(state: State, task: March) -> Script[State]:
    """Steps that have parted the group are taken back, the last one first (zombie.group.3, ruling.group-move)."""
    if task.made and not _is_whole(state, task.whole):
        origin, to = task.made[-1]
        return (yield TakenBack(origin, to))
    if task.again and task.made:
        hero = state.players[task.target or ""]
        stepped = tuple(to for _, to in task.made)
        march = replace(task, movers=_in_step(state, stepped, hero), made=(), again=task.again - 1)
        return (yield GroupRoused(hero.hero, march))
    left = replace(task, movers=(), made=(), whole=(), target=None, again=0)
    state = yield GroupDone(left if left.groups else None)
    return (yield from hordes.settle(state))


def _is_whole(state: State, whole: tuple[str, ...]) -> bool:
    squares = state.board.set_of(whole)
    return state.ground.linked(squares & -squares, squares) == squares
