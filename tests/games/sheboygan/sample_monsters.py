"""Three finished games for people to look at, and for the audit: `python tests/games/sheboygan/sample_monsters.py`.

Both players follow the habits of `habits.py`, and leave their dice to a seed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))

from habits import chosen

from referee.engine.dice import OpenDice
from referee.record.session import Session
from referee.record.start import start

MONSTERS = Path(__file__).parents[3] / "fixtures" / "sheboygan" / "games"
SAMPLES = {"learning": 2, "advanced-b": 7, "city-eating": 6}
"""The scenarios, and the seed of each game."""


def play(session: Session, random: Random) -> None:
    """Play a game to its end, and reveal the monster's record."""
    while session.to_act:
        session.play(chosen(session.moment().view(session.to_act), session.legal(), random))
    session.reveal()


def write_all() -> None:
    """Write the sample games anew."""
    MONSTERS.mkdir(parents=True, exist_ok=True)
    for scenario, seed in SAMPLES.items():
        path = MONSTERS / f"{scenario}.jsonl"
        for old in MONSTERS.glob(f"{scenario}.jsonl*"):
            old.unlink()
        noon = [
            patch(f"referee.record.{module}.now", lambda: "2026-01-01T00:00:00Z") for module in ("start", "session")
        ]
        with noon[0], noon[1], patch("os.urandom", Random(seed).randbytes):
            dice = OpenDice(f"{seed + 1:064x}")
            play(start("sheboygan", path, options={"scenario": scenario}, dice=dice), Random(seed))
        for beside in MONSTERS.glob(f"{scenario}.jsonl.*"):
            beside.unlink()


if __name__ == "__main__":
    write_all()
