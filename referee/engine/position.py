"""Positions: states that a person can type, and what is wrong with one in words."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.engine.game import AnyGame


def decode_position(game: AnyGame, document: Any) -> Any:
    """A position from a decoded file; msgspec.ValidationError says in words of the game which field is wrong."""
    try:
        return msgspec.convert(document, game.position)
    except msgspec.ValidationError as error:
        from referee.engine.fields import plainly  # mistakes are few

        raise msgspec.ValidationError(plainly(error, game.position, document)) from error
