"""Secrets: leaves, what is sealed under them, what is told of them, and how they are revealed."""

from __future__ import annotations

import json
from typing import Any

from corrupt.book import THROW, Document, chain, good, small
from corrupt.hidden import (
    BACK,
    BOTH,
    END,
    GLOW,
    MOVED,
    MOVED_AGAIN,
    REVEAL,
    hidden,
    inserted,
    seeded,
    unopened,
    with_fields,
    with_secret,
    written,
)
from referee.engine.game import REFEREE

AGREED = {"agreed": BOTH}


def revealed(n: int = REVEAL, **fields: Any) -> bytes:
    """The game with fields of a reveal changed."""
    return with_fields(hidden(), n, fields)


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


@small
def told_of_a_captive_who_is_nowhere() -> bytes:
    """Nobody can judge this, and it can be folded; but then nobody could say what is legal."""
    documents = hidden(reveal=False)[: MOVED_AGAIN + 1]
    fought = {"type": "fought", "human": "penny", "mutant": "n2", "rolls": [[6, 1]], "eliminated": [], "captured": True}
    documents[MOVED_AGAIN]["events"] = [fought]
    return written(documents)


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
