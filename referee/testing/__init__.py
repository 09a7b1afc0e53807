"""The laws that every game must obey, as tests for people who write a game.

    >>> from referee.testing import obey
    >>> def test_laws():
    ...     obey(GAME)

or, each law as a test of its own:

    >>> @pytest.mark.parametrize("law", laws(GAME), ids=str)
    ... def test_law(law):
    ...     law()

A game may also have slow definitions of what its rules mean. Then the lists of the game are compared with them:

    >>> obey(GAME, means=MEANS)

and conditions under which its refusals may cite a rule:

    >>> obey(GAME, cites=CITES)

Laws are tried on random games. Their options may be combined, and every value of every option is tried. A broken law
raises AssertionError with a sentence that names the game, the law, the seed and the action. The same seed breaks the
law again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from referee.engine.game import AnyGame
from referee.engine.registry import register_for_now
from referee.testing import (
    changed_position_laws,
    claims,
    contract,
    event_visibility,
    guess_laws,
    log_laws,
    near_misses,
    roll_laws,
    rule_laws,
    secret_laws,
    state_walk,
    switch_laws,
    word_laws,
)
from referee.testing.claims import CitationCheck
from referee.testing.claims import Claim as Claim
from referee.testing.claims import make_untimely_condition as make_untimely_condition
from referee.testing.comparison import Comparison
from referee.testing.definitions import Definition as Definition
from referee.testing.definitions import check_defined_rule_ids
from referee.testing.rare_spots import RareSpots
from referee.testing.trial import CENTRAL_LAW, MAX_ACTIONS, RandomGame, Spot, Trial

GAME_LAWS: Mapping[str, Callable[[AnyGame], Iterator[str]]] = {
    "the game provides every part of the contract": contract.check_game_attributes,
    "every cited rule id exists": contract.check_cited_rule_ids,
    "versions, options and upcasts fit together": contract.check_versions,
    "files and positions with unknown fields are refused": contract.check_unknown_fields,
    "the typical position breaks no rule": contract.check_typical_position,
}
"""Laws about a game's code and files, by name. Each function yields the breaches, in words."""
SPOT_LAWS: Mapping[str, Callable[[Spot], Iterator[str]]] = {
    CENTRAL_LAW: rule_laws.check_legality,
    "lists have the right count, a stable order and no duplicates": rule_laws.check_legal_lists,
    "the words of an action can be read back": rule_laws.check_parsing,
    "openings are legal": rule_laws.check_recommended_opening,
    "a seat is to move until the game ends": rule_laws.check_turns,
    "every legal action can be played": rule_laws.check_playing,
    "an action rolls the dice that it announces": rule_laws.check_announced_dice,
    "luck favours nobody": roll_laws.check_luck,
    "a position and its state turn into each other": rule_laws.check_positions,
    "every invariant holds in every state that play reaches": rule_laws.check_invariants,
    "a changed position is refused or can be played on": changed_position_laws.check_changed_positions,
    "each piece can be typed as it is shown": rule_laws.check_typed_pieces,
    "options that may be switched leave a game that goes on": switch_laws.check_switches,
    "every event has a line and every view a picture": rule_laws.check_texts,
    "no line shows a missing value such as None": word_laws.check_no_missing_values,
    "every query of the game has a result": word_laws.check_queries,
    "errors in typed words name their place": word_laws.check_wrong_phrases,
    "a filter finds each action by its words": word_laws.check_filters,
    "every refusal cites a rule that exists": rule_laws.check_citations,
    "public facts are the same in every view": secret_laws.check_public_facts,
    "a view of a view is the same view": secret_laws.check_views,
    "nobody learns what they may not know": secret_laws.check_lookalikes,
    "events that a seat sees lead to its view": secret_laws.check_folded_views,
    "events that the public predicts happen": secret_laws.check_predictions,
    "a guess fits what its seat knows": guess_laws.check_guesses,
    "an event that tells a secret says so": event_visibility.check_telling_events,
    "a view knows what an event told its viewer": event_visibility.check_told_secrets,
    "nearly correct phrases are legal or refused by a rule": near_misses.check_near_misses,
}
"""Laws that are tried at many moments of random games."""
TRIAL_LAWS: Mapping[str, Callable[[Trial], Iterator[str]]] = {
    "random games end": Trial.report_endless_games,
    "nobody is stuck before the end": Trial.report_stuck_moments,
    "no play rolls twice for the same purpose": roll_laws.check_repeated_rolls,
    "the first levels of play keep to the rules": state_walk.check_first_levels,
    "secrets do not follow from what others see": event_visibility.check_secrecy,
}
"""Laws that are tried once on all random games together."""
WHOLE_GAME_LAWS: Mapping[str, Callable[[RandomGame], Iterator[str]]] = {
    "a log audits clean": log_laws.check_logs_audit_clean,
    "a log that a seat can open leads to its view": log_laws.check_copies_with_one_vault,
}
"""Laws that are tried on a few whole games."""
CITATION_LAW = "a refusal cites a rule that applies"
"""The law that holds refusals to the claims about them."""


class Law:
    """One law for one game: a property that must always hold. Call the law to try it."""

    def __init__(self, name: str, trial: Trial, breaches: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self.trial, self._breaches = trial, breaches

    def __str__(self) -> str:
        return self.name

    def __call__(self) -> None:
        """Tries the law. Raises AssertionError about the first breach. The game does not have to be installed."""
        try:
            with register_for_now(self.trial.game):
                breach = next(iter(self._breaches()), None)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(self._describe_breach(f"{type(error).__name__}: {error}")) from error
        if breach:
            raise AssertionError(self._describe_breach(breach))

    def _describe_breach(self, breach: str) -> str:
        where = f" {self.trial.where}" if self.trial.where else ""
        return f"{self.trial.game.name} breaks the law {self.name!r}{where}: {breach}"


def laws(
    game: Any,
    *,
    games: int = 0,
    seed: int = 0,
    longest: int = MAX_ACTIONS,
    kept: str | Path | None = None,
    means: Sequence[Definition] = (),
    cites: Sequence[Claim] = (),
    own: Sequence[Mapping[str, Any]] = (),
) -> tuple[Law, ...]:
    """Returns every law, ready to be called. All laws use the same random games.

    At least `games` games are played, never fewer than twelve, and more until each value of each option is tried. A
    game has to end within `longest` actions. If the folder `kept` is given, a search of ten seconds also looks for
    moments that reach new lines of the rules. The folder keeps them for later runs.

    `means` are slow definitions of what the rules mean. Each is compared, for less than a second, with the actions that
    the game lists and their effects. `own` are further boards for this comparison, as decoded files by component.
    `cites` are the conditions under which refusals may cite rules.
    """
    trial = Trial(game, games, seed, longest)
    comparison = Comparison(trial, means, own)
    cited = CitationCheck(game, cites)
    spots = trial.sample_spots if kept is None else RareSpots(trial, Path(kept)).list_usual_and_rare_spots
    return (
        *(Law(name, trial, partial(law, game)) for name, law in GAME_LAWS.items()),
        *(Law(name, trial, partial(law, trial)) for name, law in TRIAL_LAWS.items()),
        *(Law(name, trial, partial(_find_breaches, law, spots)) for name, law in SPOT_LAWS.items()),
        *(
            Law(name, trial, partial(_find_breaches, law, trial.pick_few_games))
            for name, law in WHOLE_GAME_LAWS.items()
        ),
        Law(
            "a guess can be played on",
            trial,
            partial(_find_breaches, guess_laws.check_guesses_can_be_played_on, trial.pick_few_games_with_secrets),
        ),
        *([Law("every definition names a rule", trial, partial(check_defined_rule_ids, game, means))] if means else ()),
        *(Law(str(one), trial, partial(comparison.find_breaches, one)) for one in means),
        *(
            [Law("every claim names a rule", trial, partial(claims.check_claimed_rule_ids, game, cites))]
            if cites
            else ()
        ),
        *([Law(CITATION_LAW, trial, partial(_find_breaches, cited.describe_breaches, spots))] if cites else ()),
    )


def obey(
    game: Any,
    *,
    games: int = 0,
    seed: int = 0,
    longest: int = MAX_ACTIONS,
    kept: str | Path | None = None,
    means: Sequence[Definition] = (),
    cites: Sequence[Claim] = (),
    own: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Tries all laws on one game, as `laws` returns them. Raises AssertionError about the first breach."""
    for law in laws(game, games=games, seed=seed, longest=longest, kept=kept, means=means, cites=cites, own=own):
        law()


def _find_breaches(law: Callable[[Any], Iterator[str]], cases: Callable[[], Iterator[Any]]) -> Iterator[str]:
    """Yields the breaches of a law in all cases."""
    for case in cases():
        yield from law(case)
