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

from referee.engine.adjudicate import Played, Verdict, adjudicate, answer_to
from referee.engine.choosing import choose_options
from referee.engine.component import read_toml
from referee.engine.dice import SeedHex, Source, Typed
from referee.engine.event import Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.options import Options
from referee.engine.position import decode_position
from referee.engine.registry import find_game
from referee.engine.ruling import Refusal
from referee.engine.source import Draws, OpenSource, TypedSource


class PositionError(ValueError):
    """A position that breaks rules; the message names them."""


def table(
    game: str | AnyGame,
    options: Mapping[str, str] | None = None,
    *,
    names: Sequence[str] = (),
    seed: str | None = None,
    own: Mapping[str, Any] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Table:
    """Begin a game in memory.

    `names` are those who play, where seats are made from them; `seed` is 64 hex digits, drawn at random unless given;
    `own` are decoded files of the players' own, by component; `position` is one to start from. UnknownGameError,
    OptionError, BoardError, PositionError, msgspec.ValidationError say what is wrong.
    """
    if seed is not None:
        convert(seed, SeedHex)
    module = find_game(game) if isinstance(game, str) else game
    settled = choose_options(module, {**module.options_of(tuple(names)), **(options or {})})
    shipped = {part.name: part for part in module.components if part.name not in (own or {})}
    parts = {name: read_toml(part.shipped(settled)) for name, part in shipped.items()}
    board = module.build({**parts, **(own or {})}, settled)
    state = module.setup(settled, board) if position is None else placed(module, position, settled, board)
    return Table(module, settled, state, module.seats(settled, tuple(names)), seed or os.urandom(32).hex())


def placed(game: AnyGame, document: Any, options: Options, board: Any) -> Any:
    """The state of a decoded position; PositionError."""
    position = decode_position(game, document)
    broken = [f"{refusal.because} ({refusal.rule})" for refusal in game.check_position(position, options, board)]
    if broken:
        raise PositionError("; ".join(broken))
    return game.place(position, options, board)


class Table:
    """A game at a moment, in memory. Whoever holds it knows the truth: what a seat may know is its `view`.

    `seed` is 64 hex digits from which dice are derived as in a log: with the same plays it gives the same game.
    """

    def __init__(self, game: AnyGame, options: Options, state: Any, seats: tuple[Seat, ...], seed: str) -> None:
        self.game, self.options, self.state, self.seats, self.seed = game, options, state, seats, seed
        self.draws: Draws = {}
        """Throws made so far: those that everybody sees under None, those in secret under the seat."""

    def __repr__(self) -> str:
        return f"<{self.game.name}, turn {self.turn}: {self.result or self.status}>"

    @property
    def to_act(self) -> Seat | None:
        """Who has to act; None when the game is over."""
        return self.game.to_act(self.state)

    @property
    def turn(self) -> int:
        """Number of the turn being played, from 1."""
        return self.game.turn_of(self.state)

    @property
    def status(self) -> str:
        """Phase, dice and score in one line, as spectators see it."""
        return self.game.status(self.view(None))

    @property
    def result(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome(self.state)

    def view(self, seat: Seat | None) -> Any:
        """What a seat may know; None: a spectator."""
        return self.game.view(self.state, seat)

    def legal(self, by: Seat | None = None) -> Legal:
        """Everything a seat may do now; who has to act, unless another is named. Nothing after the end."""
        seat = by or self.to_act
        return self.game.legal(self.view(seat), seat) if seat else Legal()

    def why(self, action: Action | str, by: Seat | None = None) -> tuple[Refusal, ...]:
        """Every rule that an action breaks; empty when it is legal. NotUnderstoodError for words that mean nothing."""
        seat = self.speaker(by)
        return tuple(self.game.check(self.view(seat), seat, self.read(action, seat)))

    def do(self, action: Action | str, by: Seat | None = None, faces: Iterable[Typed] | None = None) -> Verdict:
        """Play an action, or its words. `Played` says what happened; `Refused` and `Awaiting` leave the game as it was.

        Dice come from the seed unless `faces` are given. What others are asked meanwhile is answered.
        NotUnderstoodError for words that mean nothing here, DiceError for impossible faces.
        """
        source = TypedSource(faces, self.draws, os.urandom) if faces is not None else self.dice()
        verdict = self.judged(action, by, source)
        if isinstance(verdict, Played):
            self._go_on(verdict, source)
        return verdict

    def judged(self, action: Action | str, by: Seat | None, source: Source) -> Verdict:
        """The verdict on an action with dice from anywhere; nothing is played."""
        seat = self.speaker(by)
        return adjudicate(self.game, self.state, seat, self.read(action, seat), source)

    def dice(self) -> OpenSource:
        """The dice that are due."""
        return OpenSource(seeds_of(self.seed, self.seats), self.draws)

    def speaker(self, by: Seat | None = None) -> Seat:
        """Who speaks: who is named, else who has to act; after the end the first seat."""
        return by or self.to_act or self.seats[0]

    def read(self, action: Action | str, by: Seat | None = None) -> Action:
        """The action that words mean here; NotUnderstoodError."""
        if not isinstance(action, str):
            return action
        seat = self.speaker(by)
        read: Action = self.game.parse(action, self.view(seat), seat)
        return read

    def text(self, action: Action) -> str:
        """The canonical words of an action."""
        return self.game.format(action)

    def copy(self, seed: str | None = None) -> Self:
        """The same moment, to be played on apart from this one; with other dice to come, if a seed is given."""
        other = copy(self)
        other.seed = self.seed if seed is None else convert(seed, SeedHex)
        return other

    def at(self, state: Any) -> Self:
        """Another moment of the same game."""
        other = copy(self)
        other.state = state
        return other

    def guessed(self, seat: Seat | None, seed: str) -> Self:
        """The game as it could be for all that a seat knows: its secrets as they are, others' drawn at random."""
        return self.at(self.game.guess(self.view(seat), seat, Random(seed))).copy(seed)

    def _go_on(self, verdict: Played, source: OpenSource | TypedSource) -> None:
        self.state, self.draws = verdict.state, source.draws
        self.state = answered(self.game, self.state)


@lru_cache(maxsize=64)
def seeds_of(seed: str, seats: tuple[Seat, ...]) -> Mapping[Seat | None, str]:
    """The seed of the dice that everybody sees, under None, and of those that each seat throws unseen."""
    return {None: seed} | {seat: sha256(f"{seed} {seat}".encode()).hexdigest() for seat in seats}


def answered(game: AnyGame, state: Any) -> Any:
    """A state after everybody has answered what only he knows; UnknownError where it is no whole truth."""
    while game.asks(state):
        seat = game.to_act(state)
        assert seat is not None, "somebody is asked"
        verdict = adjudicate(game, state, seat, answer_to(game, game.view(state, seat), seat), TypedSource(()))
        assert isinstance(verdict, Played), "an answer is legal, and throws nothing"
        state = verdict.state
    return state
