"""Reads what players type: `2 turn ne`, `6 go`, `throw`, `auto`, `done`, with the words for robots and directions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.text import PhraseReader, Word, match_word
from referee.games.manoover.state import State

TypedDirection = Annotated[str, Meta(pattern="^(N|NE|E|SE|S|SW|W|NW)$")]
"""A direction as typed. E and W do not exist on this board, but the reader accepts them so that a rule can refuse them.
"""

TypedDirectionOrEmpty = Annotated[str, Meta(pattern="^(N|NE|E|SE|S|SW|W|NW)?$")]
"""A direction as typed.

If the player leaves it out, it is the direction in which the robot points; "" for a robot that is out of the game.
"""

TypedRobot = Annotated[str, Meta(pattern="^([A-Z]?[1-9])$")]
"""A robot as typed: the number alone for your own ("5"), with its letter for another player's ("B5")."""

DIRECTION_NAMES: Mapping[str, str] = dict(
    zip(
        ("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
        strict=True,
    )
)
"""The full names of the directions."""
DIRECTIONS_BY_WORD = {word: short for short, name in DIRECTION_NAMES.items() for word in (short.lower(), name)}
"""The direction that each word means."""

TURN_WORDS = ("turn", "rotate")
GO_WORDS = ("go", "advance", "move", "forward")
ROBOT_AND_ACTION_PATTERN = re.compile("([a-z]?[1-9])([a-z]+)")
"""A robot and its action typed without a space: `1go`, `2ne`."""


class Reader(PhraseReader):
    """A reader of one phrase, word by word.

    The robot may stand before the verb or after it: `2 turn ne` or `turn 2 ne`. A robot and a direction alone turn the
    robot: `2 ne`.
    """

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text, seat)
        self.words = [part for word in self.words for part in _split_glued(word)]
        self.state = state
        if self.words and _is_robot(self.words[0].text):
            self._put_verb_first()

    def can_begin_with(self, word: Word) -> bool:
        """True if this word is a robot with which a new phrase can begin.

        A number always begins a new phrase, as in `4 go 5 go`. A robot with its letter does so only before `turn` or
        `go`, since `b1 n` may also be a cell and an arrow.
        """
        is_number, then = word.text.isdecimal(), self.words[1].text if len(self.words) > 1 else ""
        return _is_robot(word.text) and (is_number or match_word(then, TURN_WORDS + GO_WORDS) is not None)

    def _put_verb_first(self) -> None:
        robot, verb = self.next("a robot's number"), self.next("turn or go")
        if verb.text in DIRECTIONS_BY_WORD:
            self._check_turning(robot, verb)
            self.words[:0] = (Word("turn", verb.at), robot, verb)
            return
        found = match_word(verb.text, TURN_WORDS + GO_WORDS)
        if found is None:
            raise self.make_word_error(verb, "turn or go", TURN_WORDS + GO_WORDS)
        self.words[:0] = (Word(found, verb.at), robot)

    def _check_turning(self, robot: Word, direction: Word) -> None:
        """Raises NotUnderstoodError if a robot already points in the typed direction.

        The player may want the robot to go there, not to turn.
        """
        number, toward = robot.text[-1], DIRECTIONS_BY_WORD[direction.text]
        if self.state.arrows.get(f"{self._letter}{number}") == toward:
            raise self.make_word_error(direction, f"turn or go: robot {number} already points {toward}")

    def read_robot(self) -> str:
        """Reads a robot. Returns the number alone for a robot of your own, and the full name for any other robot."""
        word = self.next("a robot's number")
        if not _is_robot(word.text):
            raise self.make_word_error(word, "a robot's number")
        name = word.text.upper()
        return name[1:] if name[0] == self._letter else name

    def read_direction(self) -> str:
        """Reads a direction by its short or long name."""
        word = self.next("a direction: N, NE, SE, S, SW or NW")
        if word.text not in DIRECTIONS_BY_WORD:
            raise self.make_word_error(word, "a direction: N, NE, SE, S, SW or NW", tuple(DIRECTIONS_BY_WORD))
        return DIRECTIONS_BY_WORD[word.text]

    def read_robot_and_arrow(self) -> tuple[str, str]:
        """Reads a robot and a direction.

        If no direction is typed, returns the one in which the robot points; "" for a robot that is out of the game.
        """
        robot = self.read_robot()
        name = robot if robot[0].isalpha() else f"{self._letter}{robot}"
        words = bool(self.words) and self.words[0].text in DIRECTIONS_BY_WORD
        return robot, self.read_direction() if words else self.state.arrows.get(name, "")

    def read_seats(self) -> tuple[str, ...]:
        """Reads seats up to the end of the phrase; without any, returns the seats that roll for the first turn."""
        if not self.words:
            return self.state.contenders
        words, self.words = self.words, []
        return tuple(match_word(word.text, self.state.board.seats) or word.text for word in words)

    @property
    def _letter(self) -> str:
        return self.seat[0].upper()


def expand_filter_word(view: State, word: str) -> tuple[str, ...]:
    """Returns the names that actions use for a robot, or for the robots on a cell, so that players may type either:
    `legal R2`, `legal c3`.
    """
    robots = [robot for robot, cell in view.cells.items() if cell == word] or [word.upper()]
    letter = view.turn[:1].upper()
    return tuple(robot[1:] if robot[:1] == letter else robot.lower() for robot in robots if robot in view.cells)


def _is_robot(word: str) -> bool:
    number = word[1:] if word[0].isalpha() else word
    return len(number) == 1 and number in "123456789"


def _split_glued(word: Word) -> Iterator[Word]:
    """Yields a word, split in two if a robot and its action were typed without a space."""
    glued = ROBOT_AND_ACTION_PATTERN.fullmatch(word.text)
    if glued:
        yield Word(glued[1], word.at)
        yield Word(glued[2], word.at + len(glued[1]))
    else:
        yield word
