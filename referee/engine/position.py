"""Positions: states that a person can type, and what is wrong with one in words."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.engine.game import AnyGame
from referee.engine.text import guess


def decode_position(game: AnyGame, document: Any) -> Any:
    """A position from a decoded file; msgspec.ValidationError names the field that is wrong."""
    try:
        return msgspec.convert(document, game.position)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(_plainly(error, game.position)) from error


def _plainly(error: msgspec.ValidationError, position: type) -> str:
    """What is wrong with a position, without patterns; of a field that does not exist, which one may be meant."""
    what, _, place = str(error).partition(" - at ")
    at = f" at {place}" if place else ""
    if "matching regex" in what:
        return f"a name is not written as the referee writes it{at}; compare: referee show --as json"
    unknown = what.partition("unknown field `")[2].rstrip("`")
    if unknown and not place:
        fields = [field.encode_name for field in msgspec.structs.fields(position)]
        return f"there is no field {unknown!r}{guess(unknown, fields)}"
    return str(error)
