"""Logs that are well formed, and wrong as games: dice, plays, what needs agreement."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import msgspec

from corrupt.book import (
    AMEND,
    AUTO,
    DONE,
    LAST,
    NOTE,
    TAKEBACK,
    THROW,
    THROW_OFF,
    TURN,
    Document,
    chain,
    changed,
    good,
    small,
)
from referee.engine.dice import TableDice
from referee.engine.game import find_game

# Dice


def _table(n: int, **fields: Any) -> bytes:
    documents = good(TableDice())
    documents[n]["rolls"][0] |= fields
    return b"".join(chain(documents))


@small
def forged_dice() -> bytes:
    documents = good()
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    documents[LAST]["events"][0]["kept"] = [6, 6, 6]
    return b"".join(chain(documents))


@small
def forged_dice_without_their_events() -> bytes:
    documents = good()
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    return b"".join(chain(documents))


@small
def forged_draw_number() -> bytes:
    documents = good()
    documents[THROW]["rolls"][0]["draw"] = 7
    return b"".join(chain(documents))


@small
def forged_origin() -> bytes:
    documents = good()
    documents[THROW]["rolls"][0]["origin"] = "table"
    return b"".join(chain(documents))


@small
def dice_left_out() -> bytes:
    return changed(THROW, rolls=[])


@small
def dice_too_many() -> bytes:
    documents = good()
    documents[DONE]["rolls"] = deepcopy(documents[THROW]["rolls"])
    return b"".join(chain(documents))


@small
def typed_dice_out_of_range() -> bytes:
    return _table(THROW, faces=[1, 2, 7])


@small
def typed_dice_of_zero() -> bytes:
    return _table(THROW, faces=[1, 2, 0])


@small
def typed_dice_too_few() -> bytes:
    return _table(THROW, faces=[1, 2])


@small
def typed_dice_with_wrong_draw_number() -> bytes:
    return _table(THROW, draw=0)


@small
def typed_dice_of_another_origin() -> bytes:
    return _table(THROW, origin="open")


@small
def typed_dice_for_another_purpose() -> bytes:
    return _table(THROW, purpose="blue's throw")


@small
def typed_dice_left_out() -> bytes:
    documents = good(TableDice())
    documents[THROW]["rolls"] = []
    return b"".join(chain(documents))


@small
def typed_dice_too_many() -> bytes:
    documents = good(TableDice())
    documents[DONE]["rolls"] = [documents[THROW]["rolls"][0] | {"draw": 2}]
    return b"".join(chain(documents))


# Plays


@small
def illegal_action() -> bytes:
    documents = good()
    dice = documents[THROW]["events"][0]["kept"]
    number = next(str(number) for number in range(1, 7) if number not in dice)
    documents[TURN]["action"]["robot"] = number
    return b"".join(chain(documents))


@small
def play_out_of_turn() -> bytes:
    return changed(TURN, by="blue")


@small
def play_by_nobody() -> bytes:
    return changed(TURN, by="green")


@small
def play_by_the_referee() -> bytes:
    return changed(TURN, by="referee")


def _events(n: int, events: list[Document]) -> bytes:
    return changed(n, events=events)


@small
def wrong_events() -> bytes:
    documents = good()
    documents[TURN]["events"][0]["toward"] = "SE"
    return b"".join(chain(documents))


@small
def events_left_out() -> bytes:
    return _events(TURN, [])


@small
def events_too_many() -> bytes:
    documents = good()
    documents[LAST]["events"].append({"type": "eliminated", "seat": "blue"})
    return b"".join(chain(documents))


@small
def event_that_cannot_happen() -> bytes:
    return _events(TURN, [{"type": "lost", "robot": "R9"}])


@small
def event_with_an_empty_push() -> bytes:
    return _events(AUTO, [{"type": "stepped", "toward": "N", "chain": []}])


@small
def event_to_no_cell() -> bytes:
    return _events(LAST, [{"type": "stepped", "toward": "N", "chain": [["R1", "z99"]]}])


@small
def event_for_a_robot_that_is_none() -> bytes:
    return _events(LAST, [{"type": "stepped", "toward": "N", "chain": [["R9", "a3"]]}])


@small
def event_for_nobody() -> bytes:
    return _events(LAST, [{"type": "turn-passed", "seat": "green", "phase": "throw"}])


@small
def event_with_odd_phase() -> bytes:
    return _events(LAST, [{"type": "phase-begun", "phase": "rethrow"}])


@small
def event_with_terminal_escape() -> bytes:
    return _events(LAST, [{"type": "eliminated", "seat": "\x1b[2J"}])


# Takebacks and amendments


@small
def takeback_to_the_future() -> bytes:
    return changed(TAKEBACK, to=LAST)


@small
def takeback_to_itself() -> bytes:
    return changed(TAKEBACK, to=TAKEBACK)


@small
def takeback_without_agreement() -> bytes:
    return changed(TAKEBACK, to=THROW_OFF)


@small
def takeback_by_another_seat() -> bytes:
    return changed(TAKEBACK, by="blue")


@small
def takeback_agreed_by_nobody() -> bytes:
    return changed(TAKEBACK, agreed=["green"])


@small
def amend_without_agreement() -> bytes:
    return changed(AMEND, agreed=["red"])


@small
def amend_agreed_by_nobody() -> bytes:
    return changed(AMEND, agreed=["red", "blue", "green"])


@small
def amend_with_robot_on_goal() -> bytes:
    documents = good()
    book = find_game("manoover")
    board = book.parse_board(msgspec.toml.decode(book.board_file(documents[0]["options"]).read_bytes()))
    goal = next(iter(book.setup(documents[0]["options"], board).goals))
    robots = documents[AMEND]["position"]["robots"]
    name, _, heading = robots[0].split()
    robots[0] = f"{name} {goal} {heading}"
    return b"".join(chain(documents))


@small
def amend_with_unknown_field() -> bytes:
    documents = good()
    documents[AMEND]["position"]["weather"] = "fine"
    return b"".join(chain(documents))


@small
def note_by_nobody() -> bytes:
    return changed(NOTE, by="green")


@small
def empty_note() -> bytes:
    return changed(NOTE, text="")
