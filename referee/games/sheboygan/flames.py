"""What happens with fire (11): events of Sheboygan, and their words."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.engine.text import listing
from referee.games.sheboygan.counters import UnitId, UnitIds
from referee.games.sheboygan.state import BoxName, BoxNames, Die, State
from referee.games.sheboygan.tables import Wind

Dice = Annotated[tuple[Die, ...], Meta(max_length=256)]


class Ignited(Event, frozen=True, tag="ignited"):
    """The monster has tried to set a box on fire, which everybody sees (11.0d)."""

    box: BoxName
    die: Die
    lit: bool

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
    dice: Dice

    def apply(self, state: State) -> State:
        """Who is lost is told next."""
        return state


class FiremenCame(Event, frozen=True, tag="firemen-came"):
    """Firemen, perhaps with the fireboat, are to be placed (11.31b)."""

    units: UnitIds

    def apply(self, state: State) -> State:
        """Take them in hand."""
        return replace(state, hand=self.units, fire="came")


class Doused(Event, frozen=True, tag="doused"):
    """Fires were put out (11.32a, 11.33a)."""

    unit: UnitId
    boxes: Annotated[tuple[BoxName, ...], Meta(min_length=1, max_length=2)]

    def apply(self, state: State) -> State:
        """The markers go; what has burnt down is rubble already (11.12b), another box is as it was (11.13a)."""
        flames = {box: age for box, age in state.flames.items() if box not in self.boxes}
        return replace(state, flames=flames, doused=state.doused | {self.unit})


class Blew(Event, frozen=True, tag="blew"):
    """The wind of this Fire Phase (11.21a)."""

    die: Die
    wind: Wind

    def apply(self, state: State) -> State:
        """It matters for the throws that follow, and ends the phase."""
        return replace(state, blown=True)


class Spread(Event, frozen=True, tag="spread"):
    """Fire has spread, or not, to the boxes that it threatened (11.22a)."""

    boxes: BoxNames
    needs: Dice
    """What each needs at least to catch fire."""
    dice: Dice

    @property
    def lit(self) -> tuple[str, ...]:
        """The boxes that have caught fire."""
        thrown = zip(self.boxes, self.needs, self.dice, strict=True)
        return tuple(box for box, need, die in thrown if die >= need)

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

    def apply(self, state: State) -> State:
        """Turn them; what has burnt down goes on burning (C27)."""
        flames = {box: age + 1 if box in self.turned else age for box, age in state.flames.items()}
        return replace(state, flames=flames, rubble=state.rubble.union(self.burnt), points=state.points + self.points)


FireEvent = Ignited | Braved | FiremenCame | Doused | Blew | Spread | Aged


def told(event: FireEvent) -> str:
    """A fire event as one line that a person can act on."""
    match event:
        case Ignited(box, die, lit):
            what = f"put flames in {box}, 1 to the south" if lit else "no fire"
            return f"Fire attempt at {box}, die {die}: {what}."
        case Braved(units, dice):
            thrown = [f"{unit} throws {die}" for unit, die in zip(units, dice, strict=True)]
            return f"In the flames, {listing(thrown)}: 1 or 2 is the end."
        case FiremenCame(units):
            return f"The fire brigade comes: {' '.join(units)} to be placed."
        case Doused(unit, boxes):
            return f"{unit} puts out the fire in {listing(boxes)}: take the flames off."
        case Blew(die, wind):
            return f"Wind, die {die}: " + ("the air is calm." if wind == "calm" else f"it blows to the {wind}.")
        case Spread():
            return _spread(event)
        case Aged(turned, burnt, points):
            rubble = f" {listing(burnt)} burnt down: rubble, still on fire; {points} Victory Points." if burnt else ""
            return f"Turn the flames in {listing(turned)}.{rubble}"


def _spread(event: Spread) -> str:
    thrown = zip(event.boxes, event.dice, event.needs, strict=True)
    line = ", ".join(f"{box} {die} (needs {need})" for box, die, need in thrown)
    what = f"put flames in {listing(event.lit)}, 1 to the south" if event.lit else "it does not spread"
    return f"Fire threatens {line}: {what}."
