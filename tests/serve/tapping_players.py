"""Players who hold phones in a real browser: they tap what is offered, dice and consent included."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SOON = 1_000
"""The milliseconds after which a button that has gone away is given up."""
MOVES = "#live > button.say, #live fieldset:not(.aside) button"
"""The buttons that go on with the game."""


@contextmanager
def server_of(log: Path) -> Iterator[dict[str, str]]:
    """Yields the links of a server in a process of its own. It is killed at the end, as by a power cut."""
    command = [sys.executable, "-c", "from referee.cli.main import run; run()", "--json", "serve", "--play", str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        try:
            yield json.loads(running.stdout.readline())["links"]
        finally:
            running.kill()


def tap(tab: Any, words: str) -> None:
    """Taps a button of the phone as soon as it is there and takes taps."""
    button = tab.locator("#phone").get_by_role("button", name=words, exact=True).first
    button.scroll_into_view_if_needed()
    tab.locator("#phone button:not([data-fresh])").and_(button).tap()


def tap_something(tab: Any, random: Random, *, but: tuple[str, ...] = ()) -> str:
    """Taps something that goes on with the game, if this phone may. Returns what it did; "" for nothing.

    It leaves the kinds in `but` alone, and does not wait for what comes of it.
    """
    for kind, select in _offered(tab):
        if kind in but:
            continue
        buttons = tab.locator(select).and_(tab.locator("button:not([data-fresh]):not([disabled])"))
        count = buttons.count()
        if not count:
            continue
        with suppress(Exception):  # it went away meanwhile
            buttons.nth(random.randrange(count)).tap(timeout=SOON)
        return kind
    return ""


def _offered(tab: Any) -> Iterator[tuple[str, str]]:
    """Yields the kinds of buttons in the order in which a player attends to them."""
    if tab.locator("#sure:not([hidden])").count():
        yield "confirm", "#sure button.sure"
        return
    yield "consent", "#live .asked button.say"
    yield "bot", "#live [aria-label=Bot] button"
    yield "send", "#live .dice button.say"
    yield "die", "#live .dice .die"
    yield "move", MOVES
    yield "aside", "#live .aside button"


def ask_to_take_back(tab: Any) -> None:
    """Asks the others on this phone to take back the last move."""
    with suppress(Exception), _deeds(tab) as deeds:  # it may not be offered now
        deeds.get_by_role("button", name="Take back").tap(timeout=SOON)


def ask_to_correct_dice(tab: Any, random: Random) -> None:
    """Asks the others on this phone to correct the last roll of table dice: each die showed another face."""
    with suppress(Exception), _deeds(tab) as deeds:  # it may not be offered now
        roll = deeds.locator("label").filter(has_text="Throw").locator("option").first.text_content(timeout=SOON)
        dice = str(roll).rpartition("[")[2].rstrip("]").split()
        fell = " ".join(str(random.randint(1, 6)) for _ in dice)
        deeds.get_by_label("As they fell").fill(fell, timeout=SOON)
        deeds.get_by_role("button", name="Ask: dice were typed wrong").tap(timeout=SOON)


def ask_to_end(tab: Any) -> None:
    """Asks the others on this phone to end the game."""
    _ask_and_confirm(tab, "Ask: end the game by agreement", "Yes, end the game")


def ask_to_reveal(tab: Any) -> None:
    """Asks the others on this phone to reveal all secrets."""
    _ask_and_confirm(tab, "Reveal all secrets", "Yes, reveal all secrets")


def _ask_and_confirm(tab: Any, words: str, sure: str) -> None:
    with suppress(Exception), _deeds(tab) as deeds:  # it may not be offered now
        deeds.get_by_role("button", name=words).tap(timeout=SOON)
        tab.locator("#sure:not(:has([data-fresh]))").get_by_role("button", name=sure).tap(timeout=SOON)


@contextmanager
def _deeds(tab: Any) -> Iterator[Any]:
    """Opens what a phone can ask for, and closes it again."""
    deeds = tab.locator("#deeds")
    deeds.evaluate("one => one.open = true")
    try:
        tab.locator("#phone:not(:has([data-fresh]))").wait_for(timeout=SOON)
        yield deeds
    finally:
        deeds.evaluate("one => one.open = false")
