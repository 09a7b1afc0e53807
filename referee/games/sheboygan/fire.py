"""Fire: starting it (11.0), the fire brigade (11.31), fighting it (11.32, 11.33), and how it spreads (11.2)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.aim import ONLY_READ, Aim
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.legal import Action, Choice, OneOf, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.games.sheboygan.counters import Piece, UnitId, UnitIds, in_order, listed, numbered
from referee.games.sheboygan.notation import Box, Reader, reads
from referee.games.sheboygan.order import late, verb
from referee.games.sheboygan.settling import eliminated, scorch, settle
from referee.games.sheboygan.state import BURNT_OUT, BoxName, BoxNames, Die, State
from referee.games.sheboygan.tables import Wind

Faces = Annotated[tuple[Die, ...], Meta(max_length=256)]
ATTEMPTS = 3
"""Fire attempts in a Monster Movement Phase (11.0b), whatever was wrecked besides (11.0c)."""
LIGHTS = 3
"""The highest face of the die that starts a fire (11.0d)."""
KILLS = 2
"""The highest face that eliminates a unit in a box which catches fire (11.41a)."""
HOSES = 2
"""Fires that the fireboat puts out in a phase (11.33a)."""
HIGHEST = 6
"""A box next to one fire catches on this (11.22a)."""
WIND = Need("wind", 1, 6, aims=ONLY_READ, rule="11.21a")


# Starting fires


class Ignited(Event, frozen=True, tag="ignited"):
    """The monster has tried to set a box on fire, which everybody sees (11.0d)."""

    box: BoxName
    die: Die
    lit: bool

    def tell(self) -> str:
        """Whether it burns."""
        what = f"put flames in {self.box}, 1 to the south" if self.lit else "no fire"
        return f"Fire attempt at {self.box}, die {self.die}: {what}."

    def apply(self, state: State) -> State:
        """A new marker shows its side 1 (11.11a, 11.13b). The first attempt brings the firemen (11.31a, C52)."""
        return replace(
            state,
            flames={**state.flames, self.box: 1} if self.lit else state.flames,
            ignitions=state.ignitions + 1,
            fire="due" if state.fire == "none" else state.fire,
            known=tuple(dict.fromkeys((*state.known, "fire-breathing"))),
        )


class Braved(Event, frozen=True, tag="braved"):
    """Units where a fire has started have thrown for their lives (11.41a)."""

    units: UnitIds
    dice: Faces

    def tell(self) -> str:
        """Who throws what."""
        thrown = [f"{unit} throws {die}" for unit, die in zip(self.units, self.dice, strict=True)]
        return f"In the flames, {listing(thrown)}: 1 or 2 is the end."

    def apply(self, state: State) -> State:
        """Who is lost is told next."""
        return state


def can_catch(state: State, box: str) -> bool:
    """Whether a box can be set on fire: a building or a park (11.25a) that is neither rubble (11.25b) nor on fire."""
    return box in state.board.burnable and box not in state.rubble and box not in state.flames


class Ignite(Action, frozen=True, tag="ignite"):
    """Try to set a box on fire (11.0b, 13.12a)."""

    says = "ignite {box}"
    box: Box


def _reach(state: State) -> tuple[str, ...]:
    """Boxes that the monster can breathe fire on: adjacent ones, and in flight the one below it (C55)."""
    if state.monster is None:
        return ()
    below = (state.monster,) if state.aloft else ()
    return (*state.board.neighbours[state.monster], *below)


def _ignite_offers(state: State) -> Iterator[Choice]:
    if state.ignitions < ATTEMPTS and state.has("fire-breathing"):
        boxes = tuple(sorted(box for box in _reach(state) if can_catch(state, box)))
        if boxes:
            yield Choice(Ignite, box=OneOf(boxes))


def _check_ignite(state: State, action: Ignite) -> Iterator[Refusal]:
    box = action.box
    if not state.has("fire-breathing"):
        yield Refusal("11.0a", "the monster does not breathe fire")
    elif state.monster is None:
        yield Refusal("C37", "there are no fire attempts before the monster has entered the map")
    elif state.ignitions >= ATTEMPTS:
        yield Refusal("11.0b", f"the monster has made {ATTEMPTS} fire attempts in this phase")
    elif box not in _reach(state):
        yield Refusal("11.0b", f"{box} is not adjacent to {state.monster}")
    elif box in state.rubble:
        yield Refusal("11.25b", f"{box} is rubble and cannot be set on fire")
    elif box in state.flames:
        yield Refusal("C55", f"{box} burns already")
    elif not can_catch(state, box):
        yield Refusal("11.25a", f"only buildings and parks can burn; {box} is a {state.terrain(box)} box")


def _ignite(state: State, action: Ignite, dice: Dice) -> Script[State]:
    aims = (Aim(most=LIGHTS, does=f"ignites {action.box}"),)
    (die,) = dice.throw(Need(f"fire attempt at {action.box}", 1, 6, aims=aims, rule="11.0d"))
    state = yield Ignited(action.box, die, die <= LIGHTS)
    if action.box in state.flames:
        state = yield from _brave(state, (action.box,), dice)
    yield from settle(state)


def _brave(state: State, boxes: tuple[str, ...], dice: Dice) -> Script[State]:
    """A die for each unit but firemen where a fire has started (11.41a); the monster is hurt at once (11.41c)."""
    units = in_order(unit for box in boxes for unit in state.stacks.get(box, ()) if _burns(state, unit))
    if units:
        aims = (Aim(most=KILLS, does="eliminates a unit", good_for="monster"),)
        faces = dice.throw(Need("flames", len(units), 6, each=units, aims=aims, rule="11.41a"))
        state = yield Braved(units, faces)
        lost = [unit for unit, die in zip(units, faces, strict=True) if die <= KILLS]
        if lost:
            state = yield eliminated(state, lost, "flames")
    if state.monster in boxes:
        state = yield from scorch(state)
    return state


def _burns(state: State, unit: str) -> bool:
    """Whether flames harm a unit: all but firemen (11.41b, C30), and helicopters only if the players say so (C56)."""
    return unit[0] != "f" and (unit[0] != "h" or state.options["helicopter-in-flames"] == "lost")


def end_of_movement(state: State) -> Script[State]:
    """Units that end their Movement Phase in flames are eliminated (11.41b), so they had to move out (11.41d)."""
    lost = scorched_by(state)
    if lost:
        state = yield eliminated(state, lost, "flames")
    return state


def scorched_by(state: State) -> list[str]:
    """Units in flames that would be lost if their Movement Phase were over now."""
    movers = [state.control] if state.phase == "monster-move" else list(state.humans)
    return [unit for unit in movers if unit and state.at[unit] in state.flames and _burns(state, unit)]


# The fire brigade


class FiremenCame(Event, frozen=True, tag="firemen-came"):
    """Firemen, perhaps with the fireboat, are to be placed (11.31b)."""

    units: UnitIds

    def tell(self) -> str:
        """Who comes."""
        return f"The fire brigade comes: {' '.join(self.units)} to be placed."

    def apply(self, state: State) -> State:
        """Take them in hand."""
        return replace(state, hand=self.units, fire="came")


class Firemen(Action, frozen=True, tag="firemen"):
    """Choose who comes: four firemen, or three and the fireboat (11.31b)."""

    says = "firemen {force}"
    force: Annotated[str, Meta(pattern=r"^[0-9](\+[0-9])?$")]


FORCES: Mapping[str, tuple[str, ...]] = {
    "4": numbered("f", 1, 4),
    "3+1": (*numbered("f", 1, 3), *numbered("b", 1, 1)),
}
"""The two forces, as they are said."""


def _firemen_offers(state: State) -> Iterator[Choice]:
    if not state.hand:
        yield Choice(Firemen, force=OneOf(tuple(FORCES)))


def _check_firemen(state: State, action: Firemen) -> Iterator[Refusal]:
    if state.hand:
        yield Refusal("11.31b", "the firemen are chosen, and have to be placed")
    elif action.force not in FORCES:
        yield Refusal("11.31b", "there are four firemen (4), or three and a fireboat (3+1)")


def _call_firemen(_state: State, action: Firemen, _dice: Dice) -> Script[State]:
    yield FiremenCame(FORCES[action.force])


# The Fire Phase


class Doused(Event, frozen=True, tag="doused"):
    """Fires were put out (11.32a, 11.33a)."""

    unit: UnitId
    boxes: Annotated[tuple[BoxName, ...], Meta(min_length=1, max_length=2)]
    rubble: BoxNames = ()
    """Those of them that had burnt down, and get a rubble marker now (11.12b)."""

    def tell(self) -> str:
        """What to take off, and what to put there instead."""
        rubble = f" Put a rubble marker in {listing(self.rubble)}." if self.rubble else ""
        return f"{self.unit} puts out the fire in {listing(self.boxes)}: take the flames off.{rubble}"

    def apply(self, state: State) -> State:
        """The markers go; what has burnt down is rubble already (11.12b), another box is as it was (11.13a)."""
        flames = {box: age for box, age in state.flames.items() if box not in self.boxes}
        return replace(state, flames=flames, doused=state.doused | {self.unit})


class Douse(Action, frozen=True, tag="douse"):
    """Put out fires: firemen in their own box, the fireboat in up to two boxes in its range (4.0h, 11.33a)."""

    says = "douse {unit} {boxes}"
    unit: Piece
    boxes: Annotated[tuple[Box, ...], Meta(max_length=40)]


def _within_reach(state: State, unit: str) -> tuple[str, ...]:
    """The fires that a unit could put out: in its own box (11.32a), or within the fireboat's range (11.33a)."""
    here = state.at[unit]
    if unit[0] == "b":
        near = state.board.within(here, state.kind(unit).range)
        return tuple(sorted(box for box in state.flames if box in near))
    return (here,) if unit[0] == "f" and here in state.flames else ()


def _fighters(state: State) -> Iterator[str]:
    """Firemen and fireboats that have put out no fire in this phase."""
    return (unit for unit in state.humans if unit[0] in "fb" and unit not in state.doused)


def dousers(state: State) -> list[str]:
    """Firemen and fireboats that can put out a fire now."""
    return [unit for unit in in_order(_fighters(state)) if _within_reach(state, unit)]


def _douse_offers(state: State) -> Iterator[Choice]:
    for unit in dousers(state):
        fires = _within_reach(state, unit)
        yield Choice(Douse, unit=unit, boxes=Subset(fires, 1, min(len(fires), HOSES)))


def _check_douse(state: State, action: Douse) -> Iterator[Refusal]:
    unit, boxes = action.unit, action.boxes
    if unit not in set(state.humans) or unit[0] not in "fb":
        yield Refusal("4.0h", f"{unit} is no firemen unit or fireboat on the map")
    elif unit in state.doused:
        yield Refusal("11.33a" if unit[0] == "b" else "11.32a", f"{unit} has fought fire in this phase")
    elif unit[0] == "f" and boxes != _within_reach(state, unit):
        yield Refusal("11.32a", f"{unit} puts out a fire in its own box only, {state.at[unit]}")
    elif unit[0] == "b" and not 0 < len(boxes) <= HOSES:
        yield Refusal("11.33a", f"the fireboat puts out one fire, or {HOSES}")
    elif tuple(sorted(set(boxes))) != boxes or not set(boxes) <= set(_within_reach(state, unit)):
        yield Refusal(
            "11.33a", f"the fireboat puts out fires within {state.kind(unit).range} boxes of {state.at[unit]}"
        )


def _douse(state: State, action: Douse, _dice: Dice) -> Script[State]:
    yield Doused(action.unit, action.boxes, tuple(box for box in action.boxes if box in state.rubble))


def _read_douse(reader: Reader) -> Douse:
    """A unit and boxes; firemen need not say where they are."""
    unit = reader.unit()
    if not reader.words and unit[0] == "f" and unit in reader.state.at:
        return Douse(unit, (reader.state.at[unit],))
    return Douse(unit, reader.boxes())


# Wind


class Blew(Event, frozen=True, tag="blew"):
    """The wind of this Fire Phase (11.21a)."""

    die: Die
    wind: Wind

    def tell(self) -> str:
        """Where it blows."""
        return f"Wind, die {self.die}: " + (
            "the air is calm." if self.wind == "calm" else f"it blows to the {self.wind}."
        )

    def apply(self, state: State) -> State:
        """It matters for the throws that follow, and ends the phase."""
        return replace(state, blown=True)


class Spread(Event, frozen=True, tag="spread"):
    """Fire has spread, or not, to the boxes that it threatened (11.22a)."""

    boxes: BoxNames
    needs: Faces
    """What each needs at least to catch fire."""
    dice: Faces
    webs: BoxNames = ()
    """Webs that burn."""
    freed: UnitIds = ()
    """Who was caught in them."""

    @property
    def lit(self) -> tuple[str, ...]:
        """The boxes that have caught fire."""
        thrown = zip(self.boxes, self.needs, self.dice, strict=True)
        return tuple(box for box, need, die in thrown if die >= need)

    def tell(self) -> str:
        """What is threatened, and what burns."""
        thrown = zip(self.boxes, self.dice, self.needs, strict=True)
        line = ", ".join(f"{box} {die} (needs {need})" for box, die, need in thrown)
        what = f"put flames in {listing(self.lit)}, 1 to the south" if self.lit else "it does not spread"
        return f"Fire threatens {line}: {what}.{self._burnt_webs()}"

    def _burnt_webs(self) -> str:
        if not self.webs:
            return ""
        free = f": {listed(self.freed)} can move again" if self.freed else ""
        return f" Take the web off {listing(self.webs)}{free}."

    def apply(self, state: State) -> State:
        """New markers show their side 1 (11.11a); webs burn, and free whom they held (13.22e)."""
        lit = self.lit
        caught = {unit: left for unit, left in state.caught.items() if state.at[unit] not in lit}
        return replace(
            state, flames={**state.flames, **dict.fromkeys(lit, 1)}, webs=state.webs.difference(lit), caught=caught
        )


class Aged(Event, frozen=True, tag="aged"):
    """Flames markers are turned (11.11b), and boxes have burnt down (11.12a)."""

    turned: BoxNames
    burnt: BoxNames
    """Those of them that are rubble now."""
    points: Annotated[int, Meta(ge=0, le=9_999)]
    """Victory Points for those (11.12c)."""

    def tell(self) -> str:
        """What to turn, and what has burnt down."""
        points = count_of(self.points, "Victory Point")
        burnt = f" {listing(self.burnt)} burnt down, with R to the south: rubble that is still on fire; {points}."
        return f"Turn the flames in {listing(self.turned)} to the next side.{burnt if self.burnt else ''}"

    def apply(self, state: State) -> State:
        """Turn them; what has burnt down goes on burning (C27)."""
        flames = {box: age + 1 if box in self.turned else age for box, age in state.flames.items()}
        return replace(state, flames=flames, rubble=state.rubble.union(self.burnt), points=state.points + self.points)


def threatened(state: State, wind: Wind) -> Mapping[str, int]:
    """The boxes that a die is rolled for, in the order of the map, and what each needs to catch fire.

    One less for every burning neighbour after the first (11.22b); one less downwind of one of them, however many
    (11.23a, C29); a fire straight across a street upwind counts as one more neighbour (11.24a, 11.24b, C28). Fires that
    were put out in this phase do not count, nor those that its rolls start (C54).
    """
    board, fires = state.board, Counter[str]()
    downwind: set[str] = set()
    for fire in state.flames:
        fires.update(board.neighbours[fire])
        if wind != "calm":
            downwind.update(board.on_side[wind][fire])
            fires.update(_across(state, fire, wind))
    exposed = sorted((box for box in fires if can_catch(state, box)), key=board.order.__getitem__)
    return {box: max(1, HIGHEST + 1 - fires[box] - (box in downwind)) for box in exposed}


def _across(state: State, fire: str, wind: Wind) -> tuple[str, ...]:
    """Boxes that a fire reaches across a street in this wind."""
    return () if wind == "calm" else state.board.boxes[fire].across(wind)


class TurnToWind(Action, frozen=True, tag="wind"):
    """Find the wind, then whether fires spread (4.0i, 11.21a); then the Game-Turn is over."""

    says = "wind"


def _wind_offers(_state: State) -> Iterator[Choice]:
    yield Choice(TurnToWind, WIND)


def _blow(state: State, _action: TurnToWind, dice: Dice) -> Script[State]:
    """The order is: wind, spread, and then the markers that lay there before are turned (C26)."""
    old = tuple(box for box, age in state.flames.items() if age < BURNT_OUT)
    (die,) = dice.throw(WIND)
    state = yield Blew(die, state.board.tables.wind[die])
    needs = threatened(state, state.board.tables.wind[die])
    if needs:
        boxes = tuple(needs)
        aims = tuple(Aim(need, 6, "ignites it", whose=box, good_for="monster") for box, need in needs.items())
        faces = dice.throw(Need("spread of fire", len(boxes), 6, each=boxes, aims=aims, rule="11.22a"))
        thrown = _spread(state, Spread(boxes, tuple(needs.values()), faces))
        state = yield thrown
        state = yield from _brave(state, thrown.lit, dice)
    if old:
        state = yield _aged(state, old)
    yield from settle(state)


def _spread(state: State, thrown: Spread) -> Spread:
    """The same with the webs that burn, and who is freed (13.22e)."""
    webs = tuple(box for box in thrown.lit if box in state.webs)
    return replace(thrown, webs=webs, freed=in_order(unit for unit in state.caught if state.at[unit] in webs))


def _aged(state: State, old: tuple[str, ...]) -> Aged:
    """Markers at 3 come to R: those boxes have burnt down (11.12a) and score (11.12c); nobody grows by it (11.12d)."""
    burnt = tuple(box for box in old if state.flames[box] == BURNT_OUT - 1)
    effects, boxes = state.board.tables.terrain, state.board.boxes
    return Aged(old, burnt, sum(effects[boxes[box].terrain].vp for box in burnt))


VERBS = (
    verb(
        Ignite,
        ("monster-move",),
        _ignite,
        offers=_ignite_offers,
        check=_check_ignite,
        read=reads(Ignite, Reader.box),
    ),
    verb(Firemen, ("arrival",), _call_firemen, offers=_firemen_offers, check=_check_firemen, late=late("11.31a")),
    verb(Douse, ("fire",), _douse, offers=_douse_offers, check=_check_douse, late=late("4.0h"), read=_read_douse),
    verb(TurnToWind, ("fire",), _blow, offers=_wind_offers, late=late("11.21a")),
)
