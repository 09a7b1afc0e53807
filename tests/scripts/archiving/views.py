"""What is made of a log to be kept or read in: pages, positions and sheets of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from calling import called

from archiving.random_games import Made


class View(NamedTuple):
    """Something that is made of a log."""

    kind: str
    """The folder it belongs in."""
    name: str
    data: bytes


FORMS = {
    "positions": (("show --as toml", ".toml"), ("show --as position", ".json")),
    "sheets": (("replay --as words", ".txt"),),
}
"""By folder: what is typed, and how the name ends. What is printed is what is kept."""


def views(log: Made) -> Iterator[View]:
    """Positions, a sheet of words and a page of a log, as whoever has its vaults sees it."""
    for kind, typed in FORMS.items():
        for words, suffix in typed:
            answer = called(["-g", log.path, *words.split(), *_all(words)])
            if answer.code == 0:  # what keeps secrets is told in no words
                yield View(kind, f"{log.name}{suffix}", answer.out)
    yield View("pages", f"{log.name}.html", page(log))


def _all(words: str) -> list[str]:
    return ["--by", "referee"] if words.startswith("show") else []


def page(log: Made, by: str = "") -> bytes:
    """The game as a page, for everybody or for one seat."""
    made = log.path.with_suffix(f".{by}.html")
    answer = called(["-g", log.path, "replay", *(["--by", by] if by else []), "-o", made])
    assert answer.code == 0, answer
    return made.read_bytes()
