"""Combat: room by room, Round by Round, pair by pair (V), with Overwhelming Odds (OPT.III)."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from referee.engine.dice import Aim, Dice, Need
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf, Ordered
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.engine.verb import Verb
from referee.games.mutants import sequence
from referee.games.mutants.board import Side
from referee.games.mutants.events import CombatBegun, CombatEnded, Engaged, Fought, RoundBegun
from referee.games.mutants.moving import refuges
from referee.games.mutants.notation import PlaceSaid, Reader, check_names, check_side
from referee.games.mutants.state import COMBATS, ENGAGED, Combat, State, UnitIds, other_side
from referee.games.mutants.telling import view
from referee.games.mutants.timing import by_phase, timed

A = TypeVar("A", bound=Action)

RATIO = {"mutant": 3, "human": 2}
"""How many times as many units a side needs for Overwhelming Odds (OPT.III.A-a, OPT.III.B-a)."""


EXPENDABLE = ("janibot", "guard", "tech", "radioactive", "normal", "leader")
"""The kinds of either side, that first on whom the end of the game depends least (M66)."""


def engaged(state: State, combat: Combat) -> int:
    """Pairs of this Round: all that the smaller side has, five at the most (V.B.2-a, V.B.3-c, M37)."""
    return min(ENGAGED, *(len(state.fighters(side, combat.room)) for side in ("human", "mutant")))


def odds_of(humans: int, mutants: int) -> Side | None:
    """Who outnumbers the other enough, Reserves and Janibots included (OPT.III.A-b, OPT.III.B-b, M15)."""
    if mutants >= RATIO["mutant"] * humans:
        return "mutant"
    return "human" if humans >= RATIO["human"] * mutants else None


def the_combat(state: State) -> Combat:
    """The Combat that is being fought; ValueError if none is."""
    if state.combat is None:
        raise ValueError("no Combat is being fought")
    return state.combat


def in_combat(
    action: type[A],
    stage: str,
    resolve: Callable[[State, Combat, A, Dice], Script[State]],
    *,
    offers: Callable[[State, Combat], Iterator[Choice]],
    check: Callable[[State, Side, Combat, A], Iterator[Refusal]],
    read: Callable[[Reader], Any] | None = None,
) -> Verb[State, A]:
    """A verb of those who are in a Combat already, and offered when it waits for this."""

    def checked(state: State, side: Side, said: A) -> Iterator[Refusal]:
        if state.combat:
            yield from check(state, side, state.combat, said)
        else:
            yield Refusal("V.B-a", f"the {state.mover} player chooses the room of the next Combat first")

    def offered(state: State, _side: Side) -> Iterator[Choice]:
        if state.combat and state.combat.stage == stage:
            yield from offers(state, state.combat)

    def resolved(state: State, _side: Side, said: A, dice: Dice) -> Script[State]:
        return resolve(state, the_combat(state), said, dice)

    return timed(action, COMBATS, resolved, offers=offered, check=checked, read=read)


# The room


class Fight(Action, frozen=True, tag="fight"):
    """Start the Combat in a room (V.B-a)."""

    says = "fight {room}"
    room: PlaceSaid


def _fight_offers(state: State, _side: Side) -> Iterator[Choice]:
    if state.combat is None:
        yield Choice(Fight, room=OneOf(state.contested()))


def _check_fight(state: State, side: Side, action: Fight) -> Iterator[Refusal]:
    room = action.room
    if state.combat:
        yield Refusal("V.B-b", f"the Combat in {state.combat.room} is not over")
    elif side != state.mover:
        yield Refusal("V.B-a", f"the {state.mover} player has just moved and chooses the order of the Combats")
    elif room not in state.contested():
        rule, why = ("M61", "a Set Up square") if room in state.board.squares else ("V.A-a", "not held by both sides")
        yield Refusal(rule, f"{room} is {why}")


def _fight(state: State, _side: Side, action: Fight, _dice: Dice) -> Script[State]:
    return begin(state, action.room)


def begin(state: State, room: str) -> Script[State]:
    """All Character units of the room go to the Combat Display (V.B.1-a, INTRO.IV.B-c)."""
    humans, mutants = state.fighters("human", room), state.fighters("mutant", room)
    state = yield CombatBegun(room, humans, mutants)
    return (yield from _begin_round(state, room, 1))


def _begin_round(state: State, room: str, number: int) -> Script[State]:
    """Numbers are counted afresh for every Round (M13, OPT.III.A-c), in this Combat alone (M40).

    The smaller side lays out first, at equal numbers the side that has not just moved. All are told whether it may
    retreat, so that is judged on what all may know.
    """
    humans, mutants = len(state.fighters("human", room)), len(state.fighters("mutant", room))
    first: Side = "human" if humans < mutants else "mutant" if mutants < humans else other_side(state.mover)
    odds = odds_of(humans, mutants)
    combat = Combat(room, "lay", number, first, odds)
    may = state.plays("bugging-out") and next(refuges(view(state, None), combat), None) is not None
    combat = Combat(room, "lay", number, first, odds, may)
    return (yield RoundBegun(combat, combat.odds is not None and state.plays("overwhelming-odds")))


# The boxes


class Lay(Action, frozen=True, tag="lay"):
    """Lay out units in one's Engaged boxes, from box 1 on (V.B.3-c)."""

    says = "lay {units}"
    units: UnitIds


class Pair(Action, frozen=True, tag="pair"):
    """Put units opposite the enemy's Engaged boxes, from box 1 on (V.B.3-d)."""

    says = "pair {units}"
    units: UnitIds


def _filling(kind: type[Lay | Pair], stage: str) -> Verb[State, Any]:
    """The verb that fills one of the two rows of boxes."""

    def offers(state: State, combat: Combat) -> Iterator[Choice]:
        yield Choice(kind, units=_boxes(state, combat, _owner(combat, kind)))

    def read(reader: Reader) -> Lay | Pair:
        return kind(_named(reader, kind))

    return in_combat(kind, stage, _engage, offers=offers, check=_check_boxes, read=read)


def _owner(combat: Combat, kind: type[Lay | Pair]) -> Side:
    return combat.first if kind is Lay else other_side(combat.first)


def _named(reader: Reader, kind: type[Lay | Pair]) -> tuple[str, ...]:
    """Units by box, as typed; "auto" lets the referee name them, for the player who says it (M66)."""
    state, combat = reader.state, reader.state.combat
    boxes = _boxes(state, combat, _owner(combat, kind)) if combat else Ordered((), 0, 0)
    if not reader.only("auto"):
        return reader.named(lambda: boxes.values)
    return tuple(sorted(boxes.values, key=lambda unit: worth(state, unit))[: boxes.most])


def worth(state: State, unit: str) -> tuple[int, int]:
    """What a unit is worth, for "auto": who counts least in the Tech Room at the end fights first, Leaders and Techs
    last, and of equals who hits less (M66).
    """
    found = state.board.units[unit]
    return EXPENDABLE.index(found.kind), found.hit


def _boxes(state: State, combat: Combat, side: Side) -> Ordered:
    """Who may lie in the Engaged boxes: anybody of that side, as its player likes (V.B.3-f)."""
    count = len(combat.laid) or engaged(state, combat)
    return Ordered(state.fighters(side, combat.room), count, count)


def _check_boxes(state: State, side: Side, combat: Combat, action: Lay | Pair) -> Iterator[Refusal]:
    stage = "lay" if isinstance(action, Lay) else "pair"
    if combat.stage == "pursue":
        yield Refusal("OPT.IV.A.1-a", "the Combat has been left; pursuit or none comes first")
    elif side != _owner(combat, type(action)):
        yield _wrong_order(state, combat, stage)
    elif combat.stage != stage:
        yield Refusal("V.B.3-d" if stage == "pair" else "V.B.3-c", f"this Round waits for: {combat.stage}")
    else:
        yield from _check_engaged(state, combat, side, action.units)


def _wrong_order(state: State, combat: Combat, stage: str) -> Refusal:
    human, mutant = (len(state.fighters(side, combat.room)) for side in ("human", "mutant"))
    counts = f"{human} on the Human side, {count_of(mutant, 'Mutant')}"
    if stage == "pair":
        return Refusal("V.B.3-d", f"the {other_side(combat.first)} player pairs off ({counts})")
    rule = "V.B.3-b" if human == mutant else "V.B.3-a"
    return Refusal(rule, f"the {combat.first} player lays out first ({counts})")


def _check_engaged(state: State, combat: Combat, side: Side, units: tuple[str, ...]) -> Iterator[Refusal]:
    unknown = list(check_names(state, state.board.sorted(set(units))))
    if unknown:
        yield from unknown
        return
    here = state.fighters(side, combat.room)
    yield from check_side(state, side, dict.fromkeys(units))
    for unit in dict.fromkeys(units):
        if state.is_captive(unit):
            yield Refusal("OPT.VI.C-b", "penny is a captive and takes part in no Combat")
        elif state.board.side_of(unit) == side and unit not in here:
            yield Refusal("V.B.1-a", f"{unit} is not in {combat.room}")
    if len(set(units)) < len(units):
        yield Refusal("V.B.3-c", "a unit lies in one box only")
    wanted = len(combat.laid) or engaged(state, combat)
    if len(units) > ENGAGED:
        yield Refusal("V.B.2-a", f"there are five Engaged boxes, not {len(units)}")
    if len(units) != wanted:
        yield Refusal("V.B.3-d" if combat.laid else "V.B.3-c", f"{count_of(wanted, 'box', 'boxes')} must be filled")


def _engage(state: State, combat: Combat, action: Lay | Pair, _dice: Dice) -> Script[State]:
    """Fill the boxes; who is left over is in Reserve (V.B.2-b, V.B.3-e)."""
    side = _owner(combat, type(action))
    reserve = tuple(unit for unit in state.fighters(side, combat.room) if unit not in action.units)
    yield Engaged(side, action.units, reserve)


# The dice


class Resolve(Action, frozen=True, tag="resolve"):
    """Roll for the pair that is due, in the order of the boxes (V.C-b)."""

    says = "resolve"


def _throw(state: State, combat: Combat) -> Need:
    """What the pair that is due rolls: each its die (INTRO.IV.F), the Human die first (M38)."""
    if combat.pair_due is None:
        raise ValueError("all pairs are through")
    human, mutant = combat.pair_due
    one = needed_by(state, combat, "human", human, mutant)
    other = needed_by(state, combat, "mutant", mutant, human)
    aims = (Aim(most=one, does=f"hits {mutant}", whose=human), Aim(most=other, does=f"hits {human}", whose=mutant))
    return Need(
        f"{human} against {mutant}, who need {one} and {other} or less",
        2,
        6,
        each=combat.pair_due,
        aims=aims,
        rule="V.D-a",
    )


def needed_by(state: State, combat: Combat, side: Side, unit: str, enemy: str) -> int:
    """The highest face that hits: the Hit Number, and all below hit too (V.D.1-b, V.D.2-d).

    Every die of the side with Overwhelming Odds counts one less (OPT.III.A-d, OPT.III.B-c), without being asked for
    (M41) and without a floor, unless a natural 6 always misses (M42).
    """
    number = state.hit_number(unit, enemy)
    if combat.odds != side or not state.plays("overwhelming-odds"):
        return number
    return min(number + 1, 5 if state.options["odds-floor"] == "six-misses" else 6)


def _resolve_offers(state: State, combat: Combat) -> Iterator[Choice]:
    yield Choice(Resolve, _throw(state, combat))


def _check_resolve(state: State, side: Side, combat: Combat, _action: Resolve) -> Iterator[Refusal]:
    if combat.stage != "resolve":
        yield Refusal("V.C-a", f"the Round is not set up yet; it waits for: {combat.stage}")
    elif side != state.mover:
        yield Refusal("V.B-a", f"both roll at once, and the {state.mover} player records it")


def _resolve(state: State, combat: Combat, _action: Resolve, dice: Dice) -> Script[State]:
    """The pair that is due rolls once, both at the same time (V.D-a); both may be hit (V.D.3-a).

    If nobody is, the same pair is due again (V.D.3-b). Pairs follow one another in box order (V.C-b, M14).
    """
    throw = _throw(state, combat)
    human, mutant = throw.each
    one, other = dice.throw(throw)
    human_hits = one <= needed_by(state, combat, "human", human, mutant)
    mutant_hits = other <= needed_by(state, combat, "mutant", mutant, human)
    captured = mutant_hits and human == "penny" and state.alternate  # OPT.VI.C-a, OPT.VI.C-g, M20
    lost = ((human,) if mutant_hits and not captured else ()) + ((mutant,) if human_hits else ())
    state = yield Fought(human, mutant, one, other, lost, captured)
    if state.combat and state.combat.pair_due is None:
        yield from _end_round(state, combat)


def _end_round(state: State, combat: Combat) -> Script[State]:
    if not state.fighters("mutant", combat.room):
        state = yield from sequence.free_penny(state)
    if state.fighters("human", combat.room) and state.fighters("mutant", combat.room):
        yield from _begin_round(state, combat.room, combat.round + 1)  # V.A-c, V.C-c
    else:
        yield from end(state, combat.room)  # V.C-d


# The end


def put_back(state: State, room: str) -> Script[State]:
    """Survivors return to their room (V.B.1-b)."""
    survivors = tuple(unit for unit in state.standing.get(room, ()) if not state.is_captive(unit))
    state = yield CombatEnded(room, survivors)
    return (yield from sequence.free_penny(state))


def end(state: State, room: str) -> Script[State]:
    """The next Combat follows until none is left (V.B-b), then the next Phase."""
    state = yield from put_back(state, room)
    if not state.contested():
        yield from sequence.go_on(state)


_fight_late = by_phase(smash="V-a", open="V-a", move="V-a")
VERBS = (
    timed(Fight, COMBATS, _fight, offers=_fight_offers, check=_check_fight, late=_fight_late),
    _filling(Lay, "lay"),
    _filling(Pair, "pair"),
    in_combat(Resolve, "resolve", _resolve, offers=_resolve_offers, check=_check_resolve),
)
