"""Draw the picture of the README: the sample game as it stood after turn 12. `python tests/scripts/make_picture.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from referee.cli.main import run

SAMPLE = ROOT / "logs" / "sample-robot-attack.jsonl"


def draw(picture: Path) -> None:
    """Draw it into a file that is not there yet."""
    try:
        run(["-g", str(SAMPLE), "--at", "turn 12", "show", "-o", str(picture)])
    except SystemExit as left:
        assert not left.code, "the sample can be drawn"


if __name__ == "__main__":
    target = ROOT / "logs" / "board.svg"
    target.unlink(missing_ok=True)
    draw(target)
