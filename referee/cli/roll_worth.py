"""`referee stats luck --worth`: the value of rolls without a target number, whose dice are only read."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from referee.bots.play_evaluation import RollWorth, evaluate_roll
from referee.chances.luck import LuckOwner
from referee.chances.recorded_rolls import RecordedRoll, list_recorded_rolls
from referee.cli.screen import make_work_progress
from referee.engine.secret import UnknownError
from referee.engine.target_number import ONLY_READ
from referee.engine.text import count_of
from referee.record.log.entry import PlayEntry

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView


def compute_roll_worths(look: SeatView) -> tuple[dict[LuckOwner, RollWorth], bool]:
    """Returns the value of each player's rolls without a target number, and False if Ctrl-C stopped the work.

    In a game with secrets, only the rolls of the viewing seat count.
    """
    found: dict[LuckOwner, RollWorth] = {}
    rolls, tell = (
        [roll for roll in list_recorded_rolls(look.session) if _is_read(look, roll)],
        make_work_progress("Rolls"),
    )
    try:
        for at, roll in enumerate(rolls):
            tell(at / len(rolls))
            one = _compute_worth(look, roll)
            if one:
                owner = LuckOwner(roll.seat, roll.names[roll.seat])
                found[owner] = found[owner] + one if owner in found else one
    except KeyboardInterrupt:
        return found, False
    return found, True


def _is_read(look: SeatView, roll: RecordedRoll) -> bool:
    need = roll.need
    is_dice = need.aims == ONLY_READ and not need.names and not need.lots
    return roll.is_in_force and is_dice and (not look.facts.keepers or roll.seat == look.eyes)


def _compute_worth(look: SeatView, roll: RecordedRoll) -> RollWorth | None:
    entry, before, after = look.log.entries[roll.n], look.at_entry(roll.n - 1), look.at_entry(roll.n)
    if not isinstance(entry, PlayEntry) or entry.known_action is None:
        return None
    random = Random(f"{look.log.head_hash} {roll.n}")
    try:
        return evaluate_roll(
            look.facts.game, before.sight.view, roll.seat, entry.known_action, after.sight.view, random
        )
    except UnknownError:
        return None


def describe_worth(worth: RollWorth) -> str:
    """Returns the value of rolls and its error in words; without figures if the value may be chance."""
    rolls = count_of(worth.roll_count, "roll")
    if not worth.is_significant:
        return f"{rolls}, worth about as much as average dice"
    return f"{rolls}, worth {worth.luck:+.2f} ± {worth.error:.2f} compared with average dice (a won game is 1)"
