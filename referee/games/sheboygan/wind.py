"""Wind: fires spread with it, grow old and go out (11.2)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.target_number import ONLY_READ, Target
from referee.engine.text import count_of, listing
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import UnitIds, format_units, sort_units
from referee.games.sheboygan.fire import Faces, can_catch_fire, roll_for_units_in_flames
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.state import BURNT_OUT_AGE, BoxNames, Die, State
from referee.games.sheboygan.tables import WindDirection

LONE_FIRE_FACE = 6
"""The face on which a box next to one fire catches fire (11.22a)."""
WIND_NEED = Need("wind", 1, 6, aims=ONLY_READ, rule="11.21a")


class WindBlew(Event, frozen=True, tag="blew"):
    """The wind of this Fire Phase (11.21a)."""

    die: Die
    wind: WindDirection

    def tell(self) -> str:
        """Tells where the wind blows."""
        return f"Wind, die {self.die}: " + (
            "the air is calm." if self.wind == "calm" else f"it blows to the {self.wind}."
        )

    def apply(self, state: State) -> State:
        """Records that the wind has blown: the phase is over when its rolls are done."""
        return replace(state, blown=True)


class FireSpread(Event, frozen=True, tag="spread"):
    """Fire has spread, or not, to the boxes that it threatened (11.22a)."""

    boxes: BoxNames
    needs: Faces
    """The least face at which each box catches fire."""
    dice: Faces
    webs: BoxNames = ()
    """Webs that burn."""
    freed: UnitIds = ()
    """The units that were caught in these webs."""

    @property
    def newly_lit_boxes(self) -> tuple[str, ...]:
        """The boxes that have caught fire."""
        thrown = zip(self.boxes, self.needs, self.dice, strict=True)
        return tuple(box for box, need, die in thrown if die >= need)

    def tell(self) -> str:
        """Tells which boxes are threatened, and which burn now."""
        thrown = zip(self.boxes, self.dice, self.needs, strict=True)
        line = ", ".join(f"{box} {die} (needs {need})" for box, die, need in thrown)
        what = (
            f"put flames in {listing(self.newly_lit_boxes)}, 1 to the south"
            if self.newly_lit_boxes
            else "it does not spread"
        )
        return f"Fire threatens {line}: {what}.{self._describe_burnt_webs()}"

    def _describe_burnt_webs(self) -> str:
        if not self.webs:
            return ""
        free = f": {format_units(self.freed)} can move again" if self.freed else ""
        return f" Take the web off {listing(self.webs)}{free}."

    def apply(self, state: State) -> State:
        """Puts new markers with side 1 to the south (11.11a). Webs burn, and units in them are free (13.22e)."""
        lit = self.newly_lit_boxes
        caught = {unit: left for unit, left in state.caught.items() if state.at[unit] not in lit}
        return replace(
            state, flames={**state.flames, **dict.fromkeys(lit, 1)}, webs=state.webs.difference(lit), caught=caught
        )


class FiresAged(Event, frozen=True, tag="aged"):
    """Flames markers are turned (11.11b), and boxes have burnt down (11.12a)."""

    turned: BoxNames
    burnt: BoxNames
    """The boxes among them that are rubble now."""
    points: Annotated[int, Meta(ge=0, le=9_999)]
    """Victory Points for the boxes that burnt down (11.12c)."""

    def tell(self) -> str:
        """Tells which markers to turn, and which boxes have burnt down."""
        points = count_of(self.points, "Victory Point")
        burnt = f" {listing(self.burnt)} burnt down, with R to the south: rubble that is still on fire; {points}."
        return f"Turn the flames in {listing(self.turned)} to the next side.{burnt if self.burnt else ''}"

    def apply(self, state: State) -> State:
        """Turns the markers. Boxes that have burnt down are rubble, and go on burning (C27)."""
        flames = {box: age + 1 if box in self.turned else age for box, age in state.flames.items()}
        return replace(state, flames=flames, rubble=state.rubble.union(self.burnt), points=state.points + self.points)


def find_threatened_boxes(state: State, wind: WindDirection) -> Mapping[str, int]:
    """Returns the boxes for which a die is rolled, in the order of the map, each with its least face to catch fire.

    The least face is 6 with one burning neighbour, and 1 lower for each further neighbour that burns (11.22b). Downwind
    of any of these neighbours it is another 1 lower (11.23a, C29). A fire straight across a street upwind counts as one
    more neighbour (11.24a, 11.24b, C28). Fires that were put out in this phase do not count, nor fires that its rolls
    start (C54).
    """
    board, fires = state.board, Counter[str]()
    downwind: set[str] = set()
    for fire in state.flames:
        fires.update(board.neighbours[fire])
        if wind != "calm":
            downwind.update(board.neighbours_by_side[wind][fire])
            fires.update(board.boxes[fire].list_boxes_across(wind))
    exposed = sorted((box for box in fires if can_catch_fire(state, box)), key=board.box_sort_order.__getitem__)
    return {box: max(1, LONE_FIRE_FACE + 1 - fires[box] - (box in downwind)) for box in exposed}


class RollForWind(Action, frozen=True, tag="wind"):
    """Find the wind, then whether fires spread (4.0i, 11.21a); then the turn is over."""

    says = "wind"


def _offer_wind(_state: State) -> Iterator[Choice]:
    yield Choice(RollForWind, WIND_NEED)


def _blow_wind(state: State, _action: RollForWind, dice: Dice) -> Script[State]:
    """Rolls for the wind, then for the spread of fire, then turns the markers that were there before (C26)."""
    old = tuple(box for box, age in state.flames.items() if age < BURNT_OUT_AGE)
    (die,) = dice.throw(WIND_NEED)
    state = yield WindBlew(die, state.board.tables.wind[die])
    needs = find_threatened_boxes(state, state.board.tables.wind[die])
    if needs:
        boxes = tuple(needs)
        aims = tuple(Target(need, 6, "ignites it", whose=box, good_for="monster") for box, need in needs.items())
        faces = dice.throw(Need("spread of fire", len(boxes), 6, each=boxes, aims=aims, rule="11.22a"))
        thrown = _make_spread_event(state, FireSpread(boxes, tuple(needs.values()), faces))
        state = yield thrown
        state = yield from roll_for_units_in_flames(state, thrown.newly_lit_boxes, dice)
    if old:
        state = yield _make_aging_event(state, old)
    yield from settle_duties(state)


def _make_spread_event(state: State, thrown: FireSpread) -> FireSpread:
    """Returns the event with the webs that burn, and the units that are freed (13.22e)."""
    webs = tuple(box for box in thrown.newly_lit_boxes if box in state.webs)
    return replace(thrown, webs=webs, freed=sort_units(unit for unit in state.caught if state.at[unit] in webs))


def _make_aging_event(state: State, old: tuple[str, ...]) -> FiresAged:
    """Returns the event that turns the markers.

    Boxes whose marker goes from 3 to R have burnt down (11.12a) and score (11.12c). The monster does not grow by them
    (11.12d).
    """
    burnt = tuple(box for box in old if state.flames[box] == BURNT_OUT_AGE - 1)
    effects, boxes = state.board.tables.terrain, state.board.boxes
    return FiresAged(old, burnt, sum(effects[boxes[box].terrain].vp for box in burnt))


VERBS = (make_verb(RollForWind, ("fire",), _blow_wind, offers=_offer_wind, late=make_late_check("11.21a")),)
