"""Decoding of positions that a person has typed, with readable errors."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.engine.game import AnyGame
from referee.gate import UnreadableError, convert_value


def decode_position(game: AnyGame, document: Any) -> Any:
    """Returns the position in a decoded file. Names may be in any case of letters.

    Raises msgspec.ValidationError, in words of the game, if a field is wrong.
    """
    try:
        return convert_value(document, game.position)
    except UnreadableError:
        from referee.engine.position_form import explain_decode_error, normalize_names  # only mistakes need it

        document = normalize_names(game.position, document)
        try:
            return convert_value(document, game.position)
        except UnreadableError as error:  # report the faults that remain whatever the case
            raise msgspec.ValidationError(explain_decode_error(error, game.position, document)) from error


def describe_added_facts(game: AnyGame, document: Any) -> tuple[str, ...]:
    """Returns a sentence about each fact that `Game.state_from` adds to a decoded position although nobody typed it."""
    return game.describe_added_facts(decode_position(game, document))
