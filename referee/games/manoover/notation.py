"""What players type: `2 turn ne`, `6 go`, `throw`, `auto`, `done`; the words for robots and directions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.text import PhraseReader, Word, match_word
from referee.games.manoover.state import State

Compass = Annotated[str, Meta(pattern="^(N|NE|E|SE|S|SW|W|NW)$")]
"""A direction somebody may name. E and W are no directions of this board; saying them is refused, not misread."""

Arrow = Annotated[str, Meta(pattern="^(N|NE|E|SE|S|SW|W|NW)?$")]
"""A direction named or left unsaid, which is then where the robot points; empty for one that is not in the game."""

Robot = Annotated[str, Meta(pattern="^([A-Z]?[1-9])$")]
"""A robot as said: the number on a die for one's own ("5"), with its letter for another player's ("B5")."""

NAMES: Mapping[str, str] = dict(
    zip(
        ("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
        strict=True,
    )
)
"""Directions in full."""
DIRECTIONS = {word: short for short, name in NAMES.items() for word in (short.lower(), name)}
"""The direction that a word means."""

TURNING = ("turn", "rotate")
GOING = ("go", "advance", "move", "forward")
GLUED = re.compile("([a-z]?[1-9])([a-z]+)")
"""A robot and what it does, typed without a space: `1go`, `2ne`."""


class Reader(PhraseReader):
    """Reads one phrase, word by word. A robot may be named before what it does: `2 turn ne` as well as `turn 2 ne`; a
    robot and a direction alone turn it: `2 ne`.
    """

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text, seat)
        self.words = [part for word in self.words for part in _apart(word)]
        self.state = state
        if self.words and _is_robot(self.words[0].text):
            self._put_verb_first()

    def begins(self, word: Word) -> bool:
        """A phrase may begin with a robot: after `4 go` a number, but `b1 n` rather tells who goes where."""
        is_number, then = word.text.isdecimal(), self.words[1].text if len(self.words) > 1 else ""
        return _is_robot(word.text) and (is_number or match_word(then, TURNING + GOING) is not None)

    def _put_verb_first(self) -> None:
        robot, verb = self.next("a robot's number"), self.next("turn or go")
        if verb.text in DIRECTIONS:
            self._check_turning(robot, verb)
            self.words[:0] = (Word("turn", verb.at), robot, verb)
            return
        meant = match_word(verb.text, TURNING + GOING)
        if meant is None:
            raise self.misread(verb, "turn or go", TURNING + GOING)
        self.words[:0] = (Word(meant, verb.at), robot)

    def _check_turning(self, robot: Word, direction: Word) -> None:
        """Who names the direction in which a robot points already may want it to go there."""
        number, toward = robot.text[-1], DIRECTIONS[direction.text]
        if self.state.arrows.get(f"{self._letter}{number}") == toward:
            raise self.misread(direction, f"turn or go: robot {number} points {toward} already")

    def robot(self) -> str:
        """A robot: the number alone for one's own, the full name for another player's."""
        word = self.next("a robot's number")
        if not _is_robot(word.text):
            raise self.misread(word, "a robot's number")
        name = word.text.upper()
        return name[1:] if name[0] == self._letter else name

    def direction(self) -> str:
        """A direction by its name, short or long."""
        word = self.next("a direction: N, NE, SE, S, SW or NW")
        if word.text not in DIRECTIONS:
            raise self.misread(word, "a direction: N, NE, SE, S, SW or NW", tuple(DIRECTIONS))
        return DIRECTIONS[word.text]

    def robot_and_arrow(self) -> tuple[str, str]:
        """A robot and where it points, said or not. One that is not there points nowhere, and is refused."""
        robot = self.robot()
        name = robot if robot[0].isalpha() else f"{self._letter}{robot}"
        said = bool(self.words) and self.words[0].text in DIRECTIONS
        return robot, self.direction() if said else self.state.arrows.get(name, "")

    def seats(self) -> tuple[str, ...]:
        """Seats, to the end of the phrase; where none is named, all who have to throw for the first turn."""
        if not self.words:
            return self.state.contenders
        words, self.words = self.words, []
        return tuple(match_word(word.text, self.state.board.seats) or word.text for word in words)

    @property
    def _letter(self) -> str:
        return self.seat[0].upper()


def stands_for(view: State, word: str) -> tuple[str, ...]:
    """The number by which a robot is named in a list, and the robots of a cell: `legal R2`, `legal c3`."""
    robots = [robot for robot, cell in view.cells.items() if cell == word] or [word.upper()]
    letter = view.turn[:1].upper()
    return tuple(robot[1:] if robot[:1] == letter else robot.lower() for robot in robots if robot in view.cells)


def _is_robot(word: str) -> bool:
    number = word[1:] if word[0].isalpha() else word
    return len(number) == 1 and number in "123456789"


def _apart(word: Word) -> Iterator[Word]:
    """A word, parted where a robot and what it does are typed without a space."""
    glued = GLUED.fullmatch(word.text)
    if glued:
        yield Word(glued[1], word.at)
        yield Word(glued[2], word.at + len(glued[1]))
    else:
        yield word
