"""Combat: room by room, Round by Round, pair by pair (V), with Overwhelming Odds (OPT.III)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.dice import Dice, Need
from referee.engine.game import Script
from referee.engine.legal import Choice, OneOf, Ordered
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.games.mutants import bugging_out, sequence
from referee.games.mutants.actions import Fight, Hold, Lay, Pair, Pursue, Resolve, Retreat
from referee.games.mutants.board import Side
from referee.games.mutants.events import CombatBegun, CombatEnded, Fought, LaidOut, PairedOff, RoundBegun
from referee.games.mutants.hidden import view
from referee.games.mutants.naming import check_names, check_side
from referee.games.mutants.state import ENGAGED, Combat, State, other_side

CombatAction = Fight | Lay | Pair | Resolve | Retreat | Pursue | Hold

PAIRS = "pairs in box order, Human die first, each until somebody is hit"
RATIO = {"mutant": 3, "human": 2}
"""How many times as many units a side needs for Overwhelming Odds (OPT.III.A-a, OPT.III.B-a)."""

# Whose choice it is


def to_act(state: State) -> Side:
    """The player whom the rules name for the next choice (V.B-a, V.B.3-a, V.B.3-d)."""
    combat = state.combat
    if combat is None or combat.stage == "resolve":
        return state.mover
    return combat.first if combat.stage == "lay" else other_side(combat.first)


def engaged(state: State, combat: Combat) -> int:
    """Pairs of this Round: all that the smaller side has, five at the most (V.B.2-a, V.B.3-c, M37)."""
    return min(ENGAGED, *(len(state.fighters(side, combat.room)) for side in ("human", "mutant")))


def odds_of(humans: int, mutants: int) -> Side | None:
    """Who outnumbers the other enough, Reserves and Janibots included (OPT.III.A-b, OPT.III.B-b, M15)."""
    if mutants >= RATIO["mutant"] * humans:
        return "mutant"
    return "human" if humans >= RATIO["human"] * mutants else None


# What may be done


def choices(state: State) -> Iterator[Choice]:
    """Everything that the player whose choice it is may do."""
    combat = state.combat
    if combat is None:
        yield Choice(Fight, room=OneOf(state.contested()))
        return
    match combat.stage:
        case "lay":
            yield Choice(Lay, units=_boxes(state, combat, combat.first))
            yield from bugging_out.retreats(state, combat)
        case "pair":
            yield Choice(Pair, units=_boxes(state, combat, other_side(combat.first)))
        case "resolve":
            yield Choice(Resolve, Need(PAIRS, 2 * len(combat.pairs()), 6))
        case _:
            yield from bugging_out.pursuits(state, combat)
            yield Choice(Hold)


def _boxes(state: State, combat: Combat, side: Side) -> Ordered:
    """Who may lie in the Engaged boxes: anybody of that side, as its player likes (V.B.3-f)."""
    count = len(combat.laid) or engaged(state, combat)
    return Ordered(state.fighters(side, combat.room), count, count)


# What is forbidden


def check(state: State, side: Side, action: CombatAction) -> Iterator[Refusal]:
    """Every rule that an action in a Combat Phase breaks."""
    combat = state.combat
    match action:
        case Fight(room):
            yield from _check_fight(state, side, room)
        case _ if combat is None:
            yield Refusal("V.B-a", f"the {state.mover} player chooses the room of the next Combat first")
        case Lay(units) | Pair(units):
            yield from _check_boxes(state, combat, side, action, units)
        case Resolve():
            yield from _check_resolve(state, combat, side)
        case Retreat():
            yield from bugging_out.check_retreat(state, combat, side, action)
        case Pursue() | Hold():
            yield from bugging_out.check_pursuit(state, combat, side, action)


def _check_fight(state: State, side: Side, room: str) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V.B-b", f"the Combat in {state.combat.room} is not over")
    elif side != state.mover:
        yield Refusal("V.B-a", f"the {state.mover} player has just moved and chooses the order of the Combats")
    elif room not in state.contested():
        rule, why = ("M61", "a Set Up square") if room in state.board.squares else ("V.A-a", "not held by both sides")
        yield Refusal(rule, f"{room} is {why}")


def _check_boxes(
    state: State, combat: Combat, side: Side, action: Lay | Pair, units: tuple[str, ...]
) -> Iterator[Refusal]:
    stage = "lay" if isinstance(action, Lay) else "pair"
    owner = combat.first if stage == "lay" else other_side(combat.first)
    if combat.stage == "pursue":
        yield Refusal("OPT.IV.A.1-a", "the Combat has been left; pursuit or none comes first")
    elif side != owner:
        yield _wrong_order(state, combat, stage)
    elif combat.stage != stage:
        yield Refusal("V.B.3-d" if stage == "pair" else "V.B.3-c", f"this Round waits for: {combat.stage}")
    else:
        yield from _check_engaged(state, combat, side, units)


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


def _check_resolve(state: State, combat: Combat, side: Side) -> Iterator[Refusal]:
    if combat.stage != "resolve":
        yield Refusal("V.C-a", f"the Round is not set up yet; it waits for: {combat.stage}")
    elif side != state.mover:
        yield Refusal("V.B-a", f"both roll at once, and the {state.mover} player records it")


# What follows


def resolve(state: State, action: CombatAction, dice: Dice) -> Script:
    """What follows from a legal action in a Combat Phase."""
    combat = state.combat
    match action:
        case Fight(room):
            yield from begin(state, room)
        case _ if combat is None:
            raise AssertionError("checked: a Combat is being fought")
        case Lay(units):
            yield LaidOut(combat.first, units, _reserve(state, combat, combat.first, units))
        case Pair(units):
            second = other_side(combat.first)
            yield PairedOff(second, units, _reserve(state, combat, second, units))
        case Resolve():
            yield from _resolve_round(state, combat, dice)
        case Retreat():
            state = yield from bugging_out.retreat(state, combat, action)
            if state.outcome is None and state.combat and state.combat.stage == "pursue":
                yield from _after_flight(state, state.combat)
        case Pursue():
            state = yield from bugging_out.pursue(combat, action)
            state = yield from _put_back(state, combat.room)
            yield from begin(state, state.at[action.units[0]])
        case Hold():
            state = yield from bugging_out.hold()
            yield from _end(state, combat.room)


def _reserve(state: State, combat: Combat, side: Side, units: tuple[str, ...]) -> tuple[str, ...]:
    """Who is left over (V.B.2-b, V.B.3-e)."""
    return tuple(unit for unit in state.fighters(side, combat.room) if unit not in units)


def begin(state: State, room: str) -> Script:
    """All Character units of the room go to the Combat Display (V.B.1-a, INTRO.IV.B-c)."""
    humans, mutants = state.fighters("human", room), state.fighters("mutant", room)
    state = yield CombatBegun(room, humans, mutants)
    return (yield from _begin_round(state, room, 1))


def _begin_round(state: State, room: str, number: int) -> Script:
    """Numbers are counted afresh for every Round (M13, OPT.III.A-c), in this Combat alone (M40).

    The smaller side lays out first, at equal numbers the side that has not just moved. All are told whether it may
    retreat, so that is judged on what all may know.
    """
    humans, mutants = len(state.fighters("human", room)), len(state.fighters("mutant", room))
    first: Side = "human" if humans < mutants else "mutant" if mutants < humans else other_side(state.mover)
    combat = Combat(room, "lay", number, first, odds_of(humans, mutants))
    may = state.options.bugging_out == "yes" and bugging_out.can_retreat(view(state, None), combat)
    combat = Combat(room, "lay", number, first, combat.odds, may)
    return (yield RoundBegun(combat))


def _resolve_round(state: State, combat: Combat, dice: Dice) -> Script:
    """Pairs are rolled one after another in box order (V.C-b, M14)."""
    for human, mutant in combat.pairs():
        state = yield fight_pair(state, combat, human, mutant, dice)
    if not state.fighters("mutant", combat.room):
        state = yield from sequence.free_penny(state)
    if state.fighters("human", combat.room) and state.fighters("mutant", combat.room):
        yield from _begin_round(state, combat.room, combat.round + 1)  # V.A-c, V.C-c
    else:
        yield from _end(state, combat.room)  # V.C-d


def fight_pair(state: State, combat: Combat, human: str, mutant: str, dice: Dice) -> Fought:
    """Both roll at once until somebody is hit (V.D-a, V.D.3-b); both may be (V.D.3-a).

    Each player has an ordinary die (INTRO.IV.F), and the Human die is written first (M38).
    """
    rolls = []
    human_hits = mutant_hits = False
    while not (human_hits or mutant_hits):
        one, other = dice.roll(2, 6, f"{human} against {mutant}")
        rolls.append((one, other))
        human_hits = hits(state, combat, "human", human, mutant, one)
        mutant_hits = hits(state, combat, "mutant", mutant, human, other)
    captured = mutant_hits and human == "penny" and state.alternate  # OPT.VI.C-a, OPT.VI.C-g, M20
    lost = ((human,) if mutant_hits and not captured else ()) + ((mutant,) if human_hits else ())
    return Fought(human, mutant, tuple(rolls), lost, captured)


def hits(state: State, combat: Combat, side: Side, unit: str, enemy: str, die: int) -> bool:
    """Whether a die hits: the Hit Number or less (V.D.1-b, V.D.2-d).

    Every die of the side with Overwhelming Odds counts one less (OPT.III.A-d, OPT.III.B-c), without being asked for
    (M41) and without a floor, unless a natural 6 always misses (M42).
    """
    favoured = combat.odds == side and state.options.overwhelming_odds == "yes"
    if favoured and die == 6 and state.options.odds_floor == "six-misses":
        return False
    return die - favoured <= state.hit_number(unit, enemy)


def _after_flight(state: State, combat: Combat) -> Script:
    """Ask about pursuit, unless nobody could follow anyway."""
    if next(bugging_out.pursuits(state, combat), None) is None:
        yield from _end(state, combat.room)


def _put_back(state: State, room: str) -> Script:
    """Survivors return to their room (V.B.1-b)."""
    survivors = tuple(unit for unit in state.standing.get(room, ()) if not state.is_captive(unit))
    state = yield CombatEnded(room, survivors)
    return (yield from sequence.free_penny(state))


def _end(state: State, room: str) -> Script:
    """The next Combat follows until none is left (V.B-b), then the next Phase."""
    state = yield from _put_back(state, room)
    if not state.contested():
        yield from sequence.go_on(state)


def waiting_for(state: State) -> str:
    """What a Combat Phase waits for, in a few words."""
    combat = state.combat
    if combat is None:
        return f"Combat to come in {listing(state.contested())}"
    what = {"lay": "laying out", "pair": "pairing off", "resolve": "dice", "pursue": "pursuit"}[combat.stage]
    return f"Combat in {combat.room}, Round {combat.round}: {what} by the {to_act(state)} player"
