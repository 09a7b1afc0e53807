"""How a game may begin. Whoever begins one here asks this, and whoever gets the beginning of one from somebody else."""

from __future__ import annotations

from referee.engine.text import listing
from referee.record.log.entry import GameEntry
from referee.record.table.names import why_misnamed

OPEN_DICE_ONLY = "a bot throws no dice of its own, and writes no mail: it plays with open dice"
BY_MAIL_ONLY = "--hints is for games by mail: elsewhere hints are always allowed"
NOT_ALONE = "nobody plays by mail alone"


def why_not_begun(header: GameEntry, *, keeps_names: bool = False) -> str | None:
    """Returns why no game may begin so, as a clause; None if one may. `keeps_names`: its players have played under
    these names before. Options, files and position are looked at wherever a log is read.
    """
    return _why_not_set(header) or (None if keeps_names else why_misnamed(header.names))


def _why_not_set(header: GameEntry) -> str | None:
    """What is wrong with dice, bots and hints."""
    by_mail = header.dice.is_joint
    if by_mail and len(header.seats) < 2:
        return NOT_ALONE
    if header.hints and not by_mail:
        return BY_MAIL_ONLY
    strangers = sorted({*header.bots} - {*header.names})
    if strangers:
        return f"there is no seat {strangers[0]!r} for a bot; the seats are {listing([*header.names])}"
    return OPEN_DICE_ONLY if header.bots and (header.dice.is_typed or by_mail) else None
