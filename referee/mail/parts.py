"""Parts of a throw that are given beside the log.

Where more than two play, all others owe a part of one throw. Each signs his own for this throw alone and sends it to
all at once; who throws keeps the pen, and puts them on the record as they come. So nobody waits for another's mail, and
only one computer adds to the log. In what order they come changes no die.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.chain import is_next
from referee.mail.box import keep_parts, parts_in
from referee.mail.packet import Part
from referee.mail.signed import remember_signed, signed_last
from referee.record.log.faults import NotAllowedError
from referee.record.table.mailed import is_signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.engine.event import Seat
    from referee.record.table.cast import Cast
    from referee.record.table.session import Session


def owes_beside(session: Session, seat: Seat | None) -> bool:
    """Whether a seat owes a part of a throw that it has not given yet, as far as is known here, and gives without the
    pen.
    """
    pact = session.pact
    if pact is None or pact.cast is None or pact.pen in (None, seat) or seat not in pact.cast.owing:
        return False
    return is_sent(session) and seat not in {part.by for part in parts_here(session)}


def is_sent(session: Session) -> bool:
    """Whether somebody has signed how the throw that is being made was begun."""
    pact = session.pact
    return pact is not None and pact.cast is not None and max(pact.sealed.values(), default=-1) > pact.cast.n


def check_not_given(record_id: str, cast: Cast) -> None:
    """NotAllowedError where this player's part of the throw was given to another one with its number: who has it could
    work out these dice before he declared what they are for.
    """
    last = signed_last(_given(record_id))
    if last is not None and last[0] == cast.number and cast.opener and last[1] != cast.opener:
        raise NotAllowedError(
            f"your part of throw {cast.number} was given to another declaration of {cast.by}'s, and serves no second "
            "one. Play on from before it: referee branch again --at N"
        )


def remember_given(record_id: str, cast: Cast) -> None:
    """Remember to which throw this player gives his part; call it first, then give it."""
    remember_signed(_given(record_id), cast.number, cast.opener)


def has_given(session: Session, apart: int) -> bool:
    """Whether this player has given his part of a throw that was begun in entry `apart` of this copy, or later."""
    cast = session.pact.cast_at(session.head.hash) if session.pact else None
    if session.pact is None or cast is None or cast.n < apart:
        return False
    return signed_last(_given(session.pact.record_id)) == (cast.number, cast.opener)


def _given(record_id: str) -> str:
    """Under what name it is remembered which throw this player gave his last part to."""
    return sha256(f"referee/1 parts\n{record_id}\n".encode()).hexdigest()


def parts_here(session: Session) -> tuple[Part, ...]:
    """Parts of the throw that is being made which are known here, and are not on the record yet."""
    pact = session.pact
    if session.path is None or pact is None or pact.cast is None or not pact.cast.owing:
        return ()
    return tuple(part for part in parts_in(session.path) if _is_true(session, part))


def note_parts(session: Session, parts: Iterable[Part]) -> tuple[Part, ...]:
    """Keep what has come for the throw that is being made, and nothing of earlier ones; returns what is of use."""
    fresh = tuple(part for part in parts if _is_true(session, part))
    if session.path is not None:
        held, known = parts_in(session.path), parts_here(session)
        keeps = tuple({part.by: part for part in (*known, *fresh)}.values())
        if keeps != held:
            keep_parts(session.path, keeps)
    return fresh


def _is_true(session: Session, part: Part) -> bool:
    """Whether a part is owed to the throw that is being made, is the one that was fixed, and is signed for it."""
    pact = session.pact
    cast = pact.cast_at(session.head.hash) if pact else None
    if pact is None or cast is None or part.cast != cast.number or part.by not in cast.owing:
        return False
    last = bytes.fromhex(pact.hands[part.by].last)
    fixed = is_next(pact.game_id, part.by, bytes.fromhex(part.value), last)
    return fixed and is_signed(pact, part.by, part.text(pact.record_id, cast.opener), part.signature)
