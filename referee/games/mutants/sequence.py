"""The Sequence of Play: from Step to Step, Phase to Phase and Turn to Turn (III, VI, VII, OPT.VI.B)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import ChoiceSource
from referee.engine.rulebook import Refusal
from referee.engine.target_number import ONLY_READ, Target
from referee.engine.text import listing
from referee.games.mutants import doors, moving
from referee.games.mutants.announcements import QuestionAsked
from referee.games.mutants.board import Die, Place, PlaceOrEmpty, compact_names
from referee.games.mutants.moving import free_unguarded_penny
from referee.games.mutants.notation import Reader
from referee.games.mutants.order_of_play import find_arrival_rule, limit_check_to_turns, make_phase_check
from referee.games.mutants.phases import COMBAT_PHASES, MUTANT_MOVEMENT_STEPS, TURN_PHASES, Phase
from referee.games.mutants.state import ALTERNATE_TURNS, Question, State, UnitId, UnitIds
from referee.games.mutants.status import PHASE_NAMES, describe_phase
from referee.games.mutants.victory import end_game
from referee.games.mutants.view import SecretlyNotedAction, UnnoticedEvent

SECRET_PHASES = ("arrival", *MUTANT_MOVEMENT_STEPS, "human-move", "glow")
"""Phases and Steps in which, with Hidden Movement, the other player cannot see what is possible."""

MUTANT_OFFERS: Mapping[str, Callable[[State, Seat], Iterator[ChoiceSource]]] = {
    "smash": doors.offer_doors_to_smash,
    "open": doors.offer_doors_to_open,
    "move": moving.offer_moves,
}
"""The actions on offer to the Mutant player in each Step of the Mutant Movement Phase, except to end it."""

ARRIVAL_ROLL_PURPOSE = "how many Mutants arrive"
GLOW_ROLL_PURPOSE = "Glow and Go, a die for each Radioactive Mutant"
REFUSALS_BY_PHASE = {
    "glow": Refusal("VI-a", "the Mutant player rolls for the Radioactive Mutants"),
    "record": Refusal("VII.A-b", "the Human player records the Turn"),
}
"""The refusal to the other player in Phases with one verb."""


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The game goes on to another Phase or Step."""

    phase: Phase
    passed: tuple[Phase, ...] = ()
    """Phases and Steps passed over because nothing can be done in them."""
    rested: UnitIds = ()
    """Units that may move once more this Turn (M52)."""

    def tell(self) -> str:
        """Tells the players which Phase begins, and which were passed over."""
        skipped = f" (nothing to do in {listing([PHASE_NAMES[each] for each in self.passed])})" if self.passed else ""
        return f"Now {PHASE_NAMES[self.phase]}{skipped}."

    def apply(self, state: State) -> State:
        """Sets the Phase. Opened doors close when the Movement Step is over.

        Once the Human player moves, reports of Human-side units in rooms are out of date.
        """
        opened = state.opened if self.phase in ("open", "move") else frozenset()
        moved = {unit: place for unit, place in state.moved.items() if unit not in self.rested}
        told = replace(state.told, sighted=()) if self.phase == "human-move" else state.told
        told = replace(told, due=()) if told.due else told
        return replace(state, phase=self.phase, opened=opened, moved=moved, told=told)


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A new Turn begins: the Game Turn unit moves on by one box."""

    turn: Annotated[int, Meta(ge=1, le=ALTERNATE_TURNS)]
    upturned: UnitIds = ()
    """Mutants that lay upside down."""

    def tell(self) -> str:
        """Tells the new Turn, and which Mutants to turn up again."""
        up = f" Turn {compact_names(self.upturned)} up again." if self.upturned else ""
        return f"Move the Game Turn unit to box {self.turn}.{up}"

    def apply(self, state: State) -> State:
        """Clears the marks of the last Turn: moves, attempts, arrivals and a proposed end."""
        new: dict[str, frozenset[str]] = dict.fromkeys(("attempted", "used", "failed", "arrived"), frozenset())
        return replace(state, turn=self.turn, moved={}, stop=None, **new)


def _has_work(state: State, phase: Phase) -> bool:
    """True if there is something to do in a Phase or Step; otherwise it is passed over (III-d).

    With Hidden Movement no secret Phase is passed over, because that would reveal that nobody can act. Only Combat is
    in plain view.
    """
    if state.has_hidden_movement and phase in SECRET_PHASES:
        return phase != "arrival" or state.is_alternate_scenario
    if phase in MUTANT_OFFERS:
        return next(MUTANT_OFFERS[phase](state, "mutant"), None) is not None
    match phase:
        case "arrival":
            return bool(state.pool)
        case "human-move":
            rested = PhaseBegun(phase, (), _list_rested_units(state)).apply(state)
            return next(moving.offer_moves(rested, "human"), None) is not None
        case "glow":
            return bool(list_radioactive_mutants_on_board(state))
    return phase not in COMBAT_PHASES or bool(state.list_contested_rooms())


def go_to_next_phase(state: State) -> Script[State]:
    """Goes on to the next Phase or Step with something to do."""
    return (yield from _enter_phase(state, TURN_PHASES[TURN_PHASES.index(state.phase) + 1 :]))


def _enter_phase(state: State, phases: tuple[Phase, ...]) -> Script[State]:
    phase = next(phase for phase in phases if _has_work(state, phase))
    passed = phases[: phases.index(phase)]
    return (yield PhaseBegun(phase, passed, _list_rested_units(state) if phase == "human-move" else ()))


def _list_rested_units(state: State) -> tuple[str, ...]:
    """Returns Penny if she is free and may move again after her captors moved her (M52); empty otherwise."""
    return ("penny",) if state.options["captive-move-cost"] == "separate" and not state.captive else ()


def begin_turn(state: State) -> Script[State]:
    """Begins a Turn with its first Phase or Step in which there is something to do (III.A.1)."""
    return (yield from _enter_phase(state, TURN_PHASES if state.is_alternate_scenario else TURN_PHASES[1:]))


def _refuse_other_player(state: State) -> Iterator[Refusal]:
    if state.phase == "arrival":
        yield Refusal(find_arrival_rule(state.turn), "the Mutant player rolls for arrivals")
    else:
        yield REFUSALS_BY_PHASE[state.phase]


# Arrivals


class MutantsArrived(UnnoticedEvent, frozen=True, tag="arrived"):
    """Mutants were drawn and have come into the Tech Room."""

    die: Die
    units: UnitIds
    place: Place

    def tell(self) -> str:
        """Tells the die, and which Mutants come in."""
        if not self.units:
            return f"Rolled {self.die}: no Mutant is left to arrive."
        return f"Rolled {self.die}: put {compact_names(self.units)} from the mixed Mutants in {self.place}."

    def apply(self, state: State) -> State:
        """Moves the Mutants from the pool into the room."""
        pool = tuple(unit for unit in state.pool if unit not in self.units)
        return replace(
            state, pool=pool, at=state.find_places_after_putting(self.units, self.place), arrived=frozenset(self.units)
        )


class Arrive(SecretlyNotedAction, frozen=True, tag="arrive"):
    """Roll for the Mutants that come into the Tech Room, and draw them (OPT.VI.A-c, OPT.VI.B-a)."""

    says = "arrive"


def _offer_arrive(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Arrive, _make_arrival_need(state))


def _make_arrival_need(state: State) -> Need:
    return Need(ARRIVAL_ROLL_PURPOSE, 1, 6, aims=ONLY_READ, rule=find_arrival_rule(state.turn))


@limit_check_to_turns
def _refuse_late_arrival(state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("OPT.VI.B-a" if state.is_alternate_scenario else "III-b", describe_phase(state))


def _draw_arrivals(state: State, _seat: Seat, _action: Arrive, dice: Dice) -> Script[State]:
    """Draws as many Mutants blindly as the die shows, or all that are left (M62)."""
    (die,) = dice.throw(_make_arrival_need(state))
    pool, drawn = state.pool, []
    for number in range(min(die, len(pool))):
        drawn.append(dice.draw(pool, f"arrival {number + 1}: which Mutant of those left"))
        pool = tuple(unit for unit in pool if unit != drawn[-1])
    state = yield MutantsArrived(die, state.board.sort_units(drawn), state.board.tech_room)
    if not state.asked:
        yield from continue_after_arrival(state)


def continue_after_arrival(state: State) -> Script[State]:
    """Goes on after the arrivals: Turn 1 goes straight to Combat (OPT.VI.A-d, OPT.VI.A-e)."""
    rest = TURN_PHASES[TURN_PHASES.index("mutant-combat") :] if state.turn == 1 else TURN_PHASES[1:]
    yield from _enter_phase(state, rest)


# The end of a Step


class EndStep(Action, frozen=True, tag="end"):
    """End the Step or Phase (III-d)."""

    says = "end"


PHASE_WORDS: Mapping[Phase, tuple[str, ...]] = {
    "smash": ("smash", "smashing", "door-smashing"),
    "open": ("open", "opening", "door-opening"),
    "move": ("move", "movement", "moving"),
    "human-move": ("move", "movement", "moving"),
}
"""The names that players may type for the Step or Phase that they end."""


def _read_end(reader: Reader) -> EndStep:
    """Reads the end of the current Step or Phase, named or not. Only that one can be ended."""
    state = reader.state
    if reader.words and reader.words[0].text in {name for names in PHASE_WORDS.values() for name in names}:
        named = reader.words.pop(0)
        if named.text not in PHASE_WORDS.get(state.phase, ()):
            raise reader.make_word_error(named, f"the end of the current Step or Phase, {PHASE_NAMES[state.phase]}")
    if reader.words and reader.words[0].text in ("step", "phase"):
        reader.words.pop(0)
    if state.phase in PHASE_WORDS:
        reader.remarks.append(f"This ends {PHASE_NAMES[state.phase]}.")
    return EndStep()


def _end_step(state: State, _seat: Seat, _action: EndStep, _dice: Dice) -> Script[State]:
    """Ends the Step. Afterwards opened doors close (IV.B.3.c-a), and a captive left alone is free (M51).

    If answers are given by Step, the Human player first tells what the Mutants have found (M68).
    """
    if state.phase == "move":
        state = yield from free_unguarded_penny(state)
    due = state.told.due
    if due:
        yield QuestionAsked(Question("human", behind=due) if state.phase == "smash" else Question("human", rooms=due))
    else:
        yield from go_to_next_phase(state)


@limit_check_to_turns
def _refuse_late_end(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.combat and state.combat.stage == "pursue":
        yield Refusal("OPT.IV.A.1-a", "one side has left the Combat; first pursue or hold")
    elif state.phase in COMBAT_PHASES:
        due = listing(state.list_contested_rooms())
        yield Refusal("III.B" if state.phase == "mutant-combat" else "III.D", f"Combat comes next, in {due}")
        yield Refusal("V.A-b", f"units of both sides are in {due}, and Combat must be resolved")
    else:
        yield Refusal("VI-a" if state.phase == "glow" else "III.F-a", describe_phase(state))


# Glow and Go


class RadioactiveMutantsChecked(UnnoticedEvent, frozen=True, tag="glowed"):
    """Every Radioactive Mutant was checked."""

    faces: tuple[tuple[UnitId, Die], ...]
    eliminated: tuple[tuple[UnitId, PlaceOrEmpty], ...]
    """The Mutants that died, each with its place; "" in the oldest games, which do not tell it."""

    def tell(self) -> str:
        """Tells all dice, and which Mutants die."""
        if not self.faces:
            return "Glow and Go: no Radioactive Mutant is left to roll for."
        rolled = " ".join(str(face) for _, face in self.faces)
        return f"Glow and Go: {rolled}. {self._describe_losses()}"

    def _describe_losses(self) -> str:
        """Returns a sentence that says which units to take off which place: "Take r7 and r9 off C4, r1 off xN2.".

        If no Mutant dies, it is "All stay.".
        """
        places = dict.fromkeys(place for _, place in self.eliminated)
        dead = {place: listing([unit for unit, at in self.eliminated if at == place]) for place in places}
        parts = [f"{units} off {place or 'the board'}" for place, units in dead.items()]
        return f"Take {', '.join(parts)}." if parts else "All stay."

    def apply(self, state: State) -> State:
        """Takes dead Mutants off the board. With Hidden Movement they died out of sight."""
        dead = tuple(unit for unit, _ in self.eliminated)
        faded = state.faded.union(dead) if state.has_hidden_movement else state.faded
        return replace(state, faded=faded).eliminate_units(dead)


class CheckRadioactiveMutants(SecretlyNotedAction, frozen=True, tag="glow"):
    """Roll one die for each Radioactive Mutant (VI-b)."""

    says = "glow"


def list_radioactive_mutants_on_board(state: State) -> tuple[str, ...]:
    """Returns the Radioactive Mutants to check: all on the board, also in squares (VI-a, M16), none in the pool."""
    return tuple(
        unit for unit in state.board.units if unit in state.at and state.board.units[unit].kind == "radioactive"
    )


def _offer_glow(state: State, _seat: Seat) -> Iterator[Choice]:
    need = _make_glow_need(state)
    yield Choice(CheckRadioactiveMutants, need if need.count else None)


def _make_glow_need(state: State) -> Need:
    units = list_radioactive_mutants_on_board(state)
    aims = tuple(Target(face, face, "kills it", good_for="human") for face in state.board.file.glow_and_go)
    return Need(GLOW_ROLL_PURPOSE, len(units), 6, each=units, aims=aims, rule="VI-b")


def _read_glow(reader: Reader) -> CheckRadioactiveMutants:
    """Reads `glow`: all dice at once, or the Mutants that died (M67).

    `all` is doubtful: it may mean that all die, or that all are rolled for. With names or `none`, the other dice are
    recorded with a safe face.
    """
    state, words = reader.state, list(reader.words)
    units, deadly = list_radioactive_mutants_on_board(state), state.board.file.glow_and_go
    if not words or state.phase != "glow" or not deadly:
        return CheckRadioactiveMutants()
    if reader.read_word_if_last("all"):
        if units:
            killing = listing([*map(str, deadly)], "or")
            whose = f"one die for each of {compact_names(units)}"
            reader.doubt = f"all: {whose}, and each Mutant that rolls a {killing} dies"
        return CheckRadioactiveMutants()
    gone = () if reader.read_word_if_last("none") else reader.read_units(lambda: units)
    strange = [unit for unit in gone if unit not in units]
    if strange:
        raise reader.make_word_error(
            words[0], f"Radioactive Mutants on the board, or none; {strange[0]} is not one", units
        )
    dead, safe = deadly[0], next((face for face in range(1, 7) if face not in deadly), deadly[0])
    reader.faces = [dead if unit in gone else safe for unit in units]
    reader.remarks.append(f"{dead} for {compact_names(gone) or 'nobody'}; the other dice are recorded as {safe}.")
    return CheckRadioactiveMutants()


def _roll_glow(state: State, _seat: Seat, _action: CheckRadioactiveMutants, dice: Dice) -> Script[State]:
    """Rolls one die for each Radioactive Mutant; on a 6 it dies (III.E, VI-b, OPT.VI.D).

    If there is no such Mutant, no die is rolled. Afterwards a captive left alone is free (M51).
    """
    need = _make_glow_need(state)
    rolled = tuple(zip(need.each, dice.throw(need) if need.count else (), strict=True))
    deadly = state.board.file.glow_and_go
    state = yield RadioactiveMutantsChecked(
        rolled, tuple((unit, state.at[unit]) for unit, face in rolled if face in deadly)
    )
    state = yield from free_unguarded_penny(state)
    yield from go_to_next_phase(state)


# The end of the Turn


class RecordTurn(Action, frozen=True, tag="record"):
    """Record the end of the Turn on the Turn Record Track (VII.A-b)."""

    says = "record"


def _record_turn(state: State, _seat: Seat, _action: RecordTurn, _dice: Dice) -> Script[State]:
    """Moves the Game Turn unit on, or ends the game (VII.A-a, III-e, III.F-b, M25)."""
    if state.turn >= state.final_turn:
        yield from end_game(state, "human")
        return
    upturned = () if state.has_hidden_movement else state.board.sort_units(state.failed & state.at.keys())
    state = yield TurnBegun(state.turn + 1, upturned)
    yield from begin_turn(state)


def find_forced_action(state: State) -> Action | None:
    """Returns the only possible action of this Phase: to roll for Radioactive Mutants, or to record the Turn.

    Returns None in other Phases, while a question waits, and on the last Turn, when recording ends the game.
    """
    if state.outcome or state.asked:
        return None
    if state.phase == "glow":
        return CheckRadioactiveMutants()
    return RecordTurn() if state.phase == "record" and state.turn < state.final_turn else None


VERBS = (
    Verb(
        Arrive,
        ("arrival",),
        _offer_arrive,
        resolve=_draw_arrivals,
        late=_refuse_late_arrival,
        theirs=_refuse_other_player,
    ),
    Verb(
        CheckRadioactiveMutants,
        ("glow",),
        _offer_glow,
        resolve=_roll_glow,
        read=_read_glow,
        late=make_phase_check(record="VI-b"),
        theirs=_refuse_other_player,
    ),
    Verb(RecordTurn, ("record",), resolve=_record_turn, theirs=_refuse_other_player),
    Verb(
        EndStep,
        (*MUTANT_MOVEMENT_STEPS, "human-move"),
        resolve=_end_step,
        words=("end", "done"),
        read=_read_end,
        late=_refuse_late_end,
        closes=lambda state: state.phase,
    ),
)
