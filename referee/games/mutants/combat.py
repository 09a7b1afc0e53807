"""Combat: room by room, Round by Round, pair by pair (V), with Overwhelming Odds (OPT.III)."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.engine.aim import Aim
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, OneOf, Ordered
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing, spelled
from referee.engine.verb import Verb
from referee.games.mutants import sequence
from referee.games.mutants.board import Die, Place, Side, compact
from referee.games.mutants.moving import free_penny, refuges
from referee.games.mutants.notation import PlaceSaid, Reader, check_names, check_side
from referee.games.mutants.order import Late, Rules, once_begun
from referee.games.mutants.state import COMBATS, ENGAGED, MUTANT_MOVEMENT, Combat, State, UnitId, UnitIds, other_side
from referee.games.mutants.status import now
from referee.games.mutants.view import view

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


def in_combat(rules: Rules) -> Late:
    """Rules that keep a verb of those who are in a Combat out of another stage of it."""

    def late(state: State, seat: Seat, _action: Action) -> Iterator[Refusal]:
        if state.combat:
            yield from rules(state, seat)
        elif state.phase in COMBATS:
            yield Refusal("V.B-a", f"the {state.last_mover} player chooses the room of the next Combat first")

    return late


# The room


class CombatBegun(Event, frozen=True, tag="combat-begun"):
    """A Combat starts: its units go to the Combat Display."""

    room: Place
    human: UnitIds
    mutant: UnitIds

    def tell(self) -> str:
        """Who goes to the Combat Display."""
        return (
            f"Put the Combat Location unit in {self.room} and move {compact(self.human)} and {compact(self.mutant)} "
            "to the Combat Display."
        )

    def apply(self, state: State) -> State:
        """Nothing moves on the board; the first Round follows."""
        return state


class RoundBegun(Event, frozen=True, tag="round-begun"):
    """A Round of the Combat starts."""

    evident = True

    combat: Combat
    modifier: bool
    """Whether each die of the side with many more units counts one less (OPT.III)."""

    def tell(self) -> str:
        """Who lays out first, and what being outnumbered comes to."""
        combat = self.combat
        return f"Round {combat.round} in {combat.room}: {combat.first} lays out first.{self._odds()}"

    def _odds(self) -> str:
        """What follows from being outnumbered under the options in force (OPT.III, OPT.IV.A-a)."""
        odds = self.combat.odds
        if odds is None:
            return ""
        many = f" The {odds} side has overwhelming numbers: each of its dice counts one less."
        less = many if self.modifier else ""
        return f"{less} The {other_side(odds)} side may retreat." if self.combat.may_retreat else less

    def apply(self, state: State) -> State:
        """Clear the boxes."""
        return replace(state, combat=self.combat)


class Fight(Action, frozen=True, tag="fight"):
    """Start the Combat in a room (V.B-a). `fight all auto` fights all that are left, and fills one's own boxes by
    itself (M66); it stops where the other player has to choose.
    """

    says = "fight {room}"
    room: PlaceSaid


def _fight_offers(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Fight, room=OneOf(state.contested()))


def _check_fight(state: State, _seat: Seat, action: Fight) -> Iterator[Refusal]:
    room = action.room
    if room not in state.contested():
        rule, why = ("M61", "a Set Up square") if room in state.board.squares else ("V.A-a", "not held by both sides")
        yield Refusal(rule, f"{room} is {why}")


@once_begun
def _fight_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V.B-b", f"the Combat in {state.combat.room} is not over")
    else:
        yield Refusal("V-a" if state.phase in MUTANT_MOVEMENT else "III-b", now(state))


def _fight_theirs(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"the {state.last_mover} player has just moved and chooses the order of the Combats")


def _read_fight(reader: Reader) -> Action:
    """A room; "auto" after it is for the boxes of who says it alone (M66). `fight all auto`: what comes next in the
    Combats that are left, one after another, as far as its player has to say it.
    """
    if [word.text for word in reader.words] == ["all", "auto"]:
        reader.again = True
        return _fight_on(reader)
    room = reader.place()
    if reader.only("auto"):
        reader.rest = f"{reader.seat} auto"
    return Fight(room)


def _fight_on(reader: Reader) -> Action:
    """What `fight all auto` means now: the next room, one's own boxes, or the dice (V.B-a, V.B-b, V.C-b)."""
    said, state = reader.words[0], reader.state
    reader.words = []
    combat, rooms = state.combat, state.contested()
    if combat is None and rooms:
        return Fight(rooms[0])
    if combat is None or combat.stage == "pursue":
        raise reader.misread(said, "a Combat to be fought, and there is none now")
    if combat.stage == "resolve":
        return Resolve()
    kind = Lay if combat.stage == "lay" else Pair
    return kind(least(state, _boxes(state, combat, _owner(combat, kind))))


def _fight(state: State, _seat: Seat, action: Fight, _dice: Dice) -> Script[State]:
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
    first: Side = "human" if humans < mutants else "mutant" if mutants < humans else other_side(state.last_mover)
    odds = odds_of(humans, mutants)
    combat = Combat(room, "lay", number, first, odds)
    may = state.plays("bugging-out") and next(refuges(view(state, None), combat), None) is not None
    combat = Combat(room, "lay", number, first, odds, may)
    return (yield RoundBegun(combat, combat.odds is not None and state.plays("overwhelming-odds")))


# The boxes


class Engaged(Event, frozen=True, tag="engaged"):
    """A player has filled his Engaged boxes: he lays out first, or pairs off."""

    evident = True

    side: Side
    units: UnitIds
    reserve: UnitIds

    def tell(self) -> str:
        """Who lies in which box, and who is left over."""
        left = f"; in Reserve: {compact(self.reserve)}" if self.reserve else ""
        return f"Engaged for the {self.side} side, from box 1: {' '.join(self.units)}{left}."

    def apply(self, state: State) -> State:
        """Fill the boxes; whoever lays out stands."""
        if state.combat and state.combat.first == self.side:
            return state.fight(laid=self.units, stage="pair", may_retreat=False)
        return state.fight(paired=self.units, stage="resolve")


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

    def offers(state: State, seat: Seat) -> Iterator[Choice]:
        yield Choice(kind, units=_boxes(state, state.the_combat, seat))

    def read(reader: Reader) -> Lay | Pair:
        return kind(_named(reader, kind))

    @in_combat
    def late(state: State, seat: Seat) -> Iterator[Refusal]:
        combat = state.the_combat
        if combat.stage == "pursue":
            yield Refusal("OPT.IV.A.1-a", "the Combat has been left; pursuit or none comes first")
        elif seat != _owner(combat, kind):
            yield _wrong_order(state, combat, stage)
        else:
            yield Refusal("V.B.3-d" if stage == "pair" else "V.B.3-c", f"this Round waits for: {combat.stage}")

    def theirs(state: State) -> Iterator[Refusal]:
        yield _wrong_order(state, state.the_combat, stage)

    return Verb(kind, (stage,), offers, _check_engaged, _engage, read=read, late=late, theirs=theirs)


def _owner(combat: Combat, kind: type[Lay | Pair]) -> Side:
    return combat.first if kind is Lay else other_side(combat.first)


def _named(reader: Reader, kind: type[Lay | Pair]) -> tuple[str, ...]:
    """Units by box, as typed; "auto" lets the referee name them, for the player who says it (M66)."""
    state, combat = reader.state, reader.state.combat
    boxes = _boxes(state, combat, _owner(combat, kind)) if combat else Ordered((), 0, 0)
    if not reader.only("auto"):
        return reader.named(lambda: boxes.values)
    return least(state, boxes)


def least(state: State, boxes: Ordered) -> tuple[str, ...]:
    """Who fills the boxes where "auto" is said: who is worth least, from box 1 (M66)."""
    return tuple(sorted(boxes.values, key=lambda unit: worth(state, unit))[: boxes.most])


def worth(state: State, unit: str) -> tuple[int, int]:
    """What a unit is worth, for "auto": who counts least in the Tech Room at the end fights first, Leaders and Techs
    last, and of equals who hits less (M66).
    """
    found = state.board.units[unit]
    return EXPENDABLE.index(found.kind), found.hit


def _boxes(state: State, combat: Combat, side: Seat) -> Ordered:
    """Who may lie in the Engaged boxes: anybody of that side, as its player likes (V.B.3-f)."""
    count = len(combat.laid) or engaged(state, combat)
    return Ordered(state.fighters(side, combat.room), count, count)


def _wrong_order(state: State, combat: Combat, stage: str) -> Refusal:
    human, mutant = (len(state.fighters(side, combat.room)) for side in ("human", "mutant"))
    counts = f"{human} on the Human side, {count_of(mutant, 'Mutant')}"
    if stage == "pair":
        return Refusal("V.B.3-d", f"the {other_side(combat.first)} player pairs off ({counts})")
    rule = "V.B.3-b" if human == mutant else "V.B.3-a"
    return Refusal(rule, f"the {combat.first} player lays out first ({counts})")


def _check_engaged(state: State, seat: Seat, action: Lay | Pair) -> Iterator[Refusal]:
    combat, units = state.the_combat, action.units
    unknown = list(check_names(state, state.board.sorted(set(units))))
    if unknown:
        yield from unknown
        return
    here = state.fighters(seat, combat.room)
    yield from check_side(state, seat, dict.fromkeys(units))
    for unit in dict.fromkeys(units):
        if state.is_captive(unit):
            yield Refusal("OPT.VI.C-b", "penny is a captive and takes part in no Combat")
        elif state.board.side_of(unit) == seat and unit not in here:
            yield Refusal("V.B.1-a", f"{unit} is not in {combat.room}")
    if len(set(units)) < len(units):
        yield Refusal("V.B.3-c", "a unit lies in one box only")
    wanted = len(combat.laid) or engaged(state, combat)
    if len(units) > ENGAGED:
        yield Refusal("V.B.2-a", f"there are {spelled(ENGAGED)} Engaged boxes, not {len(units)}")
    if len(units) != wanted:
        yield Refusal("V.B.3-d" if combat.laid else "V.B.3-c", f"{count_of(wanted, 'box', 'boxes')} must be filled")


def _engage(state: State, _seat: Seat, action: Lay | Pair, _dice: Dice) -> Script[State]:
    """Fill the boxes; who is left over is in Reserve (V.B.2-b, V.B.3-e)."""
    side = _owner(state.the_combat, type(action))
    reserve = tuple(unit for unit in state.fighters(side, state.the_combat.room) if unit not in action.units)
    yield Engaged(side, action.units, reserve)


# The dice


class Fought(Event, frozen=True, tag="fought"):
    """A pair has rolled once, both at the same time."""

    evident = True

    human: UnitId
    mutant: UnitId
    human_die: Die
    mutant_die: Die
    eliminated: UnitIds
    captured: bool = False
    """Whether the Human-side unit is Penny and was taken captive."""

    def tell(self) -> str:
        """Both dice, and who is hit."""
        rolled = f"{self.human} against {self.mutant}: {self.human_die}-{self.mutant_die}."
        if not (self.eliminated or self.captured):
            return f"{rolled} Nobody is hit: roll again."
        gone = f"Take {listing(self.eliminated)} off the board." if self.eliminated else ""
        taken = "Penny is hit and taken captive." if self.captured else ""
        return " ".join(filter(None, [rolled, gone, taken]))

    def apply(self, state: State) -> State:
        """Take the eliminated off the board; once somebody was hit, the next pair is due."""
        if not (self.eliminated or self.captured):
            return state
        state = replace(state.eliminate(self.eliminated), captive=state.captive or self.captured)
        return state.fight(due=state.the_combat.due + 1)


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
    aims = (
        Aim(most=one, does=f"hits {mutant}", whose=human, good_for="human"),
        Aim(most=other, does=f"hits {human}", whose=mutant, good_for="mutant"),
    )
    return Need(
        f"{human} against {mutant}, who need {one} and {other} or less",
        2,
        6,
        each=combat.pair_due,
        aims=aims,
        rule="V.D-a",
    )


def needed_by(state: State, combat: Combat, side: Seat, unit: str, enemy: str) -> int:
    """The highest face that hits: the Hit Number, and all below hit too (V.D.1-b, V.D.2-d).

    Every die of the side with Overwhelming Odds counts one less (OPT.III.A-d, OPT.III.B-c), without being asked for
    (M41) and without a floor, unless a natural 6 always misses (M42).
    """
    number = _hit_number(state, unit, enemy)
    if combat.odds != side or not state.plays("overwhelming-odds"):
        return number
    return min(number + 1, 5 if state.options["odds-floor"] == "six-misses" else 6)


def _hit_number(state: State, unit: str, enemy: str) -> int:
    """What a unit must not exceed with its die (V.D.1-a, V.D.2-a, V.D.2-b, V.D.2-c, OPT.II.B, M64)."""
    mine = state.board.units[unit]
    if state.is_janibot(unit) and state.plays("help-mutants"):
        return min(mine.hit, 2)
    return mine.hit_j if state.is_janibot(enemy) else mine.hit


def _resolve_offers(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(Resolve, _throw(state, state.the_combat))


@in_combat
def _resolve_late(state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("V.C-a", f"the Round is not set up yet; it waits for: {state.the_combat.stage}")


def _resolve_theirs(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"both roll at once, and the {state.last_mover} player records it")


def _resolve(state: State, _seat: Seat, _action: Resolve, dice: Dice) -> Script[State]:
    """The pair that is due rolls once, both at the same time (V.D-a); both may be hit (V.D.3-a).

    If nobody is, the same pair is due again (V.D.3-b). Pairs follow one another in box order (V.C-b, M14).
    """
    combat = state.the_combat
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
        state = yield from free_penny(state)
    if state.fighters("human", combat.room) and state.fighters("mutant", combat.room):
        yield from _begin_round(state, combat.room, combat.round + 1)  # V.A-c, V.C-c
    else:
        yield from end(state, combat.room)  # V.C-d


# The end


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The Combat is over: survivors go back to the room."""

    room: Place
    survivors: UnitIds

    def tell(self) -> str:
        """Who goes back."""
        room, survivors = self.room, compact(self.survivors)
        back = f"put {survivors} back in {room}" if survivors else f"nobody is left in {room}"
        return f"Combat over: {back}; take the Combat Location unit off."

    def apply(self, state: State) -> State:
        """Clear the Combat Display."""
        return replace(state, combat=None)


def put_back(state: State, room: str) -> Script[State]:
    """Survivors return to their room (V.B.1-b)."""
    survivors = tuple(unit for unit in state.crowds.get(room, ()) if not state.is_captive(unit))
    state = yield CombatEnded(room, survivors)
    return (yield from free_penny(state))


def end(state: State, room: str) -> Script[State]:
    """The next Combat follows until none is left (V.B-b), then the next Phase."""
    state = yield from put_back(state, room)
    if not state.contested():
        yield from sequence.go_on(state)


VERBS = (
    Verb(
        Fight,
        ("fight",),
        _fight_offers,
        _check_fight,
        _fight,
        read=_read_fight,
        late=_fight_late,
        theirs=_fight_theirs,
    ),
    _filling(Lay, "lay"),
    _filling(Pair, "pair"),
    Verb(Resolve, ("resolve",), _resolve_offers, resolve=_resolve, late=_resolve_late, theirs=_resolve_theirs),
)
