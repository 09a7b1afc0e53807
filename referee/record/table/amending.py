"""Amendments that keep every secret sealed: the log has the changes alone, and each view is changed by itself.

What everybody sees is changed in every view by changes in the open. What only one seat sees is changed in its own view
by changes that it seals; to all others the game stands as before. Who knows the truth changes that, too, and judges it:
it has to be a position that the rules allow, and of which everybody sees just what the changes have made of his view.
Where it does not, a change hangs together with a secret and would tell it, or belie it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from referee.engine.blame import GameError
from referee.engine.component import BoardError
from referee.engine.event import Seat
from referee.engine.game import look
from referee.engine.pieces import changed, changes, everything
from referee.engine.position import decode_position
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.text import NotUnderstoodError, printable
from referee.record.table.folded import NONSENSE, Folded
from referee.record.table.known import Known

SEEN = "others see it, too: what everybody sees is amended with --sealed"
TELLS = "this hangs together with a secret, and cannot be amended while all secrets stay sealed"


class Parts(NamedTuple):
    """What an amendment changes."""

    open: tuple[str, ...]
    sealed: tuple[str, ...]
    """Empty too where it is not known here."""
    owner: Seat | None
    """Whose the sealed ones are."""

    def for_eyes(self, seat: Seat | None) -> tuple[str, ...]:
        """The changes that somebody sees."""
        return (*self.open, *(self.sealed if seat is not None and seat == self.owner else ()))


def parts_of(fold: Folded, by: Seat, said: tuple[str, ...], secret: Secret[tuple[str, ...]] | None) -> Parts:
    """What an entry changes that says so in the open, or in secret, and for whom; FaultError where it cannot say so."""
    if not fold.keepers:
        fold.fail("bad-position", "in this game there are no secrets; the whole position is amended")
    if secret is not None and (secret.owner != by or said):
        fold.fail("bad-secret", f"{by} amends a secret of {secret.owner}, or something else with it")
    if not said and (secret is None or (secret.known and not secret.value)):
        fold.fail("bad-position", "nothing is amended")
    sealed = secret.value if secret is not None and secret.known else ()
    return Parts(said, sealed, secret.owner if secret else None)


def amended_in(fold: Folded, parts: Parts) -> Known:
    """What is known after pieces were amended; FaultError where that makes no sense. The rules are not asked."""
    now = fold.now()
    if now.views is None:
        return Known(with_changes(fold, now.truth, (*parts.open, *parts.sealed)))
    views = {seat: _seen(fold, view, seat, parts) for seat, view in now.views.items()}
    return Known(views=views)


def _seen(fold: Folded, view: Any, seat: Seat | None, parts: Parts) -> Any:
    """What somebody sees of a view of his that was changed."""
    said = parts.for_eyes(seat)
    return look(fold.game, with_changes(fold, view, said), seat) if said else view


def with_changes(fold: Folded, view: Any, said: tuple[str, ...]) -> Any:
    """A view with changes as they are typed; FaultError where they make no sense."""
    try:
        return changed(fold.game, view, said, fold.header.options, fold.board)
    except NotUnderstoodError as error:
        fold.fail("bad-position", f"{printable(error.text)}: {error.expected} is wanted here")
    except (msgspec.ValidationError, BoardError, *NONSENSE, GameError) as error:
        fold.fail("bad-position", f"pieces cannot stand so: {error}")


def check_amended(fold: Folded, parts: Parts) -> None:
    """Judge an amendment as far as can be told here; FaultError.

    Whoever is to see it sees the same pieces change in the same way, and so does the truth; to all others the game
    stands as before. Where the truth is known, it has to be legal.
    """
    now, after = fold.now(), amended_in(fold, parts)
    before = now.views or {seat: look(fold.game, now.truth, seat) for seat in (*fold.seats, None)}
    if parts.owner not in before:
        return
    then = {seat: _seen(fold, view, seat, parts) for seat, view in before.items()}
    refusal = next(_refusals(fold, after.truth), None) if now.views is None else None
    if refusal:
        fold.fail("bad-position", refusal.because, refusal.rule)
    told = _moved(fold, before[parts.owner], then[parts.owner])
    if not told:
        fold.fail("bad-position", "that is how the game stands already: nothing would be amended")
    if now.views is None:
        fits = _moved(fold, now.truth, after.truth) == told
        fits = fits and all(look(fold.game, after.truth, seat) == view for seat, view in then.items())
    else:
        fits = all(look(fold.game, view, None) == then[None] for view in then.values())
    due = {seat: told if parts.for_eyes(seat) else {} for seat in then}
    if not fits or any(_moved(fold, before[seat], then[seat]) != due[seat] for seat in then):
        fold.fail("bad-position", SEEN if parts.owner and _is_seen(fold, now, after) else TELLS)


def _is_seen(fold: Folded, now: Known, after: Known) -> bool:
    return bool(_moved(fold, now.seen_by(fold.game, None), after.seen_by(fold.game, None)))


def _moved(fold: Folded, before: Any, after: Any) -> dict[str, tuple[str, str]]:
    """How each piece stood that stands otherwise in another view, and how it stands there."""
    found = changes(everything(fold.game, before), everything(fold.game, after))
    return {piece: (change.was, change.now) for change in found for piece in change.pieces}


def _refusals(fold: Folded, truth: Any) -> Iterator[Refusal]:
    position = fold.game.position_of(truth)
    again = decode_position(fold.game, msgspec.to_builtins(position))
    return iter(fold.game.check_position(again, fold.header.options, fold.board))


def told_openly(fold: Folded, parts: Parts) -> tuple[str, ...]:
    """What an amendment changes, as spectators see it."""
    if parts.owner is not None:
        return (f"something that {parts.owner} alone sees, sealed",)
    before = everything(fold.game, fold.now().seen_by(fold.game, None))
    after = everything(fold.game, amended_in(fold, parts).seen_by(fold.game, None))
    return tuple(map(str, changes(before, after)))
