"""Laws of what deeds tell: a deed is done in several truths that fit what somebody knows, with the same open dice.

Where what is seen of it differs, it tells something; and a secret that comes out the same in all of them is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct

from referee.engine.adjudicate import Played, adjudicate, answer_to
from referee.engine.event import Seat
from referee.engine.game import look
from referee.engine.secret import Secret, blinded, may_hold
from referee.engine.source import OpenSource
from referee.testing.trial import Spot, Trial

TRUTHS = 6
"""Truths in which a deed is done, beside the one that is played."""
DEEDS = 3
"""Deeds of each seat that are looked at in a spot, beside the one that was done."""
LISTED = 300
"""Actions among which one that looks alike is looked for."""
ENOUGH = 3
"""Other truths that a deed must be possible in to count."""
TIMES = 6
"""Deeds in which a secret must have come out the same before it is called none."""


def said_to_tell(spot: Spot) -> Iterator[str]:
    """Where what others see of a deed depends on what they did not know, one of its events tells."""
    for deed in _deeds(spot):
        for played in deed.alike:
            both = played, deed.played
            if any(spot.game.outcome(one.state) or any(roll.to for roll in one.rolls) for one in both):
                continue  # the end shows everything, and what dice in secret lead to is not taken back either way
            seen, other = (blinded(one.open_events, deed.viewer) for one in (deed.played, played))
            if seen != other and not any(type(event).tells for event in (*seen, *other)):
                event = next((one for one, two in zip(seen, other, strict=False) if one != two), seen[-1:] or other[-1])
                yield f"{deed} tells {deed.who} a secret ({event}), but no event of it says that it `tells`"


def kept(trial: Trial) -> Iterator[str]:
    """What is kept secret in a deed of which others see everything else does not follow from what they see."""
    outcomes = _Outcomes()
    for spot in trial.spots():
        for deed in _deeds(spot):
            if not deed.played.hidden:
                outcomes.add(deed)
    trial.where = ""
    yield from outcomes.breaches()


class _Deed:
    """A deed of a seat at a spot, and what it comes to in other truths that fit what a viewer knows."""

    def __init__(self, spot: Spot, viewer: Seat | None, seat: Seat, action: Any, played: Played) -> None:
        self.spot, self.viewer, self.seat, self.action, self.played = spot, viewer, seat, action, played
        self.alike = [one for one in self._elsewhere() if _open_rolls(one) == _open_rolls(played)]
        """What it comes to in other truths where the open dice are the same."""

    def __str__(self) -> str:
        return f"{self.seat}'s {self.spot.game.format(self.action)!r}"

    @property
    def who(self) -> str:
        return self.viewer or "a spectator"

    def _elsewhere(self) -> Iterator[Played]:
        spot, random = self.spot, Random(f"{self.spot.play.seed}.{self.spot.at}.{self}")
        view = spot.view(self.viewer)
        for _ in range(TRUTHS):
            truth = spot.game.guess(view, self.viewer, random)
            said = self._said_in(truth, random)
            if said is not None:
                verdict = adjudicate(spot.game, truth, self.seat, said, self._dice(random))
                if isinstance(verdict, Played):
                    yield verdict

    def _said_in(self, truth: Any, random: Random) -> Any:
        """What looks like this deed in another truth; None where it could not be said there."""
        game, view = self.spot.game, look(self.spot.game, truth, self.seat)
        if game.asks(truth):
            return answer_to(game, view, self.seat) if self.seat == game.to_act(truth) else None
        seen = blinded(self.action, self.viewer)
        if self.played.hidden or seen == self.action:
            return self.action if not any(game.check(view, self.seat, self.action)) else None
        alike = [said for said in islice(game.legal(view, self.seat), LISTED) if blinded(said, self.viewer) == seen]
        return random.choice(alike) if alike else None

    def _dice(self, random: Random) -> OpenSource:
        """The same dice as far as everybody sees them; others where somebody throws in secret."""
        spot = self.spot
        seeds: dict[str | None, str] = {seat: f"{random.getrandbits(256):064x}" for seat in spot.play.seats}
        return OpenSource({**seeds, None: spot.play.seeds[None]}, spot.draws)


def _deeds(spot: Spot) -> Iterator[_Deed]:
    """What was done at a spot and some of what could have been, each in the eyes of those who did not do it."""
    if not spot.game.keepers(spot.play.options):
        return
    said = [(spot.seat, spot.action)]
    for seat, legal in spot.legal.items():
        said += [(seat, action) for action in spot.some(legal, DEEDS)]
    for seat, action in dict.fromkeys(said):
        verdict = adjudicate(spot.game, spot.state, seat, action, spot.source())
        if isinstance(verdict, Played):
            for viewer in spot.viewers:
                if viewer != seat:
                    yield _Deed(spot, viewer, seat, action, verdict)


def _open_rolls(played: Played) -> list[Any]:
    return [roll for roll in played.rolls if not roll.to]


class _Outcomes:
    """How secrets came out, by what they are called."""

    def __init__(self) -> None:
        self._met = Counter[str]()
        self._values: dict[str, set[str]] = {}
        self._differed: set[str] = set()
        self._example: dict[str, str] = {}

    def add(self, deed: _Deed) -> None:
        """Notes the new secrets of a deed."""
        if len(deed.alike) < ENOUGH:
            return
        others = [dict(_secrets(deed, played)) for played in deed.alike]
        before = {f"{path} of the state": repr(secret) for path, secret in _shut(deed.spot.state, deed.viewer)}
        example = f"as in {deed} {deed.spot.play}, after {deed.spot.at} actions"
        for name, value in dict(_secrets(deed, deed.played)).items() - before.items():
            kind = " ".join("*" if word in deed.spot.viewers else word for word in name.split())
            self._met[kind] += 1
            self._values.setdefault(kind, set()).add(value)
            self._example.setdefault(kind, example)
            if any(other.get(name) != value for other in others):
                self._differed.add(kind)

    def breaches(self) -> Iterator[str]:
        """What never differed from one truth to the next, though it did from one deed to the next."""
        for name, count in self._met.items():
            if count >= TIMES and len(self._values[name]) > 1 and name not in self._differed:
                yield f"{name} is no secret, for it follows from what others see, {self._example[name]}: see `hides`"


def _secrets(deed: _Deed, played: Played) -> Iterator[tuple[str, str]]:
    """What is kept from a viewer, by name: whole events of a deed, parts of others, and parts of the state after it."""
    seen, unseen = list(played.open_events), Counter[str]()
    for event in played.events:
        name = type(event).__name__
        if event in seen:
            seen.remove(event)
            yield from ((f"{path} of {name}", repr(secret)) for path, secret in _shut(event, deed.viewer))
        else:
            unseen[name] += 1
            yield f"{name} {unseen[name]}" if unseen[name] > 1 else name, repr(event)
    yield from ((f"{path} of the state", repr(secret)) for path, secret in _shut(played.state, deed.viewer))


def _shut(value: Any, viewer: Seat | None, path: str = "") -> Iterator[tuple[str, Secret[Any]]]:
    """The secrets in a value that a viewer does not know, by where they stand."""
    if isinstance(value, Secret):
        if value.known and value.owner != viewer:
            yield path, value
        return
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Struct):
        parts = ((name, getattr(value, name)) for name in may_hold(type(value)))
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, tuple | list):
        parts = enumerate(value)
    for name, part in parts:
        yield from _shut(part, viewer, f"{path} {name}".strip())
