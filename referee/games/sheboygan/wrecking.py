"""Destruction attempts: the monster turns buildings into rubble, and bridges into nothing (7.0)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import Between, OneOf
from referee.engine.target_number import Target
from referee.engine.text import count_of
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.duties import GrowthDuty, eliminate_units
from referee.games.sheboygan.notation import Reader, TypedBox
from referee.games.sheboygan.options import GROWTH_PER_BOX
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import BoxName, Die, Points, SmallNumber, State
from referee.games.sheboygan.strengths import Strength
from referee.games.sheboygan.victory import describe_victory_points

MAX_DESTRUCTION_ATTEMPTS = 3
"""The most destruction attempts in a Monster Movement Phase (7.0a)."""


class WreckAttempted(Event, frozen=True, tag="attempted"):
    """The monster has tried to destroy a box (7.0a)."""

    box: BoxName
    strength: SmallNumber
    column: str
    die: Die

    def tell(self) -> str:
        """Tells which box the monster tries to destroy, with the odds and the die."""
        points = count_of(self.strength, "point")
        return f"The monster tries to destroy {self.box} with {points}: {self.column}, die {self.die}."

    def apply(self, state: State) -> State:
        """Spends the points, and counts the attempt."""
        return replace(state, smashed=state.smashed + self.strength, attempts=state.attempts + 1)


class BoxDestroyed(Event, frozen=True, tag="wrecked"):
    """A box was destroyed (7.11a, 7.12a)."""

    box: BoxName
    points: Points
    """Victory Points."""
    grows: SmallNumber = 0
    """The points by which the monster may grow."""
    doused: bool = False
    """True if flames lie there, which come off."""
    below: BoxName | None = None
    """The river box above which a monster in flight is once its bridge is gone."""

    def tell(self) -> str:
        """Tells which markers to put and to take off, and the points that are scored."""
        marker = "an inverted rubble marker" if self.box.startswith("BR") else "a rubble marker"
        flames = " and take the flames off" if self.doused else ""
        monster = f" Put the monster in {self.below}, in flight." if self.below else ""
        return f"{self.box} is destroyed. Put {marker} there{flames}.{monster}{describe_victory_points(self.points)}"

    def apply(self, state: State) -> State:
        """Makes the box rubble, or a bridge a ruin. Flames there go out (C53)."""
        flames = {box: age for box, age in state.flames.items() if box != self.box}
        due = (*state.due, GrowthDuty(self.grows)) if self.grows else state.due
        points = state.points + self.points
        if state.board.boxes[self.box].terrain == "bridge":
            below = state.board.other_box_in_space[self.box] if state.monster == self.box else state.monster
            ruins = state.ruins | {self.box}
            return replace(state, ruins=ruins, monster=below, flames=flames, points=points, due=due)
        return replace(state, rubble=state.rubble | {self.box}, flames=flames, points=points, due=due)


class Wreck(Action, frozen=True, tag="wreck"):
    """Try to destroy a building (5.4c, 5.4d) or a bridge (5.4e) with a number of destruction points (7.0a, 7.0e)."""

    says = "wreck {box} {points}"
    box: TypedBox
    points: Strength


def count_destruction_points_left(state: State) -> int:
    """Returns the destruction points that are left in this Player-Turn (7.0f)."""
    return max(0, state.record_sheet.destruction - state.smashed)


def _list_boxes_in_reach(state: State) -> tuple[str, ...]:
    """Returns the boxes that the monster could destroy: adjacent ones, or in flight the one below it (13.28f).

    There are none before it has entered the map, but it need not have moved (C37). From the river box below a bridge,
    the bridge is adjacent (C23). On the ground the monster cannot destroy a bridge under itself (C75).
    """
    if state.monster is None:
        return ()
    boxes = (state.monster,) if state.aloft else state.board.neighbours[state.monster]
    return tuple(box for box in boxes if state.is_destructible(box))


def _find_least_points(state: State, box: str) -> int:
    """Returns the least points that an attempt on a box takes (7.2c)."""
    tables = state.board.tables
    strength = tables.terrain[state.get_terrain(box)].strength
    return next(points for points in range(1, strength + 1) if tables.destruction.find_column(points, strength))


def _offer_wreck(state: State) -> Iterator[Choice]:
    left = count_destruction_points_left(state)
    if state.attempts >= MAX_DESTRUCTION_ATTEMPTS or not left:
        return
    by_need: dict[int, list[str]] = {}
    for box in _list_boxes_in_reach(state):
        by_need.setdefault(_find_least_points(state, box), []).append(box)
    for need, boxes in sorted(by_need.items()):
        if need <= left:
            yield Choice(Wreck, box=OneOf(tuple(boxes)), points=Between(need, left))


def _check_wreck(state: State, action: Wreck) -> Iterator[Refusal]:
    if state.attempts >= MAX_DESTRUCTION_ATTEMPTS:
        yield Refusal("7.0a", f"{MAX_DESTRUCTION_ATTEMPTS} attempts have been made in this phase")
        yield Refusal("4.0d", f"the monster stops for at most {MAX_DESTRUCTION_ATTEMPTS} attempts")
    if action.box not in _list_boxes_in_reach(state):
        yield from _refuse_box(state, action.box)
        return
    left = count_destruction_points_left(state)
    if action.points > left:
        yield refuse_price("7.0f", Price(action.points, left, "destruction point", "the monster"))
        if not state.smashed:
            yield Refusal("7.0d", f"its destruction strength is {left}")
    if action.points < _find_least_points(state, action.box):
        yield Refusal("7.2c", f"{action.box} takes at least {_find_least_points(state, action.box)} points")


def _refuse_box(state: State, box: str) -> Iterator[Refusal]:
    """Yields the refusal for a box that cannot be destroyed at all, or not from here."""
    if box not in state.board.boxes:
        yield Refusal("2.0b", f"the map has no box {box}")
    elif state.monster is None:
        yield Refusal("C37", "the monster has not entered the map")
    elif not state.is_destructible(box):
        rules = {"street": "5.4a", "park": "5.4b", "tunnel": "5.4f", "river": "5.4g", "rubble": "5.4h"}
        terrain = "no bridge any more" if box in state.ruins else state.get_terrain(box)
        yield Refusal(rules.get(state.get_terrain(box), "7.12a"), f"{box} cannot be destroyed: it is {terrain}")
    elif state.aloft:
        yield Refusal("13.28f", "in flight the monster destroys only what it flies over")
    else:
        yield Refusal("7.0a", f"{box} is not adjacent to the monster")


def _attempt_wreck(state: State, action: Wreck, dice: Dice) -> Script[State]:
    """Rolls a die, as in combat (7.0b, 7.0g, 7.0h). Afterwards the monster may go on (7.0c)."""
    tables = state.board.tables
    effect = tables.terrain[state.get_terrain(action.box)]
    column = tables.destruction.find_column(action.points, effect.strength) or tables.destruction.columns[0]
    aims = (Target(least=min(tables.destruction.list_destroying_faces(column)), does=f"destroys {action.box}"),)
    (die,) = dice.throw(Need(f"the attempt on {action.box} at {column}", 1, 6, aims=aims, rule="7.0b"))
    state = yield WreckAttempted(action.box, action.points, column, die)
    if tables.destruction.destroys(column, die):
        state = yield from _destroy_box(state, action.box, effect.vp)
    yield from settle_duties(state)


def _destroy_box(state: State, box: str, points: int) -> Script[State]:
    """Destroys a box. Units on a bridge are lost, helicopters too (7.13a, C79); others stay where they are (7.13b)."""
    units = state.units_by_box.get(box, ()) if state.get_terrain(box) == "bridge" else ()
    grows = GROWTH_PER_BOX if state.scenario.monster_grows else 0
    below = (
        state.board.other_box_in_space[box]
        if state.is_monster_flying_over(box) and state.get_terrain(box) == "bridge"
        else None
    )
    state = yield BoxDestroyed(box, points, grows, box in state.flames, below)
    if units:
        state = yield eliminate_units(state, units, "bridge")
    return state


def _read_wreck(reader: Reader) -> Wreck:
    box = reader.read_box()
    return Wreck(box, reader.read_number("destruction points"))


VERBS = (
    make_verb(
        Wreck,
        ("monster-move",),
        _attempt_wreck,
        offers=_offer_wreck,
        check=_check_wreck,
        read=_read_wreck,
        carries=True,
    ),
)
