"""The steps of free zombies towards heroes that they see, group by group (zombie.move.1 to zombie.move.9,
zombie.group.1 to zombie.group.3).

The player whose turn it is chooses the group that moves next, and one of equally good squares (ruling.zombie-order,
ruling.zombie-step-choice). They may leave that to the referee (ruling.zombie-auto). Movement trays change nothing
(comp.trays).
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.caching import cache_latest
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.text import count_of
from referee.games.zombies.board import (
    Square,
    SquarePairs,
    Squares,
    find_column_and_row,
    measure_kings_moves,
    measure_manhattan_distance,
)
from referee.games.zombies.components import HeroId
from referee.games.zombies.ground import find_connected_squares
from referee.games.zombies.group_steps import GroupMove, find_first_mover_steps
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.pursuing import find_group_target, find_members_to_move
from referee.games.zombies.state import State, Task


class MarchTask(Task, frozen=True, tag="march"):
    """The task of moving all free zombies of a level that see a hero, group by group (zombie.move.1)."""

    rule: ClassVar[str] = "zombie.move.5"
    groups: Annotated[tuple[Squares, ...], Meta(max_length=100)]
    """The groups that have not moved, each with the squares of all its members."""
    movers: Squares = ()
    """The members of the moving group that have still to step, in order; empty if no group is moving."""
    made: SquarePairs = ()
    """The steps that the moving group has made in this round."""
    whole: Squares = ()
    """The present squares of all zombies that were connected with the moving group when its move began."""
    target: HeroId | None = None
    """The hero towards whom the moving group goes; None if no group is moving."""
    again: Annotated[int, Meta(ge=0, le=5)] = 0
    """The rounds of steps that the moving group has left after this one, under a speed mutation."""

    @property
    def todo(self) -> str:
        """The task as a clause: to say where a zombie steps, or which group is next."""
        if self.movers:
            return f"say which way the zombie on {self.movers[0]} steps (or auto)"
        return "say which group of zombies moves next (or auto)"

    def make_forced_events(self, state: State) -> Event | None:
        """Returns the next event that needs no choice; None if the player whose turn it is has to choose."""
        if self.movers:
            return _find_next_step(state, self)
        if self.target:
            return _end_round(state, self)
        groups = list_next_groups(state, self)
        if len(groups) == 1:
            return begin_group_move(state, self, groups[0])
        return None if groups else GroupMoveEnded(None)


# What happens


class GroupMoveBegun(Event, frozen=True, tag="group-roused"):
    """A group of zombies sets out for a hero, or begins another round of steps (zombie.move.5, zombie.group.2)."""

    hero: HeroId
    """The hero towards whom the group goes."""
    march: MarchTask
    """The march as it goes on, with the zombies that step."""

    def tell(self) -> str:
        """Tells how many zombies go, and towards whom."""
        many = len(self.march.movers)
        return f"{count_of(many, 'zombie')} {'goes' if many == 1 else 'go'} for {self.hero}."

    def apply(self, state: State) -> State:
        """Replaces the march, so that the members of the group step next."""
        return replace(state, agenda=(self.march, *state.agenda[1:]))


class ZombieStepped(Event, frozen=True, tag="stepped"):
    """A zombie has taken a step (zombie.move.3)."""

    told = "Move the zombie on {origin} to {to}."
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Moves the zombie, and notes the step in the march."""
        march = state.get_first_task(MarchTask)
        state = replace(state, zombies=find_zombies_after_steps(state, ((self.origin, self.to),)))
        whole = state.board.sort_squares(self.to if square == self.origin else square for square in march.whole)
        made = (*march.made, (self.origin, self.to))
        return state.change_first_task(movers=march.movers[1:], made=made, whole=whole)


class ZombieStayed(Event, frozen=True, tag="stayed"):
    """A zombie finds no square nearer to the hero (ruling.zombie-toward)."""

    told = "The zombie on {at} cannot get nearer to the hero."
    at: Square

    def apply(self, state: State) -> State:
        """Goes on to the next zombie of the group."""
        return state.change_first_task(movers=state.get_first_task(MarchTask).movers[1:])


class StayedWithGroup(Event, frozen=True, tag="stayed-with-group"):
    """A zombie could step, but then its group would part, or fewer of the other zombies could step (zombie.group.3)."""

    told = "The zombie on {at} stays with its group."
    at: Square

    def apply(self, state: State) -> State:
        """Goes on to the next zombie of the group."""
        return state.change_first_task(movers=state.get_first_task(MarchTask).movers[1:])


class StepTakenBack(Event, frozen=True, tag="taken-back"):
    """A step that had parted a group was taken back. Only games of rules version 1 offered such steps."""

    told = "Move the zombie on {to} back to {origin}: the group stays whole."
    origin: Square
    """The square to which the zombie goes back."""
    to: Square

    def apply(self, state: State) -> State:
        """Moves the zombie back, and removes the step from the march."""
        march = state.get_first_task(MarchTask)
        state = replace(state, zombies=find_zombies_after_steps(state, ((self.to, self.origin),)))
        whole = state.board.sort_squares(self.origin if square == self.to else square for square in march.whole)
        return state.change_first_task(made=march.made[:-1], whole=whole)


class GroupMoveEnded(Event, frozen=True, tag="group-done"):
    """A group has moved, or no group is left that can move."""

    told = "The group has moved."
    march: MarchTask | None
    """The rest of the march; None if it is over."""

    def apply(self, state: State) -> State:
        """Goes on with the rest of the march."""
        return replace(state, agenda=((self.march,) if self.march else ()) + state.agenda[1:])


def find_zombies_after_steps(state: State, steps: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Returns the zombies by square, with their levels, after some of them have moved at once."""
    to, zombies = dict(steps), state.zombies
    return dict(zip(map(to.get, zombies, zombies), zombies.values(), strict=True))


# Groups


def make_march_task(state: State) -> MarchTask | None:
    """Returns the march of a zombie phase; None if no group can move.

    Only groups of free zombies on the level of the hero whose turn it is march (zombie.scope.1, zombie.scope.2). Each
    of them sees a hero and has members that can step (zombie.move.1).
    """
    left = state.free_zombie_squares & state.find_level_squares(state.current_player.at)
    groups = []
    while left:
        group = find_connected_squares(state.ground.find_adjacent_squares, left & -left, left)
        left ^= group
        if find_members_to_move(state, group) and find_group_target(state, group):
            groups.append(state.board.list_squares(group))
    return MarchTask(by=state.current_player.hero, groups=tuple(groups)) if groups else None


def _list_movers_in_order(state: State, members: tuple[str, ...], hero: Player) -> tuple[str, ...]:
    """Returns the members that have to move, the nearest to the hero first (ruling.group-move).

    Equally near members keep their order in `members`.
    """
    going = find_members_to_move(state, state.board.make_set(members))
    who = [member for member in members if state.board.square_bits[member] & going]
    return tuple(sorted(who, key=lambda member: measure_manhattan_distance(member, hero.at)))


def list_next_groups(state: State, task: MarchTask) -> tuple[tuple[str, ...], ...]:
    """Returns the groups of which one moves next; empty if all have moved.

    The result is one group if no other group can get in its way, else all groups that are nearest to their heroes. So
    no group has to wait for a group behind it (ruling.zombie-order).
    """
    groups = _list_groups_still_free(state, task)
    if len(groups) < 2:
        return groups
    reach = {group: _find_reachable_squares(state, group) for group in groups}
    for group in groups:
        near = state.ground.find_adjacent_squares(reach[group]) | reach[group]
        if not any(near & reach[other] for other in groups if other is not group):
            return (group,)
    away = {group: _count_steps_to_hero(state, group) for group in groups}
    return tuple(group for group in groups if away[group] == min(away.values()))


def _count_steps_to_hero(state: State, group: tuple[str, ...]) -> int:
    """Returns the steps from a group's hero to the nearest member of the group; 0 if the group goes for nobody."""
    hero = find_group_target(state, state.board.make_set(group))
    return min(measure_manhattan_distance(member, hero.at) for member in group) if hero else 0


@cache_latest
def _list_groups_still_free(state: State, task: MarchTask) -> tuple[tuple[str, ...], ...]:
    """Returns the groups that have not moved, without zombies that have joined a horde meanwhile (zhero.horde.1).

    Groups that see nobody any more are left out, perhaps because a noisy survivor was given up (ruling.noisy).
    """
    found = []
    for group in task.groups:
        left = state.board.make_set(group) & state.free_zombie_squares
        if left and find_group_target(state, left):
            found.append(group if left.bit_count() == len(group) else state.board.list_squares(left))
    return tuple(found)


def _find_reachable_squares(state: State, group: tuple[str, ...]) -> int:
    """Returns the squares where members of a group can be after its move, their present ones included."""
    found = state.board.make_set(group)
    for _ in range(1 + _count_extra_rounds(state)):
        found |= find_squares_one_zombie_step_from(state, found) & state.empty_squares
    return found


def find_squares_one_zombie_step_from(state: State, squares: int) -> int:
    """Returns the squares one step from some zombies: sideways, up or down; diagonally too under a movement mutation
    (zombie.move.4, mutation.2).

    No step leads over a stair, since zombies see nobody there (ruling.stairs-zombies). Occupied squares are included,
    and those with blocking tiles, which zombies cannot break (tile.7).
    """
    if state.list_mutations(state.current_player.at[0], "diagonal"):
        return state.ground.find_adjacent_squares(squares)
    return state.ground.find_side_neighbours(squares)


def _count_extra_rounds(state: State) -> int:
    """Returns the rounds of steps that speed mutations add for zombies (zombie.move.3, ruling.mutation-stack)."""
    return sum(card.amount - 1 for card in state.list_mutations(state.current_player.at[0], "speed"))


# Steps


def list_best_steps(state: State, task: MarchTask) -> tuple[str, ...]:
    """Returns the squares to which the next zombie may step; empty if it stays.

    These squares are free, and from each of them as many zombies of the group as possible can step. Of such squares,
    those nearest to the hero remain (zombie.move.5, zombie.move.9, ruling.zombie-toward, ruling.group-move).
    """
    movers = tuple(map(state.board.square_bits.__getitem__, task.movers))
    return state.board.list_squares(
        find_first_mover_steps(
            _make_group_move(state, task), movers, state.empty_squares, state.board.make_set(task.whole)
        )
    )


def _make_group_move(state: State, task: MarchTask) -> GroupMove:
    """Returns the conditions under which the moving group goes for its hero."""
    hero = state.players[task.target or ""].at
    return GroupMove(state.ground, hero, bool(state.list_mutations(state.current_player.at[0], "diagonal")))


@cache_latest
def list_steps_to_choose_from(state: State, task: MarchTask) -> tuple[str, ...]:
    """Returns the squares of `list_best_steps` among which the player may choose; empty if the zombie stays.

    The option `zombie-step-choice` may leave only one of them (ruling.zombie-step-choice).
    """
    squares, option = list_best_steps(state, task), state.options["zombie-step-choice"]
    if option == "compass":
        return tuple(sorted(squares, key=lambda square: _find_compass_rank(task.movers[0], square)))[:1]
    return (find_long_axis_square(state, task, squares),) if squares and option == "long-axis" else squares


def find_long_axis_square(state: State, task: MarchTask, squares: tuple[str, ...]) -> str:
    """Returns the square in the direction in which the hero is farther away: across the columns or across the rows.

    If both distances are equal, the zombie steps up or down.
    """
    zombie, hero = task.movers[0], state.players[task.target or ""].at
    return min(squares, key=lambda square: _is_off_axis(zombie, hero, square))


def _is_off_axis(origin: str, hero: str, to: str) -> bool:
    """True if a step does not go in the direction that `find_long_axis_square` wants."""
    (x, y), (x2, y2) = find_column_and_row(origin), find_column_and_row(hero)
    upright = abs(y2 - y) >= abs(x2 - x)
    return (to[1] == origin[1]) != upright


def _find_compass_rank(origin: str, to: str) -> int:
    """Returns the rank of a step: north, east, south, west, then the diagonals clockwise from north-east."""
    (x, y), (x2, y2) = find_column_and_row(origin), find_column_and_row(to)
    return ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)).index((x2 - x, y2 - y))


def _find_next_step(state: State, task: MarchTask) -> Event | None:
    """Returns the event in which the next zombie steps or stays; None if the player has to choose a square."""
    zombie, squares = task.movers[0], list_steps_to_choose_from(state, task)
    if not squares:
        return StayedWithGroup(zombie) if _find_nearer_squares(state, task) else ZombieStayed(zombie)
    return ZombieStepped(zombie, squares[0]) if len(squares) == 1 else None


def _find_nearer_squares(state: State, task: MarchTask) -> int:
    """Returns the free squares that are nearer to the hero, even if the group would part."""
    move = _make_group_move(state, task)
    return move.find_nearer_squares(state.board.square_bits[task.movers[0]]) & state.empty_squares


def begin_group_move(state: State, task: MarchTask, group: tuple[str, ...]) -> GroupMoveBegun:
    """Returns the event by which a group begins to move.

    The event notes all zombies with which the group is connected now, since its steps must not part it from any of them
    (zombie.group.1, zombie.group.2).
    """
    hero = find_group_target(state, state.board.make_set(group))
    assert hero is not None, "only groups with a target march"
    whole = find_connected_squares(
        state.ground.find_adjacent_squares,
        state.board.make_set(group),
        state.free_zombie_squares & state.find_level_squares(group[0]),
    )
    march = replace(
        task,
        groups=tuple(each for each in _list_groups_still_free(state, task) if each != group),
        movers=_list_movers_in_order(state, group, hero),
        made=(),
        whole=state.board.list_squares(whole),
        target=hero.hero,
        again=_count_extra_rounds(state),
    )
    return GroupMoveBegun(hero.hero, march)


def _end_round(state: State, task: MarchTask) -> Event:
    """Returns the event after a round of steps.

    Zombies that have stepped begin another round if a speed mutation allows one; else the group has moved.
    """
    if task.again and task.made:
        hero = state.players[task.target or ""]
        stepped = tuple(to for _, to in task.made)
        march = replace(task, movers=_list_movers_in_order(state, stepped, hero), made=(), again=task.again - 1)
        return GroupMoveBegun(hero.hero, march)
    left = replace(task, movers=(), made=(), whole=(), target=None, again=0)
    return GroupMoveEnded(left if left.groups else None)


# Choices of the player whose turn it is


class StepTo(Action, frozen=True, tag="step"):
    """Say which of two equally good squares the next zombie steps on (ruling.zombie-step-choice)."""

    says = "step {to}"
    to: Square


class SelectGroup(Action, frozen=True, tag="group"):
    """Say which group of zombies moves next, by the square of a member (ruling.zombie-order)."""

    says = "group {square}"
    square: Square


def _offer_step(state: State, _player: Player) -> Iterator[Choice]:
    task = state.get_first_task(MarchTask)
    if task.movers:
        yield Choice(StepTo, to=OneOf(list_steps_to_choose_from(state, task)))


def _check_step(state: State, _player: Player, action: StepTo) -> Iterator[Refusal]:
    task = state.get_first_task(MarchTask)
    if not task.movers:
        yield Refusal("zombie.group.2", "say first which group moves")
        return
    zombie = task.movers[0]
    if action.to == zombie:
        yield Refusal("zombie.move.3", f"the zombie stands on {zombie}; it steps to another square")
        return
    if action.to not in state.board.square_numbers or not state.board.square_bits[action.to] & state.empty_squares:
        yield Refusal("zombie.move.9", f"{action.to} is occupied or closed")
    if action.to[0] != zombie[0] or measure_kings_moves(zombie, action.to) != 1:
        yield Refusal("zombie.move.3", f"{action.to} is not one square from {zombie}")
    elif not find_squares_one_zombie_step_from(state, state.board.square_bits[zombie]) & state.board.square_bits.get(
        action.to, 0
    ):
        yield Refusal("zombie.move.4", f"no step sideways or up or down leads from {zombie} to {action.to}")
    else:
        yield Refusal("zombie.move.5", f"a step from {zombie} to {action.to} is not on the way to {task.target}")


def _step_zombie(state: State, _player: Player, action: StepTo, _dice: Dice) -> Script[State]:
    return (yield ZombieStepped(state.get_first_task(MarchTask).movers[0], action.to))


def _offer_groups(state: State, _player: Player) -> Iterator[Choice]:
    task = state.get_first_task(MarchTask)
    if not task.movers:
        yield Choice(SelectGroup, square=OneOf(tuple(group[0] for group in list_next_groups(state, task))))


def _check_group(_state: State, _player: Player, action: SelectGroup) -> Iterator[Refusal]:
    yield Refusal("zombie.group.2", f"no zombie on {action.square} belongs to a group that may move now")


def _rouse_group(state: State, _player: Player, action: SelectGroup, _dice: Dice) -> Script[State]:
    task = state.get_first_task(MarchTask)
    group = next(group for group in list_next_groups(state, task) if group[0] == action.square)
    return (yield begin_group_move(state, task, group))


VERBS = (
    make_verb(StepTo, ("march",), _offer_step, _step_zombie, rule="zombie.move.5", check=_check_step, carries=True),
    make_verb(SelectGroup, ("march",), _offer_groups, _rouse_group, rule="zombie.group.2", check=_check_group),
)
