"""A game in memory: nothing is written, and copies cost next to nothing.

>>> game = referee.table(referee.game_names()[0])
>>> game.legal(), game.do("say what you do"), game.state, game.view("red"), game.copy(), game.to_act, game.result
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, Self

from msgspec import convert

from referee.engine.adjudication import LegalVerdict, Verdict, adjudicate, find_forced_answer
from referee.engine.choice import Action
from referee.engine.component import read_toml
from referee.engine.dice import SeedHex, Source, TypedDie
from referee.engine.dice_source import DrawCounts, SeededSource, TypedSource
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.option_resolution import choose_options
from referee.engine.options import Options
from referee.engine.position import decode_position
from referee.engine.registry import find_game
from referee.engine.rulebook import Refusal


class PositionError(ValueError):
    """Raised if a position breaks rules; the message names them."""


def table(
    game: str | AnyGame,
    options: Mapping[str, str] | None = None,
    *,
    names: Sequence[str] = (),
    seed: str | None = None,
    own: Mapping[str, Any] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Table:
    """Begins a game in memory.

    `names` are the players, if the game makes its seats from them. `seed` is 64 hex digits; by default it is random.
    `own` has decoded files that players made, by component. `position` is a position to start from. Raises
    UnknownGameError, OptionError, BoardError, PositionError or msgspec.ValidationError.
    """
    if seed is not None:
        convert(seed, SeedHex)
    module = find_game(game) if isinstance(game, str) else game
    settled = choose_options(module, {**module.derive_options(tuple(names)), **(options or {})})
    shipped = {part.name: part for part in module.components if part.name not in (own or {})}
    parts = {name: read_toml(part.shipped(settled)) for name, part in shipped.items()}
    board = module.build_board({**parts, **(own or {})}, settled)
    state = (
        module.setup(settled, board) if position is None else make_state_from_document(module, position, settled, board)
    )
    return Table(module, settled, state, module.seats(settled, tuple(names)), seed or os.urandom(32).hex())


def make_state_from_document(game: AnyGame, document: Any, options: Options, board: Any) -> Any:
    """Returns the state of a decoded position.

    Raises PositionError if the position breaks rules, and msgspec.ValidationError if it is malformed.
    """
    position = decode_position(game, document)
    broken = [f"{refusal.because} ({refusal.rule})" for refusal in game.check_position(position, options, board)]
    if broken:
        raise PositionError("; ".join(broken))
    return game.state_from(position, options, board)


class Table:
    """A game at a moment, in memory. It knows the whole truth; `view` returns what a seat may know.

    `seed` is 64 hex digits. The dice derive from it as in a log, so the same moves give the same game.
    """

    def __init__(self, game: AnyGame, options: Options, state: Any, seats: tuple[Seat, ...], seed: str) -> None:
        self.game, self.options, self.state, self.seats, self.seed = game, options, state, seats, seed
        self.draws: DrawCounts = {}
        """The number of rolls so far: open ones under None, secret ones under their seat."""

    def __repr__(self) -> str:
        return f"<{self.game.name}, turn {self.turn}: {self.result or self.status}>"

    @property
    def to_act(self) -> Seat | None:
        """The seat to move; None when the game is over."""
        return self.game.to_act(self.state)

    @property
    def turn(self) -> int:
        """The number of the turn being played, from 1."""
        return self.game.get_turn_number(self.state)

    @property
    def status(self) -> str:
        """The phase, dice and score in one line, as spectators see them."""
        return self.game.status(self.view(None))

    @property
    def result(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        return self.game.outcome(self.state)

    def view(self, seat: Seat | None) -> Any:
        """Returns what a seat may know; None stands for a spectator."""
        return self.game.view(self.state, seat)

    def legal(self, by: Seat | None = None) -> LegalActions:
        """Returns all legal actions of a seat, by default of the seat to move; none after the end."""
        seat = by or self.to_act
        return self.game.legal(self.view(seat), seat) if seat else LegalActions()

    def why(self, action: Action | str, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Returns a refusal for every rule that an action breaks; none if it is legal.

        Raises NotUnderstoodError for unknown words.
        """
        seat = self.find_speaker(by)
        return tuple(self.game.check(self.view(seat), seat, self.read(action, seat)))

    def do(self, action: Action | str, by: Seat | None = None, faces: Iterable[TypedDie] | None = None) -> Verdict:
        """Plays an action, given as an object or in words, and returns the verdict.

        `LegalVerdict` says what happened; `IllegalVerdict` and `PendingVerdict` change nothing. Dice come from the seed
        unless `faces` are given. Questions to other seats are answered at once. Raises NotUnderstoodError for unknown
        words, and DiceError for impossible faces.
        """
        source = TypedSource(faces, self.draws, os.urandom) if faces is not None else self.make_dice_source()
        verdict = self.judge(action, by, source)
        if isinstance(verdict, LegalVerdict):
            self._go_on(verdict, source)
        return verdict

    def judge(self, action: Action | str, by: Seat | None, source: Source) -> Verdict:
        """Returns the verdict on an action with dice from any source. Nothing is played."""
        seat = self.find_speaker(by)
        return adjudicate(self.game, self.state, seat, self.read(action, seat), source)

    def make_dice_source(self) -> SeededSource:
        """Returns the source of the dice that come next."""
        return SeededSource(derive_seat_seeds(self.seed, self.seats), self.draws)

    def find_speaker(self, by: Seat | None = None) -> Seat:
        """Returns the seat that speaks: the named one, else the seat to move; after the end the first seat."""
        return by or self.to_act or self.seats[0]

    def read(self, action: Action | str, by: Seat | None = None) -> Action:
        """Returns the action that words mean now, or the given action. Raises NotUnderstoodError for unknown words."""
        if not isinstance(action, str):
            return action
        seat = self.find_speaker(by)
        read: Action = self.game.parse(action, self.view(seat), seat)
        return read

    def text(self, action: Action) -> str:
        """Returns the canonical words of an action."""
        return self.game.format(action)

    def copy(self, seed: str | None = None) -> Self:
        """Returns a copy of this game that is played on separately; with other dice if a seed is given."""
        other = copy(self)
        other.seed = self.seed if seed is None else convert(seed, SeedHex)
        return other

    def with_state(self, state: Any) -> Self:
        """Returns a copy of this game in another state."""
        other = copy(self)
        other.state = state
        return other

    def guess(self, seat: Seat | None, seed: str) -> Self:
        """Returns the game as it may really be, given what a seat knows: a guess replaces the secrets of others.

        `seed` decides the guess and all later dice. None stands for a spectator.
        """
        return self.with_state(self.game.guess(self.view(seat), seat, Random(seed))).copy(seed)

    def _go_on(self, verdict: LegalVerdict, source: SeededSource | TypedSource) -> None:
        self.state, self.draws = verdict.state, source.draws
        self.state = give_all_answers(self.game, self.state)


@lru_cache(maxsize=64)
def derive_seat_seeds(seed: str, seats: tuple[Seat, ...]) -> Mapping[Seat | None, str]:
    """Returns the seed of the open dice, under None, and of each seat's secret dice."""
    return {None: seed} | {seat: sha256(f"{seed} {seat}".encode()).hexdigest() for seat in seats}


def give_all_answers(game: AnyGame, state: Any) -> Any:
    """Returns the state after all owed answers were given. Raises UnknownError if the state lacks a needed secret."""
    while game.awaits_answer(state):
        seat = game.to_act(state)
        assert seat is not None, "a seat owes this answer"
        verdict = adjudicate(game, state, seat, find_forced_answer(game, game.view(state, seat), seat), TypedSource(()))
        assert isinstance(verdict, LegalVerdict), "an owed answer is legal and rolls no dice"
        state = verdict.state
    return state
