"""Worker processes for audits. They start when there is work, and end with the program that started them.

Unlike those of a `ProcessPoolExecutor`, they do not import the running program, so no script needs a guard around its
main part. A worker that dies takes only its own piece of work with it. No worker outlives its parent.
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

from referee.engine.plugin_errors import find_game_error

P = ParamSpec("P")
T = TypeVar("T")

WORKER_COMMAND = (
    "import sys; sys.path[:] = {path!r}; from referee.record.archive.process_pool import run_worker; run_worker()"
)
OWN_PROCESS_GROUP: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)} if os.name == "nt" else {"process_group": 0}
)
"""Options that keep Ctrl-C from the workers. Only the parent gets it, and then ends them."""


MAX_SECONDS_TO_END = 2.0
"""The seconds that a process may take to end once it no longer answers."""


class WorkerDiedError(RuntimeError):
    """The error that a worker ended before it answered, with its exit code or signal."""


def count_cores() -> int:
    """Returns the number of processors that this program may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class WorkerPool(ThreadPoolExecutor):
    """An executor of threads, each with a process that does its work.

    The function, its arguments and its result must be picklable. If a process dies, its work fails with
    WorkerDiedError, and the next piece gets a new process. If none can be started, the thread does the work itself.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count, "worker")
        self._mine = local()
        self._processes: set[Popen[bytes]] = set()
        self._lock = Lock()
        self._stopped = False

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hands a function to a process, which calls it, and returns the future of its result."""
        return super().submit(self._work_in_process, work, args, kwargs)

    def stop(self) -> None:
        """Ends the processes at once, even if they are working."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._stopped = True
            ending = list(self._processes)  # after Ctrl-C a thread that `shutdown` missed may remove one meanwhile
            for process in ending:
                process.kill()
        self.shutdown()
        for process in ending:
            _close(process)

    def _work_in_process(self, work: Callable[..., T], args: Any, kwargs: Any) -> T:
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
            raise WorkerDiedError(end_process(process)) from error
        if not done:
            raise result
        found: T = result
        return found

    def _process(self) -> Popen[bytes] | None:
        """Returns the process of this thread; None if no more can be started."""
        if getattr(self._mine, "process", None) is None:
            self._mine.process = self._start_process()
        running: Popen[bytes] | None = self._mine.process
        return running

    def _start_process(self) -> Popen[bytes] | None:
        command = [sys.executable, "-c", WORKER_COMMAND.format(path=sys.path)]
        with self._lock:
            if self._stopped:
                raise WorkerDiedError("it was stopped")
            try:
                process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, **OWN_PROCESS_GROUP)
            except OSError:
                return None
            self._processes.add(process)
        return process


@contextmanager
def start_workers(count: int) -> Iterator[WorkerPool]:
    """Provides workers that end with the block, even if they are working."""
    executor = WorkerPool(count)
    try:
        yield executor
    finally:
        executor.stop()


def end_process(process: Popen[bytes]) -> str:
    """Ends a process that answers no more. Returns the exit code or the signal with which it ended."""
    with suppress(TimeoutExpired):  # a process that has closed its pipes does nothing any more
        process.wait(MAX_SECONDS_TO_END)
    _close(process)
    code = process.returncode
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _close(process: Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):
            pipe.close()


def run_worker() -> None:
    """Does the work that comes in on stdin and answers on stdout, until the parent is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of a game is no answer
    waiting: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_take_in_work, args=(waiting,), daemon=True).start()
    while True:
        work, args, kwargs = waiting.get()
        try:
            answer = True, work(*args, **kwargs)
        except Exception as error:
            answer = False, find_game_error(error) or error  # the traceback is not sent
        pickle.dump(answer, answers)
        answers.flush()


def _take_in_work(waiting: SimpleQueue[Any]) -> None:
    """Puts the work from stdin into a queue, even while other work is being done.

    Ends the process when stdin ends, so the process is gone as soon as its parent is. Input that cannot be read ends
    the process, too, so that nobody waits for an answer.
    """
    try:
        while True:
            waiting.put(pickle.load(sys.stdin.buffer))
    except EOFError:
        os._exit(0)
    except BaseException:
        os._exit(1)
