"""Entries in words, as certain eyes see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.engine.dice import LOTS
from referee.engine.pieces import Change, changes, everything
from referee.engine.text import listing
from referee.record.log.entry import (
    AgreeEntry,
    AmendEntry,
    AnswerEntry,
    AnyEntry,
    BranchEntry,
    DeclareEntry,
    GameEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    ResignEntry,
    RevealEntry,
    SealEntry,
    SettledEntry,
    TakebackEntry,
)

if TYPE_CHECKING:
    from referee.cli.look import Look


def describe(look: Look, entry: AnyEntry) -> str:
    """An entry in one line."""
    match entry:
        case GameEntry():
            return f"{look.game.title}: {', '.join(map(look.player, look.session.seats))}"
        case JoinEntry():
            return _joined(look, entry)
        case DeclareEntry() | AnswerEntry() | SealEntry() | OfferEntry() | AgreeEntry() | RefuseEntry():
            from referee.cli.mailed import described  # games by mail alone have them

            return described(look, entry)
        case PlayEntry():
            return f"{entry.by}: {_said(look, entry)}"
        case RevealEntry():
            of = look.session.entries[entry.of]
            what = _said(look, of) if isinstance(of, PlayEntry) else "the seed of dice thrown in secret"
            return f"entry {entry.of} revealed: {what}"
        case TakebackEntry():
            agreed = f", agreed by {listing(entry.agreed)}" if entry.agreed else ""
            return f"{entry.by} {_way(look, entry)} entry {entry.to}{agreed}"
        case AmendEntry():
            changed = "; ".join(map(str, _amended_by(look, entry)))
            return f"position amended, agreed by {listing(entry.agreed)}: {entry.why} ({changed or 'as it was'})"
        case ResignEntry():
            return f"{entry.by} resigns{f', agreed by {listing(entry.agreed)}' if entry.agreed else ''}"
        case SettledEntry():
            won = (
                f"{listing(entry.winners)} {'wins' if len(entry.winners) == 1 else 'tie'}"
                if entry.winners
                else "nobody wins"
            )
            return f"the game is ended by agreement of {listing(entry.agreed)}: {won}"
        case NoteEntry():
            return f"note by {entry.by}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"


def _joined(look: Look, entry: JoinEntry) -> str:
    if entry.chair is None:
        return f"{entry.by} keeps secrets from here on"
    return f"{look.player(entry.by)} sits down{', with another key, agreed by all' if entry.agreed else ''}"


def _way(look: Look, entry: TakebackEntry) -> str:
    """Whether a takeback goes back, or takes one back."""
    before = look.session.in_force(entry.n - 1)
    return "takes back to" if entry.to in before else "brings back what was taken back, up to"


def told(look: Look, entry: AnyEntry) -> list[str]:
    """What happened in an entry, as things to do with the pieces."""
    if not isinstance(entry, PlayEntry):
        return []
    events = entry.all_events if _sees(look, entry) else entry.events
    return [look.game.tell(_shut(look, entry, event)) for event in events]


def _amended_by(look: Look, entry: AmendEntry) -> tuple[Change, ...]:
    """What an amended position changes, as these eyes see it."""
    before, after = (look.session.moment(n).view(look.eyes) for n in (entry.n - 1, entry.n))
    return changes(everything(look.game, before), everything(look.game, after))


def is_shut(look: Look, entry: AnyEntry) -> bool:
    """Whether the very deed is a secret that these eyes do not see."""
    return isinstance(entry, PlayEntry) and entry.action is None and not _sees(look, entry)


def _sees(look: Look, entry: PlayEntry[Any, Any]) -> bool:
    """Whether these eyes see all of a play: their own, or one that is revealed, if it can be opened here."""
    if entry.secret is None or not entry.secret.known:
        return entry.secret is None
    return look.sees(entry.by) or _is_revealed(look, entry)


def _is_revealed(look: Look, entry: PlayEntry[Any, Any]) -> bool:
    return entry.secret is not None and entry.secret.leaf not in look.session.fold.sealed


def _shut(look: Look, entry: PlayEntry[Any, Any], value: Any) -> Any:
    """A part of a play without what these eyes may not see; once no secret is left, there is nothing to hide."""
    return look.blinded(value) if look.session.fold.sealed and not look.sees(entry.by) else value


def _said(look: Look, entry: PlayEntry[Any, Any]) -> str:
    if is_shut(look, entry):
        return "a secret, sealed"
    deed = entry.deed if _sees(look, entry) else None
    action, rolls = (deed.action, deed.rolls) if deed else (entry.action, entry.rolls)
    hidden = entry.secret is not None and deed is not None and not _is_revealed(look, entry)
    thrown = "".join(f"  [{' '.join(map(str, roll.names or roll.faces))}]" for roll in rolls if roll.purpose != LOTS)
    return f"{look.game.format(_shut(look, entry, action))}{thrown}{' (a secret)' if hidden else ''}"
