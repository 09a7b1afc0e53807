"""Attacks by units: of the human player on the monster (6.1, 9.0), and of a unit under its control (13.27)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.legal import Action, Choice, OneOf, Subset, Total
from referee.engine.ruling import Refusal
from referee.games.sheboygan.counters import MONSTER, Piece, Pieces, UnitId, UnitIds, in_order, listed
from referee.games.sheboygan.notation import Reader, reads
from referee.games.sheboygan.options import CREATURE, HUMAN
from referee.games.sheboygan.order import late, verb
from referee.games.sheboygan.prowling import defense_of
from referee.games.sheboygan.settling import Asked, Duties, Question, settle
from referee.games.sheboygan.state import Die, State
from referee.games.sheboygan.striking import (
    WORST,
    Strike,
    column_of,
    dues_of_assault,
    dues_of_treason,
    named,
    need_of,
    result_of,
)


class Assailed(Event, frozen=True, tag="assailed"):
    """Units have attacked the monster, or others in its power or at its bidding (6.14a, 13.27c)."""

    units: UnitIds
    target: Pieces
    column: str
    die: Die
    result: str
    due: Duties

    def tell(self) -> str:
        """Who attacks whom, and how it went."""
        target = "the monster" if self.target == (MONSTER,) else listed(self.target)
        verb = "attacks" if len(self.units) == 1 else "attack"
        how = f"{self.column}, die {self.die}, result {self.result}"
        return f"{listed(self.units)} {verb} {target}: {how}."

    def apply(self, state: State) -> State:
        """They have fought in this phase; what follows is due."""
        fought = state.fought.union(self.units)
        attacked = state.attacked if self.target == (MONSTER,) else state.attacked.union(self.target)
        return replace(state, fought=fought, attacked=attacked, due=self.due)


class Assail(Action, frozen=True, tag="assail"):
    """Attack the monster, or whom it controls, with units; or others with the unit under control (6.14a, 13.27c).

    The monster has its whole defense against each attack (6.14c).
    """

    says = "attack {target} with {units}"
    target: Pieces
    units: Pieces


# Who can attack


def strength_of(state: State, units: tuple[str, ...]) -> int:
    """Combat strengths together, doubled for suicide assaults (9.0b)."""
    return sum(state.kind(unit).strength * (1 + (unit in state.assaulting)) for unit in units)


def _is_adjacent(state: State, unit: str, box: str) -> bool:
    return state.at[unit] == box or state.at[unit] in state.board.beside[box]


def _reaches(state: State, unit: str, box: str) -> bool:
    """Whether a unit can attack into a box: adjacent it always can (6.11a, 13.28d), else by range and sight (6.11b),
    at a flier too (C70); nothing blocks a helicopter's sight (8.0g).
    """
    here = state.at[unit]
    if _is_adjacent(state, unit, box):
        return True
    if state.board.range(box, here) > state.kind(unit).range or _leads_under(state, here, box):
        return False
    return unit[0] == "h" or state.board.sees(here, box, state.rubble)


def _leads_under(state: State, here: str, box: str) -> bool:
    """Whether one of two boxes is the tunnel."""
    return "tunnel" in (state.board.boxes[here].terrain, state.board.boxes[box].terrain)


def _why_out_of_reach(state: State, unit: str, box: str) -> Refusal | None:
    """Why a unit cannot attack into a box."""
    if _reaches(state, unit, box):
        return None
    here, kind = state.at[unit], state.kind(unit)
    if _leads_under(state, here, box):
        return Refusal("5.14f", "into the tunnel and out of it attacks lead between its end streets only")
    away = state.board.range(box, here)
    if kind.range < away:
        rule = "6.11b" if kind.range == 1 else "6.13a"
        return Refusal(rule, f"{unit} in {here} is {away} boxes away from {box}; its range is {kind.range}")
    return Refusal("6.12b", f"buildings block every line of sight from {here} to {box}")


def _why_idle(state: State, unit: str) -> Refusal | None:
    """Why a unit cannot attack anybody in this phase."""
    if unit not in state.at:
        return Refusal("2.0b", f"{unit} is not on the map")
    if unit == state.control and state.phase == "human-combat":
        return Refusal("13.27c", f"{unit} is under the monster's control")
    if unit != state.control and state.phase == "monster-combat":
        return Refusal("4.0b", f"{unit} attacks in the Human Combat Phase")
    if not state.kind(unit).combat:
        return Refusal("6.11c", f"{state.kind(unit).type} never attacks: its strength is in brackets")
    if unit in state.caught:
        return Refusal("13.22d", f"{unit} is cutting its way out of a web")  # not after its second phase (C78)
    if unit in state.fought:
        return Refusal("C44", f"{unit} has attacked in this phase")
    return None


def _reaching(state: State, box: str) -> tuple[str, ...]:
    """Units of the human player that can attack into a box now."""
    return tuple(unit for unit in state.humans if _reaches(state, unit, box) and not _why_idle(state, unit))


def able(state: State) -> bool:
    """Whether anybody can attack in the Human Combat Phase; after a flash not the monster (13.24b)."""
    return any(_human_offers(state)) or any(_volunteers(state))


# On the monster, and on whom it controls


def _human_offers(state: State) -> Iterator[Choice]:
    if state.monster and not state.flashed:
        yield from _groups(state, (MONSTER,), _reaching(state, state.monster), state.defense)
    if state.control:
        box = state.at[state.control]
        yield from _groups(state, (state.control,), _reaching(state, box), defense_of(state, (state.control,)))


def _groups(state: State, target: tuple[str, ...], units: tuple[str, ...], defense: int) -> Iterator[Choice]:
    """Units that attack together: any of them (6.14a), or those of one box under radiation (13.26a, 13.26b)."""
    by_box: dict[str, list[str]] = {}
    for unit in units:
        box = state.at[unit] if _is_radiated(state, target) else ""
        by_box.setdefault(box, []).append(unit)
    for group in by_box.values():
        weights = {unit: strength_of(state, (unit,)) for unit in group}
        least, most = -(-defense // WORST), sum(weights.values())
        if most >= least:
            told = f"a strength of {least} at the least"
            bounds = (Total(("units",), least, most, weights, told),) if least > min(weights.values()) else ()
            yield Choice(Assail, bounds=bounds, target=target, units=Subset(tuple(group), 1, len(group)))


def _is_radiated(state: State, target: tuple[str, ...]) -> bool:
    return target == (MONSTER,) and "radiation" in state.known


def _offers(state: State) -> Iterator[Choice]:
    return _human_offers(state) if state.mover == HUMAN else _traitor_offers(state)


def _check(state: State, action: Assail) -> Iterator[Refusal]:
    if state.mover == CREATURE:
        yield from _check_traitor(state, action)
        return
    if action.target != (MONSTER,) and (state.control is None or action.target != (state.control,)):
        yield Refusal("6.0a", "units attack the monster, or a unit under its control")
        return
    if action.target == (MONSTER,) and state.flashed:
        yield Refusal("13.24b", "after a flash of blinding light nobody attacks the monster")
    yield from _check_units(state, action)


def _check_units(state: State, action: Assail) -> Iterator[Refusal]:
    """Who attacks, from where, and whether together."""
    box = state.monster if action.target == (MONSTER,) else state.at[action.target[0]]
    if not action.units:
        yield Refusal("6.0a", "no unit attacks")
    barred = [refusal for unit in action.units if (refusal := _why_barred(state, unit, box or ""))]
    yield from barred
    if barred or not action.units:
        return
    if _is_radiated(state, action.target) and len({state.at[unit] for unit in action.units}) > 1:
        yield Refusal("13.26a", "under radiation only units of one box attack together")
    defense = state.defense if action.target == (MONSTER,) else defense_of(state, action.target)
    if strength_of(state, action.units) * WORST < defense:
        yield Refusal("6.4c", f"{strength_of(state, action.units)} against {defense} is less than 1-{WORST}")


def _why_barred(state: State, unit: str, box: str) -> Refusal | None:
    return _why_idle(state, unit) or _why_out_of_reach(state, unit, box)


def _assail(state: State, action: Assail, dice: Dice) -> Script[State]:
    """Units of several boxes first learn whether radiation keeps them from it: then they attack anew (13.26a)."""
    together = len({state.at[unit] for unit in action.units}) > 1
    if action.target == (MONSTER,) and together and not state.is_open("radiation"):
        yield Asked(Question("radiation"))
        return
    on_monster = action.target == (MONSTER,)
    defense = state.defense if on_monster else defense_of(state, action.target)
    column = column_of(state, strength_of(state, action.units), defense)
    target = "the monster" if on_monster else named(action.target)
    (die,) = dice.throw(need_of(state, f"the attack of {named(action.units)} on {target}", column))
    result = result_of(state, column, die)
    if on_monster:
        due = tuple(dues_of_assault(state, action.units, result))
    else:
        due = tuple(dues_of_treason(state, action.units, action.target, result))
    state = yield Assailed(action.units, action.target, result.column, die, result.cell, due)
    yield from settle(state)


# With the unit under control


def _traitor_offers(state: State) -> Iterator[Choice]:
    """It attacks units of one box by itself, within its own range and sight (C60)."""
    unit = state.control
    if unit is None or _why_idle(state, unit):
        return
    most = strength_of(state, (unit,)) * WORST
    for box in state.stacks:
        victims = state.humans_in(box)
        if victims and not _why_out_of_reach(state, unit, box):
            weights = {victim: defense_of(state, (victim,)) for victim in victims}
            if min(weights.values()) <= most:
                bounds = (
                    (Total(("target",), 0, most, weights, f"a defense of {most} at the most"),)
                    if sum(weights.values()) > most
                    else ()
                )
                yield Choice(Assail, bounds=bounds, target=Subset(victims, 1, len(victims)), units=OneOf(((unit,),)))


def _check_traitor(state: State, action: Assail) -> Iterator[Refusal]:
    if len(action.units) != 1:
        yield Refusal("C60", "the unit under control attacks alone")
        return
    idle = _why_idle(state, action.units[0])
    if idle:
        yield idle
        return
    boxes = {state.at.get(victim) for victim in action.target}
    if not action.target or None in boxes or len(boxes) > 1 or not set(action.target) <= set(state.humans):
        yield Refusal("13.27c", "the unit under control attacks human units of one box")
        return
    far = _why_out_of_reach(state, action.units[0], str(boxes.pop()))
    if far:
        yield far
    if strength_of(state, action.units) * WORST < defense_of(state, action.target):
        yield Refusal(
            "6.4c", f"{strength_of(state, action.units)} against {defense_of(state, action.target)} is too weak"
        )


# Suicide assaults


class Volunteered(Event, frozen=True, tag="volunteered"):
    """Infantry makes a suicide assault (9.0b)."""

    told = "{unit} makes a suicide assault: its strength is doubled in this phase."
    unit: UnitId

    def apply(self, state: State) -> State:
        """It attacks with double strength."""
        return replace(state, assaulting=state.assaulting | {self.unit})


class Suicide(Action, frozen=True, tag="suicide"):
    """Infantry beside the monster declares a suicide assault: in this phase its strength is doubled (9.0b)."""

    says = "suicide {unit}"
    unit: Piece


def _volunteers(state: State) -> Iterator[str]:
    """Several may (C63); else infantry fights like all others (9.0a)."""
    if state.monster and not state.flashed:
        for unit in state.of_kind.get("i", ()):
            if not _why_no_suicide(state, unit):
                yield unit


def _why_no_suicide(state: State, unit: str) -> Refusal | None:
    idle = _why_idle(state, unit)
    if idle:
        return idle
    if unit[0] != "i":
        return Refusal("9.0b", f"{unit} is no infantry")
    if unit in state.assaulting:
        return Refusal("9.0b", f"{unit} has declared that already")
    if not state.monster or not _is_adjacent(state, unit, state.monster):
        return Refusal("9.0b", f"{unit} is not adjacent to the monster")
    return None


def _suicide_offers(state: State) -> Iterator[Choice]:
    units = tuple(_volunteers(state))
    if units:
        yield Choice(Suicide, unit=OneOf(units))


def _check_suicide(state: State, action: Suicide) -> Iterator[Refusal]:
    if state.flashed:
        yield Refusal("13.24b", "after a flash of blinding light nobody attacks the monster")
    barred = _why_no_suicide(state, action.unit)
    if barred:
        yield barred


def _suicide(_state: State, action: Suicide, _dice: Dice) -> Script[State]:
    yield Volunteered(action.unit)


# How attacks are typed


WITH = ("with", "using")
AGAINST = (">", "on", "against")


def read_attack(reader: Reader) -> Strike | Assail:
    """`attack t1 i1 with 12`, `attack 12 on t1 i1`, `attack t1 i1 on m`; units alone attack the monster."""
    words = [word.text for word in reader.words]
    at = next((words.index(link) for link in (*WITH, *AGAINST) if link in words), None)
    if at is None:
        return _read_plain(reader, words)
    link, later = words[at], reader.words[at + 1 :]
    reader.words = reader.words[:at]
    first = _read_side(reader)
    reader.words = later
    second = _read_side(reader)
    targets, means = (first, second) if link in WITH else (second, first)
    if isinstance(targets, int):
        raise reader.misread(reader.next("units"), "whom to attack")
    return Strike(targets, means) if isinstance(means, int) else Assail(targets, means)


def _read_plain(reader: Reader, words: list[str]) -> Strike | Assail:
    if words and words[0].isdecimal():
        points = reader.number()
        return Strike(reader.units(), points)
    units = reader.units()
    if reader.words:
        return Strike(units, reader.number("attack points"))
    if reader.seat == HUMAN or not reader.state.control:
        return Assail((MONSTER,), units)
    return Assail(units, in_order((reader.state.control,)))


def _read_side(reader: Reader) -> tuple[str, ...] | int:
    """Units, or a number of points."""
    if reader.words and reader.words[0].text.isdecimal():
        return reader.number("attack points")
    return reader.units()


VERBS = (
    verb(
        Assail,
        ("human-combat", "monster-combat"),
        _assail,
        offers=_offers,
        check=_check,
        late=late("4.0g", ("human-move",)),
        read=read_attack,
    ),
    verb(
        Suicide,
        ("human-combat",),
        _suicide,
        offers=_suicide_offers,
        check=_check_suicide,
        read=reads(Suicide, Reader.unit),
    ),
)
