"""Words: reading what players say, and showing what strangers wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

from msgspec import Struct


class Word(Struct, frozen=True):
    """One word of what was said, and where it stands in the text."""

    text: str
    """The word in lower case."""
    at: int
    """Offset of its first character."""


class NotUnderstoodError(ValueError):
    """Text that is no action of this game: where it goes wrong, what was expected there, and a guess."""

    def __init__(self, text: str, at: int, length: int, expected: str, guess: str | None = None) -> None:
        super().__init__(text, at, length, expected, guess)
        self.text, self.at, self.length = text, at, max(1, length)
        self.expected, self.guess = expected, guess
        self.instead: tuple[str, ...] = ()
        """What may be done now that has to do with these words."""
        self.form = ""
        """How the verb that the text begins with is said: "shoot SQUARE WEAPON"."""

    def __str__(self) -> str:
        hint = f" Did you mean {self.guess!r}?" if self.guess else ""
        return f"expected {self.expected}.{hint}"

    def picture(self) -> str:
        """The text with a caret under the word in question, how its verb is said, and what may be done instead."""
        form = f"\n  It is said: {self.form}" if self.form else ""
        instead = f"\n  Instead: {',   '.join(self.instead)}" if self.instead else ""
        return f"  {printable(self.text)}\n  {' ' * self.at}{'^' * self.length}  {self}{form}{instead}"


def words_of(text: str) -> list[Word]:
    """Split a phrase at spaces; case does not matter."""
    words, at = [], 0
    for piece in text.split():
        at = text.index(piece, at)
        words.append(Word(piece.lower(), at))
        at += len(piece)
    return words


A = TypeVar("A")
DIGITS = "0123456789"


class PhraseReader:
    """Reads one phrase word by word; a game's notation derives from it and turns the words into an action."""

    def __init__(self, text: str, seat: str = "") -> None:
        self.text = text
        self.seat = seat
        """Who says it: whose the secrets in it are."""
        self.words = words_of(text)
        """Words not read yet."""
        self.verbs: Collection[str] = ()
        """Words that verbs begin with: where one stands, another phrase can begin."""
        self.remarks: list[str] = []
        """What was understood that was not said word for word, each as a sentence: who a number means."""
        self.faces: list[int] = []
        """Faces that the phrase tells itself: what fell, in the order in which it is asked for."""
        self.rest = ""
        """A phrase that is to be said next, where one phrase means several actions."""
        self.again = False
        """Whether the phrase stays said as long as its seat can say it: it stands for all that is of its kind."""
        self.doubt = ""
        """What the phrase was taken for, as a clause, where it could mean something else."""

    def begins(self, word: Word) -> bool:  # noqa: ARG002 - in most games only verbs do
        """Whether a phrase can begin with this word, besides one that begins with a verb."""
        return False

    def goes_on(self) -> bool:
        """Whether these words only go on with a phrase before them, where a comma stands that parts no actions."""
        return False

    def next(self, expected: str) -> Word:
        """The next word; NotUnderstoodError says what was expected when there is none."""
        if not self.words:
            raise NotUnderstoodError(self.text, len(self.text) + 1, 1, expected)
        return self.words.pop(0)

    def check_finished(self) -> None:
        """Every word must have been read."""
        if self.words:
            is_dice = all(word.text.isdecimal() for word in self.words)
            instead = "dice are typed by themselves: referee roll FACES" if is_dice else "a comma parts two actions"
            raise self.misread(self.words[0], f"nothing more here; {instead}")

    def misread(self, word: Word, expected: str, choices: Sequence[str] = ()) -> NotUnderstoodError:
        """The error about a word that is none of these."""
        guess = nearest(word.text, choices)
        return NotUnderstoodError(self.text, word.at, len(word.text), expected, guess[0] if guess else None)


def phrases_of(text: str) -> list[str]:
    """Split a line into phrases at its commas or semicolons."""
    return [phrase.strip() for phrase in text.replace(";", ",").split(",") if phrase.strip()]


def match_word(word: str, choices: Sequence[str]) -> str | None:
    """The choice that `word` names: itself, or the only one it begins."""
    if word in choices:
        return word
    begun = [choice for choice in choices if choice.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def nearest(word: str, choices: Iterable[str], at_most: int = 1, alike: float = 0.65) -> list[str]:
    """The choices that look most like `word`, best first. `alike`: how much of both words has to be the same, 0 to 1;
    by default a slip of the fingers, not another word.
    """
    from difflib import get_close_matches

    return get_close_matches(word, list(choices), n=at_most, cutoff=alike)


def nearest_name(word: str, names: Iterable[str]) -> str | None:
    """The name of a piece or a place that looks most like `word`; None: none does. Of a short one, such as "r9", half
    has to be the same.
    """
    found = nearest(word, names, alike=0.5 if len(word) < 4 else 0.65)
    return found[0] if found else None


def guess(word: str, choices: Sequence[str]) -> str:
    """What was meant by a word that is none of these, as the end of a sentence: a guess, or all of them."""
    found = nearest(word, choices)
    return f"; did you mean {found[0]!r}?" if found else f"; it has {listing(choices)}"


def listing(items: Sequence[str], last: str = "and") -> str:
    """Join as a person would: "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def in_runs(names: Iterable[str]) -> list[str]:
    """Names with runs of four and more as a range: "l1", "n1..n4"."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _follows(runs[-1][-1], name):
            runs[-1].append(name)
        else:
            runs.append([name])
    return [word for run in runs for word in ([f"{run[0]}..{run[-1]}"] if len(run) > 3 else run)]


def _follows(one: str, other: str) -> bool:
    stem = one.rstrip(DIGITS)
    numbers = one[len(stem) :], other[len(stem) :]
    numbered = other.startswith(stem) and all(number.isdecimal() for number in numbers)
    return numbered and int(numbers[1]) == int(numbers[0]) + 1


def names_in(word: str) -> list[str]:
    """The names that a word stands for: a range of `in_runs`, "n1..n4" or "n1..4", or the word itself."""
    found = re.fullmatch(r"([A-Za-z]{1,8})([0-9]{1,2})\.\.(?:\1)?([0-9]{1,2})", word)
    numbers = range(int(found[2]), int(found[3]) + 1) if found else range(0)
    return [f"{found[1]}{number}" for number in numbers] if found and numbers else [word]


def begin_sentence(clause: str) -> str:
    """A clause with a capital letter; names stay as they are typed: n4, xN4-D1, middle.toml."""
    first = clause.partition(" ")[0].rstrip(".:;,")
    is_name = "." in first or any(char in DIGITS for char in first)
    return clause if is_name else clause[:1].upper() + clause[1:]


def count_of(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: "1 die", "3 dice"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
"""Numbers that are written as words."""


def spelled(number: int) -> str:
    """A number as it stands in a sentence: "three"; "13"."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def figure(number: float, digits: int = 3) -> str:
    """A number to so many digits that count, spelt out however large or small it is: "1,230", "0.00165"."""
    return f"{Decimal(f'{number:.{digits}g}'):,f}"


INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)
"""Letters, marks and symbols that show as nothing, though they count as printable."""
MOST_MARKS = 4
"""Marks over or under one letter: more than any language heaps there, fewer than reach the line above."""


def printable(text: str) -> str:
    """Make text from anybody safe for a terminal: what cannot be seen, or not as it is, is shown as \\u{...}.

    This is the only way by which words of a log reach a terminal. It stops escape sequences, control characters,
    bidi overrides and lone surrogates from changing what a reader sees, and shows invisible letters and heaps of marks.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(text))


def _shown(text: str) -> Iterator[str]:
    from unicodedata import category  # hardly any text needs it

    marks = 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        is_seen = char.isprintable() and char not in INVISIBLE and marks <= MOST_MARKS
        yield char if is_seen else f"\\u{{{ord(char):x}}}"
