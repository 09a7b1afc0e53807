"""The program of a bot's process: loads one bot, shows it views, and answers with its actions.

It sets its own limits before any foreign code runs. Questions come in by standard input and answers go out by standard
output; the bot itself gets neither. Text that the bot prints goes to standard error.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
import time
from contextlib import nullcontext, suppress
from functools import cache
from importlib import import_module
from math import ceil
from operator import attrgetter
from queue import SimpleQueue
from random import Random
from threading import Thread
from types import FrameType
from typing import Any, NoReturn

from referee.bots.bot import Bot, Observation, describe_returned_object, is_action
from referee.bots.bot_messages import (
    END_OF_PRINTED_TEXT,
    MAX_TEXT_LENGTH,
    ActionRequest,
    BotAnswer,
    BotBroken,
    BotInterrupted,
    BotLoaded,
    BotRequest,
    ChosenAction,
    GameBroken,
    GameNotShown,
    LoadRequest,
    NoAction,
    Progress,
    decode_request,
    encode_action,
    frame_message,
    read_message,
    read_random_state,
    unpickle_view,
)
from referee.engine.component import Report
from referee.engine.foreign_code import ErrorBoundary
from referee.engine.game import AnyGame
from referee.engine.plugin_errors import MAX_CHARACTERS, GameError, describe_error, locate_error
from referee.engine.registry import find_game, find_game_by_rules
from referee.engine.text import make_printable
from referee.record.archive.process_pool import count_cores, start_workers

REPORT_INTERVAL = 0.05
"""The least seconds between two reports of progress."""
GRACE_SECONDS = 2.0
"""The seconds after a question's time limit at which this process ends itself, if nobody has ended it before."""
MAX_QUESTION_BYTES = 1 << 30
"""The most bytes of a question. The limit is generous, because all questions come from the referee itself."""


class BotFailedError(Exception):
    """The error of a bot, with the place in its code."""

    def __init__(self, place: str, error: str) -> None:
        super().__init__(place, error)
        self.answer = BotBroken(_shorten_text(place), _shorten_text(error))


class BotServer:
    """The bot of this process, and the pipes to the program that asks it."""

    def __init__(self, folder: str) -> None:
        self._answers, questions = os.dup(1), os.dup(0)
        self._streams = os.open(os.devnull, os.O_RDONLY), os.dup(2), os.dup(2)
        self._folder = folder
        self._thinks = False
        self._module = ""
        self._bot: Bot | None = None
        self._board: Any = None
        """The board of the latest question. It stays the same object, so that rules need not compute things anew."""
        self._waiting: SimpleQueue[BotRequest] = SimpleQueue()
        signal.signal(signal.SIGINT, self._stop_thinking)
        Thread(target=self._receive_questions, args=(questions,), daemon=True).start()

    def serve(self) -> NoReturn:
        """Answers questions until the program that asks them is gone."""
        while True:
            for number, stream in enumerate(self._streams):
                os.dup2(stream, number)  # the bot may have closed them
            question = self._waiting.get()
            set_alarm(question.limit + GRACE_SECONDS)
            answer = self._load(question) if isinstance(question, LoadRequest) else self._choose(question)
            set_alarm(0)
            for file in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    file.flush()
            _write_all(self._streams[-1], END_OF_PRINTED_TEXT)
            self._send(answer)

    def _send(self, answer: BotAnswer) -> None:
        _write_all(self._answers, frame_message(answer))

    def _receive_questions(self, pipe: int) -> None:
        """Takes in questions, even while the bot thinks. So the process ends as soon as the pipe of questions ends."""
        with suppress(BaseException):
            while (data := read_message(lambda size: os.read(pipe, size), MAX_QUESTION_BYTES)) is not None:
                self._waiting.put(decode_request(data))
        self._leave()

    def _leave(self) -> NoReturn:
        """Ends this process and all that the bot has started, and leaves no folder behind."""
        with suppress(OSError):
            os.chdir(os.path.dirname(self._folder))  # noqa: PTH120 - Windows removes no current folder
        shutil.rmtree(self._folder, ignore_errors=True)
        if os.name != "nt" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(0)

    def _stop_thinking(self, _number: int, _frame: FrameType | None) -> None:
        if self._thinks:
            raise KeyboardInterrupt

    # The bot

    def _load(self, request: LoadRequest) -> BotAnswer:
        limit_resource("RLIMIT_AS", request.memory)
        limit_resource("RLIMIT_FSIZE", request.file_size)
        limit_resource("RLIMIT_CORE", 0)
        self._module, _, name = request.bot.partition(":")
        try:
            with self._make_boundary():
                self._bot = attrgetter(name.split("[")[0].strip())(import_module(self._module))()
        except BotFailedError as failed:
            return failed.answer
        return BotLoaded()

    def _choose(self, turn: ActionRequest) -> BotAnswer:
        assert self._bot, "the bot is loaded before it has to choose"
        try:
            game = _find_game(turn.game, turn.rules)
            if turn.board is not None:
                self._board = pickle.loads(turn.board)
            view, random = unpickle_view(turn.view, self._board), Random()
            random.setstate(turn.random)
        except GameError as error:
            return _report_game_error(error)
        except Exception as error:
            return GameNotShown(_shorten_text(describe_error(error)))
        with start_workers(count_cores()) if turn.has_helpers else nullcontext() as executor:
            seen = Observation(
                game,
                view,
                turn.seat,
                random,
                turn.seconds,
                turn.playouts,
                executor,
                _limit_reports(lambda share: self._send(Progress(share))),
                turn.hurries,
            )
            return self._ask(seen, turn)

    def _ask(self, seen: Observation, turn: ActionRequest) -> BotAnswer:
        """Returns the bot's answer to an observation."""
        assert self._bot, "the bot is loaded before it has to choose"
        try:
            with self._make_boundary():
                self._thinks = True
                try:
                    action = self._bot.choose(seen)
                finally:
                    self._thinks = False
                if not is_action(seen.game, action):
                    return NoAction(_shorten_text(describe_returned_object(action)))
                state = read_random_state(seen.random)
                return ChosenAction(encode_action(action), state if state != turn.random else None)
        except BotFailedError as failed:
            return failed.answer
        except GameError as error:
            return _report_game_error(error)
        except KeyboardInterrupt:
            return BotInterrupted()

    def _make_boundary(self) -> ErrorBoundary:
        """Returns a boundary that reports every error inside as a fault of the bot."""

        def blame(error: BaseException) -> BotFailedError:
            return BotFailedError(locate_error(error, self._module), describe_error(error))

        return ErrorBoundary(blame, (GameError,))


def _shorten_text(text: str) -> str:
    """Returns a text of foreign code in a form for messages: short, and with all control characters made visible."""
    return make_printable(text[:MAX_CHARACTERS])[:MAX_TEXT_LENGTH]


def _report_game_error(error: GameError) -> GameBroken:
    return GameBroken(_shorten_text(error.name), _shorten_text(error.place), _shorten_text(error.what))


@cache
def _find_game(name: str, rules: int) -> AnyGame:
    """Returns the game of this name with this version of its rules.

    Raises LookupError if that version is not kept here.
    """
    game = find_game_by_rules(find_game(name), rules)
    if game is None:
        raise LookupError(f"version {rules} of the rules of {name} is not kept")
    return game


def _limit_reports(tell: Report) -> Report:
    """Returns a function that passes on reports of progress, but not too many.

    It drops every report that comes less than `REPORT_INTERVAL` seconds after the last one that it passed on.
    """
    last = 0.0

    def report(share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORT_INTERVAL:
            last = time.monotonic()
            tell(min(1.0, max(0.0, share)))

    return report


def _write_all(pipe: int, data: bytes) -> None:
    while data:
        data = data[os.write(pipe, data) :]


def limit_resource(name: str, most: float) -> None:
    """Limits what this process may use of a resource, such as "RLIMIT_AS", where the system can."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = int(most) if hard == resource.RLIM_INFINITY else min(int(most), hard)
        resource.setrlimit(kind, (most, most))


def set_alarm(seconds: float) -> None:
    """Has the system end this process after some seconds, even if Python no longer reacts; 0 cancels the alarm."""
    if hasattr(signal, "alarm"):  # Windows has none
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(ceil(seconds))


def serve_bot(folder: str) -> NoReturn:
    """Serves the bot that the program at the other end of the pipes names first.

    Creates `folder`, makes it the current folder, and removes it at the end. The folder must not exist yet.
    """
    os.mkdir(folder, 0o700)  # noqa: PTH102 - a Path would be imported for this alone
    os.chdir(folder)
    BotServer(folder).serve()
