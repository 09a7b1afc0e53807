"""Logs that a program for shared folders has replaced by another state, so that an entry recorded here is missing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from referee.record.log.conflict_copies import list_logs_named_alike
from referee.record.log.line_format import LINE_START
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES, read_user_file
from referee.record.log.shared_folders import find_sharing_program


def explain_replacement(log: Path, last: tuple[int, str]) -> str | None:
    """Returns, as a clause, the log that holds the missing last entry now, or the program that replaced the log. None
    if neither is found.

    `last` is the number of acknowledged entries and the hash of the last one.
    """
    number, start = last[0] - 1, LINE_START + last[1].encode()
    for path in list_logs_named_alike(log):
        with suppress(OSError):
            if start in read_user_file(path, MAX_SEARCHED_FILE_BYTES):
                return f"entry {number}, which was recorded here, stands in {path.name} now"
    program = find_sharing_program(log.parent)
    if not program:
        return None
    return f"entry {number} was recorded here, but {program} has replaced the log with another version"
