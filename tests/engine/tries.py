"""Somebody who declares tries many orders, times and notes before he sends one.

`python tests/engine/tries.py 1000000` tries so many, and tells how often each face fell.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from referee.engine.dice_derivation import derive_faces
from referee.engine.hash_chain import derive_joint_key


def tried(count: int) -> Counter[int]:
    """Faces of a d6 that fell for him, after so many tries in all: he sends only what would be a six, were the other's
    value the one that he guesses.
    """
    luck, shown = Random(7), Counter[int]()
    mine, guessed, theirs = (luck.randbytes(32) for _ in range(3))
    for _ in range(count):
        declared = luck.randbytes(32).hex()
        if next(derive_faces(derive_joint_key((mine, guessed), declared), (6,))) == 6:
            shown[next(derive_faces(derive_joint_key((mine, theirs), declared), (6,)))] += 1
            mine, guessed, theirs = (luck.randbytes(32) for _ in range(3))
    return shown


if __name__ == "__main__":
    print(*sorted(tried(int(sys.argv[1])).items()))
