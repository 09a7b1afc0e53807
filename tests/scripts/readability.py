"""How hard README and manual are to read: `python tests/scripts/readability.py --write` writes the table of the bench.

Counted are sentences of prose, not what is typed or answered. A word is rare where English has it fewer than ten times
in a million words (`pip install wordfreq`); words of a game and of the referee are rare, too: the glossary has them.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wordfreq import zipf_frequency

ROOT = Path(__file__).parent.parent.parent
BENCH = ROOT / "tests" / "bench" / "README.md"
HEADING = "## Reading\n"
LONG = 30
"""Words of a sentence that is long."""
RARE = 4.0
"""Zipf frequency of ten times in a million words."""


def prose(text: str) -> str:
    """A page without what is typed or answered, and without tables and links."""
    text = re.sub(r"^```.*?^```", "\n\n", text, flags=re.MULTILINE | re.DOTALL)
    text = "\n".join("" if re.match(r"    |\||#|!\[|<", line) else line for line in text.splitlines())
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"^(?:[*-] |\d+\. )", "\n\n", text, flags=re.MULTILINE)


def sentences(text: str) -> Iterator[list[str]]:
    """The words of each sentence; a colon or a semicolon ends none."""
    for paragraph in re.split(r"\n\s*\n", prose(text)):
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
            words = re.findall(r"[A-Za-z][A-Za-z'-]*", sentence)
            if len(words) > 1:
                yield words


def measured(path: Path) -> tuple[list[int], Counter[str]]:
    """The lengths of a page's sentences, and how often each of its rare words stands there."""
    found = list(sentences(path.read_text("utf-8")))
    words = Counter(word.lower() for sentence in found for word in sentence if word != "CODE")
    rare = Counter({word: count for word, count in words.items() if zipf_frequency(word, "en") < RARE})
    return [len(sentence) for sentence in found], rare


def table() -> Iterator[str]:
    """A row for each page."""
    yield "| page | sentences | words a sentence | of more than 30 words | rare words in 100 | the commonest of them |"
    yield "|---|---|---|---|---|---|"
    for path in [ROOT / "README.md", *sorted((ROOT / "referee" / "manual").glob("*.md"))]:
        lengths, rare = measured(path)
        share = 100 * rare.total() / max(1, sum(lengths))
        commonest = ", ".join(word for word, _ in rare.most_common(4))
        yield (
            f"| {path.stem} | {len(lengths)} | {sum(lengths) / max(1, len(lengths)):.1f} "
            f"| {sum(length > LONG for length in lengths)} | {share:.1f} | {commonest} |"
        )


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--write", action="store_true", help="into tests/bench/README.md")
    rows = "\n".join(table())
    if asked.parse_args().write:
        before, _, rest = BENCH.read_text("utf-8").partition(HEADING)
        after = rest.partition("\n## ")[2]
        told = "`python tests/scripts/readability.py --write` measures how hard README and manual are to read."
        kept = f"\n## {after}" if after else ""
        BENCH.write_text(f"{before.rstrip()}\n\n{HEADING}\n{told}\n\n{rows}\n{kept}", "utf-8")
    else:
        print(rows)
