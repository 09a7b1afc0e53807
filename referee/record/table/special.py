"""What is special about a game: all of its first entry that is not as usual. Who is to join sees it first, and an
audit tells it again.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from referee.engine.component import read_toml
from referee.engine.event import REFEREE
from referee.engine.game import AnyGame
from referee.engine.pieces import Change, differences
from referee.record.log.entry import GameEntry, encode
from referee.record.log.files import own_files

MOST = 20
"""Differences of a file that are told one by one."""
LONG = 60
"""Characters from which on of two lists only what one of them lacks is told."""


INFORMATION = ("program",)
"""Fields that bind nobody to anything."""


class OtherOption(Struct, frozen=True):
    """An option whose value is not the usual one."""

    name: str
    value: str
    usual: str


class OwnPart(Struct, frozen=True):
    """A file of the players' own, and how it differs from the one that comes along."""

    name: str
    differs: tuple[str, ...]
    more: int = 0
    """Differences that are not told one by one."""


class OtherField(Struct, frozen=True):
    """A field of the first entry that is not as in most games, as the log spells it."""

    name: str
    value: str


class Special(Struct, frozen=True):
    """All that is special about a game."""

    options: tuple[OtherOption, ...] = ()
    parts: tuple[OwnPart, ...] = ()
    position: bool = False
    """Whether it begins from a position of the players' own."""
    fields: tuple[OtherField, ...] = ()
    """All other fields that are not the usual: one that games have only since lately tells itself."""
    refused: str = ""
    """Why nobody begins such a game by mail today, as a clause; "": anybody may, or it is not by mail."""


def special_of(game: AnyGame, header: GameEntry, log: Path | None) -> Special:
    """What is special about a game, from its first entry and the files beside its log; FaultError where one is not
    there.
    """
    chosen = ((option.name, header.options[option.name], option.default) for option in game.options)
    options = tuple(OtherOption(*told) for told in chosen if told[1] != told[2])
    own = own_files(game, header.files, log)
    shipped = {part.name: part.shipped(header.options) for part in game.components}
    parts = tuple(_part(name, read_toml(shipped[name]), document) for name, document in own.items())
    return Special(options, parts, header.position is not None, _fields(header), _why_refused(header))


def _why_refused(header: GameEntry) -> str:
    """Why nobody begins a game so that somebody else may have sent."""
    if not header.dice.is_joint:
        return ""
    from referee.record.table.beginning import why_not_begun  # only what others have begun is doubted

    return why_not_begun(header) or ""


def _fields(header: GameEntry) -> tuple[OtherField, ...]:
    """Every field with a usual value, where this game has another one."""
    usual: dict[str, Any] = {"by": REFEREE}
    usual |= {field.name: field.default for field in fields(header) if field.default is not NODEFAULT}
    usual |= {field.name: field.default_factory() for field in fields(header) if field.default_factory is not NODEFAULT}
    found = ((name, getattr(header, name)) for name in usual if name not in INFORMATION)
    return tuple(OtherField(name, encode(value).decode()) for name, value in found if value != usual[name])


def _part(name: str, shipped: Any, own: Any) -> OwnPart:
    found = differences(shipped, own)
    return OwnPart(name, tuple(map(_told, found[:MOST])), len(found[MOST:]))


def _told(change: Change) -> str:
    """A difference in words: of long lists what one has and the other has not."""
    if len(change.was) + len(change.now) <= LONG:
        return str(change)
    was, now = Counter(change.was.split()), Counter(change.now.split())
    gone, new = (" ".join((one - other).elements()) for one, other in ((was, now), (now, was)))
    parts = [f"without {gone[:LONG]}" if gone else "", f"with {new[:LONG]}" if new else ""]
    return f"{change.names}: {', '.join(filter(None, parts)) or 'in another order'}"
