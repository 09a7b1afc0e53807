"""A real disk, for what is promised of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from memory import on_disk


@pytest.fixture
def disk():
    """Returns a folder on a disk, even if other tests write in memory."""
    with TemporaryDirectory(dir=on_disk()) as place:
        yield Path(place)
