"""Write what README and manual say of the program: `python tests/scripts/make_manual.py`.

Their words are written by hand. The answers in `console` blocks are what the commands in them answer, and the tables in
the chapters of the games are what the games say of themselves: what can be said, options, and doubtful rulings.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from manual_blocks import CHAPTERS, GAMES, MANUAL, README, answer, settled, shown, steps_of

from referee.cli.commands.help import describe_verb_meaning
from referee.engine.game import AnyGame
from referee.engine.registry import find_game

DOUBTFUL = 0.6
"""A ruling of which we are less sure than this is told in the chapter."""


def with_tables(game: AnyGame, text: str) -> str:
    """A chapter with its tables made anew: each is what follows the words of its heading."""
    for heading, table in (("What you can say", verbs), ("Options", options), ("Rulings", rulings)):
        before, mark, rest = text.partition(f"\n## {heading}\n")
        assert mark, heading
        words, end, after = rest.partition("\n## ")
        kept = "\n".join(line for line in words.splitlines() if not line.startswith("|")).strip("\n")
        told = "\n\n".join(filter(None, (kept, "\n".join(table(game)))))
        text = f"{before}{mark}\n{told}\n{end}{after}"
    return text


def verbs(game: AnyGame) -> Iterator[str]:
    """What can be said, and what it does."""
    return table(
        ("you say", "what it does"), ((f"`{verb.form}`", describe_verb_meaning(verb)) for verb in game.verbs.all)
    )


def options(game: AnyGame) -> Iterator[str]:
    """The options with their values, the default first."""
    rows = ((f"`{one.name}`", ", ".join(one.values), f"{one.meaning} ({one.rule})") for one in game.options)
    return table(("option", "values", "meaning"), rows)


def rulings(game: AnyGame) -> Iterator[str]:
    """What is ruled, not sure, and not left to an option."""
    found = [one for one in game.rulebook.rulings.values() if one.confidence < DOUBTFUL and not one.option]
    return table(("ruling", "question", "answer"), ((one.id, one.question, one.ruling) for one in found))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A table as Markdown has it."""
    yield f"| {' | '.join(head)} |"
    yield f"{'|---' * len(head)}|"
    yield from (f"| {' | '.join(' '.join(cell.split()).replace('|', '/') for cell in row)} |" for row in rows)


def with_answers(text: str) -> str:
    """A chapter whose commands are answered anew; they run in this folder."""

    def anew(block: re.Match[str]) -> str:
        steps = "\n".join(f"$ {command}\n{shown(answer(command), said)}" for command, said in steps_of(block[1]))
        return f"```console\n{steps}```"

    return re.sub(r"^```console\n(.*?)^```", anew, text, flags=re.MULTILINE | re.DOTALL)


def write(path: Path, text: str) -> None:
    """Write a chapter if anything in it is new."""
    if text != path.read_text("utf-8"):
        path.write_text(text, "utf-8")
        print(path.name)


if __name__ == "__main__":
    for name in GAMES:
        page = MANUAL / f"{name}.md"
        write(page, with_tables(find_game(name), page.read_text("utf-8")))
    for pages in ([README], [MANUAL / f"{name}.md" for name in CHAPTERS], *([MANUAL / f"{name}.md"] for name in GAMES)):
        with TemporaryDirectory() as folder, settled(folder):
            for page in pages:
                write(page, with_answers(page.read_text("utf-8")))
