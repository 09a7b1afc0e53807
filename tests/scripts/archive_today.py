"""Put what the program writes today into fixtures/archive: every form of every game, with packets, matches and pages.

    python tests/scripts/archive_today.py            into the archive: the games that lack their format and rules there
    python tests/scripts/archive_today.py FOLDER     into another folder, to look at

Run this after the number of the log format or a game's rules version was raised. What lies in the archive is never made
again. Everything is by chance from fixed seeds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Set
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
sys.path[:0] = [str(TESTS / folder) for folder in ("scripts", "bench", "games", "mail", "")]

from archiving.cases import games_of_cases
from archiving.forms import Form
from archiving.mails import GAMES, kept, posts
from archiving.matches import matches
from archiving.random_games import Made, openings, random_games
from archiving.shelf import WHY, Kept, TakenError, list_archived, put
from archiving.tables import hidden_tables, tables
from archiving.views import View, page, views

from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.record.archive.audit import audit
from referee.record.log.field_types import LOG_FORMAT

SHOWN = "mended"
"""Of which logs of a game pages, positions and sheets are made."""
FOR_ONE = {"mutants-sealed": "mutant"}
"""Pages for one seat, by log."""


def things(folder: Path, archived: Set[tuple[str, str]]) -> Iterator[Kept]:
    """Everything that is to be kept of the games that are not archived yet, made in a folder of its own."""
    new = {
        name: game
        for name in game_names()
        if (ROOT / "fixtures" / name).is_dir() and (_shelf(game := find_game(name)), name) not in archived
    }
    for name, game in new.items():
        place = folder / name
        place.mkdir()
        yield from _of_game(game, place)
    for post in posts(folder / "mail"):
        game = new.get(GAMES[post.name][0])
        yield from (_thing(game, f"packets/{file}", data) for file, data in (kept(post) if game else ()))


def _of_game(game: AnyGame, place: Path) -> Iterator[Kept]:
    met = set[Form]()
    for make in (openings, games_of_cases, random_games):
        for log in make(game, place, met):
            yield from _log(game, log)
    for tell in (tables, hidden_tables):
        for log in tell(game, place):
            yield from _log(game, log)
            yield from (_thing(game, f"{view.kind}/{view.name}", view.data) for view in _views(log))
    for log in matches(game, place):
        yield _thing(game, f"matches/{log.path.name}", log.path.read_bytes())


def _views(log: Made) -> Iterator[View]:
    if log.name.endswith(SHOWN):
        yield from views(log)
    if seat := FOR_ONE.get(log.name):
        yield View("pages", f"{log.name}.{seat}.html", page(log, seat))


def _log(game: AnyGame, log: Made) -> Iterator[Kept]:
    """A log, and what lies beside it."""
    assert audit(log.path).fault is None, log
    facts = {"entries": log.path.read_bytes().count(b"\n")}
    yield _thing(game, f"logs/{log.path.name}", log.path.read_bytes(), facts)
    for path in sorted([*log.path.parent.glob(f"{log.path.name}.*.vault"), *_files(log)]):
        yield _thing(game, f"logs/{path.relative_to(log.path.parent).as_posix()}", path.read_bytes())


def _files(log: Made) -> list[Path]:
    return list(log.path.parent.glob(f"{log.path.name}.files/*"))


def _thing(game: AnyGame, file: str, data: bytes, more: dict[str, int] | None = None) -> Kept:
    facts = {"game": game.name, "rules": game.rules_version, **(more or {})}
    return Kept(_shelf(game), file, data, {**facts, "wanted": "clean", "said": "clean", "why": WHY})


def _shelf(game: AnyGame) -> str:
    """The name of the folder of today's format and a game's rules."""
    return f"{LOG_FORMAT}-{game.rules_version}"


if __name__ == "__main__":
    archive = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "fixtures" / "archive"
    with TemporaryDirectory() as here, patch.dict(os.environ, {"HOME": here, "XDG_CONFIG_HOME": f"{here}/home"}):
        try:
            print(put(archive, things(Path(here), list_archived(archive))), "files")
        except TakenError as error:
            sys.exit(str(error))
