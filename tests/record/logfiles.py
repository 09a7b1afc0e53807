"""The files of a log: what lies beside it, and all of it byte for byte."""

from __future__ import annotations

import json
import shutil
from random import Random

from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import format_entry_line, hash_entry
from referee.record.log.vault import find_vault_path


def beside(path, ending):
    return path.with_name(path.name + ending)


def files_of(path):
    """Returns every file of the folder with its bytes.

    The lock is left out, since it is empty and may appear at any time.
    """
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}


def forge(path, change):
    """Changes the entries of a log and makes all hashes fit again."""
    entries = [json.loads(line)["entry"] for line in path.read_bytes().splitlines()]
    change(entries)
    prev, lines = "0" * 64, []
    for n, entry in enumerate(entries):
        body = encode_for_log({**entry, "n": n, "prev": prev})
        prev = hash_entry(body)
        lines.append(format_entry_line(body))
    path.write_bytes(b"".join(lines))
    beside(path, ".head").unlink(missing_ok=True)


def play_out(session, seed=1):
    """Plays a game to its end at random."""
    random = Random(seed)
    while session.moment().to_act:
        session.play(session.legal().pick(random))


def mailed(session, tmp_path, *seats):
    """Returns the log as another computer has it, with the vaults of these seats."""
    copy = tmp_path / "mail" / session.path.name
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(session.path, copy)
    for seat in seats:
        shutil.copy(find_vault_path(session.path, seat), find_vault_path(copy, seat))
    return copy
