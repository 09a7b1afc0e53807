"""Play whole games by taps alone in a real browser: a phone for each seat, and a server that is killed in between.

    python tests/scripts/phone_evening.py                    all games
    python tests/scripts/phone_evening.py mutants --minutes 5 --kills 3 --moves random

A bot tells the players their moves, or they tap at random. They take moves back, correct dice and agree on their
phones. One phone is on a slow net. A game that lasts longer than the minutes is ended by agreement, and secrets are
revealed, by taps. At the end all phones show all entries, each once, and the log is audited.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "serve")]

from advised_players import tap_advised_move
from browsers import chromium
from phone_games import Table
from tapping_players import (
    PHONE,
    ask_to_correct_dice,
    ask_to_end,
    ask_to_reveal,
    ask_to_take_back,
    server_of,
    tap_something,
)

from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "manoover": ("manoover", {}),
    "manoover-three": ("manoover", {"form": "three"}),
    "mutants": ("mutants", {}),
    "mutants-hidden": ("mutants", {"hidden-movement": "yes"}),
    "sheboygan": ("sheboygan", {"scenario": "learning"}),
    "zombies": ("zombies", {}),
    "zombies-three": ("zombies", {"players": "3"}),
}
SLOW = {"offline": False, "latency": 800, "downloadThroughput": 50_000, "uploadThroughput": 20_000}
"""The net of the first phone: milliseconds, and bytes a second."""
REGRETS = 0.02
"""The share of taps with which a player asks to take back the last move instead."""
SLIPS = 0.02
"""The share of taps with which a player asks to correct the last roll instead, with table dice."""
WHIMS = 0.05
"""The share of taps with which an advised player taps something else instead."""
SERVED_SECONDS = 15.0
"""The time that a server lives which is killed."""
END_MINUTES = 3.0
"""The most minutes in which players end a game by agreement."""
OVER = "The game is over"
ASKED = "#live .asked, #sure:not([hidden])"
"""What somebody has asked, or is about to."""


class Evening(NamedTuple):
    """How long an evening lasts, and what happens in it."""

    minutes: float
    kills: int
    seed: int
    advised: bool = True
    """True if a bot tells the players their moves."""


class Players:
    """The phones of one game, and the hands that hold them."""

    def __init__(self, browser: Any, log: Path, evening: Evening) -> None:
        self.browser, self.log, self.evening = browser, log, evening
        self.tabs: dict[str, Any] = {}
        self.random, self.taps = Random(evening.seed), Counter[str]()

    def take_phones(self, links: dict[str, str]) -> None:
        """Opens the links on phones, or waits until the phones have found the server again."""
        if not self.tabs:
            self.tabs = {
                seat: _phone(self.browser, link, slow=not number) for number, (seat, link) in enumerate(links.items())
            }
        for tab in self.tabs.values():
            tab.locator("#line.on").wait_for(timeout=120_000)

    @property
    def is_over(self) -> bool:
        """True if each phone says that the game is over."""
        return all(tab.locator("#phone h2", has_text=OVER).count() for tab in self._seated.values())

    @property
    def _seated(self) -> dict[str, Any]:
        return {seat: tab for seat, tab in self.tabs.items() if seat != "table"}

    def play_until(self, end: float) -> None:
        """Plays until the game is over, or until this time."""
        while time.monotonic() < end and not self.is_over:
            self.taps.update([self._tap()])

    def end_game(self) -> None:
        """Ends a game that is not over by agreement, and reveals its secrets, by taps."""
        self._ask_until(ask_to_end, lambda: self.is_over)
        self._ask_until(ask_to_reveal, lambda: not SeatView(open_log(self.log), None).log.sealed_entries)

    def _ask_until(self, ask: Callable[[Any], None], done: Callable[[], bool]) -> None:
        end = time.monotonic() + 60 * END_MINUTES
        while not done():
            assert time.monotonic() < end, f"not done in time: {ask.__name__}"
            tabs = list(self._seated.values())
            tapped = any(tap_something(tab, self.random, but=("send", "die", "move", "aside")) for tab in tabs)
            if not tapped and not any(tab.locator(ASKED).count() for tab in tabs):
                ask(self.random.choice(tabs))

    def _tap(self) -> str:
        """Taps on the phone of somebody who can do something. Returns what was tapped; "" for nothing."""
        seats = list(self._seated)
        self.random.shuffle(seats)
        if self.random.random() < REGRETS:
            ask_to_take_back(self.tabs[seats[0]])
            return "take back"
        if self.random.random() < SLIPS:
            ask_to_correct_dice(self.tabs[seats[0]], self.random)
            return "correct"
        return next(filter(None, (self._tap_on(seat) for seat in seats)), "")

    def _tap_on(self, seat: str) -> str:
        tab = self.tabs[seat]
        if not self.evening.advised or self.random.random() < WHIMS:
            return tap_something(tab, self.random)
        tapped = tap_something(tab, self.random, but=("move", "aside"))
        return tapped or tap_advised_move(tab, self.log, seat, self.random)


def main() -> None:
    """Plays the games and prints a line about each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forms", nargs="*", default=list(FORMS), help=f"some of {', '.join(FORMS)}")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table-dice", action="store_true", help="all dice are tapped")
    parser.add_argument("--moves", choices=("advised", "random"), default="advised")
    asked = parser.parse_args()
    evening = Evening(asked.minutes, asked.kills, asked.seed, asked.moves == "advised")
    for form in asked.forms:
        name, options = FORMS[form]
        dice = TableDice() if asked.table_dice else OpenDice("7" * 64)
        with TemporaryDirectory() as folder, chromium() as browser:
            log = Table(Path(folder), name, dice, **options).log
            print(form, play_evening(browser, log, evening), flush=True)


def play_evening(browser: Any, log: Path, evening: Evening) -> str:
    """Plays a game by taps to its end, and returns what happened. Raises AssertionError."""
    players = Players(browser, log, evening)
    end = time.monotonic() + 60 * evening.minutes
    for part in range(evening.kills + 1):
        with server_of(log) as links:
            players.take_phones(links)
            players.play_until(min(end, time.monotonic() + SERVED_SECONDS) if part < evening.kills else end)
    ended = "over" if open_log(log).moment().to_act is None else "ended by agreement"
    with server_of(log) as links:
        players.take_phones(links)
        players.end_game()
        return f"{ended}, {_judge(log, players)}"


def _phone(browser: Any, link: str, *, slow: bool) -> Any:
    """Opens a link on a phone. What the browser complains of is on the list `said`."""
    tab = browser.new_context(**PHONE).new_page()
    tab.said = []
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    if slow:
        tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", SLOW)
    tab.goto(link)
    return tab


def _judge(log: Path, players: Players) -> str:
    game = open_log(log)
    last = len(game.entries) - 1
    for seat, tab in players.tabs.items():
        tab.locator("#line.on").wait_for(timeout=60_000)
        tab.locator(f"#n{last}").wait_for(state="attached", timeout=60_000)
        shown = [int(one) for one in tab.locator("#record li").evaluate_all("all => all.map((one) => one.id.slice(1))")]
        assert shown == list(range(shown[0], last + 1)), f"{seat} does not see each entry once"
        assert tab.said == [], f"{seat}: {tab.said}"
    report = audit(log)
    assert report.fault is None, report.fault
    assert game.moment().to_act is None
    return f"{last} entries, {players.taps.total()} taps: {dict(players.taps)}"


if __name__ == "__main__":
    main()
