"""The laws that every game must obey, for whoever writes one.

    >>> from referee.testing import obey
    >>> def test_laws():
    ...     obey(GAME)

or, each law as a test of its own:

    >>> @pytest.mark.parametrize("law", laws(GAME), ids=str)
    ... def test_law(law):
    ...     law()

Random games are played, under options that go together so that every value of every option is tried. A law that is
broken raises AssertionError with a sentence that names game, law, seed and action; the same seed breaks it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from referee.engine.game import AnyGame
from referee.engine.registry import lend
from referee.testing import contract, edges, guesses, logs, rules, secrets, telling, throws, walk
from referee.testing.trial import CENTRAL, LONGEST, Play, Spot, Trial

OF_THE_GAME: Mapping[str, Callable[[AnyGame], Iterator[str]]] = {
    "every part of the contract is there": contract.sound,
    "every id that is cited exists": contract.cites,
    "what came along later is told": contract.versioned,
    "the position to begin typing from breaks no rule": contract.startable,
}
OF_A_SPOT: Mapping[str, Callable[[Spot], Iterator[str]]] = {
    CENTRAL: rules.legal_or_refused,
    "lists are counted rightly, in a stable order, without duplicates": rules.listed,
    "what is written is read back": rules.read_back,
    "openings are legal": rules.opened,
    "whose turn it is, is clear": rules.settled,
    "what is legal can be played": rules.playable,
    "the dice that are thrown are those announced": rules.announced,
    "luck favours nobody": throws.even,
    "a position is the state": rules.placed,
    "a position is read piece by piece as it is told": rules.amendable,
    "everything can be told and shown": rules.told,
    "every refusal cites a rule that exists": rules.cited,
    "what everybody may ask has one answer in every view": secrets.same_for_all,
    "a view of a view is no more": secrets.views,
    "nobody learns what he may not know": secrets.twins,
    "who folds what he sees comes to his view": secrets.followed,
    "what everybody can tell has happened": secrets.evident,
    "a guess fits what is known": guesses.fitting,
    "what tells a secret is said to tell": telling.said_to_tell,
    "why and do agree on what is nearly right": edges.agreeing,
}
OF_A_TRIAL: Mapping[str, Callable[[Trial], Iterator[str]]] = {
    "random games end": Trial.endless,
    "nobody is stuck before the end": Trial.stuck,
    "all that can be done first keeps to the rules": walk.first_plays,
    "what is kept secret does not follow from what is seen": telling.kept,
}
OF_A_PLAY: Mapping[str, Callable[[Play], Iterator[str]]] = {
    "a log audits clean": logs.audited,
    "who folds what he can open comes to his view": logs.opened,
}


class Law:
    """A law on its way to be tried on one game: call it."""

    def __init__(self, name: str, trial: Trial, breaches: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self.trial, self._breaches = trial, breaches

    def __str__(self) -> str:
        return self.name

    def __call__(self) -> None:
        """Try it; AssertionError tells the first breach. The game need not be installed."""
        try:
            with lend(self.trial.game):
                breach = next(iter(self._breaches()), None)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(self._sentence(f"{type(error).__name__}: {error}")) from error
        if breach:
            raise AssertionError(self._sentence(breach))

    def _sentence(self, breach: str) -> str:
        where = f" {self.trial.where}" if self.trial.where else ""
        return f"{self.trial.game.name} breaks the law {self.name!r}{where}: {breach}"


def laws(game: Any, *, games: int = 0, seed: int = 0, longest: int = LONGEST) -> tuple[Law, ...]:
    """Every law, ready to be called, on the same random games.

    `games` are played at the least, and so many that each value of each option is tried; each ends within `longest`
    actions.
    """
    trial = Trial(game, games, seed, longest)
    return (
        *(Law(name, trial, partial(law, game)) for name, law in OF_THE_GAME.items()),
        *(Law(name, trial, partial(law, trial)) for name, law in OF_A_TRIAL.items()),
        *(Law(name, trial, partial(_each, law, trial.spots)) for name, law in OF_A_SPOT.items()),
        *(Law(name, trial, partial(_each, law, trial.few)) for name, law in OF_A_PLAY.items()),
        Law("a guess can be played on", trial, partial(_each, guesses.played_on, trial.few_with_secrets)),
    )


def obey(game: Any, *, games: int = 0, seed: int = 0, longest: int = LONGEST) -> None:
    """Try all laws on one game; AssertionError tells the first breach."""
    for law in laws(game, games=games, seed=seed, longest=longest):
        law()


def _each(law: Callable[[Any], Iterator[str]], cases: Callable[[], Iterator[Any]]) -> Iterator[str]:
    for case in cases():
        yield from law(case)
