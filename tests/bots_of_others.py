"""Bots in a folder as pip leaves it, so that the program and the processes of the bots find them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def install_bots(site: Path, source: str, bots: Iterable[str], module: str = "theirs") -> Path:
    """Writes a distribution "others 1.0" with one module. Its classes are bots, named by their names in lower case."""
    about = site / "others-1.0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    points = "".join(f"{bot.lower()} = {module}:{bot}\n" for bot in bots)
    (about / "entry_points.txt").write_text(f"[referee.bots]\n{points}")
    (site / f"{module}.py").write_text(source)
    return site
