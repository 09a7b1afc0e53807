"""The words with which zombies of cards are placed, by the player who drew the card (card.zombie.5)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import placing, sequence
from referee.games.zombies.board import Square
from referee.games.zombies.notation import Reader
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Place
from referee.games.zombies.timing import verb


class PlaceZombie(Action, frozen=True, tag="place"):
    """Put the next zombie of a card on a square (card.zombie.2, card.zombie.4)."""

    says = "place {square}"
    square: Square


class PlaceRest(Action, frozen=True, tag="place-rest"):
    """Leave it to the referee where the rest of them go: on the nearest squares."""

    says = "place rest"


def _task(state: State) -> Place:
    assert isinstance(state.task, Place)
    return state.task


def _place_offers(state: State, _player: Player) -> Iterator[Choice]:
    squares = state.board.names(placing.squares_for(state, _task(state)))
    yield Choice(PlaceZombie, square=OneOf(squares))


def _rest_offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(PlaceRest, minor=True)


def _place_reasons(state: State, _player: Player, action: PlaceZombie) -> Iterator[Refusal]:
    for rule, because in placing.why_not(state, _task(state), action.square):
        yield Refusal(rule, because)


def _place(state: State, _player: Player, action: PlaceZombie, _dice: Dice) -> Script[State]:
    state = yield from placing.placed(_task(state), action.square)
    yield from sequence.go_on(state)


def _place_rest(state: State, _player: Player, _action: PlaceRest, _dice: Dice) -> Script[State]:
    agenda = len(state.agenda)
    while len(state.agenda) == agenda and isinstance(state.task, Place):
        if not state.spare_zombies(state.task.level) or not placing.squares_for(state, state.task):
            break
        state = yield from placing.placed(state.task, placing.nearest(state, state.task))
    yield from sequence.go_on(state)


def _late(state: State) -> Iterator[Refusal]:
    if state.task is None:
        yield Refusal("card.zombie.2", "no zombies are to be placed")


def _read(reader: Reader) -> PlaceZombie | PlaceRest:
    return PlaceRest() if reader.only("rest") else PlaceZombie(reader.square())


VERBS: tuple[Verb[State, Any], ...] = (
    verb(
        PlaceZombie,
        ("place",),
        _place_offers,
        _place,
        rule="card.zombie.4",
        reasons=_place_reasons,
        late=_late,
        read=_read,
        carries=True,
    ),
    verb(PlaceRest, ("place",), _rest_offers, _place_rest, rule="card.zombie.2", late=_late, read=_read, carries=True),
)
