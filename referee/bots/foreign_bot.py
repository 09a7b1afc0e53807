"""A bot of another distribution, which plays in a process of its own.

A bot needs no more than a view, so it gets no more. Its process holds the view of its seat as data, and no path of a
log or vault. Everything that it does wrong becomes a BotError with its name, its distribution and the place. It may
raise an error, leave, die, take too long, use too much memory, write too much, or answer with something else.

There is one process for each bot in a program, not one for each action, so that it starts once. Our own bots are a part
of this program and play in our process: they cost no start. A game of another distribution stays in our process, too.
Its rules are asked thousands of times for one action, and a pipe takes longer than most of their answers. So games are
fenced in instead (`referee.engine.plugin_guard`).
"""

from __future__ import annotations

import atexit
import pickle
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from referee.bots.bot import BotError, Observation
from referee.bots.bot_messages import (
    ActionRequest,
    BotAnswer,
    BotBroken,
    BotInterrupted,
    BotLoaded,
    ChosenAction,
    GameBroken,
    GameNotShown,
    LoadRequest,
    NoAction,
    decode_action,
    find_board,
    pickle_view,
    read_random_state,
)
from referee.bots.bot_process import BotProcess, BotProcessError, make_module_path
from referee.engine.choice import Action
from referee.engine.foreign_code import find_entry_points
from referee.engine.plugin_errors import PROGRAM_FOLDER, GameError, describe_error

LOADING_SECONDS = 60.0
"""The seconds that a bot may take to load."""
EXTRA_SECONDS = 60.0
"""The seconds that a bot may take for an action beyond the time that it is given to think."""
PLAYOUT_SECONDS = 1.0
"""The seconds that each playout may take, if a bot is told how many to make."""
HURRY_SECONDS = 2.0
"""The seconds in which a bot must answer after Ctrl-C."""
MAX_MEMORY_BYTES = 3 << 30
"""The most bytes of memory for a bot's process, libraries included, where the system can limit it."""
MAX_FILE_BYTES = 64 << 20
"""The most bytes of a file that a bot writes, where the system can limit it."""

_processes: dict[str, BotProcess] = {}
"""The processes that run, by the titles of their bots."""
_lock = RLock()
"""A lock for all questions to bots, which threads of a server may ask."""


class ForeignBot:
    """A bot that an entry point declares. Raises BotError if it cannot be loaded, or later if it fails."""

    def __init__(self, point: Any) -> None:
        self._declared = str(point.value)
        self.title = f"{point.name}{_describe_origin(point)}"
        """The bot's name, and its distribution if that is known."""
        with _lock:
            self._ensure_process()

    def choose(self, seen: Observation) -> Action:
        """Returns the action that the bot chooses. Raises GameError if it has met a fault of a game."""
        with _lock:
            return self._choose(seen)

    def _choose(self, seen: Observation) -> Action:
        process = self._ensure_process()
        turn = self._make_turn(seen, process)
        try:
            answer = process.ask(turn, turn.limit, seen.tell)
        except KeyboardInterrupt:
            answer = self._interrupt_bot(process, seen)
        except BotProcessError as error:
            raise self._make_error(self._declared, str(error)) from error
        try:
            action = self._read_action(answer, seen)
        except (ValueError, RecursionError) as error:
            process.end()
            raise self._make_error(self._declared, _GARBAGE) from error
        process.board = find_board(seen.view)
        return action

    def _make_turn(self, seen: Observation, process: BotProcess) -> ActionRequest:
        """Returns the question for an action. Raises BotError if the view cannot be sent."""
        game = seen.game
        try:
            board = find_board(seen.view)
            sent = None if board is process.board else pickle.dumps(board, pickle.HIGHEST_PROTOCOL)
            view = pickle_view(seen.view, board)
        except Exception as error:
            raise self._make_view_error(f"{game.name}: {describe_error(error)}") from error
        return ActionRequest(
            game.name,
            game.rules_version,
            sent,
            view,
            seen.seat,
            read_random_state(seen.random),
            seen.seconds,
            seen.playouts,
            seen.executor is not None,
            seen.hurries,
            EXTRA_SECONDS + seen.seconds + PLAYOUT_SECONDS * seen.playouts,
        )

    def _ensure_process(self) -> BotProcess:
        """Returns the running process of this bot, after starting it if there is none."""
        process = _processes.get(self.title)
        if process and process.is_running:
            return process
        if process:
            process.end()
        try:
            process = _processes[self.title] = BotProcess(make_module_path(_find_code_folders()))
        except OSError as error:
            raise BotError(f"the bot {self.title} cannot be used: no process can be started ({error})") from error
        self._load(process)
        return process

    def _load(self, process: BotProcess) -> None:
        """Has a new process load the bot. If the bot cannot be loaded, ends the process and raises BotError."""
        place, what = self._declared, _GARBAGE
        try:
            answer = process.ask(
                LoadRequest(self._declared, MAX_MEMORY_BYTES, MAX_FILE_BYTES, LOADING_SECONDS), LOADING_SECONDS
            )
        except BotProcessError as error:
            what = str(error)
        except KeyboardInterrupt:
            process.end()
            raise
        else:
            if isinstance(answer, BotLoaded):
                return
            if isinstance(answer, BotBroken):
                place, what = answer.place, answer.error
        process.end()
        raise self._make_error(place, what, "cannot be used: it is faulty")

    def _interrupt_bot(self, process: BotProcess, seen: Observation) -> BotAnswer:
        """Returns the action that the bot chooses after Ctrl-C.

        Ends the process and raises KeyboardInterrupt if bots need not hurry here, or if the bot chooses no action in
        time.
        """
        with suppress(BotProcessError):
            if seen.hurries:
                process.interrupt()
                answer = process.await_answer(HURRY_SECONDS)
                if isinstance(answer, ChosenAction):
                    return answer
        process.end()
        raise KeyboardInterrupt

    def _read_action(self, answer: BotAnswer, seen: Observation) -> Action:
        """Returns the action in an answer. The random numbers of the observation go on where the bot has stopped.

        Raises BotError or GameError if the answer is an error. Raises ValueError or another error of decoding if the
        answer makes no sense.
        """
        match answer:
            case ChosenAction(action, random):
                chosen: Action = decode_action(action, seen.game.action_types)
                if random:
                    seen.random.setstate(random)
                return chosen
            case BotBroken(place, error):
                raise self._make_error(place, error)
            case GameBroken(name, place, error):
                raise GameError(name, place, error)
            case GameNotShown(error):
                raise self._make_view_error(error)
            case NoAction(said):
                raise BotError(f"the bot {self.title} has chosen something that is not an action: {said}")
            case BotInterrupted():
                raise self._make_error(self._declared, "KeyboardInterrupt")
        raise ValueError("the answer holds no action")

    def _make_view_error(self, what: str) -> BotError:
        return BotError(f"the referee cannot show the game to the bot {self.title} ({what})")

    def _make_error(self, place: str, what: str, how: str = "has failed") -> BotError:
        return BotError(f"the bot {self.title} {how} at {place} ({what})")


_GARBAGE = "its answer cannot be read"


def _describe_origin(point: Any) -> str:
    """Returns the words about the distribution that declares a bot; "" if it is unknown or cannot be read."""
    with suppress(Exception):
        return f" from {point.dist.name} {point.dist.version}"[:80]
    return ""


def _find_code_folders() -> list[Path]:
    """Returns the folder of this program, and the folders of the distributions that declare bots or games."""
    folders = [PROGRAM_FOLDER.parent]
    for point in (point for group in ("referee.bots", "referee.games") for point in find_entry_points(group)):
        with suppress(Exception):  # its metadata may be unreadable
            folders.append(Path(point.dist.locate_file("")))
    return folders


@atexit.register
def end_bot_processes() -> None:
    """Ends all processes of bots. The next action of a bot starts a new one."""
    while _processes:
        _processes.popitem()[1].end()
