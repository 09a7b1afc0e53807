"""The conditions under which a game may begin. They are checked when a game begins here, and when one arrives by
mail.
"""

from __future__ import annotations

from referee.engine.event import REFEREE
from referee.engine.text import listing
from referee.record.log.entry import GameEntry
from referee.record.table.match_place import MATCH_BY_MAIL_ONLY, explain_unfit_place
from referee.record.table.player_names import explain_unfit_names

OPEN_DICE_ONLY = "a bot cannot roll real dice or write mail, so it needs open dice from a seed"
BY_MAIL_ONLY = "--hints is for games by mail; in other games, hints are always allowed"
PACE_BY_MAIL_ONLY = "--pace is for games by mail"
DIRECTOR_BY_MAIL_ONLY = "only a game by mail can have a director"
SETTLES_AT_A_PACE = "a director settles only in a game with a pace; without one, nobody can say what is stuck"
NOT_ALONE = "a game by mail needs at least two players"


def explain_unfit_beginning(header: GameEntry, *, keeps_names: bool = False) -> str | None:
    """Returns why a game may not begin like this, as a clause; None if it may.

    `keeps_names` is True if the players have used these names before. Options, files and position are checked whenever
    a log is read.
    """
    return _explain_unfit_settings(header) or (None if keeps_names else explain_unfit_names(header.names))


def _explain_unfit_settings(header: GameEntry) -> str | None:
    """Returns a clause about the first setting that is wrong, such as the dice, the bots or the pace; None if all are
    fine.
    """
    by_mail = header.dice.is_joint
    if header.by != REFEREE:
        return f"{header.by} begins the game, but only the referee may"
    if by_mail and len(header.seats) < 2:
        return NOT_ALONE
    if header.hints and not by_mail:
        return BY_MAIL_ONLY
    if header.pace and not by_mail:
        return PACE_BY_MAIL_ONLY
    if header.match and not by_mail:
        return MATCH_BY_MAIL_ONLY
    unfit = explain_unfit_place(header) or _explain_unfit_director(header)
    if unfit:
        return unfit
    strangers = sorted({*header.bots} - {*header.names})
    if strangers:
        return f"there is no seat {strangers[0]!r} for a bot; the seats are {listing([*header.names])}"
    return OPEN_DICE_ONLY if header.bots and (header.dice.is_typed or by_mail) else None


def _explain_unfit_director(header: GameEntry) -> str | None:
    """Returns a clause about a director whom this game may not have. None if there is no director, or a fit one."""
    director = header.director
    if director is None:
        return None
    if not header.dice.is_joint:
        return DIRECTOR_BY_MAIL_ONLY
    if director.settles and not header.pace:
        return SETTLES_AT_A_PACE
    return explain_unfit_names({**header.names, "director": director.name}) or _find_key_problem(director.key)


def _find_key_problem(key: str) -> str | None:
    from referee.record.log.signature import find_key_problem  # few games have a director

    problem = find_key_problem(key)
    return f"the key of its director is {problem}" if problem else None
