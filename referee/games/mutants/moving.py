"""Movement (III.A.3, III.C, IV.A): of Mutants through their doors (IV.B), of Humans with their Janibots (IV.C)."""

from collections.abc import Collection, Iterator
from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Choice, Choices, Subset
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.mutants.board import OFF, Place, compact, grid, is_square
from referee.games.mutants.notation import PlaceSaid, Reader, check_names, check_owned, reading
from referee.games.mutants.order import not_yours, once_begun
from referee.games.mutants.state import CONFINED_UNTIL, MUTANT_MOVEMENT, Combat, State, UnitId, UnitIds, other_side
from referee.games.mutants.status import now
from referee.games.mutants.victory import end_if_decided
from referee.games.mutants.view import Noted, Unnoticed


class Moved(Unnoticed, frozen=True, tag="moved"):
    """Units have moved one room or square, and the hand is off them (IV.A-c, M36)."""

    settles = True
    units: tuple[tuple[UnitId, Place], ...]
    """Who, each with where it came from."""
    to: Place

    def tell(self) -> str:
        """Who goes from where."""
        origins = dict.fromkeys(origin for _, origin in self.units)
        parts = [f"{compact(tuple(u for u, o in self.units if o == origin))} from {origin}" for origin in origins]
        return f"Move {listing(parts)} to {self.to}."

    def apply(self, state: State) -> State:
        """Put them there."""
        moved = {**state.moved, **dict(self.units)}
        return replace(state, at=state.put(dict(self.units), self.to), moved=moved)


class Escaped(Unnoticed, frozen=True, tag="escaped"):
    """Mutants of the Alternate Scenario have left the building."""

    units: UnitIds
    penny: bool
    """Whether they took Penny with them."""

    def tell(self) -> str:
        """Who is out."""
        who = [*self.units, *(["penny"] if self.penny else [])]
        return f"Out of the building: {listing(who)}."

    def apply(self, state: State) -> State:
        """Note who is out, and the best that is out."""
        best: Literal["mutant", "penny"] = "penny" if self.penny or state.escape == "penny" else "mutant"
        return replace(state, exited=state.exited.union(self.units), escape=best)


class PennyFreed(Event, frozen=True, tag="penny-freed"):
    """No Mutant is left with Penny: she is free."""

    told = "Penny is free, in {place}."
    place: Place

    def apply(self, state: State) -> State:
        """She is an ordinary Human unit again."""
        return replace(state, captive=False)


class Move(Noted, frozen=True, tag="move"):
    """Move units together to a room or square next to where they stand (IV.A-a)."""

    says = "move {units} to {to}"
    units: UnitIds
    """Janibots go only with who leads them (IV.C.2-a), the captive Penny with her captors (OPT.VI.C-d)."""
    to: PlaceSaid


# Who can go where


def is_confined(state: State, unit: str) -> bool:
    """Techs stay in the Tech Room until Turn 5 (IV.C.1-a, IV.C.1-b, M19); those outside move (M53)."""
    at_gate = state.at.get(unit) == state.board.tech and state.turn <= CONFINED_UNTIL
    return at_gate and state.board.units[unit].kind == "tech"


def _holds_arrivals(state: State) -> bool:
    """Whether Human-side units hold arrivals in the Tech Room for Combat (OPT.VI.B-c); a captive does not (M49)."""
    return bool(state.arrived) and bool(state.fighters("human", state.board.tech))


def _barred(state: State, side: Seat) -> set[str]:
    """Units that may not move now, wherever to. Of the Mutants all may but those that failed (IV.B.4-a)."""
    barred = {*state.moved, "penny"} if state.captive else set(state.moved)
    if side == "human":
        return barred.union(unit for unit in state.board.of_kind["tech"] if is_confined(state, unit))
    barred |= state.failed | state.inert
    return barred | state.arrived if _holds_arrivals(state) else barred


# What may be done


def offers(state: State, seat: Seat) -> Iterator[Choices]:
    """Every destination with all who can go there, singly or together (IV.A-a), in any order (IV.A-b).

    What a unit does not use of its movement it loses (IV.A.4-b). Janibots go with Human units (IV.C.2-b, M35), Penny
    with her captors (OPT.VI.C-d). Nobody has moved since the Phase began who is still to move, so those who stand
    together have begun together (M11). What becomes of the Human unit afterwards changes nothing (M12).
    """
    able = state.board.walkers[seat] - _barred(state, seat)
    places = _destinations(state, seat, able)
    if places:
        yield Choices(places, lambda to: Choice(Move, units=partial(_group, state, seat, able, to), to=to))


def _destinations(state: State, side: Seat, able: frozenset[str]) -> Collection[str]:
    """Where any of these units can go, each place once, in the order of the counters."""
    left = state.where(able)
    left_inside = state.where(able - state.exited) if state.exited else left
    ways, found = state.ways(side), list[str]()
    for place in dict.fromkeys(state.at.values()):
        if place in left_inside:
            found += ways[place]
        elif place in left:
            found += filter(is_square, ways[place])
    return dict.fromkeys(found)


def _group(state: State, side: Seat, able: frozenset[str], to: str) -> Subset:
    """All who can go there: what has left the building stays outside (OPT.VI.E.NOTE-a, M24)."""
    entering = able if is_square(to) else able - state.exited
    ways = state.ways(side)
    origins = {place for place in state.beside(to) if to in ways[place]}
    going = tuple([unit for unit, place in state.at.items() if place in origins and unit in entering])
    needs: dict[str, tuple[str, ...]] = {}
    if side == "mutant" or to != state.board.tech:
        for unit, place in _companions(state, side, origins):
            leaders = tuple(leader for leader in going if state.at[leader] == place)
            needs |= {unit: leaders} if leaders else {}
    units = state.board.sorted((*going, *needs)) if needs else going
    return Subset(units, 1, len(units), needs)


def _companions(state: State, side: Seat, origins: set[str]) -> Iterator[tuple[str, str]]:
    """Who could be taken along out of one of these places, each with the place."""
    needy = state.board.janibots if side == "human" else ("penny",) if state.captive else ()
    return ((unit, state.at[unit]) for unit in needy if state.at.get(unit) in origins and unit not in state.moved)


# What is forbidden


def _check(state: State, seat: Seat, action: Move) -> Iterator[Refusal]:
    """Every rule that a move breaks."""
    wrong = list(check_names(state, action.units)) or list(check_owned(state, seat, action.units))
    if wrong or not action.units:
        yield from wrong or [Refusal("IV.A-a", "say which units move")]
        return
    yield from _check_company(state, seat, action.units)
    for unit in action.units:
        yield from _check_unit(state, seat, unit, action.to)


def _check_company(state: State, side: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Who needs company goes with somebody from the same room, in one action."""
    led = [unit for unit in units if state.needs_company(unit)]
    escorts = {state.at[unit] for unit in units if unit not in led} if led else set()
    alone = [unit for unit in led if state.at[unit] not in escorts]
    if not alone:
        return
    if side == "mutant":
        yield Refusal("OPT.VI.C-d", "captive Penny moves only together with a Mutant that starts in the same room")
    elif escorts:
        yield Refusal("IV.C.2-b", f"{alone[0]} must start in the same room as who leads it (M35)")
    else:
        if len(alone) > 1:
            yield Refusal("INTRO.IV.A.1-b", "a Janibot is no Human unit and leads nobody")
        yield Refusal("IV.C.2-a", f"{alone[0]} moves only together with a Tech or Guard that leads it")


def _check_unit(state: State, side: Seat, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if unit in state.moved:
        yield from _moved_already(state, unit, to)
        return
    if not state.are_beside(place, to):
        yield from _too_far(state, unit, to)
        return
    if side == "human":
        yield from _check_human_way(state, unit, to)
    else:
        yield from _check_mutant_state(state, unit)
        yield from _check_mutant_way(state, unit, to)


def _moved_already(state: State, unit: str, to: str) -> Iterator[Refusal]:
    """A move stands once the referee has accepted it (M36)."""
    origin = state.moved[unit]
    if to == origin or state.are_beside(origin, to):
        yield Refusal("IV.A-c", f"{unit} has moved from {origin} to {state.at[unit]}, and that stands")
    else:
        yield Refusal("IV.A.4-a", f"{unit} has moved, and no other unit can give it its move")
    if unit == "penny":
        yield Refusal("M52", "Penny has been moved one room this Turn")
    yield Refusal("IV.A.2-a", f"{unit} has moved one room this Turn")


def _too_far(state: State, unit: str, to: str) -> Iterator[Refusal]:
    if to == OFF or to not in state.board.places:
        yield Refusal("IV.A.5-a", f"{unit} would leave the playable part of the board")
        return
    place = state.at[unit]
    apart = _apart(place, to)
    if place == to:
        yield Refusal("IV.A.2-b", f"{unit} is in {to} already")
    elif apart == (1, 1):
        yield Refusal("IV.A.2-d", f"{place} and {to} touch at a corner only")
    elif is_square(place) and is_square(to) and place[1] != to[1]:
        yield Refusal("M2", f"there is no way round the corner from {place} to {to}")
    elif apart in ((0, 1), (1, 0)):
        yield Refusal("IV.A.2-b", f"there is no door between {place} and {to}")
    else:
        yield Refusal("IV.A.2-a", f"{to} is more than one room from {place}")
        yield Refusal("IV.A.4-b", "movement not used on earlier Turns is lost")


def _apart(place: str, to: str) -> tuple[int, int] | None:
    """Columns and rows between two rooms; None where a square is one of them."""
    if is_square(place) or is_square(to):
        return None
    (x1, y1), (x2, y2) = grid(place), grid(to)
    return abs(x1 - x2), abs(y1 - y2)


def _check_human_way(state: State, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif is_square(place):
        yield Refusal("M61", f"{unit} stays in {place}")
    elif state.door(place, to) in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {state.door(place, to)}")
    if is_confined(state, unit):
        yield Refusal("IV.C.1-a", f"{unit} stays in the Tech Room until Turn {CONFINED_UNTIL + 1}")
    if to == state.board.tech and state.is_janibot(unit):
        yield Refusal("IV.C.3", f"{unit} is a Janibot and may not enter the Tech Room")


def _check_mutant_state(state: State, unit: str) -> Iterator[Refusal]:
    if unit in state.failed:
        yield Refusal("IV.B.2.d", f"{unit} failed in a smashing attempt this Turn")
    if unit in state.inert:
        yield Refusal("M57", f"{unit} has left the building and is out of play")
    if unit in state.arrived and _holds_arrivals(state):
        yield Refusal("OPT.VI.B-c", f"{unit} has just arrived, and Human-side units are in the Tech Room")


def _check_mutant_way(state: State, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if unit in state.exited and not is_square(to):
        yield Refusal("OPT.VI.E.NOTE-a", f"{unit} has left the building and may not go back in")
    if to in state.ways("mutant")[place]:
        return
    door = state.door(place, to)
    if door in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {door}")
        return
    yield Refusal("IV.B.1", f"{door} is neither smashed nor opened for those in {place}")
    if state.fighters("mutant", to):
        yield Refusal("IV.B.3.c-b", f"nobody in {to} has opened {door} in this Turn's Door-Opening Step")


# Where those can go who bug out of a Combat (OPT.IV.A)


class Refuge(NamedTuple):
    """A place to flee to, and who can."""

    to: str
    able: tuple[str, ...]
    """Units that can go by themselves, one at the least."""
    along: tuple[str, ...]
    """Units that can go along with them."""


def refuges(state: State, combat: Combat) -> Iterator[Refuge]:
    """Every place that the outnumbered side can flee to: only the odds count, not their modifier (OPT.IV.A-a, M21)."""
    if combat.odds is None:
        return
    side = other_side(combat.odds)
    able = walkers(state, side, combat.room)
    for to in state.beside(combat.room) if able else ():
        if next(check_refuge(state, side, combat.room, to), None) is None:
            yield Refuge(to, able, companions(state, side, combat.room, to))


def walkers(state: State, side: Seat, room: str) -> tuple[str, ...]:
    """Who of a side can leave a room by himself."""
    here = state.fighters(side, room)
    return tuple(unit for unit in here if not state.needs_company(unit) and not is_confined(state, unit))


def companions(state: State, side: Seat, room: str, to: str) -> tuple[str, ...]:
    """Who may come along: Janibots, but not into the Tech Room (OPT.IV.A.7-a); captive Penny with Mutants (M51)."""
    if side == "mutant":
        return ("penny",) if state.captive and state.at["penny"] == room else ()
    if to == state.board.tech:
        return ()
    return tuple(unit for unit in state.fighters("human", room) if state.is_janibot(unit))


def check_refuge(state: State, side: Seat, room: str, to: str) -> Iterator[Refusal]:
    """Each side flees through its own doors (M22); those who failed at a door this Turn may too (M46). The rest of the
    Basic Game stays in force (OPT.I-b).
    """
    if to == OFF or not state.are_beside(room, to):
        yield Refusal("OPT.IV.A-a", f"{to} is not next to {room}")
        return
    door = state.door(room, to)
    if door in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {door}")
    elif side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif side == "mutant" and door not in state.smashed:
        yield Refusal("OPT.IV.A.4", f"{door} is not smashed")
    if state.knows_enemies(side, to):
        yield Refusal("OPT.IV.A.6", f"{to} holds enemies")


# What follows


def _move(state: State, _seat: Seat, action: Move, _dice: Dice) -> Script[State]:
    """Units go where they were ordered; nobody ever has to (IV.A.1-a, IV.A.1-b).

    Any number may be together (IV.A.8). Smashers go on through any smashed door (IV.B.2.f-a) or as others do (M32).
    """
    leaving = tuple(unit for unit in action.units if not is_square(state.at[unit]))
    state = yield Moved(tuple((unit, state.at[unit]) for unit in action.units), action.to)
    state = yield from leave(state, leaving, action.to)
    yield from end_if_decided(state)


def leave(state: State, units: tuple[str, ...], to: str) -> Script[State]:
    """Going out of a room into a square scores in the Alternate Scenario, at once and for good (M54)."""
    mutants = tuple(unit for unit in units if state.board.side_of(unit) == "mutant")
    if state.alternate and is_square(to) and mutants:
        state = yield Escaped(mutants, "penny" in units)
    return state


def free_penny(state: State) -> Script[State]:
    """Without a Mutant beside her Penny is free, an ordinary Human unit again (OPT.VI.C-e, OPT.VI.C-f, M50)."""
    if state.captive and not state.may_hold_mutants(state.at["penny"]):
        state = yield PennyFreed(state.at["penny"])
    return state


# How moves are typed


def _read(reader: Reader) -> Move:
    """Units and a place; alone, or with "all": Mutants go through the doors that this Turn has opened to them."""
    if reader.words and not reader.only("all"):
        return reading(Move, offers)(reader)
    groups = through_new_doors(reader.state) if reader.seat == "mutant" and reader.state.phase == "move" else {}
    if not groups:
        raise reader.expected("units and a room: nobody stands at a door that was smashed or opened this Turn")
    (to, units), *others = groups.items()
    reader.rest = ", ".join(f"move {' '.join(group)} to {place}" for place, group in others)
    return Move(units, to)


def through_new_doors(state: State) -> dict[str, tuple[str, ...]]:
    """The rooms beyond doors that were smashed or opened this Turn, each with those who can go there and have no other
    such door.
    """
    doors = {*(state.smashed & state.attempted), *(door for door, _ in state.opened)}
    able, ways = state.board.walkers["mutant"] - _barred(state, "mutant"), state.ways("mutant")
    groups: dict[str, list[str]] = {}
    for unit, place in state.at.items():
        rooms = [to for to in ways[place] if not is_square(to) and state.door(place, to) in doors]
        if len(rooms) == 1 and unit in able and unit not in state.exited:
            groups.setdefault(rooms[0], []).append(unit)
    return {to: tuple(groups[to]) for to in sorted(groups)}


# When, and by whom


@once_begun
def _late(state: State, seat: Seat) -> Iterator[Refusal]:
    rule = "IV-b"
    if seat == "human" and state.phase in MUTANT_MOVEMENT:
        rule = "IV.A.7-a"
    elif seat == "mutant" and state.phase in ("smash", "open"):
        rule = "III-c" if state.phase == "smash" else "IV.B.3.a-b"
    yield Refusal(rule, now(state))


def _theirs(state: State) -> Iterator[Refusal]:
    yield Refusal("IV.A.7-a" if state.phase == "move" else "IV-b", not_yours(state).because)


VERBS = (
    Verb(
        Move,
        ("move", "human-move"),
        offers,
        _check,
        _move,
        words=("move", "go"),
        read=_read,
        carries=True,
        late=_late,
        theirs=_theirs,
    ),
)
