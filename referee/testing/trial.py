"""Random games to try laws on: plays, and spots in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from random import Random
from typing import Any, get_args, get_type_hints

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.choosing import settle_options
from referee.engine.component import read_toml
from referee.engine.event import Seat
from referee.engine.game import AnyGame, look
from referee.engine.legal import Action, Choice, Legal
from referee.engine.options import Options
from referee.engine.ruling import Refusal
from referee.engine.source import Draws, OpenSource
from referee.engine.text import NotUnderstoodError

LONGEST = 5_000
"""Actions after which a random game should have ended."""
OFTEN = 2
"""Games in which each value of an option is tried."""
SPOTS = 5
"""Spots of each game that laws are tried on, besides its first and last."""
FEW = 3
"""Games of which logs are written."""
TRIES = 500
CENTRAL = "an action is legal exactly when no rule forbids it"
"""The law without which no random game can be played."""


class Trial:
    """Random games of one game."""

    def __init__(self, game: AnyGame, games: int, seed: int, longest: int) -> None:
        self.game, self.seed, self.longest = game, seed, longest
        self.where = ""
        """What is being looked at, for the sentence about a breach."""
        self._games = games

    @cached_property
    def plays(self) -> list[Play]:
        """Games enough to try each value of each option `OFTEN` or more often, and as many more as were asked for."""
        wanted = [(option.name, value) for option in self.game.options for value in option.values]
        plays: list[Play] = []
        tried: Counter[tuple[str, str]] = Counter()
        for number, value in enumerate(wanted):
            if tried[value] < OFTEN:
                plays.append(Play(self, number, value))
                tried.update(plays[-1].options.items())
        more = range(len(wanted), len(wanted) + max(1, self._games - len(plays)))
        return plays + [Play(self, number, None) for number in more]

    def endless(self) -> Iterator[str]:
        """Games that do not end."""
        for play in self._named(self.plays):
            if not play.spots or self.game.outcome(play.spots[-1].played.state) is None:
                yield f"after {len(play.spots)} actions it goes on still"

    def stuck(self) -> Iterator[str]:
        """Moments of all games, every one, in which who has to act can do nothing."""
        for play in self._named(self.plays):
            yield from play.stuck if play.spots else ["nobody can do anything"]

    def _named(self, plays: list[Play]) -> Iterator[Play]:
        """Games one after another, each named while it is looked at."""
        for play in plays:
            self.where = str(play)
            yield play

    def spots(self) -> Iterator[Spot]:
        """Spots of all games, at random but always the same; among them the first and the last ones, and for every kind
        of action one where it was said: so all phases are seen that came up.
        """
        said: set[type[Action]] = set()
        for play in self.plays:
            inner = Random(play.seed).sample(range(1, len(play.spots)), min(SPOTS, len(play.spots) - 1))
            kinds = {type(spot.action): spot.at for spot in reversed(play.spots)}
            new = [at for kind, at in kinds.items() if kind not in said]
            said.update(kinds)
            for at in sorted({0, len(play.spots) - 1, *inner, *new}):
                self.where = str(play.spots[at])
                yield play.spots[at]

    def few(self) -> Iterator[Play]:
        """A few games, under different options."""
        return self._few(self.plays)

    def few_with_secrets(self) -> Iterator[Play]:
        """The same of those in which somebody keeps secrets."""
        return self._few([play for play in self.plays if self.game.keepers(play.options)])

    def _few(self, plays: list[Play]) -> Iterator[Play]:
        return self._named(plays[:: max(1, len(plays) // FEW)][:FEW])


class Play:
    """A random game, played when it is first looked at."""

    def __init__(self, trial: Trial, number: int, wanted: tuple[str, str] | None) -> None:
        self.trial, self.game, self.number = trial, trial.game, number
        self.seed = f"{trial.seed}.{number}"
        self.random = Random(self.seed)
        self.options = self._options(wanted)
        self.seats = self.game.seats(self.options)
        self.seeds: dict[str | None, str] = {
            seat: f"{self.random.getrandbits(256):064x}" for seat in (None, *self.seats)
        }
        parts = {part.name: read_toml(part.shipped(self.options)) for part in self.game.components}
        self.board = self.game.build(parts, self.options)
        self.stuck: list[str] = []
        """Where somebody is to act who cannot, once the game is played."""

    def __str__(self) -> str:
        chosen = {option.name: option.default for option in self.game.options}.items() ^ self.options.items()
        options = sorted(f"{name}={value}" for name, value in chosen if self.options[name] == value)
        return f"in game {self.number} of seed {self.trial.seed} ({', '.join(options) or 'no options chosen'})"

    def _options(self, wanted: tuple[str, str] | None) -> Options:
        """Options at random that go together, one of them as wanted."""
        for _ in range(TRIES):
            given = {o.name: self.random.choice(o.values) for o in self.game.options if self.random.random() < 0.4}
            settled = settle_options(self.game, given | dict([wanted] if wanted else []))
            if not any(self.game.check_options(settled)):
                return settled
        raise AssertionError(f"{self.game.name}: the option {wanted} goes together with nothing")

    @cached_property
    def spots(self) -> list[Spot]:
        """Every action of the game, in order."""
        game, state = self.game, self.game.setup(self.options, self.board)
        spots: list[Spot] = []
        draws: Draws = {}
        while len(spots) < self.trial.longest and (legal := self._legal(state, len(spots))):
            seat = self.random.choice(list(legal))
            source = OpenSource(self.seeds, draws)
            action = legal[seat].pick(self.random)
            self.trial.where = f"{self}, after {len(spots)} actions, when {seat} says {game.format(action)!r}"
            played = adjudicate(game, state, seat, action, source)
            if not isinstance(played, Played):
                raise AssertionError(f"{game.name} breaks the law {CENTRAL!r} {self.trial.where}: it is {played}")
            spots.append(Spot(self, len(spots), state, seat, action, played, draws))
            self._gather(legal[seat])
            state, draws = played.state, source.draws
        self.trial.where = str(self)
        return spots

    def _legal(self, state: Any, at: int) -> dict[Seat, Legal]:
        """What everybody may do who may do something after so many actions."""
        pen, may = self.game.to_act(state), self.game.may_act(state)
        legal = {seat: self.game.legal(look(self.game, state, seat), seat) for seat in (pen, *may) if seat}
        if pen and not legal[pen]:
            self.stuck.append(f"after {at} actions {pen} is to act, and nothing is legal")
        return {seat: offered for seat, offered in legal.items() if offered}

    @cached_property
    def values(self) -> dict[str, list[Any]]:
        """What fields of each type may hold: what was offered anywhere in the game."""
        return defaultdict(list)

    def _gather(self, legal: Legal) -> None:
        for choice in legal.choices if self.random.random() < 0.2 or len(self.values) < 10 else ():
            hints = hints_of(choice.kind)
            for name, slot in choice.slots.items():
                self.values[hints[name]].append(slot.pick(self.random))


_hints: dict[type, dict[str, str]] = {}


def hints_of(kind: type) -> dict[str, str]:
    """The type of each field of an action, as a word: fields of one type can take each other's values."""
    if kind not in _hints:
        types = get_type_hints(kind, include_extras=True)
        _hints[kind] = {name: str(types[name]) for name in kind.__struct_fields__}  # type: ignore[attr-defined]
    return _hints[kind]


class Spot:
    """A moment of a random game, and what was done in it."""

    def __init__(
        self,
        play: Play,
        at: int,
        state: Any,
        seat: Seat,
        action: Action,
        played: Played,
        draws: Draws,
    ) -> None:
        self.play, self.game, self.at = play, play.game, at
        self.state, self.seat, self.action, self.played = state, seat, action, played
        self.draws = draws

    def __str__(self) -> str:
        return f"{self.play}, after {self.at} actions, when {self.seat} could say {self.game.format(self.action)!r}"

    @property
    def random(self) -> Random:
        """Dice of its own, the same each time."""
        return Random(f"{self.play.seed}.{self.at}")

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """All seats, and spectators."""
        return (*self.play.seats, None)

    def view(self, seat: Seat | None) -> Any:
        """What a seat may know."""
        return look(self.game, self.state, seat)

    def afresh(self, seat: Seat | None) -> Any:
        """The same, of which nothing is known yet that was worked out before."""
        return look(self.game, copy(self.state), seat)

    @property
    def looks(self) -> list[tuple[Seat | None, Any]]:
        """Each view with one who has it; where several see the very same, the last of them."""
        views = [(viewer, self.view(viewer)) for viewer in self.viewers]
        return list({id(view): (viewer, view) for viewer, view in views}.values())

    @cached_property
    def legal(self) -> dict[Seat, Legal]:
        """What each seat may do."""
        return {seat: self.game.legal(self.view(seat), seat) for seat in self.play.seats}

    def answers(self, seat: Seat) -> bool:
        """Whether nothing is awaited from another seat before this one can do what is legal for it."""
        return not self.game.asks(self.state) or seat == self.game.to_act(self.state)

    @cached_property
    def tried(self) -> list[tuple[Seat, Action, tuple[Refusal, ...]]]:
        """Actions of all kinds, legal ones and others, said by every seat, and what forbids them."""
        random = self.random
        found = [(seat, action) for seat in self.play.seats for action in self._sayings(seat, random)]
        return [(seat, said, tuple(self.game.check(self.afresh(seat), seat, said))) for seat, said in found]

    def _sayings(self, seat: Seat, random: Random) -> Iterator[Action]:
        """What is legal for this seat and for others, what was said at other times, and what never was."""
        for legal in self.legal.values():
            yield from legal if len(legal) <= 20 else (legal.pick(random) for _ in range(10))
        others = random.sample(self.play.spots, min(6, len(self.play.spots)))
        wild = [self._wild(kind, random) for kind in _kinds(self.game.actions) for _ in range(2)]
        for action in (*(spot.action for spot in others), *wild):
            read = self.read(action, seat) if action else None
            if read is not None:
                yield read

    def read(self, action: Action, seat: Seat) -> Action | None:
        """An action as a seat would say it, in canonical order; None when it cannot be said here."""
        try:
            read: Action = self.game.parse(self.game.format(action), self.view(seat), seat)
        except NotUnderstoodError:
            return None
        return read

    def _wild(self, kind: type[Action], random: Random) -> Action | None:
        """An action of a kind with fields from anywhere; None when nothing is known for one of them."""
        fields = {name: self.play.values.get(hint) for name, hint in hints_of(kind).items()}
        if not all(fields.values()):
            return None
        return kind(**{name: _mixed(values or [], random) for name, values in fields.items()})

    def why_refused(self, state: Any) -> Refusal | None:
        """Why a state, as a position, could not be played from."""
        position = self.game.position_of(state)
        return next(self.game.check_position(position, self.play.options, self.play.board), None)

    def source(self) -> OpenSource:
        """The dice that are due here."""
        return OpenSource(self.play.seeds, self.draws)

    def some(self, legal: Legal, most: int = 6) -> list[Any]:
        """Some legal actions: of each choice one, as far as there are not too many."""
        random = self.random
        choices: list[Choice] = random.sample(legal.choices, min(most, len(legal.choices)))
        return [choice.pick(random) for choice in choices]


def _mixed(values: list[Any], random: Random) -> Any:
    """One of these values; of several tuples, now and then a mixture."""
    one, other = random.choice(values), random.choice(values)
    if isinstance(one, tuple) and random.random() < 0.3:
        return tuple(dict.fromkeys((*one, *random.sample(other, min(2, len(other))))))
    return one


def _kinds(actions: Any) -> tuple[type[Action], ...]:
    return get_args(actions) or (actions,)
