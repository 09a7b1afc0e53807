"""The turns of bots at the table. Bots move when it is their turn, and agree to every takeback."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from random import Random
from types import FrameType
from typing import NamedTuple

from referee.bots.bot import DEFAULT_SECONDS, BotError, Observation, UnknownBotError
from referee.bots.roster import choose_action, find_bot
from referee.cli.answer import NO, OK, STOPPED
from referee.cli.deferred_interrupt import defer_interrupt
from referee.cli.errors import MisuseError, format_sentence
from referee.cli.game_view import list_bot_seats
from referee.cli.screen import make_line_overwriter
from referee.engine.choice import Action
from referee.engine.component import Report
from referee.record.archive.process_pool import count_cores, start_workers
from referee.record.log.entry import PlayEntry
from referee.record.table.moment import JudgedAction
from referee.record.table.seat_view import SeatView
from referee.record.table.visible_log import list_spoken_newest_first

MAX_BOT_MOVES = 2_000
"""The largest number of bot moves in a row.

One move of a person never makes bots play a whole game to its end.
"""
HURRIED_SECONDS = 0.05
"""Seconds that a bot has for an action after somebody has pressed Ctrl-C."""


class BotTurns(NamedTuple):
    """The moves that bots have made, and the reason if they stopped while it was still their turn."""

    said: list[JudgedAction]
    trouble: str = ""
    """A sentence about what went wrong; "" if nothing did."""
    code: int = OK


def play_bot_turns(look: SeatView) -> BotTurns:
    """Plays for the bots until a person has to act, and records their moves.

    After Ctrl-C, bots hurry. Moves stay recorded if a bot fails or is stopped.
    """
    done: list[JudgedAction] = []
    tell = make_line_overwriter()
    with _limit_thinking_time() as seconds:
        while look.facts.to_act in list_bot_seats(look) and look.facts.outcome is None and len(done) < MAX_BOT_MOVES:
            assert look.facts.to_act is not None, "it is somebody's turn"
            seat, name, count = look.facts.to_act, list_bot_seats(look)[look.facts.to_act], len(done) + 1
            heard = partial(_show_progress, tell, f"{name} thinks for {seat}, action {count}")
            try:
                own = look.with_eyes(seat)
                line = own.judge_line([_choose_action(own, seat, seconds(), heard)])
                with defer_interrupt():  # Ctrl-C never comes between recording a move and reporting it
                    own.session.record(line.said)
                    done += line.said
                look = look.at_present()
            except BotError as error:
                return BotTurns(done, format_sentence(str(error)), NO)
            except KeyboardInterrupt:
                return BotTurns(done, f"Stopped while {name} was thinking for {seat}.", STOPPED)
    return BotTurns(done)


def _show_progress(tell: Callable[[str], None], what: str, part: float) -> None:
    tell(f"{what}: {part:.0%}")


@contextmanager
def _limit_thinking_time() -> Iterator[Callable[[], float]]:
    """Yields a function that returns the seconds that a bot has for an action.

    Ctrl-C stops a search at once, and leaves hardly any time for all further actions.
    """
    seconds = DEFAULT_SECONDS

    def hurry_bots(_number: int, _frame: FrameType | None) -> None:
        nonlocal seconds
        seconds = HURRIED_SECONDS
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # a server, where nobody presses Ctrl-C
        yield lambda: seconds
        return
    before = signal.signal(signal.SIGINT, hurry_bots)
    try:
        yield lambda: seconds
    finally:
        signal.signal(signal.SIGINT, before)


def _choose_action(own: SeatView, seat: str, seconds: float, tell: Report) -> Action:
    """Returns the action that a bot chooses from its seat's own view. Its random numbers come from the seat's seed."""
    name = list_bot_seats(own)[seat]
    tell(0.0)
    with start_workers(count_cores()) as executor:
        seen = Observation(
            own.facts.game,
            own.sight.view,
            seat,
            Random(own.lot_seed),
            seconds,
            executor=executor,
            tell=tell,
            hurries=True,
        )
        return choose_action(name, find_bot(name), seen)


def check_bots(names: Iterable[str]) -> None:
    """Raises MisuseError if one of these names is not the name of a bot.

    Raises BotError if a third-party bot cannot be used.
    """
    try:
        for name in names:
            find_bot(name)
    except UnknownBotError as error:
        raise MisuseError(str(error)) from error


def count_bot_plays_since_person(look: SeatView) -> int:
    """Returns the number of moves in force that bots have made since the last move of a person."""
    said = (look.log.entries[n] for n in list_spoken_newest_first(look.session))
    return sum(
        1 for _ in takewhile(lambda entry: isinstance(entry, PlayEntry) and entry.by in list_bot_seats(look), said)
    )
