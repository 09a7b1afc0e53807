"""Three finished games for people to look at, and for the audit: `python tests/games/sheboygan/sample_monsters.py`.

Both players follow the habits of `habits.py`, and leave their dice to a seed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from referee.record.table.deeds.reveal import reveal_secrets

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from habits import chosen
from written import write_sample

from referee.record.table.session import Session

MONSTERS = Path(__file__).parents[3] / "fixtures" / "sheboygan" / "games"
SAMPLES = {"learning": 2, "advanced-b": 7, "city-eating": 6}
"""The scenarios, and the seed of each game."""


def play(session: Session, random: Random) -> None:
    """Play a game to its end, and reveal the monster's record."""
    while session.moment().to_act:
        session.play(chosen(session.moment().view(session.moment().to_act), session.legal(), random))
    reveal_secrets(session)


def write_all() -> None:
    """Write the sample games anew."""
    for scenario, seed in SAMPLES.items():
        write_sample(MONSTERS / f"{scenario}.jsonl", "sheboygan", {"scenario": scenario}, seed + 1, seed, play)


if __name__ == "__main__":
    write_all()
