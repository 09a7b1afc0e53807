"""What the monster does in its Movement Phase, and what its abilities do: events of Sheboygan."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.sheboygan.counters import UnitId, UnitIds
from referee.games.sheboygan.scenarios import Ability
from referee.games.sheboygan.state import (
    BoxName,
    Damage,
    Die,
    Edge,
    Few,
    Growth,
    Points,
    State,
)


class Entered(Event, frozen=True, tag="entered"):
    """The monster has come onto the map, and its edge is shown (3.2g, C76)."""

    box: BoxName
    edge: Edge
    cost: Few

    def apply(self, state: State) -> State:
        """Put it there."""
        return replace(state, monster=self.box, walked=state.walked + self.cost)


class Prowled(Event, frozen=True, tag="prowled"):
    """The monster has moved, by land or in flight."""

    box: BoxName
    cost: Few

    def apply(self, state: State) -> State:
        """Put it there."""
        return replace(state, monster=self.box, walked=state.walked + self.cost)


class Used(Event, frozen=True):
    """The monster has used an ability, so that everybody knows of it (12.0g)."""

    def reveal(self, state: State, ability: Ability) -> tuple[Ability, ...]:
        """The abilities that are known by now."""
        return state.known if ability in state.known else (*state.known, ability)


class Jumped(Used, frozen=True, tag="jumped"):
    """The monster has jumped (13.25a)."""

    box: BoxName
    cost: Few

    def apply(self, state: State) -> State:
        """Put it there."""
        known = self.reveal(state, "jumping")
        return replace(state, monster=self.box, walked=state.walked + self.cost, known=known)


class TookOff(Used, frozen=True, tag="took-off"):
    """The monster flies in this phase (13.28a)."""

    def apply(self, state: State) -> State:
        """It is in flight."""
        return replace(state, aloft=True, known=self.reveal(state, "flying"))


class Landed(Event, frozen=True, tag="landed"):
    """The monster has come down (5.23d)."""

    def apply(self, state: State) -> State:
        """It is on the ground; after a flight it moves no more."""
        return replace(state, aloft=False, landed="late" if state.walked else "early")


class Overran(Event, frozen=True, tag="overran"):
    """The monster goes over non-combat units (5.31a); their elimination follows."""

    box: BoxName
    units: UnitIds
    strength: Few
    cost: Few

    def apply(self, state: State) -> State:
        """It spends points and is there."""
        return replace(state, monster=self.box, walked=state.walked + self.cost, struck=state.struck + self.strength)


class Scorched(Event, frozen=True, tag="scorched"):
    """Flames have hurt the monster (11.41c)."""

    box: BoxName

    def apply(self, state: State) -> State:
        """Two points of damage are due, once for one box in one phase."""
        lacking = tuple(dict.fromkeys((*state.lacking, "flame-immunity")))
        scorched = state.scorched | {self.box}
        return replace(state, scorched=scorched, lacking=lacking, due=(Damage(2), *state.due))


class Withstood(Used, frozen=True, tag="withstood"):
    """The monster walks through flames unhurt (13.11a)."""

    box: BoxName

    def apply(self, state: State) -> State:
        """Everybody sees that it is immune."""
        return replace(state, known=self.reveal(state, "flame-immunity"))


class Attempted(Event, frozen=True, tag="attempted"):
    """The monster has tried to destroy a box (7.0a)."""

    box: BoxName
    strength: Few
    column: str
    die: Die

    def apply(self, state: State) -> State:
        """Points and an attempt are spent."""
        return replace(state, smashed=state.smashed + self.strength, attempts=state.attempts + 1)


class Wrecked(Event, frozen=True, tag="wrecked"):
    """A box was destroyed (7.11a, 7.12a)."""

    box: BoxName
    points: Points
    """Victory Points."""
    grows: Few = 0
    """By how much the monster may grow."""

    def apply(self, state: State) -> State:
        """Rubble, or no bridge any more; flames there are out (C53)."""
        flames = {box: age for box, age in state.flames.items() if box != self.box}
        due = (*state.due, Growth(self.grows)) if self.grows else state.due
        points = state.points + self.points
        if state.board.boxes[self.box].terrain == "bridge":
            below = state.board.mate[self.box] if state.monster == self.box else state.monster
            ruins = state.ruins | {self.box}
            return replace(state, ruins=ruins, monster=below, flames=flames, points=points, due=due)
        return replace(state, rubble=state.rubble | {self.box}, flames=flames, points=points, due=due)


class Webbed(Used, frozen=True, tag="webbed"):
    """Webs were spun (13.22a)."""

    boxes: Annotated[tuple[BoxName, ...], Meta(min_length=1, max_length=2)]
    units: UnitIds
    """Units that are caught."""

    def apply(self, state: State) -> State:
        """Put the webs there; the units stay for two full Human Movement Phases (13.22c)."""
        return replace(
            state,
            webs=state.webs.union(self.boxes),
            caught={**state.caught, **dict.fromkeys(self.units, 2)},
            known=self.reveal(state, "web-spinning"),
        )


class Flashed(Used, frozen=True, tag="flashed"):
    """A flash of blinding light (13.24a)."""

    def apply(self, state: State) -> State:
        """Nobody attacks in the Human Combat Phase of this Game-Turn (13.24b)."""
        return replace(state, flashed=True, flashes=state.flashes + 1, known=self.reveal(state, "blinding-light"))


class Feared(Used, frozen=True, tag="feared"):
    """Units are immobilized with fear (13.23a)."""

    units: Annotated[tuple[UnitId, ...], Meta(min_length=1, max_length=2)]

    def apply(self, state: State) -> State:
        """They stay where they are in this phase."""
        return replace(state, feared=self.units, known=self.reveal(state, "fear-immobilization"))


class Controlled(Used, frozen=True, tag="controlled"):
    """A unit was taken over (13.27a)."""

    unit: UnitId

    def apply(self, state: State) -> State:
        """The monster player has it from now on."""
        return replace(state, control=self.unit, controlled=True, known=self.reveal(state, "mind-control"))
