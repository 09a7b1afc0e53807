"""The unusual settings of a game: everything in its first entry that differs from the default. They are shown to
players who are about to join, and in every audit.
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
from referee.engine.position_diff import PieceChange, compare_documents
from referee.record.log.entry import GameEntry, encode_for_log
from referee.record.log.game_files import read_own_files

MAX_DIFFERENCES = 20
"""The most differences of a file that are listed one by one."""
MAX_LIST_CHARACTERS = 60
"""The most characters of two lists that are shown whole. Of longer ones, only the differences are shown."""


FIELDS_WITHOUT_EFFECT = ("program",)
"""Fields that have no effect on the game."""


class UnusualOption(Struct, frozen=True):
    """An option whose value is not the default."""

    name: str
    value: str
    usual: str
    """The default value."""


class ReplacedFile(Struct, frozen=True):
    """A file of the players' own, with its differences from the shipped one."""

    name: str
    differs: tuple[str, ...]
    more: int = 0
    """The number of differences that are not listed."""


class UnusualField(Struct, frozen=True):
    """A field of the first entry with an unusual value, as the log spells it."""

    name: str
    value: str


class UnusualSettings(Struct, frozen=True):
    """All unusual settings of a game."""

    options: tuple[UnusualOption, ...] = ()
    parts: tuple[ReplacedFile, ...] = ()
    position: bool = False
    """True if the game begins from a position of the players' own."""
    fields: tuple[UnusualField, ...] = ()
    """All other fields with unusual values. New fields appear here by themselves."""
    refused: str = ""
    """The reason that no game can begin like this by mail today, as a clause; "" if one can, or if it is not by mail.
    """


def find_unusual_settings(game: AnyGame, header: GameEntry, log: Path | None) -> UnusualSettings:
    """Returns the unusual settings of a game, from its first entry and the files beside its log.

    Raises FaultError if a file is missing.
    """
    chosen = ((option.name, header.options[option.name], option.default) for option in game.options)
    options = tuple(UnusualOption(*told) for told in chosen if told[1] != told[2])
    own = read_own_files(game, header.files, log)
    shipped = {part.name: part.shipped(header.options) for part in game.components}
    parts = tuple(_compare_part(name, read_toml(shipped[name]), document) for name, document in own.items())
    return UnusualSettings(
        options, parts, header.position is not None, _list_unusual_fields(header), _explain_refusal(header)
    )


def _explain_refusal(header: GameEntry) -> str:
    """Returns why nobody could begin such a game by mail here, as a clause; "" if somebody could."""
    if not header.dice.is_joint:
        return ""
    from referee.record.table.game_start_checks import (
        explain_unfit_beginning,  # only games that others began are doubted
    )

    return explain_unfit_beginning(header) or ""


def _list_unusual_fields(header: GameEntry) -> tuple[UnusualField, ...]:
    """Returns every field whose value in this game is not its default.

    Leaves out fields without a default, except for the author, and fields that only inform.
    """
    usual: dict[str, Any] = {"by": REFEREE}
    usual |= {field.name: field.default for field in fields(header) if field.default is not NODEFAULT}
    usual |= {field.name: field.default_factory() for field in fields(header) if field.default_factory is not NODEFAULT}
    found = ((name, getattr(header, name)) for name in usual if name not in FIELDS_WITHOUT_EFFECT)
    return tuple(UnusualField(name, encode_for_log(value).decode()) for name, value in found if value != usual[name])


def _compare_part(name: str, shipped: Any, own: Any) -> ReplacedFile:
    found = compare_documents(shipped, own)
    return ReplacedFile(name, tuple(map(_describe_difference, found[:MAX_DIFFERENCES])), len(found[MAX_DIFFERENCES:]))


def _describe_difference(change: PieceChange) -> str:
    """Returns a difference in words. Of long lists only the differing members are named."""
    if len(change.was) + len(change.now) <= MAX_LIST_CHARACTERS:
        return str(change)
    was, now = Counter(change.was.split()), Counter(change.now.split())
    gone, new = (" ".join((one - other).elements()) for one, other in ((was, now), (now, was)))
    parts = [
        f"without {gone[:MAX_LIST_CHARACTERS]}" if gone else "",
        f"with {new[:MAX_LIST_CHARACTERS]}" if new else "",
    ]
    return f"{change.names}: {', '.join(filter(None, parts)) or 'in another order'}"
