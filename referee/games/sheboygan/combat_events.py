"""Combat and what follows from it: losses, damage, retreats, growth, the monster's death; events of Sheboygan."""

from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.sheboygan.counters import MONSTER, Pieces, UnitId, UnitIds
from referee.games.sheboygan.monster_events import Used
from referee.games.sheboygan.scenarios import Ability
from referee.games.sheboygan.state import (
    AnyDue,
    BoxName,
    Cause,
    Damage,
    Die,
    Dues,
    Few,
    Growth,
    Points,
    State,
)


class Struck(Event, frozen=True, tag="struck"):
    """The monster has attacked units (6.23a)."""

    units: UnitIds
    strength: Few
    column: str
    die: Die
    result: str
    due: Dues
    bolt: bool = False
    """Whether it threw lightning, which everybody sees (13.13a)."""

    def apply(self, state: State) -> State:
        """Points are spent; what follows is due."""
        known = (*state.known, "lightning-throwing") if self.bolt else state.known
        return replace(
            state,
            struck=state.struck + self.strength,
            attacked=state.attacked.union(self.units),
            known=tuple(dict.fromkeys(known)),
            due=self.due,
        )


class Assailed(Event, frozen=True, tag="assailed"):
    """Units have attacked the monster, or others in its power or at its bidding (6.14a, 13.27c)."""

    units: UnitIds
    target: Pieces
    column: str
    die: Die
    result: str
    due: Dues

    def apply(self, state: State) -> State:
        """They have fought in this phase; what follows is due."""
        fought = state.fought.union(self.units)
        attacked = state.attacked if self.target == (MONSTER,) else state.attacked.union(self.target)
        return replace(state, fought=fought, attacked=attacked, due=self.due)


class Volunteered(Event, frozen=True, tag="volunteered"):
    """Infantry makes a suicide assault (9.0b)."""

    unit: UnitId

    def apply(self, state: State) -> State:
        """It attacks with double strength."""
        return replace(state, assaulting=state.assaulting | {self.unit})


class Done(Event, frozen=True, tag="done"):
    """What was due first has been done."""

    def apply(self, state: State) -> State:
        """The next is due."""
        return replace(state, due=state.due[1:])


class StruckOff(Event, frozen=True, tag="struck-off"):
    """Seen by its player alone: damage that is struck off the record besides defense (12.0b, 12.0c)."""

    attack: Few
    destruction: Few
    movement: Few

    def apply(self, state: State) -> State:
        """Reduce the strengths."""
        changes = {"attack": -self.attack, "destruction": -self.destruction, "movement": -self.movement}
        return replace(state, sheet=state.strengthened(**changes))


class Hurt(Event, frozen=True, tag="hurt"):
    """What everybody sees of damage: the part that defense takes (12.0h)."""

    defense: Few

    def apply(self, state: State) -> State:
        """Reduce defense; the damage is dealt with."""
        return replace(state, defense=max(0, state.defense - self.defense), due=state.due[1:])


class Cornered(Event, frozen=True, tag="cornered"):
    """The monster cannot retreat and takes a point of damage (6.33k); its attacks are over (C62)."""

    fled: bool
    """Whether this ends its attacks."""

    def apply(self, state: State) -> State:
        """The damage is due."""
        return replace(state, due=(Damage(1), *state.due[1:]), fled=self.fled or state.fled)


class Withdrew(Event, frozen=True, tag="withdrew"):
    """The monster has retreated one box (6.33h)."""

    box: BoxName
    fled: bool
    """Whether this ends its attacks (6.24a)."""

    def apply(self, state: State) -> State:
        """Put it there."""
        return replace(state, monster=self.box, due=state.due[1:], fled=self.fled or state.fled)


class Retreated(Event, frozen=True, tag="retreated"):
    """A unit has retreated one box (6.33a)."""

    unit: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Put it there; a unit that was in the river is out of it, or the other way round."""
        first = state.due[0]
        rest = tuple(unit for unit in getattr(first, "units", ()) if unit != self.unit)
        caught = {unit: left for unit, left in state.caught.items() if unit != self.unit}
        fording = {unit: bank for unit, bank in state.fording.items() if unit != self.unit}
        due = (replace(first, units=rest), *state.due[1:])
        return replace(state, at={**state.at, self.unit: self.box}, caught=caught, fording=fording, due=due)


class Eliminated(Event, frozen=True, tag="eliminated"):
    """Units are eliminated, and score."""

    units: UnitIds
    cause: Cause
    points: Points
    """Victory Points."""
    grows: Few = 0
    """By how much the monster may grow."""

    def apply(self, state: State) -> State:
        """Take them off the map."""
        changes = dict(state.without(self.units))
        if self.grows:
            changes["due"] = (*changes["due"], Growth(self.grows))
        lost = state.lost + self.units
        return replace(state, **changes, lost=lost, points=state.points + self.points)


class Grown(Event, frozen=True, tag="grown"):
    """Seen by its player alone: how the monster has grown besides defense (14.25b)."""

    attack: Few
    destruction: Few
    movement: Few

    def apply(self, state: State) -> State:
        """Raise the strengths."""
        changes = {"attack": self.attack, "destruction": self.destruction, "movement": self.movement}
        return replace(state, sheet=state.strengthened(**changes))


class Grew(Event, frozen=True, tag="grew"):
    """What everybody sees of growth: what defense gains."""

    defense: Few

    def apply(self, state: State) -> State:
        """Raise defense."""
        return replace(state, defense=state.defense + self.defense, due=state.due[1:])


class Asked(Event, frozen=True, tag="asked"):
    """Something depends on an ability that only the monster's player knows of."""

    tells = True
    question: AnyDue

    def apply(self, state: State) -> State:
        """Nothing is done before there is an answer."""
        return replace(state, due=(self.question, *state.due))


class Answered(Event, frozen=True, tag="answered"):
    """The monster's player has told whether it has an ability."""

    tells = True
    ability: Ability
    has: bool

    def apply(self, state: State) -> State:
        """Everybody knows it now."""
        if self.has:
            return replace(state, known=(*state.known, self.ability), due=state.due[1:])
        return replace(state, lacking=(*state.lacking, self.ability), due=state.due[1:])


class Toppled(Used, frozen=True, tag="toppled"):
    """The monster dies; if it is of great height it falls on something (13.21a)."""

    due: Dues

    def apply(self, state: State) -> State:
        """Nothing else is carried out any more (C47)."""
        known = self.reveal(state, "great-height") if self.due else state.known
        return replace(state, known=known, due=self.due)


class Fell(Event, frozen=True, tag="fell"):
    """The dead monster has crushed a box (13.21b)."""

    box: BoxName
    points: Points

    def apply(self, state: State) -> State:
        """Rubble, where there can be rubble (C61)."""
        terrain = state.board.boxes[self.box].terrain
        ruins = state.ruins | {self.box} if terrain == "bridge" else state.ruins
        stays = terrain in ("bridge", "river", "tunnel")
        rubble = state.rubble if stays else state.rubble | {self.box}
        flames = {box: age for box, age in state.flames.items() if box != self.box}
        return replace(
            state, ruins=ruins, rubble=rubble, flames=flames, points=state.points + self.points, due=state.due[1:]
        )
