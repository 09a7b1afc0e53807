"""Make the bad logs of fixtures/corrupt, the same bytes every time.

    python tests/scripts/make_corrupt.py

What each must lead to stands in fixtures/corrupt/faults.toml. Run this again when the board, the rulings or the log
format change; a test compares the files with what is made here. Files too large to keep are made by the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS), str(TESTS / "bench")]  # third_party, long_log

from corrupt import careless, fields, file, hostile, mailed, play, secrets, spelling
from corrupt.book import AUTO, DONE, LAST, TURN, Make, chain, entries, lines

__all__ = ["AUTO", "DONE", "FOLDER", "LARGE", "LAST", "SMALL", "TURN", "chain", "entries", "lines"]

FOLDER = TESTS.parent / "fixtures" / "corrupt"
SMALL: dict[str, Make] = (
    careless.SMALL
    | file.SMALL
    | fields.SMALL
    | spelling.SMALL
    | play.SMALL
    | secrets.SMALL
    | hostile.SMALL
    | mailed.SMALL
)
"""What is kept in the folder, by file name without its ending."""
LARGE: dict[str, Make] = file.LARGE | spelling.LARGE | hostile.LARGE
"""What is made when it is tested."""


def main() -> None:
    """Write the files, and remove those that are made no more."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.jsonl"):
        if path.stem not in SMALL:
            path.unlink()
    for name, make in SMALL.items():
        (FOLDER / f"{name}.jsonl").write_bytes(make())
    print(f"{len(SMALL)} files in {FOLDER.name}")


if __name__ == "__main__":
    main()
