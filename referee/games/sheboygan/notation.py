"""The words for units and boxes: how they are typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.text import PhraseReader, Word, match_word
from referee.games.sheboygan.counters import LETTERS, MONSTER, in_order, listed
from referee.games.sheboygan.options import ABILITIES
from referee.games.sheboygan.state import State

Box = Annotated[str, Meta(pattern="^([A-Z][0-9]{2}|BRN|BRS|TUN)$")]
"""A box as said, whether the map has it or not."""

LINKS = ("to", "in", "into", "at", "from", "and", "the", "by")
"""Words that only make a phrase readable."""
BOX = re.compile("([a-z])([0-9]{1,2})")
NICKNAMES = {"gun": "artillery", "armour": "tank", "armor": "tank"}
"""Other names of kinds of units."""
SPECIAL = ("brn", "brs", "tun")
ALL = ("all", "rest")
"""Words for all units that can be meant."""
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

    def goes_on(self) -> bool:
        """While abilities are chosen they may be listed with commas."""
        chosen = self.state.phase == "abilities" and bool(self.words)
        return chosen and all(match_word(word.text, ABILITIES) for word in self.words)

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

    def units(self, able: Iterable[str] = ()) -> tuple[str, ...]:
        """The units that the next words name, by kind and number; at least one. `able`: among whom "all" and so many of
        a kind are counted off, with the lowest numbers, once those are left out that are named.
        """
        words = [self.next("a unit, such as t1")]
        while self.words and self._goes_on():
            words.append(self.words.pop(0))
        counts = [word for word in words if not self._names_units(word)]
        found = dict.fromkeys(unit for word in words if word not in counts for unit in self._units_of(word))
        if MONSTER in found and len(words) > 1:
            raise self.misread(words[1], "the monster alone")
        while counts:
            found |= dict.fromkeys(self._counted_off(counts, [unit for unit in able if unit not in found]))
        return tuple(found) if MONSTER in found else in_order(found)

    def _goes_on(self) -> bool:
        """Whether the next word names or counts units."""
        word, following = self.words[0], self.words[1:2]
        if word.text.isdecimal():
            return any(kind_named(other.text) for other in following)
        return self._names_units(word) or word.text in ALL or kind_named(word.text) is not None

    def _counted_off(self, counts: list[Word], able: list[str]) -> list[str]:
        """Whom the first of these words mean: all, all of a kind, so many of it, or the only one."""
        first = counts.pop(0)
        is_count = first.text.isdecimal() or first.text in ALL
        word = counts.pop(0) if is_count and counts and kind_named(counts[0].text) else first
        letter = LETTERS.get(kind_named(word.text) or "") or ("" if word.text in ALL else None)
        if letter is None:
            raise self.misread(word, "a unit, such as t1 or t1..t4", tuple(LETTERS))
        fitting = [unit for unit in able if unit.startswith(letter)]
        wanted = int(first.text) if first.text.isdecimal() else len(fitting) if is_count else 1
        if not fitting or len(fitting) < wanted:
            raise self.misread(first, f"no more than {len(fitting)} of them" if fitting else "units that can do it")
        if not is_count and len(fitting) > 1:
            raise self.misread(first, f"how many of {listed(fitting)}, such as 1 {word.text} or all {word.text}")
        said = first.text if word is first else f"{first.text} {word.text}"
        self.remarks.append(f"{said}: {listed(fitting[:wanted])}.")
        return fitting[:wanted]

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
        return kind_named(word.text) or word.text


def kind_named(word: str) -> str | None:
    """The kind of units that a word means: its name, in the plural too, its beginning, or its letter."""
    text, names = NICKNAMES.get(word.rstrip("s"), word), tuple(LETTERS)
    found = match_word(text, names) or match_word(text.rstrip("s"), names)
    return found or next((name for name in names if LETTERS[name] == text), None)


def stands_for(view: State, word: str) -> tuple[str, ...]:
    """A box in full, and who stands in it: `legal h9` lists what can be done there, and by whom."""
    found = BOX.fullmatch(word)
    box = f"{found[1].upper()}{int(found[2]):02}" if found else word.upper()
    monster = (MONSTER,) if view.monster == box else ()
    return (*([box.lower()] if found else []), *view.stacks.get(box, ()), *monster)


A = TypeVar("A", bound=Action)


def reads(kind: type[A], *parts: Callable[[Reader], Any]) -> Callable[[Reader], A]:
    """Reads an action whose fields are said one after another: `reads(Move, Reader.unit, Reader.box)`."""
    return lambda reader: kind(*(part(reader) for part in parts))
