"""The example games, found as if they were installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint
from types import ModuleType
from unittest.mock import patch

from support import ROOT

EXAMPLES = {name: ROOT / "examples" / name for name in ("race", "ambush")}
"""The folder of each, in which its package lies: a first game, and one with secrets."""


@contextmanager
def installed(game: str = "ambush") -> Iterator[ModuleType]:
    """Have one of them found by its entry point."""
    point = EntryPoint(game, f"{game}:GAME", "referee.games")
    with (
        patch.object(sys, "path", [str(EXAMPLES[game]), *sys.path]),
        patch("referee.engine.registry._entry_points", lambda: [point]),
    ):
        yield import_module(game)
