"""What happens in Sheboygan. Events carry results, so that applying one needs no rule."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Seat
from referee.engine.secret import Secret
from referee.games.sheboygan.counters import MONSTER, Pieces, UnitId, UnitIds, in_order
from referee.games.sheboygan.flames import FireEvent
from referee.games.sheboygan.options import CREATURE
from referee.games.sheboygan.scenarios import Ability
from referee.games.sheboygan.state import (
    AnyDue,
    BoxName,
    Cause,
    Damage,
    Edge,
    Few,
    Growth,
    Phase,
    Sheet,
    State,
)

Die = Annotated[int, Meta(ge=1, le=6)]
Dues = Annotated[tuple[AnyDue, ...], Meta(max_length=8)]
Points = Annotated[int, Meta(ge=0, le=1_000)]


# Setting up


class AbilitiesTaken(Event, frozen=True, tag="abilities-taken"):
    """Seen by its player alone: the monster's abilities (13.0a)."""

    abilities: Annotated[tuple[Ability, ...], Meta(max_length=11)]

    def apply(self, state: State) -> State:
        """Note them."""
        return replace(state, sheet=Secret(CREATURE, Sheet(abilities=self.abilities)))


class AbilitiesNoted(Event, frozen=True, tag="abilities-noted"):
    """What everybody sees of that."""

    def apply(self, state: State) -> State:
        """There is a record sheet now."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), phase="record")


class StrengthsTaken(Event, frozen=True, tag="strengths-taken"):
    """Seen by its player alone: the monster's strengths besides defense (12.0a)."""

    attack: Few
    destruction: Few
    movement: Few

    def apply(self, state: State) -> State:
        """Note them beside the abilities."""
        abilities = state.sheet.value.abilities if state.sheet else ()
        sheet = Sheet(self.attack, self.destruction, self.movement, abilities)
        return replace(state, sheet=Secret(CREATURE, sheet))


class Recorded(Event, frozen=True, tag="recorded"):
    """What everybody sees of that: the defense strength (12.0h)."""

    defense: Few

    def apply(self, state: State) -> State:
        """The record is written."""
        return replace(state, sheet=state.sheet or Secret(CREATURE), defense=self.defense, phase="edge")


class EdgeTaken(Event, frozen=True, tag="edge-taken"):
    """Seen by its player alone: the edge at which the monster will enter (3.2a)."""

    edge: Edge

    def apply(self, state: State) -> State:
        """Note it."""
        return replace(state, edge=Secret(CREATURE, self.edge))


class EdgeNoted(Event, frozen=True, tag="edge-noted"):
    """What everybody sees of that."""

    def apply(self, state: State) -> State:
        """The human player buys."""
        return replace(state, edge=state.edge or Secret(CREATURE), phase="buy")


class Bought(Event, frozen=True, tag="bought"):
    """Units were bought."""

    units: UnitIds
    cost: Few

    def apply(self, state: State) -> State:
        """They are in the hand."""
        return replace(state, hand=in_order(state.hand + self.units), budget=state.budget - self.cost)


class Placed(Event, frozen=True, tag="placed"):
    """Units were put on the map."""

    units: UnitIds
    box: BoxName

    def apply(self, state: State) -> State:
        """Put them there."""
        hand = tuple(unit for unit in state.hand if unit not in self.units)
        at = {**state.at, **dict.fromkeys(self.units, self.box)}
        return replace(state, hand=hand, at={unit: at[unit] for unit in in_order(at)})


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """Another phase begins (4.0b)."""

    phase: Phase

    def apply(self, state: State) -> State:
        """Whatever holds for one phase only is over."""
        return replace(state, **_OVER[self.phase], phase=self.phase)


_MOVING: dict[str, Any] = {"moved": {}, "spent": {}, "carried": {}}
_OVER: dict[Phase, dict[str, Any]] = {
    "abilities": {},
    "record": {},
    "edge": {},
    "buy": {},
    "place": {},
    "monster-move": _MOVING,
    "monster-combat": _MOVING | {"scorched": frozenset()},
    "arrival": {"attacked": frozenset(), "fled": False, "fought": frozenset()},
    "human-move": _MOVING | {"attacked": frozenset(), "fled": False, "fought": frozenset()},
    "human-combat": _MOVING | {"feared": ()},
    "fire": {"fought": frozenset(), "assaulting": frozenset()},
}


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A Game-Turn begins with the Monster Movement Phase (4.0a)."""

    turn: Annotated[int, Meta(ge=1, le=10_000)]

    def apply(self, state: State) -> State:
        """Its strengths are whole again, as far as they were not reduced (C68)."""
        return replace(
            state,
            turn=self.turn,
            phase="monster-move",
            walked=0,
            struck=0,
            smashed=0,
            attempts=0,
            ignitions=0,
            landed="no",
            flashed=False,
            blown=False,
            scorched=frozenset(),
            fought=frozenset(),
            assaulting=frozenset(),
            doused=frozenset(),
            moved={},
            spent={},
            carried={},
        )


# The monster moves


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


# Units move


class Moved(Event, frozen=True, tag="moved"):
    """Units have moved together: one alone, a tank with its gun, police with populace."""

    units: UnitIds
    box: BoxName
    cost: Few
    """Movement Points that the first of them has spent on it."""

    def apply(self, state: State) -> State:
        """Put them there, and remember where they began and what they have spent."""
        leader = self.units[0]
        start = state.at[leader]
        moved = {unit: state.moved.get(unit, state.at[unit]) for unit in self.units}
        spent = {**state.spent, leader: state.spent.get(leader, 0) + self.cost}
        return replace(
            state,
            at={**state.at, **dict.fromkeys(self.units, self.box)},
            moved={**state.moved, **moved},
            spent=spent,
            carried=self._carried(state, leader, start) if leader[0] == "p" else state.carried,
        )

    def _carried(self, state: State, police: str, start: str) -> dict[str, str]:
        """Who rides along; who rode along before and is left behind was dropped (10.0c)."""
        left = {unit: "-" if by == police and state.at.get(unit) == start else by for unit, by in state.carried.items()}
        return {**left, **dict.fromkeys(self.units[1:], police)}


class Towed(Event, frozen=True, tag="towed"):
    """A tank has towed a gun (5.0j)."""

    tank: UnitId
    gun: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Put both there; neither moves otherwise in this phase."""
        pair = (self.tank, self.gun)
        units = state.board.tables.units
        return replace(
            state,
            at={**state.at, **dict.fromkeys(pair, self.box)},
            moved={**state.moved, **{unit: state.at[unit] for unit in pair}},
            spent={**state.spent, **{unit: units[unit[0]].movement for unit in pair}},
            carried={**state.carried, self.tank: self.gun, self.gun: self.tank},
        )


class Forded(Event, frozen=True, tag="forded"):
    """Infantry has gone into the river, or come out of it (9.1a, 9.1b)."""

    unit: UnitId
    box: BoxName
    bank: str
    """The bank that it came from, "-" if that was a bridge; empty: it is out."""

    def apply(self, state: State) -> State:
        """Put it there; its allowance is spent."""
        fording = {unit: bank for unit, bank in state.fording.items() if unit != self.unit}
        movement = state.board.tables.units["i"].movement
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            fording={**fording, self.unit: self.bank} if self.bank else fording,
            moved={**state.moved, self.unit: state.at[self.unit]},
            spent={**state.spent, self.unit: movement},
            carried={**state.carried, self.unit: "-"},
        )


class Recalled(Event, frozen=True, tag="recalled"):
    """A unit goes back to where it began the phase, with all its Movement Points (5.22a)."""

    unit: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Its move has not been made."""
        return replace(
            state,
            at={**state.at, self.unit: self.box},
            moved={unit: box for unit, box in state.moved.items() if unit != self.unit},
            spent={unit: cost for unit, cost in state.spent.items() if unit != self.unit},
        )


class Passed(Event, frozen=True, tag="passed"):
    """A helicopter has passed through the monster's box (8.0d)."""

    unit: UnitId
    die: Die
    due: Dues = ()

    def apply(self, state: State) -> State:
        """The monster has grabbed at it."""
        return replace(state, due=self.due + state.due)


class Worked(Event, frozen=True, tag="worked"):
    """Units in webs have spent another Human Movement Phase cutting their way out (13.22c)."""

    caught: Annotated[dict[UnitId, Few], Meta(max_length=100)]
    """Who has still to stay, and for how long."""

    def apply(self, state: State) -> State:
        """Count it."""
        return replace(state, caught=self.caught)


# Combat


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


class Resigned(Event, frozen=True, tag="resigned"):
    """A player gives the game up (C81)."""

    seat: Seat

    def apply(self, state: State) -> State:
        """The result follows."""
        return state


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Nothing is due any more."""
        return replace(state, outcome=self.outcome, due=())


SheboyganEvent = (
    AbilitiesTaken | AbilitiesNoted | StrengthsTaken | Recorded | EdgeTaken | EdgeNoted
    | Bought | Placed | PhaseBegun | TurnBegun
    | Entered | Prowled | Jumped | TookOff | Landed | Overran | Scorched | Withstood | Attempted | Wrecked
    | Webbed | Flashed | Feared | Controlled
    | Moved | Towed | Forded | Recalled | Passed | Worked
    | Struck | Assailed | Volunteered | Done | StruckOff | Hurt | Cornered | Withdrew | Retreated | Eliminated
    | Grown | Grew | Asked | Answered | Toppled | Fell | Resigned | Ended
    | FireEvent
)  # fmt: skip
