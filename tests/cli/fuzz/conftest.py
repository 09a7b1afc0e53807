"""Where the good logs are made that are spoilt here."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
sys.path += [str(TESTS / "scripts"), str(TESTS / "bench")]  # corrupt, long_log
