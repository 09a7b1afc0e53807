"""Flying: the monster takes off and lands (5.23, 13.28)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.choice import Action
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.monster_movement import MONSTER_MOVEMENT, resolve_monster_arrival
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import State
from referee.games.sheboygan.terrain import explain_impassable


class MonsterTookOff(Event, frozen=True, tag="took-off"):
    """The monster flies in this phase (13.28a)."""

    told = "The monster takes off and is in flight."

    def apply(self, state: State) -> State:
        """Puts the monster in flight for the whole phase, and makes the ability known."""
        return replace(state, aloft=True, risen=True, known=state.list_known_abilities_with("flying"))


class TakeOff(Action, frozen=True, tag="takeoff"):
    """Fly in this phase (13.28a)."""

    says = "takeoff"


def _check_takeoff(state: State, _action: TakeOff) -> Iterator[Refusal]:
    """Yields a refusal if the monster cannot fly, is in flight already, or has moved in this phase (C24)."""
    if not state.has_ability("flying"):
        yield Refusal("13.28a", "the monster cannot fly")
    elif state.aloft:
        yield Refusal("13.28a", "the monster is in flight already")
    elif state.walked or state.landed != "no":
        yield Refusal("C24", "a monster takes off before its first move")


def _take_off(_state: State, _action: TakeOff, _dice: Dice) -> Script[State]:
    yield MonsterTookOff()


class MonsterLanded(Event, frozen=True, tag="landed"):
    """The monster has come down (5.23d)."""

    told = "The monster lands."

    def apply(self, state: State) -> State:
        """Puts the monster on the ground.

        It may still walk only if it began the phase in flight and lands before anything else.
        """
        has_acted = state.risen or state.walked or state.attempts or state.ignitions
        return replace(state, aloft=False, landed="late" if has_acted else "early")


class LandMonster(Action, frozen=True, tag="land"):
    """Come down: at the end of a flight, or before walking (5.23c, C24)."""

    says = "land"


def _check_land(state: State, _action: LandMonster) -> Iterator[Refusal]:
    if not state.aloft or state.monster is None:
        yield Refusal("5.23c", "the monster is not in flight above the map")
        return
    box, grounded = state.monster, _land_monster(state)
    if box not in grounded.get_entry_costs(MONSTER):
        yield Refusal("5.23d", explain_impassable(MONSTER, box, state.get_terrain(box), gone=box in state.ruins)[1])
    elif state.list_humans_in(box):
        yield Refusal("5.23d", f"human units are in {box}: {' '.join(state.list_humans_in(box))}")


def _land_monster(state: State) -> State:
    """Returns the state as it would be if the monster landed."""
    return MonsterLanded().apply(state)


def _land_and_arrive(state: State, _action: LandMonster, _dice: Dice) -> Script[State]:
    state = yield MonsterLanded()
    yield from resolve_monster_arrival(state)


VERBS = (
    make_verb(TakeOff, MONSTER_MOVEMENT, _take_off, check=_check_takeoff),
    make_verb(LandMonster, MONSTER_MOVEMENT, _land_and_arrive, check=_check_land),
)
