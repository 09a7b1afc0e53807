"""Reads names of units and boxes as players type them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.text import PhraseReader, Word, match_word
from referee.games.sheboygan.counters import KIND_LETTERS, MONSTER, format_units, sort_units
from referee.games.sheboygan.options import ABILITIES
from referee.games.sheboygan.state import State

TypedBox = Annotated[str, Meta(pattern="^([A-Z][0-9]{2}|BRN|BRS|TUN)$")]
"""A box as typed. The map need not have it: the reader accepts it so that a rule can refuse it."""

FILLER_WORDS = ("to", "in", "into", "at", "from", "and", "the", "by")
"""Words that only make a phrase easier to read."""
NUMBERED_BOX_PATTERN = re.compile("([a-z])([0-9]{1,2})")
KIND_NICKNAMES = {"gun": "artillery", "armour": "tank", "armor": "tank"}
"""Other names of kinds of units."""
SPECIAL_BOXES = ("brn", "brs", "tun")
ALL_WORDS = ("all", "rest")
"""Words for all units that can be meant in a phrase."""
PIECE_PATTERN = re.compile("m|[phitgcfb][1-9][0-9]?")
UNIT_RANGE_PATTERN = re.compile(r"([phitgcfb])([1-9][0-9]?)\.\.\1?([1-9][0-9]?)")
"""Units of one kind in a row: t1..t4."""


class Reader(PhraseReader):
    """Reads one phrase of a seat, word by word, in its view.

    Its methods take words off the phrase, and raise NotUnderstoodError if a word is not what they expect.
    """

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text, seat)
        self.words = [word for word in self.words if word.text not in FILLER_WORDS]
        self.state = state
        if self.words and PIECE_PATTERN.fullmatch(self.words[0].text):
            self.words.insert(0, Word("move", self.words[0].at))

    def continues_phrase(self) -> bool:
        """True if every word names an ability while the player chooses abilities.

        The phrase then continues the one before it, because abilities may be listed with commas.
        """
        chosen = self.state.phase == "abilities" and bool(self.words)
        return chosen and all(match_word(word.text, ABILITIES) for word in self.words)

    def read_box(self) -> str:
        """Returns the box that the next word names: h9, H09, BRN."""
        return self._parse_box(self.next("a box, such as H09"))

    def read_last_box(self) -> str:
        """Returns the box that the last word names."""
        if not self.words:
            return self.read_box()
        return self._parse_box(self.words.pop())

    def _parse_box(self, word: Word) -> str:
        found = NUMBERED_BOX_PATTERN.fullmatch(word.text)
        if found:
            return f"{found[1].upper()}{int(found[2]):02}"
        if word.text not in SPECIAL_BOXES:
            raise self.make_word_error(word, "a box, such as H09, BRN or TUN", SPECIAL_BOXES)
        return word.text.upper()

    def read_boxes(self) -> tuple[str, ...]:
        """Returns the boxes that the remaining words name, each once, in alphabetical order; at least one."""
        first = self.read_box()
        found = [first]
        while self.words:
            found.append(self.read_box())
        return tuple(sorted(dict.fromkeys(found)))

    def read_unit(self) -> str:
        """Returns the unit that the next word names; m is the monster."""
        word = self.next("a unit, such as t1")
        if not PIECE_PATTERN.fullmatch(word.text):
            raise self.make_word_error(word, "a unit, such as t1 or m")
        return word.text

    def read_units(self, candidates: Iterable[str] = ()) -> tuple[str, ...]:
        """Returns the units that the next words name, by kind and number; at least one.

        "all", and numbers of a kind, are counted off among the `candidates`, the lowest numbers first. Units that are
        named one by one are not counted.
        """
        words = [self.next("a unit, such as t1")]
        while self.words and self._do_units_follow():
            words.append(self.words.pop(0))
        counts = [word for word in words if not self._names_units(word)]
        found = dict.fromkeys(unit for word in words if word not in counts for unit in self._parse_units(word))
        if MONSTER in found and len(words) > 1:
            raise self.make_word_error(words[1], "the monster alone")
        while counts:
            found |= dict.fromkeys(self._count_off(counts, [unit for unit in candidates if unit not in found]))
        return tuple(found) if MONSTER in found else sort_units(found)

    def _do_units_follow(self) -> bool:
        """True if the next word names or counts units."""
        word, following = self.words[0], self.words[1:2]
        if word.text.isdecimal():
            return any(parse_kind(other.text) for other in following)
        return self._names_units(word) or word.text in ALL_WORDS or parse_kind(word.text) is not None

    def _count_off(self, counts: list[Word], able: list[str]) -> list[str]:
        """Takes one or two words off `counts`, such as "all", "3 tanks" or "tank". Returns the units that they mean.

        A kind alone means the only unit of that kind among `able`.
        """
        first = counts.pop(0)
        is_count = first.text.isdecimal() or first.text in ALL_WORDS
        word = counts.pop(0) if is_count and counts and parse_kind(counts[0].text) else first
        letter = KIND_LETTERS.get(parse_kind(word.text) or "") or ("" if word.text in ALL_WORDS else None)
        if letter is None:
            raise self.make_word_error(word, "a unit, such as t1 or t1..t4", tuple(KIND_LETTERS))
        fitting = [unit for unit in able if unit.startswith(letter)]
        wanted = int(first.text) if first.text.isdecimal() else len(fitting) if is_count else 1
        if not fitting or len(fitting) < wanted:
            raise self.make_word_error(
                first, f"no more than {len(fitting)} of them" if fitting else "units that can do it"
            )
        if not is_count and len(fitting) > 1:
            raise self.make_word_error(
                first, f"how many of {format_units(fitting)}, such as 1 {word.text} or all {word.text}"
            )
        said = first.text if word is first else f"{first.text} {word.text}"
        self.remarks.append(f"{said}: {format_units(fitting[:wanted])}.")
        return fitting[:wanted]

    def _names_units(self, word: Word) -> bool:
        return bool(PIECE_PATTERN.fullmatch(word.text) or UNIT_RANGE_PATTERN.fullmatch(word.text))

    def _parse_units(self, word: Word) -> list[str]:
        row = UNIT_RANGE_PATTERN.fullmatch(word.text)
        if row:
            return [f"{row[1]}{number}" for number in range(int(row[2]), int(row[3]) + 1)]
        if not PIECE_PATTERN.fullmatch(word.text):
            raise self.make_word_error(word, "a unit, such as t1 or t1..t4")
        return [word.text]

    def read_number(self, what: str = "a number") -> int:
        """Reads a number of at most three digits."""
        word = self.next(what)
        if not word.text.isdecimal() or len(word.text) > 3:
            raise self.make_word_error(word, what)
        return int(word.text)

    def read_unit_kind(self) -> str:
        """Reads a kind of unit: its name, also in the plural, or its letter. Returns any other word as it is."""
        word = self.next("a kind of unit, such as tank")
        return parse_kind(word.text) or word.text


def parse_kind(word: str) -> str | None:
    """Returns the kind of units that a word means; None if it means none.

    The word is a name, also in the plural or shortened, or a letter.
    """
    text, names = KIND_NICKNAMES.get(word.rstrip("s"), word), tuple(KIND_LETTERS)
    found = match_word(text, names) or match_word(text.rstrip("s"), names)
    return found or next((name for name in names if KIND_LETTERS[name] == text), None)


def expand_filter_word(view: State, word: str) -> tuple[str, ...]:
    """Returns the full name of a box and the pieces in it, so that `legal h9` lists the actions there."""
    found = NUMBERED_BOX_PATTERN.fullmatch(word)
    box = f"{found[1].upper()}{int(found[2]):02}" if found else word.upper()
    monster = (MONSTER,) if view.monster == box else ()
    return (*([box.lower()] if found else []), *view.units_by_box.get(box, ()), *monster)


A = TypeVar("A", bound=Action)


def make_reader(kind: type[A], *parts: Callable[[Reader], Any]) -> Callable[[Reader], A]:
    """Returns a function that reads an action, field by field.

    Example: `make_reader(Move, Reader.read_unit, Reader.read_box)`.
    """
    return lambda reader: kind(*(part(reader) for part in parts))
