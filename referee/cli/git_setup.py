"""Setting up a Git working tree for logs, and undoing that."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from referee.cli.git_repository import run_git
from referee.gate import UnreadableError, read_text
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import check_free_or_file, read_user_file, replace_file

FIRST, LAST = "# referee: begin", "# referee: end"
"""The lines around what the referee has written into a file of somebody else."""
GIT_ATTRIBUTES = ("*.jsonl -text diff=referee merge=referee",)
NEVER_COMMITTED = (
    "*.vault",
    "*.jsonl.head",
    "*.jsonl.lock",
    "*.jsonl.torn",
    ".referee",
)
"""Files that belong to one player or one computer."""
MAX_BYTES = 1024 * 1024
CONFIG_SECTIONS = ("diff.referee", "merge.referee")


class WorkingTree:
    """A Git working tree, and the files that hold its settings."""

    def __init__(self, folder: Path) -> None:
        """Raises NotAllowedError if the folder is in no working tree, or if there is no Git."""
        paths = run_git(folder, "rev-parse", "--show-toplevel", "--git-path", "info/exclude", "--git-path", "config")
        if not paths:
            raise NotAllowedError(f"{folder.resolve()} is not in a Git working tree, or Git is not installed")
        top, exclude, config = paths.strip().split("\n")
        self.folder = folder
        self.attributes = Path(top) / ".gitattributes"
        self.exclude = folder / exclude
        self.config = folder / config

    def write_settings(self) -> list[str]:
        """Sets the working tree up, and returns a sentence about each step.

        Raises OSError or NotAllowedError if a step fails. Then everything is as it was before.
        """
        paths = self.attributes, self.exclude, self.config
        before = [read_user_file(path, MAX_BYTES) if path.is_file() else None for path in paths]
        try:
            return list(self._steps())
        except (OSError, NotAllowedError):
            for path, data in zip(paths, before, strict=True):
                _put_back(path, data)
            raise

    def _steps(self) -> Iterator[str]:
        program = f"{quote(Path(sys.executable).as_posix())} -m referee git"
        settings = {
            "diff.referee.textconv": f"{program} words",
            "merge.referee.name": "a log of the referee",
            "merge.referee.driver": f"{program} merge-driver %O %A %B %P",
        }
        for path, lines in ((self.attributes, GIT_ATTRIBUTES), (self.exclude, NEVER_COMMITTED)):
            _write_block(path, lines)
            yield f"{path}: {', '.join(lines)}"
        for name, value in settings.items():
            if run_git(self.folder, "config", "--local", name, value) is None:
                raise NotAllowedError(f"Git cannot write its setting {name}")
            yield f"git config {name}: {value}"

    def remove_settings(self) -> Iterator[str]:
        """Removes everything that `set_up` has written, and yields a sentence about each step.

        Raises NotAllowedError if a file of settings is not text, and OSError if a file cannot be read or written.
        """
        for path in (self.attributes, self.exclude):
            if _write_block(path, ()):
                yield f"{path}: the lines of the referee are gone"
        for section in CONFIG_SECTIONS:
            if run_git(self.folder, "config", "--local", "--remove-section", section) is not None:
                yield f"git config: the section {section} is gone"


def _put_back(path: Path, data: bytes | None) -> None:
    """Restores the content of a file; removes the file if `data` is None."""
    if data is None and path.is_file():
        path.unlink()
    elif data is not None and read_user_file(path, MAX_BYTES) != data:
        replace_file(path, data)


def _write_block(path: Path, lines: tuple[str, ...]) -> bool:
    """Replaces the referee's block of a file, or removes it if `lines` is empty. The rest stays as it is.

    Returns True if the file has changed. Raises NotAllowedError if the file is not text, or OSError.
    """
    check_free_or_file(path)
    try:
        before = read_text(read_user_file(path, MAX_BYTES)) if path.is_file() else ""
    except UnreadableError as error:
        raise NotAllowedError(f"{path} is not text") from error
    head, begun, rest = before.partition(f"{FIRST}\n")
    block, ended, tail = rest.partition(f"{LAST}\n")
    if begun and not ended:
        tail = block
    if head and not head.endswith("\n"):
        head += "\n"
    after = head + (f"{FIRST}\n" + "".join(f"{line}\n" for line in lines) + f"{LAST}\n" if lines else "") + tail
    if after == before:
        return False
    if after:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, after.encode())
    else:
        path.unlink()
    return True
