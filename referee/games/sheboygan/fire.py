"""Fire: starting it (11.0), the fire brigade (11.31), and fighting it (11.32, 11.33)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.engine.target_number import Target
from referee.engine.text import listing, spell_number
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import PieceId, UnitId, UnitIds, make_unit_names, sort_units
from referee.games.sheboygan.duties import eliminate_units, scorch_monster
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.state import BoxName, BoxNames, Die, State

Faces = Annotated[tuple[Die, ...], Meta(max_length=256)]
MAX_FIRE_ATTEMPTS = 3
"""The most fire attempts in a Monster Movement Phase (11.0b). Destruction attempts are counted apart (11.0c)."""
HIGHEST_IGNITING_FACE = 3
"""The highest face of the die that starts a fire (11.0d)."""
HIGHEST_KILLING_FACE = 2
"""The highest face that eliminates a unit in a box which catches fire (11.41a)."""
MAX_FIRES_PER_BOAT = 2
"""The most fires that the fireboat puts out in a phase (11.33a)."""


# Starting fires


class FireAttempted(Event, frozen=True, tag="ignited"):
    """The monster has tried to set a box on fire, which everybody sees (11.0d)."""

    box: BoxName
    die: Die
    lit: bool

    def tell(self) -> str:
        """Tells the die, and whether the box burns."""
        what = f"put flames in {self.box}, 1 to the south" if self.lit else "no fire"
        return f"Fire attempt at {self.box}, die {self.die}: {what}."

    def apply(self, state: State) -> State:
        """Puts a new marker with its side 1 to the south if the box burns (11.11a, 11.13b).

        The first attempt calls the firemen (11.31a, C52).
        """
        return replace(
            state,
            flames={**state.flames, self.box: 1} if self.lit else state.flames,
            ignitions=state.ignitions + 1,
            fire="due" if state.fire == "none" else state.fire,
            known=tuple(dict.fromkeys((*state.known, "fire-breathing"))),
        )


class FlameDiceRolled(Event, frozen=True, tag="braved"):
    """A die was rolled for each unit in boxes where a fire has started (11.41a)."""

    units: UnitIds
    dice: Faces

    def tell(self) -> str:
        """Tells the die of each unit."""
        rolled = [f"{unit} rolls {die}" for unit, die in zip(self.units, self.dice, strict=True)]
        return f"In the flames, {listing(rolled)}: a unit that rolls 1 or 2 is lost."

    def apply(self, state: State) -> State:
        """Changes nothing. The next event eliminates the lost units."""
        return state


def can_catch_fire(state: State, box: str) -> bool:
    """True if a box can be set on fire: a building or a park (11.25a) that is neither rubble (11.25b) nor on fire."""
    return box in state.board.burnable_boxes and box not in state.rubble and box not in state.flames


class Ignite(Action, frozen=True, tag="ignite"):
    """Try to set a box on fire (11.0b, 13.12a)."""

    says = "ignite {box}"
    box: TypedBox


def _list_boxes_in_reach(state: State) -> tuple[str, ...]:
    """Returns the boxes that the monster can breathe fire on: adjacent ones, and in flight the one below it (C55)."""
    if state.monster is None:
        return ()
    below = (state.monster,) if state.aloft else ()
    return (*state.board.neighbours[state.monster], *below)


def _offer_ignite(state: State) -> Iterator[Choice]:
    if state.ignitions < MAX_FIRE_ATTEMPTS and state.has_ability("fire-breathing"):
        boxes = tuple(sorted(box for box in _list_boxes_in_reach(state) if can_catch_fire(state, box)))
        if boxes:
            yield Choice(Ignite, box=OneOf(boxes))


def _check_ignite(state: State, action: Ignite) -> Iterator[Refusal]:
    box = action.box
    if not state.has_ability("fire-breathing"):
        yield Refusal("11.0a", "the monster does not breathe fire")
    elif state.monster is None:
        yield Refusal("C37", "the monster cannot try to start fires before it has entered the map")
    elif state.ignitions >= MAX_FIRE_ATTEMPTS:
        yield Refusal("11.0b", f"the monster has made {MAX_FIRE_ATTEMPTS} fire attempts in this phase")
    elif box not in _list_boxes_in_reach(state):
        yield Refusal("11.0b", f"{box} is not adjacent to {state.monster}")
    elif box in state.rubble:
        yield Refusal("11.25b", f"{box} is rubble and cannot be set on fire")
    elif box in state.flames:
        yield Refusal("C55", f"{box} is burning already")
    elif not can_catch_fire(state, box):
        yield Refusal("11.25a", f"only buildings and parks can burn; {box} is a {state.get_terrain(box)} box")


def _ignite_box(state: State, action: Ignite, dice: Dice) -> Script[State]:
    aims = (Target(most=HIGHEST_IGNITING_FACE, does=f"ignites {action.box}"),)
    (die,) = dice.throw(Need(f"fire attempt at {action.box}", 1, 6, aims=aims, rule="11.0d"))
    state = yield FireAttempted(action.box, die, die <= HIGHEST_IGNITING_FACE)
    if action.box in state.flames:
        state = yield from roll_for_units_in_flames(state, (action.box,), dice)
    yield from settle_duties(state)


def roll_for_units_in_flames(state: State, boxes: tuple[str, ...], dice: Dice) -> Script[State]:
    """Rolls a die for each unit that flames harm, in boxes where a fire has started (11.41a).

    Flames in the monster's box hurt it at once (11.41c). Returns the state after all this.
    """
    units = sort_units(unit for box in boxes for unit in state.units_by_box.get(box, ()) if _is_burnt(state, unit))
    if units:
        aims = (Target(most=HIGHEST_KILLING_FACE, does="eliminates a unit", good_for="monster"),)
        faces = dice.throw(Need("flames", len(units), 6, each=units, aims=aims, rule="11.41a"))
        state = yield FlameDiceRolled(units, faces)
        lost = [unit for unit, die in zip(units, faces, strict=True) if die <= HIGHEST_KILLING_FACE]
        if lost:
            state = yield eliminate_units(state, lost, "flames")
    if state.monster in boxes:
        state = yield from scorch_monster(state)
    return state


def _is_burnt(state: State, unit: str) -> bool:
    """True if flames harm a unit: not firemen (11.41b, C30), nor helicopters if the option spares them (C56)."""
    return unit[0] != "f" and (unit[0] != "h" or state.options["helicopter-in-flames"] == "lost")


def eliminate_units_in_flames(state: State) -> Script[State]:
    """Eliminates units that end their Movement Phase in flames (11.41b): they had to move out (11.41d)."""
    lost = list_units_endangered_by_flames(state)
    if lost:
        state = yield eliminate_units(state, lost, "flames")
    return state


def list_units_endangered_by_flames(state: State) -> list[str]:
    """Returns units in flames that would be lost if their Movement Phase were over now."""
    movers = [state.control] if state.phase == "monster-move" else list(state.human_units)
    return [unit for unit in movers if unit and state.at[unit] in state.flames and _is_burnt(state, unit)]


# The fire brigade


class FiremenCame(Event, frozen=True, tag="firemen-came"):
    """Firemen, perhaps with the fireboat, are to be placed (11.31b)."""

    units: UnitIds

    def tell(self) -> str:
        """Tells which units come."""
        return f"The fire brigade comes: {' '.join(self.units)} to be placed."

    def apply(self, state: State) -> State:
        """Puts the units into the hand."""
        return replace(state, hand=self.units, fire="came")


class CallFiremen(Action, frozen=True, tag="firemen"):
    """Choose who comes: four firemen, or three and the fireboat (11.31b)."""

    says = "firemen {force}"
    force: Annotated[str, Meta(pattern=r"^[0-9](\+[0-9])?$")]


FIREMEN_ALONE, FIREMEN_WITH_BOAT = 4, 3
"""The number of firemen in the force without a fireboat, and in the one with it (11.31b)."""
FIREMEN_FORCES: Mapping[str, tuple[str, ...]] = {
    f"{FIREMEN_ALONE}": make_unit_names("f", 1, FIREMEN_ALONE),
    f"{FIREMEN_WITH_BOAT}+1": (*make_unit_names("f", 1, FIREMEN_WITH_BOAT), *make_unit_names("b", 1, 1)),
}
"""The units of the two forces, by the word that is typed for each."""


def _offer_firemen(state: State) -> Iterator[Choice]:
    if not state.hand:
        yield Choice(CallFiremen, force=OneOf(tuple(FIREMEN_FORCES)))


def _check_firemen(state: State, action: CallFiremen) -> Iterator[Refusal]:
    if state.hand:
        yield Refusal("11.31b", "the firemen are chosen, and have to be placed")
    elif action.force not in FIREMEN_FORCES:
        alone, boat = FIREMEN_FORCES
        mixed = f"{spell_number(FIREMEN_WITH_BOAT)} and a fireboat ({boat})"
        yield Refusal("11.31b", f"there are {spell_number(FIREMEN_ALONE)} firemen ({alone}), or {mixed}")


def _call_firemen(_state: State, action: CallFiremen, _dice: Dice) -> Script[State]:
    yield FiremenCame(FIREMEN_FORCES[action.force])


# The Fire Phase


class FiresDoused(Event, frozen=True, tag="doused"):
    """Fires were put out (11.32a, 11.33a)."""

    unit: UnitId
    boxes: Annotated[tuple[BoxName, ...], Meta(min_length=1, max_length=2)]
    rubble: BoxNames = ()
    """The boxes among them that had burnt down and get a rubble marker now (11.12b)."""

    def tell(self) -> str:
        """Tells which flames to take off, and where to put rubble."""
        rubble = f" Put a rubble marker in {listing(self.rubble)}." if self.rubble else ""
        return f"{self.unit} puts out the fire in {listing(self.boxes)}: take the flames off.{rubble}"

    def apply(self, state: State) -> State:
        """Takes the flames off. A burnt-down box is already rubble (11.12b); any other is as before (11.13a)."""
        flames = {box: age for box, age in state.flames.items() if box not in self.boxes}
        return replace(state, flames=flames, doused=state.doused | {self.unit})


class Douse(Action, frozen=True, tag="douse"):
    """Put out fires: firemen in their own box, the fireboat in up to two boxes in its range (4.0h, 11.33a)."""

    says = "douse {unit} {boxes}"
    unit: PieceId
    boxes: Annotated[tuple[TypedBox, ...], Meta(max_length=40)]


def _list_fires_in_reach(state: State, unit: str) -> tuple[str, ...]:
    """Returns the fires that a unit could put out: in its own box (11.32a), or within the fireboat's range (11.33a)."""
    here = state.at[unit]
    if unit[0] == "b":
        near = state.board.find_boxes_within(here, state.get_unit_type(unit).range)
        return tuple(sorted(box for box in state.flames if box in near))
    return (here,) if unit[0] == "f" and here in state.flames else ()


def _list_fighters(state: State) -> Iterator[str]:
    """Yields the firemen and fireboats that have put out no fire in this phase."""
    return (unit for unit in state.human_units if unit[0] in "fb" and unit not in state.doused)


def list_units_able_to_douse(state: State) -> list[str]:
    """Returns the firemen and fireboats that can put out a fire now."""
    return [unit for unit in sort_units(_list_fighters(state)) if _list_fires_in_reach(state, unit)]


def _offer_douse(state: State) -> Iterator[Choice]:
    for unit in list_units_able_to_douse(state):
        fires = _list_fires_in_reach(state, unit)
        yield Choice(Douse, unit=unit, boxes=Subset(fires, 1, min(len(fires), MAX_FIRES_PER_BOAT)))


def _check_douse(state: State, action: Douse) -> Iterator[Refusal]:
    unit, boxes = action.unit, action.boxes
    if unit == state.control:
        yield Refusal("13.27d", f"{unit} is under the monster's control and puts out no fire")
    elif unit not in set(state.human_units) or unit[0] not in "fb":
        yield Refusal("4.0h", f"{unit} is not a firemen unit or fireboat on the map")
    elif unit in state.doused:
        yield Refusal("11.33a" if unit[0] == "b" else "11.32a", f"{unit} has already fought a fire in this phase")
    elif unit[0] == "f" and boxes != _list_fires_in_reach(state, unit):
        yield Refusal("11.32a", f"{unit} puts out a fire in its own box only, {state.at[unit]}")
    elif unit[0] == "b" and not 0 < len(boxes) <= MAX_FIRES_PER_BOAT:
        yield Refusal("11.33a", f"the fireboat puts out one fire, or {MAX_FIRES_PER_BOAT}")
    elif tuple(sorted(set(boxes))) != boxes or not set(boxes) <= set(_list_fires_in_reach(state, unit)):
        yield Refusal(
            "11.33a", f"the fireboat puts out fires within {state.get_unit_type(unit).range} boxes of {state.at[unit]}"
        )


def _douse_fires(state: State, action: Douse, _dice: Dice) -> Script[State]:
    yield FiresDoused(action.unit, action.boxes, tuple(box for box in action.boxes if box in state.rubble))


def _read_douse(reader: Reader) -> Douse:
    """Reads a unit and boxes. For firemen the box may be left out, because it is their own."""
    unit = reader.read_unit()
    if not reader.words and unit[0] == "f" and unit in reader.state.at:
        return Douse(unit, (reader.state.at[unit],))
    return Douse(unit, reader.read_boxes())


VERBS = (
    make_verb(
        Ignite,
        ("monster-move",),
        _ignite_box,
        offers=_offer_ignite,
        check=_check_ignite,
        read=make_reader(Ignite, Reader.read_box),
    ),
    make_verb(
        CallFiremen,
        ("arrival",),
        _call_firemen,
        offers=_offer_firemen,
        check=_check_firemen,
        late=make_late_check("11.31a"),
    ),
    make_verb(
        Douse,
        ("fire",),
        _douse_fires,
        offers=_offer_douse,
        check=_check_douse,
        late=make_late_check("4.0h"),
        read=_read_douse,
        carries=True,
    ),
)
