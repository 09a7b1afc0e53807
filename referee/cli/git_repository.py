"""Questions to the Git repository that a folder belongs to."""

from __future__ import annotations

import subprocess
from pathlib import Path

LIMIT_SECONDS = 60
"""The seconds that Git has for an answer. After that it counts as absent."""


def run_git(folder: Path, *words: str) -> str | None:
    """Returns the output of a Git command in a folder.

    Returns None if Git is absent, if the folder is in no repository, or if the command fails.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def list_commits_adding_files(folder: Path, pattern: str) -> list[str]:
    """Returns the short hashes of the commits that added files whose names fit a pattern, the newest first."""
    found = run_git(folder, "log", "--all", "--diff-filter=A", "--format=%h", "--", f":(glob)**/{pattern}")
    return found.split() if found else []


def is_in_index(folder: Path, pattern: str) -> bool:
    """True if Git's index has a file whose name fits a pattern, so that the next commit would hold it."""
    return bool(run_git(folder, "ls-files", "--cached", "--", f":(glob)**/{pattern}"))
