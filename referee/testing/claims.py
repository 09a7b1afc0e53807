"""Claims: the conditions under which a refusal may cite a rule, as a few lines that anyone can check.

A claim shares no code with the quick checks of a game. It is asked about every refusal of random games. The same action
is then judged in other positions: a rule whose condition has gone may no longer be cited.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame, view_for
from referee.engine.rulebook import Refusal
from referee.engine.secret import UnknownError
from referee.testing.changed_position_laws import make_changed_states
from referee.testing.trial import Spot

Condition = Callable[[Any, Seat, Any], bool]
"""True if a rule forbids a seat an action in a view."""
OTHER_STATES = 3
"""The number of other states of a game in which an action is judged, besides those that are changed."""
UNANSWERABLE_ERRORS = (UnknownError, LookupError, AttributeError, ValueError, TypeError)
"""Errors of a condition that asks for something that a view does not have. Such a condition does not hold."""
MAX_ACTIONS_JUDGED_AGAIN = 12
"""The most refused actions that are judged again after a change."""


class Claim(Struct, frozen=True):
    """The condition under which a rule forbids an action, as the rule alone states it.

    >>> from referee.engine import Action
    >>> class Take(Action, frozen=True, tag="take"):
    ...     says = "take {count}"
    ...     count: int
    >>> too_many = Claim("1.3", lambda view, seat, action: action.count > view, (Take,))
    >>> too_many.is_about(Take(3), Refusal("1.3", "only 2 are left")), too_many.holds(2, "red", Take(3))
    (True, True)
    """

    rule: str
    """The id of the rule or ruling."""
    applies: Condition
    """True if the rule forbids the action."""
    kinds: tuple[type[Action], ...] = ()
    """The kinds of action that the claim is about; all kinds if empty."""
    told: str = ""
    """A pattern that occurs in the reason, for rules that are cited for several reasons."""
    forbids: bool = True
    """True if every action to which the condition applies is illegal. False if the rule only may forbid it."""
    unless: tuple[str, ...] = ()
    """The ids of more special rules. Where one of them applies, this rule is not cited in its place."""

    def is_about(self, action: Action, refusal: Refusal) -> bool:
        """True if the claim is about the rule and the reason of this refusal, and about this kind of action."""
        return self.rule == refusal.rule and self.has_kind(action) and bool(re.search(self.told, refusal.because))

    def holds(self, view: Any, seat: Seat, action: Action) -> bool:
        """True if, by this claim, the rule forbids the action in this view. False if that cannot be checked there."""
        try:
            return self.applies(view, seat, action)
        except UNANSWERABLE_ERRORS:
            return False

    def has_kind(self, action: Action) -> bool:
        """True if the claim is about actions of this kind."""
        return not self.kinds or type(action) in self.kinds


def make_untimely_condition(game: AnyGame) -> Condition:
    """Returns the condition that something else is due, or that another seat has to act."""

    def applies(view: Any, seat: Seat, action: Any) -> bool:
        due, verb = game.order.due(view), game.verbs.find_verb(type(action))
        is_theirs = verb.may(view, seat) if verb.may else due is not None and due.seat == seat
        return due is None or due.phase not in verb.phases or not is_theirs

    return applies


def check_claimed_rule_ids(game: AnyGame, claims: Iterable[Claim]) -> Iterator[str]:
    """Yields a sentence for each id in a claim that is neither a rule nor a ruling."""
    known = {*game.rulebook.rules, *game.rulebook.rulings}
    for claim in claims:
        yield from (f"there is no rule {id_}" for id_ in (claim.rule, *claim.unless) if id_ not in known)


class Breach(Struct, frozen=True):
    """A refusal that cites a rule although the rule does not apply, or a legal action that a claim forbids."""

    rule: str
    action: Action
    told: str
    """The breach in words."""

    def __str__(self) -> str:
        return self.told


class CitationCheck:
    """A check of the refusals of one game against its claims, with counts."""

    def __init__(self, game: AnyGame, claims: Sequence[Claim]) -> None:
        self.game, self._claims = game, claims
        self.cited: Counter[str] = Counter()
        """The number of refusals that cite each rule."""
        self.checked: Counter[str] = Counter()
        """The number of refusals, for each rule, that a claim was asked about."""
        self.removed: Counter[str] = Counter()
        """For each rule, how often its condition and its citation were both gone in another position."""

    def describe_breaches(self, spot: Spot) -> Iterator[str]:
        """Yields the breaches at a spot in words, for a law."""
        return map(str, self.find_breaches(spot))

    def find_breaches(self, spot: Spot) -> Iterator[Breach]:
        """Yields the breaches at a spot: wrongly cited rules, and legal actions that a claim forbids."""
        for seat, action, refusals in spot.tried_actions:
            yield from self._check(spot.view(seat), seat, action, refusals)
        refused = [one for one in spot.tried_actions if one[2]]
        some = spot.random.sample(refused, min(MAX_ACTIONS_JUDGED_AGAIN, len(refused)))
        for state in _list_other_states(spot):
            for seat, action, before in some:
                yield from self._check_changed_state(
                    spot.view(seat), view_for(self.game, state, seat), seat, action, before
                )

    def _check_changed_state(
        self, old: Any, new: Any, seat: Seat, action: Action, before: Sequence[Refusal]
    ) -> Iterator[Breach]:
        """Yields breaches about an action in another position, and counts the refusals that no longer apply there."""
        try:
            refusals = tuple(self.game.check(new, seat, action))
        except (LookupError, ValueError):  # the action names something that is gone
            return
        for breach in self._check(new, seat, action, refusals):
            yield replace(breach, told=f"in another position, {breach.told}")
        still = {refusal.rule for refusal in refusals}
        for refusal in before:
            claims = [claim for claim in self._claims if claim.is_about(action, refusal)]
            if claims and refusal.rule not in still and not any(claim.holds(new, seat, action) for claim in claims):
                self.removed[refusal.rule] += any(claim.holds(old, seat, action) for claim in claims)

    def _check(self, view: Any, seat: Seat, action: Action, refusals: Sequence[Refusal]) -> Iterator[Breach]:
        words = f"{seat}'s {self.game.format(action)!r}"
        for refusal in refusals:
            for told in self._check_citation(view, seat, action, refusal, refusals):
                yield Breach(refusal.rule, action, f"{words} is refused by {refusal.rule} ({refusal.because}), {told}")
        for claim in self._claims if not refusals else ():
            if claim.forbids and claim.has_kind(action) and claim.holds(view, seat, action):
                yield Breach(claim.rule, action, f"{words} is legal, and {claim.rule} forbids it")

    def _check_citation(
        self, view: Any, seat: Seat, action: Action, refusal: Refusal, refusals: Sequence[Refusal]
    ) -> Iterator[str]:
        self.cited[refusal.rule] += 1
        claims = [claim for claim in self._claims if claim.is_about(action, refusal)]
        if not claims:
            return
        self.checked[refusal.rule] += 1
        if not any(claim.holds(view, seat, action) for claim in claims):
            yield "which does not apply"
        told, special = {one.rule for one in refusals}, {id_ for claim in claims for id_ in claim.unless}
        for other in self._claims:
            is_kept_back = other.rule in special - told and other.has_kind(action)
            if is_kept_back and other.holds(view, seat, action):
                yield f"and {other.rule} is more special"


def _list_other_states(spot: Spot) -> Iterator[Any]:
    """Yields other states of the same game, then states like that of the spot with a few things changed."""
    random = spot.random
    yield from (random.choice(spot.play.spots).state for _ in range(OTHER_STATES))
    yield from make_changed_states(spot)
