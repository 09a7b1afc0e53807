"""Events and states in words, as things to do at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.text import count_of, listing
from referee.games.mutants import events, telling
from referee.games.mutants.board import Side, compact, is_square
from referee.games.mutants.events import MutantsEvent
from referee.games.mutants.state import COMBATS, NAMES, SETTING_UP, State, other_side
from referee.games.mutants.victory import alternate_level, basic_level

SIDE_NAMES: Mapping[Side, str] = {"human": "Human-side unit", "mutant": "Mutant"}


def tell(event: MutantsEvent) -> str:
    """An event as one line that a person can act on at the table."""
    match event:
        case events.SidesRolled(human, mutant):
            again = " A tie: roll again." if human == mutant else ""
            return f"Rolled for sides: human chair {human}, mutant chair {mutant}.{again}"
        case events.SideChosen(by, side):
            change = "Nobody changes chairs" if by == side else "Change chairs, and names go with the players"
            return f"The player with the higher roll takes the {side} side. {change}."
        case events.Walled(doors):
            return f"Put a Wall in {listing(doors)}."
        case events.Placed(units, place):
            return f"Put {compact(units)} in {place}."
        case events.Lifted(doors, units):
            walls = [f"the Wall off {door}" for door in doors]
            return f"Take {listing([*walls, *([compact(units)] if units else [])])} back into the hand."
        case events.SetUpDone(side):
            return f"The {side} set-up is complete."
        case events.Arrived(die, ()):
            return f"Rolled {die}: no Mutant is left to arrive."
        case events.Arrived(die, units, place):
            return f"Rolled {die}: put {compact(units)} from the mixed Mutants in {place}."
        case events.Smashed(door, units, die, needed):
            return f"Rolled {die}, {needed} or less smashes: put a Smashed Door marker on {_between(door)}."
        case events.Withstood(door, units, die, needed):
            held = f"a Wall blocks {door}" if die <= needed else f"{door} holds"
            return f"Rolled {die}, {needed} or less smashes: {held}. Turn {compact(units)} upside down."
    return _tell_movement(event)


def _announcements(event: telling.Announced) -> Iterator[str]:
    """What both players are told, one sentence after another."""
    if event.lost:
        yield f"Take {compact(event.lost)} off the gameboard: out of sight."
    for place in dict.fromkeys(place for _, place in event.units):
        units = compact(tuple(unit for unit, at in event.units if at == place))
        yield f"Put {units} in {place} for all to see."
    yield from (f"Put the Wall on {_between(door)} for all to see." for door in event.walls)
    yield from (f"No Wall is on {_between(door)}." for door in event.clear)
    yield from (f"Put a Smashed Door marker on {_between(door)}." for door in event.smashed)
    yield from (f"{'Somebody' if there else 'Nobody'} is in {room}." for room, there in event.behind)
    if event.rooms is not None:
        yield f"Mutants are in {', '.join(event.rooms)}." if event.rooms else "No Mutants are in the building."


def _between(door: str) -> str:
    one, _, other = door.partition("-")
    return f"the door between {one} and {other}"


def _passing(ways: tuple[tuple[str, str], ...]) -> str:
    return listing([f"from {origin} to {to}" for origin, to in ways])


def _tell_movement(event: MutantsEvent) -> str:
    match event:
        case events.Opened(door, units, _, ()):
            return f"{door} is held by {compact(units)}: nobody passes until Mutants on its other side hold it too."
        case events.Opened(door, units, _, ways):
            return f"{door} is open {_passing(ways)} until the end of the Movement Step, by {compact(units)}."
        case events.Moved(units, to):
            origins = dict.fromkeys(origin for _, origin in units)
            parts = [f"{compact(tuple(u for u, o in units if o == origin))} from {origin}" for origin in origins]
            return f"Move {listing(parts)} to {to}."
        case events.Escaped(units, penny):
            who = listing([*units, *(["penny"] if penny else [])])
            return f"Out of the building: {who}."
        case events.Blocked(door, units):
            return f"A Wall blocks {door}: {compact(units)} cannot open it."
        case events.PennyFreed(place):
            return f"Penny is free, in {place}."
        case events.Glowed(()):
            return "Glow and Go: no Radioactive Mutant is left to roll for."
        case events.Glowed(faces, gone):
            rolled = " ".join(str(face) for _, face in faces)
            return f"Glow and Go: {rolled}. {_take_from(gone) if gone else 'All stay.'}"
        case events.PhaseBegun(phase, passed):
            skipped = f" (nothing to do in {listing([NAMES[each] for each in passed])})" if passed else ""
            return f"Now {NAMES[phase]}{skipped}."
        case events.TurnBegun(turn, upturned):
            up = f" Turn {compact(upturned)} up again." if upturned else ""
            return f"Move the Game Turn unit to box {turn}.{up}"
        case events.StopProposed(side):
            return f"The {side} player would end the game here, as it stands; if the other says stop too, it is over."
        case events.Ended(outcome):
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
        case events.CombatBegun(room, human, mutant):
            return (
                f"Put the Combat Location unit in {room} and move {compact(human)} and {compact(mutant)} "
                "to the Combat Display."
            )
        case events.RoundBegun(combat, _):
            return f"Round {combat.round} in {combat.room}: {combat.first} lays out first.{_odds(event)}"
        case events.Engaged(side, units, reserve):
            left = f"; in Reserve: {compact(reserve)}" if reserve else ""
            return f"Engaged for the {side} side, from box 1: {' '.join(units)}{left}."
        case events.Fought():
            return _tell_pair(event)
        case events.CombatEnded(room, survivors):
            back = f"put {compact(survivors)} back in {room}" if survivors else f"nobody is left in {room}"
            return f"Combat over: {back}; take the Combat Location unit off."
        case events.Retreated(_, units, origin):
            left = "" if event.complete else "; the others stay and fight"
            to = f"to {event.refuge}" if event.refuge else "into a square"
            return f"Move {compact(units)} from {origin} {to}: retreat{left}."
        case events.Pursued(units, origin, to):
            return f"Move {compact(units)} from {origin} to {to}: pursuit."
        case events.Held():
            return "Nobody follows."
        case telling.Tried(attempt):
            thrown = f"Rolled {attempt.die}" if attempt.die else f"{compact(attempt.units)} open {attempt.door}"
            return f"{thrown}: whether a Wall blocks {attempt.door} is told first."
        case telling.AttemptSettled(door):
            return f"The attempt at {door} is over."
        case telling.Asked(question):
            return f"The {question.of} player tells {question.about}."
        case telling.Announced():
            return f"Told to both: {' '.join(_announcements(event))}"
        case telling.Barred(room):
            return f"Somebody is in {room}: nobody retreats there."
        case telling.Concealed(units):
            return f"Take {compact(units)} off the gameboard and note where they are."
        case telling.Disclosed(side):
            return f"The {side} player's notes lie open."
    raise AssertionError(f"no words for {event}")


def _odds(event: events.RoundBegun) -> str:
    """What follows from being outnumbered under the options in force (OPT.III, OPT.IV.A-a)."""
    combat = event.combat
    if combat.odds is None:
        return ""
    many = f" The {combat.odds} side has overwhelming numbers: each of its dice counts one less."
    less = many if event.modifier else ""
    return f"{less} The {other_side(combat.odds)} side may retreat." if combat.may_retreat else less


def _tell_pair(event: events.Fought) -> str:
    rolled = f"{event.human} against {event.mutant}: {event.human_die}-{event.mutant_die}."
    if not (event.eliminated or event.captured):
        return f"{rolled} Nobody is hit: roll again."
    gone = _take_off(event.eliminated) if event.eliminated else ""
    taken = "Penny is hit and taken captive." if event.captured else ""
    return " ".join(filter(None, [rolled, gone, taken]))


def status(view: State) -> str:
    """The state in one line: what is waited for, who is left, and what the victory check would say now."""
    if view.outcome:
        return view.outcome.because
    if view.is_partial:
        return "; ".join([_waiting(view), *_known(view)])
    human, mutants = view.strength("human"), view.strength("mutant")
    level = alternate_level(view) if view.alternate else basic_level(view)
    left = f"{count_of(human, 'Human-side unit')} and {count_of(mutants, 'Mutant')} on the board"
    if view.phase in SETTING_UP:
        return f"{_waiting(view)}; {_walls(view)}{left}"
    return f"{_waiting(view)}; {left}; as things stand: {level}"


def _walls(state: State) -> str:
    """While the Human player sets up: the Walls placed, and how many there are."""
    placed = len(state.walls)
    return f"{placed} of {count_of(placed + state.walls_in_hand, 'Wall')}, " if state.phase == "setup-human" else ""


def _known(state: State) -> Iterator[str]:
    """Of a view: how many units are left of a side that it knows all about, and what is told of the others."""
    for side, name in SIDE_NAMES.items():
        units = state.board.units
        if not any(units[unit].side == side for unit in state.unknown or ()):
            walls = _walls(state) if side == "human" else ""
            yield f"{walls}{count_of(state.strength(side), name)} on the board"
    if state.told.sighted:
        yield f"somebody of the Human side in {', '.join(state.told.sighted)}"
    if state.phase not in SETTING_UP:
        yield f"Mutants in {', '.join(state.told.rooms)}" if state.told.rooms else "no Mutants in the building"


def _waiting(state: State) -> str:
    if state.asked:
        return f"the {state.asked.of} player tells {state.asked.about}"
    if state.phase in COMBATS:
        return _waiting_in_combat(state)
    held = {door: state.ways_held_open(door) for door, _ in sorted(state.opened)}
    opened = [f"{door} {_passing(ways)}" for door, ways in held.items() if ways]
    return f"{NAMES[state.phase][4:]}{', open: ' if opened else ''}{listing(opened)}"


def _waiting_in_combat(state: State) -> str:
    combat = state.combat
    if combat is None:
        return f"Combat to come in {listing(state.contested())}"
    pair = " against ".join(combat.pair_due or ())
    what = {"lay": "laying out", "pair": "pairing off", "resolve": f"dice for {pair}", "pursue": "pursuit"}
    return f"Combat in {combat.room}, Round {combat.round}: {what[combat.stage]} by the {state.to_act} player"


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
