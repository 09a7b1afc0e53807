"""Players of Sheboygan with simple habits: the monster goes where much can be wrecked, units go for the monster."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.engine.choice import Choice
from referee.engine.legal import LegalActions
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.duties import RetreatPiece
from referee.games.sheboygan.fire import Ignite
from referee.games.sheboygan.flying import TakeOff
from referee.games.sheboygan.monster_attacks import StrikeWithMonster
from referee.games.sheboygan.monster_movement import Jump
from referee.games.sheboygan.monster_record import StrikeOffDamage
from referee.games.sheboygan.options import HUMAN_SEAT
from referee.games.sheboygan.purchase_and_placement import BuyUnits
from referee.games.sheboygan.sequence import EndPhase, StayAloft, WebBoxes
from referee.games.sheboygan.setting_up import WriteRecord
from referee.games.sheboygan.special_abilities import ControlUnit, FillUnitsWithFear, FlashBlindingLight
from referee.games.sheboygan.state import State
from referee.games.sheboygan.unit_attacks import AttackWithUnits
from referee.games.sheboygan.unit_movement import Move
from referee.games.sheboygan.wind import RollForWind
from referee.games.sheboygan.wrecking import Wreck

WHIMS = {
    FlashBlindingLight: 0.1,
    ControlUnit: 0.3,
    FillUnitsWithFear: 0.3,
    WebBoxes: 0.1,
    TakeOff: 0.5,
    Jump: 0.3,
    Ignite: 0.7,
}
"""How often an ability is used when it can be."""


def chosen(view: State, legal: LegalActions, random: Random) -> Any:
    """What the player on turn does by habit, as far as he can see."""
    choices = [choice for choice in legal.choices if not choice.minor]
    by_kind: dict[Any, list[Choice]] = {}
    for choice in choices:
        by_kind.setdefault(choice.kind, []).append(choice)
    for kind in (WriteRecord, BuyUnits, StrikeOffDamage, RetreatPiece, Wreck, StrikeWithMonster, AttackWithUnits):
        if kind in by_kind:
            return _worked_out(view, random.choice(by_kind[kind]), random)
    for kind, often in WHIMS.items():
        if kind in by_kind and random.random() < often:
            return random.choice(by_kind[kind]).pick(random)
    if Move in by_kind:
        move = _move(view, by_kind[Move], random)
        if move:
            return move
    last = [kind for kind in (EndPhase, StayAloft, RollForWind) if kind in by_kind]
    return by_kind[last[0]][0].pick(random) if last else random.choice(choices).pick(random)


def _worked_out(view: State, choice: Choice, random: Random) -> Any:
    """Points as they are needed, units as many as can be."""
    if choice.kind is WriteRecord:
        return max((choice.pick(random) for _ in range(30)), key=_balance)
    if choice.kind is Wreck:
        box = random.choice(choice.slots["box"].values)
        need = view.board.tables.terrain[view.get_terrain(box)].strength
        high = choice.slots["points"].high
        return Wreck(box, min(high, need * random.choice((1, 2, 3))))
    if choice.kind in (StrikeWithMonster, AttackWithUnits):
        return max((choice.pick(random) for _ in range(10)), key=_weight)
    return choice.pick(random)


def _balance(record: WriteRecord) -> int:
    """A record is better the more its smallest strength has, and the more it spends."""
    return 5 * min(record.attack, record.defense, record.destruction, record.movement) + record.attack + record.defense


def _weight(attack: Any) -> int:
    return attack.points if isinstance(attack, StrikeWithMonster) else len(attack.units)


def _move(view: State, moves: list[Choice], random: Random) -> Any:
    """Units that have not moved go nearer to the monster; the monster goes where most can be wrecked."""
    for move in moves:
        unit, boxes = move.slots["unit"].values[0], move.slots["box"].values
        if unit == MONSTER and view.walked == 0:
            return Move(unit, max(boxes, key=lambda box: (_prey(view, box), random.random())))
        if unit != MONSTER and unit not in view.moved and view.monster and unit[0] not in "cfb":
            return Move(unit, min(boxes, key=lambda box: (_distance(view, box), random.random())))
    return None


def _prey(view: State, box: str) -> int:
    return sum(view.is_destructible(beside) for beside in view.board.neighbours[box])


def _distance(view: State, box: str) -> int:
    """Boxes to the monster; burning and full ones are the farthest."""
    full = view.count_stacking_units(box) >= 2 or box in view.flames
    return view.board.measure_range(box, view.monster or box) + 100 * full


def is_human(seat: str | None) -> bool:
    """Whether this is the human player's seat."""
    return seat == HUMAN_SEAT
