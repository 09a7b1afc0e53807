"""Events and states in words, as things to do at the table."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.text import count_of, listing
from referee.games.mutants.board import compact, is_square
from referee.games.mutants.combat import waiting_for
from referee.games.mutants.doors import openings
from referee.games.mutants.events import (
    Announced,
    Arrived,
    Barred,
    Blocked,
    CombatBegun,
    CombatEnded,
    Concealed,
    Ended,
    Escaped,
    Fought,
    Glowed,
    Held,
    LaidOut,
    Moved,
    MutantsEvent,
    Opened,
    PairedOff,
    PennyFreed,
    PhaseBegun,
    Placed,
    Pursued,
    Retreated,
    RoundBegun,
    SetUpDone,
    SideChosen,
    SidesRolled,
    Smashed,
    TurnBegun,
    Walled,
    Withstood,
)
from referee.games.mutants.state import COMBATS, SETTING_UP, Combat, State, other_side
from referee.games.mutants.timing import NAMES
from referee.games.mutants.victory import alternate_level, basic_level


def tell(event: MutantsEvent) -> str:
    """An event as one line that a person can act on at the table."""
    match event:
        case SidesRolled(human, mutant):
            again = " A tie: roll again." if human == mutant else ""
            return f"Rolled for sides: human chair {human}, mutant chair {mutant}.{again}"
        case SideChosen(by, side):
            change = "Nobody changes chairs" if by == side else "Change chairs"
            return f"The player with the higher roll takes the {side} side. {change}."
        case Walled(doors):
            return f"Put a Wall in {listing(doors)}."
        case Placed(units, place):
            return f"Put {compact(units)} in {place}."
        case SetUpDone(side):
            return f"The {side} set-up is complete."
        case Arrived(die, ()):
            return f"Rolled {die}: no Mutant is left to arrive."
        case Arrived(die, units, place):
            return f"Rolled {die}: put {compact(units)} from the mixed Mutants in {place}."
        case Smashed(door, units, die, needed):
            return f"Rolled {die}, {needed} or less smashes: put a Smashed Door marker on {_between(door)}."
        case Withstood(door, units, die, needed):
            held = f"a Wall blocks {door}" if die <= needed else f"{door} holds"
            return f"Rolled {die}, {needed} or less smashes: {held}. Turn {compact(units)} upside down."
        case Announced():
            return f"Told to both: {' '.join(_announcements(event))}"
    return _tell_movement(event)


def _announcements(event: Announced) -> Iterator[str]:
    """What both players are told, one sentence after another."""
    if event.lost:
        yield f"Take {compact(event.lost)} off the gameboard: out of sight."
    for place in dict.fromkeys(place for _, place in event.units):
        units = compact(tuple(unit for unit, at in event.units if at == place))
        yield f"Put {units} in {place} for all to see."
    yield from (f"Put the Wall on {_between(door)} for all to see." for door in event.walls)
    yield from (f"Put a Smashed Door marker on {_between(door)}." for door in event.smashed)
    yield from (f"{'Somebody' if there else 'Nobody'} is in {room}." for room, there in event.behind)
    if event.rooms is not None:
        yield f"Mutants are in {', '.join(event.rooms)}." if event.rooms else "No Mutants are in the building."


def _between(door: str) -> str:
    one, _, other = door.partition("-")
    return f"the door between {one} and {other}"


def _tell_movement(event: MutantsEvent) -> str:
    match event:
        case Opened(door, units, places):
            return f"{door} is open into {listing(places)} until the end of the Movement Step, by {compact(units)}."
        case Moved(units, to):
            origins = dict.fromkeys(origin for _, origin in units)
            parts = [f"{compact(tuple(u for u, o in units if o == origin))} from {origin}" for origin in origins]
            return f"Move {listing(parts)} to {to}."
        case Escaped(units, penny):
            who = listing([*units, *(["penny"] if penny else [])])
            return f"Out of the building: {who}."
        case Blocked(door, units):
            return f"A Wall blocks {door}: {compact(units)} cannot open it."
        case Concealed(units):
            return f"Take {compact(units)} off the gameboard and note where they are."
        case PennyFreed(place):
            return f"Penny is free, in {place}."
        case Glowed(()):
            return "Glow and Go: no Radioactive Mutant is left to roll for."
        case Glowed(faces, gone):
            rolled = " ".join(str(face) for _, face in faces)
            return f"Glow and Go: {rolled}. {_take_from(gone) if gone else 'All stay.'}"
        case PhaseBegun(phase, passed):
            skipped = f" (nothing to do in {listing([NAMES[each] for each in passed])})" if passed else ""
            return f"Now {NAMES[phase]}{skipped}."
        case TurnBegun(turn, upturned):
            up = f" Turn {compact(upturned)} up again." if upturned else ""
            return f"Move the Game Turn unit to box {turn}.{up}"
        case Ended(outcome):
            return f"Game over: {outcome.because}."
    return _tell_combat(event)


def _take_off(units: tuple[str, ...]) -> str:
    return f"Take {listing(units)} off the board."


def _take_from(units: tuple[tuple[str, str], ...]) -> str:
    """Who is to be taken off which place: "Take r7 and r9 off C4, r1 off xN2."."""
    places = dict.fromkeys(place for _, place in units)
    parts = [f"{listing([unit for unit, at in units if at == place])} off {place}" for place in places]
    return f"Take {', '.join(parts)}."


def _tell_combat(event: MutantsEvent) -> str:
    match event:
        case CombatBegun(room, human, mutant):
            return (
                f"Put the Combat Location unit in {room} and move {compact(human)} and {compact(mutant)} "
                "to the Combat Display."
            )
        case RoundBegun(combat):
            return f"Round {combat.round} in {combat.room}: {combat.first} lays out first.{_odds(combat)}"
        case LaidOut(side, units, reserve) | PairedOff(side, units, reserve):
            left = f"; in Reserve: {compact(reserve)}" if reserve else ""
            return f"Engaged for the {side} side, from box 1: {' '.join(units)}{left}."
        case Fought():
            return _tell_pair(event)
        case CombatEnded(room, survivors):
            back = f"put {compact(survivors)} back in {room}" if survivors else f"nobody is left in {room}"
            return f"Combat over: {back}; take the Combat Location unit off."
        case Retreated(side, units, origin, to, complete):
            left = "" if complete else "; the others stay and fight"
            return f"Move {compact(units)} from {origin} {f'to {to}' if to else 'into a square'}: retreat{left}."
        case Pursued(units, origin, to):
            return f"Move {compact(units)} from {origin} to {to}: pursuit."
        case Barred(room):
            return f"Somebody is in {room}: nobody retreats there."
        case Held():
            return "Nobody follows."
    raise AssertionError(f"no words for {event}")


def _odds(combat: Combat) -> str:
    if combat.odds is None:
        return ""
    flee = f" The {other_side(combat.odds)} side may retreat." if combat.may_retreat else ""
    return f" The {combat.odds} side has overwhelming numbers.{flee}"


def _tell_pair(event: Fought) -> str:
    rolls = " ".join(f"{human}-{mutant}" for human, mutant in event.rolls)
    gone = _take_off(event.eliminated) if event.eliminated else ""
    taken = "Penny is hit and taken captive." if event.captured else ""
    return " ".join(filter(None, [f"{event.human} against {event.mutant}: {rolls}.", gone, taken]))


def standing(state: State) -> str:
    """The state in one line: what is waited for, who is left, and what the victory check would say now."""
    if state.outcome:
        return state.outcome.because
    if state.is_partial:
        return "; ".join([_waiting(state), *_known(state)])
    units = state.board.units
    human = sum(units[unit].side == "human" for unit in state.at)
    level = alternate_level(state) if state.alternate else basic_level(state)
    left = f"{count_of(human, 'Human-side unit')} and {count_of(len(state.at) - human, 'Mutant')} on the board"
    if state.phase in SETTING_UP:
        return f"{_waiting(state)}; {_walls(state)}{left}"
    return f"{_waiting(state)}; {left}; as things stand: {level}"


def _walls(state: State) -> str:
    """While the Human player sets up: the Walls placed, and how many there are."""
    placed = len(state.walls)
    return f"{placed} of {count_of(placed + state.walls_in_hand, 'Wall')}, " if state.phase == "setup-human" else ""


def _known(state: State) -> Iterator[str]:
    """Of a view: how many units are left of a side that it knows all about, and what is told of the others."""
    for side, name in (("human", "Human-side unit"), ("mutant", "Mutant")):
        units = state.board.units
        if not any(units[unit].side == side for unit in state.unknown or ()):
            walls = _walls(state) if side == "human" else ""
            yield f"{walls}{count_of(sum(units[unit].side == side for unit in state.at), name)} on the board"
    if state.told.sighted:
        yield f"somebody of the Human side in {', '.join(state.told.sighted)}"
    if state.phase not in SETTING_UP:
        yield f"Mutants in {', '.join(state.told.rooms)}" if state.told.rooms else "no Mutants in the building"


def _waiting(state: State) -> str:
    if state.phase in COMBATS:
        return waiting_for(state)
    opened = f", open: {openings(state)}" if state.opened else ""
    return f"{NAMES[state.phase][4:]}{opened}"


def crowd(state: State, place: str) -> str:
    """What stands in a place, as counts by type: "2 Guards, 1 Janibot"."""
    kinds = ("tech", "guard", "janibot", "leader", "radioactive", "normal")
    names = ("Tech", "Guard", "Janibot", "Leader", "Radioactive Mutant", "Normal Mutant")
    counts = {name: state.count(place, kind) for kind, name in zip(kinds, names, strict=True)}
    told = [count_of(number, name) for name, number in counts.items() if number]
    if state.captive and state.at.get("penny") == place:
        told.append("Penny, captive")
    return listing(told)


def where(place: str) -> str:
    """A place with what it is."""
    return f"square {place}" if is_square(place) else f"room {place}"
