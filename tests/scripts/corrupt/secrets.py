"""Secrets: leaves, what is sealed under them, what is told of them, and how they are revealed."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from corrupt.book import SEED, THROW, Document, chain, good, small
from corrupt.hidden import BACK, BOTH, END, GLOW, MOVED, MOVED_AGAIN, RESOLVE, REVEAL, hidden, seeded, written
from referee.engine.dice import Need, OpenSource
from referee.engine.game import REFEREE

AGREED = {"agreed": BOTH}


def revealed(n: int = REVEAL, **fields: Any) -> bytes:
    """The game with fields of a reveal changed."""
    return with_fields(hidden(), n, fields)


def unopened(n: int, **fields: Any) -> bytes:
    """The game of which no secret is revealed, with fields of an entry changed."""
    return with_fields(hidden(reveal=False), n, fields)


def with_fields(documents: list[Document], n: int, fields: Document) -> bytes:
    documents[n] |= fields
    return written(documents)


def with_secret(change: Callable[[Document], object], n: int = MOVED_AGAIN) -> bytes:
    """The game in which something else was honestly sealed."""
    documents = hidden()
    change(documents[n]["secret"])
    return written(documents)


def inserted(documents: list[Document], n: int, kind: str, by: str, **fields: Any) -> bytes:
    """With one more entry; reveals go on opening what they did."""
    for document in documents:
        if document["type"] == "reveal" and document["of"] >= n:
            document["of"] += 1
    documents.insert(n, {"type": kind, "by": by, "at": documents[0]["at"], **fields})
    return written(documents)


def entry_of(n: int) -> Document:
    """An entry of the game as it is written."""
    entry: Document = json.loads(written(hidden()).splitlines()[n])["entry"]
    return entry


def opening(n: int) -> tuple[str, Document]:
    """Salt and secret of an entry, as its reveal tells them."""
    reveal = next(entry for entry in map(entry_of, range(REVEAL, REVEAL + 3)) if entry["of"] == n)
    return reveal["salt"], reveal["secret"]


# Good


@small
def secrets_revealed() -> bytes:
    return written(hidden())


@small
def secrets_revealed_with_a_seed() -> bytes:
    return written(seeded())


@small
def secrets_never_revealed() -> bytes:
    return written(hidden(reveal=False))


@small
def secrets_never_revealed_with_a_seed() -> bytes:
    return written(seeded(reveal=False))


@small
def secret_revealed_early() -> bytes:
    return inserted(hidden(reveal=False), END, "reveal", REFEREE, of=MOVED_AGAIN, **AGREED)


# Reveals


@small
def reveal_with_another_value() -> bytes:
    return revealed(secret=hidden()[MOVED_AGAIN]["secret"])


@small
def reveal_with_another_salt() -> bytes:
    return revealed(salt="00" * 32)


@small
def reveal_of_no_secret() -> bytes:
    return revealed(of=END, secret=hidden()[MOVED]["secret"])


@small
def reveal_of_another_secret() -> bytes:
    salt, secret = opening(MOVED)
    return revealed(of=MOVED_AGAIN, salt=salt, secret=secret)


@small
def reveal_of_a_later_entry() -> bytes:
    documents = hidden()
    return inserted(documents, END, "reveal", REFEREE, of=GLOW + 1, secret=documents[GLOW]["secret"], **AGREED)


@small
def reveal_of_itself() -> bytes:
    return revealed(of=REVEAL, secret=hidden()[MOVED]["secret"])


@small
def reveal_twice() -> bytes:
    documents = hidden()
    return written([*documents, documents[REVEAL]])


@small
def reveal_twice_with_different_values() -> bytes:
    """The first one is wrong, so that a reader who looks ahead must not be content with the other."""
    documents = hidden()
    return written([*documents[:REVEAL], documents[REVEAL] | {"salt": "00" * 32}, *documents[REVEAL:]])


@small
def reveal_too_early() -> bytes:
    return inserted(hidden(reveal=False), END, "reveal", REFEREE, of=MOVED_AGAIN, agreed=[])


@small
def reveal_too_early_by_its_owner() -> bytes:
    return inserted(hidden(reveal=False), END, "reveal", "mutant", of=MOVED_AGAIN, agreed=[])


@small
def reveal_by_nobody() -> bytes:
    return revealed(by="green")


@small
def reveal_agreed_by_nobody() -> bytes:
    return revealed(agreed=["green"])


@small
def reveal_in_a_game_without_secrets() -> bytes:
    secret = hidden()[MOVED]["secret"] | {"action": good()[THROW]["action"], "events": []}
    reveal = {"type": "reveal", "by": REFEREE, "at": good()[0]["at"], "of": THROW, "salt": "00" * 32, "agreed": []}
    return b"".join(chain([*good(), reveal | {"secret": secret}]))


# What is sealed


@small
def leaf_changed() -> bytes:
    documents = hidden()
    documents[MOVED]["leaf"] = "0" * 64
    return written(documents)


@small
def leaf_of_another_place() -> bytes:
    """The same leaf once more, opened by the same salt and secret; but a leaf binds the line before it."""
    documents, (salt, secret) = hidden(), opening(MOVED)
    documents[MOVED_AGAIN] |= {"leaf": entry_of(MOVED)["leaf"], "events": documents[MOVED]["events"]}
    return with_fields(documents, REVEAL + 1, {"salt": salt, "secret": secret})


@small
def sealed_in_a_game_without_secrets() -> bytes:
    sealed = {"type": "sealed", "by": "red", "at": good()[0]["at"], "leaf": "0" * 64, "events": []}
    return b"".join(chain([*good(), sealed]))


@small
def sealed_without_the_option() -> bytes:
    documents = hidden()
    documents[0]["options"]["hidden-movement"] = "no"
    return written(documents)


@small
def secret_that_is_illegal() -> bytes:
    return with_secret(lambda secret: secret["action"].update(to="D4"))


@small
def secret_of_the_other_player() -> bytes:
    return with_fields(hidden(), MOVED_AGAIN, {"by": "human"})


@small
def secret_with_wrong_events() -> bytes:
    return with_secret(lambda secret: secret["events"][0]["units"].append(["n1", "E7"]))


@small
def secret_without_events() -> bytes:
    return with_secret(lambda secret: secret["events"].clear())


@small
def secret_event_that_cannot_happen() -> bytes:
    return with_secret(lambda secret: secret["events"][1]["units"].append(["n99", "E6"]))


@small
def secret_that_is_no_play() -> bytes:
    return with_fields(hidden(), MOVED_AGAIN, {"secret": {"type": "gossip", "text": "they are in E6"}})


@small
def secret_of_another_game() -> bytes:
    return with_secret(lambda secret: secret.update(action=good()[THROW]["action"]))


@small
def public_play_sealed() -> bytes:
    documents = hidden()
    end = documents[END]
    secret = {name: end.pop(name) for name in ("action", "rolls")} | {"type": "play", "events": end["events"]}
    end |= {"type": "sealed", "secret": secret}
    return written([*documents, documents[REVEAL] | {"of": END}])


@small
def secret_in_the_open() -> bytes:
    documents = hidden(reveal=False)
    documents[MOVED] |= documents[MOVED].pop("secret") | {"type": "play"}
    return written(documents)


@small
def sealed_by_nobody() -> bytes:
    return unopened(MOVED_AGAIN, by="green")


@small
def sealed_by_the_referee() -> bytes:
    return unopened(MOVED_AGAIN, by=REFEREE)


@small
def play_by_nobody_among_secrets() -> bytes:
    return unopened(END, by="green")


@small
def play_by_the_referee_among_secrets() -> bytes:
    return unopened(END, by=REFEREE)


# What is told


@small
def told_too_much() -> bytes:
    documents = hidden()
    documents[MOVED_AGAIN]["events"].insert(0, documents[MOVED_AGAIN]["secret"]["events"][0])
    return written(documents)


@small
def told_too_little() -> bytes:
    return with_fields(hidden(), MOVED_AGAIN, {"events": []})


@small
def told_something_else() -> bytes:
    documents = hidden()
    documents[MOVED_AGAIN]["events"][0]["rooms"] = ["E5"]
    return written(documents)


@small
def told_of_a_unit_that_is_none() -> bytes:
    documents = hidden(reveal=False)
    documents[MOVED_AGAIN]["events"][0]["units"] = [["n99", "E6"]]
    return written(documents)


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


# Takebacks


@small
def takeback_over_a_secret() -> bytes:
    return with_fields(hidden(), BACK, {"agreed": []})


@small
def takeback_over_a_secret_never_revealed() -> bytes:
    return unopened(BACK, agreed=[])


@small
def takeback_over_a_reveal() -> bytes:
    """The takeback crosses nothing but the mutants' own end of a Step; what was revealed since cannot be unseen."""
    documents = hidden(reveal=False)[: END + 1]
    at = {"at": documents[0]["at"]}
    reveal = at | {"type": "reveal", "by": REFEREE, "of": MOVED_AGAIN, "agreed": BOTH}
    takeback = at | {"type": "takeback", "by": "mutant", "to": MOVED_AGAIN, "agreed": []}
    return written([*documents, reveal, takeback])
