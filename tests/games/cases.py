"""Rule cases as data: a position, what is said, then what is told or refused. One runner for every game.

A case file holds `[[case]]` tables:

    rule      the rule or ruling it shows; `also`: others that it shows with it
    cites     for a refusal under a ruling: the rule that is cited
    options   options that differ from the defaults
    own       other files: lists of a component's name, maybe a file in `fixtures/<game>/boards`, and pairs of a text
              and what stands there instead
    ...       a position, key by key; without any, the game's beginning
    play      steps: "[seat> ]phrase[ : faces]"; said again while faces are left. Forced answers are not written
    tells     every line told, in order; or `told`: some of them (a table of this name is a key of the position)
    legal     phrases that are legal afterwards
    reads     phrases, each with what it means then: its action as it is written, "; " and what is left of the phrase
              and what is remarked; or where it is not understood, ": " and what was expected there
    means     words of filters, each with what it stands for then
    marks     lists of an overlay, of what it is, and the places that are marked then
    lies      pieces, each with where it is told to be then
    only      the action that is all that can be done then, as everybody sees; "" for none
    then      keys of the position afterwards (of a table only what matters), `to-act`, and `winners` after the end
    sees      = {seat = {keys}}: the same of the position as that seat sees it; a seat may be "spectator"
    unseen    = {seat = [words]}: words that stand nowhere in what that seat gets to see and is told
    ended     how the outcome is told, from its beginning
    games     instead of a position and steps: results of a match's games in order, each with `scores` and, where they
              do not follow from the scores, `opened_by`, `thrown`, `winners`; `terms` are what they agree on; `tells`
              is what is told of the match then
    refused   the last step, refused under `rule`; or "position" / "options" / "board": these themselves are
    because   why, as the referee says it
    aims      where the last step waits for dice: what each number does, as it is told
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from support import FIXTURES, PACKAGE, ROOT

BEGINNING = re.compile(r"^\[\[case\]\]", re.MULTILINE)


class Case(NamedTuple):
    """One case, and where it stands."""

    game: str
    path: Path
    line: int
    table: dict[str, Any]
    """Its table as it was read."""

    @property
    def kind(self) -> str:
        """What it shows that its rule does."""
        return "refuses" if "refused" in self.table else "accepts"

    @property
    def name(self) -> str:
        """A short name: the rule, and where to look."""
        return f"{self.table['rule']}-{self.kind}-{self.path.stem}:{self.line}"

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} ({self.table['rule']} {self.kind})"


@cache
def cases_of(game: str) -> tuple[Case, ...]:
    """Every case of a game."""
    return tuple(_read(game))


def _read(game: str) -> Iterator[Case]:
    for path in sorted((FIXTURES / game / "cases").glob("*.toml")):
        text = path.read_text("utf-8")
        for begins, table in zip(BEGINNING.finditer(text), tomllib.loads(text)["case"], strict=True):
            yield Case(game, path, 1 + text.count("\n", 0, begins.start()), table)


def sources_of(game: str) -> str:
    """The code of a rule module, all files together."""
    folder = PACKAGE / "games" / game
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))


def is_cited(id_: str, code: str) -> bool:
    """Whether an id stands in code by itself, not as the beginning of another."""
    said = re.escape(id_)  # first, for what begins with a text is found much faster
    return re.search(rf"{said}(?<![\w.]{said})(?![\w-]|\.\w)", code) is not None
