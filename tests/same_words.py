"""Finds sentences that say the same to players in different words: in help, answers, refusals and prompts."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import prose
from prose import Finding, Text

ROOMS = ("cli", "mail", "serve", "record")
"""The packages that print sentences of the referee's own. Games have rule texts instead."""
FEWEST = 3
"""A text with fewer words is a label, not a sentence."""
MANY = 4
"""With so many telling words, two sentences that share them all say the same, in any order."""
PLACEHOLDER = re.compile(r"\{[^{}]*\}|`[^`]*`")
CONTRACTIONS = {"cannot": "can not", "can't": "can not", "won't": "will not", "shan't": "shall not"}
SHORTENED = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'m": " am", "'s": " is"}
ARTICLES = frozenset({"a", "an", "the"})
LITTLE = frozenset({"{}", *ARTICLES}) | frozenset(
    prose.words(
        """of that is are was were be been has have had to in on at it they there here for by with so as this these
        which and"""
    )
)
"""Words without which a sentence still says the same."""


def same_sentences(paths: Iterable[Path]) -> Iterator[Finding]:
    """Finds sentences that say what another one says, but not in the same words."""
    said: dict[str, list[tuple[Path, Text]]] = defaultdict(list)
    for path in paths:
        if is_printing(path):
            for sentence in printed(path.read_text("utf-8"), is_command=path.parent.name == "commands"):
                said[meaning(sentence.text)].append((path, sentence))
    for group in said.values():
        (home, first), *others = group
        for path, sentence in others:
            if core(sentence.text) != core(first.text):
                message = f'"{sentence.text}" is said as "{first.text}" in {home}:{first.line}'
                yield Finding(path, sentence.line, message)


def is_printing(path: Path) -> bool:
    """True for a Python file of a package that prints sentences."""
    folders = path.resolve().parent.parts
    inside = folders[len(folders) - folders[::-1].index("referee") :] if "referee" in folders else ()
    return path.suffix == ".py" and bool(inside) and inside[0] in ROOMS


def printed(source: str, *, is_command: bool = False) -> Iterator[Text]:
    """Yields the sentences in the strings of a file. In a file of a command, its help is one of them."""
    tree = prose.parsed(source)
    texts = [*prose.literals(tree), *(helps(tree) if is_command else ())]
    for line, text in texts:
        for offset, sentence in prose.sentences(text):
            if is_sentence(sentence):
                yield Text(line + offset, sentence)


def helps(tree: ast.Module) -> Iterator[Text]:
    """Yields the docstrings of commands: Typer prints them, above the examples."""
    typed = [node for node in tree.body if isinstance(node, ast.FunctionDef) and takes_context(node)]
    yield from prose.docstrings(ast.Module([*typed], []))


def takes_context(function: ast.FunctionDef) -> bool:
    """True for a command: it is called with the context of Typer."""
    return any(given.arg == "ctx" for given in function.args.args)


def is_sentence(text: str) -> bool:
    """True for a text of several words, most of which are plain English."""
    found = re.findall(r"(?<![\w-])[a-z]{2,}(?![\w=(])", PLACEHOLDER.sub("", text), re.IGNORECASE)
    return len(found) >= FEWEST and " " in text.strip() and not re.search(r"[;{]\s*$|</|\\d", text)


def meaning(sentence: str) -> str:
    """Returns a key that sentences of the same meaning share: their important words, or all words in order."""
    normal = [word for word in normal_words(sentence) if word not in ARTICLES]
    telling = {stem(word) for word in normal if word not in LITTLE}
    return " ".join(sorted(telling)) if len(telling) >= MANY else " ".join(word for word in normal if word != "{}")


def normal_words(sentence: str) -> list[str]:
    """Returns the words in lower case, without contractions. A placeholder or code is `{}`."""
    text = PLACEHOLDER.sub(" {} ", sentence.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    for short, long in CONTRACTIONS.items():
        text = re.sub(rf"\b{short}\b", long, text)
    for short, long in SHORTENED.items():
        text = re.sub(rf"{short}\b", long, text)
    return re.findall(r"\{\}|[\w-]+", text)


def stem(word: str) -> str:
    """Returns a word without the ending of a plural or of a past tense."""
    return re.sub(r"(?:s|ed|e)$", "", word) if len(word) > 3 else word


def core(sentence: str) -> str:
    """Returns a sentence without what its place decides: capitals, full stop, and placeholders at both ends."""
    text = re.sub(r"\s+", " ", PLACEHOLDER.sub("{}", sentence))
    text = re.sub(r"^(?:[\s,;:(.]|\{\})+|(?:[\s,;:).!]|\{\})+$", "", text)
    return text.casefold()
