"""The treaty of a game by mail: the terms that a joining player accepts, and those that all have accepted so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from referee.engine.event import REFEREE
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.archive.roll_account import make_roll_account
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.joint_roll import DroppedRoll
from referee.record.table.ledger import BranchPoint, list_branch_points, list_dropped_rolls
from referee.record.table.opening_logs import open_log
from referee.record.table.proposal import make_proposal_of_offer
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import BranchEffects, OfferEffects, Treaty
from referee.record.table.unusual_settings import find_unusual_settings


def make_treaty_before_joining(look: SeatView, logs: Iterable[Path]) -> Treaty:
    """Returns the treaty that a player accepts by joining a game.

    If the game is a branch, the games from which it branched off are looked for among `logs`.
    Raises FaultError if a file that the players made themselves is missing.
    """
    settings = find_unusual_settings(look.facts.game, look.facts.header, look.log.path)
    left, parent = _read_left_games(look, logs)
    protocol = get_mail_protocol(look.session)
    return Treaty(
        players=look.facts.seats_with_names,
        invited={seat: look.facts.names[seat] for seat in look.seats_to_join if look.facts.names[seat] != seat},
        settings=settings,
        rules=(look.facts.header.rules, look.facts.game.rules_version),
        first_board=look.at_entry(0).with_eyes(None) if settings.position else None,
        replaced_keys=dict(protocol.replacements),
        rulings=protocol.rulings,
        dropped=_remove_repeated_rolls(protocol.dropped_rolls, left),
        parent=parent,
        left=left,
        is_before_joining=True,
    )


def make_treaty_so_far(look: SeatView, logs: Iterable[Path]) -> Treaty:
    """Returns the treaty of a game by mail until now: replaced keys, rulings, and rolls that were begun and never made.

    If the game is a branch, the games from which it branched off are looked for among `logs`.
    """
    protocol = get_mail_protocol(look.session)
    found = make_roll_account(protocol, look.session.public.branched, look.log.path, logs)
    return Treaty(
        players=look.facts.seats_with_names,
        replaced_keys=dict(protocol.replacements),
        rulings=protocol.rulings,
        dropped=found.dropped,
        parent=found.parent,
    )


def _remove_repeated_rolls(
    dropped: tuple[DroppedRoll, ...], left: tuple[BranchEffects, ...]
) -> tuple[DroppedRoll, ...]:
    """Returns the dropped rolls of a branch, except those that the games in `left` have dropped, too."""
    told = {(roll.number, roll.n) for game in left for roll in game.dropped}
    return tuple(roll for roll in dropped if (roll.number, roll.n) not in told)


def _read_left_games(look: SeatView, logs: Iterable[Path]) -> tuple[tuple[BranchEffects, ...], str]:
    """Returns the games from which a branch by mail branched off, and the name of its parent if they are missing.

    The name is "" if at least one of these games can be read here. If the log is no branch, there are no games and no
    name.
    """
    branched, path = look.session.public.branched, look.log.path
    if branched is None or path is None:
        return (), ""
    found = list_branch_points(path, logs)
    games = tuple(filter(None, (run_on_log_or_none(left.path, partial(_read_left_game, left)) for left in found)))
    return games, "" if games else branched.parent


def _read_left_game(left: BranchPoint) -> BranchEffects:
    """Returns a game that a branch left, with the effects of taking it back to the start of the branch.

    The effects are as the player at this computer may know them.
    """
    parent = SeatView(open_log(left.path))
    seat = find_own_seat(parent.protocol) if parent.protocol else None
    own = parent.with_eyes(seat) if seat and parent.can_open_view_of(seat) else parent
    back = OfferEffects(own, make_proposal_of_offer(own, TakebackOffer(left.n - 1), seat or REFEREE))
    return BranchEffects(left.path, left.n, seat, back, tuple(list_dropped_rolls(left)))
