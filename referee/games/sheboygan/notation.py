"""The words for units and boxes: how they are typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.text import PhraseReader, Word, match_word
from referee.games.sheboygan.counters import LETTERS, MONSTER, in_order
from referee.games.sheboygan.state import State

Box = Annotated[str, Meta(pattern="^([A-Z][0-9]{2}|BRN|BRS|TUN)$")]
"""A box as said, whether the map has it or not."""

LINKS = ("to", "in", "into", "at", "from", "and", "the", "by")
"""Words that only make a phrase readable."""
BOX = re.compile("([a-z])([0-9]{1,2})")
NICKNAMES = {"gun": "artillery", "armour": "tank", "armor": "tank"}
"""Other names of kinds of units."""
SPECIAL = ("brn", "brs", "tun")
UNIT = re.compile("m|[phitgcfb][1-9][0-9]?")
RANGE = re.compile(r"([phitgcfb])([1-9][0-9]?)\.\.\1?([1-9][0-9]?)")
"""Units of one kind in a row: t1..t4."""


class Reader(PhraseReader):
    """Reads one phrase of a seat, word by word, as it means it in this view."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text, seat)
        self.words = [word for word in self.words if word.text not in LINKS]
        self.state = state
        if self.words and UNIT.fullmatch(self.words[0].text):
            self.words.insert(0, Word("move", self.words[0].at))

    def box(self) -> str:
        """The box that the next word names: h9, H09, BRN."""
        return self._box_of(self.next("a box, such as H09"))

    def box_at_the_end(self) -> str:
        """The box that the last word names."""
        if not self.words:
            return self.box()
        return self._box_of(self.words.pop())

    def _box_of(self, word: Word) -> str:
        found = BOX.fullmatch(word.text)
        if found:
            return f"{found[1].upper()}{int(found[2]):02}"
        if word.text not in SPECIAL:
            raise self.misread(word, "a box, such as H09, BRN or TUN", SPECIAL)
        return word.text.upper()

    def boxes(self) -> tuple[str, ...]:
        """All words left, as boxes."""
        first = self.box()
        found = [first]
        while self.words:
            found.append(self.box())
        return tuple(sorted(dict.fromkeys(found)))

    def unit(self) -> str:
        """The unit that the next word names; m is the monster."""
        word = self.next("a unit, such as t1")
        if not UNIT.fullmatch(word.text):
            raise self.misread(word, "a unit, such as t1 or m")
        return word.text

    def units(self) -> tuple[str, ...]:
        """The units that the next words name, by kind and number; at least one."""
        found: list[str] = []
        while not found or (self.words and self._names_units(self.words[0])):
            found += self._units_of(self.next("a unit, such as t1"))
        named = dict.fromkeys(found)
        return (MONSTER,) if MONSTER in named and len(named) == 1 else in_order(unit for unit in named if unit != "m")

    def _names_units(self, word: Word) -> bool:
        return bool(UNIT.fullmatch(word.text) or RANGE.fullmatch(word.text))

    def _units_of(self, word: Word) -> list[str]:
        row = RANGE.fullmatch(word.text)
        if row:
            return [f"{row[1]}{number}" for number in range(int(row[2]), int(row[3]) + 1)]
        if not UNIT.fullmatch(word.text):
            raise self.misread(word, "a unit, such as t1 or t1..t4")
        return [word.text]

    def number(self, what: str = "a number") -> int:
        """The number that the next word is."""
        word = self.next(what)
        if not word.text.isdecimal() or len(word.text) > 3:
            raise self.misread(word, what)
        return int(word.text)

    def kind(self) -> str:
        """A kind of unit, by its name, in the plural too, or its letter."""
        word = self.next("a kind of unit, such as tank")
        names = tuple(LETTERS)
        word = replace(word, text=NICKNAMES.get(word.text.rstrip("s"), word.text))
        found = match_word(word.text, names) or match_word(word.text.rstrip("s"), names)
        return found or next((name for name in names if LETTERS[name] == word.text), word.text)


A = TypeVar("A", bound=Action)


def reads(kind: type[A], *parts: Callable[[Reader], Any]) -> Callable[[Reader], A]:
    """Reads an action whose fields are said one after another: `reads(Move, Reader.unit, Reader.box)`."""
    return lambda reader: kind(*(part(reader) for part in parts))
