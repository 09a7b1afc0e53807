"""What players choose when results are carried out: losses, retreats, damage, growth, the fall of a dead monster."""

from collections.abc import Iterator
from typing import Any, Literal

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat, Unseen
from referee.engine.legal import Action, Between, Choice, OneOf, Subset, Total
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.sheboygan.combat_events import (
    Answered,
    Done,
    Fell,
    Grew,
    Grown,
    Hurt,
    Retreated,
    StruckOff,
    Toppled,
    Withdrew,
)
from referee.games.sheboygan.counters import MONSTER, Piece, Pieces
from referee.games.sheboygan.events import Ended, Resigned
from referee.games.sheboygan.ground import retreats_of, withdrawals_of
from referee.games.sheboygan.notation import Box, Reader
from referee.games.sheboygan.options import SEATS
from referee.games.sheboygan.prowling import sheet_of
from referee.games.sheboygan.setting_up import Strength, read_strengths
from referee.games.sheboygan.settling import eliminated, scorch, settle
from referee.games.sheboygan.state import Damage, Fall, Growth, Losses, Question, Retreats, State
from referee.games.sheboygan.timing import timed
from referee.games.sheboygan.victory import given_up

STRENGTHS = ("attack", "defense", "destruction", "movement")


# Losses


class Lose(Action, frozen=True, tag="lose"):
    """Name the units that are lost: their owner chooses among those involved (6.32a)."""

    says = "lose {units}"
    units: Pieces


def _lose_offers(state: State) -> Iterator[Choice]:
    due = state.due[0]
    if isinstance(due, Losses):
        yield Choice(Lose, units=Subset(due.units, due.count, due.count))


def _check_lose(state: State, action: Lose) -> Iterator[Refusal]:
    due = state.due[0]
    if not isinstance(due, Losses):
        return
    strangers = [unit for unit in action.units if unit not in due.units]
    if strangers:
        rule = "6.32b" if due.cause == "repulse" else "6.23d"
        yield Refusal(rule, f"{' '.join(strangers)} cannot be lost: only {' '.join(due.units)} suffer")
    elif len(action.units) != due.count:
        yield Refusal("6.32a", f"{due.count} of {' '.join(due.units)} are lost")


def _lose(state: State, action: Lose, _dice: Dice) -> Script[State]:
    due = state.due[0]
    if isinstance(due, Losses):
        state = yield eliminated(state, action.units, due.cause)
        state = yield Done()
    yield from settle(state)


# Retreats


class Back(Action, frozen=True, tag="back"):
    """Retreat a unit, or the monster, by one box (6.33a, 6.33h)."""

    says = "back {unit} {box}"
    unit: Piece
    box: Box


def _back_offers(state: State) -> Iterator[Choice]:
    due = state.due[0]
    if isinstance(due, Retreats):
        for unit in due.units:
            yield Choice(Back, unit=unit, box=OneOf(retreats_of(state, unit, due.away)))
    else:
        yield Choice(Back, unit=MONSTER, box=OneOf(withdrawals_of(state)))


def _check_back(state: State, action: Back) -> Iterator[Refusal]:
    due = state.due[0]
    if isinstance(due, Retreats):
        yield from _check_retreat(state, action, due)
    elif action.unit != MONSTER:
        yield Refusal("6.33h", "it is the monster that has to retreat")
    elif action.box not in withdrawals_of(state):
        yield _why_no_withdrawal(state, action.box)


def _why_no_withdrawal(state: State, box: str) -> Refusal:
    if box not in state.board.beside[state.monster or ""]:
        return Refusal("6.33h", f"{box} is not the next box: the monster retreats one box, and stays on the map")
    if state.humans_in(box):
        return Refusal("6.33j", f"human units are in {box}: {' '.join(state.humans_in(box))}")
    return Refusal("6.33i", f"{box} is impassable for the monster: {state.terrain(box)}")


def _check_retreat(state: State, action: Back, due: Retreats) -> Iterator[Refusal]:
    unit, box = action.unit, action.box
    if unit not in due.units:
        yield Refusal("6.33b", f"{unit} does not retreat: only {' '.join(due.units)}")
    elif box not in retreats_of(state, unit, due.away):
        yield _why_no_retreat(state, unit, box, due)


def _why_no_retreat(state: State, unit: str, box: str, due: Retreats) -> Refusal:
    if box == state.monster:
        return Refusal("6.33c", f"the monster is in {box}")
    if box not in state.board.beside[state.at[unit]]:
        return Refusal("6.33a", f"{box} is not the next box: units retreat one box")
    if state.monster and box in state.board.beside[state.monster]:
        return Refusal("6.33d", f"{box} is beside the monster's box")
    if state.board.range(due.away, box) <= state.board.range(due.away, state.at[unit]):
        return Refusal("6.33a", f"{box} does not lead away from the attack")
    if state.kind(unit).stacks and state.counting(box) >= 2:
        return Refusal("6.33f", f"{box} takes no more than two units that count")
    return Refusal("6.33e", f"{box} is impassable for {unit}")


def _back(state: State, action: Back, _dice: Dice) -> Script[State]:
    if action.unit != MONSTER:
        state = yield Retreated(action.unit, action.box)
    else:
        state = yield Withdrew(action.box, state.phase == "monster-combat")
        state = yield from scorch(state)
    yield from settle(state)


def _read_back(reader: Reader) -> Back:
    unit = reader.unit()
    return Back(unit, reader.box())


# Damage and growth, which are noted in secret but for defense


class Strengths(Action, frozen=True):
    """Points on strengths."""

    attack: Strength
    defense: Strength
    destruction: Strength
    movement: Strength

    @property
    def total(self) -> int:
        """All points together."""
        return self.attack + self.defense + self.destruction + self.movement


class Hit(Strengths, frozen=True, tag="hurt"):
    """Strike damage off the monster's strengths, freely (12.0b to 12.0d)."""

    says = "hurt att={attack} def={defense} des={destruction} mov={movement}"


def _strengths(state: State) -> dict[str, int]:
    """What the monster has of each strength."""
    sheet = sheet_of(state)
    return {
        "attack": sheet.attack,
        "defense": state.defense,
        "destruction": sheet.destruction,
        "movement": sheet.movement,
    }


def _damage(state: State) -> int:
    """Points that are to be struck off; beyond the sum of all strengths damage is void (C80)."""
    due = state.due[0]
    return min(due.points if isinstance(due, Damage) else 0, sum(_strengths(state).values()))


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


class Grow(Strengths, frozen=True, tag="grow"):
    """Raise strengths after a destruction, in the City Eating Scenario; past 15 too (14.25b, 14.25c, C5)."""

    says = "grow att={attack} def={defense} des={destruction} mov={movement}"


def _growth(state: State) -> int:
    due = state.due[0]
    return due.points if isinstance(due, Growth) else 0


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
    state = yield Fell(action.box, points)
    yield from settle(state)


# What only the monster's player knows


class Answer(Action, frozen=True, tag="answer"):
    """Tell whether the monster has the ability that is asked about: the truth (12.0g)."""

    says = "answer {has}"
    has: Literal["yes", "no"]


def _answer_offers(state: State) -> Iterator[Choice]:
    yield Choice(Answer, has=_truth(state))


def _truth(state: State) -> str:
    due = state.due[0]
    return "yes" if isinstance(due, Question) and state.has(due.ability) else "no"


def _check_answer(state: State, action: Answer) -> Iterator[Refusal]:
    if action.has != _truth(state):
        yield Refusal("12.0g", f"the truth is {_truth(state)}")


def _answer(state: State, action: Answer, _dice: Dice) -> Script[State]:
    """What follows: a helicopter is grabbed (13.21c), flames hurt (11.41c), or units may attack together (13.26a)."""
    due = state.due[0]
    if isinstance(due, Question):
        state = yield Answered(due.ability, action.has == "yes")
        if due.ability == "great-height" and due.unit and action.has == "yes":
            state = yield eliminated(state, (due.unit,), "grabbed")
        elif due.ability == "flame-immunity":
            state = yield from scorch(state)
    yield from settle(state)


# Giving up


class Resign(Action, frozen=True, tag="resign"):
    """Give the game up (C81)."""

    says = "resign"


def _resign_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """Nothing is held up by it but the beginning of a Game-Turn, so that none goes by without a word."""
    if state.turn and not state.due and seat == state.holder:
        yield Choice(Resign, minor=True, aside=state.phase != "monster-move")


def _check_resign(state: State, seat: Seat, _action: Resign) -> Iterator[Refusal]:
    if seat not in SEATS:
        yield Refusal("4.0b", f"nobody is called {seat!r} in this game")
    elif state.outcome:
        yield Refusal("14.1a", f"the game is over: {state.outcome.because}")
    elif not state.turn or state.due or seat != state.holder:
        yield Refusal("C81", "who gives up does it in one of his own phases, once the game has begun")


def _resign(state: State, seat: Seat, _action: Resign, _dice: Dice) -> Script[State]:
    yield Resigned(seat)
    yield Ended(given_up(state, seat))


IN_PLAY = ("monster-move", "monster-combat", "arrival", "human-move", "human-combat", "fire")

VERBS = (
    timed(Lose, ("lose",), _lose, offers=_lose_offers, check=_check_lose, read=lambda reader: Lose(reader.units())),
    timed(Back, ("retreat", "withdraw"), _back, offers=_back_offers, check=_check_back, read=_read_back),
    timed(
        Hit,
        ("hurt",),
        _hurt,
        offers=_hurt_offers,
        check=_check_hurt,
        late="12.0b",
        read=lambda reader: Hit(**read_strengths(reader)),
    ),
    timed(
        Grow,
        ("grow",),
        _grow,
        offers=_grow_offers,
        check=_check_grow,
        late="11.12d",
        read=lambda reader: Grow(**read_strengths(reader)),
    ),
    timed(Crush, ("fall",), _fall, offers=_fall_offers, check=_check_fall, read=lambda reader: Crush(reader.box())),
    timed(Answer, ("answer",), _answer, offers=_answer_offers, check=_check_answer),
    Verb(Resign, IN_PLAY, _resign_offers, _check_resign, _resign),
)
