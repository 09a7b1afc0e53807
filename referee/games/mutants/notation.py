"""What players type: the words for units, places and doors. How a verb is read stands with the verb."""

from __future__ import annotations

import re

from referee.engine.event import Seat
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, match_word
from referee.games.mutants.board import OFF, Side, expand
from referee.games.mutants.state import State

SPEAKERS = ("h", "m", "human", "mutant")
LINKS = ("to", "in", ">", "with", "and")
"""Words that only make a phrase readable."""
PLACE = re.compile("(x[nesw]|[a-i])[1-9]")
"""A square is typed with its x: n4 is a Mutant. Where units are expected b1 is the Janibot, elsewhere a room."""
UNIT = re.compile("[a-z]{1,8}[0-9]{0,2}")


class Reader(PhraseReader):
    """Reads one phrase of a seat, word by word, as it means it in this view."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text)
        self.words = [word for word in self.words if word.text not in LINKS]
        if len(self.words) > 1 and self.words[0].text in SPEAKERS:
            self.words.pop(0)
        if len(self.words) == 2 and self.words[0].text in ("put", "place") and self.words[1].text == "rest":
            self.words.pop(0)  # both ways of saying it mean the verb "rest"
        self.state, self.seat = state, seat

    def only(self, word: str) -> bool:
        """Whether this word is all that is left; if so it is read."""
        is_it = [left.text for left in self.words] == [word]
        if is_it:
            self.words = []
        return is_it

    def units(self) -> tuple[str, ...]:
        """All words left, as units in the order of the counters."""
        return self.state.board.sorted(dict.fromkeys(self.named()))

    def named(self) -> tuple[str, ...]:
        """All words left, as units in the order in which they were typed."""
        names: list[str] = []
        for word in self.words:
            found, units = expand(word.text), self.state.board.units
            if PLACE.fullmatch(word.text) and word.text not in units:
                raise self.misread(word, f"a unit, not a place: {word.text} is where somebody stands")
            if not all(map(UNIT.fullmatch, found)):
                raise self.misread(word, "a unit, such as buck, b3 or n1..n4", tuple(units))
            names += found
        self.words = []
        return tuple(names)

    def units_at(self) -> tuple[tuple[str, ...], str]:
        """All words left: units in the order of the counters, and a place."""
        place = self.place_at_the_end()
        return self.units(), place

    def doors(self) -> tuple[str, ...]:
        """The doors that the next words name, in order."""
        doors = set()
        while self.words and "-" in self.words[0].text:
            doors.add(self.door())
        return tuple(sorted(doors))

    def side(self) -> Side:
        """One of the two sides."""
        word = self.next("human or mutant")
        side = match_word(word.text, ("human", "mutant"))
        if side is None:
            raise self.misread(word, "human or mutant")
        return "human" if side == "human" else "mutant"

    def place_at_the_end(self) -> str:
        """The place that the last word names."""
        if not self.words:
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, "units and a room")
        return self._place_of(self.words.pop())

    def place(self) -> str:
        """The place that the next word names."""
        return self._place_of(self.next("a room, such as C4"))

    def _place_of(self, word: Word) -> str:
        place = _place_named(word.text)
        if place is None:
            squares = [f"x{word.text}"] if PLACE.fullmatch(f"x{word.text}") else []
            raise self.misread(word, "a room such as C4 or a square such as xN4", squares)
        return place

    def subject(self) -> str:
        """A room, a square or a door."""
        is_door = bool(self.words) and "-" in self.words[0].text
        return self.door() if is_door else self.place()

    def door(self) -> str:
        """A door as the board names it, whichever place is typed first."""
        word = self.next("a door, such as C3-C4")
        places = [_place_named(part) for part in word.text.split("-")]
        if len(places) != 2 or None in places or OFF in places:
            raise self.misread(word, "a door, such as C3-C4 or xN4-D1")
        one, other = str(places[0]), str(places[1])
        return self.state.board.doors.get((one, other), f"{one}-{other}")


def _place_named(word: str) -> str | None:
    """A place as typed."""
    if word == OFF:
        return OFF
    if not PLACE.fullmatch(word):
        return None
    return f"x{word[1:].upper()}" if word[0] == "x" else word.upper()
