"""Processes that do the work of an executor: started when there is work, ended with whoever started them.

Unlike those of a `ProcessPoolExecutor` they import nothing of the program that is running, so that no script needs a
guard round its main part; one that dies takes only its own piece of work with it; and none outlives its parent.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Lock, Thread, local
from typing import Any, ParamSpec, TypeVar

from referee.engine.blame import game_at_fault

P = ParamSpec("P")
T = TypeVar("T")

SERVE = "import sys; sys.path[:] = {path!r}; from referee.record.archive.workers import serve; serve()"
APART: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)} if os.name == "nt" else {"process_group": 0}
)
"""Ctrl-C is for the parent alone, which then ends its workers."""


LAST_SECONDS = 2.0
"""How long a process may take to end once it answers no more."""


class DiedError(RuntimeError):
    """A worker ended before it had answered; says how."""


def cores() -> int:
    """How many processes this one may keep busy."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class Workers(ThreadPoolExecutor):
    """An executor of threads, each of which has its work done by a process of its own.

    What is submitted, its arguments and its result must be picklable. DiedError is what becomes of work whose process
    dies; the next piece gets a new process. Where none can be started, the thread works by itself.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count, "worker")
        self._mine = local()
        self._processes: set[Popen[bytes]] = set()
        self._lock = Lock()
        self._stopped = False

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have something done by a process."""
        return super().submit(self._elsewhere, work, args, kwargs)

    def stop(self) -> None:
        """End the processes at once, whatever they are at."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._stopped = True
            ending = list(self._processes)  # a thread that Ctrl-C has hidden from `shutdown` may forget one meanwhile
            for process in ending:
                process.kill()
        self.shutdown()
        for process in ending:
            _close(process)

    def _elsewhere(self, work: Callable[..., T], args: Any, kwargs: Any) -> T:
        process = self._process()
        if process is None:
            return work(*args, **kwargs)
        assert process.stdin, "it is a pipe"
        assert process.stdout, "it is a pipe"
        try:
            pickle.dump((work, args, kwargs), process.stdin)
            process.stdin.flush()
            done, result = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self._mine.process = None
            with self._lock:
                self._processes.discard(process)
            raise DiedError(_how_it_ended(process)) from error
        if not done:
            raise result
        found: T = result
        return found

    def _process(self) -> Popen[bytes] | None:
        """The process of this thread; None: no more can be started here."""
        if getattr(self._mine, "process", None) is None:
            self._mine.process = self._started()
        running: Popen[bytes] | None = self._mine.process
        return running

    def _started(self) -> Popen[bytes] | None:
        command = [sys.executable, "-c", SERVE.format(path=sys.path)]
        with self._lock:
            if self._stopped:
                raise DiedError("it was stopped")
            try:
                process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, **APART)
            except OSError:
                return None
            self._processes.add(process)
        return process


@contextmanager
def workers(count: int) -> Iterator[Workers]:
    """Workers that end with the block, whatever they are at."""
    executor = Workers(count)
    try:
        yield executor
    finally:
        executor.stop()


def _how_it_ended(process: Popen[bytes]) -> str:
    with suppress(TimeoutExpired):  # one that has closed its pipes, if it lives, does nothing any more
        process.wait(LAST_SECONDS)
    _close(process)
    code = process.returncode
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _close(process: Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):
            pipe.close()


def serve() -> None:
    """Do what comes in on stdin, answer on stdout, until whoever asks is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    waiting: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_take, args=(waiting,), daemon=True).start()
    while True:
        work, args, kwargs = waiting.get()
        try:
            answer = True, work(*args, **kwargs)
        except Exception as error:
            answer = False, game_at_fault(error) or error  # where it arose is not sent
        pickle.dump(answer, answers)
        answers.flush()


def _take(waiting: SimpleQueue[Any]) -> None:
    """Take what comes in, also while work is done: when nobody asks any more, nobody waits for that either. What cannot
    be read ends the process, so that nobody waits for an answer to it.
    """
    try:
        while True:
            waiting.put(pickle.load(sys.stdin.buffer))
    except EOFError:
        os._exit(0)
    except BaseException:
        os._exit(1)
