"""Dice among secrets: those thrown in secret, the seed that is sealed for them, and open ones that nobody can judge."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from corrupt.book import SEED, Document, small
from corrupt.hidden import BACK, END, GLOW, MOVED, RESOLVE, hidden, inserted, seeded, with_fields, with_secret, written
from referee.engine.dice import Need, OpenSource
from referee.engine.game import REFEREE

# Dice thrown in secret


def _glow(die: int, **fields: Any) -> Callable[[Document], object]:
    def change(secret: Document) -> None:
        secret["rolls"][0] |= {"faces": [die], **fields}
        secret["events"][0]["faces"] = [["r1", die]]

    return change


def _seeded_glow(change: Callable[[Document], object]) -> bytes:
    documents = seeded()
    change(documents[GLOW + 1]["secret"])
    return written(documents)


@small
def secret_dice_forged() -> bytes:
    true = OpenSource(SEED, 0).draw(Need("", 1, 6)).faces[0]
    documents = seeded()
    sealed = documents[GLOW + 1]["secret"]["rolls"][0]["faces"][0]
    return _seeded_glow(_glow(next(die for die in range(1, 6) if die not in (true, sealed))))


@small
def secret_dice_of_another_draw() -> bytes:
    return _seeded_glow(lambda secret: secret["rolls"][0].update(draw=1))


@small
def secret_dice_from_the_open_seed() -> bytes:
    roll = OpenSource(SEED, 1).draw(Need("", 1, 6))
    return _seeded_glow(_glow(roll.faces[0], draw=1, origin="open"))


@small
def secret_dice_called_open() -> bytes:
    return _seeded_glow(lambda secret: secret["rolls"][0].update(origin="open"))


@small
def secret_dice_left_out() -> bytes:
    return _seeded_glow(lambda secret: secret["rolls"].clear())


@small
def secret_dice_too_many() -> bytes:
    return _seeded_glow(lambda secret: secret["rolls"].append(deepcopy(secret["rolls"][0]) | {"draw": 1}))


@small
def typed_secret_dice_of_another_draw() -> bytes:
    return with_secret(_glow(4, draw=1), GLOW)


@small
def typed_secret_dice_of_another_origin() -> bytes:
    return with_secret(_glow(4, origin="sealed"), GLOW)


@small
def typed_secret_dice_out_of_range() -> bytes:
    return with_secret(lambda secret: secret["rolls"][0].update(faces=[7]), GLOW)


def _among_secrets(documents: list[Document], n: int, **fields: Any) -> bytes:
    documents[n]["rolls"][0] |= fields
    return written(documents)


@small
def open_dice_forged_among_secrets() -> bytes:
    documents = seeded(reveal=False)
    faces = documents[RESOLVE + 1]["rolls"][0]["faces"]
    return _among_secrets(documents, RESOLVE + 1, faces=[1 + face % 6 for face in faces])


@small
def open_dice_of_another_draw_among_secrets() -> bytes:
    return _among_secrets(seeded(reveal=False), RESOLVE + 1, draw=1)


@small
def typed_dice_of_another_draw_among_secrets() -> bytes:
    return _among_secrets(hidden(reveal=False), RESOLVE, draw=1)


@small
def typed_dice_of_another_origin_among_secrets() -> bytes:
    return _among_secrets(hidden(reveal=False), RESOLVE, origin="open")


@small
def typed_dice_out_of_range_among_secrets() -> bytes:
    return _among_secrets(hidden(reveal=False), RESOLVE, faces=[7, 1])


# The sealed seed


def _seed(**fields: Any) -> Document:
    return {name: value for name, value in seeded()[1].items() if name not in ("type", "by", "at")} | fields


@small
def seed_missing() -> bytes:
    documents = seeded(reveal=False)
    del documents[1]
    documents[BACK]["to"] = 0
    return written(documents)


@small
def seed_sealed_late() -> bytes:
    documents = seeded(reveal=False)
    documents[BACK + 1]["to"] = 2
    return inserted(documents, 1, "note", REFEREE, text="the seed comes later")


@small
def seed_sealed_twice() -> bytes:
    return inserted(seeded(reveal=False), END, "sealed", REFEREE, **_seed())


@small
def seed_sealed_by_a_seat() -> bytes:
    documents = seeded()
    return with_fields(documents, 1, {"by": "human"})


@small
def another_seed_sealed_by_a_seat() -> bytes:
    documents = seeded()
    documents[GLOW + 1] = documents[1] | {"by": "mutant", "secret": {"type": "dice", "seed": "00" * 32}}
    return written(documents)


@small
def same_seed_sealed_by_a_seat() -> bytes:
    documents = seeded()
    documents[GLOW + 1] = documents[1] | {"by": "mutant"}
    return written(documents)


@small
def seed_that_is_a_play() -> bytes:
    documents = seeded()
    documents[1]["secret"] = documents[MOVED + 1]["secret"]
    return written(documents)


@small
def seed_with_events() -> bytes:
    documents = seeded(reveal=False)
    documents[1]["events"] = documents[END + 1]["events"]
    return written(documents)


@small
def seed_for_typed_dice() -> bytes:
    documents = hidden(reveal=False)
    documents[BACK]["to"] = 1
    return inserted(documents, 1, "sealed", REFEREE, **_seed())
