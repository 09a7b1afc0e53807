"""Rare spots: moments of random games that reach lines of the rules' code which no game has reached before.

Few games reach such lines. So each run goes on where the last one stopped, and visits the rare spots of earlier runs
again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import monotonic
from types import ModuleType
from urllib.parse import quote

from referee.engine.game import AnyGame, Game
from referee.testing.citations import list_game_modules
from referee.testing.kept_spots import MAX_SPOTS, KeptSpots, read_kept_spots, write_kept_spots
from referee.testing.reached_lines import LineTracer
from referee.testing.trial import RandomGame, Spot, Trial

SEARCH_SECONDS = 10
"""The seconds after which the search for rare spots plays no further game."""


class RareSpots:
    """The rare spots of a game: the moments in random games that reached new lines of its code. They are kept in a
    folder.
    """

    def __init__(self, trial: Trial, folder: Path) -> None:
        self._trial = trial
        self._path = folder / f"{quote(trial.game.name, safe='')}-{trial.seed}.json"
        self._searched: dict[int, RandomGame] = {}
        """The games with rare spots that this run has played, by number."""

    def list_usual_and_rare_spots(self) -> Iterator[Spot]:
        """Yields the usual spots of the trial, then the rare ones."""
        yield from self._trial.sample_spots()
        for spot in self.spots:
            self._trial.where = str(spot)
            yield spot

    @cached_property
    def spots(self) -> list[Spot]:
        """The rare spots of earlier runs and of this one, in the order in which they were found. The first use starts
        the search.
        """
        modules = _list_all_modules(self._trial.game)
        kept = read_kept_spots(self._path, _hash_modules(modules))
        try:
            self._search(kept, LineTracer(modules, kept.reached))
        finally:
            write_kept_spots(self._path, kept)
        return list(self._find_spots(kept))

    def _search(self, kept: KeptSpots, tracer: LineTracer) -> None:
        """Plays games until time is up. A game that cannot be played is tried again in the next run."""
        until = monotonic() + SEARCH_SECONDS
        while len(kept.spots) < MAX_SPOTS:
            self._search_game(kept.first[0] if kept.first else kept.next, kept, tracer)
            if kept.first:
                kept.first.pop(0)
            else:
                kept.next += 1
            if monotonic() >= until:
                return

    def _search_game(self, number: int, kept: KeptSpots, tracer: LineTracer) -> None:
        """Plays a game and keeps its rare spots."""
        play = self._trial.make_random_game(number)
        course = list(tracer.trace_items(play.play_through()))
        play.spots = [spot for spot, _ in course]
        rare = [(number, spot.at) for spot, is_rare in course if is_rare]
        if rare:
            self._searched[number] = play
            kept.spots += rare[: MAX_SPOTS - len(kept.spots)]
        kept.reached = tracer.reached_lines

    def _find_spots(self, kept: KeptSpots) -> Iterator[Spot]:
        """Yields the kept spots. A spot that its game does not have is ignored."""
        plays = {play.number: play for play in self._trial.random_games} | self._searched
        for number, at in kept.spots:
            if number not in plays:
                plays[number] = self._trial.make_random_game(number)
            yield from plays[number].spots[at : at + 1]


def _list_all_modules(game: AnyGame) -> list[ModuleType]:
    """Returns the modules of a game's package, and the modules of all classes from which the game is derived."""
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    found = [*list_game_modules(type(game)), *(sys.modules[kind.__module__] for kind in kinds)]
    return list({str(module.__file__): module for module in found}.values())


def _hash_modules(modules: list[ModuleType]) -> str:
    """Returns a hash of the source files of these modules."""
    said = sha256()
    for module in modules:
        said.update(sha256(Path(str(module.__file__)).read_bytes()).digest())
    return said.hexdigest()
