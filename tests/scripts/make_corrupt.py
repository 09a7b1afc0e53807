"""Make the bad logs of fixtures/corrupt, the same bytes every time.

    python tests/scripts/make_corrupt.py

What each must lead to stands in fixtures/corrupt/faults.toml. Run this again when the board, the rulings or the log
format change; a test compares the files with what is made here. Files too large to keep are made by the tests.
"""

from __future__ import annotations

from pathlib import Path

from corrupt import fields, file, hostile, play, secret_dice, secrets, spelling  # noqa: F401 - each adds its logs to SMALL and LARGE
from corrupt.book import AT, AUTO, DONE, LARGE, LAST, SMALL, TURN, chain, good, lines

from referee.record.entry import frame

__all__ = ["AT", "AUTO", "DONE", "FOLDER", "LARGE", "LAST", "SMALL", "TURN", "chain", "frame", "good", "lines"]

FOLDER = Path(__file__).parents[2] / "fixtures" / "corrupt"


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
