"""The place for temporary files of tests: in memory if possible, since a disk takes long for each `fsync`."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
"""The folder in memory that Linux has."""
NEEDED = 4_000_000_000
"""The bytes that must be free there: several times what a whole run leaves."""


def write_in_memory() -> None:
    """Puts temporary files of this process and of its children into memory, unless TMPDIR gives another place."""
    if "TMPDIR" not in os.environ and _serves(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it is looked for anew


def _serves(place: Path) -> bool:
    """True if a folder has enough room, and programs in it may be run."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        return False
    return shutil.disk_usage(place).free >= NEEDED and not os.statvfs(place).f_flag & os.ST_NOEXEC


def on_disk() -> str | None:
    """Returns a folder for temporary files on a disk; None if the usual folder is on a disk."""
    return "/var/tmp" if Path(tempfile.gettempdir()) == MEMORY else None
