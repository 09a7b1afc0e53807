"""Folders whose files other people get: working trees of version control, and folders that a program synchronises
between computers. A secret must not lie there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

SHARING_MARKS = {
    ".git": "Git",
    ".jj": "Jujutsu",
    ".hg": "Mercurial",
    ".svn": "Subversion",
    ".fslckout": "Fossil",
    "_FOSSIL_": "Fossil",
    ".stfolder": "Syncthing",
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".owncloudsync.log": "ownCloud",
    ".nextcloudsync.log": "Nextcloud",
    ".sync": "Resilio Sync",
}
"""Files and folders with which a program marks the top of a folder that others share."""
SYNC_DATABASES = ".sync_*.db", "._sync_*.db"
"""The files in which Nextcloud and ownCloud remember what they have sent."""
SHARED_FOLDER_NAMES = {
    "Dropbox*": "Dropbox",
    "OneDrive*": "OneDrive",
    "Nextcloud*": "Nextcloud",
    "ownCloud*": "ownCloud",
    "GoogleDrive*": "Google Drive",
    "Google Drive*": "Google Drive",
    "iCloudDrive": "iCloud",
    "com~apple~CloudDocs": "iCloud",
}
"""Names of folders that give away the program, even if it has left no mark."""


def find_sharing_program(folder: Path) -> str:
    """Returns the name of the program that gives the files of a folder to other people; "" if none is known."""
    return _find_program(folder.resolve())


@cache
def _find_program(folder: Path) -> str:
    return next((found for one in (folder, *folder.parents) for found in _list_programs(one)), "")


def _list_programs(folder: Path) -> Iterator[str]:
    """Yields the names of the programs that share this folder itself, such as Nextcloud, but not a folder above it."""
    yield from (program for mark, program in SHARING_MARKS.items() if os.path.lexists(folder / mark))
    yield from (program for name, program in SHARED_FOLDER_NAMES.items() if fnmatch(folder.name, name))
    with suppress(FileNotFoundError):  # the folder was moved away while it was searched; those above it still count
        if any(True for pattern in SYNC_DATABASES for _ in folder.glob(pattern)):
            yield "Nextcloud"
