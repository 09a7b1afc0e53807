"""Logs that are well formed, and wrong as games: dice, plays, what needs agreement."""

from __future__ import annotations

from corrupt.book import (
    AMEND,
    AUTO,
    BOTH,
    DONE,
    LAST,
    NOTE,
    TAKEBACK,
    THROW,
    THROW_OFF,
    TURN,
    Document,
    Make,
    add,
    again,
    entries,
    good,
    more,
    put,
    typed,
)

_GOAL = "a1"
"""A cell that is a goal on the board of the good log."""
_SPENT = "1"
"""A robot that no die of the good log moves."""


def _happened(n: int, kind: str, **fields: object) -> Make:
    """The good log in which something else happened."""
    return good(put(n, "events", [{"type": kind, **fields}]))


def _two_throws(documents: list[Document]) -> None:
    """Dice where none are asked for."""
    roll = documents[THROW]["rolls"][0]
    documents[DONE]["rolls"] = [roll | {"draw": roll["draw"] + 1}]


SMALL: dict[str, Make] = {
    "forged-dice": good(put(LAST, "rolls.0.faces", [6, 6, 6]), put(LAST, "events.0.kept", [6, 6, 6])),
    "forged-dice-without-their-events": good(put(LAST, "rolls.0.faces", [6, 6, 6])),
    "forged-draw-number": good(put(THROW, "rolls.0.draw", 7)),
    "forged-origin": good(put(THROW, "rolls.0.origin", "table")),
    "forged-purpose-of-dice": good(put(THROW, "rolls.0.purpose", "blue's throw")),
    "forged-names-of-dice": good(put(THROW, "rolls.0.names", ["ace", "two", "six"])),
    "forged-use-of-dice": good(put(THROW, "rolls.0.each", ["r1", "r2", "r3"])),
    "open-dice-seen-by-one-seat": good(put(THROW, "rolls.0.to", "red")),
    "dice-left-out": good(put(THROW, "rolls", [])),
    "dice-too-many": good(_two_throws),
    "typed-dice-out-of-range": typed(put(THROW, "rolls.0.faces", [1, 2, 7])),
    "typed-dice-of-zero": typed(put(THROW, "rolls.0.faces", [1, 2, 0])),
    "typed-dice-too-few": typed(put(THROW, "rolls.0.faces", [1, 2])),
    "typed-dice-with-wrong-draw-number": typed(put(THROW, "rolls.0.draw", 0)),
    "typed-dice-of-another-origin": typed(put(THROW, "rolls.0.origin", "open")),
    "typed-dice-for-another-purpose": typed(put(THROW, "rolls.0.purpose", "blue's throw")),
    "typed-dice-left-out": typed(put(THROW, "rolls", [])),
    "typed-dice-too-many": typed(_two_throws),
    # Plays
    "illegal-action": good(put(TURN, "action.robot", _SPENT)),
    "play-out-of-turn": good(put(TURN, "by", "blue")),
    "play-by-nobody": good(put(TURN, "by", "green")),
    "play-by-the-referee": good(put(TURN, "by", "referee")),
    "play-without-an-action": good(put(TURN, "action", None)),
    "wrong-events": good(put(TURN, "events.0.toward", "SE")),
    "events-left-out": good(put(TURN, "events", [])),
    "events-too-many": good(more(LAST, "events", {"type": "eliminated", "seat": "blue"})),
    "event-that-cannot-happen": _happened(TURN, "lost", robot="R9"),
    "event-with-an-empty-push": _happened(AUTO, "stepped", toward="N", chain=[]),
    "event-to-no-cell": _happened(LAST, "stepped", toward="N", chain=[["R1", "z99"]]),
    "event-for-a-robot-that-is-none": _happened(LAST, "stepped", toward="N", chain=[["R9", "a3"]]),
    "event-for-nobody": _happened(LAST, "turn-passed", seat="green", phase="throw"),
    "event-with-odd-phase": _happened(LAST, "phase-begun", phase="rethrow"),
    "event-with-terminal-escape": _happened(LAST, "eliminated", seat="\x1b[2J"),
    # Takebacks and amendments
    "takeback-to-the-future": good(put(TAKEBACK, "to", LAST)),
    "takeback-to-itself": good(put(TAKEBACK, "to", TAKEBACK)),
    "takeback-without-agreement": good(put(TAKEBACK, "to", THROW_OFF)),
    "takeback-by-another-seat": good(put(TAKEBACK, "by", "blue")),
    "takeback-agreed-by-nobody": good(put(TAKEBACK, "agreed", ["green"])),
    "amend-without-agreement": good(put(AMEND, "agreed", ["red"])),
    "amend-agreed-by-nobody": good(put(AMEND, "agreed", [*BOTH, "green"])),
    "amend-with-robot-on-goal": good(put(AMEND, "position.robots.0", f"R1 {_GOAL} N")),
    "amend-with-unknown-field": good(put(AMEND, "position.weather", "fine")),
    # Ends that players agree on
    "play-after-resigning": good(add("resign", "blue", agreed=[]), again(LAST, LAST + 2)),
    "resigned-by-nobody": good(add("resign", "green", agreed=[])),
    "resigned-by-the-referee": good(add("resign", "referee", agreed=[])),
    "resigned-twice": good(add("resign", "red", agreed=[]), add("resign", "blue", agreed=[])),
    "amended-after-resigning": good(add("resign", "red", agreed=[]), again(AMEND, LAST + 2)),
    "ended-without-agreement": good(add("settled", "referee", winners=["red"], agreed=["red"])),
    "ended-for-a-stranger": good(add("settled", "referee", winners=["green"], agreed=BOTH)),
    "ended-for-one-twice": good(add("settled", "referee", winners=["red", "red"], agreed=BOTH)),
    "ended-by-agreement-after-resigning": good(
        add("resign", "red", agreed=[]), add("settled", "referee", winners=[], agreed=BOTH)
    ),
    "resigning-taken-back-alone": good(add("resign", "red", agreed=[]), add("takeback", "red", to=LAST, agreed=[])),
    "note-by-nobody": good(put(NOTE, "by", "green")),
    "empty-note": good(put(NOTE, "text", "")),
    # Secrets in a game that has none
    "secret-in-a-game-without-secrets": good(put(LAST, "secret", {"leaf": "0" * 64, "of": "red"})),
    "deed-sealed-in-a-game-without-secrets": good(
        put(LAST, "secret", {"leaf": "0" * 64, "of": "red"}), put(LAST, "action", None)
    ),
    "join-in-a-game-without-secrets": good(add("join", "red", seed=None)),
    "reveal-in-a-game-without-secrets": good(
        add("reveal", "referee", of=THROW, leaf="0" * 64, salt="00" * 32, value=entries()[THROW]["action"], agreed=BOTH)
    ),
}
