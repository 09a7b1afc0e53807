"""The words for units, places and doors: how they are typed, and whether units may be named in an action at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from referee.engine.event import Seat
from referee.engine.legal import Action, Offer, Ordered, Slot, Subset, each_of
from referee.engine.ruling import Refusal
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing, match_word
from referee.games.mutants.board import OFF, Kind, Side, compact, expand
from referee.games.mutants.order import ORDER
from referee.games.mutants.state import State

A = TypeVar("A", bound=Action)
PlaceSaid = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9]|off)$")]
"""A room or square as said. Beyond the board is `off`: going there is refused, not misread."""

SPEAKERS = ("h", "m", "human", "mutant")
TOWARDS = ("to", "in", "into", ">")
"""Words before a place where units go."""
LINKS = (*TOWARDS, "with", "and")
"""Words that only make a phrase readable."""
PLACE = re.compile("(x[nesw]|[a-i])[1-9]")
"""A square is typed with its x: n4 is a Mutant. Where units are expected b1 is the Janibot, elsewhere a room."""
PLACES = re.compile(r"(x[nesw]|[a-i])([1-9])(?:\.\.((?:x[nesw]|[a-i])?)([1-9]))?")
"""Places in a line: `a1..g1`, `a1..a7`, `xn1..7`."""
DOOR = re.compile("(x?[a-z][1-9])-?(x?[a-z][1-9])")
"""A door by the places that it joins; in it a square can do without its x."""
UNIT = re.compile("[a-z]{1,8}[0-9]{0,2}")
COUNT = re.compile("([0-9]{0,2})([a-z]+)")
"""So many units of a kind: `2n`, `n`, `3 normals`, `guard`."""
KINDS: Mapping[str, Kind] = {
    **{word: word for word in ("tech", "guard", "janibot", "leader", "radioactive", "normal")},
    **{"b": "janibot", "l": "leader", "r": "radioactive", "n": "normal"},
}

Able = Callable[[State, Seat, Mapping[str, Any]], Iterable[str]]
"""Who could be named in an action of this seat whose other fields are these, in the order of the counters."""
Offers = Callable[[State, Seat], Iterator[Offer]]


class Reader(PhraseReader):
    """Reads one phrase of a seat, word by word, as it means it in this view."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text)
        towards = [at for at, word in enumerate(self.words[:-1], 1) if word.text in TOWARDS]
        self._marked = self.words[towards[0]] if towards else None
        self.words = [word for word in self.words if word.text not in LINKS]
        spoken = self.words.pop(0).text if len(self.words) > 1 and self.words[0].text in SPEAKERS else ""
        if len(self.words) == 2 and self.words[0].text in ("put", "place") and self.words[1].text == "rest":
            self.words.pop(0)  # both ways of saying it mean the verb "rest"
        self.state, self.seat = state, seat
        self._from: str | None = None
        self._near: tuple[str, ...] = ()
        self._named: set[str] = set()
        if len(self.words) == 1:
            self._say_auto_for_stage(spoken)

    def goes_on(self) -> bool:
        """Units alone belong to what was said before them; b1 may be a room."""
        units = (self._is_unit(word) or self._is_counted(word) or word.text == "all" for word in self.words)
        places = any(PLACES.fullmatch(word.text) for word in self.words)
        return bool(self.words) and not places and all(units)

    # One word for a row of boxes

    def begins(self, word: Word) -> bool:
        """`auto` is said for the row of boxes that the Combat waits for."""
        return word.text == "auto"

    def _say_auto_for_stage(self, spoken: str) -> None:
        """Alone it means the row that is due; of the side that is named with it, its own row."""
        combat, (word,) = self.state.combat, self.words
        stage = combat.stage if combat and combat.stage in ("lay", "pair") else None
        if combat and stage and spoken:
            stage = "lay" if combat.first.startswith(spoken) else "pair"
        if word.text == "auto" or (stage and "auto".startswith(word.text)):
            self.words = [Word(stage or "lay", word.at), Word("auto", word.at)]

    # Actions

    def action(self, kind: type[A], able: Able | None = None) -> A:
        """What an action of this kind says: each field by its name, units last, because they are all words left.

        `able` tells among whom so many units are counted off.
        """
        readers = {
            "door": self.door,
            "doors": self.doors,
            "room": self.place,
            "place": self.places_to_fill,
            "to": self.target,
            "side": self.side,
            "about": self.subject,
        }
        self._take_origin()
        fields: dict[str, Any] = {name: readers[name]() for name in kind.__struct_fields__ if name != "units"}
        if "units" in kind.__struct_fields__:
            self._near = self._places_near(fields)
            fields["units"] = self.units((lambda: able(self.state, self.seat, fields)) if able else None)
        return kind(**fields)

    def _places_near(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        """Where those stand who may be meant, though they cannot do it."""
        if "door" in fields:
            return self.state.board.ends.get(fields["door"], ())
        return tuple(self.state.beside(fields["to"])) if fields.get("to") in self.state.board.places else ()

    def expected(self, what: str) -> NotUnderstoodError:
        """The error about a phrase that ends too early."""
        return NotUnderstoodError(self.text, len(self.text) + 1, 1, what)

    def only(self, word: str) -> bool:
        """Whether this word, or the beginning of it, is all that is left; if so it is read."""
        is_it = len(self.words) == 1 and word.startswith(self.words[0].text)
        if is_it:
            self.words = []
        return is_it

    def _take_origin(self) -> None:
        """A place after "from", where units are counted off."""
        texts = [word.text for word in self.words]
        if "from" in texts[:-1]:
            at = texts.index("from")
            self._from = self._place_of(self.words[at + 1])
            del self.words[at : at + 2]

    # Units

    def units(self, able: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
        """The words that name units, in the order of the counters."""
        return self.state.board.sorted(dict.fromkeys(self.named(able)))

    def named(self, able: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
        """The words that name units, in the order in which they were typed. It ends where a door or a verb begins.

        So many units, or all, are counted off from those who are not named otherwise.
        """
        names: list[str] = []
        self._named = self._named_by_words() if able else set()
        while self.words and not self._ends_units(self.words[0]):
            word = self.words.pop(0)
            counted = self._count_of(word)
            if able and word.text == "all":
                found = list(self._all(word, [unit for unit in able() if unit not in self._named]))
            elif able and counted:
                found = list(self._counted_off(word, *counted, [unit for unit in able() if unit not in self._named]))
            else:
                found = self._spelt_out(word)
            self._named.update(found)
            names += found
        return tuple(names)

    def _named_by_words(self) -> set[str]:
        """Units that the words up to the end of the group name one by one."""
        group = takewhile(lambda word: not self._ends_units(word), self.words)
        return {unit for word in group if self._is_unit(word) for unit in expand(word.text)}

    def _ends_units(self, word: Word) -> bool:
        return DOOR.fullmatch(word.text) is not None or (word.text in self.verbs and not self._is_unit(word))

    def _spelt_out(self, word: Word) -> list[str]:
        found, units = expand(word.text), self.state.board.units
        if PLACE.fullmatch(word.text) and word.text not in units:
            raise self.misread(word, f"a unit, not a place: {word.text} is where somebody stands")
        if not all(map(UNIT.fullmatch, found)):
            raise self.misread(word, "a unit, such as buck, b3 or n1..n4", tuple(units))
        return found

    def _count_of(self, word: Word) -> tuple[int | None, Kind] | None:
        """How many of which kind a word means, None for all of them; or None at all, if it means no kind."""
        if word.text.isdigit() and self.words and self.words[0].text.removesuffix("s") in KINDS:
            return int(word.text), KINDS[self.words.pop(0).text.removesuffix("s")]
        found = COUNT.fullmatch(word.text)
        if found is None or word.text in self.state.board.units:
            return None
        kind = KINDS.get(found[2]) or KINDS.get(found[2].removesuffix("s"))
        if kind is None:
            return None
        return (int(found[1]) if found[1] else None if found[2] not in KINDS else 1), kind

    def _all(self, word: Word, able: Iterable[str]) -> tuple[str, ...]:
        found = tuple(unit for unit in able if self._from in (None, self.state.at.get(unit)))
        if not found:
            raise self.misread(word, "somebody who can")
        self.remarks.append(f"{word.text}: {compact(found)}.")
        return found

    def _counted_off(self, word: Word, count: int | None, kind: Kind, able: Iterable[str]) -> tuple[str, ...]:
        """So many of a kind with the lowest numbers, where the rules do not tell them apart."""
        units, at = self.state.board.units, self.state.at
        found = [unit for unit in able if units[unit].kind == kind and self._from in (None, at.get(unit))]
        count = len(found) if count is None else count
        if count < len(found):
            self._check_alike(word, found)
        if count > len(found) or not found:
            found += self._unable(kind, found)
        if count > len(found) or not found:
            raise self.misread(word, _fewer(found))
        taken = tuple(found[:count])
        lowest = ", the lowest numbers" if count < len(found) else ""
        self.remarks.append(f"{word.text}: {compact(taken)}{lowest}.")
        return taken

    def _unable(self, kind: Kind, able: Iterable[str]) -> list[str]:
        """Others of a kind near by, so that the rule can be told that keeps them from it."""
        units, places = self.state.board.units, (self._from,) if self._from else self._near
        but = self._named.union(able)
        return [
            unit for unit, at in self.state.at.items() if units[unit].kind == kind and at in places and unit not in but
        ]

    def _check_alike(self, word: Word, found: list[str]) -> None:
        """Whoever stands elsewhere, or fights otherwise, is somebody else. In the hand any of a kind will do: what is
        set up may be put elsewhere.
        """
        units, at = self.state.board.units, self.state.at
        standing = [unit for unit in found if unit in at]
        places = list(dict.fromkeys(at[unit] for unit in standing))
        if len(places) > 1:
            where = f"they stand in {listing(places)}, so say from {places[0]}, or name them"
            raise self.misread(word, f"from where: {where}")
        if len({(units[unit].hit, units[unit].hit_j, unit == "penny") for unit in standing}) > 1:
            raise self.misread(word, f"names: {compact(tuple(found))} are not all alike")

    # Places

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

    def target(self) -> str:
        """Where units go: the place after "to", else the last word."""
        first, *others = self._targets()
        if others:
            raise self.misread(others[0], "one place")
        return self._place_of(first)

    def places_to_fill(self) -> str:
        """The same where several places are filled alike: first this one, and what is left to be said is put off."""
        words, units = self._targets(), self.words
        places = [place for word in words for place in self._places_of(word)]
        if len(places) > 1:
            named = [word for word in units if not self._is_counted(word)]
            if named or not units:
                raise self.misread((named or words)[0], "so many units of a kind, where they are put in several places")
            again = f"put {' '.join(word.text for word in units)} in {' '.join(places[1:])}"
            self.rest = f"{again}, {self.rest}" if self.rest else again
        return places[0]

    def _targets(self) -> list[Word]:
        """The words that tell where units go; words for units are left."""
        if not self.words or (self._marked is None and self.goes_on()):
            expected = "a room such as C4 or a square such as xN4" if self.words else "units and a room"
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, expected)
        first = self._first_target()
        end = first + 1
        while end < len(self.words) and PLACES.fullmatch(self.words[end].text):
            end += 1
        found, after = self.words[first:end], self.words[end:]
        if after and after[0].text not in self.verbs:
            raise self.misread(after[0], "nothing more here; a comma parts two actions")
        self.words = self.words[:first]
        self.rest = self.text[after[0].at :] if after else ""
        return found

    def _first_target(self) -> int:
        """Where among the words the first place stands: after "to", else the first that is no unit, else the last."""
        if self._marked in self.words:
            return self.words.index(self._marked)
        verbs = [at for at, word in enumerate(self.words) if word.text in self.verbs and not self._is_unit(word)]
        end = verbs[0] if verbs else len(self.words)
        places = (at for at, word in enumerate(self.words[:end]) if PLACES.fullmatch(word.text))
        return next((at for at in places if not self._is_unit(self.words[at])), max(end - 1, 0))

    def _is_unit(self, word: Word) -> bool:
        return any(unit in self.state.board.units for unit in expand(word.text))

    def _is_counted(self, word: Word) -> bool:
        found = COUNT.fullmatch(word.text)
        return word.text.isdigit() or bool(found and not self._is_unit(word) and found[2].removesuffix("s") in KINDS)

    def _places_of(self, word: Word) -> list[str]:
        """The places that a word means, one or a line of them."""
        found = PLACES.fullmatch(word.text)
        if found is None or found[4] is None:
            return [self._place_of(word)]
        (row, other), (low, high) = (found[1], found[3] or found[1]), (int(found[2]), int(found[4]))
        if row == other:
            return [str(place_named(f"{row}{number}")) for number in range(low, high + 1)] or [self._place_of(word)]
        if low == high and len(row) == len(other) == 1 and row < other:
            return [f"{chr(letter).upper()}{low}" for letter in range(ord(row), ord(other) + 1)]
        raise self.misread(word, "places in a line, such as A1..G1, A1..A7 or xN1..xN7")

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
        """A door as the board names it, whichever place is typed first; the x of its square may be left out."""
        word = self.next("a door, such as C3-C4")
        found = DOOR.fullmatch(word.text)
        ways = [(one, other) for one in _ends_meant(found[1]) for other in _ends_meant(found[2])] if found else []
        if not ways:
            raise self.misread(word, "a door, such as C3-C4 or xN4-D1")
        doors = self.state.board.doors
        return next((doors[way] for way in ways if way in doors), "-".join(ways[0]))


def _fewer(found: list[str]) -> str:
    return f"at most {len(found)} of them: {compact(tuple(found))}" if found else "others: none of them is there"


def _ends_meant(word: str) -> list[str]:
    """The places that a word can mean in a door: a room, or a square without its x."""
    return [place for place in map(place_named, (word, f"x{word}")) if place is not None]


def place_named(word: str) -> str | None:
    """A place as typed."""
    if word == OFF:
        return OFF
    if not PLACE.fullmatch(word):
        return None
    return f"x{word[1:].upper()}" if word[0] == "x" else word.upper()


# What verbs read


def reading(kind: type[A], offers: Offers | None = None) -> Callable[[Reader], A]:
    """Reads actions of this kind, field by field; so many units are counted off among those whom it is offered for."""

    def able(state: State, seat: Seat, fields: Mapping[str, Any]) -> tuple[str, ...]:
        offered = offers(state, seat) if offers and seat == ORDER.to_act(state) else ()
        slots = [choice.slots for choice in each_of(offered)]
        fitting = [slot for slot in slots if all(value in slot[name] for name, value in fields.items())]
        return state.board.sorted({unit for slot in fitting for unit in _members(slot["units"])})

    return lambda reader: reader.action(kind, able if offers else None)


def _members(slot: Slot) -> tuple[str, ...]:
    """All who may be in a group."""
    return slot.values if isinstance(slot, Subset | Ordered) else ()


# Whether units may be named


def check_names(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Every counter exists once, and a group is written in the order of the counters (INTRO.IV.A)."""
    unknown = [unit for unit in units if unit not in state.board.units]
    for unit in unknown:
        wall = unit[0] == "w" and unit[1:].isdigit()
        what = f"{unit} is a Wall and never moves" if wall else f"there is no unit {unit}"
        yield Refusal("INTRO.IV.A.1-a", what)
    if len(units) > 1 and not unknown and units != state.board.sorted(set(units)):
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
    """Who stands in the place that a word names, and its doors, so that `legal D2` lists what can be done there. A
    square outside needs no x before it (w4), and a door no hyphen (n4d1).
    """
    places = (word, f"x{word}")
    units = next((units for place, units in view.crowds.items() if place.lower() in places), ())
    outside = [place.lower() for place in view.board.squares if place.lower() == places[1]]
    doors = view.board.doors_by_word
    return (*outside, *units, *(door for place in places for door in doors.get(place, ())))
