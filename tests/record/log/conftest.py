"""A real disk, for what is promised of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from memory import on_disk


@pytest.fixture
def disk():
    """A folder on a disk, also where other tests write in memory."""
    with TemporaryDirectory(dir=on_disk()) as place:
        yield Path(place)
