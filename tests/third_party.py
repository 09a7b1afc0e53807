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

AMBUSH = ROOT / "examples" / "ambush"


@contextmanager
def installed() -> Iterator[ModuleType]:
    """Have Ambush, a game with secrets, found by its entry point."""
    point = EntryPoint("ambush", "ambush:GAME", "referee.games")
    with (
        patch.object(sys, "path", [str(AMBUSH), *sys.path]),
        patch("referee.engine.registry._entry_points", lambda: [point]),
    ):
        yield import_module("ambush")
