"""Laws of secrets, tried at one spot of a random game: nobody learns what he may not know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Played, adjudicate, evident_of
from referee.engine.event import Seat
from referee.engine.game import AnyGame, look
from referee.engine.secret import blinded
from referee.engine.source import OpenSource
from referee.record.table.known import Known
from referee.testing.trial import Spot

DEEDS = 16
"""Deeds of one seat that are compared at a spot."""
PAIRS = 8
"""Pairs of truths that are compared there for each viewer."""
FURTHER = 3
"""Actions by which a pair is followed on."""
LATER = 1_000
"""Draws of dice that lie between those actions, so that none is thrown twice."""


def same_for_all(spot: Spot) -> Iterator[str]:
    """Who acts, what turn it is, what is asked and how it ended are no secrets."""
    game = spot.game
    for name in ("to_act", "turn_of", "asks", "outcome", "may_act", "sole"):
        for state in (spot.state, spot.played.state):
            told = {repr(getattr(game, name)(look(game, state, viewer))) for viewer in spot.viewers}
            if told != {repr(getattr(game, name)(state))}:
                yield f"{name} is not the same in every view: {' or '.join(sorted(told))}"


def views(spot: Spot) -> Iterator[str]:
    """A view of a view is no more, and no view holds a secret of somebody else."""
    game, public = spot.game, spot.view(None)
    for viewer in spot.viewers:
        view = spot.view(viewer)
        if look(game, view, viewer) != view:
            yield f"the view of {viewer or 'a spectator'} is another when it is taken of itself"
        if look(game, view, None) != public:
            yield f"what spectators see depends on whether one looks through the eyes of {viewer}"
        if blinded(view, viewer) is not view:
            yield f"{viewer or 'a spectator'} sees a secret of somebody else"
        if not game.keepers(spot.play.options) and view != spot.state:
            yield f"nobody keeps secrets, but {viewer or 'a spectator'} does not see everything"


def followed(spot: Spot) -> Iterator[str]:
    """Views that are folded on by what each seat sees of a play are the views of what it comes to.

    When the game is over everything may be shown: then secrets are revealed.
    """
    game = spot.game
    for seat, said, played in _plays(spot):
        if game.outcome(played.state):
            continue
        known = Known(views={viewer: spot.view(viewer) for viewer in spot.viewers})
        after = known.after(game, seat, played.events, played.open_events)
        for viewer in spot.viewers:
            due, who = _looked_anew(game, played.state, viewer), viewer or "a spectator"
            if after.seen_by(game, viewer) != due:
                yield f"after {seat}'s {game.format(said)!r} {who} comes elsewhere than to what he should see"
            if look(game, played.state, viewer) != due:
                yield f"after {seat}'s {game.format(said)!r} a view was kept for {who} that is none any more"


def _looked_anew(game: AnyGame, state: Any, viewer: Seat | None) -> Any:
    """A view of a state that is worked out now, whatever the state keeps of what was worked out before."""
    return look(game, replace(state) if isinstance(state, Struct) else state, viewer)


def evident(spot: Spot) -> Iterator[str]:
    """Events that what everybody may know decides happen as everybody works them out, and what all know to be forbidden
    is not legal.
    """
    game, public = spot.game, spot.view(None)
    for seat, said, played in _plays(spot):
        if played.hidden:
            continue
        told = evident_of(game, public, seat, said, spot.source())
        happened = played.open_events if told.is_all else played.open_events[: len(told.events)]
        if told.events != happened:
            yield f"by what everybody knows {seat}'s {game.format(said)!r} comes to other events than it does"
        for refusal in game.forbids(public, seat, said):
            yield f"by what everybody knows {seat}'s {game.format(said)!r} is forbidden by {refusal.rule}"


def _plays(spot: Spot) -> Iterator[tuple[Seat, Any, Played]]:
    """What was done, and some of what could have been."""
    yield spot.seat, spot.action, spot.played
    for seat, legal in spot.legal.items():
        for action in spot.some(legal):
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.source())
            if isinstance(verdict, Played):
                yield seat, action, verdict


def twins(spot: Spot) -> Iterator[str]:
    """Truths that somebody cannot tell apart are the same to him, in all that he is told and shown.

    Where views are equal, so is what is worked out from them; that is looked at once for each viewer.
    """
    if not spot.game.keepers(spot.play.options):
        return
    deeds = list(_deeds(spot))
    for viewer in spot.viewers:
        last = None
        for one, other, said in islice(_pairs(spot, viewer, deeds), PAIRS):
            if _looked_anew(spot.game, one, viewer) != _looked_anew(spot.game, other, viewer):
                yield f"after {said!r} {viewer or 'a spectator'} has two views of what looks alike to him"
            last = one, other, said
        if last:
            yield from _differences(spot, viewer, *last)


Deed = tuple[Seat, Any, Played]
Pair = tuple[Any, Any, str]


def _deeds(spot: Spot) -> Iterator[Deed]:
    """What seats could do, at random."""
    random = spot.random
    for seat, legal in spot.legal.items():
        for action in dict.fromkeys(legal.pick(random) for _ in range(DEEDS if legal else 0)):
            verdict = adjudicate(spot.game, spot.state, seat, action, spot.source())
            if isinstance(verdict, Played):
                yield seat, action, verdict


def _pairs(spot: Spot, viewer: Seat | None, deeds: list[Deed]) -> Iterator[Pair]:
    """Truths that look alike to a viewer: after deeds of others of which he sees the same, and after what follows."""
    alike: dict[Any, Played] = {}
    for seat, action, verdict in deeds:
        if seat == viewer:
            continue
        first = alike.setdefault(_seen(viewer, seat, action, verdict), verdict)
        if first.state != verdict.state:
            yield first.state, verdict.state, spot.game.format(action)
            yield from _further(spot, viewer, first.state, verdict.state)


def _seen(viewer: Seat | None, seat: Seat, action: Any, verdict: Played) -> Any:
    """All that somebody sees of a play."""
    shown = None if verdict.hidden else blinded(action, viewer)
    return repr((seat, shown, [roll for roll in verdict.rolls if not roll.to], blinded(verdict.open_events, viewer)))


def _further(spot: Spot, viewer: Seat | None, one: Any, other: Any) -> Iterator[Pair]:
    """The same actions on both, as long as the viewer sees the same of them."""
    game, random, draws = spot.game, spot.random, 0
    for _ in range(FURTHER):
        seat = game.to_act(one)
        legal = game.legal(look(game, one, seat), seat) if seat else None
        if not seat or not legal:
            return
        action, draws = legal.pick(random), draws + LATER
        source = [OpenSource(spot.play.seeds, dict.fromkeys(spot.viewers, draws)) for _ in range(2)]
        first, second = adjudicate(game, one, seat, action, source[0]), adjudicate(game, other, seat, action, source[1])
        if not isinstance(first, Played) or not isinstance(second, Played):
            return
        if _seen(viewer, seat, action, first) != _seen(viewer, seat, action, second):
            return
        one, other = first.state, second.state
        yield one, other, game.format(action)


def _differences(spot: Spot, viewer: Seat | None, one: Any, other: Any, said: str) -> Iterator[str]:
    actions = [action for _, action, _ in spot.tried[::5]]
    shown = _shown(spot, viewer, one, actions), _shown(spot, viewer, other, actions)
    for name in shown[0]:
        if shown[0][name] != shown[1][name]:
            yield f"after {said!r} {viewer or 'a spectator'} can tell two truths apart by {name}"


def _shown(spot: Spot, viewer: Seat | None, state: Any, actions: list[Any]) -> dict[str, Any]:
    """All that somebody can get to see of a state."""
    game, view = spot.game, look(spot.game, state, viewer)
    shown = {
        "the position": msgspec.json.encode(game.position_of(view)),
        "the standing": game.status(view),
        "the picture": game.draw(view),
    }
    if viewer:
        shown["what is legal"] = repr(game.legal(view, viewer))
        shown["refusals"] = [tuple(game.check(view, viewer, action)) for action in actions]
    return shown
