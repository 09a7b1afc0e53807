"""Players who only tap buttons that are offered."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from referee.engine.action_fields import format_value
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.choice import find_action_tag
from referee.engine.dice_source import DrawCounts, SeededSource
from referee.engine.game import view_for
from referee.engine.legal import LegalActions
from referee.engine.slots import Ordered, Subset
from referee.serve.action_builder import KIND_SLOT, PHRASE_SLOT, ActionBuilder, Tap, apply_taps
from referee.testing.trial import RandomGame, Trial

MANY = 150
"""Taps after which something should have been said."""


def plays(game, number, longest) -> list[RandomGame]:
    return Trial(game, number, 5, longest).random_games[:number]


def by_taps(play: RandomGame, longest: int) -> Iterator[tuple[ActionBuilder, Any]]:
    """Plays a game by random taps. Yields the first buttons and all legal actions each time."""
    game, random = play.game, play.random
    state = game.setup(play.options, play.board)
    draws: DrawCounts = {}
    for _ in range(longest):
        seats = [seat for seat in (game.to_act(state), *game.list_other_actors(state)) if seat]
        offered = {seat: game.legal(view_for(game, state, seat), seat) for seat in seats}
        offered = {seat: legal for seat, legal in offered.items() if legal}
        if not offered:
            return
        seat = random.choice(list(offered))
        view = view_for(game, state, seat)
        begun = apply_taps(game, view, offered[seat])
        action = said_at_random(apply_taps(game, view, going_on(offered[seat], random)), random)
        assert action in offered[seat], f"{action} of {offered[seat]}"
        yield begun, offered[seat]
        source = SeededSource(play.seeds, draws)
        played = adjudicate(game, state, seat, action, source)
        assert isinstance(played, LegalVerdict), played
        state, draws = played.state, source.draws


def going_on(legal: LegalActions, random: Random) -> LegalActions:
    """Returns the legal actions, mostly without minor ones, so that nobody resigns at the first tap."""
    main = [choice for choice in legal.choices if not choice.minor]
    return LegalActions(main) if main and random.random() < 0.99 else legal


def said_at_random(tapping: ActionBuilder, random: Random) -> Any:
    """Taps at random until the taps make an action, and sometimes further, as somebody new to the game would."""
    for _ in range(MANY):
        chips = [chip.tap for group in tapping.button_groups for chip in group.buttons]
        chips += [Tap(phrase, PHRASE_SLOT) for phrase, _ in tapping.remaining_texts]
        if tapping.action is not None and (not chips or random.random() < 0.5):
            return tapping.action
        assert chips, f"a dead end after {tapping.tapped_words}: {tapping.drafts}"
        after = tapping.apply_tap(random.choice(chips))
        assert after is not None, f"a chip that leads nowhere after {tapping.tapped_words}"
        tapping = after
    raise AssertionError(f"nothing can be said after {tapping.tapped_words}")


def reached(tapping: ActionBuilder, action: Any) -> str | None:
    """Taps one action and returns its text. Fails if a tap that it needs is not offered."""
    for _ in range(MANY):
        tap, _words = next(list_next_taps(tapping, action), (None, ""))
        if tapping.action == action:
            return tapping.action_text
        if tap is None:
            break
        after = tapping.apply_tap(tap)
        assert after is not None, f"{tap} leads nowhere after {tapping.tapped_words}"
        tapping = after
    raise AssertionError(
        f"{tapping.game.format(action)!r} is not reached after {tapping.tapped_words}; {tapping.button_groups}"
    )


def list_next_taps(tapping: ActionBuilder, action: Any) -> Iterator[tuple[Tap, str]]:
    """Yields the offered taps that lead on to an action, each with the words on its button."""
    kind = Tap(find_action_tag(type(action)), KIND_SLOT)
    wanted = [kind] if len(tapping.action_kinds) > 1 else list(_left(tapping, action))
    words = {chip.tap: chip.words for group in tapping.button_groups for chip in group.buttons}
    for tap in wanted:
        assert tap in words, f"{tap} after {tapping.tapped_words}"
        yield tap, words[tap]


def _left(tapping: ActionBuilder, action: Any) -> Iterator[Tap]:
    for group in tapping.button_groups:
        for chip in group.buttons:
            value = getattr(action, chip.tap.slot)
            slot = tapping.drafts[0].choice.slots[chip.tap.slot]
            several = isinstance(slot, Ordered | Subset)
            if isinstance(slot, Ordered):
                taken = tapping.drafts[0].picked.get(chip.tap.slot, ())
                if len(taken) < len(value) and str(value[len(taken)]) == chip.tap.word:
                    yield chip.tap
            elif (several and chip.tap.word in map(str, value)) or (
                not several and format_value(value) == chip.tap.word
            ):
                yield chip.tap
    for group in tapping.button_groups:  # long groups are offered word by word
        for chip in group.buttons:
            value = getattr(action, chip.tap.slot)
            if isinstance(value, tuple) and chip.tap.word in map(str, value):
                yield chip.tap
