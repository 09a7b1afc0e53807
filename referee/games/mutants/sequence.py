"""The Sequence of Play: from Step to Step, Phase to Phase and Turn to Turn (III, VI, VII, OPT.VI.B)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.aim import ONLY_READ, Aim
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, Offer
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.mutants import doors, moving
from referee.games.mutants.board import Die, Place, PlaceTold, compact
from referee.games.mutants.moving import free_penny
from referee.games.mutants.notation import Reader
from referee.games.mutants.order import arrival_rule, by_phase, once_begun
from referee.games.mutants.state import (
    ALTERNATE_TURNS,
    COMBATS,
    IN_PLAY,
    MUTANT_MOVEMENT,
    Phase,
    State,
    UnitId,
    UnitIds,
)
from referee.games.mutants.status import PHASES, now
from referee.games.mutants.victory import finish
from referee.games.mutants.view import Noted, Unnoticed

SECRET = ("arrival", *MUTANT_MOVEMENT, "human-move", "glow")
"""Phases and Steps of which the other player does not see what can be done in them."""

OF_MUTANTS: Mapping[str, Callable[[State, Seat], Iterator[Offer]]] = {
    "smash": doors.smash_offers,
    "open": doors.open_offers,
    "move": moving.offers,
}
"""What the Mutant player can do in each Step of his Movement Phase, but to end it."""

HOW_MANY = "how many Mutants arrive"
GLOW_AND_GO = "Glow and Go, a die for each Radioactive Mutant"
THEIRS = {
    "glow": Refusal("VI-a", "the Mutant player checks his Radioactive Mutants"),
    "record": Refusal("VII.A-b", "the Human player records the Turn"),
}
"""What keeps the other player from the verbs of a Phase."""


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The game goes on to another Phase or Step."""

    phase: Phase
    passed: tuple[Phase, ...] = ()
    """Phases and Steps passed over because nothing can be done in them."""
    rested: UnitIds = ()
    """Units that may move once more this Turn (M52)."""

    def tell(self) -> str:
        """What comes now, and what was passed over."""
        skipped = f" (nothing to do in {listing([PHASES[each] for each in self.passed])})" if self.passed else ""
        return f"Now {PHASES[self.phase]}{skipped}."

    def apply(self, state: State) -> State:
        """Set the Phase. Opened doors close when the Movement Step is over.

        Once the Human player moves, nobody knows any more of rooms in which his units were reported.
        """
        opened = state.opened if self.phase in ("open", "move") else frozenset()
        moved = {unit: place for unit, place in state.moved.items() if unit not in self.rested}
        told = replace(state.told, sighted=()) if self.phase == "human-move" else state.told
        return replace(state, phase=self.phase, opened=opened, moved=moved, told=told)


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """The Game Turn unit is advanced by one box."""

    turn: Annotated[int, Meta(ge=1, le=ALTERNATE_TURNS)]
    upturned: UnitIds = ()
    """Mutants that lay upside down."""

    def tell(self) -> str:
        """The Turn Record Track, and who lies upright again."""
        up = f" Turn {compact(self.upturned)} up again." if self.upturned else ""
        return f"Move the Game Turn unit to box {self.turn}.{up}"

    def apply(self, state: State) -> State:
        """Nobody has moved or attacked a door yet in the new Turn."""
        new: dict[str, frozenset[str]] = dict.fromkeys(("attempted", "used", "failed", "arrived"), frozenset())
        return replace(state, turn=self.turn, moved={}, stop=None, **new)


def _has_work(state: State, phase: Phase) -> bool:
    """Whether anything can be done in a Phase or Step; else it is passed over (III-d).

    With Hidden Movement passing over one would tell the other player what nobody can do: only Combat is in plain view.
    """
    if state.is_hidden and phase in SECRET:
        return phase != "arrival" or state.alternate
    if phase in OF_MUTANTS:
        return next(OF_MUTANTS[phase](state, "mutant"), None) is not None
    match phase:
        case "arrival":
            return bool(state.pool)
        case "human-move":
            rested = PhaseBegun(phase, (), _rested(state)).apply(state)
            return next(moving.offers(rested, "human"), None) is not None
        case "glow":
            return bool(radioactive(state))
    return phase not in COMBATS or bool(state.contested())


def go_on(state: State) -> Script[State]:
    """The Phase is over: to the next one in which something can be done."""
    return (yield from _enter(state, IN_PLAY[IN_PLAY.index(state.phase) + 1 :]))


def _enter(state: State, phases: tuple[Phase, ...]) -> Script[State]:
    phase = next(phase for phase in phases if _has_work(state, phase))
    passed = phases[: phases.index(phase)]
    return (yield PhaseBegun(phase, passed, _rested(state) if phase == "human-move" else ()))


def _rested(state: State) -> tuple[str, ...]:
    """Penny, when free, if the Human player may move her after her captors have (M52)."""
    return ("penny",) if state.options["captive-move-cost"] == "separate" and not state.captive else ()


def begin_turn(state: State) -> Script[State]:
    """The first Phase of a Turn (III.A.1)."""
    return (yield from _enter(state, IN_PLAY if state.alternate else IN_PLAY[1:]))


def _theirs(state: State) -> Iterator[Refusal]:
    if state.phase == "arrival":
        yield Refusal(arrival_rule(state.turn), "the Mutant player rolls for arrivals")
    else:
        yield THEIRS[state.phase]


# Arrivals


class Arrived(Unnoticed, frozen=True, tag="arrived"):
    """Mutants were drawn and have come into the Tech Room."""

    die: Die
    units: UnitIds
    place: Place

    def tell(self) -> str:
        """The die, and who comes in."""
        if not self.units:
            return f"Rolled {self.die}: no Mutant is left to arrive."
        return f"Rolled {self.die}: put {compact(self.units)} from the mixed Mutants in {self.place}."

    def apply(self, state: State) -> State:
        """Take them out of the pool and put them into the room."""
        pool = tuple(unit for unit in state.pool if unit not in self.units)
        return replace(state, pool=pool, at=state.put(self.units, self.place), arrived=frozenset(self.units))


class Arrive(Noted, frozen=True, tag="arrive"):
    """Roll for the Mutants that come into the Tech Room, and draw them (OPT.VI.A-c, OPT.VI.B-a)."""

    says = "arrive"


def _arrive_offers(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Arrive, _arrive_need(state))


def _arrive_need(state: State) -> Need:
    return Need(HOW_MANY, 1, 6, aims=ONLY_READ, rule=arrival_rule(state.turn))


@once_begun
def _arrive_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("OPT.VI.B-a" if state.alternate else "III-b", now(state))


def _arrive(state: State, _seat: Seat, _action: Arrive, dice: Dice) -> Script[State]:
    """So many Mutants, drawn blindly, or all that are left (M62)."""
    (die,) = dice.throw(_arrive_need(state))
    pool, drawn = state.pool, []
    for number in range(min(die, len(pool))):
        drawn.append(dice.draw(pool, f"arrival {number + 1}: which Mutant of those left"))
        pool = tuple(unit for unit in pool if unit != drawn[-1])
    state = yield Arrived(die, state.board.sorted(drawn), state.board.tech)
    if not state.asked:
        yield from after_arrival(state)


def after_arrival(state: State) -> Script[State]:
    """Turn 1 goes on with Combat (OPT.VI.A-d, OPT.VI.A-e)."""
    rest = IN_PLAY[IN_PLAY.index("mutant-combat") :] if state.turn == 1 else IN_PLAY[1:]
    yield from _enter(state, rest)


# The end of a Step


class End(Action, frozen=True, tag="end"):
    """End the Step or Phase (III-d)."""

    says = "end"


ENDING: Mapping[Phase, tuple[str, ...]] = {
    "smash": ("smash", "smashing", "door-smashing"),
    "open": ("open", "opening", "door-opening"),
    "move": ("move", "movement", "moving"),
    "human-move": ("move", "movement", "moving"),
}
"""How the Step or Phase may be called that is ended."""


def _read_end(reader: Reader) -> End:
    """Exactly one Step or Phase is ended: the one that is on, whether it is named or not."""
    state = reader.state
    if reader.words and reader.words[0].text in {name for names in ENDING.values() for name in names}:
        named = reader.words.pop(0)
        if named.text not in ENDING.get(state.phase, ()):
            raise reader.misread(named, f"the end of what is on, which is {PHASES[state.phase]}")
    if reader.words and reader.words[0].text in ("step", "phase"):
        reader.words.pop(0)
    if state.phase in ENDING:
        reader.remarks.append(f"This ends {PHASES[state.phase]}.")
    return End()


def _end(state: State, _seat: Seat, _action: End, _dice: Dice) -> Script[State]:
    """After the Movement Step opened doors close (IV.B.3.c-a), and a captive left alone is free (M51)."""
    if state.phase == "move":
        state = yield from free_penny(state)
    yield from go_on(state)


@once_begun
def _end_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.phase in COMBATS:
        due = listing(state.contested())
        yield Refusal("III.B" if state.phase == "mutant-combat" else "III.D", f"Combat is due in {due}")
        yield Refusal("V.A-b", f"units of both sides are in {due}, and Combat must be resolved")
    else:
        yield Refusal("VI-a" if state.phase == "glow" else "III.F-a", now(state))


# Glow and Go


class Glowed(Unnoticed, frozen=True, tag="glowed"):
    """Every Radioactive Mutant was checked."""

    faces: tuple[tuple[UnitId, Die], ...]
    eliminated: tuple[tuple[UnitId, PlaceTold], ...]
    """Who died, and where; the oldest games do not say where."""

    def tell(self) -> str:
        """All dice, and who dies."""
        if not self.faces:
            return "Glow and Go: no Radioactive Mutant is left to roll for."
        rolled = " ".join(str(face) for _, face in self.faces)
        return f"Glow and Go: {rolled}. {self._losses()}"

    def _losses(self) -> str:
        """Who is to be taken off which place: "Take r7 and r9 off C4, r1 off xN2."."""
        places = dict.fromkeys(place for _, place in self.eliminated)
        dead = {place: listing([unit for unit, at in self.eliminated if at == place]) for place in places}
        parts = [f"{units} off {place or 'the board'}" for place, units in dead.items()]
        return f"Take {', '.join(parts)}." if parts else "All stay."

    def apply(self, state: State) -> State:
        """Take the eliminated off the board; with Hidden Movement nobody has seen them."""
        dead = tuple(unit for unit, _ in self.eliminated)
        faded = state.faded.union(dead) if state.is_hidden else state.faded
        return replace(state, faded=faded).eliminate(dead)


class Glow(Noted, frozen=True, tag="glow"):
    """Roll one die for each Radioactive Mutant (VI-b)."""

    says = "glow"


def radioactive(state: State) -> tuple[str, ...]:
    """Radioactive Mutants to be checked: all on the board, also in squares (VI-a, M16), none in the pool."""
    return tuple(
        unit for unit in state.board.units if unit in state.at and state.board.units[unit].kind == "radioactive"
    )


def _glow_offers(state: State, _seat: Seat) -> Iterator[Choice]:
    need = _glow_need(state)
    yield Choice(Glow, need if need.count else None)


def _glow_need(state: State) -> Need:
    units = radioactive(state)
    aims = tuple(Aim(face, face, "kills it", good_for="human") for face in state.board.file.glow_and_go)
    return Need(GLOW_AND_GO, len(units), 6, each=units, aims=aims, rule="VI-b")


def _read_glow(reader: Reader) -> Glow:
    """All dice are thrown at once, also for "all", which might mean that all die, or that all live; who says only for
    whom a deadly face fell has told enough (M67).
    """
    state, words = reader.state, list(reader.words)
    units, deadly = radioactive(state), state.board.file.glow_and_go
    if not words or state.phase != "glow" or not deadly:
        return Glow()
    if reader.only("all"):
        if units:
            killing = listing([*map(str, deadly)], "or")
            reader.doubt = f"all: a die for each of {compact(units)}, and whoever has a {killing} dies"
        return Glow()
    gone = () if reader.only("none") else reader.units(lambda: units)
    strange = [unit for unit in gone if unit not in units]
    if strange:
        raise reader.misread(words[0], f"Radioactive Mutants on the board, and {strange[0]} is none, or none", units)
    dead, safe = deadly[0], next((face for face in range(1, 7) if face not in deadly), deadly[0])
    reader.faces = [dead if unit in gone else safe for unit in units]
    reader.remarks.append(f"{dead} for {compact(gone) or 'nobody'}; the other dice are recorded as {safe}.")
    return Glow()


def _glow(state: State, _seat: Seat, _action: Glow, dice: Dice) -> Script[State]:
    """One die for each Radioactive Mutant; on a 6 it dies (III.E, VI-b, OPT.VI.D). Without any, no die is thrown."""
    need = _glow_need(state)
    rolled = tuple(zip(need.each, dice.throw(need) if need.count else (), strict=True))
    deadly = state.board.file.glow_and_go
    state = yield Glowed(rolled, tuple((unit, state.at[unit]) for unit, face in rolled if face in deadly))
    state = yield from free_penny(state)
    yield from go_on(state)


# The end of the Turn


class Record(Action, frozen=True, tag="record"):
    """Record the end of the Turn on the Turn Record Track (VII.A-b)."""

    says = "record"


def _record(state: State, _seat: Seat, _action: Record, _dice: Dice) -> Script[State]:
    """The Game Turn unit is advanced, or the game ends (VII.A-a, III-e, III.F-b, M25)."""
    if state.turn >= state.last_turn:
        yield from finish(state, "human")
        return
    upturned = () if state.is_hidden else state.board.sorted(state.failed & state.at.keys())
    state = yield TurnBegun(state.turn + 1, upturned)
    yield from begin_turn(state)


def sole(state: State) -> Action | None:
    """All that can be done in a Phase, as everybody knows, if it shows nothing that is secret; None: nothing such."""
    if state.outcome or state.asked:
        return None
    if state.phase == "glow":
        return Glow()
    return Record() if state.phase == "record" and state.turn < state.last_turn else None


VERBS = (
    Verb(Arrive, ("arrival",), _arrive_offers, resolve=_arrive, late=_arrive_late, theirs=_theirs),
    Verb(Glow, ("glow",), _glow_offers, resolve=_glow, read=_read_glow, late=by_phase(record="VI-b"), theirs=_theirs),
    Verb(Record, ("record",), resolve=_record, theirs=_theirs),
    Verb(
        End,
        (*MUTANT_MOVEMENT, "human-move"),
        resolve=_end,
        words=("end", "done"),
        read=_read_end,
        late=_end_late,
        closes=lambda state: state.phase,
    ),
)
