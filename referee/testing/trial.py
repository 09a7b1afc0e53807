"""Random games for laws. A trial has many random games; a spot is a moment of one, with the action that was played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from random import Random
from typing import Any, get_args, get_type_hints

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.choice import Action, Choice
from referee.engine.component import read_toml
from referee.engine.dice_source import DrawCounts, SeededSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame, view_for
from referee.engine.legal import LegalActions
from referee.engine.option_resolution import fill_options
from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.engine.text import NotUnderstoodError

MAX_ACTIONS = 5_000
"""The number of actions after which a random game should have ended."""
GAMES_PER_VALUE = 2
"""The fewest games in which each value of an option is tried."""
FEWEST_GAMES = 12
"""The fewest games of a trial, for games with few options or none."""
SPOTS_PER_GAME = 5
"""The number of spots of each game that laws are tried on, besides its first and last."""
LOGGED_GAMES = 3
"""The number of games that are written as logs."""
MAX_OPTION_TRIES = 500
"""The number of attempts to find options that may be combined."""
CENTRAL_LAW = "an action is legal exactly when no rule forbids it"
"""The law without which no random game can be played."""


class Trial:
    """Random games of one game."""

    def __init__(
        self, game: AnyGame, games: int, seed: int, longest: int, own: Mapping[str, Any] | None = None
    ) -> None:
        """Prepares random games. `own` are decoded files, by component, that replace the shipped ones."""
        self.game, self.seed, self.longest = game, seed, longest
        self.own = own or {}
        self.where = ""
        """The present game or spot, for the sentence about a breach."""
        self._games = games

    @cached_property
    def random_games(self) -> list[RandomGame]:
        """Enough games to try each value of each option `GAMES_PER_VALUE` times, and at least `FEWEST_GAMES`.

        More games are played if the caller asked for more.
        """
        plays: list[RandomGame] = []
        tried: Counter[tuple[str, str]] = Counter()
        for number, value in enumerate(self._values_to_try):
            if tried[value] < GAMES_PER_VALUE:
                plays.append(self.make_random_game(number))
                tried.update(plays[-1].options.items())
        values, due = len(self._values_to_try), max(FEWEST_GAMES, self._games)
        return plays + [self.make_random_game(values + more) for more in range(max(1, due - len(plays)))]

    @cached_property
    def _values_to_try(self) -> list[tuple[str, str]]:
        """All pairs of an option's name and one of its values. The random games have to try each pair."""
        return [(option.name, value) for option in self.game.options for value in option.values]

    def read_components(self, options: Options) -> dict[str, Any]:
        """Returns the decoded files of all components under these options."""
        shipped = (part for part in self.game.components if part.name not in self.own)
        return {**self.own, **{part.name: read_toml(part.shipped(options)) for part in shipped}}

    def make_random_game(self, number: int) -> RandomGame:
        """Returns a game by its number. The game is the same however many are played."""
        return RandomGame(self, number, self._values_to_try[number] if number < len(self._values_to_try) else None)

    def report_endless_games(self) -> Iterator[str]:
        """Yields a breach for each game that does not end within `longest` actions."""
        for play in self._name_each(self.random_games):
            if not play.spots or self.game.outcome(play.spots[-1].played.state) is None:
                yield f"after {len(play.spots)} actions it still goes on"

    def report_stuck_moments(self) -> Iterator[str]:
        """Yields a breach for each moment in which the seat to move can do nothing."""
        for play in self._name_each(self.random_games):
            yield from play.stuck_moments if play.spots else ["nobody can do anything"]

    def _name_each(self, plays: list[RandomGame]) -> Iterator[RandomGame]:
        """Yields games one after another. Meanwhile, `self.where` names the present game for error messages."""
        for play in plays:
            self.where = str(play)
            yield play

    def sample_spots(self) -> Iterator[Spot]:
        """Yields random spots of all games, the same each time.

        Among them are the first and last spot of each game, and a spot for every kind of action. So no phase is missed.
        """
        said: set[type[Action]] = set()
        for play in self.random_games:
            inner = Random(play.seed).sample(range(1, len(play.spots)), min(SPOTS_PER_GAME, len(play.spots) - 1))
            kinds = {type(spot.action): spot.at for spot in reversed(play.spots)}
            new = [at for kind, at in kinds.items() if kind not in said]
            said.update(kinds)
            for at in sorted({0, len(play.spots) - 1, *inner, *new}):
                self.where = str(play.spots[at])
                yield play.spots[at]

    def pick_few_games(self) -> Iterator[RandomGame]:
        """Yields a few games, under different options."""
        return self._pick_few(self.random_games)

    def pick_few_games_with_secrets(self) -> Iterator[RandomGame]:
        """Yields a few games in which seats keep secrets, under different options."""
        return self._pick_few([play for play in self.random_games if self.game.list_secret_keepers(play.options)])

    def _pick_few(self, plays: list[RandomGame]) -> Iterator[RandomGame]:
        return self._name_each(plays[:: max(1, len(plays) // LOGGED_GAMES)][:LOGGED_GAMES])


class RandomGame:
    """A random game, played when it is first needed."""

    def __init__(self, trial: Trial, number: int, wanted: tuple[str, str] | None) -> None:
        self.trial, self.game, self.number = trial, trial.game, number
        self.seed = f"{trial.seed}.{number}"
        self.random = Random(self.seed)
        self.options = self._pick_options(wanted)
        self.seats = self.game.seats(self.options)
        self.seeds: dict[str | None, str] = {
            seat: f"{self.random.getrandbits(256):064x}" for seat in (None, *self.seats)
        }
        self.board = self.game.build_board(trial.read_components(self.options), self.options)
        self.stuck_moments: list[str] = []
        """Sentences about moments in which the seat to move could do nothing; filled while the game is played."""

    def __str__(self) -> str:
        chosen = {option.name: option.default for option in self.game.options}.items() ^ self.options.items()
        options = sorted(f"{name}={value}" for name, value in chosen if self.options[name] == value)
        return f"in game {self.number} of seed {self.trial.seed} ({', '.join(options) or 'no options chosen'})"

    def _pick_options(self, wanted: tuple[str, str] | None) -> Options:
        """Returns random options that may be combined, one of them as wanted."""
        for _ in range(MAX_OPTION_TRIES):
            given = {o.name: self.random.choice(o.values) for o in self.game.options if self.random.random() < 0.4}
            settled = fill_options(self.game, given | dict([wanted] if wanted else []))
            if not any(self.game.check_options(settled)):
                return settled
        raise AssertionError(f"{self.game.name}: no combination of options allows {wanted}")

    @cached_property
    def spots(self) -> list[Spot]:
        """A spot for every action of the game, in order."""
        return list(self.play_through())

    def play_through(self) -> Iterator[Spot]:
        """Plays the game, and yields a spot for each action. Raises AssertionError if a legal action is not played."""
        game, state = self.game, self.game.setup(self.options, self.board)
        draws: DrawCounts = {}
        at = 0
        while at < self.trial.longest and (legal := self._list_legal(state, at)):
            seat = self.random.choice(list(legal))
            source = SeededSource(self.seeds, draws)
            action = legal[seat].pick(self.random)
            self.trial.where = f"{self}, after {at} actions, when {seat} says {game.format(action)!r}"
            played = adjudicate(game, state, seat, action, source)
            if not isinstance(played, LegalVerdict):
                raise AssertionError(f"{game.name} breaks the law {CENTRAL_LAW!r} {self.trial.where}: it is {played}")
            yield Spot(self, at, state, seat, action, played, draws)
            self._gather_values(legal[seat])
            state, draws, at = played.state, source.draws, at + 1
        self.trial.where = str(self)

    def _list_legal(self, state: Any, at: int) -> dict[Seat, LegalActions]:
        """Returns the legal actions of every seat that may act after a number of actions."""
        pen, may = self.game.to_act(state), self.game.list_other_actors(state)
        legal = {seat: self.game.legal(view_for(self.game, state, seat), seat) for seat in (pen, *may) if seat}
        if pen and not legal[pen]:
            self.stuck_moments.append(f"after {at} actions {pen} is to act, and nothing is legal")
        return {seat: offered for seat, offered in legal.items() if offered}

    @cached_property
    def example_values(self) -> dict[str, list[Any]]:
        """Examples of the values that were offered for fields of each type, from the whole game."""
        return defaultdict(list)

    def _gather_values(self, legal: LegalActions) -> None:
        for choice in legal.choices if self.random.random() < 0.2 or len(self.example_values) < 10 else ():
            hints = describe_field_types(choice.kind)
            for name, slot in choice.slots.items():
                self.example_values[hints[name]].append(slot.pick(self.random))


_hints: dict[type, dict[str, str]] = {}


def describe_field_types(kind: type) -> dict[str, str]:
    """Returns the type of each field of an action, as text. A value of one field fits every field of the same type."""
    if kind not in _hints:
        types = get_type_hints(kind, include_extras=True)
        _hints[kind] = {name: str(types[name]) for name in kind.__struct_fields__}  # type: ignore[attr-defined]
    return _hints[kind]


class Spot:
    """A moment of a random game, and the action that was played in it."""

    def __init__(
        self,
        play: RandomGame,
        at: int,
        state: Any,
        seat: Seat,
        action: Action,
        played: LegalVerdict,
        draws: DrawCounts,
    ) -> None:
        self.play, self.game, self.at = play, play.game, at
        self.state, self.seat, self.action, self.played = state, seat, action, played
        self.draws = draws

    def __str__(self) -> str:
        return f"{self.play}, after {self.at} actions, when {self.seat} could say {self.game.format(self.action)!r}"

    @property
    def random(self) -> Random:
        """A fresh source of random numbers for this spot, the same each time."""
        return Random(f"{self.play.seed}.{self.at}")

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """All seats, and None for a spectator."""
        return (*self.play.seats, None)

    def view(self, seat: Seat | None) -> Any:
        """Returns the state as a seat may know it; None stands for a spectator."""
        return view_for(self.game, self.state, seat)

    def make_fresh_view(self, seat: Seat | None) -> Any:
        """Returns a view, made anew from a copy of the state without cached values."""
        return view_for(self.game, copy(self.state), seat)

    @property
    def views_with_viewers(self) -> list[tuple[Seat | None, Any]]:
        """Each view with one of its viewers. If several share a view, the last of them counts."""
        views = [(viewer, self.view(viewer)) for viewer in self.viewers]
        return list({id(view): (viewer, view) for viewer, view in views}.values())

    @cached_property
    def legal(self) -> dict[Seat, LegalActions]:
        """The legal actions of each seat."""
        return {seat: self.game.legal(self.view(seat), seat) for seat in self.play.seats}

    def awaits_no_answer(self, seat: Seat) -> bool:
        """True if no other seat owes an answer that must come before this seat can act."""
        return not self.game.awaits_answer(self.state) or seat == self.game.to_act(self.state)

    @cached_property
    def tried_actions(self) -> list[tuple[Seat, Action, tuple[Refusal, ...]]]:
        """Actions of all kinds, legal and illegal, by every seat, with the rules that forbid them."""
        random = self.random
        found = [(seat, action) for seat in self.play.seats for action in self._actions_to_try(seat, random)]
        return [(seat, said, tuple(self.game.check(self.make_fresh_view(seat), seat, said))) for seat, said in found]

    def _actions_to_try(self, seat: Seat, random: Random) -> Iterator[Action]:
        """Yields actions to try: legal ones of every seat, others that were played at other spots, invented ones."""
        for legal in self.legal.values():
            yield from legal if len(legal) <= 20 else (legal.pick(random) for _ in range(10))
        others = random.sample(self.play.spots, min(6, len(self.play.spots)))
        wild = [self._invent_action(kind, random) for kind in _list_kinds(self.game.action_types) for _ in range(2)]
        for action in (*(spot.action for spot in others), *wild):
            read = self.retype_action(action, seat) if action else None
            if read is not None:
                yield read

    def retype_action(self, action: Action, seat: Seat) -> Action | None:
        """Returns an action as a seat would type it, in canonical order; None if it cannot be typed here."""
        try:
            read: Action = self.game.parse(self.game.format(action), self.view(seat), seat)
        except NotUnderstoodError:
            return None
        return read

    def _invent_action(self, kind: type[Action], random: Random) -> Action | None:
        """Returns an action with random values from the whole game; None if there is no value for a field."""
        fields = {name: self.play.example_values.get(hint) for name, hint in describe_field_types(kind).items()}
        if not all(fields.values()):
            return None
        return kind(**{name: _pick_or_mix(values or [], random) for name, values in fields.items()})

    def find_position_refusal(self, state: Any) -> Refusal | None:
        """Writes a state as a position, and returns the refusal of the first rule that this position breaks; None if it
        breaks no rule.
        """
        position = self.game.position_from(state)
        return next(self.game.check_position(position, self.play.options, self.play.board), None)

    def make_dice_source(self) -> SeededSource:
        """Returns the source of the dice that come next at this spot."""
        return SeededSource(self.play.seeds, self.draws)

    def sample_actions(self, legal: LegalActions, most: int = 6, *, refills: bool = True) -> list[Any]:
        """Returns at most `most` random legal actions: one of each choice.

        If the choices are few and `refills` is true, some of them are picked from more than once.
        """
        random = self.random
        choices: list[Choice] = random.sample(legal.choices, min(most, len(legal.choices)))
        more = [random.choice(choices) for _ in range(most - len(choices))] if choices and refills else []
        return list(dict.fromkeys(choice.pick(random) for choice in (*choices, *more)))


def _pick_or_mix(values: list[Any], random: Random) -> Any:
    """Returns one of these values at random; for tuples, sometimes a mixture of two."""
    one, other = random.choice(values), random.choice(values)
    if isinstance(one, tuple) and random.random() < 0.3:
        return tuple(dict.fromkeys((*one, *random.sample(other, min(2, len(other))))))
    return one


def _list_kinds(actions: Any) -> tuple[type[Action], ...]:
    return get_args(actions) or (actions,)
