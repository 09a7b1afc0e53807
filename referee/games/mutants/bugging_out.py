"""Bugging Out: retreat from a Combat at the start of a Round, and pursuit (OPT.IV)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.game import Script
from referee.engine.legal import Choice, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.games.mutants import sequence
from referee.games.mutants.actions import Hold, Pursue, Retreat
from referee.games.mutants.board import OFF, Side, is_square
from referee.games.mutants.events import Barred, Held, Pursued, Retreated
from referee.games.mutants.moving import is_confined, leave
from referee.games.mutants.naming import check_names, check_side
from referee.games.mutants.state import Combat, State, other_side

# Retreat


def can_retreat(state: State, combat: Combat) -> bool:
    """Whether the outnumbered side may go anywhere: only the odds count, not their modifier (OPT.IV.A-a, M21)."""
    return combat.odds is not None and next(_ways_out(state, combat), None) is not None


def retreats(state: State, combat: Combat) -> Iterator[Choice]:
    """Every room to which the outnumbered side may retreat, once a Round (M47) and all to one room (M44)."""
    if combat.may_retreat:
        yield from _ways_out(state, combat)


def _ways_out(state: State, combat: Combat) -> Iterator[Choice]:
    side = other_side(combat.odds or "human")
    here = state.fighters(side, combat.room)
    for to in state.beside(combat.room):
        if next(_check_refuge(state, side, combat.room, to), None):
            continue
        able = tuple(unit for unit in here if not _needs_company(state, unit) and not is_confined(state, unit))
        if able:
            along = _companions(state, side, combat.room, to)
            group = Subset(along, 0, len(along)) if along else ()
            yield Choice(Retreat, units=Subset(able, 1, len(able)), along=group, to=to)


def _companions(state: State, side: Side, room: str, to: str) -> tuple[str, ...]:
    """Who may come along: Janibots, but not into the Tech Room (OPT.IV.A.7-a); captive Penny with Mutants (M51)."""
    if side == "mutant":
        return ("penny",) if state.captive and state.at["penny"] == room else ()
    if to == state.board.tech:
        return ()
    return tuple(unit for unit in state.fighters("human", room) if _needs_company(state, unit))


def _needs_company(state: State, unit: str) -> bool:
    return state.board.units[unit].kind == "janibot"


def check_retreat(state: State, combat: Combat, side: Side, action: Retreat) -> Iterator[Refusal]:
    """Every rule that a retreat breaks."""
    if state.options.bugging_out == "no":
        yield Refusal("V.A-c", "a Combat goes on to the end: Bugging Out is not played")
        return
    late = _check_time(state, combat, side)
    if late:
        yield late
        return
    names = [*check_names(state, action.units), *check_names(state, action.along)]
    if names:
        yield from names
        return
    yield from _check_group(state, combat.room, side, action.units, action.along)
    yield from _check_refuge(state, side, combat.room, action.to)
    for unit in action.units:
        if is_confined(state, unit):
            yield Refusal("OPT.IV.A.8", f"{unit} may not leave the Tech Room before Turn 5")
    if action.to == state.board.tech and any(_needs_company(state, unit) for unit in action.along):
        yield Refusal("OPT.IV.A.7-a", f"{action.along[0]} is a Janibot and may not retreat into the Tech Room")


def _check_time(state: State, combat: Combat, side: Side) -> Refusal | None:
    counts = [len(state.fighters(each, combat.room)) for each in ("human", "mutant")]
    if combat.stage != "lay":
        return Refusal("OPT.IV.A-a", "units retreat at the start of a Round, before anybody is laid out")
    if combat.odds is None or side == combat.odds:
        return Refusal("OPT.IV.A-a", f"{counts[0]} on the Human side against {counts[1]}: not outnumbered enough")
    if not combat.may_retreat and can_retreat(state, combat):
        return Refusal("M47", "somebody has retreated in this Round, and that was the one time")
    return None


def _check_group(
    state: State, room: str, side: Side, units: tuple[str, ...], along: tuple[str, ...]
) -> Iterator[Refusal]:
    """Who goes must be in the Combat, and Janibots need a Human unit that goes too (OPT.IV.A.3)."""
    yield from check_side(state, side, (*units, *along))
    for unit in (*units, *along):
        if state.is_captive(unit):
            if state.at[unit] != room:
                yield Refusal("V.B.1-a", f"{unit} is not in {room}")
            elif side == "human" or unit in units:
                yield Refusal("OPT.VI.C-d", "penny is a captive and goes only along with Mutants")
        elif state.board.side_of(unit) == side and unit not in state.fighters(side, room):
            yield Refusal("V.B.1-a", f"{unit} is not in {room}")
    needy = [unit for unit in (*units, *along) if _needs_company(state, unit) or state.is_captive(unit)]
    if not units or list(along) != needy:
        who = needy[0] if needy else "nobody"
        yield Refusal("OPT.IV.A.3", f"{who} goes only along with a Human unit that goes too")


def _check_refuge(state: State, side: Side, room: str, to: str) -> Iterator[Refusal]:
    """Each side flees through its own doors (M22); those who failed at a door this Turn may too (M46)."""
    if to == OFF or not state.are_beside(room, to):
        yield Refusal("OPT.IV.A-a", f"{to} is not next to {room}")
        return
    door = state.door(room, to)
    if door in state.walls:
        yield Refusal("OPT.I-b", f"a Wall blocks {door} for those who flee too (IV.A.3)")
    elif side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif side == "mutant" and door not in state.smashed:
        yield Refusal("OPT.IV.A.4", f"{door} is not smashed")
    if state.knows_enemies(side, to):
        yield Refusal("OPT.IV.A.6", f"{to} holds enemies")


def retreat(state: State, combat: Combat, action: Retreat) -> Script:
    """Units leave; if all of a side do, the others may follow. Movement is not touched (OPT.IV.B).

    With Hidden Movement they may find enemies that they did not know of: then nobody leaves (OPT.IV.A.6).
    """
    side = other_side(combat.odds or "human")
    if state.fighters(other_side(side), action.to):
        return (yield Barred(action.to))
    complete = set(action.units + action.along) >= set(state.fighters(side, combat.room))
    group = (*action.units, *action.along)
    state = yield Retreated(side, group, combat.room, action.to, complete)
    if state.options.retreat_exit == "counts":  # M56
        state = yield from leave(state, group, action.to)
        state = yield from sequence.end_if_decided(state)
    if state.outcome is None:
        state = yield from sequence.free_penny(state)
    return state


# Pursuit


def pursuits(state: State, combat: Combat) -> Iterator[Choice]:
    """Every group that may follow: no more than have fled (M43), Janibots only with a Human unit (OPT.IV.A.1-e)."""
    if combat.refuge is None:
        return
    side, to, most = other_side(combat.first), combat.refuge, combat.fled
    here = state.fighters(side, combat.room)
    if side == "human" and is_square(to):
        return
    able = tuple(unit for unit in here if not _needs_company(state, unit) and not is_confined(state, unit))
    if not able:
        return
    along = _companions(state, side, combat.room, to) if side == "human" else ()
    for count in range(min(len(along), most - 1) + 1):
        group = Subset(able, 1, min(len(able), most - count))
        yield Choice(Pursue, units=group, along=Subset(along, count, count) if count else ())


def check_pursuit(state: State, combat: Combat, side: Side, action: Pursue | Hold) -> Iterator[Refusal]:
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
    names = [*check_names(state, action.units), *check_names(state, action.along)]
    if names:
        yield from names
        return
    for unit in (*action.units, *action.along):
        if unit not in state.fighters(side, combat.room):
            yield Refusal("V.B.1-a", f"{unit} is not of the {side} side in {combat.room}")
    janibots = [unit for unit in (*action.units, *action.along) if _needs_company(state, unit)]
    if not action.units or list(action.along) != janibots:
        yield Refusal("OPT.IV.A.1-e", "Janibots follow only along with a Human unit")
    if janibots and to == state.board.tech:
        yield Refusal("OPT.IV.A.7-b", f"{janibots[0]} is a Janibot and may not follow into the Tech Room")
    if side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    for unit in action.units:
        if unit in state.at and is_confined(state, unit):
            yield Refusal("M45", f"{unit} may not leave the Tech Room before Turn 5")
    group = len(action.units) + len(action.along)
    if group > combat.fled:
        rule = "OPT.IV.A.1-d" if group == len(state.fighters(side, combat.room)) else "OPT.IV.A.1-b"
        yield Refusal(rule, f"{count_of(combat.fled, 'unit')} fled, so no more may follow; the others stay")


def pursue(combat: Combat, action: Pursue) -> Script:
    """The followers meet those who fled; the door stands open for Mutants too (OPT.IV.A.1-c).

    A new Combat follows, in which the outnumbered may flee again, as often as they like (OPT.IV.A.5).
    """
    return (yield Pursued((*action.units, *action.along), combat.room, combat.refuge or combat.room))


def hold() -> Script:
    """Nobody follows."""
    return (yield Held())
