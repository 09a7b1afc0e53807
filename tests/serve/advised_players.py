"""Players who hold phones in a real browser and want to win: a bot tells them the move, and they tap it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from slipping_taps import rest
from tappers import MANY, list_next_taps
from tapping_players import SOON

from referee.bots.bot import Observation
from referee.bots.steady_bot import choose_steady_action
from referee.cli.session.phone_view import find_legal_actions, make_action_builder
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.serve.action_builder import PHRASE_SLOT, ActionBuilder, Tap


def tap_advised_move(tab: Any, log: Path, seat: str, random: Random) -> str:
    """Taps the whole move that a bot advises, if this phone may move. Returns what it did; "" for nothing."""
    with suppress(Exception):  # the game has moved on, or the server is gone
        rest(tab)
        half_said = tab.locator("#live button.said")
        if half_said.count():
            half_said.first.tap(timeout=SOON)
            return "clear"
        words = list(_advise(log, seat, random))
        for one in words:
            _tap_words(tab, one)
        return "move" if words else ""
    return ""


def _advise(log: Path, seat: str, random: Random) -> Iterator[str]:
    """Yields the words on the buttons of the move that a bot advises; none where a phone has no move to tap."""
    look = SeatView(open_log(log), seat)
    builder = make_action_builder(look, ()) if find_legal_actions(look) else None
    if builder is None or not builder.drafts:
        return  # it waits for others, or for dice
    yield from list_buttons(builder, choose_steady_action(Observation(look.facts.game, look.sight.view, seat, random)))


def list_buttons(builder: ActionBuilder, action: Any) -> Iterator[str]:
    """Yields the words on the buttons of a phone that make an action, one after the other."""
    text = builder.game.format(action)
    for _ in range(MANY):
        if builder.taps and builder.action_text == text:
            yield f"Say: {text}"
            return
        whole = dict(builder.remaining_texts)
        if text not in whole:
            tap, words = next(list_next_taps(builder, action))
        else:
            tap, words = Tap(text, PHRASE_SLOT), text
        yield words
        if whole.get(text):
            return
        after = builder.apply_tap(tap)
        assert after is not None, f"{words} leads nowhere after {builder.tapped_words}"
        builder = after
    raise AssertionError(f"{text!r} is not reached after {builder.tapped_words}")


def _tap_words(tab: Any, words: str) -> None:
    """Taps the button with these words as soon as it takes taps, and before it what it is folded into."""
    rest(tab)
    button = tab.locator("button").filter(has_text=re.compile(f"^{re.escape(words)}$"))
    folded = tab.locator("#live details:not([open])").filter(has=button)
    if folded.count():
        folded.locator("summary").tap(timeout=SOON)
        rest(tab)
    tab.locator("#live").locator(button).first.tap(timeout=SOON)
