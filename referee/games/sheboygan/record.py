"""What the monster's player notes on his record and tells of it: damage, growth, death, answers (12.0b to 12.0h)."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Unseen
from referee.engine.legal import Action, Between, Choice, OneOf, Total
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.sheboygan.notation import Box, Reader, reads
from referee.games.sheboygan.options import Ability
from referee.games.sheboygan.order import late, verb
from referee.games.sheboygan.settling import Damage, Duties, Fall, Growth, Question, eliminated, scorch, settle
from referee.games.sheboygan.state import BoxName, Few, Points, State
from referee.games.sheboygan.strengths import STRENGTHS, Strengths, noted, read_strengths
from referee.games.sheboygan.victory import scored

# Damage and growth, which are noted in secret but for defense


class StruckOff(Event, frozen=True, tag="struck-off"):
    """Seen by its player alone: damage that is struck off the record besides defense (12.0b, 12.0c)."""

    attack: Few
    destruction: Few
    movement: Few

    def tell(self) -> str:
        """What to note."""
        return f"Strike off in secret: {noted(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Reduce the strengths."""
        changes = {"attack": -self.attack, "destruction": -self.destruction, "movement": -self.movement}
        return replace(state, sheet=state.strengthened(**changes))


class Hurt(Event, frozen=True, tag="hurt"):
    """What everybody sees of damage: the part that defense takes (12.0h)."""

    told = "The damage is struck off; defense loses {defense}."
    defense: Few

    def apply(self, state: State) -> State:
        """Reduce defense; the damage is dealt with."""
        damage, defense = state.damage + state.first(Damage).points, max(0, state.defense - self.defense)
        return replace(state, damage=damage, defense=defense, due=state.due[1:])


class Toppled(Event, frozen=True, tag="toppled"):
    """The monster dies; if it is of great height it falls on something (13.21a)."""

    due: Duties

    def tell(self) -> str:
        """Whether it falls."""
        return "The monster dies" + (", and falls on something." if self.due else ".")

    def apply(self, state: State) -> State:
        """Nothing else is carried out any more (C47)."""
        known = state.with_known("great-height") if self.due else state.known
        return replace(state, known=known, due=self.due)


class Hit(Strengths, frozen=True, tag="hurt"):
    """Strike damage off the monster's strengths, freely (12.0b to 12.0d)."""

    says = "hurt att={attack} def={defense} des={destruction} mov={movement}"


def _strengths(state: State) -> dict[str, int]:
    """What the monster has of each strength."""
    sheet = state.record
    return {
        "attack": sheet.attack,
        "defense": state.defense,
        "destruction": sheet.destruction,
        "movement": sheet.movement,
    }


def _damage(state: State) -> int:
    """Points that are to be struck off; beyond the sum of all strengths damage is void (C80)."""
    return min(state.first(Damage).points, sum(_strengths(state).values()))


def _hurt_offers(state: State) -> Iterator[Choice]:
    """No strength goes below zero (C48); a monster that is killed by a part of it needs no more (C80)."""
    has, damage = _strengths(state), _damage(state)
    slots: dict[str, Any] = {name: Between(0, min(has[name], damage)) for name in STRENGTHS}
    yield Choice(Hit, bounds=(Total(STRENGTHS, damage, damage),), **slots)
    if has["defense"] < damage:
        most: dict[str, Any] = {**slots, "defense": OneOf((has["defense"],))}
        yield Choice(Hit, bounds=(Total(STRENGTHS, has["defense"], damage - 1),), **most)


def _check_hurt(state: State, action: Hit) -> Iterator[Refusal]:
    has, damage = _strengths(state), _damage(state)
    for name in STRENGTHS:
        if getattr(action, name) > has[name]:
            yield Refusal("C48", f"{name} cannot go below zero: it is {has[name]}")
    kills = action.defense == has["defense"]
    if action.total > damage or (action.total < damage and not kills):
        yield Refusal("6.32d", f"the damage is {damage}, not {action.total}")
        yield Refusal("12.0b", f"{damage} points are to be struck off")


def _hurt(state: State, action: Hit, _dice: Dice) -> Script[State]:
    """At defense zero the monster dies, whatever else is due (12.0e, C47)."""
    yield Unseen(StruckOff(action.attack, action.destruction, action.movement))
    state = yield Hurt(action.defense)
    if state.defense == 0:
        state = yield Toppled((Fall(),) if state.has("great-height") else ())
    yield from settle(state)


class Grown(Event, frozen=True, tag="grown"):
    """Seen by its player alone: how the monster has grown besides defense (14.25b)."""

    attack: Few
    destruction: Few
    movement: Few

    def tell(self) -> str:
        """What to note."""
        return f"Note in secret: the monster gains {noted(self.attack, self.destruction, self.movement)}."

    def apply(self, state: State) -> State:
        """Raise the strengths."""
        changes = {"attack": self.attack, "destruction": self.destruction, "movement": self.movement}
        return replace(state, sheet=state.strengthened(**changes))


class Grew(Event, frozen=True, tag="grew"):
    """What everybody sees of growth: what defense gains."""

    told = "The monster grows; defense gains {defense}."
    defense: Few

    def apply(self, state: State) -> State:
        """Raise defense."""
        return replace(state, defense=state.defense + self.defense, due=state.due[1:])


class Grow(Strengths, frozen=True, tag="grow"):
    """Raise strengths after a destruction, in the City Eating Scenario; past 15 too (14.25b, 14.25c, C5)."""

    says = "grow att={attack} def={defense} des={destruction} mov={movement}"


def _growth(state: State) -> int:
    return state.first(Growth).points


def _grow_offers(state: State) -> Iterator[Choice]:
    slots: dict[str, Any] = {name: Between(0, _growth(state)) for name in STRENGTHS}
    yield Choice(Grow, bounds=(Total(STRENGTHS, 0, _growth(state)),), **slots)


def _check_grow(state: State, action: Grow) -> Iterator[Refusal]:
    if action.total > _growth(state):
        yield Refusal("14.25b", f"the monster grows by {_growth(state)} at the most")
        yield Refusal("14.25c", f"the monster grows by {_growth(state)} at the most")


def _grow(state: State, action: Grow, _dice: Dice) -> Script[State]:
    yield Unseen(Grown(action.attack, action.destruction, action.movement))
    state = yield Grew(action.defense)
    yield from settle(state)


# The fall of a dead monster


class Fell(Event, frozen=True, tag="fell"):
    """The dead monster has crushed a box (13.21b)."""

    box: BoxName
    points: Points
    marker: Literal["", "a rubble marker", "an inverted rubble marker"] = ""
    """What is put there."""
    doused: bool = False
    """Whether flames lie there, which come off."""

    def tell(self) -> str:
        """Where it falls, what to put there and take off, and what that scores."""
        todo = [f"put {self.marker} there"] if self.marker else []
        todo += ["take the flames off"] if self.doused else []
        told = f": {listing(todo)}" if todo else ""
        return f"The dead monster falls on {self.box}{told}.{scored(self.points)}"

    def apply(self, state: State) -> State:
        """Rubble, where there can be rubble (C61)."""
        terrain = state.board.boxes[self.box].terrain
        ruins = state.ruins | {self.box} if terrain == "bridge" else state.ruins
        stays = terrain in ("bridge", "river", "tunnel")
        rubble = state.rubble if stays else state.rubble | {self.box}
        flames = {box: age for box, age in state.flames.items() if box != self.box}
        return replace(
            state, ruins=ruins, rubble=rubble, flames=flames, points=state.points + self.points, due=state.due[1:]
        )


class Crush(Action, frozen=True, tag="fall"):
    """The dead monster falls on its own box or an adjacent one (13.21a)."""

    says = "fall {box}"
    box: Box


def _fall_offers(state: State) -> Iterator[Choice]:
    if state.monster:
        yield Choice(Crush, box=OneOf((state.monster, *state.board.neighbours[state.monster])))


def _check_fall(state: State, action: Crush) -> Iterator[Refusal]:
    here = state.monster or ""
    if action.box != here and action.box not in state.board.beside[here]:
        yield Refusal("13.21a", f"{action.box} is neither the monster's box nor adjacent to it")


def _fall(state: State, action: Crush, _dice: Dice) -> Script[State]:
    """The box becomes rubble, and every unit in it is destroyed (13.21b); both score (C61)."""
    points = state.board.tables.terrain[state.terrain(action.box)].vp if state.stands(action.box) else 0
    units = state.stacks.get(action.box, ())
    if units:
        state = yield eliminated(state, units, "crushed")
    state = yield Fell(action.box, points, _marker(state, action.box), action.box in state.flames)
    yield from settle(state)


def _marker(state: State, box: str) -> Literal["", "a rubble marker", "an inverted rubble marker"]:
    """What is put on a box that is crushed (C61): nothing where rubble lies, or where there can be none."""
    terrain = state.terrain(box)
    if terrain in ("river", "tunnel", "rubble") or box in state.ruins:
        return ""
    return "an inverted rubble marker" if terrain == "bridge" else "a rubble marker"


# What only the monster's player knows


class Answered(Event, frozen=True, tag="answered"):
    """The monster's player has told whether it has an ability."""

    tells = True
    ability: Ability
    has: bool

    def tell(self) -> str:
        """What everybody knows now."""
        if self.ability == "radiation" and not self.has:
            return "The monster has no radiation: units of several boxes may attack together. Say the attack again."
        return f"The monster has {'' if self.has else 'no '}{self.ability}."

    def apply(self, state: State) -> State:
        """Everybody knows it now."""
        if self.has:
            return replace(state, known=(*state.known, self.ability), due=state.due[1:])
        return replace(state, lacking=(*state.lacking, self.ability), due=state.due[1:])


class Answer(Action, frozen=True, tag="answer"):
    """Tell whether the monster has the ability that is asked about: the truth (12.0g)."""

    says = "answer {has}"
    has: Literal["yes", "no"]


def _answer_offers(state: State) -> Iterator[Choice]:
    yield Choice(Answer, has=_truth(state))


def _truth(state: State) -> str:
    return "yes" if state.has(state.first(Question).ability) else "no"


def _check_answer(state: State, action: Answer) -> Iterator[Refusal]:
    if action.has != _truth(state):
        yield Refusal("12.0g", f"the truth is {_truth(state)}")


def _answer(state: State, action: Answer, _dice: Dice) -> Script[State]:
    """What follows: a helicopter is grabbed (13.21c), flames hurt (11.41c), or units may attack together (13.26a)."""
    asked = state.first(Question)
    state = yield Answered(asked.ability, action.has == "yes")
    if asked.ability == "great-height" and asked.unit and action.has == "yes":
        state = yield eliminated(state, (asked.unit,), "grabbed")
    elif asked.ability == "flame-immunity":
        state = yield from scorch(state)
    yield from settle(state)


VERBS = (
    verb(
        Hit,
        ("damage",),
        _hurt,
        offers=_hurt_offers,
        check=_check_hurt,
        late=late("12.0b"),
        read=lambda reader: Hit(**read_strengths(reader)),
    ),
    verb(
        Grow,
        ("growth",),
        _grow,
        offers=_grow_offers,
        check=_check_grow,
        late=late("11.12d"),
        read=lambda reader: Grow(**read_strengths(reader)),
    ),
    verb(Crush, ("fall",), _fall, offers=_fall_offers, check=_check_fall, read=reads(Crush, Reader.box)),
    verb(Answer, ("question",), _answer, offers=_answer_offers, check=_check_answer),
)
