"""Measure chances, luck and fair dice, and write the table in README.md.

    python tests/bench/chances.py                         print all rows, which takes an hour
    python tests/bench/chances.py --row "odds equal"      those whose words begin so
    python tests/bench/chances.py --row twins --write     and write them

A row that is not measured stays as it is in the table. The work is that of `tests/scripts`: `check_chances.py` and
`bot_twins.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "scripts")]

import bot_twins
import check_chances
import rows

from referee.chances.luck import make_luck_account
from referee.chances.odds import MAX_ENUMERATED_OUTCOMES
from referee.chances.outcome_enumeration import TooManyError, enumerate_outcomes
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.engine.adjudication import find_first_need
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.session import Session

HEAD = ("chances", "measured", "bar")
POSITIONS, GROUPS, PAIRS, ENTRIES = 1_000, 10_000, 10_000, 400
UNFAIR = (check_chances.WEIGHTED, *[(1 - check_chances.WEIGHTED) / 5] * 5)


class Row(Struct, frozen=True):
    """One figure of the table, with its bar."""

    words: str
    measure: Callable[[], str]
    bar: str


def logs() -> list[Path]:
    """Returns the logs of the shipped games."""
    return sorted((ROOT / "fixtures").glob("*/games/*.jsonl"))


def count_differing(game: str) -> str:
    """Counts the positions at which the odds differ from those of all possible faces, one by one."""
    return f"{check_chances.odds_are_right(game, POSITIONS)} of {POSITIONS:,}"


def share_of_soon() -> str:
    """Returns the share of plays with dice, in shipped games, whose odds are exact within a second."""
    found = [is_soon for log in logs() for is_soon in _check_plays(open_log(log))]
    return f"{100 * sum(found) / len(found):.1f} % of {len(found):,}"


def _check_plays(session: Session) -> Iterator[bool]:
    """Yields True or False for each play with visible dice and no lots: True if its odds are exact within a second."""
    for n in session.in_force():
        entry = session.entries[n]
        if not isinstance(entry, PlayEntry) or not entry.rolls or not entry.is_fully_known:
            continue
        asked = session.game, session.moment(n - 1).view(entry.by), entry.by, entry.known_action
        need = find_first_need(*asked)
        if need is not None and not need.lots:
            yield _is_soon(*asked)


def _is_soon(game: AnyGame, view: Any, seat: Seat, action: Action) -> bool:
    """True if all outcomes of an action are enumerated within a second. Sampled odds are not exact."""
    began = time.process_time()
    try:
        for way in enumerate_outcomes(game, view, seat, action, MAX_ENUMERATED_OUTCOMES):
            list(map(game.tell, way.played.events))
            if time.process_time() - began > 1:
                return False
    except TooManyError:
        return False
    return True


def seconds_of_luck() -> str:
    """Returns the seconds to work out the luck of `ENTRIES` entries, in the game that takes longest per entry."""
    return f"{max(map(_measure_luck, logs())):.2f} s"


def _measure_luck(log: Path) -> float:
    began = time.process_time()
    session = open_log(log)
    make_luck_account(list_recorded_rolls(session)).luck_by_seat  # noqa: B018 - it is worked out when it is asked for
    entries = len(session.entries)
    return (time.process_time() - began) * ENTRIES / entries if entries > ENTRIES / 2 else 0.0


def count_accused() -> str:
    """Counts the groups with fair dice whose dice are called unfair. Each is tested after each of 200 games."""
    random = Random(2011)
    found = sum(check_chances.accused_after(random, (1,) * 6) is not None for _ in range(GROUPS))
    return f"{100 * found / GROUPS:.2f} % of {GROUPS:,}"


def count_games_until_found() -> str:
    """Returns the number of games after which a die is found unfair that shows one face a quarter of the time."""
    random, never = Random(2011), check_chances.EVENINGS + 1
    after = sorted(check_chances.accused_after(random, UNFAIR) or never for _ in range(GROUPS // 10))
    return f"{after[len(after) // 2]} games"


def count_differing_twins() -> str:
    """Counts the pairs of truths that a seat cannot tell apart, but in which a bot chooses differently."""
    alike = [pair.told()[1] for pair in islice(bot_twins.pairs(), PAIRS)]
    return f"{alike.count(False)} of {len(alike):,}"


ROWS = (
    *(
        Row(
            f"odds equal to full products over faces, {game}: positions that differ",
            lambda g=game: count_differing(g),
            "0",
        )
        for game in check_chances.GAMES
    ),
    Row("odds exact within 1 s: throwing plays of the shipped games", share_of_soon, "95 %"),
    Row(f"luck of a log of {ENTRIES} entries, slowest game", seconds_of_luck, "1 s"),
    Row("honest groups accused by `dice`, looked at after each of 200 games", count_accused, "5 %"),
    Row("a face that falls a quarter of the time is found after (median)", count_games_until_found, ""),
    Row("twins: choices of bots that differ", count_differing_twins, "0"),
)


def main() -> None:
    """Measures, prints the table, and writes it with `--write`."""
    asked = rows.parser(__doc__).parse_args()
    rows.measure(HEAD, ROWS, lambda row: (row.words, row.measure(), row.bar), begin=asked.row, write=asked.write)


if __name__ == "__main__":
    main()
