"""What is to be recorded: checked, spelt once, and read back as every reader will have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from referee.engine.blame import GameError, is_foreign
from referee.engine.secret import blinded
from referee.engine.text import listing
from referee.record.log.entry import AnyEntry, AnyPlay, PlayEntry, now
from referee.record.log.faults import NotAllowedError, not_allowed
from referee.record.log.frame import hash_of, line_of
from referee.record.log.limits import check_recordable
from referee.record.log.reader import Reader
from referee.record.log.sealing import Found, Sealer
from referee.record.table.agreement import why_stranger
from referee.record.table.draft import Draft
from referee.record.table.fold import Fold
from referee.record.table.known import Known


class Spelt(NamedTuple):
    """An entry that is ready to be written."""

    entry: Any
    """As every reader will have it."""
    line: bytes
    found: list[Found]
    """The secrets that stand in it."""
    known: Known | None
    """What is known after it, if that was judged already."""


def why_other_rules(fold: Fold) -> str:
    """Why a game cannot be played on under the rules that it was begun under, as a clause."""
    today = fold.game.rules_version
    return (
        f"this game is played under rules {fold.rules} of {fold.game.name}; rules {today}, which are played here, "
        f"differ in {listing(fold.changed)}. To go on under them, all must agree: referee upgrade"
    )


class Speller:
    """Spells what goes on where a game stands. Nothing is written, and nothing folded."""

    def __init__(self, fold: Fold, reader: Reader) -> None:
        self._fold, self._reader = fold, reader
        self.sealer = Sealer(fold.opener.vaults, fold.opener.game_id, reader.spelt)
        """Has sealed what is to be kept in the vaults once it is written."""

    def spell(self, drafts: Sequence[tuple[Draft, Known | None]], first: int, prev: str) -> list[Spelt]:
        """Entries from number `first` on, the first of them after the line with the hash `prev`; each draft with what
        is known after it, if that was judged already. NotAllowedError.
        """
        spelt = []
        for n, (draft, known) in enumerate(drafts, first):
            entry = draft(n=n, prev=prev, at=now())
            self._check(entry)
            body, read = self._spelt(entry, prev)
            prev = hash_of(body)
            spelt.append(Spelt(read, line_of(body, prev), self._fold.opener.found, known))
        return spelt

    def check(self, draft: Draft, n: int, prev: str) -> None:
        """NotAllowedError when an entry may not be recorded there."""
        self._check(draft(n=n, prev=prev, at=now()))

    def _check(self, entry: AnyEntry) -> None:
        """What an audit would find wrong with an entry that is no play."""
        fold = self._fold
        try:
            with not_allowed():
                if not isinstance(entry, PlayEntry):
                    from referee.record.table.judge import JudgeAgain  # plays are what is mostly recorded

                    JudgeAgain().other(fold, entry)
                    fold.check_order(entry)
                elif fold.changed:
                    raise NotAllowedError(why_other_rules(fold))
                elif entry.by not in fold.seats:
                    raise NotAllowedError(str(why_stranger(fold.seats, [entry.by])))
                if fold.pact:
                    fold.pact.check(fold, entry)
        except NotAllowedError as error:
            error.entry = entry
            raise

    def _spelt(self, entry: AnyEntry, prev: str) -> tuple[bytes, Any]:
        """The bytes of an entry, and how every reader will have it; NotAllowedError when none would accept it."""
        if is_foreign(self._fold.game) and isinstance(entry, PlayEntry):
            return self._tried(entry, prev)
        body = self._reader.spelt(self.sealer.spell(entry))
        check_recordable(body)
        try:
            return body, self._reader.decode(body, prev)
        except msgspec.ValidationError as error:
            raise NotAllowedError(f"this cannot be recorded: {error}") from error

    def _tried(self, entry: AnyPlay, prev: str) -> tuple[bytes, Any]:
        """The same of somebody else's game, where it is tried before anything is recorded that its events can be
        written, are read as they were, and can be told: GameError.
        """
        from referee.engine.guard import blaming

        game = self._fold.game
        try:
            with blaming(game):
                body = self.sealer.spell(entry)
        except GameError as error:
            if isinstance(error.__cause__, NotAllowedError):  # a secret for which the log's form has no room
                raise error.__cause__ from None
            raise
        body = self._reader.spelt(body)
        check_recordable(body)
        with blaming(game):
            read = self._reader.decode(body, prev)
        for event, again in zip(entry.events, read.events, strict=True):
            if blinded(event, None) is event and again != event:
                kind = type(event).__name__
                raise GameError(game.name, kind, "the event does not read back as it was written")
            game.tell(event)
        return body, read
