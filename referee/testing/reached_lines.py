"""A tracer that notices the lines of modules when they are reached for the first time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeVar

T = TypeVar("T")


class LineTracer:
    """A tracer that notices lines of modules when they are reached for the first time.

    A function whose lines are all reached is no longer traced, so that a long trace costs little.
    """

    def __init__(self, modules: Iterable[ModuleType], reached: Mapping[str, Iterable[int]]) -> None:
        """Prepares a trace of these modules. `reached` has the lines reached before, by module name."""
        names = {str(module.__file__): module.__name__ for module in modules}
        self._reached = {name: set(reached.get(name, ())) for name in names.values()}
        self._of_file = {file: self._reached[name] for file, name in names.items()}
        self._open: dict[int, tuple[CodeType, set[int]]] = {}
        """Code objects by identity, with their unreached lines."""
        self._first = 0
        """The number of lines reached for the first time."""

    @property
    def reached_lines(self) -> dict[str, list[int]]:
        """All lines reached so far, by module name."""
        return {name: sorted(lines) for name, lines in self._reached.items()}

    def trace_items(self, course: Iterator[T]) -> Iterator[tuple[T, bool]]:
        """Yields each item of `course`, with True if new lines were reached while that item was made."""
        while True:
            before = self._first
            found = self._take_next(course)
            if not found:
                return
            yield found[0], self._first > before

    def _take_next(self, course: Iterator[T]) -> list[T]:
        """Returns a list with the next item of `course`, made while lines are traced; an empty list at its end.

        Other tracers, such as debuggers, are off meanwhile.
        """
        other = sys.gettrace()
        sys.settrace(self._on_call)
        try:
            return list(islice(course, 1))
        finally:
            sys.settrace(other)

    def _on_call(self, frame: FrameType, _event: str, _argument: object) -> Any:
        """Decides whether the lines of a function are traced. Python calls this method whenever a function begins."""
        code = frame.f_code
        if id(code) not in self._open:
            reached = self._of_file.get(code.co_filename)
            if reached is None:
                return None
            lines = {line for *_, line in code.co_lines() if line} - {code.co_firstlineno} - reached
            self._open[id(code)] = code, lines
        return self._on_line if self._open[id(code)][1] else None

    def _on_line(self, frame: FrameType, event: str, _argument: object) -> Any:
        """Notes a reached line."""
        left, line = self._open[id(frame.f_code)][1], frame.f_lineno
        if event == "line" and line in left:
            left.discard(line)
            self._first += 1
            self._of_file[frame.f_code.co_filename].add(line)
        return self._on_line
