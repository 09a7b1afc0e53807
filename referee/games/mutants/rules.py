"""The rules of play: whose turn it is, what is legal, what is forbidden, and what follows from an action.

What belongs to one part of the game stands in a file of its own: `setting_up`, `doors`, `moving`, `combat`,
`bugging_out`; `sequence` leads from one to the next, `timing` refuses what comes at the wrong time. With Hidden
Movement `hidden` tells the players apart: what is legal is judged on what a seat may know, what follows on the truth.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.dice import Dice, Need
from referee.engine.game import Outcome, Script, Seat
from referee.engine.legal import Choice, Legal
from referee.engine.ruling import Refusal
from referee.games.mutants import asking, combat, doors, moving, sequence, setting_up, timing
from referee.games.mutants.actions import (
    Arrive,
    ChooseSide,
    End,
    Fight,
    Glow,
    Hide,
    Hold,
    Lay,
    Move,
    MutantsAction,
    OpenDoor,
    Pair,
    PlaceWall,
    Pursue,
    Put,
    PutBoth,
    PutRandom,
    PutRest,
    Ready,
    Record,
    Resolve,
    Retreat,
    RollSides,
    Smash,
)
from referee.games.mutants.board import Side
from referee.games.mutants.events import Concealed, PhaseBegun, Placed, SetUpDone, Walled
from referee.games.mutants.hidden import announcing, view
from referee.games.mutants.state import COMBATS, State

HUMAN_PHASES = ("sides", "setup-human", "human-move", "record")


def to_act(state: State) -> Seat | None:
    """Who holds the pen (III.A to III.F-a)."""
    if state.outcome:
        return None
    return _pen(state)


def _pen(state: State) -> Side:
    if state.phase in COMBATS:
        return combat.to_act(state)
    if state.phase == "choose":
        return setting_up.chooser(state)
    return "human" if state.phase in HUMAN_PHASES else "mutant"


def turn_of(state: State) -> int:
    """The Turn being played (INTRO.IV.B.2)."""
    return state.turn


def outcome(state: State) -> Outcome | None:
    """How the game ended; None while it is going on."""
    return state.outcome


def legal(state: State, seat: Seat) -> Legal:
    """Everything the seat may do now, as far as it can know."""
    return Legal(tuple(_choices(view(state, seat)))) if to_act(state) == seat else Legal()


def _choices(state: State) -> Iterator[Choice]:
    match state.phase:
        case "sides" | "choose":
            yield from setting_up.choices_of_sides(state)
        case "setup-human" | "setup-mutant":
            yield from setting_up.choices(state)
        case "arrival":
            yield Choice(Arrive, Need(sequence.ARRIVAL_PURPOSE, 1, 6))
        case "smash":
            yield from doors.smash_choices(state)
        case "open":
            yield from doors.open_choices(state)
        case "move" | "human-move":
            yield from moving.choices(state, _pen(state))
        case "mutant-combat" | "human-combat":
            yield from combat.choices(state)
        case "glow":
            count = len(sequence.radioactive(state))
            yield Choice(Glow, Need(sequence.GLOW_PURPOSE, count, 6) if count else None)
        case "record":
            yield Choice(Record)
    if state.phase in timing.PHASES[Hide]:
        yield from asking.hide_choices(state)
    if state.phase in timing.PHASES[End]:
        yield Choice(End)


def check(state: State, seat: Seat, action: MutantsAction) -> Iterator[Refusal]:
    """Every rule the action breaks when this seat says it; nothing exactly when it is legal, as far as it can know."""
    known = view(state, seat)
    untimely = tuple(timing.check(known, seat, to_act(known), action))
    yield from untimely or dict.fromkeys(_check(known, "human" if seat == "human" else "mutant", action))


def _check(state: State, side: Side, action: MutantsAction) -> Iterator[Refusal]:
    """Every rule that a timely action breaks; what concerns several units alike may be named more than once."""
    match action:
        case PlaceWall(door):
            yield from setting_up.check_wall(state, door)
        case Put(units, place):
            yield from setting_up.check_put(state, side, units, place)
        case PutBoth():
            yield from setting_up.check_put_both(state, side, action)
        case PutRest() | PutRandom():
            if not state.unplaced(side):
                yield Refusal("III-a", "every unit is set up; say ready")
        case Ready():
            yield from setting_up.check_ready(state, side)
        case Smash():
            yield from doors.check_smash(state, action)
        case OpenDoor():
            yield from doors.check_open(state, action)
        case Move():
            yield from moving.check(state, side, action)
        case Hide():
            yield from asking.check_hide(state, action)
        case Fight() | Lay() | Pair() | Resolve() | Retreat() | Pursue() | Hold():
            yield from combat.check(state, side, action)


def resolve(state: State, action: MutantsAction, dice: Dice) -> Script:
    """What follows from a legal action; with Hidden Movement also what both players are told of it."""
    script = _resolve(state, action, dice)
    return announcing(state, action, script) if state.is_hidden else script


def _resolve(state: State, action: MutantsAction, dice: Dice) -> Script:
    side = _pen(state)
    match action:
        case RollSides():
            yield from setting_up.roll_sides(dice)
        case ChooseSide(chosen):
            yield from setting_up.choose_side(state, "human" if chosen == "human" else "mutant")
        case PlaceWall(door):
            yield Walled((door,))
        case Put(units, place):
            yield Placed(units, place)
        case PutBoth(chief, units, place):
            yield Placed((chief, *units), place)
        case PutRest():
            yield from setting_up.put_rest(state, side)
        case PutRandom():
            yield from setting_up.put_random(state, side, dice)
        case Ready():
            yield from _ready(state, side)
        case Arrive():
            yield from sequence.arrive(state, dice)
        case Smash():
            yield from doors.smash(state, action, dice)
        case OpenDoor():
            yield from doors.open_door(state, action)
        case Move():
            state = yield from moving.move(state, action)
            yield from sequence.end_if_decided(state)
        case End():
            yield from sequence.end_step(state)
        case Glow():
            yield from sequence.glow(state, dice)
        case Record():
            yield from sequence.record(state)
        case Hide(units):
            yield Concealed(units)
        case Fight() | Lay() | Pair() | Resolve() | Retreat() | Pursue() | Hold():
            yield from combat.resolve(state, action, dice)


def _ready(state: State, side: Side) -> Script:
    """The Human player sets up first (II.B.1), then the Mutant player (II.B.2-a), then Turn 1 begins (II.B.1.e)."""
    state = yield SetUpDone(side)
    if side == "human" and not state.alternate:
        yield PhaseBegun("setup-mutant")
    else:
        yield from sequence.begin_turn(state)
