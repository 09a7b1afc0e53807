"""Play whole games by taps alone in a real browser: a phone for each seat, and a server that is killed in between.

    python tests/scripts/phone_evening.py                    all games
    python tests/scripts/phone_evening.py mutants --minutes 5 --kills 3

Players take moves back, correct dice and agree on their phones. One phone is on a slow net. At the end all phones show
all entries, each once, and the log is audited. A game that lasts longer than the minutes is stopped there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "serve")]

from browsers import chromium
from phone_games import Table
from tapping_players import PHONE, ask_to_correct_dice, ask_to_take_back, server_of, tap_something

from referee.engine.mode import OpenDice, TableDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log

FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "manoover": ("manoover", {}),
    "manoover-three": ("manoover", {"form": "three"}),
    "mutants": ("mutants", {}),
    "mutants-hidden": ("mutants", {"hidden-movement": "yes"}),
    "sheboygan": ("sheboygan", {}),
    "zombies": ("zombies", {}),
    "zombies-three": ("zombies", {"players": "3"}),
}
SLOW = {"offline": False, "latency": 800, "downloadThroughput": 50_000, "uploadThroughput": 20_000}
"""The net of the first phone: milliseconds, and bytes a second."""
REGRETS = 0.02
"""The share of taps with which a player asks to take back the last move instead."""


SLIPS = 0.02
"""The share of taps with which a player asks to correct the last roll instead, with table dice."""


class Evening(NamedTuple):
    """How long an evening lasts, and what happens in it."""

    minutes: float
    kills: int
    seed: int


def main() -> None:
    """Plays the games and prints a line about each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forms", nargs="*", default=list(FORMS), help=f"some of {', '.join(FORMS)}")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table-dice", action="store_true", help="all dice are tapped")
    asked = parser.parse_args()
    for form in asked.forms:
        name, options = FORMS[form]
        dice = TableDice() if asked.table_dice else OpenDice("7" * 64)
        with TemporaryDirectory() as folder, chromium() as browser:
            log = Table(Path(folder), name, dice, **options).log
            print(form, play_evening(browser, log, Evening(asked.minutes, asked.kills, asked.seed)), flush=True)


def play_evening(browser: Any, log: Path, evening: Evening) -> str:
    """Plays a game by taps until it or the time is over, and returns what happened. Raises AssertionError."""
    random, tabs, taps = Random(evening.seed), dict[str, Any](), Counter[str]()
    end = time.monotonic() + 60 * evening.minutes
    for part in range(evening.kills + 1):
        share = time.monotonic() + (end - time.monotonic()) / (evening.kills + 1 - part)
        with server_of(log) as links:
            if not tabs:
                tabs = {
                    seat: _phone(browser, link, slow=not number) for number, (seat, link) in enumerate(links.items())
                }
            for tab in tabs.values():
                tab.locator("#line.on").wait_for(timeout=60_000)
            while time.monotonic() < share and open_log(log).moment().to_act is not None:
                taps.update([_tap(tabs, random)])
    with server_of(log):
        return _judge(log, tabs, taps)


def _phone(browser: Any, link: str, *, slow: bool) -> Any:
    """Opens a link on a phone. What the browser complains of is on the list `said`."""
    tab = browser.new_context(**PHONE).new_page()
    tab.said = []
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    if slow:
        tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", SLOW)
    tab.goto(link)
    return tab


def _tap(tabs: dict[str, Any], random: Random) -> str:
    """Taps once on the phone of somebody who can do something. Returns what was tapped; "" for nothing."""
    seats = [seat for seat in tabs if seat != "table"]
    random.shuffle(seats)
    if random.random() < REGRETS:
        ask_to_take_back(tabs[seats[0]])
        return "take back"
    if random.random() < SLIPS:
        ask_to_correct_dice(tabs[seats[0]], random)
        return "correct"
    return next(filter(None, (tap_something(tabs[seat], random) for seat in seats)), "")


def _judge(log: Path, tabs: dict[str, Any], taps: Counter[str]) -> str:
    game = open_log(log)
    last = len(game.entries) - 1
    for seat, tab in tabs.items():
        tab.locator("#line.on").wait_for(timeout=60_000)
        tab.locator(f"#n{last}").wait_for(state="attached", timeout=60_000)
        shown = [int(one) for one in tab.locator("#record li").evaluate_all("all => all.map((one) => one.id.slice(1))")]
        assert shown == list(range(shown[0], last + 1)), f"{seat} does not see each entry once"
        assert tab.said == [], f"{seat}: {tab.said}"
    report = audit(log)
    assert report.fault is None, report.fault
    over = "over" if game.moment().to_act is None else "stopped"
    return f"{over} after {last} entries and {taps.total()} taps: {dict(taps)}"


if __name__ == "__main__":
    main()
