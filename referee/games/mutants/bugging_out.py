"""Bugging Out: retreat from a Combat at the start of a Round, and pursuit (OPT.IV)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.text import count_of
from referee.engine.verb import Verb
from referee.games.mutants.board import OFF, Place, Side, compact, is_square
from referee.games.mutants.combat import begin, end, in_combat, put_back
from referee.games.mutants.moving import check_refuge, companions, free_penny, is_confined, leave, refuges, walkers
from referee.games.mutants.notation import PlaceSaid, check_names, check_side, reading
from referee.games.mutants.state import CONFINED_UNTIL, Combat, Question, State, UnitIds, other_side
from referee.games.mutants.telling import Asked
from referee.games.mutants.victory import end_if_decided
from referee.games.mutants.view import Noted

MOST = 100
"""More units than can be in a room."""
NO_RETREAT = Refusal("V.A-c", "a Combat goes on to the end: Bugging Out is not played")

# Retreat


class Retreated(Event, frozen=True, tag="retreated"):
    """Units have bugged out of a Combat."""

    settles = True
    side: Side
    units: UnitIds
    origin: Place
    to: Place | None
    """None: a square that is a secret."""
    into: Secret[Place] | None
    """That square: with Hidden Movement it is never shown (OPT.V.D-a)."""
    complete: bool
    """Whether nobody was left behind, so that they may be pursued."""

    @property
    def refuge(self) -> str | None:
        """Where they are now; None: out of sight."""
        return self.into.value if self.into and self.into.known else self.to

    def tell(self) -> str:
        """Who goes where, as far as that is told."""
        left = "" if self.complete else "; the others stay and fight"
        to = f"to {self.refuge}" if self.refuge else "into a square"
        return f"Move {compact(self.units)} from {self.origin} {to}: retreat{left}."

    def apply(self, state: State) -> State:
        """Put them into the refuge, or out of sight."""
        there = state.put(self.units, self.refuge) if self.refuge else state.take_off(self.units)
        shown = tuple(unit for unit in self.units if not state.is_captive(unit))
        state = replace(state, at=there, told=state.told.without(shown) if self.into else state.told, asked=None)
        if not self.complete:
            return state.fight(may_retreat=False)
        fled = sum(not state.is_captive(unit) for unit in self.units)
        return state.fight(stage="pursue", may_retreat=False, refuge=self.to, fled=fled, first=self.side)


class Barred(Event, frozen=True, tag="barred"):
    """A retreat was not made: somebody of the other side is in that room."""

    told = "Somebody is in {room}: nobody retreats there."
    tells = True
    room: Place

    def apply(self, state: State) -> State:
        """Everybody has been told of it."""
        return replace(state, told=state.told.sighting((self.room,)), asked=None)


class Retreat(Noted, frozen=True, tag="retreat"):
    """Bug out: leave the Combat for a room next to it (OPT.IV.A-a)."""

    says = "retreat {units} to {to}"
    units: UnitIds
    to: PlaceSaid

    @property
    def is_noted(self) -> bool:
        """Whether it leads into a square: nobody is shown in which (OPT.V.D-a)."""
        return is_square(self.to)


def _retreat_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Every room to which the outnumbered side may retreat, once a Round (M47) and all to one room (M44)."""
    combat = state.combat
    may = combat and combat.may_retreat and combat.odds != seat
    for to, able, along in refuges(state, combat) if combat and may else ():
        yield Choice(Retreat, units=_party(state, able, along), to=to)


def _party(state: State, able: tuple[str, ...], along: tuple[str, ...], most: int = MOST) -> Subset:
    """Who may leave a room together: those who are led only with somebody who leads them."""
    units = state.board.sorted((*able, *along))
    return Subset(units, 1, min(len(units), most), dict.fromkeys(along, able))


def _check_retreat(state: State, seat: Seat, action: Retreat) -> Iterator[Refusal]:
    """Every rule that a retreat breaks."""
    combat = state.the_combat
    never = _check_odds(state, combat, seat)
    if never:
        yield never
        return
    names = list(check_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A-a", "say which units retreat")]
        return
    yield from _check_group(state, combat.room, seat, action.units)
    yield from check_refuge(state, seat, combat.room, action.to)
    for unit in action.units:
        if is_confined(state, unit) and not state.is_captive(unit):
            yield Refusal("OPT.IV.A.8", f"{unit} may not leave the Tech Room before Turn {CONFINED_UNTIL + 1}")
        if action.to == state.board.tech and state.is_janibot(unit):
            yield Refusal("OPT.IV.A.7-a", f"{unit} is a Janibot and may not retreat into the Tech Room")


def _check_odds(state: State, combat: Combat, seat: Seat) -> Refusal | None:
    """Why this player cannot retreat at all."""
    if not state.plays("bugging-out"):
        return NO_RETREAT
    if combat.odds is None or seat == combat.odds:
        return _not_outnumbered(state, combat)
    if not combat.may_retreat and next(refuges(state, combat), None):
        return Refusal("M47", "somebody has retreated in this Round, and that was the one time")
    return None


def _not_outnumbered(state: State, combat: Combat) -> Refusal:
    humans, mutants = (len(state.fighters(side, combat.room)) for side in ("human", "mutant"))
    return Refusal("OPT.IV.A-a", f"{humans} on the Human side against {mutants}: not outnumbered enough")


def _retreat_theirs(state: State) -> Iterator[Refusal]:
    """The outnumbered side lays out first too, and so the other is never outnumbered."""
    yield _not_outnumbered(state, state.the_combat) if state.plays("bugging-out") else NO_RETREAT


@in_combat
def _retreat_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    late = Refusal("OPT.IV.A-a", "units retreat at the start of a Round, before anybody is laid out")
    yield late if state.plays("bugging-out") else NO_RETREAT


def _check_group(state: State, room: str, seat: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Who goes must be in the Combat, and Janibots need a Human unit that goes too (OPT.IV.A.3)."""
    yield from check_side(state, seat, units)
    led = all(map(state.needs_company, units))
    for unit in units:
        if (state.board.side_of(unit) == seat or state.is_captive(unit)) and state.at.get(unit) != room:
            yield Refusal("V.B.1-a", f"{unit} is not in {room}")
        elif state.is_captive(unit) and (led or seat == "human"):
            yield Refusal("OPT.VI.C-d", "penny is a captive and goes only along with Mutants")
    if led and not state.is_captive(units[0]):
        yield Refusal("OPT.IV.A.3", f"{units[0]} goes only along with a Human unit that goes too")


def _retreat(state: State, _seat: Seat, action: Retreat, _dice: Dice) -> Script[State]:
    """With Hidden Movement Mutants may find enemies that they do not know of: then nobody leaves (OPT.IV.A.6)."""
    group, to = action.units, action.to
    unknown = state.is_hidden and state.the_combat.odds == "human" and not is_square(to) and to not in state.told.rooms
    if unknown:
        yield Asked(Question("human", behind=(to,), fleeing=group))
    else:
        yield from flee(state, group, to)


def flee(state: State, group: tuple[str, ...], to: str) -> Script[State]:
    """Units leave; if all of a side do, the others may follow. Movement is not touched (OPT.IV.B)."""
    combat = state.the_combat
    side = other_side(combat.odds or "human")
    complete = set(group) >= set(state.fighters(side, combat.room))
    square = Secret("mutant", to) if state.is_hidden and is_square(to) else None
    state = yield Retreated(side, group, combat.room, None if square else to, square, complete)
    if state.options["retreat-exit"] == "counts":  # M56
        state = yield from leave(state, group, to)
        state = yield from end_if_decided(state)
    if not (state.outcome or state.asked):
        yield from after_flight(state)


def after_flight(state: State) -> Script[State]:
    """They are pursued, or may be; nobody is asked who could not follow anyway."""
    state = yield from free_penny(state)
    combat = state.the_combat
    if combat.stage == "pursue" and combat.refuge in state.contested():
        yield from _catch_up(state)
    elif combat.stage == "pursue" and next(_pursuit_offers(state, other_side(combat.first)), None) is None:
        yield from end(state, combat.room)


# Pursuit


class Pursued(Event, frozen=True, tag="pursued"):
    """Units have followed those who fled."""

    settles = True
    units: UnitIds
    origin: Place
    to: Place

    def tell(self) -> str:
        """Who follows."""
        return f"Move {compact(self.units)} from {self.origin} to {self.to}: pursuit."

    def apply(self, state: State) -> State:
        """Put them into the same room."""
        return replace(state, at=state.put(self.units, self.to))


class Held(Event, frozen=True, tag="held"):
    """Nobody follows."""

    told = "Nobody follows."

    def apply(self, state: State) -> State:
        """Nothing changes."""
        return state


class Pursue(Action, frozen=True, tag="pursue"):
    """Follow a side that has retreated completely (OPT.IV.A.1-a)."""

    says = "pursue {units}"
    units: UnitIds


class Hold(Action, frozen=True, tag="hold"):
    """Do not follow (OPT.IV.A.1-a)."""

    says = "hold"


def _pursuit_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Every group that may follow: no more than have fled (M43), Janibots only with a Human unit (OPT.IV.A.1-e)."""
    combat = state.combat
    if combat is None or combat.refuge is None:
        return
    able = walkers(state, seat, combat.room)
    if not able or (seat == "human" and is_square(combat.refuge)):
        return
    along = companions(state, seat, combat.room, combat.refuge) if seat == "human" else ()
    yield Choice(Pursue, units=_party(state, able, along, combat.fled))


def _hold_offers(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Hold)


@in_combat
def _pursuit_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    stays = Refusal("OPT.IV.A.2", "no pursuit: somebody stays")
    yield stays if _left_behind(state.the_combat) else Refusal("OPT.IV.A.1-a", "no pursuit: nobody has retreated")


def _pursuit_theirs(state: State) -> Iterator[Refusal]:
    fled = state.the_combat.first
    yield Refusal("OPT.IV.A.1-a", f"the {other_side(fled)} player may follow, not those who fled")


def _left_behind(combat: Combat) -> bool:
    """Whether the outnumbered side could have fled completely, and did not."""
    return combat.odds is not None and not combat.may_retreat


def _check_pursuers(state: State, seat: Seat, action: Pursue) -> Iterator[Refusal]:
    """Every rule that a pursuit breaks; those who stay have no say in it."""
    combat = state.the_combat
    to = combat.refuge or OFF
    names = list(check_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A.1-a", "say which units follow, or hold")]
        return
    for unit in action.units:
        if unit not in state.fighters(seat, combat.room):
            yield Refusal("V.B.1-a", f"{unit} is not of the {seat} side in {combat.room}")
    janibots = [unit for unit in action.units if state.is_janibot(unit)]
    if len(janibots) == len(action.units):
        yield Refusal("OPT.IV.A.1-e", "Janibots follow only along with a Human unit")
    if janibots and to == state.board.tech:
        yield Refusal("OPT.IV.A.7-b", f"{janibots[0]} is a Janibot and may not follow into the Tech Room")
    if seat == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    for unit in action.units:
        if unit in state.at and is_confined(state, unit):
            yield Refusal("M45", f"{unit} may not leave the Tech Room before Turn {CONFINED_UNTIL + 1}")
    group = len(action.units)
    if group > combat.fled:
        rule = "OPT.IV.A.1-d" if group == len(state.fighters(seat, combat.room)) else "OPT.IV.A.1-b"
        yield Refusal(rule, f"{count_of(combat.fled, 'unit')} fled, so no more may follow; the others stay")


def _pursue(state: State, _seat: Seat, action: Pursue, _dice: Dice) -> Script[State]:
    """The followers meet those who fled; the door stands open for Mutants too (OPT.IV.A.1-c).

    A new Combat follows, in which the outnumbered may flee again, as often as they like (OPT.IV.A.5).
    """
    combat = state.the_combat
    state = yield Pursued(action.units, combat.room, combat.refuge or OFF)
    if not state.asked:
        yield from _catch_up(state)


def _catch_up(state: State) -> Script[State]:
    combat = state.the_combat
    state = yield from put_back(state, combat.room)
    yield from begin(state, combat.refuge or OFF)


def _hold(_state: State, _seat: Seat, _action: Hold, _dice: Dice) -> Script[State]:
    state = yield Held()
    yield from end(state, state.the_combat.room)


VERBS = (
    Verb(
        Retreat,
        ("lay",),
        _retreat_offers,
        _check_retreat,
        _retreat,
        read=reading(Retreat, _retreat_offers),
        carries=True,
        late=_retreat_late,
        theirs=_retreat_theirs,
    ),
    Verb(
        Pursue,
        ("pursue",),
        _pursuit_offers,
        _check_pursuers,
        _pursue,
        read=reading(Pursue, _pursuit_offers),
        late=_pursuit_late,
        theirs=_pursuit_theirs,
    ),
    Verb(Hold, ("pursue",), _hold_offers, resolve=_hold, late=_pursuit_late, theirs=_pursuit_theirs),
)
