"""Laws about visible events. An action is played in several guesses at the truth, with the same open dice.

All guesses fit the view of one viewer. If the viewer sees a difference afterwards, an event must say that it `tells` a
secret. A secret that is always the same in all guesses is not a secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from random import Random
from typing import Any

from msgspec import Struct

from referee.engine.adjudication import LegalVerdict, adjudicate, find_forced_answer
from referee.engine.dice_source import SeededSource
from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.engine.secret import Secret, hide_secrets_from, list_secret_fields
from referee.testing.trial import Spot, Trial

GUESSES_PER_ACTION = 6
"""The number of guesses in which an action is played."""
MAX_OTHER_ACTIONS = 3
"""The most actions of each seat that are tried at a spot, besides the one that was played."""
MAX_ACTIONS_SEARCHED = 300
"""The most legal actions that are searched for one that looks the same."""
MIN_COMPARED_GUESSES = 3
"""The fewest guesses with the same open dice in which an action must be possible, for its secrets to be compared."""
MIN_PLAYS_TO_REPORT = 6
"""The fewest plays in which a secret must be the same in all guesses before it is reported."""


def check_telling_events(spot: Spot) -> Iterator[str]:
    """Checks that a play which shows a viewer something about unknown facts has an event that is marked with
    `tells`.
    """
    for tried_play, played, event in _list_differences(spot):
        both = tried_play.played, played
        if any(spot.game.outcome(one.state) or any(roll.to for roll in one.rolls) for one in both):
            continue  # the end shows everything, and a play with secret dice is not taken back in any case
        if not any(type(seen).tells for one in both for seen in one.open_events):
            told = f"{tried_play} tells {tried_play.viewer_name} a secret ({event})"
            yield f"{told}, but no event of it says that it `tells`"


def check_told_secrets(spot: Spot) -> Iterator[str]:
    """Checks that a viewer's view knows afterwards what an event told this viewer. Otherwise the event told too much,
    or the view forgets too much.
    """
    for tried_play, played, event in _list_differences(spot):
        now, other = (spot.game.view(one.state, tried_play.viewer) for one in (tried_play.played, played))
        if now == other and not tried_play.played.hidden:
            yield f"{tried_play} tells {tried_play.viewer_name} a secret ({event}) that their view does not know"


def _list_differences(spot: Spot) -> Iterator[tuple[_TriedPlay, LegalVerdict, Any]]:
    """Yields each tried play with a guess in which its viewer sees other events, and the first event that differs."""
    for tried_play in _try_plays(spot):
        for played in tried_play.alike:
            seen, other = (hide_secrets_from(one.open_events, tried_play.viewer) for one in (tried_play.played, played))
            if seen != other:
                one, two = next(pair for pair in zip_longest(seen, other) if pair[0] != pair[1])
                yield tried_play, played, one if one is not None else two


def check_secrecy(trial: Trial) -> Iterator[str]:
    """Checks that the secret part of a play does not follow from its visible part."""
    outcomes = _Outcomes()
    for spot in trial.sample_spots():
        for tried_play in _try_plays(spot):
            if not tried_play.played.hidden:
                outcomes.add(tried_play)
    trial.where = ""
    yield from outcomes.find_breaches()


class _TriedPlay:
    """A play at a spot, and its results in guesses that fit the view of one viewer."""

    def __init__(self, spot: Spot, viewer: Seat | None, seat: Seat, action: Any, played: LegalVerdict) -> None:
        self.spot, self.viewer, self.seat, self.action, self.played = spot, viewer, seat, action, played
        self.alike = [one for one in self._play_in_guesses() if _list_open_rolls(one) == _list_open_rolls(played)]
        """The results in guesses where the open dice are the same."""

    def __str__(self) -> str:
        return f"{self.seat}'s {self.spot.game.format(self.action)!r}"

    @property
    def viewer_name(self) -> str:
        return self.viewer or "a spectator"

    def _play_in_guesses(self) -> Iterator[LegalVerdict]:
        """Yields the results of the action in guesses, where it is possible."""
        spot, random = self.spot, Random(f"{self.spot.play.seed}.{self.spot.at}.{self}")
        view = spot.view(self.viewer)
        for _ in range(GUESSES_PER_ACTION):
            truth = spot.game.guess(view, self.viewer, random)
            said = self._find_same_action(truth, random)
            if said is not None:
                verdict = adjudicate(spot.game, truth, self.seat, said, self._make_dice(random))
                if isinstance(verdict, LegalVerdict):
                    yield verdict

    def _find_same_action(self, truth: Any, random: Random) -> Any:
        """Returns an action in the guess `truth` that looks to the viewer like the tried one; None if there is none."""
        game, view = self.spot.game, view_for(self.spot.game, truth, self.seat)
        if game.awaits_answer(truth):
            return find_forced_answer(game, view, self.seat) if self.seat == game.to_act(truth) else None
        seen = hide_secrets_from(self.action, self.viewer)
        if self.played.hidden or seen == self.action:
            return self.action if not any(game.check(view, self.seat, self.action)) else None
        alike = [
            said
            for said in islice(game.legal(view, self.seat), MAX_ACTIONS_SEARCHED)
            if hide_secrets_from(said, self.viewer) == seen
        ]
        return random.choice(alike) if alike else None

    def _make_dice(self, random: Random) -> SeededSource:
        """Returns dice with the same open rolls and other secret rolls."""
        spot = self.spot
        seeds: dict[str | None, str] = {seat: f"{random.getrandbits(256):064x}" for seat in spot.play.seats}
        return SeededSource({**seeds, None: spot.play.seeds[None]}, spot.draws)


def _try_plays(spot: Spot) -> Iterator[_TriedPlay]:
    """Yields the play at a spot and some other legal plays, each with every viewer except the seat that acts."""
    if not spot.game.list_secret_keepers(spot.play.options):
        return
    said = [(spot.seat, spot.action)]
    for seat, legal in spot.legal.items():
        said += [(seat, action) for action in spot.sample_actions(legal, MAX_OTHER_ACTIONS, refills=False)]
    for seat, action in dict.fromkeys(said):
        verdict = adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source())
        if isinstance(verdict, LegalVerdict):
            for viewer in spot.viewers:
                if viewer != seat:
                    yield _TriedPlay(spot, viewer, seat, action, verdict)


def _list_open_rolls(played: LegalVerdict) -> list[Any]:
    return [roll for roll in played.rolls if not roll.to]


class _Outcomes:
    """The secrets that many plays made, by name: the values of each, and if a guess ever gave it another value."""

    def __init__(self) -> None:
        self._met = Counter[str]()
        self._values: dict[str, set[str]] = {}
        self._differed: set[str] = set()
        self._example: dict[str, str] = {}

    def add(self, tried_play: _TriedPlay) -> None:
        """Notes the new secrets of a play."""
        if len(tried_play.alike) < MIN_COMPARED_GUESSES:
            return
        others = [dict(_find_secrets(tried_play, played)) for played in tried_play.alike]
        before = {
            f"{path} of the state": repr(secret)
            for path, secret in _find_hidden_parts(tried_play.spot.state, tried_play.viewer)
        }
        example = f"as in {tried_play} {tried_play.spot.play}, after {tried_play.spot.at} actions"
        for name, value in dict(_find_secrets(tried_play, tried_play.played)).items() - before.items():
            kind = " ".join("*" if word in tried_play.spot.viewers else word for word in name.split())
            self._met[kind] += 1
            self._values.setdefault(kind, set()).add(value)
            self._example.setdefault(kind, example)
            if any(other.get(name) != value for other in others):
                self._differed.add(kind)

    def find_breaches(self) -> Iterator[str]:
        """Yields a breach for each secret that never differed between guesses, although it did between plays."""
        for name, count in self._met.items():
            if count >= MIN_PLAYS_TO_REPORT and len(self._values[name]) > 1 and name not in self._differed:
                where = self._example[name]
                yield f"{name} is no secret, for it follows from what others see, {where}: see `is_secret`"


def _find_secrets(tried_play: _TriedPlay, played: LegalVerdict) -> Iterator[tuple[str, str]]:
    """Yields the secrets of a play by name: hidden events, and hidden parts of events and of the state afterwards."""
    seen, unseen = list(played.open_events), Counter[str]()
    for event in played.events:
        name = type(event).__name__
        if event in seen:
            seen.remove(event)
            yield from (
                (f"{path} of {name}", repr(secret)) for path, secret in _find_hidden_parts(event, tried_play.viewer)
            )
        else:
            unseen[name] += 1
            yield f"{name} {unseen[name]}" if unseen[name] > 1 else name, repr(event)
    yield from (
        (f"{path} of the state", repr(secret)) for path, secret in _find_hidden_parts(played.state, tried_play.viewer)
    )


def _find_hidden_parts(value: Any, viewer: Seat | None, path: str = "") -> Iterator[tuple[str, Secret[Any]]]:
    """Yields the path and the secret, for each secret in a value that a viewer does not know."""
    if isinstance(value, Secret):
        if value.known and value.owner != viewer:
            yield path, value
        return
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Struct):
        parts = ((name, getattr(value, name)) for name in list_secret_fields(type(value)))
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, tuple | list):
        parts = enumerate(value)
    for name, part in parts:
        yield from _find_hidden_parts(part, viewer, f"{path} {name}".strip())
