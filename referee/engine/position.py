"""Positions: states that a person can type, and what is wrong with one in words."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.engine.game import AnyGame


def decode_position(game: AnyGame, document: Any) -> Any:
    """A position from a decoded file, in which names may be in any case; msgspec.ValidationError says in words of the
    game which field is wrong.
    """
    try:
        return msgspec.convert(document, game.position)
    except msgspec.ValidationError:
        from referee.engine.fields import plainly, respelt  # mistakes are few

        document = respelt(game.position, document)
        try:
            return msgspec.convert(document, game.position)
        except msgspec.ValidationError as error:  # what is wrong whatever the case
            raise msgspec.ValidationError(plainly(error, game.position, document)) from error


def filled_in(game: AnyGame, document: Any) -> tuple[str, ...]:
    """Returns what follows from a checked position in a decoded file though nobody typed it, a sentence each."""
    return game.fills_in(decode_position(game, document))
