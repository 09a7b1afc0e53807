"""When an action may be said, and by whom: the refusals for the wrong Phase and the wrong player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.game import Seat
from referee.engine.legal import Action
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.mutants.actions import (
    Arrive,
    Ask,
    ChooseSide,
    End,
    Fight,
    Glow,
    Hide,
    Hold,
    Lay,
    Move,
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
    Remove,
    Resolve,
    Retreat,
    RollSides,
    Smash,
)
from referee.games.mutants.asking import answer
from referee.games.mutants.board import SEATS
from referee.games.mutants.state import COMBATS, MUTANT_MOVEMENT, SETTING_UP, State

BY_BOTH = ("setup-human", "setup-mutant")
SET_UP = (PlaceWall, Put, PutBoth, PutRest, PutRandom, Ready)

PHASES: Mapping[type[Action], tuple[str, ...]] = {
    RollSides: ("sides",),
    ChooseSide: ("choose",),
    PlaceWall: ("setup-human",),
    Put: BY_BOTH,
    PutBoth: BY_BOTH,
    PutRest: BY_BOTH,
    PutRandom: BY_BOTH,
    Ready: BY_BOTH,
    Arrive: ("arrival",),
    Smash: ("smash",),
    OpenDoor: ("open",),
    Move: ("move", "human-move"),
    End: (*MUTANT_MOVEMENT, "human-move"),
    Glow: ("glow",),
    Record: ("record",),
    Hide: ("human-move", "record"),
    **dict.fromkeys((Fight, Lay, Pair, Resolve, Retreat, Pursue, Hold), COMBATS),
}

NAMES: Mapping[str, str] = {
    "sides": "the roll for sides",
    "choose": "the choice of sides",
    "setup-human": "the Human set-up",
    "setup-mutant": "the Mutant set-up",
    "arrival": "the arrival of Mutants",
    "smash": "the Door-Smashing Step",
    "open": "the Door-Opening Step",
    "move": "the Mutants' Movement Step",
    "mutant-combat": "the Mutant Combat Phase",
    "human-move": "the Human Movement Phase",
    "human-combat": "the Human Combat Phase",
    "glow": "the Glow and Go Phase",
    "record": "the Turn Record Phase",
    "over": "the end of the game",
}
"""The Phases and Steps as the rulebook calls them."""


def check(state: State, seat: Seat, pen: Seat | None, action: Action) -> Iterator[Refusal]:
    """Why an action may not be said now, or not by this player. `pen` is who may say something."""
    if seat not in SEATS:
        yield Refusal("INTRO.II", f"nobody is called {seat!r} in this game; there are two players")
    elif state.outcome:
        yield from _after_the_end(state, action)
    elif isinstance(action, Ask):
        yield answer(state, seat, action)
    elif isinstance(action, Remove):
        yield Refusal("IV.A.5-b", "units leave the board only when they are eliminated")
    elif state.phase not in PHASES[type(action)]:
        yield from _untimely(state, seat, action)
    elif seat != pen and state.phase not in COMBATS:  # in Combat the choices alternate: see combat.py
        yield _not_yours(state, action)


def _after_the_end(state: State, action: Action) -> Iterator[Refusal]:
    if isinstance(action, Record) and not state.alternate:
        yield Refusal("VII.B-b", "boxes 11 to 15 belong to the Alternate Scenario")
    yield Refusal("III.F-b", f"the game is over: {state.outcome.because if state.outcome else ''}")
    if not state.alternate:
        yield Refusal("VII.B-a", "the Basic Game has ten Turns")


def _untimely(state: State, seat: Seat, action: Action) -> Iterator[Refusal]:
    """The rule that keeps this action out of this Phase."""
    now = f"this is {NAMES[state.phase]}"
    if isinstance(action, SET_UP):
        yield from _set_up_over(state, seat, action)
    elif state.phase in SETTING_UP:
        yield Refusal("III-a" if state.phase in BY_BOTH else "II.A-a", f"the game has not started: {now}")
    elif state.phase == "arrival":
        yield Refusal("OPT.VI.B-a", "the roll for arrivals comes first")
    elif isinstance(action, RollSides | ChooseSide):
        yield Refusal("II.A-c", "sides are settled")
    elif isinstance(action, End) and state.phase in COMBATS:
        due = listing(state.contested())
        yield Refusal("III.B" if state.phase == "mutant-combat" else "III.D", f"Combat is due in {due}")
        yield Refusal("V.A-b", f"units of both sides are in {due}, and Combat must be resolved")
    else:
        yield Refusal(_rule_of_order(state, seat, action), now)


def _set_up_over(state: State, seat: Seat, action: Action) -> Iterator[Refusal]:
    if state.phase in ("sides", "choose"):
        yield Refusal("II.A-a", "sides are not settled yet")
    elif state.alternate and seat == "mutant":
        yield Refusal("OPT.VI.A-b", "Mutants come from the mixed pool only")
    elif isinstance(action, PlaceWall):
        yield Refusal("INTRO.IV.A.2", "Walls are placed during the Human set-up only")
        yield Refusal("IV.A.6", "Walls stay where they were placed")
    else:
        yield Refusal("II.B.2-a", "the set-up is complete")


def _rule_of_order(state: State, seat: Seat, action: Action) -> str:
    match action:
        case Smash():
            return _rule_of_smashing(state)
        case OpenDoor():
            return "III.A.2" if state.phase == "move" else "III-c" if state.phase == "smash" else "III-b"
        case Move():
            return _rule_of_moving(state, seat)
        case Glow() if state.phase == "record":
            return "VI-b"
        case End():
            return "VI-a" if state.phase == "glow" else "III.F-a"
        case Arrive():
            return "OPT.VI.B-a" if state.alternate else "III-b"
        case Hide():
            return "OPT.V.C-e"
        case Fight() if state.phase in (*MUTANT_MOVEMENT, "arrival"):
            return "V-a"
    return "III-b"


def _rule_of_smashing(state: State) -> str:
    if state.alternate and state.turn == 1:
        return "OPT.VI.A-d"
    return {"open": "IV.B.2-c", "move": "IV.B.2-c", "record": "III.F-a"}.get(state.phase, "III-b")


def _rule_of_moving(state: State, seat: Seat) -> str:
    if seat == "human" and state.phase in MUTANT_MOVEMENT:
        return "IV.A.7-a"
    if seat == "mutant" and state.phase in ("smash", "open"):
        return "III-c" if state.phase == "smash" else "IV.B.3.a-b"
    return "IV-b"


def _not_yours(state: State, action: Action) -> Refusal:
    """The Phase is right, but the other player's."""
    whose = f"this is the other player's part of {NAMES[state.phase]}"
    match action:
        case Record():
            return Refusal("VII.A-b", "the Human player records the Turn")
        case ChooseSide():
            return Refusal("II.A-c", "the higher roll chooses")
        case Move():
            return Refusal("IV.A.7-a" if state.phase == "move" else "IV-b", whose)
        case Arrive():
            return Refusal("OPT.VI.A-c", "the Mutant player rolls for arrivals")
        case Glow():
            return Refusal("VI-a", "the Mutant player checks his Radioactive Mutants")
        case Smash() | OpenDoor():
            return Refusal("INTRO.III-a", "the Mutant player smashes and opens doors")
    rule = {"setup-human": "II.B.1", "setup-mutant": "II.B.2-a", "sides": "II.A-a"}.get(state.phase, "III-b")
    return Refusal(rule, whose)
