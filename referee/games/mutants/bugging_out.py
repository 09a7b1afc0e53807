"""Bugging Out: retreat from a Combat at the start of a Round, and pursuit (OPT.IV)."""

from collections.abc import Iterator

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.text import count_of
from referee.games.mutants import sequence
from referee.games.mutants.board import OFF, Side, is_square
from referee.games.mutants.combat import begin, end, in_combat, put_back, the_combat
from referee.games.mutants.events import Held, Pursued, Retreated
from referee.games.mutants.moving import check_refuge, companions, is_confined, leave, refuges, walkers
from referee.games.mutants.notation import PlaceSaid, check_names, check_side
from referee.games.mutants.state import Combat, Question, State, UnitIds, other_side
from referee.games.mutants.telling import Asked, Noted
from referee.games.mutants.victory import end_if_decided

MOST = 100
"""More units than can be in a room."""

# Retreat


class Retreat(Noted, frozen=True, tag="retreat"):
    """Bug out: leave the Combat for a room next to it (OPT.IV.A-a)."""

    says = "retreat {units} to {to}"
    units: UnitIds
    to: PlaceSaid

    @property
    def is_noted(self) -> bool:
        """Whether it leads into a square: nobody is shown in which (OPT.V.D-a)."""
        return is_square(self.to)


def _retreat_offers(state: State, combat: Combat) -> Iterator[Choice]:
    """Every room to which the outnumbered side may retreat, once a Round (M47) and all to one room (M44)."""
    for to, able, along in refuges(state, combat) if combat.may_retreat else ():
        yield Choice(Retreat, units=_party(state, able, along), to=to)


def _party(state: State, able: tuple[str, ...], along: tuple[str, ...], most: int = MOST) -> Subset:
    """Who may leave a room together: those who are led only with somebody who leads them."""
    units = state.board.sorted((*able, *along))
    return Subset(units, 1, min(len(units), most), dict.fromkeys(along, able))


def _check_retreat(state: State, side: Side, combat: Combat, action: Retreat) -> Iterator[Refusal]:
    """Every rule that a retreat breaks."""
    if not state.plays("bugging-out"):
        yield Refusal("V.A-c", "a Combat goes on to the end: Bugging Out is not played")
        return
    late = _check_time(state, combat, side)
    if late:
        yield late
        return
    names = list(check_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A-a", "say which units retreat")]
        return
    yield from _check_group(state, combat.room, side, action.units)
    yield from check_refuge(state, side, combat.room, action.to)
    for unit in action.units:
        if is_confined(state, unit) and not state.is_captive(unit):
            yield Refusal("OPT.IV.A.8", f"{unit} may not leave the Tech Room before Turn 5")
        if action.to == state.board.tech and state.is_janibot(unit):
            yield Refusal("OPT.IV.A.7-a", f"{unit} is a Janibot and may not retreat into the Tech Room")


def _check_time(state: State, combat: Combat, side: Side) -> Refusal | None:
    counts = [len(state.fighters(each, combat.room)) for each in ("human", "mutant")]
    if combat.stage != "lay":
        return Refusal("OPT.IV.A-a", "units retreat at the start of a Round, before anybody is laid out")
    if combat.odds is None or side == combat.odds:
        return Refusal("OPT.IV.A-a", f"{counts[0]} on the Human side against {counts[1]}: not outnumbered enough")
    if not combat.may_retreat and next(refuges(state, combat), None):
        return Refusal("M47", "somebody has retreated in this Round, and that was the one time")
    return None


def _check_group(state: State, room: str, side: Side, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Who goes must be in the Combat, and Janibots need a Human unit that goes too (OPT.IV.A.3)."""
    yield from check_side(state, side, units)
    led = all(map(state.needs_company, units))
    for unit in units:
        if (state.board.side_of(unit) == side or state.is_captive(unit)) and state.at.get(unit) != room:
            yield Refusal("V.B.1-a", f"{unit} is not in {room}")
        elif state.is_captive(unit) and (led or side == "human"):
            yield Refusal("OPT.VI.C-d", "penny is a captive and goes only along with Mutants")
    if led and not state.is_captive(units[0]):
        yield Refusal("OPT.IV.A.3", f"{units[0]} goes only along with a Human unit that goes too")


def _retreat(state: State, combat: Combat, action: Retreat, _dice: Dice) -> Script[State]:
    """With Hidden Movement Mutants may find enemies that they do not know of: then nobody leaves (OPT.IV.A.6)."""
    group, to = action.units, action.to
    unknown = state.is_hidden and combat.odds == "human" and not is_square(to) and to not in state.told.rooms
    if unknown:
        yield Asked(Question("human", behind=(to,), fleeing=group))
    else:
        yield from flee(state, group, to)


def flee(state: State, group: tuple[str, ...], to: str) -> Script[State]:
    """Units leave; if all of a side do, the others may follow. Movement is not touched (OPT.IV.B)."""
    combat = the_combat(state)
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
    state = yield from sequence.free_penny(state)
    combat = the_combat(state)
    if combat.stage == "pursue" and combat.refuge in state.contested():
        yield from _catch_up(state)
    elif combat.stage == "pursue" and next(_pursuit_offers(state, combat), None) is None:
        yield from end(state, combat.room)


# Pursuit


class Pursue(Action, frozen=True, tag="pursue"):
    """Follow a side that has retreated completely (OPT.IV.A.1-a)."""

    says = "pursue {units}"
    units: UnitIds


class Hold(Action, frozen=True, tag="hold"):
    """Do not follow."""

    says = "hold"


def _pursuit_offers(state: State, combat: Combat) -> Iterator[Choice]:
    """Every group that may follow: no more than have fled (M43), Janibots only with a Human unit (OPT.IV.A.1-e)."""
    if combat.refuge is None:
        return
    side, to, most = other_side(combat.first), combat.refuge, combat.fled
    able = walkers(state, side, combat.room)
    if not able or (side == "human" and is_square(to)):
        return
    along = companions(state, side, combat.room, to) if side == "human" else ()
    yield Choice(Pursue, units=_party(state, able, along, most))


def _check_pursuit(state: State, side: Side, combat: Combat, action: Pursue | Hold) -> Iterator[Refusal]:
    """Every rule that a pursuit breaks; those who stay have no say in it."""
    if combat.stage != "pursue":
        stays = Refusal("OPT.IV.A.2", "no pursuit: somebody stays")
        yield stays if _left_behind(combat) else Refusal("OPT.IV.A.1-a", "no pursuit: nobody has retreated")
    elif side == combat.first:
        yield Refusal("OPT.IV.A.1-a", f"the {other_side(side)} player may follow, not those who fled")
    elif isinstance(action, Pursue):
        yield from _check_pursuers(state, combat, side, action)


def _left_behind(combat: Combat) -> bool:
    """Whether the outnumbered side could have fled completely, and did not."""
    return combat.odds is not None and not combat.may_retreat


def _check_pursuers(state: State, combat: Combat, side: Side, action: Pursue) -> Iterator[Refusal]:
    to = combat.refuge or OFF
    names = list(check_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A.1-a", "say which units follow, or hold")]
        return
    for unit in action.units:
        if unit not in state.fighters(side, combat.room):
            yield Refusal("V.B.1-a", f"{unit} is not of the {side} side in {combat.room}")
    janibots = [unit for unit in action.units if state.is_janibot(unit)]
    if len(janibots) == len(action.units):
        yield Refusal("OPT.IV.A.1-e", "Janibots follow only along with a Human unit")
    if janibots and to == state.board.tech:
        yield Refusal("OPT.IV.A.7-b", f"{janibots[0]} is a Janibot and may not follow into the Tech Room")
    if side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    for unit in action.units:
        if unit in state.at and is_confined(state, unit):
            yield Refusal("M45", f"{unit} may not leave the Tech Room before Turn 5")
    group = len(action.units)
    if group > combat.fled:
        rule = "OPT.IV.A.1-d" if group == len(state.fighters(side, combat.room)) else "OPT.IV.A.1-b"
        yield Refusal(rule, f"{count_of(combat.fled, 'unit')} fled, so no more may follow; the others stay")


def _pursue(_state: State, combat: Combat, action: Pursue, _dice: Dice) -> Script[State]:
    """The followers meet those who fled; the door stands open for Mutants too (OPT.IV.A.1-c).

    A new Combat follows, in which the outnumbered may flee again, as often as they like (OPT.IV.A.5).
    """
    state = yield Pursued(action.units, combat.room, combat.refuge or OFF)
    if not state.asked:
        yield from _catch_up(state)


def _catch_up(state: State) -> Script[State]:
    combat = the_combat(state)
    state = yield from put_back(state, combat.room)
    yield from begin(state, combat.refuge or OFF)


def _hold(_state: State, combat: Combat, _action: Hold, _dice: Dice) -> Script[State]:
    state = yield Held()
    yield from end(state, combat.room)


VERBS = (
    in_combat(Retreat, "lay", _retreat, offers=_retreat_offers, check=_check_retreat),
    in_combat(Pursue, "pursue", _pursue, offers=_pursuit_offers, check=_check_pursuit),
    in_combat(Hold, "pursue", _hold, offers=lambda _state, _combat: iter((Choice(Hold),)), check=_check_pursuit),
)
