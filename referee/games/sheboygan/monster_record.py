"""Changes of the monster's record, and answers about it: damage, growth, death, questions (12.0b to 12.0h)."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec.structs import replace

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, SecretEvent
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import Between, OneOf
from referee.engine.text import count_of, listing
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.duties import (
    DamageDuty,
    Duties,
    FallDuty,
    GrowthDuty,
    QuestionDuty,
    eliminate_units,
    scorch_monster,
)
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.options import Ability
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.state import BoxName, Points, SmallNumber, State
from referee.games.sheboygan.strengths import STRENGTH_NAMES, StrengthPointsAction, describe_strengths, read_strengths
from referee.games.sheboygan.victory import describe_victory_points

# Damage and growth, which are noted in secret except for defense


class PointsStruckOff(Event, frozen=True, tag="struck-off"):
    """The monster's strengths, except defense, have lost points (12.0b, 12.0c). Only its player sees this event."""

    attack: SmallNumber
    destruction: SmallNumber
    movement: SmallNumber

    def tell(self) -> str:
        """Tells which points to strike off."""
        return f"Strike off in secret: {describe_strengths(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Lowers the strengths."""
        changes = {"attack": -self.attack, "destruction": -self.destruction, "movement": -self.movement}
        return replace(state, sheet=state.make_changed_sheet(**changes))


class MonsterHurt(Event, frozen=True, tag="hurt"):
    """The monster took damage. Everybody sees how many points of defense it loses (12.0h)."""

    told = "The damage is struck off; defense loses {defense}."
    defense: SmallNumber

    def apply(self, state: State) -> State:
        """Lowers defense, and removes the duty to strike off the damage."""
        damage, defense = state.damage + state.get_first_duty(DamageDuty).points, max(0, state.defense - self.defense)
        return replace(state, damage=damage, defense=defense, due=state.due[1:])


class MonsterDied(Event, frozen=True, tag="toppled"):
    """The monster dies; if it is of great height it falls on something (13.21a)."""

    due: Duties

    def tell(self) -> str:
        """Tells that the monster dies, and whether it falls on something."""
        return "The monster dies" + (", and falls on something." if self.due else ".")

    def apply(self, state: State) -> State:
        """Drops all other duties (C47)."""
        known = state.list_known_abilities_with("great-height") if self.due else state.known
        return replace(state, known=known, due=self.due)


class StrikeOffDamage(StrengthPointsAction, frozen=True, tag="hurt"):
    """Choose which strengths of the monster lose the points of damage (12.0b to 12.0d)."""

    says = "hurt att={attack} def={defense} des={destruction} mov={movement}"


def _list_strengths(state: State) -> dict[str, int]:
    """Returns the four strengths of the monster by name."""
    sheet = state.record_sheet
    return {
        "attack": sheet.attack,
        "defense": state.defense,
        "destruction": sheet.destruction,
        "movement": sheet.movement,
    }


def _count_damage(state: State) -> int:
    """Returns the points to be struck off. Damage beyond the sum of all strengths is void (C80)."""
    return min(state.get_first_duty(DamageDuty).points, sum(_list_strengths(state).values()))


def _offer_hurt(state: State) -> Iterator[Choice]:
    """Offers all ways to strike off the damage, in which no strength goes below zero (C48).

    If a part of the damage kills the monster, the rest need not be struck off (C80).
    """
    has, damage = _list_strengths(state), _count_damage(state)
    slots: dict[str, Any] = {name: Between(0, min(has[name], damage)) for name in STRENGTH_NAMES}
    yield Choice(StrikeOffDamage, bounds=(SumConstraint(STRENGTH_NAMES, damage, damage),), **slots)
    if has["defense"] < damage:
        most: dict[str, Any] = {**slots, "defense": OneOf((has["defense"],))}
        yield Choice(StrikeOffDamage, bounds=(SumConstraint(STRENGTH_NAMES, has["defense"], damage - 1),), **most)


def _check_hurt(state: State, action: StrikeOffDamage) -> Iterator[Refusal]:
    has, damage = _list_strengths(state), _count_damage(state)
    for name in STRENGTH_NAMES:
        if getattr(action, name) > has[name]:
            yield Refusal("C48", f"{name} cannot go below zero: it is {has[name]}")
    kills = action.defense == has["defense"]
    if action.total > damage or (action.total < damage and not kills):
        yield Refusal("6.32d", f"the damage is {damage}, not {action.total}")
        yield Refusal("12.0b", f"{count_of(damage, 'point')} of damage must be struck off")


def _strike_off_damage(state: State, action: StrikeOffDamage, _dice: Dice) -> Script[State]:
    """Strikes off damage. At defense zero the monster dies, whatever else is due (12.0e, C47)."""
    yield SecretEvent(PointsStruckOff(action.attack, action.destruction, action.movement))
    state = yield MonsterHurt(action.defense)
    if state.defense == 0:
        state = yield MonsterDied((FallDuty(),) if state.has_ability("great-height") else ())
    yield from settle_duties(state)


class StrengthsGrown(Event, frozen=True, tag="grown"):
    """The monster's strengths, except defense, have grown (14.25b). Only its player sees this event."""

    attack: SmallNumber
    destruction: SmallNumber
    movement: SmallNumber

    def tell(self) -> str:
        """Tells which gains to note."""
        return f"Note in secret: the monster gains {describe_strengths(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Raises the strengths."""
        changes = {"attack": self.attack, "destruction": self.destruction, "movement": self.movement}
        return replace(state, sheet=state.make_changed_sheet(**changes))


class MonsterGrew(Event, frozen=True, tag="grew"):
    """The monster has grown. Everybody sees the points that defense gains."""

    told = "The monster grows; defense gains {defense}."
    defense: SmallNumber

    def apply(self, state: State) -> State:
        """Raises defense, and removes the duty to note growth."""
        return replace(state, defense=state.defense + self.defense, due=state.due[1:])


class Grow(StrengthPointsAction, frozen=True, tag="grow"):
    """Raise strengths after a destruction, in the City Eating Scenario; past 15 too (14.25b, 14.25c, C5)."""

    says = "grow att={attack} def={defense} des={destruction} mov={movement}"


def _count_growth(state: State) -> int:
    return state.get_first_duty(GrowthDuty).points


def _offer_grow(state: State) -> Iterator[Choice]:
    slots: dict[str, Any] = {name: Between(0, _count_growth(state)) for name in STRENGTH_NAMES}
    yield Choice(Grow, bounds=(SumConstraint(STRENGTH_NAMES, 0, _count_growth(state)),), **slots)


def _check_grow(state: State, action: Grow) -> Iterator[Refusal]:
    if action.total > _count_growth(state):
        price = Price(action.total, _count_growth(state), "point")
        for rule in ("14.25b", "14.25c"):
            yield refuse_price(rule, price, f"the monster grows by at most {_count_growth(state)}")


def _note_growth(state: State, action: Grow, _dice: Dice) -> Script[State]:
    yield SecretEvent(StrengthsGrown(action.attack, action.destruction, action.movement))
    state = yield MonsterGrew(action.defense)
    yield from settle_duties(state)


# The fall of a dead monster


class MonsterFell(Event, frozen=True, tag="fell"):
    """The dead monster has crushed a box (13.21b)."""

    box: BoxName
    points: Points
    marker: Literal["", "a rubble marker", "an inverted rubble marker"] = ""
    """The marker that is put there."""
    doused: bool = False
    """True if flames lie there, which come off."""

    def tell(self) -> str:
        """Tells on which box the monster falls, which markers to put and take off, and the points."""
        todo = [f"put {self.marker} there"] if self.marker else []
        todo += ["take the flames off"] if self.doused else []
        sentences = f": {listing(todo)}" if todo else ""
        return f"The dead monster falls on {self.box}{sentences}.{describe_victory_points(self.points)}"

    def apply(self, state: State) -> State:
        """Makes the box rubble, or a bridge a ruin, where that is possible (C61). Flames there go out."""
        terrain = state.board.boxes[self.box].terrain
        ruins = state.ruins | {self.box} if terrain == "bridge" else state.ruins
        stays = terrain in ("bridge", "river", "tunnel")
        rubble = state.rubble if stays else state.rubble | {self.box}
        flames = {box: age for box, age in state.flames.items() if box != self.box}
        return replace(
            state, ruins=ruins, rubble=rubble, flames=flames, points=state.points + self.points, due=state.due[1:]
        )


class FallOnBox(Action, frozen=True, tag="fall"):
    """The dead monster falls on its own box or an adjacent one (13.21a)."""

    says = "fall {box}"
    box: TypedBox


def _offer_fall(state: State) -> Iterator[Choice]:
    if state.monster:
        yield Choice(FallOnBox, box=OneOf((state.monster, *state.board.neighbours[state.monster])))


def _check_fall(state: State, action: FallOnBox) -> Iterator[Refusal]:
    here = state.monster or ""
    if action.box != here and action.box not in state.board.neighbour_sets[here]:
        yield Refusal("13.21a", f"{action.box} is neither the monster's box nor adjacent to it")


def _crush_box(state: State, action: FallOnBox, _dice: Dice) -> Script[State]:
    """Turns a box into rubble and destroys every unit in it (13.21b); both score (C61)."""
    points = state.board.tables.terrain[state.get_terrain(action.box)].vp if state.is_destructible(action.box) else 0
    units = state.units_by_box.get(action.box, ())
    if units:
        state = yield eliminate_units(state, units, "crushed")
    state = yield MonsterFell(action.box, points, _choose_marker(state, action.box), action.box in state.flames)
    yield from settle_duties(state)


def _choose_marker(state: State, box: str) -> Literal["", "a rubble marker", "an inverted rubble marker"]:
    """Returns the marker for a box that is crushed (C61); "" where rubble lies already, or where there can be none."""
    terrain = state.get_terrain(box)
    if terrain in ("river", "tunnel", "rubble") or box in state.ruins:
        return ""
    return "an inverted rubble marker" if terrain == "bridge" else "a rubble marker"


# Questions that only the monster's player can answer


class AbilityQuestionAnswered(Event, frozen=True, tag="answered"):
    """The monster's player has told whether it has an ability."""

    tells = True
    ability: Ability
    has: bool

    def tell(self) -> str:
        """Tells whether the monster has the ability."""
        if self.ability == "radiation" and not self.has:
            return "The monster has no radiation: units of several boxes may attack together. Say the attack again."
        return f"The monster has {'' if self.has else 'no '}{self.ability}."

    def apply(self, state: State) -> State:
        """Makes the answer known to everybody, and removes the question."""
        if self.has:
            return replace(state, known=(*state.known, self.ability), due=state.due[1:])
        return replace(state, lacking=(*state.lacking, self.ability), due=state.due[1:])


class AnswerQuestion(Action, frozen=True, tag="answer"):
    """Say truthfully if the monster has the ability that is asked about (12.0g)."""

    says = "answer {has}"
    has: Literal["yes", "no"]


def _offer_answer(state: State) -> Iterator[Choice]:
    yield Choice(AnswerQuestion, has=_find_truth(state))


def _find_truth(state: State) -> str:
    return "yes" if state.has_ability(state.get_first_duty(QuestionDuty).ability) else "no"


def _check_answer(state: State, action: AnswerQuestion) -> Iterator[Refusal]:
    if action.has != _find_truth(state):
        yield Refusal("12.0g", f"the truth is {_find_truth(state)}")


def _record_answer(state: State, action: AnswerQuestion, _dice: Dice) -> Script[State]:
    """Records an answer and carries out what follows from it.

    A helicopter is grabbed (13.21c), flames hurt (11.41c), or units may attack together (13.26a).
    """
    asked = state.get_first_duty(QuestionDuty)
    state = yield AbilityQuestionAnswered(asked.ability, action.has == "yes")
    if asked.ability == "great-height" and asked.unit and action.has == "yes":
        state = yield eliminate_units(state, (asked.unit,), "grabbed")
    elif asked.ability == "flame-immunity":
        state = yield from scorch_monster(state)
    yield from settle_duties(state)


VERBS = (
    make_verb(
        StrikeOffDamage,
        ("damage",),
        _strike_off_damage,
        offers=_offer_hurt,
        check=_check_hurt,
        late=make_late_check("12.0b"),
        read=lambda reader: StrikeOffDamage(**read_strengths(reader)),
    ),
    make_verb(
        Grow,
        ("growth",),
        _note_growth,
        offers=_offer_grow,
        check=_check_grow,
        late=make_late_check("11.12d"),
        read=lambda reader: Grow(**read_strengths(reader)),
    ),
    make_verb(
        FallOnBox,
        ("fall",),
        _crush_box,
        offers=_offer_fall,
        check=_check_fall,
        read=make_reader(FallOnBox, Reader.read_box),
    ),
    make_verb(AnswerQuestion, ("question",), _record_answer, offers=_offer_answer, check=_check_answer),
)
