"""The files of a log: what lies beside it, and all of it byte for byte."""

from __future__ import annotations

import json

from referee.record.entry import encode, frame, hash_of


def beside(path, ending):
    return path.with_name(path.name + ending)


def files_of(path):
    """Every file of the folder with its bytes; the lock is empty and may come at any time."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}


def forge(path, change):
    """Change the entries of a log and make all hashes right again."""
    entries = [json.loads(line)["entry"] for line in path.read_bytes().splitlines()]
    change(entries)
    prev, lines = "0" * 64, []
    for n, entry in enumerate(entries):
        body = encode({**entry, "n": n, "prev": prev})
        prev = hash_of(body)
        lines.append(frame(body))
    path.write_bytes(b"".join(lines))
    beside(path, ".head").unlink(missing_ok=True)
