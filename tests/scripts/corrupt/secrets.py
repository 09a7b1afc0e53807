"""Secrets: leaves, what is sealed under them, what is told of them, and how they are revealed."""

from __future__ import annotations

from corrupt.book import BOTH, Document, Edit, Make, add, again, more, put, twice
from corrupt.hidden import (
    ADRIFT,
    ANSWER,
    AT_SEA,
    BACK,
    FIGHT,
    HIDE,
    HIDE_BLUE,
    JOIN_BLUE,
    JOIN_RED,
    LOSE,
    RAID,
    REVEAL,
    SEED,
    leaf_at,
    never,
    opening,
    opening_at,
    reveal,
    revealed,
    room,
    seeded,
    seeded_never,
    without,
)
from referee.engine.dice import Need
from referee.engine.dice_source import SeededSource
from referee.engine.event import REFEREE
from referee.engine.target_number import ONLY_READ

_DEED = "secret.sealed"
_ROLL = "secret.sealed.rolls.0"
_ASHORE = "secret.sealed.events.0.1.cove"
_THREW = {"type": "throw"}
"""An action of another game."""
_NONE = {"leaf": "0" * 64, "of": "red"}
_OTHER_GAME = put(0, "nonce", "0" * 32)


def _sealed_deed(n: int, seat: str) -> Edit:
    """Seal a play that everybody may see, and reveal it."""

    def edit(documents: list[Document]) -> None:
        play = documents[n]
        events = [[place, event] for place, event in enumerate(play["events"])]
        play["secret"] = {"of": seat, "sealed": {"action": play["action"], "events": events, "rolls": play["rolls"]}}
        play |= {"action": None, "events": [], "rolls": []}
        reveal(n)(documents)

    return edit


def _opened_deed(n: int) -> Edit:
    """Say a deed in the open."""

    def edit(documents: list[Document]) -> None:
        deed = documents[n]["secret"]["sealed"]
        told = documents[n]["events"]
        for place, event in deed["events"]:
            told.insert(place, event)
        documents[n] |= {"action": deed["action"], "events": told, "secret": None}

    return edit


def _in_the_open(n: int) -> Edit:
    """Move secret dice into the open."""

    def edit(documents: list[Document]) -> None:
        deed = documents[n]["secret"]["sealed"]
        documents[n]["rolls"], deed["rolls"] = deed["rolls"], []

    return edit


def _other_face(faces: list[int]) -> list[int]:
    return [1 + faces[0] % 5]


def _ashore(face: int) -> Edit:
    """What follows from another secret die."""
    return put(ADRIFT, _ASHORE, ("reef", "cave", "wreck", "palms", "lagoon")[face - 1])


def _from_the_open_seed(documents: list[Document]) -> None:
    face = SeededSource({None: SEED}).draw(Need("", 1, 5, aims=ONLY_READ)).faces[0]
    documents[ADRIFT]["secret"]["sealed"]["rolls"][0] |= {"faces": [face], "origin": "open"}
    _ashore(face)(documents)


def _forged(documents: list[Document]) -> None:
    roll = documents[ADRIFT]["secret"]["sealed"]["rolls"][0]
    roll["faces"] = _other_face(roll["faces"])
    roll["names"] = []
    _ashore(roll["faces"][0])(documents)


_FALSE = (put(ANSWER, "action.found", "no"), put(ANSWER, "events.0.found", "no"), put(ANSWER, "events.0.guards", 0))

GOOD: dict[str, Make] = {
    "secrets-revealed": revealed(),
    "secrets-revealed-with-a-seed": seeded(),
    "secrets-never-revealed": never(),
    "secrets-never-revealed-with-a-seed": seeded_never(),
    "secret-revealed-early": never(reveal(HIDE_BLUE, LOSE, agreed=BOTH)),
    "false-answer-never-revealed": never(*_FALSE),
}

JOINS: dict[str, Make] = {
    "join-twice": never(again(JOIN_RED, HIDE)),
    "join-twice-with-another-seed": seeded_never(again(JOIN_RED, HIDE, seed={"of": "red", "sealed": "00" * 32})),
    "join-by-nobody": never(put(JOIN_RED, "by", "green")),
    "join-by-the-referee": never(put(JOIN_RED, "by", REFEREE)),
    "join-with-the-seed-of-another-seat": seeded_never(put(JOIN_RED, "seed.of", "blue")),
    "join-missing": seeded(without(JOIN_BLUE)),
    "join-after-secret-dice": seeded(
        room(ADRIFT + 1, "join", "blue", seed={"of": "blue", "sealed": "00" * 32}), without(JOIN_BLUE)
    ),
    "seed-missing": seeded_never(put(JOIN_RED, "seed", None)),
    "seed-in-the-open": seeded_never(put(JOIN_RED, "seed", "5a" * 32)),
    "seed-for-typed-dice": never(put(JOIN_RED, "seed", {"of": "red", "sealed": "5a" * 32})),
    "seed-that-is-none": seeded(put(JOIN_RED, "seed.sealed", "six, please")),
}

REVEALS: dict[str, Make] = {
    "reveal-with-another-value": revealed(put(REVEAL, "value", {"action": None, "events": [], "rolls": []})),
    "reveal-with-another-salt": revealed(put(REVEAL, "salt", "00" * 32)),
    "reveal-of-no-secret": revealed(put(REVEAL, "of", LOSE)),
    "reveal-of-another-secret": revealed(put(REVEAL, "of", ADRIFT)),
    "reveal-with-the-leaf-of-another-secret": revealed(put(REVEAL, "leaf", opening_at(HIDE_BLUE).leaf)),
    "reveal-of-a-later-entry": revealed(reveal(ADRIFT + 1, BACK, agreed=BOTH), opening(BACK, opening_at(ADRIFT))),
    "reveal-of-itself": revealed(put(REVEAL, "of", REVEAL)),
    "reveal-twice": revealed(again(REVEAL, REVEAL + 1)),
    "reveal-twice-with-different-values": revealed(again(REVEAL, REVEAL, salt="00" * 32)),
    "reveal-too-early": never(reveal(HIDE_BLUE, LOSE)),
    "reveal-too-early-by-its-owner": never(reveal(HIDE, LOSE, by="red")),
    "reveal-by-nobody": revealed(put(REVEAL, "by", "green")),
    "reveal-agreed-by-nobody": revealed(put(REVEAL, "agreed", ["green"])),
    "salt-too-short": revealed(put(REVEAL, "salt", "00")),
}

SEALED: dict[str, Make] = {
    "leaf-changed": revealed(put(HIDE, "secret", {"leaf": "0" * 64, "of": "red"}), opening(REVEAL, opening_at(HIDE))),
    "leaf-of-another-place": revealed(
        put(ADRIFT, "secret", leaf_at(HIDE_BLUE)), opening(AT_SEA, opening_at(HIDE_BLUE))
    ),
    "secret-of-another-game": revealed(
        put(HIDE, "secret", leaf_at(HIDE, _OTHER_GAME)), opening(REVEAL, opening_at(HIDE, _OTHER_GAME))
    ),
    "secret-that-is-illegal": revealed(put(RAID, "action.pirates.sealed", 0), put(RAID, "events.0.pirates.sealed", 0)),
    "secret-told-otherwise-in-the-event": revealed(put(RAID, "events.0.pirates.sealed", 2)),
    "secret-of-the-other-player": revealed(put(HIDE, "secret.of", "blue")),
    "secret-field-of-the-other-player": revealed(put(RAID, "action.pirates.of", "blue")),
    "secret-of-a-seat-that-is-none": never(put(RAID, "action.pirates.of", "green")),
    "secret-by-the-other-player": revealed(put(HIDE, "by", "blue"), put(HIDE, "secret.of", "blue")),
    "secret-with-wrong-events": revealed(put(HIDE, _ASHORE, "reef")),
    "secret-without-events": revealed(put(HIDE, "secret.sealed.events", [])),
    "secret-event-out-of-place": revealed(put(HIDE, "secret.sealed.events.0.0", 1)),
    "secret-event-far-out-of-place": revealed(put(HIDE, "secret.sealed.events.0.0", 2**40)),
    "secret-event-that-cannot-happen": revealed(
        put(HIDE, "secret.sealed.events.0.1", {"type": "lost", "what": "gold", "seat": "green"})
    ),
    "secret-that-is-no-play": revealed(put(HIDE, _DEED, {"type": "gossip", "text": "it is in the cave"})),
    "secret-action-of-another-game": revealed(put(HIDE, "secret.sealed.action", _THREW)),
    "secret-that-is-a-list": revealed(put(RAID, "action.pirates.sealed", [1])),
    "secret-that-holds-a-secret": revealed(put(RAID, "action.pirates.sealed", {"leaf": "0" * 64, "of": "red"})),
    "public-play-sealed": revealed(_sealed_deed(LOSE, "red")),
    "secret-in-the-open": never(_opened_deed(HIDE)),
    "secret-action-in-the-open": revealed(
        put(HIDE, "action", {"type": "hide", "cove": "cave"}), put(HIDE, "secret.sealed.action", None)
    ),
    "secret-number-in-the-open": never(put(RAID, "action.pirates", 1)),
    "deed-without-an-action": revealed(put(HIDE, "secret.sealed.action", None)),
    "sealed-by-nobody": never(put(HIDE, "by", "green"), put(HIDE, "secret.of", "green")),
    "sealed-by-the-referee": never(put(HIDE, "by", REFEREE), put(HIDE, "secret.of", REFEREE)),
    "play-by-nobody-among-secrets": never(put(LOSE, "by", "green")),
    "play-by-the-referee-among-secrets": never(put(LOSE, "by", REFEREE)),
    "owner-of-a-secret-left-out": never(put(RAID, "action.pirates", {"leaf": "0" * 64})),
    "secret-of-nothing": revealed(
        put(LOSE, "secret", {"of": "red", "sealed": {"action": None, "events": [], "rolls": []}}), reveal(LOSE)
    ),
}

TOLD: dict[str, Make] = {
    "told-too-much": revealed(more(HIDE, "events", {"type": "buried", "seat": "red"})),
    "told-too-little": revealed(put(HIDE, "events", [])),
    "told-something-else": revealed(put(HIDE, "events.0.seat", "blue")),
    "told-of-nobody": never(put(FIGHT, "events.0.beaten", "green")),
    "told-of-a-raider-who-is-none": never(put(RAID, "events.0.seat", "green")),
    "false-answer": revealed(*_FALSE),
    "false-guards": revealed(put(ANSWER, "events.0.guards", 1)),
    "answer-left-out": revealed(without(ANSWER)),
    "answer-of-the-other-player": revealed(put(ANSWER, "by", "red")),
}

DICE: dict[str, Make] = {
    "secret-dice-forged": seeded(_forged),
    "secret-dice-of-another-draw": seeded(put(ADRIFT, f"{_ROLL}.draw", 1)),
    "secret-dice-from-the-open-seed": seeded(_from_the_open_seed),
    "secret-dice-called-open": seeded(put(ADRIFT, f"{_ROLL}.origin", "open")),
    "secret-dice-that-everybody-sees": seeded(put(ADRIFT, f"{_ROLL}.to", None)),
    "secret-dice-of-the-other-player": seeded(put(ADRIFT, f"{_ROLL}.to", "red")),
    "secret-dice-in-the-open": seeded_never(_in_the_open(ADRIFT)),
    "secret-dice-left-out": seeded(put(ADRIFT, "secret.sealed.rolls", [])),
    "secret-dice-too-many": seeded(twice(ADRIFT, "secret.sealed.rolls", draw=1)),
    "typed-secret-dice-of-another-draw": revealed(put(ADRIFT, f"{_ROLL}.draw", 1)),
    "typed-secret-dice-of-another-origin": revealed(put(ADRIFT, f"{_ROLL}.origin", "sealed")),
    "typed-secret-dice-out-of-range": revealed(put(ADRIFT, f"{_ROLL}.faces", [6])),
    "open-dice-forged-among-secrets": seeded_never(
        put(FIGHT, "rolls.0.faces", lambda faces: [1 + face % 6 for face in faces])
    ),
    "open-dice-of-another-draw-among-secrets": seeded_never(put(FIGHT, "rolls.0.draw", 1)),
    "typed-dice-of-another-draw-among-secrets": never(put(FIGHT, "rolls.0.draw", 1)),
    "typed-dice-of-another-origin-among-secrets": never(put(FIGHT, "rolls.0.origin", "open")),
    "typed-dice-out-of-range-among-secrets": never(put(FIGHT, "rolls.0.faces.0", 7)),
}

TAKEBACKS: dict[str, Make] = {
    "takeback-over-a-secret": revealed(put(BACK, "agreed", [])),
    "takeback-over-a-secret-never-revealed": never(put(BACK, "agreed", [])),
    "takeback-over-what-was-told": never(room(FIGHT, "takeback", "blue", to=RAID, agreed=[])),
    "takeback-over-a-reveal": never(reveal(HIDE_BLUE, LOSE, agreed=BOTH), add("takeback", "red", to=FIGHT, agreed=[])),
}

SMALL: dict[str, Make] = GOOD | JOINS | REVEALS | SEALED | TOLD | DICE | TAKEBACKS
