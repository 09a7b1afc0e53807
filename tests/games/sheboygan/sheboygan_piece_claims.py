"""When a refusal of Sheboygan may cite a rule about pieces, points and boxes, from the rule alone."""

from __future__ import annotations

from sheboygan_definitions import goals, is_wet, monster_goals, rides
from slow_attacks import BRACKETED, STRENGTH, defense, has_line, humans, is_open, strength, tunnel_between
from slow_map import COST, Map, monster_price

from referee.games.sheboygan.duties import RetreatPiece
from referee.games.sheboygan.fire import Douse, Ignite
from referee.games.sheboygan.flying import LandMonster, TakeOff
from referee.games.sheboygan.monster_attacks import StrikeWithMonster
from referee.games.sheboygan.monster_movement import EnterMap, Jump, Overrun
from referee.games.sheboygan.monster_record import FallOnBox, Grow, StrikeOffDamage
from referee.games.sheboygan.purchase_and_placement import BuyUnits, PlaceUnits
from referee.games.sheboygan.sequence import EndPhase, WebBoxes
from referee.games.sheboygan.setting_up import ChooseAbilities, WriteRecord
from referee.games.sheboygan.special_abilities import ControlUnit, FillUnitsWithFear, FlashBlindingLight
from referee.games.sheboygan.towing_carrying_fording import Carry, Ford, Tow
from referee.games.sheboygan.unit_attacks import AttackWithUnits, StartSuicideAssault
from referee.games.sheboygan.unit_movement import Move
from referee.games.sheboygan.wrecking import Wreck
from referee.testing import Claim

MONSTER = "m"
PRICES = {
    "flame-immunity": 2,
    "fire-breathing": 8,
    "lightning-throwing": 6,
    "great-height": 5,
    "web-spinning": 5,
    "fear-immobilization": 4,
    "blinding-light": 4,
    "jumping": 3,
    "radiation": 7,
    "mind-control": 6,
    "flying": 8,
}
"""What each special ability costs (13.11 to 13.28)."""
STRENGTHS = ("attack", "defense", "destruction", "movement")


def near_monster(state):
    """The monster's box and those beside it."""
    return {state.monster, *Map(state).beside(state.monster)}


def is_too_far(state, _, action):
    """No way within its points leads the piece there (5.0g, 5.15a)."""
    reached = monster_goals(state) if action.unit == MONSTER else goals(state, action.unit)
    return action.box not in reached


def too_far(letters):
    return lambda state, seat, action: action.unit[0] in letters and is_too_far(state, seat, action)


def stays(state, _, action):
    return action.box == (state.monster if action.unit == MONSTER else state.at[action.unit])


def cannot_enter(letters, *terrains):
    """Units of these kinds, and boxes of this terrain (5.11a to 5.13b)."""
    return lambda state, _, action: action.unit[0] in letters and Map(state).terrain(action.box) in terrains


def is_shut(state, _, action):
    """The monster cannot be in this box (5.11a, 5.22d)."""
    return monster_price(state)(action.box) is None


def total(action):
    return sum(getattr(action, name) for name in STRENGTHS)


def due_points(state):
    return state.due[0].points


def strength_now(state, name):
    return state.defense if name == "defense" else getattr(state.sheet.value, name)


def crowded(state, *_):
    """Some box holds more than two units that count (5.21b)."""
    return any(sum(unit[0] in "ptigb" for unit in Map(state).units_in(box)) > 2 for box in {*state.at.values()})


def is_out_of_range(state, _, action):
    """A unit is farther from its target than its range (6.13a)."""
    target = state.monster if action.target == (MONSTER,) else state.at[action.target[0]]
    kinds = state.board.tables.units
    return any(
        target != state.at[unit] and target not in Map(state).within(state.at[unit], kinds[unit[0]].range)
        for unit in action.units
    )


def left_for_strengths(state):
    """The monster's points that no ability has cost (3.1g)."""
    abilities = state.sheet.value.abilities if state.sheet else ()
    return state.scenario.monster_points - sum(PRICES[ability] for ability in abilities)


def is_unseen(state, unit):
    """No line of sight joins the monster with a unit that is no helicopter (13.23c, 13.27b, C59)."""
    return unit[0] != "h" and not has_line(state, state.monster, state.at[unit])


def is_too_weak(state, _, action):
    """Less than a fifth of the defense attacks (6.4c)."""
    defends = state.defense if action.target == (MONSTER,) else defense(state, action.target)
    return 5 * sum(strength(state, unit) for unit in action.units) < defends


def into_tunnel(state, _, action):
    """The attack goes into a tunnel, or out of it (5.14f, C64)."""
    boxes = [state.at[unit] for unit in action.units]
    target = getattr(action, "target", (MONSTER,))
    return tunnel_between(state, *boxes, state.monster if target == (MONSTER,) else state.at[target[0]])


PIECES = (
    # Moves
    Claim("10.0a", too_far("c"), (Move,), "is too far"),
    Claim("8.0f", too_far("h"), (Move,), "is too far"),
    Claim("5.0g", too_far("pitgfb"), (Move,), "is too far"),
    Claim("4.0c", is_too_far, (Move,), "is too far"),
    Claim(
        "5.15a",
        lambda state, _, action: action.unit in state.moved and is_too_far(state, _, action),
        (Move,),
        "^only a unit that has not moved",
    ),
    Claim("5.0b", stays, (Move,), "already$"),
    Claim("5.11a", lambda state, _, action: action.unit == MONSTER and is_shut(state, _, action), (Move,)),
    Claim("5.11b", cannot_enter("t", "low", "high"), (Move,)),
    Claim("5.11c", cannot_enter("g", "low", "high"), (Move,)),
    Claim("5.13a", cannot_enter("ptigcf", "river"), (Move,)),
    Claim(
        "5.13b", lambda state, _, action: action.unit[0] == "b" and Map(state).terrain(action.box) != "river", (Move,)
    ),
    Claim(
        "10.0b",
        lambda state, _, action: any(
            unit[0] != "c" or not rides(state, action.police, unit) for unit in action.populace
        ),
        (Carry,),
        "did not come with",
    ),
    Claim(
        "9.1a",
        lambda state, _, action: action.box not in Map(state).beside(state.at[action.unit]),
        (Ford,),
        "is not beside",
    ),
    Claim(
        "9.1a",
        lambda state, _, action: action.unit not in state.fording and not is_wet(state, action.box),
        (Ford,),
        "is not a river",
    ),
    Claim("5.21b", crowded, (EndPhase,), "holds more than", forbids=False),
    Claim("5.22a", crowded, (EndPhase,), "^at the end of movement", forbids=False),
    Claim("13.23b", lambda state, _, action: {action.tank, action.gun} & {*state.feared}, (Tow,)),
    Claim("9.1a", lambda state, _, action: {action.tank, action.gun} & {*state.moved}, (Tow,), "has moved"),
    Claim("9.1b", lambda state, _, action: action.unit in state.fording, (Move,)),
    Claim(
        "11.32a",
        lambda state, _, action: action.unit[0] == "f" and {*action.boxes} != {state.at[action.unit]},
        (Douse,),
    ),
    # The monster's movement
    Claim("11.0b", lambda state, _, action: action.box not in near_monster(state), (Ignite,), "is not adjacent"),
    Claim("5.23c", lambda state, *_: state.aloft and state.phase == "monster-move", (EndPhase,)),
    Claim("13.28a", lambda state, *_: state.aloft, (TakeOff,), "in flight already"),
    Claim("13.25b", is_shut, (Jump,)),
    Claim(
        "13.22a",
        lambda state, _, action: any(
            box in state.webs or box not in Map(state).beside(state.monster) for box in action.boxes
        ),
        (WebBoxes,),
        "^webs are spun",
    ),
    Claim("13.22a", lambda _, __, action: len(action.boxes) > 2, (WebBoxes,), "^at most"),
    Claim("4.0d", lambda state, *_: state.attempts >= 3, (Wreck,)),
    Claim("7.0f", lambda state, _, action: action.points > state.sheet.value.destruction - state.smashed, (Wreck,)),
    Claim(
        "7.2c", lambda state, _, action: 2 * action.points < STRENGTH.get(Map(state).terrain(action.box), 99), (Wreck,)
    ),
    Claim(
        "3.2g",
        lambda state, _, action: state.monster is None and state.edge.value not in state.board.boxes[action.box].edges,
        (EnterMap, Overrun),
        "not at the edge",
    ),
    Claim(
        "5.31d",
        lambda state, _, action: (
            state.aloft
            or action.box in state.ruins
            or Map(state).terrain(action.box)
            in (("low", "high") if state.options["monster-in-tunnel"] == "yes" else ("low", "high", "tunnel"))
        ),
        (Overrun,),
    ),
    Claim("5.31c", lambda state, _, action: any(u[0] not in BRACKETED for u in humans(state, action.box)), (Overrun,)),
    Claim(
        "5.32a",
        lambda state, _, action: action.points > max(0, state.sheet.value.attack - state.struck),
        (Overrun,),
    ),
    *(
        Claim(
            rule,
            lambda state, _, action: action.points < 6 * defense(state, humans(state, action.box)),
            (Overrun,),
            "^6-1",
        )
        for rule in ("5.31a", "5.31b")
    ),
    Claim(
        "4.0c",
        lambda state, _, action: COST[Map(state).terrain(action.box)] > state.sheet.value.movement - state.walked,
        (Overrun,),
    ),
    Claim("5.23d", lambda state, *_: bool(humans(state, state.monster)) or lands_badly(state), (LandMonster,)),
    # Powers
    Claim("C24", lambda state, *_: state.walked > 0 or state.landed != "no", (TakeOff,), "", False),
    Claim("13.23a", lambda _, __, action: not 1 <= len(action.units) <= 2, (FillUnitsWithFear,), "^fear affects"),
    Claim(
        "2.0b",
        lambda state, _, action: any(unit not in state.at or unit == state.control for unit in action.units),
        (StrikeWithMonster, FillUnitsWithFear),
    ),
    Claim("2.0b", lambda state, _, action: any(unit not in state.at for unit in action.units), (AttackWithUnits,)),
    Claim("13.24a", lambda state, *_: state.flashes >= 2, (FlashBlindingLight,), "already flashed 2"),
    Claim("C32", lambda state, *_: state.flashed, (FlashBlindingLight,), "in this turn"),
    *(
        Claim(rule, lambda state, *_: state.controlled, (ControlUnit,), "already taken over")
        for rule in ("13.27a", "13.27f")
    ),
    Claim("2.0b", lambda state, _, action: action.unit not in state.at, (ControlUnit,), "is not on the map"),
    Claim(
        "13.23a",
        lambda state, _, action: any(
            state.at[unit] not in {state.monster, *Map(state).within(state.monster, 3)} for unit in action.units
        ),
        (FillUnitsWithFear,),
        "is not within",
    ),
    Claim(
        "13.23c", lambda state, _, action: any(is_unseen(state, unit) for unit in action.units), (FillUnitsWithFear,)
    ),
    Claim("13.27b", lambda state, _, action: is_unseen(state, action.unit), (ControlUnit,)),
    # Attacks and retreats
    Claim(
        "6.0a",
        lambda state, _, action: state.phase == "human-combat" and action.target not in ((MONSTER,), (state.control,)),
        (AttackWithUnits,),
        "^units attack",
    ),
    Claim("6.0a", lambda _, __, action: MONSTER in action.units, (AttackWithUnits,), "is the monster"),
    Claim("6.0a", lambda _, __, action: not action.units, (AttackWithUnits,), "^no unit"),
    Claim(
        "4.0b",
        lambda state, _, action: state.phase == "monster-combat" and action.units[0] != state.control,
        (AttackWithUnits,),
        "attacks in the Human",
    ),
    Claim("6.11b", is_out_of_range, (AttackWithUnits,), "boxes away"),
    Claim("6.11c", lambda _, __, action: any(unit[0] in BRACKETED for unit in action.units), (AttackWithUnits,)),
    Claim("6.11c", lambda _, __, action: action.unit[0] in BRACKETED, (StartSuicideAssault,)),
    Claim(
        "9.0b",
        lambda state, _, action: state.at[action.unit] not in near_monster(state),
        (StartSuicideAssault,),
        "is not adjacent",
    ),
    Claim("13.28c", lambda state, *_: state.aloft, (StrikeWithMonster,), forbids=False),
    Claim("6.4c", lambda state, _, action: 5 * action.points < defense(state, action.units), (StrikeWithMonster,)),
    Claim("6.4c", is_too_weak, (AttackWithUnits,)),
    Claim(
        "6.23a", lambda state, _, action: action.points > state.sheet.value.attack - state.struck, (StrikeWithMonster,)
    ),
    Claim("5.33a", lambda state, *_: state.struck > 0, (StrikeWithMonster,), forbids=False),
    Claim(
        "6.23e",
        lambda state, _, action: not all(is_open(state, unit, action.units) for unit in action.units),
        (StrikeWithMonster,),
    ),
    *(
        Claim(
            rule,
            lambda state, _, action: any(
                state.at[unit] not in {*Map(state).within(state.monster, 3), state.monster} for unit in action.units
            ),
            (StrikeWithMonster,),
        )
        for rule in ("13.13a", "6.21b")
    ),
    Claim(
        "13.13c",
        lambda state, _, action: any(
            unit[0] != "h" and not has_line(state, state.monster, state.at[unit], lightning=True)
            for unit in action.units
        ),
        (StrikeWithMonster,),
        forbids=False,
    ),
    Claim("5.14f", into_tunnel, (StrikeWithMonster, AttackWithUnits), forbids=False),
    Claim("13.24b", lambda state, _, action: state.flashed and action.target == (MONSTER,), (AttackWithUnits,)),
    Claim(
        "13.26a",
        lambda state, _, action: (
            "radiation" in state.known
            and action.target == (MONSTER,)
            and len({state.at[unit] for unit in action.units}) > 1
        ),
        (AttackWithUnits,),
    ),
    Claim("6.24a", lambda state, *_: state.fled, (StrikeWithMonster,)),
    Claim(
        "6.33h",
        lambda state, _, action: state.due[0].__struct_config__.tag == "withdrawal" and action.unit != MONSTER,
        (RetreatPiece,),
        "not a unit$",
    ),
    Claim("13.21a", lambda state, _, action: action.box not in near_monster(state), (FallOnBox,)),
    # Points
    Claim(
        "3.1j",
        lambda state, _, action: (
            sum(PRICES[ability] for ability in action.abilities) + 2 > state.scenario.monster_points
        ),
        (ChooseAbilities,),
        "^they cost",
    ),
    Claim("C50", lambda _, __, action: not action.defense or not action.movement, (WriteRecord,)),
    *(
        Claim(
            rule,
            lambda state, _, action: total(action) > left_for_strengths(state),
            (WriteRecord,),
            "points? (is|are) needed",
        )
        for rule in ("3.1g", "14.21a", "14.22a", "14.23a", "14.24a", "14.25a")
    ),
    Claim("3.1i", lambda _, __, action: action.defense > 15, (WriteRecord,)),
    Claim(
        "C48",
        lambda state, _, action: any(getattr(action, name) > strength_now(state, name) for name in STRENGTHS),
        (StrikeOffDamage,),
    ),
    Claim("6.32d", lambda state, _, action: total(action) != due_points(state), (StrikeOffDamage,), forbids=False),
    Claim(
        "12.0b",
        lambda state, _, action: total(action) != due_points(state),
        (StrikeOffDamage,),
        "struck off$",
        forbids=False,
    ),
    *(
        Claim(rule, lambda state, _, action: total(action) > due_points(state), (Grow,))
        for rule in ("14.25b", "14.25c")
    ),
    Claim("3.1f", lambda _, __, action: action.counter in ("firemen", "fireboat"), (BuyUnits,)),
    Claim("3.1c", lambda _, __, action: action.counter == "populace", (BuyUnits,)),
    Claim("3.2e", lambda _, __, action: any(unit[0] == "c" for unit in action.units), (PlaceUnits,)),
    Claim("3.2d", lambda state, _, action: bool(state.board.boxes[action.box].edges), (PlaceUnits,), forbids=False),
)


def lands_badly(state):
    """A monster on the ground could not be in its box (5.11a)."""
    shut = ("low", "high") if state.options["monster-in-tunnel"] == "yes" else ("low", "high", "tunnel")
    return state.monster in state.ruins or Map(state).terrain(state.monster) in shut
