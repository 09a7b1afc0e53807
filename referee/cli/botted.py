"""Bots at the table: they speak when it is their turn, as long as it is, and agree to whatever is taken back."""

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

from referee.bots.bot import SECONDS, BotError, Seen, UnknownBotError, chosen, find_bot
from referee.cli.answer import NO, OK, STOPPED
from referee.cli.errors import MisuseError, sentence
from referee.cli.held import held
from referee.cli.look import bots_of
from referee.cli.screen import overwriting
from referee.engine.component import Report
from referee.engine.legal import Action
from referee.record.archive.workers import cores, workers
from referee.record.table.moment import Said
from referee.record.table.seen import said_in
from referee.record.table.sitting import Sitting

MOST = 2_000
"""Plays of bots in a row: no game is played to its end by bots alone because somebody has said one thing."""
HASTE = 0.05
"""Seconds for an action once somebody has pressed Ctrl-C."""


class Spoken(NamedTuple):
    """What bots have said, and why no more where it is still their turn."""

    said: list[Said]
    trouble: str = ""
    """A sentence; "": nothing is wrong."""
    code: int = OK


def bots_speak(look: Sitting) -> Spoken:
    """Play the bots whose turn it is, on the game as it stands, until a person is to act. Ctrl-C makes them hurry until
    then. What is recorded stays where one breaks, or is stopped.
    """
    done: list[Said] = []
    tell = overwriting()
    with _hurrying() as seconds:
        while look.facts.to_act in bots_of(look) and look.facts.outcome is None and len(done) < MOST:
            assert look.facts.to_act is not None, "it is somebody's turn"
            seat, name, count = look.facts.to_act, bots_of(look)[look.facts.to_act], len(done) + 1
            heard = partial(_told, tell, f"{name} thinks for {seat}, action {count}")
            try:
                own = look.through(seat)
                line = own.line([_choice(own, seat, seconds(), heard)])
                with held():  # what is recorded is told
                    own.session.record(line.said)
                    done += line.said
                look = look.now()
            except BotError as error:
                return Spoken(done, sentence(str(error)), NO)
            except KeyboardInterrupt:
                return Spoken(done, f"Stopped while {name} was thinking for {seat}.", STOPPED)
    return Spoken(done)


def _told(tell: Callable[[str], None], what: str, part: float) -> None:
    tell(f"{what}: {part:.0%}")


@contextmanager
def _hurrying() -> Iterator[Callable[[], float]]:
    """How many seconds a bot has for an action: hardly any once Ctrl-C was pressed, which a search answers at once."""
    seconds = SECONDS

    def pressed(_number: int, _frame: FrameType | None) -> None:
        nonlocal seconds
        seconds = HASTE
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # a server: nobody presses anything there
        yield lambda: seconds
        return
    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield lambda: seconds
    finally:
        signal.signal(signal.SIGINT, before)


def _choice(own: Sitting, seat: str, seconds: float, tell: Report) -> Action:
    """What the bot of a seat says, seeing what its seat sees. Its dice for choosing come from its own lots."""
    name = bots_of(own)[seat]
    tell(0.0)
    with workers(cores()) as executor:
        seen = Seen(
            own.facts.game, own.sight.view, seat, Random(own.lots), seconds, executor=executor, tell=tell, hurries=True
        )
        return chosen(name, find_bot(name), seen)


def check_bots(names: Iterable[str]) -> None:
    """MisuseError where one of these names is that of no bot, BotError where somebody else's bot cannot be used."""
    try:
        for name in names:
            find_bot(name)
    except UnknownBotError as error:
        raise MisuseError(str(error)) from error


def plays_of_bots(look: Sitting) -> int:
    """How many plays in force bots have said since a person did."""
    by_bots = takewhile(lambda n: look.log.entries[n].by in bots_of(look), said_in(look.session))
    return sum(1 for _ in by_bots)
