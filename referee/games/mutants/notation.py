"""Reads names of units, places and doors as players type them, and checks that the units may be named in an action."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.legal import ChoiceSource, expand_choices
from referee.engine.rulebook import Refusal
from referee.engine.slots import Ordered, Slot, Subset
from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing, match_word
from referee.games.mutants.board import OFF_BOARD, Side, UnitKind, compact_names, expand_name_ranges
from referee.games.mutants.order_of_play import ORDER
from referee.games.mutants.state import State

A = TypeVar("A", bound=Action)
TypedPlace = Annotated[str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9]|off)$")]
"""A room or square as typed. `off` means beyond the board: the reader accepts it so that a rule can refuse it."""

SIDE_WORDS = ("h", "m", "human", "mutant")
WORDS_BEFORE_PLACE = ("to", "in", "into", ">")
"""Words before the place to which units go."""
FILLER_WORDS = (*WORDS_BEFORE_PLACE, "with", "and")
"""Words that only make a phrase easier to read."""
PLACE_WORD_PATTERN = re.compile("(x[nesw]|[a-i])[1-9]")
"""The form of a place. A square keeps its x, because n4 is a Mutant. The word b1 means the Janibot where units are
expected, and a room elsewhere.
"""
PLACES_WORD_PATTERN = re.compile(r"(x[nesw]|[a-i])([1-9])(?:\.\.((?:x[nesw]|[a-i])?)([1-9]))?")
"""The form of a place or a line of places: `a1..g1`, `a1..a7`, `xn1..7`."""
DOOR_WORD_PATTERN = re.compile("(x?[a-z][1-9])-?(x?[a-z][1-9])")
"""The form of a door: its two places. A square may be written without its x."""
UNIT_WORD_PATTERN = re.compile("[a-z]{1,8}[0-9]{0,2}")
COUNT_WORD_PATTERN = re.compile("([0-9]{0,2})([a-z]+)")
"""The form of a number of units of a kind: `2n`, `n`, `3 normals`, `guard`."""
KINDS_BY_WORD: Mapping[str, UnitKind] = {
    **{word: word for word in ("tech", "guard", "janibot", "leader", "radioactive", "normal")},
    **{"b": "janibot", "l": "leader", "r": "radioactive", "n": "normal"},
}

UnitLister = Callable[[State, Seat, Mapping[str, Any]], Iterable[str]]
"""A function that returns the units which an action of a seat could name, given its other fields, in the order of the
counters.
"""
ChoiceOfferer = Callable[[State, Seat], Iterator[ChoiceSource]]


class Reader(PhraseReader):
    """A reader of one phrase of a seat, word by word. The seat's view decides between several meanings.

    Its methods take words off the phrase, and raise NotUnderstoodError if a word is not what they expect.
    """

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text)
        towards = [at for at, word in enumerate(self.words[:-1], 1) if word.text in WORDS_BEFORE_PLACE]
        self._marked = self.words[towards[0]] if towards else None
        self.words = [word for word in self.words if word.text not in FILLER_WORDS]
        spoken = self.words.pop(0).text if len(self.words) > 1 and self.words[0].text in SIDE_WORDS else ""
        if len(self.words) == 2 and self.words[0].text in ("put", "place") and self.words[1].text == "rest":
            self.words.pop(0)  # both ways of saying it mean the verb "rest"
        self.state, self.seat = state, seat
        self._from: str | None = None
        self._near: tuple[str, ...] = ()
        self._named: set[str] = set()
        if len(self.words) == 1:
            self._say_auto_for_stage(spoken)

    def continues_phrase(self) -> bool:
        """True if the phrase holds only units, which then belong to the phrase before.

        A phrase with a word such as b1, which may be a room, does not count.
        """
        units = (self._is_unit(word) or self._is_counted(word) or word.text == "all" for word in self.words)
        places = any(PLACES_WORD_PATTERN.fullmatch(word.text) for word in self.words)
        return bool(self.words) and not places and all(units)

    # `auto`, the word for a row of boxes

    def can_begin_with(self, word: Word) -> bool:
        """True for `auto`, which may stand alone for the row of boxes that is due."""
        return word.text == "auto"

    def _say_auto_for_stage(self, spoken: str) -> None:
        """Puts the verb of a row of boxes, `lay` or `pair`, before a lone `auto`.

        The row is the one that is due, or that of the side whose name the player has typed: `spoken`.
        """
        combat, (word,) = self.state.combat, self.words
        stage = combat.stage if combat and combat.stage in ("lay", "pair") else None
        if combat and stage and spoken:
            stage = "lay" if combat.first.startswith(spoken) else "pair"
        if word.text == "auto" or (stage and "auto".startswith(word.text)):
            self.words = [Word(stage or "lay", word.at), Word("auto", word.at)]

    # Actions

    def read_action(self, kind: type[A], able: UnitLister | None = None) -> A:
        """Reads an action of this kind, field by field. Units come last, because they are all the words left.

        `able` returns the units among which a number such as `2n` is counted off.
        """
        readers = {
            "door": self.read_door,
            "doors": self.read_doors,
            "room": self.read_place,
            "place": self.read_first_place_to_fill,
            "to": self.read_destination,
            "side": self.read_side,
            "about": self.read_subject,
        }
        self._take_origin()
        fields: dict[str, Any] = {name: readers[name]() for name in kind.__struct_fields__ if name != "units"}
        if "units" in kind.__struct_fields__:
            self._near = self._list_places_nearby(fields)
            fields["units"] = self.read_units((lambda: able(self.state, self.seat, fields)) if able else None)
        return kind(**fields)

    def _list_places_nearby(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        """Returns the places whose units the player may mean, even if those units cannot act."""
        if "door" in fields:
            return self.state.board.door_ends.get(fields["door"], ())
        return tuple(self.state.find_neighbours(fields["to"])) if fields.get("to") in self.state.board.places else ()

    def make_early_end_error(self, what: str) -> NotUnderstoodError:
        """Returns the error about a phrase that ends too early."""
        return NotUnderstoodError(self.text, len(self.text) + 1, 1, what)

    def read_word_if_last(self, word: str) -> bool:
        """Reads this word, in full or shortened, if it is the only one left. True if it was read."""
        is_it = len(self.words) == 1 and word.startswith(self.words[0].text)
        if is_it:
            self.words = []
        return is_it

    def _take_origin(self) -> None:
        """Takes "from" and the place after it out of the phrase, if they are there.

        A count such as `2n` then means units in that place.
        """
        texts = [word.text for word in self.words]
        if "from" in texts[:-1]:
            at = texts.index("from")
            self._from = self._parse_place(self.words[at + 1])
            del self.words[at : at + 2]

    # Units

    def read_units(self, able: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
        """Reads the names of units, in the order of the counters."""
        return self.state.board.sort_units(dict.fromkeys(self.read_units_as_typed(able)))

    def read_units_as_typed(self, able: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
        """Reads the names of units in the order typed, up to a door or a verb.

        Numbers of units, and `all`, are counted off among the units that are not named one by one.
        """
        names: list[str] = []
        self._named = self._find_named_units() if able else set()
        while self.words and not self._ends_units(self.words[0]):
            word = self.words.pop(0)
            counted = self._parse_count(word)
            if able and word.text == "all":
                found = list(self._count_all(word, [unit for unit in able() if unit not in self._named]))
            elif able and counted:
                found = list(self._count_off(word, *counted, [unit for unit in able() if unit not in self._named]))
            else:
                found = self._read_name(word)
            self._named.update(found)
            names += found
        return tuple(names)

    def _find_named_units(self) -> set[str]:
        """Returns the units that are named one by one before the next door or verb."""
        group = takewhile(lambda word: not self._ends_units(word), self.words)
        return {unit for word in group if self._is_unit(word) for unit in expand_name_ranges(word.text)}

    def _ends_units(self, word: Word) -> bool:
        return DOOR_WORD_PATTERN.fullmatch(word.text) is not None or (
            word.text in self.verbs and not self._is_unit(word)
        )

    def _read_name(self, word: Word) -> list[str]:
        found, units = expand_name_ranges(word.text), self.state.board.units
        if PLACE_WORD_PATTERN.fullmatch(word.text) and word.text not in units:
            raise self.make_word_error(word, f"a unit; {word.text} is a place")
        if not all(map(UNIT_WORD_PATTERN.fullmatch, found)):
            raise self.make_word_error(word, "a unit, such as buck, b3 or n1..n4", tuple(units))
        return found

    def _parse_count(self, word: Word) -> tuple[int | None, UnitKind] | None:
        """Returns the number and kind that a word means; the number is None for all of a kind.

        None if the word means no kind.
        """
        if word.text.isdigit() and self.words and self.words[0].text.removesuffix("s") in KINDS_BY_WORD:
            return int(word.text), KINDS_BY_WORD[self.words.pop(0).text.removesuffix("s")]
        found = COUNT_WORD_PATTERN.fullmatch(word.text)
        if found is None or word.text in self.state.board.units:
            return None
        kind = KINDS_BY_WORD.get(found[2]) or KINDS_BY_WORD.get(found[2].removesuffix("s"))
        if kind is None:
            return None
        return (int(found[1]) if found[1] else None if found[2] not in KINDS_BY_WORD else 1), kind

    def _count_all(self, word: Word, able: Iterable[str]) -> tuple[str, ...]:
        found = tuple(unit for unit in able if self._from in (None, self.state.at.get(unit)))
        if not found:
            raise self.make_word_error(word, "somebody who can")
        self.remarks.append(f"{word.text}: {compact_names(found)}.")
        return found

    def _count_off(self, word: Word, count: int | None, kind: UnitKind, able: Iterable[str]) -> tuple[str, ...]:
        """Returns `count` units of a kind, with the lowest numbers; all of the kind if `count` is None.

        Raises NotUnderstoodError if there are too few, or if the rules tell apart the units to choose from.
        """
        units, at = self.state.board.units, self.state.at
        found = [unit for unit in able if units[unit].kind == kind and self._from in (None, at.get(unit))]
        count = len(found) if count is None else count
        if count < len(found):
            self._check_alike(word, found)
        if count > len(found) or not found:
            found += self._list_barred_units(kind, found)
        if count > len(found) or not found:
            raise self.make_word_error(word, _describe_shortage(found))
        taken = tuple(found[:count])
        lowest = ", the lowest numbers" if count < len(found) else ""
        self.remarks.append(f"{word.text}: {compact_names(taken)}{lowest}.")
        return taken

    def _list_barred_units(self, kind: UnitKind, able: Iterable[str]) -> list[str]:
        """Returns other units of this kind nearby. The rules can then say why those units cannot act."""
        units, places = self.state.board.units, (self._from,) if self._from else self._near
        but = self._named.union(able)
        return [
            unit for unit, at in self.state.at.items() if units[unit].kind == kind and at in places and unit not in but
        ]

    def _check_alike(self, word: Word, found: list[str]) -> None:
        """Raises NotUnderstoodError if units of a kind differ: they stand in different places, or fight differently.

        Only units on the board are compared, since units in the hand are always alike. During the set-up, units on the
        board may still be moved.
        """
        units, at = self.state.board.units, self.state.at
        standing = [unit for unit in found if unit in at]
        places = list(dict.fromkeys(at[unit] for unit in standing))
        if len(places) > 1:
            where = f"they stand in {listing(places)}, so add from {places[0]}, or name them"
            raise self.make_word_error(word, f"where they come from: {where}")
        if (
            len(
                {
                    (units[unit].hit_number, units[unit].hit_number_against_janibots, unit == "penny")
                    for unit in standing
                }
            )
            > 1
        ):
            raise self.make_word_error(word, f"unit names, because {compact_names(tuple(found))} are not all alike")

    # Places

    def read_doors(self) -> tuple[str, ...]:
        """Reads doors, and returns them in the order of their names."""
        doors = set()
        while self.words and "-" in self.words[0].text:
            doors.add(self.read_door())
        return tuple(sorted(doors))

    def read_side(self) -> Side:
        """Reads one of the two sides."""
        word = self.next("human or mutant")
        side = match_word(word.text, ("human", "mutant"))
        if side is None:
            raise self.make_word_error(word, "human or mutant")
        return "human" if side == "human" else "mutant"

    def read_destination(self) -> str:
        """Reads the place to which units go: the place after "to", else the last word."""
        first, *others = self._take_targets()
        if others:
            raise self.make_word_error(others[0], "one place")
        return self._parse_place(first)

    def read_first_place_to_fill(self) -> str:
        """Reads one or more places that each get the same number of units. Returns the first.

        The rest of the line then begins with a new phrase that puts units in the other places.
        """
        words, units = self._take_targets(), self.words
        places = [place for word in words for place in self._parse_places(word)]
        if len(places) > 1:
            named = [word for word in units if not self._is_counted(word)]
            if named or not units:
                raise self.make_word_error(
                    (named or words)[0], "a number of units such as 2n, to put in several places"
                )
            again = f"put {' '.join(word.text for word in units)} in {' '.join(places[1:])}"
            self.rest = f"{again}, {self.rest}" if self.rest else again
        return places[0]

    def _take_targets(self) -> list[Word]:
        """Takes off the words that name where units go. The words that name units stay in the phrase."""
        if not self.words or (self._marked is None and self.continues_phrase()):
            expected = "a room such as C4 or a square such as xN4" if self.words else "units and a room"
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, expected)
        first = self._find_first_target()
        end = first + 1
        while end < len(self.words) and PLACES_WORD_PATTERN.fullmatch(self.words[end].text):
            end += 1
        found, after = self.words[first:end], self.words[end:]
        if after and after[0].text not in self.verbs:
            raise self.make_word_error(after[0], "nothing more here; separate two actions with a comma")
        self.words = self.words[:first]
        self.rest = self.text[after[0].at :] if after else ""
        return found

    def _find_first_target(self) -> int:
        """Returns the index of the first place: after "to", else the first word that is not a unit, else the last."""
        if self._marked in self.words:
            return self.words.index(self._marked)
        verbs = [at for at, word in enumerate(self.words) if word.text in self.verbs and not self._is_unit(word)]
        end = verbs[0] if verbs else len(self.words)
        places = (at for at, word in enumerate(self.words[:end]) if PLACES_WORD_PATTERN.fullmatch(word.text))
        return next((at for at in places if not self._is_unit(self.words[at])), max(end - 1, 0))

    def _is_unit(self, word: Word) -> bool:
        return any(unit in self.state.board.units for unit in expand_name_ranges(word.text))

    def _is_counted(self, word: Word) -> bool:
        found = COUNT_WORD_PATTERN.fullmatch(word.text)
        return word.text.isdigit() or bool(
            found and not self._is_unit(word) and found[2].removesuffix("s") in KINDS_BY_WORD
        )

    def _parse_places(self, word: Word) -> list[str]:
        """Returns the places that a word means: one, or a line of them."""
        found = PLACES_WORD_PATTERN.fullmatch(word.text)
        if found is None or found[4] is None:
            return [self._parse_place(word)]
        (row, other), (low, high) = (found[1], found[3] or found[1]), (int(found[2]), int(found[4]))
        if row == other:
            return [str(parse_place(f"{row}{number}")) for number in range(low, high + 1)] or [self._parse_place(word)]
        if low == high and len(row) == len(other) == 1 and row < other:
            return [f"{chr(letter).upper()}{low}" for letter in range(ord(row), ord(other) + 1)]
        raise self.make_word_error(word, "places in a line, such as A1..G1, A1..A7 or xN1..xN7")

    def read_place(self) -> str:
        """Reads a place."""
        return self._parse_place(self.next("a room, such as C4"))

    def _parse_place(self, word: Word) -> str:
        place = parse_place(word.text)
        if place is None:
            squares = [f"x{word.text}"] if PLACE_WORD_PATTERN.fullmatch(f"x{word.text}") else []
            raise self.make_word_error(word, "a room such as C4 or a square such as xN4", squares)
        return place

    def read_subject(self) -> str:
        """Reads a room, a square or a door."""
        is_door = bool(self.words) and "-" in self.words[0].text
        return self.read_door() if is_door else self.read_place()

    def read_door(self) -> str:
        """Reads a door. Either place may come first, and a square may leave out its x.

        Returns the board's name of the door; if the board has no such door, the two places as they were typed.
        """
        word = self.next("a door, such as C3-C4")
        found = DOOR_WORD_PATTERN.fullmatch(word.text)
        ways = (
            [(one, other) for one in _list_places_meant(found[1]) for other in _list_places_meant(found[2])]
            if found
            else []
        )
        if not ways:
            raise self.make_word_error(word, "a door, such as C3-C4 or xN4-D1")
        doors = self.state.board.doors_by_ends
        return next((doors[way] for way in ways if way in doors), "-".join(ways[0]))


def _describe_shortage(found: list[str]) -> str:
    return (
        f"at most {len(found)} of them: {compact_names(tuple(found))}"
        if found
        else "other units, because none of these is there"
    )


def _list_places_meant(word: str) -> list[str]:
    """Returns the places that a word in a door can mean: a room, or a square without its x."""
    return [place for place in map(parse_place, (word, f"x{word}")) if place is not None]


def parse_place(word: str) -> str | None:
    """Returns the place that a word names; None if it names none."""
    if word == OFF_BOARD:
        return OFF_BOARD
    if not PLACE_WORD_PATTERN.fullmatch(word):
        return None
    return f"x{word[1:].upper()}" if word[0] == "x" else word.upper()


# Readers for verbs


def make_reader(kind: type[A], offers: ChoiceOfferer | None = None) -> Callable[[Reader], A]:
    """Returns a function that reads actions of this kind, field by field.

    A number of units, such as `2n`, is counted off among the units that `offers` lists.
    """

    def able(state: State, seat: Seat, fields: Mapping[str, Any]) -> tuple[str, ...]:
        offered = offers(state, seat) if offers and seat == ORDER.to_act(state) else ()
        slots = [choice.slots for choice in expand_choices(offered)]
        fitting = [slot for slot in slots if all(value in slot[name] for name, value in fields.items())]
        return state.board.sort_units({unit for slot in fitting for unit in _list_units_in_slot(slot["units"])})

    return lambda reader: reader.read_action(kind, able if offers else None)


def _list_units_in_slot(slot: Slot) -> tuple[str, ...]:
    """Returns all units that may be in a group."""
    return slot.values if isinstance(slot, Subset | Ordered) else ()


# Checks of the units named


def check_unit_names(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Yields refusals about unknown units (INTRO.IV.A.1-a).

    If all are known, refuses units that are named twice, or not in the order of the counters (INTRO.IV.A).
    """
    unknown = [unit for unit in units if unit not in state.board.units]
    for unit in unknown:
        wall = unit[0] == "w" and unit[1:].isdigit()
        what = f"{unit} is a Wall and never moves" if wall else f"there is no unit {unit}"
        yield Refusal("INTRO.IV.A.1-a", what)
    if len(units) > 1 and not unknown and units != state.board.sort_units(set(units)):
        yield Refusal("INTRO.IV.A", f"write each unit once: {' '.join(state.board.sort_units(set(units)))}")


def check_owned_on_board(state: State, seat: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Yields refusals about units that the player does not own (INTRO.III-a), or that are not on the board.

    A captive Penny belongs to the Mutant player (OPT.VI.C-c).
    """
    yield from check_side(state, seat, units)
    for unit in units:
        if state.is_captive(unit):
            if seat == "human":
                yield Refusal("OPT.VI.C-c", "penny is a captive, and the Mutant player moves her")
        elif state.board.find_side(unit) != seat:
            continue
        if unit in state.pool:
            yield Refusal("OPT.VI.B-a", f"{unit} has not arrived")
        elif unit not in state.at:
            yield Refusal("IV.A.5-b", f"{unit} is not on the board")


def check_side(state: State, side: Seat, units: Iterable[str]) -> Iterator[Refusal]:
    """Yields one refusal for all units of the other player. A captive Penny is not among them: see
    `check_owned_on_board`.
    """
    wrong = [unit for unit in units if state.board.find_side(unit) != side and not state.is_captive(unit)]
    if wrong:
        belong = "belongs" if len(wrong) == 1 else "belong"
        owner = state.board.find_side(wrong[0])
        yield Refusal("INTRO.III-a", f"{listing(wrong)} {belong} to the {owner} player")


def expand_filter_word(view: State, word: str) -> tuple[str, ...]:
    """Returns the units and doors of the place that a word names, and the name of a square.

    With their help `legal D2` lists the actions there.

    A square needs no x before it (w4), and a door no hyphen (n4d1).
    """
    places = (word, f"x{word}")
    units = next((units for place, units in view.units_by_place.items() if place.lower() in places), ())
    outside = [place.lower() for place in view.board.squares if place.lower() == places[1]]
    doors = view.board.doors_by_word
    return (*outside, *units, *(door for place in places for door in doors.get(place, ())))
