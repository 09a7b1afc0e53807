"""The words for units, places and doors: how they are typed, and whether units may be named in an action at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, TypeVar

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.ruling import Refusal
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing, match_word
from referee.games.mutants.board import OFF, Side, expand
from referee.games.mutants.state import State

A = TypeVar("A", bound=Action)
PlaceSaid = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9]|off)$")]
"""A room or square as said. Beyond the board is `off`: going there is refused, not misread."""

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

    def action(self, kind: type[A]) -> A:
        """What an action of this kind says: each field by its name, units last, because they are all words left."""
        readers = {
            "door": self.door,
            "doors": self.doors,
            "room": self.place,
            "place": self.place_at_the_end,
            "to": self.place_at_the_end,
            "side": self.side,
            "about": self.subject,
            "units": self.units,
        }
        names = sorted(kind.__struct_fields__, key=lambda name: name == "units")
        return kind(**{name: readers[name]() for name in names})

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
        place = place_named(word.text)
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
        places = [place_named(part) for part in word.text.split("-")]
        if len(places) != 2 or None in places or OFF in places:
            raise self.misread(word, "a door, such as C3-C4 or xN4-D1")
        one, other = str(places[0]), str(places[1])
        return self.state.board.doors.get((one, other), f"{one}-{other}")


def place_named(word: str) -> str | None:
    """A place as typed."""
    if word == OFF:
        return OFF
    if not PLACE.fullmatch(word):
        return None
    return f"x{word[1:].upper()}" if word[0] == "x" else word.upper()


# Whether units may be named


def check_names(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Every counter exists once, and a group is written in the order of the counters (INTRO.IV.A)."""
    unknown = [unit for unit in units if unit not in state.board.units]
    for unit in unknown:
        wall = unit[0] == "w" and unit[1:].isdigit()
        what = f"{unit} is a Wall and never moves" if wall else f"there is no unit {unit}"
        yield Refusal("INTRO.IV.A.1-a", what)
    if not unknown and units != state.board.sorted(set(units)):
        yield Refusal("INTRO.IV.A", f"write each unit once: {' '.join(state.board.sorted(set(units)))}")


def check_owned(state: State, seat: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """A player gives orders to his own units only (INTRO.III-a), and only to such as are on the board."""
    yield from check_side(state, seat, units)
    for unit in units:
        if state.is_captive(unit):
            if seat == "human":
                yield Refusal("OPT.VI.C-c", "penny is a captive, and the Mutant player moves her")
        elif state.board.side_of(unit) != seat:
            continue
        if unit in state.pool:
            yield Refusal("OPT.VI.B-a", f"{unit} has not arrived")
        elif unit not in state.at:
            yield Refusal("IV.A.5-b", f"{unit} is not on the board")


def check_side(state: State, side: Seat, units: Iterable[str]) -> Iterator[Refusal]:
    """Units of the other player, all in one sentence; a captive is judged elsewhere."""
    wrong = [unit for unit in units if state.board.side_of(unit) != side and not state.is_captive(unit)]
    if wrong:
        belong = "belongs" if len(wrong) == 1 else "belong"
        owner = state.board.side_of(wrong[0])
        yield Refusal("INTRO.III-a", f"{listing(wrong)} {belong} to the {owner} player")


def stands_for(view: State, word: str) -> tuple[str, ...]:
    """Who stands in the place that a word names, and its doors, so that `legal D2` lists what can be done there."""
    units = next((units for place, units in view.standing.items() if place.lower() == word), ())
    doors = (door.lower() for door in view.board.ends)
    return (*units, *(door for door in doors if word in door.split("-")))
