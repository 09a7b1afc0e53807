"""Positions: states that a person can type, and what is wrong with one in words."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from referee.engine.game import AnyGame


def decode_position(game: AnyGame, document: Any) -> Any:
    """A position from a decoded file, in which names may be in any case; msgspec.ValidationError says in words of the
    game which field is wrong.
    """
    try:
        return msgspec.convert(document, game.position)
    except msgspec.ValidationError as error:
        from referee.engine.fields import plainly, respelt  # mistakes are few

        with suppress(msgspec.ValidationError):
            return msgspec.convert(respelt(game.position, document), game.position)
        raise msgspec.ValidationError(plainly(error, game.position, document)) from error
