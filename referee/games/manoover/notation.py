"""What players type, and how actions are written: `2 turn ne`, `6 go`, `throw`, `auto`, `done`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.engine.game import Seat
from referee.engine.text import PhraseReader, match_word
from referee.games.manoover.actions import (
    Auto,
    AutoOne,
    Done,
    Go,
    ManooverAction,
    Rethrow,
    Skip,
    Throw,
    ThrowOff,
    Turn,
)
from referee.games.manoover.state import State

DIRECTIONS: Mapping[str, str] = {
    **{short.lower(): short for short in ("N", "NE", "E", "SE", "S", "SW", "W", "NW")},
    "north": "N",
    "northeast": "NE",
    "east": "E",
    "southeast": "SE",
    "south": "S",
    "southwest": "SW",
    "west": "W",
    "northwest": "NW",
}

VERBS = ("turn", "rotate", "go", "advance", "throw", "rethrow", "throwoff", "done", "auto", "skip")
OF_ROBOT = ("turn", "rotate", "go", "advance")


def parse(text: str, state: State, seat: Seat) -> ManooverAction:
    """The action that a phrase means here; NotUnderstoodError shows the word that cannot be read."""
    return _Reader(text, state, seat).action()


class _Reader(PhraseReader):
    """Reads one phrase, word by word."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text)
        self.state, self.seat = state, seat

    def action(self) -> ManooverAction:
        first = self.next("a robot's number, throw, auto or done")
        if _is_robot(first.text):
            return self.finish(self._of_robot(first.text))
        verb = match_word(first.text, VERBS)
        readers: dict[str, Callable[[], ManooverAction]] = {
            "throw": Throw,
            "rethrow": Rethrow,
            "throwoff": self._throw_off,
            "done": Done,
            "auto": self._auto,
            "skip": lambda: Skip(self._robot()),
        }
        if verb in OF_ROBOT:
            return self.finish(self._act(verb, self._robot()))
        if verb not in readers:
            raise self.misread(first, "a robot's number, throw, auto or done", VERBS)
        return self.finish(readers[verb]())

    def _of_robot(self, word: str) -> ManooverAction:
        verb = self.next("turn or go")
        meant = match_word(verb.text, OF_ROBOT)
        if meant is None:
            raise self.misread(verb, "turn or go", OF_ROBOT)
        return self._act(meant, self._own(word))

    def _act(self, verb: str, robot: str) -> ManooverAction:
        if verb in ("turn", "rotate"):
            return Turn(robot, self._direction())
        return Go(robot, self._direction() if self.words else self._arrow(robot))

    def _auto(self) -> ManooverAction:
        if not self.words:
            return Auto()
        robot = self._robot()
        return AutoOne(robot, self._direction() if self.words else self._arrow(robot))

    def _throw_off(self) -> ThrowOff:
        if not self.words:
            return ThrowOff(self.state.contenders)
        words, self.words = self.words, []
        return ThrowOff(tuple(match_word(word.text, self.state.board.seats) or word.text for word in words))

    def _robot(self) -> str:
        word = self.next("a robot's number")
        if not _is_robot(word.text):
            raise self.misread(word, "a robot's number")
        return self._own(word.text)

    def _own(self, word: str) -> str:
        """The number alone for one's own robot, the full name for another player's."""
        word = word.upper()
        return word[1:] if word[0] == self.seat[0].upper() else word

    def _arrow(self, robot: str) -> str:
        """Where the robot points; for one that is not there any direction will do, since it is refused anyway."""
        name = robot if robot[0].isalpha() else f"{self.seat[0].upper()}{robot}"
        return self.state.arrows.get(name, "N")

    def _direction(self) -> str:
        word = self.next("a direction: N, NE, SE, S, SW or NW")
        if word.text not in DIRECTIONS:
            raise self.misread(word, "a direction: N, NE, SE, S, SW or NW", tuple(DIRECTIONS))
        return DIRECTIONS[word.text]


def _is_robot(word: str) -> bool:
    number = word[1:] if word[0].isalpha() else word
    return len(number) == 1 and number in "123456789"
