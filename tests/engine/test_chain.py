"""Dice that all throw together: published vectors, the same derivation by other programs, who can foresee what."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from support import FIXTURES
from tries import tried

from referee.engine.dice import Need
from referee.engine.dice_derivation import derive_draw_key, derive_faces
from referee.engine.dice_source import SeededSource
from referee.engine.hash_chain import derive_chain, derive_joint_key, derive_previous_value, is_next_value
from referee.engine.target_number import ONLY_READ

SCRIPTS = Path(__file__).parents[1] / "scripts"
VECTORS = json.loads((FIXTURES / "dice-vectors.json").read_text())
GAME, DECLARED, LENGTH = VECTORS["game"], VECTORS["decl"], VECTORS["n"]
BLUE = derive_chain(GAME, "blue", bytes.fromhex(VECTORS["seed"]), LENGTH)
RED = derive_chain(GAME, "red", bytes.fromhex(VECTORS["red_seed"]), LENGTH)
SEATS, BOTH = (BLUE[1],), (RED[1], BLUE[1])


def test_chain_vectors():
    assert [value.hex() for value in BLUE[:3]] == [VECTORS[name] for name in ("c0", "c1", "c2")]
    assert [value.hex() for value in RED[:2]] == [VECTORS[name] for name in ("red_c0", "red_c1")]
    assert (len(BLUE), BLUE[-1].hex()) == (LENGTH + 1, VECTORS["seed"])


def test_key_vectors():
    assert derive_joint_key(SEATS, DECLARED).hex() == VECTORS["key_blue"]
    assert derive_joint_key(BOTH, DECLARED).hex() == VECTORS["key_red_blue"]
    assert derive_joint_key(BOTH[::-1], DECLARED) != derive_joint_key(BOTH, DECLARED)  # seats stand in their order


def test_each_value_follows_the_one_before_it_and_no_other():
    assert all(is_next_value(GAME, "blue", value, before) for before, value in pairwise(BLUE))
    assert not is_next_value(GAME, "blue", BLUE[2], BLUE[0])
    assert not is_next_value(GAME, "red", BLUE[1], BLUE[0])
    assert not is_next_value(DECLARED, "blue", BLUE[1], BLUE[0])


def test_names_of_seats_cannot_run_into_values():
    assert derive_previous_value(GAME, "a", b"b" + bytes(31)) != derive_previous_value(GAME, "ab", bytes(31))


def test_dice_of_a_cast_are_numbered_through():
    key = derive_joint_key(BOTH, DECLARED)
    at_once = list(derive_faces(key, (6,) * 10))
    assert [*derive_faces(key, (6,) * 4), *derive_faces(key, (6,) * 6, 4)] == at_once


# Other programs


def by_others(program: str, *command: str) -> dict[str, str]:
    """What a program on its own makes of the vectors' seeds."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    given = [GAME, VECTORS["red_seed"], VECTORS["seed"], "40", DECLARED, "10"]
    told = subprocess.run([*command, *given], capture_output=True, text=True, check=True, timeout=60).stdout
    return dict(line.split(" ", 1) for line in told.splitlines())


def ours() -> dict[str, str]:
    red, blue = (derive_chain(GAME, seat, bytes.fromhex(VECTORS[seed]), 40) for seat, seed in SHORT)
    key = derive_joint_key((red[1], blue[1]), DECLARED)
    faces = " ".join(map(str, derive_faces(key, (6,) * 10)))
    return {"red": red[0].hex(), "blue": blue[0].hex(), "key": key.hex(), "d6": faces}


SHORT = (("red", "red_seed"), ("blue", "seed"))


@pytest.mark.parametrize(
    ("program", "command"),
    [("openssl", ("bash", str(SCRIPTS / "refdice.sh"))), ("node", ("node", str(SCRIPTS / "refdice.mjs")))],
    ids=["openssl", "node"],
)
def test_other_programs_throw_the_same_dice(program, command):
    assert by_others(program, *command) == ours()


# Who may foresee what

THROWS = 100_000
FAIR = pytest.approx(THROWS / 6, rel=0.03)
"""One in six, and half of one in a hundred of all throws more or less."""


def throws(count: int = THROWS):
    """Values of two chains, and the hash of what was declared, for each of so many throws."""
    luck = Random(6)
    values = [luck.randbytes(32) for _ in range(count + 1)]
    return ((mine, theirs, sha256(mine).hexdigest()) for mine, theirs in pairwise(values))


def die(*shares: bytes, declared: str) -> int:
    return next(derive_faces(derive_joint_key(shares, declared), (6,)))


def test_who_declares_can_only_guess():
    """He holds his own value, all values given before, and what he declares; the other's next value he makes up."""
    right, before = 0, bytes(32)
    for mine, theirs, declared in throws():
        guess = die(mine, before, declared=declared)
        right += guess == die(mine, theirs, declared=declared)
        before = theirs
    assert right == FAIR


def test_who_answers_can_only_guess_before_it_is_declared():
    """He holds his own value and all declared before; what will be declared, and the other's value, he makes up."""
    right, known, last = 0, bytes(32), DECLARED
    for theirs, mine, declared in throws():
        guess = die(known, mine, declared=last)
        right += guess == die(theirs, mine, declared=declared)
        known, last = theirs, declared
    assert right == FAIR


def test_open_dice_can_be_foreseen():
    """The control: who holds the log knows all dice to come."""
    seed = VECTORS["open"]["seed"]
    source = SeededSource({None: seed})
    for draw in range(2_000):
        foreseen = next(derive_faces(derive_draw_key(bytes.fromhex(seed), draw), (6,)))
        assert source.draw(Need("to hit", 1, 6, aims=ONLY_READ)).faces == (foreseen,)


def test_many_tries_change_nothing():
    """Who declares tries order after order, and sends the one that would be best if the other gave what he guesses."""
    shown = tried(20_000)
    expected = shown.total() / 6
    assert sum((shown[face] - expected) ** 2 / expected for face in range(1, 7)) < 20.5  # p = 0.001 of 5 degrees
