"""What has to be settled before all else: results are carried out as far as nobody has a choice (6.0e, 6.31c).

Here are the losses and retreats of units too, of which their owners choose; what the monster's player has to note and
to tell stands in `record`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine import order
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, OneOf, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, spelled
from referee.games.sheboygan.aiming import able, may_strike
from referee.games.sheboygan.counters import MONSTER, STACKED, Piece, Pieces, UnitId, UnitIds, in_order, listed
from referee.games.sheboygan.notation import Box, Reader, reads
from referee.games.sheboygan.options import HUMAN, Ability
from referee.games.sheboygan.order import verb
from referee.games.sheboygan.state import BoxName, Cause, Duty, Few, Points, State
from referee.games.sheboygan.terrain import NOWHERE
from referee.games.sheboygan.turns import TurnBegun, begin_fire, begin_human_turn
from referee.games.sheboygan.victory import Ended, ending, scored, worth


class Done(Event, frozen=True, tag="done"):
    """What was due first has been done."""

    told = "That is done."

    def apply(self, state: State) -> State:
        """The next is due."""
        return replace(state, due=state.due[1:])


# Losses of units


CAUSES: Mapping[str, str] = {
    "attack": "destroyed by the monster",
    "treason": "destroyed",
    "repulse": "lost in the attack",
    "no-retreat": "destroyed: there is no box to retreat to",
    "suicide": "lost in the suicide assault",
    "overrun": "overrun by the monster",
    "bridge": "lost with the bridge",
    "grabbed": "grabbed and eaten by the monster",
    "flames": "lost in flames",
    "crushed": "crushed by the falling monster",
}


class Eliminated(Event, frozen=True, tag="eliminated"):
    """Units are eliminated, and score."""

    units: UnitIds
    cause: Cause
    points: Points
    """Victory Points."""
    grows: Few = 0
    """By how much the monster may grow."""

    def tell(self) -> str:
        """What to take off, why, and what it scores."""
        return f"Take {listed(self.units)} off the map: {CAUSES[self.cause]}.{scored(self.points)}"

    def apply(self, state: State) -> State:
        """Take them off the map."""
        changes = dict(state.without(self.units))
        if self.grows:
            changes["due"] = (*changes["due"], Growth(self.grows))
        lost = state.lost + self.units
        return replace(state, **changes, lost=lost, points=state.points + self.points)


def eliminated(state: State, units: Iterable[str], cause: Cause) -> Eliminated:
    """Units are eliminated: what that scores, and what the monster may grow by."""
    gone = in_order(units)
    return Eliminated(gone, cause, worth(state, gone, cause), _growth_by(state, gone, cause))


def _growth_by(state: State, gone: tuple[str, ...], cause: Cause) -> int:
    """What the monster may grow by, which destroys units beside it or in its own box itself (14.25c, C5)."""
    if not state.scenario.grows or cause not in ("attack", "overrun"):
        return 0
    near = {state.monster, *state.board.beside[state.monster or ""]}
    fed = sum(state.at[unit] in near for unit in gone)
    return fed if state.options["growth"] == "per-unit" else min(1, fed)


class _OfUnits(Duty, frozen=True):
    """What units have to do, or suffer."""

    units: tuple[UnitId, ...]

    def seat(self, state: State) -> Seat:
        """Their owner."""
        return state.owner(self.units[0]) if self.units else HUMAN

    def spared(self, gone: frozenset[str]) -> Duty:
        """For those that are left."""
        return replace(self, units=tuple(unit for unit in self.units if unit not in gone))


class Losses(_OfUnits, frozen=True, tag="losses"):
    """So many of these units are lost, which their owner chooses (6.32a)."""

    clause = "losses are to be named first"
    count: Few
    cause: Cause

    def status(self) -> str:
        """How many of whom."""
        return f"{self.count} of {listed(self.units)} lost: the owner chooses"

    def forced(self, state: State) -> Event | None:
        """Where no more are left than are lost it is all of them, and nothing more (6.32c)."""
        if not self.units or not self.count:
            return Done()
        return eliminated(state, self.units, self.cause) if self.count >= len(self.units) else None


class Suicides(_OfUnits, frozen=True, tag="suicides"):
    """These units die at the end of their assault (9.0c)."""

    clause = "suicide assaults come to their end first"

    def forced(self, state: State) -> Event | None:
        """All of them."""
        return eliminated(state, self.units, "suicide") if self.units else Done()


class Lose(Action, frozen=True, tag="lose"):
    """Name the units that are lost: their owner chooses among those involved (6.32a)."""

    says = "lose {units}"
    units: Pieces


def _lose_offers(state: State) -> Iterator[Choice]:
    due = state.first(Losses)
    yield Choice(Lose, units=Subset(due.units, due.count, due.count))


def _check_lose(state: State, action: Lose) -> Iterator[Refusal]:
    due = state.first(Losses)
    strangers = [unit for unit in action.units if unit not in due.units]
    if strangers:
        rule = "6.32b" if due.cause == "repulse" else "6.23d"
        yield Refusal(rule, f"{' '.join(strangers)} cannot be lost: only {' '.join(due.units)} suffer")
    elif len(action.units) != due.count:
        yield Refusal("6.32a", f"{due.count} of {' '.join(due.units)} are lost")


def _lose(state: State, action: Lose, _dice: Dice) -> Script[State]:
    state = yield eliminated(state, action.units, state.first(Losses).cause)
    state = yield Done()
    yield from settle(state)


# Retreats of units


class Retreated(Event, frozen=True, tag="retreated"):
    """A unit has retreated one box (6.33a)."""

    told = "{unit} retreats: put it in {box}."
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


def retreats_of(state: State, unit: str, away: str) -> tuple[str, ...]:
    """Boxes to which a unit may retreat from a piece in box `away` (6.33c to 6.33f, C12).

    A box must be farther from it than the unit is, and not beside the monster. A unit below a flier has none (C46).
    """
    return tuple(_retreats(state, unit, away))


def _retreats(state: State, unit: str, away: str) -> Iterator[str]:
    board, entry, here = state.board, state.costs(unit), state.at[unit]
    shut = state.ways.closed(unit[0] == "h") | ({state.monster} if state.monster else NOWHERE)
    lenient = state.options["retreat-under-flier"] == "neighbour" and state.flies_over(here)
    near = board.beside[state.monster] if state.monster and not lenient else NOWHERE
    for box in board.neighbours[here]:
        if box not in entry or box in shut or box in near or board.range(away, box) <= board.range(away, here):
            continue
        if not _is_full(state, unit, box):
            yield box


def _is_full(state: State, unit: str, box: str) -> bool:
    return state.kind(unit).stacks and state.counting(box) >= STACKED


class Retreats(_OfUnits, frozen=True, tag="retreats"):
    """These units retreat one box each, away from this one (6.33a)."""

    clause = "units have to retreat first"
    away: BoxName

    def status(self) -> str:
        """Who."""
        return f"{listed(self.units)} must retreat"

    def forced(self, state: State) -> Event | None:
        """A unit with no box to retreat to is destroyed (6.33g); the last one with one box only goes there."""
        if not self.units:
            return Done()
        exits = {unit: retreats_of(state, unit, self.away) for unit in self.units}
        lost = [unit for unit in self.units if not exits[unit]]
        if lost:
            return eliminated(state, lost, "no-retreat")
        only = exits[self.units[0]]
        return Retreated(self.units[0], only[0]) if len(self.units) == len(only) == 1 else None


# What befalls the monster


class _OfPoints(Duty, frozen=True):
    """What is done with so many points."""

    points: Few

    def status(self) -> str:
        """How many."""
        return self.clause + (f": {count_of(self.points, 'point')}" if self.points else "")

    def forced(self, state: State) -> Event | None:  # noqa: ARG002 - whatever the state
        """Nothing is done with none."""
        return None if self.points else Done()


class Damage(_OfPoints, frozen=True, tag="damage"):
    """The monster takes so many points of damage (6.32d, 12.0b)."""

    clause = "the monster's damage is to be struck off first"


class Growth(_OfPoints, frozen=True, tag="growth"):
    """The monster may grow by so many points (14.25b, 14.25c)."""

    clause = "the monster's growth is to be noted first"


class Fall(Duty, frozen=True, tag="fall"):
    """The dead monster falls on a box (13.21a)."""

    clause = "the dead monster has to fall first"
    outlives = True


class Question(Duty, frozen=True, tag="question"):
    """Whether the monster has an ability, because of what it would do to this unit; its player has to tell."""

    clause = "the monster player has to tell something first"
    asks = True
    ability: Ability
    unit: UnitId | None = None


class Withdrawal(Duty, frozen=True, tag="withdrawal"):
    """The monster retreats one box (6.33h)."""

    clause = "the monster has to retreat first"

    def forced(self, state: State) -> Script[State] | Event | None:
        """A monster with nowhere to go takes a point of damage (6.33k); where only one box is open it goes there.

        Both end its attacks in its own Combat Phase (6.24a, C62).
        """
        exits = withdrawals_of(state)
        if not exits:
            return Cornered(state.phase == "monster-combat")
        return withdraw(state, exits[0]) if len(exits) == 1 else None


class Noting(Duty, frozen=True, tag="noting"):
    """The monster's record is noted in secret, where a position does not tell it (12.0a, 12.0f)."""

    clause = "the monster's record is to be noted first, in secret"
    outlives = True


AnyDuty = Damage | Withdrawal | Losses | Retreats | Suicides | Growth | Fall | Question | Noting
Duties = Annotated[tuple[AnyDuty, ...], Meta(max_length=8)]


class Cornered(Event, frozen=True, tag="cornered"):
    """The monster cannot retreat and takes a point of damage (6.33k); its attacks are over (C62)."""

    told = "The monster has no box to retreat to, and takes a point of damage."
    fled: bool
    """Whether this ends its attacks."""

    def apply(self, state: State) -> State:
        """The damage is due."""
        return replace(state, due=(Damage(1), *state.due[1:]), fled=self.fled or state.fled)


class Withdrew(Event, frozen=True, tag="withdrew"):
    """The monster has retreated one box (6.33h)."""

    told = "The monster retreats: put it in {box}."
    box: BoxName
    fled: bool
    """Whether this ends its attacks (6.24a)."""

    def apply(self, state: State) -> State:
        """Put it there."""
        return replace(state, monster=self.box, due=state.due[1:], fled=self.fled or state.fled)


def withdrawals_of(state: State) -> tuple[str, ...]:
    """Boxes to which the monster may retreat: never off the map (6.33i, 6.33j, C11)."""
    entry = state.costs(MONSTER)
    return tuple(
        box for box in state.board.neighbours[state.monster or ""] if box in entry and not state.humans_in(box)
    )


def withdraw(state: State, box: str) -> Script[State]:
    """The monster retreats to a box, which may burn; in its own Combat Phase this ends its attacks (6.24a)."""
    state = yield Withdrew(box, state.phase == "monster-combat")
    return (yield from scorch(state))


class Scorched(Event, frozen=True, tag="scorched"):
    """Flames have hurt the monster (11.41c)."""

    told = "Flames in {box} hurt the monster: 2 points of damage."
    box: BoxName

    def apply(self, state: State) -> State:
        """Two points of damage are due, once for one box in one phase."""
        lacking = tuple(dict.fromkeys((*state.lacking, "flame-immunity")))
        scorched = state.scorched | {self.box}
        return replace(state, scorched=scorched, lacking=lacking, due=(Damage(2), *state.due))


class Asked(Event, frozen=True, tag="asked"):
    """Something depends on an ability that only the monster's player knows of."""

    tells = True
    question: AnyDuty

    def tell(self) -> str:
        """What is asked."""
        ability = self.question.ability if isinstance(self.question, Question) else "that"
        return f"The monster player is asked whether his monster has {ability}."

    def apply(self, state: State) -> State:
        """Nothing is done before there is an answer."""
        return replace(state, due=(self.question, *state.due))


def is_safe(state: State) -> bool:
    """Whether flames cannot hurt the monster where it is: there are none, it flies, or they have done so (C25, C57)."""
    box = state.monster
    return not box or box not in state.flames or state.aloft or box in state.scorched


def scorch(state: State) -> Script[State]:
    """Flames in its box hurt a monster that is not immune (11.41c); if nobody else knows, its player has to tell."""
    if is_safe(state) or "flame-immunity" in state.known:
        return state
    if state.is_open("flame-immunity"):
        return (yield Scorched(state.monster or ""))
    return (yield Asked(Question("flame-immunity")))


# Retreats that somebody chooses


class Back(Action, frozen=True, tag="back"):
    """Retreat a unit, or the monster, by one box (6.33a, 6.33h)."""

    says = "back {unit} {box}"
    unit: Piece
    box: Box


def _back_offers(state: State) -> Iterator[Choice]:
    due = state.due[0]
    if isinstance(due, Retreats):
        for unit in due.units:
            yield Choice(Back, unit=unit, box=OneOf(retreats_of(state, unit, due.away)))
    else:
        yield Choice(Back, unit=MONSTER, box=OneOf(withdrawals_of(state)))


def _check_back(state: State, action: Back) -> Iterator[Refusal]:
    due = state.due[0]
    if isinstance(due, Retreats):
        yield from _check_retreat(state, action, due)
    elif action.unit != MONSTER:
        yield Refusal("6.33h", "it is the monster that has to retreat")
    elif action.box not in withdrawals_of(state):
        yield _why_no_withdrawal(state, action.box)


def _why_no_withdrawal(state: State, box: str) -> Refusal:
    if box not in state.board.beside[state.monster or ""]:
        return Refusal("6.33h", f"{box} is not the next box: the monster retreats one box, and stays on the map")
    if state.humans_in(box):
        return Refusal("6.33j", f"human units are in {box}: {' '.join(state.humans_in(box))}")
    return Refusal("6.33i", f"{box} is impassable for the monster: {state.terrain(box)}")


def _check_retreat(state: State, action: Back, due: Retreats) -> Iterator[Refusal]:
    unit, box = action.unit, action.box
    if unit not in due.units:
        yield Refusal("6.33b", f"{unit} does not retreat: only {' '.join(due.units)}")
    elif box not in retreats_of(state, unit, due.away):
        yield _why_no_retreat(state, unit, box, due)


def _why_no_retreat(state: State, unit: str, box: str, due: Retreats) -> Refusal:
    if box == state.monster:
        return Refusal("6.33c", f"the monster is in {box}")
    if box not in state.board.beside[state.at[unit]]:
        return Refusal("6.33a", f"{box} is not the next box: units retreat one box")
    if state.monster and box in state.board.beside[state.monster]:
        return Refusal("6.33d", f"{box} is beside the monster's box")
    if state.board.range(due.away, box) <= state.board.range(due.away, state.at[unit]):
        return Refusal("6.33a", f"{box} does not lead away from the attack")
    if state.kind(unit).stacks and state.counting(box) >= STACKED:
        return Refusal("6.33f", f"{box} takes no more than {spelled(STACKED)} units that count")
    return Refusal("6.33e", f"{box} is impassable for {unit}")


def _back(state: State, action: Back, _dice: Dice) -> Script[State]:
    if action.unit != MONSTER:
        state = yield Retreated(action.unit, action.box)
    else:
        state = yield from withdraw(state, action.box)
    yield from settle(state)


# One thing after another


def settle(state: State) -> Script[State]:
    """Carry out what is due until somebody has to choose, or the game is over; the state after it."""
    return order.settle(state, _following)


def _following(state: State) -> Script[State] | Event | None:
    """What comes next without anybody choosing.

    The victory level is looked at after every step (14.1c, C8); effects come before the next attack (6.14b), and before
    the next Game-Turn.
    """
    if state.outcome:
        return None
    end = ending(state)
    if end:
        return Ended(end)
    if state.due:
        return state.due[0].forced(state)
    return TurnBegun(state.turn + 1) if state.blown else _passing(state)


def _passing(state: State) -> Script[State] | None:
    """A Combat Phase in which nothing is left to be done, as everybody can see, is over (C85)."""
    if state.phase == "monster-combat" and not may_strike(state):
        return begin_human_turn(state)
    if state.phase == "human-combat" and not able(state):
        return begin_fire(state)
    return None


VERBS = (
    verb(Lose, ("losses",), _lose, offers=_lose_offers, check=_check_lose, read=reads(Lose, Reader.units)),
    verb(
        Back,
        ("retreats", "withdrawal"),
        _back,
        offers=_back_offers,
        check=_check_back,
        read=reads(Back, Reader.unit, Reader.box),
        carries=True,
    ),
)
