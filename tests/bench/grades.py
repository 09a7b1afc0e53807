"""Measure how hard it is to read what players read: README, manual, help and messages.

    python tests/bench/grades.py                  print the table
    python tests/bench/grades.py --write          and write it into README.md beside this file

The grade is that of Flesch and Kincaid: the years at school after which somebody reads such a text with ease. Code,
tables and headings are left out. A colon or a semicolon ends no sentence.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import tables

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import prose  # noqa: E402 - found by the path above
import same_words  # noqa: E402

from referee.cli.catalogue import COMMANDS, load_command  # noqa: E402
from referee.cli.parser import get_root_command  # noqa: E402

HEAD = ("words", "grade", "words a sentence", "syllables a word", "sentences", "bar")
BAR = 7
"""The highest grade for what players read."""
ENGINEERS = ("archive", "format", "python", "writing")
"""Chapters for people who write programs. They are measured, but have no bar."""
SILENT = re.compile(
    r"(?<![cgsxz])(?<![cs]h)(?<![^aeiouy]l)es$|(?<![dt])ed$|(?<![^aeiouy]l)e$|(?<=[^aeiouy])e(?=ly$|ments?$)"
)
"""An e that is not heard: in `tiles`, `moved`, `dice` and `likely`; but it is in `pieces`, `started` and `table`."""
APART = re.compile(r"(?<![cst])i[ao]|(?<!p)eo(?!u)|ua(?!r)|[ae]y[eio]|ying|eing|ism$")
"""Vowels side by side that are two syllables: in `dial`, `player`, `manual`, `being`; not in `action` and `people`."""
CODE = "code"
"""The word that stands for code in a sentence."""


class Measured(NamedTuple):
    """The figures of one text."""

    sentences: int
    length: float
    """The average words in a sentence. Code and numbers count."""
    syllables: float
    """The average syllables in a word. Code and numbers do not count, since they would make a text look easier."""

    @property
    def grade(self) -> float:
        """The grade of Flesch and Kincaid, in years at school."""
        return 0.39 * self.length + 11.8 * self.syllables - 15.59


def measure(sentences: Iterable[str]) -> Measured:
    """Measures a text. A sentence without words is left out."""
    counted = [found for sentence in sentences if (found := spoken(sentence))]
    words = [word for found in counted for word in found]
    read = [syllables_of(word) for word in words if word != CODE and not any(map(str.isdigit, word))]
    return Measured(len(counted), len(words) / len(counted), sum(read) / len(read))


def spoken(sentence: str) -> list[str]:
    """Returns the words of a sentence. Words that a hyphen joins are separate."""
    return [word for joined in prose.words(sentence) for word in re.split(r"[-/]", joined) if word]


def syllables_of(word: str) -> int:
    """Returns how many syllables a word has, by its groups of vowels."""
    letters = re.sub(r"[^a-z]", "", word.lower().removesuffix("'s"))
    heard = SILENT.sub("", letters)
    return max(1, len(re.findall(r"[aeiouy]+", heard)) + len(APART.findall(heard)))


# What is measured


def texts() -> Iterator[tuple[str, Iterator[str]]]:
    """Yields what players read, by name: pages, help and messages."""
    yield "README", page(ROOT / "README.md")
    for path in sorted((ROOT / "referee" / "manual").glob("*.md")):
        yield f"manual: {path.stem}", page(path)
    helped = {*helps()}
    yield "help of all commands", (sentence for text in helped for _, sentence in prose.sentences(text))
    yield "messages", messages(helped)


def page(path: Path) -> Iterator[str]:
    """Yields the sentences of a Markdown file."""
    for _, paragraph in prose.paragraphs(path.read_text("utf-8")):
        yield from (sentence for _, sentence in prose.sentences(paragraph))


def helps() -> Iterator[str]:
    """Yields the sentences of help: of the program and of every command, with all options."""
    yield from (command.meaning for command in COMMANDS.values())
    waiting = [get_root_command(), *map(load_command, COMMANDS)]
    for command in waiting:
        waiting += getattr(command, "commands", {}).values() if command is not waiting[0] else ()
        yield from filter(None, [command.help, *(getattr(given, "help", "") for given in command.params)])


def messages(helped: Container[str]) -> Iterator[str]:
    """Yields the sentences in the strings of all files that print something, without those of the help."""
    for path in sorted((ROOT / "referee").rglob("*.py")):
        if same_words.is_printing(path):
            for _, text in prose.literals(prose.parsed(path.read_text("utf-8"))):
                found = () if text in helped else prose.sentences(text)
                yield from (sentence for _, sentence in found if same_words.is_sentence(sentence))


# The table


def rows() -> Iterator[tables.Cells]:
    """Yields a row for each text."""
    for name, sentences in texts():
        found = measure(sentences)
        bar = "" if name.endswith(ENGINEERS) else str(BAR)
        yield name, f"{found.grade:.1f}", f"{found.length:.1f}", f"{found.syllables:.2f}", f"{found.sentences:,}", bar


def main() -> None:
    """Measures, prints the table, and writes it with `--write`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    body = [*rows()]
    print(tables.table(HEAD, body), end="")
    if write:
        tables.write(HEAD, body)


if __name__ == "__main__":
    main()
