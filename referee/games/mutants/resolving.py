"""The dice of a Combat: both units of a pair roll at once (V.C, V.D)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.target_number import Target
from referee.engine.text import listing
from referee.games.mutants.board import Die
from referee.games.mutants.combat_rounds import begin_round, end_combat
from referee.games.mutants.engaging import make_combat_stage_check
from referee.games.mutants.moving import free_unguarded_penny
from referee.games.mutants.state import Combat, State, UnitId, UnitIds


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
        state = replace(state.eliminate_units(self.eliminated), captive=state.captive or self.captured)
        return state.change_combat(due=state.current_combat.due + 1)


class ResolvePair(Action, frozen=True, tag="resolve"):
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

    If this side has Overwhelming Odds, the face is one higher, because each of its dice counts one less (OPT.III.A-d,
    OPT.III.B-c). The referee applies this by itself (M41). The face is then at most 6, or 5 if a natural 6 always
    misses (M42).
    """
    number = _find_hit_number(state, unit, enemy)
    if combat.odds != side or not state.is_option_played("overwhelming-odds"):
        return number
    return min(number + 1, 5 if state.options["odds-floor"] == "six-misses" else 6)


def _find_hit_number(state: State, unit: str, enemy: str) -> int:
    """Returns a unit's Hit Number against an enemy (V.D.1-a, V.D.2-a, V.D.2-b, V.D.2-c, OPT.II.B, M64)."""
    mine = state.board.units[unit]
    if state.is_janibot(unit) and state.is_option_played("help-mutants"):
        return min(mine.hit_number, 2)
    return mine.hit_number_against_janibots if state.is_janibot(enemy) else mine.hit_number


def _offer_resolve(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(ResolvePair, _make_pair_need(state, state.current_combat))


@make_combat_stage_check
def _refuse_late_resolve(state: State, _seat: Seat) -> Iterator[Refusal]:
    yield Refusal("V.C-a", f"the Round is not set up yet; it waits for: {state.current_combat.stage}")


def _refuse_resolve_of_other_side(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"both sides roll at once, and the {state.last_mover} player types the dice")


def _resolve_pair(state: State, _seat: Seat, _action: ResolvePair, dice: Dice) -> Script[State]:
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
        state = yield from free_unguarded_penny(state)
    if state.list_fighters("human", combat.room) and state.list_fighters("mutant", combat.room):
        yield from begin_round(state, combat.room, combat.round + 1)  # V.A-c, V.C-c
    else:
        yield from end_combat(state, combat.room)  # V.C-d


VERBS = (
    Verb(
        ResolvePair,
        ("resolve",),
        _offer_resolve,
        resolve=_resolve_pair,
        late=_refuse_late_resolve,
        theirs=_refuse_resolve_of_other_side,
    ),
)
