"""Amendments that keep every secret sealed. The log holds only the changes, and each view is changed separately.

Changes in the open apply to every view. A seat seals changes that only it sees; to all others the game stands as
before. A computer that knows the truth changes the truth, too, and judges it. The changed truth must be a legal
position, and every view of it must match the changed view. Otherwise, the change depends on a secret, and would reveal
or contradict the secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from referee.engine.component import BoardError
from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.engine.plugin_errors import GameError
from referee.engine.position import decode_position
from referee.engine.position_diff import amend_view, list_changes, list_pieces_and_fields
from referee.engine.rulebook import Refusal
from referee.engine.secret import Secret
from referee.engine.text import NotUnderstoodError, make_printable
from referee.record.table.knowledge import Knowledge
from referee.record.table.reducer_state import ERRORS_ON_BAD_EVENTS, ReducerState

SEEN_MESSAGE = "others see this, too; to change things that everybody sees, use --sealed in place of --by"
DEPENDS_ON_SECRET_MESSAGE = "this depends on a secret, so it cannot be amended while all secrets stay sealed"


class AmendmentParts(NamedTuple):
    """The open and the sealed changes of an amendment, with the owner of the sealed ones."""

    open: tuple[str, ...]
    sealed: tuple[str, ...]
    """The sealed changes. Empty if there are none, or if they are not known here."""
    owner: Seat | None
    """The seat that keeps the sealed changes as its secret; None if nothing is sealed."""

    def select_for_eyes(self, seat: Seat | None) -> tuple[str, ...]:
        """Returns the changes that a seat sees; None stands for a spectator."""
        return (*self.open, *(self.sealed if seat is not None and seat == self.owner else ()))


def split_amendment(
    reducer: ReducerState, by: Seat, said: tuple[str, ...], secret: Secret[tuple[str, ...]] | None
) -> AmendmentParts:
    """Returns the open and the sealed changes of an entry. Raises FaultError if the entry may not have such changes."""
    if not reducer.keepers:
        reducer.raise_fault("bad-position", "this game has no secrets; amend the whole position")
    if secret is not None and (secret.owner != by or said):
        reducer.raise_fault(
            "bad-secret", f"{by} may seal changes only of secrets of {by}, with no open changes beside them"
        )
    if not said and (secret is None or (secret.known and not secret.value)):
        reducer.raise_fault("bad-position", "the amendment is empty")
    sealed = secret.value if secret is not None and secret.known else ()
    return AmendmentParts(said, sealed, secret.owner if secret else None)


def apply_amendment(reducer: ReducerState, parts: AmendmentParts) -> Knowledge:
    """Returns the knowledge after the changes, without asking the rules. Raises FaultError if a change makes no
    sense.
    """
    now = reducer.compute_knowledge_before_entry()
    if now.views is None:
        return Knowledge(apply_typed_changes(reducer, now.truth, (*parts.open, *parts.sealed)))
    views = {seat: _change_view_of_seat(reducer, view, seat, parts) for seat, view in now.views.items()}
    return Knowledge(views=views)


def _change_view_of_seat(reducer: ReducerState, view: Any, seat: Seat | None, parts: AmendmentParts) -> Any:
    """Returns a seat's view after the changes that it sees."""
    said = parts.select_for_eyes(seat)
    return view_for(reducer.game, apply_typed_changes(reducer, view, said), seat) if said else view


def apply_typed_changes(reducer: ReducerState, view: Any, said: tuple[str, ...]) -> Any:
    """Returns a view with changes as they are typed. Raises FaultError if they make no sense."""
    try:
        return amend_view(reducer.game, view, said, reducer.options, reducer.board)
    except NotUnderstoodError as error:
        reducer.raise_fault("bad-position", f"{make_printable(error.text)}: {error.expected} is expected here")
    except (msgspec.ValidationError, BoardError, *ERRORS_ON_BAD_EVENTS, GameError) as error:
        reducer.raise_fault("bad-position", f"pieces cannot stand like that: {error}")


def check_amendment(reducer: ReducerState, parts: AmendmentParts) -> None:
    """Judges an amendment as far as possible with the secrets known here. Raises FaultError if it is wrong.

    For every seat that sees the changes, the same pieces must change in the same way, and also in the true state. For
    all others, the game must stand as before. If the true state is known, it must be legal.
    """
    now, after = reducer.compute_knowledge_before_entry(), apply_amendment(reducer, parts)
    before = now.views or {seat: view_for(reducer.game, now.truth, seat) for seat in (*reducer.seats, None)}
    if parts.owner not in before:
        return
    then = {seat: _change_view_of_seat(reducer, view, seat, parts) for seat, view in before.items()}
    refusal = next(_list_broken_rules(reducer, after.truth), None) if now.views is None else None
    if refusal:
        reducer.raise_fault("bad-position", refusal.because, refusal.rule)
    told = _map_changed_pieces(reducer, before[parts.owner], then[parts.owner])
    if not told:
        reducer.raise_fault("bad-position", "the game stands like that already: nothing would change")
    if now.views is None:
        fits = _map_changed_pieces(reducer, now.truth, after.truth) == told
        fits = fits and all(view_for(reducer.game, after.truth, seat) == view for seat, view in then.items())
    else:
        fits = all(view_for(reducer.game, view, None) == then[None] for view in then.values())
    due = {seat: told if parts.select_for_eyes(seat) else {} for seat in then}
    if not fits or any(_map_changed_pieces(reducer, before[seat], then[seat]) != due[seat] for seat in then):
        reducer.raise_fault(
            "bad-position",
            SEEN_MESSAGE if parts.owner and _is_visible_change(reducer, now, after) else DEPENDS_ON_SECRET_MESSAGE,
        )


def _is_visible_change(reducer: ReducerState, now: Knowledge, after: Knowledge) -> bool:
    return bool(_map_changed_pieces(reducer, now.view_of(reducer.game, None), after.view_of(reducer.game, None)))


def _map_changed_pieces(reducer: ReducerState, before: Any, after: Any) -> dict[str, tuple[str, str]]:
    """Returns the pieces that differ between two views, each with its old and its new place."""
    found = list_changes(list_pieces_and_fields(reducer.game, before), list_pieces_and_fields(reducer.game, after))
    return {piece: (change.was, change.now) for change in found for piece in change.pieces}


def _list_broken_rules(reducer: ReducerState, truth: Any) -> Iterator[Refusal]:
    position = reducer.game.position_from(truth)
    again = decode_position(reducer.game, msgspec.to_builtins(position))
    return iter(reducer.game.check_position(again, reducer.options, reducer.board))


def describe_for_spectators(reducer: ReducerState, parts: AmendmentParts) -> tuple[str, ...]:
    """Returns the changes as spectators see them."""
    if parts.owner is not None:
        return (f"something that {parts.owner} alone sees, sealed",)
    before = list_pieces_and_fields(reducer.game, reducer.compute_knowledge_before_entry().view_of(reducer.game, None))
    after = list_pieces_and_fields(reducer.game, apply_amendment(reducer, parts).view_of(reducer.game, None))
    return tuple(map(str, list_changes(before, after)))
