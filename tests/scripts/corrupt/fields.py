"""What entries hold: their fields, and the game that the first one names."""

from __future__ import annotations

from copy import deepcopy

from corrupt.book import NOTE, TURN, chain, changed, good, lines, small
from referee.record.entry import frame

# Fields


@small
def newer_format() -> bytes:
    return changed(0, format=2, weather="fine")


@small
def unknown_game() -> bytes:
    return changed(0, game="chess")


@small
def game_that_is_a_path() -> bytes:
    return changed(0, game="../../etc/passwd")


@small
def unknown_field() -> bytes:
    return changed(TURN, mood="cheerful")


@small
def unknown_entry_type() -> bytes:
    return changed(NOTE, type="gossip")


@small
def missing_field() -> bytes:
    documents = good()
    del documents[TURN]["rolls"]
    return b"".join(chain(documents))


@small
def entry_that_is_a_list() -> bytes:
    kept = lines()
    return b"".join([*kept[:TURN], frame(b"[]"), *kept[TURN + 1 :]])


@small
def second_game_entry() -> bytes:
    documents = good()
    documents.insert(TURN, deepcopy(documents[0]))
    return b"".join(chain(documents))


# The game entry


@small
def option_unknown() -> bytes:
    return changed(0, options=good()[0]["options"] | {"weather": "fine"})


@small
def option_missing() -> bytes:
    return changed(0, options={name: value for name, value in good()[0]["options"].items() if name != "ties"})


@small
def option_value_unknown() -> bytes:
    return changed(0, options=good()[0]["options"] | {"ties": "sometimes"})


@small
def seats_wrong() -> bytes:
    return changed(0, seats={"red": "Anna", "green": "Cleo"})


@small
def shipped_board_with_wrong_hash() -> bytes:
    return changed(0, board=good()[0]["board"] | {"sha256": "0" * 64})


@small
def own_board_that_is_none() -> bytes:
    return changed(0, board={"from": "own", "document": {"name": "nothing"}})


@small
def position_that_is_none() -> bytes:
    return changed(0, position={"turn": "red"})
