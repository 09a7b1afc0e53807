"""The keys with which seats sit down by mail, each with its chains of dice, and the keys that take their place later.

A player brings another key with the recovery key, or with the agreement of the others. No signature is verified here.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from referee.engine.event import Seat
from referee.record.log.enrolment import ConsentWarrant, Enrolment, RecoveryWarrant
from referee.record.table.mail_state import ChainPosition, MailState, ReplacementKey

if TYPE_CHECKING:
    from referee.record.log.entry import JoinEntry, OfferEntry
    from referee.record.table.reducer_state import ReducerState


def sit_down_with_key(state: MailState, reducer: ReducerState, entry: JoinEntry) -> None:
    """Gives a seat the key and the chains with which it joins. Raises FaultError if they may not be used here."""
    chair = entry.chair
    if chair is None or entry.by not in state.seats:
        reducer.raise_fault(
            "bad-secret", f"{entry.by} joins without a key" if chair is None else f"there is no seat {entry.by!r}"
        )
    if (chair.unseen is None) == (entry.by in state.keepers):
        reducer.raise_fault("bad-secret", "only seats that keep secrets have a chain of secret dice")
    cast, again = state.joint_roll, state.is_rejoin(entry)
    if cast is not None and entry.by in cast.owing_seats and not again:
        reducer.raise_fault("bad-cast", f"{entry.by} joins, but owes an answer to roll {cast.number}")
    if cast is not None and again and {*cast.owing_seats} - {entry.by}:  # they may have given shares beside the log
        reducer.raise_fault("bad-cast", f"{entry.by} joins with another key, but roll {cast.number} is being made")
    if cast is not None and not cast.is_complete and again and isinstance(entry.warrant, RecoveryWarrant):
        reducer.raise_fault("bad-cast", "nobody joins with another key while dice are being rolled")
    if state.is_rejoin(entry):
        _change_key(state, reducer, entry, chair)
    else:
        check_fresh_chains(reducer, entry, chair)
        _check_bound(state, reducer, entry.by, chair)
        state.enrolments.setdefault(entry.by, chair)
        if entry.warrant is not None:
            reducer.raise_fault("bad-agreement", f"{entry.by} has the same key as before and needs no agreement")
    if entry.name and not isinstance(entry.warrant, ConsentWarrant):
        reducer.raise_fault("bad-agreement", f"{entry.name} takes {entry.by} without the signatures of the others")
    if state.director is not None and chair.key == state.director.key:
        reducer.raise_fault("bad-seat", f"{entry.by} joins with the key of {state.director.name}, who directs the game")
    state.pen = state.pen or entry.by
    state.chain_positions[entry.by] = ChainPosition(chair, state.roll_count, chair.tip)
    state.secret_chains.pop(entry.by, None)


def _check_bound(state: MailState, reducer: ReducerState, seat: Seat, chair: Enrolment) -> None:
    """Checks that a seat joins with the key that it had in the game before, in the same match.

    Raises FaultError if the key is another one. On a branch, seats may come with other keys.
    """
    has_sat = seat in state.chain_positions or state.has_just_branched
    if state.bound_keys and not has_sat and state.bound_keys.get(seat) != chair.key:
        reducer.raise_fault("bad-seat", f"{seat} joins with another key than in the game before, in the same match")


def _change_key(state: MailState, reducer: ReducerState, entry: JoinEntry, chair: Enrolment) -> None:
    """Gives a seat another key, because it has its recovery key or because the others agreed.

    With the recovery key, open joint rolls stay, so that the seat cannot avoid their dice. By agreement, the open joint
    roll and all offers end. Raises FaultError if the seat may not use the key.
    """
    seat, warrant = entry.by, entry.warrant
    if isinstance(warrant, RecoveryWarrant):
        check_fresh_chains(reducer, entry, chair)
        if sha256(warrant.key.encode()).hexdigest() != state.enrolments[seat].recovery:
            reducer.raise_fault("bad-agreement", f"this is not the recovery key of the player who joined as {seat}")
        state.enrolments[seat] = chair
        state.replacements.pop(seat, None)
        return
    if warrant is not None and state.signed_up_to.get(seat, -1) > warrant.on:
        reducer.raise_fault("bad-agreement", f"the old key of {seat} has signed after a new key was requested")
    state.end_offers_and_roll(entry, f"{seat} joined with another key")
    if entry.name:  # another player, whose own key this is
        state.enrolments[seat] = chair
        state.replacements.pop(seat, None)
        return
    word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
    state.replacements[seat] = ReplacementKey(entry.n, word)
    if state.enrolments[seat].key == chair.key:
        del state.replacements[seat]


def check_fresh_chains(reducer: ReducerState, entry: JoinEntry | OfferEntry[Any], chair: Enrolment) -> None:
    """Checks that the chains of an enrolment were made for this place in this log, so that no value serves twice."""
    if chair.after != entry.prev:
        reducer.raise_fault("bad-cast", f"the chains of {entry.by} were made for another place")
