"""`referee stats luck`: the results of rolls, each together with all rolls that had to follow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.chances.forced_rolls import ResultChance, find_forced_roll
from referee.chances.luck import NO_LUCK, LuckOwner, RollLuck
from referee.chances.outcome_enumeration import TooManyError
from referee.chances.recorded_rolls import RecordedRoll
from referee.chances.result_luck import ResultLuck, find_result_luck
from referee.engine.target_number import ONLY_READ
from referee.record.log.entry import PlayEntry

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView


MAX_FAILED_TRIES = 2
"""The number of times that a kind of move may have too many outcomes before it is not followed again."""


class RollSequence(Struct, frozen=True):
    """A move that rolled dice, with the rolls that had to follow it."""

    first_roll: RecordedRoll
    """The first roll."""
    last: int
    """The number of the entry with the last roll."""
    luck: ResultLuck

    @property
    def has_no_target(self) -> bool:
        """True if the first roll has no target."""
        return self.first_roll.need.aims == ONLY_READ

    @property
    def entries_text(self) -> str:
        """The numbers of the entries, in words."""
        first = self.first_roll.n
        return f"entry {first}" if self.last == first else f"entries {first} to {self.last}"


class RollSequences(Struct, frozen=True):
    """The moves of a game that have dice without a target number, or that lead to forced rolls."""

    sequences: tuple[RollSequence, ...]
    left_out: int
    """The number of such moves that have too many outcomes to be followed."""


def list_roll_sequences(look: SeatView, throws: list[RecordedRoll]) -> RollSequences:
    """Returns the moves that have dice without a target number or lead to forced rolls, each with its luck.

    In a game with secrets, only those of the viewing seat count. A move whose forced rolls are not all made does not
    count. A kind of move that had too many outcomes `MAX_FAILED_TRIES` times is not followed again.
    """
    found, too_many = list[RollSequence](), Counter[str]()
    for throw, last in _list_recorded_sequences(look, throws):
        if too_many[throw.kind] >= MAX_FAILED_TRIES:
            too_many[throw.kind] += 1
            continue
        try:
            luck = _measure_luck_between(look, throw.n, last)
        except TooManyError:
            too_many[throw.kind] += 1
        else:
            found += [RollSequence(throw, last, luck)] if luck else []
    return RollSequences(tuple(found), too_many.total())


def _list_recorded_sequences(look: SeatView, throws: list[RecordedRoll]) -> Iterator[tuple[RecordedRoll, int]]:
    """Yields the first roll of each move for `list_roll_sequences`, and the number of the entry with its last roll."""
    standing = [one for one in throws if one.is_in_force and not one.need.names and not one.need.lots]
    firsts, done = {throw.n: throw for throw in reversed(standing)}, 0
    following = dict(pairwise(look.session.in_force()))
    for n in sorted(firsts):
        if n > done and (not look.facts.keepers or firsts[n].seat == look.eyes):
            last = _find_end_of_sequence(look, n, firsts, following)
            if last is not None and (last > n or firsts[n].need.aims == ONLY_READ):
                done = last
                yield firsts[n], last


def _find_end_of_sequence(
    look: SeatView, n: int, firsts: dict[int, RecordedRoll], following: dict[int, int]
) -> int | None:
    """Returns the number of the entry with the last roll of the chain that begins with entry `n`.

    That is `n` itself if no forced roll follows. Returns None if a forced roll is still due.
    """
    game, seat, turn = look.facts.game, firsts[n].seat, firsts[n].turn
    while True:
        after = following.get(n)
        if after is not None and (after not in firsts or firsts[after].seat != seat):
            return n
        roll = find_forced_roll(game, look.at_entry(n).sight.view, seat, turn)
        if roll is None:
            return n
        entry = look.log.entries[after] if after is not None else None
        if after is None or not isinstance(entry, PlayEntry) or entry.known_action != roll:
            return None
        n = after


def _measure_luck_between(look: SeatView, n: int, last: int) -> ResultLuck | None:
    entry = look.log.entries[n]
    if not isinstance(entry, PlayEntry) or entry.by is None or entry.known_action is None:
        return None
    before, after = look.at_entry(n - 1).sight.view, look.at_entry(last).sight.view
    return find_result_luck(look.facts.game, before, entry.by, entry.known_action, after)


def sum_able_pieces(sequences: Iterable[RollSequence]) -> dict[LuckOwner, RollLuck]:
    """Returns for each player the number of pieces that could act after rolls without a target number."""
    found: dict[LuckOwner, RollLuck] = {}
    for sequence in sequences:
        if sequence.has_no_target and sequence.luck.able:
            roll = sequence.first_roll
            owner = LuckOwner(roll.seat, roll.names.get(roll.seat, roll.seat))
            found[owner] = found.get(owner, NO_LUCK) + sequence.luck.able
    return found


def find_rarest_result(sequences: Iterable[RollSequence]) -> tuple[RollSequence, ResultChance] | None:
    """Returns the least likely result among moves that led to forced rolls, with its move; None if there is none."""
    results = [
        (sequence, sequence.luck.came[0])
        for sequence in sequences
        if sequence.last > sequence.first_roll.n and sequence.luck.came
    ]
    return min(results, key=lambda one: one[1].chance, default=None)


def collect_result_facts(found: RollSequences) -> dict[str, Any]:
    """Returns the pieces that could act and the rarest result, as facts for programs."""
    rarest = find_rarest_result(found.sequences)
    return {
        "able": [
            {**owner._asdict(), "pieces": one.hits, "expected": str(one.expected), "z": one.z_score}
            for owner, one in sum_able_pieces(found.sequences).items()
        ],
        "rarest": _collect_rarest_facts(*rarest) if rarest else None,
        "left_out": found.left_out,
    }


def _collect_rarest_facts(sequence: RollSequence, result: ResultChance) -> dict[str, Any]:
    return {"entries": [sequence.first_roll.n, sequence.last], "told": result.told, "chance": float(result.chance)}
