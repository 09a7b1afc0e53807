"""The words for squares, cards and heroes: how they are typed, and the reader of phrases."""

from __future__ import annotations

import re
from typing import TypeVar, get_type_hints

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.text import DIGITS, PhraseReader, Word, match_word
from referee.games.zombies.player import Player
from referee.games.zombies.state import State

A = TypeVar("A", bound=Action)

FILLER_WORDS = ("to", "at", "on", "with", "using")
"""Words that only make a phrase readable. They are skipped."""
TYPED_SQUARE_PATTERN = re.compile("([sawh])?([a-z])([1-9][0-9]?)")
"""A square: level, column, row. Without its level it is on the level of the player who speaks."""


class Reader(PhraseReader):
    """A reader of one phrase, word by word. The view and the seat that speaks decide what a short name stands for."""

    def __init__(self, text: str, state: State, seat: Seat) -> None:
        super().__init__(text, seat)
        self.words = [word for word in self.words if word.text not in FILLER_WORDS]
        self.state = state

    @property
    def speaker(self) -> Player | None:
        """The player who speaks; None before they have a hero."""
        return self.state.players_by_seat.get(self.seat)

    def read_action(self, kind: type[A]) -> A:
        """Returns the action of this kind that the words name.

        Its fields are read in the order in which `says` has them. Raises NotUnderstoodError if a word does not fit its
        field.
        """
        names = re.findall(r"{([a-z_]+)}", kind.says)
        return kind(**{name: self._read_field(kind, name) for name in names})

    def _read_field(self, kind: type[A], name: str) -> object:
        if name in ("square", "origin", "to", "symbol"):
            return self.read_square()
        if name == "hero":
            return self.read_hero()
        if name in ("card", "weapon"):
            return self.read_card()
        if name == "squares":
            return self.read_squares()
        raise TypeError(f"{kind.__name__}.{name} has no reader: {get_type_hints(kind)[name]}")

    def read_word_if_last(self, word: str) -> bool:
        """True if this word is the only one left. If so, it is removed from the words that are still to read."""
        is_it = [left.text for left in self.words] == [word]
        if is_it:
            self.words = []
        return is_it

    def read_square(self) -> str:
        """Returns the square that the next word names. Raises NotUnderstoodError if it names none."""
        word = self.next("a square, such as Sd7")
        square = self._parse_square(word)
        if square is None:
            raise self.make_word_error(word, "a square such as d7, or with its level Sd7, Ad7, Wd7, Hd7")
        return square

    def read_squares(self) -> tuple[str, ...]:
        """Returns the squares that the remaining words name, each once and in reading order."""
        index = self.state.board.square_numbers
        found = {self.read_square() for _ in range(len(self.words))}
        return tuple(sorted(found, key=lambda square: (index.get(square, 0), square)))

    def _parse_square(self, word: Word) -> str | None:
        found = TYPED_SQUARE_PATTERN.fullmatch(word.text)
        if not found:
            return None
        level, column, row = found.groups()
        if level is None:
            me = self.speaker
            level = me.at[0] if me and me.at else "S"
        return f"{level.upper()}{column}{row}"

    def read_hero(self) -> str:
        """Returns the hero of the next word: LEE, or the beginning of a name, such as leeanne or lovelace.

        Raises NotUnderstoodError if it is not a hero.
        """
        word = self.next("a hero, such as LEE")
        heroes = self.state.board.components.hero
        spelt = {hero.id.lower(): hero.id for hero in heroes}
        names = {name.lower(): hero.id for hero in heroes for name in hero.name.split()}
        found = match_word(word.text, tuple(spelt)) or match_word(word.text, tuple(names))
        if found is None:
            raise self.make_word_error(word, "a hero, such as LEE", tuple(spelt))
        return (names | spelt)[found]

    def read_card(self) -> str:
        """Returns the card of the next word.

        The word is the name of a card, the beginning of the name of one within reach, or a use such as "key". Raises
        NotUnderstoodError if it is not a card.
        """
        word = self.next("a card, such as pistol")
        if word.text in self.state.board.components.cards:
            return word.text
        found = match_word(word.text, ("fists", *self._list_cards_in_reach()))
        me = self.speaker
        served = self.state.list_usable_cards(me, word.text) if me else ()
        if found or served:
            return found or served[0]
        raise self.make_word_error(word, "a card, such as pistol", tuple(self.state.board.components.cards))

    def _list_cards_in_reach(self) -> tuple[str, ...]:
        """Returns the cards that the speaker holds, and those at stars."""
        me = self.speaker
        held = (*me.supplies, *me.survivors, *me.burdens) if me else ()
        lying = (card for star in self.state.stars.values() for card in star.cards)
        return tuple(dict.fromkeys((*held, *lying)))

    def read_number(self) -> int:
        """Returns the next word as a number. Raises NotUnderstoodError if it does not have one or two digits."""
        word = self.next("a number")
        if not set(word.text) <= set(DIGITS) or len(word.text) > 2:
            raise self.make_word_error(word, "a number")
        return int(word.text)


def expand_filter_word(view: State, word: str) -> tuple[str, ...]:
    """Returns other words that a word stands for in a filter.

    A square without its level stands for that square on every level, a name for its hero, a hero for their square.
    """
    heroes = {name.lower(): hero.id for hero in view.board.components.hero for name in hero.name.split()}
    hero = match_word(word, tuple(heroes))
    who = heroes[hero] if hero else word.upper()
    at = view.players[who].at.lower() if who in view.players else ""
    squares = tuple(f"{level}{word}" for level in "sawh") if TYPED_SQUARE_PATTERN.fullmatch(word) else ()
    return (*squares, *filter(None, (who.lower(), at)))
