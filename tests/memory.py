"""Where tests write: in memory, where the system has a folder for that. A disk is waited for at each `fsync`."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
"""The folder in memory that Linux has."""
NEEDED = 4_000_000_000
"""Bytes that must be free there: several times what a whole run leaves."""


def write_in_memory() -> None:
    """Temporary files of this process and of those that it starts lie in memory, unless it was said where they lie."""
    if "TMPDIR" not in os.environ and _serves(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it is looked for anew


def _serves(place: Path) -> bool:
    """Whether there is room, and programs may be started that lie there."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        return False
    return shutil.disk_usage(place).free >= NEEDED and not os.statvfs(place).f_flag & os.ST_NOEXEC


def on_disk() -> str | None:
    """The folder for temporary files that outlive the machine, where it is another one; None: the usual one."""
    return "/var/tmp" if Path(tempfile.gettempdir()) == MEMORY else None
