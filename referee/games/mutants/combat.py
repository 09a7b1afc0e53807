"""Combat begins: the player who moved last chooses room by room (V.B). `combat_rounds` tells how it goes on."""

from collections.abc import Iterator

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.games.mutants.combat_rounds import begin_combat
from referee.games.mutants.engaging import (
    LayOutUnits,
    PairOffUnits,
    find_side_that_fills_boxes,
    list_units_for_boxes,
    pick_least_valuable_units,
)
from referee.games.mutants.notation import Reader, TypedPlace
from referee.games.mutants.order_of_play import limit_check_to_turns
from referee.games.mutants.phases import MUTANT_MOVEMENT_STEPS
from referee.games.mutants.resolving import ResolvePair
from referee.games.mutants.state import State
from referee.games.mutants.status import describe_phase


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


@limit_check_to_turns
def _refuse_late_fight(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.combat:
        yield Refusal("V.B-b", f"the Combat in {state.combat.room} is not over")
    else:
        yield Refusal("V-a" if state.phase in MUTANT_MOVEMENT_STEPS else "III-b", describe_phase(state))


def _refuse_fight_of_other_side(state: State) -> Iterator[Refusal]:
    yield Refusal("V.B-a", f"the {state.last_mover} player moved last and so chooses the order of the Combats")


def _read_fight(reader: Reader) -> Action:
    """Reads `fight`: a room, or `all auto` for all Combats that are left.

    `auto` after a room fills only the boxes of the player who types it (M66).
    """
    if [word.text for word in reader.words] == ["all", "auto"]:
        reader.again = True
        return _find_next_fight_action(reader)
    room = reader.read_place()
    if reader.read_word_if_last("auto"):
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
        return ResolvePair()
    kind = LayOutUnits if combat.stage == "lay" else PairOffUnits
    return kind(
        pick_least_valuable_units(state, list_units_for_boxes(state, combat, find_side_that_fills_boxes(combat, kind)))
    )


def _fight_in_room(state: State, _seat: Seat, action: Fight, _dice: Dice) -> Script[State]:
    return begin_combat(state, action.room)


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
)
