"""Free zombies that see a hero step towards him, group by group (zombie.move.1 to zombie.move.9, zombie.group.1 to
zombie.group.3). The player on turn chooses which group moves next, and of two equally good squares one
(ruling.zombie-order, ruling.zombie-step-choice), or leaves that to the referee (ruling.zombie-auto). Movement trays
carry them and change nothing (comp.trays).
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.once import latest
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.games.zombies.board import Square, Squares, Steps, kings_moves, side_steps, spot_of
from referee.games.zombies.components import HeroId
from referee.games.zombies.ground import linked
from referee.games.zombies.order import verb
from referee.games.zombies.player import Player
from referee.games.zombies.pursuing import target_of, walkers
from referee.games.zombies.state import State, Task
from referee.games.zombies.stepping import Hunt, steps_of


class March(Task, frozen=True, tag="march"):
    """Zombies that see a hero step towards him, group by group (zombie.move.1)."""

    rule: ClassVar[str] = "zombie.move.5"
    groups: Annotated[tuple[Squares, ...], Meta(max_length=100)]
    """Groups that have not moved, with all members."""
    movers: Squares = ()
    """Of the group that moves: who has still to step, in order."""
    made: Steps = ()
    """Steps that it has made."""
    whole: Squares = ()
    """Squares of all that hung together with it when it began, as they are now."""
    target: HeroId | None = None
    again: Annotated[int, Meta(ge=0, le=5)] = 0
    """Rounds of steps that the group has left after this one, under a speed mutation."""

    @property
    def todo(self) -> str:
        """Where a zombie steps, else which group is next."""
        if self.movers:
            return f"say, or leave to auto, which way the zombie on {self.movers[0]} steps"
        return "say, or leave to auto, which group of zombies moves next"

    def forced(self, state: State) -> Event | None:
        """The next step that needs no word from the player on turn; None: he has to choose."""
        if self.movers:
            return _next_step(state, self)
        if self.target:
            return _end_round(state, self)
        groups = next_groups(state, self)
        if len(groups) == 1:
            return rouse(state, self, groups[0])
        return None if groups else GroupDone(None)


# What happens


class GroupRoused(Event, frozen=True, tag="group-roused"):
    """A group of zombies sees a hero and goes for him (zombie.move.5, zombie.group.2)."""

    hero: HeroId
    """The hero it goes for."""
    march: March
    """How it goes on."""

    def tell(self) -> str:
        """How many go, and for whom."""
        many = len(self.march.movers)
        return f"{count_of(many, 'zombie')} {'goes' if many == 1 else 'go'} for {self.hero}."

    def apply(self, state: State) -> State:
        """Its members step next."""
        return replace(state, agenda=(self.march, *state.agenda[1:]))


class Stepped(Event, frozen=True, tag="stepped"):
    """A zombie has taken a step (zombie.move.3)."""

    told = "Move the zombie on {origin} to {to}."
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Move it; its group remembers."""
        march = state.first(March)
        state = replace(state, zombies=moved(state, ((self.origin, self.to),)))
        whole = state.board.in_order(self.to if square == self.origin else square for square in march.whole)
        made = (*march.made, (self.origin, self.to))
        return state.with_task(movers=march.movers[1:], made=made, whole=whole)


class Stayed(Event, frozen=True, tag="stayed"):
    """A zombie finds no square nearer to the hero (ruling.zombie-toward)."""

    told = "The zombie on {at} finds no way nearer."
    at: Square

    def apply(self, state: State) -> State:
        """The next one steps."""
        return state.with_task(movers=state.first(March).movers[1:])


class StayedWithGroup(Event, frozen=True, tag="stayed-with-group"):
    """A zombie could step, and would part its group by it (zombie.group.3)."""

    told = "The zombie on {at} stays with its group."
    at: Square

    def apply(self, state: State) -> State:
        """The next one steps."""
        return state.with_task(movers=state.first(March).movers[1:])


class TakenBack(Event, frozen=True, tag="taken-back"):
    """A step that had parted a group was taken back: in games of rules version 1, where such steps were offered."""

    told = "Move the zombie on {to} back to {origin}: the group stays whole."
    origin: Square
    """Where it goes back to."""
    to: Square

    def apply(self, state: State) -> State:
        """Move it back."""
        march = state.first(March)
        state = replace(state, zombies=moved(state, ((self.to, self.origin),)))
        whole = state.board.in_order(self.origin if square == self.to else square for square in march.whole)
        return state.with_task(made=march.made[:-1], whole=whole)


class GroupDone(Event, frozen=True, tag="group-done"):
    """A group has moved; the next one is to."""

    told = "The group has moved."
    march: March | None
    """What is left; None: all have moved."""

    def apply(self, state: State) -> State:
        """Go on with that."""
        return replace(state, agenda=((self.march,) if self.march else ()) + state.agenda[1:])


def moved(state: State, steps: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Where zombies stand after some of them have moved at once."""
    to, zombies = dict(steps), state.zombies
    return dict(zip(map(to.get, zombies, zombies), zombies.values(), strict=True))


# Groups


def roused(state: State) -> March | None:
    """The march of a zombie phase: every group on the level of the hero on turn that has somebody to go for, and
    somebody who can go (zombie.scope.1, zombie.scope.2, zombie.move.1).
    """
    left = state.wild & state.level_of(state.on_turn.at)
    groups = []
    while left:
        group = linked(state.ground.touching, left & -left, left)
        left ^= group
        if walkers(state, group) and target_of(state, group):
            groups.append(state.board.names(group))
    return March(by=state.on_turn.hero, groups=tuple(groups)) if groups else None


def _in_step(state: State, members: tuple[str, ...], hero: Player) -> tuple[str, ...]:
    """Who steps, the nearest to the hero first, ties in reading order (ruling.group-move)."""
    going = walkers(state, state.board.set_of(members))
    who = [member for member in members if state.board.bit[member] & going]
    return tuple(sorted(who, key=lambda member: side_steps(member, hero.at)))


def next_groups(state: State, task: March) -> tuple[tuple[str, ...], ...]:
    """Of which groups one moves next: the one that is in nobody's way, else any of those that are nearest to whom they
    go for, so that none is held up by one behind it (ruling.zombie-order).
    """
    groups = _still_free(state, task)
    if len(groups) < 2:
        return groups
    reach = {group: _reach(state, group) for group in groups}
    for group in groups:
        near = state.ground.touching(reach[group]) | reach[group]
        if not any(near & reach[other] for other in groups if other is not group):
            return (group,)
    away = {group: _nearness(state, group) for group in groups}
    return tuple(group for group in groups if away[group] == min(away.values()))


def _nearness(state: State, group: tuple[str, ...]) -> int:
    """Steps from a group to the hero whom it goes for."""
    hero = target_of(state, state.board.set_of(group))
    return min(side_steps(member, hero.at) for member in group) if hero else 0


@latest
def _still_free(state: State, task: March) -> tuple[tuple[str, ...], ...]:
    """Groups that have not moved, without those who meanwhile belong to a horde (zhero.horde.1), and without such as
    see nobody any more, for that or because a hero gave up who made a noise (ruling.noisy).
    """
    found = []
    for group in task.groups:
        left = state.board.set_of(group) & state.wild
        if left and target_of(state, left):
            found.append(group if left.bit_count() == len(group) else state.board.names(left))
    return tuple(found)


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
    if state.mutated(state.on_turn.at[0], "diagonal"):
        return state.ground.touching(squares)
    return state.ground.beside(squares)


def _extra_rounds(state: State) -> int:
    """Further squares under a speed mutation (zombie.move.3, ruling.mutation-stack)."""
    return sum(card.amount - 1 for card in state.mutated(state.on_turn.at[0], "speed"))


# Steps


def steps_for(state: State, task: March) -> tuple[str, ...]:
    """The squares among which the next zombie may step: free ones that bring it nearest to the hero, and let as many of
    its group go as can (zombie.move.5, zombie.move.9, ruling.zombie-toward, ruling.group-move).
    """
    movers = tuple(map(state.board.bit.__getitem__, task.movers))
    return state.board.names(steps_of(_hunt(state, task), movers, state.free, state.board.set_of(task.whole)))


def _hunt(state: State, task: March) -> Hunt:
    """How far everybody is from the hero, and which steps there are."""
    hero = state.players[task.target or ""].at
    return Hunt(state.ground, hero, bool(state.mutated(state.on_turn.at[0], "diagonal")))


@latest
def choices_for(state: State, task: March) -> tuple[str, ...]:
    """Of several such squares the option may choose one (ruling.zombie-step-choice)."""
    squares, option = steps_for(state, task), state.options["zombie-step-choice"]
    if option == "compass":
        return tuple(sorted(squares, key=lambda square: _compass(task.movers[0], square)))[:1]
    return (along(state, task, squares),) if squares and option == "long-axis" else squares


def along(state: State, task: March, squares: tuple[str, ...]) -> str:
    """Of several squares for a zombie the one along the larger difference; upright where both are equal."""
    zombie, hero = task.movers[0], state.players[task.target or ""].at
    return min(squares, key=lambda square: _off_axis(zombie, hero, square))


def _off_axis(origin: str, hero: str, to: str) -> bool:
    """Whether a step is not along the larger difference, upright where both are equal."""
    (x, y), (x2, y2) = spot_of(origin), spot_of(hero)
    upright = abs(y2 - y) >= abs(x2 - x)
    return (to[1] == origin[1]) != upright


def _compass(origin: str, to: str) -> int:
    """North, east, south, west, then the diagonals in the same sense."""
    (x, y), (x2, y2) = spot_of(origin), spot_of(to)
    return ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)).index((x2 - x, y2 - y))


def _next_step(state: State, task: March) -> Event | None:
    """What the next zombie does; None: there are several squares as good."""
    zombie, squares = task.movers[0], choices_for(state, task)
    if not squares:
        return StayedWithGroup(zombie) if _nearer(state, task) else Stayed(zombie)
    return Stepped(zombie, squares[0]) if len(squares) == 1 else None


def _nearer(state: State, task: March) -> int:
    """Free squares that are nearer to the hero, whatever becomes of the group."""
    hunt = _hunt(state, task)
    return hunt.nearer(state.board.bit[task.movers[0]]) & state.free


def rouse(state: State, task: March, group: tuple[str, ...]) -> GroupRoused:
    """A group begins; what it hangs together with by now must not be parted either (zombie.group.1, zombie.group.2)."""
    hero = target_of(state, state.board.set_of(group))
    assert hero is not None, "only groups with a target march"
    whole = linked(state.ground.touching, state.board.set_of(group), state.wild & state.level_of(group[0]))
    march = replace(
        task,
        groups=tuple(each for each in _still_free(state, task) if each != group),
        movers=_in_step(state, group, hero),
        made=(),
        whole=state.board.names(whole),
        target=hero.hero,
        again=_extra_rounds(state),
    )
    return GroupRoused(hero.hero, march)


def _end_round(state: State, task: March) -> Event:
    """Under a speed mutation those who have stepped go on."""
    if task.again and task.made:
        hero = state.players[task.target or ""]
        stepped = tuple(to for _, to in task.made)
        march = replace(task, movers=_in_step(state, stepped, hero), made=(), again=task.again - 1)
        return GroupRoused(hero.hero, march)
    left = replace(task, movers=(), made=(), whole=(), target=None, again=0)
    return GroupDone(left if left.groups else None)


# What the player on turn chooses


class StepTo(Action, frozen=True, tag="step"):
    """Say which of two equally good squares the next zombie steps on (ruling.zombie-step-choice)."""

    says = "step {to}"
    to: Square


class RouseGroup(Action, frozen=True, tag="group"):
    """Say which group of zombies moves next, by the square of a member (ruling.zombie-order)."""

    says = "group {square}"
    square: Square


def _step_offers(state: State, _player: Player) -> Iterator[Choice]:
    task = state.first(March)
    if task.movers:
        yield Choice(StepTo, to=OneOf(choices_for(state, task)))


def _step_reasons(state: State, _player: Player, action: StepTo) -> Iterator[Refusal]:
    task = state.first(March)
    if not task.movers:
        yield Refusal("zombie.group.2", "say first which group moves")
        return
    zombie = task.movers[0]
    if action.to == zombie:
        yield Refusal("zombie.move.3", f"the zombie stands on {zombie}; it steps to another square")
        return
    if action.to not in state.board.index or not state.board.bit[action.to] & state.free:
        yield Refusal("zombie.move.9", f"{action.to} is occupied or closed")
    if action.to[0] != zombie[0] or kings_moves(zombie, action.to) != 1:
        yield Refusal("zombie.move.3", f"{action.to} is not one square from {zombie}")
    elif not steps_from(state, state.board.bit[zombie]) & state.board.bit.get(action.to, 0):
        yield Refusal("zombie.move.4", f"no step sideways or up or down leads from {zombie} to {action.to}")
    else:
        yield Refusal("zombie.move.5", f"{action.to} is not the way from {zombie} to {task.target}")


def _step(state: State, _player: Player, action: StepTo, _dice: Dice) -> Script[State]:
    return (yield Stepped(state.first(March).movers[0], action.to))


def _group_offers(state: State, _player: Player) -> Iterator[Choice]:
    task = state.first(March)
    if not task.movers:
        yield Choice(RouseGroup, square=OneOf(tuple(group[0] for group in next_groups(state, task))))


def _group_reasons(_state: State, _player: Player, action: RouseGroup) -> Iterator[Refusal]:
    yield Refusal("zombie.group.2", f"no group that may move now is named by {action.square}")


def _group(state: State, _player: Player, action: RouseGroup, _dice: Dice) -> Script[State]:
    task = state.first(March)
    group = next(group for group in next_groups(state, task) if group[0] == action.square)
    return (yield rouse(state, task, group))


VERBS = (
    verb(StepTo, ("march",), _step_offers, _step, rule="zombie.move.5", check=_step_reasons, carries=True),
    verb(RouseGroup, ("march",), _group_offers, _group, rule="zombie.group.2", check=_group_reasons),
)
