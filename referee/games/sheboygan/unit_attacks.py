"""Attacks by units: on the monster (6.1, 9.0), and by or on the unit under its control (13.27)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.engine.text import Word
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import MONSTER, PieceId, PieceIds, UnitId, UnitIds, format_units
from referee.games.sheboygan.duties import AskedAboutAbility, Duties, QuestionDuty
from referee.games.sheboygan.monster_attacks import (
    StrikeWithMonster,
    abbreviate_units,
    find_combat_column,
    find_combat_result,
    list_duties_after_control_attack,
    list_duties_after_unit_attack,
    make_attack_need,
)
from referee.games.sheboygan.monster_movement import count_attack_points_left
from referee.games.sheboygan.notation import ALL_WORDS, Reader, make_reader
from referee.games.sheboygan.options import HUMAN_SEAT, MONSTER_SEAT
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.possible_attacks import (
    WORST_ODDS,
    has_known_radiation,
    list_attack_groups,
    list_possible_attackers,
    list_suicide_candidates,
    refuse_attacker,
    refuse_out_of_reach,
    refuse_suicide,
    sum_attack_strength,
    sum_defense,
)
from referee.games.sheboygan.state import Die, State


class AttackMadeByUnits(Event, frozen=True, tag="assailed"):
    """Units have attacked the monster or the unit under its control, or this unit attacked others (6.14a, 13.27c)."""

    units: UnitIds
    target: PieceIds
    column: str
    die: Die
    result: str
    due: Duties

    def tell(self) -> str:
        """Tells who attacks whom, and how it went."""
        target = "the monster" if self.target == (MONSTER,) else format_units(self.target)
        verb = "attacks" if len(self.units) == 1 else "attack"
        how = f"{self.column}, die {self.die}, result {self.result}"
        return f"{format_units(self.units)} {verb} {target}: {how}."

    def apply(self, state: State) -> State:
        """Marks the units as having attacked in this phase, and makes the results due."""
        fought = state.fought.union(self.units)
        attacked = state.attacked if self.target == (MONSTER,) else state.attacked.union(self.target)
        return replace(state, fought=fought, attacked=attacked, due=self.due)


class AttackWithUnits(Action, frozen=True, tag="assail"):
    """Attack the monster with units, or the unit under its control. That unit attacks other units (6.14a, 13.27c).

    The monster has its whole defense against each attack (6.14c).
    """

    says = "attack {target} with {units}"
    target: PieceIds
    units: PieceIds


# Attacks on the monster, and on the unit under its control


def _offer_human_attacks(state: State) -> Iterator[Choice]:
    for party in list_attack_groups(state):
        known = f"a strength of at least {party.least_strength}"
        total = SumConstraint(("units",), party.least_strength, sum(party.strengths.values()), party.strengths, known)
        bounds = (total,) if party.least_strength > min(party.strengths.values()) else ()
        yield Choice(
            AttackWithUnits, bounds=bounds, target=party.target, units=Subset(party.units, 1, len(party.units))
        )


def _offer_attacks(state: State) -> Iterator[Choice]:
    return _offer_human_attacks(state) if state.seat_to_move == HUMAN_SEAT else _offer_traitor_attacks(state)


def _check_attack(state: State, action: AttackWithUnits) -> Iterator[Refusal]:
    if state.seat_to_move == MONSTER_SEAT:
        yield from _check_traitor(state, action)
        return
    if action.target != (MONSTER,) and (state.control is None or action.target != (state.control,)):
        yield Refusal("6.0a", "units attack the monster, or a unit under its control")
        return
    if action.target == (MONSTER,) and state.flashed:
        yield Refusal("13.24b", "after a flash of blinding light nobody attacks the monster")
    yield from _check_units(state, action)


def _check_units(state: State, action: AttackWithUnits) -> Iterator[Refusal]:
    """Yields a refusal for every rule that keeps these units from this attack, alone or together."""
    box = state.monster if action.target == (MONSTER,) else state.at[action.target[0]]
    if not action.units:
        yield Refusal("6.0a", "no unit attacks")
    barred = [refusal for unit in action.units if (refusal := _refuse_barred_unit(state, unit, box or ""))]
    yield from barred
    if barred or not action.units:
        return
    if has_known_radiation(state, action.target) and len({state.at[unit] for unit in action.units}) > 1:
        yield Refusal("13.26a", "under radiation only units of one box attack together")
    defense = state.defense if action.target == (MONSTER,) else sum_defense(state, action.target)
    if sum_attack_strength(state, action.units) * WORST_ODDS < defense:
        yield Refusal(
            "6.4c", f"{sum_attack_strength(state, action.units)} against {defense} is less than 1-{WORST_ODDS}"
        )


def _refuse_barred_unit(state: State, unit: str, box: str) -> Refusal | None:
    return refuse_attacker(state, unit) or refuse_out_of_reach(state, unit, box)


def must_ask_about_radiation(state: State, action: AttackWithUnits) -> bool:
    """True if units of several boxes attack the monster while nobody knows whether it has radiation (13.26a)."""
    together = len({state.at[unit] for unit in action.units}) > 1
    return action.target == (MONSTER,) and together and not state.is_ability_public("radiation")


def _resolve_attack(state: State, action: AttackWithUnits, dice: Dice) -> Script[State]:
    """Rolls for an attack and carries out its results.

    If radiation may forbid the attack, the monster's player is asked first. Then the attack must be typed again
    (13.26a).
    """
    if must_ask_about_radiation(state, action):
        yield AskedAboutAbility(QuestionDuty("radiation"))
        return
    on_monster = action.target == (MONSTER,)
    defense = state.defense if on_monster else sum_defense(state, action.target)
    column = find_combat_column(state, sum_attack_strength(state, action.units), defense)
    target = "the monster" if on_monster else abbreviate_units(action.target)
    (die,) = dice.throw(
        make_attack_need(state, f"the attack of {abbreviate_units(action.units)} on {target}", column, "monster")
    )
    result = find_combat_result(state, column, die)
    if on_monster:
        due = tuple(list_duties_after_unit_attack(state, action.units, result))
    else:
        due = tuple(list_duties_after_control_attack(state, action.units, action.target, result))
    state = yield AttackMadeByUnits(action.units, action.target, result.column, die, result.cell, due)
    yield from settle_duties(state)


# Attacks by the unit under control


def _offer_traitor_attacks(state: State) -> Iterator[Choice]:
    """Offers attacks by the unit under control: alone, on units of one box, within its range and sight (C60)."""
    unit = state.control
    if unit is None or refuse_attacker(state, unit):
        return
    most = sum_attack_strength(state, (unit,)) * WORST_ODDS
    for box in state.units_by_box:
        victims = state.list_humans_in(box)
        if victims and not refuse_out_of_reach(state, unit, box):
            weights = {victim: sum_defense(state, (victim,)) for victim in victims}
            if min(weights.values()) <= most:
                bounds = (
                    (SumConstraint(("target",), 0, most, weights, f"a defense of at most {most}"),)
                    if sum(weights.values()) > most
                    else ()
                )
                yield Choice(
                    AttackWithUnits, bounds=bounds, target=Subset(victims, 1, len(victims)), units=OneOf(((unit,),))
                )


def _check_traitor(state: State, action: AttackWithUnits) -> Iterator[Refusal]:
    if len(action.units) != 1:
        yield Refusal("C60", "the unit under control attacks alone")
        return
    idle = refuse_attacker(state, action.units[0])
    if idle:
        yield idle
        return
    boxes = {state.at.get(victim) for victim in action.target}
    if not action.target or None in boxes or len(boxes) > 1 or not set(action.target) <= set(state.human_units):
        yield Refusal("13.27c", "the unit under control attacks human units of one box")
        return
    far = refuse_out_of_reach(state, action.units[0], str(boxes.pop()))
    if far:
        yield far
    if sum_attack_strength(state, action.units) * WORST_ODDS < sum_defense(state, action.target):
        yield Refusal(
            "6.4c",
            f"{sum_attack_strength(state, action.units)} against {sum_defense(state, action.target)} is too weak",
        )


# Suicide assaults


class SuicideAssaultDeclared(Event, frozen=True, tag="volunteered"):
    """Infantry makes a suicide assault (9.0b)."""

    told = "{unit} makes a suicide assault: its strength is doubled in this phase."
    unit: UnitId

    def apply(self, state: State) -> State:
        """Doubles the strength of the unit in this phase."""
        return replace(state, assaulting=state.assaulting | {self.unit})


class StartSuicideAssault(Action, frozen=True, tag="suicide"):
    """Infantry beside the monster declares a suicide assault: in this phase its strength is doubled (9.0b)."""

    says = "suicide {unit}"
    unit: PieceId


def _offer_suicide(state: State) -> Iterator[Choice]:
    units = tuple(list_suicide_candidates(state))
    if units:
        yield Choice(StartSuicideAssault, unit=OneOf(units))


def _check_suicide(state: State, action: StartSuicideAssault) -> Iterator[Refusal]:
    if state.flashed:
        yield Refusal("13.24b", "after a flash of blinding light nobody attacks the monster")
    barred = refuse_suicide(state, action.unit)
    if barred:
        yield barred


def _volunteer_unit(_state: State, action: StartSuicideAssault, _dice: Dice) -> Script[State]:
    yield SuicideAssaultDeclared(action.unit)


# How attacks are typed


WITH_WORDS = ("with", "using")
AGAINST_WORDS = (">", "on", "against")


def read_attack(reader: Reader) -> StrikeWithMonster | AttackWithUnits:
    """Reads an attack: `attack t1 i1 with 12`, `attack 12 on t1 i1`, `attack m with all`.

    Units without a target attack the monster.
    """
    words = reader.words
    at = next((at for at, word in enumerate(words) if word.text in (*WITH_WORDS, *AGAINST_WORDS)), None)
    if at is None:
        return _make_attack(reader, *_split_target(reader, words))
    before, after = words[:at], words[at + 1 :]
    return _make_attack(reader, before, after) if words[at].text in WITH_WORDS else _make_attack(reader, after, before)


def _split_target(reader: Reader, words: list[Word]) -> tuple[list[Word], list[Word]]:
    """Splits an attack without a word such as "with" into the words of the target and those of the units or points.

    Points come first or last. For the monster's player "all" means all points.
    """
    ends = [word.text for word in (*words[:1], *words[-1:])]
    if len(words) > 1 and (ends[1].isdecimal() or (ends[1] in ALL_WORDS and reader.seat == MONSTER_SEAT)):
        return words[:-1], words[-1:]
    if ends and ends[0].isdecimal() and reader.seat == MONSTER_SEAT:
        return words[1:], words[:1]
    here, control = Word(MONSTER, 0), reader.state.control
    if reader.seat == HUMAN_SEAT or not control:
        return [here], words
    return words, [Word(control, 0)]


def _make_attack(reader: Reader, whom: list[Word], means: list[Word]) -> StrikeWithMonster | AttackWithUnits:
    reader.words = whom
    target = reader.read_units()
    reader.check_finished()
    reader.words = means
    if means and means[0].text in ALL_WORDS and reader.seat == MONSTER_SEAT:
        reader.words = means[1:]
        return StrikeWithMonster(target, count_attack_points_left(reader.state))
    if len(means) == 1 and means[0].text.isdecimal():
        return StrikeWithMonster(target, reader.read_number("attack points"))
    return AttackWithUnits(target, reader.read_units(_list_attackers(reader.state, target)))


def _list_attackers(state: State, target: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the units of the human player that can attack this target: the monster, or the unit under its control."""
    box = state.monster if target == (MONSTER,) else state.at.get(target[0])
    return list_possible_attackers(state, box) if box else ()


VERBS = (
    make_verb(
        AttackWithUnits,
        ("human-combat", "monster-combat"),
        _resolve_attack,
        offers=_offer_attacks,
        check=_check_attack,
        late=make_late_check("4.0g", ("human-move",)),
        read=read_attack,
        carries=True,
    ),
    make_verb(
        StartSuicideAssault,
        ("human-combat",),
        _volunteer_unit,
        offers=_offer_suicide,
        check=_check_suicide,
        read=make_reader(StartSuicideAssault, Reader.read_unit),
        carries=True,
    ),
)
