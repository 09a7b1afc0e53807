"""Text: reading what players type, and showing text of any origin safely."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NewType, TypeVar

from msgspec import Struct


class Word(Struct, frozen=True):
    """One word of a phrase, and its place in the text."""

    text: str
    """The word in lower case."""
    at: int
    """The offset of its first character."""


class NotUnderstoodError(ValueError):
    """Raised when typed text makes no sense where it stands, for example as an action of this game.

    It holds the place of the error, the expected words, and a suggestion.
    """

    def __init__(self, text: str, at: int, length: int, expected: str, guess: str | None = None) -> None:
        super().__init__(text, at, length, expected, guess)
        self.text, self.at, self.length = text, at, max(1, length)
        self.expected, self.guess = expected, guess
        self.instead: tuple[str, ...] = ()
        """Actions that are possible now and have to do with these words."""
        self.form = ""
        """The form of the verb with which the text begins: "shoot SQUARE WEAPON"."""

    def __str__(self) -> str:
        hint = f" Did you mean {self.guess!r}?" if self.guess else ""
        return f"expected {self.expected}.{hint}"

    def format_with_caret(self) -> str:
        """Returns the text with a caret under the wrong word, the form of its verb, and possible actions."""
        form = f"\n  Type it like this: {self.form}" if self.form else ""
        instead = f"\n  Instead: {',   '.join(self.instead)}" if self.instead else ""
        return f"  {make_printable(self.text)}\n  {' ' * self.at}{'^' * self.length}  {self}{form}{instead}"


def split_words(text: str) -> list[Word]:
    """Returns the words of a text in lower case, each with its place in the text."""
    words, at = [], 0
    for piece in text.split():
        at = text.index(piece, at)
        words.append(Word(piece.lower(), at))
        at += len(piece)
    return words


A = TypeVar("A")
PLAIN_SIGNS = {0xFF01 + at: 0x21 + at for at in range(94)} | {0x3000: " ", 0x3001: ",", 0x060C: ",", 0x3002: "."}
"""For each letter or sign of East Asian and Arabic keyboards, the plain one that replaces it."""
DIGITS = "0123456789"
"""The decimal digits."""


class PhraseReader:
    """A reader of one phrase, word by word. A game's notation derives from it and turns the words into an action."""

    def __init__(self, text: str, seat: str = "") -> None:
        self.text = text
        self.seat = seat
        """The seat that says the phrase, which owns the secrets in it."""
        self.words = split_words(text)
        """The words that are not read yet."""
        self.verbs: Collection[str] = ()
        """The words that begin verbs. Where one of them stands, another phrase can begin."""
        self.remarks: list[str] = []
        """Sentences that tell the player what was understood although it was not typed."""
        self.faces: list[int] = []
        """Dice results in the phrase itself, in the order in which they are needed."""
        self.rest = ""
        """A phrase to be read next, if one phrase means several actions."""
        self.again = False
        """True if the phrase is to be repeated for as long as its seat can.

        The phrase then stands for all actions of its kind.
        """
        self.doubt = ""
        """The meaning that an ambiguous phrase was given, as a clause."""

    def can_begin_with(self, word: Word) -> bool:  # noqa: ARG002 - in most games only verbs begin phrases
        """True if a phrase can begin with this word although it is not a verb."""
        return False

    def continues_phrase(self) -> bool:
        """True if these words only continue the phrase before them, so that the comma does not separate two actions."""
        return False

    def next(self, expected: str) -> Word:
        """Returns the next word. Raises NotUnderstoodError with a description of the expected word if there is none."""
        if not self.words:
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, expected)
        return self.words.pop(0)

    def check_finished(self) -> None:
        """Raises NotUnderstoodError if words are left."""
        if self.words:
            is_dice = all(word.text.isdecimal() for word in self.words)
            instead = "type dice on their own: referee roll FACES" if is_dice else "separate two actions with a comma"
            raise self.make_word_error(self.words[0], f"no more words here; {instead}")

    def make_word_error(self, word: Word, expected: str, choices: Sequence[str] = ()) -> NotUnderstoodError:
        """Returns the error about a word that does not fit.

        The error says what was expected, and suggests the most similar choice.
        """
        guess = find_similar_choices(word.text, choices)
        return NotUnderstoodError(self.text, word.at, len(word.text), expected, guess[0] if guess else None)


def split_phrases(text: str) -> list[str]:
    """Splits a line into phrases at its commas and semicolons, and leaves out empty phrases.

    A full stop at the end of a phrase, as phones add it, is left out, too.
    """
    phrases = (phrase.strip().removesuffix(".").rstrip() for phrase in text.replace(";", ",").split(","))
    return [phrase for phrase in phrases if phrase]


def match_word(word: str, choices: Sequence[str]) -> str | None:
    """Returns the choice that a word names: the same word, or else the only choice that begins with it.

    None if there is none, or if several choices begin with the word.
    """
    if word in choices:
        return word
    begun = [choice for choice in choices if choice.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def find_similar_choices(word: str, choices: Iterable[str], at_most: int = 1, alike: float = 0.65) -> list[str]:
    """Returns the choices that look most like a word, best first.

    `alike` is the part of both words that must be the same, from 0 to 1. The default allows a typing error, not another
    word.
    """
    from difflib import get_close_matches

    return get_close_matches(word, list(choices), n=at_most, cutoff=alike)


def find_similar_name(word: str, names: Iterable[str]) -> str | None:
    """Returns the name of a piece or place that looks most like a word; None if none is close.

    For a short name such as "r9", half of the characters have to agree.
    """
    found = find_similar_choices(word, names, alike=0.5 if len(word) < 4 else 0.65)
    return found[0] if found else None


def did_you_mean(word: str, choices: Sequence[str]) -> str:
    """Returns the end of a sentence about an unknown word: a suggestion, or the list of choices."""
    found = find_similar_choices(word, choices)
    return f"; did you mean {found[0]!r}?" if found else f"; it has {listing(choices)}"


def listing(items: Sequence[str], last: str = "and") -> str:
    """Joins items as in a sentence: "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def format_runs(names: Iterable[str]) -> list[str]:
    """Returns the names, with runs of four or more as a range: "l1", "n1..n4"."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _is_next_name(runs[-1][-1], name):
            runs[-1].append(name)
        else:
            runs.append([name])
    return [word for run in runs for word in ([f"{run[0]}..{run[-1]}"] if len(run) > 3 else run)]


def _is_next_name(one: str, other: str) -> bool:
    stem = one.rstrip(DIGITS)
    numbers = one[len(stem) :], other[len(stem) :]
    numbered = other.startswith(stem) and all(number.isdecimal() for number in numbers)
    return numbered and int(numbers[1]) == int(numbers[0]) + 1


def expand_run(word: str) -> list[str]:
    """Returns the names that a word stands for: those of a range, "n1..n4" or "n1..4", or the word itself."""
    found = re.fullmatch(r"([A-Za-z]{1,8})([0-9]{1,2})\.\.(?:\1)?([0-9]{1,2})", word)
    numbers = range(int(found[2]), int(found[3]) + 1) if found else range(0)
    return [f"{found[1]}{number}" for number in numbers] if found and numbers else [word]


def normalize_typing(typed: str) -> str:
    """Returns typed text with the digits and signs of other keyboards as plain ones: full-width 2, Arabic-Indic 2."""
    if typed.isascii():
        return typed
    plain = typed.translate(PLAIN_SIGNS)
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in plain)


def begin_sentence(clause: str) -> str:
    """Returns a clause with a capital letter. Names stay as they are typed: n4, xN4-D1, middle.toml."""
    first = clause.partition(" ")[0].rstrip(".:;,")
    is_name = "." in first or any(char in DIGITS for char in first)
    return clause if is_name else clause[:1].upper() + clause[1:]


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Returns a number with its noun: "1 die", "3 dice"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
"""The numbers that are written as words."""


def spell_number(number: int) -> str:
    """Returns a number as it stands in a sentence: "three", but "13"."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


def format_number(number: float, digits: int = 3) -> str:
    """Returns a number with this many significant digits, without an exponent: "1,230", "0.00165"."""
    return f"{Decimal(f'{number:.{digits}g}'):,f}"


INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)
"""Characters that show as nothing although they count as printable."""
NON_JOINER, JOINER, PICTURE_SELECTOR = "\u200c", "\u200d", "\ufe0f"
"""Invisible characters that change the letters or pictures beside them: one keeps two letters apart, one joins two, and
one makes a sign a picture.
"""
JOINING_CHARACTERS = frozenset((NON_JOINER, JOINER, PICTURE_SELECTOR))
VIRAMA = 9
"""The combining class of the marks that join two letters of an Indic alphabet."""
MAX_COMBINING_MARKS = 4
"""The most marks allowed over or under one letter: more than any language uses, fewer than reach the line above."""


Printable = NewType("Printable", str)
"""Text in which nothing is invisible or misleading, from `make_printable`. Only such text reaches a terminal."""


def make_printable(text: str) -> Printable:
    """Makes any text safe for a terminal. Characters that are invisible or misleading become \\u{...}.

    All text of a log passes through this function on its way to a terminal. Escape sequences, control characters,
    direction overrides and lone surrogates then cannot change what a reader sees. Invisible letters and heaps of marks
    become visible.
    """
    if text.isascii() and text.isprintable():
        return Printable(text)
    return Printable("".join(_escape_unseen(text)))


def join_printable(parts: Iterable[Printable]) -> Printable:
    """Joins texts that are safe for a terminal into one text."""
    return Printable("".join(parts))


def _escape_unseen(text: str) -> Iterator[str]:
    from unicodedata import category  # few texts need it

    marks = 0
    for at, char in enumerate(text):
        marks = marks + 1 if category(char) in ("Mn", "Me") and char not in JOINING_CHARACTERS else 0
        is_seen = char.isprintable() and char not in INVISIBLE and marks <= MAX_COMBINING_MARKS
        yield char if is_seen or is_needed_joining_character(text, at) else f"\\u{{{ord(char):x}}}"


def is_needed_joining_character(text: str, at: int) -> bool:
    """True if the character at this index is one of SHAPERS and stands where a language or an emoji needs it.

    Anywhere else the character is invisible: two names could look alike, although only one of them contains it.
    """
    if text[at] not in JOINING_CHARACTERS:
        return False
    from unicodedata import bidirectional, combining

    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or (not after and text[at] != PICTURE_SELECTOR):
        return False
    if text[at] == PICTURE_SELECTOR:
        return _is_picture(before) and before != PICTURE_SELECTOR
    if combining(before) == VIRAMA:
        return after.isalpha()
    if text[at] == NON_JOINER:
        return bidirectional(before) == bidirectional(after) == "AL"
    return _is_picture(before) and _is_picture(after)


def _is_picture(char: str) -> bool:
    from unicodedata import category

    return category(char) in ("So", "Sk") or char == PICTURE_SELECTOR
