"""Combat: room by room, Round by Round, pair by pair (V), with Overwhelming Odds (OPT.III)."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Ordered
from referee.engine.target_number import Target
from referee.engine.text import count_of, listing, spell_number
from referee.games.mutants import sequence
from referee.games.mutants.board import Die, Place, Side, compact_names
from referee.games.mutants.moving import free_penny, list_refuges
from referee.games.mutants.notation import Reader, TypedPlace, check_names, check_side
from referee.games.mutants.order import Late, Rules, make_turn_check
from referee.games.mutants.state import (
    COMBATS,
    ENGAGED,
    MUTANT_MOVEMENT,
    Combat,
    State,
    UnitId,
    UnitIds,
    find_other_side,
)
from referee.games.mutants.status import describe_phase
from referee.games.mutants.view import make_view

RATIO = {"mutant": 3, "human": 2}
"""The number of units that a side needs for each enemy to have Overwhelming Odds (OPT.III.A-a, OPT.III.B-a)."""
EXPENDABLE = ("janibot", "guard", "tech", "radioactive", "normal", "leader")
"""The kinds of units of both sides, from the least to the most important for the end of the game (M66)."""


def count_pairs(state: State, combat: Combat) -> int:
    """Returns the number of pairs in this Round: all units of the smaller side, up to five (V.B.2-a, V.B.3-c, M37)."""
    return min(ENGAGED, *(len(state.list_fighters(side, combat.room)) for side in ("human", "mutant")))


def find_overwhelming_side(humans: int, mutants: int) -> Side | None:
    """Returns the side with Overwhelming Odds, from the units of both sides; None if neither has them.

    Reserves and Janibots count (OPT.III.A-b, OPT.III.B-b, M15).
    """
    if mutants >= RATIO["mutant"] * humans:
        return "mutant"
    return "human" if humans >= RATIO["human"] * mutants else None


def make_combat_stage_check(rules: Rules) -> Late:
    """Returns the check `late` of a verb that may be used only in one stage of a Combat.

    During a Combat, `rules` yields the refusals. Before a Combat, the player must first choose its room (V.B-a).
    """

    def late(state: State, seat: Seat, _action: Action) -> Iterator[Refusal]:
        if state.combat:
            yield from rules(state, seat)
        elif state.phase in COMBATS:
            yield Refusal("V.B-a", f"the {state.last_mover} player first chooses the room of the next Combat")

    return late


# The room


class CombatBegun(Event, frozen=True, tag="combat-begun"):
    """A Combat starts: its units go to the Combat Display."""

    room: Place
    human: UnitIds
    mutant: UnitIds

    def tell(self) -> str:
        """Tells the players which units go to the Combat Display."""
        units = f"{compact_names(self.human)} and {compact_names(self.mutant)}"
        return f"Put the Combat Location unit in {self.room} and move {units} to the Combat Display."

    def apply(self, state: State) -> State:
        """Changes nothing on the board; the first Round follows."""
        return state


class RoundBegun(Event, frozen=True, tag="round-begun"):
    """A Round of the Combat starts."""

    evident = True

    combat: Combat
    modifier: bool
    """True if the side with many more units subtracts one from each of its dice (OPT.III)."""

    def tell(self) -> str:
        """Tells the players who lays out first, and what the odds mean."""
        combat = self.combat
        return f"Round {combat.round} in {combat.room}: {combat.first} lays out first.{self._describe_odds()}"

    def _describe_odds(self) -> str:
        """Returns sentences about the odds, by the options of the game (OPT.III, OPT.IV.A-a); "" if they are even."""
        odds = self.combat.odds
        if odds is None:
            return ""
        many = f" The {odds} side has overwhelming numbers: each of its dice counts one less."
        less = many if self.modifier else ""
        return f"{less} The {find_other_side(odds)} side may retreat." if self.combat.may_retreat else less

    def apply(self, state: State) -> State:
        """Starts the Round, with empty boxes."""
        return replace(state, combat=self.combat)


class Fight(Action, frozen=True, tag="fight"):
    """Start the Combat in a room (V.B-a).

    `fight all auto` fights all Combats that are left and fills your own boxes by itself (M66). It stops when the other
    player has to choose.
    """

    says = "fight {room}"
    room: TypedPlace


def _offer_fight(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Fight, room=OneOf(state.list_contested_rooms()))


def _check_fight(state: State, _seat: Seat, action: Fight) -> Iterator[Refusal]:
    room = action.room
    if room not in state.list_contested_rooms():
        rule, why = (
            ("M61", "is a Set Up square")
            if room in state.board.squares
            else ("V.A-a", "does not hold units of both sides")
        )
        yield Refusal(rule, f"{room} {why}")


@make_turn_check
def _refuse_late_fight(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V.B-b", f"the Combat in {state.combat.room} is not over")
    else:
        yield Refusal("V-a" if state.phase in MUTANT_MOVEMENT else "III-b", describe_phase(state))


def _refuse_fight_of_other_side(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"the {state.last_mover} player moved last and so chooses the order of the Combats")


def _read_fight(reader: Reader) -> Action:
    """Reads `fight`: a room, or `all auto` for all Combats that are left.

    `auto` after a room fills only the boxes of the player who types it (M66).
    """
    if [word.text for word in reader.words] == ["all", "auto"]:
        reader.again = True
        return _find_next_fight_action(reader)
    room = reader.place()
    if reader.read_only_word("auto"):
        reader.rest = f"{reader.seat} auto"
    return Fight(room)


def _find_next_fight_action(reader: Reader) -> Action:
    """Returns the next action of `fight all auto`: the next room, own boxes, or the dice (V.B-a, V.B-b, V.C-b)."""
    said, state = reader.words[0], reader.state
    reader.words = []
    combat, rooms = state.combat, state.list_contested_rooms()
    if combat is None and rooms:
        return Fight(rooms[0])
    if combat is None or combat.stage == "pursue":
        raise reader.make_word_error(said, "the name of a room; there is no Combat left to fight")
    if combat.stage == "resolve":
        return Resolve()
    kind = Lay if combat.stage == "lay" else Pair
    return kind(pick_least_valuable(state, _list_units_for_boxes(state, combat, _find_side_that_fills(combat, kind))))


def _fight_in_room(state: State, _seat: Seat, action: Fight, _dice: Dice) -> Script[State]:
    return begin_combat(state, action.room)


def begin_combat(state: State, room: str) -> Script[State]:
    """Moves all Character units of a room to the Combat Display and begins Round 1 (V.B.1-a, INTRO.IV.B-c)."""
    humans, mutants = state.list_fighters("human", room), state.list_fighters("mutant", room)
    state = yield CombatBegun(room, humans, mutants)
    return (yield from _begin_round(state, room, 1))


def _begin_round(state: State, room: str, number: int) -> Script[State]:
    """Begins a Round. Units are counted anew for every Round (M13, OPT.III.A-c), in this Combat alone (M40).

    The smaller side lays out first; with equal numbers, the side that has not just moved. Both players hear whether a
    side may retreat, so this is judged on public knowledge.
    """
    humans, mutants = len(state.list_fighters("human", room)), len(state.list_fighters("mutant", room))
    first: Side = "human" if humans < mutants else "mutant" if mutants < humans else find_other_side(state.last_mover)
    odds = find_overwhelming_side(humans, mutants)
    combat = Combat(room, "lay", number, first, odds)
    may = state.is_played("bugging-out") and next(list_refuges(make_view(state, None), combat), None) is not None
    combat = Combat(room, "lay", number, first, odds, may)
    return (yield RoundBegun(combat, combat.odds is not None and state.is_played("overwhelming-odds")))


# The Engaged boxes


class UnitsEngaged(Event, frozen=True, tag="engaged"):
    """A player has filled the Engaged boxes of one side."""

    evident = True

    side: Side
    units: UnitIds
    reserve: UnitIds

    def tell(self) -> str:
        """Tells the players which unit lies in which box, and which are left over."""
        left = f"; in Reserve: {compact_names(self.reserve)}" if self.reserve else ""
        return f"Engaged for the {self.side} side, from box 1: {' '.join(self.units)}{left}."

    def apply(self, state: State) -> State:
        """Fills the boxes of the side. The other side's boxes come next, then the dice."""
        if state.combat and state.combat.first == self.side:
            return state.change_combat(laid=self.units, stage="pair", may_retreat=False)
        return state.change_combat(paired=self.units, stage="resolve")


class Lay(Action, frozen=True, tag="lay"):
    """Lay out units in your Engaged boxes, from box 1 on (V.B.3-c)."""

    says = "lay {units}"
    units: UnitIds


class Pair(Action, frozen=True, tag="pair"):
    """Put units opposite the enemy's Engaged boxes, from box 1 on (V.B.3-d)."""

    says = "pair {units}"
    units: UnitIds


def _make_boxes_verb(kind: type[Lay | Pair], stage: str) -> Verb[State, Any]:
    """Returns the verb that fills one of the two rows of boxes."""

    def offers(state: State, seat: Seat) -> Iterator[Choice]:
        yield Choice(kind, units=_list_units_for_boxes(state, state.current_combat, seat))

    def read(reader: Reader) -> Lay | Pair:
        return kind(_read_boxes(reader, kind))

    @make_combat_stage_check
    def late(state: State, seat: Seat) -> Iterator[Refusal]:
        combat = state.current_combat
        if combat.stage == "pursue":
            yield Refusal("OPT.IV.A.1-a", "one side has left the Combat; first pursue or hold")
        elif seat != _find_side_that_fills(combat, kind):
            yield _make_order_refusal(state, combat, stage)
        else:
            yield Refusal("V.B.3-d" if stage == "pair" else "V.B.3-c", f"this Round waits for: {combat.stage}")

    def theirs(state: State) -> Iterator[Refusal]:
        yield _make_order_refusal(state, state.current_combat, stage)

    return Verb(kind, (stage,), offers, _check_engaged, _engage_units, read=read, late=late, theirs=theirs)


def _find_side_that_fills(combat: Combat, kind: type[Lay | Pair]) -> Side:
    """Returns the side that fills its boxes by this kind of action."""
    return combat.first if kind is Lay else find_other_side(combat.first)


def _read_boxes(reader: Reader, kind: type[Lay | Pair]) -> tuple[str, ...]:
    """Reads the units for the boxes. If the player types "auto" instead, the referee picks the units of that player
    (M66).
    """
    state, combat = reader.state, reader.state.combat
    boxes = _list_units_for_boxes(state, combat, _find_side_that_fills(combat, kind)) if combat else Ordered((), 0, 0)
    if not reader.read_only_word("auto"):
        return reader.read_unit_names(lambda: boxes.values)
    return pick_least_valuable(state, boxes)


def pick_least_valuable(state: State, boxes: Ordered) -> tuple[str, ...]:
    """Returns the units that "auto" puts into the boxes: the least valuable ones, from box 1 (M66)."""
    return tuple(sorted(boxes.values, key=lambda unit: rate_unit(state, unit))[: boxes.most])


def rate_unit(state: State, unit: str) -> tuple[int, int]:
    """Returns a unit's value for "auto"; lower values fight first (M66).

    The kind counts first: Leaders and Techs, who count most in the Tech Room at the end, come last. Then units with a
    lower Hit Number come first.
    """
    found = state.board.units[unit]
    return EXPENDABLE.index(found.kind), found.hit


def _list_units_for_boxes(state: State, combat: Combat, side: Seat) -> Ordered:
    """Returns the units that may fill the Engaged boxes of a side: any of its units in the room (V.B.3-f)."""
    count = len(combat.laid) or count_pairs(state, combat)
    return Ordered(state.list_fighters(side, combat.room), count, count)


def _make_order_refusal(state: State, combat: Combat, stage: str) -> Refusal:
    human, mutant = (len(state.list_fighters(side, combat.room)) for side in ("human", "mutant"))
    counts = f"{human} on the Human side, {count_of(mutant, 'Mutant')}"
    if stage == "pair":
        return Refusal("V.B.3-d", f"the {find_other_side(combat.first)} player pairs off ({counts})")
    rule = "V.B.3-b" if human == mutant else "V.B.3-a"
    return Refusal(rule, f"the {combat.first} player lays out first ({counts})")


def _check_engaged(state: State, seat: Seat, action: Lay | Pair) -> Iterator[Refusal]:
    combat, units = state.current_combat, action.units
    unknown = list(check_names(state, state.board.sort_units(set(units))))
    if unknown:
        yield from unknown
        return
    here = state.list_fighters(seat, combat.room)
    yield from check_side(state, seat, dict.fromkeys(units))
    for unit in dict.fromkeys(units):
        if state.is_captive(unit):
            yield Refusal("OPT.VI.C-b", "penny is a captive and cannot fight")
        elif state.board.find_side(unit) == seat and unit not in here:
            yield Refusal("V.B.1-a", f"{unit} is not in {combat.room}")
    if len(set(units)) < len(units):
        yield Refusal("V.B.3-c", "a unit can lie in only one box")
    wanted = len(combat.laid) or count_pairs(state, combat)
    if len(units) > ENGAGED:
        yield Refusal("V.B.2-a", f"there are {spell_number(ENGAGED)} Engaged boxes, not {len(units)}")
    if len(units) != wanted:
        yield Refusal("V.B.3-d" if combat.laid else "V.B.3-c", f"{count_of(wanted, 'box', 'boxes')} must be filled")


def _engage_units(state: State, _seat: Seat, action: Lay | Pair, _dice: Dice) -> Script[State]:
    """Fills the boxes; units left over are in Reserve (V.B.2-b, V.B.3-e)."""
    side = _find_side_that_fills(state.current_combat, type(action))
    reserve = tuple(unit for unit in state.list_fighters(side, state.current_combat.room) if unit not in action.units)
    yield UnitsEngaged(side, action.units, reserve)


# The dice


class PairFought(Event, frozen=True, tag="fought"):
    """Both units of a pair have rolled once, at the same time."""

    evident = True

    human: UnitId
    mutant: UnitId
    human_die: Die
    mutant_die: Die
    eliminated: UnitIds
    captured: bool = False
    """True if the Human-side unit is Penny and was taken captive."""

    def tell(self) -> str:
        """Tells the players both dice, and who is hit."""
        rolled = f"{self.human} against {self.mutant}: {self.human_die}-{self.mutant_die}."
        if not (self.eliminated or self.captured):
            return f"{rolled} Nobody is hit: roll again."
        gone = f"Take {listing(self.eliminated)} off the board." if self.eliminated else ""
        taken = "Penny is hit and taken captive." if self.captured else ""
        return " ".join(filter(None, [rolled, gone, taken]))

    def apply(self, state: State) -> State:
        """Takes eliminated units off the board. If a unit was hit, the next pair is due."""
        if not (self.eliminated or self.captured):
            return state
        state = replace(state.eliminate(self.eliminated), captive=state.captive or self.captured)
        return state.change_combat(due=state.current_combat.due + 1)


class Resolve(Action, frozen=True, tag="resolve"):
    """Roll for the next pair, in the order of the boxes (V.C-b)."""

    says = "resolve"


def _make_pair_need(state: State, combat: Combat) -> Need:
    """Returns the roll of the pair that is due: one die each (INTRO.IV.F), the Human die first (M38)."""
    if combat.pair_due is None:
        raise ValueError("all pairs have fought")
    human, mutant = combat.pair_due
    one = find_highest_hitting_face(state, combat, "human", human, mutant)
    other = find_highest_hitting_face(state, combat, "mutant", mutant, human)
    aims = (
        Target(most=one, does=f"hits {mutant}", whose=human, good_for="human"),
        Target(most=other, does=f"hits {human}", whose=mutant, good_for="mutant"),
    )
    return Need(
        f"{human} against {mutant}, who need {one} and {other} or less",
        2,
        6,
        each=combat.pair_due,
        aims=aims,
        rule="V.D-a",
    )


def find_highest_hitting_face(state: State, combat: Combat, side: Seat, unit: str, enemy: str) -> int:
    """Returns the highest face with which a unit hits: its Hit Number. All lower faces hit too (V.D.1-b, V.D.2-d).

    With Overwhelming Odds the face is one higher, because each die of that side counts one less (OPT.III.A-d,
    OPT.III.B-c). The referee applies this by itself (M41). The face is at most 6, or 5 if a natural 6 always misses
    (M42).
    """
    number = _find_hit_number(state, unit, enemy)
    if combat.odds != side or not state.is_played("overwhelming-odds"):
        return number
    return min(number + 1, 5 if state.options["odds-floor"] == "six-misses" else 6)


def _find_hit_number(state: State, unit: str, enemy: str) -> int:
    """Returns a unit's Hit Number against an enemy (V.D.1-a, V.D.2-a, V.D.2-b, V.D.2-c, OPT.II.B, M64)."""
    mine = state.board.units[unit]
    if state.is_janibot(unit) and state.is_played("help-mutants"):
        return min(mine.hit, 2)
    return mine.hit_j if state.is_janibot(enemy) else mine.hit


def _offer_resolve(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Resolve, _make_pair_need(state, state.current_combat))


@make_combat_stage_check
def _refuse_late_resolve(state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("V.C-a", f"the Round is not set up yet; it waits for: {state.current_combat.stage}")


def _refuse_resolve_of_other_side(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"both sides roll at once, and the {state.last_mover} player types the dice")


def _resolve_pair(state: State, _seat: Seat, _action: Resolve, dice: Dice) -> Script[State]:
    """Rolls for both units of the pair that is due, at the same time (V.D-a). Both may be hit (V.D.3-a).

    If neither is hit, the same pair is due again (V.D.3-b). Pairs follow in box order (V.C-b, M14).
    """
    combat = state.current_combat
    throw = _make_pair_need(state, combat)
    human, mutant = throw.each
    one, other = dice.throw(throw)
    human_hits = one <= find_highest_hitting_face(state, combat, "human", human, mutant)
    mutant_hits = other <= find_highest_hitting_face(state, combat, "mutant", mutant, human)
    captured = mutant_hits and human == "penny" and state.is_alternate_scenario  # OPT.VI.C-a, OPT.VI.C-g, M20
    lost = ((human,) if mutant_hits and not captured else ()) + ((mutant,) if human_hits else ())
    state = yield PairFought(human, mutant, one, other, lost, captured)
    if state.combat and state.combat.pair_due is None:
        yield from _end_round(state, combat)


def _end_round(state: State, combat: Combat) -> Script[State]:
    if not state.list_fighters("mutant", combat.room):
        state = yield from free_penny(state)
    if state.list_fighters("human", combat.room) and state.list_fighters("mutant", combat.room):
        yield from _begin_round(state, combat.room, combat.round + 1)  # V.A-c, V.C-c
    else:
        yield from end_combat(state, combat.room)  # V.C-d


# The end


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The Combat is over: survivors go back to the room."""

    room: Place
    survivors: UnitIds

    def tell(self) -> str:
        """Tells the players which units go back."""
        room, survivors = self.room, compact_names(self.survivors)
        back = f"put {survivors} back in {room}" if survivors else f"nobody is left in {room}"
        return f"Combat over: {back}; take the Combat Location unit off."

    def apply(self, state: State) -> State:
        """Clears the Combat Display."""
        return replace(state, combat=None)


def return_survivors(state: State, room: str) -> Script[State]:
    """Puts survivors back into their room (V.B.1-b), and frees Penny if no Mutant is left with her."""
    survivors = tuple(unit for unit in state.units_by_place.get(room, ()) if not state.is_captive(unit))
    state = yield CombatEnded(room, survivors)
    return (yield from free_penny(state))


def end_combat(state: State, room: str) -> Script[State]:
    """Ends a Combat. The next one follows until none is left (V.B-b), then the next Phase."""
    state = yield from return_survivors(state, room)
    if not state.list_contested_rooms():
        yield from sequence.go_to_next_phase(state)


VERBS = (
    Verb(
        Fight,
        ("fight",),
        _offer_fight,
        _check_fight,
        _fight_in_room,
        read=_read_fight,
        late=_refuse_late_fight,
        theirs=_refuse_fight_of_other_side,
    ),
    _make_boxes_verb(Lay, "lay"),
    _make_boxes_verb(Pair, "pair"),
    Verb(
        Resolve,
        ("resolve",),
        _offer_resolve,
        resolve=_resolve_pair,
        late=_refuse_late_resolve,
        theirs=_refuse_resolve_of_other_side,
    ),
)
