"""Make one file that holds the program and all it needs: `python tests/scripts/one_file.py referee.pyz`.

It needs nothing but Python: `python referee.pyz audit friday.jsonl`. It holds compiled parts, so it runs on one kind
of machine and one version of Python. When it runs for the first time it unpacks itself into a folder of the user's.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def make(target: Path, wheel: Path | None = None) -> None:
    """Write it, from a wheel or from the checkout."""
    program = [sys.executable, "-m", "shiv", "--compressed", "-e", "referee.__main__:main", "-o", str(target)]
    subprocess.run([*program, "-q", str(wheel or ROOT)], check=True)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
