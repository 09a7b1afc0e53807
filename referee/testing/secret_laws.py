"""Laws about secrets, tried at one spot of a random game: nobody learns what they may not know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudication import LegalVerdict, adjudicate, find_public_outcome
from referee.engine.dice_source import SeededSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame, view_for
from referee.engine.secret import hide_secrets_from
from referee.record.table.knowledge import Knowledge
from referee.testing.trial import Spot

MAX_PLAYS_PER_SEAT = 16
"""The most actions of each seat that are compared at a spot."""
MAX_PAIRS_PER_VIEWER = 8
"""The most pairs of states that are compared for each viewer."""
MAX_FURTHER_ACTIONS = 3
"""The most further actions that are played on both states of a pair."""
DRAW_NUMBER_STEP = 1_000
"""The number by which the draw numbers rise from one tried action to the next. It is so large that no two of these
actions use the same draw.
"""


def check_public_facts(spot: Spot) -> Iterator[str]:
    """Checks that public facts, such as the seat to move, the turn and the outcome, are the same in every view."""
    game = spot.game
    for name in (
        "to_act",
        "get_turn_number",
        "awaits_answer",
        "outcome",
        "list_other_actors",
        "find_publicly_forced_action",
    ):
        for state in (spot.state, spot.played.state):
            told = {repr(getattr(game, name)(view_for(game, state, viewer))) for viewer in spot.viewers}
            if told != {repr(getattr(game, name)(state))}:
                yield f"{name} is not the same in every view: {' or '.join(sorted(told))}"


def check_views(spot: Spot) -> Iterator[str]:
    """Checks that a view of a view is the same view, and that no view holds another seat's secret."""
    game, public = spot.game, spot.view(None)
    for viewer in spot.viewers:
        view = spot.view(viewer)
        if view_for(game, view, viewer) != view:
            yield f"the view of {viewer or 'a spectator'} changes when it is taken again from itself"
        if view_for(game, view, None) != public:
            yield f"the spectators' view differs when it is taken from the view of {viewer}"
        if hide_secrets_from(view, viewer) is not view:
            yield f"{viewer or 'a spectator'} sees a secret of somebody else"
        if not game.list_secret_keepers(spot.play.options) and view != spot.state:
            yield f"nobody keeps secrets, but {viewer or 'a spectator'} does not see everything"


def check_folded_views(spot: Spot) -> Iterator[str]:
    """Checks that a seat's view plus the events that it sees give its view of the state afterwards.

    After the end everything may be shown, because secrets are revealed.
    """
    game = spot.game
    for seat, said, played in _try_plays(spot):
        if game.outcome(played.state):
            continue
        known = Knowledge(views={viewer: spot.view(viewer) for viewer in spot.viewers})
        after = known.apply_play(game, seat, played.events, played.open_events)
        for viewer in spot.viewers:
            due, who = _make_fresh_view(game, played.state, viewer), viewer or "a spectator"
            if after.view_of(game, viewer) != due:
                yield f"after {seat}'s {game.format(said)!r} {who} leads to another state than the view of that seat"
            if view_for(game, played.state, viewer) != due:
                yield f"after {seat}'s {game.format(said)!r} an outdated view was kept for {who}"


def _make_fresh_view(game: AnyGame, state: Any, viewer: Seat | None) -> Any:
    """Returns the view of a state, without cached values."""
    return view_for(game, replace(state) if isinstance(state, Struct) else state, viewer)


def check_predictions(spot: Spot) -> Iterator[str]:
    """Checks that all events happen which public facts predict, and that public facts forbid no legal action."""
    game, public = spot.game, spot.view(None)
    for seat, said, played in _try_plays(spot):
        if played.hidden:
            continue
        told = find_public_outcome(game, public, seat, said, spot.make_dice_source())
        happened = played.open_events if told.is_complete else played.open_events[: len(told.events)]
        if told.events != happened:
            yield f"public facts predict events of {seat}'s {game.format(said)!r} that do not happen"
        for refusal in game.check_publicly(public, seat, said):
            yield f"public facts forbid {seat}'s {game.format(said)!r} by {refusal.rule}, though it is legal"


def _try_plays(spot: Spot) -> Iterator[tuple[Seat, Any, LegalVerdict]]:
    """Yields the play at a spot and some other legal plays, each as a seat, an action and its verdict."""
    yield spot.seat, spot.action, spot.played
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal):
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source())
            if isinstance(verdict, LegalVerdict):
                yield seat, action, verdict


def check_lookalikes(spot: Spot) -> Iterator[str]:
    """Checks that states which a viewer should not be able to tell apart look alike to that viewer.

    Views are compared for every pair of states. Pictures, legal actions and refusals follow from views, so they are
    compared for one pair for each viewer.
    """
    if not spot.game.list_secret_keepers(spot.play.options):
        return
    deeds = list(_pick_plays(spot))
    for viewer in spot.viewers:
        last = None
        for one, other, said in islice(_find_lookalike_pairs(spot, viewer, deeds), MAX_PAIRS_PER_VIEWER):
            if _make_fresh_view(spot.game, one, viewer) != _make_fresh_view(spot.game, other, viewer):
                who = viewer or "a spectator"
                yield f"after {said!r} {who} has different views of two states that should look alike"
            last = one, other, said
        if last:
            yield from _find_differences(spot, viewer, *last)


SeatPlay = tuple[Seat, Any, LegalVerdict]
"""A seat, its action, and the verdict."""
StatePair = tuple[Any, Any, str]
"""Two states, and the words of the action that led to both."""


def _pick_plays(spot: Spot) -> Iterator[SeatPlay]:
    """Yields random legal plays of all seats at a spot."""
    random = spot.random
    for seat, legal in spot.legal.items():
        for action in dict.fromkeys(legal.pick(random) for _ in range(MAX_PLAYS_PER_SEAT if legal else 0)):
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.make_dice_source())
            if isinstance(verdict, LegalVerdict):
                yield seat, action, verdict


def _find_lookalike_pairs(spot: Spot, viewer: Seat | None, deeds: list[SeatPlay]) -> Iterator[StatePair]:
    """Yields pairs of states that should look alike to a viewer.

    They follow from plays of another seat that look the same to the viewer, and from further actions on both states.
    """
    alike: dict[Any, LegalVerdict] = {}
    for seat, action, verdict in deeds:
        if seat == viewer:
            continue
        first = alike.setdefault(_describe_visible_part(viewer, seat, action, verdict), verdict)
        if first.state != verdict.state:
            yield first.state, verdict.state, spot.game.format(action)
            yield from _follow_pair(spot, viewer, first.state, verdict.state)


def _describe_visible_part(viewer: Seat | None, seat: Seat, action: Any, verdict: LegalVerdict) -> Any:
    """Returns everything that a viewer sees of a play, in a form that can be compared."""
    shown = None if verdict.hidden else hide_secrets_from(action, viewer)
    return repr(
        (seat, shown, [roll for roll in verdict.rolls if not roll.to], hide_secrets_from(verdict.open_events, viewer))
    )


def _follow_pair(spot: Spot, viewer: Seat | None, one: Any, other: Any) -> Iterator[StatePair]:
    """Yields the pair of states after each further action on both, as long as the viewer sees no difference."""
    game, random, draws = spot.game, spot.random, 0
    for _ in range(MAX_FURTHER_ACTIONS):
        seat = game.to_act(one)
        legal = game.legal(view_for(game, one, seat), seat) if seat else None
        if not seat or not legal:
            return
        action, draws = legal.pick(random), draws + DRAW_NUMBER_STEP
        source = [SeededSource(spot.play.seeds, dict.fromkeys(spot.viewers, draws)) for _ in range(2)]
        first, second = adjudicate(game, one, seat, action, source[0]), adjudicate(game, other, seat, action, source[1])
        if not isinstance(first, LegalVerdict) or not isinstance(second, LegalVerdict):
            return
        if _describe_visible_part(viewer, seat, action, first) != _describe_visible_part(viewer, seat, action, second):
            return
        one, other = first.state, second.state
        yield one, other, game.format(action)


def _find_differences(spot: Spot, viewer: Seat | None, one: Any, other: Any, said: str) -> Iterator[str]:
    """Yields a breach for each kind of answer by which a viewer can tell two states apart."""
    actions = [action for _, action, _ in spot.tried_actions[::5]]
    shown = _collect_answers(spot, viewer, one, actions), _collect_answers(spot, viewer, other, actions)
    for name in shown[0]:
        if shown[0][name] != shown[1][name]:
            yield f"after {said!r} {viewer or 'a spectator'} can tell two truths apart by {name}"


def _collect_answers(spot: Spot, viewer: Seat | None, state: Any, actions: list[Any]) -> dict[str, Any]:
    """Returns everything that a viewer can see of a state, by name."""
    game, view = spot.game, view_for(spot.game, state, viewer)
    shown = {
        "the position": msgspec.json.encode(game.position_from(view)),
        "the standing": game.status(view),
        "the picture": game.draw(view),
    }
    if viewer:
        shown["what is legal"] = repr(game.legal(view, viewer))
        shown["refusals"] = [tuple(game.check(view, viewer, action)) for action in actions]
    return shown
