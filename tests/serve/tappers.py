"""Who plays by taps alone: only what is offered is tapped."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from referee.engine.action_fields import spoken
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.game import look
from referee.engine.legal import Legal
from referee.engine.slots import Ordered, Subset
from referee.engine.source import Draws, OpenSource
from referee.serve.tapping import KIND, PHRASE, Tap, Tapping, tapped
from referee.testing.trial import Play, Trial

MANY = 150
"""Taps after which something should have been said."""


def plays(game, number, longest) -> list[Play]:
    return Trial(game, number, 5, longest).plays[:number]


def by_taps(play: Play, longest: int) -> Iterator[tuple[Tapping, Any]]:
    """A game of which every action is tapped at random; each with what was offered before the first tap, and the
    action that was said.
    """
    game, random = play.game, play.random
    state = game.setup(play.options, play.board)
    draws: Draws = {}
    for _ in range(longest):
        seats = [seat for seat in (game.to_act(state), *game.may_act(state)) if seat]
        offered = {seat: game.legal(look(game, state, seat), seat) for seat in seats}
        offered = {seat: legal for seat, legal in offered.items() if legal}
        if not offered:
            return
        seat = random.choice(list(offered))
        view = look(game, state, seat)
        begun = tapped(game, view, offered[seat])
        action = said_at_random(tapped(game, view, going_on(offered[seat], random)), random)
        assert action in offered[seat], f"{action} of {offered[seat]}"
        yield begun, offered[seat]
        source = OpenSource(play.seeds, draws)
        played = adjudicate(game, state, seat, action, source)
        assert isinstance(played, Played), played
        state, draws = played.state, source.draws


def going_on(legal: Legal, random: Random) -> Legal:
    """Mostly without what does not go on with the game: nobody resigns at his first tap."""
    main = [choice for choice in legal.choices if not choice.minor]
    return Legal(main) if main and random.random() < 0.99 else legal


def said_at_random(tapping: Tapping, random: Random) -> Any:
    """Taps at random until something can be said, and sometimes on, as somebody who does not know the game."""
    for _ in range(MANY):
        chips = [chip.tap for group in tapping.groups for chip in group.chips]
        chips += [Tap(phrase, PHRASE) for phrase, _ in tapping.phrases]
        if tapping.action is not None and (not chips or random.random() < 0.5):
            return tapping.action
        assert chips, f"a dead end after {tapping.said}: {tapping.drafts}"
        after = tapping.then(random.choice(chips))
        assert after is not None, f"a chip that leads nowhere after {tapping.said}"
        tapping = after
    raise AssertionError(f"nothing can be said after {tapping.said}")


def reached(tapping: Tapping, action: Any) -> str | None:
    """What can be said when just the chips of an action are tapped, each of which must be offered."""
    kind = type(action)
    if len(tapping.kinds) > 1:
        tapping = _offered(tapping, Tap(str(kind.__struct_config__.tag), KIND))
    for _ in range(MANY):
        tap = next(_left(tapping, action), None)
        if tapping.action == action:
            return tapping.says
        if tap is None:
            break
        tapping = _offered(tapping, tap)
    raise AssertionError(f"{tapping.game.format(action)!r} is not reached after {tapping.said}; {tapping.groups}")


def _left(tapping: Tapping, action: Any) -> Iterator[Tap]:
    for group in tapping.groups:
        for chip in group.chips:
            value = getattr(action, chip.tap.of)
            slot = tapping.drafts[0].choice.slots[chip.tap.of]
            several = isinstance(slot, Ordered | Subset)
            if isinstance(slot, Ordered):
                taken = tapping.drafts[0].picked.get(chip.tap.of, ())
                if len(taken) < len(value) and str(value[len(taken)]) == chip.tap.word:
                    yield chip.tap
            elif (several and chip.tap.word in map(str, value)) or (not several and spoken(value) == chip.tap.word):
                yield chip.tap
    for group in tapping.groups:  # long groups are offered word by word
        for chip in group.chips:
            value = getattr(action, chip.tap.of)
            if isinstance(value, tuple) and chip.tap.word in map(str, value):
                yield chip.tap


def _offered(tapping: Tapping, tap: Tap) -> Tapping:
    assert any(chip.tap == tap for group in tapping.groups for chip in group.chips), f"{tap} after {tapping.said}"
    after = tapping.then(tap)
    assert after is not None, f"{tap} leads nowhere after {tapping.said}"
    return after
